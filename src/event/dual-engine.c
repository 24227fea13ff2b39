/* dual-engine.c: compiled engine for event-free parts of a network, event engine for the others
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cluster    components that modes, impulses or scheduled events may couple (clusters.h)
 * active     advanced by the event engine; the compiled engine advances all other components
 * interval   cycles that the compiled engine advances before guards are evaluated, 4 to 64
 *
 * 1. The compiled engine advances one interval and records the nodes that links with modes read.
 * 2. The event engine's own guards are evaluated on these samples. If a guard may be crossed, the
 *    compiled engine restores its saved state and advances to the cycle before the crossing. The
 *    cluster becomes active.
 * 3. A cluster becomes inactive after some event-free cycles without active constraints. More of
 *    these cycles are required if the cluster was inactive for a short time only.
 *
 * A cluster with a scheduled event becomes active for the cycle of that event. Small clusters, and
 * those with force laws in unbatched links, are always active. The compiled engine also advances
 * active clusters; these results are replaced before use. Both engines implement the same step map,
 * so every value equals that of the event engine alone.
 */
#include <stdlib.h>
#include <string.h>

#include "event/forces.h"
#include "event/constraint-reactions.h"
#include "event/event-engine-internal.h"
#include "event/state-transfer.h"
#include "event/event-candidates.h"
#include "event/clusters.h"
#include "event/event-log.h"
#include "event/islands.h"
#include "event/monitors.h"
#include "model/model.h"

/* Fewest nodes for which the compiled engine is faster. */
#define MIN_NODES (IFBAM_SMALL_CLUSTER_NODES + 1)
/* Cycles of an interval of the compiled engine: after an event, and at most. */
#define FIRST_INTERVAL 4
#define MAX_INTERVAL   IFBAM_MAGNITUDE_SAMPLES
/* Fewest inactive steps worth both transfers; most event-free cycles before deactivation. */
#define MIN_INACTIVE_STEPS 32
#define MAX_FREE_CYCLES    64
/* With more probes, an interval ends at a sample of the caller, so that no other is recorded. */
#define MAX_DENSE_PROBES 64
/* Scheduled events are removed from lists in blocks of this size. */
#define REMOVED_BLOCK 4096
/* Most periodic scheduled events per step for which the compiled engine is used. */
#define MAX_PERIODIC_EVENTS 1000

typedef struct
{
  GArray *components;    /* guint32 */
  GArray *links;         /* guint32: links with modes */
  GArray *monitors;      /* guint32: monitors that change nothing else */
  GArray *time_events;   /* guint32: indices of scheduled events, as far as listed */
  guint next_time_event; /* index in instants */
  gsize n_nodes, n_links;
  gboolean always_active; /* always active */
  gboolean is_active;
  gboolean may_cross;
  guint required_free_cycles,
      wait;               /* event-free cycles that are required, and left, before deactivation */
  guint64 inactive_since; /* steps done at the deactivation */
} Cluster;

typedef struct
{
  IfbamEngine base;
  IfbamEventEngine *event;
  IfbamEngine *tiles;
  GArray *clusters;    /* Cluster */
  guint32 *cluster_of; /* by component; IFBAM_NONE: in no cluster */
  guint n_active;      /* active clusters */
  gboolean all_active; /* no component is inactive */
  gboolean starting;   /* components in no cluster are active, too */
  guint interval;      /* cycles of the next interval */

  /* Saved states of the compiled engine: the one to restore; scratch; under a flip-flop scheme one
   * before `kept`, valid for inactive components. */
  IfbamState *kept, *scratch, *older;
  guint64 left;  /* steps done when components in no cluster became inactive */
  guint listed;  /* scheduled events added to clusters' lists */
  double *x, *v; /* scratch (n_nodes) */

  gsize *read_nodes;          /* free nodes that links with modes read, increasing (n_read_nodes) */
  guint32 *read_node_cluster; /* (n_read_nodes) */
  gsize n_read_nodes;
  double *now[2], *before[2]; /* positions and velocities now, and a step before (n_read_nodes) */
  IfbamProbes probes;         /* of an interval: `heard`, and the caller's nodes */
  gsize *read_at,
      *requested_at; /* indices in probes: of heard nodes (n_read_nodes), of the caller's */
  gsize requested_capacity;
} DualEngine;

static guint64
row_of (const DualEngine *self)
{
  return self->base.steps - ifbam_engine_lookahead (self->base.spec);
}

static inline Cluster *
cluster_at (const DualEngine *self, guint i)
{
  return &g_array_index (self->clusters, Cluster, i);
}

static gboolean
node_is_active (const DualEngine *self, gsize node)
{
  const guint32 component = self->event->components.of_node[node];

  return component != IFBAM_NONE && self->cluster_of[component] != IFBAM_NONE
         && cluster_at (self, self->cluster_of[component])->is_active;
}

static const guint32 *
indices_of (const GArray *list)
{
  return (const guint32 *) (gpointer) list->data;
}

#define FOR_RANGES(range, component)                                                               \
  for (const IfbamIndexRange *range = ifbam_index_range (self->event, (component)->nodes),         \
                             *range##_end = range + (component)->n_nodes;                          \
       range < range##_end; range++)

/* Transfer between the engines */

/* Saves the compiled engine's state in self->kept. Returns its values (not owned). */
static double *
save_compiled_state (DualEngine *self)
{
  gsize n;

  if (self->older != NULL && ifbam_state_steps (self->kept) < self->base.steps)
    {
      IfbamState *swap = self->older;

      self->older = self->kept;
      self->kept = swap;
    }
  self->kept = ifbam_engine_save_state (self->tiles, self->kept);
  return ifbam_state_numbers (self->kept, &n);
}

/* Saves the compiled engine's state in `kept` with active components' state from the event engine,
 * and restores it, so that the compiled engine continues with the true state. */
static void
write_compiled_state (DualEngine *self)
{
  IfbamEventEngine *event = self->event;
  double *kept;

  self->tiles->steps = self->base.steps;
  kept = save_compiled_state (self);
  if (self->base.spec->scheme->stage_time[0] > 0)
    ifbam_event_accelerations (event, IFBAM_NONE, event->nodes.x, event->nodes.v,
                               ifbam_event_time (event), FALSE);
  if (self->all_active)
    ifbam_event_write_component (event, ifbam_component (event, event->components.list->len - 1),
                                 kept);
  for (guint i = 0; i < self->clusters->len && !self->all_active; i++)
    {
      const Cluster *cluster = cluster_at (self, i);

      for (guint k = 0; k < cluster->components->len && cluster->is_active; k++)
        ifbam_event_write_component (
            event, ifbam_component (event, indices_of (cluster->components)[k]), kept);
    }
  ifbam_engine_restore_state (self->tiles, self->kept, self->base.steps);
}

/* Updates counts and flags after a change of the set of active clusters. */
static void
count_active (DualEngine *self)
{
  IfbamEventEngine *event = self->event;

  self->n_active = 0;
  self->all_active = TRUE;
  for (guint i = 0; i < self->clusters->len; i++)
    self->n_active += cluster_at (self, i)->is_active;
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    {
      const guint32 cluster = self->cluster_of[c];

      ifbam_component (event, c)->is_inactive =
          cluster == IFBAM_NONE || !cluster_at (self, cluster)->is_active;
      self->all_active &= !ifbam_component (event, c)->is_inactive;
    }
  ifbam_islands_update_whole (event);
}

/* Sets the event engine to the present step, unless active clusters keep it there. */
static void
set_event_engine (DualEngine *self)
{
  IfbamEventEngine *event = self->event;

  event->at_rest = FALSE;
  if (self->n_active > 0)
    return;
  ifbam_event_set_step (event, self->base.steps);
}

/* Returns the compiled engine's columns (not owned); NULL: positions and velocities suffice. */
static const double *
current_columns (DualEngine *self)
{
  gsize n;

  if (!self->event->latency && ifbam_scheme_carried_acceleration (self->event->scheme) == 0)
    return NULL;
  self->scratch = ifbam_engine_save_state (self->tiles, self->scratch);
  return ifbam_state_numbers (self->scratch, &n);
}

/* Activates the clusters with a possible crossing. */
static void
activate (DualEngine *self)
{
  IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const double *state;

  set_event_engine (self);
  ifbam_engine_get_nodes (self->tiles, 0, model->n_free, self->x, self->v);
  state = current_columns (self);
  for (gsize i = 0; i < self->n_read_nodes && event->latency; i++)
    if (cluster_at (self, self->read_node_cluster[i])->may_cross)
      event->history.column[2][self->read_nodes[i]] = self->before[0][i];
  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);

      if (!cluster->may_cross)
        continue;
      for (guint k = 0; k < cluster->components->len; k++)
        ifbam_event_read_component (event,
                                    ifbam_component (event, indices_of (cluster->components)[k]),
                                    self->x, self->v, state);
      cluster->may_cross = FALSE;
      cluster->is_active = TRUE;
      cluster->wait = 1;
      if (cluster->links->len > 0)
        cluster->required_free_cycles =
            self->base.steps - cluster->inactive_since < MIN_INACTIVE_STEPS
                ? MIN (2 * cluster->required_free_cycles, MAX_FREE_CYCLES)
                : MAX (cluster->required_free_cycles / 2, 1);
    }
  count_active (self);
}

/* Returns whether a cluster can become inactive: event-free for long enough, no active constraint,
 * and no processed scheduled event that is later than the present step boundary by rounding. The
 * compiled engine would evaluate sources before that event. */
static gboolean
can_deactivate (const DualEngine *self, const Cluster *cluster)
{
  const IfbamEventEngine *event = self->event;

  if (cluster->always_active || !cluster->is_active || cluster->wait > 0
      || event->base.log->failure != NULL)
    return FALSE;
  if (event->schedule.next > 0
      && ifbam_schedule_get (&event->schedule, event->schedule.next - 1)->time
             > ifbam_event_time (event))
    return FALSE;
  for (guint k = 0; k < cluster->monitors->len; k++)
    if (event->links.state[indices_of (cluster->monitors)[k]].starts_at_threshold)
      return FALSE;
  for (guint k = 0; k < cluster->links->len; k++)
    {
      const guint32 number = indices_of (cluster->links)[k];
      const IfbamConstraint relation = ifbam_link_constraint (event, number);

      if (event->links.state[number].starts_at_threshold
          || ifbam_constraint_is_active (&relation, event->links.state[number].mode))
        return FALSE;
    }
  return TRUE;
}

/* Deactivates the clusters that have been free of events for long enough. */
static void
deactivate (DualEngine *self)
{
  IfbamEventEngine *event = self->event;
  gboolean any = self->starting;

  for (guint i = 0; i < self->clusters->len && self->n_active > 0; i++)
    any |= can_deactivate (self, cluster_at (self, i));
  if (!any)
    return;
  write_compiled_state (self);
  for (guint i = 0; i < self->clusters->len; i++)
    if (can_deactivate (self, cluster_at (self, i)))
      {
        cluster_at (self, i)->is_active = FALSE;
        cluster_at (self, i)->inactive_since = self->base.steps;
      }
  for (gsize i = 0; i < self->n_read_nodes; i++)
    {
      const Cluster *cluster = cluster_at (self, self->read_node_cluster[i]);

      if (cluster->is_active || cluster->inactive_since != self->base.steps)
        continue;
      self->now[0][i] = event->nodes.x[self->read_nodes[i]];
      self->now[1][i] = event->nodes.v[self->read_nodes[i]];
      if (event->latency)
        self->before[0][i] = event->history.column[2][self->read_nodes[i]];
    }
  if (self->starting)
    self->left = self->base.steps;
  self->starting = FALSE;
  count_active (self);
}

/* Probes */

/* Merges the caller's probes with the nodes that links with modes read. */
static void
merge_probes (DualEngine *self, const IfbamProbes *requested)
{
  const gsize n_requested = requested == NULL ? 0 : requested->n;
  gsize *node = (gsize *) self->probes.node, i = 0, k = 0, n = 0;

  if (n_requested > self->requested_capacity)
    {
      const gsize room = n_requested + self->n_read_nodes;

      self->requested_capacity = n_requested;
      self->requested_at = g_renew (gsize, self->requested_at, n_requested);
      self->probes.node = node = g_renew (gsize, node, room);
      self->probes.position = g_renew (double, self->probes.position, room *MAX_INTERVAL);
      self->probes.rate = g_renew (double, self->probes.rate, room *MAX_INTERVAL);
    }
  while (i < self->n_read_nodes || k < n_requested)
    {
      const gsize own = i < self->n_read_nodes ? self->read_nodes[i] : G_MAXSIZE;
      const gsize other = k < n_requested ? requested->node[k] : G_MAXSIZE;

      node[n] = MIN (own, other);
      if (own <= other)
        self->read_at[i++] = n;
      if (other <= own)
        self->requested_at[k++] = n;
      n++;
    }
  self->probes.n = n;
  self->probes.stride = 1;
}

/* Returns whether a node is given and its motion may have corners. */
static gboolean
has_corners (const DualEngine *self, gsize node)
{
  return node >= self->base.model->n_free && self->event->schedule.edges->len > 0;
}

/* Copies a sample to the caller's probes if it is one of their samples. from: index in the
 * interval's probes; negative: the present state. */
static void
copy_probes (DualEngine *self, const IfbamProbes *requested, guint64 began, guint64 steps,
             gssize from)
{
  gsize row;

  if (requested == NULL || !ifbam_probes_row (self->base.spec, requested, began, steps, &row))
    return;
  for (gsize i = 0; i < requested->n; i++)
    {
      const gsize node = requested->node[i];
      double *position = &requested->position[row * requested->n + i];
      double *rate = &requested->rate[row * requested->n + i];

      if (from < 0)
        ifbam_engine_get_nodes (&self->base, node, node + 1, position, rate);
      else if (has_corners (self, node))
        ifbam_event_given_at_row (self->event, node,
                                  steps - ifbam_engine_lookahead (self->base.spec), position, rate);
      else if (node_is_active (self, node))
        {
          *position = self->event->nodes.x[node];
          *rate = self->event->nodes.v[node];
        }
      else
        {
          *position = self->probes.position[(gsize) from * self->probes.n + self->requested_at[i]];
          *rate = self->probes.rate[(gsize) from * self->probes.n + self->requested_at[i]];
        }
    }
}

/* Possible crossings */

/* Returns the position or velocity of heard node i at a sample of the interval; 0 is its start. */
static inline double
read_value (const DualEngine *self, gboolean rate, guint row, gsize i)
{
  const double *values = rate ? self->probes.rate : self->probes.position;

  return row == 0 ? self->now[rate][i] : values[(row - 1) * self->probes.n + self->read_at[i]];
}

/* Sets a given node at both ends of the event engine's step. Free nodes are unchanged. */
static void
set_given_node (IfbamEventEngine *event, guint32 node)
{
  const double step = event->base.spec->step;
  IfbamMotion from, to;

  if (node < event->base.model->n_free)
    return;
  from = ifbam_event_motion (event, node, (double) event->step * step);
  to = ifbam_event_motion (event, node, (double) (event->step + 1) * step);
  event->nodes.x[node] = from.position;
  event->nodes.v[node] = from.rate;
  event->nodes.x1[node] = to.position;
  event->nodes.v1[node] = to.rate;
}

/* Evaluates the guards of inactive clusters in the cycle after a sample of the interval. Returns
 * whether one may be crossed. Side effect: sets `may_cross` in these clusters. */
static gboolean
find_possible_crossing (DualEngine *self, guint row)
{
  IfbamEventEngine *event = self->event;
  gboolean doubtful = FALSE;

  event->step = row_of (self) + row;
  for (gsize i = 0; i < self->n_read_nodes; i++)
    {
      const gsize node = self->read_nodes[i];
      double x, x1;

      if (cluster_at (self, self->read_node_cluster[i])->is_active)
        continue;
      x = read_value (self, FALSE, row, i);
      x1 = read_value (self, FALSE, row + 1, i);
      event->nodes.x[node] = x;
      event->nodes.v[node] = read_value (self, TRUE, row, i);
      event->nodes.x1[node] = x1;
      event->nodes.v1[node] =
          event->latency ? ifbam_event_backward_difference (
              event, x1, x, row == 0 ? self->before[0][i] : read_value (self, FALSE, row - 1, i))
                         : read_value (self, TRUE, row + 1, i);
    }
  for (guint i = 0; i < event->links.nodes->len; i++)
    set_given_node (event, g_array_index (event->links.nodes, guint32, i));
  if (event->step % IFBAM_MAGNITUDE_SAMPLES != 0)
    ifbam_event_update_thresholds (event);
  event->quiet = TRUE;
  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);

      for (guint k = 0; k < cluster->links->len && !cluster->is_active && !cluster->may_cross; k++)
        {
          ifbam_array_clear (event->candidates.found);
          ifbam_event_find_candidates (event, indices_of (cluster->links)[k]);
          cluster->may_cross =
              event->candidates.found->len > 0 || event->candidates.penetrating->len > 0;
          ifbam_array_clear (event->candidates.penetrating);
        }
      doubtful |= cluster->may_cross;
    }
  ifbam_array_clear (event->candidates.found);
  return doubtful;
}

/* Records crossings of inactive clusters' monitors in a cycle without possible crossings. */
static void
record_monitor_crossings (const DualEngine *self)
{
  for (guint i = 0; i < self->clusters->len; i++)
    {
      const Cluster *cluster = cluster_at (self, i);

      for (guint k = 0; k < cluster->monitors->len && !cluster->is_active; k++)
        ifbam_monitor_check_step (self->event, indices_of (cluster->monitors)[k]);
    }
}

/* Advancing */

/* Advances the active clusters by one cycle, and updates their event-free cycles. */
static void
step_active (DualEngine *self)
{
  IfbamEventEngine *event = self->event;

  ifbam_engine_advance (&event->base, 1, NULL);
  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);
      gboolean disturbed = FALSE;

      for (guint k = 0;
           k < cluster->components->len && cluster->is_active && !cluster->always_active; k++)
        {
          IfbamComponent *component = ifbam_component (event, indices_of (cluster->components)[k]);

          disturbed |= component->is_replaced;
          component->is_replaced = FALSE;
        }
      cluster->wait =
          disturbed ? cluster->required_free_cycles : cluster->wait - (cluster->wait > 0);
    }
}

/* Makes a sample of the interval the present step. */
static void
move_to_sample (DualEngine *self, guint row)
{
  for (gsize i = 0; i < self->n_read_nodes && row > 0; i++)
    {
      self->before[0][i] = read_value (self, FALSE, row - 1, i);
      for (gboolean rate = FALSE; rate <= TRUE; rate++)
        self->now[rate][i] = read_value (self, rate, row, i);
    }
  self->base.steps += row;
}

/* Updates all magnitude scales at the same steps as the event engine alone would. */
static void
update_magnitudes (DualEngine *self)
{
  IfbamEventEngine *event = self->event;

  if (row_of (self) % IFBAM_MAGNITUDE_SAMPLES != 0 || event->links.nodes->len == 0)
    return;
  event->step = row_of (self);
  ifbam_engine_get_nodes (self->tiles, 0, self->base.model->n_nodes, self->x, self->v);
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    if (ifbam_component (event, c)->is_inactive)
      FOR_RANGES (range, ifbam_component (event, c))
      {
        const gsize first = range->first, size = (range->last - first) * sizeof (double);

        memcpy (event->nodes.x + first, self->x + first, size);
        memcpy (event->nodes.v + first, self->v + first, size);
      }
  ifbam_event_set_given (event, IFBAM_NONE, ifbam_event_time (event), event->nodes.x,
                         event->nodes.v);
  ifbam_event_update_thresholds (event);
}

/* Advances both engines by `cycles` or to a possible crossing. Fills the caller's probes. */
static void
advance_both (DualEngine *self, guint cycles, const IfbamProbes *requested, guint64 began,
              gboolean spare)
{
  const gboolean watches = self->n_read_nodes > 0;
  const guint64 steps = self->base.steps;
  guint fine = 0;

  if (watches && steps - ifbam_state_steps (self->kept) >= MAX_INTERVAL)
    save_compiled_state (self);
  merge_probes (self, spare ? requested : NULL);
  ifbam_engine_advance (self->tiles, cycles, self->probes.n > 0 ? &self->probes : NULL);
  for (; fine < cycles && !(watches && find_possible_crossing (self, fine)); fine++)
    {
      if (watches)
        record_monitor_crossings (self);
      if (self->n_active > 0)
        step_active (self);
      ifbam_event_log_sort (self->event);
      if (spare)
        copy_probes (self, requested, began, steps + fine + 1, (gssize) fine);
    }
  move_to_sample (self, fine);
  if (!spare && fine == cycles)
    copy_probes (self, requested, began, self->base.steps, -1);
  self->interval = MIN (2 * self->interval, MAX_INTERVAL);
  if (fine == cycles)
    return;
  self->interval = FIRST_INTERVAL;
  ifbam_engine_restore_state (self->tiles, self->kept, ifbam_state_steps (self->kept));
  ifbam_engine_advance (self->tiles, self->base.steps - ifbam_state_steps (self->kept), NULL);
  activate (self);
}

/* Adds the scheduled events of the next cycles to their clusters' lists. Returns the number of
 * cycles before the first event that is not listed. */
static guint64
list_time_events (DualEngine *self)
{
  const IfbamEventEngine *event = self->event;
  const double far = (double) (row_of (self) + 2 * MAX_INTERVAL) * self->base.spec->step;
  const IfbamTimeEvent *time_event;

  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);

      while (cluster->next_time_event < cluster->time_events->len
             && indices_of (cluster->time_events)[cluster->next_time_event] < event->schedule.next)
        cluster->next_time_event++;
      if (cluster->next_time_event < REMOVED_BLOCK)
        continue;
      g_array_remove_range (cluster->time_events, 0, cluster->next_time_event);
      cluster->next_time_event = 0;
    }
  for (self->listed = MAX (self->listed, event->schedule.next);
       (time_event = ifbam_schedule_get (&event->schedule, self->listed)) != NULL; self->listed++)
    {
      const guint32 component = ifbam_time_event_component (event, time_event);

      if (time_event->time > far)
        return ifbam_schedule_count_free_steps (&event->schedule, self->listed, row_of (self));
      if (component != IFBAM_NONE)
        g_array_append_val (cluster_at (self, self->cluster_of[component])->time_events,
                            self->listed);
    }
  return G_MAXUINT64;
}

/* Returns the cycles before scheduled events of inactive clusters; if 0, sets *due and
 * `may_cross`. */
static guint64
count_free_cycles (DualEngine *self, gboolean *due)
{
  const IfbamEventEngine *event = self->event;
  guint64 cycles = list_time_events (self);

  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);
      const guint32 *time_events = indices_of (cluster->time_events);
      guint64 own;

      if (cluster->is_active || cluster->next_time_event == cluster->time_events->len)
        continue;
      own = ifbam_schedule_count_free_steps (&event->schedule,
                                             time_events[cluster->next_time_event], row_of (self));
      if (own > 0)
        cycles = MIN (cycles, own);
      else
        *due = cluster->may_cross = TRUE;
    }
  return cycles;
}

/* Returns the energy of unbatched links [J]; those that store energy are in active clusters. */
static double
stored_energy (DualEngine *self)
{
  IfbamExactSum sum;

  if (self->n_active == 0)
    return 0;
  ifbam_exact_sum_clear (&sum);
  ifbam_engine_add_stored (&self->event->base, &sum);
  return ifbam_exact_sum_round (&sum);
}

static double
check_energy (IfbamEngine *base)
{
  DualEngine *self = (DualEngine *) base;

  if (self->n_active > 0)
    write_compiled_state (self);
  return ifbam_engine_check_energy (self->tiles) + stored_energy (self);
}

/* Advances one cycle by the event engine alone. */
static void
advance_by_events (DualEngine *self, const IfbamProbes *requested, guint64 began)
{
  step_active (self);
  ifbam_event_log_sort (self->event);
  self->base.steps++;
  copy_probes (self, requested, began, self->base.steps, -1);
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *requested)
{
  DualEngine *self = (DualEngine *) base;
  const guint64 began = base->steps, end = began + steps;
  /* Few probes are recorded at all samples; with many, an interval ends at the caller's samples. */
  const gboolean spare =
      requested == NULL || requested->stride == 1 || requested->n <= MAX_DENSE_PROBES;

  if (steps > 0 && base->steps < ifbam_engine_lookahead (base->spec))
    {
      /* The first cycle only yields the initial sample. */
      ifbam_engine_advance (&self->event->base, 1, NULL);
      base->steps++;
      copy_probes (self, requested, began, base->steps, -1);
    }
  while (base->steps < end)
    {
      guint64 cycles;
      gboolean due = FALSE, passing;
      double aside = 0;

      deactivate (self);
      cycles = count_free_cycles (self, &due);
      if (due)
        activate (self);
      passing = base->passing.is_wanted && !self->all_active && self->tiles->passing.is_offered;
      if (base->passing.is_wanted && !passing)
        base->passing.energy = check_energy (base);
      base->passing.is_wanted = FALSE;
      if (self->all_active)
        {
          advance_by_events (self, requested, began);
          continue;
        }
      if (self->n_active > 0 && (passing || row_of (self) % IFBAM_MAGNITUDE_SAMPLES == 0))
        write_compiled_state (self);
      if (passing)
        aside = stored_energy (self);
      self->tiles->passing.is_wanted = passing;
      update_magnitudes (self);
      cycles = MIN (cycles, MIN (end - base->steps, self->interval));
      cycles = MIN (cycles, MAX_INTERVAL - row_of (self) % MAX_INTERVAL);
      if (!spare)
        cycles = MIN (cycles, requested->stride - row_of (self) % requested->stride);
      advance_both (self, (guint) cycles, requested, began, spare);
      if (passing)
        base->passing.energy = self->tiles->passing.energy + aside;
    }
  return base->log->failure == NULL;
}

/* Results */

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  DualEngine *self = (DualEngine *) base;

  if (self->all_active)
    {
      ifbam_engine_get_nodes (&self->event->base, first, last, position, rate);
      return;
    }
  ifbam_engine_get_nodes (self->tiles, first, last, position, rate);
  for (gsize i = MAX (first, base->model->n_free); i < last; i++)
    if (has_corners (self, i))
      ifbam_event_given_at_row (self->event, i, row_of (self), &position[i - first],
                                &rate[i - first]);
  for (gsize i = first; i < last && self->n_active > 0; i++)
    if (node_is_active (self, i))
      {
        position[i - first] = self->event->nodes.x[i];
        rate[i - first] = self->event->nodes.v[i];
      }
}

/* Copies the state of a link's inactive nodes to the event engine, which has the other ones. */
static void
copy_link_nodes (DualEngine *self, guint32 number)
{
  IfbamEventEngine *event = self->event;
  const IfbamLink *link = ifbam_link (event, number);

  for (guint e = 0; e < link->n_ports && !self->all_active; e++)
    if (!node_is_active (self, link->node[e]))
      get_nodes (&self->base, link->node[e], link->node[e] + 1, &event->nodes.x[link->node[e]],
                 &event->nodes.v[link->node[e]]);
}

/* Copies the state of an inactive node's component to the event engine. */
static void
copy_component (DualEngine *self, gsize node)
{
  IfbamEventEngine *event = self->event;
  const guint32 component = event->components.of_node[node];

  set_event_engine (self);
  if (component != IFBAM_NONE && ifbam_component (event, component)->is_inactive)
    FOR_RANGES (range, ifbam_component (event, component))
  ifbam_engine_get_nodes (self->tiles, range->first, range->last, event->nodes.x + range->first,
                          event->nodes.v + range->first);
}

static double
get (IfbamEngine *base, IfbamQuantity quantity, gsize index)
{
  DualEngine *self = (DualEngine *) base;

  if (quantity <= IFBAM_LINK_DISSIPATED)
    copy_link_nodes (self, (guint32) index);
  else if (quantity == IFBAM_NODE_ACCELERATION)
    copy_component (self, index);
  return ifbam_engine_get (&self->event->base, quantity, index);
}

/* Saved state: the event engine's, as if all clusters had always been active */

/* Copies positions of the step before, for components inactive since then (flip-flop schemes). */
static void
copy_earlier_positions (DualEngine *self)
{
  IfbamEventEngine *event = self->event;
  const guint64 steps = self->base.steps;
  const IfbamState *from = ifbam_state_steps (self->kept) < steps ? self->kept : self->older;
  g_autoptr (IfbamState) before = NULL;
  const double *earlier;
  gsize n;

  if (ifbam_state_steps (from) >= steps)
    return; /* all were active then */
  ifbam_engine_restore_state (self->tiles, from, ifbam_state_steps (from));
  ifbam_engine_advance (self->tiles, steps - 1 - ifbam_state_steps (from), NULL);
  before = ifbam_engine_save_state (self->tiles, NULL);
  ifbam_engine_restore_state (self->tiles, self->scratch, steps);
  earlier = ifbam_state_numbers (before, &n) + 2 * self->base.model->n_free;
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    {
      const IfbamComponent *component = ifbam_component (event, c);
      const guint32 cluster = self->cluster_of[c];

      if (!component->is_inactive
          || steps
                 == (cluster == IFBAM_NONE ? self->left
                                           : cluster_at (self, cluster)->inactive_since))
        continue;
      FOR_RANGES (range, component)
      memcpy (event->history.column[2] + range->first, earlier + range->first,
              (range->last - range->first) * sizeof (double));
    }
}

static GArray *
list_state (IfbamEngine *base, gboolean write)
{
  DualEngine *self = (DualEngine *) base;
  IfbamEventEngine *event = self->event;

  if (!self->all_active && !write)
    {
      const double *state = current_columns (self);

      set_event_engine (self);
      ifbam_engine_get_nodes (self->tiles, 0, base->model->n_free, self->x, self->v);
      for (guint32 c = 0; c + 1 < event->components.list->len; c++)
        if (ifbam_component (event, c)->is_inactive)
          ifbam_event_read_component (event, ifbam_component (event, c), self->x, self->v, state);
      if (event->latency)
        copy_earlier_positions (self);
    }
  return ifbam_engine_list_state (&event->base, write);
}

/* Activates all clusters. The compiled engine gets the state later. */
static void
activate_all (DualEngine *self, guint64 steps)
{
  IfbamEventEngine *event = self->event;

  self->base.steps = self->tiles->steps = steps;
  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);

      cluster->is_active = TRUE;
      cluster->may_cross = FALSE;
      cluster->required_free_cycles = cluster->wait =
          cluster->links->len + cluster->monitors->len > 0;
      cluster->next_time_event = 0;
      g_array_set_size (cluster->time_events, 0);
    }
  self->listed = 0;
  for (guint c = 0; c + 1 < event->components.list->len; c++)
    ifbam_component (event, c)->is_inactive = FALSE;
  ifbam_islands_update_whole (event);
  self->kept = ifbam_engine_save_state (self->tiles, self->kept);
  if (event->latency)
    self->older = ifbam_engine_save_state (self->tiles, self->older);
  self->all_active = self->starting = TRUE;
  self->n_active = self->clusters->len;
  self->interval = FIRST_INTERVAL;
}

static void
rebuild (IfbamEngine *base, guint64 steps)
{
  DualEngine *self = (DualEngine *) base;

  activate_all (self, steps);
  ifbam_engine_rebuild (&self->event->base, steps);
}

/* Construction */

static void
start (IfbamEngine *base)
{
  DualEngine *self = (DualEngine *) base;
  IfbamEventEngine *event = self->event;

  /* Work of given nodes on active constraints; all other work is integrated over samples. */
  if (base->account_level != IFBAM_ACCOUNT_NONE && ifbam_event_has_moving (event))
    event->base.account_level = IFBAM_ACCOUNT_SUPPLY;
  event->base.interrupt = base->interrupt;
  ifbam_engine_start (self->tiles);
  activate_all (self, 0);
  ifbam_engine_start (&event->base);
}

static void
engine_free (IfbamEngine *base)
{
  DualEngine *self = (DualEngine *) base;

  ifbam_engine_free (self->tiles);
  ifbam_engine_free ((IfbamEngine *) self->event);
  for (guint i = 0; i < self->clusters->len; i++)
    {
      g_array_unref (cluster_at (self, i)->components);
      g_array_unref (cluster_at (self, i)->links);
      g_array_unref (cluster_at (self, i)->monitors);
      g_array_unref (cluster_at (self, i)->time_events);
    }
  g_array_unref (self->clusters);
  g_free (self->cluster_of);
  ifbam_state_free (self->kept);
  ifbam_state_free (self->scratch);
  ifbam_state_free (self->older);
  g_free (self->x);
  g_free (self->v);
  g_free (self->read_nodes);
  g_free (self->read_node_cluster);
  g_free (self->read_at);
  g_free (self->requested_at);
  for (guint k = 0; k < 2; k++)
    {
      g_free (self->now[k]);
      g_free (self->before[k]);
    }
  g_free ((gpointer) self->probes.node);
  g_free (self->probes.position);
  g_free (self->probes.rate);
  g_free (self);
}

/* Returns the cluster of a component; creates it if there is none. */
static Cluster *
cluster_with (DualEngine *self, guint32 component)
{
  const guint32 root = self->event->clusters.root[component];

  if (self->cluster_of[root] == IFBAM_NONE)
    {
      Cluster cluster = { .components = g_array_new (FALSE, FALSE, sizeof (guint32)),
                          .links = g_array_new (FALSE, FALSE, sizeof (guint32)),
                          .monitors = g_array_new (FALSE, FALSE, sizeof (guint32)),
                          .time_events = g_array_new (FALSE, FALSE, sizeof (guint32)) };

      self->cluster_of[root] = self->clusters->len;
      g_array_append_val (self->clusters, cluster);
    }
  return cluster_at (self, self->cluster_of[root]);
}

static const IfbamSwitchedElement *
switched_at (const IfbamModel *model, guint i)
{
  return &g_array_index (model->switched_elements, IfbamSwitchedElement, i);
}

static const IfbamScaledSource *
scaled_source_at (const IfbamModel *model, guint i)
{
  return &g_array_index (model->scaled_sources, IfbamScaledSource, i);
}

static guint32
switched_component (const IfbamEventEngine *event, const IfbamSwitchedElement *switched_element)
{
  return switched_element->kind == IFBAM_TIME_EVENT_EDGE
             ? event->components.of_node[event->base.model->source_node[switched_element->number]]
             : ifbam_event_link_component (event, switched_element->number);
}

/* Finds all clusters, with their components, links and monitors. */
static void
find_clusters (DualEngine *self)
{
  const IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const guint32 n = event->components.list->len - 1;
  const GArray *given[] = { model->time_events, model->recurrent };

  self->cluster_of = g_new (guint32, n + 1);
  for (guint32 c = 0; c < n; c++)
    self->cluster_of[c] = IFBAM_NONE;
  for (guint i = 0; i < model->switched_elements->len; i++)
    if (switched_at (model, i)->kind == IFBAM_TIME_EVENT_EDGE)
      cluster_with (self, switched_component (event, switched_at (model, i)))->always_active = TRUE;
  for (guint i = 0; i < model->scaled_sources->len; i++)
    cluster_with (self, ifbam_event_link_component (event, scaled_source_at (model, i)->controller))
        ->always_active = TRUE;
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    if (ifbam_event_link_component (event, j) != IFBAM_NONE)
      {
        Cluster *cluster = cluster_with (self, ifbam_event_link_component (event, j));

        g_array_append_vals (event->monitors.is_passive[j] ? cluster->monitors : cluster->links, &j,
                             1);
        cluster->always_active |= ifbam_link (event, j)->law->force != NULL;
      }
  for (guint k = 0; k < G_N_ELEMENTS (given); k++)
    for (guint i = 0; i < given[k]->len; i++)
      {
        const guint32 component =
            ifbam_time_event_component (event, &g_array_index (given[k], IfbamTimeEvent, i));

        if (component != IFBAM_NONE)
          cluster_with (self, component);
      }
  for (guint32 c = 0; c < n; c++)
    {
      const IfbamComponent *component = ifbam_component (event, c);
      Cluster *cluster;

      if (self->cluster_of[event->clusters.root[c]] == IFBAM_NONE)
        continue;
      cluster = cluster_with (self, c);
      g_array_append_val (cluster->components, c);
      FOR_RANGES (range, component)
      cluster->n_nodes += range->last - range->first;
      for (gsize s = component->links; s < component->links + component->n_links; s++)
        cluster->n_links +=
            ifbam_index_range (event, s)->last - ifbam_index_range (event, s)->first;
    }
  for (guint32 c = 0; c < n; c++)
    self->cluster_of[c] = self->cluster_of[event->clusters.root[c]];
  for (guint i = 0; i < self->clusters->len; i++)
    {
      Cluster *cluster = cluster_at (self, i);

      cluster->always_active |=
          cluster->links->len > 0
          && (cluster->n_nodes < MIN_NODES || cluster->n_links < cluster->links->len);
    }
}

/* Returns whether controllers can affect all clusters, by given nodes or additional events. */
static gboolean
controllers_affect_all (const IfbamModel *model)
{
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    if (ifbam_model_is_pulsing (model, j))
      return TRUE;
  return ifbam_model_is_scaled (model);
}

/* Returns whether the compiled engine gets enough nodes to be faster. */
static gboolean
is_faster (const DualEngine *self)
{
  gsize nodes = self->base.model->n_free;

  for (guint i = 0; i < self->clusters->len; i++)
    if (cluster_at (self, i)->always_active)
      nodes -= cluster_at (self, i)->n_nodes;
  return nodes >= MIN_NODES && self->base.model->n_links > 0;
}

static void
find_read_nodes (DualEngine *self)
{
  const IfbamEventEngine *event = self->event;
  gsize n = 0;

  self->read_nodes = g_new (gsize, event->links.nodes->len + 1);
  self->read_node_cluster = g_new (guint32, event->links.nodes->len + 1);
  for (guint i = 0; i < event->links.nodes->len; i++)
    {
      const guint32 node = g_array_index (event->links.nodes, guint32, i);
      const guint32 component = event->components.of_node[node];

      if (component == IFBAM_NONE || cluster_at (self, self->cluster_of[component])->always_active)
        continue;
      self->read_node_cluster[n] = self->cluster_of[component];
      self->read_nodes[n++] = node;
    }
  self->n_read_nodes = n;
  self->read_at = g_new (gsize, n + 1);
  for (guint k = 0; k < 2; k++)
    {
      self->now[k] = g_new0 (double, n + 1);
      self->before[k] = g_new0 (double, n + 1);
    }
  self->probes.node = g_new (gsize, n + 1);
  self->probes.position = g_new (double, n *MAX_INTERVAL + 1);
  self->probes.rate = g_new (double, n *MAX_INTERVAL + 1);
}

static const IfbamEngineClass dual_class = {
  .start = start,
  .advance = advance,
  .get_nodes = get_nodes,
  .get = get,
  .check_energy = check_energy,
  .list_state = IFBAM_PRINTED (list_state), /* unused in WebAssembly builds */
  .rebuild = IFBAM_PRINTED (rebuild),
  .free = engine_free,
};

IfbamEngine *
ifbam_dual_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  DualEngine *self;

  /* The compiled engine has no implicit schemes, and needs lists of the events many steps ahead. */
  if (ifbam_scheme_tableau (spec->scheme) != NULL || controllers_affect_all (model)
      || ifbam_model_time_events_per_step (model, spec->step) > MAX_PERIODIC_EVENTS)
    return ifbam_event_engine_new (model, spec, FALSE);
  self = g_new0 (DualEngine, 1);
  self->base = (IfbamEngine){ .class = &dual_class,
                              .model = model,
                              .spec = spec,
                              .records_probes = TRUE,
                              .books = IFBAM_BOOKS_EVENTS };
  self->event = (IfbamEventEngine *) ifbam_event_engine_new (model, spec, FALSE);
  self->base.log = self->event->base.log;
  self->clusters = g_array_new (FALSE, FALSE, sizeof (Cluster));
  find_clusters (self);
  ifbam_event_log_defer (self->event, TRUE);
  /* The event engine alone is faster if it has to advance most nodes. */
  if (!is_faster (self))
    {
      IfbamEngine *event = &self->event->base;

      ifbam_event_log_defer (self->event, FALSE);
      self->event = NULL;
      engine_free (&self->base);
      return event;
    }
  self->tiles = ifbam_compiled_engine_new (model, spec, threads);
  self->base.numbers = self->tiles->numbers;
  self->base.passing.is_offered = self->tiles->passing.is_offered;
  self->x = g_new (double, model->n_nodes + 1);
  self->v = g_new (double, model->n_nodes + 1);
  find_read_nodes (self);
  return &self->base;
}

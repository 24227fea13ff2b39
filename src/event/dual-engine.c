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
#include "event/clusters.h"
#include "event/dual-probes.h"
#include "event/dual-transfer.h"
#include "event/event-candidates.h"
#include "event/event-log.h"
#include "event/forces.h"
#include "event/islands.h"
#include "event/state-transfer.h"
#include "model/model.h"

/* Cycles of an interval of the compiled engine after an event. */
#define FIRST_INTERVAL 4
/* With more probes, an interval ends at a sample of the caller, so that no other is recorded. */
#define MAX_DENSE_PROBES 64
/* Scheduled events are removed from lists in blocks of this size. */
#define REMOVED_BLOCK 4096
/* Most periodic scheduled events per step for which the compiled engine is used. */
#define MAX_PERIODIC_EVENTS 1000

/* Advances the active clusters by one cycle, and updates their event-free cycles. */
static void
step_active (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;

  ifbam_engine_advance (&event->base, 1, NULL);
  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);
      gboolean disturbed = FALSE;

      for (guint k = 0;
           k < cluster->components->len && cluster->is_active && !cluster->always_active; k++)
        {
          IfbamComponent *component =
              ifbam_component (event, ifbam_dual_indices (cluster->components)[k]);

          disturbed |= component->is_replaced;
          component->is_replaced = FALSE;
        }
      cluster->wait =
          disturbed ? cluster->required_free_cycles : cluster->wait - (cluster->wait > 0);
    }
}

/* Makes a sample of the interval the present step. */
static void
move_to_sample (IfbamDualEngine *self, guint row)
{
  for (gsize i = 0; i < self->n_read_nodes && row > 0; i++)
    {
      self->before[0][i] = ifbam_dual_read_value (self, FALSE, row - 1, i);
      for (gboolean rate = FALSE; rate <= TRUE; rate++)
        self->now[rate][i] = ifbam_dual_read_value (self, rate, row, i);
    }
  self->base.steps += row;
}

/* Updates all magnitude scales at the same steps as the event engine alone would. */
static void
update_magnitudes (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;

  if (ifbam_dual_row (self) % IFBAM_MAGNITUDE_SAMPLES != 0 || event->links.nodes->len == 0)
    return;
  event->step = ifbam_dual_row (self);
  ifbam_engine_get_nodes (self->tiles, 0, self->base.model->n_nodes, self->x, self->v);
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    if (ifbam_component (event, c)->is_inactive)
      IFBAM_DUAL_FOR_RANGES (self, range, ifbam_component (event, c))
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
advance_both (IfbamDualEngine *self, guint cycles, const IfbamProbes *requested, guint64 began,
              gboolean spare)
{
  const gboolean watches = self->n_read_nodes > 0;
  const guint64 steps = self->base.steps;
  guint fine = 0;

  if (watches && steps - ifbam_state_steps (self->kept) >= IFBAM_DUAL_MAX_INTERVAL)
    ifbam_dual_save_state (self);
  ifbam_dual_merge_probes (self, spare ? requested : NULL);
  ifbam_engine_advance (self->tiles, cycles, self->probes.n > 0 ? &self->probes : NULL);
  for (; fine < cycles && !(watches && ifbam_dual_find_crossing (self, fine)); fine++)
    {
      if (watches)
        ifbam_dual_record_monitors (self);
      if (self->n_active > 0)
        step_active (self);
      ifbam_event_log_sort (self->event);
      if (spare)
        ifbam_dual_copy_probes (self, requested, began, steps + fine + 1, (gssize) fine);
    }
  move_to_sample (self, fine);
  if (!spare && fine == cycles)
    ifbam_dual_copy_probes (self, requested, began, self->base.steps, -1);
  self->interval = MIN (2 * self->interval, IFBAM_DUAL_MAX_INTERVAL);
  if (fine == cycles)
    return;
  self->interval = FIRST_INTERVAL;
  ifbam_engine_restore_state (self->tiles, self->kept, ifbam_state_steps (self->kept));
  ifbam_engine_advance (self->tiles, self->base.steps - ifbam_state_steps (self->kept), NULL);
  ifbam_dual_activate (self);
}

/* Adds the scheduled events of the next cycles to their clusters' lists. Returns the number of
 * cycles before the first event that is not listed. */
static guint64
list_time_events (IfbamDualEngine *self)
{
  const IfbamEventEngine *event = self->event;
  const double far =
      (double) (ifbam_dual_row (self) + 2 * IFBAM_DUAL_MAX_INTERVAL) * self->base.spec->step;
  const IfbamTimeEvent *time_event;

  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

      while (cluster->next_time_event < cluster->time_events->len
             && ifbam_dual_indices (cluster->time_events)[cluster->next_time_event]
                    < event->schedule.next)
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
        return ifbam_schedule_count_free_steps (&event->schedule, self->listed,
                                                ifbam_dual_row (self));
      if (component != IFBAM_NONE)
        g_array_append_val (ifbam_dual_cluster (self, self->cluster_of[component])->time_events,
                            self->listed);
    }
  return G_MAXUINT64;
}

/* Returns the cycles before scheduled events of inactive clusters; if 0, sets *due and
 * `may_cross`. */
static guint64
count_free_cycles (IfbamDualEngine *self, gboolean *due)
{
  const IfbamEventEngine *event = self->event;
  guint64 cycles = list_time_events (self);

  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);
      const guint32 *time_events = ifbam_dual_indices (cluster->time_events);
      guint64 own;

      if (cluster->is_active || cluster->next_time_event == cluster->time_events->len)
        continue;
      own = ifbam_schedule_count_free_steps (
          &event->schedule, time_events[cluster->next_time_event], ifbam_dual_row (self));
      if (own > 0)
        cycles = MIN (cycles, own);
      else
        *due = cluster->may_cross = TRUE;
    }
  return cycles;
}

/* Returns the energy of unbatched links [J]; those that store energy are in active clusters. */
static double
stored_energy (IfbamDualEngine *self)
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
  IfbamDualEngine *self = (IfbamDualEngine *) base;

  if (self->n_active > 0)
    ifbam_dual_write_state (self);
  return ifbam_engine_check_energy (self->tiles) + stored_energy (self);
}

/* Advances one cycle by the event engine alone. */
static void
advance_by_events (IfbamDualEngine *self, const IfbamProbes *requested, guint64 began)
{
  step_active (self);
  ifbam_event_log_sort (self->event);
  self->base.steps++;
  ifbam_dual_copy_probes (self, requested, began, self->base.steps, -1);
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *requested)
{
  IfbamDualEngine *self = (IfbamDualEngine *) base;
  const guint64 began = base->steps, end = began + steps;
  /* Few probes are recorded at all samples; with many, an interval ends at the caller's samples. */
  const gboolean spare =
      requested == NULL || requested->stride == 1 || requested->n <= MAX_DENSE_PROBES;

  if (steps > 0 && base->steps < ifbam_engine_lookahead (base->spec))
    {
      /* The first cycle only yields the initial sample. */
      ifbam_engine_advance (&self->event->base, 1, NULL);
      base->steps++;
      ifbam_dual_copy_probes (self, requested, began, base->steps, -1);
    }
  while (base->steps < end)
    {
      guint64 cycles;
      gboolean due = FALSE, passing;
      double aside = 0;

      ifbam_dual_deactivate (self);
      cycles = count_free_cycles (self, &due);
      if (due)
        ifbam_dual_activate (self);
      passing = base->passing.is_wanted && !self->all_active && self->tiles->passing.is_offered;
      if (base->passing.is_wanted && !passing)
        base->passing.energy = check_energy (base);
      base->passing.is_wanted = FALSE;
      if (self->all_active)
        {
          advance_by_events (self, requested, began);
          continue;
        }
      if (self->n_active > 0 && (passing || ifbam_dual_row (self) % IFBAM_MAGNITUDE_SAMPLES == 0))
        ifbam_dual_write_state (self);
      if (passing)
        aside = stored_energy (self);
      self->tiles->passing.is_wanted = passing;
      update_magnitudes (self);
      cycles = MIN (cycles, MIN (end - base->steps, self->interval));
      cycles =
          MIN (cycles, IFBAM_DUAL_MAX_INTERVAL - ifbam_dual_row (self) % IFBAM_DUAL_MAX_INTERVAL);
      if (!spare)
        cycles = MIN (cycles, requested->stride - ifbam_dual_row (self) % requested->stride);
      advance_both (self, (guint) cycles, requested, began, spare);
      if (passing)
        base->passing.energy = self->tiles->passing.energy + aside;
    }
  return base->log->failure == NULL;
}

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  IfbamDualEngine *self = (IfbamDualEngine *) base;

  if (self->all_active)
    {
      ifbam_engine_get_nodes (&self->event->base, first, last, position, rate);
      return;
    }
  ifbam_engine_get_nodes (self->tiles, first, last, position, rate);
  for (gsize i = MAX (first, base->model->n_free); i < last; i++)
    if (ifbam_dual_has_corners (self, i))
      ifbam_event_given_at_row (self->event, i, ifbam_dual_row (self), &position[i - first],
                                &rate[i - first]);
  for (gsize i = first; i < last && self->n_active > 0; i++)
    if (ifbam_dual_node_is_active (self, i))
      {
        position[i - first] = self->event->nodes.x[i];
        rate[i - first] = self->event->nodes.v[i];
      }
}

/* Copies the state of a link's inactive nodes to the event engine, which has the other ones. */
static void
copy_link_nodes (IfbamDualEngine *self, guint32 number)
{
  IfbamEventEngine *event = self->event;
  const IfbamLink *link = ifbam_link (event, number);

  for (guint e = 0; e < link->n_ports && !self->all_active; e++)
    if (!ifbam_dual_node_is_active (self, link->node[e]))
      get_nodes (&self->base, link->node[e], link->node[e] + 1, &event->nodes.x[link->node[e]],
                 &event->nodes.v[link->node[e]]);
}

/* Copies the state of an inactive node's component to the event engine. */
static void
copy_component (IfbamDualEngine *self, gsize node)
{
  IfbamEventEngine *event = self->event;
  const guint32 component = event->components.of_node[node];

  ifbam_dual_set_event_engine (self);
  if (component != IFBAM_NONE && ifbam_component (event, component)->is_inactive)
    IFBAM_DUAL_FOR_RANGES (self, range, ifbam_component (event, component))
  ifbam_engine_get_nodes (self->tiles, range->first, range->last, event->nodes.x + range->first,
                          event->nodes.v + range->first);
}

static double
get (IfbamEngine *base, IfbamQuantity quantity, gsize index)
{
  IfbamDualEngine *self = (IfbamDualEngine *) base;

  if (quantity <= IFBAM_LINK_DISSIPATED)
    copy_link_nodes (self, (guint32) index);
  else if (quantity == IFBAM_NODE_ACCELERATION)
    copy_component (self, index);
  return ifbam_engine_get (&self->event->base, quantity, index);
}

/* Copies positions of the step before, for components inactive since then (flip-flop schemes). */
static void
copy_earlier_positions (IfbamDualEngine *self)
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
                                           : ifbam_dual_cluster (self, cluster)->inactive_since))
        continue;
      IFBAM_DUAL_FOR_RANGES (self, range, component)
      memcpy (event->history.column[2] + range->first, earlier + range->first,
              (range->last - range->first) * sizeof (double));
    }
}

static GArray *
list_state (IfbamEngine *base, gboolean write)
{
  IfbamDualEngine *self = (IfbamDualEngine *) base;
  IfbamEventEngine *event = self->event;

  if (!self->all_active && !write)
    {
      const double *state = ifbam_dual_columns (self);

      ifbam_dual_set_event_engine (self);
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
activate_all (IfbamDualEngine *self, guint64 steps)
{
  IfbamEventEngine *event = self->event;

  self->base.steps = self->tiles->steps = steps;
  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

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
  IfbamDualEngine *self = (IfbamDualEngine *) base;

  activate_all (self, steps);
  ifbam_engine_rebuild (&self->event->base, steps);
}

static void
start (IfbamEngine *base)
{
  IfbamDualEngine *self = (IfbamDualEngine *) base;
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
  IfbamDualEngine *self = (IfbamDualEngine *) base;

  ifbam_engine_free (self->tiles);
  ifbam_engine_free ((IfbamEngine *) self->event);
  for (guint i = 0; i < self->clusters->len; i++)
    {
      g_array_unref (ifbam_dual_cluster (self, i)->components);
      g_array_unref (ifbam_dual_cluster (self, i)->links);
      g_array_unref (ifbam_dual_cluster (self, i)->monitors);
      g_array_unref (ifbam_dual_cluster (self, i)->time_events);
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

/* Returns whether controllers can affect all clusters, by given nodes or additional events. */
static gboolean
controllers_affect_all (const IfbamModel *model)
{
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    if (ifbam_model_is_pulsing (model, j))
      return TRUE;
  return ifbam_model_is_scaled (model);
}

IfbamEngine *
ifbam_dual_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  IfbamDualEngine *self;

  /* The compiled engine has no implicit schemes, and needs lists of the events many steps ahead. */
  if (ifbam_scheme_tableau (spec->scheme) != NULL || controllers_affect_all (model)
      || ifbam_model_time_events_per_step (model, spec->step) > MAX_PERIODIC_EVENTS)
    return ifbam_event_engine_new (model, spec, FALSE);
  self = g_new0 (IfbamDualEngine, 1);
  self->base = (IfbamEngine){ .class = &dual_class,
                              .model = model,
                              .spec = spec,
                              .records_probes = TRUE,
                              .books = IFBAM_BOOKS_EVENTS };
  self->event = (IfbamEventEngine *) ifbam_event_engine_new (model, spec, FALSE);
  self->base.log = self->event->base.log;
  self->clusters = g_array_new (FALSE, FALSE, sizeof (IfbamDualCluster));
  ifbam_dual_find_clusters (self);
  ifbam_event_log_defer (self->event, TRUE);
  /* The event engine alone is faster if it has to advance most nodes. */
  if (!ifbam_dual_is_faster (self))
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
  ifbam_dual_find_read_nodes (self);
  return &self->base;
}

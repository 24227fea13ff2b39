/* dual-transfer.c: transfer of clusters between the compiled and the event engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/dual-transfer.h"

#include "event/constraint-reactions.h"
#include "event/islands.h"
#include "event/state-transfer.h"

/* Fewest inactive steps worth both transfers; most event-free cycles before deactivation. */
#define MIN_INACTIVE_STEPS 32
#define MAX_FREE_CYCLES    64

double *
ifbam_dual_save_state (IfbamDualEngine *self)
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

void
ifbam_dual_write_state (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;
  double *kept;

  self->tiles->steps = self->base.steps;
  kept = ifbam_dual_save_state (self);
  if (self->base.spec->scheme->stage_time[0] > 0)
    ifbam_event_accelerations (event, IFBAM_NONE, event->nodes.x, event->nodes.v,
                               ifbam_event_time (event), FALSE);
  if (self->all_active)
    ifbam_event_write_component (event, ifbam_component (event, event->components.list->len - 1),
                                 kept);
  for (guint i = 0; i < self->clusters->len && !self->all_active; i++)
    {
      const IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

      for (guint k = 0; k < cluster->components->len && cluster->is_active; k++)
        ifbam_event_write_component (
            event, ifbam_component (event, ifbam_dual_indices (cluster->components)[k]), kept);
    }
  ifbam_engine_restore_state (self->tiles, self->kept, self->base.steps);
}

/* Updates counts and flags after a change of the set of active clusters. */
static void
count_active (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;

  self->n_active = 0;
  self->all_active = TRUE;
  for (guint i = 0; i < self->clusters->len; i++)
    self->n_active += ifbam_dual_cluster (self, i)->is_active;
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    {
      const guint32 cluster = self->cluster_of[c];

      ifbam_component (event, c)->is_inactive =
          cluster == IFBAM_NONE || !ifbam_dual_cluster (self, cluster)->is_active;
      self->all_active &= !ifbam_component (event, c)->is_inactive;
    }
  ifbam_islands_update_whole (event);
}

void
ifbam_dual_set_event_engine (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;

  event->at_rest = FALSE;
  if (self->n_active > 0)
    return;
  ifbam_event_set_step (event, self->base.steps);
}

const double *
ifbam_dual_columns (IfbamDualEngine *self)
{
  gsize n;

  if (!self->event->latency && ifbam_scheme_carried_acceleration (self->event->scheme) == 0)
    return NULL;
  self->scratch = ifbam_engine_save_state (self->tiles, self->scratch);
  return ifbam_state_numbers (self->scratch, &n);
}

void
ifbam_dual_activate (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const double *state;

  ifbam_dual_set_event_engine (self);
  ifbam_engine_get_nodes (self->tiles, 0, model->n_free, self->x, self->v);
  state = ifbam_dual_columns (self);
  for (gsize i = 0; i < self->n_read_nodes && event->latency; i++)
    if (ifbam_dual_cluster (self, self->read_node_cluster[i])->may_cross)
      event->history.column[2][self->read_nodes[i]] = self->before[0][i];
  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

      if (!cluster->may_cross)
        continue;
      for (guint k = 0; k < cluster->components->len; k++)
        ifbam_event_read_component (
            event, ifbam_component (event, ifbam_dual_indices (cluster->components)[k]), self->x,
            self->v, state);
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
can_deactivate (const IfbamDualEngine *self, const IfbamDualCluster *cluster)
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
    if (event->links.state[ifbam_dual_indices (cluster->monitors)[k]].starts_at_threshold)
      return FALSE;
  for (guint k = 0; k < cluster->links->len; k++)
    {
      const guint32 number = ifbam_dual_indices (cluster->links)[k];
      const IfbamConstraint relation = ifbam_link_constraint (event, number);

      if (event->links.state[number].starts_at_threshold
          || ifbam_constraint_is_active (&relation, event->links.state[number].mode))
        return FALSE;
    }
  return TRUE;
}

void
ifbam_dual_deactivate (IfbamDualEngine *self)
{
  IfbamEventEngine *event = self->event;
  gboolean any = self->starting;

  for (guint i = 0; i < self->clusters->len && self->n_active > 0; i++)
    any |= can_deactivate (self, ifbam_dual_cluster (self, i));
  if (!any)
    return;
  ifbam_dual_write_state (self);
  for (guint i = 0; i < self->clusters->len; i++)
    if (can_deactivate (self, ifbam_dual_cluster (self, i)))
      {
        ifbam_dual_cluster (self, i)->is_active = FALSE;
        ifbam_dual_cluster (self, i)->inactive_since = self->base.steps;
      }
  for (gsize i = 0; i < self->n_read_nodes; i++)
    {
      const IfbamDualCluster *cluster = ifbam_dual_cluster (self, self->read_node_cluster[i]);

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

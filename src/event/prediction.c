/* prediction.c: prediction of islands to the end of a step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/prediction.h"

#include "event/constraint-projection.h"
#include "event/event-candidates.h"
#include "event/event-engine-internal.h"
#include "event/forces.h"
#include "event/island-step.h"
#include "event/slip-direction.h"
#include "event/step-size-control.h"
#include "event/event-links.h"
#include "event/monitors.h"

void
ifbam_event_find_island_candidates (IfbamEventEngine *self, guint32 island)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, unbatched)
  ifbam_event_find_candidates (self, *link);
}

/* Marks an island's predicted motion as changed, for monitors and the dual engine. */
static void
mark_changed (IfbamEventEngine *self, const IfbamIsland *island)
{
  ifbam_monitors_outdate (&self->monitors);
  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    ifbam_component (self, c)->is_replaced = TRUE;
}

void
ifbam_event_predict (IfbamEventEngine *self, guint32 index)
{
  IfbamIsland *island = ifbam_island (self, index);
  const double step = self->base.spec->step;

  if (self->adaptive != NULL)
    {
      ifbam_adaptive_begin_step (self, index);
      mark_changed (self, island);
      return;
    }
  ifbam_event_update_slip_directions (self, index);
  if (step - island->time > 4 * DBL_EPSILON * step)
    ifbam_event_step (self, index, self->restart_scheme, island->time, step - island->time,
                      self->nodes.x, self->nodes.v, self->nodes.x1, self->nodes.v1,
                      self->account.is_kept);
  else
    {
      island->time = step;
      ifbam_event_copy_nodes (self, index, self->nodes.x, self->nodes.x1);
      ifbam_event_copy_nodes (self, index, self->nodes.v, self->nodes.v1);
      ifbam_event_copy_nodes (self, index, self->nodes.a, self->nodes.a1);
    }
  island->until = step;
  mark_changed (self, island);
}

void
ifbam_event_predict_affected (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->islands.affected->len; i++)
    ifbam_event_predict (self, g_array_index (self->islands.affected, guint32, i));
  for (guint i = 0; i < self->islands.affected->len; i++)
    {
      guint32 index = g_array_index (self->islands.affected, guint32, i);

      ifbam_event_find_island_candidates (self, index);
      ifbam_event_find_reaction_candidates (self, index);
    }
  ifbam_array_clear (self->islands.affected);
}

/* Predicts a cluster by the restart scheme: first-order predictions are too far from its steps. */
static void
restart_cluster (IfbamEventEngine *self, guint32 cluster)
{
  const GArray *components = self->clusters.list[cluster].components;

  for (guint i = 0; i < components->len; i++)
    {
      const guint32 index = ifbam_component (self, g_array_index (components, guint32, i))->island;

      if (ifbam_island (self, index)->uses_restart)
        continue;
      ifbam_island (self, index)->uses_restart = TRUE;
      g_array_append_val (self->islands.affected, index);
    }
  ifbam_event_predict_affected (self);
}

gboolean
ifbam_event_restart_islands (IfbamEventEngine *self, guint32 link)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, link, islands);

  for (guint k = 0; k < n && self->restart_scheme != self->scheme; k++)
    if (!ifbam_island (self, islands[k])->uses_restart)
      {
        if (!self->latency)
          {
            restart_cluster (self, self->clusters.of_link[link]);
            return TRUE;
          }
        ifbam_island (self, islands[k])->uses_restart = TRUE;
        g_array_append_val (self->islands.affected, islands[k]);
      }
  if (self->islands.affected->len == 0)
    return FALSE;
  ifbam_event_predict_affected (self);
  return TRUE;
}

void
ifbam_event_restart_sliding (IfbamEventEngine *self)
{
  for (guint32 j = 0;
       j < self->base.model->unbatched_links->len && self->latency && self->links.aimed != NULL;
       j++)
    {
      guint32 islands[IFBAM_MAX_PORTS];

      if (!ifbam_link (self, j)->leads || ifbam_friction_direction (self->links.state[j].mode) == 0
          || isnan (self->links.state[j].slip_direction[0]))
        continue;
      ifbam_event_link_islands (self, j, islands);
      if (ifbam_island (self, islands[0])->uses_restart)
        continue;
      ifbam_island (self, islands[0])->uses_restart = TRUE;
      g_array_append_val (self->islands.affected, islands[0]);
    }
  ifbam_event_predict_affected (self);
}

void
ifbam_event_predict_all (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  if (!self->latency && self->is_manual && ifbam_scheme_tableau (self->scheme) == NULL)
    return;
  if (!self->latency)
    {
      ifbam_event_step (self, IFBAM_NONE, self->scheme, 0, step, self->nodes.x, self->nodes.v,
                        self->nodes.x1, self->nodes.v1, self->account.is_kept);
      return;
    }
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    {
      self->nodes.x1[i] = self->history.next[0][i];
      self->nodes.v1[i] = ifbam_event_backward_difference (
          self, self->history.next[0][i], self->history.column[0][i], self->history.column[2][i]);
      ifbam_event_set_evaluator_node (self, (guint32) i, self->nodes.x1, self->nodes.v1);
    }
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time_at (self, step), self->nodes.x1,
                         self->nodes.v1);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_project (self, ifbam_constrained_island (self, i), self->nodes.x1, self->nodes.v1,
                         step, FALSE);
}

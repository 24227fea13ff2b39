/* advance-islands.c: advance of islands to an event time, and links that take part in the event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/advance-islands.h"

#include "event/forces.h"
#include "event/adaptive-steps.h"
#include "event/event-context.h"
#include "event/island-step.h"
#include "event/event-links.h"
#include "event/step-work.h"

void
ifbam_event_advance_island (IfbamEventEngine *self, guint32 index, double time)
{
  IfbamIsland *island = ifbam_island (self, index);

  if (island->affected)
    return;
  if (self->adaptive != NULL && island->time < time && island->until == time)
    ifbam_adaptive_end_step (self, index);
  if (island->time < time)
    {
      ifbam_event_step (self, index, self->restart_scheme, island->time, time - island->time,
                        self->nodes.x, self->nodes.v, self->nodes.xt, self->nodes.vt, TRUE);
      if (self->adaptive != NULL)
        ifbam_adaptive_book (self, index);
      else
        ifbam_event_book (self, index);
      ifbam_event_copy_nodes (self, index, self->nodes.xt, self->nodes.x);
      ifbam_event_copy_nodes (self, index, self->nodes.vt, self->nodes.v);
      island->time = time;
      island->uses_restart = TRUE;
    }
  ifbam_event_set_given (self, index, ifbam_event_time_at (self, time), self->nodes.x,
                         self->nodes.v);
  ifbam_event_discard_accelerations (self, index);
  island->affected = TRUE;
  g_array_append_val (self->islands.affected, index);
}

double
ifbam_link_inverse_mass (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    sum += self->links.state[index].row[e] * self->links.state[index].row[e]
           * self->nodes.inverse_mass[link->node[e]];
  return sum;
}

void
ifbam_event_advance_ends (IfbamEventEngine *self, guint32 index, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);

  for (guint k = 0; k < n; k++)
    ifbam_event_advance_island (self, islands[k], time);
}

gboolean
ifbam_link_is_touching (IfbamEventEngine *self, guint32 index)
{
  const IfbamEventLink *part = ifbam_event_context_find (self->context, index);
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  double delta;

  if (constraint.kind != IFBAM_CONSTRAINT_CONTACT
      || ifbam_constraint_is_active (&constraint, self->links.state[index].mode)
      || (part != NULL && part->counts_as_touching))
    return TRUE;
  ifbam_link_rate (self, index, &delta);
  return constraint.gap - delta <= 4 * ifbam_event_magnitudes (self, index)->position_threshold;
}

void
ifbam_event_add_link (IfbamEventEngine *self, guint32 index, double time, gboolean fired)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  IfbamEventLink *part = ifbam_event_context_find (self->context, index);
  double delta;

  if ((part != NULL && part->participates) || constraint.kind == IFBAM_CONSTRAINT_NONE
      || constraint.kind == IFBAM_CONSTRAINT_FRICTION)
    return;
  if (!ifbam_constraint_is_active (&constraint, self->links.state[index].mode) && !fired)
    {
      const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, index);
      double rate = ifbam_link_estimate (self, index, time, &delta);

      if (constraint.kind == IFBAM_CONSTRAINT_CONTACT
              ? constraint.gap - delta
                    > IFBAM_NEAR_RATIO * scale->position + 4 * scale->position_threshold
              : rate < -IFBAM_NEAR_RATIO * scale->rate)
        return;
    }
  ifbam_event_advance_ends (self, index, time);
  if (!fired && !ifbam_link_is_touching (self, index))
    return;
  part = ifbam_event_context_get (self->context, index);
  part->participates = TRUE;
  part->n_impacts = 0;
  part->impulse = 0;
  part->log_entry = 0;
  g_array_append_val (self->context->participants, index);
}

void
ifbam_event_add_node_links (IfbamEventEngine *self, guint32 node, double time)
{
  for (guint32 p = self->links.node_start[node]; p < self->links.node_start[node + 1]; p++)
    ifbam_event_add_link (self, ifbam_endpoint_link (self->links.node_ends[p]), time, FALSE);
}

double
ifbam_link_acceleration (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    sum += self->links.state[index].row[e] * self->nodes.acceleration[link->node[e]];
  if (link->geometry->velocity_term != NULL)
    {
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];

      for (guint e = 0; e < link->n_ports; e++)
        {
          x[e] = self->nodes.x[link->node[e]];
          v[e] = self->nodes.v[link->node[e]];
        }
      sum += link->geometry->velocity_term (link->shape, x, v);
    }
  return sum;
}

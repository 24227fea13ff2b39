/* advance-islands.c: advance of islands to an event time, and links that take part in the event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/advance-islands.h"

#include "event/forces.h"
#include "event/adaptive-steps.h"
#include "event/event-context.h"
#include "event/island-step.h"
#include "event/step-work.h"

void
ifbam_event_bring (IfbamEventEngine *self, guint32 number, double time)
{
  IfbamIsland *island = ifbam_island (self, number);

  if (island->affected)
    return;
  if (self->pace != NULL && island->time < time && island->until == time)
    ifbam_pace_arrive (self, number);
  if (island->time < time)
    {
      ifbam_event_step (self, number, self->companion, island->time, time - island->time, self->x,
                        self->v, self->xt, self->vt, TRUE);
      if (self->pace != NULL)
        ifbam_pace_book (self, number);
      else
        ifbam_event_book (self, number);
      ifbam_event_keep (self, number, self->xt, self->x);
      ifbam_event_keep (self, number, self->vt, self->v);
      island->time = time;
      island->companion = TRUE;
    }
  ifbam_event_place (self, number, ifbam_event_after (self, time), self->x, self->v);
  ifbam_event_forget (self, number);
  island->affected = TRUE;
  g_array_append_val (self->affected, number);
}

double
ifbam_link_weight (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    sum += self->link[number].row[e] * self->link[number].row[e] * self->mobility[link->node[e]];
  return sum;
}

void
ifbam_event_bring_ends (IfbamEventEngine *self, guint32 number, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, number, islands);

  for (guint k = 0; k < n; k++)
    ifbam_event_bring (self, islands[k], time);
}

gboolean
ifbam_link_touches (IfbamEventEngine *self, guint32 number)
{
  const IfbamPart *part = ifbam_play_find (self->play, number);
  const IfbamRelation relation = ifbam_link_relation (self, number);
  double delta;

  if (relation.kind != IFBAM_RELATION_CONTACT
      || ifbam_relation_holds (&relation, self->link[number].mode) || (part != NULL && part->near))
    return TRUE;
  ifbam_link_rate (self, number, &delta);
  return relation.gap - delta <= 4 * ifbam_event_extent (self, number)->position_floor;
}

void
ifbam_event_consider (IfbamEventEngine *self, guint32 number, double time, gboolean fired)
{
  const IfbamRelation relation = ifbam_link_relation (self, number);
  IfbamPart *part = ifbam_play_find (self->play, number);
  double delta;

  if ((part != NULL && part->in_play) || relation.kind == IFBAM_RELATION_NONE
      || relation.kind == IFBAM_RELATION_FRICTION)
    return;
  if (!ifbam_relation_holds (&relation, self->link[number].mode) && !fired)
    {
      const IfbamExtent *extent = ifbam_event_extent (self, number);
      double rate = ifbam_link_estimate (self, number, time, &delta);

      if (relation.kind == IFBAM_RELATION_CONTACT
              ? relation.gap - delta > IFBAM_NEAR * extent->largest + 4 * extent->position_floor
              : rate < -IFBAM_NEAR * extent->fastest)
        return;
    }
  ifbam_event_bring_ends (self, number, time);
  if (!fired && !ifbam_link_touches (self, number))
    return;
  part = ifbam_play_part (self->play, number);
  part->in_play = TRUE;
  part->hits = 0;
  part->impulse = 0;
  part->noted = 0;
  g_array_append_val (self->play->in_play, number);
}

void
ifbam_event_consider_node (IfbamEventEngine *self, guint32 node, double time)
{
  for (guint32 p = self->node_link_start[node]; p < self->node_link_start[node + 1]; p++)
    ifbam_event_consider (self, ifbam_end_link (self->node_link[p]), time, FALSE);
}

double
ifbam_link_acceleration (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    sum += self->link[number].row[e] * self->acceleration[link->node[e]];
  if (link->geometry->bend != NULL)
    {
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];

      for (guint e = 0; e < link->n_ports; e++)
        {
          x[e] = self->x[link->node[e]];
          v[e] = self->v[link->node[e]];
        }
      sum += link->geometry->bend (link->shape, x, v);
    }
  return sum;
}

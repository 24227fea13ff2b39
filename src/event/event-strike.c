/* event-strike.c: impulses from outside, with all that is rigidly tied to what they strike
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-strike.h"

#include "event/event-bring.h"
#include "event/event-islands.h"
#include "event/event-play.h"
#include "event/event-relations.h"
#include "event/event-tell.h"

/* Less than this of a node's own mobility is none: it is tied to what is given. */
#define TIED (64 * DBL_EPSILON)

/* The links that are rigid in a node's island, and so pass on what it gets at once. */
static GArray *
list_ties (const IfbamEventEngine *self, guint32 node)
{
  const GArray *rows = ifbam_island (self, ifbam_island_of (self, node))->rows;
  GArray *ties = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const guint32 number = g_array_index (rows, guint32, i);

      if (ifbam_relation_is_bilateral (ifbam_link_relation (self, number).kind))
        g_array_append_val (ties, number);
    }
  return ties;
}

/* What each tie passes on of an impulse of 1 on a node; returns the rate that the node gets by it. */
static double
share_out (IfbamEventEngine *self, guint32 node, const GArray *ties, double *share)
{
  IFBAM_LIST (IfbamRow, rows, ties->len);
  double part = 1;

  if (ties->len == 0)
    return self->mobility[node];
  for (guint i = 0; i < ties->len; i++)
    {
      double delta;

      ifbam_link_rate (self, g_array_index (ties, guint32, i), &delta);
      ifbam_link_row (self, g_array_index (ties, guint32, i), 1, &rows[i]);
      share[i] = 0;
      for (guint e = 0; e < rows[i].n_ports; e++)
        if (rows[i].node[e] == node)
          share[i] += rows[i].row[e] * self->mobility[node];
    }
  ifbam_reactions_set (&self->play->system, rows, ties->len, self->mobility, self->seat);
  ifbam_reactions_solve (&self->play->system, share, share);
  for (guint i = 0; i < ties->len; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      if (rows[i].node[e] == node)
        part -= rows[i].row[e] * share[i];
  return part > TIED ? part * self->mobility[node] : 0;
}

/* A tie takes so much from its ends; what is given feeds its part. */
static void
pass_on (IfbamEventEngine *self, double time, guint32 tie, double p)
{
  const IfbamLink *link = ifbam_link (self, tie);
  const double *row = self->link[tie].row;
  double delta, rate;

  if (p == 0)
    return;
  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      if (self->mobility[node] == 0)
        {
          ifbam_feed_add (&self->fed, row[e] * p * self->v[node]);
          continue;
        }
      self->v[node] -= row[e] * p * self->mobility[node];
      IFBAM_TELL (self, push, node, -row[e] * p);
      ifbam_event_widen (self, node);
      g_array_append_val (self->play->struck, node);
    }
  rate = ifbam_link_rate (self, tie, &delta);
  ifbam_event_note (self, time, tie, "impact", p, rate, rate, 0);
}

void
ifbam_event_strike (IfbamEventEngine *self, double time, guint impulse, double value)
{
  const IfbamModel *model = self->base.model;
  const IfbamImpulse *target = &g_array_index (model->impulses, IfbamImpulse, impulse);
  const IfbamElement *element = target->element;
  const guint32 node = target->node;
  g_autoptr (GArray) ties = NULL;
  g_autofree double *share = NULL;
  double before, after, mobility, p;

  ifbam_event_bring (self, ifbam_island_of (self, node), time);
  ties = list_ties (self, node);
  share = g_new (double, ties->len + 1);
  mobility = share_out (self, node, ties, share);
  before = self->v[node];
  p = element->info->impulse (target->law, value, mobility, before);
  after = before + p * mobility;
  self->v[node] = before + p * self->mobility[node];
  IFBAM_TELL (self, push, node, p);
  ifbam_event_widen (self, node);
  ifbam_feed_add (&self->fed, p * 0.5 * (before + after));
  g_array_append_val (self->play->struck, node);
  if (self->base.events != NULL)
    {
      IfbamEvent event = { .time = ifbam_event_told_time (self, time),
                           .element = element->name,
                           .word = "impulse",
                           .impulse = p,
                           .rate_before = before,
                           .rate_after = after,
                           .energy_change = p * 0.5 * (before + after) };

      g_array_append_val (self->base.events, event);
      IFBAM_TELL (self, told, &node, NULL, 1);
    }
  for (guint i = 0; i < ties->len; i++)
    pass_on (self, time, g_array_index (ties, guint32, i), p * share[i]);
}

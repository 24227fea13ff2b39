/* event-samples.c: samples just before and just after an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-samples.h"

#include <math.h>
#include <string.h>

#include "base/printed.h"
#include "event/event-location.h"
#include "event/event-context.h"

static void
stand (IfbamEventEngine *self, const double *x, const double *v)
{
  for (guint32 i = 0; i < self->base.model->n_nodes; i++)
    {
      self->x[i] = x[i];
      self->v[i] = v[i];
      IFBAM_TELL (self, impose, i, self->x);
      IFBAM_TELL (self, impose, i, self->v);
    }
}

static void
tell_row (IfbamEventEngine *self, double time, guint32 link, gboolean after)
{
  const IfbamModel *model = self->base.model;
  g_autofree double *x = g_new (double, model->n_nodes + 1);
  g_autofree double *v = g_new (double, model->n_nodes + 1);

  for (gsize i = 0; i < model->n_nodes; i++)
    ifbam_event_node (self, (guint32) i, time, &self->x2[i], &self->v2[i]);
  if (link != IFBAM_NONE)
    {
      guint32 islands[IFBAM_MAX_PORTS];
      const guint n = ifbam_event_link_islands (self, link, islands);

      ifbam_event_trial (self, link, time);
      for (guint32 i = 0; i < model->n_free; i++)
        for (guint k = 0; k < n; k++)
          if (ifbam_island_of (self, i) == islands[k])
            {
              self->x2[i] = self->xt[i];
              self->v2[i] = self->vt[i];
            }
    }
  /* The callee may read links and nodes, too: they have to be those of this sample. */
  memcpy (x, self->x, sizeof *x * model->n_nodes);
  memcpy (v, self->v, sizeof *v * model->n_nodes);
  stand (self, self->x2, self->v2);
  self->row_time = ifbam_event_told_time (self, time);
  self->base.event_row (self->base.event_row_data, self->row_time, self->x2, self->v2, after);
  self->row_time = NAN;
  stand (self, x, v);
}

void
ifbam_event_tell_row (IfbamEventEngine *self, double time, guint32 link, gboolean after)
{
  /* WebAssembly builds have no event_row. */
  if (IFBAM_IS_PRINTED && self->base.event_row != NULL)
    tell_row (self, time, link, after);
}

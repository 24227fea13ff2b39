/* event-samples.c: samples just before and just after an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-samples.h"

#include <math.h>
#include <string.h>

#include "base/printed.h"
#include "event/event-location.h"
#include "event/event-links.h"
#include "event/event-log.h"

static void
set_nodes (IfbamEventEngine *self, const double *x, const double *v)
{
  for (guint32 i = 0; i < self->base.model->n_nodes; i++)
    {
      self->nodes.x[i] = x[i];
      self->nodes.v[i] = v[i];
      ifbam_event_set_evaluator_node (self, i, self->nodes.x, self->nodes.v);
    }
}

static void
emit_row (IfbamEventEngine *self, double time, guint32 link, gboolean after)
{
  const IfbamModel *model = self->base.model;
  IfbamEventLog *log = self->base.log;
  g_autofree double *x = g_new (double, model->n_nodes + 1);
  g_autofree double *v = g_new (double, model->n_nodes + 1);

  for (gsize i = 0; i < model->n_nodes; i++)
    ifbam_event_node_at (self, (guint32) i, time, &self->nodes.x2[i], &self->nodes.v2[i]);
  if (link != IFBAM_NONE)
    {
      guint32 islands[IFBAM_MAX_PORTS];
      const guint n = ifbam_event_link_islands (self, link, islands);

      ifbam_event_trial (self, link, time);
      for (guint32 i = 0; i < model->n_free; i++)
        for (guint k = 0; k < n; k++)
          if (ifbam_island_of (self, i) == islands[k])
            {
              self->nodes.x2[i] = self->nodes.xt[i];
              self->nodes.v2[i] = self->nodes.vt[i];
            }
    }
  /* The callee may read links and nodes, too: they have to be those of this sample. */
  memcpy (x, self->nodes.x, sizeof *x * model->n_nodes);
  memcpy (v, self->nodes.v, sizeof *v * model->n_nodes);
  set_nodes (self, self->nodes.x2, self->nodes.v2);
  log->sample_time = ifbam_event_logged_time (self, time);
  log->listener (log->listener_data, log->sample_time, self->nodes.x2, self->nodes.v2, after);
  log->sample_time = NAN;
  set_nodes (self, x, v);
}

void
ifbam_event_emit_sample (IfbamEventEngine *self, double time, guint32 link, gboolean after)
{
  /* WebAssembly builds have no listener. */
  if (IFBAM_IS_PRINTED && self->base.log->listener != NULL)
    emit_row (self, time, link, after);
}

/* event-rows.c: the rows just before and just after an event, for who asks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-rows.h"

#include "event/event-locate.h"

void
ifbam_event_tell_row (IfbamEventEngine *self, double time, guint32 link, gboolean after)
{
  const IfbamModel *model = self->base.model;

  if (self->base.event_row == NULL)
    return;
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
  self->base.event_row (self->base.event_row_data, ifbam_event_told_time (self, time), self->x2,
                        self->v2, after);
}

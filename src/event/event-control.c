/* event-control.c: controllers: what they hear at their instants, and sources that follow them
 *
 * What a controller remembers is a part of its link's state. Sources keep nothing: how strong they are is what their
 * controllers said last.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-control.h"

#include <string.h>

#include "event/event-bring.h"

static const IfbamControl *
control_at (const IfbamEventEngine *self, guint i)
{
  return &g_array_index (self->base.model->controls, IfbamControl, i);
}

static gboolean
is_sample (const IfbamInstant *instant)
{
  return instant->kind == IFBAM_INSTANT_SAMPLE;
}

static void
hear (IfbamEventEngine *self, const IfbamInstant *instant)
{
  const IfbamLink *link = ifbam_link (self, instant->number);
  double delta;
  const double rate = ifbam_link_rate (self, instant->number, &delta);

  link->law->sample (link->numbers, delta, rate, instant->period,
                     self->link[instant->number].memory);
}

void
ifbam_controllers_hear (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamInstant *instant = ifbam_agenda_at (self->agenda, numbers[i]);

      if (!is_sample (instant))
        continue;
      ifbam_event_bring_ends (self, instant->number, time);
      hear (self, instant);
    }
}

/* Sources of one controller, or of all (IFBAM_NONE). */
static void
steer (IfbamEventEngine *self, guint32 controller)
{
  for (guint i = 0; i < self->base.model->controls->len; i++)
    if (controller == IFBAM_NONE || control_at (self, i)->controller == controller)
      self->strength[control_at (self, i)->source] =
          self->link[control_at (self, i)->controller].memory[0];
}

void
ifbam_controllers_steer (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamInstant *instant = ifbam_agenda_at (self->agenda, numbers[i]);

      if (!is_sample (instant))
        continue;
      for (guint k = 0; k < self->base.model->controls->len; k++)
        if (control_at (self, k)->controller == instant->number)
          ifbam_event_bring (
              self,
              ifbam_island_of (self, self->base.model->source_node[control_at (self, k)->source]),
              time);
      steer (self, instant->number);
    }
}

void
ifbam_controllers_start (IfbamEventEngine *self)
{
  const GArray *recurrent = self->agenda->recurrent;

  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamInstant *instant = &g_array_index (recurrent, IfbamInstant, i);

      if (!is_sample (instant))
        continue;
      memset (self->link[instant->number].memory, 0, sizeof self->link->memory);
      hear (self, instant);
    }
  ifbam_controllers_stand (self);
}

void
ifbam_controllers_stand (IfbamEventEngine *self)
{
  for (gsize i = 0; i < self->base.model->n_sources; i++)
    self->strength[i] = 1;
  steer (self, IFBAM_NONE);
}

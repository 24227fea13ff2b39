/* controllers.c: sampled controllers, and the sources and motions that they scale
 *
 * A controller's memory is part of its link's state; memory[0] is its output between samples. It
 * scales sources, and rates of prescribed nodes without a jump of position. If a controller
 * switches elements, its mode is 1 for the fraction memory[0] of a period (pulse-width modulation).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/controllers.h"

#include <string.h>

#include "event/advance-islands.h"

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

/* Schedules the end of the on-time of a controller's present period, if it is within the period. */
static void
add_lapse (IfbamEventEngine *self, guint32 link)
{
  const IfbamInstant lapse = { .time = self->link[link].lapse,
                               .kind = IFBAM_INSTANT_LAPSE,
                               .number = link };

  if (lapse.time > 0)
    ifbam_agenda_add (self->agenda, self->next_instant, &lapse);
}

static void
begin_period (IfbamEventEngine *self, const IfbamInstant *instant)
{
  IfbamLinkState *state = &self->link[instant->number];
  const double end = instant->time + state->memory[0] * instant->period;

  state->mode = end > instant->time;
  state->lapse = state->mode != 0 && state->memory[0] < 1 ? end : 0;
  add_lapse (self, instant->number);
}

static void
hear (IfbamEventEngine *self, const IfbamInstant *instant)
{
  const IfbamLink *link = ifbam_link (self, instant->number);
  double delta;
  const double rate = ifbam_link_rate (self, instant->number, &delta);

  link->law->sample (link->numbers, delta, rate, instant->period,
                     self->link[instant->number].memory);
  if (self->pulsing[instant->number])
    begin_period (self, instant);
}

void
ifbam_controllers_hear (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamInstant *instant = ifbam_agenda_at (self->agenda, numbers[i]);

      if (instant->kind != IFBAM_INSTANT_LAPSE)
        continue;
      self->link[instant->number].mode = 0;
      self->link[instant->number].lapse = 0;
    }
  for (guint i = 0; i < n; i++)
    {
      const IfbamInstant *instant = ifbam_agenda_at (self->agenda, numbers[i]);

      if (!is_sample (instant))
        continue;
      ifbam_event_bring_ends (self, instant->number, time);
      hear (self, instant);
    }
}

/* Updates the factors of the sources that a controller scales (IFBAM_NONE: all controllers). */
static void
steer (IfbamEventEngine *self, guint32 controller)
{
  for (guint i = 0; i < self->base.model->controls->len; i++)
    if (controller == IFBAM_NONE || control_at (self, i)->controller == controller)
      self->strength[control_at (self, i)->source] =
          self->link[control_at (self, i)->controller].memory[0];
}

static void
strengthen (IfbamEventEngine *self)
{
  for (gsize i = 0; i < self->base.model->n_sources; i++)
    self->strength[i] = 1;
  steer (self, IFBAM_NONE);
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

/* The node's position at t = 0 is that of its unscaled motion. */
void
ifbam_controllers_guide_at_start (IfbamEventEngine *self, guint32 node, double strength)
{
  IfbamMotion motion;

  self->base.numbers->steering[node - self->base.model->n_free] = (struct _IfbamSteering){ 0, 1 };
  ifbam_numbers_steer (self->base.numbers, node, 0, strength);
  motion = ifbam_event_given (self, node, 0);
  self->x[node] = motion.position;
  self->v[node] = motion.rate;
  IFBAM_TELL (self, impose, node, self->x);
  IFBAM_TELL (self, impose, node, self->v);
}

void
ifbam_controllers_start (IfbamEventEngine *self)
{
  const GArray *recurrent = self->agenda->recurrent;
  const GArray *guides = self->base.model->guides;

  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamInstant *instant = &g_array_index (recurrent, IfbamInstant, i);

      if (!is_sample (instant))
        continue;
      memset (self->link[instant->number].memory, 0, sizeof self->link->memory);
      hear (self, instant);
    }
  for (guint i = 0; i < guides->len; i++)
    {
      const IfbamGuide *guide = &g_array_index (guides, IfbamGuide, i);

      ifbam_controllers_guide_at_start (self, guide->node, self->link[guide->controller].memory[0]);
    }
  strengthen (self);
}

void
ifbam_controllers_stand (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    if (self->pulsing[j])
      add_lapse (self, j);
  if (self->base.numbers->steering != NULL)
    ifbam_numbers_forget (self->base.numbers);
  strengthen (self);
}

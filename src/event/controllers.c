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
is_sample (const IfbamTimeEvent *instant)
{
  return instant->kind == IFBAM_TIME_EVENT_SAMPLE;
}

/* Schedules the end of the on-time of a controller's present period, if it is within the period. */
static void
add_lapse (IfbamEventEngine *self, guint32 link)
{
  const IfbamTimeEvent lapse = { .time = self->links.state[link].pulse_end,
                                 .kind = IFBAM_TIME_EVENT_LAPSE,
                                 .number = link };

  if (lapse.time > 0)
    ifbam_schedule_add (&self->schedule, &lapse);
}

static void
begin_period (IfbamEventEngine *self, const IfbamTimeEvent *instant)
{
  IfbamLinkState *state = &self->links.state[instant->number];
  const double end = instant->time + state->memory[0] * instant->period;

  state->mode = end > instant->time;
  state->pulse_end = state->mode != 0 && state->memory[0] < 1 ? end : 0;
  add_lapse (self, instant->number);
}

static void
hear (IfbamEventEngine *self, const IfbamTimeEvent *instant)
{
  const IfbamLink *link = ifbam_link (self, instant->number);
  double delta;
  const double rate = ifbam_link_rate (self, instant->number, &delta);

  link->law->sample (link->numbers, delta, rate, instant->period,
                     self->links.state[instant->number].memory);
  if (self->links.is_pulsing[instant->number])
    begin_period (self, instant);
}

void
ifbam_controllers_sample (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamTimeEvent *instant = ifbam_schedule_get (&self->schedule, numbers[i]);

      if (instant->kind != IFBAM_TIME_EVENT_LAPSE)
        continue;
      self->links.state[instant->number].mode = 0;
      self->links.state[instant->number].pulse_end = 0;
    }
  for (guint i = 0; i < n; i++)
    {
      const IfbamTimeEvent *instant = ifbam_schedule_get (&self->schedule, numbers[i]);

      if (!is_sample (instant))
        continue;
      ifbam_event_advance_ends (self, instant->number, time);
      hear (self, instant);
    }
}

/* Updates the factors of the sources that a controller scales (IFBAM_NONE: all controllers). */
static void
steer (IfbamEventEngine *self, guint32 controller)
{
  for (guint i = 0; i < self->base.model->controls->len; i++)
    if (controller == IFBAM_NONE || control_at (self, i)->controller == controller)
      self->schedule.strength[control_at (self, i)->source] =
          self->links.state[control_at (self, i)->controller].memory[0];
}

static void
reset_factors (IfbamEventEngine *self)
{
  for (gsize i = 0; i < self->base.model->n_sources; i++)
    self->schedule.strength[i] = 1;
  steer (self, IFBAM_NONE);
}

void
ifbam_controllers_set_sources (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamTimeEvent *instant = ifbam_schedule_get (&self->schedule, numbers[i]);

      if (!is_sample (instant))
        continue;
      for (guint k = 0; k < self->base.model->controls->len; k++)
        if (control_at (self, k)->controller == instant->number)
          ifbam_event_advance_island (
              self,
              ifbam_island_of (self, self->base.model->source_node[control_at (self, k)->source]),
              time);
      steer (self, instant->number);
    }
}

/* The node's position at t = 0 is that of its unscaled motion. */
void
ifbam_controllers_start_motion (IfbamEventEngine *self, guint32 node, double strength)
{
  IfbamMotion motion;

  self->base.numbers->steering[node - self->base.model->n_free] = (struct _IfbamSteering){ 0, 1 };
  ifbam_numbers_steer (self->base.numbers, node, 0, strength);
  motion = ifbam_event_motion (self, node, 0);
  self->nodes.x[node] = motion.position;
  self->nodes.v[node] = motion.rate;
  ifbam_event_impose (self, node, self->nodes.x, self->nodes.v);
}

void
ifbam_controllers_start (IfbamEventEngine *self)
{
  const GArray *recurrent = self->schedule.recurrent;
  const GArray *guides = self->base.model->guides;

  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamTimeEvent *instant = &g_array_index (recurrent, IfbamTimeEvent, i);

      if (!is_sample (instant))
        continue;
      memset (self->links.state[instant->number].memory, 0, sizeof self->links.state->memory);
      hear (self, instant);
    }
  for (guint i = 0; i < guides->len; i++)
    {
      const IfbamGuide *guide = &g_array_index (guides, IfbamGuide, i);

      ifbam_controllers_start_motion (self, guide->node,
                                      self->links.state[guide->controller].memory[0]);
    }
  reset_factors (self);
}

void
ifbam_controllers_rebuild (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    if (self->links.is_pulsing[j])
      add_lapse (self, j);
  if (self->base.numbers->steering != NULL)
    ifbam_numbers_forget (self->base.numbers);
  reset_factors (self);
}

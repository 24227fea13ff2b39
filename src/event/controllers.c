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

static const IfbamScaledSource *
scaled_source_at (const IfbamEventEngine *self, guint i)
{
  return &g_array_index (self->base.model->scaled_sources, IfbamScaledSource, i);
}

static gboolean
is_sample (const IfbamTimeEvent *time_event)
{
  return time_event->kind == IFBAM_TIME_EVENT_SAMPLE;
}

/* Schedules the end of the on-time of a controller's present period, if it is within the period. */
static void
add_pulse_end (IfbamEventEngine *self, guint32 link)
{
  const IfbamTimeEvent lapse = { .time = self->links.state[link].pulse_end,
                                 .kind = IFBAM_TIME_EVENT_PULSE_END,
                                 .index = link };

  if (lapse.time > 0)
    ifbam_schedule_add (&self->schedule, &lapse);
}

static void
begin_period (IfbamEventEngine *self, const IfbamTimeEvent *time_event)
{
  IfbamLinkState *state = &self->links.state[time_event->index];
  const double end = time_event->time + state->memory[0] * time_event->period;

  state->mode = end > time_event->time;
  state->pulse_end = state->mode != 0 && state->memory[0] < 1 ? end : 0;
  add_pulse_end (self, time_event->index);
}

static void
sample_input (IfbamEventEngine *self, const IfbamTimeEvent *time_event)
{
  const IfbamLink *link = ifbam_link (self, time_event->index);
  double delta;
  const double rate = ifbam_link_rate (self, time_event->index, &delta);

  link->law->sample (link->numbers, delta, rate, time_event->period,
                     self->links.state[time_event->index].memory);
  if (self->links.is_pulsing[time_event->index])
    begin_period (self, time_event);
}

void
ifbam_controllers_sample (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamTimeEvent *time_event = ifbam_schedule_get (&self->schedule, numbers[i]);

      if (time_event->kind != IFBAM_TIME_EVENT_PULSE_END)
        continue;
      self->links.state[time_event->index].mode = 0;
      self->links.state[time_event->index].pulse_end = 0;
    }
  for (guint i = 0; i < n; i++)
    {
      const IfbamTimeEvent *time_event = ifbam_schedule_get (&self->schedule, numbers[i]);

      if (!is_sample (time_event))
        continue;
      ifbam_event_advance_ends (self, time_event->index, time);
      sample_input (self, time_event);
    }
}

/* Updates the factors of the sources that a controller scales (IFBAM_NONE: all controllers). */
static void
update_scaled_sources (IfbamEventEngine *self, guint32 controller)
{
  for (guint i = 0; i < self->base.model->scaled_sources->len; i++)
    if (controller == IFBAM_NONE || scaled_source_at (self, i)->controller == controller)
      self->schedule.strength[scaled_source_at (self, i)->source] =
          self->links.state[scaled_source_at (self, i)->controller].memory[0];
}

static void
reset_factors (IfbamEventEngine *self)
{
  for (gsize i = 0; i < self->base.model->n_sources; i++)
    self->schedule.strength[i] = 1;
  update_scaled_sources (self, IFBAM_NONE);
}

void
ifbam_controllers_set_sources (IfbamEventEngine *self, double time, const guint32 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const IfbamTimeEvent *time_event = ifbam_schedule_get (&self->schedule, numbers[i]);

      if (!is_sample (time_event))
        continue;
      for (guint k = 0; k < self->base.model->scaled_sources->len; k++)
        if (scaled_source_at (self, k)->controller == time_event->index)
          ifbam_event_advance_island (
              self,
              ifbam_island_of (self,
                               self->base.model->source_node[scaled_source_at (self, k)->source]),
              time);
      update_scaled_sources (self, time_event->index);
    }
}

/* The node's position at t = 0 is that of its unscaled motion. */
void
ifbam_controllers_start_motion (IfbamEventEngine *self, guint32 node, double strength)
{
  IfbamMotion motion;

  self->base.numbers->motion_scale[node - self->base.model->n_free] =
      (struct _IfbamMotionScale){ 0, 1 };
  ifbam_parameter_values_set_scale (self->base.numbers, node, 0, strength);
  motion = ifbam_event_motion (self, node, 0);
  self->nodes.x[node] = motion.position;
  self->nodes.v[node] = motion.rate;
  ifbam_event_set_evaluator_node (self, node, self->nodes.x, self->nodes.v);
}

void
ifbam_controllers_start (IfbamEventEngine *self)
{
  const GArray *recurrent = self->schedule.recurrent;
  const GArray *scaled_motions = self->base.model->scaled_motions;

  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamTimeEvent *time_event = &g_array_index (recurrent, IfbamTimeEvent, i);

      if (!is_sample (time_event))
        continue;
      memset (self->links.state[time_event->index].memory, 0, sizeof self->links.state->memory);
      sample_input (self, time_event);
    }
  for (guint i = 0; i < scaled_motions->len; i++)
    {
      const IfbamScaledMotion *scaled_motion =
          &g_array_index (scaled_motions, IfbamScaledMotion, i);

      ifbam_controllers_start_motion (self, scaled_motion->node,
                                      self->links.state[scaled_motion->controller].memory[0]);
    }
  reset_factors (self);
}

void
ifbam_controllers_rebuild (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    if (self->links.is_pulsing[j])
      add_pulse_end (self, j);
  if (self->base.numbers->motion_scale != NULL)
    ifbam_parameter_values_discard_motions (self->base.numbers);
  reset_factors (self);
}

/* monitors.c: passive monitors: level crossings that are logged and change nothing
 *
 * A monitor on which no impulse or switched element depends is in no component: it affects no step.
 * Its crossings are located on the interpolated motion, before each event and at a step's end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/monitors.h"

#include "event/guards.h"
#include "event/event-location.h"
#include "event/event-samples.h"
#include "event/event-log.h"
#include "event/event-candidates.h"

static IfbamMonitor *
monitor_at (const IfbamEventEngine *self, guint i)
{
  return &g_array_index (self->monitors, IfbamMonitor, i);
}

void
ifbam_monitors_find (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  for (guint32 j = 0; j < model->singles->len; j++)
    self->outside[j] =
        ifbam_link (self, j)->info->hears != NULL && ifbam_link (self, j)->law->sample == NULL;
  for (guint i = 0; i < model->impulses->len; i++)
    {
      const guint32 trigger = g_array_index (model->impulses, IfbamImpulse, i).trigger;

      if (trigger != IFBAM_NO_NODE)
        self->outside[trigger] = FALSE;
    }
  for (guint i = 0; i < model->followers->len; i++)
    self->outside[g_array_index (model->followers, IfbamFollower, i).monitor] = FALSE;
  for (guint32 j = 0; j < model->singles->len; j++)
    {
      const IfbamMonitor monitor = { .link = j };

      if (self->outside[j])
        g_array_append_val (self->monitors, monitor);
    }
}

const char *
ifbam_monitor_word (const IfbamEventEngine *self, guint32 number, int next)
{
  const IfbamLinkState *state = &self->link[number];

  return state->begins ? NULL : ifbam_link_event (ifbam_link (self, number), state->mode, next);
}

static gboolean
is_asleep (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);

  for (guint e = 0; e < link->n_ports; e++)
    if (self->component_of[link->node[e]] != IFBAM_NONE)
      return ifbam_component (self, self->component_of[link->node[e]])->asleep;
  return FALSE;
}

/* Finds a monitor's next crossing on the motion known so far. monitor->next.lo infinite: none. */
static void
look_ahead (IfbamEventEngine *self, IfbamMonitor *monitor)
{
  GArray *heap = self->heap;

  ifbam_empty (self->soon);
  self->heap = self->soon;
  ifbam_event_watch (self, monitor->link);
  self->heap = heap;
  monitor->next = (IfbamCandidate){ .lo = INFINITY };
  if (self->soon->len == 0)
    return;
  monitor->next = g_array_index (self->soon, IfbamCandidate, 0);
  if (!monitor->next.hidden
      && !ifbam_event_locate_on_course (self, &monitor->next, &monitor->next.lo))
    monitor->next.lo = INFINITY;
}

static void
tell (IfbamEventEngine *self, guint32 number, double time, int next)
{
  const char *word = ifbam_monitor_word (self, number, next);
  double delta, rate;

  self->link[number].mode = next;
  self->link[number].since = time;
  if (word == NULL || self->starting)
    return;
  rate = ifbam_link_estimate (self, number, time, &delta);
  ifbam_event_tell_row (self, time, IFBAM_NONE, FALSE);
  ifbam_event_note (self, time, number, word, 0, rate, rate, 0);
  ifbam_event_tell_row (self, time, IFBAM_NONE, TRUE);
}

static void
pass (IfbamEventEngine *self, IfbamMonitor *monitor)
{
  if (monitor->next.hidden)
    ifbam_event_lose (self, &monitor->next);
  else
    tell (self, monitor->link, monitor->next.lo, monitor->next.guard.next);
  look_ahead (self, monitor);
}

void
ifbam_monitors_look (IfbamEventEngine *self, double until)
{
  for (guint i = 0; i < self->monitors->len && self->unseen; i++)
    if (is_asleep (self, monitor_at (self, i)->link))
      monitor_at (self, i)->next.lo = INFINITY;
    else
      look_ahead (self, monitor_at (self, i));
  self->unseen = FALSE;
  while (self->monitors->len > 0 && ifbam_event_goes_on (self, until, 1))
    {
      IfbamMonitor *first = monitor_at (self, 0);

      for (guint i = 1; i < self->monitors->len; i++)
        if (monitor_at (self, i)->next.lo < first->next.lo)
          first = monitor_at (self, i);
      if (!(first->next.lo <= until))
        return;
      pass (self, first);
    }
}

void
ifbam_monitor_look_at_step (IfbamEventEngine *self, guint32 number)
{
  IfbamMonitor monitor = { .link = number };

  look_ahead (self, &monitor);
  while (monitor.next.lo <= self->base.spec->step && self->failure == NULL)
    pass (self, &monitor);
  self->link[number].since = 0;
}

void
ifbam_monitors_leap (IfbamEventEngine *self, double time)
{
  for (guint i = 0; i < self->monitors->len; i++)
    {
      const guint32 number = monitor_at (self, i)->link;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, number, guards);

      for (guint g = 0; g < n && !is_asleep (self, number); g++)
        if (ifbam_event_has_jumped (self, number, &guards[g], time))
          {
            tell (self, number, time, guards[g].next);
            break;
          }
    }
}

void
ifbam_monitors_look_at_end (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  for (guint i = 0; i < self->monitors->len; i++)
    {
      const guint32 number = monitor_at (self, i)->link;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, number, guards);

      for (guint g = 0; g < n; g++)
        if (ifbam_event_guard_value (self, number, &guards[g], self->x1, self->v1, step)
            < -ifbam_event_guard_floor (self, number, &guards[g]))
          {
            tell (self, number, step, guards[g].next);
            break;
          }
    }
}

void
ifbam_monitors_begin (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamLinkState *state = &self->link[j];
      IfbamGuard guard[IFBAM_MAX_GUARDS];
      double value;

      if ((self->step > 0 && !state->begins) || ifbam_link (self, j)->info->hears == NULL
          || ifbam_event_guards (self, j, guard) == 0)
        continue;
      value = ifbam_event_guard_value (self, j, &guard[0], self->x, self->v, 0);
      state->begins = fabs (value) <= ifbam_event_guard_floor (self, j, &guard[0]);
    }
}

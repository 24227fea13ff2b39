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
#include "event/event-candidates.h"
#include "event/event-links.h"
#include "event/event-log.h"

static IfbamPassiveMonitor *
monitor_at (const IfbamEventEngine *self, guint i)
{
  return &g_array_index (self->monitors.list, IfbamPassiveMonitor, i);
}

void
ifbam_monitors_init (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  self->monitors.is_passive = g_new0 (guint8, model->unbatched_links->len + 1);
  self->monitors.list = g_array_new (FALSE, FALSE, sizeof (IfbamPassiveMonitor));
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    self->monitors.is_passive[j] =
        ifbam_link (self, j)->info->signal != NULL && ifbam_link (self, j)->law->sample == NULL;
  for (guint i = 0; i < model->impulses->len; i++)
    {
      const guint32 trigger = g_array_index (model->impulses, IfbamImpulse, i).trigger;

      if (trigger != IFBAM_NO_NODE)
        self->monitors.is_passive[trigger] = FALSE;
    }
  for (guint i = 0; i < model->switched_elements->len; i++)
    self->monitors
        .is_passive[g_array_index (model->switched_elements, IfbamSwitchedElement, i).monitor] =
        FALSE;
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamPassiveMonitor monitor = { .link = j };

      if (self->monitors.is_passive[j])
        g_array_append_val (self->monitors.list, monitor);
    }
}

void
ifbam_monitors_clear (IfbamMonitors *self)
{
  g_array_unref (self->list);
  g_free (self->is_passive);
}

const char *
ifbam_monitor_event_word (const IfbamEventEngine *self, guint32 index, int next)
{
  const IfbamLinkState *state = &self->links.state[index];

  return state->starts_at_threshold
             ? NULL
             : ifbam_link_event (ifbam_link (self, index), state->mode, next);
}

static gboolean
is_inactive_link (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);

  for (guint e = 0; e < link->n_ports; e++)
    if (self->components.of_node[link->node[e]] != IFBAM_NONE)
      return ifbam_component (self, self->components.of_node[link->node[e]])->is_inactive;
  return FALSE;
}

/* Finds a monitor's next crossing on the motion known so far. monitor->next.lo infinite: none. */
static void
find_next (IfbamEventEngine *self, IfbamPassiveMonitor *monitor)
{
  GArray *heap = self->candidates.found;

  ifbam_array_clear (self->candidates.near);
  self->candidates.found = self->candidates.near;
  ifbam_event_find_candidates (self, monitor->link);
  self->candidates.found = heap;
  monitor->next = (IfbamCandidate){ .lo = INFINITY };
  if (self->candidates.near->len == 0)
    return;
  monitor->next = g_array_index (self->candidates.near, IfbamCandidate, 0);
  if (!monitor->next.is_unresolved
      && !ifbam_event_locate_interpolated (self, &monitor->next, &monitor->next.lo))
    monitor->next.lo = INFINITY;
}

static void
log_crossing (IfbamEventEngine *self, guint32 index, double time, int next)
{
  const char *word = ifbam_monitor_event_word (self, index, next);
  double delta, rate;

  self->links.state[index].mode = next;
  self->links.state[index].recorded_until = time;
  if (word == NULL || self->starting)
    return;
  rate = ifbam_link_estimate (self, index, time, &delta);
  ifbam_event_emit_sample (self, time, IFBAM_NONE, FALSE);
  ifbam_event_log_add (self, time,
                       &(IfbamLinkImpulse){ .link = index, .before = rate, .after = rate }, word);
  ifbam_event_emit_sample (self, time, IFBAM_NONE, TRUE);
}

static void
process_crossing (IfbamEventEngine *self, IfbamPassiveMonitor *monitor)
{
  if (monitor->next.is_unresolved)
    ifbam_event_fail_unlocated (self, &monitor->next);
  else
    log_crossing (self, monitor->link, monitor->next.lo, monitor->next.guard.next);
  find_next (self, monitor);
}

void
ifbam_monitors_check (IfbamEventEngine *self, double until)
{
  for (guint i = 0; i < self->monitors.list->len && self->monitors.are_outdated; i++)
    if (is_inactive_link (self, monitor_at (self, i)->link))
      monitor_at (self, i)->next.lo = INFINITY;
    else
      find_next (self, monitor_at (self, i));
  self->monitors.are_outdated = FALSE;
  while (self->monitors.list->len > 0 && ifbam_event_may_continue (self, until, 1))
    {
      IfbamPassiveMonitor *first = monitor_at (self, 0);

      for (guint i = 1; i < self->monitors.list->len; i++)
        if (monitor_at (self, i)->next.lo < first->next.lo)
          first = monitor_at (self, i);
      if (!(first->next.lo <= until))
        return;
      process_crossing (self, first);
    }
}

void
ifbam_monitor_check_step (IfbamEventEngine *self, guint32 index)
{
  IfbamPassiveMonitor monitor = { .link = index };

  find_next (self, &monitor);
  while (monitor.next.lo <= self->base.spec->step && self->base.log->failure == NULL)
    process_crossing (self, &monitor);
  self->links.state[index].recorded_until = 0;
}

void
ifbam_monitors_check_jumps (IfbamEventEngine *self, double time)
{
  for (guint i = 0; i < self->monitors.list->len; i++)
    {
      const guint32 index = monitor_at (self, i)->link;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, index, guards);

      for (guint g = 0; g < n && !is_inactive_link (self, index); g++)
        if (ifbam_event_is_beyond_guard (self, index, &guards[g], time))
          {
            log_crossing (self, index, time, guards[g].next);
            break;
          }
    }
}

void
ifbam_monitors_check_at_end (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  for (guint i = 0; i < self->monitors.list->len; i++)
    {
      const guint32 index = monitor_at (self, i)->link;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, index, guards);

      for (guint g = 0; g < n; g++)
        if (ifbam_event_guard_value (self, index, &guards[g], self->nodes.x1, self->nodes.v1, step)
            < -ifbam_event_guard_threshold (self, index, &guards[g]))
          {
            log_crossing (self, index, step, guards[g].next);
            break;
          }
    }
}

void
ifbam_monitors_begin (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      IfbamLinkState *state = &self->links.state[j];
      IfbamGuard guard[IFBAM_MAX_GUARDS];
      double value;

      if ((self->step > 0 && !state->starts_at_threshold)
          || ifbam_link (self, j)->info->signal == NULL || ifbam_event_guards (self, j, guard) == 0)
        continue;
      value = ifbam_event_guard_value (self, j, &guard[0], self->nodes.x, self->nodes.v, 0);
      state->starts_at_threshold = fabs (value) <= ifbam_event_guard_threshold (self, j, &guard[0]);
    }
}

/* monitors.h: passive monitors: level crossings that are logged and change nothing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Lists the monitors on which no impulse or switched element depends in self->monitors.list, and
 * flags them in self->monitors.is_passive. They are in no component. */
void ifbam_monitors_init (IfbamEventEngine *self);
void ifbam_monitors_clear (IfbamMonitors *self);

/* Lets the next check search again, after a change of predictions. */
static inline void
ifbam_monitors_outdate (IfbamMonitors *self)
{
  self->are_outdated = TRUE;
}
/* Logs the crossings of passive monitors in active components up to `until` [s after the step's
 * start], an event time or the step's end. */
void ifbam_monitors_check (IfbamEventEngine *self, double until);

/* As ifbam_monitors_check (), for one monitor and a whole step from x, v to x1, v1. */
void ifbam_monitor_check_step (IfbamEventEngine *self, guint32 index);

/* Logs passive monitors with a level that a jump at `time` has crossed. */
void ifbam_monitors_check_jumps (IfbamEventEngine *self, double time);

/* Without event location: logs passive monitors beyond their levels at the step's end. */
void ifbam_monitors_check_at_end (IfbamEventEngine *self);

/* At a sample: updates `starts_at_threshold` of all monitors (signal at its level since the
 * start). */
void ifbam_monitors_begin (IfbamEventEngine *self);

/* Returns the event word of a monitor's change to mode `next`. NULL: not logged, as for a signal
 * that leaves the level at which it started. */
const char *ifbam_monitor_event_word (const IfbamEventEngine *self, guint32 index, int next);

/* monitors.h: what only watches: crossings that are told, and change nothing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Which links these are: monitors that no impulse waits for. They are in no component. */
void ifbam_monitors_find (IfbamEventEngine *self);

/* Looks at the course of what is awake up to a time after the step's start, at which something happens or the
 * step ends. */
void ifbam_monitors_look (IfbamEventEngine *self, double until);

/* The same for one, at a whole step whose ends stand in the columns. */
void ifbam_monitor_look_at_step (IfbamEventEngine *self, guint32 number);

/* Who has been taken over a level at an instant, at once. */
void ifbam_monitors_leap (IfbamEventEngine *self, double time);

/* Without location: who is beyond a level at the step's end. */
void ifbam_monitors_look_at_end (IfbamEventEngine *self);

/* At a row: which monitors, of all, are still at the levels at which they started. */
void ifbam_monitors_begin (IfbamEventEngine *self);

/* What is called so when a monitor crosses its level; NULL: nobody is told, as of one that leaves the level at
 * which it started. */
const char *ifbam_monitor_word (const IfbamEventEngine *self, guint32 number, int next);

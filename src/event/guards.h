/* guards.h: the guards of links: their values, and what is rounding beside them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* The guards of a link in its mode and with its states, as they are at its islands' time; returns how many. */
guint ifbam_event_guards (const IfbamEventEngine *self, guint32 link, IfbamGuard *guards);

/* What lies so far beyond a guard is still at it. */
double ifbam_event_guard_floor (const IfbamEventEngine *self, guint32 link,
                                const IfbamGuard *guard);

/* Its offset at coordinates: what sticks by what presses it holds more or less as that changes. */
double ifbam_event_guard_offset (const IfbamEventEngine *self, guint32 link,
                                 const IfbamGuard *guard, const double *x, const double *v);

/* A guard's value at coordinates. */
double ifbam_event_guard_value (IfbamEventEngine *self, guint32 link, const IfbamGuard *guard,
                                const double *x, const double *v, double time);

/* Whether a guard that an impulse can jump over is left behind at a time. */
gboolean ifbam_event_has_jumped (const IfbamEventEngine *self, guint32 link,
                                 const IfbamGuard *guard, double time);

/* The force that a guard watches; numbers: its law's, with its states. */
double ifbam_event_guard_force (const IfbamEventEngine *self, guint32 number,
                                const IfbamGuard *guard, const void *numbers, double delta,
                                double rate);

/* The time in which a link's islands are all known: [*from, *to]. */
gboolean ifbam_event_link_interval (const IfbamEventEngine *self, guint32 number, double *from,
                                    double *to);

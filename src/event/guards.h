/* guards.h: zero-crossing functions that end the modes of links, and their rounding thresholds
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Stores the guards of a link in its present mode and state, guards (IFBAM_MAX_GUARDS). Returns the
 * number of guards. */
guint ifbam_event_guards (const IfbamEventEngine *self, guint32 link, IfbamGuard *guards);
/* Returns a guard's rounding threshold [its unit]: a value above -threshold is no crossing. */
double ifbam_event_guard_threshold (const IfbamEventEngine *self, guint32 link,
                                    const IfbamGuard *guard);
/* Returns a guard's value at x, v (n_nodes), `time` [s] after the step's start. Side effect of
 * guards on reactions: computes the island's forces and reactions there. */
double ifbam_event_guard_value (IfbamEventEngine *self, guint32 link, const IfbamGuard *guard,
                                const double *x, const double *v, double time);

/* Returns whether a guard's value is below its threshold at `time`, as after a jump of rates or
 * forces by an impulse. FALSE for guards on positions and reactions. */
gboolean ifbam_event_is_beyond_guard (const IfbamEventEngine *self, guint32 link,
                                      const IfbamGuard *guard, double time);

/* Returns the force on which a guard depends [N]. numbers: parameters and states of the law. */
double ifbam_event_guard_force (const IfbamEventEngine *self, guint32 index,
                                const IfbamGuard *guard, const void *numbers, double delta,
                                double rate);
/* Sets [*from, *to] to the interval in which the motion of all islands of a link is known [s after
 * the step's start]. Returns FALSE if it is empty. */
gboolean ifbam_event_link_interval (const IfbamEventEngine *self, guint32 index, double *from,
                                    double *to);

/* event-location.h: location of guard crossings by scheme steps of variable length
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Locates a candidate's crossing by scheme steps (into xt, vt). Returns FALSE if there is none.
 * *at: the last time before the crossing [s after the step's start]. */
gboolean ifbam_event_locate (IfbamEventEngine *self, const IfbamCandidate *candidate, double *at);
/* As ifbam_event_locate (), on the interpolated motion. Guards of positions and rates only. */
gboolean ifbam_event_locate_interpolated (const IfbamEventEngine *self,
                                          const IfbamCandidate *candidate, double *at);
/* Returns whether a link's islands have many active rows, and `other` has an end in one of them. */
gboolean ifbam_event_is_costly_and_shared (const IfbamEventEngine *self, guint32 link,
                                           guint32 other);

/* Compares the crossings of `others` (n; guards of positions and rates) with an event at `time`.
 * Crossings in [time - apart, time + 2 apart] are located at `time`. Later ones get a new lo;
 * earlier ones get hi before `time`. Each island is stepped at most three times. Returns the
 * largest advance of a crossing on its prediction [s]. */
double ifbam_event_compare_crossings (IfbamEventEngine *self, double time, double apart,
                                      IfbamCandidate *others, guint n);

/* Steps each island of a link from its own time to `time`, into xt, vt. */
void ifbam_event_trial (IfbamEventEngine *self, guint32 link, double time);
/* As ifbam_event_trial (), in a batch of trials during which no state changes: an island is not
 * stepped again to the time of its last trial. */
void ifbam_event_begin_trials (IfbamEventEngine *self);
void ifbam_event_trial_once (IfbamEventEngine *self, guint32 link, double time);

/* event-bounds.h: which rows act, each only as far as it pushes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-bound.h"

/* Which of n rows act; one stops where lambda times its weight is below `stop`. change[] tells what they do to
 * their nodes. FALSE: it does not end. */
gboolean ifbam_event_complementarity (IfbamEventEngine *self, double time, IfbamBound *bounds,
                                      guint n, double stop);

/* The same with frictions, which may slip where they would need more than their carriers let them: who acts, and who
 * slips. Who acts follows from no others that do. Rates that are asked have first say, and what is asked soon where these are
 * 0 (exactly: moments are infinitely short). attempt: another way to look for an answer. FALSE: there is none, or none is
 * found. */
gboolean ifbam_event_pivot (IfbamEventEngine *self, IfbamBound *bounds, guint n, guint attempt);

/* The same of many, all of which change at once, at one level: that of what is asked soon, where anything is. */
gboolean ifbam_event_pivot_many (IfbamEventEngine *self, IfbamBound *bounds, guint n);

/* What these push for what they are asked, each its lambda, and what slips is braked by. FALSE: that keeps no law. */
gboolean ifbam_event_push_of (IfbamEventEngine *self, IfbamBound *bounds, guint n);

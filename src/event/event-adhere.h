/* event-adhere.h: slip arrest: an impulse ends a slip that falls below the sticking threshold
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Stops those frictions among n fired links that have slowed down to the sticking threshold. */
void ifbam_event_arrest_slip (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                              guint n);

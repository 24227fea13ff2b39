/* event-strike.h: impulses from outside, with all that is rigidly tied to what they strike
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* One of the model's impulses, with a value, at a time after the step's start. */
void ifbam_event_strike (IfbamEventEngine *self, double time, guint impulse, double value);

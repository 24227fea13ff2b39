/* external-impulses.h: impulses from outside, with all that is rigidly tied to what they strike
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* One of the model's impulses, and what its list or its monitor's says. */
typedef struct
{
  guint impulse;
  double value;
} IfbamStrike;

/* Those of one time after the step's start strike together. */
void ifbam_event_strike (IfbamEventEngine *self, double time, const IfbamStrike *strikes, guint n);

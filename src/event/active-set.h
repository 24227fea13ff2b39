/* active-set.h: who holds after an instant
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Lets the links of the affected islands, and of those that hang on them, say who holds; links that fired (n).
 * FALSE: something jammed, and got an impulse for it, so that others have to be asked before. */
gboolean ifbam_event_hold (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                           guint n);

/* event-adhere.h: what slips slowly is stopped at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Stops those of the links that fired (n) whose slip has got down to where it adheres. */
void ifbam_event_adhere (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n);

/* impacts.h: impacts among the links of an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Applies impulses to the participating links until none approaches. fired (n): located events. */
void ifbam_event_solve_impacts (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                                guint n);

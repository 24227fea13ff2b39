/* event-cones.h: who acts and who slips among many, each friction within its cone
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-bound.h"

/* Of so many rows a table is larger than all that convex problems take. */
#define IFBAM_FACES 128

/* As ifbam_event_pivot () says, but from a guess (active of what pushes, slips of what it carries), for what is asked, or, if
 * soon, for what is asked soon where rates are 0. faces: where that goes in circles convex problems guess. FALSE: none is found
 * so; then nothing of the guess is left. */
gboolean ifbam_event_cones (IfbamEventEngine *self, double time, IfbamBound *bounds, guint n,
                            gboolean soon, gboolean faces);

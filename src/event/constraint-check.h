/* constraint-check.h: whether relations are kept at a step's end
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* No step ends where relations that hold are not kept: then the run fails, and says why. */
void ifbam_event_check_kept (IfbamEventEngine *self);

/* The same of one island, whose step of a length h leads so long after the step's start. */
void ifbam_event_check_island (IfbamEventEngine *self, guint32 island, double end, double h);

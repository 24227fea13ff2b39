/* constraint-check.h: tests whether active constraints are satisfied at the end of a step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Fails the run with a reason if an active curved constraint is violated at the step's end. */
void ifbam_event_check_constraints (IfbamEventEngine *self);

/* Tests one island after its step of h [s]; end: time after the start of the full step [s]. */
void ifbam_event_check_island (IfbamEventEngine *self, guint32 island, double end, double h);

/* process-candidates.h: location of candidate events, and processing in order of time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* Processes the candidates and the scheduled events of a step until none is left. */
void ifbam_event_process_candidates (IfbamEventEngine *self);
/* Without event location: fires the guards that are crossed at the end of the step. */
void ifbam_event_process_at_step_end (IfbamEventEngine *self);

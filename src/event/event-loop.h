/* event-loop.h: a step of the event engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* Advances the network by a step, with all events in it. Failure: self->base.log->failure. */
void ifbam_event_do_step (IfbamEventEngine *self);

/* Clears the counters of links and clusters within a step. */
void ifbam_event_reset_counters (IfbamEventEngine *self);

/* Changes a starting friction to a slipping one if its rate exceeds the sticking threshold. */
void ifbam_event_end_friction_starts (IfbamEventEngine *self);

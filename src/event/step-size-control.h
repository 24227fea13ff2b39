/* step-size-control.h: control of an island's step size by an error tolerance
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Takes an island's next step, from x, v to x1, v1, as long as the tolerance allows. It ends at the
 * next scheduled event at the latest, and may pass the next sample. Adds its end to
 * self->candidates.found. Failure: self->base.log->failure. */
void ifbam_adaptive_begin_step (IfbamEventEngine *self, guint32 island);
/* At a sample: restores islands within a step from self->adaptive, and begins steps of the
 * others. */
void ifbam_adaptive_leave_sample (IfbamEventEngine *self);

/* manual-step.h: a step by hand: the objects go through its stages by themselves
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Before it they get their first messages. */
void ifbam_event_open (IfbamEventEngine *self);

/* In a stage, when all have summed their forces: who holds reacts. */
void ifbam_event_agree (IfbamEventEngine *self, guint stage);

/* They have gone through the last: that is what the step foresees. */
void ifbam_event_arrive (IfbamEventEngine *self);

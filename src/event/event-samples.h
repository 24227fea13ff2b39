/* event-samples.h: samples just before and just after an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Passes all positions and velocities at a time after the step's start to the log's listener, if set.
 * link: the link about to fire, with its islands stepped to that time; IFBAM_NONE: none. */
void ifbam_event_emit_sample (IfbamEventEngine *self, double time, guint32 link, gboolean after);

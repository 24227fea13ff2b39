/* event-samples.h: the rows just before and just after an event, for who asks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Tells all coordinates at a time after the step's start. link: what is about to fire, whose islands are
 * stepped to their place; IFBAM_NONE: none. */
void ifbam_event_tell_row (IfbamEventEngine *self, double time, guint32 link, gboolean after);

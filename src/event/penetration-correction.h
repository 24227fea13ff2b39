/* penetration-correction.h: takes back overlaps that rounding makes where nothing approaches
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Remembers a contact that is beyond its guard, but goes no deeper; puts back those that are so still. */
void ifbam_event_note_overlap (IfbamEventEngine *self, guint32 link);

void ifbam_event_lift (IfbamEventEngine *self);

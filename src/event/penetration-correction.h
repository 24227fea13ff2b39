/* penetration-correction.h: removes penetrations that rounding causes at open contacts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Lists a contact that penetrates without approaching, for ifbam_event_lift (). */
void ifbam_event_note_overlap (IfbamEventEngine *self, guint32 link);

void ifbam_event_lift (IfbamEventEngine *self); /* moves the listed contacts apart */

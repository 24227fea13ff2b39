/* penetration-correction.h: removes penetrations that rounding causes at open contacts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Lists a contact that penetrates without approaching, for ifbam_event_correct_penetration (). */
void ifbam_event_add_penetration (IfbamEventEngine *self, guint32 link);

void ifbam_event_correct_penetration (IfbamEventEngine *self); /* moves the listed contacts apart */

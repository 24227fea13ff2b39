/* event-list.h: list of events, and their rows as text
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/ifbam-events.h"

/* The first line of a file of events. */
#define IFBAM_EVENT_COLUMNS "time,element,event,impulse,rate_before,rate_after,energy_change\n"
void ifbam_event_append_row (GString *text, const IfbamEvent *event);

IfbamEvents *ifbam_events_new (void);
/* Returns the stored event, valid until the next one is added. */
const IfbamEvent *ifbam_events_add (IfbamEvents *events, const IfbamEvent *event);

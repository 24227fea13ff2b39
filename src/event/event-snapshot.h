/* event-snapshot.h: columns that make up the event engine's state, and their restoration
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Implements list_state of IfbamEngine (engine-class.h): NULL after a failure unless `write`. */
GArray *ifbam_event_list_state (IfbamEngine *base, gboolean write);
/* Rebuilds the data that follow from restored columns, at a step boundary. */
void ifbam_event_rebuild (IfbamEventEngine *self);

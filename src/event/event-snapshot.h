/* event-snapshot.h: the event engine's state at a row, as one block
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* The engine's list_state. */
GArray *ifbam_event_list_state (IfbamEngine *base, gboolean write);
/* At a row whose columns have been written there: what follows from them. */
void ifbam_event_stand_up (IfbamEventEngine *self);

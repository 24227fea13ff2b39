/* event-block.h: the event engine's state at a row, as one block
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* The engine's get_state and set_state. */
IfbamState *ifbam_event_get_state (IfbamEngine *base);
gboolean ifbam_event_set_state (IfbamEngine *base, const IfbamState *state, GError **error);

/* active-set.h: the active constraints after an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Finds and stores the modes and reactions of the constraints of the affected islands, and of those that are joined to them. fired (n):
 * the events that were located. FALSE: rates have changed by impulses instead, and impacts have to be found anew. */
gboolean ifbam_event_update_active_set (IfbamEventEngine *self, double time,
                                        const IfbamCandidate *fired, guint n);

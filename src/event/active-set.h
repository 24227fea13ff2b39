/* active-set.h: the active constraints after an event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Finds and stores modes and reactions of constraints in the affected islands and those joined to
 * them. fired (n): located events. FALSE: impulses changed rates; find impacts again. */
gboolean ifbam_event_update_active_set (IfbamEventEngine *self, double time,
                                        const IfbamCandidate *fired, guint n);

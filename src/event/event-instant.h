/* event-instant.h: what happens at an instant: impulses first, then who holds
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* What happens at a time after the step's start to the affected islands and those that get drawn in:
 * links that fired (n), nodes that were struck (guint32; NULL: none). `affected` then lists the
 * islands as they are after it. */
void ifbam_event_instant (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n,
                          const GArray *struck);

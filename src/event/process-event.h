/* process-event.h: what happens at an instant: impulses first, then who holds
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* What happens at a time after the step's start to the affected islands and those that get drawn in, by
 * links that fired (n) and nodes that were struck. `affected` then lists the islands as they are after
 * it. An instant may have several rounds of this; who takes part is forgotten by ifbam_play_end (). */
void ifbam_event_instant (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                          guint n);

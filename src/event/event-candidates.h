/* event-candidates.h: which guards may be crossed in a step, and what comes first
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Candidates of a link, or of an island's reactions, for the heap. */
void ifbam_event_watch (IfbamEventEngine *self, guint32 link);

void ifbam_event_watch_island (IfbamEventEngine *self, guint32 island);

void ifbam_heap_push (GArray *heap, const IfbamCandidate *candidate);

IfbamCandidate ifbam_heap_pop (GArray *heap);

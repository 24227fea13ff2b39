/* event-candidates.h: search for candidate events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Adds the candidates of a link's guards within its islands' prediction to self->candidates.found.
 * Candidates that the link added before become invalid (stamp). */
void ifbam_event_find_candidates (IfbamEventEngine *self, guint32 link);
/* Adds the candidates of the reactions of an island's active constraints to
 * self->candidates.found. */
void ifbam_event_find_reaction_candidates (IfbamEventEngine *self, guint32 island);

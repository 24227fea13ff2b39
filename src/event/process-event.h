/* process-event.h: processing of one event: modes, impulses, active set, massless nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Processes an event at a time [s] after the step's start, of n fired links and the nodes with
 * external impulses. Advances the islands that it couples; `affected` lists the islands after it.
 * Several calls may make one event; ifbam_event_context_clear () clears its data. */
void ifbam_event_process (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                          guint n);

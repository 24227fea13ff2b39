/* time-events.h: processing of scheduled events, and of elements that monitors switch
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* Processes scheduled events (indices, guint32) of one time after the step's start; empties the
 * list. External impulses act on the state before it, then sources and modes change. */
void ifbam_event_process_time_events (IfbamEventEngine *self, double time, GArray *numbers);

/* Processes n candidates that fire at a time, and all that monitors then switch or trigger. */
void ifbam_event_process_chain (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                                guint n);
/* If a fired link is a monitor: changes its mode, logs that and applies the impulses it triggers. */
void ifbam_event_switch_monitor (IfbamEventEngine *self, double time, const IfbamCandidate *fired);

/* Processes the start of a run with n fired links. Where massless nodes are balanced, monitors may
 * switch elements; then the start is processed again. */
void ifbam_event_process_start (IfbamEventEngine *self, const IfbamCandidate *fired, guint n);

/* At a sample: sets switched sources and, if `links`, given nodes and links by their monitors. */
void ifbam_event_set_switched (IfbamEventEngine *self, gboolean links);

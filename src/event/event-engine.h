/* event-engine.h: engine for networks with mode changes, impulses and implicit schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Updates all that depends on the elements' parameters, after these have changed. */
void ifbam_event_update_parameters (IfbamEventEngine *self);

/* Ends a step that the objects executed in stages: locates and processes its events. */
void ifbam_event_end_manual_step (IfbamEventEngine *self);

/* Schedules a change at the present sample: of a source's law (IFBAM_TIME_EVENT_EDGE) or a given
 * node's motion (IFBAM_TIME_EVENT_MOTION). number: index of the source, or among the given
 * nodes. */
void ifbam_event_add_edge (IfbamEventEngine *self, IfbamTimeEventKind kind, guint32 index);

/* Sets all islands and given nodes to a time [s], for callers that integrate x, v by themselves. */
void ifbam_event_set_time (IfbamEventEngine *self, double time);
/* Processes the scheduled events of a time [s], then n candidates. FALSE: there were none. */
gboolean ifbam_event_process_at (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                                 guint n);

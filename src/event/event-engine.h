/* event-engine.h: executes a network whose links change their modes: steps and what cuts them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Steps from one on that end before an instant. */
guint64 ifbam_event_free_steps (const IfbamEventEngine *self, guint instant, guint64 step);

/* What was concluded from the elements' numbers is concluded anew. */
void ifbam_event_take_numbers (IfbamEventEngine *self);

/* After a step by hand: finds what happens within it, and ends it so. */
void ifbam_event_settle (IfbamEventEngine *self);

/* At a row: what a source (IFBAM_INSTANT_EDGE), or a given node (IFBAM_INSTANT_MOTION, from the first one on), does from there
 * on is not what it did. */
void ifbam_event_go_on_otherwise (IfbamEventEngine *self, IfbamInstantKind kind, guint32 number);

/* For who integrates the network by other means, from the start on: all stand at a time [s], where its x and v have been put. */
void ifbam_event_stand_at (IfbamEventEngine *self, double time);
/* What is given for that time happens, and what n candidates lead to. FALSE: nothing did. */
gboolean ifbam_event_happen_at (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                                guint n);
/* When something is given to happen next; infinite: never. */
double ifbam_event_next_instant (const IfbamEventEngine *self);

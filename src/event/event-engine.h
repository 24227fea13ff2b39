/* event-engine.h: executes a network whose links change their modes: steps and what cuts them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* Steps from one on that end before an instant. */
guint64 ifbam_event_free_steps (const IfbamEventEngine *self, guint instant, guint64 step);

/* What was concluded from the elements' numbers is concluded anew. */
void ifbam_event_take_numbers (IfbamEventEngine *self);

/* After a step by hand: finds what happens within it, and ends it so. */
void ifbam_event_settle (IfbamEventEngine *self);

/* At a row: what a source says from there on is not what it said. */
void ifbam_event_turn_source (IfbamEventEngine *self, guint32 source);

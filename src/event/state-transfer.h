/* state-transfer.h: hands a row's state to a compiled engine of the same network, and takes it back
 *
 * What compiled engines keep at a row is one list of numbers: columns of free nodes, then answers under way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* A component's state, into a compiled engine's; where its scheme begins with forces (stage_time[0] > 0) accelerations have been
 * asked for. */
void ifbam_event_say_state (const IfbamEventEngine *self, const IfbamComponent *component,
                            double *state);
/* A compiled engine's state of a component. Under a flip-flop scheme it is one cycle ahead of the row; what it does not know of
 * the cycle before it is asked for at the ends of links with modes only, for the course that these foresee. x, v: the row, maybe the
 * engine's own. */
void ifbam_event_hear_state (IfbamEventEngine *self, const IfbamComponent *component,
                             const double *x, const double *v, const double *state);
/* The engine stands after so many steps, with its given nodes; what moves freely is where it was put. */
void ifbam_event_stand_at_row (IfbamEventEngine *self, guint64 steps);
/* A given node at a row: a corner that belongs to the row has been turned there, on whichever side of it the row's time
 * was rounded to. */
void ifbam_event_given_at_row (const IfbamEventEngine *self, gsize node, guint64 row,
                               double *position, double *rate);

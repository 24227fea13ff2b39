/* state-transfer.h: transfer of a step's state between the event engine and the compiled engine
 *
 * A compiled engine's state is one array: columns of free nodes (n_free each), forces in flight.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Writes a component's state into a compiled engine's array. If the scheme begins with forces
 * (stage_time[0] > 0), self->nodes.acceleration has to be up to date. */
void ifbam_event_write_component (const IfbamEventEngine *self, const IfbamComponent *component,
                                  double *state);
/* Reads a component's state from a compiled engine's array. x, v: present positions and velocities,
 * maybe self->nodes.x and self->nodes.v. Under a flip-flop scheme the array is one cycle ahead;
 * column[2] is left to the caller. */
void ifbam_event_read_component (IfbamEventEngine *self, const IfbamComponent *component,
                                 const double *x, const double *v, const double *state);
/* Sets the engine to a number of steps, with its given nodes; free nodes are unchanged. */
void ifbam_event_set_step (IfbamEventEngine *self, guint64 steps);
/* Computes a given node's position and velocity at a step boundary. A corner at that boundary
 * counts as passed, whether its time is rounded up or down. */
void ifbam_event_given_at_row (const IfbamEventEngine *self, gsize node, guint64 row,
                               double *position, double *rate);

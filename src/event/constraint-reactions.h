/* constraint-reactions.h: reactions of active constraints
 *
 * J M^-1 P^T lambda = J a + (dJ/dt) v, a: accelerations without reactions, P: J plus the sliding
 * frictions on it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Adds the reactions of an island at coordinates (n_nodes) to self->nodes.force, the sum of the
 * other forces. time: for accelerations of given nodes [s]. */
void ifbam_event_solve_reactions (IfbamEventEngine *self, IfbamIsland *island,
                                  const double *position, const double *rate, double time);

/* Computes force and acceleration of an island's nodes (IFBAM_NONE: all); reactions: with them. */
void ifbam_event_accelerations (IfbamEventEngine *self, guint32 island, const double *position,
                                const double *rate, double time, gboolean reactions);

/* Correct the end of a step of h [s] by reactions at its start, so that it meets constraints
 * (RATTLE): messages under IFBAM_CONSTRAINTS_BY_MESSAGES, x1 and v1 under IFBAM_CONSTRAINTS_BY_MOVES, else
 * nothing. The start is x, v; meet_by_moves uses the rows stored there. island: IFBAM_NONE: all. */
void ifbam_event_satisfy_by_messages (IfbamEventEngine *self, guint32 island,
                                      const IfbamScheme *scheme, double h, const double *x,
                                      const double *v);
void ifbam_event_satisfy_by_moves (IfbamEventEngine *self, guint32 island,
                                   const IfbamScheme *scheme, double h, double *x1, double *v1);

/* Adds an island's constraint forces -P^T lambda to self->nodes.force and stores them in its
 * links. */
void ifbam_event_apply_reactions (IfbamEventEngine *self, const IfbamIsland *island);

/* Calls ifbam_event_solve_reactions () for an island, or for all with active constraints
 * (IFBAM_NONE). */
void ifbam_event_solve_all_reactions (IfbamEventEngine *self, guint32 island,
                                      const double *position, const double *rate, double time);

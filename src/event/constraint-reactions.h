/* constraint-reactions.h: reactions of active constraints, and projection onto constraints
 * J: Jacobian rows, P: force directions, M: inertias, lambda: reactions (J M^-1 P^T lambda = b)
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

/* Rebuilds an island's groups of merged nodes, its flags and, without curved rows, its factors. */
void ifbam_event_merge_nodes (IfbamEventEngine *self, IfbamIsland *island);

/* Returns the residual delta - gap + remaining gap of a contact or fixed constraint [m]; else 0. */
double ifbam_event_constraint_residual (const IfbamEventEngine *self, guint32 index,
                                        const double *position, const double *rate);

/* Correct the end of a step of h [s] by reactions at its start, so that it meets constraints
 * (RATTLE): messages under IFBAM_CONSTRAINTS_BY_MESSAGES, x1 and v1 under IFBAM_CONSTRAINTS_BY_MOVES, else
 * nothing. The start is x, v; meet_by_moves uses the rows stored there. island: IFBAM_NONE: all. */
void ifbam_event_satisfy_by_messages (IfbamEventEngine *self, guint32 island,
                                      const IfbamScheme *scheme, double h, const double *x,
                                      const double *v);
void ifbam_event_satisfy_by_moves (IfbamEventEngine *self, guint32 island,
                                   const IfbamScheme *scheme, double h, double *x1, double *v1);

/* Projects x, v (n_nodes) of an island onto its active constraints, at a time after the step's
 * start [s]. arrived: a mechanism's positions are met already; only rates are projected. */
void ifbam_event_project (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v,
                          double time, gboolean arrived);

/* List bilateral constraints, which transmit impulses. begin: returns an empty list (guint32, not
 * owned), valid until the next call. add: appends those of the islands of n nodes, each once. */
GArray *ifbam_event_list_bilateral (IfbamEventEngine *self);
void ifbam_event_add_bilateral (IfbamEventEngine *self, const guint32 *nodes, guint n);

/* Whether an island of the link's endpoints has a fixed constraint. */
gboolean ifbam_event_has_bilateral (IfbamEventEngine *self, guint32 link);

/* Returns the fraction of shared loads of a redundant constraint's row: of a friction its limit,
 * of others 1. */
double ifbam_link_row_share (const IfbamEventEngine *self, guint32 link);

/* Sets a row to the Jacobian measured last, with P = J. share: fraction of shared loads, > 0. */
void ifbam_link_row (const IfbamEventEngine *self, guint32 link, double share,
                     IfbamConstraintRow *row);

/* Adds the sliding frictions on a link to the force direction of its row. FALSE: the reaction would
 * pull the endpoints together instead of keeping them apart (Painleve 1895). */
gboolean ifbam_link_force_direction (const IfbamEventEngine *self, guint32 link,
                                     IfbamConstraintRow *row);

/* Adds only sliding planar frictions on a link to the force direction of its row. */
void ifbam_link_force_direction_in_plane (const IfbamEventEngine *self, guint32 link,
                                          IfbamConstraintRow *row);

/* Measure the rows of a link and of the frictions on it, from node columns or port values. */
void ifbam_link_measure_rows (IfbamEventEngine *self, guint32 link, const double *position,
                              const double *rate);
void ifbam_link_measure_rows_at (IfbamEventEngine *self, guint32 link, const double *x,
                                 const double *v);

/* Factors J M^-1 P^T of an island's rows, as measured last. pulls: P includes sliding frictions. */
void ifbam_event_factor_rows (const IfbamEventEngine *self, IfbamIsland *island, gboolean pulls);

/* Whether an island is a mechanism: it has fixed constraints, and rows that vary with positions. */
static inline gboolean
ifbam_island_is_mechanism (const IfbamIsland *island)
{
  return island->has_variable_rows && island->has_fixed && island->rows != NULL
         && island->rows->len > 0;
}

#define IFBAM_REFACTOR_RATIO 0.5 /* of the residual: old factors that leave more are too slow */

/* Factors J M^-1 P^T with J at x, v and P as measured last. If a mechanism passes a singular
 * position in between, both differ in sign, and factors of one position diverge at the other. */
void ifbam_event_factor_towards (IfbamEventEngine *self, IfbamIsland *island, const double *x,
                                 const double *v, gboolean pulls);

/* Factors the rows measured last and replaces the right-hand side in island->lambda by reactions.
 * Redundant rows with friction of two carriers share loads by least norm; this sets
 * `shares_load`. */
void ifbam_event_solve_rows (IfbamEventEngine *self, IfbamIsland *island);

/* Whether the row of this index is redundant, and the loads of the island were shared. */
gboolean ifbam_island_row_is_redundant (const IfbamIsland *island, guint row);

/* Stores the direction of the reactions of a friction's carriers; TRUE: it has changed. */
gboolean ifbam_event_turn_carrier_direction (IfbamEventEngine *self, guint32 carried,
                                             const double *reaction);
/* Updates the directions of all frictions from lambda. TRUE: one changed; rows are refactored. */
gboolean ifbam_event_turn_carrier_directions (IfbamEventEngine *self, IfbamIsland *island);

/* Returns the sliding friction with several carriers that begin with this link, or IFBAM_NONE. */
guint32 ifbam_event_friction_of_carriers (const IfbamEventEngine *self, guint32 index);

/* Returns the normal reaction of a friction [N]: its carrier's, or the norm of several (n). */
double ifbam_carrier_size (const double *reaction, guint n);

/* Returns the sticking limit of a friction [N] for reactions of its carriers (n_carriers) [N]. */
double ifbam_link_friction_limit (const IfbamEventEngine *self, guint32 carried,
                                  const double *reaction);

/* Adds an island's constraint forces -P^T lambda to self->nodes.force and stores them in its
 * links. */
void ifbam_event_apply_reactions (IfbamEventEngine *self, const IfbamIsland *island);

/* Calls ifbam_event_solve_reactions () for an island, or for all with active constraints
 * (IFBAM_NONE). */
void ifbam_event_solve_all_reactions (IfbamEventEngine *self, guint32 island,
                                      const double *position, const double *rate, double time);

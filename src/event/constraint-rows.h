/* constraint-rows.h: rows of constraints, their factors, and lists of bilateral ones
 *
 * J: Jacobian rows, P: force directions, M: inertias, lambda: reactions (J M^-1 P^T lambda = b)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

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

/* Old factors that leave more than this fraction of the residual are too slow. */
#define IFBAM_REFACTOR_RATIO 0.5

/* Factors J M^-1 P^T with J at x, v and P as measured last. If a mechanism passes a singular
 * position in between, both differ in sign, and factors of one position diverge at the other. */
void ifbam_event_factor_towards (IfbamEventEngine *self, IfbamIsland *island, const double *x,
                                 const double *v, gboolean pulls);

/* List bilateral constraints, which transmit impulses. begin: returns an empty list (guint32, not
 * owned), valid until the next call. add: appends those of the islands of n nodes, each once. */
GArray *ifbam_event_list_bilateral (IfbamEventEngine *self);
void ifbam_event_add_bilateral (IfbamEventEngine *self, const guint32 *nodes, guint n);

/* Whether an island of the link's endpoints has a fixed constraint. */
gboolean ifbam_event_has_bilateral (IfbamEventEngine *self, guint32 link);

/* Returns J times the accelerations of the nodes; has_given: those of given nodes, too. */
double ifbam_event_row_acceleration (const IfbamEventEngine *self, const IfbamLink *link,
                                     const double *row, gboolean has_given, double time);

/* Measures the rows of the frictions on a link. */
void ifbam_event_measure_carried (IfbamEventEngine *self, guint32 index, const double *position,
                                  const double *rate);

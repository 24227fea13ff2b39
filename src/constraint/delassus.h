/* delassus.h: inverse masses of constraint rows, with bilateral constraints eliminated
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint-system.h"

/* Computes w (n x n): the rate of row i by an impulse of 1 along row j, at constant rates of the
 * ties (n_ties bilateral rows); share (n x n_ties): the impulse of tie a by that along row j.
 * Leaves the ties factored in system. node_scratch (n_nodes): all G_MAXUINT32 before and after. */
void ifbam_delassus_eliminate (IfbamConstraintSystem *system, const IfbamConstraintRow *rows,
                               guint n, const IfbamConstraintRow *ties, guint n_ties,
                               const double *inverse_mass, guint32 *node_scratch, double *w,
                               double *share);

/* delassus.h: inverse masses of constraint rows, with constraints that transmit their impulses eliminated
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint-system.h"

/* Computes w (n x n): the rate that row i gets by an impulse of 1 along row j, while the rates of the ties (n_ties) stay as they
 * are; share (n x n_ties): the impulse of tie a for one of 1 along row j. Side effect: the ties are left factored in system.
 * node_scratch: one per node, all G_MAXUINT32 before and after. */
void ifbam_delassus_eliminate (IfbamReactions *system, const IfbamRow *rows, guint n,
                               const IfbamRow *ties, guint n_ties, const double *inverse_mass,
                               guint32 *node_scratch, double *w, double *share);

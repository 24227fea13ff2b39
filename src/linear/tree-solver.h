/* tree-solver.h: K + i omega C - omega^2 M of networks without loops, solved from the leaves without fill
 *
 * Chains, trees and ladders have no loop: a node that has one neighbour left is eliminated without a new
 * entry, so that a solution takes two sweeps. There are no pivots: what comes out is refined once where
 * elements grew, and is no solution where it still does not fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/sparse-matrix.h"

typedef struct _IfbamForest IfbamForest;

/* damping may be NULL; nothing is kept of the matrices. NULL: there is a loop. */
IfbamForest *ifbam_forest_new (const IfbamSparse *stiffness, const IfbamSparse *damping,
                               const double *inertia);
void ifbam_forest_free (IfbamForest *forest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamForest, ifbam_forest_free)

/* (K + i omega C - omega^2 M) x = b_real + i omega b_damping (n each). FALSE: it is not solved well. */
gboolean ifbam_forest_solve (IfbamForest *forest, double omega, const double *b_stiffness,
                             const double *b_damping, double *real, double *imaginary);

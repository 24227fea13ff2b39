/* tree-solver.h: solves K + i omega C - omega^2 M of networks without loops, from the leaves
 *
 * In chains and trees a node with one remaining neighbour is eliminated without fill, so that a
 * solution takes two sweeps. There is no pivoting: if elements grew, the solution is refined once,
 * and rejected if its residual is too large.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/sparse-matrix.h"

typedef struct _IfbamForest IfbamForest;

/* damping may be NULL; the matrices are copied. NULL: there is a loop. */
IfbamForest *ifbam_forest_new (const IfbamSparse *stiffness, const IfbamSparse *damping,
                               const double *inertia);
void ifbam_forest_free (IfbamForest *forest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamForest, ifbam_forest_free)

/* Solves (K + i omega C - omega^2 M) x = b_real + i omega b_damping (n each). FALSE: inaccurate. */
gboolean ifbam_forest_solve (IfbamForest *forest, double omega, const double *b_stiffness,
                             const double *b_damping, double *real, double *imaginary);

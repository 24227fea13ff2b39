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

typedef struct _IfbamTreeSolver IfbamTreeSolver;

/* damping may be NULL; the matrices are copied. NULL: there is a loop. */
IfbamTreeSolver *ifbam_tree_solver_new (const IfbamSparse *stiffness, const IfbamSparse *damping,
                                        const double *inertia);
void ifbam_tree_solver_free (IfbamTreeSolver *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamTreeSolver, ifbam_tree_solver_free)

/* Solves (K + i omega C - omega^2 M) x = b_real + i omega b_damping (n each). FALSE: inaccurate. */
gboolean ifbam_tree_solver_solve (IfbamTreeSolver *solver, double omega, const double *b_stiffness,
                                  const double *b_damping, double *real, double *imaginary);

/* sparse-solver.h: linear systems with a symmetric pattern: L D U without pivoting; freestanding C
 *
 * The order is found by minimum degree, which causes no fill on trees and chains. Pattern, order
 * and memory are reused while the pattern stays. The values may be unsymmetric: otherwise half of
 * the work is done. There is no pivoting: vanishing pivots are reported, and the remedy is a shift
 * of the diagonal; refinement reduces its error as far as possible (iterated Tikhonov).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdint.h>

typedef struct _IfbamSolver IfbamSolver;

IfbamSolver *ifbam_solver_new (void);
/* May be NULL. */
void ifbam_solver_free (IfbamSolver *self);

/* Row i has entries in column[start[i]] to column[start[i + 1] - 1], each once, including the
 * diagonal; the pattern is symmetric. */
void ifbam_solver_set_pattern (IfbamSolver *self, uint32_t n, const uint32_t *start,
                               const uint32_t *column);
/* Sets a function that is called from time to time during ordering and factorization; if it returns
 * 0 the work stops, and the factors are invalid. */
void ifbam_solver_set_interrupt_check (IfbamSolver *self, int (*may_continue) (void *data),
                                       void *data);
/* Returns the values of the pattern's entries, in its order, which the caller sets. */
double *ifbam_solver_values (IfbamSolver *self);
/* Returns the number of entries of L below its diagonal. */
uint64_t ifbam_solver_fill (const IfbamSolver *self);

/* Factors the values. A pivot vanishes below tolerance times its diagonal; returns the number of
 * these, which are replaced by the shift's addition, or the diagonal (or 1). shift: added to the
 * diagonal as a fraction of it (n), or NULL. */
uint32_t ifbam_solver_factor (IfbamSolver *self, const double *shift, double tolerance);
/* Lists the rows with vanished pivots in the last factorization. */
void ifbam_solver_vanished (const IfbamSolver *self, uint32_t *rows);

/* Returns absolute values of the last pivots (n), 0: vanished; the pattern gives their order. */
void ifbam_solver_sizes (const IfbamSolver *self, double *size);

/* Solves for x (n; may be b), refined up to `most` times while that halves the residual. Returns
 * the largest residual, relative to the sum of its absolute terms. */
double ifbam_solver_solve (IfbamSolver *self, const double *b, double *x, unsigned int most);

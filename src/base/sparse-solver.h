/* sparse-solver.h: linear systems whose pattern is symmetric: L D U without pivoting; freestanding C
 *
 * The order is found by minimum degree, which on trees and chains fills nothing. Pattern, order and memory
 * are kept while the pattern stays. The values need not be symmetric: where they are, half of the work is
 * done. Nothing pivots: a pivot that vanishes is told, and a shift of the diagonal, whose error
 * refinement takes away again as far as the system has an answer (iterated Tikhonov), is the way out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdint.h>

typedef struct _IfbamSolver IfbamSolver;

IfbamSolver *ifbam_solver_new (void);
/* NULL: nothing. */
void ifbam_solver_free (IfbamSolver *self);

/* Row i has entries in column[start[i]] to column[start[i + 1] - 1], each once, the diagonal among them;
 * (i, j) is there if (j, i) is. */
void ifbam_solver_set_pattern (IfbamSolver *self, uint32_t n, const uint32_t *start,
                               const uint32_t *column);
/* Who is asked now and then, while it looks for an order and factors, whether to go on: it stops where that is 0, and its
 * factors are nobody's then. */
void ifbam_solver_ask (IfbamSolver *self, int (*goes_on) (void *data), void *data);
/* The values of the pattern's entries, in its order: the caller's to set. */
double *ifbam_solver_values (IfbamSolver *self);
/* How many entries L has below its diagonal. */
uint64_t ifbam_solver_fill (const IfbamSolver *self);

/* Factors the values. A pivot vanishes below tolerance times its diagonal; returns how many did, each of which
 * is replaced by what the shift adds, or its diagonal (or 1). shift: is added to the diagonal as a part of it (n), or
 * NULL. */
uint32_t ifbam_solver_factor (IfbamSolver *self, const double *shift, double tolerance);
/* Lists the rows whose pivots vanished the last time. */
void ifbam_solver_vanished (const IfbamSolver *self, uint32_t *rows);

/* The sizes of the last pivots (n), 0 where one vanished: in an order that stays while the pattern does. */
void ifbam_solver_sizes (const IfbamSolver *self, double *size);

/* Solves for x (n; may be b), refined up to `most` times as long as that halves the residual. Returns the
 * largest residual in parts of what it is the difference of. */
double ifbam_solver_solve (IfbamSolver *self, const double *b, double *x, unsigned int most);

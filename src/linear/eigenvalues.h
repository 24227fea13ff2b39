/* eigenvalues.h: eigenvalues of matrices by LAPACK, of operators by ARPACK
 *
 * Anderson et al. 1999, LAPACK Users' Guide; Lehoucq, Sorensen & Yang 1998, ARPACK Users' Guide.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>
#include <glib.h>

/* CMPLX of C11, which some compilers lack. */
static inline double complex
ifbam_complex (double real, double imaginary)
{
  const union
  {
    double part[2];
    double complex number;
  } whole = { { real, imaginary } };

  return whole.number;
}

/* y = A x, n each. */
typedef void (*IfbamOperator) (gpointer data, const double *x, double *y);

/* All eigenvalues of an n x n matrix by columns, which is overwritten. FALSE: no convergence. */
gboolean ifbam_eigenvalues_symmetric (gsize n, double *matrix, double *value /* ascending */);
gboolean ifbam_eigenvalues_general (gsize n, double *matrix, double complex *value);

/* Sorts complex numbers by magnitude. */
void ifbam_eigenvalues_sort (gsize n, double complex *value);

/* Eigenvalues of B^-1 A by rising imaginary part, n x n matrices by columns, which are overwritten.
 * FALSE: B is singular, or no convergence. */
gboolean ifbam_eigenvalues_complex (gsize n, double complex *A, double complex *B,
                                    double complex *value);

/* Solves A x = b, x in b; A (n)(n) by columns, overwritten. FALSE: A is singular. */
gboolean ifbam_solve_complex (gsize n, double complex *matrix, double complex *b);
/* matrix: symmetric, overwritten. */
gboolean ifbam_is_positive_definite (gsize n, double *matrix);

/* Computes the largest or smallest eigenvalue of a symmetric operator by Lanczos with restarts, to
 * a relative error of `tolerance`, with at most max_products products. FALSE: not reached. *value
 * is the best estimate in any case, from inside the spectrum. */
gboolean ifbam_eigenvalue_extreme (gsize n, IfbamOperator apply, gpointer data, gboolean largest,
                                   double tolerance, guint max_products, double *value);

/* Computes eigenvalues of the largest modulus of an operator by Arnoldi with restarts. Writes up to
 * `wanted` values by falling modulus and returns their number: those converged to `tolerance`
 * within max_products products. */
gsize ifbam_eigenvalues_largest (gsize n, IfbamOperator apply, gpointer data, gsize wanted,
                                 double tolerance, guint max_products, double complex *value);

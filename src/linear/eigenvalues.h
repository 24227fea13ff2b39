/* eigenvalues.h: eigenvalues of matrices by LAPACK, of operators by ARPACK
 *
 * Anderson et al. 1999, LAPACK Users' Guide; Lehoucq, Sorensen & Yang 1998, ARPACK Users' Guide.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>
#include <glib.h>

/* C11's CMPLX, which not every compiler has. */
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

/* All eigenvalues of an n x n matrix, by columns, which is lost. FALSE where they do not converge. */
gboolean ifbam_eigenvalues_symmetric (gsize n, double *matrix, double *value /* ascending */);
gboolean ifbam_eigenvalues_general (gsize n, double *matrix, double complex *value);

/* A x = b, x in b's place; A (n)(n) by columns, overwritten. FALSE: it is singular. */
gboolean ifbam_solve_complex (gsize n, double complex *matrix, double complex *b);
/* Of a symmetric matrix, overwritten. */
gboolean ifbam_is_positive_definite (gsize n, double *matrix);

/* An end of the spectrum of a symmetric operator (the largest, or the smallest eigenvalue), by Lanczos
 * with restarts: to a relative error of `tolerance`, by at most so many products. Returns whether that was
 * reached; *value is the best so far in any case, from inside the spectrum. */
gboolean ifbam_eigenvalue_extreme (gsize n, IfbamOperator apply, gpointer data, gboolean largest,
                                   double tolerance, guint most_products, double *value);

/* Eigenvalues of the largest modulus of any operator, by Arnoldi with restarts. Writes up to `wanted`
 * values by falling modulus and returns how many; 0 where none converged to `tolerance` within so many
 * products. */
gsize ifbam_eigenvalues_largest (gsize n, IfbamOperator apply, gpointer data, gsize wanted,
                                 double tolerance, guint most_products, double complex *value);

/* sparse-matrix.h: sparse symmetric matrices, and their factors by SuiteSparse
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>
#include <glib.h>

/* A square matrix by columns, both triangles. */
typedef struct
{
  gsize n;
  gint32 *start; /* start of each column (n + 1) */
  gint32 *row;   /* increasing in each column (start[n]) */
  double *value; /* (start[n]) */
} IfbamSparse;

void ifbam_sparse_free (IfbamSparse *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSparse, ifbam_sparse_free)

/* Entries of an n x n matrix in any order; entries at the same position are added (n: 0 for any).
 * If there are more entries than positions, as for a chain of rods in which each row acts on all
 * angles, they are stored as a dense matrix. */
typedef struct
{
  gsize n, n_entries, n_reserved;
  gint32 *row, *column; /* (n_entries) */
  double *value;        /* (n_entries) */
  double
      *full;  /* dense matrix by columns (n x n), or NULL; then row, column and value are unused */
  char *lack; /* message if memory was short: later entries are missing */
} IfbamTriplets;

void ifbam_triplets_add (IfbamTriplets *triplets, gsize row, gsize column, double value);
void ifbam_triplets_clear (IfbamTriplets *triplets);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamTriplets, ifbam_triplets_clear)

/* Makes an n x n matrix with all diagonal entries, also if they are 0. Entries at the same position
 * are added in their order. NULL with IFBAM_ERROR_NETWORK: too many entries. */
IfbamSparse *ifbam_sparse_new (gsize n, const IfbamTriplets *triplets, GError **error);

/* Returns a A + b B + c D with a diagonal D. A has all diagonal entries; B (with b) and D (with c)
 * may be NULL. The sum has all entries of A and B, so that sums of the same matrices have equal
 * patterns. */
IfbamSparse *ifbam_sparse_sum (double a, const IfbamSparse *A, double b, const IfbamSparse *B,
                               double c, const double *D);
/* Replaces row and column i by those of the unit matrix. */
void ifbam_sparse_pin (IfbamSparse *matrix, gsize i);
/* y = A x */
void ifbam_sparse_multiply (const IfbamSparse *matrix, const double *x, double *y);

typedef enum
{
  IFBAM_FACTOR_CHOLESKY, /* L L^T by CHOLMOD: for positive definite matrices */
  IFBAM_FACTOR_LDL,      /* L D L^T by CHOLMOD, without pivoting: if a test solution is accurate */
  IFBAM_FACTOR_LU,       /* by UMFPACK, with pivoting: for any matrix */
} IfbamFactorKind;

typedef enum
{
  IFBAM_FACTOR_DONE,
  IFBAM_FACTOR_SINGULAR, /* not positive definite (Cholesky), or inaccurate (L D L^T) */
  IFBAM_FACTOR_NO_MEMORY,
} IfbamFactorStatus;

typedef struct _IfbamFactor IfbamFactor;

/* matrix: not owned, must outlive the factor. NULL: *status has the reason. */
IfbamFactor *ifbam_factor_new (const IfbamSparse *matrix, IfbamFactorKind kind,
                               IfbamFactorStatus *status);
/* LU of real + i imaginary, two matrices with equal patterns; they must outlive the factor. */
IfbamFactor *ifbam_factor_new_complex (const IfbamSparse *real, const IfbamSparse *imaginary,
                                       IfbamFactorStatus *status);
void ifbam_factor_free (IfbamFactor *factor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFactor, ifbam_factor_free)

/* Solves A x = b (n each, different arrays). FALSE: too little memory. */
gboolean ifbam_factor_solve (IfbamFactor *factor, const double *b, double *x);
gboolean ifbam_factor_solve_complex (IfbamFactor *factor, const double complex *b,
                                     double complex *x);

/* Returns the number of entries of a symmetric factor, which a solution reads. */
double ifbam_factor_entries (const IfbamFactor *factor);
/* Returns the number of negative eigenvalues: the negative pivots of L D L^T (Sylvester 1852). */
gsize ifbam_factor_count_negative (const IfbamFactor *factor);

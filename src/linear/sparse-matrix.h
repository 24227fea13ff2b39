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
  gint32 *start; /* of each column's entries (n + 1) */
  gint32 *row;   /* increasing in each column (start[n]) */
  double *value; /* (start[n]) */
} IfbamSparse;

void ifbam_sparse_free (IfbamSparse *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSparse, ifbam_sparse_free)

/* Entries of an n x n matrix in any order, several in one place adding up (n: 0 for any). Where there are more of them than
 * places, as where each row of a chain of rods pulls at all of its angles, all stand in the matrix itself. */
typedef struct
{
  gsize n, n_entries, n_reserved;
  gint32 *row, *column; /* (n_entries) */
  double *value;        /* (n_entries) */
  double *full; /* the matrix by columns (n x n), or NULL: then there are no other entries */
  char *lack;   /* of memory: then what came since is missing */
} IfbamTriplets;

void ifbam_triplets_add (IfbamTriplets *triplets, gsize row, gsize column, double value);
void ifbam_triplets_clear (IfbamTriplets *triplets);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamTriplets, ifbam_triplets_clear)

/* An n x n matrix of them and of a diagonal that is there even where it is 0. Entries of one place add up
 * in their order. NULL with IFBAM_ERROR_NETWORK where there are more than 2^31 - 1, or there was no memory for them. */
IfbamSparse *ifbam_sparse_new (gsize n, const IfbamTriplets *triplets, GError **error);

/* a A + b B + c D with a diagonal D. A has all diagonal entries; B (with b) and D (with c) may be NULL. The sum has all entries
 * of A and B, also those that vanish, so sums of the same matrices have them in the same places. */
IfbamSparse *ifbam_sparse_sum (double a, const IfbamSparse *A, double b, const IfbamSparse *B,
                               double c, const double *D);
/* Row and column i become those of the unit matrix. */
void ifbam_sparse_pin (IfbamSparse *matrix, gsize i);
/* y = A x */
void ifbam_sparse_multiply (const IfbamSparse *matrix, const double *x, double *y);

typedef enum
{
  IFBAM_FACTOR_CHOLESKY, /* L L^T by CHOLMOD: for positive definite matrices */
  IFBAM_FACTOR_LDL,      /* L D L^T by CHOLMOD, without pivots: where a solution comes out well */
  IFBAM_FACTOR_LU,       /* by UMFPACK, with pivots: for any */
} IfbamFactorKind;

typedef enum
{
  IFBAM_FACTOR_DONE,
  IFBAM_FACTOR_SINGULAR, /* or not positive definite, for Cholesky; or inaccurate, for L D L^T */
  IFBAM_FACTOR_NO_MEMORY,
} IfbamFactorStatus;

typedef struct _IfbamFactor IfbamFactor;

/* matrix (not owned, must stay) or NULL with why in *status. */
IfbamFactor *ifbam_factor_new (const IfbamSparse *matrix, IfbamFactorKind kind,
                               IfbamFactorStatus *status);
/* LU of real + i imaginary, two matrices with the same entries (not owned, must stay). */
IfbamFactor *ifbam_factor_new_complex (const IfbamSparse *real, const IfbamSparse *imaginary,
                                       IfbamFactorStatus *status);
void ifbam_factor_free (IfbamFactor *factor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFactor, ifbam_factor_free)

/* A x = b (n each, not the same place). FALSE if memory is short. */
gboolean ifbam_factor_solve (IfbamFactor *factor, const double *b, double *x);
gboolean ifbam_factor_solve_complex (IfbamFactor *factor, const double complex *b,
                                     double complex *x);

/* Entries of a symmetric factor: what a solve goes through. */
double ifbam_factor_entries (const IfbamFactor *factor);
/* How many eigenvalues are below zero: as many as there are negative pivots in L D L^T (Sylvester
 * 1852), which this is. */
gsize ifbam_factor_count_negative (const IfbamFactor *factor);

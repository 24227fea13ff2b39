/* sparse-matrix.c: sparse symmetric matrices, and their factors by SuiteSparse
 *
 * CHOLMOD: Chen, Davis, Hager & Rajamanickam 2008, ACM TOMS 35(3). UMFPACK: Davis 2004, ibid.
 * 30(2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/sparse-matrix.h"

#include <cholmod.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <umfpack.h>

#include "base/fail.h"
#include "base/memory.h"

/* Largest relative residual of an accurate solution. */
#define SOLUTION_TOLERANCE 1e-11

struct _IfbamFactor
{
  IfbamFactorKind kind;
  const IfbamSparse *real, *imaginary; /* imaginary: NULL unless complex */

  cholmod_common common; /* Cholesky */
  cholmod_factor *cholesky;
  cholmod_dense *y, *e; /* workspace of solutions */

  void *numeric; /* LU */
  double control[UMFPACK_CONTROL];
  gint32 *permutation;
  double *work; /* complex: 4 n for both sides, then UMFPACK's 10 n; else UMFPACK's 5 n */
};

/* Matrices */

void
ifbam_sparse_free (IfbamSparse *matrix)
{
  if (matrix == NULL)
    return;
  g_free (matrix->start);
  g_free (matrix->row);
  g_free (matrix->value);
  g_free (matrix);
}

/* Above this number of entries (50 MB) the matrix may become dense, and memory is checked. */
#define MANY 3e6

/* FALSE: too little memory for more entries. */
static gboolean
reserve_entries (IfbamTriplets *triplets)
{
  const double places = (double) triplets->n * (double) triplets->n;
  const double more = MAX (1024, 1.5 * (double) triplets->n_reserved);
  const gboolean fills = triplets->n > 0 && (double) triplets->n_entries > MAX (places, MANY);
  /* New entries, and memory of ifbam_sparse_new (). */
  const double bytes =
      fills ? 2.5 * sizeof (double) * places
            : 16 * (more - (double) triplets->n_reserved) + 12 * (more + (double) triplets->n);

  if (triplets->lack == NULL && more > MANY)
    triplets->lack = ifbam_memory_lack (bytes);
  if (triplets->lack != NULL)
    return FALSE;
  if (!fills)
    {
      triplets->n_reserved = (gsize) more;
      triplets->row = g_renew (gint32, triplets->row, triplets->n_reserved);
      triplets->column = g_renew (gint32, triplets->column, triplets->n_reserved);
      triplets->value = g_renew (double, triplets->value, triplets->n_reserved);
      return TRUE;
    }
  triplets->full = g_new0 (double, triplets->n * triplets->n);
  for (gsize i = 0; i < triplets->n_entries; i++)
    triplets->full[(gsize) triplets->row[i] + (gsize) triplets->column[i] * triplets->n] +=
        triplets->value[i];
  triplets->n_entries = triplets->n_reserved = 0;
  g_clear_pointer (&triplets->row, g_free);
  g_clear_pointer (&triplets->column, g_free);
  g_clear_pointer (&triplets->value, g_free);
  return TRUE;
}

void
ifbam_triplets_add (IfbamTriplets *triplets, gsize row, gsize column, double value)
{
  if (triplets->full == NULL && triplets->n_entries == triplets->n_reserved
      && !reserve_entries (triplets))
    return;
  if (triplets->full != NULL)
    {
      triplets->full[row + column * triplets->n] += value;
      return;
    }
  triplets->row[triplets->n_entries] = (gint32) row;
  triplets->column[triplets->n_entries] = (gint32) column;
  triplets->value[triplets->n_entries++] = value;
}

void
ifbam_triplets_clear (IfbamTriplets *triplets)
{
  g_free (triplets->row);
  g_free (triplets->column);
  g_free (triplets->value);
  g_free (triplets->full);
  g_free (triplets->lack);
}

typedef struct
{
  gint32 row, turn;
  double value;
} Entry;

static int
compare_entries (const void *a, const void *b)
{
  const Entry *one = a, *other = b;

  if (one->row != other->row)
    return one->row < other->row ? -1 : 1;
  return one->turn < other->turn ? -1 : one->turn > other->turn;
}

/* Sorts entries of a column by row and adds those of one row; returns the number left. */
static gint32
tidy_column (gint32 *row, double *value, gsize n, GArray *scratch)
{
  Entry *entries;
  gint32 last = -1;

  g_array_set_size (scratch, (guint) n);
  entries = (Entry *) (gpointer) scratch->data;
  for (gsize i = 0; i < n; i++)
    entries[i] = (Entry){ row[i], (gint32) i, value[i] };
  qsort (entries, n, sizeof *entries, compare_entries);
  for (gsize i = 0; i < n; i++)
    if (last >= 0 && row[last] == entries[i].row)
      value[last] += entries[i].value;
    else
      {
        last++;
        row[last] = entries[i].row;
        value[last] = entries[i].value;
      }
  return last + 1;
}

static IfbamSparse *
new_of_full (gsize n, const double *full)
{
  IfbamSparse *matrix = g_new0 (IfbamSparse, 1);
  gsize size = 0;

  for (gsize i = 0; i < n * n; i++)
    size += full[i] != 0 || i % n == i / n;
  matrix->n = n;
  matrix->start = g_new0 (gint32, n + 1);
  matrix->row = g_new (gint32, size);
  matrix->value = g_new (double, size);
  size = 0;
  for (gsize j = 0; j < n; j++)
    {
      for (gsize i = 0; i < n; i++)
        if (full[i + j * n] != 0 || i == j)
          {
            matrix->row[size] = (gint32) i;
            matrix->value[size++] = full[i + j * n];
          }
      matrix->start[j + 1] = (gint32) size;
    }
  return matrix;
}

IfbamSparse *
ifbam_sparse_new (gsize n, const IfbamTriplets *triplets, GError **error)
{
  const gsize most = n + (triplets->full != NULL ? n * n : triplets->n_entries);
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (IfbamSparse) matrix = g_new0 (IfbamSparse, 1);
  g_autofree gint32 *next = NULL;
  gint32 kept = 0;

  if (most > G_MAXINT32)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "the network is too large for its matrices: %" G_GSIZE_FORMAT
                            " entries, %d are the most",
                            most, G_MAXINT32);
  if (triplets->lack != NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "the network's matrices would take %s",
                            triplets->lack);
  if (triplets->full != NULL)
    return new_of_full (n, triplets->full);
  matrix->n = n;
  matrix->start = g_new0 (gint32, n + 1);
  matrix->row = g_new (gint32, most + 1);
  matrix->value = g_new (double, most + 1);
  next = g_new (gint32, n + 1);
  for (gsize i = 0; i < triplets->n_entries; i++)
    matrix->start[triplets->column[i] + 1]++;
  for (gsize i = 0; i < n; i++)
    {
      matrix->start[i + 1] += matrix->start[i] + 1;
      next[i] = matrix->start[i] + 1;
      matrix->row[matrix->start[i]] = (gint32) i;
      matrix->value[matrix->start[i]] = 0.0;
    }
  for (gsize i = 0; i < triplets->n_entries; i++)
    {
      const gint32 place = next[triplets->column[i]]++;

      matrix->row[place] = triplets->row[i];
      matrix->value[place] = triplets->value[i];
    }
  for (gsize i = 0; i < n; i++)
    {
      const gint32 start = matrix->start[i];
      const gint32 count = tidy_column (matrix->row + start, matrix->value + start,
                                        (gsize) (next[i] - start), scratch);

      memmove (matrix->row + kept, matrix->row + start, (gsize) count * sizeof (gint32));
      memmove (matrix->value + kept, matrix->value + start, (gsize) count * sizeof (double));
      matrix->start[i] = kept;
      kept += count;
    }
  matrix->start[n] = kept;
  return g_steal_pointer (&matrix);
}

IfbamSparse *
ifbam_sparse_sum (double a, const IfbamSparse *A, double b, const IfbamSparse *B, double c,
                  const double *D)
{
  const gsize most = (gsize) A->start[A->n] + (B != NULL ? (gsize) B->start[B->n] : 0);
  IfbamSparse *sum = g_new0 (IfbamSparse, 1);
  gint32 n = 0;

  sum->n = A->n;
  sum->start = g_new (gint32, A->n + 1);
  sum->row = g_new (gint32, most + 1);
  sum->value = g_new (double, most + 1);
  for (gsize column = 0; column < A->n; column++)
    {
      gint32 i = A->start[column], j = B != NULL ? B->start[column] : 0;
      const gint32 end_i = A->start[column + 1], end_j = B != NULL ? B->start[column + 1] : 0;

      sum->start[column] = n;
      while (i < end_i || j < end_j)
        {
          const gint32 row_i = i < end_i ? A->row[i] : G_MAXINT32;
          const gint32 row_j = j < end_j ? B->row[j] : G_MAXINT32;
          const gint32 row = MIN (row_i, row_j);
          double value = 0;

          if (row_i == row)
            value += a * A->value[i++];
          if (row_j == row)
            value += b * B->value[j++];
          if ((gsize) row == column && D != NULL)
            value += c * D[column];
          sum->row[n] = row;
          sum->value[n++] = value;
        }
    }
  sum->start[sum->n] = n;
  return sum;
}

void
ifbam_sparse_pin (IfbamSparse *matrix, gsize i)
{
  for (gint32 p = matrix->start[i]; p < matrix->start[i + 1]; p++)
    {
      const gsize other = (gsize) matrix->row[p];

      matrix->value[p] = other == i ? 1.0 : 0.0;
      for (gint32 q = matrix->start[other]; q < matrix->start[other + 1] && other != i; q++)
        if ((gsize) matrix->row[q] == i)
          matrix->value[q] = 0.0;
    }
}

void
ifbam_sparse_multiply (const IfbamSparse *matrix, const double *x, double *y)
{
  /* Rows equal columns, as the matrix is symmetric. */
  for (gsize column = 0; column < matrix->n; column++)
    {
      double sum = 0;

      for (gint32 i = matrix->start[column]; i < matrix->start[column + 1]; i++)
        sum += matrix->value[i] * x[matrix->row[i]];
      y[column] = sum;
    }
}

/* Factors */

/* CHOLMOD reads the lower triangle. */
static cholmod_sparse
lower_triangle (const IfbamSparse *matrix)
{
  return (cholmod_sparse){ .nrow = matrix->n,
                           .ncol = matrix->n,
                           .nzmax = (gsize) matrix->start[matrix->n],
                           .p = matrix->start,
                           .i = matrix->row,
                           .x = matrix->value,
                           .stype = -1,
                           .itype = CHOLMOD_INT,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE,
                           .sorted = TRUE,
                           .packed = TRUE };
}

static void
begin (cholmod_common *common)
{
  cholmod_start (common);
  common->print = 0;
  /* Approximate minimum degree (Amestoy, Davis & Duff 1996): fast, and deterministic. */
  common->nmethods = 1;
  common->method[0].ordering = CHOLMOD_AMD;
}

static IfbamFactorStatus
status_of (const cholmod_common *common)
{
  if (common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE)
    return IFBAM_FACTOR_NO_MEMORY;
  return common->status == CHOLMOD_OK ? IFBAM_FACTOR_DONE : IFBAM_FACTOR_SINGULAR;
}

/* CHOLMOD factors small matrices as L D L^T, also with negative D. */
static gboolean
is_definite (const IfbamFactor *factor)
{
  return factor->cholesky->is_super || factor->cholesky->is_ll
         || ifbam_factor_count_negative (factor) == 0;
}

static IfbamFactorStatus
factor_symmetric (IfbamFactor *factor)
{
  cholmod_sparse matrix = lower_triangle (factor->real);

  begin (&factor->common);
  factor->common.quick_return_if_not_posdef = TRUE;
  if (factor->kind == IFBAM_FACTOR_LDL)
    {
      factor->common.supernodal = CHOLMOD_SIMPLICIAL;
      factor->common.final_ll = FALSE;
    }
  factor->cholesky = cholmod_analyze (&matrix, &factor->common);
  if (factor->cholesky != NULL)
    cholmod_factorize (&matrix, factor->cholesky, &factor->common);
  if (status_of (&factor->common) == IFBAM_FACTOR_DONE && factor->kind == IFBAM_FACTOR_CHOLESKY
      && !is_definite (factor))
    return IFBAM_FACTOR_SINGULAR;
  return status_of (&factor->common);
}

/* Checks a test solution: without pivoting it may be inaccurate. */
static gboolean
is_accurate (IfbamFactor *factor)
{
  const gsize n = factor->real->n;
  g_autofree double *b = g_new (double, n + 1), *x = g_new (double, n + 1);
  double most = 0, off = 0;

  for (gsize i = 0; i < n; i++)
    b[i] = 1.0 + 0.5 * (double) (i * 2654435761u % 1024) / 1024;
  if (!ifbam_factor_solve (factor, b, x))
    return FALSE;
  for (gsize column = 0; column < n; column++)
    {
      double sum = -b[column], size = fabs (b[column]);

      for (gint32 i = factor->real->start[column]; i < factor->real->start[column + 1]; i++)
        {
          sum += factor->real->value[i] * x[factor->real->row[i]];
          size += fabs (factor->real->value[i] * x[factor->real->row[i]]);
        }
      off = fmax (off, fabs (sum));
      most = fmax (most, size);
    }
  return off <= SOLUTION_TOLERANCE * most;
}

static IfbamFactorStatus
factor_lu (IfbamFactor *factor)
{
  const gint32 n = (gint32) factor->real->n;
  const IfbamSparse *real = factor->real, *imaginary = factor->imaginary;
  void *symbolic = NULL;
  int status;

  if (imaginary == NULL)
    umfpack_di_defaults (factor->control);
  else
    umfpack_zi_defaults (factor->control);
  factor->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  factor->control[UMFPACK_IRSTEP] = 1;
  if (imaginary == NULL)
    status = umfpack_di_symbolic (n, n, real->start, real->row, real->value, &symbolic,
                                  factor->control, NULL);
  else
    status = umfpack_zi_symbolic (n, n, real->start, real->row, real->value, imaginary->value,
                                  &symbolic, factor->control, NULL);
  if (status == UMFPACK_OK && imaginary == NULL)
    status = umfpack_di_numeric (real->start, real->row, real->value, symbolic, &factor->numeric,
                                 factor->control, NULL);
  else if (status == UMFPACK_OK)
    status = umfpack_zi_numeric (real->start, real->row, real->value, imaginary->value, symbolic,
                                 &factor->numeric, factor->control, NULL);
  if (imaginary == NULL)
    umfpack_di_free_symbolic (&symbolic);
  else
    umfpack_zi_free_symbolic (&symbolic);
  factor->permutation = g_new (gint32, real->n + 1);
  factor->work = g_new (double, (imaginary == NULL ? 5 : 14) * real->n + 1);
  return status == UMFPACK_OK                        ? IFBAM_FACTOR_DONE
         : status == UMFPACK_WARNING_singular_matrix ? IFBAM_FACTOR_SINGULAR
                                                     : IFBAM_FACTOR_NO_MEMORY;
}

IfbamFactor *
ifbam_factor_new (const IfbamSparse *matrix, IfbamFactorKind kind, IfbamFactorStatus *status)
{
  g_autoptr (IfbamFactor) factor = g_new0 (IfbamFactor, 1);

  factor->kind = kind;
  factor->real = matrix;
  *status = kind == IFBAM_FACTOR_LU ? factor_lu (factor) : factor_symmetric (factor);
  if (*status == IFBAM_FACTOR_DONE && kind == IFBAM_FACTOR_LDL && !is_accurate (factor))
    *status = IFBAM_FACTOR_SINGULAR;
  return *status == IFBAM_FACTOR_DONE ? g_steal_pointer (&factor) : NULL;
}

IfbamFactor *
ifbam_factor_new_complex (const IfbamSparse *real, const IfbamSparse *imaginary,
                          IfbamFactorStatus *status)
{
  g_autoptr (IfbamFactor) factor = g_new0 (IfbamFactor, 1);

  factor->kind = IFBAM_FACTOR_LU;
  factor->real = real;
  factor->imaginary = imaginary;
  *status = factor_lu (factor);
  return *status == IFBAM_FACTOR_DONE ? g_steal_pointer (&factor) : NULL;
}

void
ifbam_factor_free (IfbamFactor *factor)
{
  if (factor == NULL)
    return;
  if (factor->kind != IFBAM_FACTOR_LU)
    {
      cholmod_free_dense (&factor->y, &factor->common);
      cholmod_free_dense (&factor->e, &factor->common);
      cholmod_free_factor (&factor->cholesky, &factor->common);
      cholmod_finish (&factor->common);
    }
  else if (factor->imaginary == NULL)
    umfpack_di_free_numeric (&factor->numeric);
  else
    umfpack_zi_free_numeric (&factor->numeric);
  g_free (factor->permutation);
  g_free (factor->work);
  g_free (factor);
}

gboolean
ifbam_factor_solve (IfbamFactor *factor, const double *b, double *x)
{
  const IfbamSparse *matrix = factor->real;

  if (factor->kind == IFBAM_FACTOR_LU)
    return umfpack_di_wsolve (UMFPACK_A, matrix->start, matrix->row, matrix->value, x, b,
                              factor->numeric, factor->control, NULL, factor->permutation,
                              factor->work)
           >= UMFPACK_OK;
  {
    const cholmod_dense shape = { .nrow = matrix->n,
                                  .ncol = 1,
                                  .nzmax = matrix->n,
                                  .d = matrix->n,
                                  .xtype = CHOLMOD_REAL,
                                  .dtype = CHOLMOD_DOUBLE };
    cholmod_dense right = shape, left = shape, *solution = &left;

    right.x = (void *) b;
    left.x = x;
    /* The arrays are large enough, so CHOLMOD reuses them. */
    return cholmod_solve2 (CHOLMOD_A, factor->cholesky, &right, NULL, &solution, NULL, &factor->y,
                           &factor->e, &factor->common)
           && solution == &left;
  }
}

gboolean
ifbam_factor_solve_complex (IfbamFactor *factor, const double complex *b, double complex *x)
{
  const IfbamSparse *real = factor->real;
  double *left = factor->work, *right = left + 2 * real->n, *work = right + 2 * real->n;
  const gsize n = real->n;

  for (gsize i = 0; i < n; i++)
    {
      right[i] = creal (b[i]);
      right[n + i] = cimag (b[i]);
    }
  if (umfpack_zi_wsolve (UMFPACK_A, real->start, real->row, real->value, factor->imaginary->value,
                         left, left + n, right, right + n, factor->numeric, factor->control, NULL,
                         factor->permutation, work)
      < UMFPACK_OK)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    x[i] = left[i] + I * left[n + i];
  return TRUE;
}

double
ifbam_factor_entries (const IfbamFactor *factor)
{
  return factor->kind == IFBAM_FACTOR_LU ? INFINITY : factor->common.lnz;
}

gsize
ifbam_factor_count_negative (const IfbamFactor *factor)
{
  const cholmod_factor *cholesky = factor->cholesky;
  gsize count = 0;

  for (gsize column = 0; column < factor->real->n; column++)
    count += ((const double *) cholesky->x)[((const gint32 *) cholesky->p)[column]] < 0;
  return count;
}

/* eigenvalues.c: eigenvalues of matrices by LAPACK, of operators by ARPACK
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/eigenvalues.h"

#include <arpack/arpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Least number of basis vectors. */
#define MAX_VECTORS 30

/* Fortran functions, with the hidden lengths of their texts. */
void dsyev_ (const char *vectors, const char *triangle, const int *n, double *a, const int *lda,
             double *w, double *work, const int *lwork, int *info, size_t, size_t);
void dgeev_ (const char *left, const char *right, const int *n, double *a, const int *lda,
             double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
             double *work, const int *lwork, int *info, size_t, size_t);

void zgesv_ (const int *n, const int *n_right, double complex *a, const int *lda, int *pivot,
             double complex *b, const int *ldb, int *info);
void zggev_ (const char *left, const char *right, const int *n, double complex *a, const int *lda,
             double complex *b, const int *ldb, double complex *alpha, double complex *beta,
             double complex *vl, const int *ldvl, double complex *vr, const int *ldvr,
             double complex *work, const int *lwork, double *rwork, int *info, size_t, size_t);
void dpotrf_ (const char *triangle, const int *n, double *a, const int *lda, int *info, size_t);

/* With values that are not finite, LAPACK may not return. */
static gboolean
all_finite (gsize n, const double *number)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (number[i]))
      return FALSE;
  return TRUE;
}

gboolean
ifbam_eigenvalues_symmetric (gsize n, double *matrix, double *value)
{
  const int size = (int) n, ask = -1;
  g_autofree double *work = NULL;
  double best;
  int length, info = 0;

  if (n == 0)
    return TRUE;
  if (!all_finite (n * n, matrix))
    return FALSE;
  dsyev_ ("N", "U", &size, matrix, &size, value, &best, &ask, &info, 1, 1);
  length = (int) best;
  work = g_new (double, length);
  dsyev_ ("N", "U", &size, matrix, &size, value, work, &length, &info, 1, 1);
  return info == 0;
}

gboolean
ifbam_eigenvalues_general (gsize n, double *matrix, double complex *value)
{
  const int size = (int) n, ask = -1, one = 1;
  g_autofree double *parts = g_new (double, 2 * n + 1);
  g_autofree double *work = NULL;
  double best, none;
  int length, info = 0;

  if (n == 0)
    return TRUE;
  if (!all_finite (n * n, matrix))
    return FALSE;
  dgeev_ ("N", "N", &size, matrix, &size, parts, parts + n, &none, &one, &none, &one, &best, &ask,
          &info, 1, 1);
  length = (int) best;
  work = g_new (double, length);
  dgeev_ ("N", "N", &size, matrix, &size, parts, parts + n, &none, &one, &none, &one, work, &length,
          &info, 1, 1);
  for (gsize i = 0; i < n; i++)
    value[i] = ifbam_complex (parts[i], parts[n + i]);
  return info == 0;
}

static int
compare_sizes (const void *a, const void *b)
{
  const double one = cabs (*(const double complex *) a), other = cabs (*(const double complex *) b);

  return one < other ? -1 : one > other;
}

void
ifbam_eigenvalues_sort (gsize n, double complex *value)
{
  qsort (value, n, sizeof *value, compare_sizes);
}

static int
compare_imaginary (gconstpointer a, gconstpointer b)
{
  const double one = cimag (*(const double complex *) a),
               other = cimag (*(const double complex *) b);

  return one < other ? -1 : one > other;
}

gboolean
ifbam_eigenvalues_complex (gsize n, double complex *A, double complex *B, double complex *value)
{
  const int size = (int) n, length = 2 * size + 1, one = 1;
  g_autofree double complex *alpha = g_new (double complex, n + 1),
                            *beta = g_new (double complex, n + 1),
                            *work = g_new (double complex, length);
  g_autofree double *real = g_new (double, 8 * n + 1);
  double complex none;
  int info = 0;

  if (!all_finite (2 * n * n, (const double *) A) || !all_finite (2 * n * n, (const double *) B))
    return FALSE;
  zggev_ ("N", "N", &size, A, &size, B, &size, alpha, beta, &none, &one, &none, &one, work, &length,
          real, &info, 1, 1);
  for (gsize i = 0; i < n; i++)
    {
      if (beta[i] == 0)
        return FALSE;
      value[i] = alpha[i] / beta[i];
    }
  qsort (value, n, sizeof *value, compare_imaginary);
  return info == 0;
}

gboolean
ifbam_solve_complex (gsize n, double complex *matrix, double complex *b)
{
  const int size = (int) n, one = 1;
  g_autofree int *pivot = g_new (int, n + 1);
  int info = 0;

  if (!all_finite (2 * n * n, (const double *) matrix) || !all_finite (2 * n, (const double *) b))
    return FALSE;
  zgesv_ (&size, &one, matrix, &size, pivot, b, &size, &info);
  return info == 0;
}

gboolean
ifbam_is_positive_definite (gsize n, double *matrix)
{
  const int size = (int) n;
  int info = 0;

  if (!all_finite (n * n, matrix))
    return FALSE;
  dpotrf_ ("L", &size, matrix, &size, &info, 1);
  return info == 0;
}

/* Data of both of ARPACK's reverse communications. */
typedef struct
{
  int n, wanted, vectors, work_length;
  double *residual, *basis, *work, *inner;
  int parameters[11], pointers[14];
} Krylov;

static void
krylov_init (Krylov *krylov, gsize n, gsize wanted, guint max_products, gboolean symmetric)
{
  const int vectors = (int) MIN (n, MAX (MAX_VECTORS, 2 * wanted + 4));
  guint32 state = 1;

  *krylov = (Krylov){ .n = (int) n, .wanted = (int) wanted, .vectors = vectors };
  krylov->work_length = symmetric ? vectors * (vectors + 8) : 3 * vectors * (vectors + 2);
  krylov->residual = g_new (double, n);
  krylov->basis = g_new (double, n *(gsize) vectors);
  krylov->work = g_new (double, 3 * n);
  krylov->inner = g_new (double, krylov->work_length);
  krylov->parameters[0] = 1; /* exact shifts */
  krylov->parameters[2] = (int) MAX (2, max_products / (guint) MAX (1, vectors - (int) wanted));
  krylov->parameters[3] = 1; /* block size */
  krylov->parameters[6] = 1; /* A x = lambda x */
  /* The start vector has a component of every eigenvector; always the same (Lehmer). */
  for (gsize i = 0; i < n; i++)
    {
      state = (guint32) ((guint64) state * 48271 % 2147483647);
      krylov->residual[i] = (double) state / 2147483647.0 - 0.5;
    }
}

static void
krylov_clear (Krylov *krylov)
{
  g_free (krylov->residual);
  g_free (krylov->basis);
  g_free (krylov->work);
  g_free (krylov->inner);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Krylov, krylov_clear)

static void
krylov_multiply (const Krylov *krylov, IfbamOperator apply, gpointer data)
{
  apply (data, krylov->work + krylov->pointers[0] - 1, krylov->work + krylov->pointers[1] - 1);
}

/* Returns the matrix of an operator, for few rows. */
static double *
operator_matrix (gsize n, IfbamOperator apply, gpointer data)
{
  g_autofree double *unit = g_new0 (double, n + 1);
  double *matrix = g_new (double, n *n + 1);

  for (gsize j = 0; j < n; j++)
    {
      unit[j] = 1;
      apply (data, unit, matrix + j * n);
      unit[j] = 0;
    }
  return matrix;
}

gboolean
ifbam_eigenvalue_extreme (gsize n, IfbamOperator apply, gpointer data, gboolean largest,
                          double tolerance, guint max_products, double *value)
{
  g_auto (Krylov) krylov = { 0 };
  const char *which = largest ? "LA" : "SA";
  int step = 0, info = 1;
  gboolean converged;
  const double *ritz;

  *value = 0;
  if (n == 0)
    return TRUE;
  if (n <= MAX_VECTORS)
    {
      g_autofree double *matrix = operator_matrix (n, apply, data);
      g_autofree double *values = g_new (double, n);
      const gboolean fine = ifbam_eigenvalues_symmetric (n, matrix, values);

      *value = values[largest ? n - 1 : 0];
      return fine;
    }
  krylov_init (&krylov, n, 1, max_products, TRUE);
  do
    {
      dsaupd_c (&step, "I", krylov.n, which, krylov.wanted, tolerance, krylov.residual,
                krylov.vectors, krylov.basis, krylov.n, krylov.parameters, krylov.pointers,
                krylov.work, krylov.inner, krylov.work_length, &info);
      if (step == -1 || step == 1)
        krylov_multiply (&krylov, apply, data);
    }
  while (step == -1 || step == 1);
  if (info < 0)
    return FALSE;
  converged = info == 0 && krylov.parameters[4] >= 1;
  /* The outermost Ritz value. */
  ritz = krylov.inner + krylov.pointers[5] - 1;
  *value = ritz[0];
  for (int i = 1; i < krylov.vectors; i++)
    *value = largest ? fmax (*value, ritz[i]) : fmin (*value, ritz[i]);
  return converged;
}

static int
compare_moduli (const void *a, const void *b)
{
  const double one = cabs (*(const double complex *) a), other = cabs (*(const double complex *) b);

  return one > other ? -1 : one < other;
}

/* Returns the converged eigenvalues. */
static gsize
eigenvalues_of (Krylov *krylov, double tolerance, double complex *value)
{
  const int most = krylov->wanted + 1;
  g_autofree double *real = g_new0 (double, most), *imaginary = g_new0 (double, most);
  g_autofree double *scratch = g_new (double, 3 * krylov->vectors);
  g_autofree int *chosen = g_new0 (int, krylov->vectors);
  gsize found;
  double none;
  int info = 0;

  dneupd_c (0, "A", chosen, real, imaginary, &none, krylov->n, 0, 0, scratch, "I", krylov->n, "LM",
            krylov->wanted, tolerance, krylov->residual, krylov->vectors, krylov->basis, krylov->n,
            krylov->parameters, krylov->pointers, krylov->work, krylov->inner, krylov->work_length,
            &info);
  found = info == 0 ? (gsize) MIN (krylov->parameters[4], krylov->wanted) : 0;
  for (gsize i = 0; i < found; i++)
    value[i] = ifbam_complex (real[i], imaginary[i]);
  qsort (value, found, sizeof *value, compare_moduli);
  return found;
}

gsize
ifbam_eigenvalues_largest (gsize n, IfbamOperator apply, gpointer data, gsize wanted,
                           double tolerance, guint max_products, double complex *value)
{
  g_auto (Krylov) krylov = { 0 };
  int step = 0, info = 1;
  gsize found;

  if (n == 0)
    return 0;
  if (n <= MAX_VECTORS)
    {
      g_autofree double *matrix = operator_matrix (n, apply, data);
      g_autofree double complex *values = g_new (double complex, n);

      if (!ifbam_eigenvalues_general (n, matrix, values))
        return 0;
      qsort (values, n, sizeof *values, compare_moduli);
      found = MIN (n, wanted);
      memcpy (value, values, found * sizeof *values);
      return found;
    }
  krylov_init (&krylov, n, wanted, max_products, FALSE);
  do
    {
      dnaupd_c (&step, "I", krylov.n, "LM", krylov.wanted, tolerance, krylov.residual,
                krylov.vectors, krylov.basis, krylov.n, krylov.parameters, krylov.pointers,
                krylov.work, krylov.inner, krylov.work_length, &info);
      if (step == -1 || step == 1)
        krylov_multiply (&krylov, apply, data);
    }
  while (step == -1 || step == 1);
  if (info != 0)
    return 0;
  return eigenvalues_of (&krylov, tolerance, value);
}

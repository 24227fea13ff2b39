/* massless-modes.c: modes of a network with massless coordinates
 *
 * Index a: coordinates with inertia. Massless coordinates are transformed by singular vectors of
 * their block of C, which may be unsymmetric, so that it is diagonal: positive for d, zero for s.
 *
 *   x_s = -K_ss^-1 (K_sa x_a + K_sd x_d + C_sa v_a): K and C become Schur complements
 *   x_d' = -C_dd^-1 (K_da x_a + K_dd x_d + C_da v_a)
 *   M v_a' = -(K_aa x_a + K_ad x_d + C_aa v_a + C_ad x_d')
 *
 * Forces on a that depend on the rate of x_s are rejected; positive dampers exert none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/massless-modes.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "linear/eigenvalues.h"

/* A stiffness or damping smaller than this fraction of the terms at its nodes is rounding. */
#define STIFFNESS_ROUNDING 1e-11

/* A square matrix by columns. */
#define AT(matrix, i, j) (matrix)[(gsize) (j) *n + (gsize) (i)]

/* Transformed problem: x = right z; equations are multiplied by left^T. */
typedef struct
{
  gsize n, n_inertial, n_damped; /* n_damped: number of d; the others are s */
  double *K, *C, *left, *right;
  double *stiff, *damped; /* diagonals of K and C from absolute values of all terms (n) */
  double *places, *rates; /* x_s per x_a, x_d (s)(a + d), per v_a (s)(a) */
} MasslessProblem;

static void
problem_clear (MasslessProblem *problem)
{
  g_free (problem->K);
  g_free (problem->C);
  g_free (problem->stiff);
  g_free (problem->damped);
  g_free (problem->left);
  g_free (problem->right);
  g_free (problem->places);
  g_free (problem->rates);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MasslessProblem, problem_clear)

void
ifbam_massless_modes_clear (IfbamMasslessModes *modes)
{
  g_clear_pointer (&modes->value, g_free);
  g_clear_pointer (&modes->shape, g_free);
  g_clear_pointer (&modes->body, g_free);
}

static gboolean
refuse (gsize most, GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                     "springs and dampers act on junctions together: such modes are found of at "
                     "most %" G_GSIZE_FORMAT " coordinates, and only if each junction is held",
                     most);
}

/* A matrix by columns (n, n), and its diagonal from absolute values of all terms (n). */
typedef struct
{
  gsize n;
  double *matrix, *gross;
} GrossMatrix;

static void
add_entry (gpointer data, gsize row, gsize column, double value)
{
  GrossMatrix *sum = data;

  sum->matrix[column * sum->n + row] += value;
  sum->gross[row] += fabs (value);
  sum->gross[column] += fabs (value);
}

/* Returns J^T s J over coordinates, plus the entries of gyrations; gross: see GrossMatrix. */
static double *
matrix_of (const IfbamSmallMotions *motions, const double *slope, const GArray *gyrations,
           double **gross)
{
  const gsize n = motions->n;
  GrossMatrix sum = { n, g_new0 (double, n *n + 1), g_new0 (double, n + 1) };
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    for (gsize i = 0; i < row->n; i++)
      {
        sum.gross[row->at[i]] += fabs (slope[row->number]) * row->entry[i] * row->entry[i];
        for (gsize j = 0; j < row->n; j++)
          AT (sum.matrix, row->at[i], row->at[j]) +=
              slope[row->number] * row->entry[i] * row->entry[j];
      }
  ifbam_small_motions_each_gyration (motions, gyrations, add_entry, &sum);
  *gross = sum.gross;
  return sum.matrix;
}

/* Replaces S by left^T S right. */
static void
transform (const MasslessProblem *problem, double *S)
{
  const gsize n = problem->n;
  g_autofree double *half = g_new0 (double, n *n + 1);

  for (gsize j = 0; j < n; j++)
    for (gsize k = 0; k < n; k++)
      for (gsize i = 0; i < n && AT (problem->right, k, j) != 0; i++)
        AT (half, i, j) += AT (S, i, k) * AT (problem->right, k, j);
  memset (S, 0, n * n * sizeof *S);
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      for (gsize k = 0; k < n; k++)
        AT (S, i, j) += AT (problem->left, k, i) * AT (half, k, j);
}

/* Computes singular values of a matrix (m)(m), the largest first, after scaling rows and columns by
 * size (m), and the vectors scaled back (columns). FALSE: failed. */
static gboolean
decompose (gsize m, const double *matrix, const double *size, double *value, double *left,
           double *right)
{
  g_autofree double *scale = g_new (double, m + 1), *own = g_new (double, m *m + 1);
  g_autofree double *turned = g_new (double, m *m + 1), *work = g_new (double, m + 1);

  for (gsize i = 0; i < m; i++)
    scale[i] = size[i] > 0 ? 1 / sqrt (size[i]) : 1;
  for (gsize j = 0; j < m; j++)
    for (gsize i = 0; i < m; i++)
      own[j * m + i] = scale[i] * matrix[j * m + i] * scale[j];
  if (m > 0
      && LAPACKE_dgesvd (LAPACK_COL_MAJOR, 'A', 'A', (lapack_int) m, (lapack_int) m, own,
                         (lapack_int) m, value, left, (lapack_int) m, turned, (lapack_int) m, work)
             != 0)
    return FALSE;
  for (gsize k = 0; k < m; k++)
    for (gsize i = 0; i < m; i++)
      {
        left[k * m + i] *= scale[i];
        right[k * m + i] = scale[i] * turned[i * m + k];
      }
  return TRUE;
}

/* Returns the form of left and right from absolute values of all terms. */
static double
size_of (const MasslessProblem *problem, const double *gross, const double *left,
         const double *right)
{
  double sum = 0;

  for (gsize i = 0; i < problem->n; i++)
    sum += fabs (left[i]) * gross[i] * fabs (right[i]);
  return sum;
}

/* Returns the number of singular values that are rounding: the last ones. */
static gsize
count_rounding (gsize m, const double *value)
{
  gsize n = 0;

  while (n < m && value[m - 1 - n] <= STIFFNESS_ROUNDING)
    n++;
  return n;
}

/* Counts motions with dampers only (n_neutral) or without (n_bodies: unsupported (m)(n_bodies)). */
static gboolean
count_zeros (const MasslessProblem *problem, double **unsupported, IfbamMasslessModes *modes)
{
  const gsize n = problem->n, m = problem->n_inertial + problem->n_damped;
  g_autofree double *value = g_new (double, m + 1), *left = g_new (double, m *m + 1);
  g_autofree double *right = g_new (double, m *m + 1), *own = g_new (double, m *m + 1);
  g_autofree double *rest = NULL, *before = NULL, *after = NULL, *size = g_new0 (double, m + 1);
  g_autofree double *sizes = g_new (double, m + 1);
  gsize r, bodies;

  for (gsize j = 0; j < m; j++)
    {
      for (gsize i = 0; i < m; i++)
        own[j * m + i] = AT (problem->K, i, j);
      size[j] = size_of (problem, problem->stiff, problem->left + j * n, problem->right + j * n);
      sizes[j] = size_of (problem, problem->damped, problem->left + j * n, problem->right + j * n);
    }
  if (!decompose (m, own, size, value, left, right))
    return FALSE;
  r = count_rounding (m, value);
  rest = g_new0 (double, r *r + 1);
  before = g_new0 (double, r *r + 1);
  after = g_new0 (double, r *r + 1);
  for (gsize k = 0; k < r; k++)
    for (gsize l = 0; l < r; l++)
      for (gsize j = 0; j < m; j++)
        for (gsize i = 0; i < m; i++)
          rest[l * r + k] +=
              left[(m - r + k) * m + i] * AT (problem->C, i, j) * right[(m - r + l) * m + j];
  for (gsize k = 0; k < r; k++)
    {
      size[k] = 0;
      for (gsize i = 0; i < m; i++)
        size[k] += fabs (left[(m - r + k) * m + i] * right[(m - r + k) * m + i]) * sizes[i];
    }
  if (!decompose (r, rest, size, value, before, after))
    return FALSE;
  bodies = count_rounding (r, value);
  *unsupported = g_new0 (double, m *bodies + 1);
  for (gsize k = 0; k < bodies; k++)
    for (gsize l = 0; l < r; l++)
      for (gsize i = 0; i < m; i++)
        (*unsupported)[k * m + i] += right[(m - r + l) * m + i] * after[(r - bodies + k) * r + l];
  modes->n_bodies = bodies;
  modes->n_neutral = r - bodies;
  return TRUE;
}

/* TRUE if C has an entry of `heavy` by s beyond rounding: a force on a coordinate with inertia. */
static gboolean
has_entry (const MasslessProblem *problem, const double *C, gsize inertial, gsize s)
{
  const gsize n = problem->n;
  double sum = 0, gross = 0;

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n && AT (problem->left, i, inertial) != 0; j++)
      {
        const double part =
            AT (problem->left, i, inertial) * AT (C, i, j) * AT (problem->right, j, s);

        sum += part;
        gross += fabs (part);
      }
  return fabs (sum) > STIFFNESS_ROUNDING * gross;
}

/* Sorts coordinates: with inertia; then C of the others as a diagonal, zeros last. */
static gboolean
sort_coordinates (MasslessProblem *problem, const double *inertia)
{
  const gsize n = problem->n, a = problem->n_inertial, m = n - a;
  g_autofree double *own = g_new0 (double, m *m + 1), *value = g_new (double, m + 1);
  g_autofree double *left = g_new (double, m *m + 1), *right = g_new (double, m *m + 1);
  g_autofree double *size = g_new (double, m + 1);
  g_autofree gsize *at = g_new (gsize, m + 1);
  gsize inertial = 0, n_damped = 0;

  problem->left = g_new0 (double, n *n + 1);
  problem->right = g_new0 (double, n *n + 1);
  for (gsize i = 0; i < n; i++)
    if (inertia[i] == 0)
      at[n_damped++] = i;
    else
      {
        AT (problem->left, i, inertial) = AT (problem->right, i, inertial) = 1 / sqrt (inertia[i]);
        inertial++;
      }
  for (gsize j = 0; j < m; j++)
    {
      size[j] = problem->damped[at[j]];
      for (gsize i = 0; i < m; i++)
        own[j * m + i] = AT (problem->C, at[i], at[j]);
    }
  if (!decompose (m, own, size, value, left, right))
    return FALSE;
  problem->n_damped = m - count_rounding (m, value);
  for (gsize k = 0; k < m; k++)
    for (gsize i = 0; i < m; i++)
      {
        AT (problem->left, at[i], a + k) = left[k * m + i];
        AT (problem->right, at[i], a + k) = right[k * m + i];
      }
  for (gsize i = 0; i < a; i++)
    for (gsize s = a + problem->n_damped; s < n; s++)
      if (has_entry (problem, problem->C, i, s))
        return FALSE;
  transform (problem, problem->K);
  transform (problem, problem->C);
  return TRUE;
}

/* Replaces K and C by their Schur complements. FALSE: massless coordinates without stiffness. */
static gboolean
eliminate (MasslessProblem *problem)
{
  const gsize n = problem->n, a = problem->n_inertial, m = a + problem->n_damped, s = n - m;
  g_autofree double *own = g_new (double, s *s + 1), *right = g_new (double, s *(m + a) + 1);
  g_autofree lapack_int *pivot = g_new (lapack_int, s + 1);

  for (gsize i = 0; i < s; i++)
    {
      for (gsize j = 0; j < s; j++)
        own[j * s + i] = AT (problem->K, m + i, m + j);
      for (gsize j = 0; j < m; j++)
        right[j * s + i] = AT (problem->K, m + i, j);
      for (gsize j = 0; j < a; j++)
        right[(m + j) * s + i] = AT (problem->C, m + i, j);
    }
  if (s > 0
      && LAPACKE_dgesv (LAPACK_COL_MAJOR, (lapack_int) s, (lapack_int) (m + a), own, (lapack_int) s,
                        pivot, right, (lapack_int) s)
             != 0)
    return FALSE;
  for (gsize i = 0; i < m; i++)
    for (gsize k = 0; k < s; k++)
      {
        for (gsize j = 0; j < m; j++)
          AT (problem->K, i, j) -= AT (problem->K, i, m + k) * right[j * s + k];
        for (gsize j = 0; j < a; j++)
          AT (problem->C, i, j) -= AT (problem->K, i, m + k) * right[(m + j) * s + k];
      }
  problem->places = g_memdup2 (right, (s * m + 1) * sizeof *right);
  problem->rates = g_new0 (double, s *a + 1);
  memcpy (problem->rates, right + s * m, s * a * sizeof *right);
  return TRUE;
}

/* Returns the matrix of the first-order system of x_a, v_a and x_d. */
static double *
make_system (const MasslessProblem *problem, gsize *states)
{
  const gsize n = problem->n, a = problem->n_inertial, d = problem->n_damped, size = 2 * a + d;
  const double *K = problem->K, *C = problem->C;
  double *matrix = g_new0 (double, size *size + 1);

  for (gsize i = 0; i < a; i++)
    matrix[(a + i) * size + i] = 1;
  for (gsize k = 0; k < d; k++)
    {
      double *const row = matrix + 2 * a + k;
      const double own = AT (C, a + k, a + k);

      for (gsize j = 0; j < a; j++)
        {
          row[j * size] = -AT (K, a + k, j) / own;
          row[(a + j) * size] = -AT (C, a + k, j) / own;
        }
      for (gsize j = 0; j < d; j++)
        row[(2 * a + j) * size] = -AT (K, a + k, a + j) / own;
    }
  for (gsize i = 0; i < a; i++)
    {
      double *const row = matrix + a + i;

      for (gsize j = 0; j < a; j++)
        {
          row[j * size] = -AT (K, i, j);
          row[(a + j) * size] = -AT (C, i, j);
        }
      for (gsize j = 0; j < d; j++)
        row[(2 * a + j) * size] = -AT (K, i, a + j);
      for (gsize k = 0; k < d; k++)
        for (gsize j = 0; j < size; j++)
          row[j * size] -= AT (C, i, a + k) * matrix[j * size + 2 * a + k];
    }
  *states = size;
  return matrix;
}

/* Adds the displacements by x_a, x_d and v_a (or NULL) to a shape. */
static void
add_displacements (const MasslessProblem *problem, const double *place, const double *rate,
                   double complex unit, double complex *shape)
{
  const gsize n = problem->n, a = problem->n_inertial, m = a + problem->n_damped, s = n - m;

  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = 0; j < m; j++)
        shape[i] += unit * (AT (problem->right, i, j) * place[j]);
      for (gsize k = 0; k < s; k++)
        {
          double own = 0;

          for (gsize j = 0; j < m; j++)
            own -= problem->places[j * s + k] * place[j];
          for (gsize j = 0; j < a && rate != NULL; j++)
            own -= problem->rates[j * s + k] * rate[j];
          shape[i] += unit * (AT (problem->right, i, m + k) * own);
        }
    }
}

typedef struct
{
  double complex value;
  gsize column;    /* of its eigenvector */
  gboolean turned; /* conjugate of the vector */
} Found;

static int
compare_found (const void *a, const void *b)
{
  const double one = cabs (((const Found *) a)->value), other = cabs (((const Found *) b)->value);

  return one < other ? -1 : one > other;
}

static gboolean
solve (const MasslessProblem *problem, gboolean shapes, IfbamMasslessModes *modes)
{
  const gsize a = problem->n_inertial, d = problem->n_damped, m = a + d;
  gsize size;
  g_autofree double *matrix = make_system (problem, &size);
  g_autofree double *real = g_new (double, size + 1), *imaginary = g_new (double, size + 1);
  g_autofree double *vectors = g_new (double, shapes ? size *size + 1 : 1);
  g_autofree double *place = g_new (double, m + 1);
  g_autofree Found *found = g_new0 (Found, size + 1);

  for (gsize i = 0; i < size * size; i++)
    if (!isfinite (matrix[i]))
      return FALSE;
  if (size > 0
      && LAPACKE_dgeev (LAPACK_COL_MAJOR, 'N', shapes ? 'V' : 'N', (lapack_int) size, matrix,
                        (lapack_int) size, real, imaginary, NULL, 1, vectors,
                        shapes ? (lapack_int) size : 1)
             != 0)
    return FALSE;
  for (gsize k = 0; k < size; k++)
    found[k] = (Found){ .value = ifbam_complex (real[k], imaginary[k]),
                        .column = imaginary[k] < 0 ? k - 1 : k,
                        .turned = imaginary[k] < 0 };
  qsort (found, size, sizeof *found, compare_found);
  modes->n = size;
  modes->value = g_new0 (double complex, size + 1);
  if (shapes)
    modes->shape = g_new0 (double complex, problem->n *size + 1);
  for (gsize k = 0; k < size; k++)
    {
      modes->value[k] = found[k].value;
      for (guint part = 0; part < 2 && shapes; part++)
        {
          const double *vector = vectors + (found[k].column + part) * size;

          if (part == 1 && cimag (found[k].value) == 0)
            continue;
          memcpy (place, vector, a * sizeof *place);
          memcpy (place + a, vector + 2 * a, d * sizeof *place);
          add_displacements (problem, place, vector + a,
                             part == 0         ? 1
                             : found[k].turned ? -I
                                               : I,
                             modes->shape + k * problem->n);
        }
    }
  return TRUE;
}

static void
write_bodies (const MasslessProblem *problem, const double *unsupported, IfbamMasslessModes *modes)
{
  const gsize n = problem->n, m = problem->n_inertial + problem->n_damped;
  g_autofree double complex *shape = g_new (double complex, n + 1);

  modes->body = g_new0 (double, n * modes->n_bodies + 1);
  for (gsize k = 0; k < modes->n_bodies; k++)
    {
      memset (shape, 0, n * sizeof *shape);
      add_displacements (problem, unsupported + k * m, NULL, 1, shape);
      for (gsize i = 0; i < n; i++)
        modes->body[k * n + i] = creal (shape[i]);
    }
}

gboolean
ifbam_massless_modes_find (const IfbamSmallMotions *motions, gsize most, gboolean shapes,
                           IfbamMasslessModes *modes, GError **error)
{
  g_auto (MasslessProblem) problem = { .n = motions->n };
  g_autofree double *unsupported = NULL;

  *modes = (IfbamMasslessModes){ 0 };
  for (gsize i = 0; i < motions->n; i++)
    problem.n_inertial += motions->inertia[i] > 0;
  if (problem.n > most)
    return refuse (most, error);
  problem.K = matrix_of (motions, motions->stiffness, motions->circulations, &problem.stiff);
  problem.C = matrix_of (motions, motions->damping, motions->gyrations, &problem.damped);
  if (!sort_coordinates (&problem, motions->inertia) || !eliminate (&problem)
      || !count_zeros (&problem, &unsupported, modes) || !solve (&problem, shapes, modes))
    {
      ifbam_massless_modes_clear (modes);
      return refuse (most, error);
    }
  if (shapes)
    write_bodies (&problem, unsupported, modes);
  return TRUE;
}

/* light-modes.c: how a network moves some of whose nodes have no inertia
 *
 * With a for what has inertia, and for what has none by coordinates in which its own dampers are a diagonal, d for those
 * that dampers act on and s for the others:
 *
 *   x_s = -K_ss^-1 (K_sa x_a + K_sd x_d), so that K is its Schur complement for the others
 *   x_d' = -C_dd^-1 (K_da x_a + K_dd x_d + C_da v_a)
 *   M v_a' = -(K_aa x_a + K_ad x_d + C_aa v_a + C_ad x_d')
 *
 * Dampers are no less than 0, so that what they do not act on among those without inertia they do not act on at all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "motion/light-modes.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "motion/eigenvalues.h"

/* A stiffness or damping that is this part of what meets there is rounding. */
#define NOTHING 1e-11

/* A square matrix by columns. */
#define AT(matrix, i, j) (matrix)[(gsize) (j) *n + (gsize) (i)]

static gboolean
refuse (GError **error)
{
  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                       "how steps act on a network with junctions is not known here: what is too "
                       "fast for a step decays at once (want a step in seconds)");
  return FALSE;
}

/* J^T s J over the free nodes. */
static double *
matrix_of (const IfbamSmallMotions *motions, const double *slope)
{
  const gsize n = motions->model->n_free;
  double *matrix = g_new0 (double, n *n + 1);
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    for (gsize i = 0; i < row->n; i++)
      for (gsize j = 0; j < row->n; j++)
        AT (matrix, row->at[i], row->at[j]) += slope[row->number] * row->entry[i] * row->entry[j];
  return matrix;
}

/* T^T S T, into S. */
static void
transform (gsize n, const double *T, double *S)
{
  g_autofree double *half = g_new0 (double, n *n + 1);

  for (gsize j = 0; j < n; j++)
    for (gsize k = 0; k < n; k++)
      for (gsize i = 0; i < n && AT (T, k, j) != 0; i++)
        AT (half, i, j) += AT (S, i, k) * AT (T, k, j);
  memset (S, 0, n * n * sizeof *S);
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      for (gsize k = 0; k < n; k++)
        AT (S, i, j) += AT (T, k, i) * AT (half, k, j);
}

/* Vectors of part of a symmetric matrix (m of n) whose values are nothing beside its diagonal, and how many there are; -1:
 * they are not found. vectors: (m)(m), scaled. */
static gssize
null_space (gsize n, const double *S, gsize m, double *vectors)
{
  g_autofree double *value = g_new (double, m + 1), *scale = g_new (double, m + 1);
  gssize kept = 0;

  for (gsize i = 0; i < m; i++)
    scale[i] = AT (S, i, i) > 0 ? 1 / sqrt (AT (S, i, i)) : 1;
  for (gsize j = 0; j < m; j++)
    for (gsize i = 0; i < m; i++)
      vectors[j * m + i] = scale[i] * AT (S, i, j) * scale[j];
  if (m > 0
      && LAPACKE_dsyevd (LAPACK_COL_MAJOR, 'V', 'L', (lapack_int) m, vectors, (lapack_int) m, value)
             != 0)
    return -1;
  for (gsize k = 0; k < m; k++)
    if (fabs (value[k]) <= NOTHING)
      {
        for (gsize i = 0; i < m; i++)
          vectors[(gsize) kept * m + i] = scale[i] * vectors[k * m + i];
        kept++;
      }
  return kept;
}

/* Where the part's vectors of nothing in K are nothing in C as well: of bodies that nothing holds. */
static gboolean
count_zeros (gsize n, const double *K, const double *C, gsize m, IfbamLightModes *modes)
{
  g_autofree double *loose = g_new0 (double, m *m + 1), *rest = NULL, *vectors = NULL;
  const gssize n_loose = null_space (n, K, m, loose);
  gssize bodies;
  gsize r;

  if (n_loose < 0)
    return FALSE;
  r = (gsize) n_loose;
  rest = g_new0 (double, r *r + 1);
  vectors = g_new0 (double, r *r + 1);
  for (gsize k = 0; k < r; k++)
    for (gsize l = 0; l < r; l++)
      for (gsize j = 0; j < m; j++)
        for (gsize i = 0; i < m; i++)
          rest[l * r + k] += loose[k * m + i] * AT (C, i, j) * loose[l * m + j];
  bodies = null_space (r, rest, r, vectors);
  if (bodies < 0)
    return FALSE;
  modes->n_bodies = (gsize) bodies;
  modes->n_neutral = r - (gsize) bodies;
  return TRUE;
}

/* Nodes with inertia first; others by coordinates in which C is a diagonal, those that it does not act on last. Returns how
 * many of the others it acts on; -1: they are not found. */
static gssize
separate (const IfbamModel *model, gsize n_heavy, double *K, double *C)
{
  const gsize n = model->n_free, m = n - n_heavy;
  g_autofree double *T = g_new0 (double, n *n + 1), *own = g_new0 (double, m *m + 1);
  g_autofree double *value = g_new (double, m + 1), *scale = g_new (double, m + 1);
  g_autofree gsize *light = g_new (gsize, m + 1);
  gsize heavy = 0, n_light = 0, place = n_heavy, last = n;

  for (gsize i = 0; i < n; i++)
    if (ifbam_model_is_junction (model, i))
      light[n_light++] = i;
    else
      AT (T, i, heavy++) = 1 / sqrt (ifbam_model_inertia (model, i));
  for (gsize i = 0; i < m; i++)
    scale[i] = AT (C, light[i], light[i]) > 0 ? 1 / sqrt (AT (C, light[i], light[i])) : 1;
  for (gsize j = 0; j < m; j++)
    for (gsize i = 0; i < m; i++)
      own[j * m + i] = scale[i] * AT (C, light[i], light[j]) * scale[j];
  if (LAPACKE_dsyevd (LAPACK_COL_MAJOR, 'V', 'L', (lapack_int) m, own, (lapack_int) m, value) != 0)
    return -1;
  for (gsize k = 0; k < m; k++)
    {
      const gsize at = fabs (value[k]) <= NOTHING ? --last : place++;

      if (value[k] < -NOTHING)
        return -1;
      for (gsize i = 0; i < m; i++)
        AT (T, light[i], at) = scale[i] * own[k * m + i];
    }
  transform (n, T, K);
  transform (n, T, C);
  return (gssize) (place - n_heavy);
}

/* K becomes its Schur complement for the first m. FALSE: nothing holds what is left out. */
static gboolean
eliminate (gsize n, gsize m, double *K)
{
  const gsize s = n - m;
  g_autofree double *own = g_new (double, s *s + 1), *right = g_new (double, s *m + 1);
  g_autofree lapack_int *pivot = g_new (lapack_int, s + 1);

  for (gsize j = 0; j < s; j++)
    for (gsize i = 0; i < s; i++)
      own[j * s + i] = AT (K, m + i, m + j);
  for (gsize j = 0; j < m; j++)
    for (gsize i = 0; i < s; i++)
      right[j * s + i] = AT (K, m + i, j);
  if (s == 0)
    return TRUE;
  if (LAPACKE_dgesv (LAPACK_COL_MAJOR, (lapack_int) s, (lapack_int) m, own, (lapack_int) s, pivot,
                     right, (lapack_int) s)
      != 0)
    return FALSE;
  for (gsize j = 0; j < m; j++)
    for (gsize i = 0; i < m; i++)
      for (gsize k = 0; k < s; k++)
        AT (K, i, j) -= AT (K, i, m + k) * right[j * s + k];
  return TRUE;
}

/* The first-order system of x_a, v_a and x_d. */
static gboolean
solve (gsize n, gsize a, gsize d, const double *K, const double *C, IfbamLightModes *modes)
{
  const gsize size = 2 * a + d;
  g_autofree double *matrix = g_new0 (double, size *size + 1);

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
  modes->n = size;
  modes->value = g_new0 (double complex, size + 1);
  return size == 0 || ifbam_eigenvalues_general (size, matrix, modes->value);
}

gboolean
ifbam_light_modes_find (const IfbamModel *model, const IfbamRunSpec *spec, gsize most,
                        IfbamLightModes *modes, GError **error)
{
  const gsize n = model->n_free, a = n - model->n_junctions;
  g_autoptr (IfbamSmallMotions) motions = NULL;
  g_autofree double *K = NULL, *C = NULL;
  g_auto (GStrv) nonlinear = NULL;
  gssize d;

  *modes = (IfbamLightModes){ 0 };
  if (n > most || model->n_inner > 0)
    return refuse (error);
  motions = ifbam_small_motions_new_within (model, spec, 0, error);
  if (motions == NULL)
    return FALSE;
  if (motions->relations->len > 0 || motions->gyrations->len > 0)
    return refuse (error);
  nonlinear = ifbam_small_motions_list_nonlinear (motions);
  modes->n_nonlinear = g_strv_length (nonlinear);
  K = matrix_of (motions, motions->stiffness);
  C = matrix_of (motions, motions->damping);
  d = separate (model, a, K, C);
  if (d < 0 || !eliminate (n, a + (gsize) d, K) || !count_zeros (n, K, C, a + (gsize) d, modes)
      || !solve (n, a, (gsize) d, K, C, modes))
    {
      g_clear_pointer (&modes->value, g_free);
      return refuse (error);
    }
  return TRUE;
}

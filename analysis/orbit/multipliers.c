/* multipliers.c: Floquet multipliers of a periodic motion, and test functions of special points
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "orbit/multipliers.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static int
compare_magnitudes (gconstpointer a, gconstpointer b)
{
  const double one = cabs (*(const double complex *) a), other = cabs (*(const double complex *) b);

  return (one < other) - (one > other);
}

guint
ifbam_multipliers_find (const IfbamShooting *shooting, const IfbamSolution *solution,
                        double complex *multiplier)
{
  const gsize n = shooting->n;
  g_autofree double *matrix = g_new (double, n *n), *real = g_new0 (double, n),
                    *imaginary = g_new0 (double, n);
  gsize trivial = 0;

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      matrix[j * n + i] = solution->jacobian[j * shooting->n_rows + i] + (i == j);
  LAPACKE_dgeev (LAPACK_COL_MAJOR, 'N', 'N', (lapack_int) n, matrix, (lapack_int) n, real,
                 imaginary, NULL, 1, NULL, 1);
  for (gsize i = 0; i < n; i++)
    {
      multiplier[i] = real[i] + I * imaginary[i];
      if (cabs (multiplier[i] - 1) < cabs (multiplier[trivial] - 1))
        trivial = i;
    }
  if (shooting->n_rows > n)
    multiplier[trivial] = multiplier[n - 1];
  qsort (multiplier, n - (shooting->n_rows > n), sizeof *multiplier, compare_magnitudes);
  return (guint) (n - (shooting->n_rows > n));
}

double
ifbam_multipliers_test (const IfbamShooting *shooting, const IfbamSolution *solution,
                        IfbamOrbitKind kind)
{
  g_autofree double complex *mu = g_new (double complex, shooting->n);
  const guint n = kind == IFBAM_ORBIT_FOLD ? 0 : ifbam_multipliers_find (shooting, solution, mu);
  double complex product = 1;

  if (kind == IFBAM_ORBIT_FOLD)
    return solution->tangent[shooting->n_unknowns - 1];
  for (guint i = 0; i < n; i++)
    if (kind == IFBAM_ORBIT_FLIP)
      product *= mu[i] + 1;
    else if (kind == IFBAM_ORBIT_BRANCHING)
      product *= mu[i] - 1;
    else
      for (guint j = 0; j < i; j++)
        product *= mu[i] * mu[j] - 1;
  return n < 2 && kind == IFBAM_ORBIT_TORUS ? 1 : creal (product);
}

gboolean
ifbam_multipliers_are_of (const IfbamShooting *shooting, const IfbamSolution *solution,
                          IfbamOrbitKind kind)
{
  g_autofree double complex *mu = g_new (double complex, shooting->n);
  const guint n = kind == IFBAM_ORBIT_TORUS ? ifbam_multipliers_find (shooting, solution, mu) : 0;

  for (guint i = 0; i < n; i++)
    if (fabs (cabs (mu[i]) - 1) < 1e-5 && fabs (cimag (mu[i])) > 1e-6)
      return TRUE;
  return kind != IFBAM_ORBIT_TORUS;
}

const char *
ifbam_orbit_kind_name (IfbamOrbitKind kind)
{
  static const char *const names[] = { "", "fold", "flip", "torus", "branching", "events" };

  return names[kind];
}

/* scheme.c: the table of schemes, and how fast their errors grow
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "scheme.h"

#include <complex.h>
#include <math.h>

extern const IfbamScheme ifbam_scheme_original, ifbam_scheme_averaged, ifbam_scheme_euler,
    ifbam_scheme_symplectic_euler, ifbam_scheme_verlet, ifbam_scheme_rk4;

/* A new scheme adds its line here. */
static const IfbamScheme *const schemes[] = {
  &ifbam_scheme_original,         &ifbam_scheme_averaged, &ifbam_scheme_euler,
  &ifbam_scheme_symplectic_euler, &ifbam_scheme_verlet,   &ifbam_scheme_rk4,
};

const IfbamScheme *const *
ifbam_schemes (guint *n)
{
  *n = G_N_ELEMENTS (schemes);
  return schemes;
}

const IfbamScheme *
ifbam_scheme_by_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_equal (schemes[i]->name, name))
      return schemes[i];
  return NULL;
}

const IfbamScheme *
ifbam_scheme_default (void)
{
  return &ifbam_scheme_averaged;
}

static double complex
polynomial (const double *coefficient, int degree, double complex z)
{
  double complex sum = coefficient[degree];

  for (int j = degree - 1; j >= 0; j--)
    sum = sum * z + coefficient[j];
  return sum;
}

/* All roots at once (Durand 1960, Kerner 1966); the degree is 2 or 3 and the roots are simple but for
 * h = 0. A last Newton step takes them to rounding. */
static void
polynomial_roots (const double *coefficient, int degree, double complex *root)
{
  for (int j = 0; j < degree; j++)
    root[j] = cpow (0.4 + 0.9 * I, j + 1);
  for (int iteration = 0; iteration < 200; iteration++)
    {
      double change = 0;

      for (int j = 0; j < degree; j++)
        {
          double complex others = coefficient[degree], correction;

          for (int k = 0; k < degree; k++)
            if (k != j)
              others *= root[j] - root[k];
          correction = polynomial (coefficient, degree, root[j]) / others;
          root[j] -= correction;
          change = fmax (change, cabs (correction));
        }
      if (change < 1e-15)
        break;
    }
}

double
ifbam_scheme_growth (const IfbamScheme *scheme, double h)
{
  double coefficient[IFBAM_MAX_DEGREE + 1];
  double complex root[IFBAM_MAX_DEGREE];
  int degree = IFBAM_MAX_DEGREE;
  double largest = 0, square = h * h;

  if (h == 0)
    return 0;
  for (int j = 0; j <= IFBAM_MAX_DEGREE; j++)
    {
      const double *c = scheme->characteristic[j];

      coefficient[j] = c[0] + square * (c[1] + square * (c[2] + square * (c[3] + square * c[4])));
    }
  while (coefficient[degree] == 0)
    degree--;
  polynomial_roots (coefficient, degree, root);
  for (int j = 0; j < degree; j++)
    largest = fmax (largest, cabs (root[j]));
  return log (largest);
}

double
ifbam_scheme_longest_step (const IfbamScheme *scheme, double omega, double duration,
                           double tolerance)
{
  double good = 0, bad = 4 / omega;

  if (omega == 0)
    return INFINITY;
  /* Rounding of the roots (1e-15 per step) must not count as growth of a scheme that has none. */
  for (int i = 0; i < 60; i++)
    {
      double step = 0.5 * (good + bad);
      double growth = ifbam_scheme_growth (scheme, omega * step) - 1e-13;

      if (growth * (duration / step) < tolerance)
        good = step;
      else
        bad = step;
    }
  return good;
}

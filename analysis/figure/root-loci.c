/* root-loci.c: roots of schemes for an undamped mode, over the step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/root-loci.h"

#include <complex.h>
#include <math.h>

#include "linear/linear.h"

#define ON_AXIS 1e-9 /* largest angle of a real root */

/* Sorts roots by the nearest ones before. */
static void
sort_roots (double complex *root, const double complex *before, int n)
{
  for (int j = 0; j < n; j++)
    {
      int nearest = j;
      double complex one;

      for (int k = j + 1; k < n; k++)
        if (cabs (root[k] - before[j]) < cabs (root[nearest] - before[j]))
          nearest = k;
      one = root[nearest];
      root[nearest] = root[j];
      root[j] = one;
    }
}

IfbamChart *
ifbam_scheme_loci (const IfbamScheme *scheme, double longest, gsize n)
{
  IfbamChart *chart = ifbam_chart_new (IFBAM_CHART_PATH);
  double complex before[IFBAM_MAX_ROOTS], root[IFBAM_MAX_ROOTS];
  double *x[IFBAM_MAX_ROOTS], *y[IFBAM_MAX_ROOTS];

  for (gsize i = 0; i < n; i++)
    {
      const int found =
          ifbam_scheme_roots (scheme, longest * ((double) i + 0.5) / (double) n, 0, root);

      if (i > 0)
        sort_roots (root, before, found);
      for (int j = 0; j < found; j++)
        {
          if (i == 0)
            {
              x[j] = ifbam_chart_numbers (chart, n);
              y[j] = ifbam_chart_numbers (chart, n);
              ifbam_chart_add (chart, NULL, x[j], y[j], n);
            }
          before[j] = root[j];
          x[j][i] = creal (root[j]);
          y[j][i] = cimag (root[j]);
        }
    }
  return chart;
}

void
ifbam_scheme_elongation (const IfbamScheme *scheme, double ratio, double *elongation,
                         double *damping)
{
  const double h = 2 * G_PI * ratio;
  double growth;
  const double angle = ifbam_scheme_mode (scheme, h, &growth);
  const gboolean swings = angle > ON_AXIS && angle < G_PI - ON_AXIS;

  *elongation = swings ? h / angle - 1 : NAN;
  *damping = swings ? -growth / angle : NAN;
}

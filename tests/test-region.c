/* test-region.c: regions of absolute stability and roots of schemes, against closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>

#include "figure/figure.h"
#include "linear/linear.h"
#include "engine/engine.h"

static const IfbamAxisRange x_range = { -4, 3 }, y_range = { -3.5, 3.5 };

/* The largest deviation of a scheme's border from where a function is 0, and how far it goes to the left and up. */
typedef struct
{
  double deviation, left, up;
  gsize n, n_points;
} Extent;

static Extent
look_at (const char *scheme, double (*zero) (double complex q))
{
  g_autoptr (IfbamChart) borders =
      ifbam_region_borders (ifbam_scheme_by_name (scheme), x_range, y_range, 240);
  Extent extent = { .n = borders->curves->len };

  for (guint b = 0; b < borders->curves->len; b++)
    {
      const IfbamCurve *border = ifbam_chart_curve (borders, b);

      for (gsize i = 0; i < border->n; i++)
        {
          const double value = zero == NULL ? 0 : zero (border->x[i] + I * border->y[i]);

          extent.deviation = fmax (extent.deviation, fabs (value));
          extent.left = fmin (extent.left, border->x[i]);
          extent.up = fmax (extent.up, border->y[i]);
          extent.n_points++;
        }
    }
  return extent;
}

static double
euler_circle (double complex q)
{
  return cabs (1 + q) - 1;
}

static double
runge_kutta (double complex q)
{
  return cabs (1 + q * (1 + q / 2 * (1 + q / 3 * (1 + q / 4)))) - 1;
}

/* z^2 - (2 - h^2 - d) z + 1 - d: a conjugate pair has the modulus sqrt (1 - d), and a real root is -1 where h^2 = 4 - 2 d;
 * d = -2 Re q, h = |q| */
static double
symplectic_euler (double complex q)
{
  const double d = -2 * creal (q), h = cabs (q);

  return fmin (fabs (d), fabs (h * h - (4 - 2 * d)));
}

static void
test_borders (void **state)
{
  Extent extent;

  (void) state;
  extent = look_at ("euler", euler_circle);
  assert_true (extent.n == 1 && extent.n_points > 100);
  assert_true (extent.deviation < 1e-9);
  assert_true (fabs (extent.left + 2) < 1e-3 && fabs (extent.up - 1) < 1e-3);
  extent = look_at ("rk4", runge_kutta);
  assert_true (extent.n == 1 && extent.deviation < 1e-8);
  /* Hairer & Wanner II, IV.2: -2.7853 */
  assert_true (fabs (extent.left + 2.785293563405282) < 1e-3);
  extent = look_at ("symplectic-euler", symplectic_euler);
  assert_true (extent.n >= 1 && extent.deviation < 1e-8);
  assert_true (fabs (extent.left - (2 - sqrt (8))) < 1e-3);
}

/* The stable side, which pictures shade, is at the left: within the circle of euler, outside that of implicit-euler. */
static void
test_stable_side (void **state)
{
  const char *const schemes[] = { "euler", "implicit-euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamChart) borders =
          ifbam_region_borders (ifbam_scheme_by_name (schemes[s]), x_range, y_range, 240);
      const IfbamCurve *border = ifbam_chart_curve (borders, 0);
      double twice_area = 0; /* of a ring; positive: its inside is at its left */

      for (gsize i = 0; i < border->n; i++)
        {
          const gsize next = (i + 1) % border->n;

          twice_area += border->x[i] * border->y[next] - border->x[next] * border->y[i];
        }
      assert_true (fabs (twice_area / 2 - (s == 0 ? G_PI : -G_PI)) < 1e-2);
    }
}

static gboolean
has_point (IfbamChart *borders, double x, double y)
{
  for (guint b = 0; b < borders->curves->len; b++)
    {
      const IfbamCurve *border = ifbam_chart_curve (borders, b);

      for (gsize i = 0; i < border->n; i++)
        if (hypot (border->x[i] - x, border->y[i] - y) < 1e-6)
          return TRUE;
    }
  return FALSE;
}

/* Conjugate parts are on both sides of the axis, of any size: esdirk4's numerator is 0 at a pair beyond it, with a small region. */
static void
test_both_sides (void **state)
{
  guint n_schemes, beyond = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      g_autoptr (IfbamChart) borders = ifbam_region_borders (schemes[s], x_range, y_range, 160);

      for (guint b = 0; b < borders->curves->len; b++)
        {
          const IfbamCurve *border = ifbam_chart_curve (borders, b);

          for (gsize i = 0; i < border->n; i++)
            if (fabs (border->y[i]) < 3.4) /* not at the picture's ends */
              {
                assert_true (has_point (borders, border->x[i], -border->y[i]));
                beyond += border->x[i] > 2.5 && border->x[i] < 3;
              }
        }
    }
  assert_true (beyond >= 6);
}

/* The region of a scheme under which all grows by itself touches the origin alone. */
static void
test_what_grows (void **state)
{
  const char *const schemes[] = { "averaged", "original" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      const IfbamScheme *scheme = ifbam_scheme_by_name (schemes[s]);
      g_autoptr (IfbamChart) borders = ifbam_region_borders (scheme, x_range, y_range, 240);

      assert_true (borders->curves->len >= 1);
      for (guint b = 0; b < borders->curves->len; b++)
        {
          const IfbamCurve *border = ifbam_chart_curve (borders, b);

          for (gsize i = 0; i < border->n; i++)
            {
              assert_true (border->x[i] < 1e-9);
              assert_true (fabs (ifbam_scheme_growth_damped (
                               scheme, hypot (border->x[i], border->y[i]), -2 * border->x[i], NULL))
                           < 1e-8);
            }
        }
    }
}

/* All roots are there: their product and sum are the polynomial's. */
static void
test_roots (void **state)
{
  double complex root[IFBAM_MAX_ROOTS];
  const double h = 0.3;

  (void) state;
  assert_int_equal (ifbam_scheme_roots (ifbam_scheme_by_name ("verlet"), h, 0, root), 2);
  assert_true (cabs (root[0] + root[1] - (2 - h * h)) < 1e-15);
  assert_true (cabs (root[0] * root[1] - 1) < 1e-15);
  /* (z-1)^2 (z+1) + h^2 (3z-1) = z^3 - z^2 + (3 h^2 - 1) z + 1 - h^2 */
  assert_int_equal (ifbam_scheme_roots (ifbam_scheme_by_name ("averaged"), h, 0, root), 3);
  assert_true (cabs (root[0] + root[1] + root[2] - 1) < 1e-15);
  assert_true (cabs (root[0] * root[1] * root[2] + 1 - h * h) < 1e-15);
  assert_int_equal (ifbam_scheme_roots (ifbam_scheme_by_name ("euler"), h, 0.2, root), 2);
  assert_true (cabs (root[0] + root[1] - (2 - 0.2)) < 1e-15);
  assert_true (cabs (root[0] * root[1] - (1 - 0.2 + h * h)) < 1e-15);
}

/* No picture has a border where none of its points is stable, or all are. */
static void
test_nothing (void **state)
{
  const IfbamAxisRange right = { 1, 2 }, low = { 5, 6 };
  g_autoptr (IfbamChart) borders =
      ifbam_region_borders (ifbam_scheme_by_name ("rk4"), right, low, 20);

  (void) state;
  assert_int_equal (borders->curves->len, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_borders),    cmocka_unit_test (test_stable_side),
    cmocka_unit_test (test_both_sides), cmocka_unit_test (test_what_grows),
    cmocka_unit_test (test_roots),      cmocka_unit_test (test_nothing),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

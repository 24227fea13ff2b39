/* test-mechanism-modes.c: small motions of mechanisms against closed forms and against loops that are closed by hand
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <lapacke.h>
#include <math.h>

#include "embed/ifbam.h"
#include "linear/ifbam-modes.h"
#include "fixture.h"

#define HEAD "[network]\nstep = 1 ms\nduration = 1 s\n"
#define REST HEAD "start = equilibrium\n"
#define G    9.81

static IfbamModes *
modes_of (const char *text)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  IfbamModes *modes = ifbam_modes_new (network, 0, 0, &error);

  if (modes == NULL)
    fail_msg ("%s", error->message);
  return modes;
}

static void
assert_modes (const char *text, guint n, const double *omega, double tolerance)
{
  g_autoptr (IfbamModes) modes = modes_of (text);
  gsize n_modes;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n_modes);

  assert_int_equal (n_modes, n);
  for (guint i = 0; i < n; i++)
    {
      assert_near (2 * G_PI * list[i].frequency / omega[i], 1, tolerance, "frequency");
      assert_near (list[i].decay_rate, 0, 1e-9, "decay rate");
    }
}

/* Of a mode with one degree of freedom: s^2 = -square. */
static void
assert_square (const char *text, double square, double tolerance, gboolean held)
{
  g_autoptr (IfbamModes) modes = modes_of (text);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  assert_int_equal (n, square > 0 ? 1 : 2);
  assert_int_equal (ifbam_modes_get_held (modes), held);
  if (square > 0)
    assert_near (2 * G_PI * list[0].frequency / sqrt (square), 1, tolerance, "frequency");
  else
    for (guint i = 0; i < 2; i++)
      {
        assert_near (list[i].frequency, 0, 0, "frequency");
        assert_near (list[i].decay_rate / (i == 0 ? -1 : 1) / sqrt (-square), 1, tolerance,
                     "growth");
      }
}

/* A bar on a hinge: hanging, standing, and held at an angle, where the horizontal has no stiffness at all. */
static void
test_bar (void **state)
{
  const double square = 2 * G * 0.4 / (0.05 + 2 * 0.4 * 0.4);
  const double angles[] = { 0, 0.7, 1.5, 2.0, 3.0, G_PI };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (angles); i++)
    {
      g_autofree char *text =
          g_strdup_printf (HEAD "[point p]\n[body b]\nmass = 2\ninertia = 0.05\nangle = %.17g\n"
                                "[point top]\non = b\ny = 0.4\n[hinge h]\nbetween = p, top\n"
                                "[gravity g]\non = b\n",
                           angles[i]);

      assert_square (text, square * cos (angles[i]), 1e-9, i > 0 && i < 5);
    }
}

/* Bars hinged to each other, and their angular frequencies (n) by M_ij and K_ii of their angles (Lagrange); text: transfer full. */
static char *
bars_of (int n, const char *head, double swing, double *omega)
{
  const double mass = 0.7, length = 0.3, inertia = mass * length * length / 12;
  g_autoptr (GString) text = g_string_new (head);
  g_autoptr (GString) on = g_string_new ("b0");
  g_autofree double *m = g_new0 (double, n *n), *k = g_new0 (double, n *n);

  for (int i = 0; i < n; i++)
    {
      g_string_append_printf (text,
                              "[body b%d]\nmass = %.17g\ninertia = %.17g\n"
                              "angle = %g\n[point t%d]\non = b%d\ny = 0.15\n"
                              "[point p%d]\non = b%d\ny = -0.15\n"
                              "[hinge h%d]\nbetween = p%d, t%d\n",
                              i, mass, inertia, swing * (i % 3), i, i, i + 1, i, i, i, i);
      if (i > 0)
        g_string_append_printf (on, ", b%d", i);
      for (int j = 0; j < n; j++)
        m[i + j * n] = mass * length * length * (n - MAX (i, j) - (i == j ? 0.75 : 0.5))
                       + (i == j ? inertia : 0);
      k[i + i * n] = mass * G * length * (n - i - 0.5);
    }
  g_string_append_printf (text, "[point p0]\n[gravity g]\non = %s\n", on->str);
  assert_int_equal (LAPACKE_dsygv (LAPACK_COL_MAJOR, 1, 'N', 'L', n, k, n, m, n, omega), 0);
  for (int i = 0; i < n; i++)
    omega[i] = sqrt (omega[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_bars (void **state)
{
  (void) state;
  for (int n = 1; n <= 30; n += n < 3 ? 1 : 9)
    {
      g_autofree double *omega = g_new (double, n);
      g_autofree char *text = bars_of (n, REST, 0.1, omega);

      assert_modes (text, (guint) n, omega, 1e-8);
    }
}

/* Of many bars each row pulls at all angles above it: a full matrix, of which a few modes are found. */
static void
test_many_bars (void **state)
{
  const int n = 320;
  g_autofree double *omega = g_new (double, n);
  g_autofree char *text = bars_of (n, HEAD, 0, omega);
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 5, 0, &error);
  gsize n_modes;
  const IfbamMode *list;

  (void) state;
  if (modes == NULL)
    fail_msg ("%s", error->message);
  list = ifbam_modes_get_modes (modes, &n_modes);
  assert_int_equal (n_modes, 5);
  for (gsize i = 0; i < n_modes; i++)
    assert_near (2 * G_PI * list[i].frequency / omega[i], 1, 1e-8, "frequency");
}

/* A chain of rods is a chain as their number grows: j01/2 sqrt (g/L), and so on (Bernoulli 1733), from n and 2 n rods
 * with errors of 1/n, 1/n^2. */
static void
test_heavy_chain (void **state)
{
  const double zero[] = { 2.404825557695773, 5.520078110286311, 8.653727912911012 };
  double found[2][3];

  (void) state;
  for (guint level = 0; level < 2; level++)
    {
      const guint rods = 100u << level;
      g_autofree char *text = g_strdup_printf (
          REST "[point top]\n[chain c]\ncount = %u\nmass = 1\nrods = %.17g\nfrom = top\n"
               "direction = -90 deg\n[gravity g]\non = c\n",
          rods, 1.0 / rods);
      g_autoptr (IfbamModes) modes = modes_of (text);
      gsize n;
      const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

      assert_int_equal (n, rods);
      for (guint i = 0; i < 3; i++)
        found[level][i] = 2 * G_PI * list[i].frequency;
    }
  for (guint i = 0; i < 3; i++)
    {
      const double limit = 0.5 * zero[i] * sqrt (G);

      assert_near (found[0][i] / limit, 1, 0.02, "100 rods");
      assert_near ((2 * found[1][i] - found[0][i]) / limit, 1, 1e-3, "without end");
    }
}

/* A deck on three rods goes along a circle and does not turn. */
static void
test_deck (void **state)
{
  const double omega = sqrt (G / 0.8);

  (void) state;
  assert_modes (REST
                "[body deck]\nmass = 3\ninertia = 0.2\nx = 0.48\ny = -0.64\n"
                "[point a]\nx = -0.5\n[point b]\nx = 0.1\n[point c]\nx = 0.5\n"
                "[point u]\non = deck\nx = -0.5\n[point v]\non = deck\nx = 0.1\n"
                "[point w]\non = deck\nx = 0.5\n[rod r]\nlength = 0.8\nbetween = a, u\n"
                "[rod s]\nlength = 0.8\nbetween = b, v\n[rod t]\nlength = 0.8\nbetween = c, w\n"
                "[gravity g]\non = deck\n",
                1, &omega, 1e-8);
}

/* One degree of freedom that is closed by hand: where each body's middle and angle are by the crank's angle. */

typedef struct
{
  guint n;
  double mass[3], inertia[3];
  gboolean (*place) (double crank, double (*at)[3]);
  double (*potential) (double (*at)[3]);
} Loop;

static double
inertia_at (const Loop *loop, double angle)
{
  const double h = 1e-4;
  double at[4][3][3], sum = 0;

  for (int k = 0; k < 4; k++)
    loop->place (angle + (k < 2 ? k - 2 : k - 1) * h, at[k]);
  for (guint i = 0; i < loop->n; i++)
    for (guint c = 0; c < 3; c++)
      {
        const double slope =
            (at[0][i][c] - 8 * at[1][i][c] + 8 * at[2][i][c] - at[3][i][c]) / (12 * h);

        sum += (c < 2 ? loop->mass[i] : loop->inertia[i]) * slope * slope;
      }
  return sum;
}

static double
potential_at (const Loop *loop, double angle)
{
  double at[3][3];

  loop->place (angle, at);
  return loop->potential (at);
}

static void
potential_slopes (const Loop *loop, double angle, double *slope, double *curvature)
{
  const double h = 3e-3;
  double v[7];

  for (int k = -3; k <= 3; k++)
    v[k + 3] = potential_at (loop, angle + k * h);
  *slope = (-v[0] + 9 * v[1] - 45 * v[2] + 45 * v[4] - 9 * v[5] + v[6]) / (60 * h);
  *curvature = (2 * v[0] - 27 * v[1] + 270 * v[2] - 490 * v[3] + 270 * v[4] - 27 * v[5] + 2 * v[6])
               / (180 * h * h);
}

/* V'' for the path s with ds^2 = m dq^2. A constant force holds the mechanism there: the equation of motion
 * m q'' + m' q'^2/2 + V' = 0 has a nonzero V' there. */
static double
square_at (const Loop *loop, double angle)
{
  const double h = 1e-3, m = inertia_at (loop, angle);
  const double turn = (inertia_at (loop, angle + h) - inertia_at (loop, angle - h)) / (2 * h);
  double slope, curvature;

  potential_slopes (loop, angle, &slope, &curvature);
  return curvature / m - slope * turn / (2 * m * m);
}

static double
rest_near (const Loop *loop, double angle)
{
  for (int i = 0; i < 50; i++)
    {
      double slope, curvature;

      potential_slopes (loop, angle, &slope, &curvature);
      angle -= slope / fabs (curvature);
    }
  return angle;
}

/* A four-bar linkage with its ends at (0, 0) and (0.4, 0), bars of 0.1, 0.35 and 0.3, each with its middle in the
 * middle. */
static gboolean
place_four_bar (double crank, double (*at)[3])
{
  const double px = 0.1 * cos (crank), py = 0.1 * sin (crank), dx = 0.4 - px, dy = -py;
  const double d = hypot (dx, dy), along = (0.35 * 0.35 - 0.3 * 0.3 + d * d) / (2 * d);
  const double across = sqrt (0.35 * 0.35 - along * along);
  const double qx = px + (along * dx - across * dy) / d, qy = py + (along * dy + across * dx) / d;

  at[0][0] = px / 2;
  at[0][1] = py / 2;
  at[0][2] = crank;
  at[1][0] = (px + qx) / 2;
  at[1][1] = (py + qy) / 2;
  at[1][2] = atan2 (qy - py, qx - px);
  at[2][0] = (0.4 + qx) / 2;
  at[2][1] = qy / 2;
  at[2][2] = atan2 (qy, qx - 0.4);
  return TRUE;
}

static double
four_bar_potential (double (*at)[3])
{
  return G * (0.3 * at[0][1] + 0.9 * at[1][1] + 0.8 * at[2][1]) + 0.5 * 0.6 * at[0][2] * at[0][2];
}

static char *
four_bar_text (const char *head, double crank)
{
  double at[3][3];

  place_four_bar (crank, at);
  return g_strdup_printf (
      "%s[point left]\n[point right]\nx = 0.4\n[ground floor]\n"
      "[body crank]\nmass = 0.3\ninertia = 0.001\nx = %.17g\ny = %.17g\nangle = %.17g\n"
      "[body coupler]\nmass = 0.9\ninertia = 0.01\nx = %.17g\ny = %.17g\nangle = %.17g\n"
      "[body rocker]\nmass = 0.8\ninertia = 0.006\nx = %.17g\ny = %.17g\nangle = %.17g\n"
      "[point cf]\non = crank\nx = -0.05\n[point cp]\non = crank\nx = 0.05\n"
      "[point ll]\non = coupler\nx = -0.175\n[point lr]\non = coupler\nx = 0.175\n"
      "[point rt]\non = rocker\nx = 0.15\n[point rf]\non = rocker\nx = -0.15\n"
      "[hinge a]\nbetween = left, cf\n[hinge b]\nbetween = cp, ll\n[hinge c]\nbetween = lr, rt\n"
      "[hinge d]\nbetween = right, rf\n"
      "[torsion-spring k]\nstiffness = 0.6\nbetween = crank.angle, floor\n"
      "[gravity g]\non = crank, coupler, rocker\n",
      head, at[0][0], at[0][1], at[0][2], at[1][0], at[1][1], at[1][2], at[2][0], at[2][1],
      at[2][2]);
}

static const Loop four_bar = { .n = 3,
                               .mass = { 0.3, 0.9, 0.8 },
                               .inertia = { 0.001, 0.01, 0.006 },
                               .place = place_four_bar,
                               .potential = four_bar_potential };

static void
test_four_bar (void **state)
{
  const double rest = rest_near (&four_bar, -1.0), held[] = { 0.4, 1.5, 2.6, 4.0 };
  g_autofree char *text = four_bar_text (REST, rest + 0.2);

  (void) state;
  assert_true (square_at (&four_bar, rest) > 0);
  assert_square (text, square_at (&four_bar, rest), 1e-6, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    {
      g_autofree char *other = four_bar_text (HEAD, held[i]);

      assert_square (other, square_at (&four_bar, held[i]), 1e-6, TRUE);
    }
}

/* A crank of 40 mm, a rod without mass of 120 mm, a piston, gas above it; the crank is heavy on one side. */
static gboolean
place_slider (double crank, double (*at)[3])
{
  const double y = 0.04 * sin (crank);

  at[0][0] = -0.01 * cos (crank);
  at[0][1] = -0.01 * sin (crank);
  at[0][2] = crank;
  at[1][0] = 0.04 * cos (crank) + sqrt (0.12 * 0.12 - y * y);
  at[1][1] = 0;
  at[1][2] = 0;
  return TRUE;
}

/* Gas of 90 mm at 130 kPa to begin with, on 50 square centimetres, against 100 kPa. */
static double
slider_potential (double (*at)[3])
{
  const double length = 0.2 - at[1][0], area = 5e-3;

  return area * 130e3 * 0.09 * (pow (length / 0.09, -0.4) - 1) / 0.4 + area * 100e3 * length
         + 5 * G * at[0][1];
}

static char *
slider_text (const char *head, double crank)
{
  double at[3][3];

  place_slider (crank, at);
  return g_strdup_printf ("%s[point centre]\n[point head]\nx = 0.2\n"
                          "[body crank]\nmass = 5\ninertia = 0.1\nx = %.17g\ny = %.17g\n"
                          "angle = %.17g\n[body piston]\nmass = 0.4\ninertia = 0.001\nx = %.17g\n"
                          "[point axle]\non = crank\nx = 0.01\n[point pin]\non = crank\nx = 0.05\n"
                          "[point wrist]\non = piston\n[hinge main]\nbetween = centre, axle\n"
                          "[rod conrod]\nlength = 0.12\nbetween = pin, wrist\n"
                          "[slider bore]\ndirection = 0\nbetween = centre, piston\n"
                          "[gas-spring gas]\narea = 0.005\npressure = 130 kPa\nambient = 100 kPa\n"
                          "length = 0.09\nbetween = head, wrist\n[gravity g]\non = crank\n",
                          head, at[0][0], at[0][1], at[0][2], at[1][0]);
}

static const Loop slider = { .n = 2,
                             .mass = { 5, 0.4 },
                             .inertia = { 0.1, 0.001 },
                             .place = place_slider,
                             .potential = slider_potential };

static void
test_slider_crank (void **state)
{
  const double rest = rest_near (&slider, 1.2), held[] = { 0.3, 2.2, 3.4 };
  g_autofree char *text = slider_text (REST, rest + 0.1);

  (void) state;
  assert_true (square_at (&slider, rest) > 0);
  assert_square (text, square_at (&slider, rest), 1e-6, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    {
      g_autofree char *other = slider_text (HEAD, held[i]);

      assert_square (other, square_at (&slider, held[i]), 1e-6, TRUE);
    }
}

/* A spinning ball in air circles both ways with two frequencies: m s^2 +- i S w s + k = 0. */
static void
test_spin (void **state)
{
  const char *const bodies[] = { "[ball b]\nmass = 2\ninertia = 0.01\nspeed = 40\n",
                                 "[body b]\nmass = 2\ninertia = 0.01\nspeed = 40\n" };
  const double half = 0.05 * 40 / (2 * 2.0), middle = sqrt (300 / 2.0 + half * half);

  (void) state;
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text =
          g_strdup_printf (HEAD "%s[magnus lift]\ncoefficient = 0.05\non = b\n[ground g]\n"
                                "[spring kx]\nstiffness = 300\nbetween = b.x, g\n"
                                "[spring ky]\nstiffness = 300\nbetween = b.y, g\n",
                           bodies[i]);
      g_autoptr (IfbamModes) modes = modes_of (text);
      gsize n;
      const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

      assert_int_equal (n, 3);
      assert_int_equal (list[0].kind, IFBAM_MODE_FREE);
      assert_near (2 * G_PI * list[1].frequency / (middle - half), 1, 1e-12, "against");
      assert_near (2 * G_PI * list[2].frequency / (middle + half), 1, 1e-12, "along");
      for (guint k = 1; k < 3; k++)
        {
          gsize n_nodes;
          const double *shape = ifbam_modes_get_shape (modes, k, &n_nodes);
          const double *imaginary = ifbam_modes_get_imaginary_shape (modes, k, &n_nodes);

          assert_near (list[k].decay_rate, 0, 1e-12, "decay rate");
          assert_non_null (imaginary);
          assert_near (shape[0], 1, 1e-9, "x");
          assert_near (shape[1], 0, 1e-9, "y in phase");
          assert_near (fabs (imaginary[1]), 1, 1e-9, "y a quarter apart");
        }
    }
}

/* The same where it hangs by a rod, with a damper: the plane that it swings in has one coordinate, and nothing turns. */
static void
test_spin_on_rod (void **state)
{
  const double omega = sqrt (G / 0.5);

  (void) state;
  assert_modes (REST "[point p]\n[ball b]\nmass = 2\nx = 0.3\ny = -0.4\n[rod r]\nbetween = p, b\n"
                     "[magnus lift]\ncoefficient = 0.05\non = b\n[gravity g]\non = b\n",
                1, &omega, 1e-9);
}

/* A free spinning ball keeps its speed on a circle. */
static void
test_spin_free (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[body b]\nmass = 2\ninertia = 0.01\nspeed = 40\n[magnus lift]\n"
                     "coefficient = 0.05\non = b\n");
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 4);
  assert_near (2 * G_PI * list[3].frequency, 0.05 * 40 / 2, 1e-12, "around");
}

/* A free linkage: three rigid motions, and the oscillations of its springs. */
static void
test_free_linkage (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[body a]\nmass = 2\ninertia = 0.3\n[body b]\nmass = 1\ninertia = 0.2\nx = 1\n"
                     "y = 0.5\n[point p]\non = a\nx = 0.5\ny = 0.25\n[point q]\non = b\nx = -0.5\n"
                     "y = -0.25\n[hinge h]\nbetween = p, q\n[torsion-spring k]\nstiffness = 50\n"
                     "between = a.angle, b.angle\n");
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);
  /* About the common middle, by the angle between both: hand's M of (x, y, a, b), reduced. */
  const double mu = 2.0 / 3, u = 0.5, w = 0.25, r = u * u + w * w;
  const double aa = 0.3 + mu * r, bb = 0.2 + mu * r, ab = mu * r;
  const double square = 50 * (aa + bb + 2 * ab) / (aa * bb - ab * ab);

  (void) state;
  assert_int_equal (n, 4);
  for (guint i = 0; i < 3; i++)
    assert_int_equal (list[i].kind, IFBAM_MODE_FREE);
  assert_near (2 * G_PI * list[3].frequency / sqrt (square), 1, 1e-10, "bending");
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_bar),          cmocka_unit_test (test_bars),
    cmocka_unit_test (test_heavy_chain),  cmocka_unit_test (test_many_bars),
    cmocka_unit_test (test_deck),         cmocka_unit_test (test_four_bar),
    cmocka_unit_test (test_slider_crank), cmocka_unit_test (test_spin),
    cmocka_unit_test (test_spin_on_rod),  cmocka_unit_test (test_spin_free),
    cmocka_unit_test (test_free_linkage),
  };

  if (argc > 1)
    cmocka_set_test_filter (argv[1]);
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

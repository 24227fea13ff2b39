/* test-laws.c: laws of forces against closed forms, quadrature and published values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "event-run.h"
#include "fixture.h"

#define LEDGER "network.energy, network.dissipated, network.supplied"

/* Damped contacts */

/* v/c - ln (1 + c v)/c^2, whose change is what an elastic force of a product stores or gives back, by the mass. */
static double
product_energy (double v, double c)
{
  return (v - log1p (c * v) / c) / c;
}

/* The speed -v < 0 at which that is so much. */
static double
speed_back (double energy, double c)
{
  double low = 0, high = 1 / c;

  for (int i = 0; i < 200; i++)
    {
      const double v = 0.5 * (low + high);

      *(product_energy (-v, c) < energy ? &low : &high) = v;
    }
  return low;
}

/* Hunt & Crossley: m v dv/dx = -f (1 + c v) is separable, whatever the elastic force f is, and its end does not
 * depend on that at all. */
static void
test_hunt_crossley (void **state)
{
  static const struct
  {
    const char *class, *keys;
    double stiffness, power;
  } cases[] = {
    { "contact", "stiffness = 1e4\ngap = 0.2", 1e4, 1 },
    { "backlash", "stiffness = 1e4\nplay = 0.4", 1e4, 1 },
    { "hertz", "modulus = 1 MPa\nradius = 0.04\ngap = 0.2", 4.0 / 3 * 1e6 * 0.2, 1.5 },
  };
  static const double dissipations[] = { 0.01, 0.3, 2 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint d = 0; d < G_N_ELEMENTS (dissipations); d++)
      {
        const double c = dissipations[d], power = cases[i].power;
        const double back = speed_back (product_energy (3, c), c);
        const double deepest =
            pow (4 * (power + 1) * product_energy (3, c) / cases[i].stiffness, 1 / (power + 1));
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = rk4\nstep = 20 us\nduration = 0.2 s\nsample = 20 us\n"
            "record = m.position, m.velocity, l.force, l.dissipated, " LEDGER "\n[ground wall]\n"
            "[mass m]\nmass = 4\nvelocity = 3\n[%s l]\n%s\ndamping-law = hunt-crossley\n"
            "dissipation = %.17g\nbetween = m, wall\n",
            cases[i].class, cases[i].keys, c);
        gsize n;
        const double *x = event_run_values (run, "m.position", &n);
        const double *force = event_run_values (run, "l.force", &n);
        double most = 0, least = 0;

        for (gsize k = 0; k < n; k++)
          {
            most = fmax (most, x[k]);
            least = fmin (least, force[k]);
          }
        print_message ("# %s, dissipation %g: %.9g m/s back, wanted %.9g\n", cases[i].class, c,
                       event_run_last (run, "m.velocity"), -back);
        /* Of Hertz's law a step from its kink is off by its power 2.5. */
        assert_near (event_run_last (run, "m.velocity"), -back, power == 1 ? 1e-9 : 1e-6, "back");
        assert_near (most - 0.2, deepest, 1e-5 * deepest, "the deepest overlap");
        assert_near (event_run_last (run, "l.dissipated"), 2 * (9 - back * back), 1e-5, "lost");
        assert_true (least == 0);
        assert_int_equal (run->events->len, 2);
        assert_number (event_run_ledger_gap (run), 0, power == 1 ? 1e-8 : 1e-5);
      }
}

/* A bounded damper: first twice the spring's force, m x'' = -2 k x, until that is above the damper's; then the linear
 * oscillator, until the sum is 0. */
static double
bounded_speed_back (double m, double k, double d, double v0)
{
  const double w1 = sqrt (2 * k / m), t1 = atan2 (d * w1, k) / w1;
  const double x1 = v0 / w1 * sin (w1 * t1), v1 = v0 * cos (w1 * t1);
  const double a = 0.5 * d / m, w = sqrt (k / m - a * a), b = (v1 + a * x1) / w;
  /* x'' = exp (-a t) (p cos w t + q sin w t) */
  const double p = (a * a - w * w) * x1 - 2 * a * w * b, q = (a * a - w * w) * b + 2 * a * w * x1;
  double t2 = atan2 (-p, q) / w;

  while (t2 <= 1e-12)
    t2 += G_PI / w;
  return exp (-a * t2) * ((-a * x1 + w * b) * cos (w * t2) - (a * b + w * x1) * sin (w * t2));
}

static void
test_bounded (void **state)
{
  static const char *const classes[] = { "contact", "backlash", "gear" };
  static const double dampings[] = { 5, 60, 300 };
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (classes); c++)
    for (guint d = 0; d < G_N_ELEMENTS (dampings); d++)
      for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
        {
          const double back = bounded_speed_back (4, 1e4, dampings[d], 3);
          const gboolean turns = c == 2;
          g_autofree char *speed = g_strdup (turns ? "m.speed" : "m.velocity");
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nscheme = %s\nstep = 20 us\nduration = 0.2 s\n"
              "record = %s, l.%s, l.dissipated, " LEDGER "\n[ground wall]\n"
              "[%s m]\n%s = 4\n%s = 3\n[%s l]\nstiffness = 1e4\ndamping = %g\n"
              "damping-law = bounded\n%s\nbetween = m, wall\n",
              schemes[s], speed, turns ? "torque" : "force", turns ? "inertia" : "mass",
              turns ? "inertia" : "mass", turns ? "speed" : "velocity", classes[c], dampings[d],
              c == 0   ? "gap = 0.2"
              : c == 1 ? "play = 0.4"
                       : "play = 0.4\nratio = 1");
          gsize n;
          const double *force = event_run_values (run, turns ? "l.torque" : "l.force", &n);
          double least = 0;

          for (gsize k = 0; k < n; k++)
            least = fmin (least, force[k]);
          print_message ("# %s, %s, damping %g: %.9g back, wanted %.9g\n", classes[c], schemes[s],
                         dampings[d], event_run_last (run, speed), back);
          assert_near (event_run_last (run, speed), back, s == 0 ? 1e-9 : 1e-5, "back");
          assert_near (event_run_last (run, "l.dissipated"), 2 * (9 - back * back),
                       s == 0 ? 1e-7 : 1e-2, "lost");
          /* A mean over a step in which it parts may end beyond. */
          assert_true (s > 0 || least == 0);
          assert_int_equal (run->events->len, 2);
          assert_number (event_run_ledger_gap (run), 0, s == 0 ? 1e-8 : 1e-2);
        }
}

/* Its order is its scheme's: where the force has its kinks is found. */
static void
test_bounded_order (void **state)
{
  const double back = bounded_speed_back (4, 1e4, 60, 3);
  double last = 0;

  (void) state;
  for (int halvings = 0; halvings < 3; halvings++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = %.17g\nduration = 0.2 s\nrecord = m.velocity\n"
          "[ground wall]\n[mass m]\nmass = 4\nvelocity = 3\n[contact l]\nstiffness = 1e4\n"
          "damping = 60\ndamping-law = bounded\ngap = 0.2\nbetween = m, wall\n",
          2e-3 / (1 << halvings));
      const double error = fabs (event_run_last (run, "m.velocity") - back);

      print_message ("# bounded, %g ms: off by %.2g, order %.2f\n", 2.0 / (1 << halvings), error,
                     log2 (last / error));
      assert_true (halvings == 0 || log2 (last / error) > 3.7);
      last = error;
    }
}

/* The example ElastoGap of the Modelica Standard Library: a mass between two bounded contacts, v (5 s). */
static void
test_elasto_gap (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 0.2 ms\nduration = 5\nrecord = m.velocity, " LEDGER "\n"
         "[ground a]\nposition = -2\n[ground b]\nposition = 2\n[mass m]\nmass = 1\nposition = 2\n"
         "[contact l]\nstiffness = 10\ndamping = 1.5\ndamping-law = bounded\ngap = -1.5\n"
         "between = a, m\n"
         "[contact r]\nstiffness = 10\ndamping = 1.5\ndamping-law = bounded\ngap = -1.5\n"
         "between = m, b\n");

  (void) state;
  print_message ("# ElastoGap: v (5 s) = %.9g\n", event_run_last (run, "m.velocity"));
  assert_near (event_run_last (run, "m.velocity"), 0.53752919, 1e-5, "v");
  assert_number (event_run_ledger_gap (run), 0, 1e-8);
}

/* Friction by Stribeck's curve */

static double
stribeck_friction (double v, int n, double viscous)
{
  return 3 + 2 * exp (-pow (v / 0.2, n)) + viscous * v;
}

/* What a mass of 4 needs to stop from v0: the integrals of m dv/F (v), and of m v dv/F (v), by Simpson. */
static void
braking (double v0, int n, double viscous, double *time, double *way)
{
  const int steps = 20000;
  const double h = v0 / steps;

  *time = *way = 0;
  for (int i = 0; i <= steps; i++)
    {
      const double v = i * h, weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;

      *time += weight * h / 3 * 4 / stribeck_friction (v, n, viscous);
      *way += weight * h / 3 * 4 * v / stribeck_friction (v, n, viscous);
    }
}

static void
test_stribeck_braking (void **state)
{
  (void) state;
  for (int n = 1; n <= 2; n++)
    for (int viscous = 0; viscous < 2; viscous++)
      {
        double time, way;
        const IfbamEvent *stick;
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2\nrecord = m.position, "
            "m.velocity, f.dissipated, " LEDGER "\n[ground g]\n[mass m]\nmass = 4\nvelocity = -1\n"
            "[friction f]\nbreakaway = 5\ncoulomb = 3\nviscous = %d\nstribeck = 0.2\n"
            "stribeck-exponent = %d\nbetween = m, g\n",
            viscous, n);

        braking (1, n, viscous, &time, &way);
        if (viscous == 0 && n == 1)
          assert_number (time, 4 * 0.2 / 3 * log ((3 * exp (5) + 2) / 5), 1e-13);
        stick = event_run_event (run, "f", "stick", 0);
        assert_non_null (stick);
        print_message ("# n = %d, viscous %d: sticks at %.12g s, wanted %.12g\n", n, viscous,
                       stick->time, time);
        assert_near (stick->time, time, 1e-9, "when it sticks");
        assert_near (event_run_last (run, "m.position"), -way, 1e-9, "where it sticks");
        assert_true (event_run_last (run, "m.velocity") == 0);
        assert_near (event_run_last (run, "f.dissipated"), 2, 1e-8, "lost");
        assert_number (event_run_ledger_gap (run), 0, 1e-8);
      }
}

/* Pulled by a spring it breaks loose at breakaway, and the force goes down from there without a jump. */
static void
test_stribeck_start (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 60 ms\nrecord = f.force, f.rate, "
         "f.mode\n[ground g]\n[drive d]\nvelocity = 0.1\n[mass m]\nmass = 4\n"
         "[spring k]\nstiffness = 1000\nbetween = d, m\n[friction f]\nbreakaway = 5\n"
         "coulomb = 3\nstribeck = 0.2\nbetween = m, g\n");
  gsize n;
  const double *force = event_run_values (run, "f.force", &n);
  const double *rate = event_run_values (run, "f.rate", &n);

  (void) state;
  assert_near (event_run_event (run, "f", "slip", 0)->time, 0.05, 1e-12, "when it slips");
  assert_int_equal (run->events->len, 1);
  for (gsize i = 0; i < n; i++)
    if (rate[i] > 0)
      assert_near (force[i], stribeck_friction (rate[i], 2, 0), 1e-13, "Stribeck's curve");
    else
      assert_near (force[i], 100 * 1e-4 * (double) i, 1e-12, "what holds");
  assert_true (rate[n - 1] > 1e-3 && force[n - 1] < 5 && force[n - 2] > force[n - 1]);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_hunt_crossley),    cmocka_unit_test (test_bounded),
    cmocka_unit_test (test_bounded_order),    cmocka_unit_test (test_elasto_gap),
    cmocka_unit_test (test_stribeck_braking), cmocka_unit_test (test_stribeck_start),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

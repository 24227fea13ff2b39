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

/* v/c - ln (1 + c v)/c^2: its change times the mass is the energy that an elastic force of a product stores or returns. */
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

/* A soft contact that touches without force and approach is open, and has no force. */
static void
test_touching_is_open (void **state)
{
  static const char *const contacts[] = {
    "contact c]\nstiffness = 1e4\ngap = 0.2\n",
    "contact c]\nstiffness = 1e4\ngap = 0.2\ndamping = 30\n",
    "contact c]\nstiffness = 1e4\ngap = 0.2\ndamping-law = hunt-crossley\ndissipation = 2\n",
    "hertz c]\nmodulus = 1 MPa\nradius = 0.04\ngap = 0.2\n",
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (contacts); i++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 1 ms\nduration = 10 ms\n"
                     "record = c.mode, c.force\n[ground g]\n[mass m]\nmass = 1\nposition = -0.2\n"
                     "[%sbetween = g, m\n",
                     contacts[i]);

      assert_true (event_run_first (run, "c.mode") == 0 && event_run_last (run, "c.mode") == 0);
      assert_true (event_run_last (run, "c.force") == 0);
      assert_int_equal (event_run_count (run, NULL, NULL), 0);
    }
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

/* Time and distance of a mass of 4 from v0 to rest: the integrals of m dv/F (v), and of m v dv/F (v), by Simpson. */
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

/* Springs */

/* sn (u | k), by descending Landen transformations (Abramowitz & Stegun 1964, 16.4). */
static double
jacobi_sn (double u, double k)
{
  double a[20], c[20], b = sqrt (1 - k * k), phi;
  int n = 0;

  a[0] = 1;
  c[0] = k;
  for (; n < 19 && fabs (c[n]) > 1e-17; n++)
    {
      a[n + 1] = 0.5 * (a[n] + b);
      c[n + 1] = 0.5 * (a[n] - b);
      b = sqrt (a[n] * b);
    }
  for (phi = ldexp (a[n] * u, n); n > 0; n--)
    phi = 0.5 * (phi + asin (c[n] / a[n] * sin (phi)));
  return sin (phi);
}

/* A pendulum, pushed where it hangs: sin (phi/2) = k sn (omega t | k), k = speed/(2 omega). */
static void
test_sine_spring (void **state)
{
  static const double speeds[] = { 0.01, 3, 5.9, 5.9999 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (speeds); s++)
    for (int turns = 0; turns < 2; turns++)
      {
        /* omega = 3, scale 1 rad or 20 cm */
        const double scale = turns ? 1 : 0.2, k = speeds[s] / 6;
        const char *signal = turns ? "m.angle" : "m.position";
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = rk4\nstep = 0.5 ms\nduration = 10\nsample = 0.1\nrecord = "
            "%s, " LEDGER "\n[ground g]\n[%s m]\n%s = 2\n%s = %.17g\n[%s l]\nstiffness = 18\n"
            "scale = %g\nbetween = m, g\n",
            signal, turns ? "inertia" : "mass", turns ? "inertia" : "mass",
            turns ? "speed" : "velocity", speeds[s] * scale,
            turns ? "torsion-sine-spring" : "sine-spring", scale);
        gsize n;
        const double *x = event_run_values (run, signal, &n);

        assert_int_equal (n, 101);
        for (gsize i = 0; i < n; i++)
          assert_near (x[i], 2 * scale * asin (k * jacobi_sn (0.3 * (double) i, k)),
                       s == 3 ? 1e-7 : 1e-9, "sn");
        assert_number (event_run_ledger_gap (run), 0, 1e-9);
      }
}

/* m x'' = -x + x^2: between the roots e3 < e2 of (2/3)(x - e1)(x - e2)(x - e3) it goes as sn^2. */
static void
test_quadratic_spring (void **state)
{
  static const double starts[] = { -0.01, -0.3, -0.499 };
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (starts); s++)
    for (guint c = 0; c < G_N_ELEMENTS (schemes); c++)
      {
        /* The cubic x^3 - 3/2 x^2 + 3 E, divided by its known root. */
        const double e3 = starts[s], b = e3 - 1.5, q = b * e3;
        const double root = sqrt (0.25 * b * b - q), e1 = -0.5 * b + root, e2 = -0.5 * b - root;
        const double k = sqrt ((e2 - e3) / (e1 - e3));
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = 1 ms\nduration = 20\nsample = 0.1\n"
            "record = m.position, " LEDGER "\n[ground g]\n[mass m]\nmass = 1\nposition = %.17g\n"
            "[spring l]\nstiffness = 1\nquadratic = -1\nbetween = m, g\n",
            schemes[c], e3);
        gsize n;
        const double *x = event_run_values (run, "m.position", &n);
        double worst = 0;

        for (gsize i = 0; i < n; i++)
          {
            const double sn = jacobi_sn (sqrt ((e1 - e3) / 6) * 0.1 * (double) i, k);

            worst = fmax (worst, fabs (x[i] - (e3 + (e2 - e3) * sn * sn)));
          }
        print_message ("# quadratic from %g, %s: off by %.2g\n", e3, schemes[c], worst);
        assert_true (worst < (c == 0 ? 1e-10 : 1e-4));
        assert_number (event_run_ledger_gap (run), 0, c == 0 ? 1e-12 : 1e-6);
      }
}

/* Toda's soliton: x_n = ln (f_n/f_(n+1)), f_n = 1 + exp 2 (kappa n - sinh (kappa) t). */
static void
toda (double kappa, double n, double t, double *x, double *v)
{
  const double beta = sinh (kappa), here = exp (2 * (kappa * n - beta * t)),
               next = exp (2 * (kappa * (n + 1) - beta * t));

  *x = log1p (here) - log1p (next);
  *v = -2 * beta * (here / (1 + here) - next / (1 + next));
}

static void
test_toda_soliton (void **state)
{
  const double kappa = 1.1, scale = 0.02, rate = 7; /* its units: scale, 1/rate */
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (EventRun) run = NULL;
  double x, v;

  (void) state;
  for (int n = -20; n <= 40; n++)
    {
      toda (kappa, n, 0, &x, &v);
      g_string_append_printf (text, "[mass m%d]\nmass = 3\nposition = %.17g\nvelocity = %.17g\n",
                              n + 20, x * scale, v * scale * rate);
      if (n > -20)
        g_string_append_printf (text,
                                "[exponential-spring k%d]\nstiffness = %.17g\nscale = %.17g\n"
                                "between = m%d, m%d\n",
                                n + 20, 3 * rate * rate, scale, n + 19, n + 20);
    }
  run = event_run (0,
                   "[network]\nscheme = rk4\nstep = 0.2 ms\nduration = 2\nsample = 0.5\n"
                   "record = *.position, *.velocity, k30.force, " LEDGER "\n%s",
                   text->str);
  for (gsize i = 0; i < 5; i++)
    for (int n = -20; n <= 40; n++)
      {
        g_autofree char *place = g_strdup_printf ("m%d.position", n + 20);
        g_autofree char *speed = g_strdup_printf ("m%d.velocity", n + 20);
        gsize rows;

        toda (kappa, n, 0.5 * rate * (double) i, &x, &v);
        assert_near (event_run_values (run, place, &rows)[i], x * scale, 1e-9 * scale, place);
        assert_near (event_run_values (run, speed, &rows)[i], v * scale * rate, 1e-9, speed);
        assert_int_equal (rows, 5);
      }
  assert_number (event_run_ledger_gap (run), 0, 1e-9);
}

/* Forces of an exponential spring from 1e-12 to 300 of its scale, with the C library's digits. */
static void
test_exponential_spring (void **state)
{
  static const double places[] = { -700,  -20, -1.0001, -0.9999, -0.3, -1e-5,
                                   1e-12, 0.1, 0.9999,  1.0001,  300 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const double u = places[i];
      const double area = fabs (u) < 1e-3 ? 0.5 * u * u * (1 + u / 3 * (1 + u / 4))
                                          : (double) (expm1l (u) - (long double) u);
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 ms\nrecord = l.force, "
                     "network.potential\n[ground g]\n[mass m]\nmass = 1e300\nposition = %.17g\n"
                     "[exponential-spring l]\nstiffness = 2\nscale = 1\nbetween = m, g\n",
                     u);

      assert_near (event_run_first (run, "l.force"), 2 * expm1 (u), 4e-16 * fabs (2 * expm1 (u)),
                   "force");
      assert_near (event_run_first (run, "network.potential"), 2 * area, 2e-15 * fabs (2 * area),
                   "energy");
    }
}

/* Dampers and resistors */

/* The limit cycle of van der Pol's oscillator, mu = 1: amplitude and period of the literature (Andersen & Geer 1982,
 * "Power series expansions for the frequency and period of the limit cycle of the van der Pol equation"). */
static void
test_van_der_pol (void **state)
{
  /* In units of 5 mm and 1/40 s */
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 50 us\nduration = 3\nrecord = m.position, "
                    "m.velocity, " LEDGER "\n[ground g]\n[mass m]\nmass = 2\nposition = 10 mm\n"
                    "[spring k]\nstiffness = 3200\nbetween = m, g\n"
                    "[van-der-pol d]\ndamping = 80\namplitude = 5 mm\nbetween = m, g\n");
  gsize n;
  const double *x = event_run_values (run, "m.position", &n);
  const double *v = event_run_values (run, "m.velocity", &n);
  double first = 0, last = 0, most = 0;
  guint turns = 0;

  (void) state;
  for (gsize i = n / 2; i + 1 < n; i++)
    {
      /* Where it turns, forward: the zero of the cubic through two rates and their slopes is near enough a line. */
      const double h = 50e-6;

      if (v[i] > 0 && v[i + 1] <= 0)
        {
          const double part = v[i] / (v[i] - v[i + 1]), time = h * ((double) i + part);
          const double peak = x[i] + 0.5 * v[i] * part * h;

          most = peak;
          first = turns == 0 ? time : first;
          last = time;
          turns++;
        }
    }
  assert_true (turns > 5);
  print_message ("# van der Pol: amplitude %.10g, period %.10g\n", most / 5e-3,
                 40 * (last - first) / (turns - 1));
  assert_near (most / 5e-3, 2.00861986087, 2e-8, "amplitude");
  assert_near (40 * (last - first) / (turns - 1), 6.66328685932, 2e-6, "period");
  assert_number (event_run_ledger_gap (run), 0, 1e-9);
}

/* A capacitor that a diode discharges: 1 - exp (-v/w) dies exponentially, C v' = -Is (exp (v/w) - 1); one that breaks
 * down: exp (-(v + B)/w) grows linearly, C v' = Ib exp (-(v + B)/w). */
static void
test_shockley_diode (void **state)
{
  const double w = 1.5 * 0.025, is = 1e-6, c = 1e-6, rate = is / (c * w), ib = 1e-3;
  g_autoptr (EventRun) forward = event_run (
      0, "[network]\nscheme = rk4\nstep = 10 us\nduration = 0.2\nsample = 1 ms\n"
         "record = c1.voltage, d.current, " LEDGER "\n[ground g]\n[capacitor c1]\n"
         "capacitance = 1 uF\nvoltage = 0.2\n[shockley-diode d]\nsaturation-current = 1 uA\n"
         "emission = 1.5\nthermal-voltage = 25 mV\nbetween = c1, g\n");
  g_autoptr (EventRun) backward = event_run (
      0, "[network]\nscheme = rk4\nstep = 0.2 us\nduration = 2 ms\nsample = 10 us\n"
         "record = c1.voltage, d.current, " LEDGER "\n[ground g]\n[capacitor c1]\n"
         "capacitance = 1 uF\nvoltage = -5.15\n[shockley-diode d]\nsaturation-current = 0\n"
         "emission = 1.5\nthermal-voltage = 25 mV\nbreakdown = 5.1\nbetween = c1, g\n");
  gsize n;
  const double *v = event_run_values (forward, "c1.voltage", &n);

  (void) state;
  assert_near (event_run_first (forward, "d.current"), is * expm1 (0.2 / w), 1e-18, "current");
  for (gsize i = 0; i < n; i++)
    assert_near (v[i], -w * log1p (expm1 (-0.2 / w) * exp (-rate * 1e-3 * (double) i)), 1e-9,
                 "forward");
  assert_number (event_run_ledger_gap (forward), 0, 1e-14);
  v = event_run_values (backward, "c1.voltage", &n);
  for (gsize i = 0; i < n; i++)
    assert_near (v[i], -5.1 + w * log (exp (-0.05 / w) + ib / (c * w) * 1e-5 * (double) i), 1e-9,
                 "breakdown");
  assert_number (event_run_ledger_gap (backward), 0, 1e-14);
}

static double
saturating_energy (double psi)
{
  /* L = 1, Ls = 0.05, psi_s = 0.5 */
  return 10 * psi * psi - 19 * 0.25 * log (cosh (psi / 0.5));
}

/* With a capacitor it swings in 4 times the integral of d psi/sqrt (2 (E - W)/C), by Chebyshev's points. */
static void
test_saturating_inductor (void **state)
{
  static const double peaks[] = { 0.01, 0.4, 3 };
  const double c = 2e-3;

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (peaks); k++)
    {
      const double peak = peaks[k], all = saturating_energy (peak);
      const int points = 100;
      double period = 0;

      for (int i = 0; i < points; i++)
        {
          const double psi = peak * cos (G_PI * (i + 0.5) / (2 * points));
          const double speed = sqrt (2 * (all - saturating_energy (psi)) / c);

          period += 4 * G_PI / (2 * points) * sqrt (peak * peak - psi * psi) / speed;
        }
      {
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = rk4\nstep = %.17g\nduration = %.17g\nrecord = c1.voltage, "
            "l.current, " LEDGER "\n[ground g]\n[capacitor c1]\ncapacitance = 2 mF\n"
            "[saturating-inductor l]\ninductance = 1\nsaturated = 50 mH\nsaturation = 0.5\n"
            "flux = %.17g\nbetween = c1, g\n",
            period / 4000, period, peak);
        const double current = 20 * peak - 19 * 0.5 * tanh (peak / 0.5);

        print_message ("# saturating inductor, %g V s: period %.9g s, current off by %.2g\n", peak,
                       period, event_run_last (run, "l.current") / current - 1);
        assert_near (event_run_first (run, "l.current"), current, 1e-14 * (20 * peak), "current");
        assert_near (event_run_last (run, "l.current"), current, 1e-9 * current, "after a period");
        assert_near (event_run_last (run, "c1.voltage"), 0, 1e-8 * sqrt (2 * all / c), "voltage");
        assert_near (event_run_first (run, "network.energy"), all, 1e-13 * 10 * peak * peak, "W");
        assert_number (event_run_ledger_gap (run), 0, 1e-10 * all);
      }
    }
}

/* Through the kinks of a characteristic a speed dies by one exponential after the other; each change is found. */
static void
test_rate_characteristic (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet" };
  /* Pieces: 300 N at 0.1 m/s, 700 N at 0.5 m/s: from 1 m/s 1200 N on, slope 1000, then 3000 */
  const double m = 50, t1 = m / 1000 * log ((200 + 1000 * 1.0) / (200 + 1000 * 0.1));
  const double left = 0.1 * exp (-3000 / m * (0.25 - t1));

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (int electric = 0; electric < 2; electric++)
      {
        const char *signal = electric ? "m.voltage" : "m.velocity";
        g_autoptr (EventRun) run =
            event_run (0,
                       "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.25\nrecord = %s, " LEDGER
                       "\n[ground g]\n[%s m]\n%s = 50\n%s = 1\n[%s d]\n%s = -1, 0, 0.1, 0.6\n"
                       "%s = -4000, 0, 300, 800\nbetween = m, g\n",
                       schemes[s], signal, electric ? "capacitor" : "mass",
                       electric ? "capacitance" : "mass", electric ? "voltage" : "velocity",
                       electric ? "resistor-characteristic" : "damper-characteristic",
                       electric ? "voltage" : "rate", electric ? "current" : "force");

        assert_near (event_run_event (run, "d", "fall", 0)->time, t1, s == 0 ? 1e-9 : 1e-4,
                     "the kink");
        assert_int_equal (run->events->len, 1);
        assert_near (event_run_last (run, signal), left, s == 0 ? 1e-9 : 1e-5, "what is left");
        assert_number (event_run_ledger_gap (run), 0, s == 0 ? 1e-6 : 1e-2);
      }
}

/* Brakes: a wheel's speed falls by mu r N(t) for any normal force: a force with a course, or a spring between the pad
 * and a moving mass. At rest it holds static-friction r N. */
static void
test_brake (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "esdirk4" };
  static const char *const presses[] = {
    "[force n]\non = pad\nvalue = 0\namplitude = 80\nwave = ramp\nover = 4\n",
    "[drive lever]\nvelocity = 0.01\n[spring n]\nstiffness = 2000\nbetween = lever, pad\n",
  };
  /* J w' = -mu r 20 t: from 10 rad/s to rest; the torque 3 (t - 2) tears it loose where it is 0.5 r N = 2 t. */
  const double j = 0.8, slope = 0.3 * 0.2 * 20, rest = sqrt (2 * j * 10 / slope);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint p = 0; p < G_N_ELEMENTS (presses); p++)
      {
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = 2 ms\nduration = 7\nsample = 1\n"
            "record = w.speed, b.force, b.friction.force, b.friction.dissipated, " LEDGER
            "\n[ground housing]\n[inertia w]\ninertia = 0.8\nspeed = 10\n[mass pad]\n"
            "mass = 0.1\n%s[brake b]\nfriction = 0.3\nstatic-friction = 0.5\nradius = 0.2\n"
            "between = w, housing, pad\n[torque t]\non = w\namplitude = 30\nwave = ramp\n"
            "at = 4\nover = 10\n",
            schemes[s], presses[p]);
        const double within = s == 0 ? 1e-9 : 1e-5;
        /* 3 (t - 4) = 0.5 0.2 20 t, or for a force 0.5 0.2 80 from t = 4 on */
        const double loose = p == 0 ? 4 + 8.0 / 3 : 12;
        gsize n;
        const double *speed = event_run_values (run, "w.speed", &n);

        assert_near (speed[2], 10 - 0.5 * slope * 4 / j, within, "the speed at 2 s");
        assert_near (event_run_event (run, "b.friction", "stick", 0)->time, rest, within, "rest");
        assert_number (speed[5], 0, 0);
        assert_near (event_run_values (run, "b.force", &n)[3], 60, 1e-6, "what presses");
        if (p == 0)
          {
            assert_near (event_run_event (run, "b.friction", "slip", 1)->time, loose, within,
                         "torn loose");
            assert_near (speed[7], (1.5 * (9 - 64.0 / 9) - 4.8 * (7 - loose)) / j, 100 * within,
                         "the speed then");
          }
        else
          assert_int_equal (event_run_count (run, "b.friction", "slip"), 1);
        assert_number (event_run_ledger_gap (run), 0, 1e-4);
      }
}

/* A pad's impact brakes by mu m u; if this is more than the momentum, the wheel stops. */
static void
test_rail_brake_hit (void **state)
{
  static const double speeds[] = { 3, 0.5 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
    {
      const double left = fmax (0, speeds[i] - 0.4 * 1.5 * 4 / 2);
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1\nrecord = car.velocity, "
          "pad.position, "
          "pad.velocity, " LEDGER "\n[ground rail]\n[mass car]\nmass = 2\nvelocity = %g\n"
          "[mass pad]\nmass = 1.5\nvelocity = 4\n[rail-brake b]\nfriction = 0.4\ngap = 0.3\n"
          "between = car, rail, pad\n",
          speeds[i]);

      assert_near (event_run_event (run, "b", "impact", 0)->time, 0.3 / 4, 1e-12, "the hit");
      assert_near (event_run_last (run, "car.velocity"), left, 1e-12, "what is left");
      assert_near (event_run_last (run, "pad.position"), 0.3, 1e-12, "the pad");
      assert_number (event_run_last (run, "pad.velocity"), 0, 0);
      assert_number (event_run_ledger_gap (run), 0, 1e-11);
    }
}

static void
test_brake_fault (void **state)
{
  g_autofree char *fault = event_run_fault (
      "[network]\nstep = 1 ms\nduration = 1\n[ground g]\n[mass a]\nmass = 1\n[mass p]\nmass = 1\n"
      "[rail-brake b]\nfriction = 0.5\nstatic-friction = 0.4\nbetween = a, g, p\n");

  (void) state;
  assert_non_null (strstr (fault, "0.4 is below friction, 0.5"));
}

/* Plastic springs */

/* Thrown against an ideally plastic spring a mass is braked by Fy after y = Fy/k, and swings by y from where it stops. */
static void
test_plastic_throw (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "implicit" };
  const double k = 4000, y = 0.01, fy = k * y, m = 2, v0 = 3, w = sqrt (k / m);
  const double t1 = asin (y * w / v0) / w, v1 = sqrt (v0 * v0 - y * y * w * w);
  const double t2 = t1 + v1 * m / fy, stroke = 0.5 * m * v1 * v1 / fy;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (int isotropic = 0; isotropic < 2; isotropic++)
      {
        g_autoptr (EventRun) run =
            event_run (0,
                       "[network]\nscheme = %s\nstep = 0.5 ms\nduration = 0.2\n"
                       "record = m.position, p.elastic, p.force, p.dissipated, " LEDGER
                       "\n[ground wall]\n[mass m]\nmass = 2\nvelocity = 3\n[plastic-spring p]\n"
                       "stiffness = 4000\nyield = 40\nhardening = %s\nbetween = m, wall\n",
                       schemes[s], isotropic ? "isotropic" : "kinematic");
        const double within = s == 0 ? 1e-8 : 2e-4;

        assert_near (event_run_event (run, "p", "yield", 0)->time, t1, within, "yields");
        assert_near (event_run_event (run, "p", "set", 0)->time, t2, within, "stops");
        assert_int_equal (run->events->len, 2);
        assert_near (event_run_last (run, "m.position"), stroke + y * cos (w * (0.2 - t2)),
                     10 * within, "where it swings");
        assert_near (event_run_last (run, "p.dissipated"), fy * stroke, 1e3 * within, "lost");
        assert_number (event_run_ledger_gap (run), 0, s == 0 ? 1e-8 : 0.02);
      }
}

/* Driven to and fro by A: kinematic hardening goes round one loop, isotropic hardening opens it more and more. */
static void
test_plastic_loops (void **state)
{
  const double k = 4000, y = 0.01, a = 0.03, r = 0.2;

  (void) state;
  for (int isotropic = 0; isotropic < 2; isotropic++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1.75\nsample = 0.25\n"
                     "record = p.force, p.growth, p.dissipated, " LEDGER
                     "\n[drive d]\namplitude = 0.03\nfrequency = 1\n[mass m]\nmass = 1e12\n"
                     "[plastic-spring p]\nstiffness = 4000\nyield = 40\nratio = 0.2\n"
                     "hardening = %s\nbetween = d, m\n",
                     isotropic ? "isotropic" : "kinematic");
      gsize n;
      const double *force = event_run_values (run, "p.force", &n);
      const double *lost = event_run_values (run, "p.dissipated", &n);
      const double *growth = event_run_values (run, "p.growth", &n);
      double bears = y + r * (a - y), wanted = 0;

      assert_near (force[1], k * bears, 1e-7, "where it turns first");
      assert_near (lost[1],
                   isotropic ? 0.5 * (1 - r) * k * (y + bears) * (a - y)
                             : (1 - r) * k * y * (a - y),
                   1e-7, "lost until then");
      for (int turn = 3, side = -1; turn <= 7; turn += 2, side = -side)
        {
          const double before = bears, way = 2 * a - 2 * (isotropic ? bears : y);

          if (isotropic)
            bears += r * way;
          wanted = isotropic ? 0.5 * (1 - r) * k * (before + bears) * way : (1 - r) * k * y * way;
          assert_near (force[turn], side * k * bears, 1e-6, "where it turns");
          assert_near (lost[turn] - lost[turn - 2], wanted, 1e-7, "lost in half a loop");
          assert_near (growth[turn], isotropic ? bears - y : 0, 1e-11, "bears more");
        }
      assert_number (event_run_ledger_gap (run), 0, 1e-7);
    }
}

/* x'' + (a - 2 q cos 2 t) x = 0, between stable and unstable: with a = a_1(q) ce_1 has the period 2 pi, with b_2(q)
 * se_2 has pi (Abramowitz & Stegun 1964, 20.2; the numbers, for q = 1, are scipy's mathieu_a and mathieu_b). */
static void
test_mathieu (void **state)
{
  static const struct
  {
    double a;
    const char *start;
    double period;
  } cases[] = { { 1.8591080725143634, "position", 2 * G_PI },
                { 3.917024772998471, "velocity", G_PI } };
  static const char *const schemes[] = { "rk4", "esdirk4" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        const double a = cases[i].a, period = cases[i].period;
        g_autofree char *signal = g_strdup_printf ("m.%s", cases[i].start);
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\nrecord = m.position, "
            "m.velocity, p.turns, p.dissipated, " LEDGER
            "\n[ground g]\n[mass m]\nmass = 1\n%s = 1\n[parametric-spring p]\n"
            "stiffness = %.17g\ndepth = %.17g\nfrequency = %.17g\nphase = 90 deg\nbetween = g, m\n",
            schemes[s], period / 4096, period, cases[i].start, a, -2 / a, 1 / G_PI);

        assert_near (event_run_last (run, signal), 1, 1e-9, "after a period");
        assert_near (event_run_last (run, "m.position") + event_run_last (run, "m.velocity"), 1,
                     1e-9, "the other one");
        assert_near (event_run_last (run, "p.turns"), period / G_PI, 1e-12, "turns");
        assert_number (event_run_ledger_gap (run), 0, 1e-9);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_touching_is_open),
    cmocka_unit_test (test_hunt_crossley),
    cmocka_unit_test (test_bounded),
    cmocka_unit_test (test_bounded_order),
    cmocka_unit_test (test_elasto_gap),
    cmocka_unit_test (test_stribeck_braking),
    cmocka_unit_test (test_stribeck_start),
    cmocka_unit_test (test_sine_spring),
    cmocka_unit_test (test_quadratic_spring),
    cmocka_unit_test (test_toda_soliton),
    cmocka_unit_test (test_exponential_spring),
    cmocka_unit_test (test_van_der_pol),
    cmocka_unit_test (test_shockley_diode),
    cmocka_unit_test (test_saturating_inductor),
    cmocka_unit_test (test_rate_characteristic),
    cmocka_unit_test (test_brake),
    cmocka_unit_test (test_rail_brake_hit),
    cmocka_unit_test (test_brake_fault),
    cmocka_unit_test (test_plastic_throw),
    cmocka_unit_test (test_plastic_loops),
    cmocka_unit_test (test_mathieu),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

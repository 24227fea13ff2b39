/* test-links.c: links with modes, impulses and monitors against closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"
#include "engine/engine.h"

static double
event_time (const EventRun *run, const char *element, const char *word, guint n)
{
  const IfbamEvent *event = event_run_event (run, element, word, n);

  if (event == NULL)
    fail_msg ("there is no %s %u of %s", word, n, element);
  return event->time;
}

static double
worst_of (const EventRun *run, const char *signal, double wanted)
{
  gsize n;
  const double *values = event_run_values (run, signal, &n);
  double worst = 0;

  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (values[i] - wanted));
  return worst;
}

static double
least_of (const EventRun *run, const char *signal)
{
  gsize n;
  const double *values = event_run_values (run, signal, &n);
  double least = values[0];

  for (gsize i = 0; i < n; i++)
    least = fmin (least, values[i]);
  return least;
}

/* The energy balance: energy + dissipated - supplied is constant. */
static double
ledger_error (const EventRun *run)
{
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *dissipated = event_run_values (run, "network.dissipated", NULL);
  const double *supplied = event_run_values (run, "network.supplied", NULL);
  double worst = 0, scale = 0;

  for (gsize i = 0; i < n; i++)
    {
      worst = fmax (worst, fabs (energy[i] + dissipated[i] - supplied[i] - energy[0] - dissipated[0]
                                 + supplied[0]));
      scale = fmax (scale, fabs (energy[i]));
    }
  return worst / scale;
}

/* Soft contacts */

/* Hertz (1882): a mass m meets a wall with the speed v. With K = 4/3 E sqrt(R) the deepest overlap is
 * (5 m v^2 / (4 K))^(2/5), and it lasts 2 overlap / v sqrt(pi) Gamma(1.4) / Gamma(0.9). */
static void
test_hertz_contact_time (void **state)
{
  const double k = 4.0 / 3 * 1e10 * sqrt (0.1), speed = 1, mass = 2 * 3 / 5.0;
  const double deepest = pow (5 * mass * speed * speed / (4 * k), 0.4);
  const double lasts = 2 * deepest / speed * sqrt (G_PI) * tgamma (1.4) / tgamma (0.9);
  double last = 0;

  (void) state;
  for (int halvings = 0; halvings < 4; halvings++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = %.17g\nduration = 4 ms\nrecord = m1.velocity, "
          "m2.velocity, h.force, network.energy\n"
          "[mass m1]\nmass = 2\nvelocity = 1\n[mass m2]\nmass = 3\nposition = 1 mm\n"
          "[hertz h]\nmodulus = 10 GPa\nradius = 0.1\nbetween = m1, m2\ngap = -0.25 mm\n",
          20e-6 / (1 << halvings));
      const double closed = event_time (run, "h", "close", 0);
      const double error = fabs (event_time (run, "h", "open", 0) - closed - lasts) / lasts;
      gsize n;
      const double *force = event_run_values (run, "h.force", &n);
      double most = 0;

      for (gsize i = 0; i < n; i++)
        most = fmax (most, force[i]);
      assert_near (closed, 0.75e-3, 1e-15, "the instant at which they meet");
      assert_int_equal (run->events->len, 2);
      print_message ("# hertz, %g us: contact time off by %.2g, order %.2f\n",
                     20.0 / (1 << halvings), error, log2 (last / error));
      /* The law bends without bound where it starts, like overlap^1.5: a step from there is off by its
       * power 2.5. */
      assert_true (halvings == 0 || log2 (last / error) > 2.4);
      last = error;
      if (halvings == 3)
        {
          assert_true (error < 1e-7);
          assert_near (most, k * pow (deepest, 1.5), 1e-4 * most, "the largest force");
          assert_near (event_run_last (run, "m1.velocity"), (2 * 1 - 3 * 1) / 5.0, 1e-6,
                       "m1 after");
          assert_near (event_run_last (run, "m2.velocity"), 2 * 2 * 1 / 5.0, 1e-6, "m2 after");
        }
    }
}

/* A damped contact lets go where its force is zero, so it never pulls; the restitution of that (Schwager
 * & Poeschel 2007, Coefficient of restitution and linear-dashpot model revisited) for
 * damping ratios D < 1/sqrt(2): exp (-D/w (pi - atan (2 D w / (1 - 2 D^2)))), w = sqrt (1 - D^2). */
static void
test_contact_never_pulls (void **state)
{
  static const char *const classes[] = { "contact", "backlash" };
  const double d = 0.25, w = sqrt (1 - d * d);
  const double restitution = exp (-d / w * (G_PI - atan (2 * d * w / (1 - 2 * d * d))));

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (classes); c++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.2 s\nrecord = "
                     "m1.velocity, c.force, "
                     "c.mode, c.dissipated, network.energy, network.dissipated, network.supplied\n"
                     "[ground wall]\n[mass m1]\nmass = 4\nvelocity = 3\n"
                     "[%s c]\nstiffness = 10000\ndamping = %.17g\n%s = 0.2\nbetween = m1, wall\n",
                     classes[c], 2 * d * sqrt (4 * 10000), c == 0 ? "gap" : "play");

      assert_near (event_run_last (run, "m1.velocity"), -3 * restitution, 1e-9, classes[c]);
      assert_true (least_of (run, "c.force") >= 0);
      /* Parting and leaving are one event. */
      assert_int_equal (run->events->len, 2);
      assert_near (event_run_last (run, "c.dissipated"),
                   0.5 * 4 * 9 * (1 - restitution * restitution), 1e-7, "what it lost");
      assert_true (ledger_error (run) < 1e-9);
    }
}

/* Two contacts in series open at the time at which the damper would begin to pull: each once. */
static void
test_contact_parts_with_its_load (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 1 ms\nduration = 0.5 s\nrecord = c.force, i.force\n"
         "[mass a]\nmass = 3.7\n[mass b]\nmass = 1\n[impact i]\nbetween = a, b\nrestitution = 0\n"
         "[mass m]\nmass = 0.1\nposition = 1 mm\nvelocity = -1.7\n"
         "[contact c]\nbetween = b, m\nstiffness = 100\ndamping = 0.5\n");
  gsize n;
  const double *force = event_run_values (run, "c.force", &n);
  double least = 0;

  (void) state;
  for (gsize i = 0; i < n; i++)
    least = fmin (least, force[i]);
  assert_true (least == 0);
  assert_int_equal (event_run_count (run, "c", "close"), 1);
  assert_int_equal (event_run_count (run, "c", "open"), 1);
  assert_int_equal (event_run_count (run, "i", "release"), 1);
  assert_near (event_run_event (run, "i", "release", 0)->time,
               event_run_event (run, "c", "open", 0)->time, 1e-15, "release");
}

/* Play */

/* Between two flanks: half a period of a spring at each, free flight between. */
static void
test_backlash_period (void **state)
{
  static const char *const domains[][5] = {
    { "mass", "mass", "velocity", "backlash", "position" },
    { "inertia", "inertia", "speed", "torsion-backlash", "angle" },
  };
  const double k = 900, m = 4, play = 0.02, v = 0.3;
  const double period = 2 * G_PI * sqrt (m / k) + 2 * play / v;
  double last[2] = { 0, 0 }, ends[2] = { 0, 0 };

  (void) state;
  for (int halvings = 0; halvings < 3; halvings++)
    for (guint d = 0; d < G_N_ELEMENTS (domains); d++)
      {
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = rk4\nstep = %.17g\nsample = 10 ms\nduration = 5\nrecord = "
            "m1.%s, network.energy\n[ground wall]\n[%s m1]\n%s = %g\n%s = %g\n"
            "[%s b]\nstiffness = %g\nplay = %g\nbetween = m1, wall\n",
            10e-3 / (1 << halvings), domains[d][4], domains[d][0], domains[d][1], m, domains[d][2],
            v, domains[d][3], k, play);
        const guint cycles = (guint) (5 / period) - 1;
        const double error =
            fabs ((event_time (run, "b", "engage", 2 * cycles) - event_time (run, "b", "engage", 0))
                      / cycles
                  - period)
            / period;

        assert_near (event_time (run, "b", "engage", 0), 0.5 * play / v, 1e-16, "the first flank");
        if (d == 0)
          print_message ("# backlash, %g ms: period off by %.2g, order %.2f\n",
                         10.0 / (1 << halvings), error, log2 (last[d] / error));
        assert_true (halvings == 0 || log2 (last[d] / error) > 3.8);
        last[d] = error;
        ends[d] = event_run_last (run, d == 0 ? "m1.position" : "m1.angle");
        /* The same law, the same numbers. */
        assert_true (d == 0 || ends[0] == ends[1]);
      }
  assert_true (last[0] < 1e-7);
}

/* Two inertias over a gear: omega^2 = k (1/J1 + ratio^2/J2); the right one gets ratio times the torque. */
static void
test_gear_with_play (void **state)
{
  const double k = 500, j1 = 0.2, j2 = 3, ratio = -2.5, play = 0.01;
  const double frequency = sqrt (k * (1 / j1 + ratio * ratio / j2));
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = rk4\nstep = 0.1 ms\nsample = 1 ms\nduration = 1\nrecord = a.speed, "
      "b.speed, g.torque, network.energy\n[inertia a]\ninertia = %g\nspeed = 0.5\n"
      "[inertia b]\ninertia = %g\n[gear g]\nratio = %g\nstiffness = %g\nplay = %g\n"
      "between = a, b\n",
      j1, j2, ratio, k, play);
  const double growing_mode = event_time (run, "g", "engage", 0);
  gsize n;
  const double *a = event_run_values (run, "a.speed", &n),
               *b = event_run_values (run, "b.speed", &n);

  (void) state;
  assert_near (growing_mode, 0.5 * play / 0.5, 1e-15, "the first flank");
  assert_near (event_time (run, "g", "disengage", 0) - growing_mode, G_PI / frequency, 1e-9,
               "how long a flank is engaged");
  /* ratio J1 omega1 + J2 omega2 stays: both get their torque from the same teeth. */
  for (gsize i = 0; i < n; i++)
    assert_near (ratio * j1 * a[i] + j2 * b[i], ratio * j1 * 0.5, 1e-14, "momentum over the gear");
  assert_true (worst_of (run, "network.energy", 0.5 * j1 * 0.25) < 1e-10);
}

/* Limiter and hysteresis */

/* From the middle with the speed v: a quarter of an oscillation cut off at the limit, then a parabola. */
static void
test_limiter_period (void **state)
{
  const double k = 400, m = 2, limit = 20, v = 3, omega = sqrt (k / m), edge = limit / k;
  const double rise = asin (omega * edge / v) / omega, speed = sqrt (v * v - k * edge * edge / m);
  const double period = 4 * rise + 4 * speed * m / limit;
  double last = 0;

  (void) state;
  for (int halvings = 0; halvings < 3; halvings++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = %.17g\nsample = 10 ms\nduration = 10\n"
                     "record = m1.position, s.dissipated, network.energy\n[ground wall]\n"
                     "[mass m1]\nmass = 2\nvelocity = 3\n[limiter s]\nstiffness = 400\n"
                     "lower = -20\nupper = 20\nbetween = m1, wall\n",
                     10e-3 / (1 << halvings));
      const double error = fabs (event_time (run, "s", "rise", 6) - 3 * period - rise) / period;

      assert_near (event_time (run, "s", "rise", 0), rise, 1e-6, "the first limit");
      print_message ("# limiter, %g ms: period off by %.2g, order %.2f\n", 10.0 / (1 << halvings),
                     error, log2 (last / error));
      assert_true (halvings == 0 || log2 (last / error) > 3.8);
      assert_true (event_run_last (run, "s.dissipated") == 0);
      assert_true (halvings < 2 || worst_of (run, "network.energy", 9) < 1e-7);
      last = error;
    }
}

/* Each turn of the loop costs (low - high) (upper - lower), half of it at each change. */
static void
test_hysteresis_loop (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "symplectic-euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 0.5 ms\nduration = 4\nrecord = m1.position, h.force, "
          "h.mode, h.dissipated, network.energy, network.dissipated, network.supplied\n"
          "[ground wall]\n[mass m1]\nmass = 1\nvelocity = 1\n"
          "[spring k1]\nstiffness = 100\nbetween = m1, wall\n"
          "[hysteresis h]\nlower = -25 mm\nupper = 25 mm\nlow = 1\nhigh = -1\nbetween = m1, "
          "wall\n",
          schemes[s]);
      const guint turns = event_run_count (run, "h", "rise") + event_run_count (run, "h", "fall");

      /* 0.5 J of the mass, less 0.05 J each, until the swing is below 25 mm about +-10 mm. */
      assert_int_equal (turns, run->events->len);
      assert_int_equal (turns, 9);
      assert_near (event_run_last (run, "h.dissipated"), turns * 0.05, 1e-15, "all turns");
      for (guint i = 0; i < turns; i++)
        assert_near (g_array_index (run->events, IfbamEvent, i).energy_change, -0.05, 1e-14,
                     "half a loop");
      print_message ("# hysteresis, %s: ledger off by %.2g\n", schemes[s], ledger_error (run));
      assert_true (ledger_error (run) < (s == 0 ? 1e-9 : s < 3 ? 1e-3 : 2e-2));
    }
}

/* Where both forces are possible `initial` says which. */
static void
test_hysteresis_start (void **state)
{
  static const struct
  {
    const char *initial;
    double position;
    int mode;
  } cases[] = { { "low", 0, 0 }, { "high", 0, 1 }, { "high", -0.2, 0 }, { "low", 0.2, 1 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 ms\nrecord = h.mode\n"
                     "[ground wall]\n[mass m1]\nmass = 1\nposition = %g\n"
                     "[hysteresis h]\nlower = -0.1\nupper = 0.1\nlow = 0\nhigh = 1\ninitial = %s\n"
                     "between = m1, wall\n",
                     cases[i].position, cases[i].initial);

      assert_true (event_run_first (run, "h.mode") == cases[i].mode);
    }
}

/* Circuits */

/* Source, diode, capacitor and resistor: it conducts until tan (omega t) = -omega R C, then the capacitor
 * is left to the resistor until the source meets it. */
static void
test_rectifier_instants (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };
  const double omega = 2 * G_PI * 50, tau = 470 * 100e-6;
  const double open = (G_PI - atan (omega * tau)) / omega;
  double low = 0.02, high = 0.025;

  (void) state;
  for (int i = 0; i < 200; i++)
    {
      const double t = 0.5 * (low + high);

      if (sin (omega * t) < sin (omega * open) * exp (-(t - open) / tau))
        low = t;
      else
        high = t;
    }
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      const double most = s == 0 ? 1e-12 : 1e-8;
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 20 us\nduration = 100 ms\nrecord = c1.voltage, "
          "d1.current, d1.voltage, network.energy, network.dissipated, network.supplied\n"
          "[voltage-source mains]\namplitude = 325 V\nfrequency = 50\n"
          "[diode d1]\nbetween = mains, c1\n[capacitor c1]\ncapacitance = 100 uF\n"
          "[resistor load]\nresistance = 470\nbetween = c1, earth\n[ground earth]\n",
          schemes[s]);

      for (guint i = 0; i < 4; i++)
        {
          assert_near (event_time (run, "d1", "open", i), open + 0.02 * i, most, "it opens");
          assert_near (event_time (run, "d1", "close", i), low + 0.02 * i, most, "it closes");
        }
      /* No current backward, no voltage forward. */
      assert_true (least_of (run, "d1.current") >= 0);
      {
        gsize n;
        const double *voltage = event_run_values (run, "d1.voltage", &n);

        for (gsize i = 0; i < n; i++)
          assert_true (voltage[i] <= 1e-9);
      }
      print_message ("# rectifier, %s: opens %.2g s off, ledger off by %.2g\n", schemes[s],
                     event_time (run, "d1", "open", 3) - open - 0.06, ledger_error (run));
      assert_true (ledger_error (run) < (s == 0 ? 1e-9 : 1e-4));
    }
}

/* The same with a resistance in the diode: v' = (V sin (omega t) - v)/tau while it conducts. */
static void
test_diode_with_resistance (void **state)
{
  const double omega = 2 * G_PI * 50, r = 20, c = 100e-6, tau = r * c;
  const double a = 1 / (1 + omega * omega * tau * tau), b = -omega * tau * a;
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = rk4\nstep = 20 us\nduration = 15 ms\nrecord = c1.voltage, d1.current, "
      "d1.dissipated, network.energy, network.dissipated, network.supplied\n"
      "[voltage-source mains]\namplitude = 325 V\nfrequency = 50\n"
      "[diode d1]\nresistance = 20\nbetween = mains, c1\n[capacitor c1]\ncapacitance = 100 uF\n");
  double low = 0.005, high = 0.01;
  gsize n;
  const double *times = ifbam_course_get_times (run->course, &n);
  const double *voltage = event_run_values (run, "c1.voltage", NULL);

  (void) state;
#define CONDUCTING(t) (a * sin (omega * (t)) + b * cos (omega * (t)) - b * exp (-(t) / tau))
  for (int i = 0; i < 200; i++)
    {
      const double t = 0.5 * (low + high);

      if (sin (omega * t) > CONDUCTING (t))
        low = t;
      else
        high = t;
    }
  assert_near (event_time (run, "d1", "open", 0), low, 1e-10, "it opens");
  for (gsize i = 0; i < n; i++)
    assert_near (voltage[i], 325 * (times[i] < low ? CONDUCTING (times[i]) : CONDUCTING (low)),
                 1e-6, "the capacitor");
#undef CONDUCTING
  assert_true (least_of (run, "d1.current") >= 0);
  assert_true (ledger_error (run) < 1e-9);
}

/* An impulse of charge that raises an anode closes its diode at once, with a resistance, too. */
static void
test_diode_is_struck (void **state)
{
  static const char *const resistances[] = { "0", "10" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (resistances); i++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 50 ms\nrecord = c1.voltage, "
          "c2.voltage, d.current, network.energy, network.dissipated, network.supplied\n"
          "[capacitor c1]\ncapacitance = 1 mF\nvoltage = 1\n"
          "[capacitor c2]\ncapacitance = 1 mF\nvoltage = 2\n"
          "[diode d]\nbetween = c1, c2\nresistance = %s\n"
          "[impulse spark]\non = c1\nat = 3.33 ms\nimpulse = 4 mA s\n",
          resistances[i]);

      assert_near (event_time (run, "spark", "impulse", 0), 3.33e-3, 1e-17, "the spark");
      /* An ideal one passes the charge at once, and has nothing more to carry. */
      assert_near (event_time (run, "d", i == 0 ? "impact" : "close", 0), 3.33e-3, 1e-17,
                   "the diode");
      assert_near (event_run_last (run, "c1.voltage"), 3.5, i == 0 ? 1e-14 : 1e-3, "c1");
      assert_near (event_run_last (run, "c2.voltage"), 3.5, i == 0 ? 1e-14 : 1e-3, "c2");
      assert_true (ledger_error (run) < 1e-9);
      assert_true (least_of (run, "d.current") >= 0);
    }
}

/* Charge is kept, and C1 C2 / (C1 + C2) U^2 / 2 is lost, under every scheme. */
static void
test_charge_exchange (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 1 ms\nduration = 20 ms\nrecord = c1.voltage, "
                     "c2.voltage, s1.mode, network.energy, network.dissipated, network.supplied\n"
                     "[capacitor c1]\ncapacitance = 1 mF\nvoltage = 10\n"
                     "[capacitor c2]\ncapacitance = 3 mF\nvoltage = -2\n"
                     "[switch s1]\ntoggle = 10.4 ms, 15.5 ms\nbetween = c1, c2\n",
                     schemes[s]->name);
      const IfbamEvent *close = event_run_event (run, "s1", "close", 0);

      assert_near (close->time, 10.4e-3, 1e-17, schemes[s]->name);
      assert_near (close->impulse, 0.75e-3 * 12, 1e-17, "the charge");
      assert_near (close->rate_before, 12, 1e-14, "the voltage before");
      assert_near (close->energy_change, -0.5 * 0.75e-3 * 144, 1e-16, "the loss");
      assert_near (event_time (run, "s1", "open", 0), 15.5e-3, 1e-17, schemes[s]->name);
      assert_near (event_run_last (run, "c1.voltage"), 1, 1e-14, "c1");
      assert_near (event_run_last (run, "c2.voltage"), 1, 1e-14, "c2");
      assert_true (event_run_last (run, "s1.mode") == 0);
      assert_true (ledger_error (run) < 1e-14);
    }
}

/* Capacitor and coil with a conductance and a current, from a voltage and a current of the coil. */
static void
ring (double t, double conductance, double current, double *voltage, double *coil)
{
  const double c = 1e-6, l = 10e-3, decay = conductance / (2 * c);
  const double omega = sqrt (1 / (l * c) - decay * decay);
  const double v = *voltage, slope = (current - *coil - conductance * v) / c;
  const double sine = exp (-decay * t) * sin (omega * t),
               cosine = exp (-decay * t) * cos (omega * t);
  const double b = (slope + decay * v) / omega;

  *voltage = v * cosine + b * sine;
  *coil =
      current - conductance * *voltage - c * (-decay * *voltage + omega * (b * cosine - v * sine));
}

/* The shipped network, piece by piece. */
static void
test_switched_rlc (void **state)
{
  static const double toggles[] = { 1.2345e-3, 4.4321e-3, 5.5e-3, 1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (EventRun) run = NULL;
  const double *times, *voltage, *coil;
  double worst = 0, worst_coil = 0;
  gsize n;

  (void) state;
  assert_true (g_file_get_contents ("networks/switched-rlc.ini", &text, NULL, &error));
  run = event_run (0, "%s", text);
  times = ifbam_course_get_times (run->course, &n);
  voltage = event_run_values (run, "c1.voltage", NULL);
  coil = event_run_values (run, "l1.current", NULL);
  for (gsize i = 0; i < n; i++)
    {
      double v = 0, current = 0, from = 0;

      for (guint k = 0; k < G_N_ELEMENTS (toggles); k++)
        {
          const double until = fmin (times[i], toggles[k]);
          const gboolean closed = k % 2 == 0;

          if (until <= from)
            break;
          ring (until - from, 1e-3 + (closed ? 1e-2 : 0), closed ? 0.1 : 0, &v, &current);
          from = until;
        }
      worst = fmax (worst, fabs (voltage[i] - v));
      worst_coil = fmax (worst_coil, fabs (coil[i] - current));
    }
  print_message ("# switched RLC: voltage off by %.2g V of 9.3 V, current by %.2g A\n", worst,
                 worst_coil);
  assert_true (worst < 1e-8 * 9.3 && worst_coil < 1e-8 * 0.1);
  assert_int_equal (run->events->len, 3);
}

/* Rotation */

/* An engine catches up with a wheel, carries it along, and is throttled again. */
static void
test_clutch (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "symplectic-euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 10 ms\nduration = 6\nrecord = engine.speed, "
                     "wheel.speed, c.torque, c.rate, c.mode, network.energy, network.dissipated, "
                     "network.supplied\n"
                     "[inertia engine]\ninertia = 2\n[inertia wheel]\ninertia = 3\nspeed = 10\n"
                     "[torque throttle]\non = engine\nvalue = 8\nend = 4.005\n"
                     "[torque brake]\non = engine\nvalue = -1\nstart = 4.005\n"
                     "[clutch c]\nbetween = engine, wheel\n",
                     schemes[s]);
      gsize n;
      const double *times = ifbam_course_get_times (run->course, &n);
      const double *torque = event_run_values (run, "c.torque", NULL);
      const double *rate = event_run_values (run, "c.rate", NULL);
      const double caught = 10 * 2 / 8.0, most = 10 + 8 / 5.0 * (4.005 - caught);

      assert_near (event_time (run, "c", "engage", 0), caught, 1e-11, schemes[s]);
      assert_near (event_time (run, "c", "disengage", 0), 4.005, 1e-11, schemes[s]);
      assert_int_equal (run->events->len, 2);
      assert_near (event_run_last (run, "wheel.speed"), most, 1e-12, "the wheel");
      assert_near (event_run_last (run, "engine.speed"), most - 0.5 * (6 - 4.005), 1e-12,
                   "the engine");
      for (gsize i = 0; i < n; i++)
        {
          const gboolean growing_mode = times[i] > caught + 1e-9 && times[i] < 4.005;

          assert_true (rate[i] <= 1e-13 && torque[i] >= 0);
          assert_near (torque[i], growing_mode ? 8 * 3 / 5.0 : 0, 1e-12, "the torque");
          assert_true (!growing_mode || rate[i] == 0);
        }
      assert_true (ledger_error (run) < (s == 0 ? 1e-13 : 1e-2));
    }
}

/* A turning wheel stops by its brake where it should, and stays. */
static void
test_brake (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = rk4\nstep = 10 ms\nduration = 3\nrecord = wheel.speed, wheel.angle, "
      "b.torque, b.mode, network.energy, network.dissipated, network.supplied\n[ground housing]\n"
      "[inertia wheel]\ninertia = 2\nspeed = 5\n"
      "[torsion-friction b]\nbreakaway = 6\ncoulomb = 4\nbetween = wheel, housing\n"
      "[torque t]\non = wheel\nvalue = -5.5\nstart = 2.7\n");

  (void) state;
  assert_near (event_time (run, "b", "stick", 0), 2.5, 1e-11, "it stops");
  assert_int_equal (run->events->len, 1);
  assert_true (event_run_last (run, "wheel.speed") == 0);
  assert_near (event_run_last (run, "wheel.angle"), 6.25, 1e-13, "where");
  assert_near (event_run_last (run, "b.torque"), -5.5, 1e-13, "it holds");
  assert_true (ledger_error (run) < 1e-13);
}

/* Impulses */

static void
test_impulses (void **state)
{
  static const char *const domains[][4] = { { "mass", "mass", "velocity", "N s" },
                                            { "inertia", "inertia", "speed", "N m s" },
                                            { "capacitor", "capacitance", "voltage", "A s" } };
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint d = 0; d < G_N_ELEMENTS (domains); d++)
    for (guint s = 0; s < n; s++)
      {
        g_autofree char *rate = g_strdup_printf ("m1.%s", domains[d][2]);
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = 10 ms\nduration = 0.1\nrecord = m1.%s, "
            "network.energy, network.dissipated, network.supplied\n"
            "[%s m1]\n%s = 2\n%s = 1\n"
            "[impulse a]\non = m1\nat = 0, 33.3 ms, 50 ms\nimpulse = 1 %s, -3 %s, 0.5 %s\n"
            "[impulse b]\non = m1\nat = 12 ms, 71 ms\nimpulse = 0.25 %s\n",
            schemes[s]->name, domains[d][2], domains[d][0], domains[d][1], domains[d][2],
            domains[d][3], domains[d][3], domains[d][3], domains[d][3]);

        assert_near (event_run_first (run, rate), 1.5, 1e-15, "struck at the start");
        assert_near (event_run_last (run, rate), 1 + (1 - 3 + 0.5 + 0.5) / 2, 1e-13, "after all");
        assert_int_equal (run->events->len, 5);
        assert_near (event_run_event (run, "a", "impulse", 1)->rate_after, 1.625 - 1.5, 1e-13,
                     "after the second");
        assert_near (event_run_last (run, "network.supplied"),
                     event_run_last (run, "network.energy") - 1, 1e-13, "the work");
      }
}

/* p v_mean = energy, in the direction of the motion; at rest forward. */
static void
test_impulse_of_energy (void **state)
{
  static const double speeds[] = { 2, -2, 0, 1e-9, -1e6 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 10 ms\nduration = 0.1\nrecord = m1.velocity\n"
          "[mass m1]\nmass = 3\nvelocity = %.17g\n[impulse a]\non = m1\nat = 55 ms\nenergy = 5\n",
          speeds[i]);
      const IfbamEvent *event = event_run_event (run, "a", "impulse", 0);
      const double after = (speeds[i] < 0 ? -1 : 1) * sqrt (speeds[i] * speeds[i] + 2 * 5 / 3.0);

      assert_near (event_run_last (run, "m1.velocity"), after, 1e-15 * fabs (after), "after");
      assert_near (event->energy_change, 5, 1e-9 * fmax (5, fabs (speeds[i])), "what it brings");
      assert_near (event->impulse * 0.5 * (event->rate_before + event->rate_after), 5,
                   1e-9 * fmax (5, fabs (speeds[i])), "p v_mean");
    }
}

/* A struck mass in a soft contact: the blow outward parts it at once, the blow inward closes it. */
static void
test_struck_contact (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.1\nrecord = m1.position, c.force, "
         "c.mode, network.energy, network.dissipated, network.supplied\n[ground wall]\n"
         "[mass m1]\nmass = 1\nposition = 10 mm\n"
         "[contact c]\nstiffness = 1000\ndamping = 20\nbetween = m1, wall\n"
         "[impulse out]\non = m1\nat = 1.05 ms\nimpulse = -2\n"
         "[impulse in]\non = m1\nat = 2.05 ms\nimpulse = 4\n");

  (void) state;
  assert_near (event_time (run, "c", "open", 0), 1.05e-3, 1e-17, "parted by the blow");
  assert_near (event_time (run, "c", "close", 0), 2.05e-3, 1e-17, "closed by the blow");
  assert_true (least_of (run, "c.force") >= 0);
  assert_true (ledger_error (run) < 1e-9);
}

/* Monitors */

static const char swing[] = "[network]\nscheme = %s\nstep = 10 ms\nduration = 3\n"
                            "record = m1.position, m1.velocity, i.force\n[ground wall]\n"
                            "[mass m1]\nmass = 1\nposition = 1\n[spring k]\nstiffness = 90\n"
                            "between = m1, wall\n[impact i]\nrestitution = 0.9\ngap = 0.5\n"
                            "between = wall, m1\n";
static const char watched[] = "[monitor a]\nsignal = m1.velocity\nlevel = 100 mm/s\n"
                              "direction = rising\n[monitor b]\nsignal = k.compression\n"
                              "level = 2 cm\n[monitor c]\nsignal = i.compression\nlevel = -2 cm\n"
                              "[monitor d]\nsignal = k.rate\ndirection = falling\n";

/* With and without monitors a run gives the same numbers, bit for bit. */
static void
test_monitors_change_nothing (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    for (int flags = 0; flags <= EVENT_RUN_UNLOCATED; flags += EVENT_RUN_UNLOCATED)
      {
        g_autofree char *text = g_strdup_printf (swing, schemes[s]->name);
        g_autoptr (EventRun) plain = event_run (flags, "%s", text);
        g_autoptr (EventRun) run = event_run (flags, "%s%s", text, watched);
        static const char *const signals[] = { "m1.position", "m1.velocity", "i.force" };
        guint others = 0;

        for (guint k = 0; k < G_N_ELEMENTS (signals); k++)
          {
            gsize rows;
            const double *one = event_run_values (plain, signals[k], &rows);
            const double *other = event_run_values (run, signals[k], NULL);

            if (memcmp (one, other, rows * sizeof (double)) != 0)
              fail_msg ("%s: %s is another under monitors", schemes[s]->name, signals[k]);
          }
        for (guint i = 0; i < run->events->len; i++)
          {
            const IfbamEvent *event = &g_array_index (run->events, IfbamEvent, i);

            assert_true (i == 0 || event->time >= event[-1].time);
            if (strlen (event->element) == 1 && event->element[0] != 'i')
              continue;
            assert_true (event->time == g_array_index (plain->events, IfbamEvent, others).time);
            others++;
          }
        assert_int_equal (others, plain->events->len);
        assert_int_equal (event_run_count (run, "a", "fall"), 0);
        assert_int_equal (event_run_count (run, "d", "rise"), 0);
        assert_true (event_run_count (run, "b", "fall") >= 4
                     && event_run_count (run, "b", "rise") >= 4);
        assert_true (event_run_count (run, "a", "rise") >= 4);
      }
}

/* Their signals are right between rows, too: twice in a step. */
static void
test_monitor_instants (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 25 ms\nduration = 2\nrecord = m1.position, top.mode\n"
         "[ground wall]\n[mass m1]\nmass = 1\nvelocity = 1\n[spring k]\nstiffness = 4\n"
         "between = m1, wall\n[monitor top]\nsignal = m1.position\nlevel = 499.9 mm\n"
         "[monitor turn]\nsignal = m1.velocity\nlevel = 0 m/s\ndirection = falling\n");

  (void) state;
  assert_near (event_time (run, "top", "rise", 0), 0.5 * asin (0.9998), 1e-6, "up");
  assert_near (event_time (run, "top", "fall", 0), 0.5 * (G_PI - asin (0.9998)), 1e-6, "down");
  assert_near (event_time (run, "turn", "fall", 0), 0.25 * G_PI, 1e-6, "the top");
  assert_int_equal (run->events->len, 3);
}

/* A signal that starts at its level and leaves it has not crossed it, in either direction. */
static void
test_monitor_starts_at_its_level (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    for (int way = -1; way <= 1; way++)
      {
        g_autoptr (EventRun) run =
            event_run (0,
                       "[network]\nscheme = %s\nstep = 10 ms\nduration = 2\nrecord = m1.velocity, "
                       "m2.velocity\n[mass m1]\nmass = 1\n[mass m2]\nmass = 1\nvelocity = %d\n"
                       "[force f]\non = m1\nvalue = %d\n"
                       "[monitor a]\nsignal = m1.velocity\n[monitor b]\nsignal = m1.position\n"
                       "[monitor c]\nsignal = m2.position\n[monitor d]\nsignal = m1.velocity\n"
                       "[impulse i]\non = m2\nwhen = d\nimpulse = 1\n",
                       schemes[s]->name, way, way);

        assert_int_equal (run->events->len, 0);
      }
}

/* A piston gets an impulse at each return: the energy of each stroke is the given one. */
static void
test_impulse_when (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 2\nrecord = m1.position, "
          "network.energy, network.dissipated, network.supplied\n[ground wall]\n"
          "[mass m1]\nmass = 1\nposition = 0.1\n[spring k]\nstiffness = 100\nbetween = m1, wall\n"
          "[impulse fire]\non = m1\nwhen = back\nenergy = 0.2\n"
          "[monitor back]\nsignal = m1.position\nlevel = 5 cm\ndirection = falling\n",
          schemes[s]);
      const guint strokes = event_run_count (run, "back", "fall");

      assert_true (strokes >= 3);
      assert_int_equal (event_run_count (run, "fire", "impulse"), strokes);
      for (guint i = 0; i < strokes; i++)
        {
          assert_true (event_time (run, "fire", "impulse", i)
                       == event_time (run, "back", "fall", i));
          assert_near (event_run_event (run, "fire", "impulse", i)->energy_change, 0.2, 1e-14,
                       "a stroke");
        }
      assert_near (event_run_last (run, "network.supplied"), 0.2 * strokes, 1e-13, "all strokes");
      assert_near (event_run_last (run, "network.energy"), 0.5 + 0.2 * strokes,
                   s == 0 ? 1e-8 : 1e-3, "the energy");
    }
}

/* An impulse by energy supplies it to all nodes rigidly joined to its node: two capacitors, or a closed clutch;
 * to nodes joined to the ground it supplies nothing. */
static void
test_impulse_on_what_is_tied (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "original" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint tied = 0; tied < 2; tied++)
      {
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = 0.1 ms\nduration = 10 ms\nrecord = c1.voltage, "
            "c2.voltage, c3.voltage, network.energy, network.dissipated, network.supplied\n"
            "[capacitor c1]\ncapacitance = 10 uF\n[capacitor c2]\ncapacitance = 20 uF\n"
            "[capacitor c3]\ncapacitance = 30 uF\n%s"
            "[switch s1]\nstate = closed\nbetween = c1, c2\n"
            "[switch s2]\nstate = closed\nbetween = c2, c3\n"
            "[impulse i]\non = c1\nat = 5.05 ms, 6 ms\nenergy = 1 mJ\n",
            schemes[s], tied ? "[ground g]\n[switch s3]\nstate = closed\nbetween = g, c3\n" : "");
        const double energy = tied ? 0 : 2e-3;

        assert_near (event_run_last (run, "c1.voltage"), sqrt (2 * energy / 60e-6), 1e-12, "c1");
        assert_near (event_run_last (run, "c3.voltage"), sqrt (2 * energy / 60e-6), 1e-12, "c3");
        assert_near (event_run_last (run, "network.energy"), energy, 1e-16, "stored");
        assert_near (event_run_last (run, "network.supplied"), energy, 1e-16, "supplied");
        assert_near (event_run_last (run, "network.dissipated"), 0, 1e-16, "dissipated");
      }
}

/* Simultaneous scheduled events are solved together: switches that close a ring of capacitors share the charge
 * independently of their order in the file. */
static void
test_instants_of_one_time (void **state)
{
  static const guint orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 2, 0 } };
  static const char *const between[] = { "c1, c2", "c2, c3", "c3, c1" };
  double charge[3][3];

  (void) state;
  for (guint o = 0; o < G_N_ELEMENTS (orders); o++)
    {
      GString *text = g_string_new ("[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 10 ms\n"
                                    "record = c1.voltage, network.dissipated\n"
                                    "[capacitor c1]\ncapacitance = 10 uF\nvoltage = 100\n"
                                    "[capacitor c2]\ncapacitance = 22 uF\nvoltage = -20\n"
                                    "[capacitor c3]\ncapacitance = 47 uF\nvoltage = 5\n");
      g_autoptr (EventRun) run = NULL;

      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "[switch s%u]\ntoggle = 5 ms\nbetween = %s\n", orders[o][k],
                                between[orders[o][k]]);
      run = event_run (0, "%s", text->str);
      g_string_free (text, TRUE);
      for (guint k = 0; k < 3; k++)
        {
          static const char *const name[] = { "s0", "s1", "s2" };
          static const double apart[] = { 120, -25, -95 };
          const IfbamEvent *event = event_run_event (run, name[k], "close", 0);

          charge[o][k] = event->impulse;
          assert_true (event->rate_before == apart[k]);
          assert_near (charge[o][k], charge[0][k], 1e-5 * fabs (charge[0][k]), name[k]);
        }
      assert_near (event_run_last (run, "c1.voltage"), 795.0 / 79, 1e-12, "all alike");
    }
}

/* An impact that moves a signal across a level triggers the monitor, and its impulses act at this time. */
static void
test_monitor_of_a_bounce (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 10 ms\nduration = 1\nrecord = m1.velocity, m2.velocity\n"
         "[ground wall]\n[mass m1]\nmass = 1\nvelocity = 1\n[impact i]\nrestitution = 0.5\n"
         "gap = 0.505\nbetween = m1, wall\n[monitor turn]\nsignal = m1.velocity\n"
         "direction = falling\n[mass m2]\nmass = 2\n[impulse bell]\non = m2\nwhen = turn\n"
         "impulse = 1 N s\n");

  (void) state;
  assert_near (event_time (run, "i", "impact", 0), 0.505, 1e-15, "the bounce");
  assert_true (event_time (run, "turn", "fall", 0) == event_time (run, "i", "impact", 0));
  assert_true (event_time (run, "bell", "impulse", 0) == event_time (run, "i", "impact", 0));
  assert_true (event_run_last (run, "m1.velocity") == -0.5);
  assert_true (event_run_last (run, "m2.velocity") == 0.5);
}

/* Impulses and monitors that trigger each other without end are told. */
static void
test_endless_answers (void **state)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  static const char *const on[] = { "m1", NULL }, *const up[] = { "up", NULL },
                           *const down[] = { "down", NULL };
  g_autoptr (GError) error = NULL;
  IfbamElement *element;

  (void) state;
  g_object_set (ifbam_network_get_settings (network), "scheme", "rk4", "step", 1e-2, "duration",
                3.0, NULL);
  g_object_set (ifbam_network_add (network, "mass", "m1", NULL), "mass", 1.0, "velocity", 1.0,
                NULL);
  g_object_set (ifbam_network_add (network, "force", "f", NULL), "value", -1.0, "on", on, NULL);
  for (int k = 0; k < 2; k++)
    {
      const double blow = k == 0 ? 1 : -1;

      element = ifbam_network_add (network, "monitor", k == 0 ? "down" : "up", NULL);
      g_object_set (element, "signal", "m1.velocity", "direction", k == 0 ? "falling" : "rising",
                    NULL);
      element = ifbam_network_add (network, "impulse", k == 0 ? "lift" : "drop", NULL);
      g_object_set (element, "on", on, "when", k == 0 ? down : up, "impulse",
                    g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &blow, 1, sizeof (double)),
                    NULL);
    }
  assert_null (ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error));
  assert_non_null (strstr (error->message, "without end"));
}

/* Sources */

static double
switched (const char *scheme, double step)
{
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = %s\nstep = %.17g\nsample = 0.5\nduration = 2\nrecord = m1.velocity, "
      "network.energy, network.supplied\n[ground wall]\n[mass m1]\nmass = 1\n"
      "[spring k]\nstiffness = 9\nbetween = m1, wall\n[force f]\non = m1\nvalue = 1\n"
      "amplitude = 2\nfrequency = 0.8\nstart = 0.3137\nend = 1.23456\n",
      scheme, step);

  return event_run_last (run, "m1.velocity");
}

/* A scheme keeps its order where a force starts and ends between two steps. */
static void
test_switched_force (void **state)
{
  static const struct
  {
    const char *scheme;
    double order;
  } cases[] = { { "rk4", 4 },   { "verlet", 2 },   { "averaged", 2 },
                { "euler", 1 }, { "original", 1 }, { "symplectic-euler", 1 } };
  const double exact = switched ("rk4", 0.5 / 4096);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double one = fabs (switched (cases[i].scheme, 0.5 / 64) - exact);
      const double other = fabs (switched (cases[i].scheme, 0.5 / 128) - exact);

      print_message ("# switched force, %s: order %.2f, off by %.2g\n", cases[i].scheme,
                     log2 (one / other), other);
      assert_true (log2 (one / other) > cases[i].order - 0.1);
    }
}

/* The recorded force begins and ends where it should. */
static void
test_force_in_time (void **state)
{
  g_autoptr (EventRun) run = event_run (
      EVENT_RUN_EVENT_ROWS,
      "[network]\nscheme = rk4\nstep = 0.1\nduration = 1\nrecord = m1.velocity, f.force\n"
      "[mass m1]\nmass = 1\n[force f]\non = m1\nvalue = 3\nstart = 0.25\nend = 0.65\n");

  (void) state;
  assert_near (event_run_last (run, "m1.velocity"), 3 * 0.4, 1e-15, "all of the push");
}

/* A cold start has no events. */
static void
test_cold_is_refused (void **state)
{
  g_autofree char *said = event_run_fault (
      "[network]\nstart = cold\nstep = 0.1\nduration = 1\n[mass m1]\nmass = 1\n[ground w]\n"
      "[impact i]\nbetween = m1, w\n");

  (void) state;
  assert_non_null (strstr (said, "cold is for networks without events"));
}

/* Objects and model */

/* One network with all of them: the same numbers and events, bit for bit. */
static void
test_objects_are_the_plan (void **state)
{
  static const char all[] =
      "[network]\nscheme = %s\nstep = 2 ms\nduration = 1.5\nrecord = *.position, *.velocity, "
      "*.angle, *.speed, *.voltage, *.flux, *.force, *.mode, network.energy, "
      "network.dissipated, network.supplied\n"
      "[ground wall]\n[drive shaker]\namplitude = 5 mm\nfrequency = 7\n"
      "[mass m1]\nmass = 1\nvelocity = 0.5\n[mass m2]\nmass = 2\nposition = 20 mm\n"
      "[mass m3]\nmass = 0.5\nposition = 50 mm\nvelocity = -1\n"
      "[spring k1]\nstiffness = 400\nbetween = wall, m1\n"
      "[hertz h1]\nmodulus = 1 MPa\nradius = 5 mm\ngap = -20 mm\ndamping = 5\nbetween = m1, m2\n"
      "[characteristic c1]\ncompression = -30 mm, -10 mm, 0 mm, 40 mm\n"
      "force = -20, -2, 0, 10\nbetween = m2, m3\n"
      "[limiter l1]\nstiffness = 200\nlower = -2\nupper = 1\nbetween = m3, shaker\n"
      "[hysteresis y1]\nlower = -5 mm\nupper = 5 mm\nlow = 0.5\nhigh = -0.5\nbetween = m1, wall\n"
      "[friction f1]\nbreakaway = 0.5\ncoulomb = 0.3\nbetween = m2, wall\n"
      "[impulse i1]\non = m1\nwhen = w1\nimpulse = 0.1\n[impulse i2]\non = m2\nat = 0.3, 0.7\n"
      "energy = 0.1\n[monitor w1]\nsignal = m1.position\nlevel = 10 mm\ndirection = falling\n"
      "[force p1]\non = m3\nvalue = 2\nstart = 0.1\nend = 0.777\n"
      "[inertia j1]\ninertia = 1\n[inertia j2]\ninertia = 2\nspeed = 3\n[inertia j3]\ninertia = 1\n"
      "[torque t1]\non = j1\namplitude = 20\nfrequency = 2\n[clutch o1]\nbetween = j1, j2\n"
      "[torsion-backlash b1]\nstiffness = 300\nplay = 0.1\ndamping = 2\nbetween = j2, j3\n"
      "[torsion-friction g1]\nbreakaway = 0.7\nbetween = j3, wall2\n[ground wall2]\n"
      "[voltage-source u1]\namplitude = 10\nfrequency = 3\n[capacitor c11]\ncapacitance = 10 mF\n"
      "[capacitor c12]\ncapacitance = 20 mF\nvoltage = 3\n[diode d1]\nbetween = u1, c11\n"
      "[diode d2]\nresistance = 5\nbetween = c11, c12\n[resistor r1]\nresistance = 10\n"
      "between = c12, earth\n[ground earth]\n[switch s1]\ntoggle = 0.2, 0.5, 0.9\n"
      "between = c12, c13\n[capacitor c13]\ncapacitance = 5 mF\n";
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      g_autofree char *text = g_strdup_printf (all, schemes[s]->name);
      g_autoptr (EventRun) model = event_run (0, "%s", text);
      g_autoptr (EventRun) objects = event_run (EVENT_RUN_OBJECTS, "%s", text);
      const char *const *signals = ifbam_course_get_signals (model->course);

      print_message ("# all classes, %s: %u events, ledger off by %.2g\n", schemes[s]->name,
                     model->events->len, ledger_error (model));
      for (guint k = 0; signals[k] != NULL; k++)
        {
          gsize rows;
          const double *one = event_run_values (model, signals[k], &rows);

          if (memcmp (one, event_run_values (objects, signals[k], NULL), rows * sizeof (double))
              != 0)
            fail_msg ("%s: %s of the objects is another", schemes[s]->name, signals[k]);
        }
      assert_int_equal (model->events->len, objects->events->len);
      for (guint i = 0; i < model->events->len; i++)
        {
          const IfbamEvent *one = &g_array_index (model->events, IfbamEvent, i);
          const IfbamEvent *other = &g_array_index (objects->events, IfbamEvent, i);

          assert_true (one->time == other->time && one->impulse == other->impulse
                       && one->rate_after == other->rate_after
                       && one->energy_change == other->energy_change);
          assert_string_equal (one->element, other->element);
          assert_string_equal (one->word, other->word);
        }
      assert_true (model->events->len > 50);
      /* The ledger closes to the scheme's order. */
      if (strcmp (schemes[s]->name, "rk4") == 0)
        assert_true (ledger_error (model) < 1e-6);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_hertz_contact_time),
    cmocka_unit_test (test_contact_never_pulls),
    cmocka_unit_test (test_contact_parts_with_its_load),
    cmocka_unit_test (test_backlash_period),
    cmocka_unit_test (test_gear_with_play),
    cmocka_unit_test (test_limiter_period),
    cmocka_unit_test (test_hysteresis_loop),
    cmocka_unit_test (test_hysteresis_start),
    cmocka_unit_test (test_rectifier_instants),
    cmocka_unit_test (test_diode_with_resistance),
    cmocka_unit_test (test_diode_is_struck),
    cmocka_unit_test (test_charge_exchange),
    cmocka_unit_test (test_switched_rlc),
    cmocka_unit_test (test_clutch),
    cmocka_unit_test (test_brake),
    cmocka_unit_test (test_impulses),
    cmocka_unit_test (test_impulse_of_energy),
    cmocka_unit_test (test_struck_contact),
    cmocka_unit_test (test_monitors_change_nothing),
    cmocka_unit_test (test_monitor_instants),
    cmocka_unit_test (test_monitor_starts_at_its_level),
    cmocka_unit_test (test_impulse_when),
    cmocka_unit_test (test_impulse_on_what_is_tied),
    cmocka_unit_test (test_instants_of_one_time),
    cmocka_unit_test (test_monitor_of_a_bounce),
    cmocka_unit_test (test_endless_answers),
    cmocka_unit_test (test_switched_force),
    cmocka_unit_test (test_force_in_time),
    cmocka_unit_test (test_cold_is_refused),
    cmocka_unit_test (test_objects_are_the_plan),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

/* test-transconductance.c: links with forces by other nodes: amplifiers, oscillators and rotors by closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "run/run.h"
#include "engine/engine.h"

static void
assert_close (const char *what, double number, double wanted, double tolerance)
{
  if (!(fabs (number - wanted) <= tolerance))
    fail_msg ("%s: %.17g, not %.17g (off by %.3g, at most %.3g)", what, number, wanted,
              fabs (number - wanted), tolerance);
}

/* An amplifier of 20 mS into 1 kohm beside 100 nF; its input is given */
#define STAGE                                                                                      \
  "[ground earth]\n[capacitor out]\ncapacitance = 100 nF\n[resistor load]\nresistance = 1 kohm\n"  \
  "between = out, earth\n[transconductance q]\ntransconductance = 20 mS\nbetween = out, earth\n"

static void
test_gain (void **state)
{
  static const char *const schemes[] = { "rk4", "dopri5", "esdirk4", "verlet" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 1 us\nduration = 0.5 ms\nrecord = out.voltage, "
          "q.current, q.rate, q.dissipated, network.*\n[voltage-source in]\nvoltage = 0.1 V\n" STAGE
          "input = in, earth\n",
          schemes[s]);
      gsize n;
      const double *t = ifbam_course_get_times (run->course, &n);
      const double *v = event_run_values (run, "out.voltage", &n);
      const double last = t[n - 1] / 1e-4;

      /* -gain (1 - e^(-t/RC)) times the input */
      for (gsize i = 0; i < n; i += 20)
        assert_close (schemes[s], v[i], -2 * (1 - exp (-t[i] / 1e-4)), s == 3 ? 1e-4 : 1e-9);
      assert_number (event_run_last (run, "q.current"), 2e-3, 1e-17);
      assert_number (event_run_last (run, "q.rate"), 0.1, 1e-16);
      assert_close ("ledger", event_run_ledger_gap (run), 0, s == 3 ? 1e-10 : 1e-15);
      /* It takes its current from a voltage below 0: its supply is a negative loss. */
      assert_close ("brought", event_run_last (run, "q.dissipated"),
                    -2e-3 * 2 * (t[n - 1] - 1e-4 * (1 - exp (-last))), s == 3 ? 1e-10 : 1e-13);
    }
}

static void
test_response (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 us\nduration = 1 ms\n[voltage-source in]\nvoltage = 0 V\n" STAGE
      "input = in, earth\n");
  const char *const outputs[] = { "out.voltage", NULL };
  const double frequencies[] = { 10, 100, 1591.5494309189535, 1e4, 1e6 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamResponse) response = ifbam_response_new (
      network, "voltage@in", outputs, frequencies, G_N_ELEMENTS (frequencies), &error);

  (void) state;
  if (response == NULL)
    fail_msg ("%s", error->message);
  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++)
    {
      const double complex wanted = -20 / (1 + I * 2 * G_PI * frequencies[i] * 1e-4);
      gsize n;
      const double *size = ifbam_response_get_amplitudes (response, 0, &n);
      const double *phase = ifbam_response_get_phases (response, 0, &n);

      assert_close ("size", size[i], cabs (wanted), 1e-12 * cabs (wanted));
      assert_close ("phase", phase[i], carg (wanted) * 180 / G_PI, 1e-10);
    }
}

/* A Colpitts oscillator: L C1 C2 s^3 + L G C2 s^2 + (C1 + C2) s + g + G = 0 */
typedef struct
{
  double L, C1, C2, G, g;
} Colpitts;

static double complex
colpitts_root (const Colpitts *c)
{
  double complex s = I * sqrt ((c->C1 + c->C2) / (c->L * c->C1 * c->C2));

  for (guint i = 0; i < 60; i++)
    s -= (((c->L * c->C1 * c->C2 * s + c->L * c->G * c->C2) * s + c->C1 + c->C2) * s + c->g + c->G)
         / ((3 * c->L * c->C1 * c->C2 * s + 2 * c->L * c->G * c->C2) * s + c->C1 + c->C2);
  return s;
}

static char *
colpitts_text (const Colpitts *c, const char *head, const char *more)
{
  return g_strdup_printf ("[network]\n%s\n[ground earth]\n[capacitor collector]\ncapacitance = "
                          "%.17g\n[capacitor base]\ncapacitance = %.17g\nvoltage = 1 mV\n"
                          "[inductor coil]\ninductance = %.17g\nbetween = collector, base\n"
                          "[resistor load]\nresistance = %.17g\nbetween = collector, earth\n"
                          "[transconductance q]\ntransconductance = %.17g\nbetween = collector, "
                          "earth\ninput = base, earth\n%s",
                          head, c->C1, c->C2, c->L, 1 / c->G, c->g, more);
}

static void
test_growth (void **state)
{
  (void) state;
  for (guint k = 0; k < 4; k++)
    {
      const Colpitts c = { 1e-3, 100e-9, 47e-9 * (1 + k), 0.5e-3, 2e-3 * (1 + k) };
      g_autofree char *text = colpitts_text (&c, "step = 100 ns\nduration = 1 ms", "");
      const double complex s = colpitts_root (&c);
      g_autoptr (IfbamNetwork) network = text_network (text);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
      const IfbamMode *mode;
      gsize n;

      if (modes == NULL)
        fail_msg ("%s", error->message);
      mode = ifbam_modes_get_modes (modes, &n);
      for (gsize i = 0; i <= n; i++)
        {
          if (i == n)
            fail_msg ("no mode swings");
          if (mode[i].frequency == 0)
            continue;
          assert_close ("frequency", mode[i].frequency, cimag (s) / (2 * G_PI), 1e-9 * cabs (s));
          assert_close ("growth", -mode[i].decay_rate, creal (s), 1e-10 * cabs (s));
          break;
        }
    }
}

/* Growth in a run follows the same roots. */
static void
test_run_grows (void **state)
{
  const Colpitts c = { 1e-3, 100e-9, 47e-9, 0.5e-3, 0.7e-3 };
  static const char *const heads[] = {
    "scheme = rk4\nstep = 200 ns\nduration = 3 ms\nrecord = *.voltage, network.*",
    "scheme = esdirk4\nstep = 200 ns\nduration = 3 ms\nrecord = *.voltage, network.*",
    "scheme = dopri5\nstep = 500 ns\nduration = 3 ms\nrecord = *.voltage, network.*",
  };
  const double complex s = colpitts_root (&c);

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (heads); k++)
    {
      g_autofree char *text = colpitts_text (&c, heads[k], "");
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      gsize n;
      const double *t = ifbam_course_get_times (run->course, &n);
      const double *v = event_run_values (run, "base.voltage", &n);
      gsize crossings = 0;
      double first = 0, last = 0;

      for (gsize i = n / 4; i + 1 < n; i++)
        if (v[i] < 0 && v[i + 1] >= 0)
          {
            last = t[i] - v[i] * (t[i + 1] - t[i]) / (v[i + 1] - v[i]);
            first = crossings++ == 0 ? last : first;
          }
      assert_true (crossings > 30);
      assert_close (heads[k], 2 * G_PI * (double) (crossings - 1) / (last - first), cimag (s),
                    1e-4 * cimag (s));
      assert_close ("ledger", event_run_ledger_gap (run), 0, 1e-9 * 47e-9);
    }
}

/* 2/(pi a) int_0^pi limit tanh (g a sin x/limit) sin x dx: the feedback in phase */
static double
describing (double g, double limit, double a)
{
  const guint n = 2000;
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      const double x = G_PI * (i + 0.5) / n;

      sum += limit * tanh (g * a * sin (x) / limit) * sin (x);
    }
  return 2 / a * sum / n;
}

static void
test_amplitude (void **state)
{
  const Colpitts c = { 1e-3, 100e-9, 100e-9, 1.0 / 15e3, 2.0 / 15e3 };
  const double limit = 1e-4;
  g_autofree char *text =
      colpitts_text (&c, "scheme = rk4\nstep = 1 us\nduration = 160 ms\nrecord = base.voltage",
                     "limit = 0.1 mA\n");
  g_autoptr (EventRun) run = event_run (0, "%s", text);
  gsize n;
  const double *v = event_run_values (run, "base.voltage", &n);
  double lo = 1e-3, hi = 10, most = 0, least = 0;

  (void) state;
  /* The amplitude at which the feedback equals the load, g C1 = G C2 */
  while (hi - lo > 1e-12)
    {
      const double middle = 0.5 * (lo + hi);

      *(describing (c.g, limit, middle) > c.G * c.C2 / c.C1 ? &lo : &hi) = middle;
    }
  for (gsize i = n - n / 20; i < n; i++)
    {
      most = fmax (most, v[i]);
      least = fmin (least, v[i]);
    }
  print_message ("# amplitude %.6g V, by the describing function %.6g V\n", 0.5 * (most - least),
                 lo);
  assert_close ("amplitude", 0.5 * (most - least), lo, 1e-3 * lo);
}

/* m z'' + c z' + (k - i q) z = 0 for z = x + i y: a rotor that oil drives around */
#define ROTOR                                                                                      \
  "[ground frame]\n[mass x]\nmass = 2 kg\nposition = 1 mm\n[mass y]\nmass = 2 kg\n[spring kx]\n"   \
  "stiffness = 800 N/m\nbetween = x, frame\n[spring ky]\nstiffness = 800 N/m\nbetween = y, "       \
  "frame\n"                                                                                        \
  "[damper dx]\ndamping = 3 N s/m\nbetween = x, frame\n[damper dy]\ndamping = 3 N s/m\n"           \
  "between = y, frame\n[cross-spring xy]\nstiffness = 90 N/m\nbetween = x, frame\ninput = y\n"     \
  "[cross-spring yx]\nstiffness = -90 N/m\nbetween = y, frame\ninput = x, frame\n"

static void
test_rotor (void **state)
{
  static const char *const schemes[] = { "rk4", "esdirk4", "dopri5" };
  const double complex root = csqrt (9 - 4 * 2 * (800 - 90 * I));
  const double complex s[2] = { (-3 + root) / 4, (-3 - root) / 4 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (schemes); k++)
    {
      g_autoptr (EventRun) run = event_run (0,
                                            "[network]\nscheme = %s\nstep = 1 ms\nduration = 3 s\n"
                                            "record = *.position, network.*\n" ROTOR,
                                            schemes[k]);
      gsize n;
      const double *t = ifbam_course_get_times (run->course, &n);
      const double *x = event_run_values (run, "x.position", &n);
      const double *y = event_run_values (run, "y.position", &n);

      for (gsize i = 0; i < n; i += 50)
        {
          const double complex z =
              1e-3 * (s[1] * cexp (s[0] * t[i]) - s[0] * cexp (s[1] * t[i])) / (s[1] - s[0]);

          assert_close (schemes[k], x[i], creal (z), 1e-9);
          assert_close (schemes[k], y[i], cimag (z), 1e-9);
        }
      assert_close ("ledger", event_run_ledger_gap (run), 0, 1e-11);
    }
}

/* A force by a mass's own velocity is a damper's. */
static void
test_skyhook (void **state)
{
  static const char *const dampers[] = {
    "[damper d]\ndamping = 5 N s/m\nbetween = m, frame\n",
    "[cross-damper d]\ndamping = 5 N s/m\nbetween = m, frame\ninput = m\n",
    "[cross-damper d]\ndamping = -5 N s/m\nbetween = frame, m\ninput = m, frame\n",
  };
  double end[G_N_ELEMENTS (dampers)];

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (dampers); k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\nrecord = m.position, "
          "d.dissipated\n[ground frame]\n[mass m]\nmass = 1 kg\nposition = 1 cm\n[spring k]\n"
          "stiffness = 400 N/m\nbetween = m, frame\n%s",
          dampers[k]);

      end[k] = event_run_last (run, "m.position");
      assert_close ("end", end[k], end[0], 1e-16);
      assert_true (event_run_last (run, "d.dissipated") > 0.019);
    }
}

static void
test_same_bits (void **state)
{
  static const char *const schemes[] = { "rk4",      "esdirk4", "implicit",       "tr-bdf2",
                                         "averaged", "verlet",  "implicit-euler", "dopri5" };
  const Colpitts c = { 1e-3, 100e-9, 47e-9, 0.5e-3, 2e-3 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *head =
          g_strdup_printf ("scheme = %s\nstep = 500 ns\nduration = 200 us\nrecord = *", schemes[s]);
      g_autofree char *text = colpitts_text (&c, head, "limit = 1 mA\n");
      g_autofree char *rotor = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 2 ms\nduration = 0.5 s\nrecord = *\n" ROTOR
          "limit = 20 mN\n",
          schemes[s]);

      event_run_assert_same_bits (text);
      event_run_assert_same_bits (rotor);
    }
}

/* An astable multivibrator: an amplifier that saturates charges C over R until half of its output turns it over; the period
 * is 2 R C ln 3 where it turns over at once. */
static void
test_multivibrator (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = esdirk4\nstep = 1 ns\ntolerance = 1e-7\nsample = 2 us\n"
                    "duration = 8 ms\nrecord = c.voltage, out.voltage\n[ground earth]\n"
                    "[capacitor c]\ncapacitance = 100 nF\nvoltage = 0.1 V\n[capacitor out]\n"
                    "capacitance = 1 nF\n[junction plus]\n[resistor r]\nresistance = 10 kohm\n"
                    "between = out, c\n[resistor r1]\nresistance = 10 Mohm\nbetween = out, plus\n"
                    "[resistor r2]\nresistance = 10 Mohm\nbetween = plus, earth\n"
                    "[resistor inside]\nresistance = 1 ohm\nbetween = out, earth\n"
                    "[transconductance a]\ntransconductance = 200 kS\nlimit = 10 A\n"
                    "between = earth, out\ninput = plus, c\n");
  gsize n, crossings = 0;
  const double *t = ifbam_course_get_times (run->course, &n);
  const double *v = event_run_values (run, "c.voltage", &n);
  double first = 0, last = 0;

  (void) state;
  for (gsize i = n / 4; i + 1 < n; i++)
    if (v[i] < 0 && v[i + 1] >= 0)
      {
        last = t[i] - v[i] * (t[i + 1] - t[i]) / (v[i + 1] - v[i]);
        first = crossings++ == 0 ? last : first;
      }
  assert_in_range (crossings, 2, 4);
  last = (last - first) / (double) (crossings - 1);
  print_message ("# period %.9g s\n", last);
  assert_close ("period", last, 2e-3 * log (3), 5e-4 * 2e-3 * log (3));
}

/* The modes of the rotor are the roots, and a force on it is answered by 1/2 of both turns: m s^2 + c s + k -+ i q. */
static void
test_rotor_by_modes (void **state)
{
  const double complex root = csqrt (9 - 4 * 2 * (800 - 90 * I));
  const double complex s[2] = { (-3 + root) / 4, (-3 - root) / 4 };
  const char *const outputs[] = { "x.position", "y.position", NULL };
  const double frequencies[] = { 0.5, 3.1, 3.18309886, 10 };
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\n" ROTOR);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
  g_autoptr (IfbamResponse) response = NULL;
  g_auto (GStrv) nonlinear = NULL;
  const IfbamMode *mode;
  gsize n, size;

  (void) state;
  if (modes == NULL)
    fail_msg ("%s", error->message);
  nonlinear = ifbam_modes_list_nonlinear (modes);
  assert_null (nonlinear[0]);
  mode = ifbam_modes_get_modes (modes, &n);
  assert_int_equal (n, 2);
  for (guint k = 0; k < 2; k++)
    {
      /* One of z, one of its conjugate */
      const guint own = fabs (2 * G_PI * mode[k].frequency - fabs (cimag (s[0])))
                                    + fabs (mode[k].decay_rate + creal (s[0]))
                                < 1e-6
                            ? 0
                            : 1;
      const double *part = ifbam_modes_get_imaginary_shape (modes, k, &size);

      assert_close ("frequency", 2 * G_PI * mode[k].frequency, fabs (cimag (s[own])), 1e-12 * 20);
      assert_close ("decay", mode[k].decay_rate, -creal (s[own]), 1e-12 * 20);
      assert_close ("turn", fabs (part[1]), 1, 1e-12);
    }
  response = ifbam_response_new (network, "force@x", outputs, frequencies,
                                 G_N_ELEMENTS (frequencies), &error);
  if (response == NULL)
    fail_msg ("%s", error->message);
  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++)
    {
      const double complex w = 2 * G_PI * I * frequencies[i], even = 2 * w * w + 3 * w + 800;
      const double complex plus = 0.5 / (even - 90 * I), minus = 0.5 / (even + 90 * I);

      assert_close ("along", ifbam_response_get_amplitudes (response, 0, &n)[i],
                    cabs (plus + minus), 1e-12 * cabs (plus));
      assert_close ("across", ifbam_response_get_amplitudes (response, 1, &n)[i],
                    cabs (plus - minus), 1e-12 * cabs (plus));
    }
}

/* The position of a free mass exerts a force on another one on a spring: both oscillate by k12/(k - m w^2), and the free one
 * stays free. And a force by the mass's own position: a spring. */
static void
test_who_follows_what_is_free (void **state)
{
  static const char *const texts[] = {
    "[network]\nstep = 1 ms\nduration = 1 s\n[ground frame]\n[mass a]\nmass = 1 kg\n[mass b]\n"
    "mass = 1 kg\n[spring k]\nstiffness = 100 N/m\nbetween = b, frame\n[cross-spring x]\n"
    "stiffness = 30 N/m\nbetween = b, frame\ninput = a, c\n[mass c]\nmass = 1 kg\n[spring k2]\n"
    "stiffness = 200 N/m\nbetween = a, c\n",
    "[network]\nstep = 1 ms\nduration = 1 s\n[ground frame]\n[mass a]\nmass = 1 kg\n"
    "[cross-spring x]\nstiffness = 400 N/m\nbetween = a, frame\ninput = a\n",
  };
  static const double squares[2][2] = { { 100, 400 }, { 400 } };

  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (IfbamNetwork) network = text_network (texts[k]);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
      const IfbamMode *mode;
      gsize n;

      if (modes == NULL)
        fail_msg ("%s", error->message);
      mode = ifbam_modes_get_modes (modes, &n);
      assert_int_equal (n, k == 0 ? 3 : 1);
      if (k == 0)
        assert_int_equal (mode[0].kind, IFBAM_MODE_FREE);
      for (gsize i = k == 0; i < n; i++)
        assert_close ("frequency", 2 * G_PI * mode[i].frequency, sqrt (squares[k][i - (k == 0)]),
                      1e-12 * 20);
    }
}

/* A Colpitts oscillator with a transistor at two nodes without a capacitance. Its modes are roots of the nodes' admittances, and a
 * run's start swings and grows by the root: v[i + 1] = 2 e^(a h) cos (w h) v[i] - e^(2 a h) v[i - 1]. */
static double complex
admittance (double complex s)
{
  const double complex coil = 1 / (1e-3 * s), b = 100e-9 * s;
  const double r = 1 / 100.0, r2 = 1e-4, c = 1 / 50.0, load = 1 / 2200.0, g = 4e-3;
  /* base, collector, out, in: the latter two are eliminated */
  const double complex in = r / (r + r2);              /* by the base */
  const double complex out = c / (c + load);           /* by the collector */
  const double complex follows = -g * in / (c + load); /* by the base */
  const double complex bb = b + coil + r * (1 - in), bc = -coil, cb = -coil - c * follows,
                       cc = b + coil + c * (1 - out);

  return (bb * cc - bc * cb) / (fabs (cabs (bb * cc)) + cabs (bc * cb));
}

static void
test_junctions_by_modes (void **state)
{
#define TRANSISTOR                                                                                 \
  "[network]\nscheme = esdirk4\nstep = 200 ns\nduration = 2 ms\nrecord = collector.voltage\n"      \
  "[ground earth]\n[capacitor base]\ncapacitance = 100 nF\nvoltage = 1 uV\n[capacitor "            \
  "collector]\ncapacitance = 100 nF\n[junction out]\n[junction in]\n[resistor rb]\n"               \
  "resistance = 100 ohm\nbetween = base, in\n[resistor rb2]\nresistance = 10 kohm\n"               \
  "between = in, earth\n[resistor rc]\nresistance = 50 ohm\nbetween = out, collector\n"            \
  "[inductor coil]\ninductance = 1 mH\nbetween = collector, base\n[resistor load]\n"               \
  "resistance = 2.2 kohm\nbetween = out, earth\n[transconductance q1]\n"                           \
  "transconductance = 4 mS\nbetween = out, earth\ninput = in, earth\n"
  g_autoptr (IfbamNetwork) network = text_network (TRANSISTOR);
  g_autoptr (EventRun) run = event_run (0, TRANSISTOR);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, &spec, FALSE, NULL);
  const IfbamMode *mode;
  double complex s = 0, step;
  gsize n;
  const double *v;

  (void) state;
  if (modes == NULL)
    fail_msg ("%s", error->message);
  mode = ifbam_modes_get_modes (modes, &n);
  assert_int_equal (n, 2);
  for (gsize i = 0; i < n; i++)
    {
      s = -mode[i].decay_rate + I * (2 * G_PI * mode[i].frequency);
      assert_close ("root", cabs (admittance (s)), 0, 1e-12);
    }
  assert_true (creal (s) > 8000);
  v = event_run_values (run, "collector.voltage", &n);
  step = cexp (s * 200e-9);
  /* Modes without oscillation decay by e^(-30). */
  for (gsize i = 7 * n / 10; i + 1 < n; i++)
    assert_close ("grows", v[i + 1],
                  2 * creal (step) * v[i] - creal (step * conj (step)) * v[i - 1],
                  1e-9 * fabs (v[i]) + 1e-10 * fabs (v[n - 1]));
  assert_close ("a step's growth",
                ifbam_stability_growth (stability, ifbam_scheme_by_name ("esdirk4"), 200e-9).rate,
                creal (s), 1e-6 * creal (s));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_gain),
    cmocka_unit_test (test_response),
    cmocka_unit_test (test_growth),
    cmocka_unit_test (test_run_grows),
    cmocka_unit_test (test_amplitude),
    cmocka_unit_test (test_rotor),
    cmocka_unit_test (test_skyhook),
    cmocka_unit_test (test_same_bits),
    cmocka_unit_test (test_multivibrator),
    cmocka_unit_test (test_rotor_by_modes),
    cmocka_unit_test (test_who_follows_what_is_free),
    cmocka_unit_test (test_junctions_by_modes),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

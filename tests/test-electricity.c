/* test-electricity.c: circuits against their closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>

#include "event-run.h"
#include "fixture.h"
#include "file/file.h"

G_GNUC_PRINTF (1, 2)
static IfbamCourse *
run (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return text_course (text);
}

typedef double (*ClosedForm) (double time, const double *numbers);

/* The largest difference from a closed form. */
static double
error_of (IfbamCourse *course, const char *signal, ClosedForm form, const double *numbers)
{
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, signal, &n, NULL);
  double worst = 0;

  assert_non_null (values);
  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (values[i] - form (times[i], numbers)));
  return worst;
}

static void
assert_error (IfbamCourse *course, const char *signal, ClosedForm form, const double *numbers,
              double tolerance)
{
  const double worst = error_of (course, signal, form, numbers);

  print_message ("# %s: off by %.2g at most\n", signal, worst);
  if (!(worst <= tolerance))
    fail_msg ("%s is off by %.3g, more than %.3g", signal, worst, tolerance);
}

/* network.energy + network.dissipated - network.supplied, relative to the energy that was there. */
static void
assert_ledger_closes (IfbamCourse *course, double scale, double tolerance)
{
  gsize n;
  const double *energy = ifbam_course_get_values (course, "network.energy", &n, NULL);
  const double *dissipated = ifbam_course_get_values (course, "network.dissipated", &n, NULL);
  const double *supplied = ifbam_course_get_values (course, "network.supplied", &n, NULL);
  double worst = 0;

  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (energy[i] + dissipated[i] - supplied[i] - energy[0]));
  print_message ("# ledger: off by %.2g of the energy\n", worst / scale);
  assert_true (worst <= tolerance * scale);
}

#define LEDGER "network.energy, network.dissipated, network.supplied"

static double
decay (double t, const double *numbers)
{
  return numbers[0] * exp (-t / numbers[1]);
}

static void
test_rc_discharge (void **state)
{
  const double voltage[] = { 5, 1e-3 }, current[] = { 5e-3, 1e-3 };
  g_autoptr (IfbamCourse) course =
      run ("[network]\nscheme = rk4\nstep = 2 us\nduration = 5 ms\n"
           "record = c1.voltage, r1.current, r1.voltage, " LEDGER "\n"
           "[ground earth]\n[capacitor c1]\ncapacitance = 1 uF\nvoltage = 5 V\n"
           "[resistor r1]\nresistance = 1 kohm\nbetween = c1, earth\n");

  (void) state;
  assert_error (course, "c1.voltage", decay, voltage, 1e-12);
  assert_error (course, "r1.current", decay, current, 1e-15);
  assert_error (course, "r1.voltage", decay, voltage, 1e-12);
  assert_ledger_closes (course, 0.5 * 1e-6 * 25, 1e-9);
}

/* Half of the supplied energy is stored, half is lost, with any resistance. */
static void
test_rc_charge (void **state)
{
  g_autoptr (IfbamCourse) course =
      run ("[network]\nscheme = rk4\nstep = 2 us\nduration = 40 ms\nrecord = c1.voltage, " LEDGER
           "\n[voltage-source s]\nvoltage = 5 V\n[capacitor c1]\ncapacitance = 1 uF\n"
           "[resistor r1]\nresistance = 1 kohm\nbetween = s, c1\n");
  gsize n;
  const double energy = 0.5 * 1e-6 * 25;

  (void) state;
  assert_true (ifbam_course_get_values (course, "c1.voltage", &n, NULL)[n - 1] == 5
               || fabs (ifbam_course_get_values (course, "c1.voltage", &n, NULL)[n - 1] - 5)
                      < 1e-12);
  assert_ledger_closes (course, energy, 1e-9);
  assert_true (
      fabs (ifbam_course_get_values (course, "network.energy", &n, NULL)[n - 1] / energy - 1)
      < 1e-9);
  assert_true (
      fabs (ifbam_course_get_values (course, "network.dissipated", &n, NULL)[n - 1] / energy - 1)
      < 1e-9);
  assert_true (
      fabs (ifbam_course_get_values (course, "network.supplied", &n, NULL)[n - 1] / energy - 2)
      < 1e-9);
}

/* The sum of two exponentials that start at numbers[0] with the slope numbers[1] and end at
 * numbers[4]; rates numbers[2], numbers[3]. */
static double
two_decays (double t, const double *numbers)
{
  const double start = numbers[0] - numbers[4], slope = numbers[1], a = numbers[2], b = numbers[3];

  return numbers[4]
         + ((slope + b * start) * exp (-a * t) - (slope + a * start) * exp (-b * t)) / (b - a);
}

/* A coil that is switched on through a resistor; the node between them has a little capacitance. */
static void
test_rl_rise (void **state)
{
  const double R = 100, L = 10e-3, C = 10e-9, V = 5;
  const double middle = 0.5 / (R * C), root = sqrt (middle * middle - 1 / (L * C));
  const double current[] = { 0, 0, middle - root, middle + root, V / R };
  const double voltage[] = { 0, V / (R * C), middle - root, middle + root, 0 };
  g_autoptr (IfbamCourse) course =
      run ("[network]\nscheme = rk4\nstep = 20 ns\nduration = 1 ms\nrecord = l1.current, "
           "c1.voltage, " LEDGER "\n[ground earth]\n[voltage-source s]\nvoltage = 5 V\n"
           "[resistor r1]\nresistance = 100 ohm\nbetween = s, c1\n"
           "[capacitor c1]\ncapacitance = 10 nF\n"
           "[inductor l1]\ninductance = 10 mH\nbetween = c1, earth\n");

  (void) state;
  assert_error (course, "l1.current", two_decays, current, 1e-10 * V / R);
  assert_error (course, "c1.voltage", two_decays, voltage, 1e-9 * V);
  assert_ledger_closes (course, 0.5 * L * V / R * V / R, 1e-9);
}

static double
ringing (double t, const double *numbers)
{
  const double omega = numbers[1], damping = numbers[2];

  /* With no current in the coil at the start: dv/dt = -v/RC, and damping = 1/2RC. */
  return numbers[0] * exp (-damping * t) * (cos (omega * t) - damping / omega * sin (omega * t));
}

static void
test_parallel_rlc (void **state)
{
  const double R = 2e3, L = 10e-3, C = 100e-9, damping = 0.5 / (R * C);
  const double numbers[] = { 10, sqrt (1 / (L * C) - damping * damping), damping };
  double last = 0;

  (void) state;
  for (int halvings = 0; halvings < 3; halvings++)
    {
      g_autoptr (IfbamCourse) course =
          run ("[network]\nscheme = averaged\nstep = %.17g\nsample = 5 us\nduration = 2 ms\n"
               "record = c1.voltage, " LEDGER "\n[ground earth]\n"
               "[capacitor c1]\ncapacitance = 100 nF\nvoltage = 10 V\n"
               "[inductor l1]\ninductance = 10 mH\nbetween = c1, earth\n"
               "[resistor r1]\nresistance = 2 kohm\nbetween = earth, c1\n",
               5e-7 / (1 << halvings));
      double worst = error_of (course, "c1.voltage", ringing, numbers);

      print_message ("# averaged, %g us: off by %.2g of 10 V\n", 0.5 / (1 << halvings), worst);
      if (halvings > 0)
        assert_true (fabs (log2 (last / worst) - 2) < 0.1);
      last = worst;
    }
  {
    g_autoptr (IfbamCourse) course =
        run ("[network]\nscheme = rk4\nstep = 0.25 us\nduration = 2 ms\n"
             "record = c1.voltage, " LEDGER "\n[ground earth]\n"
             "[capacitor c1]\ncapacitance = 100 nF\nvoltage = 10 V\n"
             "[inductor l1]\ninductance = 10 mH\nbetween = c1, earth\n"
             "[resistor r1]\nresistance = 2 kohm\nbetween = earth, c1\n");

    assert_error (course, "c1.voltage", ringing, numbers, 2e-10 * 10);
    assert_ledger_closes (course, 0.5 * C * 100, 1e-9);
  }
}

static double
sinusoid (double t, const double *numbers)
{
  return numbers[0] * sin (numbers[1] * t + numbers[2]);
}

/* A source between coil and earth drives the integral of its voltage through the coil, from the current
 * at the start on. */
static double
coil_at_a_source (double t, const double *numbers)
{
  const double omega = 2 * G_PI * 50;

  return numbers[0] + (3 * t + 325 / omega * (cos (0.7) - cos (omega * t + 0.7))) / numbers[1];
}

static void
test_coil_at_a_source (void **state)
{
  const double numbers[] = { -2, 0.1 };
  g_autoptr (IfbamCourse) course =
      run ("[network]\nscheme = averaged\nstep = 100 us\nduration = 0.1 s\nrecord = l1.current, "
           "s.flux, s.voltage, "
           "l1.voltage\n[ground earth]\n"
           "[voltage-source s]\nvoltage = 3 V\namplitude = 325 V\nfrequency = 50 Hz\nphase = 0.7\n"
           "[inductor l1]\ninductance = 0.1 H\ncurrent = -2 A\nbetween = s, earth\n"
           "[capacitor other]\ncapacitance = 1\n");

  (void) state;
  assert_error (course, "l1.current", coil_at_a_source, numbers, 1e-13);
}

/* Driven at its resonance a parallel circuit takes the current of its resistor alone; elsewhere
 * v = I / (1/R + j omega C + 1/(j omega L)). It starts in that state. */
static void
test_impedance (void **state)
{
  const double R = 500, L = 1e-3, C = 1e-6;
  const double frequencies[] = { 2000, 1 / (2 * G_PI * sqrt (L * C)), 9000 };

  (void) state;
  for (int i = 0; i < 3; i++)
    {
      const double omega = 2 * G_PI * frequencies[i];
      const double complex admittance = 1 / R + I * omega * C + 1 / (I * omega * L);
      const double complex v = 1e-3 / admittance, coil = v / (I * omega * L);
      const double voltage[] = { cabs (v), omega, carg (v) };
      const double current[] = { cabs (coil), omega, carg (coil) };
      g_autoptr (IfbamCourse) course =
          run ("[network]\nscheme = rk4\nstep = 0.2 us\nduration = 1 ms\nrecord = c1.voltage, "
               "l1.current\n"
               "[ground earth]\n[capacitor c1]\ncapacitance = 1 uF\nvoltage = %.17g\n"
               "[inductor l1]\ninductance = 1 mH\ncurrent = %.17g\nbetween = c1, earth\n"
               "[resistor r1]\nresistance = 500 ohm\nbetween = c1, earth\n"
               "[current-source feed]\non = c1\namplitude = 1 mA\nfrequency = %.17g\n",
               cimag (v), cimag (coil), frequencies[i]);

      assert_error (course, "c1.voltage", sinusoid, voltage, 1e-9 * cabs (v));
      assert_error (course, "l1.current", sinusoid, current, 1e-9 * cabs (coil));
    }
}

static double
standing_wave (double t, const double *numbers)
{
  return numbers[0] * cos (numbers[1] * t);
}

/* N capacitors between N + 1 coils to earth: mode k has omega = 2/sqrt (LC) sin (k pi / 2 (N + 1)). */
static void
test_ladder_modes (void **state)
{
  enum
  {
    N = 20
  };
  const double L = 1e-3, C = 1e-9;

  (void) state;
  for (int k = 1; k <= N; k += 19)
    {
      g_autoptr (GString) text =
          g_string_new ("[network]\nscheme = verlet\nstep = 1 ns\nsample = 100 ns\n"
                        "duration = 100 us\nrecord = c*.voltage\n[ground earth]\n");
      g_autoptr (IfbamCourse) course = NULL;
      const double omega = 2 / sqrt (L * C) * sin (k * G_PI / (2 * (N + 1)));

      for (int j = 1; j <= N; j++)
        g_string_append_printf (text, "[capacitor c%d]\ncapacitance = 1 nF\nvoltage = %.17g\n", j,
                                sin (j * k * G_PI / (N + 1)));
      for (int j = 0; j <= N; j++)
        {
          g_autofree char *left = j == 0 ? g_strdup ("earth") : g_strdup_printf ("c%d", j);
          g_autofree char *right = j == N ? g_strdup ("earth") : g_strdup_printf ("c%d", j + 1);

          g_string_append_printf (text, "[inductor l%d]\ninductance = 1 mH\nbetween = %s, %s\n", j,
                                  left, right);
        }
      course = run ("%s", text->str);
      for (int j = 1; j <= N; j++)
        {
          const double numbers[] = { sin (j * k * G_PI / (N + 1)), omega };
          g_autofree char *signal = g_strdup_printf ("c%d.voltage", j);
          /* verlet is off by (omega tau)^2/24 of the phase. */
          const double phase = omega * 100e-6 * pow (omega * 1e-9, 2) / 24;

          assert_true (error_of (course, signal, standing_wave, numbers) < 1.2 * phase + 1e-12);
        }
    }
}

/* A measured voltage: its integral is the flux. */
static double
ramp_flux (double t, const double *numbers)
{
  (void) numbers;
  return t < 2e-3 ? 1000 * t * t / 2 : 2e-3 + 2 * (t - 2e-3);
}

static double
ramp_voltage (double t, const double *numbers)
{
  (void) numbers;
  return t <= 2e-3 ? 1000 * t : 2;
}

static void
test_measured_voltage (void **state)
{
  g_autofree char *path = g_build_filename (folder, "measured.csv", NULL);
  g_autoptr (IfbamCourse) course = NULL;

  (void) state;
  assert_true (g_file_set_contents (path, "time,v\n-1e-3,-1\n0,0\n1e-3,1\n2e-3,2\n", -1, NULL));
  course = run ("[network]\nscheme = rk4\nstep = 10 us\nduration = 5 ms\nrecord = s.flux, "
                "s.voltage, l1.current\n"
                "[ground earth]\n[voltage-source s]\ncourse = measured.csv:v\ninterpolation = "
                "cubic\noutside = hold\n"
                "[inductor l1]\ninductance = 1 H\nbetween = s, earth\n"
                "[capacitor c1]\ncapacitance = 1\n");
  assert_error (course, "s.flux", ramp_flux, NULL, 1e-15);
  assert_error (course, "s.voltage", ramp_voltage, NULL, 1e-15);
  assert_error (course, "l1.current", ramp_flux, NULL, 1e-15);
}

/* Default signals of a capacitor; units. */
static void
test_words (void **state)
{
  g_autoptr (IfbamCourse) course =
      run ("[network]\nstep = 1 ms\nduration = 1 ms\n"
           "[ground earth]\n[capacitor c1]\ncapacitance = 1\nvoltage = 1\n[mass m1]\nmass = 1\n"
           "[resistor r1]\nresistance = 1\nbetween = c1, earth\n");
  const char *const *signals = ifbam_course_get_signals (course);

  (void) state;
  assert_string_equal (signals[0], "c1.voltage");
  assert_string_equal (signals[1], "m1.position");
  assert_null (signals[2]);
}

/* A buck converter with a small parasitic capacitance at its switching node: when the switch opens, the current changes its
 * voltage at up to 1e18 V/s, and the diode conducts after less time than a step's last digits resolve. The output
 * is unaffected. */
static void
test_tiny_capacitance (void **state)
{
  static const double capacitances[] = { 1e-12, 1e-14, 1e-16, 1e-18 };
  double reference = NAN;

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (capacitances); k++)
    {
      g_autoptr (IfbamCourse) course =
          run ("[network]\nscheme = rk4\nstep = 4 us\nduration = 2 ms\nrecord = o.voltage\n"
               "[voltage-source v]\nvoltage = 24\n[ground g]\n"
               "[capacitor x]\ncapacitance = %g\nvoltage = 24\n"
               "[capacitor o]\ncapacitance = 47 uF\n"
               "[switch s]\nstate = closed\nbetween = v, x\nresistance = 0\n"
               "toggle = 0.2ms, 0.4ms, 0.6ms, 0.8ms, 1ms, 1.2ms, 1.4ms, 1.6ms, 1.8ms\n"
               "[diode d]\nbetween = g, x\nresistance = 0\n"
               "[inductor l]\ninductance = 20 mH\nbetween = x, o\n"
               "[resistor r]\nresistance = 22\nbetween = o, g\n",
               capacitances[k]);
      gsize n;
      const double *voltage = ifbam_course_get_values (course, "o.voltage", &n, NULL);

      print_message ("# %g F: %.9g V\n", capacitances[k], voltage[n - 1]);
      if (k == 0)
        reference = voltage[n - 1];
      assert_true (fabs (voltage[n - 1] - reference) < 1e-6 * reference);
    }
}

/* Three ideal switches that close a ring of three capacitors at one instant are redundant: they share
 * charge and current as equal small resistances do: the currents around the ring add up to 0. */
static void
test_ring_of_ideal_switches (void **state)
{
  static const guint order[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  static const double charge[] = { 4e-6 / 21, 64e-6 / 21, -68e-6 / 21 };
  static const double current[] = { 8. / 21, 2. / 21, -10. / 21 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    {
      GString *text = g_string_new ("[network]\nscheme = rk4\nstep = 10 us\nduration = 2 ms\n"
                                    "record = s1.current, s2.current, s3.current\n"
                                    "[capacitor c1]\ncapacitance = 1 uF\nvoltage = 3\n"
                                    "[capacitor c2]\ncapacitance = 2 uF\nvoltage = 1\n"
                                    "[capacitor c3]\ncapacitance = 4 uF\nvoltage = -2\n"
                                    "[current-source i]\non = c1\nvalue = 1\nstart = 1.5 ms\n");
      g_autoptr (EventRun) run = NULL;

      for (guint s = 0; s < 3; s++)
        g_string_append_printf (text, "[switch s%u]\ntoggle = 1 ms\nbetween = c%u, c%u\n",
                                order[k][s] + 1, order[k][s] + 1, (order[k][s] + 1) % 3 + 1);
      run = event_run (0, "%s", text->str);
      g_string_free (text, TRUE);
      for (guint s = 0; s < 3; s++)
        {
          g_autofree char *name = g_strdup_printf ("s%u", s + 1);
          g_autofree char *signal = g_strdup_printf ("%s.current", name);
          const double got = event_run_event (run, name, "close", 0)->impulse;
          const double flow = event_run_last (run, signal);

          print_message ("# order %u, %s: %.3g C, %.3g A from the closed form\n", k, name,
                         got - charge[s], flow - current[s]);
          assert_true (fabs (got - charge[s]) < 1e-20);
          assert_true (fabs (flow - current[s]) < 1e-7);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_rc_discharge),
    cmocka_unit_test (test_rc_charge),
    cmocka_unit_test (test_tiny_capacitance),
    cmocka_unit_test (test_rl_rise),
    cmocka_unit_test (test_parallel_rlc),
    cmocka_unit_test (test_coil_at_a_source),
    cmocka_unit_test (test_impedance),
    cmocka_unit_test (test_ladder_modes),
    cmocka_unit_test (test_measured_voltage),
    cmocka_unit_test (test_words),
    cmocka_unit_test (test_ring_of_ideal_switches),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

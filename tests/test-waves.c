/* test-waves.c: sources over time: chirp, step, ramp, pulses, noise, and their corners within steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/waveform.h"
#include "event-run.h"
#include "fixture.h"

static const struct
{
  const char *keys;
  IfbamWaveform wave;
} waves[] = {
  { "wave = sine\nfrequency = 3.7 Hz\nphase = 0.4 rad\n",
    { .shape = IFBAM_WAVE_SINE, .frequency = 3.7, .phase = 0.4 } },
  { "wave = chirp\nfrom = 1.5 Hz\nto = 9 Hz\nover = 0.31 s\nat = 0.0537 s\n",
    { .shape = IFBAM_WAVE_CHIRP, .from = 1.5, .to = 9, .over = 0.31, .at = 0.0537 } },
  { "wave = step\nat = 0.1234 s\n", { .shape = IFBAM_WAVE_STEP, .at = 0.1234 } },
  { "wave = ramp\nat = 0.0777 s\nover = 0.1919 s\n",
    { .shape = IFBAM_WAVE_RAMP, .at = 0.0777, .over = 0.1919 } },
  { "wave = pulse\nat = 0.0511 s\nover = 0.1717 s\nrise = 0.0333 s\n",
    { .shape = IFBAM_WAVE_PULSE, .at = 0.0511, .over = 0.1717, .rise = 0.0333 } },
  { "wave = pulse\nat = 0.0511 s\nover = 0.1717 s\n",
    { .shape = IFBAM_WAVE_PULSE, .at = 0.0511, .over = 0.1717 } },
  { "wave = pwm\nat = 0.017 s\nperiod = 0.0731 s\nduty = 0.37\n",
    { .shape = IFBAM_WAVE_PWM, .at = 0.017, .period = 0.0731, .duty = 0.37 } },
  { "wave = pwm\nat = -0.018 s\nperiod = 0.0731 s\nduty = 0.61\nrise = 0.0071 s\n",
    { .shape = IFBAM_WAVE_PWM, .at = -0.018, .period = 0.0731, .duty = 0.61, .rise = 0.0071 } },
  { "wave = pwm\nat = 0.05 s\nperiod = 0.0731 s\nduty = 1\nrise = 0.0071 s\n",
    { .shape = IFBAM_WAVE_PWM, .at = 0.05, .period = 0.0731, .duty = 1, .rise = 0.0071 } },
  { "wave = noise\nfrom = 2 Hz\nto = 8 Hz\nseed = 7\n",
    { .shape = IFBAM_WAVE_NOISE, .from = 2, .to = 8, .seed = 7 } },
  { "wave = half-sine\nat = 0.0777 s\nover = 0.1919 s\n",
    { .shape = IFBAM_WAVE_HALF_SINE, .at = 0.0777, .over = 0.1919 } },
};

static double
wave_value (const IfbamWaveform *wave, double time)
{
  double w, rate, second;

  ifbam_waveform_at (wave, time, &w, &rate, &second);
  return w;
}

static gboolean
is_smooth (const IfbamWaveform *wave)
{
  return wave->shape == IFBAM_WAVE_SINE || wave->shape == IFBAM_WAVE_CHIRP
         || wave->shape == IFBAM_WAVE_NOISE;
}

/* Returns the next time at which a band of noise goes over to its next random numbers: the third derivative of its
 * integral jumps. */
static double
next_knot (const IfbamWaveform *wave, double time)
{
  double next = INFINITY;

  for (unsigned band = 0; band < IFBAM_WAVE_BANDS; band++)
    {
      const double width = ifbam_waveform_edge (wave, band + 1) - ifbam_waveform_edge (wave, band);
      const double start = ifbam_waveform_place (width, band, 0);
      const double knot = floor (ifbam_waveform_place (width, band, time)) + 1;

      for (int k = 0; k < 2; k++)
        if ((knot + k - start) / (3 * width) > time)
          next = fmin (next, (knot + k - start) / (3 * width));
    }
  return next;
}

/* The next corner of pulses after a time, or knot of noise. */
static double
next_corner (const IfbamWaveform *wave, double time)
{
  const gboolean has_two_corners =
      wave->shape == IFBAM_WAVE_RAMP || wave->shape == IFBAM_WAVE_HALF_SINE;
  double next = INFINITY;

  if (wave->shape == IFBAM_WAVE_NOISE)
    return next_knot (wave, time);
  if (is_smooth (wave))
    return wave->shape == IFBAM_WAVE_CHIRP && time < wave->at                ? wave->at
           : wave->shape == IFBAM_WAVE_CHIRP && time < wave->at + wave->over ? wave->at + wave->over
                                                                             : INFINITY;
  for (int turn = 0; turn < 20; turn++)
    for (int corner = 0; corner < IFBAM_WAVE_CORNERS; corner++)
      {
        const double at =
            wave->shape == IFBAM_WAVE_STEP || (has_two_corners && corner == 0) ? wave->at
            : has_two_corners ? wave->at + wave->over
                              : ifbam_waveform_corner (wave, corner) + turn * wave->period;

        if (at > time)
          next = fmin (next, at);
      }
  return next;
}

/* A wave's integral from one time to another, twice if so: Gauss points between its corners, 200 pieces a second. */
static double
quadrature (const IfbamWaveform *wave, double from, double to, gboolean twice)
{
  static const double place[] = { -0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                  0.9061798459386640 };
  static const double weight[] = { 0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                   0.4786286704993665, 0.2369268850561891 };
  double sum = 0;

  for (double a = from, b; a < to; a = b)
    {
      b = fmin (fmin (to, next_corner (wave, a)), a + 0.005);
      for (guint k = 0; k < G_N_ELEMENTS (place); k++)
        {
          const double time = 0.5 * (a + b) + 0.5 * (b - a) * place[k];

          sum += 0.5 * (b - a) * weight[k] * wave_value (wave, time) * (twice ? to - time : 1);
        }
    }
  return sum;
}

/* The integral in closed form is that of the values. */
static void
test_area (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
    for (double time = 0.01; time < 0.6; time += 0.0371)
      if (waves[i].wave.shape == IFBAM_WAVE_SINE)
        assert_near (ifbam_waveform_sine_area (3.7, 0.4 / IFBAM_TWO_PI, time,
                                               ifbam_sine (0.4 / IFBAM_TWO_PI)),
                     quadrature (&waves[i].wave, 0, time, FALSE), 1e-13, waves[i].keys);
      else
        assert_near (ifbam_waveform_area (&waves[i].wave, time),
                     quadrature (&waves[i].wave, 0, time, FALSE), 1e-13, waves[i].keys);
}

/* Sweeps up and down, from and to standstill, hardly at all, and not at all. */
static const IfbamWaveform chirps[] = {
  { .shape = IFBAM_WAVE_CHIRP, .from = 9, .to = 1.5, .over = 0.31, .at = 0.0537, .phase = 0.7 },
  { .shape = IFBAM_WAVE_CHIRP, .from = 0, .to = 15, .over = 0.5, .at = 0, .phase = -2 },
  { .shape = IFBAM_WAVE_CHIRP, .from = 12, .to = 0, .over = 0.4, .at = 0.02, .phase = 1 },
  { .shape = IFBAM_WAVE_CHIRP, .from = 7, .to = 7.000001, .over = 0.5, .at = -0.3, .phase = 1 },
  { .shape = IFBAM_WAVE_CHIRP, .from = 1e-4, .to = 2e-4, .over = 0.5, .at = 0.1, .phase = 0.2 },
  { .shape = IFBAM_WAVE_CHIRP, .from = 3, .to = 3, .over = 0.2, .at = 0.1, .phase = 0.2 },
};

static void
test_chirps (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (chirps); i++)
    for (double time = 0.01; time < 0.8; time += 0.0171)
      assert_near (ifbam_waveform_area (&chirps[i], time), quadrature (&chirps[i], 0, time, FALSE),
                   1e-14, "chirp");
}

/* A voltage's flux is its integral, and the current of an inductor to earth is the flux by L. */
static void
test_voltage_of_a_chirp (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 4 ms\nduration = 0.6 s\nrecord = l.current, in.voltage\n"
         "[voltage-source in]\nvoltage = 0.3 V\namplitude = 5 V\nwave = chirp\nfrom = 9 Hz\n"
         "to = 1.5 Hz\nover = 0.31 s\nat = 0.0537 s\nphase = 0.7 rad\n[capacitor c]\n"
         "capacitance = 1e9 F\n[inductor l]\ninductance = 2 H\nbetween = in, c\n");
  gsize n;
  const double *t = ifbam_course_get_times (run->course, &n);
  const double *i = event_run_values (run, "l.current", &n);

  (void) state;
  for (gsize r = 0; r < n; r++)
    assert_number (i[r], (0.3 * t[r] + 5 * quadrature (&chirps[0], 0, t[r], FALSE)) / 2, 1e-9);
}

/* Stated rates, and their derivatives, equal finite differences. */
static void
test_slopes (void **state)
{
  const double h = 1e-5;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
    for (double time = 0.011; time < 0.6; time += 0.0371)
      {
        double w[3], rate[3], second[3];

        if (next_corner (&waves[i].wave, time - 2 * h) < time + 2 * h)
          continue;
        for (int k = 0; k < 3; k++)
          ifbam_waveform_at (&waves[i].wave, time + (k - 1) * h, &w[k], &rate[k], &second[k]);
        assert_near (rate[1], (w[2] - w[0]) / (2 * h), 1e-4 * (1 + fabs (rate[1])), waves[i].keys);
        assert_near (second[1], (rate[2] - rate[0]) / (2 * h), 1e-3 * (1 + fabs (second[1])),
                     waves[i].keys);
      }
}

/* A force that is constant or linear between its corners moves a mass as it must, to rounding, as its steps end at them;
 * of the smooth ones the fourth order is left. */
static void
test_free_mass (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
    for (guint objects = 0; objects < 2; objects++)
      {
        g_autoptr (EventRun) run =
            event_run (objects ? EVENT_RUN_OBJECTS : 0,
                       "[network]\nscheme = rk4\nstep = 4 ms\nduration = 0.6 s\n"
                       "record = m.position, m.velocity, network.*\n[mass m]\nmass = 2 kg\n"
                       "[force f]\non = m\nvalue = -1 N\namplitude = 5 N\n%s",
                       waves[i].keys);
        const gboolean is_exact =
            !is_smooth (&waves[i].wave) && waves[i].wave.shape != IFBAM_WAVE_HALF_SINE;
        const double tolerance = is_exact ? 1e-14 : 1e-7;
        gsize n;
        const double *time = ifbam_course_get_times (run->course, &n);
        const double *position = event_run_values (run, "m.position", NULL);
        const double *velocity = event_run_values (run, "m.velocity", NULL);

        for (gsize r = 0; r < n; r += 7)
          {
            const double t = time[r];

            assert_near (velocity[r], (-t + 5 * quadrature (&waves[i].wave, 0, t, FALSE)) / 2,
                         tolerance, waves[i].keys);
            assert_near (position[r],
                         (-t * t / 2 + 5 * quadrature (&waves[i].wave, 0, t, TRUE)) / 2, tolerance,
                         waves[i].keys);
          }
        if (is_exact)
          assert_number (event_run_ledger_gap (run), 0, 1e-13);
      }
}

static const char *const schemes[] = { "averaged", "original",         "rk4",
                                       "verlet",   "symplectic-euler", "euler" };

/* Objects, tiles and the event engine have the same bits, in a chain that sleeps between corners. */
static void
test_same_bits (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 0.1 ms\nduration = 0.2 s\nsample = 5 ms\n"
            "record = c.m1.position, c.m20.*, c.m60.velocity\n"
            "[chain c]\ncount = 60\nmass = 0.1 kg\nstiffness = 400 N/m\n"
            "[force f]\non = c.m20\namplitude = 5 N\n%s"
            "[force g]\non = c.m40\namplitude = 2 N\nstart = 21.7 ms\nend = 0.13 s\n%s",
            schemes[s], waves[i].keys, waves[(i + 3) % G_N_ELEMENTS (waves)].keys);

        event_run_assert_same_bits (text);
      }
}

/* A capacitor behind a resistor follows pulses of the mains by pieces of an exponential; links that hear a given node hear its
 * jumps at once. */
static void
test_given_pulses (void **state)
{
  const double period = 7.3e-3, duty = 0.37, tau = 10e-3, at = 1.7e-3;
  double errors[2];

  (void) state;
  for (guint fine = 0; fine < 2; fine++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = %s\nduration = 60 ms\nsample = 4 ms\n"
          "record = c.voltage, mains.voltage, network.*\n"
          "[voltage-source mains]\nwave = pwm\namplitude = 10 V\nat = 1.7 ms\nperiod = 7.3 ms\n"
          "duty = 0.37\n[resistor r]\nresistance = 1 kohm\nbetween = mains, c\n"
          "[capacitor c]\ncapacitance = 10 uF\n",
          fine ? "1 ms" : "2 ms");
      gsize n;
      const double *time = ifbam_course_get_times (run->course, &n);
      const double *voltage = event_run_values (run, "c.voltage", NULL);

      errors[fine] = 0;
      for (gsize r = 0; r < n; r++)
        {
          double v = 0, t = 0;

          for (int edge = 0; t < time[r]; edge++)
            {
              const double next =
                  fmin (time[r], at + edge / 2 * period + (edge % 2 == 0 ? 0 : duty * period));
              const double u = edge % 2 == 0 ? 0 : 10;

              v = u + (v - u) * exp (-(next - t) / tau);
              t = next;
            }
          errors[fine] = fmax (errors[fine], fabs (v - voltage[r]));
        }
    }
  assert_number (errors[0], 0, 5e-5);
  assert_number (errors[1], 0, errors[0] / 12);
}

/* A drive that is run up moves a mass on a spring by v t - v/omega sin omega t. */
static void
test_given_ramp (void **state)
{
  const double omega = 20, v = 0.5;
  double x;
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 1 ms\nduration = 0.3 s\nrecord = m.position, network.*\n"
         "[drive d]\nwave = ramp\namplitude = 0.5 m\nover = 1 s\nat = 12.34 ms\n"
         "[spring k]\nstiffness = 400 N/m\nbetween = d, m\n[mass m]\nmass = 1 kg\n");

  (void) state;
  x = v * (0.3 - 0.01234) - v / omega * sin (omega * (0.3 - 0.01234));
  assert_number (event_run_last (run, "m.position"), x, 1e-8);
}

/* A node at a closed switch jumps with the source. */
static void
test_held_jump (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 1 ms\nduration = 20 ms\nrecord = c.voltage, network.*\n"
         "[voltage-source mains]\nwave = step\namplitude = 10 V\nat = 3.3 ms\n"
         "[switch s]\nstate = closed\nbetween = mains, c\n[capacitor c]\ncapacitance = 10 uF\n");
  gsize n;
  const double *voltage = event_run_values (run, "c.voltage", &n);

  (void) state;
  assert_number (voltage[3], 0, 1e-12);
  assert_number (voltage[4], 10, 1e-12);
  assert_number (voltage[20], 10, 1e-12);
  assert_number (event_run_last (run, "network.energy"), 0.5e-3, 1e-12);
}

/* Objects, tiles and the event engine have the same bits where a given node jumps. */
static void
test_same_bits_given (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 0.1 ms\nduration = 0.15 s\nsample = 5 ms\n"
            "record = c.m1.position, c.m20.*, c.m60.velocity, b.position\n"
            "[chain c]\ncount = 60\nmass = 0.1 kg\nstiffness = 400 N/m\ndamping = 0.1 N s/m\n"
            "from = d\n[drive d]\namplitude = 3 mm\n%s[spring k]\nstiffness = 30 N/m\nbetween = d, "
            "b\n"
            "[mass b]\nmass = 1 kg\n[force g]\non = b\nvalue = 1 N\nend = 21.7 ms\n",
            schemes[s], waves[i].keys);

        if (waves[i].wave.shape == IFBAM_WAVE_STEP
            || ((waves[i].wave.shape == IFBAM_WAVE_PULSE || waves[i].wave.shape == IFBAM_WAVE_PWM)
                && waves[i].wave.rise == 0))
          continue;
        event_run_assert_same_bits (text);
      }
}

/* Masses, inertias, capacitors and pipes under the same waves go the same way, to the last bit. */
static void
test_each_domain (void **state)
{
  static const struct
  {
    const char *node, *inertia, *source, *place, *rate;
  } domains[] = {
    { "mass", "mass", "force", "position", "velocity" },
    { "inertia", "inertia", "torque", "angle", "speed" },
    { "capacitor", "capacitance", "current-source", "flux", "voltage" },
    { "pipe", "inertance", "pressure-source", "volume", "flow" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
    {
      g_autoptr (GBytes) places = NULL, rates = NULL;

      for (guint d = 0; d < G_N_ELEMENTS (domains); d++)
        {
          g_autofree char *text = g_strdup_printf (
              "[network]\nscheme = %s\nstep = 0.5 ms\nduration = 0.3 s\nrecord = n.%s, n.%s\n"
              "[%s n]\n%s = 2\n[%s f]\non = n\nvalue = 0.5\namplitude = 5\n%s",
              schemes[i % G_N_ELEMENTS (schemes)], domains[d].place, domains[d].rate,
              domains[d].node, domains[d].inertia, domains[d].source, waves[i].keys);
          g_autofree char *place = g_strdup_printf ("n.%s", domains[d].place);
          g_autofree char *rate = g_strdup_printf ("n.%s", domains[d].rate);
          g_autoptr (IfbamCourse) course = text_course (text);
          g_autoptr (GBytes) own_places = ifbam_course_get_bytes (course, place, NULL);
          g_autoptr (GBytes) own_rates = ifbam_course_get_bytes (course, rate, NULL);

          assert_non_null (own_places);
          assert_non_null (own_rates);
          assert_true (course_last (course, place) != 0);
          if (d == 0)
            {
              places = g_steal_pointer (&own_places);
              rates = g_steal_pointer (&own_rates);
            }
          else if (!g_bytes_equal (own_places, places) || !g_bytes_equal (own_rates, rates))
            fail_msg ("a %s is not where a mass is: %s", domains[d].node, text);
        }
    }
}

/* The nodes of an actuator move apart by its wave, from rest to within rounding, also if it begins within a step; their
 * middle does not move, in translation and rotation. */
static void
test_actuators (void **state)
{
  static const char *const forms[][3] = {
    { "mass", "actuator", "position" },
    { "inertia", "torsion-actuator", "angle" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
    for (guint form = 0; form < G_N_ELEMENTS (forms); form++)
      {
        const char *inertia = forms[form][0];
        const IfbamWaveform *wave = &waves[i].wave;
        g_autofree char *text = NULL;
        g_autoptr (IfbamCourse) course = NULL;
        const double *left, *right, *time;
        g_autofree char *a = g_strdup_printf ("a.%s", forms[form][2]);
        g_autofree char *b = g_strdup_printf ("b.%s", forms[form][2]);
        gsize n;

        if (!is_smooth (wave) && wave->shape != IFBAM_WAVE_RAMP && wave->rise == 0)
          continue;
        text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.3 s\nrecord = %s, %s\n"
            "[%s a]\n%s = 2\n[%s b]\n%s = 3\n[%s f]\nbetween = a, b\namplitude = 0.1\n%s",
            schemes[(i + form) % G_N_ELEMENTS (schemes)], a, b, inertia, inertia, inertia, inertia,
            forms[form][1], waves[i].keys);
        course = text_course (text);
        time = ifbam_course_get_times (course, &n);
        left = ifbam_course_get_values (course, a, NULL, NULL);
        right = ifbam_course_get_values (course, b, NULL, NULL);
        assert_int_equal (n, 301);
        for (gsize r = 0; r < n; r++)
          {
            const double apart = 0.1 * (wave_value (wave, time[r]) - wave_value (wave, 0));

            assert_near (right[r] - left[r], apart, 1e-12, text);
            assert_near (2 * left[r] + 3 * right[r], 0, 1e-12, text);
          }
      }
}

/* A run that goes on for long meets as many corners as it must, and forgets those that have passed. */
static void
test_many_corners (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 10 ms\nduration = 60 s\nsample = 1 s\n"
                    "record = m.position, m.velocity\n[mass m]\nmass = 1 kg\n"
                    "[force f]\non = m\namplitude = 1 N\nwave = pwm\nperiod = 3 ms\nduty = 0.3\n"
                    "[force back]\non = m\nvalue = -0.3 N\n");

  (void) state;
  /* After whole periods it is at rest; each period has moved it forward by A T^2 duty (1 - duty) / 2. */
  assert_number (event_run_last (run, "m.velocity"), 0, 1e-9);
  assert_number (event_run_last (run, "m.position"), 20000 * 9e-6 * 0.3 * 0.7 / 2, 1e-9);
}

#define SEEDS 100

/* Of noise from 5 to 15 Hz for 100 s: the power density at 4.8, 5.5, 10, 14.5 and 15.2 Hz is 0 outside the band, and 1/(10 Hz)
 * inside; the mean square is 1, the mean fourth power 3, as of a normal distribution, and seeds have nothing in common. Each
 * mean over seeds may be off by three times its standard error. */
static void
test_noise (void **state)
{
  static const double frequencies[] = { 4.8, 5.5, 10, 14.5, 15.2 };
  const int n = 5000;
  const double length = 100, error = 3 / sqrt (SEEDS), degrees = 2 * 10 * length;
  double square = 0, fourth = 0, product = 0, density[G_N_ELEMENTS (frequencies)] = { 0 };

  (void) state;
  for (int seed = 0; seed < SEEDS; seed++)
    {
      const IfbamWaveform wave = { .shape = IFBAM_WAVE_NOISE, .from = 5, .to = 15, .seed = seed };
      double sum[G_N_ELEMENTS (frequencies)][2] = { { 0 } };
      static double before[5000];

      for (int i = 0; i < n; i++)
        {
          const double time = (i + 0.5) * length / n, w = wave_value (&wave, time);
          const double hann = 1 - cos (IFBAM_TWO_PI * time / length);

          square += w * w / n / SEEDS;
          fourth += w * w * w * w / n / SEEDS;
          product += seed == 0 ? 0 : w * before[i] / n / SEEDS;
          before[i] = w;
          for (guint f = 0; f < G_N_ELEMENTS (frequencies); f++)
            for (int k = 0; k < 2; k++)
              sum[f][k] += hann * w * ifbam_sine (frequencies[f] * time + 0.25 * k) * length / n;
        }
      /* A Hann window of this height has a mean square of 3/2. */
      for (guint f = 0; f < G_N_ELEMENTS (frequencies); f++)
        density[f] += 2 / (1.5 * length) * (sum[f][0] * sum[f][0] + sum[f][1] * sum[f][1]) / SEEDS;
    }
  assert_number (square, 1, error * sqrt (2 / degrees));
  assert_number (fourth, 3, error * sqrt (96 / degrees));
  assert_number (product, 0, error * sqrt (1 / degrees));
  for (guint f = 1; f < 4; f++)
    assert_number (10 * density[f], 1, error);
  assert_number (10 * (density[0] + density[4]), 0, 1e-4);
}

/* Noise depends on the seed and the time alone, not on the times before, and does not repeat. */
static void
test_noise_by_time_alone (void **state)
{
  const IfbamWaveform wave = { .shape = IFBAM_WAVE_NOISE, .to = 2000, .seed = 7 };
  const IfbamWaveform next = { .shape = IFBAM_WAVE_NOISE, .to = 2000, .seed = 8 };
  double forward[1000];

  (void) state;
  for (int i = 0; i < 1000; i++)
    forward[i] = wave_value (&wave, 0.37 * (i - 300));
  for (int i = 999; i >= 0; i--)
    {
      const double time = 0.37 * (i - 300);

      assert_true (wave_value (&wave, time) == forward[i]
                   && wave_value (&next, time) != forward[i]);
      assert_true (i == 0 || forward[i] != forward[i - 1]);
    }
  assert_true (isfinite (wave_value (&wave, 1e300)));
}

/* An oscillator x'' + 2 zeta omega x' + omega^2 x = w under noise, and the stationary mean square of x. */
typedef struct
{
  double zeta, omega, x, v, square;
} Oscillator;

/* The motion without a force for so long. */
static void
swing (const Oscillator *self, double time, double *x, double *v)
{
  const double decay = self->zeta * self->omega,
               omega = sqrt (1 - self->zeta * self->zeta) * self->omega;
  const double cosine = exp (-decay * time) * cos (omega * time);
  const double sine = exp (-decay * time) * sin (omega * time) / omega;
  const double x0 = *x, v0 = *v;

  *x = x0 * (cosine + decay * sine) + v0 * sine;
  *v = v0 * (cosine - decay * sine) - x0 * self->omega * self->omega * sine;
}

/* A step under forces at its start, middle and end: the free motion is exact, the force's integral Simpson's. */
static void
push (Oscillator *self, double step, const double *force)
{
  double x = self->x, v = self->v + step / 6 * force[0], middle = 0, rate = step * 2 / 3 * force[1];

  swing (self, step, &x, &v);
  swing (self, 0.5 * step, &middle, &rate);
  self->x = x + middle;
  self->v = v + rate + step / 6 * force[2];
}

/* The mean of x^2 over all times, and the variance of the mean over a duration, by the density in the band: the integrals of
 * |H|^2/band, and of its square over the duration. */
static void
expect (const Oscillator *self, const IfbamWaveform *wave, double duration, double *mean,
        double *variance)
{
  const int n = 100000;
  const double band = wave->to - wave->from;

  *mean = *variance = 0;
  for (int i = 0; i < n; i++)
    {
      const double omega = IFBAM_TWO_PI * (wave->from + (i + 0.5) * band / n);
      const double stiff = self->omega * self->omega - omega * omega,
                   damped = 2 * self->zeta * self->omega * omega;
      const double density = 1 / (stiff * stiff + damped * damped) / band;

      *mean += density * band / n;
      *variance += density * density * band / n / duration;
    }
}

/* Noise shakes oscillators with damping ratios of 1, 2 and 5 % as theory says, whatever the seed: the mean of their root mean
 * squares over 100 seeds is right within three standard errors (and the density's 2 %), and so is their scatter. */
static void
test_noise_on_oscillators (void **state)
{
  const double step = 0.01, settling = 8, duration = 50;

  (void) state;
  for (guint band = 0; band < 2; band++)
    {
      const IfbamWaveform lowest = { .shape = IFBAM_WAVE_NOISE, .to = 20 };
      const IfbamWaveform both = { .shape = IFBAM_WAVE_NOISE, .from = 5, .to = 15 };
      IfbamWaveform wave = band == 0 ? lowest : both;
      double sum[3] = { 0 }, squares[3] = { 0 };

      for (int seed = 0; seed < SEEDS; seed++)
        {
          Oscillator all[] = { { 0.01, IFBAM_TWO_PI * 10, 0, 0, 0 },
                               { 0.02, IFBAM_TWO_PI * 10, 0, 0, 0 },
                               { 0.05, IFBAM_TWO_PI * 10, 0, 0, 0 } };
          double force[3];

          wave.seed = seed;
          force[2] = wave_value (&wave, 0);
          for (int i = 0; i < (int) ((settling + duration) / step); i++)
            {
              force[0] = force[2];
              force[1] = wave_value (&wave, (i + 0.5) * step);
              force[2] = wave_value (&wave, (i + 1) * step);
              for (guint k = 0; k < 3; k++)
                {
                  push (&all[k], step, force);
                  all[k].square += i * step >= settling ? all[k].x * all[k].x * step / duration : 0;
                }
            }
          for (guint k = 0; k < 3; k++)
            {
              double mean, variance, ratio;

              expect (&all[k], &wave, duration, &mean, &variance);
              ratio = sqrt (all[k].square / mean);
              sum[k] += ratio / SEEDS;
              squares[k] += ratio * ratio / SEEDS;
            }
        }
      for (guint k = 0; k < 3; k++)
        {
          const Oscillator one = { k == 0   ? 0.01
                                   : k == 1 ? 0.02
                                            : 0.05,
                                   IFBAM_TWO_PI * 10, 0, 0, 0 };
          double mean, variance, scatter;

          expect (&one, &wave, duration, &mean, &variance);
          scatter = 0.5 * sqrt (variance) / mean;
          assert_number (sum[k], 1, 0.02 + 3 * scatter / sqrt (SEEDS));
          assert_number (sqrt (squares[k] - sum[k] * sum[k]) / scatter, 1, 3 / sqrt (2 * SEEDS));
        }
    }
}

/* A duty of nothing is never high, and one of all always. */
static void
test_duty (void **state)
{
  IfbamWaveform wave = { .shape = IFBAM_WAVE_PWM, .period = 0.1, .at = 0.25 };

  (void) state;
  for (double time = 0; time < 3; time += 0.0013)
    {
      wave.duty = 0;
      assert_true (wave_value (&wave, time) == 0);
      wave.duty = 1;
      assert_true (wave_value (&wave, time) == (time < 0.25 ? 0 : 1));
    }
}

/* Three powers that all but cancel are added without rounding: 2^60 + 1 - 2^60 W. */
static void
test_powers_that_cancel (void **state)
{
  g_autoptr (IfbamCourse) course =
      text_course ("[network]\nscheme = rk4\nstep = 1 ms\nduration = 0.1 s\nrecord = "
                   "network.supplied, m.velocity\n"
                   "[mass m]\nmass = 1\nvelocity = 1\n"
                   "[force a]\nvalue = 1152921504606846976\non = m\n[force b]\nvalue = 1\non = m\n"
                   "[force c]\nvalue = -1152921504606846976\non = m\n");

  (void) state;
  assert_near (course_last (course, "m.velocity"), 1, 0, "velocity");
  assert_near (course_last (course, "network.supplied"), 0.1, 1e-14, "supplied");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_chirps),
    cmocka_unit_test (test_voltage_of_a_chirp),
    cmocka_unit_test (test_area),
    cmocka_unit_test (test_slopes),
    cmocka_unit_test (test_free_mass),
    cmocka_unit_test (test_same_bits),
    cmocka_unit_test (test_each_domain),
    cmocka_unit_test (test_actuators),
    cmocka_unit_test (test_many_corners),
    cmocka_unit_test (test_noise),
    cmocka_unit_test (test_noise_by_time_alone),
    cmocka_unit_test (test_noise_on_oscillators),
    cmocka_unit_test (test_duty),
    cmocka_unit_test (test_given_pulses),
    cmocka_unit_test (test_given_ramp),
    cmocka_unit_test (test_held_jump),
    cmocka_unit_test (test_powers_that_cancel),
    cmocka_unit_test (test_same_bits_given),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

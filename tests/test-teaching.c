/* test-teaching.c: the results in networks/teaching/ against closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "engine/engine.h"

#define FOLDER "networks/teaching/"

static IfbamNetwork *
load (const char *name, const char *const *settings)
{
  g_autofree char *path = g_strconcat (FOLDER, name, NULL);

  return open_network (path, settings);
}

#define LOAD(name, ...) load (name, (const char *const[]){ __VA_ARGS__ __VA_OPT__ (, ) NULL })

/* Takes the network. */
static IfbamCourse *
run (IfbamNetwork *network)
{
  IfbamCourse *course = network_course (network, IFBAM_ENGINE_PLAN);

  g_object_unref (network);
  return course;
}

static const double *
values_of (IfbamCourse *course, const char *signal, const double **times, gsize *n)
{
  const double *values = ifbam_course_get_values (course, signal, n, NULL);

  *times = ifbam_course_get_times (course, n);
  assert_non_null (values);
  return values;
}

/* The strongest line of a signal. */
static IfbamLine
strongest_line (IfbamCourse *course, const char *signal)
{
  const double *times, *values;
  gsize n, n_peaks, n_lines, strongest = 0;
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  g_autofree IfbamLine *lines = NULL;

  values = values_of (course, signal, &times, &n);
  spectrum = ifbam_spectrum_new (times, values, n, IFBAM_WINDOW_HANN, NULL);
  assert_non_null (spectrum);
  peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
  assert_true (n_peaks > 0);
  lines = ifbam_refine_peaks (times, values, n, peaks, n_peaks, IFBAM_SPECTRUM_THRESHOLD, &n_lines,
                              NULL);
  for (gsize i = 0; i < n_lines; i++)
    if (lines[i].peak > lines[strongest].peak)
      strongest = i;
  assert_false (isnan (lines[strongest].decay_rate));
  return lines[strongest];
}

/* ---- the schemes on one oscillator */

/* The factor per step near exp (ih) of the schemes, from their definitions (h = omega step): roots of
 * the polynomials by Newton's method, or written out. */
static double complex
factor (const char *scheme, double h)
{
  double complex z = cexp (I * h);

  if (g_str_equal (scheme, "euler"))
    return 1 + I * h;
  if (g_str_equal (scheme, "dopri5"))
    return 1 + I * h - h * h / 2 - I * h * h * h / 6 + h * h * h * h / 24 + I * pow (h, 5) / 120
           - pow (h, 6) / 600;
  if (g_str_equal (scheme, "rk4"))
    return 1 + I * h - h * h / 2 - I * h * h * h / 6 + h * h * h * h / 24;
  if (g_str_equal (scheme, "implicit"))
    return (1 + I * h / 2) / (1 - I * h / 2);
  if (g_str_equal (scheme, "implicit-euler"))
    return 1 / (1 - I * h);
  if (g_str_equal (scheme, "tr-bdf2"))
    return (1 + (G_SQRT2 - 1) * I * h) / cpow (1 - (1 - G_SQRT2 / 2) * I * h, 2);
  if (g_str_equal (scheme, "esdirk4"))
    return (1 - I * h / 4 + h * h / 8 - I * h * h * h / 96 + 7 * h * h * h * h / 768)
           / cpow (1 - I * h / 4, 5);
  if (g_str_equal (scheme, "verlet") || g_str_equal (scheme, "symplectic-euler"))
    return cexp (2 * I * asin (h / 2));
  for (int i = 0; i < 50; i++)
    {
      gboolean original = g_str_equal (scheme, "original");
      double complex value = (z - 1) * (z - 1) * (z + 1) + h * h * (original ? 2 * z : 3 * z - 1);
      double complex slope = 2 * (z - 1) * (z + 1) + (z - 1) * (z - 1) + h * h * (original ? 2 : 3);

      z -= value / slope;
    }
  return z;
}

static void
test_schemes (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *scheme = g_strconcat ("network.scheme=", schemes[i]->name, NULL);
      g_autoptr (IfbamCourse) course = run (LOAD ("oscillator.ini", scheme));
      IfbamLine line = strongest_line (course, "m1.position");
      double complex z = factor (schemes[i]->name, 100 * 1e-3);

      assert_near (line.frequency, carg (z) / (2 * G_PI * 1e-3), 1e-5, schemes[i]->name);
      assert_near (-line.decay_rate, log (cabs (z)) / 1e-3, 1e-4, schemes[i]->name);
    }
}

/* ---- a stiff spring in a soft chain: verlet's critical step is 2/omega of the fastest mode */

static void
test_stiff_spring (void **state)
{
  g_autoptr (IfbamNetwork) network = LOAD ("stiff-spring.ini");
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) stable = NULL, unstable = NULL;
  g_autoptr (IfbamNetwork) beyond = NULL;
  gsize n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n);
  double critical = 2 / (2 * G_PI * mode[n - 1].frequency);
  g_autofree char *below = g_strdup_printf ("network.step=%.12g", 0.999 * critical);
  g_autofree char *above = g_strdup_printf ("network.step=%.12g", 1.001 * critical);

  (void) state;
  assert_int_equal (n, 6);
  /* two masses of 1 kg on 1 MN/m, and half of a soft spring more at each */
  assert_near (mode[n - 1].frequency, sqrt (2e6 + 1e3) / (2 * G_PI), 1e-4, "fastest mode");
  assert_true (mode[n - 2].frequency < 9.1);
  stable = run (LOAD ("stiff-spring.ini", below));
  beyond = LOAD ("stiff-spring.ini", above);
  unstable = ifbam_network_run (beyond, IFBAM_ENGINE_PLAN, &error);
  assert_null (unstable);
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
}

/* ---- two pendula: f1 = sqrt (g/l)/2 pi, f2 with twice the joint's stiffness; they beat with f2 - f1 */

static void
test_pendula (void **state)
{
  const double first = sqrt (9.80665) / (2 * G_PI), second = sqrt (9.80665 + 0.8) / (2 * G_PI);
  g_autoptr (IfbamCourse) course = run (LOAD ("pendula.ini", "network.step=0.1 ms"));
  const double *times, *left, *right;
  gsize n, n_peaks;
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  g_autofree IfbamLine *lines = NULL;
  double largest_left = 0, largest_right = 0;

  (void) state;
  left = values_of (course, "left.angle", &times, &n);
  right = values_of (course, "right.angle", &times, &n);
  spectrum = ifbam_spectrum_new (times, left, n, IFBAM_WINDOW_HANN, NULL);
  peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
  assert_int_equal (n_peaks, 2);
  lines = ifbam_refine_peaks (times, left, n, peaks, 2, 1e-3, &n_peaks, NULL);
  assert_int_equal (n_peaks, 2);
  assert_near (lines[0].frequency, first, 1e-7, "both together");
  assert_near (lines[1].frequency, second, 1e-7, "against each other");
  assert_near (1 / (lines[1].frequency - lines[0].frequency), 1 / (second - first), 1e-4,
               "beat period");
  /* after half of it, the right one has it all */
  for (gsize i = 0; i < n; i++)
    if (fabs (times[i] - 0.5 / (second - first)) < 1)
      {
        largest_left = fmax (largest_left, fabs (left[i]));
        largest_right = fmax (largest_right, fabs (right[i]));
      }
  assert_true (largest_right > 0.995 * 5 * G_PI / 180);
  assert_true (largest_left < 0.07 * 5 * G_PI / 180);
}

/* ---- aliasing: seen each 20 ms, 48 Hz are 50 - 48 Hz, and the mass answers to these */

static void
test_aliasing (void **state)
{
  const double step = 20e-3, h2 = 166 * step * step, d = 0.5 * step;
  const double complex z = cexp (2 * I * G_PI * 2 * step);
  /* verlet: z (z-1)^2 + h^2 z^2 + d (z-1) (3z-1)/2 of the mass is h^2 z^2 of the floor */
  const double complex response =
      h2 * z * z / (z * (z - 1) * (z - 1) + h2 * z * z + 0.5 * d * (z - 1) * (3 * z - 1));
  g_autoptr (IfbamCourse) shortly = run (LOAD ("aliasing.ini", "network.duration=60 s"));
  g_autoptr (IfbamCourse) seldom =
      run (LOAD ("aliasing.ini", "network.step=20 ms", "network.duration=60 s"));
  IfbamLine line;

  (void) state;
  line = strongest_line (shortly, "floor.position");
  assert_near (line.frequency, 48, 1e-9, "the floor at 1 ms");
  line = strongest_line (shortly, "m1.position");
  assert_near (line.amplitude, 1e-3 * 166 / (pow (2 * G_PI * 48, 2) - 166), 1e-7,
               "the mass at 1 ms");
  line = strongest_line (seldom, "floor.position");
  assert_near (line.frequency, 2, 1e-9, "the floor at 20 ms");
  line = strongest_line (seldom, "m1.position");
  assert_near (line.frequency, 2, 1e-6, "the mass at 20 ms");
  assert_near (line.amplitude, 1e-3 * cabs (response), 1e-6, "its amplitude");
  assert_true (line.amplitude > 15e-3);
}

/* ---- Duffing: x'' + w^2 x + e w^2 x^3 = 0 swings from A with the period 4 K(m)/(w sqrt (1 + e A^2)),
 * m = e A^2/(2 + 2 e A^2); K by the arithmetic-geometric mean (Abramowitz & Stegun 1964, 17.6.3) */

static double
duffing_frequency (double amplitude)
{
  const double e = 1e6 / 100 * amplitude * amplitude, m = e / (2 + 2 * e);
  double a = 1, b = sqrt (1 - m);

  for (int i = 0; i < 10; i++)
    {
      double mean = 0.5 * (a + b);

      b = sqrt (a * b);
      a = mean;
    }
  return 10 * sqrt (1 + e) / (4 * G_PI / (2 * a));
}

static void
test_duffing (void **state)
{
  static const double amplitudes[] = { 1, 5, 10, 20, 40 }; /* [mm] */

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (amplitudes); i++)
    {
      g_autofree char *start = g_strdup_printf ("m1.position=%g mm", amplitudes[i]);
      g_autoptr (IfbamCourse) course = run (LOAD ("duffing.ini", "d1.damping=0", start,
                                                  "network.step=0.2 ms", "network.sample=5 ms"));

      assert_near (strongest_line (course, "m1.position").frequency,
                   duffing_frequency (1e-3 * amplitudes[i]), 1e-6, start);
    }
}

/* Where it is damped, the frequency slides along the same curve: the amplitude is the farthest within
 * half a second, at its middle. */
static void
test_duffing_slides (void **state)
{
  g_autoptr (IfbamCourse) course = run (LOAD ("duffing.ini", "network.sample=5 ms"));
  const double *times, *values, *middles;
  gsize n, n_times;
  g_autoptr (IfbamSpectrogram) spectrogram = NULL;
  const IfbamPeak *ridge;

  (void) state;
  values = values_of (course, "m1.position", &times, &n);
  spectrogram = ifbam_spectrogram_new (times, values, n, IFBAM_WINDOW_HANN, 600, 0.5, NULL);
  middles = ifbam_spectrogram_get_times (spectrogram, NULL);
  ridge = ifbam_spectrogram_get_ridge (spectrogram, &n_times);
  assert_true (n_times > 35);
  assert_true (ridge[0].frequency > 5 && ridge[n_times - 1].frequency < 2.2);
  for (gsize i = 0; i < n_times; i++)
    {
      double amplitude = 0;

      for (gsize k = 0; k < n; k++)
        if (fabs (times[k] - middles[i]) < 0.25)
          amplitude = fmax (amplitude, fabs (values[k]));
      assert_near (ridge[i].frequency, duffing_frequency (amplitude), 0.03 * ridge[i].frequency,
                   "frequency of the ridge");
    }
}

/* ---- a chain: standing waves of j half waves, f = sqrt (k/m)/pi sin (j pi/24) */

static void
test_row (void **state)
{
  g_autoptr (IfbamNetwork) network = LOAD ("row.ini");
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, NULL);
  gsize n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 11);
  for (int j = 1; j <= 11; j++)
    {
      double wanted = 50 / G_PI * sin (j * G_PI / 24);

      assert_near (mode[j - 1].frequency, wanted, 1e-10 * wanted, "mode");
    }
}

/* A mass n places from one that is struck to 1 m/s has the velocity J_2n (2 w t), w = sqrt (k/m)
 * (Schroedinger 1914, Ann. Phys. 349, 916). */
static void
test_struck_chain (void **state)
{
  static const struct
  {
    const char *signal;
    int n;
  } masses[] = { { "c.m651.velocity", 50 },
                 { "c.m701.velocity", 100 },
                 { "c.m751.velocity", 150 } };
  g_autoptr (IfbamCourse) course = run (LOAD ("struck-chain.ini"));

  (void) state;
  for (guint m = 0; m < G_N_ELEMENTS (masses); m++)
    {
      const double *times, *values;
      gsize n;

      values = values_of (course, masses[m].signal, &times, &n);
      for (gsize i = 0; i < n; i++)
        assert_near (values[i], jn (2 * masses[m].n, 100 * times[i]), 1e-4, masses[m].signal);
    }
}

/* A wave that arrives at t has passed n masses with the group velocity w cos (q/2) at f = w/pi sin (q/2), so
 * f = w/pi sqrt (1 - (n/(w t))^2). */
static void
test_dispersion (void **state)
{
  g_autoptr (IfbamCourse) course = run (LOAD ("struck-chain.ini"));
  const double *times, *values, *middles;
  gsize n, n_times, tested = 0;
  g_autoptr (IfbamSpectrogram) spectrogram = NULL;
  const IfbamPeak *ridge;

  (void) state;
  values = values_of (course, "c.m701.velocity", &times, &n);
  spectrogram = ifbam_spectrogram_new (times, values, n, IFBAM_WINDOW_HANN, 50, 0.5, NULL);
  middles = ifbam_spectrogram_get_times (spectrogram, &n_times);
  ridge = ifbam_spectrogram_get_ridge (spectrogram, NULL);
  for (gsize i = 0; i < n_times; i++)
    if (middles[i] > 2.7)
      {
        double slowness = 100 / (50 * middles[i]);

        assert_near (ridge[i].frequency, 50 / G_PI * sqrt (1 - slowness * slowness), 0.1,
                     "frequency of what arrives");
        tested++;
      }
  assert_true (tested > 40);
}

/* ---- a packet meets a heavy mass. Of a wave exp (i(q n - w t)) the amplitude 1/(1 - i mu tan (q/2))
 * goes on, mu = M/m - 1: the equation of the heavy mass with 1 + r = t and the chain's dispersion */

#define HALF 499

typedef struct
{
  double position[2 * HALF + 1], velocity[2 * HALF + 1];
} Chain;

/* All masses at the end. */
static void
run_chain (const char *heavy, Chain *chain)
{
  g_autofree char *parameter = g_strconcat ("heavy=", heavy, NULL);
  g_autoptr (IfbamCourse) course = run (LOAD (
      "heavy-mass.ini", parameter, "network.record=*.position, *.velocity", "network.sample=22 s"));

  for (int i = 0; i < 2 * HALF + 1; i++)
    {
      g_autofree char *name =
          i == HALF ? g_strdup ("bead")
                    : g_strdup_printf ("%c.m%d", i < HALF ? 'a' : 'b', i < HALF ? i + 1 : i - HALF);
      g_autofree char *position = g_strconcat (name, ".position", NULL);
      g_autofree char *velocity = g_strconcat (name, ".velocity", NULL);
      const double *times;
      gsize n;

      chain->position[i] = values_of (course, position, &times, &n)[1];
      chain->velocity[i] = values_of (course, velocity, &times, &n)[1];
      assert_int_equal (n, 2);
    }
}

/* Energy of masses and springs from one mass on to before another. */
static double
energy (const Chain *chain, int from, int to)
{
  double sum = 0;

  for (int i = from; i < to; i++)
    {
      double stretch = chain->position[i + 1] - chain->position[i];

      sum += 0.5 * chain->velocity[i] * chain->velocity[i] + 0.5 * 2500 * stretch * stretch;
    }
  return sum;
}

/* Without a heavy mass the packet runs on: its waves, q by q, give the fraction that passes a heavy one. */
static double
expected_part (const Chain *chain, double mu)
{
  double passed = 0, whole = 0;

  for (double q = 0.3; q < 2; q += 1e-3)
    {
      const double omega = 100 * sin (q / 2);
      double complex amplitude = 0;
      double power;

      for (int n = 0; n < 2 * HALF + 1; n++)
        amplitude += (chain->position[n] + I * chain->velocity[n] / omega) * cexp (-I * q * n);
      power = omega * omega * creal (amplitude * conj (amplitude));
      whole += power;
      passed += power / (1 + mu * mu * tan (q / 2) * tan (q / 2));
    }
  return passed / whole;
}

static void
test_heavy_mass (void **state)
{
  g_autofree Chain *free_chain = g_new (Chain, 1), *chain = g_new (Chain, 1);
  static const double masses[] = { 2, 3, 10 };

  (void) state;
  run_chain ("1 kg", free_chain);
  for (guint i = 0; i < G_N_ELEMENTS (masses); i++)
    {
      g_autofree char *heavy = g_strdup_printf ("%g kg", masses[i]);
      double passed, reflected, part;

      run_chain (heavy, chain);
      passed = energy (chain, HALF + 1, 2 * HALF);
      reflected = energy (chain, 0, HALF);
      part = passed / (passed + reflected);
      assert_near (part, expected_part (free_chain, masses[i] - 1), 2e-4, heavy);
      /* of the packet's middle, q = pi/3 */
      assert_near (part, 1 / (1 + pow (masses[i] - 1, 2) / 3), 0.01, heavy);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_schemes),    cmocka_unit_test (test_stiff_spring),
    cmocka_unit_test (test_pendula),    cmocka_unit_test (test_aliasing),
    cmocka_unit_test (test_duffing),    cmocka_unit_test (test_duffing_slides),
    cmocka_unit_test (test_row),        cmocka_unit_test (test_struck_chain),
    cmocka_unit_test (test_dispersion), cmocka_unit_test (test_heavy_mass),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

/* test-spectrum.c: lines of known frequencies and amplitudes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "lines.h"
#include "base/ifbam-error.h"
#include "spectrum/ifbam-spectrum.h"

#define STEP   50e-6
#define N_ROWS 80001 /* 4 s */

typedef struct
{
  double frequency, amplitude, phase, decay;
} Line;

static IfbamPeak *
find (const Rows *rows, IfbamWindow window, double threshold, gsize *n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSpectrum) spectrum =
      ifbam_spectrum_new (rows->times, rows->values, rows->n, window, &error);

  if (spectrum == NULL)
    fail_msg ("%s", error->message);
  return ifbam_spectrum_find_peaks (spectrum, threshold, TRUE, n);
}

static void
assert_peaks (const Rows *rows, IfbamWindow window, const Line *lines, gsize n_lines,
              double frequency_error, double amplitude_error)
{
  gsize n;
  g_autofree IfbamPeak *peaks = find (rows, window, IFBAM_SPECTRUM_THRESHOLD, &n);

  if (n != n_lines)
    {
      for (gsize i = 0; i < n; i++)
        print_message ("%.6f Hz %.6g\n", peaks[i].frequency, peaks[i].amplitude);
      fail_msg ("window %d: %zu peaks, not %zu", window, n, n_lines);
    }
  for (gsize i = 0; i < n; i++)
    {
      if (fabs (peaks[i].frequency - lines[i].frequency) > frequency_error)
        fail_msg ("window %d: %.9f Hz, not %.9f", window, peaks[i].frequency, lines[i].frequency);
      if (fabs (peaks[i].amplitude / lines[i].amplitude - 1) > amplitude_error)
        fail_msg ("window %d: %.9f Hz: %.6g, not %.6g", window, peaks[i].frequency,
                  peaks[i].amplitude, lines[i].amplitude);
    }
}

/* The eigenfrequencies of the paper's systems (Grabysz 1994, section 5), any phase. */
static const Line two_dof[] = { { 10.89800182, 0.8e-3, 0, 0 }, { 46.48612899, 0.2e-3, 0, 0 } };
static const Line three_dof[] = { { 9.66022983, 1e-3, 0, 0 },
                                  { 24.32541915, 4e-5, 0, 0 },
                                  { 48.52411207, 3e-4, 0, 0 } };

static void
test_paper (void **state)
{
  (void) state;
  for (guint window = 0; window <= IFBAM_WINDOW_BLACKMAN; window++)
    for (int turn = 0; turn < 12; turn++)
      {
        g_auto (Rows) two = make_rows (0, N_ROWS, STEP);
        g_auto (Rows) three = make_rows (0, N_ROWS, STEP);

        for (guint i = 0; i < G_N_ELEMENTS (two_dof); i++)
          add_line (&two, two_dof[i].frequency, two_dof[i].amplitude, 2.1 * turn * (i + 1), 0);
        for (guint i = 0; i < G_N_ELEMENTS (three_dof); i++)
          add_line (&three, three_dof[i].frequency, three_dof[i].amplitude, 0.9 * turn * (i + 1),
                    0);
        assert_peaks (&two, window, two_dof, 2, 0.02, 0.02);
        assert_peaks (&three, window, three_dof, 3, window == IFBAM_WINDOW_NONE ? 0.05 : 0.01,
                      window == IFBAM_WINDOW_NONE ? 0.5 : 0.02);
      }
}

/* One line: the parabola is right to a thousandth of the resolution wherever the line lies. */
static void
test_refinement (void **state)
{
  (void) state;
  for (int i = 0; i <= 40; i++)
    {
      Line line = { 10 + i / 40.0, 3, 0.3 * i, 0 };
      g_auto (Rows) rows = make_rows (0, 2000, 1e-3);

      add_line (&rows, line.frequency, 3, line.phase, 0);
      assert_peaks (&rows, IFBAM_WINDOW_HANN, &line, 1, 1e-3 * 0.5, 1e-3);
      assert_peaks (&rows, IFBAM_WINDOW_BLACKMAN, &line, 1, 1e-3 * 0.5, 1e-3);
    }
}

/* Damped and growing lines, a drift, an accelerated motion: no lobe is taken for a line. (The
 * windows that do not end at zero are not for drifts.) */
static void
test_no_lobes (void **state)
{
  static const int n_drifts[] = { [IFBAM_WINDOW_HANN] = 3,
                                  [IFBAM_WINDOW_NONE] = 1,
                                  [IFBAM_WINDOW_HAMMING] = 1,
                                  [IFBAM_WINDOW_BLACKMAN] = 3 };

  (void) state;
  for (guint window = 0; window <= IFBAM_WINDOW_BLACKMAN; window++)
    for (int i = -12; i <= 60; i++)
      for (int drift = 0; drift < n_drifts[window]; drift++)
        {
          g_auto (Rows) rows = make_rows (0, 4000, 1e-3);
          gsize n;
          g_autofree IfbamPeak *peaks = NULL;
          double amplitude = 1, decay = i * 0.125;

          add_line (&rows, 37.1 + 0.013 * i, amplitude, 0.7 * i, decay);
          for (gsize j = 0; j < rows.n; j++)
            rows.values[j] += drift == 0   ? 5.0
                              : drift == 1 ? 0.3 * rows.times[j]
                                           : 0.1 * rows.times[j] * rows.times[j];
          peaks = find (&rows, window, IFBAM_SPECTRUM_THRESHOLD, &n);
          for (gsize j = 0; j < n; j++)
            if (fabs (peaks[j].frequency - 37.1 - 0.013 * i) > 0.3)
              fail_msg ("window %u, decay %g/s, drift %d: a lobe at %g Hz of %g", window, decay,
                        drift, peaks[j].frequency, peaks[j].amplitude);
          /* a strong damping may hide under a drift */
          if (drift == 0 && decay < 4 && n != 1)
            fail_msg ("window %u, decay %g/s: %zu peaks", window, decay, n);
        }
}

/* Three and more resolutions apart, both are found. */
static void
test_close_pairs (void **state)
{
  const double resolution = 1 / (N_ROWS * STEP);

  (void) state;
  for (int turn = 0; turn < 16; turn++)
    for (int apart = 6; apart <= 20; apart++)
      {
        Line lines[] = { { 20, 1, 0, 0 }, { 20 + 0.5 * apart * resolution, 0.7, 0, 0 } };
        g_auto (Rows) rows = make_rows (0, N_ROWS, STEP);

        add_line (&rows, lines[0].frequency, 1, 0.4 * turn, 0);
        add_line (&rows, lines[1].frequency, 0.7, 1.1 * turn, 0);
        assert_peaks (&rows, IFBAM_WINDOW_HANN, lines, 2, 0.1 * resolution, 0.05);
      }
}

/* A chain of 100 equal masses between walls, all modes: f_j = f_max sin(j pi / 202). */
static void
test_many_modes (void **state)
{
  const double highest = 100.0, resolution = 1.0 / 20.0;
  g_auto (Rows) rows = make_rows (0, 40000, 0.5e-3);
  g_autofree IfbamPeak *peaks = NULL;
  gsize n;

  (void) state;
  for (int j = 1; j <= 100; j++)
    add_line (&rows, highest * sin (j * G_PI / 202), 1.0 / (1 + j % 7), 0, 0);
  peaks = find (&rows, IFBAM_WINDOW_HANN, IFBAM_SPECTRUM_THRESHOLD, &n);
  assert_true (n >= 90);
  assert_true (n <= 100);
  for (int j = 1; j <= 80; j++)
    {
      double want = highest * sin (j * G_PI / 202);

      assert_true (fabs (peaks[j - 1].frequency - want) < 0.02 * resolution);
      assert_true (fabs (peaks[j - 1].amplitude * (1 + j % 7) - 1) < 0.02);
    }
}

static void
test_weak_line (void **state)
{
  g_auto (Rows) rows = make_rows (0, N_ROWS, STEP);
  g_autofree IfbamPeak *peaks = NULL;
  gsize n;

  (void) state;
  add_line (&rows, 11.03, 1, 0.2, 0);
  add_line (&rows, 31.77, 1e-5, 0.1, 0);
  peaks = find (&rows, IFBAM_WINDOW_HANN, 1e-9, &n);
  assert_int_equal (n, 2);
  /* the strong line's lobe here, 1/(pi 83^3), bends it by pi 0.056/1.29 resolutions */
  assert_true (fabs (peaks[1].frequency - 31.77) < 0.14 * 0.25);
}

/* The slow root of the flip-flop schemes, z near -1, and a real line above 0.95 of Nyquist. */
static void
test_nyquist (void **state)
{
  g_auto (Rows) rows = make_rows (0, 4000, 1e-3);
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autofree IfbamPeak *all = NULL, *real = NULL;
  gsize n_all, n_real;

  (void) state;
  add_line (&rows, 40, 1, 0, 0);
  add_line (&rows, 490, 0.5, 0, 0);
  for (gsize i = 0; i < rows.n; i++)
    rows.values[i] += (i % 2 ? -1 : 1) * 0.7 * exp (-rows.times[i]);
  spectrum = ifbam_spectrum_new (rows.times, rows.values, rows.n, IFBAM_WINDOW_HANN, NULL);
  real = ifbam_spectrum_find_peaks (spectrum, 1e-3, TRUE, &n_real);
  all = ifbam_spectrum_find_peaks (spectrum, 1e-3, FALSE, &n_all);
  assert_int_equal (n_real, 1);
  assert_true (fabs (real[0].frequency - 40) < 1e-3);
  assert_int_equal (n_all, 2);
  assert_true (fabs (all[1].frequency - 490) < 1e-2);
}

static void
test_nothing (void **state)
{
  static const double constants[] = { 0, 0.1, -3, 1e-300, 1e300, 1.0 / 3, 5e-324 };

  (void) state;
  for (guint window = 0; window <= IFBAM_WINDOW_BLACKMAN; window++)
    for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
      for (gsize n_rows = 8; n_rows < 10000; n_rows = 3 * n_rows + 1)
        {
          g_auto (Rows) rows = make_rows (0, n_rows, 1e-3);
          g_autofree IfbamPeak *peaks = NULL;
          gsize n = 99;

          for (gsize j = 0; j < n_rows; j++)
            rows.values[j] = constants[i];
          peaks = find (&rows, window, 0, &n);
          assert_int_equal (n, 0);
        }
}

/* Amplitudes keep their size from the smallest to the largest numbers. */
static void
test_scales (void **state)
{
  (void) state;
  for (int exponent = -290; exponent <= 300; exponent += 59)
    {
      Line line = { 40.3, pow (10, exponent), 0, 0 };
      g_auto (Rows) rows = make_rows (0, 4000, 1e-3);

      add_line (&rows, line.frequency, line.amplitude, 0.5, 0);
      assert_peaks (&rows, IFBAM_WINDOW_HANN, &line, 1, 1e-3, 1e-3);
    }
}

static void
test_grid (void **state)
{
  g_auto (Rows) rows = make_rows (0, 1000, 1e-2);
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  const double *frequencies, *amplitudes;
  gsize n, again;

  (void) state;
  add_line (&rows, 7, 2, 0, 0);
  spectrum = ifbam_spectrum_new (rows.times, rows.values, rows.n, IFBAM_WINDOW_NONE, NULL);
  assert_true (fabs (ifbam_spectrum_get_resolution (spectrum) - 0.1) < 1e-12);
  frequencies = ifbam_spectrum_get_frequencies (spectrum, &n);
  amplitudes = ifbam_spectrum_get_amplitudes (spectrum, &again);
  assert_int_equal (n, again);
  assert_true (n >= 2001);
  assert_true (frequencies[0] == 0);
  assert_true (fabs (frequencies[n - 1] - 50) < 1e-9);
  for (gsize i = 0; i < n; i++)
    if (fabs (frequencies[i] - 7) < 1e-9)
      assert_true (fabs (amplitudes[i] - 2) < 1e-9);
}

/* White noise, a normal number with a standard deviation of 1 each row (Box and Muller 1958). */
static void
add_noise (Rows *rows, GRand *random, double amplitude)
{
  for (gsize i = 0; i < rows->n; i++)
    rows->values[i] += amplitude * sqrt (-2 * log (1 - g_rand_double (random)))
                       * cos (2 * G_PI * g_rand_double (random));
}

/* The level of white noise is 2 sigma^2 step, whatever the window and the segments; it has no peaks. */
static void
test_noise (void **state)
{
  const double step = 1e-3, sigma = 3;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  static const double overlaps[] = { 0, 0.5, 0.75 };
  guint n_peaks = 0;

  (void) state;
  for (guint window = 0; window <= IFBAM_WINDOW_BLACKMAN; window++)
    for (int turn = 0; turn < 9; turn++)
      {
        g_auto (Rows) rows = make_rows (0, 40000, step);
        gsize segment = 500 << turn % 3, n;
        g_autoptr (IfbamSpectrum) spectrum = NULL;
        g_autofree IfbamPeak *peaks = NULL;
        const double *amplitudes;
        double density = 0;

        add_noise (&rows, random, sigma);
        spectrum = ifbam_spectrum_new_averaged (rows.times, rows.values, rows.n, window, segment,
                                                overlaps[turn / 3], NULL);
        amplitudes = ifbam_spectrum_get_amplitudes (spectrum, &n);
        for (gsize i = n / 10; i < n - n / 10; i++)
          density += amplitudes[i] * amplitudes[i] / 2 / ifbam_spectrum_get_bandwidth (spectrum);
        density /= (double) (n - n / 10 - n / 10);
        assert_true (fabs (density / (2 * sigma * sigma * step) - 1) < 0.03);
        assert_true (
            ifbam_spectrum_get_n_segments (spectrum)
            == 1 + (40000 - segment) / (gsize) ((double) segment * (1 - overlaps[turn / 3])));
        peaks = ifbam_spectrum_find_peaks (spectrum, 0, TRUE, &n);
        n_peaks += (guint) n;
      }
  assert_true (n_peaks <= 3); /* of 36 spectra with 0.01 by chance each */
}

/* Lines in noise that is as strong as they are; the averaged spectrum has them, and no others. */
static void
test_lines_in_noise (void **state)
{
  const Line lines[] = { { 40.4, 1, 0.3, 0 }, { 130.3, 0.5, 2, 0 } };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  (void) state;
  for (int turn = 0; turn < 10; turn++)
    {
      g_auto (Rows) rows = make_rows (0, 40000, 1e-3);
      g_autoptr (IfbamSpectrum) spectrum = NULL;
      g_autofree IfbamPeak *peaks = NULL;
      gsize n;

      for (int i = 0; i < 2; i++)
        add_line (&rows, lines[i].frequency, lines[i].amplitude, lines[i].phase, 0);
      add_noise (&rows, random, 1);
      spectrum = ifbam_spectrum_new_averaged (rows.times, rows.values, rows.n, IFBAM_WINDOW_HANN,
                                              2000, 0.5, NULL);
      assert_true (fabs (ifbam_spectrum_get_resolution (spectrum) - 0.5) < 1e-9);
      peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n);
      assert_int_equal (n, 2);
      for (int i = 0; i < 2; i++)
        {
          assert_true (fabs (peaks[i].frequency - lines[i].frequency) < 0.05);
          assert_true (fabs (peaks[i].amplitude / lines[i].amplitude - 1) < 0.05);
        }
    }
}

/* One segment that is the whole course is the plain spectrum, to the last bit; and without noise lines
 * stay lines, however close. */
static void
test_averaged_lines (void **state)
{
  g_auto (Rows) rows = make_rows (0, 40000, 1e-3);
  g_autoptr (IfbamSpectrum) plain = NULL, one = NULL, averaged = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  gsize n, n_peaks;

  (void) state;
  for (int i = 0; i < 20; i++)
    add_line (&rows, 30 + 2.1 * i, 1 + 0.1 * i, i, 0);
  plain = ifbam_spectrum_new (rows.times, rows.values, rows.n, IFBAM_WINDOW_HANN, NULL);
  one = ifbam_spectrum_new_averaged (rows.times, rows.values, rows.n, IFBAM_WINDOW_HANN, rows.n,
                                     0.5, NULL);
  ifbam_spectrum_get_amplitudes (plain, &n);
  assert_int_equal (ifbam_spectrum_get_n_segments (one), 1);
  assert_memory_equal (ifbam_spectrum_get_amplitudes (plain, &n),
                       ifbam_spectrum_get_amplitudes (one, &n), n * sizeof (double));
  averaged = ifbam_spectrum_new_averaged (rows.times, rows.values, rows.n, IFBAM_WINDOW_HANN, 2000,
                                          0.5, NULL);
  peaks = ifbam_spectrum_find_peaks (averaged, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
  assert_int_equal (n_peaks, 20);
  for (int i = 0; i < 20; i++)
    assert_true (fabs (peaks[i].frequency - 30 - 2.1 * i) < 0.05);
}

static void
assert_refused (const Rows *rows, const char *part)
{
  g_autoptr (GError) error = NULL;

  assert_null (ifbam_spectrum_new (rows->times, rows->values, rows->n, IFBAM_WINDOW_HANN, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
  if (strstr (error->message, part) == NULL)
    fail_msg ("\"%s\" lacks \"%s\"", error->message, part);
}

static void
test_refusals (void **state)
{
  g_auto (Rows) few = make_rows (0, 7, 1), late = make_rows (0, 100, 1e-3);
  g_auto (Rows) infinite = make_rows (0, 100, 1e-3), large = make_rows (0, 100, 1e-3);
  g_autoptr (GError) error = NULL, long_segment = NULL, short_segment = NULL;
  IfbamWindow window;

  (void) state;
  assert_null (ifbam_spectrum_new_averaged (large.times, large.values, 100, IFBAM_WINDOW_HANN, 101,
                                            0.5, &long_segment));
  assert_true (g_error_matches (long_segment, IFBAM_ERROR, IFBAM_ERROR_COURSE));
  assert_null (ifbam_spectrum_new_averaged (large.times, large.values, 100, IFBAM_WINDOW_HANN, 7,
                                            0.5, &short_segment));
  assert_true (g_error_matches (short_segment, IFBAM_ERROR, IFBAM_ERROR_COURSE));
  assert_refused (&few, "7 rows are too few for a spectrum (want at least 8)");
  late.times[50] += 2e-9;
  assert_refused (&late, "not evenly spaced: the interval before 0.050000002 s is 0.001000002 s");
  late.times[50] -= 2e-9 - 5e-10; /* within a millionth */
  infinite.values[7] = INFINITY;
  assert_refused (&infinite, "row 8 is not a finite number");
  infinite.values[7] = -1e308;
  assert_refused (&infinite, "values of up to 1e+308 are too large for a spectrum");
  /* At large times their rounding is more than a millionth of the step. */
  for (gsize i = 0; i < large.n; i++)
    large.times[i] += 1e6;
  g_object_unref (ifbam_spectrum_new (large.times, large.values, large.n, IFBAM_WINDOW_HANN, NULL));
  g_object_unref (ifbam_spectrum_new (late.times, late.values, late.n, IFBAM_WINDOW_HANN, NULL));
  assert_true (ifbam_window_from_name ("blackman", &window, NULL));
  assert_int_equal (window, IFBAM_WINDOW_BLACKMAN);
  assert_false (ifbam_window_from_name ("kaiser", &window, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
}

/* Returned arrays remain valid. */
static void
test_bytes (void **state)
{
  double times[64], values[64];
  IfbamSpectrum *spectrum;
  g_autoptr (GBytes) amplitudes = NULL, frequencies = NULL;
  g_autofree double *before = NULL;
  const double *seen;
  gsize n, size;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      times[i] = 0.01 * i;
      values[i] = sin (70.0 * times[i]);
    }
  spectrum = ifbam_spectrum_new (times, values, G_N_ELEMENTS (times), IFBAM_WINDOW_HANN, NULL);
  seen = ifbam_spectrum_get_amplitudes (spectrum, &n);
  before = g_memdup2 (seen, n * sizeof *seen);
  amplitudes = ifbam_spectrum_get_amplitude_bytes (spectrum);
  frequencies = ifbam_spectrum_get_frequency_bytes (spectrum);
  assert_ptr_equal (g_bytes_get_data (amplitudes, &size), seen);
  assert_int_equal (size, n * sizeof *seen);
  assert_ptr_equal (g_bytes_get_data (frequencies, NULL),
                    ifbam_spectrum_get_frequencies (spectrum, NULL));
  g_object_unref (spectrum);
  assert_memory_equal (g_bytes_get_data (amplitudes, NULL), before, size);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_paper),          cmocka_unit_test (test_refinement),
    cmocka_unit_test (test_no_lobes),       cmocka_unit_test (test_close_pairs),
    cmocka_unit_test (test_many_modes),     cmocka_unit_test (test_weak_line),
    cmocka_unit_test (test_nyquist),        cmocka_unit_test (test_nothing),
    cmocka_unit_test (test_scales),         cmocka_unit_test (test_grid),
    cmocka_unit_test (test_noise),          cmocka_unit_test (test_lines_in_noise),
    cmocka_unit_test (test_averaged_lines), cmocka_unit_test (test_refusals),
    cmocka_unit_test (test_bytes),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

/* test-spectrogram.c: frequencies that change with time, and rows that are not evenly spaced
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "file/file.h"
#include "base/ifbam-error.h"
#include "spectrum/ifbam-resampling.h"
#include "spectrum/ifbam-spectrogram.h"
#include "spectrum/spectrum.h"

/* A sine of evenly rising frequency, f = 20 + 5 (t - 3) Hz, while it decays. */
static void
test_chirp (void **state)
{
  g_auto (Rows) rows = make_rows (3, 8001, 1e-3);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSpectrogram) spectrogram = NULL;
  const IfbamPeak *ridge;
  const double *times, *frequencies, *amplitudes;
  gsize n_times, n_frequencies, n;

  (void) state;
  for (gsize i = 0; i < rows.n; i++)
    {
      double t = rows.times[i] - 3;

      rows.values[i] = 7 + exp (-0.2 * t) * cos (2 * G_PI * (20 * t + 2.5 * t * t) + 0.4);
    }
  spectrogram =
      ifbam_spectrogram_new (rows.times, rows.values, rows.n, IFBAM_WINDOW_HANN, 400, 0.75, &error);
  assert_non_null (spectrogram);
  assert_true (fabs (ifbam_spectrogram_get_resolution (spectrogram) - 2.5) < 1e-9);
  times = ifbam_spectrogram_get_times (spectrogram, &n_times);
  frequencies = ifbam_spectrogram_get_frequencies (spectrogram, &n_frequencies);
  amplitudes = ifbam_spectrogram_get_amplitudes (spectrogram, &n);
  ridge = ifbam_spectrogram_get_ridge (spectrogram, NULL);
  assert_int_equal (n_times, (8001 - 400) / 100 + 1);
  assert_int_equal (n, n_times * n_frequencies);
  assert_true (fabs (times[0] - 3.1995) < 1e-9);
  for (gsize i = 0; i < n_times; i++)
    {
      double t = times[i] - 3, highest = 0;

      assert_true (i == 0 || fabs (times[i] - times[i - 1] - 0.1) < 1e-9);
      assert_true (fabs (ridge[i].frequency - (20 + 5 * t)) < 0.05);
      assert_true (fabs (ridge[i].amplitude / exp (-0.2 * t) - 1) < 0.1);
      for (gsize j = 0; j < n_frequencies; j++)
        if (amplitudes[i * n_frequencies + j] > amplitudes[i * n_frequencies + (gsize) highest])
          highest = (double) j;
      assert_true (fabs (frequencies[(gsize) highest] - ridge[i].frequency) < 0.7);
    }
}

/* One segment that is the whole course is the plain spectrum; where nothing swings, there is no ridge. */
static void
test_one_segment (void **state)
{
  g_auto (Rows) rows = make_rows (3, 500, 1e-2), still = make_rows (3, 500, 1e-2);
  g_autoptr (IfbamSpectrogram) spectrogram = NULL, flat = NULL;
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  const double *amplitudes;
  const IfbamPeak *ridge;
  gsize n, n_times;

  (void) state;
  for (gsize i = 0; i < rows.n; i++)
    rows.values[i] = sin (40 * rows.times[i]);
  spectrogram =
      ifbam_spectrogram_new (rows.times, rows.values, 500, IFBAM_WINDOW_BLACKMAN, 500, 0.5, NULL);
  spectrum = ifbam_spectrum_new (rows.times, rows.values, 500, IFBAM_WINDOW_BLACKMAN, NULL);
  amplitudes = ifbam_spectrogram_get_amplitudes (spectrogram, &n);
  ifbam_spectrogram_get_times (spectrogram, &n_times);
  assert_int_equal (n_times, 1);
  assert_memory_equal (amplitudes, ifbam_spectrum_get_amplitudes (spectrum, NULL),
                       n * sizeof (double));
  flat = ifbam_spectrogram_new (still.times, still.values, 500, IFBAM_WINDOW_HANN, 100, 0, NULL);
  ridge = ifbam_spectrogram_get_ridge (flat, &n_times);
  assert_int_equal (n_times, 5);
  for (gsize i = 0; i < 5; i++)
    assert_true (isnan (ridge[i].frequency));
}

static void
assert_no_spectrogram (const Rows *rows, gsize segment, double overlap, const char *part)
{
  g_autoptr (GError) error = NULL;

  assert_null (ifbam_spectrogram_new (rows->times, rows->values, rows->n, IFBAM_WINDOW_HANN,
                                      segment, overlap, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
  if (strstr (error->message, part) == NULL)
    fail_msg ("\"%s\" lacks \"%s\"", error->message, part);
}

static void
test_refusals (void **state)
{
  g_auto (Rows) rows = make_rows (3, 100, 1e-2);

  (void) state;
  assert_no_spectrogram (&rows, 101, 0.5, "longer than the course, which has 100");
  assert_no_spectrogram (&rows, 1, 0.5, "1 row is too few for a spectrum");
  assert_no_spectrogram (&rows, 7, 0.5, "too few for a spectrum");
  rows.times[50] += 1e-3;
  assert_no_spectrogram (&rows, 20, 0.5, "not evenly spaced");
  rows.times[50] -= 1e-3;
  rows.values[99] = NAN;
  assert_no_spectrogram (&rows, 20, 0.5, "not a finite number");
}

/* Resampling */

static IfbamCourse *
uneven_course (gsize n, double interval, guint32 seed)
{
  static const char *const signals[] = { "parabola", "sine", NULL };
  static const char *const units[] = { "m", "rad" };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  IfbamCourse *course = ifbam_course_new_with_units (signals, units);
  double time = 1;

  for (gsize i = 0; i < n; i++)
    {
      double row[] = { 3 + 2 * time - time * time, sin (10 * time) };

      ifbam_course_append_row (course, time, row);
      time += interval * g_rand_double_range (random, 0.6, 1.4);
    }
  return course;
}

/* The error of the new rows' sine. */
static double
sine_error (IfbamCourse *course)
{
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, "sine", NULL, NULL);
  double worst = 0;

  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (values[i] - sin (10 * times[i])));
  return worst;
}

/* Evenly spaced, from the first to the last instant, with the mean interval or another one; parabolas
 * are kept exactly, others to the third order. */
static void
test_resampling (void **state)
{
  double errors[3];

  (void) state;
  for (int i = 0; i < 3; i++)
    {
      gsize n_old = 250 << i, n;
      g_autoptr (IfbamCourse) course = uneven_course (n_old, 0.02 / (1 << i), 4);
      g_autoptr (IfbamCourse) even = ifbam_course_resample (course, 0, NULL);
      g_autoptr (IfbamCourse) finer = ifbam_course_resample (course, 1e-3, NULL);
      const double *old = ifbam_course_get_times (course, &n);
      const double *times = ifbam_course_get_times (even, &n);
      const double *values = ifbam_course_get_values (even, "parabola", NULL, NULL);

      assert_int_equal (n, n_old);
      assert_true (times[0] == old[0] && fabs (times[n - 1] - old[n_old - 1]) < 1e-12);
      for (gsize k = 0; k < n; k++)
        {
          assert_true (fabs (values[k] - (3 + 2 * times[k] - times[k] * times[k])) < 1e-11);
          assert_true (k == 0
                       || fabs (times[k] - times[k - 1] - (times[n - 1] - times[0]) / (n - 1.0))
                              < 1e-12);
        }
      assert_string_equal (ifbam_course_get_unit (even, "sine"), "rad");
      times = ifbam_course_get_times (finer, &n);
      assert_true (fabs (times[n - 1] - times[0] - 1e-3 * (n - 1.0)) < 1e-12);
      assert_true (times[n - 1] <= old[n_old - 1] && times[n - 1] > old[n_old - 1] - 1.0001e-3);
      errors[i] = sine_error (finer);
    }
  assert_true (errors[0] < 2e-3);
  assert_true (errors[0] / errors[2] > 40); /* 64 of the third order */
}

static void
test_resampling_refused (void **state)
{
  g_autoptr (IfbamCourse) course = uneven_course (50, 0.01, 1), one = uneven_course (1, 0.01, 1);
  const double intervals[] = { 10, 1e-300, -1, NAN };
  g_autoptr (GError) few = NULL;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
    {
      g_autoptr (GError) error = NULL;

      assert_null (ifbam_course_resample (course, intervals[i], &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
    }
  assert_null (ifbam_course_resample (one, 0, &few));
  assert_true (g_error_matches (few, IFBAM_ERROR, IFBAM_ERROR_COURSE));
}

/* Two rows at one time are a jump: nothing of it spreads into the pieces beside it. */
static void
test_resampling_jump (void **state)
{
  static const char *const names[] = { "x", NULL };
  g_autoptr (IfbamCourse) course = ifbam_course_new (names), even = NULL;
  const double *times, *values;
  gsize n;

  (void) state;
  for (int i = 0; i <= 10; i++)
    {
      const double late = i == 4 ? 0.03 : 0, before = i + 10 * late, after = 100 - before;

      const double own = i < 5 ? i : after;

      ifbam_course_append_row (course, 0.1 * i, &own);
      if (i == 4 || i == 7) /* and one within a row's own time */
        {
          ifbam_course_append_row (course, 0.1 * i + late, &before);
          ifbam_course_append_row (course, 0.1 * i + late, &after);
        }
    }
  even = ifbam_course_resample (course, 0.025, NULL);
  times = ifbam_course_get_times (even, &n);
  values = ifbam_course_get_values (even, "x", NULL, NULL);
  assert_int_equal (n, 41);
  for (gsize i = 0; i < n; i++)
    assert_true (fabs (values[i] - (i < 18 ? 10 * times[i] : 100 - 10 * times[i])) < 1e-9);
}

/* A course of a file with so many rows at a rate [1/s], times in this format; without one row, if it is not 0. */
static IfbamCourse *
rounded_course (const char *format, double rate, int rows, int lost)
{
  g_autofree char *path = NULL;
  g_autoptr (GString) text = g_string_new ("time,x\n");
  IfbamCourse *course;
  const int file = g_file_open_tmp ("rounded-XXXXXX.csv", &path, NULL);

  for (int i = 0; i < rows; i++)
    if (i == 0 || i != lost)
      {
        char time[G_ASCII_DTOSTR_BUF_SIZE];

        g_ascii_formatd (time, sizeof time, format, i / rate);
        g_string_append_printf (text, "%s,%d\n", time, i);
      }
  assert_true (file >= 0 && g_file_set_contents (path, text->str, -1, NULL));
  close (file);
  course = ifbam_course_new_from_csv (path, NULL);
  assert_non_null (course);
  assert_int_equal (g_unlink (path), 0);
  return course;
}

/* Times that are even but for the rounding of their last digit are even, whatever that digit's place is; a lost row
 * is no rounding. */
static void
test_rounded_times (void **state)
{
  static const struct
  {
    const char *format;
    double rate;
    int lost;
    gboolean even;
    double unit;
  } cases[] = {
    { "%.3f", 60, 0, TRUE, 1e-3 },  { "%.5g", 60, 0, TRUE, 1e-3 },
    { "%.3f", 300, 0, TRUE, 1e-3 }, { "%.2f", 30, 0, TRUE, 1e-2 },
    { "%.5e", 7, 0, TRUE, 1e-3 },   { "%.3f", 60, 1500, FALSE, 0 },
    { "%.3f", 60, 2998, FALSE, 0 }, { "%.3f", 1000, 1500, FALSE, 0 },
    { "%.3f", 1000, 0, TRUE, 0 },   { "%.3f", 300, 1500, FALSE, 0 },
    { "%.17g", 60, 0, TRUE, 0 },    { "%.17g", 60, 7, FALSE, 0 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IfbamCourse) course =
          rounded_course (cases[i].format, cases[i].rate, 3000, cases[i].lost);
      double unit;
      g_autoptr (IfbamCourse) even = ifbam_course_even (course, &unit);
      gsize n = 3000;
      const double *times = even == NULL ? NULL : ifbam_course_get_times (even, &n);

      assert_int_equal (even != NULL, cases[i].even);
      assert_true (fabs (unit - cases[i].unit) < 1e-9);
      assert_int_equal (n, 3000);
      for (gsize k = 1; k < n && even != NULL; k++)
        assert_true (fabs ((times[k] - times[k - 1]) * cases[i].rate - 1) < 1e-4);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_chirp),
    cmocka_unit_test (test_one_segment),
    cmocka_unit_test (test_refusals),
    cmocka_unit_test (test_resampling),
    cmocka_unit_test (test_resampling_refused),
    cmocka_unit_test (test_resampling_jump),
    cmocka_unit_test (test_rounded_times),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

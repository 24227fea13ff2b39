/* test-large.c: a million masses, a long file, and the low modes of a long chain
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "embed/ifbam.h"

#define MILLION  1000000
#define EXPLICIT 100000

/* The sanitizers' own memory is not ours. */
#if defined(__SANITIZE_ADDRESS__)
#define MEASURES_MEMORY FALSE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEASURES_MEMORY FALSE
#endif
#endif
#ifndef MEASURES_MEMORY
#define MEASURES_MEMORY TRUE
#endif

/* Returns a line of /proc/self/status, in bytes: "VmRSS:" resident memory, "VmHWM:" its maximum. */
static double
memory (const char *line)
{
  g_autofree char *text = NULL;
  const char *found;

  assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  found = strstr (text, line);
  assert_non_null (found);
  return 1024.0 * g_ascii_strtod (found + strlen (line), NULL);
}

/* From here on, "the most that was" counts anew. */
static double
memory_mark (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");

  if (file != NULL)
    {
      fputs ("5", file);
      fclose (file);
    }
  return memory ("VmRSS:");
}

static const double *
values_of (IfbamCourse *course, const char *signal, gsize *n)
{
  const double *values = ifbam_course_get_values (course, signal, n, NULL);

  assert_non_null (values);
  return values;
}

static void
test_million_masses (void **state)
{
  const double before = memory_mark ();
  const gint64 begin = g_get_monotonic_time ();
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 ms\nduration = 0.1 s\nrecord = c.m1.position, c.m500000.position, "
      "c.m1000000.position\n"
      "[ground left]\n[ground right]\n"
      "[chain c]\ncount = 1000000\nmass = 1 kg, 2 kg\nstiffness = 10 kN/m, 30 kN/m, 20 kN/m\n"
      "position = 1 mm, 0, -1 mm\nfrom = left\nto = right\n");
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
  const double growth = memory ("VmHWM:") - before;
  gsize n;
  const double *x = values_of (course, "c.m500000.position", &n);

  (void) state;
  print_message ("# a million masses and springs, 100 steps: %.2f s, %.0f bytes per mass and "
                 "spring\n",
                 1e-6 * (double) (g_get_monotonic_time () - begin), growth / MILLION);
  assert_int_equal (n, 101);
  for (gsize i = 0; i < n; i++)
    assert_true (fabs (x[i]) < 0.01);
  assert_true (x[100] != x[0]);
  if (MEASURES_MEMORY)
    assert_true (growth / MILLION < 250);
}

static char *
explicit_chain (guint n)
{
  GString *text = g_string_new ("[network]\nstep = 1 ms\nduration = 20 ms\n"
                                "record = c-m1.position, c-m777.position, network.energy\n"
                                "[ground g]\n");

  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *left = i == 1 ? g_strdup ("g") : g_strdup_printf ("c-m%u", i - 1);

      g_string_append_printf (text,
                              "\n[spring c-k%u]\nstiffness = %u kN/m\nbetween   = %s, c-m%u\n\n"
                              "[mass c-m%u]\nmass     = %u kg\nposition = %d mm # at rest\n",
                              i, 10 + (i - 1) % 3, left, i, i, 1 + (i - 1) % 2,
                              (int) ((i - 1) % 4) - 1);
    }
  return g_string_free (text, FALSE);
}

static void
test_long_file (void **state)
{
  double seconds[2];

  (void) state;
  for (int k = 0; k < 2; k++)
    {
      const guint masses = k == 0 ? EXPLICIT / 4 : EXPLICIT;
      g_autofree char *text = explicit_chain (masses);
      g_autofree char *chain_text =
          g_strdup_printf ("[network]\nstep = 1 ms\nduration = 20 ms\n"
                           "record = c.m1.position, c.m777.position, network.energy\n"
                           "[ground g]\n[chain c]\ncount = %u\nmass = 1, 2\n"
                           "stiffness = 10 kN/m, 11 kN/m, 12 kN/m\n"
                           "position = -1 mm, 0 mm, 1 mm, 2 mm\nfrom = g\n",
                           masses);
      const double before = memory_mark ();
      const gint64 begin = g_get_monotonic_time ();
      g_autoptr (IfbamNetwork) network = text_network (text);
      const double growth = memory ("VmHWM:") - before;
      g_autoptr (IfbamNetwork) chain = NULL;
      g_autoptr (IfbamCourse) course = NULL;
      g_autoptr (IfbamCourse) chain_course = NULL;
      const char *const *signals;
      gsize n;

      seconds[k] = 1e-6 * (double) (g_get_monotonic_time () - begin);
      print_message ("# a file of %u masses and springs, %.1f MB: read and checked in %.2f s, %.0f "
                     "bytes per element\n",
                     masses, 1e-6 * (double) strlen (text), seconds[k], growth / (2 * masses));
      if (MEASURES_MEMORY)
        assert_true (growth / (2 * masses) < 1000);

      /* The same numbers as the chain that needs no objects: its elements stand in the same order. */
      chain = text_network (chain_text);
      course = network_course (network, IFBAM_ENGINE_PLAN);
      chain_course = network_course (chain, IFBAM_ENGINE_PLAN);
      signals = ifbam_course_get_signals (chain_course);
      for (guint s = 0; signals[s] != NULL; s++)
        {
          g_autofree char *name = g_strdelimit (g_strdup (signals[s]), ".", '-');
          char *last = strrchr (name, '-');
          const double *one, *other;

          *last = '.';
          one = values_of (chain_course, signals[s], &n);
          other = values_of (course, name, &n);
          assert_int_equal (n, 21);
          assert_memory_equal (one, other, n * sizeof (double));
        }
    }
  print_message ("# four times the file takes %.1f times the time\n", seconds[1] / seconds[0]);
}

static void
test_low_modes_of_a_chain (void **state)
{
  const gint64 begin = g_get_monotonic_time ();
  g_autoptr (IfbamNetwork) network = open_network ("networks/chain-1000.ini", NULL);
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  gsize n, n_peaks;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, "c.m100.position", &n, NULL);
  double resolution;

  (void) state;
  print_message ("# chain-1000: %.2f s\n", 1e-6 * (double) (g_get_monotonic_time () - begin));
  spectrum = ifbam_spectrum_new (times, values, n, IFBAM_WINDOW_HANN, NULL);
  assert_non_null (spectrum);
  resolution = ifbam_spectrum_get_resolution (spectrum);
  peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
  assert_true (n_peaks >= 5);
  for (int j = 1; j <= 5; j++)
    {
      double wanted = 2 * sqrt (10000.0) * sin (j * G_PI / (2 * 1001)) / (2 * G_PI);

      print_message ("# mode %d: %.6f Hz, peak at %.6f Hz (resolution %.4f Hz)\n", j, wanted,
                     peaks[j - 1].frequency, resolution);
      assert_true (fabs (peaks[j - 1].frequency - wanted) < resolution);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_million_masses),
    cmocka_unit_test (test_long_file),
    cmocka_unit_test (test_low_modes_of_a_chain),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

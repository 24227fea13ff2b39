/* test-fall.c: air resistance and gravity against closed forms
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

#include "network.h"

static char *folder;

static int
set_up (void **state)
{
  (void) state;
  folder = g_dir_make_tmp ("ifbam-test-XXXXXX", NULL);
  return folder == NULL;
}

static int
tear_down (void **state)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);

  (void) state;
  g_remove (path);
  g_rmdir (folder);
  g_free (folder);
  return 0;
}

static IfbamNetwork *
read_text (const char *text)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network;

  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, &error);
  if (network == NULL)
    fail_msg ("%s", error->message);
  return network;
}

static IfbamCourse *
run (const char *text)
{
  g_autoptr (IfbamNetwork) network = read_text (text);
  g_autoptr (GError) error = NULL;
  IfbamCourse *course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

/* The largest difference of a signal from what it should be at each time. */
static double
error_of (IfbamCourse *course, const char *signal, double (*form) (double time))
{
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, signal, &n, NULL);
  double worst = 0;

  assert_non_null (values);
  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (values[i] - form (times[i])));
  return worst;
}

static double
value_at (IfbamCourse *course, const char *signal, gsize row)
{
  gsize n;
  const double *values = ifbam_course_get_values (course, signal, &n, NULL);

  assert_non_null (values);
  assert_true (row < n);
  return values[row];
}

/* m dv/dt = -c v^2 from v = 10 m/s, m = 1 kg, c = 2 kg/m. */
static double
coasting_position (double t)
{
  return 0.5 * log (1 + 20 * t);
}

static double
coasting_velocity (double t)
{
  return 10 / (1 + 20 * t);
}

static double
coasting_force (double t)
{
  return 2 * coasting_velocity (t) * coasting_velocity (t);
}

static double
coasting_loss (double t)
{
  return 50 - 0.5 * coasting_velocity (t) * coasting_velocity (t);
}

static void
test_coasting (void **state)
{
  g_autoptr (IfbamCourse) course = run (
      "[network]\nscheme = rk4\nstep = 0.1 ms\nsample = 1 ms\nduration = 1 s\n"
      "record = m1.position, m1.velocity, air.force, air.rate, network.dissipated, network.energy\n"
      "[mass m1]\nmass = 1 kg\nvelocity = 10 m/s\n[drag air]\non = m1\ncoefficient = 2 kg/m\n");

  (void) state;
  print_message ("# coasting: position off by %.2g m, velocity by %.2g m/s\n",
                 error_of (course, "m1.position", coasting_position),
                 error_of (course, "m1.velocity", coasting_velocity));
  assert_true (error_of (course, "m1.position", coasting_position) < 1e-12);
  assert_true (error_of (course, "m1.velocity", coasting_velocity) < 1e-11);
  assert_true (error_of (course, "air.rate", coasting_velocity) < 1e-11);
  assert_true (error_of (course, "air.force", coasting_force) < 1e-9);
  assert_true (error_of (course, "network.dissipated", coasting_loss) < 1e-9);
  for (gsize i = 0; i < 1001; i += 100)
    assert_true (fabs (value_at (course, "network.energy", i)
                       + value_at (course, "network.dissipated", i) - 50)
                 < 1e-9 * 50);
}

/* Backward as forward. */
static void
test_drag_is_odd (void **state)
{
  g_autoptr (IfbamCourse) course =
      run ("[network]\nstep = 1 ms\nduration = 1 s\n"
           "[mass a]\nmass = 1\nvelocity = 10\n[drag da]\non = a\ncoefficient = 2\n"
           "[mass b]\nmass = 1\nvelocity = -10\n[drag db]\non = b\ncoefficient = 2\n");
  gsize n;
  const double *a = ifbam_course_get_values (course, "a.position", &n, NULL);
  const double *b = ifbam_course_get_values (course, "b.position", &n, NULL);

  (void) state;
  for (gsize i = 0; i < n; i++)
    assert_true (a[i] == -b[i]);
}

/* What stands at the other end of a drag is nobody's: no wildcard finds it, nobody counts it. */
static void
test_rest_is_hidden (void **state)
{
  g_autoptr (IfbamNetwork) network =
      read_text ("[network]\nstep = 1 ms\nduration = 1 ms\nrecord = *.position, *.force\n"
                 "[mass m1]\nmass = 1\n[drag air]\non = m1\ncoefficient = 2\n[ground g]\n");
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
  const char *const *signals = ifbam_course_get_signals (course);

  (void) state;
  assert_int_equal (g_strv_length ((char **) signals), 3);
  assert_string_equal (signals[0], "m1.position");
  assert_string_equal (signals[1], "g.position");
  assert_string_equal (signals[2], "air.force");
  /* In a dialogue it says once where it stands. */
  assert_true (ifbam_network_reset (network, NULL));
  ifbam_element_master_from_left (ifbam_network_get_element (network, "m1"),
                                  ifbam_network_get_element (network, "air"));
  ifbam_element_master_from_right (ifbam_network_get_element (network, "air"),
                                   ifbam_network_get_element (network, "m1"));
  ifbam_network_turn (network);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_coasting),
    cmocka_unit_test (test_drag_is_odd),
    cmocka_unit_test (test_rest_is_hidden),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}

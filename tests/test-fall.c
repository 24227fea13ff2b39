/* test-fall.c: air resistance and gravity against closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "fixture.h"
#include "file/file.h"

/* Returns the largest error of a signal over all times. */
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
  g_autoptr (IfbamCourse) course = text_course (
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
      text_course ("[network]\nstep = 1 ms\nduration = 1 s\n"
                   "[mass a]\nmass = 1\nvelocity = 10\n[drag da]\non = a\ncoefficient = 2\n"
                   "[mass b]\nmass = 1\nvelocity = -10\n[drag db]\non = b\ncoefficient = 2\n");
  gsize n;
  const double *a = ifbam_course_get_values (course, "a.position", &n, NULL);
  const double *b = ifbam_course_get_values (course, "b.position", &n, NULL);

  (void) state;
  for (gsize i = 0; i < n; i++)
    assert_true (a[i] == -b[i]);
}

/* The implied ground at the other end of a drag has no name: no wildcard finds it, no count includes it. */
static void
test_rest_is_hidden (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 1 ms\nrecord = *.position, *.force\n"
                    "[mass m1]\nmass = 1\n[drag air]\non = m1\ncoefficient = 2\n[ground g]\n");
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
  const char *const *signals = ifbam_course_get_signals (course);

  (void) state;
  assert_int_equal (g_strv_length ((char **) signals), 4);
  assert_string_equal (signals[0], "m1.position");
  assert_string_equal (signals[1], "g.position");
  assert_string_equal (signals[2], "g.force");
  assert_string_equal (signals[3], "air.force");
  /* In a dialogue it says once where it stands. */
  assert_true (ifbam_network_reset (network, NULL));
  ifbam_element_master_from_left (ifbam_network_get_element (network, "m1"),
                                  ifbam_network_get_element (network, "air"));
  ifbam_element_master_from_right (ifbam_network_get_element (network, "air"),
                                   ifbam_network_get_element (network, "m1"));
  ifbam_network_turn (network);
}

/* 9.81 m/s2 from 100 m, thrown up with 3 m/s. */
static double
fall_position (double t)
{
  return 100 + 3 * t - 0.5 * 9.81 * t * t;
}

static double
fall_velocity (double t)
{
  return 3 - 9.81 * t;
}

/* A parabola is nothing that a scheme of the second order is off from, but for rounding. */
static void
test_free_fall (void **state)
{
  static const char *const schemes[] = { "verlet", "averaged", "rk4" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 4 s\n"
          "record = m1.position, m1.velocity, m1.acceleration, earth.force, network.energy, "
          "network.supplied\n"
          "[mass m1]\nmass = 3\nposition = 100\nvelocity = 3\n[gravity earth]\non = m1\n",
          schemes[i]);
      g_autoptr (IfbamCourse) course = text_course (text);

      print_message ("# %s: fall off by %.2g of 100 m\n", schemes[i],
                     error_of (course, "m1.position", fall_position) / 100);
      assert_true (error_of (course, "m1.position", fall_position) < 1e-11);
      assert_true (error_of (course, "m1.velocity", fall_velocity) < 1e-11);
      for (gsize row = 0; row <= 4000; row += 500)
        {
          assert_true (fabs (value_at (course, "m1.acceleration", row) + 9.81) < 1e-14);
          assert_true (fabs (value_at (course, "earth.force", row) + 3 * 9.81) < 1e-14);
          /* Potential, not supply. */
          assert_true (value_at (course, "network.supplied", row) == 0);
          assert_true (fabs (value_at (course, "network.energy", row) / (3 * (4.5 + 981)) - 1)
                       < 1e-12);
        }
    }
}

/* m dv/dt = -m g - c |v| v from rest: v = -u tanh (g t/u), x = -u^2/g ln cosh (g t/u), u^2 = m g/c. */
#define TERMINAL sqrt (0.5 * 9.81 / 0.02)

static double
drop_position (double t)
{
  return -TERMINAL * TERMINAL / 9.81 * log (cosh (9.81 * t / TERMINAL));
}

static double
drop_velocity (double t)
{
  return -TERMINAL * tanh (9.81 * t / TERMINAL);
}

static void
test_terminal_velocity (void **state)
{
  g_autoptr (IfbamCourse) course = text_course (
      "[network]\nscheme = rk4\nstep = 1 ms\nsample = 10 ms\nduration = 10 s\n"
      "record = m1.position, m1.velocity, network.energy, network.dissipated, network.supplied\n"
      "[mass m1]\nmass = 0.5\n[gravity earth]\non = m1\n[drag air]\non = m1\ncoefficient = 0.02\n");
  double worst = 0;

  (void) state;
  for (gsize row = 0; row <= 1000; row++)
    worst = fmax (worst, fabs (value_at (course, "network.energy", row)
                               + value_at (course, "network.dissipated", row)
                               - value_at (course, "network.supplied", row)));
  print_message (
      "# drop: position off by %.2g m, velocity by %.2g m/s, ledger by %.2g of what was lost\n",
      error_of (course, "m1.position", drop_position),
      error_of (course, "m1.velocity", drop_velocity),
      worst / value_at (course, "network.dissipated", 1000));
  assert_true (error_of (course, "m1.position", drop_position) < 1e-10);
  assert_true (error_of (course, "m1.velocity", drop_velocity) < 1e-10);
  assert_true (worst < 1e-11 * value_at (course, "network.dissipated", 1000));
}

/* A chain that hangs at rest: each spring carries the masses below it. */
static void
test_hanging_chain (void **state)
{
  g_autoptr (IfbamCourse) course =
      text_course ("[network]\nstep = 1 ms\nduration = 1 s\n"
                   "record = c.k*.force, c.m*.velocity, earth.force\n[ground ceiling]\n"
                   "[chain c]\ncount = 4\nmass = 1, 2\nstiffness = 100\nfrom = ceiling\n"
                   "position = -0.6, -1.1, -1.4, -1.6\n"
                   "[gravity earth]\non = c\nacceleration = 10\n");

  (void) state;
  for (int k = 1; k <= 4; k++)
    {
      static const double carried[] = { 60, 50, 30, 20 };
      g_autofree char *force = g_strdup_printf ("c.k%d.force", k);
      g_autofree char *velocity = g_strdup_printf ("c.m%d.velocity", k);

      assert_true (fabs (value_at (course, force, 1000) - carried[k - 1]) < 1e-10);
      assert_true (fabs (value_at (course, velocity, 1000)) < 1e-11);
    }
  /* Of all its masses together. */
  assert_true (fabs (value_at (course, "earth.force", 0) + 60) < 1e-13);
}

/* Weights have no minimum of energy: their work is no divergence, and divergence is found
 * by all engines. */
static void
test_divergence (void **state)
{
  (void) state;
  for (int engine = 0; engine < 2; engine++)
    {
      g_autoptr (IfbamNetwork) falling =
          text_network ("[network]\nscheme = averaged\nstep = 1 ms\nduration = 10 s\n"
                        "[mass m1]\nmass = 1\nposition = 1e-12\n[gravity earth]\non = m1\n");
      g_autoptr (IfbamNetwork) unstable = text_network (
          "[network]\nscheme = euler\nstep = 10 ms\nduration = 100 s\n"
          "[ground g]\n[mass m1]\nmass = 1\n[spring k]\nstiffness = 1000\nbetween = g, m1\n"
          "[gravity earth]\non = m1\n");
      /* It swings with so little that its start, of half a step, has next to nothing of it. */
      g_autoptr (IfbamNetwork) hanging = text_network (
          "[network]\nscheme = averaged\nstep = 1 us\nduration = 1 ms\n[point p]\n"
          "[ball b]\nmass = 1\nx = 1e-24\ny = -1\n[rod r]\nlength = 1\nbetween = p, b\n"
          "[gravity earth]\non = b\n");
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamCourse) course = NULL;

      course = ifbam_network_run (hanging, engine == 0 ? IFBAM_ENGINE_PLAN : IFBAM_ENGINE_OBJECTS,
                                  &error);
      if (course == NULL)
        fail_msg ("%s", error->message);
      g_clear_object (&course);
      course = ifbam_network_run (falling, engine == 0 ? IFBAM_ENGINE_PLAN : IFBAM_ENGINE_OBJECTS,
                                  &error);
      if (course == NULL)
        fail_msg ("%s", error->message);
      g_clear_object (&course);
      course = ifbam_network_run (unstable, engine == 0 ? IFBAM_ENGINE_PLAN : IFBAM_ENGINE_OBJECTS,
                                  &error);
      assert_null (course);
      assert_non_null (strstr (error->message, "over 10^6 times"));
      print_message ("# %s\n", error->message);
    }
}

/* Masters and slaves by hand, with one element that acts on two. */
static void
test_dialogue (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nscheme = verlet\nstep = 10 ms\nduration = 1 s\nrecord = *.position\n"
      "[mass a]\nmass = 1\n[mass b]\nmass = 2\nposition = 5\n[gravity earth]\non = a, b\n");
  IfbamElement *a = ifbam_network_get_element (network, "a");
  IfbamElement *b = ifbam_network_get_element (network, "b");
  IfbamElement *earth = ifbam_network_get_element (network, "earth");
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);

  (void) state;
  assert_true (ifbam_network_reset (network, NULL));
  for (int turn = 0; turn < 200; turn++)
    {
      ifbam_element_master_from_left (earth, a);
      ifbam_element_master_from_left (earth, b);
      ifbam_element_slave (earth);
      ifbam_element_slave (a);
      ifbam_element_slave (b);
    }
  assert_true (ifbam_element_get_quantity (earth, "force", NULL) == -3 * 9.81);
  assert_true (ifbam_element_get_quantity (a, "position", NULL)
               == value_at (course, "a.position", 100));
  assert_true (ifbam_element_get_quantity (b, "position", NULL)
               == value_at (course, "b.position", 100));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_coasting),          cmocka_unit_test (test_drag_is_odd),
    cmocka_unit_test (test_rest_is_hidden),    cmocka_unit_test (test_free_fall),
    cmocka_unit_test (test_terminal_velocity), cmocka_unit_test (test_hanging_chain),
    cmocka_unit_test (test_divergence),        cmocka_unit_test (test_dialogue),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

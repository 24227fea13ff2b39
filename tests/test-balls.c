/* test-balls.c: balls in the plane: bounces against their instants, rest, curved ground, soft ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "event-run.h"

/* A shipped network, with other settings in place of its own. */
static EventRun *
run_shipped (const char *name, const char *step, const char *sample, const char *record)
{
  g_autofree char *path = g_strdup_printf ("networks/%s.ini", name);
  g_autofree char *file = NULL;
  g_auto (GStrv) lines = NULL;
  GString *text = g_string_new (NULL);
  EventRun *run;

  assert_true (g_file_get_contents (path, &file, NULL, NULL));
  lines = g_strsplit (file, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (step != NULL && g_str_has_prefix (lines[i], "step "))
        g_string_append_printf (text, "step = %s\n", step);
      else if (sample != NULL && g_str_has_prefix (lines[i], "sample "))
        g_string_append_printf (text, "sample = %s\n", sample);
      else if (record != NULL && g_str_has_prefix (lines[i], "record "))
        g_string_append_printf (text, "record = %s\n", record);
      else
        g_string_append_printf (text, "%s\n", lines[i]);
    }
  run = event_run (0, "%s", text->str);
  g_string_free (text, TRUE);
  return run;
}

static void
assert_instants (const EventRun *run, const double *instants, guint n, double tolerance)
{
  double worst = 0;

  for (guint i = 0; i < n; i++)
    {
      const IfbamEvent *event = event_run_event (run, NULL, "impact", i);

      assert_non_null (event);
      worst = fmax (worst, fabs (event->time - instants[i]));
    }
  print_message ("# %u instants off by %.2g s at most\n", n, worst);
  assert_true (worst <= tolerance);
}

/* A drop from rest through quadratic air drag: ln cosh down, arctan up (exact to the digits printed). */
static void
test_drag_instants (void **state)
{
  static const double exact[] = { 0.640713464, 1.769528506, 2.771171548, 3.662623593, 4.457838945,
                                  5.168486020, 5.804459317, 6.374244424, 6.885185444, 7.343685782 };
  g_autoptr (EventRun) run = run_shipped ("ball-drag", NULL, NULL, NULL);

  (void) state;
  assert_instants (run, exact, G_N_ELEMENTS (exact), 1e-9);
}

static void
test_listing_instants (void **state)
{
  static const double exact[] = { 1.324902144, 2.753068487, 4.011870769, 5.126435845, 6.116686999,
                                  6.998816042, 7.786242818, 8.490265914, 9.120519091 };
  g_autoptr (EventRun) run = run_shipped ("ball-listing", NULL, NULL, NULL);

  (void) state;
  assert_instants (run, exact, G_N_ELEMENTS (exact), 1e-8);
}

/* At any step it bounces until it rests, and stays on the ground. */
static void
test_rests_on_the_ground (void **state)
{
  static const char *const steps[][2] = { { "0.1 ms", "10 ms" },
                                          { "1 ms", "1 ms" },
                                          { "5 ms", "5 ms" },
                                          { "20 ms", "20 ms" },
                                          { "50 ms", "50 ms" } };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      g_autoptr (EventRun) run = run_shipped ("ball-drag", steps[k][0], steps[k][1],
                                              "b.y, b.vy, bounce.mode, bounce.force");
      gsize n;
      const double *y = event_run_values (run, "b.y", &n);
      const IfbamEvent *rest = event_run_event (run, "bounce", "rest", 0);
      double lowest = 0, highest = 0;

      assert_non_null (rest);
      for (gsize i = 0; i < n; i++)
        {
          double time = 20.0 * (double) i / (double) (n - 1);

          lowest = fmin (lowest, y[i]);
          if (time > rest->time)
            highest = fmax (highest, fabs (y[i]));
        }
      print_message ("# %s: rests at %.6f s, lowest %.2g m, then within %.2g m\n", steps[k][0],
                     rest->time, lowest, highest);
      assert_true (lowest >= -1e-9 && highest <= 1e-9);
      assert_true (rest->time > 11.3 && rest->time < 11.5);
      assert_true (fabs (event_run_last (run, "bounce.force") - 9.81) < 1e-12);
    }
}

static void
test_soft_ball_tenth_event (void **state)
{
  g_autoptr (EventRun) run = run_shipped ("ball-soft", NULL, NULL, NULL);

  (void) state;
  assert_true (run->events->len >= 10);
  print_message ("# tenth event at %.6f s\n", g_array_index (run->events, IfbamEvent, 9).time);
  assert_true (fabs (g_array_index (run->events, IfbamEvent, 9).time - 7.512) <= 0.001);
}

/* On a sine without air and loss the energy stays, whatever way the ball bounces. */
static void
test_sine_keeps_energy (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 5 s\n"
         "record = b.x, b.y, network.energy\n[ball b]\nmass = 2\nradius = 0.02\ny = 1\nvx = 0.3\n"
         "[surface s]\namplitude = 0.1\nwavelength = 1\n[gravity w]\non = b\n"
         "[bounce h]\nbetween = b, s\n");
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *x = event_run_values (run, "b.x", &n), *y = event_run_values (run, "b.y", &n);

  (void) state;
  assert_true (event_run_count (run, "h", "impact") > 3);
  for (gsize i = 0; i < n; i++)
    {
      assert_true (fabs (energy[i] - energy[0]) <= 1e-11 * energy[0]);
      assert_true (y[i] >= 0.1 * sin (2 * G_PI * x[i]) + 0.02 - 1e-12);
    }
}

/* Two balls meet obliquely: momentum and energy of free ones stay, and so does what is across. */
static void
test_two_balls_meet (void **state)
{
  for (guint order = 0; order < 2; order++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 2 s\n"
                     "record = a.vx, a.vy, b.vx, b.vy, network.energy\n"
                     "[ball a]\nmass = 1\nradius = 0.1\nvx = 1\n"
                     "[ball b]\nmass = 2\nradius = 0.1\nx = 0.5\ny = 0.1\n"
                     "[bounce h]\nbetween = %s\nrestitution = 0.8\n",
                     order == 0 ? "a, b" : "b, a");
      const double nx = sqrt (0.75), ny = 0.5, p = 1.8 * nx / 1.5;

      (void) state;
      assert_true (fabs (event_run_last (run, "a.vx") - (1 - p * nx)) < 1e-13);
      assert_true (fabs (event_run_last (run, "a.vy") + p * ny) < 1e-13);
      assert_true (fabs (event_run_last (run, "b.vx") - p * nx / 2) < 1e-13);
      assert_true (fabs (event_run_last (run, "b.vy") - p * ny / 2) < 1e-13);
    }
}

static void
test_what_can_not_be (void **state)
{
  static const struct
  {
    const char *text, *said;
  } cases[] = {
    { "[mass a]\nmass = 1\n[mass b]\nmass = 1\nposition = 1\n[bounce h]\nbetween = a, b\n",
      "bounce" },
    { "[ball a]\nmass = 1\ny = 1\n[ball b]\nmass = 1\ny = 2\n[impact h]\nbetween = a, b\n",
      "impact" },
    { "[ball a]\nmass = 1\nradius = 0.5\ny = 0.2\n[surface s]\n[bounce h]\nbetween = a, s\n",
      "overlap" },
    { "[ball a]\nmass = 1\nradius = 0.5\ny = 3\n[surface s]\namplitude = 0.2\nwavelength = 1\n"
      "[bounce h]\nbetween = a, s\n",
      "radius" },
    { "[ball a]\nmass = 1\ny = 3\n[surface s]\namplitude = 0.2\n[bounce h]\nbetween = a, s\n",
      "wavelength" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault = event_run_fault (
          "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n%s", cases[i].text);

      print_message ("# %s\n", fault);
      assert_non_null (strstr (fault, cases[i].said));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_drag_instants),       cmocka_unit_test (test_listing_instants),
    cmocka_unit_test (test_rests_on_the_ground), cmocka_unit_test (test_soft_ball_tenth_event),
    cmocka_unit_test (test_sine_keeps_energy),   cmocka_unit_test (test_two_balls_meet),
    cmocka_unit_test (test_what_can_not_be),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

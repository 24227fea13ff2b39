/* test-orders.c: orders of a shaft with a changing speed: amplitudes against those of the signal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "file/file.h"
#include "spectrum/spectrum.h"

#define ROWS  20001
#define STEP  1e-3
#define TURNS 200.0 /* in 20 s, evenly faster */

/* A course: angle and speed of the shaft, and a signal of order 1 and of a growing order 2.5. sign: of
 * the angle. */
static IfbamCourse *
run_up (double sign)
{
  const char *const names[] = { "shaft.angle", "shaft.speed", "x.position", NULL };
  const char *const units[] = { "rad", "rad/s", "m", NULL };
  IfbamCourse *course = ifbam_course_new_with_units (names, units);

  for (guint i = 0; i < ROWS; i++)
    {
      const double t = i * STEP, turns = 2 + TURNS * (0.1 * t + t * t / 400) / 3;
      const double speed = TURNS * (0.1 + t / 200) / 3;
      const double row[] = { sign * 2 * G_PI * turns, sign * 2 * G_PI * speed,
                             3 + 0.5 * sin (2 * G_PI * turns)
                                 + 0.01 * turns * cos (2 * G_PI * 2.5 * turns + 1) };

      ifbam_course_append_row (course, t, row);
    }
  return course;
}

/* Compares the cuts of a signal over a shaft with its amplitudes, and the speeds. */
static void
check_cuts (IfbamCourse *course, const char *shaft, double first)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) over = ifbam_course_over_turns (course, shaft, &error);
  gsize n;
  const double *turns, *values, *times;

  assert_null (error);
  turns = ifbam_course_get_times (over, &n);
  values = ifbam_course_get_values (over, "x.position", NULL, NULL);
  times = ifbam_course_get_values (over, IFBAM_TURNS_TIME, NULL, NULL);
  assert_true (n > ROWS && n <= 4 * ROWS);
  for (guint k = 0; k < 2; k++)
    {
      IfbamOrderCut cut;
      g_autofree double *speeds = NULL;

      ifbam_order_cut_find (turns, values, n, k == 0 ? 1 : 2.5, 8, &cut);
      speeds = ifbam_turns_speeds (turns, times, n, cut.turn, cut.n);
      assert_true (cut.n > 50);
      for (gsize i = 0; i < cut.n; i++)
        {
          const double wanted = k == 0 ? 0.5 : 0.01 * (cut.turn[i] + first);
          const double t = 20 * (sqrt (1 + (cut.turn[i] + first - 2) * 3 / TURNS) - 1);
          const double speed = TURNS * (0.1 + t / 200) / 3;

          if (i > 0 && i + 1 < cut.n)
            assert_true (fabs (speeds[i] / speed - 1) < 1e-3);
          assert_true (fabs (cut.amplitude[i] - wanted) < 2e-3 * fmax (0.5, wanted));
        }
      ifbam_order_cut_clear (&cut);
    }
}

static void
test_cuts (void **state)
{
  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (IfbamCourse) course = run_up (k == 0 ? 1 : -1);

      check_cuts (course, "shaft.angle", 2);
      check_cuts (course, "shaft.speed", 2);
    }
}

static void
test_refusals (void **state)
{
  const char *const names[] = { "shaft.angle", "x.position", NULL };
  const char *const units[] = { "rad", "m", NULL };
  g_autoptr (IfbamCourse) back = ifbam_course_new_with_units (names, units);
  g_autoptr (IfbamCourse) course = run_up (1);
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_null (ifbam_course_over_turns (course, "x.position", &error));
  assert_non_null (strstr (error->message, "is in m (want an angle in rad or a speed in rad/s)"));
  g_clear_error (&error);
  for (guint i = 0; i < 20; i++)
    ifbam_course_append_row (back, i * 0.1, (const double[]){ sin (i * 0.1), 0 });
  assert_null (ifbam_course_over_turns (back, "shaft.angle", &error));
  assert_non_null (strstr (error->message, "the shaft stands or turns back at 1.7 s"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_cuts),
    cmocka_unit_test (test_refusals),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

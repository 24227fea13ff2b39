/* test-drives.c: nodes with prescribed motion: by a position, a velocity, an acceleration, or a course of one of them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "event-run.h"
#include "fixture.h"
#include "run/run.h"

#define RUN                                                                                        \
  "[network]\nscheme = rk4\nstep = %s\nduration = 3 s\nrecord = floor.position, floor.velocity, "  \
  "m.position\n"
#define OSCILLATOR "[spring k]\nstiffness = 16 N/m\nbetween = floor, m\n[mass m]\nmass = 1 kg\n"

static const double *
values (IfbamCourse *course, const char *signal)
{
  const double *column = ifbam_course_get_values (course, signal, NULL, NULL);

  assert_non_null (column);
  return column;
}

static void
assert_at (const char *what, double time, double value, double expected, double error)
{
  if (!(fabs (value - expected) <= error))
    fail_msg ("%s at %g s: %.17g, not %.17g", what, time, value, expected);
}

/* On a floor that accelerates a mass trails by a/w^2 (1 - cos (w t)). */
static void
test_acceleration (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (
      RUN "[drive floor]\nposition = 1 cm\nvelocity = 0.5 m/s\nacceleration = 2 m/s2\n" OSCILLATOR,
      "1 ms");
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
  gsize n;
  const double *t = ifbam_course_get_times (course, &n);
  const double *x = values (course, "floor.position"), *v = values (course, "floor.velocity");
  const double *m = values (course, "m.position");

  (void) state;
  for (gsize i = 0; i < n; i++)
    {
      const double floor = 0.01 + 0.5 * t[i] + t[i] * t[i];
      const double free = -0.01 * cos (4 * t[i]) - 0.125 * sin (4 * t[i]);

      assert_at ("place", t[i], x[i], floor, 1e-14);
      assert_at ("velocity", t[i], v[i], 0.5 + 2 * t[i], 1e-14);
      assert_at ("mass", t[i], m[i], floor - 0.125 * (1 - cos (4 * t[i])) + free, 1e-10);
    }
}

/* A course's points, of which the first stands before the run's start in one case, and after it in the other */
#define N_POINTS 6
static const double value[N_POINTS] = { 0.5, -2, 3, 3, -1.5, 0.25 };
static const double early[N_POINTS] = { -0.5, 0.25, 0.75, 1.25, 1.5, 2.125 };
static const double late[N_POINTS] = { 0.25, 0.5, 1, 1.75, 2, 2.5 };

static void
write_course (const char *name, const char *header, const double *time, double factor)
{
  g_autoptr (GString) text = g_string_new (header);
  g_autofree char *path = NULL;

  for (guint i = 0; i < N_POINTS; i++)
    g_string_append_printf (text, "%.17g,%.17g\n", time[i], value[i] * factor);
  path = folder_write (name, text->str);
}

/* The straight line between the points; nothing before the first and after the last, where `before` tells to which of
 * two lines a point belongs. */
static double
line_at (const double *time, double t, gboolean before)
{
  for (guint i = 0; i + 1 < N_POINTS; i++)
    if (before ? t > time[i] && t <= time[i + 1] : t >= time[i] && t < time[i + 1])
      return value[i] + (value[i + 1] - value[i]) * (t - time[i]) / (time[i + 1] - time[i]);
  return 0;
}

/* From row to row, none of which lies across a corner, speed and place go on by Simpson's rule, which is exact for lines. */
static void
assert_integrates (const double *time, IfbamCourse *course, double place, double speed)
{
  gsize n;
  const double *t = ifbam_course_get_times (course, &n);
  const double *x = values (course, "floor.position"), *v = values (course, "floor.velocity");

  for (gsize i = 0; i < n; i++)
    {
      const double h = i + 1 < n ? t[i + 1] - t[i] : 0;
      const double left = line_at (time, t[i], FALSE), right = line_at (time, t[i] + h, TRUE);

      assert_at ("place", t[i], x[i], place, 1e-12);
      assert_at ("velocity", t[i], v[i], speed, 1e-12);
      place += h * speed + h * h * (left / 3 + right / 6);
      speed += h * (left + right) / 2;
    }
}

static void
test_course_of_accelerations (void **state)
{
  static const double *const times[] = { early, late };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (times); k++)
    {
      g_autoptr (IfbamNetwork) network = NULL;
      g_autoptr (IfbamCourse) course = NULL, by_objects = NULL;
      gsize n;

      write_course ("quake.csv", "time,acceleration [cm/s2]\n", times[k], 100);
      network = text_network_printf (
          RUN "[drive floor]\nposition = 2 cm\nvelocity = -0.25 m/s\ncourse-of = acceleration\n"
              "course = quake.csv:acceleration\noutside = zero\n" OSCILLATOR,
          "15625 us");
      course = network_course (network, IFBAM_ENGINE_PLAN);
      by_objects = network_course (network, IFBAM_ENGINE_OBJECTS);
      ifbam_course_get_times (course, &n);
      assert_integrates (times[k], course, 0.02, -0.25);
      assert_memory_equal (values (course, "m.position"), values (by_objects, "m.position"),
                           n * sizeof (double));
    }
}

/* The interpolation of a parabola of velocities is exact. */
static void
test_course_of_velocities (void **state)
{
  char *path = folder_write (
      "parabola.csv", "time [ms],speed [mm/s]\n0,0\n500,250\n1500,2250\n2000,4000\n3000,9000\n");
  g_autoptr (IfbamNetwork) network =
      text_network_printf (RUN "[drive floor]\nposition = 1 m\ncourse-of = velocity\nscale = -2\n"
                               "course = parabola.csv:speed\ninterpolation = cubic\n" OSCILLATOR,
                           "10 ms");
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
  gsize n;
  const double *t = ifbam_course_get_times (course, &n);
  const double *x = values (course, "floor.position"), *v = values (course, "floor.velocity");

  (void) state;
  g_free (path);
  for (gsize i = 0; i < n; i++)
    {
      assert_at ("place", t[i], x[i], 1 - 2 * pow (t[i], 3) / 3, 1e-12);
      assert_at ("velocity", t[i], v[i], -2 * t[i] * t[i], 1e-12);
    }
}

/* A scaled drive of any class equals the drive of a scaled file. */
static void
test_scale (void **state)
{
  static const struct
  {
    const char *unit, *text, *signal;
  } cases[] = {
    { "[mm]", "[drive floor]\n%s = rock.csv:c\n" OSCILLATOR, "m.position" },
    { "[N]", "[mass m]\nmass = 1 kg\n[force floor]\non = m\n%s = rock.csv:c\n", "m.position" },
    { "[V]",
      "[voltage-source floor]\n%s = rock.csv:c\n[resistor r]\nresistance = 1 kohm\n"
      "between = floor, m\n[capacitor m]\ncapacitance = 1 mF\n",
      "m.voltage" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double *x[2];
      g_autoptr (IfbamCourse) one = NULL, other = NULL;
      gsize n;

      for (guint k = 0; k < 2; k++)
        {
          g_autofree char *header = g_strdup_printf ("time,c %s\n", cases[i].unit);
          g_autofree char *run = g_strdup_printf (
              "[network]\nscheme = rk4\nstep = 10 ms\nduration = 2 s\nrecord = %s\n",
              cases[i].signal);
          g_autofree char *text =
              g_strdup_printf (cases[i].text, k == 0 ? "scale = -0.5\ncourse" : "course");
          g_autoptr (IfbamNetwork) network = NULL;

          write_course ("rock.csv", header, early, k == 0 ? 1 : -0.5);
          network = text_network_printf ("%s%s", run, text);
          *(k == 0 ? &one : &other) = network_course (network, IFBAM_ENGINE_PLAN);
          x[k] = ifbam_course_get_values (k == 0 ? one : other, cases[i].signal, &n, NULL);
        }
      assert_true (fabs (x[0][n - 1]) > 1e-5);
      for (gsize row = 0; row < n; row++)
        assert_at (cases[i].signal, (double) row, x[0][row], x[1][row],
                   1e-14 * fabs (x[1][row]) + 1e-17);
    }
}

static void
test_what_is_wrong_is_refused (void **state)
{
  static const struct
  {
    const char *keys, *why;
  } cases[] = {
    { "course-of = acceleration", "course-of: applies to a course" },
    { "scale = 2", "scale: applies to a course" },
    { "course = wrong.csv:a", "\"a [m/s2]\" is not a position in m" },
    { "course = wrong.csv:x\ncourse-of = acceleration",
      "\"x [mm]\" is not an acceleration in m/s²" },
    { "course = wrong.csv:a\ncourse-of = velocity", "\"a [m/s2]\" is not a velocity in m/s" },
    { "course = wrong.csv:a\ncourse-of = acceleration\nacceleration = 1 m/s2",
      "can't be combined with \"acceleration\"" },
    { "course = wrong.csv:a\ncourse-of = jerk",
      "\"jerk\" is no choice (want position, velocity or acceleration)" },
  };
  char *path = folder_write ("wrong.csv", "time [s],a [m/s2],x [mm]\n0,0,0\n1,1,1\n");

  (void) state;
  g_free (path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nstep = 1 ms\nduration = 1 s\n[drive floor]\n%s\n" OSCILLATOR, cases[i].keys);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, &error);
      g_autoptr (IfbamCourse) course =
          network == NULL ? NULL : ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

      assert_null (course);
      if (error == NULL || strstr (error->message, cases[i].why) == NULL)
        fail_msg ("%s: %s", cases[i].keys, error == NULL ? "is taken" : error->message);
    }
}

/* Without free nodes prescribed motions are exact under each scheme. */
static void
test_alone (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
                               "record = floor.position, floor.velocity, network.supplied\n"
                               "[drive floor]\namplitude = 2\nfrequency = 1 Hz\n",
                               schemes[s]->name);
      g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
      gsize n;
      const double *t = ifbam_course_get_times (course, &n);

      assert_int_equal (n, 1001);
      for (gsize i = 0; i < n; i++)
        {
          const double angle = 2 * G_PI * t[i];

          assert_at ("place", t[i], values (course, "floor.position")[i], 2 * sin (angle), 1e-14);
          assert_at ("velocity", t[i], values (course, "floor.velocity")[i], 4 * G_PI * cos (angle),
                     1e-13);
          assert_at ("work", t[i], values (course, "network.supplied")[i], 0, 0);
        }
    }
}

/* Beside its law a given node is told from outside where to go: on a line to a place; at a rate; with an acceleration. */
static void
test_from_outside (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network_printf (RUN "[drive floor]\nposition = 1\n" OSCILLATOR, "1 ms");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
  IfbamParameterValues *numbers = ifbam_parameter_values_new (model, &spec, 1);
  const gsize node = model->n_free;

  (void) state;
  numbers->shift = g_new0 (struct _IfbamShift, 1);
  for (guint i = 0; i <= 40; i++)
    {
      const double time = 0.05 * i, since = time - 0.5;
      const double *motion;

      if (i == 0) /* on a line from 1 to 3 within half a second */
        assert_true (ifbam_parameter_values_shift (numbers, node, 0, 2, 0, 0.5));
      if (i == 10) /* from there on with -1 m/s; it has been told so: nothing new */
        {
          assert_true (ifbam_parameter_values_shift (numbers, node, 1, -1, 0.5, 2));
          assert_false (ifbam_parameter_values_shift (numbers, node, 1, -1, 0.5, 2));
        }
      if (i == 20) /* and with 6 m/s2 */
        assert_true (ifbam_parameter_values_shift (numbers, node, 2, 6, 1, 2));
      motion = ifbam_parameter_values_motion (numbers, node, time);
      assert_at ("place", time, motion[0],
                 i < 10   ? 1 + 4 * time
                 : i < 20 ? 3 - since
                          : 3 - since + 3 * (time - 1) * (time - 1),
                 1e-14);
      assert_at ("velocity", time, motion[1],
                 i < 10   ? 4
                 : i < 20 ? -1
                          : -1 + 6 * (time - 1),
                 1e-14);
      assert_at ("acceleration", time, motion[2], i < 20 ? 0 : 6, 0);
    }
  /* On a line back to 0: the position there is exactly 0, without rounding of the path. */
  for (guint i = 1; i < 400; i++)
    {
      const double end = 0.1 * i + 0.01 * i * i;
      const double *motion;

      numbers->shift[0] = (struct _IfbamShift){ .position = { 0.3, 0.3 } };
      assert_true (ifbam_parameter_values_shift (numbers, node, 0, 0, 0, end));
      assert_true (ifbam_parameter_values_shift (numbers, node, 0, 0, end, end + 1));
      motion = ifbam_parameter_values_motion (numbers, node, end + 0.5);
      assert_true (motion[0] == 1 && motion[1] == 0);
    }
  ifbam_parameter_values_free (numbers);
}

/* A drive without links moves beside events of others: its corners are scheduled events, too. */
static void
test_drive_that_nobody_hears (void **state)
{
  g_autoptr (EventRun) run =
      event_run (EVENT_RUN_BY_EVENTS, "%s",
                 "[network]\nscheme = verlet\nstep = 1 ms\nduration = 0.1 s\n"
                 "record = saw.position, m.position\n[ground g]\n[mass m]\nmass = 1\nvelocity = 1\n"
                 "position = 0.1\n[impact i]\nbetween = m, g\ngap = 150 mm\n"
                 "[drive saw]\namplitude = 1 mm\nwave = ramp\nat = 30.3 ms\nover = 111 ms\n");
  gsize n;
  const double *position = event_run_values (run, "saw.position", &n);

  (void) state;
  assert_int_equal (n, 101);
  for (gsize i = 0; i < n; i++)
    assert_near (position[i], fmax (0, ((double) i - 30.3) / 111) * 1e-3, 1e-15, "saw");
  assert_near (event_run_last (run, "m.position"), 0.1, 1e-12, "what bounces");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_drive_that_nobody_hears),
    cmocka_unit_test (test_acceleration),
    cmocka_unit_test (test_course_of_accelerations),
    cmocka_unit_test (test_course_of_velocities),
    cmocka_unit_test (test_scale),
    cmocka_unit_test (test_what_is_wrong_is_refused),
    cmocka_unit_test (test_alone),
    cmocka_unit_test (test_from_outside),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

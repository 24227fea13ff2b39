/* test-measured.c: measured courses have units, and drive nodes of their quantity
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "fixture.h"
#include "file/file.h"

#define NETWORK                                                                                    \
  "[network]\nscheme = verlet\nstep = 1 ms\nduration = 40 ms\nrecord = m.position\n"               \
  "[drive floor]\ncourse = %s\n[spring k]\nstiffness = 1 kN/m\nbetween = floor, m\n"               \
  "[mass m]\nmass = 1 kg\n"

static void
assert_same_course (const char *name, const char *file)
{
  g_autoptr (IfbamNetwork) one = text_network_printf (NETWORK, "si.csv:position");
  g_autoptr (IfbamNetwork) other = text_network_printf (NETWORK, file);
  g_autoptr (IfbamCourse) a = network_course (one, IFBAM_ENGINE_PLAN);
  g_autoptr (IfbamCourse) b = network_course (other, IFBAM_ENGINE_PLAN);
  gsize n;
  const double *x = ifbam_course_get_values (a, "m.position", &n, NULL);
  const double *y = ifbam_course_get_values (b, "m.position", &n, NULL);

  assert_true (fabs (x[n - 1]) > 1e-4);
  for (gsize i = 0; i < n; i++)
    if (!(fabs (x[i] - y[i]) <= 1e-15))
      fail_msg ("%s: %g, not %g", name, y[i], x[i]);
}

static void
test_units_are_converted (void **state)
{
  g_autofree char *si =
      folder_write ("si.csv", "time,position\n0,0\n0.01,0.002\n0.03,-0.001\n0.05,0.004\n");
  g_autofree char *small = folder_write (
      "small.csv", "time [ms],floor [mm],other [cm]\n0,0,0\n10,2,0.2\n30,-1,-0.1\n50,4,0.4\n");

  (void) state;
  assert_same_course ("without the unit", "small.csv:floor");
  assert_same_course ("with the unit", "small.csv:floor [mm]");
  assert_same_course ("another unit", "small.csv:other");
}

static void
assert_refused (const char *column, const char *why)
{
  g_autofree char *text = g_strdup_printf (NETWORK, column);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, &error);
  g_autoptr (IfbamCourse) course =
      network == NULL ? NULL : ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  if (course != NULL || error == NULL)
    fail_msg ("%s is not refused", column);
  else if (strstr (error->message, why) == NULL)
    fail_msg ("%s: %s", column, error->message);
}

static void
test_what_does_not_fit_is_refused (void **state)
{
  g_autofree char *path =
      folder_write ("wrong.csv", "time [s],a [m/s2],m1.acceleration,Accel_Z,speed,w [deg],x [foo]\n"
                                 "0,0,0,0,0,0,0\n1,1,1,1,1,1,1\n");

  (void) state;
  assert_refused ("wrong.csv:a", "\"a [m/s2]\" is not a position in m");
  assert_refused ("wrong.csv:m1.acceleration", "by its name \"m1.acceleration\" is not a position");
  assert_refused ("wrong.csv:Accel_Z", "by its name \"Accel_Z\" is not a position");
  assert_refused ("wrong.csv:speed", "by its name \"speed\" is not a position");
  /* an angle may be driven, but not against a spring */
  assert_refused ("wrong.csv:w", "\"floor\" is of rotation already");
  assert_refused ("wrong.csv:x", "\"x [foo]\" is not a position in m");
}

/* A column without quantity gets a note. */
static void
test_what_is_taken_is_said (void **state)
{
  static const struct
  {
    const char *column, *note;
  } columns[] = { { "x [mm]", NULL },
                  { "m1.position", NULL },
                  { "ch1", "\"ch1\"" },
                  { "reinforced", "\"reinforced\"" } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *text = g_strdup_printf ("time,%s\n0,0\n1,1\n", columns[i].column);
      g_autofree char *path = folder_write ("said.csv", text);
      g_autofree char *course = g_strdup_printf ("said.csv:%s", columns[i].column);
      g_autoptr (IfbamNetwork) network = text_network_printf (NETWORK, course);
      g_autofree char *note =
          ifbam_element_course_note (network->folder, ifbam_network_get_element (network, "floor"));

      if (columns[i].note == NULL)
        assert_null (note);
      else
        {
          assert_non_null (note);
          assert_non_null (strstr (note, columns[i].note));
          assert_non_null (strstr (note, "has no unit"));
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_units_are_converted),
    cmocka_unit_test (test_what_does_not_fit_is_refused),
    cmocka_unit_test (test_what_is_taken_is_said),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

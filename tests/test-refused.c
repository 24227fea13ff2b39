/* test-refused.c: limits of elements' parameters, and their starts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "element/element.h"
#include "fixture.h"
#include "file/file.h"

#define RUN "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 ms\n[ground g]\n"

static void
assert_taken (const char *text)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  if (course == NULL)
    fail_msg ("%s: %s", text, error->message);
}

static void
assert_setting_refused (const char *text, const char *setting, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network =
      text_network_try (text, (const char *const[]){ setting, NULL }, &error);

  assert_null (network);
  assert_message (error->message, words);
}

#define CHAIN RUN "[chain c]\ncount = 3\nmass = 1\nstiffness = 1\n"

#define RODS RUN "[chain c]\ncount = 3\nmass = 1\nrods = 1, 2\n"

static void
test_chains (void **state)
{
  (void) state;
  assert_taken (CHAIN "from = g\nto = g\n");
  text_refused (CHAIN "from = c.m1\n", "from: both ends of a spring are on \"c.m1\"");
  text_refused (CHAIN "to = c.m3\n", "to: both ends of a spring are on \"c.m3\"");
  assert_setting_refused (RODS, "c.m1.damping=1",
                          "in a chain of rods a mass has no number \"damping\" (it has mass)");
  assert_setting_refused (RODS, "c.r2.mass=1",
                          "in a chain of rods a rod has no number \"mass\" (it has length)");
}

/* Without an end to hang from it begins where the plane does. */
static void
test_where_rods_begin (void **state)
{
  g_autoptr (IfbamCourse) course = text_course (RODS "direction = 90 deg\n");

  (void) state;
  assert_near (course_first (course, "c.m1.x"), 0, 0, "x of the first");
  assert_near (course_first (course, "c.m1.y"), 0, 0, "y of the first");
  assert_near (course_first (course, "c.m3.y"), 3, 1e-15, "y of the last");
}

#define HYSTERESIS RUN "[mass m]\nmass = 1\n[hysteresis h]\nlow = 0\nhigh = 1\nbetween = m, g\n"

static void
test_hysteresis (void **state)
{
  (void) state;
  assert_taken (HYSTERESIS "lower = 1 mm\nupper = 1.001 mm\n");
  text_refused (HYSTERESIS "lower = 1 mm\nupper = 1 mm\n",
                "lower: 0.001 is not below upper, 0.001");
}

#define DRIVE RUN "[mass m]\nmass = 1\n[spring k]\nstiffness = 1\nbetween = d, m\n[drive d]\n"

static void
test_drives (void **state)
{
  (void) state;
  assert_taken (DRIVE "wave = pulse\namplitude = 1 mm\nover = 2 s\nrise = 1 s\n");
  text_refused (DRIVE "wave = pulse\namplitude = 1 mm\nover = 2 s\n",
                "rise: 0 s: a position can't jump");
}

#define CIRCUIT                                                                                    \
  RUN "[monitor w]\nsignal = c.voltage\nlevel = 0.5\n[capacitor c]\ncapacitance = 1\n"             \
      "[resistor r]\nresistance = 1\nbetween = u, c\n"                                             \
      "[controller k]\nsignal = c.voltage\ngain = 1\nevery = 1 ms\n[voltage-source u]\n"

static void
test_voltage_sources (void **state)
{
  (void) state;
  assert_taken (CIRCUIT "voltage = 1\nfollow = k\n");
  text_refused (CIRCUIT "voltage = 1\nscale = 2\n", "scale");
  text_refused (CIRCUIT "voltage = 1\nfollow = k\nwhen = w\n",
                "follow: can't be combined with \"when\"");
}

/* A pulse that is over before anybody could see it. */
static void
test_short_periods (void **state)
{
#define PULSES RUN "[mass m]\nmass = 1\n[force f]\non = m\namplitude = 1\nwave = pwm\n"
  (void) state;
  assert_taken (PULSES "period = 1 ms\n");
  text_refused (PULSES "period = 1e-13 s\n",
                "period: 1e-13 s is too short (want at least 1e-12 s)");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_chains),          cmocka_unit_test (test_where_rods_begin),
    cmocka_unit_test (test_hysteresis),      cmocka_unit_test (test_drives),
    cmocka_unit_test (test_voltage_sources), cmocka_unit_test (test_short_periods),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

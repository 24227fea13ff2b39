/* test-followers.c: switches and sources that follow monitors, with hysteresis or without
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"

static const char *const schemes[] = { "averaged", "original",         "rk4",
                                       "verlet",   "symplectic-euler", "euler" };

/* A relay oscillator: a capacitor is charged through a resistor until it is above 2/3 of the supply, and discharged until it
 * is below 1/3: its period is 2 tau log 2. */
#define RELAY                                                                                      \
  "record = c.voltage, up.current, network.*\n"                                                    \
  "[voltage-source battery]\nvoltage = 9 V\n[ground earth]\n"                                      \
  "[capacitor c]\ncapacitance = 1 uF\n"                                                            \
  "[monitor high]\nsignal = c.voltage\nlevel = 4.5 V\nhysteresis = 3 V\n"                          \
  "[switch up]\nresistance = 1 kohm\nbetween = battery, c\nwhen = high\nside = below\n"            \
  "[switch down]\nresistance = 1 kohm\nbetween = c, earth\nwhen = high\n"

static void
test_relay (void **state)
{
  double first, last;
  guint n;
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 50 us\nduration = 60 ms\n" RELAY);

  (void) state;
  n = event_run_count (run, "high", "rise");
  assert_int_equal (n, event_run_count (run, "up", "open"));
  assert_int_equal (n, event_run_count (run, "down", "close"));
  first = event_run_event (run, "high", "rise", 0)->time;
  last = event_run_event (run, "high", "rise", n - 1)->time;
  assert_number (first, 1e-3 * log (3), 1e-8);
  assert_number ((last - first) / (n - 1), 2e-3 * log (2), 1e-8);
  for (guint i = 0; i < n; i++)
    assert_true (event_run_event (run, "high", "rise", i)->time
                 == event_run_event (run, "up", "open", i)->time);
  assert_number (event_run_ledger_gap (run), 0, 1e-8);
}

/* A heater that acts while it is cold holds a wagon's speed between two bounds: v' = (F - c v)/m or -c v/m. */
#define GOVERNOR                                                                                   \
  "record = wheel.speed, motor.torque, network.*\n"                                                \
  "[inertia wheel]\ninertia = 2 kg m2\n[ground housing]\n"                                         \
  "[torsion-damper bearing]\ndamping = 0.5 N m s/rad\nbetween = wheel, housing\n"                  \
  "[monitor speed]\nsignal = wheel.speed\nlevel = 10 rad/s\nhysteresis = 1 rad/s\n"                \
  "[torque motor]\non = wheel\nvalue = 20 N m\nwhen = speed\nside = below\n"

static void
test_source (void **state)
{
  const double tau = 4, rise = tau * log ((40 - 9.5) / (40 - 10.5)), fall = tau * log (10.5 / 9.5);
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 5 ms\nduration = 20 s\n" GOVERNOR);
  const guint n = event_run_count (run, "speed", "rise");
  gsize rows;
  const double *torque = event_run_values (run, "motor.torque", &rows);
  const double *speed = event_run_values (run, "wheel.speed", &rows);

  (void) state;
  assert_number (event_run_event (run, "speed", "rise", 0)->time, tau * log (40 / 29.5), 1e-9);
  assert_number (event_run_event (run, "speed", "rise", n - 1)->time
                     - event_run_event (run, "speed", "rise", 0)->time,
                 (n - 1) * (rise + fall), 1e-7);
  for (gsize i = 1000; i < rows; i++)
    assert_true (speed[i] > 9.5 - 1e-9 && speed[i] < 10.5 + 1e-9
                 && (torque[i] == 0 || torque[i] == 20));
  assert_number (event_run_ledger_gap (run), 0, 1e-7);
}

/* Without hysteresis it slides along the level: within a step it chatters, which ends at the step's end. */
static void
test_no_hysteresis (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 10 ms\nduration = 10 s\nrecord = wheel.speed\n"
                    "[inertia wheel]\ninertia = 2 kg m2\n[ground housing]\n"
                    "[torsion-damper bearing]\ndamping = 0.5 N m s/rad\nbetween = wheel, housing\n"
                    "[monitor speed]\nsignal = wheel.speed\nlevel = 10 rad/s\n"
                    "[torque motor]\non = wheel\nvalue = 20 N m\nwhen = speed\nside = below\n");
  gsize rows;
  const double *speed = event_run_values (run, "wheel.speed", &rows);

  (void) state;
  for (gsize i = 200; i < rows; i++)
    assert_number (speed[i], 10, 0.01 * 20 / 2);
}

/* A clutch that engages when the second wheel is fast enough: both go on with the momentum that they have. */
#define CLUTCH                                                                                     \
  "record = a.speed, b.speed, gear.mode, network.*\n"                                              \
  "[inertia a]\ninertia = 2 kg m2\nspeed = 10 rad/s\n[inertia b]\ninertia = 3 kg m2\n"             \
  "[torque motor]\non = b\nvalue = 6 N m\n"                                                        \
  "[monitor fast]\nsignal = b.speed\nlevel = 4 rad/s\nhysteresis = 2 rad/s\n"                      \
  "[dog-clutch gear]\nwhen = fast\nbetween = a, b\n"

static void
test_clutch (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 7 ms\nduration = 4.2 s\n" CLUTCH);
  /* b: 2 t until 5 rad/s; then (2 10 + 3 5)/5 + 6/5 (t - 2.5) */
  const double together = 7 + 1.2 * (4.2 - 2.5);

  (void) state;
  assert_int_equal (event_run_count (run, "gear", "engage"), 1);
  assert_number (event_run_event (run, "gear", "engage", 0)->time, 2.5, 1e-9);
  assert_number (event_run_last (run, "a.speed"), together, 1e-9);
  assert_number (event_run_last (run, "b.speed"), together, 1e-9);
  assert_number (event_run_ledger_gap (run), 0, 1e-8);
  /* The loss is that of the reduced inertia 6/5 and the difference 5 */
  assert_number (event_run_last (run, "network.dissipated"), 0.5 * 1.2 * 25, 1e-8);
}

/* A source that follows a signal of another island, beside a chain that could sleep. */
#define APART                                                                                      \
  "record = c.m1.position, c.m40.velocity, a.position, push.force\n"                               \
  "[chain c]\ncount = 60\nmass = 0.1 kg\nstiffness = 400 N/m\n"                                    \
  "[mass a]\nmass = 1 kg\nposition = 1 cm\n[ground wall]\n"                                        \
  "[spring k]\nstiffness = 900 N/m\nbetween = wall, a\n"                                           \
  "[monitor side]\nsignal = a.position\nhysteresis = 2 mm\ndirection = rising\n"                   \
  "[force push]\non = c.m20\namplitude = 5 N\nfrequency = 3 Hz\nvalue = 1 N\nwhen = side\n"

static void
test_same_bits (void **state)
{
  static const char *const networks[] = { RELAY, GOVERNOR, APART, CLUTCH };
  static const char *const steps[] = { "10 us", "2 ms", "0.1 ms", "5 ms" };
  static const char *const durations[] = { "10 ms", "4 s", "0.3 s", "3 s" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
      {
        g_autofree char *text =
            g_strdup_printf ("[network]\nscheme = %s\nstep = %s\nduration = %s\n%s", schemes[s],
                             steps[i], durations[i], networks[i]);

        event_run_assert_same_bits (text);
      }
}

/* The force of another island acts from the very instant on. */
static void
test_apart (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 7 ms\nduration = 1.5 s\nrecord = *.position, *.velocity\n"
         "[mass a]\nmass = 1 kg\nposition = -1 cm\n[ground wall]\n"
         "[spring k]\nstiffness = 4 N/m\nbetween = wall, a\n"
         "[mass b]\nmass = 2 kg\n[monitor side]\nsignal = a.position\n"
         "[force push]\non = b\nvalue = 3 N\nwhen = side\n");
  /* -cos (2 t) rises through 0 at pi/4. */
  const double t = 1.498 - acos (0) / 2;
  gsize n;
  const double *x = event_run_values (run, "b.position", &n);

  (void) state;
  assert_number (x[n - 1], 1.5 * t * t / 2, 1e-6);
}

/* A force that pushes while a mass goes forward ends where a stop throws it back, though its monitor tells crossings the other way
 * only: a jump of its signal counts at once. */
static void
test_a_jump_that_nobody_tells (void **state)
{
  static const char *const directions[] = { "both", "rising", "falling" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    for (guint objects = 0; objects < 2; objects++)
      {
        g_autoptr (EventRun) run = event_run (
            objects ? EVENT_RUN_OBJECTS : 0,
            "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\n"
            "record = m.velocity, network.*\n[mass m]\nmass = 1\nposition = -1\nvelocity = 1\n"
            "[ground g]\n[impact stop]\nbetween = m, g\n"
            "[monitor forward]\nsignal = m.velocity\nlevel = 0 m/s\ndirection = %s\n"
            "[force push]\non = m\nvalue = 1\nwhen = forward\n",
            directions[i]);

        assert_near (event_run_event (run, "stop", "impact", 0)->time, sqrt (3) - 1, 1e-12,
                     "instant");
        assert_near (event_run_last (run, "m.velocity"), -sqrt (3), 1e-12, directions[i]);
        assert_number (event_run_ledger_gap (run), 0, 1e-12);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_a_jump_that_nobody_tells),
    cmocka_unit_test (test_relay),
    cmocka_unit_test (test_source),
    cmocka_unit_test (test_no_hysteresis),
    cmocka_unit_test (test_same_bits),
    cmocka_unit_test (test_apart),
    cmocka_unit_test (test_clutch),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

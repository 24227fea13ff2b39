/* test-damping.c: Rayleigh's damping: ratios of all modes, and the same network with its dampers written out
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "file/file.h"

/* Springs of a frame, a shaft beside it, and a chain; a free body has a mode of frequency 0. */
#define NETWORK_OF(cubic)                                                                          \
  "[ground wall]\n[mass a]\nmass = 2 kg\n[mass b]\nmass = 3 kg\nposition = 1 cm\n"                 \
  "[spring k1]\nstiffness = 900 N/m\nbetween = wall, a\n"                                          \
  "[spring k2]\nstiffness = 400 N/m\n" cubic "between = a, b\n"                                    \
  "[inertia r]\ninertia = 0.2 kg m2\n[inertia s]\ninertia = 0.3 kg m2\nspeed = 2 rad/s\n"          \
  "[torsion-spring shaft]\nstiffness = 50 N m/rad\nbetween = r, s\n"                               \
  "[chain c]\ncount = 5\nmass = 1 kg, 2 kg\nstiffness = 300 N/m\nfrom = wall\nto = a\n"
#define NETWORK NETWORK_OF ("")
/* Beside a spring that stiffens it is of its stiffness where nothing is compressed. */
#define STIFFENING NETWORK_OF ("cubic = 1e5 N/m3\n")
#define WITHOUT                                                                                    \
  "[network]\nscheme = rk4\nstep = 1 ms\nduration = 0.5 s\nrecord = *.position, *.angle\n"

static void
assert_ratios (const char *group, double alpha, double beta)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (WITHOUT NETWORK "%s", group);
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, NULL);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);
  guint seen = 0;

  for (gsize i = 0; i < n; i++)
    {
      /* The rate that it would have without damping */
      const double w = hypot (2 * G_PI * list[i].frequency, list[i].decay_rate);

      if (list[i].kind != IFBAM_MODE_OSCILLATING)
        continue;
      assert_number (list[i].damping_ratio, (alpha / w + beta * w) / 2, 1e-9);
      seen++;
    }
  assert_int_equal (seen, 8);
}

static void
test_ratios (void **state)
{
  const double low = 2 * G_PI * 1, high = 2 * G_PI * 5;

  (void) state;
  assert_ratios ("[damping d]\nalpha = 0.4 1/s\nbeta = 2 ms\n", 0.4, 2e-3);
  assert_ratios ("[damping d]\nbeta = 2 ms\n", 0, 2e-3);
  assert_ratios ("[damping d]\nalpha = 0.4 1/s\n", 0.4, 0);
  /* Clough & Penzien 1975, eq. 13-11: of one ratio at both frequencies */
  assert_ratios ("[damping d]\nratio = 3 %\nfrequencies = 1 Hz, 5 Hz\n",
                 2 * 0.03 * low * high / (low + high), 2 * 0.03 / (low + high));
  /* alpha/w + beta w = 2 ratio at each of them */
  assert_ratios ("[damping d]\nratio = 0.02, 0.05\nfrequencies = 1 Hz, 5 Hz\n",
                 2 * low * (0.02 - 0.05 * low / high) / (1 - low * low / (high * high)),
                 2 * (0.05 * high - 0.02 * low) / (high * high - low * low));
}

/* The same as explicit dampers; the group precedes the damped links. */
static void
test_dampers (void **state)
{
  static const char by_hand[] =
      "[damper d1]\ndamping = 1.8 N s/m\nbetween = wall, a\n"
      "[damper d2]\ndamping = 0.8 N s/m\nbetween = a, b\n"
      "[torsion-damper d3]\ndamping = 0.1 N m s/rad\nbetween = r, s\n"
      "[damper e1]\ndamping = 0.6 N s/m\nbetween = wall, c.m1\n"
      "[damper e2]\ndamping = 0.6 N s/m\nbetween = c.m1, c.m2\n"
      "[damper e3]\ndamping = 0.6 N s/m\nbetween = c.m2, c.m3\n"
      "[damper e4]\ndamping = 0.6 N s/m\nbetween = c.m3, c.m4\n"
      "[damper e5]\ndamping = 0.6 N s/m\nbetween = c.m4, c.m5\n"
      "[damper e6]\ndamping = 0.6 N s/m\nbetween = c.m5, a\n"
      "[damper f1]\ndamping = 0.8 N s/m\nbetween = a, wall\n"
      "[damper f2]\ndamping = 1.2 N s/m\nbetween = b, wall\n"
      "[torsion-damper f3]\ndamping = 0.08 N m s/rad\nbetween = r, housing\n"
      "[torsion-damper f4]\ndamping = 0.12 N m s/rad\nbetween = s, housing\n[ground housing]\n"
      "[damper g1]\ndamping = 0.4 N s/m\nbetween = c.m1, wall\n"
      "[damper g2]\ndamping = 0.8 N s/m\nbetween = c.m2, wall\n"
      "[damper g3]\ndamping = 0.4 N s/m\nbetween = c.m3, wall\n"
      "[damper g4]\ndamping = 0.8 N s/m\nbetween = c.m4, wall\n"
      "[damper g5]\ndamping = 0.4 N s/m\nbetween = c.m5, wall\n";
  static const char *const signals[] = { "a.position", "b.position", "s.angle", "c.m3.position" };
  g_autoptr (EventRun) run =
      event_run (0, WITHOUT "[damping d]\nalpha = 0.4 1/s\nbeta = 2 ms\n" STIFFENING);
  g_autoptr (EventRun) objects = event_run (
      EVENT_RUN_OBJECTS, WITHOUT "[damping d]\nalpha = 0.4 1/s\nbeta = 2 ms\n" STIFFENING);
  g_autoptr (EventRun) other = event_run (0, WITHOUT STIFFENING "%s", by_hand);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      gsize n;
      const double *x = event_run_values (run, signals[i], &n);
      const double *y = event_run_values (other, signals[i], &n);

      assert_true (fabs (x[n - 1]) > 1e-5);
      for (gsize row = 0; row < n; row++)
        assert_number (x[row], y[row], 1e-14);
      assert_memory_equal (x, event_run_values (objects, signals[i], &n), n * sizeof *x);
    }
}

/* In a sweep the damper follows the spring's stiffness: lanes can't run it. */
static void
test_dampers_follow (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (WITHOUT NETWORK "[damping d]\nbeta = 2 ms\n");
  IfbamElement *spring = ifbam_network_get_element (network, "k1");
  g_autoptr (IfbamModes) modes = NULL;
  gsize n;
  const IfbamMode *list;

  (void) state;
  g_object_set (spring, "stiffness", 3600.0, NULL);
  modes = ifbam_modes_new (network, 0, 0, NULL);
  list = ifbam_modes_get_modes (modes, &n);
  for (gsize i = 0; i < n; i++)
    if (list[i].kind == IFBAM_MODE_OSCILLATING)
      assert_number (list[i].damping_ratio,
                     1e-3 * hypot (2 * G_PI * list[i].frequency, list[i].decay_rate), 1e-9);
}

static void
test_what_is_wrong_is_refused (void **state)
{
  static const struct
  {
    const char *keys, *why;
  } cases[] = {
    { "alpha = 1 1/s\n[damping e]\nbeta = 1 ms", "already damps all elements" },
    { "ratio = 0.02", "frequencies: is missing" },
    { "frequencies = 1 Hz, 2 Hz", "ratio: is missing" },
    { "ratio = 0.02\nfrequencies = 1 Hz, 2 Hz\nbeta = 1 ms",
      "beta: can't be combined with \"ratio\"" },
    { "ratio = 0.02\nfrequencies = 2 Hz, 1 Hz", "frequencies: 1 Hz is not above 2 Hz" },
    { "ratio = 0.02\nfrequencies = 2 Hz", "frequencies: 1 of them" },
    { "ratio = 0.01, 0.09\nfrequencies = 1 Hz, 2 Hz",
      "ratio: Rayleigh damping can't have these ratios" },
    { "alpha = 1 s", "alpha: " },
    { "beta = 1 ms\n[body g]\nmass = 1 kg\ninertia = 1 kg m2\n[point p]\n"
      "[spring kp]\nstiffness = 10 N/m\nbetween = p, g\n",
      "\"kp\" is between points of the plane" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault = event_run_fault (WITHOUT NETWORK "[damping d]\n%s\n", cases[i].keys);

      if (strstr (fault, cases[i].why) == NULL)
        fail_msg ("%s: %s", cases[i].keys, fault);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_ratios),
    cmocka_unit_test (test_dampers),
    cmocka_unit_test (test_dampers_follow),
    cmocka_unit_test (test_what_is_wrong_is_refused),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

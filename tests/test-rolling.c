/* test-rolling.c: balls that turn: they slip, roll, and are held, against closed forms
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

static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                       "euler", "original" };

static void
assert_near (double value, double exact, double tolerance, const char *what)
{
  if (!(fabs (value - exact) <= tolerance))
    fail_msg ("%s: %.17g, not %.17g", what, value, exact);
}

/* A ball with inertia has an angle that is a node, and points: a shape says so much of m r^2. */
static void
test_angle (void **state)
{
  static const struct
  {
    const char *shape;
    double part;
  } shapes[] = { { "solid", 0.4 }, { "hollow", 2.0 / 3.0 }, { "disc", 0.5 }, { "ring", 1 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      const double omega = sqrt (3 / (shapes[s].part * 2 * 0.25));
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n"
                     "record = b.angle, b.speed, tip.x, tip.vy\n[ball b]\nmass = 2\nradius = 0.5\n"
                     "inertia = %s\nangle = 0.3\nx = 1\n[point tip]\non = b\nx = 0.5\n[ground g]\n"
                     "[torsion-spring k]\nstiffness = 3\nbetween = b.angle, g\n",
                     shapes[s].shape);
      const double angle = 0.3 * cos (omega), speed = -0.3 * omega * sin (omega);

      assert_near (event_run_last (run, "b.angle"), angle, 1e-10, shapes[s].shape);
      assert_near (event_run_last (run, "b.speed"), speed, 1e-9, shapes[s].shape);
      assert_near (event_run_last (run, "tip.x"), 1 + 0.5 * cos (angle), 1e-10, shapes[s].shape);
      assert_near (event_run_last (run, "tip.vy"), 0.5 * speed * cos (angle), 1e-9,
                   shapes[s].shape);
    }
}

/* What acts on a ball's middle does not hear its angle: the same motion with and without, to the bit; magnus takes the
 * speed that it has. */
static void
test_same_with_an_angle (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      double x[2], y[2];

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 0.5 s\n"
              "record = b.x, b.y\n[ball b]\nmass = 2\nradius = 0.1\n%svx = 3\nspeed = 7\n"
              "[gravity g]\non = b\n[drag d]\ncoefficient = 0.2\non = b\n"
              "[magnus m]\ncoefficient = 0.1\non = b\n[point p]\nx = 1\ny = 1\n"
              "[spring k]\nstiffness = 20\nbetween = b, p\n",
              schemes[s], k == 0 ? "" : "inertia = ring\n");

          x[k] = event_run_last (run, "b.x");
          y[k] = event_run_last (run, "b.y");
        }
      assert_true (memcmp (&x[0], &x[1], sizeof x[0]) == 0);
      assert_true (memcmp (&y[0], &y[1], sizeof y[0]) == 0);
    }
}

static void
test_balls_that_can_not_turn (void **state)
{
  static const struct
  {
    const char *keys, *fault;
  } cases[] = {
    { "inertia = solid", "needs a radius" },
    { "inertia = sphere", "inertia" },
    { "inertia = -1", "below the least" },
    { "angle = 1", "only what has inertia turns" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault = event_run_fault (
          "[network]\nstep = 1 ms\nduration = 1 s\n[ball b]\nmass = 1\n%s\n", cases[i].keys);

      if (strstr (fault, cases[i].fault) == NULL)
        fail_msg ("%s: %s", cases[i].keys, fault);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_angle),
    cmocka_unit_test (test_same_with_an_angle),
    cmocka_unit_test (test_balls_that_can_not_turn),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

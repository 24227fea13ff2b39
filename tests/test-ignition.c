/* test-ignition.c: a piston engine: gas and impulses between points of the plane, in a kinematic loop
 *
 * Zimmer & Cellier 2007, Impulse-bond graphs, figures 8 to 14; here a crank of 40 mm, a rod of 120 mm and a gas. The reference
 * numbers are of the crank's angle alone, by a method of order 8 with a tolerance of 3e-14, restarted at each ignition.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "by-hand.h"
#include "event-run.h"
#include "fixture.h"

#define CRANK                                                                                      \
  "[body crank]\nmass = 5\ninertia = 0.1\nangle = 180 deg\nspeed = 60\n"                           \
  "[point centre]\n[point pin]\non = crank\nx = 40 mm\n[point head]\nx = 170 mm\n"                 \
  "[hinge main]\nbetween = centre, crank\n"                                                        \
  "[ground floor]\n[torsion-damper load]\ndamping = 0.1\nbetween = crank.angle, floor\n"           \
  "[rod conrod]\nlength = 120 mm\nbetween = pin, wrist\n"                                          \
  "[gas-spring gas]\narea = 50 cm2\npressure = 100 kPa\nbetween = head, wrist\n"                   \
  "[impulse ignition]\nbetween = head, wrist\nenergy = 60 J\nwhen = back\n"

/* The piston: a body in its bore, a ball, which has no angle, or two bodies that are welded together */
#define BODY                                                                                       \
  "[body piston]\nmass = 0.4\ninertia = 1e-3\n[point wrist]\non = piston\n"                        \
  "[slider bore]\nbetween = centre, piston\n"                                                      \
  "[monitor back]\nsignal = piston.x\nlevel = 159 mm\ndirection = falling\n"
#define BALL                                                                                       \
  "[ball wrist]\nmass = 0.4\n[slider bore]\nbetween = centre, wrist\n"                             \
  "[monitor back]\nsignal = wrist.x\nlevel = 159 mm\ndirection = falling\n"
#define WELDED                                                                                     \
  "[body piston]\nmass = 0.1\ninertia = 1e-3\n[body crown]\nmass = 0.3\ninertia = 2e-3\n"          \
  "[point end]\non = crown\nx = -20 mm\n[point top]\non = piston\nx = 10 mm\n"                     \
  "[weld joint]\nbetween = top, end\n[point wrist]\non = piston\n"                                 \
  "[slider bore]\nbetween = centre, piston\n"                                                      \
  "[monitor back]\nsignal = wrist.x\nlevel = 159 mm\ndirection = falling\n"

static EventRun *
run_engine (const char *piston, const char *scheme, double step, double duration)
{
  return event_run (0,
                    "[network]\nformat = 1\nscheme = %s\nstep = %.17g\nduration = %.17g\n"
                    "record = crank.angle, crank.speed, wrist.x, network.energy, "
                    "network.dissipated, network.supplied\n%s" CRANK,
                    scheme, step, duration, piston);
}

static double
speed_by_rate (double rate, double angle)
{
  const double aside = 0.04 * sin (angle), far = sqrt (0.0144 - aside * aside);

  return rate / (aside * (1 + 0.04 * cos (angle) / far));
}

static void
test_course (void **state)
{
  g_autoptr (EventRun) run = run_engine (BODY, "rk4", 1e-4, 2);
  g_autoptr (EventRun) coarse = run_engine (BODY, "rk4", 2e-4, 0.5);
  gsize n;
  const double *angle = event_run_values (run, "crank.angle", &n);
  const double *speed = event_run_values (run, "crank.speed", &n);
  const double *x = event_run_values (run, "wrist.x", &n);
  const double *lost = event_run_values (run, "network.dissipated", &n);
  const IfbamEvent *first = event_run_event (run, "ignition", "impulse", 0);
  const IfbamEvent *second = event_run_event (run, "ignition", "impulse", 1);

  (void) state;
  assert_number (angle[1000], 8.408584501992, 1e-10);
  assert_number (speed[1000], 64.73958328276, 1e-8);
  assert_number (x[1000], 0.09401705384191, 1e-12);
  assert_number (lost[1000], 28.91851379069, 1e-9);
  assert_number (angle[5000], 33.84546510724, 2e-9);
  assert_number (speed[5000], 75.55450446817, 1e-8);
  assert_number (x[5000], 0.08683844445704, 1e-10);
  assert_number (lost[5000], 193.9534324827, 1e-7);
  assert_number (first->time, 0.06786248232, 1e-11);
  assert_number (first->impulse, 145.318476, 1e-6);
  assert_number (first->energy_change, 60, 1e-12);
  assert_number (speed_by_rate (first->rate_before, 6.477342174003), 32.85112486558, 1e-8);
  assert_number (speed_by_rate (first->rate_after, 6.477342174003), 47.73565346741, 1e-8);
  assert_number (second->time, 0.17703592363, 3e-11);
  assert_number (second->rate_after / second->rate_before, 52.33285684305 / 39.23304344973, 1e-9);
  assert_int_equal (event_run_count (run, "ignition", "impulse"), 24);
  assert_number (event_run_ledger_gap (run), 0, 1e-5);
  print_message ("# angle at 0.5 s: %.2e at 0.2 ms, %.2e at 0.1 ms\n",
                 event_run_last (coarse, "crank.angle") - 33.84546510724,
                 angle[5000] - 33.84546510724);
  assert_true (fabs (event_run_last (coarse, "crank.angle") - 33.84546510724)
               > 12 * fabs (angle[5000] - 33.84546510724));
}

/* However many coordinates and relations it is said by, it is one engine. */
static void
test_coordinates (void **state)
{
  static const char *const pistons[] = { BALL, WELDED };
  g_autoptr (EventRun) body = run_engine (BODY, "rk4", 1e-4, 0.5);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (pistons); i++)
    {
      g_autoptr (EventRun) other = run_engine (pistons[i], "rk4", 1e-4, 0.5);

      assert_number (event_run_last (other, "crank.angle"), event_run_last (body, "crank.angle"),
                     1e-11);
      assert_number (event_run_last (other, "wrist.x"), event_run_last (body, "wrist.x"), 1e-13);
      for (guint k = 0; k < 2; k++)
        {
          const IfbamEvent *event = event_run_event (other, "ignition", "impulse", k);
          const IfbamEvent *same = event_run_event (body, "ignition", "impulse", k);

          assert_number (event->time, same->time, 1e-14);
          assert_number (event->impulse, same->impulse, 1e-9);
        }
    }
}

static void
test_schemes (void **state)
{
  static const char *const schemes[] = { "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      double error[2];

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (EventRun) run = run_engine (BODY, schemes[s], k == 0 ? 2e-4 : 1e-4, 0.5);

          error[k] = fabs (event_run_last (run, "crank.angle") - 33.84546510724);
        }
      print_message ("# %s: %.2e, %.2e\n", schemes[s], error[0], error[1]);
      assert_true (error[0] < 3e-3 && error[0] > 3.5 * error[1] && error[0] < 4.5 * error[1]);
    }
}

static void
test_objects (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  static const char *const pistons[] = { BODY, BALL, WELDED };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (pistons); i++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_autofree char *what = g_strdup_printf ("piston %u, %s", i, schemes[s]);
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nformat = 1\nscheme = %s\nstep = 0.5 ms\nduration = 1 s\n%s" CRANK,
            schemes[s], pistons[i]);

        compare_by_hand (network, 300, what);
      }
}

/* Between points on a line it equals a link between nodes */
static void
test_apart (void **state)
{
  static const char *const blows[] = { "impulse = 3", "restitution = 0.25", "energy = 2" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (blows); i++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.1\n"
          "record = a.vx, b.vy, m.velocity, n.velocity, tip.x, o.velocity\n"
          "[ball a]\nmass = 2\nvx = 3\nvy = -4\n[ball b]\nmass = 5\nx = -3\ny = 4\nvy = 1\n"
          "[impulse i]\nbetween = a, b\nat = 1 ms\n%s\n"
          "[mass m]\nmass = 2\nvelocity = 3 m/s\n[body c]\nmass = 5\ninertia = 1\nvx = 1\n"
          "[point tip]\non = c\nx = 1\n[impulse j]\nbetween = m, tip.x\nat = 1 ms\n%s\n"
          "[mass n]\nmass = 2\nvelocity = 3 m/s\n[mass o]\nmass = 5\nvelocity = 1 m/s\n"
          "[impulse k]\nbetween = n, o\nat = 1 ms\n%s\n",
          blows[i], blows[i], blows[i]);
      const IfbamEvent *plane = event_run_event (run, "i", "impulse", 0);
      const IfbamEvent *line = event_run_event (run, "k", "impulse", 0);
      const IfbamEvent *point = event_run_event (run, "j", "impulse", 0);

      assert_number (point->impulse, line->impulse, 1e-14);
      assert_number (event_run_last (run, "m.velocity"), event_run_last (run, "n.velocity"), 1e-15);
      /* They go apart at 5 + 0.8 along (-0.6, 0.8), of which a takes 5/7. */
      assert_number (plane->rate_before, 5.8, 1e-4);
      assert_number (event_run_last (run, "a.vx"), 3 + 0.6 * plane->impulse / 2, 1e-3);
      assert_number (event_run_last (run, "b.vy"), 1 + 0.8 * plane->impulse / 5, 1e-3);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_course),  cmocka_unit_test (test_coordinates),
    cmocka_unit_test (test_schemes), cmocka_unit_test (test_objects),
    cmocka_unit_test (test_apart),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

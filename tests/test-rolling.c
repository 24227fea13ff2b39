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

#include "by-hand.h"
#include "draft.h"
#include "event-run.h"
#include "fixture.h"

#define G 9.81

static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                       "euler", "original" };

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

/* Forces on a ball's middle do not depend on its angle: the motion has equal bits with and without it; magnus uses the
 * ball's velocity. */
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
    { "angle = 1", "angle: needs an inertia" },
    { "table = yes", "is needed on a table" },
    { "radius = 1\ninertia = solid\ntable = yes\nangle = 1", "about x and y" },
    { "radius = 1\ninertia = solid\nturn-x = 1", "table = yes" },
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

/* On a table, seen from above: the slip is a vector of one direction, |u| = u0 - 7/2 mu g t; a parabola, then straight. */
static void
test_slips_and_rolls_on_a_table (void **state)
{
  const double mu = 0.1, r = 0.05, v[2] = { 1, 0.5 }, u[2] = { 1.5, 0.5 };
  const double slip = hypot (u[0], u[1]), rolls = 2 * slip / (7 * mu * G), rest = 1 - rolls;

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
    {
      const char *scheme = schemes[s / 2];
      /* Schemes of the first order have their own way. */
      const double near = g_str_has_suffix (scheme, "euler") ? 3e-3 : 1e-13;
      g_autoptr (EventRun) run = event_run (
          s % 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
          "[network]\nformat = 1\nscheme = %s\nstep = 10 ms\nduration = 1 s\n"
          "record = m.x, m.y, m.vx, m.vy, m.turn-x, m.turn-y, r.mode, r.rate, r.force, "
          "network.dissipated\n[ball m]\nmass = 1\nradius = 0.05\ninertia = solid\ntable = yes\n"
          "vx = 1\nvy = 0.5\nturn-y = -10\n[roll r]\nfriction = 0.1\non = m\n",
          scheme);
      const char *const signals[2][3] = { { "m.x", "m.vx", "m.turn-y" },
                                          { "m.y", "m.vy", "m.turn-x" } };

      assert_int_equal (run->events->len, 1);
      assert_near (event_run_event (run, "r", "roll", 0)->time, rolls, 1e-14, scheme);
      for (guint c = 0; c < 2; c++)
        {
          const double after = v[c] - 2 * u[c] / 7;

          assert_near (event_run_last (run, signals[c][0]),
                       v[c] * rolls - 0.5 * mu * G * u[c] / slip * rolls * rolls + rest * after,
                       near, scheme);
          assert_near (event_run_last (run, signals[c][1]), after, 1e-13, scheme);
          assert_near (event_run_last (run, signals[c][2]), (c == 0 ? 1 : -1) * after / r, 2e-12,
                       scheme);
        }
      assert_near (event_run_last (run, "network.dissipated"), slip * slip / 7, 1e-14, scheme);
      assert_near (event_run_last (run, "r.rate"), 0, 1e-14, scheme);
    }
}

/* A slip below the adhesion threshold ends at once: p = 2 m u / 7, on a table and seen from the side. */
static void
test_adheres (void **state)
{
  const double mu = 0.2, range = 0.25, v = 2;
  const double time = 2 * (v - range) / (7 * mu * G), p = 2 * range / 7;
  const double way = v * time - 0.5 * mu * G * time * time + (1 - time) * 5 * v / 7;
  static const char *const kinds[] = {
    "[ball m]\nmass = 1\nradius = 0.1\ninertia = solid\ntable = yes\nvx = 2\n"
    "[roll r]\nfriction = 0.2\nadhesion = 0.25\non = m\n",
    "[ball m]\nmass = 1\nradius = 0.1\ninertia = solid\ny = 0.1\nvx = 2\n[surface s]\n"
    "[gravity g]\non = m\n"
    "[bounce r]\nrestitution = 0\nfriction = 0.2\nadhesion = 0.25\nbetween = m, s\n",
  };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
      {
        const char *scheme = schemes[s / 2];
        const double near = g_str_has_suffix (scheme, "euler") ? 5e-3 : 1e-12;
        g_autoptr (EventRun) run =
            event_run (s % 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
                       "[network]\nformat = 1\nscheme = %s\nstep = 5 ms\nduration = 1 s\n"
                       "record = m.x, m.vx, network.energy, network.dissipated, "
                       "network.supplied\n%s",
                       scheme, kinds[k]);
        const IfbamEvent *event = event_run_event (run, NULL, "adhere", 0);

        assert_non_null (event);
        assert_int_equal (event_run_count (run, NULL, "adhere"), 1);
        assert_int_equal (event_run_count (run, NULL, k == 0 ? "roll" : "stick"), 1);
        assert_near (event->time, time, 1e-13, scheme);
        assert_near (fabs (event->impulse), p, 1e-13, scheme);
        assert_near (fabs (event->rate_before), range, 1e-13, scheme);
        assert_near (event->rate_after, 0, 1e-13, scheme);
        assert_near (event->energy_change, -0.5 * p * range, 1e-13, scheme);
        assert_near (event_run_last (run, "m.x"), way, near, scheme);
        assert_near (event_run_last (run, "m.vx"), 5 * v / 7, 1e-12, scheme);
        assert_near (event_run_last (run, "network.dissipated"), v * v / 7, 1e-12, scheme);
        assert_true (event_run_ledger_gap (run) < 1e-12);
      }
}

/* A slip that ends at exactly 0 leaves no row to tell that the ball is free: it rolls on, by 5/7 of the force. */
static void
test_rolls_on_after_it_adheres (void **state)
{
  const double mu = 0.2, range = 0.25, v = 2, force = 0.5;

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
    {
      const char *scheme = schemes[s / 2];
      g_autoptr (EventRun) run =
          event_run (s % 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
                     "[network]\nscheme = %s\nstep = 5 ms\nduration = 1 s\nrecord = m.vx, r.rate\n"
                     "[ball m]\nmass = 1\nradius = 0.1\ninertia = solid\ntable = yes\nvx = 2\n"
                     "[force f]\non = m.x\nvalue = 0.5\n"
                     "[roll r]\nfriction = 0.2\nadhesion = 0.25\non = m\n",
                     scheme);

      assert_near (event_run_event (run, "r", "adhere", 0)->time,
                   (v - range) / (3.5 * mu * G - force), 1e-12, scheme);
      assert_near (event_run_last (run, "r.rate"), 0, 1e-13, scheme);
      assert_near (event_run_last (run, "m.vx"), 5 * (v + force) / 7, 1e-11, scheme);
    }
}

/* A rolling ball that a spring pulls round starts to slip, and its slip turns: errors are of order 2 at least, where a direction
 * that is kept from step to step has order 1. */
static void
test_turning_start_of_a_slip (void **state)
{
  static const double steps[] = { 0.05, 2, 1 };
  double place[3];

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = %g ms\nduration = 0.3 s\nrecord = b.turn-x\n"
                     "[point o]\n[ball b]\nmass = 2\nradius = 0.1\ninertia = solid\ntable = yes\n"
                     "vx = 1.6\nvy = -1.5\nturn-x = 15\nturn-y = 16\ny = 0.05\n"
                     "[roll r]\nfriction = 0.1\nadhesion = 0.1\non = b\n"
                     "[spring s]\nstiffness = 25\nlength = 0.01\nbetween = o, b\n",
                     steps[k]);

      assert_int_equal (event_run_count (run, "r", "slip"), 1);
      place[k] = event_run_last (run, "b.turn-x");
    }
  print_message ("# errors %.2g, %.2g\n", place[1] - place[0], place[2] - place[0]);
  assert_true (4 * fabs (place[2] - place[0]) < fabs (place[1] - place[0]));
}

/* A rolling ball that slips from the start on. A history with its friction turned around before the start has order 1. */
static void
test_slip_from_rest (void **state)
{
  static const double steps[] = { 0.05, 4, 2 };
  double turn[3];

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = %g ms\nduration = 0.3 s\nrecord = b.turn-y\n"
          "[point o]\n[ball b]\nmass = 0.48\nradius = 0.1\ninertia = hollow\ntable = yes\n"
          "x = 0.6\nvy = -1.8\nturn-x = 18\n[roll r]\nfriction = 0.1\non = b\n"
          "[spring s]\nstiffness = 15\nlength = 0.01\nbetween = o, b\n",
          k == 0 ? "rk4" : "averaged", steps[k]);

      turn[k] = event_run_last (run, "b.turn-y");
    }
  assert_true (3 * fabs (turn[2] - turn[0]) < fabs (turn[1] - turn[0]));
}

/* A sledge on two runners at the height of its middle, so that it does not tip: both adhere at one time, each with half
 * of the impulse. */
static void
test_two_runners_adhere_at_once (void **state)
{
  const double mu = 0.2, range = 0.25, v = 1, mass = 3;
  const double time = (v - range) / (mu * G), way = v * time - 0.5 * mu * G * time * time;
  static const char *const runners[] = { "l.friction", "r.friction" };
  static const char *const some[] = { "rk4", "verlet", "esdirk4" };

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (some); s++)
    {
      g_autoptr (EventRun) run = event_run (
          s % 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
          "[network]\nscheme = %s\nstep = 5 ms\nduration = 1 s\n"
          "record = b.x, b.vx, b.angle, network.energy, network.dissipated, network.supplied\n"
          "[body b]\nmass = 3\ninertia = 0.1\nvx = 1\n[surface floor]\n[gravity g]\non = b\n"
          "[point p]\non = b\nx = -0.4\n[point q]\non = b\nx = 0.4\n"
          "[bounce l]\nrestitution = 0\nfriction = 0.2\nadhesion = 0.25\nbetween = p, floor\n"
          "[bounce r]\nrestitution = 0\nfriction = 0.2\nadhesion = 0.25\nbetween = q, floor\n",
          some[s / 2]);

      for (guint i = 0; i < G_N_ELEMENTS (runners); i++)
        {
          const IfbamEvent *event = event_run_event (run, runners[i], "adhere", 0);

          assert_non_null (event);
          assert_int_equal (event_run_count (run, runners[i], "adhere"), 1);
          assert_near (event->time, time, 1e-12, some[s / 2]);
          assert_near (fabs (event->impulse), 0.5 * mass * range, 1e-9, some[s / 2]);
          assert_near (fabs (event->rate_before), range, 1e-12, some[s / 2]);
          assert_near (event->rate_after, 0, 1e-12, some[s / 2]);
        }
      assert_near (event_run_last (run, "b.x"), way, 1e-12, some[s / 2]);
      assert_near (event_run_last (run, "b.vx"), 0, 1e-12, some[s / 2]);
      assert_near (event_run_last (run, "b.angle"), 0, 1e-12, some[s / 2]);
      assert_near (event_run_last (run, "network.dissipated"), 0.5 * mass * v * v, 1e-12,
                   some[s / 2]);
      assert_true (event_run_ledger_gap (run) < 1e-12);
    }
}

/* A slip below the adhesion threshold at a landing, or at the start, ends there; a force above the friction starts it
 * again. */
static void
test_adheres_at_once (void **state)
{
  static const char ball[] = "[ball m]\nmass = 1\nradius = 0.1\ninertia = solid\n";
  static const struct
  {
    const char *text;
    double rate, time, left;
  } cases[] = {
    { "y = 0.1\nvx = 1\nspeed = -9\n[surface s]\n[gravity g]\non = m\n"
      "[bounce r]\nrestitution = 0\nfriction = 0.2\nadhesion = 0.25\nbetween = m, s\n",
      0.1, 0, 1 - 2 * 0.1 / 7 },
    { "table = yes\nvx = 0.2\n[roll r]\nfriction = 0.2\nadhesion = 0.25\non = m\n", 0.2, 0,
      0.2 * 5 / 7 },
    /* a landing first reduces the slip by mu times its impulse */
    { "y = 1.32625\nvx = 1\nspeed = -9\n[surface s]\n[gravity g]\non = m\n"
      "[bounce r]\nrestitution = 0\nfriction = 0.001\nadhesion = 0.25\nbetween = m, s\n",
      0.1 - 3.5e-3 * 4.905, 0.5, 1 - 2 * 0.1 / 7 },
  };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
      {
        const char *scheme = schemes[s / 2];
        g_autoptr (EventRun) run =
            event_run (s % 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
                       "[network]\nscheme = %s\nstep = 5 ms\nduration = 1 s\n"
                       "record = m.vx, network.energy, network.dissipated, "
                       "network.supplied\n%s%s",
                       scheme, ball, cases[k].text);
        const IfbamEvent *event = event_run_event (run, NULL, "adhere", 0);

        assert_non_null (event);
        assert_int_equal (event_run_count (run, NULL, "adhere"), 1);
        assert_near (event->time, cases[k].time, g_str_has_suffix (scheme, "euler") ? 5e-3 : 1e-9,
                     scheme);
        assert_near (fabs (event->impulse), 2 * fabs (event->rate_before) / 7, 1e-12, scheme);
        assert_near (fabs (event->rate_before), cases[k].rate,
                     g_str_has_suffix (scheme, "euler") ? 1e-4 : 1e-12, scheme);
        assert_near (event_run_last (run, "m.vx"), cases[k].left, 1e-12, scheme);
      }
}

/* A spring pulls it around, so that its slip turns: it rolls, slips again where that takes more than the friction, and
 * rolls; the schemes keep their order except at the kinks. */
static void
test_slips_around_on_a_table (void **state)
{
  static const struct
  {
    const char *scheme;
    double order;
  } cases[] = { { "rk4", 2.5 }, { "verlet", 1.7 }, { "averaged", 1.2 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (cases); s++)
    {
      double error[3];

      for (guint k = 0; k < G_N_ELEMENTS (error); k++)
        {
          g_autoptr (EventRun) compiled = NULL;
          g_autoptr (EventRun) objects = NULL;
          EventRun **const runs[] = { &compiled, &objects };

          for (guint r = 0; r < G_N_ELEMENTS (runs); r++)
            *runs[r] = event_run (
                r == 0 ? 0 : EVENT_RUN_OBJECTS,
                "[network]\nformat = 1\nscheme = %s\nstep = %g ms\nduration = 2 s\n"
                "record = m.x, m.y, network.energy, network.dissipated, network.supplied\n[ball "
                "m]\n"
                "mass = 1\nradius = 0.05\ninertia = solid\ntable = yes\nx = 1\nvy = 1.5\n"
                "vx = 0.2\nturn-y = -10\n[point o]\n[spring s]\nstiffness = 10\nlength = 1 mm\n"
                "between = o, m\n[roll r]\nfriction = 0.2\non = m\n",
                cases[s].scheme, 4.0 / (1 << k));
          /* By rk4 with a step of 62.5 us */
          error[k] = hypot (event_run_last (compiled, "m.x") - 0.59464452645,
                            event_run_last (compiled, "m.y") + 0.27793111655);
          assert_int_equal (compiled->events->len, 3);
          assert_near (event_run_event (compiled, "r", "roll", 0)->time, 0.659602, 1e-3, "rolls");
          assert_near (event_run_event (compiled, "r", "slip", 0)->time, 0.833125, 1e-4, "slips");
          assert_near (event_run_event (compiled, "r", "roll", 1)->time, 1.803149, 1e-3, "rolls");
          for (guint i = 0; i < 3; i++)
            assert_true (g_array_index (compiled->events, IfbamEvent, i).time
                         == g_array_index (objects->events, IfbamEvent, i).time);
          assert_true (event_run_last (compiled, "m.x") == event_run_last (objects, "m.x"));
          assert_true (event_run_last (compiled, "m.y") == event_run_last (objects, "m.y"));
          assert_true (event_run_ledger_gap (compiled) < (s == 0 ? 1e-4 : 1e-2));
        }
      assert_true (log2 (error[0] / error[2]) / 2 > cases[s].order);
    }
}

/* Returns the residual of the energy balance, relative to the energy at the start. */
static double
table_gap (const EventRun *run)
{
  return event_run_ledger_gap (run) / event_run_first (run, "network.energy");
}

/* A random table, compiled, by objects and by hand: the same to the last bit, and nothing is held closed that should part. Returns how
 * many events there are; gap: residual of the energy balance. */
static guint
compare_table (guint seed, const char *scheme, double *gap)
{
  g_autofree char *text = draft_table (seed);
  g_autofree char *what = g_strdup_printf ("table %u, %s", seed, scheme);
  g_autoptr (IfbamNetwork) network =
      text_network_printf ("[network]\nscheme = %s\nstep = 5 ms\nduration = 1 s\n%s", scheme, text);
  g_autoptr (EventRun) compiled = NULL;
  g_autoptr (EventRun) objects = NULL;
  EventRun **const runs[] = { &compiled, &objects };
  double lost = 0;
  gsize n;

  compare_by_hand (network, 100, what);
  for (guint k = 0; k < 2; k++)
    *runs[k] = event_run (k == 0 ? 0 : EVENT_RUN_OBJECTS,
                          "[network]\nscheme = %s\nstep = 2 ms\nduration = 2 s\n"
                          "record = *.x, *.y, *.turn-x, *.mode, *.dissipated, network.energy, "
                          "network.dissipated, network.supplied\n%s",
                          scheme, text);
  for (const char *const *name = ifbam_course_get_signals (compiled->course); *name != NULL; name++)
    {
      const double *one = event_run_values (compiled, *name, &n);

      if (memcmp (one, event_run_values (objects, *name, NULL), n * sizeof *one) != 0)
        fail_msg ("%s: %s", what, *name);
    }
  if (compiled->held > 0)
    fail_msg ("%s: %u links were held closed", what, compiled->held);
  for (guint e = 0; e < compiled->events->len; e++)
    {
      const IfbamEvent *event = &g_array_index (compiled->events, IfbamEvent, e);

      /* Simultaneous impulses share the loss. */
      lost = e > 0 && event[-1].time == event->time ? lost + event->energy_change
                                                    : event->energy_change;
      if ((e + 1 == compiled->events->len || event[1].time != event->time) && lost > 1e-12)
        fail_msg ("%s: %g J gained at %.17g s", what, lost, event->time);
    }
  *gap = table_gap (compiled);
  return compiled->events->len;
}

/* Balls that collide, are pulled and pushed: the energy balance holds. */
static void
test_random_tables (void **state)
{
  const guint n_seeds = wanted_seeds (20);
  double worst = 0, gap;
  guint events = 0;

  (void) state;
  for (guint seed = 1; seed <= n_seeds; seed++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        events += compare_table (seed, schemes[s], &gap);
        if (s == 0 && gap > 1e-4)
          {
            g_autofree char *text = draft_table (seed);
            g_autoptr (EventRun) finer = event_run (
                0,
                "[network]\nscheme = rk4\nstep = 0.5 ms\nduration = 2 s\nrecord = network.energy, "
                "network.dissipated, network.supplied\n%s",
                text);

            if (!(table_gap (finer) < gap / 4))
              fail_msg ("table %u: the account is off by %g, by a quarter of the step still by %g",
                        seed, gap, table_gap (finer));
          }
        else if (s == 0)
          worst = fmax (worst, gap);
      }
  print_message ("# %u events; account off by %.2g\n", events, worst);
  assert_true (events > 20 * n_seeds);
}

/* Where a ball has all but stopped to slip, its friction brakes in the direction of the step; that one lets go a ball that the
 * direction of the instant would hold, for ever at once. */
static void
test_parts_as_the_step_brakes (void **state)
{
  static const guint seeds[] = { 146, 188, 466, 659 };
  double gap;

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (seeds); k++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      assert_true (compare_table (seeds[k], schemes[s], &gap) > 0);
}

/* It slips, is braked and turned, and rolls from the time 2 v / (7 mu g) on. */
static void
test_slips_and_rolls (void **state)
{
  const double mu = 0.2, starts = 4 / (7 * mu * G),
               way = 2 * starts - 0.5 * mu * G * starts * starts;

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
    {
      const char *scheme = schemes[s / 2];
      const double sign = s % 2 == 0 ? 1 : -1;
      /* Schemes of the first order have their own way. */
      const double near = g_str_has_suffix (scheme, "euler") ? 4e-3 : 1e-13;
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 10 ms\nduration = 2 s\nrecord = m.x, m.vx, m.angle, "
          "m.speed, "
          "floor.friction.dissipated, floor.friction.rate, network.energy, network.dissipated, "
          "network.supplied\n"
          "[ball m]\nmass = 1\nradius = 0.1\ninertia = solid\ny = 0.1\nvx = %g\n[surface ground]\n"
          "[bounce floor]\nrestitution = 0\nfriction = %g\nbetween = m, ground\n"
          "[gravity g]\non = m\n",
          scheme, sign * 2, mu);
      const IfbamEvent *stick = event_run_event (run, "floor.friction", "stick", 0);
      const double *x, *time, *rate;
      gsize n, at = 0;

      time = ifbam_course_get_times (run->course, &n);
      x = event_run_values (run, "m.x", &n);
      rate = event_run_values (run, "floor.friction.rate", &n);
      assert_int_equal (run->events->len, 1);
      assert_near (stick->time, starts, 1e-12, scheme);
      while (time[at] < stick->time)
        at++;
      assert_near (x[at] - sign * 10.0 / 7 * (time[at] - starts), sign * way, near, scheme);
      for (gsize i = at; i < n; i++)
        assert_near (rate[i], 0, 1e-14, scheme);
      assert_near (event_run_last (run, "m.vx"), sign * 10.0 / 7, 1e-13, scheme);
      assert_near (event_run_last (run, "m.speed"), -sign * 100.0 / 7, 1e-12, scheme);
      assert_near (event_run_last (run, "m.x"), sign * (way + 10.0 / 7 * (2 - starts)), near,
                   scheme);
      assert_near (event_run_last (run, "floor.friction.dissipated"), 4.0 / 7, 1e-13, scheme);
      assert_true (event_run_ledger_gap (run) < 1e-13);
    }
}

/* On an incline of the angle a (level ground, with the weight's part along it as a force) a ball of inertia k m r^2 rolls if
 * tan a <= mu (1 + k) / k, at g sin a / (1 + k); else it slips, at g (sin a - mu cos a). */
static void
test_rolls_down (void **state)
{
  static const char *const shapes[] = { "solid", "hollow", "disc", "ring" };
  static const double parts[] = { 0.4, 2.0 / 3.0, 0.5, 1 };
  const double mu = 0.3, time = 0.5;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < G_N_ELEMENTS (shapes); k++)
      for (guint steep = 0; steep < 2; steep++)
        {
          const double most = atan (mu * (1 + parts[k]) / parts[k]);
          const double angle = steep ? 1.05 * most : 0.95 * most;
          const double a =
              steep ? G * (sin (angle) - mu * cos (angle)) : G * sin (angle) / (1 + parts[k]);
          const double turns = steep ? mu * G * cos (angle) / parts[k] : a;
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nscheme = %s\nstep = 5 ms\nduration = %g\nrecord = m.vx, m.speed, "
              "floor.friction.force, network.energy, network.dissipated, network.supplied\n"
              "[ball m]\nmass = 3\nradius = 0.2\ninertia = %s\ny = 0.2\n[surface ground]\n"
              "[bounce floor]\nrestitution = 0\nfriction = %g\nbetween = m, ground\n"
              "[gravity g]\nacceleration = %.17g\non = m\n[force f]\nvalue = %.17g\non = m.x\n",
              schemes[s], time, shapes[k], mu, G * cos (angle), 3 * G * sin (angle));

          assert_near (event_run_last (run, "m.vx"), a * time, 1e-12, shapes[k]);
          assert_near (event_run_last (run, "m.speed"), -turns * time / 0.2, 1e-11, shapes[k]);
          assert_near (fabs (event_run_last (run, "floor.friction.force")),
                       steep ? 3 * G * mu * cos (angle) : 3 * parts[k] * a, 1e-11, shapes[k]);
        }
}

/* The middle of a ball on y = A sin (k u): a parallel line, along which k m r^2 makes it heavier, not stronger. */
typedef struct
{
  double amplitude, k, radius, part;
} Hollow;

static double
hollow_stretch (const Hollow *hollow, double u, double *rise)
{
  const double slope = hollow->amplitude * hollow->k * cos (hollow->k * u);
  const double bend = -hollow->amplitude * hollow->k * hollow->k * sin (hollow->k * u);
  const double square = 1 + slope * slope;
  const double grown = 1 - hollow->radius * bend / (square * sqrt (square));

  *rise = slope * grown;
  return square * grown * grown;
}

static double
hollow_acceleration (const Hollow *hollow, double u, double v)
{
  const double h = 1e-4;
  double rise, ignored;
  const double stretch = hollow_stretch (hollow, u, &rise);
  const double change =
      (8 * (hollow_stretch (hollow, u + h, &ignored) - hollow_stretch (hollow, u - h, &ignored))
       - (hollow_stretch (hollow, u + 2 * h, &ignored)
          - hollow_stretch (hollow, u - 2 * h, &ignored)))
      / (12 * h);

  return (-G * rise / (1 + hollow->part) - 0.5 * change * v * v) / stretch;
}

static void
test_rolls_in_a_hollow (void **state)
{
  const Hollow hollow = { 0.2, 2 * G_PI / 3, 0.15, 2.0 / 3.0 };
  const double start = -1.1, h = 1e-4;
  const double slope = hollow.amplitude * hollow.k * cos (hollow.k * start),
               root = sqrt (1 + slope * slope);
  double u = start, v = 0, x;

  (void) state;
  for (int i = 0; i < 20000; i++)
    {
      double k[4][2], at[2] = { u, v };

      for (int j = 0; j < 4; j++)
        {
          k[j][0] = at[1];
          k[j][1] = hollow_acceleration (&hollow, at[0], at[1]);
          at[0] = u + (j == 2 ? 1 : 0.5) * h * k[j][0];
          at[1] = v + (j == 2 ? 1 : 0.5) * h * k[j][1];
        }
      u += h * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]) / 6;
      v += h * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]) / 6;
    }
  x = u
      - hollow.radius * hollow.amplitude * hollow.k * cos (hollow.k * u)
            / sqrt (1 + pow (hollow.amplitude * hollow.k * cos (hollow.k * u), 2));
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      static const double worst[] = { 1e-10, 1e-5, 1e-5, 2e-2, 2e-2, 1e-5 };
      static const double gap[] = { 1e-9, 1e-4, 1e-4, 5e-2, 5e-2, 1e-4 };
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 2 ms\nduration = 2 s\nrecord = m.x, floor.friction.rate, "
          "floor.friction.mode, floor.mode, network.energy, network.dissipated, network.supplied\n"
          "[ball m]\nmass = 2\nradius = 0.15\ninertia = hollow\nx = %.17g\ny = %.17g\n"
          "[surface ground]\namplitude = 0.2\nwavelength = 3\n"
          "[bounce floor]\nrestitution = 0\nfriction = 0.4\nbetween = m, ground\n[gravity g]\non = "
          "m\n",
          schemes[s], start - hollow.radius * slope / root,
          hollow.amplitude * sin (hollow.k * start) + hollow.radius / root);
      gsize n;
      const double *rate = event_run_values (run, "floor.friction.rate", &n);

      print_message ("# %s: %.2g m off, energy %.2g J off\n", schemes[s],
                     fabs (event_run_last (run, "m.x") - x), event_run_ledger_gap (run));
      assert_near (event_run_last (run, "m.x"), x, worst[s], schemes[s]);
      assert_true (event_run_ledger_gap (run) < gap[s]);
      for (gsize i = 0; i < n; i++)
        assert_near (rate[i], 0, 1e-13, schemes[s]);
      assert_near (event_run_last (run, "network.dissipated"), 0, 1e-12, schemes[s]);
    }
}

/* A ball with backspin that is thrown comes back: it slips until it rolls the other way. */
static void
test_comes_back (void **state)
{
  const double mu = 0.1, starts = (1 + 0.1 * 60) * 2 / (7 * mu * G), rolls = 1 - mu * G * starts;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 10 ms\nduration = 3 s\nrecord = m.vx, m.speed, "
          "network.energy, network.dissipated, network.supplied\n"
          "[ball m]\nmass = 1\nradius = 0.1\ninertia = solid\ny = 0.1\nvx = 1\nspeed = 60\n"
          "[surface ground]\n[bounce floor]\nrestitution = 0\nfriction = %g\nbetween = m, ground\n"
          "[gravity g]\non = m\n",
          schemes[s], mu);

      assert_true (rolls < 0);
      assert_near (event_run_event (run, "floor.friction", "stick", 0)->time, starts, 1e-12,
                   schemes[s]);
      assert_near (event_run_last (run, "m.vx"), rolls, 1e-12, schemes[s]);
      assert_near (event_run_last (run, "m.speed"), -10 * rolls, 1e-11, schemes[s]);
      assert_true (event_run_ledger_gap (run) < 1e-12);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_two_runners_adhere_at_once),
    cmocka_unit_test (test_angle),
    cmocka_unit_test (test_same_with_an_angle),
    cmocka_unit_test (test_balls_that_can_not_turn),
    cmocka_unit_test (test_slips_and_rolls),
    cmocka_unit_test (test_slips_and_rolls_on_a_table),
    cmocka_unit_test (test_adheres),
    cmocka_unit_test (test_adheres_at_once),
    cmocka_unit_test (test_rolls_on_after_it_adheres),
    cmocka_unit_test (test_turning_start_of_a_slip),
    cmocka_unit_test (test_slip_from_rest),
    cmocka_unit_test (test_slips_around_on_a_table),
    cmocka_unit_test (test_random_tables),
    cmocka_unit_test (test_parts_as_the_step_brakes),
    cmocka_unit_test (test_rolls_down),
    cmocka_unit_test (test_rolls_in_a_hollow),
    cmocka_unit_test (test_comes_back),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

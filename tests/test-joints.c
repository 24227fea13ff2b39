/* test-joints.c: hinges with friction and with stops, driven lengths and cranks against closed forms
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

/* A bar of 2 kg, 0.05 kg m2 about its middle, 0.4 m below its pivot. */
#define WEIGHT  (2 * 9.81 * 0.4)
#define INERTIA (0.05 + 2 * 0.4 * 0.4)
#define BAR(angle)                                                                                 \
  "[point pivot]\n[body b]\nmass = 2\ninertia = 0.05\nangle = " #angle "\n"                        \
  "[point top]\non = b\ny = 0.4\n[gravity g]\non = b\n"                                            \
  "[hinge p]\nbetween = pivot, top\n"

/* Dry friction of a torque M takes M times the angle that is turned: m g l (cos b - cos a) = M (a + b) from one
 * turning point to the next, until m g l |sin| is below M. */
static void
test_friction_torque (void **state)
{
  static const struct
  {
    const char *scheme;
    double tolerance, loss; /* verlet's energy swings with the step's square */
  } schemes[] = { { "rk4", 2e-9, 1e-8 }, { "verlet", 2e-5, 1e-3 }, { "averaged", 2e-5, 1e-3 } };
  const double torque = 0.5;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = %s\nstep = 5 ms\nduration = 10\n"
          "record = b.angle, b.speed, p.friction.*, network.*\n" BAR (1) "friction-torque = %g\n",
          schemes[s].scheme, torque);
      double turned = 0, angle = 1;
      guint halves = 0;

      while (WEIGHT * sin (angle) > torque)
        {
          double low = 0, high = angle;

          for (guint i = 0; i < 200; i++)
            {
              const double next = (low + high) / 2;

              *(WEIGHT * (cos (next) - cos (angle)) > torque * (angle + next) ? &low : &high) =
                  next;
            }
          turned += angle + low;
          angle = low;
          halves++;
        }
      assert_near (fabs (event_run_last (run, "b.angle")), angle, schemes[s].tolerance,
                   schemes[s].scheme);
      assert_true (event_run_last (run, "b.speed") == 0);
      assert_number (event_run_last (run, "p.friction.mode"), 0, 0);
      assert_number (event_run_last (run, "p.friction.force"),
                     WEIGHT * sin (event_run_last (run, "b.angle")), 1e-12);
      assert_number (event_run_last (run, "p.friction.dissipated"), torque * turned,
                     schemes[s].loss);
      assert_number (event_run_last (run, "network.dissipated"),
                     event_run_last (run, "p.friction.dissipated"), 1e-15);
      assert_int_equal (event_run_count (run, "p.friction", "slip"), halves - 1);
      assert_int_equal (event_run_count (run, "p.friction", "stick"), 1);
      assert_true (event_run_ledger_gap (run) < 10 * schemes[s].loss);
    }
}

/* A body that spins about a pin beside its middle, without gravity, feels the pin with R = m l sqrt (w^4 + w'^2), and is braked
 * by mu r R: w' = -k w^2 / sqrt (1 - k^2), k = mu r m l / I, so that 1/w grows evenly. */
static void
test_bearing (void **state)
{
  static const struct
  {
    const char *scheme;
    double tolerance;
    guint order;
  } schemes[] = { { "rk4", 4e-7, 4 },
                  { "verlet", 0.01, 2 },
                  { "symplectic-euler", 0.01, 1 },
                  { "averaged", 0.01, 2 },
                  { "original", 0.01, 2 } };
  const double k = 0.3 * 0.05 * 2 * 0.4 / INERTIA, w = 10 / (1 + 40 * k / sqrt (1 - k * k));

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      double error[2];

      for (guint half = 0; half < 2; half++)
        {
          g_autoptr (EventRun) run =
              event_run (0,
                         "[network]\nformat = 1\nscheme = %s\nstep = %g ms\nduration = 4\n"
                         "record = b.speed, p.*, p.friction.*, p.y.force, network.*\n"
                         "[point pivot]\n[body b]\nmass = 2\ninertia = 0.05\nspeed = 10\n"
                         "[point top]\non = b\ny = 0.4\n"
                         "[hinge p]\nbetween = pivot, top\nfriction = 0.3\nradius = 5 cm\n",
                         schemes[s].scheme, half == 0 ? 10.0 : 5.0);

          error[half] = event_run_last (run, "b.speed") - w;
          assert_near (error[half], 0, schemes[s].tolerance, schemes[s].scheme);
          assert_number (
              fabs (event_run_last (run, "p.friction.torque")),
              0.3 * 0.05
                  * hypot (event_run_last (run, "p.force"), event_run_last (run, "p.y.force")),
              1e-13);
          assert_number (event_run_last (run, "p.friction.dissipated"),
                         event_run_last (run, "network.dissipated"), 1e-15);
          assert_true (event_run_ledger_gap (run) < 20 * schemes[s].tolerance);
        }
      assert_near (log2 (fabs (error[0] / error[1])), schemes[s].order, 0.1, schemes[s].scheme);
    }
}

/* Three bearings on one pin: two follow from the third, each carries a third of the load, and all of them together brake as
 * one would. */
static void
test_bearings_share_a_pin (void **state)
{
  const double k = 0.3 * 0.05 * 2 * 0.4 / INERTIA, w = 10 / (1 + 40 * k / sqrt (1 - k * k));
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 4\n"
                    "record = b.speed, *.force, *.y.force, *.friction.*, network.*\n"
                    "[point pivot]\n[body b]\nmass = 2\ninertia = 0.05\nspeed = 10\n"
                    "[point top]\non = b\ny = 0.4\n"
                    "[hinge p1]\nbetween = pivot, top\nfriction = 0.3\nradius = 5 cm\n"
                    "[hinge p2]\nbetween = pivot, top\nfriction = 0.3\nradius = 5 cm\n"
                    "[hinge p3]\nbetween = pivot, top\nfriction = 0.3\nradius = 5 cm\n");
  const double reaction =
      hypot (event_run_last (run, "p1.force"), event_run_last (run, "p1.y.force"));

  (void) state;
  assert_near (event_run_last (run, "b.speed"), w, 4e-7, "speed");
  assert_near (reaction, 2 * 0.4 * w * w / sqrt (1 - k * k) / 3, 1e-5, "a third of the load");
  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *force = g_strdup_printf ("p%u.force", i);
      g_autofree char *across = g_strdup_printf ("p%u.y.force", i);
      g_autofree char *torque = g_strdup_printf ("p%u.friction.force", i);

      assert_near (event_run_last (run, force), event_run_last (run, "p1.force"), 1e-13, force);
      assert_near (event_run_last (run, across), event_run_last (run, "p1.y.force"), 1e-13, across);
      assert_near (fabs (event_run_last (run, torque)), 0.3 * 0.05 * reaction, 1e-13, torque);
    }
  assert_true (event_run_ledger_gap (run) < 1e-5);
}

/* A bar that hangs at rest presses its pin with m g, so that a torque turns it from T + mu r m g on; held aside it stays where
 * m g l sin is less than that, and slips where it is more. */
static void
test_bearing_holds (void **state)
{
  const double torque = 0.1 + 0.3 * 0.05 * 2 * 9.81;
  const double most = asin (torque / WEIGHT);

  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) pushed =
          event_run (k == 1 ? EVENT_RUN_OBJECTS : 0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 1\n"
                     "record = b.angle, p.friction.torque\n[drive d]\nvelocity = 1\n" BAR (
                         0) "friction = 0.3\nradius = 5 cm\nfriction-torque = 0.1\n"
                            "[torsion-spring k]\nstiffness = 0.9\nbetween = d, b.angle\n");
      g_autoptr (EventRun) aside = event_run (
          k == 1 ? EVENT_RUN_OBJECTS : 0,
          "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 5\n"
          "record = b.*, p.friction.*, network.*\n[point pivot]\n[body b]\nmass = 2\n"
          "inertia = 0.05\nangle = %.17g\n[point top]\non = b\ny = 0.4\n[gravity g]\non = b\n"
          "[hinge p]\nbetween = pivot, top\nfriction = 0.3\nradius = 5 cm\n"
          "friction-torque = 0.1\n",
          k == 0 ? most - 1e-9 : most + 0.01);

      assert_near (event_run_event (pushed, "p.friction", "slip", 0)->time, torque / 0.9, 1e-12,
                   "instant");
      assert_true (event_run_last (pushed, "b.angle") > 0.001);
      assert_true (fabs (event_run_last (aside, "b.speed")) < 1e-30);
      assert_number (event_run_last (aside, "p.friction.mode"), 0, 0);
      if (k == 0)
        assert_number (event_run_last (aside, "b.angle"), most - 1e-9, 1e-14);
      else
        assert_true (event_run_last (aside, "b.angle") < most - 0.001);
      assert_number (event_run_last (aside, "p.friction.torque"),
                     WEIGHT * sin (event_run_last (aside, "b.angle")), 1e-12);
      assert_true (event_run_ledger_gap (aside) < 1e-8);
    }
}

/* The pin's reaction is the resultant of its two rows: with the load W and a side load of 3/4 W it is 5/4 W, and a torque
 * turns the body from T + mu r 5/4 W on, in either order of the ends; then the friction has this value. */
static void
test_bearing_feels_both_ways (void **state)
{
  const double weight = 2 * 9.81;

  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 1\n"
                     "record = p.force, p.y.force, p.friction.torque\n[point pivot]\n[body b]\n"
                     "mass = 2\ninertia = 0.05\n[point middle]\non = b\n"
                     "[hinge p]\nbetween = pivot, middle\nfriction = 0.3\nradius = 5 cm\n"
                     "friction-torque = 0.1\n"
                     "[force fx]\non = b.x\nvalue = %.17g\n[force fy]\non = b.y\nvalue = %.17g\n"
                     "[drive d]\nvelocity = 1\n"
                     "[torsion-spring k]\nstiffness = 0.9\nbetween = d, b.angle\n",
                     k == 0 ? 0.75 * weight : weight, k == 0 ? -weight : -0.75 * weight);

      assert_near (event_run_event (run, "p.friction", "slip", 0)->time,
                   (0.1 + 0.3 * 0.05 * 1.25 * weight) / 0.9, 1e-12, "instant");
      assert_number (fabs (event_run_last (run, "p.friction.torque")),
                     0.1 + 0.3 * 0.05 * 1.25 * weight, 1e-12);
    }
}

/* A torque below the friction starts no motion; a growing torque starts it where both are equal. */
static void
test_breaks_loose (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 1\n"
                    "record = b.angle\n[point pivot]\n[body b]\nmass = 2\ninertia = 0.05\n"
                    "[point top]\non = b\ny = 0.4\n[hinge p]\nbetween = pivot, top\n"
                    "friction-torque = 0.5\n[drive d]\nvelocity = 1\n"
                    "[torsion-spring k]\nstiffness = 0.9\nbetween = d, b.angle\n");

  (void) state;
  assert_near (event_run_event (run, "p.friction", "slip", 0)->time, 0.5 / 0.9, 1e-12, "instant");
  assert_true (event_run_last (run, "b.angle") > 0.01);
}

/* A swing between two stops: each turns the rate, times e, by an impulse about the pivot. */
static void
test_stops (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = %s\nstep = 5 ms\nduration = 4\n"
          "record = b.angle, network.energy, network.dissipated, network.supplied\n" BAR (
              1) "least-angle = -20 deg\ngreatest-angle = 58 deg\nrestitution = 0.9\n",
          schemes[s]);
      const double a = G_PI / 9, rate = -sqrt (2 * WEIGHT / INERTIA * (cos (a) - cos (1)));
      const IfbamEvent *hit = event_run_event (run, "p.least", "impact", 0);
      gsize n;
      const double *angle = event_run_values (run, "b.angle", &n);

      assert_near (fabs (hit->rate_before), -rate, s == 0 ? 1e-8 : 1e-3, schemes[s]);
      for (guint i = 0; i < event_run_count (run, "p.least", "impact"); i++)
        {
          hit = event_run_event (run, "p.least", "impact", i);
          assert_number (hit->rate_after, -0.9 * hit->rate_before, 1e-12);
          assert_number (hit->impulse, 1.9 * INERTIA * hit->rate_before, 1e-12);
          assert_number (hit->energy_change,
                         -0.5 * INERTIA * (1 - 0.81) * hit->rate_before * hit->rate_before, 1e-12);
        }
      for (gsize i = 0; i < n; i++)
        assert_true (angle[i] >= -a - 1e-14 && angle[i] <= 1.02);
      assert_int_equal (event_run_count (run, "p.greatest", NULL), 0);
      assert_true (event_run_ledger_gap (run) < (s == 0 ? 1e-7 : 0.03));
    }
}

/* An arm falls on its stop and rests there, which carries m g l sin. */
static void
test_rests_on_a_stop (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nformat = 1\nscheme = rk4\nstep = 5 ms\nduration = 2\n"
                    "record = b.angle, b.speed, p.least.force, p.least.mode\n" BAR (
                        2.5) "least-angle = 90 deg\n");

  (void) state;
  assert_number (event_run_last (run, "b.angle"), G_PI / 2, 1e-15);
  assert_number (event_run_last (run, "p.least.force"), WEIGHT, 1e-12);
  assert_true (event_run_last (run, "p.least.mode") == 1 && event_run_last (run, "b.speed") == 0);
  assert_int_equal (event_run_count (run, "p.least", "impact"), 1);
}

/* An elbow in free flight: stop and friction act between its bodies, momenta are conserved. */
static void
test_elbow (void **state)
{
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 3\n"
          "record = a.*, b.*, network.energy, network.dissipated, network.supplied\n"
          "[body a]\nmass = 1\ninertia = 0.1\nspeed = 2\n[point l]\non = a\nx = 0.5\n"
          "[body b]\nmass = 3\ninertia = 0.3\nangle = 0.3\nspeed = -1\n[point m]\non = b\nx = "
          "-0.7\n"
          "[hinge e]\nbetween = l, m\nleast-angle = -1\ngreatest-angle = 1\nrestitution = 0.7\n"
          "%s",
          k == 1 ? "friction-torque = 0.05\n" : "");
      static const char *const signals[] = { "a.vx", "a.vy", "b.vx", "b.vy" };
      double moved[2][3];

      for (guint end = 0; end < 2; end++)
        {
          double (*const at) (const EventRun *, const char *) =
              end == 0 ? event_run_first : event_run_last;
          double v[4];

          for (guint c = 0; c < 4; c++)
            v[c] = at (run, signals[c]);
          moved[end][0] = v[0] + 3 * v[2];
          moved[end][1] = v[1] + 3 * v[3];
          moved[end][2] = 0.1 * at (run, "a.speed") + 0.3 * at (run, "b.speed")
                          + at (run, "a.x") * v[1] - at (run, "a.y") * v[0]
                          + 3 * (at (run, "b.x") * v[3] - at (run, "b.y") * v[2]);
        }
      for (guint c = 0; c < 3; c++)
        assert_number (moved[1][c], moved[0][c], 1e-9);
      assert_true (event_run_count (run, "e.least", "impact") > 0);
      assert_true (event_run_ledger_gap (run) < 1e-8);
    }
  (void) state;
}

/* A load on a rope of the length l (t), in polar coordinates: its angle from the downward vertical and the rate of that;
 * then l and its rate, where a counterweight of the mass M beside 1 drives them (0: they are given). */
static void
rope_slopes (const double *y, double counterweight, double *slope)
{
  slope[0] = y[1];
  slope[1] = -(2 * y[3] * y[1] + 9.81 * sin (y[0])) / y[2];
  slope[2] = y[3];
  slope[3] = counterweight == 0 ? 0
                                : (y[2] * y[1] * y[1] + 9.81 * cos (y[0]) - counterweight * 9.81)
                                      / (1 + counterweight);
}

static void
go_on_a_rope (double *y, double counterweight, double duration)
{
  const guint n = 100000;
  const double h = duration / n;

  for (guint i = 0; i < n; i++)
    {
      double k[4][4], at[4];

      for (guint s = 0; s < 4; s++)
        {
          for (guint c = 0; c < 4; c++)
            at[c] = y[c] + (s == 0 ? 0 : s == 3 ? h : h / 2) * (s == 0 ? 0 : k[s - 1][c]);
          rope_slopes (at, counterweight, k[s]);
        }
      for (guint c = 0; c < 4; c++)
        y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

/* A crane's load that is hoisted at a constant rate swings wider and wider; a rod and a string that stays taut are the
 * same. The winch supplies the load's energy. */
static void
test_hoist (void **state)
{
  static const struct
  {
    const char *scheme;
    double tolerance;
  } schemes[] = { { "rk4", 2e-8 },
                  { "verlet", 2e-3 },
                  { "averaged", 2e-3 },
                  { "symplectic-euler", 0.1 },
                  { "euler", 0.5 } };
  double y[4] = { 0.3, 0, 5, -0.5 };

  (void) state;
  go_on_a_rope (y, 0, 6);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < 3; k++)
      {
        const char *class_name = k == 1 ? "string" : "rod";
        g_autoptr (EventRun) run = event_run (
            k == 2 ? EVENT_RUN_OBJECTS : 0,
            "[network]\nformat = 1\nscheme = %s\nstep = %s\nduration = 6\n"
            "record = b.*, r.*, network.*\n[point hook]\ny = 8\n[drive winch]\nvelocity = -0.5\n"
            "[ball b]\nmass = 2\nx = %.17g\ny = %.17g\nvx = %.17g\nvy = %.17g\n"
            "[%s r]\nlength = 5\nbetween = hook, b\nfollow-length = winch\n[gravity g]\non = b\n",
            schemes[s].scheme, s < 3 ? "10 ms" : "1 ms", 5 * sin (0.3), 8 - 5 * cos (0.3),
            -0.5 * sin (0.3), 0.5 * cos (0.3), class_name);
        const double x = event_run_last (run, "b.x"), z = 8 - event_run_last (run, "b.y");
        const double pull = 2 * (9.81 * cos (y[0]) + y[2] * y[1] * y[1]);

        assert_near (x, y[2] * sin (y[0]), schemes[s].tolerance, schemes[s].scheme);
        assert_near (z, y[2] * cos (y[0]), schemes[s].tolerance, schemes[s].scheme);
        assert_number (hypot (x, z), 2, 1e-13);
        assert_near ((k == 1 ? 1 : -1) * event_run_last (run, "r.force"), pull,
                     100 * schemes[s].tolerance, schemes[s].scheme);
        assert_true (event_run_last (run, "network.supplied") > 40);
        assert_near (event_run_ledger_gap (run), 0, 20 * schemes[s].tolerance, schemes[s].scheme);
      }
}

/* Two bodies that a winch draws together, faster and faster, by points of both: each moves by half of the distance, under the
 * force m a. */
static void
test_winch_between_bodies (void **state)
{
  static const char *const classes[] = { "rod", "string" };

  (void) state;
  for (guint k = 0; k < 4; k++)
    {
      g_autoptr (EventRun) run = event_run (
          k / 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
          "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 2\nrecord = *\n"
          "[drive winch]\nvelocity = -0.5\nacceleration = -0.1\n"
          "[body a]\nmass = 2\ninertia = 0.3\nx = -2.5\nvx = 0.25\n[point pa]\non = a\nx = 0.5\n"
          "[body b]\nmass = 2\ninertia = 0.3\nx = 2.5\nvx = -0.25\n[point pb]\non = b\nx = -0.5\n"
          "[%s r]\nlength = 4\nbetween = pa, pb\nfollow-length = winch\n",
          classes[k % 2]);

      assert_near (event_run_last (run, "a.x"), -2.5 + 0.5 + 0.1, 1e-13, "one");
      assert_near (event_run_last (run, "b.x"), 2.5 - 0.5 - 0.1, 1e-13, "other");
      assert_near (fabs (event_run_last (run, "r.force")), 2 * 0.05, 1e-12, "force");
      assert_near (event_run_last (run, "a.angle"), 0, 1e-13, "turn");
      assert_near (event_run_ledger_gap (run), 0, 1e-12, "ledger");
    }
}

/* A counterweight that hangs on the other end of the rope goes up and down with the swinging load: "swinging Atwood's
 * machine" (Tufillaro, Abbott & Griffiths 1984). */
static void
test_counterweight (void **state)
{
  double y[4] = { 1.2, 0, 1, 0 };

  (void) state;
  go_on_a_rope (y, 1.5, 2);
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run = event_run (
          k == 1 ? EVENT_RUN_OBJECTS : 0,
          "[network]\nformat = 1\nscheme = rk4\nstep = 2 ms\nduration = 2\n"
          "record = b.*, w.*, network.*\n[point hook]\n[mass w]\nmass = 1.5\n"
          "[ball b]\nmass = 1\nx = %.17g\ny = %.17g\n"
          "[rod r]\nlength = 1\nbetween = hook, b\nfollow-length = w\n[gravity g]\non = b, w\n",
          sin (1.2), -cos (1.2));

      assert_number (event_run_last (run, "w.position"), y[2] - 1, 1e-9);
      assert_number (event_run_last (run, "b.x"), y[2] * sin (y[0]), 1e-9);
      assert_number (event_run_last (run, "b.y"), -y[2] * cos (y[0]), 1e-9);
      assert_true (event_run_ledger_gap (run) < 1e-8);
    }
}

/* However often it has gone around, its relations are kept as far as the place of its pin can be told. */
static void
test_turns_on_and_on (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  static const char *const joints[] = {
    "[hinge h]\nbetween = pivot, top\n", "[rod h]\nbetween = pivot, top\n",
    "[body c]\nmass = 1\ninertia = 0.1\nx = 0.3\n[slider h]\nbetween = b, c\n"
  };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < 3; k++)
      for (guint turns = 0; turns <= 1000; turns += by_effort (500, 100, 100))
        {
          const gboolean first_order = g_str_equal (schemes[s], "euler");
          g_autoptr (EventRun) run = event_run (
              turns % 200 == 0 ? 0 : EVENT_RUN_OBJECTS,
              "[network]\nscheme = %s\nstep = %s\nduration = 0.5\nrecord = b.*, network.*\n"
              "[point pivot]\nx = %g\n[body b]\nmass = 2\ninertia = 0.05\nangle = %.17g\n"
              "speed = 10\n[point top]\non = b\ny = 0.4\n"
              "%s",
              schemes[s], first_order ? "0.01 ms" : "2 ms", k == 1 ? 0.5 : 0.0, 2 * G_PI * turns,
              joints[k]);

          if (k == 0)
            assert_near (event_run_last (run, "b.speed"), 10, first_order ? 0.01 : 0.005,
                         schemes[s]);
          assert_near (
              event_run_last (run, "network.energy"), event_run_first (run, "network.energy"),
              (first_order ? 5e-3 : 1e-3) * event_run_first (run, "network.energy"), schemes[s]);
        }
}

/* At length 0 it has no direction; before, a pendulum turns faster and faster. */
static void
test_length_that_is_used_up (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < 4; k++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nscheme = %s\nstep = 1 ms\nduration = 2\n[point hook]\n"
            "[drive winch]\nvelocity = -1\n[ball b]\nmass = 1\ny = -1\nx = %g\n"
            "[%s r]\nbetween = hook, b\nfollow-length = winch\n[gravity g]\non = b\n",
            schemes[s], k < 2 ? 0 : 0.3, k % 2 == 0 ? "rod" : "string");
        g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

        assert_null (course);
        print_message ("# %s: %s\n", schemes[s], error->message);
        assert_non_null (strstr (error->message, k < 2 ? "\"r\" gets the length 0" : "in a step"));
      }
}

/* Between two bodies a length that is driven is that of a leg which lengthens: momenta are kept. */
static void
test_driven_leg (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 2 ms\nduration = 1\n"
         "record = a.*, b.*, network.*\n[drive leg]\namplitude = 0.2\nfrequency = 1.3\n"
         "[body a]\nmass = 1\ninertia = 0.1\n[point l]\non = a\nx = 0.3\ny = 0.1\n"
         "[body b]\nmass = 3\ninertia = 0.3\nx = 2\n[point m]\non = b\nx = -0.5\ny = 0.2\n"
         "[rod r]\nbetween = l, m\nfollow-length = leg\n");
  const double turn = G_PI * 2 * 1.3, l = hypot (1.2, 0.1) + 0.2 * sin (turn);
  const double a = event_run_last (run, "a.angle"), b = event_run_last (run, "b.angle");
  const double x = event_run_last (run, "b.x") - 0.5 * cos (b) - 0.2 * sin (b)
                   - event_run_last (run, "a.x") - 0.3 * cos (a) + 0.1 * sin (a);
  const double y = event_run_last (run, "b.y") - 0.5 * sin (b) + 0.2 * cos (b)
                   - event_run_last (run, "a.y") - 0.3 * sin (a) - 0.1 * cos (a);
  const char *const quantities[] = { "vx", "vy" };

  (void) state;
  assert_number (hypot (x, y), l, 1e-13);
  for (guint c = 0; c < 2; c++)
    {
      g_autofree char *left = g_strdup_printf ("a.%s", quantities[c]);
      g_autofree char *right = g_strdup_printf ("b.%s", quantities[c]);

      assert_number (event_run_last (run, left) + 3 * event_run_last (run, right),
                     event_run_first (run, left) + 3 * event_run_first (run, right), 1e-12);
    }
  assert_true (event_run_ledger_gap (run) < 1e-8);
}

/* A crank that a drive turns by a gear of 1 : 2, at a constant speed w, takes the piston to x = r cos + sqrt (l^2 - r^2 sin^2),
 * and the drive feels half of m x'' dx/dphi. */
static void
test_crank_at_constant_speed (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  const double r = 0.04, l = 0.12, m = 0.4, w = 20, t = 1, sine = sin (w * t), cosine = cos (w * t);
  const double root = sqrt (l * l - r * r * sine * sine),
               slope = -r * sine - r * r * sine * cosine / root;
  const double curve = -r * cosine - r * r * (cosine * cosine - sine * sine) / root
                       - pow (r * r * sine * cosine, 2) / (root * root * root);
  const double work = 0.5 * m * pow (w * slope, 2);

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
    {
      const char *scheme = schemes[s / 2];
      const gboolean says_rates =
          s < 4; /* others tell rates of a time beside the row's, or first-order ones */
      g_autoptr (EventRun) run = event_run (
          s % 2 == 1 ? EVENT_RUN_OBJECTS : 0,
          "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 1\n"
          "record = piston.*, crank.angle, gear.force, network.*\n[drive motor]\nvelocity = 40\n"
          "[point centre]\n[body crank]\nmass = 5\ninertia = 0.02\n[point pin]\non = crank\n"
          "x = 0.04\n[body piston]\nmass = 0.4\ninertia = 1e-3\nx = 0.16\ny = 0\n"
          "[hinge main]\nbetween = centre, crank\n[rod conrod]\nlength = 0.12\n"
          "between = pin, piston\n[slider bore]\nbetween = centre, piston\n"
          "[ratio gear]\nratio = 0.5\nbetween = crank.angle, motor\n",
          scheme);

      assert_near (event_run_last (run, "crank.angle"), w * t, 1e-12, scheme);
      assert_near (event_run_last (run, "piston.x"), r * cosine + root, 1e-12, scheme);
      assert_near (event_run_last (run, "piston.vx"), w * slope, says_rates ? 1e-13 : 5e-3, scheme);
      assert_near (event_run_last (run, "gear.force"), -m * w * w * curve * slope,
                   says_rates ? 1e-12 : 5e-3, scheme);
      assert_near (event_run_last (run, "network.supplied"), work, s < 2 ? 1e-8 : 0.01, scheme);
      assert_near (event_run_ledger_gap (run), 0, s < 2 ? 1e-8 : 0.01, scheme);
    }
}

/* Objects and the compiled engine have equal bits. */
static void
test_objects (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  static const char *const networks[] = {
    BAR (1) "friction-torque = 0.5\n",
    BAR (1) "least-angle = -20 deg\nrestitution = 0.5\n",
    BAR (1) "friction = 0.4\nradius = 5 cm\nleast-angle = -10 deg\nrestitution = 0.5\n",
    "[body a]\nmass = 1\ninertia = 0.1\nspeed = 3\n[point l]\non = a\nx = 0.5\n"
    "[body b]\nmass = 3\ninertia = 0.3\nangle = 0.3\nspeed = -1\n[point m]\non = b\nx = -0.7\n"
    "[hinge e]\nbetween = l, m\nfriction = 0.5\nradius = 10 cm\nfriction-torque = 0.01\n",
    BAR (1) "friction-torque = 0.1\nleast-angle = 10 deg\n",
    "[point hook]\n[drive w]\namplitude = 0.3\nfrequency = 1.5\n[ball b]\nmass = 1\ny = -0.95\n"
    "vx = 0.5\n[string r]\nlength = 1\nrestitution = 0.5\nbetween = hook, b\n"
    "follow-length = w\n[gravity g]\non = b\n",
  };

  guint events = 0;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_autofree char *what = g_strdup_printf ("network %u, %s", i, schemes[s]);
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nformat = 1\nscheme = %s\nstep = 2 ms\nduration = 2 s\n%s", schemes[s],
            networks[i]);

        events += compare_by_hand (network, 600, what);
      }
  assert_true (events > 50);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_friction_torque),
    cmocka_unit_test (test_breaks_loose),
    cmocka_unit_test (test_bearing),
    cmocka_unit_test (test_bearing_holds),
    cmocka_unit_test (test_bearing_feels_both_ways),
    cmocka_unit_test (test_bearings_share_a_pin),
    cmocka_unit_test (test_stops),
    cmocka_unit_test (test_rests_on_a_stop),
    cmocka_unit_test (test_winch_between_bodies),
    cmocka_unit_test (test_hoist),
    cmocka_unit_test (test_counterweight),
    cmocka_unit_test (test_turns_on_and_on),
    cmocka_unit_test (test_length_that_is_used_up),
    cmocka_unit_test (test_driven_leg),
    cmocka_unit_test (test_crank_at_constant_speed),
    cmocka_unit_test (test_elbow),
    cmocka_unit_test (test_objects),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

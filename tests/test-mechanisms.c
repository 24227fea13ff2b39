/* test-mechanisms.c: bodies, rods, hinges and sliders against motions that are known otherwise
 *
 * The reference numbers are of minimal coordinates, by a method of order 8 with a tolerance of 3e-14, or of closed forms.
 *
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
#include "element/endpoint.h"
#include "element/element.h"
#include "event-run.h"
#include "fixture.h"
#include "embed/ifbam.h"
#include "model/model.h"
#include "run/run.h"

/* Geometries */

/* An end moves with its body; columns and velocity terms equal finite differences. */
static void
assert_derivatives (const IfbamGeometry *geometry, GRand *noise, guint left, guint right)
{
  double places[2][IFBAM_END_SIZE] = { { left }, { right } };
  double shape[IFBAM_MAX_SHAPE] = { 0 }, x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];
  double row[IFBAM_MAX_PORTS], there[IFBAM_MAX_PORTS], ignored[IFBAM_MAX_PORTS];
  double law = g_rand_double_range (noise, 0.5, 2), delta[3], bend, scale = 1;
  const gboolean driven = geometry == ifbam_distance.driven || geometry == ifbam_stretch.driven;
  const guint n = geometry->is_angle ? (guint) (left == 3) + (guint) (right == 3)
                                     : left + right + (driven ? 1 : 0);
  const double h = 1e-5, t = 1e-4;

  for (guint k = 0; k < 2; k++)
    for (guint c = 1; c < IFBAM_END_SIZE && (k == 0 ? left : right) != 2; c++)
      places[k][c] = g_rand_double_range (noise, -2, 2);
  geometry->shape (&law, places[0], places[1], shape);
  for (guint e = 0; e < n; e++)
    {
      x[e] = g_rand_double_range (noise, -4, 4);
      v[e] = g_rand_double_range (noise, -3, 3);
    }
  if (geometry->fill != NULL)
    geometry->fill (shape, x);
  geometry->measure (shape, x, v, &delta[1], row);
  for (guint e = 0; e < n; e++)
    {
      double low, high;

      memcpy (there, x, sizeof there);
      there[e] = x[e] - h;
      geometry->measure (shape, there, v, &low, ignored);
      there[e] = x[e] + h;
      geometry->measure (shape, there, v, &high, ignored);
      assert_true (fabs ((high - low) / (2 * h) - row[e]) < 1e-8 * (1 + fabs (row[e])));
      scale += v[e] * v[e];
    }
  if (geometry->velocity_term == NULL)
    return;
  bend = geometry->velocity_term (shape, x, v);
  for (int k = 0; k < 3; k++)
    {
      for (guint e = 0; e < n; e++)
        there[e] = x[e] + (k - 1) * t * v[e];
      geometry->measure (shape, there, v, &delta[k], ignored);
    }
  assert_true (fabs ((delta[0] - 2 * delta[1] + delta[2]) / (t * t) - bend) < 1e-5 * scale * scale);
}

static void
test_geometries (void **state)
{
  const IfbamGeometry *const geometries[] = { &ifbam_distance,       &ifbam_stretch,
                                              &ifbam_offset_x,       &ifbam_offset_y,
                                              &ifbam_across,         &ifbam_turn,
                                              &ifbam_turn_of_left,   &ifbam_turn_of_right,
                                              ifbam_distance.driven, ifbam_stretch.driven };
  static const guint ends[] = { 0, 2, 3 };
  g_autoptr (GRand) noise = g_rand_new_with_seed (1775);

  (void) state;
  for (guint g = 0; g < G_N_ELEMENTS (geometries); g++)
    for (guint left = 0; left < 3; left++)
      for (guint right = 0; right < 3; right++)
        for (int draw = 0; draw < 50; draw++)
          assert_derivatives (geometries[g], noise, ends[left], ends[right]);
}

/* The double pendulum of point masses: 1 kg and 1 m each, at rest from 60 and 30 degrees */

#define DOUBLE_PENDULUM                                                                            \
  "[point pivot]\n"                                                                                \
  "[ball b1]\nmass = 1\nx = 0.8660254037844386\ny = -0.5\n"                                        \
  "[ball b2]\nmass = 1\nx = 1.3660254037844386\ny = -1.3660254037844386\n"                         \
  "[rod r1]\nlength = 1\nbetween = pivot, b1\n[rod r2]\nbetween = b1, b2\n"                        \
  "[gravity g]\non = b1, b2\n"

/* The larger error of its two angles at 2 s. */
static double
double_pendulum_error (const char *scheme, double step)
{
  g_autoptr (EventRun) run =
      event_run (0,
                 "[network]\nformat = 1\nscheme = %s\nstep = %.17g\nduration = 2\n"
                 "record = b1.x, b1.y, b2.x, b2.y\n" DOUBLE_PENDULUM,
                 scheme, step);
  const double x = event_run_last (run, "b1.x"), y = event_run_last (run, "b1.y");
  const double beside = event_run_last (run, "b2.x") - x, below = y - event_run_last (run, "b2.y");

  /* Rods keep their lengths to rounding. */
  assert_true (fabs (hypot (x, y) - 1) < 1e-14 && fabs (hypot (beside, below) - 1) < 1e-14);
  return fmax (fabs (atan2 (x, -y) + 0.2401448203455),
               fabs (atan2 (beside, below) - 0.04183962606535));
}

static void
test_double_pendulum (void **state)
{
  static const struct
  {
    const char *scheme;
    double step, worst, order, spread; /* the error at the step; it falls with this order */
  } cases[] = {
    { "rk4", 0.02, 6.1e-6, 3.6, 0.6 },     { "rk4", 0.01, 4.6e-7, 3.8, 0.4 },
    { "verlet", 0.01, 9.4e-4, 2, 0.05 },   { "averaged", 0.005, 4.3e-4, 2, 0.1 },
    { "original", 0.005, 4.3e-4, 2, 0.1 }, { "symplectic-euler", 0.001, 1e-2, 1, 0.15 },
    { "euler", 0.001, 2e-2, 1, 0.15 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double error = double_pendulum_error (cases[i].scheme, cases[i].step);
      const double order =
          log2 (error / double_pendulum_error (cases[i].scheme, 0.5 * cases[i].step));

      print_message ("# %s, %g s: %.2e, order %.2f\n", cases[i].scheme, cases[i].step, error,
                     order);
      assert_true (error <= cases[i].worst);
      assert_true (order >= cases[i].order - (cases[i].order < 3 ? cases[i].spread : 0)
                   && order <= cases[i].order + cases[i].spread);
    }
}

/* Under verlet and symplectic Euler energy swings, and does not drift; rods keep their lengths */
static void
test_energy_of_schemes (void **state)
{
  static const struct
  {
    const char *scheme;
    double most, slope; /* in parts of the start's potential energy */
  } cases[] = { { "verlet", 4e-4, 1e-7 }, { "symplectic-euler", 1e-2, 1e-6 } };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = %s\nstep = 10 ms\nduration = 50 s\n"
                     "record = b1.x, b1.y, b2.x, b2.y, network.energy\n" DOUBLE_PENDULUM,
                     cases[k].scheme);
      gsize n;
      const double *x = event_run_values (run, "b1.x", &n), *y = event_run_values (run, "b1.y", &n);
      const double *x2 = event_run_values (run, "b2.x", &n);
      const double *y2 = event_run_values (run, "b2.y", &n);
      const double *energy = event_run_values (run, "network.energy", &n);
      double most = 0, mean = 0, slope = 0, spread = 0;

      for (gsize i = 0; i < n; i++)
        {
          most = fmax (most, fabs (energy[i] / energy[0] - 1));
          mean += (energy[i] / energy[0] - 1) / (double) n;
          assert_true (fabs (hypot (x[i], y[i]) - 1) < 1e-14);
          assert_true (fabs (hypot (x2[i] - x[i], y2[i] - y[i]) - 1) < 1e-14);
        }
      for (gsize i = 0; i < n; i++)
        {
          const double time = 0.01 * (double) i - 25;

          slope += time * (energy[i] / energy[0] - 1 - mean);
          spread += time * time;
        }
      print_message ("# %s, 50 s: energy within %.2e, %.2e per second\n", cases[k].scheme, most,
                     slope / spread);
      assert_true (most < cases[k].most && fabs (slope / spread) < cases[k].slope);
    }
}

/* A rigid pendulum, hinged 0.4 m above its centre of mass, from 90 degrees */
static void
test_rigid_pendulum (void **state)
{
  double error[2];

  (void) state;
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 2\n"
                     "record = bar.angle, bar.speed, top.x, top.vy, main.x.force, main.y.force\n"
                     "[point pivot]\nx = 3\ny = 1\n"
                     "[body bar]\nmass = 2\ninertia = 0.05\nangle = 1.5707963267948966\n"
                     "[point top]\non = bar\ny = 0.4\n[hinge main]\nbetween = pivot, top\n"
                     "[gravity g]\non = bar\n",
                     k == 0 ? 0.01 : 0.005);
      gsize n;
      const double *angle = event_run_values (run, "bar.angle", &n);
      const double *speed = event_run_values (run, "bar.speed", &n);
      const double *push = event_run_values (run, "main.y.force", &n);
      const double *aside = event_run_values (run, "main.x.force", &n);

      error[k] = fabs (angle[n - 1] - 0.0838619940989);
      assert_true (fabs (speed[n - 1] + 6.50173337762838) < 1e-6);
      /* The hinge's force keeps the bar's centre on the circle: along the bar, and across it. */
      for (gsize i = 0; i < n; i++)
        {
          const double along = 2 * (9.81 * cos (angle[i]) + 0.4 * speed[i] * speed[i]);
          const double across = 2 * 9.81 * sin (angle[i]) * (1 - 2 * 0.16 / 0.37);

          assert_true (fabs (push[i] - along * cos (angle[i]) - across * sin (angle[i])) < 1e-9);
          assert_true (fabs (aside[i] + along * sin (angle[i]) - across * cos (angle[i])) < 1e-9);
        }
      assert_true (fabs (event_run_last (run, "top.x") - 3) < 1e-14);
      assert_true (fabs (event_run_last (run, "top.vy")) < 1e-13);
    }
  assert_true (error[0] < 4e-7 && error[1] < 2.6e-8);
}

/* A platform on three rods, one too many: it does not turn */
static void
test_parallelogram (void **state)
{
  double error[2];

  (void) state;
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 2\n"
          "record = deck.x, deck.y, deck.angle, one.force, two.force\n"
          "[body deck]\nmass = 3\ninertia = 0.2\nx = 0.692820323027551\ny = -0.4\n"
          "[point a]\nx = -0.5\n[point b]\n[point c]\nx = 0.5\n"
          "[point p]\non = deck\nx = -0.5\n[point q]\non = deck\n[point r]\non = deck\nx = 0.5\n"
          "[rod one]\nlength = 0.8\nbetween = a, p\n[rod two]\nlength = 0.8\nbetween = b, q\n"
          "[rod three]\nlength = 0.8\nbetween = c, r\n[gravity g]\non = deck\n",
          k == 0 ? 0.01 : 0.005);
      gsize n;
      const double *turned = event_run_values (run, "deck.angle", &n);

      for (gsize i = 0; i < n; i++)
        assert_true (fabs (turned[i]) < 1e-12);
      /* Equal rods share evenly. */
      assert_true (fabs (event_run_last (run, "one.force") / event_run_last (run, "two.force") - 1)
                   < 1e-4);
      error[k] = fabs (atan2 (event_run_last (run, "deck.x"), -event_run_last (run, "deck.y"))
                       - 1.01788153037);
    }
  print_message ("# parallelogram: %.2e, %.2e\n", error[0], error[1]);
  assert_true (error[0] < 3e-8 && error[1] < 2.5e-9);
}

/* Crank, rod and piston: open start values are found, and the piston is where the crank determines it */

#define ENGINE                                                                                     \
  "[body crank]\nmass = 5\ninertia = 0.1\nangle = 180 deg\nspeed = 60\n"                           \
  "[body piston]\nmass = 0.4\ninertia = 1e-3\n[point centre]\n"                                    \
  "[point pin]\non = crank\nx = 40 mm\n[point wrist]\non = piston\n"                               \
  "[rod conrod]\nlength = 120 mm\nbetween = pin, wrist\n[hinge main]\nbetween = centre, crank\n"   \
  "[slider bore]\nbetween = centre, piston\n"                                                      \
  "[ground floor]\n[torsion-damper load]\ndamping = 0.1\nbetween = crank.angle, floor\n"

static void
test_slider_crank (void **state)
{
  double left[2];

  (void) state;
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 0.2\n"
          "record = crank.angle, crank.speed, piston.x, piston.vx, piston.y, piston.angle, "
          "network.energy, network.dissipated\n" ENGINE,
          k == 0 ? 4e-4 : 2e-4);
      gsize n;
      const double *angle = event_run_values (run, "crank.angle", &n);
      const double *speed = event_run_values (run, "crank.speed", &n);
      const double *x = event_run_values (run, "piston.x", &n);
      const double *vx = event_run_values (run, "piston.vx", &n);
      const double *energy = event_run_values (run, "network.energy", &n);
      const double *lost = event_run_values (run, "network.dissipated", &n);

      for (gsize i = 0; i < n; i++)
        {
          const double aside = 0.04 * sin (angle[i]), far = sqrt (0.0144 - aside * aside);

          assert_true (fabs (x[i] - 0.04 * cos (angle[i]) - far) < 1e-15);
          assert_true (fabs (vx[i] + speed[i] * aside * (1 + 0.04 * cos (angle[i]) / far)) < 1e-13);
        }
      assert_true (fabs (event_run_last (run, "piston.y")) < 1e-16);
      assert_true (fabs (event_run_last (run, "piston.angle")) < 1e-16);
      left[k] = fabs (energy[n - 1] + lost[n - 1] - energy[0]) / energy[0];
    }
  print_message ("# slider-crank: account to %.1e, %.1e\n", left[0], left[1]);
  assert_true (left[1] < 1e-8 && left[0] > 10 * left[1]);
}

/* How far a chain's rods are from their length at a run's end: balls of a name with a number each. */
static double
longest_of (const EventRun *run, const char *ball, int n, double length)
{
  double longest = 0;

  for (int i = 2; i <= n; i++)
    {
      double way[2];

      for (int c = 0; c < 2; c++)
        {
          g_autofree char *from = g_strdup_printf ("%s%d.%c", ball, i - 1, "xy"[c]);
          g_autofree char *to = g_strdup_printf ("%s%d.%c", ball, i, "xy"[c]);

          way[c] = event_run_last (run, to) - event_run_last (run, from);
        }
      longest = fmax (longest, fabs (hypot (way[0], way[1]) - length));
    }
  return longest;
}

/* A hundred rods of 0.1 m with 0.1 kg at the end of each, pinned, from the horizontal */
static void
test_chain_of_rods (void **state)
{
  static const double step[] = { 4e-3, 2e-3, 1e-3 };
  double error[3];

  (void) state;
  for (int k = 0; k < 3; k++)
    {
      static const struct
      {
        const char *signal;
        double value;
      } reference[] = {
        { "c.m1.x", 0.04543935605041 },  { "c.m1.y", -0.08908010396112 },
        { "c.m50.x", 2.777209502347 },   { "c.m50.y", -4.132875275984 },
        { "c.m100.x", 7.541337424775 },  { "c.m100.y", -4.905 },
        { "c.m100.vx", -7.53900441199 }, { "c.m100.vy", -9.81 },
      };
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 1\n"
                     "record = c.m*.x, c.m*.y, c.m100.vx, c.m100.vy\n[point pivot]\n"
                     "[chain c]\ncount = 100\nmass = 0.1\nrods = 0.1\nfrom = pivot\n"
                     "direction = 0 deg\n[gravity g]\non = c\n",
                     step[k]);

      error[k] = 0;
      for (guint i = 0; i < 6; i++)
        error[k] =
            fmax (error[k], fabs (event_run_last (run, reference[i].signal) - reference[i].value));
      for (guint i = 6; i < 8; i++)
        assert_true (fabs (event_run_last (run, reference[i].signal) - reference[i].value)
                     < (k == 2 ? 1e-6 : 1e-3));
      assert_true (longest_of (run, "c.m", 100, 0.1) < 1e-14);
    }
  print_message ("# chain of 100 rods: %.2e, %.2e, %.2e\n", error[0], error[1], error[2]);
  assert_true (error[0] < 1.7e-5 && error[1] < 1.2e-6 && error[2] < 1.5e-7);
}

#define CHAIN_SETTINGS "[network]\nformat = 1\nscheme = rk4\nstep = 1e-3\nduration = 0.5\n"
#define CHAIN_OF_9                                                                                 \
  CHAIN_SETTINGS "record = c.m*.x, c.m*.y, c.r3.force\n[point b0]\n[chain c]\ncount = 9\n"         \
                 "mass = 0.1, 0.2\nrods = 0.1\nfrom = b0\nm4.mass = 0.7\nr3.length = 0.15\n"

/* A chain equals single balls and rods, wherever it begins and ends */
static void
test_chain_is_its_balls (void **state)
{
  g_autoptr (GString) text = g_string_new ("");
  g_autoptr (GString) on = g_string_new ("b1");
  g_autoptr (EventRun) chain = NULL, objects = NULL, balls = NULL, slung = NULL;

  (void) state;
  g_string_append (text, "[point b0]\n");
  for (int i = 1; i <= 9; i++)
    {
      g_string_append_printf (text,
                              "[ball b%d]\nmass = %g\nx = %.17g\ny = 0\n"
                              "[rod r%d]\nlength = %g\nbetween = b%d, b%d\n",
                              i, i == 4 ? 0.7 : 0.1 * (1 + (i - 1) % 2),
                              0.1 * i + (i >= 3 ? 0.05 : 0), i, i == 3 ? 0.15 : 0.1, i - 1, i);
      if (i > 1)
        g_string_append_printf (on, ", b%d", i);
    }
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run =
          event_run (k == 1 ? EVENT_RUN_OBJECTS : 0, CHAIN_OF_9 "[gravity g]\non = c\n");

      *(k == 0 ? &chain : &objects) = g_steal_pointer (&run);
    }
  balls = event_run (0, CHAIN_SETTINGS "record = b*.x, b*.y\n%s[gravity g]\non = %s\n", text->str,
                     on->str);
  for (int i = 1; i <= 9; i++)
    for (int c = 0; c < 2; c++)
      {
        g_autofree char *member = g_strdup_printf ("c.m%d.%c", i, "xy"[c]);
        g_autofree char *ball = g_strdup_printf ("b%d.%c", i, "xy"[c]);

        assert_true (event_run_last (chain, member) == event_run_last (objects, member));
        assert_true (fabs (event_run_last (chain, member) - event_run_last (balls, ball)) < 1e-12);
      }
  /* Slung between a block that may slide and a point, with a load, it comes to no harm. */
  slung = event_run (0, CHAIN_SETTINGS
                     "record = c.m*.x, c.m*.y, block.x, network.energy, network.dissipated, "
                     "network.supplied\n"
                     "[body block]\nmass = 1\ninertia = 0.01\n[point corner]\non = block\n"
                     "x = 0.1\n[point wall]\n[slider rail]\nbetween = wall, block\n"
                     "[point right]\nx = 0.9\n[chain c]\ncount = 9\nmass = 0.1\nrods = 0.1\n"
                     "from = corner\nto = right\ndirection = -70 deg\n"
                     "[ball load]\nmass = 0.5\n[rod rope]\nlength = 0.2\nbetween = c.m5, load\n"
                     "[spring s]\nstiffness = 20\nbetween = c.m3.x, wall.x\n"
                     "[drag d]\ncoefficient = 0.1\non = c.m7\n"
                     "[gravity g]\non = c, load, block\n");
  assert_true (longest_of (slung, "c.m", 9, 0.1) < 1e-14);
  assert_true (event_run_ledger_gap (slung) < 1e-4);
}

/* A pendulum hits a body on a spring and a damper: the rod takes part in every hit */
static void
test_pendulum_hits (void **state)
{
  static const struct
  {
    double time, impulse;
  } hits[] = {
    { 0.5702533591157, 2.074068016562 },
    { 0.6861182157685, 2.111937599938 },
    { 1.939738800088, 0.8407269961212 },
  };
  double error[2];

  (void) state;
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 5\n"
                     "record = block.position\n"
                     "[point pivot]\n[ball bob]\nmass = 1\nx = -0.8660254037844386\ny = -0.5\n"
                     "[rod string]\nlength = 1\nbetween = pivot, bob\n"
                     "[mass block]\nmass = 0.5\n[ground wall]\n"
                     "[spring k]\nstiffness = 200\nbetween = block, wall\n"
                     "[damper d]\ndamping = 3\nbetween = block, wall\n"
                     "[impact hit]\ngap = 0.1\nbetween = bob.x, block\n[gravity g]\non = bob\n",
                     k == 0 ? 0.005 : 0.0025);

      error[k] = fabs (event_run_event (run, "hit", "impact", 1)->time - hits[1].time);
      for (guint i = 0; i < G_N_ELEMENTS (hits); i++)
        {
          const IfbamEvent *event = event_run_event (run, "hit", "impact", i);

          assert_true (fabs (event->time - hits[i].time) < 1e-6);
          assert_true (fabs (event->impulse - hits[i].impulse) < 1e-5);
          assert_true (fabs (event->energy_change) < 1e-14);
        }
      assert_int_equal (event_run_count (run, "hit", "impact"), 6);
    }
  print_message ("# pendulum that hits a body: %.2e, %.2e\n", error[0], error[1]);
  assert_true (error[0] < 1e-7 && error[1] < 6.3e-9);
}

/* A weld holds a cantilever's end; a slider guides a block that slides on a body which turns */
static void
test_welds_and_guides (void **state)
{
  g_autoptr (EventRun) beam = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 0.01\nduration = 1\n"
         "record = beam.x, beam.y, beam.angle, joint.force, joint.y.force, joint.turn.torque\n"
         "[point wall]\nx = 1\n[body beam]\nmass = 2\ninertia = 0.3\nangle = 0.1\n"
         "[point end]\non = beam\nx = -0.5\n[weld joint]\nbetween = wall, end\n"
         "[gravity g]\non = beam\n");
  g_autoptr (EventRun) bead = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 0.002\nduration = 1\n"
         "record = arm.angle, arm.speed, bead.x, bead.y, bead.angle, network.energy\n"
         "[point pivot]\n[body arm]\nmass = 1\ninertia = 0.5\nspeed = 2\n"
         "[hinge main]\nbetween = pivot, arm\n"
         "[body bead]\nmass = 0.2\ninertia = 0.01\nx = 0.3\n[slider way]\nbetween = arm, bead\n");
  gsize n;
  const double *energy = event_run_values (bead, "network.energy", &n);
  const double turned = event_run_last (bead, "arm.angle");
  const double x = event_run_last (bead, "bead.x"), y = event_run_last (bead, "bead.y");
  const double r = hypot (x, y);

  (void) state;
  assert_true (fabs (event_run_last (beam, "beam.x") - 1 - 0.5 * cos (0.1)) < 1e-14);
  assert_true (event_run_last (beam, "beam.angle") == 0.1);
  assert_true (fabs (event_run_last (beam, "joint.y.force") - 2 * 9.81) < 1e-12);
  assert_true (fabs (event_run_last (beam, "joint.turn.torque") - 9.81 * cos (0.1)) < 1e-12);
  /* The bead goes out along the arm; energy and angular momentum stay. */
  assert_true (fabs (y * cos (turned) - x * sin (turned)) < 1e-15);
  assert_true (fabs (event_run_last (bead, "bead.angle") - turned) < 1e-15);
  assert_true (r > 0.6 && fabs (energy[n - 1] / energy[0] - 1) < 1e-9);
  assert_true (
      fabs ((0.51 + 0.2 * r * r) * event_run_last (bead, "arm.speed") - (0.51 + 0.2 * 0.09) * 2)
      < 1e-9);
}

/* Rods continue from recorded states, objects from compiled ones */
static void
test_objects (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  static const char *const networks[] = {
    DOUBLE_PENDULUM,
    ENGINE,
    "[point pivot]\n[ball bob]\nmass = 1\nx = -0.8660254037844386\ny = -0.5\n"
    "[rod string]\nbetween = pivot, bob\n[mass block]\nmass = 0.5\n"
    "[impact hit]\ngap = 0.1\nrestitution = 0.5\nbetween = bob.x, block\n[gravity g]\non = bob\n",
    "[point wall]\n[body a]\nmass = 1\ninertia = 0.1\nx = 0.5\n[point l]\non = a\nx = -0.5\n"
    "[point m]\non = a\nx = 0.5\n[body b]\nmass = 1\ninertia = 0.1\n[point n]\non = b\nx = -0.5\n"
    "[hinge h]\nbetween = wall, l\n[weld w]\nbetween = m, n\n[gravity g]\non = a, b\n",
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_autofree char *what = g_strdup_printf ("network %u, %s", i, schemes[s]);
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nformat = 1\nscheme = %s\nstep = 2 ms\nduration = 1 s\n%s", schemes[s],
            networks[i]);

        compare_by_hand (network, 200, what);
      }
}

/* Between points that stay on a line a spring, a damper and a contact are those between nodes */
static void
test_links_between_points (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "symplectic-euler", "euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
          "record = b.x, b.y, m.position, k.force, l.force, network.energy, network.dissipated\n"
          "[point p]\n[ball b]\nmass = 2\nx = 1\nvx = -3\n"
          "[spring k]\nstiffness = 100\ncubic = 1e3\nlength = 0.9\nbetween = p, b\n"
          "[damper d]\ndamping = 0.5\nbetween = p, b\n"
          "[contact c]\nstiffness = 500\ngap = 0.2\nlength = 0.9\nbetween = p, b\n"
          "[ground g]\n[mass m]\nmass = 2\nposition = -0.1\nvelocity = 3\n"
          "[spring l]\nstiffness = 100\ncubic = 1e3\nbetween = m, g\n"
          "[damper e]\ndamping = 0.5\nbetween = m, g\n"
          "[contact f]\nstiffness = 500\ngap = 0.2\nbetween = m, g\n",
          schemes[s]);
      gsize n;
      const double *x = event_run_values (run, "b.x", &n);
      const double *m = event_run_values (run, "m.position", &n);
      const double *force = event_run_values (run, "k.force", &n);
      const double *other = event_run_values (run, "l.force", &n);

      for (gsize i = 0; i < n; i++)
        {
          assert_true (fabs (x[i] + m[i] - 0.9) < 1e-11);
          assert_true (fabs (force[i] - other[i]) < 1e-8);
        }
      assert_true (event_run_last (run, "b.y") == 0);
      assert_true (event_run_count (run, "c", "close") == event_run_count (run, "f", "close")
                   && event_run_count (run, "c", "close") > 0);
    }
}

/* A point's coordinate is an end of a link between nodes; a ratio is kept for ever, by a force at either */
static void
test_coordinates_and_ratios (void **state)
{
  g_autoptr (EventRun) car = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n"
         "record = car.y, car.x, car.angle, m.position, front.vy, network.energy\n"
         "[body car]\nmass = 2\ninertia = 3\ny = 0.1\n[point front]\non = car\nx = 1\n"
         "[point rear]\non = car\nx = -1\n[ground road]\n"
         "[spring one]\nstiffness = 50\nbetween = front.y, road\n"
         "[spring two]\nstiffness = 50\nbetween = road, rear.y\n"
         "[mass m]\nmass = 2\nposition = 0.1\n[spring k]\nstiffness = 100\nbetween = m, road\n");
  g_autoptr (EventRun) turned = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 2 s\n"
         "record = arm.angle, arm.speed, network.energy\n"
         "[body arm]\nmass = 2\ninertia = 3\n[point pivot]\n[hinge h]\nbetween = pivot, arm\n"
         "[point tip]\non = arm\nx = 0.5\n[mass m]\nmass = 1\nposition = 0.2\n"
         "[spring k]\nstiffness = 40\nbetween = tip.y, m\n");
  g_autoptr (EventRun) rack = event_run (
      0, "[network]\nformat = 1\nscheme = averaged\nstep = 1 ms\nduration = 1 s\n"
         "record = table.position, pinion.angle, r.force, network.energy\n"
         "[mass table]\nmass = 3\nposition = 1\n[inertia pinion]\ninertia = 0.01\nspeed = 10\n"
         "[ratio r]\nratio = 0.05\nbetween = table, pinion\n[force f]\non = table\nvalue = 7\n");
  gsize n;
  const double *energy = event_run_values (turned, "network.energy", &n);
  const double together = 3 + 0.01 / 0.0025;

  (void) state;
  assert_true (fabs (event_run_last (car, "car.y") - event_run_last (car, "m.position")) < 1e-13);
  assert_true (fabs (event_run_last (car, "car.angle")) < 1e-14);
  assert_true (event_run_last (turned, "arm.speed") > 0.1
               && fabs (energy[n - 1] / energy[0] - 1) < 1e-11);
  /* The table's velocity, left open in the file, follows. */
  assert_true (fabs (event_run_last (rack, "table.position") - 1 - 0.5 - 0.5 * 7 / together)
               < 1e-11);
  assert_true (fabs (event_run_last (rack, "pinion.angle") * 0.05
                     - (event_run_last (rack, "table.position") - 1))
               < 1e-14);
  assert_true (fabs (event_run_last (rack, "r.force") - 7 * (1 - 3 / together)) < 1e-12);
}

/* A point of a body hits: a free bar, and one that is hinged, whose hinge takes part in the hit */
static void
test_bars_hit (void **state)
{
  g_autoptr (EventRun) fall = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.4 s\n"
         "record = bar.vy, bar.speed, tip.y\n"
         "[body bar]\nmass = 1\ninertia = 0.08333333333333333\nangle = 30 deg\ny = 0.75\n"
         "[point tip]\non = bar\nx = -0.5\n[ground floor]\n"
         "[impact hit]\nrestitution = 0.6\nbetween = floor, tip.y\n[gravity g]\non = bar\n");
  g_autoptr (EventRun) swing = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.4 s\n"
         "record = bar.angle, bar.speed\n"
         "[body bar]\nmass = 1\ninertia = 0.08333333333333333\n[point pivot]\n"
         "[point root]\non = bar\nx = -0.5\n[point tip]\non = bar\nx = 0.5\n"
         "[hinge pin]\nbetween = pivot, root\n[ground stop]\nposition = -0.3\n"
         "[impact hit]\nrestitution = 0.5\nbetween = stop, tip.y\n[gravity g]\non = bar\n");
  const IfbamEvent *hit = event_run_event (fall, "hit", "impact", 0);
  const double lever = sqrt (1 - 0.09), moment = 1.0 / 3, speed = sqrt (9.81 * 0.3 / moment);

  (void) state;
  assert_true (fabs (hit->time - sqrt (1 / 9.81)) < 1e-12);
  assert_true (fabs (hit->impulse - 1.541952961316) < 1e-11);
  assert_true (fabs (hit->energy_change + 0.9659076923077) < 1e-11);
  assert_true (fabs (event_run_last (fall, "bar.speed") + 8.012222615642) < 1e-11);
  assert_true (
      fabs (event_run_last (fall, "bar.vy") + 1.590138991357 + 9.81 * (0.4 - sqrt (1 / 9.81)))
      < 1e-11);
  hit = event_run_event (swing, "hit", "impact", 0);
  assert_true (fabs (hit->rate_before - speed * lever) < 1e-9);
  assert_true (fabs (hit->impulse - 1.5 * speed * moment / lever) < 1e-9);
  assert_true (fabs (hit->rate_after + 0.5 * hit->rate_before) < 1e-9);
}

/* Points of bodies hit a surface, a ball or a peg: impacts are located; elastic ones keep the energy, with rotation, too */

#define TUMBLING                                                                                   \
  "record = network.energy, bar.x, bar.y\n"                                                        \
  "[body bar]\nmass = 1\ninertia = 0.05\ny = 1.3\nangle = 0.4\nspeed = 3\nvx = 0.3\n"              \
  "[point tip]\non = bar\nx = -0.5\ny = 0.05\n[point top]\non = bar\nx = 0.4\n"                    \
  "[surface hills]\namplitude = 0.1\nwavelength = 2\n[point peg]\nx = 0.6\ny = 0.7\n"              \
  "[ball b]\nmass = 0.4\nradius = 0.2\nx = 0.5\ny = 1.2\n[gravity g]\non = bar, b\n"               \
  "[bounce h1]\nbetween = tip, hills\n[bounce h2]\nbetween = hills, top\n"                         \
  "[bounce h3]\nbetween = tip, b\n[bounce h4]\nbetween = b, top\n[bounce h5]\nbetween = b, peg\n"  \
  "[bounce h6]\nbetween = b, hills\n[bounce h7]\nbetween = bar, hills\n"

static void
test_points_meet (void **state)
{
  g_autoptr (EventRun) fall = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.4 s\nrecord = bar.speed\n"
         "[body bar]\nmass = 1\ninertia = 0.08333333333333333\nangle = 30 deg\ny = 0.75\n"
         "[point tip]\non = bar\nx = -0.5\n[surface floor]\n"
         "[bounce hit]\nrestitution = 0.6\nbetween = tip, floor\n[gravity g]\non = bar\n");
  g_autoptr (EventRun) swing = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.4 s\nrecord = bar.angle\n"
         "[body bar]\nmass = 1\ninertia = 0.08333333333333333\n[point pivot]\n"
         "[point root]\non = bar\nx = -0.5\n[point tip]\non = bar\nx = 0.5\n"
         "[hinge pin]\nbetween = pivot, root\n[surface floor]\nheight = -0.3\n"
         "[bounce hit]\nrestitution = 0.5\nbetween = tip, floor\n[gravity g]\non = bar\n");
  const IfbamEvent *hit = event_run_event (fall, "hit", "impact", 0);
  const double lever = sqrt (1 - 0.09), moment = 1.0 / 3, speed = sqrt (9.81 * 0.3 / moment);
  g_autoptr (EventRun) tumbling = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 0.5 ms\nduration = 3 s\n" TUMBLING);
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nformat = 1\nscheme = verlet\nstep = 1 ms\nduration = 1 s\n" TUMBLING);
  gsize n;
  const double *energy = event_run_values (tumbling, "network.energy", &n);
  double worst = 0;

  (void) state;
  assert_true (fabs (hit->impulse - 1.541952961316) < 1e-11);
  assert_true (fabs (event_run_last (fall, "bar.speed") + 8.012222615642) < 1e-11);
  hit = event_run_event (swing, "hit", "impact", 0);
  assert_true (fabs (hit->rate_before - speed * lever) < 1e-9);
  assert_true (fabs (hit->impulse - 1.5 * speed * moment / lever) < 1e-9);
  for (guint i = 0; i < tumbling->events->len; i++)
    assert_true (fabs (g_array_index (tumbling->events, IfbamEvent, i).energy_change) < 1e-13);
  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (energy[i] - energy[0]));
  print_message ("# tumbling: %u hits, energy to %.2g J\n", tumbling->events->len, worst);
  assert_true (tumbling->events->len > 10 && worst < 1e-9);
  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("h%u", i);

      assert_true (event_run_count (tumbling, name, "impact") > 0);
    }
  compare_by_hand (network, 1000, "tumbling");
}

/* A ball on a slack string falls until that is taut, bounces or swings on it */
static void
test_string (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) drop = event_run (
          0,
          "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
          "record = b.y, b.vy, s.mode\n"
          "[point p]\n[ball b]\nmass = 2\ny = -0.5\n"
          "[string s]\nlength = 1\nrestitution = 0.5\nbetween = p, b\n[gravity g]\non = b\n",
          schemes[s]);
      g_autoptr (EventRun) swing =
          event_run (0,
                     "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
                     "record = b.x, b.y, b.vx, b.vy, s.force, s.mode\n"
                     "[point p]\n[ball b]\nmass = 2\nx = 0.6\ny = 0.8\n"
                     "[string s]\nlength = 1.5\nbetween = p, b\n[gravity g]\non = b\n",
                     schemes[s]);
      const IfbamEvent *taut = event_run_event (drop, "s", "impact", 0);
      const double fall = 0.8 + sqrt (2.25 - 0.36), along = sqrt (2 * 9.81 * fall);
      const double x = event_run_last (swing, "b.x"), y = event_run_last (swing, "b.y");

      assert_true (fabs (taut->time - sqrt (1 / 9.81)) < 1e-12);
      assert_true (fabs (taut->impulse - 2 * 1.5 * sqrt (9.81)) < 1e-10);
      /* It gets taut at x = 0.6; the velocity along it is lost, and it swings on with the remaining one. */
      taut = event_run_event (swing, "s", "taut", 0);
      assert_true (fabs (taut->time - sqrt (2 * fall / 9.81)) < 1e-11);
      assert_true (fabs (taut->impulse - 2 * along * sqrt (2.25 - 0.36) / 1.5) < 1e-9);
      assert_true (event_run_last (swing, "s.mode") == 1 && event_run_last (swing, "s.force") > 0);
      assert_true (fabs (hypot (x, y) - 1.5) < 1e-14);
    }
}

/* A bob on a strut that lengthens by friction alone, in polar coordinates: r, its rate, angle from the downward
 * vertical, its rate */
static void
strut_slopes (const double *y, double friction, double *slope)
{
  slope[0] = y[1];
  slope[1] = isinf (friction) ? 0 : y[0] * y[3] * y[3] + 9.81 * cos (y[2]) - friction;
  slope[2] = y[3];
  slope[3] = (-2 * y[1] * y[3] - 9.81 * sin (y[2])) / y[0];
}

static void
strut_step (double *y, double friction, double h)
{
  double k[4][4], at[4];

  for (guint s = 0; s < 4; s++)
    {
      for (guint c = 0; c < 4; c++)
        at[c] = y[c] + (s == 0 ? 0 : s == 3 ? h : h / 2) * (s == 0 ? 0 : k[s - 1][c]);
      strut_slopes (at, friction, k[s]);
    }
  for (guint c = 0; c < 4; c++)
    y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
}

/* Two frictions that stick hold a point as a hinge does. The point stays, and the body swings as about the hinge, to the
 * order of the scheme. */
static void
test_frictions_hold_a_point (void **state)
{
  static const char *const names[] = { "averaged", "original", "verlet", "rk4",
                                       "implicit", "tr-bdf2",  "esdirk4" };
  const char *text = "[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
                     "record = b.angle, p.x, p.y\n[ground wall]\n[body b]\nmass = 1\n"
                     "inertia = 0.3\nangle = 0.3\n[gravity g]\non = b\n[point p]\non = b\nx = 0.5\n"
                     "%s";

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_autoptr (EventRun) hinge = event_run (
          0, text, names[s],
          "[point o]\nx = 0.5 * cos(0.3)\ny = 0.5 * sin(0.3)\n[hinge h]\nbetween = o, p\n");
      g_autoptr (EventRun) frictions =
          event_run (0, text, names[s],
                     "[friction fx]\nbreakaway = 1000\nbetween = p.x, wall\n"
                     "[friction fy]\nbreakaway = 1000\nbetween = p.y, wall\n");

      assert_near (event_run_last (frictions, "b.angle"), event_run_last (hinge, "b.angle"), 1e-5,
                   names[s]);
      assert_near (event_run_last (frictions, "p.x"), 0.5 * cos (0.3), 1e-5, names[s]);
      assert_near (event_run_last (frictions, "p.y"), 0.5 * sin (0.3), 1e-5, names[s]);
    }
}

/* Dry friction between points: a strut that holds is a rod, one that slips brakes along the line between its ends. */
static void
test_friction_between_points (void **state)
{
  static const double steps[] = { 0.01, 0.005 };
  const char *text = "[network]\nformat = 1\nscheme = rk4\nstep = %.17g\nduration = 1 s\n"
                     "record = bob.x, bob.y, network.energy, network.dissipated, network.supplied\n"
                     "[point pivot]\n[ball bob]\nmass = 1\nx = 0.8\ny = -0.6\n"
                     "[gravity g]\non = bob\n%s\nbetween = pivot, bob\n";
  const double tension = 16, slip_angle = acos ((tension + 2 * 9.81 * 0.6) / (3 * 9.81));
  double y[4] = { 1, 0, atan2 (0.8, 0.6), 0 }, time = 0, h = 1e-4, error[2], late[2];
  EventRun *rod, *strut;

  (void) state;
  rod = event_run (0, text, 0.01, "[rod strut]");
  strut = event_run (0, text, 0.01, "[friction strut]\nbreakaway = 50");
  assert_true (fabs (event_run_last (rod, "bob.x") - event_run_last (strut, "bob.x")) < 1e-7);
  assert_true (fabs (event_run_last (rod, "bob.y") - event_run_last (strut, "bob.y")) < 1e-7);
  event_run_free (rod);
  event_run_free (strut);

  /* It holds 16 N until the bob pulls with more, and brakes with 10 N from then on. */
  while (y[2] > slip_angle)
    {
      double was[4];

      memcpy (was, y, sizeof was);
      strut_step (y, INFINITY, h);
      if (y[2] < slip_angle && h > 1e-13)
        {
          memcpy (y, was, sizeof was);
          h *= 0.1;
        }
      else
        time += h;
    }
  for (guint k = 0; k < 10000; k++)
    strut_step (y, 10, (1 - time) / 10000);
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      strut = event_run (0, text, steps[k], "[friction strut]\nbreakaway = 16\ncoulomb = 10");
      assert_int_equal (event_run_count (strut, "strut", NULL), 1);
      late[k] = fabs (event_run_event (strut, "strut", "slip", 0)->time - time);
      error[k] = hypot (event_run_last (strut, "bob.x") - y[0] * sin (y[2]),
                        event_run_last (strut, "bob.y") + y[0] * cos (y[2]));
      assert_true (event_run_ledger_gap (strut) < 1e-6);
      event_run_free (strut);
    }
  assert_true (late[0] < 2e-9 && late[0] > 8 * late[1]);
  assert_true (error[0] < 1e-7 && error[0] > 12 * error[1]);
}

/* How many ways are left */
static void
test_freedom (void **state)
{
  static const struct
  {
    const char *file;
    guint coordinates, relations, redundant;
  } cases[] = {
    { "pendulum", 3, 2, 0 }, { "double-pendulum", 4, 2, 0 }, { "slider-crank", 6, 5, 0 },
    { "four-bar", 9, 8, 0 }, { "parallelogram", 3, 3, 1 },   { "half-car", 5, 0, 0 },
    { "crane", 5, 2, 0 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("networks/%s.ini", cases[i].file);
      g_autoptr (IfbamNetwork) network = open_network (path, NULL);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
      g_auto (IfbamDegreesOfFreedom) freedom = ifbam_model_degrees_of_freedom (model);

      assert_int_equal (freedom.coordinates, cases[i].coordinates);
      assert_int_equal (freedom.relations, cases[i].relations);
      assert_int_equal (freedom.redundant, cases[i].redundant);
    }
}

/* Which relations follow from which others: the last one in the file does */
static void
test_dependence (void **state)
{
  static const struct
  {
    const char *network, *relation, *others;
  } cases[] = {
    { "[point a]\n[point b]\nx = 1\n[point c]\nx = 2\n[body deck]\nmass = 1\ninertia = 1\ny = -1\n"
      "x = 1\n[point p]\non = deck\nx = -1\n[point q]\non = deck\n[point r]\non = deck\nx = 1\n"
      "[ball beside]\nmass = 1\nx = 5\n[rod other]\nbetween = c, beside\n"
      "[rod one]\nbetween = a, p\n[rod two]\nbetween = b, q\n[rod three]\nbetween = c, r\n",
      "three", "one two" },
    /* A body held twice, of which the second time says nothing new */
    { "[point a]\n[body b]\nmass = 1\ninertia = 1\n[hinge h]\nbetween = a, b\n[weld w]\n"
      "between = a, b\n",
      "w.y", "h.y" },
    /* Gears in a ring */
    { "[inertia a]\ninertia = 1\n[inertia b]\ninertia = 2\n[inertia c]\ninertia = 3\n"
      "[ratio ab]\nratio = 2\nbetween = a, b\n[ratio bc]\nratio = 3\nbetween = b, c\n"
      "[ratio ac]\nratio = 6\nbetween = a, c\n",
      "ac", "ab bc" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nformat = 1\nstep = 1 ms\nduration = 1 ms\n%s", cases[i].network);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
      g_auto (IfbamDegreesOfFreedom) freedom = ifbam_model_degrees_of_freedom (model);
      const IfbamDependence *dependence = &g_array_index (freedom.dependence, IfbamDependence, 0);
      g_autoptr (GString) others = g_string_new (NULL);

      assert_int_equal (freedom.redundant, freedom.dependence->len);
      assert_string_equal (
          g_array_index (model->unbatched_links, IfbamLink, dependence->relation).name,
          cases[i].relation);
      for (guint k = 0; k < dependence->n; k++)
        g_string_append_printf (
            others, "%s%s", k == 0 ? "" : " ",
            g_array_index (model->unbatched_links, IfbamLink, dependence->others[k]).name);
      assert_string_equal (others->str, cases[i].others);
    }
}

/* A drive moves a rod and a crank into one line and beyond: an error with the rows before. Too large a rotation in a step is
 * an error that recommends a step. */
static void
test_dead_points (void **state)
{
  static const char *const schemes[] = { "rk4",      "verlet", "averaged",
                                         "original", "euler",  "symplectic-euler" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    for (guint engine = 0; engine < 2; engine++)
      {
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
            "[point centre]\n[body crank]\nmass = 1\ninertia = 0.1\n[hinge main]\n"
            "between = centre, crank\n[point pin]\non = crank\nx = 0.1\n"
            "[drive ram]\nposition = 0.38\namplitude = 0.05\nfrequency = 1\n"
            "[point wrist]\nfollow-x = ram\n[rod conrod]\nlength = 0.3\nbetween = pin, wrist\n",
            schemes[i]);
        g_autoptr (GError) error = NULL;
        g_autoptr (IfbamRun) run = ifbam_run_new (network);

        g_object_set (run, "engine", engine == 0 ? IFBAM_ENGINE_PLAN : IFBAM_ENGINE_OBJECTS, NULL);
        assert_false (ifbam_run_run (run, NULL, &error));
        assert_message (error->message,
                        "t = 0.06*\": the mechanism is at a dead point; no finite force moves it "
                        "(give it speed, or a flywheel); the rows before are kept");
        assert_true (ifbam_course_get_n_rows (ifbam_run_get_course (run)) > 60);
      }
}

static void
test_turning (void **state)
{
  static const struct
  {
    double step;
    const char *message;
  } cases[] = { { 0.02, "\"r\" turns by 2 rad in a step*use a step of 0.005 s" }, { 0.005, NULL } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nformat = 1\nscheme = verlet\nstep = %g\nduration = 1\n"
          "[point p]\n[ball slow]\nmass = 1\nx = 1\nvy = 1\n[rod s]\nbetween = p, slow\n"
          "[ball b]\nmass = 1\nx = 0.1\nvy = 10\n[rod r]\nbetween = p, b\n"
          "[spring k]\nstiffness = 2000\nlength = 0.1\nbetween = p, b\n"
          "[force f]\nvalue = 3000\non = b.x\n",
          cases[i].step);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
      g_autofree char *text = ifbam_model_turning_text (model, spec.step);
      g_autoptr (IfbamRun) run = ifbam_run_new (network);
      g_autoptr (GError) error = NULL;

      if (cases[i].message == NULL)
        {
          assert_null (text);
          continue;
        }
      assert_message (text, cases[i].message);
      assert_false (ifbam_run_run (run, NULL, &error));
      assert_message (error->message, cases[i].message);
    }
}

/* Contradictions at the start are reported */
static void
test_contradictions (void **state)
{
  static const struct
  {
    const char *network, *message;
  } cases[] = {
    { "[point p]\n[ball b]\nmass = 1\nx = 1\ny = 0\n[rod r]\nlength = 2\nbetween = p, b\n",
      "[rod r]*distance*1 m at the start*or the length" },
    { "[point p]\n[ball b]\nmass = 1\n[rod r]\nbetween = p, b\n",
      "[rod r]*start at one point*hinge" },
    { "[point p]\n[ball b]\nmass = 1\nx = 1\nvx = 3\n[rod r]\nbetween = p, b\n",
      "[rod r]*separate by 3 per second" },
    { "[point p]\n[body b]\nmass = 1\ninertia = 1\nx = 1\n[hinge h]\nbetween = p, b\n",
      "[hinge h]*offset along x*1 m" },
    { "[point p]\n[point q]\nx = 1\n[ball b]\nmass = 1\n[rod r]\nbetween = p, q\n",
      "[rod r]*nothing could move" },
    { "[point p]\non = b\n[ball b]\nmass = 1\n[rod r]\nbetween = p, b\n",
      "[point p]*\"b\" is a ball without inertia (a point is on" },
    { "[point p]\non = c\n[body b]\nmass = 1\ninertia = 1\n[rod r]\nbetween = p, b\n",
      "[point p]*no body \"c\"" },
    { "[point p]\non = b\n[body b]\nmass = 1\ninertia = 1\n[rod r]\nbetween = p, b\n",
      "[rod r]*both ends are on" },
    { "[mass m]\nmass = 1\n[ground g]\n[spring k]\nstiffness = 1\nlength = 2\nbetween = m, g\n",
      "[spring k] length*on a line*leave it out" },
    { "[inertia m]\ninertia = 1\n[point p]\n[torsion-spring k]\nstiffness = 1\nbetween = p.x, m\n",
      "[torsion-spring k]*p.x*coordinate of translation" },
    { "[mass m]\nmass = 1\n[ball b]\nmass = 1\n[rod r]\nbetween = m, b\n",
      "[rod r]*join a mass and a ball (it joins two points of the plane" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault = event_run_fault (
          "[network]\nformat = 1\nstep = 1 ms\nduration = 1 s\n%s", cases[i].network);

      assert_message (fault, cases[i].message);
    }
}

/* Open values are found also from positions where all rows vanish: of two solutions the forward one. */
static void
test_stationary_starts (void **state)
{
  static const struct
  {
    const char *network, *signal;
    double start;
  } cases[] = {
    /* A rod that pulls along x only */
    { "[point p]\n[ball b]\nmass = 2\nx = 0.9\n[rod r]\nlength = 1\nbetween = p, b\n", "b.y",
      0.43588989435406733 },
    { "[point p]\n[ball b]\nmass = 2\ny = -0.8\n[rod r]\nlength = 1\nbetween = b, p\n", "b.x",
      0.6 },
    /* Two that push against each other */
    { "[point p]\nx = -0.9\n[point q]\nx = 0.5\n[ball b]\nmass = 2\n[rod r]\nlength = 1.5\n"
      "between = p, b\n[rod s]\nlength = 1.3\nbetween = q, b\n",
      "b.y", 1.2 },
    /* A crank that stands along its rod, whose end is said to be elsewhere; it turns to the left */
    { "[point p]\n[body c]\nmass = 1\ninertia = 1\n[hinge h]\nbetween = p, c\n"
      "[point tip]\non = c\nx = 3\n[point q]\nx = 8\n[rod r]\nlength = 7\nbetween = tip, q\n",
      "c.angle", 1.0471975511965979 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EventRun) run =
          event_run (0, "[network]\nformat = 1\nstep = 1 ms\nduration = 1 ms\nrecord = %s\n%s",
                     cases[i].signal, cases[i].network);

      assert_near (event_run_first (run, cases[i].signal), cases[i].start, 1e-13, cases[i].signal);
    }
}

/* A planetary gear shares torques as 1 : ratio : -(1 + ratio); a motor's constant couples current and torque */
static void
test_transmissions (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "symplectic-euler", "euler", "averaged" };
  const double ratio = 2.5, torque = 4, js = 0.02, jc = 0.5, jr = 0.1;
  const double share = torque / js / (1 / js + (1 + ratio) * (1 + ratio) / jc + ratio * ratio / jr);
  const double weight = 1e-3 + 0.02 / (0.5 * 0.5), slowness = 10 * weight;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < 2; k++)
      {
        g_autoptr (EventRun) run = event_run (
            k == 1 ? EVENT_RUN_OBJECTS : 0,
            "[network]\nformat = 1\nscheme = %s\nstep = 1e-3\nduration = 1\n"
            "record = *.speed, p.torque, *.angle\n[inertia sun]\ninertia = 0.02\nangle = 1\n"
            "[inertia carrier]\ninertia = 0.5\n[inertia ring]\ninertia = 0.1\n"
            "[planetary p]\nratio = 2.5\nbetween = sun, carrier, ring\n"
            "[torque t]\nvalue = 4\non = sun\n",
            schemes[s]);

        assert_true (fabs (event_run_last (run, "p.torque") - share) < 1e-12);
        assert_true (fabs (event_run_last (run, "sun.speed") - (torque - share) / js)
                     < (s < 4 ? 1e-10 : 0.2));
        assert_true (fabs (event_run_last (run, "carrier.speed") - (1 + ratio) * share / jc)
                     < (s < 4 ? 1e-10 : 0.2));
        assert_true (fabs (event_run_last (run, "ring.speed") + ratio * share / jr)
                     < (s < 4 ? 1e-10 : 0.2));
        assert_true (fabs (event_run_last (run, "sun.angle") - 1
                           + ratio * event_run_last (run, "ring.angle")
                           - (1 + ratio) * event_run_last (run, "carrier.angle"))
                     < 1e-12);
      }
  /* V = k w, T = k i: behind a resistor the shaft is a capacitor more. */
  {
    g_autoptr (EventRun) run =
        event_run (0, "[network]\nformat = 1\nscheme = rk4\nstep = 1e-3\nduration = 1\n"
                      "record = shaft.speed, motor.force, r.current\n"
                      "[voltage-source battery]\nvoltage = 12\n[resistor r]\nresistance = 10\n"
                      "between = battery, brush\n[capacitor brush]\ncapacitance = 1e-3\n"
                      "[inertia shaft]\ninertia = 0.02\n"
                      "[ratio motor]\nratio = 0.5\nbetween = brush, shaft\n");
    const double voltage = 12 * (1 - exp (-1 / slowness));

    assert_true (fabs (0.5 * event_run_last (run, "shaft.speed") - voltage) < 1e-11);
    assert_true (fabs (event_run_last (run, "r.current") - (12 - voltage) / 10) < 1e-11);
    /* The motor takes the current that does not charge the capacitor. */
    assert_true (fabs (fabs (event_run_last (run, "motor.force"))
                       - (12 - voltage) / 10 * (weight - 1e-3) / weight)
                 < 1e-11);
  }
}

/* A pendulum on a cart keeps energy and momentum; one whose pivot is shaken goes as its angle says:
 * a'' = -((g + v'') sin a + u'' cos a) / l */
static void
test_points_that_follow (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "symplectic-euler", "euler" };
  static const double bounds[] = { 1e-8, 2e-4, 2e-4, 0.05, 0.05 };
  const double w = 15, b = 0.03, c = 0.02, g = 9.81, h = 1e-4;
  double angle = 0.5, speed = 0;

  (void) state;
  for (int i = 0; i < 10000; i++)
    {
      double k[4][2];

      for (int stage = 0; stage < 4; stage++)
        {
          const double part = stage == 0 ? 0 : stage == 3 ? h : h / 2, t = i * h + part;
          const double a = angle + (stage > 0 ? part * k[stage - 1][0] : 0);

          k[stage][0] = speed + (stage > 0 ? part * k[stage - 1][1] : 0);
          k[stage][1] =
              -(g - c * w * w * sin (w * t)) * sin (a) + b * w * w * sin (w * t) * cos (a);
        }
      angle += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
      speed += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
    }
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) shaken = event_run (
          0,
          "[network]\nformat = 1\nscheme = %s\nstep = 1e-3\nduration = 1\n"
          "record = bob.x, bob.y, p.x, p.y, p.vx, network.energy, network.supplied, "
          "network.dissipated\n"
          "[drive u]\namplitude = 0.03\nfrequency = %.17g\n"
          "[drive v]\namplitude = 0.02\nfrequency = %.17g\n[point p]\nfollow-x = u\n"
          "follow-y = v\ny = 2\n[ball bob]\nmass = 1\nx = %.17g\ny = %.17g\nvx = %.17g\n"
          "vy = %.17g\n[rod r]\nlength = 1\nbetween = p, bob\n[gravity g]\non = bob\n",
          schemes[s], w / (2 * G_PI), w / (2 * G_PI), sin (0.5), 2 - cos (0.5), b * w, c * w);
      const double x = b * sin (w) + sin (angle), y = 2 + c * sin (w) - cos (angle);

      assert_true (fabs (event_run_last (shaken, "bob.x") - x) < bounds[s]);
      assert_true (fabs (event_run_last (shaken, "bob.y") - y) < bounds[s]);
      assert_true (fabs (event_run_last (shaken, "p.y") - 2 - c * sin (w)) < 1e-14);
      assert_true (fabs (hypot (event_run_last (shaken, "bob.x") - event_run_last (shaken, "p.x"),
                                event_run_last (shaken, "bob.y") - event_run_last (shaken, "p.y"))
                         - 1)
                   < 1e-13);
      assert_true (event_run_ledger_gap (shaken) < 50 * bounds[s]);
    }
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) cart =
          event_run (k == 1 ? EVENT_RUN_OBJECTS : 0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 1e-3\nduration = 2\n"
                     "record = cart.velocity, bob.vx, network.energy\n[mass cart]\nmass = 3\n"
                     "[point p]\nfollow-x = cart\n[ball bob]\nmass = 1\nx = 0.8\ny = -0.6\n"
                     "[rod r]\nbetween = p, bob\n[gravity g]\non = bob\n");

      assert_true (
          fabs (3 * event_run_last (cart, "cart.velocity") + event_run_last (cart, "bob.vx"))
          < 1e-12);
      assert_true (fabs (event_run_last (cart, "cart.velocity")) > 0.01);
      assert_true (fabs (event_run_last (cart, "network.energy") + 0.6 * 9.81) < 1e-9);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_geometries),
    cmocka_unit_test (test_double_pendulum),
    cmocka_unit_test (test_rigid_pendulum),
    cmocka_unit_test (test_parallelogram),
    cmocka_unit_test (test_slider_crank),
    cmocka_unit_test (test_chain_of_rods),
    cmocka_unit_test (test_chain_is_its_balls),
    cmocka_unit_test (test_pendulum_hits),
    cmocka_unit_test (test_welds_and_guides),
    cmocka_unit_test (test_dependence),
    cmocka_unit_test (test_dead_points),
    cmocka_unit_test (test_turning),
    cmocka_unit_test (test_contradictions),
    cmocka_unit_test (test_stationary_starts),
    cmocka_unit_test (test_string),
    cmocka_unit_test (test_friction_between_points),
    cmocka_unit_test (test_frictions_hold_a_point),
    cmocka_unit_test (test_freedom),
    cmocka_unit_test (test_bars_hit),
    cmocka_unit_test (test_points_meet),
    cmocka_unit_test (test_links_between_points),
    cmocka_unit_test (test_coordinates_and_ratios),
    cmocka_unit_test (test_transmissions),
    cmocka_unit_test (test_points_that_follow),
    cmocka_unit_test (test_energy_of_schemes),
    cmocka_unit_test (test_objects),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

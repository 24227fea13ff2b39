/* test-references.c: mechanisms against numbers that were found by other means
 *
 * Reference numbers are of minimal coordinates, by a method of order 8 with a tolerance of 3e-14 that was restarted at each
 * event, or of elliptic functions. Angles count from the downward vertical.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "event-run.h"
#include "fixture.h"

#define HEAD "[network]\nformat = 1\nscheme = %s\nstep = %.17g\nduration = %g\n"

/* A number of a run, by its signal and row. */
typedef struct
{
  const char *signal;
  double time, value;
} Reference;

static double
value_at (const EventRun *run, const char *signal, double time)
{
  gsize n, rows, row = 0;
  const double *values = event_run_values (run, signal, &n);
  const double *times = ifbam_course_get_times (run->course, &rows);

  while (row + 1 < rows && times[row] < time - 1e-9)
    row++;
  assert_number (times[row], time, 1e-9);
  return values[row];
}

/* The largest error of n numbers. */
static double
worst_of (const EventRun *run, const Reference *reference, guint n)
{
  double worst = 0;

  for (guint i = 0; i < n; i++)
    worst = fmax (
        worst, fabs (value_at (run, reference[i].signal, reference[i].time) - reference[i].value));
  return worst;
}

/* A scheme's largest errors at three steps, each half of the one before, and its order from each to the next. */
typedef struct
{
  const char *scheme;
  double step, allowed[3], least, most;
} Bound;

static void
check_bound (const Bound *bound, const char *text, const Reference *reference, guint n,
             double duration)
{
  double error[3];

  for (guint k = 0; k < G_N_ELEMENTS (error); k++)
    {
      g_autoptr (EventRun) run =
          event_run (0, HEAD "%s", bound->scheme, ldexp (bound->step, -(int) k), duration, text);

      error[k] = worst_of (run, reference, n);
    }
  print_message ("# %s, %g s: %.2e, %.2e, %.2e, orders %.2f, %.2f\n", bound->scheme, bound->step,
                 error[0], error[1], error[2], log2 (error[0] / error[1]),
                 log2 (error[1] / error[2]));
  for (guint k = 0; k < G_N_ELEMENTS (error); k++)
    assert_true (error[k] <= bound->allowed[k]);
  for (guint k = 0; k < 2; k++)
    assert_true (log2 (error[k] / error[k + 1]) >= bound->least
                 && log2 (error[k] / error[k + 1]) <= bound->most);
}

/* A bar, hinged 0.4 m above its centre of mass, from 90 degrees: it comes back after a period that elliptic functions
 * give, and its hinge bears the weight and the centripetal force. */
static void
test_pendulum (void **state)
{
#define BAR                                                                                        \
  "record = bar.angle, bar.speed, main.x.force, main.y.force\n"                                    \
  "[point pivot]\n[body bar]\nmass = 2\ninertia = 0.05\nangle = 1.5707963267948966\n"              \
  "[point top]\non = bar\ny = 0.4\n[hinge main]\nbetween = pivot, top\n"                           \
  "[gravity g]\non = bar\n[monitor turns]\nsignal = bar.speed\ndirection = falling\n"
  static const Reference angles[] = { { "bar.angle", 1, -1.17031797900027 },
                                      { "bar.angle", 2, 0.0838619940989 } };
  static const Reference speeds[] = { { "bar.speed", 1, 4.06674883847514 },
                                      { "bar.speed", 2, -6.50173337762838 } };
  static const Bound bounds[] = { { "rk4", 0.01, { 4e-7, 2.6e-8, 1.7e-9 }, 3.9, 4.1 },
                                  { "verlet", 0.01, { 3.6e-3, 9e-4, 2.3e-4 }, 1.95, 2.05 } };
  g_autoptr (EventRun) run = event_run (0, HEAD BAR, "rk4", 1e-3, 2.0);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    check_bound (&bounds[i], BAR, angles, G_N_ELEMENTS (angles), 2);
  assert_true (worst_of (run, speeds, G_N_ELEMENTS (speeds)) < 1e-10);
  assert_number (event_run_event (run, "turns", NULL, 0)->time, 1.61030662096524, 1e-10);
  {
    gsize n;
    const double *push = event_run_values (run, "main.y.force", &n);
    const double *aside = event_run_values (run, "main.x.force", &n);
    gsize at = 402; /* ms; it hangs straight down at 402.577 ms */

    /* A parabola's vertex, and a line's zero in between. */
    assert_number (push[at + 1]
                       + (push[at + 2] - push[at]) * (push[at + 2] - push[at])
                             / (8 * (2 * push[at + 1] - push[at] - push[at + 2])),
                   53.5572972972973, 1e-6);
    assert_number (aside[at] / (aside[at] - aside[at + 1]), 0.5766552, 1e-4);
  }
}

/* Rows around events have the links' values then, not those at the step's start; the other rows have equal bits with
 * such rows between them, and objects agree. */
static void
test_rows_around_events (void **state)
{
#define ROWS                                                                                       \
  "record = bar.angle, bar.speed, bar.angle.acceleration, main.x.force, main.y.force, "            \
  "main.y.compression, block.position, k.force, k.compression, hit.compression, "                  \
  "d.force, d.rate, network.energy, network.dissipated\n"                                          \
  "[point pivot]\n[body bar]\nmass = 2\ninertia = 0.05\nangle = 1.5707963267948966\n"              \
  "[point top]\non = bar\ny = 0.4\n[hinge main]\nbetween = pivot, top\n"                           \
  "[gravity g]\non = bar\n[monitor below]\nsignal = bar.angle\n"                                   \
  "[mass block]\nmass = 1\nposition = -0.1\nvelocity = 1\n[ground wall]\n"                         \
  "[spring k]\nstiffness = 100\nbetween = block, wall\n"                                           \
  "[damper d]\ndamping = 0.1\nbetween = block, wall\n"                                             \
  "[impact hit]\ngap = 0.02\nrestitution = 0.9\nbetween = block, wall\n"
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) plain = event_run (0, HEAD ROWS, schemes[s], 2e-3, 1.0);
      g_autoptr (EventRun) run = event_run (EVENT_RUN_EVENT_ROWS, HEAD ROWS, schemes[s], 2e-3, 1.0);
      g_autoptr (EventRun) objects =
          event_run (EVENT_RUN_EVENT_ROWS | EVENT_RUN_OBJECTS, HEAD ROWS, schemes[s], 2e-3, 1.0);
      const char *const *signals = ifbam_course_get_signals (run->course);
      const gboolean late = g_str_equal (schemes[s], "averaged");
      gsize n, n_plain, at = 0;
      const double *times = ifbam_course_get_times (run->course, &n);
      const double *rows = ifbam_course_get_times (plain->course, &n_plain);
      const double *angle = event_run_values (run, "bar.angle", &n);
      const double *speed = event_run_values (run, "bar.speed", &n);
      const double *push = event_run_values (run, "main.y.force", &n);
      const double *aside = event_run_values (run, "main.x.force", &n);
      const double *place = event_run_values (run, "block.position", &n);

      assert_true (n > n_plain);
      for (gsize i = 0; i < n; i++)
        {
          const double along = 2 * (9.81 * cos (angle[i]) + 0.4 * speed[i] * speed[i]);
          const double across = 2 * 9.81 * sin (angle[i]) * (1 - 2 * 0.16 / 0.37);

          assert_number (push[i], along * cos (angle[i]) + across * sin (angle[i]), 1e-9);
          assert_number (aside[i], across * cos (angle[i]) - along * sin (angle[i]), 1e-9);
          assert_number (event_run_values (run, "hit.compression", &n)[i], place[i], 1e-15);
          if (!late)
            assert_number (event_run_values (run, "k.force", &n)[i], 100 * place[i], 1e-13);
        }
      for (guint c = 0; signals[c] != NULL; c++)
        {
          const double *value = event_run_values (run, signals[c], &n);
          const double *said = event_run_values (objects, signals[c], &n);
          const double *without = event_run_values (plain, signals[c], &n_plain);

          at = 0;
          for (gsize i = 0; i < n; i++)
            {
              assert_true (value[i] == said[i]);
              if (at < n_plain && times[i] == rows[at] && (i + 1 == n || times[i + 1] > times[i]))
                assert_true (value[i] == without[at++]);
            }
          assert_int_equal (at, n_plain);
        }
    }
}

#define DOUBLE_PENDULUM                                                                            \
  "record = b1.x, b1.y, b1.vx, b1.vy, b2.x, b2.y, b2.vx, b2.vy\n"                                  \
  "[point p]\n[ball b1]\nmass = 1\nx = 0.8660254037844386\ny = -0.5\n"                             \
  "[ball b2]\nmass = 1\nx = 1.3660254037844386\ny = -1.3660254037844386\n"                         \
  "[rod r]\nlength = 1\nbetween = p, b1\n[rod s]\nlength = 1\nbetween = b1, b2\n"                  \
  "[gravity g]\non = b1, b2\n"

/* Two bobs of 1 kg on rods of 1 m, from 60 and 30 degrees. */
static void
test_double_pendulum (void **state)
{
  static const struct
  {
    double time, angle[2], rate[2];
  } reference[] = {
    { 1, { -0.2728549133382, -1.042636757449 }, { -0.6070969362057, -2.807091752575 } },
    { 2, { -0.2401448203455, 0.04183962606535 }, { 2.605576682353, 1.210907795503 } },
  };
  static const Reference bobs[] = { { "b1.x", 2, -0.23784329 },
                                    { "b1.y", 2, -0.97130354 },
                                    { "b2.x", 2, -0.19601587 },
                                    { "b2.y", 2, -1.97042839 } };
  g_autoptr (EventRun) run = event_run (0, HEAD DOUBLE_PENDULUM, "rk4", 5e-4, 2.0);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (reference); i++)
    {
      double before[4] = { 0 };

      for (guint k = 0; k < 2; k++)
        {
          static const char *const signals[] = { "x", "y", "vx", "vy" };
          double at[4], way[4];

          for (guint c = 0; c < 4; c++)
            {
              g_autofree char *signal = g_strdup_printf ("b%u.%s", k + 1, signals[c]);

              at[c] = value_at (run, signal, reference[i].time);
              way[c] = at[c] - before[c];
              before[c] = at[c];
            }
          assert_number (atan2 (way[0], -way[1]), reference[i].angle[k], 1e-10);
          assert_number (way[2] * -way[1] + way[3] * way[0], reference[i].rate[k], 2e-10);
        }
    }
  assert_true (worst_of (run, bobs, G_N_ELEMENTS (bobs)) < 6e-9);
}

/* A hundred rods of 0.1 m with 0.1 kg at the end of each, pinned, from the horizontal, on the way and at the end */
static void
test_chain (void **state)
{
#define CHAIN                                                                                      \
  "record = c.m*.x, c.m*.y, c.m100.vx, c.m100.vy\n[point pivot]\n"                                 \
  "[chain c]\ncount = 100\nmass = 0.1\nrods = 0.1\nfrom = pivot\n"                                 \
  "direction = 0 deg\n[gravity g]\non = c\n"
  static const Reference places[] = {
    { "c.m1.x", 0.5, 0.07661629346819 }, { "c.m1.y", 0.5, -0.06426463705021 },
    { "c.m50.x", 0.5, 4.663597004464 },  { "c.m50.y", 0.5, -1.22625 },
    { "c.m100.x", 0.5, 9.663597004464 }, { "c.m100.y", 0.5, -1.22625 },
    { "c.m1.x", 1, 0.04543935605041 },   { "c.m1.y", 1, -0.08908010396112 },
    { "c.m50.x", 1, 2.777209502347 },    { "c.m50.y", 1, -4.132875275984 },
    { "c.m100.x", 1, 7.541337424775 },   { "c.m100.y", 1, -4.905 },
  };
  static const Reference rates[] = { { "c.m100.vx", 0.5, -1.860931832987 },
                                     { "c.m100.vy", 0.5, -4.905 },
                                     { "c.m100.vx", 1, -7.53900441199 },
                                     { "c.m100.vy", 1, -9.81 } };
  static const Bound bounds[] = { { "rk4", 4e-3, { 1.7e-5, 1.2e-6, 1.5e-7 }, 3.5, 4.5 },
                                  { "verlet", 1e-3, { 2.9e-5, 7.1e-6, 1.8e-6 }, 1.9, 2.1 } };
  g_autoptr (EventRun) run = event_run (0, HEAD CHAIN, "rk4", 1e-3, 1.0);
  double longest = 0;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    check_bound (&bounds[i], CHAIN, places, G_N_ELEMENTS (places), 1);
  assert_true (worst_of (run, rates, G_N_ELEMENTS (rates)) < 1e-6);
  for (guint i = 1; i <= 100; i++)
    {
      const double *before[2] = { NULL }, *at[2];
      gsize n;

      for (guint c = 0; c < 2; c++)
        {
          g_autofree char *here = g_strdup_printf ("c.m%u.%c", i, "xy"[c]);
          g_autofree char *there = g_strdup_printf ("c.m%u.%c", i - 1, "xy"[c]);

          at[c] = event_run_values (run, here, &n);
          before[c] = i == 1 ? NULL : event_run_values (run, there, &n);
        }
      for (gsize row = 0; row < n; row++)
        longest = fmax (longest, fabs (hypot (at[0][row] - (i == 1 ? 0 : before[0][row]),
                                              at[1][row] - (i == 1 ? 0 : before[1][row]))
                                       - 0.1));
    }
  print_message ("# chain of 100 rods, all rows: lengths to %.1e m\n", longest);
  assert_true (longest < 1e-14);
}

/* A hundred thousand rods from the horizontal: rods far from the pivot fall as if free. */
static void
test_long_chain (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0,
                 HEAD "record = c.m1.x, c.m1.y, c.m100000.x, c.m100000.y, c.m100000.vy\n"
                      "[point pivot]\n[chain c]\ncount = 100000\nmass = 0.1\n"
                      "rods = 0.1\nfrom = pivot\ndirection = 0 deg\n[gravity g]\non = c\n",
                 "verlet", 1e-4, 1e-3);
  const double time = 1e-3,
               place[2] = { event_run_last (run, "c.m1.x"), event_run_last (run, "c.m1.y") };

  (void) state;
  assert_number (event_run_last (run, "c.m100000.y"), -0.5 * 9.81 * time * time, 1e-15);
  assert_number (event_run_last (run, "c.m100000.vy"), -9.81 * time, 1e-12);
  assert_number (event_run_last (run, "c.m100000.x"), 10000, 1e-7);
  assert_true (place[1] < 0);
  assert_number (hypot (place[0], place[1]), 0.1, 1e-15);
}

/* A pendulum hits a body on a spring and a damper, six times */
static void
test_pendulum_hits (void **state)
{
  static const Reference block[] = { { "block.position", 1, 0.03985221312151 },
                                     { "block.velocity", 1, 0.8370403817756 } };
  g_autoptr (EventRun) run =
      event_run (0,
                 HEAD "record = bob.x, bob.y, bob.vx, bob.vy, block.position, block.velocity\n"
                      "[point pivot]\n[ball bob]\nmass = 1\nx = -0.8660254037844386\ny = -0.5\n"
                      "[rod string]\nlength = 1\nbetween = pivot, bob\n"
                      "[mass block]\nmass = 0.5\n[ground wall]\n"
                      "[spring k]\nstiffness = 200\nbetween = block, wall\n"
                      "[damper d]\ndamping = 3\nbetween = block, wall\n"
                      "[impact hit]\ngap = 0.1\nbetween = bob.x, block\n[gravity g]\non = bob\n",
                 "rk4", 5e-4, 5.0);
  const double x = value_at (run, "bob.x", 1), y = value_at (run, "bob.y", 1);

  (void) state;
  assert_true (worst_of (run, block, G_N_ELEMENTS (block)) < 2e-9);
  assert_number (atan2 (x, -y), -0.1981235004642, 1e-9);
  assert_number (value_at (run, "bob.vx", 1) * -y + value_at (run, "bob.vy", 1) * x,
                 -1.215367584297, 1e-9);
  assert_number (event_run_event (run, "hit", "impact", 0)->rate_before, 3.10073168476, 1e-9);
  assert_int_equal (event_run_count (run, "hit", "impact"), 6);
}

/* A platform on three rods, one too many, from 60 degrees: it does not turn, and comes back in time. */
static void
test_parallelogram (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0,
      HEAD "record = deck.x, deck.y, deck.angle\n"
           "[body deck]\nmass = 3\ninertia = 0.2\nx = 0.692820323027551\ny = -0.4\n"
           "[point a]\nx = -0.5\n[point b]\n[point c]\nx = 0.5\n"
           "[point p]\non = deck\nx = -0.5\n[point q]\non = deck\n[point r]\non = deck\nx = 0.5\n"
           "[rod one]\nlength = 0.8\nbetween = a, p\n[rod two]\nlength = 0.8\nbetween = b, q\n"
           "[rod three]\nlength = 0.8\nbetween = c, r\n[gravity g]\non = deck\n"
           "[monitor turns]\nsignal = deck.vx\ndirection = falling\n",
      "rk4", 1e-3, 2.0);
  gsize n;
  const double *turned = event_run_values (run, "deck.angle", &n);

  (void) state;
  assert_number (atan2 (value_at (run, "deck.x", 1), -value_at (run, "deck.y", 1)), -1.039852776008,
                 1e-9);
  assert_number (atan2 (value_at (run, "deck.x", 2), -value_at (run, "deck.y", 2)), 1.01788153037,
                 1e-9);
  assert_number (event_run_event (run, "turns", NULL, 0)->time, 1.925589640873, 1e-9);
  for (gsize i = 0; i < n; i++)
    assert_true (fabs (turned[i]) < 1e-12);
}

/* A piston that is a mass on a line, which a point follows: the engine of test-ignition by four coordinates, three of them
 * the crank's, and three relations */
static void
test_engine_on_a_line (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0,
      HEAD "record = crank.angle, crank.speed, piston.position, network.dissipated\n"
           "[body crank]\nmass = 5\ninertia = 0.1\nangle = 180 deg\nspeed = 60\n[point centre]\n"
           "[point pin]\non = crank\nx = 40 mm\n[point head]\nx = 170 mm\n"
           "[hinge main]\nbetween = centre, crank\n[ground floor]\n"
           "[torsion-damper load]\ndamping = 0.1\nbetween = crank.angle, floor\n"
           "[mass piston]\nmass = 0.4\nposition = 80 mm\n[point wrist]\nfollow-x = piston\n"
           "[rod conrod]\nlength = 120 mm\nbetween = pin, wrist\n"
           "[gas-spring gas]\narea = 50 cm2\npressure = 100 kPa\nbetween = head, wrist\n"
           "[impulse ignition]\nbetween = head, wrist\nenergy = 60 J\nwhen = back\n"
           "[monitor back]\nsignal = piston.position\nlevel = 159 mm\ndirection = falling\n",
      "rk4", 1e-4, 2.0);
  static const Reference reference[] = { { "crank.angle", 0.1, 8.408584501992 },
                                         { "piston.position", 0.1, 0.09401705384191 },
                                         { "crank.angle", 0.5, 33.84546510724 },
                                         { "piston.position", 0.5, 0.08683844445704 } };

  (void) state;
  assert_true (worst_of (run, reference, G_N_ELEMENTS (reference)) < 2e-9);
  assert_number (value_at (run, "crank.speed", 0.5), 75.55450446817, 1e-8);
  assert_number (value_at (run, "network.dissipated", 0.5), 193.9534324827, 1e-7);
  assert_int_equal (event_run_count (run, "ignition", "impulse"), 24);
}

/* Rods with dampers, and with a row that is held until it lets go: their orders stay. */
static void
test_orders_with_dampers (void **state)
{
  static const struct
  {
    const char *what, *text, *signals[3];
  } networks[] = {
    { "double pendulum in dampers",
      DOUBLE_PENDULUM "[damper d]\ndamping = 0.4\nbetween = p, b2\n[damper e]\ndamping = 0.3\n"
                      "between = b1.x, still\n[ground still]\n"
                      "[spring k]\nstiffness = 3\nlength = 1.5\nbetween = p, b2\n",
      { "b1.x", "b2.x", "b2.y" } },
    { "ball held in a hollow, with a rod",
      "record = m.x, m.y, bob.x, bob.y, held.force\n[ball m]\nmass = 2\nradius = 0.05\nx = -0.5\n"
      "y = -0.15\nvx = 0.8\n[surface hollow]\namplitude = 0.2\nwavelength = 2\n"
      "[bounce held]\nrestitution = 0\nbetween = m, hollow\n"
      "[ball bob]\nmass = 1\nx = -0.5\ny = -0.65\n[rod r]\nlength = 0.5\nbetween = m, bob\n[point "
      "post]\ny = 2\n"
      "[damper d]\ndamping = 0.8\nbetween = post, m\n[damper e]\ndamping = 0.3\n"
      "between = post, bob\n[gravity g]\non = m, bob\n",
      { "m.x", "bob.x", "bob.y" } },
  };
  static const struct
  {
    const char *scheme;
    double least, most;
  } schemes[] = {
    { "rk4", 3.7, 4.3 },      { "verlet", 1.9, 2.1 },           { "averaged", 1.9, 2.1 },
    { "original", 0.9, 2.1 }, { "symplectic-euler", 0.9, 1.1 }, { "euler", 0.8, 1.1 }
  };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (networks); k++)
    {
      g_autoptr (EventRun) exact = event_run (0, HEAD "%s", "rk4", 1e-4, 1.0, networks[k].text);

      for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
        {
          double error[2] = { 0, 0 }, order;

          for (guint i = 0; i < 2; i++)
            {
              const double step = g_str_equal (schemes[s].scheme, "rk4") ? 0.01 : 0.002;
              g_autoptr (EventRun) run = event_run (0, HEAD "%s", schemes[s].scheme,
                                                    ldexp (step, -(int) i), 1.0, networks[k].text);

              for (guint c = 0; c < G_N_ELEMENTS (networks[k].signals); c++)
                error[i] = fmax (error[i], fabs (event_run_last (run, networks[k].signals[c])
                                                 - event_run_last (exact, networks[k].signals[c])));
            }
          order = log2 (error[0] / error[1]);
          print_message ("# %s, %s: %.2e, order %.3f\n", networks[k].what, schemes[s].scheme,
                         error[1], order);
          assert_true (order >= schemes[s].least && order <= schemes[s].most);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_pendulum),
    cmocka_unit_test (test_rows_around_events),
    cmocka_unit_test (test_double_pendulum),
    cmocka_unit_test (test_chain),
    cmocka_unit_test (test_long_chain),
    cmocka_unit_test (test_pendulum_hits),
    cmocka_unit_test (test_parallelogram),
    cmocka_unit_test (test_engine_on_a_line),
    cmocka_unit_test (test_orders_with_dampers),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

/* test-states.c: internal states of laws: closed forms, orders, loops, and the same bits by all ways
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
#include "event-run.h"
#include "fixture.h"
#include "embed/ifbam-equilibrium.h"
#include "linear/system-matrices.h"
#include "run/run.h"
#include "engine/engine.h"

/* Bouc-Wen */

/* n = 1, loaded one way from the start: z = y (1 - exp (-delta/y)), whatever beta is. */
static void
test_monotonic_loading (void **state)
{
  static const char *const betas[] = { "0.5", "0.8", "3" };

  (void) state;
  for (guint b = 0; b < G_N_ELEMENTS (betas); b++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\nrecord = l.compression, l.force, "
          "l.z, l.dissipated, network.energy, network.supplied\n"
          "[ground wall]\n[drive d]\nvelocity = 5 cm/s\n[bouc-wen l]\nstiffness = 1 kN/m\n"
          "ratio = 0.1\nyield = 1 cm\nbeta = %s\nbetween = d, wall\n",
          betas[b]);
      gsize n;
      const double *delta = event_run_values (run, "l.compression", &n);
      const double *z = event_run_values (run, "l.z", NULL);
      const double *force = event_run_values (run, "l.force", NULL);
      const double *lost = event_run_values (run, "l.dissipated", NULL);

      for (gsize i = 0; i < n; i++)
        {
          const double wanted = 0.01 * (1 - exp (-delta[i] / 0.01));
          /* Yielding dissipates 0.9 k (integral of z - z^2/2). */
          const double taken = 900 * (0.01 * (delta[i] - wanted) - 0.5 * wanted * wanted);

          assert_near (z[i], wanted, 1e-12, "z");
          assert_near (force[i], 100 * delta[i] + 900 * wanted, 1e-9, "force");
          assert_near (lost[i], taken, 1e-8, "dissipated");
        }
    }
}

/* By itself: dz/ddelta along one half of a loop, in fine steps of Runge and Kutta. */
static double
slope_of_z (double z, double sign, double yield, double beta, int n)
{
  const double u = pow (fabs (z / yield), n);

  return 1 - u * (beta * (sign * z > 0 ? 1 : -1) + 1 - beta);
}

static double
loop_energy (double amplitude, double yield, double beta, int n, double stiffness)
{
  const int steps = 200000;
  double z = 0, energy = 0;

  /* The second of two loops, from the turn at -amplitude on, is the last one's like. */
  for (int half = 0; half < 12; half++)
    {
      const double sign = half % 2 == 0 ? 1 : -1;
      const double h = sign * 2 * amplitude / steps;

      for (int i = 0; i < steps; i++)
        {
          const double k1 = slope_of_z (z, sign, yield, beta, n);
          const double k2 = slope_of_z (z + 0.5 * h * k1, sign, yield, beta, n);
          const double k3 = slope_of_z (z + 0.5 * h * k2, sign, yield, beta, n);
          const double k4 = slope_of_z (z + h * k3, sign, yield, beta, n);
          const double next = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);

          if (half >= 10)
            energy += stiffness * h * 0.5 * (z + next);
          z = next;
        }
    }
  return energy;
}

/* The dissipation of a steady loop does not depend on its frequency. */
static void
test_energy_of_a_loop (void **state)
{
  static const struct
  {
    double beta;
    int n;
    const char *frequency;
  } cases[] = { { 0.5, 1, "1 Hz" }, { 0.7, 2, "1 Hz" }, { 0.7, 2, "4 Hz" }, { 1.5, 3, "1 Hz" } };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const double wanted = loop_energy (0.02, 0.01, cases[c].beta, cases[c].n, 900);
      const double period = cases[c].frequency[0] == '4' ? 0.25 : 1;
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = rk4\nstep = %.17g\nduration = %.17g\nsample = %.17g\n"
          "record = l.dissipated, network.supplied, network.energy\n"
          "[ground wall]\n[drive d]\namplitude = 2 cm\nfrequency = %s\n[bouc-wen l]\n"
          "stiffness = 1 kN/m\nratio = 0.1\nyield = 1 cm\nbeta = %g\nexponent = %d\n"
          "between = d, wall\n",
          1e-4 * period, 6 * period, period, cases[c].frequency, cases[c].beta, cases[c].n);
      gsize n;
      const double *lost = event_run_values (run, "l.dissipated", &n);
      const double *supplied = event_run_values (run, "network.supplied", NULL);
      const double *energy = event_run_values (run, "network.energy", NULL);

      print_message ("# beta %g, n %d, %s: a loop takes %.9g J, by itself %.9g J\n", cases[c].beta,
                     cases[c].n, cases[c].frequency, lost[n - 1] - lost[n - 2], wanted);
      assert_near (lost[n - 1] - lost[n - 2], wanted, 1e-6 * wanted, "a loop");
      for (gsize i = 0; i < n; i++)
        assert_near (energy[i] + lost[i], supplied[i], 1e-7, "the ledger");
    }
}

/* Every scheme carries a state on in its own order, as long as nothing turns: there a law has a kink. */
static void
test_orders (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  double exact[2] = { 0, 0 };

  (void) state;
  for (guint s = n_schemes + 1; s-- > 0;)
    {
      /* First the reference, by the last scheme. */
      const gboolean reference = s == n_schemes;
      const IfbamScheme *scheme = schemes[reference ? n_schemes - 1 : s];
      double last[2] = { 0, 0 };
      /* At short steps an order of five is lost in rounding. */
      const double longest = scheme->order > 4 && !reference ? 10e-3 : 1e-3;

      for (int halvings = reference ? 6 : 0; halvings < (reference ? 7 : 4); halvings++)
        {
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nscheme = %s\nstep = %.17g\nduration = 40 ms\nrecord = m.position, l.z\n"
              "[ground wall]\n[mass m]\nmass = 1\nvelocity = 2\n[bouc-wen l]\nstiffness = 500\n"
              "ratio = 0.1\nyield = 10 cm\nbeta = 0.6\nbetween = m, wall\n"
              "[damper d]\ndamping = 3\nbetween = m, wall\n",
              scheme->name, longest / (1 << halvings));
          const double now[2] = { event_run_last (run, "m.position"), event_run_last (run, "l.z") };

          for (int q = 0; q < 2; q++)
            {
              const double error = fabs (now[q] - exact[q]), order = log2 (last[q] / error);

              if (reference)
                exact[q] = now[q];
              else if (halvings == 3)
                {
                  print_message ("# %s: %s off by %.2g, order %.2f\n", scheme->name,
                                 q == 0 ? "position" : "z", error, order);
                  assert_true (order > scheme->order - 0.15);
                }
              last[q] = error;
            }
        }
    }
}

/* Small motions are elastic, with the stiffness before yielding. */
static void
test_small_motions (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 1 s\nrecord = m.position, l.dissipated\n"
      "[ground wall]\n[mass m]\nmass = 1\nposition = 1 nm\n[bouc-wen l]\nstiffness = 1000\n"
      "ratio = 0.1\nyield = 1 m\nexponent = 2\nbetween = m, wall\n");
  gsize n;
  const double *x = event_run_values (run, "m.position", &n);

  (void) state;
  /* z is zero at the start, where x is not: the spring beside it pulls, and z follows. */
  for (gsize i = 0; i < n; i++)
    assert_near (x[i], 0.9e-9 + 0.1e-9 * cos (sqrt (1000) * 1e-4 * (double) i), 1e-15, "position");
}

/* The same bits by all ways */

#define NETWORK                                                                                    \
  "[ground wall]\n[mass m1]\nmass = 1\nvelocity = 2\n[mass m2]\nmass = 2\nposition = 5 mm\n"       \
  "[bouc-wen b1]\nstiffness = 1000\nratio = 0.1\nyield = 1 cm\nbetween = wall, m1\n"               \
  "[bouc-wen b2]\nstiffness = 300\nyield = 2 cm\nbeta = 0.8\nexponent = 3\nbetween = m2, m1\n"     \
  "[spring k2]\nstiffness = 200\nbetween = m1, m2\n"
#define HIT "[impact hit]\ngap = 20 mm\nrestitution = 0.7\nbetween = m1, m2\n"

static void
assert_same (const EventRun *one, const EventRun *other, const char *what)
{
  const char *const *names = ifbam_course_get_signals (one->course);

  assert_int_equal (one->events->len, other->events->len);
  for (guint i = 0; names[i] != NULL; i++)
    {
      gsize n, m;
      const double *a = event_run_values (one, names[i], &n);
      const double *b = event_run_values (other, names[i], &m);

      assert_int_equal (n, m);
      if (memcmp (a, b, n * sizeof *a) != 0)
        fail_msg ("%s: %s differs", what, names[i]);
    }
}

static void
test_ways (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    for (int hits = 0; hits < 2; hits++)
      {
        const EventRunFlags ways[] = { 0, EVENT_RUN_OBJECTS, EVENT_RUN_BY_EVENTS };
        g_autoptr (EventRun) run = NULL;

        for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
          {
            g_autoptr (EventRun) other =
                event_run (ways[w],
                           "[network]\nscheme = %s\nstep = 1 ms\nduration = 2 s\n"
                           "record = *.position, *.z, *.force, network.energy\n" NETWORK "%s",
                           schemes[s]->name, hits ? HIT : "");

            assert_true ((other->events->len > 0) == hits);
            if (run == NULL)
              run = g_steal_pointer (&other);
            else
              assert_same (run, other, schemes[s]->name);
          }
      }
}

/* Links in no batch: between balls, and with modes */

/* Two balls, one of which a floor dents, a bar that yields between them, and the same laws on a line. */
#define BALLS                                                                                      \
  "[surface floor]\n[gravity w]\non = a, b\n"                                                      \
  "[ball a]\nmass = 1\nradius = 0.1\ny = 0.35\nvx = 0.4\n"                                         \
  "[ball b]\nmass = 2\nradius = 0.1\nx = 0.25\ny = 0.4\nvy = 1\n"                                  \
  "[bouc-wen bar]\nstiffness = 300\nratio = 0.1\nyield = 4 cm\nbeta = 0.7\nexponent = 2\n"         \
  "between = a, b\n"                                                                               \
  "[dent soil]\nstiffness = 20 kN/m\nyield = 100\nviscosity = 3000\nbetween = b, floor\n"          \
  "[dent soil-2]\nstiffness = 9 kN/m\nyield = 60\nviscosity = 2000\nbetween = a, floor\n"          \
  "[ground wall]\n[mass m]\nmass = 1\nposition = 1 cm\nvelocity = -1\n"                            \
  "[force push]\non = m\nvalue = -20\n"                                                            \
  "[dent bumper]\nstiffness = 10 kN/m\nyield = 50\nviscosity = 1000\nbetween = wall, m\n"          \
  "[bouc-wen batch]\nstiffness = 100\nratio = 0.1\nyield = 1 cm\nbetween = wall, m\n"

static void
test_single_ways (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      static const char text[] =
          "[network]\nscheme = %s\nstep = 0.5 ms\nduration = 1 s\n"
          "record = *.position, *.z, *.dent, *.force, network.energy\n" BALLS;
      g_autoptr (EventRun) run = event_run (0, text, schemes[s]->name);
      g_autoptr (EventRun) objects = event_run (EVENT_RUN_OBJECTS, text, schemes[s]->name);
      g_autoptr (IfbamNetwork) by_hand = text_network_printf (text, schemes[s]->name);

      assert_same (run, objects, schemes[s]->name);
      for (guint e = 0; e < run->events->len; e++)
        {
          const IfbamEvent *one = &g_array_index (run->events, IfbamEvent, e);
          const IfbamEvent *other = &g_array_index (objects->events, IfbamEvent, e);

          assert_true (one->time == other->time && g_str_equal (one->word, other->word));
        }
      assert_non_null (event_run_event (run, "soil", "yield", 0));
      assert_non_null (event_run_event (run, "bumper", "yield", 0));
      assert_true (event_run_last (run, "soil.dent") > 1e-4);
      assert_true (compare_by_hand (by_hand, 1000, schemes[s]->name) >= 8);
    }
}

/* Yielding in a bar, and in dents, is in the energy balance: it closes to the scheme's order, and the dissipation of dents
 * is not less than their yielding. */
static void
test_single_account (void **state)
{
  double error[2];

  (void) state;
  for (int fine = 0; fine < 2; fine++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = %s\nduration = 1 s\nrecord = "
                     "soil.dissipated, soil.dent, "
                     "bar.dissipated, network.energy, network.supplied, network.dissipated\n" BALLS,
                     fine ? "0.1 ms" : "0.4 ms");
      gsize n;
      const double *energy = event_run_values (run, "network.energy", &n);
      const double *lost = event_run_values (run, "network.dissipated", NULL);
      const double *supplied = event_run_values (run, "network.supplied", NULL);

      error[fine] = 0;
      for (gsize i = 0; i < n; i++)
        error[fine] = fmax (error[fine], fabs (energy[i] + lost[i] - supplied[i] - energy[0]));
      assert_true (event_run_last (run, "soil.dissipated")
                   > 100 * event_run_last (run, "soil.dent"));
      assert_true (event_run_last (run, "bar.dissipated") > 0);
    }
  print_message ("# the account is off by %.2g J, by %.2g J with a fourth of the step\n", error[0],
                 error[1]);
  assert_true (error[1] < 2e-5 && error[1] < error[0] / 10);
}

/* Reference: two balls and their link. y: x, y of both, their velocities, z. */
typedef struct
{
  double stiffness, ratio, yield, beta, n, mass[2], radii;
} Bar;

static void
rates_of_bar (gconstpointer data, const double *y, double *rates)
{
  const Bar *bar = data;
  const double dx = y[0] - y[2], dy = y[1] - y[3], distance = hypot (dx, dy);
  const double e[2] = { dx / distance, dy / distance }, z = y[8];
  const double rate = -(e[0] * (y[4] - y[6]) + e[1] * (y[5] - y[7]));
  const double u = pow (fabs (z / bar->yield), bar->n);
  const double force =
      bar->stiffness * (bar->ratio * (bar->radii - distance) + (1 - bar->ratio) * z);

  memcpy (rates, y + 4, 4 * sizeof *rates);
  for (int k = 0; k < 2; k++)
    {
      rates[4 + k] = force * e[k] / bar->mass[0];
      rates[6 + k] = -force * e[k] / bar->mass[1];
    }
  rates[8] = rate - bar->beta * fabs (rate) * u * (z > 0 ? 1 : -1) - (1 - bar->beta) * rate * u;
}

static void
runge_kutta (void (*rates) (gconstpointer data, const double *y, double *rates), gconstpointer data,
             double *y, int n, double h)
{
  double k[4][9], at[9];

  for (int stage = 0; stage < 4; stage++)
    {
      const double part = stage == 0 ? 0 : stage == 3 ? h : 0.5 * h;

      for (int i = 0; i < n; i++)
        at[i] = y[i] + (stage == 0 ? 0 : part * k[stage - 1][i]);
      rates (data, at, k[stage]);
    }
  for (int i = 0; i < n; i++)
    y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* As long as the bar does not turn back from being pressed or drawn, each scheme has its own order. */
static void
test_single_orders (void **state)
{
  const Bar bar = { 400, 0.2, 0.1, 0.6, 2, { 1, 2 }, 0.2 };
  double y[9] = { 0, 0, 0.3, 0.1, 1.5, 0.5, 0, 0, 0 };
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (int i = 0; i < 20000; i++)
    runge_kutta (rates_of_bar, &bar, y, 9, 0.04 / 20000);
  for (guint s = 0; s < n_schemes; s++)
    {
      double last[2] = { 0, 0 };
      const double longest = schemes[s]->order > 4 ? 20e-3 : 2e-3;

      for (int halvings = 0; halvings < 4; halvings++)
        {
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nscheme = %s\nstep = %.17g\nduration = 40 ms\nrecord = a.x, l.z\n"
              "[ball a]\nmass = 1\nradius = 0.1\nvx = 1.5\nvy = 0.5\n"
              "[ball b]\nmass = 2\nradius = 0.1\nx = 0.3\ny = 0.1\n[bouc-wen l]\nstiffness = 400\n"
              "ratio = 0.2\nyield = 10 cm\nbeta = 0.6\nexponent = 2\nbetween = a, b\n",
              schemes[s]->name, longest / (1 << halvings));
          const double now[2] = { event_run_last (run, "a.x"), event_run_last (run, "l.z") };

          for (int q = 0; q < 2; q++)
            {
              const double error = fabs (now[q] - (q == 0 ? y[0] : y[8]));
              const double order = log2 (last[q] / error);

              if (halvings == 3)
                {
                  print_message ("# %s: %s off by %.2g, order %.2f\n", schemes[s]->name,
                                 q == 0 ? "x" : "z", error, order);
                  assert_true (order > schemes[s]->order - 0.15);
                }
              last[q] = error;
            }
        }
    }
}

/* By itself: a mass that a wall dents. y: position, velocity, dent; a mode, as long as it lasts. */
typedef struct
{
  int mode;
} Wall;

static void
rates_of_wall (gconstpointer data, const double *y, double *rates)
{
  const Wall *wall = data;
  const double force = wall->mode == 0 ? 0 : 1e4 * (-y[0] - y[2]);

  rates[0] = y[1];
  rates[1] = force - 20;
  rates[2] = wall->mode == 2 ? (force - 50) / 100 : 0;
}

/* How far the mode's end is away; it lasts while this is not negative. */
static double
left_of_wall (const Wall *wall, const double *y)
{
  const double elastic = -y[0] - y[2];

  return wall->mode == 0   ? -elastic
         : wall->mode == 2 ? elastic - 50 / 1e4
                           : fmin (elastic, 50 / 1e4 - elastic);
}

/* Integrates the wall's modes in short steps, with events by bisection; times: of all changes. */
static guint
go_by_wall (double *y, double duration, double *times, guint most)
{
  Wall wall = { 0 };
  const double step = 1e-5;
  double time = 0;
  guint n = 0;

  while (time < duration - 1e-12)
    {
      double h = fmin (step, duration - time), low = 0, high = h, then[3];

      memcpy (then, y, sizeof then);
      runge_kutta (rates_of_wall, &wall, then, 3, h);
      if (left_of_wall (&wall, then) >= 0)
        {
          memcpy (y, then, sizeof then);
          time += h;
          continue;
        }
      for (int i = 0; i < 60; i++)
        {
          h = 0.5 * (low + high);
          memcpy (then, y, sizeof then);
          runge_kutta (rates_of_wall, &wall, then, 3, h);
          *(left_of_wall (&wall, then) >= 0 ? &low : &high) = h;
        }
      runge_kutta (rates_of_wall, &wall, y, 3, high);
      time += high;
      assert_true (n < most);
      times[n++] = time;
      wall.mode = wall.mode != 1 ? 1 : -y[0] - y[2] > 25 / 1e4 ? 2 : 0;
    }
  return n;
}

/* The modes of a law with a state: when they change, and where it comes to, in the scheme's order. */
static void
test_modes_and_state (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet" };
  const double order[] = { 4, 2 };
  double y[3] = { 0.01, -1, 0 }, times[64];
  const guint n = go_by_wall (y, 1, times, G_N_ELEMENTS (times));

  (void) state;
  assert_true (n >= 12);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      double last = 0;

      for (int halvings = 0; halvings < 3; halvings++)
        {
          g_autoptr (EventRun) run =
              event_run (0,
                         "[network]\nscheme = %s\nstep = %.17g\nduration = 1 s\n"
                         "record = m.position, h.dent\n[ground wall]\n"
                         "[mass m]\nmass = 1\nposition = 1 cm\nvelocity = -1\n"
                         "[force push]\non = m\nvalue = -20\n[dent h]\nstiffness = 10 kN/m\n"
                         "yield = 50\nviscosity = 100\nbetween = wall, m\n",
                         schemes[s], 1e-3 / (1 << halvings));
          double error = fmax (fabs (event_run_last (run, "m.position") - y[0]),
                               fabs (event_run_last (run, "h.dent") - y[2]));

          assert_int_equal (run->events->len, n);
          for (guint e = 0; e < n; e++)
            error = fmax (error, fabs (g_array_index (run->events, IfbamEvent, e).time - times[e]));
          if (halvings > 0)
            {
              print_message ("# %s: off by %.2g, order %.2f\n", schemes[s], error,
                             log2 (last / error));
              assert_true (log2 (last / error) > order[s] - 0.4);
            }
          last = error;
        }
    }
}

/* A bar about a state: its stiffness includes the change of the state. */
static void
test_single_slopes (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n"
                    "[ball a]\nmass = 1\nradius = 0.1\n[ball b]\nmass = 2\nradius = 0.1\nx = 0.2\n"
                    "[bouc-wen l]\nstiffness = 400\nratio = 0.2\nyield = 10 cm\nbetween = a, b\n");
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, FALSE, &spec, NULL, &error);
  g_autoptr (IfbamSmallMotions) motions = ifbam_small_motions_new (model, &spec, &error);

  (void) state;
  assert_non_null (motions);
  assert_int_equal (motions->n, 4);
  assert_int_equal (motions->extra->len, 1);
  assert_near (motions->stiffness[model->n_slots], 400, 1e-6, "stiffness");
  assert_near (motions->damping[model->n_slots], 0, 1e-9, "damping");
}

/* Manual steps: the link's own states need no further calls. */
static void
test_by_hand (void **state)
{
  static const char text[] =
      "[network]\nscheme = averaged\nstep = 1 ms\nduration = 0.5 s\nrecord = m1.position\n"
      "[ground wall]\n[mass m1]\nmass = 1\nvelocity = 2\n[bouc-wen b1]\nstiffness = 1000\n"
      "ratio = 0.1\nyield = 1 cm\nbetween = wall, m1\n";
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (IfbamCourse) course = text_course (text);
  g_autoptr (GError) error = NULL;
  IfbamElement *wall = ifbam_network_get_element (network, "wall");
  IfbamElement *mass = ifbam_network_get_element (network, "m1");
  IfbamElement *link = ifbam_network_get_element (network, "b1");
  gsize n;
  const double *x = ifbam_course_get_values (course, "m1.position", &n, NULL);

  (void) state;
  assert_true (ifbam_network_reset (network, &error));
  for (gsize i = 0; i < n; i++)
    {
      assert_true (ifbam_element_get_quantity (mass, "position", NULL) == x[i]);
      ifbam_element_master_from_left (wall, link);
      ifbam_element_master_from_left (link, mass);
      ifbam_element_master_from_right (mass, link);
      ifbam_element_slave (link);
      ifbam_element_slave (mass);
    }
}

/* A monitor hears a state; a signal that is none is refused with those that are. */
static void
test_signals (void **state)
{
  g_autoptr (EventRun) run = event_run (
      EVENT_RUN_EVENT_ROWS,
      "[network]\nscheme = rk4\nstep = 1 ms\nduration = 40 ms\nrecord = m1.position\n" NETWORK
      "[monitor half]\nsignal = b1.z\nlevel = -5 mm\ndirection = falling\n");
  g_autofree char *fault = event_run_fault (
      "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\nrecord = b1.y\n" NETWORK);
  const IfbamEvent *event = event_run_event (run, "half", NULL, 0);
  gsize n;
  const double *times = ifbam_course_get_times (run->course, &n);
  const double *x = event_run_values (run, "m1.position", NULL);
  guint rows = 0;

  (void) state;
  assert_non_null (event);
  /* n = 1, loaded one way: z = -y (1 - exp (-x/y)). */
  for (gsize i = 0; i < n; i++)
    if (times[i] == event->time)
      {
        assert_near (x[i], 0.01 * log (2), 1e-6, "position where z is at half of its yield");
        rows++;
      }
  assert_true (rows > 0);
  assert_non_null (strstr (fault, "dissipated, z)"));
}

/* All that there is has states in it, and all of an element, whatever its ends. */
static void
test_patterns (void **state)
{
  static const char *const records[] = { "*", "b*.*", "soil.*" };

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (records); r++)
    {
      g_autoptr (EventRun) run = event_run (
          0, "[network]\nscheme = rk4\nstep = 1 ms\nduration = 5 ms\nrecord = %s\n" BALLS,
          records[r]);
      const char *const *names = ifbam_course_get_signals (run->course);

      assert_true (g_strv_contains (names, "bar.z") == (r < 2));
      assert_true (g_strv_contains (names, "batch.z") == (r < 2));
      assert_true (g_strv_contains (names, "bumper.dent") == (r < 2));
      assert_true (g_strv_contains (names, "soil.dent") == (r != 1));
    }
}

/* A place of rest depends on the way there. */
static void
test_no_equilibrium (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\n" NETWORK);
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_null (ifbam_network_find_equilibrium (network, &error));
  assert_non_null (strstr (error->message, "b1 has an internal state (z)"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_monotonic_loading),
    cmocka_unit_test (test_energy_of_a_loop),
    cmocka_unit_test (test_orders),
    cmocka_unit_test (test_small_motions),
    cmocka_unit_test (test_ways),
    cmocka_unit_test (test_single_ways),
    cmocka_unit_test (test_single_account),
    cmocka_unit_test (test_single_orders),
    cmocka_unit_test (test_modes_and_state),
    cmocka_unit_test (test_single_slopes),
    cmocka_unit_test (test_by_hand),
    cmocka_unit_test (test_signals),
    cmocka_unit_test (test_patterns),
    cmocka_unit_test (test_no_equilibrium),
  };

  return cmocka_run_group_tests_name ("states", tests, folder_make, folder_remove);
}

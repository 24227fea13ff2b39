/* test-balls.c: balls in the plane: bounces against their instants, rest, curved ground, soft ground
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
#include "base/wave.h"

/* The nearest point of a wave: nothing is nearer, its normal is the distance's slope, and the curvature that of the slope. */
static void
test_nearest_point (void **state)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (2014);
  double worst_slope = 0, worst_curvature = 0, worst_distance = 0;

  (void) state;
  for (guint trial = 0; trial < 2000; trial++)
    {
      const double length = g_rand_double_range (noise, 0.1, 3);
      const double amplitude =
          g_rand_double_range (noise, -2, 2) * length * (trial % 3 == 0 ? 0.05 : 1);
      const double x = g_rand_double_range (noise, -5, 5) * length;
      const double ground = amplitude * sin (2 * G_PI * x / length);
      const double y = trial % 5 == 0 ? ground + 1e-6 * length
                                      : g_rand_double_range (noise, -3, 3) * fabs (amplitude);
      const double radius = ifbam_wave_radius (amplitude, length), h = 1e-5 * length;
      const IfbamNearest here = ifbam_wave_nearest (amplitude, length, x, y);
      const double along[2] = { here.normal[1], -here.normal[0] };
      IfbamNearest there[2];
      double least = INFINITY, slope = 0, turn = 0;

      for (int k = -2000; k <= 2000; k++)
        {
          const double s = x + length * k / 2000;

          least = fmin (least, hypot (s - x, amplitude * sin (2 * G_PI * s / length) - y));
        }
      assert_true (fabs (here.distance) <= least + 1e-12 * length);
      worst_distance = fmax (worst_distance, (least - fabs (here.distance)) / least);
      assert_true ((here.distance > 0) == (y > ground) || fabs (here.distance) < 1e-12);
      if (fabs (here.distance) > 0.5 * radius)
        continue; /* farther away its direction may jump */
      for (int k = 0; k < 2; k++)
        there[k] = ifbam_wave_nearest (amplitude, length, x + (2 * k - 1) * h * here.normal[0],
                                       y + (2 * k - 1) * h * here.normal[1]);
      slope = (there[1].distance - there[0].distance) / (2 * h);
      worst_slope = fmax (worst_slope, fabs (slope - 1));
      for (int k = 0; k < 2; k++)
        there[k] = ifbam_wave_nearest (amplitude, length, x + (2 * k - 1) * h * along[0],
                                       y + (2 * k - 1) * h * along[1]);
      for (int c = 0; c < 2; c++)
        turn += (there[1].normal[c] - there[0].normal[c]) * along[c] / (2 * h);
      worst_curvature = fmax (worst_curvature, fabs (turn + here.curvature) * radius);
    }
  print_message ("# nearest points: slope off by %.2g, curvature by %.2g of the largest\n",
                 worst_slope, worst_curvature);
  assert_true (worst_slope < 1e-9);
  assert_true (worst_curvature < 1e-5);
}

/* A shipped network, with other settings in place of its own. */
static EventRun *
run_shipped (const char *name, const char *step, const char *sample, const char *record)
{
  g_autofree char *path = g_strdup_printf ("networks/%s.ini", name);
  g_autofree char *file = NULL;
  g_auto (GStrv) lines = NULL;
  GString *text = g_string_new (NULL);
  EventRun *run;

  assert_true (g_file_get_contents (path, &file, NULL, NULL));
  lines = g_strsplit (file, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (step != NULL && g_str_has_prefix (lines[i], "step "))
        g_string_append_printf (text, "step = %s\n", step);
      else if (sample != NULL && g_str_has_prefix (lines[i], "sample "))
        g_string_append_printf (text, "sample = %s\n", sample);
      else if (record != NULL && g_str_has_prefix (lines[i], "record "))
        g_string_append_printf (text, "record = %s\n", record);
      else
        g_string_append_printf (text, "%s\n", lines[i]);
    }
  run = event_run (0, "%s", text->str);
  g_string_free (text, TRUE);
  return run;
}

static void
assert_instants (const EventRun *run, const double *instants, guint n, double tolerance)
{
  double worst = 0;

  for (guint i = 0; i < n; i++)
    {
      const IfbamEvent *event = event_run_event (run, NULL, "impact", i);

      assert_non_null (event);
      worst = fmax (worst, fabs (event->time - instants[i]));
    }
  print_message ("# %u instants off by %.2g s at most\n", n, worst);
  assert_true (worst <= tolerance);
}

/* A drop from rest through quadratic air drag: ln cosh down, arctan up (exact to the digits printed). */
static void
test_drag_instants (void **state)
{
  static const double exact[] = { 0.640713464, 1.769528506, 2.771171548, 3.662623593, 4.457838945,
                                  5.168486020, 5.804459317, 6.374244424, 6.885185444, 7.343685782 };
  g_autoptr (EventRun) run = run_shipped ("ball-drag", NULL, NULL, NULL);

  (void) state;
  assert_instants (run, exact, G_N_ELEMENTS (exact), 1e-9);
}

static void
test_listing_instants (void **state)
{
  static const double exact[] = { 1.324902144, 2.753068487, 4.011870769, 5.126435845, 6.116686999,
                                  6.998816042, 7.786242818, 8.490265914, 9.120519091 };
  g_autoptr (EventRun) run = run_shipped ("ball-listing", NULL, NULL, NULL);

  (void) state;
  assert_instants (run, exact, G_N_ELEMENTS (exact), 1e-8);
}

/* At any step it bounces until it rests, and stays on the ground. */
static void
test_rests_on_the_ground (void **state)
{
  static const char *const steps[][2] = { { "0.1 ms", "10 ms" },
                                          { "1 ms", "1 ms" },
                                          { "5 ms", "5 ms" },
                                          { "20 ms", "20 ms" },
                                          { "50 ms", "50 ms" } };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      g_autoptr (EventRun) run = run_shipped ("ball-drag", steps[k][0], steps[k][1],
                                              "b.y, b.vy, bounce.mode, bounce.force");
      gsize n;
      const double *y = event_run_values (run, "b.y", &n);
      const IfbamEvent *rest = event_run_event (run, "bounce", "rest", 0);
      double lowest = 0, highest = 0;

      assert_non_null (rest);
      for (gsize i = 0; i < n; i++)
        {
          double time = 20.0 * (double) i / (double) (n - 1);

          lowest = fmin (lowest, y[i]);
          if (time > rest->time)
            highest = fmax (highest, fabs (y[i]));
        }
      print_message ("# %s: rests at %.6f s, lowest %.2g m, then within %.2g m\n", steps[k][0],
                     rest->time, lowest, highest);
      assert_true (lowest >= -1e-9 && highest <= 1e-9);
      assert_true (rest->time > 11.3 && rest->time < 11.5);
      assert_true (fabs (event_run_last (run, "bounce.force") - 9.81) < 1e-12);
    }
}

static void
test_soft_ball_tenth_event (void **state)
{
  g_autoptr (EventRun) run = run_shipped ("ball-soft", NULL, NULL, NULL);

  (void) state;
  assert_true (run->events->len >= 10);
  print_message ("# tenth event at %.6f s\n", g_array_index (run->events, IfbamEvent, 9).time);
  assert_true (fabs (g_array_index (run->events, IfbamEvent, 9).time - 7.512) <= 0.001);
}

/* On a sine without air and loss the energy stays, whatever way the ball bounces. */
static void
test_sine_keeps_energy (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 5 s\n"
         "record = b.x, b.y, network.energy\n[ball b]\nmass = 2\nradius = 0.02\ny = 1\nvx = 0.3\n"
         "[surface s]\namplitude = 0.1\nwavelength = 1\n[gravity w]\non = b\n"
         "[bounce h]\nbetween = b, s\n");
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *x = event_run_values (run, "b.x", &n), *y = event_run_values (run, "b.y", &n);

  (void) state;
  assert_true (event_run_count (run, "h", "impact") > 3);
  for (gsize i = 0; i < n; i++)
    {
      assert_true (fabs (energy[i] - energy[0]) <= 1e-11 * energy[0]);
      assert_true (y[i] >= 0.1 * sin (2 * G_PI * x[i]) + 0.02 - 1e-12);
    }
}

/* Two balls collide obliquely: momentum and energy of free ones are conserved, and so are tangential velocities. */
static void
test_two_balls_meet (void **state)
{
  for (guint order = 0; order < 2; order++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 2 s\n"
                     "record = a.vx, a.vy, b.vx, b.vy, network.energy\n"
                     "[ball a]\nmass = 1\nradius = 0.1\nvx = 1\n"
                     "[ball b]\nmass = 2\nradius = 0.1\nx = 0.5\ny = 0.1\n"
                     "[bounce h]\nbetween = %s\nrestitution = 0.8\n",
                     order == 0 ? "a, b" : "b, a");
      const double nx = sqrt (0.75), ny = 0.5, p = 1.8 * nx / 1.5;

      (void) state;
      assert_true (fabs (event_run_last (run, "a.vx") - (1 - p * nx)) < 1e-13);
      assert_true (fabs (event_run_last (run, "a.vy") + p * ny) < 1e-13);
      assert_true (fabs (event_run_last (run, "b.vx") - p * nx / 2) < 1e-13);
      assert_true (fabs (event_run_last (run, "b.vy") - p * ny / 2) < 1e-13);
    }
}

/* The error of the ninth bounce of the thrown ball falls with the scheme's order. */
static void
test_bounces_at_the_schemes_order (void **state)
{
  static const struct
  {
    const char *scheme;
    double order;
  } cases[] = { { "original", 1 },         { "averaged", 2 }, { "euler", 1 },
                { "symplectic-euler", 1 }, { "verlet", 2 },   { "rk4", 4 } };
  const double exact = 9.120519090723;

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      double error[2], order;

      for (guint i = 0; i < 2; i++)
        {
          g_autoptr (EventRun) run =
              event_run (0,
                         "[network]\nscheme = %s\nstep = %s\nduration = 12 s\nsample = 1 s\n"
                         "[ball b]\nmass = 1.1\ny = 2\nvx = 1\nvy = 5\n[surface s]\n"
                         "[bounce h]\nrestitution = 0.9\nbetween = b, s\n[gravity g]\non = b\n"
                         "[drag d]\non = b\ncoefficient = 0.01015005\n",
                         cases[k].scheme, i == 0 ? "10 ms" : "5 ms");

          error[i] = fabs (event_run_event (run, "h", "impact", 8)->time - exact);
        }
      order = log2 (error[0] / error[1]);
      print_message ("# %s: off by %.2g s and %.2g s, order %.2f\n", cases[k].scheme, error[0],
                     error[1], order);
      assert_true (order > cases[k].order - 0.15);
    }
}

/* Hops that are too small for the doubles' digits end: at a short step there are not more bounces. */
static void
test_small_hops_come_to_rest (void **state)
{
  g_autoptr (EventRun) run = run_shipped ("ball-drag", "50 us", "20 ms", NULL);

  (void) state;
  print_message ("# %u events\n", run->events->len);
  assert_true (run->events->len < 200);
  assert_int_equal (event_run_count (run, "bounce", "rest"), 1);
}

/* A ball that rests on a slope slides through the valley and back, at most as high as it was. */
static void
test_slides_at_rest (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 1 ms\nduration = 10 s\n"
         "record = b.x, b.y, b.vx, b.vy, h.mode, h.force, h.compression, network.energy, "
         "network.dissipated\n"
         "[ball b]\nmass = 2\nradius = 0.1\nx = -1.2\ny = 0.1\n"
         "[surface s]\namplitude = 0.3\nwavelength = 3\n[gravity w]\non = b\n"
         "[bounce h]\nrestitution = 0\nbetween = b, s\n");
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *lost = event_run_values (run, "network.dissipated", &n);
  const double *mode = event_run_values (run, "h.mode", &n);
  const double *overlap = event_run_values (run, "h.compression", &n);
  const double *x = event_run_values (run, "b.x", &n), *vx = event_run_values (run, "b.vx", &n);
  const double *vy = event_run_values (run, "b.vy", &n), *y = event_run_values (run, "b.y", &n);
  const double *force = event_run_values (run, "h.force", &n);
  double worst = 0, worst_force = 0;
  gsize turns = 0;

  (void) state;
  for (gsize i = 0; i < n; i++)
    {
      const IfbamNearest under = ifbam_wave_nearest (0.3, 3, x[i], y[i]);
      const double along = vx[i] * under.normal[1] - vy[i] * under.normal[0];

      worst = fmax (worst, fabs (energy[i] + lost[i] - energy[0]) / fabs (energy[0]));
      assert_true (overlap[i] <= 1e-14);
      turns += i > 1 && vx[i] * vx[i - 1] < 0;
      if (mode[i] == 0)
        continue;
      /* The normal force is that of weight and centripetal acceleration. */
      worst_force =
          fmax (worst_force,
                fabs (force[i] - 2 * (9.81 * under.normal[1] + under.curvature * along * along)));
    }
  print_message ("# it turns %zu times; ledger off by %.2g, force by %.2g N\n", turns, worst,
                 worst_force);
  assert_true (turns >= 4);
  assert_true (mode[n - 1] == 1);
  assert_true (worst < 1e-9);
  assert_true (worst_force < 1e-9);
}

static const char *const hollow =
    "[network]\nscheme = %s\nstep = %.17g\nduration = %g s\nrecord = b.x, b.vx, h.mode\n"
    "[ball b]\nmass = 1\nradius = 5 cm\nx = -0.4\ny = -0.05\n"
    "[surface s]\namplitude = 20 cm\nwavelength = 3 m\n[gravity w]\non = b\n"
    "[bounce h]\nrestitution = 0\nbetween = b, s\n%s";

/* In a hollow schemes keep their order, through air, too. */
static void
test_rows_that_turn_keep_the_order (void **state)
{
  static const char *const more[] = { "", "[drag a]\ncoefficient = 0.5\non = b\n" };
  static const struct
  {
    const char *scheme;
    guint more;
    double order, worst; /* the error at 1 ms [m] */
  } cases[] = {
    { "averaged", 0, 2, 7e-7 }, { "averaged", 1, 2, 1e-6 }, { "original", 0, 2, 7e-7 },
    { "original", 1, 1, 2e-4 }, { "verlet", 0, 2, 5e-7 },   { "verlet", 1, 2, 1e-6 },
  };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (EventRun) exact = event_run (0, hollow, "rk4", 0.5e-3, 2.0, more[cases[c].more]);
      double error[2], order;

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (EventRun) run = event_run (0, hollow, cases[c].scheme, 1e-3 / (1 << (2 * k)),
                                                2.0, more[cases[c].more]);

          error[k] = fabs (event_run_last (run, "b.x") - event_run_last (exact, "b.x"));
          assert_true (event_run_last (run, "h.mode") == 1);
        }
      order = 0.5 * log2 (error[0] / error[1]);
      print_message ("# %s, %u: %.2g m, %.2g m, order %.2f\n", cases[c].scheme, cases[c].more,
                     error[0], error[1], order);
      assert_true (error[0] < cases[c].worst);
      assert_true (fabs (order - cases[c].order) < 0.1);
    }
}

/* Nor do their rates go to and fro from row to row: third differences change their signs as seldom as those
 * of the motion. */
static void
test_rates_in_a_hollow_do_not_alternate (void **state)
{
  static const char *const schemes[] = { "rk4", "averaged" };
  guint turns[G_N_ELEMENTS (schemes)] = { 0 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0, hollow, schemes[s], 1e-3, 20.0,
                     "[damper d]\nbetween = b.x, g\ndamping = 2\n[ground g]\n");
      double before = 0;
      gsize n;
      const double *v = event_run_values (run, "b.vx", &n);
      const double *mode = event_run_values (run, "h.mode", &n);

      for (gsize i = 3; i < n; i++)
        if (mode[i - 3] == 1)
          {
            const double third = v[i] - 3 * v[i - 1] + 3 * v[i - 2] - v[i - 3];

            turns[s] += third * before < 0;
            before = third;
          }
      print_message ("# %s: %u turns\n", schemes[s], turns[s]);
    }
  assert_true (turns[1] <= turns[0] + 4);
}

/* Before a crest it lets go where the ground would have to pull: m g n_y = m v^2 / radius of the path. */
static void
test_takes_off_over_a_crest (void **state)
{
  g_autoptr (EventRun) run = event_run (
      EVENT_RUN_EVENT_ROWS, "[network]\nscheme = rk4\nstep = 2 ms\nduration = 1.5 s\n"
                            "record = b.x, b.y, b.vx, b.vy, h.mode\n"
                            "[ball b]\nmass = 1\nradius = 0.2\nx = -1\ny = -0.3\nvx = 5.5\n"
                            "[surface s]\namplitude = 0.5\nwavelength = 4\n[gravity w]\non = b\n"
                            "[bounce h]\nrestitution = 0\nbetween = b, s\n");
  const IfbamEvent *release = event_run_event (run, "h", "release", 0);
  gsize n, row = 0;
  const double *time = ifbam_course_get_times (run->course, &n);
  double x, y, vx, vy, along, pull;
  IfbamNearest under;

  (void) state;
  assert_non_null (release);
  while (row + 1 < n && time[row] < release->time)
    row++;
  x = event_run_values (run, "b.x", NULL)[row];
  y = event_run_values (run, "b.y", NULL)[row];
  vx = event_run_values (run, "b.vx", NULL)[row];
  vy = event_run_values (run, "b.vy", NULL)[row];
  under = ifbam_wave_nearest (0.5, 4, x, y);
  along = vx * under.normal[1] - vy * under.normal[0];
  pull = 9.81 * under.normal[1] + under.curvature * along * along;
  print_message ("# lets go at x = %.6f m; the force there is %.2g N\n", x, pull);
  assert_true (fabs (time[row] - release->time) < 1e-12);
  assert_true (x > 0 && x < 1);
  assert_true (fabs (pull) < 1e-8);
}

/* Events between two samples are found: a ball that grazes a crest, hills that are passed by the
 * dozen in one step, two small balls that fly past each other. */
static void
test_dips_between_samples_are_found (void **state)
{
  static const char *const steps[] = { "0.5 ms", "5 ms", "50 ms" };
  /* the middle's path over a crest at x = 2: a parabola without gravity is a line */
  const double depth[] = { 1e-3, 1e-6, 1e-10 };

  (void) state;
  for (guint d = 0; d < G_N_ELEMENTS (depth); d++)
    for (guint s = 0; s < G_N_ELEMENTS (steps); s++)
      {
        g_autoptr (EventRun) crest =
            event_run (0,
                       "[network]\nscheme = rk4\nstep = %s\nduration = 0.4 s\n"
                       "[ball b]\nmass = 1\nradius = 0.05\nx = 0.03\ny = %.17g\nvx = 10\n"
                       "[surface s]\namplitude = 0.2\nwavelength = 8\n"
                       "[bounce h]\nbetween = b, s\n",
                       steps[s], 0.2 + 0.05 - depth[d]);
        g_autoptr (EventRun) pair =
            event_run (0,
                       "[network]\nscheme = rk4\nstep = %s\nduration = 0.1 s\n"
                       "[ball a]\nmass = 1\nradius = 0.01\nvx = 30\nx = -1.37\n"
                       "[ball b]\nmass = 1\nradius = 0.01\nvx = -10\nx = 0.41\ny = %.17g\n"
                       "[bounce h]\nbetween = a, b\n",
                       steps[s], 0.02 - depth[d]);

        assert_int_equal (event_run_count (crest, "h", "impact"), 1);
        assert_int_equal (event_run_count (pair, "h", "impact"), 1);
      }
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++)
    {
      /* It flies level at 0.2 of the height of waves 8 cm long: through the first flank that it meets. */
      g_autoptr (EventRun) waves =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = %s\nduration = 0.05 s\n"
                     "[ball b]\nmass = 1\nradius = 1 mm\nx = 0.04\ny = 0.04\nvx = 40\nvy = -1\n"
                     "[surface s]\namplitude = 0.02\nwavelength = 0.08\n"
                     "[bounce h]\nrestitution = 0\nbetween = b, s\n",
                     steps[s]);
      const IfbamEvent *first = event_run_event (waves, "h", NULL, 0);

      assert_non_null (first);
      print_message ("# %s: meets the waves at %.12f s\n", steps[s], first->time);
      assert_true (fabs (first->time - event_run_event (waves, "h", NULL, 0)->time) < 1e-12);
      if (s > 0)
        {
          g_autoptr (EventRun) fine = event_run (
              0, "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.05 s\n"
                 "[ball b]\nmass = 1\nradius = 1 mm\nx = 0.04\ny = 0.04\nvx = 40\nvy = -1\n"
                 "[surface s]\namplitude = 0.02\nwavelength = 0.08\n"
                 "[bounce h]\nrestitution = 0\nbetween = b, s\n");

          assert_true (fabs (first->time - event_run_event (fine, "h", NULL, 0)->time) < 1e-12);
        }
    }
}

/* Free balls: momentum along both axes, and energy, to rounding. */
static void
test_free_balls_keep_momentum (void **state)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (7);
  g_autoptr (GString) text =
      g_string_new ("[network]\nscheme = rk4\nstep = 10 ms\nduration = 3 s\n"
                    "record = *.vx, *.vy, network.kinetic, network.dissipated\n");
  g_autoptr (EventRun) run = NULL;
  double mass[12], before[2] = { 0, 0 }, after[2] = { 0, 0 }, size[2] = { 0, 0 };

  (void) state;
  for (guint i = 0; i < 12; i++)
    {
      const double x = i % 4 - 1.5, y = i / 4 - 1.0;

      mass[i] = g_rand_double_range (noise, 1, 5);
      /* all toward the middle */
      g_string_append_printf (text,
                              "[ball b%u]\nmass = %.17g\nradius = 0.3\nx = %g\ny = %g\n"
                              "vx = %.17g\nvy = %.17g\n",
                              i, mass[i], x, y, -x + g_rand_double_range (noise, -.3, .3),
                              -y + g_rand_double_range (noise, -.3, .3));
      for (guint j = 0; j < i; j++)
        g_string_append_printf (text, "[bounce h%u-%u]\nbetween = b%u, b%u\nrestitution = %g\n", i,
                                j, i, j, (i + j) % 2 == 0 ? 1.0 : 0.6);
    }
  run = event_run (0, "%s", text->str);
  for (guint i = 0; i < 12; i++)
    for (guint c = 0; c < 2; c++)
      {
        g_autofree char *signal = g_strdup_printf ("b%u.%s", i, c == 0 ? "vx" : "vy");

        before[c] += mass[i] * event_run_first (run, signal);
        after[c] += mass[i] * event_run_last (run, signal);
        size[c] += mass[i] * fabs (event_run_first (run, signal));
      }
  print_message ("# %u impacts; momentum off by %.2g and %.2g of what moves\n",
                 event_run_count (run, NULL, "impact"), fabs (after[0] - before[0]) / size[0],
                 fabs (after[1] - before[1]) / size[1]);
  assert_true (event_run_count (run, NULL, "impact") > 20);
  for (guint c = 0; c < 2; c++)
    assert_true (fabs (after[c] - before[c]) < 1e-14 * size[c]);
  assert_true (fabs (event_run_last (run, "network.kinetic")
                     + event_run_last (run, "network.dissipated")
                     - event_run_first (run, "network.kinetic"))
               < 1e-13 * event_run_first (run, "network.kinetic"));
}

/* The shipped valley, but elastic: the energy stays; and whichever way the groups stand in the file. */
static void
test_twenty_balls (void **state)
{
  g_autofree char *file = NULL;
  g_auto (GStrv) groups = NULL;
  EventRun *runs[2];

  (void) state;
  assert_true (g_file_get_contents ("networks/balls.ini", &file, NULL, NULL));
  groups = g_strsplit (file, "\n[", -1);
  for (guint order = 0; order < 2; order++)
    {
      const guint n = g_strv_length (groups);
      GString *text = g_string_new (NULL);

      for (guint i = 0; i < n; i++)
        {
          const char *group = groups[order == 0 ? i : n - 1 - i];

          if (group[0] == '#' || g_str_has_prefix (group, "network]"))
            continue;
          g_string_append_printf (text, "\n[%s",
                                  g_str_has_prefix (group, "parameters") ? "parameters]\ne = 1\n"
                                                                         : group);
        }
      runs[order] = event_run (0,
                               "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\n"
                               "sample = 10 ms\nrecord = *.x, network.energy\n%s",
                               text->str);
      g_string_free (text, TRUE);
    }
  for (guint order = 0; order < 2; order++)
    {
      gsize n;
      const double *energy = event_run_values (runs[order], "network.energy", &n);
      double worst = 0;

      for (gsize i = 0; i < n; i++)
        worst = fmax (worst, fabs (energy[i] - energy[0]) / energy[0]);
      print_message ("# %u impacts, energy off by %.2g\n",
                     event_run_count (runs[order], NULL, "impact"), worst);
      assert_true (event_run_count (runs[order], NULL, "impact") > 50);
      assert_true (worst < 1e-12);
    }
  /* Every collision magnifies a rounding error, so this is for the first of them. */
  for (guint i = 1; i <= 20; i++)
    {
      g_autofree char *signal = g_strdup_printf ("b%u.x", i);
      const double *one = event_run_values (runs[0], signal, NULL);
      const double *other = event_run_values (runs[1], signal, NULL);

      for (gsize row = 0; row < 80; row++)
        assert_true (fabs (one[row] - other[row]) < 1e-9);
    }
  event_run_free (runs[0]);
  event_run_free (runs[1]);
}

/* Eight balls fall into a heap in a valley and slide about there: it ends, with few events, no overlap
 * and a ledger that closes, for restitutions from 0 to 0.9. */
static void
test_heaps_settle (void **state)
{
  static const double restitutions[] = { 0, 0.5, 0.9 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (restitutions); k++)
    {
      g_autoptr (GRand) noise = g_rand_new_with_seed (3);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (EventRun) run = NULL;
      gsize n;
      const double *energy, *lost;
      const char *const *signals;
      double worst = 0, overlap = 0;

      for (guint i = 0; i < 8; i++)
        {
          g_string_append_printf (text,
                                  "[ball b%u]\nmass = %g\nradius = 0.2\nx = %.17g\ny = %.17g\n"
                                  "[bounce f%u]\nrestitution = %g\nbetween = b%u, g\n",
                                  i, g_rand_double_range (noise, 1, 5),
                                  -5 + 0.5 * (i % 5) + g_rand_double_range (noise, -.04, .04),
                                  0.7 + 0.5 * (i / 5) + g_rand_double_range (noise, -.04, .04), i,
                                  restitutions[k], i);
          for (guint j = 0; j < i; j++)
            g_string_append_printf (text, "[bounce h%u-%u]\nrestitution = %g\nbetween = b%u, b%u\n",
                                    i, j, restitutions[k], i, j);
        }
      run = event_run (0,
                       "[network]\nscheme = rk4\nstep = 1 ms\nduration = 6 s\nsample = 10 ms\n"
                       "record = network.energy, network.dissipated, *.compression\n"
                       "[surface g]\nheight = 2\namplitude = 2\nwavelength = 16\n"
                       "[gravity w]\non = b0, b1, b2, b3, b4, b5, b6, b7\n%s",
                       text->str);
      energy = event_run_values (run, "network.energy", &n);
      lost = event_run_values (run, "network.dissipated", &n);
      signals = ifbam_course_get_signals (run->course);
      for (gsize i = 0; i < n; i++)
        worst = fmax (worst, fabs (energy[i] + lost[i] - energy[0]) / energy[0]);
      for (guint s = 2; signals[s] != NULL; s++)
        for (gsize i = 0; i < n; i++)
          overlap = fmax (overlap, event_run_values (run, signals[s], NULL)[i]);
      print_message ("# restitution %g: %u events, ledger off by %.2g, overlap %.2g m\n",
                     restitutions[k], run->events->len, worst, overlap);
      assert_true (run->events->len < 50000);
      assert_true (worst < 1e-9);
      assert_true (overlap < 16 * 2.3e-16 * 8);
    }
}

/* Random hills, balls, restitutions, under every scheme at two steps: every run ends, nothing overlaps. */
static void
test_random_networks (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",   "averaged",
                                         "euler", "original", "symplectic-euler" };
  static const char *const steps[] = { "1 ms", "20 ms" };
  double worst_ledger = 0, worst_overlap = 0;

  (void) state;
  for (guint seed = 0; seed < 12; seed++)
    {
      g_autoptr (GRand) noise = g_rand_new_with_seed (seed);
      g_autoptr (GString) text = g_string_new (NULL);
      const guint n = (guint) g_rand_int_range (noise, 1, 6);
      const double length = g_rand_double_range (noise, 0.5, 6);
      const double amplitude =
          g_rand_boolean (noise) ? 0 : g_rand_double_range (noise, -.1, .1) * length;
      const double most = amplitude == 0 ? 1 : 0.4 * ifbam_wave_radius (amplitude, length);

      g_string_append_printf (text,
                              "[surface g]\namplitude = %.17g\nwavelength = %.17g\n"
                              "[gravity w]\non = b0",
                              amplitude, length);
      for (guint i = 1; i < n; i++)
        g_string_append_printf (text, ", b%u", i);
      g_string_append_c (text, '\n');
      for (guint i = 0; i < n; i++)
        {
          g_string_append_printf (
              text,
              "[ball b%u]\nmass = %.17g\nradius = %.17g\nx = %.17g\ny = %.17g\nvx = %.17g\n"
              "vy = %.17g\n[bounce f%u]\nbetween = b%u, g\nrestitution = %.17g\n",
              i, g_rand_double_range (noise, 0.5, 5),
              fmin (most, g_rand_double_range (noise, 0.05, 0.25)),
              0.6 * i + g_rand_double_range (noise, -.04, .04), g_rand_double_range (noise, 2, 4),
              g_rand_double_range (noise, -5, 5), g_rand_double_range (noise, -5, 5), i, i,
              g_rand_int_range (noise, 0, 5) / 4.0);
          if (g_rand_boolean (noise))
            g_string_append_printf (text, "[drag d%u]\non = b%u\ncoefficient = %.17g\n", i, i,
                                    g_rand_double_range (noise, 0, 0.3));
          for (guint j = 0; j < i; j++)
            g_string_append_printf (text,
                                    "[bounce h%u-%u]\nbetween = b%u, b%u\nrestitution = %.17g\n", i,
                                    j, i, j, g_rand_int_range (noise, 0, 5) / 4.0);
        }
      for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
        for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
          {
            g_autoptr (EventRun) run = event_run (
                0,
                "[network]\nscheme = %s\nstep = %s\nduration = 3 s\nsample = 20 ms\n"
                "record = network.energy, network.dissipated, *.compression, *.x, *.y\n%s",
                schemes[s], steps[k], text->str);
            const char *const *signals = ifbam_course_get_signals (run->course);
            gsize rows;
            const double *energy = event_run_values (run, "network.energy", &rows);
            const double *lost = event_run_values (run, "network.dissipated", &rows);
            double largest = 4;

            for (guint c = 2; signals[c] != NULL; c++)
              for (gsize i = 0; i < rows; i++)
                largest = fmax (largest, fabs (event_run_values (run, signals[c], NULL)[i]));
            for (guint c = 2; signals[c] != NULL; c++)
              for (gsize i = 0; i < rows && g_str_has_suffix (signals[c], ".compression"); i++)
                if (signals[c][0] != 'd')
                  worst_overlap =
                      fmax (worst_overlap, event_run_values (run, signals[c], NULL)[i] / largest);
            for (gsize i = 0; i < rows && s == 0 && k == 0; i++)
              worst_ledger =
                  fmax (worst_ledger, fabs (energy[i] + lost[i] - energy[0]) / energy[0]);
          }
    }
  print_message ("# ledger of rk4 at 1 ms off by %.2g; overlap %.2g of the largest coordinate\n",
                 worst_ledger, worst_overlap);
  assert_true (worst_overlap < 16 * 2.3e-16);
  assert_true (worst_ledger < 1e-9);
}

/* Objects and compiled engine have equal bits. */
static void
test_objects_equal_plan (void **state)
{
  static const char *const schemes[] = { "rk4", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      EventRun *runs[2];

      for (guint k = 0; k < 2; k++)
        runs[k] =
            event_run (k == 0 ? 0 : EVENT_RUN_OBJECTS,
                       "[network]\nscheme = %s\nstep = 2 ms\nduration = 4 s\nrecord = *.x, *.y\n"
                       "[surface g]\namplitude = 0.2\nwavelength = 3\n[gravity w]\non = a, b\n"
                       "[ball a]\nmass = 1\nradius = 0.2\ny = 1\nvx = 1\n"
                       "[ball b]\nmass = 2\nradius = 0.1\nx = 0.5\ny = 2\n"
                       "[bounce fa]\nrestitution = 0.5\nbetween = a, g\n"
                       "[contact fb]\nstiffness = 20 kN/m\ndamping = 10 N s/m\nbetween = b, g\n"
                       "[bounce h]\nrestitution = 0.8\nbetween = a, b\n"
                       "[drag da]\non = a\ncoefficient = 0.1\n[spring k]\nstiffness = 3\n"
                       "between = a.x, b.x\n",
                       schemes[s]);
      for (guint c = 0; c < 4; c++)
        {
          static const char *const signals[] = { "a.x", "a.y", "b.x", "b.y" };
          gsize n;
          const double *model = event_run_values (runs[0], signals[c], &n);
          const double *objects = event_run_values (runs[1], signals[c], &n);

          for (gsize i = 0; i < n; i++)
            assert_true (model[i] == objects[i]);
        }
      event_run_free (runs[0]);
      event_run_free (runs[1]);
    }
}

static void
test_what_can_not_be (void **state)
{
  static const struct
  {
    const char *text, *said;
  } cases[] = {
    { "[mass a]\nmass = 1\n[mass b]\nmass = 1\nposition = 1\n[bounce h]\nbetween = a, b\n",
      "bounce" },
    { "[ball a]\nmass = 1\ny = 1\n[ball b]\nmass = 1\ny = 2\n[impact h]\nbetween = a, b\n",
      "impact" },
    { "[ball a]\nmass = 1\nradius = 0.5\ny = 0.2\n[surface s]\n[bounce h]\nbetween = a, s\n",
      "overlap" },
    { "[ball a]\nmass = 1\nradius = 0.5\ny = 3\n[surface s]\namplitude = 0.2\nwavelength = 1\n"
      "[bounce h]\nbetween = a, s\n",
      "radius" },
    { "[ball a]\nmass = 1\ny = 3\n[surface s]\namplitude = 0.2\n[bounce h]\nbetween = a, s\n",
      "wavelength" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault = event_run_fault (
          "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n%s", cases[i].text);

      print_message ("# %s\n", fault);
      assert_non_null (strstr (fault, cases[i].said));
    }
}

/* A ball that turns, and a body that does, in gravity: closed form, and no energy comes or goes. */
static void
test_magnus (void **state)
{
  static const char *const cases[] = {
    "[ball b]\nmass = 50 g\nvx = 20 m/s\nvy = 5 m/s\nspeed = 100 rad/s\n",
    "[body b]\nmass = 50 g\ninertia = 1 g m2\nvx = 20 m/s\nvy = 5 m/s\nspeed = 100 rad/s\n"
  };
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "symplectic-euler" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (schemes); k++)
      for (guint objects = 0; objects < 2; objects++)
        {
          g_autoptr (EventRun) run =
              event_run (objects ? EVENT_RUN_OBJECTS : 0,
                         "[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\nsample = 1 s\n"
                         "record = b.x, b.y, b.vx, b.vy, network.energy\n%s[gravity g]\non = b\n"
                         "[magnus lift]\ncoefficient = 0.1 g\non = b\n",
                         schemes[k], cases[i]);
          const double tolerance = k == 0 ? 2e-11 : k < 3 ? 2e-5 : 0.02;
          const double vx = event_run_last (run, "b.vx"), vy = event_run_last (run, "b.vy");

          assert_number (event_run_last (run, "b.x"), 19.69494414805, tolerance);
          assert_number (event_run_last (run, "b.y"), 2.071403701317, tolerance);
          assert_number (vx, 19.58571925974, tolerance);
          assert_number (vy, -0.8710111703903, tolerance);
          if (k == 0)
            assert_number (event_run_last (run, "network.energy"),
                           event_run_first (run, "network.energy"), 1e-11);
        }
}

/* Hertz's contact of two balls has the radius of both: 1/R = 1/R1 + 1/R2, F = 4/3 E* sqrt (R) d^(3/2). */
static void
test_radius_of_two_balls (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 ms\nrecord = h.force\n[ball a]\n"
      "mass = 1\nradius = 0.1\n[ball b]\nmass = 1\nradius = 0.3\nx = 0.39\n[hertz h]\n"
      "modulus = 1 MPa\nbetween = a, b\n");
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
  const double force = 4.0 / 3 * 1e6 * sqrt (0.1 * 0.3 / 0.4) * pow (0.01, 1.5);

  (void) state;
  assert_number (course_first (course, "h.force"), force, 1e-12 * force);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_nearest_point),
    cmocka_unit_test (test_drag_instants),
    cmocka_unit_test (test_listing_instants),
    cmocka_unit_test (test_rests_on_the_ground),
    cmocka_unit_test (test_soft_ball_tenth_event),
    cmocka_unit_test (test_bounces_at_the_schemes_order),
    cmocka_unit_test (test_small_hops_come_to_rest),
    cmocka_unit_test (test_sine_keeps_energy),
    cmocka_unit_test (test_magnus),
    cmocka_unit_test (test_slides_at_rest),
    cmocka_unit_test (test_rows_that_turn_keep_the_order),
    cmocka_unit_test (test_rates_in_a_hollow_do_not_alternate),
    cmocka_unit_test (test_takes_off_over_a_crest),
    cmocka_unit_test (test_dips_between_samples_are_found),
    cmocka_unit_test (test_two_balls_meet),
    cmocka_unit_test (test_radius_of_two_balls),
    cmocka_unit_test (test_free_balls_keep_momentum),
    cmocka_unit_test (test_twenty_balls),
    cmocka_unit_test (test_heaps_settle),
    cmocka_unit_test (test_random_networks),
    cmocka_unit_test (test_objects_equal_plan),
    cmocka_unit_test (test_what_can_not_be),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

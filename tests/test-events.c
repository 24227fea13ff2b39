/* test-events.c: impacts, rest and friction against closed forms, under all schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "event-run.h"
#include "base/ifbam-error.h"

#define HEAD "[network]\nformat = 1\n"

static void
assert_near (double value, double wanted, double tolerance, const char *what)
{
  print_message ("# %s: off by %.2g (allowed %.2g)\n", what, fabs (value - wanted), tolerance);
  if (!(fabs (value - wanted) <= tolerance))
    fail_msg ("%s is %.17g, not %.17g", what, value, wanted);
}

/* Returns the residual of the energy balance, relative to the largest energy. */
static double
ledger_error (const EventRun *run)
{
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *dissipated = event_run_values (run, "network.dissipated", &n);
  const double *supplied = event_run_values (run, "network.supplied", &n);
  const double *kinetic = event_run_values (run, "network.kinetic", &n);
  double scale = 1e-12;

  for (gsize i = 0; i < n; i++)
    {
      scale = fmax (scale, fmax (kinetic[i], fmax (fabs (dissipated[i]), fabs (supplied[i]))));
      scale = fmax (scale, fabs (energy[i]));
    }
  return event_run_ledger_gap (run) / scale;
}

#define LEDGER "network.energy, network.dissipated, network.supplied, network.kinetic"

/* Impacts */

static void
test_two_masses_collide (void **state)
{
  static const double restitutions[] = { 0, 0.3, 0.7, 1 };
  static const double cases[][4] = { { 1, 1, 1, 0 }, { 1.3, 0.7, 2.1, -0.4 }, { 1e-3, 5, 3, 1 } };

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (restitutions); r++)
    for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
      {
        const double e = restitutions[r], m1 = cases[c][0], m2 = cases[c][1], v1 = cases[c][2],
                     v2 = cases[c][3];
        const double kinetic = 0.5 * (m1 * v1 * v1 + m2 * v2 * v2), reduced = m1 * m2 / (m1 + m2);
        g_autoptr (EventRun) run = event_run (
            0,
            HEAD "scheme = rk4\nstep = 10 ms\nduration = 3 s\nrecord = a.velocity, b.velocity, "
                 "network.energy, network.dissipated, network.momentum\n"
                 "[mass a]\nmass = %.17g\nposition = -1\nvelocity = %.17g\n"
                 "[mass b]\nmass = %.17g\nposition = 0.5\nvelocity = %.17g\n"
                 "[impact i]\nbetween = a, b\nrestitution = %.17g\n",
            m1, v1, m2, v2, e);

        assert_near (event_run_last (run, "network.momentum"), m1 * v1 + m2 * v2,
                     2e-15 * fmax (fabs (m1 * v1), fabs (m2 * v2)), "momentum");
        assert_near (event_run_last (run, "network.dissipated"),
                     0.5 * reduced * (1 - e * e) * (v1 - v2) * (v1 - v2), 1e-14 * kinetic, "loss");
        assert_near (event_run_last (run, "a.velocity") - event_run_last (run, "b.velocity"),
                     -e * (v1 - v2), 4e-16 * fmax (fabs (v1), fabs (v2)), "rate after");
        assert_near (event_run_event (run, "i", NULL, 0)->time, 1.5 / (v1 - v2), 1e-14, "instant");
      }
}

static char *
cradle_text (guint thrown)
{
  GString *text = g_string_new (NULL);

  g_string_append (text, HEAD "scheme = rk4\nstep = 1 ms\nduration = 12 s\nrecord = *.velocity, "
                              "*.position, network.energy\n[ground g]\n");
  for (guint i = 1; i <= 5; i++)
    g_string_append_printf (text,
                            "[mass m%u]\nmass = 1\nposition = %s\n[spring k%u]\nbetween = g, "
                            "m%u\nstiffness = 10\n",
                            i, i <= thrown ? "-0.2" : "0", i, i);
  for (guint i = 1; i < 5; i++)
    g_string_append_printf (text, "[impact c%u]\nbetween = m%u, m%u\n", i, i, i + 1);
  return g_string_free (text, FALSE);
}

/* Half a swing after the hit as many stand at the other end as were thrown, and the others at rest. */
static void
test_cradle_one_in_one_out (void **state)
{
  (void) state;
  for (guint thrown = 1; thrown <= 3; thrown++)
    {
      g_autofree char *text = cradle_text (thrown);
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      const gsize row = (gsize) round (G_PI / sqrt (10) / 1e-3);
      const double *energy;
      gsize n;

      for (guint i = 1; i <= 5; i++)
        {
          g_autofree char *signal = g_strdup_printf ("m%u.position", i);
          const double *x = event_run_values (run, signal, &n);

          assert_near (x[row], i > 5 - thrown ? 0.2 : 0, 1e-6, signal);
        }
      energy = event_run_values (run, "network.energy", &n);
      for (gsize i = 0; i < n; i++)
        assert_true (energy[i] <= energy[0] * (1 + 1e-12));
      assert_near (energy[n - 1], energy[0], 1e-12 * energy[0], "energy");
    }
}

static void
test_cradles_that_gain_energy (void **state)
{
  const double *energy;
  gsize n;
  g_autoptr (EventRun) run = event_run (
      0, HEAD "scheme = verlet\nstep = 10 ms\nduration = 200 s\nrecord = network.energy\n"
              "[ground l]\nposition = -1\n[ground r]\nposition = 1\n"
              "[mass m1]\nmass = 1\nvelocity = 3.1\nposition = -0.5\n[mass m2]\nmass = 1\n"
              "[mass m3]\nmass = 1\n[mass m4]\nmass = 1\n[mass m5]\nmass = 1\nposition = 0.25\n"
              "[impact w1]\nbetween = l, m1\n[impact c1]\nbetween = m1, m2\n"
              "[impact c2]\nbetween = m2, m3\n[impact c3]\nbetween = m3, m4\n"
              "[impact c4]\nbetween = m4, m5\n[impact w2]\nbetween = m5, r\n");

  (void) state;
  energy = event_run_values (run, "network.energy", &n);
  print_message ("# %u collisions\n", event_run_count (run, NULL, "impact"));
  assert_true (event_run_count (run, NULL, "impact") > 1000);
  for (gsize i = 0; i < n; i++)
    assert_true (fabs (energy[i] - energy[0]) <= 1e-13 * energy[0]);
}

/* Two hit one from both sides at the same instant: the answer does not depend on the file's order. */
static void
test_simultaneous_hits_have_one_answer (void **state)
{
  static const char *const links[] = {
    "[impact a]\nbetween = l, m\nrestitution = 0.5\n",
    "[impact b]\nbetween = m, r\nrestitution = 0.5\n",
  };
  double first[3] = { 0 };

  (void) state;
  for (guint order = 0; order < 2; order++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     HEAD "scheme = rk4\nstep = 10 ms\nduration = 1 s\nrecord = *.velocity\n"
                          "[mass l]\nmass = 2\nposition = -0.25\nvelocity = 1\n[mass m]\nmass = 1\n"
                          "[mass r]\nmass = 2\nposition = 0.25\nvelocity = -1\n%s%s",
                     links[order], links[1 - order]);
      const double found[] = { event_run_last (run, "l.velocity"),
                               event_run_last (run, "m.velocity"),
                               event_run_last (run, "r.velocity") };

      assert_true (found[1] == 0);
      assert_true (found[0] == -found[2]);
      assert_true (found[0] == -0.5);
      for (guint i = 0; i < 3; i++)
        assert_true (order == 0 || found[i] == first[i]);
      memcpy (first, found, sizeof first);
    }
}

/* Rest */

static const char *const ball =
    HEAD "scheme = %s\nstep = %s\nduration = 20 s\nrecord = b.position, b.velocity, " LEDGER "\n"
         "[ground g]\n[mass b]\nmass = 1\nposition = 1\n[force w]\non = b\nvalue = -9.81\n"
         "[impact i]\nbetween = g, b\nrestitution = 0.8\n";

/* Falls sqrt (2 h / g), then bounces 2 e^n v / g each; all of them take until sqrt (2 h / g) (1 + e) / (1 - e). */
static void
test_balls_that_fall_through_the_floor (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };
  static const char *const steps[] = { "0.1 ms", "1 ms", "7 ms", "50 ms" };
  const double fall = sqrt (2 / 9.81), e = 0.8;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
      {
        g_autoptr (EventRun) run = event_run (0, ball, schemes[s], steps[k]);
        const IfbamEvent *event;
        const double *y, *v;
        double time = fall, speed = 9.81 * fall;
        gsize n;

        for (guint i = 0; i < 20; i++)
          {
            event = event_run_event (run, "i", "impact", i);
            assert_non_null (event);
            if (fabs (event->time - time) > 1e-11)
              fail_msg ("bounce %u at %.17g, not %.17g", i, event->time, time);
            assert_true (fabs (event->impulse - (1 + e) * speed) < 1e-11);
            speed *= e;
            time += 2 * speed / 9.81;
          }
        assert_int_equal (event_run_count (run, "i", "rest"), 1);
        event = event_run_event (run, "i", "rest", 0);
        assert_near (event->time, fall * (1 + e) / (1 - e), 2e-4, "rest");
        y = event_run_values (run, "b.position", &n);
        v = event_run_values (run, "b.velocity", &n);
        for (gsize i = 0; i < n; i++)
          assert_true (y[i] >= -1e-13);
        assert_true (y[n - 1] == 0 && v[n - 1] == 0);
        assert_true (ledger_error (run) < 1e-12);
      }
}

/* Thrown up against a ceiling that it just reaches: both crossings lie between two samples. */
static void
test_two_roots_inside_one_step (void **state)
{
  static const double depths[] = { 1e-3, 1e-6, 1e-9, 1e-12 };
  const double top = 25 / (2 * 9.81);

  (void) state;
  for (guint d = 0; d < G_N_ELEMENTS (depths); d++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          HEAD "scheme = rk4\nstep = 50 ms\nduration = 0.7 s\n[ground c]\nposition = %.17g\n"
               "[mass b]\nmass = 1\nvelocity = 5\n[force w]\non = b\nvalue = -9.81\n"
               "[impact i]\nbetween = b, c\nrestitution = 0.5\n",
          top - depths[d]);
      const IfbamEvent *event = event_run_event (run, "i", "impact", 0);

      assert_non_null (event);
      assert_near (event->time, (5 - sqrt (2 * 9.81 * depths[d])) / 9.81,
                   1e-15 / sqrt (depths[d]) + 1e-14, "dip");
    }
}

/* A row of masses that comes to rest, and loses no momentum but to the walls. */
static void
test_row_comes_to_rest (void **state)
{
  GString *text =
      g_string_new (HEAD "scheme = verlet\nstep = 10 ms\nduration = 400 s\nsample = 1 s\n"
                         "record = network.momentum, " LEDGER ", m1.velocity\n"
                         "[ground l]\n[ground r]\n");
  const guint n = 30;

  (void) state;
  for (guint i = 1; i <= n; i++)
    g_string_append_printf (text, "[mass m%u]\nmass = 1\n%s", i, i == 1 ? "velocity = 1\n" : "");
  for (guint i = 0; i <= n; i++)
    {
      g_autofree char *left = i == 0 ? g_strdup ("l") : g_strdup_printf ("m%u", i);
      g_autofree char *right = i == n ? g_strdup ("r") : g_strdup_printf ("m%u", i + 1);

      g_string_append_printf (
          text, "[impact c%u]\nbetween = %s, %s\ngap = 0.01\nrestitution = 0.8\n", i, left, right);
    }
  {
    g_autoptr (EventRun) run = event_run (0, "%s", text->str);

    print_message ("# %u impacts, ledger %.2g\n", event_run_count (run, NULL, "impact"),
                   ledger_error (run));
    assert_true (event_run_count (run, NULL, "impact") > 100);
    assert_true (event_run_last (run, "network.kinetic") < 1e-9);
    assert_true (ledger_error (run) < 1e-12);
  }
  g_string_free (text, TRUE);
}

/* Friction */

static void
test_friction_that_never_settles (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };
  static const double tolerances[] = { 2e-8, 2e-6, 2e-3 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          HEAD
          "scheme = %s\nstep = 5 ms\nduration = 12 s\nrecord = b.position, b.velocity, f.force, "
          "f.mode\n[ground g]\n[mass b]\nmass = 1\nposition = 0.5\n"
          "[spring k]\nbetween = g, b\nstiffness = 100\n"
          "[friction f]\nbetween = g, b\nbreakaway = 3\n",
          schemes[s]);
      gsize n;
      const double *x = event_run_values (run, "b.position", &n);
      const double *v = event_run_values (run, "b.velocity", &n);
      const double *mode = event_run_values (run, "f.mode", &n);
      guint extremum = 0;

      /* 0.5 m, 0.06 m less each half-swing, until the spring can't tear it loose: 8 of them. */
      for (gsize i = 1; i + 1 < n && extremum < 7; i++)
        if ((x[i] - x[i - 1]) * (x[i + 1] - x[i]) < 0)
          {
            double bend = x[i + 1] - 2 * x[i] + x[i - 1], slope = 0.5 * (x[i + 1] - x[i - 1]);
            double peak = fabs (x[i] - 0.5 * slope * slope / bend);

            assert_near (peak, 0.5 - 0.06 * (extremum + 1), tolerances[s] + 2e-4, "extremum");
            extremum++;
          }
      assert_near (x[n - 1], 0.5 - 8 * 0.06, tolerances[s], "where it sticks");
      assert_true (mode[n - 1] == IFBAM_MODE_STUCK);
      for (gsize i = n - 1; mode[i] == IFBAM_MODE_STUCK && i > n / 2; i--)
        assert_true (v[i] == 0 && x[i] == x[n - 1]);
      assert_near (event_run_last (run, "f.force"), 100 * x[n - 1], 1e-12, "force of the stuck");
      assert_int_equal (event_run_count (run, "f", "stick"), 1);
    }
}

static void
test_stick_slip_period (void **state)
{
  const double period = 5 + G_PI + 2 * atan (0.4);
  g_autoptr (EventRun) run = event_run (
      0, HEAD "scheme = rk4\nstep = 10 ms\nduration = 60 s\nrecord = b.velocity\n[ground g]\n"
              "[drive belt]\nvelocity = 0.2\n[mass b]\nmass = 1\nvelocity = 0.2\n"
              "[spring k]\nbetween = g, b\nstiffness = 1\n"
              "[friction f]\nbetween = belt, b\nbreakaway = 1\ncoulomb = 0.5\n");

  (void) state;
  assert_near (event_run_event (run, "f", "slip", 0)->time, 5, 1e-11, "first slip");
  for (guint i = 1; i < 6; i++)
    assert_near (event_run_event (run, "f", "slip", i)->time
                     - event_run_event (run, "f", "slip", i - 1)->time,
                 period, 1e-8, "period");
}

/* Two frictions in series, pulled: the weaker one slips; where they are equal both do, whatever the
 * file's order. */
static void
test_frictions_in_series (void **state)
{
  static const double cases[][4] = { { 5, 3, 4, 2 }, { 3, 5, 2, 4 }, { 3, 3, 2, 2 } };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      double first = 0;

      for (guint order = 0; order < 2; order++)
        {
          g_autofree char *one =
              g_strdup_printf ("[friction f1]\nbetween = g, a\nbreakaway = %g\ncoulomb = %g\n",
                               cases[c][0], cases[c][2]);
          g_autofree char *two =
              g_strdup_printf ("[friction f2]\nbetween = a, b\nbreakaway = %g\ncoulomb = %g\n",
                               cases[c][1], cases[c][3]);
          g_autoptr (EventRun) run =
              event_run (0,
                         HEAD "scheme = rk4\nstep = 1 ms\nduration = 4 s\nrecord = *.velocity\n"
                              "[ground g]\n[mass a]\nmass = 1\n[mass b]\nmass = 2\n"
                              "[drive pull]\nvelocity = 2\n[spring k]\nstiffness = 1\n"
                              "between = pull, b\n%s%s",
                         order == 0 ? one : two, order == 0 ? two : one);
          const IfbamEvent *slip = event_run_event (run, NULL, "slip", 0);

          assert_near (slip->time, fmin (cases[c][0], cases[c][1]) / 2, 1e-10, "slip");
          if (cases[c][0] != cases[c][1])
            assert_string_equal (slip->element, cases[c][0] < cases[c][1] ? "f1" : "f2");
          assert_true (order == 0 || event_run_last (run, "b.velocity") == first);
          first = event_run_last (run, "b.velocity");
        }
    }
}

static void
test_hard_stops_that_tell_no_force (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, HEAD "scheme = rk4\nstep = 10 ms\nduration = 2 s\nrecord = i.force, i.mode, b.position\n"
              "[ground g]\n[mass b]\nmass = 2\n[force w]\non = b\nvalue = -7\n"
              "[impact i]\nbetween = g, b\nrestitution = 0\n"
              "[impulse up]\non = b\nat = 1 s\nimpulse = 3\n");
  gsize n;
  const double *force = event_run_values (run, "i.force", &n);

  (void) state;
  assert_true (force[50] == 7 && force[n / 2 + 5] == 0);
  assert_near (event_run_event (run, "up", "impulse", 0)->impulse, 3, 0, "impulse");
  assert_near (event_run_event (run, "i", "rest", 0)->impulse, 3, 1e-12, "what the stop gave back");
}

/* An impact on a stack at rest passes through all its contacts; each is logged. */
static void
test_hits_go_through_a_stack (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, HEAD "scheme = rk4\nstep = 10 ms\nduration = 1 s\nrecord = *.force\n[ground g]\n"
              "[mass a]\nmass = 2\n[mass b]\nmass = 3\n[gravity e]\non = a, b\n"
              "[impact i]\nbetween = g, a\nrestitution = 0.5\n"
              "[impact j]\nbetween = a, b\nrestitution = 0\n"
              "[impulse down]\non = b\nat = 0.5 s\nimpulse = -4\n");

  (void) state;
  assert_near (event_run_last (run, "i.force"), 5 * 9.81, 1e-12, "what the ground carries");
  assert_near (event_run_last (run, "j.force"), 3 * 9.81, 1e-12, "what is passed on");
  for (guint k = 0; k < 2; k++)
    {
      const char *name = k == 0 ? "i" : "j";
      double sum = 0;

      for (guint n = 0; event_run_event (run, name, "impact", n) != NULL; n++)
        sum += event_run_event (run, name, "impact", n)->impulse;
      assert_near (sum, 4, 1e-12, name);
    }
  assert_int_equal (event_run_count (run, NULL, NULL), 1 + event_run_count (run, NULL, "impact"));
}

/* Masses at rest are on the floor to the last digit, and move with it: two joined by a spring on one floor, and two
 * groups. */
static void
test_rest_is_closed_to_the_last_digit (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "euler", "implicit" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     HEAD "scheme = %s\nstep = 1 ms\nduration = 1 s\n"
                          "record = f.position, a.position, b.position\n"
                          "[drive f]\namplitude = 1 mm\nfrequency = 3 Hz\n"
                          "[mass a]\nmass = 1\nposition = 3 cm\n[mass b]\nmass = 3\n"
                          "position = 7 cm\n[gravity g]\non = a, b\n"
                          "[impact i]\nbetween = f, a\nrestitution = 0\ngap = 0.1\n"
                          "[impact j]\nbetween = f, b\nrestitution = 0\ngap = 0.1\n"
                          "[spring k]\nstiffness = 100\nbetween = a, b\n",
                     schemes[s]);
      const double last = MAX (event_run_event (run, "i", "rest", 0)->time,
                               event_run_event (run, "j", "rest", 0)->time);
      const double *times = ifbam_course_get_times (run->course, NULL);
      gsize n;
      const double *floor = event_run_values (run, "f.position", &n);
      const double *a = event_run_values (run, "a.position", &n);
      const double *b = event_run_values (run, "b.position", &n);

      assert_true (last < 0.25);
      for (gsize i = 0; i < n; i++)
        if (times[i] > last && (a[i] != floor[i] - 0.1 || b[i] != floor[i] - 0.1))
          fail_msg ("%s: %.17g and %.17g on %.17g", schemes[s], a[i], b[i], floor[i]);
    }
}

/* Two masses that go along with a wall, pressed by nothing: the sums of three motions that are the same
 * but for rounding. No mass sinks by more than rounding, however long it takes. */
static void
test_rounding_does_not_gather (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     HEAD "scheme = %s\nstep = 1 ms\nduration = 200 s\nsample = 0.1 s\n"
                          "record = base.position, a.position, b.position\n"
                          "[drive base]\nvelocity = -0.10015838722156034\n"
                          "[mass a]\nmass = 1\nvelocity = -0.10015838722156034\n"
                          "[mass b]\nmass = 2\nvelocity = -0.10015838722156034\n"
                          "[impact i]\nbetween = base, a\n[impact j]\nbetween = a, b\n",
                     schemes[s]);
      gsize n;
      const double *base = event_run_values (run, "base.position", &n);
      const double *a = event_run_values (run, "a.position", &n);
      const double *b = event_run_values (run, "b.position", &n);
      double most = 0;

      for (gsize i = 0; i < n; i++)
        most = fmax (most, fmax (base[i] - a[i], a[i] - b[i]));
      print_message ("# %s: overlap %.2g units in the last place\n", schemes[s],
                     most / (DBL_EPSILON * fabs (base[n - 1])));
      assert_true (most <= 16 * DBL_EPSILON * fabs (base[n - 1]));
    }
}

/* Dissipation of each damper is computed beside an unchanged run: the courses have equal bits, and the parts sum to
 * the whole. */
static void
test_asking_a_damper_changes_nothing (void **state)
{
  static const char *const schemes[] = { "original", "averaged", "euler", "verlet", "rk4" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint objects = 0; objects < 2; objects++)
      {
        static const char *const records[] = { "m.position, n.velocity, network.dissipated",
                                               "m.position, n.velocity, network.dissipated, "
                                               "c.dissipated, d.dissipated, k.dissipated" };
        EventRun *runs[2];
        gsize n;

        for (guint r = 0; r < 2; r++)
          runs[r] = event_run (
              objects ? EVENT_RUN_OBJECTS : 0,
              HEAD
              "scheme = %s\nstep = 1 ms\nduration = 0.5 s\nrecord = %s\n[ground g]\n"
              "[mass m]\nmass = 1\nposition = 0.1\n[mass n]\nmass = 2\n"
              "[spring k]\nstiffness = 1e3\nbetween = g, m\n"
              "[damper c]\ndamping = 3\nbetween = m, n\n[damper d]\ndamping = 2\nbetween = n, g\n",
              schemes[s], records[r]);
        for (guint q = 0; q < 3; q++)
          {
            static const char *const signals[] = { "m.position", "n.velocity",
                                                   "network.dissipated" };

            const double *one = event_run_values (runs[0], signals[q], &n);
            const double *other = event_run_values (runs[1], signals[q], NULL);

            for (gsize i = 0; i < n; i++)
              assert_true (one[i] == other[i]);
          }
        assert_true (event_run_last (runs[1], "k.dissipated") == 0);
        assert_near (event_run_last (runs[1], "c.dissipated")
                         + event_run_last (runs[1], "d.dissipated"),
                     event_run_last (runs[1], "network.dissipated"), 1e-13, schemes[s]);
        assert_true (event_run_last (runs[1], "d.dissipated") > 0);
        for (guint r = 0; r < 2; r++)
          event_run_free (runs[r]);
      }
}

/* All schemes */

static double
impact_oscillator (const char *scheme, double step)
{
  g_autoptr (EventRun) run = event_run (
      0,
      HEAD "scheme = %s\nstep = %.17g\nduration = 4 s\nsample = 1 s\nrecord = m.position\n"
           "[drive s]\namplitude = 0.02\nfrequency = 0.8\n[ground g]\nposition = -0.01\n"
           "[mass m]\nmass = 1\n[spring k]\nstiffness = 30\nbetween = s, m\n"
           "[damper d]\ndamping = 0.5\nbetween = g, m\n"
           "[impact i]\nrestitution = 0.8\nbetween = g, m\n",
      scheme, step);

  return event_run_last (run, "m.position");
}

/* Steps with impacts keep the scheme's order. */
static void
test_events_keep_the_order (void **state)
{
  static const struct
  {
    const char *scheme;
    double order;
  } cases[] = { { "rk4", 4 },   { "verlet", 2 },  { "averaged", 2 }, { "symplectic-euler", 1 },
                { "euler", 1 }, { "original", 1 } };
  const double reference = impact_oscillator ("rk4", 1.0 / 2048);

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const double coarse = fabs (impact_oscillator (cases[c].scheme, 1.0 / 128) - reference);
      const double fine = fabs (impact_oscillator (cases[c].scheme, 1.0 / 512) - reference);
      const double order = 0.5 * log2 (coarse / fine);

      print_message ("# %s: %.2g, %.2g, order %.2f\n", cases[c].scheme, coarse, fine, order);
      assert_true (order > cases[c].order - 0.35 || fine < 1e-12);
    }
}

static void
test_objects_and_plan_agree (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "original", "euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      static const char *const text =
          HEAD "scheme = %s\nstep = 5 ms\nduration = 3 s\nrecord = *.position, *.velocity, " LEDGER
               "\n[ground g]\n[drive s]\namplitude = 0.02\nfrequency = 2\n[mass a]\nmass = 1\n"
               "position = 0.3\n[mass b]\nmass = 0.4\nposition = 0.5\nvelocity = -1\n"
               "[spring k]\nstiffness = 40\nbetween = s, a\n[spring n]\nstiffness = 5\n"
               "cubic = 3\nbetween = g, b\n[damper d]\ndamping = 0.1\nbetween = a, b\n"
               "[impact i]\nbetween = a, b\nrestitution = 0.6\n"
               "[contact c]\nbetween = g, a\nstiffness = 500\ndamping = 2\n"
               "[friction f]\nbetween = g, b\nbreakaway = 0.5\ncoulomb = 0.2\n";
      g_autoptr (EventRun) model = event_run (0, text, schemes[s]);
      g_autoptr (EventRun) objects = event_run (EVENT_RUN_OBJECTS, text, schemes[s]);
      static const char *const signals[] = { "a.position", "b.velocity", "network.dissipated",
                                             "network.supplied" };

      for (guint k = 0; k < G_N_ELEMENTS (signals); k++)
        {
          gsize n, m;
          const double *one = event_run_values (model, signals[k], &n);
          const double *other = event_run_values (objects, signals[k], &m);

          assert_int_equal (n, m);
          assert_memory_equal (one, other, n * sizeof (double));
        }
      assert_int_equal (model->events->len, objects->events->len);
      assert_true (model->events->len > 5);
    }
}

static void
test_without_location_it_costs (void **state)
{
  g_autoptr (EventRun) located = event_run (0, ball, "rk4", "10 ms");
  g_autoptr (EventRun) unlocated = event_run (EVENT_RUN_UNLOCATED, ball, "rk4", "10 ms");
  gsize n;
  const double *y = event_run_values (unlocated, "b.position", &n);
  double lowest = 0;

  (void) state;
  for (gsize i = 0; i < n; i++)
    lowest = fmin (lowest, y[i]);
  print_message ("# sinks to %g without location\n", lowest);
  assert_true (lowest < -1e-4);
  assert_true (fabs (event_run_event (unlocated, "i", NULL, 0)->time
                     - event_run_event (located, "i", NULL, 0)->time)
               > 1e-4);
}

/* Without location given instants come at the ends of their steps, too. */
static void
test_without_location_instants_wait (void **state)
{
  g_autoptr (EventRun) run = event_run (
      EVENT_RUN_UNLOCATED,
      HEAD "scheme = verlet\nstep = 10 ms\nduration = 100 ms\nrecord = m.velocity, n.velocity, "
           "s.mode\n[ground g]\n[mass m]\nmass = 2\n[mass n]\nmass = 1\n[capacitor c]\n"
           "capacitance = 1\n[ground e]\n[switch s]\nbetween = c, e\ntoggle = 54 ms\n"
           "[impulse hit]\non = m\nat = 12 ms\nimpulse = 3\n"
           "[force f]\non = n\nvalue = 5\nstart = 32 ms\n"
           "[impact i]\nbetween = g, m\ngap = 10\n");
  const IfbamEvent *hit = event_run_event (run, "hit", "impulse", 0);
  gsize n;
  const double *m = event_run_values (run, "m.velocity", &n);
  const double *pushed = event_run_values (run, "n.velocity", &n);
  const double *mode = event_run_values (run, "s.mode", &n);

  (void) state;
  assert_int_equal (n, 11);
  assert_near (hit->time, 0.02, 1e-15, "instant of the impulse");
  assert_near (event_run_event (run, "s", NULL, 0)->time, 0.06, 1e-15, "instant of the switch");
  for (gsize i = 0; i < n; i++)
    {
      assert_near (m[i], i < 2 ? 0 : 1.5, 1e-15, "what was struck");
      assert_near (pushed[i], i < 4 ? 0 : 0.05 * (double) (i - 4), 1e-14, "what is pushed");
      assert_int_equal (mode[i] != mode[0], i >= 6);
    }
}

/* A sticking mass is at rest until a growing force starts it: 10 N sin (pi t) reaches 5 N at a sixth of a second. */
static void
test_a_force_that_grows_breaks_loose (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          HEAD
          "scheme = %s\nstep = 1 ms\nduration = 0.4 s\nrecord = m.position, f.mode\n[ground g]\n"
          "[mass m]\nmass = 1\n[friction f]\nbreakaway = 5 N\ncoulomb = 4 N\nbetween = m, g\n"
          "[force p]\non = m\namplitude = 10 N\nfrequency = 0.5 Hz\n",
          schemes[s]);
      /* x'' = 10 sin (pi t) - 4 from then on, at rest */
      const double start = 1.0 / 6, way = 0.4 - start;
      const double x = 10 / G_PI * cos (G_PI * start) * way
                       - 10 / (G_PI * G_PI) * (sin (0.4 * G_PI) - sin (G_PI * start))
                       - 2 * way * way;

      assert_int_equal (event_run_count (run, "f", "slip"), 1);
      assert_near (event_run_event (run, "f", "slip", 0)->time, start, 1e-9, "instant of the slip");
      assert_near (event_run_last (run, "m.position"), x, s == 0 ? 1e-12 : 2e-6,
                   "where it is then");
      /* It slips and no longer starts: at the rate 0 it would stick. */
      assert_true (event_run_last (run, "f.mode") == IFBAM_MODE_FORWARD);
    }
}

/* Dissipation of each damper is computed with events, too: all energy that elastic impacts leave. */
static void
test_dampers_have_accounts (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          HEAD "scheme = %s\nstep = 1 ms\nduration = 2 s\nrecord = d.dissipated, e.dissipated, "
               "network.dissipated\n[ground g]\n[mass m]\nmass = 1\nposition = 1\n"
               "[spring k]\nstiffness = 90\nbetween = m, g\n[damper d]\ndamping = 0.5\n"
               "between = m, g\n[damper e]\ndamping = 0.25\nbetween = m, g\n"
               "[impact i]\nrestitution = 1\nbetween = g, m\n",
          schemes[s]);
      const double d = event_run_last (run, "d.dissipated");
      const double e = event_run_last (run, "e.dissipated");

      assert_true (event_run_count (run, "i", NULL) > 4 && d > 1);
      assert_near (e / d, 0.5, 1e-12, "the softer one's part");
      assert_near (event_run_last (run, "network.dissipated") / (d + e), 1, 1e-12, "all of it");
    }
}

static void
test_event_rows (void **state)
{
  g_autoptr (EventRun) run = event_run (EVENT_RUN_EVENT_ROWS, ball, "rk4", "50 ms");
  gsize n;
  const double *times = ifbam_course_get_times (run->course, &n);
  const double *v = event_run_values (run, "b.velocity", &n);
  const double *y = event_run_values (run, "b.position", &n);
  guint pairs = 0;

  (void) state;
  for (gsize i = 1; i < n; i++)
    if (times[i] == times[i - 1])
      {
        pairs++;
        if (pairs == 1)
          {
            assert_near (v[i], -0.8 * v[i - 1], 1e-14, "rate after");
            assert_near (y[i], 0, 1e-14, "place");
            assert_true (y[i] == y[i - 1]);
          }
      }
  assert_true (pairs > 20);
}

/* Clusters at rest are not stepped: scheduled events and time dependence activate them. */
static void
test_rest_ends_at_given_instants (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "symplectic-euler" };
  static const double struck[] = { 0.5, 2.0125 }, pushed = 3.25;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint push = 0; push <= 1; push++)
      {
        g_autofree char *source =
            push ? g_strdup_printf ("[force f]\non = m\nvalue = 11.81\nstart = %.17g s\n", pushed)
                 : g_strdup ("");
        g_autoptr (EventRun) run = event_run (
            0,
            HEAD "scheme = %s\nstep = 10 ms\nduration = 4 s\nrecord = m.position, m.velocity, "
                 "c.mode, " LEDGER "\n[ground g]\n[mass m]\nmass = 1\n"
                 "[impact c]\nbetween = g, m\nrestitution = 0\n[gravity earth]\non = m\n"
                 "[impulse hit]\non = m\nat = %.17g, %.17g\nimpulse = 3\n%s",
            schemes[s], struck[0], struck[1], source);
        const double flight = 2 * 3 / 9.81;
        gsize n;
        const double *x = event_run_values (run, "m.position", &n);
        const double *mode = event_run_values (run, "c.mode", &n);
        const double tolerance = s == 3 ? 0.011 : 1e-9;

        for (gsize i = 0; i < n; i++)
          {
            const double t = 0.01 * (double) i;
            gboolean flies = push && t > pushed - 1e-9;

            for (guint k = 0; k < 2; k++)
              flies |= t > struck[k] - 1e-9 && t < struck[k] + flight + 0.011;
            if (!flies)
              {
                assert_true (fabs (x[i]) <= 1e-15);
                assert_true (mode[i] == 1);
              }
          }
        for (guint k = 0; k < 2; k++)
          assert_near (event_run_event (run, "c", "rest", k)->time, struck[k] + flight, tolerance,
                       "instant of rest");
        if (push)
          assert_near (event_run_last (run, "m.position"), 0.75 * 0.75, s == 3 ? 0.011 : 1e-9,
                       "push");
        if (s == 0)
          assert_near (ledger_error (run), 0, 1e-12, "ledger");
      }
}

/* A candidate contact without a located event changes no bit: a swing whose top lies between rows, with a stop nearer and
 * nearer to it. */
static void
test_a_near_miss_changes_nothing (void **state)
{
  static const char *const schemes[] = { "averaged", "symplectic-euler", "verlet", "rk4" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      guint missed = 0;
      gsize n_plain;
      g_autofree char *text =
          g_strdup_printf (HEAD "scheme = %s\nstep = 50 ms\nduration = 3 s\nrecord = m.position\n"
                                "[ground g]\n[mass m]\nmass = 1\nposition = 0.1\nvelocity = -1\n"
                                "[spring k]\nstiffness = 50\nbetween = g, m\n",
                           schemes[s]);
      g_autoptr (EventRun) plain = event_run (0, "%s", text);
      const double *wanted = event_run_values (plain, "m.position", &n_plain);
      double least = 0;

      for (gsize i = 0; i < n_plain; i++)
        least = fmin (least, wanted[i]);
      for (guint k = 0; k < 60; k++)
        {
          g_autoptr (EventRun) run = event_run (0, "%s[impact w]\ngap = %.17g\nbetween = g, m\n",
                                                text, -least * (1 + 0.0004 * k));
          gsize n;
          const double *values = event_run_values (run, "m.position", &n);

          if (event_run_count (run, NULL, NULL) > 0)
            continue;
          missed++;
          assert_int_equal (n, n_plain);
          for (gsize i = 0; i < n; i++)
            if (values[i] != wanted[i])
              fail_msg ("%s, gap %u: %.17g at row %zu, not %.17g", schemes[s], k, values[i], i,
                        wanted[i]);
        }
      assert_true (missed > 20);
    }
}

/* One scheme is one map: a link without effect changes no bit, with dampers, sources and given motions. */
static void
test_what_is_idle_changes_nothing (void **state)
{
  static const char *const schemes[] = { "original",         "averaged", "euler",
                                         "symplectic-euler", "verlet",   "rk4" };
  static const char *const idle[] = {
    "[impact w]\ngap = 100\nbetween = g, m\n",
    "[impact w]\ngap = 100\nbetween = n, shaker\n",
    "[contact w]\ngap = 100\nstiffness = 1\nbetween = g, n\n",
    "[monitor w]\nsignal = m.position\nlevel = 100 m\n",
    "[impulse w]\non = n\nat = 1000 s\nimpulse = 1 N s\n",
  };
  static const guint flags[] = { 0, EVENT_RUN_OBJECTS, EVENT_RUN_BY_EVENTS };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = g_strdup_printf (
          HEAD "scheme = %s\nstep = 1 ms\nduration = 1 s\n"
               "record = m.position, m.velocity, n.position, n.velocity\n"
               "[ground g]\n[drive shaker]\namplitude = 1 cm\nfrequency = 3 Hz\n"
               "[mass m]\nmass = 1\nposition = 0.1\n[mass n]\nmass = 2\nvelocity = 1\n"
               "[spring k]\nstiffness = 1000\ncubic = 5000\nbetween = g, m\n"
               "[damper d]\ndamping = 3\nbetween = g, m\n"
               "[spring l]\nstiffness = 500\nbetween = m, n\n"
               "[damper e]\ndamping = 2\nbetween = n, shaker\n"
               "[force f]\namplitude = 2 N\nfrequency = 5 Hz\non = n\n",
          schemes[s]);
      g_autoptr (EventRun) plain = event_run (0, "%s", text);

      for (guint k = 0; k < G_N_ELEMENTS (idle); k++)
        for (guint f = 0; f < G_N_ELEMENTS (flags); f++)
          {
            static const char *const signals[] = { "m.position", "m.velocity", "n.position",
                                                   "n.velocity" };
            g_autoptr (EventRun) run = event_run (flags[f], "%s%s", text, idle[k]);

            for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
              {
                gsize n, m;
                const double *wanted = event_run_values (plain, signals[i], &n);
                const double *values = event_run_values (run, signals[i], &m);

                assert_int_equal (m, n);
                for (gsize j = 0; j < n; j++)
                  if (values[j] != wanted[j])
                    fail_msg ("%s, %s: %s is %.17g at row %zu, not %.17g", schemes[s], idle[k],
                              signals[i], values[j], j, wanted[j]);
              }
          }
    }
}

/* A heavy mass meets a light one that stands at a wall: the light one passes its momentum on, however much that is.
 * Only masses between given motions are jammed. */
static void
test_a_ratio_of_masses_is_no_jam (void **state)
{
  static const double masses[] = { 1e6, 1e7, 1e9, 1e10 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (masses); k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = verlet\nstep = 1 ms\nduration = 1 s\n"
                     "record = a.position, b.position, a.velocity\n[ground w]\n"
                     "[mass a]\nmass = %g\nvelocity = 1\n[mass b]\nmass = 1\nposition = 0.1\n"
                     "[impact i]\nrestitution = 0\nbetween = a, b\n"
                     "[impact j]\ngap = 0.5\nrestitution = 0\nbetween = b, w\n",
                     masses[k]);
      const IfbamEvent *wall = event_run_event (run, "j", "impact", 0);

      assert_non_null (wall);
      assert_true (fabs (wall->impulse - masses[k]) < 1e-4 * masses[k]);
      assert_true (fabs (event_run_last (run, "a.velocity")) < 1e-6);
      assert_true (event_run_last (run, "b.position") < 0.5 + 1e-14);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_two_masses_collide),
    cmocka_unit_test (test_cradle_one_in_one_out),
    cmocka_unit_test (test_a_ratio_of_masses_is_no_jam),
    cmocka_unit_test (test_cradles_that_gain_energy),
    cmocka_unit_test (test_simultaneous_hits_have_one_answer),
    cmocka_unit_test (test_balls_that_fall_through_the_floor),
    cmocka_unit_test (test_two_roots_inside_one_step),
    cmocka_unit_test (test_row_comes_to_rest),
    cmocka_unit_test (test_friction_that_never_settles),
    cmocka_unit_test (test_stick_slip_period),
    cmocka_unit_test (test_frictions_in_series),
    cmocka_unit_test (test_hard_stops_that_tell_no_force),
    cmocka_unit_test (test_hits_go_through_a_stack),
    cmocka_unit_test (test_rest_is_closed_to_the_last_digit),
    cmocka_unit_test (test_rounding_does_not_gather),
    cmocka_unit_test (test_asking_a_damper_changes_nothing),
    cmocka_unit_test (test_rest_ends_at_given_instants),
    cmocka_unit_test (test_events_keep_the_order),
    cmocka_unit_test (test_objects_and_plan_agree),
    cmocka_unit_test (test_without_location_it_costs),
    cmocka_unit_test (test_without_location_instants_wait),
    cmocka_unit_test (test_a_force_that_grows_breaks_loose),
    cmocka_unit_test (test_dampers_have_accounts),
    cmocka_unit_test (test_event_rows),
    cmocka_unit_test (test_what_is_idle_changes_nothing),
    cmocka_unit_test (test_a_near_miss_changes_nothing),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

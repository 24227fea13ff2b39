/* test-hits.c: impacts with friction: bars and bodies joined to them, against closed forms and small steps
 *
 *   test-hits [FIRST COUNT]     other seeds, or more of them
 *   TEST_SEEDS=COUNT test-hits  fewer of them
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
#include "event/event-coupled.h"
#include "fixture.h"
#include "file/file.h"

/* A bar of 1 kg and 1 m, at 30 degrees, falls level, and its lower end hits the floor with sqrt (g). */
static void
test_bar (void **state)
{
  static const struct
  {
    double restitution, friction, p, q, speed, link_supply;
  } cases[] = {
    { 0.6, 0, 1.541952961316, 0, -8.012222615642, -0.9659076923077 },
    { 0.6, 0.3, 1.752042496629, 0.5256127489886, -7.527041616576, -1.453915889417 },
    { 0, 0.8, 1.370290229295, 1.017176699251, 0, -2.1459375 },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EventRun) run =
          event_run (EVENT_RUN_EVENT_ROWS,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.32 s\n"
                     "record = bar.speed, bar.vx, bar.vy\n"
                     "[body bar]\nmass = 1\ninertia = 0.08333333333333333\nangle = 30 deg\n"
                     "y = 0.75\n[point tip]\non = bar\nx = -0.5\n[surface floor]\n"
                     "[bounce hit]\nrestitution = %g\nfriction = %g\nbetween = tip, floor\n"
                     "[gravity g]\non = bar\n",
                     cases[i].restitution, cases[i].friction);
      const IfbamEvent *hit = event_run_event (run, "hit", "impact", 0);
      const IfbamEvent *rub = event_run_event (run, "hit.friction", "rub", 0);

      if (hit == NULL)
        hit = event_run_event (run, "hit", "rest", 0);
      assert_near (hit->impulse, cases[i].p, 2e-12, "impulse");
      assert_near (rub == NULL ? 0 : -rub->impulse, cases[i].q, 2e-12, "friction's");
      assert_near (hit->energy_change + (rub == NULL ? 0 : rub->energy_change),
                   cases[i].link_supply, 2e-12, "energy");
      if (cases[i].restitution > 0)
        assert_near (event_run_last (run, "bar.speed"), cases[i].speed, 2e-12, "speed");
      if (cases[i].restitution > 0)
        assert_near (event_run_last (run, "bar.vx"), cases[i].q, 2e-12, "vx");
    }
}

/* A disc that does not turn hits with 3 m/s along the floor, and a point of a body is as good as a rim. */
static void
test_spin (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 0.2 s\n"
                    "record = b.vx, b.vy, b.speed\n"
                    "[body b]\nmass = 1\ninertia = 0.004\ny = 0.5\nvx = 3\nvy = -4\n"
                    "[point rim]\non = b\ny = -0.1\n[surface floor]\n"
                    "[bounce hit]\nrestitution = 0.8\nfriction = 0.2\nbetween = rim, floor\n");

  (void) state;
  assert_near (event_run_event (run, "hit.friction", "rub", 0)->impulse, 0.8571428571429, 1e-12,
               "impulse");
  assert_near (event_run_last (run, "b.vx"), 2.142857142857, 1e-12, "vx");
  assert_near (event_run_last (run, "b.vy"), 3.2, 1e-12, "vy");
  assert_near (event_run_last (run, "b.speed"), -21.42857142857, 1e-11, "speed");
}

/* A box falls flat on both of its feet, slipping: nothing turns it, so that the impulses balance friction's moment; its
 * velocity then does not depend on its mass. */
static void
test_both_feet_at_once (void **state)
{
  static const double masses[] = { 1e-3, 1, 1e15 };
  const double friction = 0.3, lever = 0.2, half = 0.5;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (masses); i++)
    {
      const double mass = masses[i];
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 1 ms\nduration = 0.2 s\n"
                     "record = box.vx, box.vy, box.speed\n[body box]\nmass = %.17g\n"
                     "inertia = %.17g\ny = 0.3\nvx = 3\nvy = -1\n"
                     "[point left]\non = box\nx = -0.5\ny = -0.2\n"
                     "[point right]\non = box\nx = 0.5\ny = -0.2\n[surface floor]\n"
                     "[bounce i]\nrestitution = 0\nfriction = 0.3\nbetween = left, floor\n"
                     "[bounce j]\nrestitution = 0\nfriction = 0.3\nbetween = right, floor\n",
                     mass, 0.1 * mass);
      double sum = 0, turns = 0, braked = 0;

      for (guint k = 0; k < run->events->len; k++)
        {
          const IfbamEvent *event = &g_array_index (run->events, IfbamEvent, k);
          const gboolean left = g_str_has_prefix (event->element, "i");

          if (g_str_has_suffix (event->element, ".friction"))
            braked += fabs (event->impulse);
          else
            {
              sum += event->impulse;
              turns += (left ? -half : half) * event->impulse;
            }
        }
      assert_near (sum / mass, 1, 1e-12, "what stops the fall");
      assert_near (braked / mass, friction, 1e-12, "friction's");
      assert_near (turns / mass, friction * lever, 1e-12, "what one foot takes more");
      assert_near (event_run_last (run, "box.vx"), 3 - friction, 1e-12, "slips on");
      assert_near (event_run_last (run, "box.vy"), 0, 1e-12, "fall");
      assert_near (event_run_last (run, "box.speed"), 0, 1e-12, "turn");
    }
}

/* Constraints take part: the tip of a hinged bar slips as it falls, all in one coordinate */
static void
test_hinged (void **state)
{
  static const double frictions[] = { 0.3, 5 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (frictions); i++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.4 s\n"
                     "record = bar.speed\n"
                     "[body bar]\nmass = 1\ninertia = 0.08333333333333333\n[point pivot]\n"
                     "[point root]\non = bar\nx = -0.5\n[point tip]\non = bar\nx = 0.5\n"
                     "[hinge pin]\nbetween = pivot, root\n[surface floor]\nheight = -0.3\n"
                     "[bounce hit]\nrestitution = 0.5\nfriction = %g\nbetween = tip, floor\n"
                     "[gravity g]\non = bar\n",
                     frictions[i]);
      const IfbamEvent *hit = event_run_event (run, "hit", NULL, 0);
      const double moment = 1.0 / 3, speed = sqrt (9.81 * 0.3 / moment);
      const double level = sqrt (1 - 0.09), down = 0.3, mu = frictions[i];
      /* Along the floor the tip comes inward, the floor's friction pushes it outward: (level, down) are the levers
       * of the normal force and of friction. */
      const double in = level + mu * down, out = level - mu * down;
      const double work = 0.5 * moment * speed * speed * level / in;
      const double back = out > 0 ? 0.5 * sqrt (2 * work * out / level / moment) : 0;

      assert_near (hit->rate_before, speed * level, 1e-9, "before");
      assert_near (hit->rate_after, -back * level, 1e-9, "after");
      assert_near (hit->impulse, speed * moment / in + (back > 0 ? back * moment / out : 0), 1e-9,
                   "impulse");
    }
}

/* Hits by the smallest steps of the clock. */
static void
hit_by_steps (const IfbamImpactInverseMass *w, double friction, double restitution, double c,
              double s, double *p, double *q)
{
  const double step = fabs (c) / (w->nn * 200000);
  double work = 0, given = 0;

  *p = *q = 0;
  while (c > 0 || given < restitution * restitution * work)
    {
      const double along = -w->nt / w->tt, sign = s > 0 ? 1 : -1;
      double brake = sign * friction;

      if (fabs (s) <= step * (fabs (w->nt) + friction * w->tt) && fabs (along) <= friction)
        brake = along;
      *(c > 0 ? &work : &given) += fabs (c) * step;
      c -= (w->nn + brake * w->nt) * step;
      s -= (w->nt + brake * w->tt) * step;
      *p += step;
      *q += brake * step;
    }
}

/* Random impacts of bars: none supplies energy, friction is within mu p, restitution returns e^2 of the compression's energy,
 * and small steps agree. Newton's e with Coulomb's mu supplies energy in some of them. */
static void
test_random_hits (void **state)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (1860);
  guint turned = 0, gained = 0;
  double most = -INFINITY, worst = 0;

  (void) state;
  for (guint i = 0; i < 10000; i++)
    {
      const double angle = g_rand_double_range (noise, -G_PI, G_PI);
      const double x = cos (angle), y = sin (angle);
      const double inertia = g_rand_double_range (noise, 0.03, 0.5);
      const IfbamImpactInverseMass w = { 1 + x * x / inertia, x * y / inertia,
                                         1 + y * y / inertia };
      const double mu = g_rand_double_range (noise, 0, 2), e = g_rand_double_range (noise, 0, 1);
      const double c = g_rand_double_range (noise, 0.1, 3), s = g_rand_double_range (noise, -3, 3);
      const double determinant = w.nn * w.tt - w.nt * w.nt;
      const double stick = (s * w.nn - (1 + e) * c * w.nt) / determinant;
      double p, q, other_p, other_q, link_supply, size, kept;

      ifbam_event_impact_by_phases (&w, mu, e, c, s, &p, &q, &kept);
      size = p * c + fabs (q * s);
      link_supply = 0.5 * (w.nn * p * p + 2 * w.nt * p * q + w.tt * q * q) - p * c - q * s;
      most = fmax (most, link_supply / size);
      assert_true (p > 0 && fabs (q) <= mu * p * (1 + 1e-14));
      /* Neither normal impulses nor friction supply energy. */
      assert_true (kept >= 0 && link_supply + kept <= 1e-14 * size);
      turned += s * (s - w.nt * p - w.tt * q) < 0;
      if (i < 200)
        {
          hit_by_steps (&w, mu, e, c, s, &other_p, &other_q);
          worst = fmax (worst, fmax (fabs (other_p - p), fabs (other_q - q)) / p);
        }
      /* Newton's normal rate, and Coulomb's friction on the final slip. */
      other_p = ((1 + e) * c * w.tt - s * w.nt) / determinant;
      other_q = stick;
      for (int k = -1; k <= 1 && fabs (stick) > mu * other_p; k += 2)
        if (w.nn + k * mu * w.nt > 0)
          {
            other_p = (1 + e) * c / (w.nn + k * mu * w.nt);
            other_q = k * mu * other_p;
            if (k * (s - w.nt * other_p - w.tt * other_q) > 0)
              break;
          }
      gained +=
          0.5 * (w.nn * other_p * other_p + 2 * w.nt * other_p * other_q + w.tt * other_q * other_q)
              - other_p * c - other_q * s
          > 1e-9;
    }
  print_message ("# 10000 hits: at most %.2g of what they move is brought, %u turn back, by steps "
                 "%.2g; Newton brings some in %u\n",
                 most, turned, worst, gained);
  assert_true (most < 1e-14 && turned > 100 && gained > 10);
  assert_true (worst < 1e-3);
}

/* A table falls level on both feet at once, still or sliding: neither foot is first, and both stop. */
static void
test_two_at_once (void **state)
{
  static const double restitutions[] = { 0, 0.5 };

  (void) state;
  for (int mirror = -1; mirror <= 1; mirror += 2)
    for (int slides = 0; slides < 2; slides++)
      for (guint k = 0; k < G_N_ELEMENTS (restitutions); k++)
        {
          const double e = restitutions[k], mu = 0.5;
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nformat = 1\nscheme = rk4\nstep = 10 ms\nduration = 0.1 s\n"
              "record = b.vx, b.vy, b.speed\n"
              "[body b]\nmass = 1\ninertia = 0.2\ny = 0.4\nvy = -2\nvx = %d\n"
              "[point one]\non = b\nx = %g\ny = -0.3\n[point other]\non = b\nx = %g\ny = -0.3\n"
              "[surface floor]\n"
              "[bounce h1]\nrestitution = %g\nfriction = %g\nbetween = one, floor\n"
              "[bounce h2]\nrestitution = %g\nfriction = %g\nbetween = other, floor\n",
              3 * slides, 0.5 * mirror, -0.5 * mirror, e, mu, e, mu);
          const IfbamEvent *one = event_run_event (run, "h1", NULL, 0);
          const IfbamEvent *other = event_run_event (run, "h2", NULL, 0);

          assert_near (one->time, 0.05, 1e-15, "time");
          assert_near (other->time, 0.05, 1e-15, "time");
          assert_near (one->impulse, (1 + e) * (1 + slides * mirror * 0.6 * mu), 1e-12, "one");
          assert_near (other->impulse, (1 + e) * (1 - slides * mirror * 0.6 * mu), 1e-12, "other");
          assert_near (event_run_last (run, "b.vy"), 2 * e, 1e-12, "vy");
          assert_near (event_run_last (run, "b.vx"), slides * (3 - (1 + e) * 2 * mu), 1e-12, "vx");
          assert_near (event_run_last (run, "b.speed"), 0, 1e-12, "speed");
        }
}

/* A rod whose end slides on the floor, after its lower end, at 2 m/s. Where tan^2 - 3 mu tan + 4 < 0 of its angle no reaction
 * keeps it up (Painleve 1895; for mu > 4/3 alone): it jams, and the end stops at once, by an impulse from both rates. */
static void
test_painleve (void **state)
{
  const double friction = 1.5, root = sqrt (20.25 - 16);
  const double low = atan ((4.5 - root) / 2) * 180 / G_PI;
  const double high = atan ((4.5 + root) / 2) * 180 / G_PI;
  const double angles[] = { 20, low - 0.1, low + 0.01, 60, high - 0.01, high + 0.1, 80 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (angles); i++)
    for (int direction = -1; direction <= 1; direction += 2)
      for (int weaker = 0; weaker < 2; weaker++)
        {
          const double angle = angles[i] * G_PI / 180;
          const double mu = weaker ? 1.33 : friction;
          const gboolean jams = !weaker && direction < 0 && angles[i] > low && angles[i] < high;
          g_autoptr (EventRun) run = event_run (
              0,
              "[network]\nformat = 1\nscheme = rk4\nstep = 2 us\nduration = 0.2 ms\n"
              "record = tip.vx, tip.y, network.energy, network.dissipated, network.supplied\n"
              "[body rod]\nmass = 1\ninertia = 0.08333333333333333\nangle = %.17g\ny = %.17g\n"
              "vx = %d\n[point tip]\non = rod\nx = -0.5\n[surface floor]\n"
              "[bounce hit]\nrestitution = 0\nfriction = %g\nbetween = tip, floor\n"
              "[gravity g]\non = rod\n",
              angle, 0.5 * sin (angle), 2 * direction, mu);
          const IfbamEvent *jam = event_run_event (run, "hit", "jam", 0);

          if ((jam != NULL) != jams)
            fail_msg ("%g degrees, %d, %g", angles[i], direction, mu);
          assert_true (event_run_ledger_gap (run) < 1e-6);
          assert_near (event_run_last (run, "tip.y"), 0, 1e-15, "tip");
          if (jam == NULL)
            continue;
          assert_near (jam->impulse, 1.5 * sin (angle) * cos (angle), 1e-14, "impulse");
          assert_near (event_run_last (run, "tip.vx"), 0, 1e-14, "slip");
        }
}

/* A cart pushes a bar along whose end slides on the floor, or draws it: pushed with more friction than the cotangent of its
 * angle, or so, the bar locks, and all stops at once. */
static void
test_pushed_bar (void **state)
{
  const double angle = G_PI / 6, c = cos (angle), s = sin (angle);

  (void) state;
  for (int direction = -1; direction <= 1; direction += 2)
    for (int k = 0; k < 2; k++)
      {
        const double mu = k == 0 ? 0.5 : 2.5;
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.1 s\n"
            "record = cart.vx, hit.force, network.energy, network.dissipated, network.supplied\n"
            "[body cart]\nmass = 2\ninertia = 1\ny = 0.5\nvx = %d\n[point o]\ny = 0.5\n"
            "[slider way]\nbetween = o, cart\ndirection = 0 deg\n"
            "[body bar]\nmass = 1\ninertia = 0.08333333333333333\nangle = -30 deg\n"
            "x = 0.4330127018922193\ny = 0.25\nvx = %d\n[point root]\non = bar\nx = -0.5\n"
            "[point tip]\non = bar\nx = 0.5\n[hinge pin]\nbetween = cart, root\n[surface floor]\n"
            "[bounce hit]\nrestitution = 0\nfriction = %g\nbetween = tip, floor\n"
            "[gravity g]\non = bar, cart\n",
            2 * direction, 2 * direction, mu);
        /* The bar does not turn: its moment about the pin is m a s/2, as both brake with a = -mu N/3. */
        const double force = 9.81 * c / 2 / (c - direction * mu * s + direction * mu * s / 6);
        const double rate = direction * (2 - 0.1 * mu * force / 3);

        if (k == 1 && direction == 1)
          {
            assert_non_null (event_run_event (run, "hit", "jam", 0));
            assert_near (event_run_last (run, "cart.vx"), 0, 1e-13, "stopped");
            continue;
          }
        assert_null (event_run_event (run, "hit", "jam", 0));
        assert_near (event_run_last (run, "hit.force"), force, 1e-11, "force");
        assert_near (event_run_last (run, "cart.vx"), rate, 1e-11, "cart");
        assert_true (event_run_ledger_gap (run) < 1e-11);
      }
}

/* It slides toward such an angle: there it parts from the floor, and comes back at once in a hit that stops it. */
static void
test_way_into_a_jam (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nformat = 1\nscheme = rk4\nstep = 2 us\nduration = 12 ms\n"
         "record = rod.angle, rod.speed, tip.vx, network.energy, network.dissipated, "
         "network.supplied\n"
         "[body rod]\nmass = 1\ninertia = 0.08333333333333333\nangle = 49 deg\n"
         "y = 0.37735479011138606\nvx = -20\n[point tip]\non = rod\nx = -0.5\n[surface floor]\n"
         "[bounce hit]\nrestitution = 0\nfriction = 1.5\nbetween = tip, floor\n"
         "[gravity g]\non = rod\n");
  const IfbamEvent *part = event_run_event (run, "hit", "release", 0);
  const IfbamEvent *hit = event_run_event (run, "hit", "impact", 0);
  const IfbamEvent *rub = event_run_event (run, "hit.friction", "rub", 0);

  (void) state;
  assert_near (part->time, 0.01125318, 1e-7, "time");
  assert_true (hit->time > part->time && hit->time < part->time + 1e-5);
  assert_true (hit->rate_before < 1e-6 && hit->impulse > 5);
  assert_near (rub->rate_after, 0, 1e-12, "slip");
  assert_true (event_run_ledger_gap (run) < 1e-2);
}

/* Bars, alone and hinged to each other, fall on the floor and on each other's balls: no instant brings energy. */
static char *
draft_fall (guint seed)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (seed);
  GString *text = g_string_new ("");
  const guint n = (guint) g_rand_int_range (noise, 1, 4);
  double x = 0, y = 1.5, lowest = y;

  for (guint i = 0; i < n; i++)
    {
      const double angle = g_rand_double_range (noise, -1.5, 1.5);
      const double half = g_rand_double_range (noise, 0.2, 0.5);
      const gboolean joined = i > 0 && g_rand_boolean (noise);
      const double e = g_rand_boolean (noise) ? g_rand_double (noise) : 0;
      const double mu = g_rand_double_range (noise, 0, 1.2);

      if (!joined && i > 0)
        x += 2;
      x += half * cos (angle);
      y += half * sin (angle);
      g_string_append_printf (
          text,
          "[body b%u]\nmass = %.17g\ninertia = %.17g\nx = %.17g\ny = %.17g\nangle = %.17g\n"
          "vx = %.17g\n[point p%u]\non = b%u\nx = %.17g\n[point q%u]\non = b%u\nx = "
          "%.17g\n"
          "[gravity g%u]\non = b%u\n"
          "[bounce h%u]\nrestitution = %.17g\nfriction = %.17g\nbetween = p%u, floor\n"
          "[bounce k%u]\nrestitution = %.17g\nfriction = %.17g\nbetween = q%u, floor\n",
          i, g_rand_double_range (noise, 0.5, 2), g_rand_double_range (noise, 0.02, 0.1), x, y,
          angle, joined ? 0 : g_rand_double_range (noise, -2, 2), i, i, -half, i, i, half, i, i, i,
          e, mu, i, i, e, mu, i);
      if (joined)
        g_string_append_printf (text, "[hinge j%u]\nbetween = q%u, p%u\n", i, i - 1, i);
      x += half * cos (angle);
      y += half * sin (angle);
      lowest = fmin (lowest, y - fmax (0, 2 * half * sin (angle)));
    }
  g_string_append_printf (text, "[surface floor]\nheight = %.17g\n", lowest - 0.2);
  return g_string_free (text, FALSE);
}

static void
test_random_falls (void **state)
{
  const guint n_seeds = wanted_seeds (40);
  guint stopped = 0;
  double most = 0;

  (void) state;
  for (guint seed = 1; seed <= n_seeds; seed++)
    {
      g_autofree char *draft = draft_fall (seed);
      g_autofree char *what = g_strdup_printf ("seed %u", seed);
      g_autofree char *text =
          g_strdup_printf ("[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n"
                           "record = network.energy, network.dissipated\n%s",
                           draft);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network = text_network (text);
      g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
      const double *energy, *lost;
      gsize n;

      if (course == NULL)
        {
          print_message ("# %s: %s\n", what, error->message);
          stopped++;
          continue;
        }
      energy = ifbam_course_get_values (course, "network.energy", &n, NULL);
      lost = ifbam_course_get_values (course, "network.dissipated", &n, NULL);
      for (gsize i = 1; i < n; i++)
        {
          assert_near (energy[i] + lost[i], energy[0], 1e-5 * energy[0], what);
          most = fmax (most, (lost[i - 1] - lost[i]) / energy[0]);
        }
      compare_by_hand (network, 500, what);
    }
  print_message ("# %u falls, %u stopped; at most %.2g comes back\n", n_seeds, stopped, most);
  assert_true (most < 1e-12 && 20 * stopped <= n_seeds);
}

/* A table on eight feet of one height, some of which stand side by side, is let fall and slides: it rocks from foot to foot, each
 * time less by its levers, and comes to rest in as many hits as that takes. */
static void
test_table_on_feet (void **state)
{
  static const double feet[] = { -0.07, 0.516, -0.393, -0.994, 0.558, 0.164, 0.297, -0.055 };
  g_autoptr (GString) text = g_string_new (
      "[network]\nformat = 1\nscheme = rk4\nstep = 1 ms\nduration = 0.3 s\n"
      "record = b.x, b.y, b.angle, network.energy, network.dissipated, network.supplied\n"
      "[body b]\nmass = 1\ninertia = 0.111426\ny = 1.0277\nvx = -1.1343\n"
      "[surface floor]\n[gravity g]\non = b\n");
  gsize n;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (feet); i++)
    g_string_append_printf (text,
                            "[point p%u]\non = b\nx = %g\ny = -0.9777\n[bounce r%u]\n"
                            "restitution = 0.5\nfriction = 2.2\nbetween = p%u, floor\n",
                            i, feet[i], i, i);
  {
    g_autoptr (EventRun) run = event_run (0, "%s", text->str);
    const double *lost = event_run_values (run, "network.dissipated", &n);

    assert_true (run->events->len < 60);
    assert_int_equal (run->held, 0);
    assert_near (event_run_last (run, "b.y"), 0.9777, 1e-9, "height");
    assert_near (event_run_last (run, "b.angle"), 0, 1e-9, "angle");
    /* All that it had but for its height at rest is lost. */
    assert_near (lost[n - 1], 0.5 * 1.1343 * 1.1343 + 9.81 * 0.05, 1e-9, "lost");
    assert_near (event_run_ledger_gap (run), 0, 1e-10, "account");
    for (gsize i = 1; i < n; i++)
      assert_true (lost[i] >= lost[i - 1] - 1e-14);
  }
  event_run_assert_same_bits (text->str);
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_bar),
    cmocka_unit_test (test_spin),
    cmocka_unit_test (test_both_feet_at_once),
    cmocka_unit_test (test_hinged),
    cmocka_unit_test (test_random_hits),
    cmocka_unit_test (test_random_falls),
    cmocka_unit_test (test_painleve),
    cmocka_unit_test (test_two_at_once),
    cmocka_unit_test (test_pushed_bar),
    cmocka_unit_test (test_way_into_a_jam),
    cmocka_unit_test (test_table_on_feet),
  };

  (void) argc, (void) argv;
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

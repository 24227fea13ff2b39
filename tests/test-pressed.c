/* test-pressed.c: laws that change in time: friction by a normal force, springs by a course, against closed forms
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

static const char *const schemes[] = { "rk4",      "verlet",  "esdirk4",  "implicit",
                                       "averaged", "tr-bdf2", "original", "implicit-euler" };

/* The orders of the schemes for these time-dependent laws. */
static const int orders[] = { 4, 2, 4, 2, 2, 2, 1, 1 };

/* Presses with 50 N - 10 N/s t in four ways. */
static const char *const presses[] = {
  "course = press.csv:normal",
  "course = press.csv:half\nscale = -2",
  "normal-of = p\n[drive ram]\nposition = 5 mm\nvelocity = -1 mm/s\n"
  "[spring p]\nstiffness = 10 kN/m\nbetween = ram, floor",
  "normal-of = p\n[mass ram]\nmass = 1e18\nposition = 15 mm\nvelocity = -1 mm/s\n"
  "[contact p]\nstiffness = 10 kN/m\ngap = 10 mm\nbetween = ram, floor",
};

#define LEDGER "network.energy, network.dissipated, network.supplied"

/* It sticks until 0.4 N is 10 N, at 2.5 s; then x'' = 10 - 0.3 (25 - 10 t). */
static void
test_ramp (void **state)
{
  const double late = 2.5;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint p = 0; p < G_N_ELEMENTS (presses); p++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 10 ms\nduration = 5 s\nrecord = m.*, f.*, " LEDGER
            "\n[ground floor]\n[mass m]\nmass = 1\n[force push]\nvalue = 10 N\non = m\n"
            "[pressed-friction f]\nfriction = 0.3\nstatic-friction = 0.4\nbetween = m, floor\n%s\n",
            schemes[s], presses[p]);
        g_autoptr (EventRun) run = event_run (0, "%s", text);
        const double close = orders[s] == 4 ? 1e-10 : orders[s] == 2 ? 5e-4 : 0.15;

        /* Floors of guards are 1e-13 of the forces, and the most that sticks falls by 4 N/s. */
        assert_near (event_run_event (run, "f", "slip", 0)->time, 2.5, 1e-11, "slips");
        assert_int_equal (event_run_count (run, "f", NULL), 1);
        assert_near (event_run_last (run, "m.position"), 1.25 * late * late + 0.5 * pow (late, 3),
                     close, schemes[s]);
        assert_near (event_run_last (run, "m.velocity"), 2.5 * late + 1.5 * late * late, close,
                     schemes[s]);
        /* (The energy balance omits the ram.) */
        if (p < 2 && orders[s] == 4)
          assert_near (event_run_ledger_gap (run), 0, 1e-9, "ledger");
        if (s < by_effort (1, 3, G_N_ELEMENTS (schemes)))
          event_run_assert_same_bits (text);
      }
}

/* A mass that is thrown while a brake is let go, with Stribeck's curve: it stops, sticks, breaks loose backward when the pull is
 * above the breakaway force, and so on. The reference is Runge-Kutta in small steps within smooth intervals. */
typedef struct
{
  double x, v, t;
  int direction; /* 0: it sticks */
} Slider;

static double
normal_at (double t)
{
  return 40 + 25 * sin (2 * t);
}

static double
slider_force (double t, double v, int direction)
{
  const double mu = 0.3 + 0.15 * exp (-pow (v / 0.2, 2));

  return 12 * sin (5 * t) - direction * mu * normal_at (t) - 0.5 * v;
}

static void
slide (Slider *s, double h)
{
  const double k1 = slider_force (s->t, s->v, s->direction), v1 = s->v;
  const double v2 = s->v + h / 2 * k1, k2 = slider_force (s->t + h / 2, v2, s->direction);
  const double v3 = s->v + h / 2 * k2, k3 = slider_force (s->t + h / 2, v3, s->direction);
  const double v4 = s->v + h * k3, k4 = slider_force (s->t + h, v4, s->direction);

  s->x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  s->v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  s->t += h;
}

/* Returns the remaining normal force at a time. */
static double
room_at (double t)
{
  return 0.45 * normal_at (t) - fabs (12 * sin (5 * t));
}

/* Goes on to a time; instants at which it stops or starts are found by halving. */
static void
go_on (Slider *s, double until)
{
  while (s->t < until)
    {
      const double h = fmin (1e-4, until - s->t);
      Slider next = *s;

      if (s->direction == 0)
        {
          double lo = s->t, hi = s->t + h;

          if (room_at (hi) >= 0)
            {
              s->t = hi;
              continue;
            }
          for (int i = 0; i < 60; i++)
            *(room_at (0.5 * (lo + hi)) >= 0 ? &lo : &hi) = 0.5 * (lo + hi);
          s->t = hi;
          s->direction = sin (5 * hi) > 0 ? 1 : -1;
          slide (s, 1e-9);
          continue;
        }
      slide (&next, h);
      if (next.v * s->direction < 0)
        {
          double lo = 0, hi = h;

          for (int i = 0; i < 60; i++)
            {
              next = *s;
              slide (&next, 0.5 * (lo + hi));
              *(next.v * s->direction >= 0 ? &lo : &hi) = 0.5 * (lo + hi);
            }
          next.v = 0;
          next.direction = room_at (next.t) >= 0 ? 0 : -s->direction;
        }
      *s = next;
    }
}

/* The spring whose force it is hangs between two drives. */
static void
test_stribeck (void **state)
{
  static const char *const by[] = { "rk4", "esdirk4", "dopri5" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (by); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 6 s\nsample = 0.5 s\n"
          "record = m.position, m.velocity, f.mode\n[ground floor]\n[mass m]\nmass = 1\n"
          "velocity = 2\n[damper d]\ndamping = 0.5\nbetween = m, floor\n"
          "[force pull]\namplitude = 12 N\nfrequency = %.17g\non = m\n"
          "[pressed-friction f]\nfriction = 0.3\nstatic-friction = 0.45\nstribeck = 0.2\n"
          "normal-of = p\nbetween = m, floor\n[drive ram]\nposition = 4 mm\namplitude = 2.5 mm\n"
          "frequency = %.17g\n[spring p]\nstiffness = 1e4\nbetween = ram, floor\n",
          by[s], 5 / (2 * G_PI), 2 / (2 * G_PI));
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      Slider slider = { .v = 2, .direction = 1 };
      gsize n;
      const double *x = event_run_values (run, "m.position", &n),
                   *v = event_run_values (run, "m.velocity", &n);
      guint moved = 0;

      for (gsize i = 0; i < n; i++)
        {
          go_on (&slider, 0.5 * (double) i);
          assert_near (x[i], slider.x, 1e-7, by[s]);
          assert_near (v[i], slider.v, 1e-6, by[s]);
          moved += slider.direction != 0;
        }
      assert_true (event_run_count (run, "f", "stick") >= 3 && moved >= 2 && moved < n);
      event_run_assert_same_bits (text);
    }
}

/* A ram meets a contact with a damper that brakes a sliding mass: from that time on, N = c u + k u t. */
static void
test_contact (void **state)
{
  (void) state;
  for (guint s = 0; s < 5; s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\nrecord = m.*, f.*, p.force, " LEDGER
          "\n[ground floor]\n[mass m]\nmass = 2\nvelocity = 3\n"
          "[pressed-friction f]\nfriction = 0.25\nnormal-of = p\nbetween = m, floor\n"
          "[mass ram]\nmass = 1e18\nvelocity = 20 mm/s\n[contact p]\nstiffness = 1 kN/m\ndamping = "
          "300 N s/m\n"
          "gap = 6.789 mm\nbetween = ram, floor\n",
          schemes[s]);
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      const double t = 1 - 6.789e-3 / 0.02, part = 0.25 / 2;

      assert_near (event_run_last (run, "m.velocity"), 3 - part * (6 * t + 10 * t * t),
                   orders[s] == 4 ? 1e-12 : 1e-6, schemes[s]);
      assert_near (event_run_last (run, "m.position"), 3 - part * (3 * t * t + 10 * t * t * t / 3),
                   orders[s] == 4 ? 1e-10 : 1e-5, schemes[s]);
      assert_near (event_run_last (run, "f.force"), 0.25 * (6 + 20 * t), 1e-9, schemes[s]);
      event_run_assert_same_bits (text);
    }
}

/* The pad oscillates on its own spring, independently of the braked mass: v falls by mu k times the integral of the
 * compression. About an axis, times the radius. */
static void
test_disc (void **state)
{
  g_autofree char *text = g_strdup (
      "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\nrecord = w.*, f.*, "
      "pad.position, " LEDGER "\n[ground frame]\n[inertia w]\ninertia = 0.5\nspeed = 30 rad/s\n"
      "[torsion-pressed-friction f]\nfriction = 0.5 * 10 cm\nnormal-of = p\n"
      "between = w, frame\n[ground wall]\n[mass pad]\nmass = 2\nposition = 3 mm\n[spring p]\n"
      "stiffness = 5 kN/m\nbetween = pad, wall\n");
  const double omega = sqrt (5e3 / 2), period = 2 * G_PI / omega, whole = floor (1 / period);
  const double rest = (1 - whole * period) * omega;
  /* The integral of cos, where it is above 0: 2 for each period */
  const double last = rest <= G_PI / 2 ? sin (rest) : rest <= 1.5 * G_PI ? 1 : 2 + sin (rest);
  g_autoptr (EventRun) run = event_run (0, "%s", text);

  (void) state;
  /* (Where the pad lets go the force has a kink, which is no event: within h^2 of each, at that slope.) */
  assert_near (event_run_last (run, "w.speed"),
               30 - 0.5 * 0.1 * 5e3 * 3e-3 / 0.5 * (2 * whole + last) / omega, 5e-6, "speed");
  assert_near (event_run_last (run, "pad.position"), 3e-3 * cos (omega), 1e-8, "pad");
  assert_near (event_run_ledger_gap (run), 0, 1e-6, "ledger");
  event_run_assert_same_bits (text);
}

/* x'' + (10 + 5 t) x = 0 by its power series */
static double
airy (double t, double *velocity)
{
  double a[120] = { 1, 0.5 }, x = 0, power = 1;

  *velocity = 0;
  for (int n = 2; n < 120; n++)
    a[n] = -(10 * a[n - 2] + (n > 2 ? 5 * a[n - 3] : 0)) / (n * (n - 1));
  for (int n = 0; n < 120; n++, power *= t)
    {
      x += a[n] * power;
      *velocity += n < 119 ? (n + 1) * a[n + 1] * power : 0;
    }
  return x;
}

static void
test_spring_by_a_course (void **state)
{
  double v;
  const double x = airy (2, &v);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 2 s\nrecord = m.*, k.*, " LEDGER
          "\n[mass m]\nmass = 1\nposition = 1\nvelocity = 0.5\n[ground g]\n"
          "[parametric-spring k]\ncourse = press.csv:rise\nbetween = m, g\n",
          schemes[s]);
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      const double close = orders[s] == 4 ? 1e-9 : orders[s] == 2 ? 1e-4 : 0.1;

      assert_near (event_run_last (run, "m.position"), x, close, schemes[s]);
      assert_near (event_run_last (run, "m.velocity"), v, 10 * close, schemes[s]);
      assert_near (event_run_last (run, "k.turns"), 2, 1e-12, "time");
      if (orders[s] == 4)
        assert_near (event_run_ledger_gap (run), 0, 1e-9, "ledger");
      event_run_assert_same_bits (text);
    }
}

/* The friction evaluates the pressing link, too, with parameters of its own. */
static void
test_dialogue_refuses_what_presses (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 10 ms\nduration = 1 s\n[ground floor]\n[mass m]\nmass = 1\n"
                    "[drive ram]\nposition = 5 mm\n[spring p]\nstiffness = 10 kN/m\n"
                    "between = ram, floor\n[force push]\nvalue = 10 N\non = m\n"
                    "[pressed-friction f]\nfriction = 0.3\nnormal-of = p\nbetween = m, floor\n");
  IfbamElement *spring = ifbam_network_get_element (network, "p"),
               *pad = ifbam_network_get_element (network, "f");
  g_autoptr (GError) error = NULL;
  double stiffness;

  (void) state;
  assert_true (ifbam_network_reset (network, &error));
  expect_criticals (TRUE);
  g_object_set (spring, "stiffness", 1e3, NULL);
  ifbam_network_turn (network);
  assert_true (ifbam_network_settle (network, &error));
  assert_int_equal (criticals, 1);
  g_object_get (spring, "stiffness", &stiffness, NULL);
  assert_true (stiffness == 10e3);
  g_object_set (pad, "friction", 0.1, NULL);
  for (guint i = 0; i < 10; i++)
    {
      ifbam_network_turn (network);
      assert_true (ifbam_network_settle (network, &error));
    }
  assert_int_equal (criticals, 1);
  expect_criticals (FALSE);
}

static void
test_what_is_wrong_is_refused (void **state)
{
  static const struct
  {
    const char *keys, *words;
  } wrong[] = {
    { "", "normal: is missing*20 N*course*normal-of" },
    { "normal = 3 N\ncourse = press.csv:normal", "can't be combined with \"normal\"" },
    { "normal = 3 N\nnormal-of = p", "can't be combined with \"normal-of\"" },
    { "normal-of = p\ncourse = press.csv:normal", "can't be combined with \"normal-of\"" },
    { "normal = 3 N\nscale = 2", "applies to a course" },
    { "normal-of = q", "no link \"q\"" },
    { "normal-of = floor", "\"floor\" is no link with a force" },
    { "normal-of = f", "\"f\" is no link with a force" },
    { "normal-of = stop", "hard stop*rail-brake" },
    { "normal-of = twist", "has no law for a force along a line" },
    { "course = press.csv:speed", "speed" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *said = event_run_fault (
          "[network]\nstep = 1 ms\nduration = 1 s\n[ground floor]\n[mass m]\nmass = 1\n"
          "[inertia j]\ninertia = 1\n[ground frame]\n[mass n]\nmass = 1\nposition = -1\n"
          "[spring p]\nstiffness = 1\nbetween = n, floor\n[impact stop]\ngap = 1\nbetween = n, "
          "floor\n"
          "[torsion-spring twist]\nstiffness = 1\nbetween = j, frame\n"
          "[pressed-friction f]\nfriction = 0.3\nbetween = m, floor\n%s\n",
          wrong[i].keys);

      assert_message (said, wrong[i].words);
    }
}

/* The pressing link is between the braked ends: in, x'' = -1.3 k x; out again, x'' = -0.7 k x; then the mass is free. */
static void
test_pressed_where_it_slides (void **state)
{
  const double rate = 10, in = rate * sqrt (1.3), out = rate * sqrt (0.7);
  g_autoptr (EventRun) run = event_run (
      0,
      "[network]\nscheme = rk4\nstep = 1 ms\nduration = %.17g\nrecord = m.*, " LEDGER "\n"
      "[ground floor]\n[mass m]\nmass = 1\nvelocity = 1\n"
      "[contact p]\nstiffness = 100\nbetween = m, floor\n"
      "[pressed-friction f]\nfriction = 0.3\nnormal-of = p\nbetween = m, floor\n",
      1e-3 * ceil (1e3 * (G_PI / 2 / in + G_PI / 2 / out)));
  const double late =
      1e-3 * ceil (1e3 * (G_PI / 2 / in + G_PI / 2 / out)) - (G_PI / 2 / in + G_PI / 2 / out);

  (void) state;
  assert_near (event_run_last (run, "m.velocity"), -out / in, 1e-9, "it comes out as fast");
  assert_near (event_run_last (run, "m.position"), -out / in * late, 1e-9, "and goes on");
  assert_near (event_run_ledger_gap (run), 0, 1e-9, "ledger");
}

static int
set_up (void **state)
{
  const int made = folder_make (state);

  g_free (folder_write ("press.csv", "time,normal [N],half [N],rise [N/m],speed [m/s]\n"
                                     "0,50,-25,10,1\n10,-50,25,60,2\n"));
  return made;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_ramp),
    cmocka_unit_test (test_stribeck),
    cmocka_unit_test (test_contact),
    cmocka_unit_test (test_disc),
    cmocka_unit_test (test_pressed_where_it_slides),
    cmocka_unit_test (test_spring_by_a_course),
    cmocka_unit_test (test_dialogue_refuses_what_presses),
    cmocka_unit_test (test_what_is_wrong_is_refused),
  };

  return cmocka_run_group_tests (tests, set_up, folder_remove);
}

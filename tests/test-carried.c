/* test-carried.c: frictions that a contact carries: balls that slide, stick, are thrown and hit, against closed forms
 *
 *   test-carried [FIRST COUNT]     other seeds, or more of them
 *   TEST_SEEDS=COUNT test-carried  fewer of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wave.h"
#include "by-hand.h"
#include "draft.h"
#include "element/endpoint.h"
#include "element/geometry-plane.h"
#include "element/element.h"
#include "event-run.h"
#include "fixture.h"
#include "file/file.h"

#define G 9.81

static guint first_seed = 1, n_seeds = 20;

static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                       "euler", "original" };

/* Rates along rows, and the terms of their rotation, equal finite differences, also along the contact. The row of a
 * ball that does not turn is orthogonal to that of its carrier, and equally long. */
static void
test_rows_along (void **state)
{
  const IfbamGeometry *const all[] = { &ifbam_ball_surface, &ifbam_balls };
  static const int coordinates[] = { 2, 3, 0 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1785);
  double worst = 0;

  (void) state;
  for (guint trial = 0; trial < 3000; trial++)
    {
      const IfbamGeometry *geometry = all[trial % 2], *along = geometry->slip;
      const int n_left = coordinates[trial / 2 % 2], n_right = coordinates[trial / 4 % 3];
      const double arm[] = { n_left == 3 ? 0.3 : 0, n_left == 3 ? -0.2 : 0 };
      const double left[] = { n_left, arm[0], arm[1], 0.1 };
      const double ground[] = { 1, 0, 0, 0.2, 3 };
      const double ball[] = { n_right, 0.1, n_right == 2 ? 0 : 0.2, n_right == 0 ? 0 : 0.3 };
      const int n = n_left + (trial % 2 == 0 ? 1 : n_right);
      double shape[IFBAM_MAX_SHAPE] = { 0 }, x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];
      double row[IFBAM_MAX_PORTS], carrier[IFBAM_MAX_PORTS], delta;

      geometry->shape (NULL, left, trial % 2 == 0 ? ground : ball, shape);
      for (int e = 0; e < n; e++)
        {
          x[e] = g_rand_double_range (rand, -1, 1) + (e == 1 ? 4 : 0);
          v[e] = g_rand_double_range (rand, -1, 1);
        }
      if (trial % 2 == 0)
        {
          const IfbamEnd end = ifbam_end_at (left, x);

          x[n_left] = end.point[1] - 0.2 * sin (2 * G_PI * end.point[0] / 3) - 0.12;
        }
      geometry->measure (shape, x, v, &delta, carrier);
      along->measure (shape, x, v, &delta, row);
      assert_near (delta, 0, 0, "delta");
      assert_near (row[0] * carrier[0] + row[1] * carrier[1], 0, 0, "product");
      assert_near (row[0] * row[0] + row[1] * row[1], 1, 1e-14, "length");
      for (int what = 0; what < 2; what++)
        {
          const IfbamGeometry *asked = what == 0 ? geometry : along;
          const double h = 1e-5;
          double slope = 0, change = 0, rate = 0;

          asked->measure (shape, x, v, &delta, row);
          for (int e = 0; e < n; e++)
            rate += row[e] * v[e];
          for (int k = -1; k <= 1; k += 2)
            {
              double there[IFBAM_MAX_PORTS], other[IFBAM_MAX_PORTS];

              for (int e = 0; e < n; e++)
                there[e] = x[e] + k * h * v[e];
              asked->measure (shape, there, v, &delta, other);
              change += k * delta / (2 * h);
              for (int e = 0; e < n; e++)
                slope += k * other[e] * v[e] / (2 * h);
            }
          if (what == 0)
            assert_near (change, rate, 1e-8, "rate");
          worst =
              fmax (worst, fabs (slope - asked->velocity_term (shape, x, v)) / (1 + fabs (slope)));
        }
    }
  print_message ("# bends off by %.2g\n", worst);
  assert_true (worst < 1e-6);
}

/* An incline is level ground, with the weight's part along it as a force: below the friction angle nothing moves, above
 * it the acceleration is g (sin a - mu cos a). */
static void
test_incline (void **state)
{
  const double angle = 0.5, mass = 3.0;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < 2; k++)
      {
        const double friction = tan (angle) * (k == 0 ? 1.001 : 0.6);
        const double slides = fmax (0, G * (sin (angle) - friction * cos (angle)));
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = 5 ms\nduration = 2 s\n"
            "record = b.x, b.y, b.vx, h.force, h.friction.force, h.friction.mode, h.friction.rate\n"
            "[ball b]\nmass = %g\nradius = 0.1\ny = 0.1\n[surface s]\n"
            "[gravity w]\non = b\nacceleration = %.17g\n[force f]\non = b.x\nvalue = %.17g\n"
            "[bounce h]\nfriction = %.17g\nbetween = b, s\n",
            schemes[s], mass, G * cos (angle), mass * G * sin (angle), friction);
        gsize n;
        const double *rate = event_run_values (run, "h.friction.rate", &n);

        for (gsize i = 0; i < n; i++)
          assert_near (rate[i], slides * 5e-3 * (double) i, 1e-11 * slides, schemes[s]);
        assert_near (event_run_last (run, "b.y"), 0.1, 0, schemes[s]);
        assert_near (event_run_last (run, "h.force"), mass * G * cos (angle), 1e-12, schemes[s]);
        assert_near (event_run_last (run, "h.friction.force"),
                     mass * G * (k == 0 ? sin (angle) : friction * cos (angle)), 1e-11, schemes[s]);
        /* A scheme of first order is half a step ahead or behind. */
        assert_near (event_run_last (run, "b.x"), 2 * slides,
                     slides * (s == 3 || s == 4 ? 5.1e-3 : 1e-11), schemes[s]);
        assert_true (k > 0 || (event_run_last (run, "b.x") == 0 && run->events->len == 0));
      }
}

/* On the level it stops after v^2 / (2 mu g), and the friction took all that it had. */
static void
test_stops_on_the_level (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (int sign = -1; sign <= 1; sign += 2)
      {
        const double v = 3 * sign, friction = 0.35, mass = 2;
        g_autoptr (EventRun) run = event_run (
            0,
            "[network]\nscheme = %s\nstep = 3 ms\nduration = 1.2 s\n"
            "record = b.x, b.vx, h.friction.dissipated, network.energy, network.dissipated\n"
            "[ball b]\nmass = %g\nvx = %g\n[surface s]\n[gravity w]\non = b\n"
            "[bounce h]\nfriction = %g\nbetween = b, s\n",
            schemes[s], mass, v, friction);
        const IfbamEvent *stop = event_run_event (run, "h.friction", "stick", 0);

        assert_non_null (stop);
        assert_int_equal (run->events->len, 1);
        assert_near (stop->time, fabs (v) / (friction * G), 1e-12, schemes[s]);
        assert_near (event_run_last (run, "b.x"), v * fabs (v) / (2 * friction * G),
                     s == 3 || s == 4 ? 0.51 * 3e-3 * fabs (v) : 1e-11, schemes[s]);
        assert_near (event_run_last (run, "b.vx"), 0, 0, schemes[s]);
        assert_near (event_run_last (run, "h.friction.dissipated"), 0.5 * mass * v * v, 1e-11,
                     schemes[s]);
        assert_near (event_run_last (run, "network.energy"), 0, 1e-12, schemes[s]);
      }
}

/* A thrown ball loses mu (1 + e) v of its horizontal speed where it lands with v, or all of it if that is less. */
static void
test_throw (void **state)
{
  static const double friction[] = { 0.1, 0.6 };
  const double e = 0.7, mass = 2, vx = -3, v = sqrt (2 * G * 1.5);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint k = 0; k < 2; k++)
      {
        g_autoptr (EventRun) run =
            event_run (0,
                       "[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\n"
                       "record = b.vx, b.vy, h.dissipated, h.friction.dissipated\n"
                       "[ball b]\nmass = %g\ny = 1.5\nvx = %g\n[surface s]\n[gravity w]\non = b\n"
                       "[bounce h]\nrestitution = %g\nfriction = %g\nbetween = b, s\n",
                       schemes[s], mass, vx, e, friction[k]);
        const double down = -event_run_event (run, "h", "impact", 0)->rate_after / e;
        const double left = vx + fmin (-vx, friction[k] * (1 + e) * down);
        const IfbamEvent *rub = event_run_event (run, "h.friction", "rub", 0);

        assert_near (down, v, s == 3 || s == 4 ? 6e-3 : 1e-9, schemes[s]);
        assert_int_equal (event_run_count (run, "h", "impact"), 1);
        assert_true (left == 0 ? k == 1 : k == 0);
        assert_near (event_run_last (run, "b.vx"), left, 1e-12, schemes[s]);
        assert_near (rub->impulse, mass * (vx - left), 1e-12, "impulse");
        assert_near (rub->rate_before, vx, 1e-14, "before");
        assert_near (rub->energy_change, 0.5 * mass * (left * left - vx * vx), 1e-12, "energy");
        assert_near (event_run_last (run, "h.friction.dissipated"),
                     0.5 * mass * (vx * vx - left * left), 1e-12, "its account");
        assert_near (event_run_last (run, "h.dissipated"), 0.5 * mass * (1 - e * e) * down * down,
                     1e-11, "its carrier's");
      }
}

/* A mass under a growing force starts to slip at mu m g, not before. */
static void
test_breaks_loose (void **state)
{
  const double friction = 0.3, mass = 2, most = 10, omega = 2 * G_PI * 0.5;
  const double exact = asin (friction * mass * G / most) / omega;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.4 s\nrecord = b.x, b.vx\n"
                     "[ball b]\nmass = %g\n[surface s]\n[gravity w]\non = b\n[force f]\non = b.x\n"
                     "amplitude = %g\nfrequency = 0.5\n[bounce h]\nfriction = %g\nbetween = b, s\n",
                     schemes[s], mass, most, friction);
      gsize n;
      const double *x = event_run_values (run, "b.x", &n);

      assert_int_equal (run->events->len, 1);
      assert_near (event_run_event (run, "h.friction", "slip", 0)->time, exact, 1e-9, schemes[s]);
      for (gsize i = 0; 1e-3 * (double) i < exact; i++)
        assert_near (x[i], 0, 1e-18, schemes[s]);
      assert_true (x[n - 1] > 1e-3);
    }
}

/* y = A sin (2 pi x / L) for a point that slides along it, to the right or left */
typedef struct
{
  double amplitude, length, friction, sign;
} Slide;

static double
slide_acceleration (const Slide *slide, double x, double v)
{
  const double k = 2 * G_PI / slide->length, a = slide->amplitude;
  const double slope = a * k * cos (k * x), bend = -a * k * k * sin (k * x);
  const double root = sqrt (1 + slope * slope), normal = (G + bend * v * v) / root;

  return -(slope + slide->friction * slide->sign) * normal / root;
}

static void
slide_on (const Slide *slide, double h, double *x, double *v)
{
  double k[4][2], at[2] = { *x, *v };

  for (int j = 0; j < 4; j++)
    {
      k[j][0] = at[1];
      k[j][1] = slide_acceleration (slide, at[0], at[1]);
      at[0] = *x + (j == 2 ? 1 : 0.5) * h * k[j][0];
      at[1] = *v + (j == 2 ? 1 : 0.5) * h * k[j][1];
    }
  *x += h * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]) / 6;
  *v += h * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]) / 6;
}

/* Down a slope and up the other side, by an integration of the same motion in x alone. */
static void
test_slides_in_a_hollow (void **state)
{
  const double amplitude = 0.2, length = 3, friction = 0.1, h = 1e-4;
  Slide slide = { amplitude, length, friction, 1 };
  double x = -1.1, v = 0.2, turned = NAN;
  const double slope = amplitude * 2 * G_PI / length * cos (2 * G_PI * x / length);
  g_autofree char *text = g_strdup_printf (
      "duration = 1.5 s\nrecord = b.x, b.vx, h.mode, h.compression, network.energy, "
      "network.dissipated, h.friction.dissipated\n[ball b]\nmass = 2\nx = %.17g\ny = %.17g\n"
      "vx = %.17g\nvy = %.17g\n[surface s]\namplitude = %g\nwavelength = %g\n[gravity w]\non = b\n"
      "[bounce h]\nrestitution = 0\nfriction = %g\nbetween = b, s\n",
      x, amplitude * sin (2 * G_PI * x / length), v, v * slope, amplitude, length, friction);

  (void) state;
  for (double time = 0; time < 1.5 - 0.5 * h; time += h)
    {
      double part = h, to = x, rate = v;

      slide_on (&slide, h, &to, &rate);
      if (rate * slide.sign < 0)
        {
          /* It turns within the step: then it slides the other way. */
          assert_true (isnan (turned));
          for (int i = 0; i < 60; i++, to = x, rate = v)
            {
              slide_on (&slide, part, &to, &rate);
              part -= rate / slide_acceleration (&slide, to, rate);
            }
          slide_on (&slide, part, &to, &rate);
          turned = time + part;
          slide.sign = -slide.sign;
          slide_on (&slide, h - part, &to, &rate);
        }
      x = to;
      v = rate;
    }
  assert_false (isnan (turned));
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      static const double worst[] = { 1e-12, 1e-7, 1e-7, 1e-3, 1e-3, 1e-7 };
      g_autoptr (EventRun) run =
          event_run (0, "[network]\nscheme = %s\nstep = 1 ms\n%s", schemes[s], text);
      const double *energy, *lost, *mode, *delta;
      const IfbamEvent *stick = event_run_event (run, "h.friction", NULL, 0);
      gsize n;

      energy = event_run_values (run, "network.energy", &n);
      lost = event_run_values (run, "network.dissipated", &n);
      mode = event_run_values (run, "h.mode", &n);
      delta = event_run_values (run, "h.compression", &n);
      print_message ("# %s: %.2g m off, turns %.2g s off\n", schemes[s],
                     fabs (event_run_last (run, "b.x") - x), fabs (stick->time - turned));
      assert_near (event_run_last (run, "b.x"), x, worst[s], schemes[s]);
      assert_near (stick->time, turned, 10 * worst[s], schemes[s]);
      for (gsize i = 0; i < n; i++)
        {
          assert_true (mode[i] == 1 && delta[i] < 1e-14);
          assert_near (energy[i] + lost[i], energy[0], 2 * 2 * G * worst[s], schemes[s]);
        }
      assert_near (event_run_last (run, "h.friction.dissipated"),
                   event_run_last (run, "network.dissipated"), 1e-9 + worst[s] * 40, schemes[s]);
    }
}

/* Two balls collide obliquely: their slip is reduced by mu p, or ended; momentum is conserved. */
static void
test_two_balls_meet (void **state)
{
  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      const double friction = k == 0 ? 0.2 : 2;
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = rk4\nstep = 10 ms\nduration = 1 s\n"
                     "record = a.vx, a.vy, b.vx, b.vy, h.friction.rate\n"
                     "[ball a]\nmass = 1\nradius = 0.1\nvx = 1\n"
                     "[ball b]\nmass = 2\nradius = 0.1\nx = 0.5\ny = 0.1\n"
                     "[bounce h]\nbetween = a, b\nrestitution = 0.8\nfriction = %g\n",
                     friction);
      /* e from b to a; across it: (e_y, -e_x) */
      const double ex = -sqrt (0.75), ey = -0.5, p = 1.8 * -ex / 1.5;
      const double along = ey, q = copysign (fmin (friction * p, fabs (along) / 1.5), along);

      assert_near (event_run_last (run, "a.vx"), 1 + p * ex - q * ey, 1e-13, "a.vx");
      assert_near (event_run_last (run, "a.vy"), p * ey + q * ex, 1e-13, "a.vy");
      assert_near (event_run_last (run, "b.vx"), 0.5 * (-p * ex + q * ey), 1e-13, "b.vx");
      assert_near (event_run_last (run, "b.vy"), 0.5 * (-p * ey - q * ex), 1e-13, "b.vy");
      assert_near (event_run_event (run, "h.friction", "rub", 0)->rate_after, along - 1.5 * q,
                   1e-14, "what is left of it");
    }
}

/* A class whose friction is not orthogonal to its carrier, as of rotating bodies: x0 <= 0, and the slip is that of
 * lever * x0 + x1. */

typedef struct
{
  double restitution, friction, lever;
} WedgeLaw;

static void
shape_wedge (const double *law, const double *left, const double *right, double *shape)
{
  (void) left, (void) right;
  shape[0] = law[offsetof (WedgeLaw, lever) / sizeof (double)];
}

static void
measure_wedge (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) shape, (void) rate;
  *delta = position[0];
  row[0] = 1;
  row[1] = 0;
}

static void
measure_along (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) position, (void) rate;
  *delta = 0;
  row[0] = shape[0];
  row[1] = 1;
}

static const IfbamGeometry wedge_along = { .name = "along a wedge",
                                           .shape = shape_wedge,
                                           .n_ports = 2,
                                           .only_rate = TRUE,
                                           .measure = measure_along };

static const IfbamGeometry wedge_geometry = { .name = "wedge",
                                              .shape = shape_wedge,
                                              .n_ports = 2,
                                              .measure = measure_wedge,
                                              .slip = &wedge_along };

static int
wedge_mode (const WedgeLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static IfbamConstraint
wedge_constraint (const WedgeLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_CONTACT,
                            .restitution = p->restitution,
                            .idle = 1 };
}

static int
wedge_friction_mode (const WedgeLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_LOOSE;
}

static IfbamConstraint
wedge_friction_constraint (const WedgeLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){
    .kind = IFBAM_CONSTRAINT_FRICTION, .breakaway = p->friction, .coulomb = p->friction, .idle = 1
  };
}

static const IfbamParam wedge_params[] = {
  IFBAM_PARAM (WedgeLaw, restitution, "restitution", "", 0, 1, 1, "as of a bounce"),
  IFBAM_PARAM (WedgeLaw, friction, "friction", "", 0, G_MAXDOUBLE, 0, "as of a bounce"),
  IFBAM_PARAM (WedgeLaw, lever, "lever", "", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of what slides: what the left end counts"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (WedgeLaw, wedge_friction, (MODE, CONSTRAINT), .name = "friction")
IFBAM_DEFINE_LAW (WedgeLaw, wedge, (MODE, CONSTRAINT), .next = &wedge_friction_law,
                  .geometry = &wedge_geometry)
IFBAM_DEFINE_LINK (Wedge, wedge, WedgeLaw, wedge, .name = "wedge", .summary = "", .law = "",
                   .source = "", .example = "", .domain = IFBAM_DOMAIN_TRANSLATION)

/* a (mass 2, at 0) is pressed against the wedge by 10 N, b (mass 3) slides at a speed v. */
static IfbamNetwork *
wedge_network (const char *scheme, double va, double vb, double push, double restitution,
               double friction, double lever)
{
  IfbamNetwork *network = text_network_printf (
      "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.5 s\n"
      "record = a.velocity, b.velocity, network.energy, network.dissipated, network.supplied\n"
      "[mass a]\nmass = 2\nvelocity = %.17g\n[mass b]\nmass = 3\nvelocity = %.17g\n"
      "[force f]\non = a\nvalue = %.17g\n",
      scheme, va, vb, push);
  IfbamElement *wedge = ifbam_element_new (ifbam_wedge_get_type (), "w");

  g_object_set (wedge, "restitution", restitution, "friction", friction, "lever", lever, NULL);
  ifbam_network_take (network, wedge);
  ifbam_network_join (network, wedge, ifbam_network_get_element (network, "a"),
                      ifbam_network_get_element (network, "b"));
  return network;
}

/* If the friction presses on its carrier, the reaction is F / (1 +- mu lever); if it would pull it away, there is
 * none. */
static void
test_friction_that_presses (void **state)
{
  const double push = 10, friction = 0.5, lever = 0.8;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (int sign = -1; sign <= 1; sign += 2)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (IfbamNetwork) network =
            wedge_network (schemes[s], 0, 4 * sign, push, 0, friction, lever);
        g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
        const double reaction = push / (1 + sign * friction * lever);
        gsize n;

        assert_non_null (course);
        assert_near (ifbam_course_get_values (course, "b.velocity", &n, NULL)[n - 1],
                     sign * (4 - 0.5 * friction * reaction / 3), 1e-11, schemes[s]);
        assert_near (ifbam_course_get_values (course, "a.velocity", &n, NULL)[n - 1], 0, 1e-15,
                     schemes[s]);
      }
  /* There it jams: an impulse stops the slip at once. */
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (IfbamNetwork) network = wedge_network ("rk4", 0, -4, push, 0, 1.5, lever);
    g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
    gsize n;

    assert_non_null (course);
    assert_near (ifbam_course_get_values (course, "a.velocity", &n, NULL)[n - 1], 0, 1e-14, "a");
    assert_near (ifbam_course_get_values (course, "b.velocity", &n, NULL)[n - 1], 0, 1e-14, "b");
  }
}

/* Impacts supply no energy, however the friction changes the rebound, and leave no approach. */
static void
test_hits_bring_no_energy (void **state)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1990);

  (void) state;
  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network =
          wedge_network (schemes[i % 2], g_rand_double (rand), g_rand_double_range (rand, -3, 3), 0,
                         i % 3 == 0 ? 1 : g_rand_double (rand), g_rand_double_range (rand, 0, 2),
                         g_rand_double_range (rand, -3, 3));
      g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
      gsize n;
      const double *energy, *lost;

      if (course == NULL)
        fail_msg ("%u: %s", i, error->message);
      energy = ifbam_course_get_values (course, "network.energy", &n, NULL);
      lost = ifbam_course_get_values (course, "network.dissipated", NULL, NULL);
      assert_true (energy[n - 1] <= energy[0] * (1 + 1e-14));
      assert_near (energy[n - 1] + lost[n - 1], energy[0] + lost[0], 1e-13, "account");
      assert_true (ifbam_course_get_values (course, "a.velocity", NULL, NULL)[n - 1] <= 1e-12);
    }
}

/* Without friction there is but one relation. */
static void
test_smooth_contacts_have_one_relation (void **state)
{
  g_autofree char *fault =
      event_run_fault ("[network]\nduration = 1 s\nrecord = h.friction.force\n[ball b]\nmass = 1\n"
                       "y = 1\n[surface s]\n[bounce h]\nbetween = b, s\n");

  (void) state;
  assert_non_null (strstr (fault, "bounce \"h\" has no friction with these values"));
  g_clear_pointer (&fault, g_free);
  fault = event_run_fault ("[network]\nduration = 1 s\nrecord = h.friction.compression\n"
                           "[ball b]\nmass = 1\ny = 1\n[surface s]\n[bounce h]\nbetween = b, s\n"
                           "friction = 1\n");
  assert_non_null (strstr (fault, "compression"));
}

/* Two balls slide on the ground side by side, a force lifts one, and friction between them may carry its weight: the loads
 * are those of least norm, weighted by J M^-1 J^T and the friction's coefficient, under all schemes. */
static void
test_shared_loads_brake (void **state)
{
  static const char *const all[] = { "rk4",      "verlet",         "averaged", "original",
                                     "implicit", "implicit-euler", "tr-bdf2",  "esdirk4" };
  const double m[] = { 2.65, 3.63 }, mu = 0.4, lift = 10;
  const double carried = lift / m[1] / ((1 / m[0] + 1 / m[1]) * (1 + 1 / mu));
  const double brake = mu * (m[1] * G - lift + carried) / (m[0] + m[1]);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (all); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.5 s\n"
                     "record = b.vx, h.friction.force\n[surface g]\n[gravity w]\non = a, b\n"
                     "[ball a]\nmass = 2.65\nradius = 0.1\nx = 0.6\ny = 0.1\nvx = 3\n"
                     "[ball b]\nmass = 3.63\nradius = 0.1\nx = 0.8\ny = 0.1\nvx = 3\n"
                     "[bounce u]\nrestitution = 0\nfriction = 0\nbetween = a, g\n"
                     "[bounce h]\nrestitution = 0\nfriction = 0.4\nbetween = b, a\n"
                     "[bounce v]\nrestitution = 0\nfriction = 0.4\nbetween = b, g\n"
                     "[force up]\non = b.y\nvalue = 10 N\n",
                     all[s]);

      assert_near (event_run_last (run, "h.friction.force"), -carried, 1e-5, all[s]);
      assert_near (event_run_last (run, "b.vx"), 3 - 0.5 * brake, 1e-5, all[s]);
    }
}

/* A sledge on three feet with different frictions, with a body hinged to it: implicit schemes share its weight as explicit ones. */
static void
test_schemes_share_loads_alike (void **state)
{
  static const char *const all[] = { "verlet", "implicit", "tr-bdf2", "esdirk4" };
  double wanted = NAN;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (all); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.2 s\nrecord = b.vx\n[surface g]\n"
          "[gravity w]\non = b, c\n[body b]\nmass = 2\ninertia = 0.5\ny = 0.2\nvx = 3\n"
          "[body c]\nmass = 1\ninertia = 0.1\ny = 1.2\nvx = 3\n"
          "[point top]\non = b\ny = 0.5\n[point low]\non = c\ny = -0.5\n[hinge p]\nbetween = top, "
          "low\n"
          "[point l]\non = b\nx = -0.5\ny = -0.2\n[point m]\non = b\nx = 0.1\ny = -0.2\n"
          "[point r]\non = b\nx = 0.5\ny = -0.2\n"
          "[bounce fl]\nrestitution = 0\nfriction = 0.1\nbetween = l, g\n"
          "[bounce fm]\nrestitution = 0\nfriction = 0.4\nbetween = m, g\n"
          "[bounce fr]\nrestitution = 0\nfriction = 0.2\nbetween = r, g\n",
          all[s]);

      if (s == 0)
        wanted = event_run_last (run, "b.vx");
      assert_near (event_run_last (run, "b.vx"), wanted, 1e-5, all[s]);
    }
}

/* Random balls on hills and among each other, some pushed: the energy balance holds, and impacts supply no
 * energy. Compiled engine, objects and manual steps have equal bits. */
static void
test_random_slides (void **state)
{
  double worst = 0;
  guint events = 0;

  (void) state;
  for (guint i = 0; i < n_seeds; i++)
    {
      g_autofree char *text = draft_slides (first_seed + i);

      for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
        {
          g_autofree char *what = g_strdup_printf ("seed %u, %s", first_seed + i, schemes[s]);
          g_autoptr (IfbamNetwork) network = text_network_printf (
              "[network]\nscheme = %s\nstep = 5 ms\nduration = 1 s\n%s", schemes[s], text);
          g_autoptr (EventRun) compiled = NULL;
          g_autoptr (EventRun) objects = NULL;
          EventRun **const runs[] = { &compiled, &objects };
          double time = -1, change = 0;
          gsize n;

          compare_by_hand (network, 100, what);
          for (guint k = 0; k < 2; k++)
            *runs[k] = event_run (k == 0 ? 0 : EVENT_RUN_OBJECTS,
                                  "[network]\nscheme = %s\nstep = 2 ms\nduration = 2 s\n"
                                  "record = *.x, *.y, *.mode, *.dissipated, network.energy, "
                                  "network.dissipated, network.supplied\n%s",
                                  schemes[s], text);
          for (guint e = 0; e < compiled->events->len; e++)
            {
              const IfbamEvent *event = &g_array_index (compiled->events, IfbamEvent, e);

              /* Of one instant: frictions may drag each other along. */
              change = event->time == time ? change + event->energy_change : event->energy_change;
              time = event->time;
              if (!(change <= 1e-12))
                fail_msg ("%s: %s of %s at %.17g s brings %.2g J", what, event->word,
                          event->element, time, change);
            }
          for (const char *const *name = ifbam_course_get_signals (compiled->course); *name != NULL;
               name++)
            {
              const double *one = event_run_values (compiled, *name, &n);
              const double *other = event_run_values (objects, *name, NULL);

              if (memcmp (one, other, n * sizeof *one) != 0)
                fail_msg ("%s: %s", what, *name);
            }
          events += compiled->events->len;
          if (s == 0)
            {
              const double *energy = event_run_values (compiled, "network.energy", &n);
              const double *lost = event_run_values (compiled, "network.dissipated", NULL);
              const double *supplied = event_run_values (compiled, "network.supplied", NULL);

              for (gsize r = 0; r < n; r++)
                worst = fmax (worst, fabs (energy[r] + lost[r] - supplied[r] - energy[0])
                                         / (fabs (energy[0]) + supplied[r] + 1));
            }
        }
    }
  print_message ("# %u events; account off by %.2g\n", events, worst);
  assert_true (worst < 1e-6);
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_rows_along),
    cmocka_unit_test (test_incline),
    cmocka_unit_test (test_stops_on_the_level),
    cmocka_unit_test (test_throw),
    cmocka_unit_test (test_breaks_loose),
    cmocka_unit_test (test_slides_in_a_hollow),
    cmocka_unit_test (test_two_balls_meet),
    cmocka_unit_test (test_friction_that_presses),
    cmocka_unit_test (test_hits_bring_no_energy),
    cmocka_unit_test (test_smooth_contacts_have_one_relation),
    cmocka_unit_test (test_shared_loads_brake),
    cmocka_unit_test (test_schemes_share_loads_alike),
    cmocka_unit_test (test_random_slides),
  };

  n_seeds = wanted_seeds (n_seeds);
  if (argc == 3)
    {
      first_seed = (guint) atoi (argv[1]);
      n_seeds = (guint) MAX (atoi (argv[2]), 1);
    }
  return cmocka_run_group_tests (tests, NULL, NULL);
}

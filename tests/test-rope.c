/* test-rope.c: a heavy rope with a load: its shape, its forces, and its release
 *
 * The reference numbers are of the boundary value problem y'' = q/H sqrt (1 + y'^2), with a jump F/H of y' at the load, by closed
 * pieces and, independently, by a method of order 8 with a tolerance of 3e-14.
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
#include "elements/rope-shape.h"
#include "event-run.h"
#include "fixture.h"
#include "embed/embed.h"
#include "linear/linear.h"
#include "run/run.h"

/* A network at rest, and details of its links. */
typedef struct
{
  IfbamNetwork *network;
  IfbamRunSpec spec;
  IfbamModel *model;
  IfbamEquilibrium *rest;
  GArray *details;
} AtRest;

static AtRest
at_rest (const char *text)
{
  AtRest self = { .network = text_network_printf (
                      "[network]\nformat = 1\nstep = 1 ms\nduration = 1\n%s", text) };
  g_autoptr (GError) error = NULL;

  self.model = ifbam_network_compile_or_error (self.network, FALSE, &self.spec, NULL, &error);
  assert_non_null (self.model);
  self.rest = ifbam_equilibrium_new (self.model, &self.spec, &error);
  if (self.rest == NULL)
    fail_msg ("%s", error->message);
  self.details = ifbam_list_details (self.model, self.rest);
  return self;
}

static void
at_rest_clear (AtRest *self)
{
  g_array_unref (self->details);
  ifbam_equilibrium_free (self->rest);
  ifbam_model_free (self->model);
  ifbam_run_spec_clear (&self->spec);
  g_object_unref (self->network);
}

static double
detail (const AtRest *self, const char *name)
{
  for (guint i = 0; i < self->details->len; i++)
    if (g_str_equal (g_array_index (self->details, IfbamDetail, i).name, name))
      return g_array_index (self->details, IfbamDetail, i).value;
  fail_msg ("no %s", name);
  return NAN;
}

#define POLES "[point left]\n[point right]\nx = 10\ny = 1\n"
#define ROPE  "[rope r]\nlength = 12\ndensity = 0.5\nbetween = left, right\n"

static void
test_force (void **state)
{
  static const struct
  {
    const char *name;
    double value;
  } reference[] = {
    { "slope-left", -0.996256121353 },
    { "horizontal-force", 37.452513234781 },
    { "load-y", -2.656740530921 },
    { "load-along", 4.840200864820 },
    { "load-x", 4 },
    { "load-slope-left", -0.362355130701 },
    { "load-slope-right", 0.171654426271 },
    { "slope-right", 1.109343561788 },
    { "tension-left", 52.866796274412 },
    { "tension-right", 55.936593487508 },
    { "lowest-x", 4 },
    { "lowest-y", -2.656740530921 },
  };
  AtRest rest = at_rest (POLES ROPE "force = 20\nat = 4\n");
  AtRest turned =
      at_rest ("[point left]\n[point right]\nx = -10\ny = 1\n" ROPE "force = 20\nat = 4\n");
  AtRest hung = at_rest (POLES ROPE "mass = 2.0387359836901124\nhangs-at = 4.840200864820221\n");

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (reference); i++)
    {
      const double value = reference[i].value;

      assert_number (detail (&rest, reference[i].name), value, 1e-11 * (1 + fabs (value)));
      assert_number (fabs (detail (&turned, reference[i].name)), fabs (value),
                     1e-11 * (1 + fabs (value)));
      assert_number (detail (&hung, reference[i].name), value, 1e-11 * (1 + fabs (value)));
    }
  assert_number (detail (&turned, "load-x"), -4, 1e-13);
  at_rest_clear (&rest);
  at_rest_clear (&turned);
  at_rest_clear (&hung);
}

/* Without a load it is one catenary: l^2 - h^2 = (2 c sinh (x/2c))^2. */
static void
test_catenary (void **state)
{
  AtRest rest = at_rest (POLES ROPE);
  const double c = detail (&rest, "horizontal-force") / (0.5 * 9.81);

  (void) state;
  assert_number (2 * c * sinh (5 / c), sqrt (143), 1e-12);
  assert_number (detail (&rest, "lowest-y"), c - hypot (1, detail (&rest, "slope-left")) * c,
                 1e-12);
  at_rest_clear (&rest);
}

/* However it hangs: its ends are where they are asked for, and it pulls by the slope of its energy. */
static void
test_shapes (void **state)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (1691);
  double worst = 0;

  (void) state;
  for (int draw = 0; draw < 20000; draw++)
    {
      RopeLoad rope = { .length = 1, .weight = 1, .load = g_rand_double (noise) };
      const double slack = pow (10, g_rand_double_range (noise, -5.9, 0));
      const double turn = g_rand_double_range (noise, -1.57, 1.57), h = 1e-5;
      const double x = (1 - slack) * cos (turn), y = (1 - slack) * sin (turn);
      RopePiece all;
      RopeShape shape;

      rope.force = draw % 5 == 0 ? 0 : pow (10, g_rand_double_range (noise, -3, 3));
      shape = rope_hang (&rope, x, y);
      all = rope_pieces (&rope, shape.horizontal, shape.vertical);
      worst = fmax (worst, fmax (fabs (all.x - x), fabs (all.y - y)));
      if (slack < 0.03 || fabs (turn) > 1.5)
        continue;
      assert_number ((rope_hang (&rope, x + h, y).energy - rope_hang (&rope, x - h, y).energy)
                         / (2 * h),
                     shape.horizontal, 1e-4 * (1 + rope.force));
      assert_number ((rope_hang (&rope, x, y + h).energy - rope_hang (&rope, x, y - h).energy)
                         / (2 * h),
                     shape.vertical + 1 + rope.force, 1e-4 * (1 + rope.force));
      assert_number (rope_hang (&rope, -x, y).horizontal, -shape.horizontal, 0);
    }
  print_message ("# ends to %.1e\n", worst);
  assert_true (worst < 1e-11);
}

/* Springs at its poles bear its forces. */
static void
test_on_springs (void **state)
{
  AtRest rest =
      at_rest ("[ground g]\n[ball b]\nmass = 3\n[point right]\nx = 10\ny = 1\n"
               "[spring kx]\nstiffness = 500\nbetween = b.x, g\n"
               "[spring ky]\nstiffness = 800\nbetween = b.y, g\n"
               "[rope r]\nlength = 12\ndensity = 0.5\nforce = 20\nat = 4\nbetween = b, right\n");
  const double h = detail (&rest, "horizontal-force"), x = h / 500;
  const double y = detail (&rest, "slope-left") * h / 800;
  const RopeLoad load = { 12, 0.5 * 9.81, 20, detail (&rest, "load-along") };
  const RopeShape shape = rope_hang (&load, 10 - x, 1 - y);

  (void) state;
  assert_number (load.load, 4.840200864820, 1e-11);
  assert_number (shape.horizontal, h, 1e-9);
  assert_number (detail (&rest, "load-x"), x + shape.load_point[0], 1e-10);
  at_rest_clear (&rest);
}

#define SWING                                                                                      \
  "[point left]\n[ball b]\nmass = 5\nx = 8\ny = 1\nvx = -1\n[ground g]\nposition = 8\n[gravity "   \
  "w]\non = b\n"                                                                                   \
  "[spring kx]\nstiffness = 100\nbetween = b.x, g\n"                                               \
  "[ground h]\n[spring ky]\nstiffness = 150\nbetween = b.y, h\n"                                   \
  "[rope r]\nlength = 12\ndensity = 0.5\nmass = 1\nhangs-at = 4\nbetween = left, b\n"

/* It moves its supports, without a mass of its own there; its energy is part of the network's. */
static void
test_moving_end (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  double left[2];

  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 2\n"
                     "record = b.x, r.force, r.compression, network.energy, network.dissipated, "
                     "network.supplied\n" SWING,
                     k == 0 ? 0.01 : 0.005);

      left[k] = event_run_ledger_gap (run);
      assert_number (event_run_last (run, "r.force"), 9.81 * 7, 1e-12);
    }
  print_message ("# a ball on a rope: account to %.1e, %.1e\n", left[0], left[1]);
  assert_true (left[1] < 1e-4 && left[0] > 12 * left[1]);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nformat = 1\nscheme = %s\nstep = 5 ms\nduration = 2\n%s", schemes[s], SWING);

      compare_by_hand (network, 100, schemes[s]);
    }
}

/* In links it hangs where the prototype's numbers say, and tends to the rope as n^-2. */
static void
test_links_at_rest (void **state)
{
  static const struct
  {
    guint n;
    double force, x, y;
  } reference[] = {
    { 12, 37.6115569994, 4.1774051524, -2.6704480638 },
    { 24, 37.6239710152, 4.1777032653, -2.6674976479 },
    { 48, 37.6270975436, 4.1777774010, -2.6667602957 },
  };
  static const char *const names[] = { "horizontal-force", "tension-left", "tension-right",
                                       "slope-left",       "slope-right",  "load-x",
                                       "load-y",           "lowest-y",     "load-slope-left",
                                       "load-slope-right" };
#define LOADED POLES ROPE "mass = 2.0387359836901124\nhangs-at = 5\n"
  AtRest rope = at_rest (LOADED);
  double error[3][G_N_ELEMENTS (names)];

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (reference); i++)
    {
      g_autofree char *text = g_strdup_printf (LOADED "links = %u\n", reference[i].n);
      AtRest rest = at_rest (text);

      assert_number (detail (&rest, "horizontal-force"), reference[i].force, 2e-10);
      assert_number (detail (&rest, "load-x"), reference[i].x, 1e-10);
      assert_number (detail (&rest, "load-y"), reference[i].y, 1e-10);
      assert_number (detail (&rest, "load-along"), 5, 1e-12);
      at_rest_clear (&rest);
    }
  for (guint i = 0; i < G_N_ELEMENTS (error); i++)
    {
      g_autofree char *text = g_strdup_printf (LOADED "links = %u\n", 48u << i);
      AtRest rest = at_rest (text);

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        error[i][k] = detail (&rest, names[k]) - detail (&rope, names[k]);
      at_rest_clear (&rest);
    }
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      assert_near (error[0][k] / error[1][k], 4, 0.004, names[k]);
      assert_near (error[1][k] / error[2][k], 4, 0.002, names[k]);
    }
  at_rest_clear (&rope);
}

/* A force's place is no whole part of the length: the links are cut so that one ends there. */
static void
test_links_with_a_force (void **state)
{
  AtRest rope = at_rest (POLES ROPE "force = 20\nat = 4\n");
  double first = 0, last = 0;

  (void) state;
  for (guint n = 10; n <= 160; n *= 2)
    {
      g_autofree char *text = g_strdup_printf (POLES ROPE "force = 20\nat = 4\nlinks = %u\n", n);
      AtRest rest = at_rest (text);

      assert_number (detail (&rest, "load-along"), 4.840200864820, 1e-11);
      last = detail (&rest, "horizontal-force") - detail (&rope, "horizontal-force");
      first = n == 10 ? last : first;
      at_rest_clear (&rest);
    }
  print_message ("# links with a force: order %.3f\n", log2 (first / last) / 4);
  assert_number (log2 (first / last) / 4, 2, 0.02);
  at_rest_clear (&rope);
}

/* A movable end bears the whole weight of the rope; a field has the effect of the rope's own weight. */
static void
test_links_on_springs (void **state)
{
#define ON_SPRINGS                                                                                 \
  "[ground g]\n[ball b]\nmass = 3\n[point right]\nx = 10\ny = 1\n"                                 \
  "[spring kx]\nstiffness = 500\nbetween = b.x, g\n"                                               \
  "[spring ky]\nstiffness = 800\nbetween = b.y, g\n"                                               \
  "[rope r]\nlength = 12\ndensity = 0.5\nmass = 2\nhangs-at = 4\nbetween = b, right\n"
  AtRest rope = at_rest (ON_SPRINGS);
  double error[3], field = 0;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (error); i++)
    {
      g_autofree char *text = g_strdup_printf (ON_SPRINGS "links = %u\n", 48u << i);
      g_autofree char *pulled = g_strconcat (text, "[gravity w]\non = r\n", NULL);
      AtRest rest = at_rest (text), other = at_rest (pulled);

      error[i] = detail (&rest, "tension-left") - detail (&rope, "tension-left");
      field = detail (&rest, "tension-left") - detail (&other, "tension-left");
      at_rest_clear (&rest);
      at_rest_clear (&other);
    }
  print_message ("# links on springs: ratios %.4f, %.4f\n", error[0] / error[1],
                 error[1] / error[2]);
  assert_number (error[0] / error[1], 4, 0.1);
  assert_number (error[1] / error[2], 4, 0.05);
  assert_number (field, 0, 1e-9);
  at_rest_clear (&rope);
}

/* A heavy string of 10 m and 0.5 kg/m that bears 20 kg: residual of the boundary conditions, sideways motion
 * y = A J0 (u) + B Y0 (u), u = 2 w sqrt (s/g), s = T/(rho g) (Daniel Bernoulli 1732; Watson 1922, 1.3) */
static double
left_over (double frequency)
{
  const double w = 2 * G_PI * frequency, foot = 20 / 0.5, head = foot + 10;
  const double top = 2 * w * sqrt (head / 9.81), bottom = 2 * w * sqrt (foot / 9.81);
  const double a = y0 (top), b = -j0 (top);
  const double y = a * j0 (bottom) + b * y0 (bottom);
  const double slope = -(a * j1 (bottom) + b * y1 (bottom)) * w / sqrt (9.81 * foot);

  return w * w * y + 9.81 * slope;
}

/* The first frequencies of a taut rope in links tend to those of the string as n^-2 (and n^-3 by the load at the end). */
static void
test_string (void **state)
{
  double frequency[5], error[3][G_N_ELEMENTS (frequency)], f = 0.01;

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (frequency); k++)
    {
      double low, high;

      while (left_over (f) * left_over (f + 0.01) > 0)
        f += 0.01;
      low = f;
      high = f += 0.01;
      for (guint turn = 0; turn < 60; turn++)
        *(left_over (low) * left_over (0.5 * (low + high)) > 0 ? &low : &high) = 0.5 * (low + high);
      frequency[k] = low;
    }
  for (guint i = 0; i < G_N_ELEMENTS (error); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nformat = 1\nstep = 1 ms\nduration = 1\nstart = equilibrium\n[point top]\n"
          "[ball b]\nmass = 20\ny = -9.99\n[rope r]\nlength = 10\ndensity = 0.5\n"
          "links = %u\nbetween = top, b\n[gravity g]\non = b, r\n",
          40u << i);
      g_autoptr (GError) fault = NULL;
      g_autoptr (IfbamModes) found = ifbam_modes_new (network, 0, 0, &fault);
      const IfbamMode *modes;
      gsize n;

      assert_non_null (found);
      modes = ifbam_modes_get_modes (found, &n);
      assert_int_equal (n, 40 << i);
      for (guint k = 0; k < G_N_ELEMENTS (frequency); k++)
        error[i][k] = modes[k].frequency / frequency[k] - 1;
    }
  for (guint k = 0; k < G_N_ELEMENTS (frequency); k++)
    {
      print_message ("# string, %.9f Hz: %.1e, %.1e, %.1e\n", frequency[k], error[0][k],
                     error[1][k], error[2][k]);
      assert_true (fabs (error[2][k]) < 5e-4);
      assert_number (log2 (error[1][k] / error[2][k]), 2, 0.2);
    }
}

/* Between poles a rope with little sag moves up and down as a string does in modes of constant length, at 2, 4, ... times the
 * string's lowest frequency, and else at 2 b/pi times that, tan b = b (Irvine & Caughey 1974). */
static void
test_between_poles (void **state)
{
  static const double parts[] = { 2, 2.860613, 4, 4.918052, 6, 6.941771 };
  double error[2][G_N_ELEMENTS (parts)];

  (void) state;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nformat = 1\nstep = 1 ms\nduration = 1\nstart = equilibrium\n"
          "[point left]\n[point right]\nx = 10\n[rope r]\nlength = 10.0002\ndensity = 0.5\n"
          "links = %u\nbetween = left, right\n",
          60u << i);
      const RopeLoad load = { 10.0002, 0.5 * 9.81, 0, 0 };
      const double lowest = sqrt (rope_hang (&load, 10, 0).horizontal / 0.5) / 20;
      g_autoptr (GError) fault = NULL;
      g_autoptr (IfbamModes) found = ifbam_modes_new (network, 0, 0, &fault);
      const IfbamMode *modes;
      gsize n;

      assert_non_null (found);
      modes = ifbam_modes_get_modes (found, &n);
      assert_int_equal (n, (60 << i) - 2);
      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        error[i][k] = modes[k].frequency / lowest / parts[k] - 1;
    }
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    {
      print_message ("# between poles, mode %u: %.1e, %.1e\n", k + 1, error[0][k], error[1][k]);
      assert_number ((4 * error[1][k] - error[0][k]) / 3, 0, 3e-4);
    }
}

#define SWINGING                                                                                   \
  POLES "[rope r]\nlength = 12\ndensity = 0.5\nmass = 2\nhangs-at = 5\nlinks = %u\n"               \
        "between = left, right\n[impulse blow]\nimpulse = 5\nat = 0\non = r.m%u.x\n"

/* Under verlet the energy swings, and does not drift. */
static void
test_links_energy (void **state)
{
  g_autoptr (EventRun) run =
      event_run (0,
                 "[network]\nformat = 1\nscheme = verlet\nstep = 2 ms\nduration = 50\n"
                 "record = network.energy, r.r1.compression, r.r24.compression\n" SWINGING,
                 24u, 10u);
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  double mean = 0, slope = 0, size = 0, most = 0;

  (void) state;
  /* The first row stands before the blow. */
  for (gsize i = 1; i < n; i++)
    mean += energy[i] / (double) (n - 1);
  for (gsize i = 1; i < n; i++)
    {
      const double time = 0.002 * ((double) i - 0.5 * (double) n);

      slope += time * (energy[i] - mean);
      size += time * time;
      most = fmax (most, fabs (energy[i] / mean - 1));
    }
  print_message ("# rope of 24 links, verlet: energy within %.1e, slope %.1e per s\n", most,
                 slope / size / fabs (mean));
  assert_true (most < 2e-3 && fabs (slope / size / mean) < 1e-6);
  assert_number (event_run_last (run, "r.r1.compression"), 0, 1e-13);
  assert_number (event_run_last (run, "r.r24.compression"), 0, 1e-13);
}

/* Objects and columns have equal bits, and the energy balance closes to the scheme's order. */
static void
test_links_by_hand (void **state)
{
  static const char *const schemes[] = { "rk4",   "verlet",  "averaged", "symplectic-euler",
                                         "euler", "original" };
  double left[2];

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nformat = 1\nscheme = %s\nstep = 1 ms\nduration = 2\n" SWINGING, schemes[s],
          8u, 3u);

      compare_by_hand (network, 60, schemes[s]);
    }
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nformat = 1\nscheme = rk4\nstep = %g\nduration = 2\n"
          "record = r.m3.x, r.load.force, r.weight.force, network.energy, "
          "network.dissipated, network.supplied\n" POLES ROPE "force = 20\nat = 4\nlinks = 8\n"
          "[impulse blow]\nimpulse = 5\nat = 0\non = r.m3.x\n",
          k == 0 ? 0.01 : 0.005);

      left[k] = event_run_ledger_gap (run);
      assert_number (event_run_last (run, "r.load.force"), -20, 0);
      assert_number (event_run_last (run, "r.weight.force"), -9.81 * 0.5 * 12 * 7 / 8, 0.2);
    }
  print_message ("# rope of 8 links, rk4: account to %.1e, %.1e\n", left[0], left[1]);
  assert_true (left[1] < 1e-4 && left[0] > 10 * left[1]);
}

static void
test_taut (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nformat = 1\nstep = 1 ms\nduration = 2\nscheme = rk4\n"
                    "[point p]\n[ball b]\nmass = 200\nx = 4\nvx = 5\n"
                    "[rope r]\nlength = 6\ndensity = 0.5\nbetween = p, b\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  (void) state;
  assert_null (course);
  assert_message (error->message, "\"r.taut\"*as far apart as the rope is long*or links");
}

/* A rope with both ends at one place starts as if they were apart by a twentieth of its length, each node moved back by its part
 * of that: the catenary X = W/2 + a arsinh ((s - L/2)/a), with 2 a sinh (W/(2 a)) = L. */
static void
test_fold (void **state)
{
  const double length = 12, width = 0.05 * length;
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.1 ms\nrecord = *\n"
                    "[point left]\n[point right]\n[rope r]\nlength = 12\ndensity = 0.5\n"
                    "between = left, right\nlinks = 40\n");
  double low = 1e-3, high = 10;

  (void) state;
  for (guint k = 0; k < 200; k++)
    {
      const double a = 0.5 * (low + high);

      *(2 * a * sinh (width / (2 * a)) > length ? &low : &high) = a;
    }
  for (guint i = 5; i <= 35; i += 5)
    {
      const double along = length * i / 40;
      g_autofree char *name = g_strdup_printf ("r.m%u.x", i);

      /* Rods are chords of its arcs. */
      assert_near (event_run_first (run, name),
                   0.5 * width + low * asinh ((along - 0.5 * length) / low)
                       - width * along / length,
                   2e-4, name);
    }
}

/* A rope's links start between where its ends are: a point that follows a mass and a drive, and a ball of another rope. */
static void
test_links_between_what_follows_and_a_member (void **state)
{
  static const char *const balls[][5] = { { "left", "r.m1", "r.m2", "r.m3", "right" },
                                          { "r.m2", "s.m1", "s.m2", "s.m3", "far" } };
  static const double lengths[] = { 1.5, 1.25 };
  g_autoptr (EventRun) run = event_run (
      0, "%s",
      "[network]\nstep = 1 ms\nduration = 2 ms\nrecord = *.x, *.y\n"
      "[mass slide]\nmass = 3\nposition = 0.5\n[drive lift]\nposition = 0.25 m\n"
      "[point left]\nx = 1\nfollow-x = slide\nfollow-y = lift\n[point right]\nx = 6\n"
      "[rope r]\nlength = 6\ndensity = 1\nlinks = 4\nbetween = left, right\n"
      "[point far]\nx = 8\n[rope s]\nlength = 5\ndensity = 1\nlinks = 4\nbetween = r.m2, far\n");

  (void) state;
  assert_near (event_run_first (run, "left.x"), 1.5, 1e-12, "it follows the mass");
  assert_near (event_run_first (run, "left.y"), 0.25, 1e-12, "and the drive");
  for (guint rope = 0; rope < 2; rope++)
    for (guint i = 0; i < 4; i++)
      {
        double place[2][2];

        for (guint k = 0; k < 4; k++)
          {
            g_autofree char *name =
                g_strdup_printf ("%s.%c", balls[rope][i + k / 2], k % 2 == 0 ? 'x' : 'y');

            place[k / 2][k % 2] = event_run_first (run, name);
          }
        assert_near (hypot (place[1][0] - place[0][0], place[1][1] - place[0][1]), lengths[rope],
                     1e-10, balls[rope][i]);
        /* It hangs below its ends. */
        if (i > 0)
          assert_true (place[0][1] < (rope == 0 ? 0 : -0.8));
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_force),
    cmocka_unit_test (test_catenary),
    cmocka_unit_test (test_shapes),
    cmocka_unit_test (test_on_springs),
    cmocka_unit_test (test_moving_end),
    cmocka_unit_test (test_links_at_rest),
    cmocka_unit_test (test_links_with_a_force),
    cmocka_unit_test (test_links_on_springs),
    cmocka_unit_test (test_string),
    cmocka_unit_test (test_between_poles),
    cmocka_unit_test (test_links_energy),
    cmocka_unit_test (test_links_by_hand),
    cmocka_unit_test (test_taut),
    cmocka_unit_test (test_fold),
    cmocka_unit_test (test_links_between_what_follows_and_a_member),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

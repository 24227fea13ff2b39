/* test-rope.c: a heavy rope with a load: how it hangs, what it pulls with, and how it breaks off
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
#include "library/equilibrium.h"
#include "network/network.h"

/* A network at rest, and what its links tell. */
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

/* Springs at its poles bear what it pulls with. */
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
  assert_number (detail (&rest, "load-x"), x + shape.place[0], 1e-10);
  at_rest_clear (&rest);
}

#define SWING                                                                                      \
  "[point left]\n[ball b]\nmass = 5\nx = 8\ny = 1\nvx = -1\n[ground g]\nposition = 8\n[gravity "   \
  "w]\non = b\n"                                                                                   \
  "[spring kx]\nstiffness = 100\nbetween = b.x, g\n"                                               \
  "[ground h]\n[spring ky]\nstiffness = 150\nbetween = b.y, h\n"                                   \
  "[rope r]\nlength = 12\ndensity = 0.5\nmass = 1\nhangs-at = 4\nbetween = left, b\n"

/* It moves what it hangs on, as if it had no mass of its own there; its energy is part of the network's. */
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

static void
test_taut (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nformat = 1\nstep = 1 ms\nduration = 2\nscheme = rk4\n"
                    "[point p]\n[ball b]\nmass = 200\nx = 4\nvx = 5\n"
                    "[rope r]\nlength = 6\ndensity = 0.5\nbetween = p, b\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_COMPILED, &error);

  (void) state;
  assert_null (course);
  assert_message (error->message, "\"r.taut\"*as far apart as the rope is long*chain of rods");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_force),      cmocka_unit_test (test_catenary),
    cmocka_unit_test (test_shapes),     cmocka_unit_test (test_on_springs),
    cmocka_unit_test (test_moving_end), cmocka_unit_test (test_taut),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

/* test-singular.c: mechanisms that pass positions where their constraints are dependent
 *
 * Benchmark A02 of the IFToMM (Gonzalez, Dopico, Lugris & Cuadrado 2006): N + 1 upright rods and N level ones of 1 m and 1 kg
 * make N parallelograms under gravity. Where all rods lie flat N constraints follow from the others.
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
#include "fixture.h"

static char *
draft_parallelograms (guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) bodies = g_string_new (NULL);

  for (guint i = 0; i <= n; i++)
    {
      g_string_append_printf (
          text,
          "[point a%u]\nx = %u\n[body v%u]\nmass = 1\ninertia = 1/12 * 1 kg m2\nx = %u\ny = 0.5\n"
          "angle = 90 deg\nspeed = -1\n[point b%u]\non = v%u\nx = -0.5\n"
          "[point t%u]\non = v%u\nx = 0.5\n[hinge j%u]\nbetween = a%u, b%u\n",
          i, i, i, i, i, i, i, i, i, i, i);
      g_string_append_printf (bodies, "%sv%u", i > 0 ? ", " : "", i);
    }
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (
          text,
          "[body h%u]\nmass = 1\ninertia = 1/12 * 1 kg m2\nx = %g\ny = 1\nvx = 1\n"
          "[point l%u]\non = h%u\nx = -0.5\n[point r%u]\non = h%u\nx = 0.5\n"
          "[hinge k%u]\nbetween = t%u, l%u\n[hinge m%u]\nbetween = t%u, r%u\n",
          i, i + 0.5, i, i, i, i, i, i, i, i, i + 1, i);
      g_string_append_printf (bodies, ", h%u", i);
    }
  g_string_append_printf (text, "[gravity g]\nacceleration = 9.81\non = %s\n", bodies->str);
  return g_strdup (text->str);
}

/* Returns where the first rod's centre is after so long: all turn as one pendulum, (n + (n + 1)/3) angle'' = g (n + (n + 1)/2) sin
 * angle, by steps of 10 us. */
static double
find_place (guint n, double duration)
{
  const double pull = 9.81 * (n + 0.5 * (n + 1)) / (n + (n + 1) / 3.0), h = 1e-5;
  double angle = 0, rate = 1;

  for (guint step = 0; step < lround (duration / h); step++)
    {
      const double k1 = pull * sin (angle), k2 = pull * sin (angle + 0.5 * h * rate);
      const double k3 = pull * sin (angle + 0.5 * h * rate + 0.25 * h * h * k1);
      const double k4 = pull * sin (angle + h * rate + 0.5 * h * h * k2);

      angle += h * rate + h * h / 6 * (k1 + k2 + k3);
      rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  return 0.5 * sin (angle);
}

static double
find_error (const char *draft, guint n, const char *scheme, double step, double duration)
{
  g_autoptr (EventRun) run =
      event_run (0,
                 "[network]\nformat = 1\nscheme = %s\nstep = %.17g\nduration = %g\n"
                 "record = v0.x\n%s",
                 scheme, step, duration, draft);

  return fabs (event_run_last (run, "v0.x") - find_place (n, duration));
}

/* They go on under every scheme, and errors fall with the step by their order. */
static void
test_passes_singular_positions (void **state)
{
  static const struct
  {
    const char *scheme;
    double duration, most, gain; /* [s]; error at 4 ms [m]; by a quarter of it */
  } cases[] = {
    { "original", 4, 5e-4, 8 }, { "averaged", 4, 5e-4, 8 },
    { "verlet", 4, 1e-4, 8 },   { "rk4", 4, 1e-5, 5 },
    { "euler", 1.5, 0.2, 3 },   { "symplectic-euler", 1.5, 0.2, 3 },
    { "implicit", 4, 1e-4, 8 }, { "esdirk4", 4, 1e-5, 50 },
    { "tr-bdf2", 4, 1e-3, 8 },  { "implicit-euler", 1.5, 0.2, 3 },
  };

  (void) state;
  for (guint n = 1; n <= 2; n++)
    {
      g_autofree char *draft = draft_parallelograms (n);

      for (guint s = 0; s < G_N_ELEMENTS (cases); s++)
        {
          const double first = find_error (draft, n, cases[s].scheme, 4e-3, cases[s].duration);
          const double second = find_error (draft, n, cases[s].scheme, 1e-3, cases[s].duration);

          print_message ("# %u loops, %s: %.2g, %.2g\n", n, cases[s].scheme, first, second);
          assert_true (first < cases[s].most);
          assert_true (second < first / cases[s].gain);
        }
    }
}

static void
test_forty_loops (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "esdirk4" };
  g_autofree char *draft = draft_parallelograms (40);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      const double error = find_error (draft, 40, schemes[s], 2e-3, 1.5);

      print_message ("# 40 loops, %s: %.2g\n", schemes[s], error);
      assert_true (error < 1e-4);
    }
}

/* A step at a singular position is repeated in a manual dialogue, too. */
static void
test_manual_dialogue (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "esdirk4" };
  g_autofree char *draft = draft_parallelograms (1);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = g_strdup_printf ("[network]\nformat = 1\nscheme = %s\nstep = 4 ms\n"
                                               "duration = 2 s\nrecord = v0.x\n%s",
                                               schemes[s], draft);
      g_autoptr (IfbamNetwork) network = text_network (text);

      compare_by_hand (network, 400, schemes[s]);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_passes_singular_positions),
    cmocka_unit_test (test_forty_loops),
    cmocka_unit_test (test_manual_dialogue),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

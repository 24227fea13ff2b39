/* test-characteristic.c: force laws by points: the table itself, and motions against closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "element/element.h"
#include "elements/registry.h"
#include "event-run.h"
#include "file/file.h"

static IfbamElement *
element_with (const double *x, const double *y, gsize n)
{
  GType type;
  IfbamElement *element;

  ifbam_element_info_by_name ("characteristic", &type);
  element = ifbam_element_new (type, "e");
  g_object_set (element, "compression",
                g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, x, n, sizeof (double)), "force",
                g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, y, n, sizeof (double)), NULL);
  return element;
}

/* It goes with the element. */
static const IfbamTable *
table_of (IfbamElement *element)
{
  IfbamTable *table =
      ifbam_element_table_new (element, IFBAM_SLOT_BETWEEN + 1, IFBAM_SLOT_BETWEEN + 2);

  g_object_set_data_full (G_OBJECT (element), "table", table, ifbam_element_table_free);
  return table;
}

/* The straight line through the points that enclose x, or the last two. */
static double
straight (const double *x, const double *y, gsize n, double at)
{
  gsize k = 0;

  while (k + 2 < n && at > x[k + 1])
    k++;
  return y[k] + (at - x[k]) * (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
}

static const double xs[] = { -2, -0.5, 0.25, 1, 4 };

static void
test_values (void **state)
{
  static const double ys[] = { -7, 3, 3, -1, 5 };
  g_autoptr (IfbamElement) element = element_with (xs, ys, G_N_ELEMENTS (xs));
  const IfbamTable *table = table_of (element);

  (void) state;
  for (double x = -5; x < 8; x += 0.01)
    {
      const unsigned long piece = ifbam_table_piece (table, x);
      const double reach = 1e-4;

      assert_true (fabs (ifbam_table_value (table, x) - straight (xs, ys, 5, x)) < 1e-14);
      assert_true (piece == 0 || x >= xs[piece]);
      assert_true (piece == 3 || x < xs[piece + 1]);
      /* A quadratic in each piece. */
      assert_true (fabs ((ifbam_table_area_on_piece (table, piece, x + reach)
                          - ifbam_table_area_on_piece (table, piece, x - reach))
                             / (2 * reach)
                         - ifbam_table_on_piece (table, piece, x))
                   < 1e-9);
    }
  /* The pieces meet, and so do their integrals. */
  for (unsigned long k = 1; k < 4; k++)
    {
      assert_true (fabs (ifbam_table_on_piece (table, k - 1, xs[k]) - ys[k]) < 4e-15);
      assert_true (fabs (ifbam_table_on_piece (table, k, xs[k]) - ys[k]) < 4e-15);
      assert_true (fabs (ifbam_table_area_on_piece (table, k - 1, xs[k])
                         - ifbam_table_area_on_piece (table, k, xs[k]))
                   < 4e-15);
    }
}

/* The integral's zero: its least value; 0 where there is none. */
static void
test_zero_of_energy (void **state)
{
  static const struct
  {
    double y[5], lowest;
  } laws[] = {
    { { -4, -1, 0.5, 2, 8 }, 0.0 },   /* passes zero at 0 */
    { { 1, 4, 5.5, 7, 13 }, -2.5 },   /* beyond the first point */
    { { -13, -7, -5.5, -4, -1 }, 5 }, /* beyond the last */
    { { -3, 0, 0, 0, 6 }, -0.5 },     /* all along a flat piece */
    { { -6, 3, -0.375, -1, 1 }, -1 }, /* two wells, the first one deeper */
    { { 3, 1, -1, -2, -8 }, 0.0 },    /* a hill */
    { { 2, 2, 2, 2, 2 }, 0.0 },       /* a slope */
    { { 0, 0, 0, 0, 0 }, -2 },        /* nothing */
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++)
    {
      g_autoptr (IfbamElement) element = element_with (xs, laws[i].y, G_N_ELEMENTS (xs));
      const IfbamTable *table = table_of (element);
      const gboolean bounded = i != 5 && i != 6;

      if (fabs (ifbam_table_integral (table, laws[i].lowest)) > 1e-15)
        fail_msg ("law %u: %g", i, ifbam_table_integral (table, laws[i].lowest));
      for (double x = -9; x < 9 && bounded; x += 0.01)
        assert_true (ifbam_table_integral (table, x) >= -1e-15);
    }
}

/* Near a zero distant points have no effect. */
static void
test_small_beside_large (void **state)
{
  static const double x[] = { -1000, 1000, 1001 }, y[] = { -1e9, 1e9, 2e9 };
  g_autoptr (IfbamElement) element = element_with (x, y, 3);
  const IfbamTable *table = table_of (element);

  (void) state;
  assert_true (ifbam_table_value (table, 0) == 0);
  assert_true (ifbam_table_integral (table, 0) == 0);
  assert_true (fabs (ifbam_table_integral (table, 1e-9) / (0.5 * 1e6 * 1e-18) - 1) < 1e-15);
}

/* Lists that are no table yet can be compiled up to the message about them. */
static void
test_broken_lists (void **state)
{
  static const double one[] = { 1 };
  g_autoptr (IfbamElement) element = element_with (one, one, 1);

  (void) state;
  assert_int_equal (table_of (element)->n, 2);
  g_object_set (element, "force", NULL, NULL);
  assert_int_equal (table_of (element)->n, 2);
}

/* 100 N/m on one side, 400 N/m on the other, 1 kg: half a period of each, 0.1 pi and 0.05 pi, of the
 * amplitudes 2 mm and 1 mm. */
static double
bilinear (double t)
{
  const double period = 0.15 * G_PI;
  const double s = fmod (t, period);

  return s < 0.1 * G_PI ? 2e-3 * sin (10 * s) : -1e-3 * sin (20 * (s - 0.1 * G_PI));
}

static EventRun *
run_bilinear (const char *scheme, double step)
{
  return event_run (0,
                    "[network]\nscheme = %s\nstep = %g\nsample = 1 ms\nduration = 5 s\n"
                    "record = m1.position, k.mode, network.energy\n[ground wall]\n"
                    "[mass m1]\nmass = 1\nvelocity = 20 mm/s\n"
                    "[characteristic k]\ncompression = -1, 0, 1\nforce = -400, 0, 100\n"
                    "between = m1, wall\n",
                    scheme, step);
}

/* A scheme keeps its order across the kinks, as they are located. */
static void
test_bilinear_oscillator (void **state)
{
  static const struct
  {
    const char *scheme;
    int order;
    double most; /* at 0.5 ms, of 2 mm */
  } cases[] = { { "verlet", 2, 1.5e-4 }, { "averaged", 2, 1.5e-3 }, { "rk4", 4, 3e-9 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double last = 0;

      for (int halvings = 0; halvings < 3; halvings++)
        {
          const double step = 0.5e-3 / (1 << halvings);
          g_autoptr (EventRun) run = run_bilinear (cases[i].scheme, step);
          gsize n;
          const double *times = ifbam_course_get_times (run->course, &n);
          const double *x = event_run_values (run, "m1.position", NULL);
          double worst = 0;

          for (gsize k = 0; k < n; k++)
            worst = fmax (worst, fabs (x[k] - bilinear (times[k])) / 2e-3);
          print_message ("# %s, %g ms: off by %.2g, order %.2f\n", cases[i].scheme, 1e3 * step,
                         worst, log2 (last / worst));
          assert_true (halvings > 0 || worst < cases[i].most);
          assert_true (halvings == 0 || fabs (log2 (last / worst) - cases[i].order) < 0.1);
          last = worst;
        }
    }
}

/* The kinks are events, and each is found where it is. */
static void
test_kinks_are_events (void **state)
{
  g_autoptr (EventRun) run = run_bilinear ("rk4", 0.2e-3);

  (void) state;
  for (guint i = 0; i < 10; i++)
    {
      const IfbamEvent *fall = event_run_event (run, "k", "fall", i);
      const IfbamEvent *rise = event_run_event (run, "k", "rise", i);

      assert_true (fall != NULL && rise != NULL);
      assert_true (fabs (fall->time - (0.15 * i + 0.1) * G_PI) < 1e-11);
      assert_true (fabs (rise->time - 0.15 * (i + 1) * G_PI) < 1e-11);
      assert_true (fabs (fall->rate_before + 20e-3) < 1e-11 && fall->impulse == 0
                   && fall->energy_change == 0);
    }
  assert_int_equal (run->events->len,
                    (guint) (5 / (0.15 * G_PI)) + (guint) (5 / (0.15 * G_PI) + 1.0 / 3));
  assert_true (event_run_first (run, "k.mode") == 1);
}

/* Over the hill of a snap-through spring and back: the energy stays what it was. */
static void
test_snap_through (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = rk4\nstep = 0.1 ms\nsample = 1 ms\nduration = 10 s\n"
         "record = m1.position, network.energy, network.kinetic, k.force\n[ground wall]\n"
         "[mass m1]\nmass = 1\nposition = -36 mm\n"
         "[characteristic k]\ncompression = -20 mm, -10 mm, 10 mm, 20 mm\nforce = 0, 1, -1, 0\n"
         "between = m1, wall\n");
  gsize n;
  const double *x = event_run_values (run, "m1.position", &n);
  const double *energy = event_run_values (run, "network.energy", &n);
  double low = 0, high = 0, off = 0;

  (void) state;
  /* From one well into the other: 0.01 J of hill between them, 1/2 100 N/m (16 mm)^2 at the start. */
  assert_true (fabs (energy[0] - 0.0128) < 1e-15);
  for (gsize i = 0; i < n; i++)
    {
      low = fmin (low, x[i]);
      high = fmax (high, x[i]);
      off = fmax (off, fabs (energy[i] / energy[0] - 1));
    }
  print_message ("# snap-through: energy off by %.2g\n", off);
  assert_true (off < 1e-12);
  assert_true (high > 35e-3 && low < -35e-3);
}

/* A property changed between two runs, and during a dialogue. */
static void
test_changes (void **state)
{
  static const double x[] = { -1, 0, 1 }, soft[] = { -1, 0, 1 }, hard[] = { -5, 0, 5 };
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  IfbamElement *link = ifbam_network_add (network, "characteristic", "k", NULL);
  IfbamElement *wall = ifbam_network_add (network, "ground", "wall", NULL);
  IfbamElement *mass = ifbam_network_add (network, "mass", "m", NULL);
  g_autoptr (GError) error = NULL;

  (void) state;
  g_object_set (ifbam_network_get_settings (network), "step", 1e-3, "duration", 1e-3, "record",
                "k.force", NULL);
  g_object_set (mass, "mass", 1.0, "position", -0.5, NULL);
  ifbam_network_join (network, link, wall, mass);
  g_object_set (link, "compression",
                g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, x, 3, sizeof (double)), NULL);
  for (int round = 0; round < 4; round++)
    {
      const double *forces = round % 2 == 0 ? soft : hard;
      g_autoptr (IfbamCourse) course = NULL;
      gsize n;

      g_object_set (link, "force",
                    g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, forces, 3, sizeof (double)),
                    NULL);
      course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
      assert_non_null (course);
      assert_true (ifbam_course_get_values (course, "k.force", &n, NULL)[0] == 0.5 * forces[2]);
      assert_true (ifbam_network_check (network, &error));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_values),
    cmocka_unit_test (test_zero_of_energy),
    cmocka_unit_test (test_small_beside_large),
    cmocka_unit_test (test_broken_lists),
    cmocka_unit_test (test_bilinear_oscillator),
    cmocka_unit_test (test_kinks_are_events),
    cmocka_unit_test (test_snap_through),
    cmocka_unit_test (test_changes),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

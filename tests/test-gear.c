/* test-gear.c: gears without play: two inertias with a ratio between them, against closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "fixture.h"
#include "linear/linear.h"
#include "run/run.h"
#include "linear/system-matrices.h"

static const double *
values (IfbamCourse *course, const char *signal, gsize *n)
{
  const double *numbers = ifbam_course_get_values (course, signal, n, NULL);

  assert_non_null (numbers);
  return numbers;
}

#define PAIR                                                                                       \
  "[inertia a]\ninertia = %.17g\nspeed = 3\n[inertia b]\ninertia = %.17g\nspeed = 1\nangle = "     \
  "0.01\n"                                                                                         \
  "[gear g]\nratio = %.17g\nstiffness = %.17g\ndamping = %.17g\nbetween = a, b\n"

static const double ratios[] = { 3.5, -3.5, 0.2, 1, -1 };

/* Two free wheels: the twist delta = a - r b oscillates with omega^2 = k (1/A + r^2/B) and is damped by
 * d (1/A + r^2/B)/2; r A speed_a + B speed_b stays, since the ends get -T and r T. */
static void
test_two_wheels (void **state)
{
  const double A = 0.3, B = 1.7, k = 2000;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
    for (int damped = 0; damped < 2; damped++)
      {
        const double r = ratios[i], d = damped ? 2.0 : 0.0;
        const double mobility = 1 / A + r * r / B, decay = 0.5 * d * mobility;
        const double omega = sqrt (k * mobility - decay * decay);
        const double delta0 = -r * 0.01, rate0 = 3 - r, kept = r * A * 3 + B * 1;
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nscheme = rk4\nstep = 0.1 ms\nduration = 0.5 s\n"
            "record = a.speed, b.speed, g.compression, g.rate, g.torque, a.acceleration, "
            "b.acceleration, network.energy, network.dissipated\n" PAIR,
            A, B, r, k, d);
        g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
        gsize n;
        const double *times = ifbam_course_get_times (course, &n);
        const double *twist = values (course, "g.compression", &n);
        const double *rate = values (course, "g.rate", &n);
        const double *torque = values (course, "g.torque", &n);
        const double *a = values (course, "a.speed", &n), *b = values (course, "b.speed", &n);
        const double *a1 = values (course, "a.acceleration", &n);
        const double *b1 = values (course, "b.acceleration", &n);
        const double *energy = values (course, "network.energy", &n);
        const double *dissipated = values (course, "network.dissipated", &n);
        double worst = 0, scale = hypot (delta0, rate0 / omega);

        for (gsize row = 0; row < n; row++)
          {
            const double t = times[row];
            const double wanted =
                exp (-decay * t)
                * (delta0 * cos (omega * t) + (rate0 + decay * delta0) / omega * sin (omega * t));

            worst = fmax (worst, fabs (twist[row] - wanted));
            assert_true (fabs (torque[row] - (k * twist[row] + d * rate[row]))
                         <= 1e-15 * k * scale * 4);
            assert_true (fabs (A * a1[row] + torque[row]) <= 1e-14 * k * scale);
            assert_true (fabs (B * b1[row] - r * torque[row]) <= 1e-14 * fabs (r) * k * scale);
            assert_true (fabs (rate[row] - (a[row] - r * b[row])) <= 1e-15 * (3 + fabs (3 * r)));
            assert_true (fabs (r * A * a[row] + B * b[row] - kept)
                         <= 1e-12 * (fabs (r) * A * 3 + B));
            assert_true (fabs (energy[row] + dissipated[row] - energy[0]) <= 1e-9 * energy[0]);
          }
        print_message ("# ratio %g, damping %g: twist off by %.2g of its amplitude\n", r, d,
                       worst / scale);
        assert_true (worst < 1e-6 * scale);
      }
}

/* The fastest mode. */
static void
test_fastest (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nstep = 0.1 ms\nduration = 1 s\n" PAIR, 0.3, 1.7, ratios[i], 2000.0, 0.0);
      g_autoptr (GError) error = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
      g_autoptr (IfbamStability) stability = NULL;
      const double omega = sqrt (2000 * (1 / 0.3 + ratios[i] * ratios[i] / 1.7));

      assert_non_null (model);
      stability = ifbam_stability_new (model, &spec, TRUE, &error);
      assert_non_null (stability);
      assert_false (stability->fastest_is_bound);
      if (!(fabs (stability->fastest / omega - 1) < 1e-4))
        fail_msg ("ratio %g: %g, not %g", ratios[i], stability->fastest, omega);
      assert_true (stability->bound >= 0.9999 * omega);
    }
}

/* Of the compiled network: K = k (1, -r; -r, r^2). */
static void
test_matrix (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
    {
      const double r = ratios[i], row[2] = { 1, -r };
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nstep = 0.1 ms\nduration = 1 s\n" PAIR, 0.3, 1.7, r, 2000.0, 5.0);
      g_autoptr (GError) error = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);
      g_autoptr (IfbamLinearization) linearization =
          ifbam_linearization_new (model, &spec, NULL, NULL);
      g_autoptr (IfbamSmallMotions) motions = ifbam_small_motions_new (model, &spec, NULL);
      const double *slopes[] = { linearization->stiffness, linearization->damping };

      for (int damping = 0; damping < 2; damping++)
        {
          g_autoptr (IfbamSparse) matrix =
              ifbam_small_motions_matrix (motions, slopes[damping], NULL);
          const double scale = damping ? 5 : 2000, x[2] = { 0.3, -0.8 };
          double y[2] = { 0, 0 }, twist = x[0] - r * x[1];

          assert_int_equal (matrix->n, 2);
          for (int column = 0; column < 2; column++)
            for (gint32 k = matrix->start[column]; k < matrix->start[column + 1]; k++)
              assert_true (fabs (matrix->value[k] - scale * row[column] * row[matrix->row[k]])
                           < 1e-12 * scale * (1 + r * r));
          assert_int_equal (matrix->start[2], 4);
          ifbam_linearization_multiply (linearization, slopes[damping], x, y);
          assert_true (fabs (y[0] - scale * twist) < 1e-12 * scale * 4);
          assert_true (fabs (y[1] + r * scale * twist) < 1e-12 * scale * 16);
          assert_true (fabs (ifbam_linearization_form (linearization, slopes[damping], x, x)
                             - scale * twist * twist)
                       < 1e-12 * scale * 16);
        }
    }
}

/* A wheel geared to a driven one, on either side: what the drive supplies is stored or lost. */
static void
test_driven_wheel (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };
  static const double tolerance[] = { 1e-9, 1e-4, 1e-3 };

  (void) state;
  for (int side = 0; side < 2; side++)
    for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
      {
        g_autoptr (IfbamNetwork) network = text_network_printf (
            "[network]\nscheme = %s\nstep = 0.1 ms\nduration = 1 s\n"
            "record = network.energy, network.dissipated, network.supplied, wheel.speed\n"
            "[drive motor]\nvelocity = 2 rad/s\namplitude = 0.1 rad\nfrequency = 3\n"
            "[inertia wheel]\ninertia = 0.5\n"
            "[gear g]\nratio = -2.5\nstiffness = 900\ndamping = 2\nbetween = %s\n",
            schemes[i], side == 0 ? "motor, wheel" : "wheel, motor");
        g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
        g_autoptr (IfbamCourse) objects = network_course (network, IFBAM_ENGINE_OBJECTS);
        gsize n;
        const double *energy = values (course, "network.energy", &n);
        const double *dissipated = values (course, "network.dissipated", &n);
        const double *supplied = values (course, "network.supplied", &n);
        const double *speed = values (course, "wheel.speed", &n), *other;
        double worst = 0, most = 0, mean = 0;

        for (gsize row = 0; row < n; row++)
          {
            worst = fmax (worst, fabs (energy[row] + dissipated[row] - supplied[row] - energy[0]));
            most = fmax (most, energy[row]);
            mean += speed[row] / (double) n;
          }
        print_message ("# %s, motor on the %s: ledger off by %.2g of the energy\n", schemes[i],
                       side == 0 ? "left" : "right", worst / most);
        assert_true (worst < tolerance[i] * most);
        /* 2 rad/s = -2.5 speed, or speed = -2.5 2 rad/s, in the mean. */
        assert_true (fabs (mean / (side == 0 ? -0.8 : -5) - 1) < 0.1);
        other = values (objects, "wheel.speed", &n);
        for (gsize row = 0; row < n; row++)
          assert_true (speed[row] == other[row]);
      }
}

/* Masters and slaves by hand: each end hears its own. */
static void
test_dialogue (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (
      "[network]\nscheme = averaged\nstep = 1 ms\nduration = 1 s\nrecord = *.speed\n" PAIR, 0.3,
      1.7, -2.0, 500.0, 1.0);
  IfbamElement *a = ifbam_network_get_element (network, "a");
  IfbamElement *b = ifbam_network_get_element (network, "b");
  IfbamElement *g = ifbam_network_get_element (network, "g");
  g_autoptr (IfbamNetwork) other = text_network_printf (
      "[network]\nscheme = averaged\nstep = 1 ms\nduration = 1 s\nrecord = *.speed\n" PAIR, 0.3,
      1.7, -2.0, 500.0, 1.0);

  (void) state;
  assert_true (ifbam_network_reset (network, NULL));
  assert_true (ifbam_network_reset (other, NULL));
  for (int turn = 0; turn < 100; turn++)
    {
      ifbam_element_master_from_left (a, g);
      ifbam_element_master_from_right (b, g);
      ifbam_element_master_from_right (g, a);
      ifbam_element_master_from_left (g, b);
      ifbam_element_slave (a);
      ifbam_element_slave (b);
      ifbam_element_slave (g);
      ifbam_network_turn (other);
    }
  assert_true (
      ifbam_element_get_quantity (a, "speed", NULL)
      == ifbam_element_get_quantity (ifbam_network_get_element (other, "a"), "speed", NULL));
  assert_true (
      ifbam_element_get_quantity (b, "speed", NULL)
      == ifbam_element_get_quantity (ifbam_network_get_element (other, "b"), "speed", NULL));
  assert_true (
      ifbam_element_get_quantity (g, "compression", NULL)
      == ifbam_element_get_quantity (ifbam_network_get_element (other, "g"), "compression", NULL));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_two_wheels), cmocka_unit_test (test_fastest),
    cmocka_unit_test (test_matrix),     cmocka_unit_test (test_driven_wheel),
    cmocka_unit_test (test_dialogue),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

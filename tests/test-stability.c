/* test-stability.c: growth and critical steps against closed forms and against runs; step = auto
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "noise.h"
#include "linear/linear.h"
#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "run/run.h"
#include "engine/engine.h"

/* |number - wanted| <= tolerance * |wanted| */
static void
assert_close (double number, double wanted, double tolerance, const char *what)
{
  if (!(fabs (number - wanted) <= tolerance * fabs (wanted)))
    fail_msg ("%s: %.17g, not %.17g (off by %.3g of it, not %.3g)", what, number, wanted,
              fabs (number / wanted - 1), tolerance);
}

/* A network with its model and its stability. */
typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamSignals *signals;
  IfbamRunSpec *spec;
  IfbamStability *stability;
} Case;

static void
case_clear (Case *c)
{
  g_clear_pointer (&c->stability, ifbam_stability_free);
  g_clear_pointer (&c->model, ifbam_model_free);
  ifbam_run_spec_clear (c->spec);
  g_free (c->spec);
  g_clear_pointer (&c->signals, ifbam_signals_free);
  g_clear_object (&c->network);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* refused: takes the error; NULL: the test fails. */
static Case
try_case (const char *path, const char *const *settings, GError **refused)
{
  g_autoptr (GError) error = NULL;
  Case c = { .network = ifbam_network_new_from_file (path, settings, &error),
             .spec = g_new0 (IfbamRunSpec, 1) };

  if (c.network != NULL)
    c.model = ifbam_network_compile_or_error (c.network, TRUE, c.spec, &c.signals, &error);
  if (c.model != NULL)
    c.stability = ifbam_stability_new (c.model, c.spec, FALSE, &error);
  if (c.stability == NULL && refused == NULL)
    fail_msg ("%s: %s", path, error->message);
  if (c.stability == NULL)
    g_propagate_error (refused, g_steal_pointer (&error));
  return c;
}

static Case
load_case (const char *path, const char *const *settings)
{
  return try_case (path, settings, NULL);
}

/* A network from its text but for [network], which has a step and a duration of 1 s then. */
static Case
make_case (const char *text)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autofree char *whole =
      strstr (text, "[network]") != NULL
          ? g_strdup (text)
          : g_strdup_printf ("[network]\nstep = 1 ms\nduration = 1 s\n%s", text);

  assert_true (g_file_set_contents (path, whole, -1, NULL));
  return load_case (path, NULL);
}

static const IfbamScheme *
scheme_of (const char *name)
{
  const IfbamScheme *scheme = ifbam_scheme_by_name (name);

  assert_non_null (scheme);
  return scheme;
}

/* Masses of 1 kg between two walls, springs of 10 kN/m; more: keys of the chain. */
static char *
chain_text (guint count, const char *more)
{
  return g_strdup_printf ("[ground w]\n[ground e]\n[chain c]\ncount = %u\nmass = 1 kg\n"
                          "stiffness = 10 kN/m\nfrom = w\nto = e\n%s",
                          count, more);
}

/* Its eigenfrequencies, j = 1 to count (Rayleigh 1877, Theory of Sound I, 120). */
static double
chain_frequency (guint count, guint j)
{
  return 2 * 100 * sin (j * G_PI / (2 * (count + 1.0)));
}

/* Polynomials of design and textbooks, written down a second time */

/* ln |z| of the root near exp (ih) of (z-1)^2 (z+1) + h^2 (a z - b) = 0, in wide numbers. */
static double
root_growth (long double h, long double a, long double b)
{
  complex long double z = cexpl (I * h);

  for (int i = 0; i < 60; i++)
    {
      complex long double value = (z - 1) * (z - 1) * (z + 1) + h * h * (a * z - b);
      complex long double slope = 2 * (z - 1) * (z + 1) + (z - 1) * (z - 1) + h * h * a;

      z -= value / slope;
    }
  return (double) logl (cabsl (z));
}

static void
test_growth_against_polynomials (void **state)
{
  static const double steps[] = { 30e-6, 50e-6, 0.1e-3, 0.5e-3, 1e-3, 2e-3, 5e-3 };
  g_auto (Case) c = make_case ("[ground g]\n[mass m]\nmass = 1 kg\n"
                               "[spring k]\nstiffness = 10 kN/m\nbetween = g, m\n");

  (void) state;
  assert_int_equal (c.stability->method, IFBAM_STABILITY_POLYNOMIAL);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const double step = steps[i], h = 100 * step;
      const double original =
          ifbam_stability_growth (c.stability, scheme_of ("original"), step).rate;
      const double averaged =
          ifbam_stability_growth (c.stability, scheme_of ("averaged"), step).rate;
      const double euler = ifbam_stability_growth (c.stability, scheme_of ("euler"), step).rate;
      const double rk4 = ifbam_stability_growth (c.stability, scheme_of ("rk4"), step).rate;

      print_message ("# h = %g: original %.9g, averaged %.9g, euler %.9g, rk4 %.9g per second\n", h,
                     original, averaged, euler, rk4);
      assert_close (original, root_growth (h, 2, 0) / step, 1e-6, "original");
      assert_close (averaged, root_growth (h, 3, 1) / step, 1e-6, "averaged");
      assert_close (euler, 0.5 * log1p (h * h) / step, 1e-9, "euler");
      assert_close (rk4, 0.5 * log1p (-pow (h, 6) / 72 + pow (h, 8) / 576) / step,
                    1e-6 + 1e-20 / pow (h, 6), "rk4");
      assert_true (ifbam_stability_growth (c.stability, scheme_of ("verlet"), step).rate == 0);
      assert_true (ifbam_stability_growth (c.stability, scheme_of ("symplectic-euler"), step).rate
                   == 0);
    }
  /* The figures of the design: 2.5063 and 0.012658 per second at h = 0.1. */
  assert_close (root_growth (0.1L, 2, 0) / 1e-3, 2.5063, 1e-4, "original at h = 0.1");
  assert_close (root_growth (0.1L, 3, 1) / 1e-3, 0.012658, 1e-4, "averaged at h = 0.1");
}

/* Every scheme's multipliers of the compiled network's own step are the roots of its polynomial. */
/* A damper that nothing springs back: no scheme grows at short steps, however short. */
static void
test_decays_at_short_steps (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint i = 0; i < n; i++)
    for (double d = 1e-18; d < 0.2; d *= 3)
      {
        const double growth = ifbam_scheme_growth_damped (schemes[i], 0, d, NULL);

        if (growth != 0)
          fail_msg ("%s grows by %g at d = %g", schemes[i]->name, growth, d);
      }
}

static void
test_map_has_the_polynomials_roots (void **state)
{
  g_autofree char *text = chain_text (5, "");
  g_auto (Case) c = make_case (text);
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  const double step = 3e-3;

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      gsize n;
      g_autofree double complex *z =
          ifbam_stability_multipliers (c.stability, schemes[s], step, &n);

      assert_non_null (z);
      for (guint j = 1; j <= 5; j++)
        {
          const double omega = chain_frequency (5, j);
          double growth;
          const double angle = ifbam_scheme_mode (schemes[s], omega * step, &growth);
          const double complex wanted = cexp (growth + I * angle);
          double nearest = INFINITY;

          for (gsize i = 0; i < n; i++)
            nearest = fmin (nearest, cabs (z[i] - wanted));
          if (!(nearest < 1e-11))
            fail_msg ("%s: mode %u's multiplier is off by %g", schemes[s]->name, j, nearest);
        }
    }
}

static void
test_critical_steps (void **state)
{
  static const guint counts[] = { 1, 2, 12, 90, 500, 1000 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *text = chain_text (counts[i], "");
      g_auto (Case) c = make_case (text);
      const double fastest = chain_frequency (counts[i], counts[i]);

      assert_false (c.stability->fastest_is_bound);
      assert_close (c.stability->fastest, fastest, 1e-9, "the fastest mode");
      assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("verlet")), 2 / fastest,
                    1e-6, "verlet");
      assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("symplectic-euler")),
                    2 / fastest, 1e-6, "symplectic-euler");
      assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("rk4")),
                    sqrt (8) / fastest, 1e-6, "rk4");
      assert_true (ifbam_stability_critical_step (c.stability, scheme_of ("original")) == 0);
      assert_true (ifbam_stability_critical_step (c.stability, scheme_of ("averaged")) == 0);
      assert_true (ifbam_stability_critical_step (c.stability, scheme_of ("euler")) == 0);
    }
}

/* Damped */

/* x'' + 2 decay x' + omega^2 x = 0 under the schemes: with d = 2 decay tau, h = omega tau */
static double complex
damped_residual (const char *scheme, double complex z, double h, double d)
{
  const double complex w = z - 1;

  if (g_str_equal (scheme, "euler"))
    return w * w + d * w + h * h;
  if (g_str_equal (scheme, "symplectic-euler"))
    return w * w + d * w + h * h * z;
  if (g_str_equal (scheme, "verlet")) /* the damper hears v + tau a */
    return z * w * w + h * h * z * z + 0.5 * d * w * (3 * z - 1);
  if (g_str_equal (scheme, "original")) /* half-step rates, a cycle late */
    return w * w * (z + 1) + 2 * h * h * z + 2 * d * w;
  if (g_str_equal (scheme, "averaged")) /* rates at 2 v[i] - v[i-1] */
    return w * w * (z + 1) * z + h * h * z * (3 * z - 1) + 2 * d * w * (2 * z - 1);
  return NAN;
}

static void
test_damped_multipliers (void **state)
{
  static const char *const names[] = { "euler", "symplectic-euler", "verlet", "original",
                                       "averaged" };
  g_auto (Case) c = make_case ("[ground g]\n[mass m]\nmass = 2 kg\n"
                               "[spring k]\nstiffness = 5 kN/m\nbetween = g, m\n"
                               "[damper d]\ndamping = 30 N s/m\nbetween = g, m\n");
  const double complex lambda = -7.5 + I * sqrt (2500 - 7.5 * 7.5);
  const double step = 4e-3, h = 50 * step, d = 15 * step;

  (void) state;
  assert_int_equal (c.stability->method, IFBAM_STABILITY_MAP);
  assert_int_equal (c.stability->n_modes, 1);
  assert_true (cabs (c.stability->mode[0] - lambda) < 1e-10 * cabs (lambda));
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      gsize n, roots = 0;
      g_autofree double complex *z =
          ifbam_stability_multipliers (c.stability, scheme_of (names[s]), step, &n);
      double worst = -INFINITY;

      for (gsize i = 0; i < n; i++)
        if (cabs (z[i]) > 1e-6) /* the others are zeros of the state that nothing is left of */
          {
            const double off = cabs (damped_residual (names[s], z[i], h, d));

            if (!(off < 1e-12))
              fail_msg ("%s: %g%+gi is no root, off by %g", names[s], creal (z[i]), cimag (z[i]),
                        off);
            worst = fmax (worst, log (cabs (z[i])));
            roots++;
          }
      assert_true (roots >= 2);
      assert_close (ifbam_stability_growth (c.stability, scheme_of (names[s]), step).rate,
                    worst / step, 1e-12, names[s]);
    }
  {
    const double complex x = lambda * step,
                         z = 1 + x + x * x / 2 + x * x * x / 6 + x * x * x * x / 24;

    assert_close (ifbam_stability_growth (c.stability, scheme_of ("rk4"), step).rate,
                  log (cabs (z)) / step, 1e-10, "rk4");
  }
  /* |1 + lambda tau| = 1; z = -1 in the polynomials of the others. */
  assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("euler")), 15.0 / 2500, 1e-8,
                "euler");
  assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("symplectic-euler")),
                (-30 + sqrt (900 + 4 * 4 * 2500)) / (2 * 2500), 1e-8, "symplectic-euler");
  assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("verlet")),
                (-60 + sqrt (3600 + 4 * 4 * 2500)) / (2 * 2500), 1e-8, "verlet");
}

/* Springs, dampers and a gear with a free body among them, in no proportion. */
static void
test_matrix_has_the_maps_multipliers (void **state)
{
  g_auto (Case) c =
      make_case ("[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n"
                 "[mass a]\nmass = 2 kg\n[mass b]\nmass = 0.5 kg\n[mass c]\nmass = 1 kg\n"
                 "[mass d]\nmass = 3 kg\n[mass e]\nmass = 1 kg\n"
                 "[spring k1]\nstiffness = 5 kN/m\nbetween = g, a\n"
                 "[spring k2]\nstiffness = 2 kN/m\nbetween = a, b\n"
                 "[damper d1]\ndamping = 30 N s/m\nbetween = b, c\n"
                 "[damper d2]\ndamping = 70 N s/m\nbetween = g, c\n"
                 "[spring k3]\nstiffness = 9 kN/m\nbetween = c, a\n"
                 "[spring k4]\nstiffness = 1 kN/m\nbetween = d, e\n"
                 "[damper d3]\ndamping = 11 N s/m\nbetween = d, e\n");
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  assert_int_equal (c.stability->bodies->n, 1);
  for (guint s = 0; s < n_schemes; s++)
    {
      g_autoptr (IfbamStepMap) map =
          ifbam_step_map_new (c.stability->linearization, c.stability->bodies, schemes[s], 4e-3);
      gsize n, n_map;
      g_autofree double complex *z =
          ifbam_stability_multipliers (c.stability, schemes[s], 4e-3, &n);
      g_autofree double complex *wanted = ifbam_step_map_multipliers (map, &n_map);
      guint seen = 0;

      for (gsize j = 0; j < n_map; j++)
        {
          double nearest = INFINITY;

          if (cabs (wanted[j]) < 1e-3) /* no growth remains */
            continue;
          for (gsize i = 0; i < n; i++)
            nearest = fmin (nearest, cabs (z[i] - wanted[j]));
          if (!(nearest < 1e-10))
            fail_msg ("%s: %g%+gi is missing, by %g", schemes[s]->name, creal (wanted[j]),
                      cimag (wanted[j]), nearest);
          seen++;
        }
      assert_true (seen >= 8);
    }
}

/* Masses in a row between ground and ground, each pair joined by a spring and perhaps a damper, and some links
 * across: random, and in no proportion. idle: with elements that do nothing for as long as it runs. */
static char *
random_text (guint n, gboolean idle)
{
  GString *text = g_string_new ("[ground g]\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "[mass m%u]\nmass = %.17g\nposition = %.17g\nvelocity = %.17g\n",
                            i, between (0.3, 3), between (-1e-3, 1e-3), between (-0.1, 0.1));
  for (guint i = 0; i < n + n / 2; i++)
    {
      const guint left = i % n, right = i < n ? i + 1 : (guint) between (0, n - 0.001);
      g_autofree char *name =
          right >= n || left == right ? g_strdup ("g") : g_strdup_printf ("m%u", right);

      g_string_append_printf (text, "[spring k%u]\nstiffness = %.17g\nbetween = m%u, %s\n", i,
                              pow (10, between (2.5, 4.5)), left, name);
      if (i == 0 || between (0, 1) < 0.6)
        g_string_append_printf (text, "[damper d%u]\ndamping = %.17g\nbetween = m%u, %s\n", i,
                                pow (10, between (0, 1.8)), left, name);
    }
  if (idle)
    g_string_append (text, "[impact far]\nrestitution = 0.5\ngap = 100 m\nbetween = m0, g\n"
                           "[contact farther]\nstiffness = 10\ngap = 100 m\nbetween = m0, g\n"
                           "[impulse late]\non = m0\nat = 1000 s\nimpulse = 1\n"
                           "[monitor high]\nsignal = m0.position\nlevel = 100\n");
  return g_string_free (text, FALSE);
}

/* Up to a step, and no longer, all eigenvalues grow by no more. */
static void
expect_step (const Case *c, const IfbamScheme *scheme, double rate, double step, const char *text)
{
  for (int sign = -1; sign <= 1 && step > 0 && isfinite (step); sign += 2)
    {
      const double near = step * (1 + sign * 1e-4);
      const double growth = ifbam_stability_growth (c->stability, scheme, near).rate;

      if ((growth > rate + 1e-12 / near) != (sign > 0))
        fail_msg ("%s: grows at %.12g per second with %.12g s, next to %.12g s, not at %.12g\n%s",
                  scheme->name, growth, near, step, rate, text);
    }
  assert_true (step == 0 || isfinite (step) == (scheme->implicit == NULL));
}

/* The steps that are found by following single factors are those that all eigenvalues say, those too that are
 * found by eigenvalues of a later step. */
static void
test_steps_of_random_networks (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  noise_set_up (2);
  for (guint trial = 0; trial < 40; trial++)
    {
      g_autofree char *text = random_text (1 + trial % 12, FALSE);
      g_auto (Case) c = make_case (text);
      const double rate = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.01 : 1;

      assert_int_equal (c.stability->method, IFBAM_STABILITY_MAP);
      for (guint s = 0; s < n_schemes; s++)
        {
          const double step = ifbam_stability_longest_step (c.stability, schemes[s], rate);
          const double critical = ifbam_stability_critical_step (c.stability, schemes[s]);

          expect_step (&c, schemes[s], rate, step, text);
          expect_step (&c, schemes[s], 0, critical, text);
        }
    }
  noise_tear_down (NULL);
}

/* The same for shipped networks: with free bodies, coordinates that only dampers hold, amplifiers. */
static void
test_steps_of_shipped_networks (void **state)
{
  static const char *const names[] = { "frame", "ladder", "shearer-drive", "starter", "torsion" };
  guint n_schemes, found = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strdup_printf ("networks/%s.ini", names[i]);
      g_auto (Case) c = load_case (path, NULL);
      const double rate = 1 + c.stability->own_growth;

      for (guint s = 0; s < n_schemes; s++)
        {
          const double step = ifbam_stability_longest_step (c.stability, schemes[s], rate);
          const double critical = ifbam_stability_critical_step (c.stability, schemes[s]);

          if (schemes[s]->implicit != NULL)
            continue;
          print_message ("# %s, %s: %g s, %g s\n", names[i], schemes[s]->name, critical, step);
          expect_step (&c, schemes[s], rate, step, path);
          expect_step (&c, schemes[s], 0, critical, path);
          found += critical > 0;
        }
    }
  assert_true (found == 35);
}

/* Whatever runs, its course is a sum of powers of the factors per step: prod (Z - z) x = 0 for the shift Z to the
 * next row. Of all schemes, with dampers, and with elements that are there and do nothing. */
static void
test_runs_have_the_multipliers (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  noise_set_up (11);
  for (guint trial = 0; trial < 24; trial++)
    {
      const guint n = 1 + trial % 3;
      g_autofree char *own = random_text (n, trial % 2 == 1);

      for (guint s = 0; s < n_schemes; s++)
        {
          const double step = pow (10, between (-3.3, -2.8));
          g_autofree char *text =
              g_strdup_printf ("[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\n%s",
                               schemes[s]->name, step, 60 * step, own);
          g_auto (Case) c = make_case (text);
          g_autoptr (IfbamCourse) course = network_course (c.network, IFBAM_ENGINE_PLAN);
          gsize n_roots, n_rows;
          g_autofree double complex *z =
              ifbam_stability_multipliers (c.stability, schemes[s], step, &n_roots);
          g_autofree double complex *p = g_new0 (double complex, n_roots + 1);

          p[0] = 1;
          for (gsize k = 0; k < n_roots; k++)
            for (gsize j = k + 2; j-- > 0;)
              p[j] = (j > 0 ? p[j - 1] : 0) - (j <= k ? z[k] * p[j] : 0);
          for (guint i = 0; i < n; i++)
            {
              g_autofree char *signal = g_strdup_printf ("m%u.position", i);
              const double *x = ifbam_course_get_values (course, signal, &n_rows, NULL);

              assert_int_equal (n_rows, 61);
              for (gsize row = 8; row + n_roots < n_rows; row++)
                {
                  double complex sum = 0;
                  double size = 0;

                  for (gsize j = 0; j <= n_roots; j++)
                    {
                      sum += p[j] * x[row + j];
                      size += cabs (p[j]) * fabs (x[row + j]);
                    }
                  if (!(cabs (sum) <= 1e-10 * size))
                    fail_msg ("%s, row %zu: off by %g of %g\n%s", schemes[s]->name, row, cabs (sum),
                              size, text);
                }
            }
        }
    }
  noise_tear_down (NULL);
}

/* If some mode is undamped, a scheme that grows at every step still grows. */
static void
test_partly_damped (void **state)
{
  g_auto (Case) c = make_case ("[ground g]\n[mass a]\nmass = 1 kg\n[mass b]\nmass = 1 kg\n"
                               "[spring k1]\nstiffness = 10 kN/m\nbetween = g, a\n"
                               "[spring k2]\nstiffness = 10 kN/m\nbetween = a, b\n"
                               "[spring k3]\nstiffness = 10 kN/m\nbetween = b, g\n"
                               "[damper d]\ndamping = 20 N s/m\nbetween = a, b\n");
  const double h = 100e-3;

  (void) state;
  assert_int_equal (c.stability->method, IFBAM_STABILITY_MAP);
  assert_true (ifbam_stability_critical_step (c.stability, scheme_of ("averaged")) == 0);
  assert_true (ifbam_stability_critical_step (c.stability, scheme_of ("euler")) == 0);
  assert_true (ifbam_stability_critical_step (c.stability, scheme_of ("verlet")) > 0.005);
  assert_close (ifbam_stability_growth (c.stability, scheme_of ("averaged"), 1e-3).rate,
                root_growth (h, 3, 1) / 1e-3, 1e-6, "the undamped mode");
}

/* Dampers in proportion to springs leave the modes by themselves: d_j = beta omega_j^2. The state is too
 * large for a dense matrix. */
static void
test_large_damped (void **state)
{
  const guint count = 150;
  const double beta = 2e-4, step = 1e-3; /* 2 N s/m */
  g_autofree char *text = chain_text (count, "damping = 2 N s/m\n");
  g_auto (Case) c = make_case (text);
  const double fastest = chain_frequency (count, count), b = beta * fastest * fastest;
  double worst = -INFINITY;
  IfbamGrowth growth;

  (void) state;
  if (by_effort (TRUE, FALSE, FALSE))
    return;
  assert_int_equal (c.stability->method, IFBAM_STABILITY_ARNOLDI);
  for (guint j = 1; j <= count; j++)
    {
      const double omega = chain_frequency (count, j), decay = 0.5 * beta * omega * omega;
      const double complex lambda = -decay + I * csqrt (omega * omega - decay * decay);

      worst = fmax (worst, log (cabs (1 + lambda * step)) / step);
    }
  growth = ifbam_stability_growth (c.stability, scheme_of ("euler"), step);
  assert_int_equal (growth.certainty, IFBAM_CERTAIN);
  assert_close (growth.rate, worst, 1e-5, "euler, worst mode");
  /* |1 + lambda tau| = 1 for all modes at once: nothing is harder to tell. */
  assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("euler")), beta, 1e-2,
                "euler, critical step");
  /* z = -1 of the fastest mode: h^2 + 4 d - 4 = 0 with d = beta omega^2 tau */
  assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("verlet")),
                (-4 * b + sqrt (16 * b * b + 16 * fastest * fastest)) / (2 * fastest * fastest),
                2e-3, "verlet, critical step");
  /* Stable: slow modes hardly decay, and stand close together. */
  growth = ifbam_stability_growth (c.stability, scheme_of ("rk4"), step);
  assert_true (growth.rate < 0);
}

/* An exponential diode at 12 V: under these schemes a step from the start has no solution. The table says so, and nothing else. */
static void
test_a_step_without_solution_is_told (void **state)
{
  static const char *const schemes[] = { "implicit", "implicit-euler" };
  g_auto (Case) c = make_case (
      "[network]\nstep = 10 us\nduration = 1 ms\n[voltage-source v]\nvoltage = 12 V\n"
      "[shockley-diode d1]\nsaturation-current = 1e-9 A\nemission = 1.8\nbetween = v, out\n"
      "[capacitor out]\ncapacitance = 470 uF\n");

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    {
      const IfbamStepAssessment assessment =
          ifbam_step_assess (c.stability, scheme_of (schemes[i]), 10e-6, 1e-3, TRUE);

      assert_int_equal (assessment.growth.certainty, IFBAM_UNSOLVED);
      assert_true (isnan (assessment.growth.rate) && isnan (assessment.critical_step)
                   && isnan (assessment.longest_step));
      assert_false (assessment.is_visible);
    }
}

/* Runs */

typedef struct
{
  GArray *rows; /* doubles: time, x */
} Record;

static gboolean
keep_row (gpointer data, double time, const double *values, GError **error)
{
  Record *record = data;
  const double row[2] = { time, values[0] };

  (void) error;
  g_array_append_vals (record->rows, row, 2);
  return TRUE;
}

/* Growth of the amplitude about `rest` that a run with a scheme at a step shows: between the largest
 * deviations in two windows of its second half, by parabolas through them. */
static double
measured_growth (const char *text, const char *scheme, double step, double duration, double rest)
{
  g_autofree char *whole = g_strdup_printf ("[network]\nscheme = %s\nstep = %.17g\n"
                                            "duration = %.17g\nrecord = m.position\n%s",
                                            scheme, step, duration, text);
  g_auto (Case) c = make_case (whole);
  Record record = { g_array_new (FALSE, FALSE, sizeof (double)) };
  IfbamRunTask run = { .row = keep_row, .data = &record, .allow_divergence = TRUE };
  g_autoptr (GError) error = NULL;
  double time[2] = { 0 }, height[2] = { 0 };
  const double *row;
  gsize n;

  if (!ifbam_run (&run, c.model, c.signals, c.spec, &error))
    fail_msg ("%s", error->message);
  n = record.rows->len / 2;
  row = (const double *) (gpointer) record.rows->data;
  /* The first and the last maximum of the second half. */
  for (gsize i = n / 2; i + 1 < n; i++)
    {
      const double before = row[2 * i - 1] - rest, here = row[2 * i + 1] - rest,
                   after = row[2 * i + 3] - rest;
      const double slope = 0.5 * (after - before), curvature = after + before - 2 * here;
      const guint which = height[0] == 0 ? 0 : 1;

      if (!(here > 0 && here > before && here >= after))
        continue;
      time[which] = row[2 * i] - slope / curvature * step;
      height[which] = here - 0.5 * slope * slope / curvature;
    }
  g_array_unref (record.rows);
  assert_true (height[0] > 0 && height[1] > 0 && time[1] > time[0]);
  return log (height[1] / height[0]) / (time[1] - time[0]);
}

/* Two masses whose dampers couple the modes, under every scheme, at steps that let them grow, and at
 * such that do not. */
static void
test_damped_runs (void **state)
{
  static const char text[] = "[ground g]\n[mass m]\nmass = 1 kg\nposition = 1 mm\n"
                             "[mass b]\nmass = 0.5 kg\nposition = -1 mm\n"
                             "[spring k1]\nstiffness = 10 kN/m\nbetween = g, m\n"
                             "[spring k2]\nstiffness = 20 kN/m\nbetween = m, b\n"
                             "[damper d]\ndamping = 4 N s/m\nbetween = g, m\n";
  static const struct
  {
    const char *scheme;
    double step, duration;
  } cases[] = {
    { "original", 0.1e-3, 30 },       { "original", 1e-3, 1 },  { "averaged", 0.5e-3, 30 },
    { "averaged", 3e-3, 1 },          { "euler", 0.05e-3, 30 }, { "euler", 0.5e-3, 1 },
    { "symplectic-euler", 2e-3, 30 }, { "verlet", 1e-3, 30 },   { "rk4", 2e-3, 30 },
  };
  g_auto (Case) c = make_case (text);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double predicted =
          ifbam_stability_growth (c.stability, scheme_of (cases[i].scheme), cases[i].step).rate;
      const double measured =
          measured_growth (text, cases[i].scheme, cases[i].step, cases[i].duration, 0);

      print_message ("# %s at %g s: %.6g per second predicted, %.6g measured\n", cases[i].scheme,
                     cases[i].step, predicted, measured);
      assert_close (measured, predicted, 1e-3, cases[i].scheme);
    }
}

/* On a hardening spring that a force holds at 20 mm, F = k x + c x^3, the slope is k + 3 c x^2: 6100 N/m
 * where it is 100 N/m at 0. */
static void
test_nonlinear_runs (void **state)
{
  static const char text[] = "[ground g]\n[mass m]\nmass = 0.5 kg\nposition = 20.0001 mm\n"
                             "[spring k]\nstiffness = 100 N/m\ncubic = 5 MN/m3\nbetween = m, g\n"
                             "[damper d]\ndamping = 0.4 N s/m\nbetween = m, g\n"
                             "[force f]\non = m\nvalue = 42 N\n";
  static const struct
  {
    const char *scheme;
    double step, duration;
  } cases[] = {
    { "original", 1e-3, 2 }, { "averaged", 1e-3, 4 }, { "averaged", 4e-3, 1 },
    { "euler", 0.5e-3, 2 },  { "verlet", 2e-3, 4 },   { "rk4", 5e-3, 4 },
  };
  g_auto (Case) c = make_case (text);

  (void) state;
  assert_int_equal (c.stability->linearization->n_nonlinear, 1);
  assert_close (c.stability->fastest, sqrt (6100 / 0.5), 1e-4, "the fastest mode");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double predicted =
          ifbam_stability_growth (c.stability, scheme_of (cases[i].scheme), cases[i].step).rate;
      const double measured =
          measured_growth (text, cases[i].scheme, cases[i].step, cases[i].duration, 0.02);

      print_message ("# %s at %g s: %.6g per second predicted, %.6g measured\n", cases[i].scheme,
                     cases[i].step, predicted, measured);
      assert_close (measured, predicted, 1e-3, cases[i].scheme);
    }
}

/* A diode at rest is a large resistor at any step: the difference that linearizes it is proportional to the step, and below
 * the thermal voltage. */
static void
test_diode_at_rest (void **state)
{
  const double conductance = 1e-8 / (1.8 * 0.025865) + 1e-3 * exp (-5.1 / (1.8 * 0.025865));
  g_auto (Case) c = load_case ("networks/clipper.ini", NULL);
  const double rate = -(1 / 1e4 + conductance) / 100e-9;

  (void) state;
  for (double step = 1e-6; step < 2e-5; step *= 2)
    assert_close (ifbam_stability_growth (c.stability, scheme_of ("rk4"), step).rate, rate, 1e-5,
                  "clipper"); /* within the step its source rises */
}

/* The run diverges beyond the critical step, and does not below it. */
static void
test_critical_steps_of_runs (void **state)
{
  static const char text[] = "[ground g]\n[mass m]\nmass = 1 kg\nposition = 1 mm\n"
                             "[mass b]\nmass = 0.5 kg\n"
                             "[spring k1]\nstiffness = 10 kN/m\nbetween = g, m\n"
                             "[spring k2]\nstiffness = 20 kN/m\nbetween = m, b\n"
                             "[damper d]\ndamping = 4 N s/m\nbetween = m, b\n";
  g_auto (Case) c = make_case (text);
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      const double critical = ifbam_stability_critical_step (c.stability, schemes[s]);
      double duration, below, above;

      if (schemes[s]->implicit != NULL)
        {
          assert_true (isinf (critical));
          assert_true (measured_growth (text, schemes[s]->name, 2e-3, 1, 0) < 0);
          continue;
        }
      /* A scheme that grows at every step of an undamped network grows slowly here. */
      duration = ifbam_scheme_limit (schemes[s]) == 0 ? 100 : 1000 * critical;
      below = measured_growth (text, schemes[s]->name, 0.995 * critical, duration, 0);
      above = measured_growth (text, schemes[s]->name, 1.005 * critical, duration, 0);
      print_message ("# %s: %.6g s; growth %.3g below, %.3g above\n", schemes[s]->name, critical,
                     below, above);
      assert_true (critical > 0 && below < 0 && above > 0);
    }
}

/* Bodies */

static void
test_free_bodies (void **state)
{
  static const char undamped[] = "[mass a]\nmass = 1 kg\nvelocity = 1 m/s\n[mass b]\nmass = 2 kg\n"
                                 "[spring k]\nstiffness = 10 kN/m\nbetween = a, b\n"
                                 "[mass c]\nmass = 1 kg\n";
  g_autofree char *damped =
      g_strconcat (undamped, "[damper d]\ndamping = 3 N s/m\nbetween = a, b\n", NULL);
  g_autofree char *dragged =
      g_strconcat (damped, "[ground g]\n[damper air]\ndamping = 1 N s/m\nbetween = g, c\n", NULL);
  const double omega = sqrt (10e3 * 1.5), decay = 0.5 * 3 * 1.5;
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  {
    g_auto (Case) c = make_case (undamped);

    assert_int_equal (c.stability->bodies->n, 2);
    assert_int_equal (c.stability->n_modes, 1);
    assert_close (c.stability->fastest, omega, 1e-10, "two masses");
    assert_true (ifbam_stability_growth (c.stability, scheme_of ("verlet"), 1e-3).rate == 0);
    /* not 0 of the drift: the elastic mode's decay */
    assert_close (ifbam_stability_growth (c.stability, scheme_of ("rk4"), 1e-3).rate,
                  0.5 * log1p (-pow (omega * 1e-3, 6) / 72 + pow (omega * 1e-3, 8) / 576) / 1e-3,
                  1e-6, "rk4");
  }
  {
    g_auto (Case) c = make_case (damped);

    assert_int_equal (c.stability->bodies->n, 2);
    assert_int_equal (c.stability->n_neutral, 0);
    for (guint s = 0; s < n; s++)
      {
        const double rate = ifbam_stability_growth (c.stability, schemes[s], 10e-6).rate;

        if (!(fabs (rate + decay) < 0.1 * decay))
          fail_msg ("%s: growth %g, not about %g", schemes[s]->name, rate, -decay);
      }
  }
  {
    g_auto (Case) c = make_case (dragged);

    assert_int_equal (c.stability->bodies->n, 1);
    assert_int_equal (c.stability->n_neutral, 1);
    /* air drag decays by 1/s; a drift to a rest position is no growth */
    for (guint s = 0; s < n; s++)
      assert_close (ifbam_stability_growth (c.stability, schemes[s], 10e-6).rate, -1, 1e-2,
                    schemes[s]->name);
  }
}

/* Beside cross-springs, with unsymmetric stiffness: a mass's only spring cancels the force on the second one;
 * another mass is free, and a third one has a damper only. */
static void
test_free_bodies_beside_what_follows (void **state)
{
  g_auto (Case) c = make_case ("[ground g]\n[mass m]\nmass = 1\n[mass n]\nmass = 2\n"
                               "[cross-spring x]\nstiffness = 3\nbetween = m, g\ninput = n, g\n"
                               "[spring k]\nstiffness = 3\nbetween = m, n\n[mass q]\nmass = 2\n"
                               "[damper d]\ndamping = 4\nbetween = q, g\n[mass r]\nmass = 3\n");

  (void) state;
  assert_int_equal (c.stability->n_bodies, 1);
  assert_int_equal (c.stability->n_neutral, 1);
  assert_close (c.stability->fastest, sqrt (3), 1e-9, "m");
  /* Modes of m and n decay by the scheme's (omega h)^6 / 144 per step. */
  assert_true (fabs (ifbam_stability_growth (c.stability, scheme_of ("rk4"), 1e-3).rate) < 1e-9);
}

/* Teeth of stiffness k with the ratio r between two inertias: omega^2 = k (1/J + r^2/I), and one body that
 * turns with the ratio. */
static void
test_gears (void **state)
{
  static const char *const names[] = { "euler", "symplectic-euler", "verlet", "original",
                                       "averaged" };
  static const char text[] = "[inertia a]\ninertia = 0.1 kg m2\nspeed = 10 rad/s\n"
                             "[inertia b]\ninertia = 2 kg m2\n"
                             "[gear g]\nratio = -3\nstiffness = 4 kN m/rad\nbetween = a, b\n";
  g_autofree char *damped = g_strconcat (text, "damping = 20 N m s/rad\n", NULL);
  const double sum = 1 / 0.1 + 9 / 2.0, omega = sqrt (4000 * sum), step = 1e-3;

  (void) state;
  {
    g_auto (Case) c = make_case (text);

    assert_int_equal (c.stability->bodies->n, 1);
    assert_close (c.stability->fastest, omega, 1e-10, "the teeth");
    assert_close (ifbam_stability_critical_step (c.stability, scheme_of ("verlet")), 2 / omega,
                  1e-6, "verlet");
  }
  {
    g_auto (Case) c = make_case (damped);

    assert_int_equal (c.stability->bodies->n, 1);
    assert_int_equal (c.stability->method, IFBAM_STABILITY_MAP);
    for (guint s = 0; s < G_N_ELEMENTS (names); s++)
      {
        gsize n, roots = 0;
        g_autofree double complex *z =
            ifbam_stability_multipliers (c.stability, scheme_of (names[s]), step, &n);

        assert_non_null (z);
        for (gsize i = 0; i < n; i++)
          if (cabs (z[i]) > 1e-6)
            {
              const double off =
                  cabs (damped_residual (names[s], z[i], omega * step, 20 * sum * step));

              if (!(off < 1e-11))
                fail_msg ("%s: %g%+gi is no root, off by %g", names[s], creal (z[i]), cimag (z[i]),
                          off);
              roots++;
            }
        assert_true (roots >= 2 && roots <= 4);
      }
  }
}

static void
test_nothing_swings (void **state)
{
  g_auto (Case) c = make_case ("[mass a]\nmass = 1 kg\nvelocity = 1 m/s\n");

  (void) state;
  assert_true (isnan (ifbam_stability_growth (c.stability, scheme_of ("averaged"), 1e-3).rate));
  assert_true (isinf (ifbam_stability_critical_step (c.stability, scheme_of ("verlet"))));
  assert_true (ifbam_stability_mode (c.stability, INFINITY) == 0);
}

/* The quick result is a bound, or equal. */
static void
test_quick (void **state)
{
  static const guint counts[] = { 5, 30, 300 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *text = chain_text (counts[i], "damping = 2 N s/m\n");
      g_auto (Case) c = make_case (text);
      g_autoptr (IfbamStability) quick = ifbam_stability_new (c.model, c.spec, TRUE, NULL);
      const IfbamScheme *scheme = scheme_of ("averaged");
      const IfbamGrowth full = ifbam_stability_growth (c.stability, scheme, 5e-3);
      const IfbamGrowth fast = ifbam_stability_growth (quick, scheme, 5e-3);

      assert_non_null (quick);
      print_message ("# %u masses: growth %.6g, quick %.6g\n", counts[i], full.rate, fast.rate);
      assert_int_equal (full.certainty, IFBAM_CERTAIN);
      assert_close (fast.rate, full.rate, fast.certainty == IFBAM_CERTAIN ? 1e-6 : 0.1, "quick");
      assert_true (ifbam_stability_longest_step (quick, scheme, 0.01)
                   <= 1.001 * ifbam_stability_longest_step (c.stability, scheme, 0.01));
    }
}

/* The step for the multipliers must not close an open contact. */
static void
test_multipliers_meet_no_contact (void **state)
{
  static const char *const names[] = { "rk4", "dopri5", "implicit", "tr-bdf2", "esdirk4" };
  static const double off[] = { 3e-4, 1e-5, 0.011, 6e-3, 1e-4 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    for (guint damped = 0; damped < 2; damped++)
      {
        g_autofree char *text = g_strdup_printf (
            "[ground wall]\n[spring s]\nstiffness = 500 kN/m\nbetween = wall, block\n"
            "[mass block]\nmass = 0.5 kg\n[contact jaw]\nstiffness = 200 kN/m\ngap = 0.3 mm\n"
            "between = block, wall\n[damper c]\ndamping = %s\nbetween = wall, block\n",
            damped ? "100 N*s/m" : "0");
        g_auto (Case) c = make_case (text);
        const double step = 5e-4, decay = damped ? 100 : 0;
        const double complex wanted = cexp (step * (-decay + I * sqrt (1e6 - decay * decay)));
        gsize n;
        g_autofree double complex *z =
            ifbam_stability_multipliers (c.stability, ifbam_scheme_by_name (names[k]), step, &n);
        double best = INFINITY;

        assert_non_null (z);
        for (gsize i = 0; i < n; i++)
          best = fmin (best, cabs (z[i] - wanted));
        if (!(best < off[k]))
          fail_msg ("%s: off by %g", names[k], best);
      }
}

/* step = auto */

/* The eigenfrequencies that runs show at its step, against the network's own. */
static void
assert_accurate (const char *path, const Case *c)
{
  const double step = c->spec->step;
  const double duration = (double) c->spec->last_step * step;
  const double own = -c->stability->least_decay * c->stability->fastest;
  double worst = 0;

  assert_non_null (c->spec->chosen);
  /* NaN without oscillation; the network's own growth, if it is more than rounding, is unchanged */
  if (own * duration > 1e-9)
    assert_close (ifbam_stability_growth (c->stability, c->spec->scheme, step).rate, own, 1e-2,
                  path);
  else
    assert_false (ifbam_stability_growth (c->stability, c->spec->scheme, step).rate * duration
                  >= 0.0101);
  if (c->stability->mode != NULL)
    {
      gsize n;
      g_autofree double complex *z =
          c->model->n_free <= 20
              ? ifbam_stability_multipliers (c->stability, c->spec->scheme, step, &n)
              : NULL;

      for (gsize i = 0; i < c->stability->n_modes; i++)
        if (cimag (c->stability->mode[i]) > 0)
          {
            const double complex mode = c->stability->mode[i];
            const double complex seen =
                z != NULL ? ifbam_stability_nearest (z, n, step, mode)
                          : ifbam_stability_seen (c->stability, c->spec->scheme, step, mode);

            worst = fmax (worst, fabs (cimag (seen) / cimag (mode) - 1));
          }
    }
  else
    worst = fabs (ifbam_scheme_mode (c->spec->scheme, c->stability->fastest * step, NULL)
                      / (c->stability->fastest * step)
                  - 1);
  print_message ("# %s: %g s (%s), frequencies off by %.2g %% at most\n", path, step,
                 c->spec->chosen, 100 * worst);
  assert_true (worst < 1e-3);
}

static void
test_auto_on_every_network (void **state)
{
  static const char *const settings[] = { "network.step=auto", NULL };
  g_autoptr (GDir) dir = g_dir_open ("networks", 0, NULL);
  const char *name;
  guint seen = 0;

  (void) state;
  assert_non_null (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("networks", name, NULL);
      g_autoptr (IfbamRun) run = NULL;
      g_autoptr (GError) error = NULL;

      if (!g_str_has_suffix (name, ".ini") || g_str_hash (name) % by_effort (4, 1, 1) != 0)
        continue;
      {
        g_auto (Case) c = try_case (path, settings, &error);

        if (error != NULL && strstr (error->message, "junctions beside nonlinear laws") != NULL)
          continue;
        if (error != NULL)
          fail_msg ("%s: %s", path, error->message);
        assert_accurate (path, &c);
        assert_false (c.spec->cut);
        run = ifbam_run_new (c.network);
        if (!ifbam_run_step (run, by_effort (100000, 1000000, G_MAXUINT), NULL, &error))
          fail_msg ("%s: %s", path, error->message);
        seen++;
      }
    }
  assert_true (seen >= by_effort (8, 40, 40));
}

/* Peaks of the spectrum of a run, within 0.1 % of the closed forms of two-dof's eigenfrequencies. */
static void
test_auto_by_spectrum (void **state)
{
  static const char *const settings[] = { "network.step=auto", "network.duration=8 s",
                                          "network.record=m1.position", NULL };
  /* m = 1 kg, k1 = 10 kN/m, k2 = 40 kN/m: omega^4 - 90000 omega^2 + 4e8 = 0 */
  const double root = sqrt (90000.0 * 90000 - 4 * 4e8);
  const double wanted[2] = { sqrt ((90000 - root) / 2) / (2 * G_PI),
                             sqrt ((90000 + root) / 2) / (2 * G_PI) };
  g_auto (Case) c = load_case ("networks/two-dof.ini", settings);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (c.network, IFBAM_ENGINE_PLAN, &error);
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  gsize n, n_peaks;
  const double *times, *values;

  (void) state;
  if (course == NULL)
    fail_msg ("%s", error->message);
  times = ifbam_course_get_times (course, &n);
  values = ifbam_course_get_values (course, "m1.position", &n, &error);
  spectrum = ifbam_spectrum_new (times, values, n, IFBAM_WINDOW_HANN, &error);
  peaks = ifbam_spectrum_find_peaks (spectrum, 1e-2, TRUE, &n_peaks);
  assert_int_equal (n_peaks, 2);
  for (guint i = 0; i < 2; i++)
    assert_close (peaks[i].frequency, wanted[i], 1e-3, "a peak");
}

/* At its start at rest this network is 60 times softer than where the force takes it. */
static void
test_auto_with_a_pilot (void **state)
{
  static const char text[] = "[network]\nscheme = verlet\nstep = auto\nduration = 2 s\n"
                             "sample = 10 ms\nrecord = m.position\n"
                             "[ground g]\n[mass m]\nmass = 0.5 kg\n"
                             "[spring k]\nstiffness = 100 N/m\ncubic = 5 MN/m3\nbetween = m, g\n"
                             "[force f]\non = m\nvalue = 42 N\n";
  g_auto (Case) c = make_case (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (c.network, IFBAM_ENGINE_PLAN, &error);
  double most = 0, stiffest;
  const double *x;
  gsize n;

  (void) state;
  if (course == NULL)
    fail_msg ("%s", error->message);
  x = ifbam_course_get_values (course, "m.position", &n, NULL);
  for (gsize i = 0; i < n; i++)
    most = fmax (most, x[i]);
  stiffest = sqrt ((100 + 3 * 5e6 * most * most) / 0.5);
  print_message ("# %g s, %s; the stiffest state has %.3g Hz, the start %.3g Hz\n", c.spec->step,
                 c.spec->chosen, stiffest / (2 * G_PI), c.stability->fastest / (2 * G_PI));
  assert_true (stiffest > 5 * c.stability->fastest);
  /* verlet's error is h^2/24 */
  assert_true (stiffest * c.spec->step < sqrt (24e-3) * 1.03);
}

/* Nothing swings at the start of a fall; on the ground it is 1000/s. The ball's last peak is as high as
 * its first. */
static void
test_auto_with_a_contact (void **state)
{
  static const char text[] = "[network]\nscheme = rk4\nstep = auto\nduration = 2 s\n"
                             "sample = 1 ms\nrecord = m.position\n"
                             "[ground g]\n[mass m]\nmass = 1 kg\nposition = 0.1 m\n"
                             "[contact c]\nstiffness = 1 MN/m\nbetween = g, m\n"
                             "[force w]\non = m\nvalue = -9.81 N\n";
  g_auto (Case) c = make_case (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (c.network, IFBAM_ENGINE_PLAN, &error);
  double most = 0;
  const double *x;
  gsize n;

  (void) state;
  if (course == NULL)
    fail_msg ("%s", error->message);
  x = ifbam_course_get_values (course, "m.position", &n, NULL);
  for (gsize i = 3 * n / 4; i < n; i++)
    most = fmax (most, x[i]);
  print_message ("# %g s, %s; the last peak is at %g m\n", c.spec->step, c.spec->chosen, most);
  assert_true (c.spec->step < 0.7e-3 && c.spec->step > 0.1e-3);
  assert_close (most, 0.1, 1e-2, "the last peak");
}

static void
test_auto_fits_rows (void **state)
{
  static const struct
  {
    const char *more;
    double interval;
  } cases[] = { { "duration = 0.7 s\nsample = 7 ms\n", 7e-3 },
                { "duration = 1 s\nsample = 0.33333333333333331 s\n", 1.0 / 3 },
                { "duration = 0.123 s\n", 0.123 },
                { "duration = 1 ms\n", 1e-3 },
                { "duration = 1 s\nsample = 2 us\n", 2e-6 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("[network]\nstep = auto\n%s"
                                               "[ground g]\n[mass m]\nmass = 1 kg\n"
                                               "[spring k]\nstiffness = 10 kN/m\nbetween = g, m\n",
                                               cases[i].more);
      g_auto (Case) c = make_case (text);
      const double parts = cases[i].interval / c.spec->step;

      assert_true (fabs (parts - round (parts)) < 1e-9 * parts);
      assert_true (c.spec->step <= cases[i].interval && c.spec->step < 0.6e-3);
    }
}

/* up-to: slow modes only have to be right; fast ones stable. */
static void
test_auto_up_to (void **state)
{
  static const char *const all[] = { "network.step=auto", NULL };
  static const char *const some[] = { "network.step=auto", "network.up-to=2 Hz", NULL };
  g_auto (Case) fine = load_case ("networks/chain-1000.ini", all);
  g_auto (Case) coarse = load_case ("networks/chain-1000.ini", some);
  const double h = 2 * 2 * G_PI * coarse.spec->step;

  (void) state;
  assert_true (coarse.spec->step > 4 * fine.spec->step);
  assert_true (coarse.spec->step < 2 / coarse.stability->fastest);
  assert_true (fabs (ifbam_scheme_mode (coarse.spec->scheme, h, NULL) / h - 1) < 1e-3);
}

static void
test_auto_that_cannot (void **state)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (GError) error = NULL;

  (void) state;
  {
    g_auto (Case) c =
        make_case ("[network]\nstep = auto\nduration = 3 s\n[mass m]\nmass = 1 kg\nvelocity = 1\n");

    assert_close (c.spec->step, 0.03, 0.3, "a hundred steps");
  }
  {
    /* Without modes: the dampers' bound, 4 c / m. */
    g_auto (Case) c =
        make_case ("[network]\nstep = auto\nduration = 1 s\nscheme = rk4\n[ground g]\n"
                   "[chain c]\ncount = 900\nmass = 1\nstiffness = 100\ndamping = 1000\n"
                   "from = g\n");

    assert_true (c.stability->mode == NULL && c.spec->step <= sqrt (1e-3) / 4000);
    assert_true (c.spec->step > 0.5 * sqrt (1e-3) / 4000);
  }
  text_refused ("[network]\nscheme = esdirk4\nstep = auto\nduration = 1 s\n[ground g]\n[mass m]\n"
                "mass = 1\n[junction j]\n[spring s]\nstiffness = 10\nbetween = m, j\n"
                "[contact c]\nstiffness = 10\nbetween = j, g\n[damper d]\ndamping = 1\n"
                "between = j, g\n",
                "junctions beside nonlinear laws or constraints");
  assert_true (g_file_set_contents (
      path, "[network]\nstep = automatic\nduration = 1 s\n[mass m]\nmass = 1 kg\n", -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, &error);
  assert_null (network);
  assert_non_null (strstr (error->message, ":2: [network] step:"));
}

/* From the library: infinity, or the word. */
static void
test_auto_by_property (void **state)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  g_autoptr (GError) error = NULL;
  IfbamElement *settings = ifbam_network_get_settings (network);
  IfbamElement *wall = ifbam_network_add (network, "ground", "wall", &error);
  IfbamElement *spring = ifbam_network_add (network, "spring", "k1", &error);
  IfbamElement *mass = ifbam_network_add (network, "mass", "m1", &error);
  double step;

  (void) state;
  g_object_set (spring, "stiffness", 10e3, NULL);
  g_object_set (mass, "mass", 1.0, "position", 1e-3, NULL);
  ifbam_network_join (network, spring, wall, mass);
  g_object_set (settings, "step", (double) INFINITY, "duration", 1.0, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
      gsize n;

      if (course == NULL)
        fail_msg ("%s", error->message);
      ifbam_course_get_times (course, &n);
      assert_true (n > 1000 && n < 10000);
      g_object_set (settings, "step", 1.0, NULL);
      assert_true (ifbam_element_set_text (settings, "step", "auto", &error));
      g_object_get (settings, "step", &step, NULL);
      assert_true (isinf (step));
    }
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_growth_against_polynomials),
    cmocka_unit_test (test_decays_at_short_steps),
    cmocka_unit_test (test_map_has_the_polynomials_roots),
    cmocka_unit_test (test_critical_steps),
    cmocka_unit_test (test_damped_multipliers),
    cmocka_unit_test (test_matrix_has_the_maps_multipliers),
    cmocka_unit_test (test_steps_of_random_networks),
    cmocka_unit_test (test_steps_of_shipped_networks),
    cmocka_unit_test (test_runs_have_the_multipliers),
    cmocka_unit_test (test_partly_damped),
    cmocka_unit_test (test_large_damped),
    cmocka_unit_test (test_damped_runs),
    cmocka_unit_test (test_nonlinear_runs),
    cmocka_unit_test (test_diode_at_rest),
    cmocka_unit_test (test_critical_steps_of_runs),
    cmocka_unit_test (test_free_bodies),
    cmocka_unit_test (test_free_bodies_beside_what_follows),
    cmocka_unit_test (test_gears),
    cmocka_unit_test (test_nothing_swings),
    cmocka_unit_test (test_quick),
    cmocka_unit_test (test_multipliers_meet_no_contact),
    cmocka_unit_test (test_auto_on_every_network),
    cmocka_unit_test (test_auto_by_spectrum),
    cmocka_unit_test (test_auto_with_a_pilot),
    cmocka_unit_test (test_auto_with_a_contact),
    cmocka_unit_test (test_auto_fits_rows),
    cmocka_unit_test (test_auto_up_to),
    cmocka_unit_test (test_auto_that_cannot),
    cmocka_unit_test (test_a_step_without_solution_is_told),
    cmocka_unit_test (test_auto_by_property),
  };

  if (argc > 1)
    cmocka_set_test_filter (argv[1]);
  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

/* test-schemes.c: growth, frequency, stability and energy of the schemes, and the paper's table
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
#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "run/run.h"
#include "linear/linear.h"
#include "engine/engine.h"

/* The text's network, run; NULL with an error if it diverges. */
static IfbamCourse *
try_text (const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (GError) own = NULL;

  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, &own);
  if (network == NULL)
    fail_msg ("%s", own->message);
  return ifbam_network_run (network, IFBAM_ENGINE_PLAN, error);
}

static IfbamCourse *
run_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  IfbamCourse *course = try_text (text, &error);

  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

/* One mass on one spring with the angular frequency 1/s, so that the step is h. */
static char *
oscillator (const char *scheme, double h, guint steps, const char *more)
{
  return g_strdup_printf ("[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\n%s"
                          "[ground g]\n[mass m]\nmass = 1\nposition = 1\n"
                          "[spring k]\nstiffness = 1\nbetween = g, m\n",
                          scheme, h, h * steps, more);
}

static const double *
values_of (IfbamCourse *course, const char *signal, gsize *n)
{
  const double *values = ifbam_course_get_values (course, signal, n, NULL);

  assert_non_null (values);
  return values;
}

/* The polynomials of the two flip-flop schemes, written down a second time. */

static double complex
original_root (double h, double complex z)
{
  for (int i = 0; i < 50; i++)
    {
      double complex value = (z - 1) * (z - 1) * (z + 1) + 2 * h * h * z;
      double complex slope = 2 * (z - 1) * (z + 1) + (z - 1) * (z - 1) + 2 * h * h;

      z -= value / slope;
    }
  return z;
}

static double complex
averaged_root (double h, double complex z)
{
  for (int i = 0; i < 50; i++)
    {
      double complex value = (z - 1) * (z - 1) * (z + 1) + h * h * (3 * z - 1);
      double complex slope = 2 * (z - 1) * (z + 1) + (z - 1) * (z - 1) + 3 * h * h;

      z -= value / slope;
    }
  return z;
}

typedef double complex (*Root) (double h, double complex guess);

/* A maximum between samples, by the parabola through three of them. */
static void
maximum (const double *x, gsize i, double *place, double *height)
{
  double slope = 0.5 * (x[i + 1] - x[i - 1]), curvature = x[i + 1] - 2 * x[i] + x[i - 1];

  *place = (double) i - slope / curvature;
  *height = x[i] - 0.5 * slope * slope / curvature;
}

/* ln |z| and arg z of a course that oscillates, from its first maximum (beyond `from`) to its last. */
static double complex
measure (const double *x, gsize n, gsize from)
{
  double first = -1, first_height = 0, last = 0, last_height = 0;
  guint periods = 0;

  for (gsize i = MAX (from, 1); i + 1 < n; i++)
    if (x[i] > 0 && x[i] > x[i - 1] && x[i] >= x[i + 1])
      {
        maximum (x, i, &last, &last_height);
        if (first < 0)
          {
            first = last;
            first_height = last_height;
          }
        else
          periods++;
      }
  assert_true (periods > 5);
  return log (last_height / first_height) / (last - first)
         + I * 2 * G_PI * periods / (last - first);
}

static void
assert_mode (const char *scheme, Root root, double h, guint steps)
{
  g_autofree char *text = oscillator (scheme, h, steps, "");
  g_autoptr (IfbamCourse) course = run_text (text);
  gsize n;
  const double *x = values_of (course, "m.position", &n);
  double complex measured = measure (x, n, 1), wanted = clog (root (h, cexp (I * h)));

  print_message ("# %s, h = %g: growth %.8g per step (root %.8g), frequency error %.6g (%.6g)\n",
                 scheme, h, creal (measured), creal (wanted), cimag (measured) / h - 1,
                 cimag (wanted) / h - 1);
  assert_near (creal (measured), creal (wanted), 1e-3 * creal (wanted), scheme);
  assert_near (cimag (measured) / h - 1, cimag (wanted) / h - 1,
               1e-3 * fabs (cimag (wanted) / h - 1) + 2e-6, scheme);
}

/* The polynomial of a scheme for a mode with the angular frequency 1/s and a damping ratio, by powers of z (its degree): as it
 * is, or by the stability function; 0: it has none such. */
static guint
polynomial_of (const IfbamScheme *scheme, double h, double ratio, gboolean by_function,
               double *coefficient)
{
  const double d = 2 * ratio * h;
  const guint shift = d != 0 && scheme->damped[0] != 0; /* times z */
  double complex z = 0, below = 0;
  guint degree = 0;

  for (guint i = 0; i <= IFBAM_MAX_DEGREE + 1; i++)
    coefficient[i] = 0;
  if (!by_function)
    {
      for (guint j = 0; j <= IFBAM_MAX_DEGREE; j++)
        {
          for (guint k = 0; k < IFBAM_MAX_POWERS; k++)
            coefficient[j + shift] += scheme->characteristic[j][k] * pow (h * h, k);
          if (d != 0 && j + shift > 0)
            coefficient[j + shift - 1] += d * scheme->damped[j];
        }
      for (guint i = 0; i <= IFBAM_MAX_DEGREE + 1; i++)
        degree = coefficient[i] != 0 ? i : degree;
      return d == 0 || scheme->damped[2] != 0 ? degree : 0;
    }
  if (scheme->stability_function[0] == 0)
    return 0;
  for (guint k = IFBAM_MAX_STAGES + 1; k-- > 0;)
    {
      const double complex q = h * (-ratio + I * sqrt (1 - ratio * ratio));

      z = z * q + scheme->stability_function[k];
      below = below * q + scheme->stability_divisor[k];
    }
  if (scheme->stability_divisor[0] != 0)
    z /= below;
  coefficient[0] = creal (z) * creal (z) + cimag (z) * cimag (z);
  coefficient[1] = -2 * creal (z);
  coefficient[2] = 1;
  return 2;
}

/* A scheme's polynomial describes a mode, damped or not: positions follow its recurrence. */
static void
test_positions_follow_polynomials (void **state)
{
  const double steps[] = { 0.2, 0.45 }, ratios[] = { 0, 0.1, 0.25 };
  const guint n_rows = 30;
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      for (guint r = 0; r < G_N_ELEMENTS (ratios); r++)
        {
          const IfbamScheme *scheme = schemes[s];
          g_autofree char *damper =
              g_strdup_printf ("[damper d]\nbetween = g, m\ndamping = %.17g\n", 2 * ratios[r]);
          g_autofree char *free_mass = oscillator (scheme->name, steps[i], n_rows, "");
          g_autofree char *text = g_strconcat (free_mass, ratios[r] > 0 ? damper : "", NULL);
          g_autoptr (IfbamCourse) course = run_text (text);
          double coefficient[IFBAM_MAX_DEGREE + 2];
          guint known = 0;
          gsize n;
          const double *x = values_of (course, "m.position", &n);

          assert_int_equal (n, n_rows + 1);
          for (gboolean by_function = FALSE; by_function <= TRUE; by_function++)
            {
              const guint degree =
                  polynomial_of (scheme, steps[i], ratios[r], by_function, coefficient);

              known += degree > 0;
              for (guint k = 1; degree > 0 && k + degree < n; k++)
                {
                  double sum = 0, most = 0;

                  for (guint j = 0; j <= degree; j++)
                    {
                      sum += coefficient[j] * x[k + j];
                      most = fmax (most, fabs (coefficient[j] * x[k + j]));
                    }
                  if (!(fabs (sum) <= 1e-13 * most))
                    fail_msg ("%s at h = %g, ratio %g: row %u is off by %g of %g", scheme->name,
                              steps[i], ratios[r], k + degree, sum, most);
                }
            }
          assert_true (known > 0);
        }
}

/* Weights of a table, and those of its error estimate, integrate powers of time: sum w = 1, sum w c = 1/2, sum w c^2 = 1/3, as far as
 * each has that order (Butcher 1963). */
static void
test_orders_of_tables (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      const IfbamTableau *table = ifbam_scheme_tableau (schemes[s]);
      gboolean estimates = FALSE;

      for (guint i = 0; table != NULL && i < table->n_rows; i++)
        estimates |= table->embedded[i] != 0;
      for (guint which = 0; table != NULL && which < (estimates ? 2 : 1); which++)
        for (guint power = 0; power < (guint) MIN (schemes[s]->order, 3); power++)
          {
            double sum = 0;

            for (guint i = 0; i < table->n_rows; i++)
              {
                double time = 0;

                for (guint j = 0; j <= i; j++)
                  time += table->row[i][j];
                sum += (which == 0 ? table->weight[i] : table->embedded[i]) * pow (time, power);
              }
            assert_near (sum, 1.0 / (power + 1), 1e-14, schemes[s]->name);
          }
    }
}

/* The table by which an account is taken has the scheme's order, a diagonal that makes the same matrix, an end that is its last
 * stage, only implicit stages, and the scheme's effect on decaying modes (Butcher 1963, conditions of
 * trees up to order four). */
static void
test_tables_of_accounts (void **state)
{
  guint n_schemes, found = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      const IfbamTableau *table = schemes[s]->after_jump, *own = schemes[s]->implicit;
      double sum[8] = { 0 }, time[IFBAM_MAX_ROWS], moved[IFBAM_MAX_ROWS], tall[IFBAM_MAX_ROWS];
      static const double wanted[8] = { 1,       1.0 / 2, 1.0 / 3,  1.0 / 6,
                                        1.0 / 4, 1.0 / 8, 1.0 / 12, 1.0 / 24 };
      const guint n_conditions = schemes[s]->order == 4 ? 8 : 2;

      if (table == NULL)
        continue;
      found++;
      for (guint i = 0; i < table->n_rows; i++)
        {
          time[i] = moved[i] = tall[i] = 0;
          for (guint j = 0; j <= i; j++)
            time[i] += table->row[i][j];
          for (guint j = 0; j <= i; j++)
            moved[i] += table->row[i][j] * time[j];
          for (guint j = 0; j <= i; j++)
            {
              tall[i] += table->row[i][j] * moved[j];
              sum[6] += table->weight[i] * table->row[i][j] * time[j] * time[j];
            }
          sum[0] += table->weight[i];
          sum[1] += table->weight[i] * time[i];
          sum[2] += table->weight[i] * time[i] * time[i];
          sum[3] += table->weight[i] * moved[i];
          sum[4] += table->weight[i] * time[i] * time[i] * time[i];
          sum[5] += table->weight[i] * time[i] * moved[i];
          sum[7] += table->weight[i] * tall[i];
          assert_true (table->row[i][i] == own->row[own->n_rows - 1][own->n_rows - 1]);
          assert_true (table->weight[i] == table->row[table->n_rows - 1][i]);
        }
      for (guint k = 0; k < n_conditions; k++)
        assert_near (sum[k], wanted[k], 1e-14, schemes[s]->name);
      for (double q = -0.25; q > -1e4; q *= 2)
        {
          double stage[IFBAM_MAX_ROWS], numerator = 0, divisor = 0;

          for (guint i = 0; i < table->n_rows; i++)
            {
              stage[i] = 1;
              for (guint j = 0; j < i; j++)
                stage[i] += q * table->row[i][j] * stage[j];
              stage[i] /= 1 - q * table->row[i][i];
            }
          for (guint k = IFBAM_MAX_STAGES + 1; k-- > 0;)
            {
              numerator = numerator * q + schemes[s]->stability_function[k];
              divisor = divisor * q + schemes[s]->stability_divisor[k];
            }
          assert_near (stage[table->n_rows - 1], numerator / divisor, 1e-12, schemes[s]->name);
        }
    }
  assert_true (found == 2);
}

/* Observing a range of nodes equals observing each node. */
static void
test_ranges_are_observed (void **state)
{
  enum
  {
    N = 9,
    FIRST = 4,
    LAST = 8
  };
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      double numbers[IFBAM_MAX_COLUMNS][N], *column[IFBAM_MAX_COLUMNS];
      double position[N], rate[N];

      for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
        {
          column[c] = numbers[c];
          for (guint i = 0; i < N; i++)
            numbers[c][i] = sin (1 + 10.0 * c + i);
        }
      for (guint i = 0; i < N; i++)
        position[i] = rate[i] = NAN;
      schemes[s]->observe (FIRST, LAST, column, position, rate);
      for (guint i = 0; i < N; i++)
        {
          double x = NAN, v = NAN;

          if (FIRST + i < LAST)
            schemes[s]->observe_one (FIRST + i, column, &x, &v);
          assert_memory_equal (&position[i], &x, sizeof x);
          assert_memory_equal (&rate[i], &v, sizeof v);
        }
    }
}

static void
test_growth_of_original (void **state)
{
  (void) state;
  assert_mode ("original", original_root, 0.1, 1500);
  assert_mode ("original", original_root, 0.05, 4000);
  assert_mode ("original", original_root, 0.02, 20000);
  /* Leading term: h^2/4. */
  assert_near (creal (clog (original_root (0.01, 1 + 0.01 * I))), 0.25e-4, 1e-8, "h^2/4");
}

static void
test_growth_of_averaged (void **state)
{
  (void) state;
  assert_mode ("averaged", averaged_root, 0.2, 10000);
  assert_mode ("averaged", averaged_root, 0.1, 60000);
  assert_mode ("averaged", averaged_root, 0.05, 200000);
  /* Leading terms: h^4/8, and a frequency error of 7/24 h^2. */
  assert_near (creal (clog (averaged_root (0.01, 1 + 0.01 * I))), 1e-8 / 8, 1e-12, "h^4/8");
  assert_near (cimag (clog (averaged_root (0.01, 1 + 0.01 * I))) / 0.01 - 1, 7.0 / 24 * 1e-4, 1e-8,
               "7/24 h^2");
}

/* x'' = -x + c x^3 from rest at A: x = A sn (w t + K), w^2 = 1 - c A^2 / 2, of the modulus k^2 = c A^2 / (2 w^2): a period
 * is 4 K (k) / w, K by the arithmetic-geometric mean (Abramowitz & Stegun 1964, 17.6). */
static void
test_period_of_softening_spring (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged" };
  static const double tolerances[] = { 1e-9, 1e-6, 1e-5 };
  const double c = 0.8, amplitude = 0.9;
  const double w = sqrt (1 - c * amplitude * amplitude / 2);
  const double modulus = c * amplitude * amplitude / (2 * w * w);
  double a = 1, b = sqrt (1 - modulus);

  (void) state;
  for (guint i = 0; i < 10; i++)
    {
      const double mean = (a + b) / 2;

      b = sqrt (a * b);
      a = mean;
    }
  for (guint k = 0; k < G_N_ELEMENTS (schemes); k++)
    {
      const double period = 4 * (G_PI / (2 * a)) / w, step = period / 4000;
      g_autofree char *text =
          g_strdup_printf ("[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\n"
                           "[ground w]\n[mass m]\nmass = 1\nposition = %g\n"
                           "[spring k]\nstiffness = 1\ncubic = -%g\nbetween = w, m\n",
                           schemes[k], step, 3000 * step, amplitude, c);
      g_autoptr (IfbamCourse) course = run_text (text);
      gsize n;
      const double *x = values_of (course, "m.position", &n);

      /* At a quarter it is in the middle, at a half at the other end. */
      assert_near (x[1000], 0, tolerances[k], schemes[k]);
      assert_near (x[2000], -amplitude, tolerances[k], schemes[k]);
      assert_near (x[3000], 0, tolerances[k], schemes[k]);
    }
}

/* At small steps z is so near 1 that its modulus needs care: leading terms, off by parts of h^2. */
static void
test_growth_at_small_steps (void **state)
{
  (void) state;
  for (double h = 1e-6; h < 2e-3; h *= 3)
    {
      const double part = 1e-10 + 3 * h * h;

      assert_near (ifbam_scheme_growth (ifbam_scheme_by_name ("original"), h) / (h * h / 4), 1,
                   part, "original: h^2/4");
      assert_near (ifbam_scheme_growth (ifbam_scheme_by_name ("averaged"), h) / pow (h, 4) * 8, 1,
                   part + 1e-18 / (h * h), "averaged: h^4/8");
      assert_near (ifbam_scheme_growth (ifbam_scheme_by_name ("euler"), h) / (h * h / 2), 1, part,
                   "euler: h^2/2");
      assert_true (ifbam_scheme_growth (ifbam_scheme_by_name ("verlet"), h) == 0);
    }
  assert_near (ifbam_scheme_growth (ifbam_scheme_by_name ("rk4"), 1e-2) / -pow (1e-2, 6) * 144, 1,
               1e-3, "rk4: -h^6/144");
}

static void
test_frequency_of_schemes (void **state)
{
  const double h = 0.02;

  (void) state;
  assert_near (ifbam_scheme_mode (ifbam_scheme_by_name ("verlet"), h, NULL), 2 * asin (h / 2),
               1e-15, "verlet");
  assert_near (ifbam_scheme_mode (ifbam_scheme_by_name ("euler"), h, NULL), atan (h), 1e-15,
               "euler");
  assert_near (ifbam_scheme_mode (ifbam_scheme_by_name ("averaged"), h, NULL) / h - 1,
               7.0 / 24 * h * h, 1e-2 * h * h, "averaged");
  assert_near (ifbam_scheme_mode (ifbam_scheme_by_name ("rk4"), h, NULL),
               atan2 (h - h * h * h / 6, 1 - h * h / 2 + h * h * h * h / 24), 1e-15, "rk4");
}

/* The root nearest to exp (ih) is told, at long steps, too: never one that is the scheme's alone. */
static void
test_frequency_at_long_steps (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint i = 0; i < n; i++)
    for (double h = 0.1; h < 0.75; h += 0.1)
      assert_near (ifbam_scheme_mode (schemes[i], h, NULL) / h, 1, 0.5 * h * h + 0.01,
                   schemes[i]->name);
}

/* Reactions have no latency: as under verlet the growth is ln |z| of z + 1/z = 2 - h^2. */
static void
test_growth_of_what_is_held (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint i = 0; i < n; i++)
    for (double h = 0.3; h < 5; h += 0.2)
      assert_near (ifbam_scheme_growth_constrained (schemes[i], h),
                   !schemes[i]->latency ? ifbam_scheme_growth (schemes[i], h)
                   : h < 2              ? 0
                                        : acosh (h * h / 2 - 1),
                   1e-12, schemes[i]->name);
}

static void
test_limits_of_schemes (void **state)
{
  (void) state;
  assert_true (ifbam_scheme_limit (ifbam_scheme_by_name ("original")) == 0);
  assert_true (ifbam_scheme_limit (ifbam_scheme_by_name ("averaged")) == 0);
  assert_true (ifbam_scheme_limit (ifbam_scheme_by_name ("euler")) == 0);
  assert_near (ifbam_scheme_limit (ifbam_scheme_by_name ("symplectic-euler")), 2, 1e-9,
               "symplectic-euler");
  assert_near (ifbam_scheme_limit (ifbam_scheme_by_name ("verlet")), 2, 1e-9, "verlet");
  assert_near (ifbam_scheme_limit (ifbam_scheme_by_name ("rk4")), sqrt (8), 1e-9, "rk4");
  assert_true (isinf (ifbam_scheme_growth (ifbam_scheme_by_name ("verlet"), 1e300)));
}

/* The third root, near -1: the remainder of a course without its mode alternates and decays. */
static void
assert_staircase_dies (const char *scheme, Root root, double h)
{
  const guint steps = (guint) (12 / (h * h));
  g_autofree char *text = oscillator (scheme, h, steps, "start = cold\n");
  g_autoptr (IfbamCourse) course = run_text (text);
  gsize n;
  const double *x = values_of (course, "m.position", &n);
  const double complex z = root (h, cexp (I * h));
  const double third = creal (root (h, -1));
  const double b = 2 * creal (z), c = creal (z * conj (z));
  double first = 0, rest = 0;

  assert_true (third > -1 && third < -1 + 2 * h * h);
  for (gsize i = 0; i + 3 < n; i++)
    {
      double now = x[i + 2] - b * x[i + 1] + c * x[i];
      double next = x[i + 3] - b * x[i + 2] + c * x[i + 1];

      if (i == 0)
        first = fabs (now);
      if (i < 50)
        assert_near (next / now, third, 1e-6, scheme);
      rest = fabs (next) / c;
    }
  print_message ("# %s, h = %g: third root %.6f, %.2g of it left after %u steps\n", scheme, h,
                 third, rest / first, steps);
  assert_true (first > 1e-4);
  assert_near (log (rest / first), (double) (n - 4) * log (-third), 0.5, scheme);
}

static void
test_third_root (void **state)
{
  (void) state;
  assert_staircase_dies ("averaged", averaged_root, 0.1);
  assert_staircase_dies ("averaged", averaged_root, 0.05);
  assert_staircase_dies ("original", original_root, 0.1);
}

/* ln of the largest root of z^3 - z^2 + b z + c: a real one by bisection, then the other two. */
static double
cubic_growth (double b, double c)
{
  double low = -100, high = 100, p, q, largest;

  for (int i = 0; i < 200; i++)
    {
      double middle = 0.5 * (low + high);

      if (((middle - 1) * middle + b) * middle + c < 0)
        low = middle;
      else
        high = middle;
    }
  /* z^2 + p z + q is left. */
  p = low - 1;
  q = b + low * p;
  largest = p * p < 4 * q ? sqrt (q) : 0.5 * (fabs (p) + sqrt (p * p - 4 * q));
  return log (fmax (largest, fabs (low)));
}

/* Growth per step, by each scheme's closed form. */
static double
closed_growth (const char *name, double h)
{
  if (g_str_equal (name, "original"))
    return cubic_growth (2 * h * h - 1, 1);
  if (g_str_equal (name, "averaged"))
    return cubic_growth (3 * h * h - 1, 1 - h * h);
  if (g_str_equal (name, "euler"))
    return 0.5 * log1p (h * h);
  if (g_str_equal (name, "implicit"))
    return 0;
  if (g_str_equal (name, "implicit-euler"))
    return -0.5 * log1p (h * h);
  if (g_str_equal (name, "tr-bdf2"))
    return log (cabs ((1 + (G_SQRT2 - 1) * I * h) / cpow (1 - (1 - G_SQRT2 / 2) * I * h, 2)));
  if (g_str_equal (name, "esdirk4"))
    return log (cabs ((1 - I * h / 4 + h * h / 8 - I * h * h * h / 96 + 7 * h * h * h * h / 768)
                      / cpow (1 - I * h / 4, 5)));
  if (g_str_equal (name, "dopri5"))
    return log (cabs (1 + I * h - h * h / 2 - I * h * h * h / 6 + h * h * h * h / 24
                      + I * pow (h, 5) / 120 - pow (h, 6) / 600));
  if (g_str_equal (name, "rk4"))
    return log (cabs (1 + I * h - h * h / 2 - I * h * h * h / 6 + h * h * h * h / 24));
  assert_true (g_str_equal (name, "verlet") || g_str_equal (name, "symplectic-euler"));
  return h <= 2 ? 0 : acosh (h * h / 2 - 1);
}

static void
test_growth_of_all (void **state)
{
  static const double steps[] = { 1e-3, 0.01, 0.1, 0.3, 0.7, 1, 1.5, 1.9, 2.1, 2.7, 2.9, 3.5 };
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      assert_true (ifbam_scheme_growth (schemes[s], 0) == 0);
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        {
          double wanted = closed_growth (schemes[s]->name, steps[i]);

          assert_near (ifbam_scheme_growth (schemes[s], steps[i]), wanted,
                       2e-14 + 1e-9 * fabs (wanted), schemes[s]->name);
        }
    }
}

/* Schemes of which a limit is known grow above it and not below, by the root and in runs. */
static void
test_stability_limits (void **state)
{
  static const struct
  {
    const char *scheme;
    double limit;
  } limits[] = { { "verlet", 2 }, { "symplectic-euler", 2 }, { "rk4", 2 * G_SQRT2 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const IfbamScheme *scheme = ifbam_scheme_by_name (limits[i].scheme);
      double low = 1, high = 4;
      g_autofree char *below = oscillator (limits[i].scheme, 0.99 * limits[i].limit, 2000, "");
      g_autofree char *above = oscillator (limits[i].scheme, 1.01 * limits[i].limit, 2000, "");
      g_autoptr (IfbamCourse) course = run_text (below);
      g_autoptr (GError) error = NULL;
      gsize n;
      const double *x = values_of (course, "m.position", &n);

      for (int k = 0; k < 60; k++)
        {
          double middle = 0.5 * (low + high);

          if (ifbam_scheme_growth (scheme, middle) < 1e-12)
            low = middle;
          else
            high = middle;
        }
      assert_near (low, limits[i].limit, 1e-6, limits[i].scheme);
      for (gsize k = 0; k < n; k++)
        assert_true (fabs (x[k]) < 10);
      assert_null (try_text (above, &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
    }
}

static void
test_longest_step (void **state)
{
  static const double omegas[] = { 0.5, 100, 1e5 }, durations[] = { 1, 1000 };
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    for (guint o = 0; o < G_N_ELEMENTS (omegas); o++)
      for (guint d = 0; d < G_N_ELEMENTS (durations); d++)
        for (double tolerance = 0.01; tolerance < 2; tolerance *= 10)
          {
            const double omega = omegas[o], duration = durations[d];
            double step = ifbam_scheme_longest_step (schemes[s], omega, duration, tolerance);
            double growth = ifbam_scheme_growth (schemes[s], omega * step) * duration / step;
            double more =
                ifbam_scheme_growth (schemes[s], omega * step * 1.02) * duration / (step * 1.02);

            if (schemes[s]->implicit != NULL)
              {
                assert_true (isinf (step));
                continue;
              }
            assert_true (step > 0 && step <= 4 / omega);
            assert_true (growth <= tolerance * 1.001 + 1e-12 * duration / step);
            /* Where a longer step does no harm either, the duration is shorter than a period. */
            assert_true (more > tolerance || step > 3.9 / omega);
          }
  assert_true (isinf (ifbam_scheme_longest_step (schemes[0], 0, 1, 0.01)));
}

/* Energy */

static void
energy_range (const char *scheme, double h, guint steps, double *low, double *high, double *last)
{
  g_autofree char *text = oscillator (scheme, h, steps, "record = network.energy\n");
  g_autoptr (IfbamCourse) course = run_text (text);
  gsize n;
  const double *energy = values_of (course, "network.energy", &n);

  *low = *high = energy[0];
  for (gsize i = 0; i < n; i++)
    {
      *low = fmin (*low, energy[i]);
      *high = fmax (*high, energy[i]);
    }
  *last = energy[n - 1];
}

static void
test_energies (void **state)
{
  const double h = 0.1;
  double low, high, last, low_later, high_later;

  (void) state;
  /* The energy swings, in the long run as in the short. */
  for (int k = 0; k < 2; k++)
    {
      const char *scheme = k == 0 ? "verlet" : "symplectic-euler";
      const double swing = k == 0 ? h * h / 8 : h / 4;

      energy_range (scheme, h, 200, &low, &high, &last);
      energy_range (scheme, h, 100000, &low_later, &high_later, &last);
      assert_near (high_later - low_later, high - low, 1e-4 * 0.5, scheme);
      print_message ("# %s: energy swings by %.4g of 0.5\n", scheme, high_later - low_later);
      assert_true (high_later - low_later < 2.2 * swing && high_later - low_later > 0.2 * swing);
    }
  /* Euler's grows by 1 + h^2 at each step, that of rk4 falls by its root. */
  energy_range ("euler", h, 300, &low, &high, &last);
  assert_near (last, 0.5 * pow (1 + h * h, 300), 1e-10, "euler");
  energy_range ("rk4", h, 100000, &low, &high, &last);
  assert_near (last / 0.5, exp (2e5 * closed_growth ("rk4", h)), 1e-9, "rk4");
  /* The recorded energy of the flip-flop schemes has no ripple of first order. */
  energy_range ("averaged", h, 200, &low, &high, &last);
  assert_true (high - low < h * h);
}

/* Energy + dissipated - supplied, which nothing but the numerics changes. */
static double
ledger_gap (const char *scheme, double step)
{
  g_autofree char *text = g_strdup_printf (
      "[network]\nscheme = %s\nstep = %.17g\nduration = 1.6 s\n"
      "record = network.energy, network.dissipated, network.supplied\n"
      "[ground g]\n[drive d]\nvelocity = 0.03\namplitude = 20 mm\nfrequency = 2\nphase = 1\n"
      "[mass a]\nmass = 1\nposition = 30 mm\n[mass b]\nmass = 2\nvelocity = 0.4\n"
      "[spring k1]\nstiffness = 400\nbetween = d, a\n[damper c1]\ndamping = 2\nbetween = d, a\n"
      "[spring k2]\nstiffness = 300\ncubic = 20000\nbetween = a, b\n"
      "[damper c2]\ndamping = 1\nbetween = b, a\n"
      "[spring k3]\nstiffness = 200\nbetween = b, g\n"
      "[force f]\non = b\nvalue = 3\namplitude = 4\nfrequency = 1.5\n"
      "[inertia r]\ninertia = 0.5\nspeed = 1\n[ground h]\n"
      "[torsion-spring rk]\nstiffness = 40\nbetween = h, r\n"
      "[torsion-damper rd]\ndamping = 0.3\nbetween = h, r\n"
      "[torque t]\non = r\namplitude = 1\nfrequency = 1\n",
      scheme, step);
  g_autoptr (IfbamCourse) course = run_text (text);
  gsize n;
  const double *energy = values_of (course, "network.energy", &n);
  const double *dissipated = values_of (course, "network.dissipated", &n);
  const double *supplied = values_of (course, "network.supplied", &n);
  double gap = 0;

  assert_true (dissipated[0] == 0 && supplied[0] == 0);
  for (gsize i = 0; i < n; i++)
    {
      assert_true (i == 0 || dissipated[i] >= dissipated[i - 1]);
      gap = fmax (gap, fabs (energy[i] + dissipated[i] - supplied[i] - energy[0]));
    }
  /* There is something to account for. */
  assert_true (dissipated[n - 1] > 0.05 && fabs (supplied[n - 1]) > 0.05);
  return gap / energy[0];
}

static void
test_ledger_closes (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      double coarse = ledger_gap (schemes[s]->name, 0.4e-3);
      double fine = ledger_gap (schemes[s]->name, 0.2e-3);
      double order = log2 (coarse / fine);

      print_message ("# %s: ledger open by %.3g at 0.4 ms, %.3g at 0.2 ms: order %.2f\n",
                     schemes[s]->name, coarse, fine, order);
      if (g_str_equal (schemes[s]->name, "implicit")) /* to the residual of Newton's method */
        assert_true (fmax (coarse, fine) < 1e-12);
      else if (schemes[s]->order >= 4)
        assert_true (coarse < 1e-9);
      else
        assert_near (order, schemes[s]->order, 0.15, schemes[s]->name);
    }
}

/* The paper's table */

/* Vertex of the least-squares parabola through the samples i with |i - centre| <= reach. */
static double
vertex (const double *x, gsize centre, gsize reach)
{
  double s2 = 0, s4 = 0, n = 0, sum = 0, sum1 = 0, sum2 = 0;

  for (gsize i = centre - reach; i <= centre + reach; i++)
    {
      double u = (double) i - (double) centre;

      n++;
      s2 += u * u;
      s4 += u * u * u * u;
      sum += x[i];
      sum1 += u * x[i];
      sum2 += u * u * x[i];
    }
  /* x = a + b u + c u^2 */
  return (double) centre - 0.5 * (sum1 / s2) / ((n * sum2 - s2 * sum) / (n * s4 - s2 * s2));
}

/* The instant of the fifth maximum after the start. */
static double
fifth_maximum (const char *start, double step)
{
  const double period = 2 * G_PI / 100;
  g_autofree char *step_text = g_strdup_printf ("network.step=%.17g", step);
  g_autofree char *start_text = g_strdup_printf ("network.start=%s", start);
  const char *settings[] = { step_text, start_text, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_file ("networks/one-dof.ini", settings, &error);
  g_autoptr (IfbamCourse) course = NULL;
  const double *x;
  gsize n, best;

  if (network == NULL)
    fail_msg ("%s", error->message);
  course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  assert_non_null (course);
  x = values_of (course, "m1.position", &n);
  best = (gsize) (4.5 * period / step);
  for (gsize i = best; i < (gsize) (5.5 * period / step); i++)
    if (x[i] > x[best])
      best = i;
  return vertex (x, best, (gsize) (period / 20 / step + 0.5)) * step;
}

static void
test_table_of_the_paper (void **state)
{
  /* Grabysz 1994, section 4: five periods of k = 10 kN/m, m = 1 kg by the averaged scheme. Residuals:
   * in steps, as found when the paper's start was worked out. */
  static const struct
  {
    double step, five_periods, residual;
  } table[] = {
    { 0.000025, 0.3141125, 0.34 }, { 0.00005, 0.314075, 0.14 }, { 0.0001, 0.314, 0.00 },
    { 0.0002, 0.3138, 0.12 },      { 0.0004, 0.3134, 0.03 },    { 0.001, 0.312, -0.25 },
  };
  guint missed = 0;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      double cold = (fifth_maximum ("cold", table[i].step) - table[i].five_periods) / table[i].step;
      double warm = (fifth_maximum ("warm", table[i].step) - table[i].five_periods) / table[i].step;

      print_message ("# step %g: paper %.7f, residual %.3f steps (warm start: %.3f)\n",
                     table[i].step, table[i].five_periods, cold, warm);
      assert_near (cold, 0, 0.5, "fifth maximum");
      assert_near (cold, table[i].residual, 0.02, "residual");
      missed += fabs (warm) > 0.5;
    }
  /* It is the start that does it. */
  assert_true (missed > 0);
}

/* Divergence */

typedef struct
{
  guint calls, most_calls; /* of progress; the last one interrupts */
  guint rows;
  double part, last_time;
} Watch;

static gboolean
watch_row (gpointer data, double time, const double *values, GError **error)
{
  Watch *watch = data;

  (void) error;
  assert_true (isfinite (values[0]) && time >= watch->last_time);
  watch->last_time = time;
  watch->rows++;
  return TRUE;
}

static gboolean
watch_progress (gpointer data, double part)
{
  Watch *watch = data;

  assert_true (part >= watch->part && part <= 1);
  watch->part = part;
  return ++watch->calls < watch->most_calls;
}

/* Returns the message of a run that does not reach its end (transfer full). */
static GError *
run_watched (const char *text, gboolean allow_divergence, Watch *watch)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  GError *error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamRunTask run = { .allow_divergence = allow_divergence,
                       .does_without = TRUE,
                       .row = watch_row,
                       .progress = watch_progress,
                       .data = watch };

  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, NULL);
  assert_non_null (network);
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, NULL);
  assert_non_null (model);
  assert_false (ifbam_run (&run, model, signals, &spec, &error));
  assert_non_null (error);
  return error;
}

static void
assert_says (const GError *error, int code, const char *text)
{
  if (!g_error_matches (error, IFBAM_ERROR, code) || strstr (error->message, text) == NULL)
    fail_msg ("says \"%s\", not \"%s\"", error->message, text);
}

/* `euler` multiplies the energy by 1 + h^2 in each step. */
static void
test_early_divergence (void **state)
{
  g_autofree char *text = oscillator ("euler", 4.0, 1000, "");
  Watch watch = { .most_calls = G_MAXUINT };
  g_autoptr (GError) error = run_watched (text, FALSE, &watch);

  (void) state;
  assert_says (error, IFBAM_ERROR_DIVERGED,
               "diverged at t = 20 s (step 5): the energy is over 10^6");
  assert_says (error, IFBAM_ERROR_DIVERGED, "amplitudes grow by 0.354 per second");
  assert_int_equal (watch.rows, 5);
}

static void
test_overflow (void **state)
{
  g_autofree char *text = oscillator ("euler", 4.0, 1000, "");
  Watch watch = { .most_calls = G_MAXUINT };
  g_autoptr (GError) error = run_watched (text, TRUE, &watch);

  (void) state;
  assert_says (error, IFBAM_ERROR_DIVERGED, "the energy is not finite any more");
  assert_says (error, IFBAM_ERROR_DIVERGED, "amplitudes grow by 0.354 per second");
  /* 17^250 is the last one below the largest number. */
  assert_in_range (watch.rows, 249, 252);
}

/* Before the divergence, and while it is searched for. */
static void
test_interrupted_divergence (void **state)
{
  const double h = sqrt (0.02); /* 697 steps to a million times the energy */
  g_autofree char *text = oscillator ("euler", h, 10000, "");
  Watch whole = { .most_calls = G_MAXUINT };
  g_autoptr (GError) error = run_watched (text, FALSE, &whole);
  guint searches = 0;

  (void) state;
  assert_says (error, IFBAM_ERROR_DIVERGED, "(step 698)");
  assert_says (error, IFBAM_ERROR_DIVERGED, "amplitudes grow by 0.07 per second");
  assert_int_equal (whole.rows, 698);
  for (guint most = 1; most <= whole.calls; most++)
    {
      Watch watch = { .most_calls = most };
      g_autoptr (GError) stopped = run_watched (text, FALSE, &watch);

      assert_int_equal (watch.calls, most);
      if (most <= 11) /* checks up to step 640 */
        {
          assert_says (stopped, IFBAM_ERROR_INTERRUPTED, "interrupted at t = ");
          assert_int_equal (watch.rows, 64 * (most - 1) + 1);
          continue;
        }
      searches++;
      assert_says (stopped, IFBAM_ERROR_DIVERGED, "diverged soon after t = ");
      assert_says (stopped, IFBAM_ERROR_DIVERGED, "(step 640): the energy is over 10^6");
      assert_says (stopped, IFBAM_ERROR_DIVERGED, "amplitudes grow by 0.07 per second");
      assert_int_equal (watch.rows, 641);
    }
  assert_true (searches > 11);
}

/* Rows of many signals, and sums over many nodes, take longer than steps: they and their writer check for interrupts, too.
 * An interrupted run has complete rows, and its message states the last one. */
static void
test_interruption_is_heard_at_long_rows (void **state)
{
  static const char *const records[] = { "network.energy", "c.*.position" };

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (records); r++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nstep = 1 ms\nduration = 1 s\nrecord = %s\n[ground g]\n[chain c]\n"
          "count = 300000\nmass = 1\nstiffness = 100\nposition = 1 mm, 0 mm\nfrom = g\n",
          records[r]);

      for (guint most = 2; most < 8; most++)
        {
          Watch watch = { .most_calls = most };
          g_autoptr (GError) stopped = run_watched (text, FALSE, &watch);
          g_autofree char *at = g_strdup_printf ("interrupted at t = %g s of 1 s", watch.last_time);

          assert_says (stopped, IFBAM_ERROR_INTERRUPTED, at);
          assert_int_equal (watch.calls, most);
          assert_in_range (watch.rows, 1, 2 * most);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_period_of_softening_spring),
    cmocka_unit_test (test_growth_at_small_steps),
    cmocka_unit_test (test_frequency_of_schemes),
    cmocka_unit_test (test_frequency_at_long_steps),
    cmocka_unit_test (test_growth_of_what_is_held),
    cmocka_unit_test (test_limits_of_schemes),
    cmocka_unit_test (test_positions_follow_polynomials),
    cmocka_unit_test (test_orders_of_tables),
    cmocka_unit_test (test_tables_of_accounts),
    cmocka_unit_test (test_ranges_are_observed),
    cmocka_unit_test (test_growth_of_original),
    cmocka_unit_test (test_growth_of_averaged),
    cmocka_unit_test (test_third_root),
    cmocka_unit_test (test_growth_of_all),
    cmocka_unit_test (test_stability_limits),
    cmocka_unit_test (test_longest_step),
    cmocka_unit_test (test_energies),
    cmocka_unit_test (test_ledger_closes),
    cmocka_unit_test (test_table_of_the_paper),
    cmocka_unit_test (test_early_divergence),
    cmocka_unit_test (test_overflow),
    cmocka_unit_test (test_interrupted_divergence),
    cmocka_unit_test (test_interruption_is_heard_at_long_rows),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

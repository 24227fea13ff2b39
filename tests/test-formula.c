/* test-formula.c: elementary functions against those of long doubles, and formulas of many values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/elementary.h"
#include "fixture.h"
#include "file/file.h"

#define N 20000

typedef struct
{
  const char *name;
  double (*own) (double);
  long double (*oracle) (long double);
  double low, high;
} Function;

/* A result may differ by one unit where the long double is within its own error of a tie. */
static void
assert_rounded (const char *name, double x, double own, long double oracle)
{
  const double ulp = nextafter (fabs (own), INFINITY) - fabs (own);

  if (!(fabsl (own - oracle) <= 0.502L * ulp))
    fail_msg ("%s of %.17g is %.17g, not %.21Lg", name, x, own, oracle);
}

static void
test_functions_are_rounded (void **state)
{
  static const Function functions[] = {
    { "sin", ifbam_exact_sine, sinl, -10, 10 },
    { "sin", ifbam_exact_sine, sinl, -1e8, 1e8 },
    { "cos", ifbam_exact_cosine, cosl, -10, 10 },
    { "tan", ifbam_exact_tangent, tanl, -10, 10 },
    { "asin", ifbam_exact_arcsine, asinl, -1, 1 },
    { "acos", ifbam_exact_arccosine, acosl, -1, 1 },
    { "atan", ifbam_exact_arctangent, atanl, -20, 20 },
    { "exp", ifbam_exact_exponential, expl, -700, 700 },
    { "log", ifbam_exact_logarithm, logl, 0, 1e6 },
    { "log", ifbam_exact_logarithm, logl, 0.999, 1.001 },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  (void) state;
  for (guint f = 0; f < G_N_ELEMENTS (functions); f++)
    for (guint i = 0; i < N; i++)
      {
        const double x = g_rand_double_range (random, functions[f].low, functions[f].high);

        assert_rounded (functions[f].name, x, functions[f].own (x), functions[f].oracle (x));
      }
  for (guint i = 0; i < N; i++)
    {
      const double x = exp (g_rand_double_range (random, -20, 20));
      const double y = i % 2 == 0 ? g_rand_double_range (random, -9, 9) : (double) (i % 19) - 9;

      assert_rounded ("power", x, ifbam_exact_power (x, y), powl (x, y));
      if (y == floor (y))
        assert_rounded ("power", -x, ifbam_exact_power (-x, y), powl (-x, y));
    }
}

static void
test_functions_at_their_limits (void **state)
{
  (void) state;
  assert_true (isnan (ifbam_exact_arcsine (1.0000000000000002)));
  assert_true (ifbam_exact_arcsine (-1) == -G_PI / 2 && ifbam_exact_arccosine (-1) == G_PI);
  assert_true (ifbam_exact_arctangent (-1e305) == -G_PI / 2);
  assert_true (ifbam_exact_logarithm (0) == -(double) INFINITY
               && isnan (ifbam_exact_logarithm (-1)));
  assert_true (ifbam_exact_exponential (710) == (double) INFINITY);
  assert_true (ifbam_exact_exponential (-746) == 0);
  assert_true (isnan (ifbam_exact_power (-2, 0.5)) && ifbam_exact_power (0, 0) == 1);
  assert_true (ifbam_exact_power (0, -1) == (double) INFINITY);
  assert_true (ifbam_exact_power (1e200, 2) == (double) INFINITY);
  assert_true (ifbam_exact_power (9, 0.5) == 3 && ifbam_exact_power (-2, 3) == -8);
}

/* Many values at once have the bits of one at a time. */
static void
test_batches (void **state)
{
  static const IfbamUnknown unknowns[] = { { "k", { { 2, 0, -4 } } }, { "m", { { 2 } } } };
  double k[150], m[150], results[150];
  const double *const inputs[] = { k, m };
  g_autofree char *reason = NULL;
  g_autoptr (IfbamFormula) formula = NULL;
  IfbamDimension dimension;
  gboolean is_bare;

  (void) state;
  formula = ifbam_expression_new ("2 * sqrt($k * $m) - -$m^1.5 / sqrt(3 kg) * sin(30 deg) / 1 s",
                                  unknowns, 2, &dimension, &is_bare, &reason);
  assert_null (reason);
  for (guint i = 0; i < G_N_ELEMENTS (k); i++)
    {
      k[i] = 1e3 + 7 * i;
      m[i] = 1 + 0.1 * i;
    }
  ifbam_formula_evaluate (formula, inputs, G_N_ELEMENTS (k), results);
  for (guint i = 0; i < G_N_ELEMENTS (k); i++)
    {
      const double values[] = { k[i], m[i] };
      const double expected = 2 * sqrt (k[i] * m[i]) - -pow (m[i], 1.5) / sqrt (3) * sin (G_PI / 6);

      assert_true (ifbam_formula_value (formula, values) == results[i]);
      assert_true (fabs (results[i] - expected) < 1e-14 * expected);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_functions_are_rounded),
    cmocka_unit_test (test_functions_at_their_limits),
    cmocka_unit_test (test_batches),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

/* test-power.c: the project's own exponential, logarithm and powers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "base/isa.h"
#include "base/power.h"
#include "fixture.h"
#include "noise.h"

#define N 8192

/* In units of the last place; none: both are the same, also where they are no numbers. */
static double
error_of (double result, long double wanted)
{
  int exponent;

  if (isnan (wanted) || isinf ((double) wanted))
    return (isnan (wanted) && isnan (result)) || result == (double) wanted ? 0.0 : INFINITY;
  frexpl (wanted, &exponent);
  return (double) (fabsl (result - wanted) / ldexpl (1, MAX (exponent, -1021) - 53));
}

typedef struct
{
  const char *name;
  double worst, x, y;
} Worst;

static void
take (Worst *worst, double result, long double wanted, double x, double y)
{
  const double error = error_of (result, wanted);

  if (!(error <= worst->worst))
    *worst = (Worst){ worst->name, error, x, y };
}

static void
assert_worst (const Worst *worst, double most)
{
  print_message ("# %s: off by %.3g units of the last place at most, at %.17g, %.17g\n",
                 worst->name, worst->worst, worst->x, worst->y);
  assert_true (worst->worst <= most);
}

/* Against the long double functions of the C library, with 11 more bits. */
static void
test_errors (void **state)
{
  const guint n = 100000 * wanted_seeds (10);
  Worst exponential = { .name = "e^x" }, near = { .name = "e^x near 0" };
  Worst logarithm = { .name = "ln x" }, power = { .name = "x^y" }, gas = { .name = "x^1.4" };

  (void) state;
  for (guint i = 0; i < n; i++)
    {
      double x = between (-745.2, 709.8), y;

      take (&exponential, ifbam_exponential (x), expl (x), x, 0);
      x = between (-1, 1);
      take (&near, ifbam_exponential (x), expl (x), x, 0);
      x = exp (between (-1, 1) * (i % 2 == 0 ? 1 : 708));
      take (&logarithm, ifbam_logarithm (x), logl (x), x, 0);
      y = between (-745, 710) / log (x);
      take (&power, ifbam_power (x, y), powl (x, y), x, y);
      x = exp (between (-5, 5));
      take (&gas, ifbam_power (x, 1.4), powl (x, 1.4), x, 1.4);
    }
  assert_worst (&exponential, 0.8);
  assert_worst (&near, 0.8);
  assert_worst (&logarithm, 0.51);
  assert_worst (&power, 0.96);
  assert_worst (&gas, 0.8);
}

/* Near the least and the largest, NaN, and where the result is just finite. */
static void
test_edges (void **state)
{
  static const double edges[] = { 0,
                                  -0.0,
                                  DBL_TRUE_MIN,
                                  1e-310,
                                  DBL_MIN,
                                  1e-300,
                                  0.5,
                                  1 - DBL_EPSILON / 2,
                                  1,
                                  1 + DBL_EPSILON,
                                  1.4,
                                  2,
                                  3,
                                  4,
                                  1074,
                                  1e300,
                                  DBL_MAX,
                                  INFINITY,
                                  NAN,
                                  709.78271289338397,
                                  709.782712893384,
                                  745.1332191019411,
                                  745.13321910194122,
                                  708.3964185322641 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      const double x = edges[i];

      assert_true (error_of (ifbam_exponential (x), expl (x)) <= 1);
      assert_true (error_of (ifbam_exponential (-x), expl (-x)) <= 1);
      assert_true (error_of (ifbam_logarithm (x), logl (x)) <= 1);
      assert_true (x == 0 || isnan (ifbam_logarithm (-x)));
      for (guint j = 0; j < 2 * G_N_ELEMENTS (edges); j++)
        {
          const double y = j % 2 == 0 ? edges[j / 2] : -edges[j / 2];

          if (!signbit (x) && !(error_of (ifbam_power (x, y), powl (x, y)) <= 1))
            fail_msg ("%.17g^%.17g: %.17g", x, y, ifbam_power (x, y));
          assert_true (x == 0 || y == 0 || isnan (ifbam_power (-x, y)));
        }
    }
}

/* Exact results are exact, and powers agree with their factors. */
static void
test_rules (void **state)
{
  (void) state;
  for (int k = -1022; k <= 1023; k++)
    {
      assert_true (ifbam_power (2, k) == ldexp (1, k));
      assert_true (ifbam_power (ldexp (1, k), 1) == ldexp (1, k));
    }
  for (double x = 0; x < 300; x++)
    assert_true (ifbam_power (x, 2) == x * x && ifbam_power (x * x, 0.5) == x);
  for (guint i = 0; i < 10000; i++)
    {
      const double x = between (0, 100);

      assert_true (ifbam_power (x, 1) == x);
      assert_true (error_of (ifbam_power (x, -1), 1.0L / x) <= 1);
    }
}

/* The same loop for each level of instructions. */
IFBAM_INLINE void
compute (const double *restrict x, const double *restrict y, double *restrict result)
{
  IFBAM_VECTOR_LOOP
  for (guint i = 0; i < N; i++)
    result[i] = ifbam_power (x[i], y[i]) + ifbam_exponential (y[i]) + 1e-3 * ifbam_logarithm (x[i]);
}

static void
compute_baseline (const double *restrict x, const double *restrict y, double *restrict result)
{
  compute (x, y, result);
}

IFBAM_TARGET_AVX2 static void
compute_avx2 (const double *restrict x, const double *restrict y, double *restrict result)
{
  compute (x, y, result);
}

IFBAM_TARGET_AVX512 static void
compute_avx512 (const double *restrict x, const double *restrict y, double *restrict result)
{
  compute (x, y, result);
}

/* A loop gives the bits of a single call, whatever the processor; and all give those that they have always given. */
static void
test_bits (void **state)
{
  void (*const loops[]) (const double *restrict, const double *restrict,
                         double *restrict) = { compute_baseline, compute_avx2, compute_avx512 };
  g_autofree double *x = g_new (double, N), *y = g_new (double, N), *result = g_new (double, N);
  guint64 sum = 14695981039346656037u; /* FNV-1a over words */

  (void) state;
  for (guint i = 0; i < N; i++)
    {
      x[i] = i % 8 == 0 ? (double) i / N : 1e-3 * i;
      y[i] = (i % 97) * 0.25 - 11;
    }
  for (guint k = 0; k <= ifbam_isa_choose (); k++)
    {
      loops[k](x, y, result);
      for (guint i = 0; i < N; i++)
        {
          const double single =
              ifbam_power (x[i], y[i]) + ifbam_exponential (y[i]) + 1e-3 * ifbam_logarithm (x[i]);

          if (ifbam_bits_of (result[i]) != ifbam_bits_of (single)
              && !(isnan (result[i]) && isnan (single)))
            fail_msg ("level %u, %.17g^%.17g: %a, not %a", k, x[i], y[i], result[i], single);
        }
    }
  for (guint i = 1; i < N; i++)
    sum = (sum ^ ifbam_bits_of (result[i])) * 1099511628211u;
  assert_int_equal (sum, UINT64_C (0x55d6c11ac72718d0));
}

static int
set_up (void **state)
{
  (void) state;
  return noise_set_up (12);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_errors),
    cmocka_unit_test (test_edges),
    cmocka_unit_test (test_rules),
    cmocka_unit_test (test_bits),
  };

  return cmocka_run_group_tests (tests, set_up, noise_tear_down);
}

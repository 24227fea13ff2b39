/* test-exact-sum.c: exact sums against integers of two thousand bits that are added bit by bit
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/exact-sum.h"
#include "base/compensated-sum.h"
#include "fixture.h"

/* Of the least double; doubles have 2098 bits, and sums some more. */
#define BITS 2176

typedef struct
{
  guint8 bit[BITS]; /* two's complement */
} Integer;

static void
add_bits (Integer *sum, const Integer *term)
{
  guint over = 0;

  for (guint i = 0; i < BITS; i++)
    {
      const guint digit = sum->bit[i] + term->bit[i] + over;

      sum->bit[i] = digit & 1;
      over = digit >> 1;
    }
}

static void
negate (Integer *number)
{
  Integer one = { { 1 } };

  for (guint i = 0; i < BITS; i++)
    number->bit[i] ^= 1;
  add_bits (number, &one);
}

static void
add_double (Integer *sum, double term)
{
  Integer digits = { { 0 } };
  int exponent;
  double rest = frexp (fabs (term), &exponent);

  /* rest is below 1: its bits are those of places exponent - 1, exponent - 2, … above 2^0 */
  for (int place = exponent - 1; rest > 0; place--)
    {
      rest *= 2;
      if (rest >= 1)
        {
          digits.bit[place + 1074] = 1;
          rest -= 1;
        }
    }
  if (term < 0)
    negate (&digits);
  add_bits (sum, &digits);
}

/* The C library rounds a text of any length. */
static double
round_bits (const Integer *sum)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Integer digits = *sum;

  if (digits.bit[BITS - 1])
    {
      negate (&digits);
      g_string_append_c (text, '-');
    }
  g_string_append (text, "0x");
  for (guint i = BITS; i > 0; i -= 4)
    g_string_append_printf (text, "%x",
                            digits.bit[i - 1] * 8u + digits.bit[i - 2] * 4u + digits.bit[i - 3] * 2u
                                + digits.bit[i - 4]);
  g_string_append (text, "p-1074");
  return g_ascii_strtod (text->str, NULL);
}

static double
oracle (const double *term, gsize n)
{
  Integer sum = { { 0 } };

  for (gsize i = 0; i < n; i++)
    add_double (&sum, term[i]);
  return round_bits (&sum);
}

static void
assert_same (double a, double b)
{
  if (memcmp (&a, &b, sizeof a) != 0 && !(isnan (a) && isnan (b)))
    fail_msg ("%a is not %a", a, b);
}

static double
one_by_one (const double *term, gsize n)
{
  IfbamExactSum sum;

  ifbam_exact_sum_clear (&sum);
  for (gsize i = 0; i < n; i++)
    ifbam_exact_sum_add (&sum, term[i]);
  return ifbam_exact_sum_round (&sum);
}

static double
at_once (const double *term, gsize n, IfbamIsa isa)
{
  IfbamExactSum sum;

  ifbam_exact_sum_clear (&sum);
  ifbam_exact_sum_add_all (&sum, term, n, isa);
  return ifbam_exact_sum_round (&sum);
}

static double
in_parts (const double *term, gsize n, gsize cut, IfbamIsa isa)
{
  IfbamExactSum sum, other;

  ifbam_exact_sum_clear (&sum);
  ifbam_exact_sum_clear (&other);
  ifbam_exact_sum_add_all (&sum, term, cut, isa);
  for (gsize i = n; i > cut; i--)
    ifbam_exact_sum_add (&other, term[i - 1]);
  ifbam_exact_sum_merge (&sum, &other);
  return ifbam_exact_sum_round (&sum);
}

/* In all ways, and in another order. */
static void
assert_sum (double *term, gsize n, double wanted, GRand *random)
{
  const IfbamIsa best = ifbam_isa_choose ();

  for (guint turn = 0; turn < 2; turn++)
    {
      assert_same (one_by_one (term, n), wanted);
      for (guint isa = 0; isa <= best; isa++)
        assert_same (at_once (term, n, isa), wanted);
      assert_same (in_parts (term, n, (gsize) g_rand_int_range (random, 0, (gint32) n + 1), best),
                   wanted);
      for (gsize i = n; i > 1; i--)
        {
          const gsize k = (gsize) g_rand_int_range (random, 0, (gint32) i);
          const double swap = term[i - 1];

          term[i - 1] = term[k];
          term[k] = swap;
        }
    }
}

/* A number with all kinds of bits, with its exponent within a span about a middle. */
static double
draw (GRand *random, int middle, int span)
{
  double digits = 1 + g_rand_double (random);

  if (g_rand_int_range (random, 0, 4) == 0)
    digits = 1; /* ties come from powers of two */
  if (g_rand_int_range (random, 0, 20) == 0)
    return 0;
  digits = ldexp (digits, middle + g_rand_int_range (random, -span, span + 1));
  if (isinf (digits))
    digits = DBL_MAX;
  return g_rand_boolean (random) ? digits : -digits;
}

static void
test_random (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (29);
  static const int middles[] = { 0, 0, 700, 1000, -1000, -1050, 3 };
  static const int spans[] = { 3, 25, 31, 40, 70, 300, 1070 };

  (void) state;
  for (guint run = 0; run < 400; run++)
    {
      const gsize n = (gsize) g_rand_int_range (random, 0, run % 10 == 0 ? 200 : 40);
      const int middle = middles[g_rand_int_range (random, 0, G_N_ELEMENTS (middles))];
      const int span = spans[g_rand_int_range (random, 0, G_N_ELEMENTS (spans))];
      g_autofree double *term = g_new (double, 2 * n + 1);
      gsize count = n;

      for (gsize i = 0; i < n; i++)
        term[i] = draw (random, middle, span);
      /* Half of the runs take nearly all of it off again. */
      for (gsize i = 0; run % 2 == 0 && i + 1 < n; i++)
        term[count++] = -term[i];
      assert_sum (term, count, oracle (term, count), random);
    }
}

static void
test_ties (void **state)
{
  static double terms[][4] = {
    { 1, DBL_EPSILON / 2, 0, 0 },
    { 1, DBL_EPSILON / 2, 5e-324, 0 },
    { 1, DBL_EPSILON / 2, -5e-324, 0 },
    { 1 + DBL_EPSILON, DBL_EPSILON / 2, 0, 0 },
    { 1 + DBL_EPSILON, DBL_EPSILON / 2, -1e-200, 0 },
    { -1 - DBL_EPSILON, -DBL_EPSILON / 2, 1e-200, 0 },
    { 1e308, 1e-308, -1e308, 5e-324 },
    { 5e-324, 5e-324, -5e-324, 0 },
    { DBL_MIN, -5e-324, 0, 0 },
    { DBL_MIN, -5e-324, 5e-324, -DBL_MIN },
    { 0x1p1000, 0x1p-1000, -0x1p1000, -0x1p-1000 },
    { DBL_MAX, 0x1p969, 0, 0 },        /* just below the tie to infinity */
    { DBL_MAX, 0x1p970, 0, 0 },        /* the tie */
    { DBL_MAX, 0x1p970, -5e-324, 0 },  /* below it by next to nothing */
    { DBL_MAX, DBL_MAX, -DBL_MAX, 1 }, /* over, and back */
    { -DBL_MAX, -DBL_MAX, DBL_MAX, 0 },
    { DBL_MAX, DBL_MAX, 0, 0 },
    { -DBL_MAX, -DBL_MAX, 0, 0 },
    { -0.0, -0.0, 0, 0 },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (terms); i++)
    for (gsize n = 1; n <= 4; n++)
      assert_sum (terms[i], n, oracle (terms[i], n), random);
  assert_same (one_by_one (NULL, 0), 0.0);
}

static void
test_not_finite (void **state)
{
  static const struct
  {
    double term[3], sum;
  } cases[] = {
    { { INFINITY, 1, -1e300 }, INFINITY },
    { { -INFINITY, 1, 1e300 }, -INFINITY },
    { { DBL_MAX, DBL_MAX, -INFINITY }, -INFINITY },
    { { INFINITY, -INFINITY, 1 }, NAN },
    { { NAN, 1, 2 }, NAN },
    { { NAN, INFINITY, 2 }, NAN },
    { { DBL_MAX, INFINITY, DBL_MAX }, INFINITY },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double term[40] = { 0 };

      memcpy (term, cases[i].term, sizeof cases[i].term);
      assert_sum (term, G_N_ELEMENTS (term), cases[i].sum, random);
      assert_sum (term, 1, isnan (term[0]) ? NAN : term[0] + 0.0, random);
      term[0] = INFINITY;
      term[1] = -INFINITY;
      assert_sum (term, 2, NAN, random);
    }
}

/* More than windows and blocks take: a sum that is known. */
static void
test_many (void **state)
{
  const gsize n = 100000;
  g_autofree double *term = g_new (double, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  (void) state;
  for (gsize i = 0; i < n; i++)
    term[i] = i % 2 == 0 ? 0x1.8p52 + (double) i : -0x1.8p52;
  /* 0 + 2 + 4 + … */
  assert_sum (term, n, (double) (n / 2) * (double) (n / 2 - 1), random);
  for (gsize i = 0; i < n; i++)
    term[i] = DBL_MAX * (i < n / 2 ? 1 : -1);
  term[n / 3] += 0;
  assert_sum (term, n, 0, random);
  for (gsize i = 0; i < n; i++)
    term[i] = 0x1p-1074;
  assert_sum (term, n, (double) n * 0x1p-1074, random);
}

/* Terms one by one over time: sums of two doubles lose as little, in any order. */
static void
test_tally (void **state)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (7);
  IfbamCompensatedSum tally = { 0, 0 };
  IfbamExactSum exact;
  double plain = 0;

  (void) state;
  ifbam_exact_sum_clear (&exact);
  for (guint i = 0; i < 3000000; i++)
    {
      const double term = ldexp (g_rand_double_range (noise, -1, 1.001), i % 40 - 20);

      ifbam_compensated_sum_add (&tally, term);
      ifbam_exact_sum_add (&exact, term);
      plain += term;
    }
  assert_true (ifbam_compensated_sum_value (&tally) == ifbam_exact_sum_round (&exact));
  assert_true (plain != ifbam_exact_sum_round (&exact));
  ifbam_compensated_sum_add (&tally, INFINITY);
  ifbam_compensated_sum_add (&tally, 1);
  assert_true (ifbam_compensated_sum_value (&tally) == INFINITY);
}

/* Three sources act on a given motion: two of them supply and take 1e16 W, the third 1 W, in any order. */
static void
test_powers (void **state)
{
  static const char *const values[] = { "1e16", "1", "-1e16" };
  static const IfbamEngineKind kinds[] = { IFBAM_ENGINE_PLAN, IFBAM_ENGINE_OBJECTS };

  (void) state;
  for (guint first = 0; first < 3; first++)
    for (guint second = 0; second < 3; second++)
      {
        const guint third = 3 - first - second;
        g_autofree char *text = NULL;

        if (second == first)
          continue;
        text = g_strdup_printf (
            "[network]\nscheme = rk4\nstep = 0.5\nduration = 1\nrecord = network.supplied\n"
            "[mass a]\nmass = 1e40\nvelocity = 1\n[mass b]\nmass = 1e40\nvelocity = 1\n"
            "[force f]\non = a\nvalue = %s\n[force g]\non = b\nvalue = %s\n"
            "[force h]\non = a\nvalue = %s\n",
            values[first], values[second], values[third]);
        for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
          {
            g_autoptr (IfbamNetwork) network = text_network (text);
            g_autoptr (IfbamCourse) course = network_course (network, kinds[k]);

            assert_true (course_last (course, "network.supplied") == 1);
          }
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_tally), cmocka_unit_test (test_random),
    cmocka_unit_test (test_ties),  cmocka_unit_test (test_not_finite),
    cmocka_unit_test (test_many),  cmocka_unit_test (test_powers),
  };

  return cmocka_run_group_tests_name ("exact sums", tests, folder_make, folder_remove);
}

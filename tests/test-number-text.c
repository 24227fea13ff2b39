/* test-number-text.c: numbers print as the shortest text that reads back to them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/number-text.h"

static gsize
count_digits (const char *text)
{
  const char *p = text + (*text == '-');
  gsize n = 0, significant = 0;

  for (; *p != '\0' && *p != 'e'; p++)
    if (g_ascii_isdigit (*p) && (n > 0 || *p != '0'))
      {
        n++;
        if (*p != '0')
          significant = n;
      }
  return significant;
}

/* The number is read back, to the last bit; one digit fewer would not do, nor is another text of as many
 * nearer. */
static void
check (double number)
{
  char fewer[64], nearest[64];
  const char *text = IFBAM_NUMBER (number);
  const double read = g_ascii_strtod (text, NULL);
  const int n = (int) MAX (count_digits (text), 1);
  int exponent;

  if (memcmp (&read, &number, sizeof number) != 0)
    fail_msg ("%.17g is written %s, which reads %.17g", number, text, read);
  assert_true (strlen (text) < IFBAM_NUMBER_SIZE);
  g_snprintf (fewer, sizeof fewer, "%.*e", MAX (n - 2, 0), number);
  if (n > 1 && g_ascii_strtod (fewer, NULL) == number)
    fail_msg ("%.17g is written %s, where %s would do", number, text, fewer);
  g_snprintf (nearest, sizeof nearest, "%.*g", n, number);
  /* Below a power of two the neighbour is nearer: the nearest text may not read back. */
  if (fabs (frexp (number, &exponent)) != 0.5 && (n > 16 || strchr (nearest, 'e') == NULL))
    assert_string_equal (text, nearest);
}

static void
test_words (void **state)
{
  static const struct
  {
    double number;
    const char *text;
  } known[] = { { 0.1, "0.1" },
                { -0.0, "-0" },
                { 0, "0" },
                { 1, "1" },
                { 100, "100" },
                { -12.5, "-12.5" },
                { 1e9, "1000000000" },
                { 123456789012, "123456789012" },
                { 1e16, "10000000000000000" },
                { 1e17, "1e+17" },
                { 1e22, "1e+22" },
                { 1e23, "1e+23" },
                { 0.0001, "0.0001" },
                { 0.00001, "1e-05" },
                { 1.5e-5, "1.5e-05" },
                { 0.1 + 0.2, "0.30000000000000004" },
                { 1.0 / 3, "0.3333333333333333" },
                { 2.0 / 3, "0.6666666666666666" },
                { 5e-324, "5e-324" },
                { DBL_MIN, "2.2250738585072014e-308" },
                { DBL_MAX, "1.7976931348623157e+308" },
                { 9007199254740993.0, "9007199254740992" },
                { 0x1p-44, "5.684341886080802e-14" },
                { 9.5367431640625e-07, "9.5367431640625e-07" },
                { 2e-44, "2e-44" },
                { INFINITY, "inf" },
                { -INFINITY, "-inf" },
                { NAN, "nan" } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    assert_string_equal (IFBAM_NUMBER (known[i].number), known[i].text);
}

static void
test_all_powers (void **state)
{
  (void) state;
  for (int k = -324; k <= 308; k++)
    {
      char text[16];

      g_snprintf (text, sizeof text, "1e%d", k);
      check (g_ascii_strtod (text, NULL));
      if (k > -324)
        check (nextafter (g_ascii_strtod (text, NULL), 0));
      check (nextafter (g_ascii_strtod (text, NULL), INFINITY));
    }
  for (int k = -1074; k < 1024; k++)
    {
      check (ldexp (1, k));
      check (nextafter (ldexp (1, k), INFINITY));
      check (-nextafter (ldexp (1, k), 0));
    }
}

/* Any bits; then numbers as people write them, with few digits. */
static void
test_random (void **state)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);

  (void) state;
  for (guint i = 0; i < 300000; i++)
    {
      const guint64 bits = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);
      double number;

      memcpy (&number, &bits, sizeof number);
      if (isfinite (number))
        check (number);
      check (g_rand_int_range (rand, -99999, 99999) * pow (10, g_rand_int_range (rand, -12, 12)));
      check (g_rand_double_range (rand, -1, 1));
    }
}

/* A number of few digits is written with these, however it is scaled. */
static void
test_few_digits (void **state)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);

  (void) state;
  for (guint i = 0; i < 100000; i++)
    {
      const int exponent = g_rand_int_range (rand, -290, 290);
      g_autofree char *said =
          g_strdup_printf ("%de%d", g_rand_int_range (rand, 1, 1000000000), exponent);
      const char *text = IFBAM_NUMBER (g_ascii_strtod (said, NULL));

      *strchr (said, 'e') = '\0';
      if (count_digits (text) > count_digits (said))
        fail_msg ("%se%d is written %s", said, exponent, text);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_words),
    cmocka_unit_test (test_all_powers),
    cmocka_unit_test (test_random),
    cmocka_unit_test (test_few_digits),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

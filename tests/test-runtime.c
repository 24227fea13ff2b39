/* test-runtime.c: the replacements of GLib in the core against GLib
 *
 * Built twice: test-runtime with GLib, which is the yardstick, test-runtime-core with src/port. Only what both have
 * is used, cmocka included.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static int
compare_tens (gconstpointer a, gconstpointer b)
{
  return *(const int *) a / 10 - *(const int *) b / 10;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static int
compare_with (gconstpointer a, gconstpointer b, gpointer data)
{
  return *(int *) data * compare_tens (a, b);
}

static void
test_memory (void **state)
{
  double *numbers = g_new0 (double, 3);
  char *none = NULL, *stolen, *copy = g_memdup2 ("word", 5), *one = g_aligned_alloc (100, 1, 64);

  (void) state;
  assert_null (g_malloc (0));
  assert_null (g_malloc0 (0));
  assert_null (g_new (double, 0));
  assert_null (g_try_malloc0 (0));
  assert_null (g_memdup2 (NULL, 3));
  assert_null (g_memdup2 ("word", 0));
  assert_null (g_aligned_alloc (0, 8, 64));
  assert_null (g_aligned_alloc0 (0, 8, 64));
  assert_null (g_renew (double, NULL, 0));
  assert_true (numbers[0] == 0 && numbers[2] == 0);
  numbers = g_renew (double, numbers, 1000);
  assert_true (numbers[2] == 0);
  assert_null (g_renew (double, numbers, 0));
  assert_string_equal (copy, "word");
  assert_int_equal ((gsize) one % 64, 0);
  stolen = g_steal_pointer (&copy);
  assert_null (copy);
  assert_string_equal (stolen, "word");
  g_free (stolen);
  g_clear_pointer (&none, g_free);
  g_free (none);
  g_aligned_free (one);
  one = g_aligned_alloc0 (100, 1, 64);
  assert_int_equal (one[99], 0);
  g_aligned_free (one);
  one = g_try_malloc0 (4);
  assert_int_equal (one[3], 0);
  g_clear_pointer (&one, g_free);
  assert_null (one);
}

static void
test_once (void **state)
{
  static gsize place;
  guint entered = 0;

  (void) state;
  for (int i = 0; i < 2; i++)
    if (g_once_init_enter (&place))
      {
        entered++;
        g_once_init_leave (&place, 7);
      }
  assert_int_equal (entered, 1);
  assert_int_equal (place, 7);
}

enum
{
  PLACES = 16
};

/* Two threads that both make the first call. */
typedef struct
{
  pthread_barrier_t side_by_side;
  gsize place[PLACES];
  guint entered[PLACES];
} Race;

static gpointer
run_race (gpointer data)
{
  Race *race = data;

  for (guint i = 0; i < PLACES; i++)
    {
      pthread_barrier_wait (&race->side_by_side);
      if (g_once_init_enter (&race->place[i]))
        {
          for (guint k = 0; k < 4; k++)
            sched_yield (); /* the other one comes, and waits */
          race->entered[i]++;
          g_once_init_leave (&race->place[i], i + 1);
        }
      else if (race->place[i] != i + 1)
        return race;
    }
  return NULL;
}

static void
test_once_in_two_threads (void **state)
{
  Race race = { .entered = { 0 } };
  pthread_t other;
  gpointer bad;

  (void) state;
  assert_int_equal (pthread_barrier_init (&race.side_by_side, NULL, 2), 0);
  assert_int_equal (pthread_create (&other, NULL, run_race, &race), 0);
  assert_null (run_race (&race));
  assert_int_equal (pthread_join (other, &bad), 0);
  assert_null (bad);
  pthread_barrier_destroy (&race.side_by_side);
  for (guint i = 0; i < PLACES; i++)
    assert_true (race.entered[i] == 1 && race.place[i] == i + 1);
}

/* Equal ones stay in their order. */
static void
test_sorting (void **state)
{
  const int given[] = { 31, 12, 35, 11, 5, 32, 19 }, wanted[] = { 5, 12, 11, 19, 31, 35, 32 };
  const int falling[] = { 31, 35, 32, 12, 11, 19, 5 };
  int numbers[G_N_ELEMENTS (given)], sign = -1;

  (void) state;
  memcpy (numbers, given, sizeof given);
  sign = 1;
  g_qsort_with_data (numbers, G_N_ELEMENTS (numbers), sizeof *numbers, compare_with, &sign);
  assert_memory_equal (numbers, wanted, sizeof wanted);
  sign = -1;
  memcpy (numbers, given, sizeof given);
  g_qsort_with_data (numbers, G_N_ELEMENTS (numbers), sizeof *numbers, compare_with, &sign);
  assert_memory_equal (numbers, falling, sizeof falling);
}

static guint cleared;

static void
clear_number (gpointer number)
{
  cleared += (guint) * (int *) number;
}

static void
test_arrays (void **state)
{
  const int numbers[] = { 21, 10, 12 };
  GArray *array = g_array_new (FALSE, TRUE, sizeof (int));
  int *data, one = 1;

  (void) state;
  g_array_append_vals (array, NULL, 0);
  assert_int_equal (array->len, 0);
  g_array_append_vals (array, numbers, 3);
  g_array_sort (array, compare_tens);
  assert_int_equal (g_array_index (array, int, 0), 10);
  assert_int_equal (g_array_index (array, int, 2), 21);
  g_array_set_size (array, 40); /* new memory is 0 */
  assert_int_equal (g_array_index (array, int, 39), 0);
  assert_int_equal (g_array_index (array, int, 2), 21);
  cleared = 0;
  g_array_set_clear_func (array, clear_number);
  g_array_remove_index (array, 0);
  assert_int_equal (cleared, 10);
  assert_int_equal (g_array_index (array, int, 0), 12);
  assert_int_equal (array->len, 39);
  g_array_set_size (array, 1);
  assert_int_equal (cleared, 31);
  g_array_remove_range (array, 0, 1);
  assert_int_equal (cleared, 43);
  g_array_append_val (array, one);
  assert_ptr_equal (g_array_ref (array), array);
  g_array_unref (array);
  assert_int_equal (cleared, 43);
  g_array_unref (array);
  assert_int_equal (cleared, 44);

  array = g_array_new (FALSE, FALSE, sizeof (int));
  for (int i = 0; i < 100; i++)
    g_array_append_val (array, i);
  g_array_set_size (array, 90);
  g_array_set_size (array, 95);
  assert_int_equal (g_array_index (array, int, 89), 89);
  data = (int *) (void *) g_array_free (array, FALSE);
  assert_int_equal (data[50], 50);
  g_free (data);
  array = g_array_new (FALSE, FALSE, sizeof (int));
  assert_null (g_array_free (array, TRUE));
}

static guint freed;

static void
free_text (gpointer text)
{
  freed++;
  g_free (text);
}

static void
test_pointer_arrays (void **state)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (free_text), *others = g_ptr_array_new ();

  (void) state;
  for (int i = 0; i < 40; i++)
    g_ptr_array_add (texts, g_strdup_printf ("%02d", 39 - i));
  g_ptr_array_sort (texts, compare_texts);
  assert_string_equal (texts->pdata[7], "07");
  g_ptr_array_add (others, texts->pdata[7]);
  g_ptr_array_unref (others);
  assert_string_equal (texts->pdata[7], "07");
  freed = 0;
  g_ptr_array_unref (texts);
  assert_int_equal (freed, 40);
}

static void
test_tables (void **state)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, free_text, free_text);
  GHashTable *plain = g_hash_table_new (NULL, NULL), *numbers;
  GHashTableIter iter;
  gpointer key, value, *keys;
  const gint64 long_one = 1, long_two = ((gint64) 1 << 40) + 1;
  gint64 same = long_two;
  guint n = 0;

  (void) state;
  freed = 0;
  for (int i = 0; i < 100; i++)
    assert_true (
        g_hash_table_insert (table, g_strdup_printf ("k%d", i), g_strdup_printf ("%d", i)));
  assert_int_equal (g_hash_table_size (table), 100);
  assert_string_equal (g_hash_table_lookup (table, "k42"), "42");
  assert_null (g_hash_table_lookup (table, "k100"));
  assert_true (g_hash_table_contains (table, "k0"));
  assert_false (g_hash_table_contains (table, "0"));
  /* The old key stays; the new one and the old value go. */
  assert_false (g_hash_table_insert (table, g_strdup ("k42"), g_strdup ("other")));
  assert_int_equal (freed, 2);
  assert_string_equal (g_hash_table_lookup (table, "k42"), "other");
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    n += strcmp (value, "other") == 0 || strcmp ((char *) key + 1, value) == 0;
  assert_int_equal (n, 100);
  g_hash_table_iter_init (&iter, table);
  assert_true (g_hash_table_iter_next (&iter, NULL, &value));
  assert_true (g_hash_table_iter_next (&iter, &key, NULL));
  g_hash_table_unref (table);
  assert_int_equal (freed, 202);

  assert_true (g_hash_table_add (plain, (gpointer) &long_one));
  assert_false (g_hash_table_add (plain, (gpointer) &long_one));
  keys = g_hash_table_get_keys_as_array (plain, &n);
  assert_int_equal (n, 1);
  assert_ptr_equal (keys[0], &long_one);
  g_free (keys);
  g_hash_table_unref (plain);

  numbers = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_hash_table_insert (numbers, (gpointer) &long_one, "one");
  g_hash_table_insert (numbers, (gpointer) &long_two, "two");
  assert_string_equal (g_hash_table_lookup (numbers, &same), "two");
  same = 2;
  assert_null (g_hash_table_lookup (numbers, &same));
  g_hash_table_unref (numbers);
}

/* "a|b": a text in parts. */
static void
assert_parts (const char *text, const char *delimiter, const char *joined, guint n)
{
  g_auto (GStrv) parts = g_strsplit (text, delimiter, -1);
  g_autofree char *again = g_strjoinv ("|", parts);

  assert_string_equal (again, joined);
  assert_int_equal (g_strv_length (parts), n);
}

static void
assert_stripped (const char *text, const char *wanted)
{
  g_autofree char *copy = g_strdup (text);

  assert_string_equal (g_strstrip (copy), wanted);
}

static void
test_texts (void **state)
{
  g_autofree char *short_one = g_strndup ("letter", 3), *whole = g_strndup ("let", 30);
  g_autofree char *printed = g_strdup_printf ("%d %s", 3, "words");
  char *end;

  (void) state;
  assert_null (g_strdup (NULL));
  assert_string_equal (short_one, "let");
  assert_string_equal (whole, "let");
  assert_string_equal (printed, "3 words");
  assert_true (g_str_equal ("a", "a") && !g_str_equal ("a", "b"));
  assert_parts ("a,b,,c", ",", "a|b||c", 4);
  assert_parts ("a, b,", ", ", "a|b,", 2);
  assert_parts ("a,", ",", "a|", 2);
  assert_parts (",", ",", "|", 2);
  assert_parts ("", ",", "", 0);
  assert_true (g_str_has_suffix ("name.csv", ".csv"));
  assert_false (g_str_has_suffix ("name.csv", ".txt"));
  assert_false (g_str_has_suffix ("csv", ".csv"));
  assert_stripped (" \t a b\r\n", "a b");
  assert_stripped ("a", "a");
  assert_stripped ("  ", "");
  assert_ptr_equal (g_intern_string (short_one), g_intern_string (whole));
  assert_ptr_not_equal (g_intern_string (short_one), g_intern_string ("tel"));
  assert_int_equal (g_ascii_strtoull ("18446744073709551615 m", &end, 10), G_MAXUINT64);
  assert_string_equal (end, " m");
  assert_null (g_getenv ("IFBAM_NO_SUCH_VARIABLE"));
  assert_non_null (g_getenv ("PATH"));
  g_strfreev (NULL);
}

static void
test_strings (void **state)
{
  GString *string = g_string_new (NULL);
  char *text;

  (void) state;
  assert_string_equal (string->str, "");
  g_string_append (string, "a-b-c");
  g_string_append_printf (string, "-%d", 4);
  assert_int_equal (string->len, 7);
  assert_int_equal (g_string_replace (string, "-", "+-", 2), 2);
  assert_string_equal (string->str, "a+-b+-c-4");
  assert_int_equal (g_string_replace (string, "+-", "", 0), 2);
  assert_string_equal (string->str, "abc-4");
  assert_int_equal (g_string_replace (string, "x", "y", 0), 0);
  text = g_string_free (string, FALSE);
  assert_string_equal (text, "abc-4");
  g_free (text);
  assert_null (g_string_free (g_string_new ("gone"), TRUE));
}

static void
test_string_ends (void **state)
{
  GString *string = g_string_new_len ("abcdef", 3);
  char blanks[] = " \t a b\f\n", letters[] = "a,b;c";
  const char *const words[] = { "one", "two", NULL };
  g_autofree char *joined = g_strconcat ("a", "", "bc", NULL);

  (void) state;
  for (guint i = 0; i < 1000; i++)
    g_string_append_c (string, (char) ('a' + i % 26));
  g_string_append_len (string, "xyz", 2);
  assert_int_equal (string->len, 1005);
  assert_string_equal (string->str + 1001, "klxy");
  assert_string_equal (g_string_truncate (string, 4)->str, "abca");
  g_string_free (string, TRUE);
  assert_string_equal (joined, "abc");
  assert_string_equal (g_strchomp (g_strchug (blanks)), "a b");
  assert_string_equal (g_strdelimit (letters, ",;", '.'), "a.b.c");
  assert_true (g_strv_contains (words, "two") && !g_strv_contains (words, "tw"));
  assert_true (g_str_has_prefix ("name", "na") && !g_str_has_prefix ("n", "na"));
  assert_int_equal (g_ascii_strncasecmp ("Kilo", "kILogram", 4), 0);
}

/* Each byte belongs to the classes of ASCII. */
static void
test_letters (void **state)
{
  (void) state;
  for (int i = 0; i < 256; i++)
    {
      const char c = (char) i;
      const gboolean is_small = i >= 'a' && i <= 'z', is_large = i >= 'A' && i <= 'Z';
      const gboolean is_digit = i >= '0' && i <= '9';

      assert_true (!g_ascii_isalpha (c) == !(is_small || is_large));
      assert_true (!g_ascii_isalnum (c) == !(is_small || is_large || is_digit));
      assert_true (!g_ascii_isdigit (c) == !is_digit);
      assert_true (!g_ascii_isxdigit (c)
                   == !(is_digit || (i >= 'a' && i <= 'f') || (i >= 'A' && i <= 'F')));
      assert_true (!g_ascii_isspace (c) == (i == 0 || strchr (" \t\n\f\r", i) == NULL));
      assert_true (!g_ascii_iscntrl (c) == !(i < 32 || i == 127));
      assert_int_equal (g_ascii_tolower (c), is_large ? (char) (i + 32) : c);
    }
}

static void
assert_utf8 (const char *text, gssize n, gssize valid)
{
  const char *end;

  assert_int_equal (g_utf8_validate (text, n, &end), valid == (n < 0 ? (gssize) strlen (text) : n));
  assert_int_equal (end - text, valid);
  assert_int_equal (g_utf8_validate (text, n, NULL), g_utf8_validate (text, n, &end));
}

static void
test_utf8 (void **state)
{
  (void) state;
  assert_utf8 ("", -1, 0);
  assert_utf8 ("a\xc2\xb5\xe2\x82\xac\xf0\x9f\x98\x80z", -1, 11);
  assert_utf8 ("a\xc2\xb5", 2, 1);
  assert_utf8 ("ab\0c", 4, 2);
  assert_utf8 ("a\x80", -1, 1);
  assert_utf8 ("a\xc0\x80", -1, 1);         /* longer than it need be */
  assert_utf8 ("a\xe0\x80\x80", -1, 1);     /* the same */
  assert_utf8 ("a\xf0\x80\x80\x80", -1, 1); /* the same */
  assert_utf8 ("a\xed\xa0\x80", -1, 1);     /* half a pair of UTF-16 */
  assert_utf8 ("a\xf4\x90\x80\x80", -1, 1); /* beyond the last code */
  assert_utf8 ("a\xf4\x8f\xbf\xbf", -1, 5);
  assert_utf8 ("a\xe2\x82", -1, 1);
}

/* Decimal numbers have the bits of the C library, in its locale "C". */
static void
test_numbers (void **state)
{
  static const char *const texts[] = { "0",
                                       "-0",
                                       "1e22",
                                       "1e23",
                                       "5e-324",
                                       "2.4703282292062327e-324",
                                       "2.4703282292062328e-324",
                                       "1e309",
                                       "1e-400",
                                       ".5",
                                       "5.",
                                       "1e",
                                       "1e+",
                                       "-1.5E+3x",
                                       "000.0001",
                                       "9007199254740993",
                                       "9007199254740993.0000000000000000000000001",
                                       "1e400000",
                                       "0e500000",
                                       ".",
                                       "-",
                                       "x" };
  char text[1100];
  guint64 bits = 1;

  (void) state;
  for (guint i = 0; i < 40000; i++)
    {
      double number, own, oracle;
      char *end, *expected;

      bits = bits * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      memcpy (&number, &bits, sizeof number);
      if (i < G_N_ELEMENTS (texts))
        g_snprintf (text, sizeof text, "%s", texts[i]);
      else if (!(number > -1e300 && number < 1e300))
        continue;
      else if (i % 4 == 0) /* half-way to the next one, with all digits */
        snprintf (text, sizeof text, "%.800Lg",
                  ((long double) number + (long double) nextafter (number, INFINITY)) / 2);
      else
        snprintf (text, sizeof text, "%.*g", 1 + (int) (i % 20), number);
      own = g_ascii_strtod (text, &end);
      oracle = strtod (text, &expected);
      if (memcmp (&own, &oracle, sizeof own) != 0 || end != expected)
        fail_msg ("%s is %.17g, not %.17g", text, own, oracle);
    }
  assert_string_equal (g_ascii_formatd (text, sizeof text, "%.6g", 0.1591549430918953), "0.159155");
}

static void
test_patterns (void **state)
{
  static const struct
  {
    const char *pattern, *text;
    gboolean fits;
  } cases[] = {
    { "", "", TRUE },
    { "", "a", FALSE },
    { "*", "", TRUE },
    { "**", "", TRUE },
    { "?", "", FALSE },
    { "m?", "m1", TRUE },
    { "m?", "m12", FALSE },
    { "m*", "m12", TRUE },
    { "m*2", "m1232", TRUE },
    { "m*2", "m123", FALSE },
    { "*.force", "k1.force", TRUE },
    { "*.force", "k1.force2", FALSE },
    { "a*b*c", "axbxbxc", TRUE },
    { "a*b*c", "axcxb", FALSE },
    { "k", "m", FALSE },
    { "?x", "µx", TRUE }, /* a letter of two bytes is one */
    { "*?x", "aµx", TRUE },
    { "*x?", "µxµ", TRUE },
    { "??x", "µx", FALSE },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPatternSpec) pattern = g_pattern_spec_new (cases[i].pattern);

      if (g_pattern_spec_match_string (pattern, cases[i].text) != cases[i].fits)
        fail_msg ("\"%s\" and \"%s\"", cases[i].pattern, cases[i].text);
    }
}

static void
test_rest (void **state)
{
  const double numbers[] = { 1, 2, 3 };
  GVariant *variant;
  const double *values;
  GError *error = NULL;
  gsize n;

  (void) state;
  assert_true (g_get_num_processors () > 0);
  assert_int_equal (g_bit_nth_lsf (0, -1), -1);
  assert_int_equal (g_bit_nth_lsf (0x28, -1), 3);
  assert_int_equal (g_bit_nth_lsf (0x28, 3), 5);
  assert_int_equal (g_bit_nth_lsf (0x28, 5), -1);
  g_set_error (NULL, g_quark_from_static_string ("nobody"), 3, "not heard");
  g_set_error (&error, g_quark_from_static_string ("somebody"), 3, "%d heard", 1);
  assert_string_equal (error->message, "1 heard");
  assert_int_equal (error->code, 3);
  assert_int_equal (error->domain, g_quark_from_static_string ("somebody"));
  g_error_free (error);

  variant = g_variant_ref_sink (
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, 3, sizeof (double)));
  assert_ptr_equal (g_variant_ref (variant), variant);
  g_variant_unref (variant);
  values = g_variant_get_fixed_array (variant, &n, sizeof (double));
  assert_int_equal (n, 3);
  assert_true (values[2] == 3);
  g_variant_unref (variant);
  variant = g_variant_ref_sink (
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, NULL, 0, sizeof (double)));
  g_variant_get_fixed_array (variant, &n, sizeof (double));
  assert_int_equal (n, 0);
  g_variant_unref (variant);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_memory),
    cmocka_unit_test (test_once),
    cmocka_unit_test (test_once_in_two_threads),
    cmocka_unit_test (test_sorting),
    cmocka_unit_test (test_arrays),
    cmocka_unit_test (test_pointer_arrays),
    cmocka_unit_test (test_tables),
    cmocka_unit_test (test_texts),
    cmocka_unit_test (test_strings),
    cmocka_unit_test (test_string_ends),
    cmocka_unit_test (test_letters),
    cmocka_unit_test (test_utf8),
    cmocka_unit_test (test_numbers),
    cmocka_unit_test (test_patterns),
    cmocka_unit_test (test_rest),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

/* test-unit-system.c: units against UDUNITS-2, if its library is there: validity, dimensions, bits of factors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "file/unit-system.h"
#include "fixture.h"

/* Functions of udunits2.h; UTF8 is its encoding. */
#define UTF8 2

static struct
{
  void *system;
  void *(*parse) (const void *system, const char *text, int encoding);
  void (*free) (void *unit);
  void *(*multiply) (const void *a, const void *b);
  void *(*raise) (const void *unit, int power);
  int (*is_dimensionless) (const void *unit);
  int (*are_convertible) (const void *a, const void *b);
  void *(*get_converter) (void *from, void *to);
  double (*convert) (const void *converter, double value);
  void (*free_converter) (void *converter);
} ut;

static gboolean
open_library (void)
{
  void *library = dlopen ("libudunits2.so.0", RTLD_NOW);
  void *(*read) (const char *path);
  void *(*silence) (void *handler);

  if (library == NULL)
    return FALSE;
  *(void **) &read = dlsym (library, "ut_read_xml");
  *(void **) &silence = dlsym (library, "ut_set_error_message_handler");
  *(void **) &ut.parse = dlsym (library, "ut_parse");
  *(void **) &ut.free = dlsym (library, "ut_free");
  *(void **) &ut.are_convertible = dlsym (library, "ut_are_convertible");
  *(void **) &ut.get_converter = dlsym (library, "ut_get_converter");
  *(void **) &ut.convert = dlsym (library, "cv_convert_double");
  *(void **) &ut.free_converter = dlsym (library, "cv_free");
  silence (dlsym (library, "ut_ignore"));
  ut.system = read (NULL);
  return ut.system != NULL;
}

/* Returns the basic units of a dimension, "m kg-2" (transfer full). */
static char *
dimension_text (const IfbamUnit *unit)
{
  static const char *const basic[] = { "kg", "m", "s", "A", "K", "mol", "cd", "rad" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (basic); i++)
    if (unit->dimension.halves[i] != 0)
      g_string_append_printf (text, "%s%s%d", text->len > 0 ? " " : "", basic[i],
                              unit->dimension.halves[i] / 2);
  return g_string_free (text, FALSE);
}

/* TRUE for texts that UDUNITS takes otherwise: "deg", "rev"; names such as "percent" behind a blank, where it
 * takes "per" for a division (and "ref" for an offset); a ")" too many, which it overlooks. */
static gboolean
is_added (const char *text)
{
  g_autofree char *small = g_ascii_strdown (text, -1);
  const char *per = strstr (small, " per");
  int depth = 0;

  for (const char *c = text; *c != '\0' && depth >= 0; c++)
    depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
  return depth < 0 || strstr (small, "deg") != NULL || strstr (small, "rev") != NULL
         || strstr (small, " ref") != NULL || (per != NULL && g_ascii_isalpha (per[4]));
}

static void
compare (const char *text)
{
  IfbamUnit unit;
  const gboolean is_unit = ifbam_unit_parse (text, &unit);
  void *other = ut.parse (ut.system, text, UTF8), *base, *converter;
  g_autofree char *basic = is_unit ? dimension_text (&unit) : NULL;

  if (is_added (text))
    {
      ut.free (other);
      return;
    }
  if (is_unit != (other != NULL))
    fail_msg ("\"%s\" is %s unit", text, is_unit ? "a" : "no");
  if (!is_unit)
    return;
  base = ut.parse (ut.system, basic, UTF8);
  converter = unit.scale == IFBAM_SCALE_LOGARITHM ? NULL : ut.get_converter (other, base);
  if (unit.scale != IFBAM_SCALE_LOGARITHM)
    {
      if (converter == NULL)
        fail_msg ("\"%s\" is not \"%s\"", text, basic);
      if ((ut.convert (converter, 0) != 0) != (unit.scale == IFBAM_SCALE_INTERVAL))
        fail_msg ("\"%s\" does%s begin at zero", text, unit.scale != 0 ? " not" : "");
      /* The C library's pow() may be wrong in the last bit. */
      if (unit.scale == IFBAM_SCALE_RATIO && ut.convert (converter, 1) != unit.factor
          && (strpbrk (text, "23") == NULL
              || fabs (ut.convert (converter, 1) / unit.factor - 1) > 3 * DBL_EPSILON))
        fail_msg ("\"%s\" is %.17g, not %.17g", text, unit.factor, ut.convert (converter, 1));
      ut.free_converter (converter);
    }
  ut.free (base);
  ut.free (other);
}

/* Words of the table, between letters that no name contains. */
static GPtrArray *
list_words (void)
{
  g_autofree char *source = NULL;
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  const char *p;

  assert_true (g_file_get_contents ("src/file/unit-system.c", &source, NULL, NULL));
  for (p = strstr (source, "table[]"); *p != '"'; p++)
    ;
  for (gboolean is_definition = FALSE, is_inside = FALSE; is_inside || *p != ';'; p++)
    {
      const gsize n = strcspn (p, " :=;\"\\\n");

      if (*p == '"' && p[-1] != '\\')
        is_inside = !is_inside;
      else if (is_inside && (*p == '=' || *p == ';'))
        is_definition = *p == '=';
      else if (is_inside && n > 0 && !is_definition)
        {
          const gboolean has_plural = p[n - 1] == '+';

          g_ptr_array_add (words, g_strndup (p, n - has_plural));
          if (has_plural)
            g_ptr_array_add (words, g_strdup_printf ("%.*ss", (int) n - 1, p));
        }
      p += n > 0 ? n - 1 : 0;
    }
  return words;
}

static void
test_each_name (void **state)
{
  static const char *const forms[] = {
    "%s",  "k%s",  "µ%s",   "da%s", "kilo%s", "Milli%s", "dk%s",
    "%s2", "%s-3", "%s^-1", "1/%s", "m/%s/s", "N %s.s",  "(%s)**3",
  };
  g_autoptr (GPtrArray) words = NULL;

  (void) state;
  if (!open_library ())
    skip ();
  words = list_words (); /* skip() does not return */
  assert_true (words->len > 500);
  for (guint w = 0; w < words->len; w++)
    {
      g_autofree char *large = g_ascii_strup (words->pdata[w], -1);

      for (guint f = 0; f < G_N_ELEMENTS (forms); f++)
        {
          g_auto (GStrv) parts = g_strsplit (forms[f], "%s", 2);
          g_autofree char *text = g_strconcat (parts[0], words->pdata[w], parts[1], NULL);

          compare (text);
        }
      compare (large);
    }
}

static void
test_products (void **state)
{
  static const char *const joints[] = { " ",    "*", ".", "/",   " / ",   "-", "2 ",
                                        "^-2/", "(", ")", ")/(", " per ", "3", "1e-3 " };
  g_autoptr (GPtrArray) words = NULL;
  g_autoptr (GRand) random = NULL;

  (void) state;
  if (ut.system == NULL)
    skip ();
  words = list_words ();
  random = g_rand_new_with_seed (11);
  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GString) text = g_string_new (i % 3 == 0 ? "(" : NULL);
      const char *word;

      for (gint k = g_rand_int_range (random, 1, 4); k > 0; k--)
        {
          g_string_append (text, g_rand_boolean (random) ? "" : "m");
          do /* UDUNITS has products of logarithms and pure numbers. */
            word = words->pdata[g_rand_int_range (random, 0, (gint32) words->len)];
          while (word[0] == 'B');
          g_string_append (text, word);
          if (k > 1 || g_rand_int_range (random, 0, 4) == 0)
            g_string_append (text, joints[g_rand_int_range (random, 0, G_N_ELEMENTS (joints))]);
        }
      g_string_append (text, i % 3 == 0 ? ")" : "");
      compare (text->str);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_each_name),
    cmocka_unit_test (test_products),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

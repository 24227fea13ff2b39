/* unit-spelling.c: engineers' spellings of units, converted to those of the unit system
 *
 * The unit system needs a sign or blank between multiplied units. Only unambiguous words of two units are
 * split; further spellings are rows of the tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/unit-spelling.h"

#include <string.h>

/* Words that the unit system lacks. */
static const struct
{
  const char *word, *unit;
} words[] = {
  { "U", "revolution" },
  { "Upm", "rpm" },
  { "RPM", "rpm" },
  { "kp", "kgf" },
};

/* Words of two units; the first may have a prefix: it ends with FIRST. */
static const struct
{
  const char *first, *second, *meaning;
} compounds[] = {
  { "N", "mm", "mm" }, { "N", "cm", "cm" }, { "N", "ms", "m s" }, { "N", "m", "m" },
  { "N", "s", "s" },   { "V", "s", "s" },   { "A", "s", "s" },    { "A", "h", "h" },
  { "W", "s", "s" },   { "W", "h", "h" },   { "Pa", "s", "s" },   { "g", "mm", "mm" },
  { "g", "cm", "cm" }, { "kg", "m", "m" },
};

/* Unicode signs that the unit system lacks, with or without blanks around them. */
static const struct
{
  const char *sign, *ascii;
} signs[] = {
  { "\xe2\x8b\x85", "*" }, /* the dot operator */
  { "\xc2\xb7", "*" },     /* the middle dot */
  { "*", "*" },
};

static const char *const superscripts[] = { "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",
                                            "\xc2\xb3",     "\xe2\x81\xb4", "\xe2\x81\xb5",
                                            "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8",
                                            "\xe2\x81\xb9", "\xe2\x81\xbb" };

/* Returns the digit of the superscript at P, 10 for a minus; -1: none. */
static int
superscript_at (const char *p)
{
  for (guint i = 0; i < G_N_ELEMENTS (superscripts); i++)
    if (g_str_has_prefix (p, superscripts[i]))
      return (int) i;
  return -1;
}

/* Appends the multiplication sign at P, without its blanks; returns its end, or NULL. */
static const char *
take_sign (GString *out, const char *p)
{
  const char *q = p + strspn (p, " \t");

  if (g_str_has_prefix (q, "**"))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (q, signs[i].sign))
      {
        g_string_append (out, signs[i].ascii);
        q += strlen (signs[i].sign);
        return q + strspn (q, " \t");
      }
  return NULL;
}

/* Appends the superscripts at P as an exponent; returns their end. */
static const char *
take_superscripts (GString *out, const char *p)
{
  int digit = superscript_at (p);

  if (digit >= 0)
    g_string_append_c (out, '^');
  for (; digit >= 0; digit = superscript_at (p))
    {
      g_string_append_c (out, digit == 10 ? '-' : (char) ('0' + digit));
      p += strlen (superscripts[digit]);
    }
  return p;
}

static char *
to_ascii_signs (const char *text)
{
  GString *out = g_string_new (NULL);

  while (*text != '\0')
    {
      const char *end = take_sign (out, text);

      if (end == NULL)
        end = take_superscripts (out, text);
      if (end == text)
        {
          end = text + (g_str_has_prefix (text, "**") ? 2 : 1);
          g_string_append_len (out, text, end - text);
        }
      text = end;
    }
  return g_string_free (out, FALSE);
}

/* Returns the length of the exponent at P, "2", "^-1", "**2". */
static gsize
exponent_length (const char *p)
{
  const char *q = p + (p[0] == '^' ? 1 : g_str_has_prefix (p, "**") ? 2 : 0);

  q += *q == '-' || *q == '+';
  return g_ascii_isdigit (*q) ? (gsize) (q - p) + strspn (q, "0123456789") : 0;
}

/* Appends WORD, and possibly a part of AFTER behind it; returns the end of that part. */
static const char *
take_word (GString *out, const char *word, const char *after, gboolean (*is_unit) (const char *))
{
  const gsize length = strlen (word);

  if (g_str_equal (word, "r") && *after == '/') /* revolutions: a single "r" is ambiguous */
    {
      g_string_append (out, "revolution");
      return after;
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (word, words[i].word))
      {
        g_string_append (out, words[i].unit);
        return after;
      }
  for (guint i = 0; i < G_N_ELEMENTS (compounds) && !is_unit (word); i++)
    {
      const gsize second = strlen (compounds[i].second);
      g_autofree char *first = length <= second ? NULL : g_strndup (word, length - second);

      if (first != NULL && g_str_has_suffix (word, compounds[i].second)
          && g_str_has_suffix (first, compounds[i].first) && is_unit (first))
        {
          const gsize exponent = exponent_length (after);

          g_string_append_printf (out, "(%s %s%.*s)", first, compounds[i].meaning, (int) exponent,
                                  after);
          return after + exponent;
        }
    }
  g_string_append (out, word);
  return after;
}

static gboolean
is_letter (char c)
{
  return g_ascii_isalpha (c) || (guchar) c >= 0x80;
}

char *
ifbam_unit_spell (const char *text, gboolean (*is_unit) (const char *word))
{
  g_autofree char *plain = to_ascii_signs (text);
  GString *out = g_string_new (*text == '/' ? "1" : ""); /* 10/s */

  for (const char *p = plain; *p != '\0';)
    {
      gsize length = 0;
      g_autofree char *word = NULL;

      while (is_letter (p[length]))
        length++;
      word = g_strndup (p, length);
      if (length == 0)
        g_string_append_c (out, *p++);
      else
        p = take_word (out, word, p + length, is_unit);
    }
  return g_string_free (out, FALSE);
}

gboolean
ifbam_unit_is_per_minute (const char *text)
{
  static const char *const ways[] = { "1/min", "/min", "min-1", "min^-1", "min**-1", NULL };
  g_autofree char *plain = to_ascii_signs (text);
  char *end = plain;

  for (const char *c = plain; *c != '\0'; c++)
    if (*c != ' ' && *c != '\t')
      *end++ = *c;
  *end = '\0';
  return g_strv_contains (ways, plain);
}

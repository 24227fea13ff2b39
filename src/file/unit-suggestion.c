/* unit-suggestion.c: suggests a unit for a text that is no unit, or one of another dimension
 *
 * Tries corrections (an exponent, blanks, common words, capitals) until one is a unit of the wanted dimension.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/unit-suggestion.h"

#include <string.h>

#include "file/unit.h"

/* Longer texts get no suggestion: positions of blanks are tried one by one. */
#define MAX_SUGGEST_LENGTH 14

/* Common words and their units; pounds are a force unless a mass is wanted. */
static const struct
{
  const char *word, *unit, *force;
} meant[] = {
  { "lbs", "lb", "lbf" },    { "lb", "lb", "lbf" },   { "pounds", "lb", "lbf" },
  { "mph", "mile/h", NULL }, { "kph", "km/h", NULL }, { "kmh", "km/h", NULL },
  { "fps", "ft/s", NULL },   { "kgs", "kg", NULL },   { "kilos", "kg", NULL },
  { "hrs", "h", NULL },      { "mins", "min", NULL }, { "secs", "s", NULL },
  { "ohms", "ohm", NULL },   { "degs", "deg", NULL }, { "revs", "rev", NULL },
  { "newtons", "N", NULL },  { "cps", "Hz", NULL },   { "rads", "rad", NULL },
};

/* Returns the unit for a word (length bytes); NULL: unchanged. forces: pounds are forces. */
static const char *
meant_by (const char *word, gsize length, gboolean forces)
{
  static const char *const known[] = { "kg",  "g",   "t",   "N",   "kN",   "MN",  "m",  "mm",
                                       "um",  "km",  "s",   "ms",  "us",   "ns",  "Hz", "kHz",
                                       "MHz", "rad", "deg", "rev", "Pa",   "V",   "mV", "kV",
                                       "A",   "mA",  "F",   "uF",  "nF",   "pF",  "H",  "mH",
                                       "uH",  "J",   "W",   "ohm", "kohm", "rpm", "min" };

  for (gsize i = 0; i < G_N_ELEMENTS (meant); i++)
    if (strlen (meant[i].word) == length && g_ascii_strncasecmp (word, meant[i].word, length) == 0)
      return forces && meant[i].force != NULL ? meant[i].force : meant[i].unit;
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (strlen (known[i]) == length && g_ascii_strncasecmp (word, known[i], length) == 0)
      return known[i];
  return NULL;
}

/* Returns TEXT with common words replaced: "khz" becomes "kHz", "lbs" becomes "lb". */
static char *
correct_words (const char *text, gboolean forces)
{
  GString *corrected = g_string_new (NULL);

  while (*text != '\0')
    {
      const char *unit;
      gsize length = 1;

      while (g_ascii_isalpha (text[length - 1]) && g_ascii_isalpha (text[length]))
        length++;
      unit = meant_by (text, length, forces);
      g_string_append_len (corrected, unit != NULL ? unit : text,
                           unit != NULL ? -1 : (gssize) length);
      text += length;
    }
  return g_string_free (corrected, FALSE);
}

static gboolean
fits (const char *text, const char *target)
{
  IfbamConversion conversion = { 0 };

  return ifbam_unit_convert (text, target, &conversion) == IFBAM_UNIT_FITS;
}

/* Returns TEXT with N_BLANKS more blanks behind START bytes, so that it fits, or NULL. */
static char *
insert_blanks (const char *text, gsize start, int n_blanks, const char *target)
{
  if (n_blanks == 0)
    return fits (text, target) ? g_strdup (text) : NULL;
  for (gsize i = start; text[i] != '\0'; i++)
    if (g_ascii_isalpha (text[i]) && g_ascii_isalpha (text[i + 1]))
      {
        g_autofree char *longer = g_strdup_printf ("%.*s %s", (int) i + 1, text, text + i + 1);
        char *found = insert_blanks (longer, i + 2, n_blanks - 1, target);

        if (found != NULL)
          return found;
      }
  return NULL;
}

/* For TEXT without mixed case: FOUND with milli and mega exchanged, if that is a unit, or NULL. */
static char *
other_prefix (const char *text, const char *found, const char *target)
{
  g_autofree char *other = g_strdup (found);
  gboolean has_small = FALSE, has_large = FALSE;

  for (const char *c = text; *c != '\0'; c++)
    {
      has_small |= *c >= 'a' && *c <= 'z';
      has_large |= *c >= 'A' && *c <= 'Z';
    }
  if (has_small && has_large)
    return NULL;
  for (char *c = other; *c != '\0'; c++)
    if ((*c == 'm' || *c == 'M') && (c == other || !g_ascii_isalpha (c[-1]))
        && g_ascii_isalpha (c[1]) && !g_str_has_prefix (c, "min") && !g_str_has_prefix (c, "mile"))
      *c ^= 'm' ^ 'M';
  return !g_str_equal (other, found) && !g_str_equal (other, text) && fits (other, target)
             ? g_steal_pointer (&other)
             : NULL;
}

/* Returns TEXT with END behind it if that fits, or NULL. */
static char *
complete (const char *text, const char *end, const char *target)
{
  g_autofree char *longer = g_strconcat (text, end, NULL);

  return fits (longer, target) ? g_steal_pointer (&longer) : NULL;
}

char *
ifbam_unit_suggest (const char *text, const char *target)
{
  char *found = NULL, *other;

  if (strlen (text) > MAX_SUGGEST_LENGTH)
    return NULL;
  /* "mm" for an area or a volume, "k" for ohms */
  for (guint i = 0; i < 3 && found == NULL; i++)
    found = complete (text, i == 0 ? "2" : i == 1 ? "3" : target, target);
  if (found != NULL)
    return found;
  for (int n_blanks = 0; n_blanks <= 2 && found == NULL; n_blanks++)
    {
      found = insert_blanks (text, 0, n_blanks, target);
      for (guint forces = 0; forces < 2 && found == NULL; forces++)
        {
          g_autofree char *corrected = correct_words (text, forces != 0);

          if (!g_str_equal (text, corrected))
            found = insert_blanks (corrected, 0, n_blanks, target);
        }
    }
  other = found == NULL ? NULL : other_prefix (text, found, target);
  if (other != NULL)
    {
      char *both = g_strconcat (found, "\" or \"", other, NULL);

      g_free (found);
      g_free (other);
      found = both;
    }
  return found;
}

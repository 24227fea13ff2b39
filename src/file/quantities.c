/* quantities.c: quantities in text, checked and converted to SI
 *
 * Conversions of units are cached. If the factor is a power of ten, the number is read again with
 * that exponent, so that "50 us" and "50e-6" are bitwise equal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/quantities.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "file/printable-text.h"
#include "file/unit-suggestion.h"

/* Longer texts are rejected. */
#define MAX_EXPRESSION_LENGTH 1000
/* Cached units per target; bounds memory for files with many invalid units. */
#define MAX_REMEMBERED 4096

/* Writes the conversion of a unit to TARGET. */
static IfbamUnitResult
get_conversion (const char *text, const char *target, IfbamConversion *conversion)
{
  static GMutex lock;
  static GHashTable *targets; /* target -> table: unit -> IfbamConversion */
  GHashTable *units;
  const IfbamConversion *known;

  g_mutex_lock (&lock);
  if (targets == NULL)
    targets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                     (GDestroyNotify) g_hash_table_unref);
  units = g_hash_table_lookup (targets, target);
  if (units == NULL || g_hash_table_size (units) >= MAX_REMEMBERED)
    {
      units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (targets, g_strdup (target), units);
    }
  known = g_hash_table_lookup (units, text);
  if (known != NULL)
    *conversion = *known;
  else
    {
      *conversion = (IfbamConversion){ 0 };
      conversion->verdict = ifbam_unit_convert (text, target, conversion);
      g_hash_table_insert (units, g_strdup (text), g_memdup2 (conversion, sizeof *conversion));
    }
  g_mutex_unlock (&lock);
  return conversion->verdict;
}

/* Returns "want a stiffness in N/m, such as "10 kN/m"". */
static char *
expected_text (const char *unit, const char *meaning, const char *example)
{
  GString *want = g_string_new ("want ");

  g_string_append (want, strchr ("aeio", meaning[0]) != NULL ? "an " : "a ");
  g_string_append (want, meaning);
  if (unit[0] != '\0')
    g_string_append_printf (want, " in %s", unit);
  if (example != NULL)
    g_string_append_printf (want, ", such as \"%s\"", example);
  return g_string_free (want, FALSE);
}

static char *
explain_not_numeric (const char *text, const char *want)
{
  g_autofree char *shown = ifbam_quote (text);
  const char *word = text + (*text == '+' || *text == '-');

  if (*text == '\0')
    return g_strdup_printf ("no value is given (%s)", want);
  if (g_ascii_strncasecmp (word, "nan", 3) == 0 || g_ascii_strncasecmp (word, "inf", 3) == 0)
    return g_strdup_printf ("%s is not a finite number (%s)", shown, want);
  return g_strdup_printf ("%s is not a number (%s)", shown, want);
}

static gboolean parse_stripped (const char *text, const char *unit, const char *meaning,
                                const char *example, double *value, char **reason);

/* TRUE if TEXT reads as a quantity in UNIT, as each suggestion must. */
static gboolean
reads (const char *text, const char *unit)
{
  g_autofree char *reason = NULL;
  double value;

  return parse_stripped (text, unit, "value", NULL, &value, &reason);
}

/* Returns the length of digits in groups of three with marks, "1,000,000"; 0: none. */
static gsize
grouped (const char *text, const char *marks)
{
  const gsize first = strspn (text, "0123456789");
  gsize length = first;

  if (first < 1 || first > 3 || text[0] == '0')
    return 0;
  while (text[length] != '\0' && strchr (marks, text[length]) != NULL
         && strspn (text + length + 1, "0123456789") == 3)
    length += 4;
  return length > first ? length : 0;
}

/* Returns TEXT without marks in its first LENGTH bytes; POINT behind them becomes a point. */
static char *
without_marks (const char *text, gsize length, const char *marks, char point)
{
  GString *plain = g_string_new (NULL);

  for (gsize i = 0; text[i] != '\0'; i++)
    if (i >= length || strchr (marks, text[i]) == NULL)
      g_string_append_c (plain, i == length && point != '\0' && text[i] == point ? '.' : text[i]);
  return g_string_free (plain, FALSE);
}

/* A comma may mark thousands or decimals: the message has both if both are possible. */
static char *
explain_comma (const char *text, const char *unit, const char *want)
{
  const gsize sign = *text == '+' || *text == '-';
  const gsize by_comma = grouped (text + sign, ","), by_point = grouped (text + sign, ".");
  const gsize digits = sign + strspn (text + sign, "0123456789");
  g_autofree char *shown = ifbam_quote (text), *thousands = NULL, *decimals = NULL;
  const char *one, *other;

  if (by_comma > 0)
    thousands = without_marks (text, sign + by_comma, ",", '\0');
  if (by_point > 0 && text[sign + by_point] == ',')
    decimals = without_marks (text, sign + by_point, ".", ',');
  else if (text[digits] == ',')
    decimals = without_marks (text, digits, "", ',');
  if (thousands != NULL && !reads (thousands, unit))
    g_clear_pointer (&thousands, g_free);
  if (decimals != NULL && !reads (decimals, unit))
    g_clear_pointer (&decimals, g_free);
  one = thousands != NULL ? thousands : decimals;
  other = thousands != NULL ? decimals : NULL;
  if (one == NULL)
    return g_strdup_printf ("%s is not a number: decimals follow a point (%s)", shown, want);
  if (other == NULL)
    return g_strdup_printf ("%s is not a number: decimals follow a point (did you mean \"%s\"?)",
                            shown, one);
  return g_strdup_printf (
      "%s is not a number: decimals follow a point, thousands have no mark (did "
      "you mean \"%s\" or \"%s\"?)",
      shown, one, other);
}

/* Returns why the unit of TEXT can't be used; VALUE is in the wanted unit except for the angle. */
static char *
explain_unit (const char *text, const char *rest, const IfbamConversion *conversion, double value,
              const char *unit, const char *meaning, const char *want)
{
  g_autofree char *shown = ifbam_quote (text);
  g_autofree char *shown_unit = ifbam_quote (rest);
  g_autofree char *bare_unit = g_strndup (shown_unit + 1, strlen (shown_unit) - 2);
  g_autofree char *suggestion =
      conversion->verdict == IFBAM_UNIT_UNKNOWN || conversion->verdict == IFBAM_UNIT_MISFIT
          ? ifbam_unit_suggest (rest, unit)
          : NULL;
  g_autofree char *hint =
      suggestion == NULL ? NULL : g_strdup_printf ("did you mean \"%s\"?", suggestion);
  g_autofree char *plain = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (conversion->verdict)
    {
    case IFBAM_UNIT_UNKNOWN:
      return g_strdup_printf ("unit %s is unknown (%s)", shown_unit, hint != NULL ? hint : want);
    case IFBAM_UNIT_MISFIT:
      if (unit[0] == '\0')
        return g_strdup_printf ("%s is no %s: %s is no pure number", shown, meaning, bare_unit);
      return g_strdup_printf ("%s is no %s: %s does not convert to %s%s%s%s", shown, meaning,
                              bare_unit, unit, hint != NULL ? " (" : "", hint != NULL ? hint : "",
                              hint != NULL ? ")" : "");
    case IFBAM_UNIT_CYCLIC:
      g_ascii_formatd (number, sizeof number, "%.6g", value * (2 * G_PI));
      return g_strdup_printf ("%s is a frequency, no %s in rad/s: multiply Hz by 2 pi "
                              "(did you mean \"%s rad/s\"?)",
                              shown, meaning, number);
    case IFBAM_UNIT_NUMBER:
      plain = without_marks (text, grouped (text, " '_"), " '_", '\0');
      if (!g_str_equal (plain, text) && reads (plain, unit))
        return g_strdup_printf ("%s is not a number: thousands have no mark (did you mean \"%s\"?)",
                                shown, plain);
      return g_strdup_printf ("%s has a second number in its unit %s (%s)", shown, shown_unit,
                              want);
    case IFBAM_UNIT_NOT_SCALE:
      return g_strdup_printf ("%s is no %s: %s does not begin at zero (%s)", shown, meaning,
                              bare_unit, want);
    case IFBAM_UNIT_ANGULAR:
    case IFBAM_UNIT_FITS:
      break;
    }
  g_return_val_if_reached (NULL);
}

/* Returns the error of the text behind a number without unit, or NULL (transfer full). */
static char *
explain_number (const char *text, const IfbamDigits *number, const char *unit, const char *want)
{
  const char *rest = number->rest;
  const char *end = text + number->digits;

  if (end[0] == ',' && g_ascii_isdigit (end[1]))
    return explain_comma (text, unit, want);
  if (*rest == ',' || *rest == '.' || *rest == '+' || *rest == '-'
      || ((*rest == 'x' || *rest == 'X') && number->digits == (gsize) (rest - text)
          && g_ascii_isxdigit (rest[1])))
    return explain_not_numeric (text, want);
  return NULL;
}

IfbamFormula *
ifbam_units_parse_expression (const char *text, const IfbamUnknown *unknowns, gsize n_unknowns,
                              const char *unit, const char *meaning, const char *example,
                              char **reason)
{
  g_autofree char *shown = ifbam_quote (text), *why = NULL;
  g_autofree char *want = expected_text (unit, meaning, example);
  g_autoptr (IfbamFormula) expression = NULL;
  IfbamConversion conversion = { .verdict = IFBAM_UNIT_FITS };
  IfbamDimension dimension;
  gboolean is_bare;

  if (strlen (text) > MAX_EXPRESSION_LENGTH)
    return ifbam_reject_null (reason, "%s is too long for a value (%d characters at most)", shown,
                              MAX_EXPRESSION_LENGTH);
  expression = ifbam_expression_new (text, unknowns, n_unknowns, &dimension, &is_bare, &why);
  if (expression == NULL)
    {
      ifbam_make_printable (why);
      return ifbam_reject_null (reason, "%s: %s (%s)", shown, why, want);
    }
  if (!is_bare)
    conversion.verdict = ifbam_dimension_compare (&dimension, unit);
  if (conversion.verdict == IFBAM_UNIT_ANGULAR)
    {
      ifbam_formula_append (expression, IFBAM_NUMBER, 0, 2 * G_PI);
      ifbam_formula_append (expression, IFBAM_DIVIDE, 0, 0);
      return g_steal_pointer (&expression);
    }
  if (conversion.verdict != IFBAM_UNIT_FITS)
    {
      g_autofree char *found = ifbam_dimension_text (&dimension);
      const double value = n_unknowns == 0 ? ifbam_formula_value (expression, NULL) : 1;

      *reason = explain_unit (text, *found == '\0' ? "a pure number" : found, &conversion, value,
                              unit, meaning, want);
      return NULL;
    }
  return g_steal_pointer (&expression);
}

static gboolean
parse_expression (const char *text, const char *unit, const char *meaning, const char *example,
                  double *value, char **reason)
{
  g_autofree char *shown = ifbam_quote (text);
  g_autoptr (IfbamFormula) expression =
      ifbam_units_parse_expression (text, NULL, 0, unit, meaning, example, reason);

  if (expression == NULL)
    return FALSE;
  *value = ifbam_formula_value (expression, NULL);
  if (!isfinite (*value))
    return ifbam_reject (reason, "%s has no finite value", shown);
  return TRUE;
}

static gboolean
parse_stripped (const char *text, const char *unit, const char *meaning, const char *example,
                double *value, char **reason)
{
  IfbamDigits number;
  IfbamConversion conversion = { .verdict = IFBAM_UNIT_FITS };
  gboolean is_converted = FALSE;

  if (ifbam_is_expression (text))
    return parse_expression (text, unit, meaning, example, value, reason);
  if (!ifbam_digits_scan (text, &number))
    {
      g_autofree char *want = expected_text (unit, meaning, example);

      *reason = explain_not_numeric (text, want);
      return FALSE;
    }
  if (*number.rest != '\0' && !g_str_equal (number.rest, unit))
    {
      g_autofree char *want = NULL;

      is_converted = TRUE;
      if (get_conversion (number.rest, unit, &conversion) != IFBAM_UNIT_FITS
          || (!g_ascii_isalpha (*number.rest) && *number.rest != '%'))
        {
          want = expected_text (unit, meaning, example);
          *reason = explain_number (text, &number, unit, want);
          if (*reason != NULL)
            return FALSE;
        }
    }
  *value = ifbam_digits_convert (text, &number, is_converted ? &conversion : NULL);
  if (conversion.verdict != IFBAM_UNIT_FITS)
    {
      g_autofree char *want = expected_text (unit, meaning, example);

      *reason = explain_unit (text, number.rest, &conversion, *value, unit, meaning, want);
      return FALSE;
    }
  if (!isfinite (*value))
    {
      g_autofree char *shown = ifbam_quote (text);

      return ifbam_reject (reason, "%s is too large for a number (the largest is about 1.8e308)",
                           shown);
    }
  return TRUE;
}

/* Notations of other programs */

/* Returns the length of a separator of two numbers at P; 0: none. */
static gsize
range_sign (const char *p)
{
  static const char *const signs[] = { "...", "..", "\xe2\x80\x93", ":", "-", "to ", "bis " };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (p, signs[i]))
      return strlen (signs[i]);
  return 0;
}

char *
ifbam_units_range (const char *text)
{
  const char *p, *second;
  IfbamDigits first, last = { 0 };
  GString *range;

  if (!ifbam_digits_scan (text, &first))
    return NULL;
  for (p = first.rest - (first.rest[-1] == '.'); *p != '\0'; p++)
    {
      second = p + range_sign (p);
      second += strspn (second, " \t");
      if (range_sign (p) > 0 && g_ascii_isdigit (*second) && ifbam_digits_scan (second, &last))
        break;
    }
  /* A third number: a date, or a sum. */
  if (*p == '\0' || strpbrk (last.rest, ":+-") != NULL)
    return NULL;
  range = g_string_new_len (text, p - text);
  /* "1..2 mm": the unit belongs to both. */
  g_string_append_printf (range, "%s:%s:11", p <= first.rest ? last.rest : "", second);
  g_string_replace (range, " ", "", 0);
  return g_string_free (range, FALSE);
}

/* Returns TEXT without other programs' notation: without quotes, brackets, final mark; blanks for
 * hyphens between units, "*" for the sign before a power of ten. */
static char *
without_conventions (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      const gboolean is_hyphen =
          *p == '-' && p > text && g_ascii_isalpha (p[-1]) && g_ascii_isalpha (p[1]);
      const gboolean is_times = (*p == 'x' || *p == 'X') && p > text && !g_ascii_isalpha (p[-1]);

      if (strchr ("\"[]", *p) != NULL || (strchr (",;.", *p) != NULL && p[1] == '\0'))
        continue;
      if (is_times && g_str_has_prefix (p + 1 + strspn (p + 1, " "), "10^"))
        {
          g_string_append_c (plain, '*');
          p += strspn (p + 1, " ");
        }
      else
        g_string_append_c (plain, is_hyphen ? ' ' : *p);
    }
  return g_string_free (plain, FALSE);
}

/* TRUE if both limits of "1000:20000:11" read as quantities in UNIT. */
static gboolean
are_limits_quantities (const char *range, const char *unit)
{
  const char *colon = strchr (range, ':'), *end = strrchr (range, ':');
  g_autofree char *first = g_strndup (range, (gsize) (colon - range));
  g_autofree char *last = g_strndup (colon + 1, (gsize) (end - colon - 1));

  return reads (first, unit) && reads (last, unit);
}

/* Returns the error of TEXT in another program's notation; else NULL. */
static char *
explain_conventions (const char *text, const char *unit, const char *meaning)
{
  g_autofree char *shown = ifbam_quote (text);
  g_autofree char *plain = without_conventions (text), *range = ifbam_units_range (text);

  if (range != NULL && are_limits_quantities (range, unit))
    return g_strdup_printf ("%s is a range, not one value (for \"ifbam sweep\": --vary KEY=%s)",
                            shown, range);
  if (!g_str_equal (plain, text) && reads (plain, unit))
    return g_strdup_printf ("%s is no %s (did you mean \"%s\"?)", shown, meaning, plain);
  return NULL;
}

/* TRUE if TEXT contains WORD as a whole word. */
static gboolean
has_word (const char *text, const char *word)
{
  const gsize length = strlen (word);

  for (const char *p = strstr (text, word); p != NULL; p = strstr (p + 1, word))
    if ((p == text || !g_ascii_isalpha (p[-1])) && !g_ascii_isalpha (p[length]))
      return TRUE;
  return FALSE;
}

/* In place of N m s/rad, N m min may refer to turns or to radians: a factor of 2 pi. */
static gboolean
is_per_turn (const char *text, const char *unit)
{
  return strstr (unit, "/rad") != NULL && has_word (text, "min") && !has_word (text, "rad")
         && !has_word (text, "deg") && !has_word (text, "rev") && !has_word (text, "U");
}

gboolean
ifbam_units_dimension (const char *text, IfbamDimension *dimension)
{
  g_autoptr (IfbamFormula) expression = NULL;
  g_autofree char *reason = NULL;
  gboolean is_bare;

  expression = ifbam_expression_new (text, NULL, 0, dimension, &is_bare, &reason);
  return expression != NULL;
}

gboolean
ifbam_units_parse (const char *text, const char *unit, const char *meaning, const char *example,
                   double *value, char **reason)
{
  char buffer[128];
  g_autofree char *longer = NULL;
  char *stripped = buffer;
  double parsed = 0;
  gsize length;
  gboolean fine;
  char *better;

  g_return_val_if_fail (text != NULL && unit != NULL && value != NULL && reason != NULL, FALSE);

  while (g_ascii_isspace (*text))
    text++;
  length = strlen (text);
  while (length > 0 && g_ascii_isspace (text[length - 1]))
    length--;
  if (length >= sizeof buffer)
    stripped = longer = g_malloc (length + 1);
  memcpy (stripped, text, length);
  stripped[length] = '\0';

  *reason = NULL;
  meaning = meaning != NULL ? meaning : "value";
  fine = parse_stripped (stripped, unit, meaning, example, &parsed, reason);
  better = fine ? NULL : explain_conventions (stripped, unit, meaning);
  if (better != NULL)
    {
      g_free (*reason);
      *reason = better;
    }
  if (fine && is_per_turn (stripped, unit))
    *reason = g_strdup_printf ("\"%s\" may count turns or radians by the minute (write rpm or "
                               "rad/min)",
                               stripped);
  if (!fine || *reason != NULL)
    return FALSE;
  *value = parsed;
  return TRUE;
}

/* Units of parameters, each with an example. */
static const struct
{
  const char *unit, *example;
} examples[] = {
  { "", "0.5" },           { "m", "1 mm" },
  { "m/s", "2 m/s" },      { "m/s2", "9.81 m/s2" },
  { "kg", "1 kg" },        { "kg m2", "0.1 kg m2" },
  { "N", "10 N" },         { "N/m", "10 kN/m" },
  { "N/m3", "1e6 N/m3" },  { "N s/m", "20 N s/m" },
  { "N m", "5 N m" },      { "N m/rad", "100 N m/rad" },
  { "rad", "30 deg" },     { "N m s/rad", "0.1 N m s/rad" },
  { "rad/s", "10 rad/s" }, { "N m/rad3", "10 N m/rad3" },
  { "s", "50 us" },        { "Hz", "5 Hz" },
  { "V", "5 V" },          { "A", "20 mA" },
  { "V s", "1 mV s" },     { "ohm", "1 kohm" },
  { "H", "10 mH" },        { "F", "100 nF" },
};

const char *
ifbam_units_example (const char *unit)
{
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++)
    if (g_str_equal (examples[i].unit, unit))
      return examples[i].example;
  {
    g_autofree char *made = g_strconcat ("1 ", unit, NULL);

    return g_intern_string (made);
  }
}

const char *
ifbam_units_name (const IfbamDimension *dimension)
{
  g_autofree char *text = ifbam_dimension_text (dimension);
  const char *name = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (examples) && name == NULL; i++)
    {
      IfbamDimension known;
      IfbamConversion conversion = { 0 };

      if (ifbam_unit_read (examples[i].unit, &known, &conversion) == IFBAM_UNIT_FITS
          && memcmp (&known, dimension, sizeof known) == 0)
        name = examples[i].unit;
    }
  return name != NULL ? name : g_intern_string (text);
}

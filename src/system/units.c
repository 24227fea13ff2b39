/* units.c: quantities as people write them, checked and converted to SI by UDUNITS-2
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a unit does in the place of another is found out once and remembered. Where it is a power of
 * ten, the number is read again with that exponent, so that "50 us" and "50e-6" are one number to
 * the last bit.
 */
#include "system/units.h"

#include <math.h>
#include <string.h>

#include "system/showable.h"

/* Longer texts get no suggestion: the places for a blank are tried one by one. */
#define MAX_SUGGEST_LENGTH 14
/* Longer texts are nobody's arithmetic. */
#define MAX_EXPRESSION_LENGTH 1000
/* Units remembered for one target, against files full of nonsense. */
#define MAX_REMEMBERED 4096

static void
conversion_free (gpointer data)
{
  IfbamConversion *conversion = data;

  g_free (conversion->suggestion);
  g_free (conversion);
}

/* Words that people write, and the units that they mean; of pounds, where no mass is wanted, the force. */
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

/* The unit that is meant by a word (length bytes); NULL: it stays. forces: of pounds. */
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

/* TEXT with well-known units put right: "khz" becomes "kHz", "lbs" becomes "lb". */
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

  return ifbam_unit_judge (text, target, &conversion) == IFBAM_UNIT_FITS;
}

/* TEXT with N_BLANKS more blanks, all after its first START bytes, so that it fits; or NULL. */
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

/* Of FOUND for TEXT, whose letters are all small or all capitals, the same with milli for mega or the other way
 * round, where that is a unit as well; or NULL. */
static char *
other_prefix (const char *text, const char *found, const char *target)
{
  g_autofree char *small = g_ascii_strdown (text, -1), *large = g_ascii_strup (text, -1);
  g_autofree char *other = g_strdup (found);

  if (!g_str_equal (text, small) && !g_str_equal (text, large))
    return NULL;
  for (char *c = other; *c != '\0'; c++)
    if ((*c == 'm' || *c == 'M') && (c == other || !g_ascii_isalpha (c[-1]))
        && g_ascii_isalpha (c[1]) && !g_str_has_prefix (c, "min") && !g_str_has_prefix (c, "mile"))
      *c ^= 'm' ^ 'M';
  return !g_str_equal (other, found) && !g_str_equal (other, text) && fits (other, target)
             ? g_steal_pointer (&other)
             : NULL;
}

/* A unit for TARGET that may have been meant by TEXT, or two, with "or" between; or NULL. */
static char *
suggest (const char *text, const char *target)
{
  char *found = NULL, *other;

  if (strlen (text) > MAX_SUGGEST_LENGTH)
    return NULL;
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

static const IfbamConversion *
get_conversion (const char *text, const char *target)
{
  static GHashTable *targets; /* of tables: unit to IfbamConversion */
  GHashTable *units;
  IfbamConversion *conversion;

  if (targets == NULL)
    targets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                     (GDestroyNotify) g_hash_table_unref);
  units = g_hash_table_lookup (targets, target);
  if (units == NULL)
    {
      units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, conversion_free);
      g_hash_table_insert (targets, g_strdup (target), units);
    }
  conversion = g_hash_table_lookup (units, text);
  if (conversion != NULL)
    return conversion;

  if (g_hash_table_size (units) >= MAX_REMEMBERED)
    g_hash_table_remove_all (units);
  conversion = g_new0 (IfbamConversion, 1);
  conversion->verdict = ifbam_unit_judge (text, target, conversion);
  if (conversion->verdict == IFBAM_UNIT_UNKNOWN || conversion->verdict == IFBAM_UNIT_MISFIT)
    conversion->suggestion = suggest (text, target);
  g_hash_table_insert (units, g_strdup (text), conversion);
  return conversion;
}

/* TEXT in quotes, fit for a message: valid, printable, not too long. */
static char *
quote (const char *text)
{
  g_autofree char *head = g_strndup (text, 200);
  g_autofree char *valid = g_utf8_make_valid (head, -1);
  GString *quoted = g_string_new ("\"");
  const char *p = valid;

  for (int n = 0; *p != '\0' && n < 48; n++, p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (g_unichar_isprint (c))
        g_string_append_unichar (quoted, c);
      else
        g_string_append_printf (quoted, "\\x%02x", c);
    }
  g_string_append (quoted, *p != '\0' ? "...\"" : "\"");
  return g_string_free (quoted, FALSE);
}

/* "want a stiffness in N/m, such as "10 kN/m"" */
static char *
describe_want (const char *unit, const char *meaning, const char *example)
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
explain_no_number (const char *text, const char *want)
{
  g_autofree char *shown = quote (text);
  const char *word = text + (*text == '+' || *text == '-');

  if (*text == '\0')
    return g_strdup_printf ("no value is given (%s)", want);
  if (g_ascii_strncasecmp (word, "nan", 3) == 0 || g_ascii_strncasecmp (word, "inf", 3) == 0)
    return g_strdup_printf ("%s is not a finite number (%s)", shown, want);
  return g_strdup_printf ("%s is not a number (%s)", shown, want);
}

static gboolean parse_stripped (const char *text, const char *unit, const char *meaning,
                                const char *example, double *value, char **reason);

/* Whether TEXT reads as a quantity in UNIT: what is suggested does. */
static gboolean
reads (const char *text, const char *unit)
{
  g_autofree char *reason = NULL;
  double value;

  return parse_stripped (text, unit, "value", NULL, &value, &reason);
}

/* The length of digits in groups of three behind marks, "1,000,000"; 0: there is no mark, or another count of
 * digits. */
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

/* TEXT whose first LENGTH bytes lose all marks; POINT, if it follows them, becomes a point. */
static char *
without_marks (const char *text, gsize length, const char *marks, char point)
{
  GString *plain = g_string_new (NULL);

  for (gsize i = 0; text[i] != '\0'; i++)
    if (i >= length || strchr (marks, text[i]) == NULL)
      g_string_append_c (plain, i == length && point != '\0' && text[i] == point ? '.' : text[i]);
  return g_string_free (plain, FALSE);
}

/* A comma may mark thousands or decimals: both are said where both are possible. */
static char *
explain_comma (const char *text, const char *unit, const char *want)
{
  const gsize sign = *text == '+' || *text == '-';
  const gsize by_comma = grouped (text + sign, ","), by_point = grouped (text + sign, ".");
  const gsize digits = sign + strspn (text + sign, "0123456789");
  g_autofree char *shown = quote (text), *thousands = NULL, *decimals = NULL;
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

/* Why the unit of TEXT can't be used, where VALUE is in the wanted unit but for the angle. */
static char *
explain_unit (const char *text, const char *rest, const IfbamConversion *conversion, double value,
              const char *unit, const char *meaning, const char *want)
{
  g_autofree char *shown = quote (text);
  g_autofree char *shown_unit = quote (rest);
  g_autofree char *bare_unit = g_strndup (shown_unit + 1, strlen (shown_unit) - 2);
  g_autofree char *hint = conversion->suggestion == NULL
                              ? NULL
                              : g_strdup_printf ("did you mean \"%s\"?", conversion->suggestion);
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
    case IFBAM_UNIT_ANGULAR:
      g_ascii_formatd (number, sizeof number, "%.6g", value / (2 * G_PI));
      return g_strdup_printf ("%s is an angular speed, no %s in Hz: divide rad/s by 2 pi "
                              "(did you mean \"%s Hz\"?)",
                              shown, meaning, number);
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
    case IFBAM_UNIT_NO_DATABASE:
      return g_strdup_printf ("unit %s can't be looked up: the units' database of UDUNITS-2 is "
                              "missing (write SI without a unit)",
                              shown_unit);
    case IFBAM_UNIT_FITS:
      break;
    }
  g_return_val_if_reached (NULL);
}

/* What is wrong with the text behind the number, if that can be told without a look at units. */
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
    return explain_no_number (text, want);
  return NULL;
}

/* NULL with a reason. */
static IfbamExpression *
read_expression (const char *text, const IfbamUnknown *unknowns, gsize n_unknowns, const char *unit,
                 const char *meaning, const char *example, char **reason)
{
  g_autofree char *shown = quote (text), *why = NULL;
  g_autofree char *want = describe_want (unit, meaning, example);
  g_autoptr (IfbamExpression) expression = NULL;
  IfbamConversion conversion = { .verdict = IFBAM_UNIT_FITS };
  IfbamDimension dimension;
  gboolean is_bare;

  if (strlen (text) > MAX_EXPRESSION_LENGTH)
    {
      *reason = g_strdup_printf ("%s is too long for a value (%d characters at most)", shown,
                                 MAX_EXPRESSION_LENGTH);
      return NULL;
    }
  expression = ifbam_expression_new (text, unknowns, n_unknowns, &dimension, &is_bare, &why);
  if (expression == NULL)
    {
      ifbam_make_showable (why);
      *reason = g_strdup_printf ("%s: %s (%s)", shown, why, want);
      return NULL;
    }
  if (!is_bare)
    conversion.verdict = ifbam_dimension_judge (&dimension, unit);
  if (conversion.verdict != IFBAM_UNIT_FITS)
    {
      g_autofree char *found = ifbam_dimension_text (&dimension);
      const double value = n_unknowns == 0 ? ifbam_expression_value (expression, NULL) : 1;

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
  g_autofree char *shown = quote (text);
  g_autoptr (IfbamExpression) expression =
      read_expression (text, NULL, 0, unit, meaning, example, reason);

  if (expression == NULL)
    return FALSE;
  *value = ifbam_expression_value (expression, NULL);
  if (!isfinite (*value))
    {
      *reason = g_strdup_printf ("%s has no finite value", shown);
      return FALSE;
    }
  return TRUE;
}

static gboolean
parse_stripped (const char *text, const char *unit, const char *meaning, const char *example,
                double *value, char **reason)
{
  IfbamDigits number;
  const IfbamConversion *conversion = NULL;

  if (ifbam_is_expression (text))
    return parse_expression (text, unit, meaning, example, value, reason);
  if (!ifbam_digits_scan (text, &number))
    {
      g_autofree char *want = describe_want (unit, meaning, example);

      *reason = explain_no_number (text, want);
      return FALSE;
    }
  if (*number.rest != '\0' && !g_str_equal (number.rest, unit))
    {
      g_autofree char *want = NULL;

      if (g_ascii_isalpha (*number.rest) || *number.rest == '%')
        conversion = get_conversion (number.rest, unit);
      if (conversion == NULL || conversion->verdict != IFBAM_UNIT_FITS)
        {
          want = describe_want (unit, meaning, example);
          *reason = explain_number (text, &number, unit, want);
          if (*reason != NULL)
            return FALSE;
          conversion = get_conversion (number.rest, unit);
        }
    }
  *value = ifbam_digits_convert (text, &number, conversion);
  if (conversion != NULL && conversion->verdict != IFBAM_UNIT_FITS)
    {
      g_autofree char *want = describe_want (unit, meaning, example);

      *reason = explain_unit (text, number.rest, conversion, *value, unit, meaning, want);
      return FALSE;
    }
  if (!isfinite (*value))
    {
      g_autofree char *shown = quote (text);

      *reason =
          g_strdup_printf ("%s is too large for a number (the largest is about 1.8e308)", shown);
      return FALSE;
    }
  return TRUE;
}

/* UDUNITS and what is remembered of it are for one thread at a time. */
static GMutex udunits;

IfbamExpression *
ifbam_units_parse_expression (const char *text, const IfbamUnknown *unknowns, gsize n_unknowns,
                              const char *unit, const char *meaning, const char *example,
                              char **reason)
{
  IfbamExpression *expression;

  g_mutex_lock (&udunits);
  expression = read_expression (text, unknowns, n_unknowns, unit, meaning, example, reason);
  g_mutex_unlock (&udunits);
  return expression;
}

gboolean
ifbam_units_dimension (const char *text, IfbamDimension *dimension)
{
  g_autoptr (IfbamExpression) expression = NULL;
  g_autofree char *reason = NULL;
  gboolean is_bare;

  g_mutex_lock (&udunits);
  expression = ifbam_expression_new (text, NULL, 0, dimension, &is_bare, &reason);
  g_mutex_unlock (&udunits);
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

  g_mutex_lock (&udunits);
  fine = parse_stripped (stripped, unit, meaning != NULL ? meaning : "value", example, &parsed,
                         reason);
  g_mutex_unlock (&udunits);
  if (!fine)
    return FALSE;
  *value = parsed;
  *reason = NULL;
  return TRUE;
}

/* The units of elements, each with what one may write. */
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

  g_mutex_lock (&udunits);
  for (gsize i = 0; i < G_N_ELEMENTS (examples) && name == NULL; i++)
    {
      IfbamDimension known;
      IfbamConversion conversion = { 0 };

      if (ifbam_unit_read (examples[i].unit, &known, &conversion) == IFBAM_UNIT_FITS
          && memcmp (&known, dimension, sizeof known) == 0)
        name = examples[i].unit;
    }
  g_mutex_unlock (&udunits);
  return name != NULL ? name : g_intern_string (text);
}

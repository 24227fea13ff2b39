/* unit.c: conversion of units, by UDUNITS-2
 *
 * UDUNITS accepts more than a network should: angles as pure numbers (1 rad/s is 1 Hz), inverted
 * units ("10 s" is 0.1 Hz), numbers in units ("1 000 m" is 1 times "000 m"), offsets, logarithms
 * and dates. All are rejected here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/unit.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <errno.h>
#include <string.h>
#include <udunits2.h>

#include "file/unit-spelling.h"

/* Longer texts are no units. */
#define MAX_UNIT_LENGTH 64
/* Memory of UDUNITS' database [bytes]. */
#define DATABASE_MEMORY (4 << 20)

/* UDUNITS reads numbers by the locale: a decimal comma would corrupt its database. */
static locale_t
enter_c_locale (void)
{
  static locale_t c_locale;

  if (c_locale == (locale_t) 0)
    c_locale = newlocale (LC_NUMERIC_MASK, "C", (locale_t) 0);
  return c_locale == (locale_t) 0 ? (locale_t) 0 : uselocale (c_locale);
}

static void
leave_c_locale (locale_t previous)
{
  if (previous != (locale_t) 0)
    uselocale (previous);
}

static void
add_name (ut_system *system, const char *name, const char *meaning)
{
  ut_unit *unit = ut_parse (system, meaning, UT_ASCII);

  if (unit == NULL)
    return;
  ut_map_name_to_unit (name, UT_ASCII, unit);
  ut_free (unit);
}

static int database_failure; /* errno of reading the database */

const char *
ifbam_unit_database_fault (void)
{
  static char text[128];

  if (database_failure != EMFILE && database_failure != ENFILE)
    return "is missing";
  g_snprintf (text, sizeof text, "can't be read: %s", g_strerror (database_failure));
  return text;
}

/* Returns UDUNITS' units and a few more; NULL: its database can't be read. */
static ut_system *
get_system (void)
{
  static ut_system *system;
  static gboolean tried;
  locale_t previous;

  if (tried)
    return system;
  tried = TRUE;
  /* UDUNITS does not check for memory. */
  g_free (g_malloc (DATABASE_MEMORY));
  ut_set_error_message_handler (ut_ignore);
  previous = enter_c_locale ();
  errno = 0;
  system = ut_read_xml (NULL);
  database_failure = system == NULL ? errno : 0;
  if (system != NULL)
    {
      add_name (system, "deg", "arc_degree");
      add_name (system, "rev", "revolution");
    }
  leave_c_locale (previous);
  return system;
}

/* Reads a text in UDUNITS' spelling. */
static ut_unit *
parse_spelled (const char *text)
{
  locale_t previous = enter_c_locale ();
  ut_unit *unit = ut_parse (get_system (), text, UT_UTF8);

  leave_c_locale (previous);
  return unit;
}

static gboolean
is_unit (const char *word)
{
  ut_unit *unit = parse_spelled (word);

  if (unit != NULL)
    ut_free (unit);
  return unit != NULL;
}

static ut_unit *
parse_unit (const char *text)
{
  g_autofree char *spelled = ifbam_unit_spell (text, is_unit);

  return parse_spelled (spelled);
}

/* Result of a visit to a unit's parts. */
typedef struct
{
  const ut_unit *const *basic; /* (IFBAM_N_BASIC_UNITS) */
  IfbamDimension dimension;
  gboolean is_scale;
} Anatomy;

static void
add_power (Anatomy *anatomy, const ut_unit *unit, int power)
{
  for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
    if (ut_compare (unit, anatomy->basic[i]) == 0)
      anatomy->dimension.halves[i] += 2 * power;
}

static ut_status
visit_basic (const ut_unit *unit, void *data)
{
  add_power (data, unit, 1);
  return UT_SUCCESS;
}

static ut_status
visit_product (const ut_unit *unit, int count, const ut_unit *const *basic, const int *powers,
               void *data)
{
  (void) unit;
  for (int i = 0; i < count; i++)
    add_power (data, basic[i], powers[i]);
  return UT_SUCCESS;
}

static ut_status visit_galilean (const ut_unit *unit, double scale, const ut_unit *underlying,
                                 double offset, void *data);

static ut_status
visit_timestamp (const ut_unit *unit, const ut_unit *time_unit, double origin, void *data)
{
  (void) unit;
  (void) time_unit;
  (void) origin;
  ((Anatomy *) data)->is_scale = FALSE;
  return UT_SUCCESS;
}

static ut_status
visit_logarithmic (const ut_unit *unit, double base, const ut_unit *reference, void *data)
{
  (void) unit;
  (void) base;
  (void) reference;
  ((Anatomy *) data)->is_scale = FALSE;
  return UT_SUCCESS;
}

static const ut_visitor anatomy_visitor = { visit_basic, visit_product, visit_galilean,
                                            visit_timestamp, visit_logarithmic };

static ut_status
visit_galilean (const ut_unit *unit, double scale, const ut_unit *underlying, double offset,
                void *data)
{
  (void) unit;
  (void) scale;
  if (offset != 0)
    ((Anatomy *) data)->is_scale = FALSE;
  return ut_accept_visitor (underlying, &anatomy_visitor, data);
}

static const char *const basic_units[IFBAM_N_BASIC_UNITS] = { "kg", "m",   "s",  "A",
                                                              "K",  "mol", "cd", "rad" };

/* Computes the dimension of a unit; UDUNITS has these eight basic units. */
static Anatomy
dissect (const ut_unit *unit)
{
  static ut_unit *basic[IFBAM_N_BASIC_UNITS];
  Anatomy anatomy = { .basic = (const ut_unit *const *) basic, .is_scale = TRUE };

  for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
    if (basic[i] == NULL)
      basic[i] = parse_unit (basic_units[i]);
  ut_accept_visitor (unit, &anatomy_visitor, &anatomy);
  return anatomy;
}

static int
angle_of (const IfbamDimension *dimension)
{
  return dimension->halves[IFBAM_BASIC_RADIAN] / 2;
}

/* TRUE if TEXT, in UDUNITS' spelling, contains a number that is no exponent. "1/s" is a unit. */
static gboolean
has_number (const char *text)
{
  const char *p = text;

  if (p[0] == '1' && p[1 + strspn (p + 1, " \t")] == '/')
    p++;
  for (; *p != '\0'; p++)
    {
      const char *before = p;

      if (!g_ascii_isdigit (*p) || (p > text && g_ascii_isdigit (p[-1])))
        continue;
      if (before > text && (before[-1] == '-' || before[-1] == '+'))
        before--;
      if (before > text && before[-1] == '^')
        continue;
      if (before >= text + 2 && before[-1] == '*' && before[-2] == '*')
        continue;
      if (before > text
          && (g_ascii_isalpha (before[-1]) || before[-1] == ')' || (guchar) before[-1] >= 0x80))
        continue;
      return TRUE;
    }
  return FALSE;
}

static void
set_factor (IfbamConversion *conversion, double factor)
{
  const double inverse = 1 / factor;

  conversion->factor = factor;
  if (!isnormal (factor)) /* such as Ym^60/m^59 */
    return;
  conversion->power = (int) lrint (log10 (factor));
  conversion->decimal = fabs (factor / pow (10, conversion->power) - 1) < 16 * DBL_EPSILON;
  conversion->divide = factor < 1 && fabs (inverse / rint (inverse) - 1) < 16 * DBL_EPSILON;
  if (conversion->divide)
    conversion->factor = rint (inverse);
}

/* TRUE if TARGET is an angle or its speed: they need their radian; N m/rad may be N m. */
static gboolean
is_plain_angle (const char *target)
{
  return g_str_has_prefix (target, "rad");
}

/* Returns TEXT in UDUNITS' spelling for a TARGET. */
static char *
spell_for (const char *text, const char *target)
{
  /* Turns are counted per minute, radians are not. */
  if (g_str_equal (target, "rad/s") && ifbam_unit_is_per_minute (text))
    return g_strdup ("rpm");
  return ifbam_unit_spell (text, is_unit);
}

IfbamUnitResult
ifbam_unit_convert (const char *text, const char *target, IfbamConversion *conversion)
{
  g_autofree char *spelled = NULL;
  ut_system *system;
  ut_unit *unit = NULL, *wanted = NULL, *quotient = NULL, *one = NULL;
  cv_converter *converter = NULL;
  IfbamUnitResult verdict = IFBAM_UNIT_UNKNOWN;
  Anatomy anatomy, quotients;
  int excess;

  if (strlen (text) > MAX_UNIT_LENGTH || !g_utf8_validate (text, -1, NULL))
    return IFBAM_UNIT_UNKNOWN;
  spelled = spell_for (text, target);
  if (has_number (spelled))
    return IFBAM_UNIT_NUMBER;
  if (g_str_equal (target, "Hz") && g_str_equal (spelled, "rpm"))
    {
      set_factor (conversion, 1.0 / 60);
      return IFBAM_UNIT_FITS;
    }

  system = get_system ();
  if (system == NULL)
    return IFBAM_UNIT_NO_DATABASE;
  one = ut_get_dimensionless_unit_one (system);
  wanted = parse_unit (target);
  unit = parse_spelled (spelled);
  if (unit == NULL || wanted == NULL || one == NULL)
    goto out;

  anatomy = dissect (unit);
  verdict = IFBAM_UNIT_NOT_SCALE;
  if (!anatomy.is_scale)
    goto out;

  verdict = IFBAM_UNIT_MISFIT;
  quotient = ut_divide (unit, wanted);
  if (quotient == NULL || !ut_is_dimensionless (quotient))
    goto out;
  quotients = dissect (quotient);
  excess = angle_of (&quotients.dimension);
  converter = ut_get_converter (quotient, one);
  if (converter == NULL)
    goto out;
  set_factor (conversion, cv_convert_double (converter, 1));

  if (excess == 0 || (angle_of (&anatomy.dimension) == 0 && !is_plain_angle (target)))
    verdict = IFBAM_UNIT_FITS;
  else if (excess == 1 && g_str_equal (target, "Hz"))
    verdict = IFBAM_UNIT_ANGULAR;
  else if (excess == -1 && g_str_equal (target, "rad/s"))
    verdict = IFBAM_UNIT_CYCLIC;

out:
  g_clear_pointer (&converter, cv_free);
  g_clear_pointer (&quotient, ut_free);
  g_clear_pointer (&unit, ut_free);
  g_clear_pointer (&wanted, ut_free);
  g_clear_pointer (&one, ut_free);
  return verdict;
}

/* Dimensions */

char *
ifbam_dimension_text (const IfbamDimension *dimension)
{
  GString *text = g_string_new (NULL);
  const char *before = "";

  for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
    if (dimension->halves[i] != 0)
      {
        g_string_append_printf (text, "%s%s", before, basic_units[i]);
        if (dimension->halves[i] % 2 != 0)
          g_string_append_printf (text, "^(%d/2)", dimension->halves[i]);
        else if (dimension->halves[i] != 2)
          g_string_append_printf (text, "%d", dimension->halves[i] / 2);
        before = " ";
      }
  return g_string_free (text, FALSE);
}

IfbamUnitResult
ifbam_unit_read (const char *text, IfbamDimension *dimension, IfbamConversion *conversion)
{
  g_autofree char *base = NULL;
  Anatomy anatomy;
  ut_unit *unit;

  if (strlen (text) > MAX_UNIT_LENGTH || !g_utf8_validate (text, -1, NULL))
    return IFBAM_UNIT_UNKNOWN;
  if (get_system () == NULL)
    return IFBAM_UNIT_NO_DATABASE;
  unit = parse_unit (text);
  if (unit == NULL)
    return IFBAM_UNIT_UNKNOWN;
  anatomy = dissect (unit);
  ut_free (unit);
  if (!anatomy.is_scale)
    return IFBAM_UNIT_NOT_SCALE;
  *dimension = anatomy.dimension;
  base = ifbam_dimension_text (dimension);
  return ifbam_unit_convert (text, base, conversion);
}

IfbamUnitResult
ifbam_dimension_compare (const IfbamDimension *dimension, const char *target)
{
  IfbamDimension wanted;
  IfbamConversion conversion = { 0 };
  int excess;

  if (ifbam_unit_read (target, &wanted, &conversion) != IFBAM_UNIT_FITS)
    return IFBAM_UNIT_UNKNOWN;
  for (guint i = 0; i < IFBAM_N_BASIC_UNITS; i++)
    if (i != IFBAM_BASIC_RADIAN && dimension->halves[i] != wanted.halves[i])
      return IFBAM_UNIT_MISFIT;
  excess = angle_of (dimension) - angle_of (&wanted);
  if (excess == 0)
    return IFBAM_UNIT_FITS;
  if (g_str_equal (target, "Hz"))
    return excess == 1 ? IFBAM_UNIT_ANGULAR : IFBAM_UNIT_MISFIT;
  if (is_plain_angle (target) || *target == '\0')
    return excess == -1 && g_str_equal (target, "rad/s") ? IFBAM_UNIT_CYCLIC : IFBAM_UNIT_MISFIT;
  return IFBAM_UNIT_FITS;
}

/* Numbers */

gboolean
ifbam_digits_scan (const char *text, IfbamDigits *number)
{
  const char *p = text + (*text == '+' || *text == '-');
  const char *first = p;
  gsize n_digits;

  while (g_ascii_isdigit (*p))
    p++;
  n_digits = (gsize) (p - first);
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p); p++)
      n_digits++;
  if (n_digits == 0)
    return FALSE;
  number->digits = (gsize) (p - text);
  number->exponent = 0;
  if (*p == 'e' || *p == 'E')
    {
      const char *q = p + 1 + (p[1] == '+' || p[1] == '-');

      if (g_ascii_isdigit (*q))
        {
          const int sign = p[1] == '-' ? -1 : 1;

          for (; g_ascii_isdigit (*q); q++)
            number->exponent = MIN (number->exponent * 10 + (*q - '0'), 1000000);
          number->exponent *= sign;
          p = q;
        }
    }
  number->rest = p + strspn (p, " \t");
  return TRUE;
}

/* Returns the number at the start of TEXT times 10^POWER, rounded once. */
static double
read_scaled (const char *text, const IfbamDigits *number, int power)
{
  char buffer[64];
  g_autofree char *longer = NULL;
  char *copy = buffer;

  if (number->digits > sizeof buffer - 16)
    copy = longer = g_malloc (number->digits + 16);
  memcpy (copy, text, number->digits);
  g_snprintf (copy + number->digits, 16, "e%d", number->exponent + power);
  return g_ascii_strtod (copy, NULL);
}

double
ifbam_digits_convert (const char *text, const IfbamDigits *number,
                      const IfbamConversion *conversion)
{
  double bare;

  if (conversion != NULL && conversion->decimal)
    return read_scaled (text, number, conversion->power);
  bare = read_scaled (text, number, 0);
  if (conversion == NULL)
    return bare;
  return conversion->divide ? bare / conversion->factor : bare * conversion->factor;
}

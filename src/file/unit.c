/* unit.c: conversion of units
 *
 * Units accept more than a network should: angles as pure numbers (1 rad/s is 1 Hz), numbers in
 * units ("1 000 m" is 1 times "000 m"), offsets and logarithms. All are rejected here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "file/unit-spelling.h"

/* Longer texts are no units. */
#define MAX_UNIT_LENGTH 64
#define LN_10           2.302585092994046

static gboolean
is_unit (const char *word)
{
  IfbamUnit unit;

  return ifbam_unit_parse (word, &unit);
}

static gboolean
parse_unit (const char *text, IfbamUnit *unit)
{
  g_autofree char *spelled = ifbam_unit_spell (text, is_unit);

  return ifbam_unit_parse (spelled, unit);
}

static int
angle_of (const IfbamDimension *dimension)
{
  return dimension->halves[IFBAM_BASIC_RADIAN] / 2;
}

/* TRUE if TEXT, as spelled by ifbam_unit_spell(), contains a number that is no exponent. "1/s" is a unit. */
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
  conversion->power = (int) round (ifbam_exact_logarithm (factor) / LN_10);
  conversion->decimal =
      fabs (factor / ifbam_exact_power (10, conversion->power) - 1) < 16 * DBL_EPSILON;
  conversion->divide = factor < 1 && fabs (inverse / round (inverse) - 1) < 16 * DBL_EPSILON;
  if (conversion->divide)
    conversion->factor = round (inverse);
}

/* TRUE if TARGET is an angle or its speed: they need their radian; N m/rad may be N m. */
static gboolean
is_plain_angle (const char *target)
{
  return g_str_has_prefix (target, "rad");
}

/* Returns TEXT in the spelling of ifbam_unit_parse() for a TARGET. */
static char *
spell_for (const char *text, const char *target)
{
  /* Turns are counted per minute, radians are not. */
  if (g_str_equal (target, "rad/s") && ifbam_unit_is_per_minute (text))
    return g_strdup ("rpm");
  return ifbam_unit_spell (text, is_unit);
}

/* TRUE if a unit is a number or a power of the radian. */
static gboolean
is_dimensionless (const IfbamUnit *unit)
{
  for (guint i = 0; i < IFBAM_BASIC_RADIAN; i++)
    if (unit->dimension.halves[i] != 0)
      return FALSE;
  return TRUE;
}

IfbamUnitResult
ifbam_unit_convert (const char *text, const char *target, IfbamConversion *conversion)
{
  g_autofree char *spelled = NULL;
  IfbamUnit unit, wanted, quotient;
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
  if (!ifbam_unit_parse (spelled, &unit) || !parse_unit (target, &wanted))
    return IFBAM_UNIT_UNKNOWN;
  if (unit.scale != IFBAM_SCALE_RATIO)
    return IFBAM_UNIT_NOT_SCALE;
  if (!ifbam_unit_divide (&unit, &wanted, &quotient) || !is_dimensionless (&quotient))
    return IFBAM_UNIT_MISFIT;
  set_factor (conversion, quotient.factor);
  excess = angle_of (&quotient.dimension);
  if (excess == 0 || (angle_of (&unit.dimension) == 0 && !is_plain_angle (target)))
    return IFBAM_UNIT_FITS;
  if (excess == 1 && g_str_equal (target, "Hz"))
    {
      set_factor (conversion, quotient.factor / (2 * G_PI));
      return IFBAM_UNIT_FITS;
    }
  return excess == -1 && g_str_equal (target, "rad/s") ? IFBAM_UNIT_CYCLIC : IFBAM_UNIT_MISFIT;
}

/* Dimensions */

static const char *const basic_units[IFBAM_N_BASIC_UNITS] = { "kg", "m",   "s",  "A",
                                                              "K",  "mol", "cd", "rad" };

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
  IfbamUnit unit;

  if (strlen (text) > MAX_UNIT_LENGTH || !g_utf8_validate (text, -1, NULL)
      || !parse_unit (text, &unit))
    return IFBAM_UNIT_UNKNOWN;
  if (unit.scale != IFBAM_SCALE_RATIO)
    return IFBAM_UNIT_NOT_SCALE;
  *dimension = unit.dimension;
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

double
ifbam_digits_convert (const char *text, const IfbamDigits *number,
                      const IfbamConversion *conversion)
{
  double bare;

  if (conversion != NULL && conversion->decimal)
    return ifbam_digits_scale (text, number, conversion->power);
  bare = ifbam_digits_scale (text, number, 0);
  if (conversion == NULL)
    return bare;
  return conversion->divide ? bare / conversion->factor : bare * conversion->factor;
}

/* axis-units.c: numbers with units and SI prefixes: 0.5 mm, not 0.0005 m
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/axis-units.h"

#include <math.h>
#include <string.h>

static const char *const prefixes[] = { "p", "n", "\302\265", "m", "", "k", "M", "G", "T" };
#define NO_PREFIX 4
#define LARGE     1e3 /* largest value on an axis without prefix */
#define SMALL     0.1 /* smallest such value */

static gboolean
begins_with (const char *unit, const char *const *first, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_str_has_prefix (unit, first[i]))
      {
        const char next = unit[strlen (first[i])];

        if (next == '\0' || next == ' ' || next == '/')
          return TRUE;
      }
  return FALSE;
}

/* Kilograms and angles take no prefix. */
static gboolean
takes_prefix (const char *unit)
{
  static const char *const first[] = { "N", "m", "s", "J", "Hz",  "Pa", "F",
                                       "H", "A", "V", "W", "ohm", "C" };

  return begins_with (unit, first, G_N_ELEMENTS (first));
}

/* Seconds and speeds take no prefix above 1. */
static gboolean
takes_large_prefix (const char *unit)
{
  return takes_prefix (unit) && unit[0] != 's' && !g_str_has_prefix (unit, "m/");
}

static int
prefix_of (const char *unit, double largest)
{
  int prefix = 0;

  if (!isfinite (largest) || largest == 0)
    return NO_PREFIX;
  if (largest >= LARGE && takes_large_prefix (unit))
    prefix = (int) floor (log10 (largest) / 3 + 1e-9);
  else if (largest <= SMALL && (takes_prefix (unit) || g_str_equal (unit, "rad")))
    prefix = (int) ceil ((log10 (largest) - log10 (SMALL)) / 3 - 1e-9) - 1;
  return CLAMP (prefix + NO_PREFIX, 0, (int) G_N_ELEMENTS (prefixes) - 1);
}

static double
factor_of (int prefix)
{
  return pow (10, -3 * (prefix - NO_PREFIX));
}

IfbamScale
ifbam_scale_for (const char *unit, double largest)
{
  const int prefix = prefix_of (unit, fabs (largest));

  return (IfbamScale){ factor_of (prefix), g_strconcat (prefixes[prefix], unit, NULL) };
}

void
ifbam_scale_clear (IfbamScale *scale)
{
  g_free (scale->unit);
}

double
ifbam_scale_step (double length, guint most)
{
  const double least = length / most, decade = pow (10, floor (log10 (least)));

  return least <= decade       ? decade
         : least <= 2 * decade ? 2 * decade
         : least <= 5 * decade ? 5 * decade
                               : 10 * decade;
}

char *
ifbam_quantity_text (double number, const char *unit)
{
  int prefix = NO_PREFIX;

  if (takes_prefix (unit) && number != 0 && isfinite (number))
    {
      prefix += (int) floor (log10 (fabs (number)) / 3 + 1e-9);
      prefix = CLAMP (prefix, 0, (int) G_N_ELEMENTS (prefixes) - 1);
      number *= factor_of (prefix);
    }
  return g_strconcat (IFBAM_FORMATTED ("%.4g", number), unit[0] != '\0' ? " " : "",
                      prefixes[prefix], unit, NULL);
}

char *
ifbam_length_text (double metres)
{
  static const struct
  {
    double size;
    const char *unit;
  } units[] = { { 1e3, "km" }, { 1, "m" }, { 1e-2, "cm" }, { 1e-3, "mm" }, { 1e-6, "\302\265m" } };
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (units) && metres < units[i].size * (1 - 1e-9))
    i++;
  return g_strdup_printf ("%s %s", IFBAM_FORMATTED ("%.4g", metres / units[i].size), units[i].unit);
}

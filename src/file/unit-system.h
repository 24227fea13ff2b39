/* unit-system.h: units of measurement: names, prefixes, products and powers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Exponents of SI's basic units, doubled: the root of N/m has halves. */
typedef struct
{
#define IFBAM_N_BASIC_UNITS 8
#define IFBAM_BASIC_RADIAN  7
  int halves[IFBAM_N_BASIC_UNITS]; /* kg, m, s, A, K, mol, cd, rad */
} IfbamDimension;

typedef enum
{
  IFBAM_SCALE_RATIO,    /* begins at zero */
  IFBAM_SCALE_INTERVAL, /* has an offset, such as degrees Celsius */
  IFBAM_SCALE_LOGARITHM,
} IfbamUnitScale;

typedef struct
{
  double factor; /* of the product of powers of basic units */
  IfbamDimension dimension;
  IfbamUnitScale scale;
} IfbamUnit;

/* Reads a unit: names with prefixes, numbers, products by a blank, "*" or ".", quotients by "/" or
 * "per", powers "m2", "m^-2", "m**2", parentheses, an offset "K @ 273.15". FALSE: no unit. */
gboolean ifbam_unit_parse (const char *text, IfbamUnit *unit);

/* Returns a / b; FALSE: it is none, as of logarithms. */
gboolean ifbam_unit_divide (const IfbamUnit *a, const IfbamUnit *b, IfbamUnit *quotient);

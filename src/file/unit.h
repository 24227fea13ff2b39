/* unit.h: what a unit does in the place of another, by UDUNITS-2
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UDUNITS is for one thread at a time: who calls these functions holds the lock of quantities.c.
 */
#pragma once

#include <glib.h>

typedef enum
{
  IFBAM_UNIT_FITS,
  IFBAM_UNIT_UNKNOWN,     /* no unit at all */
  IFBAM_UNIT_MISFIT,      /* a unit of something else */
  IFBAM_UNIT_ANGULAR,     /* an angular speed where a frequency is wanted */
  IFBAM_UNIT_CYCLIC,      /* a frequency where an angular speed is wanted */
  IFBAM_UNIT_NUMBER,      /* a number within the unit */
  IFBAM_UNIT_NOT_SCALE,   /* has an offset, a logarithm or a date */
  IFBAM_UNIT_NO_DATABASE, /* UDUNITS can't read its units: ifbam_unit_database_fault() */
} IfbamUnitVerdict;

/* What a unit does in the place of another. */
typedef struct
{
  IfbamUnitVerdict verdict;
  gboolean decimal; /* the factor is 10^power */
  int power;
  gboolean divide; /* divide by the factor: 1/60 is no double, 60 is */
  double factor;
  char *suggestion; /* left to who remembers it */
} IfbamConversion;

/* Powers of SI's basic units, twice: a root of N/m has its own. */
typedef struct
{
#define IFBAM_N_BASIC_UNITS 8
#define IFBAM_BASIC_RADIAN  7
  int halves[IFBAM_N_BASIC_UNITS]; /* kg, m, s, A, K, mol, cd, rad */
} IfbamDimension;

/* A number as it stands in a text: its digits are text[0..digits), its exponent stands apart. */
typedef struct
{
  gsize digits;
  int exponent;
  const char *rest; /* what follows, without blanks */
} IfbamDigits;

/* What the unit TEXT ("kN/m") does in the place of TARGET, an SI unit as the parameter tables write it. */
IfbamUnitVerdict ifbam_unit_judge (const char *text, const char *target,
                                   IfbamConversion *conversion);

/* Why the database can't be read: "is missing", or what the system says ("can't be read: Too many open files"). */
const char *ifbam_unit_database_fault (void);

/* Reads the decimal number that TEXT begins with (no hexadecimal, no "inf"). */
gboolean ifbam_digits_scan (const char *text, IfbamDigits *number);
/* The number that TEXT begins with, in the unit that is wanted, rounded once where that is a power of ten away;
 * conversion: NULL, it stays. */
double ifbam_digits_convert (const char *text, const IfbamDigits *number,
                             const IfbamConversion *conversion);

/* The dimension of the unit TEXT and what brings it to SI; or why not. */
IfbamUnitVerdict ifbam_unit_read (const char *text, IfbamDimension *dimension,
                                  IfbamConversion *conversion);
/* Whether what was computed from quantities stands for TARGET. Here, too, an angle and its speed have to have their
 * radian, and a frequency must have none; a radius times an angular speed is a speed. */
IfbamUnitVerdict ifbam_dimension_judge (const IfbamDimension *dimension, const char *target);
/* "kg m2 s-2", "": a pure number (transfer full). */
char *ifbam_dimension_text (const IfbamDimension *dimension);

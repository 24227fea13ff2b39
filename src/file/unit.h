/* unit.h: conversion of units
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/digits.h"
#include "file/unit-system.h"

typedef enum
{
  IFBAM_UNIT_FITS,
  IFBAM_UNIT_UNKNOWN,   /* no unit */
  IFBAM_UNIT_MISFIT,    /* another dimension */
  IFBAM_UNIT_ANGULAR,   /* an angular speed in place of a frequency: 1 Hz is 2 pi rad/s */
  IFBAM_UNIT_CYCLIC,    /* a frequency in place of an angular speed */
  IFBAM_UNIT_NUMBER,    /* a number within the unit */
  IFBAM_UNIT_NOT_SCALE, /* has an offset or a logarithm */
} IfbamUnitResult;

/* Conversion of a unit to the wanted one. */
typedef struct
{
  IfbamUnitResult verdict;
  gboolean decimal; /* the factor is 10^power */
  int power;
  gboolean divide; /* divide by the factor: 1/60 is no double, but 60 is */
  double factor;
} IfbamConversion;

/* Finds the conversion of the unit TEXT ("kN/m") to TARGET, SI as in the parameter tables. */
IfbamUnitResult ifbam_unit_convert (const char *text, const char *target,
                                    IfbamConversion *conversion);

/* Returns the number at the start of TEXT in the wanted unit; rounded once if the factor is a power
 * of ten. conversion: NULL: none. */
double ifbam_digits_convert (const char *text, const IfbamDigits *number,
                             const IfbamConversion *conversion);

/* Computes the dimension of the unit TEXT and its conversion to SI, or the reason why not. */
IfbamUnitResult ifbam_unit_read (const char *text, IfbamDimension *dimension,
                                 IfbamConversion *conversion);
/* Compares a computed dimension with TARGET. Angles and angular speeds must have their radian, and
 * frequencies none; a radius times an angular speed is a speed. */
IfbamUnitResult ifbam_dimension_compare (const IfbamDimension *dimension, const char *target);
/* Returns "kg m2 s-2", or "" for a pure number (transfer full). */
char *ifbam_dimension_text (const IfbamDimension *dimension);

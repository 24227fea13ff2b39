/* expression.h: arithmetic in values, "2 * sqrt($k * $m)", with units
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/formula.h"
#include "file/unit.h"

/* A name that gets its value later. */
typedef struct
{
  const char *name;
  IfbamDimension dimension;
} IfbamUnknown;

/* TRUE if TEXT is more than a number with unit: has an operator, parentheses, a function. */
gboolean ifbam_is_expression (const char *text);

/* Returns the length of the unit at the start of TEXT; 0: none. */
gsize ifbam_unit_length (const char *text);

/* Reads TEXT, in which $NAME is one of n_unknowns, the inputs of the formula; all values are in SI.
 * *dimension: of the result; *is_bare: there is no unit, so that the result has the wanted unit. NULL
 * with a reason (transfer full). */
IfbamFormula *ifbam_expression_new (const char *text, const IfbamUnknown *unknowns,
                                    gsize n_unknowns, IfbamDimension *dimension, gboolean *is_bare,
                                    char **reason);

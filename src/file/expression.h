/* expression.h: arithmetic in values, "2 * sqrt($k * $m)", with units
 *
 * Only ifbam_expression_value is thread-safe: the others call UDUNITS.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/unit.h"

typedef struct IfbamExpression IfbamExpression;

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

/* Reads TEXT, in which $NAME is one of n_unknowns. *dimension: of its value; *is_bare: there is no
 * unit, so that the value has the wanted unit. NULL with a reason (transfer full). */
IfbamExpression *ifbam_expression_new (const char *text, const IfbamUnknown *unknowns,
                                       gsize n_unknowns, IfbamDimension *dimension,
                                       gboolean *is_bare, char **reason);
void ifbam_expression_free (IfbamExpression *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamExpression, ifbam_expression_free)

/* Returns its operations on SI values in order of execution: "$k 2 *" (transfer full). */
char *ifbam_expression_text (const IfbamExpression *self, const IfbamUnknown *unknowns);

/* Returns its value in SI for SI values of the unknowns (n_unknowns). */
double ifbam_expression_value (const IfbamExpression *self, const double *values);

/* expression.h: arithmetic in values, "2 * sqrt($k * $m)", with units carried and checked
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As all that asks UDUNITS these functions are for one thread at a time; ifbam_expression_value is not.
 */
#pragma once

#include "file/unit.h"

typedef struct IfbamExpression IfbamExpression;

/* A number that has a name and no value yet. */
typedef struct
{
  const char *name;
  IfbamDimension dimension;
} IfbamUnknown;

/* Whether TEXT is more than a number with its unit: has an operator, parentheses, a function. */
gboolean ifbam_is_expression (const char *text);

/* The length of the unit that TEXT begins with; 0: none. */
gsize ifbam_unit_length (const char *text);

/* Reads TEXT, in which $NAME is one of n_unknowns; the dimension of its value goes to DIMENSION. is_bare: no unit
 * stands anywhere, so the value is in whatever is wanted. NULL with a reason (transfer full). */
IfbamExpression *ifbam_expression_new (const char *text, const IfbamUnknown *unknowns,
                                       gsize n_unknowns, IfbamDimension *dimension,
                                       gboolean *is_bare, char **reason);
void ifbam_expression_free (IfbamExpression *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamExpression, ifbam_expression_free)

/* Its operations on values in SI, in the order in which they are done: "$k 2 *" (transfer full). */
char *ifbam_expression_text (const IfbamExpression *self, const IfbamUnknown *unknowns);

/* Its value in SI, for values of the unknowns (n_unknowns) in SI. */
double ifbam_expression_value (const IfbamExpression *self, const double *values);

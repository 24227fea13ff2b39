/* quantities.h: quantities in text, checked and converted to SI
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/expression.h"

/* Reads TEXT ("10 kN/m", "5e-5", "30 deg") as a quantity in UNIT (an SI unit as the parameter
 * tables write it: "N/m", "kg m2", "N m s/rad", "Hz", "s", "" for a pure number). A number without
 * a unit is taken as SI. On failure returns FALSE and sets *REASON (transfer full) to a phrase that
 * completes "KEY: ", such as
 *   "ten" is not a number (want a stiffness in N/m, such as "10 kN/m")
 *   "10 kg" is no stiffness: kg does not convert to N/m
 *   unit "kn/m" is unknown (did you mean "kN/m"?)
 * MEANING is the quantity ("stiffness"); EXAMPLE a valid text ("10 kN/m"), or NULL. Never accepts
 * nan, inf, 1e400 or an empty text. Independent of the locale. */
gboolean ifbam_units_parse (const char *text, const char *unit, const char *meaning,
                            const char *example, double *value, char **reason);

/* Returns "1000:20000:11" for "1000-20000", "1000..20000", "1000 to 20000" and similar ranges
 * (transfer full); NULL: TEXT is no range. */
char *ifbam_units_range (const char *text);

/* Returns an example that ifbam_units_parse reads in UNIT ("10 kN/m"). Static. */
const char *ifbam_units_example (const char *unit);

/* Reads an expression for a quantity in UNIT, with values that come later; see
 * ifbam_expression_new. NULL with a reason (transfer full). */
IfbamFormula *ifbam_units_parse_expression (const char *text, const IfbamUnknown *unknowns,
                                            gsize n_unknowns, const char *unit, const char *meaning,
                                            const char *example, char **reason);
/* Computes the dimension of a quantity, "10 kN/m"; FALSE: it is none. */
gboolean ifbam_units_dimension (const char *text, IfbamDimension *dimension);
/* Returns the usual SI unit of a dimension: "N/m". Static. */
const char *ifbam_units_name (const IfbamDimension *dimension);

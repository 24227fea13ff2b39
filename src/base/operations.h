/* operations.h: the operations of formulas, with their values and derivatives; freestanding C
 *
 * X (word, name, n_operands, value, slope_a, slope_b, takes, gives_angle): a, b: operands; value: y;
 * slope_a, slope_b: dy/da and dy/db. The exponent of a power is constant. The slope of abs is 0 at 0.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/elementary.h"

#define IFBAM_OPERATIONS(X)                                                                        \
  X ("+", ADD, 2, a + b, 1.0, 1.0, ANYTHING, 0)                                                    \
  X ("-", SUBTRACT, 2, a - b, 1.0, -1.0, ANYTHING, 0)                                              \
  X ("*", MULTIPLY, 2, a *b, b, a, ANYTHING, 0)                                                    \
  X ("/", DIVIDE, 2, a / b, 1.0 / b, -y / b, ANYTHING, 0)                                          \
  X ("^", POWER, 2, ifbam_exact_power (a, b), b *ifbam_exact_power (a, b - 1.0), 0.0, NUMBER, 0)   \
  X ("negative", NEGATE, 1, -a, -1.0, 0.0, ANYTHING, 0)                                            \
  X ("sqrt", ROOT, 1, sqrt (a), 0.5 / y, 0.0, SQUARE, 0)                                           \
  X ("abs", ABSOLUTE, 1, fabs (a), (a > 0.0) - (a < 0.0), 0.0, ANYTHING, 0)                        \
  X ("sin", SINE, 1, ifbam_exact_sine (a), ifbam_exact_cosine (a), 0.0, ANGLE, 0)                  \
  X ("cos", COSINE, 1, ifbam_exact_cosine (a), -ifbam_exact_sine (a), 0.0, ANGLE, 0)               \
  X ("tan", TANGENT, 1, ifbam_exact_tangent (a), 1.0 + y * y, 0.0, ANGLE, 0)                       \
  X ("asin", ARCSINE, 1, ifbam_exact_arcsine (a), 1.0 / sqrt (1.0 - a * a), 0.0, NUMBER, 1)        \
  X ("acos", ARCCOSINE, 1, ifbam_exact_arccosine (a), -1.0 / sqrt (1.0 - a * a), 0.0, NUMBER, 1)   \
  X ("atan", ARCTANGENT, 1, ifbam_exact_arctangent (a), 1.0 / (1.0 + a * a), 0.0, NUMBER, 1)       \
  X ("exp", EXPONENTIAL, 1, ifbam_exact_exponential (a), y, 0.0, NUMBER, 0)                        \
  X ("log", LOGARITHM, 1, ifbam_exact_logarithm (a), 1.0 / a, 0.0, NUMBER, 0)

#define IFBAM_OPERATION_NAME(word, name, n_operands, value, slope_a, slope_b, takes, gives_angle)  \
  IFBAM_##name,

/* Operations; functions follow IFBAM_NEGATE. */
enum
{
  IFBAM_NUMBER, /* a constant */
  IFBAM_INPUT,  /* a variable */
  IFBAM_OPERATIONS (IFBAM_OPERATION_NAME)
};
#define IFBAM_FIRST_FUNCTION (IFBAM_NEGATE + 1)

/* expression-operations.h: an expression as operations on a stack of values, and its functions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <math.h>

typedef enum
{
  OP_NUMBER,
  OP_UNKNOWN,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_POWER,
  OP_NEGATE,
  OP_FUNCTION,
} Code;

typedef struct
{
  Code code;
  guint index; /* of the unknown or function */
  double number;
} Operation;

struct IfbamExpression
{
  Operation *operations; /* in order of execution */
  guint n;
  guint n_values; /* largest size of the stack */
};

typedef enum
{
  TAKES_ANYTHING, /* keeps the unit */
  TAKES_SQUARE,   /* halves the unit's exponents */
  TAKES_ANGLE,
  TAKES_NUMBER,
} Takes;

static const struct
{
  const char *name;
  double (*compute) (double);
  Takes takes;
  gboolean gives_angle;
} functions[] = {
  { "sqrt", sqrt, TAKES_SQUARE, FALSE }, { "abs", fabs, TAKES_ANYTHING, FALSE },
  { "sin", sin, TAKES_ANGLE, FALSE },    { "cos", cos, TAKES_ANGLE, FALSE },
  { "tan", tan, TAKES_ANGLE, FALSE },    { "asin", asin, TAKES_NUMBER, TRUE },
  { "acos", acos, TAKES_NUMBER, TRUE },  { "atan", atan, TAKES_NUMBER, TRUE },
  { "exp", exp, TAKES_NUMBER, FALSE },   { "log", log, TAKES_NUMBER, FALSE },
};

/* formula.c: programs of arithmetic, evaluated for many values at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/formula.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Values that an instruction computes at once. */
#define BLOCK 64

#define OPERATION(name, value)                                                                     \
  static void name (double *a, const double *b, guint n)                                           \
  {                                                                                                \
    (void) b;                                                                                      \
    for (guint i = 0; i < n; i++)                                                                  \
      a[i] = value;                                                                                \
  }

OPERATION (add, a[i] + b[i])
OPERATION (subtract, a[i] - b[i])
OPERATION (multiply, a[i] * b[i])
OPERATION (divide, a[i] / b[i])
OPERATION (power, ifbam_exact_power (a[i], b[i]))
OPERATION (negate, -a[i])
OPERATION (root, sqrt (a[i]))
OPERATION (absolute, fabs (a[i]))
OPERATION (sine, ifbam_exact_sine (a[i]))
OPERATION (cosine, ifbam_exact_cosine (a[i]))
OPERATION (tangent, ifbam_exact_tangent (a[i]))
OPERATION (arcsine, ifbam_exact_arcsine (a[i]))
OPERATION (arccosine, ifbam_exact_arccosine (a[i]))
OPERATION (arctangent, ifbam_exact_arctangent (a[i]))
OPERATION (exponential, ifbam_exact_exponential (a[i]))
OPERATION (logarithm, ifbam_exact_logarithm (a[i]))

const IfbamOperation ifbam_operations[] = {
  { "number", 0, NULL, IFBAM_TAKES_ANYTHING, FALSE },
  { "input", 0, NULL, IFBAM_TAKES_ANYTHING, FALSE },
  { "+", 2, add, IFBAM_TAKES_ANYTHING, FALSE },
  { "-", 2, subtract, IFBAM_TAKES_ANYTHING, FALSE },
  { "*", 2, multiply, IFBAM_TAKES_ANYTHING, FALSE },
  { "/", 2, divide, IFBAM_TAKES_ANYTHING, FALSE },
  { "^", 2, power, IFBAM_TAKES_NUMBER, FALSE },
  { "negative", 1, negate, IFBAM_TAKES_ANYTHING, FALSE },
  { "sqrt", 1, root, IFBAM_TAKES_SQUARE, FALSE },
  { "abs", 1, absolute, IFBAM_TAKES_ANYTHING, FALSE },
  { "sin", 1, sine, IFBAM_TAKES_ANGLE, FALSE },
  { "cos", 1, cosine, IFBAM_TAKES_ANGLE, FALSE },
  { "tan", 1, tangent, IFBAM_TAKES_ANGLE, FALSE },
  { "asin", 1, arcsine, IFBAM_TAKES_NUMBER, TRUE },
  { "acos", 1, arccosine, IFBAM_TAKES_NUMBER, TRUE },
  { "atan", 1, arctangent, IFBAM_TAKES_NUMBER, TRUE },
  { "exp", 1, exponential, IFBAM_TAKES_NUMBER, FALSE },
  { "log", 1, logarithm, IFBAM_TAKES_NUMBER, FALSE },
};

const guint ifbam_n_operations = G_N_ELEMENTS (ifbam_operations);

IfbamFormula *
ifbam_formula_new (void)
{
  IfbamFormula *self = g_new0 (IfbamFormula, 1);

  self->instructions = g_array_new (FALSE, FALSE, sizeof (IfbamInstruction));
  return self;
}

void
ifbam_formula_free (IfbamFormula *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->instructions);
  g_free (self);
}

void
ifbam_formula_append (IfbamFormula *self, guint operation, guint input, double number)
{
  IfbamInstruction instruction = { operation, 0, input, number };

  self->n_waiting += 1 - ifbam_operations[operation].n_operands;
  instruction.target = self->n_waiting - 1;
  self->n_registers = MAX (self->n_registers, self->n_waiting);
  if (operation == IFBAM_INPUT)
    self->n_inputs = MAX (self->n_inputs, input + 1);
  g_array_append_val (self->instructions, instruction);
}

/* Computes at most BLOCK results, from the value `first` of each input on. */
static void
evaluate_block (const IfbamFormula *self, const double *const *inputs, guint first, guint n,
                double *registers)
{
  for (guint k = 0; k < self->instructions->len; k++)
    {
      const IfbamInstruction *instruction =
          &g_array_index (self->instructions, IfbamInstruction, k);
      double *a = registers + (gsize) BLOCK * instruction->target;

      if (instruction->operation == IFBAM_INPUT)
        memcpy (a, inputs[instruction->input] + first, n * sizeof *a);
      else if (instruction->operation == IFBAM_NUMBER)
        for (guint i = 0; i < n; i++)
          a[i] = instruction->number;
      else
        ifbam_operations[instruction->operation].apply (a, a + BLOCK, n);
    }
}

void
ifbam_formula_evaluate (const IfbamFormula *self, const double *const *inputs, guint n,
                        double *results)
{
  g_autofree double *registers = g_new (double, (gsize) BLOCK *(self->n_registers + 1));

  for (guint first = 0; first < n; first += BLOCK)
    {
      const guint size = MIN (BLOCK, n - first);

      evaluate_block (self, inputs, first, size, registers);
      memcpy (results + first, registers, size * sizeof *results);
    }
}

double
ifbam_formula_value (const IfbamFormula *self, const double *values)
{
  g_autofree const double **inputs = g_new (const double *, self->n_inputs + 1);
  double result;

  for (guint k = 0; k < self->n_inputs; k++)
    inputs[k] = &values[k];
  ifbam_formula_evaluate (self, inputs, 1, &result);
  return result;
}

/* formula.c: programs of arithmetic, evaluated for many values at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/formula.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Values that an instruction computes at once. */
#define BLOCK 64

/* Word, name, number of operands, value, takes, gives an angle */
#define OPERATIONS(X)                                                                              \
  X ("+", add, 2, a[i] + b[i], ANYTHING, FALSE)                                                    \
  X ("-", subtract, 2, a[i] - b[i], ANYTHING, FALSE)                                               \
  X ("*", multiply, 2, a[i] * b[i], ANYTHING, FALSE)                                               \
  X ("/", divide, 2, a[i] / b[i], ANYTHING, FALSE)                                                 \
  X ("^", power, 2, ifbam_exact_power (a[i], b[i]), NUMBER, FALSE)                                 \
  X ("negative", negate, 1, -a[i], ANYTHING, FALSE)                                                \
  X ("sqrt", root, 1, sqrt (a[i]), SQUARE, FALSE)                                                  \
  X ("abs", absolute, 1, fabs (a[i]), ANYTHING, FALSE)                                             \
  X ("sin", sine, 1, ifbam_exact_sine (a[i]), ANGLE, FALSE)                                        \
  X ("cos", cosine, 1, ifbam_exact_cosine (a[i]), ANGLE, FALSE)                                    \
  X ("tan", tangent, 1, ifbam_exact_tangent (a[i]), ANGLE, FALSE)                                  \
  X ("asin", arcsine, 1, ifbam_exact_arcsine (a[i]), NUMBER, TRUE)                                 \
  X ("acos", arccosine, 1, ifbam_exact_arccosine (a[i]), NUMBER, TRUE)                             \
  X ("atan", arctangent, 1, ifbam_exact_arctangent (a[i]), NUMBER, TRUE)                           \
  X ("exp", exponential, 1, ifbam_exact_exponential (a[i]), NUMBER, FALSE)                         \
  X ("log", logarithm, 1, ifbam_exact_logarithm (a[i]), NUMBER, FALSE)

#define FUNCTION(word, name, n_operands, value, takes, gives_angle)                                \
  static void name (double *a, const double *b, guint n)                                           \
  {                                                                                                \
    (void) b;                                                                                      \
    for (guint i = 0; i < n; i++)                                                                  \
      a[i] = value;                                                                                \
  }
OPERATIONS (FUNCTION)

#define ROW(word, name, n_operands, value, takes, gives_angle)                                     \
  { word, n_operands, name, IFBAM_TAKES_##takes, gives_angle },
const IfbamOperation ifbam_operations[] = { { "number", 0, NULL, IFBAM_TAKES_ANYTHING, FALSE },
                                            { "input", 0, NULL, IFBAM_TAKES_ANYTHING, FALSE },
                                            OPERATIONS (ROW) };

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

/* formula.c: formulas as lists of instructions, evaluated for many values at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/formula.h"

#include <math.h>
#include <string.h>

#include "base/isa.h"
#include "base/quick-exponential.h"

#define BLOCK IFBAM_PROGRAM_BLOCK

/* Values of one operation, by instruction set: name_LEVEL */
#define OPERATE(name, value)                                                                       \
  IFBAM_INLINE void name##_body (double *restrict first, const double *restrict second, guint n)   \
  {                                                                                                \
    (void) second;                                                                                 \
    IFBAM_VECTOR_LOOP                                                                              \
    for (guint i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        const double a = first[i];                                                                 \
        first[i] = (value);                                                                        \
      }                                                                                            \
  }                                                                                                \
  IFBAM_EACH_ISA (VARIANT, name)
#define VARIANT(name, level, target)                                                               \
  target static void name##_##level (double *first, const double *second, guint n)                 \
  {                                                                                                \
    name##_body (first, second, n);                                                                \
  }
#define FUNCTION(word, name, n_operands, value, slope_a, slope_b, takes, gives_angle)              \
  OPERATE (apply_##name, value)
#define b second[i]
IFBAM_OPERATIONS (FUNCTION)
#undef b

/* The exponential of all values quickly, then those that this does not round. */
IFBAM_INLINE void
exponentials_body (double *restrict first, guint n)
{
  double quick[BLOCK];

  IFBAM_VECTOR_LOOP
  for (guint i = 0; i < n; i++)
    {
      const double x = first[i], within = x > -700 && x < 700 ? x : 0;
      double k;
      const IfbamPair result = ifbam_quick_exponential (within, &k);
      const double value = ifbam_pair_scaled (result, k);

      quick[i] = x == within && ifbam_quick_is_rounded (result) ? value : NAN;
    }
  for (guint i = 0; i < n; i++)
    first[i] = quick[i] == quick[i] ? quick[i] : ifbam_exact_exponential (first[i]);
}
#define EXPONENTIALS(name, level, target)                                                          \
  target static void name##_##level (double *first, guint n) { exponentials_body (first, n); }
IFBAM_EACH_ISA (EXPONENTIALS, exponentials)
static void (*const exponentials[IFBAM_N_ISA]) (double *first, guint n) = {
  IFBAM_ISA_LIST (IFBAM_ISA_KERNEL, exponentials)
};

#define ROW(word, name, n_operands, value, slope_a, slope_b, takes, gives_angle)                   \
  { word, n_operands, apply_##name##_baseline, IFBAM_TAKES_##takes, gives_angle },
const IfbamOperation ifbam_operations[] = { { "number", 0, NULL, IFBAM_TAKES_ANYTHING, FALSE },
                                            { "input", 0, NULL, IFBAM_TAKES_ANYTHING, FALSE },
                                            IFBAM_OPERATIONS (ROW) };

#define APPLIERS(word, name, n_operands, value, slope_a, slope_b, takes, gives_angle)              \
  [IFBAM_##name] = { IFBAM_ISA_LIST (IFBAM_ISA_KERNEL, apply_##name) },
typedef void (*Apply) (double *first, const double *second, guint n);
static const Apply appliers[][IFBAM_N_ISA] = { IFBAM_OPERATIONS (APPLIERS) };

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

/* Computes at most BLOCK results, from the value `first` of each input on. results: register 0; the
 * others have BLOCK values each in `registers`. */
static void
evaluate_block (IfbamIsa isa, const IfbamProgram *program, const double *const *inputs, guint first,
                guint n, double *registers, double *results)
{
  for (guint k = 0; k < program->n; k++)
    {
      const IfbamInstruction *instruction = &program->instruction[k];
      double *a =
          instruction->target == 0 ? results : registers + (gsize) BLOCK * instruction->target;
      const IfbamInstruction *next = k + 1 < program->n ? instruction + 1 : NULL;

      /* An operation reads its second operand from the input itself. */
      if (instruction->operation == IFBAM_INPUT && next != NULL
          && ifbam_operations[next->operation].n_operands == 2)
        {
          a = next->target == 0 ? results : a - BLOCK;
          appliers[next->operation][isa](a, inputs[instruction->input] + first, n);
          k++;
        }
      else if (instruction->operation == IFBAM_INPUT)
        memcpy (a, inputs[instruction->input] + first, n * sizeof *a);
      else if (instruction->operation == IFBAM_NUMBER)
        for (guint i = 0; i < n; i++)
          a[i] = instruction->number;
      else if (instruction->operation == IFBAM_EXPONENTIAL)
        exponentials[isa](a, n);
      else
        appliers[instruction->operation][isa](
            a, registers + (gsize) BLOCK * (instruction->target + 1), n);
    }
}

void
ifbam_formula_evaluate (const IfbamFormula *self, const double *const *inputs, guint n,
                        double *results)
{
  g_autofree double *registers = g_new (double, (gsize) BLOCK *(self->n_registers + 1));
  const IfbamProgram program = {
    .n = self->instructions->len,
    .instruction = (const IfbamInstruction *) (gconstpointer) self->instructions->data,
  };

  for (guint first = 0; first < n; first += BLOCK)
    {
      const guint size = MIN (BLOCK, n - first);

      evaluate_block (IFBAM_ISA_BASELINE, &program, inputs, first, size, registers,
                      results + first);
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

/* Programs */

/* Replaces an operation on constants by its result. */
static void
fold_constants (GArray *instructions)
{
  IfbamInstruction *last = &g_array_index (instructions, IfbamInstruction, instructions->len - 1);
  const guint n = ifbam_operations[last->operation].n_operands;
  double operands[2] = { 0, 0 };

  if (n == 0)
    return;
  for (guint k = 0; k < n; k++)
    {
      if (last[(int) k - (int) n].operation != IFBAM_NUMBER)
        return;
      operands[k] = last[(int) k - (int) n].number;
    }
  ifbam_operations[last->operation].apply (operands, operands + 1, 1);
  last[-(int) n].number = operands[0];
  g_array_set_size (instructions, instructions->len - n);
}

static guint
sum_of_degrees (guint a, guint b)
{
  return MIN (a + b, IFBAM_NO_POLYNOMIAL);
}

/* Returns the degree of a result; a, b: degrees of the operands; exponent: of a power. */
static guint
degree_of_result (guint operation, guint a, guint b, double exponent)
{
  switch (operation)
    {
    case IFBAM_ADD:
    case IFBAM_SUBTRACT:
      return MAX (a, b);
    case IFBAM_MULTIPLY:
      return sum_of_degrees (a, b);
    case IFBAM_DIVIDE:
      return b == 0 ? a : IFBAM_NO_POLYNOMIAL;
    case IFBAM_NEGATE:
      return a;
    case IFBAM_POWER:
      return a == 0 ? 0
             : exponent >= 0 && exponent < 20 && exponent == (guint) exponent
                 ? MIN (a * (guint) exponent, IFBAM_NO_POLYNOMIAL)
                 : IFBAM_NO_POLYNOMIAL;
    default:
      return a == 0 ? 0 : IFBAM_NO_POLYNOMIAL;
    }
}

static guint
find_degree (const IfbamInstruction *instructions, guint n)
{
  guint degree[IFBAM_PROGRAM_REGISTERS + 1] = { 0 };

  for (guint k = 0; k < n; k++)
    {
      const IfbamInstruction *instruction = &instructions[k];
      guint *own = &degree[instruction->target];

      *own = instruction->operation == IFBAM_NUMBER ? 0
             : instruction->operation == IFBAM_INPUT
                 ? 1
                 : degree_of_result (instruction->operation, own[0], own[1],
                                     instructions[k - 1].number);
    }
  return degree[0];
}

IfbamProgram *
ifbam_program_new (const IfbamFormula *formula)
{
  g_autoptr (GArray) instructions = g_array_new (FALSE, FALSE, sizeof (IfbamInstruction));
  IfbamProgram *self;

  if (formula->n_registers > IFBAM_PROGRAM_REGISTERS)
    return NULL;
  self = g_new0 (IfbamProgram, 1);
  for (guint k = 0; k < formula->instructions->len; k++)
    {
      const IfbamInstruction *next = &g_array_index (formula->instructions, IfbamInstruction, k);

      g_array_append_vals (instructions, next, 1);
      if (next->operation == IFBAM_INPUT)
        self->inputs |= 1u << next->input;
      fold_constants (instructions);
    }
  self->n = instructions->len;
  self->instruction = g_memdup2 (instructions->data, instructions->len * sizeof (IfbamInstruction));
  self->degree = find_degree (self->instruction, self->n);
  return self;
}

void
ifbam_program_free (gpointer program)
{
  IfbamProgram *self = program;

  if (self == NULL)
    return;
  g_free ((gpointer) self->instruction);
  g_free (self);
}

static IfbamIsa
best_isa (void)
{
  static gsize isa; /* plus 1 */

  if (g_once_init_enter (&isa))
    g_once_init_leave (&isa, 1 + (gsize) ifbam_isa_choose ());
  return (IfbamIsa) (isa - 1);
}

void
ifbam_program_evaluate (const IfbamProgram *self, const double *const *inputs, guint n,
                        double *results)
{
  double registers[BLOCK * (IFBAM_PROGRAM_REGISTERS + 1)];

  for (guint first = 0; first < n; first += BLOCK)
    {
      const guint size = MIN (BLOCK, n - first);

      evaluate_block (best_isa (), self, inputs, first, size, registers, results + first);
    }
}

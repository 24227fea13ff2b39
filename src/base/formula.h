/* formula.h: programs of arithmetic, evaluated for many values at once
 *
 * An instruction writes one register. Registers are the places of a stack, so that an operation on
 * register r reads the registers r and, if it has two operands, r + 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Kind of quantity that a function takes. */
typedef enum
{
  IFBAM_TAKES_ANYTHING, /* keeps the unit */
  IFBAM_TAKES_SQUARE,   /* halves the unit's exponents */
  IFBAM_TAKES_ANGLE,
  IFBAM_TAKES_NUMBER,
} IfbamTakes;

/* Operations; functions follow IFBAM_NEGATE. */
enum
{
  IFBAM_NUMBER,
  IFBAM_INPUT,
  IFBAM_ADD,
  IFBAM_SUBTRACT,
  IFBAM_MULTIPLY,
  IFBAM_DIVIDE,
  IFBAM_POWER,
  IFBAM_NEGATE,
  IFBAM_FIRST_FUNCTION,
};

typedef struct
{
  const char *word; /* "+", "sqrt" */
  guint n_operands;
  /* a[i] = a[i] op b[i] (n) */
  void (*apply) (double *a, const double *b, guint n);
  IfbamTakes takes;
  gboolean gives_angle;
} IfbamOperation;

extern const IfbamOperation ifbam_operations[];
extern const guint ifbam_n_operations;

typedef struct
{
  guint operation, target; /* target: the register */
  guint input;             /* of IFBAM_INPUT */
  double number;           /* of IFBAM_NUMBER */
} IfbamInstruction;

typedef struct
{
  GArray *instructions; /* IfbamInstruction, in order of execution */
  guint n_waiting, n_registers, n_inputs;
} IfbamFormula;

IfbamFormula *ifbam_formula_new (void);
void ifbam_formula_free (IfbamFormula *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFormula, ifbam_formula_free)

/* Appends an instruction; its operands are the last results that no instruction has read. */
void ifbam_formula_append (IfbamFormula *self, guint operation, guint input, double number);
/* Computes n results from n values of each input: inputs[k][i]. */
void ifbam_formula_evaluate (const IfbamFormula *self, const double *const *inputs, guint n,
                             double *results);
/* Computes one result from one value of each input. */
double ifbam_formula_value (const IfbamFormula *self, const double *values);

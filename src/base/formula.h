/* formula.h: formulas as lists of instructions, evaluated for many values at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/program.h"

/* Kind of quantity that a function takes. */
typedef enum
{
  IFBAM_TAKES_ANYTHING, /* keeps the unit */
  IFBAM_TAKES_SQUARE,   /* halves the unit's exponents */
  IFBAM_TAKES_ANGLE,
  IFBAM_TAKES_NUMBER,
} IfbamTakes;

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

/* Returns a formula of IFBAM_PROGRAM_INPUTS inputs as a program, with constant parts computed
 * (transfer full: ifbam_program_free); NULL: it needs too many registers. */
IfbamProgram *ifbam_program_new (const IfbamFormula *formula);
void ifbam_program_free (gpointer program);
/* Computes n results from n values of each input, with the bits of ifbam_program_value (). */
void ifbam_program_evaluate (const IfbamProgram *self, const double *const *inputs, guint n,
                             double *results);
/* Values that are computed at once: the best n. */
#define IFBAM_PROGRAM_BLOCK 64

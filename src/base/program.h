/* program.h: a formula of two variables as a list of instructions; freestanding C
 *
 * An instruction writes one register. Registers are the places of a stack, so that an operation on
 * register r reads the registers r and, if it has two operands, r + 1.
 *
 * Derivatives are exact: each register has a second one with its derivative along a direction
 * (forward mode, Griewank & Walther 2008, Evaluating derivatives, chapter 3).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/operations.h"
#include "base/sine.h"

#define IFBAM_PROGRAM_REGISTERS 32
#define IFBAM_PROGRAM_INPUTS    2
/* Degree of a program that is no polynomial. */
#define IFBAM_NO_POLYNOMIAL 255

typedef struct
{
  unsigned operation, target; /* target: the register */
  unsigned input;             /* of an input */
  double number;              /* of a constant */
} IfbamInstruction;

typedef struct
{
  unsigned n;                          /* instructions */
  unsigned degree;                     /* total degree in the inputs, or IFBAM_NO_POLYNOMIAL */
  unsigned inputs;                     /* bit k: depends on input k */
  const IfbamInstruction *instruction; /* (n) */
} IfbamProgram;

/* A program among the doubles of a law, for any size of a pointer. */
#define IFBAM_PROGRAM_OF_LAW(name)                                                                 \
  union                                                                                            \
  {                                                                                                \
    const IfbamProgram *name;                                                                      \
    double name##_place;                                                                           \
  }

#define IFBAM_VALUE_CASE(word, name, n_operands, value, slope_a, slope_b, takes, gives_angle)      \
  case IFBAM_##name:                                                                               \
    *r = value;                                                                                    \
    break;

/* A derivative of 0 stays 0, even where the slope is infinite. */
#define IFBAM_SLOPE_CASE(word, name, n_operands, value, slope_a, slope_b, takes, gives_angle)      \
  case IFBAM_##name:                                                                               \
    y = value;                                                                                     \
    *r = y;                                                                                        \
    *d = (*d != 0.0 ? *d * (slope_a) : 0.0);                                                       \
    if (n_operands == 2 && d[1] != 0.0)                                                            \
      *d += d[1] * (slope_b);                                                                      \
    break;

/* Executes an instruction. inputs: values (IFBAM_PROGRAM_INPUTS); r: its register. */
IFBAM_INLINE_ONCE void
ifbam_instruction_value (const IfbamInstruction *instruction, const double *inputs, double *r)
{
  const double a = r[0], b = r[1];

  switch (instruction->operation)
    {
    case IFBAM_NUMBER:
      *r = instruction->number;
      break;
    case IFBAM_INPUT:
      *r = inputs[instruction->input];
      break;
      IFBAM_OPERATIONS (IFBAM_VALUE_CASE)
    default:
      break;
    }
}

/* Executes an instruction with the derivative along `by` (IFBAM_PROGRAM_INPUTS). d: derivative of
 * its register. */
IFBAM_INLINE_ONCE void
ifbam_instruction_slope (const IfbamInstruction *instruction, const double *inputs,
                         const double *by, double *r, double *d)
{
  const double a = r[0], b = r[1];
  double y;

  switch (instruction->operation)
    {
    case IFBAM_NUMBER:
      *r = instruction->number;
      *d = 0.0;
      break;
    case IFBAM_INPUT:
      *r = inputs[instruction->input];
      *d = by[instruction->input];
      break;
      IFBAM_OPERATIONS (IFBAM_SLOPE_CASE)
    default:
      break;
    }
}

/* Returns the value at inputs (IFBAM_PROGRAM_INPUTS). */
IFBAM_INLINE_ONCE double
ifbam_program_value (const IfbamProgram *program, const double *inputs)
{
  double registers[IFBAM_PROGRAM_REGISTERS + 1] = { 0.0 };

  for (unsigned k = 0; k < program->n; k++)
    ifbam_instruction_value (&program->instruction[k], inputs,
                             registers + program->instruction[k].target);
  return registers[0];
}

/* Returns the derivative at inputs along `by` (IFBAM_PROGRAM_INPUTS). */
IFBAM_INLINE_ONCE double
ifbam_program_slope (const IfbamProgram *program, const double *inputs, const double *by)
{
  double registers[IFBAM_PROGRAM_REGISTERS + 1] = { 0.0 };
  double slopes[IFBAM_PROGRAM_REGISTERS + 1] = { 0.0 };

  for (unsigned k = 0; k < program->n; k++)
    {
      const unsigned target = program->instruction[k].target;

      ifbam_instruction_slope (&program->instruction[k], inputs, by, registers + target,
                               slopes + target);
    }
  return slopes[0];
}

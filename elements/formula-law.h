/* formula-law.h: force by a formula of the compression and its rate; freestanding C
 *
 *   F = formula (delta, rate)                       [N]
 *   V = integral of formula (s, 0) from 0 to delta  [J]
 *
 * V by Gauss-Legendre quadrature with 10 points (Abramowitz & Stegun 1964, table 25.4): exact for
 * polynomials up to degree 19; otherwise intervals are halved until halving changes nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/program.h"
#include "elements/exponential.h"

typedef struct
{
  IFBAM_PROGRAM_OF_LAW (program); /* inputs: delta, rate */
  double by_input;                /* 1: of other nodes than its ends; then it stores no energy */
} FormulaLaw;

/* Halvings of an interval, relative change that ends them. */
#define FORMULA_HALVINGS  40
#define FORMULA_TOLERANCE 1e-14
#define FORMULA_POINTS    10

static inline double
formula_force (const FormulaLaw *p, int mode, double delta, double rate)
{
  const double inputs[IFBAM_PROGRAM_INPUTS] = { delta, rate };

  (void) mode;
  return ifbam_program_value (p->program, inputs);
}

/* The integral of the force at rest by one quadrature: of 1 point for degree 1 or without delta, of 2
 * points for degree 3 */
static inline double
formula_area_at_once (const FormulaLaw *p, double from, double to)
{
  static const double place[FORMULA_POINTS / 2] = { 0.14887433898163121, 0.43339539412924719,
                                                    0.67940956829902441, 0.86506336668898451,
                                                    0.97390652851717172 };
  static const double weight[FORMULA_POINTS / 2] = { 0.29552422471475287, 0.26926671930999635,
                                                     0.21908636251598204, 0.14945134915058059,
                                                     0.066671344308688138 };
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0;

  if (p->program->degree <= 1 || (p->program->inputs & 1) == 0)
    return (to - from) * formula_force (p, 0, middle, 0.0);
  if (p->program->degree <= 3)
    return half
           * (formula_force (p, 0, middle - half * 0.57735026918962576, 0.0)
              + formula_force (p, 0, middle + half * 0.57735026918962576, 0.0));
  for (int k = 0; k < FORMULA_POINTS / 2; k++)
    sum += weight[k]
           * (formula_force (p, 0, middle - half * place[k], 0.0)
              + formula_force (p, 0, middle + half * place[k], 0.0));
  return half * sum;
}

static inline double
formula_energy (const FormulaLaw *p, int mode, double delta)
{
  /* Intervals that remain, from the far end to 0: ends and integrals */
  double end[FORMULA_HALVINGS + 1], area[FORMULA_HALVINGS + 1], from = 0.0, sum = 0.0;
  int n = 0;

  (void) mode;
  if (p->by_input != 0.0)
    return 0.0;
  end[0] = delta;
  area[0] = formula_area_at_once (p, 0.0, delta);
  if (p->program->degree < 2 * FORMULA_POINTS || (p->program->inputs & 1) == 0)
    return area[0];
  while (n >= 0)
    {
      const double middle = 0.5 * (from + end[n]);
      const double left = formula_area_at_once (p, from, middle);
      const double right = formula_area_at_once (p, middle, end[n]);

      if (n == FORMULA_HALVINGS
          || !(fabs (left + right - area[n]) > FORMULA_TOLERANCE * (fabs (left) + fabs (right))))
        {
          sum += left + right;
          from = end[n--];
          continue;
        }
      area[n] = right;
      end[n + 1] = middle;
      area[++n] = left;
    }
  return sum;
}

static inline int
formula_slopes (const FormulaLaw *p, int mode, double delta, double rate, double *stiffness,
                double *damping)
{
  const double inputs[IFBAM_PROGRAM_INPUTS] = { delta, rate };
  const double by_delta[IFBAM_PROGRAM_INPUTS] = { 1.0, 0.0 };
  const double by_rate[IFBAM_PROGRAM_INPUTS] = { 0.0, 1.0 };

  (void) mode;
  *stiffness = ifbam_program_slope (p->program, inputs, by_delta);
  *damping = ifbam_program_slope (p->program, inputs, by_rate);
  return p->program->degree > 1;
}

/* The least of all exponentials in the formula */
static inline double
formula_step_limit (const FormulaLaw *p, double delta, double rate, double by_delta, double by_rate)
{
  const double inputs[IFBAM_PROGRAM_INPUTS] = { delta, rate };
  const double by[IFBAM_PROGRAM_INPUTS] = { by_delta, by_rate };
  double registers[IFBAM_PROGRAM_REGISTERS + 1] = { 0.0 };
  double slopes[IFBAM_PROGRAM_REGISTERS + 1] = { 0.0 };
  double least = 1.0;

  for (unsigned k = 0; k < p->program->n; k++)
    {
      const IfbamInstruction *instruction = &p->program->instruction[k];
      double *r = registers + instruction->target, *d = slopes + instruction->target;

      if (instruction->operation == IFBAM_EXPONENTIAL)
        least = fmin (least, exponential_step_limit (*r, *d));
      ifbam_instruction_slope (instruction, inputs, by, r, d);
    }
  return least;
}

/* Magnitudes of delta and rate at which the sign of the loss is examined: 10^-9 to 10^3. */
#define FORMULA_LEAST      1e-9
#define FORMULA_MAGNITUDES 13

/* Returns 1 if the loss is below 0 at one of these motions, so that the law supplies energy. */
static inline int
formula_supplies (const FormulaLaw *p)
{
  double size_delta = FORMULA_LEAST, size_rate;

  for (int i = 0; i < 2 * FORMULA_MAGNITUDES && (p->program->inputs & 2) != 0; i++)
    {
      const double delta = i % 2 == 0 ? size_delta : -size_delta;

      size_rate = FORMULA_LEAST;
      for (int k = 0; k < 2 * FORMULA_MAGNITUDES; k++)
        {
          const double rate = k % 2 == 0 ? size_rate : -size_rate;

          if ((formula_force (p, 0, delta, rate) - formula_force (p, 0, delta, 0.0)) * rate < 0.0)
            return 1;
          size_rate *= k % 2 == 0 ? 1.0 : 10.0;
        }
      size_delta *= i % 2 == 0 ? 1.0 : 10.0;
    }
  return p->by_input != 0.0;
}

static inline unsigned
formula_points (const FormulaLaw *p)
{
  return p->program->degree <= 1 ? 1 : p->program->degree <= 3 ? 2 : 3;
}

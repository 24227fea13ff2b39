/* bouc-wen-law.h: smooth hysteresis of Bouc and Wen; freestanding C
 *
 *   F  = alpha k delta + (1 - alpha) k z                                       [N]
 *   z' = rate - beta |rate| |z/y|^(n-1) z/y - (1 - beta) rate |z/y|^n          [m/s]
 *   V  = alpha k delta^2 / 2 + (1 - alpha) k z^2 / 2                           [J]
 *
 * z is an internal state, the elastic part of the compression: a spring alpha k stands beside a spring
 * (1 - alpha) k in series with what yields at |z| = y. That takes (1 - alpha) k z (rate - z'), nowhere
 * negative as beta is not below 1/2.
 *
 * Bouc 1967, "Forced vibration of mechanical systems with hysteresis" (n = 1); Wen 1976, "Method for random
 * vibration of hysteretic systems", Journal of the Engineering Mechanics Division 102, 249-263. Their A is
 * one here, beta and gamma are beta / y^n and (1 - beta) / y^n: of the numbers of the original one is
 * redundant (Ma, Zhang, Bockstedte, Foliente & Paevere 2004), and so y is where it yields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double stiffness; /* k [N/m] */
  double ratio;     /* alpha: of the stiffness after yielding to that before */
  double yield;     /* y [m] */
  double beta;
  double exponent; /* n - 1: 0, 1, … */
  double z;        /* the state [m] */
} BoucWenLaw;

/* |z/y|^(n-1) */
static inline double
bouc_wen_power (const BoucWenLaw *p)
{
  const double size = fabs (p->z / p->yield);
  double power = 1.0;

  for (int i = 0; i < (int) p->exponent; i++)
    power *= size;
  return power;
}

/* |z/y|^n, and the same with the sign of z. */
static inline double
bouc_wen_part (const BoucWenLaw *p)
{
  return bouc_wen_power (p) * fabs (p->z / p->yield);
}

static inline double
bouc_wen_signed_part (const BoucWenLaw *p)
{
  return bouc_wen_power (p) * (p->z / p->yield);
}

static inline double
bouc_wen_force (const BoucWenLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return p->ratio * p->stiffness * delta + (1.0 - p->ratio) * p->stiffness * p->z;
}

static inline double
bouc_wen_energy (const BoucWenLaw *p, int mode, double delta)
{
  (void) mode;
  return 0.5 * p->ratio * p->stiffness * delta * delta
         + 0.5 * (1.0 - p->ratio) * p->stiffness * p->z * p->z;
}

/* rate - z': at which it yields. */
static inline double
bouc_wen_yielding (const BoucWenLaw *p, double rate)
{
  return p->beta * fabs (rate) * bouc_wen_signed_part (p)
         + (1.0 - p->beta) * rate * bouc_wen_part (p);
}

static inline double
bouc_wen_loss (const BoucWenLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta;
  return (1.0 - p->ratio) * p->stiffness * p->z * bouc_wen_yielding (p, rate);
}

static inline void
bouc_wen_rates (const BoucWenLaw *p, int mode, double delta, double rate, double *rates)
{
  (void) mode, (void) delta;
  rates[0] = rate - bouc_wen_yielding (p, rate);
}

/* z follows the motion; where that rests, as the mean of both directions. */
static inline int
bouc_wen_slopes (const BoucWenLaw *p, int mode, double delta, double rate, double *stiffness,
                 double *damping)
{
  const double sign = rate > 0 ? 1.0 : rate < 0 ? -1.0 : 0.0;

  (void) mode, (void) delta;
  *stiffness = p->ratio * p->stiffness
               + (1.0 - p->ratio) * p->stiffness
                     * (1.0 - sign * p->beta * bouc_wen_signed_part (p)
                        - (1.0 - p->beta) * bouc_wen_part (p));
  *damping = 0.0;
  return 1;
}

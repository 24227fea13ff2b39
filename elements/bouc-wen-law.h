/* bouc-wen-law.h: smooth hysteresis of Bouc and Wen; freestanding C
 *
 *   F  = alpha k delta + (1 - alpha) k z                                       [N]
 *   z' = rate - beta |rate| |z/y|^(n-1) z/y - (1 - beta) rate |z/y|^n          [m/s]
 *   V  = alpha k delta^2 / 2 + (1 - alpha) k z^2 / 2                           [J]
 *
 * z is an internal state, the elastic part of the compression: a spring alpha k is parallel to a
 * spring (1 - alpha) k in series with a slider that yields at |z| = y. The slider dissipates (1 -
 * alpha) k z (rate - z'), never negative as beta is at least 1/2.
 *
 * Bouc 1967, "Forced vibration of mechanical systems with hysteresis" (n = 1); Wen 1976, "Method
 * for random vibration of hysteretic systems", Journal of the Engineering Mechanics Division 102,
 * 249-263. Their A is 1 here, their beta and gamma are beta / y^n and (1 - beta) / y^n: one of the
 * original parameters is redundant (Ma, Zhang, Bockstedte, Foliente & Paevere 2004). So y is the
 * yield point.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double stiffness; /* k [N/m] */
  double ratio;     /* alpha: stiffness after yielding per stiffness before */
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

/* |z/y|^n, and |z/y|^n with the sign of z */
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

/* Returns the rate of yielding, rate - z'. */
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

/* Slopes with z following the motion; at rate 0 the mean of both directions. */
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

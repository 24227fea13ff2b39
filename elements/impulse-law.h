/* impulse-law.h: impulse on a node, or between two, by restitution or energy; freestanding C
 *
 *   restitution   v_after = -restitution v_before
 *   energy        p (v_before + v_after)/2 = energy,  v_after = v_before + p/m
 *
 * On a node v is its rate, and an energy acts in the direction of v:
 *   p = +-2 energy / (|v| + sqrt (v^2 + 2 energy/m))
 * Between two nodes v is their rate of separation, 1/m = 1/m_left + 1/m_right, and the impulse
 * separates them: p = (sqrt (v^2 + 2 energy/m) - v) m > 0. (The impulse bond with p v_mean = W, and
 * the impulse switch: Zimmer & Cellier 2007, Impulse-bond graphs.)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

/* Parameter that defines the impulse. */
enum
{
  IMPULSE_ITSELF,
  IMPULSE_RESTITUTION,
  IMPULSE_ENERGY,
};

typedef struct
{
  double strength; /* the first or only value: [N s], restitution, or energy [J] */
  double restitution;
  double energy; /* [J] */
  double kind;   /* IMPULSE_... */
  double apart;  /* TRUE: between two nodes */
} ImpulseLaw;

/* Returns the impulse of a value, for an inverse mass 1/m [1/kg] and a rate [m/s]. */
static inline double
impulse_momentum (const ImpulseLaw *p, double value, double inverse_mass, double rate)
{
  const double speed = fabs (rate);
  const double sum = speed + sqrt (rate * rate + 2 * value * inverse_mass);

  if (p->kind == IMPULSE_ITSELF)
    return value;
  if (p->kind == IMPULSE_RESTITUTION)
    return inverse_mass > 0 ? -(1 + value) * rate / inverse_mass : 0.0;
  if (!(sum > 0))
    return 0.0;
  if (p->apart == 0)
    return rate < 0 ? -2 * value / sum : 2 * value / sum;
  return 2 * value / sum + (rate < 0 && inverse_mass > 0 ? 2 * speed / inverse_mass : 0.0);
}

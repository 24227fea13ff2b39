/* impulse-law.h: impulse on a node, as it is given or by the energy that it brings; freestanding C
 *
 *   p (v_before + v_after)/2 = energy,  v_after = v_before + p/m
 *   p = +-2 energy / (|v_before| + sqrt (v_before^2 + 2 energy/m)), in the direction of the motion
 *
 * (The impulse bond with p v_mean = W: Zimmer & Cellier 2007, Impulse-bond graphs.)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double strength;  /* of all, where it is one [N s], or energy [J] */
  double energy;    /* [J] */
  double by_energy; /* strength is an energy */
} ImpulseLaw;

/* For a value, of a node with a mobility 1/m [1/kg] and a rate [m/s]. */
static inline double
impulse_momentum (const ImpulseLaw *p, double value, double mobility, double rate)
{
  const double speed = fabs (rate);
  const double sum = speed + sqrt (rate * rate + 2 * value * mobility);

  if (p->by_energy == 0)
    return value;
  if (!(sum > 0))
    return 0.0;
  return rate < 0 ? -2 * value / sum : 2 * value / sum;
}

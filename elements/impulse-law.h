/* impulse-law.h: impulse on a node, or between two, by itself, by restitution or by energy; freestanding C
 *
 *   restitution   v_after = -restitution v_before
 *   energy        p (v_before + v_after)/2 = energy,  v_after = v_before + p/m
 *
 * On a node v is its rate, and an energy goes in its direction:
 *   p = +-2 energy / (|v| + sqrt (v^2 + 2 energy/m))
 * Between two it is that at which the right one leaves the left one, 1/m = 1/m_left + 1/m_right, and
 * they are pushed apart: p = (sqrt (v^2 + 2 energy/m) - v) m > 0. (The impulse bond with p v_mean = W, and the impulse
 * switch: Zimmer & Cellier 2007, Impulse-bond graphs.)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

/* Which of its numbers gives it. */
enum
{
  IMPULSE_ITSELF,
  IMPULSE_RESTITUTION,
  IMPULSE_ENERGY,
};

typedef struct
{
  double strength; /* of all, where it is one [N s], or restitution, or energy [J] */
  double restitution;
  double energy; /* [J] */
  double kind;   /* which of them */
  double apart;  /* between two */
} ImpulseLaw;

/* For a value, at a mobility 1/m [1/kg] and a rate [m/s]. */
static inline double
impulse_momentum (const ImpulseLaw *p, double value, double mobility, double rate)
{
  const double speed = fabs (rate);
  const double sum = speed + sqrt (rate * rate + 2 * value * mobility);

  if (p->kind == IMPULSE_ITSELF)
    return value;
  if (p->kind == IMPULSE_RESTITUTION)
    return mobility > 0 ? -(1 + value) * rate / mobility : 0.0;
  if (!(sum > 0))
    return 0.0;
  if (p->apart == 0)
    return rate < 0 ? -2 * value / sum : 2 * value / sum;
  return 2 * value / sum + (rate < 0 && mobility > 0 ? 2 * speed / mobility : 0.0);
}

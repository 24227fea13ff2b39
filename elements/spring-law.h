/* spring-law.h: spring with a linear, a quadratic and a cubic term; freestanding C
 *
 *   F = k delta + q delta^2 + c delta^3                 [N]  delta = x_left - x_right [m]
 *   V = k delta^2 / 2 + q delta^3 / 3 + c delta^4 / 4   [J]
 *
 * Linear: Grabysz 1994, eq. 4.3. Quadratic: Helmholtz 1863, On the sensations of tone, appendix
 * XII. Cubic: Duffing 1918.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double stiffness; /* k [N/m] */
  double quadratic; /* q [N/m2] */
  double cubic;     /* c [N/m3] */
} SpringLaw;

static inline double
spring_force (const SpringLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  if (p->quadratic == 0.0 && p->cubic == 0.0)
    return p->stiffness * delta;
  return p->stiffness * delta + p->quadratic * (delta * delta) + p->cubic * (delta * delta * delta);
}

static inline double
spring_energy (const SpringLaw *p, int mode, double delta)
{
  double square = delta * delta;

  (void) mode;
  if (p->quadratic == 0.0 && p->cubic == 0.0)
    return 0.5 * p->stiffness * square;
  return 0.5 * p->stiffness * square + p->quadratic * (square * delta) * (1.0 / 3.0)
         + 0.25 * p->cubic * (square * square);
}

static inline int
spring_slopes (const SpringLaw *p, int mode, double delta, double rate, double *stiffness,
               double *damping)
{
  (void) mode, (void) rate;
  *stiffness = p->stiffness + 2.0 * p->quadratic * delta + 3.0 * p->cubic * (delta * delta);
  *damping = 0.0;
  return p->quadratic != 0.0 || p->cubic != 0.0;
}

static inline unsigned
spring_points (const SpringLaw *p)
{
  return p->quadratic == 0.0 && p->cubic == 0.0 ? 1 : 2;
}

static inline void
spring_linear (SpringLaw *p)
{
  p->quadratic = p->cubic = 0.0;
}

/* parametric-spring-law.h: spring whose stiffness swings in time; freestanding C
 *
 *   F = k m delta               m = 1 + depth sin (2 pi turns + phase)      [N]
 *   turns' = frequency
 *   V = k m delta^2 / 2                                                     [J]
 *
 * How far it has turned is an internal state, so that the law asks no clock. Who changes the stiffness does the work k m'
 * delta^2 / 2: what it brings is lost below 0.
 *
 * Mathieu 1868, "Memoire sur le mouvement vibratoire d'une membrane de forme elliptique", Journal de
 * mathematiques pures et appliquees 13, 137-203; Hill 1886.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sine.h"

typedef struct
{
  double stiffness; /* k [N/m] */
  double depth;
  double frequency; /* [Hz] */
  double phase;     /* [rad] */
  double turns;     /* the state */
} ParametricSpringLaw;

IFBAM_ALWAYS_INLINE double
parametric_spring_turned (const ParametricSpringLaw *p)
{
  return p->turns + p->phase * (1.0 / IFBAM_TWO_PI);
}

/* At the moment. */
IFBAM_ALWAYS_INLINE double
parametric_spring_stiffness (const ParametricSpringLaw *p)
{
  double sine, cosine;

  ifbam_sine_cosine (parametric_spring_turned (p), &sine, &cosine);
  return p->stiffness * (1.0 + p->depth * sine);
}

IFBAM_ALWAYS_INLINE double
parametric_spring_force (const ParametricSpringLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return parametric_spring_stiffness (p) * delta;
}

IFBAM_ALWAYS_INLINE double
parametric_spring_energy (const ParametricSpringLaw *p, int mode, double delta)
{
  (void) mode;
  return 0.5 * parametric_spring_stiffness (p) * (delta * delta);
}

IFBAM_ALWAYS_INLINE double
parametric_spring_loss (const ParametricSpringLaw *p, int mode, double delta, double rate)
{
  double sine, cosine;

  (void) mode, (void) rate;
  ifbam_sine_cosine (parametric_spring_turned (p), &sine, &cosine);
  return -0.5 * p->stiffness * p->depth * cosine * (IFBAM_TWO_PI * p->frequency) * (delta * delta);
}

IFBAM_ALWAYS_INLINE void
parametric_spring_rates (const ParametricSpringLaw *p, int mode, double delta, double rate,
                         double *rates)
{
  (void) mode, (void) delta, (void) rate;
  rates[0] = p->frequency;
}

IFBAM_ALWAYS_INLINE int
parametric_spring_slopes (const ParametricSpringLaw *p, int mode, double delta, double rate,
                          double *stiffness, double *damping)
{
  (void) mode, (void) delta, (void) rate;
  *stiffness = parametric_spring_stiffness (p);
  *damping = 0.0;
  return p->depth != 0.0;
}

/* sine-spring-law.h: spring with a sine as force, like a pendulum; freestanding C
 *
 *   F = k l sin (delta/l)                 [N]
 *   V = k l^2 (1 - cos (delta/l))         [J]
 *
 * Huygens 1673, Horologium oscillatorium; k: stiffness at small compressions.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sine.h"

typedef struct
{
  double stiffness; /* k [N/m] */
  double scale;     /* l [m] */
} SineSpringLaw;

IFBAM_ALWAYS_INLINE double
sine_spring_force (const SineSpringLaw *p, int mode, double delta, double rate)
{
  double sine, cosine;

  (void) mode, (void) rate;
  ifbam_sine_cosine (delta / p->scale * (1.0 / IFBAM_TWO_PI), &sine, &cosine);
  return p->stiffness * p->scale * sine;
}

/* By 2 sin^2 (delta/2l), without cancellation */
IFBAM_ALWAYS_INLINE double
sine_spring_energy (const SineSpringLaw *p, int mode, double delta)
{
  double sine, cosine;

  (void) mode;
  ifbam_sine_cosine (delta / p->scale * (0.5 / IFBAM_TWO_PI), &sine, &cosine);
  return 2.0 * p->stiffness * (p->scale * p->scale) * (sine * sine);
}

static inline int
sine_spring_slopes (const SineSpringLaw *p, int mode, double delta, double rate, double *stiffness,
                    double *damping)
{
  double sine, cosine;

  (void) mode, (void) rate;
  ifbam_sine_cosine (delta / p->scale * (1.0 / IFBAM_TWO_PI), &sine, &cosine);
  *stiffness = p->stiffness * cosine;
  *damping = 0.0;
  return p->stiffness != 0.0;
}

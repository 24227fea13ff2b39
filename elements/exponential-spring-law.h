/* exponential-spring-law.h: spring with an exponentially growing force; freestanding C
 *
 *   F = k l (e^(delta/l) - 1)                    [N]
 *   V = k l^2 (e^(delta/l) - 1 - delta/l)        [J]
 *
 * Toda 1967, "Vibration of a chain with nonlinear interaction", Journal of the Physical Society of
 * Japan 22, 431-436: a = k l, b = 1/l.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/exponential.h"

typedef struct
{
  double stiffness; /* k, of small compressions [N/m] */
  double scale;     /* l [m] */
} ExponentialSpringLaw;

IFBAM_ALWAYS_INLINE double
exponential_spring_force (const ExponentialSpringLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return p->stiffness * p->scale * exponential_growth (delta / p->scale);
}

IFBAM_ALWAYS_INLINE double
exponential_spring_energy (const ExponentialSpringLaw *p, int mode, double delta)
{
  (void) mode;
  return p->stiffness * (p->scale * p->scale) * exponential_area (delta / p->scale);
}

static inline double
exponential_spring_step_limit (const ExponentialSpringLaw *p, double delta, double rate,
                               double by_delta, double by_rate)
{
  (void) rate, (void) by_rate;
  return exponential_step_limit (delta / p->scale, by_delta / p->scale);
}

static inline int
exponential_spring_slopes (const ExponentialSpringLaw *p, int mode, double delta, double rate,
                           double *stiffness, double *damping)
{
  (void) mode, (void) rate;
  *stiffness = p->stiffness * exponential_slope (delta / p->scale);
  *damping = 0.0;
  return p->stiffness != 0.0;
}

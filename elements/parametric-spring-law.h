/* parametric-spring-law.h: spring with a stiffness that oscillates in time; freestanding C
 *
 *   F = k m delta               m = 1 + depth sin (2 pi turns + phase)      [N]
 *   turns' = frequency
 *   V = k m delta^2 / 2                                                     [J]
 *
 * or F = k(t) delta by a measured course; then `turns` is the time, with the rate 1. `turns` is an
 * internal state, so that the law is independent of a clock. A change of stiffness does the work k'
 * delta^2 / 2: energy supplied is a negative loss.
 *
 * Mathieu 1868, "Memoire sur le mouvement vibratoire d'une membrane de forme elliptique", Journal
 * de mathematiques pures et appliquees 13, 137-203; Hill 1886.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/sine.h"

typedef struct
{
  double stiffness; /* k [N/m]; below 0: by the course */
  double depth;
  double frequency; /* [Hz] */
  double phase;     /* [rad] */
  IfbamCourseForm form;
  IFBAM_COURSE_OF_LAW (course);
  double turns; /* the state; with a course the time [s] */
} ParametricSpringLaw;

/* Kernels for batches have the first mode only. */
enum
{
  PARAMETRIC_SPRING_SINE,
  PARAMETRIC_SPRING_COURSE,
};

IFBAM_ALWAYS_INLINE int
parametric_spring_has_modes (const ParametricSpringLaw *p)
{
  return p->stiffness < 0;
}

IFBAM_ALWAYS_INLINE int
parametric_spring_mode (const ParametricSpringLaw *p, double delta, double rate)
{
  (void) delta, (void) rate;
  return p->course != 0 ? PARAMETRIC_SPRING_COURSE : PARAMETRIC_SPRING_SINE;
}

/* Returns the present stiffness and its rate of change. */
IFBAM_ALWAYS_INLINE double
parametric_spring_stiffness (const ParametricSpringLaw *p, int mode, double *change)
{
  double sine, cosine, value = 0.0, second;

  if (mode == PARAMETRIC_SPRING_COURSE)
    {
      *change = 0.0;
      if (p->course != 0)
        ifbam_interpolant_at (p->course, p->turns, &value, change, &second);
      return value;
    }
  ifbam_sine_cosine (p->turns + p->phase * (1.0 / IFBAM_TWO_PI), &sine, &cosine);
  *change = p->stiffness * p->depth * cosine * (IFBAM_TWO_PI * p->frequency);
  return p->stiffness * (1.0 + p->depth * sine);
}

IFBAM_ALWAYS_INLINE double
parametric_spring_force (const ParametricSpringLaw *p, int mode, double delta, double rate)
{
  double change;

  (void) rate;
  return parametric_spring_stiffness (p, mode, &change) * delta;
}

IFBAM_ALWAYS_INLINE double
parametric_spring_energy (const ParametricSpringLaw *p, int mode, double delta)
{
  double change;

  return 0.5 * parametric_spring_stiffness (p, mode, &change) * (delta * delta);
}

IFBAM_ALWAYS_INLINE double
parametric_spring_loss (const ParametricSpringLaw *p, int mode, double delta, double rate)
{
  double change;

  (void) rate;
  (void) parametric_spring_stiffness (p, mode, &change);
  return -0.5 * change * (delta * delta);
}

IFBAM_ALWAYS_INLINE void
parametric_spring_rates (const ParametricSpringLaw *p, int mode, double delta, double rate,
                         double *rates)
{
  (void) delta, (void) rate;
  rates[0] = mode == PARAMETRIC_SPRING_COURSE ? 1.0 : p->frequency;
}

IFBAM_ALWAYS_INLINE int
parametric_spring_slopes (const ParametricSpringLaw *p, int mode, double delta, double rate,
                          double *stiffness, double *damping)
{
  double change;

  (void) delta, (void) rate;
  *stiffness = parametric_spring_stiffness (p, mode, &change);
  *damping = 0.0;
  return mode == PARAMETRIC_SPRING_COURSE || p->depth != 0.0;
}

/* pressed-friction-law.h: dry friction under a variable normal force; freestanding C
 *
 *   stuck      rate = 0, |F| <= static N
 *   slipping   F = ((friction + (static - friction) exp (-(|rate|/stribeck)^n)) N + viscous |rate|)
 *                  sign (rate)
 *   N >= 0     constant, a course in time, or the compressive force of another link
 * The last double is an internal state, the time, if N is a course.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "elements/friction-law.h"

typedef struct
{
  double friction; /* mu while slipping; about an axis: times the radius of the contact [m] */
  double static_friction; /* mu while sticking; below 0: friction */
  double viscous;         /* [N s/m] */
  double stribeck;        /* [m/s]; 0: no such curve */
  double exponent;        /* n - 1: 0, 1 */
  double normal;          /* N [N]; below 0: by a course or a link */
  double scale;           /* of the course */
  IfbamCourseForm form;
  IFBAM_COURSE_OF_LAW (course);
  double time; /* the state [s]; if a link presses: that link's force [N] */
} PressedFrictionLaw;

static inline double
pressed_friction_normal (const PressedFrictionLaw *p)
{
  double value = p->time, rate, second;

  if (p->normal >= 0)
    return p->normal;
  if (p->course != 0)
    {
      ifbam_interpolant_at (p->course, p->time, &value, &rate, &second);
      value *= p->scale;
    }
  return value > 0.0 ? value : 0.0;
}

/* Returns the friction law at the present normal force. */
static inline FrictionLaw
pressed_friction_now (const PressedFrictionLaw *p)
{
  const double force = pressed_friction_normal (p);
  const double sticking = p->static_friction < 0 ? p->friction : p->static_friction;

  return (FrictionLaw){ sticking * force, p->friction * force, p->viscous, p->stribeck,
                        p->exponent };
}

static inline int
pressed_friction_mode (const PressedFrictionLaw *p, double delta, double rate)
{
  (void) p;
  return friction_mode (0, delta, rate);
}

static inline double
pressed_friction_force (const PressedFrictionLaw *p, int mode, double delta, double rate)
{
  const FrictionLaw now = pressed_friction_now (p);

  return friction_force (&now, mode, delta, rate);
}

static inline int
pressed_friction_slopes (const PressedFrictionLaw *p, int mode, double delta, double rate,
                         double *stiffness, double *damping)
{
  const FrictionLaw now = pressed_friction_now (p);

  return friction_slopes (&now, mode, delta, rate, stiffness, damping);
}

static inline double
pressed_friction_energy (const PressedFrictionLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
pressed_friction_loss (const PressedFrictionLaw *p, int mode, double delta, double rate)
{
  return pressed_friction_force (p, mode, delta, rate) * rate;
}

/* The state, the time, also changes while the friction sticks. */
static inline IfbamConstraint
pressed_friction_constraint (const PressedFrictionLaw *p, int mode)
{
  const FrictionLaw now = pressed_friction_now (p);
  IfbamConstraint relation = friction_constraint (&now, mode);

  relation.idle = 0;
  return relation;
}

static inline void
pressed_friction_rates (const PressedFrictionLaw *p, int mode, double delta, double rate,
                        double *rates)
{
  (void) p, (void) mode, (void) delta, (void) rate;
  rates[0] = 1.0;
}

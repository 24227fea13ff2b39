/* friction-law.h: dry friction that sticks, starts and slips; freestanding C
 *
 *   stuck      rate = 0, |F| <= breakaway
 *   slipping   F = (coulomb + (breakaway - coulomb) exp (-(|rate|/stribeck)^n) + viscous |rate|)
 *                  sign (rate)
 *
 * Without a stribeck speed the second term is omitted: the force is coulomb at once.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"
#include "base/power.h"

typedef struct
{
  double breakaway; /* R0 [N]; below 0: as coulomb */
  double coulomb;   /* Rm [N]; below 0: as breakaway */
  double viscous;   /* Rv [N s/m] */
  double stribeck;  /* [m/s]; 0: no such curve */
  double exponent;  /* n - 1: 0, 1 */
} FrictionLaw;

static inline double
friction_coulomb (const FrictionLaw *p)
{
  return p->coulomb < 0 ? p->breakaway : p->coulomb;
}

static inline double
friction_breakaway (const FrictionLaw *p)
{
  return p->breakaway < 0 ? p->coulomb : p->breakaway;
}

/* Returns the second term and its slope; continued smoothly to speed -stribeck for trial steps. */
static inline double
friction_stribeck (const FrictionLaw *p, double speed, double *slope)
{
  const double part = speed / p->stribeck, within = part > -1.0 ? part : -1.0;
  const double power = p->exponent > 0.0 ? within * within : within;
  const double above = (friction_breakaway (p) - friction_coulomb (p)) * ifbam_exponential (-power);

  *slope = part > -1.0 ? -above * (p->exponent > 0.0 ? 2.0 * within : 1.0) / p->stribeck : 0.0;
  return above;
}

static inline int
friction_mode (const FrictionLaw *p, double delta, double rate)
{
  (void) p, (void) delta;
  return rate > 0 ? IFBAM_MODE_FORWARD : rate < 0 ? IFBAM_MODE_BACKWARD : IFBAM_MODE_STUCK;
}

static inline double
friction_force (const FrictionLaw *p, int mode, double delta, double rate)
{
  const int direction = ifbam_friction_direction (mode);
  double above = 0.0, slope;

  (void) delta;
  if (direction == 0)
    return 0.0;
  if (p->stribeck > 0.0)
    above = friction_stribeck (p, direction * rate, &slope);
  return direction * (friction_coulomb (p) + above) + p->viscous * rate;
}

static inline int
friction_slopes (const FrictionLaw *p, int mode, double delta, double rate, double *stiffness,
                 double *damping)
{
  const int direction = ifbam_friction_direction (mode);
  double slope = 0.0;

  (void) delta;
  *stiffness = 0.0;
  if (direction != 0 && p->stribeck > 0.0)
    (void) friction_stribeck (p, direction * rate, &slope);
  *damping = direction == 0 ? 0.0 : slope + p->viscous;
  return direction != 0 && p->stribeck > 0.0;
}

static inline double
friction_energy (const FrictionLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
friction_loss (const FrictionLaw *p, int mode, double delta, double rate)
{
  return friction_force (p, mode, delta, rate) * rate;
}

static inline IfbamConstraint
friction_constraint (const FrictionLaw *p, int mode)
{
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = friction_breakaway (p),
                            .coulomb =
                                p->stribeck > 0.0 ? friction_breakaway (p) : friction_coulomb (p),
                            .idle = mode == IFBAM_MODE_STUCK };
}

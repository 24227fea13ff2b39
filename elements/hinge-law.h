/* hinge-law.h: dry friction against rotation, and stops; freestanding C
 *
 *   friction  sticking |T| <= friction_torque + friction radius |R|, slipping T = this limit; R:
 *             reaction of the pin
 *   stops     least <= angle_right - angle_left <= greatest; rate after an impact = -restitution *
 *             rate before
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "element/guard.h"

typedef struct
{
  double friction_torque; /* [N m] */
  double friction;        /* mu of the pin */
  double radius;          /* of the pin [m] */
  double least, greatest; /* [rad]; -INFINITY: none */
  double restitution;     /* 0 to 1 */
} HingeLaw;

/* Friction */

/* Returns the friction torque per reaction of the pin [m]. */
static inline double
hinge_lever (const HingeLaw *p)
{
  return p->friction * p->radius;
}

static inline int
hinge_bearing_acts (const void *law)
{
  return hinge_lever ((const HingeLaw *) law) > 0;
}

/* Returns TRUE for a friction that does not depend on the reaction. */
static inline int
hinge_friction_acts (const void *law)
{
  return ((const HingeLaw *) law)->friction_torque > 0 && !hinge_bearing_acts (law);
}

static inline int
hinge_friction_mode (const HingeLaw *p, double delta, double rate)
{
  (void) p, (void) delta;
  return rate > 0 ? IFBAM_MODE_FORWARD : rate < 0 ? IFBAM_MODE_BACKWARD : IFBAM_MODE_STUCK;
}

static inline double
hinge_friction_force (const HingeLaw *p, int mode, double delta, double rate)
{
  (void) delta, (void) rate;
  return ifbam_friction_direction (mode) * p->friction_torque;
}

static inline double
hinge_friction_energy (const HingeLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
hinge_friction_loss (const HingeLaw *p, int mode, double delta, double rate)
{
  return hinge_friction_force (p, mode, delta, rate) * rate;
}

static inline IfbamConstraint
hinge_friction_constraint (const HingeLaw *p, int mode)
{
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = p->friction_torque,
                            .coulomb = p->friction_torque,
                            .idle = mode == IFBAM_MODE_STUCK };
}

/* Friction of a bearing, with the pin as carrier. */

static inline int
hinge_bearing_mode (const HingeLaw *p, double delta, double rate)
{
  return hinge_friction_mode (p, delta, rate);
}

static inline double
hinge_bearing_force (const HingeLaw *p, int mode, double delta, double rate)
{
  return hinge_friction_force (p, mode, delta, rate);
}

static inline double
hinge_bearing_energy (const HingeLaw *p, int mode, double delta)
{
  return hinge_friction_energy (p, mode, delta);
}

static inline double
hinge_bearing_loss (const HingeLaw *p, int mode, double delta, double rate)
{
  return hinge_friction_loss (p, mode, delta, rate);
}

static inline IfbamConstraint
hinge_bearing_constraint (const HingeLaw *p, int mode)
{
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = hinge_lever (p),
                            .coulomb = hinge_lever (p),
                            .preload = p->friction_torque,
                            .idle = mode == IFBAM_MODE_STUCK };
}

/* Stops: at the least angle delta is angle_left - angle_right, at the greatest the opposite. */

static inline int
hinge_least_acts (const void *law)
{
  return isfinite (((const HingeLaw *) law)->least);
}

static inline int
hinge_greatest_acts (const void *law)
{
  return isfinite (((const HingeLaw *) law)->greatest);
}

static inline int
hinge_least_mode (const HingeLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline int
hinge_greatest_mode (const HingeLaw *p, double delta, double rate)
{
  return hinge_least_mode (p, delta, rate);
}

static inline IfbamConstraint
hinge_stop (const HingeLaw *p, double gap)
{
  return (IfbamConstraint){
    .kind = IFBAM_CONSTRAINT_CONTACT, .gap = gap, .restitution = p->restitution, .idle = 1
  };
}

static inline IfbamConstraint
hinge_least_constraint (const HingeLaw *p, int mode)
{
  (void) mode;
  return hinge_stop (p, -p->least);
}

static inline IfbamConstraint
hinge_greatest_constraint (const HingeLaw *p, int mode)
{
  (void) mode;
  return hinge_stop (p, p->greatest);
}

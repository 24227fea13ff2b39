/* gear-law.h: tooth mesh of two inertias: an elastic link with play and a ratio; freestanding C
 *
 *   delta = angle_left - ratio angle_right; torque on the left as in backlash-law.h
 *
 * Without play both flanks are always in contact, and the law has no modes:
 *   T = stiffness delta + damping rate   [N m]
 *   V = stiffness delta^2 / 2            [J]
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/backlash-law.h"

typedef struct
{
  double ratio; /* must be first: parameter of the geometry */
  BacklashLaw teeth;
} GearLaw;

static inline int
gear_has_modes (const GearLaw *p)
{
  return p->teeth.play > 0.0;
}

static inline int
gear_mode (const GearLaw *p, double delta, double rate)
{
  return gear_has_modes (p) ? backlash_mode (&p->teeth, delta, rate) : 0;
}

static inline double
gear_force (const GearLaw *p, int mode, double delta, double rate)
{
  if (!gear_has_modes (p))
    return p->teeth.stiffness * delta + p->teeth.damped.damping * rate;
  return backlash_force (&p->teeth, mode, delta, rate);
}

static inline double
gear_energy (const GearLaw *p, int mode, double delta)
{
  if (!gear_has_modes (p))
    return 0.5 * p->teeth.stiffness * (delta * delta);
  return backlash_energy (&p->teeth, mode, delta);
}

static inline double
gear_loss (const GearLaw *p, int mode, double delta, double rate)
{
  if (!gear_has_modes (p))
    return p->teeth.damped.damping * rate * rate;
  return backlash_loss (&p->teeth, mode, delta, rate);
}

static inline int
gear_guards (const GearLaw *p, int mode, IfbamGuard *guards)
{
  return gear_has_modes (p) ? backlash_guards (&p->teeth, mode, guards) : 0;
}

static inline IfbamConstraint
gear_constraint (const GearLaw *p, int mode)
{
  IfbamConstraint relation = backlash_constraint (&p->teeth, mode);

  relation.idle = relation.idle && gear_has_modes (p);
  return relation;
}

static inline const char *
gear_event (const GearLaw *p, int from, int to)
{
  return backlash_event (&p->teeth, from, to);
}

static inline int
gear_slopes (const GearLaw *p, int mode, double delta, double rate, double *stiffness,
             double *damping)
{
  *stiffness = p->teeth.stiffness;
  *damping = p->teeth.damped.damping;
  return gear_has_modes (p) && backlash_slopes (&p->teeth, mode, delta, rate, stiffness, damping);
}

/* Without modes the force is linear. */
static inline void
gear_linear (GearLaw *p)
{
  p->teeth.play = 0.0;
}

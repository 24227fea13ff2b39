/* gear-law.h: tooth mesh of two inertias: an elastic link with play and a ratio; freestanding C
 *
 *   delta = angle_left - ratio angle_right; its force as in backlash-law.h, at the left one
 *
 * Without play both flanks are in engagement all the time, and the law has no modes:
 *   T = stiffness delta + damping rate   [N m]
 *   V = stiffness delta^2 / 2            [J]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/backlash-law.h"

typedef struct
{
  double ratio; /* first: the geometry takes it from here */
  BacklashLaw teeth;
} GearLaw;

static inline int
gear_mode (const GearLaw *p, double delta, double rate)
{
  return backlash_mode (&p->teeth, delta, rate);
}

static inline double
gear_force (const GearLaw *p, int mode, double delta, double rate)
{
  return backlash_force (&p->teeth, mode, delta, rate);
}

static inline double
gear_energy (const GearLaw *p, int mode, double delta)
{
  return backlash_energy (&p->teeth, mode, delta);
}

static inline double
gear_loss (const GearLaw *p, int mode, double delta, double rate)
{
  return backlash_loss (&p->teeth, mode, delta, rate);
}

static inline int
gear_guards (const GearLaw *p, int mode, IfbamGuard *guards)
{
  return backlash_guards (&p->teeth, mode, guards);
}

static inline IfbamRelation
gear_relation (const GearLaw *p, int mode)
{
  return backlash_relation (&p->teeth, mode);
}

static inline int
gear_has_modes (const GearLaw *p)
{
  return p->teeth.play > 0.0;
}

/* Without play */

static inline double
gear_mesh_force (const GearLaw *p, double delta, double rate)
{
  return p->teeth.stiffness * delta + p->teeth.damping * rate;
}

static inline double
gear_mesh_energy (const GearLaw *p, double delta)
{
  return 0.5 * p->teeth.stiffness * (delta * delta);
}

static inline unsigned
gear_mesh_points (const GearLaw *p)
{
  (void) p;
  return 1;
}

static inline void
gear_mesh_linear (GearLaw *p)
{
  (void) p;
}

/* friction-law.h: dry friction that sticks, starts and slips; freestanding C
 *
 *   stuck      rate = 0, |F| <= breakaway
 *   slipping   F = (coulomb + viscous |rate|) sign (rate)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double breakaway; /* R0 [N] */
  double coulomb;   /* Rm [N]; below 0: as breakaway */
  double viscous;   /* Rv [N s/m] */
} FrictionLaw;

static inline double
friction_coulomb (const FrictionLaw *p)
{
  return p->coulomb < 0 ? p->breakaway : p->coulomb;
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

  (void) delta;
  return direction == 0 ? 0.0 : direction * friction_coulomb (p) + p->viscous * rate;
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

static inline IfbamRelation
friction_relation (const FrictionLaw *p, int mode)
{
  return (IfbamRelation){ .kind = IFBAM_RELATION_FRICTION,
                          .breakaway = p->breakaway,
                          .coulomb = friction_coulomb (p),
                          .idle = mode == IFBAM_MODE_STUCK };
}

/* bounce-law.h: hard contact of balls: it keeps them apart, bounces by Newton's law along the normal, and brakes
 * what slides along it by Coulomb's; freestanding C
 *
 *   overlap <= 0; rate after an impact = -restitution * rate before
 *   friction: |F| <= friction * reaction while nothing slides, else F = friction * reaction, against it; of
 *   impulses the same
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double restitution; /* 0 to 1 */
  double friction;    /* mu, 0: none */
  double adhesion;    /* [m/s] */
} BounceLaw;

static inline int
bounce_mode (const BounceLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline IfbamConstraint
bounce_relation (const BounceLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_CONTACT,
                            .restitution = p->restitution,
                            .idle = 1 };
}

/* The friction, which that carries */

static inline int
bounce_friction_acts (const void *law)
{
  return ((const BounceLaw *) law)->friction > 0;
}

static inline int
bounce_friction_mode (const BounceLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_LOOSE;
}

static inline IfbamConstraint
bounce_friction_relation (const BounceLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = p->friction,
                            .coulomb = p->friction,
                            .adhesion = p->adhesion,
                            .idle = 1 };
}

/* What touches and does not slide is at rest there: that is told of the contact. */
static inline const char *
bounce_friction_event (const BounceLaw *p, int from, int to)
{
  (void) p;
  return ifbam_friction_direction (to) != 0                               ? "slip"
         : to == IFBAM_MODE_STUCK && ifbam_friction_direction (from) != 0 ? "stick"
                                                                          : 0;
}

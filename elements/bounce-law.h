/* bounce-law.h: hard contact of balls, with restitution and Coulomb friction; freestanding C
 *
 *   overlap <= 0; rate after an impact = -restitution * rate before (Newton)
 *   friction: sticking |F| <= friction * reaction, slipping F = friction * reaction against it;
 *   the same for impulses
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
bounce_constraint (const BounceLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_CONTACT,
                            .restitution = p->restitution,
                            .idle = 1 };
}

/* The friction, carried by the contact */

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
bounce_friction_constraint (const BounceLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = p->friction,
                            .coulomb = p->friction,
                            .adhesion = p->adhesion,
                            .idle = 1 };
}

/* Touching without slip is no event of the friction: the contact logs it. */
static inline const char *
bounce_friction_event (const BounceLaw *p, int from, int to)
{
  (void) p;
  return ifbam_friction_direction (to) != 0                               ? "slip"
         : to == IFBAM_MODE_STUCK && ifbam_friction_direction (from) != 0 ? "stick"
                                                                          : 0;
}

/* brake-law.h: a pressed pad, and dry friction in proportion to its force; freestanding C
 *
 *   pad       x_pad <= gap; while pressed, by N >= 0, it neither advances nor comes back
 *   friction  sticking |F| <= static N, slipping F = friction N; a torque by its radius
 *
 * N is the force on the pad: any function of time, a spring, a lever with a load.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double friction;        /* mu while slipping */
  double static_friction; /* mu while sticking; below 0: friction */
  double gap;             /* of the pad [m] */
} RailBrakeLaw;

typedef struct
{
  RailBrakeLaw rail; /* forces at the radius */
  double radius;     /* [m] */
} BrakeLaw;

static inline int
rail_brake_mode (const RailBrakeLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_OPEN;
}

static inline IfbamConstraint
rail_brake_constraint (const RailBrakeLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_CONTACT, .gap = p->gap, .idle = 1 };
}

/* The friction, carried by the pad's contact */

static inline int
rail_brake_friction_mode (const RailBrakeLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_LOOSE;
}

static inline IfbamConstraint
rail_brake_friction_constraint (const RailBrakeLaw *p, int mode)
{
  const double breakaway = p->static_friction < 0 ? p->friction : p->static_friction;

  (void) mode;
  return (IfbamConstraint){
    .kind = IFBAM_CONSTRAINT_FRICTION, .breakaway = breakaway, .coulomb = p->friction, .idle = 1
  };
}

static inline const char *
rail_brake_friction_event (const RailBrakeLaw *p, int from, int to)
{
  (void) p;
  return ifbam_friction_direction (to) != 0                               ? "slip"
         : to == IFBAM_MODE_STUCK && ifbam_friction_direction (from) != 0 ? "stick"
                                                                          : 0;
}

/* The brake about an axis */

static inline int
brake_mode (const BrakeLaw *p, double delta, double rate)
{
  return rail_brake_mode (&p->rail, delta, rate);
}

static inline IfbamConstraint
brake_constraint (const BrakeLaw *p, int mode)
{
  return rail_brake_constraint (&p->rail, mode);
}

static inline int
brake_friction_mode (const BrakeLaw *p, double delta, double rate)
{
  return rail_brake_friction_mode (&p->rail, delta, rate);
}

static inline IfbamConstraint
brake_friction_constraint (const BrakeLaw *p, int mode)
{
  IfbamConstraint relation = rail_brake_friction_constraint (&p->rail, mode);

  relation.breakaway *= p->radius;
  relation.coulomb *= p->radius;
  return relation;
}

static inline const char *
brake_friction_event (const BrakeLaw *p, int from, int to)
{
  return rail_brake_friction_event (&p->rail, from, to);
}

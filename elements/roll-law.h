/* roll-law.h: dry friction between a ball and the table under it; freestanding C
 *
 *   slip u = velocity of its lowest point, a vector
 *   rolling    u = 0, |F| <= friction * normal
 *   slipping   F = -friction * normal * u / |u|
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double friction; /* mu */
  double gravity;  /* [m/s2] */
  double normal;   /* normal force [N]; below 0: the ball's weight */
  double adhesion; /* [m/s] */
} RollLaw;

static inline double
roll_limit (const RollLaw *p)
{
  return p->friction * p->normal;
}

static inline int
roll_mode (const RollLaw *p, double delta, double rate)
{
  (void) p, (void) delta;
  return rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_STUCK;
}

static inline double
roll_force (const RollLaw *p, int mode, double delta, double rate)
{
  (void) delta, (void) rate;
  return ifbam_friction_direction (mode) * roll_limit (p);
}

static inline double
roll_energy (const RollLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
roll_loss (const RollLaw *p, int mode, double delta, double rate)
{
  return roll_force (p, mode, delta, rate) * rate;
}

static inline IfbamConstraint
roll_constraint (const RollLaw *p, int mode)
{
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = roll_limit (p),
                            .coulomb = roll_limit (p),
                            .adhesion = roll_limit (p) > 0 ? p->adhesion : 0,
                            .idle = mode == IFBAM_MODE_STUCK };
}

/* Across the slip */

static inline int
roll_across_mode (const RollLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return IFBAM_MODE_LOOSE;
}

static inline IfbamConstraint
roll_across_constraint (const RollLaw *p, int mode)
{
  (void) mode;
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_FRICTION,
                            .breakaway = roll_limit (p),
                            .coulomb = roll_limit (p),
                            .idle = 1 };
}

/* The friction along the slip has the events. */
static inline const char *
roll_across_event (const RollLaw *p, int from, int to)
{
  (void) p, (void) from, (void) to;
  return 0;
}

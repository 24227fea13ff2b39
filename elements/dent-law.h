/* dent-law.h: soft one-sided contact that yields and stays dented; freestanding C
 *
 *   open      no overlap, F = 0
 *   elastic   F = stiffness (overlap - dent) <= yield     overlap = compression - gap [m]
 *   yielding  the same F above yield, and dent' = (F - yield) / viscosity
 *   V = stiffness (overlap - dent)^2 / 2 [J]; yielding dissipates F dent'
 *
 * The dent is an internal state: the overlap that remains without force, and at which the next
 * contact begins. Bingham 1922, Fluidity and plasticity; Perzyna 1966, "Fundamental problems in
 * viscoplasticity", Advances in Applied Mechanics 9, 243-377.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double gap;       /* [m] */
  double stiffness; /* [N/m] */
  double yield;     /* [N] */
  double viscosity; /* [N s/m] */
  double dent;      /* the state [m] */
} DentLaw;

enum
{
  DENT_OPEN,
  DENT_ELASTIC,
  DENT_YIELDING,
};

/* Returns the elastic part of the overlap [m]. */
static inline double
dent_elastic (const DentLaw *p, double delta)
{
  return delta - (p->gap + p->dent);
}

static inline double
dent_force (const DentLaw *p, int mode, double delta, double rate)
{
  (void) rate;
  return mode == DENT_OPEN ? 0.0 : p->stiffness * dent_elastic (p, delta);
}

static inline double
dent_energy (const DentLaw *p, int mode, double delta)
{
  const double elastic = dent_elastic (p, delta);

  return mode == DENT_OPEN ? 0.0 : 0.5 * p->stiffness * elastic * elastic;
}

static inline void
dent_rates (const DentLaw *p, int mode, double delta, double rate, double *rates)
{
  rates[0] =
      mode == DENT_YIELDING ? (dent_force (p, mode, delta, rate) - p->yield) / p->viscosity : 0.0;
}

static inline double
dent_loss (const DentLaw *p, int mode, double delta, double rate)
{
  double yielding;

  dent_rates (p, mode, delta, rate, &yielding);
  return dent_force (p, mode, delta, rate) * yielding;
}

static inline int
dent_mode (const DentLaw *p, double delta, double rate)
{
  const double elastic = dent_elastic (p, delta), over = p->stiffness * elastic - p->yield;

  if (elastic < 0 || (elastic == 0 && rate <= 0))
    return DENT_OPEN;
  return over > 0 || (over == 0 && rate > 0) ? DENT_YIELDING : DENT_ELASTIC;
}

/* The dent is constant except while yielding, so that guards on positions are exact. */
static inline int
dent_guards (const DentLaw *p, int mode, IfbamGuard *guards)
{
  const double position = p->gap + p->dent;
  const IfbamGuard touch = { IFBAM_GUARD_POSITION, -1, position, DENT_ELASTIC };
  const IfbamGuard leave = { IFBAM_GUARD_POSITION, 1, -position, DENT_OPEN };
  const IfbamGuard yield = { IFBAM_GUARD_FORCE, -1, p->yield, DENT_YIELDING };
  const IfbamGuard set = { IFBAM_GUARD_FORCE, 1, -p->yield, DENT_ELASTIC };

  switch (mode)
    {
    case DENT_OPEN:
      guards[0] = touch;
      return 1;
    case DENT_ELASTIC:
      guards[0] = leave;
      guards[1] = yield;
      return 2;
    case DENT_YIELDING:
    default:
      guards[0] = set;
      return 1;
    }
}

static inline IfbamConstraint
dent_constraint (const DentLaw *p, int mode)
{
  (void) p;
  return (IfbamConstraint){ .idle = mode == DENT_OPEN };
}

static inline const char *
dent_event (const DentLaw *p, int from, int to)
{
  (void) p;
  return to == DENT_OPEN       ? "open"
         : from == DENT_OPEN   ? "close"
         : to == DENT_YIELDING ? "yield"
                               : "set";
}

/* damped-law.h: damping of soft one-sided contacts; freestanding C
 *
 * With f the elastic force, f > 0 in an overlap, the total force F is
 *   proportional    F = f + damping rate
 *   bounded         F = f + damping rate, limited to 0 ... 2 f
 *   hunt-crossley   F = f (1 + dissipation rate)
 * where that is above 0, else 0. With a proportional damper F jumps when a contact closes; with the
 * others F begins and ends at 0.
 *
 * Kelvin & Voigt; bounded: the Modelica Standard Library's ElastoGap; Hunt & Crossley 1975,
 * "Coefficient of restitution interpreted as damping in vibroimpact", Journal of Applied Mechanics
 * 42, 440-445.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double law;
  double damping;     /* [N s/m] */
  double dissipation; /* [s/m] */
} DampedLaw;

enum
{
  DAMPED_PROPORTIONAL,
  DAMPED_BOUNDED,
  DAMPED_HUNT_CROSSLEY,
};

enum
{
  CONTACT_OPEN,
  CONTACT_CLOSED,
  CONTACT_PARTED,  /* still an overlap, but the damper would pull: F = 0 */
  CONTACT_LIMITED, /* limit of the damper's force, f: F = 2 f */
};

/* Only a bounded damper has a limit. */
static inline int
damped_limits (const DampedLaw *p)
{
  return (int) p->law == DAMPED_BOUNDED && p->damping > 0.0;
}

/* The guards' quantity for bounded damping: elastic force minus the damper's force. */
static inline double
damped_force (const DampedLaw *p, int mode, double elastic, double rate)
{
  if (IFBAM_IS_LAW_QUANTITY (mode))
    return elastic - p->damping * rate;
  switch (mode)
    {
    case CONTACT_CLOSED:
      return (int) p->law == DAMPED_HUNT_CROSSLEY ? elastic * (1.0 + p->dissipation * rate)
                                                  : elastic + p->damping * rate;
    case CONTACT_LIMITED:
      return damped_limits (p) ? 2.0 * elastic : 0.0;
    case CONTACT_OPEN:
    case CONTACT_PARTED:
    default:
      return 0.0;
    }
}

/* The energy that a parted contact still stores is lost as the overlap relaxes. */
static inline double
damped_loss (const DampedLaw *p, int mode, double elastic, double rate)
{
  switch (mode)
    {
    case CONTACT_CLOSED:
      return (int) p->law == DAMPED_HUNT_CROSSLEY ? elastic * p->dissipation * rate * rate
                                                  : p->damping * rate * rate;
    case CONTACT_PARTED:
      return -elastic * rate;
    case CONTACT_LIMITED:
      return damped_limits (p) ? elastic * rate : -elastic * rate;
    case CONTACT_OPEN:
    default:
      return 0.0;
    }
}

/* stiffness: of the elastic force, then of F. Returns TRUE if the slopes depend on the rate. */
static inline int
damped_slopes (const DampedLaw *p, int mode, double elastic, double rate, double *stiffness,
               double *damping)
{
  const int product = (int) p->law == DAMPED_HUNT_CROSSLEY;

  *damping = mode != CONTACT_CLOSED ? 0.0 : product ? elastic * p->dissipation : p->damping;
  if (mode == CONTACT_CLOSED)
    *stiffness *= product ? 1.0 + p->dissipation * rate : 1.0;
  else
    *stiffness *= mode == CONTACT_LIMITED && damped_limits (p) ? 2.0 : 0.0;
  return mode == CONTACT_CLOSED && product && p->dissipation != 0.0;
}

/* overlap: of the same sign as the elastic force */
static inline int
damped_mode (const DampedLaw *p, double overlap, double elastic, double rate)
{
  if (overlap < 0 || (overlap == 0 && rate <= 0))
    return CONTACT_OPEN;
  if ((int) p->law == DAMPED_HUNT_CROSSLEY)
    return 1.0 + p->dissipation * rate >= 0 ? CONTACT_CLOSED : CONTACT_PARTED;
  if (damped_force (p, CONTACT_CLOSED, elastic, rate) < 0)
    return CONTACT_PARTED;
  return (int) p->law == DAMPED_BOUNDED
                 && damped_force (p, IFBAM_LAW_QUANTITY (CONTACT_CLOSED), elastic, rate) < 0
             ? CONTACT_LIMITED
             : CONTACT_CLOSED;
}

/* gap: compression at which the overlap begins. Without damping the force ends with the overlap. */
static inline int
damped_guards (const DampedLaw *p, int mode, double gap, IfbamGuard *guards)
{
  const int product = (int) p->law == DAMPED_HUNT_CROSSLEY;
  const int bounded = damped_limits (p);
  const int one_sided = product ? p->dissipation > 0 : p->damping > 0;
  const double pulls = product && one_sided ? 1.0 / p->dissipation : 0.0;
  const IfbamGuard touch = { IFBAM_GUARD_POSITION, -1, gap,
                             bounded ? CONTACT_LIMITED : CONTACT_CLOSED };
  const IfbamGuard leave = { IFBAM_GUARD_POSITION, 1, -gap, CONTACT_OPEN };
  const IfbamGuard pull = { product ? IFBAM_GUARD_RATE : IFBAM_GUARD_FORCE, 1, pulls,
                            CONTACT_PARTED };
  const IfbamGuard push = { product ? IFBAM_GUARD_RATE : IFBAM_GUARD_NEXT_FORCE, -1, -pulls,
                            CONTACT_CLOSED };
  const IfbamGuard limit = { IFBAM_GUARD_LAW, 1, 0, CONTACT_LIMITED };
  const IfbamGuard limit_end = { IFBAM_GUARD_LAW, -1, 0, CONTACT_CLOSED };
  int n = 0;

  switch (mode)
    {
    case CONTACT_OPEN:
      guards[n++] = touch;
      break;
    case CONTACT_CLOSED:
      /* A force that is a product also ends with the overlap. */
      if (product || !one_sided)
        guards[n++] = leave;
      if (one_sided)
        guards[n++] = pull;
      if (bounded)
        guards[n++] = limit;
      break;
    case CONTACT_LIMITED:
    case CONTACT_PARTED:
    default:
      guards[n++] = leave;
      if (mode == CONTACT_LIMITED && bounded)
        guards[n++] = limit_end;
      else if (!product || one_sided)
        guards[n++] = push;
      break;
    }
  return n;
}

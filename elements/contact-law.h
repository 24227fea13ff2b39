/* contact-law.h: soft one-sided contact; freestanding C
 *
 *   closed   F = stiffness * overlap + damping * rate    overlap = compression - gap [m]
 *   open     no overlap, F = 0
 *   parted   still an overlap, but F = 0: the damper would pull
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double gap;       /* [m] */
  double stiffness; /* [N/m] */
  double damping;   /* [N s/m] */
} ContactLaw;

enum
{
  CONTACT_OPEN,
  CONTACT_CLOSED,
  CONTACT_PARTED,
};

/* What parts has opened already. */
static inline const char *
contact_event (const ContactLaw *p, int from, int to)
{
  (void) p;
  return to == CONTACT_CLOSED ? "close" : from == CONTACT_CLOSED ? "open" : 0;
}

static inline double
contact_force (const ContactLaw *p, int mode, double delta, double rate)
{
  return mode == CONTACT_CLOSED ? p->stiffness * (delta - p->gap) + p->damping * rate : 0.0;
}

static inline double
contact_energy (const ContactLaw *p, int mode, double delta)
{
  const double overlap = delta - p->gap;

  return mode == CONTACT_OPEN ? 0.0 : 0.5 * p->stiffness * overlap * overlap;
}

/* What a parted contact still stores is given to nobody: it is lost as the overlap relaxes. */
static inline double
contact_loss (const ContactLaw *p, int mode, double delta, double rate)
{
  return mode == CONTACT_CLOSED   ? p->damping * rate * rate
         : mode == CONTACT_PARTED ? -p->stiffness * (delta - p->gap) * rate
                                  : 0.0;
}

static inline int
contact_mode (const ContactLaw *p, double delta, double rate)
{
  if (delta < p->gap || (delta == p->gap && rate <= 0))
    return CONTACT_OPEN;
  return contact_force (p, CONTACT_CLOSED, delta, rate) >= 0 ? CONTACT_CLOSED : CONTACT_PARTED;
}

/* Without a damper the force ends where the overlap does. */
static inline int
contact_guards (const ContactLaw *p, int mode, IfbamGuard *guards)
{
  const IfbamGuard touch = { IFBAM_GUARD_POSITION, -1, p->gap, CONTACT_CLOSED };
  const IfbamGuard leave = { IFBAM_GUARD_POSITION, 1, -p->gap, CONTACT_OPEN };
  const IfbamGuard pull = { IFBAM_GUARD_FORCE, 1, 0, CONTACT_PARTED };
  const IfbamGuard push = { IFBAM_GUARD_WOULD, -1, 0, CONTACT_CLOSED };

  switch (mode)
    {
    case CONTACT_OPEN:
      guards[0] = touch;
      return 1;
    case CONTACT_CLOSED:
      guards[0] = p->damping > 0 ? pull : leave;
      return 1;
    case CONTACT_PARTED:
    default:
      guards[0] = leave;
      guards[1] = push;
      return 2;
    }
}

static inline IfbamRelation
contact_relation (const ContactLaw *p, int mode)
{
  (void) p;
  return (IfbamRelation){ .idle = mode == CONTACT_OPEN };
}

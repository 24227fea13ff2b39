/* contact-law.h: soft one-sided contact; freestanding C
 *
 *   f = stiffness * overlap    overlap = compression - gap [m]
 *   closed    F = f with damping by a law of damped-law.h
 *   open      no overlap, F = 0
 *   parted    still an overlap, but F = 0: the damper would pull
 *   limited   F = 2 f: the limit of a bounded damper
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/damped-law.h"

typedef struct
{
  double gap;       /* [m] */
  double stiffness; /* [N/m] */
  DampedLaw damped;
} ContactLaw;

static inline double
contact_elastic (const ContactLaw *p, double delta)
{
  return p->stiffness * (delta - p->gap);
}

/* A parted contact counts as open. */
static inline const char *
contact_event (const ContactLaw *p, int from, int to)
{
  const int was = from == CONTACT_CLOSED || from == CONTACT_LIMITED;
  const int is = to == CONTACT_CLOSED || to == CONTACT_LIMITED;

  (void) p;
  return was == is ? 0 : is ? "close" : "open";
}

static inline double
contact_force (const ContactLaw *p, int mode, double delta, double rate)
{
  return damped_force (&p->damped, mode, contact_elastic (p, delta), rate);
}

static inline double
contact_energy (const ContactLaw *p, int mode, double delta)
{
  const double overlap = delta - p->gap;

  return mode == CONTACT_OPEN ? 0.0 : 0.5 * p->stiffness * overlap * overlap;
}

static inline double
contact_loss (const ContactLaw *p, int mode, double delta, double rate)
{
  return damped_loss (&p->damped, mode, contact_elastic (p, delta), rate);
}

static inline int
contact_slopes (const ContactLaw *p, int mode, double delta, double rate, double *stiffness,
                double *damping)
{
  *stiffness = p->stiffness;
  return damped_slopes (&p->damped, mode, contact_elastic (p, delta), rate, stiffness, damping);
}

static inline int
contact_mode (const ContactLaw *p, double delta, double rate)
{
  return damped_mode (&p->damped, delta - p->gap, contact_elastic (p, delta), rate);
}

static inline int
contact_guards (const ContactLaw *p, int mode, IfbamGuard *guards)
{
  return damped_guards (&p->damped, mode, p->gap, guards);
}

static inline IfbamConstraint
contact_constraint (const ContactLaw *p, int mode)
{
  (void) p;
  return (IfbamConstraint){ .idle = mode == CONTACT_OPEN };
}

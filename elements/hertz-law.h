/* hertz-law.h: soft one-sided contact of round bodies; freestanding C
 *
 *   f = 4/3 modulus sqrt(radius) overlap^1.5    overlap = compression - gap [m]
 *
 * and the modes of a contact (contact-law.h).
 *
 * modulus [Pa] is E* = 1 / ((1 - nu1^2)/E1 + (1 - nu2^2)/E2), 1/radius = 1/R1 + 1/R2 (Hertz 1882;
 * Johnson 1985, Contact mechanics, 4.2). Without overlap f is continued as an odd function,
 * overlap sqrt|overlap|. Its stored energy is 2/5 of elastic force times overlap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "elements/contact-law.h"

typedef struct
{
  double gap;     /* [m] */
  double modulus; /* [Pa] */
  double radius;  /* [m] */
  DampedLaw damped;
} HertzLaw;

static inline double
hertz_elastic (const HertzLaw *p, double delta)
{
  const double overlap = delta - p->gap;

  return 4.0 / 3 * p->modulus * sqrt (p->radius) * overlap * sqrt (fabs (overlap));
}

static inline double
hertz_force (const HertzLaw *p, int mode, double delta, double rate)
{
  return damped_force (&p->damped, mode, hertz_elastic (p, delta), rate);
}

static inline double
hertz_energy (const HertzLaw *p, int mode, double delta)
{
  return mode == CONTACT_OPEN ? 0.0 : 0.4 * hertz_elastic (p, delta) * (delta - p->gap);
}

static inline double
hertz_loss (const HertzLaw *p, int mode, double delta, double rate)
{
  return damped_loss (&p->damped, mode, hertz_elastic (p, delta), rate);
}

static inline int
hertz_slopes (const HertzLaw *p, int mode, double delta, double rate, double *stiffness,
              double *damping)
{
  *stiffness = 2.0 * p->modulus * sqrt (p->radius * fabs (delta - p->gap));
  (void) damped_slopes (&p->damped, mode, hertz_elastic (p, delta), rate, stiffness, damping);
  return mode == CONTACT_CLOSED || mode == CONTACT_LIMITED;
}

static inline int
hertz_mode (const HertzLaw *p, double delta, double rate)
{
  return damped_mode (&p->damped, delta - p->gap, hertz_elastic (p, delta), rate);
}

static inline int
hertz_guards (const HertzLaw *p, int mode, IfbamGuard *guards)
{
  return damped_guards (&p->damped, mode, p->gap, guards);
}

static inline IfbamConstraint
hertz_constraint (const HertzLaw *p, int mode)
{
  (void) p;
  return contact_constraint (0, mode);
}

static inline const char *
hertz_event (const HertzLaw *p, int from, int to)
{
  (void) p;
  return contact_event (0, from, to);
}

/* hertz-law.h: soft one-sided contact of round bodies; freestanding C
 *
 *   closed   F = 4/3 modulus sqrt(radius) overlap^1.5 + damping * rate    overlap = compression - gap [m]
 *   open     no overlap, F = 0
 *   parted   still an overlap, but F = 0: the damper would pull
 *
 * modulus [Pa] is E* = 1 / ((1 - nu1^2)/E1 + (1 - nu2^2)/E2), 1/radius = 1/R1 + 1/R2 (Hertz 1882;
 * Johnson 1985, Contact mechanics, 4.2). Beyond the gap the closed law goes on as an odd function,
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
  double damping; /* [N s/m] */
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
  return mode == CONTACT_CLOSED ? hertz_elastic (p, delta) + p->damping * rate : 0.0;
}

static inline double
hertz_energy (const HertzLaw *p, int mode, double delta)
{
  return mode == CONTACT_OPEN ? 0.0 : 0.4 * hertz_elastic (p, delta) * (delta - p->gap);
}

/* What a parted contact still stores is given to nobody: it is lost as the overlap relaxes. */
static inline double
hertz_loss (const HertzLaw *p, int mode, double delta, double rate)
{
  return mode == CONTACT_CLOSED   ? p->damping * rate * rate
         : mode == CONTACT_PARTED ? -hertz_elastic (p, delta) * rate
                                  : 0.0;
}

static inline int
hertz_mode (const HertzLaw *p, double delta, double rate)
{
  if (delta < p->gap || (delta == p->gap && rate <= 0))
    return CONTACT_OPEN;
  return hertz_force (p, CONTACT_CLOSED, delta, rate) >= 0 ? CONTACT_CLOSED : CONTACT_PARTED;
}

/* Those of a contact: they speak of the gap and the force. */
static inline int
hertz_guards (const HertzLaw *p, int mode, IfbamGuard *guards)
{
  const ContactLaw contact = { p->gap, 0, p->damping };

  return contact_guards (&contact, mode, guards);
}

static inline IfbamRelation
hertz_relation (const HertzLaw *p, int mode)
{
  const ContactLaw contact = { p->gap, 0, p->damping };

  return contact_relation (&contact, mode);
}

static inline const char *
hertz_event (const HertzLaw *p, int from, int to)
{
  (void) p;
  return contact_event (0, from, to);
}

static inline int
hertz_slopes (const HertzLaw *p, int mode, double delta, double rate, double *stiffness,
              double *damping)
{
  const int closed = mode == CONTACT_CLOSED;

  (void) rate;
  *stiffness = closed ? 2.0 * p->modulus * sqrt (p->radius * fabs (delta - p->gap)) : 0.0;
  *damping = closed ? p->damping : 0.0;
  return closed;
}

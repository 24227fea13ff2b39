/* limiter-law.h: spring with a force limit in each direction; freestanding C
 *
 *   linear   F = stiffness * delta                          [N]
 *   upper    F = upper, beyond delta = upper / stiffness
 *   lower    F = lower, beyond delta = lower / stiffness
 *   V = the integral of F, stiffness delta^2 / 2 in the linear range                           [J]
 *
 * It is elastic, without loss. (The limiter of Cellier & Kofman 2006, chapter 9.)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double stiffness; /* [N/m], above 0 */
  double lower;     /* [N] */
  double upper;     /* [N], above lower */
} LimiterLaw;

enum
{
  LIMITER_LOWER,
  LIMITER_LINEAR,
  LIMITER_UPPER,
};

static inline int
limiter_mode (const LimiterLaw *p, double delta, double rate)
{
  const double top = p->upper / p->stiffness, bottom = p->lower / p->stiffness;

  if (delta > top || (delta == top && rate > 0))
    return LIMITER_UPPER;
  return delta < bottom || (delta == bottom && rate < 0) ? LIMITER_LOWER : LIMITER_LINEAR;
}

static inline double
limiter_force (const LimiterLaw *p, int mode, double delta, double rate)
{
  (void) rate;
  return mode == LIMITER_LINEAR  ? p->stiffness * delta
         : mode == LIMITER_UPPER ? p->upper
                                 : p->lower;
}

static inline double
limiter_energy (const LimiterLaw *p, int mode, double delta)
{
  const double limit = mode == LIMITER_UPPER ? p->upper : p->lower;

  return mode == LIMITER_LINEAR ? 0.5 * p->stiffness * delta * delta
                                : limit * (delta - 0.5 * limit / p->stiffness);
}

static inline double
limiter_loss (const LimiterLaw *p, int mode, double delta, double rate)
{
  (void) p, (void) mode, (void) delta, (void) rate;
  return 0.0;
}

static inline int
limiter_guards (const LimiterLaw *p, int mode, IfbamGuard *guards)
{
  const double top = p->upper / p->stiffness, bottom = p->lower / p->stiffness;
  const IfbamGuard rise = { IFBAM_GUARD_POSITION, -1, mode == LIMITER_LOWER ? bottom : top,
                            mode + 1 };
  const IfbamGuard fall = { IFBAM_GUARD_POSITION, 1, mode == LIMITER_UPPER ? -top : -bottom,
                            mode - 1 };
  int n = 0;

  if (mode != LIMITER_UPPER)
    guards[n++] = rise;
  if (mode != LIMITER_LOWER)
    guards[n++] = fall;
  return n;
}

static inline const char *
limiter_event (const LimiterLaw *p, int from, int to)
{
  (void) p;
  return to > from ? "rise" : "fall";
}

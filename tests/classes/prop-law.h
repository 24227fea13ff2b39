/* prop-law.h: spring that was compressed before and is held by nothing: it pushes, or it is off; freestanding C
 *
 *   pressed   F = preload + stiffness delta >= 0          [N]
 *   off       delta < -preload / stiffness, F = 0
 *   V = F^2 / (2 stiffness)                               [J]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double stiffness; /* [N/m], above 0 */
  double preload;   /* [N] */
} PropLaw;

enum
{
  PROP_OFF,
  PROP_PRESSED,
};

static inline double
prop_force (const PropLaw *p, int mode, double delta, double rate)
{
  (void) rate;
  return mode == PROP_PRESSED ? p->preload + p->stiffness * delta : 0.0;
}

static inline double
prop_energy (const PropLaw *p, int mode, double delta)
{
  const double force = prop_force (p, mode, delta, 0.0);

  return 0.5 * force * force / p->stiffness;
}

static inline double
prop_loss (const PropLaw *p, int mode, double delta, double rate)
{
  (void) p, (void) mode, (void) delta, (void) rate;
  return 0.0;
}

static inline int
prop_mode (const PropLaw *p, double delta, double rate)
{
  const double end = -p->preload / p->stiffness;

  return delta > end || (delta == end && rate > 0) ? PROP_PRESSED : PROP_OFF;
}

static inline int
prop_guards (const PropLaw *p, int mode, IfbamGuard *guards)
{
  const double end = -p->preload / p->stiffness;
  const IfbamGuard touch = { IFBAM_GUARD_POSITION, -1, end, PROP_PRESSED };
  const IfbamGuard leave = { IFBAM_GUARD_POSITION, 1, -end, PROP_OFF };

  guards[0] = mode == PROP_OFF ? touch : leave;
  return 1;
}

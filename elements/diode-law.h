/* diode-law.h: diode from anode (left) to cathode (right); freestanding C
 *
 *   open     voltage <= 0, no current
 *   closed   voltage = 0 by a current >= 0; or, with a resistance, I = voltage / resistance >= 0
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double resistance; /* [ohm]; 0: ideal */
} DiodeLaw;

static inline int
diode_mode (const DiodeLaw *p, double delta, double rate)
{
  (void) delta;
  return p->resistance > 0 && rate > 0 ? IFBAM_MODE_ACTIVE : IFBAM_MODE_OPEN;
}

static inline double
diode_force (const DiodeLaw *p, int mode, double delta, double rate)
{
  (void) delta;
  return mode == IFBAM_MODE_ACTIVE && p->resistance > 0 ? rate / p->resistance : 0.0;
}

static inline double
diode_energy (const DiodeLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
diode_loss (const DiodeLaw *p, int mode, double delta, double rate)
{
  return diode_force (p, mode, delta, rate) * rate;
}

/* Guards with a resistance; an ideal diode's are those of its constraint. */
static inline int
diode_guards (const DiodeLaw *p, int mode, IfbamGuard *guards)
{
  const IfbamGuard close = { IFBAM_GUARD_RATE, -1, 0, IFBAM_MODE_ACTIVE };
  const IfbamGuard open = { IFBAM_GUARD_RATE, 1, 0, IFBAM_MODE_OPEN };

  (void) p;
  guards[0] = mode == IFBAM_MODE_ACTIVE ? open : close;
  return 1;
}

static inline IfbamConstraint
diode_constraint (const DiodeLaw *p, int mode)
{
  if (p->resistance > 0)
    return (IfbamConstraint){ .idle = mode != IFBAM_MODE_ACTIVE };
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_ONE_WAY, .idle = 1 };
}

/* switch-law.h: switch between two electrical nodes; freestanding C
 *
 *   open     no current
 *   closed   voltage = 0, by any current; or, with a resistance, I = voltage / resistance
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

/* A state set by scheduled events or a monitor: all that a dog clutch has. */
typedef struct
{
  double state; /* at the start: 0 open, 1 closed */
  double side;  /* side of the monitor's level: 0 above, 1 below */
} SwitchedLaw;

typedef struct
{
  SwitchedLaw is;
  double resistance; /* [ohm]; 0: ideal */
} SwitchLaw;

enum
{
  SWITCH_OPEN,
  SWITCH_CLOSED,
};

static inline int
dog_clutch_mode (const SwitchedLaw *p, double delta, double rate)
{
  (void) delta, (void) rate;
  return p->state == 0 ? SWITCH_OPEN : SWITCH_CLOSED;
}

static inline int
dog_clutch_toggle (const SwitchedLaw *p, int mode)
{
  (void) p;
  return mode == SWITCH_OPEN ? SWITCH_CLOSED : SWITCH_OPEN;
}

static inline IfbamConstraint
dog_clutch_constraint (const SwitchedLaw *p, int mode)
{
  (void) p;
  if (mode == SWITCH_OPEN)
    return (IfbamConstraint){ .idle = 1 };
  return (IfbamConstraint){ .kind = IFBAM_CONSTRAINT_RIGID, .idle = 1 };
}

static inline int
switch_mode (const SwitchLaw *p, double delta, double rate)
{
  return dog_clutch_mode (&p->is, delta, rate);
}

static inline int
switch_toggle (const SwitchLaw *p, int mode)
{
  return dog_clutch_toggle (&p->is, mode);
}

static inline double
switch_force (const SwitchLaw *p, int mode, double delta, double rate)
{
  (void) delta;
  return mode == SWITCH_CLOSED && p->resistance > 0 ? rate / p->resistance : 0.0;
}

static inline double
switch_energy (const SwitchLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
switch_loss (const SwitchLaw *p, int mode, double delta, double rate)
{
  return switch_force (p, mode, delta, rate) * rate;
}

static inline IfbamConstraint
switch_constraint (const SwitchLaw *p, int mode)
{
  if (mode == SWITCH_CLOSED && p->resistance > 0)
    return (IfbamConstraint){ .idle = 0 };
  return dog_clutch_constraint (&p->is, mode);
}

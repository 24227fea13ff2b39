/* monitor-law.h: state of a signal: below or above a level; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double direction;  /* 0: both, 1: only rising, 2: only falling crossings are events */
  double level;      /* of the signal */
  double is_rate;    /* the signal is a rate, not a compression or coordinate */
  double hysteresis; /* width: rises half of it above the level, falls half of it below */
} MonitorLaw;

enum
{
  MONITOR_BELOW,
  MONITOR_ABOVE,
};

static inline int
monitor_mode (const MonitorLaw *p, double delta, double rate)
{
  if (p->is_rate == 0 && delta == p->level)
    return rate < 0 ? MONITOR_BELOW : MONITOR_ABOVE;
  return (p->is_rate != 0 ? rate : delta) < p->level ? MONITOR_BELOW : MONITOR_ABOVE;
}

static inline int
monitor_guards (const MonitorLaw *p, int mode, IfbamGuard *guards)
{
  const IfbamGuardKind kind = p->is_rate != 0 ? IFBAM_GUARD_RATE : IFBAM_GUARD_POSITION;
  const IfbamGuard rise = { kind, -1, p->level + 0.5 * p->hysteresis, MONITOR_ABOVE };
  const IfbamGuard fall = { kind, 1, -(p->level - 0.5 * p->hysteresis), MONITOR_BELOW };

  guards[0] = mode == MONITOR_BELOW ? rise : fall;
  return 1;
}

static inline IfbamConstraint
monitor_constraint (const MonitorLaw *p, int mode)
{
  (void) p, (void) mode;
  return (IfbamConstraint){ .idle = 1 };
}

/* Crossings in the unselected direction are no events. */
static inline const char *
monitor_event (const MonitorLaw *p, int from, int to)
{
  (void) from;
  if (p->direction != 0 && (to == MONITOR_ABOVE) != (p->direction == 1))
    return 0;
  return to == MONITOR_ABOVE ? "rise" : "fall";
}

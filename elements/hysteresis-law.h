/* hysteresis-law.h: force of two values, by the last limit passed; freestanding C
 *
 *   low    F = low,  until delta > upper
 *   high   F = high, until delta < lower
 *   V = F (delta - middle), middle = (lower + upper) / 2     [J]
 *
 * Each change of mode loses half of a loop's energy, (low - high) (upper - lower) / 2: with low
 * above high the law dissipates, with high above low it supplies energy, as a relay does. (The dry
 * hysteresis function of Cellier & Kofman 2006, chapter 9.)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/guard.h"

typedef struct
{
  double lower;   /* [m] */
  double upper;   /* [m], above lower */
  double low;     /* [N] */
  double high;    /* [N] */
  double initial; /* 0: low, 1: high, where both are possible */
} HysteresisLaw;

enum
{
  HYSTERESIS_LOW,
  HYSTERESIS_HIGH,
};

static inline int
hysteresis_mode (const HysteresisLaw *p, double delta, double rate)
{
  if (delta > p->upper || (delta == p->upper && rate > 0))
    return HYSTERESIS_HIGH;
  if (delta < p->lower || (delta == p->lower && rate < 0))
    return HYSTERESIS_LOW;
  return p->initial == 0 ? HYSTERESIS_LOW : HYSTERESIS_HIGH;
}

static inline double
hysteresis_force (const HysteresisLaw *p, int mode, double delta, double rate)
{
  (void) delta, (void) rate;
  return mode == HYSTERESIS_HIGH ? p->high : p->low;
}

static inline double
hysteresis_energy (const HysteresisLaw *p, int mode, double delta)
{
  return hysteresis_force (p, mode, delta, 0) * (delta - 0.5 * (p->lower + p->upper));
}

static inline double
hysteresis_loss (const HysteresisLaw *p, int mode, double delta, double rate)
{
  (void) p, (void) mode, (void) delta, (void) rate;
  return 0.0;
}

/* Returns the loss of a change of mode at delta [J]. */
static inline double
hysteresis_change (const HysteresisLaw *p, int from, int to, double delta)
{
  return hysteresis_energy (p, from, delta) - hysteresis_energy (p, to, delta);
}

static inline int
hysteresis_guards (const HysteresisLaw *p, int mode, IfbamGuard *guards)
{
  const IfbamGuard rise = { IFBAM_GUARD_POSITION, -1, p->upper, HYSTERESIS_HIGH };
  const IfbamGuard fall = { IFBAM_GUARD_POSITION, 1, -p->lower, HYSTERESIS_LOW };

  guards[0] = mode == HYSTERESIS_LOW ? rise : fall;
  return 1;
}

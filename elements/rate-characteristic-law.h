/* rate-characteristic-law.h: a force by the points of its characteristic over the rate; freestanding C
 *
 *   F = the straight line between the two points that enclose the rate, or beyond the last two   [N]
 *
 * Linear interpolation (de Boor 1978, chapter III); stores no energy. Its modes are the pieces, from 0 on, as those of
 * characteristic-law.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/table.h"
#include "element/guard.h"

typedef struct
{
  const IfbamTable *table; /* rate [m/s], force [N] */
} RateCharacteristicLaw;

static inline int
rate_characteristic_mode (const RateCharacteristicLaw *p, double delta, double rate)
{
  (void) delta;
  return (int) ifbam_table_piece (p->table, rate);
}

static inline double
rate_characteristic_force (const RateCharacteristicLaw *p, int mode, double delta, double rate)
{
  (void) delta;
  return ifbam_table_on_piece (p->table, (unsigned long) mode, rate);
}

static inline double
rate_characteristic_energy (const RateCharacteristicLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
rate_characteristic_loss (const RateCharacteristicLaw *p, int mode, double delta, double rate)
{
  return rate_characteristic_force (p, mode, delta, rate) * rate;
}

static inline int
rate_characteristic_slopes (const RateCharacteristicLaw *p, int mode, double delta, double rate,
                            double *stiffness, double *damping)
{
  (void) delta, (void) rate;
  *stiffness = 0.0;
  *damping = p->table->piece[mode].rise;
  return 0;
}

static inline int
rate_characteristic_guards (const RateCharacteristicLaw *p, int mode, IfbamGuard *guards)
{
  const double *x = p->table->x;
  const unsigned long piece = (unsigned long) mode;
  int n = 0;

  if (piece + 2 < p->table->n)
    {
      const IfbamGuard rise = { IFBAM_GUARD_RATE, -1, x[piece + 1], mode + 1 };

      guards[n++] = rise;
    }
  if (piece > 0)
    {
      const IfbamGuard fall = { IFBAM_GUARD_RATE, 1, -x[piece], mode - 1 };

      guards[n++] = fall;
    }
  return n;
}

static inline const char *
rate_characteristic_event (const RateCharacteristicLaw *p, int from, int to)
{
  (void) p;
  return to > from ? "rise" : "fall";
}

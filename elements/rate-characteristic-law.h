/* rate-characteristic-law.h: force by the points of its curve over the rate; freestanding C
 *
 *   F = the straight line between the two points that enclose the rate, or beyond the last two  [N]
 *
 * Linear interpolation (de Boor 1978, chapter III); stores no energy. Modes are the pieces
 * (pieces.h).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/pieces.h"

typedef struct
{
  IFBAM_TABLE_OF_LAW (table); /* rate [m/s], force [N] */
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
  return pieces_guards (p->table, IFBAM_GUARD_RATE, mode, guards);
}

static inline const char *
rate_characteristic_event (const RateCharacteristicLaw *p, int from, int to)
{
  (void) p;
  return pieces_event (from, to);
}

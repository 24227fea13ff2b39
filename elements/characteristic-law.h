/* characteristic-law.h: a force by the points of its characteristic; freestanding C
 *
 *   F = the straight line between the two points that enclose delta, or beyond the last two   [N]
 *   V = the integral of F, 0 where it is least                                                [J]
 *
 * Linear interpolation (de Boor 1978, chapter III). In each piece the law is linear; it has kinks at the
 * points between.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "table.h"

typedef struct
{
  const IfbamTable *table; /* delta [m], force [N] */
} CharacteristicLaw;

static inline double
characteristic_force (const CharacteristicLaw *p, double delta, double rate)
{
  (void) rate;
  return ifbam_table_value (p->table, delta);
}

static inline double
characteristic_energy (const CharacteristicLaw *p, double delta)
{
  return ifbam_table_integral (p->table, delta);
}

static inline unsigned
characteristic_points (const CharacteristicLaw *p)
{
  return p->table->n == 2 ? 1 : 3;
}

static inline void
characteristic_linear (CharacteristicLaw *p)
{
  (void) p;
}

/* characteristic-law.h: a force by the points of its characteristic; freestanding C
 *
 *   F = the straight line between the two points that enclose delta, or beyond the last two   [N]
 *   V = the integral of F, 0 where it is least                                                [J]
 *
 * Linear interpolation (de Boor 1978, chapter III). Its modes are the pieces (pieces.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/pieces.h"

typedef struct
{
  IFBAM_TABLE_OF_LAW (table); /* delta [m], force [N] */
} CharacteristicLaw;

/* Returns the mode; at a kink that of the piece ahead. */
static inline int
characteristic_mode (const CharacteristicLaw *p, double delta, double rate)
{
  const unsigned long piece = ifbam_table_piece (p->table, delta);

  return (int) (piece > 0 && delta == p->table->x[piece] && rate < 0 ? piece - 1 : piece);
}

static inline double
characteristic_force (const CharacteristicLaw *p, int mode, double delta, double rate)
{
  (void) rate;
  return ifbam_table_on_piece (p->table, (unsigned long) mode, delta);
}

static inline double
characteristic_energy (const CharacteristicLaw *p, int mode, double delta)
{
  return ifbam_table_area_on_piece (p->table, (unsigned long) mode, delta);
}

static inline double
characteristic_loss (const CharacteristicLaw *p, int mode, double delta, double rate)
{
  (void) p, (void) mode, (void) delta, (void) rate;
  return 0.0;
}

static inline int
characteristic_guards (const CharacteristicLaw *p, int mode, IfbamGuard *guards)
{
  return pieces_guards (p->table, IFBAM_GUARD_POSITION, mode, guards);
}

static inline const char *
characteristic_event (const CharacteristicLaw *p, int from, int to)
{
  (void) p;
  return pieces_event (from, to);
}

/* table.h: a function given by points, linear between them and beyond the ends; freestanding C
 *
 * Piece k is the straight line through the points k and k + 1; the first and the last extend beyond
 * the ends. Pieces meet in kinks, at the points 1 to n - 2. A law that must stay smooth keeps its
 * piece: each is defined beyond its ends, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interval.h"

/* On a piece, s = x - origin: y = level + rise s, the integral is area + s (level + rise s / 2).
 * The origin is the zero of the piece, if it is between its points, otherwise the point nearer to
 * zero, so that small values are not differences of large ones. */
typedef struct
{
  double origin, level, rise, area;
} IfbamTablePiece;

typedef struct
{
  unsigned long n;              /* points, at least 2 */
  const double *x;              /* increasing (n) */
  const IfbamTablePiece *piece; /* (n - 1) */
} IfbamTable;

/* A table among the doubles of a law, for any size of a pointer. */
#define IFBAM_TABLE_OF_LAW(name)                                                                   \
  union                                                                                            \
  {                                                                                                \
    const IfbamTable *name;                                                                        \
    double name##_place;                                                                           \
  }

/* Returns the piece that contains x; at a kink the one on its right. */
IFBAM_INLINE_ONCE unsigned long
ifbam_table_piece (const IfbamTable *table, double x)
{
  return ifbam_interval (table->x, table->n, x);
}

IFBAM_INLINE_ONCE double
ifbam_table_on_piece (const IfbamTable *table, unsigned long piece, double x)
{
  const IfbamTablePiece *p = &table->piece[piece];

  return p->level + p->rise * (x - p->origin);
}

IFBAM_INLINE_ONCE double
ifbam_table_value (const IfbamTable *table, double x)
{
  return ifbam_table_on_piece (table, ifbam_table_piece (table, x), x);
}

IFBAM_INLINE_ONCE double
ifbam_table_area_on_piece (const IfbamTable *table, unsigned long piece, double x)
{
  const IfbamTablePiece *p = &table->piece[piece];
  double s = x - p->origin;

  return p->area + s * (p->level + 0.5 * p->rise * s);
}

/* Returns an integral of the function. */
IFBAM_INLINE_ONCE double
ifbam_table_integral (const IfbamTable *table, double x)
{
  return ifbam_table_area_on_piece (table, ifbam_table_piece (table, x), x);
}

/* geometry.h: how a link's compression follows from the coordinates of its ends
 *
 * A geometry is a function delta(coordinates) and its row J = d delta / d coordinates; the ends get
 * -J^T F. The same row gives the rate from the velocities.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  const char *name;
  int row[2]; /* d delta / d left, d delta / d right */
} IfbamGeometry;

/* delta = x_left - x_right: compression is positive (Grabysz 1994, eq. 4.3). */
#define IFBAM_DIFFERENCE                                                                           \
  {                                                                                                \
    "difference", { 1, -1 }                                                                        \
  }

static inline double
ifbam_difference (double left, double right)
{
  return left - right;
}

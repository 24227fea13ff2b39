/* extrapolation.h: extrapolated paths of nodes in the coming step, from two cycles' messages
 *
 * Coordinates are extrapolated linearly (Grabysz 1994, eq. 4.6). The flip-flop's rates are half a
 * step behind its positions, so that their path starts and ends half a step later.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/isa.h"

/* Offsets of Gauss-Legendre points from the middle of a path of length 1, for 2 and 3 points
 * (Abramowitz & Stegun 1964, table 25.4). */
#define IFBAM_GAUSS_2 0.28867513459481288225 /* 1 / (2 sqrt 3) */
#define IFBAM_GAUSS_3 0.38729833462074168852 /* sqrt (3/5) / 2 */

/* Return the mean over a path from values at these points: for all paths, for equal bits. */
IFBAM_INLINE double
ifbam_path_mean_2 (double before, double behind)
{
  return 0.5 * (before + behind);
}

IFBAM_INLINE double
ifbam_path_mean_3 (double before, double middle, double behind)
{
  return (5.0 / 18.0) * (before + behind) + (8.0 / 18.0) * middle;
}

/* Return the position (0..1) and the weight of point g on the path. */
IFBAM_INLINE double
ifbam_path_point (unsigned int points, unsigned int g)
{
  return points == 1   ? 0.5
         : points == 2 ? 0.5 + (g == 0 ? -IFBAM_GAUSS_2 : IFBAM_GAUSS_2)
                       : 0.5 + ((double) g - 1) * IFBAM_GAUSS_3;
}

IFBAM_INLINE double
ifbam_path_weight (unsigned int points, unsigned int g)
{
  return points < 3 ? 1.0 / points : (g == 1 ? 8.0 : 5.0) / 18.0;
}

/* Return a node's coordinate and rate at part s (0..1) of the coming step. */
IFBAM_INLINE double
ifbam_path_position (double now, double earlier, double s)
{
  return (1.0 + s) * now - s * earlier;
}

IFBAM_INLINE double
ifbam_path_rate (double now, double earlier, double s)
{
  return (1.5 + s) * now - (0.5 + s) * earlier;
}

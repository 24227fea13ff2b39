/* extrapolation.h: where a node will be in the coming step, seen from two cycles' messages
 *
 * Coordinates are extrapolated along a straight line (Grabysz 1994, eq. 4.6). The flip-flop's rates
 * stand half a step before its positions, so their path starts and ends half a step later.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/isa.h"

/* Gauss-Legendre points beside the middle of a path of length 1, by so many points (Abramowitz & Stegun 1964,
 * table 25.4). */
#define IFBAM_GAUSS_2 0.28867513459481288225 /* 1 / (2 sqrt 3) */
#define IFBAM_GAUSS_3 0.38729833462074168852 /* sqrt (3/5) / 2 */

/* The means from values at these points: every mean over a path is taken so. */
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

/* Where point number g of so many is on the path, and what it weighs. */
IFBAM_INLINE double
ifbam_path_place (unsigned int points, unsigned int g)
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

/* A node's coordinate and rate at part s (0..1) of the coming step. */
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

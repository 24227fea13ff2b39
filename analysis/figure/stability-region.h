/* stability-region.h: regions of absolute stability of a scheme in the complex plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "engine/engine.h"

/* Returns the borders of absolute stability in a part of the plane of s * step, divided into
 * squares in each direction (transfer full, a curve each). On a border the fastest growing root of
 * a mode with the exponents s, s* has modulus 1. On the real axis both exponents are equal; two
 * different real ones are no point of the plane. Points are on the border to 1e-9; the stable side
 * is on its left. (Hairer & Wanner, Solving Ordinary Differential Equations II, IV.2.) */
IfbamChart *ifbam_region_borders (const IfbamScheme *scheme, IfbamAxisRange x, IfbamAxisRange y,
                                  gsize squares);

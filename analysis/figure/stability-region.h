/* stability-region.h: where in the complex plane a scheme does not let anything grow
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "engine/engine.h"

/* The borders of absolute stability within a part of the plane of s * step, which is cut into so many squares in each
 * direction (transfer full, a curve each). On a border the fastest growing root of a mode with the conjugate pair s, s* of
 * exponents has the modulus 1. On the real axis both exponents are equal; two different real ones are no point of this plane.
 * Points lie on the border to 1e-9; the stable side is at its left. (Hairer & Wanner, Solving Ordinary Differential Equations
 * II, IV.2, for one-step methods.) */
IfbamChart *ifbam_region_borders (const IfbamScheme *scheme, IfbamAxisRange x, IfbamAxisRange y,
                                  gsize squares);

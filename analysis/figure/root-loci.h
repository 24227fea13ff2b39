/* root-loci.h: roots of schemes for an undamped mode, over the step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "engine/engine.h"

/* Right ends of their pictures: angular frequency times step; step / period. */
#define IFBAM_LOCI_LONGEST     4.0
#define IFBAM_ELONGATION_WHOLE 0.35

/* Returns the loci of all roots, the factors of a mode per step, for angular frequencies times step
 * from 0 to longest: at the middles of n equal parts (transfer full, a curve each). */
IfbamChart *ifbam_scheme_loci (const IfbamScheme *scheme, double longest, gsize n);

/* Computes the relative elongation of the period at step / period, and the numerical damping ratio,
 * -ln |z| / arg z (Hughes 1987, The Finite Element Method, 9.3.1); NaN without oscillation. */
void ifbam_scheme_elongation (const IfbamScheme *scheme, double ratio, double *elongation,
                              double *damping);

/* root-loci.h: what schemes do to an undamped mode, step by step longer
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "engine/engine.h"

/* Where pictures of them end: angular frequency times step, and step / period, where nobody looks any more at how good a
 * scheme is. */
#define IFBAM_LOCI_LONGEST     4.0
#define IFBAM_ELONGATION_WHOLE 0.35

/* The ways of all roots that the mode may multiply by in a step, as angular frequency times step goes from 0 to its
 * longest in n equal parts, in whose middles it is looked at (transfer full, a curve each). */
IfbamChart *ifbam_scheme_loci (const IfbamScheme *scheme, double longest, gsize n);

/* Of step / period: by which part of it the period gets longer, and the ratio of numerical damping, -ln |z| / arg z
 * (Hughes 1987, The Finite Element Method, 9.3.1); NaN both where the mode does not swing any more. */
void ifbam_scheme_elongation (const IfbamScheme *scheme, double ratio, double *elongation,
                              double *damping);

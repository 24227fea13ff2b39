/* scheme-figures.h: numerical errors of all schemes for one mode: stability, roots, periods, growth
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "linear/linear.h"

/* Each function makes a chart with a curve per scheme. stability: of a network, to mark its scheme,
 * and its modes at its step; NULL: no network. */

/* Borders of absolute stability in the plane of s * step, for a mode with the exponents s, s*:
 * ifbam_region_borders (). Dots: the network's modes. */
void ifbam_regions_chart (IfbamChart *chart, const IfbamStability *stability);
/* Factors per step of an undamped mode in the complex plane, for angular frequencies times step
 * from 0 to 4, with the unit circle. Dots: roots of the network's scheme at its (damped) modes. */
void ifbam_roots_chart (IfbamChart *chart, const IfbamStability *stability);
/* For an undamped mode over step / period: relative elongation of its period [%], and the numerical
 * damping ratio, -ln |z| / arg z (Hughes 1987, The Finite Element Method, 9.3.1). */
void ifbam_elongation_chart (IfbamChart *chart, const IfbamStability *stability);
/* Growth per step of an undamped mode, ln |z|, over angular frequency times step; decay is dotted.
 * The network's modes (stability not NULL) are lines with their frequencies [Hz], and dots at their
 * growth under its scheme: below its curve if they are damped. */
void ifbam_growth_chart (IfbamChart *chart, const IfbamStability *stability);

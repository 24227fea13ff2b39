/* longest-step.h: steps up to which no mode grows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/stability-network.h"

/* Returns the step [s] up to which no mode grows by more than `rate` [1/s]; 0: every step is too
 * long, infinite: none is. */
double ifbam_stability_longest_step (const IfbamStability *stability, const IfbamScheme *scheme,
                                     double rate);

/* As above for rate 0; NaN: not known, in large networks that dampers stabilise. */
double ifbam_stability_critical_step (const IfbamStability *stability, const IfbamScheme *scheme);

/* FALSE: the steps above are lower bounds. */
gboolean ifbam_stability_has_steps (const IfbamStability *stability);

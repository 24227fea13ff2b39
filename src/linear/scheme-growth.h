/* scheme-growth.h: how fast a scheme's errors grow, and how long a step may be for it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "engine/engine.h"

/* ln |z| of the fastest growing root for h = omega * step: growth of the amplitude per step. */
double ifbam_scheme_growth (const IfbamScheme *scheme, double h);

/* The same with a damper: d = damping / inertia * step; *root (may be NULL) is the root. */
double ifbam_scheme_growth_damped (const IfbamScheme *scheme, double h, double d,
                                   double complex *root);

/* Of a Runge-Kutta scheme, implicit or not: R (q), by which exp (s t) multiplies in a step, q = s * step. */
double complex ifbam_scheme_factor (const IfbamScheme *scheme, double complex q);

#define IFBAM_MAX_ROOTS (IFBAM_MAX_DEGREE + 1)

/* All that a mode multiplies by, its own and those that are the scheme's alone, for h = omega * step and d = damping /
 * inertia * step (below 0: it is driven); their number, at most IFBAM_MAX_ROOTS. */
int ifbam_scheme_roots (const IfbamScheme *scheme, double h, double d, double complex *root);

/* Of what a reaction holds on a curve: it does not come late, as forces do under schemes with latency. */
double ifbam_scheme_growth_held (const IfbamScheme *scheme, double h);

/* Of the root that stands for the mode, the one nearest to exp (ih): its angle, which is the angular
 * frequency that a run shows times the step, and ln |z| to *growth (may be NULL). */
double ifbam_scheme_mode (const IfbamScheme *scheme, double h, double *growth);

/* The h up to which no mode grows: 0 for a scheme under which every mode grows at every step. */
double ifbam_scheme_limit (const IfbamScheme *scheme);

/* The longest step [s] at which a mode of angular frequency omega [1/s] grows by less than the
 * factor exp (tolerance) within a duration [s]. */
double ifbam_scheme_longest_step (const IfbamScheme *scheme, double omega, double duration,
                                  double tolerance);

/* The step [s] that a scheme with error estimate takes under a tolerance while a mode of angular frequency omega [1/s] swings
 * with the largest amplitude of all; infinite if omega is 0. */
double ifbam_scheme_adaptive_step (const IfbamScheme *scheme, double omega, double tolerance);

/* scheme-growth.h: growth of a mode under a scheme, and the longest steps for given growth
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "engine/engine.h"

/* Returns ln |z| of the largest root for h = omega * step: growth of the amplitude per step. */
double ifbam_scheme_growth (const IfbamScheme *scheme, double h);

/* As above, with a damper: d = damping / inertia * step; *root (or NULL): the root. */
double ifbam_scheme_growth_damped (const IfbamScheme *scheme, double h, double d,
                                   double complex *root);

/* Returns the factor R (q) of exp (s t) per step of a Runge-Kutta scheme, q = s * step. */
double complex ifbam_scheme_factor (const IfbamScheme *scheme, double complex q);

#define IFBAM_MAX_ROOTS (IFBAM_MAX_DEGREE + 1)

/* Computes all factors per step of a mode, spurious ones included, for h = omega * step and d =
 * damping / inertia * step (negative: driven). Returns their number, at most IFBAM_MAX_ROOTS. */
int ifbam_scheme_roots (const IfbamScheme *scheme, double h, double d, double complex *root);

/* For a motion restored by reactions, as on a curve: these have no latency under any scheme. */
double ifbam_scheme_growth_constrained (const IfbamScheme *scheme, double h);

/* Returns the angle of the root nearest to exp (ih), which represents the mode: the angular
 * frequency in a run times the step. *growth (may be NULL): its ln |z|. */
double ifbam_scheme_mode (const IfbamScheme *scheme, double h, double *growth);

/* Returns the h up to which no mode grows; 0: every mode grows at every step. */
double ifbam_scheme_limit (const IfbamScheme *scheme);

/* Returns the longest step [s] at which a mode of angular frequency omega [1/s] grows by less than
 * the factor exp (tolerance) within a duration [s]. */
double ifbam_scheme_longest_step (const IfbamScheme *scheme, double omega, double duration,
                                  double tolerance);

/* Returns the step [s] of an adaptive scheme under a tolerance if a mode of angular frequency omega
 * [1/s] has the largest amplitude; infinite for omega = 0. */
double ifbam_scheme_adaptive_step (const IfbamScheme *scheme, double omega, double tolerance);

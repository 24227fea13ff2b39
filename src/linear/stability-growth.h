/* stability-growth.h: factors of modes per step of a scheme, and the worst growth
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/ifbam-certainty.h"
#include "linear/stability-network.h"

typedef struct
{
  double
      rate; /* of the worst mode [1/s]; NaN: no mode, or a step has no solution (see certainty) */
  IfbamCertainty certainty;
} IfbamGrowth;

IfbamGrowth ifbam_stability_growth (const IfbamStability *stability, const IfbamScheme *scheme,
                                    double step);

/* Returns growth per step that is rounding. */
double ifbam_stability_noise (const IfbamStability *stability);

/* Returns ln |z| of the worst mode per step, possibly an estimate; NaN: no mode, or
 * (IFBAM_UNSOLVED) a step has no solution. sign: only the sign is needed. */
double ifbam_stability_worst (const IfbamStability *stability, const IfbamScheme *scheme,
                              double step, gboolean sign, IfbamCertainty *certainty);

/* Returns lambda if the scheme computes exp (lambda t) in place of exp (mode t) [1/s]. */
double complex ifbam_stability_seen (const IfbamStability *stability, const IfbamScheme *scheme,
                                     double step, double complex mode);

/* For dense maps (IFBAM_STABILITY_MAP, or small networks): returns the factors of modes per step,
 * without those of bodies and neutral coordinates (transfer full, *n); NULL: they overflow. */
double complex *ifbam_stability_multipliers (const IfbamStability *stability,
                                             const IfbamScheme *scheme, double step, gsize *n);
/* Returns the lambda of the multiplier that represents a mode; see ifbam_stability_seen(). */
double complex ifbam_stability_nearest (const double complex *multiplier, gsize n, double step,
                                        double complex mode);

/* critical-step.h: the step at which the first mode of a linear damped network begins to grow
 *
 * The factors z per step solve P (z) x = 0, P (z) = a (z) I + b (z) step^2 M^-1/2 K M^-1/2 + c (z)
 * step C with a, b, c of the scheme. Factors of a mode alone, with its own frequency and damping,
 * are starting values; the factor that reaches the limit is followed by inverse iteration. All
 * eigenvalues at a single step then show that no other factor reaches the limit before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "engine/engine.h"

typedef struct
{
  gsize n;
  const double *stiffness, *damping,
      *identity;              /* unit matrix without rigid and neutral motions; (n)(n) each */
  const double complex *mode; /* eigenvalues of the network, without conjugates [1/s] */
  gsize n_modes;
  /* Returns all factors per step (transfer full); NULL: they overflow. */
  double complex *(*multipliers) (gconstpointer data, const IfbamScheme *scheme, double step,
                                  gsize *n);
  gconstpointer data;
  /* All factors at a step that was examined before (NULL: none). If only the followed one grows
   * there, they need not be computed at a shorter step. */
  const double complex *known;
  gsize n_known;
  double known_step;
} IfbamCriticalStep;

/* Returns the step [s] up to which no mode grows by more than `rate` [1/s]; NaN: not found. */
double ifbam_critical_step_find (const IfbamCriticalStep *crossing, const IfbamScheme *scheme,
                                 double rate);

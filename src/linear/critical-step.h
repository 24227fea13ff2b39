/* critical-step.h: the step at which a linear damped network's first mode begins to grow
 *
 * Modes' factors z per step solve P (z) x = 0, P (z) = a (z) I + b (z) step^2 M^-1/2 K M^-1/2 + c (z) step C with a,
 * b, c of the scheme. Those of a mode alone, with its own frequency and damping, are near them; one
 * that crosses is followed by inverse iteration. That nothing else crosses before it, all eigenvalues tell
 * at a single step.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "engine/engine.h"

typedef struct
{
  gsize n;
  const double *stiffness, *damping, *identity; /* the latter without what drifts (n)(n) */
  const double complex *mode; /* of the network itself, without conjugates [1/s] */
  gsize n_modes;
  /* All factors per step (transfer full); NULL: beyond all numbers. */
  double complex *(*multipliers) (gconstpointer data, const IfbamScheme *scheme, double step,
                                  gsize *n);
  gconstpointer data;
  /* All factors at a step at which they were found before (NULL: none), until others are asked for: where only one
   * of them grows, and is the one that crosses earlier, no more have to be found. */
  const double complex *known;
  gsize n_known;
  double known_step;
} IfbamCrossing;

/* The step [s] up to which no mode grows by more than `rate` [1/s]; NaN where it is not found this way. */
double ifbam_crossing_find (const IfbamCrossing *crossing, const IfbamScheme *scheme, double rate);

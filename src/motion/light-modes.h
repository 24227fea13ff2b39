/* light-modes.h: how a network moves some of whose nodes have no inertia
 *
 * What springs alone join there is where their forces balance, and has no motion of its own; what dampers join goes as
 * fast as balances, and has a place of its own: C x' + K x = 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "motion/small-motions.h"

typedef struct
{
  double complex *value; /* of exp (value t) (n) [1/s] */
  gsize n;
  gsize n_bodies, n_neutral; /* each brings two zeros, or one */
  gsize n_nonlinear;         /* links */
} IfbamLightModes;

/* About the start, of at most so many free nodes. FALSE with an error: they are more, or something is not known here. */
gboolean ifbam_light_modes_find (const IfbamModel *model, const IfbamRunSpec *spec, gsize most,
                                 IfbamLightModes *modes, GError **error);

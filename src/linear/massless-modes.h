/* massless-modes.h: how a network moves some of whose nodes have no inertia
 *
 * What springs alone join there is where their forces balance, and has no motion of its own; what dampers join goes as
 * fast as balances, and has a place of its own: C x' + K x = 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "linear/system-matrices.h"

typedef struct
{
  double complex *value; /* of exp (value t), by size (n) [1/s] */
  gsize n;
  gsize n_bodies, n_neutral; /* each brings two zeros, or one, the first of the values */
  double complex *shape;     /* of free nodes, by columns, where they are asked for (n_free)(n) */
  double *body;              /* and of what nothing holds (n_free)(n_bodies) */
} IfbamLightModes;

/* motions: by nodes, at most so many free ones; shapes: whether they are wanted. FALSE with an error: they are more, or something is
 * not known here. */
gboolean ifbam_light_modes_find (const IfbamSmallMotions *motions, gsize most, gboolean shapes,
                                 IfbamLightModes *modes, GError **error);
void ifbam_light_modes_clear (IfbamLightModes *modes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamLightModes, ifbam_light_modes_clear)

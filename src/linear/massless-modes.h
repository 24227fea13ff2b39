/* massless-modes.h: modes of a network with massless coordinates
 *
 * A massless coordinate on which only springs act has no state: their forces balance. One on which dampers act has a state of first
 * order: C x' + K x = 0.
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
  double complex *shape;     /* displacements of coordinates, by columns; NULL: not requested */
  double *body;              /* displacements of rigid bodies (coordinates, n_bodies) */
} IfbamLightModes;

/* motions: at most `most` coordinates, some of them massless. shapes: whether to store them. FALSE with an error: there are more, or
 * the modes are not known here. */
gboolean ifbam_light_modes_find (const IfbamSmallMotions *motions, gsize most, gboolean shapes,
                                 IfbamLightModes *modes, GError **error);
void ifbam_light_modes_clear (IfbamLightModes *modes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamLightModes, ifbam_light_modes_clear)

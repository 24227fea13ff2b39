/* massless-modes.h: modes of a network with massless coordinates
 *
 * A massless coordinate with springs only has no state: their forces balance. One with dampers has
 * a state of first order: C x' + K x = 0.
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
  gsize n_bodies, n_neutral; /* each gives two zeros, or one, in front of the other values */
  double complex *shape;     /* displacements of coordinates, by columns; NULL: not requested */
  double *body;              /* displacements of rigid bodies (coordinates, n_bodies) */
} IfbamMasslessModes;

/* motions: at most `most` coordinates, some of them massless. shapes: compute them, too. FALSE with
 * an error: too many coordinates, or modes that can't be computed. */
gboolean ifbam_massless_modes_find (const IfbamSmallMotions *motions, gsize most, gboolean shapes,
                                    IfbamMasslessModes *modes, GError **error);
void ifbam_massless_modes_clear (IfbamMasslessModes *modes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamMasslessModes, ifbam_massless_modes_clear)

/* mechanism.h: the small motions of a mechanism as matrices, about where it is at rest
 *
 * A network is a mechanism where links join points of the plane. If it comes to rest somewhere, that is the place; else it
 * is held at its start (see small-motions.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "motion/small-motions.h"

typedef struct
{
  IfbamRunSpec spec; /* starts there */
  IfbamSmallMotions *motions;
  gboolean at_rest;
  double bound, damping; /* not below any angular frequency, or any decay rate of dampers [1/s] */

  /* By coordinates in which inertias are 1, by columns; NULL: there are too many (n)(n). */
  gsize n;
  double *stiffness, *damping_matrix;
  double *turning;  /* the part of the stiffness that reactions bring about; NULL: none */
  double *identity; /* without what nothing holds */
  gsize n_bodies;   /* motions that nothing holds, */
  gsize n_neutral;  /* and that only dampers do */
} IfbamMechanism;

/* It joins points, or holds its ends together for ever (a contact of balls does neither). */
gboolean ifbam_link_is_of_mechanism (const IfbamLink *link);
gboolean ifbam_model_is_mechanism (const IfbamModel *model);

/* most: of coordinates; of more there are bounds only. NULL: it has a start whose small motions are not known. */
IfbamMechanism *ifbam_mechanism_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize most);
void ifbam_mechanism_free (IfbamMechanism *mechanism);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMechanism, ifbam_mechanism_free)

/* mechanism.h: the small motions of a mechanism as matrices, about where it is at rest
 *
 * A network is a mechanism where links join points of the plane. If it comes to rest somewhere, that is the place; else it
 * is held at its start (see system-matrices.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/system-matrices.h"

typedef struct
{
  IfbamRunSpec spec; /* starts there */
  IfbamSmallMotions *motions;
  gboolean at_rest;
  double bound, damping; /* not below any angular frequency, or any decay rate of dampers [1/s] */

  /* By coordinates in which inertias are 1, by columns; NULL: there are too many (n)(n). */
  gsize n;
  double *stiffness, *damping_matrix;
  /* The same with the slopes of laws at the start where these are steeper than at rest, as of an orifice that much flows
   * through; NULL: none is (n)(n). */
  double *start_stiffness, *start_damping;
  double *turning;  /* the part of the stiffness that reactions bring about; NULL: none */
  double *identity; /* without what nothing holds */
  gsize n_bodies;   /* motions that nothing holds, */
  gsize n_neutral;  /* and that only dampers do */
} IfbamMechanism;

/* Coordinates of M = 1 that neither stiffness nor dampers hold (n_bodies), and that only dampers do (n_neutral). */
typedef struct
{
  gsize n_bodies, n_neutral;
  double *identity; /* the unit matrix without the former (n)(n) */
} IfbamLoose;

/* Finds them from matrices by columns (n)(n); even: K is symmetric; least_stiffness, least_damping: eigenvalues up to
 * these are rounding [1/s2, 1/s]. FALSE: LAPACK fails. */
gboolean ifbam_loose_find (gsize n, const double *stiffness, const double *damping, gboolean even,
                           double least_stiffness, double least_damping, IfbamLoose *loose);
/* Below these eigenvalues nothing is seen in a run of a duration [s]: of the largest angular frequency and decay rate. */
void ifbam_loose_limits (double bound, double damping, double duration, double *least_stiffness,
                         double *least_damping);

/* It joins points, or holds its ends together for ever (a contact of balls does neither). */
gboolean ifbam_link_is_of_mechanism (const IfbamLink *link);
gboolean ifbam_model_is_mechanism (const IfbamModel *model);

/* most: of coordinates; of more there are bounds only. NULL: it has a start whose small motions are not known. */
IfbamMechanism *ifbam_mechanism_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize most);
void ifbam_mechanism_free (IfbamMechanism *mechanism);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMechanism, ifbam_mechanism_free)

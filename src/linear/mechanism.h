/* mechanism.h: matrices of a mechanism's small motions about its equilibrium
 *
 * A network is a mechanism if links join points of the plane. If no equilibrium is found, the
 * mechanism is held at its start (see system-matrices.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/system-matrices.h"

typedef struct
{
  IfbamRunSpec spec; /* its start is the equilibrium */
  IfbamSmallMotions *motions;
  gboolean at_rest;
  double bound,
      damping; /* upper bounds of angular frequencies, and of decay rates of dampers [1/s] */

  /* Coordinates of unit inertia, matrices by columns (n)(n); NULL: too many coordinates. */
  gsize n;
  double *stiffness, *damping_matrix;
  /* Matrices with the derivatives at the start where these are larger than at the equilibrium, as
   * of an orifice with a large flow; NULL: none are larger (n)(n). */
  double *start_stiffness, *start_damping;
  double *turning;  /* part of the stiffness by reactions; NULL: none */
  double *identity; /* unit matrix without rigid motions */
  gsize n_bodies;   /* motions without stiffness and damping */
  gsize n_neutral;  /* motions with damping only */
} IfbamMechanism;

/* Motions of unit inertia without stiffness: without or with damping (n_bodies, n_neutral). */
typedef struct
{
  gsize n_bodies, n_neutral;
  double *identity; /* unit matrix without the bodies' motions (n)(n) */
} IfbamUnsupported;

/* Finds them from matrices by columns (n)(n). even: K is symmetric. least_stiffness [1/s2],
 * least_damping [1/s]: smaller eigenvalues are rounding. FALSE: LAPACK fails. */
gboolean ifbam_unsupported_find (gsize n, const double *stiffness, const double *damping,
                                 gboolean even, double least_stiffness, double least_damping,
                                 IfbamUnsupported *unsupported);
/* Eigenvalues that are too small to be visible in a run of a duration [s], for given bounds of
 * angular frequency and decay rate [1/s]. */
void ifbam_unsupported_limits (double bound, double damping, double duration,
                               double *least_stiffness, double *least_damping);

/* TRUE if the link joins points, or is a bilateral constraint; a contact of balls is neither. */
gboolean ifbam_link_is_of_mechanism (const IfbamLink *link);
gboolean ifbam_model_is_mechanism (const IfbamModel *model);

/* most: largest number of coordinates for matrices; with more there are only bounds. NULL: the
 * small motions about its start are not known. */
IfbamMechanism *ifbam_mechanism_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize most);
void ifbam_mechanism_free (IfbamMechanism *mechanism);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamMechanism, ifbam_mechanism_free)

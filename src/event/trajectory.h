/* trajectory.h: columns of positions, velocities, accelerations and forces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* Columns of nodes (n_nodes): positions x [m], velocities v [m/s], accelerations a [m/s^2]. */
typedef struct
{
  double *x, *v;   /* at the island's time */
  double *x1, *v1; /* predicted for its `until` */
  /* Accelerations with which a step from x, v (a1: x1, v1) begins, if the scheme carries them from
   * step to step (ifbam_scheme_carried_acceleration ()) or steps are adaptive; NaN: computed. */
  double *a, *a1;
  double *xt, *vt;                 /* of a trial step */
  double *x2, *v2;                 /* of another one */
  double *inverse_mass;            /* [1/kg]; 0: given node */
  double *force, *acceleration;    /* [N]; [m/s^2] */
  double *work[IFBAM_MAX_COLUMNS]; /* columns of a scheme in a step */
  guint32 *scratch;                /* of factorizations: G_MAXUINT32 between uses */
  guint8 *mark;                    /* scratch */
  IfbamPort *port;                 /* port that reads the node's summed force */
  double *link_forces;             /* forces of links and sources [N] (n_slots + n_sources) */
} IfbamTrajectory;

/* Allocates the columns of a model; reads its inverse masses. */
void ifbam_trajectory_init (IfbamTrajectory *self, const IfbamModel *model);
void ifbam_trajectory_clear (IfbamTrajectory *self);

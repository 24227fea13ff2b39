/* step-map.h: derivative of one step of a scheme by the network's state
 *
 * The state consists of the scheme's columns and, with latency, the forces of the last step. An
 * eigenvalue z of the map's derivative is a mode's factor per step. The map is computed by the
 * compiled engine and therefore is that of a run. Deviations are scaled to order one: positions
 * [m], rates [m/step], accelerations [m/step^2], forces by the motion that they cause in a step.
 *
 * Unsupported bodies drift: their multipliers 1, 1 (and -1 with latency) are no growth, but
 * rounding splits a double root. They are projected out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "engine/engine.h"
#include "linear/linearization.h"

/* Groups of free nodes that can move without any force: rigid bodies. */
typedef struct
{
  gsize n;
  guint32 *body;  /* body of a free node; n: none (n_free) */
  double *shape;  /* displacement of a free node per motion of its body (n_free) */
  double *weight; /* sum of inertia * shape^2 (n) */
} IfbamRigidBodies;

/* with_damping: dampers support a body, too; else only stiffnesses. */
IfbamRigidBodies *ifbam_rigid_bodies_new (const IfbamLinearization *linearization,
                                          gboolean with_damping);
void ifbam_rigid_bodies_free (IfbamRigidBodies *bodies);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRigidBodies, ifbam_rigid_bodies_free)

typedef struct _IfbamStepMap IfbamStepMap;

/* Map about the start, for a scheme and step [s]. bodies (not owned) may be NULL. Linear networks
 * are stepped directly; for others finite differences are taken. */
IfbamStepMap *ifbam_step_map_new (const IfbamLinearization *linearization,
                                  const IfbamRigidBodies *bodies, const IfbamScheme *scheme,
                                  double step);
void ifbam_step_map_free (IfbamStepMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStepMap, ifbam_step_map_free)

/* TRUE if a step of the engine had no solution: later results are NaN. */
gboolean ifbam_step_map_has_failed (const IfbamStepMap *map);

/* Returns the length of a deviation. */
gsize ifbam_step_map_size (const IfbamStepMap *map);

/* y = T^steps x (size each). */
void ifbam_step_map_apply (IfbamStepMap *map, guint steps, const double *x, double *y);

/* Returns the energy of a deviation in the tangent network [J] (from columns 0 and 1). */
double ifbam_step_map_energy (const IfbamStepMap *map, const double *x);

/* Returns all nonzero multipliers (transfer full, *n), by a dense matrix; NULL: failed. */
double complex *ifbam_step_map_multipliers (IfbamStepMap *map, gsize *n);

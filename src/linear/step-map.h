/* step-map.h: what one step of a scheme does to small deviations of a network's state
 *
 * The state is what the model's next steps depend on: the scheme's columns and, with latency, the forces
 * under way. A step maps it onto the next one; the map's derivative says how deviations grow: an
 * eigenvalue z of it is a mode's factor per step. The compiled engine is run to find it, so it holds for
 * what runs do. Deviations are in units in which all entries are of the order one: positions [m], rates
 * [m/step], accelerations [m/step^2], forces by what they move in a step.
 *
 * Bodies that nothing holds drift: their multipliers 1, 1 (and -1 with latency) are no growth, but
 * rounding splits a double root. They are projected out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "engine/engine.h"
#include "linear/linearization.h"

/* Groups of free nodes that move together without any force: rigid bodies. */
typedef struct
{
  gsize n;
  guint32 *body;  /* of a free node; n: of none (n_free) */
  double *shape;  /* how a free node moves with its body (n_free) */
  double *weight; /* sum of inertia * shape^2 (n) */
} IfbamRigidBodies;

/* with_damping: dampers hold, too; without: only stiffnesses do. */
IfbamRigidBodies *ifbam_rigid_bodies_new (const IfbamLinearization *linearization,
                                          gboolean with_damping);
void ifbam_rigid_bodies_free (IfbamRigidBodies *bodies);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRigidBodies, ifbam_rigid_bodies_free)

typedef struct _IfbamCycleMap IfbamCycleMap;

/* About the start of the model's network, under a scheme at a step. bodies (not owned) may be NULL.
 * Linear networks are run as they are, from any state; of others differences are taken. */
IfbamCycleMap *ifbam_cycle_map_new (const IfbamLinearization *linearization,
                                    const IfbamRigidBodies *bodies, const IfbamScheme *scheme,
                                    double step);
void ifbam_cycle_map_free (IfbamCycleMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCycleMap, ifbam_cycle_map_free)

/* Whether a step of the engine had no solution: results since then are NaN. */
gboolean ifbam_cycle_map_has_failed (const IfbamCycleMap *map);

/* Numbers of a deviation. */
gsize ifbam_cycle_map_size (const IfbamCycleMap *map);

/* y = T^steps x (size each). */
void ifbam_cycle_map_apply (IfbamCycleMap *map, guint steps, const double *x, double *y);

/* The energy of a deviation's positions and rates in the tangent network [J] (of columns 0 and 1). */
double ifbam_cycle_map_energy (const IfbamCycleMap *map, const double *x);

/* All multipliers but zeros (transfer full, *n); NULL where they can't be found. A dense matrix. */
double complex *ifbam_cycle_map_multipliers (IfbamCycleMap *map, gsize *n);

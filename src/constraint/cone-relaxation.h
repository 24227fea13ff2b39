/* cone-relaxation.h: pieces of contacts and frictions, guessed by convex problems
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

typedef struct _IfbamConeRelaxation IfbamConeRelaxation;

typedef enum
{
  IFBAM_CONES_WITH_SLIP, /* frictions with given slip change their carriers' force: unsymmetric */
  IFBAM_CONES_WITHOUT_SLIP, /* frictions with given slip have no force */
  IFBAM_CONES_FRICTIONLESS, /* no friction has a force */
} IfbamCones;

/* Returns the convex problem with right sides ifbam_contact_guess_rhs (); the caller owns it. */
IfbamConeRelaxation *ifbam_cone_relaxation_new (IfbamContactWorkspace *work, IfbamCones cones);
void ifbam_cone_relaxation_free (IfbamConeRelaxation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamConeRelaxation, ifbam_cone_relaxation_free)

/* Solves the problem and sets the pieces of states that are not given. Updates the right sides for
 * the next problem; returns their change, relative to the largest slip. */
double ifbam_cone_relaxation_guess (IfbamConeRelaxation *self);

/* Sets the states' `guess` to the last reactions: a ray if a frictionless problem is infeasible. */
void ifbam_cone_relaxation_get_ray (const IfbamConeRelaxation *self);

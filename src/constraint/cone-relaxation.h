/* cone-relaxation.h: pieces of contacts and frictions, guessed by convex problems
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

typedef struct _IfbamConeRelaxation IfbamConeRelaxation;

typedef enum
{
  IFBAM_CONES_WITH_SLIP, /* frictions whose slip is given turn the force of their carriers: not symmetric */
  IFBAM_CONES_WITHOUT_SLIP, /* these act on nothing */
  IFBAM_CONES_FRICTIONLESS, /* no friction acts */
} IfbamCones;

/* The convex problem for the q of ifbam_contact_guess_rhs (). */
IfbamConeRelaxation *ifbam_cone_relaxation_new (IfbamContactWorkspace *work, IfbamCones cones);
void ifbam_cone_relaxation_free (IfbamConeRelaxation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamConeRelaxation, ifbam_cone_relaxation_free)

/* Solves it, sets the pieces of the states that are not given, and the right side of the next problem. Returns by how large a
 * part of the largest slip that one differs. */
double ifbam_cone_relaxation_guess (IfbamConeRelaxation *self);

/* Sets the states' `guess` to the reactions of the last problem: if a frictionless one has no answer, they grow along a ray. */
void ifbam_cone_relaxation_get_ray (const IfbamConeRelaxation *self);

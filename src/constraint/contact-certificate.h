/* contact-certificate.h: check of a solution, or proof that there is none
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

/* Recomputes u from lambda; returns the largest violation of a law, in tolerances of its row. */
double ifbam_contact_find_violation (IfbamContactWorkspace *self);

/* Returns whether the states' `guess` contains a proof that level first_level is infeasible (Farkas
 * 1902). self->ray (n) is y then: J^T y = 0 at free nodes, y >= 0 of unilateral rows, q y > 0. */
gboolean ifbam_contact_find_ray (IfbamContactWorkspace *self);

/* Searches a proof in the reactions of a frictionless convex problem. TRUE: self->ray is set. */
gboolean ifbam_contact_prove_infeasible (IfbamContactWorkspace *self);

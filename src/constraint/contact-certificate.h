/* contact-certificate.h: checks an answer, or proves that there is none
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

/* Recomputes u from lambda alone, and returns the largest violation of any law, in tolerances of its row. */
double ifbam_contact_find_violation (IfbamContactWorkspace *self);

/* Whether the states' `guess` has, but for rounding, a ray that proves the rows infeasible at the level first_level: self->ray
 * (n) has J^T y = 0 at free nodes, y >= 0 of unilateral rows and q y > 0 then (Farkas 1902). */
gboolean ifbam_contact_find_ray (IfbamContactWorkspace *self);

/* The same for the ray that a frictionless convex problem finds. */
gboolean ifbam_contact_prove_infeasible (IfbamContactWorkspace *self);

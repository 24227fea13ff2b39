/* friction-newton.h: semismooth Newton method for contact and friction
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

/* Changes the states' pieces until all laws hold on the levels first_level to last_level. FALSE:
 * the pieces cycle, or a limit is reached. */
gboolean ifbam_friction_newton (IfbamContactWorkspace *self);

/* As ifbam_friction_newton (), but only the first row that violates its law changes at a time. */
gboolean ifbam_friction_change_singly (IfbamContactWorkspace *self);

/* Tests all choices of pieces, if these are few. *exhausted: each of them violates a law. */
gboolean ifbam_friction_enumerate (IfbamContactWorkspace *self, gboolean *exhausted);

/* Initialises the cosines of carriers, before any reaction is known. */
void ifbam_friction_start_cosines (IfbamContactWorkspace *self);

/* Returns whether a friction's bound can differ from 0, by its carriers and limits. */
gboolean ifbam_friction_is_loaded (const IfbamContactWorkspace *self, guint i);

/* Returns a friction's bound on a level, with carrier reaction N = load; and the bound at rest. */
double ifbam_friction_bound (const IfbamContactWorkspace *self, guint i, guint level, double load);
double ifbam_friction_rest_bound (const IfbamContactWorkspace *self, guint i, guint level,
                                  double load);

/* friction-newton.h: semismooth Newton method for contact and friction
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

/* Changes the pieces of the states until every law holds on the levels from first_level to last_level. FALSE: pieces come
 * back, or limits are reached. */
gboolean ifbam_friction_newton (IfbamContactWorkspace *self);

/* The same, but only the first row that breaks its law changes at a time. */
gboolean ifbam_friction_change_singly (IfbamContactWorkspace *self);

/* The same from all choices of pieces in turn, if these are few. *exhausted: each of them breaks a law. */
gboolean ifbam_friction_enumerate (IfbamContactWorkspace *self, gboolean *exhausted);

/* Sets the cosines of carriers as they are before any reaction is known. */
void ifbam_friction_start_cosines (IfbamContactWorkspace *self);

/* Whether carriers and limits leave a friction a bound other than 0. */
gboolean ifbam_friction_is_loaded (const IfbamContactWorkspace *self, guint i);

/* The bound of a friction on a level, with N of its carriers; and what counts at rest. */
double ifbam_friction_bound (const IfbamContactWorkspace *self, guint i, guint level, double load);
double ifbam_friction_rest_bound (const IfbamContactWorkspace *self, guint i, guint level,
                                  double load);

/* balance-steps.h: steps of Newton's method towards the equilibrium of a network
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/balance-forces.h"

/* Most iterations of Newton's method. */
#define IFBAM_MAX_BALANCE_ITERATIONS 300

/* Iterates Newton's method with the present springs of constraints; iterations: (inout) their
 * number. FALSE with an error: no convergence, or an unsupported part is lost. */
gboolean ifbam_balance_settle (IfbamBalance *balance, guint *iterations, GError **error);

/* Sets the error that names the node with the largest residual; returns FALSE. */
gboolean ifbam_balance_report_failure (const IfbamBalance *balance, GError **error);

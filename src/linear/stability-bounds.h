/* stability-bounds.h: upper bounds of frequencies and decay rates, without eigenvalues
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linearization.h"

/* Computes the largest row sums of M^-1 K and M^-1 C of stored links, which bound the squares of
 * angular frequencies and the decay rates of dampers alone (Gershgorin 1931) [1/s]. */
void ifbam_stability_bounds_of_batches (const IfbamLinearization *linearization, double *bound,
                                        double *damping);

/* Computes upper bounds of angular frequencies and decay rates [1/s] at a state of all nodes. Links
 * count in their present mode, and in modes with a linear law, one at a time. FALSE: the state is
 * not finite. */
gboolean ifbam_stability_bounds_at (const IfbamModel *model, const double *position,
                                    const double *rate, double *bound, double *damping);

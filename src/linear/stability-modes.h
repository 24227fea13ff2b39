/* stability-modes.h: eigenvalues of small networks, for the growth of their modes under schemes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/stability-network.h"

/* Computes the extreme undamped modes of the stiffness matrix, and all modes within the limits of
 * work. */
void ifbam_stability_find_modes (IfbamStability *stability);

/* Solves the quadratic eigenproblem as a linear one of twice the size (Tisseur & Meerbergen 2001,
 * SIAM Review 43), in units of the fastest mode. stiffness: (n)(n). */
void ifbam_stability_find_damped_modes (IfbamStability *stability, const double *stiffness);

/* Takes bounds and matrices from the mechanism; computes its modes if it is small. */
void ifbam_stability_take_mechanism (IfbamStability *stability);

/* Finds the modes of a network with junctions. FALSE with an error: it has no linear motion. */
gboolean ifbam_stability_find_massless_modes (IfbamStability *stability, GError **error);

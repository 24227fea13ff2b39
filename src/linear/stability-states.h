/* stability-states.h: matrices of a network with some links in other modes than at the start
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/stability-network.h"

/* Makes the matrices of states of small networks, within the limits of work. */
void ifbam_stability_find_states (IfbamStability *stability);

/* Finds the modes of a state (IfbamActiveMode), unless they are known. FALSE: failed. */
gboolean ifbam_stability_find_state (IfbamStability *state);

/* Returns the network at the start with bilateral constraints along the rows of links, as closed
 * diodes have constant voltage (transfer full). closed: IfbamModeChange; only `link` and `row` are
 * used. NULL: the matrices are too large. */
IfbamStability *ifbam_stability_new_closed (const IfbamStability *stability, const GArray *closed);

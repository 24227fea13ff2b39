/* equilibrium.h: equilibrium or steady state of a network under the forces at time 0
 *
 * Sources and given nodes have their values at time 0; rates are 0 or, in a steady state, constant.
 * At rest hard contacts exert any positive reaction; rigid and one-way links keep their compression
 * at the start unless forces overcome them. Dry friction is ignored: with friction the equilibrium
 * would not be unique.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/steady-state.h"

/* Searches from the start for rest; for a steady state if stiffness does not support the network, a
 * given node moves at time 0, or a circuit or hydraulics start with voltages or flows. NULL with
 * IFBAM_ERROR_NETWORK: none is found; the message begins with the reason. */
IfbamEquilibrium *ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                         GError **error);
/* Searches for rest only, with at most `most` iterations. unsupported: (out; NULL allowed) TRUE if
 * stiffness and given nodes do not support all nodes; else unchanged or FALSE. */
IfbamEquilibrium *ifbam_equilibrium_new_within (const IfbamModel *model, const IfbamRunSpec *spec,
                                                guint most, gboolean *unsupported, GError **error);

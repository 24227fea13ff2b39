/* steady-state.h: steady state of a network: constant rates and constant forces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Of rest, or of a steady state */
typedef struct
{
  double *position; /* (n_nodes) */
  double *rate;     /* of a steady state (n_nodes); NULL: all nodes are at rest */
  double *force;    /* forces of links by slot (n_slots) */
  double *reaction; /* force of law and reaction of unbatched links (n_links) */
  guint iterations;
  guint n_friction; /* number of frictions that were ignored */
} IfbamEquilibrium;

void ifbam_equilibrium_free (IfbamEquilibrium *equilibrium);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamEquilibrium, ifbam_equilibrium_free)

/* Returns whether a steady state is possible: no link's Jacobian row depends on the positions, and
 * given nodes move at constant rates. In circuits the voltages of time 0 count as constant. */
gboolean ifbam_steady_state_is_possible (const IfbamModel *model, const IfbamRunSpec *spec);

/* Searches from the start for constant rates of all nodes at which all forces are constant. Sources
 * keep their forces of time 0, given nodes their rates. NULL with IFBAM_ERROR_NETWORK: none is
 * found; the message names the node with the largest relative change of its rate. */
IfbamEquilibrium *ifbam_steady_state_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                          GError **error);

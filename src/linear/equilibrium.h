/* equilibrium.h: equilibrium of a network under the forces at time 0
 *
 * Sources and given nodes have their values at time 0; rates are 0. Hard contacts exert any
 * positive reaction; rigid and one-way links keep their compression at the start unless forces
 * overcome them. Dry friction is ignored: with friction the equilibrium would not be unique.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct
{
  double *position; /* (n_nodes) */
  double *force;    /* forces of links by slot (n_slots) */
  double *reaction; /* force of law and reaction of unbatched links (n_links) */
  guint iterations;
  guint n_friction; /* number of frictions that were ignored */
} IfbamEquilibrium;

/* Searches from the start. NULL with IFBAM_ERROR_NETWORK if a part of the network is not supported,
 * a given node moves at time 0, or none is found; the message begins with the reason. */
IfbamEquilibrium *ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                         GError **error);
/* As ifbam_equilibrium_new (), with at most `most` iterations. */
IfbamEquilibrium *ifbam_equilibrium_new_within (const IfbamModel *model, const IfbamRunSpec *spec,
                                                guint most, GError **error);
void ifbam_equilibrium_free (IfbamEquilibrium *equilibrium);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamEquilibrium, ifbam_equilibrium_free)

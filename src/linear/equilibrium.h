/* equilibrium.h: where a network is at rest under what acts at time 0
 *
 * Sources act with what they say at time 0, given nodes stand where they are then, nothing moves. Hard
 * contacts push as they must; rigid and one-way links keep the compression of the start as far as they
 * have to. Dry friction is left out: it could hold a network in many places, of which this is one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct
{
  double *position; /* (n_nodes) */
  double *force;    /* of links by slot (n_slots) */
  double *reaction; /* law's force and reaction of links (n_links) */
  guint iterations;
  guint n_friction; /* links that were left out */
} IfbamEquilibrium;

/* From the start on. NULL with IFBAM_ERROR_NETWORK where nothing holds a part of the network against what
 * acts on it, where a given node moves at time 0, or where none was found; the message begins with what
 * is wrong. */
IfbamEquilibrium *ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                         GError **error);
/* Does the same in at most so many iterations. */
IfbamEquilibrium *ifbam_equilibrium_new_within (const IfbamModel *model, const IfbamRunSpec *spec,
                                                guint most, GError **error);
void ifbam_equilibrium_free (IfbamEquilibrium *equilibrium);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamEquilibrium, ifbam_equilibrium_free)

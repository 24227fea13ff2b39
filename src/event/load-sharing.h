/* load-sharing.h: redundant rows share loads; frictions of several carriers
 *
 * J: Jacobian rows, P: force directions, M: inertias, lambda: reactions (J M^-1 P^T lambda = b)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Factors the rows measured last and replaces the right-hand side in island->lambda by reactions.
 * Redundant rows with friction of two carriers share loads by least norm; this sets
 * `shares_load`. */
void ifbam_event_solve_rows (IfbamEventEngine *self, IfbamIsland *island);

/* Whether the row of this index is redundant, and the loads of the island were shared. */
gboolean ifbam_island_row_is_redundant (const IfbamIsland *island, guint row);

/* Stores the direction of the reactions of a friction's carriers; TRUE: it has changed. */
gboolean ifbam_event_turn_carrier_direction (IfbamEventEngine *self, guint32 carried,
                                             const double *reaction);
/* Updates the directions of all frictions from lambda. TRUE: one changed; rows are refactored. */
gboolean ifbam_event_turn_carrier_directions (IfbamEventEngine *self, IfbamIsland *island);

/* Returns the sliding friction with several carriers that begin with this link, or IFBAM_NONE. */
guint32 ifbam_event_friction_of_carriers (const IfbamEventEngine *self, guint32 index);

/* Returns the normal reaction of a friction [N]: its carrier's, or the norm of several (n). */
double ifbam_carrier_size (const double *reaction, guint n);

/* Returns the sticking limit of a friction [N] for reactions of its carriers (n_carriers) [N]. */
double ifbam_link_friction_limit (const IfbamEventEngine *self, guint32 carried,
                                  const double *reaction);

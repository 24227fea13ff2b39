/* step-work.h: external work and losses in the steps of islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* keep: books work from now on, if `full` by batched link, too; restart: sets external, lost and
 * brought to 0. */
void ifbam_account_init (IfbamEventEngine *self);
void ifbam_account_clear (IfbamEnergyAccount *self);
void ifbam_account_restart (IfbamEventEngine *engine);
/* Returns the totals of the run [J]. */
double ifbam_account_dissipated (const IfbamEventEngine *self);

/* Books the pending work of an island, or of all (IFBAM_NONE). */
void ifbam_event_book (IfbamEventEngine *self, guint32 island);

/* Books an island's pending work minus its part in `booked`. keeps: the step is still under way. */
void ifbam_event_book_remaining (IfbamEventEngine *self, guint32 island, const IfbamBooked *booked,
                                 gboolean keeps);

/* Flip-flop schemes: books the work since the last sample by trapezoids, except for islands that
 * used the restart scheme. begin: only stores the present powers. */
void ifbam_event_cycle_work (IfbamEventEngine *self, gboolean begin);

/* Adds the powers of the last forces, times weight [s], to the pending work; first: clears it. */
void ifbam_event_add_powers (IfbamEventEngine *self, guint32 island, const double *position,
                             const double *rate, double weight, gboolean first);

/* Return the energy [J] stored by a link, or by an island's links, at the present positions. */
double ifbam_event_link_stored (const IfbamEventEngine *self, guint32 link);
double ifbam_event_island_stored (const IfbamEventEngine *self, guint32 island);

/* Links between given nodes: stores their energy and power; books a step (Simpson's rule). */
void ifbam_event_start_between_given (IfbamEventEngine *self);
void ifbam_event_book_between_given (IfbamEventEngine *self);

/* step-work.h: external work and losses in the steps of islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* A batched link between two given nodes, which is in no component: values at the last sample. */
typedef struct
{
  gsize slot;          /* index of its force */
  double energy, loss; /* stored energy [J], dissipated power [W] */
} IfbamBetweenGiven;

/* Work and losses of the energy balance [J]. */
typedef struct
{
  gboolean is_kept;                 /* FALSE: nothing is booked */
  gboolean has_active;              /* some link can supply energy; FALSE: `brought` is 0 */
  IfbamTally *dissipated;           /* by batched links (n_slots); NULL: no full balance */
  double *pending_loss, *last_loss; /* as in IfbamLinkState (n_slots) */
  double *loss;                     /* scratch: dissipated powers [W] (n_slots + n_sources) */
  double *last_supply;              /* external power at the last sample [W] (n_components) */
  GArray *between_given;            /* IfbamBetweenGiven */
  IfbamExternalWork external;
  IfbamTally lost;    /* energy lost outside of links: restitutions of external impulses, jumps */
  IfbamTally brought; /* energy supplied by links with negative losses */
} IfbamEnergyAccount;

/* keep: books work from now on, if `full` by batched link, too; restart: sets external, lost and
 * brought to 0. */
void ifbam_account_init (IfbamEventEngine *self);
void ifbam_account_clear (IfbamEnergyAccount *self);
void ifbam_account_keep (IfbamEventEngine *self, gboolean full);
void ifbam_account_restart (IfbamEnergyAccount *self);
/* Returns the totals of the run [J]. */
IfbamWorkTotals ifbam_account_get_totals (const IfbamEventEngine *self);

/* Books the pending work of an island, or of all (IFBAM_NONE). */
void ifbam_event_book (IfbamEventEngine *self, guint32 island);

/* Work that is booked already of a step under way [J]. */
typedef struct
{
  double *loss, *single, *fed[2]; /* by slot, unbatched link, component (supplied, turnover) */
} IfbamBooked;

/* Books an island's pending work minus its part in `booked`. keeps: the step is still under way. */
void ifbam_event_book_rest (IfbamEventEngine *self, guint32 island, const IfbamBooked *booked,
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

/* energy-balance.h: a network's energies at a moment, and the work done over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/state-view.h"

/* Work is integrated as the scheme integrates: with its stages' weights where it has them, else by
 * trapezoids over rows. Sums over elements are exact. */
typedef struct
{
  IfbamEngine *engine;
  IfbamAccountLevel level;
  double *position, *rate; /* of the row (n_nodes) */
  IfbamTally dissipated, brought;
  IfbamExternalWork fed;
  double last_dissipation, last_supply; /* powers of the last row [W] */
  double *scratch;                      /* what links lose now, by slot (n_slots) */
  IfbamTally *link_dissipated;          /* of each link (n_slots); NULL: not wanted */
  double *last_link_dissipation;        /* their powers in the last row */
} IfbamLedger;

/* by_link: links are accounted for one by one, too, where the engine does not do that. */
IfbamLedger *ifbam_ledger_new (IfbamEngine *engine, IfbamAccountLevel level, gboolean by_link);
void ifbam_ledger_free (IfbamLedger *ledger);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLedger, ifbam_ledger_free)

/* The engine's row; observed: all nodes are fetched at once. */
IfbamView ifbam_ledger_view (IfbamLedger *ledger, gboolean observed);
/* Returns the work so far; where the balance lacks some, at most what was supplied, and at least what
 * was dissipated. */
IfbamWorkTotals ifbam_ledger_totals (IfbamLedger *ledger);
/* Returns the energy of motions and links at the engine's sample [J], for the divergence check. */
double ifbam_ledger_check_energy (IfbamLedger *ledger);
/* Energies at an observed view, and the work so far. */
IfbamSums ifbam_ledger_sums (IfbamLedger *ledger, const IfbamView *view);
/* To be called at the first row and at each row after it, if there is something to integrate. */
gboolean ifbam_ledger_integrates (const IfbamLedger *ledger);
void ifbam_ledger_begin (IfbamLedger *ledger);
void ifbam_ledger_step (IfbamLedger *ledger, const IfbamView *view);
/* Lists what it has summed up (IfbamStateColumn). */
void ifbam_ledger_list_state (IfbamLedger *ledger, GArray *columns);
/* After these have got other values, at the engine's row. */
void ifbam_ledger_stand (IfbamLedger *ledger);
/* Whether that takes all nodes; else those that ifbam_ledger_add_nodes adds. */
gboolean ifbam_ledger_needs_all (const IfbamLedger *ledger);
void ifbam_ledger_add_nodes (const IfbamLedger *ledger, GArray *nodes);

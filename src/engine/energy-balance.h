/* energy-balance.h: energies of a network at a sample, and work over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/state-view.h"

/* Work is integrated with the scheme's stage weights if it has any, else by trapezoids over
 * samples. Sums over elements are exact. */
typedef struct
{
  IfbamEngine *engine;
  IfbamAccountLevel level;
  double *position, *rate; /* at the sample (n_nodes) */
  IfbamTally dissipated, brought;
  IfbamExternalWork fed;
  double last_dissipation, last_supply; /* powers at the last sample [W] */
  double *scratch;                      /* present losses of links, by slot (n_slots) [W] */
  IfbamTally *link_dissipated;          /* per link (n_slots) [J]; NULL: not computed */
  double *last_link_dissipation;        /* power of link losses at the last sample (n_slots) [W] */
} IfbamLedger;

/* by_link: also computes losses per link, unless the engine does. */
IfbamLedger *ifbam_ledger_new (IfbamEngine *engine, IfbamAccountLevel level, gboolean by_link);
void ifbam_ledger_free (IfbamLedger *ledger);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLedger, ifbam_ledger_free)

/* Returns the engine's sample; observed: with the columns of all nodes. */
IfbamView ifbam_ledger_view (IfbamLedger *ledger, gboolean observed);
/* Returns the work so far. If the balance lacks some: lower bound of the dissipated work, and upper
 * bound of the supplied work. */
IfbamWorkTotals ifbam_ledger_totals (IfbamLedger *ledger);
/* Returns the energy of motions and links at the engine's sample [J], for the divergence check. */
double ifbam_ledger_check_energy (IfbamLedger *ledger);
/* Returns the energies at an observed view, and the work so far. */
IfbamSums ifbam_ledger_sums (IfbamLedger *ledger, const IfbamView *view);
/* If work has to be integrated: begin at the first sample, step at each later one. */
gboolean ifbam_ledger_integrates (const IfbamLedger *ledger);
void ifbam_ledger_begin (IfbamLedger *ledger);
void ifbam_ledger_step (IfbamLedger *ledger, const IfbamView *view);
/* Lists the sums, for saved states (IfbamStateColumn). */
void ifbam_ledger_list_state (IfbamLedger *ledger, GArray *columns);
/* Computes derived data after the sums were restored, at the engine's sample. */
void ifbam_ledger_stand (IfbamLedger *ledger);
/* Returns TRUE if a step needs all nodes; else those that ifbam_ledger_add_nodes adds. */
gboolean ifbam_ledger_needs_all (const IfbamLedger *ledger);
void ifbam_ledger_add_nodes (const IfbamLedger *ledger, GArray *nodes);

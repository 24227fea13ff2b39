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
  IfbamCompensatedSum dissipated, link_supply;
  IfbamExternalWork external_work;
  double last_dissipation, last_supply; /* powers at the last sample [W] */
  double *scratch;                      /* present losses of links, by slot (n_slots) [W] */
  IfbamCompensatedSum *link_dissipated; /* per link (n_slots) [J]; NULL: not computed */
  double *last_link_dissipation;        /* power of link losses at the last sample (n_slots) [W] */
} IfbamEnergyBalance;

/* by_link: also computes losses per link, unless the engine does. */
IfbamEnergyBalance *ifbam_energy_balance_new (IfbamEngine *engine, IfbamAccountLevel level,
                                              gboolean by_link);
void ifbam_energy_balance_free (IfbamEnergyBalance *balance);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamEnergyBalance, ifbam_energy_balance_free)

/* Returns the engine's sample; observed: with the columns of all nodes. */
IfbamView ifbam_energy_balance_view (IfbamEnergyBalance *balance, gboolean observed);
/* Returns the work so far. If the balance lacks some: lower bound of the dissipated work, and upper
 * bound of the supplied work. */
IfbamWorkTotals ifbam_energy_balance_totals (IfbamEnergyBalance *balance);
/* Returns the energy of motions and links at the engine's sample [J], for the divergence check. */
double ifbam_energy_balance_check_energy (IfbamEnergyBalance *balance);
/* Returns the energies at an observed view, and the work so far. */
IfbamSums ifbam_energy_balance_sums (IfbamEnergyBalance *balance, const IfbamView *view);
/* If work has to be integrated: begin at the first sample, step at each later one. */
gboolean ifbam_energy_balance_integrates (const IfbamEnergyBalance *balance);
void ifbam_energy_balance_begin (IfbamEnergyBalance *balance);
void ifbam_energy_balance_step (IfbamEnergyBalance *balance, const IfbamView *view);
/* Lists the sums, for saved states (IfbamStateColumn). */
void ifbam_energy_balance_list_state (IfbamEnergyBalance *balance, GArray *columns);
/* Computes derived data after the sums were restored, at the engine's sample. */
void ifbam_energy_balance_rebuild (IfbamEnergyBalance *balance);
/* Returns TRUE if a step needs all nodes; else those that ifbam_energy_balance_add_nodes adds. */
gboolean ifbam_energy_balance_needs_all (const IfbamEnergyBalance *balance);
void ifbam_energy_balance_add_nodes (const IfbamEnergyBalance *balance, GArray *nodes);

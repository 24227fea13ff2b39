/* scheme-energy.h: energy that a scheme itself brings into a network, per element and step
 *
 * In a step let E be the kinetic and potential energy, D the dissipated energy, S the external
 * work. The scheme leaves a rest E' - E + D - S of the energy balance, a sum over the elements
 * (src/run/README.md, energy of a scheme):
 *
 *   link         W + V' - V + D     W: work of the force that the scheme applied, along x' - x
 *   source       W - S              of a field, such as gravity: W + V' - V
 *   given node   -W - S             W: work of the links on the node
 *   mass         M (v' - v) (v + v' - 2 (x' - x) / step) / 2
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/energy-balance.h"

/* Energy of an element, or of all. */
typedef struct
{
  const char *name;   /* of the element (not owned) */
  double step, total; /* in the last step, since the start [J] */
  gsize slot;         /* of the element's first link; G_MAXSIZE: it has no link */
} IfbamSchemeEnergyTerm;

typedef struct
{
  guint n;                     /* elements other than fixed nodes */
  IfbamSchemeEnergyTerm *term; /* in file order (n), then fixed nodes, always 0 */
  /* of the terms; rest of the energy balance of the run in steps with an event, where a one-step
   * scheme replaces the run's and all terms are 0; this rest in all steps */
  IfbamSchemeEnergyTerm sum, events, measured;
  double time;                      /* of the sample [s] */
  double *position[2], *rate[2];    /* of all nodes before and after the last step (n_nodes) */
  double *force;                    /* applied in it, of links and sources (n_slots + n_sources) */
  double *closing, *opening;        /* parts of terms: at the end of a step, in the next (n + 1) */
  double balance, balance_at_start; /* rests plus energy at the start [J] */
  guint32 *of_node, *of_slot;       /* terms (n_nodes), (n_slots + n_sources) */
  IfbamEngine *engine;              /* owned */
  IfbamEnergyBalance *ledger;
} IfbamSchemeEnergy;

/* Returns FALSE if a scheme or network has no account, for the reason of this text. */
#define IFBAM_SCHEME_ENERGY_FAULT                                                                  \
  "the energy that a scheme brings is computed for fixed steps of original, averaged, euler, "     \
  "symplectic-euler and verlet, without contacts, switches, constraints and mechanisms; with "     \
  "scheduled events for original and averaged"
gboolean ifbam_scheme_energy_applies (const IfbamModel *model, const IfbamRunSpec *spec);

/* Starts an engine and returns its account, which owns it: the compiled engine, or with scheduled
 * events the event engine. */
IfbamSchemeEnergy *ifbam_scheme_energy_new (IfbamEngine *engine);
void ifbam_scheme_energy_free (IfbamSchemeEnergy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSchemeEnergy, ifbam_scheme_energy_free)

/* Advances by one step. Returns FALSE if an energy is not finite: then no step may follow. */
gboolean ifbam_scheme_energy_step (IfbamSchemeEnergy *self);

/* Computes a link's point of the loop in the plane of compression and force in the last step:
 * compressions before and after [m], force applied, force of the law after the step [N] (4). */
void ifbam_scheme_energy_loop (const IfbamSchemeEnergy *self, gsize slot, double *point);

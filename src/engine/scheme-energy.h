/* scheme-energy.h: energy that a scheme itself brings into a network, per element and step
 *
 * In a step let E be the kinetic and potential energy, D the dissipated energy, S the external
 * work. The scheme leaves a rest E' - E + D - S of the energy balance. It is a sum over the elements
 * (README.md, energy of a scheme):
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

/* A network at a sample. */
typedef struct
{
  double *position, *rate; /* of all nodes (n_nodes) [m, m/s] */
  double *stored;          /* of links and fields, per term (n + 1) [J] */
  double *power;           /* dissipated minus supplied, per term (n + 1) [W] */
  double *power_before;    /* the same just before the sample (n + 1) [W] */
} IfbamSchemeEnergySample;

typedef struct
{
  guint n;                     /* elements that can have energy from the scheme */
  IfbamSchemeEnergyTerm *term; /* in file order (n), then one of fixed elements, always 0 */
  IfbamSchemeEnergyTerm sum;   /* of the terms */
  /* rest of the energy balance in steps with an event: a one-step scheme replaces the run's, and
   * all terms are 0 */
  IfbamSchemeEnergyTerm events;
  IfbamSchemeEnergyTerm measured; /* the rest of the energy balance of a run */
  double time;                    /* of the sample [s] */
  IfbamSchemeEnergySample before, now;
  double *force; /* applied in the last step, of links and sources (n_slots + n_sources) [N] */

  IfbamEngine *engine; /* owned */
  IfbamEnergyBalance *balance;
  guint32 *of_slot, *of_node;   /* terms (n_slots + n_sources), (n_nodes) */
  double balance_now, at_start; /* rests plus energy at the start [J] */
} IfbamSchemeEnergy;

/* Returns the reason why there is no account of a network under a scheme (transfer full); NULL:
 * there is one. */
char *ifbam_scheme_energy_fault (const IfbamModel *model, const IfbamRunSpec *spec);

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

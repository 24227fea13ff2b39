/* event-coupled.h: impacts with friction that changes the approach rate
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Applies simultaneous impacts of n links, with the frictions that they carry and the bilateral
 * constraints that transmit impulses; bilateral links get a rate of 0. slow: no count as bounces.
 * FALSE, and nothing is changed: no friction changes an approach rate. Failure:
 * self->base.log->failure. */
gboolean ifbam_event_solve_coupled_impact (IfbamEventEngine *self, double time,
                                           const guint32 *links, guint n, double restitution,
                                           gboolean slow);

/* Returns whether a contact's reaction, with the friction that slips on it, can keep its ends apart
 * at x, v. If it would pull them together there is no reaction (Painleve 1895). */
gboolean ifbam_event_has_reaction (IfbamEventEngine *self, guint32 link, const double *x,
                                   const double *v);

/* Applies an impact without collision (Lecornu 1905) to a slipping contact without a reaction:
 * friction presses its ends together until the slip stops. FALSE: no such impulse is found. */
gboolean ifbam_event_impact_without_collision (IfbamEventEngine *self, double time, guint32 link);

/* Inverse masses [1/kg]: rates along normal (n) and slip (t) by impulses of 1 along these. */
typedef struct
{
  double nn, nt, tt;
} IfbamImpactInverseMass;

/* Computes the normal impulse p and the friction impulse q [N s] of an impact from the approach and
 * slip rates [m/s]. normal_loss: work of the compression that is not restored [J]. */
void ifbam_event_impact_by_phases (const IfbamImpactInverseMass *inverse_mass, double friction,
                                   double restitution, double approach, double slip, double *p,
                                   double *q, double *normal_loss);

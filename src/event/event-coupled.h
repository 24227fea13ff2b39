/* event-coupled.h: hits along which friction works, and changes how hard they are
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Hits of n links at once with a restitution, with what friction they carry, and with all that passes impulses on;
 * bilateral ones among them end their rates. slow: they do not count as bounces. FALSE: what brakes along them makes
 * none of them approach or part; nothing is given. Where none are found the run fails. */
gboolean ifbam_event_hit_coupled (IfbamEventEngine *self, double time, const guint32 *links,
                                  guint n, double restitution, gboolean slow);

/* Whether a contact's reaction, with the friction that slips along it, keeps its ends apart at x, v at all: where it would pull
 * them together (Painleve 1895) there is none. */
gboolean ifbam_event_can_hold (IfbamEventEngine *self, guint32 link, const double *x,
                               const double *v);

/* A contact that slips, and cannot hold, is hit with a rate of 0: what brakes it presses its ends together, until it
 * sticks (impact without collision: Lecornu 1905). FALSE: that does not stop it. */
gboolean ifbam_event_jam (IfbamEventEngine *self, double time, guint32 link);

/* What a hit does along the normal (n) and along the slip (t), by impulses of 1 along either. */
typedef struct
{
  double nn, nt, tt;
} IfbamHitMobility;

/* The impulses p of a hit that approaches at a rate and slips at another, and q of its friction; what of the work that
 * the approach took does not come back. */
void ifbam_event_hit_by_phases (const IfbamHitMobility *mobility, double friction,
                                double restitution, double approach, double slip, double *p,
                                double *q, double *kept);

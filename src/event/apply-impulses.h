/* apply-impulses.h: contact impulses, and the friction impulses that they cause
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Applies impulses p [N s] to n links. before, after (n): receive the rates [m/s]. lost (n):
 * dissipated energies [J], which are booked; NaN: replaced by p times the mean rate. */
void ifbam_event_apply_impulse_rows (IfbamEventEngine *self, const guint32 *links, guint n,
                                     const double *p, double *before, double *after, double *lost);

/* Applies p to n contacts, then to `ties` bilateral constraints that transmit the impulses, and to
 * the frictions that the contacts carry. Logs events; adds the links of all touched nodes to the
 * event. slow: no bounces; impulses below rounding are not logged. Failure: self->log.failure. */
void ifbam_event_apply_impulses (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                                 guint ties, const double *p, gboolean slow);

/* As ifbam_event_apply_impulses (), for n contacts, `brakes` frictions, then ties. word: the
 * event's name. */
void ifbam_event_apply_impulses_with_friction (IfbamEventEngine *self, double time,
                                               const guint32 *links, guint n, guint brakes,
                                               guint ties, const double *p, double *lost,
                                               const char *word, gboolean slow);

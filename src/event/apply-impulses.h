/* apply-impulses.h: contact impulses, and the friction impulses that they cause
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Applies n impulses, sets their rates and losses, and books the losses. */
void ifbam_event_apply_impulse_rows (IfbamEventEngine *self, IfbamLinkImpulse *impulses, guint n);

/* Applies the impulses of n contacts, then of `ties` bilateral constraints that transmit them, and
 * computes those of the frictions that the contacts carry. Logs events; adds the links of all
 * touched nodes to the event. slow: no bounces; impulses below rounding are not logged. */
void ifbam_event_apply_impulses (IfbamEventEngine *self, double time, IfbamLinkImpulse *impulses,
                                 guint n, guint ties, gboolean slow);

/* Adds the links at all nodes that got one of n impulses to the event. */
void ifbam_event_add_touched (IfbamEventEngine *self, double time, const IfbamLinkImpulse *impulses,
                              guint n);

/* As ifbam_event_apply_impulses (), for n contacts, `brakes` frictions, then ties. word: the
 * event's name. */
void ifbam_event_apply_impulses_with_friction (IfbamEventEngine *self, double time,
                                               IfbamLinkImpulse *impulses, guint n, guint brakes,
                                               guint ties, const char *word, gboolean slow);

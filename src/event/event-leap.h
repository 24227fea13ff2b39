/* event-leap.h: time-stepping fallback for contacts with events that cannot be separated
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Applies at once the impulses that n contacts and their frictions exert within `span` [s]: at its
 * end no contact approaches, and each friction is within its cone. span 0: impulses that end the
 * present approach. Uses present rows, and accelerations without reactions. word: the event's name.
 * FALSE, nothing changed: no impulses exist, none is needed, or no friction acts. */
gboolean ifbam_event_time_step_contacts (IfbamEventEngine *self, double time,
                                         const guint32 *contacts, guint n, double span,
                                         const char *word);

/* event-leap.h: contacts whose events can't be told apart go on by what they push in a while
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* n contacts, and what is braked along them, get at once what they push within `span` from now on [s], so that they have
 * neither approached nor overstepped their cones by its end: until then they fly. (0: what ends their approach now.)
 * Accelerations are those without reactions, and rows of now. Each impulse is told by a word. FALSE: no such impulses are
 * found, or none is wanted now or nothing is braked, and nothing has changed. */
gboolean ifbam_event_leap (IfbamEventEngine *self, double time, const guint32 *contacts, guint n,
                           double span, const char *word);

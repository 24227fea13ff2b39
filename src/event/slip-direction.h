/* slip-direction.h: where relations go that slip in a direction
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Aims a relation, and the one across it, in a direction; NULL: they follow what slips. */
void ifbam_event_aim_at (IfbamEventEngine *self, guint32 number, const double *direction);

/* It sticks or does not, and so does the one across it. */
void ifbam_event_stick (IfbamEventEngine *self, guint32 number, gboolean sticks);

/* What slips and will soon be stopped is aimed where it goes now; what does not follows its own way. Of an island at
 * its time; IFBAM_NONE: of all. */
void ifbam_event_aim (IfbamEventEngine *self, guint32 island);

/* The same of one such relation, which slips or starts to, where its island is now. */
void ifbam_event_aim_slip (IfbamEventEngine *self, guint32 number);

/* All are aimed as their states say. */
void ifbam_event_take_aim (IfbamEventEngine *self);

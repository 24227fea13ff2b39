/* slip-direction.h: slip direction of frictions in the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Sets the slip direction (2) of both constraints of a planar friction; NULL: along the slip. */
void ifbam_event_set_slip_direction (IfbamEventEngine *self, guint32 index,
                                     const double *direction);

/* Makes both constraints of a planar friction stick, or releases the second one. */
void ifbam_event_set_sticking (IfbamEventEngine *self, guint32 index, gboolean sticks);

/* Sets the slip directions of an island's frictions (IFBAM_NONE: of all), at its time. A slip that
 * may soon stop keeps its direction; the others follow the slip. */
void ifbam_event_update_slip_directions (IfbamEventEngine *self, guint32 island);

/* Gives the geometry of an island's frictions the present direction of their slip where steps
 * backward from its time would meet a slip of 0: it has just started. The next copy from the links'
 * states ends this. */
void ifbam_event_hold_slip_directions (IfbamEventEngine *self, guint32 island);

/* Sets the direction of one planar friction that slips or starts to, at its island's time. */
void ifbam_event_update_slip_direction (IfbamEventEngine *self, guint32 index);

/* Copies all slip directions from the links' states to their geometries. */
void ifbam_event_copy_slip_directions (IfbamEventEngine *self);

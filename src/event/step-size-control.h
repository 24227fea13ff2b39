/* step-size-control.h: how long a step of an island may be for a tolerance
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* From an island's time on: as long a step as the tolerance allows, which ends where something is given to happen at
 * the latest. It may lead beyond the next row. Its end is a candidate of its own. */
void ifbam_event_predict (IfbamEventEngine *self, guint32 island);

/* Who was put to the row goes back to its own time; those that end at the row are predicted. */
void ifbam_event_open_steps (IfbamEventEngine *self);

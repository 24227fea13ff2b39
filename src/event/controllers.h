/* controllers.h: controllers: what they hear at their instants, and sources that follow them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Those of some given instants of one time (numbers in the agenda) hear how things are then, before anything else changes. */
void ifbam_controllers_hear (IfbamEventEngine *self, double time, const guint32 *numbers, guint n);
/* From then on sources are as strong as these say. */
void ifbam_controllers_steer (IfbamEventEngine *self, double time, const guint32 *numbers, guint n);

/* At the start they hear for the first time. */
void ifbam_controllers_start (IfbamEventEngine *self);
/* A given node's rate is so many times its law's from the start on. */
void ifbam_controllers_guide_at_start (IfbamEventEngine *self, guint32 node, double strength);
/* At a row: sources are as strong as controllers have said last. */
void ifbam_controllers_stand (IfbamEventEngine *self);

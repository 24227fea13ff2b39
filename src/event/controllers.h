/* controllers.h: sampled controllers, and the sources and motions that they scale
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Evaluates the due controllers and ends on-times, before other events at `time` change the state.
 * numbers: indices (n) of the events at `time` in self->schedule. Advances controllers' islands. */
void ifbam_controllers_sample (IfbamEventEngine *self, double time, const guint32 *numbers,
                               guint n);
/* Advances the islands of sources that these controllers scale; updates the sources' factors. */
void ifbam_controllers_set_sources (IfbamEventEngine *self, double time, const guint32 *numbers,
                                    guint n);
/* At the start of a run: evaluates all controllers, and scales their sources and motions. */
void ifbam_controllers_start (IfbamEventEngine *self);
/* Scales a prescribed node's rate by `strength` from t = 0 on, and sets its x, v. */
void ifbam_controllers_start_motion (IfbamEventEngine *self, guint32 node, double strength);
/* After a restore: rebuilds the sources' factors and the ends of on-times from the memories. */
void ifbam_controllers_rebuild (IfbamEventEngine *self);

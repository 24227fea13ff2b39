/* island-step.h: one step of an island: the scheme's stages
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* One step of length h from x, v at `from` after the step's start, to x1, v1. account: its work is
 * pending. */
void ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                       double from, double h, const double *x, const double *v, double *x1,
                       double *v1, gboolean account);

/* What a scheme's update hears of the nodes. */
void ifbam_event_set_nodes (const IfbamEventEngine *self, const IfbamScheme *scheme,
                            double *const *column, double h, IfbamNodeBatch *nodes);

/* A stage's end: a component's nodes move. */
void ifbam_event_update_nodes (IfbamEventEngine *self, const IfbamComponent *component,
                               const IfbamScheme *scheme, guint stage, const IfbamNodeBatch *nodes);

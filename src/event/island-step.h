/* island-step.h: one step of an island, and the stages of explicit schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Advances an island (IFBAM_NONE: all) by h [s] from x, v at `from` [s after the step's start] to
 * x1, v1 (n_nodes each), under any scheme. account: adds the work to the pending work. */
void ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                       double from, double h, const double *x, const double *v, double *x1,
                       double *v1, gboolean account);

/* The same for a step of all islands that the objects of a manual dialogue compute: begins to watch
 * the systems of mechanisms; repeats the step of those that were singular at a stage. */
void ifbam_event_watch_pivots (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme);
void ifbam_event_repeat_singular_step (IfbamEventEngine *self);

/* Sets the arguments of a scheme's kernels: inverse inertias, forces, columns, step h [s]. */
void ifbam_event_set_nodes (const IfbamEventEngine *self, const IfbamScheme *scheme,
                            double *const *column, double h, IfbamNodeBatch *nodes);

/* flip-flop-steps.h: cycles of the flip-flop (two-step) schemes, forces in flight, histories
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

void ifbam_step_history_init (IfbamStepHistory *self, const IfbamModel *model);
void ifbam_step_history_clear (IfbamStepHistory *self);

/* Parts of a cycle: apply reactions; exchange columns and project positions. */
void ifbam_event_cycle_apply_reactions (IfbamEventEngine *self, guint64 step,
                                        double *const *column);
void ifbam_event_cycle_exchange_columns (IfbamEventEngine *self, guint64 step, double **column);

/* Sets the columns of given (prescribed) nodes for the cycle with index `step`. */
void ifbam_event_set_given_columns (IfbamEventEngine *self, gint64 step, double *const *column);

/* Computes the coming cycle into self->history.next, and the sample (x, v), which needs its
 * positions. */
void ifbam_event_compute_next_cycle (IfbamEventEngine *self);
void ifbam_event_compute_sample (IfbamEventEngine *self);

/* Sets the histories of all nodes at the start. */
void ifbam_event_begin_history (IfbamEventEngine *self);

/* Completes a cycle: its end is the next sample. Rebuilds the histories where an event was. */
void ifbam_event_complete_cycle (IfbamEventEngine *self);

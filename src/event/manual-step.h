/* manual-step.h: steps of the event engine with stages computed by the objects of the dialogue
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Prepares a step: sets the messages that the objects send first. */
void ifbam_event_begin_manual_step (IfbamEventEngine *self);

/* Computes and applies the constraint reactions of a stage, once all nodes have summed forces. */
void ifbam_event_react_in_manual_step (IfbamEventEngine *self, guint stage);

/* Stores the objects' final state as the prediction (x1, v1), with active constraints imposed. */
void ifbam_event_read_manual_step (IfbamEventEngine *self);

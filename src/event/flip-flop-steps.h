/* flip-flop-steps.h: what the flip-flop schemes need beyond one step: forces in flight, histories made anew
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Moves the nodes by the forces that were gathered and the reactions to them: column becomes the next
 * cycle's. */
void ifbam_event_cycle (IfbamEventEngine *self, guint64 step, double **column);

/* The same in parts: who holds reacts; the columns change places, and relations that hold are imposed. */
void ifbam_event_cycle_react (IfbamEventEngine *self, guint64 step, double *const *column);
void ifbam_event_cycle_flip (IfbamEventEngine *self, guint64 step, double **column);

/* Given nodes' columns of a cycle, under a flip-flop scheme. */
void ifbam_event_place_columns (IfbamEventEngine *self, gint64 step, double *const *column);

/* The coming cycle, from whose positions the row's rates follow. */
void ifbam_event_look_ahead (IfbamEventEngine *self);
void ifbam_event_show_row (IfbamEventEngine *self);

/* The history of all at the start. */
void ifbam_event_set_out (IfbamEventEngine *self);

/* The cycle is done: its end is the next row. */
void ifbam_event_close_cycle (IfbamEventEngine *self);

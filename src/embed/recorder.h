/* recorder.h: signals of a core's network at and between its steps; inputs that change in a run
 *
 * The network advances in whole steps, as in `ifbam run`. A signal at a time between two steps is
 * computed from cubic Hermite polynomials through the motion at both steps and just before and
 * after the events between them. Reading signals changes no results. Row n is the end of step n.
 *
 * A function that returns an int returns 0 on success; else ifbam_core_said() returns the error.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

typedef struct _IfbamRecorder IfbamRecorder;

/* core: must live longer, and is compiled afterwards. signals: see ifbam_core_record(). */
IfbamRecorder *ifbam_recorder_new (IfbamCore *core, const char *signals);
void ifbam_recorder_free (IfbamRecorder *recorder);
/* Starts recording after the core was compiled; returns the number of signals. */
size_t ifbam_recorder_begin (IfbamRecorder *recorder);

double ifbam_recorder_step (const IfbamRecorder *recorder);
/* Returns the present row. _go () advances to a later one. */
uint64_t ifbam_recorder_row (const IfbamRecorder *recorder);
int ifbam_recorder_advance (IfbamRecorder *recorder, uint64_t row);
/* Returns the time of the first event after `time` within the last step [s]; infinite: none. */
double ifbam_recorder_next_event (const IfbamRecorder *recorder, double time);
/* Writes the signals at a time within the last step, between row - 1 and row. after: if an event is
 * at this time, the values just after it. */
void ifbam_recorder_values (IfbamRecorder *recorder, double time, int after, double *values);

/* Returns the state as bytes (malloc); NULL: the run has failed. _take () restores it. */
void *ifbam_recorder_save (IfbamRecorder *recorder, size_t *size);
int ifbam_recorder_restore (IfbamRecorder *recorder, const void *data, size_t size);

/* Adds to the motion of a given node (its element), from the present row on. Order 0: a ramp to the
 * position `value` at `row`; 1: the rate `value`; 2: the acceleration. Before the first step, call
 * it with value 0 for each such node. */
void ifbam_recorder_set_motion (IfbamRecorder *recorder, int element, unsigned order, double value,
                                uint64_t row);
/* Sets a source's parameter from the present row on. turns: the change is an event. */
void ifbam_recorder_set_input (IfbamRecorder *recorder, int element, const char *key, double number,
                               int turns);

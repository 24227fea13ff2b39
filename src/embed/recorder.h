/* recorder.h: signals of a core's network at its rows and between them, and numbers that change as it runs
 *
 * The network goes from row to row, as `ifbam run` does. What is asked of a time between two rows is told of the
 * motion between them: the cubics of Hermite through both rows and through what stands just before and just after
 * what happened between them. So nobody who asks changes what is computed.
 *
 * What returns an int returns 0 where it went well; else ifbam_core_said() says why not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

typedef struct _IfbamRecorder IfbamRecorder;

/* Of a core, which must live longer and is compiled afterwards. signals: see ifbam_core_record(). */
IfbamRecorder *ifbam_recorder_new (IfbamCore *core, const char *signals);
void ifbam_recorder_free (IfbamRecorder *recorder);
/* How many signals; to be called when the core is compiled. */
size_t ifbam_recorder_begin (IfbamRecorder *recorder);

double ifbam_recorder_step (const IfbamRecorder *recorder);
/* The row at which it stands, and on to a later one. */
uint64_t ifbam_recorder_row (const IfbamRecorder *recorder);
int ifbam_recorder_go (IfbamRecorder *recorder, uint64_t row);
/* When something happened within the last step, after a time; infinite: nothing did. */
double ifbam_recorder_next_event (const IfbamRecorder *recorder, double time);
/* The signals at a time in the last step (row - 1 to row); after: where something happened then, what it led to. */
void ifbam_recorder_values (IfbamRecorder *recorder, double time, int after, double *values);

/* A block of bytes (malloc) of which it can go on; NULL: the network can't. */
void *ifbam_recorder_keep (IfbamRecorder *recorder, size_t *size);
int ifbam_recorder_take (IfbamRecorder *recorder, const void *data, size_t size);

/* Of a given node (its element), beside its law, from the present row on: order 0: it goes on a line to a place, where it is at a later row;
 * 1: at a rate; 2: at an acceleration. To be called for all that will be moved so before any step, and with 0. */
void ifbam_recorder_set_motion (IfbamRecorder *recorder, int element, unsigned order, double value,
                                uint64_t row);
/* The number of a source element's key, from the present row on. turns: that happens there, else it has been so. */
void ifbam_recorder_set_input (IfbamRecorder *recorder, int element, const char *key, double number,
                               int turns);

/* event-run.h: runs the text of a network and keeps its rows and events, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"
#include "run/run.h"

typedef struct
{
  IfbamNetwork *network;
  IfbamCourse *course;
  GArray *events; /* IfbamEvent */
  guint held;     /* times that a link was held closed to a step's end */
} EventRun;

typedef enum
{
  EVENT_RUN_OBJECTS = 1 << 0,    /* by the objects, not compiled */
  EVENT_RUN_UNLOCATED = 1 << 1,  /* events at the ends of steps */
  EVENT_RUN_EVENT_ROWS = 1 << 2, /* rows before and after events, too */
  EVENT_RUN_BY_EVENTS = 1 << 3,  /* by the event engine alone */
} EventRunFlags;

/* Fails the test where it does not run. */
EventRun *event_run (EventRunFlags flags, const char *format, ...) G_GNUC_PRINTF (2, 3);
void event_run_free (EventRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EventRun, event_run_free)

const double *event_run_values (const EventRun *run, const char *signal, gsize *n);
double event_run_first (const EventRun *run, const char *signal);
double event_run_last (const EventRun *run, const char *signal);

/* The largest change of energy + dissipated - supplied since the start [J]; no number: one of them is none. */
double event_run_ledger_gap (const EventRun *run);

/* The n-th event of an element (from 0) with this word; either may be NULL: any. NULL: there is none. */
const IfbamEvent *event_run_event (const EventRun *run, const char *element, const char *word,
                                   guint n);
guint event_run_count (const EventRun *run, const char *element, const char *word);

/* Objects, the event engine and tiles beside it have the same bits: rows, and instants of events. */
void event_run_assert_same_bits (const char *text);

/* What is said of a network that must be refused (transfer full). */
char *event_run_fault (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* schedule.h: list of scheduled events in order of time, extended on demand by periodic events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Periodic events are listed as far as requested. Passed events are removed. */
typedef struct
{
  const IfbamModel *model;
  GArray *recurrent; /* IfbamTimeEvent: periodic events with their periods [s] */
  GArray *instants; /* IfbamTimeEvent, by time: all events up to the horizon that are not removed */
  guint first;      /* index of the first event in `instants` */
  guint once;       /* index of the next single event in model->instants */
  guint64 *turn;    /* number of periods before the next event of each periodic one */
  double horizon;   /* end of the list [s]; infinite: no periodic event is left */
  GArray *beyond;   /* IfbamTimeEvent, by time: added events after the horizon */
  GArray *edges;    /* IfbamTimeEvent: corners of sources and given nodes, by kind and index */
} IfbamEventCalendar;

/* A scheduled event this close to a step boundary belongs to it [steps]. */
#define IFBAM_AT_STEP 1e-9

/* Returns a new schedule of a model (not owned). step: step of the run [s] */
IfbamEventCalendar *ifbam_calendar_new (const IfbamModel *model, double step);
void ifbam_calendar_free (IfbamEventCalendar *self);

/* Returns to the state before the first event. */
void ifbam_calendar_restart (IfbamEventCalendar *self);
/* Returns the event with an index, valid until the schedule changes; NULL: there are fewer. */
const IfbamTimeEvent *ifbam_calendar_get (IfbamEventCalendar *self, guint number);
/* Inserts a single event at an index >= from, behind events of equal time; shifts later indices. */
void ifbam_calendar_add (IfbamEventCalendar *self, guint from, const IfbamTimeEvent *instant);
/* Allows the removal of the events before an index. */
void ifbam_calendar_discard (IfbamEventCalendar *self, guint number);
/* Returns the next corner of a source's or given node's law after a time [s]; infinite: none. */
double ifbam_calendar_next_edge (const IfbamEventCalendar *self, IfbamTimeEventKind kind,
                                 guint32 number, double time);

/* schedule.h: scheduled events in order of time, and the sources and given nodes that they change
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* Periodic events are listed as far as requested. Passed events are removed. */
typedef struct
{
  const IfbamModel *model;
  double step;       /* of the run [s] */
  GArray *recurrent; /* IfbamTimeEvent: periodic events with their periods [s] */
  GArray *events;    /* IfbamTimeEvent, by time: all up to the horizon that are not removed */
  GArray *beyond;    /* IfbamTimeEvent, by time: added events after the horizon */
  GArray *edges;     /* IfbamTimeEvent: corners of sources and given nodes, by kind and index */
  guint first;       /* index of the first event in `events` */
  guint once;        /* index of the next single event of the model */
  guint64 *periods;  /* number of periods before the next event of each periodic one */
  double horizon;    /* end of the list [s]; infinite: no periodic event is left */

  guint next;           /* index of the next event of the run */
  guint n_candidates;   /* events among the candidates, all at one time */
  GArray *simultaneous; /* guint32: events that are processed together */
  double time;          /* of the event that is processed, as in the file [s]; NaN: none */
  /* Sources, then given nodes, are evaluated within this interval [s] (n_sources + n_given). */
  double *piece_from, *piece_until;
  guint8 *is_on;    /* FALSE: switched off by a monitor or controller (n_sources) */
  double *strength; /* factor of a source while it is on (n_sources) */
  double *constant; /* values of sources without time dependence, else NaN (n_sources) */
} IfbamSchedule;

/* A scheduled event this close to a step boundary belongs to it [steps]. */
#define IFBAM_AT_STEP 1e-9

/* Creates the schedule of a model (not owned), before its first event; intervals of laws are set by
 * restart. step: of the run [s] */
void ifbam_schedule_init (IfbamSchedule *self, const IfbamModel *model, double step);
void ifbam_schedule_clear (IfbamSchedule *self);

/* Returns to the state before the first event. */
void ifbam_schedule_restart (IfbamSchedule *self);
/* Skips the events up to the start of a step. */
void ifbam_schedule_skip_to (IfbamSchedule *self, guint64 step);

/* Returns the event with an index, valid until the schedule changes; NULL: there are fewer. */
const IfbamTimeEvent *ifbam_schedule_get (const IfbamSchedule *self, guint index);
/* Inserts a single event, behind the next events up to its time. Indices after it change. */
void ifbam_schedule_add (IfbamSchedule *self, const IfbamTimeEvent *event);
/* Allows the removal of all but the last of the events before the next one. */
void ifbam_schedule_discard_past (IfbamSchedule *self);

/* Returns the next corner of a source's or given node's law after a time [s]; infinite: none. */
double ifbam_schedule_next_edge (const IfbamSchedule *self, IfbamTimeEventKind kind, guint32 number,
                                 double time);
/* Returns the time of the next event [s]; infinite: there is none. */
double ifbam_schedule_next_time (const IfbamSchedule *self);
/* Returns whether the next event is in a step, and its time after the step's start [s]. */
gboolean ifbam_schedule_is_due (const IfbamSchedule *self, guint64 step, double *time);
/* Returns how many steps, from one on, end before an event. */
guint64 ifbam_schedule_count_free_steps (const IfbamSchedule *self, guint index, guint64 step);

/* Skips the next events of equal time. Returns their indices (guint32; not owned). */
GArray *ifbam_schedule_take_next (IfbamSchedule *self);
/* Begins the interval of a law at an event of a source or given node; of others does nothing. */
void ifbam_schedule_begin_piece (IfbamSchedule *self, guint index);

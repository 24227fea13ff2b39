/* event-times.h: scheduled events, and lists of event times among an element's values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

/* Kinds of scheduled events. */
typedef enum
{
  IFBAM_TIME_EVENT_EDGE,      /* of a source: corner of its function of time */
  IFBAM_TIME_EVENT_MOTION,    /* of a given node: corner of its motion */
  IFBAM_TIME_EVENT_TOGGLE,    /* of a link: change of mode */
  IFBAM_TIME_EVENT_IMPULSE,   /* with a value */
  IFBAM_TIME_EVENT_SAMPLE,    /* of a controller: sample */
  IFBAM_TIME_EVENT_PULSE_END, /* of a controller: end of the output's fraction of the period */
} IfbamTimeEventKind;

typedef struct
{
  double time; /* [s] */
  IfbamTimeEventKind kind;
  guint32 index; /* index of the source, given node, link or impulse */
  double value;
  double period; /* recurs after each period [s], before `end`; 0: occurs once */
  double end;    /* [s] */
} IfbamTimeEvent;

/* A period: each step of the run. */
#define IFBAM_EACH_STEP -1.0

/* Returns the time [s] of a recurrence. Laws use the same sum, for bitwise equal corners. */
static inline double
ifbam_time_event_time (const IfbamTimeEvent *event, guint64 recurrence)
{
  return event->time + (double) recurrence * event->period;
}

/* Compares two IfbamTimeEvent: by time, then by kind. */
int ifbam_time_event_compare (gconstpointer a, gconstpointer b);

/* Returns the list in a slot (n values, not owned); NULL: none. */
const double *ifbam_element_list (const IfbamElement *element, guint slot, gsize *n);

/* For `fault`: returns an error if the times in a slot do not increase, else NULL. */
char *ifbam_element_time_events_fault (const IfbamElement *element, guint slot);

/* For `time_events`: appends an IfbamTimeEvent per time of the list in a slot. values (n_values):
 * one for each, or one for all. */
void ifbam_element_add_time_events (const IfbamElement *element, guint slot, const double *values,
                                    gsize n_values, GArray *time_events);

/* event-times.h: a list of instants among an element's values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

/* What is given to happen at a time. */
typedef enum
{
  IFBAM_TIME_EVENT_EDGE,    /* of a source: its law goes on differently */
  IFBAM_TIME_EVENT_MOTION,  /* of a given node: likewise */
  IFBAM_TIME_EVENT_TOGGLE,  /* of a link */
  IFBAM_TIME_EVENT_IMPULSE, /* with a value */
  IFBAM_TIME_EVENT_SAMPLE,  /* of a controller */
  IFBAM_TIME_EVENT_LAPSE,   /* of a controller: the part of its period that it said is over */
} IfbamTimeEventKind;

typedef struct
{
  double time; /* [s] */
  IfbamTimeEventKind kind;
  guint32 number; /* of the source, given node, link or impulse */
  double value;
  double period; /* after which it comes again, before `end` [s]; 0: it comes once */
  double end;    /* [s] */
} IfbamTimeEvent;

/* A period: whatever the run's step is. */
#define IFBAM_EACH_STEP -1.0

/* When it comes after so many periods. Laws that have corners say them by the same sum, to the last bit. */
static inline double
ifbam_instant_time (const IfbamTimeEvent *instant, guint64 turn)
{
  return instant->time + (double) turn * instant->period;
}

/* IfbamTimeEvent, by time, and by what happens. */
int ifbam_instant_compare (gconstpointer a, gconstpointer b);

/* The numbers of the list in a slot (n of them, not owned); NULL where there is none. */
const double *ifbam_element_list (const IfbamElement *element, guint slot, gsize *n);

/* For `fault`: why the list in a slot is none of instants. NULL: it is, or there is none. */
char *ifbam_element_instants_fault (const IfbamElement *element, guint slot);

/* For `instants`: appends an instant (IfbamTimeEvent) for each number of the list in a slot, with the
 * values of another list of as many, or of one for all (n_values). */
void ifbam_element_add_instants (const IfbamElement *element, guint slot, const double *values,
                                 gsize n_values, GArray *instants);

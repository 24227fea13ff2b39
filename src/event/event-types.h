/* event-types.h: types and lists shared by the parts of the event engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <float.h>
#include <math.h>

#include "constraint/constraint.h"
#include "engine/engine.h"
#include "event/evaluator.h"

#define IFBAM_NONE G_MAXUINT32
/* IfbamCandidate.link of the end of an island's adaptive step; the stamp is the island's index. */
#define IFBAM_STEP_END (G_MAXUINT32 - 1)

/* Empties a list. Most lists are empty already: the test saves the call. */
static inline void
ifbam_array_clear (GArray *list)
{
  if (list->len > 0)
    g_array_set_size (list, 0);
}

/* IFBAM_SHORT_LIST declares an array of n for the enclosing block: on the stack up to this
 * length. */
#define IFBAM_SHORT_LENGTH 8

static inline void
ifbam_free_long_list (gpointer list)
{
  if (G_UNLIKELY (*(gpointer *) list != NULL))
    g_free (*(gpointer *) list);
}

#define IFBAM_SHORT_LIST(Type, name, n)                                                            \
  Type name##_few[IFBAM_SHORT_LENGTH];                                                             \
  __attribute__ ((cleanup (ifbam_free_long_list))) Type *name##_many =                             \
      G_UNLIKELY ((gsize) (n) > IFBAM_SHORT_LENGTH) ? g_new (Type, n) : NULL;                      \
  Type *name = G_UNLIKELY (name##_many != NULL) ? name##_many : name##_few

/* Index range [first, last) of nodes, or of the links of a batch. */
typedef struct
{
  guint32 batch;
  gsize first, last;
} IfbamIndexRange;

/* State of an unbatched link, or of a further constraint of it. Times: after the step's start. */
typedef struct
{
  int mode;
  double force;              /* of its law, as last computed [N] */
  double flight, next_force; /* flip-flop schemes: force in transit; in the next cycle [N] */
  double flight_row[IFBAM_MAX_PORTS], next_row[IFBAM_MAX_PORTS];
  double reaction;             /* of its constraint, as last computed [N] */
  double force_scale;          /* largest force in its guards so far [N], for thresholds */
  double row[IFBAM_MAX_PORTS]; /* Jacobian row or force direction, as last computed (n_ports) */
  double carrier_direction[IFBAM_MAX_CARRIERS]; /* friction: direction of the carriers' reactions */
  double slip_direction[2];                     /* planar friction; NaN: that of the slip */
  double remaining_gap;                         /* gap that an active contact leaves [m] */
  IfbamCompensatedSum dissipated;               /* energy dissipated so far [J] */
  double pending;              /* energy dissipated in this step, not booked yet [J] */
  double last_loss;            /* dissipated power at the last sample [W] */
  double memory[IFBAM_MEMORY]; /* of a controller; [0]: its output */
  double pulse_end;            /* end of a controller's pulse, absolute [s]; 0: none */
  guint stamp;                 /* counts its islands' predictions: other candidates are stale */
  guint n_events;              /* event times in this step: the first, middle and last one [s] */
  double first_event, middle_event, last_event;
  double last_fired;     /* time of the last located event [s] */
  double located_rate;   /* rate at the event that is processed: the error of its time [m/s] */
  guint n_repeated;      /* consecutive located events without a delay */
  double recorded_until; /* passive monitor: crossings up to this time are recorded [s] */
  gboolean starts_at_threshold; /* monitor: at the threshold since the run's start */
  gboolean is_suspended;        /* closed until the step's end, after too many events */
  gboolean is_prevented;        /* friction that constraints keep from slipping: no reaction */
  gboolean bounced;             /* it separates after the impulses of its last event */
} IfbamLinkState;

/* A candidate event: a crossing between lo and hi after the step's start [s]. */
typedef struct
{
  double lo, hi;
  guint32 link;  /* IFBAM_NONE: a scheduled event; IFBAM_STEP_END: the end of a step */
  guint32 stamp; /* stamp of the link; index of the scheduled event or island */
  IfbamGuard guard;
  gboolean is_located;    /* lo is the event time */
  gboolean is_unresolved; /* the search for crossings was given up at lo */
} IfbamCandidate;

/* An impulse on a link, or on a further constraint of it. */
typedef struct
{
  guint32 link;
  double p;             /* [N s] */
  double lost;          /* dissipated energy [J]; NaN: p times the mean rate */
  double before, after; /* rates [m/s], set when it is applied */
} IfbamLinkImpulse;

static inline IfbamLinkImpulse
ifbam_link_impulse (guint32 link, double p)
{
  return (IfbamLinkImpulse){ .link = link, .p = p, .lost = NAN };
}

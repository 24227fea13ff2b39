/* adaptive-steps.h: where islands are within steps that a tolerance has chosen
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"
#include "event/step-work.h"

/* The error before the first step (dopri5.f), and the least one that counts. */
#define IFBAM_FIRST_ERROR 1e-4

struct _IfbamPace
{
  double *begun[3], *ended[3]; /* where steps have begun and will end (n_nodes) */
  double *largest, *fastest;   /* of each node so far */
  double *time, *until, *next, *after, *error[2],
      *thrown;        /* of islands, by component, for the state */
  IfbamBooked booked; /* of the steps that are under way */
  guint8 *heard;      /* of a node: some link hears where it is, not only how fast it goes */
  IfbamStepCount count;
};

/* The free nodes of an island. */
#define IFBAM_FOR_PACED(i, island)                                                                 \
  IFBAM_FOR_COMPONENTS (i##_component, island)                                                     \
  IFBAM_FOR_NODES (i##_stretch, i##_component)                                                     \
  for (gsize i = i##_stretch->first; i < i##_stretch->last; i++)

/* Of an engine whose spec has a tolerance. */
IfbamPace *ifbam_pace_new (IfbamEventEngine *engine);
/* NULL: nothing. */
void ifbam_pace_free (IfbamPace *self);

/* Before the first step. */
void ifbam_pace_start (IfbamEventEngine *self);

/* Whether an island has anybody. */
gboolean ifbam_pace_is_there (const IfbamEventEngine *self, guint32 island);

/* A node has been there, and as fast. */
void ifbam_pace_widen (IfbamEventEngine *self, gsize node, double x, double v);

/* An island has been brought to a time within its step: its pending work is booked. */
void ifbam_pace_book (IfbamEventEngine *self, guint32 island);

/* An island is where its step ends. */
void ifbam_pace_arrive (IfbamEventEngine *self, guint32 island);

/* Between steps everybody stands at the row, by dense output: they are put there (x1, v1). */
void ifbam_pace_close (IfbamEventEngine *self);

/* For the engine's state: out of the islands, or back. */
void ifbam_pace_list_state (IfbamEventEngine *self, GArray *columns);
void ifbam_pace_stand_up (IfbamEventEngine *self);

IfbamStepCount ifbam_pace_count (const IfbamEventEngine *self);

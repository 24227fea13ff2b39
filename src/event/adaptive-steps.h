/* adaptive-steps.h: state of islands within adaptive steps, and dense output
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"
#include "event/step-work.h"

/* Error assumed before the first step (dopri5.f), and lower bound of errors [of the tolerance]. */
#define IFBAM_FIRST_ERROR 1e-4

struct _IfbamPace
{
  double *begun[3], *ended[3]; /* x, v, a at both ends of unfinished steps (n_nodes) */
  double *largest, *fastest;   /* largest |x|, |v| so far (n_nodes) */
  double *time, *until, *next, *after, *error[2],
      *thrown;        /* IfbamIsland's fields, for the state (n_components) */
  IfbamBooked booked; /* work booked of unfinished steps */
  guint8 *heard;      /* forces depend on the node's position (n_nodes) */
  IfbamStepCount count;
};

/* Loop over the free nodes i of an island. */
#define IFBAM_FOR_PACED(i, island)                                                                 \
  IFBAM_FOR_COMPONENTS (i##_component, island)                                                     \
  IFBAM_FOR_NODES (i##_stretch, i##_component)                                                     \
  for (gsize i = i##_stretch->first; i < i##_stretch->last; i++)

/* Creates the data of an engine that has a tolerance in its spec. */
IfbamPace *ifbam_pace_new (IfbamEventEngine *engine);
/* NULL: does nothing. */
void ifbam_pace_free (IfbamPace *self);

/* Resets magnitudes, counts and step sizes before the first step. */
void ifbam_pace_start (IfbamEventEngine *self);

/* Returns whether an island has components. */
gboolean ifbam_pace_is_there (const IfbamEventEngine *self, guint32 island);

/* Includes a position and a rate in the node's magnitudes. */
void ifbam_pace_widen (IfbamEventEngine *self, gsize node, double x, double v);

/* Books the work of an island that has been advanced to a time within its step. */
void ifbam_pace_book (IfbamEventEngine *self, guint32 island);

/* Ends an island's step: books its work, and moves its end (x1, v1, a1) to x, v, a. */
void ifbam_pace_arrive (IfbamEventEngine *self, guint32 island);

/* At a sample: ends or saves the islands' steps, and sets x1, v1 of all nodes by dense output. */
void ifbam_pace_close (IfbamEventEngine *self);

/* Appends the state's columns (columns: IfbamStateColumn), or copies them back into the islands. */
void ifbam_pace_list_state (IfbamEventEngine *self, GArray *columns);
void ifbam_pace_stand_up (IfbamEventEngine *self);

IfbamStepCount ifbam_pace_count (const IfbamEventEngine *self);

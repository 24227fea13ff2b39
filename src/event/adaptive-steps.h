/* adaptive-steps.h: state of islands within adaptive steps, and dense output
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Error assumed before the first step (dopri5.f), and lower bound of errors [of the tolerance]. */
#define IFBAM_FIRST_ERROR 1e-4

struct _IfbamAdaptiveSteps
{
  double *begun[3], *ended[3]; /* x, v, a at both ends of unfinished steps (n_nodes) */
  double *largest, *fastest;   /* largest |x|, |v| so far (n_nodes) */
  double *time, *until, *next_step, *step_after, *error[2],
      *after_jump;             /* IfbamIsland's fields, for the state (n_components) */
  IfbamBooked booked;          /* work booked of unfinished steps */
  guint8 *depends_on_position; /* forces depend on the node's position (n_nodes) */
  IfbamStepCount count;
};

/* Loop over the free nodes i of an island. */
#define IFBAM_FOR_ISLAND_NODES(i, island)                                                          \
  IFBAM_FOR_COMPONENTS (i##_component, island)                                                     \
  IFBAM_FOR_NODES (i##_range, i##_component)                                                       \
  for (gsize i = i##_range->first; i < i##_range->last; i++)

/* Creates the data of an engine that has a tolerance in its spec. */
IfbamAdaptiveSteps *ifbam_adaptive_new (IfbamEventEngine *engine);
/* NULL: does nothing. */
void ifbam_adaptive_free (IfbamAdaptiveSteps *self);

/* Resets magnitudes, counts and step sizes before the first step. */
void ifbam_adaptive_start (IfbamEventEngine *self);

/* Returns whether an island has components. */
gboolean ifbam_adaptive_has_island (const IfbamEventEngine *self, guint32 island);

/* Includes a position and a rate in the node's magnitudes. */
void ifbam_adaptive_include_node (IfbamEventEngine *self, gsize node, double x, double v);

/* Books the work of an island that has been advanced to a time within its step. */
void ifbam_adaptive_book (IfbamEventEngine *self, guint32 island);

/* Ends an island's step: books its work, and moves its end (x1, v1, a1) to x, v, a. */
void ifbam_adaptive_end_step (IfbamEventEngine *self, guint32 island);

/* At a sample: ends or saves the islands' steps, and sets x1, v1 of all nodes by dense output. */
void ifbam_adaptive_reach_sample (IfbamEventEngine *self);

/* Appends the state's columns (columns: IfbamStateColumn), or copies them back into the islands. */
void ifbam_adaptive_list_state (IfbamEventEngine *self, GArray *columns);
void ifbam_adaptive_rebuild (IfbamEventEngine *self);

IfbamStepCount ifbam_adaptive_get_count (const IfbamEventEngine *self);

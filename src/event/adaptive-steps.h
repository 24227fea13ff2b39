/* adaptive-steps.h: state of islands within adaptive steps, and dense output
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Error assumed before the first step (dopri5.f), and lower bound of errors [of the tolerance]. */
#define IFBAM_FIRST_ERROR 1e-4

/* The node at the other end of a massless node's link that depends on positions. */
typedef struct
{
  guint32 node, next; /* next: of the same massless node; IFBAM_NONE: none */
} IfbamPartner;

struct _IfbamAdaptiveSteps
{
  double *begun[3], *ended[3]; /* x, v, a at both ends of unfinished steps (n_nodes) */
  double *largest, *fastest;   /* largest |x|, |v| so far (n_nodes) */
  double *time, *until, *next_step, *step_after, *error[2],
      *after_jump;             /* IfbamIsland's fields, for the state (n_components) */
  IfbamBooked booked;          /* work booked of unfinished steps */
  guint8 *depends_on_position; /* forces depend on the node's position (n_nodes) */
  guint32 *first_partner;      /* of massless nodes; IFBAM_NONE: none (n_free) */
  GArray *partners;            /* IfbamPartner */
  double *nearest, *farthest;  /* least, largest x - x_partner so far (partners->len) */
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

/* Includes positions and rates (n_nodes) of an island's nodes in their magnitudes. end: their time
 * [s after the present step's start]. */
void ifbam_adaptive_include (IfbamEventEngine *self, guint32 island, double end, const double *x,
                             const double *v);

/* Returns the largest range of a massless node's positions relative to a partner, up to x at `end`;
 * 0: it has none. */
double ifbam_adaptive_find_stroke (const IfbamEventEngine *self, gsize node, double end,
                                   const double *x);

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

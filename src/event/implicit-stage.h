/* implicit-stage.h: equations of an implicit stage
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/newton-system.h"

struct _IfbamImplicit
{
  gsize n_nodes;
  double *position, *rate, *acceleration; /* at the substep's start (n_nodes) */
  double *from_position, *from_rate;      /* X, V of the stage (n_nodes) */
  double *rates[IFBAM_MAX_ROWS], *accelerations[IFBAM_MAX_ROWS]; /* of stages (n_nodes) */
  double *error_position, *error_rate; /* estimates of an adaptive step (n_nodes) */
  guint32 *index;                      /* scratch (n_nodes) */
  GPtrArray *systems;                  /* IfbamSystem, by island; NULL: not used yet */
  IfbamStepCount count;                /* equations only */
};

/* A substep of an island. */
typedef struct
{
  IfbamSystem *system;
  IfbamIsland *island;
  guint32 number; /* index of the island */
  const IfbamScheme *scheme;
  const IfbamTableau *table;
  double from, h;   /* begin after the step's start, length [s] */
  double a;         /* h times the stage's diagonal entry [s] */
  gboolean clamped; /* nodes with inertia keep their velocities */
  gboolean
      is_singular; /* constraints are imposed on velocities: see ifbam_substep_set_constraint_residuals () */
  guint stage;    /* index of the stage */
  double missing; /* part of the loads that a continuation has not applied yet; else 0 */
  const double
      *at_rest;   /* forces without velocities, of a continuation [N] (nodes of the system) */
  gboolean sharp; /* some node is fast: see FAST_NODE_RATIO */
} IfbamSubstep;

#define IFBAM_FOR_SUBSTEP_NODES(i, part)                                                           \
  for (const guint32 *i = ifbam_system_nodes ((part)->system),                                     \
                     *i##_end = i + ifbam_system_n_nodes ((part)->system);                         \
       i < i##_end; i++)

/* Copies a column's nodes of the substep's island to the evaluator. */
void ifbam_substep_publish (IfbamEventEngine *self, const IfbamSubstep *part, double *column);

/* Completes the message columns of an iterate. Links that take the mean over a path get the
 * positions and velocities of two cycles (extrapolation.h). */
void ifbam_substep_complete_columns (IfbamEventEngine *self, const IfbamSubstep *part);

/* Computes the forces of links and sources at the present iterate. time: [s] */
void ifbam_substep_evaluate_forces (IfbamEventEngine *self, const IfbamSubstep *part, double time);

/* Sets the right side of the constraint rows, and applies the present reactions to the forces. Near
 * a singular position the condition is J w = 0, with J of the first iteration (turn 0). */
void ifbam_substep_set_constraint_residuals (IfbamEventEngine *self, const IfbamSubstep *part,
                                             double time, guint iteration);

/* Returns the number of constraint rows. */
guint ifbam_substep_n_rows (const IfbamSubstep *part);

/* Returns the work of an iteration, as counted by the interrupt check (see
 * IFBAM_WORK_BETWEEN_CHECKS). */
guint ifbam_substep_work (const IfbamSubstep *part);

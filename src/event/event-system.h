/* event-system.h: the equations of a stage of an implicit step: their matrix, by what links say of their slopes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* Of an island: M/a + C + a K of its free nodes, by their rates, then its rows that hold. */
typedef struct _IfbamSystem IfbamSystem;

/* What is asked. */
typedef struct
{
  double a;              /* by how much a rate of 1 moves a position [s] */
  gboolean mean;         /* links answer with their mean over the path */
  gboolean clamped;      /* what has inertia goes on at the rate that it has */
  double *const *column; /* what nodes say; of a mean four columns, else two */
} IfbamStage;

IfbamSystem *ifbam_system_new (void);
void ifbam_system_free (IfbamSystem *self);

/* Makes it that of an island (who is joined to whom), if it is not. index: scratch (n_nodes). */
void ifbam_system_take (IfbamSystem *self, IfbamEventEngine *engine, guint32 island,
                        guint32 *index);
/* Numbers of links have changed. */
void ifbam_system_forget (IfbamSystem *self);

/* Its unknowns: free nodes, then rows. */
guint32 ifbam_system_n_nodes (const IfbamSystem *self);
const guint32 *ifbam_system_nodes (const IfbamSystem *self);
/* Right side, and the answer (n_nodes + rows). */
double *ifbam_system_right (IfbamSystem *self);

/* Whether nodes without inertia are in it. */
gboolean ifbam_system_has_junctions (const IfbamSystem *self);

/* Whether the equations are linear, so that one solution is the answer. */
gboolean ifbam_system_is_linear (const IfbamSystem *self);

/* Factors the matrix at a stage, unless it is known (then it returns FALSE); rows as they have been measured. */
gboolean ifbam_system_factor (IfbamSystem *self, IfbamEventEngine *engine, const IfbamStage *stage);
/* The right side becomes the answer. */
void ifbam_system_solve (IfbamSystem *self);

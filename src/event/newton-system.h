/* newton-system.h: the equations of a stage of an implicit step: their matrix, by what links say of their slopes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* IfbamSystem, of an island: M/a + C + a K of its free nodes, by their rates, then its rows that hold. */

/* What is asked. */
struct _IfbamStage
{
  double a;              /* by how much a rate of 1 moves a position [s] */
  gboolean mean;         /* links answer with their mean over the path */
  gboolean clamped;      /* what has inertia goes on at the rate that it has */
  double *const *column; /* what nodes say; of a mean four columns, else two */
  guint number;          /* which row of the scheme's table it is */
};

IfbamSystem *ifbam_system_new (void);
void ifbam_system_free (IfbamSystem *self);

/* Makes it that of an island (who is joined to whom), if it is not; where somebody interrupts, of nobody. index: scratch
 * (n_nodes). */
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

/* Who adds to the matrix, to the rows and columns of how many free nodes: a link in a batch (its slot), or a single one (its
 * number; slot: G_MAXSIZE). slope: by rows (n^2); NULL: its relation holds them. */
typedef struct
{
  gsize slot;
  guint32 number;
  guint n;
  guint32 node[IFBAM_MAX_ENDS];
  const double *slope;
} IfbamShare;

/* Tells each share of the matrix at a stage, inertias left out: for who wants to know who holds whom. */
void ifbam_system_tell_shares (const IfbamSystem *self, IfbamEventEngine *engine,
                               const IfbamStage *stage,
                               void (*told) (gpointer data, const IfbamShare *share),
                               gpointer data);

/* newton-system.h: linear system of a Newton iteration in a stage of an implicit step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* IfbamSystem: matrix of an island's velocities, M/a + C + a K, bordered by its constraint rows. */

/* A stage, and the state at which its matrix is evaluated. */
struct _IfbamStage
{
  double a;              /* change of a position per change of its velocity [s] */
  gboolean mean;         /* links take the mean of their force over the path */
  gboolean clamped;      /* nodes with inertia keep their velocities */
  double *const *column; /* positions, velocities; of a mean those of two cycles (n_nodes each) */
  guint number;          /* index in the scheme's table */
};

IfbamSystem *ifbam_system_new (void);
void ifbam_system_free (IfbamSystem *self);

/* Sets up the unknowns and the pattern for an island, unless they are present. After an interrupt
 * the system is empty. index: scratch (n_nodes). */
void ifbam_system_set_up (IfbamSystem *self, IfbamEventEngine *engine, guint32 island,
                          guint32 *index);
/* Discards the factors after a change of link parameters. */
void ifbam_system_discard (IfbamSystem *self);

/* Return the number and the indices of the free nodes, in the order of the unknowns (not owned). */
guint32 ifbam_system_n_nodes (const IfbamSystem *self);
const guint32 *ifbam_system_nodes (const IfbamSystem *self);
/* Returns the right side, which ifbam_system_solve () replaces by the solution (n_nodes + rows). */
double *ifbam_system_rhs (IfbamSystem *self);

/* Returns whether the island has massless nodes. */
gboolean ifbam_system_has_junctions (const IfbamSystem *self);

/* Returns whether the equations are linear, so that one iteration solves them. */
gboolean ifbam_system_is_linear (const IfbamSystem *self);

/* Factors the matrix with the rows as measured. Returns FALSE if the present factors are valid.
 * shift: added to the diagonals of massless nodes, by domain (IFBAM_N_DOMAINS); NULL: 0. */
gboolean ifbam_system_factor (IfbamSystem *self, IfbamEventEngine *engine, const IfbamStage *stage,
                              const double *shift);
/* Raises `largest` (IFBAM_N_DOMAINS) to the diagonals of inertias and linear links in an implicit
 * stage of a whole step, by domain. */
void ifbam_system_find_diagonals (IfbamSystem *self, IfbamEventEngine *engine, double *largest);
/* Replaces the right side by the solution. */
void ifbam_system_solve (IfbamSystem *self);

/* Returns the fraction of the solution by which the laws of batched links are nearly linear. */
double ifbam_system_step_limit (const IfbamSystem *self, const IfbamEventEngine *engine,
                                const IfbamStage *stage);

/* Contribution to n nodes. slot: of a batched link; else G_MAXSIZE, and number: index of the link.
 * slope: its entries by rows (n^2); NULL: an active constraint joins the nodes. */
typedef struct
{
  gsize slot;
  guint32 number;
  guint n;
  guint32 node[IFBAM_MAX_ENDS];
  const double *slope;
} IfbamContribution;

/* Calls `told` for each contribution to the matrix of a stage, except those of inertias. */
void ifbam_system_list_contributions (const IfbamSystem *self, IfbamEventEngine *engine,
                                      const IfbamStage *stage,
                                      void (*told) (gpointer data, const IfbamContribution *share),
                                      gpointer data);

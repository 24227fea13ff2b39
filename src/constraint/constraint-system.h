/* constraint-system.h: linear systems J M^-1 P^T lambda = rhs for reactions or impulses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/limits.h"
#include "base/sparse-solver.h"

/* Constraint row: J = d delta / d (coordinates of the ports), and the force direction P. P = J,
 * unless the constraint carries a sliding friction. */
typedef struct
{
  guint n_ports;
  guint32 node[IFBAM_MAX_PORTS];
  double row[IFBAM_MAX_PORTS], pull[IFBAM_MAX_PORTS]; /* J, P (n_ports) */
  gboolean askew;                                     /* P differs from J */
  double share; /* weight of its fraction of a load that several rows can carry; > 0 */
} IfbamConstraintRow;

/* Returns the rate of row a per unit reaction of row b, J_a M^-1 P_b^T. inverse_mass (n_nodes). */
double ifbam_row_product (const IfbamConstraintRow *a, const IfbamConstraintRow *b,
                          const double *inverse_mass);

/* Returns a copy of the row with P = J. */
static inline IfbamConstraintRow
ifbam_row_with_own_force (const IfbamConstraintRow *row)
{
  IfbamConstraintRow own = *row;

  for (guint e = 0; e < own.n_ports; e++)
    own.pull[e] = own.row[e];
  own.askew = FALSE;
  return own;
}

/* Adds M^-1 P^T lambda to the velocity changes of the row's nodes, change (n_nodes). */
static inline void
ifbam_row_add_change (const IfbamConstraintRow *row, double lambda, const double *inverse_mass,
                      double *change)
{
  for (guint e = 0; e < row->n_ports; e++)
    change[row->node[e]] += row->pull[e] * lambda * inverse_mass[row->node[e]];
}

static inline void
ifbam_row_clear_change (const IfbamConstraintRow *row, double *change)
{
  for (guint e = 0; e < row->n_ports; e++)
    change[row->node[e]] = 0;
}

/* Returns rhs - J change. */
static inline double
ifbam_row_get_rate (const IfbamConstraintRow *row, const double *change, double rhs)
{
  for (guint e = 0; e < row->n_ports; e++)
    rhs -= row->row[e] * change[row->node[e]];
  return rhs;
}

/* Common node of two rows. */
typedef struct
{
  guint8 row, pull; /* its port in J of the one row and in P of the other */
  guint32 node;
} IfbamCommon;

/* Pivot sizes since ifbam_constraint_system_watch_pivots (): first, least and largest (n each). */
typedef struct
{
  gboolean is_watched, is_known;
  double *first, *least, *most;
  double least_volume, most_volume; /* range of their product, as fractions of its first value */
} IfbamPivotRange;

/* Interrupt check of long factorizations. may_continue: returns 0 to interrupt; NULL: no check. */
typedef struct
{
  int (*may_continue) (void *data);
  void *data;
} IfbamPoll;

/* Factored linear system of n constraint rows. */
typedef struct
{
  guint n;
  IfbamConstraintRow *rows;
  const double *inverse_mass; /* 1/m at the last factorization (n_nodes), not owned */
  double single;              /* the matrix, if n = 1 */
  IfbamSolver *solver;        /* if n > 1; NULL: not created yet */
  guint32 *start, *column;    /* pattern: row starts (n + 1), columns (entries) */
  guint32 *mirror;            /* index of the entry across the diagonal (entries) */
  /* Common nodes of the rows of entry e: meeting_start[e] <= index < meeting_start[e + 1]. */
  guint32 *meeting_start;
  IfbamCommon *meeting;
  guint n_meetings;
  gboolean met;            /* meeting and mirror are set */
  double *shift;           /* compliances, as fractions of the diagonal (n) */
  double *asked;           /* right-hand side; also scratch (n) */
  gboolean redundant;      /* rows depend on others: factored with compliances */
  gboolean even;           /* compliances are equal, so that reactions have the least norm */
  guint n_vanished;        /* vanished pivots of the last factorization */
  guint32 *vanished;       /* their rows (n_vanished) */
  gboolean factored;       /* the factors are those without compliances */
  guint capacity, entries; /* allocated rows and entries */
  IfbamPivotRange pivots;
  IfbamPoll poll;
} IfbamConstraintSystem;

void ifbam_constraint_system_clear (IfbamConstraintSystem *self);

/* Copies and factors n rows. inverse_mass: 1/m (n_nodes; 0: given node), referenced until the next
 * factorization. node_scratch: (n_nodes), all G_MAXUINT32 before and after. */
void ifbam_constraint_system_set (IfbamConstraintSystem *self, const IfbamConstraintRow *rows,
                                  guint n, const double *inverse_mass, guint32 *node_scratch);
/* For rows that the caller writes: _rows () returns memory for n rows, with the last ones in it.
 * _factor () factors them. known: their nodes are unchanged. */
IfbamConstraintRow *ifbam_constraint_system_rows (IfbamConstraintSystem *self, guint n);
void ifbam_constraint_system_factor (IfbamConstraintSystem *self, guint n, gboolean known,
                                     const double *inverse_mass, guint32 *node_scratch);
/* Records the pivots of a system of n rows until ifbam_constraint_system_is_singular (), which
 * returns whether the rows came near to, or passed, a position where they are dependent. */
void ifbam_constraint_system_watch_pivots (IfbamConstraintSystem *self, guint n);
gboolean ifbam_constraint_system_is_singular (IfbamConstraintSystem *self);
/* Factors with compliances, as for redundant rows; no effect if n = 1. */
void ifbam_constraint_system_share_loads (IfbamConstraintSystem *self);
/* Factors with shift (n) added to the diagonal, as fractions of it; n >= 2. Refinement in
 * ifbam_solver_solve () would remove the shift. */
void ifbam_constraint_system_shift (IfbamConstraintSystem *self, const double *shift);
/* Solves J M^-1 P^T lambda = rhs (n each; may be the same array). */
void ifbam_constraint_system_solve (IfbamConstraintSystem *self, const double *rhs, double *lambda);

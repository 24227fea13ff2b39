/* constraint-system.h: the forces or impulses that keep relations: J M^-1 P^T lambda = rhs, within bounds
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/limits.h"
#include "base/sparse-solver.h"

/* One relation: d delta / d coordinates of its ends, and how these are pulled where it reacts: as the row says,
 * unless its reaction carries a friction that slips. */
typedef struct
{
  guint n_ports;
  guint32 node[IFBAM_MAX_PORTS];
  double row[IFBAM_MAX_PORTS], pull[IFBAM_MAX_PORTS];
  gboolean askew; /* they are not the same */
  double share;   /* of a load that several rows can carry, it takes so much: above 0 */
} IfbamRow;

/* What a row gets by another one's pull: a M^-1 b. mobility: 1/m of each node. */
double ifbam_row_product (const IfbamRow *a, const IfbamRow *b, const double *mobility);

/* Returns the row with forces along its Jacobian. */
static inline IfbamRow
ifbam_row_with_own_force (const IfbamRow *row)
{
  IfbamRow own = *row;

  for (guint e = 0; e < own.n_ports; e++)
    own.pull[e] = own.row[e];
  own.askew = FALSE;
  return own;
}

/* Adds M^-1 P^T lambda to the change of the row's nodes. */
static inline void
ifbam_row_add_change (const IfbamRow *row, double lambda, const double *inverse_mass,
                      double *change)
{
  for (guint e = 0; e < row->n_ports; e++)
    change[row->node[e]] += row->pull[e] * lambda * inverse_mass[row->node[e]];
}

static inline void
ifbam_row_clear_change (const IfbamRow *row, double *change)
{
  for (guint e = 0; e < row->n_ports; e++)
    change[row->node[e]] = 0;
}

/* Returns rhs - J change. */
static inline double
ifbam_row_get_rate (const IfbamRow *row, const double *change, double rhs)
{
  for (guint e = 0; e < row->n_ports; e++)
    rhs -= row->row[e] * change[row->node[e]];
  return rhs;
}

/* Of two rows: entries that meet at a node. */
typedef struct
{
  guint8 row, pull; /* which entry of each */
  guint32 node;
} IfbamCommon;

/* Sizes of pivots since they are watched (n each). */
typedef struct
{
  gboolean is_watched, is_known;
  double *first, *least, *most;
  double least_volume, most_volume; /* of their product, in parts of the first one */
} IfbamPivotRange;

/* Asked while a system is factored for long; goes_on: NULL for none, returns 0 to interrupt. */
typedef struct
{
  int (*goes_on) (void *data);
  void *data;
} IfbamPoll;

/* A system of rows, factored. */
typedef struct
{
  guint n;
  IfbamRow *rows;
  const double *inverse_mass; /* 1/m by node: the caller's, of the last factoring */
  double single;              /* the matrix of one row */
  IfbamSolver *solver;        /* of more; NULL: there were none yet */
  guint32 *start, *column;    /* its pattern */
  guint32 *mirror;            /* of its entries: the place on the other side */
  /* Where the rows of an entry on or below the diagonal meet, from meeting_start[entry] on. */
  guint32 *meeting_start;
  IfbamCommon *meeting;
  guint n_meetings;
  gboolean met;       /* they are known */
  double *shift;      /* what compliance adds */
  double *asked;      /* of the system that is being solved: its right side */
  gboolean redundant; /* some rows follow from others */
  gboolean even;      /* then reactions are the least, whatever their rows weigh */
  guint n_vanished;   /* so many, by the pivots of the last factoring */
  guint32 *vanished;  /* which */
  gboolean factored;  /* without compliance */
  guint capacity, entries;
  IfbamPivotRange pivots;
  IfbamPoll poll;
} IfbamReactions;

void ifbam_reactions_clear (IfbamReactions *self);

/* Factors the rows. mobility: 1/m of each node, 0 of given ones. seat: scratch of the caller, one per
 * node, all G_MAXUINT32 before and after. */
void ifbam_reactions_set (IfbamReactions *self, const IfbamRow *rows, guint n,
                          const double *mobility, guint32 *seat);
/* The same of rows that the caller writes there: room for n, with those of the last time. known: they join the same
 * nodes as these. */
IfbamRow *ifbam_reactions_rows (IfbamReactions *self, guint n);
void ifbam_reactions_factor (IfbamReactions *self, guint n, gboolean known, const double *mobility,
                             guint32 *seat);
/* Watches the pivots of a system of n rows until it is asked whether one of them, and their product, have changed so much that the
 * rows have come near to, or have passed, a position where they are dependent. */
void ifbam_reactions_watch (IfbamReactions *self, guint n);
gboolean ifbam_reactions_are_singular (IfbamReactions *self);
/* Shares reactions out by compliance, as if they had been found redundant. */
void ifbam_reactions_share_out (IfbamReactions *self);
/* Factors them with more on the diagonal, in parts of it (n), whatever that is: solving does not correct it. Two
 * rows or more. */
void ifbam_reactions_shift (IfbamReactions *self, const double *shift);
/* J M^-1 P^T lambda = rhs (n each; may be the same). */
void ifbam_reactions_solve (IfbamReactions *self, const double *rhs, double *lambda);

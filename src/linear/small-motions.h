/* small-motions.h: small motions of a network about its start: M x'' + C x' + K x = 0
 *
 * Adds to a linearization (linearization.h): unbatched links in their mode at the start; forces
 * with a direction that turns, in K; constraints, which reduce the number of coordinates.
 * system-matrices.h makes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint.h"
#include "linear/null-space.h"
#include "linear/linearization.h"
#include "linear/sparse-matrix.h"

/* Matrix of a link that is no sum of rows; by columns. In C: skew, for forces across the motion,
 * which do no work, from J' (v) or from other rates. In K: a force that follows other positions,
 * unsymmetric. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double matrix[IFBAM_MAX_PORTS * IFBAM_MAX_PORTS];
  double measured_row[IFBAM_MAX_PORTS]; /* of K: row that the link measures */
} IfbamGyration;

typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamLinearization *links;
  GArray *extra;        /* IfbamMotionRow over nodes, of unbatched links */
  GArray *gyrations;    /* IfbamGyration, of C */
  GArray *circulations; /* IfbamGyration, of K */
  /* dF/ddelta and dF/drate by slot, then of extra rows (n_rows) */
  double *stiffness, *damping;
  double *turning; /* part of the stiffness by reactions along turning rows */
  gsize n_rows;
  gboolean has_damping;    /* C is not 0, or K is unsymmetric: modes are complex */
  gboolean indefinite;     /* some stiffness is negative */
  gboolean is_constrained; /* constraints leave fewer coordinates than nodes */
  /* Forces along turning rows are included although the start is no equilibrium: the mechanism is
   * held there by constant forces, minus acceleration times inertia. */
  gboolean held_at_start;

  gsize n;         /* number of independent coordinates */
  double *inertia; /* inertia of each (n) */
  IfbamNullSpace
      *null_space; /* motion of nodes per coordinate; NULL: a coordinate per node (n_free) */

  int *mode;         /* of each unbatched link */
  GArray *relations; /* IfbamConstraintRow: bilateral constraints, also with given nodes */
} IfbamSmallMotions;

void ifbam_small_motions_free (IfbamSmallMotions *motions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSmallMotions, ifbam_small_motions_free)

/* Returns names of nonlinear links, in the order of the file; links with modes with the name of the
 * mode: "bumper (open)" (transfer full, NULL-terminated). */
char **ifbam_small_motions_list_nonlinear (const IfbamSmallMotions *motions);

/* Returns a batched link's row over nodes; its index is its slot. */
static inline IfbamMotionRow
ifbam_motion_row_of (const IfbamLinkIter *at)
{
  return (IfbamMotionRow){ .number = at->slot,
                           .n = 2,
                           .at = { at->link->node[0], at->link->node[1] },
                           .entry = { 1, -ifbam_link_ratio (at->link) } };
}

/* Row over coordinates. */
typedef struct
{
  gsize number; /* index in stiffness and damping */
  gsize n;
  gsize *at;
  double *entry;
} IfbamCoordinateRow;

/* Adds the entry of a node to the row over coordinates; entries that cancel become 0. */
void ifbam_coordinate_row_add (const IfbamSmallMotions *motions, IfbamCoordinateRow *row,
                               gsize node, double entry);

/* Iterator over the rows in coordinates. */
typedef struct
{
  const IfbamSmallMotions *motions;
  IfbamLinkIter links;    /* batched links */
  guint index;            /* next extra row */
  IfbamCoordinateRow row; /* present row; the caller may change it */
} IfbamMotionIter;

void ifbam_motion_iter_init (IfbamMotionIter *iter, const IfbamSmallMotions *motions);
void ifbam_motion_iter_clear (IfbamMotionIter *iter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamMotionIter, ifbam_motion_iter_clear)
/* NULL: at the end. */
IfbamCoordinateRow *ifbam_motion_iter_next (IfbamMotionIter *iter);
/* Replaces the present row by that of entries at n nodes, and returns it. */
IfbamCoordinateRow *ifbam_motion_iter_set (IfbamMotionIter *iter, guint n, const guint32 *node,
                                           const double *entry);

/* Calls func for each entry of gyrations (IfbamGyration) in a matrix over coordinates. */
typedef void (*IfbamEntryFunc) (gpointer data, gsize row, gsize column, double value);
void ifbam_small_motions_each_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                                        IfbamEntryFunc func, gpointer data);

/* Returns sum J^T s J over the coordinates for derivatives s by row: `stiffness` gives K with
 * circulations, `damping` C with gyrations. NULL with an error: too many entries. */
IfbamSparse *ifbam_small_motions_matrix (const IfbamSmallMotions *motions, const double *slope,
                                         GError **error);
/* Returns sum s (J x) (J y). Differences of x are formed first, against cancellation. */
double ifbam_small_motions_form (const IfbamSmallMotions *motions, const double *slope,
                                 const double *x, const double *y);

/* Returns x^T G y for the gyrations of C or the circulations of K. */
double ifbam_small_motions_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                                     const double *x, const double *y);

/* Returns a node's displacement from those of the coordinates (n); 0 for a given node. */
static inline double
ifbam_small_motions_node (const IfbamSmallMotions *motions, gsize node, const double *x)
{
  const IfbamNullSpace *null_space = motions->null_space;
  double sum = 0;

  if (node >= motions->model->n_free)
    return 0;
  if (null_space == NULL)
    return x[node];
  x += null_space->first[node];
  for (gsize i = null_space->start[node]; i < null_space->start[node + 1]; i++)
    sum += null_space->factor[i] * *x++;
  return sum;
}

/* TRUE if constraints fix the node. */
static inline gboolean
ifbam_small_motions_is_still (const IfbamSmallMotions *motions, gsize node)
{
  return motions->null_space != NULL && ifbam_null_space_count (motions->null_space, node) == 0;
}

/* system-matrices.h: a network's small motions about its start: M x'' + C x' + K x = 0
 *
 * A linearization (see linearization.h) has the slopes of the links' laws. Here links come in: their
 * laws' slopes in the mode that they have at the start, what a row that turns with its ends adds to K, and
 * the relations that reactions keep, which leave fewer independent coordinates than there are free
 * nodes: what is held together moves as one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint.h"
#include "linear/null-space.h"
#include "linear/linearization.h"
#include "linear/sparse-matrix.h"

/* A matrix that rows don't make, by columns. In C what pushes across the way that it goes, and does no work, as J' (v) turns with the
 * rates, or a force follows the rates of others: a skew one. In K a force that follows the places of others, all of it: its row is
 * what it hears. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double matrix[IFBAM_MAX_PORTS * IFBAM_MAX_PORTS];
  double heard[IFBAM_MAX_PORTS]; /* of K */
} IfbamGyration;

typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamLinearization *links;
  GArray *extra;        /* IfbamMotionRow over nodes, of links */
  GArray *gyrations;    /* IfbamGyration, of C */
  GArray *circulations; /* IfbamGyration, of K */
  /* dF/ddelta and dF/drate of links by their slots, then of extra rows (n_rows) */
  double *stiffness, *damping;
  double *turning; /* the part of the stiffness that reactions bring about, as rows turn */
  gsize n_rows;
  gboolean has_damping; /* C is not 0, or K is not symmetric: modes are complex */
  gboolean indefinite;  /* some stiffness is negative */
  gboolean holds;       /* some nodes have no coordinate of their own */
  /* Forces along rows that turn count, and the start is no place of rest: what would hold the network there stands
   * still as it is pushed (accelerations times inertia, with the opposite sign). */
  gboolean held_there;

  gsize n;             /* independent coordinates */
  double *inertia;     /* of each (n) */
  IfbamKernel *kernel; /* how nodes move with them; NULL: every node has its own (n_free) */

  int *mode;         /* of each link in no batch */
  GArray *relations; /* IfbamConstraintRow: what holds ends together, given ones among them */
} IfbamSmallMotions;

/* A force F along a link's row that turns with its ends adds F (d row / d x) to the stiffness: a
 * symmetric matrix of the ends, whose eigenvectors are rows like any other. Returns how many there are, -1 where the row
 * has no finite slope; x, v: of the ends. */
int ifbam_link_turning (const IfbamLink *link, const double *x, const double *v, double force,
                        double (*rows)[IFBAM_MAX_PORTS], double *stiffness);

/* About the start; what relations carry there is what they would carry at rest. NULL with IFBAM_ERROR_NETWORK: nothing
 * has inertia, a law has no slope, or relations hold too many coordinates together. */
IfbamSmallMotions *ifbam_small_motions_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                            GError **error);
/* The same where at most so many coordinates are held together; 0: the coordinates are not looked for (n is 0), and
 * rows are over nodes. */
IfbamSmallMotions *ifbam_small_motions_new_within (const IfbamModel *model,
                                                   const IfbamRunSpec *spec, gsize most,
                                                   GError **error);
/* As ifbam_small_motions_new (), but massless coordinates remain: their inertia is 0. Springs and dampers may act on them
 * together. */
IfbamSmallMotions *ifbam_small_motions_new_with_massless (const IfbamModel *model,
                                                          const IfbamRunSpec *spec, GError **error);
void ifbam_small_motions_free (IfbamSmallMotions *motions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSmallMotions, ifbam_small_motions_free)

/* Links of batches and single ones whose laws are not straight lines, in the order of the file; links with the name of
 * their mode: "bumper (open)" (transfer full, NULL-terminated). */
char **ifbam_small_motions_list_nonlinear (const IfbamSmallMotions *motions);

/* Returns a batched link's row over nodes; its number is its slot. */
static inline IfbamMotionRow
ifbam_motion_row_of (const IfbamLinkIter *at)
{
  return (IfbamMotionRow){ .number = at->slot,
                           .n = 2,
                           .at = { at->link->node[0], at->link->node[1] },
                           .entry = { 1, -ifbam_link_ratio (at->link) } };
}

/* A row over coordinates, of which there may be many. */
typedef struct
{
  gsize number; /* of its slopes */
  gsize n;
  gsize *at;
  double *entry;
} IfbamCoordinateRow;

/* The rows over coordinates, one after another. */
typedef struct
{
  const IfbamSmallMotions *motions;
  IfbamLinkIter links;    /* batched ones */
  guint index;            /* then of the next extra row */
  IfbamCoordinateRow row; /* the present one: whoever goes through them may change it */
} IfbamMotionIter;

void ifbam_motion_iter_init (IfbamMotionIter *iter, const IfbamSmallMotions *motions);
void ifbam_motion_iter_clear (IfbamMotionIter *iter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamMotionIter, ifbam_motion_iter_clear)
/* NULL: there are no more. */
IfbamCoordinateRow *ifbam_motion_iter_next (IfbamMotionIter *iter);
/* Replaces the present row by that of entries at n nodes, and returns it. */
IfbamCoordinateRow *ifbam_motion_iter_set (IfbamMotionIter *iter, guint n, const guint32 *node,
                                           const double *entry);

/* Calls func for each entry that gyrations (IfbamGyration) add to a matrix over coordinates. */
typedef void (*IfbamEntryFunc) (gpointer data, gsize row, gsize column, double value);
void ifbam_small_motions_each_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                                        IfbamEntryFunc func, gpointer data);

/* sum J^T s J over the coordinates, for slopes s by row: `stiffness` gives K with what follows places, `damping` C with
 * what gyrates. NULL with IFBAM_ERROR_NETWORK where there are more than 2^31 - 1 entries. */
IfbamSparse *ifbam_small_motions_matrix (const IfbamSmallMotions *motions, const double *slope,
                                         GError **error);
/* sum s (J x) (J y): differences of x are taken first, which keeps what a matrix cancels. */
double ifbam_small_motions_form (const IfbamSmallMotions *motions, const double *slope,
                                 const double *x, const double *y);

/* x^T G y of what gyrates, or of what follows places: the list of such of C or K. */
double ifbam_small_motions_gyration (const IfbamSmallMotions *motions, const GArray *gyrations,
                                     const double *x, const double *y);

/* A node's displacement by those of the coordinates (n); a given node has none. */
static inline double
ifbam_small_motions_node (const IfbamSmallMotions *motions, gsize node, const double *x)
{
  const IfbamKernel *kernel = motions->kernel;
  double sum = 0;

  if (node >= motions->model->n_free)
    return 0;
  if (kernel == NULL)
    return x[node];
  x += kernel->first[node];
  for (gsize i = kernel->start[node]; i < kernel->start[node + 1]; i++)
    sum += kernel->factor[i] * *x++;
  return sum;
}

/* Whether a node stands still whatever moves. */
static inline gboolean
ifbam_small_motions_is_still (const IfbamSmallMotions *motions, gsize node)
{
  return motions->kernel != NULL && ifbam_kernel_count (motions->kernel, node) == 0;
}

/* What a unit force on a free node is on the coordinates (n). */
void ifbam_small_motions_force_input (const IfbamSmallMotions *motions, gsize node, double *force);
/* How the free nodes go with a given one that relations join to them, before what is independent moves (transfer full)
 * (n_free); NULL: none goes with it. */
double *ifbam_small_motions_carried (const IfbamSmallMotions *motions, gsize node);
/* How a given node's motion enters: M x'' + C x' + K x = stiffness * its position + damping * its rate
 * (n each), of what is independent. */
void ifbam_small_motions_motion_input (const IfbamSmallMotions *motions, gsize node,
                                       double *stiffness, double *damping);

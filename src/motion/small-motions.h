/* small-motions.h: a network's small motions about its start: M x'' + C x' + K x = 0
 *
 * A linearization (see linearization.h) has the slopes of the links' laws. Here links come in: their
 * laws' slopes in the mode that they have at the start, what a row that turns with its ends adds to K, and
 * the relations that reactions keep, which leave fewer independent coordinates than there are free
 * nodes: what is held together moves as one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/groups.h"
#include "motion/linearization.h"
#include "motion/sparse.h"

typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamLinearization *links;
  GArray *extra; /* IfbamMotionRow over nodes, of links */
  /* dF/ddelta and dF/drate of links by their slots, then of extra rows (n_rows) */
  double *stiffness, *damping;
  gsize n_rows;
  gboolean has_damping; /* C is not 0 */
  gboolean indefinite;  /* some stiffness is negative */
  gboolean holds;       /* some nodes have no coordinate of their own */

  gsize n;         /* independent coordinates */
  double *inertia; /* of each (n) */
  /* Of a free node: its coordinate, or IFBAM_NO_COORDINATE where it is held still, and by how much it
   * moves with it. NULL where every node has its own (n_free). */
  guint32 *coordinate;
  double *factor;

  int *mode; /* of each link */
} IfbamSmallMotions;

#define IFBAM_NO_COORDINATE G_MAXUINT32

/* A force F along a link's row that turns with its ends adds F (d row / d x) to the stiffness: a
 * symmetric matrix of the ends, whose eigenvectors are rows like any other. Returns how many there are;
 * x, v: of the ends. */
guint ifbam_link_turning (const IfbamLink *link, const double *x, const double *v, double force,
                          double (*rows)[IFBAM_MAX_PORTS], double *stiffness);

/* About the start. NULL with IFBAM_ERROR_NETWORK: nothing has inertia, a law has no slope, or a
 * relation between more than two coordinates holds. */
IfbamSmallMotions *ifbam_small_motions_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                            GError **error);
void ifbam_small_motions_free (IfbamSmallMotions *motions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSmallMotions, ifbam_small_motions_free)

/* Links of batches and single ones whose laws are not straight lines, in the order of the file; links with the name of
 * their mode: "bumper (open)" (transfer full, NULL-terminated). */
char **ifbam_small_motions_list_nonlinear (const IfbamSmallMotions *motions);

/* The rows over coordinates, one after another; a row's number is that of its slopes. */
typedef struct
{
  const IfbamSmallMotions *motions;
  guint batch;
  gsize index;
} IfbamMotionIter;

void ifbam_motion_iter_init (IfbamMotionIter *iter, const IfbamSmallMotions *motions);
gboolean ifbam_motion_iter_next (IfbamMotionIter *iter, IfbamMotionRow *row);

/* sum J^T s J over the coordinates, for slopes s by row: `stiffness` gives K, `damping` C. Symmetric.
 * NULL with IFBAM_ERROR_NETWORK where there are more than 2^31 - 1 entries. */
IfbamSparse *ifbam_small_motions_matrix (const IfbamSmallMotions *motions, const double *slope,
                                         GError **error);
/* sum s (J x) (J y): differences of x are taken first, which keeps what a matrix cancels. */
double ifbam_small_motions_form (const IfbamSmallMotions *motions, const double *slope,
                                 const double *x, const double *y);

/* A node's displacement by those of the coordinates (n). */
static inline double
ifbam_small_motions_node (const IfbamSmallMotions *motions, gsize node, const double *x)
{
  if (motions->coordinate == NULL)
    return x[node];
  return motions->coordinate[node] == IFBAM_NO_COORDINATE
             ? 0.0
             : motions->factor[node] * x[motions->coordinate[node]];
}

/* What a unit force on a free node is on the coordinates (n). */
void ifbam_small_motions_force_input (const IfbamSmallMotions *motions, gsize node, double *force);
/* How a given node's motion enters: M x'' + C x' + K x = stiffness * its position + damping * its rate
 * (n each). */
void ifbam_small_motions_motion_input (const IfbamSmallMotions *motions, gsize node,
                                       double *stiffness, double *damping);

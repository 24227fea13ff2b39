/* linearization.h: a network's laws replaced by their tangents at a state
 *
 * A law F (delta, rate) of a link with the row J (see geometry.h) gives
 *   K = sum J^T (dF/ddelta) J    [N/m]     C = sum J^T (dF/drate) J    [N s/m]
 * over the nodes. Links with modes come in by system-matrices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  /* By slot, zero where a slot is of no link (n_slots) */
  double *force, *stiffness, *damping;
  guint8 *nonlinear;      /* bits of IfbamNonlinear */
  gsize n_nonlinear;      /* links of which these are not 0 and that move a free node */
  gboolean has_damping;   /* C is not 0 */
  gsize first_not_finite; /* file order of a link without a slope, or n_links */
} IfbamLinearization;

/* About positions and rates of all nodes (n_nodes), or, where they are NULL, about the start. */
IfbamLinearization *ifbam_linearization_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                             const double *position, const double *rate);
void ifbam_linearization_free (IfbamLinearization *linearization);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLinearization, ifbam_linearization_free)

/* y += sum J^T s J x over all nodes, given ones included (n_nodes), for slopes s by slot: `stiffness`
 * gives K x, `damping` C x. The differences of x are taken first, which keeps what a matrix cancels. */
void ifbam_linearization_multiply (const IfbamLinearization *linearization, const double *slope,
                                   const double *x, double *y);
/* sum s (J x) (J y) over all links: twice the energy for the stiffness and x = y. */
double ifbam_linearization_form (const IfbamLinearization *linearization, const double *slope,
                                 const double *x, const double *y);

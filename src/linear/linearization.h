/* linearization.h: laws of a network replaced by their tangents at a state
 *
 * A law F (delta, rate) of a link with the row J (see geometry.h) gives
 *   K = sum J^T (dF/ddelta) J    [N/m]     C = sum J^T (dF/drate) J    [N s/m]
 * over the nodes. Links with modes are added by system-matrices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  /* By slot; zero for slots of no link (n_slots) */
  double *force, *stiffness, *damping;
  guint8 *nonlinear;      /* bits of IfbamNonlinear */
  gsize n_nonlinear;      /* nonlinear links that move a free node */
  gboolean has_damping;   /* C is not 0 */
  gsize first_not_finite; /* file order of a link without finite derivatives, or n_links */
} IfbamLinearization;

/* Linearizes at positions and rates of all nodes (n_nodes), or, if these are NULL, at the start. */
IfbamLinearization *ifbam_linearization_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                             const double *position, const double *rate);
void ifbam_linearization_free (IfbamLinearization *linearization);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLinearization, ifbam_linearization_free)

/* y += sum J^T s J x over all nodes, given ones included (n_nodes), for derivatives s by slot:
 * `stiffness` gives K x, `damping` C x. Differences of x are formed first, against cancellation. */
void ifbam_linearization_multiply (const IfbamLinearization *linearization, const double *slope,
                                   const double *x, double *y);
/* sum s (J x) (J y) over all links: twice the energy for the stiffness and x = y. */
double ifbam_linearization_form (const IfbamLinearization *linearization, const double *slope,
                                 const double *x, const double *y);

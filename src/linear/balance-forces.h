/* balance-forces.h: forces on the nodes of a network at rest, and their tangents
 *
 * Fixed constraints are exact: coordinates are projected along M^-1 J^T. Others are springs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <float.h>

#include "constraint/constraint.h"
#include "linear/linearization.h"
#include "model/model.h"

/* Rounding of forces: that of the coordinates times the stiffness. */
#define IFBAM_FORCE_ROUNDING (16 * DBL_EPSILON)
/* Residual of a projection, in roundings of the coordinates. */
#define IFBAM_PROJECTION_ROUNDINGS 64

#define IFBAM_ALL_LINKS (IFBAM_LINKS_STORED | IFBAM_LINKS_UNBATCHED)

/* A link's constraint as a spring: force = multiplier + stiffness * (delta - rest). */
typedef struct
{
  gboolean holds;    /* the link has a constraint */
  gboolean fixed;    /* exactly satisfied: its force is the multiplier */
  gboolean one_way;  /* only pushes */
  double rest;       /* [m] */
  double multiplier; /* [N] */
  double stiffness;  /* [N/m] */
} IfbamConstraintSpring;

/* Arrays over nodes have n_free entries, except x. */
typedef struct
{
  const IfbamModel *model;
  double *source;                /* forces of sources */
  IfbamConstraintSpring *spring; /* (n_links) */

  double *x;          /* (n_nodes) */
  double *force;      /* residual */
  double *gross;      /* sum of absolute forces */
  double *rounding;   /* tolerance by rounding of force */
  double *farthest;   /* largest |x| so far */
  double *link_force; /* by slot */
  double energy;      /* [J] */
  double energy_size; /* sum of its absolute terms */

  /* Fixed constraints */
  GArray *fixed;                 /* guint32: links */
  IfbamConstraintRow *fixed_row; /* (fixed) */
  double *fixed_delta;           /* (fixed) */
  double reach;                  /* longest lever arm or length [m] */
  double *inverse_mass;          /* (n_nodes) */
  guint32 *node_scratch;         /* (n_nodes) */
  IfbamConstraintSystem system;  /* of fixed_row at x */

  GArray *rows;         /* IfbamMotionRow over free nodes, of the tangent stiffness */
  GArray *slopes;       /* double: their stiffnesses */
  double *stiff;        /* sum of |stiffness| by node */
  double *step;         /* dx */
  guint most;           /* iterations */
  gboolean unsupported; /* the search ended as forces push a part that nothing holds */
} IfbamBalance;

/* Measures a link at the coordinates and zero rates: x: of its ports (out), row: its Jacobian. */
void ifbam_balance_measure (const IfbamBalance *balance, const IfbamLink *link, double *x,
                            double *delta, double *row);

/* Returns the spring in place of a link's constraint; a batched link has none: NULL. */
const IfbamConstraintSpring *ifbam_balance_spring (const IfbamBalance *balance,
                                                   const IfbamLinkIter *at);

/* Returns the force of such a spring [N]. */
double ifbam_constraint_spring_force (const IfbamConstraintSpring *spring, double delta);

/* Returns the force of a link's law in its mode at zero rate, and of the spring in place of its
 * constraint (NULL: none) [N]. */
double ifbam_balance_link_force (const IfbamLink *link, const IfbamConstraintSpring *spring,
                                 double delta);

/* Projects x onto the fixed constraints. FALSE: it is too far. */
gboolean ifbam_balance_project (IfbamBalance *balance);

/* TRUE if the node is an angle. */
gboolean ifbam_balance_turns (const IfbamBalance *balance, gsize node);

/* Computes forces and energy at x. */
void ifbam_balance_evaluate (IfbamBalance *balance);

/* Returns the largest magnitude of n numbers. */
double ifbam_largest_magnitude (const double *column, gsize n);

/* Computes the rounding of forces at x. Projections spread rounding over all nodes. */
void ifbam_balance_find_rounding (IfbamBalance *balance);

/* Returns the largest residual, relative to its tolerance. Roundings are those at the begin of the
 * step: elsewhere they may be large enough to hide the residual. */
double ifbam_balance_residual (const IfbamBalance *balance);

/* Lists the rows and slopes of the tangent stiffness at x. */
void ifbam_balance_list_rows (IfbamBalance *balance);

/* contact-workspace.h: working data of the contact solver
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-problem.h"
#include "constraint/least-norm.h"

/* The levels of a problem. SHARING is infinitely small compared with the others: there each active
 * row yields by its load times its compliance. It determines how redundant rows share a load. */
enum
{
  IFBAM_CONTACT_RATE,
  IFBAM_CONTACT_ACCELERATION,
  IFBAM_CONTACT_SHARING,
  IFBAM_CONTACT_ALL_LEVELS,
};

/* The state of a row during the search. */
typedef struct
{
  IfbamConstraintRow row; /* J, and P with the frictions that slip on it */
  double inverse_mass;    /* J M^-1 J^T */
  double compliance;      /* weight of lambda^2 */
  guint8 piece;           /* trial piece (IfbamContactPiece) */
  guint8 kept_piece;      /* piece before load sharing */
  guint8 best_piece;      /* piece of the iteration with the least violation */
  gboolean is_given;      /* the row's law is not tested */
  guint8 next_piece;      /* piece on which the row would satisfy its law */
  guint n_changes;        /* changes of the piece */
  double lambda[IFBAM_CONTACT_ALL_LEVELS];
  double u[IFBAM_CONTACT_ALL_LEVELS];
  double rounding[IFBAM_CONTACT_ALL_LEVELS]; /* of u; at least the row's tolerance */
  double bound[IFBAM_CONTACT_ALL_LEVELS];    /* limit + friction N */
  double rest_bound[IFBAM_CONTACT_ALL_LEVELS];
  double cosine[IFBAM_CONTACT_MAX_CARRIERS]; /* d N / d lambda of its carriers */
  double guess;                              /* reaction from which pieces are guessed */
} IfbamContactState;

/* Scratch arrays by node (capacity). */
typedef struct
{
  double *change;    /* M^-1 P^T lambda */
  double *magnitude; /* sum of the magnitudes of the terms of `change` */
  guint32 *scratch;  /* all G_MAXUINT32 between uses */
  gsize capacity;
} IfbamContactNodes;

struct _IfbamContactWorkspace
{
  const IfbamContactProblem *problem;
  guint n, first_level, last_level;
  double span;                /* guesses use q[0] + span q[1] [s] */
  guint load_level;           /* level of the loads that are shared */
  gboolean shares_load;       /* SHARING decides where the other levels leave the active set open */
  IfbamContactState *state;   /* (n) */
  IfbamConstraintRow *active; /* rows of the linear system (n) */
  guint *active_row;          /* (n) */
  double *b, *compliance;     /* (n) */
  double *ray;                /* (n) */
  guint capacity;
  IfbamContactNodes nodes;
  GArray *visited; /* guint64: hashes of tried pieces */
  IfbamLeastNorm system;
  IfbamConstraintSystem interior; /* systems of the convex relaxation */
  guint n_systems, max_systems;
  gboolean is_interrupted, is_redundant;
  gboolean contradicts; /* redundant rows of the last system contradict each other */
  gboolean has_ray;     /* `ray` proves the problem infeasible */
};

/* Allocates memory for n rows and n_nodes nodes. */
void ifbam_contact_workspace_reserve (IfbamContactWorkspace *self, guint n, gsize n_nodes);

/* Clears change at all rows' nodes; adds M^-1 P^T lambda; returns rhs - J change, its rounding. */
void ifbam_contact_clear_change (IfbamContactWorkspace *self);
void ifbam_contact_add_change (IfbamContactWorkspace *self, const IfbamConstraintRow *row,
                               double lambda);
double ifbam_contact_get_rate (const IfbamContactWorkspace *self, const IfbamConstraintRow *row,
                               double rhs);
double ifbam_contact_get_rounding (const IfbamContactWorkspace *self,
                                   const IfbamConstraintRow *row);

/* Adds `times` J of row `along` to another row's force direction; adds the nodes that it lacks. */
void ifbam_contact_add_force (IfbamConstraintRow *row, const IfbamConstraintRow *along,
                              double times);

/* Returns 1, -1 for a friction that slips forward, backward; else 0. */
int ifbam_contact_slip (const IfbamContactWorkspace *self, guint i);

/* Returns whether the limit of linear systems is reached, or the search is interrupted. */
gboolean ifbam_contact_is_stopped (const IfbamContactWorkspace *self);

/* Counts a linear system. FALSE: the search is stopped. */
gboolean ifbam_contact_may_continue (IfbamContactWorkspace *self);

/* Returns q for guesses: of the level that is solved, or of both levels after a short span. */
double ifbam_contact_guess_rhs (const IfbamContactWorkspace *self, guint i);

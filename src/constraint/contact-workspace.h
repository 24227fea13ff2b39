/* contact-workspace.h: the data that the parts of the contact solver share
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-problem.h"
#include "constraint/least-norm.h"

/* The levels of a problem. On a third one, infinitely small beside these, each active row gives way by its load times its
 * compliance: it decides how redundant rows share a load. */
enum
{
  IFBAM_CONTACT_RATE,
  IFBAM_CONTACT_ACCELERATION,
  IFBAM_CONTACT_SHARING,
  IFBAM_CONTACT_ALL_LEVELS,
};

/* A row while its piece is sought. */
typedef struct
{
  IfbamRow row;        /* J, and P with the frictions that slip on it */
  double inverse_mass; /* J M^-1 J^T */
  double compliance;   /* weight of lambda^2 */
  guint8 piece;        /* IfbamContactPiece that is tried */
  guint8 kept_piece;   /* of the best answer so far */
  guint8 best_piece;   /* of the iteration with the least violation */
  gboolean is_given;   /* the row's law is not tested */
  guint8 next_piece;   /* on which the row would keep its law */
  guint n_changes;     /* of its piece */
  double lambda[IFBAM_CONTACT_ALL_LEVELS];
  double u[IFBAM_CONTACT_ALL_LEVELS];
  double rounding[IFBAM_CONTACT_ALL_LEVELS]; /* of u: the row's tolerance, or that of its terms */
  double bound[IFBAM_CONTACT_ALL_LEVELS];    /* limit + friction N */
  double rest_bound[IFBAM_CONTACT_ALL_LEVELS];
  double cosine[IFBAM_CONTACT_MAX_CARRIERS]; /* d N / d lambda of its carriers */
  double guess;                              /* reaction by which pieces are guessed */
} IfbamContactState;

/* Memory by node. */
typedef struct
{
  double *change;    /* M^-1 P^T lambda */
  double *magnitude; /* sum of the sizes of its terms */
  guint32 *scratch;  /* all G_MAXUINT32 */
  gsize capacity;
} IfbamContactNodes;

struct _IfbamContactWorkspace
{
  const IfbamContactProblem *problem;
  guint n, first_level, last_level;
  double span;              /* by which guesses weigh level 1 beside level 0 [s] */
  guint load_level;         /* level whose reactions are shared */
  gboolean shares_load;     /* SHARING decides where the other levels leave the active set open */
  IfbamContactState *state; /* (n) */
  IfbamRow *active;         /* rows of the linear system (n) */
  guint *active_row;        /* (n) */
  double *b, *compliance;   /* (n) */
  double *ray;              /* (n) */
  guint capacity;
  IfbamContactNodes nodes;
  GArray *visited; /* guint64: hashes of the pieces that were tried */
  IfbamLeastNorm system;
  IfbamReactions interior; /* systems of the convex relaxation */
  guint n_systems, max_systems;
  gboolean is_interrupted, is_redundant;
  gboolean contradicts; /* redundant rows of the last system contradict each other */
  gboolean has_ray;     /* the problem is infeasible, by `ray` */
};

/* Makes room for n rows and so many nodes. */
void ifbam_contact_workspace_reserve (IfbamContactWorkspace *self, guint n, gsize n_nodes);

/* change = 0 at all rows' nodes; change += M^-1 P^T lambda of a row; rhs - J change; rounding of that. */
void ifbam_contact_clear_change (IfbamContactWorkspace *self);
void ifbam_contact_add_change (IfbamContactWorkspace *self, const IfbamRow *row, double lambda);
double ifbam_contact_get_rate (const IfbamContactWorkspace *self, const IfbamRow *row, double rhs);
double ifbam_contact_get_rounding (const IfbamContactWorkspace *self, const IfbamRow *row);

/* Adds `times` J of a row to the force direction of another, which gets its nodes if it lacks them. */
void ifbam_contact_turn_force (IfbamRow *row, const IfbamRow *along, double times);

/* 1, -1: a friction that slips forward or backward; 0: it sticks, or the row is no friction. */
int ifbam_contact_slip (const IfbamContactWorkspace *self, guint i);

/* Whether the limit of linear systems is reached, or the search is interrupted. */
gboolean ifbam_contact_is_stopped (const IfbamContactWorkspace *self);

/* Counts a linear system. FALSE: the search is stopped. */
gboolean ifbam_contact_may_continue (IfbamContactWorkspace *self);

/* q of guesses: of the level that is solved, or of both levels after a short span. */
double ifbam_contact_guess_rhs (const IfbamContactWorkspace *self, guint i);

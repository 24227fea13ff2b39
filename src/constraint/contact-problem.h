/* contact-problem.h: constraints with unilateral contact and Coulomb friction: one problem
 *
 * Rows i = 1..n have a Jacobian J, a force direction P and masses M at their nodes:
 *
 *   u = q - J M^-1 P^T lambda          q: rate without reactions, u: remaining rate
 *
 *   bilateral    u = 0
 *   unilateral   lambda >= 0,  u <= 0,  lambda u = 0
 *   friction     |lambda| <= b,  lambda = b sign u where u != 0;  b = limit + friction N
 *
 * N is the reaction of the friction's carrier (normal constraint), or the norm of two of these.
 *
 * Two levels: q = q[0] + e q[1], e an infinitely short time. Level 0 has rates and impulses, level
 * 1 accelerations and finite reactions. Laws hold lexicographically: level 1 decides only where
 * level 0 is 0. A solution without impulses is preferred. If there is none (Painleve 1895), one
 * with impulses exists if the rows are feasible (Stewart & Trinkle 1996).
 *
 * Redundant rows share loads with the least sum of compliance lambda^2. Without friction the
 * solution is independent of the rows' order and the guess; with friction several may be valid.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint-system.h"

#define IFBAM_CONTACT_LEVELS       2
#define IFBAM_CONTACT_MAX_CARRIERS 2

typedef enum
{
  IFBAM_CONTACT_BILATERAL,
  IFBAM_CONTACT_UNILATERAL,
  IFBAM_CONTACT_FRICTION, /* without carriers: |lambda| <= limit */
} IfbamContactKind;

/* The pieces of a row's law; on each piece the law is linear. */
typedef enum
{
  IFBAM_CONTACT_OPEN,     /* lambda = 0 */
  IFBAM_CONTACT_CLOSED,   /* u = 0; a friction sticks */
  IFBAM_CONTACT_FORWARD,  /* lambda = b,  u >= 0 */
  IFBAM_CONTACT_BACKWARD, /* lambda = -b, u <= 0 */
} IfbamContactPiece;

/* A constraint row. A friction has a larger index than its carriers, which are no frictions. */
typedef struct
{
  IfbamConstraintRow row; /* nodes (all different), J, P; share: weight in a shared load */
  IfbamContactKind kind;
  double rhs[IFBAM_CONTACT_LEVELS];       /* q [m/s, m/s^2] */
  double tolerance[IFBAM_CONTACT_LEVELS]; /* rounding of u, above 0 [m/s, m/s^2] */
  /* Frictions only. */
  guint n_carriers, carrier[IFBAM_CONTACT_MAX_CARRIERS];
  double friction;                  /* coefficient of friction */
  double limit;                     /* constant part of the bound, on the last level [N s or N] */
  double rest_friction, rest_limit; /* of a second bound: applies at rest if it is larger */
  /* Input: a guess; output: the solution. */
  IfbamContactPiece piece;
  gboolean is_given; /* the piece is prescribed: the row's law is not tested */
  /* Output. */
  double lambda[IFBAM_CONTACT_LEVELS]; /* [N s, N] */
  double u[IFBAM_CONTACT_LEVELS];      /* [m/s, m/s^2] */
} IfbamContactRow;

typedef struct
{
  IfbamContactRow *row;
  guint n;
  const double *inverse_mass; /* 1/m by node; 0: prescribed */
  gsize n_nodes;
  guint n_levels;      /* 1 or 2 */
  gboolean has_guess;  /* the rows' pieces are a guess; else the solver guesses */
  gboolean keeps_idle; /* a closed row without load stays closed; else it opens */
  /* Whether compliances are equal, not proportional to the rows' inverse masses. */
  gboolean shares_evenly;
  guint max_systems; /* limit of linear systems */
  /* Called before linear systems and in long factorizations; 0 interrupts. NULL: no check. */
  int (*may_continue) (void *data);
  void *data;
} IfbamContactProblem;

typedef enum
{
  IFBAM_CONTACT_SOLVED,      /* every law holds to rounding; contact-certificate.c has checked it */
  IFBAM_CONTACT_NO_SOLUTION, /* proven: by `ray`, or by trial of all choices of pieces */
  IFBAM_CONTACT_LIMIT,       /* no solution was found, or the search was interrupted */
} IfbamContactStatus;

typedef struct
{
  gboolean is_impulsive; /* level 0 has impulses although no rate q[0] approaches */
  gboolean is_redundant; /* the reactions are not unique */
  double violation;      /* largest violation of a law, in tolerances of its row */
  /* Proof of infeasibility (n, owned by the workspace): J^T y = 0 at free nodes, y >= 0 of
   * unilateral rows, q y > 0 (Farkas 1902). NULL: there is none. */
  const double *ray;
  guint n_systems; /* linear systems that were factored */
} IfbamContactResult;

typedef struct _IfbamContactWorkspace IfbamContactWorkspace;

IfbamContactWorkspace *ifbam_contact_workspace_new (void);
void ifbam_contact_workspace_free (IfbamContactWorkspace *self); /* NULL: nothing */

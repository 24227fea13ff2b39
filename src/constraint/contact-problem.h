/* contact-problem.h: constraints with unilateral contact and Coulomb friction: one problem
 *
 * Rows i = 1..n have a Jacobian J, a force direction P and masses M at their nodes:
 *
 *   u = q - J M^-1 P^T lambda          q: rate without reactions, u: rate that is left
 *
 *   bilateral    u = 0
 *   unilateral   lambda >= 0,  u <= 0,  lambda u = 0
 *   friction     |lambda| <= b,  lambda = b sign u where u != 0;  b = limit + friction N
 *
 * N is the reaction of the row's carrier, or the norm of the reactions of two carriers.
 *
 * Two levels: q = q[0] + e q[1] with an infinitely short time e; level 0 is the rate, level 1 the acceleration, lambda[0]
 * are impulses, lambda[1] finite reactions. Every law holds lexicographically: level 1 decides only where level 0 is 0. An
 * answer without impulses is preferred. Where there is none (Painleve 1895), one with impulses exists if the rows are
 * feasible (Stewart & Trinkle 1996).
 *
 * Redundant rows share their load by least sum (compliance lambda^2). Without friction the answer depends neither on the
 * order of the rows nor on the guess. With friction several answers may be valid; one of them is returned.
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
  IFBAM_CONTACT_FRICTION, /* without carriers: within a box of half width `limit` */
} IfbamContactKind;

/* On each of these pieces of its law a row is linear. */
typedef enum
{
  IFBAM_CONTACT_OPEN,     /* lambda = 0 */
  IFBAM_CONTACT_CLOSED,   /* u = 0; a friction sticks */
  IFBAM_CONTACT_FORWARD,  /* lambda = b,  u >= 0 */
  IFBAM_CONTACT_BACKWARD, /* lambda = -b, u <= 0 */
} IfbamContactPiece;

/* A constraint row. A friction stands behind its carriers, which are no frictions. */
typedef struct
{
  IfbamRow row; /* nodes (all different), J, P; share: weight of its part of a shared load */
  IfbamContactKind kind;
  double rhs[IFBAM_CONTACT_LEVELS];       /* q [m/s, m/s^2] */
  double tolerance[IFBAM_CONTACT_LEVELS]; /* u below this is rounding; above 0 */
  /* Of a friction. */
  guint n_carriers, carrier[IFBAM_CONTACT_MAX_CARRIERS];
  double friction; /* coefficient of friction */
  double limit;    /* constant part of the bound, on the last level [N s or N] */
  double rest_friction,
      rest_limit; /* the same of a second bound, which counts at rest if it is larger */
  /* In: a guess; out: the answer. */
  IfbamContactPiece piece;
  gboolean is_given; /* the piece is no guess but known: the row's law is not tested */
  /* Out. */
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
  gboolean has_guess;  /* the pieces of the rows; else frictions are guessed */
  gboolean keeps_idle; /* a row that is closed without a load stays closed; else it opens */
  /* Whether compliances are equal; else they are proportional to the rows' inverse masses. */
  gboolean shares_evenly;
  guint max_systems; /* linear systems at most */
  /* Called before each linear system and while it is factored; returns 0 to interrupt. NULL: none. */
  int (*may_continue) (void *data);
  void *data;
} IfbamContactProblem;

typedef enum
{
  IFBAM_CONTACT_SOLVED,      /* every law holds to rounding, as the certificate has checked */
  IFBAM_CONTACT_NO_SOLUTION, /* proven: by `ray`, or since every choice of pieces breaks a law */
  IFBAM_CONTACT_LIMIT,       /* none was found, or it was interrupted */
} IfbamContactStatus;

typedef struct
{
  gboolean is_impulsive; /* level 0 has reactions though q[0] presses nothing together */
  gboolean is_redundant; /* reactions are one choice of many */
  double violation;      /* the largest of any law, in tolerances of its row */
  /* Of an infeasible problem (n, the workspace's): J^T y = 0 at free nodes, y >= 0 of unilateral rows, q y > 0 (Farkas
   * 1902). Else NULL. */
  const double *ray;
  guint n_systems; /* linear systems that were factored */
} IfbamContactResult;

typedef struct _IfbamContactWorkspace IfbamContactWorkspace;

IfbamContactWorkspace *ifbam_contact_workspace_new (void);
void ifbam_contact_workspace_free (IfbamContactWorkspace *self); /* NULL: nothing */

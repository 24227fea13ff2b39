/* eigenproblem.h: what the solvers of the eigenvalue analysis share
 *
 * Coordinates: u = M^1/2 x, in which M is the unit matrix. A body is a part of the network that no
 * stiffness holds: its rigid motions are the null space of K.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "linear/ifbam-modes.h"
#include "linear/system-matrices.h"

typedef struct
{
  guint count;   /* of modes; 0: all */
  gboolean some; /* by ARPACK, however small the network is */
  double near;   /* those nearest to this frequency; 0: the lowest [Hz] */
  /* Called now and then during long work; FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, const char *what);
  gpointer data;
} IfbamModesRequest;

typedef struct
{
  double complex s; /* eigenvalue, Im >= 0 [1/s] */
  double partner;   /* of an overdamped one the other of its pair; 0: not known [1/s] */
  IfbamModeKind kind;
  double *shape, *imaginary; /* x; imaginary: NULL where x is real (n) */
} IfbamEigenpair;

typedef struct
{
  const IfbamSmallMotions *motions;
  gsize n;      /* coordinates */
  double *root; /* M^-1/2: x = root u (n) */
  gsize n_bodies;
  guint32 *body; /* of a coordinate, or IFBAM_NO_BODY (n) */
  double *lever; /* by how much it moves with its body (n) */
  gboolean
      blurred; /* some rows join more than two coordinates: what nothing holds is found by its eigenvalue */
} IfbamEigenproblem;

#define IFBAM_NO_BODY G_MAXUINT32

void ifbam_eigenproblem_init (IfbamEigenproblem *problem, const IfbamSmallMotions *motions);
void ifbam_eigenproblem_clear (IfbamEigenproblem *problem);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamEigenproblem, ifbam_eigenproblem_clear)

/* A pair with room for its shape. */
/* Pairs overdamped modes, of which the shape says both exponents (s^2 M + s C + K projected on it): the two that say each
 * other's best first. Sets `partner`. */
void ifbam_eigenproblem_pair_overdamped (const IfbamEigenproblem *problem, GPtrArray *pairs);

IfbamEigenpair *ifbam_eigenpair_new (const IfbamEigenproblem *problem, double complex s,
                                     IfbamModeKind kind, gboolean is_complex);
void ifbam_eigenpair_free (IfbamEigenpair *pair);

/* The rigid motions of the bodies. */
void ifbam_eigenproblem_add_bodies (const IfbamEigenproblem *problem, GPtrArray *pairs);
/* The mode or modes of one real shape with x^T M x = 1 (not owned), where x^T K x = stiffness and
 * x^T C x = damping: s^2 + damping s + stiffness = 0. Without stiffness: only the one that decays. */
void ifbam_eigenproblem_add_real (const IfbamEigenproblem *problem, double stiffness,
                                  double damping, const double *shape, GPtrArray *pairs);
/* s from a shape by the quadratic x^T (s^2 M + s C + K) x = 0, link by link: an error of the shape
 * enters by its square. The root that is nearest to one of a few; where none is near (two eigenvalues
 * are nearly one), the first of these. */
double complex ifbam_eigenproblem_refine (const IfbamEigenproblem *problem,
                                          const double complex *near, guint n_near,
                                          const double *real, const double *imaginary);
/* x^T K x of a shape; is_null: it is rounding. */
double ifbam_eigenproblem_quotient (const IfbamEigenproblem *problem, const double *shape,
                                    gboolean *is_null);

/* modes-dense.c: all modes, by LAPACK. */
gboolean ifbam_modes_solve_dense (const IfbamEigenproblem *problem, GPtrArray *pairs,
                                  GError **error);
/* modes-sparse.c: some modes, by ARPACK. */
gboolean ifbam_modes_solve_sparse (const IfbamEigenproblem *problem,
                                   const IfbamModesRequest *request, GPtrArray *pairs,
                                   GError **error);

/* How far an eigenvalue is from those that were asked for. */
static inline double
ifbam_modes_distance (const IfbamModesRequest *request, double complex s)
{
  return cabs (s - I * (2 * G_PI * request->near));
}

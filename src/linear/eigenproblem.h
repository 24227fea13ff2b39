/* eigenproblem.h: shared data of the eigenvalue solvers
 *
 * Coordinates u = M^1/2 x, in which M is the unit matrix. A body is a part of the network that no
 * stiffness supports: its rigid motions are the null space of K.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "linear/ifbam-modes.h"
#include "linear/system-matrices.h"

typedef struct
{
  guint count;   /* number of modes; 0: all */
  gboolean some; /* use ARPACK for any size */
  double near;   /* the modes nearest to this frequency; 0: the lowest [Hz] */
  /* Called during long work; FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, const char *what);
  gpointer data;
} IfbamModesRequest;

typedef struct
{
  double complex s; /* eigenvalue, Im >= 0 [1/s] */
  double partner;   /* other exponent of an overdamped pair; 0: not known [1/s] */
  IfbamModeKind kind;
  double *shape, *imaginary; /* x; imaginary: NULL if x is real (n) */
} IfbamEigenpair;

typedef struct
{
  const IfbamSmallMotions *motions;
  gsize n;      /* number of coordinates */
  double *root; /* M^-1/2: x = root u (n) */
  gsize n_bodies;
  guint32 *body; /* body of a coordinate, or IFBAM_NO_BODY (n) */
  double *lever; /* displacement of a coordinate per motion of its body (n) */
  gboolean
      has_wide_rows; /* rows with more than two coordinates: rigid motions are found as eigenvectors */
} IfbamEigenproblem;

#define IFBAM_NO_BODY G_MAXUINT32

void ifbam_eigenproblem_init (IfbamEigenproblem *problem, const IfbamSmallMotions *motions);
void ifbam_eigenproblem_clear (IfbamEigenproblem *problem);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamEigenproblem, ifbam_eigenproblem_clear)

/* Creates a pair with memory for its shape. */
/* Pairs overdamped modes: each shape gives two exponents (s^2 M + s C + K projected on it), and the
 * modes that match best are paired first. Sets `partner`. */
void ifbam_eigenproblem_pair_overdamped (const IfbamEigenproblem *problem, GPtrArray *pairs);

IfbamEigenpair *ifbam_eigenpair_new (const IfbamEigenproblem *problem, double complex s,
                                     IfbamModeKind kind, gboolean is_complex);
void ifbam_eigenpair_free (IfbamEigenpair *pair);

/* Adds the rigid motions of the bodies. */
void ifbam_eigenproblem_add_bodies (const IfbamEigenproblem *problem, GPtrArray *pairs);
/* Adds the mode or modes of a real shape with x^T M x = 1 (not owned), x^T K x = stiffness and x^T
 * C x = damping: roots of s^2 + damping s + stiffness = 0. Without stiffness: one root. */
void ifbam_eigenproblem_add_real (const IfbamEigenproblem *problem, double stiffness,
                                  double damping, const double *shape, GPtrArray *pairs);
/* Computes s from a shape by x^T (s^2 M + s C + K) x = 0, link by link, so that errors of the shape
 * enter by their square. Returns the root nearest to one of `near` (n_near); if none is near
 * (almost equal eigenvalues), near[0]. */
double complex ifbam_eigenproblem_refine (const IfbamEigenproblem *problem,
                                          const double complex *near, guint n_near,
                                          const double *real, const double *imaginary);
/* Returns x^T K x of a shape; is_null: it is rounding. */
double ifbam_eigenproblem_quotient (const IfbamEigenproblem *problem, const double *shape,
                                    gboolean *is_null);

/* modes-dense.c: all modes, by LAPACK. */
gboolean ifbam_modes_solve_dense (const IfbamEigenproblem *problem, GPtrArray *pairs,
                                  GError **error);
/* modes-sparse.c: some modes, by ARPACK. */
gboolean ifbam_modes_solve_sparse (const IfbamEigenproblem *problem,
                                   const IfbamModesRequest *request, GPtrArray *pairs,
                                   GError **error);

/* Returns the distance of an eigenvalue from the requested frequency [1/s]. */
static inline double
ifbam_modes_distance (const IfbamModesRequest *request, double complex s)
{
  return cabs (s - I * (2 * G_PI * request->near));
}

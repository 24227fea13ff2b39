/* least-norm.h: linear systems of constraint rows, with least-norm solutions for redundant rows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint-system.h"

typedef struct
{
  IfbamConstraintSystem rows; /* the factored rows: all, or an independent subset of them */
  /* Not owned; used until the next factorization. */
  const IfbamConstraintRow *all; /* rows (n) */
  const double *inverse_mass;    /* 1/m (n_nodes) */
  double *change;                /* node scratch (n_nodes) */
  guint n, capacity;
  gboolean is_redundant;
  guint n_dependent;   /* eliminated dependent rows; 0: none, or too many */
  guint *independent;  /* indices of the factored rows (n - n_dependent) */
  double *null_vector; /* Z: J M^-1 P^T z = 0 (n_dependent x n) */
  double *relation;    /* Y: y^T J = 0 at free nodes (n_dependent x n) */
  double *gram;        /* L and U of Y^T D Z (n_dependent x n_dependent) */
  double *compliance;  /* D (n) */
  double *scratch;     /* (3 n) */
} IfbamLeastNorm;

void ifbam_least_norm_clear (IfbamLeastNorm *self);

/* Factors n rows. compliance (n): weights of lambda^2. exact: eliminates redundant rows; else they
 * get small compliances. node_scratch, change: (n_nodes), the former all G_MAXUINT32. */
void ifbam_least_norm_factor (IfbamLeastNorm *self, const IfbamConstraintRow *rows, guint n,
                              gboolean exact, const double *compliance, const double *inverse_mass,
                              guint32 *node_scratch, double *change);

/* Solves J M^-1 P^T lambda = b (n each, may be the same array) with the least sum of compliance
 * times lambda^2. FALSE: redundant rows contradict each other, and some keep a residual. */
gboolean ifbam_least_norm_solve (IfbamLeastNorm *self, const double *b, double *lambda);

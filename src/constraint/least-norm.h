/* least-norm.h: linear systems of constraint rows, with the answer of least norm where rows are redundant
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint-system.h"

typedef struct
{
  IfbamReactions rows; /* the factored rows: all, or an independent subset of them */
  const IfbamRow *
      all; /* the rows (n), 1/m by node, and a scratch by node: the caller's, until the next factoring */
  const double *inverse_mass;
  double *change;
  guint n, capacity;
  gboolean is_redundant;
  guint n_dependent;   /* rows that follow from others and are eliminated; 0: none, or too many */
  guint *independent;  /* rows that are factored (n - n_dependent) */
  double *null_vector; /* Z: J M^-1 P^T z = 0 (n_dependent x n) */
  double *relation;    /* Y: y^T J = 0 at free nodes (n_dependent x n) */
  double *gram;        /* factors L and U of Y^T D Z (n_dependent x n_dependent) */
  double *compliance;  /* D (n) */
  double *scratch;     /* (3 n) */
} IfbamLeastNorm;

void ifbam_least_norm_clear (IfbamLeastNorm *self);

/* Factors n rows. compliance (n): weights of lambda^2. exact: redundant rows are eliminated, else each gives way a little.
 * node_scratch: one per node, all G_MAXUINT32 before and after; change: one per node. */
void ifbam_least_norm_factor (IfbamLeastNorm *self, const IfbamRow *rows, guint n, gboolean exact,
                              const double *compliance, const double *inverse_mass,
                              guint32 *node_scratch, double *change);

/* Solves J M^-1 P^T lambda = b (n each, may be the same) with the least sum of lambda^2 compliance. FALSE: redundant rows
 * contradict each other, and some of them are left a residual. */
gboolean ifbam_least_norm_solve (IfbamLeastNorm *self, const double *b, double *lambda);

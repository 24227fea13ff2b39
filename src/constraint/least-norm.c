/* least-norm.c: least-norm solution of linear systems of constraint rows, J M^-1 P^T lambda = b
 *
 * Rows with vanishing pivots depend on the other rows, w. W, the matrix of w, is factored again.
 * Each dependent row v gives a null vector z = (-W^-1 w v, 1) and a dependency y^T J = 0.
 * Compliances D agree with it if Y^T D lambda = 0. The projection lambda - Z (Y^T D Z)^-1 Y^T D
 * lambda satisfies this for any size of D. If P = J, then Y = Z, and the sum of D lambda^2 is
 * least. Above MAX_DEPENDENT dependent rows, constraint-system.c adds compliances instead.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/least-norm.h"

#include <math.h>
#include <string.h>

#define MAX_DEPENDENT 48   /* above, the dense part Y^T D Z costs more than the sparse one */
#define CONTRADICTION 1e-8 /* y^T b above this fraction of its terms is no rounding error */

void
ifbam_least_norm_clear (IfbamLeastNorm *self)
{
  ifbam_constraint_system_clear (&self->rows);
  g_free (self->independent);
  g_free (self->null_vector);
  g_free (self->relation);
  g_free (self->gram);
  g_free (self->compliance);
  g_free (self->scratch);
  memset (self, 0, sizeof *self);
}

static void
reserve (IfbamLeastNorm *self, guint n)
{
  if (n < self->capacity)
    return;
  self->capacity = MAX (2 * self->capacity, n + 1);
  self->independent = g_renew (guint, self->independent, self->capacity);
  self->compliance = g_renew (double, self->compliance, self->capacity);
  self->scratch = g_renew (double, self->scratch, 3 * (gsize) self->capacity);
}

/* Solves for the independent rows; the other lambda are 0. b and lambda may be the same array. */
static void
solve_independent (IfbamLeastNorm *self, const double *b, double *lambda)
{
  const guint m = self->n - self->n_dependent;
  double *part = self->scratch + self->n;

  for (guint k = 0; k < m; k++)
    part[k] = b[self->independent[k]];
  ifbam_constraint_system_solve (&self->rows, part, part);
  memset (lambda, 0, self->n * sizeof *lambda);
  for (guint k = 0; k < m; k++)
    lambda[self->independent[k]] = part[k];
}

/* Computes residual = b - J M^-1 P^T lambda (n each). b: NULL is 0. */
static void
find_residual (const IfbamLeastNorm *self, const IfbamConstraintRow *rows, const double *b,
               const double *lambda, double *residual)
{
  for (guint i = 0; i < self->n; i++)
    ifbam_row_clear_change (&rows[i], self->change);
  for (guint i = 0; i < self->n; i++)
    ifbam_row_add_change (&rows[i], lambda[i], self->inverse_mass, self->change);
  for (guint i = 0; i < self->n; i++)
    residual[i] = ifbam_row_get_rate (&rows[i], self->change, b == NULL ? 0 : b[i]);
}

/* Refines a solution once: almost dependent rows cost half of its digits. */
static void
refine (IfbamLeastNorm *self, const IfbamConstraintRow *rows, const double *b, double *lambda)
{
  double *residual = self->scratch + 2 * (gsize) self->n;

  find_residual (self, rows, b, lambda, residual);
  solve_independent (self, residual, residual);
  for (guint i = 0; i < self->n; i++)
    lambda[i] += residual[i];
}

/* Factors the independent rows, finds null vectors (n_dependent x n). FALSE: still redundant. */
static gboolean
find_null_vectors (IfbamLeastNorm *self, const IfbamConstraintRow *rows, const guint32 *dependent,
                   guint32 *node_scratch, double *null_vector)
{
  const guint m = self->n - self->n_dependent;
  g_autofree IfbamConstraintRow *kept = g_new (IfbamConstraintRow, m);

  for (guint k = 0; k < m; k++)
    kept[k] = rows[self->independent[k]];
  ifbam_constraint_system_set (&self->rows, kept, m, self->inverse_mass, node_scratch);
  for (guint a = 0; a < self->n_dependent && !self->rows.redundant; a++)
    {
      double *z = null_vector + (gsize) a * self->n;

      for (guint i = 0; i < self->n; i++)
        z[i] = -ifbam_row_product (&rows[i], &rows[dependent[a]], self->inverse_mass);
      solve_independent (self, z, z);
      z[dependent[a]] = 1;
      refine (self, rows, NULL, z);
    }
  return !self->rows.redundant;
}

/* Factors Y^T D Z = L U, with unit diagonal of L. FALSE: a pivot is not positive. */
static gboolean
factor_gram (IfbamLeastNorm *self)
{
  const guint k = self->n_dependent;

  for (guint a = 0; a < k; a++)
    {
      for (guint b = 0; b < k; b++)
        {
          const double *y = self->relation + (gsize) a * self->n;
          const double *z = self->null_vector + (gsize) b * self->n;
          double sum = 0;

          for (guint i = 0; i < self->n; i++)
            sum += y[i] * self->compliance[i] * z[i];
          for (guint c = 0; c < MIN (a, b); c++)
            sum -= self->gram[a * k + c] * self->gram[c * k + b];
          self->gram[a * k + b] = b < a ? sum / self->gram[b * k + b] : sum;
        }
      if (!(self->gram[a * k + a] > 0))
        return FALSE;
    }
  return TRUE;
}

/* Finds Y and Z, which are equal if P = J. FALSE: the independent rows are still redundant. */
static gboolean
find_relations (IfbamLeastNorm *self, const guint32 *dependent, guint32 *node_scratch)
{
  g_autofree IfbamConstraintRow *own = NULL;
  gboolean is_askew = FALSE;

  for (guint i = 0; i < self->n; i++)
    is_askew |= self->all[i].askew;
  if (is_askew)
    {
      own = g_new (IfbamConstraintRow, self->n);
      for (guint i = 0; i < self->n; i++)
        own[i] = ifbam_row_with_own_force (&self->all[i]);
    }
  if (!find_null_vectors (self, is_askew ? own : self->all, dependent, node_scratch,
                          self->relation))
    return FALSE;
  if (is_askew)
    return find_null_vectors (self, self->all, dependent, node_scratch, self->null_vector);
  memcpy (self->null_vector, self->relation,
          (gsize) self->n_dependent * self->n * sizeof *self->relation);
  return TRUE;
}

/* Eliminates dependent rows. FALSE: the others are still redundant, or Y^T D Z is singular. */
static gboolean
eliminate_dependent (IfbamLeastNorm *self, guint32 *node_scratch)
{
  const guint n = self->n, k = self->rows.n_vanished;
  g_autofree guint32 *dependent = g_memdup2 (self->rows.vanished, k * sizeof (guint32));
  g_autofree gboolean *is_dependent = g_new0 (gboolean, n);
  guint m = 0;

  for (guint a = 0; a < k; a++)
    is_dependent[dependent[a]] = TRUE;
  for (guint i = 0; i < n; i++)
    if (!is_dependent[i])
      self->independent[m++] = i;
  self->n_dependent = k;
  self->relation = g_renew (double, self->relation, (gsize) k *n);
  self->null_vector = g_renew (double, self->null_vector, (gsize) k *n);
  self->gram = g_renew (double, self->gram, (gsize) k *k);
  return find_relations (self, dependent, node_scratch) && factor_gram (self);
}

void
ifbam_least_norm_factor (IfbamLeastNorm *self, const IfbamConstraintRow *rows, guint n,
                         gboolean exact, const double *compliance, const double *inverse_mass,
                         guint32 *node_scratch, double *change)
{
  reserve (self, n);
  self->n = n;
  self->all = rows;
  self->inverse_mass = inverse_mass;
  self->change = change;
  self->n_dependent = 0;
  for (guint i = 0; i < n; i++)
    self->compliance[i] = compliance[i];
  ifbam_constraint_system_set (&self->rows, rows, n, inverse_mass, node_scratch);
  self->is_redundant = n > 1 && self->rows.redundant;
  if (!exact || !self->is_redundant || self->rows.n_vanished == 0
      || self->rows.n_vanished > MAX_DEPENDENT || eliminate_dependent (self, node_scratch))
    return;
  self->n_dependent = 0;
  ifbam_constraint_system_set (&self->rows, rows, n, inverse_mass, node_scratch);
}

/* Returns whether b agrees with the dependencies of the rows: y^T b = 0. */
static gboolean
is_consistent (const IfbamLeastNorm *self, const double *b)
{
  for (guint a = 0; a < self->n_dependent; a++)
    {
      const double *y = self->relation + (gsize) a * self->n;
      double sum = 0, terms = 0;

      for (guint i = 0; i < self->n; i++)
        {
          sum += y[i] * b[i];
          terms += fabs (y[i] * b[i]);
        }
      if (fabs (sum) > CONTRADICTION * terms)
        return FALSE;
    }
  return TRUE;
}

/* Subtracts null vectors from lambda, so that Y^T D lambda = 0. */
static void
project (const IfbamLeastNorm *self, double *lambda)
{
  const guint n = self->n, k = self->n_dependent;
  double part[MAX_DEPENDENT];

  for (guint a = 0; a < k; a++)
    {
      const double *y = self->relation + (gsize) a * n;

      part[a] = 0;
      for (guint i = 0; i < n; i++)
        part[a] += y[i] * self->compliance[i] * lambda[i];
      for (guint c = 0; c < a; c++)
        part[a] -= self->gram[a * k + c] * part[c];
    }
  for (guint a = k; a-- > 0;)
    {
      for (guint c = a + 1; c < k; c++)
        part[a] -= self->gram[a * k + c] * part[c];
      part[a] /= self->gram[a * k + a];
    }
  for (guint a = 0; a < k; a++)
    for (guint i = 0; i < n; i++)
      lambda[i] -= part[a] * self->null_vector[(gsize) a * n + i];
}

gboolean
ifbam_least_norm_solve (IfbamLeastNorm *self, const double *b, double *lambda)
{
  gboolean consistent;

  if (self->n_dependent == 0)
    {
      ifbam_constraint_system_solve (&self->rows, b, lambda);
      return TRUE;
    }
  memcpy (self->scratch, b, self->n * sizeof *b);
  consistent = is_consistent (self, self->scratch);
  solve_independent (self, self->scratch, lambda);
  project (self, lambda);
  refine (self, self->all, self->scratch, lambda);
  project (self, lambda);
  return consistent;
}

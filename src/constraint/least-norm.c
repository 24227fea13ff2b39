/* least-norm.c: linear systems of constraint rows, J M^-1 P^T lambda = b, with the answer of least norm
 *
 * Rows whose pivots vanish follow from the others. The others, w, are factored again, and each dependent row v gives one
 * null vector z = (-W^-1 w v, 1). Of any answer, lambda - Z^T (Z D Z^T)^-1 Z D lambda has the least sum of lambda^2 D: no
 * size of a compliance has to be chosen. Above MAX_DEPENDENT dependent rows the compliance of constraint-system.c takes its place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/least-norm.h"

#include <math.h>
#include <string.h>

#define MAX_DEPENDENT 48   /* the dense part, Z D Z^T, costs as much as the sparse one then */
#define CONTRADICTION 1e-8 /* z b beyond this part of its terms is no rounding */

void
ifbam_least_norm_clear (IfbamLeastNorm *self)
{
  ifbam_reactions_clear (&self->rows);
  g_free (self->independent);
  g_free (self->null_vector);
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

/* Solves with dependent rows left out: their lambda is 0. b and lambda may be the same. */
static void
solve_independent (IfbamLeastNorm *self, const double *b, double *lambda)
{
  const guint m = self->n - self->n_dependent;
  double *part = self->scratch + self->n;

  for (guint k = 0; k < m; k++)
    part[k] = b[self->independent[k]];
  ifbam_reactions_solve (&self->rows, part, part);
  memset (lambda, 0, self->n * sizeof *lambda);
  for (guint k = 0; k < m; k++)
    lambda[self->independent[k]] = part[k];
}

/* residual = b - J M^-1 P^T lambda (n each); b: NULL is 0. */
static void
find_residual (const IfbamLeastNorm *self, const double *b, const double *lambda, double *residual)
{
  for (guint i = 0; i < self->n; i++)
    ifbam_row_clear_change (&self->all[i], self->change);
  for (guint i = 0; i < self->n; i++)
    ifbam_row_add_change (&self->all[i], lambda[i], self->inverse_mass, self->change);
  for (guint i = 0; i < self->n; i++)
    residual[i] = ifbam_row_get_rate (&self->all[i], self->change, b == NULL ? 0 : b[i]);
}

/* One step of iterative refinement: independent rows may be so nearly dependent that their solution loses half of its digits. */
static void
refine (IfbamLeastNorm *self, const double *b, double *lambda)
{
  double *residual = self->scratch + 2 * (gsize) self->n;

  find_residual (self, b, lambda, residual);
  solve_independent (self, residual, residual);
  for (guint i = 0; i < self->n; i++)
    lambda[i] += residual[i];
}

static void
find_null_vectors (IfbamLeastNorm *self, const guint32 *dependent)
{
  for (guint a = 0; a < self->n_dependent; a++)
    {
      double *z = self->null_vector + (gsize) a * self->n;

      for (guint i = 0; i < self->n; i++)
        z[i] = -ifbam_row_product (&self->all[i], &self->all[dependent[a]], self->inverse_mass);
      solve_independent (self, z, z);
      z[dependent[a]] = 1;
      refine (self, NULL, z);
    }
}

/* FALSE: null vectors are not independent. */
static gboolean
factor_gram (IfbamLeastNorm *self)
{
  const guint k = self->n_dependent;

  for (guint a = 0; a < k; a++)
    for (guint b = 0; b <= a; b++)
      {
        const double *za = self->null_vector + (gsize) a * self->n;
        const double *zb = self->null_vector + (gsize) b * self->n;
        double sum = 0;

        for (guint i = 0; i < self->n; i++)
          sum += za[i] * self->compliance[i] * zb[i];
        for (guint c = 0; c < b; c++)
          sum -= self->gram[a * k + c] * self->gram[b * k + c];
        if (a == b && !(sum > 0))
          return FALSE;
        self->gram[a * k + b] = a == b ? sqrt (sum) : sum / self->gram[b * k + b];
      }
  return TRUE;
}

/* FALSE: what is left is still redundant. */
static gboolean
eliminate_dependent (IfbamLeastNorm *self, guint32 *node_scratch)
{
  const guint n = self->n, k = self->rows.n_vanished;
  g_autofree guint32 *dependent = g_memdup2 (self->rows.vanished, k * sizeof (guint32));
  g_autofree IfbamRow *kept = g_new (IfbamRow, n);
  g_autofree gboolean *is_dependent = g_new0 (gboolean, n);
  guint m = 0;

  for (guint a = 0; a < k; a++)
    is_dependent[dependent[a]] = TRUE;
  for (guint i = 0; i < n; i++)
    if (!is_dependent[i])
      {
        self->independent[m] = i;
        kept[m++] = self->all[i];
      }
  self->n_dependent = k;
  ifbam_reactions_set (&self->rows, kept, m, self->inverse_mass, node_scratch);
  if (self->rows.redundant)
    return FALSE;
  self->null_vector = g_renew (double, self->null_vector, (gsize) k *n);
  self->gram = g_renew (double, self->gram, (gsize) k *k);
  find_null_vectors (self, dependent);
  return factor_gram (self);
}

void
ifbam_least_norm_factor (IfbamLeastNorm *self, const IfbamRow *rows, guint n, gboolean exact,
                         const double *compliance, const double *inverse_mass,
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
  ifbam_reactions_set (&self->rows, rows, n, inverse_mass, node_scratch);
  self->is_redundant = n > 1 && self->rows.redundant;
  if (!exact || !self->is_redundant || self->rows.n_vanished == 0
      || self->rows.n_vanished > MAX_DEPENDENT || eliminate_dependent (self, node_scratch))
    return;
  self->n_dependent = 0;
  ifbam_reactions_set (&self->rows, rows, n, inverse_mass, node_scratch);
}

/* Whether right sides agree with the null vectors. These are those of the columns, which are those of the rows where forces act
 * along the rows. */
static gboolean
is_consistent (const IfbamLeastNorm *self, const double *b)
{
  for (guint a = 0; a < self->n_dependent; a++)
    {
      const double *z = self->null_vector + (gsize) a * self->n;
      double sum = 0, terms = 0;

      for (guint i = 0; i < self->n; i++)
        {
          sum += z[i] * b[i];
          terms += fabs (z[i] * b[i]);
        }
      if (fabs (sum) > CONTRADICTION * terms)
        return FALSE;
    }
  return TRUE;
}

/* Takes from lambda its part along the null vectors. */
static void
project (const IfbamLeastNorm *self, double *lambda)
{
  const guint n = self->n, k = self->n_dependent;
  double part[MAX_DEPENDENT];

  for (guint a = 0; a < k; a++)
    {
      const double *z = self->null_vector + (gsize) a * n;

      part[a] = 0;
      for (guint i = 0; i < n; i++)
        part[a] += z[i] * self->compliance[i] * lambda[i];
      for (guint c = 0; c < a; c++)
        part[a] -= self->gram[a * k + c] * part[c];
      part[a] /= self->gram[a * k + a];
    }
  for (guint a = k; a-- > 0;)
    {
      for (guint c = a + 1; c < k; c++)
        part[a] -= self->gram[c * k + a] * part[c];
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
      ifbam_reactions_solve (&self->rows, b, lambda);
      return TRUE;
    }
  memcpy (self->scratch, b, self->n * sizeof *b);
  consistent = is_consistent (self, self->scratch);
  solve_independent (self, self->scratch, lambda);
  project (self, lambda);
  refine (self, self->scratch, lambda);
  project (self, lambda);
  return consistent;
}

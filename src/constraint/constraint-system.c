/* constraint-system.c: linear systems J M^-1 P^T lambda = rhs for reactions or impulses
 *
 * Redundant rows (parallel constraints) get small compliances, inversely proportional to their load
 * fractions, which make the solution unique. Iterative refinement removes the error of the
 * compliances (iterated Tikhonov regularisation: Hansen 1998, 5.1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/constraint-system.h"

#include "base/isa.h"

#include <math.h>
#include <string.h>

#define NONE G_MAXUINT32

/* A pivot below this fraction of its diagonal entry is a rounding error. */
#define RANK_TOLERANCE 1e-11
#define COMPLIANCE     1e-10
/* Pivots are proportional to the squared distance to a singular position. If one is passed, or is
 * nearer than two steps, a pivot and the product of all fall below this fraction of their maxima in
 * a step. (If a link rotates far in a step, single pivots change, but their product does not.) */
#define SINGULAR_RATIO 0.25
#define REFINEMENTS    3

/* A larger residual of a solution [fraction of its terms] indicates almost redundant rows. */
#define RESIDUAL 1e-9

void
ifbam_constraint_system_clear (IfbamConstraintSystem *self)
{
  ifbam_solver_free (self->solver);
  g_free (self->rows);
  g_free (self->start);
  g_free (self->column);
  g_free (self->mirror);
  g_free (self->meeting_start);
  g_free (self->meeting);
  g_free (self->shift);
  g_free (self->asked);
  g_free (self->vanished);
  g_free (self->pivots.first);
  g_free (self->pivots.least);
  g_free (self->pivots.most);
  memset (self, 0, sizeof *self);
}

static void
reserve (IfbamConstraintSystem *self, guint n)
{
  if (n <= self->capacity)
    return;
  self->capacity = MAX (n, 2 * self->capacity);
  self->rows = g_renew (IfbamConstraintRow, self->rows, self->capacity);
  self->start = g_renew (guint32, self->start, self->capacity + 1);
  self->shift = g_renew (double, self->shift, self->capacity);
  self->pivots.first = g_renew (double, self->pivots.first, self->capacity);
  self->pivots.least = g_renew (double, self->pivots.least, self->capacity);
  self->pivots.most = g_renew (double, self->pivots.most, self->capacity);
  self->asked = g_renew (double, self->asked, self->capacity);
  self->vanished = g_renew (guint32, self->vanished, self->capacity);
}

double
ifbam_row_product (const IfbamConstraintRow *a, const IfbamConstraintRow *b,
                   const double *inverse_mass)
{
  double sum = 0;

  for (guint p = 0; p < a->n_ports; p++)
    for (guint q = 0; q < b->n_ports; q++)
      if (a->node[p] == b->node[q])
        sum += a->row[p] * b->pull[q] * inverse_mass[a->node[p]];
  return sum;
}

/* Returns whether the rows have the same nodes as those of the last factorization. */
static gboolean
is_known (const IfbamConstraintSystem *self, const IfbamConstraintRow *rows, guint n)
{
  if (n != self->n || n < 2)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (rows[i].n_ports != self->rows[i].n_ports
        || memcmp (rows[i].node, self->rows[i].node, rows[i].n_ports * sizeof rows[i].node[0]) != 0)
      return FALSE;
  return TRUE;
}

/* Sets the pattern: rows with a common node of nonzero inverse mass are coupled.
 * node_scratch[node]: first row * IFBAM_MAX_PORTS + port at it; next[]: the next one there. */
static void
find_neighbours (IfbamConstraintSystem *self, const double *inverse_mass, guint32 *node_scratch)
{
  const guint n = self->n;
  g_autofree guint32 *next = g_new (guint32, n * IFBAM_MAX_PORTS);
  g_autofree guint32 *met = g_new (guint32, n);
  guint32 length = 0;

  memset (met, 0xff, n * sizeof *met);
  for (guint i = n; i-- > 0;)
    for (guint e = self->rows[i].n_ports; e-- > 0;)
      if (inverse_mass[self->rows[i].node[e]] > 0)
        {
          const guint32 entry = i * IFBAM_MAX_PORTS + e;

          next[entry] = node_scratch[self->rows[i].node[e]];
          node_scratch[self->rows[i].node[e]] = entry;
        }
  for (guint i = 0; i < n; i++)
    {
      const IfbamConstraintRow *row = &self->rows[i];

      if (length + n > self->entries)
        {
          self->entries = MAX (length + n, 2 * self->entries);
          self->column = g_renew (guint32, self->column, self->entries);
          self->mirror = g_renew (guint32, self->mirror, self->entries);
          self->meeting_start = g_renew (guint32, self->meeting_start, self->entries + 1);
        }
      self->start[i] = length;
      met[i] = i;
      self->column[length++] = i;
      for (guint e = 0; e < row->n_ports; e++)
        for (guint32 entry = inverse_mass[row->node[e]] > 0 ? node_scratch[row->node[e]] : NONE;
             entry != NONE; entry = next[entry])
          {
            const guint32 other = entry / IFBAM_MAX_PORTS;

            if (met[other] != i)
              self->column[length++] = other;
            met[other] = i;
          }
    }
  self->start[n] = length;
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < self->rows[i].n_ports; e++)
      node_scratch[self->rows[i].node[e]] = NONE;
}

static void
add_meetings (IfbamConstraintSystem *self, const IfbamConstraintRow *a, const IfbamConstraintRow *b,
              guint *room)
{
  for (guint p = 0; p < a->n_ports; p++)
    for (guint q = 0; q < b->n_ports; q++)
      if (a->node[p] == b->node[q])
        {
          if (self->n_meetings == *room)
            {
              *room = MAX (64, 2 * *room);
              self->meeting = g_renew (IfbamCommon, self->meeting, *room);
            }
          self->meeting[self->n_meetings++] = (IfbamCommon){ (guint8) p, (guint8) q, a->node[p] };
        }
}

/* Lists common nodes in the order of ifbam_row_product (), for bitwise equal sums; sets mirror. */
static void
find_meetings (IfbamConstraintSystem *self)
{
  g_autofree guint32 *seen = g_memdup2 (self->start, self->n * sizeof (guint32));
  guint room = 0;

  g_clear_pointer (&self->meeting, g_free);
  self->met = TRUE;
  self->n_meetings = 0;
  for (guint i = 0; i < self->n; i++)
    {
      for (guint32 e = self->start[i]; e < self->start[i + 1]; e++)
        {
          self->meeting_start[e] = self->n_meetings;
          add_meetings (self, &self->rows[i], &self->rows[self->column[e]], &room);
        }
      self->meeting_start[self->start[i + 1]] = self->n_meetings;
    }
  /* Most entries of a row are in the order of the rows: then (j, i) is the next one of row j. */
  for (guint i = 0; i < self->n; i++)
    for (guint32 e = self->start[i]; e < self->start[i + 1]; e++)
      {
        const guint32 j = self->column[e];
        guint32 other = seen[j];

        if (other < self->start[j + 1] && self->column[other] == i)
          seen[j]++;
        else
          for (other = self->start[j]; self->column[other] != i;)
            other++;
        self->mirror[e] = other;
      }
}

/* Returns a row's rate per unit reaction of another row, over the common nodes of an entry. */
static inline double
meet (const IfbamConstraintSystem *self, guint32 entry, const double *row, const double *pull,
      const double *inverse_mass)
{
  const IfbamCommon *const last = self->meeting + self->meeting_start[entry + 1];
  double sum = 0;

  for (const IfbamCommon *m = self->meeting + self->meeting_start[entry]; m < last; m++)
    sum += row[m->row] * pull[m->pull] * inverse_mass[m->node];
  return sum;
}

/* Writes a symmetric matrix (P = J). Returns whether it is unchanged. */
static gboolean
set_values (IfbamConstraintSystem *self, const double *inverse_mass)
{
  double *value = ifbam_solver_values (self->solver);
  const guint32 *const start = self->start, *const column = self->column;
  const guint32 *const mirror = self->mirror;
  const IfbamConstraintRow *const rows = self->rows;
  gboolean same = TRUE;

  for (guint i = 0; i < self->n; i++)
    for (guint32 e = start[i], end = start[i + 1]; e < end; e++)
      {
        double sum;

        if (column[e] > i)
          continue;
        sum = meet (self, e, rows[i].row, rows[column[e]].pull, inverse_mass);
        /* The entries across the diagonal differ if the last matrix was unsymmetric. */
        same &= sum == value[e] && sum == value[mirror[e]];
        value[e] = value[mirror[e]] = sum;
      }
  return same;
}

/* Writes any matrix, also without listed common nodes. Returns whether it is unchanged. */
static gboolean
set_other_values (IfbamConstraintSystem *self, const double *inverse_mass, gboolean askew)
{
  double *value = ifbam_solver_values (self->solver);
  gboolean same = TRUE;

  for (guint i = 0; i < self->n; i++)
    for (guint32 e = self->start[i]; e < self->start[i + 1]; e++)
      {
        const guint j = self->column[e];
        /* In a symmetric matrix both entries are the same sum, bit for bit. */
        const double sum =
            askew && self->met ? meet (self, e, self->rows[i].row, self->rows[j].pull, inverse_mass)
            : askew            ? ifbam_row_product (&self->rows[i], &self->rows[j], inverse_mass)
                    : ifbam_row_product (&self->rows[MAX (i, j)], &self->rows[MIN (i, j)],
                                         inverse_mass);

        same &= sum == value[e];
        value[e] = sum;
      }
  return same;
}

/* Returns (J M^-1 J^T)_ii / (J M^-1 P^T)_ii: compliances must not depend on sliding frictions. */
static double
compliance_scale (const IfbamConstraintSystem *self, guint i)
{
  const double diagonal = ifbam_solver_values (self->solver)[self->start[i]];
  const IfbamConstraintRow own = ifbam_row_with_own_force (&self->rows[i]);

  return self->rows[i].askew && diagonal != 0
             ? ifbam_row_product (&own, &own, self->inverse_mass) / diagonal
             : 1;
}

/* Factors with compliances c_i / share_i: c_i equal (self->even), or proportional to J M^-1 J^T. */
static void
factor_with_compliance (IfbamConstraintSystem *self)
{
  double most = 0;

  self->redundant = TRUE;
  self->factored = FALSE;
  for (guint i = 0; i < self->n; i++)
    most = MAX (most, self->rows[i].share);
  for (guint i = 0; i < self->n; i++)
    self->shift[i] =
        COMPLIANCE * most / self->rows[i].share * (self->even ? 1 : compliance_scale (self, i));
  if (self->even)
    {
      const double *value = ifbam_solver_values (self->solver);
      double weight = 0;

      for (guint i = 0; i < self->n; i++)
        weight = MAX (weight, value[self->start[i]]);
      for (guint i = 0; i < self->n; i++)
        self->shift[i] *= value[self->start[i]] > 0 ? weight / value[self->start[i]] : 1;
    }
  ifbam_solver_factor (self->solver, self->shift, 0.5 * COMPLIANCE);
}

IfbamConstraintRow *
ifbam_constraint_system_rows (IfbamConstraintSystem *self, guint n)
{
  reserve (self, n);
  return self->rows;
}

/* Extends the ranges of the pivots and of their product by the last factorization. */
static void
update_pivot_range (IfbamConstraintSystem *self)
{
  IfbamPivotRange *range = &self->pivots;
  double *size = self->asked, volume = 1;

  ifbam_solver_sizes (self->solver, size);
  for (guint i = 0; i < self->n; i++)
    {
      if (!range->is_known)
        range->first[i] = range->least[i] = range->most[i] = size[i];
      range->least[i] = MIN (range->least[i], size[i]);
      range->most[i] = MAX (range->most[i], size[i]);
      if (range->first[i] > 0 || size[i] > 0)
        volume *= size[i] / range->first[i];
    }
  range->least_volume = range->is_known ? MIN (range->least_volume, volume) : volume;
  range->most_volume = range->is_known ? MAX (range->most_volume, volume) : volume;
  range->is_known = TRUE;
}

void
ifbam_constraint_system_factor (IfbamConstraintSystem *self, guint n, gboolean known,
                                const double *inverse_mass, guint32 *node_scratch)
{
  gboolean same = known && n > 1 && self->factored, askew = FALSE;

  self->n = n;
  self->inverse_mass = inverse_mass;
  self->redundant = FALSE;
  self->factored = FALSE;
  if (n == 1)
    self->single = ifbam_row_product (self->rows, self->rows, inverse_mass);
  if (n <= 1)
    return;
  for (guint i = 0; i < n; i++)
    askew |= self->rows[i].askew;
  if (self->solver == NULL)
    {
      self->solver = ifbam_solver_new ();
      ifbam_solver_set_interrupt_check (self->solver, self->poll.may_continue, self->poll.data);
    }
  if (!known)
    {
      self->met = FALSE;
      find_neighbours (self, inverse_mass, node_scratch);
      ifbam_solver_set_pattern (self->solver, n, self->start, self->column);
    }
  else if (!self->met)
    find_meetings (self);
  same &= askew || !self->met ? set_other_values (self, inverse_mass, askew)
                              : set_values (self, inverse_mass);
  /* The matrix of a system at rest is the same in each step: its factors are kept. */
  self->n_vanished = same ? 0 : ifbam_solver_factor (self->solver, NULL, RANK_TOLERANCE);
  if (self->pivots.is_watched)
    update_pivot_range (self);
  if (self->n_vanished > 0)
    {
      ifbam_solver_vanished (self->solver, self->vanished);
      factor_with_compliance (self);
    }
  self->factored = !self->redundant;
}

void
ifbam_constraint_system_set (IfbamConstraintSystem *self, const IfbamConstraintRow *rows, guint n,
                             const double *inverse_mass, guint32 *node_scratch)
{
  const gboolean known = is_known (self, rows, n);
  IfbamConstraintRow *own = ifbam_constraint_system_rows (self, n);

  for (guint i = 0; i < n; i++)
    own[i] = rows[i];
  ifbam_constraint_system_factor (self, n, known, inverse_mass, node_scratch);
}

void
ifbam_constraint_system_watch_pivots (IfbamConstraintSystem *self, guint n)
{
  reserve (self, n);
  self->pivots.is_watched = n > 1;
  self->pivots.is_known = FALSE;
}

gboolean
ifbam_constraint_system_is_singular (IfbamConstraintSystem *self)
{
  const IfbamPivotRange *range = &self->pivots;
  gboolean are_singular = FALSE;

  for (guint i = 0; i < self->n && range->is_known; i++)
    are_singular |= range->least[i] < SINGULAR_RATIO * range->most[i];
  self->pivots.is_watched = FALSE;
  return are_singular && range->least_volume < SINGULAR_RATIO * range->most_volume;
}

void
ifbam_constraint_system_share_loads (IfbamConstraintSystem *self)
{
  if (self->n > 1 && !self->redundant)
    factor_with_compliance (self);
}

void
ifbam_constraint_system_shift (IfbamConstraintSystem *self, const double *shift)
{
  self->factored = FALSE;
  ifbam_solver_factor (self->solver, shift, 0);
}

void
ifbam_constraint_system_solve (IfbamConstraintSystem *self, const double *rhs, double *lambda)
{
  double residual;

  if (self->n == 1)
    lambda[0] = self->single > 0 ? rhs[0] / self->single : 0;
  if (self->n <= 1)
    return;
  if (!self->redundant)
    {
      /* No vector loop: vector loads of values just stored one by one would be delayed. */
      for (guint i = 0; i < self->n; i++)
        {
          IFBAM_SCALAR_LOOP;
          self->asked[i] = rhs[i];
        }
      residual = ifbam_solver_solve (self->solver, self->asked, lambda, 1);
      if (residual < RESIDUAL)
        return;
      factor_with_compliance (self);
      ifbam_solver_solve (self->solver, self->asked, lambda, REFINEMENTS);
      return;
    }
  ifbam_solver_solve (self->solver, rhs, lambda, REFINEMENTS);
}

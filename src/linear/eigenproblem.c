/* eigenproblem.c: eigenpairs of a network's small motions: rigid bodies, refinement
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/eigenproblem.h"

#include <math.h>
#include <string.h>

/* A quadratic form smaller than this fraction of its terms is rounding; a sum of squares: */
#define ROUNDING        1e-13
#define SQUARE_ROUNDING 1e-24
/* An entry smaller than this fraction of the row's largest is rounding. */
#define ENTRY_ROUNDING 1e-13
/* Eigenvalues that refinement changes by more than this fraction have a close neighbour. */
#define NEIGHBOUR_CHANGE 1e-4

/* Bodies */

/* Joins a row's coordinates without entries that are rounding. FALSE: they can't move at all. */
static gboolean
take_row (IfbamDofGroups *groups, const IfbamCoordinateRow *row)
{
  IfbamMotionRow few = { 0 };
  double most = 0;
  gboolean many = FALSE;

  for (gsize i = 0; i < row->n; i++)
    most = fmax (most, fabs (row->entry[i]));
  for (gsize i = 0; i < row->n; i++)
    if (fabs (row->entry[i]) > ENTRY_ROUNDING * most)
      {
        if (few.n == IFBAM_MAX_PORTS)
          {
            ifbam_dof_groups_fix (groups, &few);
            few.n = 0;
            many = TRUE;
          }
        few.at[few.n] = row->at[i];
        few.entry[few.n++] = row->entry[i];
      }
  if (!many && ifbam_dof_groups_merge (groups, &few))
    return TRUE;
  ifbam_dof_groups_fix (groups, &few);
  return FALSE;
}

/* Finds motions without compression of any link with stiffness. (Under rows of more than two
 * coordinates, rigid motions are found as eigenvectors.) */
static void
find_bodies (IfbamEigenproblem *problem)
{
  const IfbamSmallMotions *motions = problem->motions;
  g_auto (IfbamDofGroups) groups = { 0 };
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;

  ifbam_dof_groups_init (&groups, problem->n);
  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    if (motions->stiffness[row->number] != 0)
      problem->has_wide_rows |= !take_row (&groups, row);
  for (guint g = 0; g < motions->circulations->len; g++)
    {
      const IfbamGyration *follows = &g_array_index (motions->circulations, IfbamGyration, g);

      ifbam_motion_iter_set (&iter, follows->n, follows->node, follows->measured_row);
      problem->has_wide_rows |= !take_row (&groups, &iter.row);
    }
  for (gsize i = 0; i < problem->n; i++)
    {
      const guint32 root = ifbam_dof_groups_find (&groups, i, &problem->lever[i]);

      problem->body[i] = groups.still[root] ? IFBAM_NO_BODY
                         : root == i        ? (guint32) problem->n_bodies++
                                            : problem->body[root];
    }
}

void
ifbam_eigenproblem_init (IfbamEigenproblem *problem, const IfbamSmallMotions *motions)
{
  *problem = (IfbamEigenproblem){ .motions = motions, .n = motions->n };
  problem->root = g_new (double, problem->n + 1);
  problem->body = g_new (guint32, problem->n + 1);
  problem->lever = g_new (double, problem->n + 1);
  for (gsize i = 0; i < problem->n; i++)
    problem->root[i] = sqrt (1.0 / motions->inertia[i]);
  find_bodies (problem);
}

void
ifbam_eigenproblem_clear (IfbamEigenproblem *problem)
{
  g_free (problem->root);
  g_free (problem->body);
  g_free (problem->lever);
}

/* Eigenpairs */

IfbamEigenpair *
ifbam_eigenpair_new (const IfbamEigenproblem *problem, double complex s, IfbamModeKind kind,
                     gboolean is_complex)
{
  IfbamEigenpair *pair = g_new0 (IfbamEigenpair, 1);

  pair->s = s;
  pair->kind = kind;
  pair->shape = g_new0 (double, problem->n);
  pair->imaginary = is_complex ? g_new0 (double, problem->n) : NULL;
  return pair;
}

void
ifbam_eigenpair_free (IfbamEigenpair *pair)
{
  g_free (pair->shape);
  g_free (pair->imaginary);
  g_free (pair);
}

void
ifbam_eigenproblem_add_bodies (const IfbamEigenproblem *problem, GPtrArray *pairs)
{
  for (gsize body = 0; body < problem->n_bodies; body++)
    {
      IfbamEigenpair *pair = ifbam_eigenpair_new (problem, 0.0, IFBAM_MODE_FREE, FALSE);

      for (gsize i = 0; i < problem->n; i++)
        pair->shape[i] = problem->body[i] == body ? problem->lever[i] : 0.0;
      g_ptr_array_add (pairs, pair);
    }
}

static void
add_root (const IfbamEigenproblem *problem, double complex s, const double *shape, GPtrArray *pairs)
{
  IfbamEigenpair *pair = ifbam_eigenpair_new (problem, s,
                                              cimag (s) != 0   ? IFBAM_MODE_OSCILLATING
                                              : creal (s) <= 0 ? IFBAM_MODE_OVERDAMPED
                                                               : IFBAM_MODE_UNSTABLE,
                                              FALSE);

  memcpy (pair->shape, shape, problem->n * sizeof *shape);
  g_ptr_array_add (pairs, pair);
}

void
ifbam_eigenproblem_add_real (const IfbamEigenproblem *problem, double stiffness, double damping,
                             const double *shape, GPtrArray *pairs)
{
  const double middle = -0.5 * damping, square = middle * middle - stiffness;

  if (stiffness == 0)
    {
      if (damping != 0)
        add_root (problem, -damping, shape, pairs);
    }
  else if (square < 0)
    add_root (problem, middle + I * sqrt (-square), shape, pairs);
  else
    {
      /* The product of the roots is the stiffness: no cancellation in the smaller one. */
      const double larger = middle < 0 ? middle - sqrt (square) : middle + sqrt (square);

      add_root (problem, larger, shape, pairs);
      add_root (problem, stiffness / larger, shape, pairs);
    }
}

/* Returns the form of two shapes: sums over rows, or over inertias (slope NULL). */
static double
quadratic_form (const IfbamEigenproblem *problem, const double *slope, const double *x,
                const double *y)
{
  double sum = 0;

  if (slope != NULL)
    return ifbam_small_motions_form (problem->motions, slope, x, y);
  for (gsize i = 0; i < problem->n; i++)
    sum += x[i] * y[i] * problem->motions->inertia[i];
  return sum;
}

/* Returns x^H S x of the gyrations or circulations. */
static double complex
complex_gyration (const IfbamSmallMotions *motions, const GArray *gyrations, const double *real,
                  const double *imaginary)
{
  return ifbam_small_motions_gyration (motions, gyrations, real, real)
         + ifbam_small_motions_gyration (motions, gyrations, imaginary, imaginary)
         + I
               * (ifbam_small_motions_gyration (motions, gyrations, real, imaginary)
                  - ifbam_small_motions_gyration (motions, gyrations, imaginary, real));
}

/* Returns x^H S x, or x^T S x if the shape is real. */
static double complex
complex_form (const IfbamEigenproblem *problem, const double *slope, const double *real,
              const double *imaginary)
{
  const IfbamSmallMotions *motions = problem->motions;
  const GArray *own = slope == NULL               ? NULL
                      : slope == motions->damping ? motions->gyrations
                                                  : motions->circulations;

  if (imaginary == NULL)
    return quadratic_form (problem, slope, real, real)
           + (own != NULL ? ifbam_small_motions_gyration (motions, own, real, real) : 0);
  if (motions->gyrations->len + motions->circulations->len > 0)
    return quadratic_form (problem, slope, real, real)
           + quadratic_form (problem, slope, imaginary, imaginary)
           + (own != NULL ? complex_gyration (motions, own, real, imaginary) : 0);
  return quadratic_form (problem, slope, real, real)
         - quadratic_form (problem, slope, imaginary, imaginary)
         + I * (2 * quadratic_form (problem, slope, real, imaginary));
}

static void
find_roots (const IfbamEigenproblem *problem, const double *x, const double *y,
            double complex *roots)
{
  const double complex m = complex_form (problem, NULL, x, y);
  const double complex c = complex_form (problem, problem->motions->damping, x, y);
  const double complex k = complex_form (problem, problem->motions->stiffness, x, y);
  double complex root = csqrt (c * c - 4 * m * k);

  /* The larger sum does not cancel; the product of the roots is k / m. */
  if (creal (root * conj (c)) > 0)
    root = -root;
  roots[0] = (root - c) / (2 * m);
  roots[1] = roots[0] != 0 ? k / m / roots[0] : 0.0;
}

double complex
ifbam_eigenproblem_refine (const IfbamEigenproblem *problem, const double complex *near,
                           guint n_near, const double *real, const double *imaginary)
{
  double complex roots[2], best = near[0];
  double least = NEIGHBOUR_CHANGE;

  find_roots (problem, real, imaginary, roots);
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < n_near; j++)
      {
        const double move = cabs (roots[i] - near[j]) / cabs (near[j]);

        if (move < least && cimag (roots[i]) * cimag (near[j]) >= 0)
          {
            least = move;
            best = imaginary == NULL ? creal (roots[i]) : roots[i];
          }
      }
  return best;
}

/* Returns x^T K x from absolute values of rows or, if `blurred`, of their entries. */
static double
absolute_form (const IfbamEigenproblem *problem, const double *shape)
{
  g_auto (IfbamMotionIter) iter = { 0 };
  const IfbamCoordinateRow *row;
  double sum = 0;

  ifbam_motion_iter_init (&iter, problem->motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      double elongation = 0, gross = 0;

      for (gsize i = 0; i < row->n; i++)
        {
          elongation += row->entry[i] * shape[row->at[i]];
          gross += fabs (row->entry[i] * shape[row->at[i]]);
        }
      elongation = problem->has_wide_rows ? gross : elongation;
      sum += fabs (problem->motions->stiffness[row->number]) * elongation * elongation;
    }
  return sum;
}

double
ifbam_eigenproblem_quotient (const IfbamEigenproblem *problem, const double *shape,
                             gboolean *is_null)
{
  const double least = problem->motions->indefinite ? ROUNDING
                       : problem->has_wide_rows     ? SQUARE_ROUNDING
                                                    : 0;
  const double square = quadratic_form (problem, NULL, shape, shape);
  const double quotient =
      quadratic_form (problem, problem->motions->stiffness, shape, shape) / square;

  *is_null = quotient == 0
             || (least > 0 && fabs (quotient) <= least * (absolute_form (problem, shape) / square));
  return quotient;
}

/* Returns the other root of s^2 M + s C + K on an overdamped shape; 0: not both are negative. */
static double
partner_by_shape (const IfbamEigenproblem *problem, const IfbamEigenpair *pair)
{
  const double s = creal (pair->s);
  double complex roots[2];

  find_roots (problem, pair->shape, NULL, roots);
  if (cimag (roots[0]) != 0 || !(creal (roots[0]) < 0 && creal (roots[1]) < 0))
    return 0;
  return fabs (creal (roots[0]) - s) > fabs (creal (roots[1]) - s) ? creal (roots[0])
                                                                   : creal (roots[1]);
}

void
ifbam_eigenproblem_pair_overdamped (const IfbamEigenproblem *problem, GPtrArray *pairs)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  guint one = 0, other = 0;

  for (guint i = 0; i < pairs->len; i++)
    {
      IfbamEigenpair *pair = pairs->pdata[i];

      if (pair->kind != IFBAM_MODE_OVERDAMPED || pair->imaginary != NULL)
        continue;
      pair->partner = partner_by_shape (problem, pair);
      if (pair->partner < 0)
        g_ptr_array_add (left, pair);
    }
  while (left->len > 1)
    {
      double least = INFINITY;

      for (guint i = 0; i < left->len; i++)
        for (guint j = 0; j < i; j++)
          {
            const IfbamEigenpair *a = left->pdata[i], *b = left->pdata[j];
            const double off =
                fabs (log (a->partner / creal (b->s))) + fabs (log (b->partner / creal (a->s)));

            if (off < least)
              {
                least = off;
                one = i;
                other = j;
              }
          }
      if (!isfinite (least))
        return;
      ((IfbamEigenpair *) left->pdata[one])->partner =
          creal (((const IfbamEigenpair *) left->pdata[other])->s);
      ((IfbamEigenpair *) left->pdata[other])->partner =
          creal (((const IfbamEigenpair *) left->pdata[one])->s);
      g_ptr_array_remove_index (left, one); /* the later one */
      g_ptr_array_remove_index (left, other);
    }
}

/* mechanism.c: matrices of a mechanism's small motions about its equilibrium
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/mechanism.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "linear/equilibrium.h"
#include "linear/motion-inputs.h"

/* A stiffness or damping smaller than this fraction of the largest is rounding. */
#define STIFFNESS_ROUNDING 1e-12
/* A mode that turns by less than this in a run does not oscillate [rad]. */
#define MIN_ANGLE 1e-5
/* Least relative difference by which a derivative counts as larger. */
#define MIN_INCREASE 1e-9
/* Equilibria are found for up to MAX_AT_REST free nodes, and AT_REST times that of matrices. */
/* Limits of iterations: a mechanism that slides apart has no equilibrium, and the search must not
 * take longer than the run's first steps. REST_WORK: iterations times unbatched links. */
#define MIN_REST    20
#define MAX_REST    300
#define REST_WORK   40000
#define MAX_AT_REST 2000
#define AT_REST     15

gboolean
ifbam_link_is_of_mechanism (const IfbamLink *link)
{
  return (link->geometry->n_ports == 0 && link->geometry->radius == NULL)
         || link->geometry->force_direction != NULL
         || (link->law->constraint != NULL
             && link->law->constraint (link->numbers, IFBAM_MODE_OPEN).kind
                    == IFBAM_CONSTRAINT_FIXED);
}

gboolean
ifbam_model_is_mechanism (const IfbamModel *model)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (ifbam_link_is_of_mechanism (link))
      return TRUE;
  return FALSE;
}

/* Returns J^T s J, scaled by inertia (NULL: s is 0 everywhere). */
static double *
matrix_of (const IfbamSmallMotions *motions, const double *slope)
{
  const gsize n = motions->n;
  double *matrix = g_new0 (double, n *n + 1);
  g_auto (IfbamMotionIter) iter = { 0 };
  IfbamCoordinateRow *row;
  gboolean any = FALSE;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      const double own = slope[row->number];

      for (gsize i = 0; i < row->n && own != 0; i++)
        row->entry[i] /= sqrt (motions->inertia[row->at[i]]);
      for (gsize i = 0; i < row->n && own != 0; i++)
        for (gsize j = 0; j < row->n; j++)
          matrix[row->at[j] * n + row->at[i]] += own * row->entry[i] * row->entry[j];
      any |= own != 0;
    }
  if (!any)
    g_clear_pointer (&matrix, g_free);
  return matrix;
}

static double *
matrix_or_zero (const IfbamSmallMotions *motions, const double *slope)
{
  double *matrix = matrix_of (motions, slope);

  return matrix != NULL ? matrix : g_new0 (double, motions->n * motions->n + 1);
}

static void
add_gyrations (const IfbamSmallMotions *motions, const GArray *gyrations, double *matrix)
{
  const gsize n = motions->n;
  g_autofree double *one = g_new0 (double, n + 1), *other = g_new0 (double, n + 1);

  for (gsize j = 0; j < n && gyrations->len > 0; j++)
    for (gsize i = 0; i < n; i++)
      {
        one[i] = 1 / sqrt (motions->inertia[i]);
        other[j] = 1 / sqrt (motions->inertia[j]);
        matrix[j * n + i] += ifbam_small_motions_gyration (motions, gyrations, one, other);
        one[i] = other[j] = 0;
      }
}

/* Adds a circulation's absolute entries to row sums by coordinates, or by nodes. */
static void
add_circulation (const IfbamSmallMotions *motions, const IfbamGyration *own, double *sum)
{
  const IfbamModel *model = motions->model;
  const gboolean known = motions->inertia != NULL;
  const gsize n = known ? motions->n : model->n_free;
  g_autofree double *felt = g_new0 (double, n + 1), *moved = g_new0 (double, n + 1);
  IfbamSmallMotions rows = *motions;

  rows.n = n;
  for (guint f = 0; f < own->n; f++)
    for (guint e = 0; e < own->n; e++)
      {
        double size = 0;

        if (MAX (own->node[e], own->node[f]) >= model->n_free || own->matrix[e + f * own->n] == 0)
          continue;
        ifbam_small_motions_force_input (&rows, own->node[e], felt);
        ifbam_small_motions_force_input (&rows, own->node[f], moved);
        for (gsize i = 0; i < n; i++)
          size += fabs (moved[i])
                  * (known ? 1 / sqrt (motions->inertia[i]) : sqrt (model->inverse_inertia[i]));
        for (gsize i = 0; i < n; i++)
          sum[i] += fabs (own->matrix[e + f * own->n] * felt[i]) * size
                    * (known ? 1 / sqrt (motions->inertia[i]) : sqrt (model->inverse_inertia[i]));
      }
}

/* Returns the largest row sum of M^-1/2 J^T |s| J M^-1/2 (Gershgorin 1931). */
static double
gershgorin_bound (const IfbamSmallMotions *motions, const double *slope)
{
  const IfbamModel *model = motions->model;
  const gboolean known = motions->inertia != NULL;
  const gsize n = known ? motions->n : model->n_free;
  g_autofree double *sum = g_new0 (double, n + 1);
  g_auto (IfbamMotionIter) iter = { 0 };
  IfbamCoordinateRow *row;
  double most = 0;

  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      double size = 0;

      for (gsize i = 0; i < row->n; i++)
        {
          row->entry[i] = fabs (row->entry[i])
                          * (known ? 1 / sqrt (motions->inertia[row->at[i]])
                                   : sqrt (model->inverse_inertia[row->at[i]]));
          size += row->entry[i];
        }
      for (gsize i = 0; i < row->n; i++)
        sum[row->at[i]] += fabs (slope[row->number]) * row->entry[i] * size;
    }
  for (guint g = 0; g < motions->gyrations->len && slope == motions->damping; g++)
    {
      const IfbamGyration *gyration = &g_array_index (motions->gyrations, IfbamGyration, g);

      for (guint e = 0; e < gyration->n * gyration->n && motions->null_space == NULL; e++)
        {
          const guint32 felt = gyration->node[e % gyration->n],
                        moved = gyration->node[e / gyration->n];

          if (MAX (felt, moved) < model->n_free)
            sum[felt] += fabs (gyration->matrix[e])
                         * sqrt (model->inverse_inertia[felt] * model->inverse_inertia[moved]);
        }
    }
  for (guint c = 0; c < motions->circulations->len && slope == motions->stiffness; c++)
    add_circulation (motions, &g_array_index (motions->circulations, IfbamGyration, c), sum);
  for (gsize i = 0; i < n; i++)
    most = fmax (most, sum[i]);
  return most;
}

/* Computes null vectors of a matrix into its first columns, and their number. */
static gboolean
find_null_space_basis (gsize n, double *matrix, double least, gboolean even, gsize *kept)
{
  g_autofree double *value = g_new (double, n + 1), *right = NULL, *work = NULL, *left = NULL;

  *kept = 0;
  if (even)
    {
      if (n > 0
          && LAPACKE_dsyevd (LAPACK_COL_MAJOR, 'V', 'L', (lapack_int) n, matrix, (lapack_int) n,
                             value)
                 != 0)
        return FALSE;
      for (gsize k = 0; k < n; k++)
        if (fabs (value[k]) <= least)
          memmove (matrix + (*kept)++ * n, matrix + k * n, n * sizeof *matrix);
      return TRUE;
    }
  right = g_new (double, n *n + 1);
  work = g_new (double, n + 1);
  if (n > 0
      && LAPACKE_dgesvd (LAPACK_COL_MAJOR, 'N', 'A', (lapack_int) n, (lapack_int) n, matrix,
                         (lapack_int) n, value, left, (lapack_int) n, right, (lapack_int) n, work)
             != 0)
    return FALSE;
  for (gsize k = 0; k < n; k++)
    if (value[k] <= least)
      {
        for (gsize i = 0; i < n; i++)
          matrix[*kept * n + i] = right[i * n + k];
        ++*kept;
      }
  return TRUE;
}

void
ifbam_unsupported_limits (double bound, double damping, double duration, double *least_stiffness,
                          double *least_damping)
{
  const double slow = duration > 0 ? MIN_ANGLE / duration : 0;

  *least_stiffness = fmax (STIFFNESS_ROUNDING * bound * bound, slow * slow);
  *least_damping = fmax (STIFFNESS_ROUNDING * damping, slow);
}

/* In the null space of K, that of C^T C is found. */
gboolean
ifbam_unsupported_find (gsize n, const double *stiffness, const double *damping, gboolean even,
                        double least_stiffness, double least_damping, IfbamUnsupported *found)
{
  g_autofree double *unsupported = g_memdup2 (stiffness, (n * n + 1) * sizeof (double));
  g_autofree double *pushed = NULL, *square = NULL, *body = g_new0 (double, n + 1);
  gsize n_unsupported;

  if (!find_null_space_basis (n, unsupported, least_stiffness, even, &n_unsupported))
    return FALSE;
  pushed = g_new0 (double, n *n_unsupported + 1);
  square = g_new0 (double, n_unsupported *n_unsupported + 1);
  for (gsize k = 0; k < n_unsupported; k++)
    for (gsize j = 0; j < n; j++)
      for (gsize i = 0; i < n; i++)
        pushed[k * n + i] += damping[j * n + i] * unsupported[k * n + j];
  for (gsize k = 0; k < n_unsupported; k++)
    for (gsize l = 0; l < n_unsupported; l++)
      for (gsize i = 0; i < n; i++)
        square[k * n_unsupported + l] += pushed[k * n + i] * pushed[l * n + i];
  if (!find_null_space_basis (n_unsupported, square, least_damping * least_damping, TRUE,
                              &found->n_bodies))
    return FALSE;
  found->n_neutral = n_unsupported - found->n_bodies;
  found->identity = g_new0 (double, n *n + 1);
  for (gsize i = 0; i < n; i++)
    found->identity[i * n + i] = 1;
  for (gsize k = 0; k < found->n_bodies; k++)
    {
      memset (body, 0, n * sizeof *body);
      for (gsize l = 0; l < n_unsupported; l++)
        for (gsize i = 0; i < n; i++)
          body[i] += square[k * n_unsupported + l] * unsupported[l * n + i];
      for (gsize j = 0; j < n; j++)
        for (gsize i = 0; i < n; i++)
          found->identity[j * n + i] -= body[i] * body[j];
    }
  return TRUE;
}

static gboolean
find_bodies (IfbamMechanism *self, double duration)
{
  IfbamUnsupported unsupported = { 0 };
  double stiffness, damping;

  ifbam_unsupported_limits (self->bound, self->damping, duration, &stiffness, &damping);
  if (!ifbam_unsupported_find (self->n, self->stiffness, self->damping_matrix,
                               self->motions->circulations->len == 0, stiffness, damping,
                               &unsupported))
    return FALSE;
  self->n_bodies = unsupported.n_bodies;
  self->n_neutral = unsupported.n_neutral;
  self->identity = unsupported.identity;
  return TRUE;
}

/* Takes derivatives of batches at the start if they are larger; TRUE: some are. */
static gboolean
take_larger_derivatives (IfbamSmallMotions *motions, const IfbamLinearization *start)
{
  gboolean any = FALSE;

  for (gsize slot = 0; slot < motions->model->n_slots; slot++)
    {
      if (fabs (start->stiffness[slot]) > fabs (motions->stiffness[slot]) * (1 + MIN_INCREASE))
        {
          motions->stiffness[slot] = start->stiffness[slot];
          any = TRUE;
        }
      if (fabs (start->damping[slot]) > fabs (motions->damping[slot]) * (1 + MIN_INCREASE))
        {
          motions->damping[slot] = start->damping[slot];
          any = TRUE;
        }
    }
  return any;
}

/* Adds matrices with the start's derivatives to those of the equilibrium. */
static void
add_start_derivatives (IfbamMechanism *self, const IfbamRunSpec *spec, gboolean matrices)
{
  const IfbamModel *model = self->motions->model;
  const gsize size = (self->motions->n_rows + 1) * sizeof (double);
  g_autoptr (IfbamLinearization) start = ifbam_linearization_new (model, spec, NULL, NULL);
  g_autofree double *stiffness = g_memdup2 (self->motions->stiffness, size);
  g_autofree double *damping = g_memdup2 (self->motions->damping, size);
  IfbamSmallMotions steeper = *self->motions;

  steeper.stiffness = stiffness;
  steeper.damping = damping;
  if (!take_larger_derivatives (&steeper, start))
    return;
  self->bound = fmax (self->bound, sqrt (gershgorin_bound (&steeper, stiffness)));
  self->damping = fmax (self->damping, gershgorin_bound (&steeper, damping));
  if (!matrices)
    return;
  self->start_stiffness = matrix_or_zero (&steeper, stiffness);
  self->start_damping = matrix_or_zero (&steeper, damping);
  add_gyrations (&steeper, steeper.circulations, self->start_stiffness);
  add_gyrations (&steeper, steeper.gyrations, self->start_damping);
}

static void
find_matrices (IfbamMechanism *self)
{
  const IfbamSmallMotions *motions = self->motions;

  self->n = motions->n;
  self->stiffness = matrix_or_zero (motions, motions->stiffness);
  self->turning = matrix_of (motions, motions->turning);
  self->damping_matrix = matrix_or_zero (motions, motions->damping);
  add_gyrations (motions, motions->circulations, self->stiffness);
  add_gyrations (motions, motions->gyrations, self->damping_matrix);
}

/* Computes the small motions about the spec's start. */
static gboolean
find_motions (IfbamMechanism *self, const IfbamModel *model, gsize most)
{
  self->motions = ifbam_small_motions_new_within (model, &self->spec, most, NULL);
  if (self->motions == NULL)
    self->motions = ifbam_small_motions_new_within (model, &self->spec, 0, NULL);
  return self->motions != NULL;
}

IfbamMechanism *
ifbam_mechanism_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize most)
{
  g_autoptr (IfbamMechanism) self = g_new0 (IfbamMechanism, 1);
  g_autoptr (IfbamEquilibrium) rest = NULL;

  self->spec = *spec;
  self->spec.start_position = self->spec.start_rate = NULL;
  if (model->n_free <= MIN (MAX_AT_REST, AT_REST * most))
    rest = ifbam_equilibrium_new_within (
        model, spec, CLAMP (REST_WORK / (model->unbatched_links->len + 1), MIN_REST, MAX_REST),
        NULL, NULL);
  if (rest != NULL)
    {
      self->spec.start_position = g_steal_pointer (&rest->position);
      self->spec.still = TRUE;
      self->at_rest = find_motions (self, model, most);
      if (self->at_rest && self->motions->held_at_start)
        {
          g_clear_pointer (&self->motions, ifbam_small_motions_free);
          self->at_rest = FALSE;
        }
    }
  if (!self->at_rest)
    {
      g_free (self->spec.start_position);
      self->spec.start_position =
          g_memdup2 (spec->start_position, (model->n_free + 1) * sizeof (double));
      self->spec.start_rate = g_memdup2 (spec->start_rate, (model->n_free + 1) * sizeof (double));
      self->spec.still = FALSE;
      if (!find_motions (self, model, most))
        return NULL;
    }
  self->bound = sqrt (gershgorin_bound (self->motions, self->motions->stiffness));
  self->damping = gershgorin_bound (self->motions, self->motions->damping);
  if (self->motions->inertia != NULL && self->motions->n <= most)
    {
      find_matrices (self);
      if (!find_bodies (self, isfinite (spec->step) ? (double) spec->last_step * spec->step : 0))
        g_clear_pointer (&self->stiffness, g_free); /* bounds remain */
    }
  if (self->at_rest)
    add_start_derivatives (self, spec, self->stiffness != NULL);
  return g_steal_pointer (&self);
}

void
ifbam_mechanism_free (IfbamMechanism *self)
{
  if (self == NULL)
    return;
  ifbam_run_spec_clear (&self->spec);
  ifbam_small_motions_free (self->motions);
  g_free (self->stiffness);
  g_free (self->damping_matrix);
  g_free (self->start_stiffness);
  g_free (self->start_damping);
  g_free (self->turning);
  g_free (self->identity);
  g_free (self);
}

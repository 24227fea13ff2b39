/* stability-modes.c: eigenvalues of small networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability-modes.h"

#include <math.h>
#include <string.h>

#include "linear/eigenvalues.h"
#include "linear/massless-modes.h"

/* Sorts eigenvalues by magnitude, keeps one of two conjugates, and omits the first `zeros`. */
static void
keep_modes (IfbamStability *self, double complex *value, gsize n, gsize zeros)
{
  ifbam_eigenvalues_sort (n, value);
  self->mode = g_new (double complex, n + 1);
  self->least_decay = INFINITY;
  for (gsize i = zeros; i < n; i++)
    if (cimag (value[i]) >= 0)
      {
        self->mode[self->n_modes++] = value[i];
        /* gyroscopic modes may be faster than those of springs alone */
        self->fastest = fmax (self->fastest, cimag (value[i]));
        self->least_decay = fmin (self->least_decay, -creal (value[i]) / cabs (value[i]));
        if (creal (value[i]) > IFBAM_UNDAMPED * cabs (value[i]))
          self->own_growth = fmax (self->own_growth, creal (value[i]));
      }
}

static void
keep_extremes (IfbamStability *self, gsize n, const double *squares)
{
  self->fastest = sqrt (fmax (0, squares[n - 1]));
  self->slowest = self->fastest;
  for (gsize i = 0; i < n; i++)
    if (squares[i] > 1e-14 * squares[n - 1])
      {
        self->slowest = sqrt (squares[i]);
        break;
      }
}

/* x'' + K x = 0: exp (lambda t) with lambda^2 = -kappa. */
static void
find_undamped_modes (IfbamStability *self, const double *squares)
{
  const gsize n = self->n;
  g_autofree double complex *value = g_new (double complex, 2 * n + 1);

  for (gsize i = 0; i < n; i++)
    {
      value[2 * i] = squares[i] < 0 ? sqrt (-squares[i]) : I * sqrt (squares[i]);
      value[2 * i + 1] = -value[2 * i];
    }
  keep_modes (self, value, 2 * n,
              2 * (self->n_bodies + self->n_neutral + ifbam_stability_n_followers (self)));
}

/* Replaces A by P A P with the projection P without rigid motions, in u = M^1/2 x. */
static void
project_matrix (const IfbamStability *self, double *matrix)
{
  const IfbamModel *model = self->model;
  const IfbamRigidBodies *bodies = self->bodies;
  const gsize n = model->n_free;
  g_autofree double *part = g_new (double, bodies->n + 1);

  for (guint side = 0; side < 2 && bodies->n > 0; side++)
    for (gsize j = 0; j < n; j++)
      {
        const gsize along = side == 0 ? 1 : n, across = side == 0 ? n : 1;
        double *line = matrix + j * across;

        memset (part, 0, bodies->n * sizeof *part);
        for (gsize i = 0; i < n; i++)
          if (bodies->body[i] < bodies->n)
            part[bodies->body[i]] +=
                bodies->shape[i] / sqrt (model->inverse_inertia[i]) * line[i * along];
        for (gsize i = 0; i < n; i++)
          if (bodies->body[i] < bodies->n)
            line[i * along] -= bodies->shape[i] / sqrt (model->inverse_inertia[i])
                               * (part[bodies->body[i]] / bodies->weight[bodies->body[i]]);
      }
}

/* Returns the unit matrix without rigid motions. */
static double *
identity_matrix (const IfbamStability *self)
{
  const gsize n = self->n;
  double *identity = g_new0 (double, n *n + 1);

  for (gsize i = 0; i < n; i++)
    identity[i * n + i] = ifbam_model_is_state_node (self->model, i) ? 0 : 1;
  project_matrix (self, identity);
  return identity;
}

void
ifbam_stability_find_damped_modes (IfbamStability *self, const double *stiffness)
{
  const gsize n = self->n;
  const double unit = fmax (self->bound, self->damping);
  const double *damping = self->damping_matrix, *identity = self->identity;
  g_autofree double *matrix = g_new0 (double, 4 * n * n + 1);
  g_autofree double complex *value = g_new (double complex, 2 * n + 1);

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      {
        matrix[j * 2 * n + n + i] = -stiffness[j * n + i] / (unit * unit);
        matrix[(n + j) * 2 * n + i] = identity[j * n + i];
        matrix[(n + j) * 2 * n + n + i] = -damping[j * n + i] / unit;
      }
  if (!ifbam_eigenvalues_general (2 * n, matrix, value))
    return;
  for (gsize i = 0; i < 2 * n; i++)
    value[i] *= unit;
  keep_modes (self, value, 2 * n,
              2 * (self->n_bodies + ifbam_stability_n_followers (self)) + self->n_neutral);
}

/* Computes magnitudes of the eigenvalues of an unsymmetric matrix (overwritten). */
static gboolean
find_sizes (gsize n, double *matrix, double *sizes)
{
  g_autofree double complex *value = g_new (double complex, n + 1);

  if (!ifbam_eigenvalues_general (n, matrix, value))
    return FALSE;
  ifbam_eigenvalues_sort (n, value);
  for (gsize i = 0; i < n; i++)
    sizes[i] = cabs (value[i]);
  return TRUE;
}

void
ifbam_stability_find_modes (IfbamStability *self)
{
  const gsize n = self->n;
  const gboolean even = self->mechanism == NULL || self->mechanism->motions->circulations->len == 0;
  const double *matrix = self->stiffness_matrix;
  g_autofree double *copy = g_memdup2 (matrix, n * n * sizeof *matrix);
  g_autofree double *squares = g_new (double, n);

  if (!(even ? ifbam_eigenvalues_symmetric (n, copy, squares) : find_sizes (n, copy, squares)))
    {
      if (self->mechanism == NULL)
        ifbam_stability_find_fastest (self);
      return;
    }
  self->fastest_is_bound = FALSE;
  keep_extremes (self, n, squares);
  if (!self->has_damping)
    find_undamped_modes (self, squares);
  else if (2 * n <= self->limits->dense_state)
    {
      if (self->mechanism == NULL)
        {
          self->damping_matrix =
              ifbam_stability_symmetric_matrix (self, self->linearization->damping);
          self->identity = identity_matrix (self);
        }
      ifbam_stability_find_damped_modes (self, matrix);
    }
}

void
ifbam_stability_take_mechanism (IfbamStability *self)
{
  IfbamMechanism *mechanism = self->mechanism;
  const gsize most = self->limits->dense_nodes;
  g_auto (GStrv) nonlinear = ifbam_small_motions_list_nonlinear (mechanism->motions);

  self->has_damping = mechanism->motions->has_damping;
  self->n_nonlinear = g_strv_length (nonlinear);
  self->bound = self->fastest = mechanism->bound;
  self->fastest_is_bound = mechanism->bound > 0;
  self->damping = mechanism->damping;
  self->n_bodies = mechanism->n_bodies;
  self->n_neutral = mechanism->n_neutral;
  self->method = IFBAM_STABILITY_POLYNOMIAL;
  /* States of the start are part of the mechanism, unless its equilibrium is in other modes. */
  for (guint i = self->active_modes->len; i-- > 0;)
    {
      IfbamActiveMode *one = &g_array_index (self->active_modes, IfbamActiveMode, i);

      if (one->from_start && one->n_changes > 0
          && one->mode != mechanism->motions->mode[one->change[0].number])
        one->from_start = one->persists = FALSE;
      else if (one->from_start)
        g_array_remove_index (self->active_modes, i);
    }
  if (mechanism->stiffness == NULL || mechanism->n > most)
    return;
  self->n = mechanism->n;
  if (self->n == 0)
    {
      self->mode = g_new0 (double complex, 1);
      return;
    }
  self->stiffness_matrix = g_steal_pointer (&mechanism->stiffness);
  if (self->n <= self->limits->matrix_nodes)
    {
      self->damping_matrix = g_steal_pointer (&mechanism->damping_matrix);
      self->identity = g_steal_pointer (&mechanism->identity);
      self->method = IFBAM_STABILITY_MAP;
    }
  ifbam_stability_find_modes (self);
}

gboolean
ifbam_stability_find_massless_modes (IfbamStability *self, GError **error)
{
  g_auto (IfbamMasslessModes) modes = { 0 };
  g_auto (GStrv) nonlinear = NULL;
  g_autoptr (IfbamSmallMotions) motions =
      ifbam_small_motions_new_with_massless (self->model, self->spec, error);

  if (motions == NULL
      || !ifbam_massless_modes_find (motions, self->limits->dense_state / 2, FALSE, &modes, error))
    return FALSE;
  nonlinear = ifbam_small_motions_list_nonlinear (motions);
  self->light = self->has_damping = TRUE;
  self->n_nonlinear = g_strv_length (nonlinear);
  self->n_bodies = modes.n_bodies;
  self->n_neutral = modes.n_neutral;
  self->method = IFBAM_STABILITY_MAP;
  keep_modes (self, modes.value, modes.n, 2 * self->n_bodies + self->n_neutral);
  for (gsize i = 0; i < self->n_modes; i++)
    {
      self->bound = fmax (self->bound, cabs (self->mode[i]));
      if (cimag (self->mode[i]) > 0)
        self->fastest = fmax (self->fastest, cabs (self->mode[i]));
    }
  self->damping = self->bound;
  return TRUE;
}

/* stability-states.c: matrices of a network with some links in other modes than at the start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability-states.h"

#include <math.h>

#include "linear/motion-inputs.h"
#include "linear/stability-modes.h"

/* A row is redundant if this fraction of its square, or less, is independent of others. */
#define DEPENDENT 1e-18

/* Returns a link's row in coordinates of unit inertia (transfer full) (n). */
static double *
row_of_coordinates (const IfbamStability *self, const IfbamModeChange *change)
{
  const IfbamModel *model = self->model;
  const IfbamSmallMotions *motions = self->mechanism != NULL ? self->mechanism->motions : NULL;
  double *row = g_new0 (double, self->n + 1);
  g_autofree double *unit = g_new0 (double, self->n + 1);

  for (guint e = 0; e < change->link->n_ports; e++)
    {
      const guint32 node = change->link->node[e];

      if (node >= model->n_free)
        continue;
      if (motions == NULL)
        {
          row[node] += change->row[e] * sqrt (model->inverse_inertia[node]);
          continue;
        }
      ifbam_small_motions_force_input (motions, node, unit);
      for (gsize i = 0; i < self->n; i++)
        row[i] += change->row[e] * unit[i] / sqrt (motions->inertia[i]);
    }
  return row;
}

/* Adds J^T s J to both matrices. */
static void
add_slopes (IfbamStability *self, const IfbamModeChange *change, double stiffness, double damping)
{
  const gsize n = self->n;
  g_autofree double *row = row_of_coordinates (self, change);

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      {
        self->stiffness_matrix[j * n + i] += stiffness * row[i] * row[j];
        self->damping_matrix[j * n + i] += damping * row[i] * row[j];
      }
}

/* Returns the largest row sum of a matrix (Gershgorin 1931). */
static double
gershgorin_bound (gsize n, const double *matrix)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      for (gsize j = 0; j < n; j++)
        sum += fabs (matrix[j * n + i]);
      most = fmax (most, sum);
    }
  return most;
}

/* Returns the same network with copies of matrices (n)(n), without modes (transfer full). */
static IfbamStability *
copy_for_state (const IfbamStability *self, const double *stiffness, const double *damping)
{
  const gsize size = (self->n * self->n + 1) * sizeof (double);
  IfbamStability *state = g_memdup2 (self, sizeof *self);

  state->is_state = state->has_damping = TRUE;
  state->method = IFBAM_STABILITY_MAP;
  state->stiffness_matrix = g_memdup2 (stiffness, size);
  state->damping_matrix = g_memdup2 (damping, size);
  state->identity = NULL;
  state->mode = NULL;
  state->n_modes = 0;
  state->bodies = NULL;
  state->own_growth = 0;
  state->least_decay = NAN;
  state->active_modes = g_array_new (FALSE, FALSE, sizeof (IfbamActiveMode));
  state->last = g_new0 (IfbamMultipliers, 1);
  return state;
}

gboolean
ifbam_stability_find_state (IfbamStability *state)
{
  const IfbamMechanism *mechanism = state->mechanism;
  const IfbamRunSpec *spec = state->spec;
  double stiffness, damping;
  IfbamUnsupported unsupported = { 0 };

  if (state->mode != NULL)
    return TRUE;
  ifbam_unsupported_limits (state->bound, state->damping,
                            isfinite (spec->step) ? (double) spec->last_step * spec->step : 0,
                            &stiffness, &damping);
  if (!ifbam_unsupported_find (state->n, state->stiffness_matrix, state->damping_matrix,
                               mechanism == NULL || mechanism->motions->circulations->len == 0,
                               stiffness, damping, &unsupported))
    return FALSE;
  state->n_bodies = unsupported.n_bodies;
  state->n_neutral = unsupported.n_neutral;
  g_free (state->identity);
  state->identity = unsupported.identity;
  ifbam_stability_find_damped_modes (state, state->stiffness_matrix);
  return state->mode != NULL;
}

/* Returns the derivatives that a change replaces in this network's matrices: those of the link's
 * mode in the equilibrium of a mechanism, else at the start. */
static void
replaced_slopes (const IfbamStability *self, const IfbamModeChange *change, double *stiffness,
                 double *damping)
{
  const int *mode = self->mechanism != NULL ? self->mechanism->motions->mode : NULL;

  *stiffness = change->own_stiffness;
  *damping = change->own_damping;
  for (guint i = 0; mode != NULL && i < self->active_modes->len; i++)
    {
      const IfbamModeChange *other =
          &g_array_index (self->active_modes, IfbamActiveMode, i).change[0];

      if (other->link == change->link && other->mode == mode[change->number])
        {
          *stiffness = other->stiffness;
          *damping = other->damping;
        }
    }
}

/* Returns the network at the start with its active unbatched links (transfer full). */
static IfbamStability *
state_at_start (const IfbamStability *self)
{
  g_autofree double *damping =
      self->damping_matrix != NULL ? NULL
      : self->mechanism != NULL
          ? g_new0 (double, self->n * self->n + 1)
          : ifbam_stability_symmetric_matrix (self, self->linearization->damping);
  IfbamStability *state = copy_for_state (
      self, self->stiffness_matrix, self->damping_matrix != NULL ? self->damping_matrix : damping);

  for (guint i = 0; i < self->active_modes->len && self->mechanism == NULL; i++)
    {
      const IfbamActiveMode *one = &g_array_index (self->active_modes, IfbamActiveMode, i);

      if (one->from_start && one->n_changes == 1)
        add_slopes (state, &one->change[0], one->change[0].stiffness, one->change[0].damping);
    }
  return state;
}

static void
find_bounds_of_state (IfbamStability *state)
{
  state->bound = state->fastest = sqrt (gershgorin_bound (state->n, state->stiffness_matrix));
  state->damping = gershgorin_bound (state->n, state->damping_matrix);
  state->fastest_is_bound = TRUE;
}

/* Replaces A by P A P with the projection P that removes a unit vector (n). */
static void
project_out (gsize n, const double *unit, double *matrix)
{
  for (guint side = 0; side < 2; side++)
    for (gsize j = 0; j < n; j++)
      {
        const gsize along = side == 0 ? 1 : n;
        double *line = matrix + j * (side == 0 ? n : 1);
        double part = 0;

        for (gsize i = 0; i < n; i++)
          part += unit[i] * line[i * along];
        for (gsize i = 0; i < n; i++)
          line[i * along] -= part * unit[i];
      }
}

/* Makes the last row (n) a unit vector orthogonal to the others. FALSE: it depends on them. */
static gboolean
make_unit_row (GPtrArray *rows, gsize n)
{
  double *row = g_ptr_array_index (rows, rows->len - 1);
  double whole = 0, rest = 0;

  for (gsize i = 0; i < n; i++)
    whole += row[i] * row[i];
  for (guint k = 0; k + 1 < rows->len; k++)
    {
      const double *other = g_ptr_array_index (rows, k);
      double part = 0;

      for (gsize i = 0; i < n; i++)
        part += other[i] * row[i];
      for (gsize i = 0; i < n; i++)
        row[i] -= part * other[i];
    }
  for (gsize i = 0; i < n; i++)
    rest += row[i] * row[i];
  for (gsize i = 0; i < n && rest > 0; i++)
    row[i] /= sqrt (rest);
  return rest > DEPENDENT * whole;
}

IfbamStability *
ifbam_stability_new_closed (const IfbamStability *self, const GArray *closed)
{
  const gsize n = self->n;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  IfbamStability *state;

  if (self->stiffness_matrix == NULL || n == 0 || n > self->limits->matrix_nodes)
    return NULL;
  state = state_at_start (self);
  for (guint i = 0; i < closed->len; i++)
    {
      g_ptr_array_add (rows,
                       row_of_coordinates (self, &g_array_index (closed, IfbamModeChange, i)));
      if (make_unit_row (rows, n))
        {
          project_out (n, g_ptr_array_index (rows, rows->len - 1), state->stiffness_matrix);
          project_out (n, g_ptr_array_index (rows, rows->len - 1), state->damping_matrix);
        }
      else
        g_ptr_array_set_size (rows, (gint) rows->len - 1);
    }
  find_bounds_of_state (state);
  return state;
}

static void
make_state (IfbamStability *self, const IfbamStability *start, IfbamActiveMode *one)
{
  IfbamStability *state = copy_for_state (start, start->stiffness_matrix, start->damping_matrix);

  for (guint k = 0; k < one->n_changes && !one->from_start; k++)
    {
      const IfbamModeChange *change = &one->change[k];
      double stiffness, damping;

      replaced_slopes (self, change, &stiffness, &damping);
      add_slopes (state, change, change->stiffness - stiffness, change->damping - damping);
    }
  find_bounds_of_state (state);
  one->state = state;
}

/* Returns the fastest state without matrices; NULL: all have them. */
static IfbamActiveMode *
fastest_without_state (const IfbamStability *self)
{
  IfbamActiveMode *fastest = NULL;

  for (guint i = 0; i < self->active_modes->len; i++)
    {
      IfbamActiveMode *one = &g_array_index (self->active_modes, IfbamActiveMode, i);

      if (one->state == NULL && one->n_changes > 0
          && (fastest == NULL || ifbam_active_mode_speed (one) > ifbam_active_mode_speed (fastest)))
        fastest = one;
    }
  return fastest;
}

/* Adds the start of a mechanism that is examined in equilibrium, with its larger derivatives. */
static void
add_start_of_mechanism (IfbamStability *self)
{
  const IfbamMechanism *mechanism = self->mechanism;
  IfbamActiveMode start = { .from_start = TRUE, .persists = TRUE, .listed = TRUE };

  if (mechanism == NULL || mechanism->start_stiffness == NULL || self->damping_matrix == NULL)
    return;
  start.state = copy_for_state (self, mechanism->start_stiffness, mechanism->start_damping);
  find_bounds_of_state (start.state);
  g_array_append_val (self->active_modes, start);
}

void
ifbam_stability_find_states (IfbamStability *self)
{
  const gsize most = self->limits->matrix_nodes;
  const double states = self->limits->states / pow ((double) MAX (self->n, 4), 3);
  IfbamStability *start;
  IfbamActiveMode *one;

  add_start_of_mechanism (self);
  if (self->active_modes->len == 0 || self->stiffness_matrix == NULL || self->n == 0
      || self->n > most || self->active_modes->len > IFBAM_MAX_STATES_EXAMINED)
    return;
  start = state_at_start (self);
  for (double n = 0; n < states && (one = fastest_without_state (self)) != NULL; n++)
    make_state (self, start, one);
  ifbam_stability_free (start);
}

/* stability.c: growth rates of a network's modes under the schemes, and the longest stable steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability.h"

#include <math.h>

#include "base/fail.h"
#include "linear/stability-modes.h"

/* Largest state for ARPACK, which keeps 30 vectors of it. */
#define MAX_STATE 5000

static const IfbamStabilityLimits FULL_LIMITS = { .dense_nodes = 400,
                                                  .dense_state = 320,
                                                  .matrix_nodes = 100,
                                                  .map_state = 640,
                                                  .products = 2e7,
                                                  .steps = 2e9,
                                                  .power_steps = 5e8,
                                                  .arnoldi_products = 200,
                                                  .states = 2e8 };
static const IfbamStabilityLimits QUICK_LIMITS = { .dense_nodes = 60,
                                                   .dense_state = 120,
                                                   .matrix_nodes = 60,
                                                   .map_state = 120,
                                                   .products = 2e6,
                                                   .steps = 5e7,
                                                   .power_steps = 5e7,
                                                   .arnoldi_products = 100,
                                                   .states = 2e6 };

/* Returns the largest length of a state with latency. */
static gsize
max_state_length (const IfbamModel *model)
{
  return IFBAM_MAX_COLUMNS * model->n_free + model->n_slots;
}

static IfbamStabilityMethod
choose_method (const IfbamStability *self)
{
  const gsize size = max_state_length (self->model);

  if (!self->linearization->has_damping && self->linearization->n_nonlinear == 0)
    return IFBAM_STABILITY_POLYNOMIAL;
  if (self->linearization->n_nonlinear == 0 && self->model->n_free <= self->limits->matrix_nodes)
    return IFBAM_STABILITY_MAP;
  if (size <= self->limits->map_state)
    return IFBAM_STABILITY_MAP;
  return size <= MAX_STATE ? IFBAM_STABILITY_ARNOLDI : IFBAM_STABILITY_POWER;
}

/* Examines a network of masses and links between them, which is no mechanism. */
static void
examine_network (IfbamStability *self)
{
  const IfbamModel *model = self->model;
  g_autoptr (IfbamRigidBodies) unsprung = NULL;

  self->has_damping = self->linearization->has_damping;
  self->n_nonlinear = self->linearization->n_nonlinear;
  ifbam_stability_bounds_of_batches (self->linearization, &self->bound, &self->damping);
  self->method = choose_method (self);
  self->bodies = ifbam_rigid_bodies_new (self->linearization, TRUE);
  self->n_bodies = self->bodies->n;
  unsprung = ifbam_rigid_bodies_new (self->linearization, FALSE);
  self->n_neutral = unsprung->n - self->bodies->n;
  if (model->n_free > 0 && model->n_free <= self->limits->dense_nodes)
    {
      self->n = model->n_free;
      self->stiffness_matrix =
          ifbam_stability_symmetric_matrix (self, self->linearization->stiffness);
      ifbam_stability_find_modes (self);
    }
  else
    ifbam_stability_find_fastest (self);
  ifbam_stability_find_states (self);
}

IfbamStability *
ifbam_stability_new (const IfbamModel *model, const IfbamRunSpec *spec, gboolean quick,
                     GError **error)
{
  g_autoptr (IfbamStability) self = g_new0 (IfbamStability, 1);

  self->model = model;
  self->spec = spec;
  self->quick = quick;
  self->limits = quick ? &QUICK_LIMITS : &FULL_LIMITS;
  self->least_decay = NAN;
  self->last = g_new0 (IfbamMultipliers, 1);
  self->linearization = ifbam_linearization_new (model, spec, NULL, NULL);
  if (self->linearization->first_not_finite < model->n_links)
    {
      g_autofree char *name = ifbam_model_link_name (model, self->linearization->first_not_finite);

      return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                              "\"%s\": its law has no finite slope at the start", name);
    }
  if (model->n_junctions > 0)
    {
      self->active_modes = g_array_new (FALSE, FALSE, sizeof (IfbamActiveMode));
      return ifbam_stability_find_massless_modes (self, error) ? g_steal_pointer (&self) : NULL;
    }
  self->active_modes = ifbam_active_modes_find (self->linearization, error);
  if (self->active_modes == NULL)
    return NULL;
  if (ifbam_model_is_mechanism (model))
    self->mechanism = ifbam_mechanism_new (model, spec, self->limits->dense_nodes);
  if (self->mechanism != NULL)
    {
      ifbam_stability_take_mechanism (self);
      ifbam_stability_find_states (self);
      return g_steal_pointer (&self);
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->geometry->force_direction != NULL)
      return ifbam_fail_null (
          error, IFBAM_ERROR_NETWORK,
          "%s: the effect of steps on forces by other positions is not known here", link->name);
  examine_network (self);
  return g_steal_pointer (&self);
}

gboolean
ifbam_stability_is_by_reactions (const IfbamStability *self)
{
  const double *turning = self->mechanism != NULL ? self->mechanism->turning : NULL;
  double most = 0, other = 0;

  for (gsize i = 0; turning != NULL && self->stiffness_matrix != NULL && i < self->n * self->n; i++)
    {
      most = fmax (most, fabs (turning[i]));
      other = fmax (other, fabs (self->stiffness_matrix[i] - turning[i]));
    }
  return most > 0 && other <= 1e-9 * most;
}

double complex
ifbam_stability_mode (const IfbamStability *self, double up_to)
{
  double complex fastest = 0;

  if (self->mode == NULL)
    return I * fmin (self->fastest, up_to);
  for (gsize i = 0; i < self->n_modes; i++)
    if (cimag (self->mode[i]) > 0 && cimag (self->mode[i]) <= up_to
        && cimag (self->mode[i]) > cimag (fastest))
      fastest = self->mode[i];
  return fastest;
}

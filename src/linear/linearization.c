/* linearization.c: a network's laws replaced by their tangents at a state
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/linearization.h"

#include <math.h>

#define BLOCK IFBAM_SLOPES_BLOCK

static gboolean
moves_free_node (const IfbamModel *model, const IfbamBatch *batch, gsize i)
{
  return batch->left[i] != batch->right[i] /* else a slot of no link */
         && ifbam_batch_owner (batch, i) < model->n_free;
}

static void
linearize_batch (IfbamLinearization *linearization, const IfbamBatch *batch, const double *position,
                 const double *rate)
{
  IfbamSlopes slopes;

  for (gsize first = 0; first < batch->count; first += BLOCK)
    {
      const gsize n = MIN (BLOCK, batch->count - first), slot = batch->first_slot + first;

      ifbam_link_slopes (batch, first, n, position, rate, &slopes);
      for (gsize i = 0; i < n; i++)
        {
          if (batch->left[first + i] == batch->right[first + i])
            continue;
          linearization->force[slot + i] = slopes.force[i];
          linearization->stiffness[slot + i] = slopes.stiffness[i];
          linearization->damping[slot + i] = slopes.damping[i];
          linearization->nonlinear[slot + i] = slopes.nonlinear[i];
          if (!moves_free_node (linearization->model, batch, first + i))
            continue;
          linearization->n_nonlinear += slopes.nonlinear[i] != 0;
          linearization->has_damping |= slopes.damping[i] != 0;
        }
    }
}

static gsize
find_not_finite (const IfbamLinearization *linearization)
{
  const IfbamModel *model = linearization->model;

  for (gsize i = 0; i < model->n_links; i++)
    {
      const guint32 slot = model->link_slot[i];

      if (!isfinite (linearization->stiffness[slot]) || !isfinite (linearization->damping[slot])
          || !isfinite (linearization->force[slot]))
        return i;
    }
  return model->n_links;
}

IfbamLinearization *
ifbam_linearization_new (const IfbamModel *model, const IfbamRunSpec *spec, const double *position,
                         const double *rate)
{
  IfbamLinearization *linearization = g_new0 (IfbamLinearization, 1);
  g_autofree double *start_position = NULL, *start_rate = NULL;

  if (position == NULL || rate == NULL)
    {
      start_position = g_new (double, model->n_nodes + 1);
      start_rate = g_new (double, model->n_nodes + 1);
      ifbam_start_range (model, spec, 0, model->n_nodes, start_position, start_rate);
    }
  linearization->model = model;
  linearization->spec = spec;
  linearization->force = g_new0 (double, model->n_slots + 1);
  linearization->stiffness = g_new0 (double, model->n_slots + 1);
  linearization->damping = g_new0 (double, model->n_slots + 1);
  linearization->nonlinear = g_new0 (guint8, model->n_slots + 1);
  for (guint b = 0; b < model->batches->len; b++)
    linearize_batch (linearization, &g_array_index (model->batches, IfbamBatch, b),
                     position != NULL ? position : start_position,
                     rate != NULL ? rate : start_rate);
  linearization->first_not_finite = find_not_finite (linearization);
  return linearization;
}

void
ifbam_linearization_free (IfbamLinearization *linearization)
{
  if (linearization == NULL)
    return;
  g_free (linearization->force);
  g_free (linearization->stiffness);
  g_free (linearization->damping);
  g_free (linearization->nonlinear);
  g_free (linearization);
}

/* Without a matrix */

void
ifbam_linearization_multiply (const IfbamLinearization *linearization, const double *slope,
                              const double *x, double *y)
{
  const IfbamModel *model = linearization->model;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      const double *s = slope + batch->first_slot;

      for (gsize i = 0; i < batch->count; i++)
        {
          const guint32 l = batch->left[i], r = batch->right[i];
          const double force = s[i] * ifbam_batch_delta (batch, i, x[l], x[r]);

          y[l] += force;
          y[r] -= ifbam_batch_ratio (batch, i) * force;
        }
    }
}

double
ifbam_linearization_form (const IfbamLinearization *linearization, const double *slope,
                          const double *x, const double *y)
{
  const IfbamModel *model = linearization->model;
  double sum = 0;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      const double *s = slope + batch->first_slot;

      for (gsize i = 0; i < batch->count; i++)
        {
          const guint32 l = batch->left[i], r = batch->right[i];

          sum += s[i] * ifbam_batch_delta (batch, i, x[l], x[r])
                 * ifbam_batch_delta (batch, i, y[l], y[r]);
        }
    }
  return sum;
}

/* view.c: a network at a moment, whoever carries it: what its elements say there, and sums over them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/view.h"

void
ifbam_view_node (const IfbamView *view, gsize node, double *position, double *rate)
{
  if (view->position != NULL)
    {
      *position = view->position[node];
      *rate = view->rate[node];
    }
  else if (view->probes != NULL)
    {
      const IfbamProbes *probes = view->probes;
      gsize low = 0, high = probes->n;

      while (high - low > 1)
        {
          gsize middle = (low + high) / 2;

          if (probes->node[middle] <= node)
            low = middle;
          else
            high = middle;
        }
      *position = probes->position[view->row * probes->n + low];
      *rate = probes->rate[view->row * probes->n + low];
    }
  else
    view->engine->observe (view->engine, node, node + 1, position, rate);
}

double
ifbam_view_link (const IfbamView *view, gsize slot, IfbamLinkKernel kernel)
{
  static const guint32 left = 0, right = 1;
  const double *parameters[IFBAM_MAX_LAW];
  double position[2], rate[2], answer, far;
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (view->model, slot, &index);
  IfbamLinkBatch arguments = { .parameters = parameters,
                               .left = &left,
                               .right = &right,
                               .position = position,
                               .rate = rate,
                               .answer = &answer,
                               .far = &far };

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + index;
  ifbam_view_node (view, batch->left[index], &position[0], &rate[0]);
  ifbam_view_node (view, batch->right[index], &position[1], &rate[1]);
  kernel (&arguments, 0, 1);
  return slot < batch->first_slot + batch->count ? answer : far;
}

double
ifbam_view_force (const IfbamView *view, gsize node)
{
  const IfbamModel *model = view->model;
  double sum = -0.0;

  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      gsize slot = model->port[p] >> 1, index;
      double force = slot < model->n_slots
                         ? ifbam_view_link (view, slot,
                                            ifbam_model_batch (model, slot, &index)->kernels->force)
                         : ifbam_model_source (model, slot - model->n_slots, view->time);

      sum += model->port[p] & 1 ? -force : force;
    }
  return sum;
}

void
ifbam_model_add_neighbours (const IfbamModel *model, gsize node, GArray *nodes)
{
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      gsize slot = model->port[p] >> 1, index, other;
      const IfbamBatch *batch;

      if (slot >= model->n_slots)
        continue;
      batch = ifbam_model_batch (model, slot, &index);
      other = batch->left[index] == node ? batch->right[index] : batch->left[index];
      g_array_append_val (nodes, other);
    }
}

/* Sums */

void
ifbam_batch_say (const IfbamBatch *batch, IfbamLinkKernel kernel, gsize first, gsize last,
                 const double *position, const double *rate, double *answer)
{
  const double *parameters[IFBAM_MAX_LAW];
  const IfbamLinkBatch arguments = { .parameters = parameters,
                                     .left = batch->left + first,
                                     .right = batch->right + first,
                                     .position = position,
                                     .rate = rate,
                                     .answer = answer };

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + first;
  kernel (&arguments, 0, last - first);
  IFBAM_VECTOR_LOOP
  for (gsize i = 0; i < last - first; i++)
    answer[i] = ifbam_batch_is_gap (batch, first + i) ? 0.0 : answer[i];
}

void
ifbam_batch_add_energy (const IfbamBatch *batch, gsize first, gsize last, const double *position,
                        const double *rate, IfbamIsa isa, IfbamExactSum *sum)
{
  double energy[IFBAM_BLOCK];

  for (gsize end; first < last; first = end)
    {
      end = MIN (first + IFBAM_BLOCK, last);
      ifbam_batch_say (batch, batch->kernels->energy, first, end, position, rate, energy);
      ifbam_exact_sum_add_all (sum, energy, end - first, isa);
    }
}

void
ifbam_add_motion (const double *rate, const double *inverse_inertia, gsize n, IfbamIsa isa,
                  IfbamExactSum *energy, IfbamExactSum *momentum)
{
  double impetus[IFBAM_BLOCK], kinetic[IFBAM_BLOCK];

  for (gsize some; n > 0; n -= some, rate += some, inverse_inertia += some)
    {
      some = MIN (n, IFBAM_BLOCK);
      for (gsize i = 0; i < some; i++)
        {
          impetus[i] = rate[i] / inverse_inertia[i];
          kinetic[i] = 0.5 * impetus[i] * rate[i];
        }
      ifbam_exact_sum_add_all (energy, kinetic, some, isa);
      if (momentum != NULL)
        ifbam_exact_sum_add_all (momentum, impetus, some, isa);
    }
}

/* state-view.c: a network at one time: quantities of elements, and sums
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/state-view.h"

#include <math.h>
#include <string.h>

static const IfbamBatch *
batch_at (const IfbamParameterValues *numbers, guint b)
{
  return &g_array_index (numbers->model->batches, IfbamBatch, b);
}

static guint
number_of (const IfbamParameterValues *numbers, const IfbamBatch *batch)
{
  return (guint) (batch - batch_at (numbers, 0));
}

/* Single elements */

/* Bodies have the number of lanes as a parameter: for 1 the compiler removes the loops. */

IFBAM_INLINE void
copy (double *to, const double *from, gsize n)
{
  if (n == 1)
    *to = *from;
  else
    memcpy (to, from, n * sizeof *to);
}

IFBAM_INLINE void
node_body (const IfbamView *view, gsize lanes, gsize node, double *position, double *rate)
{
  if (view->position != NULL)
    {
      copy (position, view->position + node * lanes, lanes);
      copy (rate, view->rate + node * lanes, lanes);
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
    ifbam_engine_get_nodes (view->engine, node, node + 1, position, rate);
}

void
ifbam_view_node (const IfbamView *view, gsize node, double *position, double *rate)
{
  node_body (view, view->numbers->lanes, node, position, rate);
}

/* Evaluates a link with the nodes at its ports side by side. flow: rates of its states. */
IFBAM_INLINE void
evaluate_link (const IfbamParameterValues *numbers, gsize lanes, guint b, gsize index,
               IfbamLinkOutput what, const double *position, const double *rate, double *output,
               double *far, double *flow)
{
  static const guint32 port[IFBAM_MAX_PORTS] = { 0, 1, 2, 3, 4, 5, 6 };
  const IfbamBatch *batch = batch_at (numbers, b);
  const IfbamLinkKernels *kernels = batch->kernels;
  const double *parameters[IFBAM_MAX_LAW];
  IfbamLinkBatch arguments = { .parameters = parameters,
                               .left = &port[0],
                               .right = &port[1],
                               .position = position,
                               .rate = rate,
                               .earlier_position = position,
                               .earlier_rate = rate,
                               .output = output,
                               .far = far };

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = numbers->parameters[b][k] + index * lanes;
  for (guint k = 0; k < batch->law->n_states; k++)
    {
      arguments.state[k] = &port[2 + k];
      arguments.run_state[k] = (2 + k) * lanes;
      arguments.state_rate[k] = flow + k * lanes;
    }
  if (lanes == 1)
    (what == IFBAM_OUTPUT_FORCE ? kernels->force : kernels->energy) (&arguments, 0, 1);
  else
    (what == IFBAM_OUTPUT_FORCE ? kernels->run_force : kernels->run_energy)[numbers->spec->isa](
        &arguments, 0, 0, lanes, lanes);
}

/* Evaluates a link with states, for the end of a slot; the rates of its states are not used. */
static void
link_with_states (const IfbamView *view, const IfbamBatch *batch, gsize index, gsize slot,
                  IfbamLinkOutput what, double *output)
{
  const IfbamParameterValues *numbers = view->numbers;
  const gsize lanes = numbers->lanes;
  const guint n_states = batch->law->n_states;
  const gsize ports = (2 + n_states) * lanes;
  double *position = g_newa (double, 2 * ports + (1 + IFBAM_MAX_SLOTS) * lanes);
  double *rate = position + ports, *said = rate + ports;
  const gboolean far = batch->far_slot != batch->first_slot && slot >= batch->far_slot;

  ifbam_view_node (view, batch->left[index], position, rate);
  ifbam_view_node (view, batch->right[index], position + lanes, rate + lanes);
  for (guint k = 0; k < n_states; k++)
    ifbam_view_node (view, batch->state[k][index], position + (2 + k) * lanes,
                     rate + (2 + k) * lanes);
  evaluate_link (numbers, lanes, number_of (numbers, batch), index, what, position, rate, said,
                 said + lanes, said + 2 * lanes);
  copy (output, far ? said + lanes : said, lanes);
}

IFBAM_INLINE void
link_body (const IfbamView *view, gsize lanes, gsize slot, IfbamLinkOutput what, double *room,
           double *output)
{
  const IfbamParameterValues *numbers = view->numbers;
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (numbers->model, slot, &index);
  const gboolean near = slot < batch->first_slot + batch->count;
  double *position = room, *rate = position + 2 * lanes, *other = rate + 2 * lanes;

  if (batch->law->n_states > 0)
    {
      link_with_states (view, batch, index, slot, what, output);
      return;
    }
  node_body (view, lanes, batch->left[index], position, rate);
  node_body (view, lanes, batch->right[index], position + lanes, rate + lanes);
  evaluate_link (numbers, lanes, number_of (numbers, batch), index, what, position, rate,
                 near ? output : other, near ? other : output, NULL);
}

void
ifbam_view_link (const IfbamView *view, gsize slot, IfbamLinkOutput what, double *output)
{
  const gsize lanes = view->numbers->lanes;

  link_body (view, lanes, slot, what, g_newa (double, 5 * lanes), output);
}

void
ifbam_view_delta (const IfbamView *view, gsize slot, double *delta, double *rate)
{
  const IfbamParameterValues *numbers = view->numbers;
  const gsize lanes = numbers->lanes;
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (numbers->model, slot, &index);
  const double *ratio = batch->law->geometry->scaled
                            ? numbers->parameters[number_of (numbers, batch)][0] + index * lanes
                            : NULL;
  double *right = g_newa (double, 2 * lanes), *right_rate = right + lanes;

  ifbam_view_node (view, batch->left[index], delta, rate);
  ifbam_view_node (view, batch->right[index], right, right_rate);
  for (gsize l = 0; l < lanes; l++)
    {
      delta[l] -= ratio != NULL ? ratio[l] * right[l] : right[l];
      rate[l] -= ratio != NULL ? ratio[l] * right_rate[l] : right_rate[l];
    }
}

/* Computes a source's force; an engine can scale it. */
static void
source_body (const IfbamView *view, gsize source, double *force)
{
  double strength =
      view->engine != NULL ? ifbam_engine_get (view->engine, IFBAM_SOURCE_STRENGTH, source) : 1;

  if (isnan (strength))
    strength = 1;
  *force = 0;
  if (strength == 0)
    return;
  ifbam_parameter_values_source (view->numbers, source, view->time, force);
  if (strength != 1)
    *force *= strength;
}

IFBAM_INLINE void
force_body (const IfbamView *view, gsize lanes, gsize node, double *room, double *restrict force)
{
  const IfbamParameterValues *numbers = view->numbers;
  const IfbamModel *model = numbers->model;
  double *restrict said = room;

  for (gsize l = 0; l < lanes; l++)
    force[l] = IFBAM_NO_FORCE;
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const gsize slot = model->port[p] >> 1;

      if (slot < model->n_slots)
        link_body (view, lanes, slot, IFBAM_OUTPUT_FORCE, room + lanes, said);
      else
        source_body (view, slot - model->n_slots, said);
      for (gsize l = 0; l < lanes; l++)
        force[l] += ifbam_with_sign (said[l], model->port[p]);
    }
}

void
ifbam_view_force (const IfbamView *view, gsize node, double *force)
{
  const gsize lanes = view->numbers->lanes;

  force_body (view, lanes, node, g_newa (double, 6 * lanes), force);
}

/* Returns the force of unbatched links on a node at a sample, reactions included [N]. */
static double
unbatched_force (const IfbamView *view, gsize node)
{
  const IfbamModel *model = view->numbers->model;
  double sum = 0;

  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_UNBATCHED); ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, force;
      guint port = 0;

      while (port < link->n_ports && link->node[port] != node)
        port++;
      if (port == link->n_ports || link->info->signal_slot != 0)
        continue;
      force = ifbam_engine_get (view->engine, IFBAM_LINK_FORCE, at.number);
      if (node < model->n_free)
        return force; /* constraint of a branch */
      for (guint e = 0; e < link->n_ports; e++)
        node_body (view, 1, link->node[e], &x[e], &v[e]);
      ifbam_link_measure_at (link, x, v, &delta, row);
      sum -= row[port] * force;
    }
  return sum;
}

void
ifbam_view_node_force (const IfbamView *view, gsize node, double *force)
{
  const IfbamModel *model = view->numbers->model;
  const gsize lanes = view->numbers->lanes;

  if (node < model->n_free)
    {
      *force = unbatched_force (view, node);
      return;
    }
  ifbam_view_force (view, node, force);
  if (model->unbatched_links->len > 0)
    *force += unbatched_force (view, node);
  for (gsize l = 0; l < lanes; l++)
    force[l] = 0 - force[l];
}

void
ifbam_view_acceleration (const IfbamView *view, gsize node, double *acceleration)
{
  IfbamParameterValues *numbers = view->numbers;
  const gsize lanes = numbers->lanes;

  if (node >= numbers->model->n_free)
    copy (acceleration, ifbam_parameter_values_motion (numbers, node, view->time) + 2 * lanes,
          lanes);
  else
    {
      *acceleration = view->engine != NULL
                          ? ifbam_engine_get (view->engine, IFBAM_NODE_ACCELERATION, node)
                          : NAN;
      if (!isnan (*acceleration))
        return;
      ifbam_view_force (view, node, acceleration);
      for (gsize l = 0; l < lanes; l++)
        acceleration[l] *= numbers->inverse_inertia[node * lanes + l];
    }
}

void
ifbam_view_source (const IfbamView *view, gsize first, double *force)
{
  const IfbamParameterValues *numbers = view->numbers;
  const IfbamModel *model = numbers->model;
  double *one = g_newa (double, numbers->lanes);

  source_body (view, first, force);
  for (gsize s = first + 1;
       s < model->n_sources && model->sources->pdata[s] == model->sources->pdata[first]; s++)
    {
      source_body (view, s, one);
      for (gsize l = 0; l < numbers->lanes; l++)
        force[l] += one[l];
    }
}

void
ifbam_model_add_neighbours (const IfbamModel *model, gsize node, GArray *nodes)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    if (ifbam_link_iter_seek_slot (&at, model->port[p] >> 1))
      ifbam_link_add_nodes (at.link, node, nodes);
}

/* Sums */

void
ifbam_batch_compute (const IfbamBatch *batch, IfbamLinkKernel kernel, gsize first, gsize last,
                     const double *position, const double *rate, double *output)
{
  const double *parameters[IFBAM_MAX_LAW];
  IfbamLinkBatch arguments;

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + first;
  ifbam_batch_arguments (batch, parameters, first, position, rate, &arguments);
  arguments.output = output;
  kernel (&arguments, 0, last - first);
  IFBAM_VECTOR_LOOP
  for (gsize i = 0; i < last - first; i++)
    output[i] = ifbam_batch_is_gap (batch, first + i) ? 0.0 : output[i];
}

void
ifbam_batch_omit (const IfbamBatch *batch, gsize first, gsize n, double *term)
{
  for (gsize i = 0; batch->is_ghost != NULL && i < n; i++)
    if (batch->is_ghost[first + i])
      term[i] = 0.0;
}

void
ifbam_batch_add_energy (const IfbamBatch *batch, gsize first, gsize last, const double *position,
                        const double *rate, IfbamIsa isa, IfbamExactSum *sum)
{
  double energy[IFBAM_BLOCK];

  if (batch->law->storeless)
    return;
  for (gsize end; first < last; first = end)
    {
      end = MIN (first + IFBAM_BLOCK, last);
      ifbam_batch_compute (batch, batch->kernels->energy, first, end, position, rate, energy);
      ifbam_batch_omit (batch, first, end - first, energy);
      ifbam_exact_sum_add_all (sum, energy, end - first, isa);
    }
}

void
ifbam_add_motion (const double *rate, const double *inertia, gsize n, IfbamIsa isa,
                  IfbamExactSum *energy, IfbamExactSum *momentum)
{
  double momenta[IFBAM_BLOCK], kinetic[IFBAM_BLOCK];

  for (gsize some; n > 0; n -= some, rate += some, inertia += some)
    {
      some = MIN (n, IFBAM_BLOCK);
      for (gsize i = 0; i < some; i++)
        {
          momenta[i] = inertia[i] * rate[i];
          kinetic[i] = 0.5 * momenta[i] * rate[i];
        }
      ifbam_exact_sum_add_all (energy, kinetic, some, isa);
      if (momentum != NULL)
        ifbam_exact_sum_add_all (momentum, momenta, some, isa);
    }
}

/* Adds the motion of nodes that this part counts; other rates are set to 0. */
static void
add_own_motion (const IfbamModel *model, gsize first, const double *rate, gsize n, IfbamIsa isa,
                IfbamExactSum *energy, IfbamExactSum *momentum)
{
  double own[IFBAM_BLOCK], inertia[IFBAM_BLOCK];

  for (gsize some; n > 0; n -= some, rate += some, first += some)
    {
      some = MIN (n, IFBAM_BLOCK);
      for (gsize i = 0; i < some; i++)
        {
          own[i] = model->share->is_ghost[first + i] ? 0.0 : rate[i];
          inertia[i] = ifbam_model_inertia (model, first + i);
        }
      ifbam_add_motion (own, inertia, some, isa, energy, momentum);
    }
}

void
ifbam_model_add_motion (const IfbamModel *model, gsize first, const double *rate, gsize n,
                        IfbamIsa isa, IfbamExactSum *energy, IfbamExactSum *momentum)
{
  double same[IFBAM_BLOCK];
  gsize some;

  if (model->share != NULL)
    {
      add_own_motion (model, first, rate, n, isa, energy, momentum);
      return;
    }
  if (model->inertia != NULL)
    {
      ifbam_add_motion (rate, model->inertia + first, n, isa, energy, momentum);
      return;
    }
  for (gsize i = 0; i < MIN (n, IFBAM_BLOCK); i++)
    same[i] = model->same_inertia;
  for (; n > 0; n -= some, rate += some)
    {
      some = MIN (n, IFBAM_BLOCK);
      ifbam_add_motion (rate, same, some, isa, energy, momentum);
    }
}

static void
clear (IfbamExactSum *sum, gsize lanes)
{
  for (gsize l = 0; l < lanes; l++)
    ifbam_exact_sum_clear (&sum[l]);
}

static void
add (IfbamExactSum *sum, const double *term, gsize lanes)
{
  for (gsize l = 0; l < lanes; l++)
    ifbam_exact_sum_add (&sum[l], term[l]);
}

/* Calls `tell` for each link with its stored energy, in lanes. */
static void
each_energy (const IfbamView *view,
             void (*callback) (gpointer data, const double *energy, gsize lanes), gpointer data)
{
  const IfbamParameterValues *numbers = view->numbers;
  const gsize lanes = numbers->lanes;
  double *energy = g_newa (double, lanes);

  for (guint b = 0; b < numbers->model->batches->len; b++)
    {
      const IfbamBatch *batch = batch_at (numbers, b);
      const double *parameters[IFBAM_MAX_LAW];
      IfbamLinkBatch arguments;

      ifbam_batch_arguments (batch, parameters, 0, view->position, view->rate, &arguments);
      arguments.output = energy;

      for (gsize i = 0; i < batch->count && !batch->law->storeless; i++)
        {
          if (ifbam_batch_is_gap (batch, i))
            continue;
          for (guint k = 0; k < batch->n_numbers; k++)
            parameters[k] = numbers->parameters[b][k] + i * lanes;
          ifbam_lane_set_state_inputs (batch, i, lanes, &arguments);
          batch->kernels->run_energy[numbers->spec->isa](&arguments, 0, batch->left[i] * lanes,
                                                         batch->right[i] * lanes, lanes);
          callback (data, energy, lanes);
        }
    }
}

static void
add_energy (gpointer data, const double *energy, gsize lanes)
{
  add (data, energy, lanes);
}

static void
update_bound (gpointer data, const double *energy, gsize lanes)
{
  double *bound = data;

  for (gsize l = 0; l < lanes; l++)
    bound[l] += fabs (energy[l]);
}

static void
add_stored (const IfbamView *view, IfbamExactSum *sum)
{
  const IfbamParameterValues *numbers = view->numbers;

  if (numbers->lanes > 1)
    each_energy (view, add_energy, sum);
  for (guint b = 0; b < numbers->model->batches->len && numbers->lanes == 1; b++)
    ifbam_batch_add_energy (batch_at (numbers, b), 0, batch_at (numbers, b)->count, view->position,
                            view->rate, numbers->spec->isa, sum);
  if (view->engine != NULL && view->engine->books != IFBAM_BOOKS_NONE)
    ifbam_engine_add_stored (view->engine, sum);
}

void
ifbam_subtract_motion (double rate, IfbamExactSum *energy, IfbamExactSum *momentum)
{
  ifbam_exact_sum_add (energy, -0.5 * rate * rate);
  if (momentum != NULL)
    ifbam_exact_sum_add (momentum, -rate);
}

static void
add_motions (const IfbamView *view, IfbamExactSum *energy, IfbamExactSum *momentum)
{
  const IfbamParameterValues *numbers = view->numbers;
  const IfbamModel *model = numbers->model;
  const gsize lanes = numbers->lanes, n = model->n_free;

  if (lanes == 1)
    ifbam_model_add_motion (model, 0, view->rate, n, numbers->spec->isa, energy, momentum);
  for (gsize i = 0; i < n && lanes > 1; i++)
    for (gsize l = 0; l < lanes; l++)
      ifbam_add_motion (&view->rate[i * lanes + l], &numbers->inertia[i * lanes + l], 1,
                        numbers->spec->isa, &energy[l], momentum == NULL ? NULL : &momentum[l]);
  /* The momentum of a branch is no momentum of the network. */
  for (const IfbamLink *link = NULL; momentum != NULL && ifbam_unbatched_next (model, &link);)
    if (ifbam_link_is_tie (link) && link->node[2] < n)
      ifbam_exact_sum_add (
          momentum, -(ifbam_model_inertia (model, link->node[2]) * view->rate[link->node[2]]));
  for (gsize i = ifbam_model_n_named_free (model); i < n; i++)
    for (gsize l = 0; l < lanes && ifbam_model_counts (model, ifbam_model_free_node (model, i));
         l++)
      ifbam_subtract_motion (view->rate[ifbam_model_free_node (model, i) * lanes + l], &energy[l],
                             momentum == NULL ? NULL : &momentum[l]);
}

void
ifbam_view_sums (const IfbamView *view, IfbamSums *sums)
{
  const IfbamParameterValues *numbers = view->numbers;
  const IfbamModel *model = numbers->model;
  const gsize lanes = numbers->lanes;
  IfbamExactSum one[2];
  g_autofree IfbamExactSum *many = lanes == 1 ? NULL : g_new (IfbamExactSum, 2 * lanes);
  IfbamExactSum *energy = lanes == 1 ? one : many, *momentum = energy + lanes;
  /* Sums that are already over all parts must not be summed again. */
  IfbamExactSum *in_fields = model->share != NULL ? momentum : energy;
  double *field = g_newa (double, lanes);

  clear (energy, 2 * lanes);
  add_stored (view, energy);
  ifbam_model_add_up (model, energy, 1);
  for (gsize l = 0; l < lanes; l++)
    sums[l] = (IfbamSums){ .stored = ifbam_exact_sum_round (&energy[l]) };
  for (gsize i = 0; i < model->n_fields; i++)
    {
      const gsize node = model->source_node[model->fields[i]];

      if (!ifbam_model_counts (model, node))
        continue;
      ifbam_parameter_values_field_energy (numbers, model->fields[i], view->position + node * lanes,
                                           field);
      add (in_fields, field, lanes);
    }
  if (in_fields != energy)
    {
      ifbam_model_add_up (model, in_fields, 1);
      ifbam_exact_sum_merge (energy, in_fields);
    }
  for (gsize l = 0; l < lanes; l++)
    sums[l].potential = model->n_fields > 0 || in_fields != energy
                            ? ifbam_exact_sum_round (&energy[l])
                            : sums[l].stored;
  clear (energy, 2 * lanes);
  add_motions (view, energy, momentum);
  ifbam_model_add_up (model, energy, 2);
  for (gsize l = 0; l < lanes; l++)
    {
      sums[l].kinetic = ifbam_exact_sum_round (&energy[l]);
      sums[l].momentum = ifbam_exact_sum_round (&momentum[l]);
    }
}

void
ifbam_view_energy (const IfbamView *view, double *energy)
{
  const gsize lanes = view->numbers->lanes;
  IfbamExactSum one;
  g_autofree IfbamExactSum *many = lanes == 1 ? NULL : g_new (IfbamExactSum, lanes);
  IfbamExactSum *sum = lanes == 1 ? &one : many;

  clear (sum, lanes);
  add_stored (view, sum);
  add_motions (view, sum, NULL);
  for (gsize i = 0; i < view->numbers->model->n_free; i++)
    for (gsize l = 0; l < lanes; l++)
      if (!isfinite (view->position[i * lanes + l]))
        ifbam_exact_sum_add (&sum[l], NAN);
  for (gsize l = 0; l < lanes; l++)
    energy[l] = ifbam_exact_sum_round (&sum[l]);
}

void
ifbam_view_bound (const IfbamView *view, double *bound)
{
  const IfbamParameterValues *numbers = view->numbers;
  const gsize lanes = numbers->lanes;

  for (gsize l = 0; l < lanes; l++)
    bound[l] = 0;
  each_energy (view, update_bound, bound);
  for (gsize i = 0; i < numbers->model->n_free; i++)
    {
      const double *position = view->position + i * lanes, *rate = view->rate + i * lanes;

      for (gsize l = 0; l < lanes; l++)
        {
          const double inertia = numbers->inertia != NULL ? numbers->inertia[i * lanes + l]
                                                          : ifbam_model_inertia (numbers->model, i);

          bound[l] += 0.5 * (inertia * rate[l]) * rate[l] + 0.0 * position[l];
        }
    }
}

/* Gets consecutive nodes at once. */
void
ifbam_view_field_energy (const IfbamView *view, double *energy)
{
  const IfbamParameterValues *numbers = view->numbers;
  const IfbamModel *model = numbers->model;
  const gsize lanes = numbers->lanes, most = MAX (1, IFBAM_BLOCK / lanes);
  IfbamExactSum one;
  g_autofree IfbamExactSum *many = lanes == 1 ? NULL : g_new (IfbamExactSum, lanes);
  IfbamExactSum *sum = lanes == 1 ? &one : many;
  double *position = g_newa (double, 2 * most * lanes);
  double *field = g_newa (double, lanes);

  clear (sum, lanes);
  for (gsize i = 0, end; i < model->n_fields; i = end)
    {
      const gsize first = model->source_node[model->fields[i]];
      gsize last = first;

      for (end = i; end < model->n_fields; end++)
        {
          const gsize node = model->source_node[model->fields[end]];

          if (node > last + 1 || node - first >= most)
            break;
          last = node;
        }
      ifbam_engine_get_nodes (view->engine, first, last + 1, position, position + most * lanes);
      for (gsize k = i; k < end; k++)
        {
          const gsize node = model->source_node[model->fields[k]];

          if (!ifbam_model_counts (model, node))
            continue;
          ifbam_parameter_values_field_energy (numbers, model->fields[k],
                                               position + (node - first) * lanes, field);
          add (sum, field, lanes);
        }
    }
  ifbam_model_add_up (model, sum, 1);
  for (gsize l = 0; l < lanes; l++)
    energy[l] = ifbam_exact_sum_round (&sum[l]);
}

/* Sums of a power and of its amount; with one or two terms a plain sum is exact enough. */
typedef struct
{
  double *power, *amount;
  IfbamExactSum *sum; /* of power, then of amount (2)(lanes); NULL: few terms */
} Supply;

IFBAM_INLINE void
add_power (const Supply *supply, gsize lanes, const double *restrict force, double sign,
           const double *restrict rate)
{
  double *restrict power = supply->power, *restrict amount = supply->amount;

  if (supply->sum == NULL)
    for (gsize l = 0; l < lanes; l++)
      {
        const double term = sign * force[l] * rate[l];

        power[l] += term;
        amount[l] += fabs (term);
      }
  else
    for (gsize l = 0; l < lanes; l++)
      {
        const double term = sign * force[l] * rate[l];

        ifbam_exact_sum_add (&supply->sum[l], term);
        ifbam_exact_sum_add (&supply->sum[lanes + l], fabs (term));
      }
}

IFBAM_INLINE void
supply_body (const IfbamView *view, gsize lanes, double *power, double *amount)
{
  const IfbamParameterValues *numbers = view->numbers;
  const IfbamModel *model = numbers->model;
  const gboolean few = model->n_sources - model->n_fields + numbers->n_moving <= 2;
  IfbamExactSum *sum = few ? NULL : g_new (IfbamExactSum, 2 * lanes);
  const Supply supply = { .power = power, .amount = amount, .sum = sum };
  double *force = g_newa (double, 9 * lanes), *position = force + lanes, *rate = position + lanes;
  double *room = rate + lanes;

  for (gsize l = 0; l < lanes; l++)
    power[l] = amount[l] = 0;
  if (!few)
    clear (sum, 2 * lanes);
  for (gsize i = 0; i < model->n_sources; i++)
    {
      if (ifbam_model_is_field (model, i))
        continue;
      node_body (view, lanes, model->source_node[i], position, rate);
      source_body (view, i, force);
      add_power (&supply, lanes, force, 1, rate);
    }
  for (gsize m = 0; m < numbers->n_moving; m++)
    {
      node_body (view, lanes, numbers->moving[m], position, rate);
      force_body (view, lanes, numbers->moving[m], room, force);
      add_power (&supply, lanes, force, -1, rate);
    }
  if (few)
    return;
  for (gsize l = 0; l < lanes; l++)
    {
      power[l] = ifbam_exact_sum_round (&sum[l]);
      amount[l] = ifbam_exact_sum_round (&sum[lanes + l]);
    }
  g_free (sum);
}

void
ifbam_view_supply (const IfbamView *view, double *power, double *amount)
{
  if (view->numbers->lanes == 1)
    supply_body (view, 1, power, amount);
  else
    supply_body (view, view->numbers->lanes, power, amount);
}

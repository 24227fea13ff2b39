/* kernel-calls.c: the kernel calls of a cycle, prepared once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/kernel-calls.h"

/* Links */

/* Returns the count of links from i on with consecutive ends; 1 if they have states. */
static gsize
consecutive_links (const IfbamBatch *batch, gsize i, gsize last)
{
  gsize n = 1;

  while (batch->law->n_states == 0 && i + n < last && !ifbam_batch_is_gap (batch, i + n)
         && batch->left[i + n] == batch->left[i] + n && batch->right[i + n] == batch->right[i] + n)
    n++;
  return n;
}

static void
add_run (GArray *links, IfbamLinkCall call, gsize lanes, gsize first, gsize left, gsize right,
         gsize n)
{
  call.kernel = NULL;
  call.first = first * lanes;
  call.left = left * lanes;
  call.right = right * lanes;
  call.last = n * lanes;
  g_array_append_val (links, call);
}

/* Adds runs in lanes: each link is one. Moving given nodes have their messages in the columns. */
static void
add_lane_runs (GArray *links, IfbamLinkCall *call, const IfbamBatch *batch, gsize lanes)
{
  for (gsize i = 0, n; i < batch->first_idle; i += n)
    {
      n = 1;
      if (ifbam_batch_is_gap (batch, i))
        continue;
      n = consecutive_links (batch, i, batch->first_idle);
      ifbam_lane_set_state_inputs (batch, i, lanes, &call->batch);
      add_run (links, *call, lanes, i, batch->left[i], batch->right[i], n);
    }
}

static void
make_link_calls (IfbamCalls *calls, const IfbamColumns *columns, guint cycle,
                 const IfbamMiddles *middles)
{
  const IfbamParameterValues *numbers = columns->numbers;
  const IfbamModel *model = numbers->model;
  const gboolean mean = numbers->spec->scheme->mean;
  GArray *links = g_array_new (FALSE, FALSE, sizeof (IfbamLinkCall));
  guint n;

  calls->batches = g_new (IfbamLinkBatch, model->batches->len + 1);
  calls->residues = g_new (IfbamLinkBatch, model->batches->len + 1);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      IfbamLinkCall call = { .kernel = ifbam_residue_kernel (batch, numbers->spec->scheme, middles),
                             .run = (mean ? batch->kernels->run_mean
                                          : batch->kernels->run_force)[numbers->spec->isa],
                             .batch = ifbam_columns_arguments (columns, b, cycle),
                             .last = batch->n_residue };

      calls->batches[b] = calls->residues[b] = call.batch;
      if (numbers->lanes > 1)
        {
          add_lane_runs (links, &call, batch, numbers->lanes);
          continue;
        }
      if (ifbam_middles_apply (middles, batch))
        {
          calls->residues[b].position = middles->position;
          calls->residues[b].rate = middles->rate != NULL ? middles->rate : middles->position;
        }
      call.batch = calls->residues[b];
      if (batch->n_residue > 0)
        g_array_append_val (links, call);
      call.batch = calls->batches[b];
      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++)
          {
            const IfbamLinkRun *run = &batch->groups[g].runs[r];

            add_run (links, call, 1, run->first, run->left, run->right, run->n);
          }
    }
  n = links->len;
  calls->links = (IfbamLinkCall *) (gpointer) g_array_free (links, FALSE);
  calls->links_end = n > 0 ? calls->links + n : calls->links;
}

/* Nodes */

/* Returns the looked-up ports of nodes side by side, equally many for each, filled with a slot of
 * IFBAM_NO_FORCE; NULL: a node has too many. */
static IfbamPort *
pack_ports (const IfbamModel *model, gsize first, gsize n, guint *degree)
{
  IfbamPort *ports;

  *degree = 1;
  for (gsize i = first; i < first + n; i++)
    *degree = MAX (*degree, model->port_start[i + 1] - model->port_start[i]);
  if (*degree > IFBAM_MAX_RUN_PORTS)
    return NULL;
  ports = g_new (IfbamPort, n * *degree);
  for (gsize i = 0; i < n; i++)
    for (guint p = 0; p < *degree; p++)
      {
        guint32 at = model->port_start[first + i] + p;
        gboolean is = at < model->port_start[first + i + 1];

        ports[i * *degree + p].slot = is ? model->port[at] >> 1 : ifbam_model_n_forces (model);
        ports[i * *degree + p].sign = is && model->port[at] & 1 ? -1.0 : 1.0;
      }
  return ports;
}

/* Returns a call with the columns from a node on, without ports. */
static IfbamNodeCall
node_call (const IfbamColumns *columns, guint cycle, gsize first, gsize n)
{
  const IfbamParameterValues *numbers = columns->numbers;
  IfbamNodeCall call = { .batch = { .inverse_inertia =
                                        numbers->inverse_inertia + first * numbers->lanes,
                                    .step = numbers->spec->step },
                         .first = first,
                         .n = n,
                         .size = n * numbers->lanes };

  for (guint c = 0; c < numbers->spec->scheme->n_columns; c++)
    call.batch.column[c] = ifbam_columns_at (columns, cycle, c) + first * numbers->lanes;
  return call;
}

static guint
degree_of (const IfbamModel *model, gsize node)
{
  return model->port_start[node + 1] - model->port_start[node];
}

/* Returns the count of nodes with the ports of the first one, each one slot further. */
static gsize
consecutive_nodes (const IfbamModel *model, gsize first, gsize last)
{
  const guint degree = degree_of (model, first);
  gsize n = 1;

  for (; first + n < last && degree_of (model, first + n) == degree; n++)
    for (guint p = 0; p < degree; p++)
      if (model->port[model->port_start[first + n] + p]
          != model->port[model->port_start[first] + p] + 2 * n)
        return n;
  return n;
}

/* Returns the call of nodes with ports in a run; in lanes also of a single node. */
static IfbamNodeCall
run_call (const IfbamColumns *columns, guint cycle, guint stage, const double *inputs, gsize first,
          gsize n)
{
  const IfbamParameterValues *numbers = columns->numbers;
  const IfbamModel *model = numbers->model;
  const guint32 *port = model->port + model->port_start[first];
  const guint degree = degree_of (model, first);
  IfbamNodeCall call = node_call (columns, cycle, first, n);

  call.kernel = numbers->spec->scheme->update[stage][numbers->spec->isa][degree];
  for (guint p = 0; p < degree; p++)
    {
      call.batch.port[p] = inputs + (port[p] >> 1) * numbers->lanes;
      call.batch.sign[p] = port[p] & 1 ? -1.0 : 1.0;
    }
  return call;
}

/* Returns the call of nodes from `first` on with looked-up ports, as many as fit. */
static IfbamNodeCall
looked_up_call (const IfbamColumns *columns, guint cycle, guint stage, const double *inputs,
                gsize first, gsize last, double *force)
{
  const IfbamParameterValues *numbers = columns->numbers;
  const IfbamModel *model = numbers->model;
  const IfbamScheme *scheme = numbers->spec->scheme;
  const gboolean lanes = numbers->lanes > 1;
  IfbamNodeCall call;
  guint degree = degree_of (model, first);

  if (lanes && degree > 0 && degree <= IFBAM_MAX_RUN_PORTS)
    return run_call (columns, cycle, stage, inputs, first, consecutive_nodes (model, first, last));
  call = node_call (columns, cycle, first, lanes ? 1 : MIN (last - first, IFBAM_RANGE));
  if (!lanes && model->n_free <= IFBAM_RANGE)
    call.batch.ports = pack_ports (model, first, call.n, &degree);
  if (call.batch.ports != NULL)
    {
      call.kernel = scheme->update_few[stage][degree - 1];
      call.batch.inputs = inputs;
      return call;
    }
  call.kernel = scheme->update[stage][numbers->spec->isa][0];
  call.batch.port[0] = force;
  call.sums = TRUE;
  return call;
}

static void
make_node_calls (IfbamCalls *calls, const IfbamColumns *columns, guint cycle, guint stage,
                 double *force)
{
  const IfbamModel *model = columns->numbers->model;
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (IfbamNodeCall));
  guint n;

  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);
      const gsize end = run->first + run->n;
      IfbamNodeCall call;

      for (gsize first = run->first; first < end; first += call.n)
        {
          call = run->degree == 0
                     ? looked_up_call (columns, cycle, stage, calls->inputs, first, end, force)
                     : run_call (columns, cycle, stage, calls->inputs, first, run->n);
          g_array_append_val (nodes, call);
        }
    }
  n = nodes->len;
  calls->nodes = (IfbamNodeCall *) (gpointer) g_array_free (nodes, FALSE);
  calls->nodes_end = n > 0 ? calls->nodes + n : calls->nodes;
}

void
ifbam_calls_make (IfbamCalls *calls, const IfbamColumns *columns, guint place,
                  const IfbamMiddles *middles, double *force)
{
  const IfbamScheme *scheme = columns->numbers->spec->scheme;
  const guint cycle = scheme->latency ? place : 0;

  calls->inputs = ifbam_columns_input_forces (columns, cycle);
  calls->outputs = ifbam_columns_output_forces (columns, cycle);
  for (guint c = 0; c < scheme->n_columns; c++)
    calls->seen[c] = ifbam_columns_at (columns, cycle + 1, c);
  make_link_calls (calls, columns, cycle, middles);
  make_node_calls (calls, columns, cycle, scheme->latency ? 0 : place, force);
}

void
ifbam_calls_clear (IfbamCalls *calls)
{
  for (IfbamNodeCall *node = calls->nodes; node < calls->nodes_end; node++)
    g_free ((gpointer) node->batch.ports);
  g_free (calls->links);
  g_free (calls->nodes);
  g_free (calls->batches);
  g_free (calls->residues);
  *calls = (IfbamCalls){ 0 };
}

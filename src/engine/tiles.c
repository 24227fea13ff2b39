/* tiles.c: cycles of ranges of links and nodes, and of tiles
 *
 * A cycle on a range of nodes computes the links that they own, then updates the nodes. A link
 * reaches from its owner to nodes at most a bandwidth higher. So a tile of nodes can be advanced
 * through many cycles while it stays in the nearest caches, if it moves down by the bandwidth
 * (rounded up: the skew) in each cycle:
 *
 *   cycle c of the tile at a: nodes a - skew c <= i < a - skew c + width
 *
 * Data above are those of the cycle before, data below are set by earlier tiles. (Wolfe 1989, "More
 * iteration space tiling"; Frigo & Strumpen 2005 for trapezoids.)
 *
 * A piece [L, R) of the network is advanced in two phases. In the first its edges draw in: nodes
 * from L + skew (c + 1) to R - skew c, and links from L + skew c on, before the messages of their
 * ends are overwritten. In the second the wedges around the borders are filled.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/tiles.h"

#include <math.h>

#include "element/element.h"
#include "engine/energy-check.h"

/* Links */

static void
runs_answer (const IfbamCompiledEngine *self, const IfbamBatch *batch,
             const IfbamLinkBatch *arguments, const IfbamRunGroup *group, gsize lo, gsize hi)
{
  const IfbamRunSpec *spec = self->base.spec;
  const IfbamRunKernel kernel =
      (spec->scheme->mean ? batch->kernels->run_mean : batch->kernels->run_force)[spec->isa];

  for (gsize r = ifbam_first_run (group, lo); r < group->n_runs && group->runs[r].owner < hi; r++)
    {
      const IfbamLinkRun *run = &group->runs[r];
      gsize skip = lo > run->owner ? lo - run->owner : 0;
      gsize end = MIN (run->n, hi - run->owner);

      kernel (arguments, run->first + skip, run->left + skip, run->right + skip, end - skip);
    }
}

static gboolean
is_moving (const IfbamCompiledEngine *self, guint32 given)
{
  return self->moving_number[given - self->base.model->n_free] < self->base.numbers->n_moving;
}

/* Computes a link to a moving given node, with its tabulated message of this cycle, since ranges of
 * nodes are at different cycles. */
static void
compute_driven (const IfbamCompiledEngine *self, const IfbamBatch *batch, gsize index,
                const IfbamLinkBatch *all, guint cycle)
{
  static const guint32 port[IFBAM_MAX_PORTS] = { 0, 1, 2, 3, 4, 5, 6 };
  const IfbamModel *model = self->base.model;
  const guint32 end[2] = { batch->left[index], batch->right[index] };
  const double *parameters[IFBAM_MAX_LAW];
  double position[IFBAM_MAX_PORTS], rate[IFBAM_MAX_PORTS];
  double earlier_position[IFBAM_MAX_PORTS], earlier_rate[IFBAM_MAX_PORTS];
  IfbamLinkBatch arguments;

  arguments.parameters = parameters;
  arguments.left = &port[0];
  arguments.right = &port[1];
  arguments.position = position;
  arguments.rate = rate;
  arguments.earlier_position = earlier_position;
  arguments.earlier_rate = earlier_rate;
  arguments.output = all->output + index;
  arguments.far = all->far + index;
  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + index;
  for (guint e = 0; e < 2; e++)
    if (end[e] < model->n_free || !is_moving (self, end[e]))
      {
        position[e] = all->position[end[e]];
        rate[e] = all->rate[end[e]];
        earlier_position[e] = all->earlier_position[end[e]];
        earlier_rate[e] = all->earlier_rate[end[e]];
      }
    else
      {
        const gsize n_moving = self->base.numbers->n_moving;
        const IfbamTabled *now =
            self->said + (cycle + 1) * n_moving + self->moving_number[end[e] - model->n_free];

        position[e] = now->position;
        rate[e] = now->rate;
        earlier_position[e] = now[-(gssize) n_moving].position;
        earlier_rate[e] = now[-(gssize) n_moving].rate;
      }
  for (guint k = 0; k < batch->law->n_states; k++)
    {
      const guint32 node = batch->state[k][index];

      rate[2 + k] = all->rate[node];
      earlier_rate[2 + k] = all->earlier_rate[node];
      arguments.state[k] = &port[2 + k];
      arguments.state_rate[k] = all->state_rate[k] + index;
    }
  (self->base.spec->scheme->mean ? batch->kernels->mean : batch->kernels->force) (&arguments, 0, 1);
}

static void
compute_batch (const IfbamCompiledEngine *self, const IfbamBatch *batch,
               const IfbamLinkBatch *arguments, const IfbamLinkBatch *residue, gsize lo, gsize hi)
{
  gsize first = 0, last = batch->n_residue;

  if (lo > 0)
    first = ifbam_owner_bound (batch, 0, last, lo);
  if (hi < self->base.model->n_free)
    last = ifbam_owner_bound (batch, first, last, hi);
  if (first < last)
    ifbam_residue_kernel (batch, self->base.spec->scheme, &self->middles) (residue, first, last);
  for (guint g = 0; g < batch->n_groups; g++)
    runs_answer (self, batch, arguments, &batch->groups[g], lo, hi);
}

static void
compute_all_driven (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi)
{
  const IfbamModel *model = self->base.model;
  const IfbamCalls *calls = ifbam_calls_at (self, cycle);

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first = ifbam_owner_bound (batch, batch->first_driven, batch->first_idle, lo);
      gsize last = ifbam_owner_bound (batch, first, batch->first_idle, hi);

      for (gsize i = first; i < last; i++)
        compute_driven (self, batch, i, &calls->batches[b], cycle);
    }
}

void
ifbam_timed_forces_compute (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi)
{
  if (self->base.numbers->n_moving > 0)
    compute_all_driven (self, cycle, lo, hi);
  if (self->base.model->n_varying > 0 && !isnan (self->work.source_time[cycle]))
    ifbam_sources_compute (self->base.numbers, self->work.source_time[cycle], lo, hi,
                           ifbam_columns_output_forces (&self->columns, cycle));
}

void
ifbam_links_compute (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi)
{
  const IfbamModel *model = self->base.model;
  const IfbamCalls *calls = ifbam_calls_at (self, cycle);

  if (lo >= hi)
    return;
  for (guint b = 0; b < model->batches->len; b++)
    compute_batch (self, &g_array_index (model->batches, IfbamBatch, b), &calls->batches[b],
                   &calls->residues[b], lo, hi);
  ifbam_timed_forces_compute (self, cycle, lo, hi);
}

/* Nodes */

/* Nodes lo <= i < hi of a call. */
static void
call_nodes (const IfbamCompiledEngine *self, const IfbamCalls *calls, const IfbamNodeCall *call,
            gsize lo, gsize hi)
{
  IfbamNodeBatch batch;
  double force[IFBAM_RANGE];

  if (!call->sums)
    {
      call->kernel (&call->batch, lo - call->first, hi - lo);
      return;
    }
  ifbam_sum_ports (self->base.model, 1, calls->inputs, lo, hi, force + (lo - call->first));
  batch = call->batch;
  batch.port[0] = force;
  call->kernel (&batch, lo - call->first, hi - lo);
}

/* Stores the probes among nodes lo <= i < hi, after the last stage of a step. */
static void
store_probes (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi)
{
  const IfbamProbes *probes = self->work.probes;
  const IfbamScheme *scheme = self->base.spec->scheme;
  const gsize row = self->work.row[cycle];
  gsize low = 0, high = probes->n;

  if (row == IFBAM_NO_ROW)
    return;
  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (probes->node[middle] < lo)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < probes->n && probes->node[low] < hi; low++)
    scheme->observe_one (probes->node[low], ifbam_calls_at (self, cycle)->seen,
                         &probes->position[row * probes->n + low],
                         &probes->rate[row * probes->n + low]);
}

void
ifbam_form_middles (const IfbamCompiledEngine *self, double *const *column, gsize lo, gsize hi)
{
  if (self->middles.position == NULL)
    return;
  for (gsize i = lo; i < hi; i++)
    self->middles.position[i] = ifbam_path_position (column[0][i], column[2][i], 0.5);
  if (self->middles.rate != NULL)
    for (gsize i = lo; i < hi; i++)
      self->middles.rate[i] = ifbam_path_rate (column[1][i], column[3][i], 0.5);
}

void
ifbam_nodes_update (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi)
{
  const IfbamCalls *calls = ifbam_calls_at (self, cycle);
  const IfbamNodeCall *call = calls->nodes, *last = calls->nodes_end;

  if (lo >= hi)
    return;
  while (call < last)
    {
      const IfbamNodeCall *middle = call + (last - call) / 2;

      if (middle->first + middle->n <= lo)
        call = middle + 1;
      else
        last = middle;
    }
  for (; call < calls->nodes_end && call->first < hi; call++)
    call_nodes (self, calls, call, MAX (lo, call->first), MIN (hi, call->first + call->n));
  ifbam_form_middles (self, calls->seen, lo, hi);
  if (self->work.probes != NULL)
    store_probes (self, cycle, lo, hi);
}

/* Tiles */

void
ifbam_piece_cycles (const IfbamCompiledEngine *self, gsize left, gsize right, IfbamExactSum *energy)
{
  const gssize n = (gssize) self->base.model->n_free;
  const gssize width = (gssize) self->tile_width, skew = (gssize) self->skew;
  const gssize inner_left = left > 0 ? 1 : 0, inner_right = (gssize) right < n ? 1 : 0;
  const gssize end = (gssize) right + (inner_right ? 0 : skew * (gssize) (self->work.cycles - 1));

  for (gssize a = (gssize) left; a < end; a += width)
    for (gssize c = 0; c < (gssize) self->work.cycles; c++)
      {
        gssize lo = a - skew * c;
        gssize hi = MIN (lo + width, (gssize) right - inner_right * skew * c);
        gssize first_link = MAX (lo, (gssize) left + inner_left * skew * c);
        gssize first_node = MAX (lo, (gssize) left + inner_left * skew * (c + 1));

        /* Nodes of this tile, and of those that its links reach, are still at the sample. */
        if (c == 0 && self->work.look && a < (gssize) right)
          ifbam_energy_check_add_range (self, (gsize) a, (gsize) hi, energy);
        if (hi <= first_link)
          continue;
        ifbam_links_compute (self, (guint) c, (gsize) first_link, (gsize) hi);
        if (hi > first_node)
          ifbam_nodes_update (self, (guint) c, (gsize) first_node, (gsize) hi);
      }
}

void
ifbam_wedge_cycles (const IfbamCompiledEngine *self, gsize border)
{
  for (guint c = 0; c < self->work.cycles; c++)
    {
      ifbam_links_compute (self, c, border - self->skew * c, border + self->skew * c);
      ifbam_nodes_update (self, c, border - self->skew * c, border + self->skew * (c + 1));
    }
}

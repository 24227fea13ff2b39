/* energy-check.c: energy of a network in a compiled engine, to detect divergence
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/energy-check.h"

/* Chunk: elements that a thread sums in one go. */
static gsize
chunks_of (gsize n)
{
  return (n + IFBAM_BLOCK - 1) / IFBAM_BLOCK;
}

gsize
ifbam_energy_check_chunks (const IfbamModel *model)
{
  gsize n = chunks_of (model->n_free);

  for (guint b = 0; b < model->batches->len; b++)
    n += chunks_of (g_array_index (model->batches, IfbamBatch, b).first_driven);
  return n;
}

/* Adds links with states, with their states at the sample. */
static void
add_links_with_states (const IfbamCompiledEngine *self, const IfbamBatch *batch, gsize first,
                       gsize last, IfbamExactSum *energy)
{
  const IfbamScheme *scheme = self->base.spec->scheme;
  const double *position = self->columns.column[scheme->row_position];
  static const guint32 place[IFBAM_MAX_STATES] = { 0, 1 };

  for (gsize i = first; i < last; i++)
    {
      const double *parameters[IFBAM_MAX_LAW];
      double rate[IFBAM_MAX_STATES], ignored, own;
      IfbamLinkBatch arguments;

      if (batch->is_ghost != NULL && batch->is_ghost[i])
        continue;
      ifbam_batch_arguments (batch, parameters, i, position, rate, &arguments);
      for (guint k = 0; k < batch->n_numbers; k++)
        parameters[k] = batch->parameters[k] + i;
      for (guint k = 0; k < batch->law->n_states; k++)
        {
          scheme->observe_one (batch->state[k][i], self->columns.column, &ignored, &rate[k]);
          arguments.state[k] = &place[k];
        }
      arguments.output = &own;
      batch->kernels->energy (&arguments, 0, 1);
      ifbam_exact_sum_add (energy, own);
    }
}

static void
add_links (const IfbamCompiledEngine *self, const IfbamBatch *batch, gsize first, gsize last,
           IfbamExactSum *energy)
{
  const IfbamRunSpec *spec = self->base.spec;

  if (batch->law->n_states > 0)
    {
      add_links_with_states (self, batch, first, last, energy);
      return;
    }
  ifbam_batch_add_energy (batch, first, last, self->columns.column[spec->scheme->row_position],
                          self->columns.column[1], spec->isa, energy);
}

static void
add_nodes (const IfbamCompiledEngine *self, gsize first, gsize last, IfbamExactSum *energy)
{
  const IfbamRunSpec *spec = self->base.spec;
  double position[IFBAM_BLOCK], rate[IFBAM_BLOCK], strayed = 0;

  for (gsize end; first < last; first = end)
    {
      end = MIN (first + IFBAM_BLOCK, last);
      spec->scheme->observe (first, end, self->columns.column, position, rate);
      for (gsize i = 0; i < end - first; i++)
        strayed += 0.0 * position[i]; /* NaN if a position is not finite */
      ifbam_model_add_motion (self->base.model, first, rate, end - first, spec->isa, energy, NULL);
      for (gsize i = first; i < end && self->base.model->n_state_nodes > 0; i++)
        if (ifbam_model_is_state_node (self->base.model, i)
            && ifbam_model_counts (self->base.model, i))
          ifbam_subtract_motion (rate[i - first], energy, NULL);
    }
  if (strayed != 0)
    ifbam_exact_sum_add (energy, strayed);
}

void
ifbam_energy_check_add_range (const IfbamCompiledEngine *self, gsize lo, gsize hi,
                              IfbamExactSum *energy)
{
  const IfbamModel *model = self->base.model;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first = ifbam_owner_bound (batch, 0, batch->n_residue, lo);
      gsize last = ifbam_owner_bound (batch, first, batch->n_residue, hi);

      add_links (self, batch, first, last, energy);
      for (guint g = 0; g < batch->n_groups; g++)
        {
          const IfbamRunGroup *group = &batch->groups[g];

          for (gsize r = ifbam_first_run (group, lo);
               r < group->n_runs && group->runs[r].owner < hi; r++)
            {
              const IfbamLinkRun *run = &group->runs[r];

              add_links (self, batch, run->first + (lo > run->owner ? lo - run->owner : 0),
                         run->first + MIN (run->n, hi - run->owner), energy);
            }
        }
    }
  add_nodes (self, lo, hi, energy);
}

/* Order of chunks: links of all batches except to moving given nodes, then free nodes. */
void
ifbam_energy_check_add_chunk (const IfbamCompiledEngine *self, gsize chunk, IfbamExactSum *energy)
{
  const IfbamModel *model = self->base.model;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize n = chunks_of (batch->first_driven);

      if (chunk < n)
        {
          add_links (self, batch, chunk * IFBAM_BLOCK,
                     MIN ((chunk + 1) * IFBAM_BLOCK, batch->first_driven), energy);
          return;
        }
      chunk -= n;
    }
  add_nodes (self, chunk * IFBAM_BLOCK, MIN ((chunk + 1) * IFBAM_BLOCK, model->n_free), energy);
}

/* Begins with links to moving given nodes and those between given nodes, one by one. */
void
ifbam_energy_check_begin (IfbamCompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  IfbamView view = { .numbers = self->base.numbers, .engine = &self->base };

  for (guint i = 0; i < self->n_pieces; i++)
    ifbam_exact_sum_clear (&self->partial[i]);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize i = batch->first_driven; i < batch->count; i++)
        {
          double energy;

          if (batch->is_ghost != NULL && batch->is_ghost[i])
            continue;
          ifbam_view_link (&view, batch->first_slot + i, IFBAM_OUTPUT_ENERGY, &energy);
          ifbam_exact_sum_add (&self->partial[0], energy);
        }
    }
}

double
ifbam_energy_check_end (IfbamCompiledEngine *self)
{
  for (guint i = 1; i < self->n_pieces; i++)
    ifbam_exact_sum_merge (&self->partial[0], &self->partial[i]);
  ifbam_model_add_up (self->base.model, &self->partial[0], 1);
  return ifbam_exact_sum_round (&self->partial[0]);
}

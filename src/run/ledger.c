/* ledger.c: a network's energies at a moment, and the work done over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/ledger.h"

#include <math.h>
#include <string.h>

/* A sum is the sum of its blocks' sums, so it does not depend on who computes the blocks. */
#define BLOCK 1024

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

/* Power of what is fed in: sources f v (but for fields), given nodes -F v (F: of the network on the node). */
static double
supply (const IfbamLedger *ledger, const IfbamView *view, double *turnover)
{
  const IfbamModel *model = view->model;
  double sum = 0, position, rate;

  *turnover = 0;
  for (gsize i = 0; i < model->n_sources; i++)
    {
      double power;

      if (ifbam_model_is_field (model, i))
        continue;
      ifbam_view_node (view, model->source_node[i], &position, &rate);
      power = ifbam_model_source (model, i, view->time) * rate;
      sum += power;
      *turnover += fabs (power);
    }
  for (guint i = 0; i < ledger->supplied_nodes->len; i++)
    {
      gsize node = g_array_index (ledger->supplied_nodes, gsize, i);
      double power;

      ifbam_view_node (view, node, &position, &rate);
      power = -ifbam_view_force (view, node) * rate;
      sum += power;
      *turnover += fabs (power);
    }
  return sum;
}

static void
run_kernels (const IfbamLedger *ledger, const IfbamView *view, gboolean loss)
{
  const IfbamModel *model = view->model;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      IfbamLinkBatch arguments = { .parameters = (const double *const *) batch->parameters,
                                   .left = batch->left,
                                   .right = batch->right,
                                   .position = view->position,
                                   .rate = view->rate,
                                   .answer = ledger->scratch + batch->first_slot };

      if (loss && !batch->law->lossy)
        for (gsize i = 0; i < batch->count; i++)
          arguments.answer[i] = 0.0;
      else
        (loss ? batch->kernels->loss : batch->kernels->energy) (&arguments, 0, batch->count);
    }
}

/* The scratch column over the links in file order. */
static double
sum_links (const IfbamLedger *ledger)
{
  const IfbamModel *model = ledger->engine->model;
  double total = 0;

  for (gsize first = 0; first < model->n_links; first += BLOCK)
    {
      gsize last = MIN (first + BLOCK, model->n_links);
      double sum = 0;

      for (gsize i = first; i < last; i++)
        sum += ledger->scratch[model->link_slot[i]];
      total += sum;
    }
  return total;
}

static double
dissipation (const IfbamLedger *ledger, const IfbamView *view)
{
  run_kernels (ledger, view, TRUE);
  return sum_links (ledger);
}

/* What each link has lost now is in the scratch column. */
static void
book_links (IfbamLedger *ledger, double weight)
{
  for (gsize i = 0; ledger->link_dissipated != NULL && i < ledger->engine->model->n_slots; i++)
    ledger->link_dissipated[i] += weight * ledger->scratch[i];
}

IfbamSums
ifbam_ledger_sums (IfbamLedger *ledger, const IfbamView *view)
{
  const IfbamModel *model = view->model;
  IfbamSums sums = { .dissipated = ledger->dissipated,
                     .supplied = ledger->supplied,
                     .link_dissipated = ledger->link_dissipated };

  run_kernels (ledger, view, FALSE);
  sums.stored = sum_links (ledger);
  if (ledger->engine->account != NULL)
    {
      IfbamAccount account = ledger->engine->account (ledger->engine);

      sums.dissipated = account.dissipated;
      sums.supplied = account.supplied;
      sums.stored += account.potential;
      ledger->turnover = account.turnover;
    }
  sums.potential = sums.stored;
  for (gsize i = 0; i < model->n_sources && model->n_fields > 0; i++)
    if (ifbam_model_is_field (model, i))
      sums.potential += ifbam_model_field_energy (model, i, view->position[model->source_node[i]]);
  for (gsize first = 0; first < model->n_free; first += BLOCK)
    {
      gsize last = MIN (first + BLOCK, model->n_free);
      double kinetic = 0, momentum = 0;

      for (gsize i = first; i < last; i++)
        {
          gsize node = ifbam_model_number_of (model, i);
          double impetus = view->rate[node] / model->inverse_inertia[node];

          momentum += impetus;
          kinetic += 0.5 * impetus * view->rate[node];
        }
      sums.kinetic += kinetic;
      sums.momentum += momentum;
    }
  return sums;
}

/* Nodes that follow each other are asked together. */
double
ifbam_ledger_field_energy (IfbamLedger *ledger)
{
  IfbamEngine *engine = ledger->engine;
  const IfbamModel *model = engine->model;
  double position[BLOCK], rate[BLOCK], total = 0;

  for (gsize i = 0, end; i < model->n_fields; i = end)
    {
      const gsize first = model->source_node[model->fields[i]];
      gsize last = first;

      for (end = i; end < model->n_fields; end++)
        {
          const gsize node = model->source_node[model->fields[end]];

          if (node > last + 1 || node - first >= BLOCK)
            break;
          last = node;
        }
      engine->observe (engine, first, last + 1, position, rate);
      for (gsize k = i; k < end; k++)
        total += ifbam_model_field_energy (model, model->fields[k],
                                           position[model->source_node[model->fields[k]] - first]);
    }
  return total;
}

static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  IfbamLedger *ledger = data;
  const IfbamModel *model = ledger->engine->model;
  IfbamView view = { .model = model,
                     .time = ((double) ledger->engine->steps + model->scheme->stage_time[stage])
                             * model->step,
                     .position = position,
                     .rate = rate };
  double weight = model->scheme->stage_weight[stage] * model->step, turnover;

  ledger->supplied += weight * supply (ledger, &view, &turnover);
  ledger->turnover += weight * turnover;
  if (ledger->level == IFBAM_LEDGER_FULL)
    {
      ledger->dissipated += weight * dissipation (ledger, &view);
      book_links (ledger, weight);
    }
}

/* Only a full account is taken with the stages' weights: for the supply's part in the divergence check
 * trapezoids will do under every scheme. */
static gboolean
by_stages (const IfbamLedger *ledger)
{
  return ledger->level == IFBAM_LEDGER_FULL && ledger->engine->model->scheme->stage_weight[0] > 0
         && ledger->engine->keep_account == NULL;
}

gboolean
ifbam_ledger_integrates (const IfbamLedger *ledger)
{
  return ledger->level != IFBAM_LEDGER_NONE && !by_stages (ledger)
         && ledger->engine->keep_account == NULL;
}

gboolean
ifbam_ledger_needs_all (const IfbamLedger *ledger)
{
  return ledger->level == IFBAM_LEDGER_FULL;
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

void
ifbam_ledger_add_nodes (const IfbamLedger *ledger, GArray *nodes)
{
  const IfbamModel *model = ledger->engine->model;

  for (gsize i = 0; i < model->n_sources; i++)
    {
      gsize node = model->source_node[i];

      if (!ifbam_model_is_field (model, i))
        g_array_append_val (nodes, node);
    }
  for (guint i = 0; i < ledger->supplied_nodes->len; i++)
    {
      gsize node = g_array_index (ledger->supplied_nodes, gsize, i);

      g_array_append_val (nodes, node);
      ifbam_model_add_neighbours (model, node, nodes);
    }
}

static void
make_columns (IfbamLedger *ledger)
{
  const IfbamModel *model = ledger->engine->model;

  if (ledger->position != NULL)
    return;
  ledger->position = g_new (double, model->n_nodes + 1);
  ledger->rate = g_new (double, model->n_nodes + 1);
  ledger->scratch = g_new (double, model->n_slots + 1);
}

IfbamView
ifbam_ledger_view (IfbamLedger *ledger, gboolean observed)
{
  IfbamEngine *engine = ledger->engine;
  const IfbamModel *model = engine->model;
  IfbamView view = { .model = model,
                     .engine = engine,
                     .time =
                         (double) (engine->steps - ifbam_engine_lookahead (model)) * model->step };

  if (!observed)
    return view;
  make_columns (ledger);
  engine->observe (engine, 0, model->n_nodes, ledger->position, ledger->rate);
  view.position = ledger->position;
  view.rate = ledger->rate;
  return view;
}

static void
powers (IfbamLedger *ledger, const IfbamView *view, double *lost, double *fed, double *turnover)
{
  *fed = supply (ledger, view, turnover);
  *lost = ifbam_ledger_needs_all (ledger) ? dissipation (ledger, view) : 0.0;
}

void
ifbam_ledger_begin (IfbamLedger *ledger)
{
  IfbamView view;
  double turnover;

  ledger->dissipated = ledger->supplied = ledger->turnover = 0;
  if (ledger->link_dissipated != NULL)
    memset (ledger->link_dissipated, 0, ledger->engine->model->n_slots * sizeof (double));
  if (!ifbam_ledger_integrates (ledger))
    return;
  view = ifbam_ledger_view (ledger, ifbam_ledger_needs_all (ledger));
  powers (ledger, &view, &ledger->last_dissipation, &ledger->last_supply, &turnover);
  if (ledger->link_dissipated != NULL)
    memcpy (ledger->last_link_dissipation, ledger->scratch,
            ledger->engine->model->n_slots * sizeof (double));
}

void
ifbam_ledger_step (IfbamLedger *ledger, const IfbamView *view)
{
  const double half_step = 0.5 * ledger->engine->model->step;
  double lost, fed, turnover;

  powers (ledger, view, &lost, &fed, &turnover);
  ledger->dissipated += half_step * (ledger->last_dissipation + lost);
  ledger->supplied += half_step * (ledger->last_supply + fed);
  ledger->turnover += 2 * half_step * turnover;
  if (ledger->link_dissipated != NULL)
    {
      const gsize n = ledger->engine->model->n_slots;

      for (gsize i = 0; i < n; i++)
        ledger->link_dissipated[i] += half_step * ledger->last_link_dissipation[i];
      book_links (ledger, half_step);
      memcpy (ledger->last_link_dissipation, ledger->scratch, n * sizeof (double));
    }
  ledger->last_dissipation = lost;
  ledger->last_supply = fed;
}

IfbamLedger *
ifbam_ledger_new (IfbamEngine *engine, IfbamLedgerLevel level, gboolean by_link)
{
  const IfbamModel *model = engine->model;
  IfbamLedger *ledger = g_new0 (IfbamLedger, 1);

  ledger->engine = engine;
  ledger->supplied_nodes = g_array_new (FALSE, FALSE, sizeof (gsize));
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;

      if (!ifbam_model_node_span (model, i, &member)->info->fixed)
        g_array_append_val (ledger->supplied_nodes, i);
    }
  ledger->level = level;
  if (level == IFBAM_LEDGER_SUPPLY && model->n_sources == model->n_fields
      && ledger->supplied_nodes->len == 0)
    ledger->level = IFBAM_LEDGER_NONE;
  /* What events cost is known to the engine only. */
  if (engine->keep_account != NULL && ledger->level != IFBAM_LEDGER_NONE)
    engine->keep_account (engine, ledger->level == IFBAM_LEDGER_FULL);
  if (by_link && ledger->level == IFBAM_LEDGER_FULL && engine->keep_account == NULL)
    {
      ledger->link_dissipated = g_new0 (double, model->n_slots + 1);
      ledger->last_link_dissipation = g_new0 (double, model->n_slots + 1);
    }
  if (by_stages (ledger))
    {
      engine->listener = listen;
      engine->listener_data = ledger;
      make_columns (ledger);
    }
  return ledger;
}

void
ifbam_ledger_free (IfbamLedger *ledger)
{
  if (ledger == NULL)
    return;
  g_array_unref (ledger->supplied_nodes);
  g_free (ledger->position);
  g_free (ledger->rate);
  g_free (ledger->scratch);
  g_free (ledger->link_dissipated);
  g_free (ledger->last_link_dissipation);
  g_free (ledger);
}

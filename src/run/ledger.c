/* ledger.c: a network's energies at a moment, and the work done over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/ledger.h"

#include <math.h>
#include <string.h>

/* Sums of a power and of its amount. One or two terms are rounded once anyway. */
typedef struct
{
  gboolean few;
  double sum, amount;
  IfbamExactSum exact, exact_amount;
} Power;

static void
add_power (Power *power, double term)
{
  if (power->few)
    {
      power->sum += term;
      power->amount += fabs (term);
      return;
    }
  ifbam_exact_sum_add (&power->exact, term);
  ifbam_exact_sum_add (&power->exact_amount, fabs (term));
}

/* Power of what is fed in: sources f v (but for fields), given nodes -F v (F: of the network on the node). */
static double
supply (const IfbamLedger *ledger, const IfbamView *view, double *turnover)
{
  const IfbamModel *model = view->model;
  Power power;
  double position, rate;

  power.few = model->n_sources - model->n_fields + ledger->supplied_nodes->len <= 2;
  power.sum = power.amount = 0;
  if (!power.few)
    {
      ifbam_exact_sum_clear (&power.exact);
      ifbam_exact_sum_clear (&power.exact_amount);
    }
  for (gsize i = 0; i < model->n_sources; i++)
    {
      if (ifbam_model_is_field (model, i))
        continue;
      ifbam_view_node (view, model->source_node[i], &position, &rate);
      add_power (&power, ifbam_model_source (model, i, view->time) * rate);
    }
  for (guint i = 0; i < ledger->supplied_nodes->len; i++)
    {
      gsize node = g_array_index (ledger->supplied_nodes, gsize, i);

      ifbam_view_node (view, node, &position, &rate);
      add_power (&power, -ifbam_view_force (view, node) * rate);
    }
  *turnover = power.few ? power.amount : ifbam_exact_sum_round (&power.exact_amount);
  return power.few ? power.sum : ifbam_exact_sum_round (&power.exact);
}

/* What links lose; where they are accounted for one by one, to the scratch column, too. */
static double
dissipation (const IfbamLedger *ledger, const IfbamView *view)
{
  const IfbamModel *model = view->model;
  const IfbamRunSpec *spec = ledger->engine->spec;
  double loss[IFBAM_BLOCK];
  IfbamExactSum sum;

  ifbam_exact_sum_clear (&sum);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize first = 0, last; first < batch->count && batch->law->lossy; first = last)
        {
          last = MIN (first + IFBAM_BLOCK, batch->count);
          ifbam_batch_say (batch, batch->kernels->loss, first, last, view->position, view->rate,
                           loss);
          ifbam_exact_sum_add_all (&sum, loss, last - first, spec->isa);
          if (ledger->link_dissipated != NULL)
            memcpy (ledger->scratch + batch->first_slot + first, loss,
                    (last - first) * sizeof *loss);
        }
    }
  return ifbam_exact_sum_round (&sum);
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
  const IfbamRunSpec *spec = ledger->engine->spec;
  IfbamSums sums = { .dissipated = ledger->dissipated,
                     .supplied = ledger->supplied,
                     .link_dissipated = ledger->link_dissipated };
  IfbamExactSum energy, momentum;

  ifbam_exact_sum_clear (&energy);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      ifbam_batch_add_energy (batch, 0, batch->count, view->position, view->rate, spec->isa,
                              &energy);
    }
  if (ledger->engine->account != NULL)
    {
      IfbamAccount account = ledger->engine->account (ledger->engine, &energy);

      sums.dissipated = account.dissipated;
      sums.supplied = account.supplied;
      ledger->turnover = account.turnover;
    }
  sums.stored = ifbam_exact_sum_round (&energy);
  for (gsize i = 0; i < model->n_fields; i++)
    ifbam_exact_sum_add (
        &energy, ifbam_model_field_energy (model, model->fields[i],
                                           view->position[model->source_node[model->fields[i]]]));
  sums.potential = model->n_fields > 0 ? ifbam_exact_sum_round (&energy) : sums.stored;
  ifbam_exact_sum_clear (&energy);
  ifbam_exact_sum_clear (&momentum);
  ifbam_add_motion (view->rate, model->inverse_inertia, model->n_free, spec->isa, &energy,
                    &momentum);
  sums.kinetic = ifbam_exact_sum_round (&energy);
  sums.momentum = ifbam_exact_sum_round (&momentum);
  return sums;
}

/* Nodes that follow each other are asked together. */
double
ifbam_ledger_field_energy (IfbamLedger *ledger)
{
  IfbamEngine *engine = ledger->engine;
  const IfbamModel *model = engine->model;
  double position[IFBAM_BLOCK], rate[IFBAM_BLOCK];
  IfbamExactSum total;

  if (model->n_fields == 0)
    return 0;
  ifbam_exact_sum_clear (&total);
  for (gsize i = 0, end; i < model->n_fields; i = end)
    {
      const gsize first = model->source_node[model->fields[i]];
      gsize last = first;

      for (end = i; end < model->n_fields; end++)
        {
          const gsize node = model->source_node[model->fields[end]];

          if (node > last + 1 || node - first >= IFBAM_BLOCK)
            break;
          last = node;
        }
      engine->observe (engine, first, last + 1, position, rate);
      for (gsize k = i; k < end; k++)
        ifbam_exact_sum_add (&total, ifbam_model_field_energy (
                                         model, model->fields[k],
                                         position[model->source_node[model->fields[k]] - first]));
    }
  return ifbam_exact_sum_round (&total);
}

static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  IfbamLedger *ledger = data;
  const IfbamModel *model = ledger->engine->model;
  const IfbamRunSpec *spec = ledger->engine->spec;
  IfbamView view = { .model = model,
                     .time = ((double) ledger->engine->steps + spec->scheme->stage_time[stage])
                             * spec->step,
                     .position = position,
                     .rate = rate };
  double weight = spec->scheme->stage_weight[stage] * spec->step, turnover;

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
  return ledger->level == IFBAM_LEDGER_FULL && ledger->engine->spec->scheme->stage_weight[0] > 0
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
}

IfbamView
ifbam_ledger_view (IfbamLedger *ledger, gboolean observed)
{
  IfbamEngine *engine = ledger->engine;
  const IfbamModel *model = engine->model;
  const IfbamRunSpec *spec = engine->spec;
  IfbamView view = { .model = model,
                     .engine = engine,
                     .time =
                         (double) (engine->steps - ifbam_engine_lookahead (spec)) * spec->step };

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
  const double half_step = 0.5 * ledger->engine->spec->step;
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
      ledger->scratch = g_new0 (double, model->n_slots + 1);
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

/* energy-balance.c: energies of a network at a sample, and work over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/energy-balance.h"

#include <math.h>
#include <string.h>

/* Returns the power dissipated by links [W], and in *brought the amount with negative sign. Also
 * stores losses per link in scratch, if required. */
static double
dissipation (const IfbamEnergyBalance *balance, const IfbamView *view, double *link_supply)
{
  const IfbamModel *model = balance->engine->model;
  const IfbamRunSpec *spec = balance->engine->spec;
  double loss[IFBAM_BLOCK];
  IfbamExactSum sum;

  *link_supply = 0;
  ifbam_exact_sum_clear (&sum);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize first = 0, last; first < batch->count && batch->law->lossy; first = last)
        {
          last = MIN (first + IFBAM_BLOCK, batch->count);
          ifbam_batch_compute (batch, batch->kernels->loss, first, last, view->position, view->rate,
                               loss);
          if (balance->link_dissipated != NULL)
            memcpy (balance->scratch + batch->first_slot + first, loss,
                    (last - first) * sizeof *loss);
          ifbam_batch_omit (batch, first, last - first, loss);
          for (gsize i = 0; i < last - first && batch->law->active; i++)
            *link_supply += loss[i] < 0 ? -loss[i] : 0;
          ifbam_exact_sum_add_all (&sum, loss, last - first, spec->isa);
        }
    }
  ifbam_model_add_up (model, &sum, 1);
  return ifbam_exact_sum_round (&sum);
}

/* Adds the losses in scratch to the work per link. */
static void
book_links (IfbamEnergyBalance *balance, double weight)
{
  for (gsize i = 0; balance->link_dissipated != NULL && i < balance->engine->model->n_slots; i++)
    ifbam_compensated_sum_add (&balance->link_dissipated[i], weight * balance->scratch[i]);
}

IfbamSums
ifbam_energy_balance_sums (IfbamEnergyBalance *balance, const IfbamView *view)
{
  IfbamSums sums;

  ifbam_view_sums (view, &sums);
  sums.dissipated = ifbam_compensated_sum_value (&balance->dissipated);
  sums.supplied = ifbam_compensated_sum_value (&balance->external_work.supplied);
  sums.link_dissipated = balance->link_dissipated;
  if (balance->engine->books == IFBAM_BOOKS_ALL)
    {
      sums.dissipated = ifbam_engine_get (balance->engine, IFBAM_WORK_DISSIPATED, 0);
      sums.supplied = ifbam_engine_get (balance->engine, IFBAM_WORK_SUPPLIED, 0);
    }
  return sums;
}

static void
add_stage_work (gpointer data, guint stage, const double *position, const double *rate)
{
  IfbamEnergyBalance *balance = data;
  const IfbamRunSpec *spec = balance->engine->spec;
  IfbamView view = { .numbers = balance->engine->numbers,
                     .time = ((double) balance->engine->steps + spec->scheme->stage_time[stage])
                             * spec->step,
                     .position = position,
                     .rate = rate };
  double weight = spec->scheme->stage_weight[stage] * spec->step, power, gross_work, link_supply;

  ifbam_view_supply (&view, &power, &gross_work);
  ifbam_compensated_sum_add (&balance->external_work.supplied, weight * power);
  ifbam_compensated_sum_add (&balance->external_work.gross_work, weight * gross_work);
  if (balance->level == IFBAM_ACCOUNT_FULL)
    {
      ifbam_compensated_sum_add (&balance->dissipated,
                                 weight * dissipation (balance, &view, &link_supply));
      ifbam_compensated_sum_add (&balance->link_supply, weight * link_supply);
      book_links (balance, weight);
    }
}

/* Only a full account uses stage weights: for the divergence check trapezoids are exact enough. */
static gboolean
uses_stage_weights (const IfbamEnergyBalance *balance)
{
  return balance->level == IFBAM_ACCOUNT_FULL && balance->engine->spec->scheme->stage_weight[0] > 0
         && balance->engine->books != IFBAM_BOOKS_ALL;
}

gboolean
ifbam_energy_balance_integrates (const IfbamEnergyBalance *balance)
{
  return balance->level != IFBAM_ACCOUNT_NONE && !uses_stage_weights (balance)
         && balance->engine->books != IFBAM_BOOKS_ALL;
}

gboolean
ifbam_energy_balance_needs_all (const IfbamEnergyBalance *balance)
{
  return balance->level == IFBAM_ACCOUNT_FULL;
}

void
ifbam_energy_balance_add_nodes (const IfbamEnergyBalance *balance, GArray *nodes)
{
  const IfbamModel *model = balance->engine->model;

  for (gsize i = 0; i < model->n_sources; i++)
    {
      gsize node = model->source_node[i];

      if (!ifbam_model_is_field (model, i))
        g_array_append_val (nodes, node);
    }
  for (gsize m = 0; m < balance->engine->numbers->n_moving; m++)
    {
      gsize node = balance->engine->numbers->moving[m];

      g_array_append_val (nodes, node);
      ifbam_model_add_neighbours (model, node, nodes);
    }
}

static void
make_columns (IfbamEnergyBalance *balance)
{
  const IfbamModel *model = balance->engine->model;

  if (balance->position != NULL)
    return;
  balance->position = g_new (double, model->n_nodes + 1);
  balance->rate = g_new (double, model->n_nodes + 1);
}

IfbamView
ifbam_energy_balance_view (IfbamEnergyBalance *balance, gboolean observed)
{
  IfbamEngine *engine = balance->engine;
  const IfbamModel *model = engine->model;
  const IfbamRunSpec *spec = engine->spec;
  IfbamView view = { .numbers = engine->numbers,
                     .engine = engine,
                     .time =
                         (double) (engine->steps - ifbam_engine_lookahead (spec)) * spec->step };

  if (!observed)
    return view;
  make_columns (balance);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, balance->position, balance->rate);
  view.position = balance->position;
  view.rate = balance->rate;
  return view;
}

IfbamWorkTotals
ifbam_energy_balance_totals (IfbamEnergyBalance *balance)
{
  IfbamEngine *engine = balance->engine;
  const double booked =
      engine->books == IFBAM_BOOKS_EVENTS ? ifbam_engine_get (engine, IFBAM_WORK_GROSS, 0) : 0;

  if (engine->books == IFBAM_BOOKS_ALL)
    return ifbam_engine_work (engine);
  return (IfbamWorkTotals){
    .dissipated = ifbam_compensated_sum_value (&balance->dissipated),
    .supplied = ifbam_compensated_sum_value (&balance->external_work.supplied) + booked,
    .gross_work = ifbam_compensated_sum_value (&balance->external_work.gross_work) + booked,
    .link_supply = ifbam_compensated_sum_value (&balance->link_supply)
  };
}

double
ifbam_energy_balance_check_energy (IfbamEnergyBalance *balance)
{
  IfbamView view;
  IfbamSums sums;
  double energy;

  if (balance->engine->class->check_energy != NULL)
    return ifbam_engine_check_energy (balance->engine);
  view = ifbam_energy_balance_view (balance, TRUE);
  ifbam_view_sums (&view, &sums);
  energy = sums.kinetic + sums.stored;
  /* If stored energy falls as kinetic energy rises, their sum is rounding. */
  return isfinite (energy) && fabs (energy) <= 1e-12 * sums.kinetic ? 0 : energy;
}

static void
compute_powers (IfbamEnergyBalance *balance, const IfbamView *view, double *lost,
                double *link_supply, double *external_work, double *gross_work)
{
  ifbam_view_supply (view, external_work, gross_work);
  *lost = *link_supply = 0;
  if (ifbam_energy_balance_needs_all (balance))
    *lost = dissipation (balance, view, link_supply);
}

void
ifbam_energy_balance_begin (IfbamEnergyBalance *balance)
{
  balance->dissipated = balance->link_supply = (IfbamCompensatedSum){ 0 };
  balance->external_work = (IfbamExternalWork){ 0 };
  if (balance->link_dissipated != NULL)
    memset (balance->link_dissipated, 0,
            balance->engine->model->n_slots * sizeof (IfbamCompensatedSum));
  ifbam_energy_balance_rebuild (balance);
}

void
ifbam_energy_balance_list_state (IfbamEnergyBalance *balance, GArray *columns)
{
  if (balance->level == IFBAM_ACCOUNT_NONE || balance->engine->books == IFBAM_BOOKS_ALL)
    return;
  ifbam_state_add_compensated_sums (columns, "ledger.supplied", &balance->external_work.supplied,
                                    1);
  ifbam_state_add_compensated_sums (columns, "ledger.turnover", &balance->external_work.gross_work,
                                    1);
  if (balance->level != IFBAM_ACCOUNT_FULL)
    return;
  ifbam_state_add_compensated_sums (columns, "ledger.dissipated", &balance->dissipated, 1);
  if (ifbam_model_has_active_links (balance->engine->model))
    ifbam_state_add_compensated_sums (columns, "ledger.brought", &balance->link_supply, 1);
  if (balance->link_dissipated != NULL)
    ifbam_state_add_compensated_sums (columns, "ledger.slot-dissipated", balance->link_dissipated,
                                      balance->engine->model->n_slots);
}

void
ifbam_energy_balance_rebuild (IfbamEnergyBalance *balance)
{
  IfbamView view;
  double link_supply, gross_work;

  if (!ifbam_energy_balance_integrates (balance))
    return;
  view = ifbam_energy_balance_view (balance, ifbam_energy_balance_needs_all (balance));
  compute_powers (balance, &view, &balance->last_dissipation, &link_supply, &balance->last_supply,
                  &gross_work);
  if (balance->link_dissipated != NULL)
    memcpy (balance->last_link_dissipation, balance->scratch,
            balance->engine->model->n_slots * sizeof (double));
}

void
ifbam_energy_balance_step (IfbamEnergyBalance *balance, const IfbamView *view)
{
  const double half_step = 0.5 * balance->engine->spec->step;
  double lost, link_supply, external_work, gross_work;

  compute_powers (balance, view, &lost, &link_supply, &external_work, &gross_work);
  ifbam_compensated_sum_add (&balance->dissipated, half_step * (balance->last_dissipation + lost));
  ifbam_compensated_sum_add (&balance->external_work.supplied,
                             half_step * (balance->last_supply + external_work));
  ifbam_compensated_sum_add (&balance->external_work.gross_work, 2 * half_step * gross_work);
  ifbam_compensated_sum_add (&balance->link_supply, 2 * half_step * link_supply);
  if (balance->link_dissipated != NULL)
    {
      const gsize n = balance->engine->model->n_slots;

      for (gsize i = 0; i < n; i++)
        ifbam_compensated_sum_add (&balance->link_dissipated[i],
                                   half_step * balance->last_link_dissipation[i]);
      book_links (balance, half_step);
      memcpy (balance->last_link_dissipation, balance->scratch, n * sizeof (double));
    }
  balance->last_dissipation = lost;
  balance->last_supply = external_work;
}

IfbamEnergyBalance *
ifbam_energy_balance_new (IfbamEngine *engine, IfbamAccountLevel level, gboolean by_link)
{
  const IfbamModel *model = engine->model;
  IfbamEnergyBalance *balance = g_new0 (IfbamEnergyBalance, 1);

  balance->engine = engine;
  balance->level = level;
  if (level == IFBAM_ACCOUNT_SUPPLY && model->n_sources == model->n_fields
      && engine->numbers->n_moving == 0)
    balance->level = IFBAM_ACCOUNT_NONE;
  engine->account_level = MAX (engine->account_level, balance->level);
  if (by_link && balance->level == IFBAM_ACCOUNT_FULL && engine->books != IFBAM_BOOKS_ALL)
    {
      balance->scratch = g_new0 (double, model->n_slots + 1);
      balance->link_dissipated = g_new0 (IfbamCompensatedSum, model->n_slots + 1);
      balance->last_link_dissipation = g_new0 (double, model->n_slots + 1);
    }
  if (uses_stage_weights (balance))
    {
      engine->listener = add_stage_work;
      engine->listener_data = balance;
      make_columns (balance);
    }
  return balance;
}

void
ifbam_energy_balance_free (IfbamEnergyBalance *balance)
{
  if (balance == NULL)
    return;
  g_free (balance->position);
  g_free (balance->rate);
  g_free (balance->scratch);
  g_free (balance->link_dissipated);
  g_free (balance->last_link_dissipation);
  g_free (balance);
}

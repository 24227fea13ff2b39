/* energy-balance.c: energies of a network at a sample, and work over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/energy-balance.h"

#include <math.h>
#include <string.h>

/* Returns the power dissipated by links [W], and in *brought the amount with negative sign. Also
 * stores losses per link in scratch, if required. */
static double
dissipation (const IfbamLedger *ledger, const IfbamView *view, double *brought)
{
  const IfbamModel *model = ledger->engine->model;
  const IfbamRunSpec *spec = ledger->engine->spec;
  double loss[IFBAM_BLOCK];
  IfbamExactSum sum;

  *brought = 0;
  ifbam_exact_sum_clear (&sum);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize first = 0, last; first < batch->count && batch->law->lossy; first = last)
        {
          last = MIN (first + IFBAM_BLOCK, batch->count);
          ifbam_batch_say (batch, batch->kernels->loss, first, last, view->position, view->rate,
                           loss);
          if (ledger->link_dissipated != NULL)
            memcpy (ledger->scratch + batch->first_slot + first, loss,
                    (last - first) * sizeof *loss);
          ifbam_batch_leave_out (batch, first, last - first, loss);
          for (gsize i = 0; i < last - first && batch->law->active; i++)
            *brought += loss[i] < 0 ? -loss[i] : 0;
          ifbam_exact_sum_add_all (&sum, loss, last - first, spec->isa);
        }
    }
  ifbam_model_add_up (model, &sum, 1);
  return ifbam_exact_sum_round (&sum);
}

/* Adds the losses in scratch to the work per link. */
static void
book_links (IfbamLedger *ledger, double weight)
{
  for (gsize i = 0; ledger->link_dissipated != NULL && i < ledger->engine->model->n_slots; i++)
    ifbam_tally_add (&ledger->link_dissipated[i], weight * ledger->scratch[i]);
}

IfbamSums
ifbam_ledger_sums (IfbamLedger *ledger, const IfbamView *view)
{
  IfbamSums sums;

  ifbam_view_sums (view, &sums);
  sums.dissipated = ifbam_tally_value (&ledger->dissipated);
  sums.supplied = ifbam_tally_value (&ledger->fed.supplied);
  sums.link_dissipated = ledger->link_dissipated;
  if (ledger->engine->books == IFBAM_BOOKS_ALL)
    {
      sums.dissipated = ifbam_engine_get (ledger->engine, IFBAM_WORK_DISSIPATED, 0);
      sums.supplied = ifbam_engine_get (ledger->engine, IFBAM_WORK_SUPPLIED, 0);
    }
  return sums;
}

static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  IfbamLedger *ledger = data;
  const IfbamRunSpec *spec = ledger->engine->spec;
  IfbamView view = { .numbers = ledger->engine->numbers,
                     .time = ((double) ledger->engine->steps + spec->scheme->stage_time[stage])
                             * spec->step,
                     .position = position,
                     .rate = rate };
  double weight = spec->scheme->stage_weight[stage] * spec->step, power, turnover, brought;

  ifbam_view_supply (&view, &power, &turnover);
  ifbam_tally_add (&ledger->fed.supplied, weight * power);
  ifbam_tally_add (&ledger->fed.turnover, weight * turnover);
  if (ledger->level == IFBAM_ACCOUNT_FULL)
    {
      ifbam_tally_add (&ledger->dissipated, weight * dissipation (ledger, &view, &brought));
      ifbam_tally_add (&ledger->brought, weight * brought);
      book_links (ledger, weight);
    }
}

/* Only a full account uses stage weights: for the divergence check trapezoids are exact enough. */
static gboolean
by_stages (const IfbamLedger *ledger)
{
  return ledger->level == IFBAM_ACCOUNT_FULL && ledger->engine->spec->scheme->stage_weight[0] > 0
         && ledger->engine->books != IFBAM_BOOKS_ALL;
}

gboolean
ifbam_ledger_integrates (const IfbamLedger *ledger)
{
  return ledger->level != IFBAM_ACCOUNT_NONE && !by_stages (ledger)
         && ledger->engine->books != IFBAM_BOOKS_ALL;
}

gboolean
ifbam_ledger_needs_all (const IfbamLedger *ledger)
{
  return ledger->level == IFBAM_ACCOUNT_FULL;
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
  for (gsize m = 0; m < ledger->engine->numbers->n_moving; m++)
    {
      gsize node = ledger->engine->numbers->moving[m];

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
  IfbamView view = { .numbers = engine->numbers,
                     .engine = engine,
                     .time =
                         (double) (engine->steps - ifbam_engine_lookahead (spec)) * spec->step };

  if (!observed)
    return view;
  make_columns (ledger);
  ifbam_engine_get_nodes (engine, 0, model->n_nodes, ledger->position, ledger->rate);
  view.position = ledger->position;
  view.rate = ledger->rate;
  return view;
}

IfbamWorkTotals
ifbam_ledger_totals (IfbamLedger *ledger)
{
  IfbamEngine *engine = ledger->engine;
  const double booked =
      engine->books == IFBAM_BOOKS_EVENTS ? ifbam_engine_get (engine, IFBAM_WORK_TURNOVER, 0) : 0;

  if (engine->books == IFBAM_BOOKS_ALL)
    return ifbam_engine_work (engine);
  return (IfbamWorkTotals){ .dissipated = ifbam_tally_value (&ledger->dissipated),
                            .supplied = ifbam_tally_value (&ledger->fed.supplied) + booked,
                            .turnover = ifbam_tally_value (&ledger->fed.turnover) + booked,
                            .brought = ifbam_tally_value (&ledger->brought) };
}

double
ifbam_ledger_check_energy (IfbamLedger *ledger)
{
  IfbamView view;
  IfbamSums sums;
  double energy;

  if (ledger->engine->class->check_energy != NULL)
    return ifbam_engine_check_energy (ledger->engine);
  view = ifbam_ledger_view (ledger, TRUE);
  ifbam_view_sums (&view, &sums);
  energy = sums.kinetic + sums.stored;
  /* If stored energy falls as kinetic energy rises, their sum is rounding. */
  return isfinite (energy) && fabs (energy) <= 1e-12 * sums.kinetic ? 0 : energy;
}

static void
powers (IfbamLedger *ledger, const IfbamView *view, double *lost, double *brought, double *fed,
        double *turnover)
{
  ifbam_view_supply (view, fed, turnover);
  *lost = *brought = 0;
  if (ifbam_ledger_needs_all (ledger))
    *lost = dissipation (ledger, view, brought);
}

void
ifbam_ledger_begin (IfbamLedger *ledger)
{
  ledger->dissipated = ledger->brought = (IfbamTally){ 0 };
  ledger->fed = (IfbamExternalWork){ 0 };
  if (ledger->link_dissipated != NULL)
    memset (ledger->link_dissipated, 0, ledger->engine->model->n_slots * sizeof (IfbamTally));
  ifbam_ledger_stand (ledger);
}

void
ifbam_ledger_list_state (IfbamLedger *ledger, GArray *columns)
{
  if (ledger->level == IFBAM_ACCOUNT_NONE || ledger->engine->books == IFBAM_BOOKS_ALL)
    return;
  ifbam_state_add_tallies (columns, "ledger.supplied", &ledger->fed.supplied, 1);
  ifbam_state_add_tallies (columns, "ledger.turnover", &ledger->fed.turnover, 1);
  if (ledger->level != IFBAM_ACCOUNT_FULL)
    return;
  ifbam_state_add_tallies (columns, "ledger.dissipated", &ledger->dissipated, 1);
  if (ifbam_model_has_active_links (ledger->engine->model))
    ifbam_state_add_tallies (columns, "ledger.brought", &ledger->brought, 1);
  if (ledger->link_dissipated != NULL)
    ifbam_state_add_tallies (columns, "ledger.slot-dissipated", ledger->link_dissipated,
                             ledger->engine->model->n_slots);
}

void
ifbam_ledger_stand (IfbamLedger *ledger)
{
  IfbamView view;
  double brought, turnover;

  if (!ifbam_ledger_integrates (ledger))
    return;
  view = ifbam_ledger_view (ledger, ifbam_ledger_needs_all (ledger));
  powers (ledger, &view, &ledger->last_dissipation, &brought, &ledger->last_supply, &turnover);
  if (ledger->link_dissipated != NULL)
    memcpy (ledger->last_link_dissipation, ledger->scratch,
            ledger->engine->model->n_slots * sizeof (double));
}

void
ifbam_ledger_step (IfbamLedger *ledger, const IfbamView *view)
{
  const double half_step = 0.5 * ledger->engine->spec->step;
  double lost, brought, fed, turnover;

  powers (ledger, view, &lost, &brought, &fed, &turnover);
  ifbam_tally_add (&ledger->dissipated, half_step * (ledger->last_dissipation + lost));
  ifbam_tally_add (&ledger->fed.supplied, half_step * (ledger->last_supply + fed));
  ifbam_tally_add (&ledger->fed.turnover, 2 * half_step * turnover);
  ifbam_tally_add (&ledger->brought, 2 * half_step * brought);
  if (ledger->link_dissipated != NULL)
    {
      const gsize n = ledger->engine->model->n_slots;

      for (gsize i = 0; i < n; i++)
        ifbam_tally_add (&ledger->link_dissipated[i], half_step * ledger->last_link_dissipation[i]);
      book_links (ledger, half_step);
      memcpy (ledger->last_link_dissipation, ledger->scratch, n * sizeof (double));
    }
  ledger->last_dissipation = lost;
  ledger->last_supply = fed;
}

IfbamLedger *
ifbam_ledger_new (IfbamEngine *engine, IfbamAccountLevel level, gboolean by_link)
{
  const IfbamModel *model = engine->model;
  IfbamLedger *ledger = g_new0 (IfbamLedger, 1);

  ledger->engine = engine;
  ledger->level = level;
  if (level == IFBAM_ACCOUNT_SUPPLY && model->n_sources == model->n_fields
      && engine->numbers->n_moving == 0)
    ledger->level = IFBAM_ACCOUNT_NONE;
  engine->account_level = MAX (engine->account_level, ledger->level);
  if (by_link && ledger->level == IFBAM_ACCOUNT_FULL && engine->books != IFBAM_BOOKS_ALL)
    {
      ledger->scratch = g_new0 (double, model->n_slots + 1);
      ledger->link_dissipated = g_new0 (IfbamTally, model->n_slots + 1);
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
  g_free (ledger->position);
  g_free (ledger->rate);
  g_free (ledger->scratch);
  g_free (ledger->link_dissipated);
  g_free (ledger->last_link_dissipation);
  g_free (ledger);
}

/* run-loop.c: runs an engine over its duration: samples, energy balance, divergence, progress
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/run-loop.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "base/memory.h"
#include "model/model.h"

/* Memory of engines per node and link, beside the model [bytes]. */
#define COMPILED_MEMORY 20
#define EVENT_MEMORY    120
#define IMPLICIT_MEMORY 320 /* with the equations of stages */
#define OBJECT_MEMORY   1200
/* A state fits if its constraint residuals are below this fraction of all lengths and coordinates;
 * if all are 0, below NOTHING. */
#define MAX_CONSTRAINT_RESIDUAL 1e-6
#define NOTHING                 1e-15
/* Values evaluated or written between interrupt checks: some hundredths of a second. */
#define VALUES_BETWEEN_CHECKS (1 << 19)

typedef struct _IfbamRunner Runner;

struct _IfbamRunner
{
  IfbamRunTask *run;
  const IfbamModel *model;
  const IfbamSignals *signals;
  const IfbamRunSpec *spec;
  IfbamEngine *engine;
  IfbamEnergyBalance *balance;
  GArray *rows;     /* doubles: step, time, values; of samples since the last check */
  IfbamState *from; /* start of the runner; NULL: the model's start */
  guint64 step;     /* of the engine's sample */
  IfbamDivergenceCheck check;
  IfbamProbes probes;       /* nodes for samples and balance, over several steps */
  gboolean by_probes;       /* else the engine stops at every sample */
  gboolean begun;           /* the first sample is recorded */
  gboolean interrupted;     /* within a step */
  guint64 unchecked_values; /* values since the last interrupt check */
};

/* Returns TRUE with a tolerance: steps are accurate, and samples need not wait for sums of work. */
static gboolean
has_tolerance (const Runner *runner)
{
  return runner->spec->tolerance > 0;
}

static IfbamAccountLevel
balance_level (const Runner *runner)
{
  return runner->run->full_balance || runner->signals->balance || runner->check.books_all
             ? IFBAM_ACCOUNT_FULL
         : has_tolerance (runner) ? IFBAM_ACCOUNT_NONE
                                  : IFBAM_ACCOUNT_SUPPLY;
}

static guint64
next_multiple (guint64 step, guint64 of)
{
  return (step / of + 1) * of;
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  const gsize one = *(const gsize *) a, other = *(const gsize *) b;

  return one < other ? -1 : one > other;
}

/* Samples of a few nodes are recorded by probes, so that the engine can do many steps per call. For
 * sums over the network, or most nodes, it stops at every sample. */
static void
choose_probes (Runner *runner)
{
  const gboolean integrates = ifbam_energy_balance_integrates (runner->balance);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (gsize));
  guint n = 0;

  ifbam_signals_add_nodes (runner->signals, runner->model, nodes);
  if (integrates)
    ifbam_energy_balance_add_nodes (runner->balance, nodes);
  g_array_sort (nodes, compare_nodes);
  for (guint i = 0; i < nodes->len; i++)
    if (i == 0 || g_array_index (nodes, gsize, i) != g_array_index (nodes, gsize, n - 1))
      g_array_index (nodes, gsize, n++) = g_array_index (nodes, gsize, i);
  runner->by_probes = !(integrates && ifbam_energy_balance_needs_all (runner->balance))
                      && !runner->signals->sums && runner->engine->records_probes
                      && !(ifbam_engine_by_events (runner->model, runner->spec)
                           && ifbam_signals_need_engine (runner->signals))
                      && n <= MAX (64, (runner->model->share != NULL ? runner->model->share->n_nodes
                                                                     : runner->model->n_nodes)
                                           / 4);
  runner->probes = (IfbamProbes){ .n = n,
                                  .stride = integrates ? 1 : runner->spec->stride,
                                  .position = g_new (double, IFBAM_CHECK_INTERVAL *n + 1),
                                  .rate = g_new (double, IFBAM_CHECK_INTERVAL *n + 1) };
  runner->probes.node = (gsize *) (gpointer) g_array_free (nodes, FALSE);
}

/* Returns TRUE if a network with events may use tiles: no full account and no samples at events. */
static gboolean
can_use_tiles (const Runner *runner)
{
  const IfbamRunTask *run = runner->run;

  return !run->by_events && !run->objects && !run->unlocated && !run->event_rows
         && balance_level (runner) != IFBAM_ACCOUNT_FULL;
}

/* Calls the progress callback, which may interrupt. */
static gboolean
may_continue (gpointer data)
{
  Runner *runner = data;
  const IfbamRunTask *run = runner->run;

  runner->unchecked_values = 0;
  runner->interrupted =
      !run->progress (run->data, (double) runner->step / (double) MAX (runner->spec->last_step, 1));
  return !runner->interrupted;
}

/* Called by the engine within long steps. */
static gboolean
engine_may_continue (gpointer data)
{
  Runner *runner = data;

  runner->run->work++;
  return may_continue (runner);
}

/* Counts evaluated values; not on several ranks, which would have to check at the same count. */
static void
count_work (Runner *runner, guint64 n)
{
  if (runner->model->share == NULL)
    runner->unchecked_values += n;
}

/* Checks for interrupts between checks of divergence, as samples of large networks, and steps of
 * many objects, take long. FALSE: interrupted. */
static gboolean
may_continue_after_sample (Runner *runner)
{
  return runner->run->progress == NULL
         || !(runner->run->objects || runner->unchecked_values > VALUES_BETWEEN_CHECKS)
         || may_continue (runner);
}

static gboolean
set_interrupted (const Runner *runner, double time, GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted at t = %g s of %g s%s", time,
                     (double) runner->spec->last_step * runner->spec->step,
                     runner->run->keeps_rows ? "; the rows so far are kept"
                                             : ": nothing is written");
}

static void record_event_row (gpointer data, double time, const double *position,
                              const double *rate, gboolean after);

/* Records events, if the caller needs them. */
static void
record_events (Runner *runner)
{
  if (runner->run->event != NULL && ifbam_model_has_events (runner->model))
    ifbam_engine_record_events (runner->engine);
}

static IfbamEngine *
make_engine (const Runner *runner)
{
  const IfbamRunTask *run = runner->run;
  const IfbamModel *model = runner->model;
  const IfbamRunSpec *spec = runner->spec;
  IfbamEngine *made =
      run->make_engine == NULL ? NULL : run->make_engine (model, spec, run->threads);

  if (made != NULL)
    return made;
  if (ifbam_engine_by_events (model, spec) && can_use_tiles (runner))
    return ifbam_dual_engine_new (model, spec, run->threads);
  if (ifbam_engine_by_events (model, spec))
    return run->objects ? ifbam_objects_event_engine_new (model, spec, run->unlocated)
                        : ifbam_event_engine_new (model, spec, run->unlocated);
  return run->objects ? ifbam_objects_engine_new (model, spec)
                      : ifbam_compiled_engine_new (model, spec, run->threads);
}

static void
runner_start (Runner *runner, guint64 lookahead)
{
  runner->check.books_all = ifbam_divergence_needs_all_work (runner->model, runner->spec);
  runner->engine = make_engine (runner);
  record_events (runner);
  if (runner->run->event_rows)
    {
      runner->engine->log->listener = record_event_row;
      runner->engine->log->listener_data = runner;
    }
  runner->balance =
      ifbam_energy_balance_new (runner->engine, balance_level (runner), runner->signals->links);
  choose_probes (runner);
  if (runner->run->progress != NULL)
    {
      runner->engine->interrupt.may_continue = engine_may_continue;
      runner->engine->interrupt.data = runner;
    }
  ifbam_engine_start (runner->engine);
  ifbam_engine_advance (runner->engine, lookahead, NULL);
  runner->step = 0;
  ifbam_energy_balance_begin (runner->balance);
  runner->check.options =
      (IfbamDivergenceOptions){ .allow_divergence = runner->run->allow_divergence,
                                .keeps_rows = runner->run->keeps_rows,
                                .expects_growth = runner->run->expects_growth,
                                .advise = runner->run->advise };
  runner->check.model = runner->model;
  runner->check.spec = runner->spec;
  runner->check.balance = runner->balance;
}

static void
runner_end (Runner *runner)
{
  g_clear_pointer (&runner->balance, ifbam_energy_balance_free);
  g_clear_pointer (&runner->engine, ifbam_engine_free);
  g_clear_pointer (&runner->from, ifbam_state_free);
  g_free ((gpointer) runner->probes.node);
  g_free (runner->probes.position);
  g_free (runner->probes.rate);
}

static void
record_row (Runner *runner, double step, const IfbamView *view, const IfbamSums *sums)
{
  guint width = runner->signals->signals->len + 2;
  guint place = runner->rows->len;
  double *row;

  g_array_set_size (runner->rows, place + width);
  row = &g_array_index (runner->rows, double, place);
  row[0] = step;
  row[1] = view->time;
  ifbam_signals_row (runner->signals, view, sums, row + 2);
}

/* Records a sample just before or after an event. */
static void
record_event_row (gpointer data, double time, const double *position, const double *rate,
                  gboolean after)
{
  Runner *runner = data;
  IfbamView view = { .numbers = runner->engine->numbers,
                     .engine = runner->engine,
                     .time = time,
                     .position = position,
                     .rate = rate };
  IfbamSums sums = { 0 };

  (void) after;
  if (runner->signals->sums)
    sums = ifbam_energy_balance_sums (runner->balance, &view);
  record_row (runner, time / runner->spec->step, &view, &sums);
}

/* Records the engine's sample. */
static void
record_now (Runner *runner)
{
  const gboolean observed =
      runner->signals->sums || runner->signals->signals->len * 4 > runner->model->n_nodes;
  IfbamView view = ifbam_energy_balance_view (runner->balance, observed);
  IfbamSums sums = { 0 };

  if (runner->signals->sums)
    sums = ifbam_energy_balance_sums (runner->balance, &view);
  record_row (runner, (double) runner->step, &view, &sums);
  count_work (runner, runner->signals->signals->len);
}

/* Advances to a step; probes record the samples between. */
static void
advance_with_probes (Runner *runner, guint64 next)
{
  const gboolean integrates = ifbam_energy_balance_integrates (runner->balance);
  const guint64 stride = runner->spec->stride;
  IfbamView view = { .numbers = runner->engine->numbers, .probes = &runner->probes };

  ifbam_engine_advance (runner->engine, next - runner->step, &runner->probes);
  for (guint64 step = next_multiple (runner->step, runner->probes.stride); step <= next;
       step += runner->probes.stride, view.row++)
    {
      view.time = (double) step * runner->spec->step;
      if (integrates)
        ifbam_energy_balance_step (runner->balance, &view);
      if (step % stride == 0)
        record_row (runner, (double) step, &view, NULL);
    }
  runner->step = next;
}

/* Advances to a step, with at most one sample. */
static void
advance_to_row (Runner *runner, guint64 next)
{
  ifbam_engine_advance (runner->engine, next - runner->step, NULL);
  count_work (runner, (next - runner->step) * runner->model->n_nodes);
  runner->step = next;
  if (ifbam_energy_balance_integrates (runner->balance))
    {
      IfbamView view = ifbam_energy_balance_view (runner->balance,
                                                  ifbam_energy_balance_needs_all (runner->balance));

      ifbam_energy_balance_step (runner->balance, &view);
    }
  if (runner->step % runner->spec->stride == 0)
    record_now (runner);
}

/* Passes on the events before a step. */
static gboolean
flush_events (Runner *runner, guint64 before, GError **error)
{
  GArray *events = runner->engine->log->events;
  guint i;

  if (events == NULL)
    return TRUE;
  for (i = 0; i < events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (events, IfbamEvent, i);

      if (event->time >= (double) before * runner->spec->step)
        break;
      if (!runner->run->event (runner->run->data, event, error))
        return FALSE;
    }
  if (i > 0)
    g_array_remove_range (events, 0, i);
  return TRUE;
}

/* Passes on samples before a step, and events; with does_without, until an interrupt. */
static gboolean
flush_rows (Runner *runner, guint64 before, GError **error)
{
  const IfbamRunTask *run = runner->run;
  const guint width = runner->signals->signals->len + 2;
  gboolean going_on = TRUE;
  guint i;

  if (!flush_events (runner, before, error))
    return FALSE;
  for (i = 0; i < runner->rows->len && going_on; i += width)
    {
      const double *row = &g_array_index (runner->rows, double, i);

      if (row[0] >= (double) before)
        break;
      if (!run->row (run->data, row[1], row + 2, error))
        return FALSE;
      runner->run->time = row[1];
      count_work (runner, width);
      if (run->does_without && run->progress != NULL
          && runner->unchecked_values > VALUES_BETWEEN_CHECKS)
        going_on = !runner->interrupted && may_continue (runner);
    }
  if (i > 0)
    g_array_remove_range (runner->rows, 0, MIN (i, runner->rows->len));
  return going_on || set_interrupted (runner, run->time, error);
}

/* Stores the results of the energy balance in the task. */
static void
close_balance (Runner *runner)
{
  const IfbamEventLog *log = runner->engine->log;

  runner->run->held = log->suspended.n;
  runner->run->first_held = log->first_suspended;
  runner->run->first_held_time = log->first_suspended_time;
  runner->run->count = runner->engine->count;
  runner->run->rest = runner->check.excess;
  runner->run->rest_of = runner->check.excess_of;
  if (runner->run->full_balance)
    runner->run->sums = ifbam_runner_sums (runner);
}

static gboolean
check (Runner *runner, IfbamDivergence *divergence)
{
  const IfbamWorkTotals now = ifbam_energy_balance_totals (runner->balance);

  return ifbam_divergence_check (&runner->check, runner->step,
                                 ifbam_energy_balance_check_energy (runner->balance), &now,
                                 divergence);
}

static gboolean
wants_pause (const Runner *runner)
{
  return runner->run->pauses != NULL && runner->run->pauses (runner->run->pause_data, runner->step);
}

/* Calls pause () at a step with its samples passed on. */
static gboolean
pause_at (Runner *runner, gboolean wanted, GError **error)
{
  return !wanted || runner->run->pause == NULL
         || runner->run->pause (runner->run->pause_data, runner, error);
}

/* Advances to a step. Returns TRUE there; FALSE with an error, or with *divergence. */
static gboolean
run_until (Runner *runner, guint64 until, IfbamDivergence *divergence, GError **error)
{
  gboolean passing = FALSE;

  if (!runner->begun && runner->step % runner->spec->stride == 0)
    record_now (runner);
  runner->begun = TRUE;
  for (;;)
    {
      const char *failure = runner->engine->log->failure;
      const double failed = runner->engine->log->failure_time;
      guint64 next = runner->step >= runner->check.dense_from
                         ? runner->step + 1
                         : next_multiple (runner->step, IFBAM_CHECK_INTERVAL);

      if (failure != NULL)
        {
          const guint64 good = (guint64) floor (failed / runner->spec->step + 1e-9) + 1;

          runner->run->stopped = MIN (good, runner->step);
          if (!flush_rows (runner, runner->run->stopped, error))
            return FALSE;
          if (runner->interrupted)
            return set_interrupted (runner, failed, error);
          return ifbam_fail (error, IFBAM_ERROR_NETWORK, "at t = %g s: %s%s", failed, failure,
                             runner->run->keeps_rows ? "; the rows before are kept" : "");
        }
      if (ifbam_divergence_is_due (&runner->check, runner->step) || runner->step == until)
        {
          ifbam_divergence_add_fields (&runner->check, runner->step);
          /* For large networks the next advance computes the check in passing. */
          passing = runner->by_probes && runner->engine->passing.is_offered && runner->step != until
                    && runner->step < runner->check.dense_from && !wants_pause (runner);
          if (!passing && !check (runner, divergence))
            return FALSE;
          if (!passing && !flush_rows (runner, runner->step + 1, error))
            return FALSE;
          if (!passing && !pause_at (runner, wants_pause (runner), error))
            return FALSE;
          if (runner->run->progress != NULL && !may_continue (runner))
            {
              if (passing && !check (runner, divergence))
                return FALSE;
              if (passing && !flush_rows (runner, runner->step + 1, error))
                return FALSE;
              return pause_at (runner, TRUE, error)
                     && set_interrupted (runner, (double) runner->step * runner->spec->step, error);
            }
        }
      else if (!may_continue_after_sample (runner))
        return check (runner, divergence) && flush_rows (runner, runner->step + 1, error)
               && pause_at (runner, TRUE, error)
               && set_interrupted (runner, (double) runner->step * runner->spec->step, error);
      if (runner->step == until)
        return TRUE;
      next = MIN (next, until);
      /* A step of many objects takes long. */
      if (runner->run->objects)
        next = runner->step + 1;
      if (runner->by_probes)
        {
          const guint64 before = runner->step;
          const IfbamWorkTotals now = ifbam_energy_balance_totals (runner->balance);

          runner->engine->passing.is_wanted = passing;
          advance_with_probes (runner, next);
          if (passing
              && !ifbam_divergence_check (&runner->check, before, runner->engine->passing.energy,
                                          &now, divergence))
            return FALSE;
          if (passing && !flush_rows (runner, before + 1, error))
            return FALSE;
          passing = FALSE;
          continue;
        }
      if (ifbam_energy_balance_integrates (runner->balance))
        next = runner->step + 1;
      next = MIN (next, next_multiple (runner->step, runner->spec->stride));
      advance_to_row (runner, next);
    }
}

/* The search for a divergence is no progress, but can be interrupted. */
static gboolean
search_progress (gpointer data, double part)
{
  const Runner *found = data;
  const IfbamRunTask *run = found->run;

  (void) part;
  return run->progress == NULL
         || run->progress (run->data,
                           (double) found->step / (double) MAX (found->spec->last_step, 1));
}

gboolean
ifbam_run_ignore_row (gpointer data, double time, const double *values, GError **error)
{
  (void) data, (void) time, (void) values, (void) error;
  return TRUE;
}

static gboolean
ignore_event (gpointer data, const IfbamEvent *event, GError **error)
{
  (void) data, (void) event, (void) error;
  return TRUE;
}

/* Checks are made every some cycles. After a failed check the run is repeated from its start (with
 * equal bits), with a check at each cycle since the last good one: no copy of a large state is
 * stored for a rare case. If interrupted, reports the last good check. Returns the amplitudes'
 * growth [1/s]; NaN: unknown. */
static double
find_divergence (Runner *found, IfbamDivergence *divergence)
{
  IfbamRunTask silent = *found->run;
  Runner runner = { .run = &silent,
                    .model = found->model,
                    .signals = found->signals,
                    .spec = found->spec,
                    .check = { .dense_from = found->check.last_step },
                    .rows = g_array_new (FALSE, FALSE, sizeof (double)) };
  g_autoptr (GError) interrupted = NULL;
  const Runner *last = &runner; /* its last energy is the last finite one */
  double energy, growth;
  guint64 step;

  silent.full_balance = balance_level (found) == IFBAM_ACCOUNT_FULL;
  /* A distributed engine has to be made by the caller here, too. */
  if (found->model->share == NULL)
    silent.make_engine = NULL;
  silent.pauses = NULL;
  silent.pause = NULL;
  silent.progress = search_progress;
  silent.data = found;
  silent.row = ifbam_run_ignore_row;
  silent.event = found->run->event == NULL ? NULL : ignore_event;
  runner_start (&runner, ifbam_engine_lookahead (found->spec));
  if (found->from == NULL || ifbam_runner_set_state (&runner, found->from, &interrupted))
    run_until (&runner, found->spec->last_step, divergence, &interrupted);
  runner_end (&runner);
  g_array_unref (runner.rows);
  if (interrupted != NULL)
    last = found;
  energy = isfinite (divergence->energy) ? divergence->energy : last->check.last_energy;
  step = isfinite (divergence->energy) ? divergence->step : last->check.last_step;
  growth = ifbam_divergence_growth (&found->check, step, energy);
  /* A run of a few steps has too few checks. */
  if (isnan (growth))
    growth = ifbam_divergence_growth (&last->check, step, energy);
  if (interrupted != NULL)
    {
      divergence->known = FALSE;
      divergence->step = found->check.last_step;
    }
  return growth;
}

/* Returns the memory of an engine per node and link, beside the model [bytes]. */
static double
engine_memory (const IfbamRunTask *task, const IfbamModel *model, const IfbamRunSpec *spec)
{
  if (task->objects)
    return OBJECT_MEMORY;
  return ifbam_scheme_tableau (spec->scheme) != NULL ? IMPLICIT_MEMORY
         : ifbam_engine_by_events (model, spec)      ? EVENT_MEMORY
                                                     : COMPILED_MEMORY;
}

gboolean
ifbam_run_fits (const IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
                const IfbamRunSpec *spec, guint64 steps, gboolean begins, GError **error)
{
  const double rows = (double) (steps / spec->stride) + 1;
  const double width = (double) (signals->signals->len + 2);
  const double waiting = fmin (rows, (double) (IFBAM_CHECK_INTERVAL / spec->stride) + 2) * width;
  const double size = (double) model->n_nodes + (double) model->n_links;
  const double of_engine = begins ? engine_memory (task, model, spec) * size : 0;
  const double of_rows = sizeof (double) * (waiting + (task->collects ? rows * width : 0));
  g_autofree char *lack = ifbam_memory_lack (of_engine + of_rows);

  if (lack == NULL && waiting < G_MAXUINT)
    return TRUE;
  if (of_rows < of_engine)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "a run of %" G_GSIZE_FORMAT " nodes and %" G_GSIZE_FORMAT " links needs %s",
                 model->n_nodes, model->n_links, lack);
  else if (lack != NULL)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "%.0f rows of %.0f signals need %s (want a longer sample interval, a shorter "
                 "duration, or fewer signals)",
                 rows, width - 2, lack);
  else
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "%.0f signals are too many for rows of each step (name the signals to record, or "
                 "sample every %d steps)",
                 width - 2, IFBAM_CHECK_INTERVAL);
  return FALSE;
}

IfbamRunner *
ifbam_runner_new (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
                  const IfbamRunSpec *spec)
{
  Runner *runner = g_new (Runner, 1);

  *runner = (Runner){ .run = task,
                      .model = model,
                      .signals = signals,
                      .spec = spec,
                      .check = { .dense_from = G_MAXUINT64 },
                      .rows = g_array_new (FALSE, FALSE, sizeof (double)) };
  runner_start (runner, ifbam_engine_lookahead (spec));
  return runner;
}

/* Lists columns beside the engine's: sums of the balance, and data of the checks. */
static GArray *
list_state (Runner *runner)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));

  ifbam_energy_balance_list_state (runner->balance, columns);
  ifbam_divergence_list_state (&runner->check, columns);
  return columns;
}

IfbamState *
ifbam_runner_get_state (IfbamRunner *runner)
{
  g_autoptr (GArray) columns = list_state (runner);

  return ifbam_engine_get_state_with (runner->engine, columns);
}

/* Checks that a saved state satisfies the fixed constraints: lengths may have changed since. */
static gboolean
satisfies_constraints (Runner *runner, GError **error)
{
  const IfbamModel *model = runner->model;
  const IfbamView view = ifbam_energy_balance_view (runner->balance, TRUE);
  g_autofree double *missed = g_new0 (double, model->unbatched_links->len + 1);
  /* Rows within a step are as accurate as the tolerance. */
  const double torn = fmax (MAX_CONSTRAINT_RESIDUAL, runner->spec->tolerance);
  double size[IFBAM_DOMAIN_ANY + 1] = { 0 };

  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_UNBATCHED); ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      const double gap =
          ifbam_link_is_fixed (link) ? link->law->constraint (link->numbers, 0).gap : 0;
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;
      double *most = &size[ifbam_model_node_domain (model, link->node[0])];

      if (!ifbam_link_is_fixed (link))
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        ifbam_view_node (&view, link->node[e], &x[e], &v[e]);
      link->geometry->measure (link->shape, x, v, &delta, row);
      missed[at.number] = fabs (delta - gap);
      *most = fmax (*most, fabs (gap));
      if (link->geometry->size != NULL)
        *most = fmax (*most, link->geometry->size (link->shape));
      for (guint e = 0; e < link->n_ports; e++)
        *most = fmax (*most, fabs (row[e] * x[e]));
    }
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, j);
      const IfbamDomain domain = ifbam_model_node_domain (model, link->node[0]);

      if (missed[j] > torn * size[domain] + NOTHING)
        return ifbam_fail (error, IFBAM_ERROR_USAGE,
                           "the state does not fit these numbers: it is %.3g %s from the "
                           "constraint %s (leave lengths and positions unchanged)",
                           missed[j], ifbam_domain_info (domain)->coordinate_unit,
                           link->element->name);
    }
  return TRUE;
}

/* Only the first rank has a state. */
static void
restore_state (Runner *runner, const IfbamState *before, const GArray *columns)
{
  if (before != NULL)
    ifbam_engine_set_state_with (runner->engine, before, columns, NULL);
}

gboolean
ifbam_runner_set_state (IfbamRunner *runner, const IfbamState *state, GError **error)
{
  g_autoptr (GArray) columns = list_state (runner);
  g_autoptr (IfbamState) before = NULL;
  const guint64 lookahead = ifbam_engine_lookahead (runner->spec);
  const guint64 steps = ifbam_state_steps (state);

  before = ifbam_engine_get_state_with (runner->engine, columns);
  if (!ifbam_engine_set_state_with (runner->engine, state, columns, error))
    return FALSE;
  if (steps < lookahead || steps - lookahead > runner->spec->last_step)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                   "the state is of t = %g s; the run ends at %g s",
                   ((double) steps - (double) lookahead) * runner->spec->step,
                   (double) runner->spec->last_step * runner->spec->step);
      restore_state (runner, before, columns);
      return FALSE;
    }
  if (!satisfies_constraints (runner, error))
    {
      restore_state (runner, before, columns);
      return FALSE;
    }
  runner->step = steps - lookahead;
  g_array_set_size (runner->rows, 0); /* of events at the start */
  if (runner->engine->log->events != NULL)
    g_array_set_size (runner->engine->log->events, 0);
  ifbam_energy_balance_rebuild (runner->balance);
  runner->check.last_step = runner->step;
  runner->check.last_energy = ifbam_energy_balance_check_energy (runner->balance);
  g_clear_pointer (&runner->from, ifbam_state_free);
  runner->from = ifbam_state_copy (state);
  return TRUE;
}

guint64
ifbam_runner_step (const IfbamRunner *runner)
{
  return runner->step;
}

gboolean
ifbam_runner_keeps_balance (const IfbamRunner *runner)
{
  return balance_level (runner) == IFBAM_ACCOUNT_FULL;
}

IfbamSums
ifbam_runner_sums (IfbamRunner *runner)
{
  IfbamView view = ifbam_energy_balance_view (runner->balance, TRUE);

  return ifbam_energy_balance_sums (runner->balance, &view);
}

void
ifbam_runner_read_signals (IfbamRunner *runner, const IfbamSignals *signals, double *values)
{
  IfbamView view = ifbam_energy_balance_view (runner->balance, TRUE);
  IfbamSums sums = { 0 };

  if (signals->sums)
    sums = ifbam_energy_balance_sums (runner->balance, &view);
  ifbam_signals_row (signals, &view, &sums, values);
}

void
ifbam_runner_free (IfbamRunner *runner)
{
  runner_end (runner);
  g_array_unref (runner->rows);
  g_free (runner);
}

gboolean
ifbam_runner_advance (IfbamRunner *runner, guint64 until, GError **error)
{
  IfbamDivergence divergence = { 0 };
  g_autoptr (GError) own = NULL;
  gboolean fine = run_until (runner, until, &divergence, &own);

  close_balance (runner);
  if (!fine && own == NULL)
    {
      double growth = find_divergence (runner, &divergence);

      runner->run->stopped = divergence.step;
      if (flush_rows (runner, divergence.step, &own))
        ifbam_divergence_set_error (&runner->check, &divergence, growth, &own);
    }
  g_free (divergence.name);
  if (own != NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  return fine;
}

GArray *
ifbam_runner_list_pending_events (const IfbamRunner *runner)
{
  return runner->engine->log->events == NULL ? g_array_new (FALSE, FALSE, sizeof (IfbamEvent))
                                             : g_array_copy (runner->engine->log->events);
}

gboolean
ifbam_run_state_is_full (const IfbamState *state)
{
  gsize n;

  return ifbam_state_find (state, "ledger.dissipated", IFBAM_STATE_DOUBLES, &n) != NULL
         || ifbam_state_find (state, "slot.dissipated", IFBAM_STATE_DOUBLES, &n) != NULL;
}

IfbamRunner *
ifbam_runner_new_at (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
                     const IfbamRunSpec *spec, GError **error)
{
  g_autoptr (IfbamRunner) runner = NULL;

  if (!ifbam_run_fits (task, model, signals, spec, spec->last_step, TRUE, error))
    return NULL;
  runner = ifbam_runner_new (task, model, signals, spec);
  if (task->initial != NULL && !ifbam_runner_set_state (runner, task->initial, error))
    return NULL;
  runner->begun = task->initial != NULL && task->resumes;
  return g_steal_pointer (&runner);
}

gboolean
ifbam_run (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
           const IfbamRunSpec *spec, GError **error)
{
  g_autoptr (IfbamRunner) own =
      task->runner != NULL ? NULL : ifbam_runner_new_at (task, model, signals, spec, error);
  IfbamRunner *runner = task->runner != NULL ? task->runner : own;

  if (runner == NULL)
    return FALSE;
  if (task->unlocated && spec->tolerance > 0)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "a tolerance of %g needs located events: steps end there", spec->tolerance);
  record_events (runner);
  if (task->initial != NULL && task->pending_events != NULL && runner->engine->log->events != NULL)
    g_array_append_vals (runner->engine->log->events, task->pending_events->data,
                         task->pending_events->len);
  return ifbam_runner_advance (runner, spec->last_step, error);
}

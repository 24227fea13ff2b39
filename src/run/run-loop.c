/* run-loop.c: runs an engine over its duration: rows, ledger, divergence, progress
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/run-loop.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "base/memory.h"
#include "model/model.h"

/* Of engines, for each node and link, beside the model [bytes]. */
#define COMPILED_MEMORY 20
#define EVENT_MEMORY    120
#define IMPLICIT_MEMORY 320 /* with the equations of its stages */
#define OBJECT_MEMORY   1200
/* A state that is so far from a relation does not fit, in parts of the lengths and coordinates of all; and where all are 0. */
#define TORN    1e-6
#define NOTHING 1e-15
/* So many numbers are looked at, or written, before somebody is asked whether to go on: some hundredths of a second. */
#define UNASKED (1 << 19)

typedef struct _IfbamRunner Runner;

struct _IfbamRunner
{
  IfbamRunTask *run;
  const IfbamModel *model;
  const IfbamSignals *signals;
  const IfbamRunSpec *spec;
  IfbamEngine *engine;
  IfbamLedger *ledger;
  GArray *rows;     /* doubles: step number, time, values; of the rows since the last check */
  IfbamState *from; /* where it begins; NULL: at its start */
  guint64 step;     /* of the engine's row */
  double first_energy;
  double first_booked; /* supplied less dissipated before it */
  double last_energy;  /* at the last check */
  double first_field;  /* energy of fields at the start */
  double field;        /* and now */
  double fallen;       /* how much of it was given or taken at most */
  double first_rest;   /* the account's, when it first was too large; 0: it never was */
  gboolean books_all;  /* see ifbam_run_books_all() */
  double known_energy
      [2]; /* energy, and the account's open rest, where active links last explained them */
  gboolean asked, expects_growth; /* whether the growth was expected, once that was asked */
  guint64 half_step[2]; /* two checks, the later at or past the middle of the run so far */
  double half_energy[2];
  guint64 checked;      /* step of the last check that was fine */
  guint64 fine_from;    /* from here on every step is checked */
  IfbamProbes probes;   /* what rows and ledger need of a stretch of steps */
  gboolean by_probes;   /* else the engine stops at every row */
  gboolean begun;       /* the first row is told */
  gboolean interrupted; /* within a step */
  guint64 unasked;      /* numbers since somebody was asked */
};

typedef struct
{
  guint64 step;
  double energy;
  double rest; /* energy out of nothing, if that is why; else 0 */
  gsize node;  /* the first that is not finite, else the one with the most energy */
  char *name;  /* its name, of a network in parts; NULL: the model has it */
  gboolean finite;
  gboolean known; /* it is the first such step; else the last one that was fine */
} Divergence;

/* Contacts that turn there and back: what keeps them closed costs so much time that a full account of their
 * work adds nothing to it. */
static gboolean
turns (const IfbamModel *model)
{
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, j);

      if (link->geometry->scale != NULL && isfinite (link->geometry->scale (link->shape)))
        return TRUE;
    }
  return FALSE;
}

/* Of a part its engine books the work of active links. */
gboolean
ifbam_run_books_all (const IfbamModel *model, const IfbamRunSpec *spec)
{
  return model->share == NULL
         && (ifbam_model_has_active_links (model) || turns (model)
             || !ifbam_model_resolves_courses (model, spec->step,
                                               (double) spec->last_step * spec->step));
}

/* Whether steps are as accurate as somebody has said: then nothing comes from nothing, and rows need not wait for an
 * account of work. */
static gboolean
is_tolerated (const Runner *runner)
{
  return runner->spec->tolerance > 0;
}

/* Whether the work of active links is not known: a process of many books its own part only. */
static gboolean
lacks_work (const Runner *runner)
{
  return runner->model->share != NULL && ifbam_model_has_active_links (runner->model);
}

static IfbamLedgerLevel
ledger_level (const Runner *runner)
{
  return runner->run->full_ledger || runner->signals->balance || runner->books_all
             ? IFBAM_LEDGER_FULL
         : is_tolerated (runner) ? IFBAM_LEDGER_NONE
                                 : IFBAM_LEDGER_SUPPLY;
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

/* Rows that ask for a few nodes are told by probes, so that the engine can do many steps in one go.
 * With a sum over the network, or most of its nodes, it stops at every row. */
static void
choose_probes (Runner *runner)
{
  const gboolean integrates = ifbam_ledger_integrates (runner->ledger);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (gsize));
  guint n = 0;

  ifbam_signals_add_nodes (runner->signals, runner->model, nodes);
  if (integrates)
    ifbam_ledger_add_nodes (runner->ledger, nodes);
  g_array_sort (nodes, compare_nodes);
  for (guint i = 0; i < nodes->len; i++)
    if (i == 0 || g_array_index (nodes, gsize, i) != g_array_index (nodes, gsize, n - 1))
      g_array_index (nodes, gsize, n++) = g_array_index (nodes, gsize, i);
  runner->by_probes = !(integrates && ifbam_ledger_needs_all (runner->ledger))
                      && !runner->signals->sums && runner->engine->tells_probes
                      && !(ifbam_engine_by_events (runner->model, runner->spec)
                           && ifbam_signals_ask_engine (runner->signals))
                      && n <= MAX (64, (runner->model->share != NULL ? runner->model->share->n_nodes
                                                                     : runner->model->n_nodes)
                                           / 4);
  runner->probes = (IfbamProbes){ .n = n,
                                  .stride = integrates ? 1 : runner->spec->stride,
                                  .position = g_new (double, IFBAM_CHECK_INTERVAL *n + 1),
                                  .rate = g_new (double, IFBAM_CHECK_INTERVAL *n + 1) };
  runner->probes.node = (gsize *) (gpointer) g_array_free (nodes, FALSE);
}

/* Whether a network with events may go by tiles between them: nobody asks for an account of work, or for rows at events. */
static gboolean
goes_by_tiles (const Runner *runner)
{
  const IfbamRunTask *run = runner->run;

  return !run->by_events && !run->objects && !run->unlocated && !run->event_rows
         && ledger_level (runner) != IFBAM_LEDGER_FULL;
}

/* Asks whoever may interrupt. */
static gboolean
goes_on (gpointer data)
{
  Runner *runner = data;
  const IfbamRunTask *run = runner->run;

  runner->unasked = 0;
  runner->interrupted =
      !run->progress (run->data, (double) runner->step / (double) MAX (runner->spec->last_step, 1));
  return !runner->interrupted;
}

/* The engine asks within steps that take long. */
static gboolean
engine_goes_on (gpointer data)
{
  Runner *runner = data;

  runner->run->work++;
  return goes_on (runner);
}

/* Numbers were looked at. Of a network in parts all have to ask at once, and none has as many as the next one. */
static void
count_work (Runner *runner, guint64 n)
{
  if (runner->model->share == NULL)
    runner->unasked += n;
}

/* Between checks: rows of a large network take long, and so does a step of many objects. FALSE: somebody interrupts. */
static gboolean
goes_on_from_row (Runner *runner)
{
  return runner->run->progress == NULL || !(runner->run->objects || runner->unasked > UNASKED)
         || goes_on (runner);
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

/* Somebody wants to hear of events. */
static void
tell_events (Runner *runner)
{
  if (runner->run->event != NULL && ifbam_model_has_events (runner->model)
      && runner->engine->events == NULL)
    runner->engine->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
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
  if (ifbam_engine_by_events (model, spec) && goes_by_tiles (runner))
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
  runner->books_all = ifbam_run_books_all (runner->model, runner->spec);
  runner->engine = make_engine (runner);
  tell_events (runner);
  if (runner->run->event_rows)
    {
      runner->engine->event_row = record_event_row;
      runner->engine->event_row_data = runner;
    }
  runner->ledger = ifbam_ledger_new (runner->engine, ledger_level (runner), runner->signals->links);
  choose_probes (runner);
  if (runner->run->progress != NULL)
    {
      runner->engine->goes_on = engine_goes_on;
      runner->engine->goes_on_data = runner;
    }
  runner->engine->start (runner->engine);
  runner->engine->advance (runner->engine, lookahead, NULL);
  runner->step = 0;
  ifbam_ledger_begin (runner->ledger);
}

static void
runner_end (Runner *runner)
{
  g_clear_pointer (&runner->ledger, ifbam_ledger_free);
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

/* A row just before or just after an event. */
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
    sums = ifbam_ledger_sums (runner->ledger, &view);
  record_row (runner, time / runner->spec->step, &view, &sums);
}

/* The engine's row. */
static void
record_now (Runner *runner)
{
  const gboolean observed =
      runner->signals->sums || runner->signals->signals->len * 4 > runner->model->n_nodes;
  IfbamView view = ifbam_ledger_view (runner->ledger, observed);
  IfbamSums sums = { 0 };

  if (runner->signals->sums)
    sums = ifbam_ledger_sums (runner->ledger, &view);
  record_row (runner, (double) runner->step, &view, &sums);
  count_work (runner, runner->signals->signals->len);
}

/* Goes on to a step; what lies between is told by probes. */
static void
advance_by_probes (Runner *runner, guint64 next)
{
  const gboolean integrates = ifbam_ledger_integrates (runner->ledger);
  const guint64 stride = runner->spec->stride;
  IfbamView view = { .numbers = runner->engine->numbers, .probes = &runner->probes };

  runner->engine->advance (runner->engine, next - runner->step, &runner->probes);
  for (guint64 step = next_multiple (runner->step, runner->probes.stride); step <= next;
       step += runner->probes.stride, view.row++)
    {
      view.time = (double) step * runner->spec->step;
      if (integrates)
        ifbam_ledger_step (runner->ledger, &view);
      if (step % stride == 0)
        record_row (runner, (double) step, &view, NULL);
    }
  runner->step = next;
}

/* Goes on to a step by which at most one row is due. */
static void
advance_to_row (Runner *runner, guint64 next)
{
  runner->engine->advance (runner->engine, next - runner->step, NULL);
  count_work (runner, (next - runner->step) * runner->model->n_nodes);
  runner->step = next;
  if (ifbam_ledger_integrates (runner->ledger))
    {
      IfbamView view = ifbam_ledger_view (runner->ledger, ifbam_ledger_needs_all (runner->ledger));

      ifbam_ledger_step (runner->ledger, &view);
    }
  if (runner->step % runner->spec->stride == 0)
    record_now (runner);
}

/* Hands over the events before a step. */
static gboolean
flush_events (Runner *runner, guint64 before, GError **error)
{
  GArray *events = runner->engine->events;
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

/* Hands over the rows before a step, and the events; to who does without, as many as there are before somebody interrupts. */
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
      if (run->does_without && run->progress != NULL && runner->unasked > UNASKED)
        going_on = !runner->interrupted && goes_on (runner);
    }
  if (i > 0)
    g_array_remove_range (runner->rows, 0, MIN (i, runner->rows->len));
  return going_on || set_interrupted (runner, run->time, error);
}

/* Of a free node that has inertia of its own [J]; -1: it has none. */
static double
kinetic_energy_of (const IfbamModel *model, const IfbamView *view, gsize node)
{
  if (ifbam_model_is_inner (model, node) || !ifbam_model_counts (model, node))
    return -1;
  return 0.5 * ifbam_model_inertia (model, node) * view->rate[node] * view->rate[node];
}

static gsize
worst_node (const IfbamModel *model, const IfbamView *view, gboolean *finite)
{
  double most = -1;
  gsize worst = 0;

  *finite = TRUE;
  for (gsize i = 0; i < model->n_free; i++)
    {
      const double energy = kinetic_energy_of (model, view, i);

      if (!isfinite (view->position[i]) || !isfinite (view->rate[i]))
        {
          *finite = FALSE;
          return i;
        }
      if (energy > most)
        {
          most = energy;
          worst = i;
        }
    }
  return worst;
}

/* Of all parts, with this part's worst. */
static char *
worst_name (const IfbamModel *model, const IfbamView *view, gsize node, gboolean *finite)
{
  const double energy = kinetic_energy_of (model, view, node);

  return model->share->find_worst (model->share, ifbam_model_node_name (model, node),
                                   model->share->place (model->share, node), energy, finite);
}

/* Parts without fields of their own hear of the others'. */
static gboolean
has_fields (const IfbamModel *model)
{
  return model->share != NULL ? model->share->has_fields : model->n_fields > 0;
}

/* Fields have no least energy; what they gave is what motions can have from them. */
static void
look_at_fields (Runner *runner)
{
  IfbamView view;
  double energy;

  if (!has_fields (runner->model))
    return;
  view = ifbam_ledger_view (runner->ledger, FALSE);
  ifbam_view_field_energy (&view, &energy);
  if (runner->step == 0)
    {
      runner->first_field = energy;
      runner->fallen = IFBAM_FIELD_ROUNDING * fabs (energy);
    }
  runner->field = energy;
  runner->fallen = fmax (runner->fallen, fabs (energy - runner->first_field));
}

/* Of motions and links. */
static double
row_energy (Runner *runner)
{
  IfbamView view;
  IfbamSums sums;
  double energy;

  if (runner->engine->look != NULL)
    return runner->engine->look (runner->engine);
  view = ifbam_ledger_view (runner->ledger, TRUE);
  ifbam_view_sums (&view, &sums);
  energy = sums.kinetic + sums.stored;
  /* Where what is stored falls as motions rise, their sum is rounding. */
  return isfinite (energy) && fabs (energy) <= 1e-12 * sums.kinetic ? 0 : energy;
}

/* The account at the end, for those who want it. */
static void
close_ledger (Runner *runner)
{
  if (runner->engine->held != NULL)
    runner->run->held = runner->engine->held (runner->engine, &runner->run->first_held,
                                              &runner->run->first_held_time);
  if (runner->engine->count != NULL)
    runner->run->count = runner->engine->count (runner->engine);
  if (runner->run->full_ledger)
    runner->run->sums = ifbam_runner_sums (runner);
}

/* What went in or out so far; where it is not all booked, supplied: at most, dissipated: at least. */
static IfbamWorkTotals
account (const Runner *runner)
{
  IfbamEngine *engine = runner->engine;
  IfbamWorkTotals account = { ifbam_tally_value (&runner->ledger->dissipated),
                              ifbam_tally_value (&runner->ledger->fed.supplied),
                              ifbam_tally_value (&runner->ledger->fed.turnover),
                              ifbam_tally_value (&runner->ledger->brought) };
  double struck;

  if (engine->keeps_account)
    return engine->account (engine);
  struck = engine->struck == NULL ? 0 : engine->struck (engine);
  account.supplied += struck;
  account.turnover += struck;
  return account;
}

/* What is there that neither was there nor came in (Runner's energies are those of motions and links). What is lost
 * in the rounding of fields' energies is nothing: a heap that lies still has no other. */
static double
open_rest (const Runner *runner, double energy, const IfbamWorkTotals *account)
{
  const double rest = (energy - runner->first_energy) + (runner->field - runner->first_field)
                      - (account->supplied - account->dissipated - runner->first_booked);

  return fabs (rest) > IFBAM_FIELD_ROUNDING * (fabs (runner->field) + fabs (runner->first_field))
             ? rest
             : 0;
}

/* Whether a run that goes on for long comes by here; else somebody has stopped it. */
static gboolean
is_checked (const Runner *runner, guint64 step)
{
  return step % IFBAM_CHECK_INTERVAL == 0 || step >= runner->fine_from;
}

/* More energy than there ever was came from nothing. Of networks without events what makes sense alone
 * tells, as it does of their variants in lanes. What is fed in by shorter blows than a step is not booked: where
 * anything is fed, the rest has to go on growing. */
static gboolean
comes_from_nothing (Runner *runner, guint64 step, double rest, double known)
{
  const IfbamModel *model = runner->model;
  const gboolean fed = model->n_sources > model->n_fields || runner->engine->numbers->n_moving > 0
                       || runner->engine->struck != NULL;

  if (runner->run->expects_growth == NULL || runner->run->allow_divergence
      || !ifbam_model_has_events (model) || known == 0 || !(rest > known)
      || !is_checked (runner, step))
    return FALSE;
  if (fed && runner->first_rest == 0)
    runner->first_rest = rest;
  if (fed && !(rest > 4 * runner->first_rest + known))
    return FALSE;
  if (!runner->asked)
    runner->expects_growth = runner->run->expects_growth (
        model, runner->spec, (double) runner->spec->last_step * runner->spec->step);
  runner->asked = TRUE;
  return !runner->expects_growth;
}

/* Returns whether work that active links did explains an energy of over 10^6 times what was there and supplied: at least
 * half of its growth since it last was explained (at first: since the start) came from the account. The next explanation is
 * due when the energy has doubled. So a run that grows as its equations do goes on, a limit cycle has time to sum up the
 * errors of its account, and growth by an unstable scheme, which no work explains, ends the run beside active links, too.
 * Gross work would not do: where a scheme explodes, amounts of work that cancel explode with it. */
static gboolean
is_explained (Runner *runner, double energy, double rest)
{
  const double growth = energy - runner->known_energy[0];

  if (!runner->books_all || !isfinite (energy))
    return FALSE;
  if (energy < 2 * runner->known_energy[0])
    return TRUE;
  if (!(rest - runner->known_energy[1] <= 0.5 * growth))
    return FALSE;
  runner->known_energy[0] = energy;
  runner->known_energy[1] = rest;
  return TRUE;
}

/* FALSE with *divergence when the network had left sense at a step, with an energy, after so much had
 * been fed in and lost. */
static gboolean
judge (Runner *runner, guint64 step, double energy, const IfbamWorkTotals *account,
       Divergence *divergence)
{
  gboolean finite = TRUE, sense, nothing;
  IfbamView view;
  double rest;

  if (step == 0)
    {
      /* What hits touching neighbours at the start is told by the first row, after it. */
      runner->first_energy = runner->half_energy[1] = runner->known_energy[0] = energy;
      runner->first_booked = account->supplied - account->dissipated;
    }
  rest = open_rest (runner, energy, account);
  sense = ifbam_run_makes_sense (energy, runner->first_energy, account->turnover, runner->fallen,
                                 runner->run->allow_divergence || is_tolerated (runner))
          || is_explained (runner, energy, rest);
  nothing = sense && !is_tolerated (runner) && !lacks_work (runner)
            && comes_from_nothing (runner, step, rest,
                                   fabs (runner->first_energy) + account->turnover
                                       + account->brought + runner->fallen);
  if (sense && !nothing)
    {
      runner->last_energy = energy;
      runner->checked = step;
      if (is_checked (runner, step) && step >= 2 * runner->half_step[1])
        {
          runner->half_step[0] = runner->half_step[1];
          runner->half_energy[0] = runner->half_energy[1];
          runner->half_step[1] = step;
          runner->half_energy[1] = energy;
        }
      runner->run->rest =
          lacks_work (runner) ? 0
          : (rest > 0 && !is_tolerated (runner)) || ledger_level (runner) == IFBAM_LEDGER_FULL
              ? rest
              : 0;
      runner->run->rest_of = fmax (
          fmax (fmax (fabs (runner->first_energy), fabs (energy)), runner->fallen),
          fmax (fmax (fabs (account->supplied), account->brought), fabs (account->dissipated)));
      /* Given motions alone may take back all that they have supplied: their gross work counts. */
      if (runner->model->n_free == runner->model->n_inner)
        runner->run->rest_of = fmax (runner->run->rest_of, account->turnover);
      return TRUE;
    }
  g_free (divergence->name);
  *divergence =
      (Divergence){ .step = step, .energy = energy, .rest = nothing ? rest : 0, .known = TRUE };
  view = ifbam_ledger_view (runner->ledger, TRUE);
  divergence->node = worst_node (runner->model, &view, &finite);
  if (runner->model->share != NULL)
    divergence->name = worst_name (runner->model, &view, divergence->node, &finite);
  divergence->finite = finite;
  return FALSE;
}

static gboolean
check (Runner *runner, Divergence *divergence)
{
  const IfbamWorkTotals now = account (runner);

  return judge (runner, runner->step, row_energy (runner), &now, divergence);
}

static gboolean
wants_pause (const Runner *runner)
{
  return runner->run->pauses != NULL && runner->run->pauses (runner->run->pause_data, runner->step);
}

/* Somebody may look at a step whose rows are told. */
static gboolean
pause_at (Runner *runner, gboolean wanted, GError **error)
{
  return !wanted || runner->run->pause == NULL
         || runner->run->pause (runner->run->pause_data, runner, error);
}

/* On to a step. Returns TRUE there; FALSE with an error, or with *divergence. */
static gboolean
run_until (Runner *runner, guint64 until, Divergence *divergence, GError **error)
{
  gboolean passing = FALSE;

  if (!runner->begun && runner->step % runner->spec->stride == 0)
    record_now (runner);
  runner->begun = TRUE;
  for (;;)
    {
      double failed = 0;
      const char *failure = runner->engine->failure == NULL
                                ? NULL
                                : runner->engine->failure (runner->engine, &failed);
      guint64 next = runner->step >= runner->fine_from
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
      if (is_checked (runner, runner->step) || runner->step == until)
        {
          look_at_fields (runner);
          /* Large networks are looked at while the next stretch passes by. */
          passing = runner->by_probes && runner->engine->look_in_passing && runner->step != until
                    && runner->step < runner->fine_from && !wants_pause (runner);
          if (!passing && !check (runner, divergence))
            return FALSE;
          if (!passing && !flush_rows (runner, runner->step + 1, error))
            return FALSE;
          if (!passing && !pause_at (runner, wants_pause (runner), error))
            return FALSE;
          if (runner->run->progress != NULL && !goes_on (runner))
            {
              if (passing && !check (runner, divergence))
                return FALSE;
              if (passing && !flush_rows (runner, runner->step + 1, error))
                return FALSE;
              return pause_at (runner, TRUE, error)
                     && set_interrupted (runner, (double) runner->step * runner->spec->step, error);
            }
        }
      else if (!goes_on_from_row (runner))
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
          const IfbamWorkTotals now = account (runner);

          runner->engine->look_next = passing;
          advance_by_probes (runner, next);
          if (passing && !judge (runner, before, runner->engine->looked, &now, divergence))
            return FALSE;
          if (passing && !flush_rows (runner, before + 1, error))
            return FALSE;
          passing = FALSE;
          continue;
        }
      if (ifbam_ledger_integrates (runner->ledger))
        next = runner->step + 1;
      next = MIN (next, next_multiple (runner->step, runner->spec->stride));
      advance_to_row (runner, next);
    }
}

static void
set_divergence (Runner *runner, const Divergence *divergence, double growth, GError **error)
{
  const IfbamModel *model = runner->model;
  const IfbamRunSpec *spec = runner->spec;
  const double duration = (double) runner->spec->last_step * spec->step;
  g_autofree char *advice =
      runner->run->advise != NULL ? runner->run->advise (model, spec, duration) : NULL;
  g_autofree char *name = divergence->name != NULL
                              ? g_strdup (divergence->name)
                              : ifbam_model_node_name (model, divergence->node);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "the run diverged %s t = %g s (step %" G_GUINT64_FORMAT "): ",
                          divergence->known ? "at" : "soon after",
                          (double) divergence->step * spec->step, divergence->step);
  if (!divergence->finite)
    g_string_append_printf (text, "\"%s\" is not finite any more", name);
  else if (!isfinite (divergence->energy))
    g_string_append_printf (text, "the energy is not finite any more, most of it at \"%s\"", name);
  else if (divergence->rest > 0)
    g_string_append_printf (
        text,
        "%.3g J came from nothing, more than was there and supplied, most of it "
        "at \"%s\"",
        divergence->rest, name);
  else
    g_string_append_printf (text,
                            "the energy is over 10^6 times what was there and supplied, most "
                            "of it at \"%s\"",
                            name);
  if (isfinite (growth) && growth > 0)
    g_string_append_printf (text, "; amplitudes grow by %.3g per second", growth);
  g_string_append_printf (text, "; scheme %s with a step of %s s", spec->scheme->name,
                          IFBAM_NUMBER (spec->step));
  if (advice != NULL)
    g_string_append_printf (text, ". %s", advice);
  if (runner->run->keeps_rows)
    g_string_append (text, "; the rows before are kept");
  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED, text->str);
  g_string_free (text, TRUE);
}

/* The search for a divergence is no progress, but it can be interrupted like the run. */
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

/* The amplitudes' growth [1/s] over the last half of the run or more; NaN where it can't be told. */
static double
growth_until (const Runner *runner, guint64 step, double energy)
{
  return runner->half_energy[0] > 0 && step > runner->half_step[0]
             ? 0.5 * log (energy / runner->half_energy[0])
                   / ((double) (step - runner->half_step[0]) * runner->spec->step)
             : NAN;
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

/* A run is checked every so many cycles. Where a check fails, the run is repeated from its start (it
 * is the same to the last bit) and the cycles since the last good check are looked at one by one: no
 * copy of a large state has to be kept for a case that is rare. If that is interrupted, the last good
 * check is what is known. Returns the amplitudes' growth [1/s]; NaN where it can't be told. */
static double
find_divergence (Runner *found, Divergence *divergence)
{
  IfbamRunTask silent = *found->run;
  Runner runner = { .run = &silent,
                    .model = found->model,
                    .signals = found->signals,
                    .spec = found->spec,
                    .fine_from = found->checked,
                    .rows = g_array_new (FALSE, FALSE, sizeof (double)) };
  g_autoptr (GError) interrupted = NULL;
  const Runner *last = &runner; /* whose last energy is the last finite one */
  double energy, growth;
  guint64 step;

  silent.full_ledger = ledger_level (found) == IFBAM_LEDGER_FULL;
  /* Whoever makes a part's engine makes this one, too. */
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
  energy = isfinite (divergence->energy) ? divergence->energy : last->last_energy;
  step = isfinite (divergence->energy) ? divergence->step : last->checked;
  growth = growth_until (found, step, energy);
  /* A run of a few steps was not checked often enough. */
  if (isnan (growth))
    growth = growth_until (last, step, energy);
  if (interrupted != NULL)
    {
      divergence->known = FALSE;
      divergence->step = found->checked;
    }
  return growth;
}

/* Beside the model, for each node and link [bytes]. */
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
                 "%.0f signals are too many for rows of each step (name those that are wanted, or "
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
                      .fine_from = G_MAXUINT64,
                      .rows = g_array_new (FALSE, FALSE, sizeof (double)) };
  runner_start (runner, ifbam_engine_lookahead (spec));
  return runner;
}

/* Beside the engine's own: what the ledger has summed up, and the checks know of the run so far. */
static GArray *
list_state (Runner *runner)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));

  ifbam_ledger_list_state (runner->ledger, columns);
  ifbam_state_add_doubles (columns, "check.first-energy", &runner->first_energy, 1);
  ifbam_state_add_doubles (columns, "check.half-energy", runner->half_energy, 2);
  ifbam_state_add (columns, "check.half-step", IFBAM_STATE_WORDS, runner->half_step,
                   sizeof runner->half_step, 1, 4);
  if (ifbam_model_has_events (runner->model))
    ifbam_state_add_doubles (columns, "check.first-rest", &runner->first_rest, 1);
  if (runner->books_all)
    ifbam_state_add_doubles (columns, "check.known-energy", runner->known_energy, 2);
  if (has_fields (runner->model))
    {
      ifbam_state_add_doubles (columns, "check.first-field", &runner->first_field, 1);
      ifbam_state_add_doubles (columns, "check.fallen", &runner->fallen, 1);
    }
  return columns;
}

IfbamState *
ifbam_runner_get_state (IfbamRunner *runner)
{
  g_autoptr (GArray) columns = list_state (runner);

  return ifbam_engine_get_state_with (runner->engine, columns);
}

/* What is fixed has to be so at the start, too: with other lengths than those that made it a state is torn. */
static gboolean
fits_relations (Runner *runner, GError **error)
{
  const IfbamModel *model = runner->model;
  const IfbamView view = ifbam_ledger_view (runner->ledger, TRUE);
  g_autofree double *missed = g_new0 (double, model->singles->len + 1);
  /* Rows within a step are as right as the tolerance says. */
  const double torn = fmax (TORN, runner->spec->tolerance);
  double size[IFBAM_DOMAIN_ANY + 1] = { 0 };

  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, j);
      const double gap =
          ifbam_link_is_fixed (link) ? link->law->relation (link->numbers, 0).gap : 0;
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;
      double *most = &size[ifbam_model_node_domain (model, link->node[0])];

      if (!ifbam_link_is_fixed (link))
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        ifbam_view_node (&view, link->node[e], &x[e], &v[e]);
      link->geometry->measure (link->shape, x, v, &delta, row);
      missed[j] = fabs (delta - gap);
      *most = fmax (*most, fabs (gap));
      if (link->geometry->reach != NULL)
        *most = fmax (*most, link->geometry->reach (link->shape));
      for (guint e = 0; e < link->n_ports; e++)
        *most = fmax (*most, fabs (row[e] * x[e]));
    }
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, j);
      const IfbamDomain domain = ifbam_model_node_domain (model, link->node[0]);

      if (missed[j] > torn * size[domain] + NOTHING)
        return ifbam_fail (
            error, IFBAM_ERROR_USAGE,
            "the state does not fit these numbers: it is %.3g %s from where %s holds it "
            "(leave lengths and places as they were)",
            missed[j], ifbam_domain_info (domain)->coordinate_unit, link->element->name);
    }
  return TRUE;
}

/* Of ranks the first one alone has a state. */
static void
go_back (Runner *runner, const IfbamState *before, const GArray *columns)
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
      go_back (runner, before, columns);
      return FALSE;
    }
  if (!fits_relations (runner, error))
    {
      go_back (runner, before, columns);
      return FALSE;
    }
  runner->step = steps - lookahead;
  if (runner->engine->events != NULL)
    g_array_set_size (runner->engine->events, 0);
  ifbam_ledger_stand (runner->ledger);
  runner->checked = runner->step;
  runner->last_energy = row_energy (runner);
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
ifbam_runner_keeps_ledger (const IfbamRunner *runner)
{
  return ledger_level (runner) == IFBAM_LEDGER_FULL;
}

IfbamSums
ifbam_runner_sums (IfbamRunner *runner)
{
  IfbamView view = ifbam_ledger_view (runner->ledger, TRUE);

  return ifbam_ledger_sums (runner->ledger, &view);
}

void
ifbam_runner_look (IfbamRunner *runner, const IfbamSignals *signals, double *values)
{
  IfbamView view = ifbam_ledger_view (runner->ledger, TRUE);
  IfbamSums sums = { 0 };

  if (signals->sums)
    sums = ifbam_ledger_sums (runner->ledger, &view);
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
  Divergence divergence = { 0 };
  g_autoptr (GError) own = NULL;
  gboolean fine = run_until (runner, until, &divergence, &own);

  close_ledger (runner);
  if (!fine && own == NULL)
    {
      double growth = find_divergence (runner, &divergence);

      runner->run->stopped = divergence.step;
      if (flush_rows (runner, divergence.step, &own))
        set_divergence (runner, &divergence, growth, &own);
    }
  g_free (divergence.name);
  if (own != NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  return fine;
}

GArray *
ifbam_runner_list_untold (const IfbamRunner *runner)
{
  return runner->engine->events == NULL ? g_array_new (FALSE, FALSE, sizeof (IfbamEvent))
                                        : g_array_copy (runner->engine->events);
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
                       "a tolerance of %g wants events to be located: steps end there",
                       spec->tolerance);
  tell_events (runner);
  if (task->initial != NULL && task->untold != NULL && runner->engine->events != NULL)
    g_array_append_vals (runner->engine->events, task->untold->data, task->untold->len);
  return ifbam_runner_advance (runner, spec->last_step, error);
}

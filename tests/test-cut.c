/* test-cut.c: a run that is cut at any step and goes on has the rows, events and ledger of the uncut one
 *
 *   TEST_SEEDS=COUNT test-cut   fewer random networks, or more; shipped ones run to their end where it is 100 or more
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "draft.h"
#include "fixture.h"
#include "base/ifbam-error.h"
#include "run/run.h"
#include "engine/engine.h"

#define N_CUTS 5
/* Schemes of a network: each nth. */
#define EACH by_effort (8, 6, 1)
/* Objects take longer. */
#define MOST_SPOKEN 60

static guint n_seeds = 12;
static GRand *choice;

static struct
{
  guint runs, cuts, off_rows, events, diverged, same_ends, other_hands;
} met;

/* What a run tells. */
typedef struct
{
  const IfbamSignals *signals;
  GByteArray *rows;
  GString *events;
  IfbamSums sums;
  char *end; /* its error, or NULL */
  int code;
  guint64 stopped; /* step of it */
} Told;

static void
told_clear (Told *told)
{
  if (told->rows == NULL)
    return;
  g_byte_array_unref (told->rows);
  g_string_free (told->events, TRUE);
  g_free (told->end);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Told, told_clear)

/* A state on the way, and how much was told then. */
typedef struct
{
  guint64 step;
  IfbamState *state;
  GArray *untold;
  gsize rows, events;
} Cut;

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  Told *told = data;

  (void) error;
  g_byte_array_append (told->rows, (const guint8 *) &time, sizeof time);
  g_byte_array_append (told->rows, (const guint8 *) values,
                       (guint) (told->signals->units->len * sizeof *values));
  return TRUE;
}

static gboolean
take_event (gpointer data, const IfbamEvent *event, GError **error)
{
  (void) error;
  ifbam_event_append_row (((Told *) data)->events, event);
  return TRUE;
}

static void
begin (IfbamRunTask *task, const IfbamSignals *signals, Told *told)
{
  *told = (Told){ signals, g_byte_array_new (), g_string_new (NULL), .end = NULL };
  task->row = take_row;
  task->event = take_event;
  task->data = told;
}

static void
take_end (Told *told, const GError *error)
{
  told->end = error == NULL ? NULL : g_strdup (error->message);
  told->code = error == NULL ? 0 : error->code;
}

static void
run (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
     const IfbamRunSpec *spec, Told *told)
{
  g_autoptr (GError) error = NULL;

  begin (task, signals, told);
  ifbam_run (task, model, signals, spec, &error);
  take_end (told, error);
  told->stopped = task->stopped;
  told->sums = task->sums;
}

/* The same with stops on the way; how many were reached. */
static guint
run_with_stops (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
                const IfbamRunSpec *spec, Told *told, Cut *cuts)
{
  g_autoptr (IfbamRunner) runner = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  begin (task, signals, told);
  runner = ifbam_runner_new (task, model, signals, spec);
  for (; n < N_CUTS && ifbam_runner_advance (runner, cuts[n].step, &error); n++)
    {
      cuts[n].state = ifbam_runner_get_state (runner);
      cuts[n].untold = ifbam_runner_list_untold (runner);
      cuts[n].rows = told->rows->len;
      cuts[n].events = told->events->len;
    }
  if (error == NULL)
    ifbam_runner_advance (runner, spec->last_step, &error);
  take_end (told, error);
  told->stopped = task->stopped;
  told->sums = task->sums;
  return n;
}

static int
compare_steps (const void *a, const void *b)
{
  const guint64 one = ((const Cut *) a)->step, other = ((const Cut *) b)->step;

  return (one > other) - (one < other);
}

/* From here on it is the whole, its end included: what is told, the error, the account. A stop among the last steps
 * before a run diverges (64 at most, between two looks) is a look more: then it may be found elsewhere among them. */
static void
compare (const char *what, const Told *whole, const Told *part, const Cut *cut, guint64 last_stop)
{
  const gsize rows = whole->rows->len - cut->rows, events = whole->events->len - cut->events;
  const gboolean looked = whole->end != NULL && last_stop > (MAX (whole->stopped, 1) - 1) / 64 * 64;
  const gsize told = looked ? MIN (part->rows->len, rows) : part->rows->len;
  const gsize heard = looked ? MIN (part->events->len, events) : part->events->len;

  if (part->code != whole->code || (!looked && g_strcmp0 (whole->end, part->end) != 0))
    fail_msg ("%s, cut at step %d: it ends otherwise: %s, not %s", what, (int) cut->step, part->end,
              whole->end);
  if ((!looked && told != rows)
      || (told > 0 && memcmp (part->rows->data, whole->rows->data + cut->rows, told) != 0))
    fail_msg ("%s, cut at step %d: other rows", what, (int) cut->step);
  if ((!looked && heard != events)
      || strncmp (part->events->str, whole->events->str + cut->events, heard) != 0)
    fail_msg ("%s, cut at step %d: other events:\n%s---\n%s", what, (int) cut->step,
              part->events->str, whole->events->str + cut->events);
  /* Where one diverged, some steps beyond were gone already. */
  if (whole->end == NULL
      && memcmp (&whole->sums, &part->sums, offsetof (IfbamSums, link_dissipated)) != 0)
    fail_msg ("%s, cut at step %d: another ledger", what, (int) cut->step);
  met.same_ends += whole->end != NULL && !looked;
}

/* By whoever can. */
static IfbamRunTask
any_hand (const IfbamModel *model, gboolean by_events, gboolean full_ledger, gboolean event_rows)
{
  return (IfbamRunTask){ .threads = (guint) g_rand_int_range (choice, 1, 3),
                         .objects = model->n_nodes < MOST_SPOKEN && g_rand_boolean (choice)
                                    && g_rand_boolean (choice),
                         .by_events = by_events,
                         .full_ledger = full_ledger,
                         .event_rows = event_rows };
}

static void
try_model (const char *what, const IfbamModel *model, const IfbamSignals *signals,
           const IfbamRunSpec *spec)
{
  const gboolean by_events = g_rand_int_range (choice, 0, 4) == 0,
                 full_ledger = g_rand_boolean (choice), event_rows = g_rand_boolean (choice);
  IfbamRunTask task = any_hand (model, by_events, full_ledger, event_rows);
  const gboolean objects = task.objects;
  g_auto (Told) whole = { 0 }, stopped = { 0 };
  Cut cuts[N_CUTS] = { { 0 } };
  guint n;

  if (spec->last_step < 2 * N_CUTS)
    return;
  run (&task, model, signals, spec, &whole);
  /* Each lies beyond the one before. */
  for (guint i = 0; i < N_CUTS; i++)
    cuts[i].step = 1 + spec->last_step * i / N_CUTS
                   + (guint64) g_rand_double_range (choice, 0, (double) (spec->last_step / N_CUTS));
  qsort (cuts, N_CUTS, sizeof *cuts, compare_steps);
  task = (IfbamRunTask){ .threads = 1,
                         .objects = objects,
                         .by_events = by_events,
                         .full_ledger = full_ledger,
                         .event_rows = event_rows };
  n = run_with_stops (&task, model, signals, spec, &stopped, cuts);
  compare (what, &whole, &stopped, &(Cut){ 0 }, n > 0 ? cuts[n - 1].step : 0);
  met.runs++;
  met.diverged += whole.end != NULL;
  assert_true (n > 0 || whole.end != NULL);
  for (guint i = 0; i < n; i++)
    {
      g_auto (Told) part = { 0 };

      if (cuts[i].rows > whole.rows->len || cuts[i].events > whole.events->len)
        continue; /* the whole had diverged by then */
      task = any_hand (model, by_events, full_ledger, event_rows);
      met.other_hands += task.objects != objects;
      task.initial = cuts[i].state;
      task.untold = cuts[i].untold;
      task.resumes = TRUE;
      run (&task, model, signals, spec, &part);
      compare (what, &whole, &part, &cuts[i], cuts[i].step);
      met.cuts++;
      met.off_rows += cuts[i].step % spec->stride != 0;
      met.events += part.events->len > 0;
    }
  for (guint i = 0; i < n; i++)
    {
      ifbam_state_free (cuts[i].state);
      g_array_unref (cuts[i].untold);
    }
}

/* Under each nth scheme, from one on that its name draws, with rows that stand apart, no farther than so many steps (0: to its end). */
static void
try_all (const char *what, IfbamNetwork *(*make) (gpointer data, const char *const *settings),
         gpointer data, guint64 most)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint k = g_str_hash (what) % EACH; k < 2 * n; k += EACH)
    {
      const guint s = k % n;
      const IfbamTableau *table = ifbam_scheme_tableau (schemes[s]);
      const gboolean tolerated = k >= n;
      g_autofree char *scheme = g_strconcat ("network.scheme=", schemes[s]->name, NULL);
      g_autofree char *name =
          g_strdup_printf ("%s, %s%s", what, schemes[s]->name, tolerated ? ", tolerance" : "");
      const char *const settings[] = { scheme, tolerated ? "network.tolerance=1e-4" : NULL, NULL };
      g_autoptr (IfbamNetwork) network = make (data, settings);
      g_autoptr (IfbamSignals) signals = NULL;
      g_autoptr (IfbamModel) model = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };

      if (tolerated && (table == NULL || table->estimated == 0))
        continue;
      if (network != NULL)
        model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, NULL);
      if (model == NULL)
        continue;
      if (most > 0)
        spec.last_step = MIN (spec.last_step, most);
      spec.stride = (guint64) g_rand_int_range (choice, 2, 40);
      try_model (name, model, signals, &spec);
    }
}

static IfbamNetwork *
make_shipped (gpointer path, const char *const *settings)
{
  return ifbam_network_new_from_file (path, settings, NULL);
}

static IfbamNetwork *
make_text (gpointer text, const char *const *settings)
{
  return text_network_try (text, settings, NULL);
}

static void
test_shipped (void **state)
{
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  const guint before = met.runs;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    try_all (paths[p], make_shipped, paths[p], n_seeds >= 100 ? 0 : by_effort (60, 300, 300));
  assert_true (met.runs - before > by_effort (50, 200, 200) / EACH);
}

static void
test_random (void **state)
{
  (void) state;
  for (guint seed = 1; seed <= n_seeds; seed++)
    {
      g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
      g_autofree char *what = g_strdup_printf ("seed %u", seed);
      g_autofree char *drafted = seed % 3 == 0   ? draft_chains (seed)
                                 : seed % 3 == 1 ? draft_row (seed, pairs)
                                                 : draft_circuit (seed, pairs);
      g_autofree char *text =
          g_strconcat ("[network]\nformat = 1\nstep = 2 ms\nduration = 2 s\n", drafted, NULL);

      try_all (what, make_text, text, 0);
    }
  print_message ("# %u runs (%u diverged, their ends compared %u times), cut %u times, %u of them "
                 "off rows, %u with events to come, %u by "
                 "other hands\n",
                 met.runs, met.diverged, met.same_ends, met.cuts, met.off_rows, met.events,
                 met.other_hands);
  assert_true (n_seeds < 12 || met.same_ends > met.diverged); /* few seeds have few of these */
  assert_true (met.off_rows > met.cuts / 2 && met.events > met.runs / 4
               && met.other_hands > met.runs / 4);
}

static int
set_up (void **state)
{
  choice = g_rand_new_with_seed (20261122);
  return folder_make (state);
}

static int
tear_down (void **state)
{
  g_rand_free (choice);
  return folder_remove (state);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_shipped),
    cmocka_unit_test (test_random),
  };

  n_seeds = wanted_seeds (n_seeds);
  return cmocka_run_group_tests (tests, set_up, tear_down);
}

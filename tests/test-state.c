/* test-state.c: a run that is cut at a row and goes on from its state gives the bits of the uncut run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "draft.h"
#include "fixture.h"
#include "base/ifbam-error.h"
#include "run/run.h"
#include "engine/engine.h"

#define STEPS  1500
#define N_CUTS 4
/* What rattles at a step that is far too long for it, more often than once in each, tells no more than the others. */
#define RATTLES (4 * STEPS)

/* Schemes of a network: each nth. */
#define EACH_SHIPPED by_effort (16, 8, 1)
#define EACH_DRAFTED by_effort (6, 2, 1)

#define N_SEEDS  by_effort (3, 8, 12) /* of random networks */
#define N_CHAINS by_effort (2, 4, 4)

/* Until each column was missed: one at rest, say, misses few. */
#define MOST_SEEDS by_effort (3, 300, 300)

#define N_POISONED     3 /* cuts of a network and scheme */
#define POISONED_STEPS 200

static GRand *choice; /* of rows */

/* What cuts have met. */
static struct
{
  guint runs, events, holding;
  guint kinds[5][5]; /* from one to another */
} met;

static int
set_up (void **state)
{
  choice = g_rand_new_with_seed (1994);
  return folder_make (state);
}

/* Which rows are chosen does not depend on how many networks are shipped. */
static int
begin_choices (void **state)
{
  (void) state;
  g_rand_set_seed (choice, 1994);
  return 0;
}

static int
tear_down (void **state)
{
  g_rand_free (choice);
  return folder_remove (state);
}

/* A network that is compiled for a scheme. */
typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model; /* NULL: the scheme can't */
  IfbamRunSpec spec;
} Case;

static void
case_init (Case *one, IfbamNetwork *network, const IfbamScheme *scheme)
{
  g_autoptr (GArray) issues = g_array_new (FALSE, FALSE, sizeof (IfbamIssue));
  g_autoptr (IfbamSignals) signals = NULL;

  *one = (Case){ .network = network };
  g_array_set_clear_func (issues, (GDestroyNotify) ifbam_issue_clear);
  one->model = ifbam_network_compile (network, FALSE, &one->spec, &signals, issues);
  if (issues->len > 0)
    g_clear_pointer (&one->model, ifbam_model_free);
  /* The step stays the network's own where it has one; a cold start is not every scheme's. */
  if (one->model != NULL)
    {
      one->spec.scheme = scheme;
      one->spec.cold = one->spec.cold && scheme->begin_cold != NULL;
      if (!isfinite (one->spec.step))
        one->spec.step = 1e-4;
    }
}

static void
case_clear (Case *one)
{
  g_clear_pointer (&one->model, ifbam_model_free);
  ifbam_run_spec_clear (&one->spec);
}

/* Who executes it. */
typedef enum
{
  COMPILED,
  OBJECTS,
  EVENTS,
  EVENT_OBJECTS,
  BY_TILES, /* where nothing happens */
} Kind;

static const char *const kind_names[] = { "compiled", "objects", "events", "objects with events",
                                          "by tiles" };

static IfbamEngine *
make_engine (const Case *one, Kind kind, gboolean account)
{
  IfbamEngine *engine = kind == COMPILED  ? ifbam_compiled_engine_new (one->model, &one->spec, 1)
                        : kind == OBJECTS ? ifbam_objects_engine_new (one->model, &one->spec)
                        : kind == EVENTS  ? ifbam_event_engine_new (one->model, &one->spec, FALSE)
                        : kind == BY_TILES
                            ? ifbam_dual_engine_new (one->model, &one->spec, 1)
                            : ifbam_objects_event_engine_new (one->model, &one->spec, FALSE);

  if (kind >= EVENTS)
    ifbam_engine_record_events (engine);
  if (kind >= EVENTS && account)
    engine->account_level = IFBAM_ACCOUNT_FULL;
  ifbam_engine_start (engine);
  return engine;
}

/* One of those that can, for a cut; with an account there are no tiles. */
static Kind
any_kind (const Case *one, gboolean account)
{
  if (!ifbam_engine_by_events (one->model, &one->spec))
    return g_rand_boolean (choice) ? COMPILED : OBJECTS;
  return EVENTS + (Kind) g_rand_int_range (choice, 0, account ? 2 : 3);
}

/* The one to which all others are compared. */
static Kind
first_kind (const Case *one)
{
  return ifbam_engine_by_events (one->model, &one->spec) ? EVENTS : COMPILED;
}

static gboolean
rattles (const IfbamEngine *engine)
{
  return engine->log->events != NULL && engine->log->events->len > RATTLES;
}

/* Rows 0 to STEPS of an engine from its step on, one step at a time. */
static void
tell_rows (const Case *one, IfbamEngine *engine, double *rows)
{
  const gsize n = one->model->n_nodes;

  for (;; ifbam_engine_advance (engine, 1, NULL))
    {
      double *row = rows + engine->steps * 2 * n;

      if (engine->steps >= ifbam_engine_lookahead (&one->spec))
        ifbam_engine_get_nodes (engine, 0, n, row, row + n);
      if (engine->steps == STEPS || rattles (engine))
        return;
    }
}

/* Whether a part's events are those of the whole from one on. */
static gboolean
same_events (const GArray *all, guint from, const GArray *part)
{
  return part->len == 0
         || memcmp (&g_array_index (all, IfbamEvent, from), part->data,
                    part->len * sizeof (IfbamEvent))
                == 0;
}

/* Events after the cut, work, and what links say at the last row. */
static void
compare_ends (const Case *one, const char *what, IfbamEngine *uncut, IfbamEngine *before,
              IfbamEngine *after, Kind from, Kind to, gboolean account)
{
  const GArray *all = uncut->log->events, *first = before->log->events, *last = after->log->events;

  if (first->len + last->len != all->len || !same_events (all, 0, first)
      || !same_events (all, first->len, last))
    fail_msg ("%s, %s: cut at step %d, other events (%u and %u, not %u)", what,
              one->spec.scheme->name, (int) before->steps, first->len, last->len, all->len);
  if (account)
    {
      const IfbamWorkTotals work = ifbam_engine_work (uncut), again = ifbam_engine_work (after);

      if (memcmp (&work, &again, sizeof work) != 0)
        fail_msg ("%s, %s: cut at step %d, other work", what, one->spec.scheme->name,
                  (int) before->steps);
    }
  met.events += last->len;
  assert_int_equal (uncut->log->suspended.n, after->log->suspended.n);
  assert_true (uncut->log->first_suspended == after->log->first_suspended);
  assert_true (uncut->log->first_suspended_time == after->log->first_suspended_time);
  for (guint i = 0; i < one->model->singles->len; i++)
    for (IfbamQuantity q = IFBAM_LINK_FORCE;
         q <= (account ? IFBAM_LINK_DISSIPATED : IFBAM_LINK_MODE); q++)
      {
        const double said = ifbam_engine_get (uncut, q, i),
                     said_again = ifbam_engine_get (after, q, i);

        if (memcmp (&said, &said_again, sizeof said) != 0)
          fail_msg ("%s, %s: cut at step %d, from %s to %s, link %u says something else (%d: "
                    "%.17g, not %.17g)",
                    what, one->spec.scheme->name, (int) before->steps, kind_names[from],
                    kind_names[to], i, (int) q, said_again, said);
      }
}

/* Names of columns that differ (transfer full). */
static char *
name_difference (const IfbamState *one, const IfbamState *other)
{
  GString *text = g_string_new (NULL);
  const char *name;

  for (guint i = 0; (name = ifbam_state_name (one, i)) != NULL; i++)
    for (IfbamStateType type = IFBAM_STATE_DOUBLES; type <= IFBAM_STATE_WORDS; type++)
      {
        const gsize size = type == IFBAM_STATE_DOUBLES ? sizeof (double) : sizeof (guint32);
        gsize n = 0, m = 0;
        const char *has = ifbam_state_find (one, name, type, &n);
        const char *wants = ifbam_state_find (other, name, type, &m);

        if (n != m || (n > 0 && memcmp (has, wants, n * size) != 0))
          g_string_append_printf (text, " %s", name);
      }
  return g_string_free (text, FALSE);
}

static void
assert_same_state (const Case *one, const char *what, guint64 cut, Kind from, Kind to,
                   const IfbamState *state, const IfbamState *other)
{
  if (!ifbam_state_equal (state, other))
    {
      g_autofree char *names = name_difference (state, other);

      fail_msg ("%s, %s: at step %d, %s and %s have other states:%s", what, one->spec.scheme->name,
                (int) cut, kind_names[from], kind_names[to], names);
    }
}

/* Whether a reaction has kept anything. */
static gboolean
has_held (const IfbamState *state)
{
  gsize n = 0;
  const double *reaction = ifbam_state_find (state, "link.reaction", IFBAM_STATE_DOUBLES, &n);

  while (n > 0 && reaction[n - 1] == 0)
    n--;
  return n > 0;
}

/* From one engine to another, in the middle of the way. */
static void
compare_cut_between (const Case *one, const char *what, IfbamEngine *uncut, const double *whole,
                     guint64 cut, gboolean account, Kind from, Kind to)
{
  const gsize n = one->model->n_nodes;
  g_autoptr (IfbamEngine) before = make_engine (one, from, account);
  g_autoptr (IfbamEngine) after = make_engine (one, to, account);
  g_autoptr (IfbamState) state = NULL, again = NULL, copy = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *rows = g_memdup2 (whole, (STEPS + 1) * 2 * n * sizeof (double));
  gconstpointer data;
  gsize size;

  ifbam_engine_advance (before, cut, NULL);
  state = ifbam_engine_get_state (before);
  assert_non_null (state);
  assert_int_equal (ifbam_state_steps (state), cut);
  /* As from a file; and it went another way meanwhile. */
  data = ifbam_state_data (state, &size);
  copy = ifbam_state_new_from_data (data, size, &error);
  assert_null (error);
  ifbam_engine_advance (after, g_rand_int_range (choice, 0, 9), NULL);
  if (!ifbam_engine_set_state (after, copy, &error))
    fail_msg ("%s, %s: %s", what, one->spec.scheme->name, error->message);
  met.holding += has_held (state);
  again = ifbam_engine_get_state (after);
  assert_same_state (one, what, cut, from, to, state, again);
  if (after->log->events != NULL)
    g_array_set_size (after->log->events, 0);
  memset (rows + cut * 2 * n, 0, (STEPS + 1 - cut) * 2 * n * sizeof (double));
  if (cut < ifbam_engine_lookahead (&one->spec))
    memcpy (rows, whole, 2 * n * sizeof (double));
  tell_rows (one, after, rows);
  for (gsize i = 0; i <= STEPS; i++)
    if (memcmp (rows + i * 2 * n, whole + i * 2 * n, 2 * n * sizeof (double)) != 0)
      fail_msg ("%s, %s: cut at step %d, from %s to %s, it is another run at step %d", what,
                one->spec.scheme->name, (int) cut, kind_names[from], kind_names[to], (int) i);
  if (after->log->events != NULL)
    compare_ends (one, what, uncut, before, after, from, to, account);
  met.kinds[from][to]++;
}

/* From any to any. */
static void
compare_cut (const Case *one, const char *what, IfbamEngine *uncut, const double *whole,
             guint64 cut, gboolean account)
{
  const Kind from = any_kind (one, account), other = any_kind (one, account);
  /* Objects have one voice each. */
  const Kind to =
      other == from && (from == OBJECTS || from == EVENT_OBJECTS) ? first_kind (one) : other;

  compare_cut_between (one, what, uncut, whole, cut, account, from, to);
}

/* At any step all engines have the same state. */
static void
compare_states (const Case *one, const char *what, guint64 cut)
{
  const Kind first = first_kind (one), last = first == EVENTS ? BY_TILES : OBJECTS;
  g_autoptr (IfbamEngine) engine = make_engine (one, first, FALSE);
  g_autoptr (IfbamState) state = NULL;

  ifbam_engine_advance (engine, cut, NULL);
  state = ifbam_engine_get_state (engine);
  for (Kind kind = first + 1; kind <= last; kind++)
    {
      g_autoptr (IfbamEngine) other = make_engine (one, kind, FALSE);
      g_autoptr (IfbamState) again = NULL;

      ifbam_engine_advance (other, cut, NULL);
      again = ifbam_engine_get_state (other);
      assert_same_state (one, what, cut, first, kind, state, again);
    }
}

/* Under each nth scheme, from one on that its name draws. */
static void
try_network (IfbamNetwork *network, const char *what, guint every)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint s = g_str_hash (what) % every; s < n; s += every)
    {
      Case one;

      case_init (&one, network, schemes[s]);
      /* Who has no inertia is refused under others. */
      if (one.model != NULL
          && (one.model->n_junctions == 0 || ifbam_scheme_takes_junctions (schemes[s])))
        {
          g_autoptr (IfbamEngine) engine = make_engine (&one, first_kind (&one), TRUE);
          g_autofree double *whole = g_new0 (double, (STEPS + 1) * 2 * one.model->n_nodes);

          g_autoptr (IfbamState) end = NULL;

          tell_rows (&one, engine, whole);
          end = rattles (engine) ? NULL : ifbam_engine_get_state (engine);
          /* A run that stops on the way, as chains of rods under euler do, has no state from then on. */
          for (guint i = 0; i < N_CUTS && end != NULL; i++)
            compare_cut (&one, what, engine, whole,
                         i == 0 ? 0 : (guint64) g_rand_int_range (choice, 0, STEPS), i % 2 == 0);
          if (end != NULL)
            compare_states (&one, what, (guint64) g_rand_int_range (choice, 0, STEPS));
          else
            print_message ("# %s stops or rattles under %s\n", what, schemes[s]->name);
          met.runs += end != NULL;
        }
      case_clear (&one);
    }
}

static void
try_shipped (const char *from)
{
  g_auto (GStrv) paths = shipped_networks (from, G_STRFUNC);

  for (guint p = 0; paths[p] != NULL; p++)
    {
      g_autoptr (IfbamNetwork) network = open_network (paths[p], NULL);

      try_network (network, strrchr (paths[p], G_DIR_SEPARATOR) + 1, EACH_SHIPPED);
    }
}

static void
test_cut_runs (void **state)
{
  (void) state;
  try_shipped ("networks");
  try_shipped ("networks/teaching");
  print_message ("# %u networks and schemes; %u events after cuts, %u cuts after somebody held\n",
                 met.runs, met.events, met.holding);
  {
    const guint part = EACH_SHIPPED * by_effort (4, 1, 1);

    assert_true (met.runs >= 200 / part && met.events >= 1000 / part && met.holding >= 30 / part);
  }
}

/* What coupled two and lets them go was said to push them still, until somebody asked it again: where another held at the cut,
 * it broke loose too late. */
static void
test_cut_beside_who_has_let_go (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (
      "[network]\nstep = 1 ms\nduration = 1 s\n[ground g]\n"
      "[mass away]\nmass = 1\nposition = -0.02\nvelocity = -5\n"
      "[mass pushed]\nmass = 1\nposition = -0.02\n[mass ahead]\nmass = 1\nposition = -0.02\n"
      "[contact left]\nbetween = away, pushed\ngap = -0.001\nstiffness = 100\n"
      "[impact held]\nbetween = pushed, ahead\nrestitution = 0\n"
      "[spring k]\nbetween = g, pushed\nstiffness = 20\n");
  guint n, n_cuts = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      Case one;

      case_init (&one, network, schemes[s]);
      if (one.model != NULL)
        {
          g_autoptr (IfbamEngine) engine = make_engine (&one, EVENTS, FALSE);
          g_autofree double *whole = g_new0 (double, (STEPS + 1) * 2 * one.model->n_nodes);

          tell_rows (&one, engine, whole);
          for (guint i = 0; i < engine->log->events->len; i++)
            {
              const IfbamEvent *event = &g_array_index (engine->log->events, IfbamEvent, i);
              const guint64 before = (guint64) (event->time / one.spec.step);

              for (guint64 cut = before; cut < before + 3; cut++)
                for (Kind from = EVENTS; from <= BY_TILES; from++)
                  for (Kind to = EVENTS; to <= BY_TILES; to++)
                    if (from != to || to != EVENT_OBJECTS)
                      {
                        compare_cut_between (&one, "let go", engine, whole, cut, FALSE, from, to);
                        n_cuts++;
                      }
            }
        }
      case_clear (&one);
    }
  print_message ("# %u cuts\n", n_cuts);
  assert_true (n_cuts >= 8 * 3 * 4);
}

static void
test_cut_random_runs (void **state)
{
  (void) state;
  memset (&met, 0, sizeof met);
  for (guint seed = 1; seed <= N_SEEDS; seed++)
    {
      g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
      g_autofree char *row = draft_row (seed, pairs), *circuit = draft_circuit (seed, pairs);
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nstep = 1 ms\nduration = 1 s\n%s%s"
                               "[bouc-wen yielding]\nbetween = g, m0\nstiffness = 50\nyield = "
                               "0.5\nratio = 0.2\nexponent = 2\n",
                               row, circuit);

      try_network (network, row, EACH_DRAFTED);
    }
  print_message ("# %u networks and schemes; %u events after cuts, %u cuts after somebody held\n",
                 met.runs, met.events, met.holding);
  assert_true (met.runs >= 6 * N_SEEDS / EACH_DRAFTED && met.events >= 80 * N_SEEDS / EACH_DRAFTED
               && met.holding >= 4 * N_SEEDS / EACH_DRAFTED);
}

/* What rests in a heap leaves gaps that nobody sees; they are part of the state. */
static void
test_cut_heap (void **state)
{
  g_autofree char *heap = draft_heap (3, 3, 1e-6, 0.5);
  g_autoptr (IfbamNetwork) network =
      text_network_printf ("[network]\nstep = 0.1 ms\nduration = 1 s\n%s", heap);

  (void) state;
  memset (&met, 0, sizeof met);
  try_network (network, "heap", EACH_DRAFTED);
  assert_true (met.runs >= 6 / EACH_DRAFTED && met.holding >= 12 / EACH_DRAFTED);
}

/* What sticks, slips and bounces with friction: modes of both relations are part of the state. */
static void
test_cut_slides (void **state)
{
  (void) state;
  memset (&met, 0, sizeof met);
  for (guint seed = 1; seed <= N_CHAINS; seed++)
    {
      g_autofree char *drafted = draft_slides (seed);
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nstep = 1 ms\nduration = 1 s\n%s", drafted);

      try_network (network, drafted, 1);
    }
  assert_true (met.events >= 25 * N_CHAINS && met.holding >= 2 * N_CHAINS);
}

/* What slips in a direction keeps it. */
static void
test_cut_tables (void **state)
{
  (void) state;
  memset (&met, 0, sizeof met);
  for (guint seed = 1; seed <= N_CHAINS; seed++)
    {
      g_autofree char *drafted = draft_table (seed);
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nstep = 2 ms\nduration = 1 s\n%s", drafted);

      try_network (network, drafted, 1);
    }
  assert_true (met.events >= 25 * N_CHAINS && met.holding >= 2 * N_CHAINS);
}

/* Chains that go by tiles for long stretches, with events beside them. */
static void
test_cut_chains (void **state)
{
  (void) state;
  memset (&met, 0, sizeof met);
  for (guint seed = 1; seed <= N_CHAINS; seed++)
    {
      g_autofree char *drafted = draft_chains (seed);
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nstep = 0.5 ms\nduration = 1 s\n%s", drafted);

      try_network (network, drafted, EACH_DRAFTED);
    }
  print_message (
      "# %u networks and schemes; %u events after cuts; %u cuts from tiles, %u to tiles\n",
      met.runs, met.events, met.kinds[BY_TILES][EVENTS], met.kinds[EVENTS][BY_TILES]);
  assert_true (met.runs >= 6 * N_CHAINS / EACH_DRAFTED && met.events >= 200 / EACH_DRAFTED
               && (EACH_DRAFTED > 2
                   || (met.kinds[BY_TILES][EVENTS] > 0 && met.kinds[EVENTS][BY_TILES] > 0
                       && met.kinds[EVENT_OBJECTS][BY_TILES] > 0)));
}

/* Each column is needed */

/* A little, or much. */
static void
poison_column (IfbamState *state, const char *name, gboolean strong)
{
  gsize n;
  double *number = (double *) ifbam_state_find (state, name, IFBAM_STATE_DOUBLES, &n);
  guint32 *word;

  for (gsize i = 0; number != NULL && i < n; i++)
    number[i] += (strong ? 100 : 1e-3) * (fabs (number[i]) + 1e-3);
  if (number != NULL)
    return;
  word = (guint32 *) ifbam_state_find (state, name, IFBAM_STATE_WORDS, &n);
  for (gsize i = 0; i < n; i++)
    word[i] = word[i] == 0;
}

/* All that anybody can see of a run for some steps from a state on; NULL: it is refused. */
static GBytes *
see_run (const Case *one, Kind kind, const IfbamState *state)
{
  g_autoptr (IfbamEngine) engine = make_engine (one, kind, TRUE);
  g_autoptr (GError) error = NULL;
  GByteArray *seen;
  const gsize n = one->model->n_nodes;
  g_autofree double *row = g_new0 (double, 2 * n);

  if (!ifbam_engine_set_state (engine, state, &error))
    return NULL;
  seen = g_byte_array_new ();
  if (engine->log->events != NULL)
    g_array_set_size (engine->log->events, 0);
  for (guint i = 0; i < POISONED_STEPS; i++)
    {
      ifbam_engine_advance (engine, 1, NULL);
      ifbam_engine_get_nodes (engine, 0, n, row, row + n);
      g_byte_array_append (seen, (const guint8 *) row, (guint) (2 * n * sizeof *row));
    }
  for (guint i = 0; i < one->model->singles->len; i++)
    for (IfbamQuantity q = IFBAM_LINK_FORCE; q <= IFBAM_LINK_DISSIPATED; q++)
      {
        const double said = ifbam_engine_get (engine, q, i);

        g_byte_array_append (seen, (const guint8 *) &said, sizeof said);
      }
  if (engine->books == IFBAM_BOOKS_ALL)
    {
      const IfbamWorkTotals work = ifbam_engine_work (engine);
      const char *first = engine->log->first_suspended;
      const double since = engine->log->first_suspended_time;
      const guint held = engine->log->suspended.n;
      const gboolean failed = engine->log->failure != NULL;

      g_byte_array_append (seen, (const guint8 *) &work, sizeof work);
      g_byte_array_append (seen, (const guint8 *) &held, sizeof held);
      g_byte_array_append (seen, (const guint8 *) &since, sizeof since);
      g_byte_array_append (seen, (const guint8 *) &first, sizeof first);
      g_byte_array_append (seen, (const guint8 *) &failed, sizeof failed);
      g_byte_array_append (seen, (const guint8 *) engine->log->events->data,
                           engine->log->events->len * (guint) sizeof (IfbamEvent));
    }
  return g_byte_array_free_to_bytes (seen);
}

/* needed: name of a column -> whether anybody has missed it */
static void
poison_at (const Case *one, guint64 cut, GHashTable *needed)
{
  const Kind kind = first_kind (one);
  g_autoptr (IfbamEngine) engine = make_engine (one, kind, TRUE);
  g_autoptr (IfbamState) state = NULL;
  g_autoptr (GBytes) seen = NULL;
  const char *name;

  ifbam_engine_advance (engine, cut, NULL);
  state = ifbam_engine_get_state (engine);
  for (guint i = 0; (name = ifbam_state_name (state, i)) != NULL; i++)
    if (!GPOINTER_TO_INT (g_hash_table_lookup (needed, name)))
      {
        gboolean missed = FALSE;

        if (seen == NULL)
          seen = see_run (one, kind, state);
        for (gboolean strong = FALSE; strong <= TRUE && !missed; strong++)
          {
            g_autoptr (IfbamState) poisoned = ifbam_state_copy (state);
            g_autoptr (GBytes) other = NULL;

            poison_column (poisoned, name, strong);
            other = see_run (one, kind, poisoned);
            missed = other == NULL || !g_bytes_equal (seen, other);
          }
        g_hash_table_insert (needed, g_strdup (name), GINT_TO_POINTER (missed));
      }
}

/* At steps between these. */
static void
poison_network (IfbamNetwork *network, gint first, gint last, GHashTable *needed)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint s = (guint) first % EACH_DRAFTED; s < n; s += EACH_DRAFTED)
    {
      Case one;

      case_init (&one, network, schemes[s]);
      for (guint i = 0; i < N_POISONED && one.model != NULL; i++)
        poison_at (&one, (guint64) g_rand_int_range (choice, first, last), needed);
      case_clear (&one);
    }
}

/* Columns that nobody has missed so far. */
static guint
count_unneeded (GHashTable *needed, gboolean tell)
{
  GHashTableIter iter;
  gpointer name, missed;
  guint n = 0;

  g_hash_table_iter_init (&iter, needed);
  while (g_hash_table_iter_next (&iter, &name, &missed))
    if (!GPOINTER_TO_INT (missed))
      {
        if (tell)
          print_message ("# nobody misses %s\n", (char *) name);
        n++;
      }
  return n;
}

static void
test_each_column_is_needed (void **state)
{
  g_autoptr (GHashTable) needed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (IfbamNetwork) chain = open_network ("networks/two-dof.ini", NULL);
  /* A monitor that stands at its level until something moves. */
  g_autoptr (IfbamNetwork) watched =
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 1\n"
                    "[force f]\non = m\nvalue = 1\nstart = 0.3 s\n"
                    "[monitor s]\nsignal = m.position\nlevel = 0\n");
  guint seed;

  (void) state;
  poison_network (chain, 1, STEPS, needed);
  poison_network (watched, 300 - POISONED_STEPS / 2, 300, needed);
  for (seed = 1; seed <= N_SEEDS || (seed <= MOST_SEEDS && count_unneeded (needed, FALSE) > 0);
       seed++)
    {
      g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
      g_autofree char *row = draft_row (seed, pairs), *circuit = draft_circuit (seed, pairs);
      g_autoptr (IfbamNetwork) network =
          text_network_printf ("[network]\nstep = 1 ms\nduration = 1 s\n%s%s", row, circuit);

      poison_network (network, (gint) seed, STEPS, needed);
    }
  print_message ("# %u columns, %u random networks\n", g_hash_table_size (needed), seed - 1);
  assert_true (g_hash_table_size (needed) >= 20);
  assert_true (count_unneeded (needed, TRUE) == 0 || MOST_SEEDS < 300);
}

/* Refusals */

static const char *const pair = "[network]\nscheme = verlet\nstep = 1 ms\nduration = 1 s\n"
                                "[mass a]\nmass = 1 kg\n[mass b]\nmass = 1 kg\nposition = 1 cm\n"
                                "[spring s]\nbetween = a, b\nstiffness = 100 N/m\n";
static const char *const three = "[network]\nscheme = verlet\nstep = 1 ms\nduration = 1 s\n"
                                 "[mass a]\nmass = 1 kg\n[mass b]\nmass = 1 kg\n[mass c]\n"
                                 "mass = 1 kg\n[spring s]\nbetween = a, b\n"
                                 "stiffness = 100 N/m\n";

/* What is said of a state of one in the other (transfer full). */
static char *
refusal (const Case *one, const Case *other)
{
  g_autoptr (IfbamEngine) from = make_engine (one, COMPILED, TRUE),
                          to = make_engine (other, COMPILED, TRUE);
  g_autoptr (IfbamState) state = NULL, before = NULL, after = NULL;
  g_autoptr (GError) error = NULL;

  ifbam_engine_advance (from, 5, NULL);
  ifbam_engine_advance (to, 3, NULL);
  state = ifbam_engine_get_state (from);
  before = ifbam_engine_get_state (to);
  assert_false (ifbam_engine_set_state (to, state, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  after = ifbam_engine_get_state (to);
  assert_true (ifbam_state_equal (before, after));
  return g_strdup (error->message);
}

static void
assert_said (const char *text, const char *phrase)
{
  if (strstr (text, phrase) == NULL)
    fail_msg ("not '%s': %s", phrase, text);
}

static void
test_what_does_not_fit_is_refused (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (pair), larger = text_network (three);
  Case own, other_scheme, other_nodes, other_step;
  g_autofree char *scheme = NULL, *nodes = NULL, *step = NULL;

  (void) state;
  case_init (&own, network, ifbam_scheme_by_name ("verlet"));
  case_init (&other_scheme, network, ifbam_scheme_by_name ("rk4"));
  case_init (&other_nodes, larger, ifbam_scheme_by_name ("verlet"));
  case_init (&other_step, network, ifbam_scheme_by_name ("verlet"));
  other_step.spec.step /= 2;
  scheme = refusal (&own, &other_scheme);
  nodes = refusal (&own, &other_nodes);
  step = refusal (&own, &other_step);
  assert_said (scheme, "of the scheme 'verlet'; the run's is 'rk4'");
  assert_said (nodes, "it has \"spring s: a b\" where this one has \"mass c\"");
  assert_said (step, "'node.position' and others) are of steps of 0.001 s");
  case_clear (&own);
  case_clear (&other_scheme);
  case_clear (&other_nodes);
  case_clear (&other_step);
}

static void
test_other_accounts_are_refused (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/collision.ini", NULL);
  g_autoptr (IfbamEngine) keeps = NULL, plain = NULL;
  g_autoptr (IfbamState) own = NULL, other = NULL;
  g_autoptr (GError) error = NULL, missed = NULL;
  Case one;

  (void) state;
  case_init (&one, network, ifbam_scheme_by_name ("verlet"));
  keeps = make_engine (&one, EVENTS, TRUE);
  plain = make_engine (&one, EVENTS, FALSE);
  own = ifbam_engine_get_state (keeps);
  other = ifbam_engine_get_state (plain);
  assert_false (ifbam_engine_set_state (plain, own, &error));
  assert_said (error->message, "a column 'slot.dissipated', which this run does not have");
  assert_false (ifbam_engine_set_state (keeps, other, &missed));
  assert_said (missed->message, "the state has no column 'slot.dissipated' of numbers");
  case_clear (&one);
}

static void
assert_no_state (char *bytes, gsize size, const char *phrase)
{
  g_autoptr (GError) error = NULL;

  assert_null (ifbam_state_new_from_data (bytes, size, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  assert_said (error->message, phrase);
}

static void
test_other_bytes_are_no_state (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (pair);
  g_autoptr (IfbamEngine) engine = NULL;
  g_autoptr (IfbamState) own = NULL;
  g_autofree char *bytes = NULL;
  gconstpointer data;
  const double *position;
  gsize size, n = 0;
  Case one;

  (void) state;
  case_init (&one, network, ifbam_scheme_by_name ("verlet"));
  engine = make_engine (&one, COMPILED, TRUE);
  own = ifbam_engine_get_state (engine);
  data = ifbam_state_data (own, &size);
  bytes = g_memdup2 (data, size);
  assert_string_equal (ifbam_state_name (own, 0), "node.position");
  position = ifbam_state_find (own, "node.position", IFBAM_STATE_DOUBLES, &n);
  assert_int_equal (n, 2);
  assert_true (position[0] == 0 && position[1] == 0.01);
  assert_null (ifbam_state_find (own, "node.position", IFBAM_STATE_WORDS, &n));
  assert_null (ifbam_state_find (own, "nobody", IFBAM_STATE_DOUBLES, &n));
  for (gsize short_of = 0; short_of < size; short_of++)
    assert_no_state (bytes, short_of, "no state of an engine");
  bytes[8]++;
  assert_no_state (bytes, size, "the state is of version 4; this is version 3");
  bytes[8]--;
  bytes[0]++;
  assert_no_state (bytes, size, "no state of an engine");
  case_clear (&one);
}

/* One that is whole, but has a value of a column under the name of the next one, is refused. */
static void
test_short_column_is_refused (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (pair);
  g_autoptr (IfbamEngine) engine = NULL;
  g_autoptr (IfbamState) own = NULL, other = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gconstpointer data;
  guint64 *column; /* type, number and offset, behind a name */
  gsize size, at = 0;
  Case one;

  (void) state;
  case_init (&one, network, ifbam_scheme_by_name ("verlet"));
  engine = make_engine (&one, COMPILED, TRUE);
  own = ifbam_engine_get_state (engine);
  data = ifbam_state_data (own, &size);
  bytes = g_memdup2 (data, size);
  while (memcmp (bytes + at, "node.position", strlen ("node.position")) != 0)
    at += sizeof *column;
  column = (guint64 *) (gpointer) (bytes + at + IFBAM_STATE_NAME);
  assert_int_equal (column[1], 2);
  column[1]--;
  column += 3 + IFBAM_STATE_NAME / sizeof *column;
  assert_true (column[0] == IFBAM_STATE_DOUBLES);
  column[1]++;
  column[2] -= sizeof (double);
  other = ifbam_state_new_from_data (bytes, size, &error);
  assert_non_null (other);
  assert_false (ifbam_engine_set_state (engine, other, &error));
  assert_said (error->message, "the state's column 'node.position' has 1 values, not 2");
  case_clear (&one);
}

/* Whether an engine of the network takes it; else it says why. */
static gboolean
takes (IfbamEngine *engine, const IfbamState *state)
{
  g_autoptr (GError) error = NULL;
  const gboolean fine = ifbam_engine_set_state (engine, state, &error);

  assert_true (fine == (error == NULL));
  return fine;
}

/* Each word of a state gets other values, and each half of a name no end: what is refused is refused aloud, and
 * nothing is read that is not there. */
static void
test_damaged_states (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (pair);
  g_autoptr (IfbamEngine) engine = NULL, other = NULL;
  g_autoptr (IfbamState) own = NULL;
  gconstpointer data;
  gsize size, n_head;
  guint n_refused = 0, n_taken = 0;
  Case one;

  (void) state;
  case_init (&one, network, ifbam_scheme_by_name ("verlet"));
  engine = make_engine (&one, COMPILED, TRUE);
  other = make_engine (&one, COMPILED, TRUE);
  own = ifbam_engine_get_state (engine);
  data = ifbam_state_data (own, &size);
  n_head = ifbam_state_head_size (own);
  for (gsize place = 0; place + 8 <= size; place += 8)
    for (guint change = 0; change < 8; change++)
      {
        g_autofree char *bytes = g_memdup2 (data, size);
        g_autoptr (IfbamState) whole = NULL, head = NULL;
        g_autoptr (GError) error = NULL, head_error = NULL;
        guint64 word;

        memcpy (&word, bytes + place, sizeof word);
        word = change == 0   ? 0
               : change == 1 ? 1
               : change == 2 ? word + 1
               : change == 3 ? word - 1
               : change == 4 ? 8 * word
               : change == 5 ? G_MAXUINT64
               : change == 6 ? (guint64) 1 << 61
                             : word + 8;
        memcpy (bytes + place, &word, sizeof word);
        if (change == 7 && place + 32 <= size)
          memset (bytes + place, 'x', 32);
        whole = ifbam_state_new_from_data (bytes, size, &error);
        assert_true ((whole == NULL) == (error != NULL));
        if (whole != NULL && takes (other, whole))
          n_taken++;
        else
          n_refused++;
        if (place < n_head)
          {
            head = ifbam_state_new_from_head (bytes, n_head, &head_error);
            assert_true ((head == NULL) == (head_error != NULL));
            if (head != NULL)
              takes (other, head);
          }
      }
  assert_true (n_refused > 100 && n_taken > 0);
  for (gsize short_of = 0; short_of < n_head; short_of += 8)
    {
      g_autoptr (GError) error = NULL;

      assert_null (ifbam_state_new_from_head (data, short_of, &error));
      assert_said (error->message, "no state of an engine");
    }
  case_clear (&one);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_cut_runs),
    cmocka_unit_test (test_cut_beside_who_has_let_go),
    cmocka_unit_test_setup (test_cut_random_runs, begin_choices),
    cmocka_unit_test (test_cut_heap),
    cmocka_unit_test (test_cut_slides),
    cmocka_unit_test (test_cut_tables),
    cmocka_unit_test (test_cut_chains),
    cmocka_unit_test (test_each_column_is_needed),
    cmocka_unit_test (test_what_does_not_fit_is_refused),
    cmocka_unit_test (test_other_accounts_are_refused),
    cmocka_unit_test (test_short_column_is_refused),
    cmocka_unit_test (test_other_bytes_are_no_state),
    cmocka_unit_test (test_damaged_states),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}

/* test-state.c: each column of a saved state is needed; states that do not fit, or are damaged, are refused
 *
 * That a run goes on from its state with the same numbers is for test-matrix.
 *
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

#define STEPS 1500

/* Schemes of a network: each nth. */
#define EACH_DRAFTED by_effort (6, 2, 1)

#define N_SEEDS by_effort (3, 8, 12) /* of random networks */

/* Until each column was missed: one at rest, say, misses few. */
#define MOST_SEEDS by_effort (3, 300, 300)

#define N_POISONED     3 /* cuts of a network and scheme */
#define POISONED_STEPS 200

static GRand *choice; /* of rows */

static int
set_up (void **state)
{
  choice = g_rand_new_with_seed (1994);
  return folder_make (state);
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
  g_autoptr (GArray) issues = ifbam_issues_new ();
  g_autoptr (IfbamSignals) signals = NULL;

  *one = (Case){ .network = network };
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

static IfbamEngine *
make_engine (const Case *one, gboolean account)
{
  const gboolean events = ifbam_engine_by_events (one->model, &one->spec);
  IfbamEngine *engine = events ? ifbam_event_engine_new (one->model, &one->spec, FALSE)
                               : ifbam_compiled_engine_new (one->model, &one->spec, 1);

  if (events)
    ifbam_engine_record_events (engine);
  if (events && account)
    engine->account_level = IFBAM_ACCOUNT_FULL;
  ifbam_engine_start (engine);
  return engine;
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
see_run (const Case *one, const IfbamState *state)
{
  g_autoptr (IfbamEngine) engine = make_engine (one, TRUE);
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
  for (guint i = 0; i < one->model->unbatched_links->len; i++)
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
  g_autoptr (IfbamEngine) engine = make_engine (one, TRUE);
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
          seen = see_run (one, state);
        for (gboolean strong = FALSE; strong <= TRUE && !missed; strong++)
          {
            g_autoptr (IfbamState) poisoned = ifbam_state_copy (state);
            g_autoptr (GBytes) other = NULL;

            poison_column (poisoned, name, strong);
            other = see_run (one, poisoned);
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

/* Columns without effect so far. */
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

/* Returns the error of one network's state in the other (transfer full). */
static char *
refusal (const Case *one, const Case *other)
{
  g_autoptr (IfbamEngine) from = make_engine (one, TRUE), to = make_engine (other, TRUE);
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
  keeps = make_engine (&one, TRUE);
  plain = make_engine (&one, FALSE);
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
  engine = make_engine (&one, TRUE);
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
  engine = make_engine (&one, TRUE);
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

/* Each word of a state gets other values, and each half of a name no end: errors have messages, and no read is out
 * of bounds. */
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
  engine = make_engine (&one, TRUE);
  other = make_engine (&one, TRUE);
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
    cmocka_unit_test (test_each_column_is_needed),
    cmocka_unit_test (test_what_does_not_fit_is_refused),
    cmocka_unit_test (test_other_accounts_are_refused),
    cmocka_unit_test (test_short_column_is_refused),
    cmocka_unit_test (test_other_bytes_are_no_state),
    cmocka_unit_test (test_damaged_states),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}

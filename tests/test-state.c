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
#include "network/network.h"
#include "scheme/schemes.h"

#define STEPS  1500
#define N_CUTS 4

#define N_SEEDS 12 /* of random networks */

static GRand *choice; /* of rows */

/* What cuts have met. */
static struct
{
  guint runs, events, holding;
} met;

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

static IfbamEngine *
make_engine (const Case *one)
{
  IfbamEngine *engine = ifbam_model_has_events (one->model)
                            ? ifbam_event_engine_new (one->model, &one->spec, FALSE)
                            : ifbam_compiled_engine_new (one->model, &one->spec, 1);

  if (engine->keep_account != NULL)
    {
      engine->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
      engine->keep_account (engine, TRUE);
    }
  engine->start (engine);
  return engine;
}

/* Rows 0 to STEPS of an engine from its step on, one step at a time. */
static void
tell_rows (const Case *one, IfbamEngine *engine, double *rows)
{
  const gsize n = one->model->n_nodes;

  for (;; engine->advance (engine, 1, NULL))
    {
      double *row = rows + engine->steps * 2 * n;

      if (engine->steps >= ifbam_engine_lookahead (&one->spec))
        engine->observe (engine, 0, n, row, row + n);
      if (engine->steps == STEPS)
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
              IfbamEngine *after)
{
  const GArray *all = uncut->events, *first = before->events, *last = after->events;
  const IfbamAccount work = uncut->account (uncut), again = after->account (after);

  if (first->len + last->len != all->len || !same_events (all, 0, first)
      || !same_events (all, first->len, last))
    fail_msg ("%s, %s: cut at step %d, other events (%u and %u, not %u)", what,
              one->spec.scheme->name, (int) before->steps, first->len, last->len, all->len);
  if (memcmp (&work, &again, sizeof work) != 0)
    fail_msg ("%s, %s: cut at step %d, other work", what, one->spec.scheme->name,
              (int) before->steps);
  met.events += last->len;
  assert_int_equal (uncut->held (uncut), after->held (after));
  for (guint i = 0; i < one->model->singles->len; i++)
    for (IfbamLinkQuantity q = IFBAM_LINK_FORCE; q <= IFBAM_LINK_DISSIPATED; q++)
      {
        const double said = uncut->link (uncut, i, q), said_again = after->link (after, i, q);

        if (memcmp (&said, &said_again, sizeof said) != 0)
          fail_msg ("%s, %s: cut at step %d, link %u says something else (%d)", what,
                    one->spec.scheme->name, (int) before->steps, i, (int) q);
      }
}

static void
compare_cut (const Case *one, const char *what, IfbamEngine *uncut, const double *whole,
             guint64 cut)
{
  const gsize n = one->model->n_nodes;
  g_autoptr (IfbamEngine) before = make_engine (one), after = make_engine (one);
  g_autoptr (IfbamState) state = NULL, again = NULL, copy = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *rows = g_memdup2 (whole, (STEPS + 1) * 2 * n * sizeof (double));
  gconstpointer data;
  gsize size, holding = 0;

  before->advance (before, cut, NULL);
  state = before->get_state (before);
  assert_non_null (state);
  assert_int_equal (ifbam_state_steps (state), cut);
  /* As from a file; and it went another way meanwhile. */
  data = ifbam_state_data (state, &size);
  copy = ifbam_state_new_from_data (data, size, &error);
  assert_null (error);
  after->advance (after, g_rand_int_range (choice, 0, 9), NULL);
  if (!after->set_state (after, copy, &error))
    fail_msg ("%s, %s: %s", what, one->spec.scheme->name, error->message);
  ifbam_state_find (state, "island.holding", IFBAM_STATE_WORDS, &holding);
  met.holding += holding > 0;
  again = after->get_state (after);
  if (!ifbam_state_equal (state, again))
    fail_msg ("%s, %s: another state than what was set, at step %d", what, one->spec.scheme->name,
              (int) cut);
  if (after->events != NULL)
    g_array_set_size (after->events, 0);
  memset (rows + cut * 2 * n, 0, (STEPS + 1 - cut) * 2 * n * sizeof (double));
  if (cut < ifbam_engine_lookahead (&one->spec))
    memcpy (rows, whole, 2 * n * sizeof (double));
  tell_rows (one, after, rows);
  for (gsize i = 0; i <= STEPS; i++)
    if (memcmp (rows + i * 2 * n, whole + i * 2 * n, 2 * n * sizeof (double)) != 0)
      fail_msg ("%s, %s: cut at step %d, it is another run at step %d", what,
                one->spec.scheme->name, (int) cut, (int) i);
  if (after->events != NULL)
    compare_ends (one, what, uncut, before, after);
}

static void
try_network (IfbamNetwork *network, const char *what)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint s = 0; s < n; s++)
    {
      Case one;

      case_init (&one, network, schemes[s]);
      if (one.model != NULL)
        {
          g_autoptr (IfbamEngine) engine = make_engine (&one);
          g_autofree double *whole = g_new0 (double, (STEPS + 1) * 2 * one.model->n_nodes);

          tell_rows (&one, engine, whole);
          for (guint i = 0; i < N_CUTS; i++)
            compare_cut (&one, what, engine, whole,
                         i == 0 ? 0 : (guint64) g_rand_int_range (choice, 0, STEPS));
          met.runs++;
        }
      case_clear (&one);
    }
}

static void
try_shipped (const char *path)
{
  g_autoptr (GDir) networks = g_dir_open (path, 0, NULL);
  const char *name;

  assert_non_null (networks);
  while ((name = g_dir_read_name (networks)) != NULL)
    if (g_str_has_suffix (name, ".ini"))
      {
        g_autofree char *file = g_build_filename (path, name, NULL);
        g_autoptr (IfbamNetwork) network = open_network (file, NULL);

        try_network (network, name);
      }
}

static void
test_cut_runs (void **state)
{
  (void) state;
  try_shipped ("networks");
  try_shipped ("networks/teaching");
  print_message ("# %u networks and schemes; %u events after cuts, %u cuts where somebody held\n",
                 met.runs, met.events, met.holding);
  assert_true (met.runs >= 200 && met.events >= 1000 && met.holding >= 50);
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
          text_network_printf ("[network]\nstep = 1 ms\nduration = 1 s\n%s%s", row, circuit);

      try_network (network, row);
    }
  print_message ("# %u networks and schemes; %u events after cuts, %u cuts where somebody held\n",
                 met.runs, met.events, met.holding);
  assert_true (met.runs >= 6 * N_SEEDS && met.events >= 1000 && met.holding >= 50);
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
  try_network (network, "heap");
  assert_true (met.runs >= 6 && met.holding >= 12);
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
  g_autoptr (IfbamEngine) from = make_engine (one), to = make_engine (other);
  g_autoptr (IfbamState) state = NULL, before = NULL, after = NULL;
  g_autoptr (GError) error = NULL;

  from->advance (from, 5, NULL);
  to->advance (to, 3, NULL);
  state = from->get_state (from);
  before = to->get_state (to);
  assert_false (to->set_state (to, state, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  after = to->get_state (to);
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
  assert_said (nodes, "column 'node.position' is of 2 nodes; the network has 3");
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
  keeps = make_engine (&one);
  plain = ifbam_event_engine_new (one.model, &one.spec, FALSE);
  plain->start (plain);
  own = keeps->get_state (keeps);
  other = plain->get_state (plain);
  assert_false (plain->set_state (plain, own, &error));
  assert_said (error->message, "a column 'component.supply', which this run does not have");
  assert_false (keeps->set_state (keeps, other, &missed));
  assert_said (missed->message, "the state has no column 'component.supply' of numbers");
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
  engine = make_engine (&one);
  own = engine->get_state (engine);
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
  assert_no_state (bytes, size, "the state is of version 2; this is version 1");
  bytes[8]--;
  bytes[0]++;
  assert_no_state (bytes, size, "no state of an engine");
  case_clear (&one);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_cut_runs),
    cmocka_unit_test (test_cut_random_runs),
    cmocka_unit_test (test_cut_heap),
    cmocka_unit_test (test_what_does_not_fit_is_refused),
    cmocka_unit_test (test_other_accounts_are_refused),
    cmocka_unit_test (test_other_bytes_are_no_state),
  };

  return cmocka_run_group_tests (tests, set_up, tear_down);
}

/* test-run.c: IfbamRun: runs in pieces, signals of progress and events, interrupts, two runs at once
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "dialogue/dialogue.h"
#include "fixture.h"
#include "engine/engine.h"
#include "embed/ifbam.h"
#include "file/file.h"

static void
assert_same_courses (IfbamCourse *a, IfbamCourse *b, const char *what)
{
  const char *const *signals = ifbam_course_get_signals (a);

  assert_true (g_strv_equal (signals, ifbam_course_get_signals (b)));
  for (guint s = 0; signals[s] != NULL; s++)
    {
      g_autoptr (GBytes) values = ifbam_course_get_bytes (a, signals[s], NULL);
      g_autoptr (GBytes) others = ifbam_course_get_bytes (b, signals[s], NULL);

      if (!g_bytes_equal (values, others))
        fail_msg ("%s: %s differs", what, signals[s]);
    }
}

/* The rows of the first course from the second one's first time on. */
static void
assert_goes_on (IfbamCourse *whole, IfbamCourse *rest, const char *what)
{
  const char *const *signals = ifbam_course_get_signals (whole);
  gsize n, m;
  const double *times = ifbam_course_get_times (whole, &n);
  const double *others = ifbam_course_get_times (rest, &m);

  assert_true (m > 0 && m <= n);
  assert_memory_equal (times + (n - m), others, m * sizeof *times);
  for (guint s = 0; signals[s] != NULL; s++)
    {
      const double *values = ifbam_course_get_values (whole, signals[s], &n, NULL);
      const double *own = ifbam_course_get_values (rest, signals[s], &m, NULL);

      if (memcmp (values + (n - m), own, m * sizeof *own) != 0)
        fail_msg ("%s: %s differs", what, signals[s]);
    }
}

static void
assert_same_events (IfbamEvents *a, IfbamEvents *b)
{
  gsize n, m;
  const IfbamEvent *one = ifbam_events_list (a, &n), *other = ifbam_events_list (b, &m);

  assert_int_equal (n, m);
  for (gsize i = 0; i < n; i++)
    {
      assert_true (one[i].time == other[i].time && one[i].impulse == other[i].impulse);
      assert_string_equal (one[i].element, other[i].element);
      assert_string_equal (one[i].word, other[i].word);
    }
}

/* Of a tenth of its duration at most, with all that needs the ledger. */
static IfbamRun *
run_of (IfbamNetwork *network)
{
  IfbamRun *run = ifbam_run_new (network);
  g_autofree char *record = NULL, *longer = NULL;
  double duration;

  g_object_get (run, "record", &record, "duration", &duration, NULL);
  longer = g_strconcat (record != NULL ? record : "*.force",
                        ", network.energy, network.dissipated, ", "network.supplied", NULL);
  g_object_set (run, "record", longer, "sample", 0.0, "event-rows", TRUE, "duration",
                fmin (duration, 1.0), NULL);
  return run;
}

static void
assert_fine (gboolean fine, const GError *error)
{
  if (!fine)
    fail_msg ("%s", error == NULL ? "not fine" : error->message);
}

static void
test_pieces (void **state)
{
  static const guint64 pieces[] = { 0, 1, 2, 61, 64, 65, 128, 1000, 7 };
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  guint n = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p];
      g_autoptr (IfbamNetwork) network = NULL;
      g_autoptr (IfbamRun) whole = NULL, parts = NULL;
      g_autoptr (GError) error = NULL, own = NULL;
      gboolean fine, may_continue = TRUE;

      network = open_network (path, NULL);
      whole = run_of (network);
      parts = run_of (network);
      fine = ifbam_run_run (whole, NULL, &error);
      for (guint i = 0; may_continue && !ifbam_run_is_finished (parts); i++)
        may_continue = ifbam_run_step (parts, pieces[i % G_N_ELEMENTS (pieces)], NULL, &own);
      assert_true (fine == may_continue);
      if (!fine)
        assert_string_equal (error->message, own->message);
      assert_same_courses (ifbam_run_get_course (whole), ifbam_run_get_course (parts), path);
      assert_same_events (ifbam_run_get_events (whole), ifbam_run_get_events (parts));
      n++;
    }
  assert_true (n > by_effort (6, 25, 25));
}

/* A run that is cut anywhere, and goes on in another one from its state: rows, events, the ledger. */
static void
test_states (void **state)
{
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  guint n = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p];
      g_autoptr (IfbamNetwork) network = NULL;
      g_autoptr (IfbamRun) whole = NULL, first = NULL, rest = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) block = NULL;
      g_autofree IfbamRunLedger *balance = NULL, *other = NULL;
      gsize n_all, n_first, n_rest, n_steps;
      const gboolean objects = g_rand_boolean (rand), plain = g_rand_boolean (rand);

      network = open_network (path, NULL);
      whole = run_of (network);
      first = run_of (network);
      rest = run_of (network);
      /* Without a full ledger it goes by tiles where it can. */
      for (guint i = 0; i < 3 && plain; i++)
        g_object_set (i == 0   ? whole
                      : i == 1 ? first
                               : rest,
                      "record", NULL, "event-rows", FALSE, NULL);
      if (!plain)
        g_object_set (objects ? first : rest, "engine", IFBAM_ENGINE_OBJECTS, NULL);
      if (!ifbam_run_run (whole, NULL, &error))
        continue;
      ifbam_course_get_times (ifbam_run_get_course (whole), &n_steps);
      assert_fine (ifbam_run_step (first,
                                   (guint64) g_rand_int_range (rand, 1, (gint) MIN (n_steps, 4000)),
                                   NULL, &error),
                   error);
      block = ifbam_run_get_state (first, &error);
      assert_non_null (block);
      assert_fine (ifbam_run_start_from (rest, block, &error), error);
      assert_true (ifbam_run_get_time (rest) == ifbam_run_get_time (first));
      assert_fine (ifbam_run_run (rest, NULL, &error), error);
      assert_goes_on (ifbam_run_get_course (whole), ifbam_run_get_course (rest), path);
      ifbam_events_list (ifbam_run_get_events (whole), &n_all);
      ifbam_events_list (ifbam_run_get_events (first), &n_first);
      ifbam_events_list (ifbam_run_get_events (rest), &n_rest);
      assert_int_equal (n_all, n_first + n_rest);
      balance = ifbam_run_get_ledger (whole);
      other = ifbam_run_get_ledger (rest);
      assert_memory_equal (balance, other, sizeof *balance);
      n++;
    }
  assert_true (n > by_effort (6, 25, 25));
}

/* Messages about a run from a state, and its energy balance. */
static char *
end_from (IfbamNetwork *network, GBytes *block)
{
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (GError) error = NULL;
  g_autofree IfbamRunLedger *balance = NULL;

  g_object_set (run, "keep-ledger", TRUE, NULL);
  if (block != NULL)
    assert_fine (ifbam_run_start_from (run, block, &error), error);
  assert_false (ifbam_run_run (run, NULL, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
  balance = ifbam_run_get_ledger (run);
  return g_strdup_printf ("%s (%.17g, %.17g)", error->message, balance->dissipated,
                          balance->supplied);
}

/* A diverging run has the same message if it continues from a state: with the data of the check. */
static void
test_divergence_from_a_state (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nscheme = averaged\nstep = 0.5 s\nduration = 4000 s\n"
                    "[mass m]\nmass = 1\nposition = 1\n[ground w]\n"
                    "[spring k]\nbetween = m, w\nstiffness = 1\n"
                    "[damper d]\nbetween = m, w\ndamping = 1e-9\n"
                    "[gravity g]\non = m\n[force f]\non = m\namplitude = 1\nfrequency = 0.01\n");
  g_autoptr (IfbamRun) first = ifbam_run_new (network);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) block = NULL;
  g_autoptr (IfbamState) taken = NULL;
  g_autofree char *whole = end_from (network, NULL), *rest = NULL;
  gsize size;
  gconstpointer data;
  const char *name;
  guint n = 0;

  (void) state;
  g_object_set (first, "keep-ledger", TRUE, NULL);
  assert_fine (ifbam_run_step (first, 1280, NULL, &error), error);
  block = ifbam_run_get_state (first, &error);
  assert_non_null (block);
  rest = end_from (network, block);
  assert_string_equal (rest, whole);
  data = g_bytes_get_data (block, &size);
  taken = ifbam_state_new_from_data (data, size, &error);
  assert_non_null (taken);
  for (guint i = 0; (name = ifbam_state_name (taken, i)) != NULL; i++)
    {
      g_autoptr (IfbamState) poisoned = ifbam_state_copy (taken);
      g_autoptr (GBytes) other = NULL;
      g_autofree char *said = NULL;
      gsize n_values;
      double *number = (double *) ifbam_state_find (poisoned, name, IFBAM_STATE_DOUBLES, &n_values);
      guint32 *word = (guint32 *) ifbam_state_find (poisoned, name, IFBAM_STATE_WORDS, &n_values);

      for (gsize k = 0; k < n_values; k++)
        if (number != NULL)
          number[k] += 1e8 * (fabs (number[k]) + 1);
        else
          word[k]++;
      data = ifbam_state_data (poisoned, &size);
      other = g_bytes_new (data, size);
      said = end_from (network, other);
      if (g_str_equal (said, whole))
        fail_msg ("nobody misses %s", name);
      n += g_str_has_prefix (name, "check.") || g_str_has_prefix (name, "ledger.");
    }
  assert_int_equal (n, 8);
}

static void
assert_state_refused (IfbamRun *run, GBytes *block, const char *phrase)
{
  g_autoptr (GError) error = NULL;

  assert_false (ifbam_run_start_from (run, block, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  if (strstr (error->message, phrase) == NULL)
    fail_msg ("not '%s': %s", phrase, error->message);
}

static void
test_other_states_are_refused (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", NULL);
  g_autoptr (IfbamNetwork) other = open_network ("networks/one-dof.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network), alien = ifbam_run_new (other);
  g_autoptr (IfbamRun) shorter = ifbam_run_new (network), keeps = ifbam_run_new (network);
  g_autoptr (IfbamRun) done = ifbam_run_new (network);
  g_autoptr (GBytes) block = NULL, part = NULL;
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_null (ifbam_run_get_state (run, &error));
  assert_string_equal (error->message, "the run has not started");
  g_clear_error (&error);
  assert_fine (ifbam_run_step (run, 100, NULL, &error), error);
  block = ifbam_run_get_state (run, &error);
  assert_non_null (block);
  part = g_bytes_new_from_bytes (block, 0, g_bytes_get_size (block) - 8);
  assert_state_refused (shorter, part, "no state of an engine, or not all of one");
  assert_state_refused (alien, block, "the state is of another network: it has \"");
  g_object_set (shorter, "duration", 10 * ifbam_run_get_time (run) / 100, NULL);
  assert_state_refused (shorter, block, "; the run ends at ");
  g_object_set (keeps, "keep-ledger", TRUE, NULL);
  assert_state_refused (keeps, block, "the state has no column 'ledger.");
  assert_state_refused (run, block, "the run has gone on already");
  assert_fine (ifbam_run_start_from (done, block, &error), error);
}

/* Arguments of the signal handlers. */
typedef struct
{
  IfbamCourse *course;
  IfbamEvents *events;
  guint rows, n_events, tellings;
  double time, part;
  GCancellable *cancellable; /* to be cancelled after some rows */
  guint after, after_tellings;
  GMainLoop *loop;
} Ears;

static void
hear_row (IfbamRun *run, double time, GBytes *values, Ears *ears)
{
  gsize size;
  const double *numbers = g_bytes_get_data (values, &size);

  assert_int_equal (size / sizeof (double), g_strv_length ((char **) ifbam_course_get_signals (
                                                ifbam_run_get_course (run))));
  assert_true (time >= ears->time);
  ears->time = time;
  ears->rows++;
  ears->course = ifbam_run_get_course (run);
  assert_true (ifbam_course_get_n_rows (ears->course) == ears->rows);
  assert_true (numbers[0]
               == ifbam_course_get_values (ears->course, ifbam_course_get_signals (ears->course)[0],
                                           NULL, NULL)[ears->rows - 1]);
  if (ears->rows == ears->after)
    g_cancellable_cancel (ears->cancellable);
}

static void
hear_event (IfbamRun *run, const IfbamEvent *event, Ears *ears)
{
  const gsize n = ifbam_events_get_n_events (ifbam_run_get_events (run));

  assert_true (event == ifbam_events_get_event (ifbam_run_get_events (run), n - 1));
  ears->n_events++;
  assert_int_equal (n, ears->n_events);
}

static void
hear_progress (IfbamRun *run, double part, Ears *ears)
{
  (void) run;
  assert_true (part >= ears->part && part <= 1);
  ears->part = part;
  if (++ears->tellings == ears->after_tellings)
    g_cancellable_cancel (ears->cancellable);
}

static void
listen (IfbamRun *run, Ears *ears)
{
  g_signal_connect (run, "row", G_CALLBACK (hear_row), ears);
  g_signal_connect (run, "event", G_CALLBACK (hear_event), ears);
  g_signal_connect (run, "progress", G_CALLBACK (hear_progress), ears);
}

static void
test_signals (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/ball-drag.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (GError) error = NULL;
  Ears ears = { 0 };

  (void) state;
  assert_null (ifbam_run_get_course (run));
  listen (run, &ears);
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  assert_int_equal (ears.rows, ifbam_course_get_n_rows (ifbam_run_get_course (run)));
  assert_int_equal (ears.n_events, ifbam_events_get_n_events (ifbam_run_get_events (run)));
  assert_true (ears.n_events > 10 && ears.tellings > 0 && ears.part == 1);
  assert_true (ifbam_run_is_finished (run) && ifbam_run_get_time (run) == ears.time);
}

/* Without rows in memory they are told all the same. */
static void
count_row (IfbamRun *run, double time, GBytes *values, guint *n)
{
  (void) run;
  (void) time;
  (void) values;
  ++*n;
}

static void
test_no_rows_kept (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  (void) state;
  g_object_set (run, "keep-rows", FALSE, NULL);
  g_signal_connect (run, "row", G_CALLBACK (count_row), &n);
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  assert_int_equal (n, ifbam_course_get_n_rows (course));
  assert_int_equal (ifbam_course_get_n_rows (ifbam_run_get_course (run)), 0);
}

/* Interrupted, and gone on with: as if nothing had been. */
static void
test_interruption (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/ball-drag.ini", NULL);
  g_autoptr (IfbamRun) whole = run_of (network);
  g_autoptr (IfbamRun) run = run_of (network);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Ears ears = { .cancellable = cancellable, .after = 100 };

  (void) state;
  assert_fine (ifbam_run_run (whole, NULL, &error), error);
  listen (run, &ears);
  assert_false (ifbam_run_run (run, cancellable, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
  assert_in_range (ears.rows, 100, 300);
  assert_true (ifbam_run_get_time (run) < ifbam_run_get_time (whole));
  g_clear_error (&error);
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  assert_same_courses (ifbam_run_get_course (whole), ifbam_run_get_course (run), "interrupted");
  assert_same_events (ifbam_run_get_events (whole), ifbam_run_get_events (run));
}

static void
done (GObject *source, GAsyncResult *result, gpointer data)
{
  Ears *ears = data;
  g_autoptr (GError) error = NULL;

  if (ears->cancellable != NULL)
    {
      assert_false (ifbam_run_run_finish (IFBAM_RUN (source), result, &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
    }
  else
    assert_fine (ifbam_run_run_finish (IFBAM_RUN (source), result, &error), error);
  g_main_loop_quit (ears->loop);
}

static void
test_beside (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/ball-drag.ini", NULL);
  g_autoptr (IfbamRun) whole = run_of (network);
  g_autoptr (IfbamRun) run = run_of (network);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  Ears ears = { .loop = loop };

  (void) state;
  assert_fine (ifbam_run_run (whole, NULL, &error), error);
  listen (run, &ears);
  ifbam_run_run_async (run, NULL, done, &ears);
  assert_false (ifbam_run_step (run, 1, NULL, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  assert_null (ifbam_run_get_ledger (run));
  g_main_loop_run (loop);
  assert_true (ifbam_run_is_finished (run) && ears.part == 1);
  assert_same_courses (ifbam_run_get_course (whole), ifbam_run_get_course (run), "beside");
  assert_same_events (ifbam_run_get_events (whole), ifbam_run_get_events (run));
}

static void
one_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  guint *left = data;

  assert_fine (ifbam_run_run_finish (IFBAM_RUN (source), result, &error), error);
  --*left;
}

/* Runs of one network in threads of their own: none knows of the others. */
static void
test_several_beside (void **state)
{
  static const char *const networks[] = { "networks/collision.ini", "networks/stick-slip.ini",
                                          "networks/two-dof.ini" };
  static const char *const schemes[] = { "averaged", "verlet", "rk4", "averaged" };

  (void) state;
  for (guint n = 0; n < G_N_ELEMENTS (networks); n++)
    {
      g_autoptr (IfbamNetwork) network = open_network (networks[n], NULL);
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
      guint left = G_N_ELEMENTS (schemes);

      for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
        {
          g_ptr_array_add (runs, run_of (network));
          g_object_set (runs->pdata[i], "scheme", schemes[i], "engine",
                        i % 3 == 0 ? IFBAM_ENGINE_OBJECTS : IFBAM_ENGINE_PLAN, NULL);
          ifbam_run_run_async (runs->pdata[i], NULL, one_done, &left);
        }
      while (left > 0)
        g_main_context_iteration (NULL, TRUE);
      for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
        {
          g_autoptr (IfbamRun) alone = run_of (network);
          g_autoptr (GError) error = NULL;

          g_object_set (alone, "scheme", schemes[i], NULL);
          assert_fine (ifbam_run_run (alone, NULL, &error), error);
          assert_same_courses (ifbam_run_get_course (alone), ifbam_run_get_course (runs->pdata[i]),
                               networks[n]);
          assert_same_events (ifbam_run_get_events (alone), ifbam_run_get_events (runs->pdata[i]));
        }
    }
}

/* A run of minutes ends at once. */
static void
test_beside_cancelled (void **state)
{
  static const char *const settings[] = { "network.duration=1e5 s", "network.sample=1 s", NULL };
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", settings);
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Ears ears = { .loop = loop, .cancellable = cancellable, .after_tellings = 3 };

  (void) state;
  listen (run, &ears);
  ifbam_run_run_async (run, cancellable, done, &ears);
  g_main_loop_run (loop);
  assert_true (ears.rows > 1 && ears.tellings > 2 && ears.part < 1);
}

/* The run has its own spec; the network keeps its own. */
static void
test_spec (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", NULL);
  g_autoptr (IfbamNetwork) other =
      open_network ("networks/two-dof.ini",
                    (const char *const[]){ "network.scheme=verlet", "network.step=0.5 ms", NULL });
  g_autoptr (IfbamCourse) course = network_course (other, IFBAM_ENGINE_PLAN);
  g_autoptr (IfbamRun) run = g_object_new (IFBAM_TYPE_RUN, "network", network, "scheme", "verlet",
                                           "engine", IFBAM_ENGINE_OBJECTS, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *scheme = NULL;

  (void) state;
  assert_true (ifbam_element_set_text (ifbam_run_get_settings (run), "step", "0.5 ms", NULL));
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  assert_same_courses (course, ifbam_run_get_course (run), "spec");
  g_object_get (ifbam_network_get_settings (network), "scheme", &scheme, NULL);
  assert_true (g_strcmp0 (scheme, "verlet") != 0);
  g_clear_object (&run);
  run = ifbam_run_new (network);
  g_object_set (run, "record", "m9.position", NULL);
  assert_false (ifbam_run_start (run, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
  assert_non_null (strstr (error->message, "m9"));
}

/* Two runs of one network by turns, and a change between their starts. */
static void
test_two_at_once (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/friction-stop.ini", NULL);
  g_autoptr (IfbamRun) soft = run_of (network), stiff = NULL, alone = NULL;
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree IfbamElement **elements = ifbam_network_list_elements (network, &n);

  (void) state;
  assert_fine (ifbam_run_run (soft, NULL, &error), error);
  alone = g_steal_pointer (&soft);
  soft = run_of (network);
  assert_fine (ifbam_run_start (soft, &error), error);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (ifbam_element_get_class_name (elements[i]), "spring"))
      g_object_set (elements[i], "stiffness", 123.0, NULL);
  stiff = run_of (network);
  while (!ifbam_run_is_finished (soft) || !ifbam_run_is_finished (stiff))
    {
      assert_fine (ifbam_run_step (soft, 37, NULL, &error), error);
      assert_fine (ifbam_run_step (stiff, 41, NULL, &error), error);
    }
  assert_same_courses (ifbam_run_get_course (alone), ifbam_run_get_course (soft), "two at once");
  assert_same_events (ifbam_run_get_events (alone), ifbam_run_get_events (soft));
}

static IfbamRun *
objects_run (IfbamNetwork *network)
{
  return g_object_new (IFBAM_TYPE_RUN, "network", network, "engine", IFBAM_ENGINE_OBJECTS, NULL);
}

/* Where a node says that it is, by hand, cycle by cycle. */
static double
talk_on (IfbamNetwork *network, const char *node)
{
  g_autoptr (GError) error = NULL;

  for (guint turn = 0; turn < ifbam_dialogue_rounds_per_step (&network->spec); turn++)
    ifbam_network_turn (network);
  assert_fine (ifbam_network_settle (network, &error), error);
  return ifbam_element_get_quantity (ifbam_network_get_element (network, node), "position", NULL);
}

/* Any number of dialogues of one network go on at once: two runs by objects, one begun before a change of the
 * network and one after it, and one by hand, which alone follows changes. */
static void
test_dialogues_at_once (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/collision.ini", NULL);
  g_autoptr (IfbamNetwork) lonely = open_network ("networks/collision.ini", NULL);
  g_autoptr (IfbamCourse) before = network_course (network, IFBAM_ENGINE_PLAN);
  g_autoptr (IfbamCourse) after = NULL;
  g_autoptr (IfbamRun) old = objects_run (network), new = NULL;
  g_autoptr (GError) error = NULL;
  IfbamElement *left = ifbam_network_get_element (network, "left");
  double mass;

  (void) state;
  g_object_get (left, "mass", &mass, NULL);
  assert_fine (ifbam_network_reset (network, &error), error);
  assert_fine (ifbam_network_reset (lonely, &error), error);
  assert_fine (ifbam_run_step (old, 10, NULL, &error), error);
  g_object_set (left, "mass", 2 * mass, NULL);
  g_object_set (ifbam_network_get_element (lonely, "left"), "mass", 2 * mass, NULL);
  new = objects_run (network);
  while (!ifbam_run_is_finished (old) || !ifbam_run_is_finished (new))
    {
      assert_fine (ifbam_run_step (old, 7, NULL, &error), error);
      assert_fine (ifbam_run_step (new, 11, NULL, &error), error);
      assert_true (talk_on (network, "left") == talk_on (lonely, "left"));
    }
  after = network_course (network, IFBAM_ENGINE_PLAN);
  assert_same_courses (before, ifbam_run_get_course (old), "begun before the change");
  assert_same_courses (after, ifbam_run_get_course (new), "begun after it");
  assert_true (talk_on (network, "right") == talk_on (lonely, "right"));
  g_clear_object (&old);
  g_clear_object (&new);
  assert_true (talk_on (network, "left") == talk_on (lonely, "left"));
}

static void
test_looks (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/damped.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (IfbamRun) keeper =
      g_object_new (IFBAM_TYPE_RUN, "network", network, "keep-ledger", TRUE, "scheme", "rk4", NULL);
  g_autoptr (GError) error = NULL;
  IfbamRunLedger *before, *after;
  const char *const *signals;
  double value, start;
  gsize n;

  (void) state;
  g_object_set (run, "record", "*.position", NULL);
  assert_false (ifbam_run_get_value (run, "network.energy", &value, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  g_clear_error (&error);
  assert_fine (ifbam_run_step (run, 100, NULL, &error), error);
  signals = ifbam_course_get_signals (ifbam_run_get_course (run));
  assert_true (ifbam_run_get_value (run, signals[0], &value, NULL));
  assert_true (
      value == ifbam_course_get_values (ifbam_run_get_course (run), signals[0], &n, NULL)[n - 1]);
  assert_false (ifbam_run_get_value (run, "network.dissipated", &value, &error));
  assert_non_null (strstr (error->message, "keep-ledger"));
  g_clear_error (&error);
  assert_false (ifbam_run_get_value (run, "*.position, *.velocity", &value, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  before = ifbam_run_get_ledger (run);
  assert_true (isnan (before->dissipated) && before->energy > 0);
  g_boxed_free (IFBAM_TYPE_RUN_LEDGER, before);

  g_clear_error (&error);
  assert_fine (ifbam_run_step (keeper, 0, NULL, &error), error);
  before = ifbam_run_get_ledger (keeper);
  start = before->energy;
  assert_fine (ifbam_run_run (keeper, NULL, &error), error);
  after = ifbam_run_get_ledger (keeper);
  assert_true (after->dissipated > 0.01 * start);
  assert_true (fabs (after->energy + after->dissipated - after->supplied - start) < 1e-6 * start);
  assert_true (ifbam_run_get_value (keeper, "network.dissipated", &value, NULL));
  assert_true (value == after->dissipated);
  g_boxed_free (IFBAM_TYPE_RUN_LEDGER, before);
  g_boxed_free (IFBAM_TYPE_RUN_LEDGER, after);
}

/* The state at the end, by the names that a file can record. */
static void
test_final_state (void **state)
{
  static const char *const networks[] = { "networks/friction-stop.ini", "networks/rlc.ini",
                                          "networks/torsion.ini", "networks/balls.ini",
                                          "networks/chain.ini" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (networks); i++)
    {
      g_autoptr (IfbamNetwork) network = open_network (networks[i], NULL);
      g_autoptr (IfbamRun) run = ifbam_run_new (network), recorder = NULL;
      g_autoptr (IfbamCourse) final = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *record = NULL;
      const char *const *signals;

      assert_null (ifbam_run_look (run, NULL, &error));
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
      g_clear_error (&error);
      assert_fine (ifbam_run_run (run, NULL, &error), error);
      final = ifbam_run_look (run, NULL, &error);
      assert_fine (final != NULL, error);
      assert_int_equal (ifbam_course_get_n_rows (final), 1);
      assert_true (ifbam_course_get_times (final, NULL)[0] == ifbam_run_get_time (run));
      signals = ifbam_course_get_signals (final);
      assert_true (g_strv_length ((char **) signals) >= 2);
      /* The same, recorded. */
      record = g_strjoinv (", ", (char **) signals);
      recorder = ifbam_run_new (network);
      g_object_set (recorder, "record", record, NULL);
      assert_fine (ifbam_run_run (recorder, NULL, &error), error);
      for (guint s = 0; signals[s] != NULL; s++)
        {
          gsize n;
          const double *values =
              ifbam_course_get_values (ifbam_run_get_course (recorder), signals[s], &n, NULL);

          assert_true (ifbam_course_get_values (final, signals[s], NULL, NULL)[0] == values[n - 1]);
          assert_non_null (ifbam_course_get_unit (final, signals[s]));
        }
    }
}

/* One that has diverged has ended. */
static void
test_divergence (void **state)
{
  g_autoptr (IfbamNetwork) network =
      open_network ("networks/two-dof.ini", (const char *const[]){ "network.step=20 ms", NULL });
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_false (ifbam_run_run (run, NULL, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
  assert_non_null (strstr (error->message, "the rows before are kept"));
  assert_true (ifbam_course_get_n_rows (ifbam_run_get_course (run)) > 1);
  g_clear_error (&error);
  assert_false (ifbam_run_run (run, NULL, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  assert_false (ifbam_run_is_finished (run));
}

/* Set properties are returned, and unchanged after the run has begun. */
static void
test_properties (void **state)
{
  static const char *const flags[] = { "allow-divergence", "locate-events", "event-rows",
                                       "keep-ledger",      "keep-rows",     "keep-events" };
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autoptr (IfbamNetwork) there = NULL;
  g_autoptr (GError) error = NULL;
  IfbamEngineKind engine;
  guint threads;
  double time, step;
  gboolean flag, finished;

  (void) state;
  g_object_set (run, "engine", IFBAM_ENGINE_OBJECTS, "threads", 3, "step", 1e-4, "duration", 1e-3,
                NULL);
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    for (guint set = 0; set < 2; set++)
      {
        g_object_set (run, flags[i], set == 1, NULL);
        g_object_get (run, flags[i], &flag, NULL);
        assert_int_equal (flag, set == 1);
      }
  g_object_get (run, "network", &there, "engine", &engine, "threads", &threads, "time", &time,
                "finished", &finished, "step", &step, NULL);
  assert_ptr_equal (there, network);
  assert_ptr_equal (ifbam_run_get_network (run), network);
  assert_int_equal (engine, IFBAM_ENGINE_OBJECTS);
  assert_int_equal (threads, 3);
  assert_true (time == 0 && step == 1e-4 && !finished);
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  expect_criticals (TRUE);
  g_object_set (run, "threads", 2, NULL);
  g_object_set (run, "step", 1e-3, NULL);
  assert_int_equal (criticals, 2);
  expect_criticals (FALSE);
  g_object_get (run, "threads", &threads, "time", &time, "finished", &finished, "step", &step,
                NULL);
  assert_int_equal (threads, 3);
  assert_true (finished && step == 1e-4 && fabs (time - 1e-3) < 1e-12);
}

static void
assert_refused (gboolean fine, GError **error, const char *phrase)
{
  assert_false (fine);
  assert_true (g_error_matches (*error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  assert_message ((*error)->message, phrase);
  g_clear_error (error);
}

/* From within the run: data under change are not readable. */
static void
ask_within (IfbamRun *run, double time, GBytes *values, guint *n)
{
  g_autoptr (GError) error = NULL;
  double value;

  (void) time;
  (void) values;
  if ((*n)++ > 0)
    return;
  assert_refused (ifbam_run_get_value (run, "m1.position", &value, &error), &error,
                  "the run goes on");
  assert_refused (ifbam_run_get_state (run, &error) != NULL, &error, "the run goes on");
  assert_refused (ifbam_run_look (run, NULL, &error) != NULL, &error, "the run goes on");
  assert_refused (ifbam_run_step (run, 1, NULL, &error), &error, "the run goes on already");
  assert_null (ifbam_run_get_ledger (run));
}

static void
test_wrong_times (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", NULL);
  g_autoptr (IfbamNetwork) faulty = open_network ("networks/one-dof.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network), without = ifbam_run_new (faulty);
  g_autoptr (GBytes) bytes = NULL, none = g_bytes_new_static ("no state", 8);
  g_autoptr (GError) error = NULL;
  guint n = 0;
  double value;

  (void) state;
  assert_refused (ifbam_run_get_value (run, "m1.position", &value, &error), &error,
                  "the run has not started");
  assert_refused (ifbam_run_get_state (run, &error) != NULL, &error, "the run has not started");
  assert_refused (ifbam_run_look (run, NULL, &error) != NULL, &error, "the run has not started");
  assert_null (ifbam_run_get_ledger (run));
  assert_true (ifbam_run_get_time (run) == 0);
  assert_refused (ifbam_run_start_from (run, none, &error), &error, "no state");
  g_signal_connect (run, "row", G_CALLBACK (ask_within), &n);
  assert_fine (ifbam_run_step (run, 200, NULL, &error), error);
  assert_true (n > 0);
  assert_refused (ifbam_run_get_value (run, "*.position", &value, &error), &error,
                  "no single signal");
  assert_refused (ifbam_run_get_value (run, "nobody.position", &value, &error), &error, "nobody");
  assert_refused (ifbam_run_get_value (run, "network.dissipated", &value, &error), &error,
                  "only with keep-ledger");
  assert_refused (ifbam_run_get_value (run, "k1.dissipated", &value, &error), &error,
                  "only where it is recorded");
  bytes = ifbam_run_get_state (run, &error);
  assert_non_null (bytes);
  assert_refused (ifbam_run_start_from (run, bytes, &error), &error, "gone on already");
  /* Where nothing of this name is there nothing begins. */
  g_object_set (without, "record", "nobody.position", NULL);
  assert_false (ifbam_run_run (without, NULL, &error));
  assert_message (error->message, "nobody");
  g_clear_error (&error);
  assert_false (ifbam_run_start (without, &error));
  assert_message (error->message, "nobody");
}

static void
begin_badly (GObject *source, GAsyncResult *result, gpointer loop)
{
  g_autoptr (GError) error = NULL;

  assert_false (ifbam_run_run_finish (IFBAM_RUN (source), result, &error));
  assert_message (error->message, "nobody");
  g_main_loop_quit (loop);
}

static void
test_no_beginning_beside (void **state)
{
  g_autoptr (IfbamNetwork) faulty = open_network ("networks/one-dof.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (faulty);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  (void) state;
  g_object_set (run, "record", "nobody.position", NULL);
  ifbam_run_run_async (run, NULL, begin_badly, loop);
  g_main_loop_run (loop);
}

static void
test_events_file (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/collision.ini", NULL);
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autofree char *path = folder_path ("events.csv"), *text = NULL, *by_command = NULL;
  g_autofree char *command = g_strdup_printf (
      "%s run networks/collision.ini -o /dev/null --events %s", g_getenv ("IFBAM"), path);
  g_autoptr (GError) error = NULL;
  int status;

  (void) state;
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  assert_fine (ifbam_events_write_csv (ifbam_run_get_events (run), path, &error), error);
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL) && status == 0);
  assert_true (g_file_get_contents (path, &by_command, NULL, NULL));
  assert_string_equal (text, by_command);
}

/* More events than a buffer holds: a line for each, all in the file; where that takes none, a reason. */
static void
test_file_of_many_events (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nscheme = verlet\nstep = 1 ms\nduration = 40 s\n[ground g]\n[mass "
                    "m]\nmass = 1 kg\n"
                    "velocity = 1 m/s\n[spring k]\nstiffness = 40 kN/m\nbetween = m, g\n"
                    "[monitor o]\nsignal = m.position\nlevel = 0 m\n");
  g_autoptr (IfbamRun) run = ifbam_run_new (network);
  g_autofree char *path = folder_path ("many.csv"), *text = NULL;
  g_autoptr (GError) error = NULL, full = NULL;
  g_auto (GStrv) lines = NULL;
  gsize n;

  (void) state;
  assert_fine (ifbam_run_run (run, NULL, &error), error);
  n = ifbam_events_get_n_events (ifbam_run_get_events (run));
  assert_fine (ifbam_events_write_csv (ifbam_run_get_events (run), path, &error), error);
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_true (strlen (text) > 2 * 65536);
  lines = g_strsplit (text, "\n", -1);
  assert_int_equal (g_strv_length (lines), n + 2);
  assert_string_equal (lines[n + 1], "");
  assert_false (ifbam_events_write_csv (ifbam_run_get_events (run), "/dev/full", &full));
  assert_true (g_error_matches (full, IFBAM_ERROR, IFBAM_ERROR_WRITE));
}

/* A signal recorded alone has the bits that it has among all signals: its neighbours' values are available. */
static void
test_signals_alone (void **state)
{
  static const char *const schemes[] = { "verlet", "averaged", "rk4" };
  static const char *const texts[] = {
    "[ground g]\n[spring c]\nstiffness = 1000\nbetween = m1, m2\n",
    "[drive g]\namplitude = 1 cm\nfrequency = 5 Hz\n[force p]\non = m3\nvalue = 3\n"
    "[bouc-wen c]\nstiffness = 1000\nyield = 1 cm\nratio = 0.1\nbetween = m1, m2\n"
    "[damper d]\ndamping = 2\nbetween = m2, m3\n",
  };

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text =
          g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\nduration = 20 ms\n"
                           "[mass m1]\nmass = 1\nposition = 0.1\n[mass m2]\nmass = 2\n"
                           "[mass m3]\nmass = 1\nposition = -0.3\n"
                           "[spring a]\nstiffness = 100\nbetween = g, m1\n%s"
                           "[spring b]\nstiffness = 200\ncubic = 50\nbetween = m2, m3\n",
                           schemes[s / 2], texts[s % 2]);
      g_autoptr (IfbamNetwork) network =
          text_network_set (text, (const char *const[]){ "network.record=*", NULL });
      g_autoptr (IfbamCourse) all = network_course (network, IFBAM_ENGINE_PLAN);
      const char *const *signals = ifbam_course_get_signals (all);

      assert_true (g_strv_length ((char **) signals) > 20);
      for (guint i = 0; signals[i] != NULL; i++)
        {
          g_autofree char *setting = g_strdup_printf ("network.record=%s", signals[i]);
          g_autoptr (IfbamNetwork) one =
              text_network_set (text, (const char *const[]){ setting, NULL });
          g_autoptr (IfbamCourse) course = network_course (one, IFBAM_ENGINE_PLAN);
          gsize n, m;
          const double *wanted = ifbam_course_get_values (all, signals[i], &n, NULL);
          const double *values = ifbam_course_get_values (course, signals[i], &m, NULL);

          assert_int_equal (m, n);
          for (gsize k = 0; k < n; k++)
            if (values[k] != wanted[k])
              fail_msg ("%s, %s: %.17g at row %zu, not %.17g", schemes[s / 2], signals[i],
                        values[k], k, wanted[k]);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_signals_alone),
    cmocka_unit_test (test_pieces),
    cmocka_unit_test (test_states),
    cmocka_unit_test (test_divergence_from_a_state),
    cmocka_unit_test (test_other_states_are_refused),
    cmocka_unit_test (test_signals),
    cmocka_unit_test (test_no_rows_kept),
    cmocka_unit_test (test_interruption),
    cmocka_unit_test (test_beside),
    cmocka_unit_test (test_beside_cancelled),
    cmocka_unit_test (test_several_beside),
    cmocka_unit_test (test_spec),
    cmocka_unit_test (test_two_at_once),
    cmocka_unit_test (test_looks),
    cmocka_unit_test (test_dialogues_at_once),
    cmocka_unit_test (test_final_state),
    cmocka_unit_test (test_divergence),
    cmocka_unit_test (test_properties),
    cmocka_unit_test (test_wrong_times),
    cmocka_unit_test (test_no_beginning_beside),
    cmocka_unit_test (test_events_file),
    cmocka_unit_test (test_file_of_many_events),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}

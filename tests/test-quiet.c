/* test-quiet.c: networks with events that go by tiles where nothing happens: monitors change no bit, energies in passing, interruption
 *
 * That tiles beside events give the same numbers is for test-matrix.
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

#include "event-run.h"
#include "fixture.h"
#include "matrix/matrix.h"
#include "run/run.h"

static const char *const schemes[] = { "averaged", "original",         "rk4",
                                       "verlet",   "symplectic-euler", "euler" };

static char *network (const char *scheme, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* A chain of 150 masses, which starts at a wall, with additions by the format. Explicit Euler needs shorter steps. */
static char *
network (const char *scheme, const char *keys, const char *format, ...)
{
  g_autofree char *rest = NULL;
  va_list arguments;

  va_start (arguments, format);
  rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return g_strdup_printf ("[network]\nformat = 1\nscheme = %s\nstep = %s\n%s[ground w]\n"
                          "[chain c]\ncount = 150\nmass = 1, 1.5\nstiffness = 10 kN/m\n"
                          "from = w\n%s",
                          scheme, g_str_equal (scheme, "euler") ? "0.1 ms" : "1 ms", keys, rest);
}

#define LONG "duration = 0.7 s\nsample = 1 ms\nrecord = *.position, *.velocity\n"
#define PUSH "[force f]\non = c.m150\namplitude = 100\nfrequency = 7\n"
#define STOP "[impact stop]\nbetween = c.m150, w\ngap = 1 mm\nrestitution = 0.5\n"
/* A ball that bounces beside the chain, awake all the time. */
#define BOUNCING                                                                                   \
  "[mass b]\nmass = 1\nposition = 1 mm\n[gravity g]\non = b\n"                                     \
  "[impact floor]\nbetween = w, b\nrestitution = 0.7\n"

/* Runs a text by tiles where nothing happens, or by events alone. */
static void
run_text (const char *text, gboolean by_events, MatrixOutcome *outcome, IfbamSignals **signals)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, signals, NULL);
  IfbamRunTask task = { .by_events = by_events };

  assert_non_null (model);
  matrix_outcome_init (outcome, *signals);
  matrix_outcome_run (outcome, &task, model, &spec);
}

static void
compare (const char *text)
{
  g_autoptr (IfbamSignals) signals = NULL, other_signals = NULL;
  g_auto (MatrixOutcome) tiles = { 0 }, events = { 0 };

  run_text (text, FALSE, &tiles, &signals);
  run_text (text, TRUE, &events, &other_signals);
  tiles.sums = events.sums;
  matrix_outcome_compare (text, &events, &tiles, NULL);
}

/* Monitors change no bit of their chain. Events of several parts are in the order of time. */
static void
test_monitors (void **state)
{
  static const char *const watched =
      "[monitor a]\nsignal = c.m150.velocity\nlevel = 1 mm/s\n"
      "[monitor b]\nsignal = c.k150.compression\nlevel = 10 um\ndirection = rising\n"
      "[monitor e]\nsignal = c.m140.position\n";
  static const char *const beside = "[mass m]\nmass = 1\nposition = 1 mm\nvelocity = -1\n[spring "
                                    "s]\nstiffness = 1 kN/m\nbetween = w, m\n"
                                    "[impact i]\nbetween = w, m\nrestitution = 0.9\n";

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *plain = network (schemes[s], LONG, PUSH);
      g_autofree char *text = network (schemes[s], LONG, PUSH "%s", watched);
      g_autofree char *busy = network (schemes[s], LONG, PUSH "%s%s", watched, beside);
      g_autofree char *stopped = network (schemes[s], LONG, PUSH STOP "%s", watched);
      g_autoptr (EventRun) without = event_run (0, "%s", plain);
      g_autoptr (EventRun) with = event_run (0, "%s", text);
      g_autoptr (EventRun) sorted = event_run (0, "%s", busy);
      gsize n;
      const double *one = event_run_values (without, "c.m150.position", &n);

      assert_memory_equal (one, event_run_values (with, "c.m150.position", NULL), n * sizeof *one);
      assert_true (event_run_count (with, "a", NULL) > 4);
      assert_true (event_run_count (with, "b", "rise") > 1);
      assert_int_equal (event_run_count (with, "b", "fall"), 0);
      assert_true (event_run_count (with, "e", NULL) > 1);
      assert_true (event_run_count (sorted, "i", "impact") > 1);
      for (guint i = 1; i < sorted->events->len; i++)
        assert_true (g_array_index (sorted->events, IfbamEvent, i - 1).time
                     <= g_array_index (sorted->events, IfbamEvent, i).time);
      /* Rates at crossings, too, where tiles pass them. */
      compare (text);
      compare (busy);
      compare (stopped);
    }
}

/* Interruption */

static gboolean
stop_at_half (gpointer data, double part)
{
  (void) data;
  return part < 0.5;
}

/* The rows of an interrupted run (time and values; transfer full). */
static GByteArray *
interrupted_rows (const char *text, gboolean by_events)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  g_auto (MatrixOutcome) outcome = { 0 };
  IfbamRunTask task = { .by_events = by_events, .progress = stop_at_half };

  assert_non_null (model);
  matrix_outcome_init (&outcome, signals);
  matrix_outcome_run (&outcome, &task, model, &spec);
  assert_true (g_str_has_prefix (outcome.error, "interrupted"));
  return g_byte_array_ref (outcome.rows);
}

/* When a run is interrupted is the engine's own affair; its rows up to there are those of the other engine. */
static void
test_interruption (void **state)
{
  (void) state;
  for (guint s = 0; s < 4; s++)
    {
      g_autofree char *text = network (schemes[s], LONG, PUSH STOP);
      g_autoptr (GByteArray) tiles = interrupted_rows (text, FALSE);
      g_autoptr (GByteArray) events = interrupted_rows (text, TRUE);
      const guint least = MIN (tiles->len, events->len);

      assert_true (least > 0);
      assert_memory_equal (tiles->data, events->data, least);
    }
}

/* The energy check at the step where an advance begins equals one after it. */
static void
test_looks_in_passing (void **state)
{
  static const guint64 pieces[] = { 30, 1, 40, 7, 90, 150 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text =
          network (schemes[s], "duration = 0.35 s\n",
                   "[force f]\non = c.m150\namplitude = 100\nfrequency = 9\n" STOP BOUNCING);
      g_autoptr (IfbamNetwork) network = text_network (text);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, TRUE, &spec, NULL, NULL);
      g_autoptr (IfbamEngine) quiet = NULL;

      g_setenv ("IFBAM_TILE", "32,8", TRUE);
      quiet = ifbam_dual_engine_new (model, &spec, 1);
      g_unsetenv ("IFBAM_TILE");
      ifbam_engine_start (quiet);
      ifbam_engine_advance (quiet, 1, NULL);
      for (guint p = 0; p < G_N_ELEMENTS (pieces); p++)
        {
          const double energy = ifbam_engine_check_energy (quiet);

          quiet->passing.is_wanted = TRUE;
          quiet->passing.energy = NAN;
          ifbam_engine_advance (quiet, pieces[p], NULL);
          assert_false (quiet->passing.is_wanted);
          if (!(fabs (quiet->passing.energy - energy) <= 1e-12 * energy))
            fail_msg ("%s, piece %u: a look at %.17g J, not %.17g", schemes[s], p,
                      quiet->passing.energy, energy);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_monitors),
    cmocka_unit_test (test_looks_in_passing),
    cmocka_unit_test (test_interruption),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}

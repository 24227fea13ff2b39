/* test-quiet.c: networks with events, by tiles wherever nothing happens: the same bits as by events alone
 *
 *   TEST_SEEDS=COUNT test-quiet   fewer random networks, or more
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
#include "event-run.h"
#include "fixture.h"
#include "run/run.h"

static guint n_seeds = 12;

static const char *const schemes[] = { "averaged", "original",         "rk4",
                                       "verlet",   "symplectic-euler", "euler" };

/* Both ways tell the same rows and events. */
static void
compare (const char *text)
{
  g_autoptr (EventRun) tiles = event_run (0, "%s", text);
  g_autoptr (EventRun) events = event_run (EVENT_RUN_BY_EVENTS, "%s", text);
  const char *const *signals = ifbam_course_get_signals (events->course);

  for (gsize s = 0; signals[s] != NULL; s++)
    {
      gsize n, n_other;
      const double *one = event_run_values (tiles, signals[s], &n);
      const double *other = event_run_values (events, signals[s], &n_other);

      assert_int_equal (n, n_other);
      for (gsize i = 0; i < n; i++)
        if (memcmp (&one[i], &other[i], sizeof (double)) != 0)
          {
            g_printerr ("%s", text);
            fail_msg ("row %zu, %s: %.17g by tiles, %.17g by events", i, signals[s], one[i],
                      other[i]);
          }
    }
  if (tiles->events->len != events->events->len)
    {
      g_printerr ("%s", text);
      fail_msg ("%u events by tiles, %u without", tiles->events->len, events->events->len);
    }
  for (guint i = 0; i < events->events->len; i++)
    {
      const IfbamEvent *one = &g_array_index (tiles->events, IfbamEvent, i);
      const IfbamEvent *other = &g_array_index (events->events, IfbamEvent, i);

      assert_string_equal (one->element, other->element);
      assert_string_equal (one->word, other->word);
      assert_memory_equal (&one->time, &other->time, sizeof (double));
      assert_memory_equal (&one->impulse, &other->impulse, sizeof (double));
      assert_memory_equal (&one->rate_before, &other->rate_before, sizeof (double));
      assert_memory_equal (&one->rate_after, &other->rate_after, sizeof (double));
      assert_memory_equal (&one->energy_change, &other->energy_change, sizeof (double));
    }
}

static char *network (const char *scheme, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* A chain of 150 masses, which starts at a wall, and what the format adds. Explicit Euler bears shorter steps only. */
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

/* A force on a chain of its own follows a monitor of another one: who may sleep is told of it; so are accelerations of those who do,
 * which dampers brake. */
static void
test_follower_elsewhere (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = network (
          schemes[s],
          "duration = 0.3 s\nsample = 5 ms\nrecord = *.position, *.velocity, *.acceleration\n",
          PUSH STOP "[monitor far]\nsignal = c.m150.position\nlevel = 0.3 mm\n"
                    "[chain d]\ncount = 120\nmass = 1\nstiffness = 10 kN/m\ndamping = 3 N s/m\n"
                    "from = w\n[force g]\non = d.m120\nvalue = 10\nwhen = far\n"
                    "[impact beyond]\nbetween = d.m120, w\ngap = 1 m\n"
                    "[chain e]\ncount = 130\nmass = 1\nstiffness = 10 kN/m\ndamping = 5 N s/m\n"
                    "from = w\n[impact above]\nbetween = e.m130, w\ngap = 1 m\n"
                    "[impulse k]\non = e.m60\nat = 10 ms\nimpulse = 0.1\n");

      compare (text);
    }
}

static void
test_source_that_ends (void **state)
{
  /* On a row, beside one, within the first step, so near to a row that it belongs to it. */
  static const char *const ends[] = { "50 ms", "51.3 ms", "0.04 ms", "49.999999999999 ms" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
      {
        g_autofree char *text =
            network (schemes[s], LONG,
                     "[force f]\non = c.m150\nvalue = 10\namplitude = 3\nfrequency = 7\nend = %s\n",
                     ends[e]);

        compare (text);
      }
}

static void
test_impulses_at_instants (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text =
          network (schemes[s], LONG,
                   "[impulse p]\non = c.m70\nat = 10 ms, 33.3 ms, 33.4 ms, 0.2\nimpulse = 1\n"
                   "[drive d]\namplitude = 1e-3\nfrequency = 3\n"
                   "[spring k]\nbetween = c.m150, d\nstiffness = 1000\n"
                   "[force f]\non = c.m1\nvalue = 1\nstart = 10 ms\nend = 205.5 ms\n");

      compare (text);
    }
}

static void
test_stop_at_a_chain (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = network (schemes[s], LONG, PUSH STOP);

      compare (text);
    }
}

/* What does nothing changes no bit, and nobody waits for it. */
static void
test_idle_impact (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text =
          network (schemes[s], LONG, PUSH "[impact i]\nbetween = c.m150, w\ngap = 100\n");

      compare (text);
    }
}

/* What only watches wakes nobody: its chain is told by the same bits as without it; what happens is told by
 * both in the order of time. */
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
      compare (text);
      compare (busy);
      compare (stopped);
    }
}

/* Rows that are told while tiles pass by, at their ends, and one by one; many nodes or few; and what only the
 * event engine knows. */
static void
test_rows (void **state)
{
  static const char *const records[] = { "c.m150.position",
                                         "c.m[1:150:2].velocity",
                                         "c.k70.force, c.m3.position",
                                         "stop.mode, stop.compression, stop.rate, stop.force",
                                         "c.m150.acceleration, c.m149.position",
                                         "f.force",
                                         "network.energy, network.momentum, c.m3.position",
                                         "d.position, d.velocity, c.m149.velocity" };
  static const char *const samples[] = { "1 ms", "3 ms", "64 ms", "100 ms" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint r = 0; r < G_N_ELEMENTS (records); r++)
      for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
        {
          g_autofree char *keys = g_strdup_printf ("duration = 0.3 s\nsample = %s\nrecord = %s\n",
                                                   samples[i], records[r]);
          g_autofree char *text =
              network (schemes[s], keys,
                       PUSH STOP "[drive d]\namplitude = 1e-3\nfrequency = 3\n"
                                 "[spring k]\nbetween = c.m50, d\nstiffness = 1000\n");

          compare (text);
        }
}

static void
test_random_networks (void **state)
{
  (void) state;
  for (guint i = 0; i < n_seeds; i++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_autofree char *drafted = draft_chains (i + 1);
        g_autofree char *text = g_strdup_printf (
            "[network]\nformat = 1\nscheme = %s\nstep = %s\nduration = %s\nsample = 2 ms\n"
            "record = *.position, *.velocity%s\n%s",
            schemes[s], g_str_equal (schemes[s], "euler") ? "0.1 ms" : "1 ms",
            g_str_equal (schemes[s], "euler") ? "0.1 s" : "1 s",
            i % 2 == 0   ? ", network.energy, network.kinetic"
            : i % 3 == 0 ? ", *.force, *.compression"
                         : "",
            drafted);

        compare (text);
      }
}

/* Runs that end early. */

typedef struct
{
  GArray *rows; /* double */
  guint n_signals;
  double until; /* it is interrupted there [part] */
} Early;

static gboolean
keep_row (gpointer data, double time, const double *values, GError **error)
{
  Early *early = data;

  (void) error;
  g_array_append_val (early->rows, time);
  g_array_append_vals (early->rows, values, early->n_signals);
  return TRUE;
}

static gboolean
go_on (gpointer data, double part)
{
  return part < ((const Early *) data)->until;
}

/* What is said of a run that ends early; its rows. */
static char *
fault_of (const char *text, gboolean by_events, double until, GArray *rows)
{
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  Early early = { .rows = rows, .until = until };
  IfbamRunTask run = { .by_events = by_events, .row = keep_row, .progress = go_on, .data = &early };

  network = text_network_try (text, NULL, &error);
  assert_null (error);
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  assert_null (error);
  early.n_signals = signals->signals->len;
  assert_false (ifbam_run (&run, model, signals, &spec, &error));
  return g_strdup (error->message);
}

static void
compare_early (const char *text, double until)
{
  g_autoptr (GArray) tiles = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *one = fault_of (text, FALSE, until, tiles);
  g_autofree char *other = fault_of (text, TRUE, until, events);

  /* Where somebody interrupts a run is asked at instants that are the engine's own affair. */
  if (until < 1)
    assert_true (g_str_has_prefix (one, "interrupted") && g_str_has_prefix (other, "interrupted"));
  else
    {
      assert_string_equal (one, other);
      assert_int_equal (tiles->len, events->len);
    }
  assert_true (MIN (tiles->len, events->len) > 0);
  assert_memory_equal (tiles->data, events->data, MIN (tiles->len, events->len) * sizeof (double));
}

static void
test_runs_that_end_early (void **state)
{
  (void) state;
  for (guint s = 0; s < 4; s++)
    {
      g_autofree char *plain = network (schemes[s], LONG, PUSH STOP);
      /* With a step ten times too long. */
      g_autofree char *diverges = network (schemes[s], LONG,
                                           PUSH STOP "[mass small]\nmass = 1e-4\n"
                                                     "[spring s]\nbetween = c.m9, small\n"
                                                     "stiffness = 10 kN/m\n");
      /* What jams stands beside the chain. */
      g_autofree char *jams =
          network (schemes[s], LONG,
                   PUSH STOP "[drive press]\nposition = 1\nvelocity = -3\n[mass b]\nmass = 1\n"
                             "position = 0.5\n[impact low]\nbetween = w, b\nrestitution = 0\n"
                             "[impact high]\nbetween = b, press\nrestitution = 0\n");

      compare_early (plain, 0.5);
      compare_early (diverges, 2);
      compare_early (jams, 2);
    }
}

/* A few nodes, or all, are asked for at all rows or at some; among them are given ones whose motion has corners, and a ball that
 * bounces beside the chain, awake all the time. */
static void
test_probes_at_some_rows (void **state)
{
  static const guint64 pieces[] = { 1, 40, 3, 90, 66 }, strides[] = { 1, 3, 3 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text =
          network (schemes[s], "duration = 0.35 s\n",
                   "[force f]\non = c.m150\namplitude = 100\nfrequency = 9\n" STOP
                   "[drive saw]\namplitude = 1 mm\nwave = ramp\nat = 30.3 ms\nover = 111 ms\n"
                   "[spring k]\nstiffness = 1 kN/m\nbetween = c.m70, saw\n" BOUNCING);
      g_autoptr (IfbamNetwork) network = text_network (text);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, TRUE, &spec, NULL, NULL);

      assert_non_null (model);
      for (guint way = 0; way < G_N_ELEMENTS (strides); way++)
        {
          g_autoptr (IfbamEngine) quiet = ifbam_dual_engine_new (model, &spec, 1);
          g_autoptr (IfbamEngine) events = ifbam_event_engine_new (model, &spec, FALSE);
          const gsize n = way < 2 ? 9 : model->n_nodes;
          g_autofree gsize *node = g_new (gsize, n);
          g_autofree double *values = g_new (double, 2 * n * 200);

          ifbam_engine_start (quiet);
          ifbam_engine_start (events);
          for (gsize i = 0; i < n; i++)
            node[i] = model->n_nodes - n + i;
          for (guint p = 0; p < G_N_ELEMENTS (pieces); p++)
            {
              const IfbamProbes probes = { n, node, strides[way], values, values + n * 200 };
              const guint64 began = quiet->steps;
              guint told = 0;

              for (gsize i = 0; i < 2 * n * 200; i++)
                values[i] = 1994;
              ifbam_engine_advance (quiet, pieces[p], &probes);
              for (guint64 step = began + 1; step <= began + pieces[p]; step++)
                {
                  double position, rate;
                  gsize row;

                  ifbam_engine_advance (events, 1, NULL);
                  if (!ifbam_probes_row (&spec, &probes, began, step, &row))
                    continue;
                  told++;
                  for (gsize i = 0; i < n; i++)
                    {
                      ifbam_engine_get_nodes (events, node[i], node[i] + 1, &position, &rate);
                      if (values[row * n + i] != position || values[(200 + row) * n + i] != rate)
                        fail_msg (
                            "%s, %zu nodes, each %u: step %u, node %zu is at %.17g, not %.17g",
                            schemes[s], n, (guint) strides[way], (guint) step, node[i],
                            values[row * n + i], position);
                    }
                }
              assert_true (told > 0 || pieces[p] < strides[way]);
              assert_true (values[told * n] == 1994 && values[(200 + told) * n] == 1994);
            }
        }
    }
}

/* Two instants in each step, more than are kept in mind: those that are over are forgotten, and none is lost. */
static void
test_thousands_of_instants (void **state)
{
  g_autofree char *text =
      network ("verlet", "duration = 2.2 s\nsample = 50 ms\nrecord = b.position, c.m150.position\n",
               STOP "[mass b]\nmass = 1\n[spring k]\nstiffness = 900\nbetween = w, b\n"
                    "[impact floor]\nbetween = w, b\ngap = 1 m\n"
                    "[force f]\non = b\nwave = pwm\nperiod = 1 ms\nduty = 0.3\namplitude = 7\n");

  (void) state;
  compare (text);
}

/* An energy that is looked at in passing, at the step where an advance begins, is that of who stands there and looks. */
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
    cmocka_unit_test (test_follower_elsewhere),
    cmocka_unit_test (test_source_that_ends),
    cmocka_unit_test (test_impulses_at_instants),
    cmocka_unit_test (test_stop_at_a_chain),
    cmocka_unit_test (test_idle_impact),
    cmocka_unit_test (test_monitors),
    cmocka_unit_test (test_rows),
    cmocka_unit_test (test_probes_at_some_rows),
    cmocka_unit_test (test_looks_in_passing),
    cmocka_unit_test (test_thousands_of_instants),
    cmocka_unit_test (test_random_networks),
    cmocka_unit_test (test_runs_that_end_early),
  };

  n_seeds = wanted_seeds (n_seeds);
  return cmocka_run_group_tests (tests, NULL, NULL);
}

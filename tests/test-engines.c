/* test-engines.c: properties of all runs: the order of a file's groups, samples, repeated runs, networks written and read again
 *
 * That engines give the same numbers is for test-matrix.
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

#include "base/ifbam-error.h"
#include "engine/engine.h"
#include "event/event.h"
#include "fixture.h"
#include "matrix/matrix.h"
#include "run/run.h"

#define STEPS 70

static int
set_up (void **state)
{
  g_autofree char *text = matrix_measured_text (), *path = NULL;

  if (folder_make (state) != 0)
    return 1;
  path = folder_write ("measured.csv", text);
  return 0;
}

/* Random networks */

static const MatrixFeatures drawn[] = {
  MATRIX_LINE,
  MATRIX_TANGLE,
  MATRIX_CIRCUIT,
  MATRIX_MEMBRANE,
  MATRIX_LINE | MATRIX_TIME_EVENTS,
  MATRIX_TANGLE | MATRIX_TIME_EVENTS,
  MATRIX_LINE | MATRIX_CIRCUIT,
};

/* Groups of the network of a seed (transfer full). */
static char *
draw_groups (guint seed)
{
  const MatrixFeatures features = drawn[seed % G_N_ELEMENTS (drawn)];

  /* Every fourth seed makes a thousand nodes. */
  return matrix_draw_text (seed % 4 == 3 ? seed + 1 : seed, features);
}

static IfbamNetwork *
draw_network (const char *groups, const char *record)
{
  g_autofree char *text = g_strdup_printf ("[network]\nscheme = averaged\nstep = 0.2 ms\n"
                                           "duration = %.17g\nrecord = %s\n%s",
                                           STEPS * 0.2e-3, record, groups);

  return text_network (text);
}

#define RECORD                                                                                     \
  "*.compression, *.rate, *.mode, network.kinetic, network.potential, network.energy, "            \
  "network.dissipated, network.supplied"

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (((const char *const *) a)[0], ((const char *const *) b)[0]);
}

/* The groups in another order (transfer full). */
static char *
shuffle_groups (const char *groups, guint seed)
{
  g_auto (GStrv) parts = g_strsplit (groups, "\n[", -1);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (guint p = 0; parts[p] != NULL; p++)
    g_ptr_array_add (
        order, g_strdup_printf ("%08x%s%s", g_rand_int (random), p == 0 ? "" : "[", parts[p]));
  g_ptr_array_sort (order, compare_texts);
  for (guint p = 0; p < order->len; p++)
    g_string_append_printf (text, "%s\n", (char *) order->pdata[p] + 8);
  return g_string_free (text, FALSE);
}

/* Comparing */

static gboolean
same_bits (const double *a, const double *b, gsize n)
{
  return memcmp (a, b, n * sizeof (double)) == 0;
}

static void
assert_same_courses (IfbamCourse *one, IfbamCourse *other, const char *what)
{
  const char *const *signals = ifbam_course_get_signals (one);
  gsize n, m;
  const double *times = ifbam_course_get_times (one, &n);
  const double *other_times = ifbam_course_get_times (other, &m);

  assert_int_equal (n, m);
  assert_true (same_bits (times, other_times, n));
  assert_int_equal (g_strv_length ((char **) signals),
                    g_strv_length ((char **) ifbam_course_get_signals (other)));
  for (guint s = 0; signals[s] != NULL; s++)
    {
      const double *a = ifbam_course_get_values (one, signals[s], &n, NULL);
      const double *b = ifbam_course_get_values (other, signals[s], &m, NULL);

      assert_non_null (b);
      for (gsize i = 0; i < n; i++)
        if (!same_bits (&a[i], &b[i], 1))
          fail_msg ("%s: %s differs at row %zu: %.17g, %.17g", what, signals[s], i, a[i], b[i]);
    }
}

static gboolean
same_signal (IfbamCourse *one, IfbamCourse *other, const char *signal)
{
  gsize n, m;
  const double *a = ifbam_course_get_values (one, signal, &n, NULL);
  const double *b = ifbam_course_get_values (other, signal, &m, NULL);

  return n == m && same_bits (a, b, n);
}

static IfbamCourse *
run (IfbamNetwork *network, IfbamEngineKind kind)
{
  g_autoptr (GError) error = NULL;
  IfbamCourse *course = ifbam_network_run (network, kind, &error);

  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

/* A written network is equal when it is read. */
static void
assert_reads_back (IfbamNetwork *network, guint32 seed)
{
  g_autofree char *what = g_strdup_printf ("network %u, written and read", seed);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = ifbam_network_to_data (network, &length, NULL);
  g_autoptr (IfbamNetwork) again = ifbam_network_new_from_data (text, length, folder, NULL, &error);
  g_autofree char *text_again = NULL;
  g_autoptr (IfbamCourse) one = NULL, other = NULL;

  if (again == NULL)
    fail_msg ("%s: %s\n%s", what, error->message, text);
  text_again = ifbam_network_to_data (again, &length, NULL);
  assert_string_equal (text, text_again);
  one = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
  other = ifbam_network_run (again, IFBAM_ENGINE_PLAN, NULL);
  assert_true ((one == NULL) == (other == NULL));
  if (one != NULL)
    assert_same_courses (one, other, what);
}

static void
test_written_networks (void **state)
{
  (void) state;
  for (guint32 seed = 1; seed <= by_effort (10, 60, 210); seed++)
    {
      g_autofree char *groups = draw_groups (seed);
      g_autoptr (IfbamNetwork) network = draw_network (groups, RECORD);

      assert_reads_back (network, seed);
    }
}

/* Between runs of two orders of the groups: with two forces at most on a node their order does not matter; elsewhere it is
 * rounding. */
static double
relative_difference (IfbamCourse *one, IfbamCourse *other)
{
  const char *const *signals = ifbam_course_get_signals (one);
  double worst = 0;

  for (guint s = 0; signals[s] != NULL; s++)
    {
      gsize n;
      const double *a = ifbam_course_get_values (one, signals[s], &n, NULL);
      const double *b = ifbam_course_get_values (other, signals[s], &n, NULL);
      double largest = 0, difference = 0;

      assert_non_null (b);
      for (gsize i = 0; i < n; i++)
        {
          largest = fmax (largest, fabs (a[i]));
          difference = fmax (difference, fabs (a[i] - b[i]));
        }
      if (largest > 1e-6)
        worst = fmax (worst, difference / largest);
    }
  return worst;
}

static void
test_order_of_groups (void **state)
{
  double worst = 0;

  (void) state;
  for (guint32 seed = 1; seed <= by_effort (10, 40, 40); seed++)
    {
      g_autofree char *groups = draw_groups (seed), *shuffled = shuffle_groups (groups, seed);
      g_autoptr (IfbamNetwork) straight = draw_network (groups, RECORD);
      g_autoptr (IfbamNetwork) other = draw_network (shuffled, RECORD);
      g_autoptr (IfbamCourse) one = run (straight, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) two = run (other, IFBAM_ENGINE_PLAN);

      worst = fmax (worst, relative_difference (one, two));
    }
  print_message ("# shuffled groups: relative difference up to %.2g\n", worst);
  assert_true (worst < 1e-9);
}

static void
test_order_of_groups_in_a_chain (void **state)
{
  static const char head[] =
      "[network]\nstep = 1 ms\nduration = 0.2 s\nrecord = *.position, *.velocity, *.force\n";
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (IfbamCourse) first = NULL;

  (void) state;
  g_ptr_array_add (groups, g_strdup ("[ground m0]\n"));
  for (int i = 1; i <= 12; i++)
    {
      g_ptr_array_add (groups, g_strdup_printf ("[mass m%d]\nmass = %.17g\nposition = %.17g\n", i,
                                                g_rand_double_range (random, 0.5, 2),
                                                g_rand_double_range (random, -1e-3, 1e-3)));
      g_ptr_array_add (groups,
                       g_strdup_printf ("[spring k%d]\nstiffness = %.17g\nbetween = m%d, m%d\n", i,
                                        g_rand_double_range (random, 1e3, 1e4), i - 1, i));
    }
  for (int round = 0; round < 10; round++)
    {
      g_autoptr (GString) text = g_string_new (head);
      g_autoptr (IfbamNetwork) network = NULL;
      g_autoptr (IfbamCourse) course = NULL;

      for (guint i = groups->len; i > 1 && round > 0; i--)
        {
          guint other = (guint) g_rand_int_range (random, 0, (gint32) i);
          gpointer swap = groups->pdata[i - 1];

          groups->pdata[i - 1] = groups->pdata[other];
          groups->pdata[other] = swap;
        }
      for (guint i = 0; i < groups->len; i++)
        g_string_append (text, groups->pdata[i]);
      network = text_network (text->str);
      course = run (network, IFBAM_ENGINE_PLAN);
      if (first == NULL)
        first = g_steal_pointer (&course);
      else
        assert_same_courses (first, course, "shuffled chain");
    }
}

/* The work of sources is one exact sum: their order in the file changes no bit. */
static void
test_supply_has_no_order (void **state)
{
  static const guint orders[][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  static const double forces[] = { 1e8, 0.3, -1.00000001e8 };
  double first = 0;

  (void) state;
  for (guint o = 0; o < G_N_ELEMENTS (orders); o++)
    {
      g_autoptr (GString) text = g_string_new (
          "[network]\nscheme = verlet\nstep = 1 ms\nduration = 0.1\nrecord = network.supplied\n");
      g_autoptr (IfbamCourse) course = NULL;
      gsize n;
      const double *supplied;

      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "[mass m%u]\nmass = 1e18\nvelocity = 0.7\n", orders[o][k]);
      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "[force f%u]\non = m%u\nvalue = %.17g\n", orders[o][k],
                                orders[o][k], forces[orders[o][k]]);
      course = text_course (text->str);
      supplied = ifbam_course_get_values (course, "network.supplied", &n, NULL);
      if (o == 0)
        first = supplied[n - 1];
      assert_true (supplied[n - 1] == first && fabs (first + 0.049) < 1e-3);
    }
}

/* A sampled run has every fifth row of the full one, the ledger included; rows' times are exact. */
static void
test_sample (void **state)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    for (guint32 seed = 1; seed <= by_effort (1, 6, 6); seed++)
      {
        g_autofree char *groups = draw_groups (seed);
        g_autoptr (IfbamNetwork) network = draw_network (groups, RECORD);
        IfbamElement *settings = ifbam_network_get_settings (network);
        g_autoptr (IfbamCourse) every = NULL;
        g_autoptr (IfbamCourse) fifth = NULL;
        const char *const *signals;
        const double *times;
        double step;
        gsize n, m;

        g_object_set (settings, "scheme", schemes[s]->name, NULL);
        g_object_get (settings, "step", &step, NULL);
        every = run (network, IFBAM_ENGINE_PLAN);
        assert_true (ifbam_element_set_text (settings, "sample", "1 ms", NULL));
        fifth = run (network, IFBAM_ENGINE_PLAN);
        signals = ifbam_course_get_signals (every);
        times = ifbam_course_get_times (every, &n);
        assert_int_equal (n, STEPS + 1);
        for (gsize i = 0; i < n; i++)
          assert_true ((double) i * step == times[i]);
        times = ifbam_course_get_times (fifth, &m);
        assert_int_equal (m, STEPS / 5 + 1);
        for (gsize i = 0; i < m; i++)
          assert_true ((double) (5 * i) * step == times[i]);
        for (guint k = 0; signals[k] != NULL; k++)
          {
            const double *a = ifbam_course_get_values (every, signals[k], &n, NULL);
            const double *b = ifbam_course_get_values (fifth, signals[k], &m, NULL);

            for (gsize i = 0; i < m; i++)
              if (!same_bits (&a[5 * i], &b[i], 1))
                fail_msg ("%s: %s differs at sample %zu", schemes[s]->name, signals[k], i);
          }
      }
}

/* The same numbers again: from the same object, from another one of the same file, and after a parameter was changed and changed
 * back; and whatever else is recorded. */
static void
test_repeated_runs (void **state)
{
  (void) state;
  for (guint32 seed = 1; seed <= by_effort (3, 12, 12); seed++)
    {
      g_autofree char *groups = draw_groups (seed);
      g_autofree char *text =
          g_strconcat ("[mass x]\nmass = 1\nposition = 1 mm\n[ground y]\n[spring z]\n"
                       "stiffness = 500\nbetween = x, y\n",
                       groups, NULL);
      g_autoptr (IfbamNetwork) network = draw_network (text, "x.position, " RECORD);
      g_autoptr (IfbamNetwork) twin = draw_network (text, "x.position, " RECORD);
      g_autoptr (IfbamCourse) one = run (network, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) two = run (network, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) three = run (twin, IFBAM_ENGINE_PLAN);
      g_autoptr (IfbamCourse) four = NULL, positions = NULL;
      IfbamElement *mass = ifbam_network_get_element (network, "x");

      assert_same_courses (one, two, "second run");
      assert_same_courses (one, three, "second network");
      g_object_set (mass, "mass", 2.0, NULL);
      four = run (network, IFBAM_ENGINE_PLAN);
      assert_false (same_signal (one, four, "x.position"));
      g_clear_object (&four);
      g_object_set (mass, "mass", 1.0, NULL);
      four = run (network, IFBAM_ENGINE_PLAN);
      assert_same_courses (one, four, "changed back");
      g_object_set (ifbam_network_get_settings (network), "record", NULL, NULL);
      positions = run (network, IFBAM_ENGINE_PLAN);
      assert_true (same_signal (one, positions, "x.position"));
    }
}

/* An energy that is not finite ends a run at once, whichever engine computes it. */
static void
test_infinite_energy (void **state)
{
  static const char *const cases[][2] = {
    { "infinite-energy", "at t = 0 s (step 0): the energy is not finite" },
    { "infinite-energy-events", "at t = 0.001 s (step 1): the energy is not finite" },
  };

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *path =
          g_strdup_printf ("tests/matrix/networks/own-scheme/%s.ini", cases[c][0]);
      g_autoptr (IfbamNetwork) network = open_network (path, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

      assert_null (course);
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
      assert_non_null (strstr (error->message, cases[c][1]));
    }
}

/* Engines: steps in one call or in pieces, a second start, and the listener's arguments. */

static IfbamEngine *
make_engine (const IfbamModel *model, const IfbamRunSpec *spec, guint kind)
{
  if (ifbam_engine_by_events (model, spec))
    return kind == 0   ? ifbam_objects_event_engine_new (model, spec, FALSE)
           : kind == 1 ? ifbam_event_engine_new (model, spec, FALSE)
                       : ifbam_dual_engine_new (model, spec, 1);
  return kind == 0 ? ifbam_objects_engine_new (model, spec)
                   : ifbam_compiled_engine_new (model, spec, kind);
}

typedef struct
{
  gsize n_nodes;
  guint64 sum;
} Listener;

/* FNV-1a. */
static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  Listener *listener = data;

  for (gsize i = 0; i < 2 * listener->n_nodes; i++)
    {
      guint64 bits;

      memcpy (&bits, &(i % 2 == 0 ? position : rate)[i / 2], sizeof bits);
      listener->sum = (listener->sum ^ (bits + stage)) * 0x100000001b3u;
    }
}

/* Returns the listener's arguments in 41 steps in pieces of at most so many, which begin at a second start if restarts is set; positions
 * and rates after them (2)(n_nodes). */
static guint64
step_in_pieces (IfbamEngine *engine, guint64 most, gboolean restarts, double *numbers)
{
  const gsize n = engine->model->n_nodes;
  Listener listener = { .n_nodes = n };

  if (ifbam_engine_by_events (engine->model, engine->spec))
    ifbam_engine_record_events (engine);
  if (restarts)
    {
      ifbam_engine_start (engine);
      ifbam_engine_advance (engine, 17, NULL);
    }
  if (!ifbam_engine_by_events (engine->model, engine->spec))
    {
      engine->listener = listen;
      engine->listener_data = &listener;
    }
  ifbam_engine_start (engine);
  assert_int_equal (engine->steps, 0);
  while (engine->steps < 41)
    {
      const guint64 before = engine->steps, piece = MIN (1 + before % most, 41 - before);

      ifbam_engine_advance (engine, piece, NULL);
      assert_int_equal (engine->steps, before + piece);
    }
  for (gsize i = 0; i < n; i++)
    ifbam_engine_get_nodes (engine, i, i + 1, numbers + i, numbers + n + i);
  return listener.sum;
}

static void
test_pieces_and_restarts (void **state)
{
  static const guint64 pieces[] = { 41, 1, 3, 7 };
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);

  (void) state;
  for (guint s = 0; s < n_schemes; s++)
    {
      g_autofree char *groups = draw_groups (s + 1);
      g_autoptr (IfbamNetwork) network = draw_network (groups, RECORD);
      g_autoptr (IfbamModel) model = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autofree double *wanted = NULL, *numbers = NULL;
      guint64 sum = 0;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, NULL);
      model = ifbam_network_compile_or_error (network, TRUE, &spec, NULL, NULL);
      assert_non_null (model);
      wanted = g_new (double, 2 * model->n_nodes);
      numbers = g_new (double, 2 * model->n_nodes);
      for (guint kind = 0; kind < 3; kind++)
        for (guint p = 0; p < G_N_ELEMENTS (pieces); p++)
          {
            g_autoptr (IfbamEngine) engine = make_engine (model, &spec, kind);
            const gboolean first = kind == 0 && p == 0;
            const guint64 own = step_in_pieces (engine, pieces[p], p > 0, first ? wanted : numbers);

            if (first)
              sum = own;
            else if (!same_bits (numbers, wanted, 2 * model->n_nodes) || own != sum)
              fail_msg ("%s, engine %u in pieces of %u: other numbers", schemes[s]->name, kind,
                        (guint) pieces[p]);
          }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_written_networks),
    cmocka_unit_test (test_order_of_groups),
    cmocka_unit_test (test_order_of_groups_in_a_chain),
    cmocka_unit_test (test_supply_has_no_order),
    cmocka_unit_test (test_sample),
    cmocka_unit_test (test_repeated_runs),
    cmocka_unit_test (test_infinite_energy),
    cmocka_unit_test (test_pieces_and_restarts),
  };

  return cmocka_run_group_tests (tests, set_up, folder_remove);
}

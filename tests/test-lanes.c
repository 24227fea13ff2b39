/* test-lanes.c: which networks and parameters lanes take, their width, their clocks, their interruption
 *
 * That a lane gives the numbers of a run alone is for test-matrix.
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

#include "elements/registry.h"
#include "fixture.h"
#include "run/run.h"
#include "engine/engine.h"

#define WIDTH 16

static int
set_up (void **state)
{
  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
  return folder_make (state);
}

/* Events from some numbers on: a source that ends, a gear with play. */
static const char eventful[] = "[network]\n"
                               "step = 1 ms\n"
                               "duration = 1 s\n"
                               "[inertia motor]\n"
                               "inertia = 1 kg m2\n"
                               "[inertia shaft]\n"
                               "inertia = 1 kg m2\n"
                               "[gear mesh]\n"
                               "ratio = 2\n"
                               "stiffness = 40 N m/rad\n"
                               "between = motor, shaft\n"
                               "[torque load]\n"
                               "on = shaft\n"
                               "value = 1 N m\n";

static const char chain_text[] = "[network]\n"
                                 "step = 1 ms\n"
                                 "duration = 0.3 s\n"
                                 "[ground wall]\n"
                                 "[mass hand]\n"
                                 "mass = 2 kg\n"
                                 "velocity = 1 m/s\n"
                                 "[chain c]\n"
                                 "count = 8\n"
                                 "mass = 1 kg, 2 kg\n"
                                 "stiffness = 2 kN/m\n"
                                 "from = hand\n"
                                 "to = wall\n";

static IfbamModel *
compile (IfbamNetwork *network, IfbamRunSpec *spec)
{
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (GError) error = NULL;
  IfbamModel *model = ifbam_network_compile_or_error (network, TRUE, spec, &signals, &error);

  if (model == NULL)
    fail_msg ("%s", error->message);
  return model;
}

static char *
write_network (const char *text)
{
  char *path = g_build_filename (folder, "network.ini", NULL);

  assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* The positions of lanes: [row][lane] of the last mass of a chain. */
typedef struct
{
  IfbamSignal signal;
  GArray *values; /* double */
} LaneRows;

static void
keep_lanes (gpointer data, IfbamLanes *lanes)
{
  LaneRows *rows = data;
  double scratch[WIDTH];

  g_array_append_vals (rows->values, ifbam_lanes_signal (lanes, &rows->signal, scratch), WIDTH);
}

/* Positions of a run alone (double; transfer full). */
static GArray *
run_alone (IfbamNetwork *network, const char *signal)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (IfbamCourse) course = NULL;
  gsize n;
  const double *numbers;

  g_object_set (ifbam_network_get_settings (network), "record", signal, NULL);
  course = network_course (network, IFBAM_ENGINE_PLAN);
  numbers = ifbam_course_get_values (course, signal, &n, NULL);
  g_array_append_vals (values, numbers, (guint) n);
  return values;
}

/* A lane's parameters can be those of a whole model: so composites can be varied. */
static void
test_load (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (chain_text);
  IfbamElement *chain = ifbam_network_get_element (network, "c");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec);
  g_autoptr (IfbamLanes) lanes = NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (IfbamSignals) signals =
      ifbam_signals_new (model, network->by_name, "c.m8.position", NULL);
  GArray *alone[3];
  guint64 diverged[G_N_ELEMENTS (alone)];
  LaneRows rows = { g_array_index (signals->signals, IfbamSignal, 0), values };
  IfbamLanesRun run = { .row = keep_lanes, .every_row = TRUE, .data = &rows };

  (void) state;
  assert_true (ifbam_lanes_can_run (model, &spec));
  lanes = ifbam_lanes_new (model, &spec, WIDTH);
  for (guint l = 0; l < G_N_ELEMENTS (alone); l++)
    {
      const double stiffness[2] = { 1e3 * (l + 1), 2e3 * (l + 1) };
      g_auto (IfbamRunSpec) own_spec = { 0 };
      g_autoptr (IfbamModel) own = NULL;

      g_object_set (
          chain, "stiffness",
          g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, stiffness, 2, sizeof (double)), NULL);
      own = compile (network, &own_spec);
      assert_true (ifbam_lanes_have_equal_structure (model, own));
      ifbam_lanes_load (lanes, l, l + 1, own, &spec);
      assert_false (ifbam_lanes_remain_compatible (model, &spec, chain));
      alone[l] = run_alone (network, "c.m8.position");
    }
  run.stride = spec.stride;
  run.last_step = spec.last_step;
  assert_true (ifbam_lanes_run (lanes, G_N_ELEMENTS (alone), &run, diverged));
  for (guint l = 0; l < G_N_ELEMENTS (alone); l++)
    {
      assert_true (diverged[l] == IFBAM_LANES_FINE);
      assert_int_equal (values->len, alone[l]->len * WIDTH);
      for (guint i = 0; i < alone[l]->len; i++)
        assert_true (g_array_index (values, double, i *WIDTH + l)
                     == g_array_index (alone[l], double, i));
      g_array_unref (alone[l]);
    }
}

/* One mass more is another network. */
static void
test_count (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (chain_text);
  g_auto (IfbamRunSpec) spec = { 0 }, other = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec), longer = NULL;

  (void) state;
  g_object_set (ifbam_network_get_element (network, "c"), "count", 9.0, NULL);
  longer = compile (network, &other);
  assert_false (ifbam_lanes_have_equal_structure (model, longer));
}

/* A spring that becomes cubic takes its mean over more points: another model. */
static void
test_points (void **state)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_file ("networks/three-dof.ini", NULL, &error);
  IfbamElement *spring = ifbam_network_get_element (network, "k1");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec), cubic = NULL;

  (void) state;
  g_object_set (spring, "stiffness", 11e3, NULL);
  assert_true (ifbam_lanes_remain_compatible (model, &spec, spring));
  g_object_set (spring, "cubic", 1e6, NULL);
  assert_false (ifbam_lanes_remain_compatible (model, &spec, spring));
  cubic = compile (network, &spec);
  assert_false (ifbam_lanes_have_equal_structure (model, cubic));
  assert_true (ifbam_lanes_remain_compatible (cubic, &spec, spring));
  g_object_set (spring, "cubic", 0.0, NULL);
  assert_false (ifbam_lanes_remain_compatible (cubic, &spec, spring));
}

/* Variants that are another network each do not fit, in whatever they differ. */
static void
test_shapes (void **state)
{
#define OF_SHAPE(masses, links) "[network]\nstep = 1 ms\nduration = 1 s\n[ground w]\n" masses links
#define MASS(name)              "[mass " name "]\nmass = 1 kg\n"
#define SPRING(name, ends)      "[spring " name "]\nstiffness = 1 kN/m\nbetween = " ends "\n"
#define DAMPER(name, ends)      "[damper " name "]\ndamping = 1 N s/m\nbetween = " ends "\n"
#define TWO                     MASS ("a") MASS ("b")
  static const char *const shapes[] = {
    OF_SHAPE (TWO, SPRING ("k", "w, a") SPRING ("l", "a, b")),
    OF_SHAPE (TWO MASS ("c"), SPRING ("k", "w, a") SPRING ("l", "a, b")),            /* nodes */
    OF_SHAPE (MASS ("a") "[ground b]\n", SPRING ("k", "w, a") SPRING ("l", "a, b")), /* free ones */
    OF_SHAPE (TWO, SPRING ("k", "w, a") SPRING ("l", "a, b") SPRING ("m", "w, b")),  /* links */
    OF_SHAPE (TWO,
              SPRING ("k", "w, a") SPRING ("l", "a, b") "[force f]\namplitude = 1 N\non = a\n"),
    OF_SHAPE (TWO, SPRING ("k", "w, a") DAMPER ("l", "a, b")), /* kinds of links */
    OF_SHAPE (TWO, DAMPER ("k", "w, a") DAMPER ("l", "a, b")),
    OF_SHAPE (TWO, SPRING ("k", "a, w") SPRING ("l", "a, b")), /* ends */
    OF_SHAPE (TWO, SPRING ("k", "w, a") SPRING ("l", "w, b")),
    OF_SHAPE (TWO, SPRING ("k", "w, a") SPRING ("l", "a, w")),
    OF_SHAPE (TWO, SPRING ("k", "w, a") SPRING ("l", "b, a")),
    OF_SHAPE (TWO, SPRING ("k", "w, a") "[impact i]\nbetween = a, b\n"), /* events */
    OF_SHAPE (TWO, SPRING ("k", "w, a") DAMPER ("l", "a, b") DAMPER ("m", "w, b")),
    OF_SHAPE (TWO, SPRING ("k", "w, a") SPRING ("l", "a, b") DAMPER ("m", "w, b")),
  };
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_model_free);
  g_autoptr (GPtrArray) networks = g_ptr_array_new_with_free_func (g_object_unref);

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autofree char *path = folder_path ("shape.ini");
      IfbamNetwork *network;

      assert_true (g_file_set_contents (path, shapes[i], -1, NULL));
      network = ifbam_network_new_from_file (path, NULL, &error);
      if (network == NULL)
        fail_msg ("%s", error->message);
      g_ptr_array_add (networks, network);
      g_ptr_array_add (models, compile (network, &spec));
    }
  for (guint i = 0; i < models->len; i++)
    for (guint j = 0; j < models->len; j++)
      if (i != j && ifbam_lanes_have_equal_structure (models->pdata[i], models->pdata[j]))
        fail_msg ("%s\nfits\n%s", shapes[i], shapes[j]);
}

/* Numbers that make events make another model. */
static void
test_events (void **state)
{
  static const struct
  {
    const char *element, *key;
  } cases[] = { { "mesh", "play" }, { "load", "end" } };
  g_autofree char *path = write_network (eventful);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
      IfbamElement *element = ifbam_network_get_element (network, cases[i].element);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = compile (network, &spec), other = NULL;

      assert_true (ifbam_lanes_can_run (model, &spec));
      assert_true (ifbam_lanes_remain_compatible (model, &spec, element));
      g_object_set (element, cases[i].key, 0.1, NULL);
      assert_false (ifbam_lanes_remain_compatible (model, &spec, element));
      other = compile (network, &spec);
      assert_false (ifbam_lanes_have_equal_structure (model, other));
      assert_false (ifbam_lanes_can_run (other, &spec));
    }
}

/* Large networks go by themselves. The width of lanes is a matter of the cache. */
static void
test_size (void **state)
{
  g_autofree char *path = write_network (chain_text);
  const struct
  {
    const char *path, *setting;
    gboolean suits;
    gsize least, most;
  } cases[] = {
    { "networks/three-dof.ini", NULL, TRUE, 5 * IFBAM_LANE_UNIT, 512 },
    { path, "c.count=1000", TRUE, IFBAM_LANE_UNIT, IFBAM_LANE_UNIT },
    { path, "c.count=1100", FALSE, IFBAM_LANE_UNIT, IFBAM_LANE_UNIT },
  };
  const IfbamSignal dissipated = { IFBAM_SIGNAL_DISSIPATED, FALSE, 0 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *settings[] = { cases[i].setting, NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network =
          ifbam_network_new_from_file (cases[i].path, settings, &error);
      g_autoptr (IfbamModel) model = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };

      if (network == NULL)
        fail_msg ("%s", error->message);
      model = compile (network, &spec);
      assert_int_equal (ifbam_lanes_can_run (model, &spec), cases[i].suits);
      assert_in_range (ifbam_lanes_width (model, &spec), cases[i].least, cases[i].most);
      assert_int_equal (ifbam_lanes_width (model, &spec) % IFBAM_LANE_UNIT, 0);
    }
  assert_false (ifbam_lanes_has_signal (&dissipated));
}

/* Time-dependent laws: kernels of n laws equal the class's function of each, at every level. */
static void
test_clocks (void **state)
{
  enum
  {
    N = 13
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (1994);
  guint n_types, n_classes = 0;
  const GType *types = ifbam_element_types (&n_types);

  (void) state;
  for (guint t = 0; t < n_types; t++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[t]);
      const guint n_numbers = (guint) (info->law_size / sizeof (double));
      double number[IFBAM_MAX_LAW][N];
      const double *columns[IFBAM_MAX_LAW];

      if (info->motion == NULL && info->value == NULL)
        continue;
      n_classes++;
      g_rand_set_seed (random, g_str_hash (info->name));
      for (guint k = 0; k < n_numbers; k++)
        columns[k] = number[k];
      for (guint trial = 0; trial < 300; trial++)
        {
          const double time = g_rand_double_range (random, -1, 10);
          const IfbamIsa isa = trial % (guint) (ifbam_isa_choose () + 1);
          double position[N], rate[N], acceleration[N], inertia[N];

          for (guint i = 0; i < N; i++)
            {
              inertia[i] = g_rand_double_range (random, 0.1, 5);
              for (guint k = 0; k < n_numbers; k++)
                number[k][i] = g_rand_double_range (random, -3, 6);
            }
          if (info->motion != NULL)
            info->motions[isa](columns, NULL, time, position, rate, acceleration, N);
          else
            info->values[isa](columns, NULL, time, inertia, position, N);
          for (guint i = 0; i < N; i++)
            {
              double law[IFBAM_MAX_LAW];
              IfbamMotion motion = { 0 };

              for (guint k = 0; k < n_numbers; k++)
                law[k] = number[k][i];
              if (info->motion != NULL)
                motion = info->motion (law, NULL, time);
              else
                motion.position = info->value (law, NULL, time, inertia[i]);
              assert_memory_equal (&position[i], &motion.position, sizeof (double));
              if (info->motion == NULL)
                continue;
              assert_memory_equal (&rate[i], &motion.rate, sizeof (double));
              assert_memory_equal (&acceleration[i], &motion.acceleration, sizeof (double));
            }
        }
    }
  assert_true (n_classes >= 4);
}

static gboolean
stop_at_once (gpointer data, guint64 steps)
{
  (void) steps;
  return ++*(guint *) data < 3;
}

static void
no_row (gpointer data, IfbamLanes *lanes)
{
  (void) data;
  (void) lanes;
}

static void
test_interruption (void **state)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_file ("networks/three-dof.ini", NULL, &error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec);
  g_autoptr (IfbamLanes) lanes = ifbam_lanes_new (model, &spec, WIDTH);
  guint calls = 0;
  guint64 diverged[WIDTH];
  const IfbamLanesRun run = { .stride = 1,
                              .last_step = spec.last_step,
                              .row = no_row,
                              .progress = stop_at_once,
                              .data = &calls };

  (void) state;
  assert_false (ifbam_lanes_run (lanes, WIDTH, &run, diverged));
  assert_int_equal (calls, 3);
}

/* Schemes of equations, and networks with events, run alone. */
static void
test_schemes (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (chain_text);
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[s]->name, NULL);
      model = compile (network, &spec);
      assert_true (ifbam_lanes_can_run (model, &spec)
                   == (ifbam_scheme_tableau (schemes[s]) == NULL));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_load),    cmocka_unit_test (test_count),
    cmocka_unit_test (test_points),  cmocka_unit_test (test_events),
    cmocka_unit_test (test_size),    cmocka_unit_test (test_clocks),
    cmocka_unit_test (test_shapes),  cmocka_unit_test (test_interruption),
    cmocka_unit_test (test_schemes),
  };

  return cmocka_run_group_tests (tests, set_up, folder_remove);
}

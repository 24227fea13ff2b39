/* test-lanes.c: a lane gives the numbers of a run by itself, bit for bit
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
#include "base/ifbam-error.h"
#include "run/run.h"
#include "engine/engine.h"

#define STEPS 150
#define WIDTH 16
#define LANES 11

static const char *const levels[] = { "baseline", "avx2", "avx512" };

static int
set_up (void **state)
{
  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
  return folder_make (state);
}

/* What the examples do not have: nodes with many ports and with none, links between given nodes, a
 * source on one, two that move, a weight, a link with one end, a gear. */
static const char tangle[] = "[network]\n"
                             "step = 1 ms\n"
                             "duration = 1 s\n"
                             "[ground wall]\n"
                             "[ground floor]\n"
                             "position = 1 cm\n"
                             "[drive d1]\n"
                             "amplitude = 1 mm\n"
                             "frequency = 3 Hz\n"
                             "[drive d2]\n"
                             "velocity = 2 cm/s\n"
                             "amplitude = 1 mm\n"
                             "frequency = 7 Hz\n"
                             "phase = 1 rad\n"
                             "[mass hub]\n"
                             "mass = 2 kg\n"
                             "position = 1 mm\n"
                             "[mass lonely]\n"
                             "mass = 1 kg\n"
                             "velocity = 1 m/s\n"
                             "[mass m1]\n"
                             "mass = 1 kg\n"
                             "[mass m2]\n"
                             "mass = 1.5 kg\n"
                             "[mass m3]\n"
                             "mass = 0.7 kg\n"
                             "velocity = -3 cm/s\n"
                             "[spring s1]\n"
                             "stiffness = 1 kN/m\n"
                             "between = hub, m1\n"
                             "[spring s2]\n"
                             "stiffness = 2 kN/m\n"
                             "cubic = 1 MN/m3\n"
                             "between = m2, hub\n"
                             "[spring s3]\n"
                             "stiffness = 1.5 kN/m\n"
                             "between = hub, m3\n"
                             "[spring s4]\n"
                             "stiffness = 800 N/m\n"
                             "between = wall, hub\n"
                             "[damper c1]\n"
                             "damping = 3 N s/m\n"
                             "between = hub, d1\n"
                             "[damper c2]\n"
                             "damping = 2 N s/m\n"
                             "between = d2, m3\n"
                             "[spring s5]\n"
                             "stiffness = 900 N/m\n"
                             "cubic = 2 MN/m3\n"
                             "between = d2, hub\n"
                             "[spring s6]\n"
                             "stiffness = 500 N/m\n"
                             "between = wall, floor\n"
                             "[bouc-wen s8]\n"
                             "stiffness = 2 kN/m\n"
                             "ratio = 0.2\n"
                             "yield = 5 mm\n"
                             "exponent = 2\n"
                             "between = m3, wall\n"
                             "[bouc-wen s9]\n"
                             "stiffness = 500 N/m\n"
                             "yield = 1 mm\n"
                             "beta = 0.8\n"
                             "between = hub, d2\n"
                             "[spring s7]\n"
                             "stiffness = 500 N/m\n"
                             "between = d1, floor\n"
                             "[force f1]\n"
                             "on = hub\n"
                             "amplitude = 2 N\n"
                             "frequency = 5 Hz\n"
                             "[force f2]\n"
                             "on = m1\n"
                             "value = 1 N\n"
                             "[force f3]\n"
                             "on = d1\n"
                             "value = 1 N\n"
                             "[gravity earth]\n"
                             "on = m1, hub\n"
                             "[drag air]\n"
                             "on = m3\n"
                             "coefficient = 5 kg/m\n"
                             "[inertia motor]\n"
                             "inertia = 0.1 kg m2\n"
                             "speed = 2 rad/s\n"
                             "[inertia shaft]\n"
                             "inertia = 0.4 kg m2\n"
                             "angle = 0.1 rad\n"
                             "[inertia tool]\n"
                             "inertia = 0.2 kg m2\n"
                             "[torque load]\n"
                             "on = tool\n"
                             "amplitude = 0.3 N m\n"
                             "frequency = 2 Hz\n"
                             "[gear g1]\n"
                             "ratio = -3\n"
                             "stiffness = 40 N m/rad\n"
                             "between = motor, shaft\n"
                             "[gear g2]\n"
                             "ratio = 0.7\n"
                             "stiffness = 30 N m/rad\n"
                             "damping = 0.1 N m s/rad\n"
                             "between = shaft, tool\n";

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

/* A network for a scheme, with a row for each of `steps` steps. */
static IfbamNetwork *
read_network (const char *path, const IfbamScheme *scheme, gboolean cold, guint64 steps,
              double step)
{
  char *setting[4] = { g_strdup_printf ("network.step=%.17g", step),
                       g_strdup_printf ("network.duration=%.17g", (double) steps * step),
                       g_strdup_printf ("network.sample=%.17g", step),
                       g_strdup_printf ("network.scheme=%s", scheme->name) };
  const char *settings[] = { setting[0],
                             setting[1],
                             setting[2],
                             setting[3],
                             cold ? "network.start=cold" : "network.start=warm",
                             NULL };
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network = ifbam_network_new_from_file (path, settings, &error);

  for (guint i = 0; i < G_N_ELEMENTS (setting); i++)
    g_free (setting[i]);
  if (network == NULL)
    fail_msg ("%s", error->message);
  return network;
}

static double
step_of (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
  double step;

  if (network == NULL)
    fail_msg ("%s", error->message);
  g_object_get (ifbam_network_get_settings (network), "step", &step, NULL);
  return step;
}

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

/* All signals that lanes can tell of a network. */
static IfbamSignals *
all_signals (const IfbamModel *model, const IfbamNetwork *network)
{
  static const char *const words[] = {
    "*.position",        "*.velocity",      "*.acceleration",  "*.angle", "*.speed",
    "*.force",           "*.compression",   "*.rate",          "*.mode",  "network.energy",
    "network.potential", "network.kinetic", "network.momentum"
  };
  g_autoptr (GString) record = g_string_new (NULL);
  char *reason = NULL;
  IfbamSignals *all;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *none = NULL;
      g_autoptr (IfbamSignals) signals =
          ifbam_signals_new (model, network->by_name, words[i], &none);

      if (signals != NULL)
        g_string_append_printf (record, "%s%s", record->len > 0 ? "," : "", words[i]);
    }
  all = ifbam_signals_new (model, network->by_name, record->str, &reason);
  assert_non_null (all);
  for (guint i = 0; i < all->signals->len; i++)
    assert_true (ifbam_lanes_tell (&g_array_index (all->signals, IfbamSignal, i)));
  return all;
}

static gboolean
is_varied (const IfbamElement *element)
{
  return element->info->kind != IFBAM_KIND_COMPOSITE && element->info->prepare == NULL
         && (ifbam_element_param_index (element->info, "course") < 0
             || ifbam_element_slots (element)[IFBAM_SLOT_COURSE] == NULL);
}

/* Whether a link that is linear without a number is not with it. */
static gboolean
makes_nonlinear (const IfbamElementInfo *info, const IfbamParam *param)
{
  double law[IFBAM_MAX_LAW] = { 0 };
  unsigned before;

  if (info->kind != IFBAM_KIND_LINK || info->link->points == NULL || !ifbam_param_in_law (param))
    return FALSE;
  before = info->link->points (law);
  *(double *) (gpointer) ((char *) law + param->place) = 1;
  return info->link->points (law) != before;
}

/* Whether an element can't have what it has: a number that is said of another kind of it. */
static gboolean
is_faulty (IfbamElement *element)
{
  const char *key = NULL;
  g_autofree char *reason =
      element->info->fault == NULL ? NULL : element->info->fault (element, &key);

  return reason != NULL;
}

/* Other numbers, with which links stay linear or not as they are. */
static void
vary (IfbamElement *element, GRand *random)
{
  const IfbamElementInfo *info = element->info;

  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      double *number = (double *) (gpointer) ((char *) ifbam_element_law (element) + param->place);
      double before;

      if (param->kind != IFBAM_PARAM_NUMBER || fabs (*number) > 1e300)
        continue;
      before = *number;
      if (*number != 0)
        {
          *number *= g_rand_double_range (random, 0.8, 1.25);
          *number = CLAMP (*number, param->minimum, param->maximum);
        }
      else if (param->minimum < 0 && !makes_nonlinear (info, param))
        *number = g_rand_double_range (random, -1e-3, 1e-3);
      if (is_faulty (element))
        *number = before;
    }
}

/* The rows of a run or of lanes: [row][signal][lane]. */
typedef struct
{
  const IfbamSignals *signals;
  GArray *values;
  gsize width;
} Rows;

static gboolean
keep_row (gpointer data, double time, const double *values, GError **error)
{
  Rows *rows = data;

  (void) time;
  (void) error;
  g_array_append_vals (rows->values, values, rows->signals->signals->len);
  return TRUE;
}

static void
keep_lanes (gpointer data, IfbamLanes *lanes)
{
  Rows *rows = data;
  double scratch[WIDTH];

  for (guint i = 0; i < rows->signals->signals->len; i++)
    g_array_append_vals (
        rows->values,
        ifbam_lanes_signal (lanes, &g_array_index (rows->signals->signals, IfbamSignal, i),
                            scratch),
        WIDTH);
}

/* A run by itself; the step at which it diverged. */
static guint64
run_alone (const IfbamModel *model, const IfbamRunSpec *spec, const IfbamSignals *signals,
           gboolean allow_divergence, GArray *values)
{
  Rows rows = { signals, values, 1 };
  IfbamRunTask run = {
    .threads = 1, .allow_divergence = allow_divergence, .row = keep_row, .data = &rows
  };
  g_autoptr (GError) error = NULL;

  if (ifbam_run (&run, model, signals, spec, &error))
    return IFBAM_LANES_FINE;
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED));
  return run.stopped;
}

static void
compare (const char *what, const Rows *lanes, gsize lane, const GArray *alone, guint64 n_rows)
{
  const guint n = lanes->signals->signals->len;

  for (guint64 i = 0; i < n_rows * n; i++)
    {
      const double *own = &g_array_index (alone, double, i);
      const double *in_lane = &g_array_index (lanes->values, double, i *WIDTH + lane);

      if (memcmp (own, in_lane, sizeof (double)) != 0)
        fail_msg ("%s: lane %" G_GSIZE_FORMAT ", row %" G_GUINT64_FORMAT ", %s: %.17g alone is "
                  "%.17g in the lane",
                  what, lane, i / n, (char *) lanes->signals->names->pdata[i % n], *own, *in_lane);
    }
}

/* Lanes with other numbers each, against runs by themselves. Returns how many diverged. */
static guint
check (const char *what, IfbamNetwork *network, gboolean allow_divergence, GRand *random)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec);
  g_autoptr (IfbamSignals) signals = all_signals (model, network);
  g_autoptr (IfbamLanes) lanes = ifbam_lanes_new (model, &spec, WIDTH);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *alone[LANES];
  guint64 alone_diverged[LANES], diverged[LANES];
  Rows rows = { signals, values, WIDTH };
  const IfbamLanesRun run = { .stride = spec.stride,
                              .last_step = spec.last_step,
                              .every_row = TRUE,
                              .allow_divergence = allow_divergence,
                              .row = keep_lanes,
                              .data = &rows };
  guint n_diverged = 0;

  assert_true (ifbam_lanes_suit (model, &spec));
  for (gsize l = 0; l < LANES; l++)
    {
      g_autoptr (IfbamModel) own = NULL;

      for (guint i = 0; i < network->elements->len && l > 0; i++)
        if (is_varied (network->elements->pdata[i]))
          {
            vary (network->elements->pdata[i], random);
            assert_true (ifbam_lanes_bear (model, &spec, network->elements->pdata[i]));
            ifbam_lanes_set (lanes, l, network->elements->pdata[i]);
          }
      own = compile (network, &spec);
      assert_true (ifbam_lanes_fit (model, own));
      alone[l] = g_array_new (FALSE, FALSE, sizeof (double));
      alone_diverged[l] = run_alone (own, &spec, signals, allow_divergence, alone[l]);
    }
  assert_true (ifbam_lanes_run (lanes, LANES, &run, diverged));
  for (gsize l = 0; l < LANES; l++)
    {
      const guint64 n_rows = MIN (spec.last_step + 1, alone_diverged[l]);

      if (diverged[l] != alone_diverged[l])
        fail_msg ("%s: lane %" G_GSIZE_FORMAT " diverged at %" G_GUINT64_FORMAT
                  ", by itself at %" G_GUINT64_FORMAT,
                  what, l, diverged[l], alone_diverged[l]);
      n_diverged += diverged[l] != IFBAM_LANES_FINE;
      assert_int_equal (alone[l]->len, n_rows * signals->signals->len);
      compare (what, &rows, l, alone[l], n_rows);
      g_array_unref (alone[l]);
    }
  return n_diverged;
}

/* One network under all schemes and starts, at changing levels of instructions. */
static guint
check_schemes (const char *path, double step, guint64 steps, gboolean allow_divergence)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1994);
  const guint n_levels = (guint) ifbam_isa_choose () + 1;
  guint n, level = 0, n_diverged = 0;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  for (guint s = 0; s < n; s++)
    for (int cold = 0; cold < (schemes[s]->begin_cold != NULL ? 2 : 1); cold++)
      {
        g_autofree char *what = g_strdup_printf ("%s, %s%s, %s", path, schemes[s]->name,
                                                 cold ? " cold" : "", levels[level]);
        g_autoptr (IfbamNetwork) network = NULL;

        g_setenv ("IFBAM_ISA", levels[level], TRUE);
        level = (level + 1) % n_levels;
        network = read_network (path, schemes[s], cold, steps, step);
        if (ifbam_scheme_tableau (schemes[s]) == NULL)
          n_diverged += check (what, network, allow_divergence, random);
        else
          {
            g_auto (IfbamRunSpec) spec = { 0 };
            g_autoptr (IfbamModel) model = compile (network, &spec);

            assert_false (ifbam_lanes_suit (model, &spec)); /* they run by themselves */
          }
      }
  g_unsetenv ("IFBAM_ISA");
  return n_diverged;
}

/* Networks with events run by themselves. */
static gboolean
suits (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (network, &spec);

  assert_true (ifbam_lanes_suit (model, &spec) == !ifbam_model_has_events (model));
  return ifbam_lanes_suit (model, &spec);
}

static void
test_examples (void **state)
{
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);
  guint n = 0;

  (void) state;
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p], *name = strrchr (path, G_DIR_SEPARATOR) + 1;

      if (g_str_equal (name, "chain-1000.ini") || !suits (path))
        continue;
      check_schemes (path, step_of (path), STEPS, FALSE);
      n++;
    }
  assert_true (n >= by_effort (3, 12, 12));
}

static char *
write_network (const char *text)
{
  char *path = g_build_filename (folder, "network.ini", NULL);

  assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_tangle (void **state)
{
  g_autofree char *path = write_network (tangle);

  (void) state;
  check_schemes (path, 1e-3, STEPS, FALSE);
}

/* With steps that are too long some lanes diverge, at the step at which they do by themselves. */
static void
test_divergence (void **state)
{
  g_autofree char *path = write_network (tangle);

  (void) state;
  assert_true (check_schemes ("networks/three-dof.ini", 8e-3, 900, FALSE) > 10);
  assert_true (check_schemes ("networks/two-dof.ini", 25e-3, 200, FALSE) > 30);
  assert_true (check_schemes (path, 60e-3, 500, FALSE) > 30);
  assert_true (check_schemes (path, 60e-3, 1000, TRUE) > 10);
}

/* A lane's numbers can be those of a whole model: so composites can be varied. */
static void
test_load (void **state)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = write_network (chain_text);
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
  IfbamElement *chain = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamLanes) lanes = NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *alone[3];
  guint64 diverged[G_N_ELEMENTS (alone)];
  Rows rows = { .values = values, .width = WIDTH };
  IfbamLanesRun run = { .row = keep_lanes, .every_row = TRUE, .data = &rows };
  double count;

  (void) state;
  assert_non_null (network);
  for (guint i = 0; i < network->elements->len; i++)
    if (((IfbamElement *) network->elements->pdata[i])->info->kind == IFBAM_KIND_COMPOSITE)
      chain = network->elements->pdata[i];
  assert_non_null (chain);
  model = compile (network, &spec);
  assert_true (ifbam_lanes_suit (model, &spec));
  signals = all_signals (model, network);
  rows.signals = signals;
  lanes = ifbam_lanes_new (model, &spec, WIDTH);
  for (guint l = 0; l < G_N_ELEMENTS (alone); l++)
    {
      const double stiffness[2] = { 1e3 * (l + 1), 2e3 * (l + 1) };
      g_autoptr (IfbamModel) own = NULL;

      g_object_set (
          chain, "stiffness",
          g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, stiffness, 2, sizeof (double)), NULL);
      own = compile (network, &spec);
      assert_true (ifbam_lanes_fit (model, own));
      ifbam_lanes_load (lanes, l, l + 1, own, &spec);
      alone[l] = g_array_new (FALSE, FALSE, sizeof (double));
      assert_true (run_alone (own, &spec, signals, FALSE, alone[l]) == IFBAM_LANES_FINE);
      assert_false (ifbam_lanes_bear (model, &spec, chain));
    }
  run.stride = spec.stride;
  run.last_step = spec.last_step;
  assert_true (ifbam_lanes_run (lanes, G_N_ELEMENTS (alone), &run, diverged));
  for (guint l = 0; l < G_N_ELEMENTS (alone); l++)
    {
      assert_true (diverged[l] == IFBAM_LANES_FINE);
      compare ("chain", &rows, l, alone[l], alone[l]->len / signals->signals->len);
      g_array_unref (alone[l]);
    }
  /* One mass more is another network. */
  g_object_get (chain, "count", &count, NULL);
  g_object_set (chain, "count", count + 1, NULL);
  {
    g_autoptr (IfbamModel) longer = compile (network, &spec);

    assert_false (ifbam_lanes_fit (model, longer));
  }
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
  assert_true (ifbam_lanes_bear (model, &spec, spring));
  g_object_set (spring, "cubic", 1e6, NULL);
  assert_false (ifbam_lanes_bear (model, &spec, spring));
  cubic = compile (network, &spec);
  assert_false (ifbam_lanes_fit (model, cubic));
  assert_true (ifbam_lanes_bear (cubic, &spec, spring));
  g_object_set (spring, "cubic", 0.0, NULL);
  assert_false (ifbam_lanes_bear (cubic, &spec, spring));
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
      if (i != j && ifbam_lanes_fit (models->pdata[i], models->pdata[j]))
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

      assert_true (ifbam_lanes_suit (model, &spec));
      assert_true (ifbam_lanes_bear (model, &spec, element));
      g_object_set (element, cases[i].key, 0.1, NULL);
      assert_false (ifbam_lanes_bear (model, &spec, element));
      other = compile (network, &spec);
      assert_false (ifbam_lanes_fit (model, other));
      assert_false (ifbam_lanes_suit (other, &spec));
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
      assert_int_equal (ifbam_lanes_suit (model, &spec), cases[i].suits);
      assert_in_range (ifbam_lanes_width (model, &spec), cases[i].least, cases[i].most);
      assert_int_equal (ifbam_lanes_width (model, &spec) % IFBAM_LANE_UNIT, 0);
    }
  assert_false (ifbam_lanes_tell (&dissipated));
}

/* What goes by the clock: kernels of n laws give what the class says of each, at every level. */
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

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_examples),     cmocka_unit_test (test_tangle),
    cmocka_unit_test (test_divergence),   cmocka_unit_test (test_load),
    cmocka_unit_test (test_points),       cmocka_unit_test (test_events),
    cmocka_unit_test (test_size),         cmocka_unit_test (test_clocks),
    cmocka_unit_test (test_interruption), cmocka_unit_test (test_shapes),
  };

  return cmocka_run_group_tests (tests, set_up, folder_remove);
}

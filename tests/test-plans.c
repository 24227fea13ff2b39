/* test-plans.c: how a model is laid out for the compiled engine, its levels of instructions, and energies that engines compute in
 * passing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "fixture.h"
#include "matrix/matrix.h"
#include "run/run.h"

static const char *const levels[] = { "baseline", "avx2", "avx512" };

#define STEPS       75
#define N_SMALL     24 /* of each feature */
#define MAX_THREADS 3

static guint n_levels;

static int
set_up (void **state)
{
  g_autofree char *text = matrix_measured_text (), *path = NULL;

  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
  n_levels = (guint) ifbam_isa_choose () + 1;
  if (folder_make (state) != 0)
    return 1;
  path = folder_write ("measured.csv", text);
  return 0;
}

static IfbamNetwork *
build (const char *groups, const char *record)
{
  g_autofree char *text =
      g_strdup_printf ("[network]\nstep = 0.2 ms\nduration = %.17g\nrecord = %s\n%s",
                       STEPS * 0.2e-3, record, groups);

  return text_network (text);
}

static IfbamModel *
compile (IfbamNetwork *network, IfbamRunSpec *spec)
{
  g_autoptr (GError) error = NULL;
  IfbamModel *model = ifbam_network_compile_or_error (network, TRUE, spec, NULL, &error);

  if (model == NULL)
    fail_msg ("%s", error->message);
  return model;
}

/* Models of random networks without events, of each size. */
static IfbamNetwork *
draw_network (guint number)
{
  static const MatrixFeatures features[] = { MATRIX_LINE, MATRIX_MEMBRANE, MATRIX_TANGLE,
                                             MATRIX_CIRCUIT };
  g_autofree char *text = matrix_draw_text (1 + number / G_N_ELEMENTS (features),
                                            features[number % G_N_ELEMENTS (features)]);

  return build (text, "network.energy");
}

static IfbamEngine *
tiled_engine (const IfbamModel *model, const IfbamRunSpec *spec, const char *tile, guint threads)
{
  IfbamEngine *engine;

  if (tile != NULL)
    g_setenv ("IFBAM_TILE", tile, TRUE);
  engine = ifbam_compiled_engine_new (model, spec, threads);
  g_unsetenv ("IFBAM_TILE");
  return engine;
}

/* Schemes of tiles: implicit ones have one method, and sums in the order of its elimination. */
static const IfbamScheme *const *
explicit_schemes (guint *n)
{
  static const IfbamScheme *found[32];
  guint n_all;
  const IfbamScheme *const *all = ifbam_schemes (&n_all);

  *n = 0;
  for (guint s = 0; s < n_all && s < G_N_ELEMENTS (found); s++)
    if (ifbam_scheme_tableau (all[s]) == NULL)
      found[(*n)++] = all[s];
  return found;
}

typedef struct
{
  const char *tile;
  guint threads;
  gboolean listens;
} Layout;

static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  (void) data;
  (void) stage;
  (void) position;
  (void) rate;
}

/* Energies for the divergence check: looked at from outside, or by the engine while it passes. Only here
 * a sum may depend on the way, by rounding. */
static void
assert_looks (IfbamModel *model, const IfbamRunSpec *spec, const Layout *way)
{
  g_autoptr (IfbamEngine) engine = tiled_engine (model, spec, way->tile, way->threads);
  IfbamEnergyBalance *balance = ifbam_energy_balance_new (engine, IFBAM_ACCOUNT_NONE, FALSE);

  if (way->listens)
    engine->listener = listen;
  ifbam_engine_start (engine);
  ifbam_engine_advance (engine, 20, NULL);
  for (int round = 0; round < 3; round++)
    {
      IfbamView view = ifbam_energy_balance_view (balance, TRUE);
      IfbamSums sums = ifbam_energy_balance_sums (balance, &view);
      const double energy = sums.kinetic + sums.stored;

      assert_true (energy > 0);
      if (round % 2 == 1 && !(fabs (ifbam_engine_check_energy (engine) - energy) <= 1e-12 * energy))
        fail_msg ("%s, tile %s, %u threads: a look at an energy of %.17g, not %.17g",
                  spec->scheme->name, way->tile, way->threads, ifbam_engine_check_energy (engine),
                  energy);
      engine->passing.is_wanted = TRUE;
      engine->passing.energy = NAN;
      ifbam_engine_advance (engine, 7 + 20 * (guint64) round, NULL);
      assert_false (engine->passing.is_wanted);
      if (engine->passing.is_offered && !(fabs (engine->passing.energy - energy) <= 1e-12 * energy))
        fail_msg ("%s, tile %s, %u threads%s: an energy of %g, not %g", spec->scheme->name,
                  way->tile, way->threads, way->listens ? ", heard" : "", engine->passing.energy,
                  energy);
    }
  ifbam_energy_balance_free (balance);
}

static void
test_looks (void **state)
{
  static const Layout all[] = { { .threads = 1 },
                                { .threads = 2 },
                                { .threads = 3, .tile = "24,4" },
                                { .threads = 2, .tile = "100,16" },
                                { .threads = 1, .tile = "512,64" },
                                { .threads = 1, .tile = "20000,64" },
                                { .threads = 2, .tile = "60,12", .listens = TRUE } };
  guint n;
  const IfbamScheme *const *schemes = explicit_schemes (&n);

  (void) state;
  for (guint i = 0; i < by_effort (10, 40, 200); i++)
    {
      g_autoptr (IfbamNetwork) network = draw_network (i);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;

      g_object_set (ifbam_network_get_settings (network), "scheme", schemes[i % n]->name, NULL);
      model = compile (network, &spec);
      for (guint w = 0; w < G_N_ELEMENTS (all); w++)
        assert_looks (model, &spec, &all[w]);
    }
}

/* Plans */

static guint
count_link_runs (const IfbamModel *model, guint *groups, gsize *links)
{
  guint n = 0;

  *groups = 0;
  *links = 0;
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      *groups += batch->n_groups;
      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++, n++)
          *links += batch->groups[g].runs[r].n;
    }
  return n;
}

static guint
count_node_runs (const IfbamModel *model, guint degree, gsize *nodes)
{
  guint n = 0;

  *nodes = 0;
  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);

      if (run->degree != degree)
        continue;
      n++;
      *nodes += run->n;
    }
  return n;
}

static IfbamModel *
compile_text (const char *text)
{
  g_autoptr (IfbamNetwork) network = build (text, "network.energy");
  g_auto (IfbamRunSpec) spec = { 0 };

  return compile (network, &spec);
}

static void
test_runs_of_a_chain (void **state)
{
  g_autoptr (IfbamModel) model = compile_text ("[ground g]\n[chain c]\ncount = 1000\nmass = 1, 2\n"
                                               "stiffness = 10000, 3000, 500\nfrom = g\n");
  guint groups;
  gsize n;

  (void) state;
  assert_int_equal (count_link_runs (model, &groups, &n), 1);
  assert_int_equal (groups, 1);
  assert_int_equal (n, 999); /* the first one holds the ground */
  assert_int_equal (count_node_runs (model, 2, &n), 1);
  assert_true (n >= 998); /* the first one hears the ground, the last one has one neighbour */
  assert_int_equal (model->bandwidth, 1);
  assert_null (model->number);
}

/* With dampers a run of each class, and nodes that hear both: k1, d1, k2, d2, ... */
static void
test_runs_of_a_damped_chain (void **state)
{
  g_autoptr (IfbamModel) model = compile_text ("[ground g]\n[chain c]\ncount = 1000\nmass = 1, 2\n"
                                               "stiffness = 10000\ndamping = 1, 3\nfrom = g\n");
  guint groups;
  gsize n;

  (void) state;
  assert_int_equal (count_link_runs (model, &groups, &n), 2);
  assert_int_equal (groups, 2);
  assert_int_equal (n, 2 * 999);
  assert_int_equal (count_node_runs (model, 4, &n), 1);
  assert_true (n >= 998);
}

/* A run for each row, and one for all that joins the rows; nodes inside rows hear four in a run. */
static void
test_runs_of_a_membrane (void **state)
{
  const guint width = 30, height = 20;
  g_autofree char *text = matrix_draw_plain_grid (width, height);
  g_autoptr (IfbamModel) model = compile_text (text);
  guint groups;
  gsize n;

  (void) state;
  assert_int_equal (model->bandwidth, width);
  assert_int_equal (count_link_runs (model, &groups, &n), height + 1);
  assert_int_equal (groups, 2);
  assert_int_equal (n, model->n_links);
  assert_int_equal (count_node_runs (model, 4, &n), height - 2);
  assert_int_equal (n, (width - 2) * (height - 2));
  assert_int_equal (count_node_runs (model, 3, &n), 2);
  assert_int_equal (n, 2 * (width - 2));
  assert_int_equal (count_node_runs (model, 0, &n), height + 1);
  assert_int_equal (n, 2 * height);
}

/* Every free node is in one run, and a run's slots and signs are the ports of its nodes. */
static void
assert_node_runs_are_ports (const IfbamModel *model)
{
  gsize next = 0;

  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);

      assert_int_equal (run->first, next);
      next += run->n;
      for (gsize i = 0; i < run->n && run->degree > 0; i++)
        {
          const guint32 *port = model->port + model->port_start[run->first + i];

          assert_int_equal (model->port_start[run->first + i + 1]
                                - model->port_start[run->first + i],
                            run->degree);
          for (guint p = 0; p < run->degree; p++)
            {
              assert_int_equal (port[p] >> 1, run->slot[p] + i);
              assert_true (run->sign[p] == (port[p] & 1 ? -1.0 : 1.0));
            }
        }
    }
  assert_int_equal (next, model->n_free);
}

/* Residue, runs, and links to given nodes are all links of a batch, once, with unused slots between them;
 * data that a tile searches by bisection are sorted. */
static void
assert_batch_is_whole (const IfbamBatch *batch)
{
  gsize next = batch->n_residue;

  for (gsize i = 1; i < batch->first_idle; i++)
    if (i < batch->n_residue || i > batch->first_driven)
      assert_true (ifbam_batch_owner (batch, i - 1) <= ifbam_batch_owner (batch, i));
  for (guint g = 0; g < batch->n_groups; g++)
    for (gsize r = 0; r < batch->groups[g].n_runs; r++)
      {
        const IfbamLinkRun *run = &batch->groups[g].runs[r];

        assert_true (run->first >= next && run->first < next + IFBAM_LINE);
        next = run->first + run->n;
        assert_true (r == 0 || run[-1].owner + run[-1].n <= run->owner);
        for (gsize i = 0; i < run->n; i++)
          {
            assert_int_equal (batch->left[run->first + i], run->left + i);
            assert_int_equal (batch->right[run->first + i], run->right + i);
            assert_int_equal (ifbam_batch_owner (batch, run->first + i), run->owner + i);
          }
      }
  assert_int_equal (batch->first_driven, next);
  assert_true (batch->first_driven <= batch->first_idle && batch->first_idle <= batch->count);
}

static void
assert_batches_are_whole (const IfbamModel *model)
{
  g_autofree guint8 *seen = g_new0 (guint8, model->n_slots + 1);
  gsize slot = 0;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      assert_batch_is_whole (batch);
      assert_true (batch->first_slot >= slot);
      slot = batch->first_slot + batch->count;
      /* Then, of some, the forces on right ends. */
      assert_true (batch->far_slot == batch->first_slot || batch->far_slot >= slot);
      assert_true ((batch->far_slot == batch->first_slot) == !batch->law->geometry->scaled);
      slot = batch->far_slot + batch->count;
      for (guint k = 0; k < batch->law->n_states; k++)
        {
          assert_true (batch->state_slot[k] >= slot);
          slot = batch->state_slot[k] + batch->count;
        }
    }
  /* Last the rates of unbatched links' states. */
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->unbatched_links, IfbamLink, j);

      assert_true (link->state_slot >= slot);
      slot = link->state_slot + (link->place == 0 ? link->n_states : 0);
    }
  assert_int_equal (slot, model->n_slots);
  for (gsize i = 0; i < model->n_links; i++)
    {
      assert_true (model->link_slot[i] < model->n_slots);
      assert_int_equal (seen[model->link_slot[i]]++, 0);
    }
}

static void
test_plans_are_whole (void **state)
{
  (void) state;
  for (guint i = 0; i < 4 * N_SMALL; i++)
    {
      g_autoptr (IfbamNetwork) network = draw_network (i);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = compile (network, &spec);

      assert_node_runs_are_ports (model);
      assert_batches_are_whole (model);
      for (gsize k = 0; k < model->n_free && model->number != NULL; k++)
        assert_int_equal (model->file_node[model->number[k]], k);
    }
}

/* Renumbering */

/* The course of a mass by its name, of the same network with its masses in another order. */
static void
assert_same_by_name (const char *straight, const char *scrambled, guint n, gsize bandwidth)
{
  g_autoptr (IfbamNetwork) network = build (straight, "*.position, *.acceleration");
  g_autoptr (IfbamNetwork) other = build (scrambled, "*.position, *.acceleration");
  guint n_schemes;
  const IfbamScheme *const *schemes = explicit_schemes (&n_schemes);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = compile (other, &spec);

  assert_non_null (model->number);
  assert_true (model->bandwidth <= bandwidth);
  for (guint s = 0; s < n_schemes; s++)
    {
      g_autoptr (IfbamCourse) one = NULL;
      g_autoptr (IfbamCourse) two = NULL;

      for (int k = 0; k < 2; k++)
        g_object_set (ifbam_network_get_settings (k == 0 ? network : other), "scheme",
                      schemes[s]->name, "sample", 3e-3, NULL);
      one = ifbam_network_run (network, IFBAM_ENGINE_PLAN, NULL);
      two = ifbam_network_run (other, IFBAM_ENGINE_PLAN, NULL);
      assert_true (one != NULL && two != NULL);
      for (guint i = 0; i < 2 * n; i++)
        {
          g_autofree char *signal =
              g_strdup_printf ("m%u.%s", i / 2, i % 2 == 0 ? "position" : "acceleration");
          gsize rows, other_rows;
          const double *a = ifbam_course_get_values (one, signal, &rows, NULL);
          const double *b = ifbam_course_get_values (two, signal, &other_rows, NULL);

          assert_true (rows == STEPS / 15 + 1 && rows == other_rows);
          if (memcmp (a, b, rows * sizeof (double)) != 0)
            fail_msg ("%s, %s", schemes[s]->name, signal);
        }
    }
}

static void
test_renumbered_ring (void **state)
{
  g_autofree char *ring = matrix_draw_ring (8, 2100, FALSE);
  g_autofree char *scrambled = matrix_draw_ring (8, 2100, TRUE);

  (void) state;
  assert_same_by_name (ring, scrambled, 2100, 2);
}

static void
test_renumbered_membrane (void **state)
{
  const guint width = 33, height = 64;
  g_autofree char *straight = matrix_draw_grid (9, width, height, FALSE);
  g_autofree char *scrambled = matrix_draw_grid (9, width, height, TRUE);

  (void) state;
  /* The walk goes by diagonals, so each level of it has at most `width` masses. */
  assert_same_by_name (straight, scrambled, width * height, 2 * width);
}

/* The engine takes as many threads as the network is large enough for. */
static void
test_threads (void **state)
{
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamNetwork) network =
      build ("[chain c]\ncount = 40000\nmass = 1\nstiffness = 10000\n", "network.energy");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamEngine) plain = NULL, shared = NULL;

  (void) state;
  model = compile (network, &spec);
  plain = tiled_engine (model, &spec, "1,1", 1);
  assert_int_equal (((IfbamCompiledEngine *) plain)->n_threads, 1);
  shared = tiled_engine (model, &spec, "64,16", MAX_THREADS);
  assert_int_equal (((IfbamCompiledEngine *) shared)->n_threads, MAX_THREADS);
}

/* Levels that this processor lacks, and unknown ones, are not taken. */
static void
test_levels (void **state)
{
  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      g_setenv ("IFBAM_ISA", levels[i], TRUE);
      assert_int_equal (ifbam_isa_choose (), MIN (i, n_levels - 1));
    }
  g_setenv ("IFBAM_ISA", "mmx", TRUE);
  assert_int_equal (ifbam_isa_choose (), n_levels - 1);
  g_unsetenv ("IFBAM_ISA");
  print_message ("# levels of instructions up to %s\n", levels[n_levels - 1]);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_levels),
    cmocka_unit_test (test_looks),
    cmocka_unit_test (test_threads),
    cmocka_unit_test (test_runs_of_a_chain),
    cmocka_unit_test (test_runs_of_a_damped_chain),
    cmocka_unit_test (test_runs_of_a_membrane),
    cmocka_unit_test (test_plans_are_whole),
    cmocka_unit_test (test_renumbered_ring),
    cmocka_unit_test (test_renumbered_membrane),
  };

  return cmocka_run_group_tests (tests, set_up, folder_remove);
}

/* ways.c: the axis of ways that run a network in this process
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/by-hand.h"
#include "matrix.h"

#define BY_HAND_CYCLES 150
#define BESIDE_STEP    5e-3 /* longest step beside an unrelated part [s] */

/* IFBAM_TILE: narrower and wider than skews, shallow and deep; NULL: as the engine chooses. */
static const char *const tiles[] = { NULL,    "1,2",   "3,5",    "8,64",   "16,3",   "24,16",
                                     "60,12", "100,2", "512,64", "700,33", "5000,7", "20000,64" };
#define DRAWN_TILE "drawn"
static const char *const levels[] = { "baseline", "avx2", "avx512" };

/* Tasks */

static const char *
compiled_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  return matrix_case_has_events (one) ? "events and equations are the event engine's" : NULL;
}

static const char *
level_can (const MatrixWay *way, MatrixCase *one)
{
  guint level = 0;

  (void) one;
  while (!g_str_equal (levels[level], way->isa))
    level++;
  return level > (guint) ifbam_isa_choose () ? "the processor lacks these instructions" : NULL;
}

static const char *
compiled_level_can (const MatrixWay *way, MatrixCase *one)
{
  const char *reason = compiled_can (way, one);

  return reason != NULL ? reason : level_can (way, one);
}

static const char *
event_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  return matrix_case_has_events (one) ? NULL : "nothing happens in the network";
}

static const char *
always_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  (void) one;
  return NULL;
}

void
matrix_way_enter (const MatrixWay *way)
{
  if (way->tile != NULL)
    g_setenv ("IFBAM_TILE", way->tile, TRUE);
  if (way->isa != NULL)
    g_setenv ("IFBAM_ISA", way->isa, TRUE);
}

void
matrix_way_leave (void)
{
  g_unsetenv ("IFBAM_TILE");
  g_unsetenv ("IFBAM_ISA");
}

/* A model for other instructions. */
static void
compile_again (MatrixTask *self, const MatrixWay *way, const MatrixCase *one)
{
  g_autoptr (GError) error = NULL;

  matrix_way_enter (way);
  self->owned_model =
      ifbam_network_compile_or_error (one->network, TRUE, &self->owned_spec, NULL, &error);
  matrix_way_leave ();
  if (self->owned_model == NULL)
    fail_msg ("%s: %s", one->name, error->message);
  assert_string_equal (levels[self->owned_spec.isa], way->isa);
  self->spec.isa = self->owned_spec.isa;
  self->model = self->owned_model;
}

void
matrix_task_init (MatrixTask *self, const MatrixWay *way, const MatrixCase *one,
                  MatrixRecord record)
{
  *self = (MatrixTask){ .task = matrix_case_task (record),
                        .model = one->model,
                        .spec = matrix_case_spec (one, record) };
  self->task.threads = way->threads == 0 ? 1 + (one->seed + one->seed / 3) % 3 : way->threads;
  self->task.objects = way->objects;
  self->task.by_events = way->by_events;
  if (way->isa != NULL)
    compile_again (self, way, one);
}

void
matrix_task_clear (MatrixTask *self)
{
  g_clear_pointer (&self->owned_model, ifbam_model_free);
  ifbam_run_spec_clear (&self->owned_spec);
}

MatrixWay
matrix_way_draw (const MatrixWay *way, const MatrixCase *one)
{
  MatrixWay own = *way;

  if (g_strcmp0 (way->tile, DRAWN_TILE) == 0)
    own.tile = tiles[(one->seed + (guint) (way - matrix_ways) * 5) % G_N_ELEMENTS (tiles)];
  return own;
}

static void
run_task (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  const MatrixOutcome *wanted = matrix_case_wanted (one, record);
  g_autofree char *what = g_strdup_printf ("%s: %s, tile %s", one->name, way->name,
                                           way->tile == NULL ? "-" : way->tile);
  g_auto (MatrixTask) task = { 0 };
  g_auto (MatrixOutcome) outcome = { 0 };

  matrix_task_init (&task, way, one, record);
  matrix_outcome_init (&outcome, one->signals[record]);
  matrix_way_enter (way);
  matrix_outcome_run (&outcome, &task.task, task.model, &task.spec);
  matrix_way_leave ();
  matrix_outcome_compare (what, wanted, &outcome, NULL);
}

/* The reference way once more, with a pause. */
static void
run_reference (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  matrix_pause (way, one, record);
}

/* The dialogue by hand */

static const char *
by_hand_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  if (one->spec.tolerance > 0)
    return "a tolerance chooses the steps";
  if (one->spec.equilibrium)
    return "an equilibrium is no start of a dialogue";
  if (matrix_case_wanted (one, MATRIX_RECORD_MOTION)->error != NULL)
    return "the run ends early";
  return NULL;
}

static void
run_by_hand (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  g_autoptr (IfbamNetwork) network = matrix_case_network (one, NULL);
  g_autofree char *what = g_strdup_printf ("%s: %s", one->name, way->name);

  (void) record;
  compare_by_hand (network, MIN (BY_HAND_CYCLES, one->spec.last_step), what);
}

/* Beside an unrelated part */

static const char *
beside_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  if (one->spec.tolerance > 0)
    return "a tolerance chooses the steps of all parts";
  if (one->spec.step > BESIDE_STEP)
    return "the step is too long for the other part";
  if (one->spec.equilibrium)
    return "an equilibrium is that of all parts";
  if (one->model->n_junctions > 0)
    return "the inertia of massless nodes in impulses depends on all parts";
  if (one->spec.cold && !matrix_case_has_events (one))
    return "a cold start is for networks without events";
  if (matrix_case_wanted (one, MATRIX_RECORD_MOTION)->error != NULL)
    return "a run that ends early ends for all parts";
  return NULL;
}

static GArray *
own_events (const GArray *events)
{
  GArray *own = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));

  for (guint i = 0; i < events->len; i++)
    if (!g_str_has_prefix (g_array_index (events, IfbamEvent, i).element, "zz"))
      g_array_append_val (own, g_array_index (events, IfbamEvent, i));
  return own;
}

static void
run_beside (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  const MatrixOutcome *wanted = matrix_case_wanted (one, record);
  g_autofree char *more = matrix_draw_text (one->seed, MATRIX_BESIDE), *reason = NULL;
  g_autofree char *what = g_strdup_printf ("%s: %s", one->name, way->name), *names = NULL;
  g_autoptr (IfbamNetwork) network = matrix_case_network (one, more);
  g_autoptr (IfbamSignals) signals = NULL;
  g_auto (IfbamRunSpec) compiled = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModel) model =
      network == NULL ? NULL
                      : ifbam_network_compile_or_error (network, TRUE, &compiled, NULL, &error);
  IfbamRunSpec spec = matrix_case_spec (one, record);
  IfbamRunTask task = matrix_case_task (record);
  g_auto (MatrixOutcome) outcome = { 0 };

  if (model == NULL)
    fail_msg ("%s: %s", what, error == NULL ? "refused" : error->message);
  g_ptr_array_add (one->signals[record]->names, NULL);
  names = g_strjoinv (",", (char **) one->signals[record]->names->pdata);
  g_ptr_array_set_size (one->signals[record]->names, (int) one->signals[record]->names->len - 1);
  signals = ifbam_signals_new (model, network->by_name, names, &reason);
  if (signals == NULL)
    fail_msg ("%s: %s", what, reason);
  spec.start_position = compiled.start_position;
  matrix_outcome_init (&outcome, signals);
  matrix_outcome_run (&outcome, &task, model, &spec);
  {
    GArray *own = own_events (outcome.events);

    g_array_unref (outcome.events);
    outcome.events = own;
    outcome.sums = wanted->sums; /* of all parts */
  }
  matrix_outcome_compare (what, wanted, &outcome, NULL);
}

#define ALL    (1u << MATRIX_RECORD_ALL)
#define MOTION (1u << MATRIX_RECORD_MOTION)
#define FEW    (1u << MATRIX_RECORD_FEW)
#define EVENTS (1u << MATRIX_RECORD_EVENTS)

const MatrixWay matrix_ways[] = {
  { "objects", always_can, run_reference, ALL | MOTION | FEW, .is_task = TRUE, .objects = TRUE,
    .threads = 1 },
  { "compiled", compiled_can, run_task, ALL | MOTION | FEW, .is_task = TRUE, .threads = 1 },
  { "compiled, 2 threads", compiled_can, run_task, ALL | FEW, .is_task = TRUE, .threads = 2 },
  { "compiled, no tiles", compiled_can, run_task, ALL | FEW, .is_task = TRUE, .tile = "1,1" },
  { "compiled, tiles", compiled_can, run_task, ALL | FEW, .is_task = TRUE, .tile = DRAWN_TILE },
  { "compiled, baseline", compiled_level_can, run_task, ALL | FEW, .is_task = TRUE,
    .tile = DRAWN_TILE, .isa = "baseline" },
  { "compiled, avx2", compiled_level_can, run_task, ALL | FEW, .is_task = TRUE, .tile = DRAWN_TILE,
    .isa = "avx2" },
  { "compiled, avx512", compiled_level_can, run_task, ALL | FEW, .is_task = TRUE,
    .tile = DRAWN_TILE, .isa = "avx512" },
  { "event engine", event_can, run_task, ALL | MOTION | FEW | EVENTS, .is_task = TRUE,
    .by_events = TRUE, .threads = 1 },
  { "event engine, baseline", level_can, run_task, ALL | FEW, .is_task = TRUE, .by_events = TRUE,
    .threads = 1, .isa = "baseline" },
  { "dual", event_can, run_task, MOTION | FEW, .is_task = TRUE, .no_account = TRUE,
    .tile = DRAWN_TILE },
  { "by hand", by_hand_can, run_by_hand, MOTION, .is_task = FALSE },
  { "beside", beside_can, run_beside, MOTION, .is_task = FALSE },
  { "lanes", matrix_lanes_can, matrix_lanes_run, MOTION, .is_task = FALSE },
  { "core", matrix_core_can, matrix_core_run, ALL | MOTION, .is_task = FALSE },
};

const guint matrix_n_ways = G_N_ELEMENTS (matrix_ways);

/* lanes-way.c: a network and variants of it side by side in lanes, each against its run alone
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "matrix.h"

#define WIDTH 16
#define LANES 11
/* Lanes with variants that are compared, each with a run of its own. */
#define COMPARED 3

static const char *const levels[] = { "baseline", "avx2", "avx512" };

const char *
matrix_lanes_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  if (matrix_case_has_events (one))
    return "events and equations have no lanes";
  return ifbam_lanes_can_run (one->model, &one->spec) ? NULL : "the network is too large for lanes";
}

/* Whether an element's parameters may differ from lane to lane. */
static gboolean
is_varied (const IfbamElement *element)
{
  return element->info->kind != IFBAM_KIND_COMPOSITE && !ifbam_element_prepares_law (element->info)
         && (ifbam_element_param_index (element->info, "course") < 0
             || ifbam_element_slots (element)[IFBAM_SLOT_COURSE] == NULL);
}

/* Whether a link that is linear without a parameter is not with it. */
static gboolean
makes_nonlinear (const IfbamElementInfo *info, const IfbamParam *param)
{
  double law[IFBAM_MAX_LAW] = { 0 };
  unsigned before;

  if (info->kind != IFBAM_KIND_LINK || info->link->points == NULL || !ifbam_param_in_law (param))
    return FALSE;
  before = info->link->points (law);
  *(double *) (gpointer) ((char *) law + param->offset) = 1;
  return info->link->points (law) != before;
}

static gboolean
is_faulty (IfbamElement *element)
{
  const char *key = NULL;
  g_autofree char *reason =
      element->info->fault == NULL ? NULL : element->info->fault (element, &key);

  return reason != NULL;
}

/* Gives an element other parameters, with which links stay linear or not as they are. */
static void
vary (IfbamElement *element, GRand *random)
{
  const IfbamElementInfo *info = element->info;

  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      double *number = (double *) (gpointer) ((char *) ifbam_element_law (element) + param->offset);
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

/* The rows of lanes: [row][signal][lane]. */
typedef struct
{
  GArray *told; /* guint: signals that lanes have */
  const IfbamSignals *signals;
  GArray *values; /* double */
} LaneRows;

static void
keep_lanes (gpointer data, IfbamLanes *lanes)
{
  LaneRows *rows = data;
  double scratch[WIDTH];

  for (guint i = 0; i < rows->told->len; i++)
    g_array_append_vals (rows->values,
                         ifbam_lanes_signal (lanes,
                                             &g_array_index (rows->signals->signals, IfbamSignal,
                                                             g_array_index (rows->told, guint, i)),
                                             scratch),
                         WIDTH);
}

/* A lane that holds the wanted run's parameters. */
static void
compare_lane (const char *what, const LaneRows *rows, gsize lane, guint64 diverged,
              const MatrixOutcome *wanted)
{
  const gsize n = wanted->signals->signals->len + 1;
  const gsize n_rows = wanted->rows->len / (n * sizeof (double));
  const double *row = (const double *) (gconstpointer) wanted->rows->data;
  const guint64 stopped = wanted->error == NULL ? IFBAM_LANES_FINE : wanted->stopped;

  if (diverged != stopped)
    fail_msg ("%s: lane %zu diverged at %" G_GUINT64_FORMAT ", alone at %" G_GUINT64_FORMAT, what,
              lane, diverged, stopped);
  for (gsize r = 0; r < n_rows; r++, row += n)
    for (guint i = 0; i < rows->told->len; i++)
      {
        const guint signal = g_array_index (rows->told, guint, i);
        const double *had =
            &g_array_index (rows->values, double, (r * rows->told->len + i) * WIDTH + lane);

        if (memcmp (had, &row[1 + signal], sizeof *had) != 0)
          fail_msg ("%s: lane %zu, row %zu, %s: %.17g, not %.17g", what, lane, r,
                    (char *) wanted->signals->names->pdata[signal], *had, row[1 + signal]);
      }
}

/* Runs a variant alone, compiled: that this is what objects do is another cell. */
static void
run_alone (MatrixOutcome *outcome, const MatrixCase *one, IfbamNetwork *network,
           const IfbamRunSpec *spec, const IfbamModel *fits)
{
  g_auto (IfbamRunSpec) own = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModel) model = ifbam_network_compile_or_error (network, TRUE, &own, NULL, &error);
  IfbamRunTask task = { .threads = 1 };

  if (model == NULL)
    fail_msg ("%s: %s", one->name, error->message);
  assert_true (ifbam_lanes_have_equal_structure (fits, model));
  matrix_outcome_init (outcome, one->signals[MATRIX_RECORD_MOTION]);
  matrix_outcome_run (outcome, &task, model, spec);
}

static void
vary_lane (const MatrixCase *one, IfbamNetwork *network, const IfbamModel *model, IfbamLanes *lanes,
           gsize lane)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (one->seed * LANES + (guint) lane);

  for (guint i = 0; i < network->elements->len; i++)
    if (is_varied (network->elements->pdata[i]))
      {
        vary (network->elements->pdata[i], random);
        assert_true (
            ifbam_lanes_remain_compatible (model, &one->spec, network->elements->pdata[i]));
        ifbam_lanes_set (lanes, lane, network->elements->pdata[i]);
      }
}

void
matrix_lanes_run (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  const MatrixOutcome *wanted = matrix_case_wanted (one, record);
  const gsize plain = one->seed % LANES;
  g_autofree char *what = g_strdup_printf ("%s: %s", one->name, way->name);
  g_autoptr (IfbamNetwork) network = matrix_case_network (one, NULL);
  IfbamRunSpec spec = matrix_case_spec (one, record);
  g_auto (IfbamRunSpec) compiled = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamLanes) lanes = NULL;
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  LaneRows rows = { told, one->signals[record], values };
  MatrixOutcome alone[LANES] = { 0 };
  guint64 diverged[LANES];
  const IfbamLanesRun run = { .stride = spec.stride,
                              .last_step = spec.last_step,
                              .every_row = TRUE,
                              .row = keep_lanes,
                              .data = &rows };

  g_setenv ("IFBAM_ISA", levels[one->seed % ((guint) ifbam_isa_choose () + 1)], TRUE);
  model = ifbam_network_compile_or_error (network, TRUE, &compiled, NULL, NULL);
  g_unsetenv ("IFBAM_ISA");
  spec.isa = compiled.isa;
  spec.start_position = compiled.start_position;
  lanes = ifbam_lanes_new (model, &spec, WIDTH);
  for (guint i = 0; i < rows.signals->signals->len; i++)
    if (ifbam_lanes_has_signal (&g_array_index (rows.signals->signals, IfbamSignal, i)))
      g_array_append_val (told, i);
  for (gsize lane = 0; lane < LANES; lane++)
    if (lane != plain && compiled.start_position == NULL)
      {
        vary_lane (one, network, model, lanes, lane);
        if ((lane + LANES - plain) % LANES <= COMPARED)
          run_alone (&alone[lane], one, network, &spec, model);
      }
  assert_true (ifbam_lanes_run (lanes, LANES, &run, diverged));
  compare_lane (what, &rows, plain, diverged[plain], wanted);
  for (gsize lane = 0; lane < LANES; lane++)
    if (alone[lane].rows != NULL)
      {
        compare_lane (what, &rows, lane, diverged[lane], &alone[lane]);
        matrix_outcome_clear (&alone[lane]);
      }
}

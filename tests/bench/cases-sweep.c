/* cases-sweep.c: many variants of a small network, against runs of its model one after another
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <stdio.h>

#include "sweep/sweep.h"

#define N         100 /* values of each of two stiffnesses */
#define STEPS     20000
#define SETTINGS  "network.duration=1 s"
#define VARIATION "=5 kN/m:50 kN/m:100"

/* Runs that have nothing to do but steps: nothing is compiled, checked, recorded or written. */
typedef struct
{
  BenchNetwork *network;
  double *number[2];      /* the stiffnesses in the model */
  const double *value[2]; /* (N) */
  double *final;          /* of m1 (N * N) */
} Runs;

static void
run_each (gpointer data, guint64 steps)
{
  const Runs *runs = data;
  const IfbamRunSpec *spec = &runs->network->spec;

  for (guint i = 0; i < N * N; i++)
    {
      g_autoptr (IfbamEngine) engine = NULL;
      double rate;

      *runs->number[0] = runs->value[0][i / N];
      *runs->number[1] = runs->value[1][i % N];
      engine = ifbam_compiled_engine_new (runs->network->model, spec, 1);
      ifbam_engine_start (engine);
      ifbam_engine_advance (engine, steps + ifbam_engine_lookahead (spec), NULL);
      ifbam_engine_get_nodes (engine, 0, 1, &runs->final[i], &rate);
    }
}

/* All that `ifbam sweep` does but its file. */
typedef struct
{
  IfbamNetworkBytes *bytes;
  IfbamSweep *sweep; /* of the last round */
  guint threads;
} Sweep;

static void
run_sweep (gpointer data, guint64 steps)
{
  static const char *const settings[] = { SETTINGS, NULL };
  static const char *const varied[] = { "k1.stiffness" VARIATION, "k2.stiffness" VARIATION, NULL };
  static const char *const measured[] = { "final:m1.position", NULL };
  Sweep *sweep = data;
  const IfbamSweepRun run = { .threads = sweep->threads };

  (void) steps;
  g_clear_pointer (&sweep->sweep, ifbam_sweep_free);
  sweep->sweep = ifbam_sweep_new (sweep->bytes, settings, varied, measured, 1, NULL);
  if (sweep->sweep == NULL || !ifbam_sweep_run (sweep->sweep, &run, NULL))
    g_error ("the sweep failed");
}

static double
cost (const BenchSide *side)
{
  return side->seconds / ((double) N * N * STEPS) * 1e9;
}

void
bench_sweep (void)
{
  static const char *const names[] = { "sweep-three-dof", "sweep-threads" };
  static const char *const springs[] = { "k1", "k2" };
  const char *path = "networks/three-dof.ini";
  const gboolean two = g_get_num_processors () > 1;
  Runs runs = { .network = NULL };
  Sweep sweeps[2] = { { .threads = 1 }, { .threads = 2 } };
  BenchSide sides[3] = { { run_each, &runs, 0 },
                         { run_sweep, &sweeps[0], 0 },
                         { run_sweep, &sweeps[1], 0 } };

  if (!bench_wants (names[0]) && !bench_wants (names[1]))
    return;
  runs.network = bench_network_new (path, "m");
  runs.final = g_new (double, N *N);
  for (guint s = 0; s < 2; s++)
    {
      sweeps[s].bytes = ifbam_network_bytes_new (path, NULL);
      run_sweep (&sweeps[s], STEPS);
    }
  for (guint k = 0; k < 2; k++)
    {
      const IfbamModel *model = runs.network->model;
      const IfbamBatch *batch;
      gsize link, index;

      ifbam_model_find (model, runs.network->read->by_name, springs[k], &link);
      batch = ifbam_model_batch (model, model->link_slot[link], &index);
      runs.number[k] = &batch->parameters[0][index];
      runs.value[k] = g_memdup2 (((IfbamVariation *) sweeps[0].sweep->variations->pdata[k])->values,
                                 N * sizeof (double));
    }
  bench_contest (sides, two ? 3 : 2, STEPS, 3);
  for (guint s = 0; s < 2; s++)
    if (bench_wants (names[s]) && (s == 0 || two))
      bench_report (
          names[s], cost (&sides[1 + s]), cost (&sides[0]),
          bench_verdict (bench_difference (sweeps[s].sweep->grid->values, runs.final, N * N), 0));
    else if (bench_wants (names[s]))
      bench_skip (names[s], "this machine has one core");
  for (guint s = 0; s < 2; s++)
    {
      ifbam_sweep_free (sweeps[s].sweep);
      ifbam_network_bytes_free (sweeps[s].bytes);
      g_free ((gpointer) runs.value[s]);
    }
  g_free (runs.final);
  bench_network_free (runs.network);
}

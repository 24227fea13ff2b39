/* cases-checkpoint.c: time and memory of writing the state of a large network to the disk
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "engine/engine.h"
#include "file/file.h"

#define N        10000000
#define ROUNDS   3
#define STEPS    200
#define INTERVAL 600 /* [s] */

typedef struct
{
  IfbamEngine *engine;
  const char *path;
  clock_t processor; /* time of the last one */
} Checkpoint;

/* A state is taken and written, all of it onto the disk. */
static void
keep (gpointer data, guint64 steps)
{
  Checkpoint *checkpoint = data;
  const clock_t began = clock ();
  g_autoptr (GError) error = NULL;
  IfbamStateFile file = { .manifest = ifbam_manifest_new (NULL, NULL, NULL, NULL, NULL),
                          .is_checkpoint = TRUE };

  (void) steps;
  file.state = ifbam_engine_get_state (checkpoint->engine);
  file.pending_events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  if (!ifbam_state_file_write (&file, checkpoint->path, &error))
    {
      fprintf (stderr, "bench: %s\n", error->message);
      bench_wrong ();
    }
  ifbam_state_file_forget (&file);
  ifbam_manifest_free (file.manifest);
  checkpoint->processor = clock () - began;
}

/* The file equals the written state. */
static char *
read_back (const Checkpoint *checkpoint)
{
  g_autoptr (IfbamStateFile) file = ifbam_state_file_read (checkpoint->path, NULL);
  g_autoptr (IfbamState) state = ifbam_engine_get_state (checkpoint->engine);

  const gboolean same = file != NULL && ifbam_state_equal (file->state, state);
  g_autofree char *verdict = bench_verdict (same ? 0 : 1, 0);

  return g_strdup_printf ("%s; %.2g s of CPU time", verdict,
                          (double) checkpoint->processor / CLOCKS_PER_SEC);
}

void
bench_checkpoint (void)
{
  g_autofree char *network_path = NULL, *path = NULL, *before = NULL;
  Checkpoint checkpoint;
  BenchSide side = { keep, &checkpoint, 0 };
  BenchNetwork *network;
  BenchEngine *engine;
  const gsize probe = 0;
  GStatBuf status = { 0 };

  if (!bench_wants ("checkpoint") && !bench_wants ("checkpoint-size"))
    return;
  network_path = bench_chain_file (N, TRUE, "averaged", 1e-3);
  network = bench_network_new (network_path, "c.m");
  engine = bench_engine_new (network, 0, &probe, 1, STEPS);
  bench_engine_run (engine, STEPS);
  path = g_build_filename (bench_folder, "checkpoint.h5", NULL);
  before = g_strconcat (path, ".before", NULL);
  checkpoint = (Checkpoint){ engine->engine, path, 0 };
  bench_contest (&side, 1, 0, ROUNDS);
  g_stat (path, &status);
  if (bench_wants ("checkpoint"))
    bench_report ("checkpoint", side.seconds, 0.01 * INTERVAL, read_back (&checkpoint));
  if (bench_wants ("checkpoint-size"))
    bench_report ("checkpoint-size", (double) status.st_size / N, 40, g_strdup (""));
  g_unlink (path);
  g_unlink (before);
  bench_engine_free (engine);
  bench_network_free (network);
}

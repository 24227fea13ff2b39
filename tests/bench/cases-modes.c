/* cases-modes.c: modes of large networks against ARPACK as SciPy calls it, on the same matrices
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear/linear.h"

#define RUNS 3

static void
stop (const char *text)
{
  fprintf (stderr, "bench: %s\n", text);
  exit (1);
}

static gboolean
scipy_is_there (void)
{
  const char *argv[] = { "/usr/bin/python3", "-c", "import scipy.sparse.linalg", NULL };
  int status;

  return g_spawn_sync (NULL, (char **) argv, NULL,
                       G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                       NULL, &status, NULL)
         && status == 0;
}

/* n, entries; columns' starts, rows, values; inertias: as the matrices stand in memory. */
static char *
write_matrices (const BenchNetwork *network)
{
  char *path = g_build_filename (bench_folder, "matrices.bin", NULL);
  g_autoptr (IfbamSmallMotions) motions =
      ifbam_small_motions_new (network->model, &network->spec, NULL);
  g_autoptr (IfbamSparse) matrix = ifbam_small_motions_matrix (motions, motions->stiffness, NULL);
  const gint64 size[2] = { (gint64) matrix->n, matrix->start[matrix->n] };
  const gsize n = matrix->n, entries = (gsize) size[1];
  FILE *file = fopen (path, "wb");

  if (file == NULL || fwrite (size, sizeof *size, 2, file) != 2
      || fwrite (matrix->start, sizeof (gint32), n + 1, file) != n + 1
      || fwrite (matrix->row, sizeof (gint32), entries, file) != entries
      || fwrite (matrix->value, sizeof (double), entries, file) != entries
      || fwrite (motions->inertia, sizeof (double), n, file) != n || fclose (file) != 0)
    stop ("cannot write the matrices");
  return path;
}

typedef struct
{
  FILE *to, *from;
  GPid pid;
} Scipy;

static void
scipy_start (Scipy *scipy, const char *matrices, guint count, double near)
{
  g_autofree char *number = g_strdup_printf ("%u", count);
  g_autofree char *shift = g_strdup_printf ("%.17g", pow (2 * G_PI * near, 2));
  const char *argv[] = {
    "/usr/bin/python3", "tests/bench/scipy-modes.py", matrices, number, shift, NULL
  };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "OMP_NUM_THREADS", "1", TRUE);
  int to, from;

  if (!g_spawn_async_with_pipes (NULL, (char **) argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL,
                                 NULL, &scipy->pid, &to, &from, NULL, NULL))
    stop ("cannot start python3");
  scipy->to = fdopen (to, "w");
  scipy->from = fdopen (from, "r");
}

static double
scipy_number (Scipy *scipy)
{
  double number;

  if (fscanf (scipy->from, "%lf", &number) != 1)
    stop ("SciPy stopped");
  return number;
}

static double
scipy_run (Scipy *scipy)
{
  fputs ("again\n", scipy->to);
  fflush (scipy->to);
  return scipy_number (scipy);
}

static void
compete (const char *case_name, BenchNetwork *network, guint count, double near)
{
  const IfbamModesRequest request = { .count = count, .near = near, .some = TRUE };
  double seconds[RUNS], scipy_seconds[RUNS], difference = 0;
  g_autofree char *matrices = write_matrices (network);
  g_autoptr (IfbamModes) modes = NULL;
  const IfbamMode *list;
  Scipy scipy;
  gsize n;

  scipy_start (&scipy, matrices, count, near);
  for (guint r = 0; r < RUNS; r++)
    {
      const double before = bench_clock ();

      g_clear_object (&modes);
      modes = ifbam_modes_new_for_model (network->model, &network->spec, &request, NULL);
      seconds[r] = bench_clock () - before;
      scipy_seconds[r] = scipy_run (&scipy);
    }
  fclose (scipy.to);
  list = ifbam_modes_get_modes (modes, &n);
  if (n != count)
    stop ("modes are missing");
  for (gsize i = 0; i < n; i++)
    {
      const double theirs = sqrt (scipy_number (&scipy)) / (2 * G_PI);

      difference = fmax (difference, fabs (theirs / list[i].frequency - 1));
    }
  fclose (scipy.from);
  g_spawn_close_pid (scipy.pid);
  remove (matrices);
  bench_report (case_name, bench_median (seconds, RUNS), bench_median (scipy_seconds, RUNS),
                bench_verdict (difference, 1e-5));
}

void
bench_modes (void)
{
  const gboolean chain = bench_wants ("modes-chain-1e6"), membrane = bench_wants ("modes-membrane");

  if ((chain || membrane) && !scipy_is_there ())
    {
      if (chain)
        bench_skip ("modes-chain-1e6", "SciPy isn't there (make bench-deps)");
      if (membrane)
        bench_skip ("modes-membrane", "SciPy isn't there (make bench-deps)");
      return;
    }
  if (chain)
    {
      g_autofree char *path = bench_chain_file (1000000, TRUE, "verlet", 1e-3);
      BenchNetwork *network = bench_network_new (path, "c.m");

      compete ("modes-chain-1e6", network, 20, 0);
      bench_network_free (network);
    }
  if (membrane)
    {
      BenchGraph *graph = bench_membrane_new (300, 300);
      g_autofree char *path = bench_graph_file (graph, "membrane-300", 1e-3);
      BenchNetwork *network = bench_network_new (path, "m");

      compete ("modes-membrane", network, 10, 1.0);
      bench_network_free (network);
      bench_graph_free (graph);
    }
}

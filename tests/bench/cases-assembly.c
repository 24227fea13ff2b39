/* cases-assembly.c: how long and with how much memory a network gets to its first cycle
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most memory that this process has had [bytes]. */
static double
peak_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  line = strstr (text, "VmHWM:");
  return line == NULL ? 0 : 1024.0 * g_ascii_strtod (line + strlen ("VmHWM:"), NULL);
}

int
bench_assembly_child (const char *path)
{
  const double before = peak_memory ();
  const double start = bench_clock ();
  BenchNetwork *network = bench_network_new (path, strstr (path, "explicit") != NULL ? "m" : "c.m");
  const gsize probe = network->n / 2;
  BenchEngine *engine = bench_engine_new (network, 0, &probe, 1, 64);
  double seconds;

  bench_engine_run (engine, 1);
  seconds = bench_clock () - start;
  /* What runs later must be counted, too. */
  bench_engine_run (engine, 64);
  printf ("%.17g %.17g %.17g\n", seconds, peak_memory () - before, peak_memory ());
  bench_engine_free (engine);
  bench_network_free (network);
  return 0;
}

typedef struct
{
  double seconds, growth, peak;
} Cost;

/* Medians of fresh processes. */
static Cost
measure (const char *program, const char *path, guint rounds)
{
  const char *argv[] = { program, "--child", path, NULL };
  g_autofree double *values = g_new (double, 3 * rounds);

  for (guint r = 0; r < rounds; r++)
    {
      g_autofree char *output = NULL;
      g_autoptr (GError) error = NULL;
      int status;

      if (!g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, &output, NULL, &status, &error)
          || !g_spawn_check_wait_status (status, &error)
          || sscanf (output, "%lf %lf %lf", &values[r], &values[rounds + r],
                     &values[2 * rounds + r])
                 != 3)
        {
          fprintf (stderr, "bench: %s\n", error != NULL ? error->message : output);
          exit (1);
        }
    }
  return (Cost){ bench_median (values, rounds), bench_median (values + rounds, rounds),
                 bench_median (values + 2 * rounds, rounds) };
}

void
bench_assembly (const char *program)
{
  if (bench_wants ("memory-chain") || bench_wants ("start-chain"))
    {
      const gsize n = 10000000;
      g_autofree char *path = bench_chain_file (n, TRUE, "averaged", 1e-4);
      Cost cost = measure (program, path, 3);

      if (bench_wants ("memory-chain"))
        bench_report ("memory-chain", cost.growth / (double) n, 100, g_strdup ("-"));
      if (bench_wants ("start-chain"))
        bench_report ("start-chain", cost.seconds, 3, g_strdup ("-"));
    }
  if (bench_wants ("memory-explicit") || bench_wants ("start-explicit"))
    {
      g_autofree char *path = bench_chain_file_explicit (1000000);
      Cost cost = measure (program, path, 3);

      if (bench_wants ("start-explicit"))
        bench_report ("start-explicit", cost.seconds, 6, g_strdup ("-"));
      if (bench_wants ("memory-explicit"))
        bench_report ("memory-explicit", cost.peak * 1e-9, 1.5, g_strdup ("-"));
    }
}

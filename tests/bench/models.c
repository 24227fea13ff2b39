/* models.c: the networks of the benchmarks, as files and as arrays
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

double bench_mass[BENCH_N_MASSES];
double bench_stiffness[BENCH_N_STIFFNESSES];
double bench_start[BENCH_N_STARTS];

static void
fail (const GError *error)
{
  fprintf (stderr, "bench: %s\n", error->message);
  exit (1);
}

/* Engines */

BenchNetwork *
bench_network_new (const char *path, const char *name)
{
  BenchNetwork *network = g_new0 (BenchNetwork, 1);
  g_autoptr (IfbamSignals) signals = NULL;
  GError *error = NULL;

  network->read = ifbam_network_new_from_file (path, NULL, &error);
  if (network->read == NULL)
    fail (error);
  /* As a run asks for it, so that what the reader compiled is what runs. */
  network->model =
      ifbam_network_compile_or_error (network->read, TRUE, &network->spec, &signals, &error);
  if (network->model == NULL)
    fail (error);
  network->n = network->model->n_free;
  /* A model may number as it likes. A look at some nodes tells. */
  for (gsize i = 0; i < network->n && name != NULL; i += MAX (1, network->n / 1009))
    {
      g_autofree char *expected = g_strdup_printf ("%s%" G_GSIZE_FORMAT, name, i + 1);
      g_autofree char *found = ifbam_model_node_name (network->model, i);

      if (strcmp (expected, found) == 0)
        continue;
      network->numbers = g_new (gsize, network->n);
      for (gsize j = 0; j < network->n; j++)
        {
          g_autofree char *each = ifbam_model_node_name (network->model, j);

          network->numbers[g_ascii_strtoull (each + strlen (name), NULL, 10) - 1] = j;
        }
      break;
    }
  return network;
}

void
bench_network_free (BenchNetwork *network)
{
  ifbam_model_free (network->model);
  ifbam_run_spec_clear (&network->spec);
  g_object_unref (network->read);
  g_free (network->numbers);
  g_free (network);
}

gsize
bench_network_node (const BenchNetwork *network, gsize i)
{
  return network->numbers == NULL ? i : network->numbers[i];
}

BenchEngine *
bench_engine_new (const BenchNetwork *network, guint threads, const gsize *probes, guint n_probes,
                  guint64 chunk)
{
  BenchEngine *engine = g_new0 (BenchEngine, 1);

  engine->network = network;
  engine->engine = ifbam_engine_by_events (network->model, &network->spec)
                       ? ifbam_event_engine_new (network->model, &network->spec, FALSE)
                       : ifbam_compiled_engine_new (network->model, &network->spec, threads);
  ifbam_engine_start (engine->engine);
  engine->n_probes = n_probes;
  engine->chunk = chunk;
  engine->node = g_new (gsize, n_probes + 1);
  for (guint i = 0; i < n_probes; i++)
    engine->node[i] = bench_network_node (network, probes[i]);
  /* One row more: with and without latency the same calls do. */
  engine->position = g_new0 (double, (chunk + 1) * n_probes + 1);
  engine->rate = g_new0 (double, (chunk + 1) * n_probes + 1);
  return engine;
}

void
bench_engine_free (BenchEngine *engine)
{
  ifbam_engine_free (engine->engine);
  g_free (engine->node);
  g_free (engine->position);
  g_free (engine->rate);
  g_free (engine);
}

void
bench_engine_run (gpointer data, guint64 steps)
{
  BenchEngine *engine = data;
  IfbamEngine *inner = engine->engine;

  for (guint64 done = 0; done < steps; done += engine->chunk)
    {
      const guint64 part = MIN (engine->chunk, steps - done);
      const IfbamProbes probes = { .n = engine->n_probes,
                                   .node = engine->node,
                                   .stride = 1,
                                   .position = engine->position,
                                   .rate = engine->rate };

      ifbam_engine_advance (inner, part, engine->n_probes > 0 ? &probes : NULL);
    }
}

void
bench_engine_state (const BenchEngine *engine, double *position, double *rate)
{
  const BenchNetwork *network = engine->network;
  IfbamEngine *inner = engine->engine;
  g_autofree double *x = NULL, *v = NULL;

  if (network->numbers == NULL)
    {
      ifbam_engine_get_nodes (inner, 0, network->n, position, rate);
      return;
    }
  x = g_new (double, network->n);
  v = g_new (double, network->n);
  ifbam_engine_get_nodes (inner, 0, network->n, x, v);
  for (gsize i = 0; i < network->n; i++)
    {
      position[i] = x[network->numbers[i]];
      rate[i] = v[network->numbers[i]];
    }
}

/* Files */

static void
fill_lists (void)
{
  for (int i = 0; i < BENCH_N_MASSES; i++)
    bench_mass[i] = 1.0 + 0.1 * cos (i + 1);
  for (int i = 0; i < BENCH_N_STIFFNESSES; i++)
    bench_stiffness[i] = 1e4 * (1.0 + 0.1 * sin (i + 1));
  for (int i = 0; i < BENCH_N_STARTS; i++)
    bench_start[i] = 1e-3 * sin (2 * G_PI * (i + 0.3) / BENCH_N_STARTS);
}

/* A file of this name to write to, or NULL: it is there already. */
static FILE *
open_new (const char *path)
{
  g_autofree char *beside = g_strconcat (path, ".new", NULL);
  FILE *file;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  file = fopen (beside, "w");
  if (file == NULL)
    {
      perror (beside);
      exit (1);
    }
  return file;
}

static void
close_new (FILE *file, const char *path)
{
  g_autofree char *beside = g_strconcat (path, ".new", NULL);

  if (ferror (file) || fclose (file) != 0 || g_rename (beside, path) != 0)
    {
      perror (path);
      exit (1);
    }
}

static void
print_list (FILE *file, const char *key, const double *values, int n)
{
  fprintf (file, "%s =", key);
  for (int i = 0; i < n; i++)
    fprintf (file, "%s %.17g", i > 0 ? "," : "", values[i]);
  fputc ('\n', file);
}

static void
print_network (FILE *file, const char *scheme, double step, const char *node)
{
  fprintf (file,
           "# made by the benchmarks\n[network]\nformat = 1\nscheme = %s\nstep = %.17g\n"
           "duration = 1\nrecord = %s.position\n\n",
           scheme, step, node);
}

char *
bench_chain_file (gsize n, gboolean wall, const char *scheme, double step)
{
  g_autofree char *name = g_strdup_printf ("chain-%" G_GSIZE_FORMAT "%s-%s-%g.ini", n,
                                           wall ? "" : "-free", scheme, step);
  char *path = g_build_filename (bench_folder, name, NULL);
  FILE *file;

  fill_lists ();
  file = open_new (path);
  if (file == NULL)
    return path;
  print_network (file, scheme, step, "c.m1");
  if (wall)
    fputs ("[ground wall]\n\n", file);
  fprintf (file, "[chain c]\ncount = %" G_GSIZE_FORMAT "\n", n);
  print_list (file, "mass", bench_mass, BENCH_N_MASSES);
  print_list (file, "stiffness", bench_stiffness, BENCH_N_STIFFNESSES);
  print_list (file, "position", bench_start, BENCH_N_STARTS);
  if (wall)
    fputs ("from = wall\n", file);
  close_new (file, path);
  return path;
}

char *
bench_chain_file_explicit (gsize n)
{
  g_autofree char *name = g_strdup_printf ("explicit-%" G_GSIZE_FORMAT ".ini", n);
  char *path = g_build_filename (bench_folder, name, NULL);
  FILE *file;

  fill_lists ();
  file = open_new (path);
  if (file == NULL)
    return path;
  print_network (file, "averaged", 1e-4, "m1");
  fputs ("[ground m0]\n\n", file);
  for (gsize i = 1; i <= n; i++)
    fprintf (file,
             "[spring k%" G_GSIZE_FORMAT "]\nstiffness = %.4f N/m\nbetween = m%" G_GSIZE_FORMAT
             ", m%" G_GSIZE_FORMAT "\n\n[mass m%" G_GSIZE_FORMAT "]\nmass = %.4f kg\n\n",
             i, bench_stiffness[(i - 1) % BENCH_N_STIFFNESSES], i - 1, i, i,
             bench_mass[(i - 1) % BENCH_N_MASSES]);
  close_new (file, path);
  return path;
}

static BenchGraph *
graph_new (gsize n_nodes, gsize n_links)
{
  BenchGraph *graph = g_new0 (BenchGraph, 1);

  graph->n_nodes = n_nodes;
  graph->n_links = n_links;
  graph->left = g_new (int, n_links);
  graph->right = g_new (int, n_links);
  graph->stiffness = g_new (double, n_links);
  graph->mass = g_new (double, n_nodes);
  graph->start = g_new (double, n_nodes);
  for (gsize i = 0; i < n_links; i++)
    graph->stiffness[i] = 1e4 * (1 + 0.1 * sin ((double) i));
  for (gsize i = 0; i < n_nodes; i++)
    {
      graph->mass[i] = 1 + 0.1 * cos ((double) i);
      graph->start[i] = 1e-3 * sin (0.01 * (double) i) + 1e-4 * cos (0.37 * (double) i);
    }
  return graph;
}

BenchGraph *
bench_membrane_new (int width, int height)
{
  BenchGraph *graph = graph_new ((gsize) width * height,
                                 (gsize) (width - 1) * height + (gsize) width * (height - 1));
  gsize link = 0;

  for (int row = 0; row < height; row++)
    for (int column = 0; column < width; column++)
      {
        int node = row * width + column;

        if (column + 1 < width)
          {
            graph->left[link] = node;
            graph->right[link++] = node + 1;
          }
        if (row + 1 < height)
          {
            graph->left[link] = node;
            graph->right[link++] = node + width;
          }
      }
  return graph;
}

/* xorshift64: the same graph everywhere */
static gsize
dice (guint64 *state, gsize n)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (gsize) ((double) (*state >> 11) * 0x1p-53 * (double) n);
}

BenchGraph *
bench_random_new (gsize n_nodes, gsize n_links)
{
  BenchGraph *graph = graph_new (n_nodes, n_links);
  guint64 state = 88172645463325252ull;

  for (gsize i = 0; i < n_links; i++)
    {
      graph->left[i] = (int) dice (&state, n_nodes);
      do
        graph->right[i] = (int) dice (&state, n_nodes);
      while (graph->right[i] == graph->left[i]);
    }
  return graph;
}

void
bench_graph_free (BenchGraph *graph)
{
  g_free (graph->left);
  g_free (graph->right);
  g_free (graph->stiffness);
  g_free (graph->mass);
  g_free (graph->start);
  g_free (graph);
}

char *
bench_graph_file (const BenchGraph *graph, const char *name, double step)
{
  char *path = g_build_filename (bench_folder, name, NULL);
  FILE *file = open_new (path);

  if (file == NULL)
    return path;
  print_network (file, "averaged", step, "m1");
  for (gsize i = 0; i < graph->n_nodes; i++)
    fprintf (file, "[mass m%" G_GSIZE_FORMAT "]\nmass = %.17g\nposition = %.17g\n", i + 1,
             graph->mass[i], graph->start[i]);
  for (gsize i = 0; i < graph->n_links; i++)
    fprintf (file, "[spring k%" G_GSIZE_FORMAT "]\nstiffness = %.17g\nbetween = m%d, m%d\n", i + 1,
             graph->stiffness[i], graph->left[i] + 1, graph->right[i] + 1);
  close_new (file, path);
  return path;
}

/* cases-generated.c: networks written as C (ifbam export --c), against loops by hand, both for the machine at hand
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <dlfcn.h>
#include <string.h>

#include "embed/embed.h"
#include "run/run.h"

#define CHUNK  4096
#define ROUNDS 11

/* What the C is compiled by: as the yardsticks are (see the Makefile). */
#define FLAGS                                                                                      \
  "-O3 -march=native -mprefer-vector-width=512 -ffp-contract=off -fno-math-errno "                 \
  "-fno-trapping-math -fno-tree-slp-vectorize -shared -fPIC -DIFBAM_NO_MAIN"

typedef struct
{
  void *library, *network;
  void (*start) (void *network, double *row);
  void (*run) (void *network, unsigned long n_rows, double *rows);
  double *rows; /* position and rate of one node (CHUNK)(2) */
} Generated;

static void
generated_run (gpointer data, guint64 steps)
{
  Generated *generated = data;

  for (guint64 done = 0; done < steps; done += CHUNK)
    generated->run (generated->network, CHUNK, generated->rows);
}

static void
take (void *library, const char *name, void *place)
{
  void *symbol = dlsym (library, name);

  if (symbol == NULL)
    g_error ("%s", dlerror ());
  memcpy (place, &symbol, sizeof symbol);
}

/* Of a network file, which is told to record a node's position and rate; started. */
static void
generated_begin (Generated *generated, const char *name, const char *path, const char *node)
{
  const char *compiler = g_getenv ("CC") != NULL ? g_getenv ("CC") : "cc";
  g_autofree char *record = g_strdup_printf ("network.record=%s.position, %s.velocity", node, node);
  const char *settings[] = { record, NULL };
  g_autofree char *file = g_strdup_printf ("%s/%s.c", bench_folder, name);
  g_autofree char *object = g_strdup_printf ("%s/%s.so", bench_folder, name);
  g_autofree char *command = NULL, *absolute = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, settings, &error);
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  void (*make) (void *);
  int status;

  if (network != NULL)
    model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    g_error ("%s", error->message);
  text = ifbam_c_source (model, &spec, signals, name, &error);
  if (text == NULL || !g_file_set_contents (file, text, -1, &error))
    g_error ("%s", error->message);
  command = g_strdup_printf ("%s %s %s -lm -o %s", compiler, FLAGS, file, object);
  if (!g_spawn_command_line_sync (command, NULL, NULL, &status, &error) || status != 0)
    g_error ("%s: %s", command, error != NULL ? error->message : "failed");
  absolute = g_canonicalize_filename (object, NULL);
  generated->library = dlopen (absolute, RTLD_NOW | RTLD_LOCAL);
  if (generated->library == NULL)
    g_error ("%s", dlerror ());
  take (generated->library, "ifbam_network_make", &make);
  take (generated->library, "ifbam_network_start", &generated->start);
  take (generated->library, "ifbam_network_run", &generated->run);
  /* Its size is its own affair; a few nodes take little. */
  generated->network = g_aligned_alloc0 (1, 1 << 20, 64);
  generated->rows = g_new0 (double, 2 * CHUNK);
  make (generated->network);
  generated->start (generated->network, generated->rows);
}

static void
generated_end (Generated *generated)
{
  g_aligned_free (generated->network);
  g_free (generated->rows);
  dlclose (generated->library);
}

typedef struct
{
  void (*chain_loop) (YardChain *chain, long steps, YardProbe probe);
  void (*graph_loop) (YardGraph *graph, long steps, YardProbe probe);
  YardChain *chain;
  YardGraph *graph;
  YardProbe probe;
} Hand;

static void
hand_steps (Hand *hand, long steps)
{
  if (hand->chain != NULL)
    hand->chain_loop (hand->chain, steps, hand->probe);
  else
    hand->graph_loop (hand->graph, steps, hand->probe);
}

static void
hand_run (gpointer data, guint64 steps)
{
  for (guint64 done = 0; done < steps; done += CHUNK)
    hand_steps (data, CHUNK);
}

/* The C, and loops by hand, which have a node of their own as the probe. */
static void
contest (const char *name, const char *path, const char *node, Hand *hands, guint n_hands,
         guint64 chunks)
{
  Generated generated;
  BenchSide sides[3] = { { generated_run, &generated, 0 } };
  double best = 0, worst = 0;

  generated_begin (&generated, name, path, node);
  for (guint i = 0; i < n_hands; i++)
    {
      hands[i].probe.position = g_new0 (double, CHUNK);
      hands[i].probe.rate = g_new0 (double, CHUNK);
      /* The C's start has told the first row. */
      hand_steps (&hands[i], 1);
      sides[1 + i] = (BenchSide){ hand_run, &hands[i], 0 };
    }
  bench_contest (sides, 1 + n_hands, chunks * CHUNK, ROUNDS);
  for (guint i = 0; i < n_hands; i++)
    {
      const double ns = sides[1 + i].seconds / (double) (chunks * CHUNK) * 1e9;

      best = i == 0 ? ns : MIN (best, ns);
      for (gsize r = 0; r < CHUNK; r++)
        {
          const double of_hand[2] = { hands[i].probe.position[r], hands[i].probe.rate[r] };

          worst = MAX (worst, memcmp (of_hand, generated.rows + 2 * r, sizeof of_hand) == 0
                                  ? 0
                                  : bench_difference (generated.rows + 2 * r, of_hand, 2) + 1e-300);
        }
    }
  bench_report (name, sides[0].seconds / (double) (chunks * CHUNK) * 1e9, best,
                bench_verdict (worst, 0));
  for (guint i = 0; i < n_hands; i++)
    {
      g_clear_pointer (&hands[i].chain, yard_chain_free);
      g_clear_pointer (&hands[i].graph, yard_graph_free);
      g_free (hands[i].probe.position);
      g_free (hands[i].probe.rate);
    }
  generated_end (&generated);
}

static void
two_dof (void)
{
  static const double mass[2] = { 1, 1 }, stiffness[2] = { 10e3, 40e3 }, start[2] = { 1e-3, 0 };
  Hand hand = { .chain_loop = yard_chain_2, .probe.node = 1 };

  hand.chain = yard_chain_new (2, 50e-6, mass, 2, stiffness, 2, start, 2);
  contest ("c-two-dof", "networks/two-dof.ini", "m1", &hand, 1, 1000);
}

/* networks/three-dof.ini; the wall is a mass without end. */
static void
three_dof (void)
{
  static const int left[3] = { 3, 0, 0 }, right[3] = { 0, 1, 2 };
  static const double stiffness[3] = { 10e3, 40e3, 10e3 }, start[4] = { 1e-3, 0, 0, 0 };
  const double mass[4] = { 1, 1, 0.5, __builtin_inf () };
  Hand hand = { .graph_loop = yard_branch_3, .probe.node = 2 };

  hand.graph = yard_graph_new (4, 3, left, right, stiffness, mass, start, 50e-6);
  contest ("c-three-dof", "networks/three-dof.ini", "m3", &hand, 1, 700);
}

static void
chain_of_100 (void)
{
  Hand hand[2] = { { .chain_loop = yard_chain_100_two_loops, .probe.node = 1 },
                   { .chain_loop = yard_chain_100_one_loop, .probe.node = 1 } };
  g_autofree char *path = bench_chain_file (100, TRUE, "averaged", 1e-4);

  for (guint i = 0; i < 2; i++)
    hand[i].chain = yard_chain_new (100, 1e-4, bench_mass, BENCH_N_MASSES, bench_stiffness,
                                    BENCH_N_STIFFNESSES, bench_start, BENCH_N_STARTS);
  contest ("c-chain-100", path, "c.m1", hand, 2, 100);
}

void
bench_generated (void)
{
  if (bench_wants ("c-two-dof"))
    two_dof ();
  if (bench_wants ("c-three-dof"))
    three_dof ();
  if (bench_wants ("c-chain-100"))
    chain_of_100 ();
}

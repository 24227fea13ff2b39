/* cases-loops.c: against hand-written loops (and Boost.odeint), which do the very same work
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include "odeint.h"
#include "engine/engine.h"

/* A hand-written loop with the rows that it records. */
typedef struct
{
  void (*chain_loop) (YardChain *chain, long steps, YardProbe probe);
  void (*graph_loop) (YardGraph *graph, long steps, YardProbe probe);
  YardChain *chain;
  YardGraph *graph;
  YardPendulum *pendulum;
  guint64 chunk;
  YardProbe probe;
} Loop;

static void
loop_run (gpointer data, guint64 steps)
{
  Loop *loop = data;

  for (guint64 done = 0; done < steps; done += loop->chunk)
    {
      const long part = (long) MIN (loop->chunk, steps - done);

      if (loop->chain != NULL)
        loop->chain_loop (loop->chain, part, loop->probe);
      else
        loop->graph_loop (loop->graph, part, loop->probe);
    }
}

static void
loop_begin (Loop *loop, long node, guint64 chunk)
{
  loop->chunk = chunk;
  loop->probe = (YardProbe){ node, g_new0 (double, chunk), g_new0 (double, chunk) };
}

static void
loop_end (Loop *loop)
{
  g_clear_pointer (&loop->chain, yard_chain_free);
  g_clear_pointer (&loop->graph, yard_graph_free);
  g_free (loop->probe.position);
  g_free (loop->probe.rate);
}

/* What the loop's nodes do at the last row, as the engine's. */
static void
loop_state (const Loop *loop, gsize n, double *position, double *rate)
{
  const long cycle = loop->chain != NULL ? loop->chain->cycle : loop->graph->cycle;
  double *const *x = loop->chain != NULL ? loop->chain->position : loop->graph->position;
  double *const *v = loop->chain != NULL ? loop->chain->rate : loop->graph->rate;
  const int now = cycle & 1, first = loop->chain != NULL ? 1 : 0; /* without the wall */

  for (gsize i = 0; i < n; i++)
    {
      position[i] = x[!now][first + i];
      rate[i] = 0.5 * (v[!now][first + i] + v[now][first + i]);
    }
}

/* Engine and loop have done equally many steps: all nodes, and the probe's last rows. */
static double
compare (const BenchEngine *engine, const Loop *loop)
{
  const gsize n = engine->network->n;
  g_autofree double *x = g_new (double, 2 * n), *y = g_new (double, 2 * n);
  double most;

  bench_engine_state (engine, x, x + n);
  loop_state (loop, n, y, y + n);
  most = bench_difference (x, y, n);
  most = MAX (most, bench_difference (x + n, y + n, n));
  most = MAX (most, bench_difference (engine->position, loop->probe.position, loop->chunk));
  return MAX (most, bench_difference (engine->rate, loop->probe.rate, loop->chunk));
}

static double
compare_engines (const BenchEngine *a, const BenchEngine *b)
{
  const gsize n = a->network->n;
  g_autofree double *x = g_new (double, 2 * n), *y = g_new (double, 2 * n);
  double most;

  bench_engine_state (a, x, x + n);
  bench_engine_state (b, y, y + n);
  most = bench_difference (x, y, n);
  most = MAX (most, bench_difference (x + n, y + n, n));
  return MAX (most, bench_difference (a->position, b->position, a->chunk));
}

static YardChain *
chain_new (gsize n, double step)
{
  return yard_chain_new ((long) n, step, bench_mass, BENCH_N_MASSES, bench_stiffness,
                         BENCH_N_STIFFNESSES, bench_start, BENCH_N_STARTS);
}

static double
speed (gsize n, guint64 steps, const BenchSide *side)
{
  return (double) n * (double) steps / side->seconds * 1e-6;
}

static void
large_chain (gsize n, guint64 steps, guint rounds, const char *tiled, const char *two_pass,
             const char *threads)
{
  const double step = 1e-4;
  const gsize probe = n / 2;
  const gboolean two = bench_wants (threads) && g_get_num_processors () > 1;
  g_autofree char *path = NULL;
  BenchNetwork *network;
  BenchEngine *one_engine, *two_engine;
  Loop loop[2] = { { .chain_loop = yard_chain_tiled }, { .chain_loop = yard_chain_two_pass } };
  BenchSide sides[4];
  guint n_sides = 0, by_loop[2] = { 0 }, by_two = 0;

  if (!bench_wants (tiled) && !bench_wants (two_pass) && !bench_wants (threads))
    return;
  path = bench_chain_file (n, TRUE, "averaged", step);
  network = bench_network_new (path, "c.m");
  one_engine = bench_engine_new (network, 1, &probe, 1, steps);
  two_engine = two ? bench_engine_new (network, 2, &probe, 1, steps) : NULL;
  sides[n_sides++] = (BenchSide){ bench_engine_run, one_engine, 0 };
  for (guint i = 0; i < 2; i++)
    {
      loop[i].chain = chain_new (n, step);
      loop_begin (&loop[i], (long) probe + 1, steps);
      by_loop[i] = n_sides;
      if (bench_wants (i == 0 ? tiled : two_pass))
        sides[n_sides++] = (BenchSide){ loop_run, &loop[i], 0 };
    }
  by_two = n_sides;
  if (two)
    sides[n_sides++] = (BenchSide){ bench_engine_run, two_engine, 0 };
  bench_contest (sides, n_sides, steps, rounds);
  for (guint i = 0; i < 2; i++)
    if (bench_wants (i == 0 ? tiled : two_pass))
      bench_report (i == 0 ? tiled : two_pass, speed (n, steps, &sides[0]),
                    speed (n, steps, &sides[by_loop[i]]),
                    bench_verdict (compare (one_engine, &loop[i]), 0));
  if (two)
    bench_report (threads, speed (n, steps, &sides[by_two]), speed (n, steps, &sides[0]),
                  bench_verdict (compare_engines (two_engine, one_engine), 0));
  else if (bench_wants (threads))
    bench_skip (threads, "this machine has one core");
  for (guint i = 0; i < 2; i++)
    loop_end (&loop[i]);
  g_clear_pointer (&two_engine, bench_engine_free);
  bench_engine_free (one_engine);
  bench_network_free (network);
}

void
bench_chains (void)
{
  large_chain (1000000, 256, 5, "chain-1e6-tiled", "chain-1e6-two-pass", "chain-1e6-threads");
  large_chain (10000000, 64, 3, "chain-1e7-tiled", "chain-1e7-two-pass", "chain-1e7-threads");
}

static void
graph_case (const char *name, BenchGraph *graph, gboolean scatter, guint64 steps, gsize n)
{
  const double step = 1e-4;
  const gsize probe = graph->n_nodes / 2;
  g_autofree char *file = g_strconcat (name, ".ini", NULL);
  g_autofree char *path = bench_graph_file (graph, file, step);
  BenchNetwork *network = bench_network_new (path, "m");
  BenchEngine *engine = bench_engine_new (network, 1, &probe, 1, steps);
  Loop loop[2] = { { .graph_loop = yard_graph_gather }, { .graph_loop = yard_graph_scatter } };
  const guint n_loops = scatter ? 2 : 1;
  BenchSide sides[3] = { { bench_engine_run, engine, 0 } };
  double difference = 0, best = 0;

  for (guint i = 0; i < n_loops; i++)
    {
      loop[i].graph =
          yard_graph_new ((long) graph->n_nodes, (long) graph->n_links, graph->left, graph->right,
                          graph->stiffness, graph->mass, graph->start, step);
      loop_begin (&loop[i], (long) probe, steps);
      sides[1 + i] = (BenchSide){ loop_run, &loop[i], 0 };
    }
  bench_contest (sides, 1 + n_loops, steps, 5);
  for (guint i = 0; i < n_loops; i++)
    {
      difference = MAX (difference, compare (engine, &loop[i]));
      best = MAX (best, speed (n, steps, &sides[1 + i]));
    }
  bench_report (name, speed (n, steps, &sides[0]), best, bench_verdict (difference, 0));
  for (guint i = 0; i < n_loops; i++)
    loop_end (&loop[i]);
  bench_engine_free (engine);
  bench_network_free (network);
  bench_graph_free (graph);
}

void
bench_graphs (void)
{
  if (bench_wants ("membrane"))
    graph_case ("membrane", bench_membrane_new (1000, 1000), TRUE, 64, 1000000);
  if (bench_wants ("random-graph"))
    graph_case ("random-graph", bench_random_new (500000, 1000000), FALSE, 32, 1000000);
}

/* Small networks: rows go to a table that stays in the cache. */
#define CHUNK           4096
#define CHUNKS_100      100 /* in a round */
#define CHUNKS_2        1000
#define CHUNKS_PENDULUM 20
#define SMALL_ROUNDS    7

static double
ns_per_step (const BenchSide *side, guint chunks)
{
  return side->seconds / ((double) chunks * CHUNK) * 1e9;
}

static void
chain_of_100 (void)
{
  const double step = 1e-4;
  const gsize probe = 0;
  g_autofree char *path = bench_chain_file (100, TRUE, "averaged", step);
  BenchNetwork *network = bench_network_new (path, "c.m");
  BenchEngine *engine = bench_engine_new (network, 0, &probe, 1, CHUNK);
  Loop loop[2] = { { .chain_loop = yard_chain_100_two_loops },
                   { .chain_loop = yard_chain_100_one_loop } };
  BenchSide sides[3] = { { bench_engine_run, engine, 0 } };
  double difference = 0;

  for (guint i = 0; i < 2; i++)
    {
      loop[i].chain = chain_new (100, step);
      loop_begin (&loop[i], 1, CHUNK);
      sides[1 + i] = (BenchSide){ loop_run, &loop[i], 0 };
    }
  bench_contest (sides, 3, CHUNKS_100 * CHUNK, SMALL_ROUNDS);
  for (guint i = 0; i < 2; i++)
    difference = MAX (difference, compare (engine, &loop[i]));
  bench_report ("chain-100", ns_per_step (&sides[0], CHUNKS_100),
                MIN (ns_per_step (&sides[1], CHUNKS_100), ns_per_step (&sides[2], CHUNKS_100)),
                bench_verdict (difference, 0));
  for (guint i = 0; i < 2; i++)
    loop_end (&loop[i]);
  bench_engine_free (engine);
  bench_network_free (network);
}

/* networks/two-dof.ini */
static const double two_mass[2] = { 1, 1 }, two_stiffness[2] = { 10e3, 40e3 },
                    two_start[2] = { 1e-3, 0 }, two_step = 50e-6;

static void
two_dof (void)
{
  const gsize probe = 0;
  BenchNetwork *network = bench_network_new ("networks/two-dof.ini", "m");
  BenchEngine *engine = bench_engine_new (network, 0, &probe, 1, CHUNK);
  Loop loop = { .chain_loop = yard_chain_2 };
  BenchSide sides[2] = { { bench_engine_run, engine, 0 }, { loop_run, &loop, 0 } };

  loop.chain = yard_chain_new (2, two_step, two_mass, 2, two_stiffness, 2, two_start, 2);
  loop_begin (&loop, 1, CHUNK);
  bench_contest (sides, 2, CHUNKS_2 * CHUNK, SMALL_ROUNDS);
  bench_report ("two-dof", ns_per_step (&sides[0], CHUNKS_2), ns_per_step (&sides[1], CHUNKS_2),
                bench_verdict (compare (engine, &loop), 0));
  loop_end (&loop);
  bench_engine_free (engine);
  bench_network_free (network);
}

#ifdef BENCH_ODEINT

typedef struct
{
  void (*loop) (OdeintChain *chain, long steps, double *position, double *rate);
  OdeintChain *chain;
  double *position, *rate; /* rows */
} Odeint;

static void
odeint_run (gpointer data, guint64 steps)
{
  Odeint *odeint = data;

  for (guint64 done = 0; done < steps; done += CHUNK)
    odeint->loop (odeint->chain, CHUNK, odeint->position, odeint->rate);
}

/* The order of the arithmetic differs, so numbers are compared after the first steps: rounding has
 * not grown then. */
static void
odeint_case (const char *name, const char *path, const char *node, Odeint *odeint, guint chunks)
{
  const gsize probe = 0;
  BenchNetwork *network = bench_network_new (path, node);
  BenchEngine *engine = bench_engine_new (network, 0, &probe, 1, CHUNK);
  BenchSide sides[2] = { { bench_engine_run, engine, 0 }, { odeint_run, odeint, 0 } };
  const guint64 check = 256;
  double difference;

  odeint->position = g_new0 (double, CHUNK);
  odeint->rate = g_new0 (double, CHUNK);
  bench_engine_run (engine, CHUNK);
  odeint_run (odeint, CHUNK);
  difference = bench_difference (odeint->position, engine->position, check);
  difference = MAX (difference, bench_difference (odeint->rate, engine->rate, check));
  bench_contest (sides, 2, (guint64) chunks * CHUNK, SMALL_ROUNDS);
  bench_report (name, ns_per_step (&sides[0], chunks), ns_per_step (&sides[1], chunks),
                bench_verdict (difference, 1e-12));
  g_free (odeint->position);
  g_free (odeint->rate);
  odeint_chain_free (odeint->chain);
  bench_engine_free (engine);
  bench_network_free (network);
}

static void
odeint_cases (void)
{
  if (bench_wants ("odeint-chain-100"))
    {
      g_autofree char *path = bench_chain_file (100, TRUE, "verlet", 1e-4);
      Odeint odeint = { .loop = odeint_chain_run };

      odeint.chain = odeint_chain_new (100, 1e-4, bench_mass, BENCH_N_MASSES, bench_stiffness,
                                       BENCH_N_STIFFNESSES, bench_start, BENCH_N_STARTS);
      odeint_case ("odeint-chain-100", path, "c.m", &odeint, CHUNKS_100);
    }
  if (bench_wants ("odeint-two-dof"))
    {
      g_autofree char *path = g_build_filename (bench_folder, "two-dof-verlet.ini", NULL);
      g_autofree char *text = g_strdup_printf (
          "[network]\nformat = 1\nscheme = verlet\nstep = 50 us\nduration = 4 s\n[ground wall]\n"
          "[spring k1]\nstiffness = 10 kN/m\nbetween = wall, m1\n[mass m1]\nmass = 1 kg\n"
          "position = 1 mm\n[spring k2]\nstiffness = 40 kN/m\nbetween = m1, m2\n"
          "[mass m2]\nmass = 1 kg\n");
      Odeint odeint = { .loop = odeint_two_run };

      g_file_set_contents (path, text, -1, NULL);
      odeint.chain = odeint_chain_new (2, two_step, two_mass, 2, two_stiffness, 2, two_start, 2);
      odeint_case ("odeint-two-dof", path, "m", &odeint, CHUNKS_2);
    }
}

#else

static void
odeint_cases (void)
{
  if (bench_wants ("odeint-chain-100"))
    bench_skip ("odeint-chain-100", "built without Boost (make bench-deps)");
  if (bench_wants ("odeint-two-dof"))
    bench_skip ("odeint-two-dof", "built without Boost (make bench-deps)");
}

#endif

#define PENDULUM_CHECK 256 /* its motion is chaotic: rounding grows from then on */

static void
pendulum_run (gpointer data, guint64 steps)
{
  Loop *loop = data;

  for (guint64 done = 0; done < steps; done += loop->chunk)
    yard_pendulum (loop->pendulum, (long) MIN (loop->chunk, steps - done), loop->probe);
}

/* networks/double-pendulum.ini by rk4, which costs its mechanism most. */
static void
double_pendulum (void)
{
  BenchNetwork *network = bench_network_new ("networks/double-pendulum.ini", NULL);
  BenchEngine *engine;
  YardPendulum pendulum = {
    .step = 1e-3, .gravity = 9.81, .length = { 1, 1 }, .mobility = { 1, 1 }
  };
  Loop loop = { .pendulum = &pendulum };
  BenchSide sides[2] = { { bench_engine_run, NULL, 0 }, { pendulum_run, &loop, 0 } };
  double position[4], rate[4], difference;

  network->spec.scheme = ifbam_scheme_by_name ("rk4");
  network->spec.step = pendulum.step;
  sides[0].data = engine = bench_engine_new (network, 0, NULL, 0, CHUNK);
  loop_begin (&loop, 0, CHUNK);
  bench_engine_state (engine, pendulum.position, pendulum.rate);
  bench_engine_run (engine, PENDULUM_CHECK);
  pendulum_run (&loop, PENDULUM_CHECK);
  bench_engine_state (engine, position, rate);
  difference = bench_difference (position, pendulum.position, 4);
  difference = MAX (difference, bench_difference (rate, pendulum.rate, 4));
  bench_contest (sides, 2, CHUNKS_PENDULUM * CHUNK, SMALL_ROUNDS);
  bench_report ("double-pendulum", ns_per_step (&sides[0], CHUNKS_PENDULUM),
                ns_per_step (&sides[1], CHUNKS_PENDULUM), bench_verdict (difference, 1e-12));
  loop_end (&loop);
  bench_engine_free (engine);
  bench_network_free (network);
}

void
bench_small (void)
{
  if (bench_wants ("two-dof"))
    two_dof ();
  if (bench_wants ("double-pendulum"))
    double_pendulum ();
  if (bench_wants ("chain-100"))
    chain_of_100 ();
  odeint_cases ();
}

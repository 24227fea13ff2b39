/* yardsticks.c: hand-written loops for one network
 *
 * Compiled for the machine at hand (see the Makefile). A yardstick that the compiler left scalar
 * flatters the compiled engine: `make bench` prints how many packed instructions each of the loops has, from
 *   objdump -d build/bench/yardsticks.o (instructions that end in "pd" and name zmm or ymm);
 * -fopt-info-vec says the same in the compiler's words. Loops that gather or scatter by index
 * (yard_graph_scatter's links) are left scalar by their nature.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "yardsticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE     512
#define CYCLES   64 /* that a tile is carried through */
#define SKEW     8
#define NOINLINE __attribute__ ((noinline))

static void *
allocate (size_t bytes)
{
  void *block = NULL;

  if (posix_memalign (&block, 4096, bytes + 64) != 0)
    {
      fputs ("bench: out of memory\n", stderr);
      exit (1);
    }
  memset (block, 0, bytes + 64);
  return block;
}

static inline double
middle (double now, double earlier)
{
  return 1.5 * now - 0.5 * earlier;
}

/* Two cycles before the start: x(-j step) of the parabola through it. */
static void
past (double position, double acceleration, double step, double x[4])
{
  for (int j = 0; j < 4; j++)
    {
      double back = j * step;

      x[j] = j == 0 ? position : position - back * 0.0 + 0.5 * (back * back) * acceleration;
    }
}

/* Chains */

YardChain *
yard_chain_new (long n_masses, double step, const double *mass, long n_mass,
                const double *stiffness, long n_stiffness, const double *start, long n_start)
{
  YardChain *chain = allocate (sizeof *chain);
  double **columns[8] = { &chain->position[0], &chain->rate[0], &chain->force[0],
                          &chain->position[1], &chain->rate[1], &chain->force[1],
                          &chain->stiffness,   &chain->pace };
  double *x0, *x1, *k;

  chain->n = (n_masses + 1 + 7) / 8 * 8;
  chain->n_masses = n_masses;
  chain->step = step;
  /* Columns that start at the same place of a page fight for the same lines of the cache. */
  for (int c = 0; c < 8; c++)
    {
      chain->block[c] = allocate ((size_t) (chain->n + 64 + 24 * c) * sizeof (double));
      *columns[c] = (double *) chain->block[c] + 16 + 24 * c;
    }
  k = chain->stiffness;
  for (long i = 1; i <= n_masses; i++)
    {
      k[i - 1] = stiffness[(i - 1) % n_stiffness];
      chain->pace[i] = (2.0 * step) * (1.0 / mass[(i - 1) % n_mass]);
      chain->position[0][i] = start[(i - 1) % n_start];
    }
  x0 = chain->position[0];
  x1 = chain->position[1];
  /* The accelerations at the start wait in rate[1]; then the past follows from them. */
  for (long i = 1; i <= n_masses; i++)
    {
      double force = k[i - 1] * (x0[i - 1] - x0[i]);

      if (i < n_masses)
        force -= k[i] * (x0[i] - x0[i + 1]);
      chain->rate[1][i] = force * (1.0 / mass[(i - 1) % n_mass]);
    }
  {
    double y = 0;

    for (long i = 1; i <= n_masses; i++)
      {
        double x[4], next;

        past (x0[i], chain->rate[1][i], step, x);
        next = middle (x[1], x[2]);
        chain->force[0][i - 1] = k[i - 1] * (y - next);
        y = next;
        x1[i] = x[1];
        chain->rate[0][i] = (x[0] - x[1]) / step;
        chain->rate[1][i] = (x[1] - x[2]) / step;
      }
  }
  return chain;
}

void
yard_chain_free (YardChain *chain)
{
  for (int c = 0; c < 8; c++)
    free (chain->block[c]);
  free (chain);
}

/* Nodes (and the springs on their right) first <= j < last. Overwrites values of the cycle before. */
static NOINLINE void
yard_two_loops (const double *restrict x, double *restrict x1, double *restrict v,
                const double *restrict force, double *restrict next_force, const double *restrict k,
                const double *restrict pace, double step, long first, long last)
{
  for (long j = first; j < last; j++)
    next_force[j] = k[j] * (middle (x[j], x1[j]) - middle (x[j + 1], x1[j + 1]));
  for (long j = first; j < last; j++)
    {
      double rate = v[j] + pace[j] * (force[j - 1] - force[j]);

      v[j] = rate;
      x1[j] = x[j] + step * rate;
    }
}

static inline void
chain_range (YardChain *chain, int now, long first, long last)
{
  yard_two_loops (chain->position[now], chain->position[!now], chain->rate[!now], chain->force[now],
                  chain->force[!now], chain->stiffness, chain->pace, chain->step, first, last);
}

static inline void
chain_record (const YardChain *chain, int now, long row, YardProbe probe)
{
  probe.position[row] = chain->position[now][probe.node];
  probe.rate[row] = 0.5 * (chain->rate[now][probe.node] + chain->rate[!now][probe.node]);
}

void
yard_chain_two_pass (YardChain *chain, long steps, YardProbe probe)
{
  for (long t = 0; t < steps; t++, chain->cycle++)
    {
      chain_range (chain, chain->cycle & 1, 0, chain->n);
      chain_record (chain, chain->cycle & 1, t, probe);
    }
}

void
yard_chain_tiled (YardChain *chain, long steps, YardProbe probe)
{
  for (long done = 0; done < steps; done += CYCLES, chain->cycle += CYCLES)
    for (long tile = 0; tile < chain->n + SKEW * CYCLES; tile += TILE)
      for (long t = 0; t < CYCLES; t++)
        {
          long first = tile - SKEW * t, last = first + TILE;

          first = first < 0 ? 0 : first;
          last = last > chain->n ? chain->n : last;
          if (first >= last)
            continue;
          chain_range (chain, t & 1, first, last);
          if (first <= probe.node && probe.node < last)
            chain_record (chain, t & 1, done + t, probe);
        }
}

/* A chain with a constant length. */
#define HUNDRED 100

static NOINLINE void
yard_hundred_two_loops (const double *restrict x, double *restrict x1, double *restrict v,
                        const double *restrict force, double *restrict next_force,
                        const double *restrict k, const double *restrict pace, double step)
{
  double rate;

  for (int j = 0; j < HUNDRED; j++)
    next_force[j] = k[j] * (middle (x[j], x1[j]) - middle (x[j + 1], x1[j + 1]));
  for (int j = 1; j < HUNDRED; j++)
    {
      rate = v[j] + pace[j] * (force[j - 1] - force[j]);
      v[j] = rate;
      x1[j] = x[j] + step * rate;
    }
  rate = v[HUNDRED] + pace[HUNDRED] * force[HUNDRED - 1];
  v[HUNDRED] = rate;
  x1[HUNDRED] = x[HUNDRED] + step * rate;
}

static NOINLINE void
yard_hundred_one_loop (const double *restrict x, double *restrict x1, double *restrict v,
                       const double *restrict force, double *restrict next_force,
                       const double *restrict k, const double *restrict pace, double step)
{
  double rate;

  next_force[0] = k[0] * (middle (x[0], x1[0]) - middle (x[1], x1[1]));
  for (int j = 1; j < HUNDRED; j++)
    {
      next_force[j] = k[j] * (middle (x[j], x1[j]) - middle (x[j + 1], x1[j + 1]));
      rate = v[j] + pace[j] * (force[j - 1] - force[j]);
      v[j] = rate;
      x1[j] = x[j] + step * rate;
    }
  rate = v[HUNDRED] + pace[HUNDRED] * force[HUNDRED - 1];
  v[HUNDRED] = rate;
  x1[HUNDRED] = x[HUNDRED] + step * rate;
}

#define HUNDRED_RUN(chain, steps, probe, loop)                                                     \
  for (long t = 0; t < steps; t++, chain->cycle++)                                                 \
    {                                                                                              \
      const int now = chain->cycle & 1;                                                            \
                                                                                                   \
      loop (chain->position[now], chain->position[!now], chain->rate[!now], chain->force[now],     \
            chain->force[!now], chain->stiffness, chain->pace, chain->step);                       \
      chain_record (chain, now, t, probe);                                                         \
    }

void
yard_chain_100_two_loops (YardChain *chain, long steps, YardProbe probe)
{
  HUNDRED_RUN (chain, steps, probe, yard_hundred_two_loops)
}

void
yard_chain_100_one_loop (YardChain *chain, long steps, YardProbe probe)
{
  HUNDRED_RUN (chain, steps, probe, yard_hundred_one_loop)
}

void
yard_chain_2 (YardChain *chain, long steps, YardProbe probe)
{
  const int now = chain->cycle & 1, end = (chain->cycle + steps) & 1;
  const double step = chain->step, k1 = chain->stiffness[0], k2 = chain->stiffness[1];
  const double pace1 = chain->pace[1], pace2 = chain->pace[2];
  double xa = chain->position[now][1], xa1 = chain->position[!now][1];
  double xb = chain->position[now][2], xb1 = chain->position[!now][2];
  double va = chain->rate[now][1], va1 = chain->rate[!now][1];
  double vb = chain->rate[now][2], vb1 = chain->rate[!now][2];
  double f1 = chain->force[now][0], f2 = chain->force[now][1];
  double *restrict position = probe.position, *restrict rate = probe.rate;

  /* Which mass is asked for is known before the loop: it is the first. */
  for (long t = 0; t < steps; t++)
    {
      double ya = middle (xa, xa1), yb = middle (xb, xb1);
      double next1 = k1 * (0.0 - ya), next2 = k2 * (ya - yb);
      double wa = va1 + pace1 * (f1 - f2), wb = vb1 + pace2 * f2;

      position[t] = xa;
      rate[t] = 0.5 * (va + wa);
      va1 = va, va = wa, xa1 = xa, xa = xa + step * wa;
      vb1 = vb, vb = wb, xb1 = xb, xb = xb + step * wb;
      f1 = next1, f2 = next2;
    }
  chain->cycle += steps;
  chain->position[end][1] = xa, chain->position[!end][1] = xa1;
  chain->position[end][2] = xb, chain->position[!end][2] = xb1;
  chain->rate[end][1] = va, chain->rate[!end][1] = va1;
  chain->rate[end][2] = vb, chain->rate[!end][2] = vb1;
  chain->force[end][0] = f1, chain->force[end][1] = f2;
}

/* Graphs */

static void
index_links (YardGraph *graph)
{
  int *next = allocate ((size_t) (graph->n_nodes + 1) * sizeof (int));

  for (long e = 0; e < graph->n_links; e++)
    {
      graph->first[graph->left[e] + 1]++;
      graph->first[graph->right[e] + 1]++;
    }
  for (long i = 0; i < graph->n_nodes; i++)
    graph->first[i + 1] += graph->first[i];
  memcpy (next, graph->first, (size_t) graph->n_nodes * sizeof (int));
  for (long e = 0; e < graph->n_links; e++)
    {
      int place = next[graph->left[e]]++;

      graph->link[place] = (int) e;
      graph->sign[place] = -1.0;
      place = next[graph->right[e]]++;
      graph->link[place] = (int) e;
      graph->sign[place] = 1.0;
    }
  free (next);
}

/* Forces of the links of node i. */
static inline double
gathered (const int *first, const int *link, const double *sign, const double *force, long i)
{
  double sum = -0.0;

  for (int p = first[i]; p < first[i + 1]; p++)
    sum += sign[p] * force[link[p]];
  return sum;
}

/* See the chain's columns. */
static void *
graph_column (YardGraph *graph, size_t bytes)
{
  const int c = graph->n_blocks++;

  graph->block[c] = allocate (bytes + 192 * (size_t) c);
  return (char *) graph->block[c] + 192 * c;
}

YardGraph *
yard_graph_new (long n_nodes, long n_links, const int *left, const int *right,
                const double *stiffness, const double *mass, const double *start, double step)
{
  YardGraph *graph = allocate (sizeof *graph);
  const size_t nodes = (size_t) n_nodes * sizeof (double),
               links = (size_t) n_links * sizeof (double);
  int *own_left, *own_right;
  double *own_stiffness;

  graph->n_nodes = n_nodes;
  graph->n_links = n_links;
  graph->step = step;
  graph->left = own_left = graph_column (graph, links / 2);
  graph->right = own_right = graph_column (graph, links / 2);
  graph->stiffness = own_stiffness = graph_column (graph, links);
  memcpy (own_left, left, links / 2);
  memcpy (own_right, right, links / 2);
  memcpy (own_stiffness, stiffness, links);
  graph->pace = graph_column (graph, nodes);
  graph->first = graph_column (graph, (size_t) (n_nodes + 1) * sizeof (int));
  graph->link = graph_column (graph, links);
  graph->sign = graph_column (graph, 2 * links);
  for (int c = 0; c < 2; c++)
    {
      graph->position[c] = graph_column (graph, nodes);
      graph->rate[c] = graph_column (graph, nodes);
      graph->force[c] = graph_column (graph, links);
      graph->sum[c] = graph_column (graph, nodes);
    }
  index_links (graph);
  for (long e = 0; e < n_links; e++)
    graph->force[1][e] = stiffness[e] * (start[left[e]] - start[right[e]]);
  for (long i = 0; i < n_nodes; i++)
    {
      double inverse = 1.0 / mass[i], x[4];
      double force = gathered (graph->first, graph->link, graph->sign, graph->force[1], i);

      past (start[i], force * inverse, step, x);
      graph->pace[i] = (2.0 * step) * inverse;
      graph->position[0][i] = x[0];
      graph->position[1][i] = x[1];
      graph->rate[0][i] = (x[0] - x[1]) / step;
      graph->rate[1][i] = (x[1] - x[2]) / step;
      graph->sum[1][i] = middle (x[1], x[2]);
    }
  for (long e = 0; e < n_links; e++)
    graph->force[0][e] = stiffness[e] * (graph->sum[1][left[e]] - graph->sum[1][right[e]]);
  for (long i = 0; i < n_nodes; i++)
    graph->sum[0][i] = gathered (graph->first, graph->link, graph->sign, graph->force[0], i);
  return graph;
}

void
yard_graph_free (YardGraph *graph)
{
  for (int b = 0; b < graph->n_blocks; b++)
    free (graph->block[b]);
  free (graph);
}

static NOINLINE void
yard_graph_links (long n, const int *restrict left, const int *restrict right,
                  const double *restrict k, const double *restrict x, const double *restrict x1,
                  double *restrict force)
{
  for (long e = 0; e < n; e++)
    force[e] = k[e] * (middle (x[left[e]], x1[left[e]]) - middle (x[right[e]], x1[right[e]]));
}

static NOINLINE void
yard_graph_nodes (long n, const int *restrict first, const int *restrict link,
                  const double *restrict sign, const double *restrict force,
                  const double *restrict pace, double step, const double *restrict x,
                  double *restrict x1, double *restrict v)
{
  for (long i = 0; i < n; i++)
    {
      double rate = v[i] + pace[i] * gathered (first, link, sign, force, i);

      v[i] = rate;
      x1[i] = x[i] + step * rate;
    }
}

static inline void
graph_record (const YardGraph *graph, int now, long row, YardProbe probe)
{
  probe.position[row] = graph->position[now][probe.node];
  probe.rate[row] = 0.5 * (graph->rate[now][probe.node] + graph->rate[!now][probe.node]);
}

void
yard_graph_gather (YardGraph *graph, long steps, YardProbe probe)
{
  for (long t = 0; t < steps; t++, graph->cycle++)
    {
      const int now = graph->cycle & 1;

      yard_graph_links (graph->n_links, graph->left, graph->right, graph->stiffness,
                        graph->position[now], graph->position[!now], graph->force[!now]);
      yard_graph_nodes (graph->n_nodes, graph->first, graph->link, graph->sign, graph->force[now],
                        graph->pace, graph->step, graph->position[now], graph->position[!now],
                        graph->rate[!now]);
      graph_record (graph, now, t, probe);
    }
}

void
yard_branch_3 (YardGraph *graph, long steps, YardProbe probe)
{
  const int now = graph->cycle & 1, end = (graph->cycle + steps) & 1;
  const double step = graph->step, *k = graph->stiffness, *pace = graph->pace;
  const double k1 = k[0], k2 = k[1], k3 = k[2], pace1 = pace[0], pace2 = pace[1], pace3 = pace[2];
  double xa = graph->position[now][0], xa1 = graph->position[!now][0];
  double xb = graph->position[now][1], xb1 = graph->position[!now][1];
  double xc = graph->position[now][2], xc1 = graph->position[!now][2];
  double va = graph->rate[now][0], va1 = graph->rate[!now][0];
  double vb = graph->rate[now][1], vb1 = graph->rate[!now][1];
  double vc = graph->rate[now][2], vc1 = graph->rate[!now][2];
  double f1 = graph->force[now][0], f2 = graph->force[now][1], f3 = graph->force[now][2];
  double *restrict position = probe.position, *restrict rate = probe.rate;

  /* Which mass is asked for is known before the loop: it is the last. */
  for (long t = 0; t < steps; t++)
    {
      double ya = middle (xa, xa1), yb = middle (xb, xb1), yc = middle (xc, xc1);
      double next1 = k1 * (0.0 - ya), next2 = k2 * (ya - yb), next3 = k3 * (ya - yc);
      double wa = va1 + pace1 * (f1 - f2 - f3), wb = vb1 + pace2 * f2, wc = vc1 + pace3 * f3;

      position[t] = xc;
      rate[t] = 0.5 * (vc + wc);
      va1 = va, va = wa, xa1 = xa, xa = xa + step * wa;
      vb1 = vb, vb = wb, xb1 = xb, xb = xb + step * wb;
      vc1 = vc, vc = wc, xc1 = xc, xc = xc + step * wc;
      f1 = next1, f2 = next2, f3 = next3;
    }
  graph->cycle += steps;
  graph->position[end][0] = xa, graph->position[!end][0] = xa1;
  graph->position[end][1] = xb, graph->position[!end][1] = xb1;
  graph->position[end][2] = xc, graph->position[!end][2] = xc1;
  graph->rate[end][0] = va, graph->rate[!end][0] = va1;
  graph->rate[end][1] = vb, graph->rate[!end][1] = vb1;
  graph->rate[end][2] = vc, graph->rate[!end][2] = vc1;
  graph->force[end][0] = f1, graph->force[end][1] = f2, graph->force[end][2] = f3;
}

static NOINLINE void
yard_graph_scatter_links (long n, const int *restrict left, const int *restrict right,
                          const double *restrict k, const double *restrict x,
                          const double *restrict x1, double *restrict sum)
{
  for (long e = 0; e < n; e++)
    {
      const int l = left[e], r = right[e];
      double force = k[e] * (middle (x[l], x1[l]) - middle (x[r], x1[r]));

      sum[l] -= force;
      sum[r] += force;
    }
}

static NOINLINE void
yard_graph_scatter_nodes (long n, const double *restrict sum, const double *restrict pace,
                          double step, const double *restrict x, double *restrict x1,
                          double *restrict v)
{
  for (long i = 0; i < n; i++)
    {
      double rate = v[i] + pace[i] * sum[i];

      v[i] = rate;
      x1[i] = x[i] + step * rate;
    }
}

void
yard_graph_scatter (YardGraph *graph, long steps, YardProbe probe)
{
  for (long t = 0; t < steps; t++, graph->cycle++)
    {
      const int now = graph->cycle & 1;

      memset (graph->sum[!now], 0, (size_t) graph->n_nodes * sizeof (double));
      yard_graph_scatter_links (graph->n_links, graph->left, graph->right, graph->stiffness,
                                graph->position[now], graph->position[!now], graph->sum[!now]);
      yard_graph_scatter_nodes (graph->n_nodes, graph->sum[now], graph->pace, graph->step,
                                graph->position[now], graph->position[!now], graph->rate[!now]);
      graph_record (graph, now, t, probe);
    }
}

/* The rods' directions, outwards, their lengths, and the matrix J M^-1 J^T of their reactions. */
typedef struct
{
  double e[2][2], length[2], matrix[3];
} Rods;

static inline Rods
rods_at (const YardPendulum *self, const double *x)
{
  Rods rods;

  for (int k = 0; k < 2; k++)
    {
      const double along_x = x[2 * k] - (k == 0 ? 0 : x[0]);
      const double along_y = x[2 * k + 1] - (k == 0 ? 0 : x[1]);

      rods.length[k] = sqrt (along_x * along_x + along_y * along_y);
      rods.e[k][0] = along_x / rods.length[k];
      rods.e[k][1] = along_y / rods.length[k];
    }
  rods.matrix[0] = self->mobility[0];
  rods.matrix[1] = -(rods.e[0][0] * rods.e[1][0] + rods.e[0][1] * rods.e[1][1]) * self->mobility[0];
  rods.matrix[2] = self->mobility[0] + self->mobility[1];
  return rods;
}

/* Lengths of the rods from a column of motions. */
static inline void
rods_rates (const Rods *rods, const double *v, double *rate)
{
  rate[0] = rods->e[0][0] * v[0] + rods->e[0][1] * v[1];
  rate[1] = rods->e[1][0] * (v[2] - v[0]) + rods->e[1][1] * (v[3] - v[1]);
}

/* Removes from a column of motions the part that changes the lengths. */
static inline void
rods_keep (const YardPendulum *self, const Rods *rods, const double *rate, double *column)
{
  const double *a = rods->matrix, determinant = a[0] * a[2] - a[1] * a[1];
  const double first = (rate[0] * a[2] - rate[1] * a[1]) / determinant;
  const double second = (rate[1] * a[0] - rate[0] * a[1]) / determinant;

  for (int c = 0; c < 2; c++)
    {
      column[c] -= (rods->e[0][c] * first - rods->e[1][c] * second) * self->mobility[0];
      column[2 + c] -= rods->e[1][c] * second * self->mobility[1];
    }
}

static inline void
pendulum_accelerations (const YardPendulum *self, const double *x, const double *v, double *a)
{
  const Rods rods = rods_at (self, x);
  double rate[2];

  for (int i = 0; i < 4; i++)
    a[i] = i % 2 == 0 ? 0 : -self->gravity;
  rods_rates (&rods, a, rate);
  for (int k = 0; k < 2; k++)
    {
      const double vx = v[2 * k] - (k == 0 ? 0 : v[0]);
      const double vy = v[2 * k + 1] - (k == 0 ? 0 : v[1]);
      const double across = vx * rods.e[k][1] - vy * rods.e[k][0];

      rate[k] += across * across / rods.length[k];
    }
  rods_keep (self, &rods, rate, a);
}

/* By Newton's method with the rods of the first turn, until nothing but rounding is left. */
static inline void
pendulum_return (const YardPendulum *self, double *x, double *v)
{
  const Rods first = rods_at (self, x);
  Rods rods = first;
  double left[2];

  for (int turn = 0;; turn++)
    {
      for (int k = 0; k < 2; k++)
        left[k] = rods.length[k] - self->length[k];
      if (turn == 30
          || (turn > 0 && fabs (left[0]) <= 1e-14 * self->length[0]
              && fabs (left[1]) <= 1e-14 * self->length[1]))
        break;
      rods_keep (self, &first, left, x);
      rods = rods_at (self, x);
    }
  rods_rates (&rods, v, left);
  rods_keep (self, &rods, left, v);
}

void
yard_pendulum (YardPendulum *self, long steps, YardProbe probe)
{
  const double h = self->step;

  for (long t = 0; t < steps; t++)
    {
      double *x = self->position, *v = self->rate, xs[4], vs[4], a[4][4], slope[4][4];

      probe.position[t] = x[probe.node];
      probe.rate[t] = v[probe.node];
      for (int stage = 0; stage < 4; stage++)
        {
          const double reach = stage == 0 ? 0 : stage == 3 ? h : h / 2;

          for (int i = 0; i < 4; i++)
            {
              xs[i] = stage == 0 ? x[i] : x[i] + reach * slope[stage - 1][i];
              slope[stage][i] = vs[i] = stage == 0 ? v[i] : v[i] + reach * a[stage - 1][i];
            }
          pendulum_accelerations (self, xs, vs, a[stage]);
        }
      for (int i = 0; i < 4; i++)
        {
          x[i] += h / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
          v[i] += h / 6 * (a[0][i] + 2 * a[1][i] + 2 * a[2][i] + a[3][i]);
        }
      pendulum_return (self, x, v);
    }
}

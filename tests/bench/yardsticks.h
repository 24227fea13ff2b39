/* yardsticks.h: the loops that somebody would write by hand for just one network
 *
 * Those of chains and graphs do `averaged` with linear springs and linear masses, in the same order of arithmetic
 * as the model: all of them give its numbers bit for bit. The pendulum's goes by `rk4`, and solves for its
 * reactions as one does by hand: its numbers are the model's but for rounding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Where a loop records a node's position and rate, a row in each cycle. */
typedef struct
{
  long node;
  double *position, *rate;
} YardProbe;

/* A chain: node 0 is the wall, spring j joins the nodes j and j + 1. What changes is kept twice; after
 * `cycle` cycles the newest stands in [cycle & 1]. */
typedef struct
{
  long n; /* nodes with the wall and with padding, a multiple of 8 */
  long n_masses, cycle;
  double step;
  double *position[2], *rate[2], *force[2];
  double *stiffness, *pace; /* pace: 2 step / mass */
  void *block[8];
} YardChain;

YardChain *yard_chain_new (long n_masses, double step, const double *mass, long n_mass,
                           const double *stiffness, long n_stiffness, const double *start,
                           long n_start);
void yard_chain_free (YardChain *chain);
void yard_chain_two_pass (YardChain *chain, long steps, YardProbe probe);
/* steps: a multiple of 64 */
void yard_chain_tiled (YardChain *chain, long steps, YardProbe probe);
/* For 100 masses, known to the compiler: in two loops, in one. */
void yard_chain_100_two_loops (YardChain *chain, long steps, YardProbe probe);
void yard_chain_100_one_loop (YardChain *chain, long steps, YardProbe probe);
/* Two masses, in registers. */
void yard_chain_2 (YardChain *chain, long steps, YardProbe probe);

/* Any network of masses and springs, in the order of its file. */
typedef struct
{
  long n_nodes, n_links, cycle;
  double step;
  const int *left, *right;
  const double *stiffness;
  double *pace;
  double *position[2], *rate[2], *force[2];
  int *first, *link; /* the links of node i: link[first[i]] to link[first[i + 1] - 1] */
  double *sign;
  double *sum[2]; /* the scatter loop's */
  void *block[16];
  int n_blocks;
} YardGraph;

YardGraph *yard_graph_new (long n_nodes, long n_links, const int *left, const int *right,
                           const double *stiffness, const double *mass, const double *start,
                           double step);
/* Three masses and a wall, number 3: springs from the wall to the first one, and from it to the others; in registers. */
void yard_branch_3 (YardGraph *graph, long steps, YardProbe probe);
void yard_graph_free (YardGraph *graph);
/* Forces, then each node its sum. */
void yard_graph_gather (YardGraph *graph, long steps, YardProbe probe);
/* Forces are added to both ends at once, then the nodes. */
void yard_graph_scatter (YardGraph *graph, long steps, YardProbe probe);

/* Two balls on rods in the plane, the second one's on the first, which hangs at 0, 0: x, y of each. */
typedef struct
{
  double step, gravity, length[2], mobility[2]; /* 1/kg */
  double position[4], rate[4];
} YardPendulum;

void yard_pendulum (YardPendulum *pendulum, long steps, YardProbe probe);

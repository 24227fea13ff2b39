/* bench.h: common functions of the benchmarks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"
#include "yardsticks.h"

/* Where generated files go, and whether a case was asked for. */
extern const char *bench_folder;
gboolean bench_wants (const char *case_name);

/* Seconds since some instant. */
double bench_clock (void);

/* Runs of the same work by several hands, in turns; the median of each. */
typedef struct
{
  void (*run) (gpointer data, guint64 steps);
  gpointer data;
  double seconds; /* of one round */
} BenchSide;

/* One round more than said is run first, untimed. */
void bench_contest (BenchSide *sides, guint n_sides, guint64 steps, guint rounds);
double bench_median (double *values, guint n);

/* Reports a case: rates (more is better) or costs (less is better), in the unit of the case. Takes
 * errors over. */
void bench_report (const char *case_name, double ours, double yardstick, char *errors);
/* A case that is left out, and why. */
void bench_skip (const char *case_name, const char *reason);
/* The numbers are wrong: no comparison is worth anything. Goes on; the program ends with 1. */
void bench_wrong (void);

/* The largest difference relative to the largest of b. */
double bench_difference (const double *a, const double *b, gsize n);
/* "bit-equal", or how far off; wrong if farther than the tolerance. */
char *bench_verdict (double difference, double tolerance);

/* Networks. */

typedef struct
{
  IfbamNetwork *read;
  IfbamModel *model;
  IfbamRunSpec spec;
  gsize n;        /* free nodes */
  gsize *numbers; /* of the file's nodes in the model; NULL: the same */
} BenchNetwork;

/* The nodes are named NAME1, NAME2, …; NULL: they keep the model's order. */
BenchNetwork *bench_network_new (const char *path, const char *name);
void bench_network_free (BenchNetwork *network);
gsize bench_network_node (const BenchNetwork *network, gsize i);

/* An engine that records some nodes in every step. */
typedef struct
{
  const BenchNetwork *network;
  IfbamEngine *engine;
  gsize *node; /* in the model (n_probes) */
  guint n_probes;
  guint64 chunk;           /* rows that are kept */
  double *position, *rate; /* (chunk)(n_probes) */
} BenchEngine;

/* Threads: 0 is automatic. probes: nodes of the file. */
BenchEngine *bench_engine_new (const BenchNetwork *network, guint threads, const gsize *probes,
                               guint n_probes, guint64 chunk);
void bench_engine_free (BenchEngine *engine);
/* BenchSide.run of an engine */
void bench_engine_run (gpointer engine, guint64 steps);
/* All free nodes in the order of the file at the last row. */
void bench_engine_state (const BenchEngine *engine, double *position, double *rate);

/* Lists of different prime lengths that repeat along the chains. */
#define BENCH_N_MASSES      7
#define BENCH_N_STIFFNESSES 11
#define BENCH_N_STARTS      61
#define BENCH_PERIOD        (BENCH_N_MASSES * BENCH_N_STIFFNESSES * BENCH_N_STARTS)
extern double bench_mass[BENCH_N_MASSES];           /* [kg] */
extern double bench_stiffness[BENCH_N_STIFFNESSES]; /* [N/m] */
extern double bench_start[BENCH_N_STARTS];          /* [m] */

/* Writes a file of this name into the folder unless it is there; returns its path. */
char *bench_chain_file (gsize n, gboolean wall, const char *scheme, double step);
char *bench_chain_file_explicit (gsize n);

typedef struct
{
  gsize n_nodes, n_links;
  int *left, *right;
  double *stiffness, *mass, *start;
} BenchGraph;

BenchGraph *bench_membrane_new (int width, int height);
BenchGraph *bench_random_new (gsize n_nodes, gsize n_links);
void bench_graph_free (BenchGraph *graph);
char *bench_graph_file (const BenchGraph *graph, const char *name, double step);

/* The cases, by group. */
void bench_chains (void);
void bench_graphs (void);
void bench_small (void);
void bench_generated (void);
void bench_sweep (void);
void bench_lammps (void);
void bench_ngspice (void);
void bench_circuits (void);
void bench_stiff (void);
void bench_mechanisms (void);
void bench_events (void);
void bench_ball (void);
void bench_modes (void);
void bench_checkpoint (void);
void bench_rows (void);
void bench_assembly (const char *program);
/* The work of bench_assembly's child process. */
int bench_assembly_child (const char *path);

/* compiled-engine-internal.h: data of a compiled engine, for the files that implement it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "engine/kernel-calls.h"
#include "engine/state-view.h"

/* Steps of a block: between blocks all nodes are at the same step. */
#define IFBAM_BLOCK_STEPS 64

#define IFBAM_NO_ROW G_MAXSIZE

typedef struct
{
  guint64 first_step;
  guint cycles; /* stages of all steps */
  const IfbamProbes *probes;
  gsize n_free_probes; /* the first probes: those of free nodes */
  gboolean look;       /* energy check at the sample before the first cycle */
  /* Index of the probes' sample that is complete after a cycle; IFBAM_NO_ROW: none. */
  gsize row[IFBAM_BLOCK_STEPS * IFBAM_MAX_STAGES];
  /* Time of the sources in a cycle [s]; NaN: that of the last cycle, so that their forces stand. */
  double source_time[IFBAM_BLOCK_STEPS * IFBAM_MAX_STAGES];
} IfbamBlockOfSteps;

/* Message of a moving given node in a cycle, and its rate at the time of the position. */
typedef struct
{
  double position, rate, rate_now;
} IfbamTabled;

/* Machine code that advances the columns in place of the kernels, with equal bits. */
typedef struct
{
  /* Also stores probes. FALSE: it can't do these steps, and nothing has changed. NULL: none. */
  gboolean (*advance) (IfbamEngine *engine, double *const *column, double *const *output,
                       guint64 steps, const IfbamProbes *probes);
  gpointer data;
  GDestroyNotify free;
} IfbamGeneratedCode;

typedef struct
{
  IfbamEngine base;
  IfbamGeneratedCode generated;
  IfbamColumns columns;
  IfbamCalls calls[IFBAM_MAX_STAGES];
  IfbamMiddles middles;
  double force[IFBAM_RANGE]; /* sums of ports, for nodes that need them */
  gboolean simple;           /* see is_simple */

  guint32 *moving_number; /* index in numbers->moving, by given node (n_nodes - n_free) */
  /* of moving nodes, from the cycle before a block on (cycles + 1)(n_moving) */
  IfbamTabled *said;

  void (*observe_one) (gsize node, double *const *column, double *position, double *rate);

  guint tile_cycles; /* 1: no tiles */
  gsize tile_width, skew;

  guint n_threads;
  pthread_t *threads; /* n_threads - 1 of them */
  pthread_mutex_t gate;
  pthread_barrier_t barrier;
  gboolean running;
  gboolean quit;
  gboolean looking;       /* the threads compute an energy check, not a block */
  IfbamExactSum *partial; /* of an energy check, by piece (n_pieces) */
  gsize n_chunks;
  atomic_uint next_piece;
  guint n_pieces;
  IfbamBlockOfSteps work;
} IfbamCompiledEngine;

/* Returns the calls of a cycle of a block. */
static inline const IfbamCalls *
ifbam_calls_at (const IfbamCompiledEngine *self, guint cycle)
{
  const IfbamScheme *scheme = self->base.spec->scheme;
  const guint exchanged = self->columns.exchanged ? 1 : 0;

  return &self->calls[scheme->latency ? (cycle + exchanged) % 2 : cycle % scheme->n_stages];
}

/* Returns the first of the links first <= i < last, sorted by owner, with an owner >= node. */
static inline gsize
ifbam_owner_bound (const IfbamBatch *batch, gsize first, gsize last, gsize node)
{
  while (first < last)
    {
      gsize middle = (first + last) / 2;

      if (ifbam_batch_owner (batch, middle) < node)
        first = middle + 1;
      else
        last = middle;
    }
  return first;
}

/* Returns the first run of a group that contains links of `owner` or above. */
static inline gsize
ifbam_first_run (const IfbamRunGroup *group, gsize owner)
{
  gsize low = 0, high = group->n_runs;

  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (group->runs[middle].owner + group->runs[middle].n <= owner)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* kernel-calls.h: the kernel calls of a cycle, prepared once
 *
 * The time of a small network's cycle is little more than that of these calls.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/state-columns.h"

/* Doubles of forces summed before use: the sums stay in the nearest cache. */
#define IFBAM_RANGE 512

typedef struct
{
  IfbamLinkKernel kernel; /* for looked-up links first to last; NULL: a run */
  IfbamRunKernel run;     /* for a run */
  IfbamLinkBatch batch;
  gsize first, last, left, right; /* of a run: in doubles, with `last` as count */
} IfbamLinkCall;

typedef struct
{
  IfbamNodeKernel kernel;
  IfbamNodeBatch batch;
  gboolean sums;  /* sum the ports first */
  gsize first, n; /* nodes */
  gsize size;     /* doubles */
} IfbamNodeCall;

typedef struct
{
  IfbamLinkCall *links, *links_end;
  IfbamNodeCall *nodes, *nodes_end; /* in order: together all free nodes */
  IfbamLinkBatch *batches;          /* arguments of the runs, per batch */
  IfbamLinkBatch *residues;         /* arguments of the looked-up links, per batch */
  const double *inputs;
  double *outputs;
  double *seen[IFBAM_MAX_COLUMNS]; /* the columns after the cycle */
} IfbamCalls;

/* Midpoints of coming paths (n_nodes), for looked-up links of one point; NULL: not by node. */
typedef struct
{
  double *position, *rate;
} IfbamMiddles;

/* Prepares the calls of one of the recurring cycles: with latency by parity, else by stage. force:
 * IFBAM_RANGE sums, or those of one node in all lanes. */
void ifbam_calls_make (IfbamCalls *calls, const IfbamColumns *columns, guint place,
                       const IfbamMiddles *middles, double *force);
void ifbam_calls_clear (IfbamCalls *calls);

/* Returns the count of recurring cycles. */
static inline guint
ifbam_calls_length (const IfbamScheme *scheme)
{
  return scheme->latency ? 2 : scheme->n_stages;
}

/* A mean of one point is the force at the middle of the path. */
static inline gboolean
ifbam_middles_apply (const IfbamMiddles *middles, const IfbamBatch *batch)
{
  return middles->position != NULL && batch->points == 1;
}

static inline IfbamLinkKernel
ifbam_residue_kernel (const IfbamBatch *batch, const IfbamScheme *scheme,
                      const IfbamMiddles *middles)
{
  return scheme->mean && !ifbam_middles_apply (middles, batch) ? batch->kernels->mean
                                                               : batch->kernels->force;
}

static inline void
ifbam_call_link (const IfbamLinkCall *call)
{
  if (call->kernel != NULL)
    call->kernel (&call->batch, call->first, call->last);
  else
    call->run (&call->batch, call->first, call->left, call->right, call->last);
}

static inline void
ifbam_call_links (const IfbamCalls *calls)
{
  for (const IfbamLinkCall *call = calls->links; call < calls->links_end; call++)
    ifbam_call_link (call);
}

/* force: the array given to ifbam_calls_make. */
static inline void
ifbam_call_nodes (const IfbamCalls *calls, const IfbamModel *model, gsize lanes, double *force)
{
  for (const IfbamNodeCall *call = calls->nodes; call < calls->nodes_end; call++)
    {
      if (call->sums)
        ifbam_sum_ports (model, lanes, calls->inputs, call->first, call->first + call->n, force);
      call->kernel (&call->batch, 0, call->size);
    }
}

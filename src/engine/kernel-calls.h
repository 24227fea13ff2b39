/* kernel-calls.h: a cycle as calls of kernels with their arguments, made once
 *
 * What a small network needs of each cycle is little more than these calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/state-columns.h"

/* Doubles of forces that are summed before they are used: the sums stay in the nearest cache. */
#define IFBAM_RANGE 512

typedef struct
{
  IfbamLinkKernel kernel; /* of looked up links first to last, or NULL */
  IfbamRunKernel run;     /* of a run */
  IfbamLinkBatch batch;
  gsize first, last, left, right; /* of a run: in doubles, and `last` is their number */
} IfbamLinkCall;

typedef struct
{
  IfbamNodeKernel kernel;
  IfbamNodeBatch batch;
  gboolean sums;  /* the ports are summed first */
  gsize first, n; /* nodes */
  gsize size;     /* doubles */
} IfbamNodeCall;

typedef struct
{
  IfbamLinkCall *links, *links_end;
  IfbamNodeCall *nodes, *nodes_end; /* by number: together all free nodes */
  IfbamLinkBatch *batches;          /* the arguments of each batch's runs */
  IfbamLinkBatch *residues;         /* and of its looked up links */
  const double *heard;
  double *answered;
  double *seen[IFBAM_MAX_COLUMNS]; /* the columns after the cycle */
} IfbamCalls;

/* Where nodes form the middles of their coming paths themselves, looked up links of one point are told these
 * (n_nodes); NULL elsewhere. */
typedef struct
{
  double *position, *rate;
} IfbamMiddles;

/* The calls of one of the cycles that repeat: with latency by parity, else by stage. force: for IFBAM_RANGE
 * sums, or those of one node in all lanes. */
void ifbam_calls_make (IfbamCalls *calls, const IfbamColumns *columns, guint place,
                       const IfbamMiddles *middles, double *force);
void ifbam_calls_clear (IfbamCalls *calls);

/* How many they are. */
static inline guint
ifbam_calls_length (const IfbamScheme *scheme)
{
  return scheme->latency ? 2 : scheme->n_stages;
}

/* A mean of one point is the force at the middle of the path. */
static inline gboolean
ifbam_middles_serve (const IfbamMiddles *middles, const IfbamBatch *batch)
{
  return middles->position != NULL && batch->points == 1;
}

static inline IfbamLinkKernel
ifbam_residue_kernel (const IfbamBatch *batch, const IfbamScheme *scheme,
                      const IfbamMiddles *middles)
{
  return scheme->mean && !ifbam_middles_serve (middles, batch) ? batch->kernels->mean
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

/* force: that which the calls were made with. */
static inline void
ifbam_call_nodes (const IfbamCalls *calls, const IfbamModel *model, gsize lanes, double *force)
{
  for (const IfbamNodeCall *call = calls->nodes; call < calls->nodes_end; call++)
    {
      if (call->sums)
        ifbam_sum_ports (model, lanes, calls->heard, call->first, call->first + call->n, force);
      call->kernel (&call->batch, 0, call->size);
    }
}

/* sweep-request.h: what is asked of a sweep: the options that its numbers depend on
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "sweep/sweep.h"

typedef struct
{
  char **varied, **measured;
  char *best;
  int count;
  gboolean by_rank;
  char *part; /* "I/N"; NULL: all variants */
  IfbamNetworkOptions network;
} IfbamSweepRequest;

void ifbam_sweep_request_clear (IfbamSweepRequest *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamSweepRequest, ifbam_sweep_request_clear)

/* Its options, and a network's. */
void ifbam_sweep_request_add (IfbamSweepRequest *request, GOptionContext *context);
/* The sweep of a network (the bytes are not owned); NULL with an error. */
IfbamSweep *ifbam_sweep_request_sweep (const IfbamSweepRequest *request,
                                       const IfbamNetworkBytes *bytes, GError **error);
/* How it is run. */
IfbamSweepRun ifbam_sweep_request_run (const IfbamSweepRequest *request);
/* What makes the sweep's numbers: with it they can be made again (transfer full). */
IfbamManifest *ifbam_sweep_request_manifest (const IfbamSweepRequest *request,
                                             const IfbamNetworkBytes *bytes);

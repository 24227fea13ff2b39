/* sweep-request.h: options that determine a sweep's results
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "sweep/sweep.h"

typedef struct
{
  char **varied, **measured;
  char *best, *optimise;
  char *from, *to; /* part of the time that is measured; NULL: the whole */
  int count;
  gboolean by_rank;
  char *part; /* "I/N"; NULL: all variants */
  IfbamNetworkOptions network;
} IfbamSweepRequest;

void ifbam_sweep_request_clear (IfbamSweepRequest *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamSweepRequest, ifbam_sweep_request_clear)

/* Adds its options, and those of a network. */
void ifbam_sweep_request_add (IfbamSweepRequest *request, GOptionContext *context);
/* Creates the sweep of a network (bytes: not owned); NULL with an error. */
IfbamSweep *ifbam_sweep_request_sweep (const IfbamSweepRequest *request,
                                       const IfbamNetworkBytes *bytes, GError **error);
/* Replaces --vary NAME=FROM:TO by the best values of --optimise, as --best; without it: does nothing.
 * FALSE with an error. */
gboolean ifbam_sweep_request_optimise (IfbamSweepRequest *request, const IfbamNetworkBytes *bytes,
                                       IfbamProgress *progress, GError **error);
/* Measures a network without varied values, and writes a table of measures and units, or a CSV file of one row.
 * Returns the exit code. */
int ifbam_sweep_request_measure_once (const IfbamSweepRequest *request, const char *file,
                                      const char *output);
/* Returns the run of the sweep. */
IfbamSweepRun ifbam_sweep_request_run (const IfbamSweepRequest *request);
/* Returns the sweep's manifest, from which it can be repeated (transfer full). */
IfbamManifest *ifbam_sweep_request_manifest (const IfbamSweepRequest *request,
                                             const IfbamNetworkBytes *bytes);

/* run-output.h: where a run's rows, its events and what made them go: together, or nowhere
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "file/file.h"

/* What is asked of a run. */
typedef struct
{
  const char *file; /* the network's */
  const IfbamNetworkOptions *network;
  const char *output, *manifest, *events; /* paths; NULL: standard output, none, none */
  const char *initial, *final;            /* paths of states; NULL: none */
  const char *checkpoint, *resume;        /* the same; checkpoint: FILE.h5[,INTERVAL] */
  gboolean compress, event_rows, no_events;
} IfbamRunOptions;

typedef struct _IfbamRunOutput IfbamRunOutput;

/* All are opened before the run: what can't be written is said before anything is computed. written: what the
 * run goes on from; NULL: it begins. The options are not owned. */
IfbamRunOutput *ifbam_run_output_new (const IfbamRunOptions *options, const IfbamNetwork *network,
                                      const IfbamModel *model, const IfbamSignals *signals,
                                      const IfbamRunSpec *spec, const IfbamWritten *written,
                                      GError **error);
/* What makes a run's rows: with it they can be made again (transfer full). */
IfbamManifest *ifbam_run_manifest (const IfbamRunOptions *options, const IfbamNetwork *network,
                                   const IfbamRunSpec *spec);
/* The same of an output's (not owned). */
const IfbamManifest *ifbam_run_output_manifest (const IfbamRunOutput *output);
/* How far the files have got, on the disk. */
gboolean ifbam_run_output_mark (IfbamRunOutput *output, IfbamWritten *written, GError **error);
/* Nobody can go on from there: what is unfinished goes with the output. */
void ifbam_run_output_forget_mark (IfbamRunOutput *output);
void ifbam_run_output_free (IfbamRunOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRunOutput, ifbam_run_output_free)

/* Whether somebody wants events. */
gboolean ifbam_run_output_wants_events (const IfbamRunOutput *output);
gboolean ifbam_run_output_row (gpointer output, double time, const double *values, GError **error);
gboolean ifbam_run_output_event (gpointer output, const IfbamEvent *event, GError **error);
/* As ifbam_run_output_finish() is told of it. */
const char *ifbam_run_how_it_ended (gboolean fine, const GError *error);
/* ended: "done", "diverged", "interrupted" or "failed". None is renamed into place before all are
 * written. */
gboolean ifbam_run_output_finish (IfbamRunOutput *output, const IfbamRunTask *run,
                                  const char *ended, GError **error);

/* run-output.h: output files of a run: samples, events and manifest, all of them or none
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"
#include "file/file.h"

/* Options of a run. */
typedef struct
{
  const char *file; /* the network's */
  const IfbamNetworkOptions *network;
  const char *output, *manifest, *events; /* paths; NULL: standard output, none, none */
  const char *initial, *final;            /* state files; NULL: none */
  const char *checkpoint, *resume;        /* checkpoint: FILE.h5[,INTERVAL]; NULL: none */
  gboolean compress, event_rows, no_events, verbose;
} IfbamRunOptions;

typedef struct _IfbamRunOutput IfbamRunOutput;

/* Opens all files, so that errors are found before the run. written: position to resume from; NULL:
 * the start. options: not owned. */
IfbamRunOutput *ifbam_run_output_new (const IfbamRunOptions *options, const IfbamNetwork *network,
                                      const IfbamModel *model, const IfbamSignals *signals,
                                      const IfbamRunSpec *spec, const IfbamWritten *written,
                                      GError **error);
/* Returns the manifest of a run, from which it can be repeated (transfer full). */
IfbamManifest *ifbam_run_manifest (const IfbamRunOptions *options, const IfbamNetwork *network,
                                   const IfbamRunSpec *spec);
/* Returns the manifest of an output (not owned). */
const IfbamManifest *ifbam_run_output_manifest (const IfbamRunOutput *output);
/* Flushes the files to the disk, and returns their lengths. */
gboolean ifbam_run_output_mark (IfbamRunOutput *output, IfbamWritten *written, GError **error);
/* Drops the mark: unfinished files are then removed with the output. */
void ifbam_run_output_forget_mark (IfbamRunOutput *output);
void ifbam_run_output_free (IfbamRunOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRunOutput, ifbam_run_output_free)

/* TRUE if events are written. */
gboolean ifbam_run_output_wants_events (const IfbamRunOutput *output);
gboolean ifbam_run_output_row (gpointer output, double time, const double *values, GError **error);
gboolean ifbam_run_output_event (gpointer output, const IfbamEvent *event, GError **error);
/* Returns the word for ifbam_run_output_finish(). */
const char *ifbam_run_status_text (gboolean fine, const GError *error);
/* ended: "done", "diverged", "interrupted" or "failed". Files are renamed after all are written. */
gboolean ifbam_run_output_finish (IfbamRunOutput *output, const IfbamRunTask *run,
                                  const char *ended, GError **error);

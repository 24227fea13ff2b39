/* run-output.h: where a run's rows, its events and what made them go: together, or nowhere
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"

/* What is asked of a run. */
typedef struct
{
  const char *file; /* the network's */
  const IfbamNetworkOptions *network;
  const char *output, *manifest, *events; /* paths; NULL: standard output, none, none */
  gboolean compress, event_rows, no_events;
} IfbamRunOptions;

typedef struct _IfbamRunOutput IfbamRunOutput;

/* All are opened before the run: what can't be written is said before anything is computed. The options are
 * not owned. */
IfbamRunOutput *ifbam_run_output_new (const IfbamRunOptions *options, const IfbamNetwork *network,
                                      const IfbamSignals *signals, const IfbamRunSpec *spec,
                                      GError **error);
void ifbam_run_output_free (IfbamRunOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRunOutput, ifbam_run_output_free)

/* Whether somebody wants events. */
gboolean ifbam_run_output_wants_events (const IfbamRunOutput *output);
gboolean ifbam_run_output_row (gpointer output, double time, const double *values, GError **error);
gboolean ifbam_run_output_event (gpointer output, const IfbamEvent *event, GError **error);
/* ended: "done", "diverged", "interrupted" or "failed". None is renamed into place before all are
 * written. */
gboolean ifbam_run_output_finish (IfbamRunOutput *output, const IfbamRunTask *run,
                                  const char *ended, GError **error);

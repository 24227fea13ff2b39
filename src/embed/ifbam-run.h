/* ifbam-run.h: runs of a network: in steps, in one call, or asynchronous
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "file/ifbam-network.h"
#include "run/ifbam-events.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamRunLedger:
 * @kinetic: of all motions [J]
 * @potential: stored in links and fields [J]
 * @energy: the sum of both [J]
 * @momentum: of all motions along one axis [kg m/s, kg m2/s, C]
 * @dissipated: by links since the start [J]; NaN if the run does not keep its ledger
 * @supplied: by sources and given nodes since the start [J]; NaN likewise
 *
 * The energies of a network at a time, and the work since the start. Up to the scheme's error,
 * energy + dissipated - supplied is the energy at the start.
 */
typedef struct
{
  double kinetic;
  double potential;
  double energy;
  double momentum;
  double dissipated;
  double supplied;
} IfbamRunLedger;

#define IFBAM_TYPE_RUN_LEDGER (ifbam_run_ledger_get_type ())
GType ifbam_run_ledger_get_type (void);

#define IFBAM_TYPE_RUN (ifbam_run_get_type ())
G_DECLARE_FINAL_TYPE (IfbamRun, ifbam_run, IFBAM, RUN, GObject)

IfbamRun *ifbam_run_new (IfbamNetwork *network);

gboolean ifbam_run_start (IfbamRun *run, GError **error);
gboolean ifbam_run_step (IfbamRun *run, guint64 n_steps, GCancellable *cancellable, GError **error);
gboolean ifbam_run_run (IfbamRun *run, GCancellable *cancellable, GError **error);
void ifbam_run_run_async (IfbamRun *run, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data);
gboolean ifbam_run_run_finish (IfbamRun *run, GAsyncResult *result, GError **error);

GBytes *ifbam_run_get_state (IfbamRun *run, GError **error);
gboolean ifbam_run_start_from (IfbamRun *run, GBytes *state, GError **error);

IfbamNetwork *ifbam_run_get_network (IfbamRun *run);
IfbamElement *ifbam_run_get_settings (IfbamRun *run);
double ifbam_run_get_time (IfbamRun *run);
gboolean ifbam_run_is_finished (IfbamRun *run);
IfbamCourse *ifbam_run_get_course (IfbamRun *run);
IfbamEvents *ifbam_run_get_events (IfbamRun *run);
gboolean ifbam_run_get_value (IfbamRun *run, const char *signal, double *value, GError **error);
IfbamCourse *ifbam_run_look (IfbamRun *run, const char *record, GError **error);
IfbamRunLedger *ifbam_run_get_ledger (IfbamRun *run);

#pragma GCC visibility pop
G_END_DECLS

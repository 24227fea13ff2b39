/* run-states.h: state files of a run: initial, final, checkpoints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/run-output.h"

typedef struct _IfbamKeeper IfbamKeeper;

/* Reads the state files of the options (not owned). NULL: IFBAM_ERROR_USAGE, IFBAM_ERROR_COURSE. */
IfbamKeeper *ifbam_keeper_new (const IfbamRunOptions *options, GError **error);
void ifbam_keeper_free (IfbamKeeper *keeper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamKeeper, ifbam_keeper_free)

/* Sets the run's initial state and its callbacks for states. FALSE: the state does not fit. */
gboolean ifbam_keeper_join (IfbamKeeper *keeper, IfbamRunTask *run, const IfbamNetwork *network,
                            const IfbamModel *model, const IfbamSignals *signals,
                            const IfbamRunSpec *spec, GError **error);
/* TRUE if the initial state contains the energy balance of all work. */
gboolean ifbam_keeper_is_full (const IfbamKeeper *keeper);
/* Returns the file positions of the run to resume; NULL: the run begins. */
const IfbamWritten *ifbam_keeper_written (const IfbamKeeper *keeper);
/* To be called before the run; checkpoints contain the positions of this output (not owned). */
void ifbam_keeper_watch (IfbamKeeper *keeper, IfbamRunOutput *output);
/* After the end of the run: writes its final state, if requested. */
gboolean ifbam_keeper_finish (IfbamKeeper *keeper, GError **error);

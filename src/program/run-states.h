/* run-states.h: state files of a run: initial, final, checkpoints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/run-output.h"

typedef struct _IfbamStateFiles IfbamStateFiles;

/* Reads the state files of the options (not owned). NULL: IFBAM_ERROR_USAGE, IFBAM_ERROR_COURSE. */
IfbamStateFiles *ifbam_state_files_new (const IfbamRunOptions *options, GError **error);
void ifbam_state_files_free (IfbamStateFiles *state_files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStateFiles, ifbam_state_files_free)

/* Sets the run's initial state and its callbacks for states. FALSE: the state does not fit. */
gboolean ifbam_state_files_join (IfbamStateFiles *state_files, IfbamRunTask *run,
                                 const IfbamNetwork *network, const IfbamModel *model,
                                 const IfbamSignals *signals, const IfbamRunSpec *spec,
                                 GError **error);
/* TRUE if the initial state contains the energy balance of all work. */
gboolean ifbam_state_files_is_full (const IfbamStateFiles *state_files);
/* Returns the file positions of the run to resume; NULL: the run begins. */
const IfbamWritten *ifbam_state_files_written (const IfbamStateFiles *state_files);
/* To be called before the run; checkpoints contain the positions of this output (not owned). */
void ifbam_state_files_set_output (IfbamStateFiles *state_files, IfbamRunOutput *output);
/* After the end of the run: writes its final state, if requested. */
gboolean ifbam_state_files_finish (IfbamStateFiles *state_files, GError **error);

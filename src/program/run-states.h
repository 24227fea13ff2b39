/* run-states.h: the states of a run that are kept in files: its first, its last, and checkpoints in between
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/run-output.h"

typedef struct _IfbamKeeper IfbamKeeper;

/* What the options say of states, the files that they name read. NULL with an error: IFBAM_ERROR_USAGE,
 * IFBAM_ERROR_COURSE. The options are not owned. */
IfbamKeeper *ifbam_keeper_new (const IfbamRunOptions *options, GError **error);
void ifbam_keeper_free (IfbamKeeper *keeper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamKeeper, ifbam_keeper_free)

/* Has the run begin with the state that there is, if any, and give its states; FALSE: it is another network's,
 * or does not fit. */
gboolean ifbam_keeper_join (IfbamKeeper *keeper, IfbamRunTask *run, const IfbamNetwork *network,
                            const IfbamModel *model, const IfbamSignals *signals,
                            const IfbamRunSpec *spec, GError **error);
/* Whether it has a state of a run that kept an account of all work. */
gboolean ifbam_keeper_is_full (const IfbamKeeper *keeper);
/* What was written when a run that goes on was cut; NULL: it begins. */
const IfbamWritten *ifbam_keeper_written (const IfbamKeeper *keeper);
/* To be called before the run: where checkpoints learn how far the files have got (not owned). */
void ifbam_keeper_watch (IfbamKeeper *keeper, IfbamRunOutput *output);
/* After the run has come to its end: writes its last state, if it is wanted. */
gboolean ifbam_keeper_finish (IfbamKeeper *keeper, GError **error);

/* distributed-engine.h: the compiled engine on a rank's part of a network, told by other ranks what it can't know
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Of the model of an IfbamRankPart (not owned). All ranks do the same with theirs, at once: what is told of rows is then
 * the same number on each. IFBAM_RANKS_TIMES says on standard error what processor time went into it. */
IfbamEngine *ifbam_ranks_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     guint threads);

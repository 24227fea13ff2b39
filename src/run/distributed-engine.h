/* distributed-engine.h: the compiled engine on a rank's part of a network, with values of layers from other ranks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Returns the engine of the model of an IfbamRankPart (not owned). All ranks call its functions at once; samples are then the
 * same on each. IFBAM_RANKS_TIMES: each rank prints its processor times to standard error. */
IfbamEngine *ifbam_ranks_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     guint threads);

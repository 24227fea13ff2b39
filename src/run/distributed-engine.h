/* distributed-engine.h: the compiled engine on a rank's subdomain, with halo values from other
 * ranks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Returns the engine of the model of an IfbamSubdomain (not owned). Calls are collective, samples
 * equal on all ranks. IFBAM_RANKS_TIMES: ranks print processor times to standard error. */
IfbamEngine *ifbam_ranks_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     guint threads);

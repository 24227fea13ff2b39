/* rank-limits.h: networks unsuitable for several processes, and halo layers for scheduled events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Returns the layers for a step cut by scheduled events, between exchanges. */
guint ifbam_ranks_depth_of_time_events (const IfbamModel *model, const IfbamRunSpec *spec);

/* Returns why several processes can't advance a network, and a remedy (transfer full), or NULL. */
char *ifbam_ranks_fault (const IfbamModel *model, const IfbamRunSpec *spec);
/* Returns why events or scheduled events prevent `what` (transfer full); NULL: there are none. */
char *ifbam_ranks_fault_of_time_events (const IfbamModel *model, const char *what);

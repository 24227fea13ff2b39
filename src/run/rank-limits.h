/* rank-limits.h: networks that several processes can't advance, and the layers that time events take
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Returns the number of layers for a step that time events cut, before and after which all ranks exchange values. */
guint ifbam_ranks_depth_of_instants (const IfbamModel *model, const IfbamRunSpec *spec);

/* Returns why several processes can't advance a network, and what to do instead (transfer full); NULL: they can. */
char *ifbam_ranks_fault (const IfbamModel *model, const IfbamRunSpec *spec);
/* Returns the same for `what`, which a network with time events or events rules out (transfer full); NULL: it has none. */
char *ifbam_ranks_fault_of_instants (const IfbamModel *model, const char *what);

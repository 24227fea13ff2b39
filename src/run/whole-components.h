/* whole-components.h: components with unbatched links or impulses, each advanced by one process
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Returns a union-find (base/union-find.h) of the free nodes that batched links join, by indices in
 * the file (n_free; transfer full). */
guint32 *ifbam_ranks_find_components (const IfbamModel *whole);

/* Assigns each component that unbatched links and impulses may join to one rank: the largest first,
 * each to the rank with the fewest nodes. Side effect: sets owner of their nodes. Returns 1 for
 * such nodes, by indices in the file (n_free; transfer full); NULL: none. */
guint8 *ifbam_ranks_assign_components (const IfbamModel *whole, int n_ranks, gint32 *owner);

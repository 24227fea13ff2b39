/* partition.h: which rank has which nodes and links of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/submodel.h"
#include "run/communicator.h"

/* Networks of which links reach no further in file order go in blocks of it. */
#define IFBAM_RANKS_NEAR 8
/* So do those whose layers of sixteen steps, one at each end of a block, are below a tenth of it: what stands side by side in
 * the file is quicker than what a partition scatters, even if that has fewer neighbours. */
#define IFBAM_RANKS_BLOCK 180

/* How far links of n nodes may reach in file order where blocks of it are parts. */
static inline guint64
ifbam_ranks_reach (guint64 n, int n_ranks)
{
  return MAX (IFBAM_RANKS_NEAR, n / (guint64) n_ranks / IFBAM_RANKS_BLOCK);
}

/* Of the network's free nodes, by number in the file (n_free; transfer full). NULL: there is no partition. */
gint32 *ifbam_ranks_owners (const IfbamModel *model, const IfbamRanks *ranks);
/* Whom a link belongs to, by its free ends; without any the first rank. */
static inline gint32
ifbam_ranks_link_owner (const IfbamModel *model, gsize link, const gint32 *owner)
{
  guint32 ends[IFBAM_MAX_ENDS];

  return ifbam_model_free_ends (model, link, ends) > 0 ? owner[ends[0]] : 0;
}

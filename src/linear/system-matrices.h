/* system-matrices.h: assembles the small motions of a network about its start
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/small-motions.h"

/* About the start; reactions are those at zero rates. NULL with IFBAM_ERROR_NETWORK: no inertia, a
 * law without finite derivatives, or too many coordinates in a group of constraints. */
IfbamSmallMotions *ifbam_small_motions_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                            GError **error);
/* As above, with at most `most` coordinates in such a group; 0: rows over nodes, n is 0. */
IfbamSmallMotions *ifbam_small_motions_new_within (const IfbamModel *model,
                                                   const IfbamRunSpec *spec, gsize most,
                                                   GError **error);
/* As ifbam_small_motions_new (), but massless coordinates remain, with inertia 0; springs and
 * dampers may act on them together. */
IfbamSmallMotions *ifbam_small_motions_new_with_massless (const IfbamModel *model,
                                                          const IfbamRunSpec *spec, GError **error);

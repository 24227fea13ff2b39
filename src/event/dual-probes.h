/* dual-probes.h: samples of the compiled engine, and possible crossings in them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/dual-parts.h"

/* Merges the caller's probes with the nodes that links with modes read. */
void ifbam_dual_merge_probes (IfbamDualEngine *self, const IfbamProbes *requested);

/* Returns whether a node is given and its motion may have corners. */
gboolean ifbam_dual_has_corners (const IfbamDualEngine *self, gsize node);

/* Copies a sample to the caller's probes if it is one of their samples. from: index in the
 * interval's probes; negative: the present state. */
void ifbam_dual_copy_probes (IfbamDualEngine *self, const IfbamProbes *requested, guint64 began,
                             guint64 steps, gssize from);

/* Returns the position or velocity of read node i at a sample of the interval; 0 is its start. */
double ifbam_dual_read_value (const IfbamDualEngine *self, gboolean rate, guint row, gsize i);

/* Evaluates the guards of inactive clusters in the cycle after a sample of the interval. Returns
 * whether one may be crossed. Side effect: sets `may_cross` in these clusters. */
gboolean ifbam_dual_find_crossing (IfbamDualEngine *self, guint row);

/* Records crossings of inactive clusters' monitors in a cycle without possible crossings. */
void ifbam_dual_record_monitors (const IfbamDualEngine *self);

/* tiles.h: cycles of ranges of links and nodes, and of tiles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"

/* Computes time-dependent forces: links to moving given nodes, sources. (Others: at the start.) */
void ifbam_timed_forces_compute (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi);
/* Computes the links owned by nodes lo <= i < hi in a cycle. */
void ifbam_links_compute (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi);
/* Updates the free nodes lo <= i < hi in a cycle. */
void ifbam_nodes_update (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi);
/* Computes midpoints of the paths of nodes lo <= i < hi (link-class.h), from message columns. */
void ifbam_form_middles (const IfbamCompiledEngine *self, double *const *column, gsize lo,
                         gsize hi);
/* Computes the first phase of a piece; energy: of its energy check. */
void ifbam_piece_cycles (const IfbamCompiledEngine *self, gsize left, gsize right,
                         IfbamExactSum *energy);
/* Computes the second phase at the border of two pieces. */
void ifbam_wedge_cycles (const IfbamCompiledEngine *self, gsize border);

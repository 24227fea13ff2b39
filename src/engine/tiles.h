/* tiles.h: ranges of links and nodes of a cycle, and tiles of the network that go through many cycles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"

/* What answers by the clock: links to given nodes that move, and sources. (Those that do not depend on it
 * have answered at the start, for good.) */
void ifbam_timed_answer (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi);
/* The links owned by nodes lo <= i < hi answer in a cycle. */
void ifbam_links_answer (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi);
/* The free nodes lo <= i < hi hear in a cycle. */
void ifbam_nodes_hear (const IfbamCompiledEngine *self, guint cycle, gsize lo, gsize hi);
/* The middles of the paths of nodes lo <= i < hi (see link-class.h), from columns as they are said. */
void ifbam_form_middles (const IfbamCompiledEngine *self, double *const *column, gsize lo,
                         gsize hi);
/* A piece's part of the first phase; energy: of its look. */
void ifbam_piece_cycles (const IfbamCompiledEngine *self, gsize left, gsize right,
                         IfbamExactSum *energy);
/* The second phase at the border of two pieces. */
void ifbam_wedge_cycles (const IfbamCompiledEngine *self, gsize border);

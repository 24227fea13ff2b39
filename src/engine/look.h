/* look.h: the energy of a network that a compiled engine carries, to see whether it diverges
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"

/* A look is begun, then ranges or chunks are added to the sum of a piece, then it is ended: the energy. */
void ifbam_look_begin (IfbamCompiledEngine *self);
/* The links owned by nodes lo <= i < hi and these nodes, in the row before a block. */
void ifbam_look_at_range (const IfbamCompiledEngine *self, gsize lo, gsize hi,
                          IfbamExactSum *energy);
/* Or all, chunk by chunk (n_chunks). */
gsize ifbam_look_chunks (const IfbamModel *model);
void ifbam_look_at_chunk (const IfbamCompiledEngine *self, gsize chunk, IfbamExactSum *energy);
double ifbam_look_end (IfbamCompiledEngine *self);

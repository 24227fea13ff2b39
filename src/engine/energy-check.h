/* energy-check.h: energy of a network in a compiled engine, to detect divergence
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"

/* Energy check: begin; add ranges or chunks to the sum of a piece; end returns the energy [J]. */
void ifbam_energy_check_begin (IfbamCompiledEngine *self);
/* Adds nodes lo <= i < hi and the links that they own, at the sample before a block. */
void ifbam_energy_check_add_range (const IfbamCompiledEngine *self, gsize lo, gsize hi,
                                   IfbamExactSum *energy);
/* Alternative: chunks (n_chunks), together all links and nodes. */
gsize ifbam_energy_check_chunks (const IfbamModel *model);
void ifbam_energy_check_add_chunk (const IfbamCompiledEngine *self, gsize chunk,
                                   IfbamExactSum *energy);
double ifbam_energy_check_end (IfbamCompiledEngine *self);

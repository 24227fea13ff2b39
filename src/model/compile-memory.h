/* compile-memory.h: check, before allocation, that a network fits in memory
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Returns TRUE if the network fits; else adds an issue. */
gboolean ifbam_compiler_check_size (IfbamCompiler *compiler, const GPtrArray *elements);

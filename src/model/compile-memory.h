/* compile-memory.h: sees whether the memory holds a network, before anything is made
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Whether the network can be held; else there is an issue. */
gboolean ifbam_compiler_check_size (IfbamCompiler *compiler, const GPtrArray *elements);

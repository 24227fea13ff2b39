/* compile-nodes.h: the nodes of a model, with their spans and laws
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

void ifbam_compiler_add_free_nodes (IfbamCompiler *compiler, IfbamElement *owner,
                                    const IfbamMember *member, guint64 count);
void ifbam_compiler_add_nodes (IfbamCompiler *compiler, const GPtrArray *elements);

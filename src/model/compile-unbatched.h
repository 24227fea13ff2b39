/* compile-unbatched.h: unbatched links: in the plane, with several constraints, or reading a signal
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Adds a link that reads a signal and exerts no force. */
void ifbam_compiler_add_monitor_link (IfbamCompiler *compiler, IfbamElement *element);
void ifbam_compiler_add_unbatched (IfbamCompiler *compiler, IfbamElement *element);
/* Finds the links that press others, after all links have an index. */
void ifbam_compiler_find_normal_forces (IfbamCompiler *compiler);
/* Adds the constraint of a branch. */
void ifbam_compiler_add_branch_constraint (IfbamCompiler *compiler, IfbamElement *element);
/* Adds a path of links of a class between points of the plane. */
void ifbam_compiler_add_plane_path (IfbamCompiler *compiler, IfbamElement *owner,
                                    const IfbamMember *kind, const char *from, const char *to,
                                    gsize count);
/* Reports contacts that overlap at the start. */
void ifbam_compiler_check_apart (IfbamCompiler *compiler);

/* compile-unbatched.h: links in no batch: between points of the plane, of several relations, and such that listen
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* A link that changes nothing: it hears a signal. */
void ifbam_compiler_add_listener (IfbamCompiler *compiler, IfbamElement *element);
void ifbam_compiler_add_single (IfbamCompiler *compiler, IfbamElement *element);
/* Once all links have their numbers: which of them press others. */
void ifbam_compiler_find_presses (IfbamCompiler *compiler);
/* What ties a node that stands between two others. */
void ifbam_compiler_add_tie (IfbamCompiler *compiler, IfbamElement *element);
/* Links of a class between points of the plane, one after the other. */
void ifbam_compiler_add_plane_path (IfbamCompiler *compiler, IfbamElement *owner,
                                    const IfbamMember *kind, const char *from, const char *to,
                                    gsize count);
/* What keeps things apart has to find them apart. */
void ifbam_compiler_check_apart (IfbamCompiler *compiler);

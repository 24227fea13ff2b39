/* compile-sources.h: what acts on a model's nodes: sources, fields and impulses, with their instants
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

void ifbam_compiler_add_source (IfbamCompiler *compiler, IfbamElement *element);
/* Of a composite. */
void ifbam_compiler_add_member_source (IfbamCompiler *compiler, IfbamElement *owner,
                                       const IfbamMember *member, gsize first, gsize count);
void ifbam_compiler_add_impulse (IfbamCompiler *compiler, IfbamElement *element);
/* Of a source or link, whose monitor may stand behind it: nothing, where it follows none. */
void ifbam_compiler_add_follower (IfbamCompiler *compiler, IfbamElement *element);
/* Of a source, whose controller may stand behind it: likewise. */
void ifbam_compiler_add_control (IfbamCompiler *compiler, IfbamElement *element);

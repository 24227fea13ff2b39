/* compile-sources.h: sources, fields and impulses of a model, with their scheduled events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

void ifbam_compiler_add_source (IfbamCompiler *compiler, IfbamElement *element);
/* A source of a composite. */
void ifbam_compiler_add_member_source (IfbamCompiler *compiler, IfbamElement *owner,
                                       const IfbamMember *member, gsize first, gsize count);
void ifbam_compiler_add_impulse (IfbamCompiler *compiler, IfbamElement *element);
/* Adds the monitor that switches a source or link, if any; it may be later in the file. */
void ifbam_compiler_add_switched_element (IfbamCompiler *compiler, IfbamElement *element);
/* Adds the controller of a source, if any; it may be later in the file. */
void ifbam_compiler_add_scaled_source (IfbamCompiler *compiler, IfbamElement *element);

/* compile-storage.h: what a model keeps of elements: laws, courses, series
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Room for all elements, and for the rest, which comes last. */
void ifbam_compiler_make_places (IfbamModel *model, const GPtrArray *elements);
/* A copy of an element's law, with the numbers that no parameter is. */
void *ifbam_compiler_keep_law (IfbamCompiler *compiler, const IfbamElement *element);
/* What an element's `course` key names, which may tell the element's domains; NULL: nothing, or there is an issue. */
const IfbamInterpolant *ifbam_compiler_read_course (IfbamCompiler *compiler, IfbamElement *element,
                                                    guint32 *domains);
/* A list goes with the model, however long it is; else it is a number. */
const IfbamSeries *ifbam_compiler_keep_series (IfbamCompiler *compiler, const IfbamMember *member);
const GArray *ifbam_compiler_keep_rows (IfbamCompiler *compiler, GArray *rows);
GHashTable *ifbam_compiler_keep_overrides (IfbamCompiler *compiler, GHashTable *overrides);
/* How many nodes a point follows. */
guint ifbam_compiler_count_followed (const IfbamElement *point);
void ifbam_compiler_add_instants (IfbamCompiler *compiler, IfbamElement *element,
                                  IfbamTimeEventKind kind, guint32 number);

/* compile-storage.h: data of elements that a model owns: laws, courses, series
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Allocates the index records of all elements, and of the implied ground, the last one. */
void ifbam_compiler_make_element_indices (IfbamModel *model, const GPtrArray *elements);
/* Returns a copy of an element's law, with the numbers that are not parameters. */
void *ifbam_compiler_copy_law (IfbamCompiler *compiler, IfbamElement *element);
/* Returns the course of a `course` key, which may restrict the domains; NULL: none, or an issue. */
const IfbamInterpolant *ifbam_compiler_read_course (IfbamCompiler *compiler, IfbamElement *element,
                                                    guint32 *domains);
/* Returns the series of a composite. The model shares lists of any length, and copies numbers. */
const IfbamSeries *ifbam_compiler_own_series (IfbamCompiler *compiler, const IfbamMember *member);
const GArray *ifbam_compiler_own_rows (IfbamCompiler *compiler, GArray *rows);
GHashTable *ifbam_compiler_own_overrides (IfbamCompiler *compiler, GHashTable *overrides);
/* Returns the count of nodes that a point follows. */
guint ifbam_compiler_count_followed (const IfbamElement *point);
void ifbam_compiler_add_time_events (IfbamCompiler *compiler, IfbamElement *element,
                                     IfbamTimeEventKind kind, guint32 number);

/* compile-links.h: links between nodes, for batches, and the order of links
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Reports a length (of a distance in the plane) on a line, unless the law has its own length. */
void ifbam_compiler_check_length (IfbamCompiler *compiler, IfbamElement *element,
                                  const IfbamLink *link);
void ifbam_compiler_add_link (IfbamCompiler *compiler, IfbamElement *element);
/* See IfbamBuilder.add_dampers. */
void ifbam_compiler_add_dampers (IfbamCompiler *compiler, IfbamElement *owner,
                                 const IfbamMember *kind, gboolean beside_links, double part);
/* See IfbamBuilder.add_rows. */
void ifbam_compiler_add_rows (IfbamCompiler *compiler, IfbamElement *owner,
                              const IfbamMember *kinds, const IfbamRows *rows);
void ifbam_compiler_add_path (IfbamCompiler *compiler, IfbamElement *owner,
                              const IfbamMember *kinds, guint n_kinds, const IfbamPath *path);

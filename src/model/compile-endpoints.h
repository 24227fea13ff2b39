/* compile-endpoints.h: ends of links in the plane: points, balls, bodies and their coordinates
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Finds the x and y of a composite's member in the plane, "c.m12"; FALSE: no such member. */
gboolean ifbam_compiler_find_plane_member (const IfbamCompiler *compiler, const char *name,
                                           guint32 node[2]);
/* Returns TRUE if an end of a link is a ball, body or surface, so that the link is unbatched. */
gboolean ifbam_compiler_is_on_body (const IfbamCompiler *compiler, const IfbamElement *element);
/* Returns TRUE if a link is unbatched, by its law, modes or ends. */
gboolean ifbam_compiler_is_unbatched (const IfbamCompiler *compiler, const IfbamElement *element);
/* Checks a point's body and followed nodes, and adds its coordinates. */
void ifbam_compiler_check_point (IfbamCompiler *compiler, IfbamElement *point);
gboolean ifbam_compiler_find_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                                  const char *name, IfbamLinkEnd *end);
/* Returns a description of an end, "an inertia" (transfer full); of a composite's member less. */
char *ifbam_compiler_end_text (const IfbamLinkEnd *end);
gboolean ifbam_compiler_is_fixed_link (const IfbamModel *model, const IfbamLink *link);
/* Sets the ports and shape of a constraint, by its geometry. */
void ifbam_compiler_join_ends (IfbamLink *link, const IfbamLinkEnd *end, guint n);
/* Returns TRUE if a constraint can act on its ends: balls do not turn. */
gboolean ifbam_compiler_can_act (const IfbamGeometry *geometry, const IfbamLinkEnd *end);
void ifbam_compiler_add_rest_node (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                                   const IfbamLaw *law);

/* compile-endpoints.h: where links end in the plane: points, balls, bodies and their coordinates
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* The x and y of a composite's member in the plane, "c.m12"; FALSE: it is none. */
gboolean ifbam_compiler_find_plane_member (const IfbamCompiler *compiler, const char *name,
                                           guint32 node[2]);
/* Whether one of a link's ends is a ball or the like: then it stands single. */
gboolean ifbam_compiler_stands_on_body (const IfbamCompiler *compiler, const IfbamElement *element);
/* Whether a link is in no batch, by its law, modes or ends. */
gboolean ifbam_compiler_is_single (const IfbamCompiler *compiler, const IfbamElement *element);
/* Points are on bodies, or on nothing. */
void ifbam_compiler_check_point (IfbamCompiler *compiler, IfbamElement *point);
gboolean ifbam_compiler_find_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                                  const char *name, IfbamLinkEnd *end);
/* "an inertia": what stands there; of a composite's member no more is told (transfer full). */
char *ifbam_compiler_end_text (const IfbamLinkEnd *end);
gboolean ifbam_compiler_is_fixed_link (const IfbamModel *model, const IfbamLink *link);
/* A relation's ports and shape, by its geometry. */
void ifbam_compiler_join_ends (IfbamLink *link, const IfbamLinkEnd *end, guint n);
/* Whether it has something to hold: balls do not turn. */
gboolean ifbam_compiler_has_hold (const IfbamGeometry *geometry, const IfbamLinkEnd *end);
void ifbam_compiler_add_standstill (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                                    const IfbamLaw *law);

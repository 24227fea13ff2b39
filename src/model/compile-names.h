/* compile-names.h: finds the nodes of names, suggestions for wrong names, and domains of nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Returns the point of a coordinate "tip.x", coordinate: 1 (x) or 2 (y); NULL: no such point. */
const IfbamElement *ifbam_compiler_find_coordinate (const IfbamCompiler *compiler, const char *name,
                                                    guint *coordinate);
/* Returns the names of nodes, sorted, since the order of a hash table is arbitrary. */
const GPtrArray *ifbam_compiler_node_names (IfbamCompiler *compiler);
/* Returns IFBAM_NO_NODE after an issue; IFBAM_ELSEWHERE: a node of another subnetwork. */
guint32 ifbam_compiler_find_node (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                                  const char *name);
/* Assign a domain, or that of a class, to the node of a link or source; report a contradiction. */
void ifbam_compiler_claim_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                               guint32 node, const IfbamElementInfo *info, IfbamDomain domain);
void ifbam_compiler_claim_domain (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                                  guint32 node, const IfbamElementInfo *info);
/* Returns a node that can move, for the key `on`; as ifbam_compiler_find_node. */
guint32 ifbam_compiler_find_free_node (IfbamCompiler *compiler, IfbamElement *element,
                                       const char *name);

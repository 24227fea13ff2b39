/* compile-names.h: who is meant by a name, what was meant instead, and which domain that has
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* The point of "tip.x", a coordinate of one: 1 (x) or 2 (y); NULL: it is none. */
const IfbamElement *ifbam_compiler_find_coordinate (const IfbamCompiler *compiler, const char *name,
                                                    guint *coordinate);
/* Names of nodes, sorted. (A hash table has an order that tells nobody anything.) */
const GPtrArray *ifbam_compiler_node_names (IfbamCompiler *compiler);
/* IFBAM_NO_NODE after an issue; IFBAM_ELSEWHERE: another subnetwork has it. */
guint32 ifbam_compiler_find_node (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                                  const char *name);
/* A node under a link or source of a domain, of which its class is there. */
void ifbam_compiler_claim_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                               guint32 node, const IfbamElementInfo *info, IfbamDomain domain);
void ifbam_compiler_claim_domain (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                                  guint32 node, const IfbamElementInfo *info);
/* A node that can move, for what acts `on` it; likewise. */
guint32 ifbam_compiler_find_free_node (IfbamCompiler *compiler, IfbamElement *element,
                                       const char *name);

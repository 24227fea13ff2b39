/* any-class.h: element classes without their names: values at random, and small networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

typedef void (*ClassTest) (GType type, const IfbamElementInfo *info);

/* Beside the kinds: links whose law has kernels for batches. */
#define CLASS_IN_BATCHES 1000

/* Calls a test for each registered class of a kind; -1: of all, and for the settings. */
void each_class (ClassTest test, int kind);

/* Values that a parameter may have. */
double in_range (const IfbamParam *param);
void set_list (IfbamElement *element, const IfbamParam *param, gsize n);
const char *random_word (const IfbamParam *param);
/* Sets one; FALSE: it names something, which nobody draws. n: of a list. */
gboolean draw_value (IfbamElement *element, guint param, gsize n);
/* Sets all that can be drawn; together they may be wrong. What may be left out is left out now and then. */
void draw_values (IfbamElement *element);

/* The free node class of a domain, and its inertia. */
const IfbamElementInfo *free_node (IfbamDomain domain, const char **inertia);
IfbamDomain domain_of (const IfbamElementInfo *info);
IfbamDomain domain_of_end (const IfbamElementInfo *info, guint end);

/* What may not run under every scheme. */
gboolean has_no_inertia (const IfbamElementInfo *info);

/* Whether it is nothing but between two nodes, and nobody is joined to it. */
gboolean is_always_tied (const IfbamElementInfo *info);

/* A network file: the example of a class, with the nodes that it names (transfer full). */
char *example_network (const IfbamElementInfo *info);

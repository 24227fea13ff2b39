/* any-class.h: element classes without their names: values at random, and small networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

typedef void (*ClassTest) (GType type, const IfbamElementInfo *info);

/* Beside the kinds: links with kernels for batches. */
#define CLASS_IN_BATCHES 1000

/* Calls a test for each registered class of a kind; -1: of all, and for the settings. */
void each_class (ClassTest test, int kind);

/* Values that a parameter may have. */
double in_range (const IfbamParam *param);
void set_list (IfbamElement *element, const IfbamParam *param, gsize n);
const char *random_word (const IfbamParam *param);
/* Sets one; FALSE: a name, which has no random value. n: of a list. */
gboolean draw_value (IfbamElement *element, guint param, gsize n);
/* Sets all random values; together they may be invalid. Optional ones are omitted now and then. */
void draw_values (IfbamElement *element);

/* The free node class of a domain, and its inertia. */
const IfbamElementInfo *free_node (IfbamDomain domain, const char **inertia);
IfbamDomain domain_of (const IfbamElementInfo *info);
IfbamDomain domain_of_end (const IfbamElementInfo *info, guint end);

/* Classes that not every scheme can run. */
gboolean has_no_inertia (const IfbamElementInfo *info);

/* TRUE if a class is a branch between two nodes, without links to it. */
gboolean is_always_tied (const IfbamElementInfo *info);

/* A network file: the example of a class, with the nodes that it names (transfer full). */
char *example_network (const IfbamElementInfo *info);

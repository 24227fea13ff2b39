/* ifbam-element.h: anything in a network: it is named, has parameters, and talks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define IFBAM_TYPE_ELEMENT (ifbam_element_get_type ())
#define IFBAM_ELEMENT(object)                                                                      \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), IFBAM_TYPE_ELEMENT, IfbamElement))
#define IFBAM_IS_ELEMENT(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), IFBAM_TYPE_ELEMENT))

/**
 * IfbamElement:
 *
 * Anything in a network: a node, a link between nodes, a source, or what stands for many of them.
 *
 * It has a name, parameters, and talks: nodes say where they are, links answer with forces. Parameters are
 * GObject properties, by the names and in the units that ifbam_list_parameters() tells; changed between two
 * runs, they act from then on.
 */
typedef struct _IfbamElement IfbamElement;
typedef struct _IfbamElementClass IfbamElementClass;

GType ifbam_element_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamElement, g_object_unref)

const char *ifbam_element_get_name (IfbamElement *element);
const char *ifbam_element_get_class_name (IfbamElement *element);
gboolean ifbam_element_set_text (IfbamElement *element, const char *key, const char *text,
                                 GError **error);
double ifbam_element_get_quantity (IfbamElement *element, const char *quantity, GError **error);

void ifbam_element_master_from_left (IfbamElement *sender, IfbamElement *receiver);
void ifbam_element_master_from_right (IfbamElement *sender, IfbamElement *receiver);
void ifbam_element_slave (IfbamElement *element);

#pragma GCC visibility pop
G_END_DECLS

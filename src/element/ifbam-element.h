/* ifbam-element.h: an element of a network, with a name and parameters, which exchanges messages
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
 * A node, a link between nodes, a source, or a composite of these.
 *
 * An element has a name and parameters, and exchanges messages: nodes send positions, links forces.
 * Parameters are GObject properties, with the names and units of ifbam_list_parameters(). A change
 * between two runs acts from then on.
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

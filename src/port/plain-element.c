/* plain-element.c: elements and networks without GObject: a class is its info, an object has a
 * reference count
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "file/network.h"

GType
ifbam_element_type (gsize *type, const char *type_name, const IfbamElementInfo *info)
{
  (void) type;
  (void) type_name;
  return (GType) info;
}

const IfbamElementInfo *
ifbam_element_type_info (GType type)
{
  return (const IfbamElementInfo *) type;
}

static void
clear_element (gpointer element)
{
  ifbam_element_clear (element);
}

IfbamElement *
ifbam_element_new (GType type, const char *name)
{
  const IfbamElementInfo *info = ifbam_element_type_info (type);
  IfbamElement *element = g_malloc0 (ifbam_element_size (info));

  element->parent_instance = (GObject){ 1, clear_element };
  ifbam_element_begin (element, info);
  element->name = g_strdup (name);
  return element;
}

static void
clear_network (gpointer network)
{
  ifbam_network_clear (network);
}

IfbamNetwork *
ifbam_network_new (void)
{
  IfbamNetwork *network = g_new0 (IfbamNetwork, 1);

  network->parent_instance = (GObject){ 1, clear_network };
  ifbam_network_begin (network);
  return network;
}

gpointer
g_object_ref (gpointer object)
{
  ((GObject *) object)->ref_count++;
  return object;
}

void
g_object_unref (gpointer object)
{
  if (--((GObject *) object)->ref_count > 0)
    return;
  ((GObject *) object)->clear (object);
  g_free (object);
}

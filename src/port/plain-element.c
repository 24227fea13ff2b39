/* plain-element.c: elements without GObject: a class is its info, an object has a reference count
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

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

IfbamElement *
ifbam_element_new (GType type, const char *name)
{
  const IfbamElementInfo *info = ifbam_element_type_info (type);
  IfbamElement *element = g_malloc0 (ifbam_element_size (info));

  element->parent_instance.ref_count = 1;
  ifbam_element_begin (element, info);
  element->name = g_strdup (name);
  return element;
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
  ifbam_element_clear (object);
  g_free (object);
}

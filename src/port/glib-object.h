/* glib-object.h: the part of GObject that the core's elements use: a class is its info, an object
 * has a reference count
 *
 * Properties, signals and checked casts need GObject (element/element-object.c). Defined in
 * port/plain-element.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "glib.h"

typedef gsize GType;

typedef struct
{
  guint ref_count;
  void (*clear) (gpointer object); /* frees what it owns */
} GObject;

gpointer g_object_ref (gpointer object);
void g_object_unref (gpointer object);

#define G_DECLARE_FINAL_TYPE(Type, type, MODULE, NAME, Parent)                                     \
  typedef struct _##Type Type;                                                                     \
  G_DEFINE_AUTOPTR_CLEANUP_FUNC (Type, g_object_unref)

#define G_TYPE_CHECK_INSTANCE_CAST(object, type, Type) ((Type *) (void *) (object))
#define G_TYPE_CHECK_INSTANCE_TYPE(object, type)       ((object) != NULL)

#define g_clear_object(place) g_clear_pointer (place, g_object_unref)

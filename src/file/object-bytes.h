/* object-bytes.h: arrays of objects as GBytes without a copy
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

/* Returns the bytes of an array that is constant while its object lives; they hold a reference to
 * the object (transfer full). */
static inline GBytes *
ifbam_object_bytes (gpointer object, gconstpointer data, gsize size)
{
  return g_bytes_new_with_free_func (data, size, g_object_unref, g_object_ref (object));
}

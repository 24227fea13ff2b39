/* object-bytes.h: arrays of objects for who reads them without a copy
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

/* An array that an object keeps as it is as long as it lives: the bytes keep the object (transfer full). */
static inline GBytes *
ifbam_object_bytes (gpointer object, gconstpointer data, gsize size)
{
  return g_bytes_new_with_free_func (data, size, g_object_unref, g_object_ref (object));
}

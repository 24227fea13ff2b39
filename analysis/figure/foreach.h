/* foreach.h: a loop over the items of a GArray, which must not change meanwhile: IFBAM_FOREACH (const Type, item, array)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#define IFBAM_FOREACH(Type, item, array)                                                           \
  for (Type *item = (Type *) (gpointer) (array)->data, *item##_end = item + (array)->len;          \
       item < item##_end; item++)

/* compare.h: comparisons of elements of arrays, for sorting them in ascending order
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

static inline int
ifbam_compare_uint32 (gconstpointer a, gconstpointer b)
{
  const guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

static inline int
ifbam_compare_uint64 (gconstpointer a, gconstpointer b)
{
  const guint64 one = *(const guint64 *) a, other = *(const guint64 *) b;

  return one < other ? -1 : one > other;
}

static inline int
ifbam_compare_doubles (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

static inline int
ifbam_compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* convex-hull.c: convex hull of points in the plane, by monotone chains (Andrew 1979)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/convex-hull.h"

#include <stdlib.h>
#include <string.h>

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const double *one = a, *other = b;

  return one[0] != other[0] ? (one[0] > other[0]) - (one[0] < other[0])
                            : (one[1] > other[1]) - (one[1] < other[1]);
}

static double
turn_of (const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

void
ifbam_make_convex (GArray *points)
{
  g_autofree double *sorted = g_memdup2 (points->data, points->len * 2 * sizeof (double));
  guint n = 0;

  qsort (sorted, points->len, 2 * sizeof *sorted, compare_points);
  for (guint i = 0; i < points->len; i++)
    if (n == 0 || compare_points (sorted + 2 * i, sorted + 2 * (n - 1)) != 0)
      memmove (sorted + 2 * n++, sorted + 2 * i, 2 * sizeof *sorted);
  g_array_set_size (points, 0);
  if (n == 1)
    g_array_append_vals (points, sorted, 1);
  if (n < 2)
    return;
  for (guint side = 0; side < 2; side++)
    {
      const guint first = points->len;

      for (guint i = 0; i < n; i++)
        {
          const double *point = sorted + 2 * (side == 0 ? i : n - 1 - i);
          const double *hull = (const double *) (gpointer) points->data;

          while (points->len >= first + 2
                 && turn_of (hull + 2 * points->len - 4, hull + 2 * points->len - 2, point) <= 0)
            g_array_set_size (points, points->len - 1);
          g_array_append_vals (points, point, 1);
        }
      g_array_set_size (points, points->len - 1); /* the other side begins with it */
    }
}

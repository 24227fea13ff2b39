/* subnetwork.c: an excerpt of a network: ranges of the file's numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/subnetwork.h"

IfbamExcerpt *
ifbam_excerpt_new (guint32 n_ids)
{
  IfbamExcerpt *excerpt = g_new0 (IfbamExcerpt, 1);

  excerpt->nodes = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  excerpt->links = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  excerpt->sources = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  excerpt->lacking = g_array_new (FALSE, FALSE, sizeof (guint32));
  excerpt->node = g_new0 (guint64, n_ids + 1);
  excerpt->link = g_new0 (guint64, n_ids + 1);
  return excerpt;
}

void
ifbam_excerpt_free (IfbamExcerpt *excerpt)
{
  if (excerpt == NULL)
    return;
  g_array_unref (excerpt->nodes);
  g_array_unref (excerpt->links);
  g_array_unref (excerpt->sources);
  g_array_unref (excerpt->lacking);
  g_clear_pointer (&excerpt->columns, g_ptr_array_unref);
  g_free (excerpt->node);
  g_free (excerpt->link);
  g_free (excerpt);
}

static const IfbamRange *
range_at (const GArray *ranges, guint i)
{
  return &g_array_index (ranges, IfbamRange, i);
}

guint
ifbam_ranges_bound (const GArray *ranges, guint64 number)
{
  guint low = 0, high = ranges->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (range_at (ranges, middle)->first + range_at (ranges, middle)->count <= number)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
ifbam_ranges_find (const GArray *ranges, guint64 number, gsize *place)
{
  const guint i = ifbam_ranges_bound (ranges, number);

  if (i == ranges->len || range_at (ranges, i)->first > number)
    return FALSE;
  *place = range_at (ranges, i)->place + (gsize) (number - range_at (ranges, i)->first);
  return TRUE;
}

guint64
ifbam_ranges_number (const GArray *ranges, gsize place)
{
  guint low = 0, high = ranges->len;

  while (high - low > 1)
    {
      const guint middle = (low + high) / 2;

      if (range_at (ranges, middle)->place <= place)
        low = middle;
      else
        high = middle;
    }
  return range_at (ranges, low)->first + (place - range_at (ranges, low)->place);
}

gsize
ifbam_ranges_count (const GArray *ranges)
{
  const IfbamRange *last = ranges->len == 0 ? NULL : range_at (ranges, ranges->len - 1);

  return last == NULL ? 0 : last->place + (gsize) last->count;
}

void
ifbam_ranges_append (GArray *ranges, guint64 first, guint64 count)
{
  IfbamRange *last = ranges->len == 0 ? NULL : &g_array_index (ranges, IfbamRange, ranges->len - 1);
  const IfbamRange range = { first, count, ifbam_ranges_count (ranges) };

  if (last != NULL && last->first + last->count == first)
    last->count += count;
  else if (count > 0)
    g_array_append_val (ranges, range);
}

GArray *
ifbam_ranges_unite (const GArray *ranges, const GArray *numbers)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  guint64 end = 0; /* of what is in it */
  guint r = 0;

  for (guint i = 0; i <= numbers->len; i++)
    {
      const guint64 number = i < numbers->len ? g_array_index (numbers, guint64, i) : G_MAXUINT64;

      for (; r < ranges->len && range_at (ranges, r)->first <= number; r++)
        {
          ifbam_ranges_append (all, range_at (ranges, r)->first, range_at (ranges, r)->count);
          end = range_at (ranges, r)->first + range_at (ranges, r)->count;
        }
      if (i == numbers->len || number < end)
        continue;
      ifbam_ranges_append (all, number, 1);
      end = number + 1;
    }
  return all;
}

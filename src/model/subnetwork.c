/* subnetwork.c: a subnetwork of a network: ranges of the file's indices
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/subnetwork.h"

IfbamSubnetwork *
ifbam_subnetwork_new (guint32 n_ids)
{
  IfbamSubnetwork *subnetwork = g_new0 (IfbamSubnetwork, 1);

  subnetwork->nodes = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  subnetwork->links = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  subnetwork->sources = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  subnetwork->incomplete = g_array_new (FALSE, FALSE, sizeof (guint32));
  subnetwork->node = g_new0 (guint64, n_ids + 1);
  subnetwork->link = g_new0 (guint64, n_ids + 1);
  return subnetwork;
}

void
ifbam_subnetwork_free (IfbamSubnetwork *subnetwork)
{
  if (subnetwork == NULL)
    return;
  g_array_unref (subnetwork->nodes);
  g_array_unref (subnetwork->links);
  g_array_unref (subnetwork->sources);
  g_array_unref (subnetwork->incomplete);
  g_clear_pointer (&subnetwork->columns, g_ptr_array_unref);
  g_free (subnetwork->node);
  g_free (subnetwork->link);
  g_free (subnetwork);
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
ifbam_ranges_next_within (const GArray *ranges, guint64 first, guint64 end, guint *r,
                          IfbamRange *part)
{
  const IfbamRange *range = *r < ranges->len ? range_at (ranges, (*r)++) : NULL;
  const guint64 low = range == NULL ? end : MAX (range->first, first);
  const guint64 high = range == NULL ? end : MIN (range->first + range->count, end);

  if (low >= high)
    return FALSE;
  *part = (IfbamRange){ .first = low,
                        .count = high - low,
                        .place = range->place + (gsize) (low - range->first) };
  return TRUE;
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
      if (range_at (ranges, (low + high) / 2)->place <= place)
        low = (low + high) / 2;
      else
        high = (low + high) / 2;
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
  guint64 end = 0; /* of the indices in it */
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

/* event-times.c: lists of event times among an element's values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/event-times.h"
#include "base/number-text.h"

const double *
ifbam_element_list (const IfbamElement *element, guint slot, gsize *n)
{
  GVariant *list = ifbam_element_slots (element)[slot];

  *n = 0;
  return list == NULL ? NULL : g_variant_get_fixed_array (list, n, sizeof (double));
}

char *
ifbam_element_time_events_fault (const IfbamElement *element, guint slot)
{
  gsize n;
  const double *times = ifbam_element_list (element, slot, &n);

  for (gsize i = 0; i + 1 < n; i++)
    if (!(times[i + 1] > times[i]))
      return g_strdup_printf ("%s s follows %s s (want increasing times)",
                              IFBAM_NUMBER (times[i + 1]), IFBAM_NUMBER (times[i]));
  return NULL;
}

void
ifbam_element_add_time_events (const IfbamElement *element, guint slot, const double *values,
                               gsize n_values, GArray *time_events)
{
  gsize n;
  const double *times = ifbam_element_list (element, slot, &n);

  for (gsize i = 0; i < n; i++)
    {
      const IfbamTimeEvent event = { .time = times[i],
                                     .value = n_values == 0   ? 0
                                              : n_values == 1 ? values[0]
                                                              : values[MIN (i, n_values - 1)] };

      g_array_append_val (time_events, event);
    }
}

int
ifbam_time_event_compare (gconstpointer a, gconstpointer b)
{
  const IfbamTimeEvent *one = a, *other = b;

  if (one->time != other->time)
    return one->time < other->time ? -1 : 1;
  if (one->kind != other->kind)
    return (int) one->kind - (int) other->kind;
  return one->index < other->index ? -1 : one->index > other->index;
}

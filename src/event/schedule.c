/* schedule.c: list of scheduled events in order of time, extended on demand by periodic events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/schedule.h"

#include <math.h>

/* Periods of the most frequent event by which the list is extended at a time. */
#define PERIODS_AHEAD 64
/* Passed events are removed in blocks of at least this size. */
#define MIN_DISCARDED 4096

static const IfbamTimeEvent *
instant_in (const GArray *array, guint i)
{
  return &g_array_index (array, IfbamTimeEvent, i);
}

static int
compare_whose (const IfbamTimeEvent *one, const IfbamTimeEvent *other)
{
  if (one->kind != other->kind)
    return (int) one->kind - (int) other->kind;
  return one->number < other->number ? -1 : one->number > other->number;
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const int whose = compare_whose (a, b);

  return whose != 0 ? whose : ifbam_instant_compare (a, b);
}

void
ifbam_calendar_restart (IfbamEventCalendar *self)
{
  const GArray *recurrent = self->recurrent;

  g_array_set_size (self->instants, 0);
  g_array_set_size (self->beyond, 0);
  self->first = self->once = 0;
  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamTimeEvent *instant = instant_in (recurrent, i);

      self->turn[i] = (guint64) fmax (0, floor (-instant->time / instant->period));
    }
  self->horizon = 0;
}

IfbamEventCalendar *
ifbam_calendar_new (const IfbamModel *model, double step)
{
  IfbamEventCalendar *self = g_new0 (IfbamEventCalendar, 1);
  GArray *recurrent = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  const GArray *lists[] = { model->instants, recurrent };

  g_array_append_vals (recurrent, model->recurrent->data, model->recurrent->len);
  for (guint i = 0; i < recurrent->len; i++)
    if (instant_in (recurrent, i)->period == IFBAM_EACH_STEP)
      g_array_index (recurrent, IfbamTimeEvent, i).period = step;
  self->model = model;
  self->recurrent = recurrent;
  self->instants = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  self->beyond = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  self->turn = g_new0 (guint64, model->recurrent->len + 1);
  self->edges = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++)
      if (instant_in (lists[k], i)->kind == IFBAM_TIME_EVENT_EDGE
          || instant_in (lists[k], i)->kind == IFBAM_TIME_EVENT_MOTION)
        g_array_append_vals (self->edges, instant_in (lists[k], i), 1);
  g_array_sort (self->edges, compare_edges);
  ifbam_calendar_restart (self);
  return self;
}

void
ifbam_calendar_free (IfbamEventCalendar *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->instants);
  g_array_unref (self->beyond);
  g_array_unref (self->edges);
  g_array_unref (self->recurrent);
  g_free (self->turn);
  g_free (self);
}

/* Returns the next end of the list [s]; infinite: no periodic event is left. */
static double
next_horizon (const IfbamEventCalendar *self)
{
  const GArray *recurrent = self->recurrent;
  double horizon = INFINITY;

  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamTimeEvent *instant = instant_in (recurrent, i);
      const double next = ifbam_instant_time (instant, self->turn[i]);

      if (next < instant->end)
        horizon = fmin (horizon, fmax (next, self->horizon) + PERIODS_AHEAD * instant->period);
    }
  return horizon;
}

static void
extend (IfbamEventCalendar *self)
{
  const GArray *once = self->model->instants, *recurrent = self->recurrent;
  GArray *more = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));

  self->horizon = next_horizon (self);
  for (; self->once < once->len && instant_in (once, self->once)->time <= self->horizon;
       self->once++)
    g_array_append_vals (more, instant_in (once, self->once), 1);
  for (guint i = 0; i < recurrent->len; i++)
    {
      IfbamTimeEvent instant = *instant_in (recurrent, i);

      for (;; self->turn[i]++)
        {
          instant.time = ifbam_instant_time (instant_in (recurrent, i), self->turn[i]);
          if (!(instant.time <= self->horizon && instant.time < instant.end))
            break;
          /* Events up to the start are not part of the run. */
          if (instant.time > 0)
            g_array_append_val (more, instant);
        }
    }
  while (self->beyond->len > 0 && instant_in (self->beyond, 0)->time <= self->horizon)
    {
      g_array_append_vals (more, instant_in (self->beyond, 0), 1);
      g_array_remove_range (self->beyond, 0, 1);
    }
  g_array_sort (more, ifbam_instant_compare);
  g_array_append_vals (self->instants, more->data, more->len);
  g_array_unref (more);
}

const IfbamTimeEvent *
ifbam_calendar_get (IfbamEventCalendar *self, guint number)
{
  g_assert (number >= self->first);
  while (number - self->first >= self->instants->len && isfinite (self->horizon))
    extend (self);
  return number - self->first < self->instants->len
             ? instant_in (self->instants, number - self->first)
             : NULL;
}

void
ifbam_calendar_add (IfbamEventCalendar *self, guint from, const IfbamTimeEvent *instant)
{
  const gboolean later = instant->time > self->horizon;
  GArray *among = later ? self->beyond : self->instants;
  guint i = later ? 0 : from - self->first;

  while (i < among->len && ifbam_instant_compare (instant_in (among, i), instant) <= 0)
    i++;
  g_array_append_vals (among, instant, 1);
  for (guint last = among->len - 1; last > i; last--)
    g_array_index (among, IfbamTimeEvent, last) = *instant_in (among, last - 1);
  g_array_index (among, IfbamTimeEvent, i) = *instant;
}

void
ifbam_calendar_discard (IfbamEventCalendar *self, guint number)
{
  if (number < self->first || number - self->first < MIN_DISCARDED)
    return;
  g_array_remove_range (self->instants, 0, number - self->first);
  self->first = number;
}

double
ifbam_calendar_next_edge (const IfbamEventCalendar *self, IfbamTimeEventKind kind, guint32 number,
                          double time)
{
  const IfbamTimeEvent whose = { .kind = kind, .number = number };
  double next = INFINITY;
  guint low = 0, high = self->edges->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (compare_whose (instant_in (self->edges, middle), &whose) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->edges->len && compare_whose (instant_in (self->edges, low), &whose) == 0;
       low++)
    {
      const IfbamTimeEvent *edge = instant_in (self->edges, low);
      guint64 turn = 0;
      double at = edge->time;

      if (edge->period > 0 && time >= at)
        {
          turn = (guint64) ((time - at) / edge->period);
          while ((at = ifbam_instant_time (edge, turn)) <= time)
            turn++;
        }
      if (at > time && (edge->period == 0 || at < edge->end))
        next = fmin (next, at);
    }
  return next;
}

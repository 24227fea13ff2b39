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
event_at (const GArray *array, guint i)
{
  return &g_array_index (array, IfbamTimeEvent, i);
}

static int
compare_owners (const IfbamTimeEvent *one, const IfbamTimeEvent *other)
{
  if (one->kind != other->kind)
    return (int) one->kind - (int) other->kind;
  return one->index < other->index ? -1 : one->index > other->index;
}

static gboolean
is_edge (const IfbamTimeEvent *event)
{
  return event->kind == IFBAM_TIME_EVENT_EDGE || event->kind == IFBAM_TIME_EVENT_MOTION;
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const int owner = compare_owners (a, b);

  return owner != 0 ? owner : ifbam_time_event_compare (a, b);
}

/* Sets the interval of a law, from a time to its next corner after another time [s]. */
static void
set_piece (IfbamSchedule *self, IfbamTimeEventKind kind, guint32 number, double from, double after)
{
  const gsize piece = number + (kind == IFBAM_TIME_EVENT_MOTION ? self->model->n_sources : 0);
  const double next = ifbam_schedule_next_edge (self, kind, number, after);

  self->piece_from[piece] = from;
  self->piece_until[piece] = nextafter (next, -INFINITY);
}

/* Empties the list of events. */
static void
clear_events (IfbamSchedule *self)
{
  const GArray *recurrent = self->recurrent;

  g_array_set_size (self->events, 0);
  g_array_set_size (self->beyond, 0);
  self->first = self->once = self->next = 0;
  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamTimeEvent *event = event_at (recurrent, i);

      self->periods[i] = (guint64) fmax (0, floor (-event->time / event->period));
    }
  self->horizon = 0;
}

void
ifbam_schedule_restart (IfbamSchedule *self)
{
  const gsize n_given = self->model->n_nodes - self->model->n_free;

  clear_events (self);
  self->time = NAN;
  for (guint32 i = 0; i < self->model->n_sources; i++)
    set_piece (self, IFBAM_TIME_EVENT_EDGE, i, -INFINITY, 0);
  for (guint32 i = 0; i < n_given; i++)
    set_piece (self, IFBAM_TIME_EVENT_MOTION, i, -INFINITY, 0);
}

void
ifbam_schedule_init (IfbamSchedule *self, const IfbamModel *model, double step)
{
  const gsize n_given = model->n_nodes - model->n_free;
  GArray *recurrent = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  const GArray *lists[] = { model->time_events, recurrent };

  g_array_append_vals (recurrent, model->recurrent->data, model->recurrent->len);
  for (guint i = 0; i < recurrent->len; i++)
    if (event_at (recurrent, i)->period == IFBAM_EACH_STEP)
      g_array_index (recurrent, IfbamTimeEvent, i).period = step;
  self->model = model;
  self->step = step;
  self->recurrent = recurrent;
  self->events = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  self->beyond = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  self->edges = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  self->simultaneous = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->periods = g_new0 (guint64, model->recurrent->len + 1);
  self->piece_from = g_new (double, model->n_sources + n_given + 1);
  self->piece_until = g_new (double, model->n_sources + n_given + 1);
  self->is_on = g_new0 (guint8, model->n_sources + 1);
  self->strength = g_new0 (double, model->n_sources + 1);
  self->constant = g_new (double, model->n_sources + 1);
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++)
      if (is_edge (event_at (lists[k], i)))
        g_array_append_vals (self->edges, event_at (lists[k], i), 1);
  g_array_sort (self->edges, compare_edges);
  clear_events (self);
}

void
ifbam_schedule_clear (IfbamSchedule *self)
{
  GArray *lists[] = { self->recurrent, self->events, self->beyond, self->edges,
                      self->simultaneous };
  gpointer arrays[] = { self->periods, self->piece_from, self->piece_until,
                        self->is_on,   self->strength,   self->constant };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
}

/* Returns the next end of the list [s]; infinite: no periodic event is left. */
static double
next_horizon (const IfbamSchedule *self)
{
  const GArray *recurrent = self->recurrent;
  double horizon = INFINITY;

  for (guint i = 0; i < recurrent->len; i++)
    {
      const IfbamTimeEvent *event = event_at (recurrent, i);
      const double next = ifbam_time_event_time (event, self->periods[i]);

      if (next < event->end)
        horizon = fmin (horizon, fmax (next, self->horizon) + PERIODS_AHEAD * event->period);
    }
  return horizon;
}

static void
extend_list (IfbamSchedule *self)
{
  const GArray *once = self->model->time_events, *recurrent = self->recurrent;
  GArray *more = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));

  self->horizon = next_horizon (self);
  for (; self->once < once->len && event_at (once, self->once)->time <= self->horizon; self->once++)
    g_array_append_vals (more, event_at (once, self->once), 1);
  for (guint i = 0; i < recurrent->len; i++)
    {
      IfbamTimeEvent event = *event_at (recurrent, i);

      for (;; self->periods[i]++)
        {
          event.time = ifbam_time_event_time (event_at (recurrent, i), self->periods[i]);
          if (!(event.time <= self->horizon && event.time < event.end))
            break;
          /* Events up to the start are not part of the run. */
          if (event.time > 0)
            g_array_append_val (more, event);
        }
    }
  while (self->beyond->len > 0 && event_at (self->beyond, 0)->time <= self->horizon)
    {
      g_array_append_vals (more, event_at (self->beyond, 0), 1);
      g_array_remove_range (self->beyond, 0, 1);
    }
  g_array_sort (more, ifbam_time_event_compare);
  g_array_append_vals (self->events, more->data, more->len);
  g_array_unref (more);
}

const IfbamTimeEvent *
ifbam_schedule_get (const IfbamSchedule *self, guint index)
{
  g_assert (index >= self->first);
  while (index - self->first >= self->events->len && isfinite (self->horizon))
    extend_list ((IfbamSchedule *) self); /* the events are the same, more of them are listed */
  return index - self->first < self->events->len ? event_at (self->events, index - self->first)
                                                 : NULL;
}

void
ifbam_schedule_add (IfbamSchedule *self, const IfbamTimeEvent *event)
{
  const gboolean later = event->time > self->horizon;
  GArray *among = later ? self->beyond : self->events;
  guint i = later ? 0 : self->next - self->first;

  while (i < among->len && ifbam_time_event_compare (event_at (among, i), event) <= 0)
    i++;
  g_array_append_vals (among, event, 1);
  for (guint last = among->len - 1; last > i; last--)
    g_array_index (among, IfbamTimeEvent, last) = *event_at (among, last - 1);
  g_array_index (among, IfbamTimeEvent, i) = *event;
}

void
ifbam_schedule_discard_past (IfbamSchedule *self)
{
  const guint index = self->next - MIN (self->next, 1);

  if (index < self->first || index - self->first < MIN_DISCARDED)
    return;
  g_array_remove_range (self->events, 0, index - self->first);
  self->first = index;
}

double
ifbam_schedule_next_time (const IfbamSchedule *self)
{
  const IfbamTimeEvent *event = ifbam_schedule_get (self, self->next);

  return event == NULL ? INFINITY : event->time;
}

/* Returns the time from the start of a step to an event [steps]. */
static double
steps_to (const IfbamSchedule *self, guint index, guint64 step)
{
  return ifbam_schedule_get (self, index)->time / self->step - (double) step;
}

gboolean
ifbam_schedule_is_due (const IfbamSchedule *self, guint64 step, double *time)
{
  double steps;

  if (ifbam_schedule_get (self, self->next) == NULL)
    return FALSE;
  steps = steps_to (self, self->next, step);
  *time = steps * self->step;
  if (fabs (steps - round (steps)) < IFBAM_AT_STEP)
    *time = round (steps) * self->step;
  return steps <= 1 + IFBAM_AT_STEP;
}

guint64
ifbam_schedule_count_free_steps (const IfbamSchedule *self, guint index, guint64 step)
{
  guint64 free = (guint64) fmax (0, floor (steps_to (self, index, step)));

  while (free > 0 && steps_to (self, index, step + free - 1) <= 1 + IFBAM_AT_STEP)
    free--;
  return free;
}

GArray *
ifbam_schedule_take_next (IfbamSchedule *self)
{
  const double time = ifbam_schedule_next_time (self);

  ifbam_array_clear (self->simultaneous);
  for (; ifbam_schedule_next_time (self) == time && isfinite (time); self->next++)
    g_array_append_val (self->simultaneous, self->next);
  return self->simultaneous;
}

void
ifbam_schedule_begin_piece (IfbamSchedule *self, guint index)
{
  const IfbamTimeEvent *event = ifbam_schedule_get (self, index);

  if (is_edge (event))
    set_piece (self, event->kind, event->index, event->time, event->time);
}

void
ifbam_schedule_skip_to (IfbamSchedule *self, guint64 step)
{
  for (ifbam_schedule_restart (self); ifbam_schedule_get (self, self->next) != NULL; self->next++)
    {
      if (step == 0 ? ifbam_schedule_next_time (self) > 0
                    : steps_to (self, self->next, step - 1) > 1 + IFBAM_AT_STEP)
        break;
      ifbam_schedule_begin_piece (self, self->next);
      ifbam_schedule_discard_past (self);
    }
}

double
ifbam_schedule_next_edge (const IfbamSchedule *self, IfbamTimeEventKind kind, guint32 number,
                          double time)
{
  const IfbamTimeEvent owner = { .kind = kind, .index = number };
  double next = INFINITY;
  guint low = 0, high = self->edges->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (compare_owners (event_at (self->edges, middle), &owner) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->edges->len && compare_owners (event_at (self->edges, low), &owner) == 0; low++)
    {
      const IfbamTimeEvent *edge = event_at (self->edges, low);
      guint64 period = 0;
      double at = edge->time;

      if (edge->period > 0 && time >= at)
        {
          period = (guint64) ((time - at) / edge->period);
          while ((at = ifbam_time_event_time (edge, period)) <= time)
            period++;
        }
      if (at > time && (edge->period == 0 || at < edge->end))
        next = fmin (next, at);
    }
  return next;
}

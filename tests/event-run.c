/* event-run.c: runs the text of a network and keeps its rows and events, for tests
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event-run.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <setjmp.h>
#include <cmocka.h>

#include "run/run.h"
#include "fixture.h"

static gboolean
keep_row (gpointer data, double time, const double *values, GError **error)
{
  EventRun *run = data;

  (void) error;
  ifbam_course_append_row (run->course, time, values);
  return TRUE;
}

static gboolean
keep_event (gpointer data, const IfbamEvent *event, GError **error)
{
  EventRun *run = data;

  (void) error;
  g_array_append_val (run->events, *event);
  return TRUE;
}

EventRun *
event_run (EventRunFlags flags, const char *format, ...)
{
  EventRun *self = g_new0 (EventRun, 1);
  IfbamRunTask run = { .objects = (flags & EVENT_RUN_OBJECTS) != 0,
                       .by_events = (flags & EVENT_RUN_BY_EVENTS) != 0,
                       .unlocated = (flags & EVENT_RUN_UNLOCATED) != 0,
                       .event_rows = (flags & EVENT_RUN_EVENT_ROWS) != 0,
                       .event = keep_event,
                       .row = keep_row,
                       .data = self };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->network = text_network_try (text, NULL, &error);
  if (self->network == NULL)
    fail_msg ("%s\n%s", error->message, text);
  model = ifbam_network_compile_or_error (self->network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    fail_msg ("%s\n%s", error->message, text);
  self->course = ifbam_signals_course (signals);
  self->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  if (!ifbam_run (&run, model, signals, &spec, &error))
    fail_msg ("%s\n%s", error->message, text);
  self->held = run.held;
  return self;
}

void
event_run_free (EventRun *self)
{
  g_array_unref (self->events);
  g_object_unref (self->course);
  g_object_unref (self->network);
  g_free (self);
}

const double *
event_run_values (const EventRun *self, const char *signal, gsize *n)
{
  g_autoptr (GError) error = NULL;
  gsize count;
  const double *values = ifbam_course_get_values (self->course, signal, &count, &error);

  if (values == NULL)
    fail_msg ("%s", error->message);
  if (n != NULL)
    *n = count;
  return values;
}

double
event_run_first (const EventRun *self, const char *signal)
{
  return event_run_values (self, signal, NULL)[0];
}

double
event_run_last (const EventRun *self, const char *signal)
{
  gsize n;
  const double *values = event_run_values (self, signal, &n);

  return values[n - 1];
}

double
event_run_ledger_gap (const EventRun *run)
{
  gsize n;
  const double *energy = event_run_values (run, "network.energy", &n);
  const double *dissipated = event_run_values (run, "network.dissipated", &n);
  const double *supplied = event_run_values (run, "network.supplied", &n);
  double gap = 0;

  for (gsize i = 0; i < n; i++)
    {
      const double own =
          fabs (energy[i] + dissipated[i] - supplied[i] - energy[0] - dissipated[0] + supplied[0]);

      if (own > gap || isnan (own))
        gap = own;
    }
  return gap;
}

const IfbamEvent *
event_run_event (const EventRun *self, const char *element, const char *word, guint n)
{
  for (guint i = 0; i < self->events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (self->events, IfbamEvent, i);

      if ((element == NULL || g_str_equal (event->element, element))
          && (word == NULL || g_str_equal (event->word, word)) && n-- == 0)
        return event;
    }
  return NULL;
}

guint
event_run_count (const EventRun *self, const char *element, const char *word)
{
  guint n = 0;

  while (event_run_event (self, element, word, n) != NULL)
    n++;
  return n;
}

char *
event_run_fault (const char *format, ...)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (text_network_try (text, NULL, &error) != NULL)
    fail_msg ("nothing was said of\n%s", text);
  return g_strdup (error->message);
}

/* Both tell the same rows, and events at the same instants. */
static void
assert_same (const EventRun *one, const EventRun *other, const char *what)
{
  const char *const *signals = ifbam_course_get_signals (one->course);

  assert_int_equal (one->events->len, other->events->len);
  for (guint i = 0; i < one->events->len; i++)
    assert_memory_equal (&g_array_index (one->events, IfbamEvent, i).time,
                         &g_array_index (other->events, IfbamEvent, i).time, sizeof (double));
  for (gsize s = 0; signals[s] != NULL; s++)
    {
      gsize n, n_other;
      const double *a = event_run_values (one, signals[s], &n);
      const double *b = event_run_values (other, signals[s], &n_other);

      assert_int_equal (n, n_other);
      for (gsize r = 0; r < n; r++)
        if (memcmp (&a[r], &b[r], sizeof *a) != 0)
          fail_msg ("%s: row %zu, %s: %.17g and %.17g", what, r, signals[s], a[r], b[r]);
    }
}

void
event_run_assert_same_bits (const char *text)
{
  g_autoptr (EventRun) tiles = event_run (0, "%s", text);
  g_autoptr (EventRun) events = event_run (EVENT_RUN_BY_EVENTS, "%s", text);
  g_autoptr (EventRun) objects = event_run (EVENT_RUN_OBJECTS, "%s", text);

  assert_same (tiles, events, text);
  assert_same (tiles, objects, text);
}

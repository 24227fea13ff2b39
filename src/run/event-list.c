/* event-list.c: the events of a run, in order
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/event-list.h"
#include "base/number-text.h"

#include "file/file.h"

/* Its texts are interned or static: a copy of the struct suffices. */
static gpointer
copy_event (gpointer event)
{
  return g_memdup2 (event, sizeof (IfbamEvent));
}

G_DEFINE_BOXED_TYPE (IfbamEvent, ifbam_event, copy_event, g_free)

/**
 * IfbamEvents:
 *
 * The events of a run, in the order of their times.
 */
struct _IfbamEvents
{
  GObject parent_instance;
  GArray *events; /* IfbamEvent */
};

G_DEFINE_FINAL_TYPE (IfbamEvents, ifbam_events, G_TYPE_OBJECT)

static void
ifbam_events_finalize (GObject *object)
{
  g_array_unref (IFBAM_EVENTS (object)->events);
  G_OBJECT_CLASS (ifbam_events_parent_class)->finalize (object);
}

static void
ifbam_events_class_init (IfbamEventsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_events_finalize;
}

static void
ifbam_events_init (IfbamEvents *self)
{
  self->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
}

IfbamEvents *
ifbam_events_new (void)
{
  return g_object_new (IFBAM_TYPE_EVENTS, NULL);
}

const IfbamEvent *
ifbam_events_add (IfbamEvents *self, const IfbamEvent *event)
{
  IfbamEvent own = *event;

  own.element = g_intern_string (event->element);
  g_array_append_val (self->events, own);
  return &g_array_index (self->events, IfbamEvent, self->events->len - 1);
}

/**
 * ifbam_events_get_n_events:
 * @events: events of a run
 *
 * Counts the events.
 *
 * Returns: the count
 */
gsize
ifbam_events_get_n_events (IfbamEvents *self)
{
  g_return_val_if_fail (IFBAM_IS_EVENTS (self), 0);
  return self->events->len;
}

/**
 * ifbam_events_get_event:
 * @events: events of a run
 * @number: index of the event, from 0 on
 *
 * Returns one of the events.
 *
 * Returns: (transfer none) (nullable): the event, valid until another one is added; %NULL beyond
 *   the last
 */
const IfbamEvent *
ifbam_events_get_event (IfbamEvents *self, gsize number)
{
  g_return_val_if_fail (IFBAM_IS_EVENTS (self), NULL);
  return number < self->events->len ? &g_array_index (self->events, IfbamEvent, number) : NULL;
}

/**
 * ifbam_events_list:
 * @events: events of a run
 * @n_events: (out): count of the events
 *
 * Returns all events at once.
 *
 * Returns: (transfer none) (array length=n_events): the events, valid until another one is added
 */
const IfbamEvent *
ifbam_events_list (IfbamEvents *self, gsize *n_events)
{
  g_return_val_if_fail (IFBAM_IS_EVENTS (self) && n_events != NULL, NULL);
  *n_events = self->events->len;
  return (const IfbamEvent *) (gpointer) self->events->data;
}

void
ifbam_event_append_row (GString *text, const IfbamEvent *event)
{
  const double numbers[] = { event->impulse, event->rate_before, event->rate_after,
                             event->energy_change };

  g_string_append_printf (text, "%s,%s,%s", IFBAM_NUMBER (event->time), event->element,
                          event->word);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_string_append_printf (text, ",%s", IFBAM_NUMBER (numbers[i]));
  g_string_append_c (text, '\n');
}

/**
 * ifbam_events_write_csv:
 * @events: events of a run
 * @path: (type filename) (nullable): a file; %NULL or "-" is standard output
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Writes the events as CSV, as `ifbam run --events` does. A file appears whole or not at all.
 *
 * Returns: whether they were written; if not, %IFBAM_ERROR_WRITE says why
 */
gboolean
ifbam_events_write_csv (IfbamEvents *self, const char *path, GError **error)
{
  g_autoptr (IfbamOutput) output = NULL;

  g_return_val_if_fail (IFBAM_IS_EVENTS (self), FALSE);
  output = ifbam_output_new (path, error);
  if (output == NULL)
    return FALSE;
  g_string_append (ifbam_output_text (output), IFBAM_EVENT_COLUMNS);
  for (guint i = 0; i < self->events->len; i++)
    {
      ifbam_event_append_row (ifbam_output_text (output),
                              &g_array_index (self->events, IfbamEvent, i));
      if (!ifbam_output_flush (output, IFBAM_OUTPUT_BYTES, error))
        return FALSE;
    }
  return ifbam_output_finish (output, error);
}

/* outcome.c: samples, events, account and end of a run, and their comparison bit for bit
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/fail.h"
#include "matrix.h"

void
matrix_outcome_init (MatrixOutcome *outcome, const IfbamSignals *signals)
{
  *outcome = (MatrixOutcome){ .signals = signals,
                              .rows = g_byte_array_new (),
                              .events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent)) };
}

void
matrix_outcome_clear (MatrixOutcome *outcome)
{
  g_clear_pointer (&outcome->rows, g_byte_array_unref);
  g_clear_pointer (&outcome->events, g_array_unref);
  g_clear_pointer (&outcome->error, g_free);
}

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  MatrixOutcome *outcome = data;

  (void) error;
  g_byte_array_append (outcome->rows, (const guint8 *) &time, sizeof time);
  g_byte_array_append (outcome->rows, (const guint8 *) values,
                       (guint) (outcome->signals->signals->len * sizeof *values));
  return TRUE;
}

static gboolean
take_event (gpointer data, const IfbamEvent *event, GError **error)
{
  MatrixOutcome *outcome = data;
  IfbamEvent own = *event;

  own.element = g_intern_string (event->element);
  own.word = g_intern_string (event->word);
  g_array_append_val (outcome->events, own);
  return outcome->max_events == 0 || outcome->events->len < outcome->max_events
         || ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "too many events");
}

void
matrix_outcome_listen (MatrixOutcome *outcome, IfbamRunTask *task)
{
  task->row = take_row;
  task->event = take_event;
  task->data = outcome;
}

void
matrix_outcome_end (MatrixOutcome *outcome, const IfbamRunTask *task, const GError *error)
{
  outcome->error = error == NULL ? NULL : g_strdup (error->message);
  outcome->code = error == NULL ? 0 : error->code;
  outcome->stopped = task->stopped;
  outcome->sums = task->sums;
}

void
matrix_outcome_run (MatrixOutcome *outcome, IfbamRunTask *task, const IfbamModel *model,
                    const IfbamRunSpec *spec)
{
  g_autoptr (GError) error = NULL;

  matrix_outcome_listen (outcome, task);
  ifbam_run (task, model, outcome->signals, spec, &error);
  matrix_outcome_end (outcome, task, error);
}

static gboolean
same_bits (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

void
matrix_events_compare (const char *what, const GArray *wanted, gsize first, const GArray *events)
{
  for (gsize i = 0; i < events->len && first + i < wanted->len; i++)
    {
      const IfbamEvent *a = &g_array_index (wanted, IfbamEvent, first + i);
      const IfbamEvent *b = &g_array_index (events, IfbamEvent, i);

      if (!same_bits (a->time, b->time) || !g_str_equal (a->element, b->element)
          || !g_str_equal (a->word, b->word) || !same_bits (a->impulse, b->impulse)
          || !same_bits (a->rate_before, b->rate_before)
          || !same_bits (a->rate_after, b->rate_after)
          || !same_bits (a->energy_change, b->energy_change))
        fail_msg ("%s: event %zu is %s of %s at %.17g s with %.17g, rates %.17g, %.17g and energy "
                  "%.17g, not %s of %s at %.17g s with %.17g, rates %.17g, %.17g and energy %.17g",
                  what, i, b->word, b->element, b->time, b->impulse, b->rate_before, b->rate_after,
                  b->energy_change, a->word, a->element, a->time, a->impulse, a->rate_before,
                  a->rate_after, a->energy_change);
    }
}

static void
compare_rows (const char *what, const MatrixOutcome *wanted, gsize first, const GByteArray *rows,
              gsize size)
{
  const guint n = wanted->signals->signals->len + 1;
  const double *one = (const double *) (gconstpointer) (wanted->rows->data + first),
               *other = (const double *) (gconstpointer) rows->data;

  if (size == 0 || memcmp (one, other, size) == 0)
    return;
  for (gsize i = 0; i < size / sizeof (double); i++)
    if (!same_bits (one[i], other[i]))
      fail_msg ("%s: row %zu, t = %.17g s, %s: %.17g, not %.17g", what, i / n, one[i / n * n],
                i % n == 0 ? "time" : (char *) wanted->signals->names->pdata[i % n - 1], other[i],
                one[i]);
}

void
matrix_outcome_compare (const char *what, const MatrixOutcome *wanted, const MatrixOutcome *outcome,
                        const MatrixOffset *from)
{
  static const MatrixOffset whole = { 0 };
  const MatrixOffset *at = from == NULL ? &whole : from;
  const gsize rows = wanted->rows->len - at->rows, events = wanted->events->len - at->events;
  /* Divergence is looked for each 64 steps, and where a run pauses: a pause among the last of them is one look more. */
  const guint64 last_check =
      (MAX (wanted->stopped, 1) - 1) / IFBAM_CHECK_INTERVAL * IFBAM_CHECK_INTERVAL;
  const gboolean loose = wanted->error != NULL && at->stop > last_check;

  if (outcome->code != wanted->code || (!loose && g_strcmp0 (wanted->error, outcome->error) != 0))
    fail_msg ("%s: the run ends with \"%s\", not \"%s\"", what,
              outcome->error == NULL ? "" : outcome->error,
              wanted->error == NULL ? "" : wanted->error);
  compare_rows (what, wanted, at->rows, outcome->rows, MIN (rows, outcome->rows->len));
  matrix_events_compare (what, wanted->events, at->events, outcome->events);
  if (!loose && (outcome->rows->len != rows || outcome->events->len != events))
    fail_msg ("%s: %u bytes of rows and %u events, not %zu and %zu", what, outcome->rows->len,
              outcome->events->len, rows, events);
  if (wanted->error == NULL
      && memcmp (&wanted->sums, &outcome->sums, offsetof (IfbamSums, link_dissipated)) != 0)
    fail_msg ("%s: another account", what);
}

/* cuts.c: the axis of cuts: a run that pauses, and one that stops at any step and goes on from its state in another way
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "matrix.h"

/* A run that pauses at steps; its state at the last of them. */
typedef struct
{
  guint64 step;
  IfbamState *state; /* NULL: the run ended before */
  GArray *pending_events;
  gsize rows, events;
} Pause;

static void
pause_clear (Pause *pause)
{
  g_clear_pointer (&pause->state, ifbam_state_free);
  g_clear_pointer (&pause->pending_events, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pause, pause_clear)

/* Runs to the pause, and to the end if it `may_continue`. */
static void
run_to_pause (const MatrixWay *way, MatrixCase *one, MatrixRecord record, gboolean may_continue,
              MatrixOutcome *outcome, Pause *pause)
{
  g_auto (MatrixTask) task = { 0 };
  g_autoptr (IfbamRunner) runner = NULL;
  g_autoptr (GError) error = NULL;

  matrix_task_init (&task, way, one, record);
  matrix_outcome_init (outcome, one->signals[record]);
  matrix_outcome_listen (outcome, &task.task);
  matrix_way_enter (way);
  runner = ifbam_runner_new (&task.task, task.model, outcome->signals, &task.spec);
  matrix_way_leave ();
  if (ifbam_runner_advance (runner, pause->step, &error))
    {
      pause->state = ifbam_runner_get_state (runner);
      pause->pending_events = ifbam_runner_list_pending_events (runner);
      pause->rows = outcome->rows->len;
      pause->events = outcome->events->len;
    }
  if (error == NULL && may_continue && task.spec.last_step > pause->step)
    ifbam_runner_advance (runner, task.spec.last_step, &error);
  matrix_outcome_end (outcome, &task.task, error);
  if (may_continue && error == NULL)
    outcome->sums = task.task.sums;
}

static guint64
choose_step (const MatrixCase *one, MatrixRecord record)
{
  const guint64 last = matrix_case_spec (one, record).last_step;

  return last < 2 ? 0 : 1 + (one->seed * 2654435761u) % (last - 1);
}

guint
matrix_pause (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  const MatrixOutcome *wanted = matrix_case_wanted (one, record);
  g_autofree char *what = g_strdup_printf ("%s: %s, paused", one->name, way->name);
  g_auto (Pause) pause = { .step = choose_step (one, record) };
  g_auto (MatrixOutcome) outcome = { 0 };

  if (pause.step == 0)
    return 0;
  run_to_pause (way, one, record, TRUE, &outcome, &pause);
  matrix_outcome_compare (what, wanted, &outcome,
                          &(MatrixOffset){ .stop = pause.state == NULL ? 0 : pause.step });
  return 1;
}

/* Whether a column is part of the comparison. Sums that the run loop keeps to notice divergence depend on the way; work is booked only
 * where an account is kept. */
static gboolean
is_compared (const char *column, MatrixRecord record)
{
  return !g_str_has_prefix (column, "check.")
         && (record == MATRIX_RECORD_ALL
             || (!g_str_has_prefix (column, "run.") && !g_str_equal (column, "component.supply")));
}

/* Whether a slot of a batch, or one beside it for a far end or a state, is that of a link that moves a node. */
static gboolean
is_used_slot (const IfbamModel *model, const IfbamBatch *batch, gsize index)
{
  for (gsize i = 0; i < model->n_links && index < batch->first_idle; i++)
    if (model->link_slot[i] == batch->first_slot + index)
      return TRUE;
  return FALSE;
}

/* Whether a value is the force of a source or link that moves nothing, or none: compiled and objects keep different ones. */
static gboolean
is_unused (const IfbamModel *model, const char *column, gsize number)
{
  if (g_str_equal (column, "source.flight"))
    return number < model->n_sources && model->source_node[number] >= model->n_free;
  for (guint b = 0; b < model->batches->len && g_str_equal (column, "slot.flight"); b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first[2 + IFBAM_MAX_LAW] = { batch->first_slot, batch->far_slot };

      for (guint k = 0; k < batch->law->n_states; k++)
        first[2 + k] = batch->state_slot[k];
      for (guint e = 0; e < 2 + batch->law->n_states; e++)
        if (number >= first[e] && number < first[e] + batch->count)
          return !is_used_slot (model, batch, number - first[e]);
    }
  return FALSE;
}

/* Columns that differ, with the first value of each that does (transfer full). */
static char *
name_difference (const IfbamModel *model, const IfbamState *one, const IfbamState *other,
                 MatrixRecord record)
{
  GString *text = g_string_new (NULL);
  const char *name;

  for (guint i = 0; (name = ifbam_state_name (one, i)) != NULL; i++)
    for (IfbamStateType type = IFBAM_STATE_DOUBLES;
         type <= IFBAM_STATE_WORDS && is_compared (name, record); type++)
      {
        const gsize size = type == IFBAM_STATE_DOUBLES ? sizeof (double) : sizeof (guint32);
        gsize n = 0, m = 0, k = 0;
        const char *has = ifbam_state_find (one, name, type, &n);
        const char *wants = ifbam_state_find (other, name, type, &m);

        while (
            n == m && k < n
            && (is_unused (model, name, k) || memcmp (has + k * size, wants + k * size, size) == 0))
          k++;
        if (n != m || k < n)
          g_string_append_printf (text, " %s[%zu of %zu]", name, k, n);
        if (n == m && k < n && type == IFBAM_STATE_DOUBLES)
          g_string_append_printf (text, " %.17g, not %.17g",
                                  ((const double *) (gconstpointer) wants)[k],
                                  ((const double *) (gconstpointer) has)[k]);
      }
  return g_string_free (text, FALSE);
}

/* The state of the reference way at the same step. */
static void
compare_states (const char *what, MatrixCase *one, MatrixRecord record, const Pause *pause)
{
  g_auto (Pause) reference = { .step = pause->step };
  g_auto (MatrixOutcome) outcome = { 0 };

  run_to_pause (&matrix_ways[0], one, record, FALSE, &outcome, &reference);
  if (reference.state == NULL)
    fail_msg ("%s: the reference has no state at step %d", what, (int) pause->step);
  if (!ifbam_state_equal (reference.state, pause->state))
    {
      g_autofree char *names = name_difference (one->model, reference.state, pause->state, record);

      if (*names != '\0')
        fail_msg ("%s: another state at step %d:%s", what, (int) pause->step, names);
    }
}

guint
matrix_cut (const MatrixWay *from, const MatrixWay *to, MatrixCase *one, MatrixRecord record)
{
  const MatrixOutcome *wanted = matrix_case_wanted (one, record);
  g_autofree char *what = g_strdup_printf ("%s: %s, cut, by %s", one->name, from->name, to->name);
  g_auto (Pause) pause = { .step = choose_step (one, record) };
  g_auto (MatrixOutcome) before = { 0 }, after = { 0 };
  g_auto (MatrixTask) task = { 0 };
  g_autoptr (IfbamState) copy = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  gconstpointer data;

  if (pause.step == 0)
    return 0;
  run_to_pause (from, one, record, FALSE, &before, &pause);
  if (pause.state == NULL || pause.rows > wanted->rows->len || pause.events > wanted->events->len)
    return 0; /* the run had ended by then */
  compare_states (what, one, record, &pause);
  /* As from a file. */
  data = ifbam_state_data (pause.state, &size);
  copy = ifbam_state_new_from_data (data, size, &error);
  assert_null (error);
  matrix_task_init (&task, to, one, record);
  matrix_outcome_init (&after, one->signals[record]);
  task.task.initial = copy;
  task.task.pending_events = pause.pending_events;
  task.task.resumes = TRUE;
  matrix_way_enter (to);
  matrix_outcome_run (&after, &task.task, task.model, &task.spec);
  matrix_way_leave ();
  matrix_outcome_compare (what, wanted, &after,
                          &(MatrixOffset){ pause.rows, pause.events, pause.step });
  return 1;
}

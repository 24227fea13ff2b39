/* core-way.c: build/core.so, which has no GLib, against the library
 *
 * A network goes to it as a text with hexadecimal numbers. With MATRIX_KEPT=FOLDER positions, rates and events of each case are kept
 * there for build/core.wasm (tests/wasm.mjs).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "tests/core-library.h"
#include "file/file.h"
#include "matrix.h"

static guint n_kept;

guint
matrix_core_n_kept (void)
{
  return n_kept;
}

const char *
matrix_core_can (const MatrixWay *way, MatrixCase *one)
{
  (void) way;
  if (core_library () == NULL)
    return "build/core.so is not there";
  if ((one->of->features & MATRIX_COLUMNS) != 0)
    return "columns are no text of the core";
  return NULL;
}

/* Both, side by side */

typedef struct
{
  const char *what;
  IfbamCore *core;
  guint64 stride;
  gsize n_rows, n;  /* rows so far; recorded signals */
  double *values;   /* of the core (n) */
  gsize n_nodes;    /* kept for the web */
  double *position; /* (n_nodes) */
  double *rate;
  guint32 hash;   /* of all numbers so far */
  GArray *hashes; /* guint32, one for each row */
} Contest;

/* Adds a number in two words to a hash. All NaN are the same. */
static void
hash_number (guint32 *hash, double number)
{
  guint32 word[2] = { 0, 0x7ff80000 };

  if (!isnan (number))
    memcpy (word, &number, sizeof word);
  for (guint i = 0; i < 2; i++)
    {
      *hash ^= word[i];
      *hash = (*hash << 15 | *hash >> 17) * 0x9e3779b1u;
    }
}

static void
hash_row (Contest *contest)
{
  hash_number (&contest->hash,
               core_library ()->row (contest->core, contest->position, contest->rate));
  for (gsize i = 0; i < contest->n_nodes; i++)
    {
      hash_number (&contest->hash, contest->position[i]);
      hash_number (&contest->hash, contest->rate[i]);
    }
  g_array_append_val (contest->hashes, contest->hash);
}

/* Goes on to each row of the wanted run, and compares it. */
static void
compare_rows (Contest *contest, const MatrixOutcome *wanted)
{
  const CoreLibrary *core = core_library ();
  const gsize width = contest->n + 1, n_rows = wanted->rows->len / (width * sizeof (double));
  const double *row = (const double *) (gconstpointer) wanted->rows->data;

  for (gsize r = 0; r < n_rows; r++, row += width)
    {
      double time;

      if (r > 0 && core->advance (contest->core, contest->stride) != 0)
        fail_msg ("%s: row %zu: %s", contest->what, r, core->said (contest->core));
      time = core->row (contest->core, NULL, NULL);
      core->signals (contest->core, contest->values);
      if (time != row[0])
        fail_msg ("%s: row %zu is at %.17g s, not %.17g s", contest->what, r, time, row[0]);
      for (gsize i = 0; i < contest->n; i++)
        if (memcmp (&contest->values[i], &row[1 + i], sizeof *row) != 0)
          fail_msg ("%s: row %zu, %s: %.17g, not %.17g", contest->what, r,
                    (char *) wanted->signals->names->pdata[i], contest->values[i], row[1 + i]);
      if (contest->hashes != NULL)
        hash_row (contest);
    }
}

static void
compare_events (const Contest *contest, const MatrixOutcome *wanted)
{
  const CoreLibrary *core = core_library ();
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  const double last = core->row (contest->core, NULL, NULL);

  for (gsize i = 0; i < core->n_events (contest->core); i++)
    {
      const IfbamCoreEvent its = core->event (contest->core, i);
      const IfbamEvent event = { its.time,        its.element,    its.word,         its.impulse,
                                 its.rate_before, its.rate_after, its.energy_change };

      /* With latency one may be later than the last row. */
      if (i < wanted->events->len || its.time <= last)
        g_array_append_val (events, event);
    }
  matrix_events_compare (contest->what, wanted->events, 0, events);
  if (events->len != wanted->events->len)
    fail_msg ("%s: %u events, not %u", contest->what, events->len, wanted->events->len);
}

/* A run that ends early does so for the same reason, but for divergence, which the core does not look for. Returns how it ended
 * (transfer full). */
static char *
compare_end (Contest *contest, const MatrixOutcome *wanted)
{
  const CoreLibrary *core = core_library ();
  int result;

  if (wanted->error == NULL)
    return g_strdup ("");
  result = core->advance (contest->core, contest->stride);
  if (wanted->code != IFBAM_ERROR_DIVERGED
      && (result == 0 || !g_str_has_prefix (wanted->error, core->said (contest->core))))
    fail_msg ("%s: %s, not %s", contest->what, core->said (contest->core), wanted->error);
  return g_strdup (result == 0 ? "diverged" : core->said (contest->core));
}

/* FOLDER/NUMBER.network, .rows (the hashes) and .said: the name, how it ended, the sizes; then a line for each event. */
static void
keep (const Contest *contest, const MatrixOutcome *wanted, const char *text, const char *end)
{
  g_autofree char *name = g_strdup_printf ("%s/%u", g_getenv ("MATRIX_KEPT"), n_kept++);
  g_autofree char *network = g_strconcat (name, ".network", NULL);
  g_autofree char *rows = g_strconcat (name, ".rows", NULL);
  g_autofree char *said = g_strconcat (name, ".said", NULL);
  g_autoptr (GString) lines = g_string_new (NULL);

  g_string_append_printf (lines, "%s\n%s\n%zu %" G_GUINT64_FORMAT "\n", contest->what, end,
                          contest->n_nodes, contest->stride);
  for (guint i = 0; i < wanted->events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (wanted->events, IfbamEvent, i);
      guint32 hash = 0;

      hash_number (&hash, event->time);
      hash_number (&hash, event->impulse);
      hash_number (&hash, event->rate_before);
      hash_number (&hash, event->rate_after);
      hash_number (&hash, event->energy_change);
      g_string_append_printf (lines, "%s %s %u\n", event->element, event->word, hash);
    }
  assert_true (g_file_set_contents (network, text, -1, NULL));
  assert_true (g_file_set_contents (rows, contest->hashes->data,
                                    (gssize) (contest->hashes->len * sizeof (guint32)), NULL));
  assert_true (g_file_set_contents (said, lines->str, (gssize) lines->len, NULL));
}

/* The core with the network and its recorded signals. */
static void
begin (Contest *contest, const char *text, MatrixCase *one, MatrixRecord record)
{
  const CoreLibrary *core = core_library ();
  GPtrArray *names = one->signals[record]->names;
  g_autofree char *list = NULL;

  g_ptr_array_add (names, NULL);
  list = g_strjoinv (",", (char **) names->pdata);
  g_ptr_array_set_size (names, (int) names->len - 1);
  contest->core = core->make ();
  core->record (contest->core, list);
  if (core->read (contest->core, text) != 0 || core->compile (contest->core) != 0)
    fail_msg ("%s: %s\n%s", contest->what, core->said (contest->core), text);
  contest->n = one->signals[record]->signals->len;
  assert_int_equal (core->n_signals (contest->core), contest->n);
  contest->values = g_new (double, contest->n + 1);
  contest->n_nodes = core->n_nodes (contest->core);
  assert_int_equal (contest->n_nodes, ifbam_model_n_named (one->model));
  contest->position = g_new (double, contest->n_nodes + 1);
  contest->rate = g_new (double, contest->n_nodes + 1);
  if (g_getenv ("MATRIX_KEPT") != NULL)
    contest->hashes = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
matrix_core_run (const MatrixWay *way, MatrixCase *one, MatrixRecord record)
{
  const MatrixOutcome *wanted = matrix_case_wanted (one, record);
  const IfbamRunSpec spec = matrix_case_spec (one, record);
  g_autofree char *what = g_strdup_printf ("%s: %s", one->name, way->name);
  g_autofree char *text = ifbam_network_core_text (one->network, one->model, &spec), *end = NULL;
  Contest contest = { .what = what, .stride = spec.stride };

  begin (&contest, text, one, record);
  compare_rows (&contest, wanted);
  end = compare_end (&contest, wanted);
  compare_events (&contest, wanted);
  if (contest.hashes != NULL)
    {
      keep (&contest, wanted, text, end);
      g_array_unref (contest.hashes);
    }
  core_library ()->free (contest.core);
  g_free (contest.values);
  g_free (contest.position);
  g_free (contest.rate);
}

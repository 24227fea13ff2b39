/* run-output.c: output files of a run: samples, events and manifest, all of them or none
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/run-output.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file/file.h"
#include "program/row-table.h"

#include "run/run.h"

struct _IfbamRunOutput
{
  const IfbamRunOptions *options;
  const IfbamRunSpec *spec;
  IfbamManifest *made;            /* the network, options and version of the run */
  IfbamOutput *rows;              /* either CSV */
  gsize n_signals;                /* in a sample */
  IfbamResultWriter *result;      /* or a result, which includes the events */
  IfbamRowTable *table;           /* or a table on a terminal */
  IfbamOutput *events, *manifest; /* NULL: not requested */
  gint64 shown;                   /* time of the last flush [s] */
};

void
ifbam_run_output_free (IfbamRunOutput *self)
{
  if (self == NULL)
    return;
  ifbam_output_free (self->rows);
  ifbam_result_writer_free (self->result);
  ifbam_row_table_free (self->table);
  ifbam_output_free (self->events);
  ifbam_output_free (self->manifest);
  ifbam_manifest_free (self->made);
  g_free (self);
}

IfbamManifest *
ifbam_run_manifest (const IfbamRunOptions *options, const IfbamNetwork *network,
                    const IfbamRunSpec *spec)
{
  IfbamManifest *manifest;
  g_autoptr (GPtrArray) words = ifbam_network_options_words (options->network);

  if (options->event_rows)
    g_ptr_array_add (words, g_strdup ("--event-rows"));
  if (options->no_events)
    g_ptr_array_add (words, g_strdup ("--no-events"));
  g_ptr_array_add (words, NULL);
  manifest = ifbam_manifest_new (options->file, network->folder, network->text, network->sha256,
                                 (const char *const *) words->pdata);
  if (options->network->keeps_text || options->manifest != NULL)
    manifest->columns = ifbam_columns_checksums (network->folder, network->elements);
  manifest->scheme = g_strdup (spec->scheme->name);
  manifest->start = g_strdup (ifbam_command_start (spec));
  manifest->step = spec->step;
  manifest->duration = (double) spec->last_step * spec->step;
  manifest->sample = (double) spec->stride * spec->step;
  return manifest;
}

/* Returns the length of the longest name in an event, such as "floor.friction" [bytes]. */
static gsize
longest_name (const IfbamNetwork *network, const IfbamModel *model)
{
  gsize longest = 0;

  for (guint i = 0; i < network->elements->len; i++)
    {
      const IfbamElement *element = network->elements->pdata[i];

      longest = MAX (longest, strlen (element->name));
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    longest = MAX (longest, strlen (link->name));
  return longest;
}

/* written: position of an earlier run in it; NULL: a new file. */
static IfbamOutput *
open_output (const char *path, const IfbamMark *written, GError **error)
{
  return written == NULL ? ifbam_output_new (path, error)
                         : ifbam_output_new_at_mark (path, written->size, written->sum, error);
}

static gboolean
open_rows (IfbamRunOutput *self, const IfbamNetwork *network, const IfbamModel *model,
           const IfbamSignals *signals, const IfbamWritten *written, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), units = g_ptr_array_new ();
  IfbamResultLayout layout;

  /* A terminal gets a table of some samples. */
  if (self->options->output == NULL && isatty (STDOUT_FILENO))
    {
      self->table =
          ifbam_row_table_new (signals, (double) self->spec->last_step * self->spec->step);
      return TRUE;
    }
  g_ptr_array_add (names, (gpointer) "time");
  g_ptr_array_add (units, (gpointer) "s");
  for (guint i = 0; i < signals->units->len; i++)
    {
      g_ptr_array_add (names, signals->names->pdata[i]);
      g_ptr_array_add (units, signals->units->pdata[i]);
    }
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (units, NULL);
  if (!ifbam_result_is_named (self->options->output))
    {
      self->rows =
          open_output (self->options->output, written == NULL ? NULL : &written->output, error);
      self->n_signals = signals->units->len;
      if (self->rows != NULL && written == NULL)
        ifbam_csv_append_names (ifbam_output_text (self->rows), (const char *const *) names->pdata);
      return self->rows != NULL;
    }
  layout = (IfbamResultLayout){ .names = (const char *const *) names->pdata,
                                .units = (const char *const *) units->pdata,
                                .n_rows = self->spec->last_step / self->spec->stride + 1,
                                .longest_name = longest_name (network, model),
                                .compress = self->options->compress };
  self->result = written == NULL
                     ? ifbam_result_writer_new (self->options->output, &layout, self->made, error)
                     : ifbam_result_writer_new_at_mark (self->options->output, &layout, self->made,
                                                        written->n_rows, written->n_events, error);
  return self->result != NULL;
}

IfbamRunOutput *
ifbam_run_output_new (const IfbamRunOptions *options, const IfbamNetwork *network,
                      const IfbamModel *model, const IfbamSignals *signals,
                      const IfbamRunSpec *spec, const IfbamWritten *written, GError **error)
{
  g_autoptr (IfbamRunOutput) self = g_new0 (IfbamRunOutput, 1);

  self->options = options;
  self->spec = spec;
  self->made = ifbam_run_manifest (options, network, spec);
  if (options->events != NULL)
    {
      self->events =
          open_output (options->events, written == NULL ? NULL : &written->events, error);
      if (self->events == NULL)
        return NULL;
      if (written == NULL)
        g_string_append (ifbam_output_text (self->events), IFBAM_EVENT_COLUMNS);
    }
  if (options->manifest != NULL
      && (self->manifest = ifbam_output_new (options->manifest, error)) == NULL)
    return NULL;
  return open_rows (self, network, model, signals, written, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
ifbam_run_output_wants_events (const IfbamRunOutput *self)
{
  return self->events != NULL || self->result != NULL;
}

/* Flushes samples and events once a second, for readers of FILE.part, FILE.h5 or a pipe. */
static gboolean
show (IfbamRunOutput *self, GError **error)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC_COARSE, &now); /* fast enough for each sample */
  if (now.tv_sec == self->shown)
    return TRUE;
  self->shown = now.tv_sec;
  return (self->result != NULL ? ifbam_result_writer_flush (self->result, error)
                               : ifbam_output_flush (self->rows, 0, error))
         && (self->events == NULL || ifbam_output_flush (self->events, 0, error));
}

const IfbamManifest *
ifbam_run_output_manifest (const IfbamRunOutput *self)
{
  return self->made;
}

gboolean
ifbam_run_output_mark (IfbamRunOutput *self, IfbamWritten *written, GError **error)
{
  ifbam_written_clear (written);
  written->output.path = g_strdup (self->options->output);
  written->events.path = g_strdup (self->options->events);
  return (self->events == NULL
          || ifbam_output_mark (self->events, &written->events.size, &written->events.sum, error))
         && (self->result != NULL ? ifbam_result_writer_mark (self->result, &written->n_rows,
                                                              &written->n_events, error)
                                  : ifbam_output_mark (self->rows, &written->output.size,
                                                       &written->output.sum, error));
}

void
ifbam_run_output_forget_mark (IfbamRunOutput *self)
{
  if (self->events != NULL)
    ifbam_output_forget_mark (self->events);
  if (self->rows != NULL)
    ifbam_output_forget_mark (self->rows);
}

gboolean
ifbam_run_output_row (gpointer data, double time, const double *values, GError **error)
{
  IfbamRunOutput *self = data;

  if (self->table != NULL)
    {
      ifbam_row_table_row (self->table, time, values);
      return TRUE;
    }
  if (self->rows != NULL)
    ifbam_csv_append_row (ifbam_output_text (self->rows), time, values, self->n_signals);
  return (self->result != NULL ? ifbam_result_writer_row (self->result, time, values, error)
                               : ifbam_output_flush (self->rows, IFBAM_OUTPUT_BYTES, error))
         && show (self, error);
}

gboolean
ifbam_run_output_event (gpointer data, const IfbamEvent *event, GError **error)
{
  IfbamRunOutput *self = data;

  if (self->result != NULL && !ifbam_result_writer_event (self->result, event, error))
    return FALSE;
  if (self->events == NULL)
    return TRUE;
  ifbam_event_append_row (ifbam_output_text (self->events), event);
  return ifbam_output_flush (self->events, IFBAM_OUTPUT_BYTES, error);
}

const char *
ifbam_run_status_text (gboolean fine, const GError *error)
{
  if (fine)
    return "done";
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED))
    return "diverged";
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED) ? "interrupted" : "failed";
}

/* Writes the manifest as JSON. */
static gboolean
write_manifest (const IfbamRunOutput *self, const IfbamRunTask *run, const char *ended,
                GError **error)
{
  const IfbamNetworkOptions *options = self->options->network;
  const IfbamRunSpec *spec = self->spec;
  IfbamAnswer *answer = ifbam_answer_new_for_output (IFBAM_ANSWER_JSON, self->manifest);
  const char *key, *value;

  ifbam_answer_add_data (answer, "version,network,sha256", "%s%s%s", IFBAM_VERSION,
                         self->options->file, self->made->sha256);
  if (self->made->columns != NULL)
    ifbam_answer_add_data (answer, "columns", "%s", self->made->columns);
  ifbam_answer_begin_record (answer, "options");
  for (guint i = 0; (key = ifbam_network_options_setting (options, i, &value)) != NULL; i++)
    ifbam_answer_add_data (answer, key, "%s", value);
  ifbam_answer_add_data (answer, "engine", "%s", options->engine);
  ifbam_answer_add_texts (answer, "set", (const char *const *) options->sets);
  ifbam_answer_add_data (answer, "event-rows,no-events", "%i%i", self->options->event_rows,
                         self->options->no_events);
  ifbam_answer_end (answer);
  ifbam_answer_add_data (answer, "scheme,start,step,duration,time,ended", "%s%s%g%g%g%s",
                         spec->scheme->name, ifbam_command_start (spec), spec->step,
                         (double) spec->last_step * spec->step, run->time, ended);
  ifbam_answer_begin_record (answer, "ledger");
  ifbam_answer_add_data (answer, "kinetic,potential,energy,dissipated,supplied", "%g%g%g%g%g",
                         run->sums.kinetic, run->sums.potential,
                         run->sums.kinetic + run->sums.potential, run->sums.dissipated,
                         run->sums.supplied);
  ifbam_answer_end (answer);
  return ifbam_answer_close (answer, error);
}

gboolean
ifbam_run_output_finish (IfbamRunOutput *self, const IfbamRunTask *run, const char *ended,
                         GError **error)
{
  return (self->manifest == NULL
          || (write_manifest (self, run, ended, error)
              && ifbam_output_close (self->manifest, error)))
         && (self->events == NULL || ifbam_output_close (self->events, error))
         && (self->table != NULL ? ifbam_row_table_print (self->table, self->options->file, error)
             : self->result != NULL ? ifbam_result_writer_finish (
                   self->result, g_str_equal (ended, "done"), ended, error)
                                    : ifbam_output_finish (self->rows, error))
         && (self->events == NULL || ifbam_output_finish (self->events, error))
         && (self->manifest == NULL || ifbam_output_finish (self->manifest, error));
}

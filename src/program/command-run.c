/* command-run.c: ifbam run: a network file goes in, courses come out
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <string.h>

#include "system/csv-writer.h"
#include "base/ifbam-error.h"
#include "run/events.h"
#include "system/json-text.h"
#include "system/output.h"

#define BUFFER_SIZE (64 * 1024)

typedef struct
{
  const char *output, *manifest, *events; /* paths; NULL: standard output, none, none */
  gboolean event_rows, no_events;
} RunOptions;

/* Where a run's rows, its events and its manifest go: together, or nowhere. */
typedef struct
{
  IfbamCsvWriter *rows;
  IfbamOutput *events, *manifest; /* NULL: nobody asks */
  GString *text;                  /* events that are yet to be written */
} Writers;

static void
writers_clear (Writers *writers)
{
  g_clear_pointer (&writers->rows, ifbam_csv_writer_free);
  g_clear_pointer (&writers->events, ifbam_output_free);
  g_clear_pointer (&writers->manifest, ifbam_output_free);
  if (writers->text != NULL)
    g_string_free (writers->text, TRUE);
  writers->text = NULL;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writers, writers_clear)

/* All are opened before the run: what can't be written is said before anything is computed. */
static gboolean
open_writers (Writers *writers, const RunOptions *options, const IfbamSignals *signals,
              GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();

  g_ptr_array_add (columns, (gpointer) "time");
  for (guint i = 0; i < signals->names->len; i++)
    g_ptr_array_add (columns, signals->names->pdata[i]);
  writers->text = g_string_new (IFBAM_EVENT_COLUMNS);
  writers->rows =
      ifbam_csv_writer_new (options->output, (const char *const *) columns->pdata, error);
  if (writers->rows == NULL)
    return FALSE;
  if (options->events != NULL)
    {
      writers->events = ifbam_output_new (options->events, error);
      if (writers->events == NULL)
        return FALSE;
    }
  if (options->manifest != NULL)
    writers->manifest = ifbam_output_new (options->manifest, error);
  return options->manifest == NULL || writers->manifest != NULL;
}

static gboolean
flush_events (Writers *writers, GError **error)
{
  const gboolean fine =
      ifbam_output_write (writers->events, writers->text->str, writers->text->len, error);

  g_string_truncate (writers->text, 0);
  return fine;
}

/* None is renamed into place before all are written. */
static gboolean
finish_writers (Writers *writers, GError **error)
{
  return (writers->events == NULL
          || (flush_events (writers, error) && ifbam_output_close (writers->events, error)))
         && (writers->manifest == NULL || ifbam_output_close (writers->manifest, error))
         && ifbam_csv_writer_close (writers->rows, error)
         && ifbam_csv_writer_finish (writers->rows, error)
         && (writers->events == NULL || ifbam_output_finish (writers->events, error))
         && (writers->manifest == NULL || ifbam_output_finish (writers->manifest, error));
}

static gboolean
write_row (gpointer data, double time, const double *values, GError **error)
{
  Writers *writers = data;

  return ifbam_csv_writer_row (writers->rows, time, values, error);
}

static gboolean
write_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Writers *writers = data;

  ifbam_event_append_row (writers->text, event);
  return writers->text->len < BUFFER_SIZE || flush_events (writers, error);
}

static void
add_texts (JsonBuilder *builder, const char *member, char **texts)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    json_builder_add_string_value (builder, texts[i]);
  json_builder_end_array (builder);
}

static void
add_text (JsonBuilder *builder, const char *member, const char *text)
{
  json_builder_set_member_name (builder, member);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

/* What made the courses. */
static gboolean
write_manifest (IfbamOutput *output, const char *file, const IfbamNetwork *network,
                const IfbamNetworkOptions *options, const RunOptions *own, const IfbamRunSpec *spec,
                const IfbamRunTask *run, const char *ended, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL, *line = NULL;

  json_builder_begin_object (builder);
  add_text (builder, "version", IFBAM_VERSION);
  add_text (builder, "network", file);
  add_text (builder, "sha256", network->sha256);
  json_builder_set_member_name (builder, "options");
  json_builder_begin_object (builder);
  add_text (builder, "scheme", options->scheme);
  add_text (builder, "step", options->step);
  add_text (builder, "duration", options->duration);
  add_text (builder, "start", options->start);
  add_text (builder, "record", options->record);
  add_text (builder, "sample", options->sample);
  add_text (builder, "engine", options->engine);
  add_texts (builder, "set", options->sets);
  json_builder_set_member_name (builder, "event-rows");
  json_builder_add_boolean_value (builder, own->event_rows);
  json_builder_set_member_name (builder, "no-events");
  json_builder_add_boolean_value (builder, own->no_events);
  json_builder_end_object (builder);
  add_text (builder, "scheme", spec->scheme->name);
  add_text (builder, "start", ifbam_command_start (spec));
  ifbam_json_number (builder, "step", spec->step);
  ifbam_json_number (builder, "duration", (double) spec->last_step * spec->step);
  ifbam_json_number (builder, "time", run->time);
  add_text (builder, "ended", ended);
  json_builder_set_member_name (builder, "ledger");
  json_builder_begin_object (builder);
  ifbam_json_number (builder, "kinetic", run->sums.kinetic);
  ifbam_json_number (builder, "potential", run->sums.potential);
  ifbam_json_number (builder, "energy", run->sums.kinetic + run->sums.potential);
  ifbam_json_number (builder, "dissipated", run->sums.dissipated);
  ifbam_json_number (builder, "supplied", run->sums.supplied);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = ifbam_json_text (root, TRUE);
  line = g_strconcat (text, "\n", NULL);
  return ifbam_output_write (output, line, strlen (line), error);
}

static int
run_network (const char *file, const RunOptions *own, const IfbamNetworkOptions *options)
{
  g_autoptr (GError) error = NULL, write_error = NULL;
  g_autoptr (IfbamNetwork) network = ifbam_command_load (options, file, &error);
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (Writers) writers = { 0 };
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamRunTask run = { .threads = (guint) options->threads,
                       .allow_divergence = options->allow_divergence,
                       .full_ledger = own->manifest != NULL,
                       .unlocated = own->no_events,
                       .event_rows = own->event_rows,
                       .event = own->events != NULL ? write_event : NULL,
                       .row = write_row,
                       .data = &writers };
  gboolean fine;

  if (network == NULL)
    return ifbam_command_fail (error);
  run.objects = options->engine != NULL && g_str_equal (options->engine, "objects");
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL || !open_writers (&writers, own, signals, &error))
    return ifbam_command_fail (error);
  fine = ifbam_command_execute (&run, model, signals, &spec, &error);
  /* What a run has told before it ended early is kept, unless it can't be written. */
  if (!g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_WRITE))
    {
      const char *ended = fine                                                         ? "done"
                          : g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED) ? "diverged"
                          : g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED)
                              ? "interrupted"
                              : "failed";

      if ((writers.manifest != NULL
           && !write_manifest (writers.manifest, file, network, options, own, &spec, &run, ended,
                               &write_error))
          || !finish_writers (&writers, &write_error))
        return ifbam_command_fail (write_error);
    }
  if (run.held > 0)
    g_printerr ("ifbam: note: %u times a link had more events within one step than can be told "
                "apart, and was held closed to the step's end\n",
                run.held);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

static int
command_run (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_autofree char *output = NULL, *manifest = NULL, *events = NULL;
  gboolean event_rows = FALSE, no_events = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "write the CSV there, not to the terminal",
      "FILE" },
    { "manifest", 0, 0, G_OPTION_ARG_FILENAME, &manifest, "write what made it", "FILE.json" },
    { "events", 0, 0, G_OPTION_ARG_FILENAME, &events,
      "write the impacts, changes of mode and impulses", "FILE.csv" },
    { "event-rows", 0, 0, G_OPTION_ARG_NONE, &event_rows,
      "record just before and just after each event, too", NULL },
    { "no-events", 0, 0, G_OPTION_ARG_NONE, &no_events,
      "let events take place at the ends of steps, to see what that costs", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_run, entries);
  int exit_code;

  (void) program;
  ifbam_network_options_add (&options, context);
  if (!ifbam_command_parse (&ifbam_command_run, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  if (ifbam_command_draws (&ifbam_command_run, output, "course")
      || ifbam_command_overwrites (&ifbam_command_run, output, argv[1])
      || ifbam_command_overwrites (&ifbam_command_run, events, argv[1])
      || ifbam_command_overwrites (&ifbam_command_run, manifest, argv[1]))
    return IFBAM_EXIT_USAGE;
  /* Two results in one place would be neither. */
  if (events != NULL && ifbam_output_is_same (output == NULL ? "-" : output, events))
    return ifbam_command_usage (&ifbam_command_run,
                                output == NULL
                                    ? "--events %s: the courses go there; want -o FILE for them"
                                    : "--events %s: the courses go there, too; want another file",
                                events);
  if (manifest != NULL
      && (ifbam_output_is_same (output == NULL ? "-" : output, manifest)
          || (events != NULL && ifbam_output_is_same (events, manifest))))
    return ifbam_command_usage (&ifbam_command_run,
                                "--manifest %s: another result goes there; want another file",
                                manifest);
  return run_network (argv[1],
                      &(RunOptions){ .output = output,
                                     .manifest = manifest,
                                     .events = events,
                                     .event_rows = event_rows,
                                     .no_events = no_events },
                      &options);
}

const IfbamCommand ifbam_command_run = {
  "run",
  "NETWORK",
  "run a network, write its courses as CSV",
  "  ifbam run networks/two-dof.ini -o course.csv\n"
  "  ifbam run networks/two-dof.ini --scheme verlet --step 1ms --record "
  "m1.position,network.energy\n"
  "  ifbam run networks/collision.ini -o course.csv --events events.csv\n"
  "  ifbam run networks/two-dof.ini --set k1.stiffness=12kN/m -o stiffer.csv\n",
  command_run,
};

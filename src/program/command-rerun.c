/* command-rerun.c: ifbam rerun: repeats a run from its result, and compares them bitwise
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/rerun-sweep.h"
#include "program/rerun.h"

#include <string.h>

#include "base/fail.h"
#include "linear/linear.h"
#include "file/file.h"
#include "run/run.h"

/* Comparison of a result with the repeated run. */
typedef struct
{
  const char *path;
  gboolean complete;
  IfbamCourse *course; /* of the result */
  GPtrArray *columns;  /* times, then signals: const double *, a value per sample */
  GArray *events;
  gsize row, event;    /* next ones to compare */
  GString *difference; /* first difference, in words; empty: none */
} Comparison;

static gboolean
same_bits (double one, double other)
{
  return memcmp (&one, &other, sizeof one) == 0;
}

static gboolean
is_same_row (const Comparison *self, double time, const double *values)
{
  const double *const *columns = (const double *const *) self->columns->pdata;
  gboolean same = same_bits (columns[0][self->row], time);

  for (guint i = 1; same && i < self->columns->len; i++)
    same = same_bits (columns[i][self->row], values[i - 1]);
  return same;
}

static GPtrArray *
list_columns (IfbamCourse *course)
{
  const char *const *signals = ifbam_course_get_signals (course);
  GPtrArray *columns = g_ptr_array_new ();

  g_ptr_array_add (columns, (gpointer) ifbam_course_get_times (course, NULL));
  for (guint i = 0; signals[i] != NULL; i++)
    g_ptr_array_add (columns, (gpointer) ifbam_course_get_values (course, signals[i], NULL, NULL));
  return columns;
}

/* Stores the difference and ends the run. */
static gboolean
set_difference (Comparison *self, GError **error, const char *what, gsize number, double time)
{
  g_string_printf (self->difference, "%s %" G_GSIZE_FORMAT ", at t = %g s, differs", what, number,
                   time);
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "%s", self->difference->str);
}

static gboolean
compare_row (gpointer data, double time, const double *values, GError **error)
{
  Comparison *self = data;

  if (self->row == ifbam_course_get_n_rows (self->course))
    {
      if (self->complete)
        return set_difference (self, error, "row", self->row, time);
      return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "the result ends here");
    }
  if (!is_same_row (self, time, values))
    return set_difference (self, error, "row", self->row, time);
  self->row++;
  return TRUE;
}

static gboolean
compare_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Comparison *self = data;
  const IfbamEvent *other;

  if (self->event == self->events->len && !self->complete)
    return TRUE;
  other = self->event < self->events->len ? &g_array_index (self->events, IfbamEvent, self->event)
                                          : NULL;
  if (other == NULL || !g_str_equal (event->element, other->element)
      || !g_str_equal (event->word, other->word) || !same_bits (event->time, other->time)
      || !same_bits (event->impulse, other->impulse)
      || !same_bits (event->rate_before, other->rate_before)
      || !same_bits (event->rate_after, other->rate_after)
      || !same_bits (event->energy_change, other->energy_change))
    return set_difference (self, error, "event", self->event, event->time);
  self->event++;
  return TRUE;
}

/* Parses the options of the original run on which its samples depend. */
static gboolean
parse_options (IfbamManifest *manifest, IfbamNetworkOptions *options, gboolean *event_rows,
               gboolean *no_events, GError **error)
{
  const GOptionEntry entries[] = {
    { "event-rows", 0, 0, G_OPTION_ARG_NONE, event_rows, "", NULL },
    { "no-events", 0, 0, G_OPTION_ARG_NONE, no_events, "", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_add_main_entries (context, entries, NULL);
  ifbam_network_options_add (options, context, NULL);
  return ifbam_rerun_parse (manifest, context, error);
}

static IfbamNetwork *
load_network (const char *path, const IfbamManifest *manifest, const IfbamNetworkOptions *options,
              GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (options, error);
  g_autofree char *name = ifbam_rerun_name (path, manifest);
  const IfbamNetworkBytes bytes = { .path = name,
                                    .folder = manifest->folder,
                                    .text = manifest->network,
                                    .length = strlen (manifest->network) };

  return settings == NULL
             ? NULL
             : ifbam_network_new_from_bytes (&bytes, (const char *const *) settings, error);
}

/* Checks that the result's columns are the signals of the repeated run. */
static gboolean
check_signals (const Comparison *comparison, const IfbamSignals *signals, GError **error)
{
  if (g_strv_equal (ifbam_course_get_signals (comparison->course),
                    (const char *const *) signals->names->pdata))
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_COURSE,
                     "%s: its columns are not those that its network records", comparison->path);
}

static int
tell (const Comparison *self, const IfbamManifest *manifest)
{
  const gsize n = ifbam_course_get_n_rows (self->course);
  const gboolean same =
      self->difference->len == 0 && self->row == n && self->event == self->events->len;
  g_autofree char *text = NULL;

  if (same)
    text = g_strdup_printf ("the same to the last bit, %" G_GSIZE_FORMAT " rows, %u events%s", n,
                            self->events->len, self->complete ? "" : ", where it ends early");
  else if (self->difference->len > 0)
    text = g_strdup_printf ("not the same: %s", self->difference->str);
  else
    text = g_strdup_printf ("not the same: it has %" G_GSIZE_FORMAT
                            " rows, %u events, where the run has %" G_GSIZE_FORMAT
                            ", %" G_GSIZE_FORMAT,
                            n, self->events->len, self->row, self->event);
  return ifbam_rerun_note (self->path, manifest, text) && same ? IFBAM_EXIT_DONE
                                                               : IFBAM_EXIT_FAILED;
}

static int
rerun_manifest (Comparison *comparison, IfbamManifest *manifest)
{
  g_autoptr (GError) error = NULL;
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamRunTask run = { .row = compare_row,
                       .event = compare_event,
                       .data = comparison,
                       .expects_growth = ifbam_growth_is_expected };

  if (!parse_options (manifest, &options, &run.event_rows, &run.unlocated, &error)
      || (network = load_network (comparison->path, manifest, &options, &error)) == NULL)
    return ifbam_command_fail (error);
  ifbam_command_choose_engine (&options, model, &spec, &run);
  run.allow_divergence = options.allow_divergence;
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL || !check_signals (comparison, signals, &error))
    return ifbam_command_fail (error);
  /* A run that ended early ends so again; a run with a difference was ended. */
  if (!ifbam_command_collect (&run, model, signals, &spec, &error) && comparison->complete
      && comparison->difference->len == 0)
    return ifbam_command_fail (error);
  return tell (comparison, manifest);
}

static int
rerun (const char *path)
{
  g_autoptr (GError) error = NULL;
  gboolean complete = FALSE;
  g_autoptr (IfbamManifest) manifest = ifbam_result_read_manifest (path, &complete, &error);
  g_autoptr (IfbamCourse) course =
      manifest == NULL ? NULL : ifbam_result_read_course (path, &error);
  g_autoptr (GArray) events = course == NULL ? NULL : ifbam_result_read_events (path, &error);
  g_autoptr (GString) difference = g_string_new (NULL);
  g_autoptr (GPtrArray) columns = course == NULL ? NULL : list_columns (course);
  Comparison comparison = { path, complete, course, columns, events, .difference = difference };

  if (events != NULL && (manifest->network == NULL || manifest->options == NULL))
    g_set_error (&error, IFBAM_ERROR, IFBAM_ERROR_COURSE,
                 "%s: lacks the network and options that produced it", path);
  return error != NULL ? ifbam_command_fail (error) : rerun_manifest (&comparison, manifest);
}

static int
command_rerun (const IfbamCommand *command, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = ifbam_command_context (command, NULL);
  g_autofree char *format = NULL;
  int exit_code;

  if (!ifbam_command_parse (command, context, NULL, &argc, &argv, &exit_code))
    return exit_code;
  format = ifbam_hdf5_format (argv[1]);
  return g_strcmp0 (format, IFBAM_SWEEP_FORMAT) == 0 ? ifbam_command_rerun_sweep (argv[1])
                                                     : rerun (argv[1]);
}

const IfbamCommand ifbam_command_rerun = {
  "rerun",
  "RESULT.h5",
  "repeat a result from its own network and options, and compare bit for bit",
  "  ifbam run networks/collision.ini -o result.h5\n"
  "  ifbam rerun result.h5\n",
  command_rerun,
  NULL,
};

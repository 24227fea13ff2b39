/* command-orbit.c: ifbam orbit: periodic motions, their stability, and their branch over a number
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "base/fail.h"
#include "figure/figure.h"
#include "program/command.h"
#include "orbit/orbit.h"

#define SETTLING   30
#define MAX_POINTS 1000

typedef struct
{
  char *over, *source, *output;
  char **signals;
  gboolean free, json;
  int periods, settling, points;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->over);
  g_free (options->source);
  g_free (options->output);
  g_strfreev (options->signals);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static const IfbamOrbit *
orbit_at (const IfbamBranch *branch, guint i)
{
  return branch->orbits->pdata[i];
}

static double
largest_of (const IfbamOrbit *orbit)
{
  return orbit->n_multipliers > 0 ? cabs (orbit->multiplier[0]) : 0;
}

/* Text and JSON */

static void
add_details (IfbamAnswer *answer, const IfbamBranch *branch, const IfbamOrbit *orbit)
{
  ifbam_answer_begin_record (answer, "amplitude");
  for (guint s = 0; s < branch->units->len; s++)
    ifbam_answer_add_data (answer, branch->signals->pdata[s], "%g", orbit->amplitude[s]);
  ifbam_answer_end (answer);
  ifbam_answer_begin_list (answer, "multipliers");
  for (guint i = 0; i < orbit->n_multipliers; i++)
    {
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "real,imaginary", "%g%g", creal (orbit->multiplier[i]) + 0.0,
                             cimag (orbit->multiplier[i]) + 0.0);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  ifbam_answer_begin_record (answer, "state");
  for (guint i = 0; i < branch->states->len; i++)
    ifbam_answer_add_data (answer, branch->states->pdata[i], "%g", orbit->state[i] + 0.0);
  ifbam_answer_end (answer);
  ifbam_answer_begin_list (answer, "events");
  for (guint i = 0; i < orbit->events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (orbit->events, IfbamEvent, i);

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "time,element,event,rate_before", "%g%s%s%g", event->time,
                             event->element, event->word, event->rate_before + 0.0);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

static void
add_point (IfbamAnswer *answer, const IfbamBranch *branch, guint index)
{
  const IfbamOrbit *orbit = orbit_at (branch, index);
  const char *kind = ifbam_orbit_kind_name (orbit->kind);
  const gboolean is_critical =
      orbit->kind != IFBAM_ORBIT_REGULAR && orbit->kind != IFBAM_ORBIT_EVENTS;
  const char *stability = is_critical ? "critical" : orbit->stable ? "stable" : "unstable";

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "point", "  %5u", index + 1);
  if (branch->name != NULL)
    ifbam_answer_add (answer, "number", "  %16.10g", orbit->number);
  ifbam_answer_add (answer, "period", "  %14.10g", orbit->period);
  for (guint s = 0; s < branch->units->len; s++)
    ifbam_answer_add_note (answer, "  %18.8g", orbit->amplitude[s]);
  ifbam_answer_add (answer, "largest_multiplier", "  %13.8g", largest_of (orbit));
  ifbam_answer_add_note (answer, "  %s%*s%s%s%s\n", stability,
                         *kind == '\0' ? 0 : 10 - (int) strlen (stability), "", kind,
                         orbit->note != NULL ? ": " : "", orbit->note != NULL ? orbit->note : "");
  ifbam_answer_add_data (answer, "stable,kind,note", "%i%s%s", orbit->stable, kind,
                         orbit->note != NULL ? orbit->note : "");
  add_details (answer, branch, orbit);
  ifbam_answer_end (answer);
}

static int
print (const IfbamLoaded *loaded, const IfbamBranch *branch, gboolean json)
{
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);

  ifbam_answer_add_title (answer, loaded->title);
  ifbam_answer_add_note (answer, "  %5s", "point");
  if (branch->name != NULL)
    {
      g_autofree char *title = *branch->unit == '\0'
                                   ? g_strdup (branch->name)
                                   : g_strdup_printf ("%s [%s]", branch->name, branch->unit);

      ifbam_answer_add_note (answer, "  %16s", title);
      ifbam_answer_add_data (answer, "parameter,unit", "%s%s", branch->name, branch->unit);
    }
  ifbam_answer_add_note (answer, "  %14s", "period [s]");
  for (guint s = 0; s < branch->units->len; s++)
    {
      g_autofree char *title = g_strdup_printf ("%s [%s]", (const char *) branch->signals->pdata[s],
                                                (const char *) branch->units->pdata[s]);

      ifbam_answer_add_note (answer, "  %18s", title);
    }
  ifbam_answer_add_note (answer, "  %13s\n", "multiplier");
  ifbam_answer_begin_list (answer, "points");
  for (guint i = 0; i < branch->orbits->len; i++)
    add_point (answer, branch, i);
  ifbam_answer_end (answer);
  if (!isnan (branch->grazing))
    ifbam_answer_add_data (answer, "grazing", "%g", branch->grazing);
  if (branch->end != NULL)
    ifbam_answer_add (answer, "end", "\n  The branch ends: %s\n", branch->end);
  return ifbam_answer_finish (answer);
}

/* CSV */

/* Writes all points as rows; kind: 0 regular, else the number of the kind. */
static int
write_table (const IfbamBranch *branch, const char *path)
{
  IfbamAnswer *answer = ifbam_answer_new (IFBAM_ANSWER_CSV, path);
  const guint n = branch->orbits->len, n_signals = branch->units->len;
  const guint n_columns = 4 + n_signals + branch->states->len;
  g_autofree double *columns = g_new (double, (gsize) n_columns *n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamOrbit *orbit = orbit_at (branch, i);
      const double head[] = { orbit->number, orbit->period, largest_of (orbit), orbit->kind };

      for (guint k = 0; k < n_columns; k++)
        columns[(gsize) k * n + i] = k < 4               ? head[k]
                                     : k < 4 + n_signals ? orbit->amplitude[k - 4]
                                                         : orbit->state[k - 4 - n_signals];
    }
  for (guint k = branch->name == NULL; k < n_columns; k++)
    {
      const char *const heads[] = { branch->name, "period", "multiplier", "kind" };
      g_autofree char *key =
          k < 4 ? g_strdup (heads[k])
          : k < 4 + n_signals
              ? g_strdup_printf ("%s.amplitude", (const char *) branch->signals->pdata[k - 4])
              : g_strdup_printf ("start.%s",
                                 (const char *) branch->states->pdata[k - 4 - n_signals]);

      ifbam_answer_add_column (answer, NULL, key, columns + (gsize) k * n, n);
    }
  return ifbam_answer_finish (answer);
}

/* Command */

static IfbamBranch *
find_branch (const char *path, const Options *options, const IfbamNetworkOptions *network_options,
             GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, error);
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL ? NULL : ifbam_network_bytes_new (path, error);
  g_autofree char *signals = options->signals == NULL ? NULL : g_strjoinv (",", options->signals);
  IfbamProgress progress;
  const IfbamOrbitRequest request = { .bytes = bytes,
                                      .settings = (const char *const *) settings,
                                      .over = options->over,
                                      .source = options->source,
                                      .free = options->free,
                                      .periods = (guint) options->periods,
                                      .settling = (guint) options->settling,
                                      .signals = signals,
                                      .max_points = (guint) options->points,
                                      .progress = ifbam_progress_update,
                                      .data = &progress };
  IfbamBranch *branch;

  if (bytes == NULL)
    return NULL;
  ifbam_progress_begin_to_keep (&progress);
  branch = ifbam_branch_new (&request, error);
  ifbam_progress_end (&progress);
  return branch;
}

/* Returns the fault of the options; NULL: none. */
static const char *
find_fault (const Options *options)
{
  if (options->free && options->source != NULL)
    return "--free searches a motion without a source: want --free or --source";
  if (options->periods < 1 || options->periods > 1000)
    return "--periods: want 1 to 1000";
  if (options->settling < 0 || options->settling > 1000000)
    return "--settle: want 0 to 1000000";
  if (options->points < 1 || options->points > 1000000)
    return "--points: want 1 to 1000000";
  if (!ifbam_command_names_result (options->output))
    return "-o: want a name that ends in .csv, .svg, .png or .pdf";
  return options->output != NULL && options->over == NULL
                 && !g_str_has_suffix (options->output, ".csv")
             ? "-o: a picture needs a branch (want --over, or a name that ends in .csv)"
             : NULL;
}

/* Draws the branch. */
static int
draw (const IfbamLoaded *loaded, const IfbamBranch *branch, const char *path)
{
  g_autoptr (IfbamChart) chart = ifbam_chart_new (IFBAM_CHART_PHASE);
  g_autoptr (GError) error = NULL;

  chart->title = loaded->title;
  ifbam_branch_chart (chart, branch);
  return ifbam_chart_draw (chart, path, &error) ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

static int
command_orbit (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (Options) options = { .periods = 1, .settling = SETTLING, .points = MAX_POINTS };
  const GOptionEntry entries[] = {
    { "over", 0, 0, G_OPTION_ARG_STRING, &options.over,
      "follow the motion over a parameter or ELEMENT.KEY", "NAME=FROM:TO" },
    { "source", 0, 0, G_OPTION_ARG_STRING, &options.source,
      "element with the sine that sets the period (default: the only one)", "NAME" },
    { "free", 0, 0, G_OPTION_ARG_NONE, &options.free,
      "a motion that repeats without a source; its period is computed", NULL },
    { "periods", 0, 0, G_OPTION_ARG_INT, &options.periods,
      "periods of the source after which the motion repeats (default: 1)", "N" },
    { "settle", 0, 0, G_OPTION_ARG_INT, &options.settling,
      "periods of a run from the file's start before the search (default: 30)", "N" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "signals with their amplitudes (default: those of the file); may be repeated", "S" },
    { "points", 0, 0, G_OPTION_ARG_INT, &options.points,
      "largest number of points of a branch (default: 1000)", "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "table of all points, .csv, or picture .svg, .png, .pdf", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamBranch) branch = NULL;
  int exit_code;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (find_fault (&options) != NULL)
    return ifbam_command_usage (command, "%s", find_fault (&options));
  if (ifbam_command_overwrites (command, options.output, argv[1]))
    return IFBAM_EXIT_USAGE;
  if (!ifbam_load (&loaded, &network_options, argv[1], FALSE, &error))
    return ifbam_command_fail (error);
  branch = find_branch (argv[1], &options, &network_options, &error);
  if (branch == NULL)
    return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
               ? ifbam_loaded_fail (&loaded, error)
               : ifbam_command_fail (error);
  exit_code = options.output == NULL                      ? print (&loaded, branch, options.json)
              : g_str_has_suffix (options.output, ".csv") ? write_table (branch, options.output)
                                                          : draw (&loaded, branch, options.output);
  if (!branch->interrupted || exit_code != IFBAM_EXIT_DONE)
    return exit_code;
  ifbam_fail (&error, IFBAM_ERROR_INTERRUPTED, "interrupted: the branch up to there is written");
  return ifbam_command_fail (error);
}

const IfbamCommand ifbam_command_orbit = {
  "orbit",
  "NETWORK",
  "compute periodic motions, their stability, and where they appear, double or vanish",
  "  ifbam orbit networks/duffing.ini\n"
  "  ifbam orbit networks/duffing.ini --over push.frequency=4Hz:1.4Hz --signal m1.position\n"
  "  ifbam orbit networks/impact-oscillator.ini --over shaker.amplitude=20mm:5mm -o branch.csv\n"
  "  ifbam orbit networks/van-der-pol.ini --free\n",
  command_orbit,
  "scheme step duration set",
};

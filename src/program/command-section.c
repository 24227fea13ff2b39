/* command-section.c: ifbam section: signals once a period or at events, over a number
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "base/fail.h"
#include "figure/figure.h"
#include "orbit/orbit.h"
#include "program/command.h"

#define SETTLING 200
#define LAST     50
#define POINTS   101

typedef struct
{
  char *over, *source, *at, *carry, *part, *output;
  char **signals;
  gboolean exponents;
  int settling, last, points;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->over);
  g_free (options->source);
  g_free (options->at);
  g_free (options->carry);
  g_free (options->part);
  g_free (options->output);
  g_strfreev (options->signals);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* Writes a row for each point; `carry`: 1 upward, 2 downward, 0 neither. */
static int
write_table (const IfbamSections *sections, const char *path)
{
  IfbamAnswer *answer = ifbam_answer_new (IFBAM_ANSWER_CSV, path);
  const guint n_signals = sections->units->len, n_exponents = sections->n_exponents;
  const guint n_columns = 3 + n_signals + n_exponents;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree double *columns = NULL;
  const double nothing = NAN;
  gsize n;

  for (guint r = 0; r < sections->runs->len; r++)
    {
      const IfbamSectionRun *run = &g_array_index (sections->runs, IfbamSectionRun, r);

      for (guint i = 0; i < run->values->len / n_signals; i++)
        {
          const double head[] = { run->number, run->carry, i + 1 };

          g_array_append_vals (rows, head, 3);
          g_array_append_vals (rows, &g_array_index (run->values, double, i *n_signals), n_signals);
          if (run->exponent != NULL)
            g_array_append_vals (rows, run->exponent, n_exponents);
          for (guint e = 0; run->exponent == NULL && e < n_exponents; e++)
            g_array_append_val (rows, nothing);
        }
    }
  n = rows->len / n_columns;
  columns = g_new (double, n *n_columns + 1);
  for (guint c = 0; c < n_columns; c++)
    for (gsize i = 0; i < n; i++)
      columns[c * n + i] = g_array_index (rows, double, i *n_columns + c);
  for (guint c = sections->name == NULL; c < n_columns; c++)
    {
      const char *const heads[] = { sections->name, "carry", "point" };
      g_autofree char *key = c < 3 ? g_strdup (heads[c])
                             : c < 3 + n_signals
                                 ? g_strdup (sections->signals->pdata[c - 3])
                                 : g_strdup_printf ("exponent%u", c - 2 - n_signals);

      ifbam_answer_add_column (answer, NULL, key, columns + c * n, n);
    }
  return ifbam_answer_finish (answer);
}

/* Prints a warning of runs that ended early. FALSE with an error: all did. */
static gboolean
check_runs (const IfbamSections *sections, GError **error)
{
  const IfbamSectionRun *first = NULL;
  g_autofree char *place = NULL;
  guint n = 0;

  for (guint r = 0; r < sections->runs->len; r++)
    {
      const IfbamSectionRun *run = &g_array_index (sections->runs, IfbamSectionRun, r);

      n += run->failure != NULL;
      if (first == NULL && run->failure != NULL)
        first = run;
    }
  if (first == NULL)
    return TRUE;
  place = isnan (first->number) ? g_strdup ("")
                                : g_strdup_printf (", at %.6g %s", first->number, sections->unit);
  if (n == sections->runs->len)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "no motion was found%s: %s", place,
                       first->failure);
  g_printerr ("ifbam: warning: %u of %u runs ended early, the first%s: %s\n", n,
              sections->runs->len, place, first->failure);
  return TRUE;
}

/* Returns the fault of the options (static); NULL: none. Reads --carry and --part. */
static const char *
read_options (const Options *options, IfbamSectionRequest *request)
{
  static const char *const words[] = { "", "up", "down", "both" };

  for (guint i = 1; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (options->carry, words[i]) == 0)
      request->carry = (IfbamCarry) i;
  if (options->carry != NULL && request->carry == IFBAM_CARRY_NONE)
    return "--carry: want up, down or both";
  if (options->carry != NULL && options->over == NULL)
    return "--carry: want a number to follow, by --over";
  if (!ifbam_command_names_result (options->output))
    return "-o: want a name that ends in .csv, .svg, .png or .pdf";
  if (options->settling < 0 || options->settling > 1000000)
    return "--settle: want 0 to 1000000";
  if (options->last < 1 || options->last > 1000000)
    return "--last: want 1 to 1000000";
  if (options->points < 2 || options->points > 1000000)
    return "--points: want 2 to 1000000";
  if (!ifbam_command_read_part (options->part, &request->part, &request->n_parts)
      || request->n_parts > 1000000)
    return "--part: want I/N, part I of N, such as 1/4";
  return options->carry != NULL && options->part != NULL
             ? "--part: parts have no motion to carry on from (want --carry or --part)"
             : NULL;
}

static int
find_sections (const IfbamCommand *command, const char *path, const Options *options,
               const IfbamNetworkOptions *network_options)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, &error);
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL ? NULL : ifbam_network_bytes_new (path, &error);
  g_autofree char *signals = options->signals == NULL ? NULL : g_strjoinv (",", options->signals);
  IfbamProgress progress;
  IfbamSectionRequest request = { .orbit = { .bytes = bytes,
                                             .settings = (const char *const *) settings,
                                             .over = options->over,
                                             .source = options->source,
                                             .periods = 1,
                                             .settling = (guint) options->settling,
                                             .signals = signals,
                                             .progress = ifbam_progress_update,
                                             .data = &progress },
                                  .points = (guint) options->points,
                                  .last = (guint) options->last,
                                  .at = options->at,
                                  .exponents = options->exponents,
                                  .threads = (guint) network_options->threads };
  const char *fault = read_options (options, &request);
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamSections) sections = NULL;
  g_autoptr (IfbamChart) chart = NULL;

  if (fault != NULL)
    return ifbam_command_usage (command, "%s", fault);
  if (bytes == NULL || !ifbam_load (&loaded, network_options, path, FALSE, &error))
    return ifbam_command_fail (error);
  ifbam_progress_begin (&progress);
  sections = ifbam_sections_new (&request, &error);
  ifbam_progress_end (&progress);
  if (sections == NULL || !check_runs (sections, &error))
    return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
               ? ifbam_loaded_fail (&loaded, error)
               : ifbam_command_fail (error);
  if (options->output == NULL || g_str_has_suffix (options->output, ".csv"))
    return write_table (sections, options->output);
  chart = ifbam_chart_new (IFBAM_CHART_PHASE);
  chart->title = loaded.title;
  ifbam_sections_chart (chart, sections);
  return ifbam_chart_draw (chart, options->output, &error) ? IFBAM_EXIT_DONE
                                                           : ifbam_command_fail (error);
}

static int
command_section (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (Options) options = { .settling = SETTLING, .last = LAST, .points = POINTS };
  const GOptionEntry entries[] = {
    { "over", 0, 0, G_OPTION_ARG_STRING, &options.over,
      "a parameter or ELEMENT.KEY (default: one section, of the file)", "NAME=FROM:TO" },
    { "points", 0, 0, G_OPTION_ARG_INT, &options.points, "values of this number (default: 101)",
      "N" },
    { "source", 0, 0, G_OPTION_ARG_STRING, &options.source,
      "element with the sine that sets the period (default: the only one)", "NAME" },
    { "at", 0, 0, G_OPTION_ARG_STRING, &options.at,
      "rows just after these events, not once a period", "ELEMENT.EVENT" },
    { "settle", 0, 0, G_OPTION_ARG_INT, &options.settling,
      "periods before the section (default: 200)", "N" },
    { "last", 0, 0, G_OPTION_ARG_INT, &options.last, "periods of the section (default: 50)", "N" },
    { "carry", 0, 0, G_OPTION_ARG_STRING, &options.carry,
      "begin with the end of the motion before: up, down or both (default: the file's start)",
      "WAY" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "signals (default: those of the file); may be repeated", "S" },
    { "exponents", 0, 0, G_OPTION_ARG_NONE, &options.exponents,
      "Lyapunov exponents along the section [1/s]", NULL },
    { "part", 0, 0, G_OPTION_ARG_STRING, &options.part, "part I of N of the values", "I/N" },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "table .csv, or picture .svg, .png or .pdf (default: a table on standard output)", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  int exit_code;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (ifbam_command_overwrites (command, options.output, argv[1]))
    return IFBAM_EXIT_USAGE;
  return find_sections (command, argv[1], &options, &network_options);
}

const IfbamCommand ifbam_command_section = {
  "section",
  "NETWORK",
  "compute signals once a period or at events, over a number: a bifurcation diagram",
  "  ifbam section networks/impact-oscillator.ini --over shaker.frequency=1.6Hz:2.6Hz --signal "
  "m1.position -o section.svg\n"
  "  ifbam section networks/duffing.ini --over push.frequency=5Hz:9Hz --carry both -o section.csv\n"
  "  ifbam section networks/impact-oscillator.ini --at stop.impact --last 20\n",
  command_section,
  "scheme step set threads",
};

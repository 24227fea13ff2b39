/* command-campbell.c: ifbam campbell: eigenfrequencies, orders and amplitudes over a speed
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/command.h"
#include "figure/figure.h"
#include "sweep/sweep.h"

#define N_MODES 10

typedef struct
{
  char *speed, *order, *operating, *margin, *count, *output;
  char **signals;
  gboolean json;
  GArray *orders; /* double */
  guint n_modes;
  double from, to, relative; /* operating range [Hz], margin */
} Options;

static void
options_clear (Options *options)
{
  g_free (options->speed);
  g_free (options->order);
  g_free (options->operating);
  g_free (options->margin);
  g_free (options->count);
  g_free (options->output);
  g_strfreev (options->signals);
  g_clear_pointer (&options->orders, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* Reads an operating speed or range; NaN: the file's speed. */
static gboolean
read_operating (Options *options, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (options->operating != NULL ? options->operating : "", ":", -1);
  const guint n = g_strv_length (ends);
  g_autofree char *reason = NULL;

  options->from = options->to = NAN;
  if (options->operating == NULL)
    return TRUE;
  if (n < 1 || n > 2)
    reason = g_strdup ("want a speed or FROM:TO");
  else if (ifbam_speed_turns (ends[0], &options->from, &reason)
           && ifbam_speed_turns (ends[n - 1], &options->to, &reason) && options->from > options->to)
    reason = g_strdup ("want the lower speed first");
  return reason == NULL || ifbam_command_refuse (error, "--operating", options->operating, reason);
}

static gboolean
read_margin (Options *options, GError **error)
{
  g_autofree char *reason = NULL;

  options->relative = NAN;
  if (options->margin == NULL)
    return options->operating == NULL
           || ifbam_command_refuse (error, "--operating", options->operating,
                                    "is for --margin, such as --margin 10%");
  if (!ifbam_units_parse (options->margin, "", "margin", "10%", &options->relative, &reason))
    return ifbam_command_refuse (error, "--margin", options->margin, reason);
  return options->relative >= 0
         || ifbam_command_refuse (error, "--margin", options->margin, "must not be negative");
}

/* Answer */

static void
add_modes (IfbamAnswer *answer, const IfbamCampbell *campbell)
{
  static const char *const directions[] = { "backward", "", "forward" };
  const gsize n = campbell->n;

  ifbam_answer_add_note (answer, "  %5s  %16s  %16s  %14s  %14s\n", "mode", "first [Hz]",
                         "last [Hz]", "damping ratio", "last");
  ifbam_answer_begin_list (answer, "modes");
  for (guint m = 0; m < campbell->n_modes; m++)
    {
      const double *frequency = campbell->frequency + m * n,
                   *ratio = campbell->damping_ratio + m * n;
      g_autofree char *name = g_strdup_printf ("mode%u", m + 1);
      const char *whirl = directions[campbell->whirl[m * n + n - 1] + 1];

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_note (answer, "  %5u  %16.8g  %16.8g  %14.6g  %14.6g%s%s\n", m + 1,
                             frequency[0], frequency[n - 1], ratio[0] + 0.0, ratio[n - 1] + 0.0,
                             *whirl != '\0' ? "  " : "", whirl);
      ifbam_answer_add_data (answer, "whirl", "%s", whirl);
      ifbam_answer_add_column (answer, name, "frequency", frequency, n);
      ifbam_answer_add_column (answer, name, "damping_ratio", ratio, n);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

/* Returns the distance of a speed from the operating range, relative to the nearer end. */
static double
distance_of (const Options *options, double turns, double nominal)
{
  const double from = isnan (options->from) ? nominal : options->from;
  const double to = isnan (options->to) ? nominal : options->to;

  return turns < from ? (from - turns) / fabs (from) : turns > to ? (turns - to) / fabs (to) : 0;
}

static void
add_crossing (IfbamAnswer *answer, const IfbamCampbell *campbell, const IfbamCrossing *crossing,
              const Options *options)
{
  const IfbamOrder *order = &g_array_index (campbell->orders, IfbamOrder, crossing->order);
  const double distance =
      distance_of (options, crossing->speed * campbell->turns, campbell->nominal * campbell->turns);
  const gboolean near = distance <= options->relative;

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "order,source,mode,speed,frequency,damping_ratio",
                    "  %8.6g  %-12s  %4u  %14.8g  %14.8g  %14.6g", order->order,
                    order->source != NULL ? order->source : "", crossing->mode + 1, crossing->speed,
                    crossing->frequency, crossing->damping_ratio + 0.0);
  if (!isnan (options->relative))
    {
      ifbam_answer_add_data (answer, "distance,near", "%g%i", distance, near);
      if (near)
        ifbam_answer_add_note (answer, "  %.1f %% from the operating range", 100 * distance);
    }
  ifbam_answer_add_note (answer, "\n");
  ifbam_answer_end (answer);
}

static void
add_crossings (IfbamAnswer *answer, const IfbamCampbell *campbell, const Options *options)
{
  g_autofree char *speed = g_strdup_printf ("speed [%s]", campbell->unit);

  if (campbell->crossings->len > 0)
    ifbam_answer_add_note (answer, "\n  %8s  %-12s  %4s  %14s  %14s  %14s\n", "order", "source",
                           "mode", speed, "frequency [Hz]", "damping ratio");
  else if (campbell->orders->len > 0)
    ifbam_answer_add_note (answer, "\n  no order meets a mode\n");
  ifbam_answer_begin_list (answer, "crossings");
  for (guint k = 0; k < campbell->crossings->len; k++)
    add_crossing (answer, campbell, &g_array_index (campbell->crossings, IfbamCrossing, k),
                  options);
  ifbam_answer_end (answer);
}

static void
add_signals (IfbamAnswer *answer, const IfbamCampbell *campbell)
{
  g_autofree char *at = g_strdup_printf ("at [%s]", campbell->unit);

  if (campbell->n_signals > 0)
    ifbam_answer_add_note (answer, "\n  %-24s  %20s  %14s\n", "signal", "largest amplitude", at);
  ifbam_answer_begin_list (answer, "signals");
  for (guint s = 0; s < campbell->n_signals; s++)
    {
      const char *unit = campbell->units->pdata[s];
      g_autofree char *largest = g_strdup_printf ("%.6g %s", campbell->peaks[s].amplitude, unit);

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "signal,unit,largest,speed", "%s%s%g%g",
                             (const char *) campbell->signals->pdata[s], unit,
                             campbell->peaks[s].amplitude, campbell->peaks[s].speed);
      ifbam_answer_add_note (answer, "  %-24s  %20s  %14.8g\n",
                             (const char *) campbell->signals->pdata[s], largest,
                             campbell->peaks[s].speed);
      ifbam_answer_add_column (answer, campbell->signals->pdata[s], "amplitude",
                               campbell->amplitude + s * campbell->n, campbell->n);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

static int
write_answer (const IfbamLoaded *loaded, const IfbamCampbell *campbell, const Options *options,
              IfbamAnswerFormat format, const char *path)
{
  IfbamAnswer *answer = ifbam_answer_new (format, path);
  g_autofree char *key = format == IFBAM_ANSWER_CSV
                             ? g_strdup_printf ("%s [%s]", campbell->name, campbell->unit)
                             : g_strdup ("speed");

  ifbam_answer_add_title (answer, loaded->title);
  ifbam_answer_add_note (answer, "  %s from %g to %g %s\n", campbell->name, campbell->speed[0],
                         campbell->speed[campbell->n - 1], campbell->unit);
  ifbam_answer_add_data (answer, "parameter,unit", "%s%s", campbell->name, campbell->unit);
  ifbam_answer_add_column (answer, NULL, key, campbell->speed, campbell->n);
  add_modes (answer, campbell);
  add_crossings (answer, campbell, options);
  add_signals (answer, campbell);
  return ifbam_answer_finish (answer);
}

/* Writes the answer, and a picture or table to the file. */
static int
write_results (const IfbamLoaded *loaded, const IfbamCampbell *campbell, const Options *options)
{
  g_autoptr (IfbamChart) chart = NULL;
  g_autoptr (GError) error = NULL;
  const IfbamAnswerFormat format = options->json;

  if (options->output == NULL)
    return write_answer (loaded, campbell, options, format, NULL);
  if (ifbam_command_is_course (options->output))
    return write_answer (loaded, campbell, options, IFBAM_ANSWER_CSV, options->output);
  chart = ifbam_chart_new (IFBAM_CHART_SWEEP);
  chart->title = loaded->title;
  ifbam_campbell_chart (chart, campbell);
  return ifbam_chart_draw (chart, options->output, &error) ? IFBAM_EXIT_DONE
                                                           : ifbam_command_fail (error);
}

static void
print_notes (const IfbamCampbell *campbell)
{
  for (guint i = 0; i < campbell->unrelated->len; i++)
    g_printerr ("ifbam: note: the frequency of \"%s\" follows the speed, but not in proportion: it "
                "has no order\n",
                (const char *) campbell->unrelated->pdata[i]);
  ifbam_command_note_nonlinear (g_strdupv (campbell->nonlinear), "the modes are those");
  if (campbell->held)
    ifbam_command_note_held ("the modes are those");
}

static IfbamCampbell *
find_campbell (const char *path, const Options *options, const IfbamNetworkOptions *network_options,
               GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, error);
  g_autoptr (IfbamNetworkBytes) bytes =
      settings == NULL ? NULL : ifbam_network_bytes_new (path, error);
  IfbamProgress progress;
  IfbamCampbellRequest request = { .bytes = bytes,
                                   .settings = (const char *const *) settings,
                                   .speed = options->speed,
                                   .orders = (const double *) (gpointer) options->orders->data,
                                   .n_orders = options->orders->len,
                                   .signals = (const char *const *) options->signals,
                                   .count = options->n_modes,
                                   .progress = ifbam_progress_update,
                                   .data = &progress };
  IfbamCampbell *campbell;

  if (bytes == NULL)
    return NULL;
  ifbam_progress_begin (&progress);
  campbell = ifbam_campbell_new (&request, error);
  ifbam_progress_end (&progress);
  return campbell;
}

static int
command_campbell (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (Options) options = { .n_modes = N_MODES };
  const GOptionEntry entries[] = {
    { "speed", 0, 0, G_OPTION_ARG_STRING, &options.speed,
      "speed: a parameter or ELEMENT.KEY, its range and number of values (default 101)",
      "NAME=FROM:TO[:N]" },
    { "order", 0, 0, G_OPTION_ARG_STRING, &options.order,
      "orders besides those of the sources, such as 0.5,1,2", "LIST" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "signals: compute their steady amplitude under all sources; may be repeated", "S" },
    { "margin", 0, 0, G_OPTION_ARG_STRING, &options.margin,
      "mark crossings within this distance of the operating range, such as 10%", "PART" },
    { "operating", 0, 0, G_OPTION_ARG_STRING, &options.operating,
      "operating speed or range, such as 90rpm:110rpm (default: the speed in the file)",
      "FROM[:TO]" },
    { "count", 0, 0, G_OPTION_ARG_STRING, &options.count, "number of modes (default: 10)", "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "diagram .svg, .png or .pdf, or table .csv", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamCampbell) campbell = NULL;
  int exit_code;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (options.speed == NULL)
    return ifbam_command_usage (command, "want --speed, such as --speed speed=0rpm:3000rpm");
  if (!ifbam_command_read_count (command, options.count, &options.n_modes))
    return IFBAM_EXIT_USAGE;
  if (options.n_modes == 0)
    options.n_modes = G_MAXUINT;
  options.orders = ifbam_command_read_orders (options.order != NULL ? options.order : "", &error);
  if (options.orders == NULL || !read_margin (&options, &error)
      || !read_operating (&options, &error))
    return ifbam_command_usage (command, "%s", error->message);
  if (ifbam_command_overwrites (command, options.output, argv[1]))
    return IFBAM_EXIT_USAGE;
  if (!ifbam_load (&loaded, &network_options, argv[1], FALSE, &error))
    return ifbam_command_fail (error);
  campbell = find_campbell (argv[1], &options, &network_options, &error);
  if (campbell == NULL)
    return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
               ? ifbam_loaded_fail (&loaded, error)
               : ifbam_command_fail (error);
  print_notes (campbell);
  return write_results (&loaded, campbell, &options);
}

const IfbamCommand ifbam_command_campbell = {
  "campbell",
  "NETWORK",
  "compute eigenfrequencies over a speed, and where orders of the speed excite them",
  "  ifbam campbell networks/turbine.ini --speed speed=20rpm:60rpm\n"
  "  ifbam campbell networks/turbine.ini --speed speed=20rpm:60rpm --signal propeller-shaft.torque "
  "-o campbell.svg\n"
  "  ifbam campbell networks/turbine.ini --speed speed=20rpm:60rpm --order 10 --margin 20%\n",
  command_campbell,
  "start set",
};

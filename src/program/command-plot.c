/* command-plot.c: ifbam plot: figures of courses, spectra, phase portraits, modes, responses and sweeps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "program/command-response.h"
#include "program/command-transform.h"
#include "base/ifbam-error.h"
#include "spectrum/ifbam-spectrum.h"
#include "figure/modes-figure.h"
#include "modes/modes.h"
#include "figure/plot.h"
#include "figure/response-figure.h"
#include "model/settings.h"
#include "run/signals.h"
#include "figure/spectrogram-figure.h"
#include "figure/stability-chart.h"
#include "figure/sweep-figure.h"

/* A figure of modes has so many. */
#define SOME_MODES 4

#define MOST_MAPS 6 /* spectrograms in one picture */

typedef struct
{
  IfbamPlotKind kind;
  char *output, *title, *x_range, *y_range;
  char **signals;
  char **outputs; /* of a response; of all else one, a file */
  IfbamTransformOptions transform;
  IfbamResponseOptions response;
  gboolean log;
  gboolean recorded; /* signals are what a network records; they may be patterns and ranges, too */
} PlotOptions;

static void
plot_options_clear (PlotOptions *options)
{
  g_free (options->output);
  g_free (options->title);
  g_free (options->x_range);
  g_free (options->y_range);
  g_strfreev (options->signals);
  g_strfreev (options->outputs);
  ifbam_transform_options_clear (&options->transform);
  ifbam_response_options_clear (&options->response);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlotOptions, plot_options_clear)

/* What the curves of a figure point to. */
typedef struct
{
  GPtrArray *courses; /* IfbamCourse */
  GPtrArray *spectra; /* IfbamSpectrum */
  GPtrArray *labels;  /* char* */
  GPtrArray *marks;   /* double* */
  GArray *series;     /* IfbamPlotSeries */
} Figure;

static void
figure_clear (Figure *figure)
{
  g_ptr_array_unref (figure->courses);
  g_ptr_array_unref (figure->spectra);
  g_ptr_array_unref (figure->labels);
  g_ptr_array_unref (figure->marks);
  g_array_unref (figure->series);
}

static const char *
keep_label (Figure *figure, const char *file, const char *signal, gboolean several_files)
{
  char *label = several_files ? g_strdup_printf ("%s: %s", file, signal) : g_strdup (signal);

  g_ptr_array_add (figure->labels, label);
  return label;
}

static gboolean
add_course (Figure *figure, IfbamCourse *course, const char *signal, const char *label,
            GError **error)
{
  IfbamPlotSeries series = { .label = label, .kin = signal, .x_quantity = "time", .x_unit = "s" };
  gsize n;

  series.y = ifbam_course_get_values (course, signal, &series.n, error);
  series.x = ifbam_course_get_times (course, &n);
  ifbam_plot_quantity (course, signal, &series.y_quantity, &series.y_unit);
  g_array_append_val (figure->series, series);
  return series.y != NULL;
}

static gboolean
add_spectrum (Figure *figure, const IfbamTransformOptions *transform, IfbamCourse *course,
              const char *signal, const char *label, GError **error)
{
  IfbamPlotSeries series = { .label = label,
                             .kin = signal,
                             .x_quantity = "frequency",
                             .x_unit = "Hz",
                             .y_quantity = "amplitude" };
  const char *quantity;
  gsize n;
  const double *values = ifbam_course_get_values (course, signal, &n, error);
  IfbamSpectrum *spectrum =
      values == NULL
          ? NULL
          : ifbam_transform (transform, ifbam_course_get_times (course, &n), values, n, error);
  g_autofree IfbamPeak *peaks = NULL;
  double *marks;

  if (spectrum == NULL)
    return FALSE;
  g_ptr_array_add (figure->spectra, spectrum);
  series.x = ifbam_spectrum_get_frequencies (spectrum, &series.n);
  series.y = ifbam_spectrum_get_amplitudes (spectrum, &series.n);
  ifbam_plot_quantity (course, signal, &quantity, &series.y_unit);
  peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &series.n_marks);
  marks = g_new (double, 2 * series.n_marks + 1);
  g_ptr_array_add (figure->marks, marks);
  for (gsize i = 0; i < series.n_marks; i++)
    {
      marks[i] = peaks[i].frequency;
      marks[series.n_marks + i] = peaks[i].amplitude;
    }
  series.mark_x = marks;
  series.mark_y = marks + series.n_marks;
  g_array_append_val (figure->series, series);
  return TRUE;
}

static gboolean
add_pair (Figure *figure, IfbamCourse *course, const char *x, const char *y, const char *file,
          gboolean several_files, GError **error)
{
  IfbamPlotSeries series = { 0 };
  g_autofree char *pair = g_strdup_printf ("%s over %s", y, x);

  series.x = ifbam_course_get_values (course, x, &series.n, error);
  series.y = series.x == NULL ? NULL : ifbam_course_get_values (course, y, &series.n, error);
  if (series.y == NULL)
    return FALSE;
  series.label = keep_label (figure, file, pair, several_files);
  ifbam_plot_quantity (course, x, &series.x_quantity, &series.x_unit);
  ifbam_plot_quantity (course, y, &series.y_quantity, &series.y_unit);
  g_array_append_val (figure->series, series);
  return TRUE;
}

/* A phase portrait of pairs: those named, or each coordinate that stands beside its own rate. */
static gboolean
add_phase (Figure *figure, const PlotOptions *options, IfbamCourse *course, const char *file,
           gboolean several_files, GError **error)
{
  const char *const *signals = options->signals != NULL ? (const char *const *) options->signals
                                                        : ifbam_course_get_signals (course);
  const guint before = figure->series->len;

  for (guint i = 0; options->signals != NULL && signals[i] != NULL; i += 2)
    if (!add_pair (figure, course, signals[i], signals[i + 1], file, several_files, error))
      return FALSE;
  for (guint i = 0; options->signals == NULL && signals[i] != NULL; i++)
    {
      g_autofree char *rate = ifbam_signal_rate (signals[i]);

      if (rate != NULL && g_strv_contains (signals, rate)
          && !add_pair (figure, course, signals[i], rate, file, several_files, error))
        return FALSE;
    }
  if (figure->series->len > before)
    return TRUE;
  g_set_error (
      error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
      "%s: no coordinate stands beside its own rate there: say which signals to draw, such "
      "as --signal m1.position --signal m1.velocity",
      file);
  return FALSE;
}

static gboolean
add_file (Figure *figure, const PlotOptions *options, IfbamCourse *course, const char *file,
          gboolean several_files, gboolean from_network, GError **error)
{
  const char *const *signals = ifbam_course_get_signals (course);

  if (options->signals != NULL && (!options->recorded || !from_network))
    signals = (const char *const *) options->signals;
  if (options->kind == IFBAM_PLOT_PHASE)
    return add_phase (figure, options, course, file, several_files, error);
  for (guint i = 0; signals[i] != NULL; i++)
    {
      const char *label = keep_label (figure, file, signals[i], several_files);

      if (!(options->kind == IFBAM_PLOT_COURSE
                ? add_course (figure, course, signals[i], label, error)
                : add_spectrum (figure, &options->transform, course, signals[i], label, error)))
        return FALSE;
    }
  return TRUE;
}

/* "FROM:TO", either of which may be empty */
static gboolean
read_range (const char *option, const char *text, IfbamPlotRange *range, GError **error)
{
  double *bounds[2] = { &range->from, &range->to };
  g_auto (GStrv) parts = NULL;

  if (text == NULL)
    return TRUE;
  parts = g_strsplit (text, ":", -1);
  for (guint i = 0; i < 2 && g_strv_length (parts) == 2; i++)
    {
      char *end;

      if (parts[i][0] == '\0')
        continue;
      *bounds[i] = g_ascii_strtod (parts[i], &end);
      if (*end != '\0' || !isfinite (*bounds[i]))
        break;
      if (i == 1 && range->from >= range->to)
        break;
      if (i == 1)
        return TRUE;
    }
  if (g_strv_length (parts) == 2 && parts[1][0] == '\0' && isfinite (range->from))
    return TRUE;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "%s %s: want FROM:TO, such as 0:0.1 (either may be left out)", option, text);
  return FALSE;
}

/* What was asked for, or what the network is called. */
static const char *
title_of (const PlotOptions *options, const IfbamNetwork *network)
{
  return options->title != NULL || network == NULL
             ? options->title
             : ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
}

/* One network names the picture. */
static IfbamCourse *
load_course (const IfbamNetworkOptions *options, char **files, guint i, IfbamOrigin *origin,
             GError **error)
{
  return files[1] == NULL && !ifbam_command_is_course (files[i])
             ? ifbam_command_course_and_origin (options, files[i], NULL, origin, error)
             : ifbam_command_course (options, files[i], error);
}

static gboolean
draw (const PlotOptions *options, const IfbamNetworkOptions *network_options, char **files,
      GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_auto (GStrv) names = ifbam_plot_file_names ((const char *const *) files);
  IfbamPlot plot = { .kind = options->kind,
                     .title = options->title,
                     .x_range = IFBAM_PLOT_ANY,
                     .y_range = IFBAM_PLOT_ANY,
                     .log_y = options->log };
  Figure figure = { g_ptr_array_new_with_free_func (g_object_unref),
                    g_ptr_array_new_with_free_func (g_object_unref),
                    g_ptr_array_new_with_free_func (g_free),
                    g_ptr_array_new_with_free_func (g_free),
                    g_array_new (FALSE, FALSE, sizeof (IfbamPlotSeries)) };
  gboolean fine = read_range ("--x", options->x_range, &plot.x_range, error)
                  && read_range ("--y", options->y_range, &plot.y_range, error);

  for (guint i = 0; fine && files[i] != NULL; i++)
    {
      IfbamCourse *course = load_course (network_options, files, i, &origin, error);

      if (course != NULL && options->kind == IFBAM_PLOT_SPECTRUM)
        course =
            ifbam_transform_course (&options->transform, course, network_options->sample, error);
      fine = course != NULL;
      if (!fine)
        break;
      g_ptr_array_add (figure.courses, course);
      fine = add_file (&figure, options, course, names[i], files[1] != NULL,
                       !ifbam_command_is_course (files[i]), error);
    }
  plot.title = title_of (options, origin.network);
  plot.n_series = figure.series->len;
  plot.series = (const IfbamPlotSeries *) (gpointer) figure.series->data;
  fine = fine && ifbam_plot_draw (&plot, options->output, error);
  figure_clear (&figure);
  return fine;
}

/* The lowest modes of a network, which is not run. */
static gboolean
draw_modes (const PlotOptions *options, const IfbamNetworkOptions *network_options,
            const char *file, GError **error)
{
  IfbamModesFigure figure = { .title = options->title,
                              .x_range = IFBAM_PLOT_ANY,
                              .y_range = IFBAM_PLOT_ANY };
  const IfbamModesRequest request = { .count = SOME_MODES };
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamModes) modes = NULL;

  if (!read_range ("--x", options->x_range, &figure.x_range, error)
      || !read_range ("--y", options->y_range, &figure.y_range, error))
    return FALSE;
  network = ifbam_command_load (network_options, file, error);
  model =
      network == NULL ? NULL : ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  if (model == NULL)
    return FALSE;
  modes = ifbam_modes_new_for_model (model, &spec, &request, error);
  if (modes == NULL)
    {
      g_prefix_error (error, "%s: ", file);
      return FALSE;
    }
  figure.title = title_of (options, network);
  return ifbam_modes_figure_draw (&figure, modes, options->output, error);
}

/* A map for each signal of each file. */
static gboolean
draw_spectrograms (const PlotOptions *options, const IfbamNetworkOptions *network_options,
                   char **files, GError **error)
{
  g_auto (GStrv) names = ifbam_plot_file_names ((const char *const *) files);
  g_autoptr (GPtrArray) courses = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) spectrograms = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) panels = g_array_new (FALSE, FALSE, sizeof (IfbamSpectrogramPanel));
  g_auto (IfbamOrigin) origin = { 0 };
  IfbamSpectrogramFigure figure = { .title = options->title,
                                    .times = IFBAM_PLOT_ANY,
                                    .frequencies = IFBAM_PLOT_ANY,
                                    .log = options->log };

  if (!read_range ("--x", options->x_range, &figure.times, error)
      || !read_range ("--y", options->y_range, &figure.frequencies, error))
    return FALSE;
  for (guint i = 0; files[i] != NULL; i++)
    {
      const gboolean csv = ifbam_command_is_course (files[i]);
      IfbamCourse *course = load_course (network_options, files, i, &origin, error);
      const char *const *signals;

      if (course != NULL)
        course =
            ifbam_transform_course (&options->transform, course, network_options->sample, error);
      if (course == NULL)
        return FALSE;
      g_ptr_array_add (courses, course);
      signals = options->signals != NULL && (csv || !options->recorded)
                    ? (const char *const *) options->signals
                    : ifbam_course_get_signals (course);
      for (guint k = 0; signals[k] != NULL; k++)
        {
          IfbamSpectrogramPanel panel = { .label = NULL };
          const char *quantity;
          gsize n;
          const double *times = ifbam_course_get_times (course, &n);
          const double *values = ifbam_course_get_values (course, signals[k], &n, error);

          if (values != NULL)
            panel.spectrogram =
                ifbam_transform_over_time (&options->transform, times, values, n, error);
          if (panel.spectrogram == NULL)
            return FALSE;
          g_ptr_array_add (spectrograms, panel.spectrogram);
          panel.label = files[1] != NULL ? g_strdup_printf ("%s: %s", names[i], signals[k])
                                         : g_strdup (signals[k]);
          g_ptr_array_add (labels, (gpointer) panel.label);
          ifbam_plot_quantity (course, signals[k], &quantity, &panel.unit);
          g_array_append_val (panels, panel);
        }
    }
  if (panels->len == 0)
    {
      g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_COURSE,
                           "there is nothing to draw: there is no signal");
      return FALSE;
    }
  if (panels->len > MOST_MAPS)
    {
      g_set_error (
          error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
          "%u signals are too many for one picture of spectrograms (want at most %d: choose "
          "with --signal)",
          panels->len, MOST_MAPS);
      return FALSE;
    }
  figure.panels = (const IfbamSpectrogramPanel *) (gpointer) panels->data;
  figure.n_panels = panels->len;
  figure.title = title_of (options, origin.network);
  return ifbam_spectrogram_figure_draw (&figure, options->output, error);
}

/* A sweep is drawn from its table: to run it takes words of its own. */
static gboolean
draw_sweep (const PlotOptions *options, const char *file, GError **error)
{
  IfbamSweepFigure figure = { .title = options->title,
                              .columns = (const char *const *) options->signals,
                              .x_range = IFBAM_PLOT_ANY,
                              .y_range = IFBAM_PLOT_ANY,
                              .log = options->log };
  g_autoptr (IfbamCsvTable) table = NULL;
  g_autofree char *left_out = NULL;
  gboolean drawn;

  if (!read_range ("--x", options->x_range, &figure.x_range, error)
      || !read_range ("--y", options->y_range, &figure.y_range, error))
    return FALSE;
  table = ifbam_csv_table_new_from_csv (file, error);
  drawn =
      table != NULL && ifbam_sweep_figure_draw (&figure, table, options->output, &left_out, error);
  if (table != NULL && !drawn)
    g_prefix_error (error, "%s: ", file);
  if (drawn && left_out != NULL)
    g_printerr ("ifbam: note: %s\n", left_out);
  return drawn;
}

static gboolean
read_kind (const char *text, IfbamPlotKind *kind)
{
  static const char *const names[] = { "course", "spectrum", "phase" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0)
      {
        *kind = (IfbamPlotKind) i;
        return TRUE;
      }
  return FALSE;
}

/* The chart is of a network, not of its course. */
static gboolean
draw_stability (const PlotOptions *options, const IfbamNetworkOptions *network_options,
                const char *file, GError **error)
{
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamStability) stability = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamPlot plot = { .x_range = IFBAM_PLOT_ANY, .y_range = IFBAM_PLOT_ANY };

  if (!read_range ("--x", options->x_range, &plot.x_range, error)
      || !read_range ("--y", options->y_range, &plot.y_range, error))
    return FALSE;
  network = ifbam_command_load (network_options, file, error);
  if (network == NULL)
    return FALSE;
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, error);
  if (model == NULL)
    return FALSE;
  plot.title = title_of (options, network);
  stability = ifbam_stability_new (model, &spec, FALSE, error);
  return stability != NULL && ifbam_stability_chart (stability, &plot, options->output, error);
}

/* A table of a response has no eigenfrequencies. */
static gboolean
draw_response_table (const PlotOptions *options, const IfbamResponseFigure *figure,
                     const char *file, GError **error)
{
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (file, error);
  gboolean drawn;

  if (table == NULL)
    return FALSE;
  drawn = ifbam_response_figure_draw_table (figure, table, (const char *const *) options->outputs,
                                            options->output, error);
  if (!drawn)
    g_prefix_error (error, "%s: ", file);
  return drawn;
}

/* The response of a network, which is not run, or a table of one. */
static gboolean
draw_response (PlotOptions *options, const IfbamNetworkOptions *network_options, const char *file,
               GError **error)
{
  IfbamResponseFigure figure = { .title = options->title,
                                 .x_range = IFBAM_PLOT_ANY,
                                 .y_range = IFBAM_PLOT_ANY,
                                 .linear = options->response.linear };
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamResponseRange range;
  IfbamWatch watch;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamResponseSystem) system = NULL;
  g_autoptr (IfbamResponse) response = NULL;
  g_autofree double *eigenfrequencies = NULL;

  if (!read_range ("--x", options->x_range, &figure.x_range, error)
      || !read_range ("--y", options->y_range, &figure.y_range, error))
    return FALSE;
  if (ifbam_command_is_course (file))
    return draw_response_table (options, &figure, file, error);
  if (!ifbam_response_options_read (&options->response, error))
    return FALSE;
  network = ifbam_command_load (network_options, file, error);
  model =
      network == NULL ? NULL : ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  if (model == NULL)
    return FALSE;
  ifbam_watch_begin (&watch);
  system =
      ifbam_command_response_system (&options->response, network, model, &spec,
                                     (const char *const *) options->outputs, &range, &watch, error);
  response = system == NULL ? NULL : ifbam_command_find_response (system, &range, &watch, error);
  ifbam_watch_end (&watch);
  if (response == NULL)
    {
      if (error != NULL && g_error_matches (*error, IFBAM_ERROR, IFBAM_ERROR_NETWORK))
        g_prefix_error (error, "%s: ", file);
      return FALSE;
    }
  eigenfrequencies =
      ifbam_response_eigenfrequencies (system, range.from, range.to, &figure.n_eigenfrequencies);
  figure.eigenfrequencies = eigenfrequencies;
  figure.input = system->input.name;
  figure.title = title_of (options, network);
  return ifbam_response_figure_draw (&figure, response, options->output, error);
}

/* --output names a file, but for a response, whose outputs it names: there -o does. FALSE: two files. */
static gboolean
read_outputs (PlotOptions *options, gboolean response)
{
  if (response || options->outputs == NULL)
    return TRUE;
  if (options->output != NULL || options->outputs[1] != NULL)
    return FALSE;
  options->output = g_strdup (options->outputs[0]);
  return TRUE;
}

/* Options for networks, where there is none, would go unheard. */
static gboolean
fit_files (const PlotOptions *options, const IfbamNetworkOptions *network_options, char **files,
           GError **error)
{
  const char *const meant[] = { options->transform.resample ? "sample" : NULL, NULL };

  for (guint i = 0; files[i] != NULL; i++)
    if (!ifbam_command_is_course (files[i]))
      return TRUE;
  return ifbam_network_options_fit_csv (network_options, files[0], meant, error);
}

static int
command_plot (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (PlotOptions)
      options = { .transform = IFBAM_TRANSFORM_OPTIONS, .response = IFBAM_RESPONSE_OPTIONS };
  const GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "picture.svg, .png or .pdf (default: text in the terminal)", "FILE" },
    { "output", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.outputs,
      "the same; of a response an output, may be repeated", "FILE|S" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "one of the signals (default: all); may be repeated", "S" },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, "over the picture", "TEXT" },
    { "x", 0, 0, G_OPTION_ARG_STRING, &options.x_range, "range of the horizontal axis, SI",
      "FROM:TO" },
    { "y", 0, 0, G_OPTION_ARG_STRING, &options.y_range, "range of the vertical axis, SI",
      "FROM:TO" },
    { "log", 0, 0, G_OPTION_ARG_NONE, &options.log, "logarithmic vertical axis", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_plot, entries);
  g_autoptr (GError) error = NULL;
  int exit_code;
  gboolean spectrograms, response, fine;

  (void) program;
  ifbam_transform_options_add (&options.transform, context);
  ifbam_response_options_add (&options.response, context);
  ifbam_network_options_add (&network_options, context);
  if (!ifbam_command_parse (&ifbam_command_plot, context, &argc, &argv, 2, 1000, &exit_code))
    return exit_code;
  if (!fit_files (&options, &network_options, argv + 2, &error))
    return ifbam_command_usage (&ifbam_command_plot, "%s", error->message);
  response = g_str_equal (argv[1], "response");
  if (!read_outputs (&options, response))
    return ifbam_command_usage (&ifbam_command_plot, "want one file for the picture (-o FILE)");
  if (response)
    {
      if (argc > 3)
        return ifbam_command_usage (&ifbam_command_plot, "\"%s\" is one network too many", argv[3]);
      return draw_response (&options, &network_options, argv[2], &error)
                 ? IFBAM_EXIT_DONE
                 : ifbam_command_fail (error);
    }
  if (g_str_equal (argv[1], "modes") || g_str_equal (argv[1], "stability"))
    {
      if (argc > 3)
        return ifbam_command_usage (&ifbam_command_plot, "\"%s\" is one network too many", argv[3]);
      fine = g_str_equal (argv[1], "modes")
                 ? draw_modes (&options, &network_options, argv[2], &error)
                 : draw_stability (&options, &network_options, argv[2], &error);
      return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
    }
  if (g_str_equal (argv[1], "sweep"))
    {
      if (argc > 3)
        return ifbam_command_usage (&ifbam_command_plot, "\"%s\" is one table too many", argv[3]);
      fine = draw_sweep (&options, argv[2], &error);
      return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
    }
  spectrograms = g_str_equal (argv[1], "spectrogram");
  if (!spectrograms && !read_kind (argv[1], &options.kind))
    return ifbam_command_usage (
        &ifbam_command_plot,
        "\"%s\" is neither course, spectrum, spectrogram, phase, modes, response, stability nor "
        "sweep",
        argv[1]);
  if (!spectrograms && options.kind == IFBAM_PLOT_PHASE && options.signals != NULL
      && g_strv_length (options.signals) % 2 != 0)
    return ifbam_command_usage (
        &ifbam_command_plot,
        "phase wants --signal in pairs, what goes to the right and what goes up; "
        "\"%s\" is left over",
        options.signals[g_strv_length (options.signals) - 1]);
  if (!ifbam_transform_options_read (&options.transform, &error))
    return ifbam_command_fail (error);
  options.recorded = network_options.record == NULL && options.signals != NULL;
  if (options.recorded)
    network_options.record = g_strjoinv (",", options.signals);
  fine = spectrograms ? draw_spectrograms (&options, &network_options, argv + 2, &error)
                      : draw (&options, &network_options, argv + 2, &error);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

const IfbamCommand ifbam_command_plot = {
  "plot",
  "KIND FILE...",
  "draw the course, spectrum, spectrogram or phase portrait of CSV or\n"
  "network files, the modes, response or stability of a network, or the\n"
  "table of a sweep; KIND is course, spectrum, spectrogram, phase, modes,\n"
  "response, stability or sweep",
  "  ifbam plot course networks/one-dof.ini\n"
  "  ifbam plot spectrum networks/two-dof.ini networks/three-dof.ini -o spectra.svg\n"
  "  ifbam plot spectrogram networks/duffing.ini --duration 20s -o duffing.png\n"
  "  ifbam plot phase networks/three-dof.ini -o phase.png\n"
  "  ifbam plot modes networks/chain.ini -o shapes.svg\n"
  "  ifbam plot response networks/three-dof.ini --input force@m1 --output m3.position -o bode.png\n"
  "  ifbam plot stability networks/three-dof.ini --step 1ms -o stability.svg\n"
  "  ifbam plot sweep sweep.csv --signal max:m2.position -o sweep.svg\n",
  command_plot,
};

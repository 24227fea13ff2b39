/* command-plot.c: ifbam plot: figures of courses, spectra, phase portraits, modes, responses and sweeps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "program/command-response.h"
#include "program/command-transform.h"
#include "base/fail.h"
#include "spectrum/ifbam-spectrum.h"
#include "figure/figure.h"
#include "linear/linear.h"
#include "engine/engine.h"
#include "program/overlay.h"
#include "file/file.h"
#include "sweep/sweep.h"

/* A figure of modes has so many. */
#define SOME_MODES 4

#define MOST_MAPS 6 /* spectrograms in one picture */

typedef struct PlotOptions PlotOptions;

typedef struct
{
  const char *name;
  const char *x_unit, *y_unit; /* of --x and --y; NULL: those of what is drawn */
  const char *one;             /* it is drawn of one "network" or "table" alone; NULL: of several */
  gboolean every_step;         /* it wants rows that lie close together */
  gboolean alone;              /* of schemes: a network's modes are marked, but it needs none */
  IfbamChartKind chart;        /* of courses */
  gboolean (*draw) (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                    GError **error); /* fills the chart, or writes the movie */
  /* of courses: adds the curve or map of a signal */
  gboolean (*add) (const PlotOptions *options, IfbamCourse *course, const char *signal,
                   const char *label, GError **error);
  void (*schemes) (IfbamChart *chart, const IfbamStability *stability);
} Kind;

struct PlotOptions
{
  const Kind *kind;
  char *output, *title, *x_text, *y_text;
  IfbamAxisRange x, y;
  IfbamChart *chart;
  char **signals, **also, *count_text;
  guint count;    /* modes, or peaks that are marked; 0: all */
  char **outputs; /* of a response; of all else one, a file */
  char *speed_text;
  double speed; /* of a movie: seconds of the run in a second */
  IfbamTransformOptions transform;
  IfbamResponseOptions response;
  gboolean log, decibels;
  GArray *overlays;   /* IfbamOverlay, among the signals */
  gboolean recorded;  /* signals are what a network records; they may be patterns and ranges, too */
  const char *prefix; /* of errors of the drawing: the table's file; or NULL */
  char *note;         /* printed once the picture is drawn; or NULL */
};

static void
plot_options_clear (PlotOptions *options)
{
  g_free (options->output);
  g_free (options->title);
  g_free (options->x_text);
  g_free (options->y_text);
  g_strfreev (options->signals);
  g_clear_pointer (&options->overlays, g_array_unref);
  g_strfreev (options->also);
  g_free (options->count_text);
  g_free (options->speed_text);
  g_strfreev (options->outputs);
  ifbam_transform_options_clear (&options->transform);
  ifbam_response_options_clear (&options->response);
  g_clear_pointer (&options->chart, ifbam_chart_free);
  g_free (options->note);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlotOptions, plot_options_clear)

/* "FILE: SIGNAL" (transfer full). */
static char *
label_of (const char *file, const char *signal, gboolean several_files)
{
  return several_files ? g_strdup_printf ("%s: %s", file, signal) : g_strdup (signal);
}

/* The chart's axis over a signal. */
static void
set_axis (IfbamAxis *axis, IfbamCourse *course, const char *signal)
{
  ifbam_signal_quantity (course, signal, &axis->quantity, &axis->unit);
}

static gboolean
add_course (const PlotOptions *options, IfbamCourse *course, const char *signal, const char *label,
            GError **error)
{
  IfbamChart *chart = options->chart;
  gsize n;
  const double *values = ifbam_course_get_values (course, signal, &n, error);

  chart->x.quantity = "time";
  chart->x.unit = "s";
  set_axis (&chart->y, course, signal);
  ifbam_chart_add (chart, label, ifbam_course_get_times (course, &n), values, n)->kin = signal;
  return values != NULL;
}

static int
compare_amplitudes (gconstpointer a, gconstpointer b)
{
  const IfbamPeak *one = a, *other = b;

  return (one->amplitude < other->amplitude) - (one->amplitude > other->amplitude);
}

static gboolean
add_spectrum (const PlotOptions *options, IfbamCourse *course, const char *signal,
              const char *label, GError **error)
{
  IfbamChart *chart = options->chart;
  const char *quantity;
  gsize n, n_peaks;
  const double *values = ifbam_course_get_values (course, signal, &n, error);
  IfbamSpectrum *spectrum =
      values == NULL ? NULL
                     : ifbam_transform (&options->transform, ifbam_course_get_times (course, &n),
                                        values, n, error);
  g_autofree IfbamPeak *peaks = NULL;
  const double *frequencies;
  double *marks;
  IfbamCurve *curve;

  if (spectrum == NULL)
    return FALSE;
  ifbam_chart_own (chart, spectrum, g_object_unref);
  chart->x.quantity = "frequency";
  chart->x.unit = "Hz";
  ifbam_signal_quantity (course, signal, &quantity, &chart->y.unit);
  chart->y.quantity = "amplitude";
  frequencies = ifbam_spectrum_get_frequencies (spectrum, &n);
  curve =
      ifbam_chart_add (chart, label, frequencies, ifbam_spectrum_get_amplitudes (spectrum, &n), n);
  curve->kin = signal;
  peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
  if (options->count > 0 && n_peaks > options->count)
    {
      qsort (peaks, n_peaks, sizeof *peaks, compare_amplitudes);
      n_peaks = options->count;
    }
  marks = ifbam_chart_numbers (chart, 2 * n_peaks);
  for (gsize i = 0; i < n_peaks; i++)
    {
      marks[i] = peaks[i].frequency;
      marks[n_peaks + i] = peaks[i].amplitude;
    }
  curve->n_marks = n_peaks;
  curve->mark_x = marks;
  curve->mark_y = marks + n_peaks;
  return TRUE;
}

/* Adds the map of a signal. */
static gboolean
add_spectrogram (const PlotOptions *options, IfbamCourse *course, const char *signal,
                 const char *label, GError **error)
{
  IfbamChart *chart = options->chart;
  IfbamMap map = { .label = ifbam_chart_copy_text (chart, label),
                   .quantity = "amplitude",
                   .even = TRUE,
                   .y_stride = 1 };
  const char *quantity;
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, signal, &n, error);
  IfbamSpectrogram *spectrogram =
      values == NULL ? NULL
                     : ifbam_transform_over_time (&options->transform, times, values, n, error);

  if (spectrogram == NULL)
    return FALSE;
  ifbam_chart_own (chart, spectrogram, g_object_unref);
  chart->log_values = !options->response.linear;
  chart->x.quantity = "time";
  chart->x.unit = "s";
  chart->y.quantity = "frequency";
  chart->y.unit = "Hz";
  map.x = ifbam_spectrogram_get_times (spectrogram, &map.n_x);
  map.y = ifbam_spectrogram_get_frequencies (spectrogram, &map.n_y);
  map.values = ifbam_spectrogram_get_amplitudes (spectrogram, NULL);
  map.x_stride = map.n_y;
  ifbam_signal_quantity (course, signal, &quantity, &map.unit);
  g_array_append_val (chart->maps, map);
  return TRUE;
}

static gboolean
add_pair (IfbamChart *chart, IfbamCourse *course, const char *x, const char *y, const char *file,
          gboolean several_files, GError **error)
{
  gsize n;
  const double *xs = ifbam_course_get_values (course, x, &n, error);
  const double *ys = xs == NULL ? NULL : ifbam_course_get_values (course, y, &n, error);
  g_autofree char *pair = g_strdup_printf ("%s over %s", y, x);
  g_autofree char *label = label_of (file, pair, several_files);

  if (ys == NULL)
    return FALSE;
  set_axis (&chart->x, course, x);
  set_axis (&chart->y, course, y);
  ifbam_chart_add (chart, label, xs, ys, n);
  return TRUE;
}

/* Of two patterns each of the one with its fellow of the other: '*.position' and '*.velocity'. */
static gboolean
add_pairs (IfbamChart *chart, IfbamCourse *course, char *const *patterns, const char *file,
           gboolean several_files, GError **error)
{
  const char *const one[] = { patterns[0], NULL }, *const other[] = { patterns[1], NULL };
  g_autofree const char **x = ifbam_course_find_signals (course, one, error);
  g_autofree const char **y = x == NULL ? NULL : ifbam_course_find_signals (course, other, error);
  const guint n = y == NULL ? 0 : g_strv_length ((char **) x);

  if (y != NULL && g_strv_length ((char **) y) != n)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "phase wants pairs: \"%s\" fits %u of the signals, \"%s\" %u", one[0], n,
                       other[0], g_strv_length ((char **) y));
  for (guint i = 0; i < n; i++)
    if (!add_pair (chart, course, x[i], y[i], file, several_files, error))
      return FALSE;
  return y != NULL;
}

/* A phase portrait of pairs: those named, or each coordinate that stands beside its own rate. */
static gboolean
add_phase (const PlotOptions *options, IfbamCourse *course, const char *file,
           gboolean several_files, GError **error)
{
  const char *const *signals = ifbam_course_get_signals (course);
  IfbamChart *chart = options->chart;
  const guint before = chart->curves->len;

  for (guint i = 0; options->signals != NULL && options->signals[i] != NULL; i += 2)
    if (!add_pairs (chart, course, options->signals + i, file, several_files, error))
      return FALSE;
  for (guint i = 0; options->signals == NULL && signals[i] != NULL; i++)
    {
      g_autofree char *rate = ifbam_signal_rate (signals[i]);

      if (rate != NULL && g_strv_contains (signals, rate)
          && !add_pair (chart, course, signals[i], rate, file, several_files, error))
        return FALSE;
    }
  if (chart->curves->len > before)
    return TRUE;
  return ifbam_fail (
      error, IFBAM_ERROR_COURSE,
      "%s: no coordinate stands beside its own rate there: say which signals to draw, such "
      "as --signal m1.position --signal m1.velocity",
      file);
}

/* What is drawn: a file, or a network with one more setting. */
typedef struct
{
  const char *file, *also; /* also: NULL: as it is */
  char *name;              /* for labels */
} Drawn;

static gboolean
add_file (const PlotOptions *options, IfbamCourse *course, const Drawn *drawn,
          gboolean several_files, GError **error)
{
  const gboolean some =
      options->signals != NULL && (!options->recorded || ifbam_command_is_course (drawn->file));
  g_autofree const char **own = NULL, **signals = NULL;

  if (!ifbam_overlays_rename (options->overlays, drawn->file, course, &own, error))
    return FALSE;
  if (options->kind->chart == IFBAM_CHART_PHASE)
    return add_phase (options, course, drawn->name, several_files, error);
  signals = ifbam_course_find_signals (course,
                                       own != NULL ? own
                                       : some      ? (const char *const *) options->signals
                                                   : NULL,
                                       error);
  if (signals == NULL)
    return FALSE;
  for (guint i = 0; signals[i] != NULL; i++)
    {
      g_autofree char *label = label_of (drawn->name, signals[i], several_files);

      if (!options->kind->add (options, course, signals[i], label, error))
        return FALSE;
    }
  return TRUE;
}

/* "FROM:TO" in a unit, either of which may be empty. FALSE with a phrase that says why not (transfer full). */
static gboolean
read_range (const char *text, const char *unit, IfbamAxisRange *range, char **reason)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  double *bounds[2] = { &range->from, &range->to };
  guint n_given = 0;

  *range = (IfbamAxisRange) IFBAM_AXIS_WHOLE;
  for (guint i = 0; i < 2 && g_strv_length (parts) == 2; i++)
    if (parts[i][0] != '\0')
      {
        n_given++;
        if (!ifbam_units_parse (parts[i], unit, "end of an axis", NULL, bounds[i], reason))
          return FALSE;
      }
  if (n_given > 0 && !(range->from >= range->to))
    return TRUE;
  *reason = g_strdup_printf ("want FROM:TO, such as %s (either may be left out)",
                             g_str_equal (unit, "s") ? "0.1s:200ms" : "0:0.1");
  return FALSE;
}

static gboolean
refuse_range (const char *option, const char *text, char *reason, GError **error)
{
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "%s %s: %s", option, text, reason);
  g_free (reason);
  return FALSE;
}

/* Where the kind of figure has one unit. */
static gboolean
read_given_range (const char *option, const char *text, const char *unit, IfbamAxisRange *range,
                  GError **error)
{
  char *reason = NULL;

  *range = (IfbamAxisRange) IFBAM_AXIS_WHOLE;
  if (text == NULL || unit == NULL || read_range (text, unit, range, &reason))
    return TRUE;
  return refuse_range (option, text, reason, error);
}

/* Where the curves say the units: *used is the one that was meant, NULL for plain numbers. */
static gboolean
read_range_of_curves (const char *option, const char *text, const IfbamChart *chart,
                      gboolean along_x, IfbamAxisRange *range, const char **used, GError **error)
{
  char *reason = NULL;

  *used = NULL;
  if (text == NULL || read_range (text, "", range, &reason))
    return TRUE;
  for (gsize i = 0; i < chart->curves->len; i++)
    {
      g_free (reason);
      *used = along_x ? ifbam_chart_curve (chart, i)->x_unit : ifbam_chart_curve (chart, i)->y_unit;
      if (read_range (text, *used, range, &reason))
        return TRUE;
    }
  return refuse_range (option, text, reason, error);
}

/* The title that was asked for, or the network's (NULL: there is none). */
static void
set_title (const PlotOptions *options, const char *title)
{
  options->chart->title =
      ifbam_chart_copy_text (options->chart, options->title != NULL ? options->title : title);
}

/* What a network records, and the rates of that (transfer full). */
static char *
recorded_with_rates (const IfbamNetworkOptions *options, const char *file, GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  const gboolean fine = ifbam_load (&loaded, options, file, TRUE, error);
  const IfbamSignals *signals = loaded.signals;
  GString *record = g_string_new (NULL);

  for (guint i = 0; fine && i < signals->units->len; i++)
    {
      const char *name = signals->names->pdata[i];
      g_autofree char *rate = ifbam_signal_rate (name);

      g_string_append_printf (record, "%s%s", record->len > 0 ? "," : "", name);
      if (rate != NULL && !g_strv_contains ((const char *const *) signals->names->pdata, rate))
        g_string_append_printf (record, ",%s", rate);
    }
  return g_string_free (record, !fine);
}

static void
drawn_clear (gpointer data)
{
  g_free (((Drawn *) data)->name);
}

/* The files, each network followed by its variants (Drawn). */
static GArray *
list_drawn (const PlotOptions *options, char **files)
{
  g_auto (GStrv) names = ifbam_chart_file_names ((const char *const *) files);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Drawn));

  g_array_set_clear_func (list, drawn_clear);
  for (guint i = 0; files[i] != NULL; i++)
    {
      Drawn drawn = { .file = files[i], .name = g_strdup (names[i]) };

      g_array_append_val (list, drawn);
      for (guint k = 0;
           options->also != NULL && options->also[k] != NULL && !ifbam_command_is_course (files[i]);
           k++)
        {
          drawn.also = options->also[k];
          drawn.name = files[1] == NULL ? g_strdup (drawn.also)
                                        : g_strdup_printf ("%s, %s", names[i], drawn.also);
          g_array_append_val (list, drawn);
        }
    }
  return list;
}

/* A variant that is wrong was given by --also, not by --set. */
static void
name_option (const char *also, GError **error)
{
  g_autofree char *prefix = g_strdup_printf ("--set %s: ", also);
  g_autofree char *rest = NULL;

  if (error == NULL || *error == NULL || !g_str_has_prefix ((*error)->message, prefix))
    return;
  rest = g_strdup ((*error)->message + strlen (prefix));
  g_clear_pointer (&(*error)->message, g_free);
  (*error)->message = g_strdup_printf ("--also %s: %s", also, rest);
}

/* One network names the picture. */
static IfbamCourse *
load_course (const IfbamNetworkOptions *options, const GArray *list, guint i, IfbamOrigin *origin,
             GError **error)
{
  const Drawn *drawn = &g_array_index (list, Drawn, i);
  g_autoptr (GStrvBuilder) sets = NULL;
  g_auto (GStrv) all = NULL;
  IfbamNetworkOptions variant = *options;
  IfbamCourse *course;

  if (drawn->also == NULL && !ifbam_command_is_course (drawn->file)
      && g_array_index (list, Drawn, list->len - 1).file == g_array_index (list, Drawn, 0).file)
    return ifbam_command_course_and_origin (options, drawn->file, NULL, origin, error);
  if (drawn->also == NULL)
    return ifbam_command_course (options, drawn->file, error);
  sets = g_strv_builder_new ();
  if (options->sets != NULL)
    g_strv_builder_addv (sets, (const char **) options->sets);
  g_strv_builder_add (sets, drawn->also);
  variant.sets = all = g_strv_builder_end (sets);
  course = ifbam_command_course (&variant, drawn->file, error);
  if (course == NULL)
    name_option (drawn->also, error);
  return course;
}

static gboolean
check_maps (const IfbamChart *chart, GError **error)
{
  if (chart->maps->len == 0)
    return ifbam_fail (error, IFBAM_ERROR_COURSE, "there is nothing to draw: there is no signal");
  return chart->maps->len <= MOST_MAPS
         || ifbam_fail (error, IFBAM_ERROR_USAGE,
                        "%u signals are too many for one picture of spectrograms (want at most "
                        "%d: choose with --signal)",
                        chart->maps->len, MOST_MAPS);
}

/* Whether a kind is computed from transforms of signals. */
static gboolean
transforms (const Kind *kind)
{
  return kind->chart == IFBAM_CHART_SPECTRUM || kind->chart == IFBAM_CHART_MAP;
}

static gboolean
draw_courses (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
              GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_autoptr (GArray) list = list_drawn (options, files);
  IfbamChart *chart = options->chart;
  char *const said = network_options->record;
  const char *x_unit;
  gboolean fine = TRUE;

  chart->y.log = options->log;
  for (guint i = 0; fine && i < list->len; i++)
    {
      const Drawn *drawn = &g_array_index (list, Drawn, i);
      const gboolean adds_rates = options->kind->chart == IFBAM_CHART_PHASE
                                  && options->signals == NULL && said == NULL
                                  && !ifbam_command_is_course (drawn->file);
      g_autofree char *record =
          adds_rates ? recorded_with_rates (network_options, drawn->file, error) : g_strdup (said);
      IfbamCourse *course;

      fine = record != NULL || !adds_rates;
      if (!fine)
        break;
      network_options->record = record;
      course = load_course (network_options, list, i, &origin, error);
      network_options->record = said;
      if (course != NULL && transforms (options->kind))
        course =
            ifbam_transform_course (&options->transform, course, network_options->sample, error);
      fine = course != NULL;
      if (!fine)
        break;
      ifbam_chart_own (chart, course, g_object_unref);
      fine = add_file (options, course, drawn, list->len > 1, error);
    }
  set_title (options, origin.title);
  if (options->kind->chart == IFBAM_CHART_MAP)
    return fine && check_maps (chart, error);
  return fine
         && (options->kind->x_unit != NULL
             || read_range_of_curves ("--x", options->x_text, chart, TRUE, &chart->x.range, &x_unit,
                                      error))
         && read_range_of_curves ("--y", options->y_text, chart, FALSE, &chart->y.range,
                                  &chart->y_range_unit, error);
}

/* The lowest modes of a network, which is not run. */
static gboolean
draw_modes (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
            GError **error)
{
  const IfbamModesRequest request = { .count = options->count };
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamModes) modes = NULL;

  if (!ifbam_load (&loaded, network_options, files[0], FALSE, error))
    return FALSE;
  modes = ifbam_modes_new_for_model (loaded.model, &loaded.spec, &request, error);
  if (modes == NULL)
    {
      g_prefix_error (error, "%s: ", files[0]);
      return FALSE;
    }
  set_title (options, loaded.title);
  ifbam_modes_chart (options->chart, modes);
  return TRUE;
}

/* A sweep is drawn from its table: to run it takes words of its own. */
static gboolean
draw_sweep (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
            GError **error)
{
  IfbamChart *chart = options->chart;
  IfbamCsvTable *table = ifbam_sweep_table_from_file (files[0], error);

  (void) network_options;
  if (table == NULL)
    return FALSE;
  ifbam_chart_own (chart, table, (GDestroyNotify) ifbam_csv_table_free);
  chart->y.log = options->log;
  set_title (options, NULL);
  options->prefix = files[0];
  return ifbam_sweep_chart (chart, table, (const char *const *) options->signals, &options->note,
                            error);
}

/* Numerical errors of schemes for any mode, and for those of a network if there is one. */
static gboolean
draw_schemes (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
              GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamStability) stability = NULL;

  if (files[0] != NULL)
    {
      if (ifbam_load (&loaded, network_options, files[0], FALSE, error))
        stability = ifbam_command_stability_of (&loaded, error);
      if (stability == NULL)
        return FALSE;
    }
  set_title (options, loaded.title);
  options->kind->schemes (options->chart, stability);
  return TRUE;
}

/* A table of a response has no eigenfrequencies. */
static gboolean
draw_response_table (PlotOptions *options, const char *file, GError **error)
{
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (file, error);

  if (table == NULL)
    return FALSE;
  set_title (options, NULL);
  options->prefix = file;
  return ifbam_response_table_chart (options->chart, table, (const char *const *) options->outputs,
                                     error);
}

/* The response of a network, which is not run, or a table of one. */
static gboolean
draw_response (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
               GError **error)
{
  IfbamChart *chart = options->chart;
  IfbamResponseRange range;
  IfbamWatch watch;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamResponseSystem) system = NULL;
  g_autoptr (IfbamResponse) response = NULL;

  chart->x.log = !options->response.linear;
  chart->y.log = !options->decibels;
  if (ifbam_command_is_course (files[0]))
    return draw_response_table (options, files[0], error);
  if (!ifbam_response_options_read (&options->response, error))
    return FALSE;
  if (!ifbam_load (&loaded, network_options, files[0], FALSE, error))
    return FALSE;
  ifbam_watch_begin (&watch);
  system = ifbam_command_response_system (
      &options->response, &loaded, (const char *const *) options->outputs, &range, &watch, error);
  response = system == NULL ? NULL : ifbam_command_find_response (system, &range, &watch, error);
  ifbam_watch_end (&watch);
  if (response == NULL)
    {
      if (error != NULL && g_error_matches (*error, IFBAM_ERROR, IFBAM_ERROR_NETWORK))
        g_prefix_error (error, "%s: ", files[0]);
      return FALSE;
    }
  chart->lines = ifbam_chart_own (
      chart, ifbam_response_eigenfrequencies (system, range.from, range.to, &chart->n_lines),
      g_free);
  set_title (options, loaded.title);
  if (!chart->text && (chart->title == NULL || *chart->title == '\0'))
    {
      g_autofree char *title = g_strdup_printf ("response to %s", system->input.name);

      chart->title = ifbam_chart_copy_text (chart, title);
    }
  return ifbam_response_chart (chart, response, error);
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
  return ifbam_network_options_fit_csv (
      network_options, files[0] != NULL ? files[0] : "schemes alone", meant, error);
}

/* Records all that the plane's picture wants of a network; FALSE: there is nothing in the plane, which refuse() says. */
static gboolean
record_plane (IfbamNetworkOptions *options, const char *file, gboolean (*refuse) (GError **error),
              GError **error)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamScene) scene = NULL;
  g_autofree char *signals = NULL;

  if (!ifbam_load (&loaded, options, file, FALSE, error))
    return FALSE;
  scene = ifbam_scene_new (loaded.model);
  if (scene->bodies->len == 0)
    {
      refuse (error);
      g_prefix_error (error, "%s: ", file);
      return FALSE;
    }
  signals = ifbam_scene_signals (scene);
  options->record = g_strconcat ("*.x,*.y,", signals, NULL);
  return TRUE;
}

/* The way of bodies in the plane, in equal scales. */
static gboolean
draw_path (PlotOptions *options, IfbamNetworkOptions *network_options, char **files, GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (IfbamScene) scene = NULL;
  g_autoptr (GArray) list = list_drawn (options, files);
  IfbamPathFigure figure = { .bodies = (const char *const *) options->signals };

  if (!ifbam_command_is_course (files[0]) && network_options->record == NULL
      && !record_plane (network_options, files[0], ifbam_path_refuse, error))
    return FALSE;
  course = load_course (network_options, list, 0, &origin, error);
  if (course == NULL)
    return FALSE;
  if (origin.model != NULL)
    {
      scene = ifbam_scene_new (origin.model);
      ifbam_scene_look (scene, course);
    }
  figure.course = course;
  figure.scene = scene;
  figure.events = origin.events;
  set_title (options, origin.title);
  return ifbam_path_chart (options->chart, &figure, error);
}

#define SHORT_MOVIE 1.5 /* [s] */

/* A movie that is over before one has looked can be slower. */
static void
note_short (double playing, double speed)
{
  if (playing < SHORT_MOVIE)
    g_printerr ("ifbam: note: the movie is over in %.3g s (--speed %.1g shows it slower)\n",
                playing, speed * playing / 5);
}

/* What stands in the plane, moving. */
static gboolean
draw_movie (PlotOptions *options, IfbamNetworkOptions *network_options, char **files,
            GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (IfbamScene) scene = NULL;
  g_autoptr (GArray) list = list_drawn (options, files);
  IfbamMovie movie = { .speed = options->speed };
  g_autofree char *svg = NULL;

  g_clear_pointer (&network_options->record, g_free);
  if (!record_plane (network_options, files[0], ifbam_movie_refuse, error))
    return FALSE;
  course = load_course (network_options, list, 0, &origin, error);
  if (course == NULL)
    return FALSE;
  movie.scene = scene = ifbam_scene_new (origin.model);
  ifbam_scene_look (scene, course);
  movie.events = origin.events;
  set_title (options, origin.title);
  movie.title = options->chart->title;
  svg = ifbam_movie_svg (&movie, error);
  if (svg == NULL || !ifbam_output_put (options->output, svg, strlen (svg), error))
    return FALSE;
  note_short ((double) origin.spec.last_step * origin.spec.step / movie.speed, movie.speed);
  return TRUE;
}

static const Kind kinds[] = {
  { "course", "s", NULL, NULL, FALSE, FALSE, IFBAM_CHART_COURSE, draw_courses, add_course, NULL },
  { "spectrum", "Hz", NULL, NULL, FALSE, FALSE, IFBAM_CHART_SPECTRUM, draw_courses, add_spectrum,
    NULL },
  { "spectrogram", "s", "Hz", NULL, FALSE, FALSE, IFBAM_CHART_MAP, draw_courses, add_spectrogram,
    NULL },
  { "phase", NULL, NULL, NULL, TRUE, FALSE, IFBAM_CHART_PHASE, draw_courses, NULL, NULL },
  { "path", "m", "m", "network", TRUE, FALSE, 0, draw_path, NULL, NULL },
  { "movie", "", "", "network", TRUE, FALSE, 0, draw_movie, NULL, NULL },
  { "modes", "", "", "network", FALSE, FALSE, 0, draw_modes, NULL, NULL },
  { "response", "Hz", "", "network", FALSE, FALSE, 0, draw_response, NULL, NULL },
  { "stability", "", "", "network", FALSE, FALSE, 0, draw_schemes, NULL, ifbam_growth_chart },
  { "regions", "", "", "network", FALSE, TRUE, 0, draw_schemes, NULL, ifbam_regions_chart },
  { "roots", "", "", "network", FALSE, TRUE, 0, draw_schemes, NULL, ifbam_roots_chart },
  { "elongation", "", "", "network", FALSE, TRUE, 0, draw_schemes, NULL, ifbam_elongation_chart },
  { "sweep", "", "", "table", FALSE, FALSE, 0, draw_sweep, NULL, NULL },
};

static const Kind *
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (name, kinds[i].name))
      return &kinds[i];
  return NULL;
}

/* "course, spectrum, ... or sweep" */
static char *
list_kinds (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_string_append_printf (list, "%s%s",
                            i == 0                          ? ""
                            : i + 1 == G_N_ELEMENTS (kinds) ? " nor "
                                                            : ", ",
                            kinds[i].name);
  return g_string_free (list, FALSE);
}

/* Prints the nearest kind to a word that is none. */
static void
refuse_kind (const char *word)
{
  static const char *const others[][2] = {
    { "time", "course" },       { "fft", "spectrum" },     { "waterfall", "spectrogram" },
    { "bode", "response" },     { "frf", "response" },     { "frequency", "response" },
    { "trajectory", "path" },   { "animation", "movie" },  { "video", "movie" },
    { "shapes", "modes" },      { "eigenmodes", "modes" }, { "region", "regions" },
    { "eigenvalues", "roots" }, { "poles", "roots" },      { "period", "elongation" },
  };
  const char *names[G_N_ELEMENTS (kinds)], *nearest;
  g_autofree char *known = list_kinds ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    names[i] = kinds[i].name;
  nearest = ifbam_nearest_word (word, names, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_ascii_strcasecmp (word, others[i][0]) == 0)
      nearest = others[i][1];
  if (strchr (word, '.') != NULL)
    ifbam_command_usage (&ifbam_command_plot,
                         "what of \"%s\"? (want a KIND before it, such as \"course %s\")", word,
                         word);
  else if (nearest != NULL)
    ifbam_command_usage (&ifbam_command_plot, "there is no kind \"%s\" (did you mean \"%s\"?)",
                         word, nearest);
  else
    ifbam_command_usage (&ifbam_command_plot, "\"%s\" is neither %s", word, known);
}

static gboolean
has_network (char **files)
{
  for (guint i = 0; files[i] != NULL; i++)
    if (!ifbam_command_is_course (files[i]))
      return TRUE;
  return FALSE;
}

/* An option of another kind of picture, which would go unheard, and which that is; FALSE: none. */
static gboolean
find_unheard (const PlotOptions *options, char **files, const char **name, const char **whose)
{
  const Kind *kind = options->kind;
  const IfbamTransformOptions *transform = &options->transform;
  const IfbamResponseOptions *response = &options->response;
  const gboolean responds = kind->draw == draw_response;
  const gboolean finds = responds && !ifbam_command_is_course (files[0]);
  const char *spectra = "spectrum and spectrogram", *found = "the response of a network";
  const struct
  {
    const char *name;
    gboolean given, heard;
    const char *whose;
  } all[] = {
    { "window", transform->window_name != NULL, transforms (kind), spectra },
    { "welch", transform->welch, transforms (kind), spectra },
    { "segment", transform->segment_text != NULL, transforms (kind), spectra },
    { "overlap", transform->overlap_text != NULL, transforms (kind), spectra },
    { "resample", transform->resample, transforms (kind), spectra },
    { "input", response->inputs != NULL, finds, found },
    { "from", response->from != NULL, finds, found },
    { "to", response->to != NULL, finds, found },
    { "points", response->n_points != IFBAM_RESPONSE_NO_POINTS, finds, found },
    { "linear", response->linear, responds || kind->chart == IFBAM_CHART_MAP,
      "responses and spectrograms" },
    { "db", options->decibels, responds, "a response" },
    { "signal", options->signals != NULL,
      kind->draw == draw_courses || kind->draw == draw_path || kind->draw == draw_movie
          || kind->draw == draw_sweep,
      "courses and sweeps" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].given && !all[i].heard)
      {
        *name = all[i].name;
        *whose = all[i].whose;
        return TRUE;
      }
  return FALSE;
}

/* A movie is an SVG of a network at a speed; other kinds have no speed. FALSE with a message printed. */
static gboolean
check_movie (PlotOptions *options, char **files)
{
  g_autofree char *reason = NULL;

  options->speed = 1;
  if (options->kind->draw != draw_movie)
    {
      if (options->speed_text != NULL)
        ifbam_command_usage (&ifbam_command_plot, "--speed is for a movie");
      return options->speed_text == NULL;
    }
  if (ifbam_command_is_course (files[0]))
    ifbam_command_usage (&ifbam_command_plot,
                         "a movie wants a network, not a course: rods and bodies stand in \"%s\"",
                         "NETWORK.ini");
  else if (options->output == NULL || !g_str_has_suffix (options->output, ".svg"))
    ifbam_command_usage (&ifbam_command_plot, "a movie is an SVG that a browser plays (want -o "
                                              "FILE.svg)");
  else if (options->x_text != NULL || options->y_text != NULL)
    ifbam_command_usage (&ifbam_command_plot, "--x and --y are not for a movie");
  else if (options->signals != NULL)
    ifbam_command_usage (&ifbam_command_plot, "--signal is not for a movie: it shows all that is "
                                              "in the plane");
  else if (options->speed_text != NULL
           && (!ifbam_units_parse (options->speed_text, "", "speed", "0.1", &options->speed,
                                   &reason)
               || !(options->speed > 0 && isfinite (options->speed))))
    ifbam_command_usage (&ifbam_command_plot,
                         "--speed %s: want a number above 0, such as 0.1 for "
                         "ten times slower than it is",
                         options->speed_text);
  else
    return TRUE;
  return FALSE;
}

/* Words that are wrong whatever the files hold; FALSE with the exit code. */
static gboolean
check_words (PlotOptions *options, const IfbamNetworkOptions *network_options, int argc,
             char **argv, int *exit_code)
{
  const gboolean response = g_str_equal (argv[1], "response");
  const gboolean phase = g_str_equal (argv[1], "phase");
  const char *unheard, *whose;
  g_autoptr (GError) error = NULL;

  *exit_code = IFBAM_EXIT_USAGE;
  options->kind = find_kind (argv[1]);
  options->count = g_str_equal (argv[1], "modes") ? SOME_MODES : 0;
  if (options->kind == NULL)
    refuse_kind (argv[1]);
  else if (argc < 3 && !options->kind->alone)
    ifbam_command_usage (&ifbam_command_plot, "%s of what? (want KIND FILE...)", argv[1]);
  else if (!ifbam_command_read_count (&ifbam_command_plot, options->count_text, &options->count))
    return FALSE;
  else if (options->count_text != NULL && !g_str_equal (argv[1], "modes")
           && options->kind->chart != IFBAM_CHART_SPECTRUM)
    ifbam_command_usage (&ifbam_command_plot, "--count is for modes and spectrum");
  else if (options->also != NULL
           && (options->kind->draw != draw_courses || !has_network (argv + 2)))
    ifbam_command_usage (&ifbam_command_plot, "--also is for networks, and for course, spectrum, "
                                              "spectrogram and phase");
  else if (!fit_files (options, network_options, argv + 2, &error)
           || !read_given_range ("--x", options->x_text, options->kind->x_unit, &options->x, &error)
           || !read_given_range ("--y", options->y_text, options->kind->y_unit, &options->y,
                                 &error))
    ifbam_command_usage (&ifbam_command_plot, "%s", error->message);
  else if (options->outputs != NULL && !response)
    ifbam_command_usage (&ifbam_command_plot,
                         "--output is for response (the picture's file is -o or --file)");
  else if (options->kind->one != NULL && argc > 3)
    ifbam_command_usage (&ifbam_command_plot, "\"%s\" is one %s too many", argv[3],
                         options->kind->one);
  else if (find_unheard (options, argv + 2, &unheard, &whose))
    ifbam_command_usage (&ifbam_command_plot, "--%s is for %s", unheard, whose);
  else if (phase && options->signals != NULL && g_strv_length (options->signals) % 2 != 0)
    ifbam_command_usage (&ifbam_command_plot,
                         "phase wants --signal in pairs, what goes to the right and what goes up; "
                         "\"%s\" is left over",
                         options->signals[g_strv_length (options->signals) - 1]);
  else
    return check_movie (options, argv + 2);
  return FALSE;
}

static gboolean
read_courses (PlotOptions *options, char **files, const IfbamNetworkOptions *network_options,
              GError **error)
{
  options->recorded = options->kind->draw == draw_courses && network_options->record == NULL
                      && options->signals != NULL;
  options->overlays = ifbam_overlays_read (options->signals, files, error);
  return options->overlays != NULL
         && (options->kind->draw != draw_courses
             || ifbam_transform_options_read (&options->transform, error));
}

static gboolean
draw (PlotOptions *options, IfbamNetworkOptions *network_options, char **files, GError **error)
{
  gboolean drawn;

  options->chart = ifbam_chart_new (options->kind->chart);
  options->chart->text = options->output == NULL;
  options->chart->x.range = options->x;
  options->chart->y.range = options->y;
  drawn = options->kind->draw (options, network_options, files, error)
          && (options->kind->draw == draw_movie
              || ifbam_chart_draw (options->chart, options->output, error));
  if (!drawn && options->prefix != NULL)
    g_prefix_error (error, "%s: ", options->prefix);
  if (drawn && options->note != NULL)
    g_printerr ("ifbam: note: %s\n", options->note);
  return drawn;
}

static int
command_plot (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (PlotOptions)
      options = { .transform = IFBAM_TRANSFORM_OPTIONS, .response = IFBAM_RESPONSE_OPTIONS };
  const GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "picture.svg, .png or .pdf (default: text in the terminal)", "FILE" },
    { "output", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.outputs,
      "of a response: an output; may be repeated", "S" },
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "signals, such as m1.position or '*.position' (default: all); FILE:COLUMN=S: a column for S",
      "S" },
    { "also", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.also,
      "beside each network a variant of it, as --set has it; may be repeated",
      "ELEMENT.KEY=VALUE" },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, "over the picture", "TEXT" },
    { "x", 0, 0, G_OPTION_ARG_STRING, &options.x_text,
      "range of the horizontal axis, such as 0.1s:200ms", "FROM:TO" },
    { "y", 0, 0, G_OPTION_ARG_STRING, &options.y_text,
      "range of the vertical axis, such as -2mm:2mm", "FROM:TO" },
    { "count", 0, 0, G_OPTION_ARG_STRING, &options.count_text,
      "how many modes, or peaks of a spectrum that are marked, or \"all\" (default: 4 modes, all "
      "peaks)",
      "N" },
    { "speed", 0, 0, G_OPTION_ARG_STRING, &options.speed_text,
      "of a movie, such as 0.1: ten times slower than it is (default: 1)", "X" },
    { "log", 0, 0, G_OPTION_ARG_NONE, &options.log, "logarithmic vertical axis", NULL },
    { "db", 0, 0, G_OPTION_ARG_NONE, &options.decibels, "of a response, amplitudes in decibels",
      NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL, ended = NULL;
  int exit_code;

  ifbam_transform_options_add (&options.transform, context);
  ifbam_response_options_add (&options.response, context);
  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code)
      || !check_words (&options, &network_options, argc, argv, &exit_code))
    return exit_code;
  if (!read_courses (&options, argv + 2, &network_options, &error))
    return ifbam_command_fail (error);
  network_options.record_is_signal = options.recorded;
  if (options.recorded)
    network_options.record = g_strjoinv (",", options.signals);
  /* The rows before a run diverged are drawn: they show the growth. */
  network_options.every_step = options.kind->every_step;
  network_options.event_rows = options.kind->draw == draw_courses && !transforms (options.kind);
  network_options.ended = &ended;
  if (!draw (&options, &network_options, argv + 2, &error))
    return ifbam_command_fail (error);
  return ended == NULL ? IFBAM_EXIT_DONE : ifbam_command_fail (ended);
}

const IfbamCommand ifbam_command_plot = {
  "plot",
  "KIND [FILE...]",
  "draw the course, spectrum, spectrogram, phase portrait or path of CSV or\n"
  "network files, the modes, response or stability of a network, how it moves\n"
  "in the plane, the table of a sweep, or (of no network, or with its modes\n"
  "marked) what schemes do: regions of stability, roots, numerical damping and\n"
  "elongated periods; KIND is course, spectrum, spectrogram, phase, path, movie,\n"
  "modes, response, stability, regions, roots, elongation or sweep",
  "  ifbam plot course networks/one-dof.ini\n"
  "  ifbam plot spectrum networks/two-dof.ini networks/three-dof.ini -o spectra.svg\n"
  "  ifbam plot spectrogram networks/duffing.ini --duration 20s -o duffing.png\n"
  "  ifbam plot phase networks/three-dof.ini -o phase.png\n"
  "  ifbam plot course networks/two-dof.ini --x 0.1s:200ms --y -1mm:1mm -o zoomed.png\n"
  "  ifbam plot course networks/two-dof.ini --signal m1.position --also k1.stiffness=20kN/m -o "
  "both.svg\n"
  "  ifbam plot path networks/ball-sine-small.ini -o way.svg\n"
  "  ifbam plot movie networks/double-pendulum.ini -o double-pendulum.svg\n"
  "  ifbam plot modes networks/chain.ini --count 6 -o shapes.svg\n"
  "  ifbam plot course course.csv --signal '*.position' -o positions.svg\n"
  "  ifbam plot response networks/three-dof.ini --input force@m1 --output m3.position -o bode.png\n"
  "  ifbam plot stability networks/three-dof.ini --step 1ms -o stability.svg\n"
  "  ifbam plot regions -o regions.svg\n"
  "  ifbam plot elongation --x 0:0.2 -o elongation.svg\n"
  "  ifbam plot roots networks/three-dof.ini --step 5ms -o roots.svg\n"
  "  ifbam plot sweep sweep.csv --signal max:m2.position -o sweep.svg\n",
  command_plot,
  NULL,
};

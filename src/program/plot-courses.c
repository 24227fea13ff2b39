/* plot-courses.c: ifbam plot: courses, spectra, spectrograms and phase portraits
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/plot-courses.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "engine/engine.h"
#include "file/file.h"
#include "program/overlay.h"
#include "spectrum/spectrum.h"

#define MAX_MAPS 6 /* spectrograms in one picture */
/* Default segment of orders: turns, at most this part of a course. */
#define SEGMENT_TURNS 8
#define SEGMENT_PART  0.25
#define MOST_ORDERS   10 /* shown in a spectrogram, without --y */

/* Returns "FILE: SIGNAL" (transfer full). */
static char *
label_of (const char *file, const char *signal, gboolean several_files)
{
  return several_files ? g_strdup_printf ("%s: %s", file, signal) : g_strdup (signal);
}

/* Sets an axis to a signal's quantity and unit. */
static void
set_axis (IfbamAxis *axis, IfbamCourse *course, const char *signal)
{
  ifbam_signal_quantity (course, signal, &axis->quantity, &axis->unit);
}

gboolean
ifbam_plot_add_course (const IfbamPlotOptions *options, IfbamCourse *course, const char *signal,
                       const char *label, GError **error)
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

gboolean
ifbam_plot_add_spectrum (const IfbamPlotOptions *options, IfbamCourse *course, const char *signal,
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

/* Sets the axis of turns to speeds [rpm], if these increase. Returns x. */
static const double *
set_speeds (IfbamChart *chart, IfbamCourse *course, const double *turns, gsize n)
{
  gsize n_rows;
  const double *times = ifbam_course_get_values (course, IFBAM_TURNS_TIME, &n_rows, NULL);
  double *speeds =
      ifbam_turns_speeds (ifbam_course_get_times (course, NULL), times, n_rows, turns, n);

  ifbam_chart_own (chart, speeds, g_free);
  chart->x.quantity = "speed";
  chart->x.unit = "rpm";
  for (gsize i = 0; i < n; i++)
    speeds[i] *= 60;
  for (gsize i = 1; i < n; i++)
    if (!(speeds[i] > speeds[i - 1]))
      {
        chart->x.quantity = "turns";
        chart->x.unit = "";
        return turns;
      }
  return speeds;
}

/* TRUE for the angle or speed, and the time, of the shaft of --over: these are not drawn. */
static gboolean
is_of_shaft (const IfbamPlotOptions *options, const char *signal)
{
  return options->over != NULL
         && (g_str_equal (signal, options->over) || g_str_equal (signal, IFBAM_TURNS_TIME));
}

/* Returns the length of a segment in turns. */
static double
segment_turns (const IfbamPlotOptions *options, const double *turns, gsize n)
{
  return options->transform.segment > 0
             ? options->transform.segment
             : fmin (SEGMENT_TURNS, SEGMENT_PART * (turns[n - 1] - turns[0]));
}

gboolean
ifbam_plot_add_orders (const IfbamPlotOptions *options, IfbamCourse *course, const char *signal,
                       const char *label, GError **error)
{
  IfbamChart *chart = options->chart;
  const char *quantity;
  gsize n;
  const double *turns = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, signal, &n, error);

  if (values == NULL || is_of_shaft (options, signal))
    return values != NULL;
  ifbam_signal_quantity (course, signal, &quantity, &chart->y.unit);
  chart->y.quantity = "amplitude";
  for (guint k = 0; k < options->orders->len; k++)
    {
      const double order = g_array_index (options->orders, double, k);
      g_autofree char *own = g_strdup_printf ("%s, order %.6g", label, order);
      IfbamOrderCut cut;
      IfbamCurve *curve;
      gsize largest = 0;

      ifbam_order_cut_find (turns, values, n, order, segment_turns (options, turns, n), &cut);
      ifbam_chart_own (chart, cut.turn, g_free);
      ifbam_chart_own (chart, cut.amplitude, g_free);
      curve = ifbam_chart_add (chart, own, set_speeds (chart, course, cut.turn, cut.n),
                               cut.amplitude, cut.n);
      curve->kin = signal;
      for (gsize i = 1; i < cut.n; i++)
        largest = cut.amplitude[i] > cut.amplitude[largest] ? i : largest;
      curve->mark_x = curve->x + largest;
      curve->mark_y = curve->y + largest;
      curve->n_marks = 1;
    }
  return TRUE;
}

/* Sets the axes of a spectrogram to speeds and orders. */
static void
set_orders (IfbamChart *chart, IfbamCourse *course, IfbamMap *map)
{
  map->x = set_speeds (chart, course, map->x, map->n_x);
  map->even = FALSE;
  if (isnan (chart->y.range.from) && isnan (chart->y.range.to))
    chart->y.range = (IfbamAxisRange){ 0, MOST_ORDERS };
  while (map->n_y > 1 && map->y[map->n_y - 1] > chart->y.range.to)
    map->n_y--;
  chart->y.quantity = "order";
  chart->y.unit = "";
}

/* Adds the spectrogram of a signal. */
gboolean
ifbam_plot_add_spectrogram (const IfbamPlotOptions *options, IfbamCourse *course,
                            const char *signal, const char *label, GError **error)
{
  IfbamChart *chart = options->chart;
  IfbamTransformOptions transform = options->transform;
  IfbamMap map = { .label = ifbam_chart_copy_text (chart, label),
                   .quantity = "amplitude",
                   .even = TRUE,
                   .y_stride = 1 };
  const char *quantity;
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, signal, &n, error);
  IfbamSpectrogram *spectrogram;

  if (values == NULL || is_of_shaft (options, signal))
    return values != NULL;
  if (options->over != NULL)
    transform.segment = segment_turns (options, times, n);
  spectrogram = ifbam_transform_over_time (&transform, times, values, n, error);
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
  if (options->over != NULL)
    set_orders (chart, course, &map);
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

/* Adds curves for pairs of signals that match two patterns: '*.position' and '*.velocity'. */
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
                       "phase needs pairs: \"%s\" fits %u of the signals, \"%s\" %u", one[0], n,
                       other[0], g_strv_length ((char **) y));
  for (guint i = 0; i < n; i++)
    if (!add_pair (chart, course, x[i], y[i], file, several_files, error))
      return FALSE;
  return y != NULL;
}

/* Adds phase portraits of pairs: those named, or each coordinate with its rate. */
static gboolean
add_phase (const IfbamPlotOptions *options, IfbamCourse *course, const char *file,
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
  return ifbam_fail (error, IFBAM_ERROR_COURSE,
                     "%s: no coordinate is recorded with its rate: name the signals to draw, such "
                     "as --signal m1.position --signal m1.velocity",
                     file);
}

static gboolean
add_file (const IfbamPlotOptions *options, IfbamCourse *course, const IfbamDrawn *drawn,
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

/* Reads "FROM:TO" in a unit; either may be empty. FALSE with the reason (transfer full). */
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

gboolean
ifbam_plot_read_range (const char *option, const char *text, const char *unit,
                       IfbamAxisRange *range, GError **error)
{
  g_autofree char *reason = NULL;

  *range = (IfbamAxisRange) IFBAM_AXIS_WHOLE;
  return text == NULL || unit == NULL || read_range (text, unit, range, &reason)
         || ifbam_command_refuse (error, option, text, reason);
}

/* Reads a range in a unit of the curves; *used: the unit, NULL for plain numbers. */
static gboolean
read_range_of_curves (const char *option, const char *text, const IfbamChart *chart,
                      gboolean along_x, IfbamAxisRange *range, const char **used, GError **error)
{
  g_autofree char *reason = NULL;

  *used = NULL;
  if (text == NULL || read_range (text, "", range, &reason))
    return TRUE;
  for (gsize i = 0; i < chart->curves->len; i++)
    {
      g_clear_pointer (&reason, g_free);
      *used = along_x ? ifbam_chart_curve (chart, i)->x_unit : ifbam_chart_curve (chart, i)->y_unit;
      if (read_range (text, *used, range, &reason))
        return TRUE;
    }
  return ifbam_command_refuse (error, option, text, reason);
}

void
ifbam_plot_set_title (const IfbamPlotOptions *options, const char *title)
{
  options->chart->title =
      ifbam_chart_copy_text (options->chart, options->title != NULL ? options->title : title);
}

/* Returns the signals that a network records, and their rates, comma-separated (transfer full). */
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
  g_free (((IfbamDrawn *) data)->name);
}

GArray *
ifbam_list_drawn (const IfbamPlotOptions *options, char **files)
{
  g_auto (GStrv) names = ifbam_chart_file_names ((const char *const *) files);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (IfbamDrawn));

  g_array_set_clear_func (list, drawn_clear);
  for (guint i = 0; files[i] != NULL; i++)
    {
      IfbamDrawn drawn = { .file = files[i], .name = g_strdup (names[i]) };

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

/* Errors of a variant name --also in place of --set. */
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

/* A single network determines the title. */
IfbamCourse *
ifbam_load_drawn (const IfbamNetworkOptions *options, const GArray *list, guint i,
                  IfbamOrigin *origin, GError **error)
{
  const IfbamDrawn *drawn = &g_array_index (list, IfbamDrawn, i);
  g_autoptr (GStrvBuilder) sets = NULL;
  g_auto (GStrv) all = NULL;
  IfbamNetworkOptions variant = *options;
  IfbamCourse *course;

  if (drawn->also == NULL && !ifbam_command_is_course (drawn->file)
      && g_array_index (list, IfbamDrawn, list->len - 1).file
             == g_array_index (list, IfbamDrawn, 0).file)
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
  return chart->maps->len <= MAX_MAPS
         || ifbam_fail (error, IFBAM_ERROR_USAGE,
                        "%u signals are too many for one picture of spectrograms (want at most "
                        "%d: choose with --signal)",
                        chart->maps->len, MAX_MAPS);
}

gboolean
ifbam_figure_transforms (const IfbamFigureKind *kind)
{
  return kind->chart == IFBAM_CHART_SPECTRUM || kind->chart == IFBAM_CHART_MAP;
}

gboolean
ifbam_draw_courses (IfbamPlotOptions *options, IfbamNetworkOptions *network_options, char **files,
                    GError **error)
{
  g_auto (IfbamOrigin) origin = { 0 };
  g_autoptr (GArray) list = ifbam_list_drawn (options, files);
  IfbamChart *chart = options->chart;
  char *const said = network_options->record;
  const char *x_unit;
  gboolean fine = TRUE;

  chart->y.log = options->log;
  for (guint i = 0; fine && i < list->len; i++)
    {
      const IfbamDrawn *drawn = &g_array_index (list, IfbamDrawn, i);
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
      course = ifbam_load_drawn (network_options, list, i, &origin, error);
      network_options->record = said;
      course =
          ifbam_command_cut_course (course, options->response.from, options->response.to, error);
      if (course != NULL && options->over != NULL)
        {
          IfbamCourse *over = ifbam_course_over_turns (course, options->over, error);

          g_object_unref (course);
          course = over;
        }
      else if (course != NULL && ifbam_figure_transforms (options->kind))
        course =
            ifbam_transform_course (&options->transform, course, network_options->sample, error);
      fine = course != NULL;
      if (!fine)
        break;
      ifbam_chart_own (chart, course, g_object_unref);
      fine = add_file (options, course, drawn, list->len > 1, error);
    }
  ifbam_plot_set_title (options, origin.title);
  if (options->kind->chart == IFBAM_CHART_MAP)
    return fine && check_maps (chart, error);
  return fine
         && (options->kind->x_unit != NULL
             || read_range_of_curves ("--x", options->x_text, chart, TRUE, &chart->x.range, &x_unit,
                                      error))
         && read_range_of_curves ("--y", options->y_text, chart, FALSE, &chart->y.range,
                                  &chart->y_range_unit, error);
}

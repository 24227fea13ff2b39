/* command-spectrum.c: ifbam spectrum: the peaks of a course's spectrum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command-transform.h"
#include "ifbam-dispersion.h"
#include "ifbam-refinement.h"
#include "plot.h"

typedef struct
{
  char **signals;
  IfbamTransformOptions transform;
  double threshold;
  gboolean unrefined, spectrogram, json;
} SpectrumOptions;

static void
spectrum_options_clear (SpectrumOptions *options)
{
  g_strfreev (options->signals);
  ifbam_transform_options_clear (&options->transform);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SpectrumOptions, spectrum_options_clear)

/* A peak, and what is known of the line that makes it; NaN where nothing is. */
typedef struct
{
  double frequency, amplitude, decay_rate;
  double density; /* of an averaged spectrum's power [square of the unit / Hz] */
  double corrected_frequency, corrected_decay_rate;
} Line;

typedef struct
{
  const char *name, *unit;
  double resolution;
  gsize n_segments;
  Line *lines; /* [n] by frequency */
  gsize n;
  IfbamSpectrogram *spectrogram; /* instead of the lines */
} Signal;

static void
signal_clear (gpointer data)
{
  Signal *signal = data;

  g_free (signal->lines);
  g_clear_object (&signal->spectrogram);
}

/* Finding the lines */

static void
correct (Line *line, const IfbamOrigin *origin)
{
  line->corrected_frequency = line->corrected_decay_rate = NAN;
  if (origin->scheme != NULL && !isnan (line->decay_rate))
    ifbam_undo_dispersion (origin->scheme->name, origin->step, line->frequency, line->decay_rate,
                           &line->corrected_frequency, &line->corrected_decay_rate, NULL);
}

static int
compare_frequencies (gconstpointer a, gconstpointer b)
{
  const Line *p = a, *q = b;

  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

static gboolean
find_lines (const SpectrumOptions *options, const double *times, const double *values, gsize n_rows,
            const IfbamOrigin *origin, Signal *signal, GError **error)
{
  g_autoptr (IfbamSpectrum) spectrum =
      ifbam_transform (&options->transform, times, values, n_rows, error);
  const gboolean averaged = ifbam_transform_is_averaged (&options->transform);
  g_autofree IfbamPeak *peaks = NULL;
  g_autofree IfbamLine *refined = NULL;

  if (spectrum == NULL)
    return FALSE;
  signal->resolution = ifbam_spectrum_get_resolution (spectrum);
  signal->n_segments = ifbam_spectrum_get_n_segments (spectrum);
  peaks = ifbam_spectrum_find_peaks (spectrum, options->threshold, TRUE, &signal->n);
  if (!options->unrefined && !averaged)
    {
      refined = ifbam_refine_peaks (times, values, n_rows, peaks, signal->n, error);
      if (refined == NULL)
        return FALSE;
    }
  signal->lines = g_new (Line, signal->n + 1);
  for (gsize i = 0; i < signal->n; i++)
    {
      Line *line = &signal->lines[i];

      line->frequency = refined != NULL ? refined[i].frequency : peaks[i].frequency;
      line->decay_rate = refined != NULL ? refined[i].decay_rate : NAN;
      line->amplitude = peaks[i].amplitude;
      line->density = averaged ? 0.5 * peaks[i].amplitude * peaks[i].amplitude
                                     / ifbam_spectrum_get_bandwidth (spectrum)
                               : NAN;
      correct (line, origin);
    }
  qsort (signal->lines, signal->n, sizeof (Line), compare_frequencies);
  return TRUE;
}

static gboolean
follow_lines (const SpectrumOptions *options, const double *times, const double *values,
              gsize n_rows, Signal *signal, GError **error)
{
  signal->spectrogram =
      ifbam_transform_over_time (&options->transform, times, values, n_rows, error);
  if (signal->spectrogram != NULL)
    signal->resolution = ifbam_spectrogram_get_resolution (signal->spectrogram);
  return signal->spectrogram != NULL;
}

static void
show_progress (gsize done, gsize all, gint64 began, gboolean *shown)
{
  if (g_get_monotonic_time () - began < 2 * G_USEC_PER_SEC || !isatty (STDERR_FILENO))
    return;
  g_printerr ("\r%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " signals   ", done, all);
  *shown = TRUE;
}

/* The lines of all signals (Signal); NULL with an error. */
static GArray *
find_all (IfbamCourse *course, const SpectrumOptions *options, const IfbamOrigin *origin,
          GError **error)
{
  const char *const *names = options->signals != NULL ? (const char *const *) options->signals
                                                      : ifbam_course_get_signals (course);
  g_autoptr (GArray) signals = g_array_new (FALSE, TRUE, sizeof (Signal));
  gsize n = g_strv_length ((char **) names);
  gint64 began = g_get_monotonic_time ();
  gboolean shown = FALSE, fine = TRUE;

  g_array_set_clear_func (signals, signal_clear);
  for (gsize i = 0; i < n && fine; i++)
    {
      Signal signal = { .name = names[i] };
      const char *quantity;
      gsize n_rows;
      const double *times = ifbam_course_get_times (course, &n_rows);
      const double *values = ifbam_course_get_values (course, names[i], &n_rows, error);

      ifbam_plot_quantity (course, names[i], &quantity, &signal.unit);
      fine = values != NULL
             && (options->spectrogram
                     ? follow_lines (options, times, values, n_rows, &signal, error)
                     : find_lines (options, times, values, n_rows, origin, &signal, error));
      if (fine)
        g_array_append_val (signals, signal);
      show_progress (i + 1, n, began, &shown);
    }
  if (shown)
    g_printerr ("\r%30s\r", "");
  return fine ? g_steal_pointer (&signals) : NULL;
}

/* Printing them */

/* "-" for what is not known */
static void
append_number (GString *text, const char *format, int digits, double number)
{
  g_autofree char *written = NULL;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  written = isnan (number) ? g_strdup ("-") : g_strdup_printf (format, digits, number);
#pragma GCC diagnostic pop
  g_string_append_printf (text, "  %16s", written);
}

/* Decay rates are as right as the course is long: five digits below the resolution's first. */
static int
decimals (double resolution)
{
  return CLAMP (5 - (int) floor (log10 (resolution)), 0, 15);
}

/* Without the sign of a zero. */
static double
rounded (double number, int digits)
{
  double unit = pow (10.0, -digits);

  return fabs (number) < 0.5 * unit ? 0.0 : number;
}

static void
append_head (GString *text, const Signal *signal, gboolean averaged)
{
  g_string_append_printf (text, "%s (resolution %.6g Hz", signal->name, signal->resolution);
  if (averaged)
    g_string_append_printf (text, ", %" G_GSIZE_FORMAT " segments", signal->n_segments);
  g_string_append (text, ")\n");
}

/* The square of a unit per hertz: "m2/Hz", "(m/s)2/Hz" (transfer full). */
static char *
density_unit (const char *unit)
{
  gboolean simple = strpbrk (unit, "/ 2") == NULL;

  return g_strdup_printf (*unit == '\0' ? "%s1/Hz" : simple ? "%s2/Hz" : "(%s)2/Hz", unit);
}

static void
append_averaged (GString *text, const Signal *signal)
{
  int width = (int) g_utf8_strlen (signal->unit, -1);
  g_autofree char *unit = density_unit (signal->unit);

  g_string_append_printf (text, "  %16s  %16s %*s  %16s\n", "frequency [Hz]", "amplitude", width,
                          "", "power density");
  for (gsize i = 0; i < signal->n; i++)
    g_string_append_printf (text, "  %16.8g  %16.6g %s  %16.6g %s\n", signal->lines[i].frequency,
                            signal->lines[i].amplitude, signal->unit, signal->lines[i].density,
                            unit);
}

static void
append_lines (GString *text, const Signal *signal, const IfbamOrigin *origin, gboolean unrefined)
{
  int width = (int) g_utf8_strlen (signal->unit, -1), digits = decimals (signal->resolution);

  g_string_append_printf (text, "  %16s  %16s", "frequency [Hz]", "amplitude");
  if (!unrefined)
    g_string_append_printf (text, " %*s  %16s", width, "", "decay rate [1/s]");
  if (!unrefined && origin->scheme != NULL)
    g_string_append_printf (text, "  %16s  %16s", "corrected [Hz]", "corrected [1/s]");
  g_string_append_c (text, '\n');
  for (gsize i = 0; i < signal->n; i++)
    {
      const Line *line = &signal->lines[i];

      g_string_append_printf (text, "  %16.8g  %16.6g %s", line->frequency, line->amplitude,
                              signal->unit);
      if (!unrefined)
        append_number (text, "%.*f", digits, rounded (line->decay_rate, digits));
      if (!unrefined && origin->scheme != NULL)
        {
          append_number (text, "%.*g", 8, line->corrected_frequency);
          append_number (text, "%.*f", digits, rounded (line->corrected_decay_rate, digits));
        }
      g_string_append_c (text, '\n');
    }
}

static void
append_ridge (GString *text, const Signal *signal)
{
  gsize n;
  const double *times = ifbam_spectrogram_get_times (signal->spectrogram, &n);
  const IfbamPeak *ridge = ifbam_spectrogram_get_ridge (signal->spectrogram, &n);

  g_string_append_printf (text, "  %16s  %16s  %16s\n", "time [s]", "frequency [Hz]", "amplitude");
  for (gsize i = 0; i < n; i++)
    {
      append_number (text, "%.*g", 8, times[i]);
      append_number (text, "%.*g", 8, ridge[i].frequency);
      append_number (text, "%.*g", 6, ridge[i].amplitude);
      g_string_append_printf (text, " %s\n", isnan (ridge[i].amplitude) ? "" : signal->unit);
    }
}

static void
append_json_ridge (JsonBuilder *builder, const Signal *signal)
{
  gsize n;
  const double *times = ifbam_spectrogram_get_times (signal->spectrogram, &n);
  const IfbamPeak *ridge = ifbam_spectrogram_get_ridge (signal->spectrogram, &n);

  json_builder_set_member_name (builder, "instants");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      ifbam_json_number (builder, "time", times[i]);
      ifbam_json_number (builder, "frequency", ridge[i].frequency);
      ifbam_json_number (builder, "amplitude", ridge[i].amplitude);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
append_json_lines (JsonBuilder *builder, const Signal *signal)
{
  json_builder_set_member_name (builder, "peaks");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < signal->n; i++)
    {
      const Line *line = &signal->lines[i];

      json_builder_begin_object (builder);
      ifbam_json_number (builder, "frequency", line->frequency);
      ifbam_json_number (builder, "amplitude", line->amplitude);
      ifbam_json_number (builder, "decay_rate", line->decay_rate);
      ifbam_json_number (builder, "corrected_frequency", line->corrected_frequency);
      ifbam_json_number (builder, "corrected_decay_rate", line->corrected_decay_rate);
      if (!isnan (line->density))
        ifbam_json_number (builder, "density", line->density);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
append_json (JsonBuilder *builder, const Signal *signal)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "signal");
  json_builder_add_string_value (builder, signal->name);
  json_builder_set_member_name (builder, "unit");
  json_builder_add_string_value (builder, signal->unit);
  ifbam_json_number (builder, "resolution", signal->resolution);
  if (signal->spectrogram != NULL)
    append_json_ridge (builder, signal);
  else
    {
      json_builder_set_member_name (builder, "segments");
      json_builder_add_int_value (builder, (gint64) signal->n_segments);
      append_json_lines (builder, signal);
    }
  json_builder_end_object (builder);
}

static int
print_text (const GArray *signals, const IfbamOrigin *origin, const SpectrumOptions *options)
{
  g_autoptr (GString) text = g_string_new (NULL);

  const gboolean averaged = ifbam_transform_is_averaged (&options->transform);

  for (guint i = 0; i < signals->len; i++)
    {
      const Signal *signal = &g_array_index (signals, Signal, i);

      append_head (text, signal, averaged && !options->spectrogram);
      if (options->spectrogram)
        append_ridge (text, signal);
      else if (averaged)
        append_averaged (text, signal);
      else
        append_lines (text, signal, origin, options->unrefined);
      if (signal->n == 0 && !options->spectrogram)
        g_string_append (text, "  no peaks\n");
    }
  return ifbam_command_print (text->str);
}

static int
print_json (const GArray *signals, const IfbamOrigin *origin)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "signals");
  json_builder_begin_array (builder);
  for (guint i = 0; i < signals->len; i++)
    append_json (builder, &g_array_index (signals, Signal, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "scheme");
  if (origin->scheme != NULL)
    json_builder_add_string_value (builder, origin->scheme->name);
  else
    json_builder_add_null_value (builder);
  ifbam_json_number (builder, "step", origin->scheme != NULL ? origin->step : NAN);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

static int
command_spectrum (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (SpectrumOptions)
      options = { .threshold = IFBAM_SPECTRUM_THRESHOLD, .transform = IFBAM_TRANSFORM_OPTIONS };
  const GOptionEntry entries[] = {
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "one of the course's signals (default: all); may be repeated", "S" },
    { "threshold", 0, 0, G_OPTION_ARG_DOUBLE, &options.threshold,
      "leave out peaks below this part of the strongest (default 0.001)", "PART" },
    { "unrefined", 0, 0, G_OPTION_ARG_NONE, &options.unrefined,
      "the peaks as the transform has them: no decay rates, no correction", NULL },
    { "spectrogram", 0, 0, G_OPTION_ARG_NONE, &options.spectrogram,
      "the strongest peak of each segment, over time", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_spectrum, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (GArray) signals = NULL;
  IfbamOrigin origin;
  gboolean recorded;
  int exit_code;

  (void) program;
  ifbam_transform_options_add (&options.transform, context);
  ifbam_network_options_add (&network_options, context);
  if (!ifbam_command_parse (&ifbam_command_spectrum, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  if (!ifbam_transform_options_read (&options.transform, &error))
    return ifbam_command_fail (error);
  /* A signal of a network need not be named twice. */
  recorded = network_options.record == NULL && options.signals != NULL;
  if (recorded)
    network_options.record = g_strjoinv (",", options.signals);
  /* There they may have been patterns and ranges, too. */
  if (recorded && !g_str_has_suffix (argv[1], ".csv"))
    g_clear_pointer (&options.signals, g_strfreev);
  course = ifbam_command_course_and_origin (&network_options, argv[1], &origin, &error);
  if (course != NULL)
    course = ifbam_transform_course (&options.transform, g_steal_pointer (&course),
                                     network_options.sample, &error);
  if (course == NULL)
    return ifbam_command_fail (error);
  signals = find_all (course, &options, &origin, &error);
  if (signals == NULL)
    return ifbam_command_fail (error);
  if (origin.driven && !options.unrefined && !options.spectrogram
      && !ifbam_transform_is_averaged (&options.transform))
    g_printerr (
        "ifbam: note: a line that a source or a drive makes stands where it is in the course; "
        "what is corrected holds for the network's own\n");
  return options.json ? print_json (signals, &origin) : print_text (signals, &origin, &options);
}

const IfbamCommand ifbam_command_spectrum = {
  "spectrum",
  "NETWORK|CSV",
  "find the eigenfrequencies in the spectrum of a course",
  "  ifbam spectrum networks/two-dof.ini --signal m1.position\n"
  "  ifbam spectrum networks/three-dof.ini --step 1ms\n"
  "  ifbam spectrum course.csv --scheme averaged --step 50us --json\n"
  "  ifbam spectrum networks/measured-floor.ini --welch\n"
  "\nPeaks lie below 0.95 of the Nyquist frequency: near it the schemes original and averaged have "
  "a\n"
  "line of their own. Harmonic inversion refines them and tells their decay rates [1/s]; "
  "corrected\n"
  "frequencies and decay rates are those of the network, without the scheme's error. Of a CSV "
  "file\n"
  "--scheme and --step say what computed it. A peak without a decay rate is no free oscillation.\n",
  command_spectrum,
};

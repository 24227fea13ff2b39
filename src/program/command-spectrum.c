/* command-spectrum.c: ifbam spectrum: the peaks of a course's spectrum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/cautions.h"
#include "program/command-spectrum-modes.h"
#include "linear/linear.h"
#include "base/number-text.h"
#include "spectrum/spectrum.h"
#include "figure/figure.h"

typedef struct
{
  char **signals, *count_text;
  guint count; /* largest number of lines per signal */
  IfbamTransformOptions transform;
  double threshold;
  char *network, *from, *to;
  gboolean unrefined, spectrogram, compare, json;
} SpectrumOptions;

static void
spectrum_options_clear (SpectrumOptions *options)
{
  g_strfreev (options->signals);
  g_free (options->count_text);
  g_free (options->network);
  g_free (options->from);
  g_free (options->to);
  ifbam_transform_options_clear (&options->transform);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SpectrumOptions, spectrum_options_clear)

static void
signal_clear (gpointer data)
{
  IfbamSpectrumSignal *signal = data;

  g_free (signal->lines);
  g_clear_object (&signal->spectrogram);
}

/* Lines */

static void
correct (IfbamSpectrumLine *line, const IfbamOrigin *origin)
{
  line->corrected_frequency = line->corrected_decay_rate = NAN;
  /* Adaptive steps have no dispersion to correct. */
  if (origin->spec.scheme != NULL && !(origin->spec.tolerance > 0) && !isnan (line->decay_rate))
    ifbam_undo_dispersion (origin->spec.scheme->name, origin->spec.step, line->frequency,
                           line->decay_rate, &line->corrected_frequency,
                           &line->corrected_decay_rate, NULL);
}

static int
compare_frequencies (gconstpointer a, gconstpointer b)
{
  const IfbamSpectrumLine *p = a, *q = b;

  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

static int
compare_amplitudes (gconstpointer a, gconstpointer b)
{
  const IfbamSpectrumLine *p = a, *q = b;

  return (p->amplitude < q->amplitude) - (p->amplitude > q->amplitude);
}

static gboolean
find_lines (const SpectrumOptions *options, const double *times, const double *values, gsize n_rows,
            const IfbamOrigin *origin, IfbamSpectrumSignal *signal, GError **error)
{
  g_autoptr (IfbamSpectrum) spectrum =
      ifbam_transform (&options->transform, times, values, n_rows, error);
  const gboolean averaged = ifbam_transform_is_averaged (&options->transform);
  g_autofree IfbamPeak *peaks = NULL;
  g_autofree IfbamLine *refined = NULL;
  gsize n_peaks;

  if (spectrum == NULL)
    return FALSE;
  signal->resolution = ifbam_spectrum_get_resolution (spectrum);
  signal->n_segments = ifbam_spectrum_get_n_segments (spectrum);
  signal->nyquist = 0.5 * (double) (n_rows - 1) / (times[n_rows - 1] - times[0]);
  peaks = ifbam_spectrum_find_peaks (spectrum, options->threshold, TRUE, &n_peaks);
  signal->n = n_peaks;
  if (!options->unrefined && !averaged)
    {
      refined = ifbam_refine_peaks (times, values, n_rows, peaks, n_peaks, options->threshold,
                                    &signal->n, error);
      if (refined == NULL)
        return FALSE;
      signal->n =
          ifbam_fit_ring_downs (times, values, n_rows, refined, signal->n, signal->resolution);
    }
  signal->lines = g_new0 (IfbamSpectrumLine, signal->n + 1);
  for (gsize i = 0; i < signal->n; i++)
    {
      IfbamSpectrumLine *line = &signal->lines[i];

      line->frequency = refined != NULL ? refined[i].frequency : peaks[i].frequency;
      line->decay_rate = refined != NULL ? refined[i].decay_rate : NAN;
      line->damping_ratio = line->decay_rate / hypot (line->decay_rate, 2 * G_PI * line->frequency);
      line->amplitude = refined != NULL ? refined[i].peak : peaks[i].amplitude;
      line->density = averaged ? 0.5 * line->amplitude * line->amplitude
                                     / ifbam_spectrum_get_bandwidth (spectrum)
                               : NAN;
      correct (line, origin);
    }
  if (options->count > 0 && signal->n > options->count)
    {
      qsort (signal->lines, signal->n, sizeof (IfbamSpectrumLine), compare_amplitudes);
      signal->n = options->count;
    }
  qsort (signal->lines, signal->n, sizeof (IfbamSpectrumLine), compare_frequencies);
  return TRUE;
}

static gboolean
follow_lines (const SpectrumOptions *options, const double *times, const double *values,
              gsize n_rows, IfbamSpectrumSignal *signal, GError **error)
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

/* Returns the lines of all signals (IfbamSpectrumSignal); NULL with an error. */
static GArray *
find_all (IfbamCourse *course, const SpectrumOptions *options, const IfbamOrigin *origin,
          GError **error)
{
  g_autofree const char **names =
      ifbam_course_find_signals (course, (const char *const *) options->signals, error);
  g_autoptr (GArray) signals = g_array_new (FALSE, TRUE, sizeof (IfbamSpectrumSignal));
  gsize n = names == NULL ? 0 : g_strv_length ((char **) names);
  gint64 began = g_get_monotonic_time ();
  gboolean shown = FALSE, fine = names != NULL;

  g_array_set_clear_func (signals, signal_clear);
  for (gsize i = 0; i < n && fine; i++)
    {
      IfbamSpectrumSignal signal = { .name = names[i] };
      const char *quantity;
      gsize n_rows;
      const double *times = ifbam_course_get_times (course, &n_rows);
      const double *values = ifbam_course_get_values (course, names[i], &n_rows, error);

      ifbam_signal_quantity (course, names[i], &quantity, &signal.unit);
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

/* Output */

#define MAX_UNSEEN   8    /* number of modes that are named */
#define MIN_RELATIVE 1e-9 /* least difference of frequencies that is printed */

/* Returns the digits of decay rates: five below the first digit of the resolution. */
static int
decimals (double resolution)
{
  return CLAMP (5 - (int) floor (log10 (resolution)), 0, 15);
}

/* Returns 0 in place of -0. */
static double
rounded (double number, int digits)
{
  double unit = pow (10.0, -digits);

  return fabs (number) < 0.5 * unit ? 0.0 : number;
}

/* Returns a difference with two digits; "< LEAST" if it is smaller (transfer full). */
static char *
difference_text (double difference, double least)
{
  return isnan (difference)          ? g_strdup ("-")
         : fabs (difference) < least ? g_strdup_printf ("< %.0e", least)
                                     : g_strdup_printf ("%+.1e", difference);
}

/* Adds a note if lines are closer than the transform resolves. */
static void
add_near (IfbamAnswer *answer, const IfbamSpectrumSignal *signal)
{
  const double reach = IFBAM_SPECTRUM_PARTED * signal->resolution;
  guint near = 0;

  for (gsize i = 1; i < signal->n; i++)
    near += signal->lines[i].frequency - signal->lines[i - 1].frequency < reach;
  if (near > 0)
    ifbam_answer_add_note (answer,
                           "  lines nearer than %.3g Hz to each other: one peak may be of two, "
                           "parted by harmonic inversion\n",
                           reach);
}

static void
add_ridge (IfbamAnswer *answer, const IfbamSpectrumSignal *signal)
{
  gsize n;
  const double *times = ifbam_spectrogram_get_times (signal->spectrogram, &n);
  const IfbamPeak *ridge = ifbam_spectrogram_get_ridge (signal->spectrogram, &n);

  ifbam_answer_add_note (answer, "  %16s  %16s  %16s\n", "time [s]", "frequency [Hz]", "amplitude");
  ifbam_answer_begin_list (answer, "instants");
  for (gsize i = 0; i < n; i++)
    {
      const gboolean found = !isnan (ridge[i].amplitude);

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add (answer, "time,frequency,amplitude", "  %16.8g  %16.8g  %16.6g%s%s\n",
                        times[i], ridge[i].frequency, ridge[i].amplitude, found ? " " : "",
                        found ? signal->unit : "");
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

static void
add_line_heads (IfbamAnswer *answer, const IfbamSpectrumResult *result,
                const IfbamSpectrumSignal *signal)
{
  const int width = (int) g_utf8_strlen (signal->unit, -1);

  if (!result->averaged && result->modes != NULL)
    {
      ifbam_answer_add_note (answer, "  %16s  %16s  %16s  %10s  %16s  %16s  %10s\n",
                             "spectrum [Hz]", "corrected [Hz]", "mode [Hz]", "relative",
                             "corrected [1/s]", "mode [1/s]", "difference");
      return;
    }
  ifbam_answer_add_note (answer, "  %16s  %16s", "frequency [Hz]", "amplitude");
  if (result->averaged || !result->unrefined)
    ifbam_answer_add_note (answer, " %*s  %s", width, "",
                           result->averaged ? "   power density" : "decay rate [1/s]       ratio");
  if (!result->averaged && !result->unrefined && result->scheme != NULL)
    ifbam_answer_add_note (answer, "  %16s  %16s", "corrected [Hz]", "corrected [1/s]");
  ifbam_answer_add_note (answer, "\n");
}

/* Adds the mode of a line, and the line's deviation from it. */
static void
add_compared (IfbamAnswer *answer, const IfbamSpectrumResult *result, const IfbamSpectrumLine *line,
              int digits)
{
  const IfbamMode none = { .frequency = NAN, .decay_rate = NAN };
  const IfbamMode mode =
      line->mode > 0 ? g_array_index (result->modes, IfbamMode, line->mode - 1) : none;
  const double decay_difference = line->corrected_decay_rate - mode.decay_rate;
  g_autofree char *relative =
      difference_text (line->corrected_frequency / mode.frequency - 1.0, MIN_RELATIVE);
  g_autofree char *absolute = difference_text (decay_difference, pow (10.0, -digits));

  if (line->mode > 0 && result->all_modes)
    ifbam_answer_add_data (answer, "mode", "%zu", line->mode);
  else
    ifbam_answer_add_data (answer, "mode", "%g", NAN);
  ifbam_answer_add_data (
      answer, "mode_frequency,mode_decay_rate,frequency_difference,decay_rate_difference",
      "%g%g%g%g", mode.frequency, mode.decay_rate, line->corrected_frequency - mode.frequency,
      decay_difference);
  ifbam_answer_add_note (answer, "  %16.8g  %16.8g  %16.8g  %10s  %16.*f  %16.*f  %10s\n",
                         line->frequency, line->corrected_frequency, mode.frequency, relative,
                         digits, rounded (line->corrected_decay_rate, digits), digits,
                         rounded (mode.decay_rate, digits), absolute);
}

static void
add_line (IfbamAnswer *answer, const IfbamSpectrumResult *result, const IfbamSpectrumSignal *signal,
          const IfbamSpectrumLine *line)
{
  const int digits = decimals (signal->resolution);

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add_data (answer,
                         "frequency,amplitude,decay_rate,damping_ratio,corrected_frequency,"
                         "corrected_decay_rate",
                         "%g%g%g%g%g%g", line->frequency, line->amplitude, line->decay_rate,
                         line->damping_ratio, line->corrected_frequency,
                         line->corrected_decay_rate);
  if (result->modes != NULL)
    add_compared (answer, result, line, digits);
  else
    ifbam_answer_add_note (answer, "  %16.8g  %16.6g %s", line->frequency, line->amplitude,
                           signal->unit);
  if (result->averaged)
    {
      g_autofree char *unit = ifbam_density_unit (signal->unit);

      ifbam_answer_add (answer, "density", "  %16.6g %s\n", line->density, unit);
    }
  else if (result->modes == NULL)
    {
      if (!result->unrefined)
        ifbam_answer_add_note (answer, "  %16.*f  %10.6f", digits,
                               rounded (line->decay_rate, digits),
                               rounded (line->damping_ratio, 6));
      if (!result->unrefined && result->scheme != NULL)
        ifbam_answer_add_note (answer, "  %16.8g  %16.*f", line->corrected_frequency, digits,
                               rounded (line->corrected_decay_rate, digits));
      ifbam_answer_add_note (answer, "\n");
    }
  ifbam_answer_end (answer);
}

/* Adds frequencies of modes that a signal could show, but does not. */
static void
add_unseen (IfbamAnswer *answer, const IfbamSpectrumResult *result,
            const IfbamSpectrumSignal *signal)
{
  guint n = 0;

  ifbam_answer_begin_list (answer, "unseen_modes");
  for (gsize i = 1; i <= result->modes->len; i++)
    if (ifbam_spectrum_lacks (result, signal, i))
      {
        const double frequency = g_array_index (result->modes, IfbamMode, i - 1).frequency;

        ifbam_answer_add_data (answer, "", "%g", frequency);
        if (++n <= MAX_UNSEEN)
          ifbam_answer_add_note (answer, "%s%.6g Hz", n == 1 ? "  no line for the modes at " : ", ",
                                 frequency);
      }
  ifbam_answer_end (answer);
  if (n > MAX_UNSEEN)
    ifbam_answer_add_note (answer, " and %u more", n - MAX_UNSEEN);
  if (n > 0)
    ifbam_answer_add_note (answer, "\n");
}

static void
add_signal (IfbamAnswer *answer, const IfbamSpectrumResult *result,
            const IfbamSpectrumSignal *signal)
{
  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add (answer, "signal", "%s", signal->name);
  ifbam_answer_add_data (answer, "unit", "%s", signal->unit);
  ifbam_answer_add (answer, "resolution", " (resolution %.6g Hz", signal->resolution);
  if (result->unrefined)
    ifbam_answer_add_note (answer, "; lines nearer than %.3g Hz look like one",
                           IFBAM_SPECTRUM_PARTED * signal->resolution);
  if (!result->spectrogram)
    ifbam_answer_add_data (answer, "segments", "%zu", signal->n_segments);
  if (result->averaged && !result->spectrogram)
    ifbam_answer_add_note (answer, ", %zu segments", signal->n_segments);
  ifbam_answer_add_note (answer, ")\n");
  if (result->spectrogram)
    add_ridge (answer, signal);
  else
    {
      add_line_heads (answer, result, signal);
      ifbam_answer_begin_list (answer, "peaks");
      for (gsize i = 0; i < signal->n; i++)
        add_line (answer, result, signal, &signal->lines[i]);
      ifbam_answer_end (answer);
      if (!result->unrefined && !result->averaged)
        add_near (answer, signal);
      if (signal->n == 0)
        ifbam_answer_add_note (answer, "  no peaks\n");
    }
  if (result->modes != NULL)
    add_unseen (answer, result, signal);
  ifbam_answer_end (answer);
}

static int
print (const IfbamSpectrumResult *result, gboolean json)
{
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);

  ifbam_answer_begin_list (answer, "signals");
  for (guint i = 0; i < result->signals->len; i++)
    add_signal (answer, result, &g_array_index (result->signals, IfbamSpectrumSignal, i));
  ifbam_answer_end (answer);
  ifbam_answer_add_data (answer, "scheme,step", "%s%g",
                         result->scheme != NULL ? result->scheme->name : NULL,
                         result->scheme != NULL ? result->step : NAN);
  return ifbam_answer_finish (answer);
}

/* Returns the exit code for conflicting options; -1: there are none. */
static int
check_options (const SpectrumOptions *options, const char *path)
{
  const gboolean csv = ifbam_command_is_course (path);

  if (options->network != NULL && !csv)
    return ifbam_command_usage (&ifbam_command_spectrum,
                                "--network %s: %s is a network itself (--network is for CSV files)",
                                options->network, path);
  if (options->count > 0 && options->spectrogram)
    return ifbam_command_usage (&ifbam_command_spectrum,
                                "--count: a spectrogram has one line, the strongest at each time");
  if (!options->compare)
    return -1;
  if (csv && options->network == NULL)
    return ifbam_command_usage (&ifbam_command_spectrum,
                                "--compare: %s does not say whose modes it has (want --network "
                                "NETWORK)",
                                path);
  if (options->unrefined || options->spectrogram
      || ifbam_transform_is_averaged (&options->transform))
    return ifbam_command_usage (
        &ifbam_command_spectrum,
        "--compare needs refined lines: it can't be combined with --unrefined, "
        "--spectrogram, --welch, --segment or --overlap");
  return -1;
}

/* Prints notes about lines that are no free oscillations of a linear network. */
static void
note_other_lines (const IfbamOrigin *origin)
{
  if (origin->driven)
    g_printerr ("ifbam: note: lines of sources and drives are at the frequencies in the course; "
                "corrected values hold for the network's own lines\n");
  if (origin->nonlinear)
    g_printerr ("ifbam: note: not all laws are linear: overtones are at multiples of their lowest "
                "line, and corrected values hold for small motions\n");
}

/* Checks that only options for the scheme and step of a CSV file are given. */
static gboolean
fits_csv (const SpectrumOptions *options, const IfbamNetworkOptions *network_options,
          const char *path, GError **error)
{
  const char *meant[5] = { "scheme", "step" };
  guint n = 2;

  if (options->network != NULL)
    meant[n++] = "set";
  if (options->transform.resample)
    meant[n++] = "sample";
  return ifbam_network_options_fit_csv (network_options, path, meant, error);
}

static void
warn_of_aliases (const IfbamOrigin *origin)
{
  g_autofree char *text = ifbam_cautions_alias_text (origin->model, &origin->spec);

  if (text != NULL)
    g_printerr ("ifbam: warning: %s\n", text);
}

static int
run_command (const SpectrumOptions *options, const IfbamNetworkOptions *network_options,
             const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (GArray) signals = NULL, modes = NULL;
  g_auto (IfbamOrigin) origin = { 0 };
  IfbamSpectrumResult result = { .averaged = ifbam_transform_is_averaged (&options->transform),
                                 .unrefined = options->unrefined,
                                 .spectrogram = options->spectrogram };
  gboolean compared = TRUE;

  if (ifbam_command_is_course (path) && !fits_csv (options, network_options, path, &error))
    return ifbam_command_fail (error);
  course =
      ifbam_command_course_and_origin (network_options, path, options->network, &origin, &error);
  if (course != NULL && !ifbam_command_is_course (path))
    warn_of_aliases (&origin);
  course = ifbam_command_cut_course (g_steal_pointer (&course), options->from, options->to, &error);
  if (course != NULL)
    course = ifbam_transform_course (&options->transform, g_steal_pointer (&course),
                                     network_options->sample, &error);
  if (course != NULL)
    signals = find_all (course, options, &origin, &error);
  if (signals == NULL)
    return ifbam_command_fail (error);
  result.signals = signals;
  result.scheme = origin.spec.tolerance > 0 ? NULL : origin.spec.scheme;
  result.step = origin.spec.step;
  if (options->compare)
    compared = ifbam_spectrum_compare (&result, origin.model, &origin.spec, &error);
  modes = result.modes;
  if (!compared)
    return ifbam_command_fail (error);
  if (!result.unrefined && !result.spectrogram && !result.averaged)
    note_other_lines (&origin);
  return print (&result, options->json);
}

static int
command_spectrum (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (SpectrumOptions)
      options = { .threshold = IFBAM_SPECTRUM_THRESHOLD, .transform = IFBAM_TRANSFORM_OPTIONS };
  const GOptionEntry entries[] = {
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "signals, such as m1.position or '*.position' (default: all); may be repeated", "S" },
    { "threshold", 0, 0, G_OPTION_ARG_DOUBLE, &options.threshold,
      "omit lines below this part of the strongest (default 0.001)", "PART" },
    { "count", 0, 0, G_OPTION_ARG_STRING, &options.count_text,
      "number of lines per signal, the strongest, or \"all\" (default)", "N" },
    { "compare", 0, 0, G_OPTION_ARG_NONE, &options.compare,
      "show the modes of the network beside the lines, with the differences", NULL },
    { "network", 0, 0, G_OPTION_ARG_FILENAME, &options.network, "network file of a CSV file",
      "NETWORK" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options.from, "use rows from this time on", "T" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options.to, "use rows up to this time", "T" },
    { "unrefined", 0, 0, G_OPTION_ARG_NONE, &options.unrefined,
      "peaks of the transform, without decay rates and corrections", NULL },
    { "spectrogram", 0, 0, G_OPTION_ARG_NONE, &options.spectrogram,
      "the strongest line of each segment, over time", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  int exit_code;

  ifbam_transform_options_add (&options.transform, context, NULL);
  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (!(options.threshold >= 0 && options.threshold <= 1))
    return ifbam_command_usage (command,
                                "--threshold %s: want 0 to 1, a part of the strongest peak",
                                IFBAM_NUMBER (options.threshold));
  if (!ifbam_command_read_count (command, options.count_text, &options.count))
    return IFBAM_EXIT_USAGE;
  if (!ifbam_transform_options_read (&options.transform, &error))
    return ifbam_command_fail (error);
  exit_code = check_options (&options, argv[1]);
  if (exit_code >= 0)
    return exit_code;
  /* Signals of a network are also recorded; so they may be patterns or ranges. */
  if (!ifbam_command_is_course (argv[1]) && network_options.record == NULL
      && options.signals != NULL)
    {
      network_options.record = g_strjoinv (",", options.signals);
      network_options.record_is_signal = TRUE;
      g_clear_pointer (&options.signals, g_strfreev);
    }
  return run_command (&options, &network_options, argv[1]);
}

const IfbamCommand ifbam_command_spectrum = {
  "spectrum",
  "NETWORK|CSV",
  "find the lines in the spectrum of a course",
  "  ifbam spectrum networks/two-dof.ini --signal m1.position\n"
  "  ifbam spectrum course.csv --signal '*.position' --count 3\n"
  "  ifbam spectrum networks/three-dof.ini --step 1ms --compare\n"
  "  ifbam spectrum course.csv --scheme averaged --step 50us --json\n"
  "  ifbam spectrum networks/measured-floor.ini --welch\n"
  "\nLines are below 0.95 of the Nyquist frequency; near it original and averaged have a line of "
  "their\n"
  "own. Harmonic inversion refines lines and computes decay rates [1/s]. Corrected values are "
  "without\n"
  "the scheme's error; for a CSV file --scheme and --step give the scheme. A line without a decay "
  "rate\n"
  "is no free oscillation.\n",
  command_spectrum,
  NULL,
};

/* command-spectrum.c: ifbam spectrum: the peaks of a course's spectrum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "command.h"
#include "ifbam-spectrum.h"
#include "plot.h"

typedef struct
{
  char **signals;
  char *window;
  double threshold;
  gboolean json;
} SpectrumOptions;

static void
spectrum_options_clear (SpectrumOptions *options)
{
  g_strfreev (options->signals);
  g_free (options->window);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SpectrumOptions, spectrum_options_clear)

static void
append_text (GString *text, const char *signal, const char *unit, double resolution,
             const IfbamPeak *peaks, gsize n)
{
  g_string_append_printf (text, "%s (resolution %.6g Hz)\n", signal, resolution);
  g_string_append_printf (text, "  %16s  %16s\n", "frequency [Hz]", "amplitude");
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "  %16.8g  %16.6g %s\n", peaks[i].frequency, peaks[i].amplitude,
                            unit);
  if (n == 0)
    g_string_append (text, "  no peaks\n");
}

static void
append_json (JsonBuilder *builder, const char *signal, const char *unit, double resolution,
             const IfbamPeak *peaks, gsize n)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "signal");
  json_builder_add_string_value (builder, signal);
  json_builder_set_member_name (builder, "unit");
  json_builder_add_string_value (builder, unit);
  ifbam_json_number (builder, "resolution", resolution);
  json_builder_set_member_name (builder, "peaks");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      ifbam_json_number (builder, "frequency", peaks[i].frequency);
      ifbam_json_number (builder, "amplitude", peaks[i].amplitude);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static int
print_spectra (IfbamCourse *course, const SpectrumOptions *options)
{
  const char *const *signals = options->signals != NULL ? (const char *const *) options->signals
                                                        : ifbam_course_get_signals (course);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GError) error = NULL;
  IfbamWindow window = IFBAM_WINDOW_HANN;

  if (options->window != NULL && !ifbam_window_from_name (options->window, &window, &error))
    return ifbam_command_fail (error);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "signals");
  json_builder_begin_array (builder);
  for (guint i = 0; signals[i] != NULL; i++)
    {
      gsize n_rows, n_peaks;
      const double *times = ifbam_course_get_times (course, &n_rows);
      const double *values = ifbam_course_get_values (course, signals[i], &n_rows, &error);
      g_autoptr (IfbamSpectrum) spectrum =
          values == NULL ? NULL : ifbam_spectrum_new (times, values, n_rows, window, &error);
      g_autofree IfbamPeak *peaks = NULL;
      const char *quantity, *unit;

      if (spectrum == NULL)
        return ifbam_command_fail (error);
      peaks = ifbam_spectrum_find_peaks (spectrum, options->threshold, TRUE, &n_peaks);
      ifbam_plot_quantity (course, signals[i], &quantity, &unit);
      append_text (text, signals[i], unit, ifbam_spectrum_get_resolution (spectrum), peaks,
                   n_peaks);
      append_json (builder, signals[i], unit, ifbam_spectrum_get_resolution (spectrum), peaks,
                   n_peaks);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return options->json ? ifbam_command_print_json (g_steal_pointer (&builder))
                       : ifbam_command_print (text->str);
}

static int
command_spectrum (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (SpectrumOptions) options = { .threshold = IFBAM_SPECTRUM_THRESHOLD };
  const GOptionEntry entries[] = {
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "one of the course's signals (default: all); may be repeated", "S" },
    { "window", 0, 0, G_OPTION_ARG_STRING, &options.window,
      "hann (default), none, hamming or blackman", "W" },
    { "threshold", 0, 0, G_OPTION_ARG_DOUBLE, &options.threshold,
      "leave out peaks below this part of the strongest (default 0.001)", "PART" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_spectrum, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  gboolean recorded;
  int exit_code;

  (void) program;
  ifbam_network_options_add (&network_options, context);
  if (!ifbam_command_parse (&ifbam_command_spectrum, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  /* A signal of a network need not be named twice. */
  recorded = network_options.record == NULL && options.signals != NULL;
  if (recorded)
    network_options.record = g_strjoinv (",", options.signals);
  /* There they may have been patterns and ranges, too. */
  if (recorded && !g_str_has_suffix (argv[1], ".csv"))
    g_clear_pointer (&options.signals, g_strfreev);
  course = ifbam_command_course (&network_options, argv[1], &error);
  if (course == NULL)
    return ifbam_command_fail (error);
  return print_spectra (course, &options);
}

const IfbamCommand ifbam_command_spectrum = {
  "spectrum",
  "NETWORK|CSV",
  "find the eigenfrequencies in the spectrum of a course",
  "  ifbam spectrum networks/two-dof.ini --signal m1.position\n"
  "  ifbam spectrum course.csv --json\n"
  "\nPeaks lie below 0.95 of the Nyquist frequency: near it the schemes original and averaged have "
  "a\n"
  "line of their own.\n",
  command_spectrum,
};

/* command-spectrum-output.c: prints what ifbam spectrum found
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/spectrum-result.h"

#include <math.h>
#include <string.h>

#define MOST_UNSEEN 8    /* modes that are named */
#define SAME        1e-9 /* relative difference of frequencies that is none */

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
append_head (GString *text, const IfbamSpectrumSignal *signal, gboolean averaged, gboolean refined)
{
  g_string_append_printf (text, "%s (resolution %.6g Hz", signal->name, signal->resolution);
  if (!refined)
    g_string_append_printf (text, "; lines nearer than %.3g Hz look like one",
                            IFBAM_SPECTRUM_PARTED * signal->resolution);
  if (averaged)
    g_string_append_printf (text, ", %" G_GSIZE_FORMAT " segments", signal->n_segments);
  g_string_append (text, ")\n");
}

/* Says so where lines stand nearer to each other than the transform can tell. */
static void
append_near (GString *text, const IfbamSpectrumSignal *signal)
{
  const double reach = IFBAM_SPECTRUM_PARTED * signal->resolution;
  guint near = 0;

  for (gsize i = 1; i < signal->n; i++)
    near += signal->lines[i].frequency - signal->lines[i - 1].frequency < reach;
  if (near > 0)
    g_string_append_printf (text,
                            "  lines nearer than %.3g Hz to each other: one peak may be of two, "
                            "parted by harmonic inversion\n",
                            reach);
}

/* The square of a unit per hertz: "m2/Hz", "(m/s)2/Hz" (transfer full). */
static char *
density_unit (const char *unit)
{
  gboolean simple = strpbrk (unit, "/ 2") == NULL;

  return g_strdup_printf (*unit == '\0' ? "%s1/Hz" : simple ? "%s2/Hz" : "(%s)2/Hz", unit);
}

static void
append_averaged (GString *text, const IfbamSpectrumSignal *signal)
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
append_lines (GString *text, const IfbamSpectrumSignal *signal, gboolean corrected,
              gboolean unrefined)
{
  int width = (int) g_utf8_strlen (signal->unit, -1), digits = decimals (signal->resolution);

  g_string_append_printf (text, "  %16s  %16s", "frequency [Hz]", "amplitude");
  if (!unrefined)
    g_string_append_printf (text, " %*s  %16s", width, "", "decay rate [1/s]");
  if (!unrefined && corrected)
    g_string_append_printf (text, "  %16s  %16s", "corrected [Hz]", "corrected [1/s]");
  g_string_append_c (text, '\n');
  for (gsize i = 0; i < signal->n; i++)
    {
      const IfbamSpectrumLine *line = &signal->lines[i];

      g_string_append_printf (text, "  %16.8g  %16.6g %s", line->frequency, line->amplitude,
                              signal->unit);
      if (!unrefined)
        append_number (text, "%.*f", digits, rounded (line->decay_rate, digits));
      if (!unrefined && corrected)
        {
          append_number (text, "%.*g", 8, line->corrected_frequency);
          append_number (text, "%.*f", digits, rounded (line->corrected_decay_rate, digits));
        }
      g_string_append_c (text, '\n');
    }
}

static void
append_ridge (GString *text, const IfbamSpectrumSignal *signal)
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
      if (!isnan (ridge[i].amplitude))
        g_string_append_printf (text, " %s", signal->unit);
      g_string_append_c (text, '\n');
    }
}

static void
append_json_ridge (JsonBuilder *builder, const IfbamSpectrumSignal *signal)
{
  gsize n;
  const double *times = ifbam_spectrogram_get_times (signal->spectrogram, &n);
  const IfbamPeak *ridge = ifbam_spectrogram_get_ridge (signal->spectrogram, &n);

  ifbam_json_array (builder, "instants");
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

/* The mode that makes a line, and how far the line is off. */
static void
append_json_mode (JsonBuilder *builder, const IfbamSpectrumResult *result,
                  const IfbamSpectrumLine *line)
{
  IfbamMode mode = { .frequency = NAN, .decay_rate = NAN };

  if (line->mode > 0)
    mode = g_array_index (result->modes, IfbamMode, line->mode - 1);
  if (line->mode > 0 && result->all_modes)
    ifbam_json_count (builder, "mode", line->mode);
  else
    ifbam_json_string (builder, "mode", NULL);
  ifbam_json_number (builder, "mode_frequency", mode.frequency);
  ifbam_json_number (builder, "mode_decay_rate", mode.decay_rate);
  ifbam_json_number (builder, "frequency_difference", line->corrected_frequency - mode.frequency);
  ifbam_json_number (builder, "decay_rate_difference",
                     line->corrected_decay_rate - mode.decay_rate);
}

/* Frequencies of the modes that a signal could show, but does not. */
static void
append_json_unseen (JsonBuilder *builder, const IfbamSpectrumResult *result,
                    const IfbamSpectrumSignal *signal)
{
  ifbam_json_array (builder, "unseen_modes");
  for (gsize i = 1; i <= result->modes->len; i++)
    if (ifbam_spectrum_lacks (result, signal, i))
      json_builder_add_double_value (builder,
                                     g_array_index (result->modes, IfbamMode, i - 1).frequency);
  json_builder_end_array (builder);
}

static void
append_json_lines (JsonBuilder *builder, const IfbamSpectrumResult *result,
                   const IfbamSpectrumSignal *signal)
{
  ifbam_json_array (builder, "peaks");
  for (gsize i = 0; i < signal->n; i++)
    {
      const IfbamSpectrumLine *line = &signal->lines[i];

      json_builder_begin_object (builder);
      ifbam_json_number (builder, "frequency", line->frequency);
      ifbam_json_number (builder, "amplitude", line->amplitude);
      ifbam_json_number (builder, "decay_rate", line->decay_rate);
      ifbam_json_number (builder, "corrected_frequency", line->corrected_frequency);
      ifbam_json_number (builder, "corrected_decay_rate", line->corrected_decay_rate);
      if (!isnan (line->density))
        ifbam_json_number (builder, "density", line->density);
      if (result->modes != NULL)
        append_json_mode (builder, result, line);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
append_json (JsonBuilder *builder, const IfbamSpectrumResult *result,
             const IfbamSpectrumSignal *signal)
{
  json_builder_begin_object (builder);
  ifbam_json_string (builder, "signal", signal->name);
  ifbam_json_string (builder, "unit", signal->unit);
  ifbam_json_number (builder, "resolution", signal->resolution);
  if (result->spectrogram)
    append_json_ridge (builder, signal);
  else
    {
      ifbam_json_count (builder, "segments", signal->n_segments);
      append_json_lines (builder, result, signal);
    }
  if (result->modes != NULL)
    append_json_unseen (builder, result, signal);
  json_builder_end_object (builder);
}

static void
append_unseen (GString *text, const IfbamSpectrumResult *result, const IfbamSpectrumSignal *signal)
{
  guint n = 0;

  for (gsize i = 1; i <= result->modes->len; i++)
    if (ifbam_spectrum_lacks (result, signal, i) && ++n <= MOST_UNSEEN)
      g_string_append_printf (text, "%s%.6g Hz", n == 1 ? "  no line for the modes at " : ", ",
                              g_array_index (result->modes, IfbamMode, i - 1).frequency);
  if (n > MOST_UNSEEN)
    g_string_append_printf (text, " and %u more", n - MOST_UNSEEN);
  if (n > 0)
    g_string_append_c (text, '\n');
}

/* A difference of which only the size matters; below `least` there is none. */
static void
append_difference (GString *text, double difference, double least)
{
  g_autofree char *written = isnan (difference)          ? g_strdup ("-")
                             : fabs (difference) < least ? g_strdup_printf ("< %.0e", least)
                                                         : g_strdup_printf ("%+.1e", difference);

  g_string_append_printf (text, "  %10s", written);
}

static void
append_compared (GString *text, const IfbamSpectrumResult *result,
                 const IfbamSpectrumSignal *signal)
{
  int digits = decimals (signal->resolution);

  g_string_append_printf (text, "  %16s  %16s  %16s  %10s  %16s  %16s  %10s\n", "spectrum [Hz]",
                          "corrected [Hz]", "mode [Hz]", "relative", "corrected [1/s]",
                          "mode [1/s]", "difference");
  for (gsize i = 0; i < signal->n; i++)
    {
      const IfbamSpectrumLine *line = &signal->lines[i];
      IfbamMode mode = { .frequency = NAN, .decay_rate = NAN };

      if (line->mode > 0)
        mode = g_array_index (result->modes, IfbamMode, line->mode - 1);
      append_number (text, "%.*g", 8, line->frequency);
      append_number (text, "%.*g", 8, line->corrected_frequency);
      append_number (text, "%.*g", 8, mode.frequency);
      append_difference (text, line->corrected_frequency / mode.frequency - 1.0, SAME);
      append_number (text, "%.*f", digits, rounded (line->corrected_decay_rate, digits));
      append_number (text, "%.*f", digits, rounded (mode.decay_rate, digits));
      append_difference (text, line->corrected_decay_rate - mode.decay_rate, pow (10.0, -digits));
      g_string_append_c (text, '\n');
    }
}

int
ifbam_spectrum_print_text (const IfbamSpectrumResult *result)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < result->signals->len; i++)
    {
      const IfbamSpectrumSignal *signal = &g_array_index (result->signals, IfbamSpectrumSignal, i);

      append_head (text, signal, result->averaged && !result->spectrogram, !result->unrefined);
      if (result->spectrogram)
        append_ridge (text, signal);
      else if (result->averaged)
        append_averaged (text, signal);
      else if (result->modes != NULL)
        append_compared (text, result, signal);
      else
        append_lines (text, signal, result->scheme != NULL, result->unrefined);
      if (!result->unrefined && !result->averaged && !result->spectrogram)
        append_near (text, signal);
      if (signal->n == 0 && !result->spectrogram)
        g_string_append (text, "  no peaks\n");
      if (result->modes != NULL)
        append_unseen (text, result, signal);
    }
  return ifbam_command_print (text->str);
}

int
ifbam_spectrum_print_json (const IfbamSpectrumResult *result)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  ifbam_json_array (builder, "signals");
  for (guint i = 0; i < result->signals->len; i++)
    append_json (builder, result, &g_array_index (result->signals, IfbamSpectrumSignal, i));
  json_builder_end_array (builder);
  ifbam_json_string (builder, "scheme", result->scheme != NULL ? result->scheme->name : NULL);
  ifbam_json_number (builder, "step", result->scheme != NULL ? result->step : NAN);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

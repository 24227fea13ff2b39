/* command-transform.c: spectra of courses in commands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command-transform.h"

#include <math.h>

#include "base/fail.h"
#include "spectrum/ifbam-resampling.h"
#include "spectrum/spectrum.h"
#include "file/file.h"

/* Default number of segments side by side in a course. */
#define SEGMENTS     8
#define SAMPLE_TIMES 16 /* of a spectrogram */
#define MAX_OVERLAP  0.95

void
ifbam_transform_options_add (IfbamTransformOptions *options, GOptionContext *context,
                             const char *shown)
{
  GOptionEntry entries[] = {
    { "window", 0, 0, G_OPTION_ARG_STRING, &options->window_name,
      "hann (default), none, hamming or blackman", "W" },
    { "welch", 0, 0, G_OPTION_ARG_NONE, &options->welch,
      "average the spectra of segments, for long, noisy or nonlinear courses", NULL },
    { "segment", 0, 0, G_OPTION_ARG_STRING, &options->segment_text,
      "length of a segment, such as 0.5s (default: 1/8 of the course, of a spectrogram 1/16)",
      "T" },
    { "overlap", 0, 0, G_OPTION_ARG_STRING, &options->overlap_text,
      "overlap of segments, as a part of one (default 0.5, of a spectrogram 0.75)", "PART" },
    { "resample", 0, 0, G_OPTION_ARG_NONE, &options->resample,
      "interpolate uneven samples (--sample: to this interval)", NULL },
    G_OPTION_ENTRY_NULL,
  };

  ifbam_option_group_add (context, "transform", "Options for spectra:", entries, shown, NULL);
}

void
ifbam_transform_options_clear (IfbamTransformOptions *options)
{
  g_free (options->window_name);
  g_free (options->segment_text);
  g_free (options->overlap_text);
}

/* Reads a positive time of an option. */
static gboolean
read_time (const char *option, const char *text, const char *meaning, const char *example,
           double *time, GError **error)
{
  g_autofree char *reason = NULL;

  if (!ifbam_units_parse (text, "s", meaning, example, time, &reason))
    return ifbam_command_refuse (error, option, text, reason);
  return *time > 0.0 || ifbam_command_refuse (error, option, text, "must be above 0");
}

static gboolean
read_overlap (const char *text, double *overlap, GError **error)
{
  char *end;

  *overlap = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && *overlap >= 0.0 && *overlap <= MAX_OVERLAP)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "--overlap %s: want 0 to %g", text, MAX_OVERLAP);
}

gboolean
ifbam_transform_options_read (IfbamTransformOptions *options, GError **error)
{
  if (options->window_name != NULL
      && !ifbam_window_from_name (options->window_name, &options->window, error))
    return FALSE;
  if (options->segment_text != NULL
      && !read_time ("--segment", options->segment_text, "length", "0.5 s", &options->segment,
                     error))
    return FALSE;
  return options->overlap_text == NULL
         || read_overlap (options->overlap_text, &options->overlap, error);
}

gboolean
ifbam_transform_is_averaged (const IfbamTransformOptions *options)
{
  return options->welch || options->segment_text != NULL || !isnan (options->overlap);
}

/* Finds the shortest and the longest sampling interval. */
static void
find_intervals (const double *times, gsize n, double *shortest, double *longest)
{
  *shortest = INFINITY;
  *longest = 0.0;
  for (gsize i = 1; i < n; i++)
    {
      *shortest = fmin (*shortest, times[i] - times[i - 1]);
      *longest = fmax (*longest, times[i] - times[i - 1]);
    }
}

IfbamCourse *
ifbam_transform_course (const IfbamTransformOptions *options, IfbamCourse *course,
                        const char *sample, GError **error)
{
  g_autoptr (IfbamCourse) old = course;
  IfbamCourse *resampled;
  g_autoptr (IfbamCourse) even = NULL;
  double interval = 0.0, shortest, longest, unit;
  gsize n;
  const double *times;

  even = ifbam_course_even (course, &unit);
  if (even != NULL && (unit > 0 || !options->resample || sample == NULL))
    {
      g_object_unref (old);
      old = g_object_ref (even);
    }
  times = ifbam_course_get_times (old, &n);
  if (unit > 0)
    g_printerr ("ifbam: note: times that are rounded to %.6g s are taken as evenly spaced, %.9g s "
                "apart\n",
                unit, times[1] - times[0]);
  if (!options->resample || (sample == NULL && even != NULL))
    return g_steal_pointer (&old);
  if (sample != NULL && !read_time ("--sample", sample, "interval", "1 ms", &interval, error))
    return NULL;
  resampled = ifbam_course_resample (old, interval, error);
  if (resampled == NULL)
    return NULL;
  find_intervals (times, n, &shortest, &longest);
  times = ifbam_course_get_times (resampled, &n);
  g_printerr ("ifbam: note: rows that were %.6g to %.6g s apart are interpolated to %.6g s by "
              "piecewise cubics\n",
              shortest, longest, times[1] - times[0]);
  return resampled;
}

/* Computes the samples per segment: as given, or a part of the course. */
static gboolean
segment_rows (const IfbamTransformOptions *options, const double *times, gsize n_rows, gsize part,
              gsize *rows, GError **error)
{
  double wanted = (double) MAX (n_rows / part, MIN (n_rows, IFBAM_LEAST_ROWS));

  if (options->segment > 0.0 && n_rows > 1)
    wanted = round (options->segment / (times[n_rows - 1] - times[0]) * (double) (n_rows - 1));
  *rows = (gsize) fmin (wanted, (double) n_rows);
  if (options->segment > 0.0 && *rows < IFBAM_LEAST_ROWS && n_rows >= IFBAM_LEAST_ROWS)
    return ifbam_rows_refuse (error,
                              "--segment %s: %" G_GSIZE_FORMAT
                              " rows are too few for a spectrum (want at least %d)",
                              options->segment_text, *rows, IFBAM_LEAST_ROWS);
  if (wanted <= (double) n_rows)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "--segment %s: the course is shorter, %.6g s",
                     options->segment_text, times[n_rows - 1] - times[0]);
}

IfbamSpectrum *
ifbam_transform (const IfbamTransformOptions *options, const double *times, const double *values,
                 gsize n_rows, GError **error)
{
  double overlap = isnan (options->overlap) ? 0.5 : options->overlap;
  gsize rows;

  if (!ifbam_transform_is_averaged (options))
    return ifbam_spectrum_new (times, values, n_rows, options->window, error);
  if (!segment_rows (options, times, n_rows, SEGMENTS, &rows, error))
    return NULL;
  return ifbam_spectrum_new_averaged (times, values, n_rows, options->window, rows, overlap, error);
}

IfbamSpectrogram *
ifbam_transform_over_time (const IfbamTransformOptions *options, const double *times,
                           const double *values, gsize n_rows, GError **error)
{
  double overlap = isnan (options->overlap) ? 0.75 : options->overlap;
  gsize rows;

  if (!segment_rows (options, times, n_rows, SAMPLE_TIMES, &rows, error))
    return NULL;
  return ifbam_spectrogram_new (times, values, n_rows, options->window, rows, overlap, error);
}

/* ifbam-resampling.c: a course at evenly spaced instants
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"
#include "spectrum/ifbam-resampling.h"
#include "system/course.h"
#include "base/interpolant.h"
#include "base/number-text.h"
#include "spectrum/rows.h"

#include <math.h>

static IfbamCourse *
same_signals (IfbamCourse *course)
{
  const char *const *signals = ifbam_course_get_signals (course);
  gsize n = g_strv_length ((char **) signals);
  g_autofree const char **units = g_new (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      units[i] = ifbam_course_get_unit (course, signals[i]);
      if (units[i] == NULL)
        return ifbam_course_new (signals);
    }
  return ifbam_course_new_with_units (signals, units);
}

/**
 * ifbam_course_resample: (method)
 * @course: a course with at least two rows
 * @interval: between the new rows [s]; 0: the mean interval between the old ones
 * @error: return location for an error
 *
 * Interpolates all signals by piecewise cubics through the rows (de Boor 1978, A Practical Guide to
 * Splines, chapter IV), from the first instant on. What is faster than about a fifth of the old rows'
 * frequency loses amplitude.
 *
 * Returns: (transfer full): a new course, or %NULL with %IFBAM_ERROR_COURSE where there are fewer than
 *   two rows, or the interval makes fewer or far too many
 */
IfbamCourse *
ifbam_course_resample (IfbamCourse *course, double interval, GError **error)
{
  g_autoptr (IfbamCourse) resampled = NULL;
  g_autofree IfbamInterpolant *interpolants = NULL;
  g_autofree double *row = NULL;
  g_autofree char *lack = NULL;
  const char *const *signals;
  const double *times;
  gsize n, n_rows, n_signals;
  double rows;

  g_return_val_if_fail (IFBAM_IS_COURSE (course), NULL);
  times = ifbam_course_get_times (course, &n);
  if (!ifbam_rows_are_enough (n, 2, "to be resampled", error))
    return NULL;
  if (interval == 0.0)
    interval = (times[n - 1] - times[0]) / (double) (n - 1);
  rows = floor ((times[n - 1] - times[0]) / interval * (1.0 + 1e-12)) + 1.0;
  if (!(interval > 0.0) || !(rows >= 2.0 && isfinite (rows)))
    {
      ifbam_rows_refuse (error, "an interval of %s s between %s s and %s s makes no course",
                         IFBAM_NUMBER (interval), IFBAM_NUMBER (times[0]),
                         IFBAM_NUMBER (times[n - 1]));
      return NULL;
    }
  signals = ifbam_course_get_signals (course);
  n_signals = g_strv_length ((char **) signals);
  lack = ifbam_memory_lack (rows * (double) (n_signals + 1) * sizeof (double));
  if (lack != NULL)
    {
      ifbam_rows_refuse (error, "%.0f rows at an interval of %g s need %s", rows, interval, lack);
      return NULL;
    }
  n_rows = (gsize) rows;
  resampled = same_signals (course);
  signals = ifbam_course_get_signals (resampled);
  interpolants = g_new (IfbamInterpolant, n_signals + 1);
  row = g_new (double, n_signals + 1);
  for (gsize s = 0; s < n_signals; s++)
    interpolants[s] = (IfbamInterpolant){
      .n = n, .time = times, .value = ifbam_course_get_values (course, signals[s], NULL, NULL)
    };
  for (gsize i = 0; i < n_rows; i++)
    {
      double time = MIN (times[0] + (double) i * interval, times[n - 1]), rate, second;

      for (gsize s = 0; s < n_signals; s++)
        ifbam_interpolant_at (&interpolants[s], time, &row[s], &rate, &second);
      ifbam_course_append_row (resampled, time, row);
    }
  return g_steal_pointer (&resampled);
}

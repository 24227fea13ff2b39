/* ifbam-resampling.c: courses at equidistant times
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"
#include "spectrum/ifbam-resampling.h"
#include "file/file.h"
#include "base/interpolant.h"
#include "base/number-text.h"
#include "spectrum/course-checks.h"

#include <float.h>
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

#define BISECTIONS 60

/* Returns a copy of n rows of a course, at other times if given. */
static IfbamCourse *
copy_rows (IfbamCourse *course, const gsize *rows, const double *times, gsize n)
{
  IfbamCourse *copy = same_signals (course);
  const char *const *signals = ifbam_course_get_signals (copy);
  const guint n_signals = g_strv_length ((char **) signals);
  const double *old = ifbam_course_get_times (course, NULL);
  g_autofree const double **columns = g_new (const double *, n_signals + 1);
  g_autofree double *row = g_new (double, n_signals + 1);

  for (guint s = 0; s < n_signals; s++)
    columns[s] = ifbam_course_get_values (course, signals[s], NULL, NULL);
  for (gsize i = 0; i < n; i++)
    {
      for (guint s = 0; s < n_signals; s++)
        row[s] = columns[s][rows[i]];
      ifbam_course_append_row (copy, times != NULL ? times[i] : old[rows[i]], row);
    }
  return copy;
}

/* Lists rows with a time of their own, and the last of an odd number at one time: an event has two
 * rows at its time, beside at most one row of the course. Returns their number. */
static gsize
list_rows (const double *times, gsize n, gsize *rows)
{
  gsize n_rows = 0;

  for (gsize i = 0, first = 0; i < n; i++)
    {
      if (times[i] > times[first])
        first = i;
      if ((i + 1 == n || times[i + 1] > times[i]) && (i - first) % 2 == 0)
        rows[n_rows++] = i;
    }
  return n_rows;
}

/* Finds an interval h and start for which all start + i h are within half a unit of their digits
 * from times (n), by bisection of the convex function max (times - half - i h) - min (times + half
 * - i h). Returns 0: none. */
static double
find_interval (const double *times, const double *half, gsize n, double *start)
{
  const double mean = (times[n - 1] - times[0]) / (double) (n - 1);
  const double reach = 2 * (half[0] + half[n - 1]) / (double) (n - 1);
  double low = mean - reach, high = mean + reach, above = INFINITY, below = -INFINITY;

  for (int turn = 0; turn < BISECTIONS; turn++)
    {
      const double h = 0.5 * (low + high);
      gsize last = 0, first = 0;

      above = -INFINITY;
      below = INFINITY;
      for (gsize i = 0; i < n; i++)
        {
          const double rest = times[i] - (double) i * h;

          if (rest - half[i] > above)
            {
              above = rest - half[i];
              last = i;
            }
          if (rest + half[i] < below)
            {
              below = rest + half[i];
              first = i;
            }
        }
      *(last > first ? &low : &high) = h;
    }
  *start = 0.5 * (above + below);
  return above <= below ? 0.5 * (low + high) : 0;
}

/* Replaces times (n) by equidistant ones of which they are roundings. If rows are only one unit of
 * the last digit apart, a missing row can't be distinguished from rounding: FALSE. */
static gboolean
undo_rounding (IfbamCourse *course, double *times, gsize n, double *unit)
{
  g_autofree double *half = g_new (double, n);
  double interval, start, largest = 0;

  for (gsize i = 0; i < n; i++)
    {
      half[i] = 0.5 * ifbam_course_get_time_unit (course, times[i]);
      largest = fmax (largest, 2 * half[i]);
      if (i > 0 && times[i] - times[i - 1] < 3 * half[i])
        return FALSE;
      half[i] += 4 * DBL_EPSILON * fabs (times[i]); /* rounding of the times themselves */
    }
  interval = find_interval (times, half, n, &start);
  for (gsize i = 0; i < n && interval > 0; i++)
    times[i] = start + (double) i * interval;
  *unit = interval > 0 ? largest : 0;
  return interval > 0;
}

IfbamCourse *
ifbam_course_even (IfbamCourse *course, double *unit)
{
  gsize n, n_rows;
  const double *times = ifbam_course_get_times (course, &n);
  g_autofree gsize *rows = g_new (gsize, n + 1);
  g_autofree double *kept = g_new (double, n + 1);
  double step;
  gboolean even;

  *unit = 0;
  n_rows = list_rows (times, n, rows);
  if (n_rows < 2)
    return NULL;
  for (gsize i = 0; i < n_rows; i++)
    kept[i] = times[rows[i]];
  even = ifbam_rows_step (kept, n_rows, &step, NULL);
  if (even && n_rows == n)
    return g_object_ref (course);
  return even || undo_rounding (course, kept, n_rows, unit) ? copy_rows (course, rows, kept, n_rows)
                                                            : NULL;
}

/* Returns the end of a piece of a course without two rows at one time. */
static gsize
piece_end (const double *times, gsize n, gsize first)
{
  do
    first++;
  while (first < n && times[first] > times[first - 1]);
  return first;
}

/* Appends n_rows rows to a course, from cubics within its pieces; after a jump if there is one. */
static void
interpolate (IfbamCourse *course, double interval, gsize n_rows, IfbamCourse *resampled)
{
  const char *const *signals = ifbam_course_get_signals (course);
  const guint n_signals = g_strv_length ((char **) signals);
  g_autofree double *row = g_new (double, n_signals + 1);
  g_autofree const double **columns = g_new (const double *, n_signals + 1);
  gsize n, first = 0, end;
  const double *times = ifbam_course_get_times (course, &n);
  double rate, second;

  for (guint s = 0; s < n_signals; s++)
    columns[s] = ifbam_course_get_values (course, signals[s], NULL, NULL);
  end = piece_end (times, n, 0);
  for (gsize i = 0; i < n_rows; i++)
    {
      const double time = MIN (times[0] + (double) i * interval, times[n - 1]);

      while (end < n && time >= times[end])
        {
          first = end;
          end = piece_end (times, n, first);
        }
      for (guint s = 0; s < n_signals; s++)
        {
          const IfbamInterpolant piece = { .n = end - first,
                                           .time = times + first,
                                           .value = columns[s] + first,
                                           .interpolation = IFBAM_COURSE_CUBIC };

          row[s] = columns[s][first];
          if (piece.n > 1)
            ifbam_interpolant_at (&piece, time, &row[s], &rate, &second);
        }
      ifbam_course_append_row (resampled, time, row);
    }
}

/**
 * ifbam_course_resample: (method)
 * @course: a course with at least two rows
 * @interval: between the new rows [s]; 0: the mean interval between the old ones
 * @error: return location for an error
 *
 * Interpolates all signals by piecewise cubics through the rows (de Boor 1978, A Practical Guide to
 * Splines, chapter IV), from the first time on. Components above about a fifth of the old sampling
 * frequency lose amplitude. Two rows at one time are a jump between two pieces. Times that are
 * equidistant except for rounding in the file are taken as equidistant.
 *
 * Returns: (transfer full): a new course, or %NULL with %IFBAM_ERROR_COURSE if there are fewer than
 *   two rows, before or after, or far too many
 */
IfbamCourse *
ifbam_course_resample (IfbamCourse *course, double interval, GError **error)
{
  g_autoptr (IfbamCourse) resampled = NULL, even = NULL;
  g_autofree char *lack = NULL;
  const double *times;
  gsize n, n_signals;
  double rows, unit;

  g_return_val_if_fail (IFBAM_IS_COURSE (course), NULL);
  even = ifbam_course_even (course, &unit);
  if (even != NULL && unit > 0)
    course = even;
  times = ifbam_course_get_times (course, &n);
  if (!ifbam_rows_are_enough (n, 2, "to be resampled", error))
    return NULL;
  if (interval == 0.0)
    interval = (times[n - 1] - times[0])
               / (double) ((even != NULL ? ifbam_course_get_n_rows (even) : n) - 1);
  rows = floor ((times[n - 1] - times[0]) / interval * (1.0 + 1e-12)) + 1.0;
  if (!(interval > 0.0) || !(rows >= 2.0 && isfinite (rows)))
    {
      ifbam_rows_refuse (error, "an interval of %s s between %s s and %s s makes no course",
                         IFBAM_NUMBER (interval), IFBAM_NUMBER (times[0]),
                         IFBAM_NUMBER (times[n - 1]));
      return NULL;
    }
  n_signals = g_strv_length ((char **) ifbam_course_get_signals (course));
  lack = ifbam_memory_lack (rows * (double) (n_signals + 1) * sizeof (double));
  if (lack != NULL)
    {
      ifbam_rows_refuse (error, "%.0f rows at an interval of %g s need %s", rows, interval, lack);
      return NULL;
    }
  resampled = same_signals (course);
  interpolate (course, interval, (gsize) rows, resampled);
  return g_steal_pointer (&resampled);
}

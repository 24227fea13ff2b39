/* order-tracking.c: courses over the turns of a shaft, and amplitudes of orders
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/order-tracking.h"

#include <math.h>

#include "base/fail.h"
#include "file/file.h"
#include "spectrum/ifbam-resampling.h"

/* Rows over turns, relative to those over time: at low speeds a turn has many samples. */
#define MOST_ROWS 4

/* Computes the turns at each row from an angle, or by trapezoids from a speed. */
static gboolean
find_turns (IfbamCourse *course, const char *signal, double *turns, GError **error)
{
  gsize n;
  const double *values = ifbam_course_get_values (course, signal, &n, error);
  const double *times = ifbam_course_get_times (course, &n);
  const char *unit = values == NULL ? NULL : ifbam_course_get_unit (course, signal), *quantity;

  if (values == NULL)
    return FALSE;
  if (unit == NULL)
    ifbam_signal_unit (signal, &quantity, &unit);
  if (g_strcmp0 (unit, "rad") != 0 && g_strcmp0 (unit, "rad/s") != 0)
    return ifbam_fail (error, IFBAM_ERROR_COURSE,
                       "--over %s: is in %s (want an angle in rad or a speed in rad/s)", signal,
                       unit != NULL ? unit : "no known unit");
  for (gsize i = 0; i < n; i++)
    turns[i] =
        g_str_equal (unit, "rad") ? values[i] / (2 * G_PI)
        : i == 0
            ? 0
            : turns[i - 1] + (times[i] - times[i - 1]) * (values[i] + values[i - 1]) / (4 * G_PI);
  for (gsize i = 1; i < n; i++)
    if (!((turns[i] - turns[i - 1]) * (turns[n - 1] - turns[0]) > 0) && times[i] > times[i - 1])
      return ifbam_fail (error, IFBAM_ERROR_COURSE,
                         "--over %s: the shaft stands or turns back at %.6g s (want a course in "
                         "which it turns one way)",
                         signal, times[i]);
  return n > 1
         || ifbam_fail (error, IFBAM_ERROR_COURSE, "--over %s: want two samples or more", signal);
}

/* Returns an empty course with the signals of another one, and the time. */
static IfbamCourse *
same_signals_and_time (IfbamCourse *course)
{
  const char *const *signals = ifbam_course_get_signals (course);
  const guint n = g_strv_length ((char **) signals);
  g_autofree const char **names = g_new0 (const char *, n + 2);
  g_autofree const char **units = g_new0 (const char *, n + 2);

  for (guint s = 0; s < n; s++)
    {
      names[s] = signals[s];
      units[s] = ifbam_course_get_unit (course, signals[s]);
      if (units[s] == NULL)
        units[s] = "";
    }
  names[n] = IFBAM_TURNS_TIME;
  units[n] = "s";
  return ifbam_course_new_with_units (names, units);
}

IfbamCourse *
ifbam_course_over_turns (IfbamCourse *course, const char *signal, GError **error)
{
  const guint n_signals = g_strv_length ((char **) ifbam_course_get_signals (course));
  g_autoptr (IfbamCourse) over = same_signals_and_time (course);
  const char *const *names = ifbam_course_get_signals (over);
  const gsize n = ifbam_course_get_n_rows (course);
  const double *times = ifbam_course_get_times (course, NULL);
  g_autofree double *turns = g_new (double, n + 1), *row = g_new (double, n_signals + 2);
  double least = INFINITY, whole, sign;

  if (!find_turns (course, signal, turns, error))
    return NULL;
  sign = turns[n - 1] > turns[0] ? 1 : -1;
  whole = fabs (turns[n - 1] - turns[0]);
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && times[i] == times[i - 1]) /* an event: its second row */
        continue;
      for (guint s = 0; s < n_signals; s++)
        row[s] = ifbam_course_get_values (course, names[s], NULL, NULL)[i];
      row[n_signals] = times[i];
      ifbam_course_append_row (over, sign * (turns[i] - turns[0]), row);
      if (i > 0)
        least = fmin (least, fabs (turns[i] - turns[i - 1]));
    }
  return ifbam_course_resample (over, fmax (least, whole / (double) (MOST_ROWS * (n - 1))), error);
}

void
ifbam_order_cut_find (const double *turns, const double *values, gsize n_rows, double order,
                      double segment, IfbamOrderCut *cut)
{
  const double distance = (turns[n_rows - 1] - turns[0]) / (double) (n_rows - 1);
  const gsize rows = MIN (n_rows, (gsize) rint (segment / distance));
  const gsize hop = MAX (1, rows / 4);

  cut->n = (n_rows - rows) / hop + 1;
  cut->turn = g_new (double, cut->n);
  cut->amplitude = g_new (double, cut->n);
  for (gsize k = 0; k < cut->n; k++)
    {
      double real = 0, imaginary = 0, weights = 0, mean = 0;

      for (gsize i = 0; i < rows; i++)
        mean += values[k * hop + i] / (double) rows;
      for (gsize i = 0; i < rows; i++)
        {
          const double weight = 1 - cos (2 * G_PI * ((double) i + 0.5) / (double) rows); /* Hann */
          const double angle = 2 * G_PI * order * turns[k * hop + i];

          weights += weight;
          real += weight * (values[k * hop + i] - mean) * cos (angle);
          imaginary += weight * (values[k * hop + i] - mean) * sin (angle);
        }
      cut->turn[k] = 0.5 * (turns[k * hop] + turns[k * hop + rows - 1]);
      cut->amplitude[k] = 2 * hypot (real, imaginary) / weights;
    }
}

void
ifbam_order_cut_clear (IfbamOrderCut *cut)
{
  g_free (cut->turn);
  g_free (cut->amplitude);
}

double *
ifbam_turns_speeds (const double *turns, const double *times, gsize n_rows, const double *at,
                    gsize n)
{
  const double distance = (turns[n_rows - 1] - turns[0]) / (double) (n_rows - 1);
  double *speeds = g_new (double, n + 1);

  for (gsize k = 0; k < n; k++)
    {
      const double middle = (at[k] - turns[0]) / distance, half = fmax (1, 0.5 / distance);
      const gsize low = (gsize) fmax (0, floor (middle - half));
      const gsize high = MIN (n_rows - 1, (gsize) ceil (middle + half));

      speeds[k] = (turns[high] - turns[low]) / (times[high] - times[low]);
    }
  return speeds;
}

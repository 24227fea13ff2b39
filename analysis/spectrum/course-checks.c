/* course-checks.c: checks of a course's rows before an analysis
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/course-checks.h"
#include "base/ifbam-error.h"

#include <float.h>
#include <math.h>

#define MAX_UNEVEN 1e-6  /* largest deviation of an interval, relative to the step */
#define MAX_VALUE  1e300 /* so that sums of rows are finite */

gboolean
ifbam_rows_refuse (GError **error, const char *format, ...)
{
  va_list args;
  GError *fault;

  va_start (args, format);
  fault = g_error_new_valist (IFBAM_ERROR, IFBAM_ERROR_COURSE, format, args);
  va_end (args);
  g_propagate_error (error, fault);
  return FALSE;
}

gboolean
ifbam_rows_are_enough (gsize n, gsize least, const char *purpose, GError **error)
{
  return n >= least
         || ifbam_rows_refuse (
             error, "%" G_GSIZE_FORMAT " %s too few %s (want at least %" G_GSIZE_FORMAT ")", n,
             n == 1 ? "row is" : "rows are", purpose, least);
}

static gboolean
refuse_interval (double interval, double step, double time, GError **error)
{
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE], c[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (a, sizeof a, "%.9g", interval);
  g_ascii_formatd (b, sizeof b, "%.9g", time);
  g_ascii_formatd (c, sizeof c, "%.9g", step);
  return ifbam_rows_refuse (
      error,
      "the rows are not evenly spaced: the interval before %s s is %s s, the mean %s s "
      "(a spectrum needs a constant interval; --resample makes one)",
      b, a, c);
}

/* Large times deviate from multiples of the step by their rounding. */
gboolean
ifbam_rows_step (const double *times, gsize n, double *step, GError **error)
{
  *step = (times[n - 1] - times[0]) / (double) (n - 1);
  for (gsize i = 1; i < n; i++)
    {
      double interval = times[i] - times[i - 1];
      double allowed = MAX_UNEVEN * *step + 4.0 * DBL_EPSILON * fabs (times[i]);

      if (!(interval > 0.0) || !(fabs (interval - *step) <= allowed))
        return refuse_interval (interval, *step, times[i], error);
    }
  return TRUE;
}

gboolean
ifbam_rows_largest (const double *values, gsize n, double *largest, GError **error)
{
  *largest = 0.0;
  for (gsize i = 0; i < n; i++)
    {
      if (!isfinite (values[i]))
        return ifbam_rows_refuse (error, "row %" G_GSIZE_FORMAT " is not a finite number", i + 1);
      *largest = MAX (*largest, fabs (values[i]));
    }
  if (*largest > MAX_VALUE)
    return ifbam_rows_refuse (error,
                              "values of up to %.3g are too large for a spectrum (want at most %g: "
                              "take a larger unit)",
                              *largest, MAX_VALUE);
  return TRUE;
}

/* Twice: the second mean removes the rounding of the first. */
void
ifbam_rows_remove_mean (double *values, gsize n)
{
  for (int pass = 0; pass < 2; pass++)
    {
      double mean = 0.0;

      for (gsize i = 0; i < n; i++)
        mean += values[i];
      mean /= (double) n;
      for (gsize i = 0; i < n; i++)
        values[i] -= mean;
    }
}

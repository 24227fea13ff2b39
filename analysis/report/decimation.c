/* decimation.c: thins a course during a run to the points that a picture needs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/decimation.h"

#include <float.h>
#include <math.h>

IfbamDecimatedSeries *
ifbam_decimated_series_new (guint n_signals, double interval, guint64 n_rows, gsize most)
{
  IfbamDecimatedSeries *trace = g_new0 (IfbamDecimatedSeries, 1);
  const guint64 stretches = MAX (most / 2, 1);

  trace->n_signals = n_signals;
  trace->last = n_rows;
  trace->stretch = n_rows <= most ? 1 : (n_rows + stretches - 1) / stretches;
  trace->interval = interval;
  trace->points = g_array_new (FALSE, FALSE, sizeof (float));
  trace->low = g_new (double, n_signals + 1);
  trace->high = g_new (double, n_signals + 1);
  trace->low_row = g_new (guint64, n_signals + 1);
  trace->high_row = g_new (guint64, n_signals + 1);
  return trace;
}

void
ifbam_decimated_series_free (IfbamDecimatedSeries *trace)
{
  if (trace == NULL)
    return;
  g_array_unref (trace->points);
  g_free (trace->low);
  g_free (trace->high);
  g_free (trace->low_row);
  g_free (trace->high_row);
  g_free (trace);
}

/* Numbers beyond a float's range are limited to it. */
static float
to_float (double value)
{
  return (float) CLAMP (value, -FLT_MAX, FLT_MAX);
}

static void
add_point (IfbamDecimatedSeries *trace, const double *values)
{
  for (guint s = 0; s < trace->n_signals; s++)
    {
      const float value = to_float (values[s]);

      g_array_append_val (trace->points, value);
    }
  trace->n_points++;
}

static void
close_interval (IfbamDecimatedSeries *trace)
{
  for (guint later = 0; later < 2; later++)
    {
      for (guint s = 0; s < trace->n_signals; s++)
        {
          const gboolean low_first = trace->low_row[s] <= trace->high_row[s];
          const float value = to_float (low_first == (later == 0) ? trace->low[s] : trace->high[s]);

          g_array_append_val (trace->points, value);
        }
      trace->n_points++;
    }
}

void
ifbam_decimated_series_row (IfbamDecimatedSeries *trace, const double *values)
{
  const guint64 place = trace->n_rows % trace->stretch;

  if (trace->n_rows >= trace->last)
    return;
  trace->n_rows++;
  if (trace->stretch == 1)
    {
      add_point (trace, values);
      return;
    }
  for (guint s = 0; s < trace->n_signals; s++)
    {
      if (place == 0 || values[s] < trace->low[s])
        {
          trace->low[s] = values[s];
          trace->low_row[s] = trace->n_rows;
        }
      if (place == 0 || values[s] > trace->high[s])
        {
          trace->high[s] = values[s];
          trace->high_row[s] = trace->n_rows;
        }
    }
  if (place == trace->stretch - 1)
    close_interval (trace);
}

void
ifbam_decimated_series_end (IfbamDecimatedSeries *trace)
{
  if (trace->stretch > 1 && trace->n_rows % trace->stretch != 0)
    close_interval (trace);
}

/* curve.c: the points of a curve that a picture shows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/curve.h"

#define MANY_POINTS 8000 /* of a curve; more are thinned */
#define COLUMNS     2000 /* of an envelope: finer than a picture's */
#define FINEST      1e-3 /* part of the picture that a thinned curve steps over */

static void
append_point (GString *script, double x, double y)
{
  ifbam_script_number (script, "", x, " ");
  ifbam_script_number (script, "", y, "\n");
}

/* The rows of an increasing x that fall into a range, and their neighbours. */
static void
clip (const IfbamPlotSeries *s, IfbamPlotRange range, gsize *first, gsize *last)
{
  *first = 0;
  *last = s->n;
  while (*first + 1 < *last && s->x[*first + 1] < range.from)
    ++*first;
  while (*last > *first + 1 && s->x[*last - 2] > range.to)
    --*last;
}

static void
append_all (GString *script, const IfbamPlotSeries *s, gsize first, gsize last, gboolean gaps)
{
  for (gsize i = first; i < last; i++)
    if (ifbam_curve_is_drawn (s, i))
      append_point (script, s->x[i], s->y[i]);
    else if (gaps && i > first
             && ifbam_curve_is_drawn (s, i - 1)) /* a blank line interrupts the curve */
      g_string_append_c (script, '\n');
}

/* The lowest and the highest value of every column of the picture, in their order. */
static void
append_envelope (GString *script, const IfbamPlotSeries *s, gsize first, gsize last)
{
  gsize n = last - first;

  for (gsize column = 0; column < COLUMNS; column++)
    {
      gsize start = first + n * column / COLUMNS, end = first + n * (column + 1) / COLUMNS;
      gsize low = end, high = end;

      for (gsize i = start; i < end; i++)
        if (ifbam_curve_is_drawn (s, i))
          {
            low = low == end || s->y[i] < s->y[low] ? i : low;
            high = high == end || s->y[i] > s->y[high] ? i : high;
          }
      if (low == end)
        continue;
      append_point (script, s->x[MIN (low, high)], s->y[MIN (low, high)]);
      if (low != high)
        append_point (script, s->x[MAX (low, high)], s->y[MAX (low, high)]);
    }
}

/* The extent of a column of finite numbers. */
static double
extent (const double *values, gsize n)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  return high > low ? high - low : 1.0;
}

/* A curve whose points are at least so far apart, in parts of its extents; counted only without a
 * script. */
static gsize
append_spaced (GString *script, const IfbamPlotSeries *s, double width, double height, double apart)
{
  double x = NAN, y = NAN;
  gsize n = 0;

  for (gsize i = 0; i < s->n; i++)
    if (ifbam_curve_is_drawn (s, i)
        && !(hypot ((s->x[i] - x) / width, (s->y[i] - y) / height) < apart && i + 1 < s->n))
      {
        x = s->x[i];
        y = s->y[i];
        n++;
        if (script != NULL)
          append_point (script, x, y);
      }
  return n;
}

static void
append_curve (GString *script, const IfbamPlotSeries *s)
{
  double width = extent (s->x, s->n), height = extent (s->y, s->n), apart = FINEST;

  while (append_spaced (NULL, s, width, height, apart) > MANY_POINTS)
    apart *= 1.5;
  append_spaced (script, s, width, height, apart);
}

void
ifbam_curve_append (GString *script, const IfbamPlotSeries *s, IfbamCurveKind kind,
                    IfbamPlotRange x, IfbamPlotRange y)
{
  gsize first, last;

  (void) y;
  clip (s, kind == IFBAM_CURVE_FREE ? (IfbamPlotRange) IFBAM_PLOT_ANY : x, &first, &last);
  if (last - first <= MANY_POINTS)
    append_all (script, s, first, last, kind == IFBAM_CURVE_BROKEN);
  else if (kind == IFBAM_CURVE_FREE)
    append_curve (script, s);
  else
    append_envelope (script, s, first, last);
}

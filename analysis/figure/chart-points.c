/* chart-points.c: points of a curve that a picture needs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/chart-points.h"
#include "figure/gnuplot-script.h"

#define MANY_POINTS 8000  /* of a curve over increasing x; more are thinned */
#define COLUMNS     2000  /* of an envelope: finer than a picture's */
#define MAX_POINTS  40000 /* of any other curve */
#define COARSEST    0.05  /* deviation, for any number of points */
#define DOT         1e-3  /* place of a dot, relative to the picture */
#define DEVIATION   2e-4  /* from the curve, relative to the picture: under 1/4 pixel */

/* Output of points. */
typedef struct
{
  GString *script;           /* NULL: only count */
  double x_factor, y_factor; /* multiply written numbers */
  gsize n;
} Pen;

static void
append_point (Pen *pen, const IfbamCurve *s, gsize i)
{
  pen->n++;
  if (pen->script == NULL)
    return;
  g_string_append_printf (pen->script, "%s %s\n", IFBAM_G10 (pen->x_factor * s->x[i]),
                          IFBAM_G10 (pen->y_factor * s->y[i]));
}

/* Appends a blank line, which interrupts the curve. */
static void
append_gap (Pen *pen)
{
  if (pen->script != NULL)
    g_string_append_c (pen->script, '\n');
}

/* Finds the points of increasing x within a range, and their neighbours. */
static void
clip (const IfbamCurve *s, IfbamAxisRange range, gsize *first, gsize *last)
{
  *first = 0;
  *last = s->n;
  while (*first + 1 < *last && s->x[*first + 1] < range.from)
    ++*first;
  while (*last > *first + 1 && s->x[*last - 2] > range.to)
    --*last;
}

static void
append_all (Pen *pen, const IfbamCurve *s, gsize first, gsize last, gboolean gaps)
{
  for (gsize i = first; i < last; i++)
    if (ifbam_curve_is_drawn (s, i))
      append_point (pen, s, i);
    else if (gaps && i > first && ifbam_curve_is_drawn (s, i - 1))
      append_gap (pen);
}

/* Appends the lowest and the highest value of every column of the picture, in their order. */
static void
append_envelope (Pen *pen, const IfbamCurve *s, gsize first, gsize last)
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
      append_point (pen, s, MIN (low, high));
      if (low != high)
        append_point (pen, s, MAX (low, high));
    }
}

/* Curves in a plane */

typedef struct
{
  double x, y; /* relative to the picture */
} Place;

/* Visible part of the plane. */
typedef struct
{
  double left, bottom, width, height;
} Window;

static void
find_extent (const double *values, gsize n, IfbamAxisRange shown, double *from, double *length)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  low = isnan (shown.from) ? low : shown.from;
  high = isnan (shown.to) ? high : shown.to;
  *from = low;
  *length = high > low && isfinite (high - low) ? high - low : 1.0;
}

static Place
place_of (const IfbamCurve *s, gsize i, const Window *window)
{
  return (Place){ (s->x[i] - window->left) / window->width,
                  (s->y[i] - window->bottom) / window->height };
}

/* TRUE if a line between both points is outside the picture. */
static gboolean
is_outside (Place a, Place b)
{
  return (a.x < 0 && b.x < 0) || (a.x > 1 && b.x > 1) || (a.y < 0 && b.y < 0)
         || (a.y > 1 && b.y > 1);
}

/* A line from an anchor, extended while all points deviate from it by less than the tolerance:
 * within a cone that each of them narrows (Williams 1978). */
typedef struct
{
  Place anchor;
  gboolean aimed;           /* a cone exists */
  double direction;         /* of its middle [rad] */
  double to_left, to_right; /* its borders, relative to that */
  double reach;             /* distance of the farthest point */
} Line;

static gboolean
line_takes (Line *line, Place place, double deviation)
{
  const double x = place.x - line->anchor.x, y = place.y - line->anchor.y;
  const double distance = hypot (x, y);
  const double half = distance > deviation ? asin (deviation / distance) : G_PI;
  double turn;

  if (distance < line->reach - deviation) /* the curve turns back */
    return FALSE;
  line->reach = fmax (line->reach, distance);
  if (half == G_PI)
    return TRUE;
  if (!line->aimed)
    {
      line->aimed = TRUE;
      line->direction = atan2 (y, x);
      line->to_left = half;
      line->to_right = -half;
      return TRUE;
    }
  turn = remainder (atan2 (y, x) - line->direction, 2 * G_PI);
  if (turn > line->to_left || turn < line->to_right)
    return FALSE;
  line->to_left = fmin (line->to_left, turn + half);
  line->to_right = fmax (line->to_right, turn - half);
  return TRUE;
}

static void
append_lines (Pen *pen, const IfbamCurve *s, const Window *window, double deviation)
{
  gboolean begun = FALSE; /* the anchor is drawn */
  gsize last = s->n;      /* end of the line; n: none */
  Line line = { 0 };

  for (gsize i = 0; i < s->n; i++)
    {
      const gboolean drawn = ifbam_curve_is_drawn (s, i);
      const Place place = place_of (s, i, window);

      if (last < s->n && drawn && !is_outside (place_of (s, last, window), place))
        {
          if (!begun)
            append_point (pen, s, last);
          begun = TRUE;
          if (!line_takes (&line, place, deviation))
            {
              append_point (pen, s, last);
              line = (Line){ .anchor = place_of (s, last, window) };
              line_takes (&line, place, deviation);
            }
        }
      else
        {
          if (begun)
            append_point (pen, s, last);
          if (begun)
            append_gap (pen);
          begun = FALSE;
          line = (Line){ .anchor = place };
        }
      last = drawn ? i : s->n;
    }
  if (begun)
    append_point (pen, s, last);
  for (gsize i = 0; i < s->n && pen->n == 0; i++) /* a single point: the axes fit it exactly */
    if (ifbam_curve_is_drawn (s, i))
      append_point (pen, s, i);
}

static void
append_curve (Pen *pen, const IfbamCurve *s, IfbamAxisRange x, IfbamAxisRange y)
{
  double deviation = DEVIATION;
  Window window;
  Pen counter = { 0 };

  find_extent (s->x, s->n, x, &window.left, &window.width);
  find_extent (s->y, s->n, y, &window.bottom, &window.height);
  append_lines (&counter, s, &window, deviation);
  for (; counter.n > MAX_POINTS && deviation < COARSEST;
       append_lines (&counter, s, &window, deviation))
    {
      deviation *= 1.5;
      counter.n = 0;
    }
  append_lines (pen, s, &window, deviation);
}

/* Appends points without lines between them, one in each place that an eye can tell from others. */
static void
append_dots (Pen *pen, const IfbamCurve *s, IfbamAxisRange x, IfbamAxisRange y)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_direct_hash, g_direct_equal);
  Window window;

  find_extent (s->x, s->n, x, &window.left, &window.width);
  find_extent (s->y, s->n, y, &window.bottom, &window.height);
  for (gsize i = 0; i < s->n; i++)
    {
      const double column = (s->x[i] - window.left) / (window.width * DOT),
                   row = (s->y[i] - window.bottom) / (window.height * DOT);

      if (ifbam_curve_is_drawn (s, i) && column >= 0 && column <= 1 / DOT && row >= 0
          && row <= 1 / DOT
          && g_hash_table_add (places, GUINT_TO_POINTER ((guint) row * 65536 + (guint) column)))
        append_point (pen, s, i);
    }
}

void
ifbam_curve_append (GString *script, const IfbamCurve *s, IfbamPointOrder order, IfbamAxisRange x,
                    IfbamAxisRange y, double x_factor, double y_factor)
{
  Pen pen = { .script = script, .x_factor = x_factor, .y_factor = y_factor };
  gsize first, last;

  if (order == IFBAM_POINTS_FREE && (s->style & IFBAM_CURVE_POINTS) != 0)
    {
      append_dots (&pen, s, x, y);
      return;
    }
  if (order == IFBAM_POINTS_FREE)
    {
      append_curve (&pen, s, x, y);
      return;
    }
  clip (s, x, &first, &last);
  if (last - first <= MANY_POINTS)
    append_all (&pen, s, first, last, order == IFBAM_POINTS_BROKEN);
  else
    append_envelope (&pen, s, first, last);
}

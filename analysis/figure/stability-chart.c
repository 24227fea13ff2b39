/* stability-chart.c: growth over angular frequency times step, for all schemes, with a network's modes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/stability-chart.h"

#include <math.h>

#include "linear/linear.h"
#include "engine/engine.h"

#define POINTS  1200
#define LONGEST 4.0 /* omega * step at the right end */
/* Beyond the limits of stability growth is of the order one. */
#define LOWEST    1e-9
#define HIGHEST   5.0
#define NONE      1e-12 /* rounding */
#define FEW_MODES 12    /* all of them have lines */
#define APART     1.3   /* else those whose frequencies differ by so much have */
#define ROOM      0.09  /* part of the axis that a number takes */

/* Of one scheme. On logarithmic axes decay goes up, too; it is dotted. */
typedef struct
{
  double x[POINTS], value[POINTS]; /* growth below 0 is decay */
  double growth[POINTS], decay[POINTS];
} Curve;

/* Of the network: a line from the bottom to the top, with its frequency; and its growth with the
 * network's scheme, a dot. */
typedef struct
{
  double *line_x, *line_y;             /* [3 n]: two ends and a gap */
  double *x, *growth;                  /* [n]; per step, or NaN: it does not grow */
  double *number_x, *number_y, *hertz; /* [n_numbers]: where there is room for one */
  gsize n, n_numbers;
} Marks;

static void
marks_clear (Marks *marks)
{
  g_free (marks->line_x);
  g_free (marks->line_y);
  g_free (marks->x);
  g_free (marks->number_x);
  g_free (marks->number_y);
  g_free (marks->hertz);
  g_free (marks->growth);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Marks, marks_clear)

static int
compare_modes (gconstpointer a, gconstpointer b)
{
  const double one = cabs (*(const double complex *) a), other = cabs (*(const double complex *) b);

  return (one < other) - (one > other);
}

/* The modes that swing, fastest first; the fastest alone where no others are known (GArray of double
 * complex). */
static GArray *
swinging_modes (const IfbamStability *stability)
{
  GArray *modes = g_array_new (FALSE, FALSE, sizeof (double complex));
  const double complex fastest = I * stability->fastest;

  for (gsize i = 0; i < stability->n_modes; i++)
    if (cimag (stability->mode[i]) > 0)
      g_array_append_val (modes, stability->mode[i]);
  if (stability->mode == NULL && stability->fastest > 0)
    g_array_append_val (modes, fastest);
  g_array_sort (modes, compare_modes);
  return modes;
}

/* Where the picture begins: left of the slowest mode. */
static double
shortest (const IfbamStability *stability, const GArray *modes)
{
  double least = 0.05;

  for (guint i = 0; i < modes->len; i++)
    least =
        fmin (least, 0.5 * cabs (g_array_index (modes, double complex, i)) * stability->spec->step);
  return fmax (least, 1e-9);
}

/* width: the ratio of the axis' ends. */
static void
find_marks (const IfbamStability *stability, const GArray *modes, double width, Marks *marks)
{
  const double step = stability->spec->step;
  double last = INFINITY;

  marks->line_x = g_new (double, 3 * modes->len + 1);
  marks->line_y = g_new (double, 3 * modes->len + 1);
  marks->x = g_new (double, modes->len + 1);
  marks->number_x = g_new (double, modes->len + 1);
  marks->number_y = g_new (double, modes->len + 1);
  marks->hertz = g_new (double, modes->len + 1);
  marks->growth = g_new (double, modes->len + 1);
  for (guint i = 0; i < modes->len; i++)
    {
      const double complex mode = g_array_index (modes, double complex, i);
      const double growth =
          creal (ifbam_stability_seen (stability, stability->spec->scheme, step, mode)) * step;
      const gsize n = marks->n;

      if (modes->len > FEW_MODES && cabs (mode) > last / APART)
        continue;
      last = cabs (mode);
      marks->x[n] = last * step;
      if (marks->n_numbers == 0
          || marks->x[n] < marks->number_x[marks->n_numbers - 1] * pow (width, -ROOM))
        {
          marks->number_x[marks->n_numbers] = marks->x[n];
          marks->hertz[marks->n_numbers++] = cimag (mode) / (2 * G_PI);
        }
      marks->growth[n] = growth > NONE ? growth : NAN;
      marks->n++;
    }
}

/* Once the ends of the axis are known. */
static void
draw_lines (Marks *marks, double low, double high)
{
  for (gsize i = 0; i < marks->n; i++)
    {
      for (gsize k = 0; k < 3; k++)
        marks->line_x[3 * i + k] = marks->x[i];
      marks->line_y[3 * i] = low;
      marks->line_y[3 * i + 1] = high * pow (low / high, 0.08); /* below its number */
      marks->line_y[3 * i + 2] = NAN;
    }
  for (gsize i = 0; i < marks->n_numbers; i++)
    marks->number_y[i] = high * pow (low / high, 0.06);
}

static Curve *
curve_new (const IfbamScheme *scheme, double shortest)
{
  Curve *curve = g_new (Curve, 1);
  const double from = log (shortest), to = log (LONGEST);

  for (guint i = 0; i < POINTS; i++)
    {
      const double x = exp (from + (to - from) * i / (POINTS - 1));
      const double value = ifbam_scheme_growth (scheme, x);

      curve->x[i] = x;
      curve->value[i] = value;
      curve->growth[i] = value > NONE ? value : NAN;
      curve->decay[i] = value < -NONE ? -value : NAN;
    }
  return curve;
}

/* Two schemes may have one polynomial. */
static gboolean
lies_on_another (const GPtrArray *curves, guint number)
{
  const Curve *own = curves->pdata[number];

  for (guint i = 0; i < number; i++)
    {
      const Curve *other = curves->pdata[i];
      guint same = 0;

      while (same < POINTS && fabs (own->value[same] - other->value[same]) < 1e-9)
        same++;
      if (same == POINTS)
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_points (const double *y)
{
  for (guint i = 0; i < POINTS; i++)
    if (!isnan (y[i]))
      return TRUE;
  return FALSE;
}

gboolean
ifbam_stability_chart (const IfbamStability *stability, const IfbamPlot *wanted, const char *path,
                       GError **error)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  const IfbamScheme *own = stability->spec->scheme;
  g_autoptr (GPtrArray) curves = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) modes = swinging_modes (stability);
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (IfbamPlotSeries));
  g_autofree char *own_label = g_strdup_printf ("%s (the network's)", own->name);
  g_autofree char *dots_label = g_strdup_printf ("their growth with %s", own->name);
  const IfbamPlotSeries pattern = { .x_quantity = "angular frequency times step",
                                    .x_unit = "",
                                    .y_quantity = "growth per step, ln |z| (dotted: decay)",
                                    .y_unit = "" };
  const double left = shortest (stability, modes);
  double lowest = LOWEST;
  g_auto (Marks) marks = { 0 };
  IfbamPlot plot = *wanted;

  for (guint i = 0; i < n; i++)
    {
      Curve *curve = curve_new (schemes[i], left);
      IfbamPlotSeries one = pattern;

      g_ptr_array_add (curves, curve);
      one.colour = i + 1;
      one.strong = schemes[i] == own;
      one.n = POINTS;
      one.x = curve->x;
      one.y = curve->growth;
      one.label = schemes[i] == own ? own_label : schemes[i]->name;
      one.dashed = lies_on_another (curves, i);
      g_array_append_val (series, one);
      one.label = NULL;
      one.y = curve->decay;
      one.dotted = TRUE;
      if (has_points (curve->decay))
        g_array_append_val (series, one);
    }
  plot.kind = IFBAM_PLOT_CHART;
  plot.log_y = TRUE;
  if (isnan (plot.x_range.from))
    plot.x_range.from = left;
  if (isnan (plot.x_range.to))
    plot.x_range.to = LONGEST;
  find_marks (stability, modes, plot.x_range.to / plot.x_range.from, &marks);
  for (gsize i = 0; i < marks.n; i++)
    lowest = fmin (lowest, isnan (marks.growth[i]) ? lowest : 0.3 * marks.growth[i]);
  if (!(plot.y_range.from > 0)) /* on this axis nothing else has a place */
    plot.y_range.from = fmax (lowest, NONE);
  if (isnan (plot.y_range.to))
    plot.y_range.to = HIGHEST;
  draw_lines (&marks, plot.y_range.from, plot.y_range.to);
  if (marks.n > 0)
    {
      IfbamPlotSeries lines = pattern, dots = pattern;

      lines.label = "modes [Hz]";
      lines.neutral = dots.neutral = TRUE;
      lines.n = 3 * marks.n;
      lines.x = marks.line_x;
      lines.y = marks.line_y;
      lines.n_marks = marks.n_numbers;
      lines.mark_x = marks.number_x;
      lines.mark_y = marks.number_y;
      lines.mark_number = marks.hertz;
      g_array_append_val (series, lines);
      dots.label = dots_label;
      dots.loose = TRUE;
      dots.n = marks.n;
      dots.x = marks.x;
      dots.y = marks.growth;
      g_array_append_val (series, dots);
    }
  plot.n_series = series->len;
  plot.series = (const IfbamPlotSeries *) (gpointer) series->data;
  return ifbam_plot_draw (&plot, path, error);
}

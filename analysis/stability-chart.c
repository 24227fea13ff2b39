/* stability-chart.c: growth over angular frequency times step, for all schemes, with a network's modes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stability-chart.h"

#include <math.h>

#define POINTS  1200
#define LONGEST 4.0 /* omega * step at the right end */
/* Beyond the limits of stability growth is of the order one. */
#define LOWEST  -0.1
#define HIGHEST 0.5

/* A curve with its marks: columns x, y (n), then x, y, frequency [Hz] of the marks. */
typedef struct
{
  double x[POINTS], y[POINTS];
  double *mark_x, *mark_y, *mark_number;
  gsize n_marks;
} Curve;

static void
curve_free (Curve *curve)
{
  g_free (curve->mark_x);
  g_free (curve->mark_y);
  g_free (curve->mark_number);
  g_free (curve);
}

/* Where the picture begins: left of the slowest mode. */
static double
shortest (const IfbamStability *stability)
{
  double least = 0.05;

  for (gsize i = 0; i < stability->n_modes; i++)
    if (cimag (stability->mode[i]) > 0)
      least = fmin (least, 0.5 * cabs (stability->mode[i]) * stability->plan->step);
  if (stability->n_modes == 0 && stability->fastest > 0)
    least = fmin (least, 0.5 * stability->fastest * stability->plan->step);
  return fmax (least, 1e-9);
}

static void
add_mark (Curve *curve, const IfbamStability *stability, const IfbamScheme *scheme,
          double complex mode)
{
  const double step = stability->plan->step;
  const double complex seen = ifbam_stability_seen (stability, scheme, step, mode);

  curve->mark_x[curve->n_marks] = cabs (mode) * step;
  curve->mark_y[curve->n_marks] = creal (seen) * step;
  curve->mark_number[curve->n_marks++] = cimag (mode) / (2 * G_PI);
}

static Curve *
curve_new (const IfbamStability *stability, const IfbamScheme *scheme, gboolean log_y)
{
  Curve *curve = g_new0 (Curve, 1);
  const double from = log (shortest (stability)), to = log (LONGEST);

  for (guint i = 0; i < POINTS; i++)
    {
      curve->x[i] = exp (from + (to - from) * i / (POINTS - 1));
      curve->y[i] = ifbam_scheme_growth (scheme, curve->x[i]);
    }
  curve->mark_x = g_new (double, stability->n_modes + 1);
  curve->mark_y = g_new (double, stability->n_modes + 1);
  curve->mark_number = g_new (double, stability->n_modes + 1);
  for (gsize i = 0; i < stability->n_modes; i++)
    if (cimag (stability->mode[i]) > 0)
      add_mark (curve, stability, scheme, stability->mode[i]);
  if (stability->mode == NULL && stability->fastest > 0)
    add_mark (curve, stability, scheme, I * stability->fastest);
  /* What a logarithm has no place for. */
  if (log_y)
    {
      gsize kept = 0;

      for (gsize i = 0; i < curve->n_marks; i++)
        if (curve->mark_y[i] > 0)
          {
            curve->mark_x[kept] = curve->mark_x[i];
            curve->mark_y[kept] = curve->mark_y[i];
            curve->mark_number[kept++] = curve->mark_number[i];
          }
      curve->n_marks = kept;
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

      while (same < POINTS && fabs (own->y[same] - other->y[same]) < 1e-9)
        same++;
      if (same == POINTS)
        return TRUE;
    }
  return FALSE;
}

/* Below what the modes grow by. */
static double
lowest_growth (const GPtrArray *curves)
{
  double least = 1e-6;

  for (guint i = 0; i < curves->len; i++)
    {
      const Curve *curve = curves->pdata[i];

      for (gsize m = 0; m < curve->n_marks; m++)
        least = fmin (least, 0.3 * curve->mark_y[m]);
    }
  return fmax (least, 1e-20);
}

gboolean
ifbam_stability_chart (const IfbamStability *stability, const IfbamPlot *wanted, const char *path,
                       GError **error)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  g_autoptr (GPtrArray) curves = g_ptr_array_new_with_free_func ((GDestroyNotify) curve_free);
  g_autofree IfbamPlotSeries *series = g_new0 (IfbamPlotSeries, n);
  IfbamPlot plot = *wanted;

  for (guint i = 0; i < n; i++)
    {
      Curve *curve = curve_new (stability, schemes[i], plot.log_y);

      g_ptr_array_add (curves, curve);
      series[i] =
          (IfbamPlotSeries){ .label = schemes[i]->name,
                             .x_quantity =
                                 "angular frequency times step; dots: the network's modes in Hz",
                             .x_unit = "",
                             .y_quantity = "growth per step, ln |z|",
                             .y_unit = "",
                             .n = POINTS,
                             .x = curve->x,
                             .y = curve->y,
                             .n_marks = curve->n_marks,
                             .mark_x = curve->mark_x,
                             .mark_y = curve->mark_y,
                             .mark_number = curve->mark_number,
                             .dashed = lies_on_another (curves, i) };
    }
  /* What a logarithm has no place for. */
  for (guint i = 0; i < n && plot.log_y; i++)
    for (guint j = 0; j < POINTS; j++)
      if (((Curve *) curves->pdata[i])->y[j] <= 0)
        ((Curve *) curves->pdata[i])->y[j] = NAN;
  plot.kind = IFBAM_PLOT_CHART;
  plot.n_series = n;
  plot.series = series;
  if (isnan (plot.x_range.from))
    plot.x_range.from = shortest (stability);
  if (isnan (plot.x_range.to))
    plot.x_range.to = LONGEST;
  if (isnan (plot.y_range.from))
    plot.y_range.from = plot.log_y ? lowest_growth (curves) : LOWEST;
  if (isnan (plot.y_range.to))
    plot.y_range.to = HIGHEST;
  return ifbam_plot_draw (&plot, path, error);
}

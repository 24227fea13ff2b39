/* scheme-figures.c: what schemes do to one mode: regions of stability, roots, numerical damping and elongated periods
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/scheme-figures.h"

#include <math.h>

#include "figure/root-loci.h"
#include "figure/stability-region.h"
#include "linear/linear.h"
#include "engine/engine.h"

#define POINTS     800
#define CLOSE      10000 /* points of a locus: where two roots meet they turn by a right angle */
#define SQUARES    240   /* of a picture of regions */
#define BAND       0.015 /* of the picture's width: the shade at the stable side of a border */
#define LIES_ON    1e-9
#define MOST_DOTS  400
#define MOST_ROOTS (IFBAM_MAX_ROOTS * MOST_DOTS)

/* Curves and what they point to. */
typedef struct
{
  const IfbamSchemeFigure *figure;
  GArray *series;    /* IfbamPlotSeries */
  GPtrArray *owned;  /* numbers and labels */
  GPtrArray *curves; /* GPtrArray of IfbamPlaneCurve */
  IfbamPlotSeries pattern;
} Work;

static void
work_clear (Work *work)
{
  g_array_unref (work->series);
  g_ptr_array_unref (work->owned);
  g_ptr_array_unref (work->curves);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static Work
begin (const IfbamSchemeFigure *figure, const char *x_quantity, const char *y_quantity)
{
  return (Work){
    .figure = figure,
    .series = g_array_new (FALSE, FALSE, sizeof (IfbamPlotSeries)),
    .owned = g_ptr_array_new_with_free_func (g_free),
    .curves = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref),
    .pattern = { .x_quantity = x_quantity, .x_unit = "", .y_quantity = y_quantity, .y_unit = "" }
  };
}

static double *
numbers (Work *work, gsize n)
{
  double *numbers = g_new (double, n + 1);

  g_ptr_array_add (work->owned, numbers);
  return numbers;
}

static gboolean
is_own (const Work *work, const IfbamScheme *scheme)
{
  return work->figure->stability != NULL && work->figure->stability->spec->scheme == scheme;
}

/* Two schemes may have one polynomial. */
static gboolean
lies_on_another (const Work *work, const IfbamPlotSeries *own)
{
  for (guint i = 0; i < work->series->len; i++)
    {
      const IfbamPlotSeries *other = &g_array_index (work->series, IfbamPlotSeries, i);
      gsize same = 0;

      while (other->n == own->n && same < own->n
             && !(fabs (own->x[same] - other->x[same]) > LIES_ON)
             && !(fabs (own->y[same] - other->y[same]) > LIES_ON))
        same++;
      if (same > 0 && same == own->n && g_str_equal (own->y_unit, other->y_unit))
        return TRUE;
    }
  return FALSE;
}

/* A curve of a scheme (x, y: owned by the work, n); only its first has a label. */
static void
add_curve (Work *work, guint number, const IfbamScheme *scheme, gboolean labelled, const double *x,
           const double *y, gsize n)
{
  IfbamPlotSeries curve = work->pattern;

  curve.colour = number + 1;
  curve.strong = is_own (work, scheme);
  if (labelled && curve.strong)
    {
      char *label = g_strdup_printf ("%s (the network's)", scheme->name);

      g_ptr_array_add (work->owned, label);
      curve.label = label;
    }
  else if (labelled)
    curve.label = scheme->name;
  curve.x = x;
  curve.y = y;
  curve.n = n;
  curve.dashed = lies_on_another (work, &curve);
  g_array_append_val (work->series, curve);
}

/* A band at the left of a border, as wide as BAND of the picture's width. */
static void
add_band (Work *work, guint number, const IfbamPlaneCurve *border, double width)
{
  const gsize n = border->n;
  double *const x = numbers (work, 2 * n), *const y = numbers (work, 2 * n);
  IfbamPlotSeries band = work->pattern;

  for (gsize i = 0; i < n; i++)
    {
      const gsize from = i > 0 ? i - 1 : 0, to = i + 1 < n ? i + 1 : i;
      const double dx = border->x[to] - border->x[from], dy = border->y[to] - border->y[from];
      const double part = width / fmax (hypot (dx, dy), 1e-300);

      x[i] = border->x[i];
      y[i] = border->y[i];
      x[2 * n - 1 - i] = x[i] - part * dy;
      y[2 * n - 1 - i] = y[i] + part * dx;
    }
  band.colour = number + 1;
  band.filled = TRUE;
  band.x = x;
  band.y = y;
  band.n = 2 * n;
  g_array_append_val (work->series, band);
}

/* The legend's word about bands: a ring without area. */
static void
name_bands (Work *work, double x, double y)
{
  IfbamPlotSeries sample = work->pattern;
  double *const xs = numbers (work, 3), *const ys = numbers (work, 3);

  for (guint i = 0; i < 3; i++)
    {
      xs[i] = x;
      ys[i] = y;
    }
  sample.label = "shaded: stable side";
  sample.neutral = sample.filled = TRUE;
  sample.x = xs;
  sample.y = ys;
  sample.n = 3;
  g_array_append_val (work->series, sample);
}

/* Curves of a scheme (transfer full). */
static void
add_curves (Work *work, guint number, const IfbamScheme *scheme, GPtrArray *curves)
{
  for (guint i = 0; i < curves->len; i++)
    {
      const IfbamPlaneCurve *curve = curves->pdata[i];

      add_curve (work, number, scheme, i == 0, curve->x, curve->y, curve->n);
    }
  g_ptr_array_add (work->curves, curves);
}

static void
add_dots (Work *work, const char *label, const double *x, const double *y, gsize n)
{
  IfbamPlotSeries dots = work->pattern;

  dots.label = label;
  dots.neutral = dots.loose = TRUE;
  dots.x = x;
  dots.y = y;
  dots.n = n;
  if (n > 0)
    g_array_append_val (work->series, dots);
}

static gboolean
draw (Work *work, IfbamPlot *plot, const char *path, GError **error)
{
  plot->title = work->figure->title;
  plot->n_series = work->series->len;
  plot->series = (const IfbamPlotSeries *) (gpointer) work->series->data;
  return ifbam_plot_draw (plot, path, error);
}

static void
default_range (IfbamPlotRange *range, double from, double to)
{
  if (isnan (range->from))
    range->from = from;
  if (isnan (range->to))
    range->to = to;
}

/* The network's modes that swing, both of each pair (at most MOST_DOTS); 0 where there is no network. */
static gsize
network_modes (const IfbamSchemeFigure *figure, double complex *mode)
{
  const IfbamStability *stability = figure->stability;
  gsize n = 0;

  for (gsize i = 0; stability != NULL && i < stability->n_modes && n < MOST_DOTS; i++)
    if (cimag (stability->mode[i]) != 0)
      mode[n++] = stability->mode[i];
  if (stability != NULL && stability->mode == NULL && stability->fastest > 0)
    mode[n++] = I * stability->fastest;
  return n;
}

gboolean
ifbam_regions_figure_draw (const IfbamSchemeFigure *figure, const char *path, GError **error)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  g_auto (Work) work = begin (figure, "real part of exponent times step", "imaginary part");
  IfbamPlot plot = { .kind = IFBAM_PLOT_PATH,
                     .x_range = figure->x_range,
                     .y_range = figure->y_range };
  g_autofree double complex *mode = g_new (double complex, MOST_DOTS + 1);
  const gsize n_modes = network_modes (figure, mode);
  double *const x = numbers (&work, n_modes), *const y = numbers (&work, n_modes);

  default_range (&plot.x_range, -4, 3);
  default_range (&plot.y_range, -3.5, 3.5);
  for (guint s = 0; s < n; s++)
    {
      GPtrArray *borders = ifbam_region_borders (schemes[s], plot.x_range, plot.y_range, SQUARES);

      for (guint i = 0; i < borders->len && path != NULL; i++)
        add_band (&work, s, borders->pdata[i], BAND * (plot.x_range.to - plot.x_range.from));
      add_curves (&work, s, schemes[s], borders);
    }
  for (gsize i = 0; i < n_modes; i++)
    {
      x[i] = creal (mode[i]) * figure->stability->spec->step;
      y[i] = cimag (mode[i]) * figure->stability->spec->step;
    }
  if (path != NULL)
    name_bands (&work, plot.x_range.from, plot.y_range.from);
  add_dots (&work, "the network's modes", x, y, n_modes);
  return draw (&work, &plot, path, error);
}

gboolean
ifbam_roots_figure_draw (const IfbamSchemeFigure *figure, const char *path, GError **error)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  g_auto (Work) work = begin (figure, "real part of what a step multiplies by", "imaginary part");
  IfbamPlot plot = { .kind = IFBAM_PLOT_PATH,
                     .x_range = figure->x_range,
                     .y_range = figure->y_range };
  g_autofree double complex *mode = g_new (double complex, MOST_DOTS + 1);
  const gsize n_modes = network_modes (figure, mode);
  double *const x = numbers (&work, MOST_ROOTS), *const y = numbers (&work, MOST_ROOTS);
  IfbamPlotSeries circle = work.pattern;
  double *const circle_x = numbers (&work, POINTS), *const circle_y = numbers (&work, POINTS);
  gsize n_dots = 0;

  default_range (&plot.x_range, -1.6, 1.6);
  default_range (&plot.y_range, -1.6, 1.6);
  for (gsize i = 0; i < POINTS; i++)
    {
      const double angle = 2 * G_PI * (double) i / (POINTS - 1);

      circle_x[i] = cos (angle);
      circle_y[i] = sin (angle);
    }
  circle.label = "unit circle";
  circle.neutral = TRUE;
  circle.x = circle_x;
  circle.y = circle_y;
  circle.n = POINTS;
  g_array_append_val (work.series, circle);
  for (guint s = 0; s < n_schemes; s++)
    add_curves (&work, s, schemes[s], ifbam_scheme_loci (schemes[s], IFBAM_LOCI_LONGEST, CLOSE));
  for (gsize i = 0; i < n_modes; i++)
    {
      const double step = figure->stability->spec->step;
      double complex root[IFBAM_MAX_ROOTS];
      const int n = ifbam_scheme_roots (figure->stability->spec->scheme, cabs (mode[i]) * step,
                                        -2 * creal (mode[i]) * step, root);

      for (int j = 0; j < n; j++)
        {
          x[n_dots] = creal (root[j]);
          y[n_dots++] = cimag (root[j]);
        }
    }
  add_dots (&work, "the network's modes", x, y, n_dots);
  return draw (&work, &plot, path, error);
}

/* Two panels: what has a unit of its own has its own axis. */
gboolean
ifbam_elongation_figure_draw (const IfbamSchemeFigure *figure, const char *path, GError **error)
{
  guint n_schemes;
  const IfbamScheme *const *schemes = ifbam_schemes (&n_schemes);
  g_auto (Work) work = begin (figure, "step over period", NULL);
  IfbamPlot plot = { .kind = IFBAM_PLOT_SWEEP,
                     .x_range = figure->x_range,
                     .y_range = figure->y_range };

  default_range (&plot.x_range, 0, IFBAM_ELONGATION_WHOLE);
  for (guint s = 0; s < n_schemes; s++)
    {
      double *const x = numbers (&work, POINTS);
      double *const elongation = numbers (&work, POINTS), *const damping = numbers (&work, POINTS);

      for (gsize i = 0; i < POINTS; i++)
        {
          x[i] = plot.x_range.from
                 + (plot.x_range.to - plot.x_range.from) * ((double) i + 0.5) / POINTS;
          ifbam_scheme_elongation (schemes[s], x[i], &elongation[i], &damping[i]);
          elongation[i] *= 100;
        }
      work.pattern.y_quantity = "elongation of the period";
      work.pattern.y_unit = "%";
      add_curve (&work, s, schemes[s], TRUE, x, elongation, POINTS);
      work.pattern.y_quantity = "numerical damping ratio";
      work.pattern.y_unit = "";
      add_curve (&work, s, schemes[s], FALSE, x, damping, POINTS);
    }
  return draw (&work, &plot, path, error);
}

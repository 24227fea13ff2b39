/* path-figure.c: ways of bodies in the plane, over their ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/path-figure.h"

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"

#define GROUND_POINTS 2000
#define CIRCLE_POINTS 60
#define MARGIN        0.03 /* of the ground beside the ways, part of their length */

typedef struct
{
  const IfbamPathFigure *figure;
  GArray *series;       /* IfbamPlotSeries */
  GPtrArray *owned;     /* names and numbers */
  IfbamPlotRange along; /* x of all ways, with the bodies' size */
} Drawing;

static const IfbamPlotSeries pattern = {
  .x_quantity = "x", .x_unit = "m", .y_quantity = "y", .y_unit = "m"
};

/* n places, first all x (transfer none). */
static double *
new_places (Drawing *drawing, gsize n)
{
  double *places = g_new (double, 2 * n);

  g_ptr_array_add (drawing->owned, places);
  return places;
}

static gboolean
is_wanted (const IfbamPathFigure *figure, const char *name)
{
  for (guint i = 0; figure->bodies != NULL && figure->bodies[i] != NULL; i++)
    if (g_pattern_match_simple (figure->bodies[i], name))
      return TRUE;
  return figure->bodies == NULL;
}

/* What is round has a radius; what is a point has none. */
static double
radius_of (const IfbamPathFigure *figure, const char *name)
{
  const IfbamElement *element =
      figure->network == NULL ? NULL : ifbam_network_get_element (figure->network, name);
  double shape[IFBAM_MAX_SHAPE] = { 0 };

  if (element != NULL && element->info->form == IFBAM_FORM_BALL)
    element->info->shape (element, shape);
  return shape[0];
}

/* A body at the end of its way. */
static void
add_circle (Drawing *drawing, const IfbamPlotSeries *way, double radius, guint colour)
{
  IfbamPlotSeries circle = pattern;
  double *places = new_places (drawing, CIRCLE_POINTS + 1);

  for (guint i = 0; i <= CIRCLE_POINTS; i++)
    {
      places[i] = way->x[way->n - 1] + radius * cos (2 * G_PI * i / CIRCLE_POINTS);
      places[CIRCLE_POINTS + 1 + i] =
          way->y[way->n - 1] + radius * sin (2 * G_PI * i / CIRCLE_POINTS);
    }
  circle.n = CIRCLE_POINTS + 1;
  circle.x = places;
  circle.y = places + CIRCLE_POINTS + 1;
  circle.colour = colour;
  g_array_append_val (drawing->series, circle);
}

static void
add_way (Drawing *drawing, const char *x, const char *y, guint number)
{
  IfbamPlotSeries way = pattern;
  char *name = g_strndup (x, strlen (x) - strlen (".x"));
  const double radius = radius_of (drawing->figure, name);

  g_ptr_array_add (drawing->owned, name);
  way.label = name;
  way.colour = number;
  way.x = ifbam_course_get_values (drawing->figure->course, x, &way.n, NULL);
  way.y = ifbam_course_get_values (drawing->figure->course, y, &way.n, NULL);
  g_array_append_val (drawing->series, way);
  for (gsize i = 0; i < way.n; i++)
    if (isfinite (way.x[i]))
      {
        drawing->along.from = fmin (drawing->along.from, way.x[i] - radius);
        drawing->along.to = fmax (drawing->along.to, way.x[i] + radius);
      }
  if (radius > 0 && way.n > 0)
    add_circle (drawing, &way, radius, number);
}

gboolean
ifbam_path_figure_refuse (GError **error)
{
  g_set_error_literal (
      error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
      "there is nothing to draw: nothing there has a way in the plane (want NAME.x and "
      "NAME.y, as a ball has them; --signal NAME chooses)");
  return FALSE;
}

static gboolean
add_ways (Drawing *drawing, GError **error)
{
  const char *const *signals = ifbam_course_get_signals (drawing->figure->course);
  guint n = 0;

  for (guint i = 0; signals[i] != NULL; i++)
    {
      g_autofree char *name = g_str_has_suffix (signals[i], ".x")
                                  ? g_strndup (signals[i], strlen (signals[i]) - strlen (".x"))
                                  : NULL;
      g_autofree char *y = name == NULL ? NULL : g_strconcat (name, ".y", NULL);

      if (y != NULL && is_wanted (drawing->figure, name) && g_strv_contains (signals, y))
        add_way (drawing, signals[i], y, ++n);
    }
  return n > 0 || ifbam_path_figure_refuse (error);
}

/* y = height + amplitude sin (2 pi x / wavelength) */
static void
add_ground (Drawing *drawing, const IfbamModel *model, const IfbamElement *element, gsize node)
{
  const double margin = MARGIN * (drawing->along.to - drawing->along.from);
  const double from = isnan (drawing->figure->x_range.from) ? drawing->along.from - margin
                                                            : drawing->figure->x_range.from;
  const double to = isnan (drawing->figure->x_range.to) ? drawing->along.to + margin
                                                        : drawing->figure->x_range.to;
  const double height = ifbam_model_given (model, node, 0).position;
  double *places = new_places (drawing, GROUND_POINTS);
  double shape[IFBAM_MAX_SHAPE] = { 0 };
  IfbamPlotSeries ground = pattern;

  element->info->shape (element, shape);
  for (guint i = 0; i < GROUND_POINTS; i++)
    {
      places[i] = from + (to - from) * i / (GROUND_POINTS - 1);
      places[GROUND_POINTS + i] =
          height + (shape[0] != 0 ? shape[0] * sin (2 * G_PI * places[i] / shape[1]) : 0);
    }
  ground.label = element->name;
  ground.ground = TRUE;
  ground.n = GROUND_POINTS;
  ground.x = places;
  ground.y = places + GROUND_POINTS;
  g_array_prepend_val (drawing->series, ground); /* ways are drawn over it */
}

static gboolean
add_grounds (Drawing *drawing, GError **error)
{
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamNetwork *network = drawing->figure->network;

  if (network == NULL)
    return TRUE;
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  for (gsize i = model == NULL ? 0 : model->n_free; model != NULL && i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      if (span->info->form == IFBAM_FORM_SURFACE)
        add_ground (drawing, model, span->element, i);
    }
  return model != NULL;
}

gboolean
ifbam_path_figure_draw (const IfbamPathFigure *figure, const char *path, GError **error)
{
  Drawing drawing = { figure,
                      g_array_new (FALSE, FALSE, sizeof (IfbamPlotSeries)),
                      g_ptr_array_new_with_free_func (g_free),
                      { INFINITY, -INFINITY } };
  IfbamPlot plot = { .kind = IFBAM_PLOT_PATH,
                     .title = figure->title,
                     .x_range = figure->x_range,
                     .y_range = figure->y_range };
  gboolean drawn = add_ways (&drawing, error) && add_grounds (&drawing, error);

  plot.n_series = drawing.series->len;
  plot.series = (const IfbamPlotSeries *) (gpointer) drawing.series->data;
  drawn = drawn && ifbam_plot_draw (&plot, path, error);
  g_array_unref (drawing.series);
  g_ptr_array_unref (drawing.owned);
  return drawn;
}

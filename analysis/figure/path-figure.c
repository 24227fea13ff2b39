/* path-figure.c: ways of bodies in the plane, over their ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/path-figure.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

#define GROUND_POINTS  2000
#define HANGING_POINTS 61 /* of a rope */
#define CIRCLE_POINTS  60
#define MARGIN         0.03 /* of the ground beside the ways, part of their length */
#define STILL          1e-9 /* what moves less than this part of the picture does not */
#define TURNS          5    /* of a spring */
#define THICKNESS      0.02 /* of a spring, part of the picture */
#define ASIDE          0.08 /* of a link along an axis that nothing compresses, part of the picture */
#define DEPTH          0.04 /* of a mass there, and half of its width */
#define FLAT           0.25 /* least height of the picture, part of its width: the axis has numbers */
#define MOST_LINKS     500 /* that are drawn */

typedef struct
{
  const IfbamPathFigure *figure;
  GArray *series;              /* IfbamPlotSeries */
  GPtrArray *owned;            /* names and numbers */
  IfbamPlotRange along, above; /* x and y of all ways, with the bodies' size */
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
  for (guint i = 0; figure->scene != NULL && i < figure->scene->bodies->len; i++)
    {
      const IfbamSceneBody *body = &g_array_index (figure->scene->bodies, IfbamSceneBody, i);

      if (g_str_equal (body->name, name))
        return body->radius;
    }
  return 0;
}

static double
size_of (const Drawing *drawing)
{
  return fmax (drawing->along.to - drawing->along.from, drawing->above.to - drawing->above.from);
}

static void
include (Drawing *drawing, double x, double y, double radius)
{
  if (!isfinite (x) || !isfinite (y))
    return;
  drawing->along.from = fmin (drawing->along.from, x - radius);
  drawing->along.to = fmax (drawing->along.to, x + radius);
  drawing->above.from = fmin (drawing->above.from, y - radius);
  drawing->above.to = fmax (drawing->above.to, y + radius);
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
    include (drawing, way.x[i], way.y[i], radius);
  if (radius > 0 && way.n > 0)
    add_circle (drawing, &way, radius, number);
}

gboolean
ifbam_path_figure_refuse (GError **error)
{
  return ifbam_fail (
      error, IFBAM_ERROR_COURSE,
      "there is nothing to draw: nothing there has a way in the plane (want NAME.x and "
      "NAME.y, as a ball has them; --signal NAME chooses)");
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

/* Of points that are joined one has a way, and what stands still has none. */
static gboolean
goes_with (const IfbamPlotSeries *way, const IfbamPlotSeries *other, double least)
{
  for (gsize i = 0; i < way->n; i++)
    if (!(fabs (way->x[i] - other->x[other->n > 1 ? i : 0]) <= least
          && fabs (way->y[i] - other->y[other->n > 1 ? i : 0]) <= least))
      return FALSE;
  return TRUE;
}

static void
leave_out (Drawing *drawing)
{
  const double least = STILL * size_of (drawing);
  guint colour = 0;

  for (guint i = 0; i < drawing->series->len; i++)
    {
      IfbamPlotSeries *way = &g_array_index (drawing->series, IfbamPlotSeries, i);
      IfbamPlotSeries start = *way;
      gboolean out;

      if (way->label == NULL) /* a circle */
        {
          way->colour = colour;
          continue;
        }
      start.n = 1;
      out = way->n > 1 && goes_with (way, &start, least);
      for (guint k = 0; k < i && !out && drawing->figure->bodies == NULL; k++)
        {
          const IfbamPlotSeries *other = &g_array_index (drawing->series, IfbamPlotSeries, k);

          out = other->label != NULL && way->n > 1 && goes_with (way, other, least);
        }
      if (out && drawing->series->len > 1 && radius_of (drawing->figure, way->label) == 0)
        g_array_remove_index (drawing->series, i--);
      else
        way->colour = ++colour;
    }
}

/* y = height + amplitude sin (2 pi x / wavelength) */
static void
add_ground (Drawing *drawing, const IfbamSceneGround *surface)
{
  const double margin = MARGIN * (drawing->along.to - drawing->along.from);
  const double from = isnan (drawing->figure->x_range.from) ? drawing->along.from - margin
                                                            : drawing->figure->x_range.from;
  const double to = isnan (drawing->figure->x_range.to) ? drawing->along.to + margin
                                                        : drawing->figure->x_range.to;
  double *places = new_places (drawing, GROUND_POINTS);
  IfbamPlotSeries ground = pattern;

  for (guint i = 0; i < GROUND_POINTS; i++)
    {
      places[i] = from + (to - from) * i / (GROUND_POINTS - 1);
      places[GROUND_POINTS + i] = ifbam_scene_ground_height (surface, places[i]);
    }
  ground.label = surface->name;
  ground.ground = TRUE;
  ground.n = GROUND_POINTS;
  ground.x = places;
  ground.y = places + GROUND_POINTS;
  g_array_prepend_val (drawing->series, ground); /* ways are drawn over it */
}

/* The mechanism at the end of the ways */

static void
add_line (Drawing *drawing, double *places, gsize n, gboolean strong)
{
  IfbamPlotSeries line = pattern;

  line.neutral = TRUE;
  line.strong = strong;
  line.n = n;
  line.x = places;
  line.y = places + n;
  g_array_append_val (drawing->series, line);
}

/* To and fro across the way from one end to the other, straight at both; what stores no energy is straight. */
static void
add_way_between (Drawing *drawing, const IfbamLaw *law, gboolean strong, const double *from,
                 const double *to)
{
  const gboolean zigzag = law->energy != NULL && !law->storeless;
  const guint n = zigzag ? 4 * TURNS : 2;
  const double length = hypot (to[0] - from[0], to[1] - from[1]);
  const double width = THICKNESS * size_of (drawing) / fmax (length, 1e-300);
  double *places = new_places (drawing, n);

  for (guint i = 0; i < n; i++)
    {
      const double part = (double) i / (n - 1);
      const double side = i < 2 || i + 2 >= n ? 0 : i % 2 == 0 ? width : -width;

      places[i] = from[0] + part * (to[0] - from[0]) - side * (to[1] - from[1]);
      places[n + i] = from[1] + part * (to[1] - from[1]) + side * (to[0] - from[0]);
    }
  add_line (drawing, places, n, !zigzag && strong);
}

/* What goes along an axis, as in movies. */
static gboolean
find_tie (const Drawing *drawing, const IfbamSceneTie *tie, guint end, gsize row, double *place)
{
  const double lane = tie->lane - 0.5 * (tie->n_lanes - 1.0);
  double ties, boxes;

  if (!ifbam_scene_tie_place (drawing->figure->scene, tie, end, row, place))
    return FALSE;
  ifbam_scene_tie_aside (drawing->figure->scene, tie, end, &ties, &boxes);
  place[tie->axis] += (ASIDE * ties + DEPTH * boxes) * size_of (drawing);
  place[1 - tie->axis] += DEPTH * lane * size_of (drawing);
  return TRUE;
}

static gboolean
find_rider (const Drawing *drawing, const IfbamSceneRider *rider, gsize row, double *place)
{
  if (!ifbam_scene_rider (drawing->figure->scene, rider, row, place))
    return FALSE;
  place[rider->axis] +=
      rider->side * (ASIDE * rider->ties + DEPTH * rider->boxes) * size_of (drawing);
  return TRUE;
}

/* A box, or the line of a wall. */
static void
add_rider (Drawing *drawing, const IfbamSceneRider *rider, gsize row)
{
  const double depth = rider->given ? 0 : DEPTH * size_of (drawing) * rider->side;
  const double half = DEPTH * size_of (drawing);
  const double along[] = { 0, depth, depth, 0, 0 }, across[] = { -half, -half, half, half, -half };
  double *places = new_places (drawing, 5), face[2];

  if (!find_rider (drawing, rider, row, face))
    return;
  for (guint i = 0; i < 5; i++)
    for (guint c = 0; c < 2; c++)
      places[5 * c + i] = face[c] + (c == rider->axis ? along[i] : across[i]);
  add_line (drawing, places, 5, TRUE);
}

static void
add_ties (Drawing *drawing, gsize row)
{
  const IfbamScene *scene = drawing->figure->scene;

  for (guint i = 0; i < scene->ties->len; i++)
    {
      const IfbamSceneTie *tie = &g_array_index (scene->ties, IfbamSceneTie, i);
      double from[2], to[2];

      if (find_tie (drawing, tie, 0, row, from) && find_tie (drawing, tie, 1, row, to)
          && hypot (to[0] - from[0], to[1] - from[1]) > STILL * size_of (drawing))
        add_way_between (drawing, tie->law, FALSE, from, to);
    }
  for (guint i = 0; i < scene->riders->len; i++)
    add_rider (drawing, &g_array_index (scene->riders, IfbamSceneRider, i), row);
}

/* Below and above the ways there may be ropes. */
static void
include_hanging (Drawing *drawing)
{
  const IfbamScene *scene = drawing->figure->scene;
  double trace[2 * HANGING_POINTS];

  for (guint k = 0; k < MIN (scene->links->len, MOST_LINKS) && scene->n_rows > 0; k++)
    {
      const IfbamSceneLink *link = &g_array_index (scene->links, IfbamSceneLink, k);

      if (link->link->geometry->trace == NULL
          || !ifbam_scene_trace (scene, link, scene->n_rows - 1, HANGING_POINTS, trace))
        continue;
      for (guint i = 0; i < HANGING_POINTS; i++)
        {
          drawing->above.from = fmin (drawing->above.from, trace[2 * i + 1]);
          drawing->above.to = fmax (drawing->above.to, trace[2 * i + 1]);
        }
    }
}

/* Beside and below them there may be masses and walls. */
static void
include_riders (Drawing *drawing)
{
  const IfbamScene *scene = drawing->figure->scene;
  const Drawing before = *drawing;

  for (guint i = 0; i < scene->riders->len && scene->n_rows > 0; i++)
    {
      const IfbamSceneRider *rider = &g_array_index (scene->riders, IfbamSceneRider, i);
      const double size = DEPTH * size_of (&before);
      double face[2];

      if (!find_rider (&before, rider, scene->n_rows - 1, face))
        continue;
      include (drawing, face[0], face[1], size);
    }
}

/* What hangs between its ends. */
static void
add_trace (Drawing *drawing, const IfbamSceneLink *link, gsize row)
{
  double *places = new_places (drawing, HANGING_POINTS);
  double trace[2 * HANGING_POINTS];

  if (!ifbam_scene_trace (drawing->figure->scene, link, row, HANGING_POINTS, trace))
    return;
  for (guint i = 0; i < HANGING_POINTS; i++)
    for (guint c = 0; c < 2; c++)
      places[c * HANGING_POINTS + i] = trace[2 * i + c];
  add_line (drawing, places, HANGING_POINTS, TRUE);
}

static void
add_outline (Drawing *drawing, const IfbamSceneBody *body, gsize row)
{
  const guint n = body->outline->len + (body->outline->len > 2 ? 1 : 0);
  double *places = new_places (drawing, n);

  for (guint i = 0; i < n; i++)
    {
      const double *corner = &g_array_index (body->outline, double, 2 * (i % body->outline->len));
      IfbamScenePoint point = body->middle;
      double place[2];

      point.numbers[1] = corner[0];
      point.numbers[2] = corner[1];
      if (!ifbam_scene_place (drawing->figure->scene, &point, row, place))
        return;
      places[i] = place[0];
      places[n + i] = place[1];
    }
  add_line (drawing, places, n, TRUE);
}

/* Dots at fixed points and hinges. */
static void
add_dots (Drawing *drawing, gsize row)
{
  const IfbamScene *scene = drawing->figure->scene;
  double *places = new_places (drawing, scene->marks->len + 1);
  gsize n = 0;

  for (guint i = 0; i < scene->marks->len; i++)
    {
      const IfbamSceneMark *mark = &g_array_index (scene->marks, IfbamSceneMark, i);
      double place[2];

      if (mark->joined && ifbam_scene_place (scene, &mark->point, row, place))
        {
          places[n] = place[0];
          places[scene->marks->len + n++] = place[1];
        }
    }
  if (n == 0)
    return;
  memmove (places + n, places + scene->marks->len, n * sizeof *places);
  add_line (drawing, places, n, FALSE);
  g_array_index (drawing->series, IfbamPlotSeries, drawing->series->len - 1).loose = TRUE;
}

static void
add_mechanism (Drawing *drawing)
{
  const IfbamScene *scene = drawing->figure->scene;
  const gsize row = scene->n_rows - 1;

  for (guint i = 0; i < MIN (scene->links->len, MOST_LINKS); i++)
    {
      const IfbamSceneLink *link = &g_array_index (scene->links, IfbamSceneLink, i);
      double from[2], to[2];

      if (link->link->geometry->trace != NULL)
        add_trace (drawing, link, row);
      else if (ifbam_scene_place (scene, &link->end[0], row, from)
               && ifbam_scene_place (scene, &link->end[1], row, to))
        add_way_between (drawing, link->link->law, link->link->geometry->measures_distance, from,
                         to);
    }
  add_ties (drawing, row);
  for (guint i = 0; i < scene->bodies->len; i++)
    {
      const IfbamSceneBody *body = &g_array_index (scene->bodies, IfbamSceneBody, i);

      if (body->outline->len > 1)
        add_outline (drawing, body, row);
    }
  add_dots (drawing, row);
}

/* A dot for each event, a colour for each word. */
static void
add_events (Drawing *drawing)
{
  const IfbamPathFigure *figure = drawing->figure;
  g_autoptr (GHashTable) series = g_hash_table_new (g_str_hash, g_str_equal); /* word -> GArray */
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  gsize n = 0;

  if (figure->events != NULL)
    n = ifbam_events_get_n_events (figure->events);
  for (gsize i = 0; i < n; i++)
    {
      const IfbamEvent *event = ifbam_events_get_event (figure->events, i);
      GArray *places = g_hash_table_lookup (series, event->word);
      double place[2], radius;

      if (!ifbam_scene_event_place (figure->scene, event, place, &radius))
        continue;
      if (places == NULL)
        {
          places = g_array_new (FALSE, FALSE, sizeof place);
          g_hash_table_insert (series, (gpointer) event->word, places);
          g_ptr_array_add (words, (gpointer) event->word);
        }
      g_array_append_val (places, place);
    }
  for (guint w = 0; w < words->len; w++)
    {
      GArray *list = g_hash_table_lookup (series, words->pdata[w]);
      double *places = new_places (drawing, list->len);
      IfbamPlotSeries dots = pattern;

      for (guint i = 0; i < list->len; i++)
        for (guint c = 0; c < 2; c++)
          places[c * list->len + i] = g_array_index (list, double, 2 * i + c);
      dots.label = words->pdata[w];
      dots.loose = TRUE;
      dots.n = list->len;
      dots.x = places;
      dots.y = places + list->len;
      g_array_append_val (drawing->series, dots);
      g_array_unref (list);
    }
}

/* Of ways that are nearly level a picture has room above and below. */
static IfbamPlotRange
height_of (const Drawing *drawing)
{
  const IfbamPlotRange above = drawing->above;
  const double least = FLAT * (drawing->along.to - drawing->along.from);
  const double middle = (above.from + above.to) / 2;

  if (!isnan (drawing->figure->y_range.from) || !isnan (drawing->figure->y_range.to)
      || !isnan (drawing->figure->x_range.from) || !isnan (drawing->figure->x_range.to)
      || !(above.to - above.from < least))
    return drawing->figure->y_range;
  return (IfbamPlotRange){ middle - least / 2, middle + least / 2 };
}

gboolean
ifbam_path_figure_draw (const IfbamPathFigure *figure, const char *path, GError **error)
{
  Drawing drawing = { figure,
                      g_array_new (FALSE, FALSE, sizeof (IfbamPlotSeries)),
                      g_ptr_array_new_with_free_func (g_free),
                      { INFINITY, -INFINITY },
                      { INFINITY, -INFINITY } };
  IfbamPlot plot = { .kind = IFBAM_PLOT_PATH,
                     .title = figure->title,
                     .x_range = figure->x_range,
                     .y_range = figure->y_range };
  gboolean drawn = add_ways (&drawing, error);

  if (drawn)
    leave_out (&drawing);
  if (drawn && figure->scene != NULL && path != NULL)
    {
      include_hanging (&drawing);
      include_riders (&drawing);
    }
  if (drawn && figure->scene != NULL)
    plot.y_range = height_of (&drawing);
  for (guint i = 0; drawn && figure->scene != NULL && i < figure->scene->grounds->len; i++)
    add_ground (&drawing, &g_array_index (figure->scene->grounds, IfbamSceneGround, i));
  if (drawn && figure->scene != NULL && figure->scene->n_rows > 0 && path != NULL)
    add_mechanism (&drawing);
  if (drawn && figure->scene != NULL)
    add_events (&drawing);
  plot.n_series = drawing.series->len;
  plot.series = (const IfbamPlotSeries *) (gpointer) drawing.series->data;
  drawn = drawn && ifbam_plot_draw (&plot, path, error);
  g_array_unref (drawing.series);
  g_ptr_array_unref (drawing.owned);
  return drawn;
}

/* path-figure.c: paths of bodies in the plane, over their ground, with the mechanism at the end
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/path-figure.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "figure/plane-drawing.h"

#define GROUND_POINTS 2000
#define CIRCLE_POINTS 60
#define MARGIN        0.03 /* of the ground beside the paths, relative to their length */
#define STILL         1e-9 /* smallest motion, relative to the picture */
#define TURNS         5    /* of a spring */
#define THICKNESS     0.02 /* of a spring, relative to the picture */
#define ASIDE         0.08 /* length of an uncompressed link, relative to the picture */
#define DEPTH         0.04 /* of a mass on an axis, and half of its width */
#define FLAT          0.25 /* least height relative to the width, for the numbers of the axis */
#define WIDE          (IFBAM_CURVE_NEUTRAL | IFBAM_CURVE_STRONG)
#define MAX_LINKS     500 /* between points of the plane; further ones are omitted */

typedef struct
{
  const IfbamPathFigure *figure;
  IfbamChart *chart;
  IfbamAxisRange along, above; /* x and y of all paths, including the bodies' size */
} Drawing;

/* Adds a curve over n points (x, y), which are copied. */
static IfbamCurve *
add_points (const Drawing *drawing, const char *label, const double *points, gsize n, guint style)
{
  double *x = ifbam_chart_numbers (drawing->chart, 2 * n), *y = x + n;
  IfbamCurve *curve = ifbam_chart_add (drawing->chart, label, x, y, n);

  for (gsize i = 0; i < n; i++)
    {
      x[i] = points[2 * i];
      y[i] = points[2 * i + 1];
    }
  curve->style = style;
  return curve;
}

static gboolean
is_wanted (const IfbamPathFigure *figure, const char *name)
{
  for (guint i = 0; figure->bodies != NULL && figure->bodies[i] != NULL; i++)
    if (g_pattern_match_simple (figure->bodies[i], name))
      return TRUE;
  return figure->bodies == NULL;
}

/* Returns the radius of a ball; 0: a point. */
static double
radius_of (const IfbamPathFigure *figure, const char *name)
{
  if (figure->scene != NULL)
    IFBAM_FOREACH (const IfbamSceneBody, body, figure->scene->bodies)
      if (g_str_equal (body->name, name))
        return body->radius;
  return 0;
}

static double
size_of (const Drawing *drawing)
{
  return fmax (drawing->along.to - drawing->along.from, drawing->above.to - drawing->above.from);
}

/* Returns the scene with sizes of parts for the picture. */
static IfbamPlane
plane_of (const Drawing *drawing)
{
  const double size = size_of (drawing), depth = DEPTH * size;

  return (IfbamPlane){ drawing->figure->scene, ASIDE * size, depth, { depth, depth } };
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

/* Paths */

/* Adds a path, and its body at the end. */
static void
add_path (Drawing *drawing, const char *name, const char *x, const char *y, guint colour)
{
  const double radius = radius_of (drawing->figure, name);
  gsize n;
  const double *xs = ifbam_course_get_values (drawing->figure->course, x, &n, NULL);
  const double *ys = ifbam_course_get_values (drawing->figure->course, y, &n, NULL);
  double circle[CIRCLE_POINTS + 1][2];

  ifbam_chart_add (drawing->chart, name, xs, ys, n)->colour = colour;
  for (gsize i = 0; i < n; i++)
    include (drawing, xs[i], ys[i], radius);
  if (radius == 0 || n == 0)
    return;
  for (guint i = 0; i <= CIRCLE_POINTS; i++)
    {
      circle[i][0] = xs[n - 1] + radius * cos (2 * G_PI * i / CIRCLE_POINTS);
      circle[i][1] = ys[n - 1] + radius * sin (2 * G_PI * i / CIRCLE_POINTS);
    }
  add_points (drawing, NULL, circle[0], CIRCLE_POINTS + 1, 0)->colour = colour;
}

gboolean
ifbam_path_refuse (GError **error)
{
  return ifbam_fail (
      error, IFBAM_ERROR_COURSE,
      "there is nothing to draw: no element has coordinates in the plane (want NAME.x and "
      "NAME.y, as a ball has them; --signal NAME chooses)");
}

static gboolean
add_paths (Drawing *drawing, GError **error)
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
        add_path (drawing, name, signals[i], y, ++n);
    }
  return n > 0 || ifbam_path_refuse (error);
}

/* TRUE if a path coincides with another one, or (n = 1) with a point. */
static gboolean
coincides (const IfbamCurve *path, const double *x, const double *y, gsize n, double least)
{
  for (gsize i = 0; i < path->n; i++)
    if (!(fabs (path->x[i] - x[n > 1 ? i : 0]) <= least
          && fabs (path->y[i] - y[n > 1 ? i : 0]) <= least))
      return FALSE;
  return TRUE;
}

/* Keeps one path of joined points; removes paths of bodies that do not move. */
static void
remove_still (Drawing *drawing)
{
  GArray *curves = drawing->chart->curves;
  const double least = STILL * size_of (drawing);
  guint colour = 0;

  for (guint i = 0; i < curves->len; i++)
    {
      IfbamCurve *path = &g_array_index (curves, IfbamCurve, i);
      gboolean out = path->n > 1 && coincides (path, path->x, path->y, 1, least);

      if (path->label == NULL) /* a circle */
        {
          path->colour = colour;
          continue;
        }
      for (guint k = 0; k < i && !out && drawing->figure->bodies == NULL; k++)
        {
          const IfbamCurve *other = &g_array_index (curves, IfbamCurve, k);

          out = other->label != NULL && path->n > 1
                && coincides (path, other->x, other->y, other->n, least);
        }
      if (out && curves->len > 1 && radius_of (drawing->figure, path->label) == 0)
        g_array_remove_index (curves, i--);
      else
        path->colour = ++colour;
    }
}

/* Adds y = height + amplitude sin (2 pi x / wavelength); paths are drawn over it. */
static void
add_ground (Drawing *drawing, const IfbamSceneGround *surface)
{
  GArray *curves = drawing->chart->curves;
  const double margin = MARGIN * (drawing->along.to - drawing->along.from);
  const IfbamAxisRange shown = ifbam_range_or (
      drawing->chart->x.range, drawing->along.from - margin, drawing->along.to + margin);
  double points[GROUND_POINTS][2];
  IfbamCurve ground;

  for (guint i = 0; i < GROUND_POINTS; i++)
    {
      points[i][0] = shown.from + (shown.to - shown.from) * i / (GROUND_POINTS - 1);
      points[i][1] = ifbam_scene_ground_height (surface, points[i][0]);
    }
  ground = *add_points (drawing, surface->name, points[0], GROUND_POINTS, IFBAM_CURVE_GROUND);
  g_array_set_size (curves, curves->len - 1);
  g_array_prepend_val (curves, ground);
}

/* The mechanism at the end of the paths */

/* Ropes may extend below the paths, masses and walls beside them. */
static void
include_mechanism (Drawing *drawing)
{
  const IfbamScene *scene = drawing->figure->scene;
  double trace[2 * IFBAM_PLANE_POINTS], face[2];
  IfbamPlane plane;

  if (scene->n_rows == 0)
    return;
  for (guint k = 0; k < MIN (scene->links->len, MAX_LINKS); k++)
    {
      const IfbamSceneLink *link = &g_array_index (scene->links, IfbamSceneLink, k);

      if (link->link->geometry->trace == NULL
          || !ifbam_scene_trace (scene, link, scene->n_rows - 1, IFBAM_PLANE_POINTS, trace))
        continue;
      for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
        {
          drawing->above.from = fmin (drawing->above.from, trace[2 * i + 1]);
          drawing->above.to = fmax (drawing->above.to, trace[2 * i + 1]);
        }
    }
  plane = plane_of (drawing);
  IFBAM_FOREACH (const IfbamSceneRider, rider, scene->riders)
    if (ifbam_plane_face (&plane, rider, scene->n_rows - 1, face))
      include (drawing, face[0], face[1], plane.box);
}

/* Draws a link that stores energy as a zigzag, straight at both ends; others as straight lines,
 * wide if they keep a distance. */
static void
add_line (Drawing *drawing, const IfbamPlane *plane, const IfbamPlaneLine *line, gsize row)
{
  const gboolean zigzag = line->law->energy != NULL && !line->law->storeless;
  const gboolean wide = !zigzag && line->geometry != NULL && line->geometry->measures_distance;
  const guint n = zigzag ? 4 * TURNS : 2;
  double ends[2][2], length, width, points[MAX (4 * TURNS, IFBAM_PLANE_POINTS)][2];

  if (line->geometry != NULL && line->geometry->trace != NULL) /* a rope */
    {
      if (ifbam_scene_trace (plane->scene, line->link, row, IFBAM_PLANE_POINTS, points[0]))
        add_points (drawing, NULL, points[0], IFBAM_PLANE_POINTS, WIDE);
      return;
    }
  if (!ifbam_plane_ends (plane, line, row, ends))
    return;
  length = hypot (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
  if (line->tie != NULL && length <= STILL * size_of (drawing))
    return;
  width = THICKNESS * size_of (drawing) / fmax (length, 1e-300);
  for (guint i = 0; i < n; i++)
    {
      const double part = (double) i / (n - 1);
      const double side = i < 2 || i + 2 >= n ? 0 : i % 2 == 0 ? width : -width;
      const double dx = ends[1][0] - ends[0][0], dy = ends[1][1] - ends[0][1];

      points[i][0] = ends[0][0] + part * dx - side * dy;
      points[i][1] = ends[0][1] + part * dy + side * dx;
    }
  add_points (drawing, NULL, points[0], n, wide ? WIDE : IFBAM_CURVE_NEUTRAL);
}

/* Draws a box, or the line of a wall. */
static void
add_rider (Drawing *drawing, const IfbamPlane *plane, const IfbamSceneRider *rider, gsize row)
{
  const double half = plane->box, depth = rider->given ? 0 : half * rider->side;
  const double along[] = { 0, depth, depth, 0, 0 }, across[] = { -half, -half, half, half, -half };
  double points[5][2], face[2];

  if (!ifbam_plane_face (plane, rider, row, face))
    return;
  for (guint i = 0; i < 5; i++)
    for (guint c = 0; c < 2; c++)
      points[i][c] = face[c] + (c == rider->axis ? along[i] : across[i]);
  add_points (drawing, NULL, points[0], 5, WIDE);
}

static void
add_outline (Drawing *drawing, const IfbamSceneBody *body, gsize row)
{
  const guint n = body->outline->len + (body->outline->len > 2 ? 1 : 0);
  g_autofree double *points = g_new (double, 2 * n);

  for (guint i = 0; i < n; i++)
    {
      const double *corner = &g_array_index (body->outline, double, 2 * (i % body->outline->len));
      IfbamScenePoint point = body->middle;

      point.numbers[1] = corner[0];
      point.numbers[2] = corner[1];
      if (!ifbam_scene_place (drawing->figure->scene, &point, row, points + 2 * i))
        return;
    }
  add_points (drawing, NULL, points, n, WIDE);
}

/* Adds dots at points (double [2]), unless there are none. */
static void
add_dots (Drawing *drawing, const char *label, const GArray *points, guint style)
{
  if (points->len > 0)
    add_points (drawing, label, (const double *) (gconstpointer) points->data, points->len,
                style | IFBAM_CURVE_POINTS);
}

static void
add_mechanism (Drawing *drawing)
{
  const IfbamScene *scene = drawing->figure->scene;
  const gsize row = scene->n_rows - 1;
  const IfbamPlane plane = plane_of (drawing);
  g_autoptr (GArray) lines = ifbam_plane_lines (scene);
  g_autoptr (GArray) joints = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  double place[2];

  for (guint i = 0; i < lines->len; i++)
    if (i < MAX_LINKS || i >= scene->links->len)
      add_line (drawing, &plane, &g_array_index (lines, IfbamPlaneLine, i), row);
  IFBAM_FOREACH (const IfbamSceneRider, rider, scene->riders)
    add_rider (drawing, &plane, rider, row);
  IFBAM_FOREACH (const IfbamSceneBody, body, scene->bodies)
    if (body->outline->len > 1)
      add_outline (drawing, body, row);
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    if (mark->joined && ifbam_scene_place (scene, &mark->point, row, place))
      g_array_append_vals (joints, place, 1);
  add_dots (drawing, NULL, joints, IFBAM_CURVE_NEUTRAL);
}

/* Adds a dot for each event, with a colour per word. */
static void
add_events (Drawing *drawing)
{
  IfbamEvents *events = drawing->figure->events;
  const gsize n = events != NULL ? ifbam_events_get_n_events (events) : 0;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (gsize i = 0; i < n; i++)
    {
      const IfbamEvent *first = ifbam_events_get_event (events, i);
      g_autoptr (GArray) places = g_array_new (FALSE, FALSE, 2 * sizeof (double));
      double place[2], radius;

      if (g_ptr_array_find_with_equal_func (words, first->word, g_str_equal, NULL)
          || !ifbam_scene_event_place (drawing->figure->scene, first, place, &radius))
        continue;
      g_ptr_array_add (words, (gpointer) first->word);
      for (gsize k = i; k < n; k++)
        {
          const IfbamEvent *event = ifbam_events_get_event (events, k);

          if (g_str_equal (event->word, first->word)
              && ifbam_scene_event_place (drawing->figure->scene, event, place, &radius))
            g_array_append_vals (places, place, 1);
        }
      add_dots (drawing, first->word, places, 0);
    }
}

/* Adds space above and below paths that are nearly level. */
static IfbamAxisRange
height_of (const Drawing *drawing)
{
  const IfbamAxisRange above = drawing->above, x = drawing->chart->x.range,
                       y = drawing->chart->y.range;
  const double least = FLAT * (drawing->along.to - drawing->along.from);
  const double middle = (above.from + above.to) / 2;

  if (!isnan (y.from) || !isnan (y.to) || !isnan (x.from) || !isnan (x.to)
      || !(above.to - above.from < least))
    return y;
  return (IfbamAxisRange){ middle - least / 2, middle + least / 2 };
}

gboolean
ifbam_path_chart (IfbamChart *chart, const IfbamPathFigure *figure, GError **error)
{
  const IfbamScene *scene = figure->scene;
  Drawing drawing = { figure, chart, { INFINITY, -INFINITY }, { INFINITY, -INFINITY } };

  chart->kind = IFBAM_CHART_PATH;
  chart->x.quantity = "x";
  chart->y.quantity = "y";
  chart->x.unit = chart->y.unit = "m";
  ifbam_chart_own (chart, g_object_ref (figure->course), g_object_unref);
  if (!add_paths (&drawing, error))
    return FALSE;
  remove_still (&drawing);
  if (scene == NULL)
    return TRUE;
  if (!chart->text)
    include_mechanism (&drawing);
  chart->y.range = height_of (&drawing);
  IFBAM_FOREACH (const IfbamSceneGround, ground, scene->grounds)
    add_ground (&drawing, ground);
  if (scene->n_rows > 0 && !chart->text)
    add_mechanism (&drawing);
  add_events (&drawing);
  return TRUE;
}

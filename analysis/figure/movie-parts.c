/* movie-parts.c: moving groups of a movie: bodies, links, masses, and the ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/movie-parts.h"

#include <math.h>
#include <string.h>

#include "element/element.h"

#define MIN_BALL  6.0   /* radius of a ball that is a point [pixels] */
#define LETTER    7.0   /* width of a letter [pixels] */
#define MAX_NAMES 12    /* written names */
#define STILL     0.005 /* smallest visible motion [pixels], [degrees] */

static void
put_circle (GString *svg, const char *class, double radius)
{
  g_string_append_printf (svg, "<circle class=\"%s\" r=\"%s\"/>\n", class, IFBAM_PX (radius));
}

/* Appends a point of a path; first: its start. */
static void
put_point (GString *svg, gboolean first, double x, double y)
{
  g_string_append_printf (svg, "%s%s %s", first ? "M" : "L", IFBAM_PX (x), IFBAM_PX (y));
}

static void
set_place (const IfbamMovieWork *work, IfbamTrack *track, guint frame, const double *place)
{
  double pixel[2];

  ifbam_movie_to_picture (work, place, pixel);
  track->x[frame] = pixel[0];
  track->y[frame] = pixel[1];
}

static void
follow (const IfbamMovieWork *work, IfbamTrack *track, const IfbamScenePoint *point)
{
  for (guint f = 0; f < track->n; f++)
    {
      double place[2];

      ifbam_movie_find_place (work, point, f, place);
      set_place (work, track, f, place);
    }
}

static void
put_body (const IfbamMovieWork *work, const IfbamSceneBody *body)
{
  const double *corner = (const double *) (gpointer) body->outline->data;
  GString *svg = work->svg;

  if (body->outline->len < 2)
    g_string_append (svg, "<path class=\"box\" d=\"M-15-10h30v20h-30z\"/>\n");
  else
    {
      g_string_append (svg, "<path class=\"body\" d=\"");
      for (guint i = 0; i < body->outline->len; i++)
        put_point (svg, i == 0, work->scale * corner[2 * i], -work->scale * corner[2 * i + 1]);
      g_string_append (svg, "z\"/>\n");
    }
  put_circle (svg, "mass", 3);
}

static void
put_ball (const IfbamMovieWork *work, const IfbamSceneBody *body)
{
  const double radius = fmax (work->scale * body->radius, MIN_BALL);

  put_circle (work->svg, "ball", radius);
  if (body->speed != 0 || body->middle.numbers[0] == 3)
    ifbam_movie_put_line (work->svg, "spin", 0, 0, radius, 0, "/>");
}

/* Returns the largest distance of a body's parts from its middle [pixels]. */
static double
arm_of (const IfbamMovieWork *work, const IfbamSceneBody *body)
{
  const double *corner = (const double *) (gpointer) body->outline->data;
  double arm = fmax (work->scale * body->radius, MIN_BALL);

  for (guint i = 0; i < body->outline->len; i++)
    arm = fmax (arm, work->scale * hypot (corner[2 * i], corner[2 * i + 1]));
  return arm;
}

/* Appends a name beside a part, on its right if there is space. */
static void
put_name (const IfbamMovieWork *work, const IfbamTrack *track, double aside, double y,
          const char *name)
{
  const gboolean room = track->x[0] + aside + LETTER * (double) strlen (name) < IFBAM_MOVIE_WIDTH;

  ifbam_movie_put_text (work->svg, room ? aside : -aside, y, "small name", room ? "start" : "end",
                        name);
}

static void
draw_body (const IfbamMovieWork *work, const IfbamSceneBody *body)
{
  const IfbamScene *scene = work->plane.scene;
  g_auto (IfbamTrack) track = ifbam_track_new (work);
  const double aside = 10 + (body->round ? 0.7 * work->scale * body->radius : 0);

  follow (work, &track, &body->middle);
  for (guint f = 0; f < track.n; f++)
    track.angle[f] = -180 / G_PI * ifbam_scene_angle (scene, body, ifbam_movie_row (work, f));
  track.arm = arm_of (work, body);
  ifbam_movie_open_part (work, &track, body->name);
  ifbam_movie_open_group (work, &track, "rotate", track.angle, NULL, STILL);
  (body->round ? put_ball : put_body) (work, body);
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    {
      const IfbamScenePoint *point = &mark->point;

      if (point->numbers[0] == 3 && point->node[0] == body->middle.node[0])
        g_string_append_printf (work->svg,
                                "<circle class=\"point\" cx=\"%s\" cy=\"%s\" r=\"2.5\"/>\n",
                                IFBAM_PX (work->scale * point->numbers[1]),
                                IFBAM_PX (-work->scale * point->numbers[2]));
    }
  g_string_append (work->svg, "</g>\n");
  if (scene->bodies->len <= MAX_NAMES)
    put_name (work, &track, aside, -aside - 2, body->name);
  g_string_append (work->svg, "</g></g>\n");
}

/* Returns half the thickness of an oval for a slack link. */
static double
slack_of (const IfbamMovieWork *work, const IfbamLink *link, double length)
{
  const double most = work->scale * link->shape[2 * IFBAM_END_SIZE];
  const double part = most > 0 ? fmin (length / most, 1) : 1;

  return fmax (fmin (most / 60, 6) * sqrt (1 - part * part), 0.01); /* flat, it is not drawn */
}

/* Computes the other endpoint relative to the first. Returns the largest distance [pixels]. */
static double
stretch_track (const IfbamMovieWork *work, IfbamTrack *track, const IfbamPlaneLine *line)
{
  double longest = 0;

  for (guint f = 0; f < track->n; f++)
    {
      double ends[2][2], to[2], x, y, length, turned;

      ifbam_movie_check_found (
          ifbam_plane_ends (&work->plane, line, ifbam_movie_row (work, f), ends));
      set_place (work, track, f, ends[0]);
      ifbam_movie_to_picture (work, ends[1], to);
      x = to[0] - track->x[f];
      y = to[1] - track->y[f];
      length = hypot (x, y);
      turned = length > 0 ? 180 / G_PI * atan2 (y, x) : 0;
      if (f > 0) /* the shorter rotation */
        turned = track->angle[f - 1] + remainder (turned - track->angle[f - 1], 360);
      track->angle[f] = turned;
      track->stretch[f] = length / (2 * IFBAM_MOVIE_SYMBOL);
      track->swell[f] =
          line->geometry == &ifbam_stretch ? slack_of (work, line->link->link, length) : 1;
      longest = fmax (longest, length);
    }
  return longest;
}

/* Computes a rope relative to its first endpoint, at a frame [pixels]. */
static void
compute_rope (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame, double *places)
{
  double first[2];

  ifbam_movie_find_trace (work, link, frame, places);
  memcpy (first, places, sizeof first);
  for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
    for (guint c = 0; c < 2; c++)
      places[2 * i + c] = (c == 0 ? 1 : -1) * work->scale * (places[2 * i + c] - first[c]);
}

static void
put_rope (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame)
{
  double places[2 * IFBAM_PLANE_POINTS];

  compute_rope (work, link, frame, places);
  for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
    put_point (work->svg, i == 0, places[2 * i], places[2 * i + 1]);
}

/* Draws a rope, with keys where its other endpoint or its middle need them. */
static void
draw_hanging (const IfbamMovieWork *work, const IfbamSceneLink *link)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work), own = ifbam_track_new (work);
  const guint middle = IFBAM_PLANE_POINTS / 2, last = IFBAM_PLANE_POINTS - 1;
  double places[2 * IFBAM_PLANE_POINTS];

  follow (work, &track, &link->end[0]);
  for (guint f = 0; f < own.n; f++)
    {
      compute_rope (work, link, f, places);
      own.x[f] = places[2 * last];
      own.y[f] = places[2 * last + 1];
      own.stretch[f] = places[2 * middle] / IFBAM_MOVIE_SYMBOL;
      own.swell[f] = places[2 * middle + 1] / IFBAM_MOVIE_SYMBOL;
    }
  ifbam_track_find_keys (work, &own);
  ifbam_movie_open_part (work, &track, link->link->name);
  g_string_append (work->svg, "<path class=\"rod\" d=\"");
  put_rope (work, link, 0);
  g_string_append (work->svg, "\"><animate attributeName=\"d\" repeatCount=\"indefinite\"");
  ifbam_movie_put_times (work, own.keys);
  for (guint i = 0; i < own.keys->len; i++)
    {
      if (i > 0)
        g_string_append_c (work->svg, ';');
      put_rope (work, link, g_array_index (own.keys, guint, i));
    }
  g_string_append (work->svg, "\"/></path></g></g>\n");
}

/* Draws a guide: its symbol is along its axis at the right endpoint. */
static void
turn_along (const IfbamMovieWork *work, IfbamTrack *track, const IfbamSceneLink *link)
{
  const IfbamScenePoint *left = &link->end[0];
  const double *column = left->numbers[0] == 3 ? work->plane.scene->column[left->node[2]] : NULL;

  follow (work, track, &link->end[1]);
  for (guint f = 0; f < track->n; f++)
    {
      const double turned = column != NULL ? column[ifbam_movie_row (work, f)] : 0;

      track->angle[f] = -180 / G_PI * (link->link->shape[2 * IFBAM_END_SIZE] + turned);
      track->stretch[f] = track->swell[f] = 1;
    }
}

static void
draw_line (const IfbamMovieWork *work, const IfbamPlaneLine *line)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work);
  const gboolean guide = line->geometry == &ifbam_across;
  const gboolean rigid = line->geometry != NULL && line->law->energy == NULL
                         && line->geometry->measures_distance && line->geometry != &ifbam_stretch;
  GString *svg = work->svg;

  if (line->geometry != NULL && line->geometry->trace != NULL)
    {
      draw_hanging (work, line->link);
      return;
    }
  track.arm = IFBAM_MOVIE_SYMBOL;
  if (guide)
    turn_along (work, &track, line->link);
  else
    track.arm = stretch_track (work, &track, line);
  if (track.arm < 1 && line->tie != NULL)
    return;
  ifbam_movie_open_part (work, &track, line->name);
  if (track.arm < 1) /* a joint */
    put_circle (svg, "pin", 4);
  else
    {
      ifbam_movie_open_group (work, &track, "rotate", track.angle, NULL, STILL);
      ifbam_movie_open_group (work, &track, "scale", track.stretch, track.swell, 1e-4);
      if (rigid)
        g_string_append (svg, "<path class=\"rod\" d=\"M0 0h40\"/>");
      else
        g_string_append_printf (svg, "%s<path class=\"link\" d=\"%s\"/>%s",
                                guide ? "" : "<g transform=\"translate(20 0)\">",
                                line->info->symbol != NULL ? line->info->symbol : "M-20 0h40",
                                guide ? "" : "</g>");
      g_string_append (svg, "</g></g>");
    }
  g_string_append (svg, "</g></g>\n");
}

/* Draws a box behind its near face, or a wall. */
static void
draw_rider (const IfbamMovieWork *work, const IfbamSceneRider *rider)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work);
  const double side = rider->side;
  const double turned = rider->axis == 0 ? (side > 0 ? 0 : 180) : (side > 0 ? -90 : 90);

  for (guint f = 0; f < track.n; f++)
    {
      double place[2];

      ifbam_movie_check_found (
          ifbam_plane_face (&work->plane, rider, ifbam_movie_row (work, f), place));
      set_place (work, &track, f, place);
    }
  ifbam_movie_open_part (work, &track, rider->name);
  g_string_append_printf (work->svg, "<path class=\"%s\" transform=\"rotate(%s)\" d=\"%s\"/>",
                          rider->given ? "wall" : "box", IFBAM_PX (turned),
                          rider->given ? "M0-24v48M0-16l8-8M0-4l8-8M0 8l8-8M0 20l8-8"
                                       : "M0-20h30v40h-30z");
  if (work->plane.scene->riders->len <= MAX_NAMES && rider->axis == 0)
    ifbam_movie_put_text (work->svg, IFBAM_MOVIE_BOX / 2 * side, -28, "small name", "middle",
                          rider->name);
  else if (work->plane.scene->riders->len <= MAX_NAMES)
    put_name (work, &track, 28, 4 - IFBAM_MOVIE_BOX / 2 * side, rider->name);
  g_string_append (work->svg, "</g></g>\n");
}

static void
draw_ground (const IfbamMovieWork *work, const IfbamSceneGround *ground)
{
  const double from = -work->origin[0] / work->scale,
               to = (IFBAM_MOVIE_WIDTH - work->origin[0]) / work->scale;
  const guint n = ground->amplitude == 0 ? 1 : IFBAM_MOVIE_GROUND;

  g_string_append (work->svg, "<path class=\"ground\" d=\"");
  for (guint k = 0; k <= n; k++)
    {
      const double x = from + (to - from) * k / n;
      double pixel[2];

      ifbam_movie_to_picture (work, (double[2]){ x, ifbam_scene_ground_height (ground, x) }, pixel);
      put_point (work->svg, k == 0, pixel[0], pixel[1]);
    }
  g_string_append (work->svg, "\"/>\n");
}

static void
draw_support (const IfbamMovieWork *work, const IfbamSceneMark *mark)
{
  double pixel[2];

  ifbam_movie_to_picture (work, &mark->point.numbers[1], pixel);
  g_string_append_printf (work->svg,
                          "<path class=\"support\" transform=\"translate(%s %s)\" "
                          "d=\"M0 0l-8 13h16zM-13 13h26\"/>\n",
                          IFBAM_PX (pixel[0]), IFBAM_PX (pixel[1]));
}

/* Draws a cart under a point that follows nodes along a line. */
static void
draw_cart (const IfbamMovieWork *work, const IfbamSceneMark *mark)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work);

  follow (work, &track, &mark->point);
  ifbam_track_find_keys (work, &track);
  g_string_append (work->svg, "<g class=\"cart\">\n");
  ifbam_movie_open_group (work, &track, "translate", track.x, track.y, STILL);
  g_string_append (work->svg, "<path class=\"box\" d=\"M-22-7h44v14h-44z\"/></g></g>\n");
}

/* Draws the path of a point, faintly. */
static void
draw_trace (const IfbamMovieWork *work, const IfbamScenePoint *point)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work);

  follow (work, &track, point);
  if (!ifbam_track_varies (&track, track.x, 1) && !ifbam_track_varies (&track, track.y, 1))
    return;
  ifbam_track_find_keys (work, &track);
  g_string_append (work->svg, "<path class=\"trace\" d=\"");
  for (guint i = 0; i < track.keys->len; i++)
    {
      const guint key = g_array_index (track.keys, guint, i);

      put_point (work->svg, i == 0, track.x[key], track.y[key]);
    }
  g_string_append (work->svg, "\"/>\n");
}

/* Draws paths of balls, and of points of bodies without links. */
static void
draw_traces (const IfbamMovieWork *work)
{
  guint n = 0;

  IFBAM_FOREACH (const IfbamSceneBody, body, work->plane.scene->bodies)
    if (body->round && n++ < MAX_NAMES)
      draw_trace (work, &body->middle);
  IFBAM_FOREACH (const IfbamSceneMark, mark, work->plane.scene->marks)
    if (!mark->joined && mark->point.numbers[0] != 0 && n++ < MAX_NAMES)
      draw_trace (work, &mark->point);
}

void
ifbam_movie_draw_parts (const IfbamMovieWork *work)
{
  const IfbamScene *scene = work->plane.scene;
  g_autoptr (GArray) lines = ifbam_plane_lines (scene);

  IFBAM_FOREACH (const IfbamSceneGround, ground, scene->grounds)
    draw_ground (work, ground);
  draw_traces (work);
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    if (mark->point.numbers[0] == 0 && mark->joined)
      draw_support (work, mark);
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    if (mark->point.numbers[0] == 2 && mark->joined)
      draw_cart (work, mark);
  IFBAM_FOREACH (const IfbamSceneBody, body, scene->bodies)
    draw_body (work, body);
  IFBAM_FOREACH (const IfbamPlaneLine, line, lines)
    draw_line (work, line);
  IFBAM_FOREACH (const IfbamSceneRider, rider, scene->riders)
    draw_rider (work, rider);
}

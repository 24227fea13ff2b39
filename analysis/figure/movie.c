/* movie.c: the plane of a network, moving: an SVG that a browser plays without a script
 *
 * All parts stand in groups that are moved and turned (SMIL, linear between keys).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/movie.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "element/element.h"
#include "figure/axis-units.h"
#include "figure/movie-track.h"

/* Sizes in pixels. */
#define WIDTH         900.0 /* of the picture */
#define MAX_HEIGHT    560.0 /* of the plane in it */
#define MIN_HEIGHT    140.0
#define MARGIN        34.0  /* around moving parts */
#define HEAD          40.0  /* for the title */
#define FOOT          52.0  /* for the time */
#define MIN_BALL      6.0   /* of a ball that is a point */
#define BAR           110.0 /* of the scale, about; half of it at least */
#define LETTER        7.0   /* of a name */
#define GROUND_POINTS 600
/* Of parts along an axis, which have no size: */
#define LINK 44.0 /* a link that nothing compresses */
#define BOX  30.0 /* a mass, along its axis */
#define LANE 24.0 /* between links side by side */

#define MAX_BODIES  2000 /* that are drawn */
#define MAX_NAMES   12   /* that are written */
#define MAX_FLASHES 400
#define MAX_WORDS   60    /* of so many flashes each has its event's word */
#define FLASH       0.5   /* how long one is seen [s] */
#define SEVERAL     0.1   /* flashes that follow each other so soon at one place are one [s] */
#define STILL       0.005 /* smallest motion [pixels], [degrees] */

static const char style[] =
    ".movie{--ink:#2b2b2b;--soft:#767676;--paper:#fff;--fill:#2f6fab;--part:#8a8f98;--way:#c9772b;"
    "--flash:#d1232a;font:13px sans-serif;background:var(--paper)}"
    "@media screen and "
    "(prefers-color-scheme:dark){.movie{--ink:#ececec;--soft:#a5a5a5;--paper:#16181b;"
    "--fill:#6fb1ec;--part:#9aa0a8;--way:#e5a05c;--flash:#ff6b6b}}"
    ".movie text{fill:var(--ink)}.movie .small{fill:var(--soft);font-size:12px}.movie "
    ".name{fill:var(--ink)}"
    ".movie .below{dominant-baseline:hanging}"
    ".movie .title{font-size:17px;text-anchor:middle}"
    ".movie path,.movie line,.movie "
    "circle{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round;"
    "stroke-linecap:round;vector-effect:non-scaling-stroke}"
    ".movie .ground{stroke:var(--part);stroke-width:4}"
    ".movie .trace{stroke:var(--way);stroke-width:1;opacity:.55}"
    ".movie .body{fill:var(--fill);stroke:var(--fill);stroke-width:18;opacity:.55}"
    ".movie .box{fill:var(--fill);stroke:var(--ink);fill-opacity:.7}"
    ".movie .ball{fill:var(--fill);fill-opacity:.75;stroke-width:1.5}"
    ".movie .wall{stroke:var(--part)}"
    ".movie .rod{stroke-width:4}.movie .pin{fill:var(--paper)}"
    ".movie .point,.movie .mass{fill:var(--ink);stroke:none}"
    ".movie .support{fill:var(--part);stroke:var(--ink);stroke-width:1.5}"
    ".movie .time{stroke:var(--part);stroke-width:4}.movie .now{stroke:var(--fill);stroke-width:4}"
    ".movie .tick{stroke:var(--flash);stroke-width:2}"
    "@media screen and (max-width:600px){.movie .small{font-size:26px}.movie .title,.movie .flash "
    "text{font-size:30px}}"
    ".movie .flash circle{stroke:var(--flash);stroke-width:3}.movie .flash text{fill:var(--flash);"
    "text-anchor:middle}";

/* SVG */

static void
put_text (GString *svg, double x, double y, const char *class, const char *anchor, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (svg,
                          "<text x=\"%s\" y=\"%s\" class=\"%s\" text-anchor=\"%s\">%s</text>\n",
                          IFBAM_PX (x), IFBAM_PX (y), class, anchor, escaped);
}

/* end: of the element. */
static void
put_line (GString *svg, const char *class, double x1, double y1, double x2, double y2,
          const char *end)
{
  g_string_append_printf (svg, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s\n",
                          class, IFBAM_PX (x1), IFBAM_PX (y1), IFBAM_PX (x2), IFBAM_PX (y2), end);
}

static void
put_circle (GString *svg, const char *class, double radius)
{
  g_string_append_printf (svg, "<circle class=\"%s\" r=\"%s\"/>\n", class, IFBAM_PX (radius));
}

/* A point of a path; first: it begins there. */
static void
put_point (GString *svg, gboolean first, double x, double y)
{
  g_string_append_printf (svg, "%s%s %s", first ? "M" : "L", IFBAM_PX (x), IFBAM_PX (y));
}

/* The plane. A movie's course has all signals that its scene needs, and frames are samples of it: each place is known. */

static void
to_picture (const IfbamMovieWork *work, const double *place, double *pixel)
{
  pixel[0] = work->origin[0] + work->scale * place[0];
  pixel[1] = work->origin[1] - work->scale * place[1];
}

static void
find_place (const IfbamMovieWork *work, const IfbamScenePoint *point, guint frame, double *place)
{
  const gboolean found =
      ifbam_scene_place (work->plane.scene, point, ifbam_movie_row (work, frame), place);

  g_assert (found);
}

static void
find_trace (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame, double *places)
{
  const gboolean found = ifbam_scene_trace (work->plane.scene, link, ifbam_movie_row (work, frame),
                                            IFBAM_PLANE_POINTS, places);

  g_assert (found);
}

static void
find_face (const IfbamMovieWork *work, const IfbamSceneRider *rider, guint frame, double *place)
{
  const gboolean found =
      ifbam_plane_face (&work->plane, rider, ifbam_movie_row (work, frame), place);

  g_assert (found);
}

/* The part of the plane that is seen [m]. */
typedef struct
{
  double low[2], high[2];
  double over[2][2]; /* room for masses and walls below and above it, along each axis [pixels] */
} Extent;

static void
include (Extent *extent, const double *place, double radius)
{
  for (guint c = 0; c < 2; c++)
    {
      extent->low[c] = fmin (extent->low[c], place[c] - radius);
      extent->high[c] = fmax (extent->high[c], place[c] + radius);
    }
}

static void
include_point (const IfbamMovieWork *work, Extent *extent, const IfbamScenePoint *point,
               double radius)
{
  double place[2];

  for (guint f = 0; f < work->frames->len; f++)
    {
      find_place (work, point, f, place);
      include (extent, place, radius);
    }
}

static void
include_link (const IfbamMovieWork *work, Extent *extent, const IfbamSceneLink *link)
{
  double places[2 * IFBAM_PLANE_POINTS];

  for (guint e = 0; e < 2; e++)
    include_point (work, extent, &link->end[e], 0);
  for (guint f = 0; f < work->frames->len && link->link->geometry->trace != NULL; f++)
    {
      find_trace (work, link, f, places);
      for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
        include (extent, places + 2 * i, 0);
    }
}

/* The plane has no sizes yet: faces are where the scene has them. */
static void
include_rider (const IfbamMovieWork *work, Extent *extent, const IfbamSceneRider *rider)
{
  double *room = &extent->over[rider->axis][rider->side > 0 ? 1 : 0], place[2];

  for (guint f = 0; f < work->frames->len; f++)
    {
      find_face (work, rider, f, place);
      include (extent, place, 0);
    }
  *room = fmax (*room, LINK * rider->ties + BOX * (rider->boxes + (rider->ties > 0 ? 1 : 0)));
}

static void
include_ground (Extent *extent, const IfbamSceneGround *ground)
{
  for (guint k = 0; k <= GROUND_POINTS; k++)
    {
      const double x = extent->low[0] + (extent->high[0] - extent->low[0]) * k / GROUND_POINTS;

      include (extent, (double[2]){ x, ifbam_scene_ground_height (ground, x) }, 0);
    }
}

static void
find_scale (IfbamMovieWork *work)
{
  const IfbamScene *scene = work->plane.scene;
  Extent extent = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY }, { { 0 } } };
  const double (*over)[2] = (const double (*)[2]) extent.over;
  double size[2];

  IFBAM_FOREACH (const IfbamSceneBody, body, scene->bodies)
    include_point (work, &extent, &body->middle, body->radius);
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    include_point (work, &extent, &mark->point, 0);
  IFBAM_FOREACH (const IfbamSceneLink, link, scene->links)
    include_link (work, &extent, link);
  IFBAM_FOREACH (const IfbamSceneRider, rider, scene->riders)
    include_rider (work, &extent, rider);
  IFBAM_FOREACH (const IfbamSceneGround, ground, scene->grounds)
    include_ground (&extent, ground);
  for (guint c = 0; c < 2; c++)
    size[c] = extent.high[c] - extent.low[c];
  if (!(fmax (size[0], size[1]) > 0))
    size[0] = 1;
  work->scale =
      fmin (size[0] > 0 ? (WIDTH - 2 * MARGIN - over[0][0] - over[0][1]) / size[0] : INFINITY,
            size[1] > 0 ? (MAX_HEIGHT - 2 * MARGIN - over[1][0] - over[1][1]) / size[1] : INFINITY);
  work->height = fmax (MIN_HEIGHT, work->scale * size[1] + 2 * MARGIN + over[1][0] + over[1][1]);
  work->origin[0] =
      (WIDTH + over[0][0] - over[0][1]) / 2 - work->scale * (extent.low[0] + extent.high[0]) / 2;
  work->origin[1] = HEAD + (work->height + over[1][1] - over[1][0]) / 2
                    + work->scale * (extent.low[1] + extent.high[1]) / 2;
  work->height += HEAD + FOOT;
  work->plane.link = LINK / work->scale;
  work->plane.box = BOX / work->scale;
  work->plane.lane[0] = -LANE / work->scale; /* down, as pixels are counted */
  work->plane.lane[1] = LANE / work->scale;
}

/* Parts */

static void
follow (const IfbamMovieWork *work, IfbamTrack *track, const IfbamScenePoint *point)
{
  for (guint f = 0; f < track->n; f++)
    {
      double place[2], pixel[2];

      find_place (work, point, f, place);
      to_picture (work, place, pixel);
      track->x[f] = pixel[0];
      track->y[f] = pixel[1];
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
    put_line (work->svg, "spin", 0, 0, radius, 0, "/>");
}

/* The largest distance of a body's parts from its middle [pixels]. */
static double
arm_of (const IfbamMovieWork *work, const IfbamSceneBody *body)
{
  const double *corner = (const double *) (gpointer) body->outline->data;
  double arm = fmax (work->scale * body->radius, MIN_BALL);

  for (guint i = 0; i < body->outline->len; i++)
    arm = fmax (arm, work->scale * hypot (corner[2 * i], corner[2 * i + 1]));
  return arm;
}

/* A name beside a part, on its right if there is room. */
static void
put_name (const IfbamMovieWork *work, const IfbamTrack *track, double aside, double y,
          const char *name)
{
  const gboolean room = track->x[0] + aside + LETTER * (double) strlen (name) < WIDTH;

  put_text (work->svg, room ? aside : -aside, y, "small name", room ? "start" : "end", name);
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

/* Half an oval of slack, as far as there is some. */
static double
slack_of (const IfbamMovieWork *work, const IfbamLink *link, double length)
{
  const double most = work->scale * link->shape[2 * IFBAM_END_NUMBERS];
  const double part = most > 0 ? fmin (length / most, 1) : 1;

  return fmax (fmin (most / 60, 6) * sqrt (1 - part * part), 0.01); /* flat, it is not drawn */
}

/* From the first end, the other end at each frame. Returns the largest distance [pixels]. */
static double
stretch_track (const IfbamMovieWork *work, IfbamTrack *track, const IfbamPlaneLine *line)
{
  double longest = 0;

  for (guint f = 0; f < track->n; f++)
    {
      double ends[2][2], from[2], to[2], length, turned;
      const gboolean found = ifbam_plane_ends (&work->plane, line, ifbam_movie_row (work, f), ends);

      g_assert (found);
      to_picture (work, ends[0], from);
      to_picture (work, ends[1], to);
      length = hypot (to[0] - from[0], to[1] - from[1]);
      turned = length > 0 ? 180 / G_PI * atan2 (to[1] - from[1], to[0] - from[0]) : 0;
      if (f > 0) /* the short way round */
        turned = track->angle[f - 1] + remainder (turned - track->angle[f - 1], 360);
      track->x[f] = from[0];
      track->y[f] = from[1];
      track->angle[f] = turned;
      track->stretch[f] = length / (2 * IFBAM_MOVIE_SYMBOL);
      track->swell[f] =
          line->geometry == &ifbam_stretch ? slack_of (work, line->link->link, length) : 1;
      longest = fmax (longest, length);
    }
  return longest;
}

/* A rope from its first end, at a frame [pixels]. */
static void
hang (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame, double *places)
{
  double first[2];

  find_trace (work, link, frame, places);
  memcpy (first, places, sizeof first);
  for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
    for (guint c = 0; c < 2; c++)
      places[2 * i + c] = (c == 0 ? 1 : -1) * work->scale * (places[2 * i + c] - first[c]);
}

static void
put_hanging (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame)
{
  double places[2 * IFBAM_PLANE_POINTS];

  hang (work, link, frame, places);
  for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
    put_point (work->svg, i == 0, places[2 * i], places[2 * i + 1]);
}

/* A rope changes its shape as its ends move: keys are those of its other end and of its middle. */
static void
draw_hanging (const IfbamMovieWork *work, const IfbamSceneLink *link)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work), own = ifbam_track_new (work);
  const guint middle = IFBAM_PLANE_POINTS / 2, last = IFBAM_PLANE_POINTS - 1;
  double places[2 * IFBAM_PLANE_POINTS];

  follow (work, &track, &link->end[0]);
  for (guint f = 0; f < own.n; f++)
    {
      hang (work, link, f, places);
      own.x[f] = places[2 * last];
      own.y[f] = places[2 * last + 1];
      own.stretch[f] = places[2 * middle] / IFBAM_MOVIE_SYMBOL;
      own.swell[f] = places[2 * middle + 1] / IFBAM_MOVIE_SYMBOL;
    }
  ifbam_track_find_keys (work, &own);
  ifbam_movie_open_part (work, &track, link->link->name);
  g_string_append (work->svg, "<path class=\"rod\" d=\"");
  put_hanging (work, link, 0);
  g_string_append (work->svg, "\"><animate attributeName=\"d\" repeatCount=\"indefinite\"");
  ifbam_movie_put_times (work, own.keys);
  for (guint i = 0; i < own.keys->len; i++)
    {
      if (i > 0)
        g_string_append_c (work->svg, ';');
      put_hanging (work, link, g_array_index (own.keys, guint, i));
    }
  g_string_append (work->svg, "\"/></path></g></g>\n");
}

/* A guide: its symbol lies along its axis at the right end. */
static void
turn_along (const IfbamMovieWork *work, IfbamTrack *track, const IfbamSceneLink *link)
{
  const IfbamScenePoint *left = &link->end[0];
  const double *column = left->numbers[0] == 3 ? work->plane.scene->column[left->node[2]] : NULL;

  follow (work, track, &link->end[1]);
  for (guint f = 0; f < track->n; f++)
    {
      const double turned = column != NULL ? column[ifbam_movie_row (work, f)] : 0;

      track->angle[f] = -180 / G_PI * (link->link->shape[2 * IFBAM_END_NUMBERS] + turned);
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

/* A box behind its near face, or a wall. */
static void
draw_rider (const IfbamMovieWork *work, const IfbamSceneRider *rider)
{
  g_auto (IfbamTrack) track = ifbam_track_new (work);
  const double side = rider->side;
  const double turned = rider->axis == 0 ? (side > 0 ? 0 : 180) : (side > 0 ? -90 : 90);

  for (guint f = 0; f < track.n; f++)
    {
      double place[2], pixel[2];

      find_face (work, rider, f, place);
      to_picture (work, place, pixel);
      track.x[f] = pixel[0];
      track.y[f] = pixel[1];
    }
  ifbam_movie_open_part (work, &track, rider->name);
  g_string_append_printf (work->svg, "<path class=\"%s\" transform=\"rotate(%s)\" d=\"%s\"/>",
                          rider->given ? "wall" : "box", IFBAM_PX (turned),
                          rider->given ? "M0-24v48M0-16l8-8M0-4l8-8M0 8l8-8M0 20l8-8"
                                       : "M0-20h30v40h-30z");
  if (work->plane.scene->riders->len <= MAX_NAMES && rider->axis == 0)
    put_text (work->svg, BOX / 2 * side, -28, "small name", "middle", rider->name);
  else if (work->plane.scene->riders->len <= MAX_NAMES)
    put_name (work, &track, 28, 4 - BOX / 2 * side, rider->name);
  g_string_append (work->svg, "</g></g>\n");
}

static void
draw_ground (const IfbamMovieWork *work, const IfbamSceneGround *ground)
{
  const double from = -work->origin[0] / work->scale, to = (WIDTH - work->origin[0]) / work->scale;
  const guint n = ground->amplitude == 0 ? 1 : GROUND_POINTS;

  g_string_append (work->svg, "<path class=\"ground\" d=\"");
  for (guint k = 0; k <= n; k++)
    {
      const double x = from + (to - from) * k / n;
      double pixel[2];

      to_picture (work, (double[2]){ x, ifbam_scene_ground_height (ground, x) }, pixel);
      put_point (work->svg, k == 0, pixel[0], pixel[1]);
    }
  g_string_append (work->svg, "\"/>\n");
}

static void
draw_support (const IfbamMovieWork *work, const IfbamSceneMark *mark)
{
  double pixel[2];

  to_picture (work, &mark->point.numbers[1], pixel);
  g_string_append_printf (work->svg,
                          "<path class=\"support\" transform=\"translate(%s %s)\" "
                          "d=\"M0 0l-8 13h16zM-13 13h26\"/>\n",
                          IFBAM_PX (pixel[0]), IFBAM_PX (pixel[1]));
}

/* A cart under a point that follows nodes along a line. */
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

/* The path of a point, faint. */
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

/* Of balls, and of points of bodies at which nothing is joined. */
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

/* Events */

static gsize
n_events_of (const IfbamMovieWork *work)
{
  return work->events == NULL ? 0 : ifbam_events_get_n_events (work->events);
}

/* A ring that appears at the event and fades. */
static void
draw_flash (const IfbamMovieWork *work, const IfbamEvent *event, const double *pixel, double radius)
{
  GString *svg = work->svg;
  g_autofree char *element = g_markup_escape_text (event->element, -1);
  const double playing = work->duration / work->speed;
  const double start = (event->time - work->plane.scene->times[0]) / work->duration;
  const double end = fmin (start + FLASH / playing, 1);

  g_string_append_printf (
      svg,
      "<g class=\"flash\" opacity=\"0\" transform=\"translate(%s %s)\" data-event=\"%s\">"
      "<animate attributeName=\"opacity\" repeatCount=\"indefinite\" dur=\"%ss\" "
      "keyTimes=\"0;%s;%s;%s;1\" values=\"0;0;1;0;0\"/><circle r=\"%s\"/>",
      IFBAM_PX (pixel[0]), IFBAM_PX (pixel[1]), element, IFBAM_PX (playing),
      IFBAM_FORMATTED ("%.6f", fmax (start - 1e-6, 0)), IFBAM_FORMATTED ("%.6f", start),
      IFBAM_FORMATTED ("%.6f", end), IFBAM_PX (radius + 9));
  if (n_events_of (work) <= MAX_WORDS)
    put_text (svg, 0, -radius - 15, "word", "middle", event->word);
  g_string_append (svg, "</g>\n");
}

/* Events that follow each other soon at one place flash once. */
static void
draw_flashes (const IfbamMovieWork *work)
{
  const double first = work->plane.scene->times[0];
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  guint drawn = 0;

  for (gsize i = 0; i < n_events_of (work) && drawn < MAX_FLASHES; i++)
    {
      const IfbamEvent *event = ifbam_events_get_event (work->events, i);
      const double *before = g_hash_table_lookup (last, event->element);
      double place[2], pixel[2], radius;

      if ((before != NULL && event->time - *before < SEVERAL * work->speed) || event->time < first
          || event->time > first + work->duration
          || !ifbam_scene_event_place (work->plane.scene, event, place, &radius))
        continue;
      to_picture (work, place, pixel);
      draw_flash (work, event, pixel, work->scale * radius);
      g_hash_table_insert (last, (gpointer) event->element,
                           g_memdup2 (&event->time, sizeof event->time));
      drawn++;
    }
}

/* Time and size */

/* "20 cm" (transfer full). */
static char *
length_text (double metres)
{
  static const struct
  {
    double size;
    const char *unit;
  } units[] = { { 1e3, "km" }, { 1, "m" }, { 1e-2, "cm" }, { 1e-3, "mm" }, { 1e-6, "\302\265m" } };
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (units) && metres < units[i].size * (1 - 1e-9))
    i++;
  return g_strdup_printf ("%s %s", IFBAM_FORMATTED ("%.4g", metres / units[i].size), units[i].unit);
}

static void
draw_scale (const IfbamMovieWork *work, double y)
{
  const double length = ifbam_scale_step (BAR / work->scale, 2);
  g_autofree char *text = length_text (length);
  const double right = WIDTH - MARGIN, left = right - work->scale * length;

  put_line (work->svg, "bar", left, y, right, y, "/>");
  put_line (work->svg, "bar", left, y - 4, left, y + 4, "/>");
  put_line (work->svg, "bar", right, y - 4, right, y + 4, "/>");
  put_text (work->svg, (left + right) / 2, y + 8, "small below", "middle", text);
}

/* A bar that fills; events have ticks on it. */
static void
draw_time (const IfbamMovieWork *work, double y)
{
  const double left = MARGIN, right = WIDTH - 2 * MARGIN - 1.6 * BAR, speed = work->speed;
  g_autofree char *end = g_strdup_printf ("%s s", IFBAM_FORMATTED ("%.4g", work->duration));
  g_autofree char *pace =
      speed == 1
          ? g_strdup ("real time")
          : g_strdup_printf ("%s times %s", IFBAM_FORMATTED ("%.4g", speed < 1 ? 1 / speed : speed),
                             speed < 1 ? "slower" : "faster");
  g_autofree char *now =
      g_strdup_printf ("><animate attributeName=\"x2\" repeatCount=\"indefinite\" dur=\"%ss\" "
                       "values=\"%s;%s\"/></line>",
                       IFBAM_PX (work->duration / speed), IFBAM_PX (left), IFBAM_PX (right));

  put_line (work->svg, "time", left, y, right, y, "/>");
  for (gsize i = 0; i < MIN (n_events_of (work), MAX_FLASHES); i++)
    {
      const double time = ifbam_events_get_event (work->events, i)->time;
      const double x =
          left + (right - left) * (time - work->plane.scene->times[0]) / work->duration;

      if (x <= right)
        put_line (work->svg, "tick", x, y - 7, x, y - 3, "/>");
    }
  put_line (work->svg, "now", left, y, left, y, now);
  put_text (work->svg, left, y + 8, "small below", "start", "0 s");
  put_text (work->svg, right, y + 8, "small below", "end", end);
  put_text (work->svg, (left + right) / 2, y + 8, "small below", "middle", pace);
}

static void
open_picture (const IfbamMovieWork *work, const char *text)
{
  g_autofree char *title = g_markup_escape_text (text != NULL ? text : "", -1);
  char number[3][G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (work->svg,
                          "<svg class=\"movie\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                          "viewBox=\"0 0 %s %s\" data-scale=\"%s\" data-x=\"%s\" data-y=\"%s\">\n"
                          "<title>%s</title><desc>%u balls and bodies, moving in the plane</desc>\n"
                          "<style>%s</style>\n",
                          IFBAM_PX (WIDTH), IFBAM_PX (work->height),
                          g_ascii_dtostr (number[0], sizeof number[0], work->scale),
                          g_ascii_dtostr (number[1], sizeof number[1], work->origin[0]),
                          g_ascii_dtostr (number[2], sizeof number[2], work->origin[1]),
                          title[0] == '\0' ? "Mechanism" : title, work->plane.scene->bodies->len,
                          style);
}

static void
draw (const IfbamMovieWork *work, const char *title)
{
  const IfbamScene *scene = work->plane.scene;
  g_autoptr (GArray) lines = ifbam_plane_lines (scene);
  const double foot = work->height - FOOT + 20;

  open_picture (work, title);
  if (title != NULL)
    put_text (work->svg, WIDTH / 2, 26, "title", "middle", title);
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
  draw_flashes (work);
  draw_time (work, foot);
  draw_scale (work, foot);
  g_string_append (work->svg, "</svg>\n");
}

gboolean
ifbam_movie_refuse (GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_COURSE,
                     "nothing moves in the plane: a movie wants a ball or a body (`ifbam plot "
                     "course` draws what moves along a line)");
}

static gboolean
check (const IfbamScene *scene, GError **error)
{
  if (scene->bodies->len > MAX_BODIES)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "%u balls and bodies are too many for a movie (want at most %d)",
                       scene->bodies->len, MAX_BODIES);
  return scene->n_rows >= 2
         || ifbam_fail (error, IFBAM_ERROR_COURSE,
                        "the course does not tell where balls and bodies are");
}

char *
ifbam_movie_svg (const IfbamMovie *movie, GError **error)
{
  const IfbamScene *scene = movie->scene;
  IfbamMovieWork work = { .plane.scene = scene, .events = movie->events, .speed = movie->speed };

  if (!check (scene, error))
    return NULL;
  work.duration = scene->times[scene->n_rows - 1] - scene->times[0];
  work.svg = g_string_new (NULL);
  ifbam_movie_find_frames (&work);
  find_scale (&work);
  draw (&work, movie->title);
  g_array_unref (work.frames);
  return g_string_free (work.svg, FALSE);
}

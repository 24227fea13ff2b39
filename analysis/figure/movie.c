/* movie.c: movie of a network's plane: an SVG that browsers play without scripts
 *
 * All parts are in groups that are translated and rotated (SMIL, linear between keys).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/movie.h"

#include <math.h>

#include "base/fail.h"
#include "element/element.h"
#include "figure/axis-units.h"
#include "figure/movie-parts.h"

/* Sizes in pixels. */
#define MAX_HEIGHT 560.0 /* of the plane in it */
#define MIN_HEIGHT 140.0
#define MARGIN     34.0  /* around moving parts */
#define HEAD       40.0  /* for the title */
#define FOOT       52.0  /* for the time */
#define BAR        110.0 /* approximate length of the scale; at least half of it */
/* Parts along an axis, which have no size: */
#define LINK 44.0 /* an uncompressed link */
#define LANE 24.0 /* between parallel links */

#define MAX_BODIES  2000 /* that are drawn */
#define MAX_FLASHES 400
#define MAX_WORDS   60  /* with more flashes their events have no words */
#define FLASH       0.5 /* duration of a flash [s] */
#define SEVERAL     0.1 /* flashes at one position within this time are merged [s] */

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

/* Visible part of the plane [m]. */
typedef struct
{
  double low[2], high[2];
  double over[2][2]; /* space for masses and walls below and above it, along each axis [pixels] */
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
      ifbam_movie_find_place (work, point, f, place);
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
      ifbam_movie_find_trace (work, link, f, places);
      for (guint i = 0; i < IFBAM_PLANE_POINTS; i++)
        include (extent, places + 2 * i, 0);
    }
}

/* Sizes in the plane are not known yet: faces are those of the scene. */
static void
include_rider (const IfbamMovieWork *work, Extent *extent, const IfbamSceneRider *rider)
{
  double *room = &extent->over[rider->axis][rider->side > 0 ? 1 : 0], place[2];

  for (guint f = 0; f < work->frames->len; f++)
    {
      ifbam_movie_check_found (
          ifbam_plane_face (&work->plane, rider, ifbam_movie_row (work, f), place));
      include (extent, place, 0);
    }
  *room = fmax (*room,
                LINK * rider->ties + IFBAM_MOVIE_BOX * (rider->boxes + (rider->ties > 0 ? 1 : 0)));
}

static void
include_ground (Extent *extent, const IfbamSceneGround *ground)
{
  for (guint k = 0; k <= IFBAM_MOVIE_GROUND; k++)
    {
      const double x = extent->low[0] + (extent->high[0] - extent->low[0]) * k / IFBAM_MOVIE_GROUND;

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
  work->scale = fmin (
      size[0] > 0 ? (IFBAM_MOVIE_WIDTH - 2 * MARGIN - over[0][0] - over[0][1]) / size[0] : INFINITY,
      size[1] > 0 ? (MAX_HEIGHT - 2 * MARGIN - over[1][0] - over[1][1]) / size[1] : INFINITY);
  work->height = fmax (MIN_HEIGHT, work->scale * size[1] + 2 * MARGIN + over[1][0] + over[1][1]);
  work->origin[0] = (IFBAM_MOVIE_WIDTH + over[0][0] - over[0][1]) / 2
                    - work->scale * (extent.low[0] + extent.high[0]) / 2;
  work->origin[1] = HEAD + (work->height + over[1][1] - over[1][0]) / 2
                    + work->scale * (extent.low[1] + extent.high[1]) / 2;
  work->height += HEAD + FOOT;
  work->plane.link = LINK / work->scale;
  work->plane.box = IFBAM_MOVIE_BOX / work->scale;
  work->plane.lane[0] = -LANE / work->scale; /* downwards, as pixels */
  work->plane.lane[1] = LANE / work->scale;
}

/* Events */

static gsize
n_events_of (const IfbamMovieWork *work)
{
  return work->events == NULL ? 0 : ifbam_events_get_n_events (work->events);
}

/* Draws a ring that appears at the event and fades. */
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
    ifbam_movie_put_text (svg, 0, -radius - 15, "word", "middle", event->word);
  g_string_append (svg, "</g>\n");
}

/* Draws flashes; events shortly after each other at one position share one. */
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
      ifbam_movie_to_picture (work, place, pixel);
      draw_flash (work, event, pixel, work->scale * radius);
      g_hash_table_insert (last, (gpointer) event->element,
                           g_memdup2 (&event->time, sizeof event->time));
      drawn++;
    }
}

/* Time and scale */

static void
draw_scale (const IfbamMovieWork *work, double y)
{
  const double length = ifbam_scale_step (BAR / work->scale, 2);
  g_autofree char *text = ifbam_length_text (length);
  const double right = IFBAM_MOVIE_WIDTH - MARGIN, left = right - work->scale * length;

  ifbam_movie_put_line (work->svg, "bar", left, y, right, y, "/>");
  ifbam_movie_put_line (work->svg, "bar", left, y - 4, left, y + 4, "/>");
  ifbam_movie_put_line (work->svg, "bar", right, y - 4, right, y + 4, "/>");
  ifbam_movie_put_text (work->svg, (left + right) / 2, y + 8, "small below", "middle", text);
}

/* Draws a bar that fills; events have ticks on it. */
static void
draw_time (const IfbamMovieWork *work, double y)
{
  const double left = MARGIN, right = IFBAM_MOVIE_WIDTH - 2 * MARGIN - 1.6 * BAR,
               speed = work->speed;
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

  ifbam_movie_put_line (work->svg, "time", left, y, right, y, "/>");
  for (gsize i = 0; i < MIN (n_events_of (work), MAX_FLASHES); i++)
    {
      const double time = ifbam_events_get_event (work->events, i)->time;
      const double x =
          left + (right - left) * (time - work->plane.scene->times[0]) / work->duration;

      if (x <= right)
        ifbam_movie_put_line (work->svg, "tick", x, y - 7, x, y - 3, "/>");
    }
  ifbam_movie_put_line (work->svg, "now", left, y, left, y, now);
  ifbam_movie_put_text (work->svg, left, y + 8, "small below", "start", "0 s");
  ifbam_movie_put_text (work->svg, right, y + 8, "small below", "end", end);
  ifbam_movie_put_text (work->svg, (left + right) / 2, y + 8, "small below", "middle", pace);
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
                          IFBAM_PX (IFBAM_MOVIE_WIDTH), IFBAM_PX (work->height),
                          g_ascii_dtostr (number[0], sizeof number[0], work->scale),
                          g_ascii_dtostr (number[1], sizeof number[1], work->origin[0]),
                          g_ascii_dtostr (number[2], sizeof number[2], work->origin[1]),
                          title[0] == '\0' ? "Mechanism" : title, work->plane.scene->bodies->len,
                          style);
}

static void
draw (const IfbamMovieWork *work, const char *title)
{
  const double foot = work->height - FOOT + 20;

  open_picture (work, title);
  if (title != NULL)
    ifbam_movie_put_text (work->svg, IFBAM_MOVIE_WIDTH / 2, 26, "title", "middle", title);
  ifbam_movie_draw_parts (work);
  draw_flashes (work);
  draw_time (work, foot);
  draw_scale (work, foot);
  g_string_append (work->svg, "</svg>\n");
}

gboolean
ifbam_movie_refuse (GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_COURSE,
                     "nothing moves in the plane: a movie needs a ball or a body (`ifbam plot "
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
                        "the course has no coordinates of balls and bodies");
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

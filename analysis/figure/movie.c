/* movie.c: what stands in the plane, moving: an SVG that a browser plays without a script
 *
 * Everything stands in groups that are moved and turned (SMIL, linear between keys). Keys are rows of the course, and
 * as many as it takes that nothing is drawn further than TOLERANCE from where it is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/movie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "element/element.h"
#include "figure/axis-units.h"

/* Sizes in pixels. */
#define WIDTH          900.0 /* of the picture */
#define MOST_HEIGHT    560.0 /* of the plane in it */
#define LEAST_HEIGHT   140.0
#define MARGIN         34.0  /* around what moves */
#define HEAD           40.0  /* for the title */
#define FOOT           52.0  /* for the time */
#define TOLERANCE      0.2   /* that nobody sees */
#define LEAST_BALL     6.0   /* of a ball that is a point */
#define HALF_SYMBOL    20.0  /* of a class */
#define HALF_BODY      9.0   /* thickness */
#define BAR            110.0 /* of the scale, about; half of it at least */
#define GROUND_POINTS  600
#define HANGING_POINTS 61 /* of a rope */
/* Of what goes along an axis, which has no size: */
#define TIE  44.0 /* a link of it that nothing compresses */
#define BOX  30.0 /* a mass, along its axis */
#define LANE 24.0 /* between links side by side */

#define FRAMES_PER_SECOND 1000.0 /* between which keys are chosen: it may be stopped at any */
#define MOST_FRAMES       20000
#define MOST_BODIES       2000 /* that are drawn */
#define MOST_NAMES        12   /* that are written */
#define MOST_FLASHES      400
#define MOST_WORDS        60  /* of so many flashes each says what happens */
#define LETTER            7.0 /* of a name [pixels] */
#define FLASH             0.5 /* how long one is seen [s] */
#define SEVERAL           0.1 /* flashes that follow each other so soon at one place are one [s] */

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

typedef struct
{
  const IfbamMovie *movie;
  const IfbamScene *scene;
  GString *svg;
  double low[2], high[2]; /* what is seen of the plane [m] */
  double scale;           /* [pixels/m] */
  double origin[2];       /* of the plane [pixels] */
  double height;
  double duration; /* of the run [s] */
  GArray *frames;  /* gsize: rows */
} Work;

/* Numbers and texts */

static void
append_number (GString *svg, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char *end;

  g_ascii_formatd (text, sizeof text, "%.2f", number);
  for (end = text + strlen (text); end[-1] == '0'; end--)
    end[-1] = '\0';
  if (end[-1] == '.')
    end[-1] = '\0';
  g_string_append (svg, strcmp (text, "-0") == 0 ? "0" : text);
}

/* "before number after" */
static void
put (GString *svg, const char *before, double number, const char *after)
{
  g_string_append (svg, before);
  append_number (svg, number);
  g_string_append (svg, after);
}

static void
put_text (GString *svg, double x, double y, const char *class, const char *anchor, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  put (svg, "<text x=\"", x, "\"");
  put (svg, " y=\"", y, "\"");
  g_string_append_printf (svg, " class=\"%s\" text-anchor=\"%s\">%s</text>\n", class, anchor,
                          escaped);
}

static void
put_line (GString *svg, const char *class, double x1, double y1, double x2, double y2)
{
  g_string_append_printf (svg, "<line class=\"%s\"", class);
  put (svg, " x1=\"", x1, "\"");
  put (svg, " y1=\"", y1, "\"");
  put (svg, " x2=\"", x2, "\"");
  put (svg, " y2=\"", y2, "\"/>\n");
}

static void
put_circle (GString *svg, const char *class, double radius)
{
  g_string_append_printf (svg, "<circle class=\"%s\"", class);
  put (svg, " r=\"", radius, "\"/>\n");
}

/* The plane */

static void
to_picture (const Work *work, const double *place, double *pixel)
{
  pixel[0] = work->origin[0] + work->scale * place[0];
  pixel[1] = work->origin[1] - work->scale * place[1];
}

/* Who wants a movie has recorded all that its scene wants, and frames are rows that it has: each place is told. */
static void
find_place (const Work *work, const IfbamScenePoint *point, guint frame, double *place)
{
  const gboolean told =
      ifbam_scene_place (work->scene, point, g_array_index (work->frames, gsize, frame), place);

  g_assert (told);
}

static void
find_trace (const Work *work, const IfbamSceneLink *link, guint frame, double *places)
{
  const gboolean told = ifbam_scene_trace (
      work->scene, link, g_array_index (work->frames, gsize, frame), HANGING_POINTS, places);

  g_assert (told);
}

static void
find_rider (const Work *work, const IfbamSceneRider *rider, guint frame, double *place)
{
  const gboolean told =
      ifbam_scene_rider (work->scene, rider, g_array_index (work->frames, gsize, frame), place);

  g_assert (told);
}

static void
include (Work *work, const double *place, double radius)
{
  for (guint c = 0; c < 2; c++)
    {
      work->low[c] = fmin (work->low[c], place[c] - radius);
      work->high[c] = fmax (work->high[c], place[c] + radius);
    }
}

static void
include_point (Work *work, const IfbamScenePoint *point, double radius)
{
  double place[2];

  for (guint f = 0; f < work->frames->len; f++)
    {
      find_place (work, point, f, place);
      include (work, place, radius);
    }
}

static void
include_hanging (Work *work, const IfbamSceneLink *link)
{
  double places[2 * HANGING_POINTS];

  for (guint f = 0; f < work->frames->len && link->link->geometry->trace != NULL; f++)
    {
      find_trace (work, link, f, places);
      for (guint i = 0; i < HANGING_POINTS; i++)
        include (work, places + 2 * i, 0);
    }
}

static void
include_ground (Work *work)
{
  for (guint i = 0; i < work->scene->grounds->len; i++)
    {
      const IfbamSceneGround *ground = &g_array_index (work->scene->grounds, IfbamSceneGround, i);

      for (guint k = 0; k <= GROUND_POINTS; k++)
        {
          const double x = work->low[0] + (work->high[0] - work->low[0]) * k / GROUND_POINTS;

          include (work, (double[2]){ x, ifbam_scene_ground_height (ground, x) }, 0);
        }
    }
}

/* How far aside ties and boxes are seen [pixels]. */
static double
aside_of (double ties, double boxes)
{
  return TIE * ties + BOX * boxes;
}

static void
include_rider (Work *work, const IfbamSceneRider *rider, double (*over)[2])
{
  double *most = &over[rider->axis][rider->side > 0 ? 1 : 0];

  for (guint f = 0; f < work->frames->len; f++)
    {
      double place[2];

      find_rider (work, rider, f, place);
      include (work, place, 0);
    }
  *most = fmax (*most, aside_of (rider->ties, rider->boxes + (rider->ties > 0 ? 1 : 0)));
}

static void
find_scale (Work *work)
{
  const IfbamScene *scene = work->scene;
  double size[2],
      over[2][2] = { { 0 } }; /* what riders take below and above on either axis [pixels] */

  for (guint c = 0; c < 2; c++)
    {
      work->low[c] = INFINITY;
      work->high[c] = -INFINITY;
    }
  for (guint i = 0; i < scene->bodies->len; i++)
    {
      const IfbamSceneBody *body = &g_array_index (scene->bodies, IfbamSceneBody, i);

      include_point (work, &body->middle, body->radius);
    }
  for (guint i = 0; i < scene->marks->len; i++)
    include_point (work, &g_array_index (scene->marks, IfbamSceneMark, i).point, 0);
  for (guint i = 0; i < scene->links->len; i++)
    for (guint e = 0; e < 2; e++)
      include_point (work, &g_array_index (scene->links, IfbamSceneLink, i).end[e], 0);
  for (guint i = 0; i < scene->links->len; i++)
    include_hanging (work, &g_array_index (scene->links, IfbamSceneLink, i));
  for (guint i = 0; i < scene->riders->len; i++)
    include_rider (work, &g_array_index (scene->riders, IfbamSceneRider, i), over);
  include_ground (work);
  for (guint c = 0; c < 2; c++)
    size[c] = work->high[c] - work->low[c];
  if (!(fmax (size[0], size[1]) > 0))
    size[0] = 1;
  work->scale = fmin (
      size[0] > 0 ? (WIDTH - 2 * MARGIN - over[0][0] - over[0][1]) / size[0] : INFINITY,
      size[1] > 0 ? (MOST_HEIGHT - 2 * MARGIN - over[1][0] - over[1][1]) / size[1] : INFINITY);
  work->height = fmax (LEAST_HEIGHT, work->scale * size[1] + 2 * MARGIN + over[1][0] + over[1][1]);
  work->origin[0] =
      (WIDTH + over[0][0] - over[0][1]) / 2 - work->scale * (work->low[0] + work->high[0]) / 2;
  work->origin[1] = HEAD + (work->height + over[1][1] - over[1][0]) / 2
                    + work->scale * (work->low[1] + work->high[1]) / 2;
  work->height += HEAD + FOOT;
}

/* Keys */

/* What of a thing moves: its place, angle and length, at every frame. */
typedef struct
{
  guint n;         /* frames */
  double *x, *y;   /* [pixels] */
  double *angle;   /* in the picture [degrees] */
  double *stretch; /* of its symbol, along and across; NULL: it has none */
  double *swell;
  double arm;   /* of the angle [pixels] */
  GArray *keys; /* guint: frames */
} Track;

static Track
new_track (const Work *work, gboolean stretches)
{
  const guint n = work->frames->len;

  return (Track){ .n = n,
                  .x = g_new0 (double, n),
                  .y = g_new0 (double, n),
                  .angle = g_new0 (double, n),
                  .stretch = stretches ? g_new0 (double, n) : NULL,
                  .swell = stretches ? g_new0 (double, n) : NULL };
}

static void
track_clear (Track *track)
{
  g_free (track->x);
  g_free (track->y);
  g_free (track->angle);
  g_free (track->stretch);
  g_free (track->swell);
  g_clear_pointer (&track->keys, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Track, track_clear)

static double
time_of (const Work *work, guint frame)
{
  return work->scene->times[g_array_index (work->frames, gsize, frame)] - work->scene->times[0];
}

static double
miss (const double *channel, guint a, guint b, guint i, double part)
{
  return channel == NULL ? 0 : fabs (channel[a] + part * (channel[b] - channel[a]) - channel[i]);
}

/* How far a frame is from the straight line in time between two others [pixels]. */
static double
miss_of (const Work *work, const Track *track, guint a, guint b, guint i)
{
  const double part =
      (time_of (work, i) - time_of (work, a)) / (time_of (work, b) - time_of (work, a));

  return fmax (
      fmax (miss (track->x, a, b, i, part), miss (track->y, a, b, i, part)),
      fmax (track->arm * G_PI / 180 * miss (track->angle, a, b, i, part),
            HALF_SYMBOL
                * fmax (miss (track->stretch, a, b, i, part), miss (track->swell, a, b, i, part))));
}

/* As few as it takes (Douglas & Peucker 1973, over time). */
static void
find_keys (const Work *work, Track *track)
{
  g_autofree gboolean *kept = g_new0 (gboolean, track->n + 1);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, 2 * sizeof (guint));
  const guint whole[2] = { 0, track->n - 1 };

  kept[0] = kept[track->n - 1] = TRUE;
  g_array_append_val (spans, whole);
  while (spans->len > 0)
    {
      guint span[2], worst = 0;
      double most = TOLERANCE;

      memcpy (span, &g_array_index (spans, guint, 2 * (spans->len - 1)), sizeof span);
      g_array_set_size (spans, spans->len - 1);
      for (guint i = span[0] + 1; i < span[1]; i++)
        {
          const double here = miss_of (work, track, span[0], span[1], i);

          if (here > most)
            {
              most = here;
              worst = i;
            }
        }
      if (worst == 0)
        continue;
      kept[worst] = TRUE;
      g_array_append_vals (spans, (guint[2]){ span[0], worst }, 1);
      g_array_append_vals (spans, (guint[2]){ worst, span[1] }, 1);
    }
  track->keys = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < track->n; i++)
    if (kept[i])
      g_array_append_val (track->keys, i);
}

/* Frames: rows that are far enough apart, the first and the last, and those beside events. */
static void
find_frames (Work *work)
{
  const IfbamScene *scene = work->scene;
  const double least = fmax (work->movie->speed / FRAMES_PER_SECOND, work->duration / MOST_FRAMES);
  const gsize n_events =
      work->movie->events == NULL ? 0 : ifbam_events_get_n_events (work->movie->events);
  gsize last = 0;

  work->frames = g_array_new (FALSE, FALSE, sizeof (gsize));
  for (gsize row = 0, event = 0; row < scene->n_rows; row++)
    {
      gboolean beside = FALSE;

      while (event < n_events
             && ifbam_events_get_event (work->movie->events, event)->time
                    < scene->times[MIN (row + 1, scene->n_rows - 1)])
        {
          beside = TRUE;
          event++;
        }
      beside = beside && work->frames->len < 2 * MOST_FRAMES;
      if (row == 0 || row + 1 == scene->n_rows || beside
          || scene->times[row] - scene->times[last] >= least * (1 - 1e-9))
        {
          g_array_append_val (work->frames, row);
          last = row;
        }
    }
}

static void
put_times (const Work *work, const GArray *keys)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < keys->len; i++)
    {
      const double part =
          i + 1 == keys->len ? 1 : time_of (work, g_array_index (keys, guint, i)) / work->duration;

      g_ascii_formatd (text, sizeof text, "%.6g", part);
      g_string_append_printf (work->svg, "%s%s", i == 0 ? "" : ";", text);
    }
}

static gboolean
varies (const Track *track, const double *channel, double least)
{
  for (guint i = 1; i < track->n; i++)
    if (fabs (channel[i] - channel[0]) > least)
      return TRUE;
  return FALSE;
}

/* A group that stands as one or two channels say, and moves if they do. */
static void
open_group (const Work *work, const Track *track, const char *type, const double *one,
            const double *other, double least)
{
  GString *svg = work->svg;

  g_string_append_printf (svg, "<g transform=\"%s(", type);
  append_number (svg, one[0]);
  if (other != NULL)
    put (svg, " ", other[0], "");
  g_string_append (svg, ")\">");
  if (varies (track, one, least) || (other != NULL && varies (track, other, least)))
    {
      g_string_append_printf (svg,
                              "<animateTransform attributeName=\"transform\" type=\"%s\" "
                              "repeatCount=\"indefinite\"",
                              type);
      put (svg, " dur=\"", work->duration / work->movie->speed, "s\" keyTimes=\"");
      put_times (work, track->keys);
      g_string_append (svg, "\" values=\"");
      for (guint i = 0; i < track->keys->len; i++)
        {
          const guint key = g_array_index (track->keys, guint, i);

          if (i > 0)
            g_string_append_c (svg, ';');
          append_number (svg, one[key]);
          if (other != NULL)
            put (svg, " ", other[key], "");
        }
      g_string_append (svg, "\"/>");
    }
  g_string_append_c (svg, '\n');
}

/* Things */

static void
find_pixel (const Work *work, const IfbamScenePoint *point, guint frame, double *pixel)
{
  double place[2];

  find_place (work, point, frame, place);
  to_picture (work, place, pixel);
}

static void
follow (const Work *work, Track *track, const IfbamScenePoint *point)
{
  for (guint f = 0; f < track->n; f++)
    {
      double pixel[2];

      find_pixel (work, point, f, pixel);
      track->x[f] = pixel[0];
      track->y[f] = pixel[1];
    }
}

static void
put_place (const Work *work, const char *command, const double *place)
{
  put (work->svg, command, work->scale * place[0], "");
  put (work->svg, " ", -work->scale * place[1], "");
}

static void
put_body (const Work *work, const IfbamSceneBody *body)
{
  GString *svg = work->svg;
  const guint n = body->outline->len;

  if (n < 2)
    g_string_append (svg, "<path class=\"box\" d=\"M-15-10h30v20h-30z\"/>\n");
  else
    {
      g_string_append (svg, "<path class=\"body\" d=\"");
      for (guint i = 0; i < n; i++)
        put_place (work, i == 0 ? "M" : "L", &g_array_index (body->outline, double, 2 * i));
      g_string_append (svg, "z\"/>\n");
    }
  put_circle (svg, "mass", 3);
}

static void
put_ball (const Work *work, const IfbamSceneBody *body)
{
  const double radius = fmax (work->scale * body->radius, LEAST_BALL);

  put_circle (work->svg, "ball", radius);
  if (body->speed != 0 || body->middle.numbers[0] == 3)
    put_line (work->svg, "spin", 0, 0, radius, 0);
}

/* How far what stands on it is from its middle [pixels]. */
static double
arm_of (const Work *work, const IfbamSceneBody *body)
{
  double arm = fmax (work->scale * body->radius, LEAST_BALL);

  for (guint i = 0; i < body->outline->len; i++)
    arm = fmax (arm, work->scale
                         * hypot (g_array_index (body->outline, double, 2 * i),
                                  g_array_index (body->outline, double, 2 * i + 1)));
  return arm;
}

static void
draw_body (const Work *work, const IfbamSceneBody *body, gboolean named)
{
  g_auto (Track) track = new_track (work, FALSE);
  g_autofree char *name = g_markup_escape_text (body->name, -1);
  GString *svg = work->svg;

  follow (work, &track, &body->middle);
  for (guint f = 0; f < track.n; f++)
    track.angle[f] =
        -180 / G_PI * ifbam_scene_angle (work->scene, body, g_array_index (work->frames, gsize, f));
  track.arm = arm_of (work, body);
  find_keys (work, &track);
  g_string_append_printf (svg, "<g data-name=\"%s\">\n", name);
  open_group (work, &track, "translate", track.x, track.y, 0.005);
  open_group (work, &track, "rotate", track.angle, NULL, 0.005);
  if (body->round)
    put_ball (work, body);
  else
    put_body (work, body);
  for (guint i = 0; i < work->scene->marks->len; i++)
    {
      const IfbamScenePoint *point = &g_array_index (work->scene->marks, IfbamSceneMark, i).point;

      if (point->numbers[0] != 3 || point->node[0] != body->middle.node[0])
        continue;
      g_string_append (svg, "<circle class=\"point\"");
      put (svg, " cx=\"", work->scale * point->numbers[1], "\"");
      put (svg, " cy=\"", -work->scale * point->numbers[2], "\" r=\"2.5\"/>\n");
    }
  g_string_append (svg, "</g>\n");
  if (named)
    {
      const double aside = 10 + (body->round ? 0.7 * work->scale * body->radius : 0);
      const gboolean room = track.x[0] + aside + LETTER * (double) strlen (body->name) < WIDTH;

      put_text (svg, room ? aside : -aside, -aside - 2, "small name", room ? "start" : "end",
                body->name);
    }
  g_string_append (svg, "</g></g>\n");
}

/* Half an oval of slack, as far as there is some. */
static double
slack_of (const Work *work, const IfbamLink *link, double length)
{
  const double most = work->scale * link->shape[2 * IFBAM_END_NUMBERS];
  const double part = most > 0 ? fmin (length / most, 1) : 1;

  return fmax (fmin (most / 60, 6) * sqrt (1 - part * part), 0.01); /* flat, it is not drawn */
}

/* The other end as seen from the first, at each frame. Returns its longest in *longest. */
static void
stretch_track (const Work *work, Track *track, const IfbamSceneLink *link, double *longest)
{
  const gboolean hangs = link->link->geometry == &ifbam_stretch;

  *longest = 0;
  for (guint f = 0; f < track->n; f++)
    {
      double pixel[2], length, turned;

      find_pixel (work, &link->end[1], f, pixel);
      length = hypot (pixel[0] - track->x[f], pixel[1] - track->y[f]);
      turned = length > 0 ? 180 / G_PI * atan2 (pixel[1] - track->y[f], pixel[0] - track->x[f]) : 0;
      if (f > 0) /* the short way round */
        turned = track->angle[f - 1] + remainder (turned - track->angle[f - 1], 360);
      track->angle[f] = turned;
      track->stretch[f] = length / (2 * HALF_SYMBOL);
      track->swell[f] = hangs ? slack_of (work, link->link, length) : 1;
      *longest = fmax (*longest, length);
    }
}

/* What hangs, as seen from its first end, at a frame [pixels]. */
static void
hang (const Work *work, const IfbamSceneLink *link, guint frame, double *places)
{
  double first[2];

  find_trace (work, link, frame, places);
  memcpy (first, places, sizeof first);
  for (guint i = 0; i < HANGING_POINTS; i++)
    for (guint c = 0; c < 2; c++)
      places[2 * i + c] = (c == 0 ? 1 : -1) * work->scale * (places[2 * i + c] - first[c]);
}

static void
put_hanging (GString *svg, const double *places)
{
  for (guint i = 0; i < HANGING_POINTS; i++)
    {
      put (svg, i == 0 ? "M" : "L", places[2 * i], "");
      put (svg, " ", places[2 * i + 1], "");
    }
}

/* It changes its shape as its ends move: keys are where its other end and its middle are. */
static void
draw_hanging (const Work *work, const IfbamSceneLink *link)
{
  g_auto (Track) track = new_track (work, TRUE), own = new_track (work, TRUE);
  g_autofree char *name = g_markup_escape_text (link->link->name, -1);
  const guint middle = HANGING_POINTS / 2, last = HANGING_POINTS - 1;
  double places[2 * HANGING_POINTS];
  GString *svg = work->svg;

  follow (work, &track, &link->end[0]);
  for (guint f = 0; f < own.n; f++)
    {
      hang (work, link, f, places);
      own.x[f] = places[2 * last];
      own.y[f] = places[2 * last + 1];
      own.stretch[f] = places[2 * middle] / HALF_SYMBOL;
      own.swell[f] = places[2 * middle + 1] / HALF_SYMBOL;
    }
  find_keys (work, &track);
  find_keys (work, &own);
  g_string_append_printf (svg, "<g data-name=\"%s\">\n", name);
  open_group (work, &track, "translate", track.x, track.y, 0.005);
  hang (work, link, 0, places);
  g_string_append (svg, "<path class=\"rod\" d=\"");
  put_hanging (svg, places);
  put (svg, "\"><animate attributeName=\"d\" repeatCount=\"indefinite\" dur=\"",
       work->duration / work->movie->speed, "s\" keyTimes=\"");
  put_times (work, own.keys);
  g_string_append (svg, "\" values=\"");
  for (guint i = 0; i < own.keys->len; i++)
    {
      if (i > 0)
        g_string_append_c (svg, ';');
      hang (work, link, g_array_index (own.keys, guint, i), places);
      put_hanging (svg, places);
    }
  g_string_append (svg, "\"/></path></g></g>\n");
}

/* A guide: its symbol lies along its axis at the right end. */
static void
turn_along (const Work *work, Track *track, const IfbamSceneLink *link)
{
  const IfbamScenePoint *left = &link->end[0];

  follow (work, track, &link->end[1]);
  for (guint f = 0; f < track->n; f++)
    {
      const gsize row = g_array_index (work->frames, gsize, f);
      const double turned = left->numbers[0] == 3 ? work->scene->column[left->node[2]][row] : 0;

      track->angle[f] = -180 / G_PI * (link->link->shape[2 * IFBAM_END_NUMBERS] + turned);
      track->stretch[f] = track->swell[f] = 1;
    }
  track->arm = HALF_SYMBOL;
}

static void
draw_link (const Work *work, const IfbamSceneLink *link)
{
  g_auto (Track) track = new_track (work, TRUE);
  const IfbamElementInfo *info = link->link->element->info;
  const gboolean guide = link->link->geometry == &ifbam_across;
  const gboolean rigid = link->link->law->energy == NULL && link->link->geometry->measures_distance
                         && link->link->geometry != &ifbam_stretch;
  g_autofree char *name = g_markup_escape_text (link->link->name, -1);
  GString *svg = work->svg;
  double longest = HALF_SYMBOL;

  if (link->link->geometry->trace != NULL)
    {
      draw_hanging (work, link);
      return;
    }
  follow (work, &track, &link->end[0]);
  if (guide)
    turn_along (work, &track, link);
  else
    stretch_track (work, &track, link, &longest);
  track.arm = longest;
  find_keys (work, &track);
  g_string_append_printf (svg, "<g data-name=\"%s\">\n", name);
  open_group (work, &track, "translate", track.x, track.y, 0.005);
  if (longest < 1) /* a joint at one place */
    put_circle (svg, "pin", 4);
  else
    {
      open_group (work, &track, "rotate", track.angle, NULL, 0.005);
      open_group (work, &track, "scale", track.stretch, track.swell, 1e-4);
      if (rigid)
        g_string_append (svg, "<path class=\"rod\" d=\"M0 0h40\"/>");
      else
        {
          if (!guide)
            put (svg, "<g transform=\"translate(", HALF_SYMBOL, " 0)\">");
          g_string_append_printf (svg, "<path class=\"link\" d=\"%s\"/>%s",
                                  info->symbol != NULL ? info->symbol : "M-20 0h40",
                                  guide ? "" : "</g>");
        }
      g_string_append (svg, "</g></g>");
    }
  g_string_append (svg, "</g></g>\n");
}

/* Aside along its axis, and across it by lanes. */
static void
to_aside (const Work *work, const double *place, guint axis, double aside, double across,
          double *pixel)
{
  to_picture (work, place, pixel);
  pixel[axis] += axis == 0 ? aside : -aside;
  pixel[1 - axis] += across;
}

static void
tie_pixel (const Work *work, const IfbamSceneTie *tie, guint end, guint frame, double *pixel)
{
  const double lane = tie->lane - 0.5 * (tie->n_lanes - 1.0);
  double place[2], ties, boxes;
  const gboolean told = ifbam_scene_tie_place (work->scene, tie, end,
                                               g_array_index (work->frames, gsize, frame), place);

  g_assert (told);
  ifbam_scene_tie_aside (work->scene, tie, end, &ties, &boxes);
  to_aside (work, place, tie->axis, aside_of (ties, boxes), LANE * lane, pixel);
}

/* A link along an axis, from its left end to its right one. */
static void
draw_tie (const Work *work, const IfbamSceneTie *tie)
{
  g_auto (Track) track = new_track (work, TRUE);
  g_autofree char *name = g_markup_escape_text (tie->name, -1);
  GString *svg = work->svg;

  for (guint f = 0; f < track.n; f++)
    {
      double from[2], to[2], length, turned;

      tie_pixel (work, tie, 0, f, from);
      tie_pixel (work, tie, 1, f, to);
      length = hypot (to[0] - from[0], to[1] - from[1]);
      turned = length > 0 ? 180 / G_PI * atan2 (to[1] - from[1], to[0] - from[0]) : 0;
      if (f > 0) /* the short way round */
        turned = track.angle[f - 1] + remainder (turned - track.angle[f - 1], 360);
      track.x[f] = from[0];
      track.y[f] = from[1];
      track.angle[f] = turned;
      track.stretch[f] = length / (2 * HALF_SYMBOL);
      track.swell[f] = 1;
      track.arm = fmax (track.arm, length);
    }
  if (track.arm < 1) /* its ends are at one place */
    return;
  find_keys (work, &track);
  g_string_append_printf (svg, "<g data-name=\"%s\">\n", name);
  open_group (work, &track, "translate", track.x, track.y, 0.005);
  open_group (work, &track, "rotate", track.angle, NULL, 0.005);
  open_group (work, &track, "scale", track.stretch, track.swell, 1e-4);
  put (svg, "<g transform=\"translate(", HALF_SYMBOL, " 0)\">");
  g_string_append_printf (svg, "<path class=\"link\" d=\"%s\"/></g></g></g></g></g>\n",
                          tie->info->symbol);
}

/* A box behind its near face; of what is given a wall. */
static void
draw_rider (const Work *work, const IfbamSceneRider *rider, gboolean named)
{
  g_auto (Track) track = new_track (work, FALSE);
  g_autofree char *name = g_markup_escape_text (rider->name, -1);
  const double side = rider->side, aside = side * aside_of (rider->ties, rider->boxes);
  const double turned = rider->axis == 0 ? (side > 0 ? 0 : 180) : (side > 0 ? -90 : 90);

  for (guint f = 0; f < track.n; f++)
    {
      double place[2], pixel[2];

      find_rider (work, rider, f, place);
      to_aside (work, place, rider->axis, aside, 0, pixel);
      track.x[f] = pixel[0];
      track.y[f] = pixel[1];
    }
  find_keys (work, &track);
  g_string_append_printf (work->svg, "<g data-name=\"%s\">\n", name);
  open_group (work, &track, "translate", track.x, track.y, 0.005);
  g_string_append_printf (work->svg, "<path class=\"%s\"", rider->given ? "wall" : "box");
  put (work->svg, " transform=\"rotate(", turned, ")\"");
  g_string_append_printf (work->svg, " d=\"%s\"/>",
                          rider->given ? "M0-24v48M0-16l8-8M0-4l8-8M0 8l8-8M0 20l8-8"
                                       : "M0-20h30v40h-30z");
  if (named && rider->axis == 0)
    put_text (work->svg, BOX / 2 * side, -28, "small name", "middle", rider->name);
  else if (named)
    {
      const gboolean room = track.x[0] + 28 + LETTER * (double) strlen (rider->name) < WIDTH;

      put_text (work->svg, room ? 28 : -28, 4 - BOX / 2 * side, "small name",
                room ? "start" : "end", rider->name);
    }
  g_string_append (work->svg, "</g></g>\n");
}

/* What does not move */

static void
draw_grounds (const Work *work)
{
  const double from = -work->origin[0] / work->scale, to = (WIDTH - work->origin[0]) / work->scale;

  for (guint i = 0; i < work->scene->grounds->len; i++)
    {
      const IfbamSceneGround *ground = &g_array_index (work->scene->grounds, IfbamSceneGround, i);
      const guint n = ground->amplitude == 0 ? 1 : GROUND_POINTS;

      g_string_append (work->svg, "<path class=\"ground\" d=\"");
      for (guint k = 0; k <= n; k++)
        {
          const double x = from + (to - from) * k / n;
          double pixel[2];

          to_picture (work, (double[2]){ x, ifbam_scene_ground_height (ground, x) }, pixel);
          put (work->svg, k == 0 ? "M" : "L", pixel[0], "");
          put (work->svg, " ", pixel[1], "");
        }
      g_string_append (work->svg, "\"/>\n");
    }
}

static void
draw_supports (const Work *work)
{
  for (guint i = 0; i < work->scene->marks->len; i++)
    {
      const IfbamSceneMark *mark = &g_array_index (work->scene->marks, IfbamSceneMark, i);
      double pixel[2];

      if (mark->point.numbers[0] != 0 || !mark->joined)
        continue;
      to_picture (work, &mark->point.numbers[1], pixel);
      put (work->svg, "<path class=\"support\" transform=\"translate(", pixel[0], "");
      put (work->svg, " ", pixel[1], ")\" d=\"M0 0l-8 13h16zM-13 13h26\"/>\n");
    }
}

/* What points go with that follow nodes along a line. */
static void
draw_carts (const Work *work)
{
  for (guint i = 0; i < work->scene->marks->len; i++)
    {
      const IfbamSceneMark *mark = &g_array_index (work->scene->marks, IfbamSceneMark, i);
      g_auto (Track) track = new_track (work, FALSE);

      if (mark->point.numbers[0] != 2 || !mark->joined)
        continue;
      follow (work, &track, &mark->point);
      find_keys (work, &track);
      g_string_append (work->svg, "<g class=\"cart\">\n");
      open_group (work, &track, "translate", track.x, track.y, 0.005);
      g_string_append (work->svg, "<path class=\"box\" d=\"M-22-7h44v14h-44z\"/></g></g>\n");
    }
}

/* The way of a point, faint. */
static void
draw_trace (const Work *work, const IfbamScenePoint *point)
{
  g_auto (Track) track = new_track (work, FALSE);

  follow (work, &track, point);
  if (!varies (&track, track.x, 1) && !varies (&track, track.y, 1))
    return;
  find_keys (work, &track);
  g_string_append (work->svg, "<path class=\"trace\" d=\"");
  for (guint i = 0; i < track.keys->len; i++)
    {
      const guint key = g_array_index (track.keys, guint, i);

      put (work->svg, i == 0 ? "M" : "L", track.x[key], "");
      put (work->svg, " ", track.y[key], "");
    }
  g_string_append (work->svg, "\"/>\n");
}

/* Of balls, and of points of bodies at which nothing is joined. */
static void
draw_traces (const Work *work)
{
  guint n = 0;

  for (guint i = 0; i < work->scene->bodies->len; i++)
    {
      const IfbamSceneBody *body = &g_array_index (work->scene->bodies, IfbamSceneBody, i);

      if (body->round && n++ < MOST_NAMES)
        draw_trace (work, &body->middle);
    }
  for (guint i = 0; i < work->scene->marks->len; i++)
    {
      const IfbamSceneMark *mark = &g_array_index (work->scene->marks, IfbamSceneMark, i);

      if (!mark->joined && mark->point.numbers[0] != 0 && n++ < MOST_NAMES)
        draw_trace (work, &mark->point);
    }
}

/* Events */

/* An attribute that is `high` from one time on and fades to `low`; at all others it is `low`. */
static void
put_pulse (const Work *work, const char *attribute, double from, double low, double high)
{
  const double playing = work->duration / work->movie->speed;
  const double start = from / work->duration, end = fmin (start + FLASH / playing, 1);
  const double before = fmax (start - 1e-6, 0);
  char text[4][G_ASCII_DTOSTR_BUF_SIZE];
  const double parts[] = { before, start, end };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_ascii_formatd (text[i], sizeof text[i], "%.6f", parts[i]);
  g_string_append_printf (work->svg, "<animate attributeName=\"%s\" repeatCount=\"indefinite\"",
                          attribute);
  put (work->svg, " dur=\"", playing, "s\"");
  g_string_append_printf (work->svg, " keyTimes=\"0;%s;%s;%s;1\" values=\"", text[0], text[1],
                          text[2]);
  put (work->svg, "", low, ";");
  put (work->svg, "", low, ";");
  put (work->svg, "", high, ";");
  put (work->svg, "", low, ";");
  put (work->svg, "", low, "\"/>");
}

static void
draw_flash (const Work *work, const IfbamEvent *event, const double *pixel, double radius,
            gboolean told)
{
  GString *svg = work->svg;
  g_autofree char *element = g_markup_escape_text (event->element, -1);
  const double time = event->time - work->scene->times[0];

  put (svg, "<g class=\"flash\" opacity=\"0\" transform=\"translate(", pixel[0], "");
  put (svg, " ", pixel[1], ")\"");
  g_string_append_printf (svg, " data-event=\"%s\">", element);
  put_pulse (work, "opacity", time, 0, 1);
  put (svg, "<circle r=\"", radius + 9, "\"/>");
  if (told)
    put_text (svg, 0, -radius - 15, "word", "middle", event->word);
  g_string_append (svg, "</g>\n");
}

/* Those that follow each other soon at one place flash once. */
static void
draw_flashes (const Work *work)
{
  const gsize n = work->movie->events == NULL ? 0 : ifbam_events_get_n_events (work->movie->events);
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  guint drawn = 0;

  for (gsize i = 0; i < n && drawn < MOST_FLASHES; i++)
    {
      const IfbamEvent *event = ifbam_events_get_event (work->movie->events, i);
      const double *before = g_hash_table_lookup (last, event->element);
      double place[2], pixel[2], radius;

      if ((before != NULL && event->time - *before < SEVERAL * work->movie->speed)
          || event->time < work->scene->times[0]
          || event->time > work->scene->times[0] + work->duration
          || !ifbam_scene_event_place (work->scene, event, place, &radius))
        continue;
      to_picture (work, place, pixel);
      draw_flash (work, event, pixel, work->scale * radius, n <= MOST_WORDS);
      g_hash_table_insert (last, (gpointer) event->element,
                           g_memdup2 (&event->time, sizeof event->time));
      drawn++;
    }
}

/* Time and size */

/* A number of a unit with a prefix, such as "20 cm" (transfer full). */
static char *
length_text (double metres)
{
  static const struct
  {
    double size;
    const char *unit;
  } units[] = { { 1e3, "km" }, { 1, "m" }, { 1e-2, "cm" }, { 1e-3, "mm" }, { 1e-6, "\302\265m" } };
  guint i = 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  while (i + 1 < G_N_ELEMENTS (units) && metres < units[i].size * (1 - 1e-9))
    i++;
  g_ascii_formatd (number, sizeof number, "%.4g", metres / units[i].size);
  return g_strdup_printf ("%s %s", number, units[i].unit);
}

static void
draw_scale (const Work *work, double y)
{
  const double length = ifbam_scale_step (BAR / work->scale, 2);
  g_autofree char *text = length_text (length);
  const double right = WIDTH - MARGIN, left = right - work->scale * length;

  put_line (work->svg, "bar", left, y, right, y);
  put_line (work->svg, "bar", left, y - 4, left, y + 4);
  put_line (work->svg, "bar", right, y - 4, right, y + 4);
  put_text (work->svg, (left + right) / 2, y + 8, "small below", "middle", text);
}

/* A bar that fills; events have ticks on it. */
static void
draw_time (const Work *work, double y)
{
  const double left = MARGIN, right = WIDTH - 2 * MARGIN - 1.6 * BAR;
  const double playing = work->duration / work->movie->speed;
  const gsize n = work->movie->events == NULL ? 0 : ifbam_events_get_n_events (work->movie->events);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *end = NULL, *speed = NULL;

  put_line (work->svg, "time", left, y, right, y);
  for (gsize i = 0; i < MIN (n, MOST_FLASHES); i++)
    {
      const double x =
          left
          + (right - left)
                * (ifbam_events_get_event (work->movie->events, i)->time - work->scene->times[0])
                / work->duration;

      if (x <= right)
        put_line (work->svg, "tick", x, y - 7, x, y - 3);
    }
  g_string_append (work->svg, "<line class=\"now\"");
  put (work->svg, " x1=\"", left, "\"");
  put (work->svg, " y1=\"", y, "\"");
  put (work->svg, " x2=\"", left, "\"");
  put (work->svg, " y2=\"", y, "\">");
  put (work->svg, "<animate attributeName=\"x2\" repeatCount=\"indefinite\" dur=\"", playing,
       "s\"");
  put (work->svg, " values=\"", left, ";");
  put (work->svg, "", right, "\"/></line>\n");
  put_text (work->svg, left, y + 8, "small below", "start", "0 s");
  g_ascii_formatd (number, sizeof number, "%.4g", work->duration);
  end = g_strconcat (number, " s", NULL);
  put_text (work->svg, right, y + 8, "small below", "end", end);
  g_ascii_formatd (number, sizeof number, "%.4g",
                   work->movie->speed < 1 ? 1 / work->movie->speed : work->movie->speed);
  speed = work->movie->speed == 1 ? g_strdup ("real time")
                                  : g_strdup_printf ("%s times %s", number,
                                                     work->movie->speed < 1 ? "slower" : "faster");
  put_text (work->svg, (left + right) / 2, y + 8, "small below", "middle", speed);
}

static void
open_picture (const Work *work)
{
  GString *svg = work->svg;
  g_autofree char *title =
      work->movie->title == NULL ? g_strdup ("") : g_markup_escape_text (work->movie->title, -1);
  char number[3][G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (svg, "<svg class=\"movie\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
  put (svg, " viewBox=\"0 0 ", WIDTH, " ");
  put (svg, "", work->height, "\"");
  g_ascii_dtostr (number[0], sizeof number[0], work->scale);
  g_ascii_dtostr (number[1], sizeof number[1], work->origin[0]);
  g_ascii_dtostr (number[2], sizeof number[2], work->origin[1]);
  g_string_append_printf (svg, " data-scale=\"%s\" data-x=\"%s\" data-y=\"%s\">\n", number[0],
                          number[1], number[2]);
  g_string_append_printf (svg,
                          "<title>%s</title><desc>%u balls and bodies, moving in the plane</desc>\n"
                          "<style>%s</style>\n",
                          title[0] == '\0' ? "Mechanism" : title, work->scene->bodies->len, style);
}

static void
draw (const Work *work)
{
  const IfbamScene *scene = work->scene;
  const double foot = work->height - FOOT + 20;

  open_picture (work);
  if (work->movie->title != NULL)
    put_text (work->svg, WIDTH / 2, 26, "title", "middle", work->movie->title);
  draw_grounds (work);
  draw_traces (work);
  draw_supports (work);
  draw_carts (work);
  for (guint i = 0; i < scene->bodies->len; i++)
    draw_body (work, &g_array_index (scene->bodies, IfbamSceneBody, i),
               scene->bodies->len <= MOST_NAMES);
  for (guint i = 0; i < scene->links->len; i++)
    draw_link (work, &g_array_index (scene->links, IfbamSceneLink, i));
  for (guint i = 0; i < scene->ties->len; i++)
    draw_tie (work, &g_array_index (scene->ties, IfbamSceneTie, i));
  for (guint i = 0; i < scene->riders->len; i++)
    draw_rider (work, &g_array_index (scene->riders, IfbamSceneRider, i),
                scene->riders->len <= MOST_NAMES);
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
check (const IfbamMovie *movie, GError **error)
{
  const IfbamScene *scene = movie->scene;

  if (scene->bodies->len > MOST_BODIES)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                 "%u balls and bodies are too many for a movie (want at most %d)",
                 scene->bodies->len, MOST_BODIES);
  else if (scene->n_rows < 2)
    g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_COURSE,
                         "the course does not tell where balls and bodies are");
  else
    return TRUE;
  return FALSE;
}

char *
ifbam_movie_svg (const IfbamMovie *movie, GError **error)
{
  Work work = { .movie = movie, .scene = movie->scene };

  if (!check (movie, error))
    return NULL;
  work.duration = movie->scene->times[movie->scene->n_rows - 1] - movie->scene->times[0];
  work.svg = g_string_new (NULL);
  find_frames (&work);
  find_scale (&work);
  draw (&work);
  g_array_unref (work.frames);
  return g_string_free (work.svg, FALSE);
}

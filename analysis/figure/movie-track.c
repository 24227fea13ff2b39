/* movie-track.c: motions of a movie's parts, as keys with linear motion between them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/movie-track.h"

#include <math.h>
#include <string.h>

#include "figure/axis-units.h"

#define TOLERANCE         0.2    /* invisible deviation [pixels] */
#define FRAMES_PER_SECOND 1000.0 /* sampling of the frames, as it may be stopped at any time */
#define MAX_FRAMES        20000

const char *
ifbam_pixels (char *text, double number)
{
  char *end;

  g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, "%.2f", number);
  for (end = text + strlen (text); end[-1] == '0'; end--)
    end[-1] = '\0';
  if (end[-1] == '.')
    end[-1] = '\0';
  return strcmp (text, "-0") == 0 ? "0" : text;
}

void
ifbam_movie_find_frames (IfbamMovieWork *work)
{
  const IfbamScene *scene = work->plane.scene;
  IfbamEvents *events = work->events;
  const double least = fmax (work->speed / FRAMES_PER_SECOND, work->duration / MAX_FRAMES);
  const gsize n_events = events == NULL ? 0 : ifbam_events_get_n_events (events);
  gsize last = 0;

  work->frames = g_array_new (FALSE, FALSE, sizeof (gsize));
  for (gsize row = 0, event = 0; row < scene->n_rows; row++)
    {
      const double next = scene->times[MIN (row + 1, scene->n_rows - 1)];
      gboolean beside = FALSE;

      for (; event < n_events && ifbam_events_get_event (events, event)->time < next; event++)
        beside = work->frames->len < 2 * MAX_FRAMES;
      if (row == 0 || row + 1 == scene->n_rows || beside
          || scene->times[row] - scene->times[last] >= least * (1 - 1e-9))
        {
          g_array_append_val (work->frames, row);
          last = row;
        }
    }
}

IfbamTrack
ifbam_track_new (const IfbamMovieWork *work)
{
  const guint n = work->frames->len;
  double *channels = g_new0 (double, 5 * (gsize) n);

  return (IfbamTrack){ .n = n,
                       .x = channels,
                       .y = channels + n,
                       .angle = channels + 2 * (gsize) n,
                       .stretch = channels + 3 * (gsize) n,
                       .swell = channels + 4 * (gsize) n };
}

void
ifbam_track_clear (IfbamTrack *track)
{
  g_free (track->x);
  g_clear_pointer (&track->keys, g_array_unref);
}

static double
time_of (const IfbamMovieWork *work, guint frame)
{
  const double *times = work->plane.scene->times;

  return times[ifbam_movie_row (work, frame)] - times[0];
}

static double
deviation (const double *channel, guint a, guint b, guint i, double part)
{
  return fabs (channel[a] + part * (channel[b] - channel[a]) - channel[i]);
}

/* Returns the deviation of a frame from linear motion between two others [pixels]. */
static double
deviation_of (const IfbamMovieWork *work, const IfbamTrack *track, guint a, guint b, guint i)
{
  const double part =
      (time_of (work, i) - time_of (work, a)) / (time_of (work, b) - time_of (work, a));

  return fmax (fmax (deviation (track->x, a, b, i, part), deviation (track->y, a, b, i, part)),
               fmax (track->arm * G_PI / 180 * deviation (track->angle, a, b, i, part),
                     IFBAM_MOVIE_SYMBOL
                         * fmax (deviation (track->stretch, a, b, i, part),
                                 deviation (track->swell, a, b, i, part))));
}

/* Finds the fewest keys (Douglas & Peucker 1973, over time). */
void
ifbam_track_find_keys (const IfbamMovieWork *work, IfbamTrack *track)
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
          const double here = deviation_of (work, track, span[0], span[1], i);

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

gboolean
ifbam_track_varies (const IfbamTrack *track, const double *channel, double least)
{
  for (guint i = 1; i < track->n; i++)
    if (fabs (channel[i] - channel[0]) > least)
      return TRUE;
  return FALSE;
}

void
ifbam_movie_put_times (const IfbamMovieWork *work, const GArray *keys)
{
  g_string_append_printf (work->svg, " dur=\"%ss\" keyTimes=\"",
                          IFBAM_PX (work->duration / work->speed));
  for (guint i = 0; i < keys->len; i++)
    {
      const double part =
          i + 1 == keys->len ? 1 : time_of (work, g_array_index (keys, guint, i)) / work->duration;

      g_string_append_printf (work->svg, "%s%s", i == 0 ? "" : ";", IFBAM_FORMATTED ("%.6g", part));
    }
  g_string_append (work->svg, "\" values=\"");
}

/* Appends one or two numbers. */
static void
put_channels (GString *svg, const double *one, const double *other, guint frame)
{
  g_string_append (svg, IFBAM_PX (one[frame]));
  if (other != NULL)
    g_string_append_printf (svg, " %s", IFBAM_PX (other[frame]));
}

void
ifbam_movie_open_group (const IfbamMovieWork *work, const IfbamTrack *track, const char *type,
                        const double *one, const double *other, double least)
{
  GString *svg = work->svg;

  g_string_append_printf (svg, "<g transform=\"%s(", type);
  put_channels (svg, one, other, 0);
  g_string_append (svg, ")\">");
  if (ifbam_track_varies (track, one, least)
      || (other != NULL && ifbam_track_varies (track, other, least)))
    {
      g_string_append_printf (svg,
                              "<animateTransform attributeName=\"transform\" type=\"%s\" "
                              "repeatCount=\"indefinite\"",
                              type);
      ifbam_movie_put_times (work, track->keys);
      for (guint i = 0; i < track->keys->len; i++)
        {
          if (i > 0)
            g_string_append_c (svg, ';');
          put_channels (svg, one, other, g_array_index (track->keys, guint, i));
        }
      g_string_append (svg, "\"/>");
    }
  g_string_append_c (svg, '\n');
}

void
ifbam_movie_open_part (const IfbamMovieWork *work, IfbamTrack *track, const char *name)
{
  g_autofree char *escaped = g_markup_escape_text (name, -1);

  ifbam_track_find_keys (work, track);
  g_string_append_printf (work->svg, "<g data-name=\"%s\">\n", escaped);
  ifbam_movie_open_group (work, track, "translate", track->x, track->y, 0.005);
}

void
ifbam_movie_put_text (GString *svg, double x, double y, const char *class, const char *anchor,
                      const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (svg,
                          "<text x=\"%s\" y=\"%s\" class=\"%s\" text-anchor=\"%s\">%s</text>\n",
                          IFBAM_PX (x), IFBAM_PX (y), class, anchor, escaped);
}

void
ifbam_movie_put_line (GString *svg, const char *class, double x1, double y1, double x2, double y2,
                      const char *end)
{
  g_string_append_printf (svg, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s\n",
                          class, IFBAM_PX (x1), IFBAM_PX (y1), IFBAM_PX (x2), IFBAM_PX (y2), end);
}

void
ifbam_movie_to_picture (const IfbamMovieWork *work, const double *place, double *pixel)
{
  pixel[0] = work->origin[0] + work->scale * place[0];
  pixel[1] = work->origin[1] - work->scale * place[1];
}

void
ifbam_movie_check_found (gboolean found)
{
  g_assert (found);
}

void
ifbam_movie_find_place (const IfbamMovieWork *work, const IfbamScenePoint *point, guint frame,
                        double *place)
{
  ifbam_movie_check_found (
      ifbam_scene_place (work->plane.scene, point, ifbam_movie_row (work, frame), place));
}

void
ifbam_movie_find_trace (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame,
                        double *places)
{
  ifbam_movie_check_found (ifbam_scene_trace (
      work->plane.scene, link, ifbam_movie_row (work, frame), IFBAM_PLANE_POINTS, places));
}

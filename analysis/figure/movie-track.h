/* movie-track.h: motions of a movie's parts, as keys with linear motion between them
 *
 * Keys are samples of the course: as few as keep all deviations below a fifth of a pixel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-drawing.h"

/* Sizes in pixels. */
#define IFBAM_MOVIE_WIDTH  900.0
#define IFBAM_MOVIE_SYMBOL 20.0 /* half the length of a class's symbol */
#define IFBAM_MOVIE_BOX    30.0 /* length of a mass along its axis */
#define IFBAM_MOVIE_GROUND 600  /* points of the ground */

/* Data of a movie. */
typedef struct
{
  IfbamPlane plane;
  IfbamEvents *events; /* shown as flashes; or NULL */
  GString *svg;
  GArray *frames;   /* gsize: samples among which keys are chosen */
  double scale;     /* [pixels/m] */
  double origin[2]; /* origin of the plane [pixels] */
  double height;    /* height of the picture [pixels] */
  double duration;  /* of the run [s] */
  double speed;     /* time of the run per second */
} IfbamMovieWork;

/* Motion of a part at every frame: position [pixels], angle in the picture [degrees], scale factors
 * of its symbol along and across. */
typedef struct
{
  guint n; /* number of frames */
  double *x, *y, *angle, *stretch, *swell;
  double arm;   /* lever arm of the angle [pixels] */
  GArray *keys; /* guint: frames */
} IfbamTrack;

/* Chooses frames: samples at a minimum distance, first and last, and those beside events. */
void ifbam_movie_find_frames (IfbamMovieWork *work);
/* Returns the sample of a frame. */
static inline gsize
ifbam_movie_row (const IfbamMovieWork *work, guint frame)
{
  return g_array_index (work->frames, gsize, frame);
}

IfbamTrack ifbam_track_new (const IfbamMovieWork *work);
void ifbam_track_clear (IfbamTrack *track);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamTrack, ifbam_track_clear)
void ifbam_track_find_keys (const IfbamMovieWork *work, IfbamTrack *track);
/* TRUE if a channel of a track changes by more than `least`. */
gboolean ifbam_track_varies (const IfbamTrack *track, const double *channel, double least);

/* Appends " dur=... keyTimes=..." of an animation, up to the start of its values. */
void ifbam_movie_put_times (const IfbamMovieWork *work, const GArray *keys);
/* Opens a group with a transform ("translate") of one or two channels, animated if they vary. */
void ifbam_movie_open_group (const IfbamMovieWork *work, const IfbamTrack *track, const char *type,
                             const double *one, const double *other, double least);
/* Finds the track's keys, and opens a translated group, then one with the part's name. */
void ifbam_movie_open_part (const IfbamMovieWork *work, IfbamTrack *track, const char *name);

/* Append elements of the picture. */
void ifbam_movie_put_text (GString *svg, double x, double y, const char *class, const char *anchor,
                           const char *text);
void ifbam_movie_put_line (GString *svg, const char *class, double x1, double y1, double x2,
                           double y2, const char *end);

/* Converts from the plane [m] to the picture [pixels]. */
void ifbam_movie_to_picture (const IfbamMovieWork *work, const double *place, double *pixel);
/* Asserts that a position is known: a movie's course has all signals of its scene. */
void ifbam_movie_check_found (gboolean found);
void ifbam_movie_find_place (const IfbamMovieWork *work, const IfbamScenePoint *point, guint frame,
                             double *place);
/* Computes the points of a rope. */
void ifbam_movie_find_trace (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame,
                             double *places);

/* Writes a number of pixels with at most two decimals (valid in the block). */
const char *ifbam_pixels (char *text, double number);
#define IFBAM_PX(number) ifbam_pixels ((char[G_ASCII_DTOSTR_BUF_SIZE]){ 0 }, number)

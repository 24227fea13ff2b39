/* movie-track.h: motions of a movie's parts, as keys between which they are linear in time
 *
 * Keys are samples of the course, as few as it takes that nothing is drawn further than a fifth of a pixel from its place.
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

/* A movie at work. */
typedef struct
{
  IfbamPlane plane;
  IfbamEvents *events; /* that flash; or NULL */
  GString *svg;
  GArray *frames;   /* gsize: samples between which keys are chosen */
  double scale;     /* [pixels/m] */
  double origin[2]; /* of the plane [pixels] */
  double height;    /* of the picture [pixels] */
  double duration;  /* of the run [s] */
  double speed;     /* seconds of the run in a second */
} IfbamMovieWork;

/* The motion of a part at every frame: place [pixels], angle in the picture [degrees], scale factors of its symbol along
 * and across. */
typedef struct
{
  guint n; /* frames */
  double *x, *y, *angle, *stretch, *swell;
  double arm;   /* of the angle [pixels] */
  GArray *keys; /* guint: frames */
} IfbamTrack;

/* Chooses the movie's frames: samples that are far enough apart, the first and the last, and those beside events. */
void ifbam_movie_find_frames (IfbamMovieWork *work);
/* The sample of a frame. */
static inline gsize
ifbam_movie_row (const IfbamMovieWork *work, guint frame)
{
  return g_array_index (work->frames, gsize, frame);
}

IfbamTrack ifbam_track_new (const IfbamMovieWork *work);
void ifbam_track_clear (IfbamTrack *track);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamTrack, ifbam_track_clear)
void ifbam_track_find_keys (const IfbamMovieWork *work, IfbamTrack *track);
/* Whether a channel of a track changes by more than `least`. */
gboolean ifbam_track_varies (const IfbamTrack *track, const double *channel, double least);

/* " dur=... keyTimes=..." of the keys' animation, up to the beginning of its values. */
void ifbam_movie_put_times (const IfbamMovieWork *work, const GArray *keys);
/* Opens a group with a transform ("translate") of one or two channels, and moves it if they change by more than `least`. */
void ifbam_movie_open_group (const IfbamMovieWork *work, const IfbamTrack *track, const char *type,
                             const double *one, const double *other, double least);
/* Finds the track's keys, and opens a group with the part's name in one that is translated. */
void ifbam_movie_open_part (const IfbamMovieWork *work, IfbamTrack *track, const char *name);

/* Elements of the picture; end: of the line's element, "/>". */
void ifbam_movie_put_text (GString *svg, double x, double y, const char *class, const char *anchor,
                           const char *text);
void ifbam_movie_put_line (GString *svg, const char *class, double x1, double y1, double x2,
                           double y2, const char *end);

/* From the plane [m] to the picture [pixels]. */
void ifbam_movie_to_picture (const IfbamMovieWork *work, const double *place, double *pixel);
/* A movie's course has all signals that its scene needs, and frames are samples of it: each place is known. */
void ifbam_movie_expect (gboolean found);
void ifbam_movie_find_place (const IfbamMovieWork *work, const IfbamScenePoint *point, guint frame,
                             double *place);
/* The points of a rope. */
void ifbam_movie_find_trace (const IfbamMovieWork *work, const IfbamSceneLink *link, guint frame,
                             double *places);

/* A number of pixels as text: at most two digits behind the point (valid in the block). */
const char *ifbam_pixels (char *text, double number);
#define IFBAM_PX(number) ifbam_pixels ((char[G_ASCII_DTOSTR_BUF_SIZE]){ 0 }, number)

/* movie.h: the plane of a network, moving: an SVG that a browser plays without a script
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-scene.h"

typedef struct
{
  const char *title;   /* or NULL */
  IfbamScene *scene;   /* that has looked at a course */
  IfbamEvents *events; /* that flash; or NULL */
  double speed;        /* seconds of the run in a second */
} IfbamMovie;

/* Returns the SVG (transfer full). Its root has the scale data-scale [pixels/m] and the plane's origin data-x, data-y
 * [pixels]. Moving groups have data-name; their keys are samples of the course. NULL with IFBAM_ERROR_USAGE:
 * nothing moves in the plane, or IFBAM_ERROR_COURSE: its course does not tell where. */
char *ifbam_movie_svg (const IfbamMovie *movie, GError **error);
/* FALSE with the error that nothing moves there. */
gboolean ifbam_movie_refuse (GError **error);

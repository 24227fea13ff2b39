/* movie.h: movie of a network's plane: an SVG that browsers play without scripts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-scene.h"

typedef struct
{
  const char *title;   /* or NULL */
  IfbamScene *scene;   /* after ifbam_scene_look () */
  IfbamEvents *events; /* shown as flashes; or NULL */
  double speed;        /* time of the run per second */
} IfbamMovie;

/* Returns the SVG (transfer full). Its root has the scale data-scale [pixels/m] and the plane's
 * origin data-x, data-y [pixels]. Moving groups have data-name; their keys are samples of the
 * course. NULL with IFBAM_ERROR_USAGE: nothing moves, or IFBAM_ERROR_COURSE. */
char *ifbam_movie_svg (const IfbamMovie *movie, GError **error);
/* Sets the error that nothing moves in the plane; returns FALSE. */
gboolean ifbam_movie_refuse (GError **error);

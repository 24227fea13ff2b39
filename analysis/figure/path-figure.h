/* path-figure.h: paths of bodies in the plane, over their ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/plane-scene.h"

typedef struct
{
  IfbamScene *scene;   /* drawn beside the paths, after ifbam_scene_look (); or NULL */
  IfbamEvents *events; /* marked in the figure; or NULL */
  IfbamCourse *course;
  const char *const *bodies; /* names and patterns; NULL: all */
} IfbamPathFigure;

/* Makes a chart of NAME.y over NAME.x, with the mechanism at the end. IFBAM_ERROR_COURSE: the
 * course has no path of a body. */
gboolean ifbam_path_chart (IfbamChart *chart, const IfbamPathFigure *figure, GError **error);
/* Sets that error; returns FALSE. */
gboolean ifbam_path_refuse (GError **error);

/* path-figure.h: paths of bodies in the plane, over their ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/plane-scene.h"

typedef struct
{
  IfbamScene *scene;   /* drawn beside the paths; it has looked at the course; or NULL */
  IfbamEvents *events; /* that are marked; or NULL */
  IfbamCourse *course;
  const char *const *bodies; /* names, patterns among them; NULL: all */
} IfbamPathFigure;

/* Makes a chart of NAME.y over NAME.x, and of the mechanism at the end. IFBAM_ERROR_COURSE: no body of the course has a
 * path. */
gboolean ifbam_path_chart (IfbamChart *chart, const IfbamPathFigure *figure, GError **error);
/* FALSE with that error. */
gboolean ifbam_path_refuse (GError **error);

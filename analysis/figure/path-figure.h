/* path-figure.h: ways of bodies in the plane, over their ground
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/plane-scene.h"

typedef struct
{
  const char *title; /* or NULL */
  IfbamPlotRange x_range, y_range;
  IfbamScene *scene;   /* what is drawn beside the ways, which has looked at the course; or NULL */
  IfbamEvents *events; /* that are marked; or NULL */
  IfbamCourse *course;
  const char *const *bodies; /* names, patterns among them; NULL: all */
} IfbamPathFigure;

/* Draws NAME.y over NAME.x with equal scales into path, as ifbam_plot_draw does. IFBAM_ERROR_USAGE: no body
 * of the course has a way. */
gboolean ifbam_path_figure_draw (const IfbamPathFigure *figure, const char *path, GError **error);
/* FALSE with that error. */
gboolean ifbam_path_figure_refuse (GError **error);

/* heat-map.h: a value over a plane, as colours
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/gnuplot-script.h"

/* Of a value over a plane. Nothing is copied or owned. */
typedef struct
{
  const char *quantity, *unit; /* beside the colours */
  const double *values;        /* [n_y][n_x]; what is not finite stays blank */
} IfbamPlotLayer;

typedef struct
{
  const char *title; /* or NULL */
  const char *x_quantity, *x_unit, *y_quantity, *y_unit;
  IfbamPlotRange x_range, y_range;
  gboolean log_x, log_y, log_values;
  gsize n_x, n_y;
  const double *x, *y; /* [n_x], [n_y]; increasing */
  gsize n_layers;
  const IfbamPlotLayer *layers; /* [n_layers], one above the other */
  const double *mark;           /* x, y of the point that stands out, in each layer; or NULL */
} IfbamPlotMap;

/* Draws values as colours into path, as ifbam_plot_draw does. There is no text of a map: path is not
 * NULL. */
gboolean ifbam_plot_draw_map (const IfbamPlotMap *map, const char *path, GError **error);

/* sweep-figure.h: a sweep's table as curves or as a map
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/heat-map.h"
#include "figure/chart.h"
#include "file/file.h"

typedef struct
{
  const char *title; /* or NULL */
  const char *const
      *columns; /* measured ones, "max:m1.position" or "spectrum:m1.position"; NULL: all */
  IfbamPlotRange x_range, y_range;
  gboolean log; /* of what is measured */
} IfbamSweepFigure;

/* Draws a table that `ifbam sweep` has written: a map where two numbers have many values each, else curves
 * over the number with the most values, one for each combination of the others. path: as for
 * ifbam_plot_draw; as text there are no maps. *left_out is a phrase (transfer full) that says what has no
 * room, or NULL. IFBAM_ERROR_COURSE: it is no such table; IFBAM_ERROR_USAGE and others as of
 * ifbam_plot_draw. */
gboolean ifbam_sweep_figure_draw (const IfbamSweepFigure *figure, const IfbamCsvTable *table,
                                  const char *path, char **left_out, GError **error);

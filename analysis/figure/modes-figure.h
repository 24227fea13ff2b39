/* modes-figure.h: mode shapes over the nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/ifbam-modes.h"
#include "figure/chart.h"

typedef struct
{
  const char *title;               /* or NULL */
  IfbamPlotRange x_range, y_range; /* number of the node, displacement */
} IfbamModesFigure;

/* So many modes have room in a figure. */
#define IFBAM_MODES_FIGURE_MOST 12

/* Draws the first modes' shapes into path, as ifbam_plot_draw does. */
gboolean ifbam_modes_figure_draw (const IfbamModesFigure *figure, IfbamModes *modes,
                                  const char *path, GError **error);

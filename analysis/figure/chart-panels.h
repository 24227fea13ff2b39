/* chart-panels.h: which curves of a figure share a panel, and its axes
 *
 * Curves of one unit share a panel as long as none of them is too small beside the others to be seen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart-points.h"
#include "figure/axis-units.h"

typedef struct
{
  GArray *series;            /* gsize: of the figure's, in their order */
  IfbamPlotRange x, y;       /* of what is seen [SI]; from > to: nothing */
  char *x_label, *y_label;   /* with their units */
  double x_factor, y_factor; /* of numbers on the axes */
} IfbamPanel;

typedef struct
{
  gboolean own_x;            /* x is not the same for all */
  gboolean by_size;          /* what is small gets a panel of its own */
  gboolean alike;            /* x and y have one scale */
  gboolean plain_x, plain_y; /* axes in SI: logarithmic ones */
  IfbamPlotRange x, y;       /* that are shown; NaN: as the data want it */
  const char *y_unit;        /* of the panels that y is for; NULL: of all */
} IfbamPanelRules;

/* The panels of a figure (transfer full, GPtrArray of IfbamPanel). */
GPtrArray *ifbam_panels_new (const IfbamPlotSeries *series, gsize n, const IfbamPanelRules *rules);

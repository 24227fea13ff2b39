/* chart-panels.h: which curves of a chart share a panel, and its axes
 *
 * Curves of one unit share a panel as long as none of them is too small beside the others to be seen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/axis-units.h"
#include "figure/chart-points.h"

typedef struct
{
  GPtrArray *curves;         /* const IfbamCurve: of the chart, in its order */
  IfbamAxisRange x, y;       /* extent of the visible points [unit]; from > to: there are none */
  char *x_label, *y_label;   /* with their units */
  double x_factor, y_factor; /* of numbers on the axes */
} IfbamPanel;

/* The panels of a chart's curves (transfer full, GPtrArray of IfbamPanel). */
GPtrArray *ifbam_panels_new (const IfbamChart *chart);

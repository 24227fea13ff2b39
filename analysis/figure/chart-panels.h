/* chart-panels.h: assignment of a chart's curves to panels, and their axes
 *
 * Curves of one unit share a panel unless one of them is too small to be seen beside the others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/axis-units.h"
#include "figure/chart-points.h"

typedef struct
{
  GPtrArray *curves;         /* const IfbamCurve: of the chart, in its order */
  IfbamAxisRange x, y;       /* extent of the visible points [unit]; from > to: none */
  char *x_label, *y_label;   /* with their units */
  double x_factor, y_factor; /* multiply numbers on the axes */
} IfbamPanel;

/* Returns the panels of a chart (transfer full, GPtrArray of IfbamPanel). */
GPtrArray *ifbam_panels_new (const IfbamChart *chart);

/* scheme-figures.h: what schemes do to one mode: regions of stability, roots, numerical damping and elongated periods
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "linear/linear.h"

typedef struct
{
  const IfbamStability
      *stability;    /* of a network whose modes are marked at its step; NULL: of none */
  const char *title; /* or NULL */
  IfbamPlotRange x_range, y_range;
} IfbamSchemeFigure;

/* Each draws all schemes into path, as ifbam_plot_draw does. */

/* The regions of absolute stability in the plane of s * step, of a mode with the exponents s, s*: borders of
 * ifbam_region_borders(). The network's modes are dots at what they have there. */
gboolean ifbam_regions_figure_draw (const IfbamSchemeFigure *figure, const char *path,
                                    GError **error);
/* What an undamped mode multiplies by in a step, in the complex plane, as angular frequency times step goes from 0 to
 * 4, with the unit circle. Dots: the roots of the network's scheme at its modes, damped as they are. */
gboolean ifbam_roots_figure_draw (const IfbamSchemeFigure *figure, const char *path,
                                  GError **error);
/* Of an undamped mode over step / period: how much longer its period gets [%], and the ratio of numerical damping,
 * -ln |z| / arg z (Hughes 1987, The Finite Element Method, 9.3.1). */
gboolean ifbam_elongation_figure_draw (const IfbamSchemeFigure *figure, const char *path,
                                       GError **error);

/* stability-chart.h: growth over angular frequency times step, for all schemes, with a network's modes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "plot.h"
#include "stability.h"

/* Draws ln |z| of an undamped mode, its growth per step, over omega * step, a curve per scheme; the
 * network's modes at its step are dots, with their frequencies in hertz: on the curves where it is not
 * damped, below them where it is. path, title, ranges and log_y as in IfbamPlot. */
gboolean ifbam_stability_chart (const IfbamStability *stability, const IfbamPlot *wanted,
                                const char *path, GError **error);

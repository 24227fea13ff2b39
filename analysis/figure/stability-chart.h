/* stability-chart.h: growth over angular frequency times step, for all schemes, with a network's modes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "linear/linear.h"

/* Draws ln |z| of an undamped mode, its growth per step, over omega * step, a curve per scheme, that of
 * the network's own the strongest; decay is dotted. The network's modes at its step are lines with their
 * frequencies in hertz, and dots at what they grow by with its scheme: on its curve where the network is
 * not damped, below it where it is. Both axes are logarithmic; path, title and ranges as in IfbamPlot. */
gboolean ifbam_stability_chart (const IfbamStability *stability, const IfbamPlot *wanted,
                                const char *path, GError **error);

/* modes-figure.h: mode shapes over the nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "linear/ifbam-modes.h"

/* Largest number of modes in a figure. */
#define IFBAM_MODES_FIGURE_MOST 12

/* Makes a chart of the first modes' shapes over the nodes, in the order of the file. */
void ifbam_modes_chart (IfbamChart *chart, IfbamModes *modes);

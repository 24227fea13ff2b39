/* orbit-figure.h: branches of periodic motions, and Poincaré sections
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "orbit/orbit.h"

/* Makes a chart of amplitudes over the number, dashed where the motion is unstable (not owned). */
void ifbam_branch_chart (IfbamChart *chart, const IfbamBranch *branch);
/* Makes a chart of points over the number; without a number of the second signal over the first. */
void ifbam_sections_chart (IfbamChart *chart, const IfbamSections *sections);

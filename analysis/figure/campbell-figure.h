/* campbell-figure.h: Campbell diagram: eigenfrequencies and orders over the speed, amplitudes below
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "sweep/sweep.h"

/* Makes a chart, which refers to the diagram (not owned). */
void ifbam_campbell_chart (IfbamChart *chart, const IfbamCampbell *campbell);
/* Makes a chart of the strongest sensitivities of each mode's frequency (not owned). */
void ifbam_sensitivities_chart (IfbamChart *chart, const IfbamSensitivities *sensitivities);

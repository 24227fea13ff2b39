/* ring-down.h: decays of lines after a blow, in noise
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/ifbam-refinement.h"

/* Fits decays to lines (n) that noise hides from ifbam_refine_peaks(), the strongest first, in evenly
 * spaced rows (n_rows) from the one with the largest magnitude on: a pause before a blow does not
 * count. Sets frequency and decay rate if the standard error of the decay rate is below 10 %, and
 * drops the weaker lines that are parts of the same peak. resolution: of the spectrum [Hz]. Returns
 * the number of remaining lines. */
gsize ifbam_fit_ring_downs (const double *times, const double *values, gsize n_rows,
                            IfbamLine *lines, gsize n, double resolution);

/* wave-clusters.h: close lines of a spectrum, found together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/line-waves.h"

/* Decomposes each cluster of peaks into a few waves at once, the strongest first, and again with
 * all others and their images subtracted, until they converge. Peaks of a cluster without such
 * waves (noise, changing frequencies) are treated one by one. */
void ifbam_part_clusters (IfbamRemainder *remainder, const double *times, double step, double least,
                          GArray *waves);

/* remaining-peaks.h: peaks of a course minus its waves
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/line-waves.h"

#define IFBAM_MAX_LINES 100 /* bounds the time for noise, which is all peaks */
#define IFBAM_GONE      0.1 /* fraction of a peak without a line that others' lines may leave */

/* Returns the peaks of the remainder above an amplitude, by frequency (n_peaks, transfer full). */
IfbamPeak *ifbam_find_remaining_peaks (const IfbamRemainder *remainder, const double *times,
                                       double least, gsize *n_peaks);

/* TRUE if there is a stronger peak nearby: it comes first, and may explain this one. */
gboolean ifbam_peak_has_stronger_neighbour (const IfbamPeak *peaks, gsize n, gsize i, double reach);

/* Adds peaks that emerged, if they are strong enough for a line. */
void ifbam_add_emerged_peaks (const IfbamRemainder *remainder, const double *times, double least,
                              GArray *waves);

/* Returns the strongest peak of the remainder at a frequency. */
double ifbam_remaining_amplitude (const IfbamPeak *remaining, gsize n, double frequency,
                                  double resolution);

/* TRUE if others' lines explain a peak without a line: little remains there. */
gboolean ifbam_peak_is_explained (const IfbamWave *wave, const IfbamPeak *remaining, gsize n,
                                  double resolution);

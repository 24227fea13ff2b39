/* ifbam-refinement.h: the lines that make the peaks of a spectrum, by harmonic inversion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/ifbam-spectrum.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamLine:
 * @frequency: [Hz]
 * @decay_rate: of the amplitude [1/s]; below zero where it grows; NaN where no line was found
 * @amplitude: at the first row, in the unit of the values
 * @phase: at the first row [rad]
 * @peak: amplitude that a spectrum with Hann's window shows of the line, if it stands alone, in the unit
 *   of the values; where no line was found, that of the peak
 *
 * What makes a peak: amplitude exp (-decay_rate t) cos (2 pi frequency t + phase), with t from the
 * first row on.
 */
typedef struct
{
  double frequency;
  double decay_rate;
  double amplitude;
  double phase;
  double peak;
} IfbamLine;

IfbamLine *ifbam_refine_peaks (const double *times, const double *values, gsize n_rows,
                               const IfbamPeak *peaks, gsize n_peaks, double threshold,
                               gsize *n_lines, GError **error);

#pragma GCC visibility pop
G_END_DECLS

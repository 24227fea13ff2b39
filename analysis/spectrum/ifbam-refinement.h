/* ifbam-refinement.h: lines of a spectrum's peaks, by harmonic inversion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/ifbam-spectrum.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamLine:
 * @frequency: [Hz]
 * @decay_rate: of the amplitude [1/s]; negative if it grows; NaN if no line was found
 * @amplitude: at the first row, in the unit of the values
 * @phase: at the first row [rad]
 * @peak: amplitude of the line alone in a spectrum with Hann's window, in the unit of the values;
 *   if no line was found, that of the peak
 *
 * The line of a peak: amplitude exp (-decay_rate t) cos (2 pi frequency t + phase), with t from the
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

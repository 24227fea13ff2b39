/* ifbam-spectrogram.h: spectra of a course over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/ifbam-spectrum.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define IFBAM_TYPE_SPECTROGRAM (ifbam_spectrogram_get_type ())
G_DECLARE_FINAL_TYPE (IfbamSpectrogram, ifbam_spectrogram, IFBAM, SPECTROGRAM, GObject)

IfbamSpectrogram *ifbam_spectrogram_new (const double *times, const double *values, gsize n_rows,
                                         IfbamWindow window, gsize segment, double overlap,
                                         GError **error);

double ifbam_spectrogram_get_resolution (IfbamSpectrogram *spectrogram);
const double *ifbam_spectrogram_get_times (IfbamSpectrogram *spectrogram, gsize *n_times);
const double *ifbam_spectrogram_get_frequencies (IfbamSpectrogram *spectrogram,
                                                 gsize *n_frequencies);
const double *ifbam_spectrogram_get_amplitudes (IfbamSpectrogram *spectrogram, gsize *n);
GBytes *ifbam_spectrogram_get_time_bytes (IfbamSpectrogram *spectrogram);
GBytes *ifbam_spectrogram_get_frequency_bytes (IfbamSpectrogram *spectrogram);
GBytes *ifbam_spectrogram_get_amplitude_bytes (IfbamSpectrogram *spectrogram);
const IfbamPeak *ifbam_spectrogram_get_ridge (IfbamSpectrogram *spectrogram, gsize *n_times);

#pragma GCC visibility pop
G_END_DECLS

/* ifbam-spectrum.h: amplitude spectrum of a course, and its peaks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamWindow:
 * @IFBAM_WINDOW_HANN: lobes fall with the third power of the distance; the default
 * @IFBAM_WINDOW_NONE: no weights; the narrowest peaks and the highest lobes
 * @IFBAM_WINDOW_HAMMING: the lowest lobes next to a peak, high ones far from it
 * @IFBAM_WINDOW_BLACKMAN: lower lobes than Hann, wider peaks
 *
 * Weights of the rows before the transform.
 */
typedef enum
{
  IFBAM_WINDOW_HANN,
  IFBAM_WINDOW_NONE,
  IFBAM_WINDOW_HAMMING,
  IFBAM_WINDOW_BLACKMAN,
} IfbamWindow;

/**
 * IfbamPeak:
 * @frequency: its frequency [Hz]
 * @amplitude: of its sine, in the unit of the values
 *
 * A line of a spectrum.
 */
typedef struct
{
  double frequency;
  double amplitude;
} IfbamPeak;

/**
 * IFBAM_SPECTRUM_THRESHOLD:
 *
 * The default fraction of the strongest peak that other peaks must exceed.
 */
#define IFBAM_SPECTRUM_THRESHOLD 1e-3

/**
 * IFBAM_SPECTRUM_PARTED:
 *
 * Lines at this distance [resolutions] have separate peaks; nearer ones may share one.
 */
#define IFBAM_SPECTRUM_PARTED 3.0

/**
 * IFBAM_SPECTRUM_NYQUIST_PART:
 *
 * Above this fraction of the Nyquist frequency flip-flop schemes have a spurious root.
 */
#define IFBAM_SPECTRUM_NYQUIST_PART 0.95

#define IFBAM_TYPE_SPECTRUM (ifbam_spectrum_get_type ())
G_DECLARE_FINAL_TYPE (IfbamSpectrum, ifbam_spectrum, IFBAM, SPECTRUM, GObject)

gboolean ifbam_window_from_name (const char *name, IfbamWindow *window, GError **error);

IfbamSpectrum *ifbam_spectrum_new (const double *times, const double *values, gsize n_rows,
                                   IfbamWindow window, GError **error);

IfbamSpectrum *ifbam_spectrum_new_averaged (const double *times, const double *values, gsize n_rows,
                                            IfbamWindow window, gsize segment, double overlap,
                                            GError **error);

double ifbam_spectrum_get_resolution (IfbamSpectrum *spectrum);
gsize ifbam_spectrum_get_n_segments (IfbamSpectrum *spectrum);
double ifbam_spectrum_get_bandwidth (IfbamSpectrum *spectrum);
const double *ifbam_spectrum_get_frequencies (IfbamSpectrum *spectrum, gsize *n_frequencies);
const double *ifbam_spectrum_get_amplitudes (IfbamSpectrum *spectrum, gsize *n_frequencies);
GBytes *ifbam_spectrum_get_frequency_bytes (IfbamSpectrum *spectrum);
GBytes *ifbam_spectrum_get_amplitude_bytes (IfbamSpectrum *spectrum);
IfbamPeak *ifbam_spectrum_find_peaks (IfbamSpectrum *spectrum, double threshold,
                                      gboolean ignore_nyquist, gsize *n_peaks);

#pragma GCC visibility pop
G_END_DECLS

/* peaks.h: peaks of a spectrum above a given amplitude
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* As ifbam_spectrum_find_peaks () without the neighbourhood of the Nyquist frequency: peaks above
 * an amplitude (n_peaks, transfer full). Lower peaks, and lobes below a tenth of it, are not
 * computed. */
IfbamPeak *ifbam_spectrum_find_peaks_above (IfbamSpectrum *spectrum, double least, gsize *n_peaks);

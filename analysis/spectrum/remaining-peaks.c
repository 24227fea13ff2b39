/* remaining-peaks.c: peaks of a course minus its waves
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/remaining-peaks.h"

#include <math.h>

#include "spectrum/peaks.h"

IfbamPeak *
ifbam_find_remaining_peaks (const IfbamRemainder *remainder, const double *times, double least,
                            gsize *n_peaks)
{
  g_autoptr (IfbamSpectrum) spectrum =
      ifbam_spectrum_new (times, remainder->rows, remainder->n, IFBAM_WINDOW_HANN, NULL);

  *n_peaks = 0;
  return spectrum == NULL ? NULL : ifbam_spectrum_find_peaks_above (spectrum, least, n_peaks);
}

/* Returns the first of the peaks (n, by frequency) at or above a frequency. */
static gsize
first_peak (const IfbamPeak *peaks, gsize n, double frequency)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      const gsize middle = (low + high) / 2;

      if (peaks[middle].frequency < frequency)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns an estimate of peaks about a frequency by waves that have not converged. Hann's lobes
 * fall with the third power of the distance. */
static double
still_moving (const IfbamWave *waves, gsize n, double frequency, double resolution)
{
  double sum = 0.0;

  for (gsize k = 0; k < n; k++)
    if (waves[k].found)
      {
        const double apart = fabs (waves[k].peak.frequency - frequency) / resolution;

        sum += MIN (0.1 * waves[k].moved, 1.0) * waves[k].peak.amplitude
               / MAX (1.0, apart * apart * apart);
      }
  return sum;
}

gboolean
ifbam_peak_has_stronger_neighbour (const IfbamPeak *peaks, gsize n, gsize i, double reach)
{
  for (gsize k = first_peak (peaks, n, peaks[i].frequency - reach);
       k < n && peaks[k].frequency - peaks[i].frequency < reach; k++)
    if (peaks[k].amplitude > peaks[i].amplitude
        && fabs (peaks[k].frequency - peaks[i].frequency) < reach)
      return TRUE;
  return FALSE;
}

void
ifbam_add_emerged_peaks (const IfbamRemainder *remainder, const double *times, double least,
                         GArray *waves)
{
  gsize n;
  const guint n_waves = waves->len;
  g_autofree IfbamPeak *peaks = NULL;
  const double resolution =
      (double) (remainder->n - 1) / ((double) remainder->n * (times[remainder->n - 1] - times[0]));

  if (waves->len >= IFBAM_MAX_LINES)
    return;
  peaks = ifbam_find_remaining_peaks (remainder, times, least, &n);
  for (gsize i = 0; i < n; i++)
    {
      IfbamWave wave = { .peak = peaks[i], .emerged = TRUE, .moved = INFINITY };
      gboolean known =
          ifbam_peak_has_stronger_neighbour (peaks, n, i, IFBAM_AT_ONCE * resolution)
          || peaks[i].amplitude < least || waves->len >= IFBAM_MAX_LINES
          || peaks[i].amplitude < still_moving ((const IfbamWave *) waves->data, n_waves,
                                                peaks[i].frequency, resolution);

      /* A peak without a wave stays in the remainder. */
      for (guint k = 0; k < waves->len && !known; k++)
        {
          const IfbamWave *other = &g_array_index (waves, IfbamWave, k);

          known =
              !other->found && fabs (other->peak.frequency - peaks[i].frequency) < 0.5 * resolution;
        }
      if (!known)
        g_array_append_val (waves, wave);
    }
}

double
ifbam_remaining_amplitude (const IfbamPeak *remaining, gsize n, double frequency, double resolution)
{
  double strongest = 0.0;

  for (gsize i = first_peak (remaining, n, frequency - resolution);
       i < n && remaining[i].frequency - frequency < resolution; i++)
    if (fabs (remaining[i].frequency - frequency) < resolution)
      strongest = MAX (strongest, remaining[i].amplitude);
  return strongest;
}

gboolean
ifbam_peak_is_explained (const IfbamWave *wave, const IfbamPeak *remaining, gsize n,
                         double resolution)
{
  return ifbam_remaining_amplitude (remaining, n, wave->peak.frequency, resolution)
         <= IFBAM_GONE * wave->peak.amplitude;
}

/* ifbam-spectrogram.c: spectra of a course over time
 *
 * The short-time Fourier transform (Gabor 1946, "Theory of communication", J. IEE 93, 429): spectra
 * of consecutive segments. Long segments resolve frequencies, short ones times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"
#include "spectrum/ifbam-spectrogram.h"
#include "spectrum/course-checks.h"
#include "file/file.h"

#include <math.h>
#include <string.h>

/**
 * IfbamSpectrogram:
 *
 * The amplitudes of a course over time and frequency.
 */
struct _IfbamSpectrogram
{
  GObject parent_instance;
  double resolution; /* [Hz] */
  gsize n_times, n_frequencies;
  double *times;       /* middles of the segments (n_times) [s] */
  double *frequencies; /* (n_frequencies) [Hz] */
  double *amplitudes;  /* (n_times)(n_frequencies) in the unit of the values */
  IfbamPeak *ridge;    /* strongest peak of each segment, or NaN (n_times) */
};

G_DEFINE_FINAL_TYPE (IfbamSpectrogram, ifbam_spectrogram, G_TYPE_OBJECT)

static void
ifbam_spectrogram_init (IfbamSpectrogram *spectrogram)
{
  (void) spectrogram;
}

static void
ifbam_spectrogram_finalize (GObject *object)
{
  IfbamSpectrogram *spectrogram = IFBAM_SPECTROGRAM (object);

  g_free (spectrogram->times);
  g_free (spectrogram->frequencies);
  g_free (spectrogram->amplitudes);
  g_free (spectrogram->ridge);
  G_OBJECT_CLASS (ifbam_spectrogram_parent_class)->finalize (object);
}

static void
ifbam_spectrogram_class_init (IfbamSpectrogramClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_spectrogram_finalize;
}

static IfbamPeak
find_strongest (IfbamSpectrum *spectrum)
{
  IfbamPeak strongest = { NAN, NAN };
  gsize n;
  g_autofree IfbamPeak *peaks =
      ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n);

  for (gsize i = 0; i < n; i++)
    if (!(peaks[i].amplitude <= strongest.amplitude))
      strongest = peaks[i];
  return strongest;
}

/* Adds the spectrum of segment i; the first one determines the number of frequencies. */
static gboolean
add_spectrum (IfbamSpectrogram *spectrogram, gsize i, IfbamSpectrum *spectrum, GError **error)
{
  gsize n;
  const double *amplitudes = ifbam_spectrum_get_amplitudes (spectrum, &n);

  if (i == 0)
    {
      g_autofree char *lack =
          ifbam_memory_lack ((double) n * (double) spectrogram->n_times * sizeof (double));

      if (lack != NULL)
        return ifbam_rows_refuse (error,
                                  "a spectrogram of %" G_GSIZE_FORMAT
                                  " instants and %" G_GSIZE_FORMAT
                                  " frequencies needs %s (want shorter segments or less overlap)",
                                  spectrogram->n_times, n, lack);
      spectrogram->n_frequencies = n;
      spectrogram->resolution = ifbam_spectrum_get_resolution (spectrum);
      spectrogram->frequencies =
          g_memdup2 (ifbam_spectrum_get_frequencies (spectrum, NULL), n * sizeof (double));
      spectrogram->amplitudes = g_new (double, n * spectrogram->n_times);
    }
  memcpy (spectrogram->amplitudes + i * n, amplitudes, n * sizeof (double));
  spectrogram->ridge[i] = find_strongest (spectrum);
  return TRUE;
}

/**
 * ifbam_spectrogram_new:
 * @times: (array length=n_rows): equidistant times [s]
 * @values: (array length=n_rows): the values at these times
 * @n_rows: their number
 * @window: the window of each segment
 * @segment: rows of a segment, 8 to @n_rows
 * @overlap: fraction of a segment that the next one shares with it, 0 to 0.95; usually 0.75
 * @error: return location for an error
 *
 * Transforms the segments of a course, without their means.
 *
 * Returns: (transfer full): a new spectrogram, or %NULL with %IFBAM_ERROR_COURSE for rows that are
 *   too few, not equidistant or not finite, or if it would be too large
 */
IfbamSpectrogram *
ifbam_spectrogram_new (const double *times, const double *values, gsize n_rows, IfbamWindow window,
                       gsize segment, double overlap, GError **error)
{
  g_autoptr (IfbamSpectrogram) spectrogram = NULL;
  double step;
  gsize hop;

  g_return_val_if_fail (overlap >= 0.0 && overlap <= 0.95, NULL);
  if (segment > n_rows)
    {
      ifbam_rows_refuse (error,
                         "a segment of %" G_GSIZE_FORMAT
                         " rows is longer than the course, which has "
                         "%" G_GSIZE_FORMAT,
                         segment, n_rows);
      return NULL;
    }
  if (!ifbam_rows_are_enough (segment, IFBAM_LEAST_ROWS, "for a spectrum", error)
      || !ifbam_rows_step (times, n_rows, &step, error))
    return NULL;
  hop = MAX ((gsize) ((double) segment * (1.0 - overlap) + 0.5), 1);
  spectrogram = g_object_new (IFBAM_TYPE_SPECTROGRAM, NULL);
  spectrogram->n_times = (n_rows - segment) / hop + 1;
  spectrogram->times = g_new (double, spectrogram->n_times);
  spectrogram->ridge = g_new (IfbamPeak, spectrogram->n_times);
  for (gsize i = 0; i < spectrogram->n_times; i++)
    {
      const double *first = times + i * hop;
      g_autoptr (IfbamSpectrum) spectrum =
          ifbam_spectrum_new (first, values + i * hop, segment, window, error);

      if (spectrum == NULL || !add_spectrum (spectrogram, i, spectrum, error))
        return NULL;
      spectrogram->times[i] = 0.5 * (first[0] + first[segment - 1]);
    }
  return g_steal_pointer (&spectrogram);
}

/**
 * ifbam_spectrogram_get_resolution:
 * @spectrogram: a spectrogram
 *
 * Returns the distance at which two lines are distinct.
 *
 * Returns: one over the length of a segment [Hz]
 */
double
ifbam_spectrogram_get_resolution (IfbamSpectrogram *spectrogram)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), 0.0);
  return spectrogram->resolution;
}

static const double *
get_numbers (const double *numbers, gsize n, gsize *length)
{
  if (length != NULL)
    *length = n;
  return numbers;
}

/**
 * ifbam_spectrogram_get_times:
 * @spectrogram: a spectrogram
 * @n_times: (out) (optional): their number
 *
 * Returns the times of the middles of the segments.
 *
 * Returns: (transfer none) (array length=n_times): the times, equidistant [s]
 */
const double *
ifbam_spectrogram_get_times (IfbamSpectrogram *spectrogram, gsize *n_times)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  return get_numbers (spectrogram->times, spectrogram->n_times, n_times);
}

/**
 * ifbam_spectrogram_get_time_bytes:
 * @spectrogram: a spectrogram
 *
 * Returns the result of ifbam_spectrogram_get_times() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the times [s], independent of @spectrogram
 */
GBytes *
ifbam_spectrogram_get_time_bytes (IfbamSpectrogram *spectrogram)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  return ifbam_object_bytes (spectrogram, spectrogram->times,
                             spectrogram->n_times * sizeof (double));
}

/**
 * ifbam_spectrogram_get_frequencies:
 * @spectrogram: a spectrogram
 * @n_frequencies: (out) (optional): their number
 *
 * Returns the frequencies of each spectrum.
 *
 * Returns: (transfer none) (array length=n_frequencies): equidistant frequencies from zero to the
 *   Nyquist frequency [Hz]
 */
const double *
ifbam_spectrogram_get_frequencies (IfbamSpectrogram *spectrogram, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  return get_numbers (spectrogram->frequencies, spectrogram->n_frequencies, n_frequencies);
}

/**
 * ifbam_spectrogram_get_frequency_bytes:
 * @spectrogram: a spectrogram
 *
 * Returns the result of ifbam_spectrogram_get_frequencies() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the frequencies, independent of @spectrogram
 */
GBytes *
ifbam_spectrogram_get_frequency_bytes (IfbamSpectrogram *spectrogram)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  return ifbam_object_bytes (spectrogram, spectrogram->frequencies,
                             spectrogram->n_frequencies * sizeof (double));
}

/**
 * ifbam_spectrogram_get_amplitudes:
 * @spectrogram: a spectrogram
 * @n: (out) (optional): their number: times by frequencies
 *
 * Returns the spectra, one after the other.
 *
 * Returns: (transfer none) (array length=n): the amplitudes at all frequencies at the first time,
 *   then at the second, and so on, in the unit of the values
 */
const double *
ifbam_spectrogram_get_amplitudes (IfbamSpectrogram *spectrogram, gsize *n)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  return get_numbers (spectrogram->amplitudes, spectrogram->n_times * spectrogram->n_frequencies,
                      n);
}

/**
 * ifbam_spectrogram_get_amplitude_bytes:
 * @spectrogram: a spectrogram
 *
 * Returns the result of ifbam_spectrogram_get_amplitudes() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the amplitudes, independent of @spectrogram
 */
GBytes *
ifbam_spectrogram_get_amplitude_bytes (IfbamSpectrogram *spectrogram)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  return ifbam_object_bytes (spectrogram, spectrogram->amplitudes,
                             spectrogram->n_times * spectrogram->n_frequencies * sizeof (double));
}

/**
 * ifbam_spectrogram_get_ridge:
 * @spectrogram: a spectrogram
 * @n_times: (out) (optional): their number
 *
 * Returns the strongest peak over time.
 *
 * Returns: (transfer none) (array length=n_times): the strongest peak at each time; its frequency
 *   is NaN if there is none
 */
const IfbamPeak *
ifbam_spectrogram_get_ridge (IfbamSpectrogram *spectrogram, gsize *n_times)
{
  g_return_val_if_fail (IFBAM_IS_SPECTROGRAM (spectrogram), NULL);
  if (n_times != NULL)
    *n_times = spectrogram->n_times;
  return spectrogram->ridge;
}

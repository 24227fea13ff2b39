/* ifbam-spectrum.c: the amplitudes of a course over the frequency, and its peaks
 *
 * The mean is removed, the rows are weighted with a window, zeros are appended to at least four
 * times the length, and the transform is scaled so that a sine of amplitude A peaks at A.
 *
 * Windows are sums of cosines, w(u) = a0 - a1 cos 2 pi u + a2 cos 4 pi u for 0 <= u < 1 (Harris
 * 1978, "On the use of windows for harmonic analysis with the discrete Fourier transform"). The
 * transform of one, at a distance of d resolutions from a line, is
 *
 *   W(d) = sin(pi d)/(pi a0) [a0/d - a1 d/(d^2 - 1) + a2 d/(d^2 - 4)]
 *
 * and without the sine it is the envelope of its lobes; for Hann 1/(pi d (d^2 - 1)).
 *
 * A peak is refined between the frequencies of the transform by the parabola through the logarithms
 * of three amplitudes (Gasior and Gonzalez 2004, "Improving FFT frequency measurement resolution by
 * parabolic and Gaussian spectrum interpolation", AIP Conf. Proc. 732, 276).
 *
 * Of an averaged spectrum (Welch) a peak must exceed what noise does by chance, see is_noise().
 *
 * Nothing here depends on the processor: no SIMD in the transform, no sin, log or exp of libc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/ifbam-spectrum.h"
#include "base/fail.h"
#include "base/memory.h"
#include "file/file.h"
#include "spectrum/peaks.h"
#include "spectrum/course-checks.h"
#include "base/sine.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PADDING  4     /* least length of the transform, in rows */
#define ROUNDING 1e-13 /* fraction of the largest value below which values are rounding */

/* A peak must exceed the lobes of stronger ones by this factor. Three: lobes of lines add, and
 * lines that grow or decay by e^2 over the course have lobes 1.5 times as high. */
#define SAFETY 3.0
/* A rest at zero frequency may be a drift, with higher lobes than a line: by a factor of up to 4
 * for a uniform motion, 8 for an accelerated one. */
#define DRIFT 3.0

/* A peak must exceed the minimum between it and any higher one by this factor: the skirt of a line
 * that grows or decays by more than e^2 has ripples, which are lower for faster decay. */
#define PROMINENCE 1.25

#define AROUND       32.0 /* on each side of a peak, for the level of noise [resolutions] */
#define FALSE_ALARMS 0.01 /* expected peaks of noise in a spectrum */

#define TABLE_STEPS 8   /* per resolution */
#define TABLE_REACH 128 /* resolutions; beyond, envelopes are monotonous */
#define TABLE_SIZE  (TABLE_STEPS * TABLE_REACH + 1)

typedef struct
{
  const char *name;
  double a[3];
  double half_width; /* of the main lobe [resolutions] */
} Window;

static const Window windows[] = {
  [IFBAM_WINDOW_HANN] = { "hann", { 0.5, 0.5, 0.0 }, 2.0 },
  [IFBAM_WINDOW_NONE] = { "none", { 1.0, 0.0, 0.0 }, 1.0 },
  [IFBAM_WINDOW_HAMMING] = { "hamming", { 0.54, 0.46, 0.0 }, 2.0 },
  [IFBAM_WINDOW_BLACKMAN] = { "blackman", { 0.42, 0.5, 0.08 }, 3.0 },
};

/**
 * IfbamSpectrum:
 *
 * The amplitudes of a course over the frequency. Its peaks are the lines of the course.
 */
struct _IfbamSpectrum
{
  GObject parent_instance;
  const Window *window;
  double resolution;   /* 1/(rows * step) [Hz] */
  double spacing;      /* of the frequencies [Hz] */
  double largest;      /* absolute value, with the mean */
  gsize n_segments;    /* averaged segments of the course */
  double independent;  /* number of independent segments with the same variance */
  gsize n;             /* frequencies from 0 to the Nyquist frequency */
  double *frequencies; /* (n) [Hz] */
  double *amplitudes;  /* in the unit of the values (n) */
};

G_DEFINE_FINAL_TYPE (IfbamSpectrum, ifbam_spectrum, G_TYPE_OBJECT)

static void
ifbam_spectrum_init (IfbamSpectrum *spectrum)
{
  spectrum->window = &windows[IFBAM_WINDOW_HANN];
}

static void
ifbam_spectrum_finalize (GObject *object)
{
  IfbamSpectrum *spectrum = IFBAM_SPECTRUM (object);

  g_free (spectrum->frequencies);
  g_free (spectrum->amplitudes);
  G_OBJECT_CLASS (ifbam_spectrum_parent_class)->finalize (object);
}

static void
ifbam_spectrum_class_init (IfbamSpectrumClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_spectrum_finalize;
}

/**
 * ifbam_window_from_name:
 * @name: "hann", "none", "hamming" or "blackman"
 * @window: (out): the window
 * @error: return location for an error
 *
 * Finds a window by its name.
 *
 * Returns: whether there is such a window; if not, %IFBAM_ERROR_USAGE lists them
 */
gboolean
ifbam_window_from_name (const char *name, IfbamWindow *window, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    if (strcmp (name, windows[i].name) == 0)
      {
        *window = (IfbamWindow) i;
        return TRUE;
      }
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "there is no window \"%s\" (want hann, hamming, blackman or none)", name);
}

static double
cosine (double turns)
{
  double s, c;

  ifbam_sine_cosine (turns, &s, &c);
  return c;
}

/* w(u), 0 <= u < 1 */
static double
weight (const Window *window, double u)
{
  return window->a[0] - window->a[1] * cosine (u) + window->a[2] * cosine (2.0 * u);
}

static double
sinc (double d)
{
  return fabs (d) < 1e-9 ? 1.0 : ifbam_sine (0.5 * d) / (G_PI * d);
}

/* |W(d)| as a sum of three sinc pairs, without 0/0 at integer d */
static double
main_lobe (const Window *window, double d)
{
  const double *a = window->a;

  return fabs (a[0] * sinc (d) + 0.5 * a[1] * (sinc (d - 1.0) + sinc (d + 1.0))
               + 0.5 * a[2] * (sinc (d - 2.0) + sinc (d + 2.0)))
         / a[0];
}

/* Returns the envelope of W, for d outside the main lobe. */
static double
envelope (const Window *window, double d)
{
  const double *a = window->a;
  double sum = a[0] / d;

  if (a[1] != 0.0)
    sum -= a[1] * d / (d * d - 1.0);
  if (a[2] != 0.0)
    sum += a[2] * d / (d * d - 4.0);
  return fabs (sum) / (G_PI * a[0]);
}

/* leakage[i]: the highest lobe of a line of amplitude 1 at the distance i/TABLE_STEPS or beyond; in
 * the main lobe, the lobe itself. */
static void
fill_leakage (const Window *window, double *leakage)
{
  double highest = envelope (window, TABLE_REACH);

  for (int i = TABLE_SIZE - 1; i >= 0; i--)
    {
      double d = (double) i / TABLE_STEPS;
      gboolean outside = d >= window->half_width + 0.25;

      /* next to the main lobe the envelope may have a pole, but not the lobe */
      highest = MAX (highest, outside ? envelope (window, d) : main_lobe (window, d));
      leakage[i] = highest;
    }
}

static double
leakage_at (const Window *window, const double *leakage, double d)
{
  return d >= TABLE_REACH ? envelope (window, d) : leakage[(int) (d * TABLE_STEPS)];
}

/* Returns the next even number without prime factors above 7, for which FFTW is fast. */
static gsize
fast_length (gsize least)
{
  static const gsize primes[] = { 2, 3, 5, 7 };

  for (gsize n = least + (least & 1);; n += 2)
    {
      gsize rest = n;

      for (guint i = 0; i < G_N_ELEMENTS (primes); i++)
        while (rest % primes[i] == 0)
          rest /= primes[i];
      if (rest == 1)
        return n;
    }
}

/* FFTW's planning is not thread-safe. */
static GMutex planning;

/* In place. FFTW_ESTIMATE does not measure: equal rows give equal bits, without SIMD anywhere. */
static fftw_plan
plan_transform (double *buffer, gsize length)
{
  fftw_plan plan;

  g_mutex_lock (&planning);
  plan = fftw_plan_dft_r2c_1d ((int) length, buffer, (fftw_complex *) buffer,
                               FFTW_ESTIMATE | FFTW_NO_SIMD);
  g_mutex_unlock (&planning);
  return plan;
}

static void
forget_transform (fftw_plan plan)
{
  g_mutex_lock (&planning);
  fftw_destroy_plan (plan);
  g_mutex_unlock (&planning);
}

/* Loads values divided by the largest one, against overflow of squares. */
static void
load (double *buffer, gsize length, const double *values, gsize n, double largest,
      const Window *window)
{
  for (gsize i = 0; i < n; i++)
    buffer[i] = largest > 0.0 ? values[i] / largest : 0.0;
  ifbam_rows_remove_mean (buffer, n);
  for (gsize i = 0; i < n; i++)
    buffer[i] *= weight (window, (double) i / (double) n);
  memset (buffer + n, 0, (length - n) * sizeof *buffer);
}

static void
add_powers (double *powers, const double *buffer, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double re = buffer[2 * i], im = buffer[2 * i + 1];

      powers[i] += re * re + im * im;
    }
}

/* Converts powers to amplitudes. */
static void
store (IfbamSpectrum *spectrum, gsize length, double scale)
{
  spectrum->n = length / 2 + 1;
  spectrum->frequencies = g_new (double, spectrum->n);
  for (gsize i = 0; i < spectrum->n; i++)
    {
      spectrum->frequencies[i] = (double) i * spectrum->spacing;
      spectrum->amplitudes[i] =
          scale * sqrt (spectrum->amplitudes[i] / (double) spectrum->n_segments);
    }
  /* these two have no partner at the negative frequency */
  spectrum->amplitudes[0] *= 0.5;
  spectrum->amplitudes[spectrum->n - 1] *= 0.5;
}

/* n: rows of a segment; hop: distance of segments [rows] */
static gboolean
compute (IfbamSpectrum *spectrum, const double *values, gsize n, gsize hop, double step,
         double largest, GError **error)
{
  gsize length = fast_length (PADDING * n);
  g_autofree char *lack = ifbam_memory_lack (2.0 * (double) length * sizeof (double));
  double *buffer =
      lack == NULL && length <= G_MAXINT ? fftw_malloc ((length + 2) * sizeof *buffer) : NULL;
  fftw_plan plan;

  if (buffer == NULL)
    return ifbam_rows_refuse (
        error, "the spectrum of %" G_GSIZE_FORMAT " rows needs %s (record fewer with --sample)", n,
        lack != NULL ? lack : "numbers of more than 31 bits");
  spectrum->amplitudes = g_new0 (double, length / 2 + 1);
  plan = plan_transform (buffer, length);
  for (gsize i = 0; i < spectrum->n_segments; i++)
    {
      load (buffer, length, values + i * hop, n, largest, spectrum->window);
      fftw_execute (plan);
      add_powers (spectrum->amplitudes, buffer, length / 2 + 1);
    }
  forget_transform (plan);
  fftw_free (buffer);
  spectrum->resolution = 1.0 / ((double) n * step);
  spectrum->spacing = 1.0 / ((double) length * step);
  spectrum->largest = largest;
  store (spectrum, length, 2.0 * largest / ((double) n * spectrum->window->a[0]));
  return TRUE;
}

/* Returns the number of independent segments with the same variance as these, which overlap: the
 * correlation of two is the square of that of their windows (Welch 1967, "The use of fast Fourier
 * transform for the estimation of power spectra", IEEE Trans. Audio Electroacoust. 15, 70). */
static double
independent_segments (const Window *window, gsize n_segments, gsize n, gsize hop)
{
  double squares = 0.0, sum = 1.0;

  for (gsize i = 0; i < n; i++)
    squares += weight (window, (double) i / (double) n) * weight (window, (double) i / (double) n);
  for (gsize k = 1; k < n_segments && k * hop < n; k++)
    {
      double product = 0.0;

      for (gsize i = 0; i + k * hop < n; i++)
        product += weight (window, (double) i / (double) n)
                   * weight (window, (double) (i + k * hop) / (double) n);
      product /= squares;
      sum += 2.0 * (1.0 - (double) k / (double) n_segments) * product * product;
    }
  return (double) n_segments / sum;
}

/* hop 0: one segment */
static IfbamSpectrum *
new_spectrum (const double *times, const double *values, gsize n_rows, IfbamWindow window,
              gsize segment, gsize hop, GError **error)
{
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  double step, largest;

  if (!ifbam_rows_are_enough (segment, IFBAM_LEAST_ROWS, "for a spectrum", error)
      || !ifbam_rows_step (times, n_rows, &step, error)
      || !ifbam_rows_largest (values, n_rows, &largest, error))
    return NULL;
  spectrum = g_object_new (IFBAM_TYPE_SPECTRUM, NULL);
  spectrum->window = &windows[window];
  spectrum->n_segments = hop > 0 ? (n_rows - segment) / hop + 1 : 1;
  spectrum->independent =
      hop > 0 ? independent_segments (spectrum->window, spectrum->n_segments, segment, hop) : 1.0;
  if (!compute (spectrum, values, segment, hop, step, largest, error))
    return NULL;
  return g_steal_pointer (&spectrum);
}

/**
 * ifbam_spectrum_new:
 * @times: (array length=n_rows): evenly spaced instants [s]
 * @values: (array length=n_rows): the values at these instants
 * @n_rows: their number, at least 8
 * @window: the window
 * @error: return location for an error
 *
 * Transforms a course without its mean.
 *
 * Returns: (transfer full): a new spectrum, or %NULL with %IFBAM_ERROR_COURSE for rows that are too
 *   few, not evenly spaced or not finite
 */
IfbamSpectrum *
ifbam_spectrum_new (const double *times, const double *values, gsize n_rows, IfbamWindow window,
                    GError **error)
{
  g_return_val_if_fail ((guint) window < G_N_ELEMENTS (windows), NULL);
  return new_spectrum (times, values, n_rows, window, n_rows, 0, error);
}

/**
 * ifbam_spectrum_new_averaged:
 * @times: (array length=n_rows): evenly spaced instants [s]
 * @values: (array length=n_rows): the values at these instants
 * @n_rows: their number
 * @window: the window of each segment
 * @segment: rows of a segment, 8 to @n_rows
 * @overlap: fraction of a segment that the next one shares with it, 0 to 0.95; usually 0.5
 * @error: return location for an error
 *
 * Transforms segments of a course without their means, and averages the squares of their amplitudes
 * (Welch 1967). Noise becomes smooth, and lines exceed it; the resolution is that of a segment.
 * ifbam_spectrum_find_peaks() omits peaks that may be noise.
 *
 * Returns: (transfer full): a new spectrum, or %NULL with %IFBAM_ERROR_COURSE for rows that are too
 *   few, not evenly spaced or not finite
 */
IfbamSpectrum *
ifbam_spectrum_new_averaged (const double *times, const double *values, gsize n_rows,
                             IfbamWindow window, gsize segment, double overlap, GError **error)
{
  gsize hop;

  g_return_val_if_fail ((guint) window < G_N_ELEMENTS (windows), NULL);
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
  hop = (gsize) ((double) segment * (1.0 - overlap) + 0.5);
  return new_spectrum (times, values, n_rows, window, segment, MAX (hop, 1), error);
}

/**
 * ifbam_spectrum_get_n_segments:
 * @spectrum: a spectrum
 *
 * Counts the segments that were averaged.
 *
 * Returns: their number; 1 if the whole course was transformed
 */
gsize
ifbam_spectrum_get_n_segments (IfbamSpectrum *spectrum)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), 0);
  return spectrum->n_segments;
}

/**
 * ifbam_spectrum_get_bandwidth:
 * @spectrum: a spectrum
 *
 * The power spectral density of noise at a frequency is half of the amplitude's square there over
 * this number (the window's equivalent noise bandwidth: Harris 1978).
 *
 * Returns: the width of a rectangular filter that passes the same noise power as the window [Hz]
 */
double
ifbam_spectrum_get_bandwidth (IfbamSpectrum *spectrum)
{
  const double *a;

  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), 0.0);
  a = spectrum->window->a;
  return spectrum->resolution * (a[0] * a[0] + 0.5 * (a[1] * a[1] + a[2] * a[2])) / (a[0] * a[0]);
}

/**
 * ifbam_spectrum_get_resolution:
 * @spectrum: a spectrum
 *
 * Returns the resolution.
 *
 * Returns: one over the duration [Hz]; lines closer than %IFBAM_SPECTRUM_PARTED resolutions may
 *   share a peak
 */
double
ifbam_spectrum_get_resolution (IfbamSpectrum *spectrum)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), 0.0);
  return spectrum->resolution;
}

/**
 * ifbam_spectrum_get_frequencies:
 * @spectrum: a spectrum
 * @n_frequencies: (out) (optional): their number
 *
 * Returns the frequencies of the amplitudes.
 *
 * Returns: (transfer none) (array length=n_frequencies): equidistant frequencies from zero to the
 *   Nyquist frequency [Hz]
 */
const double *
ifbam_spectrum_get_frequencies (IfbamSpectrum *spectrum, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), NULL);
  if (n_frequencies != NULL)
    *n_frequencies = spectrum->n;
  return spectrum->frequencies;
}

/**
 * ifbam_spectrum_get_frequency_bytes:
 * @spectrum: a spectrum
 *
 * Returns the result of ifbam_spectrum_get_frequencies() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the frequencies, independent of @spectrum
 */
GBytes *
ifbam_spectrum_get_frequency_bytes (IfbamSpectrum *spectrum)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), NULL);
  return ifbam_object_bytes (spectrum, spectrum->frequencies, spectrum->n * sizeof (double));
}

/**
 * ifbam_spectrum_get_amplitudes:
 * @spectrum: a spectrum
 * @n_frequencies: (out) (optional): their number
 *
 * Returns the amplitudes over the frequencies.
 *
 * Returns: (transfer none) (array length=n_frequencies): the amplitudes at the frequencies, in the
 *   unit of the values
 */
const double *
ifbam_spectrum_get_amplitudes (IfbamSpectrum *spectrum, gsize *n_frequencies)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), NULL);
  if (n_frequencies != NULL)
    *n_frequencies = spectrum->n;
  return spectrum->amplitudes;
}

/**
 * ifbam_spectrum_get_amplitude_bytes:
 * @spectrum: a spectrum
 *
 * Returns the result of ifbam_spectrum_get_amplitudes() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the amplitudes, independent of @spectrum
 */
GBytes *
ifbam_spectrum_get_amplitude_bytes (IfbamSpectrum *spectrum)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), NULL);
  return ifbam_object_bytes (spectrum, spectrum->amplitudes, spectrum->n * sizeof (double));
}

/* log(number) for 0.5 <= number <= 1 by the series of 2 artanh (Abramowitz & Stegun 1964, 4.1.27):
 * |z| <= 1/3, so further terms are below 1e-17. */
static double
logarithm (double number)
{
  double z = (number - 1.0) / (number + 1.0), square = z * z, sum = 0.0;

  for (int k = 33; k > 0; k -= 2)
    sum = sum * square + 1.0 / k;
  return 2.0 * z * sum;
}

/* exp(number) for 0 <= number <= 0.1 */
static double
exponential (double number)
{
  double sum = 1.0;

  for (int k = 10; k > 0; k--)
    sum = 1.0 + number / k * sum;
  return sum;
}

/* A local maximum of the amplitudes. */
typedef struct
{
  IfbamPeak peak;
  double lowest, highest; /* possible range of the lines that form this hill [Hz] */
  double noise;           /* sum of squares of the lobes of stronger lines here */
  gboolean line;          /* a line, not a lobe of another one */
} Candidate;

static IfbamPeak
refine (const IfbamSpectrum *spectrum, gsize i)
{
  const double *a = spectrum->amplitudes;
  double left, right, curvature, shift;

  if (i == 0 || i == spectrum->n - 1)
    return (IfbamPeak){ spectrum->frequencies[i], a[i] };
  left = logarithm (CLAMP (a[i - 1] / a[i], 0.5, 1.0));
  right = logarithm (CLAMP (a[i + 1] / a[i], 0.5, 1.0));
  curvature = left + right; /* negative, or all three are equal */
  shift = curvature < 0.0 ? 0.5 * (left - right) / curvature : 0.0;
  return (IfbamPeak){ ((double) i + shift) * spectrum->spacing,
                      a[i] * exponential (-0.25 * (left - right) * shift) };
}

static gboolean
is_maximum (const IfbamSpectrum *spectrum, gsize i)
{
  const double *a = spectrum->amplitudes;

  return (i == 0 || a[i] > a[i - 1]) && (i == spectrum->n - 1 || a[i] >= a[i + 1]);
}

/* TRUE if the amplitude falls by a factor between a maximum and any higher one on this side. */
static gboolean
is_prominent (const IfbamSpectrum *spectrum, gsize maximum, int direction)
{
  const double *a = spectrum->amplitudes;
  const gsize end = direction > 0 ? spectrum->n - 1 : 0;
  double low = a[maximum];

  for (gsize i = maximum; i != end; i += (gsize) direction)
    {
      low = MIN (low, a[i]);
      if (low * PROMINENCE < a[maximum])
        return TRUE;
      if (a[i + (gsize) direction] > a[maximum])
        return FALSE;
    }
  return TRUE;
}

/* TRUE if a maximum is the top of a hill, not a ripple on the skirt of a higher one. For lines that
 * are too near for a dip between them, only the highest is. */
static gboolean
is_top (const IfbamSpectrum *spectrum, gsize maximum)
{
  return is_prominent (spectrum, maximum, -1) && is_prominent (spectrum, maximum, 1);
}

/* Excludes lines at zero frequency (mean, drifts) and, if requested, near the Nyquist frequency. */
static gboolean
is_outside (const IfbamSpectrum *spectrum, double frequency, gboolean ignore_nyquist)
{
  double highest = spectrum->frequencies[spectrum->n - 1];

  return frequency <= spectrum->window->half_width * spectrum->resolution
         || (ignore_nyquist && frequency >= IFBAM_SPECTRUM_NYQUIST_PART * highest)
         || frequency >= highest - 0.5 * spectrum->resolution;
}

static double
find_strongest (const IfbamSpectrum *spectrum, gboolean ignore_nyquist)
{
  double strongest = 0.0;

  for (gsize i = 0; i < spectrum->n; i++)
    if (!is_outside (spectrum, spectrum->frequencies[i], ignore_nyquist)
        && is_maximum (spectrum, i))
      strongest = MAX (strongest, spectrum->amplitudes[i]);
  return strongest;
}

/* Returns the distance at which a line's own lobe has fallen to half [resolutions]. */
static double
half_lobe (const Window *window)
{
  double d = 0.5;

  while (main_lobe (window, d) > 0.5)
    d += 1.0 / 64;
  return d;
}

/* Returns the width of a hill beyond its top, in excess of half of a line's own lobe [Hz; half:
 * resolutions]: it consists of several lines, or of one that changes fast. */
static double
excess (const IfbamSpectrum *spectrum, gsize top, double half, int direction)
{
  const gsize end = direction > 0 ? spectrum->n - 1 : 0;
  gsize i = top;

  while (i != end && spectrum->amplitudes[i] > 0.5 * spectrum->amplitudes[top])
    i += (gsize) direction;
  return MAX (0.0, fabs (spectrum->frequencies[i] - spectrum->frequencies[top]) - spectrum->spacing
                       - half * spectrum->resolution);
}

/* Returns all maxima above the floor, by frequency. */
static GArray *
find_candidates (const IfbamSpectrum *spectrum, double floor)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  const double half = half_lobe (spectrum->window);

  for (gsize i = 0; i < spectrum->n; i++)
    if (spectrum->amplitudes[i] > floor && is_maximum (spectrum, i) && is_top (spectrum, i))
      {
        Candidate candidate = { .peak = refine (spectrum, i) };

        candidate.lowest = candidate.peak.frequency - excess (spectrum, i, half, -1);
        candidate.highest = candidate.peak.frequency + excess (spectrum, i, half, 1);
        g_array_append_val (candidates, candidate);
      }
  return candidates;
}

typedef struct
{
  const IfbamSpectrum *spectrum;
  Candidate *candidates; /* (n) by frequency */
  gsize n;
  double floor; /* much lower lobes are not summed */
  double leakage[TABLE_SIZE];
} Search;

/* Adds the lobe of a line at the distance [Hz]; FALSE if it and all beyond are negligible. */
static gboolean
add_lobe (const Search *search, Candidate *candidate, double distance, double amplitude)
{
  double d = fmax (distance, 0.0) / search->spectrum->resolution;
  double largest = search->spectrum->largest;
  double lobe = SAFETY * amplitude * leakage_at (search->spectrum->window, search->leakage, d);

  candidate->noise += (lobe / largest) * (lobe / largest);
  return lobe > 0.1 * search->floor;
}

/* Adds the lobes of a line, and of its images below zero and above the Nyquist frequency. */
static void
spread (const Search *search, gsize source)
{
  const IfbamSpectrum *spectrum = search->spectrum;
  Candidate *c = search->candidates;
  const Candidate line = c[source];
  double twice = 2.0 * spectrum->frequencies[spectrum->n - 1];
  double amplitude = line.peak.amplitude;

  if (line.peak.frequency <= spectrum->window->half_width * spectrum->resolution)
    amplitude *= DRIFT;
  for (gsize i = source + 1; i < search->n; i++)
    if (!add_lobe (search, &c[i], c[i].peak.frequency - line.highest, amplitude))
      break;
  for (gsize i = source; i-- > 0;)
    if (!add_lobe (search, &c[i], line.lowest - c[i].peak.frequency, amplitude))
      break;
  for (gsize i = 0; i < search->n; i++)
    if (!add_lobe (search, &c[i], c[i].peak.frequency + line.lowest, amplitude))
      break;
  for (gsize i = search->n; i-- > 0;)
    if (!add_lobe (search, &c[i], twice - c[i].peak.frequency - line.highest, amplitude))
      break;
}

static int
compare_strength (gconstpointer a, gconstpointer b, gpointer data)
{
  const Candidate *candidates = data;
  const IfbamPeak *p = &candidates[*(const gsize *) a].peak;
  const IfbamPeak *q = &candidates[*(const gsize *) b].peak;

  if (p->amplitude != q->amplitude)
    return p->amplitude > q->amplitude ? -1 : 1;
  return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

/* Detects lines, the strongest first: maxima that exceed the lobes of the lines so far. */
static void
detect_lines (const Search *search)
{
  g_autofree gsize *order = g_new (gsize, search->n + 1);

  for (gsize i = 0; i < search->n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) search->n, sizeof *order, compare_strength, search->candidates);
  for (gsize i = 0; i < search->n; i++)
    {
      Candidate *candidate = &search->candidates[order[i]];

      candidate->line =
          candidate->peak.amplitude / search->spectrum->largest > sqrt (candidate->noise);
      if (candidate->line)
        spread (search, order[i]);
    }
}

/* Returns x for the probability p that a normal number exceeds it (Abramowitz & Stegun 1964,
 * 26.2.23: error 4.5e-4). */
static double
normal_quantile (double p)
{
  int exponent;
  double fraction = frexp (p, &exponent);
  double t = sqrt (-2.0 * (logarithm (fraction) + exponent * G_LN2));

  return t
         - (2.515517 + t * (0.802853 + t * 0.010328))
               / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/* Returns the power of noise, relative to its mean, that is exceeded with the probability of a
 * normal number x: chi square with two degrees of freedom per segment (Wilson and Hilferty 1931,
 * Proc. Natl. Acad. Sci. 17, 684). */
static double
noise_quantile (const IfbamSpectrum *spectrum, double x)
{
  double part = 1.0 / (9.0 * spectrum->independent);
  double root = 1.0 - part + x * sqrt (part);

  return root * root * root;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double p = *(const double *) a, q = *(const double *) b;

  return p < q ? -1 : p > q;
}

/* TRUE if a maximum may be noise. Its level is estimated by the lower quartile of the amplitudes
 * nearby, which lines and their lobes hardly affect. */
static gboolean
is_noise (const IfbamSpectrum *spectrum, IfbamPeak peak)
{
  gsize around = (gsize) (AROUND * spectrum->resolution / spectrum->spacing);
  gsize middle = (gsize) (peak.frequency / spectrum->spacing + 0.5);
  gsize first = middle > around ? middle - around : 1;
  gsize last = MIN (middle + around, spectrum->n - 2);
  g_autofree double *amplitudes = NULL;
  double quartile, level;

  if (spectrum->n_segments == 1 || last < first + 8)
    return FALSE;
  amplitudes = g_memdup2 (spectrum->amplitudes + first, (last - first + 1) * sizeof (double));
  qsort (amplitudes, last - first + 1, sizeof (double), compare_doubles);
  quartile = amplitudes[(last - first) / 4] / spectrum->largest;
  level = quartile * quartile / noise_quantile (spectrum, -normal_quantile (0.25));
  return peak.amplitude / spectrum->largest * (peak.amplitude / spectrum->largest)
         < level * noise_quantile (spectrum, normal_quantile (FALSE_ALARMS / (double) spectrum->n));
}

/* Returns the peaks (transfer full) above a floor of the amplitude. */
static IfbamPeak *
find_peaks (IfbamSpectrum *spectrum, double floor, gboolean ignore_nyquist, gsize *n_peaks)
{
  g_autoptr (GArray) candidates = find_candidates (spectrum, floor);
  g_autoptr (GArray) peaks = g_array_new (FALSE, TRUE, sizeof (IfbamPeak));
  Search search = { .spectrum = spectrum,
                    .candidates = (Candidate *) candidates->data,
                    .n = candidates->len,
                    .floor = floor };

  fill_leakage (spectrum->window, search.leakage);
  detect_lines (&search);
  for (gsize i = 0; i < search.n; i++)
    {
      const Candidate *candidate = &search.candidates[i];

      if (candidate->line && !is_outside (spectrum, candidate->peak.frequency, ignore_nyquist)
          && !is_noise (spectrum, candidate->peak))
        g_array_append_val (peaks, candidate->peak);
    }
  *n_peaks = peaks->len;
  return (IfbamPeak *) g_array_free (g_steal_pointer (&peaks), FALSE);
}

IfbamPeak *
ifbam_spectrum_find_peaks_above (IfbamSpectrum *spectrum, double least, gsize *n_peaks)
{
  return find_peaks (spectrum, fmax (least, ROUNDING * spectrum->largest), TRUE, n_peaks);
}

/**
 * ifbam_spectrum_find_peaks:
 * @spectrum: a spectrum
 * @threshold: the fraction of the strongest peak that a peak must exceed, such as
 *   %IFBAM_SPECTRUM_THRESHOLD
 * @ignore_nyquist: whether to omit peaks above 0.95 of the Nyquist frequency, where the schemes
 *   `original` and `averaged` have a spurious line
 * @n_peaks: (out): their number
 *
 * Finds the lines of the course: maxima that exceed the lobes of all stronger lines. Peaks within
 * the main lobe at zero frequency (for Hann, fewer than two oscillations in the whole course) can't
 * be distinguished from a drift and are omitted.
 *
 * Returns: (transfer full) (array length=n_peaks): the peaks by frequency
 */
IfbamPeak *
ifbam_spectrum_find_peaks (IfbamSpectrum *spectrum, double threshold, gboolean ignore_nyquist,
                           gsize *n_peaks)
{
  g_return_val_if_fail (IFBAM_IS_SPECTRUM (spectrum), NULL);
  g_return_val_if_fail (n_peaks != NULL, NULL);
  return find_peaks (
      spectrum,
      MAX (threshold * find_strongest (spectrum, ignore_nyquist), ROUNDING * spectrum->largest),
      ignore_nyquist, n_peaks);
}

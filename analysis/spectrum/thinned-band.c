/* thinned-band.c: a course shifted down in frequency, weighted and thinned
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/thinned-band.h"

#include <math.h>
#include <string.h>

#define THINNED 64   /* approximate rows of a thinned course */
#define WINDOW  8    /* length of the sliding window [thinned rows] */
#define ALIASED 0.15 /* half of the band [turns per thinned row]; aliases are 92 dB lower */

/* Blackman and Harris's four terms (Harris 1978, "On the use of windows for harmonic analysis with
 * the discrete Fourier transform"): lobes 92 dB down. The sum is 1. */
static double *
make_window (gsize length)
{
  double *window = g_new (double, length);

  if (length == 1)
    window[0] = 1.0;
  for (gsize i = 0; length > 1 && i < length; i++)
    {
      double u = ((double) i + 0.5) / (double) length;

      window[i] =
          (0.35875 - 0.48829 * ifbam_turned_cosine (u) + 0.14128 * ifbam_turned_cosine (2.0 * u)
           - 0.01168 * ifbam_turned_cosine (3.0 * u))
          / (0.35875 * (double) length);
    }
  return window;
}

static const double *
find_window (IfbamBandWindows *windows, gsize length)
{
  const guint place = windows->oldest;

  for (guint i = 0; i < IFBAM_BAND_WINDOWS; i++)
    if (windows->length[i] == length)
      return windows->values[i];
  g_free (windows->values[place]);
  windows->values[place] = make_window (length);
  windows->length[place] = length;
  windows->oldest = (place + 1) % IFBAM_BAND_WINDOWS;
  return windows->values[place];
}

void
ifbam_fill_powers (double complex *first, double complex factor, double complex *powers)
{
  for (gsize k = 0; k < IFBAM_POWER_RANGE; k++)
    for (gsize c = 0; c < IFBAM_POWER_RANGES; c++)
      {
        const double re = creal (first[c]), im = cimag (first[c]);

        powers[c * IFBAM_POWER_RANGE + k] = first[c];
        ((double *) &first[c])[0] = re * creal (factor) - im * cimag (factor);
        ((double *) &first[c])[1] = re * cimag (factor) + im * creal (factor);
      }
}

/* Copies n rows of the remainder from first on, shifted down by the band's frequency, to VALUES
 * (IFBAM_POWER_TILE). */
static void
turn_rows (const IfbamBand *band, const IfbamRemainder *remainder, gsize first, gsize n,
           double complex *values)
{
  double complex turned[IFBAM_POWER_RANGES];

  for (gsize c = 0; c < IFBAM_POWER_RANGES; c++)
    turned[c] = ifbam_rotation (-band->turns * (double) (first + c * IFBAM_POWER_RANGE));
  ifbam_fill_powers (turned, ifbam_rotation (-band->turns), values);
  for (gsize i = 0; i < n; i++)
    values[i] *= remainder->rows[first + i];
}

/* Adds rows [from, to) of one stride of the remainder to the thinned rows with windows there. */
static void
add_rows (IfbamBand *band, const double complex *values, gsize from, gsize to)
{
  const gsize at = from / band->stride, last = MIN (at, band->n - 1);
  const gsize reach = band->length / band->stride; /* number of windows over a row */
  const gsize first = at + 1 > reach ? at + 1 - reach : 0;
  double complex sums[WINDOW];

  for (gsize j = first; j <= last; j++)
    sums[j - first] = band->rows[j];
  if (last + 1 - first == WINDOW)
    {
      const double *window = band->window + from - first * band->stride;

      for (gsize i = 0; i < to - from; i++)
        for (gsize k = 0; k < WINDOW; k++)
          sums[k] += window[i - k * band->stride] * values[i];
    }
  else
    for (gsize j = first; j <= last; j++)
      for (gsize i = from; i < to; i++)
        sums[j - first] += band->window[i - j * band->stride] * values[i - from];
  for (gsize j = first; j <= last; j++)
    band->rows[j] = sums[j - first];
}

/* Adds every row to the thinned rows with windows over it. */
static void
band_fill (IfbamBand *band, const IfbamRemainder *remainder)
{
  double complex values[IFBAM_POWER_TILE];

  for (gsize tile = 0; tile < remainder->n; tile += IFBAM_POWER_TILE)
    {
      const gsize end = MIN (tile + IFBAM_POWER_TILE, remainder->n);

      turn_rows (band, remainder, tile, end - tile, values);
      for (gsize from = tile, to; from < end; from = to)
        {
          to = MIN (end, (from / band->stride + 1) * band->stride);
          add_rows (band, values + from - tile, from, to);
        }
    }
}

void
ifbam_band_init (IfbamBand *band, const IfbamRemainder *remainder, double turns, double reach)
{
  gsize n = remainder->n;
  gsize stride = MIN (n / THINNED, (gsize) (ALIASED * (double) n / reach));

  band->turns = turns;
  band->stride = MAX (stride, 1);
  band->length = band->stride > 1 ? WINDOW * band->stride : 1;
  band->n = (n - band->length) / band->stride + 1;
  band->window = find_window (remainder->windows, band->length);
  band->rows = g_new0 (double complex, band->n);
  band_fill (band, remainder);
}

void
ifbam_band_clear (IfbamBand *band)
{
  g_free (band->rows);
}

double complex
ifbam_band_gain (const IfbamBand *band, double complex u)
{
  const double complex factor = u * ifbam_rotation (-band->turns);
  double complex power = 1.0, sum = 0.0;

  for (gsize i = 0; i < band->length; i++)
    {
      sum += band->window[i] * power;
      power *= factor;
    }
  return sum;
}

void
ifbam_band_subtract (IfbamBand *band, double complex a, double complex u)
{
  const double complex factor = cpow (u * ifbam_rotation (-band->turns), (double) band->stride);
  double complex power = a * ifbam_band_gain (band, u);

  for (gsize j = 0; j < band->n; j++)
    {
      band->rows[j] -= power;
      power *= factor;
    }
}

/* Hann's window at thinned row j. */
static double
hann (const IfbamBand *band, gsize j)
{
  return 1.0 - ifbam_turned_cosine ((double) j / (double) band->n);
}

double complex
ifbam_band_transform (const IfbamBand *band, double distance)
{
  double complex sum = 0.0;

  for (gsize j = 0; j < band->n; j++)
    sum +=
        hann (band, j) * band->rows[j] * ifbam_rotation (-distance * (double) j / (double) band->n);
  return sum;
}

double complex
ifbam_band_transform_wave (const IfbamBand *band, double complex a, double complex u)
{
  double complex sum = 0.0, power = a;

  for (gsize j = 0; j < band->n; j++)
    {
      sum += hann (band, j) * power;
      power *= u;
    }
  return sum;
}

void
ifbam_remainder_remove_trend (IfbamRemainder *remainder)
{
  double middle = 0.5 * (double) (remainder->n - 1);
  double mean = 0.0, slope = 0.0, squares = 0.0;

  for (gsize i = 0; i < remainder->n; i++)
    {
      double distance = (double) i - middle;

      mean += remainder->rows[i];
      slope += remainder->rows[i] * distance;
      squares += distance * distance;
    }
  mean /= (double) remainder->n;
  slope /= squares;
  for (gsize i = 0; i < remainder->n; i++)
    remainder->rows[i] -= mean + slope * ((double) i - middle);
}

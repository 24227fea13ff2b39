/* ring-down.c: decay of a line after a blow, in noise
 *
 * Harmonic inversion rejects a peak if noise leaves more than a few percent of the transform
 * unexplained. Here one decaying line is fitted by least squares, the estimate of maximum
 * likelihood in white noise: the course after the blow is shifted down by the peak's frequency,
 * weighted with sliding Hann windows, which remove distant lines, and fitted (exponential-fit.c).
 * Bounds of the variance: Rao 1945; Yao & Pandit 1995, IEEE Trans. Signal Processing 43, 878.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <complex.h>

#include "spectrum/ring-down.h"
#include "spectrum/exponential-fit.h"

#include <math.h>

#define BAND           0.5 /* half of the band, in parts of the frequency */
#define HOPS           8   /* windows that begin within one window */
#define MAX_WINDOWS    4000
#define LEAST_WINDOWS  10
#define FALLEN         0.3 /* the start of the fit is estimated until the line has fallen to this */
#define MAX_ERROR      0.1 /* standard error of the decay rate, in parts of it */
#define LEAST_SIGNAL   8.0 /* amplitude over the root mean square of the residual */
#define MAX_RESIDUAL   0.05 /* part of the energy, within three time constants */
#define TIME_CONSTANTS 3.0
/* Lines of a peak of this many half widths at half power, and resolutions, are parts of it. */
#define WIDTHS      4
#define RESOLUTIONS 2
/* Lines without a decay that are tried: noise has many. */
#define MAX_FAILED 5

/* The course after the blow, shifted down and thinned. */
typedef struct
{
  double complex *rows; /* (n) */
  gsize n;
  double interval; /* between them [s] */
} Thinned;

static gsize
find_largest (const double *values, gsize n)
{
  gsize largest = 0;

  for (gsize i = 1; i < n; i++)
    if (fabs (values[i]) > fabs (values[largest]))
      largest = i;
  return largest;
}

/* Returns the mean of shifted rows under a Hann window. */
static double complex
weigh (const double *times, const double *values, gsize window, double frequency)
{
  double complex sum = 0;

  for (gsize k = 0; k < window; k++)
    sum += values[k] * (1 - cos (2 * G_PI * ((double) k + 0.5) / (double) window))
           * cexp (-2 * G_PI * I * frequency * times[k]);
  return sum / (double) window;
}

/* FALSE: too few rows. */
static gboolean
thin (const double *times, const double *values, gsize n_rows, double frequency, Thinned *thinned)
{
  const double step = (times[n_rows - 1] - times[0]) / (double) (n_rows - 1);
  const gsize window = (gsize) fmin (2 / (BAND * frequency * step), (double) n_rows);
  const gsize hop = MAX (window / HOPS, 1);
  const gsize start = find_largest (values, n_rows);

  if (start + window > n_rows)
    return FALSE;
  thinned->n = MIN ((n_rows - start - window) / hop + 1, MAX_WINDOWS);
  thinned->interval = (double) hop * step;
  thinned->rows = g_new (double complex, thinned->n);
  for (gsize i = 0; i < thinned->n; i++)
    thinned->rows[i] = weigh (times + start + i * hop, values + start + i * hop, window, frequency);
  return thinned->n >= LEAST_WINDOWS;
}

/* Estimates the wave from the rows until it has fallen. */
static IfbamTone
estimate (const Thinned *thinned)
{
  const double complex *z = thinned->rows;
  double complex product = 0;
  double square = 0;

  for (gsize i = 0; i + 1 < thinned->n && (i < 2 || cabs (z[i]) > FALLEN * cabs (z[0])); i++)
    {
      product += conj (z[i]) * z[i + 1];
      square += creal (z[i] * conj (z[i]));
    }
  return (IfbamTone){ z[0], square > 0 && product != 0 ? clog (product / square) : 0 };
}

/* Returns the standard error of the decay per row, by the residual and the bound of the variance. */
static double
standard_error (const IfbamTone *tone, gsize n, double variance)
{
  double moment[3] = { 0 };

  for (gsize j = 0; j < n; j++)
    {
      const double square = pow (cabs (tone->b), 2) * exp (2 * creal (tone->s) * (double) j);

      for (guint k = 0; k < 3; k++)
        moment[k] += square * pow ((double) j, k);
    }
  /* Windows overlap: HOPS of them are about one independent row. */
  return sqrt (HOPS * variance / 2 / (moment[2] - moment[1] * moment[1] / moment[0]));
}

/* TRUE if the line stands out of the residual, and its decay rate is determined. */
static gboolean
is_certain (const Thinned *thinned, const IfbamTone *tone)
{
  g_autofree double complex *rest = g_new (double complex, thinned->n);
  const double decay = -creal (tone->s);
  const double variance =
      ifbam_take_off_tones (thinned->rows, thinned->n, tone, 1, rest) / (double) thinned->n;
  double left = 0, whole = 0;

  if (!(decay > 0) || !(cabs (tone->b) > LEAST_SIGNAL * sqrt (variance)))
    return FALSE;
  for (gsize j = 0; j < thinned->n && (double) j * decay < TIME_CONSTANTS; j++)
    {
      left += pow (cabs (rest[j]), 2);
      whole += pow (cabs (thinned->rows[j]), 2);
    }
  return left < MAX_RESIDUAL * whole
         && standard_error (tone, thinned->n, variance) < MAX_ERROR * decay;
}

/* Sets frequency and decay rate of a line; FALSE: the rows do not determine the decay rate. */
static gboolean
fit_line (const double *times, const double *values, gsize n_rows, IfbamLine *line)
{
  Thinned thinned = { 0 };
  g_autofree double complex *rows = NULL;
  gboolean fine = thin (times, values, n_rows, line->frequency, &thinned);
  IfbamTone tone;

  rows = thinned.rows;
  if (!fine)
    return FALSE;
  tone = estimate (&thinned);
  ifbam_fit_tones (thinned.rows, thinned.n, &tone, 1);
  if (!is_certain (&thinned, &tone))
    return FALSE;
  line->frequency += cimag (tone.s) / (2 * G_PI * thinned.interval);
  line->decay_rate = -creal (tone.s) / thinned.interval;
  return TRUE;
}

gsize
ifbam_fit_ring_downs (const double *times, const double *values, gsize n_rows, IfbamLine *lines,
                      gsize n, double resolution)
{
  double before = INFINITY;
  guint failed = 0;

  for (;;)
    {
      gsize strongest = n, kept = 0;
      double reach;

      for (gsize i = 0; i < n; i++)
        if (isnan (lines[i].decay_rate) && lines[i].peak < before
            && (strongest == n || lines[i].peak > lines[strongest].peak))
          strongest = i;
      if (strongest == n)
        return n;
      before = lines[strongest].peak;
      if (!fit_line (times, values, n_rows, &lines[strongest]))
        {
          if (++failed == MAX_FAILED)
            return n;
          continue;
        }
      reach = WIDTHS * lines[strongest].decay_rate / (2 * G_PI) + RESOLUTIONS * resolution;
      for (gsize i = 0; i < n; i++)
        if (!isnan (lines[i].decay_rate) || lines[i].peak > before
            || fabs (lines[i].frequency - lines[strongest].frequency) > reach)
          lines[kept++] = lines[i];
      n = kept;
    }
}

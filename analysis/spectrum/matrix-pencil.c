/* matrix-pencil.c: decomposes rows into the fewest waves b e^(s j), all at once
 *
 * The Hankel matrix of rows that are a sum of waves has as many singular values as waves, and a
 * shift by a row maps its vectors to each other (matrix pencil: Hua and Sarkar 1990, IEEE Trans.
 * Acoust. Speech Signal Process. 38, 814; by singular vectors: Roy and Kailath 1989, ibid. 37,
 * 984). Of 1, 2, 3, ... waves, each fitted by least squares, the fewest with a small residual are
 * taken.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/matrix-pencil.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Largest residual of all rows for waves found in their beginning, relative to the rows. */
#define FORESEEN 0.1

/* Returns left singular vectors of the Hankel matrix, high x wide, column by column, or NULL.
 * values: (wide) singular values, the largest first */
static double complex *
find_vectors (const double complex *rows, gsize high, gsize wide, double *values)
{
  g_autofree double complex *hankel = g_new (double complex, high *wide);
  g_autofree double *work = g_new (double, wide);
  double complex *vectors = g_new (double complex, high *wide);

  for (gsize c = 0; c < wide; c++)
    memcpy (hankel + c * high, rows + c, high * sizeof (double complex));
  if (LAPACKE_zgesvd (LAPACK_COL_MAJOR, 'S', 'N', (lapack_int) high, (lapack_int) wide, hankel,
                      (lapack_int) high, values, vectors, (lapack_int) high, NULL, 1, work)
      == 0)
    return vectors;
  g_free (vectors);
  return NULL;
}

/* Computes the factors by which a shift by a row multiplies the first n vectors. */
static gboolean
find_factors (const double complex *vectors, gsize high, gsize n, double complex *factors)
{
  const gsize less = high - 1;
  g_autofree double complex *upper = g_new (double complex, less *n);
  g_autofree double complex *lower = g_new (double complex, less *n);
  g_autofree double complex *shift = g_new (double complex, n *n);

  for (gsize c = 0; c < n; c++)
    {
      memcpy (upper + c * less, vectors + c * high, less * sizeof (double complex));
      memcpy (lower + c * less, vectors + c * high + 1, less * sizeof (double complex));
    }
  if (LAPACKE_zgels (LAPACK_COL_MAJOR, 'N', (lapack_int) less, (lapack_int) n, (lapack_int) n,
                     upper, (lapack_int) less, lower, (lapack_int) less)
      != 0)
    return FALSE;
  for (gsize c = 0; c < n; c++)
    memcpy (shift + c * n, lower + c * less, n * sizeof (double complex));
  return LAPACKE_zgeev (LAPACK_COL_MAJOR, 'N', 'N', (lapack_int) n, shift, (lapack_int) n, factors,
                        NULL, 1, NULL, 1)
         == 0;
}

/* Computes the amplitudes of the waves. */
static gboolean
find_amplitudes (const double complex *rows, gsize n_rows, const double complex *factors, gsize n,
                 IfbamTone *tones)
{
  g_autofree double complex *powers = g_new (double complex, n_rows *n);
  g_autofree double complex *right = g_new (double complex, n_rows);

  memcpy (right, rows, n_rows * sizeof (double complex));
  for (gsize c = 0; c < n; c++)
    {
      double complex power = 1.0;

      for (gsize j = 0; j < n_rows; j++, power *= factors[c])
        powers[c * n_rows + j] = power;
      if (!isfinite (cabs (power)))
        return FALSE;
    }
  if (LAPACKE_zgels (LAPACK_COL_MAJOR, 'N', (lapack_int) n_rows, (lapack_int) n, 1, powers,
                     (lapack_int) n_rows, right, (lapack_int) n_rows)
      != 0)
    return FALSE;
  for (gsize c = 0; c < n; c++)
    tones[c] = (IfbamTone){ right[c], clog (factors[c]) };
  return TRUE;
}

/* Returns the root mean square of the rows minus the waves. */
static double
residual_of (const double complex *rows, gsize n_rows, const IfbamTone *tones, gsize n)
{
  g_autofree double complex *rest = g_new (double complex, n_rows);

  return sqrt (ifbam_take_off_tones (rows, n_rows, tones, n, rest) / (double) n_rows);
}

/* TRUE if waves found in the beginning of the rows predict the rest. Rows of changing frequency can
 * be fitted by several waves, but not predicted. */
static gboolean
may_continue (const double complex *rows, gsize n_rows, gsize n)
{
  const gsize begun = n_rows - n_rows / 4, wide = begun / 2, high = begun - wide + 1;
  g_autofree double *values = g_new (double, wide);
  g_autofree double complex *vectors = find_vectors (rows, high, wide, values);
  g_autofree double complex *factors = g_new (double complex, n);
  g_autofree IfbamTone *tones = g_new (IfbamTone, n);

  return n < wide && vectors != NULL && find_factors (vectors, high, n, factors)
         && find_amplitudes (rows, begun, factors, n, tones)
         && residual_of (rows, n_rows, tones, n) < FORESEEN * residual_of (rows, n_rows, tones, 0);
}

/* Returns a lower bound of the residual of n waves (root mean square of the rows). Without them the
 * matrix has a rank of n at least to within its other singular values; a row occurs in it at most
 * wide times. */
static double
least_left (const double *values, gsize n_rows, gsize wide, gsize n)
{
  double sum = 0.0;

  for (gsize k = n; k < wide; k++)
    sum += values[k] * values[k];
  return sqrt (sum / ((double) wide * (double) n_rows));
}

gsize
ifbam_part_tones (const double complex *rows, gsize n_rows, double least, IfbamTone *tones,
                  gsize most)
{
  const gsize wide = n_rows / 2, high = n_rows - wide + 1;
  g_autofree double *values = g_new (double, wide + 1);
  g_autofree double complex *vectors = NULL;
  g_autofree double complex *factors = g_new (double complex, most + 1);

  if (n_rows < 8)
    return 0;
  vectors = find_vectors (rows, high, wide, values);
  for (gsize n = 1; vectors != NULL && n <= MIN (most, wide / 2); n++)
    {
      if (least_left (values, n_rows, wide, n) > least)
        continue;
      if (!find_factors (vectors, high, n, factors)
          || !find_amplitudes (rows, n_rows, factors, n, tones))
        return 0;
      if (residual_of (rows, n_rows, tones, n) > 30.0 * least)
        continue;
      ifbam_fit_tones (rows, n_rows, tones, n);
      if (residual_of (rows, n_rows, tones, n) < least)
        return n == 1 || may_continue (rows, n_rows, n) ? n : 0;
    }
  return 0;
}

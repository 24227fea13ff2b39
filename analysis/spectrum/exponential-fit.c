/* exponential-fit.c: simultaneous fit of waves b e^(s j) to rows
 *
 * Levenberg and Marquardt's method (Marquardt 1963, J. Soc. Indust. Appl. Math. 11, 431). A wave is
 * holomorphic in b and s, so the method's real equations become half as many complex ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spectrum/exponential-fit.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#define MAX_TURNS     60
#define MIN_MOVE      1e-13 /* change of s over all rows, or relative one of b, at convergence */
#define DAMPED        1e-4  /* initial damping, relative to a column's square */
#define MIN_EXPLAINED 1e8

double
ifbam_take_off_tones (const double complex *rows, gsize n, const IfbamTone *tones, gsize n_tones,
                      double complex *rest)
{
  double sum = 0.0;

  memcpy (rest, rows, n * sizeof (double complex));
  for (gsize k = 0; k < n_tones; k++)
    {
      const double complex factor = cexp (tones[k].s);
      double complex power = tones[k].b;

      for (gsize j = 0; j < n; j++, power *= factor)
        rest[j] -= power;
    }
  for (gsize j = 0; j < n; j++)
    sum += creal (rest[j] * conj (rest[j]));
  return sum;
}

/* Writes derivatives of the rows by ln b and by s n, column by column, n of the rows and then a row
 * for each column's damping. scale: (out) 1 / length of each column */
static void
fill_slopes (const IfbamTone *tones, gsize n_tones, gsize n, double damping, double complex *matrix,
             double *scale)
{
  const gsize rows = n + 2 * n_tones;

  memset (matrix, 0, rows * 2 * n_tones * sizeof (double complex));
  for (gsize k = 0; k < n_tones; k++)
    {
      const double complex factor = cexp (tones[k].s);
      double complex *by_b = matrix + 2 * k * rows, *by_s = by_b + rows, power = tones[k].b;

      for (gsize j = 0; j < n; j++, power *= factor)
        {
          by_b[j] = power;
          by_s[j] = power * (double) j / (double) n;
        }
    }
  for (gsize c = 0; c < 2 * n_tones; c++)
    {
      double complex *column = matrix + c * rows;
      double square = 0.0;

      for (gsize j = 0; j < n; j++)
        square += creal (column[j] * conj (column[j]));
      scale[c] = square > 0.0 ? 1.0 / sqrt (square) : 0.0;
      for (gsize j = 0; j < n; j++)
        column[j] *= scale[c];
      column[n + c] = sqrt (damping);
    }
}

/* Computes the next waves; FALSE: failed. moves: (out) the largest change */
static gboolean
find_next (const IfbamTone *tones, gsize n_tones, const double complex *rest, gsize n,
           double damping, IfbamTone *next, double *moves)
{
  const gsize rows = n + 2 * n_tones;
  g_autofree double complex *matrix = g_new (double complex, rows * 2 * n_tones);
  g_autofree double complex *right = g_new0 (double complex, rows);
  g_autofree double *scale = g_new (double, 2 * n_tones);

  fill_slopes (tones, n_tones, n, damping, matrix, scale);
  memcpy (right, rest, n * sizeof (double complex));
  if (LAPACKE_zgels (LAPACK_COL_MAJOR, 'N', (lapack_int) rows, (lapack_int) (2 * n_tones), 1,
                     matrix, (lapack_int) rows, right, (lapack_int) rows)
      != 0)
    return FALSE;
  *moves = 0.0;
  for (gsize k = 0; k < n_tones; k++)
    {
      const double complex of_b = right[2 * k] * scale[2 * k],
                           of_s = right[2 * k + 1] * scale[2 * k + 1];

      next[k].b = tones[k].b * (1.0 + of_b);
      next[k].s = tones[k].s + of_s / (double) n;
      *moves = fmax (*moves, fmax (cabs (of_b), cabs (of_s)));
      if (!isfinite (cabs (next[k].b)) || !isfinite (cabs (next[k].s)))
        return FALSE;
    }
  return TRUE;
}

gboolean
ifbam_fit_tones (const double complex *rows, gsize n_rows, IfbamTone *tones, gsize n_tones)
{
  g_autofree double complex *rest = g_new (double complex, n_rows);
  g_autofree IfbamTone *next = g_new (IfbamTone, n_tones);
  double damping = DAMPED, moves = INFINITY;
  double left = ifbam_take_off_tones (rows, n_rows, tones, n_tones, rest);
  gboolean better = FALSE;

  if (n_tones == 0 || n_rows < 2 * n_tones || !isfinite (left))
    return FALSE;
  for (int turn = 0; turn < MAX_TURNS && moves > MIN_MOVE && damping < MIN_EXPLAINED; turn++)
    {
      double then;

      if (!find_next (tones, n_tones, rest, n_rows, damping, next, &moves))
        break;
      then = ifbam_take_off_tones (rows, n_rows, next, n_tones, rest);
      if (then < left)
        {
          memcpy (tones, next, n_tones * sizeof (IfbamTone));
          left = then;
          better = TRUE;
          damping *= 0.1;
        }
      else
        {
          ifbam_take_off_tones (rows, n_rows, tones, n_tones, rest);
          damping *= 10.0;
        }
    }
  return better;
}

/* ifbam-dispersion.c: correction of a mode's frequency and decay rate for the scheme's error
 *
 * In a course a mode is multiplied by z = exp ((-decay rate + 2 pi i frequency) step) in each step.
 * The network has m x'' + c x' + k x = 0, with h^2 = k/m step^2 and d = c/m step, and the scheme's
 * characteristic polynomial gives z. Inversely, z is known, and the real and the imaginary part of
 * the polynomial are two equations for h^2 and d. With them
 *
 *   q^2 + d q + h^2 = 0,   q = (-decay rate + 2 pi i frequency) step of the network itself.
 *
 * Modes of a damped network have complex shapes u; then m, c and k are u* M u, u* C u and u* K u,
 * also real. They belong to the shape under the scheme, so the correction is exact for real shapes
 * (no damping, or Rayleigh's); else its error is that of the shape times its imaginary part. A
 * Runge-Kutta scheme, implicit or not, has z = R(q) for any network (Hairer and Wanner 1996,
 * Solving Ordinary Differential Equations II, IV.2); there the correction is exact.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <complex.h>

#include "spectrum/ifbam-dispersion.h"
#include "base/fail.h"
#include "engine/engine.h"

#include <math.h>

/* Newton's method converges to the last bits; otherwise there is no such mode. */
#define ITERATIONS 20
#define CONVERGED  1e-10 /* last relative change */

/* sum_k c[k] x^k and its derivative */
static double complex
power_sum (const double *c, int n, double complex x, double complex *derivative)
{
  double complex sum = 0.0;

  *derivative = 0.0;
  for (int k = n - 1; k >= 0; k--)
    {
      *derivative = *derivative * x + sum;
      sum = sum * x + c[k];
    }
  return sum;
}

/* Solves R(q) = z by Newton's method, from q = ln z on. */
static gboolean
undo_runge_kutta (const IfbamScheme *scheme, double complex z, double complex *q)
{
  double complex change = 0.0;

  for (int i = 0; i < ITERATIONS; i++)
    {
      double complex value, slope, divisor = 1, its_slope = 0;

      value = power_sum (scheme->stability_function, G_N_ELEMENTS (scheme->stability_function), *q,
                         &slope);
      if (scheme->implicit != NULL)
        divisor = power_sum (scheme->stability_divisor, G_N_ELEMENTS (scheme->stability_divisor),
                             *q, &its_slope);
      change = (value - z * divisor) / (slope - z * its_slope);
      *q -= change;
    }
  return cabs (change) <= CONVERGED * cabs (*q);
}

/* Returns the polynomial at z, and its derivatives by h^2 and by d. */
static double complex
characteristic (const IfbamScheme *scheme, double complex z, double square, double d,
                double complex *by_square, double complex *by_d)
{
  double complex sum = 0.0, power = 1.0;

  *by_square = *by_d = 0.0;
  for (int j = 0; j <= IFBAM_MAX_DEGREE; j++, power *= z)
    {
      double complex slope;

      sum += power
             * power_sum (scheme->characteristic[j], G_N_ELEMENTS (scheme->characteristic[j]),
                          square, &slope);
      *by_square += power * slope;
      *by_d += power / z * scheme->damped[j];
    }
  return sum + d * *by_d;
}

/* Solves for the real numbers h^2 and d by Newton's method, from those of q = ln z on; if the
 * polynomial is linear in them, in one step. */
static gboolean
undo_characteristic (const IfbamScheme *scheme, double complex z, double complex *q)
{
  double square = creal (*q * conj (*q)), d = -2.0 * creal (*q);
  double change_square = 0.0, change_d = 0.0;

  for (int i = 0; i < ITERATIONS; i++)
    {
      double complex by_square, by_d;
      double complex value = characteristic (scheme, z, square, d, &by_square, &by_d);
      double determinant = cimag (conj (by_square) * by_d);

      change_square = cimag (conj (value) * by_d) / determinant;
      change_d = cimag (conj (by_square) * value) / determinant;
      square -= change_square;
      d -= change_d;
    }
  *q = -0.5 * d + sqrt (square - 0.25 * d * d) * I;
  return hypot (change_square, change_d) <= CONVERGED * square && isfinite (cimag (*q));
}

static gboolean
is_known (const double *coefficients, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (coefficients[i] != 0.0)
      return TRUE;
  return FALSE;
}

/**
 * ifbam_undo_dispersion:
 * @scheme: the name of the scheme that computed the course, such as "averaged"
 * @step: its step, not the interval between rows [s]
 * @frequency: of a mode in the course [Hz]
 * @decay_rate: of the mode's amplitude in the course [1/s]; negative if it grows
 * @corrected_frequency: (out): of the network's mode [Hz]
 * @corrected_decay_rate: (out): of the network's mode [1/s]
 * @error: return location for an error
 *
 * Computes the frequency and decay rate of a network's mode from those in its course. This holds
 * for free oscillations of linear networks: a driven line has the source's frequency, and overtones
 * of a nonlinear network are multiples of its lowest line.
 *
 * Returns: whether there is such a mode; if not, %IFBAM_ERROR_USAGE
 */
gboolean
ifbam_undo_dispersion (const char *scheme, double step, double frequency, double decay_rate,
                       double *corrected_frequency, double *corrected_decay_rate, GError **error)
{
  const IfbamScheme *known;
  double complex q;
  gboolean fine;

  g_return_val_if_fail (scheme != NULL, FALSE);
  g_return_val_if_fail (corrected_frequency != NULL && corrected_decay_rate != NULL, FALSE);
  known = ifbam_scheme_by_name (scheme);
  if (known == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "there is no scheme \"%s\"", scheme);
  q = (-decay_rate + 2.0 * G_PI * frequency * I) * step;
  fine = fabs (cimag (q)) < G_PI && cimag (q) > 0.0 && isfinite (creal (q));
  if (fine && is_known (known->stability_function, G_N_ELEMENTS (known->stability_function)))
    fine = undo_runge_kutta (known, cexp (q), &q);
  else if (fine && is_known (known->damped, G_N_ELEMENTS (known->damped)))
    fine = undo_characteristic (known, cexp (q), &q);
  else
    fine = FALSE;
  if (!fine)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "no mode of a network has this line under the scheme %s at this step",
                       scheme);
  *corrected_frequency = cimag (q) / (2.0 * G_PI * step);
  *corrected_decay_rate = -creal (q) / step;
  return TRUE;
}

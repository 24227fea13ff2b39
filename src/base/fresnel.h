/* fresnel.h: Fresnel's integrals, as the non-oscillating auxiliary functions; freestanding C
 *
 *   int from x to infinity of e^(i pi t^2/2) dt = e^(i pi x^2/2) (g (x) + i f (x))
 *
 * (Abramowitz & Stegun 1964, 7.3.5, 7.3.6, 7.3.9, 7.3.10) For x < 1.5 by the series of the integral
 * from 0, with terms (i pi x^2/2)^n x/(n! (2n + 1)), above by the continued fraction of e^(z^2)
 * erfc z, z = sqrt(pi)/2 (1 - i) x (7.1.14). The errors are a few units in the last place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/sine.h"

#define IFBAM_FRESNEL_NEAR  1.5
#define IFBAM_FRESNEL_TERMS 32 /* 3.54^32/32! is below 1e-17 */

/* half: 1/2; or 0 for the integral from x to 0, if the caller takes differences. */
IFBAM_INLINE_ONCE void
ifbam_fresnel_near (double x, double half, double *g, double *f)
{
  const double angle = 0.25 * IFBAM_TWO_PI * x * x; /* pi x^2/2 */
  double real = half, imaginary = half, term = x, sine, cosine;

  for (int n = 0; n < IFBAM_FRESNEL_TERMS; n++)
    {
      const double part = term / (2 * n + 1);

      /* i^n */
      if (n % 2 == 0)
        real -= n % 4 == 0 ? part : -part;
      else
        imaginary -= n % 4 == 1 ? part : -part;
      term *= angle / (n + 1);
    }
  ifbam_sine_cosine (0.25 * x * x, &sine, &cosine);
  *g = real * cosine + imaginary * sine;
  *f = imaginary * cosine - real * sine;
}

/* Requires x >= 0. */
IFBAM_INLINE_ONCE void
ifbam_fresnel (double x, double *g, double *f)
{
  const double own = 0.88622692545275801365 * x; /* sqrt(pi)/2 x: z = own (1 - i) */
  double real, imaginary, square;

  if (x < IFBAM_FRESNEL_NEAR)
    {
      ifbam_fresnel_near (x, 0.5, g, f);
      return;
    }
  /* z + (n/2)/(z + ((n + 1)/2)/(z + ...)), from the last term */
  real = own;
  imaginary = -own;
  for (int n = 12 + (int) (600 / (x * x)); n > 0; n--)
    {
      const double part = 0.5 * n / (real * real + imaginary * imaginary);

      real = own + part * real;
      imaginary = -own - part * imaginary;
    }
  /* (1 + i)/2 / (sqrt(pi) that) */
  square = 0.28209479177387814347 / (real * real + imaginary * imaginary); /* 1/(2 sqrt(pi)) */
  *g = square * (real + imaginary);
  *f = square * (real - imaginary);
}

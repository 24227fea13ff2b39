/* critical-step.c: the step at which the first mode of a linear damped network begins to grow
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/critical-step.h"

#include <math.h>
#include <string.h>

#include "linear/eigenvalues.h"
#include "linear/scheme-growth.h"

/* Growth per step by rounding of all eigenvalues. */
#define NOISE 1e-10
/* Growth per step by rounding of a single mode. */
#define ROUNDING 1e-13
/* Relative distance before the critical step at which all eigenvalues are computed. */
#define DISTANCE_BEFORE 1e-6
/* Relative distance of two steps for a finite difference. */
#define STEP_DIFFERENCE 1e-6
/* Relative difference up to which two computations of a factor agree. */
#define FACTOR_TOLERANCE 1e-6

typedef struct
{
  const IfbamCriticalStep *crossing;
  const IfbamScheme *scheme;
  double rate;
  gsize n;
  double complex *matrix, *x, *y;
  double *real; /* matrix in real arithmetic (n)(n) */
} Search;

/* Computes a, b and c at z, or their derivatives. */
static void
coefficients (const IfbamScheme *scheme, double complex z, gboolean derivative, double complex *c)
{
  c[0] = c[1] = c[2] = 0;
  for (int j = IFBAM_MAX_DEGREE; j >= 0; j--)
    {
      const double complex power = derivative ? j * cpow (z, j - 1) : cpow (z, j);

      c[0] += scheme->characteristic[j][0] * power;
      c[1] += scheme->characteristic[j][1] * power;
      c[2] += scheme->damped[j] * (derivative ? (j - 1) * cpow (z, j - 2) : cpow (z, j - 1));
    }
}

/* y = (c0 I + c1 step^2 K + c2 step C) x, with I without rigid motions. */
static void
multiply (const Search *search, const double complex *c, double step, const double complex *x,
          double complex *y)
{
  const IfbamCriticalStep *self = search->crossing;
  const gsize n = search->n;

  memset (y, 0, n * sizeof *y);
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      y[i] += (c[0] * self->identity[j * n + i] + c[1] * step * step * self->stiffness[j * n + i]
               + c[2] * step * self->damping[j * n + i])
              * x[j];
}

/* Solves P (z) x = 0 by Newton and inverse iteration (Ruhe 1973, SIAM J. Numer. Anal. 10). */
static gboolean
refine_eigenvalue (Search *search, double step, double complex *z)
{
  const IfbamCriticalStep *self = search->crossing;
  const gsize n = search->n;

  for (int iteration = 0; iteration < 30; iteration++)
    {
      double complex c[3], d[3], along = 0, change;
      double size = 0;

      coefficients (search->scheme, *z, FALSE, c);
      coefficients (search->scheme, *z, TRUE, d);
      multiply (search, d, step, search->x, search->y);
      for (gsize i = 0; i < n * n; i++)
        search->matrix[i] = c[0] * self->identity[i] + c[1] * step * step * self->stiffness[i]
                            + c[2] * step * self->damping[i];
      /* Rigid motions are excluded. */
      for (gsize j = 0; j < n; j++)
        for (gsize i = 0; i < n; i++)
          search->matrix[j * n + i] += (i == j) - self->identity[j * n + i];
      if (!ifbam_solve_complex (n, search->matrix, search->y))
        return iteration > 0;
      for (gsize i = 0; i < n; i++)
        {
          along += conj (search->x[i]) * search->y[i];
          size += creal (search->y[i] * conj (search->y[i]));
        }
      if (!(size > 0) || !isfinite (size) || along == 0)
        return FALSE;
      change = 1 / along;
      *z -= change;
      for (gsize i = 0; i < n; i++)
        search->x[i] = search->y[i] / sqrt (size);
      if (cabs (change) < 1e-13 * cabs (*z))
        return TRUE;
    }
  return FALSE;
}

static void
start_vector (Search *search)
{
  guint32 state = 1;
  double size = 0;

  for (gsize i = 0; i < search->n; i++)
    {
      state = (guint32) ((guint64) state * 48271 % 2147483647);
      search->x[i] = (double) state / 2147483647.0 - 0.5;
      size += creal (search->x[i]) * creal (search->x[i]);
    }
  for (gsize i = 0; i < search->n; i++)
    search->x[i] /= sqrt (size);
}

/* Follows the eigenvalue z from a step to the step where ln |z| = rate * step, by secants. */
static double
find_by_continuation (Search *search, double step, double complex *z)
{
  double before = step, value_before, rise = 0;

  start_vector (search);
  if (!refine_eigenvalue (search, step, z))
    return NAN;
  value_before = log (cabs (*z)) - search->rate * step;
  step *= value_before > 0 ? 0.999 : 1.001;
  for (int i = 0; i < 40; i++)
    {
      double value, next;

      if (!refine_eigenvalue (search, step, z))
        return NAN;
      value = log (cabs (*z)) - search->rate * step;
      if (fabs (step - before) > STEP_DIFFERENCE * step)
        rise = (value - value_before) / (step - before);
      /* A factor that does not change with the step has no critical step. */
      if (fabs (step - before) <= 1e-12 * step || value == 0)
        return rise * step > NOISE ? step : NAN;
      next = step - value * (step - before) / (value - value_before);
      before = step;
      value_before = value;
      step = fmax (0.7 * step, fmin (1.3 * step, next));
      if (!isfinite (step))
        return NAN;
    }
  return fabs (step - before) <= 1e-9 * step ? step : NAN;
}

/* TRUE if no real factor has passed -exp (rate step): P is definite there, as at short steps. */
static gboolean
is_definite (Search *search, double step)
{
  const IfbamCriticalStep *self = search->crossing;
  const gsize n = search->n;
  double complex c[3];
  double sign;

  coefficients (search->scheme, -exp (search->rate * step), FALSE, c);
  sign = copysign (1, creal (c[0]));
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      {
        const gsize at = j * n + i;

        search->real[at] = sign
                               * (creal (c[0]) * self->identity[at]
                                  + creal (c[1]) * step * step * self->stiffness[at]
                                  + creal (c[2]) * step * self->damping[at])
                           + (i == j) - self->identity[at];
      }
  return ifbam_is_positive_definite (n, search->real);
}

static double
find_at_minus_one (Search *search, double step)
{
  double good = step, bad = step;

  for (int i = 0; i < 200 && !is_definite (search, good); i++)
    good *= 0.9;
  for (int i = 0; i < 200 && is_definite (search, bad); i++)
    bad *= 1.1;
  if (!(good < bad) || !isfinite (bad))
    return NAN;
  while (bad - good > 1e-12 * good)
    {
      const double middle = 0.5 * (good + bad);

      if (middle <= good || middle >= bad)
        break;
      if (is_definite (search, middle))
        good = middle;
      else
        bad = middle;
    }
  return good;
}

/* Two factors that meet at -1 are no simple root, which the iteration needs. */
static gboolean
is_near_minus_one (double complex z)
{
  return creal (z) < 0 && fabs (cimag (z)) < 1e-3 * fabs (creal (z));
}

static double
find_critical_step (Search *search, double step, double complex *z)
{
  return is_near_minus_one (*z) ? find_at_minus_one (search, step)
                                : find_by_continuation (search, step, z);
}

/* Returns the least critical step of single modes; the fastest usually has the shortest. */
static double
guess (const Search *search, double complex *z)
{
  const IfbamCriticalStep *self = search->crossing;
  double step = INFINITY;

  for (gsize i = self->n_modes; i-- > 0;)
    {
      const double complex mode = self->mode[i];
      const double frequency = cimag (mode) != 0 ? cabs (mode) : 0;
      const double damping = cimag (mode) != 0 ? -2 * creal (mode) : -creal (mode);
      const double fast = fmax (frequency, damping);
      double good = 1e-6 / fast, bad;

      if (!(fast > 0) || damping < 0)
        continue;
      if (isfinite (step)
          && ifbam_scheme_growth_damped (search->scheme, frequency * step, damping * step, NULL)
                 <= search->rate * step + ROUNDING)
        continue;
      for (bad = isfinite (step) ? step : good;
           !isfinite (step)
           && ifbam_scheme_growth_damped (search->scheme, frequency * bad, damping * bad, NULL)
                  <= search->rate * bad + ROUNDING
           && bad * fast < 1e3;
           bad *= 1.2)
        good = bad;
      if (bad * fast >= 1e3)
        continue;
      for (int k = 0; k < 30; k++)
        {
          const double middle = 0.5 * (good + bad);

          if (ifbam_scheme_growth_damped (search->scheme, frequency * middle, damping * middle,
                                          NULL)
              <= search->rate * middle + ROUNDING)
            good = middle;
          else
            bad = middle;
        }
      step = bad;
      ifbam_scheme_growth_damped (search->scheme, frequency * step, damping * step, z);
    }
  return step;
}

/* TRUE if at a longer step with known factors only the followed one, z, grows. */
static gboolean
is_first_of_known (Search *search, double step, double complex z)
{
  const IfbamCriticalStep *self = search->crossing;
  const double complex *growing = NULL;

  if (self->known == NULL || !(self->known_step >= step))
    return FALSE;
  for (gsize k = 0; k < self->n_known; k++)
    if (log (cabs (self->known[k])) > search->rate * self->known_step + NOISE
        && cimag (self->known[k]) >= 0)
      {
        if (growing != NULL)
          return FALSE;
        growing = &self->known[k];
      }
  if (growing == NULL)
    return FALSE;
  if (is_near_minus_one (z))
    return creal (*growing) < 0 && cimag (*growing) == 0;
  return refine_eigenvalue (search, self->known_step, &z)
         && fmin (cabs (*growing - z), cabs (*growing - conj (z))) <= FACTOR_TOLERANCE * cabs (z);
}

double
ifbam_critical_step_find (const IfbamCriticalStep *self, const IfbamScheme *scheme, double rate)
{
  const gsize n = self->n;
  g_autofree double complex *matrix = g_new (double complex, n *n + 1);
  g_autofree double complex *x = g_new (double complex, 2 * n + 1);
  g_autofree double *real = g_new (double, n *n + 1);
  Search search = { .crossing = self,
                    .scheme = scheme,
                    .rate = rate,
                    .n = n,
                    .matrix = matrix,
                    .x = x,
                    .y = x + n,
                    .real = real };
  double complex z = 0;
  double step = guess (&search, &z);

  if (!isfinite (step))
    return NAN;
  step = find_critical_step (&search, step, &z);
  if (is_first_of_known (&search, step, z))
    return step;
  for (int i = 0; i < 10 && isfinite (step) && step > 0; i++)
    {
      const double before = (1 - DISTANCE_BEFORE) * step;
      gsize count, worst = 0;
      g_autofree double complex *value = self->multipliers (self->data, scheme, before, &count);

      if (value == NULL || count == 0)
        return NAN;
      for (gsize k = 1; k < count; k++)
        if (cabs (value[k]) > cabs (value[worst]))
          worst = k;
      if (log (cabs (value[worst])) <= rate * before + NOISE)
        return step;
      z = value[worst];
      step = find_critical_step (&search, before, &z);
      if (!(step < before))
        return NAN;
    }
  return NAN;
}

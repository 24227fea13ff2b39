/* scheme-growth.c: growth of a mode under a scheme, and the longest steps for given growth
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/scheme-growth.h"

#include <complex.h>
#include <float.h>
#include <math.h>

/* Roots are computed as w = z - 1: for a slow mode |z| - 1 is of the order h^4 or less, and lost in
 * z, but not in w. Long double helps for the same reason, where the machine has it. */
typedef complex long double Root;

static Root
polynomial (const long double *coefficient, int degree, Root w)
{
  Root sum = coefficient[degree];

  for (int j = degree - 1; j >= 0; j--)
    sum = sum * w + coefficient[j];
  return sum;
}

static long double
squared_modulus (Root w)
{
  return creall (w) * creall (w) + cimagl (w) * cimagl (w);
}

/* Computes all roots at once (Durand 1960, Kerner 1966); the degree is 2 or 3, and roots are simple
 * except for h = 0 and at limits of stability. */
static void
polynomial_roots (const long double *coefficient, int degree, Root *root)
{
  for (int j = 0; j < degree; j++)
    root[j] = cpowl (0.4L + 0.9L * I, j + 1);
  /* At double roots, an iteration only halves the error. */
  for (int iteration = 0; iteration < 100; iteration++)
    {
      const long double least = 4 * LDBL_EPSILON; /* relative change of a root */
      gboolean changes = FALSE;

      for (int j = 0; j < degree; j++)
        {
          Root others = coefficient[degree], correction;

          for (int k = 0; k < degree; k++)
            if (k != j)
              others *= root[j] - root[k];
          correction =
              polynomial (coefficient, degree, root[j]) * conjl (others) / squared_modulus (others);
          root[j] -= correction;
          changes |= !(squared_modulus (correction)
                       <= least * least * squared_modulus (root[j]) + LDBL_MIN);
        }
      if (!changes)
        break;
    }
}

/* Rewrites a polynomial of z as one of w = z - 1, exactly for small integers (degree). */
static void
shift (long double *coefficient, int degree)
{
  for (int first = 0; first < degree; first++)
    for (int j = degree - 1; j >= first; j--)
      coefficient[j] += coefficient[j + 1];
}

/* Computes the coefficients of w (IFBAM_MAX_DEGREE + 2) for h^2 and d. Those of each power of h,
 * and of d, are shifted separately, for exactness. Returns the degree. */
static int
shifted_coefficients (const IfbamScheme *scheme, long double square, long double d,
                      long double *coefficient)
{
  const int more = d != 0 && scheme->damped[0] != 0; /* times z */
  long double shifted[IFBAM_MAX_DEGREE + 2];
  int degree = IFBAM_MAX_DEGREE + more;

  for (int j = 0; j <= IFBAM_MAX_DEGREE + 1; j++)
    coefficient[j] = 0;
  for (int k = IFBAM_MAX_POWERS - 1; k >= 0; k--)
    {
      shifted[0] = shifted[IFBAM_MAX_DEGREE + 1] = 0;
      for (int j = 0; j <= IFBAM_MAX_DEGREE; j++)
        shifted[j + more] = scheme->characteristic[j][k];
      shift (shifted, degree);
      for (int j = 0; j <= degree; j++)
        coefficient[j] = coefficient[j] * square + shifted[j];
    }
  for (int j = 0; j <= IFBAM_MAX_DEGREE + 1; j++)
    shifted[j] = 0;
  for (int j = 1 - more; j <= IFBAM_MAX_DEGREE; j++)
    shifted[j - 1 + more] = scheme->damped[j];
  shift (shifted, degree);
  for (int j = 0; j <= degree; j++)
    coefficient[j] += d * shifted[j];
  while (coefficient[degree] == 0)
    degree--;
  return degree;
}

static Root
power_sum (const double *coefficient, const double *less, Root q)
{
  Root sum = 0;

  for (int k = IFBAM_MAX_STAGES; k >= 0; k--)
    sum = sum * q + ((long double) coefficient[k] - (less == NULL ? 0 : less[k]));
  return sum;
}

/* R (q) - 1 = (N (q) - D (q)) / D (q) */
static Root
rational_root (const IfbamScheme *scheme, Root q)
{
  return power_sum (scheme->stability_function, scheme->stability_divisor, q)
         / power_sum (scheme->stability_divisor, NULL, q);
}

static int
scheme_roots (const IfbamScheme *scheme, double h, Root *root)
{
  long double coefficient[IFBAM_MAX_DEGREE + 2];
  int degree;

  if (ifbam_scheme_tableau (scheme) != NULL)
    {
      root[0] = rational_root (scheme, I * (long double) h);
      root[1] = conjl (root[0]);
      return 2;
    }
  degree = shifted_coefficients (scheme, (long double) h * h, 0, coefficient);
  polynomial_roots (coefficient, degree, root);
  return degree;
}

/* ln |1 + w| */
static long double
log_modulus (Root w)
{
  return 0.5L * log1pl (2 * creall (w) + (creall (w) * creall (w) + cimagl (w) * cimagl (w)));
}

/* Returns 0 for a growth that is rounding of 2 Re w + |w|^2. */
static double
without_rounding (long double growth, double h)
{
  return fabsl (growth) < 64 * LDBL_EPSILON * fminl (1, (long double) h * h) ? 0.0
                                                                             : (double) growth;
}

double
ifbam_scheme_growth (const IfbamScheme *scheme, double h)
{
  Root root[IFBAM_MAX_DEGREE];
  long double largest = -INFINITY;
  int degree;

  if (h == 0)
    return 0;
  if (!isfinite (h)
      || (h >= 1e15 && scheme->implicit == NULL)) /* not reached by steps, or not finite */
    return INFINITY;
  degree = scheme_roots (scheme, h, root);
  for (int j = 0; j < degree; j++)
    largest = fmaxl (largest, log_modulus (root[j]));
  return without_rounding (largest, h);
}

/* Computes R (q) - 1 at the two q with q^2 + d q + h^2 = 0. */
static int
runge_kutta_roots (const IfbamScheme *scheme, double h, double d, Root *root)
{
  const Root spread = csqrtl ((long double) d * d - 4.0L * h * h);

  for (int i = 0; i < 2; i++)
    {
      const Root q = 0.5L * (-(long double) d + (2 * i - 1) * spread);

      root[i] = ifbam_scheme_tableau (scheme) != NULL
                    ? rational_root (scheme, q)
                    : power_sum (scheme->stability_function, NULL, q) - 1;
    }
  return 2;
}

/* Computes all z - 1. A coordinate without stiffness has z = 1 exactly; this root is divided out,
 * since another root may be so near that both would lose half of their digits. */
static int
damped_roots (const IfbamScheme *scheme, double h, double d, Root *root)
{
  long double coefficient[IFBAM_MAX_DEGREE + 2];
  int degree, still = 0;

  if (scheme->stability_function[0] != 0)
    return runge_kutta_roots (scheme, h, d, root);
  degree = shifted_coefficients (scheme, (long double) h * h, d, coefficient);
  while (still < degree && coefficient[still] == 0)
    root[still++] = 0;
  if (degree > still)
    polynomial_roots (coefficient + still, degree - still, root + still);
  return degree;
}

int
ifbam_scheme_roots (const IfbamScheme *scheme, double h, double d, double complex *root)
{
  Root roots[IFBAM_MAX_ROOTS];
  const int n = damped_roots (scheme, h, d, roots);

  for (int j = 0; j < n; j++)
    root[j] = (double complex) (1 + roots[j]);
  return n;
}

double
ifbam_scheme_growth_damped (const IfbamScheme *scheme, double h, double d, double complex *root)
{
  Root roots[IFBAM_MAX_ROOTS];
  int degree, worst = 0;

  if (!isfinite (h) || !isfinite (d) || (fmax (h, d) >= 1e15 && scheme->implicit == NULL))
    return INFINITY;
  degree = damped_roots (scheme, h, d, roots);
  for (int j = 1; j < degree; j++)
    if (log_modulus (roots[j]) > log_modulus (roots[worst]))
      worst = j;
  if (root != NULL)
    *root = (double complex) (1 + roots[worst]);
  return (double) log_modulus (roots[worst]);
}

/* v[i+1] = v[i-1] - 2 omega^2 step (x[i] + x[i-1])/2, x[i+1] = x[i] + step v[i+1], by the row half
 * a cycle before: (z+1) ((z-1)^2 + h^2 z) = 0; the root -1 is an offset of even and odd cycles. */
double
ifbam_scheme_growth_constrained (const IfbamScheme *scheme, double h)
{
  const long double coefficient[] = { 1, (long double) h * h - 2, 1 };
  long double largest = -INFINITY;
  Root root[2];

  if (!scheme->latency || h == 0 || !(h < 1e15))
    return ifbam_scheme_growth (scheme, h);
  polynomial_roots (coefficient, 2, root);
  for (int j = 0; j < 2; j++)
    largest = fmaxl (largest, logl (cabsl (root[j])));
  return without_rounding (largest, h);
}

double
ifbam_scheme_mode (const IfbamScheme *scheme, double h, double *growth)
{
  Root root[IFBAM_MAX_DEGREE], principal;
  const Root exact = cexpl (I * (long double) h) - 1;
  const int degree = scheme_roots (scheme, h, root);

  principal = root[0];
  for (int j = 1; j < degree; j++)
    if (cabsl (root[j] - exact) < cabsl (principal - exact))
      principal = root[j];
  if (growth != NULL)
    *growth = without_rounding (log_modulus (principal), h);
  return fabs ((double) cargl (1 + principal));
}

double complex
ifbam_scheme_factor (const IfbamScheme *scheme, double complex q)
{
  const Root exact = q;

  return ifbam_scheme_tableau (scheme) != NULL
             ? (double complex) (1 + rational_root (scheme, exact))
             : (double complex) power_sum (scheme->stability_function, NULL, exact);
}

/* A larger stable range is taken as infinite. */
#define ENDLESS 64

/* Searches upwards in steps of h shorter than any scheme's stable range. `visible` exceeds the
 * rounding at a double root (where two roots meet at -1). */
double
ifbam_scheme_limit (const IfbamScheme *scheme)
{
  const double least = 1.0 / 64, visible = 1e-12;
  double good, bad;

  for (good = 0; ifbam_scheme_growth (scheme, good + least) <= (good == 0 ? 0 : visible);)
    {
      good += least;
      if (good >= ENDLESS)
        return INFINITY;
    }
  if (good == 0)
    return 0;
  bad = good + least;
  for (int i = 0; i < 40; i++)
    {
      const double h = 0.5 * (good + bad);

      if (ifbam_scheme_growth (scheme, h) <= visible)
        good = h;
      else
        bad = h;
    }
  return good;
}

double
ifbam_scheme_longest_step (const IfbamScheme *scheme, double omega, double duration,
                           double tolerance)
{
  double good = 0, bad = 4 / omega;

  if (omega == 0 || scheme->implicit != NULL)
    return INFINITY;
  for (int i = 0; i < 60; i++)
    {
      double step = 0.5 * (good + bad);
      double growth = ifbam_scheme_growth (scheme, omega * step);

      if (growth * (duration / step) < tolerance)
        good = step;
      else
        bad = step;
    }
  return good;
}

/* Returns the error estimate of the embedded weights for one step of y' = i y of length z from y =
 * 1; for implicit schemes filtered (Hosea & Shampine 1996), as in a run. */
static double
estimated_error (const IfbamTableau *table, double z)
{
  double complex rate[IFBAM_MAX_ROWS], error = 0;
  const double diagonal = table->row[table->n_rows - 1][table->n_rows - 1];

  for (guint s = 0; s < table->n_rows; s++)
    {
      double complex y = 1;

      for (guint j = 0; j < s; j++)
        y += table->row[s][j] * rate[j];
      rate[s] = I * z * y / (1 - I * z * table->row[s][s]);
      error += (table->weight[s] - table->embedded[s]) * rate[s];
    }
  return cabs (error / (1 - I * z * diagonal));
}

double
ifbam_scheme_adaptive_step (const IfbamScheme *scheme, double omega, double tolerance)
{
  const IfbamTableau *table = ifbam_scheme_tableau (scheme);
  double good = 0, bad = 1;

  if (omega == 0)
    return INFINITY;
  /* A run compares position errors with the distance moved in the step (step-size-control.c). */
  for (int i = 0; i < 60; i++)
    {
      const double z = 0.5 * (good + bad);

      if (estimated_error (table, z) <= tolerance * z)
        good = z;
      else
        bad = z;
    }
  return good / omega;
}

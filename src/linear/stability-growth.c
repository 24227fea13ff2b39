/* stability-growth.c: factors of modes per step of a scheme, and the worst growth
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability-growth.h"

#include <math.h>
#include <string.h>

#include "linear/eigenvalues.h"
#include "linear/scheme-growth.h"

/* Growth per step by rounding. */
#define NOISE           1e-12
#define NONLINEAR_NOISE 1e-11
/* Largest distance from 1 of the multiplier of a neutral coordinate. */
#define NEUTRAL 1e-6

double
ifbam_stability_noise (const IfbamStability *self)
{
  return self->linearization->n_nonlinear > 0 ? NONLINEAR_NOISE : NOISE;
}

/* Computes multipliers of a linear network from the scheme's polynomial, with M^-1 K step^2 and
 * M^-1 C step in place of h^2 and d, by its companion matrix (Gohberg, Lancaster & Rodman 1982,
 * Matrix Polynomials). It is much smaller than the state. Bodies give z^degree = 0. */
static double complex *
multipliers_by_matrix (const IfbamStability *self, const IfbamScheme *scheme, double step, gsize *n)
{
  const gsize nodes = self->n;
  const double *turning = self->mechanism != NULL ? self->mechanism->turning : NULL;
  const guint shift = scheme->damped[0] != 0; /* times z */
  guint degree = IFBAM_MAX_DEGREE;
  gsize size;
  const double *identity = self->identity;
  g_autofree double *matrix = NULL;
  g_autofree double complex *value = NULL;

  while (scheme->characteristic[degree][0] == 0)
    degree--;
  degree += shift;
  size = *n = degree * nodes;
  matrix = g_new0 (double, size *size + 1);
  value = g_new (double complex, size + 1);
  for (guint k = 0; k < degree; k++)
    {
      const double *undamped = k < shift ? NULL : scheme->characteristic[k - shift];
      const guint power = k + 1 - shift; /* d sum z^(j-1) damped[j] */
      const double own = undamped != NULL ? undamped[0] : 0;
      const double stiff = (undamped != NULL ? undamped[1] : 0) * step * step;
      const double damped = power <= IFBAM_MAX_DEGREE ? scheme->damped[power] * step : 0;
      /* Reactions have no latency: they act along the rows half a cycle before, h^2 (z^2 + z)/2 for
       * each half of a cycle of two steps. */
      const double middle = k - shift == 1 || k - shift == 2 ? step * step : 0;

      for (gsize j = 0; j < nodes; j++)
        for (gsize i = 0; i < nodes; i++)
          matrix[(k * nodes + j) * size + (degree - 1) * nodes + i] =
              -(own * identity[j * nodes + i] + stiff * self->stiffness_matrix[j * nodes + i]
                + damped * self->damping_matrix[j * nodes + i]
                + (turning != NULL && scheme->latency ? (middle - stiff) * turning[j * nodes + i]
                                                      : 0));
    }
  for (gsize i = 0; i + nodes < size; i++)
    matrix[(i + nodes) * size + i] = 1;
  for (gsize i = 0; i < size * size; i++)
    if (!isfinite (matrix[i]))
      return NULL;
  if (!ifbam_eigenvalues_general (size, matrix, value))
    return NULL;
  ifbam_eigenvalues_sort (size, value);
  *n = size - degree * self->n_bodies;
  memmove (value, value + degree * self->n_bodies, *n * sizeof *value);
  return g_steal_pointer (&value);
}

/* Computes multipliers of a linear network under a Runge-Kutta scheme: R (lambda step). */
static double complex *
multipliers_by_modes (const IfbamStability *self, const IfbamScheme *scheme, double step, gsize *n)
{
  double complex *value = g_new (double complex, 2 * self->n_modes + 1);

  *n = 0;
  for (gsize i = 0; i < self->n_modes; i++)
    {
      const double complex factor = ifbam_scheme_factor (scheme, self->mode[i] * step);

      value[(*n)++] = factor;
      value[(*n)++] = conj (factor);
    }
  return value;
}

/* Returns multipliers but the 1 of neutral coordinates. unsolved: NULL as a step failed. */
static double complex *
find_multipliers (const IfbamStability *self, const IfbamScheme *scheme, double step, gsize *n,
                  gboolean *unsolved)
{
  const gboolean linear = ifbam_stability_has_matrix_polynomial (self);
  g_autoptr (IfbamStepMap) map = NULL;
  double complex *value;

  *unsolved = FALSE;
  if ((linear || self->linearization->n_nonlinear == 0) && self->mode != NULL
      && scheme->stability_function[0] != 0)
    return multipliers_by_modes (self, scheme, step, n);
  if ((self->mechanism != NULL || self->is_state) && scheme->stability_function[0] != 0)
    return NULL;
  if (!linear || scheme->stability_function[0] != 0)
    map = ifbam_step_map_new (self->linearization, self->bodies, scheme, step);
  value = map != NULL ? ifbam_step_map_multipliers (map, n)
                      : multipliers_by_matrix (self, scheme, step, n);
  *unsolved = map != NULL && ifbam_step_map_has_failed (map);
  for (gsize i = 0;
       i < self->n_neutral + ifbam_stability_n_followers (self) && value != NULL && *n > 0; i++)
    {
      gsize nearest = 0;

      for (gsize j = 1; j < *n; j++)
        if (cabs (value[j] - 1) < cabs (value[nearest] - 1))
          nearest = j;
      /* The state of a node that only follows a motion is constant; others relax. */
      if (i < self->n_neutral || cabs (value[nearest] - 1) < NEUTRAL)
        value[nearest] = value[--*n];
    }
  return value;
}

double complex *
ifbam_stability_multipliers (const IfbamStability *self, const IfbamScheme *scheme, double step,
                             gsize *n)
{
  IfbamMultipliers *last = self->last;

  if (!ifbam_stability_can_run (self, scheme))
    return NULL;
  if (last->scheme != scheme || last->step != step)
    {
      g_free (last->value);
      last->value = find_multipliers (self, scheme, step, &last->n, &last->unsolved);
      last->scheme = scheme;
      last->step = step;
    }
  *n = last->n;
  return last->value == NULL ? NULL : g_memdup2 (last->value, (last->n + 1) * sizeof *last->value);
}

static double
worst_of (const IfbamStability *self, const double complex *value, gsize n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, cabs (value[i]));
  /* Growth below the noise is rounding. */
  return fabs (log (largest)) <= ifbam_stability_noise (self) ? 0 : log (largest);
}

typedef struct
{
  IfbamStepMap *map;
  guint steps;
  gboolean finite;
} Power;

static void
multiply_power (gpointer data, const double *x, double *y)
{
  Power *power = data;
  const gsize n = ifbam_step_map_size (power->map);

  ifbam_step_map_apply (power->map, power->steps, x, y);
  for (gsize i = 0; i < n; i++)
    if (!isfinite (y[i]))
      {
        power->finite = FALSE;
        y[i] = 0;
      }
}

/* Returns the work of a step, in steps of a node or link. */
static double
step_work (const IfbamStability *self, const IfbamScheme *scheme)
{
  return (double) (self->model->n_free + self->model->n_links) * scheme->n_stages
         * (self->linearization->n_nonlinear > 0 ? 4 : 1);
}

/* Computes multipliers of the largest modulus from powers of the map. Slow modes with little decay,
 * or fast modes at the end of a chain's band, are so close that only high powers separate them;
 * powers keep the order of moduli. If two are not separated, the modulus of either is accurate. */
static gboolean
worst_by_arnoldi (const IfbamStability *self, const IfbamScheme *scheme, IfbamStepMap *map,
                  guint max_steps, double *worst)
{
  const double work = step_work (self, scheme);
  double left = self->limits->steps;

  for (guint steps = 1; steps <= max_steps; steps *= 64)
    {
      Power power = { map, steps, TRUE };
      const guint products = (guint) fmin (self->limits->arnoldi_products, left / (work * steps));
      double complex value[4];
      gsize n, kept = 0;

      if (products < 80)
        return FALSE;
      left -= work * steps * products;
      n = ifbam_eigenvalues_largest (ifbam_step_map_size (map), multiply_power, &power, 4, 1e-6,
                                     products, value);
      if (!power.finite)
        return FALSE;
      for (gsize i = 0; i < n; i++)
        if (!(self->n_neutral + self->model->n_state_nodes > 0 && cabs (value[i] - 1) < 1e-7))
          value[kept++] = value[i];
      /* A factor near 1 has too few digits; a higher power is used. */
      if (kept == 0 || fabs (log (cabs (value[0]))) < 1e-2)
        continue;
      *worst = worst_of (self, value, kept) / steps;
      return TRUE;
    }
  return FALSE;
}

/* Estimates the worst mode's growth from a deviation's energy in the second half of many steps. */
static double
worst_by_power (const IfbamStability *self, const IfbamScheme *scheme, IfbamStepMap *map,
                gboolean sign)
{
  /* Slow decay takes long to dominate. */
  const guint block = 64, most = sign ? 64 : 16384;
  const gsize n = ifbam_step_map_size (map);
  const guint blocks =
      (guint) fmax (4, fmin (most, self->limits->power_steps / (step_work (self, scheme) * block)));
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);
  guint32 state = 1;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      state = (guint32) ((guint64) state * 48271 % 2147483647);
      x[i] = (double) state / 2147483647.0 - 0.5;
    }
  for (guint b = 0; b < blocks; b++)
    {
      const double before = ifbam_step_map_energy (map, x);
      double after;

      ifbam_step_map_apply (map, block, x, y);
      after = ifbam_step_map_energy (map, y);
      if (!isfinite (after))
        return INFINITY;
      if (after == 0 || before == 0)
        return -INFINITY;
      if (b >= blocks / 2)
        sum += 0.5 * log (after / before);
      for (gsize i = 0; i < n; i++)
        x[i] = y[i] / sqrt (after);
    }
  return sum / (block * (blocks - blocks / 2));
}

/* TRUE if the map is too large for a dense matrix. */
static gboolean
is_large (const IfbamStability *self)
{
  return self->method == IFBAM_STABILITY_ARNOLDI || self->method == IFBAM_STABILITY_POWER;
}

double
ifbam_stability_worst (const IfbamStability *self, const IfbamScheme *scheme, double step,
                       gboolean sign, IfbamCertainty *certainty)
{
  g_autofree double complex *value = NULL;
  gsize n;

  *certainty = IFBAM_CERTAIN;
  if (!ifbam_stability_can_run (self, scheme))
    return NAN;
  /* In such a short step the change is rounding. */
  if (step * fmax (self->bound, self->damping) < NOISE)
    return self->bound > 0 || self->damping > 0 ? 0 : NAN;
  /* All implicit schemes are A-stable. */
  if (scheme->implicit != NULL && is_large (self) && !(self->least_decay < -IFBAM_UNDAMPED))
    {
      *certainty = IFBAM_AT_MOST;
      return 0;
    }
  if (is_large (self))
    {
      g_autoptr (IfbamStepMap) map =
          ifbam_step_map_new (self->linearization, self->bodies, scheme, step);
      double worst = NAN;

      if (!ifbam_step_map_has_failed (map)
          && !(self->method == IFBAM_STABILITY_ARNOLDI
               && worst_by_arnoldi (self, scheme, map, sign ? 64 : 4096, &worst)))
        {
          *certainty = IFBAM_ABOUT;
          worst = worst_by_power (self, scheme, map, sign);
        }
      if (!ifbam_step_map_has_failed (map))
        return worst;
      *certainty = IFBAM_UNSOLVED;
      return NAN;
    }
  value = ifbam_stability_multipliers (self, scheme, step, &n);
  if (value == NULL && self->last->unsolved)
    {
      *certainty = IFBAM_UNSOLVED;
      return NAN;
    }
  if (value == NULL) /* overflow */
    return INFINITY;
  return n == 0 ? NAN : worst_of (self, value, n);
}

static IfbamGrowth
growth_by_polynomial (const IfbamStability *self, const IfbamScheme *scheme, double step)
{
  IfbamGrowth growth = { .rate = NAN };

  if (self->fastest == 0)
    return growth;
  growth.rate = ifbam_scheme_growth (scheme, self->fastest * step) / step;
  growth.certainty = self->fastest_is_bound ? IFBAM_AT_MOST : IFBAM_CERTAIN;
  for (gsize i = 0; i < self->n_modes; i++)
    growth.rate =
        fmax (growth.rate, ifbam_scheme_growth (scheme, cabs (self->mode[i]) * step) / step);
  /* The slowest mode may decay less. */
  if (self->mode == NULL && growth.rate < 0)
    growth = (IfbamGrowth){ 0, IFBAM_AT_MOST };
  return growth;
}

IfbamGrowth
ifbam_stability_growth (const IfbamStability *self, const IfbamScheme *scheme, double step)
{
  IfbamGrowth growth;

  if (self->method == IFBAM_STABILITY_POLYNOMIAL)
    return growth_by_polynomial (self, scheme, step);
  growth.rate = ifbam_stability_worst (self, scheme, step, FALSE, &growth.certainty) / step;
  return growth;
}

double complex
ifbam_stability_nearest (const double complex *value, gsize n, double step, double complex mode)
{
  const double complex exact = cexp (mode * step);
  double complex nearest = value[0];

  for (gsize i = 1; i < n; i++)
    if (cabs (value[i] - exact) < cabs (nearest - exact))
      nearest = value[i];
  return clog (nearest) / step;
}

double complex
ifbam_stability_seen (const IfbamStability *self, const IfbamScheme *scheme, double step,
                      double complex mode)
{
  double growth, angle;

  if (self->method == IFBAM_STABILITY_MAP)
    {
      gsize n;
      g_autofree double complex *value = ifbam_stability_multipliers (self, scheme, step, &n);

      return value != NULL && n > 0 ? ifbam_stability_nearest (value, n, step, mode)
                                    : ifbam_complex (NAN, NAN);
    }
  angle = ifbam_scheme_mode (scheme, cabs (mode) * step, &growth);
  return ifbam_complex (creal (mode) + growth / step, angle / step);
}

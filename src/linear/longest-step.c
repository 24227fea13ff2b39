/* longest-step.c: steps up to which no mode grows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/longest-step.h"

#include <math.h>

#include "linear/critical-step.h"
#include "linear/eigenvalues.h"
#include "linear/scheme-growth.h"
#include "linear/stability-growth.h"

/* If growth begins at a step, it is more than this multiple of the rounding at twice the step. */
#define VISIBLE 1e3
/* Fraction of a step at which its growth can't be seen any more. */
#define SHORTER_RATIO 0.01
/* Growth that overflows, or is not found. */
#define MAX_EXCESS 1e3

/* Returns the growth beyond the rate, per step: positive if the step is too long. */
static double
excess (const IfbamStability *self, const IfbamScheme *scheme, double rate, double step)
{
  IfbamCertainty certainty;
  const double worst = ifbam_stability_worst (self, scheme, step, TRUE, &certainty);

  return certainty == IFBAM_UNSOLVED ? MAX_EXCESS
         : isnan (worst)             ? -1
                         : fmax (-MAX_EXCESS, fmin (MAX_EXCESS + rate * step, worst)) - rate * step;
}

/* Finds a root between good (value <= 0) and bad, approached from the good side: Oliveira &
 * Takahashi 2021, "ITP", ACM Trans. Math. Softw. 47 (1). */
static double
find_root (const IfbamStability *self, const IfbamScheme *scheme, double rate, double good,
           double bad, double bad_value)
{
  const double tolerance = (self->method == IFBAM_STABILITY_ARNOLDI ? 1e-3 : 1e-9) * good;
  const double width = bad - good;
  const int halvings = (int) ceil (log2 (width / (2 * tolerance))) + 1;
  double good_value = excess (self, scheme, rate, good);

  for (int i = 0; bad - good > 2 * tolerance && i < 100; i++)
    {
      const double middle = 0.5 * (good + bad);
      const double radius = tolerance * exp2 (halvings - i) - 0.5 * (bad - good);
      const double nudge = 0.2 / width * (bad - good) * (bad - good);
      double x = (bad_value * good - good_value * bad) / (bad_value - good_value), value;

      /* towards the middle, by at most nudge */
      x = fabs (middle - x) <= nudge ? middle : x + copysign (nudge, middle - x);
      if (fabs (x - middle) > radius)
        x = middle - copysign (fmax (0, radius), middle - x);
      value = excess (self, scheme, rate, x);
      if (value > 0)
        {
          bad = x;
          bad_value = value;
        }
      else
        {
          good = x;
          good_value = value;
        }
    }
  return good;
}

static double complex *
all_multipliers (gconstpointer data, const IfbamScheme *scheme, double step, gsize *n)
{
  return ifbam_stability_multipliers (data, scheme, step, n);
}

/* TRUE if latency affects forces, but not the reactions that restore the motion. */
static gboolean
oscillates_by_reactions (const IfbamStability *self, const IfbamScheme *scheme)
{
  return scheme->latency && self->mechanism != NULL && self->mechanism->turning != NULL;
}

/* TRUE if there is growth at every step, hidden by rounding at short ones: no decay below the step,
 * and growth by a power of the step. A step with unknown growth counts as one. */
static gboolean
is_lost_in_rounding (const IfbamStability *self, const IfbamScheme *scheme, double rate,
                     double step)
{
  double twice;

  if (excess (self, scheme, rate, step / 2) < 0)
    return FALSE;
  twice = excess (self, scheme, rate, 2 * step);
  return twice < VISIBLE * ifbam_stability_noise (self) || twice >= MAX_EXCESS;
}

/* TRUE if the symmetric part of C is positive definite, but for rounding. */
static gboolean
is_damped (const IfbamStability *self)
{
  const gsize n = self->n;
  g_autofree double *matrix = g_new (double, n *n + 1);
  double most = 0;

  if (self->damping_matrix == NULL)
    return self->own_growth == 0;
  for (gsize i = 0; i < n * n; i++)
    most = fmax (most, fabs (self->damping_matrix[i]));
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      matrix[j * n + i] = 0.5 * (self->damping_matrix[j * n + i] + self->damping_matrix[i * n + j])
                          + (i == j ? 1e-12 * n * most : 0);
  return most == 0 || ifbam_is_positive_definite (n, matrix);
}

/* Returns a step at which growth exceeds the rate. */
static double
crossing_by_map (const IfbamStability *self, const IfbamScheme *scheme, double rate)
{
  const double limit = ifbam_scheme_limit (scheme);
  /* growth at every step exceeds rounding from some step on */
  const double least = self->method == IFBAM_STABILITY_ARNOLDI ? 1e-4 : 1e-7;
  double step = fmin (self->bound > 0 ? (limit > 0 ? limit : 1) / self->bound : INFINITY,
                      self->damping > 0 ? 1 / self->damping : INFINITY);
  const double first = step;
  double value;

  if (!isfinite (step) || (scheme->implicit != NULL && !(self->least_decay < -IFBAM_UNDAMPED)))
    return INFINITY;
  if (self->least_decay < -IFBAM_UNDAMPED && rate == 0)
    return 0; /* the network's own growth */
  if (self->least_decay < IFBAM_UNDAMPED && limit == 0 && rate == 0
      && !oscillates_by_reactions (self, scheme))
    return 0;
  if (ifbam_stability_has_matrix_polynomial (self) && scheme->stability_function[0] == 0
      && self->mode != NULL && !oscillates_by_reactions (self, scheme))
    {
      const IfbamMultipliers *last = self->last;
      const IfbamCriticalStep crossing = { .n = self->n,
                                           .stiffness = self->stiffness_matrix,
                                           .damping = self->damping_matrix,
                                           .identity = self->identity,
                                           .mode = self->mode,
                                           .n_modes = self->n_modes,
                                           .multipliers = all_multipliers,
                                           .data = self,
                                           .known = last->scheme == scheme ? last->value : NULL,
                                           .n_known = last->n,
                                           .known_step = last->step };
      const double found = ifbam_critical_step_find (&crossing, scheme, rate);

      if (!isnan (found))
        return found;
    }
  value = excess (self, scheme, rate, step);
  if (value > 0)
    {
      double bad = step, bad_value = value;

      for (;;)
        {
          step *= 0.5;
          if (step < least * first)
            return 0;
          value = excess (self, scheme, rate, step);
          if (value <= 0)
            {
              step = find_root (self, scheme, rate, step, bad, bad_value);
              return is_lost_in_rounding (self, scheme, rate, step) ? 0 : step;
            }
          bad = step;
          bad_value = value;
        }
    }
  for (int i = 0; i < 40; i++)
    {
      value = excess (self, scheme, rate, 2 * step);
      if (value > 0)
        return find_root (self, scheme, rate, step, 2 * step, value);
      step *= 2;
    }
  return INFINITY;
}

/* Negative damping may also drive spurious factors, faster at shorter steps: then returns 0. */
static double
longest_by_map (const IfbamStability *self, const IfbamScheme *scheme, double rate)
{
  const double step = crossing_by_map (self, scheme, rate);

  if (!(step > 0 && isfinite (step)) || is_damped (self))
    return step;
  return excess (self, scheme, rate, SHORTER_RATIO * step) <= 0 ? step : 0;
}

/* TRUE if the longest step is found from the map. */
static gboolean
uses_map (const IfbamStability *self)
{
  return self->method == IFBAM_STABILITY_MAP
         || (self->method == IFBAM_STABILITY_ARNOLDI && !self->quick);
}

gboolean
ifbam_stability_has_steps (const IfbamStability *self)
{
  return uses_map (self) || (self->damping == 0 && !self->fastest_is_bound);
}

double
ifbam_stability_longest_step (const IfbamStability *self, const IfbamScheme *scheme, double rate)
{
  const double fastest = self->fastest;
  double step;

  if (!ifbam_stability_can_run (self, scheme))
    return NAN;
  if (uses_map (self))
    return longest_by_map (self, scheme, rate);
  /* Stabilisation by dampers of schemes that otherwise grow at every step is not examined. */
  if (rate == 0 && ifbam_scheme_limit (scheme) == 0 && self->has_damping)
    return NAN;
  if (rate > 0)
    step = ifbam_scheme_longest_step (scheme, fastest, 1, rate);
  else
    step = fastest > 0 ? ifbam_scheme_limit (scheme) / fastest : INFINITY;
  /* Explicit schemes are stable up to step * damping of 0.3 (averaged) to 2.8 (rk4). */
  return self->damping > 0 ? fmin (step, 0.25 / self->damping) : step;
}

double
ifbam_stability_critical_step (const IfbamStability *self, const IfbamScheme *scheme)
{
  return ifbam_stability_longest_step (self, scheme, 0);
}

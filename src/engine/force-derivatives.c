/* force-derivatives.c: derivatives of a link's force by compression and rate
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/force-derivatives.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Differences are taken over at least this much to either side [m, m/s]. */
#define MIN_REACH 1e-3
/* Reach of the second difference, to detect linear laws, as a fraction of the first one's. */
#define NARROW (1.0 / 64)
/* Halved-twice reaches of the extrapolation: down to 4^-13 of the first. */
#define LEVELS 14
#define FACTOR 4.0
/* Orders of the extrapolation: higher ones only add rounding. */
#define ORDERS 6
/* Relative uncertainty of a force. */
#define ROUNDING (8 * DBL_EPSILON)

/* Derivatives */

/* A law in a mode at a state, and the coordinate that is varied. */
typedef struct
{
  const IfbamLaw *law;
  const void *parameters;
  int mode;
  double delta, rate, force; /* at the state */
  gboolean along_rate;       /* the rate is varied, else the compression */
  double reach;              /* by how much */
} Variation;

/* A central difference of the force. */
typedef struct
{
  double slope;
  double noise; /* its uncertainty */
  double bend;  /* slope above the state minus slope below it */
} Difference;

/* The larger, without a call. */
static inline double
max_of (double a, double b)
{
  return a > b ? a : b;
}

static inline double
magnitude (double number)
{
  return number < 0 ? -number : number;
}

/* Returns the force with the varied coordinate at a value. */
static double
force_at (const Variation *at, double value)
{
  return at->along_rate ? at->law->force (at->parameters, at->mode, at->delta, value)
                        : at->law->force (at->parameters, at->mode, value, at->rate);
}

/* Takes a difference over a fraction of the reach. */
static Difference
set_difference (const Variation *at, double fraction)
{
  const double here = at->along_rate ? at->rate : at->delta;
  const double above = here + fraction * at->reach, below = here - fraction * at->reach;
  const double force_above = force_at (at, above), force_below = force_at (at, below);
  const double up = above - here, down = here - below;
  const double most =
      max_of (max_of (magnitude (force_above), magnitude (force_below)), magnitude (at->force));

  return (Difference){ .slope = (force_above - force_below) / (above - below),
                       .noise = ROUNDING * most / (up < down ? up : down),
                       .bend = (force_above - at->force) / up - (at->force - force_below) / down };
}

/* Returns a power of two above a number. With it as reach the difference of a linear law is as
 * exact as its force. (frexp and ldexp would be calls.) */
static inline double
reach_of (double number)
{
  union
  {
    double number;
    guint64 bits;
  } size = { max_of (magnitude (number), MIN_REACH) };

  size.bits =
      (size.bits + (G_GUINT64_CONSTANT (1) << 52)) & G_GUINT64_CONSTANT (0x7ff0000000000000);
  return size.number;
}

/* Returns the derivative from differences over shrinking reaches (Richardson 1911; as a table with
 * error estimates, Ridders 1982): the entry nearest to its predecessors. Sets KINKED. */
static double
extrapolate (const Variation *at, guint8 *nonlinear)
{
  double table[ORDERS], error = INFINITY, best = NAN, bend = 0.0, fraction = 1.0;
  Difference difference = { .bend = 0.0 };

  for (int level = 0; level < LEVELS; level++, fraction /= FACTOR)
    {
      double now, power = 1.0;

      bend = difference.bend;
      difference = set_difference (at, fraction);
      now = difference.slope;
      for (int order = 0; order < ORDERS && order <= level; order++)
        {
          const double before = table[order];

          table[order] = now;
          if (order < level)
            {
              double next, off;

              power *= FACTOR * FACTOR;
              next = now + (now - before) / (power - 1.0);
              off = max_of (magnitude (next - now), magnitude (next - before)) + difference.noise;
              if (off < error)
                {
                  error = off;
                  best = next;
                }
              now = next;
            }
        }
    }
  /* A smooth law's slopes on both sides become equal as the reach shrinks. */
  if (magnitude (difference.bend) > 0.5 * magnitude (bend)
      && magnitude (difference.bend) > 1e-3 * magnitude (difference.slope) + 8 * difference.noise)
    *nonlinear |= IFBAM_KINKED;
  /* A derivative below its own error is 0: |v| v at rest. */
  return magnitude (best) <= error ? 0.0 : best;
}

/* Returns dF/ddelta or dF/drate. A law is linear if its differences over two reaches and on both
 * sides are equal; else sets bits of nonlinear. */
static double
differentiate (Variation *at, gboolean along_rate, guint8 *nonlinear)
{
  Difference wide, narrow;

  at->along_rate = along_rate;
  at->reach = reach_of (along_rate ? at->rate : at->delta);
  wide = set_difference (at, 1.0);
  narrow = set_difference (at, NARROW);
  if (magnitude (wide.slope - narrow.slope) <= wide.noise + narrow.noise
      && magnitude (wide.bend) <= 2 * wide.noise && magnitude (narrow.bend) <= 2 * narrow.noise)
    return wide.slope;
  *nonlinear |= IFBAM_NONLINEAR;
  return extrapolate (at, nonlinear);
}

/* A law that is linear in each coordinate may contain their product. */
static gboolean
has_product (const Variation *at, const IfbamForceDerivatives *found)
{
  const double x = at->delta + reach_of (at->delta), v = at->rate + reach_of (at->rate);
  const double force = at->law->force (at->parameters, at->mode, x, v);
  const double part = found->stiffness * (x - at->delta);
  const double other = found->damping * (v - at->rate);
  const double most = max_of (max_of (magnitude (part), magnitude (other)),
                              max_of (magnitude (force), magnitude (found->force)));

  return !(magnitude (force - (found->force + part + other)) <= 4 * ROUNDING * most);
}

/* Differences along an internal state are taken over such a fraction of it [1]. */
#define STATE_REACH 0x1p-13

/* States follow a motion: returns dF/dstate dstate'/drate, by differences. parameters: of the law,
 * with its states, which are restored. */
static double
state_stiffness (const IfbamLaw *law, double *parameters, int mode, double delta, double rate)
{
  const double reach = rate != 0 ? STATE_REACH * magnitude (rate) : MIN_REACH;
  double above[IFBAM_MAX_STATES], below[IFBAM_MAX_STATES], sum = 0;

  law->state_rates (parameters, mode, delta, rate + reach, above);
  law->state_rates (parameters, mode, delta, rate - reach, below);
  for (guint k = 0; k < law->n_states; k++)
    {
      double *state = parameters + law->first_state + k;
      const double here = *state;
      const double moved = here != 0 ? STATE_REACH * magnitude (here) : MIN_REACH;
      double force;

      *state = here + moved;
      force = law->force (parameters, mode, delta, rate);
      *state = here - moved;
      force -= law->force (parameters, mode, delta, rate);
      *state = here;
      sum += force / (2 * moved) * ((above[k] - below[k]) / (2 * reach));
    }
  return sum;
}

IfbamForceDerivatives
ifbam_link_differentiate (const IfbamLink *link, const void *parameters, int mode, double delta,
                          double rate)
{
  const IfbamLaw *law = link->law;
  Variation at = {
    .law = law, .parameters = parameters, .mode = mode, .delta = delta, .rate = rate
  };
  IfbamForceDerivatives found = { .force = 0.0 };
  double moved[IFBAM_MAX_LAW];

  if (law->force == NULL)
    return found;
  found.force = at.force = law->force (parameters, mode, delta, rate);
  if (law->slopes != NULL)
    found.nonlinear = law->slopes (parameters, mode, delta, rate, &found.stiffness, &found.damping)
                          ? IFBAM_NONLINEAR
                          : 0;
  else
    {
      found.stiffness = differentiate (&at, FALSE, &found.nonlinear);
      found.damping = differentiate (&at, TRUE, &found.nonlinear);
      if (has_product (&at, &found))
        found.nonlinear |= IFBAM_NONLINEAR;
    }
  if (law->n_states == 0)
    return found;
  memcpy (moved, parameters, (law->first_state + law->n_states) * sizeof *moved);
  if (law->slopes == NULL)
    found.stiffness += state_stiffness (law, moved, mode, delta, rate);
  found.nonlinear |= IFBAM_NONLINEAR; /* the derivatives depend on the states */
  return found;
}

/* Along a step */

/* Relative increment: its square, and rounding divided by it, are about equal. */
#define PATH_REACH 0x1p-18

double
ifbam_path_reach (double size)
{
  return PATH_REACH * reach_of (size);
}

/* Computes a law's mean outputs with one input (0: the rate, else a state) increased by `more`. */
static void
mean_outputs (const IfbamLaw *law, const void *numbers, int mode, const IfbamPathPoints *path,
              guint moved, double more, double *said)
{
  double room[IFBAM_MAX_LAW], rates[IFBAM_MAX_STATES];

  for (guint k = 0; k <= law->n_states; k++)
    said[k] = 0;
  for (guint g = 0; g < path->n; g++)
    {
      const double delta = path->delta[g] + (moved == 0 ? path->by_delta[g] * more : 0);
      const double rate = path->rate[g] + (moved == 0 ? path->by_rate[g] * more : 0);
      const void *asked = law->n_states > 0 ? room : numbers;

      if (law->n_states > 0)
        {
          memcpy (room, numbers, (law->first_state + law->n_states) * sizeof *room);
          for (guint k = 0; k < law->n_states; k++)
            room[law->first_state + k] =
                path->state[g][k] + (moved == k + 1 ? path->by_rate[g] * more : 0);
          law->state_rates (asked, mode, delta, rate, rates);
        }
      said[0] += path->weight[g] * law->force (asked, mode, delta, rate);
      for (guint k = 0; k < law->n_states; k++)
        said[k + 1] += path->weight[g] * rates[k];
    }
}

void
ifbam_path_slopes (const IfbamLaw *law, const void *numbers, int mode, const IfbamPathPoints *path,
                   IfbamPathSlopes *slopes)
{
  if (law->slopes != NULL && law->n_states == 0)
    {
      slopes->by[0][0] = 0;
      for (guint g = 0; g < path->n; g++)
        {
          double stiffness, damping;

          law->slopes (numbers, mode, path->delta[g], path->rate[g], &stiffness, &damping);
          slopes->by[0][0] +=
              path->weight[g] * (path->by_delta[g] * stiffness + path->by_rate[g] * damping);
        }
      return;
    }
  for (guint moved = 0; moved <= law->n_states; moved++)
    {
      double above[1 + IFBAM_MAX_STATES], below[1 + IFBAM_MAX_STATES], size = 0, reach;

      /* (Laws without energy are nonlinear in the rate only, which large positions could hide.) */
      for (guint g = 0; g < path->n; g++)
        size = moved > 0 ? max_of (size, magnitude (path->state[g][moved - 1]))
               : law->storeless
                   ? max_of (size, magnitude (path->rate[g]))
                   : max_of (size, max_of (magnitude (path->rate[g]),
                                           magnitude (path->delta[g]) / path->by_delta[g]));
      reach = ifbam_path_reach (size);
      mean_outputs (law, numbers, mode, path, moved, reach, above);
      mean_outputs (law, numbers, mode, path, moved, -reach, below);
      for (guint k = 0; k <= law->n_states; k++)
        slopes->by[k][moved] = (above[k] - below[k]) / (2 * reach);
    }
}

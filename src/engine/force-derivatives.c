/* force-derivatives.c: how the force of a link changes with its compression and its rate
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/force-derivatives.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define BLOCK IFBAM_SLOPES_BLOCK
/* Differences are taken over at least this much to either side [m, m/s]. */
#define LEAST_REACH 1e-3
/* The second difference, to see whether the law is linear, over this part of the first one's reach. */
#define NARROW (1.0 / 64)
/* Halved-twice reaches of the extrapolation: down to 4^-13 of the first. */
#define LEVELS 14
#define FACTOR 4.0
/* Orders of the extrapolation: what is beyond is rounding. */
#define ORDERS 6
/* A force is uncertain by so much of itself. */
#define ROUNDING (8 * DBL_EPSILON)

/* Laws */

/* Links of a batch, or one link, asked for any compressions and rates. */
typedef struct
{
  const IfbamLink *link; /* NULL: links */
  const void *numbers;   /* of its law */
  int mode;
  const IfbamBatch *batch;
  const double *parameters[IFBAM_MAX_LAW];
  gsize n;
  guint32 left[BLOCK], right[BLOCK];
  /* States of laws that have such stand after what the ends say. */
  guint32 state_at[IFBAM_MAX_STATES][BLOCK];
  double state[IFBAM_MAX_STATES * BLOCK];
} Laws;

static void
laws_init (Laws *laws, const IfbamBatch *batch, gsize first, gsize n, const double *rate)
{
  laws->link = NULL;
  laws->batch = batch;
  laws->n = n;
  for (guint k = 0; k < batch->n_numbers; k++)
    laws->parameters[k] = batch->parameters[k] + first;
  /* (d delta / d left is 1.) All on their right stand on one node that rests at 0: what the left ends say is the
   * compression, without another rounding. */
  for (gsize i = 0; i < n; i++)
    {
      laws->left[i] = (guint32) i;
      laws->right[i] = (guint32) n;
    }
  for (guint k = 0; k < batch->law->n_states; k++)
    for (gsize i = 0; i < n; i++)
      {
        laws->state_at[k][i] = (guint32) (n + 1 + k * n + i);
        laws->state[k * n + i] = rate[batch->state[k][first + i]];
      }
}

static void
laws_ask (const Laws *laws, const double *delta, const double *rate, double *force)
{
  double x[BLOCK + 1], v[BLOCK + 1 + IFBAM_MAX_STATES * BLOCK];
  IfbamLinkBatch arguments = { .parameters = laws->parameters,
                               .left = laws->left,
                               .right = laws->right,
                               .position = x,
                               .rate = v,
                               .answer = force };

  if (laws->link != NULL)
    {
      *force = laws->link->law->force (laws->numbers, laws->mode, *delta, *rate);
      return;
    }
  for (gsize i = 0; i < laws->n; i++)
    {
      x[i] = delta[i];
      v[i] = rate[i];
    }
  x[laws->n] = v[laws->n] = 0.0;
  for (guint k = 0; k < laws->batch->law->n_states; k++)
    arguments.state[k] = laws->state_at[k];
  memcpy (v + laws->n + 1, laws->state, laws->batch->law->n_states * laws->n * sizeof *laws->state);
  laws->batch->kernels->force (&arguments, 0, laws->n);
}

/* Slopes */

/* The larger, without a call. */
static inline double
larger (double a, double b)
{
  return a > b ? a : b;
}

static inline double
magnitude (double number)
{
  return number < 0 ? -number : number;
}

/* The state of a block of links, and which of their two coordinates is moved, by how much. */
typedef struct
{
  const Laws *laws;
  double delta[BLOCK], rate[BLOCK];
  const double *force; /* (n) */
  gboolean along_rate;
  double reach[BLOCK];
} Place;

/* A central difference, what it is uncertain by, and by how much the slopes on both sides differ. */
typedef struct
{
  double slope[BLOCK], noise[BLOCK], bend[BLOCK];
} Difference;

/* Over a part of the reach. */
static void
take_difference (const Place *place, double part, Difference *difference)
{
  const double *here = place->along_rate ? place->rate : place->delta;
  double above[BLOCK], below[BLOCK], force_above[BLOCK], force_below[BLOCK];
  const gsize n = place->laws->n;

  for (gsize i = 0; i < n; i++)
    {
      above[i] = here[i] + part * place->reach[i];
      below[i] = here[i] - part * place->reach[i];
    }
  if (place->along_rate)
    {
      laws_ask (place->laws, place->delta, above, force_above);
      laws_ask (place->laws, place->delta, below, force_below);
    }
  else
    {
      laws_ask (place->laws, above, place->rate, force_above);
      laws_ask (place->laws, below, place->rate, force_below);
    }
  for (gsize i = 0; i < n; i++)
    {
      const double force = place->force[i], up = above[i] - here[i], down = here[i] - below[i];
      const double most = larger (larger (magnitude (force_above[i]), magnitude (force_below[i])),
                                  magnitude (force));

      difference->slope[i] = (force_above[i] - force_below[i]) / (above[i] - below[i]);
      difference->noise[i] = ROUNDING * most / (up < down ? up : down);
      difference->bend[i] = (force_above[i] - force) / up - (force - force_below[i]) / down;
    }
}

/* A power of two beyond a number's size. With it as reach the difference of a linear law is as exact
 * as its force. (frexp and ldexp would be calls.) */
static inline double
reach_of (double number)
{
  union
  {
    double number;
    guint64 bits;
  } size = { larger (magnitude (number), LEAST_REACH) };

  size.bits =
      (size.bits + (G_GUINT64_CONSTANT (1) << 52)) & G_GUINT64_CONSTANT (0x7ff0000000000000);
  return size.number;
}

/* The derivative from differences over shrinking reaches (Richardson 1911; as a table with its own
 * error, Ridders 1982). An entry's error is how far it is from those that it is made of; the entry
 * with the least counts. */
static void
extrapolate (const Place *place, double *slope, guint8 *nonlinear)
{
  const gsize n = place->laws->n;
  double table[ORDERS][BLOCK], error[BLOCK], best[BLOCK], bend[BLOCK], part = 1.0;
  Difference difference;

  for (gsize i = 0; i < n; i++)
    {
      error[i] = INFINITY;
      best[i] = NAN;
      difference.bend[i] = 0.0;
    }
  for (int level = 0; level < LEVELS; level++, part /= FACTOR)
    {
      memcpy (bend, difference.bend, sizeof bend);
      take_difference (place, part, &difference);
      for (gsize i = 0; i < n; i++)
        {
          double now = difference.slope[i], power = 1.0;

          for (int order = 0; order < ORDERS && order <= level; order++)
            {
              const double before = table[order][i];

              table[order][i] = now;
              if (order < level)
                {
                  double next, off;

                  power *= FACTOR * FACTOR;
                  next = now + (now - before) / (power - 1.0);
                  off = larger (magnitude (next - now), magnitude (next - before))
                        + difference.noise[i];
                  if (off < error[i])
                    {
                      error[i] = off;
                      best[i] = next;
                    }
                  now = next;
                }
            }
        }
    }
  for (gsize i = 0; i < n; i++)
    if (nonlinear[i] != 0)
      {
        /* A slope that is not larger than its own error is none: |v| v at rest. */
        slope[i] = magnitude (best[i]) <= error[i] ? 0.0 : best[i];
        /* A smooth law's two sides grow alike as the reach shrinks. */
        if (magnitude (difference.bend[i]) > 0.5 * magnitude (bend[i])
            && magnitude (difference.bend[i])
                   > 1e-3 * magnitude (difference.slope[i]) + 8 * difference.noise[i])
          nonlinear[i] |= IFBAM_KINKED;
      }
}

/* dF/ddelta or dF/drate. Linear laws are told by their differences over two reaches and on two sides. */
static void
find_slope (Place *place, gboolean along_rate, double *slope, guint8 *nonlinear)
{
  const gsize n = place->laws->n;
  guint8 nonlinear_here[BLOCK];
  Difference wide, narrow;
  gboolean any = FALSE;

  place->along_rate = along_rate;
  for (gsize i = 0; i < n; i++)
    place->reach[i] = reach_of (along_rate ? place->rate[i] : place->delta[i]);
  take_difference (place, 1.0, &wide);
  take_difference (place, NARROW, &narrow);
  for (gsize i = 0; i < n; i++)
    {
      const gboolean linear =
          magnitude (wide.slope[i] - narrow.slope[i]) <= wide.noise[i] + narrow.noise[i]
          && magnitude (wide.bend[i]) <= 2 * wide.noise[i]
          && magnitude (narrow.bend[i]) <= 2 * narrow.noise[i];

      slope[i] = wide.slope[i];
      nonlinear_here[i] = linear ? 0 : IFBAM_NONLINEAR;
      any |= !linear;
    }
  if (any)
    extrapolate (place, slope, nonlinear_here);
  for (gsize i = 0; i < n; i++)
    nonlinear[i] |= nonlinear_here[i];
}

/* A law that is linear in each of its two coordinates may still be of their product. */
static void
find_products (const Place *place, IfbamSlopes *slopes)
{
  double x[BLOCK] = { 0 }, v[BLOCK] = { 0 }, force[BLOCK];
  const gsize n = place->laws->n;

  for (gsize i = 0; i < n; i++)
    {
      x[i] = place->delta[i] + reach_of (place->delta[i]);
      v[i] = place->rate[i] + reach_of (place->rate[i]);
    }
  laws_ask (place->laws, x, v, force);
  for (gsize i = 0; i < n; i++)
    {
      const double part = slopes->stiffness[i] * (x[i] - place->delta[i]);
      const double other = slopes->damping[i] * (v[i] - place->rate[i]);
      const double most = larger (larger (magnitude (part), magnitude (other)),
                                  larger (magnitude (force[i]), magnitude (slopes->force[i])));

      if (!(magnitude (force[i] - (slopes->force[i] + part + other)) <= 4 * ROUNDING * most))
        slopes->nonlinear[i] |= IFBAM_NONLINEAR;
    }
}

/* Of laws at a place whose compressions and rates are set. */
static void
find_slopes (Place *place, IfbamSlopes *slopes)
{
  for (gsize i = 0; i < place->laws->n; i++)
    slopes->nonlinear[i] = 0;
  laws_ask (place->laws, place->delta, place->rate, slopes->force);
  find_slope (place, FALSE, slopes->stiffness, slopes->nonlinear);
  find_slope (place, TRUE, slopes->damping, slopes->nonlinear);
  find_products (place, slopes);
}

/* Of internal states */

/* Differences of what a law says along one of its numbers are taken over such a part of that [1]. */
#define STATE_REACH 0x1p-13

/* States follow a motion: dF/dstate dstate'/drate, by differences; numbers: of the law, with its states. */
static double
state_stiffness (const IfbamLaw *law, double *numbers, int mode, double delta, double rate)
{
  const double reach = rate != 0 ? STATE_REACH * magnitude (rate) : LEAST_REACH;
  double above[IFBAM_MAX_STATES], below[IFBAM_MAX_STATES], sum = 0;

  law->state_rates (numbers, mode, delta, rate + reach, above);
  law->state_rates (numbers, mode, delta, rate - reach, below);
  for (guint k = 0; k < law->n_states; k++)
    {
      double *state = numbers + law->first_state + k;
      const double here = *state;
      const double moved = here != 0 ? STATE_REACH * magnitude (here) : LEAST_REACH;
      double force;

      *state = here + moved;
      force = law->force (numbers, mode, delta, rate);
      *state = here - moved;
      force -= law->force (numbers, mode, delta, rate);
      *state = here;
      sum += force / (2 * moved) * ((above[k] - below[k]) / (2 * reach));
    }
  return sum;
}

/* What a law says of its slopes, or how its states add to those that differences tell. Whatever they are, at other
 * states they are others. */
static void
slopes_by_law (const IfbamLaw *law, double *numbers, int mode, double delta, double rate, gsize i,
               IfbamSlopes *slopes)
{
  if (law->slopes != NULL)
    slopes->nonlinear[i] =
        law->slopes (numbers, mode, delta, rate, &slopes->stiffness[i], &slopes->damping[i])
            ? IFBAM_NONLINEAR
            : 0;
  else if (law->n_states > 0)
    slopes->stiffness[i] += state_stiffness (law, numbers, mode, delta, rate);
  if (law->n_states > 0)
    slopes->nonlinear[i] |= IFBAM_NONLINEAR;
}

void
ifbam_link_slopes (const IfbamBatch *batch, gsize first, gsize n, const double *position,
                   const double *rate, IfbamSlopes *slopes)
{
  Laws laws;
  Place place = { .laws = &laws, .force = slopes->force };

  laws_init (&laws, batch, first, n, rate);
  for (gsize i = 0; i < n; i++)
    {
      const guint32 l = batch->left[first + i], r = batch->right[first + i];

      place.delta[i] = ifbam_batch_delta (batch, first + i, position[l], position[r]);
      place.rate[i] = ifbam_batch_delta (batch, first + i, rate[l], rate[r]);
    }
  if (batch->law->slopes == NULL)
    find_slopes (&place, slopes);
  else
    laws_ask (&laws, place.delta, place.rate, slopes->force);
  for (gsize i = 0; i < n && (batch->law->slopes != NULL || batch->law->n_states > 0); i++)
    {
      double numbers[IFBAM_MAX_LAW];

      for (guint k = 0; k < batch->n_numbers; k++)
        numbers[k] = laws.parameters[k][i];
      for (guint k = 0; k < batch->law->n_states; k++)
        numbers[batch->law->first_state + k] = laws.state[k * n + i];
      slopes_by_law (batch->law, numbers, 0, place.delta[i], place.rate[i], i, slopes);
    }
}

void
ifbam_single_slopes (const IfbamLink *link, const void *numbers, int mode, double delta,
                     double rate, IfbamSlopes *slopes)
{
  const Laws laws = { .link = link, .numbers = numbers, .mode = mode, .n = 1 };
  Place place = { .laws = &laws, .force = slopes->force };
  double room[IFBAM_MAX_LAW];

  slopes->force[0] = slopes->stiffness[0] = slopes->damping[0] = 0.0;
  slopes->nonlinear[0] = 0;
  if (link->law->force == NULL)
    return;
  place.delta[0] = delta;
  place.rate[0] = rate;
  if (link->law->slopes == NULL)
    find_slopes (&place, slopes);
  else
    laws_ask (&laws, &delta, &rate, slopes->force);
  if (link->law->n_states > 0) /* the last of them, which are moved */
    numbers = memcpy (room, numbers, (link->law->first_state + link->law->n_states) * sizeof *room);
  slopes_by_law (link->law, (double *) numbers, mode, delta, rate, 0, slopes);
}

/* Along a step */

/* So small a part of a number: its square, and what is rounding divided by it, are as small. */
#define PATH_REACH 0x1p-18

double
ifbam_path_reach (double size)
{
  return PATH_REACH * reach_of (size);
}

/* What a law says in the mean where one number (0: the rate, else a state) is larger. */
static void
say_along (const IfbamLaw *law, const void *numbers, int mode, const IfbamPathPoints *path,
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
  for (guint moved = 0; moved <= law->n_states; moved++)
    {
      double above[1 + IFBAM_MAX_STATES], below[1 + IFBAM_MAX_STATES], size = 0, reach;

      /* (What nothing is stored in bends by its rate alone, beside which a place may be very large.) */
      for (guint g = 0; g < path->n; g++)
        size = moved > 0 ? larger (size, magnitude (path->state[g][moved - 1]))
               : law->storeless
                   ? larger (size, magnitude (path->rate[g]))
                   : larger (size, larger (magnitude (path->rate[g]),
                                           magnitude (path->delta[g]) / path->by_delta[g]));
      reach = ifbam_path_reach (size);
      say_along (law, numbers, mode, path, moved, reach, above);
      say_along (law, numbers, mode, path, moved, -reach, below);
      for (guint k = 0; k <= law->n_states; k++)
        slopes->by[k][moved] = (above[k] - below[k]) / (2 * reach);
    }
}

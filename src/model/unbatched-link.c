/* unbatched-link.c: mean forces over paths, and events, of a link in no batch
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/unbatched-link.h"

#include <math.h>

/* Returns how many quadrature points an unbatched link's mean has: as many as in a batch. */
static guint
points_of (const IfbamLink *link)
{
  return link->law->points != NULL ? link->law->points (link->numbers) : IFBAM_MAX_POINTS;
}

static double
mean_of (guint points, const double *value)
{
  return points == 1   ? value[0]
         : points == 2 ? ifbam_path_mean_2 (value[0], value[1])
                       : ifbam_path_mean_3 (value[0], value[1], value[2]);
}

double
ifbam_link_mean (const IfbamLink *link, int mode, const IfbamLinkInputs *heard, gboolean mean,
                 double *row, double *flow)
{
  const guint points = mean ? points_of (link) : 1;
  double force[IFBAM_MAX_POINTS], pull[IFBAM_MAX_PORTS][IFBAM_MAX_POINTS], sum;
  double change[IFBAM_MAX_STATES][IFBAM_MAX_POINTS];

  for (guint g = 0; g < points; g++)
    {
      const double s = ifbam_path_place (points, g);
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], delta, speed;

      for (guint e = 0; e < link->n_ports + link->n_states; e++)
        {
          x[e] = mean ? ifbam_path_position (heard->position[e], heard->earlier_position[e], s)
                      : heard->position[e];
          v[e] =
              mean ? ifbam_path_rate (heard->rate[e], heard->earlier_rate[e], s) : heard->rate[e];
        }
      speed = ifbam_link_measure_at (link, x, v, &delta, row);
      force[g] = ifbam_link_force (link, mode, heard->pressing, delta, speed, x, v, flow);
      for (guint k = 0; k < link->law->n_states; k++)
        change[k][g] = flow[k];
      for (guint e = 0; e < link->n_ports; e++)
        pull[e][g] = row[e] * force[g];
    }
  sum = mean_of (points, force);
  for (guint k = 0; k < link->law->n_states; k++)
    flow[k] = mean_of (points, change[k]);
  for (guint e = 0; e < link->n_ports && points > 1 && sum != 0 && !link->geometry->straight; e++)
    row[e] = mean_of (points, pull[e]) / sum;
  return sum;
}

/* Returns whether a link is a friction: it stores nothing, but has a force at rate 0. */
static gboolean
is_friction (const IfbamLink *link, int mode)
{
  return link->law->relation != NULL
         && link->law->relation (link->numbers, mode).kind == IFBAM_CONSTRAINT_FRICTION;
}

/* mean_along () takes the elastic force from the energies stored at both endpoints of the path. The
 * path must be longer than this fraction of the compression, and the elastic work larger than this
 * fraction of the energy: else their differences are rounding errors. (With a gap in its law, a
 * link may store much energy at a small compression.) */
#define MIN_PATH_RATIO 1e-3
/* Elastic forces are equal within this fraction of their sum. */
#define ELASTIC_TOLERANCE 1e-6

/* Returns whether at_rest, the force at rate 0, is dV / ddelta: force - loss / rate. (Not so for a
 * piece over the rate with a loss as its intercept, nor for a damper at its limit.) */
static gboolean
is_elastic (const IfbamLink *link, int mode, double delta, double rate, double force,
            double at_rest)
{
  return rate == 0
         || fabs (force - link->law->loss (link->numbers, mode, delta, rate) / rate - at_rest)
                <= ELASTIC_TOLERANCE * (fabs (force) + fabs (at_rest));
}

static double
mean_along (const IfbamLink *link, int mode, const IfbamLinkInputs *heard, const double *delta,
            const double *row, double *flow)
{
  const guint points = points_of (link);
  const IfbamLaw *law = link->law;
  const double way = delta[1] - delta[0];
  gboolean apart = points == IFBAM_MAX_POINTS && link->n_states == 0 && law->energy != NULL
                   && !law->storeless && !is_friction (link, mode)
                   && fabs (way) > MIN_PATH_RATIO * fmax (fabs (delta[0]), fabs (delta[1]));
  double force[IFBAM_MAX_POINTS], elastic[IFBAM_MAX_POINTS], energy[2];
  double change[IFBAM_MAX_STATES][IFBAM_MAX_POINTS], sum;

  for (guint g = 0; g < points; g++)
    {
      const double s = ifbam_path_place (points, g), there = delta[0] + s * way;
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], speed = 0;

      for (guint e = 0; e < link->n_ports + link->n_states; e++)
        {
          x[e] = ifbam_path_position (heard->position[e], heard->earlier_position[e], s);
          v[e] = ifbam_path_rate (heard->rate[e], heard->earlier_rate[e], s);
        }
      for (guint e = 0; e < link->n_ports; e++)
        speed += row[e] * v[e];
      force[g] = ifbam_link_force (link, mode, heard->pressing, there, speed, x, v, flow);
      if (apart)
        {
          elastic[g] = law->force (link->numbers, mode, there, 0);
          apart = is_elastic (link, mode, there, speed, force[g], elastic[g]);
        }
      for (guint k = 0; k < law->n_states; k++)
        change[k][g] = flow[k];
    }
  sum = mean_of (points, force);
  for (guint k = 0; k < law->n_states; k++)
    flow[k] = mean_of (points, change[k]);
  if (!apart)
    return sum;
  for (guint end = 0; end < 2; end++)
    energy[end] = law->energy (link->numbers, mode, delta[end]);
  if (!(fabs (mean_of (points, elastic) * way)
        > MIN_PATH_RATIO * fmax (fabs (energy[0]), fabs (energy[1]))))
    return sum;
  for (guint g = 0; g < points; g++)
    force[g] -= elastic[g];
  return mean_of (points, force) + (energy[1] - energy[0]) / way;
}

double
ifbam_link_mean_to_end (const IfbamLink *link, int mode, const IfbamLinkInputs *heard, double *row,
                        double *flow)
{
  const IfbamGeometry *geometry = link->geometry;
  double to[IFBAM_MAX_PORTS], delta[2] = { 0, 0 };

  for (guint e = 0; e < link->n_ports; e++)
    to[e] = ifbam_path_position (heard->position[e], heard->earlier_position[e], 1);
  if (geometry->straight && link->n_ports == 2 && points_of (link) == IFBAM_MAX_POINTS)
    {
      ifbam_link_measure_at (link, to, heard->rate, &delta[1], row);
      ifbam_link_measure_at (link, heard->position, heard->rate, &delta[0], row);
    }
  else if (geometry->chord == NULL
           || !geometry->chord (link->shape, heard->position, to, delta, row))
    return ifbam_link_mean (link, mode, heard, TRUE, row, flow);
  return mean_along (link, mode, heard, delta, row, flow);
}

const char *
ifbam_link_event (const IfbamLink *link, int from, int to)
{
  const IfbamLaw *law = link->law;
  int last = 0;

  if (law->event != NULL)
    return law->event (link->numbers, from, to);
  if (law->events == NULL)
    return NULL;
  while (last < to && law->events[last + 1] != NULL)
    last++;
  return law->events[last];
}

gboolean
ifbam_constraint_is_active (const IfbamConstraint *relation, int mode)
{
  switch (relation->kind)
    {
    case IFBAM_CONSTRAINT_CONTACT:
    case IFBAM_CONSTRAINT_ONE_WAY:
      return mode == IFBAM_MODE_HELD;
    case IFBAM_CONSTRAINT_RIGID:
    case IFBAM_CONSTRAINT_FIXED:
      return TRUE;
    case IFBAM_CONSTRAINT_FRICTION:
      return mode == IFBAM_MODE_STUCK;
    case IFBAM_CONSTRAINT_NONE:
    default:
      return FALSE;
    }
}

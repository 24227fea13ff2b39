/* forces.c: forces of links and sources, and motions of given nodes, by component or island
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/forces.h"

#include <math.h>
#include <string.h>

#include "element/element.h"

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

double
ifbam_event_source_time (const IfbamEventEngine *self, guint32 source, double time)
{
  return CLAMP (time, self->schedule.piece_from[source], self->schedule.piece_until[source]);
}

/* Counts the nodes as work for the interrupt check: most long computations evaluate forces. */
static inline void
count_work (IfbamEventEngine *self, const IfbamComponent *first)
{
  gsize n = 0;

  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  n += range->last - range->first;
  ifbam_event_may_continue (self, self->log.work_time, (guint) MIN (n, IFBAM_WORK_BETWEEN_CHECKS));
}

static void
forces_from (IfbamEventEngine *self, guint32 island, double *const *column, gboolean mean,
             double time)
{
  const IfbamComponent *first = ifbam_first_component (self, island);

  IFBAM_EVALUATE (self, compute_forces, first, column, mean, time);
  count_work (self, first);
}

void
ifbam_event_forces (IfbamEventEngine *self, guint32 island, const double *position,
                    const double *rate, double time)
{
  double *const column[2] = { (double *) position, (double *) rate };

  forces_from (self, island, column, FALSE, time);
}

void
ifbam_event_mean_forces (IfbamEventEngine *self, guint32 island, double *const *column, double time)
{
  forces_from (self, island, column, TRUE, time);
}

void
ifbam_event_set_given_nodes (IfbamEventEngine *self, guint32 island, double time, double *position,
                             double *rate)
{
  if (!ifbam_event_has_moving (self))
    return;
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_EVALUATE (self, set_given, component, time, position, rate);
}

void
ifbam_event_set_fixed_nodes (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  double *const position[] = { self->nodes.x,
                               self->nodes.x1,
                               self->nodes.xt,
                               self->nodes.x2,
                               self->nodes.work[self->scheme->said_position],
                               self->nodes.work[self->restart_scheme->said_position] };
  double *const rate[] = { self->nodes.v,
                           self->nodes.v1,
                           self->nodes.vt,
                           self->nodes.v2,
                           self->nodes.work[self->scheme->said_rate],
                           self->nodes.work[self->restart_scheme->said_rate] };

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    for (guint k = 0; k < G_N_ELEMENTS (position); k++)
      {
        const IfbamMotion motion = ifbam_event_motion (self, i, 0);

        position[k][i] = motion.position;
        rate[k][i] = motion.rate;
      }
}

void
ifbam_event_cache_motions (const IfbamEventEngine *self, guint32 island, const double *time,
                           guint n)
{
  if (self->evaluator->sets_fixed || self->base.numbers->n_moving == 0)
    return;
  IFBAM_FOR_COMPONENTS (component, island)
  for (gsize i = component->moving; i < component->moving + component->n_moving; i++)
    for (guint k = 0; k < n; k++)
      ifbam_numbers_motion (self->base.numbers, ifbam_number (self, i), time[k]);
}

void
ifbam_event_copy_nodes (IfbamEventEngine *self, guint32 island, const double *from, double *to)
{
  IFBAM_FOR_COMPONENTS (component, island)
  {
    IFBAM_FOR_NODES (range, component)
    memcpy (to + range->first, from + range->first, (range->last - range->first) * sizeof (double));
    IFBAM_EVALUATE (self, copied, component, from, to);
  }
}

void
ifbam_event_discard_accelerations (IfbamEventEngine *self, guint32 island)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_NODES (range, component)
  for (guint32 i = (guint32) range->first; i < range->last; i++)
    {
      self->nodes.a[i] = NAN;
      IFBAM_EVALUATE (self, values_set, &i, 1, 1, &self->nodes.a);
    }
}

void
ifbam_event_cycle_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                          double source_time, double *answer)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_EVALUATE (self, compute_cycle_forces, component, column, source_time, answer);
  count_work (self, ifbam_first_component (self, island));
}

void
ifbam_event_deliver_forces (IfbamEventEngine *self)
{
  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamLinkState *state = &self->links.state[j];

      state->force = state->flight;
      memcpy (state->row, state->flight_row, sizeof state->row);
    }
}

void
ifbam_event_cycle_gather (IfbamEventEngine *self, const double *answer)
{
  ifbam_event_deliver_forces (self);
  IFBAM_EVALUATE (self, sum_cycle_forces, answer);
}

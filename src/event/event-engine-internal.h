/* event-engine-internal.h: state of the event engine, and access to its nodes, links and islands
 *
 * A component consists of nodes joined by links without modes; an island, of components joined by
 * links that are active now. The scheme advances each island. If a guard is crossed, scheme steps
 * of its islands locate the crossing. Only the islands that take part in an event end their step
 * there. (Terms: Lygeros et al. 2003; tasks of such engines: Mosterman 1999.)
 *
 * README.md says where each task is done, and which file owns which part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-parts.h"
#include "event/schedule.h"
#include "event/trajectory.h"

/* A guard value above this is certain without a scheme step [of the largest coordinate or rate]. */
#define IFBAM_INTERPOLATION_ERROR 1e-4

/* Number of active rows from which on projections reuse a factorization (chord method). */
#define IFBAM_MIN_CHORD_ROWS 24

typedef struct _IfbamEventContext IfbamEventContext; /* working data of an event: event-context.h */
typedef struct _IfbamImplicit IfbamImplicit;         /* Newton's method: implicit-step.h */
typedef struct _IfbamAdaptiveSteps IfbamAdaptiveSteps; /* adaptive steps: adaptive-steps.h */

struct _IfbamEventEngine
{
  IfbamEngine base;
  const IfbamEvaluator *evaluator;
  gpointer evaluator_data; /* (owned) */
  GDestroyNotify free_evaluator_data;
  const IfbamScheme *scheme;         /* of steps without an event */
  const IfbamScheme *restart_scheme; /* of islands with an event */
  guint64 step;                      /* index of the sample at which the present step starts */
  gboolean unlocated;                /* events take place at the ends of steps */
  gboolean latency;                  /* the scheme is a flip-flop scheme */
  gboolean is_manual;                /* the objects execute the stages of steps (manual-step.c) */
  gboolean autonomous;               /* nothing depends on time except at scheduled events */
  gboolean quiet;                    /* no event in this step so far (fixed steps only) */
  gboolean at_rest;  /* nothing moved in the last step: the next one can be skipped */
  gboolean starting; /* the initial modes are determined: no events are logged */
  IfbamEventLimits limits;
  IfbamTrajectory nodes;
  IfbamStepHistory history;
  IfbamEventLinks links;
  IfbamComponents components;
  IfbamIslands islands;
  IfbamClusters clusters;
  IfbamSchedule schedule;
  IfbamCandidates candidates;
  IfbamMonitors monitors;
  IfbamEnergyAccount account;
  IfbamUnsortedEvents unsorted;
  IfbamEventContext *context;   /* of the present event */
  IfbamImplicit *implicit;      /* NULL: the scheme has no tableau */
  IfbamAdaptiveSteps *adaptive; /* NULL: fixed steps, from sample to sample */
};

/* Calls a function of the evaluator. */
#define IFBAM_EVALUATE(self, name, ...) ((self)->evaluator->name ((self), __VA_ARGS__))

/* End of a link: index of the link, and of its port. */
#define IFBAM_PORT_BITS 3
_Static_assert(IFBAM_MAX_PORTS <= 1 << IFBAM_PORT_BITS, "ends have room for all ports");

static inline guint32
ifbam_endpoint_code (guint32 link, guint port)
{
  return link << IFBAM_PORT_BITS | port;
}

static inline guint32
ifbam_endpoint_link (guint32 end)
{
  return end >> IFBAM_PORT_BITS;
}

static inline guint
ifbam_endpoint_port (guint32 end)
{
  return end & ((1 << IFBAM_PORT_BITS) - 1);
}

static inline IfbamIsland *
ifbam_island (const IfbamEventEngine *self, guint32 index)
{
  return self->islands.list->pdata[index];
}

/* Returns the i-th island with active constraints. */
static inline IfbamIsland *
ifbam_constrained_island (const IfbamEventEngine *self, guint i)
{
  return ifbam_island (self, g_array_index (self->islands.constrained, guint32, i));
}

static inline IfbamComponent *
ifbam_component (const IfbamEventEngine *self, guint32 index)
{
  return &g_array_index (self->components.list, IfbamComponent, index);
}

static inline const IfbamLink *
ifbam_link (const IfbamEventEngine *self, guint32 index)
{
  return &self->links.unbatched[index];
}

static inline IfbamMotion
ifbam_event_motion (const IfbamEventEngine *self, gsize node, double time)
{
  const double *motion = ifbam_parameter_values_motion (self->base.numbers, node, time);

  return (IfbamMotion){ motion[0], motion[1], motion[2] };
}

/* Returns a time [s] clamped to the interval in which a given node's motion is evaluated. */
static inline double
ifbam_event_motion_time (const IfbamEventEngine *self, gsize node, double time)
{
  const gsize piece = self->base.model->n_sources + node - self->base.model->n_free;

  return CLAMP (time, self->schedule.piece_from[piece], self->schedule.piece_until[piece]);
}

static inline IfbamMotion
ifbam_event_motion_now (const IfbamEventEngine *self, gsize node, double time)
{
  return ifbam_event_motion (self, node, ifbam_event_motion_time (self, node, time));
}

/* Returns whether redundant rows of an island share loads by equal compliances: least norm. */
static inline gboolean
ifbam_island_shares_evenly (const IfbamIsland *island)
{
  return island->has_fixed || !(island->has_variable_rows || island->has_limited);
}

/* Returns m / a [kg/s]: inertia of a node in an implicit stage of length a [s]; massless: 0. */
static inline double
ifbam_event_inertia_by (const IfbamEventEngine *self, guint32 node, double a)
{
  return ifbam_model_is_junction (self->base.model, node)
             ? 0
             : 1 / (a * self->nodes.inverse_mass[node]);
}

/* Returns the index of a node's island; IFBAM_NONE: a given node. */
static inline guint32
ifbam_island_of (const IfbamEventEngine *self, guint32 node)
{
  guint32 component = self->components.of_node[node];

  return component == IFBAM_NONE ? IFBAM_NONE : ifbam_component (self, component)->island;
}

static inline double
ifbam_event_time (const IfbamEventEngine *self)
{
  return (double) self->step * self->base.spec->step;
}

/* Returns the absolute time [s]. The step's end is exactly the time of the next sample, so that a
 * given node has its recorded position there. */
static inline double
ifbam_event_time_at (const IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step;

  return fabs (time - step) <= 2 * DBL_EPSILON * step ? (double) (self->step + 1) * step
                                                      : ifbam_event_time (self) + time;
}

/* Returns the time to log [s]: that of a scheduled event, as in the file, or the absolute time. */
static inline double
ifbam_event_logged_time (const IfbamEventEngine *self, double time)
{
  return isnan (self->schedule.time) ? ifbam_event_time_at (self, time) : self->schedule.time;
}

/* Returns the domain of a link's compression. */
static inline IfbamDomain
ifbam_event_domain (const IfbamEventEngine *self, guint32 index)
{
  return self->clusters.link_domain[index];
}

static inline IfbamMagnitudes *
ifbam_event_magnitudes (const IfbamEventEngine *self, guint32 link)
{
  return &self->clusters.magnitudes[self->clusters.of_link[link] * IFBAM_N_DOMAINS
                                    + ifbam_event_domain (self, link)];
}

/* Returns the magnitude scales for a free node. */
static inline IfbamMagnitudes *
ifbam_event_node_magnitudes (const IfbamEventEngine *self, gsize node)
{
  return &self->clusters
              .magnitudes[self->clusters.of[self->components.of_node[node]] * IFBAM_N_DOMAINS
                          + self->clusters.node_domain[node]];
}

/* Returns the mode of the link that presses a friction; 0 if there is none or it has one mode. */
static inline int
ifbam_link_pressing_mode (const IfbamEventEngine *self, const IfbamLink *link)
{
  return link->normal_force == NULL || link->normal_force->single == IFBAM_NO_NODE
             ? 0
             : self->links.state[link->normal_force->single].mode;
}

/* Returns a law's parameters at x, v. room: scratch (IFBAM_MAX_LAW). */
static inline const void *
ifbam_link_parameters_now (const IfbamEventEngine *self, guint32 index, double *room)
{
  const IfbamLink *link = ifbam_link (self, index);

  return ifbam_link_parameters_at (link, self->nodes.x, self->nodes.v,
                                   ifbam_link_pressing_mode (self, link), room);
}

/* Returns a link's constraint at given coordinates, which matter if another link presses it. */
static inline IfbamConstraint
ifbam_link_constraint_at (const IfbamEventEngine *self, guint32 index, const double *x,
                          const double *v)
{
  const IfbamLink *link = ifbam_link (self, index);
  double room[IFBAM_MAX_LAW];

  return link->law->constraint (
      ifbam_link_parameters_at (link, x, v, ifbam_link_pressing_mode (self, link), room),
      self->links.state[index].mode);
}

/* Returns a link's constraint at x, v. */
static inline IfbamConstraint
ifbam_link_constraint (const IfbamEventEngine *self, guint32 index)
{
  return ifbam_link_constraint_at (self, index, self->nodes.x, self->nodes.v);
}

/* Loops over the frictions that a constraint carries: its reaction bounds them. */
#define IFBAM_FOR_CARRIED(carried, index)                                                          \
  for (guint32 carried = ifbam_first_carried (self, index); carried != IFBAM_NONE;                 \
       carried = ifbam_next_carried (self, index, carried))

static inline guint32
ifbam_next_carried (const IfbamEventEngine *self, guint32 index, guint32 carried)
{
  for (carried++;
       carried < self->base.model->unbatched_links->len && ifbam_link (self, carried)->place > 0;
       carried++)
    if (ifbam_link_is_carried (ifbam_link (self, carried))
        && index - ifbam_link (self, carried)->carrier < ifbam_link (self, carried)->n_carriers)
      return carried;
  return IFBAM_NONE;
}

static inline guint32
ifbam_first_carried (const IfbamEventEngine *self, guint32 index)
{
  return ifbam_link (self, index)->carries ? ifbam_next_carried (self, index, index) : IFBAM_NONE;
}

/* Returns a friction's signed force per reaction of its carrier; 0: no slip, or no carrier. */
static inline double
ifbam_link_slip (const IfbamEventEngine *self, guint32 index)
{
  const int direction = ifbam_link_is_carried (ifbam_link (self, index))
                            ? ifbam_friction_direction (self->links.state[index].mode)
                            : 0;

  return direction == 0 ? 0 : direction * ifbam_link_constraint (self, index).coulomb;
}

/* Returns the first friction that this constraint carries alone, or IFBAM_NONE. Only such a
 * friction acts in impacts: one with several carriers is bounded by forces only. */
static inline guint32
ifbam_first_impact_friction (const IfbamEventEngine *self, guint32 index)
{
  const guint32 carried = ifbam_first_carried (self, index);

  return carried != IFBAM_NONE && ifbam_link (self, carried)->n_carriers == 1 ? carried
                                                                              : IFBAM_NONE;
}

#define IFBAM_FOR_IMPACT_FRICTIONS(brake, index)                                                   \
  for (guint32 brake = ifbam_first_impact_friction (self, index); brake != IFBAM_NONE;             \
       brake = ifbam_next_carried (self, index, brake))

/* Returns the ratio of a slipping friction's force to the reaction of one of its carriers. */
static inline double
ifbam_link_slip_on (const IfbamEventEngine *self, guint32 carried, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, carried);
  const double slip = ifbam_link_slip (self, carried);

  return link->n_carriers == 1
             ? slip
             : slip * self->links.state[carried].carrier_direction[index - link->carrier];
}

/* Returns the size of a reaction [N]; of a planar friction, that of both directions. */
static inline double
ifbam_event_reaction (const IfbamEventEngine *self, guint32 index)
{
  const double own = self->links.state[index].reaction;
  const double across =
      self->links.unbatched[index].leads ? self->links.state[index + 1].reaction : 0;

  return across == 0 ? fabs (own) : sqrt (own * own + across * across);
}

/* Flip-flop schemes: returns the velocity at a step's end, from the positions there, at its start
 * and one step before it, by the second-order backward difference. */
static inline double
ifbam_event_backward_difference (const IfbamEventEngine *self, double next, double now,
                                 double before)
{
  return (3 * next - 4 * now + before) / (2 * self->base.spec->step);
}

static inline const IfbamIndexRange *
ifbam_index_range (const IfbamEventEngine *self, gsize i)
{
  return &g_array_index (self->components.ranges, IfbamIndexRange, i);
}

static inline guint32
ifbam_index_at (const IfbamEventEngine *self, gsize i)
{
  return g_array_index (self->components.indices, guint32, i);
}

/* Returns the first component of an island; IFBAM_NONE: one with all active components. */
static inline const IfbamComponent *
ifbam_first_component (const IfbamEventEngine *self, guint32 island)
{
  return ifbam_component (self, island == IFBAM_NONE ? self->components.list->len - 1
                                                     : ifbam_island (self, island)->first);
}

static inline const IfbamComponent *
ifbam_next_component (const IfbamEventEngine *self, const IfbamComponent *component)
{
  return component->next == IFBAM_NONE ? NULL : ifbam_component (self, component->next);
}

#define IFBAM_FOR_COMPONENTS_FROM(component, from)                                                 \
  for (const IfbamComponent *component = from; component != NULL;                                  \
       component = ifbam_next_component (self, component))

#define IFBAM_FOR_COMPONENTS(component, island)                                                    \
  IFBAM_FOR_COMPONENTS_FROM (component, ifbam_first_component (self, island))

/* Loops over a component's ranges of nodes or links (list: a pair of its fields). No ranges may be
 * added within. */
#define IFBAM_FOR_RANGES(range, component, list)                                                   \
  for (const IfbamIndexRange *range = ifbam_index_range (self, (component)->list),                 \
                             *range##_end = range + (component)->n_##list;                         \
       range < range##_end; range++)

#define IFBAM_FOR_NODES(range, component) IFBAM_FOR_RANGES (range, component, nodes)

/* Loops over one of a component's lists in `indices`. */
#define IFBAM_FOR_LIST(index, component, list)                                                     \
  for (const guint32 *                                                                             \
           index = &g_array_index (self->components.indices, guint32, (component)->list),          \
          *index##_end = index + (component)->n_##list;                                            \
       index < index##_end; index++)

static inline void
ifbam_swap_columns (double **a, double **b)
{
  double *swap = *a;

  *a = *b;
  *b = swap;
}

/* Lets the evaluator follow a node's values in two columns, which were set. */
static inline void
ifbam_event_set_evaluator_node (IfbamEventEngine *self, guint32 node, const double *position,
                                const double *rate)
{
  double *const column[2] = { (double *) position, (double *) rate };

  IFBAM_EVALUATE (self, values_set, &node, 1, 2, column);
}

/* Sets *x, *v of a free node within an adaptive step: quintic Hermite interpolation; of a
 * stiff node quartic, without its acceleration at the start. */
void ifbam_adaptive_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                          double time, double *x, double *v);

/* Sets *x, *v of a free node at a time after the step's start: cubic Hermite interpolation between
 * its island's time and prediction, the nearer end outside. */
static inline void
ifbam_island_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                   double time, double *x, double *v)
{
  double h, u, x0, x1, v0, v1;

  if (time <= island->time)
    {
      *x = self->nodes.x[node];
      *v = self->nodes.v[node];
      return;
    }
  if (time >= island->until)
    {
      *x = self->nodes.x1[node];
      *v = self->nodes.v1[node];
      return;
    }
  if (G_UNLIKELY (self->adaptive != NULL))
    {
      ifbam_adaptive_node (self, island, node, time, x, v);
      return;
    }
  h = island->until - island->time;
  u = (time - island->time) / h;
  x0 = self->nodes.x[node];
  x1 = self->nodes.x1[node];
  v0 = self->nodes.v[node];
  v1 = self->nodes.v1[node];
  *x = x0
       + u
             * (h * v0
                + u * ((3 * (x1 - x0) - h * (2 * v0 + v1)) + u * (h * (v0 + v1) - 2 * (x1 - x0))));
  *v = v0 + u * (2 * (3 * (x1 - x0) / h - 2 * v0 - v1) + 3 * u * (v0 + v1 - 2 * (x1 - x0) / h));
}

/* Returns whether a free node moves in its step; a state node: whether its state changes. */
static inline gboolean
ifbam_event_node_moves (const IfbamEventEngine *self, gsize node)
{
  return ifbam_model_is_state_node (self->base.model, node)
             ? self->nodes.v1[node] != self->nodes.v[node]
             : self->nodes.v[node] != 0 || self->nodes.v1[node] != 0
                   || self->nodes.x1[node] != self->nodes.x[node];
}

/* event-engine-internal.c: activity of constraints, interpolation of nodes, magnitude scales
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-engine-internal.h"

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

gboolean
ifbam_link_is_active (const IfbamEventEngine *self, guint32 number)
{
  const IfbamConstraint relation = ifbam_link_constraint (self, number);

  return ifbam_constraint_is_active (&relation, self->links.state[number].mode)
         && !self->links.state[number].is_prevented;
}

gboolean
ifbam_link_couples (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamConstraint relation = ifbam_link_constraint (self, number);

  return ifbam_constraint_is_active (&relation, self->links.state[number].mode)
         || (link->law->force != NULL && !relation.idle);
}

void
ifbam_event_node_at (const IfbamEventEngine *self, guint32 node, double time, double *x, double *v)
{
  const guint32 number = ifbam_island_of (self, node);

  if (number == IFBAM_NONE)
    {
      IfbamMotion motion =
          ifbam_event_motion_now (self, node, ifbam_event_absolute_time (self, time));

      *x = motion.position;
      *v = motion.rate;
      return;
    }
  ifbam_island_node (self, ifbam_island (self, number), node, time, x, v);
}

double
ifbam_link_estimate (const IfbamEventEngine *self, guint32 number, double time, double *delta)
{
  const IfbamLink *link = ifbam_link (self, number);
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS];

  for (guint e = 0; e < link->n_ports; e++)
    ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_measure_at (link, x, v, delta, row);
}

const void *
ifbam_link_parameters_estimate (const IfbamEventEngine *self, guint32 number, double time,
                                double *room)
{
  const IfbamLink *link = ifbam_link (self, number);
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

  for (guint e = 0; e < link->n_ports + link->n_states && link->n_states > 0; e++)
    ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_parameters (link, x, v, ifbam_link_pressing (self, link), room);
}

guint
ifbam_event_link_islands (const IfbamEventEngine *self, guint32 number, guint32 *islands)
{
  const IfbamLink *link = ifbam_link (self, number);
  guint32 last = IFBAM_NONE;
  guint n = 0;

  if (self->components.of_link[number] != IFBAM_NONE)
    {
      islands[0] = ifbam_component (self, self->components.of_link[number])->island;
      return 1;
    }
  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 component = self->components.of_node[link->node[e]];
      guint32 island;
      gboolean known = FALSE;

      /* The coordinates of a body are consecutive, mostly in the component that was found last. */
      if (component == IFBAM_NONE || component == last)
        continue;
      last = component;
      island = ifbam_component (self, component)->island;

      for (guint k = 0; k < n; k++)
        known |= islands[k] == island;
      if (!known)
        islands[n++] = island;
    }
  return n;
}

static void
set_floors (const IfbamEventEngine *self, IfbamMagnitudes *scale)
{
  const double largest = MAX (scale->position, scale->arc);

  /* Within a step a coordinate may grow to the distance that the highest rate covers. */
  scale->position_threshold = 12 * DBL_EPSILON * MAX (largest, scale->rate * self->base.spec->step);
  scale->rate_threshold = 16 * DBL_EPSILON * (scale->rate + largest / self->base.spec->step);
}

void
ifbam_magnitudes_include (const IfbamEventEngine *self, IfbamMagnitudes *scale, double position,
                          double rate)
{
  if (position <= scale->position && rate <= scale->rate)
    return;
  scale->position = MAX (scale->position, position);
  scale->rate = MAX (scale->rate, rate);
  set_floors (self, scale);
}

void
ifbam_magnitudes_include_angle (const IfbamEventEngine *self, IfbamMagnitudes *scale, double way)
{
  if (way <= scale->arc)
    return;
  scale->arc = way;
  set_floors (self, scale);
}

static inline void
widen (const IfbamEventEngine *self, guint32 cluster, gsize node)
{
  IfbamMagnitudes *scales = &self->clusters.magnitudes[cluster * IFBAM_N_DOMAINS];
  IfbamMagnitudes *scale = &scales[self->clusters.node_domain[node]];
  const double position = fabs (self->nodes.x[node]), rate = fabs (self->nodes.v[node]);

  if (self->clusters.lever[node] > 0)
    ifbam_magnitudes_include_angle (self, &scales[IFBAM_DOMAIN_TRANSLATION],
                                    self->clusters.lever[node] * position);
  if (!(position <= scale->position && rate <= scale->rate)) /* true for few nodes */
    ifbam_magnitudes_include (self, scale, position, rate);
}

void
ifbam_magnitudes_include_node (IfbamEventEngine *self, guint32 node)
{
  widen (self, self->clusters.of[self->components.of_node[node]], node);
}

void
ifbam_magnitudes_include_given (IfbamEventEngine *self, guint32 component, guint32 node)
{
  widen (self, self->clusters.of[component], node);
}

void
ifbam_event_update_thresholds (IfbamEventEngine *self)
{
  const gboolean all =
      self->base.model->n_nodes <= IFBAM_FEW_NODES || self->step % IFBAM_MAGNITUDE_SAMPLES == 0;

  for (guint32 k = 0; k < self->clusters.n; k++)
    {
      const IfbamCluster *cluster = &self->clusters.list[k];

      for (guint i = 0; i < cluster->nodes->len; i++)
        widen (self, k, g_array_index (cluster->nodes, guint32, i));
      for (guint i = 0; i < cluster->components->len && all && !cluster->is_small; i++)
        {
          const IfbamComponent *component =
              ifbam_component (self, g_array_index (cluster->components, guint32, i));

          IFBAM_FOR_NODES (range, component)
          for (gsize node = range->first; node < range->last; node++)
            widen (self, k, node);
          IFBAM_FOR_LIST (node, component, givens)
          widen (self, k, *node);
        }
    }
}

void
ifbam_adaptive_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                     double time, double *x, double *v)
{
  const double h = island->until - island->time, u = (time - island->time) / h;
  const double x0 = self->nodes.x[node], v0 = h * self->nodes.v[node],
               a0 = 0.5 * h * h * self->nodes.a[node];
  const double x1 = self->nodes.x1[node], v1 = h * self->nodes.v1[node],
               a1 = h * h * self->nodes.a1[node];
  const double far = x1 - x0 - v0 - a0, fast = v1 - v0 - 2 * a0, bent = a1 - 2 * a0;
  const double c3 = 10 * far - 4 * fast + 0.5 * bent, c4 = -15 * far + 7 * fast - bent,
               c5 = 6 * far - 3 * fast + 0.5 * bent;

  *x = x0 + u * (v0 + u * (a0 + u * (c3 + u * (c4 + u * c5))));
  *v = (v0 + u * (2 * a0 + u * (3 * c3 + u * (4 * c4 + u * (5 * c5))))) / h;
}

/* event-engine-internal.c: activity of constraints, interpolation of nodes, magnitude scales
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-engine-internal.h"

gboolean
ifbam_relation_holds (const IfbamRelation *relation, int mode)
{
  switch (relation->kind)
    {
    case IFBAM_RELATION_CONTACT:
    case IFBAM_RELATION_ONE_WAY:
      return mode == IFBAM_MODE_HELD;
    case IFBAM_RELATION_RIGID:
    case IFBAM_RELATION_FIXED:
      return TRUE;
    case IFBAM_RELATION_FRICTION:
      return mode == IFBAM_MODE_STUCK;
    case IFBAM_RELATION_NONE:
    default:
      return FALSE;
    }
}

gboolean
ifbam_link_holds (const IfbamEventEngine *self, guint32 number)
{
  const IfbamRelation relation = ifbam_link_relation (self, number);

  return ifbam_relation_holds (&relation, self->link[number].mode) && !self->link[number].pinned;
}

gboolean
ifbam_link_couples (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamRelation relation = ifbam_link_relation (self, number);

  return ifbam_relation_holds (&relation, self->link[number].mode)
         || (link->law->force != NULL && !relation.idle);
}

void
ifbam_event_node (const IfbamEventEngine *self, guint32 node, double time, double *x, double *v)
{
  const guint32 number = ifbam_island_of (self, node);

  if (number == IFBAM_NONE)
    {
      IfbamMotion motion = ifbam_event_given_now (self, node, ifbam_event_after (self, time));

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
    ifbam_event_node (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_hear (link, x, v, delta, row);
}

const void *
ifbam_link_numbers_estimate (const IfbamEventEngine *self, guint32 number, double time,
                             double *room)
{
  const IfbamLink *link = ifbam_link (self, number);
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

  for (guint e = 0; e < link->n_ports + link->n_states && link->n_states > 0; e++)
    ifbam_event_node (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_numbers (link, x, v, ifbam_link_pressing (self, link), room);
}

guint
ifbam_event_link_islands (const IfbamEventEngine *self, guint32 number, guint32 *islands)
{
  const IfbamLink *link = ifbam_link (self, number);
  guint32 last = IFBAM_NONE;
  guint n = 0;

  if (self->home[number] != IFBAM_NONE)
    {
      islands[0] = ifbam_component (self, self->home[number])->island;
      return 1;
    }
  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 component = self->component_of[link->node[e]];
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
set_floors (const IfbamEventEngine *self, IfbamExtent *extent)
{
  const double largest = MAX (extent->largest, extent->turned);

  /* Within a step a coordinate may grow to the distance that the highest rate covers. */
  extent->position_floor =
      12 * DBL_EPSILON * MAX (largest, extent->fastest * self->base.spec->step);
  extent->rate_floor = 16 * DBL_EPSILON * (extent->fastest + largest / self->base.spec->step);
}

void
ifbam_event_extend (const IfbamEventEngine *self, IfbamExtent *extent, double position, double rate)
{
  if (position <= extent->largest && rate <= extent->fastest)
    return;
  extent->largest = MAX (extent->largest, position);
  extent->fastest = MAX (extent->fastest, rate);
  set_floors (self, extent);
}

void
ifbam_event_turn (const IfbamEventEngine *self, IfbamExtent *extent, double way)
{
  if (way <= extent->turned)
    return;
  extent->turned = way;
  set_floors (self, extent);
}

static inline void
widen (const IfbamEventEngine *self, guint32 cluster, gsize node)
{
  IfbamExtent *extents = &self->extent[cluster * IFBAM_N_DOMAINS];
  IfbamExtent *extent = &extents[self->domain[node]];
  const double position = fabs (self->x[node]), rate = fabs (self->v[node]);

  if (self->lever[node] > 0)
    ifbam_event_turn (self, &extents[IFBAM_DOMAIN_TRANSLATION], self->lever[node] * position);
  if (!(position <= extent->largest && rate <= extent->fastest)) /* true for few nodes */
    ifbam_event_extend (self, extent, position, rate);
}

void
ifbam_event_widen (IfbamEventEngine *self, guint32 node)
{
  widen (self, self->cluster_of[self->component_of[node]], node);
}

void
ifbam_event_widen_given (IfbamEventEngine *self, guint32 component, guint32 node)
{
  widen (self, self->cluster_of[component], node);
}

void
ifbam_event_floors (IfbamEventEngine *self)
{
  const gboolean all =
      self->base.model->n_nodes <= IFBAM_FEW_EXTENTS || self->step % IFBAM_EXTENT_ROWS == 0;

  for (guint32 k = 0; k < self->n_clusters; k++)
    {
      const IfbamCluster *cluster = &self->clusters[k];

      for (guint i = 0; i < cluster->nodes->len; i++)
        widen (self, k, g_array_index (cluster->nodes, guint32, i));
      for (guint i = 0; i < cluster->components->len && all && !cluster->few; i++)
        {
          const IfbamComponent *component =
              ifbam_component (self, g_array_index (cluster->components, guint32, i));

          IFBAM_FOR_NODES (stretch, component)
          for (gsize node = stretch->first; node < stretch->last; node++)
            widen (self, k, node);
          IFBAM_FOR_LIST (node, component, givens)
          widen (self, k, *node);
        }
    }
}

void
ifbam_pace_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node, double time,
                 double *x, double *v)
{
  const double h = island->until - island->time, u = (time - island->time) / h;
  const double x0 = self->x[node], v0 = h * self->v[node], a0 = 0.5 * h * h * self->a[node];
  const double x1 = self->x1[node], v1 = h * self->v1[node], a1 = h * h * self->a1[node];
  const double far = x1 - x0 - v0 - a0, fast = v1 - v0 - 2 * a0, bent = a1 - 2 * a0;
  const double c3 = 10 * far - 4 * fast + 0.5 * bent, c4 = -15 * far + 7 * fast - bent,
               c5 = 6 * far - 3 * fast + 0.5 * bent;

  *x = x0 + u * (v0 + u * (a0 + u * (c3 + u * (c4 + u * c5))));
  *v = (v0 + u * (2 * a0 + u * (3 * c3 + u * (4 * c4 + u * (5 * c5))))) / h;
}

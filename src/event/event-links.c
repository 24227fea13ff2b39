/* event-links.c: unbatched links: activity, islands and state at any time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-links.h"

void
ifbam_event_links_init (IfbamEventLinks *self, const IfbamModel *model)
{
  const guint n = model->unbatched_links->len;

  self->unbatched = (const IfbamLink *) (gconstpointer) model->unbatched_links->data;
  for (guint j = 0; j < n && self->own == NULL; j++)
    if (self->unbatched[j].geometry->direction > 0)
      self->unbatched = self->aimed = self->own =
          g_memdup2 (model->unbatched_links->data, n * sizeof (IfbamLink));
  self->state = g_new0 (IfbamLinkState, n + 1);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->is_pulsing = g_new0 (guint8, n + 1);
  for (guint32 j = 0; j < n; j++)
    self->is_pulsing[j] = ifbam_model_is_pulsing (model, j);
}

void
ifbam_event_links_clear (IfbamEventLinks *self)
{
  gpointer arrays[] = { self->state,           self->own,        self->is_pulsing,
                        self->node_ends,       self->node_start, self->node_force_ends,
                        self->node_force_start };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  g_array_unref (self->nodes);
}

gboolean
ifbam_link_is_active (const IfbamEventEngine *self, guint32 index)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);

  return ifbam_constraint_is_active (&constraint, self->links.state[index].mode)
         && !self->links.state[index].is_prevented;
}

gboolean
ifbam_link_couples (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);

  return ifbam_constraint_is_active (&constraint, self->links.state[index].mode)
         || (link->law->force != NULL && !constraint.idle);
}

void
ifbam_event_node_at (const IfbamEventEngine *self, guint32 node, double time, double *x, double *v)
{
  const guint32 index = ifbam_island_of (self, node);

  if (index == IFBAM_NONE)
    {
      IfbamMotion motion = ifbam_event_motion_now (self, node, ifbam_event_time_at (self, time));

      *x = motion.position;
      *v = motion.rate;
      return;
    }
  ifbam_island_node (self, ifbam_island (self, index), node, time, x, v);
}

double
ifbam_link_estimate (const IfbamEventEngine *self, guint32 index, double time, double *delta)
{
  const IfbamLink *link = ifbam_link (self, index);
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS];

  for (guint e = 0; e < link->n_ports; e++)
    ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_measure_at (link, x, v, delta, row);
}

const void *
ifbam_link_parameters_estimate (const IfbamEventEngine *self, guint32 index, double time,
                                double *room)
{
  const IfbamLink *link = ifbam_link (self, index);
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

  for (guint e = 0; e < link->n_ports + link->n_states && link->n_states > 0; e++)
    ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_parameters (link, x, v, ifbam_link_pressing_mode (self, link), room);
}

gboolean
ifbam_link_is_rigid_on_line (const IfbamEventEngine *self, guint32 index)
{
  return ifbam_constraint_is_bilateral (ifbam_link_constraint (self, index).kind)
         && ifbam_link (self, index)->geometry->straight;
}

gboolean
ifbam_link_is_driven (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  double delta, row[IFBAM_MAX_PORTS];
  gboolean has_row = FALSE, has_free = FALSE;

  ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
  for (guint e = 0; e < link->n_ports; e++)
    {
      const gboolean is_free = link->node[e] < self->base.model->n_free;

      if (row[e] != 0 && is_free)
        return FALSE;
      has_row |= row[e] != 0;
      has_free |= is_free;
    }
  return has_row || !has_free; /* without a slip, the row of a planar friction is 0 */
}

gboolean
ifbam_link_has_massless_node (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < self->base.model->n_free
        && ifbam_model_is_junction (self->base.model, link->node[e]))
      return TRUE;
  return FALSE;
}

guint
ifbam_event_link_islands (const IfbamEventEngine *self, guint32 index, guint32 *islands)
{
  const IfbamLink *link = ifbam_link (self, index);
  guint32 last = IFBAM_NONE;
  guint n = 0;

  if (self->components.of_link[index] != IFBAM_NONE)
    {
      islands[0] = ifbam_component (self, self->components.of_link[index])->island;
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

void
ifbam_adaptive_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                     double time, double *x, double *v)
{
  const double h = island->until - island->time, u = (time - island->time) / h;
  const double x0 = self->nodes.x[node], v0 = h * self->nodes.v[node];
  const double x1 = self->nodes.x1[node], v1 = h * self->nodes.v1[node],
               a1 = h * h * self->nodes.a1[node];
  const double quartic = 6 * (x1 - x0) - 3 * (v0 + v1) + 0.5 * a1;
  const double begun = 0.5 * h * h * self->nodes.a[node];
  /* The first acceleration of a stiff node may decay at once: then the quartic without it is taken. */
  const gboolean decays =
      self->scheme->implicit != NULL && 2 * fabs (begun - quartic) > fabs (v1 - v0) + fabs (a1);
  const double a0 = decays ? quartic : begun;
  const double far = x1 - x0 - v0 - a0, fast = v1 - v0 - 2 * a0, bent = a1 - 2 * a0;
  const double c3 = 10 * far - 4 * fast + 0.5 * bent, c4 = -15 * far + 7 * fast - bent,
               c5 = 6 * far - 3 * fast + 0.5 * bent;

  *x = x0 + u * (v0 + u * (a0 + u * (c3 + u * (c4 + u * c5))));
  *v = (v0 + u * (2 * a0 + u * (3 * c3 + u * (4 * c4 + u * (5 * c5))))) / h;
}

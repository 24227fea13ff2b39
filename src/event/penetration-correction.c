/* penetration-correction.c: removes penetrations that rounding causes at open contacts
 *
 * A node that moves along with a wall without a force between them has an open contact: no event
 * occurs. Rounding errors of both positions differ and grow with each step. Beyond the rounding
 * threshold the node is moved back, as are the nodes that it then penetrates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/penetration-correction.h"

#include "event/event-engine-internal.h"
#include "event/event-links.h"
#include "event/event-log.h"

/* A penetrating contact, and the port index of the endpoint that is moved away. */
typedef struct
{
  guint32 link;
  guint end;
} Correction;

void
ifbam_event_add_penetration (IfbamEventEngine *self, guint32 index)
{
  if (ifbam_link (self, index)->geometry->straight
      && ifbam_link_constraint (self, index).kind == IFBAM_CONSTRAINT_CONTACT)
    g_array_append_val (self->candidates.penetrating, index);
}

/* Returns the penetration of an open straight contact [m]; 0 for all other constraints. */
static double
penetration_depth (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  double delta, row[IFBAM_MAX_PORTS];

  if (constraint.kind != IFBAM_CONSTRAINT_CONTACT || !link->geometry->straight
      || ifbam_link_is_active (self, index))
    return 0;
  ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
  return fmax (0, delta - constraint.gap);
}

static gboolean
is_above_threshold (const IfbamEventEngine *self, guint32 index)
{
  return penetration_depth (self, index) > ifbam_event_magnitudes (self, index)->position_threshold;
}

/* Lists the nodes that move with a node, itself included; none if the node can't be moved. */
static void
list_body (const IfbamEventEngine *self, guint32 node, GArray *body)
{
  const IfbamIsland *island;
  guint32 leader = IFBAM_NONE;

  ifbam_array_clear (body);
  if (self->nodes.inverse_mass[node] == 0)
    return;
  island = ifbam_island (self, ifbam_island_of (self, node));
  for (guint i = 0; island->rows != NULL && island->rows->len > 0 && i < island->merged->len; i++)
    if (g_array_index (island->merged, IfbamMergedNode, i).node == node)
      leader = g_array_index (island->merged, IfbamMergedNode, i).leader;
  if (leader == IFBAM_NONE)
    {
      g_array_append_val (body, node);
      return;
    }
  if (self->nodes.inverse_mass[leader] == 0)
    return;
  for (guint i = 0; i < island->merged->len; i++)
    if (g_array_index (island->merged, IfbamMergedNode, i).leader == leader)
      g_array_append_val (body, g_array_index (island->merged, IfbamMergedNode, i).node);
}

static void
shift_node (IfbamEventEngine *self, guint32 node, double by)
{
  self->nodes.x[node] += by;
  ifbam_event_set_evaluator_node (self, node, self->nodes.x, self->nodes.v);
  if (!self->latency)
    return;
  /* Positions of this cycle and of the one before, so that rates do not change. */
  self->history.column[0][node] += by;
  self->history.column[2][node] += by;
  ifbam_event_set_evaluator_node (self, node, self->history.column[0], self->history.column[2]);
}

void
ifbam_event_correct_penetration (IfbamEventEngine *self)
{
  g_autoptr (GArray) queue = NULL;
  g_autoptr (GArray) body = NULL;
  gsize most;

  if (self->candidates.penetrating->len == 0)
    return;
  queue = g_array_new (FALSE, FALSE, sizeof (Correction));
  body = g_array_new (FALSE, FALSE, sizeof (guint32));
  /* The endpoint with the smaller mass moves, or the second one of equals. */
  for (guint i = 0; i < self->candidates.penetrating->len; i++)
    {
      Correction lift = { .link = g_array_index (self->candidates.penetrating, guint32, i) };
      const guint32 *node = ifbam_link (self, lift.link)->node;

      lift.end = self->nodes.inverse_mass[node[1]] >= self->nodes.inverse_mass[node[0]];
      if (is_above_threshold (self, lift.link))
        g_array_append_val (queue, lift);
    }
  ifbam_array_clear (self->candidates.penetrating);
  most = queue->len + (gsize) self->limits.corrections * self->base.model->unbatched_links->len;
  for (guint i = 0; i < queue->len; i++)
    {
      Correction lift = g_array_index (queue, Correction, i);
      const double deep = penetration_depth (self, lift.link);
      double by;

      if (i >= most && is_above_threshold (self, lift.link))
        {
          ifbam_event_fail (self, 0, &lift.link, 1, "overlaps of rounding at ",
                            " can't be taken back: there is no room left");
          return;
        }
      if (i >= most)
        continue;
      list_body (self, ifbam_link (self, lift.link)->node[lift.end], body);
      if (body->len == 0)
        {
          /* This endpoint can't be moved: the other one moves back. */
          lift.end = 1 - lift.end;
          list_body (self, ifbam_link (self, lift.link)->node[lift.end], body);
        }
      by = lift.end == 0 ? -deep : deep;
      for (guint k = 0; k < body->len; k++)
        shift_node (self, g_array_index (body, guint32, k), by);
      for (guint k = 0; k < body->len; k++)
        {
          const guint32 member = g_array_index (body, guint32, k);

          for (guint32 p = self->links.node_start[member]; p < self->links.node_start[member + 1];
               p++)
            {
              const Correction next = { ifbam_endpoint_link (self->links.node_ends[p]),
                                        1 - ifbam_endpoint_port (self->links.node_ends[p]) };

              if (by != 0 && is_above_threshold (self, next.link))
                g_array_append_val (queue, next);
            }
        }
    }
}

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
#include "event/event-log.h"

/* A penetrating contact, and the port index of the endpoint that is moved away. */
typedef struct
{
  guint32 link;
  guint end;
} Lift;

void
ifbam_event_note_overlap (IfbamEventEngine *self, guint32 number)
{
  if (ifbam_link (self, number)->geometry->straight
      && ifbam_link_relation (self, number).kind == IFBAM_RELATION_CONTACT)
    g_array_append_val (self->sunk, number);
}

/* Returns the penetration of an open straight contact [m]; 0 for all other constraints. */
static double
depth (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamRelation relation = ifbam_link_relation (self, number);
  double delta, row[IFBAM_MAX_PORTS];

  if (relation.kind != IFBAM_RELATION_CONTACT || !link->geometry->straight
      || ifbam_link_holds (self, number))
    return 0;
  ifbam_link_measure (link, self->x, self->v, &delta, row);
  return fmax (0, delta - relation.gap);
}

static gboolean
is_deep (const IfbamEventEngine *self, guint32 number)
{
  return depth (self, number) > ifbam_event_extent (self, number)->position_floor;
}

/* Lists the nodes that move with a node, itself included; none if the node can't be moved. */
static void
list_body (const IfbamEventEngine *self, guint32 node, GArray *body)
{
  const IfbamIsland *island;
  guint32 leader = IFBAM_NONE;

  ifbam_empty (body);
  if (self->mobility[node] == 0)
    return;
  island = ifbam_island (self, ifbam_island_of (self, node));
  for (guint i = 0; island->rows != NULL && island->rows->len > 0 && i < island->held->len; i++)
    if (g_array_index (island->held, IfbamHeld, i).node == node)
      leader = g_array_index (island->held, IfbamHeld, i).leader;
  if (leader == IFBAM_NONE)
    {
      g_array_append_val (body, node);
      return;
    }
  if (self->mobility[leader] == 0)
    return;
  for (guint i = 0; i < island->held->len; i++)
    if (g_array_index (island->held, IfbamHeld, i).leader == leader)
      g_array_append_val (body, g_array_index (island->held, IfbamHeld, i).node);
}

static void
shift (IfbamEventEngine *self, guint32 node, double by)
{
  self->x[node] += by;
  IFBAM_TELL (self, impose, node, self->x);
  if (!self->latency)
    return;
  /* Positions of this cycle and of the one before, so that rates do not change. */
  self->column[0][node] += by;
  self->column[2][node] += by;
  IFBAM_TELL (self, impose, node, self->column[0]);
  IFBAM_TELL (self, impose, node, self->column[2]);
}

void
ifbam_event_lift (IfbamEventEngine *self)
{
  g_autoptr (GArray) queue = NULL;
  g_autoptr (GArray) body = NULL;
  gsize most;

  if (self->sunk->len == 0)
    return;
  queue = g_array_new (FALSE, FALSE, sizeof (Lift));
  body = g_array_new (FALSE, FALSE, sizeof (guint32));
  /* The endpoint with the smaller mass moves, or the second one of equals. */
  for (guint i = 0; i < self->sunk->len; i++)
    {
      Lift lift = { .link = g_array_index (self->sunk, guint32, i) };
      const guint32 *node = ifbam_link (self, lift.link)->node;

      lift.end = self->mobility[node[1]] >= self->mobility[node[0]];
      if (is_deep (self, lift.link))
        g_array_append_val (queue, lift);
    }
  ifbam_empty (self->sunk);
  most = queue->len + (gsize) self->limits.lifts * self->base.model->singles->len;
  for (guint i = 0; i < queue->len; i++)
    {
      Lift lift = g_array_index (queue, Lift, i);
      const double deep = depth (self, lift.link);
      double by;

      if (i >= most && is_deep (self, lift.link))
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
        shift (self, g_array_index (body, guint32, k), by);
      for (guint k = 0; k < body->len; k++)
        {
          const guint32 member = g_array_index (body, guint32, k);

          for (guint32 p = self->node_link_start[member]; p < self->node_link_start[member + 1];
               p++)
            {
              const Lift next = { ifbam_end_link (self->node_link[p]),
                                  1 - ifbam_end_port (self->node_link[p]) };

              if (by != 0 && is_deep (self, next.link))
                g_array_append_val (queue, next);
            }
        }
    }
}

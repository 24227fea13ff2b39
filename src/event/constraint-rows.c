/* constraint-rows.c: rows of constraints, their factors, and lists of bilateral ones
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/constraint-rows.h"

#include <string.h>

#include "event/event-context.h"
#include "event/event-links.h"

#define MIN_REACTION_RATIO                                                                         \
  1e-12 /* of J M^-1 J^T: the least J M^-1 P^T of a contact that can react */

void
ifbam_link_row (const IfbamEventEngine *self, guint32 index, double share, IfbamConstraintRow *row)
{
  const IfbamLink *link = ifbam_link (self, index);

  row->n_ports = link->n_ports;
  memcpy (row->node, link->node, sizeof row->node);
  memcpy (row->row, self->links.state[index].row, sizeof row->row);
  memcpy (row->pull, self->links.state[index].row, sizeof row->pull);
  row->askew = FALSE;
  row->share = share;
}

double
ifbam_link_row_share (const IfbamEventEngine *self, guint32 index)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);

  return constraint.kind == IFBAM_CONSTRAINT_FRICTION && constraint.breakaway > 0
             ? constraint.breakaway
             : 1;
}

/* Adds a sliding friction to the force direction of its carrier's row. */
static void
add_slip (const IfbamEventEngine *self, guint32 carried, guint32 index, IfbamConstraintRow *row)
{
  const double slip = ifbam_link_slip_on (self, carried, index);

  for (guint e = 0; e < row->n_ports && slip != 0; e++)
    row->pull[e] += slip * self->links.state[carried].row[e];
  row->askew |= slip != 0;
}

void
ifbam_link_force_direction_in_plane (const IfbamEventEngine *self, guint32 index,
                                     IfbamConstraintRow *row)
{
  IFBAM_FOR_CARRIED (carried, index)
  if (ifbam_link_is_in_plane (ifbam_link (self, carried)))
    add_slip (self, carried, index, row);
}

gboolean
ifbam_link_force_direction (const IfbamEventEngine *self, guint32 index, IfbamConstraintRow *row)
{
  double own = 0, moved = 0;

  IFBAM_FOR_CARRIED (carried, index)
  add_slip (self, carried, index, row);
  for (guint e = 0; e < row->n_ports && row->askew; e++)
    {
      own += row->row[e] * row->row[e] * self->nodes.inverse_mass[row->node[e]];
      moved += row->row[e] * row->pull[e] * self->nodes.inverse_mass[row->node[e]];
    }
  return !row->askew || moved > MIN_REACTION_RATIO * own;
}

void
ifbam_link_measure_rows_at (IfbamEventEngine *self, guint32 index, const double *x, const double *v)
{
  double delta;

  ifbam_link_measure_at (ifbam_link (self, index), x, v, &delta, self->links.state[index].row);
  IFBAM_FOR_CARRIED (carried, index)
  ifbam_link_measure_at (ifbam_link (self, carried), x, v, &delta, self->links.state[carried].row);
}

void
ifbam_event_measure_carried (IfbamEventEngine *self, guint32 index, const double *position,
                             const double *rate)
{
  double delta;

  IFBAM_FOR_CARRIED (carried, index)
  ifbam_link_measure (ifbam_link (self, carried), position, rate, &delta,
                      self->links.state[carried].row);
}

void
ifbam_link_measure_rows (IfbamEventEngine *self, guint32 index, const double *position,
                         const double *rate)
{
  double delta;

  ifbam_link_measure (ifbam_link (self, index), position, rate, &delta,
                      self->links.state[index].row);
  ifbam_event_measure_carried (self, index, position, rate);
}

void
ifbam_event_factor_rows (const IfbamEventEngine *self, IfbamIsland *island, gboolean pulls)
{
  const guint n = island->rows->len;
  IfbamConstraintRow *rows = ifbam_constraint_system_rows (&island->system, n);
  gboolean known = !island->rows_changed || island->system.n == n;

  if (island->rows_changed && island->redundant != NULL)
    g_array_set_size (island->redundant, 0);

  for (guint i = 0; i < n; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const double *row = self->links.state[index].row;

      if (island->rows_changed)
        {
          known = known && rows[i].n_ports == link->n_ports
                  && memcmp (rows[i].node, link->node, link->n_ports * sizeof *link->node) == 0;
          ifbam_link_row (self, index, ifbam_link_row_share (self, index), &rows[i]);
        }
      for (guint e = 0; e < link->n_ports; e++)
        {
          IFBAM_SCALAR_LOOP;
          rows[i].row[e] = rows[i].pull[e] = row[e];
        }
      rows[i].askew = FALSE;
      if (pulls && link->carries)
        ifbam_link_force_direction (self, index, &rows[i]);
    }
  island->rows_changed = FALSE;
  island->system.even = ifbam_island_shares_evenly (island);
  ifbam_constraint_system_factor (&island->system, n, known && n > 1, self->nodes.inverse_mass,
                                  self->nodes.scratch);
}

void
ifbam_event_factor_towards (IfbamEventEngine *self, IfbamIsland *island, const double *x,
                            const double *v, gboolean pulls)
{
  IfbamConstraintRow *rows = ifbam_constraint_system_rows (&island->system, island->rows->len);

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      double delta;

      ifbam_link_row (self, index, rows[i].share, &rows[i]);
      if (pulls)
        ifbam_link_force_direction (self, index, &rows[i]);
      ifbam_link_measure (ifbam_link (self, index), x, v, &delta, rows[i].row);
      rows[i].askew = TRUE;
    }
  ifbam_constraint_system_factor (&island->system, island->rows->len, TRUE,
                                  self->nodes.inverse_mass, self->nodes.scratch);
}

double
ifbam_event_row_acceleration (const IfbamEventEngine *self, const IfbamLink *link,
                              const double *row, gboolean has_given, double time)
{
  const double *force = self->nodes.force, *inverse_mass = self->nodes.inverse_mass;
  const gsize n_free = self->base.model->n_free;
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      IFBAM_SCALAR_LOOP;
      sum += row[e]
             * (node < n_free ? force[node] * inverse_mass[node]
                : has_given   ? ifbam_parameter_values_motion (self->base.numbers, node, time)[2]
                              : 0);
    }
  return sum;
}

GArray *
ifbam_event_list_bilateral (IfbamEventEngine *self)
{
  self->context->n_transmitting_lists++;
  return ifbam_array_reuse (&self->context->transmitting, sizeof (guint32));
}

/* Returns the bilateral constraints of the network: islands have no rows yet at the start. */
static const GArray *
list_bilateral (IfbamEventEngine *self)
{
  GArray *all = self->context->bilateral;

  if (all != NULL)
    return all;
  all = ifbam_array_reuse (&self->context->bilateral, sizeof (guint32));
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    if (ifbam_constraint_is_bilateral (ifbam_link_constraint (self, j).kind))
      g_array_append_val (all, j);
  return all;
}

gboolean
ifbam_event_has_bilateral (IfbamEventEngine *self, guint32 index)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);
  gboolean tied = self->starting && list_bilateral (self)->len > 0;

  for (guint k = 0; k < n; k++)
    tied |= ifbam_island (self, islands[k])->has_fixed;
  return tied;
}

void
ifbam_event_add_bilateral (IfbamEventEngine *self, const guint32 *nodes, guint n)
{
  if (self->starting && self->context->transmitting->len == 0 && list_bilateral (self)->len > 0)
    g_array_append_vals (self->context->transmitting, list_bilateral (self)->data,
                         list_bilateral (self)->len);
  for (guint e = 0; e < n; e++)
    {
      const guint32 index = ifbam_island_of (self, nodes[e]);
      IfbamIsland *island = index == IFBAM_NONE ? NULL : ifbam_island (self, index);

      if (island == NULL || island->rows == NULL
          || island->bilateral_list == self->context->n_transmitting_lists || self->starting)
        continue;
      island->bilateral_list = self->context->n_transmitting_lists;
      for (guint i = 0; i < island->rows->len; i++)
        if (ifbam_constraint_is_bilateral (
                ifbam_link_constraint (self, g_array_index (island->rows, guint32, i)).kind))
          g_array_append_val (self->context->transmitting,
                              g_array_index (island->rows, guint32, i));
    }
}

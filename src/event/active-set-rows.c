/* active-set-rows.c: sets up and solves the contact problem of an active set
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/active-set-items.h"

#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/constraint-reactions.h"
#include "event/constraint-rows.h"
#include "event/load-sharing.h"
#include "event/contact-rows.h"
#include "event/event-coupled.h"
#include "event/event-links.h"
#include "event/event-log.h"

/* Frictions can't slip if other constraints leave less than this part of their inverse mass. */
#define PREVENTED_RATIO 1e-9

void
ifbam_active_set_compute_accelerations (const IfbamActiveSetSearch *search)
{
  IfbamEventEngine *self = search->self;

  for (guint i = 0; i < self->islands.affected->len; i++)
    ifbam_event_accelerations (self, g_array_index (self->islands.affected, guint32, i),
                               self->nodes.x, self->nodes.v,
                               ifbam_event_time_at (self, search->time), FALSE);
  for (guint i = 0; i < search->items->len; i++)
    ifbam_link_measure_rows (self, ifbam_active_set_item (search, i)->link, self->nodes.x,
                             self->nodes.v);
}

/* Returns the sum of the magnitudes of forces on a node, over its mass: the scale of rounding. */
static double
node_load (const IfbamEventEngine *self, guint32 node)
{
  const IfbamModel *model = self->base.model;
  double sum = fabs (self->nodes.acceleration[node]);

  if (self->nodes.inverse_mass[node] == 0)
    return sum;
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    sum += fabs (self->nodes.link_forces[model->port[p] >> 1]) * self->nodes.inverse_mass[node];
  for (guint32 p = self->links.node_start[node]; p < self->links.node_start[node + 1]; p++)
    {
      const IfbamLinkState *state =
          &self->links.state[ifbam_endpoint_link (self->links.node_ends[p])];

      sum += (fabs (state->force) + fabs (state->reaction)) * self->nodes.inverse_mass[node];
    }
  return sum;
}

/* Sets an item's acceleration without reactions. Returns the largest load on its nodes [m/s^2]. */
static double
start_item (const IfbamActiveSetSearch *search, IfbamActiveSetItem *item)
{
  const IfbamLink *link = ifbam_link (search->self, item->link);
  double load = 0;

  item->acceleration = item->free_acceleration = ifbam_link_acceleration (search->self, item->link);
  item->reaction = 0;
  for (guint e = 0; e < link->n_ports; e++)
    load = MAX (load, node_load (search->self, link->node[e]));
  return load;
}

/* Returns the row of an item's constraint: contacts may open, all other ones are bilateral. */
static IfbamContactRow
row_of_item (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  IfbamEventEngine *self = search->self;
  IfbamContactRow row = ifbam_contact_row_new (self, item->link, 0);

  if (!item->is_contact || self->links.state[item->link].is_suspended)
    row.kind = IFBAM_CONTACT_BILATERAL;
  if (item->is_active)
    row.piece = IFBAM_CONTACT_CLOSED;
  row.rhs[1] = item->acceleration;
  row.row.share = ifbam_link_row_share (self, item->link);
  return row;
}

/* Returns the rounding of accelerations; larger for an opening contact, which must not reclose. */
static double
acceleration_tolerance (const IfbamActiveSetItem *item, double rounding)
{
  return (item->is_opening ? 1e3 : 2) * rounding;
}

/* Returns IFBAM_CONTACT_EVENLY if redundant rows share loads by equal compliances, as in a step. */
static guint
get_sharing (const IfbamActiveSetSearch *search)
{
  gboolean has_fixed = FALSE, all_rigid = TRUE;

  for (guint i = 0; i < search->items->len; i++)
    {
      const guint32 link = ifbam_active_set_item (search, i)->link;

      has_fixed |= ifbam_link_constraint (search->self, link).kind == IFBAM_CONSTRAINT_FIXED;
      all_rigid = all_rigid && ifbam_link_is_rigid_on_line (search->self, link);
    }
  return has_fixed || all_rigid ? IFBAM_CONTACT_EVENLY : 0;
}

/* Whether an item is a friction along a line without carriers, and reactions change its slip. */
static gboolean
is_alone (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  return item->is_friction && item->n_carriers == 0 && !item->is_driven
         && !ifbam_active_set_is_in_plane (search, item);
}

/* Lets started frictions without carriers stick: the problem determines which ones start. */
static void
stop_starting (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    {
      IfbamLinkState *state = &search->self->links.state[ifbam_active_set_item (search, i)->link];

      if (!is_alone (search, ifbam_active_set_item (search, i)))
        continue;
      if (ifbam_friction_starts (state->mode))
        state->mode = IFBAM_MODE_STUCK;
      state->is_prevented = FALSE;
    }
}

/* Returns the preferred piece: a friction sticks, unless it was located at its bound. */
static IfbamContactPiece
preferred_piece (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  if (!item->is_at_bound || ifbam_active_set_is_in_plane (search, item))
    return IFBAM_CONTACT_CLOSED;
  return search->self->links.state[item->link].reaction > 0 ? IFBAM_CONTACT_FORWARD
                                                            : IFBAM_CONTACT_BACKWARD;
}

/* Sets the bound of a friction's row, and its slip rate if it slides. The piece of a planar
 * friction is given (it sticks while its carrier is active), as its bound is no box. */
static void
set_bound (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item, IfbamContactRow *row)
{
  IfbamEventEngine *self = search->self;
  const IfbamConstraint constraint = ifbam_link_constraint (self, item->link);
  const int mode = self->links.state[item->link].mode;
  const gboolean slides = mode == IFBAM_MODE_FORWARD || mode == IFBAM_MODE_BACKWARD;
  double delta;

  row->kind = IFBAM_CONTACT_FRICTION;
  row->is_given = ifbam_active_set_is_in_plane (search, item);
  row->piece = preferred_piece (search, item);
  if (row->n_carriers == 0)
    {
      row->limit = constraint.coulomb;
      row->rest_limit = constraint.breakaway;
      return;
    }
  row->friction = constraint.coulomb;
  row->rest_friction = constraint.breakaway;
  /* The force of a sliding friction's law includes the preload. */
  row->limit = slides ? 0 : constraint.preload;
  row->rest_limit = constraint.preload;
  if (slides)
    row->rhs[0] = ifbam_link_rate (self, item->link, &delta);
}

/* Sets a friction's carriers in its row. FALSE: one has no row, or the friction can't stick. */
static gboolean
has_friction_row (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item,
                  const guint *row_of, IfbamContactRow *row)
{
  if (item->is_driven)
    return FALSE;
  row->n_carriers = item->n_carriers;
  for (guint k = 0; k < row->n_carriers; k++)
    {
      row->carrier[k] = row_of[item->carrier[k]];
      if (row->carrier[k] == IFBAM_NONE)
        return FALSE;
    }
  return (row->n_carriers > 0 && !ifbam_active_set_is_in_plane (search, item))
         || search->self->links.state[item->link].mode == IFBAM_MODE_STUCK;
}

/* Sets the row of an item. FALSE: the item has no row. */
static gboolean
set_row (const IfbamActiveSetSearch *search, IfbamActiveSetItem *item, const guint *row_of,
         IfbamContactRow *row)
{
  IfbamEventEngine *self = search->self;

  *row = row_of_item (search, item);
  if (item->is_friction)
    item->can_be_active = has_friction_row (search, item, row_of, row);
  if (!item->can_be_active)
    return FALSE;
  if (item->is_friction)
    set_bound (search, item, row);
  if (ifbam_link (self, item->link)->carries)
    ifbam_link_force_direction_in_plane (self, item->link, &row->row);
  item->is_jammed = row->row.askew && item->is_contact
                    && !ifbam_event_has_reaction (self, item->link, self->nodes.x, self->nodes.v);
  if (item->is_jammed)
    item->is_active = FALSE;
  return !item->is_jammed;
}

/* Sets rows of two levels: slip rates, and accelerations without reactions. Returns their number.
 * place: item indices of the rows. *rounding: accelerations below it are rounding [m/s^2]. */
static guint
set_rows (const IfbamActiveSetSearch *search, IfbamContactRow *rows, guint *item_index,
          double *rounding)
{
  const guint all = search->items->len;
  IFBAM_SHORT_LIST (guint, row_of, all);
  double fastest = 1e-300, scale = 1e-300;
  guint n = 0;

  for (guint i = 0; i < all; i++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      row_of[i] = IFBAM_NONE;
      scale = MAX (scale, start_item (search, item));
      if (!set_row (search, item, row_of, &rows[n]))
        continue;
      fastest = MAX (fastest, fabs (rows[n].rhs[0]));
      item_index[n] = i;
      row_of[i] = n++;
    }
  *rounding = 1e-12 * scale;
  for (guint k = 0; k < n; k++)
    {
      rows[k].tolerance[0] = 1e-12 * fastest;
      rows[k].tolerance[1] =
          acceleration_tolerance (ifbam_active_set_item (search, item_index[k]), *rounding);
    }
  return n;
}

/* Sets the modes of frictions without slip by the pieces of their rows. If one without carriers
 * starts, its law's force replaces its reaction, and accelerations are computed again. */
static void
set_friction_modes (IfbamActiveSetSearch *search, const IfbamContactRow *rows,
                    const guint *item_index, guint n)
{
  gboolean starts = FALSE;

  for (guint k = 0; k < n; k++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, item_index[k]);
      int *mode = &search->self->links.state[item->link].mode;

      if (rows[k].kind != IFBAM_CONTACT_FRICTION || rows[k].is_given || rows[k].rhs[0] != 0)
        continue;
      *mode = rows[k].piece == IFBAM_CONTACT_FORWARD    ? IFBAM_MODE_STARTING_FORWARD
              : rows[k].piece == IFBAM_CONTACT_BACKWARD ? IFBAM_MODE_STARTING_BACKWARD
                                                        : IFBAM_MODE_STUCK;
      if (*mode == IFBAM_MODE_STUCK || !is_alone (search, item))
        continue;
      item->reaction = 0;
      starts = TRUE;
    }
  if (starts)
    ifbam_active_set_compute_accelerations (search);
}

/* Stores the reactions of rows, and adds their accelerations to those of all items. */
static void
store_reactions (IfbamActiveSetSearch *search, const IfbamContactRow *rows, const guint *item_index,
                 guint n)
{
  IfbamEventEngine *self = search->self;

  for (guint k = 0; k < n; k++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, item_index[k]);

      item->is_active = item->is_contact && rows[k].piece == IFBAM_CONTACT_CLOSED;
      item->reaction = rows[k].lambda[1];
      if (item->is_friction)
        item->can_be_active =
            rows[k].piece == IFBAM_CONTACT_CLOSED && ifbam_active_set_is_carried (search, item);
      ifbam_row_add_change (&rows[k].row, rows[k].lambda[1], self->nodes.inverse_mass,
                            self->context->change);
    }
  for (guint i = 0; i < search->items->len; i++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, i);
      const IfbamLink *link = ifbam_link (self, item->link);

      for (guint e = 0; e < link->n_ports; e++)
        item->acceleration -=
            self->links.state[item->link].row[e] * self->context->change[link->node[e]];
    }
  for (guint k = 0; k < n; k++)
    ifbam_row_clear_change (&rows[k].row, self->context->change);
}

/* Stores the directions of the reactions that bound sliding frictions with several carriers. */
static void
store_directions (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);
      double reaction[IFBAM_MAX_CARRIERS];

      if (item->n_carriers < 2 || ifbam_link_slip (search->self, item->link) == 0)
        continue;
      ifbam_active_set_get_carrier_reactions (search, item, reaction);
      ifbam_event_turn_carrier_direction (search->self, item->link, reaction);
    }
}

/* Adds the force P^T lambda of a row to the forces on its nodes, in context->change. */
static void
add_force (IfbamEventEngine *self, const IfbamConstraintRow *row, double lambda)
{
  for (guint e = 0; e < row->n_ports; e++)
    self->context->change[row->node[e]] += lambda * row->pull[e];
}

/* Whether other constraints keep a friction from slipping: its row is a combination of their force
 * directions (with sliding frictions), or they leave nothing of its acceleration. */
static gboolean
is_prevented_by_others (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *friction)
{
  IfbamEventEngine *self = search->self;
  IFBAM_SHORT_LIST (IfbamConstraintRow, rows, search->items->len + 1);
  IFBAM_SHORT_LIST (double, met, search->items->len);
  double *change = self->context->change;
  double own, left, square = 0;
  guint n = 0;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *other = ifbam_active_set_item (search, i);

      if (other == friction || !ifbam_active_set_item_has_reaction (other))
        continue;
      ifbam_link_row (self, other->link, 1, &rows[n]);
      if (ifbam_link (self, other->link)->carries)
        ifbam_link_force_direction (self, other->link, &rows[n]);
      n++;
    }
  ifbam_link_row (self, friction->link, 1, &rows[n]);
  own = left = ifbam_row_product (&rows[n], &rows[n], self->nodes.inverse_mass);
  for (guint i = 0; i < n; i++)
    met[i] = ifbam_row_product (&rows[i], &rows[n], self->nodes.inverse_mass);
  ifbam_constraint_system_set (&self->context->system, rows, n, self->nodes.inverse_mass,
                               self->nodes.scratch);
  ifbam_constraint_system_solve (&self->context->system, met, met);
  add_force (self, &rows[n], 1);
  for (guint i = 0; i < n; i++)
    {
      left -= ifbam_row_product (&rows[n], &rows[i], self->nodes.inverse_mass) * met[i];
      add_force (self, &rows[i], -met[i]);
    }
  for (guint i = 0; i <= n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      {
        const guint32 node = rows[i].node[e];

        square += change[node] * change[node] * self->nodes.inverse_mass[node];
        change[node] = 0;
      }
  /* The remaining forces count by their squares: those of nearly dependent rows are rounding. */
  return fabs (left) <= PREVENTED_RATIO * own || square <= PREVENTED_RATIO * own;
}

/* Unloads frictions at their bound that other constraints keep from slipping: they stick without a
 * reaction, since within a step redundant rows share loads regardless of bounds. */
static void
unload_frictions (const IfbamActiveSetSearch *search, const IfbamContactRow *rows,
                  const guint *item_index, guint n)
{
  for (guint k = 0; k < n; k++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, item_index[k]);
      IfbamLinkState *state = &search->self->links.state[item->link];

      if (rows[k].kind != IFBAM_CONTACT_FRICTION || rows[k].n_carriers > 0
          || rows[k].piece == IFBAM_CONTACT_CLOSED || fabs (rows[k].u[1]) > rows[k].tolerance[1]
          || !is_prevented_by_others (search, item))
        continue;
      state->mode = IFBAM_MODE_STUCK;
      state->is_prevented = TRUE;
    }
}

/* Applies and logs the impulses of the first level. */
static void
apply_impulses (const IfbamActiveSetSearch *search, const IfbamContactRow *rows,
                const guint *item_index, guint n)
{
  IfbamEventEngine *self = search->self;
  IFBAM_SHORT_LIST (IfbamLinkImpulse, all, n);

  for (guint k = 0; k < n; k++)
    all[k] =
        ifbam_link_impulse (ifbam_active_set_item (search, item_index[k])->link, rows[k].lambda[0]);
  ifbam_event_apply_impulse_rows (self, all, n);
  for (guint k = 0; k < n; k++)
    if (fabs (all[k].p) * ifbam_link_inverse_mass (self, all[k].link)
        > ifbam_event_magnitudes (self, all[k].link)->rate_threshold)
      ifbam_event_log_add (self, search->time, &all[k], "jam");
}

IfbamActiveSetAnswer
ifbam_active_set_find_reactions (IfbamActiveSetSearch *search, double *tolerance)
{
  const guint all = search->items->len;
  IFBAM_SHORT_LIST (IfbamContactRow, rows, all + 1);
  IFBAM_SHORT_LIST (guint, item_index, all);
  IfbamContactResult result = { .is_impulsive = FALSE };
  guint n;

  stop_starting (search);
  ifbam_active_set_compute_accelerations (search);
  n = set_rows (search, rows, item_index, tolerance);
  if (n > 0
      && ifbam_event_solve_contact (
             search->self, search->time, rows, n,
             IFBAM_CONTACT_TWO_LEVELS | IFBAM_CONTACT_FROM_GUESS | get_sharing (search), &result)
             != IFBAM_CONTACT_SOLVED)
    return IFBAM_ACTIVE_SET_NO_ANSWER;
  if (result.is_impulsive)
    {
      apply_impulses (search, rows, item_index, n);
      return IFBAM_ACTIVE_SET_IMPULSES;
    }
  store_reactions (search, rows, item_index, n);
  set_friction_modes (search, rows, item_index, n);
  if (result.is_redundant)
    unload_frictions (search, rows, item_index, n);
  store_directions (search);
  return IFBAM_ACTIVE_SET_REACTIONS;
}

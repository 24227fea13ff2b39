/* active-set-items.c: collects the constraints that may be active after an event
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/active-set-items.h"

#include "event/advance-islands.h"
#include "event/constraint-reactions.h"
#include "event/slip-direction.h"
#include "event/event-context.h"
#include "event/event-links.h"

/* A rate at its located zero is 0 if it is below this part of its change in a step. */
#define ZERO_RATE_ROUNDING (8 * DBL_EPSILON)

#define RESTING_RATE_RATIO 1e-4 /* of the largest rate of its ports: a separation that may rest */

gboolean
ifbam_active_set_is_carried (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  for (guint k = 0; k < item->n_carriers; k++)
    if (!ifbam_active_set_item_has_reaction (ifbam_active_set_item (search, item->carrier[k])))
      return FALSE;
  return TRUE;
}

void
ifbam_active_set_get_carrier_reactions (const IfbamActiveSetSearch *search,
                                        const IfbamActiveSetItem *item, double *reaction)
{
  for (guint k = 0; k < item->n_carriers; k++)
    reaction[k] = ifbam_active_set_item (search, item->carrier[k])->reaction;
}

/* Returns the event that was located at a link, or NULL. */
static const IfbamCandidate *
find_fired (const IfbamActiveSetSearch *search, guint32 index)
{
  if (search->fired_at != NULL)
    return g_hash_table_lookup (search->fired_at, GUINT_TO_POINTER (index));
  for (guint i = 0; i < search->n_fired; i++)
    if (search->fired[i].link == index)
      return &search->fired[i];
  return NULL;
}

static gboolean
has_fired (const IfbamCandidate *fired, IfbamGuardKind kind)
{
  return fired != NULL && fired->guard.kind == kind;
}

/* Returns the derivative of a link's rate [m/s^2]. Side effect: as ifbam_event_accelerations (). */
static double
measure_acceleration (const IfbamActiveSetSearch *search, guint32 index)
{
  IfbamEventEngine *self = search->self;
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);

  for (guint k = 0; k < n; k++)
    ifbam_event_accelerations (self, islands[k], self->nodes.x, self->nodes.v,
                               ifbam_event_time_at (self, search->time), TRUE);
  return ifbam_link_acceleration (self, index);
}

/* Whether a rate at its located zero is 0 within the resolution of times. */
static gboolean
is_nearly_zero (const IfbamActiveSetSearch *search, guint32 index, double rate)
{
  return fabs (rate) <= IFBAM_SLOW_IMPACT_RATIO * ifbam_event_magnitudes (search->self, index)->rate
         || fabs (rate) <= ZERO_RATE_ROUNDING * search->self->base.spec->step
                               * fabs (measure_acceleration (search, index));
}

/* Returns the mode of a friction at rest between given motions: no reaction can change them. It
 * starts as it was located to, or as it is accelerated; otherwise it sticks, without a reaction. */
static int
mode_between_given (const IfbamActiveSetSearch *search, guint32 index, const IfbamCandidate *fired)
{
  const double by = search->self->base.spec->step * measure_acceleration (search, index);
  const double threshold = ifbam_event_magnitudes (search->self, index)->rate_threshold;

  if (has_fired (fired, IFBAM_GUARD_RATE) && ifbam_friction_starts (fired->guard.next))
    return fired->guard.next;
  return by > threshold    ? IFBAM_MODE_STARTING_FORWARD
         : by < -threshold ? IFBAM_MODE_STARTING_BACKWARD
                           : IFBAM_MODE_STUCK;
}

/* Sets a planar friction to stick if its slip is at most floor [m/s], or a located zero (crossed).
 * Else it slips in the direction of the next step: another one could contradict the active set. */
static void
set_mode_in_plane (const IfbamActiveSetSearch *search, guint32 index, double floor,
                   gboolean crossed)
{
  IfbamEventEngine *self = search->self;
  IfbamLinkState *state = &self->links.state[index];
  double delta;
  const double along = ifbam_link_rate (self, index, &delta);
  const double across = ifbam_link_rate (self, index + 1, &delta);
  const double slip = sqrt (along * along + across * across);

  if (slip > floor && !(crossed && is_nearly_zero (search, index, slip)))
    {
      state->mode = IFBAM_MODE_FORWARD;
      ifbam_event_set_sticking (self, index, FALSE);
      ifbam_event_update_slip_direction (self, index);
    }
  else if (crossed || state->mode != IFBAM_MODE_STARTING_FORWARD)
    ifbam_event_set_sticking (self, index, TRUE);
}

/* Returns the largest rate of a link's ports, or of its cluster at the step's start [m/s]. */
static double
max_port_rate (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  double fastest = ifbam_event_magnitudes (self, index)->rate;

  for (guint e = 0; e < link->n_ports; e++)
    fastest = MAX (fastest, fabs (self->nodes.v[link->node[e]]));
  return fastest;
}

/* Lists the carriers of a friction. FALSE: a carrier is no item, as it is far from contact. */
static gboolean
find_carriers (const IfbamActiveSetSearch *search, guint32 index, IfbamActiveSetItem *item)
{
  const IfbamLink *link = ifbam_link (search->self, index);

  if (!ifbam_link_is_carried (link))
    return TRUE;
  item->n_carriers = link->n_carriers;
  for (guint k = 0; k < item->n_carriers; k++)
    {
      const IfbamEventLink *part =
          ifbam_event_context_find (search->self->context, link->carrier + k);

      if (part == NULL || part->active_item == 0)
        return FALSE;
      item->carrier[k] = part->active_item - 1;
    }
  return TRUE;
}

/* Whether a unilateral constraint is or was active, or nearly so: then it becomes an item. */
static gboolean
is_near (const IfbamActiveSetSearch *search, guint32 index, const IfbamCandidate *fired)
{
  IfbamEventEngine *self = search->self;
  const IfbamLinkState *state = &self->links.state[index];
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, index);
  double delta, rate;

  if (state->is_suspended || ifbam_constraint_is_active (&constraint, state->mode)
      || (fired != NULL && fired->guard.kind != IFBAM_GUARD_REACTION))
    return TRUE;
  rate = ifbam_link_estimate (self, index, search->time, &delta);
  return fabs (rate) <= IFBAM_NEAR_RATIO * scale->rate + 2 * scale->rate_threshold
         && (constraint.kind == IFBAM_CONSTRAINT_ONE_WAY
             || constraint.gap - delta
                    <= IFBAM_NEAR_RATIO * scale->position + 4 * scale->position_threshold);
}

static void
start_contact (const IfbamActiveSetSearch *search, IfbamActiveSetItem *item, double rate,
               const IfbamCandidate *fired)
{
  IfbamEventEngine *self = search->self;
  const guint32 index = item->link;
  const double threshold = 2 * ifbam_event_magnitudes (self, index)->rate_threshold;

  item->is_contact = TRUE;
  if (ifbam_link_constraint (self, index).kind == IFBAM_CONSTRAINT_ONE_WAY)
    {
      item->can_be_active =
          fabs (rate) <= threshold
          || (has_fired (fired, IFBAM_GUARD_RATE) && is_nearly_zero (search, index, rate));
      return;
    }
  if (rate < -threshold)
    {
      const IfbamEventLink *part = ifbam_event_context_find (self->context, index);

      if ((part != NULL && part->counts_as_touching)
          || rate >= -RESTING_RATE_RATIO * max_port_rate (self, index))
        item->separation_rate = -rate;
    }
  item->can_be_active =
      (fabs (rate) <= threshold || item->separation_rate > 0)
      && (ifbam_link_is_touching (self, index) || has_fired (fired, IFBAM_GUARD_POSITION));
}

/* Sets the initial mode of a friction from its slip rate. */
static void
start_friction (const IfbamActiveSetSearch *search, IfbamActiveSetItem *item, double rate,
                const IfbamCandidate *fired)
{
  IfbamEventEngine *self = search->self;
  const IfbamLink *link = ifbam_link (self, item->link);
  const double threshold = 2 * ifbam_event_magnitudes (self, item->link)->rate_threshold;
  const gboolean crossed = has_fired (fired, IFBAM_GUARD_RATE);
  IfbamLinkState *state = &self->links.state[item->link];

  item->is_friction = TRUE;
  item->is_driven = ifbam_link_is_driven (self, item->link);
  item->is_at_bound = has_fired (fired, IFBAM_GUARD_REACTION)
                      || has_fired (fired, IFBAM_GUARD_CARRIED)
                      || has_fired (fired, IFBAM_GUARD_BOTH);
  state->is_prevented = item->is_driven;
  if (link->follows)
    return; /* the first direction determines the mode */
  if (link->leads)
    set_mode_in_plane (search, item->link, threshold, crossed);
  else if (item->n_carriers == 1
           && !ifbam_active_set_item (search, item->carrier[0])->can_be_active)
    state->mode = IFBAM_MODE_LOOSE;
  else if (fabs (rate) > threshold && !(crossed && is_nearly_zero (search, item->link, rate)))
    state->mode = rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_BACKWARD;
  else if (item->is_driven)
    state->mode = mode_between_given (search, item->link, fired);
  else if (crossed || state->mode == IFBAM_MODE_FORWARD || state->mode == IFBAM_MODE_BACKWARD
           || state->mode == IFBAM_MODE_LOOSE)
    state->mode = IFBAM_MODE_STUCK;
}

static void
add_item (IfbamActiveSetSearch *search, guint32 index)
{
  IfbamEventEngine *self = search->self;
  const IfbamLinkState *state = &self->links.state[index];
  const IfbamEventLink *part = ifbam_event_context_find (self->context, index);
  const IfbamConstraintKind kind = ifbam_link_constraint (self, index).kind;
  const IfbamCandidate *fired = find_fired (search, index);
  IfbamActiveSetItem item = { .link = index, .old_mode = state->mode };
  double delta, rate;

  if ((part != NULL && part->active_item > 0) || kind == IFBAM_CONSTRAINT_NONE
      || !find_carriers (search, index, &item))
    return;
  if ((kind == IFBAM_CONSTRAINT_CONTACT || kind == IFBAM_CONSTRAINT_ONE_WAY)
      && !is_near (search, index, fired))
    return;
  ifbam_event_advance_ends (self, index, search->time);
  rate = ifbam_link_rate (self, index, &delta);
  if (kind == IFBAM_CONSTRAINT_FRICTION)
    start_friction (search, &item, rate, fired);
  else if (kind == IFBAM_CONSTRAINT_CONTACT || kind == IFBAM_CONSTRAINT_ONE_WAY)
    start_contact (search, &item, rate, fired);
  else
    item.can_be_active = TRUE;
  item.is_opening = item.is_contact && has_fired (fired, IFBAM_GUARD_REACTION);
  item.is_active =
      item.can_be_active && item.is_contact && state->mode == IFBAM_MODE_ACTIVE && !item.is_opening;
  g_array_append_val (search->items, item);
  ifbam_event_context_get (self->context, index)->active_item = search->items->len;
}

void
ifbam_active_set_add_island (IfbamActiveSetSearch *search, guint32 index)
{
  IfbamEventEngine *self = search->self;
  IfbamIsland *island = ifbam_island (self, index);

  island->listed = TRUE;
  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      for (gsize i = component->unbatched; i < component->unbatched + component->n_unbatched; i++)
        add_item (search, g_array_index (self->components.indices, guint32, i));
    }
}

gboolean
ifbam_active_set_add_neighbours (IfbamActiveSetSearch *search)
{
  IfbamEventEngine *self = search->self;
  gboolean more = FALSE;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);
      guint32 islands[IFBAM_MAX_PORTS];
      guint n;

      if (!ifbam_active_set_item_has_reaction (item))
        continue;
      n = ifbam_event_link_islands (self, item->link, islands);
      for (guint k = 0; k < n; k++)
        if (!ifbam_island (self, islands[k])->listed)
          {
            ifbam_active_set_add_island (search, islands[k]);
            more = TRUE;
          }
    }
  return more;
}

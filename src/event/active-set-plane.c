/* active-set-plane.c: starts and stops planar frictions, one by one as their bounds are circles
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/active-set-items.h"

#include "event/advance-islands.h"
#include "event/load-sharing.h"
#include "event/slip-direction.h"

/* To end the search, a friction starts at most so often, and later only far beyond its bound. */
#define MAX_STARTS       4
#define LATE_START_RATIO 1e3
/* Frictions start together if their loads differ by less than this fraction. */
#define LOAD_TOLERANCE 1e-9

/* Returns the magnitude of a friction's reaction [N]; the second direction is the next item. */
static double
get_size (const IfbamActiveSetItem *item)
{
  const double across = (item + 1)->reaction;

  return sqrt (item->reaction * item->reaction + across * across);
}

/* Returns the magnitude of a friction's reaction, as a fraction of its sticking limit. */
static double
get_load (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  double carried[IFBAM_MAX_CARRIERS], bound;

  ifbam_active_set_get_carrier_reactions (search, item, carried);
  bound = item->n_carriers > 0 ? ifbam_link_friction_limit (search->self, item->link, carried)
                               : ifbam_link_constraint (search->self, item->link).breakaway;
  return get_size (item) / MAX (bound, 1e-300);
}

/* Starts a friction in the direction of its reaction. */
static void
start_slip (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  IfbamEventEngine *self = search->self;
  const double size = get_size (item);
  const double direction[] = { size > 0 ? item->reaction / size : 1,
                               size > 0 ? (item + 1)->reaction / size : 0 };

  self->links.state[item->link].mode = IFBAM_MODE_STARTING_FORWARD;
  ifbam_event_set_sticking (self, item->link, FALSE);
  ifbam_event_set_slip_direction (self, item->link, direction);
}

static gboolean
may_start (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  return item->is_friction && item->can_be_active && ifbam_link (search->self, item->link)->leads
         && (item->n_starts < MAX_STARTS || get_load (search, item) > LATE_START_RATIO);
}

/* Whether a friction was located at its bound and has not started yet: it starts at least once. */
static gboolean
has_to_start (const IfbamActiveSetItem *item)
{
  return item->is_at_bound && item->n_starts == 0;
}

/* Starts the friction farthest beyond its bound, and equal ones. FALSE: there is none. */
static gboolean
start_slips (IfbamActiveSetSearch *search)
{
  gboolean is_located = FALSE;
  double most = 0, least;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (!may_start (search, item))
        continue;
      most = MAX (most, get_load (search, item));
      is_located |= has_to_start (item);
    }
  if (most <= 1 + IFBAM_EQUALITY_TOLERANCE && !is_located)
    return FALSE;
  least = MAX (most, 1) * (1 - LOAD_TOLERANCE);
  for (guint i = 0; i < search->items->len; i++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (!may_start (search, item) || (!has_to_start (item) && get_load (search, item) < least))
        continue;
      start_slip (search, item);
      item->n_starts++;
      item->has_stopped = FALSE;
    }
  return TRUE;
}

/* Whether a friction that has started would not slip forward. */
static gboolean
is_reversed (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item, double tolerance)
{
  const IfbamConstraint constraint = ifbam_link_constraint (search->self, item->link);
  const gboolean gets_weaker = constraint.coulomb < constraint.breakaway * (1 - LOAD_TOLERANCE);

  return item->acceleration < -tolerance
         || (item->n_starts > 0 && gets_weaker && item->acceleration <= tolerance);
}

/* Stops frictions that would slip against their direction. FALSE: there are none. */
static gboolean
stop_slips (IfbamActiveSetSearch *search, double tolerance)
{
  IfbamEventEngine *self = search->self;
  gboolean changed = FALSE;

  for (guint i = 0; i < search->items->len; i++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (!ifbam_link (self, item->link)->leads
          || self->links.state[item->link].mode != IFBAM_MODE_STARTING_FORWARD
          || (item->has_stopped && item->n_starts >= MAX_STARTS)
          || !ifbam_active_set_is_carried (search, item) || !is_reversed (search, item, tolerance))
        continue;
      ifbam_event_set_sticking (self, item->link, TRUE);
      item->has_stopped = TRUE;
      changed = TRUE;
    }
  return changed;
}

gboolean
ifbam_active_set_change_slips (IfbamActiveSetSearch *search, double tolerance)
{
  return start_slips (search) || stop_slips (search, tolerance);
}

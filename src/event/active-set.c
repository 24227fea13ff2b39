/* active-set.c: finds the active constraints after an event: closed contacts and sticking frictions
 *
 * Unknown: the contacts with a pushing reaction, and the frictions that stick below their bound.
 * One contact problem determines them for frictions along a line. The bound of a planar friction is
 * a circle, so its mode is given: the one farthest beyond its bound starts along its reaction, and
 * the problem is solved again. Without a solution contacts advance by a time step (event-leap.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/active-set.h"

#include "event/active-set-items.h"
#include "event/load-sharing.h"
#include "event/event-coupled.h"
#include "event/event-leap.h"
#include "event/advance-islands.h"
#include "event/event-context.h"
#include "event/event-log.h"

/* The time-stepping fallback spans MIN_SPAN of a step, then each time 4 times as much, up to the
 * step (MAX_LENGTHENINGS). With fewer than MIN_TIME_STEPPED frictions the run fails instead. */
#define MIN_SPAN         0x1p-14
#define MAX_LENGTHENINGS 7
#define MIN_TIME_STEPPED 4

/* The fallback also applies if a reaction causes more than WEDGING_RATIO times the largest free
 * acceleration. It applies as well after events at more than MAX_EVENT_TIMES times of a step. */
#define WEDGING_RATIO   500
#define MAX_EVENT_TIMES 64

/* Returns a table of the first event of each link (caller owns it), or NULL for few events. */
static GHashTable *
index_fired (const IfbamCandidate *fired, guint n)
{
  GHashTable *at = n <= IFBAM_SHORT_LENGTH ? NULL : g_hash_table_new (NULL, NULL);

  for (guint i = n; i-- > 0 && at != NULL;)
    g_hash_table_insert (at, GUINT_TO_POINTER (fired[i].link), (gpointer) &fired[i]);
  return at;
}

static void
fail (const IfbamActiveSetSearch *search, const char *what, const char *advice)
{
  IFBAM_SHORT_LIST (guint32, links, search->items->len);
  guint n = 0;

  for (guint i = 0; i < search->items->len; i++)
    if (ifbam_active_set_item (search, i)->n_carriers != 1)
      links[n++] = ifbam_active_set_item (search, i)->link;
  ifbam_event_fail (search->self, search->time, links, n, what, advice);
}

static gboolean
is_sliding (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    if (ifbam_link_slip (search->self, ifbam_active_set_item (search, i)->link) != 0)
      return TRUE;
  return FALSE;
}

static void
fail_without_active_set (const IfbamActiveSetSearch *search, IfbamActiveSetAnswer answer)
{
  if (answer == IFBAM_ACTIVE_SET_REACTIONS)
    fail (search, "no consistent set of closed contacts and sticking frictions is found at ",
          " (try a shorter step or less friction)");
  else if (is_sliding (search))
    fail (search, "no reactions keep the sliding contacts closed with so much friction at ",
          " (less friction may do)");
  else
    fail (search, "no reactions are found for the touching contacts at ", "");
}

/* Restores all modes: rates have changed, and the active set has to be found again. */
static void
restore_modes (const IfbamActiveSetSearch *search)
{
  IfbamEventEngine *self = search->self;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      self->links.state[item->link].mode = item->old_mode;
      ifbam_event_context_find (self->context, item->link)->active_item = 0;
    }
}

/* Applies an impact without collision to a jammed contact that is pressed. FALSE: there is none. */
static gboolean
resolve_jammed_contact (const IfbamActiveSetSearch *search, double tolerance)
{
  IfbamEventEngine *self = search->self;
  const IfbamActiveSetItem *jammed = NULL;

  for (guint i = 0; i < search->items->len && jammed == NULL; i++)
    if (ifbam_active_set_item (search, i)->is_jammed
        && ifbam_active_set_item (search, i)->acceleration > tolerance)
      jammed = ifbam_active_set_item (search, i);
  if (jammed == NULL)
    return FALSE;
  if (!ifbam_event_impact_without_collision (self, search->time, jammed->link))
    ifbam_event_fail (self, search->time, &jammed->link, 1, "",
                      " jams: its reaction would pull the sliding bodies together instead of "
                      "apart (the friction is too strong for these masses)");
  restore_modes (search);
  return TRUE;
}

/* Counts frictions with a contact that can be active; 0 if one has not exactly one carrier. */
static guint
count_carried (const IfbamActiveSetSearch *search)
{
  guint carried = 0;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (!item->is_friction)
        continue;
      if (item->n_carriers != 1)
        return 0;
      carried += ifbam_active_set_item (search, item->carrier[0])->can_be_active;
    }
  return carried;
}

/* Whether there are enough contacts with friction, and no other constraints. */
static gboolean
can_time_step (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (!item->is_friction
          && ifbam_link_constraint (search->self, item->link).kind != IFBAM_CONSTRAINT_CONTACT)
        return FALSE;
    }
  return count_carried (search) >= MIN_TIME_STEPPED;
}

/* Applies the time-stepping fallback to the closed contacts. FALSE: nothing was applied. */
static gboolean
apply_time_stepping (IfbamActiveSetSearch *search)
{
  IfbamEventEngine *self = search->self;
  const double step = self->base.spec->step;
  const guint all = search->items->len;
  IFBAM_SHORT_LIST (guint32, contacts, all);
  guint n = 0, *leaps;

  if (!can_time_step (search))
    return FALSE;
  for (guint i = 0; i < all; i++)
    if (ifbam_active_set_item (search, i)->is_contact
        && ifbam_link_is_touching (self, ifbam_active_set_item (search, i)->link))
      contacts[n++] = ifbam_active_set_item (search, i)->link;
  if (n == 0)
    return FALSE;
  leaps = &self->clusters.list[self->clusters.of_link[contacts[0]]].n_fallbacks;
  ifbam_active_set_compute_accelerations (search);
  while (!ifbam_event_time_step_contacts (
      self, search->time, contacts, n,
      ldexp (MIN_SPAN * step, 2 * (int) MIN (*leaps, MAX_LENGTHENINGS)), "jam"))
    if ((*leaps)++ >= MAX_LENGTHENINGS)
      return FALSE;
  ++*leaps;
  self->context->is_time_stepped = TRUE;
  ifbam_event_count_suspended (self, search->time, contacts[0]);
  restore_modes (search);
  return TRUE;
}

/* Whether a friction, or its contact, has had more than MAX_EVENT_TIMES events in this step. */
static gboolean
has_too_many_events (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      if (item->n_carriers == 1
          && MAX (search->self->links.state[item->link].n_events,
                  search->self->links.state[ifbam_active_set_item (search, item->carrier[0])->link]
                      .n_events)
                 > MAX_EVENT_TIMES)
        return TRUE;
    }
  return FALSE;
}

/* Whether contacts with friction are wedged: accelerations by their reactions far exceed the free
 * ones, and rounding decides which contacts are active. */
static gboolean
is_wedged (const IfbamActiveSetSearch *search)
{
  double most = 0, pressed = 0;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      most = MAX (most, fabs (item->free_acceleration));
      if (item->n_carriers != 1)
        continue;
      item = ifbam_active_set_item (search, item->carrier[0]);
      if (item->is_active)
        pressed =
            MAX (pressed, item->reaction * ifbam_link_inverse_mass (search->self, item->link));
    }
  return pressed > WEDGING_RATIO * most;
}

/* Whether all items are separating contacts, as after most impacts: there are no reactions then. */
static gboolean
is_free (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    if (!ifbam_active_set_item (search, i)->is_contact
        || ifbam_active_set_item (search, i)->can_be_active)
      return FALSE;
  return TRUE;
}

/* Returns the gap that remains of a closed contact [m]; 0 if it is below the rounding threshold. */
static double
slack (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  IfbamEventEngine *self = search->self;
  const IfbamEventLink *part = ifbam_event_context_find (self->context, item->link);
  const IfbamConstraint constraint = ifbam_link_constraint (self, item->link);
  double delta;

  if (!item->is_active)
    return 0;
  if (item->old_mode == IFBAM_MODE_ACTIVE || !part->counts_as_touching)
    return self->links.state[item->link].remaining_gap;
  ifbam_link_rate (self, item->link, &delta);
  return constraint.gap - delta > 4 * ifbam_event_magnitudes (self, item->link)->position_threshold
             ? constraint.gap - delta
             : 0;
}

/* Returns the normal reaction of a friction [N]. */
static double
carrier_reaction (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  double reaction[IFBAM_MAX_CARRIERS];

  ifbam_active_set_get_carrier_reactions (search, item, reaction);
  return ifbam_carrier_size (reaction, item->n_carriers);
}

/* Opens all contacts, which separate after the time-stepping fallback, and ends suspensions. */
static void
open_all_contacts (const IfbamActiveSetSearch *search)
{
  for (guint i = 0; i < search->items->len; i++)
    {
      IfbamActiveSetItem *item = ifbam_active_set_item (search, i);

      item->can_be_active = item->is_active = FALSE;
      search->self->links.state[item->link].is_suspended = FALSE;
    }
}

/* Finds the active set. FALSE: impulses have changed rates instead. */
static gboolean
find_active_set (IfbamActiveSetSearch *search)
{
  IfbamEventEngine *self = search->self;
  double tolerance = 0;

  for (guint iteration = 0; !is_free (search) && ifbam_event_may_continue (self, search->time, 1);
       iteration++)
    {
      const IfbamActiveSetAnswer answer = ifbam_active_set_find_reactions (search, &tolerance);

      if (answer == IFBAM_ACTIVE_SET_IMPULSES)
        {
          restore_modes (search);
          return FALSE;
        }
      if (answer == IFBAM_ACTIVE_SET_REACTIONS
          && !ifbam_active_set_open_separating (search, IFBAM_REST_RISE)
          && !ifbam_active_set_add_neighbours (search)
          && !ifbam_active_set_change_slips (search, tolerance)
          && !ifbam_active_set_open_pushing_contacts (search))
        break;
      if (answer == IFBAM_ACTIVE_SET_REACTIONS && iteration < self->limits.rounds)
        continue;
      if (apply_time_stepping (search))
        return FALSE;
      fail_without_active_set (search, answer);
    }
  return !resolve_jammed_contact (search, tolerance);
}

/* Stores modes and reactions, and logs changes of modes. */
static void
store_active_set (const IfbamActiveSetSearch *search)
{
  IfbamEventEngine *self = search->self;

  for (guint i = 0; i < search->items->len; i++)
    {
      const IfbamActiveSetItem *item = ifbam_active_set_item (search, i);
      IfbamLinkState *state = &self->links.state[item->link];
      double slip;

      if (item->is_contact)
        {
          state->mode = item->is_active ? IFBAM_MODE_ACTIVE : IFBAM_MODE_OPEN;
          state->remaining_gap = slack (search, item);
        }
      if (item->n_carriers == 1 && !ifbam_active_set_is_carried (search, item))
        state->mode = IFBAM_MODE_LOOSE;
      slip = ifbam_link_slip (self, item->link);
      state->reaction = slip != 0 ? slip * carrier_reaction (search, item) : item->reaction;
      ifbam_event_log_add_change (self, search->time, item->link, item->old_mode);
      ifbam_event_context_find (self->context, item->link)->active_item = 0;
    }
}

gboolean
ifbam_event_update_active_set (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                               guint n_fired)
{
  GArray *items = ifbam_array_reuse (&self->context->active_items, sizeof (IfbamActiveSetItem));
  g_autoptr (GHashTable) fired_at = index_fired (fired, n_fired);
  IfbamActiveSetSearch search = { self, time, fired, n_fired, fired_at, items };
  const guint n = self->islands.affected->len;
  const gboolean flies = self->context->is_time_stepped;

  for (guint i = 0; i < n; i++)
    ifbam_active_set_add_island (&search, g_array_index (self->islands.affected, guint32, i));
  if (flies)
    open_all_contacts (&search);
  else if (has_too_many_events (&search) && apply_time_stepping (&search))
    return FALSE;
  if (!find_active_set (&search)
      || (!flies && is_wedged (&search) && apply_time_stepping (&search)))
    return FALSE;
  ifbam_active_set_stop_separating (&search);
  store_active_set (&search);
  return TRUE;
}

/* guards.c: zero-crossing functions that end the modes of links, and their rounding thresholds
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/guards.h"

#include "event/event-coupled.h"
#include "event/forces.h"
#include "event/constraint-reactions.h"
#include "event/load-sharing.h"
#include "event/event-engine-internal.h"
#include "event/event-links.h"

guint
ifbam_event_guards (const IfbamEventEngine *self, guint32 index, IfbamGuard *guards)
{
  const IfbamLink *link = ifbam_link (self, index);
  const int mode = self->links.state[index].mode;
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  const int direction = ifbam_friction_direction (mode);
  double room[IFBAM_MAX_LAW];

  switch (constraint.kind)
    {
    case IFBAM_CONSTRAINT_CONTACT:
      guards[0] = mode == IFBAM_MODE_ACTIVE
                      ? (IfbamGuard){ IFBAM_GUARD_REACTION, 1, 0, IFBAM_MODE_OPEN }
                      : (IfbamGuard){ IFBAM_GUARD_POSITION, -1, constraint.gap, IFBAM_MODE_ACTIVE };
      return 1;
    case IFBAM_CONSTRAINT_ONE_WAY:
      guards[0] = mode == IFBAM_MODE_ACTIVE
                      ? (IfbamGuard){ IFBAM_GUARD_REACTION, 1, 0, IFBAM_MODE_OPEN }
                      : (IfbamGuard){ IFBAM_GUARD_RATE, -1, 0, IFBAM_MODE_ACTIVE };
      return 1;
    case IFBAM_CONSTRAINT_FRICTION:
      if (direction != 0)
        {
          /* A friction that starts may be slower than `adhesion`. */
          const gboolean starts = ifbam_friction_starts (mode);

          guards[0] = (IfbamGuard){ IFBAM_GUARD_RATE, direction, starts ? 0 : -constraint.adhesion,
                                    IFBAM_MODE_STUCK };
          return 1;
        }
      if (mode != IFBAM_MODE_STUCK || link->follows)
        return 0;
      if (ifbam_link_is_driven (self, index))
        {
          guards[0] = (IfbamGuard){ IFBAM_GUARD_RATE, -1, 0, IFBAM_MODE_STARTING_FORWARD };
          guards[1] = (IfbamGuard){ IFBAM_GUARD_RATE, 1, 0, IFBAM_MODE_STARTING_BACKWARD };
          return 2;
        }
      if (link->leads)
        {
          guards[0] = (IfbamGuard){ IFBAM_GUARD_BOTH, -1, constraint.breakaway,
                                    IFBAM_MODE_STARTING_FORWARD };
          return 1;
        }
      for (int k = 0; k < 2; k++)
        guards[k] =
            (IfbamGuard){ ifbam_link_is_carried (link) ? IFBAM_GUARD_CARRIED : IFBAM_GUARD_REACTION,
                          k == 0 ? -1 : 1, constraint.breakaway,
                          k == 0 ? IFBAM_MODE_STARTING_FORWARD : IFBAM_MODE_STARTING_BACKWARD };
      return 2;
    case IFBAM_CONSTRAINT_RIGID:
    case IFBAM_CONSTRAINT_FIXED:
      return 0;
    case IFBAM_CONSTRAINT_NONE:
    default:
      return link->law->guards == NULL
                 ? 0
                 : link->law->guards (ifbam_link_parameters_now (self, index, room), mode, guards);
    }
}

double
ifbam_event_guard_threshold (const IfbamEventEngine *self, guint32 index, const IfbamGuard *guard)
{
  const IfbamLinkState *state = &self->links.state[index];
  double carriers = 0;

  switch (guard->kind)
    {
    case IFBAM_GUARD_POSITION:
      return ifbam_event_magnitudes (self, index)->position_threshold;
    case IFBAM_GUARD_RATE:
      return ifbam_event_magnitudes (self, index)->rate_threshold;
    case IFBAM_GUARD_CARRIED:
      for (guint k = 0; k < ifbam_link (self, index)->n_carriers; k++)
        carriers += self->links.state[ifbam_link (self, index)->carrier + k].force_scale;
      return 1e-13 * (fabs (guard->offset) * carriers + state->force_scale);
    case IFBAM_GUARD_FORCE:
    case IFBAM_GUARD_NEXT_FORCE:
    case IFBAM_GUARD_LAW:
    case IFBAM_GUARD_REACTION:
    case IFBAM_GUARD_BOTH:
    default:
      return 1e-13 * (fabs (guard->offset) + state->force_scale);
    }
}

double
ifbam_event_guard_force (const IfbamEventEngine *self, guint32 index, const IfbamGuard *guard,
                         const void *numbers, double delta, double rate)
{
  const int now = self->links.state[index].mode;
  const int mode = guard->kind == IFBAM_GUARD_NEXT_FORCE ? guard->next
                   : guard->kind == IFBAM_GUARD_LAW      ? IFBAM_LAW_QUANTITY (now)
                                                         : now;

  return ifbam_link (self, index)->law->force (numbers, mode, delta, rate);
}

/* Returns a guard's offset at x, v (n_nodes). It varies if another link presses a friction. */
static double
guard_offset (const IfbamEventEngine *self, guint32 index, const IfbamGuard *guard, const double *x,
              const double *v)
{
  const IfbamLink *link = ifbam_link (self, index);

  return link->n_states == 0 || guard->kind != IFBAM_GUARD_REACTION
             ? guard->offset
             : ifbam_link_constraint_at (self, index, x, v).breakaway;
}

double
ifbam_event_guard_value (IfbamEventEngine *self, guint32 index, const IfbamGuard *guard,
                         const double *x, const double *v, double time)
{
  const IfbamLink *link = ifbam_link (self, index);
  double delta, row[IFBAM_MAX_PORTS], rate, room[IFBAM_MAX_LAW], carrying[IFBAM_MAX_CARRIERS];
  guint32 islands[IFBAM_MAX_PORTS];

  rate = ifbam_link_measure (link, x, v, &delta, row);
  switch (guard->kind)
    {
    case IFBAM_GUARD_POSITION:
      return guard->factor * delta + guard->offset;
    case IFBAM_GUARD_RATE:
      return guard->factor * rate + guard->offset;
    case IFBAM_GUARD_FORCE:
    case IFBAM_GUARD_NEXT_FORCE:
    case IFBAM_GUARD_LAW:
      return guard->factor
                 * ifbam_event_guard_force (
                     self, index, guard,
                     ifbam_link_parameters_at (link, x, v, ifbam_link_pressing_mode (self, link),
                                               room),
                     delta, rate)
             + guard->offset;
    case IFBAM_GUARD_REACTION:
    case IFBAM_GUARD_CARRIED:
    case IFBAM_GUARD_BOTH:
    default:
      /* A contact has no reaction if that would pull its ends together (Painleve's paradox). */
      if (link->carries && !ifbam_event_has_reaction (self, index, x, v))
        return -1 - self->links.state[index].force_scale;
      ifbam_event_link_islands (self, index, islands);
      ifbam_event_forces (self, islands[0], x, v, ifbam_event_time_at (self, time));
      ifbam_event_solve_reactions (self, ifbam_island (self, islands[0]), x, v,
                                   ifbam_event_time_at (self, time));
      for (guint k = 0; k < link->n_carriers && guard->kind == IFBAM_GUARD_CARRIED; k++)
        carrying[k] = self->links.state[link->carrier + k].reaction;
      if (guard->kind == IFBAM_GUARD_BOTH)
        return guard->factor * ifbam_event_reaction (self, index) + guard->offset;
      return guard->factor * self->links.state[index].reaction
             + (guard->kind == IFBAM_GUARD_CARRIED
                    ? ifbam_link_friction_limit (self, index, carrying)
                    : guard_offset (self, index, guard, x, v));
    }
}

gboolean
ifbam_event_is_beyond_guard (const IfbamEventEngine *self, guint32 index, const IfbamGuard *guard,
                             double time)
{
  double delta, rate, value, room[IFBAM_MAX_LAW];

  if (guard->kind != IFBAM_GUARD_RATE && guard->kind != IFBAM_GUARD_FORCE
      && guard->kind != IFBAM_GUARD_NEXT_FORCE && guard->kind != IFBAM_GUARD_LAW)
    return FALSE;
  rate = ifbam_link_estimate (self, index, time, &delta);
  value = guard->kind == IFBAM_GUARD_RATE
              ? rate
              : ifbam_event_guard_force (self, index, guard,
                                         ifbam_link_parameters_estimate (self, index, time, room),
                                         delta, rate);
  return guard->factor * value + guard->offset < -ifbam_event_guard_threshold (self, index, guard);
}

gboolean
ifbam_event_link_interval (const IfbamEventEngine *self, guint32 index, double *from, double *to)
{
  guint32 islands[IFBAM_MAX_PORTS];
  guint n = ifbam_event_link_islands (self, index, islands);

  *from = self->links.state[index].recorded_until;
  *to = INFINITY;
  for (guint k = 0; k < n; k++)
    {
      *from = MAX (*from, ifbam_island (self, islands[k])->time);
      *to = MIN (*to, ifbam_island (self, islands[k])->until);
    }
  return n > 0 && *to > *from;
}

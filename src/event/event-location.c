/* event-location.c: location of guard crossings by scheme steps of variable length
 *
 * Unknown: the length of one scheme step, up to the last time at which the guard is not violated.
 * Newton's method if the slope is known, else the Illinois method (Dowell & Jarratt 1971).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-location.h"

#include "event/forces.h"
#include "event/guards.h"
#include "event/event-engine-internal.h"
#include "event/island-step.h"
#include "event/event-links.h"
#include "event/event-log.h"

/* Trials after which the bracket is only bisected. */
#define MAX_NEWTON_TRIALS 200
/* With COSTLY_ROWS active rows or more a trial is costly. The location then ends within rounding
 * before the crossing. Without friction it aims at BRACKET_TOLERANCE / 2 thresholds before it.
 * After FULL_TRIALS trials it ends if both sides are within BRACKET_TOLERANCE thresholds of the
 * guard. */
#define COSTLY_ROWS       16
#define FULL_TRIALS       6
#define BRACKET_TOLERANCE 0.25
/* Next trial [of the bracket] if Newton's method leaves it at lo repeatedly, as at a jump. */
#define JUMP_FRACTION 1e-4
/* Relative overshoot of a Newton step that is to end beyond the guard. */
#define OVERSHOOT 1e-3

static void
try_island (IfbamEventEngine *self, guint32 index, double time)
{
  IfbamIsland *island = ifbam_island (self, index);
  const double h = time - island->time;
  gboolean placed = h > 0;

  island->trial_time = time;
  island->trial_batch = self->candidates.n_trials;
  if (h > 0)
    ifbam_event_step (self, index, self->restart_scheme, island->time, h, self->nodes.x,
                      self->nodes.v, self->nodes.xt, self->nodes.vt, FALSE);
  IFBAM_FOR_COMPONENTS (component, index)
  placed &= component->n_moving == 0;
  if (!(h > 0))
    {
      ifbam_event_copy_nodes (self, index, self->nodes.x, self->nodes.xt);
      ifbam_event_copy_nodes (self, index, self->nodes.v, self->nodes.vt);
    }
  if (!placed)
    ifbam_event_set_given (self, index, ifbam_event_time_at (self, time), self->nodes.xt,
                           self->nodes.vt);
}

void
ifbam_event_trial (IfbamEventEngine *self, guint32 index, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);

  for (guint k = 0; k < n; k++)
    try_island (self, islands[k], time);
}

void
ifbam_event_begin_trials (IfbamEventEngine *self)
{
  self->candidates.n_trials++;
}

void
ifbam_event_trial_once (IfbamEventEngine *self, guint32 index, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);

  for (guint k = 0; k < n; k++)
    if (ifbam_island (self, islands[k])->trial_batch != self->candidates.n_trials
        || ifbam_island (self, islands[k])->trial_time != time)
      try_island (self, islands[k], time);
}

/* Returns a guard's value after steps to `time`. *slope: its time derivative; NaN: not known. */
static double
trial_guard (IfbamEventEngine *self, const IfbamCandidate *candidate, double time, double *slope)
{
  const IfbamGuard *guard = &candidate->guard;
  double delta, row[IFBAM_MAX_PORTS];

  ifbam_event_trial (self, candidate->link, time);
  if (guard->kind == IFBAM_GUARD_POSITION)
    {
      *slope = guard->factor
               * ifbam_link_measure (ifbam_link (self, candidate->link), self->nodes.xt,
                                     self->nodes.vt, &delta, row);
      return guard->factor * delta + guard->offset;
    }
  *slope = NAN;
  return ifbam_event_guard_value (self, candidate->link, guard, self->nodes.xt, self->nodes.vt,
                                  time);
}

/* Returns the value of a position or rate guard on the interpolated node motion. */
static double
interpolated_guard (const IfbamEventEngine *self, const IfbamCandidate *candidate, double time)
{
  double delta;
  const double rate = ifbam_link_estimate (self, candidate->link, time, &delta);

  return candidate->guard.factor * (candidate->guard.kind == IFBAM_GUARD_RATE ? rate : delta)
         + candidate->guard.offset;
}

/* Returns the number of active rows in a link's islands. *has_friction: whether some carry
 * friction. */
static guint
count_rows (const IfbamEventEngine *self, guint32 index, gboolean *has_friction)
{
  guint32 islands[IFBAM_MAX_PORTS];
  guint rows = 0;

  *has_friction = FALSE;
  for (guint k = ifbam_event_link_islands (self, index, islands); k-- > 0;)
    {
      const GArray *held = ifbam_island (self, islands[k])->rows;

      for (guint i = 0; held != NULL && i < held->len; i++, rows++)
        *has_friction |= ifbam_link (self, g_array_index (held, guint32, i))->carries;
    }
  return rows;
}

/* Returns the rounding error of a guard's value [its unit]; 0 for guards of forces. */
static double
rounding_of (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, candidate->link);

  return candidate->guard.kind == IFBAM_GUARD_POSITION ? DBL_EPSILON * scale->position
         : candidate->guard.kind == IFBAM_GUARD_RATE   ? DBL_EPSILON * scale->rate
                                                       : 0;
}

/* Finds the start *from of the search for a crossing. Returns the guard's value there. */
static double
find_search_start (IfbamEventEngine *self, const IfbamCandidate *candidate, double threshold,
                   double *from)
{
  double to, slope, start;

  ifbam_event_link_interval (self, candidate->link, from, &to);
  start = trial_guard (self, candidate, *from, &slope);
  /* A link that starts at its guard has to cross the threshold, unless it rises above it before.
   * Else each of many small hops would sink by a threshold, and gain its energy. */
  if (start < threshold && candidate->hi > *from)
    {
      const double top = 0.5 * (*from + candidate->hi);
      double rise = interpolated_guard (self, candidate, top);

      /* Far above the guard an interpolated value needs no step to confirm it. */
      if (!(rise
            > IFBAM_INTERPOLATION_ERROR * ifbam_event_magnitudes (self, candidate->link)->position)
          || candidate->guard.kind != IFBAM_GUARD_POSITION)
        rise = trial_guard (self, candidate, top, &slope);

      if (rise > threshold)
        {
          *from = top;
          start = rise;
        }
    }
  return start;
}

/* Returns the value below which a guard is crossed, if its value at the start is `start`. */
static double
crossing_level (double start, double threshold)
{
  return start < threshold ? MIN (start, -threshold) : 0;
}

gboolean
ifbam_event_is_costly_and_shared (const IfbamEventEngine *self, guint32 index, guint32 other)
{
  guint32 islands[IFBAM_MAX_PORTS], others[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);
  gboolean has_friction;

  for (guint i = ifbam_event_link_islands (self, other, others); i-- > 0;)
    for (guint k = 0; k < n; k++)
      if (others[i] == islands[k])
        return count_rows (self, index, &has_friction) >= COSTLY_ROWS;
  return FALSE;
}

/* A candidate in a trial batch. It is crossed if its guard's value is below `edge`. */
typedef struct
{
  double edge;
  gboolean crossed, before; /* at the last trial; at the event's time */
} TrialItem;

/* Sets looks[i].crossed at `time`, if looks[i].before is `crossed`; steps each island once. */
static void
update_trial_items (IfbamEventEngine *self, const IfbamCandidate *candidates, guint n,
                    TrialItem *trials, gboolean crossed, double time)
{
  for (guint i = 0; i < n; i++)
    {
      if (trials[i].before != crossed)
        continue;
      ifbam_event_trial_once (self, candidates[i].link, time);
      trials[i].crossed = ifbam_event_guard_value (self, candidates[i].link, &candidates[i].guard,
                                                   self->nodes.xt, self->nodes.vt, time)
                          < trials[i].edge;
    }
}

double
ifbam_event_compare_crossings (IfbamEventEngine *self, double time, double apart,
                               IfbamCandidate *others, guint n)
{
  IFBAM_SHORT_LIST (TrialItem, trials, n);
  double early = 0;

  for (guint i = 0; i < n; i++)
    {
      const double threshold = ifbam_event_guard_threshold (self, others[i].link, &others[i].guard);
      double from;

      trials[i] = (TrialItem){
        .edge = crossing_level (find_search_start (self, &others[i], threshold, &from), threshold)
      };
    }
  ifbam_event_begin_trials (self);
  update_trial_items (self, others, n, trials, FALSE, time);
  for (guint i = 0; i < n; i++)
    trials[i].before = trials[i].crossed;
  update_trial_items (self, others, n, trials, FALSE, time + 2 * apart);
  update_trial_items (self, others, n, trials, TRUE, time - apart);
  for (guint i = 0; i < n; i++)
    {
      IfbamCandidate *other = &others[i];

      if (trials[i].before)
        early = MAX (early, other->lo - time);
      other->is_located = trials[i].crossed != trials[i].before;
      if (other->is_located)
        other->lo = other->hi = time;
      else if (trials[i].before)
        {
          other->lo = -INFINITY;
          other->hi = time - apart;
        }
      else
        {
          other->lo = time + 2 * apart;
          other->hi = MAX (other->hi, other->lo);
        }
    }
  return early;
}

gboolean
ifbam_event_locate (IfbamEventEngine *self, const IfbamCandidate *candidate, double *at)
{
  const double step = self->base.spec->step;
  /* With friction, the order of sticking and slipping depends on the last digits. */
  gboolean has_friction;
  const gboolean many = count_rows (self, candidate->link, &has_friction) >= COSTLY_ROWS;
  const gboolean costly = many && !has_friction;
  double from, to, first, lo, hi, low, high, shift, start, threshold, slope, point, value, aim,
      near;
  gboolean lo_is_known = TRUE;
  guint out = 0;
  int side = 0;

  ifbam_event_link_interval (self, candidate->link, &from, &to);
  threshold = ifbam_event_guard_threshold (self, candidate->link, &candidate->guard);
  start = find_search_start (self, candidate, threshold, &from);
  shift = crossing_level (start, threshold);
  hi = candidate->hi;
  high = trial_guard (self, candidate, hi, &slope) - shift;
  lo = MAX (candidate->lo, from);
  if (high >= 0)
    {
      /* The predicted far side is not crossed: tries a Newton step with overshoot first. */
      const double ahead =
          slope < 0 ? hi - high / slope * (1 + OVERSHOOT) + DBL_EPSILON * step : hi;
      const double try[] = { MIN (to, ahead), MIN (to, 2 * hi - lo),
                             MIN (to, hi + 1e-3 * (to - from)), MIN (to, hi + 0.1 * (to - from)),
                             to };
      gboolean found = FALSE;

      lo = hi;
      low = high;
      for (guint k = 0; k < G_N_ELEMENTS (try) && !found; k++)
        if (try[k] > hi)
          {
            lo = hi;
            low = high;
            hi = try[k];
            high = trial_guard (self, candidate, hi, &slope) - shift;
            found = high < 0;
          }
      if (!found)
        return FALSE;
    }
  else
    {
      double unused;

      /* Newton's method needs the value at lo only if it leads there (lo_is_known: it is known). */
      lo_is_known = lo <= from || !(slope < 0);
      low = lo <= from    ? start - shift
            : lo_is_known ? trial_guard (self, candidate, lo, &unused) - shift
                          : 0;
      if (low < 0)
        {
          lo = from;
          low = MAX (start - shift, 0);
        }
    }
  aim = costly ? 0.5 * BRACKET_TOLERANCE * threshold : 0;
  near = many ? rounding_of (self, candidate) : 0;
  first = lo;
  point = hi;
  value = high;
  /* Newton's or the Illinois method, with a bisection in every eighth or fourth iteration. */
  for (guint i = 0; hi - lo > 2 * DBL_EPSILON * step && ifbam_event_may_continue (self, hi, 0); i++)
    {
      const double least = 0.6 * DBL_EPSILON * step;
      const gboolean bisect = i >= MAX_NEWTON_TRIALS || (slope < 0 ? i % 8 == 7 : i % 4 == 3);
      double middle = bisect      ? 0.5 * (lo + hi)
                      : slope < 0 ? point - (value - aim) / slope
                                  : hi - high * (hi - lo) / (high - low);

      /* It leads before lo, where the value is not known: lo may be beyond the crossing. */
      if (near > 0 && !lo_is_known && !bisect && middle <= lo)
        {
          lo = first = from;
          low = MAX (start - shift, 0);
          lo_is_known = TRUE;
        }
      if (i > 0 && !bisect)
        middle += side > 0 ? least : -least;
      out += costly && !bisect && slope < 0 && middle <= lo;
      if (!(middle > lo && middle < hi))
        middle = out > 1 && !bisect ? lo + MAX (2 * DBL_EPSILON * step, JUMP_FRACTION * (hi - lo))
                                    : 0.5 * (lo + hi);
      if (middle <= lo || middle >= hi)
        break;
      point = middle;
      value = trial_guard (self, candidate, middle, &slope) - shift;
      if (value >= 0)
        {
          lo = middle;
          low = value;
          out = 0;
          if ((near > 0 && value <= near) || value <= -slope * (2 * DBL_EPSILON * step)
              || (slope < 0 && value <= 2 * aim))
            break; /* the crossing is no farther than that */
          if (side > 0)
            high *= 0.5;
          side = 1;
        }
      else
        {
          hi = middle;
          high = value;
          if (side < 0)
            low *= 0.5;
          side = -1;
        }
      if (costly && i >= FULL_TRIALS && MAX (low, -high) <= BRACKET_TOLERANCE * threshold)
        break;
    }
  *at = lo;
  if (!lo_is_known && lo == first && trial_guard (self, candidate, lo, &slope) - shift < 0)
    {
      IfbamCandidate earlier = *candidate;

      earlier.lo = from;
      return ifbam_event_locate (self, &earlier, at);
    }
  return TRUE;
}

gboolean
ifbam_event_locate_interpolated (const IfbamEventEngine *self, const IfbamCandidate *candidate,
                                 double *at)
{
  double from, to, lo = candidate->lo, hi = candidate->hi, shift;

  ifbam_event_link_interval (self, candidate->link, &from, &to);
  shift = MIN (interpolated_guard (self, candidate, from), 0);
  if (interpolated_guard (self, candidate, hi) - shift >= 0)
    return FALSE;
  while (hi - lo > DBL_EPSILON * self->base.spec->step)
    {
      const double middle = 0.5 * (lo + hi);

      if (middle <= lo || middle >= hi)
        break;
      if (interpolated_guard (self, candidate, middle) - shift >= 0)
        lo = middle;
      else
        hi = middle;
    }
  *at = lo;
  return TRUE;
}

/* event-location.c: where a guard is crossed: the unknown is the length of one scheme step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-location.h"

#include "event/forces.h"
#include "event/guards.h"
#include "event/event-engine-internal.h"
#include "event/island-step.h"
#include "event/event-log.h"

/* After so many trials the rest is halved, until nothing is left to halve. */
#define PATIENCE 200

/* Where so many rows hold a trial is much work: it is enough to be before the crossing by no more than a coordinate or rate is
 * rounded; without friction by so much of a floor, half of which is aimed at, or that after so many trials both sides are so
 * near. */
#define MANY   16
#define TRIALS 6
#define ENOUGH 0.25

/* Where Newton's method leads out at the near side again and again, the value jumps there, as a rule: this part of the rest is
 * tried. */
#define LEAP 1e-4

/* Newton's method leads to the far side of a guard if it goes by so much farther. */
#define BEYOND 1e-3

static void
try_island (IfbamEventEngine *self, guint32 number, double time)
{
  IfbamIsland *island = ifbam_island (self, number);
  const double h = time - island->time;
  gboolean placed = h > 0;

  island->tried = time;
  island->looked = self->looks;
  if (h > 0)
    ifbam_event_step (self, number, self->companion, island->time, h, self->x, self->v, self->xt,
                      self->vt, FALSE);
  IFBAM_FOR_COMPONENTS (component, number)
  placed &= component->n_moving == 0;
  if (!(h > 0))
    {
      ifbam_event_keep (self, number, self->x, self->xt);
      ifbam_event_keep (self, number, self->v, self->vt);
    }
  if (!placed)
    ifbam_event_place (self, number, ifbam_event_after (self, time), self->xt, self->vt);
}

void
ifbam_event_trial (IfbamEventEngine *self, guint32 number, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, number, islands);

  for (guint k = 0; k < n; k++)
    try_island (self, islands[k], time);
}

void
ifbam_event_begin_look (IfbamEventEngine *self)
{
  self->looks++;
}

void
ifbam_event_try (IfbamEventEngine *self, guint32 number, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, number, islands);

  for (guint k = 0; k < n; k++)
    if (ifbam_island (self, islands[k])->looked != self->looks
        || ifbam_island (self, islands[k])->tried != time)
      try_island (self, islands[k], time);
}

/* A guard's value after a step to a time, and its slope, where the rate tells; else NaN. */
static double
trial_guard (IfbamEventEngine *self, const IfbamCandidate *candidate, double time, double *slope)
{
  const IfbamGuard *guard = &candidate->guard;
  double delta, row[IFBAM_MAX_PORTS];

  ifbam_event_trial (self, candidate->link, time);
  if (guard->kind == IFBAM_GUARD_POSITION)
    {
      *slope = guard->factor
               * ifbam_link_measure (ifbam_link (self, candidate->link), self->xt, self->vt, &delta,
                                     row);
      return guard->factor * delta + guard->offset;
    }
  *slope = NAN;
  return ifbam_event_guard_value (self, candidate->link, guard, self->xt, self->vt, time);
}

/* A guard's value on the predicted course. */
static double
course_guard (const IfbamEventEngine *self, const IfbamCandidate *candidate, double time)
{
  double delta;
  const double rate = ifbam_link_estimate (self, candidate->link, time, &delta);

  return candidate->guard.factor * (candidate->guard.kind == IFBAM_GUARD_RATE ? rate : delta)
         + candidate->guard.offset;
}

/* How many rows hold where a link is; rubbed: whether some of them carry friction. */
static guint
count_rows (const IfbamEventEngine *self, guint32 number, gboolean *rubbed)
{
  guint32 islands[IFBAM_MAX_PORTS];
  guint rows = 0;

  *rubbed = FALSE;
  for (guint k = ifbam_event_link_islands (self, number, islands); k-- > 0;)
    {
      const GArray *held = ifbam_island (self, islands[k])->rows;

      for (guint i = 0; held != NULL && i < held->len; i++, rows++)
        *rubbed |= ifbam_link (self, g_array_index (held, guint32, i))->carries;
    }
  return rows;
}

/* What a guard's value is rounded by [as it]. */
static double
rounding_of (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  const IfbamExtent *extent = ifbam_event_extent (self, candidate->link);

  return candidate->guard.kind == IFBAM_GUARD_POSITION ? DBL_EPSILON * extent->largest
         : candidate->guard.kind == IFBAM_GUARD_RATE   ? DBL_EPSILON * extent->fastest
                                                       : 0;
}

/* From where on it is looked for a candidate's crossing (*from), and the guard's value there. */
static double
look_from (IfbamEventEngine *self, const IfbamCandidate *candidate, double floor, double *from)
{
  double to, slope, start;

  ifbam_event_link_interval (self, candidate->link, from, &to);
  start = trial_guard (self, candidate, *from, &slope);
  /* What starts at its guard, but for rounding, has to go through the floor, unless it has risen above
   * it on the way: else each of many small hops would sink by a floor, and gain what that is worth. */
  if (start < floor && candidate->hi > *from)
    {
      const double top = 0.5 * (*from + candidate->hi);
      double rise = course_guard (self, candidate, top);

      /* Where the course is high enough it needs no step to be believed. */
      if (!(rise > IFBAM_GUESS * ifbam_event_extent (self, candidate->link)->largest)
          || candidate->guard.kind != IFBAM_GUARD_POSITION)
        rise = trial_guard (self, candidate, top, &slope);

      if (rise > floor)
        {
          *from = top;
          start = rise;
        }
    }
  return start;
}

/* A guard that starts there is crossed where it is below this. */
static double
edge_of (double start, double floor)
{
  return start < floor ? MIN (start, -floor) : 0;
}

gboolean
ifbam_event_is_shared (const IfbamEventEngine *self, guint32 number, guint32 other)
{
  guint32 islands[IFBAM_MAX_PORTS], others[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, number, islands);
  gboolean rubbed;

  for (guint i = ifbam_event_link_islands (self, other, others); i-- > 0;)
    for (guint k = 0; k < n; k++)
      if (others[i] == islands[k])
        return count_rows (self, number, &rubbed) >= MANY;
  return FALSE;
}

/* A candidate beside others: its guard is crossed where it is below the edge. */
typedef struct
{
  double edge;
  gboolean crossed, before; /* at the time at which it was asked first, and then */
} Look;

/* Whether each of those that were found crossed, or not, is so at a time, too: its islands are stepped there once for all. */
static void
look_at (IfbamEventEngine *self, const IfbamCandidate *candidates, guint n, Look *looks,
         gboolean crossed, double time)
{
  for (guint i = 0; i < n; i++)
    {
      if (looks[i].before != crossed)
        continue;
      ifbam_event_try (self, candidates[i].link, time);
      looks[i].crossed = ifbam_event_guard_value (self, candidates[i].link, &candidates[i].guard,
                                                  self->xt, self->vt, time)
                         < looks[i].edge;
    }
}

double
ifbam_event_compare (IfbamEventEngine *self, double time, double apart, IfbamCandidate *others,
                     guint n)
{
  IFBAM_LIST (Look, looks, n);
  double early = 0;

  for (guint i = 0; i < n; i++)
    {
      const double floor = ifbam_event_guard_floor (self, others[i].link, &others[i].guard);
      double from;

      looks[i] = (Look){ .edge = edge_of (look_from (self, &others[i], floor, &from), floor) };
    }
  ifbam_event_begin_look (self);
  look_at (self, others, n, looks, FALSE, time);
  for (guint i = 0; i < n; i++)
    looks[i].before = looks[i].crossed;
  look_at (self, others, n, looks, FALSE, time + 2 * apart);
  look_at (self, others, n, looks, TRUE, time - apart);
  for (guint i = 0; i < n; i++)
    {
      IfbamCandidate *other = &others[i];

      if (looks[i].before)
        early = MAX (early, other->lo - time);
      other->located = looks[i].crossed != looks[i].before;
      if (other->located)
        other->lo = other->hi = time;
      else if (looks[i].before)
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
  /* Where friction is carried the order of what sticks and slips hangs on the last digits. */
  gboolean rubbed;
  const gboolean many = count_rows (self, candidate->link, &rubbed) >= MANY;
  const gboolean costly = many && !rubbed;
  double from, to, first, lo, hi, low, high, shift, start, floor, slope, point, value, aim, near;
  gboolean asked = TRUE;
  guint out = 0;
  int side = 0;

  ifbam_event_link_interval (self, candidate->link, &from, &to);
  floor = ifbam_event_guard_floor (self, candidate->link, &candidate->guard);
  start = look_from (self, candidate, floor, &from);
  shift = edge_of (start, floor);
  hi = candidate->hi;
  high = trial_guard (self, candidate, hi, &slope) - shift;
  lo = MAX (candidate->lo, from);
  if (high >= 0)
    {
      /* The cubic proposes, the step disposes: a little beyond where its slope leads is the far side, mostly. */
      const double ahead = slope < 0 ? hi - high / slope * (1 + BEYOND) + DBL_EPSILON * step : hi;
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

      /* Newton's method needs the far side only if it leads there. */
      asked = lo <= from || !(slope < 0);
      low = lo <= from ? start - shift
            : asked    ? trial_guard (self, candidate, lo, &unused) - shift
                       : 0;
      if (low < 0)
        {
          lo = from;
          low = MAX (start - shift, 0);
        }
    }
  aim = costly ? 0.5 * ENOUGH * floor : 0;
  near = many ? rounding_of (self, candidate) : 0;
  first = lo;
  point = hi;
  value = high;
  /* Newton, or Illinois (Dowell & Jarratt 1971), with a bisection now and then. */
  for (guint i = 0; hi - lo > 2 * DBL_EPSILON * step && ifbam_event_goes_on (self, hi, 0); i++)
    {
      const double least = 0.6 * DBL_EPSILON * step;
      const gboolean bisect = i >= PATIENCE || (slope < 0 ? i % 8 == 7 : i % 4 == 3);
      double middle = bisect      ? 0.5 * (lo + hi)
                      : slope < 0 ? point - (value - aim) / slope
                                  : hi - high * (hi - lo) / (high - low);

      /* Where it leads before a time at which nobody has asked, that was no near side. */
      if (near > 0 && !asked && !bisect && middle <= lo)
        {
          lo = first = from;
          low = MAX (start - shift, 0);
          asked = TRUE;
        }
      if (i > 0 && !bisect)
        middle += side > 0 ? least : -least;
      out += costly && !bisect && slope < 0 && middle <= lo;
      if (!(middle > lo && middle < hi))
        middle = out > 1 && !bisect ? lo + MAX (2 * DBL_EPSILON * step, LEAP * (hi - lo))
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
            break; /* by Newton's method it is not farther away than that */
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
      if (costly && i >= TRIALS && MAX (low, -high) <= ENOUGH * floor)
        break;
    }
  *at = lo;
  if (!asked && lo == first && trial_guard (self, candidate, lo, &slope) - shift < 0)
    {
      IfbamCandidate earlier = *candidate;

      earlier.lo = from;
      return ifbam_event_locate (self, &earlier, at);
    }
  return TRUE;
}

gboolean
ifbam_event_locate_on_course (const IfbamEventEngine *self, const IfbamCandidate *candidate,
                              double *at)
{
  double from, to, lo = candidate->lo, hi = candidate->hi, shift;

  ifbam_event_link_interval (self, candidate->link, &from, &to);
  shift = MIN (course_guard (self, candidate, from), 0);
  if (course_guard (self, candidate, hi) - shift >= 0)
    return FALSE;
  while (hi - lo > DBL_EPSILON * self->base.spec->step)
    {
      const double middle = 0.5 * (lo + hi);

      if (middle <= lo || middle >= hi)
        break;
      if (course_guard (self, candidate, middle) - shift >= 0)
        lo = middle;
      else
        hi = middle;
    }
  *at = lo;
  return TRUE;
}

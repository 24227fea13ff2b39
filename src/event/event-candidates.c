/* event-candidates.c: search for candidate events: guards that may be crossed in a step
 *
 * Within a step a compression is approximated by the cubic Hermite polynomial of its values and
 * rates at both ends. Nonnegative Bernstein coefficients exclude a crossing. Otherwise the extrema
 * are checked too, so that two crossings within one step are found (Shampine, Gladwell & Brankin
 * 1991, Reliable solution of special event location problems). Forces and reactions are sampled.
 * Candidates form a binary heap by time; event-location.c locates their crossings by scheme steps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-candidates.h"

#include "event/forces.h"
#include "event/guards.h"
#include "event/event-location.h"
#include "event/penetration-correction.h"
#include "event/constraint-reactions.h"
#include "event/load-sharing.h"
#include "event/event-engine-internal.h"
#include "event/candidate-queue.h"
#include "event/event-links.h"
#include "event/event-log.h"

/* Equidistant samples of a force or reaction in a step, both ends included. */
#define N_SAMPLES 5

/* Intervals of a step per path of length geometry->scale, on which a constraint row may rotate and
 * return to its first direction. */
#define PIECES_PER_ROTATION 4

/* Finds the first time in (0, h] at which a cubic falls below -floor. g0, g1: values at 0 and h;
 * d0, d1: time derivatives there. Returns TRUE and a bracket [*lo, *hi], or FALSE: no crossing. */
static gboolean
first_crossing (double g0, double d0, double g1, double d1, double h, double threshold, double *lo,
                double *hi)
{
  double a, b, c, discriminant, turn[3], from = 0;
  guint n = 0;

  /* A value that starts below the threshold may stay there: the cubic is shifted to -floor. */
  if (g0 < -threshold)
    {
      g1 -= g0 + threshold;
      g0 = -threshold;
    }
  if (g0 + h * d0 / 3 >= -threshold && g1 - h * d1 / 3 >= -threshold && g1 >= -threshold)
    return FALSE;
  b = (3 * (g1 - g0) / h - 2 * d0 - d1) / h;
  a = (d0 + d1 - 2 * (g1 - g0) / h) / (h * h);
  discriminant = 4 * b * b - 12 * a * d0;
  if (discriminant >= 0)
    {
      double q = -0.5 * (2 * b + copysign (sqrt (discriminant), b));
      double root[2] = { q / (3 * a), d0 / q };

      for (guint k = 0; k < 2; k++)
        if (root[k] > 0 && root[k] < h)
          turn[n++] = root[k];
      if (n == 2 && turn[0] > turn[1])
        {
          double swap = turn[0];

          turn[0] = turn[1];
          turn[1] = swap;
        }
    }
  turn[n++] = h;
  for (guint k = 0; k < n; k++)
    {
      const double to = turn[k];

      c = to == h ? g1 : g0 + to * (d0 + to * (b + to * a));
      if (c < -threshold)
        {
          double low = from, high = to;

          for (guint i = 0; i < 50 && high - low > 1e-6 * h; i++)
            {
              double middle = 0.5 * (low + high);

              if (g0 + middle * (d0 + middle * (b + middle * a)) < -threshold)
                high = middle;
              else
                low = middle;
            }
          *lo = low;
          *hi = high;
          return TRUE;
        }
      from = to;
    }
  return FALSE;
}

/* As first_crossing (), for the quartic through N_SAMPLES equidistant values g on [0, h]. */
static gboolean
first_sampled_crossing (const double *g, double h, double threshold, double *lo, double *hi)
{
  double most = g[0], least = g[0], before = 0;

  for (guint k = 1; k < N_SAMPLES; k++)
    {
      most = MAX (most, g[k]);
      least = MIN (least, g[k]);
    }
  if (least > 4 * (most - least) && least >= -threshold)
    return FALSE;
  for (guint k = 1; k <= 64; k++)
    {
      const double u = k / 64.0;
      double value = 0;

      for (guint i = 0; i < N_SAMPLES; i++)
        {
          double weight = 1;

          for (guint j = 0; j < N_SAMPLES; j++)
            if (j != i)
              weight *= (u * (N_SAMPLES - 1) - j) / ((double) i - j);
          value += weight * g[i];
        }
      if (value - MIN (g[0], 0) < -threshold)
        {
          *lo = before * h;
          *hi = u * h;
          return TRUE;
        }
      before = u;
    }
  return FALSE;
}

/* Adds an unresolved candidate: from `time` on, crossings of the guard can't be resolved. */
static void
add_unresolved_candidate (IfbamEventEngine *self, guint32 index, const IfbamGuard *guard,
                          double time)
{
  const IfbamCandidate candidate = { .lo = time,
                                     .hi = time,
                                     .link = index,
                                     .stamp = self->links.state[index].stamp,
                                     .guard = *guard,
                                     .is_located = TRUE,
                                     .is_unresolved = TRUE };

  ifbam_heap_push (self->candidates.found, &candidate);
}

static void
add_candidate (IfbamEventEngine *self, guint32 index, const IfbamGuard *guard, double from,
               double lo, double hi)
{
  IfbamCandidate candidate = { .lo = from + lo,
                               .hi = from + hi,
                               .link = index,
                               .stamp = self->links.state[index].stamp,
                               .guard = *guard };

  ifbam_heap_push (self->candidates.found, &candidate);
}

/* A link's cubic on [from, to]: compression, rate and derivative of the rate at both ends. */
typedef struct
{
  double delta[2], rate[2], slope[2];
} LinkCubic;

static void
set_link_cubic (const IfbamEventEngine *self, guint32 index, double from, double to,
                LinkCubic *ends)
{
  const IfbamLink *link = ifbam_link (self, index);
  const double h = to - from;
  double row[IFBAM_MAX_PORTS];

  /* The columns hold both ends of a whole step until the first event moves prescribed nodes. */
  if (self->quiet && from == 0 && to == self->base.spec->step)
    {
      ends->rate[0] = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &ends->delta[0], row);
      ends->rate[1] =
          ifbam_link_measure (link, self->nodes.x1, self->nodes.v1, &ends->delta[1], row);
    }
  else
    for (guint k = 0; k < 2; k++)
      ends->rate[k] = ifbam_link_estimate (self, index, k == 0 ? from : to, &ends->delta[k]);
  ends->slope[0] =
      (6 * (ends->delta[1] - ends->delta[0]) / h - 4 * ends->rate[0] - 2 * ends->rate[1]) / h;
  ends->slope[1] =
      (-6 * (ends->delta[1] - ends->delta[0]) / h + 2 * ends->rate[0] + 4 * ends->rate[1]) / h;
}

/* If an island of the link is only interpolated at `from`, steps it there and corrects `ends`. The
 * interpolant is too inaccurate to decide on which side of a guard the link is. */
static void
step_to_start (IfbamEventEngine *self, guint32 index, double from, double to, LinkCubic *ends)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);
  gboolean guessed = FALSE;
  double row[IFBAM_MAX_PORTS];

  for (guint k = 0; k < n; k++)
    guessed |= ifbam_island (self, islands[k])->time < from;
  if (!guessed || !(to > from))
    return;
  ifbam_event_trial (self, index, from);
  ends->rate[0] = ifbam_link_measure (ifbam_link (self, index), self->nodes.xt, self->nodes.vt,
                                      &ends->delta[0], row);
}

/* Value and time derivative of a position guard at a time, on the interpolated node motion. */
typedef struct
{
  double time, value, slope;
} GuardSample;

static GuardSample
sample_guard (const IfbamEventEngine *self, guint32 index, const IfbamGuard *guard, double time)
{
  double delta;
  const double rate = ifbam_link_estimate (self, index, time, &delta);

  return (GuardSample){ time, guard->factor * delta + guard->offset, guard->factor * rate };
}

/* Returns a bound of the path of a link's ends in [from, to]: the sum over its ports of the largest
 * distance of the node cubic's Bezier control points from its start, times the port's lever. */
static double
path_bound (const IfbamEventEngine *self, guint32 index, double from, double to)
{
  const IfbamLink *link = ifbam_link (self, index);
  const double h = to - from;
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    {
      double x0, v0, x1, v1;

      ifbam_event_node_at (self, link->node[e], from, &x0, &v0);
      ifbam_event_node_at (self, link->node[e], to, &x1, &v1);
      sum += (link->geometry->lever == NULL ? 1 : link->geometry->lever (link->shape, (int) e))
             * MAX (fabs (h * v0) / 3, MAX (fabs (x1 - h * v1 / 3 - x0), fabs (x1 - x0)));
    }
  return sum;
}

/* Adds the first crossing of a position guard in [a, b], for a link with a rotating row. Halves the
 * interval, at most `depth` times, until its cubic is accurate to `close` in the middle. Returns
 * FALSE if there is no crossing, TRUE also for an unresolved candidate. */
static gboolean
add_curved_crossing (IfbamEventEngine *self, guint32 index, const IfbamGuard *guard,
                     const GuardSample *a, const GuardSample *b, guint depth, double threshold,
                     double close)
{
  const double h = b->time - a->time;
  const GuardSample m = sample_guard (self, index, guard, 0.5 * (a->time + b->time));
  const double error =
      fabs (m.value - (0.5 * (a->value + b->value) + h * (a->slope - b->slope) / 8));
  const double least = MIN (MIN (a->value, b->value),
                            MIN (a->value + h * a->slope / 3, b->value - h * b->slope / 3));
  const GuardSample *ends[] = { a, &m, b };
  double lo, hi;

  if (least > 4 * error)
    return FALSE;
  if (error > close && depth == 0)
    {
      add_unresolved_candidate (self, index, guard, a->time);
      return TRUE;
    }
  for (guint k = 0; k < 2; k++)
    {
      const GuardSample *from = ends[k], *to = ends[k + 1];

      if (error > close)
        {
          if (add_curved_crossing (self, index, guard, from, to, depth - 1, threshold, close))
            return TRUE;
        }
      else if (first_crossing (from->value, from->slope, to->value, to->slope, 0.5 * h, threshold,
                               &lo, &hi))
        {
          add_candidate (self, index, guard, from->time, lo, hi);
          return TRUE;
        }
    }
  return FALSE;
}

static void
find_subdivided_crossings (IfbamEventEngine *self, guint32 index, const IfbamGuard *guard,
                           double from, double to, double threshold)
{
  const IfbamLink *link = ifbam_link (self, index);
  const double path = path_bound (self, index, from, to);
  const double scale =
      link->geometry->circle == NULL ? INFINITY : link->geometry->circle (link->shape);
  const double pieces = ceil (MAX (path * PIECES_PER_ROTATION / scale, 1));
  GuardSample a = sample_guard (self, index, guard, from);
  double close = threshold;
  LinkCubic ends;

  if (a.value > fabs (guard->factor) * path)
    return;
  if (pieces > self->limits.pieces)
    {
      add_unresolved_candidate (self, index, guard, from);
      return;
    }
  if (a.value < -threshold)
    {
      ends = (LinkCubic){ .delta = { (a.value - guard->offset) / guard->factor },
                          .rate = { a.slope / guard->factor } };
      step_to_start (self, index, from, to, &ends);
      /* Interpolants agree with each other no better than the first one with the scheme step. */
      close = MAX (threshold, 2 * fabs (guard->factor * ends.delta[0] + guard->offset - a.value));
      a.value = guard->factor * ends.delta[0] + guard->offset;
      a.slope = guard->factor * ends.rate[0];
    }
  for (guint k = 1; k <= (guint) pieces; k++)
    {
      const GuardSample b = sample_guard (self, index, guard, from + (to - from) * (k / pieces));

      if (add_curved_crossing (self, index, guard, &a, &b, self->limits.halvings, threshold, close))
        return;
      a = b;
    }
}

/* Adds the first crossing of a guard on a force, or on a rate without a cubic, from samples. */
static void
find_sampled_crossings (IfbamEventEngine *self, guint32 index, const IfbamGuard *guard, double from,
                        double to)
{
  const IfbamLink *link = ifbam_link (self, index);
  IfbamLinkState *state = &self->links.state[index];
  double g[N_SAMPLES], lo, hi;

  for (guint k = 0; k < N_SAMPLES; k++)
    {
      const double time = from + (to - from) * k / (N_SAMPLES - 1);
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, rate, value;
      double room[IFBAM_MAX_LAW];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
      value = rate = ifbam_link_measure_at (link, x, v, &delta, row);
      if (guard->kind != IFBAM_GUARD_RATE)
        {
          value = ifbam_event_guard_force (self, index, guard,
                                           ifbam_link_parameters_estimate (self, index, time, room),
                                           delta, rate);
          state->force_scale = MAX (state->force_scale, fabs (value));
        }
      g[k] = guard->factor * value + guard->offset;
    }
  if (first_sampled_crossing (g, to - from, ifbam_event_guard_threshold (self, index, guard), &lo,
                              &hi))
    add_candidate (self, index, guard, from, lo, hi);
}

static gboolean
is_reaction_guard (const IfbamGuard *guard)
{
  return guard->kind == IFBAM_GUARD_REACTION || guard->kind == IFBAM_GUARD_CARRIED
         || guard->kind == IFBAM_GUARD_BOTH;
}

void
ifbam_event_find_candidates (IfbamEventEngine *self, guint32 index)
{
  IfbamLinkState *state = &self->links.state[index];
  /* Adaptive steps are quintics, which need the same subdivision as rotating rows. */
  const gboolean curved =
      ifbam_link (self, index)->geometry->measures_distance || self->adaptive != NULL;
  const gboolean slides = ifbam_link (self, index)->geometry->only_rate;
  IfbamGuard guards[IFBAM_MAX_GUARDS];
  const guint n = ifbam_event_guards (self, index, guards);
  double from, to, lo, hi;
  LinkCubic ends;

  state->stamp++;
  if (n == 0 || state->is_suspended || !ifbam_event_link_interval (self, index, &from, &to))
    return;
  if (is_reaction_guard (&guards[0]))
    return; /* see ifbam_event_find_reaction_candidates () */
  if (!slides && (!curved || n > 1 || guards[0].kind != IFBAM_GUARD_POSITION))
    {
      set_link_cubic (self, index, from, to, &ends);
      if (guards[0].kind == IFBAM_GUARD_POSITION
          && guards[0].factor * ends.delta[0] + guards[0].offset
                 < -ifbam_event_magnitudes (self, index)->position_threshold)
        {
          if (from == 0
              && fabs (ends.rate[0]) <= 2 * ifbam_event_magnitudes (self, index)->rate_threshold)
            ifbam_event_add_penetration (self, index);
          step_to_start (self, index, from, to, &ends);
        }
    }
  for (guint k = 0; k < n; k++)
    {
      const IfbamGuard *guard = &guards[k];
      const double threshold = ifbam_event_guard_threshold (self, index, guard);
      gboolean crossed = FALSE;

      if (guard->kind == IFBAM_GUARD_POSITION && curved)
        find_subdivided_crossings (self, index, guard, from, to, threshold);
      else if (guard->kind == IFBAM_GUARD_POSITION)
        crossed = first_crossing (guard->factor * ends.delta[0] + guard->offset,
                                  guard->factor * ends.rate[0],
                                  guard->factor * ends.delta[1] + guard->offset,
                                  guard->factor * ends.rate[1], to - from, threshold, &lo, &hi);
      else if (guard->kind == IFBAM_GUARD_RATE && !slides && self->adaptive == NULL)
        crossed = first_crossing (guard->factor * ends.rate[0] + guard->offset,
                                  guard->factor * ends.slope[0],
                                  guard->factor * ends.rate[1] + guard->offset,
                                  guard->factor * ends.slope[1], to - from, threshold, &lo, &hi);
      else
        find_sampled_crossings (self, index, guard, from, to);
      if (crossed)
        add_candidate (self, index, guard, from, lo, hi);
    }
}

/* Sets x, v of an island's nodes and prescribed nodes at `time` on the interpolated motion. */
static void
interpolate_island (IfbamEventEngine *self, const IfbamIsland *island, guint32 index, double time,
                    double *x, double *v)
{
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    {
      ifbam_island_node (self, island, (guint32) i, time, &x[i], &v[i]);
      ifbam_event_set_evaluator_node (self, (guint32) i, x, v);
    }
  ifbam_event_set_given (self, index, ifbam_event_time_at (self, time), x, v);
}

/* Returns whether an island is at rest throughout its step, and nothing that acts on it depends on
 * the time. Its reactions are constant then, so that one sample suffices. */
static gboolean
is_at_rest_in_step (const IfbamEventEngine *self, guint32 index)
{
  IFBAM_FOR_COMPONENTS (component, index)
  {
    if (component->n_moving > 0 || component->n_varying > 0)
      return FALSE;
    IFBAM_FOR_NODES (range, component)
    for (gsize i = range->first; i < range->last; i++)
      if (ifbam_event_node_moves (self, i))
        return FALSE;
  }
  return TRUE;
}

/* Returns the reaction that a guard evaluates, at sample s. The next row is perpendicular. */
static double
reaction_of (const double *sample, guint row, guint s, const IfbamGuard *guard)
{
  const double *own = sample + row * N_SAMPLES + s;

  return guard->kind == IFBAM_GUARD_BOTH ? sqrt (own[0] * own[0] + own[N_SAMPLES] * own[N_SAMPLES])
                                         : own[0];
}

void
ifbam_event_find_reaction_candidates (IfbamEventEngine *self, guint32 index)
{
  IfbamIsland *island = ifbam_island (self, index);
  const double h = island->until - island->time;
  const guint n = !island->has_limited || !(h > 0) ? 0 : island->rows->len;
  IFBAM_SHORT_LIST (double, sample, n *N_SAMPLES);
  IFBAM_SHORT_LIST (double, most, n *N_SAMPLES); /* breakaway force, if it varies (n, N_SAMPLES) */
  guint known;

  if (n == 0)
    return;
  known = is_at_rest_in_step (self, index) ? 1 : N_SAMPLES;
  for (guint k = 0; k < known && ifbam_event_may_continue (self, island->time, 4 * n); k++)
    {
      const double time = island->time + h * k / (N_SAMPLES - 1);

      interpolate_island (self, island, index, time, self->nodes.x2, self->nodes.v2);
      ifbam_event_forces (self, index, self->nodes.x2, self->nodes.v2,
                          ifbam_event_time_at (self, time));
      ifbam_event_solve_reactions (self, island, self->nodes.x2, self->nodes.v2,
                                   ifbam_event_time_at (self, time));
      for (guint i = 0; i < n; i++)
        {
          const guint32 link = g_array_index (island->rows, guint32, i);

          sample[i * N_SAMPLES + k] = island->lambda[i];
          if (ifbam_link (self, link)->n_states > 0)
            most[i * N_SAMPLES + k] =
                ifbam_link_constraint_at (self, link, self->nodes.x2, self->nodes.v2).breakaway;
          self->links.state[link].force_scale =
              MAX (self->links.state[link].force_scale, fabs (island->lambda[i]));
        }
    }
  for (guint i = 0; i < n && self->base.log->failure == NULL; i++)
    {
      guint32 link = g_array_index (island->rows, guint32, i);
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n_guards = ifbam_event_guards (self, link, guards);
      guint carrier = i;

      /* Carriers are active, too, and have lower row indices. */
      while (ifbam_link_is_carried (ifbam_link (self, link)) && carrier > 0
             && g_array_index (island->rows, guint32, carrier) != ifbam_link (self, link)->carrier)
        carrier--;
      for (guint k = 0; k < n_guards; k++)
        {
          double g[N_SAMPLES], lo, hi;

          if (!is_reaction_guard (&guards[k]) || self->links.state[link].is_suspended)
            continue;
          for (guint s = 0; s < N_SAMPLES; s++)
            {
              const guint at = MIN (s, known - 1);
              double carrying[IFBAM_MAX_CARRIERS];

              for (guint c = 0;
                   c < ifbam_link (self, link)->n_carriers && guards[k].kind == IFBAM_GUARD_CARRIED;
                   c++)
                carrying[c] = sample[(carrier + c) * N_SAMPLES + at];
              g[s] = guards[k].factor * reaction_of (sample, i, at, &guards[k])
                     + (guards[k].kind == IFBAM_GUARD_CARRIED
                            ? ifbam_link_friction_limit (self, link, carrying)
                        : ifbam_link (self, link)->n_states > 0 ? most[i * N_SAMPLES + at]
                                                                : guards[k].offset);
            }
          if (first_sampled_crossing (g, h, ifbam_event_guard_threshold (self, link, &guards[k]),
                                      &lo, &hi))
            add_candidate (self, link, &guards[k], island->time, lo, hi);
        }
    }
}

/* step-size-control.c: control of an island's step size by an error tolerance
 *
 * Each island takes steps of its own. Embedded weights of the scheme estimate a step's errors. No
 * error of a coordinate or rate may exceed the tolerance, relative to the largest one of the
 * island's nodes of a domain so far. (Rates count, too: a distant origin does not hide a
 * vibration.) If all free nodes are states, the given motions have errors, too: the weights that
 * integrate them also integrate the links' work. The next step follows from the PI controller of
 * Gustafsson (1991, ACM Trans. Math. Softw. 17) with the parameters of Hairer & Wanner (1996,
 * Solving ODEs II, IV.2). Implicit schemes keep a step that could grow by little, to reuse factors
 * (IV.8 there).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/step-size-control.h"

#include <string.h>

#include "base/power.h"
#include "event/slip-direction.h"
#include "event/implicit-step.h"
#include "event/constraint-check.h"
#include "event/adaptive-steps.h"
#include "event/candidate-queue.h"
#include "event/event-log.h"

/* Gustafsson: SAFETY error^(-0.7/k) last^(0.4/k) scales a step with errors of order step^k. */
#define ERROR_EXPONENT      0.7
#define LAST_ERROR_EXPONENT 0.4
#define SAFETY              0.9
#define MIN_FACTOR          0.2
#define MAX_FACTOR          5
/* An implicit step that could grow by a smaller factor is kept (radau5.f). */
#define MIN_IMPLICIT_GROWTH 1.2
/* A step may be longer by this factor to reach the next stop (dopri5.f). */
#define STOP_EXTENSION 1.01
/* Shortest step [of the sample interval, and of the time]: shorter ones are lost in rounding. */
#define MIN_STEP (16 * DBL_EPSILON)
/* Initial search for scales: relative error at its end, and shortest trial [of the first step]. */
#define SCALE_SEARCH_ERROR 1
#define MIN_TRIAL          1e-9
/* Shortest step [of the first one] that is tried to satisfy violated constraints. */
#define MIN_CONSTRAINED_STEP 1e-6
/* Shortest step [of the first one] in which errors of massless nodes' rates count: jumps have no order. */
#define MIN_MASSLESS_STEP 1e-4
/* Largest change of a rate in a step after a jump [of its scale]: 5 rad of a vibration. Error
 * estimates detect smaller ones. MAX_TRIALS limits the trials that shorten such a step. */
#define MAX_CHANGE 30
#define MAX_TRIALS 64

/* Magnitude scales of a domain: coordinate, rate. */
typedef struct
{
  double largest, fastest;
} ErrorScales;

/* Computes the scales of an island's domains, size (IFBAM_N_DOMAINS): of its nodes so far and at
 * x1, v1, and of its prescribed nodes at `end` [s after the step's start]. */
static void
measure (IfbamEventEngine *self, guint32 index, double end, ErrorScales *size)
{
  const IfbamAdaptiveSteps *adaptive = self->adaptive;

  memset (size, 0, IFBAM_N_DOMAINS * sizeof *size);
  IFBAM_FOR_ISLAND_NODES (i, index)
  if (!ifbam_model_is_state_node (self->base.model, i))
    {
      ErrorScales *of = &size[self->clusters.node_domain[i]];

      of->largest = MAX (of->largest, MAX (adaptive->largest[i], fabs (self->nodes.x1[i])));
      of->fastest = MAX (of->fastest, MAX (adaptive->fastest[i], fabs (self->nodes.v1[i])));
    }
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_LIST (node, component, givens)
  {
    const IfbamMotion motion =
        ifbam_event_motion_now (self, *node, ifbam_event_time_at (self, end));
    ErrorScales *of = &size[self->clusters.node_domain[*node]];

    of->largest = MAX (of->largest, fabs (motion.position));
    of->fastest = MAX (of->fastest, fabs (motion.rate));
  }
}

/* Returns the scales of a node's errors. An angle's scale includes that of its levers' ends. */
static ErrorScales
node_scales (const IfbamEventEngine *self, const ErrorScales *size, gsize node)
{
  ErrorScales of = size[self->clusters.node_domain[node]];

  if (ifbam_model_is_state_node (self->base.model, node)) /* a state: only its own rate counts */
    return (ErrorScales){ .fastest =
                              MAX (self->adaptive->fastest[node], fabs (self->nodes.v1[node])) };
  if (self->clusters.lever[node] > 0)
    {
      of.largest =
          MAX (of.largest, size[IFBAM_DOMAIN_TRANSLATION].largest / self->clusters.lever[node]);
      of.fastest =
          MAX (of.fastest, size[IFBAM_DOMAIN_TRANSLATION].fastest / self->clusters.lever[node]);
    }
  return of;
}

/* Returns an error relative to `size`, less the rounding error `threshold`. */
static double
relative_error (double error, double size, double threshold)
{
  return fabs (error) <= threshold ? 0 : (fabs (error) - threshold) / size;
}

/* Relative rounding error. That of a rate includes the rounding of a position, divided by h. */
#define ROUNDING (64 * DBL_EPSILON)

/* Largest rounding error of a rate above the tolerance [of its scale]; part 0: there is none. */
typedef struct
{
  gsize node;
  double part;
} Rounding;

/* Returns the size to which an error of a position is relative. If a force depends on it, that is at
 * most the path in a step h, as differences of positions may be small. A massless node's rate may jump,
 * and the path with it, however short the step: there the size is at least the node's stroke. */
static double
position_size (IfbamEventEngine *self, gsize node, const ErrorScales *of, double end, double h)
{
  if (!self->adaptive->depends_on_position[node])
    return of->largest;
  return MIN (of->largest,
              MAX (of->fastest * h, ifbam_adaptive_find_stroke (self, node, end, self->nodes.x1)));
}

/* Returns the largest relative error of an island's step, divided by the tolerance; INFINITY: a
 * value is not finite. x, v: errors (n_nodes). Rates of massless nodes follow from the states, and may
 * jump: in short steps their errors do not count. *rounding: the largest rounding error of a rate above
 * the tolerance; shorter steps do not reduce it. */
static double
largest_error (IfbamEventEngine *self, guint32 index, double end, double h, const double *x,
               const double *v, Rounding *rounding)
{
  const double tolerance = self->base.spec->tolerance;
  const gboolean jumps = h < MIN_MASSLESS_STEP * self->base.spec->first;
  ErrorScales size[IFBAM_N_DOMAINS];
  double largest = 0;
  gboolean has_free = FALSE;

  *rounding = (Rounding){ .part = 0 };
  measure (self, index, end, size);
  IFBAM_FOR_ISLAND_NODES (i, index)
  {
    const ErrorScales of = node_scales (self, size, i);
    const double way = position_size (self, i, &of, end, h);
    const double rate = jumps && ifbam_model_is_junction (self->base.model, i) ? 0 : v[i];
    const double parts[] = { relative_error (rate, of.fastest,
                                             ROUNDING * (of.fastest + of.largest / h)),
                             way > 0 ? relative_error (x[i], way, ROUNDING * of.largest) : 0 };

    /* (Relative to infinity an error is 0, and comparisons with NaN are false.) */
    if (!isfinite (self->nodes.x1[i]) || !isfinite (self->nodes.v1[i])
        || isnan (parts[0] + parts[1]))
      return INFINITY;
    has_free |= !ifbam_model_is_state_node (self->base.model, i);
    largest = MAX (largest, MAX (parts[0], parts[1]));
    if (fabs (rate) > (parts[0] + MAX (tolerance, rounding->part)) * of.fastest)
      *rounding = (Rounding){ .node = i, .part = fabs (rate) / of.fastest - parts[0] };
  }
  if (!has_free)
    largest = MAX (largest, ifbam_event_estimate_given (self, index, end - h, h));
  return largest / tolerance;
}

static void
count_rounding (IfbamStepCount *count, const Rounding *rounding)
{
  if (rounding->part > 0)
    count->rounded++;
  if (rounding->part > count->rounding)
    {
      count->worst = rounding->node;
      count->rounding = rounding->part;
    }
}

/* Returns the time of a heap's first scheduled event after `later`; INFINITY: none. */
static double
next_given (const GArray *heap, double later)
{
  double stop = INFINITY;

  for (guint i = 0; i < heap->len; i++)
    {
      const IfbamCandidate *candidate = &g_array_index (heap, IfbamCandidate, i);

      if (candidate->link == IFBAM_NONE && candidate->lo > later)
        stop = MIN (stop, candidate->lo);
    }
  return stop;
}

/* Returns the time of the next scheduled event after an island's time; INFINITY: none. */
static double
next_stop (const IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step, later = time + MIN_STEP * step;
  const IfbamTimeEvent *time_event = ifbam_schedule_get (&self->schedule, self->schedule.next);
  double stop = next_given (self->candidates.found, later);

  for (guint k = 0; k < self->clusters.n; k++)
    stop = MIN (stop, next_given (self->clusters.list[k].heap, later));
  if (time_event != NULL)
    {
      const double at = (time_event->time / step - (double) self->step) * step;

      if (at > later)
        stop = MIN (stop, at);
    }
  return stop;
}

static void
fail (IfbamEventEngine *self, guint32 index, double time)
{
  gsize worst = G_MAXSIZE;
  g_autofree char *name = NULL, *text = NULL;

  IFBAM_FOR_ISLAND_NODES (i, index)
  if (worst == G_MAXSIZE || !(fabs (self->nodes.v1[i]) <= fabs (self->nodes.v1[worst])))
    worst = i;
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_LIST (node, component, moving)
  worst = worst == G_MAXSIZE ? *node : worst;
  name = ifbam_model_node_name (self->base.model, worst);
  text = g_strdup_printf ("\"%s\" has no step under \"%s\" within the tolerance of %g (choose "
                          "a larger one, or look for a discontinuity there)",
                          name, self->scheme->name, self->base.spec->tolerance);
  ifbam_event_fail (self, time, NULL, 0, text, "");
}

/* Returns the factor of the next step. error, last: present and last error [of the tolerance]. */
static double
factor (const IfbamEventEngine *self, double error, double last)
{
  const IfbamTableau *table = ifbam_scheme_tableau (self->scheme);
  const double k = table->estimated;
  const double by = SAFETY * ifbam_power (error, -ERROR_EXPONENT / k)
                    * ifbam_power (last, LAST_ERROR_EXPONENT / k);

  if (self->scheme->implicit != NULL && by >= 1 && by < MIN_IMPLICIT_GROWTH)
    return 1;
  return CLAMP (by, MIN_FACTOR, MAX_FACTOR);
}

/* Finds scales for an island that starts from rest: shortens a trial step until its relative error
 * is at most SCALE_SEARCH_ERROR. The scales are those of its end. */
static void
find_size (IfbamEventEngine *self, guint32 index)
{
  const IfbamIsland *island = ifbam_island (self, index);
  const double tolerance = self->base.spec->tolerance;
  const double *x, *v;
  Rounding rounding;

  IFBAM_FOR_ISLAND_NODES (i, index)
  if (self->nodes.v[i] != 0 || self->adaptive->fastest[i] > 0)
    return;
  for (double h = island->next_step;
       h > MIN_TRIAL * island->next_step && self->base.log->failure == NULL; h *= MIN_FACTOR)
    if (ifbam_event_try_step (self, index, island->time, h, &x, &v)
        && largest_error (self, index, island->time + h, h, x, v, &rounding)
               <= SCALE_SEARCH_ERROR / tolerance)
      {
        ifbam_adaptive_include (self, index, island->time + h, self->nodes.x1, self->nodes.v1);
        return;
      }
}

/* After a jump of forces: shortens island->next until rates change by at most MAX_CHANGE times
 * their scales, or the scales at its end. Error estimates miss changes that the scheme damps within
 * the step, such as the impact of a mass on a stiff spring in mid-step. */
static void
limit_step_after_jump (IfbamEventEngine *self, guint32 index, double stop)
{
  IfbamIsland *island = ifbam_island (self, index);
  ErrorScales size[IFBAM_N_DOMAINS];

  /* Scales are those of the start: x1, v1 hold no end of a step yet. */
  IFBAM_FOR_ISLAND_NODES (i, index)
  {
    self->nodes.x1[i] = self->nodes.x[i];
    self->nodes.v1[i] = self->nodes.v[i];
  }
  measure (self, index, island->time, size);
  for (guint trial = 0; trial < MAX_TRIALS; trial++)
    {
      const double h = MIN (island->next_step, stop - island->time), *before, *after;
      double largest = 0;

      if (!ifbam_event_estimate_jerk (self, index, island->time, h, &before, &after))
        return;
      IFBAM_FOR_ISLAND_NODES (i, index)
      {
        const double change = fabs (after[i] - before[i]);
        const double fast = MAX (node_scales (self, size, i).fastest, h * fabs (before[i]));

        if (!isfinite (change))
          largest = INFINITY;
        else if (change > 0)
          largest = MAX (largest, h * change / fast);
      }
      if (!(largest > MAX_CHANGE))
        return;
      island->next_step = h * (largest < INFINITY ? sqrt (MAX_CHANGE / largest) : MIN_FACTOR);
    }
}

/* Adds the end of an island's step to the candidates. */
static void
add_step_end (IfbamEventEngine *self, guint32 index)
{
  const IfbamIsland *island = ifbam_island (self, index);

  ifbam_heap_push (self->candidates.found,
                   &(IfbamCandidate){ .lo = nextafter (island->until, INFINITY),
                                      .hi = island->until,
                                      .link = IFBAM_STEP_END,
                                      .stamp = index,
                                      .is_located = TRUE });
}

void
ifbam_adaptive_begin_step (IfbamEventEngine *self, guint32 index)
{
  IfbamIsland *island = ifbam_island (self, index);
  const double stop = next_stop (self, island->time), from = island->time;
  const int k = ifbam_scheme_tableau (self->scheme)->estimated;
  g_autofree char *why = NULL;
  gboolean again = FALSE, cut;
  guint32 unsolved;
  double h, error, by;

  ifbam_event_update_slip_directions (self, index);
  island->after_jump = 0;
  IFBAM_FOR_ISLAND_NODES (i, index)
  if (isnan (self->nodes.a[i]))
    island->after_jump = 1;
  find_size (self, index);
  if (island->after_jump > 0 && self->scheme->implicit != NULL)
    limit_step_after_jump (self, index, stop);
  for (;;)
    {
      const double *x, *v;
      Rounding rounding = { .part = 0 };

      h = island->next_step;
      cut = from + STOP_EXTENSION * h >= stop;
      if (cut)
        h = stop - from;
      error = ifbam_event_try_step (self, index, from, h, &x, &v)
                  ? largest_error (self, index, from + h, h, x, v, &rounding)
                  : INFINITY;
      if (self->base.log->failure != NULL)
        break;
      if (error <= 1)
        {
          ifbam_event_accept_step (self, index, from + h);
          ifbam_event_check_island (self, index, from + h, h);
          if (self->base.log->failure == NULL)
            {
              count_rounding (&self->adaptive->count, &rounding);
              break;
            }
          /* A shorter step may satisfy the constraints. */
          g_free (why);
          why = g_steal_pointer (&self->base.log->failure);
          error = INFINITY;
        }
      self->adaptive->count.rejected++;
      again = TRUE;
      island->next_step =
          h
          * (error < INFINITY ? CLAMP (SAFETY * ifbam_power (error, -1.0 / k), MIN_FACTOR, SAFETY)
                              : MIN_FACTOR);
      /* The velocities of massless nodes after a jump hold at the length of a step that is too long. */
      if (island->after_jump > 0 && self->implicit != NULL && self->base.log->failure == NULL)
        ifbam_event_balance_junctions (self, index, from, &unsolved);
      if (why != NULL && h < MIN_CONSTRAINED_STEP * self->base.spec->first)
        self->base.log->failure = g_steal_pointer (&why);
      if (self->base.log->failure != NULL)
        break;
      if (!(island->next_step > MIN_STEP * (fabs (from) + ifbam_event_time (self))))
        {
          fail (self, index, from);
          break;
        }
    }
  error = MAX (error, IFBAM_FIRST_ERROR);
  by = factor (self, error, again ? error : island->error);
  if (again)
    by = MIN (by, 1);
  island->until = cut ? stop : from + h;
  island->step_after = cut && by >= 1 ? MAX (island->next_step, h * by) : h * by;
  island->error_after = error;
  add_step_end (self, index);
}

void
ifbam_adaptive_leave_sample (IfbamEventEngine *self)
{
  const IfbamAdaptiveSteps *adaptive = self->adaptive;

  for (guint32 k = 0; k < self->islands.list->len; k++)
    {
      const IfbamIsland *island = ifbam_island (self, k);

      if (!ifbam_adaptive_has_island (self, k))
        continue;
      if (!(island->until > 0))
        {
          ifbam_adaptive_include (self, k, 0, self->nodes.x, self->nodes.v);
          ifbam_island (self, k)->time = 0;
          ifbam_adaptive_begin_step (self, k);
          continue;
        }
      IFBAM_FOR_ISLAND_NODES (i, k)
      {
        double *begun[] = { self->nodes.x, self->nodes.v, self->nodes.a };
        double *ended[] = { self->nodes.x1, self->nodes.v1, self->nodes.a1 };

        for (guint c = 0; c < 3; c++)
          {
            begun[c][i] = adaptive->begun[c][i];
            ended[c][i] = adaptive->ended[c][i];
            ifbam_event_set_evaluator_node (self, (guint32) i, begun[c], ended[c]);
          }
      }
      add_step_end (self, k);
    }
}

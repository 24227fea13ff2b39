/* step-size-control.c: how long a step of an island may be for a tolerance
 *
 * Each island goes by steps of its own, whose errors a scheme's embedded weights tell: in parts of the largest
 * coordinate and rate that its nodes of a domain have had, no error may exceed the tolerance. (Of rates and coordinates
 * both: a far origin hides no vibration.) The next step follows by the PI controller of Gustafsson (1991, ACM Trans.
 * Math. Softw. 17) with the numbers of Hairer & Wanner (1996, Solving ODEs II, IV.2). Where equations are solved a step
 * that could grow a little stays as it is, so that factors can be kept (IV.8 there).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/step-size-control.h"

#include <string.h>

#include "base/power.h"
#include "event/slip-direction.h"
#include "event/event-candidates.h"
#include "event/implicit-step.h"
#include "event/constraint-check.h"
#include "event/adaptive-steps.h"
#include "event/event-log.h"

/* By Gustafsson: the step goes with error^(-0.7/k) last^(0.4/k), where the error goes with step^k. */
#define BY_ERROR 0.7
#define BY_LAST  0.4
#define SAFETY   0.9
#define LEAST    0.2
#define MOST     5
/* A step that is to be solved, and could grow by less, stays (radau5.f). */
#define WORTH_IT 1.2
/* What is left to go is gone in one step if it is by so little more (dopri5.f). */
#define STRETCH 1.01
/* Shorter ones [of the step between rows] change nothing. */
#define SHORTEST (16 * DBL_EPSILON)
/* What is about right, and how much shorter than the first one a step may be that tries to be so. */
#define ABOUT_RIGHT    1
#define SMALLEST_TRIAL 1e-9
/* Nor do they [of the first one] keep what longer ones do not keep. */
#define LEAST_KEPT 1e-6
/* A change of rate [in parts of what is fast] that no scheme forgets in its step, of a vibration 5 radians: errors tell of it;
 * and how often a step that changes more is shortened. */
#define MOST_CHANGE 30
#define MOST_TRIALS 64

/* What is large in a domain. */
typedef struct
{
  double largest, fastest;
} Size;

/* Sizes in an island's domains, with its given nodes, and with where the step leads. */
static void
measure (IfbamEventEngine *self, guint32 number, double end, Size *size)
{
  const IfbamPace *pace = self->pace;

  memset (size, 0, IFBAM_N_DOMAINS * sizeof *size);
  IFBAM_FOR_PACED (i, number)
  if (!ifbam_model_is_inner (self->base.model, i))
    {
      Size *of = &size[self->domain[i]];

      of->largest = MAX (of->largest, MAX (pace->largest[i], fabs (self->x1[i])));
      of->fastest = MAX (of->fastest, MAX (pace->fastest[i], fabs (self->v1[i])));
    }
  IFBAM_FOR_COMPONENTS (component, number)
  IFBAM_FOR_LIST (node, component, givens)
  {
    const IfbamMotion motion = ifbam_event_given_now (self, *node, ifbam_event_after (self, end));
    Size *of = &size[self->domain[*node]];

    of->largest = MAX (of->largest, fabs (motion.position));
    of->fastest = MAX (of->fastest, fabs (motion.rate));
  }
}

/* What is large beside a node's error. What turns is as large, too, as what its levers move. */
static Size
size_of (const IfbamEventEngine *self, const Size *size, gsize node)
{
  Size of = size[self->domain[node]];

  if (ifbam_model_is_inner (self->base.model,
                            node)) /* it has a rate, and no place; it is like nobody else */
    return (Size){ .fastest = MAX (self->pace->fastest[node], fabs (self->v1[node])) };
  if (self->lever[node] > 0)
    {
      of.largest = MAX (of.largest, size[IFBAM_DOMAIN_TRANSLATION].largest / self->lever[node]);
      of.fastest = MAX (of.fastest, size[IFBAM_DOMAIN_TRANSLATION].fastest / self->lever[node]);
    }
  return of;
}

/* In parts of what is large; what is rounding is none. */
static double
part_of (double error, double size, double floor)
{
  return fabs (error) <= floor ? 0 : (fabs (error) - floor) / size;
}

/* So many times the last digit are rounding. */
#define ROUNDING (64 * DBL_EPSILON)

/* Whose rate is most wrong by it, in parts of what is fast (0: nobody's by more than the tolerance). */
typedef struct
{
  gsize node;
  double part;
} Rounding;

/* Rates that balance forces are known as well as places. Springs hear differences of places, which may be small beside
 * these: there errors of places are small beside the way of a step, too. No step makes less of what is rounding: whose
 * rate is more wrong than the tolerance by that alone is handed out, to be told. */
static double
largest_error (IfbamEventEngine *self, guint32 number, double end, double h, const double *x,
               const double *v, Rounding *rounding)
{
  const double tolerance = self->base.spec->tolerance;
  Size size[IFBAM_N_DOMAINS];
  double largest = 0;

  *rounding = (Rounding){ .part = 0 };
  measure (self, number, end, size);
  IFBAM_FOR_PACED (i, number)
  {
    const Size of = size_of (self, size, i);
    const double way = self->pace->heard[i] ? MIN (of.largest, of.fastest * h) : of.largest;
    const double parts[] = { part_of (v[i], of.fastest, ROUNDING * (of.fastest + of.largest / h)),
                             way > 0 ? part_of (x[i], way, ROUNDING * of.largest) : 0 };

    /* (Beside what is infinite nothing is large, and no number is larger than what is none.) */
    if (!isfinite (self->x1[i]) || !isfinite (self->v1[i]) || isnan (parts[0] + parts[1]))
      return INFINITY;
    largest = MAX (largest, MAX (parts[0], parts[1]));
    if (fabs (v[i]) > (parts[0] + MAX (tolerance, rounding->part)) * of.fastest)
      *rounding = (Rounding){ .node = i, .part = fabs (v[i]) / of.fastest - parts[0] };
  }
  return largest / tolerance;
}

static void
note_rounding (IfbamStepCount *count, const Rounding *rounding)
{
  if (rounding->part > 0)
    count->rounded++;
  if (rounding->part > count->rounding)
    {
      count->worst = rounding->node;
      count->rounding = rounding->part;
    }
}

/* Steps */

/* The first given instant of a heap that is later than a time. */
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

/* Something is given to happen at the earliest at this time, after an island's own. */
static double
next_stop (const IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step, later = time + SHORTEST * step;
  const IfbamInstant *instant = ifbam_agenda_at (self->agenda, self->next_instant);
  double stop = next_given (self->heap, later);

  for (guint k = 0; k < self->n_clusters; k++)
    stop = MIN (stop, next_given (self->clusters[k].heap, later));
  if (instant != NULL)
    {
      const double at = (instant->time / step - (double) self->step) * step;

      if (at > later)
        stop = MIN (stop, at);
    }
  return stop;
}

static void
fail (IfbamEventEngine *self, guint32 number, double time)
{
  gsize worst = G_MAXSIZE;
  g_autofree char *name = NULL, *text = NULL;

  IFBAM_FOR_PACED (i, number)
  if (worst == G_MAXSIZE || !(fabs (self->v1[i]) <= fabs (self->v1[worst])))
    worst = i;
  name = ifbam_model_node_name (self->base.model, worst);
  text =
      g_strdup_printf ("\"%s\" finds no step under \"%s\" that keeps the tolerance of %g (choose "
                       "a larger one, or look for what is not smooth there)",
                       name, self->scheme->name, self->base.spec->tolerance);
  ifbam_event_fail (self, time, NULL, 0, text, "");
}

/* What the step that is to come may be, after one with such an error. */
static double
factor (const IfbamEventEngine *self, double error, double last)
{
  const IfbamTableau *table = ifbam_scheme_tableau (self->scheme);
  const double k = table->estimated;
  const double by = SAFETY * ifbam_power (error, -BY_ERROR / k) * ifbam_power (last, BY_LAST / k);

  if (self->scheme->implicit != NULL && by >= 1 && by < WORTH_IT)
    return 1;
  return CLAMP (by, LEAST, MOST);
}

/* Who starts from rest, and not at once, has no size yet beside which an error is small: that is where a step leads which
 * is no more wrong than large. */
static void
find_size (IfbamEventEngine *self, guint32 number)
{
  const IfbamIsland *island = ifbam_island (self, number);
  const double tolerance = self->base.spec->tolerance;
  const double *x, *v;
  Rounding rounding;

  IFBAM_FOR_PACED (i, number)
  if (self->v[i] != 0 || self->pace->fastest[i] > 0)
    return;
  for (double h = island->next; h > SMALLEST_TRIAL * island->next && self->failure == NULL;
       h *= LEAST)
    if (ifbam_event_estimate (self, number, island->time, h, &x, &v)
        && largest_error (self, number, island->time + h, h, x, v, &rounding)
               <= ABOUT_RIGHT / tolerance)
      {
        IFBAM_FOR_PACED (i, number)
        ifbam_pace_widen (self, i, self->x1[i], self->v1[i]);
        return;
      }
}

/* What a scheme forgets within a step its errors don't tell: a mass that hits a hard spring in the midst of a long step would
 * end there, and all be well. Where somebody may just have been thrown, a step is no longer than that where they go changes
 * their rates by no more than a few times what is fast, or will be by its end; from there on errors tell. */
static void
look_where_they_go (IfbamEventEngine *self, guint32 number, double stop)
{
  IfbamIsland *island = ifbam_island (self, number);
  Size size[IFBAM_N_DOMAINS];

  /* What is large is so at the start: no step has led anywhere yet. */
  IFBAM_FOR_PACED (i, number)
  {
    self->x1[i] = self->x[i];
    self->v1[i] = self->v[i];
  }
  measure (self, number, island->time, size);
  for (guint trial = 0; trial < MOST_TRIALS; trial++)
    {
      const double h = MIN (island->next, stop - island->time), *before, *after;
      double largest = 0;

      if (!ifbam_event_foretell (self, number, island->time, h, &before, &after))
        return;
      IFBAM_FOR_PACED (i, number)
      {
        const double change = fabs (after[i] - before[i]);
        const double fast = MAX (size_of (self, size, i).fastest, h * fabs (before[i]));

        if (!isfinite (change))
          largest = INFINITY;
        else if (change > 0)
          largest = MAX (largest, h * change / fast);
      }
      if (!(largest > MOST_CHANGE))
        return;
      island->next = h * (largest < INFINITY ? sqrt (MOST_CHANGE / largest) : LEAST);
    }
}

/* Its step's end is a candidate like what happens within it. */
static void
expect_end (IfbamEventEngine *self, guint32 number)
{
  const IfbamIsland *island = ifbam_island (self, number);

  ifbam_heap_push (self->heap, &(IfbamCandidate){ .lo = nextafter (island->until, INFINITY),
                                                  .hi = island->until,
                                                  .link = IFBAM_PACE,
                                                  .stamp = number,
                                                  .located = TRUE });
}

void
ifbam_event_predict (IfbamEventEngine *self, guint32 number)
{
  IfbamIsland *island = ifbam_island (self, number);
  const double stop = next_stop (self, island->time), from = island->time;
  const int k = ifbam_scheme_tableau (self->scheme)->estimated;
  g_autofree char *why = NULL;
  gboolean again = FALSE, cut;
  double h, error, by;

  ifbam_event_aim (self, number);
  island->thrown = 0;
  IFBAM_FOR_PACED (i, number)
  if (isnan (self->a[i]))
    island->thrown = 1;
  find_size (self, number);
  if (island->thrown > 0 && self->scheme->implicit != NULL)
    look_where_they_go (self, number, stop);
  for (;;)
    {
      const double *x, *v;
      Rounding rounding = { .part = 0 };

      h = island->next;
      cut = from + STRETCH * h >= stop;
      if (cut)
        h = stop - from;
      error = ifbam_event_estimate (self, number, from, h, &x, &v)
                  ? largest_error (self, number, from + h, h, x, v, &rounding)
                  : INFINITY;
      if (self->failure != NULL)
        break;
      if (error <= 1)
        {
          ifbam_event_accept (self, number, from + h);
          ifbam_event_check_island (self, number, from + h, h);
          if (self->failure == NULL)
            {
              note_rounding (&self->pace->count, &rounding);
              break;
            }
          /* A shorter one may end where relations can be kept. */
          g_free (why);
          why = g_steal_pointer (&self->failure);
          error = INFINITY;
        }
      self->pace->count.rejected++;
      again = TRUE;
      island->next =
          h
          * (error < INFINITY ? CLAMP (SAFETY * ifbam_power (error, -1.0 / k), LEAST, SAFETY)
                              : LEAST);
      if (why != NULL && h < LEAST_KEPT * self->base.spec->first)
        self->failure = g_steal_pointer (&why);
      if (self->failure != NULL)
        break;
      if (!(island->next > SHORTEST * (fabs (from) + ifbam_event_time (self))))
        {
          fail (self, number, from);
          break;
        }
    }
  error = MAX (error, IFBAM_FIRST_ERROR);
  by = factor (self, error, again ? error : island->error);
  if (again)
    by = MIN (by, 1);
  island->until = cut ? stop : from + h;
  island->after = cut && by >= 1 ? MAX (island->next, h * by) : h * by;
  island->error_after = error;
  expect_end (self, number);
}

void
ifbam_event_open_steps (IfbamEventEngine *self)
{
  const IfbamPace *pace = self->pace;

  for (guint32 k = 0; k < self->islands->len; k++)
    {
      const IfbamIsland *island = ifbam_island (self, k);

      if (!ifbam_pace_is_there (self, k))
        continue;
      if (!(island->until > 0))
        {
          IFBAM_FOR_PACED (i, k)
          ifbam_pace_widen (self, i, self->x[i], self->v[i]);
          ifbam_island (self, k)->time = 0;
          ifbam_event_predict (self, k);
          continue;
        }
      IFBAM_FOR_PACED (i, k)
      {
        double *begun[] = { self->x, self->v, self->a };
        double *ended[] = { self->x1, self->v1, self->a1 };

        for (guint c = 0; c < 3; c++)
          {
            begun[c][i] = pace->begun[c][i];
            ended[c][i] = pace->ended[c][i];
            IFBAM_TELL (self, impose, (guint32) i, begun[c]);
            IFBAM_TELL (self, impose, (guint32) i, ended[c]);
          }
      }
      expect_end (self, k);
    }
}

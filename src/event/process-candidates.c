/* process-candidates.c: location of candidate events, and processing in order of time
 *
 * The first candidate of a cluster is located by steps of its islands. If no other one is earlier,
 * it fires, and the islands that it changes are predicted anew from the event time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/process-candidates.h"

#include "event/adaptive-steps.h"
#include "event/event-candidates.h"
#include "event/event-context.h"
#include "event/event-engine-internal.h"
#include "event/event-location.h"
#include "event/event-samples.h"
#include "event/guards.h"
#include "event/prediction.h"
#include "event/time-events.h"
#include "event/candidate-queue.h"
#include "event/clusters.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "event/monitors.h"

/* Candidates at most this far apart are one event [steps]. */
#define SIMULTANEOUS (8 * DBL_EPSILON)

/* Candidates up to this much later are located before one fires [largest error of a prediction]. */
#define MAX_LATENESS_RATIO 4

/* A link that fires more often than this in rapid succession is suspended until the step's end. */
#define MAX_REPEATS     10
#define REPEAT_INTERVAL 1e-6 /* [steps] */

/* Largest rate * time of a repeated firing [thresholds]; a fall from rest by one threshold: 2. */
#define MAX_REPEAT_FALL 4

/* Returns a guard's value with n stepped islands at their trial state and other islands on their
 * cubics. Steps the other islands, too, if cubics may give the wrong sign. */
static double
guard_value_of_trial (IfbamEventEngine *self, guint32 number, const IfbamGuard *guard, double time,
                      const guint32 *islands, guint n)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, number);
  const gboolean position = guard->kind == IFBAM_GUARD_POSITION;
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, rate, value;
  gboolean guessed = FALSE;

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e], island = ifbam_island_of (self, node);
      gboolean stepped = FALSE;

      for (guint m = 0; m < n; m++)
        stepped |= islands[m] == island;
      x[e] = self->nodes.xt[node];
      v[e] = self->nodes.vt[node];
      if (!stepped)
        ifbam_event_node_at (self, node, time, &x[e], &v[e]);
      guessed |= !stepped && island != IFBAM_NONE;
    }
  rate = ifbam_link_measure_at (link, x, v, &delta, row);
  value = guard->factor * (position ? delta : rate) + guard->offset;
  if (!guessed || value >= IFBAM_INTERPOLATION_ERROR * (position ? scale->position : scale->rate))
    return value;
  ifbam_event_trial_once (self, number, time);
  return ifbam_event_guard_value (self, number, guard, self->nodes.xt, self->nodes.vt, time);
}

/* Returns whether a step to a candidate's time reveals earlier crossings by other links, which the
 * cubic over a longer interval missed. Side effect: pushes the located crossings to the heap. */
static gboolean
other_guards_are_crossed (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, candidate->link, islands);
  gboolean found = FALSE, others = FALSE;

  for (guint k = 0; k < n; k++)
    IFBAM_FOR_COMPONENTS (component, islands[k])
  IFBAM_FOR_LIST (number, component, unbatched)
  {
    const IfbamLaw *law = ifbam_link (self, *number)->law;

    others |= *number != candidate->link && (law->guards != NULL || law->force == NULL);
  }
  if (!others)
    return FALSE;
  ifbam_event_begin_trials (self);
  ifbam_event_trial_once (self, candidate->link, candidate->lo);
  for (guint k = 0; k < n; k++)
    IFBAM_FOR_COMPONENTS (component, islands[k])
  IFBAM_FOR_LIST (number, component, unbatched)
  {
    IfbamGuard guards[IFBAM_MAX_GUARDS];
    const guint n_guards = ifbam_event_guards (self, *number, guards);
    gboolean led = FALSE;

    if (*number == candidate->link || self->links.state[*number].is_suspended)
      continue;
    for (guint g = 0; g < n_guards; g++)
      {
        IfbamCandidate other = { .lo = ifbam_island (self, islands[k])->time,
                                 .hi = candidate->lo,
                                 .link = *number,
                                 .stamp = self->links.state[*number].stamp,
                                 .guard = guards[g] };

        if ((guards[g].kind != IFBAM_GUARD_POSITION && guards[g].kind != IFBAM_GUARD_RATE)
            || guard_value_of_trial (self, *number, &guards[g], candidate->lo, islands, n)
                   >= -2 * ifbam_event_guard_threshold (self, *number, &guards[g]))
          continue;
        led = TRUE;
        if (!ifbam_event_locate (self, &other, &other.lo) || other.lo >= candidate->lo)
          continue;
        other.hi = other.lo;
        other.is_located = TRUE;
        ifbam_heap_push (self->candidates.found, &other);
        found = TRUE;
      }
    /* The location has stepped these islands to other times. */
    if (led)
      ifbam_event_trial_once (self, candidate->link, candidate->lo);
  }
  return found;
}

/* Returns how often in succession a link has fired: within REPEAT_INTERVAL, or without leaving its
 * guard by more than rounding. The end of a reaction in between neither counts nor resets this
 * count. */
static guint
count_repeated (const IfbamEventEngine *self, const IfbamCandidate *fired, double time)
{
  const IfbamLinkState *state = &self->links.state[fired->link];
  const double since = time - state->last_fired;
  double delta, rate;

  if (state->bounced)
    return 0;
  if (since <= REPEAT_INTERVAL * self->base.spec->step)
    return state->n_repeated + 1;
  if (fired->guard.kind == IFBAM_GUARD_REACTION && state->n_repeated > 0)
    return state->n_repeated;
  if (fired->guard.kind != IFBAM_GUARD_POSITION)
    return 0;
  rate = ifbam_link_estimate (self, fired->link, time, &delta);
  return fabs (rate) * since
                 <= MAX_REPEAT_FALL * ifbam_event_guard_threshold (self, fired->link, &fired->guard)
             ? state->n_repeated + 1
             : 0;
}

static void
process_located (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  if (!self->unlocated)
    ifbam_monitors_check (self, time);
  ifbam_event_emit_sample (self, time, fired[0].link, FALSE);
  for (guint i = 0; i < n; i++)
    {
      IfbamLinkState *state = &self->links.state[fired[i].link];

      /* Links that rebound by more than rounding are not limited. */
      state->n_repeated = count_repeated (self, &fired[i], time);
      state->last_fired = time;
      state->bounced = FALSE;
      if (state->n_repeated > MAX_REPEATS)
        ifbam_event_suspend_link (self, time, fired[i].link);
    }
  for (guint i = 0; i < n; i++)
    ifbam_event_switch_monitor (self, time, &fired[i]);
  ifbam_event_process_chain (self, time, fired, n);
  ifbam_event_context_clear (self->context);
  ifbam_event_emit_sample (self, time, IFBAM_NONE, TRUE);
}

/* Locates a candidate and pushes it again, or drops it. Returns TRUE if it was located already. */
static gboolean
locate_candidate (IfbamEventEngine *self, IfbamCandidate *candidate)
{
  const double predicted = candidate->lo;
  double *early = &self->clusters.list[ifbam_candidate_cluster (self, candidate)].max_lead;

  if (candidate->is_located)
    return TRUE;
  if (ifbam_event_restart_islands (self, candidate->link)
      || !ifbam_event_locate (self, candidate, &candidate->lo))
    return FALSE;
  *early = MAX (*early, predicted - candidate->lo);
  candidate->hi = candidate->lo;
  candidate->is_located = TRUE;
  ifbam_heap_push (self->candidates.found, candidate);
  return FALSE;
}

/* Returns whether `other` is only compared in time, not located: the event changes its motion. */
static gboolean
is_compared (const IfbamEventEngine *self, const IfbamCandidate *candidate,
             const IfbamCandidate *other)
{
  return !other->is_located && self->restart_scheme == self->scheme
         && (other->guard.kind == IFBAM_GUARD_POSITION || other->guard.kind == IFBAM_GUARD_RATE)
         && other->link < IFBAM_STEP_END
         && ifbam_event_is_costly_and_shared (self, candidate->link, other->link);
}

/* Locates candidates shortly after a located one, because predictions deviate from steps of the
 * scheme. Returns TRUE if one of them is earlier. */
static gboolean
find_earlier_candidate (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  IfbamCluster *cluster = &self->clusters.list[ifbam_candidate_cluster (self, candidate)];
  const double until = candidate->lo + MAX_LATENESS_RATIO * cluster->max_lead;
  const double apart = SIMULTANEOUS * self->base.spec->step;
  GArray *near_events = self->candidates.near, *others = self->candidates.others,
         *heap = cluster->heap;
  double early;

  ifbam_array_clear (near_events);
  ifbam_array_clear (others);
  while (heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo <= until)
    {
      IfbamCandidate other = ifbam_heap_pop (heap);

      if (ifbam_candidate_is_stale (self, &other))
        continue;
      if (is_compared (self, candidate, &other))
        g_array_append_val (others, other);
      else if (other.is_located || locate_candidate (self, &other))
        g_array_append_val (near_events, other);
      else
        ifbam_candidates_distribute (self); /* pushed again, or no event */
    }
  early = ifbam_event_compare_crossings (self, candidate->lo, apart,
                                         (IfbamCandidate *) (gpointer) others->data, others->len);
  cluster->max_lead = MAX (cluster->max_lead, early);
  for (guint i = 0; i < others->len; i++)
    {
      IfbamCandidate *other = &g_array_index (others, IfbamCandidate, i);

      if (other->hi >= candidate->lo || locate_candidate (self, other))
        g_array_append_val (near_events, *other);
      else
        ifbam_candidates_distribute (self);
    }
  for (guint i = 0; i < near_events->len; i++)
    ifbam_heap_push (heap, &g_array_index (near_events, IfbamCandidate, i));
  return heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo < candidate->lo - apart;
}

/* Returns whether the first candidate of a heap is scheduled for the same time as another one. */
static gboolean
is_simultaneous (const IfbamEventEngine *self, const GArray *heap, const IfbamCandidate *given)
{
  const IfbamCandidate *first = &g_array_index (heap, IfbamCandidate, 0);

  return first->link == IFBAM_NONE
         && ifbam_schedule_get (&self->schedule, first->stamp)->time
                == ifbam_schedule_get (&self->schedule, given->stamp)->time;
}

/* Ends an adaptive step of an island and predicts the next one. */
static void
end_adaptive_step (IfbamEventEngine *self, guint32 number)
{
  ifbam_monitors_check (self, ifbam_island (self, number)->until);
  ifbam_adaptive_end_step (self, number);
  ifbam_event_predict (self, number);
  ifbam_event_find_island_candidates (self, number);
  ifbam_event_find_reaction_candidates (self, number);
}

/* Processes the first candidate of a heap. Returns FALSE on failure or at the step's end. */
static gboolean
process_first_candidate (IfbamEventEngine *self, GArray *heap)
{
  const double step = self->base.spec->step;
  IfbamCandidate next = ifbam_heap_pop (heap);
  GArray *fired = self->candidates.fired;
  gboolean wait = FALSE;

  if (ifbam_candidate_is_stale (self, &next))
    return TRUE;
  /* Islands that go beyond the step boundary get their candidates again in the next step. */
  if (self->adaptive != NULL && next.lo > step)
    return FALSE;
  if (next.link == IFBAM_STEP_END)
    {
      end_adaptive_step (self, next.stamp);
      return TRUE;
    }
  if (next.link == IFBAM_NONE)
    {
      ifbam_array_clear (self->schedule.simultaneous);
      g_array_append_val (self->schedule.simultaneous, next.stamp);
      while (heap->len > 0 && is_simultaneous (self, heap, &next))
        {
          next = ifbam_heap_pop (heap);
          g_array_append_val (self->schedule.simultaneous, next.stamp);
        }
      self->schedule.n_candidates -= self->schedule.simultaneous->len;
      ifbam_event_process_time_events (self, next.lo, self->schedule.simultaneous);
      ifbam_event_predict_affected (self);
      return TRUE;
    }
  if (next.is_unresolved)
    {
      ifbam_event_fail_unlocated (self, &next);
      return FALSE;
    }
  if (!locate_candidate (self, &next))
    return TRUE;
  if (find_earlier_candidate (self, &next))
    {
      ifbam_heap_push (self->candidates.found, &next);
      return TRUE;
    }
  /* Collect the other candidates at the same event time. */
  ifbam_array_clear (fired);
  g_array_append_val (fired, next);
  while (heap->len > 0 && !wait)
    {
      IfbamCandidate other = g_array_index (heap, IfbamCandidate, 0);

      if (other.link == IFBAM_NONE || other.link == IFBAM_STEP_END || other.is_unresolved
          || other.lo > next.lo + SIMULTANEOUS * step)
        break;
      ifbam_heap_pop (heap);
      if (ifbam_candidate_is_stale (self, &other))
        continue;
      wait = !other.is_located;
      if (wait)
        locate_candidate (self, &other);
      else
        g_array_append_val (fired, other);
    }
  if (wait || other_guards_are_crossed (self, &next))
    {
      for (guint i = 0; i < fired->len; i++)
        ifbam_heap_push (self->candidates.found, &g_array_index (fired, IfbamCandidate, i));
      return TRUE;
    }
  process_located (self, next.lo, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
  ifbam_event_predict_affected (self);
  return TRUE;
}

/* Adds the next scheduled events of equal time to the candidates, if due in the step. Later events
 * are added after these are processed, so memory does not grow with events per step. */
static void
add_due_time_events (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  double time;

  while (self->schedule.n_candidates == 0
         && ifbam_schedule_is_due (&self->schedule, self->step, &time))
    {
      const double at = CLAMP (time, 0, step);
      const GArray *events;

      ifbam_schedule_discard_past (&self->schedule);
      events = ifbam_schedule_take_next (&self->schedule);
      for (guint i = 0; i < events->len; i++)
        {
          const guint32 index = g_array_index (events, guint32, i);
          const guint32 component =
              ifbam_time_event_component (self, ifbam_schedule_get (&self->schedule, index));
          const IfbamCandidate candidate = {
            .lo = at, .hi = at, .link = IFBAM_NONE, .stamp = index, .is_located = TRUE
          };

          if (component != IFBAM_NONE && ifbam_component (self, component)->is_inactive)
            {
              ifbam_schedule_begin_piece (&self->schedule, index);
              continue;
            }
          ifbam_heap_push (self->candidates.found, &candidate);
          self->schedule.n_candidates++;
        }
    }
}

void
ifbam_event_process_candidates (IfbamEventEngine *self)
{
  guint32 cluster;

  self->schedule.n_candidates = 0;
  for (add_due_time_events (self); ifbam_candidates_find_first (self, &cluster);
       add_due_time_events (self))
    {
      GArray *heap = self->clusters.list[cluster].heap;

      if (!ifbam_event_may_continue (self, g_array_index (heap, IfbamCandidate, 0).lo, 16)
          || !process_first_candidate (self, heap))
        return;
      ifbam_candidates_push_cluster (self, cluster);
    }
}

void
ifbam_event_process_at_step_end (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  double time;

  for (guint j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, j, guards);
      const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, j);

      for (guint g = 0; g < n && !self->monitors.is_passive[j]; g++)
        if (ifbam_event_guard_value (self, j, &guards[g], self->nodes.x1, self->nodes.v1, step)
            < (guards[g].kind == IFBAM_GUARD_POSITION ? -scale->position_threshold
               : guards[g].kind == IFBAM_GUARD_RATE   ? -scale->rate_threshold
                                                      : 0))
          {
            IfbamCandidate candidate = { step, step, j, 0, guards[g], TRUE, FALSE };

            g_array_append_val (fired, candidate);
            break;
          }
    }
  if (fired->len > 0)
    {
      process_located (self, step, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
      for (guint i = 0; i < self->islands.affected->len; i++)
        ifbam_event_predict (self, g_array_index (self->islands.affected, guint32, i));
      ifbam_array_clear (self->islands.affected);
    }
  while (ifbam_schedule_is_due (&self->schedule, self->step, &time)
         && ifbam_event_may_continue (self, step, 16))
    {
      ifbam_schedule_discard_past (&self->schedule);
      ifbam_event_process_time_events (self, step, ifbam_schedule_take_next (&self->schedule));
      for (guint i = 0; i < self->islands.affected->len; i++)
        ifbam_event_predict (self, g_array_index (self->islands.affected, guint32, i));
      ifbam_array_clear (self->islands.affected);
    }
}

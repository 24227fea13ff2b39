/* event-engine.c: engine for networks with events: steps, candidate events, scheduled events
 *
 * A step predicts each island, then processes candidates in order of time. The first candidate of a
 * cluster is located by steps of its islands, which are predicted anew from the event time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-engine.h"

#include <string.h>

#include "base/printed.h"
#include "event/slip-direction.h"
#include "event/event-snapshot.h"
#include "event/advance-islands.h"
#include "event/manual-step.h"
#include "event/clusters.h"
#include "event/controllers.h"
#include "event/flip-flop-steps.h"
#include "event/forces.h"
#include "event/guards.h"
#include "event/implicit-step.h"
#include "event/process-event.h"
#include "event/islands.h"
#include "event/constraint-check.h"
#include "event/event-location.h"
#include "event/monitors.h"
#include "event/penetration-correction.h"
#include "event/adaptive-steps.h"
#include "event/step-size-control.h"
#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/event-samples.h"
#include "event/event-engine-internal.h"
#include "event/island-step.h"
#include "event/external-impulses.h"
#include "event/event-log.h"
#include "event/event-candidates.h"
#include "event/step-work.h"
#include "engine/engine.h"

/* Candidates at most this far apart are one event [steps]. */
#define SIMULTANEOUS (8 * DBL_EPSILON)

/* Candidates up to this much later are located before one fires [largest error of a prediction]. */
#define MAX_LATENESS_RATIO       4
#define INITIAL_PREDICTION_ERROR 1e-3 /* initial error of a prediction [steps] */

/* A link that fires more often than this in rapid succession is suspended until the step's end. */
#define MAX_REPEATS     10
#define REPEAT_INTERVAL 1e-6 /* [steps] */

/* Largest rate * time of a repeated firing [thresholds]; a fall from rest by one threshold: 2. */
#define MAX_REPEAT_FALL 4

/* Returns the scheduled event with an index (not owned); NULL: there are fewer. */
static const IfbamTimeEvent *
time_event_at (const IfbamEventEngine *self, guint number)
{
  return ifbam_calendar_get (self->schedule.calendar, number);
}

/* Finds the candidate events of the links of an island (IFBAM_NONE: of all islands). */
static void
find_link_candidates (IfbamEventEngine *self, guint32 island)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, unbatched)
  ifbam_event_find_candidates (self, *link);
}

/* Marks an island's predicted motion as changed, for monitors and the dual engine. */
static void
disturb (IfbamEventEngine *self, const IfbamIsland *island)
{
  self->monitors.are_outdated = TRUE;
  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    ifbam_component (self, c)->is_replaced = TRUE;
}

/* Predicts an island from its time to the end of the step or, if adaptive, of its own step. */
static void
predict (IfbamEventEngine *self, guint32 number)
{
  IfbamIsland *island = ifbam_island (self, number);
  const double step = self->base.spec->step;

  if (self->adaptive != NULL)
    {
      ifbam_adaptive_begin_step (self, number);
      disturb (self, island);
      return;
    }
  ifbam_event_update_slip_directions (self, number);
  if (step - island->time > 4 * DBL_EPSILON * step)
    ifbam_event_step (self, number, self->restart_scheme, island->time, step - island->time,
                      self->nodes.x, self->nodes.v, self->nodes.x1, self->nodes.v1,
                      self->account.is_kept);
  else
    {
      island->time = step;
      ifbam_event_copy_nodes (self, number, self->nodes.x, self->nodes.x1);
      ifbam_event_copy_nodes (self, number, self->nodes.v, self->nodes.v1);
      ifbam_event_copy_nodes (self, number, self->nodes.a, self->nodes.a1);
    }
  island->until = step;
  disturb (self, island);
}

static void
predict_affected (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->islands.affected->len; i++)
    predict (self, g_array_index (self->islands.affected, guint32, i));
  for (guint i = 0; i < self->islands.affected->len; i++)
    {
      guint32 number = g_array_index (self->islands.affected, guint32, i);

      find_link_candidates (self, number);
      ifbam_event_find_reaction_candidates (self, number);
    }
  ifbam_array_clear (self->islands.affected);
}

/* Predicts a cluster by the restart scheme: first-order predictions are too far from its steps. */
static void
restart_cluster (IfbamEventEngine *self, guint32 cluster)
{
  const GArray *components = self->clusters.list[cluster].components;

  for (guint i = 0; i < components->len; i++)
    {
      const guint32 number = ifbam_component (self, g_array_index (components, guint32, i))->island;

      if (ifbam_island (self, number)->uses_restart)
        continue;
      ifbam_island (self, number)->uses_restart = TRUE;
      g_array_append_val (self->islands.affected, number);
    }
  predict_affected (self);
}

/* Predicts the islands of a link by the restart scheme, which locates events; a prediction by the
 * engine's own scheme is only a first guess. Returns FALSE if no island is predicted anew. */
static gboolean
restart_islands (IfbamEventEngine *self, guint32 link)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, link, islands);

  for (guint k = 0; k < n && self->restart_scheme != self->scheme; k++)
    if (!ifbam_island (self, islands[k])->uses_restart)
      {
        if (!self->latency)
          {
            restart_cluster (self, self->clusters.of_link[link]);
            return TRUE;
          }
        ifbam_island (self, islands[k])->uses_restart = TRUE;
        g_array_append_val (self->islands.affected, islands[k]);
      }
  if (self->islands.affected->len == 0)
    return FALSE;
  predict_affected (self);
  return TRUE;
}

/* Changes a starting friction to a slipping one if its rate exceeds the sticking threshold. */
static void
settle_friction_starts (IfbamEventEngine *self)
{
  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamLinkState *state = &self->links.state[j];
      double delta, row[IFBAM_MAX_PORTS], rate;

      if (!ifbam_friction_starts (state->mode))
        continue;
      if (ifbam_link_constraint (self, j).kind != IFBAM_CONSTRAINT_FRICTION)
        continue;
      rate = ifbam_link_measure (ifbam_link (self, j), self->nodes.x, self->nodes.v, &delta, row);
      if (rate * ifbam_friction_direction (state->mode)
          > MAX (ifbam_event_extent (self, j)->rate_threshold,
                 ifbam_link_constraint (self, j).adhesion))
        state->mode = rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_BACKWARD;
    }
}

static gboolean
is_edge (const IfbamTimeEvent *instant)
{
  return instant->kind == IFBAM_TIME_EVENT_EDGE || instant->kind == IFBAM_TIME_EVENT_MOTION;
}

/* Sets the time range of a source's or given node's law: from an event to the next corner [s]. */
static void
begin_piece (IfbamEventEngine *self, guint instant)
{
  const IfbamTimeEvent *now = time_event_at (self, instant);
  const gsize piece =
      now->number + (now->kind == IFBAM_TIME_EVENT_MOTION ? self->base.model->n_sources : 0);

  self->schedule.piece_from[piece] = now->time;
  self->schedule.piece_until[piece] = nextafter (
      ifbam_calendar_next_edge (self->schedule.calendar, now->kind, now->number, now->time),
      -INFINITY);
}

/* Applies together the external impulses that n_monitors monitors trigger. */
static void
trigger (IfbamEventEngine *self, double time, const guint32 *monitors, guint n_monitors)
{
  const GArray *impulses = self->base.model->impulses;
  IFBAM_SHORT_LIST (IfbamExternalImpulse, strikes, impulses->len);
  guint n = 0;

  for (guint m = 0; m < n_monitors; m++)
    for (guint i = 0; i < impulses->len; i++)
      {
        const IfbamImpulse *impulse = &g_array_index (impulses, IfbamImpulse, i);

        if (impulse->trigger == monitors[m])
          strikes[n++] = (IfbamExternalImpulse){ i, impulse->value };
      }
  ifbam_event_apply_external_impulses (self, time, strikes, n);
}

/* Returns whether the monitor of a switched element requests it to act (or its second mode). */
static gboolean
is_switched_on (const IfbamEventEngine *self, const IfbamFollower *follower)
{
  return (self->links.state[follower->monitor].mode != 0) != follower->below;
}

/* Returns whether a given node follows its law at present, that is, is not stopped by a monitor. */
static gboolean
follows_law (const IfbamEventEngine *self, guint32 node)
{
  return self->base.numbers->steering[node - self->base.model->n_free].strength != 0;
}

static gboolean
differs_from_monitor (const IfbamEventEngine *self, const IfbamFollower *follower)
{
  return is_switched_on (self, follower)
         != (follower->kind == IFBAM_TIME_EVENT_EDGE ? self->schedule.is_on[follower->number] != 0
             : follower->kind == IFBAM_TIME_EVENT_MOTION
                 ? follows_law (self, follower->number)
                 : self->links.state[follower->number].mode != 0);
}

/* Returns the first switched element that differs from its monitor's request; NULL: none does. */
static const IfbamFollower *
find_differing (const IfbamEventEngine *self)
{
  const GArray *followers = self->base.model->followers;

  for (guint i = 0; i < followers->len; i++)
    if (differs_from_monitor (self, &g_array_index (followers, IfbamFollower, i)))
      return &g_array_index (followers, IfbamFollower, i);
  return NULL;
}

static void
toggle (IfbamEventEngine *self, guint32 link)
{
  self->links.state[link].mode =
      ifbam_link (self, link)
          ->law->toggle (ifbam_link (self, link)->numbers, self->links.state[link].mode);
}

/* Continues a given node's motion by a scheduled event or, if that is IFBAM_NONE, by strength times
 * its law. Advances the islands that read the node; appends its active constraints to `asked`. */
static void
change_given (IfbamEventEngine *self, guint32 node, guint instant, double strength, double time,
              GArray *asked)
{
  for (gboolean after = FALSE;; after = TRUE)
    {
      for (guint32 c = 0; c + 1 < self->components.list->len; c++)
        {
          const IfbamComponent *component = ifbam_component (self, c);

          for (gsize i = component->givens; i < component->givens + component->n_givens; i++)
            if (ifbam_number (self, i) == node && !component->is_inactive)
              {
                if (!after)
                  {
                    ifbam_event_advance_island (self, component->island, time);
                    continue;
                  }
                ifbam_event_set_given_nodes (self, component->island,
                                             ifbam_event_absolute_time (self, time), self->nodes.x,
                                             self->nodes.v);
                /* If nothing else has moved, this node alone defines the rounding thresholds. */
                ifbam_magnitudes_include_given (self, c, node);
              }
        }
      if (after)
        break;
      if (instant != IFBAM_NONE)
        begin_piece (self, instant);
      else
        ifbam_numbers_steer (self->base.numbers, node, ifbam_event_absolute_time (self, time),
                             strength);
    }
  for (guint32 p = self->links.node_start[node]; p < self->links.node_start[node + 1]; p++)
    {
      const IfbamCandidate candidate = {
        .link = ifbam_end_link (self->links.node_ends[p]),
        .guard = { .kind = IFBAM_GUARD_RATE,
                   .next = self->links.state[ifbam_end_link (self->links.node_ends[p])].mode }
      };

      if (ifbam_link_is_active (self, candidate.link))
        g_array_append_val (asked, candidate);
    }
}

/* Switches elements that differ from their monitors' requests. Appends toggled links to `fired`,
 * their former modes to `old`, and active constraints at given nodes to `asked`. */
static void
switch_elements (IfbamEventEngine *self, double time, GArray *fired, GArray *old, GArray *asked)
{
  const GArray *followers = self->base.model->followers;

  for (guint i = 0; i < followers->len; i++)
    {
      const IfbamFollower *follower = &g_array_index (followers, IfbamFollower, i);
      IfbamCandidate candidate = { .link = follower->number,
                                   .guard = { .kind = IFBAM_GUARD_RATE } };
      guint32 islands[IFBAM_MAX_PORTS];

      if (!differs_from_monitor (self, follower))
        continue;
      if (follower->kind == IFBAM_TIME_EVENT_EDGE)
        {
          ifbam_event_advance_island (
              self, ifbam_island_of (self, self->base.model->source_node[follower->number]), time);
          self->schedule.is_on[follower->number] = !self->schedule.is_on[follower->number];
          continue;
        }
      if (follower->kind == IFBAM_TIME_EVENT_MOTION)
        {
          change_given (self, follower->number, IFBAM_NONE, is_switched_on (self, follower) ? 1 : 0,
                        time, asked);
          continue;
        }
      for (guint k = ifbam_event_link_islands (self, follower->number, islands); k-- > 0;)
        ifbam_event_advance_island (self, islands[k], time);
      g_array_append_val (old, self->links.state[follower->number].mode);
      toggle (self, follower->number);
      candidate.guard.next = self->links.state[follower->number].mode;
      g_array_append_val (fired, candidate);
    }
}

/* Sets sources (links: also links and given nodes) as their monitors request, without events. */
static void
set_switched_elements (IfbamEventEngine *self, gboolean links)
{
  const GArray *followers = self->base.model->followers;

  memset (self->schedule.is_on, TRUE, self->base.model->n_sources);
  for (guint i = 0; i < followers->len; i++)
    {
      const IfbamFollower *follower = &g_array_index (followers, IfbamFollower, i);

      if (follower->kind == IFBAM_TIME_EVENT_EDGE)
        self->schedule.is_on[follower->number] = is_switched_on (self, follower);
      else if (follower->kind == IFBAM_TIME_EVENT_MOTION && links)
        ifbam_controllers_start_motion (self, follower->number, is_switched_on (self, follower));
      else if (links && differs_from_monitor (self, follower))
        toggle (self, follower->number);
    }
}

/* Processes one event: n fired links and the elements that their monitors switch. */
static void
process_event (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  GArray *all = self->candidates.changing, *old = self->candidates.old_modes,
         *asked = self->candidates.at_given;

  ifbam_array_clear (all);
  ifbam_array_clear (old);
  ifbam_array_clear (asked);
  g_array_append_vals (all, fired, n);
  switch_elements (self, time, all, old, asked);
  g_array_append_vals (all, asked->data, asked->len);
  ifbam_event_process (self, time, (const IfbamCandidate *) (gpointer) all->data, all->len);
  for (guint i = 0; i < old->len; i++)
    ifbam_event_log_add_change (self, time, g_array_index (all, IfbamCandidate, n + i).link,
                                g_array_index (old, int, i));
  ifbam_monitors_check_jumps (self, time);
}

/* Processes an event and the events that monitors cause at the same time in consequence. */
static void
process_event_chain (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const IfbamFollower *lag;

  self->quiet = FALSE;
  process_event (self, time, fired, n);
  for (guint turn = 0; (self->context->jumped->len > 0 || find_differing (self) != NULL)
                       && ifbam_event_may_continue (self, time, 1);
       turn++)
    {
      g_autoptr (GArray) monitors = g_steal_pointer (&self->context->jumped);

      self->context->jumped = g_array_new (FALSE, FALSE, sizeof (guint32));
      ifbam_array_clear (self->context->struck_nodes);
      for (guint i = 0; i < self->islands.affected->len; i++)
        ifbam_island (self, g_array_index (self->islands.affected, guint32, i))->affected = TRUE;
      lag = find_differing (self);
      trigger (self, time, (const guint32 *) (gpointer) monitors->data, monitors->len);
      if (turn == self->limits.monitor_rounds)
        ifbam_event_fail (self, time,
                          monitors->len > 0 ? (const guint32 *) (gpointer) monitors->data
                                            : &lag->monitor,
                          1, "", " and what waits for it answer each other without end");
      process_event (self, time, NULL, 0);
    }
}

/* Scales the given nodes of a controller by its present output. */
static void
scale_given (IfbamEventEngine *self, guint32 controller, double time, GArray *asked)
{
  const IfbamModel *model = self->base.model;

  for (guint i = 0; i < model->guides->len; i++)
    {
      const IfbamGuide *guide = &g_array_index (model->guides, IfbamGuide, i);
      const double strength = self->links.state[controller].memory[0];

      if (guide->controller == controller
          && self->base.numbers->steering[guide->node - model->n_free].strength != strength)
        change_given (self, guide->node, IFBAM_NONE, strength, time, asked);
    }
}

/* Processes scheduled events of equal time: external impulses act on the state before it, then
 * sources and modes change, then all consequences follow. numbers: event indices, cleared. */
static void
process_time_events (IfbamEventEngine *self, double time, GArray *numbers)
{
  const guint32 *number = (const guint32 *) (gpointer) numbers->data;
  IFBAM_SHORT_LIST (IfbamCandidate, fired, numbers->len);
  IFBAM_SHORT_LIST (int, old, numbers->len);
  IFBAM_SHORT_LIST (IfbamExternalImpulse, strikes, numbers->len);
  g_autoptr (GArray) asked = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  guint n = 0, n_strikes = 0;

  if (!self->unlocated)
    ifbam_monitors_check (self, time);
  self->schedule.time = self->unlocated ? NAN : time_event_at (self, number[0])->time;
  ifbam_event_emit_sample (self, time, IFBAM_NONE, FALSE);
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamTimeEvent *instant = time_event_at (self, number[i]);

      if (instant->kind == IFBAM_TIME_EVENT_IMPULSE)
        strikes[n_strikes++] = (IfbamExternalImpulse){ instant->number, instant->value };
    }
  ifbam_event_apply_external_impulses (self, time, strikes, n_strikes);
  ifbam_controllers_sample (self, time, number, numbers->len);
  ifbam_controllers_set_sources (self, time, number, numbers->len);
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamTimeEvent *instant = time_event_at (self, number[i]);
      const guint32 link = instant->number;
      guint32 islands[IFBAM_MAX_PORTS];

      if (instant->kind == IFBAM_TIME_EVENT_EDGE)
        {
          ifbam_event_advance_island (
              self, ifbam_island_of (self, self->base.model->source_node[link]), time);
          begin_piece (self, number[i]);
        }
      if (instant->kind == IFBAM_TIME_EVENT_MOTION)
        change_given (self, (guint32) self->base.model->n_free + link, number[i], 1, time, asked);
      if (instant->kind == IFBAM_TIME_EVENT_SAMPLE)
        scale_given (self, link, time, asked);
      if (instant->kind != IFBAM_TIME_EVENT_TOGGLE)
        continue;
      for (guint k = ifbam_event_link_islands (self, link, islands); k-- > 0;)
        ifbam_event_advance_island (self, islands[k], time);
      old[n] = self->links.state[link].mode;
      toggle (self, link);
      fired[n++] = (IfbamCandidate){
        .link = link, .guard = { .kind = IFBAM_GUARD_RATE, .next = self->links.state[link].mode }
      };
    }
  g_array_append_vals (asked, fired, n);
  process_event_chain (self, time, (const IfbamCandidate *) (gpointer) asked->data, asked->len);
  for (guint i = 0; i < n; i++)
    ifbam_event_log_add_change (self, time, fired[i].link, old[i]);
  ifbam_event_context_clear (self->context);
  ifbam_event_emit_sample (self, time, IFBAM_NONE, TRUE);
  self->schedule.time = NAN;
  ifbam_array_clear (numbers);
}

/* Skips the next scheduled events of equal time. Returns their indices (not owned). */
static GArray *
take_next_time_events (IfbamEventEngine *self)
{
  const IfbamTimeEvent *instant = time_event_at (self, self->schedule.next);
  const double time = instant->time;
  GArray *numbers = self->schedule.simultaneous;

  ifbam_array_clear (numbers);
  for (; instant != NULL && instant->time == time;
       instant = time_event_at (self, ++self->schedule.next))
    g_array_append_val (numbers, self->schedule.next);
  return numbers;
}

/* Returns the time from the start of a step to a scheduled event [steps]. */
static double
steps_to (const IfbamEventEngine *self, guint number, guint64 step)
{
  return time_event_at (self, number)->time / self->base.spec->step - (double) step;
}

static gboolean
is_due (const IfbamEventEngine *self, guint number, double *time)
{
  const double step = self->base.spec->step;
  double steps;

  if (time_event_at (self, number) == NULL)
    return FALSE;
  steps = steps_to (self, number, self->step);
  *time = steps * step;
  if (fabs (steps - round (steps)) < IFBAM_AT_STEP)
    *time = round (steps) * step;
  return steps <= 1 + IFBAM_AT_STEP;
}

guint64
ifbam_event_count_free_steps (const IfbamEventEngine *self, guint instant, guint64 step)
{
  guint64 free = (guint64) fmax (0, floor (steps_to (self, instant, step)));

  while (free > 0 && steps_to (self, instant, step + free - 1) <= 1 + IFBAM_AT_STEP)
    free--;
  return free;
}

/* Returns a guard's value with n stepped islands at their trial state and other islands on their
 * cubics. Steps the other islands, too, if cubics may give the wrong sign. */
static double
guard_value_of_trial (IfbamEventEngine *self, guint32 number, const IfbamGuard *guard, double time,
                      const guint32 *islands, guint n)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamMagnitudes *scale = ifbam_event_extent (self, number);
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

/* If a fired link is a monitor, changes its mode, records the event and applies its impulses. */
static void
switch_monitor (IfbamEventEngine *self, double time, const IfbamCandidate *fired)
{
  const IfbamLink *link = ifbam_link (self, fired->link);
  IfbamLinkState *state = &self->links.state[fired->link];
  const int old = state->mode;
  guint32 islands[IFBAM_MAX_PORTS];
  const char *word;

  if (link->info->hears == NULL)
    return;
  word = ifbam_monitor_word (self, fired->link, fired->guard.next);
  for (guint k = ifbam_event_link_islands (self, fired->link, islands); k-- > 0;)
    ifbam_event_advance_island (self, islands[k], time);
  state->mode = fired->guard.next;
  if (word == NULL)
    return;
  ifbam_event_log_add_change (self, time, fired->link, old);
  trigger (self, time, &fired->link, 1);
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
fire (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
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
    switch_monitor (self, time, &fired[i]);
  process_event_chain (self, time, fired, n);
  ifbam_event_context_clear (self->context);
  ifbam_event_emit_sample (self, time, IFBAM_NONE, TRUE);
}

static gboolean
is_stale (const IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  if (candidate->link == IFBAM_STEP_END)
    return ifbam_island (self, candidate->stamp)->n_components == 0
           || ifbam_island (self, candidate->stamp)->until != candidate->hi;
  return candidate->link != IFBAM_NONE
         && (candidate->stamp != self->links.state[candidate->link].stamp
             || self->links.state[candidate->link].is_suspended);
}

static guint32
cluster_of (const IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  return candidate->link == IFBAM_STEP_END
             ? self->clusters.of[ifbam_island (self, candidate->stamp)->first]
         : candidate->link == IFBAM_NONE
             ? ifbam_time_event_cluster (self, time_event_at (self, candidate->stamp))
             : self->clusters.of_link[candidate->link];
}

/* Locates a candidate and pushes it again, or drops it. Returns TRUE if it was located already. */
static gboolean
locate_candidate (IfbamEventEngine *self, IfbamCandidate *candidate)
{
  const double predicted = candidate->lo;
  double *early = &self->clusters.list[cluster_of (self, candidate)].max_lead;

  if (candidate->is_located)
    return TRUE;
  if (restart_islands (self, candidate->link)
      || !ifbam_event_locate (self, candidate, &candidate->lo))
    return FALSE;
  *early = MAX (*early, predicted - candidate->lo);
  candidate->hi = candidate->lo;
  candidate->is_located = TRUE;
  ifbam_heap_push (self->candidates.found, candidate);
  return FALSE;
}

/* Adds the first candidate of a cluster to the heap that orders the clusters. */
static void
push_cluster (IfbamEventEngine *self, guint32 cluster)
{
  const GArray *heap = self->clusters.list[cluster].heap;

  if (heap->len > 0)
    ifbam_heap_push (
        self->candidates.clusters,
        &(IfbamCandidate){ .lo = g_array_index (heap, IfbamCandidate, 0).lo, .link = cluster });
}

/* Moves the candidates found to the heaps of their clusters, except outdated ones. */
static void
distribute_candidates (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->candidates.found->len; i++)
    {
      const IfbamCandidate *candidate = &g_array_index (self->candidates.found, IfbamCandidate, i);
      guint32 cluster;

      if (is_stale (self, candidate))
        continue;
      cluster = cluster_of (self, candidate);
      ifbam_heap_push (self->clusters.list[cluster].heap, candidate);
      if (g_array_index (self->clusters.list[cluster].heap, IfbamCandidate, 0).lo == candidate->lo)
        push_cluster (self, cluster);
    }
  ifbam_array_clear (self->candidates.found);
}

/* Finds the cluster with the earliest candidate. Returns FALSE if there are no candidates. */
static gboolean
find_first (IfbamEventEngine *self, guint32 *cluster)
{
  distribute_candidates (self);
  while (self->candidates.clusters->len > 0)
    {
      const IfbamCandidate first = ifbam_heap_pop (self->candidates.clusters);
      const GArray *heap = self->clusters.list[first.link].heap;

      *cluster = first.link;
      if (heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo == first.lo)
        return TRUE;
    }
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
  IfbamCluster *cluster = &self->clusters.list[cluster_of (self, candidate)];
  const double until = candidate->lo + MAX_LATENESS_RATIO * cluster->max_lead;
  const double apart = SIMULTANEOUS * self->base.spec->step;
  GArray *soon = self->candidates.near, *others = self->candidates.others, *heap = cluster->heap;
  double early;

  ifbam_array_clear (soon);
  ifbam_array_clear (others);
  while (heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo <= until)
    {
      IfbamCandidate other = ifbam_heap_pop (heap);

      if (is_stale (self, &other))
        continue;
      if (is_compared (self, candidate, &other))
        g_array_append_val (others, other);
      else if (other.is_located || locate_candidate (self, &other))
        g_array_append_val (soon, other);
      else
        distribute_candidates (self); /* pushed again, or no event */
    }
  early = ifbam_event_compare_crossings (self, candidate->lo, apart,
                                         (IfbamCandidate *) (gpointer) others->data, others->len);
  cluster->max_lead = MAX (cluster->max_lead, early);
  for (guint i = 0; i < others->len; i++)
    {
      IfbamCandidate *other = &g_array_index (others, IfbamCandidate, i);

      if (other->hi >= candidate->lo || locate_candidate (self, other))
        g_array_append_val (soon, *other);
      else
        distribute_candidates (self);
    }
  for (guint i = 0; i < soon->len; i++)
    ifbam_heap_push (heap, &g_array_index (soon, IfbamCandidate, i));
  return heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo < candidate->lo - apart;
}

/* Returns whether the first candidate of a heap is scheduled for the same time as another one. */
static gboolean
is_simultaneous (const IfbamEventEngine *self, const GArray *heap, const IfbamCandidate *given)
{
  const IfbamCandidate *first = &g_array_index (heap, IfbamCandidate, 0);

  return first->link == IFBAM_NONE
         && time_event_at (self, first->stamp)->time == time_event_at (self, given->stamp)->time;
}

/* Ends an adaptive step of an island and predicts the next one. */
static void
end_adaptive_step (IfbamEventEngine *self, guint32 number)
{
  ifbam_monitors_check (self, ifbam_island (self, number)->until);
  ifbam_adaptive_end_step (self, number);
  predict (self, number);
  find_link_candidates (self, number);
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

  if (is_stale (self, &next))
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
      process_time_events (self, next.lo, self->schedule.simultaneous);
      predict_affected (self);
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
      if (is_stale (self, &other))
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
  fire (self, next.lo, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
  predict_affected (self);
  return TRUE;
}

/* Adds the next scheduled events of equal time to the candidates, if due in the step. Later events
 * are added after these are processed, so memory does not grow with events per step. */
static void
add_due_time_events (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  double time;

  while (self->schedule.n_candidates == 0 && is_due (self, self->schedule.next, &time))
    {
      const double given = time_event_at (self, self->schedule.next)->time;

      ifbam_calendar_discard (self->schedule.calendar,
                              self->schedule.next - MIN (self->schedule.next, 1));
      for (; is_due (self, self->schedule.next, &time)
             && time_event_at (self, self->schedule.next)->time == given;
           self->schedule.next++)
        {
          const IfbamTimeEvent *instant = time_event_at (self, self->schedule.next);
          const guint32 component = ifbam_time_event_component (self, instant);
          const IfbamCandidate candidate = { .lo = CLAMP (time, 0, step),
                                             .hi = CLAMP (time, 0, step),
                                             .link = IFBAM_NONE,
                                             .stamp = self->schedule.next,
                                             .is_located = TRUE };

          if (component == IFBAM_NONE || !ifbam_component (self, component)->is_inactive)
            {
              ifbam_heap_push (self->candidates.found, &candidate);
              self->schedule.n_candidates++;
            }
          else if (is_edge (instant))
            begin_piece (self, self->schedule.next);
        }
    }
}

static void
process_candidates (IfbamEventEngine *self)
{
  guint32 cluster;

  self->schedule.n_candidates = 0;
  for (add_due_time_events (self); find_first (self, &cluster); add_due_time_events (self))
    {
      GArray *heap = self->clusters.list[cluster].heap;

      if (!ifbam_event_may_continue (self, g_array_index (heap, IfbamCandidate, 0).lo, 16)
          || !process_first_candidate (self, heap))
        return;
      push_cluster (self, cluster);
    }
}

/* Events without location: all guards that are crossed at the step's end fire there. */
static void
process_at_step_end (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  double time;

  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, j, guards);
      const IfbamMagnitudes *scale = ifbam_event_extent (self, j);

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
      fire (self, step, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
      for (guint i = 0; i < self->islands.affected->len; i++)
        predict (self, g_array_index (self->islands.affected, guint32, i));
      ifbam_array_clear (self->islands.affected);
    }
  while (is_due (self, self->schedule.next, &time) && ifbam_event_may_continue (self, step, 16))
    {
      ifbam_calendar_discard (self->schedule.calendar,
                              self->schedule.next - MIN (self->schedule.next, 1));
      process_time_events (self, step, take_next_time_events (self));
      for (guint i = 0; i < self->islands.affected->len; i++)
        predict (self, g_array_index (self->islands.affected, guint32, i));
      ifbam_array_clear (self->islands.affected);
    }
}

/* Predicts the whole network's state at the end of the step (x1, v1). */
static void
predict_all (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  if (!self->latency && self->is_manual && ifbam_scheme_tableau (self->scheme) == NULL)
    return;
  if (!self->latency)
    {
      ifbam_event_step (self, IFBAM_NONE, self->scheme, 0, step, self->nodes.x, self->nodes.v,
                        self->nodes.x1, self->nodes.v1, self->account.is_kept);
      return;
    }
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    {
      self->nodes.x1[i] = self->history.next[0][i];
      self->nodes.v1[i] = ifbam_event_backward_difference (
          self, self->history.next[0][i], self->history.column[0][i], self->history.column[2][i]);
      ifbam_event_impose (self, (guint32) i, self->nodes.x1, self->nodes.v1);
    }
  ifbam_event_set_given_nodes (self, IFBAM_NONE, ifbam_event_absolute_time (self, step),
                               self->nodes.x1, self->nodes.v1);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_project (self,
                         ifbam_island (self, g_array_index (self->islands.constrained, guint32, i)),
                         self->nodes.x1, self->nodes.v1, step, FALSE);
}

/* Resets the counters per step of clusters and links. */
static void
reset_step_counters (IfbamEventEngine *self)
{
  for (guint k = 0; k < self->clusters.n; k++)
    self->clusters.list[k].n_fallbacks = 0;
  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      self->links.state[j].n_events = self->links.state[j].n_repeated = 0;
      self->links.state[j].last_fired = -INFINITY;
      self->links.state[j].recorded_until = 0;
      self->links.state[j].is_suspended = FALSE;
    }
}

/* Completes a step: books its work, and makes its end the present state. */
static void
close_step (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  (IFBAM_IS_PRINTED && self->unlocated ? ifbam_monitors_check_at_end (self)
                                       : ifbam_monitors_check (self, step));
  if (self->adaptive != NULL)
    ifbam_adaptive_reach_sample (self);
  else
    ifbam_event_check_constraints (self);
  if (self->account.is_kept && !self->latency)
    ifbam_event_book (self, IFBAM_NONE);
  else if (self->account.is_kept)
    for (guint i = 0; i < self->islands.list->len; i++)
      {
        const IfbamIsland *island = ifbam_island (self, i);

        if (island->n_components > 0 && island->uses_restart)
          ifbam_event_book (self, i);
      }
  ifbam_swap_columns (&self->nodes.x, &self->nodes.x1);
  ifbam_swap_columns (&self->nodes.v, &self->nodes.v1);
  ifbam_swap_columns (&self->nodes.a, &self->nodes.a1);
  self->step++;
  /* corners at the step boundary count as passed */
  if (self->schedule.calendar->edges->len > 0 || self->base.numbers->steering != NULL)
    ifbam_event_set_given_nodes (self, IFBAM_NONE, ifbam_event_time (self), self->nodes.x,
                                 self->nodes.v);
  reset_step_counters (self);
  for (guint i = 0; i < self->islands.list->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      island->time = self->adaptive != NULL ? island->time - step : 0;
      island->until = self->adaptive != NULL ? island->until - step : step;
      island->uses_restart &= self->latency;
    }
  settle_friction_starts (self);
  ifbam_event_update_slip_directions (self, IFBAM_NONE);
  ifbam_monitors_begin (self);
}

/* Returns whether nothing moved in the present step. The next step is then equal and is skipped. */
static gboolean
is_at_rest (const IfbamEventEngine *self)
{
  if (!self->quiet || !self->autonomous || self->unlocated || self->latency)
    return FALSE;
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    if (ifbam_event_node_moves (self, i))
      return FALSE;
  return TRUE;
}

/* Uses the restart scheme for slips with a fixed direction: flip-flop forces are one step late. */
static void
restart_sliding_islands (IfbamEventEngine *self)
{
  for (guint32 j = 0;
       j < self->base.model->singles->len && self->latency && self->links.aimed != NULL; j++)
    {
      guint32 islands[IFBAM_MAX_PORTS];

      if (!ifbam_link (self, j)->leads || ifbam_friction_direction (self->links.state[j].mode) == 0
          || isnan (self->links.state[j].slip_direction[0]))
        continue;
      ifbam_event_link_islands (self, j, islands);
      if (ifbam_island (self, islands[0])->uses_restart)
        continue;
      ifbam_island (self, islands[0])->uses_restart = TRUE;
      g_array_append_val (self->islands.affected, islands[0]);
    }
  predict_affected (self);
}

static void
do_step (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  double due;

  if (self->at_rest && !is_due (self, self->schedule.next, &due))
    {
      self->step++;
      return;
    }
  self->quiet = self->adaptive == NULL;
  ifbam_calendar_discard (self->schedule.calendar,
                          self->schedule.next - MIN (self->schedule.next, 1));
  ifbam_event_update_thresholds (self);
  ifbam_array_clear (self->candidates.found);
  ifbam_array_clear (self->candidates.clusters);
  for (guint k = 0; k < self->clusters.n; k++)
    {
      self->clusters.list[k].max_lead = INITIAL_PREDICTION_ERROR * step;
      ifbam_array_clear (self->clusters.list[k].heap);
    }
  self->monitors.are_outdated = TRUE;
  if (self->adaptive != NULL)
    ifbam_adaptive_leave_sample (self);
  else
    {
      predict_all (self);
      for (guint i = 0; i < self->islands.list->len; i++)
        {
          ifbam_island (self, i)->time = 0;
          ifbam_island (self, i)->until = step;
        }
    }
  /* WebAssembly builds always locate events. */
  if (IFBAM_IS_PRINTED && self->unlocated)
    process_at_step_end (self);
  else
    {
      find_link_candidates (self, IFBAM_NONE);
      for (guint i = 0; i < self->islands.constrained->len; i++)
        ifbam_event_find_reaction_candidates (
            self, g_array_index (self->islands.constrained, guint32, i));
      restart_sliding_islands (self);
      process_candidates (self);
    }
  self->at_rest = is_at_rest (self);
  close_step (self);
  ifbam_event_book_between_given (self);
  if (self->latency)
    ifbam_event_close_cycle (self);
  else
    ifbam_event_correct_penetration (self);
}

void
ifbam_event_end_manual_step (IfbamEventEngine *self)
{
  ifbam_event_read_manual_step (self);
  do_step (self);
  self->log.failure_time = ifbam_event_time (self);
  self->base.steps++;
  ifbam_event_log_sort (self);
  ifbam_event_begin_manual_step (self);
}

void
ifbam_event_add_edge (IfbamEventEngine *self, IfbamTimeEventKind kind, guint32 number)
{
  const IfbamTimeEvent instant = { .time = ifbam_event_time (self),
                                   .kind = kind,
                                   .number = number };

  ifbam_calendar_add (self->schedule.calendar, self->schedule.next, &instant);
  self->at_rest = FALSE;
}

void
ifbam_event_set_time (IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step;
  const guint64 row = (guint64) fmax (0, floor (time / step));

  if (row != self->step)
    reset_step_counters (self);
  self->step = row;
  self->log.sample_time = time;
  for (guint i = 0; i < self->islands.list->len; i++)
    ifbam_island (self, i)->time = ifbam_island (self, i)->until = time - ifbam_event_time (self);
  ifbam_event_set_given_nodes (self, IFBAM_NONE, time, self->nodes.x, self->nodes.v);
}

gboolean
ifbam_event_process_at (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const double near = IFBAM_AT_STEP * self->base.spec->step + 4 * DBL_EPSILON * time;
  const double after = time - ifbam_event_time (self);
  gboolean happened = n > 0;

  ifbam_event_update_thresholds (self);
  settle_friction_starts (self);
  while (time_event_at (self, self->schedule.next) != NULL
         && time_event_at (self, self->schedule.next)->time <= time + near)
    {
      process_time_events (self, after, take_next_time_events (self));
      ifbam_array_clear (self->islands.affected);
      ifbam_event_set_time (self, time);
      happened = TRUE;
    }
  for (guint i = 0; i < n; i++)
    switch_monitor (self, after, &fired[i]);
  if (n > 0)
    process_event_chain (self, after, fired, n);
  ifbam_event_context_clear (self->context);
  ifbam_array_clear (self->islands.affected);
  ifbam_event_log_sort (self);
  ifbam_event_set_time (self, time);
  return happened;
}

double
ifbam_event_next_time_event (const IfbamEventEngine *self)
{
  const IfbamTimeEvent *next = time_event_at (self, self->schedule.next);

  return next == NULL ? INFINITY : next->time;
}

static void
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  (void) probes;
  for (const guint64 end = base->steps + steps; base->steps < end; base->steps++)
    /* Under a flip-flop scheme the first cycle only yields the initial sample. */
    if (base->steps >= ifbam_engine_lookahead (base->spec) && self->log.failure == NULL)
      {
        do_step (self);
        if (!self->log.is_deferred)
          ifbam_event_log_sort (self);
      }
}

static void
observe (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  memcpy (position, self->nodes.x + first, (last - first) * sizeof (double));
  memcpy (rate, self->nodes.v + first, (last - first) * sizeof (double));
}

/* Returns the factor of a source's force; 0: its monitor has switched it off. */
static double
strength (IfbamEngine *base, gsize source)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  return self->schedule.is_on[source] ? self->schedule.strength[source] : 0;
}

static void
begin_first_pieces (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const gsize n_given = model->n_nodes - model->n_free;

  for (gsize i = 0; i < model->n_sources + n_given; i++)
    {
      const gboolean source = i < model->n_sources;

      self->schedule.piece_from[i] = -INFINITY;
      self->schedule.piece_until[i] = nextafter (
          ifbam_calendar_next_edge (self->schedule.calendar,
                                    source ? IFBAM_TIME_EVENT_EDGE : IFBAM_TIME_EVENT_MOTION,
                                    (guint32) (source ? i : i - model->n_sources), 0),
          -INFINITY);
    }
}

/* Skips the scheduled events up to the present step boundary; sets the time ranges of all laws. */
static void
skip_past_time_events (IfbamEventEngine *self)
{
  guint i;

  ifbam_calendar_restart (self->schedule.calendar);
  begin_first_pieces (self);
  for (i = 0; time_event_at (self, i) != NULL
              && (self->step == 0 ? time_event_at (self, i)->time <= 0
                                  : steps_to (self, i, self->step - 1) <= 1 + IFBAM_AT_STEP);
       i++)
    {
      if (is_edge (time_event_at (self, i)))
        begin_piece (self, i);
      ifbam_calendar_discard (self->schedule.calendar, i);
    }
  self->schedule.next = i;
}

/* Computes the forces of sources that do not depend on time, NaN for the others. */
static void
evaluate_constant_sources (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  for (gsize i = 0; i < model->n_sources; i++)
    self->schedule.constant[i] =
        ifbam_model_source_of (model, i)->info->fixed ? ifbam_model_source (model, i, 0) : NAN;
  for (gsize i = 0; i < model->n_sources; i++)
    self->nodes.link_forces[model->n_slots + i] = self->schedule.constant[i];
}

/* Appends links beyond a guard of a law or friction. Steps report contacts that overlap. */
static void
list_crossed_guards (IfbamEventEngine *self, GArray *fired)
{
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    {
      const IfbamConstraintKind kind = ifbam_link_constraint (self, j).kind;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      guint n;

      if ((kind != IFBAM_CONSTRAINT_NONE && kind != IFBAM_CONSTRAINT_FRICTION)
          || ifbam_link (self, j)->info->signal_slot != 0)
        continue;
      n = ifbam_event_guards (self, j, guards);
      for (guint g = 0; g < n; g++)
        if ((kind == IFBAM_CONSTRAINT_NONE || guards[g].kind != IFBAM_GUARD_RATE)
            && ifbam_event_guard_value (self, j, &guards[g], self->nodes.x, self->nodes.v, 0)
                   < -ifbam_event_guard_threshold (self, j, &guards[g]))
          {
            const IfbamCandidate candidate = { .link = j, .guard = guards[g] };

            g_array_append_val (fired, candidate);
            break;
          }
    }
}

/* Fires guards that new parameters have left crossed: location in a step would not find them. */
static void
fire_crossed_guards (IfbamEventEngine *self)
{
  const guint most = self->limits.jumps * (1 + self->base.model->singles->len);
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  guint turn;

  ifbam_event_update_thresholds (self);
  list_crossed_guards (self, fired);
  for (turn = 0; fired->len > 0 && turn <= most && ifbam_event_may_continue (self, 0, 1); turn++)
    {
      ifbam_event_process_at (self, ifbam_event_time (self),
                              (const IfbamCandidate *) (gpointer) fired->data, fired->len);
      ifbam_array_clear (fired);
      list_crossed_guards (self, fired);
    }
  if (turn == 0)
    return;
  ifbam_event_discard_accelerations (self, IFBAM_NONE);
  ifbam_event_begin_manual_step (self);
}

void
ifbam_event_update_parameters (IfbamEventEngine *self)
{
  evaluate_constant_sources (self);
  if (self->base.steps == 0)
    ifbam_controllers_start (self);
  self->at_rest = FALSE;
  ifbam_implicit_discard (self->implicit);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_merge_nodes (
        self, ifbam_island (self, g_array_index (self->islands.constrained, guint32, i)));
  if (!self->latency && self->log.failure == NULL)
    fire_crossed_guards (self);
}

static void
start (IfbamEngine *base)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamModel *model = base->model;
  const IfbamRunSpec *spec = base->spec;
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));

  base->steps = 0;
  self->step = 0;
  self->schedule.next = 0;
  self->account.external = (IfbamExternalWork){ 0 };
  self->account.lost = self->account.brought = (IfbamTally){ 0 };
  memset (self->clusters.magnitudes, 0,
          self->clusters.n * IFBAM_N_DOMAINS * sizeof *self->clusters.magnitudes);
  self->schedule.time = self->log.sample_time = NAN;
  self->at_rest = FALSE;
  self->log.failure_time = 0;
  self->log.suspended.n = self->log.suspended.first = 0;
  self->log.first_suspended_time = 0;
  g_clear_pointer (&self->log.failure, g_free);
  ifbam_start_range (model, spec, 0, model->n_nodes, self->nodes.x, self->nodes.v);
  for (guint32 i = 0; i < model->n_nodes; i++)
    ifbam_event_impose (self, i, self->nodes.x, self->nodes.v);
  ifbam_event_set_fixed_nodes (self);
  ifbam_event_discard_accelerations (self, IFBAM_NONE);
  evaluate_constant_sources (self);
  ifbam_calendar_restart (self->schedule.calendar);
  begin_first_pieces (self);
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      IfbamLinkState *state = &self->links.state[j];
      IfbamMagnitudes *scale = ifbam_event_extent (self, j);
      double delta, row[IFBAM_MAX_PORTS], rate, room[IFBAM_MAX_LAW];

      memset (state, 0, sizeof *state);
      if (link->leads)
        ifbam_event_set_slip_direction (self, j, NULL);
      rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
      state->mode = link->law->mode (ifbam_link_parameters_now (self, j, room), delta, rate);
      ifbam_magnitudes_include (self, scale, fabs (delta), 0);
      if (link->geometry->reach != NULL)
        ifbam_magnitudes_include (self, scale, link->geometry->reach (link->shape), 0);
      if (link->law->relation (link->numbers, state->mode).kind == IFBAM_CONSTRAINT_CONTACT)
        ifbam_magnitudes_include (self, scale,
                                  fabs (link->law->relation (link->numbers, state->mode).gap), 0);
    }
  ifbam_controllers_start (self);
  set_switched_elements (self, TRUE);
  ifbam_event_update_thresholds (self);
  for (guint i = 0; i < self->islands.list->len; i++)
    {
      ifbam_island (self, i)->time = 0;
      ifbam_island (self, i)->until = 0;
      ifbam_event_advance_island (self, i, 0);
    }
  for (guint j = 0; j < model->singles->len; j++)
    {
      IfbamCandidate candidate = { .link = j, .guard = { .kind = IFBAM_GUARD_FORCE } };

      if (ifbam_link_constraint (self, j).kind != IFBAM_CONSTRAINT_NONE)
        g_array_append_val (fired, candidate);
    }
  /* Modes that are found at the start are not events. */
  self->starting = TRUE;
  ifbam_event_process (self, 0, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
  ifbam_monitors_check_jumps (self, 0);
  ifbam_event_context_clear (self->context);
  self->starting = FALSE;
  /* A mode change in the first step is an event of its own: the counters start again. */
  reset_step_counters (self);
  ifbam_array_clear (self->islands.affected);
  ifbam_monitors_begin (self);
  while (time_event_at (self, self->schedule.next) != NULL
         && time_event_at (self, self->schedule.next)->time <= 0)
    {
      process_time_events (self, 0, take_next_time_events (self));
      ifbam_array_clear (self->islands.affected);
    }
  ifbam_event_update_slip_directions (self, IFBAM_NONE);
  ifbam_event_start_between_given (self);
  if (self->adaptive != NULL)
    ifbam_adaptive_start (self);
  if (self->latency)
    {
      ifbam_event_begin_history (self);
      if (!self->is_manual)
        ifbam_event_foresee_cycle (self);
      if (self->account.is_kept)
        ifbam_event_cycle_work (self, TRUE);
    }
  ifbam_event_log_sort (self);
}

static void
stand (IfbamEngine *base, guint64 steps)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  base->steps = steps;
  self->step = steps - MIN (steps, ifbam_engine_lookahead (base->spec));
  g_clear_pointer (&self->log.failure, g_free);
  self->log.failure_time = ifbam_event_time (self);
  self->at_rest = FALSE;
  ifbam_array_clear (self->candidates.penetrating);
  for (guint j = 0; j < base->model->singles->len; j++)
    self->links.state[j].pending = 0;
  ifbam_array_clear (self->log.clusters);
  for (guint d = 0; d < self->clusters.n * IFBAM_N_DOMAINS; d++)
    {
      const IfbamMagnitudes known = self->clusters.magnitudes[d];

      self->clusters.magnitudes[d] = (IfbamMagnitudes){ 0 };
      ifbam_magnitudes_include (self, &self->clusters.magnitudes[d], known.position, known.rate);
      ifbam_magnitudes_include_angle (self, &self->clusters.magnitudes[d], known.arc);
    }
  reset_step_counters (self);
  skip_past_time_events (self);
  set_switched_elements (self, FALSE);
  ifbam_event_start_between_given (self);
  ifbam_controllers_rebuild (self);
  ifbam_event_rebuild (self);
  if (self->adaptive != NULL)
    ifbam_adaptive_rebuild (self);
}

static IfbamStepCount
count (IfbamEngine *base)
{
  return ifbam_adaptive_get_count ((IfbamEventEngine *) base);
}

static void
engine_free (IfbamEngine *base)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  gpointer columns[] = { self->nodes.x,
                         self->nodes.v,
                         self->nodes.x1,
                         self->nodes.v1,
                         self->nodes.a,
                         self->nodes.a1,
                         self->nodes.xt,
                         self->nodes.vt,
                         self->nodes.x2,
                         self->nodes.v2,
                         self->nodes.inverse_mass,
                         self->nodes.force,
                         self->nodes.acceleration,
                         self->nodes.link_forces,
                         self->account.loss,
                         self->account.pending_loss,
                         self->account.dissipated,
                         self->account.last_loss,
                         self->account.last_supply,
                         self->schedule.constant,
                         self->schedule.piece_from,
                         self->schedule.piece_until,
                         self->schedule.is_on,
                         self->schedule.strength,
                         self->links.is_pulsing,
                         self->history.flight,
                         self->history.next_flight,
                         self->islands.offset };

  ifbam_calendar_free (self->schedule.calendar);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_free (columns[i]);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      g_free (self->nodes.work[c]);
      g_free (self->history.column[c]);
      g_free (self->history.next[c]);
    }
  if (self->free_asked != NULL)
    self->free_asked (self->asked);
  ifbam_implicit_free (self->implicit);
  ifbam_adaptive_free (self->adaptive);
  ifbam_islands_free (self);
  ifbam_clusters_free (self);
  ifbam_event_context_free (self->context);
  ifbam_numbers_free (self->base.numbers);
  g_free (self->islands.redundant);
  g_free (self->links.own);
  g_free (self->nodes.scratch);
  g_free (self->nodes.port);
  g_free (self->links.state);
  g_free (self->components.of_node);
  g_free (self->components.of_link);
  g_free (self->nodes.mark);
  g_free (self->clusters.node_domain);
  g_free (self->clusters.lever);
  g_free (self->clusters.link_domain);
  g_array_unref (self->links.nodes);
  g_array_unref (self->account.between_given);
  g_array_unref (self->candidates.found);
  g_array_unref (self->islands.affected);
  g_array_unref (self->candidates.changing);
  g_array_unref (self->candidates.old_modes);
  g_array_unref (self->candidates.at_given);
  g_array_unref (self->candidates.near);
  g_array_unref (self->candidates.clusters);
  g_array_unref (self->candidates.others);
  g_array_unref (self->schedule.simultaneous);
  g_array_unref (self->monitors.list);
  g_free (self->monitors.is_passive);
  g_array_unref (self->candidates.penetrating);
  g_array_unref (self->candidates.fired);
  g_clear_pointer (&base->events, g_array_unref);
  g_free (self->log.failure);
  g_free (self);
}

static const char *
failure (IfbamEngine *base, double *time)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  /* The history of a flip-flop scheme begins before the start. */
  *time = fmax (0, self->log.failure_time);
  return self->log.failure;
}

static void
keep_account (IfbamEngine *base, gboolean full)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamModel *model = base->model;

  self->account.is_kept = TRUE;
  if (!full || self->account.pending_loss != NULL)
    return;
  self->account.pending_loss = g_new0 (double, model->n_slots + 1);
  self->account.dissipated = g_new0 (IfbamTally, model->n_slots + 1);
  self->account.last_loss = g_new0 (double, model->n_slots + 1);
}

static void
add_tally (IfbamExactSum *sum, const IfbamTally *tally)
{
  ifbam_exact_sum_add (sum, tally->sum);
  ifbam_exact_sum_add (sum, tally->rest);
}

static IfbamWorkTotals
account (IfbamEngine *base)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamModel *model = base->model;
  IfbamExactSum dissipated;

  ifbam_exact_sum_clear (&dissipated);
  for (gsize i = 0; i < model->n_links && self->account.dissipated != NULL; i++)
    add_tally (&dissipated, &self->account.dissipated[model->link_slot[i]]);
  for (guint j = 0; j < model->singles->len; j++)
    add_tally (&dissipated, &self->links.state[j].dissipated);
  add_tally (&dissipated, &self->account.lost);
  return (IfbamWorkTotals){ .dissipated = ifbam_exact_sum_round (&dissipated),
                            .supplied = ifbam_tally_value (&self->account.external.supplied),
                            .turnover = ifbam_tally_value (&self->account.external.turnover),
                            .brought = ifbam_tally_value (&self->account.brought) };
}

static void
add_stored (IfbamEngine *base, IfbamExactSum *sum)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  for (guint j = 0; j < base->model->singles->len; j++)
    {
      const guint32 component = ifbam_event_link_component (self, j);

      if (component == IFBAM_NONE || !ifbam_component (self, component)->is_inactive)
        ifbam_exact_sum_add (sum, ifbam_event_link_stored (self, j));
    }
}

static double
link_dissipated (IfbamEngine *base, gsize slot)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  return self->account.dissipated == NULL ? 0 : ifbam_tally_value (&self->account.dissipated[slot]);
}

static double
row_time (const IfbamEventEngine *self)
{
  return isnan (self->log.sample_time) ? ifbam_event_time (self) : self->log.sample_time;
}

static double
link_quantity (IfbamEngine *base, gsize number, IfbamLinkQuantity quantity)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamLink *link = ifbam_link (self, (guint32) number);
  const IfbamLinkState *state = &self->links.state[number];
  double delta, row[IFBAM_MAX_PORTS], slip, across, room[IFBAM_MAX_LAW];
  const double rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
  const void *numbers = ifbam_link_parameters_now (self, (guint32) number, room);

  switch (quantity)
    {
    case IFBAM_LINK_COMPRESSION:
      return delta;
    case IFBAM_LINK_RATE:
      if (!link->leads)
        return rate;
      across = ifbam_link_measure (link + 1, self->nodes.x, self->nodes.v, &delta, row);
      return sqrt (rate * rate + across * across);
    case IFBAM_LINK_MODE:
      return state->mode;
    case IFBAM_LINK_OUTPUT:
      return state->memory[0];
    case IFBAM_LINK_DISSIPATED:
      return ifbam_tally_value (&state->dissipated);
    case IFBAM_LINK_FORCE:
    default:
      slip = ifbam_link_slip (self, (guint32) number);
      if (ifbam_link_is_active (self, (guint32) number) || slip != 0)
        {
          guint32 islands[IFBAM_MAX_PORTS];

          ifbam_event_link_islands (self, (guint32) number, islands);
          ifbam_event_accelerations (self, islands[0], self->nodes.x, self->nodes.v,
                                     row_time (self), TRUE);
          if (slip == 0 || link->law->force == NULL)
            return state->reaction;
          return state->reaction + link->law->force (numbers, state->mode, delta, rate);
        }
      return link->law->force == NULL ? 0 : link->law->force (numbers, state->mode, delta, rate);
    }
}

static double
acceleration (IfbamEngine *base, gsize node)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  ifbam_event_accelerations (self, ifbam_island_of (self, (guint32) node), self->nodes.x,
                             self->nodes.v, row_time (self), TRUE);
  return self->nodes.acceleration[node];
}

static guint
held (IfbamEngine *base, const char **first, double *time)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  *time = self->log.first_suspended_time;
  if (self->log.suspended.n > 0 && self->log.suspended.first < base->model->singles->len)
    *first = ifbam_link (self, self->log.suspended.first)->name;
  return self->log.suspended.n;
}

IfbamEngine *
ifbam_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, gboolean unlocated)
{
  IfbamEventEngine *self = g_new0 (IfbamEventEngine, 1);
  double **columns[] = { &self->nodes.x,
                         &self->nodes.v,
                         &self->nodes.x1,
                         &self->nodes.v1,
                         &self->nodes.xt,
                         &self->nodes.vt,
                         &self->nodes.x2,
                         &self->nodes.v2,
                         &self->nodes.force,
                         &self->nodes.acceleration,
                         &self->nodes.inverse_mass,
                         &self->nodes.a,
                         &self->nodes.a1 };

  self->base =
      (IfbamEngine){ .model = model,
                     .spec = spec,
                     .numbers = ifbam_numbers_new (model, spec, 1),
                     .start = start,
                     .advance = advance,
                     .observe = observe,
                     .list_state = ifbam_event_list_state, /* unused in WebAssembly builds */
                     .stand = stand,
                     .strength = strength,
                     .free = engine_free,
                     .failure = failure,
                     .keeps_account = TRUE,
                     .keep_account = keep_account,
                     .account = account,
                     .add_stored = add_stored,
                     .link = link_quantity,
                     .link_dissipated = link_dissipated,
                     .acceleration = acceleration,
                     .held = held };
  self->scheme = spec->scheme;
  self->links.unbatched = (const IfbamLink *) (gconstpointer) model->singles->data;
  for (guint j = 0; j < model->singles->len && self->links.own == NULL; j++)
    if (ifbam_link (self, j)->geometry->aim > 0)
      self->links.unbatched = self->links.aimed = self->links.own =
          g_memdup2 (model->singles->data, model->singles->len * sizeof (IfbamLink));
  self->latency = spec->scheme->latency;
  self->account.has_active = ifbam_model_has_active_links (model);
  self->restart_scheme = ifbam_scheme_companion (spec->scheme);
  self->unlocated = unlocated;
  self->limits = (IfbamEventLimits){ .impulses = 1000000,
                                     .pivots = 5000,
                                     .rounds = 1000,
                                     .jumps = 4,
                                     .monitor_rounds = 64,
                                     .corrections = 2,
                                     .events = 100000,
                                     .iterations = 30,
                                     .pieces = 1000,
                                     .halvings = 20 };
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    *columns[i] = g_new0 (double, model->n_nodes + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      self->nodes.work[c] = g_new0 (double, model->n_nodes + 1);
      self->history.column[c] = self->latency ? g_new0 (double, model->n_nodes + 1) : NULL;
      self->history.next[c] = self->latency ? g_new0 (double, model->n_nodes + 1) : NULL;
    }
  for (gsize i = 0; i < model->n_free; i++)
    self->nodes.inverse_mass[i] = model->inverse_inertia[i];
  self->nodes.link_forces = g_new0 (double, model->n_slots + model->n_sources + 1);
  self->account.loss = g_new0 (double, model->n_slots + model->n_sources + 1);
  if (self->latency)
    {
      self->history.flight = g_new0 (double, model->n_slots + model->n_sources + 1);
      self->history.next_flight = g_new0 (double, model->n_slots + model->n_sources + 1);
    }
  self->schedule.constant = g_new (double, model->n_sources + 1);
  self->schedule.piece_from = g_new (double, model->n_sources + model->n_nodes - model->n_free + 1);
  self->schedule.piece_until =
      g_new (double, model->n_sources + model->n_nodes - model->n_free + 1);
  self->schedule.is_on = g_new0 (guint8, model->n_sources + 1);
  self->schedule.strength = g_new0 (double, model->n_sources + 1);
  self->links.is_pulsing = g_new0 (guint8, model->singles->len + 1);
  for (guint32 j = 0; j < model->singles->len; j++)
    self->links.is_pulsing[j] = ifbam_model_is_pulsing (model, j);
  if (ifbam_model_is_steered (model))
    {
      self->base.numbers->steering = g_new0 (struct _IfbamSteering, model->n_nodes - model->n_free);
      for (gsize i = 0; i < model->n_nodes - model->n_free; i++)
        self->base.numbers->steering[i].strength = 1;
    }
  self->schedule.calendar = ifbam_calendar_new (model, spec->step);
  self->nodes.scratch = g_new (guint32, model->n_nodes + 1);
  memset (self->nodes.scratch, 0xff, (model->n_nodes + 1) * sizeof (guint32));
  self->nodes.port = g_new (IfbamPort, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    self->nodes.port[i] = (IfbamPort){ i, 1 };
  self->components.of_node = g_new (guint32, model->n_nodes + 1);
  self->components.of_link = g_new (guint32, model->singles->len + 1);
  self->nodes.mark = g_new0 (guint8, model->n_nodes + 1);
  self->clusters.node_domain = g_new0 (guint8, model->n_nodes + 1);
  self->clusters.lever = g_new0 (double, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, i);

      self->clusters.node_domain[i] = domain < IFBAM_N_DOMAINS ? (guint8) domain : 0;
    }
  self->links.state = g_new0 (IfbamLinkState, model->singles->len + 1);
  self->clusters.link_domain = g_new0 (guint8, model->singles->len + 1);
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &self->links.unbatched[j];
      const IfbamDomain domain = link->info->domain;

      self->clusters.link_domain[j] = link->geometry->turns ? IFBAM_DOMAIN_ROTATION
                                      : domain == IFBAM_DOMAIN_ANY
                                          ? self->clusters.node_domain[link->node[0]]
                                          : (guint8) domain;
      for (guint e = 0; e < link->n_ports; e++)
        if (!link->geometry->slides && self->clusters.link_domain[j] == IFBAM_DOMAIN_TRANSLATION
            && self->clusters.node_domain[link->node[e]] == IFBAM_DOMAIN_ROTATION)
          self->clusters.lever[link->node[e]] = MAX (
              self->clusters.lever[link->node[e]],
              link->geometry->lever == NULL ? 1 : link->geometry->lever (link->shape, (int) e));
    }
  self->candidates.found = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->islands.affected = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->candidates.changing = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->candidates.old_modes = g_array_new (FALSE, FALSE, sizeof (int));
  self->candidates.at_given = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->context = ifbam_event_context_new (model->singles->len, model->n_nodes);
  ifbam_event_let_interrupt_system (self, &self->context->system);
  self->schedule.simultaneous = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->candidates.near = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->candidates.clusters = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->candidates.others = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->candidates.penetrating = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->candidates.fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->monitors.is_passive = g_new0 (guint8, model->singles->len + 1);
  self->monitors.list = g_array_new (FALSE, FALSE, sizeof (IfbamPassiveMonitor));
  ifbam_monitors_find (self);
  ifbam_islands_make (self);
  ifbam_clusters_make (self);
  if (ifbam_scheme_tableau (self->restart_scheme) != NULL)
    self->implicit = ifbam_implicit_new (model->n_nodes);
  if (spec->tolerance > 0 && !unlocated)
    {
      self->adaptive = ifbam_adaptive_new (self);
      self->base.count = count;
    }
  self->links.nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < model->n_nodes; i++)
    if (self->links.node_start[i + 1] > self->links.node_start[i])
      g_array_append_val (self->links.nodes, i);
  self->autonomous = ifbam_component (self, self->components.list->len - 1)->n_moving == 0
                     && ifbam_component (self, self->components.list->len - 1)->n_varying == 0;
  self->account.last_supply = g_new0 (double, self->components.list->len + 1);
  ifbam_event_find_between_given (self);
  return &self->base;
}

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
#define EARLY    4
#define EARLIEST 1e-3 /* initial error of a prediction [steps] */

/* A link that fires more often than this in rapid succession is suspended until the step's end. */
#define MOST_AT_ONCE 10
#define AT_ONCE      1e-6 /* [steps] */

/* Largest rate * time of a repeated firing [thresholds]; a fall from rest by one threshold: 2. */
#define SUNK 4

/* Returns the scheduled event with an index (not owned); NULL: there are fewer. */
static const IfbamInstant *
instant_at (const IfbamEventEngine *self, guint number)
{
  return ifbam_agenda_at (self->agenda, number);
}

/* Finds the candidate events of the links of an island (IFBAM_NONE: of all islands). */
static void
watch_links (IfbamEventEngine *self, guint32 island)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, singles)
  ifbam_event_watch (self, *link);
}

/* Marks an island's predicted motion as changed, for monitors and the dual engine. */
static void
disturb (IfbamEventEngine *self, const IfbamIsland *island)
{
  self->unseen = TRUE;
  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    ifbam_component (self, c)->disturbed = TRUE;
}

/* Predicts an island from its time to the end of the step or, if adaptive, of its own step. */
static void
predict (IfbamEventEngine *self, guint32 number)
{
  IfbamIsland *island = ifbam_island (self, number);
  const double step = self->base.spec->step;

  if (self->pace != NULL)
    {
      ifbam_event_predict (self, number);
      disturb (self, island);
      return;
    }
  ifbam_event_aim (self, number);
  if (step - island->time > 4 * DBL_EPSILON * step)
    ifbam_event_step (self, number, self->companion, island->time, step - island->time, self->x,
                      self->v, self->x1, self->v1, self->accounts);
  else
    {
      island->time = step;
      ifbam_event_keep (self, number, self->x, self->x1);
      ifbam_event_keep (self, number, self->v, self->v1);
      ifbam_event_keep (self, number, self->a, self->a1);
    }
  island->until = step;
  disturb (self, island);
}

static void
predict_affected (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->affected->len; i++)
    predict (self, g_array_index (self->affected, guint32, i));
  for (guint i = 0; i < self->affected->len; i++)
    {
      guint32 number = g_array_index (self->affected, guint32, i);

      watch_links (self, number);
      ifbam_event_watch_island (self, number);
    }
  ifbam_empty (self->affected);
}

/* Predicts a cluster by the restart scheme: first-order predictions are too far from its steps. */
static void
all_by_companion (IfbamEventEngine *self, guint32 cluster)
{
  const GArray *components = self->clusters[cluster].components;

  for (guint i = 0; i < components->len; i++)
    {
      const guint32 number = ifbam_component (self, g_array_index (components, guint32, i))->island;

      if (ifbam_island (self, number)->companion)
        continue;
      ifbam_island (self, number)->companion = TRUE;
      g_array_append_val (self->affected, number);
    }
  predict_affected (self);
}

/* Predicts the islands of a link by the restart scheme, which locates events; a prediction by the
 * engine's own scheme is only a first guess. Returns FALSE if no island is predicted anew. */
static gboolean
by_companion (IfbamEventEngine *self, guint32 link)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, link, islands);

  for (guint k = 0; k < n && self->companion != self->scheme; k++)
    if (!ifbam_island (self, islands[k])->companion)
      {
        if (!self->latency)
          {
            all_by_companion (self, self->link_cluster[link]);
            return TRUE;
          }
        ifbam_island (self, islands[k])->companion = TRUE;
        g_array_append_val (self->affected, islands[k]);
      }
  if (self->affected->len == 0)
    return FALSE;
  predict_affected (self);
  return TRUE;
}

/* Changes a starting friction to a slipping one if its rate exceeds the sticking threshold. */
static void
settle_starts (IfbamEventEngine *self)
{
  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamLinkState *state = &self->link[j];
      double delta, row[IFBAM_MAX_PORTS], rate;

      if (!ifbam_friction_starts (state->mode))
        continue;
      if (ifbam_link_relation (self, j).kind != IFBAM_RELATION_FRICTION)
        continue;
      rate = ifbam_link_measure (ifbam_link (self, j), self->x, self->v, &delta, row);
      if (rate * ifbam_friction_direction (state->mode)
          > MAX (ifbam_event_extent (self, j)->rate_floor, ifbam_link_relation (self, j).adhesion))
        state->mode = rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_BACKWARD;
    }
}

static gboolean
is_edge (const IfbamInstant *instant)
{
  return instant->kind == IFBAM_INSTANT_EDGE || instant->kind == IFBAM_INSTANT_MOTION;
}

/* Sets the time range of a source's or given node's law: from an event to the next corner [s]. */
static void
open_piece (IfbamEventEngine *self, guint instant)
{
  const IfbamInstant *now = instant_at (self, instant);
  const gsize piece =
      now->number + (now->kind == IFBAM_INSTANT_MOTION ? self->base.model->n_sources : 0);

  self->piece_from[piece] = now->time;
  self->piece_until[piece] = nextafter (
      ifbam_agenda_next_edge (self->agenda, now->kind, now->number, now->time), -INFINITY);
}

/* Applies together the external impulses that n_monitors monitors trigger. */
static void
trigger (IfbamEventEngine *self, double time, const guint32 *monitors, guint n_monitors)
{
  const GArray *impulses = self->base.model->impulses;
  IFBAM_LIST (IfbamStrike, strikes, impulses->len);
  guint n = 0;

  for (guint m = 0; m < n_monitors; m++)
    for (guint i = 0; i < impulses->len; i++)
      {
        const IfbamImpulse *impulse = &g_array_index (impulses, IfbamImpulse, i);

        if (impulse->trigger == monitors[m])
          strikes[n++] = (IfbamStrike){ i, impulse->value };
      }
  ifbam_event_strike (self, time, strikes, n);
}

/* Returns whether the monitor of a switched element requests it to act (or its second mode). */
static gboolean
is_asked_for (const IfbamEventEngine *self, const IfbamFollower *follower)
{
  return (self->link[follower->monitor].mode != 0) != follower->below;
}

/* Returns whether a given node follows its law at present, that is, is not stopped by a monitor. */
static gboolean
moves (const IfbamEventEngine *self, guint32 node)
{
  return self->base.numbers->steering[node - self->base.model->n_free].strength != 0;
}

static gboolean
lags (const IfbamEventEngine *self, const IfbamFollower *follower)
{
  return is_asked_for (self, follower)
         != (follower->kind == IFBAM_INSTANT_EDGE     ? self->acts[follower->number] != 0
             : follower->kind == IFBAM_INSTANT_MOTION ? moves (self, follower->number)
                                                      : self->link[follower->number].mode != 0);
}

/* Returns the first switched element that differs from its monitor's request; NULL: none does. */
static const IfbamFollower *
find_lag (const IfbamEventEngine *self)
{
  const GArray *followers = self->base.model->followers;

  for (guint i = 0; i < followers->len; i++)
    if (lags (self, &g_array_index (followers, IfbamFollower, i)))
      return &g_array_index (followers, IfbamFollower, i);
  return NULL;
}

static void
toggle (IfbamEventEngine *self, guint32 link)
{
  self->link[link].mode =
      ifbam_link (self, link)
          ->law->toggle (ifbam_link (self, link)->numbers, self->link[link].mode);
}

/* Continues a given node's motion by a scheduled event or, if that is IFBAM_NONE, by strength times
 * its law. Advances the islands that read the node; appends its active constraints to `asked`. */
static void
turn_given (IfbamEventEngine *self, guint32 node, guint instant, double strength, double time,
            GArray *asked)
{
  for (gboolean after = FALSE;; after = TRUE)
    {
      for (guint32 c = 0; c + 1 < self->components->len; c++)
        {
          const IfbamComponent *component = ifbam_component (self, c);

          for (gsize i = component->givens; i < component->givens + component->n_givens; i++)
            if (ifbam_number (self, i) == node && !component->asleep)
              {
                if (!after)
                  {
                    ifbam_event_bring (self, component->island, time);
                    continue;
                  }
                ifbam_event_place (self, component->island, ifbam_event_after (self, time), self->x,
                                   self->v);
                /* If nothing else has moved, this node alone defines the rounding thresholds. */
                ifbam_event_widen_given (self, c, node);
              }
        }
      if (after)
        break;
      if (instant != IFBAM_NONE)
        open_piece (self, instant);
      else
        ifbam_numbers_steer (self->base.numbers, node, ifbam_event_after (self, time), strength);
    }
  for (guint32 p = self->node_link_start[node]; p < self->node_link_start[node + 1]; p++)
    {
      const IfbamCandidate candidate = {
        .link = ifbam_end_link (self->node_link[p]),
        .guard = { .kind = IFBAM_GUARD_RATE,
                   .next = self->link[ifbam_end_link (self->node_link[p])].mode }
      };

      if (ifbam_link_holds (self, candidate.link))
        g_array_append_val (asked, candidate);
    }
}

/* Switches elements that differ from their monitors' requests. Appends toggled links to `fired`,
 * their former modes to `old`, and active constraints at given nodes to `asked`. */
static void
follow (IfbamEventEngine *self, double time, GArray *fired, GArray *old, GArray *asked)
{
  const GArray *followers = self->base.model->followers;

  for (guint i = 0; i < followers->len; i++)
    {
      const IfbamFollower *follower = &g_array_index (followers, IfbamFollower, i);
      IfbamCandidate candidate = { .link = follower->number,
                                   .guard = { .kind = IFBAM_GUARD_RATE } };
      guint32 islands[IFBAM_MAX_PORTS];

      if (!lags (self, follower))
        continue;
      if (follower->kind == IFBAM_INSTANT_EDGE)
        {
          ifbam_event_bring (
              self, ifbam_island_of (self, self->base.model->source_node[follower->number]), time);
          self->acts[follower->number] = !self->acts[follower->number];
          continue;
        }
      if (follower->kind == IFBAM_INSTANT_MOTION)
        {
          turn_given (self, follower->number, IFBAM_NONE, is_asked_for (self, follower) ? 1 : 0,
                      time, asked);
          continue;
        }
      for (guint k = ifbam_event_link_islands (self, follower->number, islands); k-- > 0;)
        ifbam_event_bring (self, islands[k], time);
      g_array_append_val (old, self->link[follower->number].mode);
      toggle (self, follower->number);
      candidate.guard.next = self->link[follower->number].mode;
      g_array_append_val (fired, candidate);
    }
}

/* Sets sources (links: also links and given nodes) as their monitors request, without events. */
static void
follow_at_row (IfbamEventEngine *self, gboolean links)
{
  const GArray *followers = self->base.model->followers;

  memset (self->acts, TRUE, self->base.model->n_sources);
  for (guint i = 0; i < followers->len; i++)
    {
      const IfbamFollower *follower = &g_array_index (followers, IfbamFollower, i);

      if (follower->kind == IFBAM_INSTANT_EDGE)
        self->acts[follower->number] = is_asked_for (self, follower);
      else if (follower->kind == IFBAM_INSTANT_MOTION && links)
        ifbam_controllers_guide_at_start (self, follower->number, is_asked_for (self, follower));
      else if (links && lags (self, follower))
        toggle (self, follower->number);
    }
}

/* Processes one event: n fired links and the elements that their monitors switch. */
static void
happen (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  GArray *all = self->changing, *old = self->old_modes, *asked = self->also;

  ifbam_empty (all);
  ifbam_empty (old);
  ifbam_empty (asked);
  g_array_append_vals (all, fired, n);
  follow (self, time, all, old, asked);
  g_array_append_vals (all, asked->data, asked->len);
  ifbam_event_instant (self, time, (const IfbamCandidate *) (gpointer) all->data, all->len);
  for (guint i = 0; i < old->len; i++)
    ifbam_event_note_change (self, time, g_array_index (all, IfbamCandidate, n + i).link,
                             g_array_index (old, int, i));
  ifbam_monitors_leap (self, time);
}

/* Processes an event and the events that monitors cause at the same time in consequence. */
static void
pass_instant (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const IfbamFollower *lag;

  self->quiet = FALSE;
  happen (self, time, fired, n);
  for (guint turn = 0; (self->play->tripped->len > 0 || find_lag (self) != NULL)
                       && ifbam_event_goes_on (self, time, 1);
       turn++)
    {
      g_autoptr (GArray) monitors = g_steal_pointer (&self->play->tripped);

      self->play->tripped = g_array_new (FALSE, FALSE, sizeof (guint32));
      ifbam_empty (self->play->struck);
      for (guint i = 0; i < self->affected->len; i++)
        ifbam_island (self, g_array_index (self->affected, guint32, i))->affected = TRUE;
      lag = find_lag (self);
      trigger (self, time, (const guint32 *) (gpointer) monitors->data, monitors->len);
      if (turn == self->limits.answers)
        ifbam_event_fail (self, time,
                          monitors->len > 0 ? (const guint32 *) (gpointer) monitors->data
                                            : &lag->monitor,
                          1, "", " and what waits for it answer each other without end");
      happen (self, time, NULL, 0);
    }
}

/* Scales the given nodes of a controller by its present output. */
static void
turn_guided (IfbamEventEngine *self, guint32 controller, double time, GArray *asked)
{
  const IfbamModel *model = self->base.model;

  for (guint i = 0; i < model->guides->len; i++)
    {
      const IfbamGuide *guide = &g_array_index (model->guides, IfbamGuide, i);
      const double strength = self->link[controller].memory[0];

      if (guide->controller == controller
          && self->base.numbers->steering[guide->node - model->n_free].strength != strength)
        turn_given (self, guide->node, IFBAM_NONE, strength, time, asked);
    }
}

/* Processes scheduled events of equal time: external impulses act on the state before it, then
 * sources and modes change, then all consequences follow. numbers: event indices, cleared. */
static void
do_instants (IfbamEventEngine *self, double time, GArray *numbers)
{
  const guint32 *number = (const guint32 *) (gpointer) numbers->data;
  IFBAM_LIST (IfbamCandidate, fired, numbers->len);
  IFBAM_LIST (int, old, numbers->len);
  IFBAM_LIST (IfbamStrike, strikes, numbers->len);
  g_autoptr (GArray) asked = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  guint n = 0, n_strikes = 0;

  if (!self->unlocated)
    ifbam_monitors_look (self, time);
  self->given_time = self->unlocated ? NAN : instant_at (self, number[0])->time;
  ifbam_event_tell_row (self, time, IFBAM_NONE, FALSE);
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamInstant *instant = instant_at (self, number[i]);

      if (instant->kind == IFBAM_INSTANT_IMPULSE)
        strikes[n_strikes++] = (IfbamStrike){ instant->number, instant->value };
    }
  ifbam_event_strike (self, time, strikes, n_strikes);
  ifbam_controllers_hear (self, time, number, numbers->len);
  ifbam_controllers_steer (self, time, number, numbers->len);
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamInstant *instant = instant_at (self, number[i]);
      const guint32 link = instant->number;
      guint32 islands[IFBAM_MAX_PORTS];

      if (instant->kind == IFBAM_INSTANT_EDGE)
        {
          ifbam_event_bring (self, ifbam_island_of (self, self->base.model->source_node[link]),
                             time);
          open_piece (self, number[i]);
        }
      if (instant->kind == IFBAM_INSTANT_MOTION)
        turn_given (self, (guint32) self->base.model->n_free + link, number[i], 1, time, asked);
      if (instant->kind == IFBAM_INSTANT_SAMPLE)
        turn_guided (self, link, time, asked);
      if (instant->kind != IFBAM_INSTANT_TOGGLE)
        continue;
      for (guint k = ifbam_event_link_islands (self, link, islands); k-- > 0;)
        ifbam_event_bring (self, islands[k], time);
      old[n] = self->link[link].mode;
      toggle (self, link);
      fired[n++] =
          (IfbamCandidate){ .link = link,
                            .guard = { .kind = IFBAM_GUARD_RATE, .next = self->link[link].mode } };
    }
  g_array_append_vals (asked, fired, n);
  pass_instant (self, time, (const IfbamCandidate *) (gpointer) asked->data, asked->len);
  for (guint i = 0; i < n; i++)
    ifbam_event_note_change (self, time, fired[i].link, old[i]);
  ifbam_play_end (self->play);
  ifbam_event_tell_row (self, time, IFBAM_NONE, TRUE);
  self->given_time = NAN;
  ifbam_empty (numbers);
}

/* Skips the next scheduled events of equal time. Returns their indices (not owned). */
static GArray *
list_instants (IfbamEventEngine *self)
{
  const IfbamInstant *instant = instant_at (self, self->next_instant);
  const double time = instant->time;
  GArray *numbers = self->given;

  ifbam_empty (numbers);
  for (; instant != NULL && instant->time == time;
       instant = instant_at (self, ++self->next_instant))
    g_array_append_val (numbers, self->next_instant);
  return numbers;
}

/* Returns the time from the start of a step to a scheduled event [steps]. */
static double
steps_to (const IfbamEventEngine *self, guint number, guint64 step)
{
  return instant_at (self, number)->time / self->base.spec->step - (double) step;
}

static gboolean
is_due (const IfbamEventEngine *self, guint number, double *time)
{
  const double step = self->base.spec->step;
  double steps;

  if (instant_at (self, number) == NULL)
    return FALSE;
  steps = steps_to (self, number, self->step);
  *time = steps * step;
  if (fabs (steps - round (steps)) < IFBAM_AT_ROW)
    *time = round (steps) * step;
  return steps <= 1 + IFBAM_AT_ROW;
}

guint64
ifbam_event_free_steps (const IfbamEventEngine *self, guint instant, guint64 step)
{
  guint64 free = (guint64) fmax (0, floor (steps_to (self, instant, step)));

  while (free > 0 && steps_to (self, instant, step + free - 1) <= 1 + IFBAM_AT_ROW)
    free--;
  return free;
}

/* Returns a guard's value with n stepped islands at their trial state and other islands on their
 * cubics. Steps the other islands, too, if cubics may give the wrong sign. */
static double
trial_value (IfbamEventEngine *self, guint32 number, const IfbamGuard *guard, double time,
             const guint32 *islands, guint n)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamExtent *extent = ifbam_event_extent (self, number);
  const gboolean position = guard->kind == IFBAM_GUARD_POSITION;
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, rate, value;
  gboolean guessed = FALSE;

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e], island = ifbam_island_of (self, node);
      gboolean stepped = FALSE;

      for (guint m = 0; m < n; m++)
        stepped |= islands[m] == island;
      x[e] = self->xt[node];
      v[e] = self->vt[node];
      if (!stepped)
        ifbam_event_node (self, node, time, &x[e], &v[e]);
      guessed |= !stepped && island != IFBAM_NONE;
    }
  rate = ifbam_link_hear (link, x, v, &delta, row);
  value = guard->factor * (position ? delta : rate) + guard->offset;
  if (!guessed || value >= IFBAM_GUESS * (position ? extent->largest : extent->fastest))
    return value;
  ifbam_event_try (self, number, time);
  return ifbam_event_guard_value (self, number, guard, self->xt, self->vt, time);
}

/* Returns whether a step to a candidate's time reveals earlier crossings by other links, which the
 * cubic over a longer interval missed. Side effect: pushes the located crossings to the heap. */
static gboolean
others_are_through (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, candidate->link, islands);
  gboolean found = FALSE, others = FALSE;

  for (guint k = 0; k < n; k++)
    IFBAM_FOR_COMPONENTS (component, islands[k])
  IFBAM_FOR_LIST (number, component, singles)
  {
    const IfbamLaw *law = ifbam_link (self, *number)->law;

    others |= *number != candidate->link && (law->guards != NULL || law->force == NULL);
  }
  if (!others)
    return FALSE;
  ifbam_event_begin_look (self);
  ifbam_event_try (self, candidate->link, candidate->lo);
  for (guint k = 0; k < n; k++)
    IFBAM_FOR_COMPONENTS (component, islands[k])
  IFBAM_FOR_LIST (number, component, singles)
  {
    IfbamGuard guards[IFBAM_MAX_GUARDS];
    const guint n_guards = ifbam_event_guards (self, *number, guards);
    gboolean led = FALSE;

    if (*number == candidate->link || self->link[*number].held)
      continue;
    for (guint g = 0; g < n_guards; g++)
      {
        IfbamCandidate other = { .lo = ifbam_island (self, islands[k])->time,
                                 .hi = candidate->lo,
                                 .link = *number,
                                 .stamp = self->link[*number].stamp,
                                 .guard = guards[g] };

        if ((guards[g].kind != IFBAM_GUARD_POSITION && guards[g].kind != IFBAM_GUARD_RATE)
            || trial_value (self, *number, &guards[g], candidate->lo, islands, n)
                   >= -2 * ifbam_event_guard_floor (self, *number, &guards[g]))
          continue;
        led = TRUE;
        if (!ifbam_event_locate (self, &other, &other.lo) || other.lo >= candidate->lo)
          continue;
        other.hi = other.lo;
        other.located = TRUE;
        ifbam_heap_push (self->heap, &other);
        found = TRUE;
      }
    /* The location has stepped these islands to other times. */
    if (led)
      ifbam_event_try (self, candidate->link, candidate->lo);
  }
  return found;
}

/* If a fired link is a monitor, changes its mode, records the event and applies its impulses. */
static void
answer_monitor (IfbamEventEngine *self, double time, const IfbamCandidate *fired)
{
  const IfbamLink *link = ifbam_link (self, fired->link);
  IfbamLinkState *state = &self->link[fired->link];
  const int old = state->mode;
  guint32 islands[IFBAM_MAX_PORTS];
  const char *word;

  if (link->info->hears == NULL)
    return;
  word = ifbam_monitor_word (self, fired->link, fired->guard.next);
  for (guint k = ifbam_event_link_islands (self, fired->link, islands); k-- > 0;)
    ifbam_event_bring (self, islands[k], time);
  state->mode = fired->guard.next;
  if (word == NULL)
    return;
  ifbam_event_note_change (self, time, fired->link, old);
  trigger (self, time, &fired->link, 1);
}

/* Returns how often in succession a link has fired: within AT_ONCE, or without leaving its guard by
 * more than rounding. The end of a reaction in between neither counts nor resets this count. */
static guint
count_repeated (const IfbamEventEngine *self, const IfbamCandidate *fired, double time)
{
  const IfbamLinkState *state = &self->link[fired->link];
  const double since = time - state->last_fired;
  double delta, rate;

  if (state->bounced)
    return 0;
  if (since <= AT_ONCE * self->base.spec->step)
    return state->repeated + 1;
  if (fired->guard.kind == IFBAM_GUARD_REACTION && state->repeated > 0)
    return state->repeated;
  if (fired->guard.kind != IFBAM_GUARD_POSITION)
    return 0;
  rate = ifbam_link_estimate (self, fired->link, time, &delta);
  return fabs (rate) * since <= SUNK * ifbam_event_guard_floor (self, fired->link, &fired->guard)
             ? state->repeated + 1
             : 0;
}

static void
fire (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  if (!self->unlocated)
    ifbam_monitors_look (self, time);
  ifbam_event_tell_row (self, time, fired[0].link, FALSE);
  for (guint i = 0; i < n; i++)
    {
      IfbamLinkState *state = &self->link[fired[i].link];

      /* Links that rebound by more than rounding are not limited. */
      state->repeated = count_repeated (self, &fired[i], time);
      state->last_fired = time;
      state->bounced = FALSE;
      if (state->repeated > MOST_AT_ONCE)
        ifbam_event_close (self, time, fired[i].link);
    }
  for (guint i = 0; i < n; i++)
    answer_monitor (self, time, &fired[i]);
  pass_instant (self, time, fired, n);
  ifbam_play_end (self->play);
  ifbam_event_tell_row (self, time, IFBAM_NONE, TRUE);
}

static gboolean
is_stale (const IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  if (candidate->link == IFBAM_PACE)
    return ifbam_island (self, candidate->stamp)->n_components == 0
           || ifbam_island (self, candidate->stamp)->until != candidate->hi;
  return candidate->link != IFBAM_NONE
         && (candidate->stamp != self->link[candidate->link].stamp
             || self->link[candidate->link].held);
}

static guint32
cluster_of (const IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  return candidate->link == IFBAM_PACE
             ? self->cluster_of[ifbam_island (self, candidate->stamp)->first]
         : candidate->link == IFBAM_NONE
             ? ifbam_event_instant_cluster (self, instant_at (self, candidate->stamp))
             : self->link_cluster[candidate->link];
}

/* Locates a candidate and pushes it again, or drops it. Returns TRUE if it was located already. */
static gboolean
settle_next (IfbamEventEngine *self, IfbamCandidate *candidate)
{
  const double predicted = candidate->lo;
  double *early = &self->clusters[cluster_of (self, candidate)].early;

  if (candidate->located)
    return TRUE;
  if (by_companion (self, candidate->link) || !ifbam_event_locate (self, candidate, &candidate->lo))
    return FALSE;
  *early = MAX (*early, predicted - candidate->lo);
  candidate->hi = candidate->lo;
  candidate->located = TRUE;
  ifbam_heap_push (self->heap, candidate);
  return FALSE;
}

/* Adds the first candidate of a cluster to the heap that orders the clusters. */
static void
enter (IfbamEventEngine *self, guint32 cluster)
{
  const GArray *heap = self->clusters[cluster].heap;

  if (heap->len > 0)
    ifbam_heap_push (
        self->order,
        &(IfbamCandidate){ .lo = g_array_index (heap, IfbamCandidate, 0).lo, .link = cluster });
}

/* Moves the candidates found to the heaps of their clusters, except outdated ones. */
static void
deal (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->heap->len; i++)
    {
      const IfbamCandidate *candidate = &g_array_index (self->heap, IfbamCandidate, i);
      guint32 cluster;

      if (is_stale (self, candidate))
        continue;
      cluster = cluster_of (self, candidate);
      ifbam_heap_push (self->clusters[cluster].heap, candidate);
      if (g_array_index (self->clusters[cluster].heap, IfbamCandidate, 0).lo == candidate->lo)
        enter (self, cluster);
    }
  ifbam_empty (self->heap);
}

/* Finds the cluster with the earliest candidate. Returns FALSE if there are no candidates. */
static gboolean
find_first (IfbamEventEngine *self, guint32 *cluster)
{
  deal (self);
  while (self->order->len > 0)
    {
      const IfbamCandidate first = ifbam_heap_pop (self->order);
      const GArray *heap = self->clusters[first.link].heap;

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
  return !other->located && self->companion == self->scheme
         && (other->guard.kind == IFBAM_GUARD_POSITION || other->guard.kind == IFBAM_GUARD_RATE)
         && other->link < IFBAM_PACE && ifbam_event_is_shared (self, candidate->link, other->link);
}

/* Locates candidates shortly after a located one, because predictions deviate from steps of the
 * scheme. Returns TRUE if one of them is earlier. */
static gboolean
another_is_first (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  IfbamCluster *cluster = &self->clusters[cluster_of (self, candidate)];
  const double until = candidate->lo + EARLY * cluster->early;
  const double apart = SIMULTANEOUS * self->base.spec->step;
  GArray *soon = self->soon, *others = self->others, *heap = cluster->heap;
  double early;

  ifbam_empty (soon);
  ifbam_empty (others);
  while (heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo <= until)
    {
      IfbamCandidate other = ifbam_heap_pop (heap);

      if (is_stale (self, &other))
        continue;
      if (is_compared (self, candidate, &other))
        g_array_append_val (others, other);
      else if (other.located || settle_next (self, &other))
        g_array_append_val (soon, other);
      else
        deal (self); /* pushed again, or no event */
    }
  early = ifbam_event_compare (self, candidate->lo, apart,
                               (IfbamCandidate *) (gpointer) others->data, others->len);
  cluster->early = MAX (cluster->early, early);
  for (guint i = 0; i < others->len; i++)
    {
      IfbamCandidate *other = &g_array_index (others, IfbamCandidate, i);

      if (other->hi >= candidate->lo || settle_next (self, other))
        g_array_append_val (soon, *other);
      else
        deal (self);
    }
  for (guint i = 0; i < soon->len; i++)
    ifbam_heap_push (heap, &g_array_index (soon, IfbamCandidate, i));
  return heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo < candidate->lo - apart;
}

/* Returns whether the first candidate of a heap is scheduled for the same time as another one. */
static gboolean
is_given_with (const IfbamEventEngine *self, const GArray *heap, const IfbamCandidate *given)
{
  const IfbamCandidate *first = &g_array_index (heap, IfbamCandidate, 0);

  return first->link == IFBAM_NONE
         && instant_at (self, first->stamp)->time == instant_at (self, given->stamp)->time;
}

/* Ends an adaptive step of an island and predicts the next one. */
static void
go_on (IfbamEventEngine *self, guint32 number)
{
  ifbam_monitors_look (self, ifbam_island (self, number)->until);
  ifbam_pace_arrive (self, number);
  predict (self, number);
  watch_links (self, number);
  ifbam_event_watch_island (self, number);
}

/* Processes the first candidate of a heap. Returns FALSE on failure or at the step's end. */
static gboolean
work_off_first (IfbamEventEngine *self, GArray *heap)
{
  const double step = self->base.spec->step;
  IfbamCandidate next = ifbam_heap_pop (heap);
  GArray *fired = self->fired;
  gboolean wait = FALSE;

  if (is_stale (self, &next))
    return TRUE;
  /* Islands that go beyond the step boundary get their candidates again in the next step. */
  if (self->pace != NULL && next.lo > step)
    return FALSE;
  if (next.link == IFBAM_PACE)
    {
      go_on (self, next.stamp);
      return TRUE;
    }
  if (next.link == IFBAM_NONE)
    {
      ifbam_empty (self->given);
      g_array_append_val (self->given, next.stamp);
      while (heap->len > 0 && is_given_with (self, heap, &next))
        {
          next = ifbam_heap_pop (heap);
          g_array_append_val (self->given, next.stamp);
        }
      self->n_given -= self->given->len;
      do_instants (self, next.lo, self->given);
      predict_affected (self);
      return TRUE;
    }
  if (next.hidden)
    {
      ifbam_event_lose (self, &next);
      return FALSE;
    }
  if (!settle_next (self, &next))
    return TRUE;
  if (another_is_first (self, &next))
    {
      ifbam_heap_push (self->heap, &next);
      return TRUE;
    }
  /* Collect the other candidates at the same event time. */
  ifbam_empty (fired);
  g_array_append_val (fired, next);
  while (heap->len > 0 && !wait)
    {
      IfbamCandidate other = g_array_index (heap, IfbamCandidate, 0);

      if (other.link == IFBAM_NONE || other.link == IFBAM_PACE || other.hidden
          || other.lo > next.lo + SIMULTANEOUS * step)
        break;
      ifbam_heap_pop (heap);
      if (is_stale (self, &other))
        continue;
      wait = !other.located;
      if (wait)
        settle_next (self, &other);
      else
        g_array_append_val (fired, other);
    }
  if (wait || others_are_through (self, &next))
    {
      for (guint i = 0; i < fired->len; i++)
        ifbam_heap_push (self->heap, &g_array_index (fired, IfbamCandidate, i));
      return TRUE;
    }
  fire (self, next.lo, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
  predict_affected (self);
  return TRUE;
}

/* Adds the next scheduled events of equal time to the candidates, if due in the step. Later events
 * are added after these are processed, so memory does not grow with events per step. */
static void
add_given (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  double time;

  while (self->n_given == 0 && is_due (self, self->next_instant, &time))
    {
      const double given = instant_at (self, self->next_instant)->time;

      ifbam_agenda_pass (self->agenda, self->next_instant - MIN (self->next_instant, 1));
      for (; is_due (self, self->next_instant, &time)
             && instant_at (self, self->next_instant)->time == given;
           self->next_instant++)
        {
          const IfbamInstant *instant = instant_at (self, self->next_instant);
          const guint32 component = ifbam_event_instant_component (self, instant);
          const IfbamCandidate candidate = { .lo = CLAMP (time, 0, step),
                                             .hi = CLAMP (time, 0, step),
                                             .link = IFBAM_NONE,
                                             .stamp = self->next_instant,
                                             .located = TRUE };

          if (component == IFBAM_NONE || !ifbam_component (self, component)->asleep)
            {
              ifbam_heap_push (self->heap, &candidate);
              self->n_given++;
            }
          else if (is_edge (instant))
            open_piece (self, self->next_instant);
        }
    }
}

static void
work_off (IfbamEventEngine *self)
{
  guint32 cluster;

  self->n_given = 0;
  for (add_given (self); find_first (self, &cluster); add_given (self))
    {
      GArray *heap = self->clusters[cluster].heap;

      if (!ifbam_event_goes_on (self, g_array_index (heap, IfbamCandidate, 0).lo, 16)
          || !work_off_first (self, heap))
        return;
      enter (self, cluster);
    }
}

/* Events without location: all guards that are crossed at the step's end fire there. */
static void
work_off_at_end (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  double time;

  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self, j, guards);
      const IfbamExtent *extent = ifbam_event_extent (self, j);

      for (guint g = 0; g < n && !self->outside[j]; g++)
        if (ifbam_event_guard_value (self, j, &guards[g], self->x1, self->v1, step)
            < (guards[g].kind == IFBAM_GUARD_POSITION ? -extent->position_floor
               : guards[g].kind == IFBAM_GUARD_RATE   ? -extent->rate_floor
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
      for (guint i = 0; i < self->affected->len; i++)
        predict (self, g_array_index (self->affected, guint32, i));
      ifbam_empty (self->affected);
    }
  while (is_due (self, self->next_instant, &time) && ifbam_event_goes_on (self, step, 16))
    {
      ifbam_agenda_pass (self->agenda, self->next_instant - MIN (self->next_instant, 1));
      do_instants (self, step, list_instants (self));
      for (guint i = 0; i < self->affected->len; i++)
        predict (self, g_array_index (self->affected, guint32, i));
      ifbam_empty (self->affected);
    }
}

/* Predicts the whole network's state at the end of the step (x1, v1). */
static void
predict_all (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  if (!self->latency && self->by_hand && ifbam_scheme_tableau (self->scheme) == NULL)
    return;
  if (!self->latency)
    {
      ifbam_event_step (self, IFBAM_NONE, self->scheme, 0, step, self->x, self->v, self->x1,
                        self->v1, self->accounts);
      return;
    }
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (stretch, component)
  for (gsize i = stretch->first; i < stretch->last; i++)
    {
      self->x1[i] = self->next[0][i];
      self->v1[i] = ifbam_event_foreseen_rate (self, self->next[0][i], self->column[0][i],
                                               self->column[2][i]);
      ifbam_event_impose (self, (guint32) i, self->x1, self->v1);
    }
  ifbam_event_place (self, IFBAM_NONE, ifbam_event_after (self, step), self->x1, self->v1);
  for (guint i = 0; i < self->holding->len; i++)
    ifbam_event_fix (self, ifbam_island (self, g_array_index (self->holding, guint32, i)), self->x1,
                     self->v1, step, FALSE);
}

/* Resets the counters per step of clusters and links. */
static void
close_links (IfbamEventEngine *self)
{
  for (guint k = 0; k < self->n_clusters; k++)
    self->clusters[k].leaps = 0;
  for (guint j = 0; j < self->base.model->singles->len; j++)
    {
      self->link[j].fired = self->link[j].repeated = 0;
      self->link[j].last_fired = -INFINITY;
      self->link[j].since = 0;
      self->link[j].held = FALSE;
    }
}

/* Completes a step: books its work, and makes its end the present state. */
static void
close_step (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  (IFBAM_IS_PRINTED && self->unlocated ? ifbam_monitors_look_at_end (self)
                                       : ifbam_monitors_look (self, step));
  if (self->pace != NULL)
    ifbam_pace_close (self);
  else
    ifbam_event_check_kept (self);
  if (self->accounts && !self->latency)
    ifbam_event_book (self, IFBAM_NONE);
  else if (self->accounts)
    for (guint i = 0; i < self->islands->len; i++)
      {
        const IfbamIsland *island = ifbam_island (self, i);

        if (island->n_components > 0 && island->companion)
          ifbam_event_book (self, i);
      }
  ifbam_swap_columns (&self->x, &self->x1);
  ifbam_swap_columns (&self->v, &self->v1);
  ifbam_swap_columns (&self->a, &self->a1);
  self->step++;
  /* corners at the step boundary count as passed */
  if (self->agenda->edges->len > 0 || self->base.numbers->steering != NULL)
    ifbam_event_place (self, IFBAM_NONE, ifbam_event_time (self), self->x, self->v);
  close_links (self);
  for (guint i = 0; i < self->islands->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      island->time = self->pace != NULL ? island->time - step : 0;
      island->until = self->pace != NULL ? island->until - step : step;
      island->companion &= self->latency;
    }
  settle_starts (self);
  ifbam_event_aim (self, IFBAM_NONE);
  ifbam_monitors_begin (self);
}

/* Returns whether nothing moved in the present step. The next step is then equal and is skipped. */
static gboolean
is_still (const IfbamEventEngine *self)
{
  if (!self->quiet || !self->autonomous || self->unlocated || self->latency)
    return FALSE;
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (stretch, component)
  for (gsize i = stretch->first; i < stretch->last; i++)
    if (ifbam_event_node_moves (self, i))
      return FALSE;
  return TRUE;
}

/* Uses the restart scheme for slips with a fixed direction: flip-flop forces are one step late. */
static void
aim_by_companion (IfbamEventEngine *self)
{
  for (guint32 j = 0; j < self->base.model->singles->len && self->latency && self->aimed != NULL;
       j++)
    {
      guint32 islands[IFBAM_MAX_PORTS];

      if (!ifbam_link (self, j)->leads || ifbam_friction_direction (self->link[j].mode) == 0
          || isnan (self->link[j].aim[0]))
        continue;
      ifbam_event_link_islands (self, j, islands);
      if (ifbam_island (self, islands[0])->companion)
        continue;
      ifbam_island (self, islands[0])->companion = TRUE;
      g_array_append_val (self->affected, islands[0]);
    }
  predict_affected (self);
}

static void
do_step (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  double due;

  if (self->still && !is_due (self, self->next_instant, &due))
    {
      self->step++;
      return;
    }
  self->quiet = self->pace == NULL;
  ifbam_agenda_pass (self->agenda, self->next_instant - MIN (self->next_instant, 1));
  ifbam_event_floors (self);
  ifbam_empty (self->heap);
  ifbam_empty (self->order);
  for (guint k = 0; k < self->n_clusters; k++)
    {
      self->clusters[k].early = EARLIEST * step;
      ifbam_empty (self->clusters[k].heap);
    }
  self->unseen = TRUE;
  if (self->pace != NULL)
    ifbam_event_open_steps (self);
  else
    {
      predict_all (self);
      for (guint i = 0; i < self->islands->len; i++)
        {
          ifbam_island (self, i)->time = 0;
          ifbam_island (self, i)->until = step;
        }
    }
  /* WebAssembly builds always locate events. */
  if (IFBAM_IS_PRINTED && self->unlocated)
    work_off_at_end (self);
  else
    {
      watch_links (self, IFBAM_NONE);
      for (guint i = 0; i < self->holding->len; i++)
        ifbam_event_watch_island (self, g_array_index (self->holding, guint32, i));
      aim_by_companion (self);
      work_off (self);
    }
  self->still = is_still (self);
  close_step (self);
  ifbam_event_book_between_given (self);
  if (self->latency)
    ifbam_event_close_cycle (self);
  else
    ifbam_event_lift (self);
}

void
ifbam_event_settle (IfbamEventEngine *self)
{
  ifbam_event_arrive (self);
  do_step (self);
  self->failed = ifbam_event_time (self);
  self->base.steps++;
  ifbam_event_sort_told (self);
  ifbam_event_open (self);
}

void
ifbam_event_go_on_otherwise (IfbamEventEngine *self, IfbamInstantKind kind, guint32 number)
{
  const IfbamInstant instant = { .time = ifbam_event_time (self), .kind = kind, .number = number };

  ifbam_agenda_add (self->agenda, self->next_instant, &instant);
  self->still = FALSE;
}

void
ifbam_event_stand_at (IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step;
  const guint64 row = (guint64) fmax (0, floor (time / step));

  if (row != self->step)
    close_links (self);
  self->step = row;
  self->row_time = time;
  for (guint i = 0; i < self->islands->len; i++)
    ifbam_island (self, i)->time = ifbam_island (self, i)->until = time - ifbam_event_time (self);
  ifbam_event_place (self, IFBAM_NONE, time, self->x, self->v);
}

gboolean
ifbam_event_happen_at (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const double near = IFBAM_AT_ROW * self->base.spec->step + 4 * DBL_EPSILON * time;
  const double after = time - ifbam_event_time (self);
  gboolean happened = n > 0;

  ifbam_event_floors (self);
  settle_starts (self);
  while (instant_at (self, self->next_instant) != NULL
         && instant_at (self, self->next_instant)->time <= time + near)
    {
      do_instants (self, after, list_instants (self));
      ifbam_empty (self->affected);
      ifbam_event_stand_at (self, time);
      happened = TRUE;
    }
  for (guint i = 0; i < n; i++)
    answer_monitor (self, after, &fired[i]);
  if (n > 0)
    pass_instant (self, after, fired, n);
  ifbam_play_end (self->play);
  ifbam_empty (self->affected);
  ifbam_event_sort_told (self);
  ifbam_event_stand_at (self, time);
  return happened;
}

double
ifbam_event_next_instant (const IfbamEventEngine *self)
{
  const IfbamInstant *next = instant_at (self, self->next_instant);

  return next == NULL ? INFINITY : next->time;
}

static void
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  (void) probes;
  for (const guint64 end = base->steps + steps; base->steps < end; base->steps++)
    /* Under a flip-flop scheme the first cycle only yields the initial sample. */
    if (base->steps >= ifbam_engine_lookahead (base->spec) && self->failure == NULL)
      {
        do_step (self);
        if (!self->tells_late)
          ifbam_event_sort_told (self);
      }
}

static void
observe (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  memcpy (position, self->x + first, (last - first) * sizeof (double));
  memcpy (rate, self->v + first, (last - first) * sizeof (double));
}

/* Returns the factor of a source's force; 0: its monitor has switched it off. */
static double
strength (IfbamEngine *base, gsize source)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  return self->acts[source] ? self->strength[source] : 0;
}

static void
first_pieces (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const gsize n_given = model->n_nodes - model->n_free;

  for (gsize i = 0; i < model->n_sources + n_given; i++)
    {
      const gboolean source = i < model->n_sources;

      self->piece_from[i] = -INFINITY;
      self->piece_until[i] = nextafter (
          ifbam_agenda_next_edge (self->agenda, source ? IFBAM_INSTANT_EDGE : IFBAM_INSTANT_MOTION,
                                  (guint32) (source ? i : i - model->n_sources), 0),
          -INFINITY);
    }
}

/* Skips the scheduled events up to the present step boundary; sets the time ranges of all laws. */
static void
pass_instants (IfbamEventEngine *self)
{
  guint i;

  ifbam_agenda_restart (self->agenda);
  first_pieces (self);
  for (i = 0; instant_at (self, i) != NULL
              && (self->step == 0 ? instant_at (self, i)->time <= 0
                                  : steps_to (self, i, self->step - 1) <= 1 + IFBAM_AT_ROW);
       i++)
    {
      if (is_edge (instant_at (self, i)))
        open_piece (self, i);
      ifbam_agenda_pass (self->agenda, i);
    }
  self->next_instant = i;
}

/* Computes the forces of sources that do not depend on time, NaN for the others. */
static void
find_constants (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  for (gsize i = 0; i < model->n_sources; i++)
    self->constant[i] =
        ifbam_model_source_of (model, i)->info->fixed ? ifbam_model_source (model, i, 0) : NAN;
  for (gsize i = 0; i < model->n_sources; i++)
    self->answer[model->n_slots + i] = self->constant[i];
}

/* Appends links beyond a guard of a law or friction. Steps report contacts that overlap. */
static void
list_beyond (IfbamEventEngine *self, GArray *fired)
{
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    {
      const IfbamRelationKind kind = ifbam_link_relation (self, j).kind;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      guint n;

      if ((kind != IFBAM_RELATION_NONE && kind != IFBAM_RELATION_FRICTION)
          || ifbam_link (self, j)->info->signal_slot != 0)
        continue;
      n = ifbam_event_guards (self, j, guards);
      for (guint g = 0; g < n; g++)
        if ((kind == IFBAM_RELATION_NONE || guards[g].kind != IFBAM_GUARD_RATE)
            && ifbam_event_guard_value (self, j, &guards[g], self->x, self->v, 0)
                   < -ifbam_event_guard_floor (self, j, &guards[g]))
          {
            const IfbamCandidate candidate = { .link = j, .guard = guards[g] };

            g_array_append_val (fired, candidate);
            break;
          }
    }
}

/* Fires guards that new parameters have left crossed: location in a step would not find them. */
static void
pass_beyond (IfbamEventEngine *self)
{
  const guint most = self->limits.jumps * (1 + self->base.model->singles->len);
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  guint turn;

  ifbam_event_floors (self);
  list_beyond (self, fired);
  for (turn = 0; fired->len > 0 && turn <= most && ifbam_event_goes_on (self, 0, 1); turn++)
    {
      ifbam_event_happen_at (self, ifbam_event_time (self),
                             (const IfbamCandidate *) (gpointer) fired->data, fired->len);
      ifbam_empty (fired);
      list_beyond (self, fired);
    }
  if (turn == 0)
    return;
  ifbam_event_forget (self, IFBAM_NONE);
  ifbam_event_open (self);
}

void
ifbam_event_take_numbers (IfbamEventEngine *self)
{
  find_constants (self);
  if (self->base.steps == 0)
    ifbam_controllers_start (self);
  self->still = FALSE;
  ifbam_implicit_forget (self->implicit);
  for (guint i = 0; i < self->holding->len; i++)
    ifbam_event_group (self, ifbam_island (self, g_array_index (self->holding, guint32, i)));
  if (!self->latency && self->failure == NULL)
    pass_beyond (self);
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
  self->next_instant = 0;
  self->fed = (IfbamFeed){ 0 };
  self->lost = self->brought = (IfbamTally){ 0 };
  memset (self->extent, 0, self->n_clusters * IFBAM_N_DOMAINS * sizeof *self->extent);
  self->given_time = self->row_time = NAN;
  self->still = FALSE;
  self->failed = 0;
  self->closed.n = self->closed.first = 0;
  self->first_closed = 0;
  g_clear_pointer (&self->failure, g_free);
  ifbam_start_range (model, spec, 0, model->n_nodes, self->x, self->v);
  for (guint32 i = 0; i < model->n_nodes; i++)
    ifbam_event_impose (self, i, self->x, self->v);
  ifbam_event_place_fixed (self);
  ifbam_event_forget (self, IFBAM_NONE);
  find_constants (self);
  ifbam_agenda_restart (self->agenda);
  first_pieces (self);
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      IfbamLinkState *state = &self->link[j];
      IfbamExtent *extent = ifbam_event_extent (self, j);
      double delta, row[IFBAM_MAX_PORTS], rate, room[IFBAM_MAX_LAW];

      memset (state, 0, sizeof *state);
      if (link->leads)
        ifbam_event_aim_at (self, j, NULL);
      rate = ifbam_link_measure (link, self->x, self->v, &delta, row);
      state->mode = link->law->mode (ifbam_link_numbers_now (self, j, room), delta, rate);
      ifbam_event_extend (self, extent, fabs (delta), 0);
      if (link->geometry->reach != NULL)
        ifbam_event_extend (self, extent, link->geometry->reach (link->shape), 0);
      if (link->law->relation (link->numbers, state->mode).kind == IFBAM_RELATION_CONTACT)
        ifbam_event_extend (self, extent,
                            fabs (link->law->relation (link->numbers, state->mode).gap), 0);
    }
  ifbam_controllers_start (self);
  follow_at_row (self, TRUE);
  ifbam_event_floors (self);
  for (guint i = 0; i < self->islands->len; i++)
    {
      ifbam_island (self, i)->time = 0;
      ifbam_island (self, i)->until = 0;
      ifbam_event_bring (self, i, 0);
    }
  for (guint j = 0; j < model->singles->len; j++)
    {
      IfbamCandidate candidate = { .link = j, .guard = { .kind = IFBAM_GUARD_FORCE } };

      if (ifbam_link_relation (self, j).kind != IFBAM_RELATION_NONE)
        g_array_append_val (fired, candidate);
    }
  /* Modes that are found at the start are not events. */
  self->starting = TRUE;
  ifbam_event_instant (self, 0, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
  ifbam_monitors_leap (self, 0);
  ifbam_play_end (self->play);
  self->starting = FALSE;
  /* A mode change in the first step is an event of its own: the counters start again. */
  close_links (self);
  ifbam_empty (self->affected);
  ifbam_monitors_begin (self);
  while (instant_at (self, self->next_instant) != NULL
         && instant_at (self, self->next_instant)->time <= 0)
    {
      do_instants (self, 0, list_instants (self));
      ifbam_empty (self->affected);
    }
  ifbam_event_aim (self, IFBAM_NONE);
  ifbam_event_look_between_given (self);
  if (self->pace != NULL)
    ifbam_pace_start (self);
  if (self->latency)
    {
      ifbam_event_set_out (self);
      if (!self->by_hand)
        ifbam_event_look_ahead (self);
      if (self->accounts)
        ifbam_event_cycle_work (self, TRUE);
    }
  ifbam_event_sort_told (self);
}

static void
stand (IfbamEngine *base, guint64 steps)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  base->steps = steps;
  self->step = steps - MIN (steps, ifbam_engine_lookahead (base->spec));
  g_clear_pointer (&self->failure, g_free);
  self->failed = ifbam_event_time (self);
  self->still = FALSE;
  ifbam_empty (self->sunk);
  for (guint j = 0; j < base->model->singles->len; j++)
    self->link[j].pending = 0;
  ifbam_empty (self->told);
  for (guint d = 0; d < self->n_clusters * IFBAM_N_DOMAINS; d++)
    {
      const IfbamExtent known = self->extent[d];

      self->extent[d] = (IfbamExtent){ 0 };
      ifbam_event_extend (self, &self->extent[d], known.largest, known.fastest);
      ifbam_event_turn (self, &self->extent[d], known.turned);
    }
  close_links (self);
  pass_instants (self);
  follow_at_row (self, FALSE);
  ifbam_event_look_between_given (self);
  ifbam_controllers_stand (self);
  ifbam_event_stand_up (self);
  if (self->pace != NULL)
    ifbam_pace_stand_up (self);
}

static IfbamStepCount
count (IfbamEngine *base)
{
  return ifbam_pace_count ((IfbamEventEngine *) base);
}

static void
engine_free (IfbamEngine *base)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  gpointer columns[] = { self->x,
                         self->v,
                         self->x1,
                         self->v1,
                         self->a,
                         self->a1,
                         self->xt,
                         self->vt,
                         self->x2,
                         self->v2,
                         self->mobility,
                         self->force,
                         self->acceleration,
                         self->answer,
                         self->loss,
                         self->pending_loss,
                         self->dissipated,
                         self->last_loss,
                         self->last_supply,
                         self->constant,
                         self->piece_from,
                         self->piece_until,
                         self->acts,
                         self->strength,
                         self->pulsing,
                         self->flight,
                         self->next_flight,
                         self->offset };

  ifbam_agenda_free (self->agenda);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_free (columns[i]);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      g_free (self->work[c]);
      g_free (self->column[c]);
      g_free (self->next[c]);
    }
  if (self->free_asked != NULL)
    self->free_asked (self->asked);
  ifbam_implicit_free (self->implicit);
  ifbam_pace_free (self->pace);
  ifbam_islands_free (self);
  ifbam_clusters_free (self);
  ifbam_play_free (self->play);
  ifbam_numbers_free (self->base.numbers);
  g_free (self->redundant);
  g_free (self->own_singles);
  g_free (self->seat);
  g_free (self->port_of);
  g_free (self->link);
  g_free (self->component_of);
  g_free (self->home);
  g_free (self->node_mark);
  g_free (self->domain);
  g_free (self->lever);
  g_free (self->link_domain);
  g_array_unref (self->heard);
  g_array_unref (self->between_given);
  g_array_unref (self->heap);
  g_array_unref (self->affected);
  g_array_unref (self->changing);
  g_array_unref (self->old_modes);
  g_array_unref (self->also);
  g_array_unref (self->soon);
  g_array_unref (self->order);
  g_array_unref (self->others);
  g_array_unref (self->given);
  g_array_unref (self->monitors);
  g_free (self->outside);
  g_array_unref (self->sunk);
  g_array_unref (self->fired);
  g_clear_pointer (&base->events, g_array_unref);
  g_free (self->failure);
  g_free (self);
}

static const char *
failure (IfbamEngine *base, double *time)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  /* The history of a flip-flop scheme begins before the start. */
  *time = fmax (0, self->failed);
  return self->failure;
}

static void
keep_account (IfbamEngine *base, gboolean full)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamModel *model = base->model;

  self->accounts = TRUE;
  if (!full || self->pending_loss != NULL)
    return;
  self->pending_loss = g_new0 (double, model->n_slots + 1);
  self->dissipated = g_new0 (IfbamTally, model->n_slots + 1);
  self->last_loss = g_new0 (double, model->n_slots + 1);
}

static void
add_tally (IfbamExactSum *sum, const IfbamTally *tally)
{
  ifbam_exact_sum_add (sum, tally->sum);
  ifbam_exact_sum_add (sum, tally->rest);
}

static IfbamAccount
account (IfbamEngine *base)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamModel *model = base->model;
  IfbamExactSum dissipated;

  ifbam_exact_sum_clear (&dissipated);
  for (gsize i = 0; i < model->n_links && self->dissipated != NULL; i++)
    add_tally (&dissipated, &self->dissipated[model->link_slot[i]]);
  for (guint j = 0; j < model->singles->len; j++)
    add_tally (&dissipated, &self->link[j].dissipated);
  add_tally (&dissipated, &self->lost);
  return (IfbamAccount){ .dissipated = ifbam_exact_sum_round (&dissipated),
                         .supplied = ifbam_tally_value (&self->fed.supplied),
                         .turnover = ifbam_tally_value (&self->fed.turnover),
                         .brought = ifbam_tally_value (&self->brought) };
}

static void
add_stored (IfbamEngine *base, IfbamExactSum *sum)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  for (guint j = 0; j < base->model->singles->len; j++)
    {
      const guint32 component = ifbam_event_link_component (self, j);

      if (component == IFBAM_NONE || !ifbam_component (self, component)->asleep)
        ifbam_exact_sum_add (sum, ifbam_event_link_stored (self, j));
    }
}

static double
link_dissipated (IfbamEngine *base, gsize slot)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  return self->dissipated == NULL ? 0 : ifbam_tally_value (&self->dissipated[slot]);
}

static double
row_time (const IfbamEventEngine *self)
{
  return isnan (self->row_time) ? ifbam_event_time (self) : self->row_time;
}

static double
link_quantity (IfbamEngine *base, gsize number, IfbamLinkQuantity quantity)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamLink *link = ifbam_link (self, (guint32) number);
  const IfbamLinkState *state = &self->link[number];
  double delta, row[IFBAM_MAX_PORTS], slip, across, room[IFBAM_MAX_LAW];
  const double rate = ifbam_link_measure (link, self->x, self->v, &delta, row);
  const void *numbers = ifbam_link_numbers_now (self, (guint32) number, room);

  switch (quantity)
    {
    case IFBAM_LINK_COMPRESSION:
      return delta;
    case IFBAM_LINK_RATE:
      if (!link->leads)
        return rate;
      across = ifbam_link_measure (link + 1, self->x, self->v, &delta, row);
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
      if (ifbam_link_holds (self, (guint32) number) || slip != 0)
        {
          guint32 islands[IFBAM_MAX_PORTS];

          ifbam_event_link_islands (self, (guint32) number, islands);
          ifbam_event_accelerations (self, islands[0], self->x, self->v, row_time (self), TRUE);
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

  ifbam_event_accelerations (self, ifbam_island_of (self, (guint32) node), self->x, self->v,
                             row_time (self), TRUE);
  return self->acceleration[node];
}

static guint
held (IfbamEngine *base, const char **first, double *time)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  *time = self->first_closed;
  if (self->closed.n > 0 && self->closed.first < base->model->singles->len)
    *first = ifbam_link (self, self->closed.first)->name;
  return self->closed.n;
}

IfbamEngine *
ifbam_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, gboolean unlocated)
{
  IfbamEventEngine *self = g_new0 (IfbamEventEngine, 1);
  double **columns[] = { &self->x,        &self->v,  &self->x1, &self->v1,    &self->xt,
                         &self->vt,       &self->x2, &self->v2, &self->force, &self->acceleration,
                         &self->mobility, &self->a,  &self->a1 };

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
  self->singles = (const IfbamLink *) (gconstpointer) model->singles->data;
  for (guint j = 0; j < model->singles->len && self->own_singles == NULL; j++)
    if (ifbam_link (self, j)->geometry->aim > 0)
      self->singles = self->aimed = self->own_singles =
          g_memdup2 (model->singles->data, model->singles->len * sizeof (IfbamLink));
  self->latency = spec->scheme->latency;
  self->has_active = ifbam_model_has_active_links (model);
  self->companion = ifbam_scheme_companion (spec->scheme);
  self->unlocated = unlocated;
  self->limits = (IfbamEventLimits){ .impulses = 1000000,
                                     .pivots = 5000,
                                     .settling = 1000,
                                     .jumps = 4,
                                     .answers = 64,
                                     .lifts = 2,
                                     .events = 100000,
                                     .turns = 30,
                                     .pieces = 1000,
                                     .halvings = 20 };
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    *columns[i] = g_new0 (double, model->n_nodes + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      self->work[c] = g_new0 (double, model->n_nodes + 1);
      self->column[c] = self->latency ? g_new0 (double, model->n_nodes + 1) : NULL;
      self->next[c] = self->latency ? g_new0 (double, model->n_nodes + 1) : NULL;
    }
  for (gsize i = 0; i < model->n_free; i++)
    self->mobility[i] = model->inverse_inertia[i];
  self->answer = g_new0 (double, model->n_slots + model->n_sources + 1);
  self->loss = g_new0 (double, model->n_slots + model->n_sources + 1);
  if (self->latency)
    {
      self->flight = g_new0 (double, model->n_slots + model->n_sources + 1);
      self->next_flight = g_new0 (double, model->n_slots + model->n_sources + 1);
    }
  self->constant = g_new (double, model->n_sources + 1);
  self->piece_from = g_new (double, model->n_sources + model->n_nodes - model->n_free + 1);
  self->piece_until = g_new (double, model->n_sources + model->n_nodes - model->n_free + 1);
  self->acts = g_new0 (guint8, model->n_sources + 1);
  self->strength = g_new0 (double, model->n_sources + 1);
  self->pulsing = g_new0 (guint8, model->singles->len + 1);
  for (guint32 j = 0; j < model->singles->len; j++)
    self->pulsing[j] = ifbam_model_is_pulsing (model, j);
  if (ifbam_model_is_steered (model))
    {
      self->base.numbers->steering = g_new0 (struct _IfbamSteering, model->n_nodes - model->n_free);
      for (gsize i = 0; i < model->n_nodes - model->n_free; i++)
        self->base.numbers->steering[i].strength = 1;
    }
  self->agenda = ifbam_agenda_new (model, spec->step);
  self->seat = g_new (guint32, model->n_nodes + 1);
  memset (self->seat, 0xff, (model->n_nodes + 1) * sizeof (guint32));
  self->port_of = g_new (IfbamPort, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    self->port_of[i] = (IfbamPort){ i, 1 };
  self->component_of = g_new (guint32, model->n_nodes + 1);
  self->home = g_new (guint32, model->singles->len + 1);
  self->node_mark = g_new0 (guint8, model->n_nodes + 1);
  self->domain = g_new0 (guint8, model->n_nodes + 1);
  self->lever = g_new0 (double, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, i);

      self->domain[i] = domain < IFBAM_N_DOMAINS ? (guint8) domain : 0;
    }
  self->link = g_new0 (IfbamLinkState, model->singles->len + 1);
  self->link_domain = g_new0 (guint8, model->singles->len + 1);
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &self->singles[j];
      const IfbamDomain domain = link->info->domain;

      self->link_domain[j] = link->geometry->turns        ? IFBAM_DOMAIN_ROTATION
                             : domain == IFBAM_DOMAIN_ANY ? self->domain[link->node[0]]
                                                          : (guint8) domain;
      for (guint e = 0; e < link->n_ports; e++)
        if (!link->geometry->slides && self->link_domain[j] == IFBAM_DOMAIN_TRANSLATION
            && self->domain[link->node[e]] == IFBAM_DOMAIN_ROTATION)
          self->lever[link->node[e]] = MAX (
              self->lever[link->node[e]],
              link->geometry->lever == NULL ? 1 : link->geometry->lever (link->shape, (int) e));
    }
  self->heap = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->affected = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->changing = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->old_modes = g_array_new (FALSE, FALSE, sizeof (int));
  self->also = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->play = ifbam_play_new (model->singles->len, model->n_nodes);
  ifbam_event_watch_reactions (self, &self->play->system);
  self->given = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->soon = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->order = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->others = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->sunk = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->outside = g_new0 (guint8, model->singles->len + 1);
  self->monitors = g_array_new (FALSE, FALSE, sizeof (IfbamMonitor));
  ifbam_monitors_find (self);
  ifbam_islands_make (self);
  ifbam_clusters_make (self);
  if (ifbam_scheme_tableau (self->companion) != NULL)
    self->implicit = ifbam_implicit_new (model->n_nodes);
  if (spec->tolerance > 0 && !unlocated)
    {
      self->pace = ifbam_pace_new (self);
      self->base.count = count;
    }
  self->heard = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < model->n_nodes; i++)
    if (self->node_link_start[i + 1] > self->node_link_start[i])
      g_array_append_val (self->heard, i);
  self->autonomous = ifbam_component (self, self->components->len - 1)->n_moving == 0
                     && ifbam_component (self, self->components->len - 1)->n_varying == 0;
  self->last_supply = g_new0 (double, self->components->len + 1);
  ifbam_event_find_between_given (self);
  return &self->base;
}

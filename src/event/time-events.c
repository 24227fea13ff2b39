/* time-events.c: processing of scheduled events, and of elements that monitors switch
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/time-events.h"

#include <string.h>

#include "event/advance-islands.h"
#include "event/controllers.h"
#include "event/event-context.h"
#include "event/event-engine-internal.h"
#include "event/event-samples.h"
#include "event/external-impulses.h"
#include "event/forces.h"
#include "event/process-event.h"
#include "event/clusters.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "event/monitors.h"

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
is_switched_on (const IfbamEventEngine *self, const IfbamSwitchedElement *switched_element)
{
  return (self->links.state[switched_element->monitor].mode != 0) != switched_element->below;
}

/* Returns whether a given node follows its law at present, that is, is not stopped by a monitor. */
static gboolean
follows_law (const IfbamEventEngine *self, guint32 node)
{
  return self->base.numbers->motion_scale[node - self->base.model->n_free].strength != 0;
}

static gboolean
differs_from_monitor (const IfbamEventEngine *self, const IfbamSwitchedElement *switched_element)
{
  return is_switched_on (self, switched_element)
         != (switched_element->kind == IFBAM_TIME_EVENT_EDGE
                 ? self->schedule.is_on[switched_element->number] != 0
             : switched_element->kind == IFBAM_TIME_EVENT_MOTION
                 ? follows_law (self, switched_element->number)
                 : self->links.state[switched_element->number].mode != 0);
}

/* Returns the first switched element that differs from its monitor's request; NULL: none does. */
static const IfbamSwitchedElement *
find_unmatched (const IfbamEventEngine *self)
{
  const GArray *switched_elements = self->base.model->switched_elements;

  for (guint i = 0; i < switched_elements->len; i++)
    if (differs_from_monitor (self, &g_array_index (switched_elements, IfbamSwitchedElement, i)))
      return &g_array_index (switched_elements, IfbamSwitchedElement, i);
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
 * its law. Advances the islands that read the node; appends its active constraints to `requests`. */
static void
change_given (IfbamEventEngine *self, guint32 node, guint time_event, double strength, double time,
              GArray *requests)
{
  self->context->has_given = TRUE;
  for (gboolean after = FALSE;; after = TRUE)
    {
      for (guint32 c = 0; c + 1 < self->components.list->len; c++)
        {
          const IfbamComponent *component = ifbam_component (self, c);

          for (gsize i = component->givens; i < component->givens + component->n_givens; i++)
            if (ifbam_index_at (self, i) == node && !component->is_inactive)
              {
                if (!after)
                  {
                    ifbam_event_advance_island (self, component->island, time);
                    continue;
                  }
                ifbam_event_set_given (self, component->island, ifbam_event_time_at (self, time),
                                       self->nodes.x, self->nodes.v);
                /* If nothing else has moved, this node alone defines the rounding thresholds. */
                ifbam_magnitudes_include_given (self, c, node);
              }
        }
      if (after)
        break;
      if (time_event != IFBAM_NONE)
        ifbam_schedule_begin_piece (&self->schedule, time_event);
      else
        ifbam_parameter_values_set_scale (self->base.numbers, node,
                                          ifbam_event_time_at (self, time), strength);
    }
  for (guint32 p = self->links.node_start[node]; p < self->links.node_start[node + 1]; p++)
    {
      const IfbamCandidate candidate = {
        .link = ifbam_endpoint_link (self->links.node_ends[p]),
        .guard = { .kind = IFBAM_GUARD_RATE,
                   .next = self->links.state[ifbam_endpoint_link (self->links.node_ends[p])].mode }
      };

      if (ifbam_link_is_active (self, candidate.link))
        g_array_append_val (requests, candidate);
    }
}

/* Switches elements that differ from their monitors' requests. Appends toggled links to `fired`,
 * their former modes to `old`, and active constraints at given nodes to `requests`. */
static void
switch_elements (IfbamEventEngine *self, double time, GArray *fired, GArray *old, GArray *requests)
{
  const GArray *switched_elements = self->base.model->switched_elements;

  for (guint i = 0; i < switched_elements->len; i++)
    {
      const IfbamSwitchedElement *switched_element =
          &g_array_index (switched_elements, IfbamSwitchedElement, i);
      IfbamCandidate candidate = { .link = switched_element->number,
                                   .guard = { .kind = IFBAM_GUARD_RATE } };
      guint32 islands[IFBAM_MAX_PORTS];

      if (!differs_from_monitor (self, switched_element))
        continue;
      if (switched_element->kind == IFBAM_TIME_EVENT_EDGE)
        {
          ifbam_event_advance_island (
              self, ifbam_island_of (self, self->base.model->source_node[switched_element->number]),
              time);
          self->schedule.is_on[switched_element->number] =
              !self->schedule.is_on[switched_element->number];
          continue;
        }
      if (switched_element->kind == IFBAM_TIME_EVENT_MOTION)
        {
          change_given (self, switched_element->number, IFBAM_NONE,
                        is_switched_on (self, switched_element) ? 1 : 0, time, requests);
          continue;
        }
      for (guint k = ifbam_event_link_islands (self, switched_element->number, islands); k-- > 0;)
        ifbam_event_advance_island (self, islands[k], time);
      g_array_append_val (old, self->links.state[switched_element->number].mode);
      toggle (self, switched_element->number);
      candidate.guard.next = self->links.state[switched_element->number].mode;
      g_array_append_val (fired, candidate);
    }
}

void
ifbam_event_set_switched (IfbamEventEngine *self, gboolean links)
{
  const GArray *switched_elements = self->base.model->switched_elements;

  memset (self->schedule.is_on, TRUE, self->base.model->n_sources);
  for (guint i = 0; i < switched_elements->len; i++)
    {
      const IfbamSwitchedElement *switched_element =
          &g_array_index (switched_elements, IfbamSwitchedElement, i);

      if (switched_element->kind == IFBAM_TIME_EVENT_EDGE)
        self->schedule.is_on[switched_element->number] = is_switched_on (self, switched_element);
      else if (switched_element->kind == IFBAM_TIME_EVENT_MOTION && links)
        ifbam_controllers_start_motion (self, switched_element->number,
                                        is_switched_on (self, switched_element));
      else if (links && differs_from_monitor (self, switched_element))
        toggle (self, switched_element->number);
    }
}

/* Processes one event: n fired links and the elements that their monitors switch. */
static void
process_event (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  GArray *all = self->candidates.changing, *old = self->candidates.old_modes,
         *requests = self->candidates.at_given;

  ifbam_array_clear (all);
  ifbam_array_clear (old);
  ifbam_array_clear (requests);
  g_array_append_vals (all, fired, n);
  switch_elements (self, time, all, old, requests);
  g_array_append_vals (all, requests->data, requests->len);
  ifbam_event_process (self, time, (const IfbamCandidate *) (gpointer) all->data, all->len);
  for (guint i = 0; i < old->len; i++)
    ifbam_event_log_add_change (self, time, g_array_index (all, IfbamCandidate, n + i).link,
                                g_array_index (old, int, i));
  ifbam_monitors_check_jumps (self, time);
}

void
ifbam_event_process_chain (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                           guint n)
{
  const IfbamSwitchedElement *lag;

  self->quiet = FALSE;
  process_event (self, time, fired, n);
  for (guint iteration = 0; (self->context->jumped->len > 0 || find_unmatched (self) != NULL)
                            && ifbam_event_may_continue (self, time, 1);
       iteration++)
    {
      g_autoptr (GArray) monitors = g_steal_pointer (&self->context->jumped);

      self->context->jumped = g_array_new (FALSE, FALSE, sizeof (guint32));
      ifbam_array_clear (self->context->impulse_nodes);
      for (guint i = 0; i < self->islands.affected->len; i++)
        ifbam_island (self, g_array_index (self->islands.affected, guint32, i))->affected = TRUE;
      lag = find_unmatched (self);
      trigger (self, time, (const guint32 *) (gpointer) monitors->data, monitors->len);
      if (iteration == self->limits.monitor_rounds)
        ifbam_event_fail (self, time,
                          monitors->len > 0 ? (const guint32 *) (gpointer) monitors->data
                                            : &lag->monitor,
                          1, "", " and an element that it switches trigger each other without end");
      process_event (self, time, NULL, 0);
    }
}

void
ifbam_event_process_start (IfbamEventEngine *self, const IfbamCandidate *fired, guint n)
{
  for (guint round = 0;; round++)
    {
      const IfbamSwitchedElement *unmatched;

      ifbam_event_process (self, 0, fired, n);
      ifbam_monitors_check_jumps (self, 0);
      if ((unmatched = find_unmatched (self)) == NULL || !ifbam_event_may_continue (self, 0, 1))
        return;
      if (round == self->limits.monitor_rounds)
        ifbam_event_fail (self, 0, &unmatched->monitor, 1, "",
                          " and an element that it switches trigger each other without end");
      ifbam_event_set_switched (self, TRUE);
      for (guint i = 0; i < self->islands.affected->len; i++)
        ifbam_island (self, g_array_index (self->islands.affected, guint32, i))->affected = TRUE;
    }
}

/* Scales the given nodes of a controller by its present output. */
static void
scale_given (IfbamEventEngine *self, guint32 controller, double time, GArray *requests)
{
  const IfbamModel *model = self->base.model;

  for (guint i = 0; i < model->scaled_motions->len; i++)
    {
      const IfbamScaledMotion *scaled_motion =
          &g_array_index (model->scaled_motions, IfbamScaledMotion, i);
      const double strength = self->links.state[controller].memory[0];

      if (scaled_motion->controller == controller
          && self->base.numbers->motion_scale[scaled_motion->node - model->n_free].strength
                 != strength)
        change_given (self, scaled_motion->node, IFBAM_NONE, strength, time, requests);
    }
}

void
ifbam_event_process_time_events (IfbamEventEngine *self, double time, GArray *numbers)
{
  const guint32 *index = (const guint32 *) (gpointer) numbers->data;
  IFBAM_SHORT_LIST (IfbamCandidate, fired, numbers->len);
  IFBAM_SHORT_LIST (int, old, numbers->len);
  IFBAM_SHORT_LIST (IfbamExternalImpulse, strikes, numbers->len);
  g_autoptr (GArray) requests = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  guint n = 0, n_strikes = 0;

  if (!self->unlocated)
    ifbam_monitors_check (self, time);
  self->schedule.time =
      self->unlocated ? NAN : ifbam_schedule_get (&self->schedule, index[0])->time;
  ifbam_event_emit_sample (self, time, IFBAM_NONE, FALSE);
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamTimeEvent *time_event = ifbam_schedule_get (&self->schedule, index[i]);

      if (time_event->kind == IFBAM_TIME_EVENT_IMPULSE)
        strikes[n_strikes++] = (IfbamExternalImpulse){ time_event->index, time_event->value };
    }
  ifbam_event_apply_external_impulses (self, time, strikes, n_strikes);
  ifbam_controllers_sample (self, time, index, numbers->len);
  ifbam_controllers_set_sources (self, time, index, numbers->len);
  for (guint i = 0; i < numbers->len; i++)
    {
      const IfbamTimeEvent *time_event = ifbam_schedule_get (&self->schedule, index[i]);
      const guint32 link = time_event->index;
      guint32 islands[IFBAM_MAX_PORTS];

      if (time_event->kind == IFBAM_TIME_EVENT_EDGE)
        {
          ifbam_event_advance_island (
              self, ifbam_island_of (self, self->base.model->source_node[link]), time);
          ifbam_schedule_begin_piece (&self->schedule, index[i]);
        }
      if (time_event->kind == IFBAM_TIME_EVENT_MOTION)
        change_given (self, (guint32) self->base.model->n_free + link, index[i], 1, time, requests);
      if (time_event->kind == IFBAM_TIME_EVENT_SAMPLE)
        scale_given (self, link, time, requests);
      if (time_event->kind != IFBAM_TIME_EVENT_TOGGLE)
        continue;
      for (guint k = ifbam_event_link_islands (self, link, islands); k-- > 0;)
        ifbam_event_advance_island (self, islands[k], time);
      old[n] = self->links.state[link].mode;
      toggle (self, link);
      fired[n++] = (IfbamCandidate){
        .link = link, .guard = { .kind = IFBAM_GUARD_RATE, .next = self->links.state[link].mode }
      };
    }
  g_array_append_vals (requests, fired, n);
  ifbam_event_process_chain (self, time, (const IfbamCandidate *) (gpointer) requests->data,
                             requests->len);
  for (guint i = 0; i < n; i++)
    ifbam_event_log_add_change (self, time, fired[i].link, old[i]);
  ifbam_event_context_clear (self->context);
  ifbam_event_emit_sample (self, time, IFBAM_NONE, TRUE);
  self->schedule.time = NAN;
  ifbam_array_clear (numbers);
}

void
ifbam_event_switch_monitor (IfbamEventEngine *self, double time, const IfbamCandidate *fired)
{
  const IfbamLink *link = ifbam_link (self, fired->link);
  IfbamLinkState *state = &self->links.state[fired->link];
  const int old = state->mode;
  guint32 islands[IFBAM_MAX_PORTS];
  const char *word;

  if (link->info->signal == NULL)
    return;
  word = ifbam_monitor_event_word (self, fired->link, fired->guard.next);
  for (guint k = ifbam_event_link_islands (self, fired->link, islands); k-- > 0;)
    ifbam_event_advance_island (self, islands[k], time);
  state->mode = fired->guard.next;
  if (word == NULL)
    return;
  ifbam_event_log_add_change (self, time, fired->link, old);
  trigger (self, time, &fired->link, 1);
}

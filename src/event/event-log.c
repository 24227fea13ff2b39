/* event-log.c: log of events, limits of their number, failure messages and interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-log.h"

#include <math.h>

#include "event/event-context.h"

void
ifbam_event_log_init (IfbamEventLog *self)
{
  self->clusters = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
ifbam_event_log_clear (IfbamEventLog *self)
{
  g_array_unref (self->clusters);
  g_free (self->failure);
}

void
ifbam_event_log_begin (IfbamEventLog *self, double time)
{
  g_clear_pointer (&self->failure, g_free);
  self->failure_time = time;
}

void
ifbam_event_log_restart (IfbamEventLog *self)
{
  ifbam_event_log_begin (self, 0);
  self->sample_time = NAN;
  ifbam_event_log_clear_suspended (self);
}

void
ifbam_event_log_clear_suspended (IfbamEventLog *self)
{
  self->suspended.n = self->suspended.first = 0;
  self->first_suspended_time = 0;
}

char *
ifbam_event_log_take_failure (IfbamEventLog *self)
{
  return g_steal_pointer (&self->failure);
}

void
ifbam_event_log_set_failure (IfbamEventLog *self, char *failure)
{
  self->failure = failure;
}

void
ifbam_event_log_defer (IfbamEventLog *self, gboolean deferred)
{
  self->is_deferred = deferred;
}

void
ifbam_event_log_set_sample_time (IfbamEventLog *self, double time)
{
  self->sample_time = time;
}

void
ifbam_event_log_add (IfbamEventEngine *self, double time, const IfbamLinkImpulse *impulse,
                     const char *word)
{
  IfbamEvent event = { .time = ifbam_event_logged_time (self, time),
                       .element = ifbam_link (self, impulse->link)->name,
                       .word = word,
                       .impulse = impulse->p,
                       .rate_before = impulse->before,
                       .rate_after = impulse->after,
                       .energy_change = 0 - impulse->lost }; /* no -0 */

  if (word == NULL || self->base.events == NULL)
    return;
  g_array_append_val (self->base.events, event);
  ifbam_event_log_add_cluster (self, self->clusters.of_link[impulse->link]);
  IFBAM_EVALUATE (self, event_logged, ifbam_link (self, impulse->link)->node,
                  self->links.state[impulse->link].row, ifbam_link (self, impulse->link)->n_ports);
}

void
ifbam_event_log_add_change (IfbamEventEngine *self, double time, guint32 number, int old)
{
  IfbamLinkState *state = &self->links.state[number];
  IfbamEventLink *part = ifbam_event_context_find (self->context, number);
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamConstraint constraint = ifbam_link_constraint (self, number);
  const char *word = ifbam_link_event (link, old, state->mode);
  double delta, rate, lost = 0, room[IFBAM_MAX_LAW];

  if (state->mode == old || self->starting)
    return;
  if (link->law->breaks != NULL && state->mode != 0)
    ifbam_event_fail (self, time, &number, 1, "", link->law->breaks);
  /* The change from starting to slipping is not an event. */
  if (constraint.kind == IFBAM_CONSTRAINT_FRICTION && ifbam_friction_direction (old) != 0
      && ifbam_friction_direction (old) == ifbam_friction_direction (state->mode))
    return;
  ifbam_event_count_event (self, time, number);
  if (part != NULL && part->log_entry > 0)
    {
      g_array_index (self->base.events, IfbamEvent, part->log_entry - 1).word = word;
      part->log_entry = 0;
      return;
    }
  rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, state->row);
  if (link->law->change != NULL)
    lost =
        link->law->change (ifbam_link_parameters_now (self, number, room), old, state->mode, delta);
  ifbam_tally_add (&state->dissipated, lost);
  ifbam_tally_add (&self->account.external.turnover, fabs (lost));
  ifbam_event_log_add (
      self, time,
      &(IfbamLinkImpulse){ .link = number, .lost = lost, .before = rate, .after = rate }, word);
}

/* Most names that a message lists. */
#define MOST_NAMES 5

void
ifbam_event_count_lumped (IfbamEventEngine *self, double time, guint32 number)
{
  if (self->log.suspended.n++ > 0)
    return;
  self->log.suspended.first = number;
  self->log.first_suspended_time = ifbam_event_logged_time (self, time);
}

void
ifbam_event_suspend_link (IfbamEventEngine *self, double time, guint32 number)
{
  if (self->links.state[number].is_suspended)
    return;
  self->links.state[number].is_suspended = TRUE;
  ifbam_event_count_lumped (self, time, number);
}

/* Returns the time at which a link's events in this step would accumulate if their distances kept
 * shrinking by the same factor [s after the step's start]; infinite: they do not shrink. */
static double
end_of_series (const IfbamLinkState *state)
{
  const double first = state->middle_event - state->first_event;
  const double second = state->last_event - state->middle_event;

  return second < first ? state->last_event + second * second / (first - second) : INFINITY;
}

void
ifbam_event_count_event (IfbamEventEngine *self, double time, guint32 number)
{
  IfbamLinkState *state = &self->links.state[number];

  /* Several impacts of a link at one time count once. */
  if (self->starting || (state->n_events > 0 && time == state->last_event))
    return;
  state->n_events++;
  state->last_event = time;
  if (state->n_events == 1)
    state->first_event = time;
  if (state->n_events == 1 + self->limits.events / 2)
    state->middle_event = time;
  if (state->n_events <= self->limits.events || state->is_suspended)
    return;
  if (end_of_series (state) - time <= self->base.spec->step)
    ifbam_event_suspend_link (self, time, number);
  else
    ifbam_event_fail (self, time, &number, 1, "",
                      " has events without end within a step (choose a shorter one)");
}

void
ifbam_event_fail (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                  const char *before, const char *after)
{
  GString *text;

  if (self->log.failure != NULL)
    return;
  text = g_string_new (before);
  for (guint i = 0; i < MIN (n, MOST_NAMES); i++)
    g_string_append_printf (text, "%s\"%s\"",
                            i == 0       ? ""
                            : i + 1 == n ? " and "
                                         : ", ",
                            ifbam_link (self, links[i])->name);
  if (n > MOST_NAMES)
    g_string_append_printf (text, " and %u more", n - MOST_NAMES);
  g_string_append (text, after);
  self->log.failure = g_string_free (text, FALSE);
  self->log.failure_time = ifbam_event_logged_time (self, time);
}

void
ifbam_event_fail_jammed (IfbamEventEngine *self, double time, guint32 link)
{
  ifbam_event_fail (self, time, &link, 1, "",
                    " is jammed between given motions, or masses of 1e11 times its own (they have "
                    "to leave room for what is between them)");
}

void
ifbam_event_fail_unlocated (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  ifbam_event_fail (self, candidate->lo, &candidate->link, 1, "what happens at ",
                    " can't be found: its ends turn too often in a step (choose a shorter step)");
}

gboolean
ifbam_event_check_interrupt (IfbamEventEngine *self, double time)
{
  self->log.work = 0;
  if (self->base.goes_on == NULL || self->base.goes_on (self->base.goes_on_data))
    return TRUE;
  self->log.failure = g_strdup ("interrupted");
  self->log.failure_time = ifbam_event_logged_time (self, time);
  return FALSE;
}

static int
factoring_goes_on (void *data)
{
  IfbamEventEngine *self = data;

  return self->log.failure == NULL && ifbam_event_check_interrupt (self, self->log.work_time);
}

void
ifbam_event_let_interrupt_system (IfbamEventEngine *self, IfbamConstraintSystem *reactions)
{
  reactions->poll.goes_on = factoring_goes_on;
  reactions->poll.data = self;
}

void
ifbam_event_let_interrupt_solver (IfbamEventEngine *self, IfbamSolver *solver)
{
  ifbam_solver_ask (solver, factoring_goes_on, self);
}

/* ---- order of logged events */

void
ifbam_event_log_add_cluster (IfbamEventEngine *self, guint32 cluster)
{
  g_array_append_val (self->log.clusters, cluster);
}

void
ifbam_event_log_sort (IfbamEventEngine *self)
{
  guint32 *told = (guint32 *) (gpointer) self->log.clusters->data;
  const guint n = self->log.clusters->len;
  IfbamEvent *event = NULL;

  if (n > 0 && self->base.events != NULL && self->base.events->len >= n)
    event = (IfbamEvent *) (gpointer) self->base.events->data + (self->base.events->len - n);
  for (guint i = 1; i < n && event != NULL; i++)
    for (guint k = i; k > 0
                      && (event[k - 1].time > event[k].time
                          || (event[k - 1].time == event[k].time && told[k - 1] > told[k]));
         k--)
      {
        const IfbamEvent later = event[k - 1];
        const guint32 cluster = told[k - 1];

        event[k - 1] = event[k];
        event[k] = later;
        told[k - 1] = told[k];
        told[k] = cluster;
      }
  ifbam_array_clear (self->log.clusters);
}

/* event-log.c: log of events, limits of their number, failure messages and interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-log.h"

#include <math.h>

#include "event/event-context.h"

void
ifbam_event_log_init (IfbamEventEngine *self)
{
  self->base.log = ifbam_event_log_new ();
  self->unsorted.clusters = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
ifbam_event_log_clear (IfbamEventEngine *self)
{
  ifbam_event_log_free (self->base.log);
  g_array_unref (self->unsorted.clusters);
}

void
ifbam_event_log_begin (IfbamEventEngine *self, double time)
{
  g_clear_pointer (&self->base.log->failure, g_free);
  self->base.log->failure_time = time;
  ifbam_array_clear (self->unsorted.clusters);
}

void
ifbam_event_log_restart (IfbamEventEngine *self)
{
  ifbam_event_log_begin (self, 0);
  self->base.log->sample_time = NAN;
  ifbam_event_log_clear_suspended (self->base.log);
}

void
ifbam_event_log_clear_suspended (IfbamEventLog *log)
{
  log->suspended.n = log->suspended.link = 0;
  log->first_suspended_time = 0;
  log->first_suspended = NULL;
}

void
ifbam_event_log_rebuild (IfbamEventEngine *self)
{
  const guint32 link = self->base.log->suspended.link;

  self->base.log->first_suspended =
      self->base.log->suspended.n > 0 && link < self->base.model->unbatched_links->len
          ? ifbam_link (self, link)->name
          : NULL;
}

void
ifbam_event_log_defer (IfbamEventEngine *self, gboolean deferred)
{
  self->unsorted.is_deferred = deferred;
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

  if (word == NULL || self->base.log->events == NULL)
    return;
  g_array_append_val (self->base.log->events, event);
  ifbam_event_log_add_cluster (self, self->clusters.of_link[impulse->link]);
  IFBAM_EVALUATE (self, event_logged, ifbam_link (self, impulse->link)->node,
                  self->links.state[impulse->link].row, ifbam_link (self, impulse->link)->n_ports);
}

void
ifbam_event_log_add_change (IfbamEventEngine *self, double time, guint32 index, int old)
{
  IfbamLinkState *state = &self->links.state[index];
  IfbamEventLink *part = ifbam_event_context_find (self->context, index);
  const IfbamLink *link = ifbam_link (self, index);
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  const char *word = ifbam_link_event (link, old, state->mode);
  double delta, rate, lost = 0, room[IFBAM_MAX_LAW];

  if (state->mode == old || self->starting)
    return;
  if (link->law->ending != NULL && state->mode != 0)
    ifbam_event_fail (self, time, &index, 1, "", link->law->ending);
  /* The change from starting to slipping is not an event. */
  if (constraint.kind == IFBAM_CONSTRAINT_FRICTION && ifbam_friction_direction (old) != 0
      && ifbam_friction_direction (old) == ifbam_friction_direction (state->mode))
    return;
  ifbam_event_count_event (self, time, index);
  if (part != NULL && part->log_entry > 0)
    {
      g_array_index (self->base.log->events, IfbamEvent, part->log_entry - 1).word = word;
      part->log_entry = 0;
      return;
    }
  rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, state->row);
  if (link->law->change_loss != NULL)
    lost = link->law->change_loss (ifbam_link_parameters_now (self, index, room), old, state->mode,
                                   delta);
  ifbam_compensated_sum_add (&state->dissipated, lost);
  ifbam_compensated_sum_add (&self->account.external.gross_work, fabs (lost));
  ifbam_event_log_add (
      self, time, &(IfbamLinkImpulse){ .link = index, .lost = lost, .before = rate, .after = rate },
      word);
}

/* Most names that a message lists. */
#define MAX_NAMES 5

void
ifbam_event_count_suspended (IfbamEventEngine *self, double time, guint32 index)
{
  if (self->base.log->suspended.n++ > 0)
    return;
  self->base.log->suspended.link = index;
  self->base.log->first_suspended = ifbam_link (self, index)->name;
  self->base.log->first_suspended_time = ifbam_event_logged_time (self, time);
}

void
ifbam_event_suspend_link (IfbamEventEngine *self, double time, guint32 index)
{
  if (self->links.state[index].is_suspended)
    return;
  self->links.state[index].is_suspended = TRUE;
  ifbam_event_count_suspended (self, time, index);
}

/* Returns the time at which a link's events in this step would accumulate if their distances kept
 * shrinking by the same factor [s after the step's start]; infinite: they do not shrink. */
static double
accumulation_time (const IfbamLinkState *state)
{
  const double first = state->middle_event - state->first_event;
  const double second = state->last_event - state->middle_event;

  return second < first ? state->last_event + second * second / (first - second) : INFINITY;
}

void
ifbam_event_count_event (IfbamEventEngine *self, double time, guint32 index)
{
  IfbamLinkState *state = &self->links.state[index];

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
  if (accumulation_time (state) - time <= self->base.spec->step)
    ifbam_event_suspend_link (self, time, index);
  else
    ifbam_event_fail (self, time, &index, 1, "",
                      " has events without end within a step (choose a shorter one)");
}

/* The samples of a flip-flop scheme begin before the start. */
static void
set_failure (IfbamEventEngine *self, double time, char *failure)
{
  self->base.log->failure = failure;
  self->base.log->failure_time = fmax (0, ifbam_event_logged_time (self, time));
}

void
ifbam_event_fail (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                  const char *before, const char *after)
{
  GString *text;

  if (self->base.log->failure != NULL)
    return;
  text = g_string_new (before);
  for (guint i = 0; i < MIN (n, MAX_NAMES); i++)
    g_string_append_printf (text, "%s\"%s\"",
                            i == 0       ? ""
                            : i + 1 == n ? " and "
                                         : ", ",
                            ifbam_link (self, links[i])->name);
  if (n > MAX_NAMES)
    g_string_append_printf (text, " and %u more", n - MAX_NAMES);
  g_string_append (text, after);
  set_failure (self, time, g_string_free (text, FALSE));
}

void
ifbam_event_fail_jammed (IfbamEventEngine *self, double time, guint32 link)
{
  ifbam_event_fail (self, time, &link, 1, "",
                    " is jammed between given motions, or masses of 1e11 times its own (they have "
                    "to leave room between them)");
}

void
ifbam_event_fail_unlocated (IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  ifbam_event_fail (
      self, candidate->lo, &candidate->link, 1, "events at ",
      " can't be located: its ends reverse too often in a step (choose a shorter step)");
}

gboolean
ifbam_event_check_interrupt (IfbamEventEngine *self, double time)
{
  IfbamInterrupt *interrupt = &self->base.interrupt;

  interrupt->work = 0;
  if (interrupt->may_continue == NULL || interrupt->may_continue (interrupt->data))
    return TRUE;
  set_failure (self, time, g_strdup ("interrupted"));
  return FALSE;
}

static int
may_continue_factoring (void *data)
{
  IfbamEventEngine *self = data;

  return self->base.log->failure == NULL
         && ifbam_event_check_interrupt (self, self->base.interrupt.work_time);
}

void
ifbam_event_set_system_interrupt (IfbamEventEngine *self, IfbamConstraintSystem *reactions)
{
  reactions->poll.may_continue = may_continue_factoring;
  reactions->poll.data = self;
}

void
ifbam_event_set_solver_interrupt (IfbamEventEngine *self, IfbamSolver *solver)
{
  ifbam_solver_set_interrupt_check (solver, may_continue_factoring, self);
}

/* ---- order of logged events */

void
ifbam_event_log_add_cluster (IfbamEventEngine *self, guint32 cluster)
{
  g_array_append_val (self->unsorted.clusters, cluster);
}

void
ifbam_event_log_sort (IfbamEventEngine *self)
{
  guint32 *told = (guint32 *) (gpointer) self->unsorted.clusters->data;
  const guint n = self->unsorted.clusters->len;
  IfbamEvent *event = NULL;

  if (n > 0 && self->base.log->events != NULL && self->base.log->events->len >= n)
    event =
        (IfbamEvent *) (gpointer) self->base.log->events->data + (self->base.log->events->len - n);
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
  ifbam_array_clear (self->unsorted.clusters);
}

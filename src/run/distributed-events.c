/* distributed-events.c: scheduled events and whole components in the distributed engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/distributed-engine-internal.h"

#include <math.h>
#include <string.h>

/* ---- scheduled events: equal on all ranks, so that all cut the same steps */

/* Returns the last component of the list, which stands for all active ones. */
static const IfbamComponent *
all_components (const IfbamEventEngine *event)
{
  return ifbam_component (event, event->components.list->len - 1);
}

/* Returns the rank that advances a component whole; -1: divided. Without nodes: rank 0. */
static gint32
owner_of (const IfbamRanksEngine *self, guint32 component)
{
  const IfbamComponent *of = ifbam_component (self->event, component);

  return self->part->owner_rank == NULL ? -1
         : of->n_nodes == 0
             ? 0
             : self->part->owner_rank[ifbam_index_range (self->event, of->nodes)->first];
}

/* Makes whole components of other ranks inactive, and with `parts` also divided components. */
static void
deactivate_others (IfbamRanksEngine *self, gboolean parts)
{
  IfbamEventEngine *event = self->event;

  if (self->part->owner_rank == NULL)
    return;
  self->has_own = FALSE;
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    {
      const gint32 owner_rank = owner_of (self, c);

      ifbam_component (event, c)->is_inactive =
          owner_rank < 0 ? parts : owner_rank != self->part->ranks->rank;
      self->has_own |= owner_rank == self->part->ranks->rank;
    }
  ifbam_islands_update_whole (event);
  /* Islands of other ranks have no active constraints here. */
  for (guint i = event->islands.constrained->len; i > 0; i--)
    if (ifbam_component (
            event,
            ifbam_island (event, g_array_index (event->islands.constrained, guint32, i - 1))->first)
            ->is_inactive)
      g_array_remove_index (event->islands.constrained, i - 1);
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    if (owner_of (self, ifbam_event_link_component (event, j)) != self->part->ranks->rank)
      event->links.state[j].slip_direction[0] = NAN;
}

/* Copies the event engine's state to the inner engine. */
static void
copy_from_event_engine (IfbamRanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  gsize n;

  self->inner->steps = event->base.steps;
  self->kept = ifbam_engine_save_state (self->inner, self->kept);
  if (self->base.spec->scheme->stage_time[0] > 0 && self->part->owner_rank == NULL)
    ifbam_event_accelerations (event, IFBAM_NONE, event->nodes.x, event->nodes.v,
                               ifbam_event_time (event), FALSE);
  for (guint32 c = 0;
       c + 1 < event->components.list->len && self->base.spec->scheme->stage_time[0] > 0
       && self->part->owner_rank != NULL;
       c++)
    if (owner_of (self, c) < 0)
      ifbam_event_accelerations (event, ifbam_component (event, c)->island, event->nodes.x,
                                 event->nodes.v, ifbam_event_time (event), FALSE);
  ifbam_event_write_component (event, all_components (event), ifbam_state_numbers (self->kept, &n));
  ifbam_engine_restore_state (self->inner, self->kept, event->base.steps);
  self->begins = FALSE;
}

/* Copies the nodes of divided components from the inner engine to the event engine. */
static void
observe_row (IfbamRanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  const gsize n = self->base.model->n_free;

  if (!self->has_own)
    ifbam_event_set_step (event, self->inner->steps);
  if (self->part->owner_rank == NULL)
    {
      ifbam_engine_get_nodes (self->inner, 0, n, event->nodes.x, event->nodes.v);
      return;
    }
  ifbam_engine_get_nodes (self->inner, 0, n, self->x, self->v);
  for (gsize i = 0; i < n; i++)
    if (self->part->owner_rank[i] < 0)
      {
        event->nodes.x[i] = self->x[i];
        event->nodes.v[i] = self->v[i];
      }
}

/* Copies the inner engine's state to the event engine. */
static void
copy_to_event_engine (IfbamRanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  gsize n;

  self->kept = ifbam_engine_save_state (self->inner, self->kept);
  observe_row (self);
  event->at_rest = FALSE;
  deactivate_others (self, FALSE);
  if (self->part->owner_rank == NULL)
    ifbam_event_read_component (event, all_components (event), event->nodes.x, event->nodes.v,
                                ifbam_state_numbers (self->kept, &n));
  for (guint32 c = 0; c + 1 < event->components.list->len && self->part->owner_rank != NULL; c++)
    if (owner_of (self, c) < 0)
      ifbam_event_read_component (event, ifbam_component (event, c), event->nodes.x, event->nodes.v,
                                  ifbam_state_numbers (self->kept, &n));
}

/* ---- whole components */

/* Moves the events of the last step to self->news. */
static void
take_events (IfbamRanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  const guint n = event->unsorted.clusters->len;
  const GArray *events = event->base.log->events;

  for (guint i = 0; i < n && events != NULL; i++)
    {
      const NewEvent new_event = { event->base.steps,
                                   g_array_index (event->unsorted.clusters, guint32, i),
                                   g_array_index (events, IfbamEvent, events->len - n + i) };

      g_array_append_val (self->new_events, new_event);
    }
  ifbam_array_clear (event->unsorted.clusters);
  if (events != NULL)
    g_array_set_size (event->base.log->events, 0);
}

void
ifbam_ranks_step_own (IfbamRanksEngine *self, guint64 steps, const IfbamProbes *probes, gsize row)
{
  IfbamEventEngine *event = self->event;

  if (self->part->owner_rank == NULL)
    return;
  if (!self->has_own)
    ifbam_event_set_step (event, event->base.steps);
  for (guint64 k = 0; k < steps; k++)
    {
      const gsize rows =
          probes == NULL ? 0 : ifbam_ranks_rows_until (self->base.spec, probes, event->base.steps);

      ifbam_engine_advance (&event->base, 1, NULL);
      take_events (self);
      if (probes == NULL
          || ifbam_ranks_rows_until (self->base.spec, probes, event->base.steps) == rows)
        continue;
      for (gsize i = 0; i < probes->n; i++)
        if (probes->node[i] < self->base.model->n_free
            && self->part->owner_rank[probes->node[i]] >= 0)
          {
            probes->position[row * probes->n + i] = event->nodes.x[probes->node[i]];
            probes->rate[row * probes->n + i] = event->nodes.v[probes->node[i]];
          }
      row++;
    }
}

/* Copies the nodes of whole components from their ranks to all. */
static void
broadcast_own (IfbamRanksEngine *self)
{
  const gsize n = self->part->n_kept;
  IfbamTrajectory *nodes = &self->event->nodes;
  g_autofree double *values = g_new0 (double, 2 * n + 1);

  for (gsize i = 0; i < n; i++)
    if (self->part->owner_rank[self->part->kept[i]] == self->part->ranks->rank)
      {
        values[2 * i] = nodes->x[self->part->kept[i]];
        values[2 * i + 1] = nodes->v[self->part->kept[i]];
      }
  ifbam_ranks_allreduce_values (values, 2 * n);
  for (gsize i = 0; i < n; i++)
    {
      nodes->x[self->part->kept[i]] = values[2 * i];
      nodes->v[self->part->kept[i]] = values[2 * i + 1];
    }
}

/* Copies this rank's whole components to the inner engine, for signals. */
static void
copy_own (IfbamRanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  gsize n;

  if (!self->has_own)
    return;
  self->kept = ifbam_engine_save_state (self->inner, self->kept);
  ifbam_event_write_component (event, all_components (event), ifbam_state_numbers (self->kept, &n));
  ifbam_engine_restore_state (self->inner, self->kept, self->inner->steps);
}

static void
append_text (GByteArray *bytes, const char *text)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text) + 1);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const NewEvent *one = a, *other = b;

  if (one->step != other->step)
    return one->step < other->step ? -1 : 1;
  if (one->event.time != other->event.time)
    return one->event.time < other->event.time ? -1 : 1;
  return one->cluster < other->cluster ? -1 : one->cluster > other->cluster;
}

/* Sends the events of all ranks to rank 0, which sorts them as one process does. */
static void
gather_events (IfbamRanksEngine *self)
{
  const int n = self->part->ranks->n;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree IfbamBuffer *send = g_new0 (IfbamBuffer, n);
  g_autofree gsize *sizes = g_new (gsize, n);
  g_autofree char *all = NULL;
  gsize size = 0;

  if (!self->wants_events)
    return;
  for (guint i = 0; i < self->new_events->len; i++)
    {
      const NewEvent *new_event = &g_array_index (self->new_events, NewEvent, i);

      g_byte_array_append (bytes, (const guint8 *) new_event, sizeof *new_event);
      append_text (bytes, new_event->event.element);
      append_text (bytes, new_event->event.word);
    }
  g_array_set_size (self->new_events, 0);
  send[0] = (IfbamBuffer){ bytes->data, bytes->len };
  all = ifbam_ranks_exchange_unsized (send, sizes);
  for (int r = 0; r < n; r++)
    size += sizes[r];
  for (const char *next = all, *end = all + size; next < end;)
    {
      NewEvent new_event;

      memcpy (&new_event, next, sizeof new_event);
      next += sizeof new_event;
      new_event.event.element = g_intern_string (next);
      next += strlen (next) + 1;
      new_event.event.word = g_intern_string (next);
      next += strlen (next) + 1;
      g_array_append_val (self->new_events, new_event);
    }
  g_array_sort (self->new_events, compare_events);
  for (guint i = 0; i < self->new_events->len && self->base.log->events != NULL; i++)
    g_array_append_val (self->base.log->events,
                        g_array_index (self->new_events, NewEvent, i).event);
  g_array_set_size (self->new_events, 0);
}

/* Returns the rank with the earliest time, or -1: all are infinite. *time: in own, out earliest. */
static int
find_first (const IfbamRanksEngine *self, double *time)
{
  g_autofree double *all = ifbam_ranks_gather (time, sizeof *time);
  int first = 0;

  for (int r = 1; r < self->part->ranks->n; r++)
    if (all[r] < all[first])
      first = r;
  *time = all[first];
  return isfinite (*time) ? first : -1;
}

/* Stores the earliest failure of any rank on all. */
static void
agree_on_failure (IfbamRanksEngine *self)
{
  const char *own = self->event->base.log->failure;
  IfbamEventLog *log = self->base.log;
  int first;

  if (log->failure != NULL || !ifbam_ranks_any (own != NULL))
    return;
  log->failure_time = own == NULL ? INFINITY : self->event->base.log->failure_time;
  first = find_first (self, &log->failure_time);
  log->failure = ifbam_ranks_broadcast_text (own != NULL ? own : "", MAX (first, 0));
}

/* Counts the suspended links of all processes, and finds the first one. */
static void
count_suspended (IfbamRanksEngine *self)
{
  const IfbamEventLog *own = self->event->base.log;
  IfbamEventLog *log = self->base.log;
  gint64 sum = own->suspended.n;
  int from;

  ifbam_ranks_allreduce_sum (&sum, 1);
  if (sum == log->suspended.n)
    return;
  log->suspended.n = (guint) sum;
  log->first_suspended_time = own->suspended.n == 0 ? INFINITY : own->first_suspended_time;
  from = find_first (self, &log->first_suspended_time);
  g_free (self->first_held);
  log->first_suspended = self->first_held =
      ifbam_ranks_broadcast_text (own->suspended.n == 0 ? "" : own->first_suspended, MAX (from, 0));
}

void
ifbam_ranks_share_whole_components (IfbamRanksEngine *self)
{
  if (self->part->owner_rank == NULL)
    return;
  copy_own (self);
  broadcast_own (self);
  gather_events (self);
  agree_on_failure (self);
  count_suspended (self);
}

/* Returns the energy of all processes' unbatched links [J]. */
double
ifbam_ranks_stored_energy (const IfbamRanksEngine *self)
{
  IfbamExactSum sum;

  if (self->part->owner_rank == NULL)
    return 0;
  ifbam_exact_sum_clear (&sum);
  ifbam_engine_add_stored (&self->event->base, &sum);
  self->part->share.add_up (&self->part->share, &sum, 1);
  return ifbam_exact_sum_round (&sum);
}

/* Returns external work of events and work of active links, over all processes [J]. */
static double
work_of_events (const IfbamRanksEngine *self)
{
  IfbamExactSum sum;

  ifbam_exact_sum_clear (&sum);
  ifbam_exact_sum_add (&sum,
                       ifbam_compensated_sum_value (&self->event->account.external.gross_work));
  ifbam_exact_sum_add (&sum, ifbam_compensated_sum_value (&self->event->account.link_supply));
  self->part->share.add_up (&self->part->share, &sum, 1);
  return ifbam_exact_sum_round (&sum);
}

guint64
ifbam_ranks_count_free_steps (const IfbamRanksEngine *self)
{
  const IfbamEventEngine *event = self->event;

  if (event == NULL)
    return G_MAXUINT64;
  if (self->begins
      || (event->schedule.next > 0
          && ifbam_schedule_get (&event->schedule, event->schedule.next - 1)->time
                 > (double) ifbam_ranks_row (self) * self->base.spec->step))
    return 0;
  for (guint i = event->schedule.next;; i++)
    {
      const IfbamTimeEvent *instant = ifbam_schedule_get (&event->schedule, i);
      guint32 component;

      if (instant == NULL
          || instant->time > (double) (ifbam_ranks_row (self) + self->part->steps + 2)
                                 * self->base.spec->step)
        return G_MAXUINT64;
      component = ifbam_time_event_component (event, instant);
      if (component == IFBAM_NONE || owner_of (self, component) < 0)
        return ifbam_schedule_count_free_steps (&event->schedule, i, ifbam_ranks_row (self));
    }
}

void
ifbam_ranks_step_by_events (IfbamRanksEngine *self, const IfbamProbes *probes, gsize row)
{
  IfbamEventEngine *event = self->event;
  const guint64 before = self->inner->steps;

  if (!self->begins)
    copy_to_event_engine (self);
  ifbam_engine_advance (&event->base, 1, NULL);
  if (self->part->owner_rank != NULL)
    take_events (self);
  copy_from_event_engine (self);
  deactivate_others (self, TRUE);
  if (probes == NULL
      || ifbam_ranks_rows_until (self->base.spec, probes, self->inner->steps)
             == ifbam_ranks_rows_until (self->base.spec, probes, before))
    return;
  for (gsize i = 0; i < probes->n; i++)
    {
      probes->position[row * probes->n + i] = event->nodes.x[probes->node[i]];
      probes->rate[row * probes->n + i] = event->nodes.v[probes->node[i]];
    }
}

/* Returns a quantity that the event engine of one process computes. */
static double
get_from (const IfbamRanksEngine *self, gint32 owner, IfbamQuantity quantity, gsize index)
{
  double value =
      owner == self->part->ranks->rank ? ifbam_engine_get (&self->event->base, quantity, index) : 0;

  ifbam_ranks_allreduce_values (&value, 1);
  return value;
}

/* Returns a free node's acceleration at the sample, after a scheduled event of the same time. */
static double
get_acceleration (IfbamRanksEngine *self, gsize node)
{
  const gint32 owner = self->part->owner_rank == NULL ? -1 : self->part->owner_rank[node];

  if (owner >= 0)
    return get_from (self, owner, IFBAM_NODE_ACCELERATION, node);
  observe_row (self);
  return ifbam_engine_get (&self->event->base, IFBAM_NODE_ACCELERATION, node);
}

double
ifbam_ranks_get_by_events (IfbamEngine *base, IfbamQuantity quantity, gsize index)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;

  if (self->event == NULL)
    return NAN;
  if (quantity == IFBAM_NODE_ACCELERATION)
    return get_acceleration (self, index);
  if (self->part->owner_rank == NULL)
    return NAN;
  if (quantity <= IFBAM_LINK_DISSIPATED)
    return get_from (self,
                     owner_of (self, ifbam_event_link_component (self->event, (guint32) index)),
                     quantity, index);
  if (quantity == IFBAM_LINK_STORED)
    return ifbam_engine_get (&self->event->base, quantity, index);
  return quantity == IFBAM_WORK_GROSS ? work_of_events (self) : NAN;
}

/* Computes the start of whole components on all ranks; rank 0 logs its events. */
static void
begin_whole (IfbamRanksEngine *self)
{
  IfbamEventEngine *event = self->event;

  self->wants_events = ifbam_ranks_any (self->base.log->events != NULL);
  if (self->wants_events && event->base.log->events == NULL)
    event->base.log->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  if (event->base.log->events != NULL)
    g_array_set_size (event->base.log->events, 0);
  g_array_set_size (self->new_events, 0);
  g_clear_pointer (&self->base.log->failure, g_free);
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    ifbam_component (event, c)->is_inactive = FALSE;
  ifbam_islands_update_whole (event);
  ifbam_engine_start (&event->base);
  if (self->base.log->events != NULL)
    g_array_append_vals (self->base.log->events, event->base.log->events->data,
                         event->base.log->events->len);
  if (event->base.log->events != NULL)
    g_array_set_size (event->base.log->events, 0);
  if (self->part->ranks->rank == 0)
    return;
  event->account.external = (IfbamExternalWork){ 0 };
  event->account.link_supply = (IfbamCompensatedSum){ 0 };
  ifbam_event_log_clear_suspended (event->base.log);
}

void
ifbam_ranks_start_events (IfbamRanksEngine *self)
{
  if (self->event == NULL)
    return;
  if (self->part->owner_rank != NULL)
    begin_whole (self);
  else
    ifbam_engine_start (&self->event->base);
  self->begins = TRUE;
  /* The first cycle of flip-flop schemes only computes the first sample. */
  if (ifbam_engine_lookahead (self->base.spec) > 0)
    return;
  copy_from_event_engine (self);
  deactivate_others (self, TRUE);
}

void
ifbam_ranks_share_start (IfbamRanksEngine *self)
{
  if (self->part->owner_rank == NULL)
    return;
  agree_on_failure (self);
  count_suspended (self);
}

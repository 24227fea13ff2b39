/* distributed-engine.c: the compiled engine on a rank's part of a network, told by other ranks what it can't know
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/distributed-engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"
#include "event/event.h"
#include "run/subdomain.h"

typedef struct
{
  IfbamEngine base;
  IfbamEngine *inner;
  const IfbamRankPart *part; /* not owned */
  IfbamParcel *send, *take;  /* (ranks) */
  gsize n_probes;            /* of the last advance: */
  gsize *order;              /* the probes in file order, and */
  guint8 *told;              /* whether they are told by this rank (n_probes) */
  guint64 *words;            /* positions and rates as they go round */
  gsize n_words;
  double advancing, telling; /* processor time [s] */
  double *state;             /* of the whole network: columns, then answers; NULL: nobody asked */
  /* Of networks with given instants: carries the steps that these cut; NULL: there are none. */
  IfbamEventEngine *event;
  IfbamState *kept; /* scratch: the inner engine's */
  gboolean begins;  /* the event engine has the state */
  /* Of networks with components that stay whole (part->keeper): the event engine carries this rank's own. */
  gboolean has_own;
  double *x, *v;         /* scratch (n_nodes) */
  GArray *news;          /* TellEvent: of these steps */
  gboolean wants_events; /* somebody does */
  char *first_held;      /* scratch */
} RanksEngine;

/* An event, and what orders those of all ranks. */
typedef struct
{
  guint64 step;
  guint32 cluster;
  IfbamEvent event;
} TellEvent;

static double
processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* ---- layers */

/* Copies the engine's columns and forces into a message, or back. */
static void
copy_values (const RanksEngine *self, const GArray *nodes, const GArray *slots, double *values,
             gboolean out)
{
  const IfbamColumns *own = &((const IfbamCompiledEngine *) self->inner)->columns;
  const guint n_columns = self->base.spec->scheme->n_columns;
  const guint32 *node = (const guint32 *) (gpointer) nodes->data;
  const guint32 *slot = (const guint32 *) (gpointer) slots->data;
  double *const answer = own->answer[0];

  for (guint c = 0; c < n_columns; c++, values += nodes->len)
    {
      double *column = own->column[c];

      for (gsize i = 0; i < nodes->len && out; i++)
        values[i] = column[node[i]];
      for (gsize i = 0; i < nodes->len && !out; i++)
        column[node[i]] = values[i];
    }
  for (gsize i = 0; i < slots->len && out; i++)
    values[i] = answer[slot[i]];
  for (gsize i = 0; i < slots->len && !out; i++)
    answer[slot[i]] = values[i];
}

/* Sends the values of own nodes to the ranks that have them in their layers. */
static void
exchange (RanksEngine *self)
{
  const guint n_columns = self->base.spec->scheme->n_columns;
  const int n = self->part->ranks->n;
  double began = processor_time ();

  for (int r = 0; r < n; r++)
    {
      const IfbamPeer *peer = &self->part->peers[r];

      copy_values (self, peer->nodes.send, peer->slots.send, peer->out, TRUE);
      self->send[r] =
          (IfbamParcel){ peer->out, ifbam_peer_length (peer, n_columns, TRUE) * sizeof (double) };
      self->take[r] =
          (IfbamParcel){ peer->in, ifbam_peer_length (peer, n_columns, FALSE) * sizeof (double) };
    }
  self->telling += processor_time () - began;
  ifbam_ranks_swap (self->send, self->take);
  began = processor_time ();
  for (int r = 0; r < n; r++)
    copy_values (self, self->part->peers[r].nodes.take, self->part->peers[r].slots.take,
                 self->part->peers[r].in, FALSE);
  self->telling += processor_time () - began;
}

/* ---- probes */

typedef struct
{
  guint64 place;
  gsize number;
} Placed;

static int
compare_placed (const void *a, const void *b)
{
  const Placed *one = a, *other = b;

  return one->place < other->place ? -1 : one->place > other->place;
}

/* Ranks number their nodes in ways of their own. */
static void
know_probes (RanksEngine *self, const IfbamProbes *probes)
{
  const IfbamModel *model = self->base.model;
  g_autofree Placed *placed = g_new (Placed, probes->n + 1);

  self->n_probes = probes->n;
  self->order = g_renew (gsize, self->order, probes->n + 1);
  self->told = g_renew (guint8, self->told, probes->n + 1);
  for (gsize i = 0; i < probes->n; i++)
    {
      const gsize node = probes->node[i];
      const gboolean is_free = node < model->n_free;

      placed[i].number = i;
      placed[i].place = is_free ? self->part->share.place (&self->part->share, node)
                                : self->part->share.n_nodes + (node - model->n_free);
      /* Given nodes move as they are told, wherever they are. */
      self->told[i] = is_free ? !self->part->share.foreign[node] : self->part->ranks->rank == 0;
    }
  qsort (placed, probes->n, sizeof *placed, compare_placed);
  for (gsize i = 0; i < probes->n; i++)
    self->order[i] = placed[i].number;
}

/* Rows up to a step, that of the start included. */
static gsize
rows_until (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);

  return steps < lookahead ? 0 : (gsize) ((steps - lookahead) / probes->stride + 1);
}

/* Given nodes that go on differently at instants are beyond one that belongs to a row. */
static void
tell_given (const RanksEngine *self, const IfbamProbes *probes, gsize first, gsize rows)
{
  if (self->event == NULL || self->event->schedule.edges->len == 0)
    return;
  for (gsize i = 0; i < probes->n; i++)
    for (gsize row = 0; row < rows && probes->node[i] >= self->base.model->n_free; row++)
      ifbam_event_given_at_row (self->event, probes->node[i], (first + row) * probes->stride,
                                &probes->position[row * probes->n + i],
                                &probes->rate[row * probes->n + i]);
}

/* Of each probe one rank knows; its bits go to all. */
static void
share_probes (RanksEngine *self, const IfbamProbes *probes, gsize rows)
{
  const gsize n = probes->n, n_words = 2 * rows * n;

  if (self->n_words < n_words)
    {
      g_free (self->words);
      self->words = g_new (guint64, n_words + 1);
      self->n_words = n_words;
    }
  for (gsize row = 0; row < rows; row++)
    for (gsize k = 0; k < n; k++)
      {
        const gsize at = row * n + self->order[k];
        guint64 *word = self->words + 2 * (row * n + k);

        memcpy (&word[0], &probes->position[at], sizeof *word);
        memcpy (&word[1], &probes->rate[at], sizeof *word);
        if (!self->told[self->order[k]])
          word[0] = word[1] = 0;
      }
  ifbam_ranks_sum ((gint64 *) self->words, n_words);
  for (gsize row = 0; row < rows; row++)
    for (gsize k = 0; k < n; k++)
      {
        const gsize at = row * n + self->order[k];

        memcpy (&probes->position[at], &self->words[2 * (row * n + k)], sizeof (double));
        memcpy (&probes->rate[at], &self->words[2 * (row * n + k) + 1], sizeof (double));
      }
}

/* ---- instants: all ranks know them, and cut the same steps by them */

static guint64
row_of (const RanksEngine *self)
{
  return self->inner->steps - ifbam_engine_lookahead (self->base.spec);
}

/* All that are awake. */
static const IfbamComponent *
all_components (const IfbamEventEngine *event)
{
  return ifbam_component (event, event->components.list->len - 1);
}

/* Which rank has a component for its own, whole; -1: it is cut into parts. The first rank has those without nodes. */
static gint32
keeper_of (const RanksEngine *self, guint32 component)
{
  const IfbamComponent *of = ifbam_component (self->event, component);

  return self->part->keeper == NULL ? -1
         : of->n_nodes == 0         ? 0
                            : self->part->keeper[ifbam_index_range (self->event, of->nodes)->first];
}

/* What other ranks have sleeps here, and unless some instant cuts a step of theirs so do parts. */
static void
let_sleep (RanksEngine *self, gboolean parts)
{
  IfbamEventEngine *event = self->event;

  if (self->part->keeper == NULL)
    return;
  self->has_own = FALSE;
  for (guint32 c = 0; c + 1 < event->components.list->len; c++)
    {
      const gint32 keeper = keeper_of (self, c);

      ifbam_component (event, c)->is_inactive =
          keeper < 0 ? parts : keeper != self->part->ranks->rank;
      self->has_own |= keeper == self->part->ranks->rank;
    }
  ifbam_islands_update_whole (event);
  /* Islands that others have hold nothing here. */
  for (guint i = event->islands.constrained->len; i > 0; i--)
    if (ifbam_component (
            event,
            ifbam_island (event, g_array_index (event->islands.constrained, guint32, i - 1))->first)
            ->is_inactive)
      g_array_remove_index (event->islands.constrained, i - 1);
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    if (keeper_of (self, ifbam_event_link_component (event, j)) != self->part->ranks->rank)
      event->links.state[j].slip_direction[0] = NAN;
}

/* The inner engine goes on from the event engine's row. */
static void
take_from_events (RanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  gsize n;

  self->inner->steps = event->base.steps;
  self->kept = ifbam_engine_keep_state (self->inner, self->kept);
  if (self->base.spec->scheme->stage_time[0] > 0 && self->part->keeper == NULL)
    ifbam_event_accelerations (event, IFBAM_NONE, event->nodes.x, event->nodes.v,
                               ifbam_event_time (event), FALSE);
  for (guint32 c = 0; c + 1 < event->components.list->len
                      && self->base.spec->scheme->stage_time[0] > 0 && self->part->keeper != NULL;
       c++)
    if (keeper_of (self, c) < 0)
      ifbam_event_accelerations (event, ifbam_component (event, c)->island, event->nodes.x,
                                 event->nodes.v, ifbam_event_time (event), FALSE);
  ifbam_event_write_component (event, all_components (event), ifbam_state_numbers (self->kept, &n));
  ifbam_engine_take_state (self->inner, self->kept, event->base.steps);
  self->begins = FALSE;
}

/* Where parts are. */
static void
observe_row (RanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  const gsize n = self->base.model->n_free;

  if (!self->has_own)
    ifbam_event_set_step (event, self->inner->steps);
  if (self->part->keeper == NULL)
    {
      ifbam_engine_get_nodes (self->inner, 0, n, event->nodes.x, event->nodes.v);
      return;
    }
  ifbam_engine_get_nodes (self->inner, 0, n, self->x, self->v);
  for (gsize i = 0; i < n; i++)
    if (self->part->keeper[i] < 0)
      {
        event->nodes.x[i] = self->x[i];
        event->nodes.v[i] = self->v[i];
      }
}

/* The event engine goes on from the inner engine's. */
static void
give_to_events (RanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  gsize n;

  self->kept = ifbam_engine_keep_state (self->inner, self->kept);
  observe_row (self);
  event->at_rest = FALSE;
  let_sleep (self, FALSE);
  if (self->part->keeper == NULL)
    ifbam_event_read_component (event, all_components (event), event->nodes.x, event->nodes.v,
                                ifbam_state_numbers (self->kept, &n));
  for (guint32 c = 0; c + 1 < event->components.list->len && self->part->keeper != NULL; c++)
    if (keeper_of (self, c) < 0)
      ifbam_event_read_component (event, ifbam_component (event, c), event->nodes.x, event->nodes.v,
                                  ifbam_state_numbers (self->kept, &n));
}

/* ---- components that stay whole */

/* What has been told of this rank's own in the last step. */
static void
take_told (RanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  const guint n = event->unsorted.clusters->len;
  const GArray *events = event->base.log->events;

  for (guint i = 0; i < n && events != NULL; i++)
    {
      const TellEvent told = { event->base.steps,
                               g_array_index (event->unsorted.clusters, guint32, i),
                               g_array_index (events, IfbamEvent, events->len - n + i) };

      g_array_append_val (self->news, told);
    }
  ifbam_array_clear (event->unsorted.clusters);
  if (events != NULL)
    g_array_set_size (event->base.log->events, 0);
}

/* As many steps of its own as its parts have done; probes from a row of theirs on. */
static void
step_own (RanksEngine *self, guint64 steps, const IfbamProbes *probes, gsize row)
{
  IfbamEventEngine *event = self->event;

  if (self->part->keeper == NULL)
    return;
  if (!self->has_own)
    ifbam_event_set_step (event, event->base.steps);
  for (guint64 k = 0; k < steps; k++)
    {
      const gsize rows =
          probes == NULL ? 0 : rows_until (self->base.spec, probes, event->base.steps);

      ifbam_engine_advance (&event->base, 1, NULL);
      take_told (self);
      if (probes == NULL || rows_until (self->base.spec, probes, event->base.steps) == rows)
        continue;
      for (gsize i = 0; i < probes->n; i++)
        if (probes->node[i] < self->base.model->n_free && self->part->keeper[probes->node[i]] >= 0)
          {
            probes->position[row * probes->n + i] = event->nodes.x[probes->node[i]];
            probes->rate[row * probes->n + i] = event->nodes.v[probes->node[i]];
          }
      row++;
    }
}

/* Each word of one rank's becomes all ranks'. */
static void
share_own (RanksEngine *self)
{
  const gsize n = self->part->n_kept;
  g_autofree guint64 *words = g_new0 (guint64, 2 * n + 1);

  for (gsize i = 0; i < n; i++)
    if (self->part->keeper[self->part->kept[i]] == self->part->ranks->rank)
      {
        memcpy (&words[2 * i], &self->event->nodes.x[self->part->kept[i]], sizeof *words);
        memcpy (&words[2 * i + 1], &self->event->nodes.v[self->part->kept[i]], sizeof *words);
      }
  ifbam_ranks_sum ((gint64 *) words, 2 * n);
  for (gsize i = 0; i < n; i++)
    {
      memcpy (&self->event->nodes.x[self->part->kept[i]], &words[2 * i], sizeof *words);
      memcpy (&self->event->nodes.v[self->part->kept[i]], &words[2 * i + 1], sizeof *words);
    }
}

/* The inner engine is told of this rank's own, for who looks at what it has. */
static void
say_own (RanksEngine *self)
{
  IfbamEventEngine *event = self->event;
  gsize n;

  if (!self->has_own)
    return;
  self->kept = ifbam_engine_keep_state (self->inner, self->kept);
  ifbam_event_write_component (event, all_components (event), ifbam_state_numbers (self->kept, &n));
  ifbam_engine_take_state (self->inner, self->kept, self->inner->steps);
}

/* A double of one rank's. */
static double
share_value (const RanksEngine *self, gint32 owner, double value)
{
  gint64 word = 0;

  if (owner == self->part->ranks->rank)
    memcpy (&word, &value, sizeof word);
  ifbam_ranks_sum (&word, 1);
  memcpy (&value, &word, sizeof word);
  return value;
}

static void
append_text (GByteArray *bytes, const char *text)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text) + 1);
}

static int
compare_told (gconstpointer a, gconstpointer b)
{
  const TellEvent *one = a, *other = b;

  if (one->step != other->step)
    return one->step < other->step ? -1 : 1;
  if (one->event.time != other->event.time)
    return one->event.time < other->event.time ? -1 : 1;
  return one->cluster < other->cluster ? -1 : one->cluster > other->cluster;
}

/* Rank 0 hears of all ranks' events, in the order in which one process tells them. */
static void
share_events (RanksEngine *self)
{
  const int n = self->part->ranks->n;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree IfbamParcel *send = g_new0 (IfbamParcel, n);
  g_autofree gsize *sizes = g_new (gsize, n);
  g_autofree char *all = NULL;
  gsize size = 0;

  if (!self->wants_events)
    return;
  for (guint i = 0; i < self->news->len; i++)
    {
      const TellEvent *told = &g_array_index (self->news, TellEvent, i);

      g_byte_array_append (bytes, (const guint8 *) told, sizeof *told);
      append_text (bytes, told->event.element);
      append_text (bytes, told->event.word);
    }
  g_array_set_size (self->news, 0);
  send[0] = (IfbamParcel){ bytes->data, bytes->len };
  all = ifbam_ranks_swap_unsized (send, sizes);
  for (int r = 0; r < n; r++)
    size += sizes[r];
  for (const char *next = all, *end = all + size; next < end;)
    {
      TellEvent told;

      memcpy (&told, next, sizeof told);
      next += sizeof told;
      told.event.element = g_intern_string (next);
      next += strlen (next) + 1;
      told.event.word = g_intern_string (next);
      next += strlen (next) + 1;
      g_array_append_val (self->news, told);
    }
  g_array_sort (self->news, compare_told);
  for (guint i = 0; i < self->news->len && self->base.log->events != NULL; i++)
    g_array_append_val (self->base.log->events, g_array_index (self->news, TellEvent, i).event);
  g_array_set_size (self->news, 0);
}

/* The rank for which something came first; -1: for none. time: of this rank; infinite: never; then of that one. */
static int
find_first (const RanksEngine *self, double *time)
{
  g_autofree double *all = ifbam_ranks_gather (time, sizeof *time);
  int first = 0;

  for (int r = 1; r < self->part->ranks->n; r++)
    if (all[r] < all[first])
      first = r;
  *time = all[first];
  return isfinite (*time) ? first : -1;
}

/* Where one can't go on, none does. */
static void
share_failure (RanksEngine *self)
{
  const char *own = self->event->base.log->failure;
  IfbamEventLog *log = self->base.log;
  int first;

  if (log->failure != NULL || !ifbam_ranks_any (own != NULL))
    return;
  log->failure_time = own == NULL ? INFINITY : self->event->base.log->failure_time;
  first = find_first (self, &log->failure_time);
  log->failure = ifbam_ranks_spread_text (own != NULL ? own : "", MAX (first, 0));
}

/* Counts the suspended links of all processes, and finds the first of them. */
static void
share_suspended (RanksEngine *self)
{
  const IfbamEventLog *own = self->event->base.log;
  IfbamEventLog *log = self->base.log;
  gint64 sum = own->suspended.n;
  int from;

  ifbam_ranks_sum (&sum, 1);
  if (sum == log->suspended.n)
    return;
  log->suspended.n = (guint) sum;
  log->first_suspended_time = own->suspended.n == 0 ? INFINITY : own->first_suspended_time;
  from = find_first (self, &log->first_suspended_time);
  g_free (self->first_held);
  log->first_suspended = self->first_held =
      ifbam_ranks_spread_text (own->suspended.n == 0 ? "" : own->first_suspended, MAX (from, 0));
}

static void
share_all (RanksEngine *self)
{
  if (self->part->keeper == NULL)
    return;
  say_own (self);
  share_own (self);
  share_events (self);
  share_failure (self);
  share_suspended (self);
}

/* Returns the energy of all processes' unbatched links [J]. */
static double
stored_energy (const RanksEngine *self)
{
  IfbamExactSum sum;

  if (self->part->keeper == NULL)
    return 0;
  ifbam_exact_sum_clear (&sum);
  ifbam_engine_add_stored (&self->event->base, &sum);
  self->part->share.add_up (&self->part->share, &sum, 1);
  return ifbam_exact_sum_round (&sum);
}

/* Returns all processes' external work of events, and that of active links [J]. */
static double
work_of_events (const RanksEngine *self)
{
  IfbamExactSum sum;

  ifbam_exact_sum_clear (&sum);
  ifbam_exact_sum_add (&sum, ifbam_tally_value (&self->event->account.external.turnover));
  ifbam_exact_sum_add (&sum, ifbam_tally_value (&self->event->account.brought));
  self->part->share.add_up (&self->part->share, &sum, 1);
  return ifbam_exact_sum_round (&sum);
}

/* So many steps can be done before one that has an instant, or begins with one that belongs to its row. */
static guint64
count_free_steps (const RanksEngine *self)
{
  const IfbamEventEngine *event = self->event;

  if (event == NULL)
    return G_MAXUINT64;
  if (self->begins
      || (event->schedule.next > 0
          && ifbam_schedule_get (&event->schedule, event->schedule.next - 1)->time
                 > (double) row_of (self) * self->base.spec->step))
    return 0;
  for (guint i = event->schedule.next;; i++)
    {
      const IfbamTimeEvent *instant = ifbam_schedule_get (&event->schedule, i);
      guint32 component;

      if (instant == NULL
          || instant->time
                 > (double) (row_of (self) + self->part->steps + 2) * self->base.spec->step)
        return G_MAXUINT64;
      component = ifbam_time_event_component (event, instant);
      if (component == IFBAM_NONE || keeper_of (self, component) < 0)
        return ifbam_schedule_count_free_steps (&event->schedule, i, row_of (self));
    }
}

/* One step, and what it tells of probes from a row of theirs on. */
static void
step_by_events (RanksEngine *self, const IfbamProbes *probes, gsize row)
{
  IfbamEventEngine *event = self->event;
  const guint64 before = self->inner->steps;

  if (!self->begins)
    give_to_events (self);
  ifbam_engine_advance (&event->base, 1, NULL);
  if (self->part->keeper != NULL)
    take_told (self);
  take_from_events (self);
  let_sleep (self, TRUE);
  if (probes == NULL
      || rows_until (self->base.spec, probes, self->inner->steps)
             == rows_until (self->base.spec, probes, before))
    return;
  for (gsize i = 0; i < probes->n; i++)
    {
      probes->position[row * probes->n + i] = event->nodes.x[probes->node[i]];
      probes->rate[row * probes->n + i] = event->nodes.v[probes->node[i]];
    }
}

/* Returns a quantity that the event engine of one process computes. */
static double
get_from (const RanksEngine *self, gint32 owner, IfbamQuantity quantity, gsize index)
{
  return share_value (self, owner,
                      owner == self->part->ranks->rank
                          ? ifbam_engine_get (&self->event->base, quantity, index)
                          : 0);
}

/* Returns a free node's acceleration at the sample; a time event of the same time comes before it. */
static double
get_acceleration (RanksEngine *self, gsize node)
{
  const gint32 owner = self->part->keeper == NULL ? -1 : self->part->keeper[node];

  if (owner >= 0)
    return get_from (self, owner, IFBAM_NODE_ACCELERATION, node);
  observe_row (self);
  return ifbam_engine_get (&self->event->base, IFBAM_NODE_ACCELERATION, node);
}

static double
get (IfbamEngine *base, IfbamQuantity quantity, gsize index)
{
  RanksEngine *self = (RanksEngine *) base;

  if (self->event == NULL)
    return NAN;
  if (quantity == IFBAM_NODE_ACCELERATION)
    return get_acceleration (self, index);
  if (self->part->keeper == NULL)
    return NAN;
  if (quantity <= IFBAM_LINK_DISSIPATED)
    return get_from (self,
                     keeper_of (self, ifbam_event_link_component (self->event, (guint32) index)),
                     quantity, index);
  if (quantity == IFBAM_LINK_STORED)
    return ifbam_engine_get (&self->event->base, quantity, index);
  return quantity == IFBAM_WORK_TURNOVER ? work_of_events (self) : NAN;
}

/* ---- the engine */

/* Whoever listens reads this engine's clock. */
static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  RanksEngine *self = data;

  self->base.steps = self->inner->steps;
  self->base.listener (self->base.listener_data, stage, position, rate);
}

/* All ranks find the start of all that stays whole; the first tells of it. */
static void
begin_whole (RanksEngine *self)
{
  IfbamEventEngine *event = self->event;

  self->wants_events = ifbam_ranks_any (self->base.log->events != NULL);
  if (self->wants_events && event->base.log->events == NULL)
    event->base.log->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  if (event->base.log->events != NULL)
    g_array_set_size (event->base.log->events, 0);
  g_array_set_size (self->news, 0);
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
  event->account.brought = (IfbamTally){ 0 };
  ifbam_event_log_clear_suspended (event->base.log);
}

static void
start (IfbamEngine *base)
{
  RanksEngine *self = (RanksEngine *) base;

  ifbam_engine_start (self->inner);
  base->steps = self->inner->steps;
  if (self->part->keeper != NULL)
    begin_whole (self);
  else if (self->event != NULL)
    ifbam_engine_start (&self->event->base);
  self->begins = self->event != NULL;
  /* The first cycle of flip-flop schemes only shows the first row. */
  if (self->event != NULL && ifbam_engine_lookahead (base->spec) == 0)
    {
      take_from_events (self);
      let_sleep (self, TRUE);
    }
  /* Accelerations at the start lack links, too. */
  exchange (self);
  if (self->part->keeper != NULL)
    {
      share_failure (self);
      share_suspended (self);
    }
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  RanksEngine *self = (RanksEngine *) base;
  IfbamEngine *inner = self->inner;
  const guint64 end = inner->steps + steps;
  gsize rows = 0;
  double aside = 0;

  if (probes != NULL && probes->n == 0)
    probes = NULL;
  inner->listener = base->listener != NULL ? listen : NULL;
  inner->listener_data = self;
  if (probes != NULL && probes->n != self->n_probes)
    know_probes (self, probes);
  if (base->passing.is_wanted)
    aside = stored_energy (self);
  if (base->passing.is_wanted && !(inner->passing.is_offered && steps > 0))
    base->passing.energy = ifbam_engine_check_energy (inner) + aside;
  inner->passing.is_wanted = base->passing.is_wanted && inner->passing.is_offered;
  while (inner->steps < end)
    {
      const guint64 free = count_free_steps (self);
      const guint64 some = MIN (MIN (self->part->steps, end - inner->steps), free);
      const gboolean looks = inner->passing.is_wanted;
      const guint64 before = inner->steps;
      double began = processor_time ();

      if (free == 0)
        {
          if (looks)
            base->passing.energy = ifbam_engine_check_energy (inner) + aside;
          inner->passing.is_wanted = FALSE;
          step_by_events (self, probes, rows);
        }
      else if (probes == NULL)
        ifbam_engine_advance (inner, some, NULL);
      else
        {
          IfbamProbes next = *probes;

          next.position += rows * probes->n;
          next.rate += rows * probes->n;
          ifbam_engine_advance (inner, some, &next);
        }
      if (free > 0)
        step_own (self, some, probes, rows);
      if (probes != NULL)
        rows +=
            rows_until (base->spec, probes, inner->steps) - rows_until (base->spec, probes, before);
      self->advancing += processor_time () - began;
      if (looks && free > 0)
        base->passing.energy = inner->passing.energy + aside;
      exchange (self);
    }
  share_all (self);
  base->passing.is_wanted = FALSE;
  base->steps = inner->steps;
  if (probes != NULL && rows > 0)
    {
      tell_given (self, probes, rows_until (base->spec, probes, inner->steps) - rows, rows);
      share_probes (self, probes, rows);
    }
  return base->log->failure == NULL;
}

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  RanksEngine *self = (RanksEngine *) base;

  ifbam_engine_get_nodes (self->inner, first, last, position, rate);
  for (gsize i = first; i < MIN (last, base->model->n_free) && self->part->keeper != NULL; i++)
    if (self->part->keeper[i] >= 0)
      {
        position[i - first] = self->event->nodes.x[i];
        rate[i - first] = self->event->nodes.v[i];
      }
  for (gsize i = MAX (first, base->model->n_free); i < last && self->event != NULL; i++)
    if (self->event->schedule.edges->len > 0)
      ifbam_event_given_at_row (self->event, i, row_of (self), &position[i - first],
                                &rate[i - first]);
}

static double
check_energy (IfbamEngine *base)
{
  const RanksEngine *self = (RanksEngine *) base;

  return ifbam_engine_check_energy (self->inner) + stored_energy (self);
}

/* ---- states of the whole network */

/* What a rank says of its own: where in the whole, and what. */
typedef struct
{
  guint32 *place;
  double *value;
  gsize n;
} Saying;

static void
say (Saying *saying, guint32 place, double value)
{
  saying->place[saying->n] = place;
  saying->value[saying->n++] = value;
}

static Saying
say_column (const RanksEngine *self, const double *column)
{
  const IfbamModel *model = self->base.model;
  Saying saying = { g_new (guint32, model->n_free + 1), g_new (double, model->n_free + 1), 0 };

  for (gsize i = 0; i < model->n_free; i++)
    if (!self->part->share.foreign[i])
      say (&saying, self->part->whole_node[i], column[i]);
  return saying;
}

static Saying
say_answers (const RanksEngine *self, const double *answer)
{
  const IfbamModel *model = self->base.model;
  const gsize most = ifbam_model_n_answers (model);
  Saying saying = { g_new (guint32, most + 1), g_new (double, most + 1), 0 };

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first[IFBAM_MAX_SLOTS + 1] = { batch->first_slot };
      const guint n = 1 + ifbam_batch_slots (batch, first + 1);

      for (guint k = 0; k < n; k++)
        for (gsize i = 0; i < batch->count; i++)
          if (!batch->foreign[i] && self->part->whole_answer[first[k] + i] != IFBAM_NO_NODE)
            say (&saying, self->part->whole_answer[first[k] + i], answer[first[k] + i]);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (!self->part->share.foreign[model->source_node[s]])
      say (&saying, self->part->whole_answer[model->n_slots + s], answer[model->n_slots + s]);
  return saying;
}

/* One rank says something to rank 0 (transfer full); nobody else gets any. */
static gpointer
hear_from (const RanksEngine *self, int from, gconstpointer bytes, gsize n, gsize *size)
{
  const int ranks = self->part->ranks->n;
  g_autofree IfbamParcel *send = g_new0 (IfbamParcel, ranks);
  g_autofree gsize *sizes = g_new (gsize, ranks);
  gpointer all;

  if (self->part->ranks->rank == from)
    send[0] = (IfbamParcel){ (gpointer) bytes, n };
  all = ifbam_ranks_swap_unsized (send, sizes);
  *size = sizes[from];
  return all;
}

/* All say theirs to rank 0, which puts it into its places: one after the other, as it has no room for all at once. */
static void
gather (const RanksEngine *self, Saying saying, double *into)
{
  for (int r = 0; r < self->part->ranks->n; r++)
    {
      gsize size;
      g_autofree guint32 *place =
          hear_from (self, r, saying.place, saying.n * sizeof *saying.place, &size);
      g_autofree double *value =
          hear_from (self, r, saying.value, saying.n * sizeof *saying.value, &size);

      for (gsize i = 0; i < size / sizeof *value && into != NULL; i++)
        into[place[i]] = value[i];
    }
  g_free (saying.place);
  g_free (saying.value);
}

/* Lists the columns of the whole network's state; rank 0 alone gets them of a run. */
static GArray *
list_state (IfbamEngine *base, gboolean write)
{
  RanksEngine *self = (RanksEngine *) base;
  const IfbamColumns *own = &((const IfbamCompiledEngine *) self->inner)->columns;
  const IfbamScheme *scheme = base->spec->scheme;
  const IfbamModel *whole = self->part->whole;
  const guint n = ifbam_scheme_n_kept (scheme);
  double *column[IFBAM_MAX_COLUMNS] = { NULL }, *answer = NULL;
  GArray *columns = NULL;

  if (self->part->whole_node == NULL)
    return NULL;
  if (whole != NULL)
    {
      columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));
      if (self->state == NULL)
        self->state = g_new0 (double, n * whole->n_free + ifbam_model_n_answers (whole) + 1);
      for (guint c = 0; c < n; c++)
        column[c] = self->state + c * whole->n_free;
      answer = self->state + n * whole->n_free;
      ifbam_state_add_scheme (columns, whole, scheme, column, answer);
    }
  if (write)
    return columns;
  for (guint c = 0; c < n; c++)
    gather (self, say_column (self, own->column[c]),
            self->part->ranks->rank == 0 ? column[c] : NULL);
  if (scheme->latency)
    gather (self, say_answers (self, own->answer[0]), self->part->ranks->rank == 0 ? answer : NULL);
  if (self->part->ranks->rank == 0)
    return columns;
  if (columns != NULL)
    g_array_unref (columns);
  return NULL;
}

/* What was put into the list goes to whom it is of, and to the layers. */
static void
rebuild (IfbamEngine *base, guint64 steps)
{
  RanksEngine *self = (RanksEngine *) base;
  const IfbamColumns *own = &((const IfbamCompiledEngine *) self->inner)->columns;
  const IfbamModel *model = base->model, *whole = self->part->whole;
  const guint n = ifbam_scheme_n_kept (base->spec->scheme);
  const double *answer = self->state + n * whole->n_free;

  for (guint c = 0; c < n; c++)
    for (gsize i = 0; i < model->n_free; i++)
      own->column[c][i] = self->state[c * whole->n_free + self->part->whole_node[i]];
  for (gsize s = 0; s < ifbam_model_n_answers (model) && base->spec->scheme->latency; s++)
    if (self->part->whole_answer[s] != IFBAM_NO_NODE)
      own->answer[0][s] = answer[self->part->whole_answer[s]];
  ifbam_engine_rebuild (self->inner, steps);
  base->steps = steps;
}

static void
ranks_engine_free (IfbamEngine *base)
{
  RanksEngine *self = (RanksEngine *) base;

  if (g_getenv ("IFBAM_RANKS_TIMES") != NULL)
    fprintf (stderr,
             "rank %d: %u steps between exchanges, %u layers, %" G_GSIZE_FORMAT
             " nodes; advance %.3f s, exchange %.3f s of the processor\n",
             self->part->ranks->rank, self->part->steps, self->part->depth, base->model->n_free,
             self->advancing, self->telling);
  ifbam_engine_free (self->inner);
  if (self->event != NULL)
    ifbam_engine_free (&self->event->base);
  ifbam_state_free (self->kept);
  g_free (self->send);
  g_free (self->take);
  g_free (self->order);
  g_free (self->told);
  g_free (self->words);
  g_free (self->state);
  g_free (self->x);
  g_free (self->v);
  g_array_unref (self->news);
  ifbam_event_log_free (base->log);
  g_free (self->first_held);
  g_free (self);
}

static const IfbamEngineClass ranks_class = { .start = start,
                                              .advance = advance,
                                              .get_nodes = get_nodes,
                                              .get = get,
                                              .check_energy = check_energy,
                                              .list_state = list_state,
                                              .rebuild = rebuild,
                                              .free = ranks_engine_free };

IfbamEngine *
ifbam_ranks_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  RanksEngine *self = g_new0 (RanksEngine, 1);

  self->part = (const IfbamRankPart *) model->share;
  self->inner = ifbam_compiled_engine_new (model, spec, threads);
  self->base = (IfbamEngine){ .class = &ranks_class,
                              .model = model,
                              .state_model = self->part->whole,
                              .spec = spec,
                              .numbers = self->inner->numbers,
                              .records_probes = TRUE,
                              .passing = { .is_offered = TRUE },
                              .log = ifbam_event_log_new () };
  if (ifbam_model_has_events (model))
    self->event = (IfbamEventEngine *) ifbam_event_engine_new (model, spec, FALSE);
  if (self->part->keeper != NULL)
    {
      ifbam_event_log_defer (self->event, TRUE);
      /* What is fed into it is more than its blows: whether a run makes sense is judged by that. What drives, as
       * amplifiers do, is told by what all links lose. */
      self->event->base.account_level =
          ifbam_model_has_active_links (model) ? IFBAM_ACCOUNT_FULL : IFBAM_ACCOUNT_SUPPLY;
      self->base.books = IFBAM_BOOKS_EVENTS;
      self->x = g_new0 (double, model->n_nodes + 1);
      self->v = g_new0 (double, model->n_nodes + 1);
    }
  self->news = g_array_new (FALSE, FALSE, sizeof (TellEvent));
  self->send = g_new0 (IfbamParcel, self->part->ranks->n);
  self->take = g_new0 (IfbamParcel, self->part->ranks->n);
  return &self->base;
}

/* distributed-engine.c: the compiled engine on a rank's subdomain; halo, probes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/distributed-engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run/distributed-engine-internal.h"

static double
processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* ---- halo */

/* Copies the engine's columns and forces into a message, or back. */
static void
copy_values (const IfbamRanksEngine *self, const GArray *nodes, const GArray *slots, double *values,
             gboolean out)
{
  const IfbamColumns *own = &((const IfbamCompiledEngine *) self->inner)->columns;
  const guint n_columns = self->base.spec->scheme->n_columns;
  const guint32 *node = (const guint32 *) (gpointer) nodes->data;
  const guint32 *slot = (const guint32 *) (gpointer) slots->data;
  double *const output = own->output[0];

  for (guint c = 0; c < n_columns; c++, values += nodes->len)
    {
      double *column = own->column[c];

      for (gsize i = 0; i < nodes->len && out; i++)
        values[i] = column[node[i]];
      for (gsize i = 0; i < nodes->len && !out; i++)
        column[node[i]] = values[i];
    }
  for (gsize i = 0; i < slots->len && out; i++)
    values[i] = output[slot[i]];
  for (gsize i = 0; i < slots->len && !out; i++)
    output[slot[i]] = values[i];
}

/* Sends the values of own nodes to the ranks with these nodes in their halos. */
static void
exchange (IfbamRanksEngine *self)
{
  const guint n_columns = self->base.spec->scheme->n_columns;
  const int n = self->part->ranks->n;
  double began = processor_time ();

  for (int r = 0; r < n; r++)
    {
      const IfbamPeer *peer = &self->part->peers[r];

      copy_values (self, peer->nodes.send, peer->slots.send, peer->out, TRUE);
      self->send[r] =
          (IfbamBuffer){ peer->out, ifbam_peer_length (peer, n_columns, TRUE) * sizeof (double) };
      self->take[r] =
          (IfbamBuffer){ peer->in, ifbam_peer_length (peer, n_columns, FALSE) * sizeof (double) };
    }
  self->telling += processor_time () - began;
  ifbam_ranks_exchange (self->send, self->take);
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

/* Sorts the probes by the file: ranks have different indices of nodes. */
static void
sort_probes (IfbamRanksEngine *self, const IfbamProbes *probes)
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
      /* Each rank computes the motion of given nodes. */
      self->told[i] = is_free ? !self->part->share.is_ghost[node] : self->part->ranks->rank == 0;
    }
  qsort (placed, probes->n, sizeof *placed, compare_placed);
  for (gsize i = 0; i < probes->n; i++)
    self->order[i] = placed[i].number;
}

/* Corrects samples of given nodes at a scheduled event's time: the sample comes after the event. */
static void
correct_given_samples (const IfbamRanksEngine *self, const IfbamProbes *probes, gsize first,
                       gsize rows)
{
  if (self->event == NULL || self->event->schedule.edges->len == 0)
    return;
  for (gsize i = 0; i < probes->n; i++)
    for (gsize row = 0; row < rows && probes->node[i] >= self->base.model->n_free; row++)
      ifbam_event_given_at_row (self->event, probes->node[i], (first + row) * probes->stride,
                                &probes->position[row * probes->n + i],
                                &probes->rate[row * probes->n + i]);
}

/* Copies the samples of each probe from its rank to all. */
static void
broadcast_probes (IfbamRanksEngine *self, const IfbamProbes *probes, gsize rows)
{
  const gsize n = probes->n;
  g_autofree double *values = g_new0 (double, 2 * rows * n + 1);

  for (gsize row = 0; row < rows; row++)
    for (gsize k = 0; k < n; k++)
      if (self->told[self->order[k]])
        {
          values[2 * (row * n + k)] = probes->position[row * n + self->order[k]];
          values[2 * (row * n + k) + 1] = probes->rate[row * n + self->order[k]];
        }
  ifbam_ranks_allreduce_values (values, 2 * rows * n);
  for (gsize row = 0; row < rows; row++)
    for (gsize k = 0; k < n; k++)
      {
        probes->position[row * n + self->order[k]] = values[2 * (row * n + k)];
        probes->rate[row * n + self->order[k]] = values[2 * (row * n + k) + 1];
      }
}

/* ---- the engine */

/* Passes a stage on to the listener, which reads this engine's steps. */
static void
listen (gpointer data, guint stage, const double *position, const double *rate)
{
  IfbamRanksEngine *self = data;

  self->base.steps = self->inner->steps;
  self->base.listener (self->base.listener_data, stage, position, rate);
}

static void
start (IfbamEngine *base)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;

  ifbam_engine_start (self->inner);
  base->steps = self->inner->steps;
  ifbam_ranks_start_events (self);
  /* Accelerations at the start lack forces of missing links. */
  exchange (self);
  ifbam_ranks_share_start (self);
}

/* Advances by steps without scheduled events; row: index of the next sample in probes (or NULL). */
static void
advance_without_events (IfbamRanksEngine *self, guint64 steps, const IfbamProbes *probes, gsize row)
{
  IfbamProbes next;

  if (probes != NULL)
    {
      next = *probes;
      next.position += row * probes->n;
      next.rate += row * probes->n;
    }
  ifbam_engine_advance (self->inner, steps, probes == NULL ? NULL : &next);
  ifbam_ranks_step_own (self, steps, probes, row);
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;
  IfbamEngine *inner = self->inner;
  const guint64 end = inner->steps + steps;
  gsize rows = 0;
  double aside = 0;

  if (probes != NULL && probes->n == 0)
    probes = NULL;
  inner->listener = base->listener != NULL ? listen : NULL;
  inner->listener_data = self;
  if (probes != NULL && probes->n != self->n_probes)
    sort_probes (self, probes);
  if (base->passing.is_wanted)
    aside = ifbam_ranks_stored_energy (self);
  if (base->passing.is_wanted && !(inner->passing.is_offered && steps > 0))
    base->passing.energy = ifbam_engine_check_energy (inner) + aside;
  inner->passing.is_wanted = base->passing.is_wanted && inner->passing.is_offered;
  while (inner->steps < end)
    {
      const guint64 free = ifbam_ranks_count_free_steps (self);
      const guint64 some = MIN (MIN (self->part->steps, end - inner->steps), free);
      const gboolean looks = inner->passing.is_wanted;
      const guint64 before = inner->steps;
      double began = processor_time ();

      if (free == 0)
        {
          if (looks)
            base->passing.energy = ifbam_engine_check_energy (inner) + aside;
          inner->passing.is_wanted = FALSE;
          ifbam_ranks_step_by_events (self, probes, rows);
        }
      else
        advance_without_events (self, some, probes, rows);
      if (probes != NULL)
        rows += ifbam_ranks_rows_until (base->spec, probes, inner->steps)
                - ifbam_ranks_rows_until (base->spec, probes, before);
      self->advancing += processor_time () - began;
      if (looks && free > 0)
        base->passing.energy = inner->passing.energy + aside;
      exchange (self);
    }
  ifbam_ranks_share_whole_components (self);
  base->passing.is_wanted = FALSE;
  base->steps = inner->steps;
  if (probes != NULL && rows > 0)
    {
      correct_given_samples (
          self, probes, ifbam_ranks_rows_until (base->spec, probes, inner->steps) - rows, rows);
      broadcast_probes (self, probes, rows);
    }
  return base->log->failure == NULL;
}

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;

  ifbam_engine_get_nodes (self->inner, first, last, position, rate);
  for (gsize i = first; i < MIN (last, base->model->n_free) && self->part->owner_rank != NULL; i++)
    if (self->part->owner_rank[i] >= 0)
      {
        position[i - first] = self->event->nodes.x[i];
        rate[i - first] = self->event->nodes.v[i];
      }
  for (gsize i = MAX (first, base->model->n_free); i < last && self->event != NULL; i++)
    if (self->event->schedule.edges->len > 0)
      ifbam_event_given_at_row (self->event, i, ifbam_ranks_row (self), &position[i - first],
                                &rate[i - first]);
}

static double
check_energy (IfbamEngine *base)
{
  const IfbamRanksEngine *self = (IfbamRanksEngine *) base;

  return ifbam_engine_check_energy (self->inner) + ifbam_ranks_stored_energy (self);
}

static void
ranks_engine_free (IfbamEngine *base)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;

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
  g_free (self->state);
  g_free (self->x);
  g_free (self->v);
  g_array_unref (self->new_events);
  ifbam_event_log_free (base->log);
  g_free (self->first_held);
  g_free (self);
}

static const IfbamEngineClass ranks_class = { .start = start,
                                              .advance = advance,
                                              .get_nodes = get_nodes,
                                              .get = ifbam_ranks_get_by_events,
                                              .check_energy = check_energy,
                                              .list_state = ifbam_ranks_list_state,
                                              .rebuild = ifbam_ranks_rebuild,
                                              .free = ranks_engine_free };

IfbamEngine *
ifbam_ranks_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  IfbamRanksEngine *self = g_new0 (IfbamRanksEngine, 1);

  self->part = (const IfbamSubdomain *) model->share;
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
  if (self->part->owner_rank != NULL)
    {
      ifbam_event_log_defer (self->event, TRUE);
      /* Divergence checks need all external work; with active links (amplifiers) all losses. */
      self->event->base.account_level =
          ifbam_model_has_active_links (model) ? IFBAM_ACCOUNT_FULL : IFBAM_ACCOUNT_SUPPLY;
      self->base.books = IFBAM_BOOKS_EVENTS;
      self->x = g_new0 (double, model->n_nodes + 1);
      self->v = g_new0 (double, model->n_nodes + 1);
    }
  self->new_events = g_array_new (FALSE, FALSE, sizeof (NewEvent));
  self->send = g_new0 (IfbamBuffer, self->part->ranks->n);
  self->take = g_new0 (IfbamBuffer, self->part->ranks->n);
  return &self->base;
}

/* subdomain.c: a rank's subdomain: owners, halo, exact sums over all ranks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/subdomain.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/union-find.h"
#include "engine/engine.h"
#include "event/event.h"
#include "run/compiled-part.h"
#include "run/rank-limits.h"
#include "run/whole-components.h"

/* Maximum of steps between exchanges. */
#define MAX_STEPS 64

/* Values set by tests; 0: not set. */
typedef struct
{
  guint steps, depth;
  gboolean is_incomplete;
} Forced;

static Forced
read_forced (void)
{
  const char *text = g_getenv ("IFBAM_RANKS");
  g_auto (GStrv) words = g_strsplit (text == NULL ? "" : text, ",", 3);
  const guint n = g_strv_length (words);

  return (Forced){ n > 0 ? (guint) g_ascii_strtoull (words[0], NULL, 10) : 0,
                   n > 1 ? (guint) g_ascii_strtoull (words[1], NULL, 10) : 0, n > 2 };
}

/* Returns the layers that get wrong values in some steps; losses at a stage read one more. */
static guint
depth_of_errors (const IfbamScheme *scheme, guint steps, gboolean by_stages)
{
  const guint depth = scheme->latency ? steps / 2 + 1 : steps * scheme->n_stages;

  return MAX (2, depth + (by_stages ? 1 : 0));
}

/* ---- nodes that signals and external work read: on all ranks */

static void
add_ends (const IfbamModel *model, gsize link, GArray *nodes)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek (&at, link);
  ifbam_link_add_nodes (at.link, G_MAXSIZE, nodes);
}

static void
add_source_nodes (const IfbamModel *model, gsize first, GArray *nodes)
{
  for (gsize s = first;
       s < model->n_sources && model->sources->pdata[s] == model->sources->pdata[first]; s++)
    {
      const gsize node = model->source_node[s];

      g_array_append_val (nodes, node);
    }
}

/* Returns the nodes of signals and those with external work, by their indices in the model. */
static GArray *
list_read_nodes (const IfbamModel *model, const IfbamSignals *signals)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize member;

  ifbam_signals_add_nodes (signals, model, nodes);
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);

      if (ifbam_signal_is_of_link (signal) && signal->single)
        continue;
      if (ifbam_signal_is_of_link (signal))
        add_ends (model, signal->number, nodes);
      else if (signal->kind == IFBAM_SIGNAL_SOURCE_FORCE)
        add_source_nodes (model, signal->number, nodes);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    {
      const gsize node = model->source_node[s];

      if (!ifbam_model_is_field (model, s))
        g_array_append_val (nodes, node);
    }
  for (gsize node = model->n_free; node < model->n_nodes; node++)
    if (!ifbam_model_node_span (model, node, &member)->info->fixed)
      ifbam_model_add_neighbours (model, node, nodes);
  return nodes;
}

/* Returns the index in the file of the part's i-th node or link. */
static guint64
file_node (const IfbamSubdomain *self, gsize i)
{
  return ifbam_ranges_number (self->model->subnetwork->nodes, i);
}

static guint64
file_link (const IfbamSubdomain *self, gsize i)
{
  return ifbam_ranges_number (self->model->subnetwork->links, i);
}

/* Returns the owner of a link: that of its first free node; if none, the first rank. */
static gint32
owner_of_link (const IfbamSubdomain *self, gsize link)
{
  guint32 ends[IFBAM_MAX_ENDS];

  return ifbam_model_free_ends (self->model, link, ends) > 0 ? self->owner[ends[0]] : 0;
}

/* Returns TRUE if node i of the subdomain is in a component that one rank advances whole. */
static gboolean
is_whole (const IfbamSubdomain *self, gsize i)
{
  return self->owner_rank != NULL && self->owner_rank[ifbam_model_free_node (self->model, i)] >= 0;
}

/* ---- sums over all ranks: each node and link counts on its owner */

static void
mark_ghosts (IfbamSubdomain *self)
{
  IfbamModel *model = self->model;
  const int rank = self->ranks->rank;

  self->share.is_ghost = g_malloc0 (model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->share.is_ghost[ifbam_model_free_node (model, i)] = self->owner[i] != rank;
  for (guint b = 0; b < model->batches->len; b++)
    {
      IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      batch->is_ghost = g_malloc0 (batch->count + 1);
    }
  for (gsize l = 0; l < model->n_links; l++)
    {
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[l], &index);

      batch->is_ghost[index] = self->link_owner[l] != rank;
    }
}

static void
add_up (const IfbamPartitionSums *share, IfbamExactSum *sums, guint n)
{
  gint64 *words = g_newa (gint64, IFBAM_EXACT_WORDS * n);

  (void) share;
  for (guint i = 0; i < n; i++)
    ifbam_exact_sum_write (&sums[i], words + IFBAM_EXACT_WORDS * i);
  ifbam_ranks_allreduce_sum (words, IFBAM_EXACT_WORDS * n);
  for (guint i = 0; i < n; i++)
    ifbam_exact_sum_read (&sums[i], words + IFBAM_EXACT_WORDS * i);
}

static guint64
place_of (const IfbamPartitionSums *share, gsize node)
{
  const IfbamSubdomain *self = (const IfbamSubdomain *) share;

  return file_node (self, ifbam_model_file_index (self->model, node));
}

/* A rank's node with the largest energy, or one with a value that is not finite. */
typedef struct
{
  gint64 finite;
  guint64 place;
  double energy;
} Worst;

static gboolean
is_worse (const Worst *one, const Worst *other)
{
  if (one->finite != other->finite)
    return one->finite < other->finite;
  if (one->finite && one->energy != other->energy)
    return one->energy > other->energy;
  return one->place < other->place;
}

static char *
find_worst (const IfbamPartitionSums *share, char *name, guint64 place, double energy,
            gboolean *finite)
{
  const IfbamSubdomain *self = (const IfbamSubdomain *) share;
  const Worst own = { *finite, place, energy };
  g_autofree Worst *all = ifbam_ranks_gather (&own, sizeof own);
  g_autofree char *own_name = name;
  int worst = 0;

  for (int r = 1; r < self->ranks->n; r++)
    if (is_worse (&all[r], &all[worst]))
      worst = r;
  *finite = all[worst].finite != 0;
  return ifbam_ranks_broadcast_text (own_name, worst);
}

/* ---- exchange with other ranks */

static guint32
find_own_node (const IfbamSubdomain *self, guint64 number)
{
  gsize place = 0;

  ifbam_ranges_find (self->model->subnetwork->nodes, number, &place);
  return (guint32) ifbam_model_free_node (self->model, place);
}

/* Slots of a link: its own, that of its right endpoint, those of states. */
#define SLOTS_OF_LINK (2 + IFBAM_MAX_STATES)

static guint32
slot_of (const IfbamModel *model, gsize link, guint which)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek_slot (&at, model->link_slot[link]);
  return (guint32) at.end_slot[which];
}

static guint32
find_own_slot (const IfbamSubdomain *self, guint64 number)
{
  gsize place = 0;

  ifbam_ranges_find (self->model->subnetwork->links, number / SLOTS_OF_LINK, &place);
  return slot_of (self->model, place, (guint) (number % SLOTS_OF_LINK));
}

/* Sends the indices in the file of nodes or slots to their owners, and finds those that other ranks
 * request. wanted: lists of guint64 by owner (taken over); find: returns the index in the
 * subdomain; offset: of the exchange in IfbamPeer. */
static void
exchange_wanted (IfbamSubdomain *self, GArray **wanted,
                 guint32 (*find) (const IfbamSubdomain *self, guint64 number), glong offset)
{
  g_autofree gsize *sizes = g_new (gsize, self->ranks->n);
  g_autofree guint64 *asked = ifbam_ranks_exchange_lists (wanted, sizes);
  const guint64 *next = asked;

  for (int r = 0; r < self->ranks->n; r++)
    for (gsize i = 0; i < sizes[r] / sizeof *next; i++)
      {
        const IfbamExchange *with = G_STRUCT_MEMBER_P (&self->peers[r], offset);
        const guint32 own = find (self, *next++);

        g_array_append_val (with->send, own);
      }
}

static void
exchange_wanted_nodes (IfbamSubdomain *self)
{
  GArray **wanted = ifbam_ranks_new_lists (sizeof (guint64));

  for (gsize i = 0; i < self->model->n_free; i++)
    {
      const guint64 number = file_node (self, i);
      const guint32 node = (guint32) ifbam_model_free_node (self->model, i);

      if (self->owner[i] == self->ranks->rank || is_whole (self, i))
        continue;
      g_array_append_val (wanted[self->owner[i]], number);
      g_array_append_val (self->peers[self->owner[i]].nodes.take, node);
    }
  exchange_wanted (self, wanted, find_own_node, G_STRUCT_OFFSET (IfbamPeer, nodes));
}

static void
request_slots (const IfbamSubdomain *self, gsize link, GArray *wanted, GArray *take)
{
  IfbamLinkIter at = ifbam_links (self->model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek_slot (&at, self->model->link_slot[link]);
  for (guint k = 0; k < 2 + at.link->n_states; k++)
    {
      const guint64 number = file_link (self, link) * SLOTS_OF_LINK + k;
      const guint32 slot = (guint32) at.end_slot[k];

      if (k == 1 && at.end_slot[1] == at.slot)
        continue;
      g_array_append_val (wanted, number);
      g_array_append_val (take, slot);
    }
}

static void
exchange_wanted_slots (IfbamSubdomain *self)
{
  GArray **wanted = ifbam_ranks_new_lists (sizeof (guint64));
  guint32 ends[IFBAM_MAX_ENDS];

  for (gsize l = 0; l < self->model->n_links; l++)
    if (self->link_owner[l] != self->ranks->rank && ifbam_model_free_ends (self->model, l, ends) > 0
        && !is_whole (self, ends[0]))
      request_slots (self, l, wanted[self->link_owner[l]],
                     self->peers[self->link_owner[l]].slots.take);
  exchange_wanted (self, wanted, find_own_slot, G_STRUCT_OFFSET (IfbamPeer, slots));
}

static void
make_peers (IfbamSubdomain *self, const IfbamScheme *scheme)
{
  self->peers = g_new0 (IfbamPeer, self->ranks->n);
  for (int r = 0; r < self->ranks->n; r++)
    self->peers[r] = (IfbamPeer){ .nodes = { g_array_new (FALSE, FALSE, sizeof (guint32)),
                                             g_array_new (FALSE, FALSE, sizeof (guint32)) },
                                  .slots = { g_array_new (FALSE, FALSE, sizeof (guint32)),
                                             g_array_new (FALSE, FALSE, sizeof (guint32)) } };
  exchange_wanted_nodes (self);
  if (scheme->latency)
    exchange_wanted_slots (self);
  for (int r = 0; r < self->ranks->n; r++)
    {
      IfbamPeer *peer = &self->peers[r];

      peer->out = g_new (double, ifbam_peer_length (peer, scheme->n_columns, TRUE) + 1);
      peer->in = g_new (double, ifbam_peer_length (peer, scheme->n_columns, FALSE) + 1);
    }
}

/* Finds nodes of one component of the whole that no links join here: events cut their steps. */
static void
find_representatives (IfbamSubdomain *self, const IfbamModel *whole)
{
  const IfbamModel *model = self->model;
  g_autofree guint32 *parent = ifbam_ranks_find_components (whole), *first = NULL;

  first = g_new (guint32, whole->n_free + 1);
  for (gsize i = 0; i < whole->n_free; i++)
    first[i] = IFBAM_NO_NODE;
  self->share.representative = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 root = ifbam_union_find_root (parent, file_node (self, i));
      const guint32 number = (guint32) ifbam_model_free_node (model, i);

      if (first[root] == IFBAM_NO_NODE)
        first[root] = number;
      self->share.representative[number] = first[root];
    }
}

static void
list_whole_components (IfbamSubdomain *self, const guint8 *mark)
{
  const IfbamModel *model = self->model;

  self->owner_rank = g_new (gint32, model->n_free + 1);
  self->kept = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 number = (guint32) ifbam_model_free_node (model, i);

      self->owner_rank[number] = mark[file_node (self, i)] ? self->owner[i] : -1;
      if (mark[file_node (self, i)])
        self->kept[self->n_kept++] = number;
    }
}

/* Completes a subdomain with its model and owners. */
static void
join (IfbamSubdomain *self, const IfbamRunSpec *spec, guint64 n_nodes)
{
  self->share.n_nodes = n_nodes;
  self->share.has_fields = ifbam_ranks_any (self->model->n_fields > 0);
  self->share.add_up = add_up;
  self->share.find_worst = find_worst;
  self->share.place = place_of;
  mark_ghosts (self);
  self->model->share = &self->share;
  make_peers (self, spec->scheme);
  g_clear_pointer (&self->owner, g_free);
  g_clear_pointer (&self->link_owner, g_free);
}

/* ---- plans and subdomains */

IfbamRankPlan
ifbam_rank_plan (const IfbamNetworkGraph *graph, const IfbamRunSpec *spec, gboolean full,
                 gboolean (*fits) (gpointer data, guint layers), gpointer data)
{
  const Forced forced = read_forced ();
  IfbamRankPlan plan = { .n_free = graph->n_free,
                         .n_nodes = graph->n_free + graph->n_given,
                         .by_stages = full && spec->scheme->stage_weight[0] > 0 };

  plan.steps = forced.steps > 0 ? MIN (forced.steps, MAX_STEPS) : MAX_STEPS;
  while (forced.steps == 0 && plan.steps > 1
         && !fits (data, depth_of_errors (spec->scheme, plan.steps, plan.by_stages)))
    plan.steps /= 2;
  plan.depth =
      forced.depth > 0 ? forced.depth : depth_of_errors (spec->scheme, plan.steps, plan.by_stages);
  if (forced.depth == 0 && graph->model != NULL)
    plan.depth = MAX (plan.depth, ifbam_ranks_depth_of_time_events (graph->model, spec));
  return plan;
}

GArray *
ifbam_rank_list_read_nodes (const IfbamModel *model, const IfbamSignals *signals)
{
  const int n = ifbam_ranks ()->n;
  g_autoptr (GArray) numbers = list_read_nodes (model, signals);
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (guint64));
  GArray **send = ifbam_ranks_new_lists (sizeof (guint64));
  g_autofree gsize *sizes = g_new (gsize, n);
  g_autofree guint64 *all = NULL;
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint64));
  gsize total = 0;

  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, gsize, i) < model->n_free)
      {
        guint64 place = ifbam_model_file_index (model, g_array_index (numbers, gsize, i));

        if (model->subnetwork != NULL)
          place = ifbam_ranges_number (model->subnetwork->nodes, (gsize) place);

        g_array_append_val (own, place);
      }
  for (int r = 0; r < n; r++)
    g_array_append_vals (send[r], own->data, own->len);
  all = ifbam_ranks_exchange_lists (send, sizes);
  for (int r = 0; r < n; r++)
    total += sizes[r] / sizeof *all;
  qsort (all, total, sizeof *all, ifbam_compare_uint64);
  for (gsize i = 0; i < total; i++)
    if (i == 0 || all[i] != all[i - 1])
      g_array_append_val (list, all[i]);
  return list;
}

IfbamSubdomain *
ifbam_subdomain_new (IfbamModel *model, const IfbamRankPlan *plan, const gint32 *owner,
                     const IfbamRunSpec *spec, const IfbamModel *whole, const guint8 *mark)
{
  IfbamSubdomain *self = g_new0 (IfbamSubdomain, 1);
  const GArray *incomplete = model->subnetwork->incomplete;

  self->ranks = ifbam_ranks ();
  self->steps = plan->steps;
  self->depth = plan->depth;
  self->model = model;
  self->owner = g_new (gint32, model->n_free + 1);
  self->link_owner = g_new (gint32, model->n_links + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->owner[i] = owner != NULL
                         ? owner[file_node (self, i)]
                         : ifbam_ranks_of (plan->n_free, self->ranks->n, file_node (self, i));
  for (gsize l = 0; l < model->n_links; l++)
    self->link_owner[l] = owner_of_link (self, l);
  for (guint i = 0; read_forced ().is_incomplete && i < incomplete->len; i++)
    model->inverse_inertia[ifbam_model_free_node (model, g_array_index (incomplete, guint32, i))] =
        NAN;
  if (whole != NULL && ifbam_model_has_events (whole))
    find_representatives (self, whole);
  if (mark != NULL)
    list_whole_components (self, mark);
  join (self, spec, plan->n_nodes);
  return self;
}

void
ifbam_subdomain_keep_states (IfbamSubdomain *self, const IfbamModel *whole)
{
  const IfbamModel *model = self->model;

  self->whole = whole;
  self->whole_node = g_new (guint32, model->n_free + 1);
  self->whole_force = g_new0 (guint32, ifbam_model_n_forces (model) + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->whole_node[ifbam_model_free_node (model, i)] =
        (guint32) ifbam_model_free_node (whole, file_node (self, i));
  for (gsize s = 0; s < ifbam_model_n_forces (model); s++)
    self->whole_force[s] = IFBAM_NO_NODE;
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED); ifbam_link_iter_next (&at);)
    for (guint k = 0; k < 2 + at.link->n_states; k++)
      self->whole_force[at.end_slot[k]] = slot_of (whole, file_link (self, at.number), k);
  for (gsize i = 0; i < model->n_sources; i++)
    self->whole_force[model->n_slots + i] =
        (guint32) (whole->n_slots + ifbam_ranges_number (model->subnetwork->sources, i));
}

void
ifbam_subdomain_unset_whole (IfbamSubdomain *self)
{
  self->whole = NULL;
}

void
ifbam_subdomain_free (IfbamSubdomain *self)
{
  if (self == NULL)
    return;
  for (int r = 0; self->peers != NULL && r < self->ranks->n; r++)
    {
      g_array_unref (self->peers[r].nodes.send);
      g_array_unref (self->peers[r].nodes.take);
      g_array_unref (self->peers[r].slots.send);
      g_array_unref (self->peers[r].slots.take);
      g_free (self->peers[r].out);
      g_free (self->peers[r].in);
    }
  g_free (self->peers);
  g_free (self->owner);
  g_free (self->link_owner);
  g_free (self->whole_node);
  g_free (self->whole_force);
  g_free (self->owner_rank);
  g_free (self->kept);
  g_free (self->share.is_ghost);
  g_free (self->share.representative);
  ifbam_model_free (self->model);
  g_free (self);
}

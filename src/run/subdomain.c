/* subdomain.c: a rank's part of a network: its own nodes, layers of neighbours, and what is looked at one by one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/subdomain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/union-find.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "event/event.h"
#include "run/compiled-part.h"
#include "run/rank-limits.h"
#include "run/whole-components.h"

/* Steps between exchanges. */
#define MOST_STEPS 64

/* What tests ask for; 0: nothing. */
typedef struct
{
  guint steps, depth;
  gboolean lame;
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

/* Layers that are spoilt in so many steps while what is within them stays right; what links lose at a stage takes one
 * more, since both ends are asked. */
static guint
depth_for (const IfbamScheme *scheme, guint steps, gboolean by_stages)
{
  const guint depth = scheme->latency ? steps / 2 + 1 : steps * scheme->n_stages;

  return MAX (2, depth + (by_stages ? 1 : 0));
}

/* ---- what is looked at one by one, which all ranks have */

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

/* Numbers of the model's nodes: of signals, and those at which energy is fed in. */
static GArray *
list_looked_at (const IfbamModel *model, const IfbamSignals *signals)
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
file_node (const IfbamRankPart *self, gsize i)
{
  return ifbam_ranges_number (self->model->excerpt->nodes, i);
}

static guint64
file_link (const IfbamRankPart *self, gsize i)
{
  return ifbam_ranges_number (self->model->excerpt->links, i);
}

/* Returns the owner of a link: that of its first free node; without any the first rank. */
static gint32
owner_of_link (const IfbamRankPart *self, gsize link)
{
  guint32 ends[IFBAM_MAX_ENDS];

  return ifbam_model_free_ends (self->model, link, ends) > 0 ? self->owner[ends[0]] : 0;
}

/* Whether the part's i-th node is of a component that stays whole. */
static gboolean
is_whole (const IfbamRankPart *self, gsize i)
{
  return self->keeper != NULL && self->keeper[ifbam_model_free_number (self->model, i)] >= 0;
}

/* ---- who counts what */

static void
mark_foreign (IfbamRankPart *self)
{
  IfbamModel *model = self->model;
  const int rank = self->ranks->rank;

  self->share.foreign = g_malloc0 (model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->share.foreign[ifbam_model_free_number (model, i)] = self->owner[i] != rank;
  for (guint b = 0; b < model->batches->len; b++)
    {
      IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      batch->foreign = g_malloc0 (batch->count + 1);
    }
  for (gsize l = 0; l < model->n_links; l++)
    {
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[l], &index);

      batch->foreign[index] = self->link_owner[l] != rank;
    }
}

static void
add_up (const IfbamModelShare *share, IfbamExactSum *sums, guint n)
{
  gint64 *words = g_newa (gint64, IFBAM_EXACT_WORDS * n);

  (void) share;
  for (guint i = 0; i < n; i++)
    ifbam_exact_sum_say (&sums[i], words + IFBAM_EXACT_WORDS * i);
  ifbam_ranks_sum (words, IFBAM_EXACT_WORDS * n);
  for (guint i = 0; i < n; i++)
    ifbam_exact_sum_hear (&sums[i], words + IFBAM_EXACT_WORDS * i);
}

static guint64
place_of (const IfbamModelShare *share, gsize node)
{
  const IfbamRankPart *self = (const IfbamRankPart *) share;

  return file_node (self, ifbam_model_file_number (self->model, node));
}

/* A rank's worst node. */
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
find_worst (const IfbamModelShare *share, char *name, guint64 place, double energy,
            gboolean *finite)
{
  const IfbamRankPart *self = (const IfbamRankPart *) share;
  const int n = self->ranks->n;
  g_autofree Worst *all = g_new0 (Worst, n);
  gsize size = strlen (name) + 1;
  int worst = 0;

  all[self->ranks->rank] = (Worst){ *finite, place, energy };
  for (int r = 0; r < n; r++)
    ifbam_ranks_spread (&all[r], sizeof all[r], r);
  for (int r = 1; r < n; r++)
    if (is_worse (&all[r], &all[worst]))
      worst = r;
  *finite = all[worst].finite != 0;
  ifbam_ranks_spread (&size, sizeof size, worst);
  name = g_realloc (name, size);
  ifbam_ranks_spread (name, size, worst);
  return name;
}

/* ---- who tells whom */

/* What a rank has not got of its own. */
typedef struct
{
  gint32 owner;
  guint32 place;  /* here */
  guint64 wanted; /* its number in the file */
} Want;

/* By owner, those of each in the order of the list (transfer full); first (ranks + 1). */
static Want *
sort_wants (const GArray *wants, int n_ranks, gsize *first)
{
  Want *sorted = g_new (Want, wants->len + 1);
  g_autofree gsize *next = g_new (gsize, n_ranks + 1);

  memset (first, 0, ((gsize) n_ranks + 1) * sizeof *first);
  for (guint i = 0; i < wants->len; i++)
    first[g_array_index (wants, Want, i).owner + 1]++;
  for (int r = 0; r < n_ranks; r++)
    first[r + 1] += first[r];
  memcpy (next, first, ((gsize) n_ranks + 1) * sizeof *next);
  for (guint i = 0; i < wants->len; i++)
    {
      const Want *want = &g_array_index (wants, Want, i);

      sorted[next[want->owner]++] = *want;
    }
  return sorted;
}

/* Places here that are told and heard between this rank and another. */
typedef struct
{
  guint32 **send, **take;
  gsize *n_send, *n_take;
} Told;

/* Hands out the wants, and finds what the others want of this one. find: where a number of the file stands here; of: what of
 * a peer it is. */
static void
agree (IfbamRankPart *self, const GArray *wants,
       guint32 (*find) (const IfbamRankPart *self, guint64 number), Told (*of) (IfbamPeer *peer))
{
  const int n = self->ranks->n;
  g_autofree gsize *first = g_new (gsize, n + 1), *sizes = g_new (gsize, n);
  g_autofree Want *sorted = sort_wants (wants, n, first);
  g_autofree guint64 *numbers = g_new (guint64, wants->len + 1), *asked = NULL;
  g_autofree IfbamParcel *send = g_new (IfbamParcel, n);
  const guint64 *next;

  for (guint i = 0; i < wants->len; i++)
    numbers[i] = sorted[i].wanted;
  for (int r = 0; r < n; r++)
    send[r] = (IfbamParcel){ numbers + first[r], (first[r + 1] - first[r]) * sizeof *numbers };
  next = asked = ifbam_ranks_swap_unsized (send, sizes);
  for (int r = 0; r < n; r++)
    {
      const Told told = of (&self->peers[r]);

      *told.n_take = first[r + 1] - first[r];
      *told.take = g_new (guint32, *told.n_take + 1);
      for (gsize i = 0; i < *told.n_take; i++)
        (*told.take)[i] = sorted[first[r] + i].place;
      *told.n_send = sizes[r] / sizeof *next;
      *told.send = g_new (guint32, *told.n_send + 1);
      for (gsize i = 0; i < *told.n_send; i++)
        (*told.send)[i] = find (self, *next++);
    }
}

static guint32
find_own_node (const IfbamRankPart *self, guint64 number)
{
  gsize place = 0;

  ifbam_ranges_find (self->model->excerpt->nodes, number, &place);
  return (guint32) ifbam_model_free_number (self->model, place);
}

/* A slot of a link: its own, its right end's or a state's. */
#define SLOTS_OF_LINK (2 + IFBAM_MAX_STATES)

static guint32
slot_of (const IfbamModel *model, gsize link, guint which)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek_slot (&at, model->link_slot[link]);
  return (guint32) at.end_slot[which];
}

static guint32
find_own_slot (const IfbamRankPart *self, guint64 number)
{
  gsize place = 0;

  ifbam_ranges_find (self->model->excerpt->links, number / SLOTS_OF_LINK, &place);
  return slot_of (self->model, place, (guint) (number % SLOTS_OF_LINK));
}

static Told
nodes_of (IfbamPeer *peer)
{
  return (Told){ &peer->send_node, &peer->take_node, &peer->n_send_nodes, &peer->n_take_nodes };
}

static void
agree_on_nodes (IfbamRankPart *self)
{
  g_autoptr (GArray) wants = g_array_new (FALSE, FALSE, sizeof (Want));

  for (gsize i = 0; i < self->model->n_free; i++)
    {
      const Want want = { self->owner[i], (guint32) ifbam_model_free_number (self->model, i),
                          file_node (self, i) };

      if (want.owner != self->ranks->rank && !is_whole (self, i))
        g_array_append_val (wants, want);
    }
  agree (self, wants, find_own_node, nodes_of);
}

static void
want_slots (const IfbamRankPart *self, gsize link, GArray *wants)
{
  const IfbamModel *model = self->model;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek_slot (&at, model->link_slot[link]);
  for (guint k = 0; k < 2 + at.link->n_states; k++)
    {
      const Want want = { self->link_owner[link], (guint32) at.end_slot[k],
                          file_link (self, link) * SLOTS_OF_LINK + k };

      if (k != 1 || at.end_slot[1] != at.slot)
        g_array_append_val (wants, want);
    }
}

static Told
slots_of (IfbamPeer *peer)
{
  return (Told){ &peer->send_slot, &peer->take_slot, &peer->n_send_slots, &peer->n_take_slots };
}

static void
agree_on_slots (IfbamRankPart *self)
{
  g_autoptr (GArray) wants = g_array_new (FALSE, FALSE, sizeof (Want));
  guint32 ends[IFBAM_MAX_ENDS];

  for (gsize l = 0; l < self->model->n_links; l++)
    if (self->link_owner[l] != self->ranks->rank && ifbam_model_free_ends (self->model, l, ends) > 0
        && !is_whole (self, ends[0]))
      want_slots (self, l, wants);
  agree (self, wants, find_own_slot, slots_of);
}

static void
make_room (IfbamRankPart *self, const IfbamScheme *scheme)
{
  for (int r = 0; r < self->ranks->n; r++)
    {
      IfbamPeer *peer = &self->peers[r];

      peer->out = g_new (double, scheme->n_columns * peer->n_send_nodes + peer->n_send_slots + 1);
      peer->in = g_new (double, scheme->n_columns * peer->n_take_nodes + peer->n_take_slots + 1);
    }
}

/* Components of the whole network that time events cut together, though no links join their nodes here. */
static void
know_fellows (IfbamRankPart *self, const IfbamModel *whole)
{
  const IfbamModel *model = self->model;
  g_autofree guint32 *parent = ifbam_ranks_find_components (whole), *first = NULL;

  first = g_new (guint32, whole->n_free + 1);
  for (gsize i = 0; i < whole->n_free; i++)
    first[i] = IFBAM_NO_NODE;
  self->share.fellow = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 root = ifbam_forest_root (parent, file_node (self, i));
      const guint32 number = (guint32) ifbam_model_free_number (model, i);

      if (first[root] == IFBAM_NO_NODE)
        first[root] = number;
      self->share.fellow[number] = first[root];
    }
}

static void
know_wholes (IfbamRankPart *self, const guint8 *mark)
{
  const IfbamModel *model = self->model;

  self->keeper = g_new (gint32, model->n_free + 1);
  self->kept = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 number = (guint32) ifbam_model_free_number (model, i);

      self->keeper[number] = mark[file_node (self, i)] ? self->owner[i] : -1;
      if (mark[file_node (self, i)])
        self->kept[self->n_kept++] = number;
    }
}

/* Once the model and the owners are known. */
static void
join (IfbamRankPart *self, const IfbamRunSpec *spec, guint64 n_nodes)
{
  self->share.n_nodes = n_nodes;
  self->share.has_fields = ifbam_ranks_any (self->model->n_fields > 0);
  self->share.add_up = add_up;
  self->share.find_worst = find_worst;
  self->share.place = place_of;
  mark_foreign (self);
  self->model->share = &self->share;
  self->peers = g_new0 (IfbamPeer, self->ranks->n);
  agree_on_nodes (self);
  if (spec->scheme->latency)
    agree_on_slots (self);
  make_room (self, spec->scheme);
  g_clear_pointer (&self->owner, g_free);
  g_clear_pointer (&self->link_owner, g_free);
}

/* ---- plans and parts */

IfbamRankPlan
ifbam_rank_plan (const IfbamSurvey *graph, const IfbamRunSpec *spec, gboolean full,
                 gboolean (*fits) (gpointer data, guint layers), gpointer data)
{
  const Forced forced = read_forced ();
  IfbamRankPlan plan = { .n_free = graph->n_free,
                         .n_nodes = graph->n_free + graph->n_given,
                         .by_stages = full && spec->scheme->stage_weight[0] > 0 };

  plan.steps = forced.steps > 0 ? MIN (forced.steps, MOST_STEPS) : MOST_STEPS;
  while (forced.steps == 0 && plan.steps > 1
         && !fits (data, depth_for (spec->scheme, plan.steps, plan.by_stages)))
    plan.steps /= 2;
  plan.depth =
      forced.depth > 0 ? forced.depth : depth_for (spec->scheme, plan.steps, plan.by_stages);
  if (forced.depth == 0 && graph->model != NULL)
    plan.depth = MAX (plan.depth, ifbam_ranks_depth_of_instants (graph->model, spec));
  return plan;
}

GArray *
ifbam_rank_list_looked_at (const IfbamModel *model, const IfbamSignals *signals)
{
  const int n = ifbam_ranks ()->n;
  g_autoptr (GArray) numbers = list_looked_at (model, signals);
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autofree IfbamParcel *send = g_new (IfbamParcel, n);
  g_autofree gsize *sizes = g_new (gsize, n);
  g_autofree guint64 *all = NULL;
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint64));
  gsize total = 0;

  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, gsize, i) < model->n_free)
      {
        guint64 place = ifbam_model_file_number (model, g_array_index (numbers, gsize, i));

        if (model->excerpt != NULL)
          place = ifbam_ranges_number (model->excerpt->nodes, (gsize) place);

        g_array_append_val (own, place);
      }
  for (int r = 0; r < n; r++)
    send[r] = (IfbamParcel){ own->data, own->len * sizeof *all };
  all = ifbam_ranks_swap_unsized (send, sizes);
  for (int r = 0; r < n; r++)
    total += sizes[r] / sizeof *all;
  qsort (all, total, sizeof *all, ifbam_compare_uint64);
  for (gsize i = 0; i < total; i++)
    if (i == 0 || all[i] != all[i - 1])
      g_array_append_val (list, all[i]);
  return list;
}

IfbamRankPart *
ifbam_rank_part_new (IfbamModel *model, const IfbamRankPlan *plan, const gint32 *owner,
                     const IfbamRunSpec *spec, const IfbamModel *whole, const guint8 *mark)
{
  IfbamRankPart *self = g_new0 (IfbamRankPart, 1);
  const GArray *lacking = model->excerpt->lacking;

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
  for (guint i = 0; read_forced ().lame && i < lacking->len; i++)
    model->inverse_inertia[ifbam_model_free_number (model, g_array_index (lacking, guint32, i))] =
        NAN;
  if (whole != NULL && ifbam_model_has_events (whole))
    know_fellows (self, whole);
  if (mark != NULL)
    know_wholes (self, mark);
  join (self, spec, plan->n_nodes);
  return self;
}

void
ifbam_rank_part_keep_states (IfbamRankPart *self, const IfbamModel *whole)
{
  const IfbamModel *model = self->model;

  self->whole = whole;
  self->whole_node = g_new (guint32, model->n_free + 1);
  self->whole_answer = g_new0 (guint32, ifbam_model_n_answers (model) + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->whole_node[ifbam_model_free_number (model, i)] =
        (guint32) ifbam_model_free_number (whole, file_node (self, i));
  for (gsize s = 0; s < ifbam_model_n_answers (model); s++)
    self->whole_answer[s] = IFBAM_NO_NODE;
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED); ifbam_link_iter_next (&at);)
    for (guint k = 0; k < 2 + at.link->n_states; k++)
      self->whole_answer[at.end_slot[k]] = slot_of (whole, file_link (self, at.number), k);
  for (gsize i = 0; i < model->n_sources; i++)
    self->whole_answer[model->n_slots + i] =
        (guint32) (whole->n_slots + ifbam_ranges_number (model->excerpt->sources, i));
}

void
ifbam_rank_part_forget (IfbamRankPart *self)
{
  self->whole = NULL;
}

void
ifbam_rank_part_free (IfbamRankPart *self)
{
  if (self == NULL)
    return;
  for (int r = 0; self->peers != NULL && r < self->ranks->n; r++)
    {
      g_free (self->peers[r].send_node);
      g_free (self->peers[r].take_node);
      g_free (self->peers[r].send_slot);
      g_free (self->peers[r].take_slot);
      g_free (self->peers[r].out);
      g_free (self->peers[r].in);
    }
  g_free (self->peers);
  g_free (self->owner);
  g_free (self->link_owner);
  g_free (self->whole_node);
  g_free (self->whole_answer);
  g_free (self->keeper);
  g_free (self->kept);
  g_free (self->share.foreign);
  g_free (self->share.fellow);
  ifbam_model_free (self->model);
  g_free (self);
}

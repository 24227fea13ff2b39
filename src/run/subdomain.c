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
#include "run/partition.h"

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

/* ---- what happens at instants */

/* More in one step are refused. */
#define MOST_AT_ONCE 15
/* So many steps back flip-flop schemes begin a new history then. */
#define BEGUN_ANEW 3

/* Whether steps of components that are cut into parts may be cut by it. */
static gboolean
cuts_parts (const IfbamTimeEvent *instant)
{
  return instant->kind == IFBAM_TIME_EVENT_EDGE || instant->kind == IFBAM_TIME_EVENT_MOTION;
}

/* Whether an instant that comes again does so together with one before it in the list. */
static gboolean
is_accompanied (const IfbamTimeEvent *all, guint i)
{
  for (guint k = 0; k < i; k++)
    if (all[k].time == all[i].time && all[k].period == all[i].period)
      return TRUE;
  return FALSE;
}

/* How many instants one step may have at most, those of one time taken together. */
static guint
count_at_once (const IfbamModel *model, double step)
{
  const IfbamTimeEvent *once = (const IfbamTimeEvent *) (gpointer) model->instants->data;
  const IfbamTimeEvent *again = (const IfbamTimeEvent *) (gpointer) model->recurrent->data;
  guint n = 0;

  for (guint i = 0; i < model->instants->len; i++)
    {
      guint within = cuts_parts (&once[i]);

      for (guint k = i + 1; k < model->instants->len && within <= MOST_AT_ONCE
                            && once[k].time <= once[i].time + step * (1 + 2 * IFBAM_AT_STEP);
           k++)
        within += cuts_parts (&once[k]) && once[k].time != once[k - 1].time;
      n = MAX (n, within);
    }
  for (guint i = 0; i < model->recurrent->len && n <= MOST_AT_ONCE; i++)
    if (cuts_parts (&again[i]) && !is_accompanied (again, i))
      n += (guint) fmin (ceil (step / fabs (again[i].period)), MOST_AT_ONCE) + 1;
  return MIN (n, MOST_AT_ONCE + 1);
}

/* Layers for a step that instants cut, before and after which all exchange. */
static guint
depth_of_instants (const IfbamModel *model, const IfbamRunSpec *spec)
{
  const guint n = count_at_once (model, spec->step);
  const guint parts = n + 1 + (spec->scheme->latency ? BEGUN_ANEW : 0);

  return n == 0 ? 0 : parts * ifbam_scheme_companion (spec->scheme)->n_stages;
}

/* A rank has parts of a component that no links join here: what cuts the steps of one cuts those of all. By the file's
 * numbers (whole->n_free; transfer full). */
static guint32 *
find_components (const IfbamModel *whole)
{
  guint32 *parent = g_new (guint32, whole->n_free + 1);

  ifbam_forest_plant (parent, whole->n_free);
  for (gsize l = 0; l < whole->n_links; l++)
    {
      guint32 ends[IFBAM_MAX_ENDS];
      const guint n = ifbam_model_free_ends (whole, l, ends);

      for (guint e = 1; e < n; e++)
        ifbam_forest_unite (parent, ends[0], ends[e]);
    }
  return parent;
}

static void
know_fellows (IfbamRankPart *self, const IfbamModel *whole)
{
  const IfbamModel *model = self->sub.model;
  g_autofree guint32 *parent = find_components (whole), *first = NULL;

  first = g_new (guint32, whole->n_free + 1);
  for (gsize i = 0; i < whole->n_free; i++)
    first[i] = IFBAM_NO_NODE;
  self->share.fellow = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 root = ifbam_forest_root (parent, self->sub.node[i]);
      const guint32 number = (guint32) ifbam_model_free_number (model, i);

      if (first[root] == IFBAM_NO_NODE)
        first[root] = number;
      self->share.fellow[number] = first[root];
    }
}

/* ---- what is looked at one by one, which all ranks have */

static void
add_ends (const IfbamModel *model, gsize link, GArray *nodes)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek (&at, link);
  ifbam_link_add_nodes (at.link, G_MAXSIZE, nodes);
}

static gboolean
is_of_link (const IfbamSignal *signal)
{
  return signal->kind >= IFBAM_SIGNAL_FORCE && signal->kind <= IFBAM_SIGNAL_LINK_DISSIPATED;
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

      if (is_of_link (signal) && signal->single)
        continue;
      if (is_of_link (signal))
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

/* ---- layers */

typedef struct
{
  const IfbamModel *model; /* whole */
  GArray *nodes;           /* guint32: of the file, layer by layer */
  guint8 *seen;            /* (n_free) */
  gsize begin;             /* of the last layer */
} Walk;

static void
see (Walk *walk, guint32 node)
{
  if (walk->seen[node])
    return;
  walk->seen[node] = 1;
  g_array_append_val (walk->nodes, node);
}

/* One layer more; FALSE: there is none. */
static gboolean
walk_on (Walk *walk)
{
  const gsize end = walk->nodes->len;
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = walk->begin; i < end; i++)
    {
      g_array_set_size (near, 0);
      ifbam_model_add_neighbours (
          walk->model,
          ifbam_model_free_number (walk->model, g_array_index (walk->nodes, guint32, i)), near);
      for (guint k = 0; k < near->len; k++)
        if (g_array_index (near, gsize, k) < walk->model->n_free)
          see (walk, ifbam_model_file_number (walk->model, g_array_index (near, gsize, k)));
    }
  walk->begin = end;
  return walk->nodes->len > end;
}

static void
see_all (Walk *walk, const GArray *numbers)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, gsize, i) < walk->model->n_free)
      see (walk, ifbam_model_file_number (walk->model, g_array_index (numbers, gsize, i)));
}

/* How many layers there may be before they are too many. */
static guint
count_layers (const IfbamModel *model, const gint32 *owner, int rank, guint most)
{
  Walk walk = { .model = model,
                .nodes = g_array_new (FALSE, FALSE, sizeof (guint32)),
                .seen = g_malloc0 (model->n_free + 1) };
  guint depth = 0;
  gsize own;

  for (guint32 i = 0; i < model->n_free; i++)
    if (owner[i] == rank)
      see (&walk, i);
  own = walk.nodes->len;
  while (depth < most && walk_on (&walk)
         && (double) (walk.nodes->len - own) <= IFBAM_RANKS_LAYERS * (double) own)
    depth++;
  if (walk.begin == walk.nodes->len)
    depth = most;
  g_array_unref (walk.nodes);
  g_free (walk.seen);
  return depth;
}

/* As many steps as layers are few for, on all ranks. */
static guint
choose_steps (const IfbamModel *model, const IfbamRunSpec *spec, const gint32 *owner, int rank,
              gboolean by_stages)
{
  const guint depth =
      count_layers (model, owner, rank, depth_for (spec->scheme, MOST_STEPS, by_stages));
  guint steps = MOST_STEPS;

  while (steps > 1 && !ifbam_ranks_all (depth_for (spec->scheme, steps, by_stages) <= depth))
    steps /= 2;
  return steps;
}

/* Own nodes, their layers and what is looked at, which stands within layers of its own where it is asked for between the
 * stages of a step. */
static GArray *
list_nodes (const IfbamModel *model, const gint32 *owner, int rank, guint depth,
            const GArray *looked_at, const guint8 *wholes, gboolean by_stages)
{
  Walk walk = { .model = model,
                .nodes = g_array_new (FALSE, FALSE, sizeof (guint32)),
                .seen = g_malloc0 (model->n_free + 1) };

  for (guint32 i = 0; i < model->n_free; i++)
    if (owner[i] == rank)
      see (&walk, i);
  if (by_stages)
    see_all (&walk, looked_at);
  while (depth > 0 && walk_on (&walk))
    depth--;
  see_all (&walk, looked_at);
  for (guint32 i = 0; wholes != NULL && i < model->n_free; i++)
    if (wholes[i])
      see (&walk, i);
  if (walk.nodes->len == 0 && model->n_free > 0)
    see (&walk, 0);
  g_array_sort (walk.nodes, ifbam_compare_uint32);
  g_free (walk.seen);
  return walk.nodes;
}

/* ---- components that stay whole */

static void
unite_nodes (guint32 *parent, const IfbamModel *whole, const guint32 *node, guint n, guint32 *first)
{
  for (guint e = 0; e < n; e++)
    {
      const guint32 number =
          node[e] < whole->n_free ? ifbam_model_file_number (whole, node[e]) : IFBAM_NO_NODE;

      if (number == IFBAM_NO_NODE)
        continue;
      if (*first != IFBAM_NO_NODE)
        ifbam_forest_unite (parent, *first, number);
      *first = number;
    }
}

/* Unites the nodes of links at a given node whose motion changes at given times. */
static void
unite_hearers (guint32 *parent, const IfbamModel *whole, guint32 given)
{
  guint32 first = IFBAM_NO_NODE;

  for (IfbamLinkIter at = ifbam_links (whole, IFBAM_LINKS_STORED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    for (guint e = 0; e < at.link->n_ports; e++)
      if (at.link->node[e] == given)
        unite_nodes (parent, whole, at.link->node, at.link->n_ports, &first);
}

static guint32
first_of_link (const IfbamModel *whole, guint32 single)
{
  const IfbamLink *link = ifbam_unbatched_link (whole, single);

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < whole->n_free)
      return link->node[e];
  return link->node[0];
}

/* Unites the nodes that modes and impulses may join (see event/clusters.h). */
static void
unite_by_modes (guint32 *parent, const IfbamModel *whole)
{
  const GArray *given[] = { whole->instants, whole->recurrent };

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (whole, &link);)
    {
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, link->node, link->n_ports + link->n_states, &first);
      for (guint k = 0; k < link->n_carriers && ifbam_link_is_carried (link); k++)
        unite_nodes (parent, whole, &(guint32){ first_of_link (whole, link->carrier + k) }, 1,
                     &first);
      if (link->press != NULL && link->press->single != IFBAM_NO_NODE)
        unite_nodes (parent, whole, &(guint32){ first_of_link (whole, link->press->single) }, 1,
                     &first);
    }
  for (guint i = 0; i < whole->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (whole->impulses, IfbamImpulse, i);
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, impulse->node, impulse->n_nodes, &first);
      if (impulse->trigger != IFBAM_NO_NODE)
        unite_nodes (parent, whole, &(guint32){ first_of_link (whole, impulse->trigger) }, 1,
                     &first);
    }
  for (guint i = 0; i < whole->followers->len; i++)
    {
      const IfbamFollower *follower = &g_array_index (whole->followers, IfbamFollower, i);
      const guint32 both[] = { first_of_link (whole, follower->monitor),
                               first_of_link (whole, follower->number) };
      guint32 first = IFBAM_NO_NODE;

      unite_nodes (parent, whole, both, 2, &first);
    }
  for (guint k = 0; k < G_N_ELEMENTS (given); k++)
    for (guint i = 0; i < given[k]->len; i++)
      if (g_array_index (given[k], IfbamTimeEvent, i).kind == IFBAM_TIME_EVENT_MOTION)
        unite_hearers (
            parent, whole,
            (guint32) (whole->n_free + g_array_index (given[k], IfbamTimeEvent, i).number));
  for (guint f = 0; f < whole->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (whole->node_families, IfbamSpan, f);
      const guint32 both[] = { ifbam_model_place (whole, span->element).index,
                               (guint32) span->first };
      guint32 first = IFBAM_NO_NODE;

      if (span->element->info->n_coordinates > 1)
        unite_nodes (parent, whole, both, 2, &first);
    }
}

/* A component that stays whole. */
typedef struct
{
  guint32 root;
  gsize size;
} Whole;

static int
compare_wholes (gconstpointer a, gconstpointer b)
{
  const Whole *one = a, *other = b;

  return one->size != other->size   ? (one->size < other->size ? 1 : -1)
         : one->root != other->root ? (one->root < other->root ? -1 : 1)
                                    : 0;
}

/* Gives such components to ranks, each to the one that has least of them, the largest first; marks their nodes by the file's
 * numbers (n_free, transfer full). NULL: there are none. */
static guint8 *
deal_wholes (const IfbamModel *whole, int n_ranks, gint32 *owner)
{
  g_autofree guint32 *parent = NULL;
  g_autofree gsize *size = NULL, *load = NULL;
  g_autoptr (GArray) wholes = g_array_new (FALSE, FALSE, sizeof (Whole));
  guint8 *mark;

  if (whole->singles->len + whole->impulses->len == 0)
    return NULL;
  parent = find_components (whole);
  unite_by_modes (parent, whole);
  size = g_new0 (gsize, whole->n_free + 1);
  load = g_new0 (gsize, n_ranks);
  mark = g_malloc0 (whole->n_free + 1);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (whole, &link);)
    for (guint e = 0; e < link->n_ports + link->n_states; e++)
      if (link->node[e] < whole->n_free)
        mark[ifbam_forest_root (parent, ifbam_model_file_number (whole, link->node[e]))] = 1;
  for (guint i = 0; i < whole->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (whole->impulses, IfbamImpulse, i);

      for (guint e = 0; e < impulse->n_nodes; e++)
        if (impulse->node[e] < whole->n_free)
          mark[ifbam_forest_root (parent, ifbam_model_file_number (whole, impulse->node[e]))] = 1;
    }
  for (guint32 i = 0; i < whole->n_free; i++)
    {
      mark[i] = mark[ifbam_forest_root (parent, i)];
      size[ifbam_forest_root (parent, i)]++;
    }
  for (guint32 i = 0; i < whole->n_free; i++)
    if (mark[i] && ifbam_forest_root (parent, i) == i)
      g_array_append_val (wholes, ((Whole){ i, size[i] }));
  g_array_sort (wholes, compare_wholes);
  for (guint i = 0; i < wholes->len; i++)
    {
      const Whole *one = &g_array_index (wholes, Whole, i);
      int least = 0;

      for (int r = 1; r < n_ranks; r++)
        if (load[r] < load[least])
          least = r;
      load[least] += one->size;
      owner[one->root] = least;
    }
  for (guint32 i = 0; i < whole->n_free; i++)
    if (mark[i])
      owner[i] = owner[ifbam_forest_root (parent, i)];
  return mark;
}

static void
know_wholes (IfbamRankPart *self, const guint8 *mark)
{
  const IfbamModel *model = self->sub.model;

  self->keeper = g_new (gint32, model->n_free + 1);
  self->kept = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const guint32 number = (guint32) ifbam_model_free_number (model, i);

      self->keeper[number] = mark[self->sub.node[i]] ? self->owner[i] : -1;
      if (mark[self->sub.node[i]])
        self->kept[self->n_kept++] = number;
    }
}

/* Whether a node, by its place in the submodel's list, is of a component that stays whole. */
static gboolean
is_whole (const IfbamRankPart *self, gsize i)
{
  return self->keeper != NULL && self->keeper[ifbam_model_free_number (self->sub.model, i)] >= 0;
}

/* ---- who counts what */

static void
mark_foreign (IfbamRankPart *self)
{
  IfbamModel *model = self->sub.model;
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

  return self->sub.node[ifbam_model_file_number (self->sub.model, node)];
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

  ifbam_list_find (self->sub.node, self->sub.n_free, (guint32) number, &place);
  return (guint32) ifbam_model_free_number (self->sub.model, place);
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

  ifbam_list_find (self->sub.link, self->sub.n_links, (guint32) (number / SLOTS_OF_LINK), &place);
  return slot_of (self->sub.model, place, (guint) (number % SLOTS_OF_LINK));
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

  for (gsize i = 0; i < self->sub.n_free; i++)
    {
      const Want want = { self->owner[i], (guint32) ifbam_model_free_number (self->sub.model, i),
                          self->sub.node[i] };

      if (want.owner != self->ranks->rank && !is_whole (self, i))
        g_array_append_val (wants, want);
    }
  agree (self, wants, find_own_node, nodes_of);
}

static void
want_slots (const IfbamRankPart *self, gsize link, GArray *wants)
{
  const IfbamModel *model = self->sub.model;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek_slot (&at, model->link_slot[link]);
  for (guint k = 0; k < 2 + at.link->n_states; k++)
    {
      const Want want = { self->link_owner[link], (guint32) at.end_slot[k],
                          (guint64) self->sub.link[link] * SLOTS_OF_LINK + k };

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

  for (gsize l = 0; l < self->sub.n_links; l++)
    if (self->link_owner[l] != self->ranks->rank
        && ifbam_model_free_ends (self->sub.model, l, ends) > 0 && !is_whole (self, ends[0]))
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

/* For tests: what reaches an own node from such a one in time would be seen. */
static void
lame (IfbamRankPart *self, const guint32 *degree)
{
  IfbamModel *model = self->sub.model;

  for (gsize i = 0; i < model->n_free; i++)
    {
      const gsize node = ifbam_model_free_number (model, i);

      if (model->port_start[node + 1] - model->port_start[node] < degree[i])
        model->inverse_inertia[node] = NAN;
    }
}

/* Once the submodel and who owns what are there. */
static void
join (IfbamRankPart *self, const IfbamRunSpec *spec, guint64 n_nodes, gboolean has_fields)
{
  self->share.n_nodes = n_nodes;
  self->share.has_fields = has_fields;
  self->share.add_up = add_up;
  self->share.find_worst = find_worst;
  self->share.place = place_of;
  mark_foreign (self);
  self->sub.model->share = &self->share;
  self->peers = g_new0 (IfbamPeer, self->ranks->n);
  agree_on_nodes (self);
  if (spec->scheme->latency)
    agree_on_slots (self);
  make_room (self, spec->scheme);
  g_clear_pointer (&self->owner, g_free);
  g_clear_pointer (&self->link_owner, g_free);
}

/* ---- of excerpts */

IfbamRankPlan
ifbam_rank_plan (guint64 n_free, guint64 n_links, guint64 n_nodes, const IfbamRunSpec *spec,
                 gboolean full, gboolean (*fits) (gpointer data, guint layers), gpointer data)
{
  const Forced forced = read_forced ();
  IfbamRankPlan plan = { .n_free = n_free,
                         .n_links = n_links,
                         .n_nodes = n_nodes,
                         .by_stages = full && spec->scheme->stage_weight[0] > 0 };

  plan.steps = forced.steps > 0 ? MIN (forced.steps, MOST_STEPS) : MOST_STEPS;
  while (forced.steps == 0 && plan.steps > 1
         && !fits (data, depth_for (spec->scheme, plan.steps, plan.by_stages)))
    plan.steps /= 2;
  plan.depth =
      forced.depth > 0 ? forced.depth : depth_for (spec->scheme, plan.steps, plan.by_stages);
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
        const guint64 place = ifbam_ranges_number (
            model->excerpt->nodes,
            ifbam_model_file_number (model, g_array_index (numbers, gsize, i)));

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

/* Ranges as a list. */
static guint32 *
spell_out (const GArray *ranges, gsize *n)
{
  guint32 *list = g_new (guint32, ifbam_ranges_count (ranges) + 1);

  *n = 0;
  for (guint r = 0; r < ranges->len; r++)
    {
      const IfbamRange *range = &g_array_index (ranges, IfbamRange, r);

      for (guint64 i = 0; i < range->count; i++)
        list[(*n)++] = (guint32) (range->first + i);
    }
  return list;
}

IfbamRankPart *
ifbam_rank_part_new_of_excerpt (IfbamModel *model, const IfbamRankPlan *plan, const gint32 *owner,
                                const IfbamRunSpec *spec)
{
  IfbamRankPart *self = g_new0 (IfbamRankPart, 1);

  self->ranks = ifbam_ranks ();
  self->steps = plan->steps;
  self->depth = plan->depth;
  self->sub.model = model;
  self->sub.node = spell_out (model->excerpt->nodes, &self->sub.n_free);
  self->sub.link = spell_out (model->excerpt->links, &self->sub.n_links);
  self->owner = g_new (gint32, self->sub.n_free + 1);
  self->link_owner = g_new (gint32, self->sub.n_links + 1);
  for (gsize i = 0; i < self->sub.n_free; i++)
    self->owner[i] = owner != NULL
                         ? owner[self->sub.node[i]]
                         : ifbam_ranks_of (plan->n_free, self->ranks->n, self->sub.node[i]);
  for (gsize l = 0; l < self->sub.n_links; l++)
    self->link_owner[l] = ifbam_ranks_link_owner (model, l, self->owner);
  for (guint i = 0; read_forced ().lame && i < model->excerpt->lacking->len; i++)
    model->inverse_inertia[ifbam_model_free_number (
        model, g_array_index (model->excerpt->lacking, guint32, i))] = NAN;
  join (self, spec, plan->n_nodes, ifbam_ranks_any (model->n_fields > 0));
  return self;
}

IfbamRankPart *
ifbam_rank_part_new (IfbamModel *whole, const IfbamRunSpec *spec, const IfbamSignals *signals,
                     gboolean full, GError **error)
{
  const Forced forced = read_forced ();
  const gboolean by_stages = full && spec->scheme->stage_weight[0] > 0;
  g_autoptr (GArray) looked_at = list_looked_at (whole, signals), nodes = NULL;
  g_autoptr (IfbamRankPart) self = g_new0 (IfbamRankPart, 1);
  g_autofree gint32 *owner = NULL;
  g_autofree guint32 *degree = NULL;
  g_autofree guint8 *wholes = NULL;

  self->ranks = ifbam_ranks ();
  owner = ifbam_ranks_owners (whole, self->ranks);
  if (owner == NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "PT-Scotch finds no partition of this network");
  wholes = deal_wholes (whole, self->ranks->n, owner);
  self->steps = forced.steps > 0 ? MIN (forced.steps, MOST_STEPS)
                                 : choose_steps (whole, spec, owner, self->ranks->rank, by_stages);
  self->depth = forced.depth > 0 ? forced.depth
                                 : MAX (depth_for (spec->scheme, self->steps, by_stages),
                                        depth_of_instants (whole, spec));
  nodes = list_nodes (whole, owner, self->ranks->rank, self->depth, looked_at, wholes, by_stages);
  ifbam_submodel_init (&self->sub, whole, (const guint32 *) (gpointer) nodes->data, nodes->len);
  self->owner = g_new (gint32, nodes->len + 1);
  degree = g_new (guint32, nodes->len + 1);
  for (gsize i = 0; i < nodes->len; i++)
    {
      const guint32 node = self->sub.node[i];
      const gsize number = ifbam_model_free_number (whole, node);

      self->owner[i] = owner[node];
      degree[i] = whole->port_start[number + 1] - whole->port_start[number];
    }
  self->link_owner = g_new (gint32, self->sub.n_links + 1);
  for (gsize l = 0; l < self->sub.n_links; l++)
    self->link_owner[l] = ifbam_ranks_link_owner (whole, self->sub.link[l], owner);
  if (forced.lame)
    lame (self, degree);
  if (ifbam_model_has_events (whole))
    know_fellows (self, whole);
  if (wholes != NULL)
    know_wholes (self, wholes);
  join (self, spec, whole->n_nodes, whole->n_fields > 0);
  return g_steal_pointer (&self);
}

void
ifbam_rank_part_keep_states (IfbamRankPart *self, const IfbamModel *whole)
{
  const IfbamModel *model = self->sub.model;

  self->whole = whole;
  self->whole_node = g_new (guint32, model->n_free + 1);
  self->whole_answer = g_new0 (guint32, ifbam_model_n_answers (model) + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->whole_node[ifbam_model_free_number (model, i)] =
        (guint32) ifbam_model_free_number (whole, self->sub.node[i]);
  for (gsize s = 0; s < ifbam_model_n_answers (model); s++)
    self->whole_answer[s] = IFBAM_NO_NODE;
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED); ifbam_link_iter_next (&at);)
    for (guint k = 0; k < 2 + at.link->n_states; k++)
      self->whole_answer[at.end_slot[k]] = slot_of (whole, self->sub.link[at.number], k);
  for (gsize i = 0; i < model->n_sources; i++)
    self->whole_answer[model->n_slots + i] = (guint32) (whole->n_slots + self->sub.source[i]);
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
  ifbam_submodel_clear (&self->sub);
  g_free (self);
}

/* By the part's numbers. */
static gsize
number_here (const IfbamRankPart *self, const IfbamModel *whole, const IfbamSignal *signal)
{
  const IfbamSubmodel *sub = &self->sub;
  gsize place = 0;

  if (is_of_link (signal) && signal->single)
    return signal->number;
  if (is_of_link (signal))
    ifbam_list_find (sub->link, sub->n_links, (guint32) signal->number, &place);
  else if (signal->kind == IFBAM_SIGNAL_SOURCE_FORCE)
    ifbam_list_find (sub->source, sub->n_sources, (guint32) signal->number, &place);
  else if (signal->kind > IFBAM_SIGNAL_NODE_FORCE)
    return signal->number;
  else if (signal->number >= whole->n_free)
    return signal->number - whole->n_free + sub->n_free;
  else
    {
      ifbam_list_find (sub->node, sub->n_free, ifbam_model_file_number (whole, signal->number),
                       &place);
      return ifbam_model_free_number (sub->model, place);
    }
  return place;
}

IfbamSignals *
ifbam_rank_part_signals (const IfbamRankPart *self, const IfbamModel *whole,
                         const IfbamSignals *signals)
{
  IfbamSignals *own = g_new (IfbamSignals, 1);

  *own = *signals;
  own->names = g_ptr_array_ref (signals->names);
  own->units = g_ptr_array_ref (signals->units);
  own->signals = g_array_copy (signals->signals);
  for (guint i = 0; i < own->signals->len; i++)
    {
      IfbamSignal *signal = &g_array_index (own->signals, IfbamSignal, i);

      signal->number = number_here (self, whole, signal);
    }
  return own;
}

/* What is told of an element (transfer full). */
static char *
quote (const IfbamElement *element)
{
  return g_strdup_printf ("\"%s\" (%s)", element->name, element->info->name);
}

/* Returns the name of the first unbatched link or impulse (transfer full); NULL: there is none. */
static char *
name_of_event (const IfbamModel *model)
{
  return model->singles->len > 0 ? quote (ifbam_unbatched_link (model, 0)->element)
         : model->impulses->len > 0
             ? quote (g_array_index (model->impulses, IfbamImpulse, 0).element)
             : NULL;
}

/* What in a network's events ranks can't do (transfer full); NULL: nothing. */
static char *
fault_of_events (const IfbamModel *model)
{
  const IfbamElement *steered = NULL;
  g_autofree char *name = NULL;

  for (guint i = 0; i < model->followers->len && steered == NULL; i++)
    {
      const IfbamFollower *follower = &g_array_index (model->followers, IfbamFollower, i);

      if (follower->kind != IFBAM_TIME_EVENT_TOGGLE
          || ifbam_model_is_pulsing (model, follower->monitor))
        steered = ifbam_unbatched_link (model, follower->monitor)->element;
    }
  if (steered == NULL && model->controls->len > 0)
    steered =
        ifbam_unbatched_link (model, g_array_index (model->controls, IfbamControl, 0).controller)
            ->element;
  if (steered == NULL && model->guides->len > 0)
    steered = ifbam_unbatched_link (model, g_array_index (model->guides, IfbamGuide, 0).controller)
                  ->element;
  if (steered == NULL)
    return NULL;
  name = quote (steered);
  return g_strdup_printf (
      "sources or drives go by what %s says, which one process hears (run with mpirun -n 1)", name);
}

/* Who goes on differently at an instant. */
static const IfbamElement *
element_of (const IfbamModel *model, const IfbamTimeEvent *instant)
{
  gsize member;

  return instant->kind == IFBAM_TIME_EVENT_EDGE
             ? ifbam_model_source_of (model, instant->number)->element
             : ifbam_model_node_span (model, model->n_free + instant->number, &member)->element;
}

char *
ifbam_ranks_fault_of_instants (const IfbamModel *model, const char *what)
{
  const GArray *some = model->instants->len > 0 ? model->instants : model->recurrent;
  g_autofree char *name = name_of_event (model);

  if (name != NULL)
    return g_strdup_printf ("%s goes by events: %s", name, what);
  if (some->len == 0)
    return NULL;
  name = quote (element_of (model, &g_array_index (some, IfbamTimeEvent, 0)));
  return g_strdup_printf ("%s goes on differently at instants: %s", name, what);
}

char *
ifbam_ranks_fault (const IfbamModel *model, const IfbamRunSpec *spec)
{
  char *event;

  if (spec->chosen != NULL)
    return g_strdup_printf (
        "step = auto asks for all modes at once, which no rank has (it chose %g "
        "s on one: say step = %g s, or run with mpirun -n 1)",
        spec->step, spec->step);
  if (spec->equilibrium || spec->start_position != NULL)
    return g_strdup ("start = equilibrium is found by one process (run with mpirun -n 1, or begin "
                     "with a state that it has written, by --initial)");
  if (spec->tolerance > 0)
    return g_strdup ("a tolerance chooses steps for islands of nodes, by one process (say a step "
                     "and no tolerance, or run with mpirun -n 1)");
  if (ifbam_scheme_tableau (spec->scheme) != NULL)
    return g_strdup_printf ("the scheme %s solves equations of all nodes at once, by one process "
                            "(say an explicit one, such as verlet, or run with mpirun -n 1)",
                            spec->scheme->name);
  event = fault_of_events (model);
  if (event != NULL)
    return event;
  if (count_at_once (model, spec->step) > MOST_AT_ONCE)
    return ifbam_ranks_fault_of_instants (
        model, "with others of its kind more often in a step than ranks "
               "are made for (say a shorter step, or run with mpirun -n 1)");
  return NULL;
}

/* distributed-input.c: from a network file to a rank's subdomain
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/distributed-input.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/fail.h"
#include "base/ifbam-error.h"
#include "run/compiled-part.h"
#include "run/prepare-network.h"
#include "run/whole-components.h"

#define MAX_WHOLE 100000
/* Nodes with neighbours listed at once. */
#define PIECE 65536
/* Ranks own blocks of a file if its links reach at most NEAR_LINKS in the file's order, or the block's
 * nodes / BLOCK_PARTS: layers for sixteen steps at both ends are then below a tenth of the
 * block. Such blocks are faster than scattered nodes of a partition, even with more neighbours. */
#define NEAR_LINKS  8
#define BLOCK_PARTS 180

void
ifbam_distributed_input_clear (IfbamDistributedInput *self)
{
  g_clear_pointer (&self->graph, ifbam_network_graph_free);
  g_clear_pointer (&self->owner, g_free);
  g_clear_pointer (&self->mark, g_free);
}

static gboolean
is_large (const IfbamNetworkGraph *graph)
{
  const char *most = g_getenv ("IFBAM_RANKS_WHOLE");

  return graph->n_free > (most == NULL ? MAX_WHOLE : g_ascii_strtoull (most, NULL, 10))
         && graph->n_free >= (guint64) ifbam_ranks ()->n && graph->n_free < G_MAXUINT32
         && graph->n_links < G_MAXUINT32;
}

/* Returns the maximum over all ranks. */
static guint64
find_most (guint64 own)
{
  g_autofree guint64 *all = ifbam_ranks_gather (&own, sizeof own);

  for (int r = 0; r < ifbam_ranks ()->n; r++)
    own = MAX (own, all[r]);
  return own;
}

/* Calls a function for each node of this rank's block of the file, with its neighbours. */
static void
visit_block (const IfbamNetworkGraph *graph,
             void (*look) (gpointer data, guint64 node, const guint64 *others, gsize n),
             gpointer data)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  guint64 first, last;

  ifbam_ranks_range (graph->n_named_free, ranks->n, ranks->rank, &first, &last);
  for (guint64 some; first < last; first += some)
    {
      g_autoptr (GArray) start = NULL, neighbour = NULL;

      some = MIN (PIECE, last - first);
      ifbam_network_graph_list_neighbours (graph, first, some, &start, &neighbour);
      for (guint64 i = 0; i < some; i++)
        {
          const guint64 begin = g_array_index (start, guint64, i);
          const gsize n = (gsize) (g_array_index (start, guint64, i + 1) - begin);

          look (data, first + i, n == 0 ? NULL : &g_array_index (neighbour, guint64, begin), n);
        }
    }
}

static void
check_distance (gpointer data, guint64 node, const guint64 *others, gsize n)
{
  guint64 *reach = data;

  for (gsize k = 0; k < n; k++)
    *reach = MAX (*reach, MAX (node, others[k]) - MIN (node, others[k]));
}

/* Neighbours of the nodes of a block, each once. */
typedef struct
{
  GArray *start, *neighbour; /* guint64 */
} Adjacency;

static void
add_node (gpointer data, guint64 node, const guint64 *others, gsize n)
{
  Adjacency *adjacency = data;
  GArray *list = adjacency->neighbour;
  const guint begin = list->len;
  guint end = begin;
  guint64 count;

  (void) node;
  g_array_append_vals (list, others, (guint) n);
  if (n > 0)
    qsort (&g_array_index (list, guint64, begin), n, sizeof (guint64), ifbam_compare_uint64);
  for (guint k = begin; k < list->len; k++)
    if (k == begin || g_array_index (list, guint64, k) != g_array_index (list, guint64, end - 1))
      g_array_index (list, guint64, end++) = g_array_index (list, guint64, k);
  g_array_set_size (list, end);
  count = end;
  g_array_append_val (adjacency->start, count);
}

/* Partitions the graph. Returns FALSE if no partition is found. */
static gboolean
partition (IfbamDistributedInput *self)
{
  g_autoptr (GArray) start = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_autoptr (GArray) neighbour = g_array_new (FALSE, FALSE, sizeof (guint64));
  Adjacency adjacency = { start, neighbour };

  g_array_set_size (start, 1);
  visit_block (self->graph, add_node, &adjacency);
  self->owner = g_new (gint32, self->graph->n_free + 1);
  return ifbam_ranks_partition (self->graph->n_named_free, (const guint64 *) (gpointer) start->data,
                                (const guint64 *) (gpointer) neighbour->data, self->owner);
}

/* Finds the owners of nodes: blocks of the file if links join near nodes. FALSE: no partition. */
static gboolean
assign_owners (IfbamDistributedInput *self)
{
  const IfbamNetworkGraph *graph = self->graph;
  const guint64 n_ranks = (guint64) ifbam_ranks ()->n;
  guint64 reach = NEAR_LINKS;

  visit_block (graph, check_distance, &reach);
  self->reach = find_most (reach);
  return graph->n_named_free < n_ranks
         || self->reach <= MAX (NEAR_LINKS, graph->n_named_free / n_ranks / BLOCK_PARTS)
         || partition (self);
}

/* Assigns a link's states to the rank of its first node. */
static void
assign_states (const IfbamModel *model, gint32 *owner)
{
  const gsize n_named_free = ifbam_model_n_named_free (model);

  for (gsize l = 0; l < model->n_links && model->n_state_nodes > 0; l++)
    {
      guint32 ends[IFBAM_MAX_ENDS];
      const guint n = ifbam_model_free_ends (model, l, ends);
      const gint32 of = n > 0 && ends[0] < n_named_free ? owner[ends[0]] : 0;

      for (guint e = 0; e < n; e++)
        if (ends[e] >= n_named_free)
          owner[ends[e]] = of;
    }
}

/* Finds the owners for a network that all ranks have compiled. */
static gboolean
assign_compiled_owners (IfbamDistributedInput *self, IfbamModel *whole)
{
  const IfbamRanks *ranks = ifbam_ranks ();

  self->graph = ifbam_network_graph_new_from_model (whole);
  if (!assign_owners (self))
    return FALSE;
  if (self->owner == NULL)
    {
      self->owner = g_new (gint32, whole->n_free + 1);
      for (guint64 i = 0; i < self->graph->n_named_free; i++)
        self->owner[i] = ifbam_ranks_of (self->graph->n_named_free, ranks->n, i);
    }
  assign_states (whole, self->owner);
  self->mark = ifbam_ranks_assign_components (whole, ranks->n, self->owner);
  return TRUE;
}

/* Returns this rank's own nodes; if none, node 0, as a model has at least one node. */
static GArray *
list_own_nodes (const IfbamDistributedInput *self)
{
  const IfbamRanks *ranks = ifbam_ranks ();
  GArray *own = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  guint64 first, last;

  ifbam_ranks_range (self->graph->n_free, ranks->n, ranks->rank, &first, &last);
  if (self->owner == NULL)
    ifbam_ranges_append (own, first, last - first);
  for (guint64 i = 0; self->owner != NULL && i < self->graph->n_free; i++)
    if (self->owner[i] == ranks->rank)
      ifbam_ranges_append (own, i, 1);
  if (own->len == 0 && self->graph->n_free > 0)
    ifbam_ranges_append (own, 0, 1);
  return own;
}

typedef struct
{
  IfbamDistributedInput *input;
  gboolean read; /* this rank has read the file */
} First;

/* Compiles the own nodes with one layer. NULL without an issue: another rank can't read it. */
static IfbamModel *
compile_first (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
               GArray *issues)
{
  First *first = data;
  IfbamDistributedInput *self = first->input;
  g_autoptr (GArray) doubts = ifbam_issues_new (), own = NULL;

  first->read = TRUE;
  if (!ifbam_ranks_all (TRUE))
    return NULL;
  self->graph = ifbam_network_graph_new (network, doubts);
  if (self->graph != NULL && (!is_large (self->graph) || !assign_owners (self)))
    ifbam_distributed_input_clear (self);
  if (self->graph == NULL)
    return ifbam_network_compile (network, TRUE, spec, signals, issues);
  own = list_own_nodes (self);
  return ifbam_network_graph_compile (self->graph, ifbam_network_graph_cut (self->graph, own, 1),
                                      spec, signals, issues);
}

IfbamNetwork *
ifbam_distributed_input_read (IfbamDistributedInput *self, const char *path,
                              const char *const *settings, gboolean may_cut, gboolean keeps_text,
                              IfbamModel **model, IfbamRunSpec *spec, IfbamSignals **signals,
                              GError **error)
{
  First first = { self, FALSE };
  const IfbamCompiling compiling = { compile_first, &first, ifbam_network_checksum };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  IfbamNetwork *network;

  if (!may_cut)
    return ifbam_network_new_compiled (path, settings, keeps_text, model, spec, signals, error);
  bytes = ifbam_network_bytes_new (path, error);
  network = bytes == NULL ? NULL
                          : ifbam_network_new_compiled_by (bytes, settings, &compiling, model, spec,
                                                           signals, error);
  if (!first.read)
    ifbam_ranks_all (FALSE);
  if (network != NULL && keeps_text)
    network->text = g_memdup2 (bytes->text, bytes->length + 1);
  return network;
}

/* Returns own nodes with their halo, nodes that signals read (with a halo, too, if they are read
 * between stages), and nodes of whole components. */
static IfbamSubnetwork *
cut (const IfbamDistributedInput *self, const IfbamRankPlan *plan, const GArray *looked_at)
{
  const IfbamNetworkGraph *graph = self->graph;
  g_autoptr (GArray) own = list_own_nodes (self), marked = NULL, around = NULL, all = NULL;
  g_autoptr (GArray) seeds = plan->by_stages ? ifbam_ranges_unite (own, looked_at) : NULL;
  g_autoptr (GArray) layers =
      ifbam_network_graph_add_layers (graph, seeds != NULL ? seeds : own, plan->depth);

  marked = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint64 i = 0; self->mark != NULL && i < graph->n_free; i++)
    if (self->mark[i])
      g_array_append_val (marked, i);
  around = ifbam_ranges_unite (layers, looked_at);
  all = ifbam_ranges_unite (around, marked);
  return ifbam_network_graph_cut (graph, all, 0);
}

static void
set_error (const GArray *issues, GError **error)
{
  g_autofree char *text = issues->len == 0
                              ? g_strdup ("the network can't be compiled")
                              : ifbam_issue_to_string (&g_array_index (issues, IfbamIssue, 0));

  g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, text);
}

/* Layers that own nodes may have. */
typedef struct
{
  const IfbamDistributedInput *input;
  guint layers;
  gboolean counted;
} Room;

static gboolean
fits (gpointer data, guint layers)
{
  Room *room = data;
  const IfbamDistributedInput *input = room->input;
  const guint64 n_own = input->graph->n_free / (guint64) ifbam_ranks ()->n;

  if (input->owner == NULL)
    return 2.0 * (double) input->reach * layers <= IFBAM_RANKS_LAYERS * (double) n_own;
  if (!room->counted)
    {
      g_autoptr (GArray) own = list_own_nodes (input);

      room->layers = ifbam_network_graph_count_layers (
          input->graph, own, layers,
          (guint64) (IFBAM_RANKS_LAYERS * (double) ifbam_ranges_count (own)));
      room->counted = TRUE;
    }
  return ifbam_ranks_all (layers <= room->layers);
}

/* Compiles the subdomain of a file, or cuts the compiled network. NULL without an error: a signal's
 * object is on no rank. */
static IfbamSubdomain *
make_part (IfbamDistributedInput *self, const IfbamRankPlan *plan, const GArray *looked_at,
           IfbamRunSpec *spec, IfbamSignals **signals, GError **error)
{
  const IfbamNetworkGraph *graph = self->graph;
  g_autoptr (GArray) issues = ifbam_issues_new ();
  IfbamSubnetwork *subnetwork = cut (self, plan, looked_at);
  IfbamModel *model;

  if (graph->rows != NULL)
    ifbam_graph_rows_discard (graph->rows);
  model = ifbam_network_graph_compile (graph, subnetwork, spec, signals, issues);
  if (model == NULL)
    set_error (issues, error);
  /* All signals have their objects. */
  if (ifbam_ranks_agree_on_error (error) && !ifbam_ranks_any ((*signals)->elsewhere))
    return ifbam_subdomain_new (model, plan, self->owner, spec, graph->model, self->mark);
  ifbam_model_free (model);
  return NULL;
}

IfbamSubdomain *
ifbam_distributed_input_take_part (IfbamDistributedInput *self, IfbamModel **model,
                                   IfbamRunSpec *spec, IfbamSignals **signals, gboolean full,
                                   GError **error)
{
  g_autoptr (GArray) looked_at = ifbam_rank_list_read_nodes (*model, *signals);
  Room room = { .input = self };
  IfbamSubdomain *part;
  IfbamRankPlan plan;

  if (self->graph == NULL && !assign_compiled_owners (self, *model))
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "PT-Scotch finds no partition of this network");
  if (self->graph->model == NULL)
    {
      g_clear_pointer (model, ifbam_model_free);
      g_clear_pointer (signals, ifbam_signals_free);
    }
  plan = ifbam_rank_plan (self->graph, spec, ifbam_ranks_any (full), fits, &room);
  if (self->graph->model == NULL)
    ifbam_run_spec_clear (spec);
  part = make_part (self, &plan, looked_at, spec, signals, error);
  ifbam_distributed_input_clear (self);
  return part;
}

/* network-graph-cut.c: parts of a network graph: layers of neighbours, links among nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/network-graph.h"

#include <string.h>

#include "base/compare.h"
#include "engine/engine.h"
#include "run/communicator.h"
#include "run/compiled-part.h"

/* Nodes of a cut */

/* Called with a range of a path's nodes, from low on, to below high. */
typedef void (*Stretch) (gpointer data, const IfbamGraphPath *path, guint64 low, guint64 high);

/* Calls `stretch` for the ranges of paths within some nodes. */
static void
find_stretches (const IfbamNetworkGraph *graph, const GArray *ranges, Stretch stretch,
                gpointer data)
{
  for (guint p = 0; p < graph->paths->len; p++)
    {
      const IfbamGraphPath *path = &g_array_index (graph->paths, IfbamGraphPath, p);
      guint r = ifbam_ranges_bound (ranges, path->first);

      for (IfbamRange part;
           ifbam_ranges_next_within (ranges, path->first, path->first + path->count, &r, &part);)
        stretch (data, path, part.first, part.first + part.count);
    }
}

/* Returns the next join, from *i on, that begins at one of these nodes; NULL: no more. */
static const IfbamGraphJoin *
next_join (const IfbamNetworkGraph *graph, const GArray *ranges, guint *r, guint *i)
{
  for (; *i < graph->joins->len && *r < ranges->len;)
    {
      const IfbamGraphJoin *join = &g_array_index (graph->joins, IfbamGraphJoin, *i);
      const IfbamRange *range = &g_array_index (ranges, IfbamRange, *r);

      if (join->node >= range->first + range->count)
        ++*r;
      else if (++*i, join->node >= range->first)
        return join;
    }
  return NULL;
}

static void
add_neighbours (gpointer data, const IfbamGraphPath *path, guint64 low, guint64 high)
{
  const guint64 before = low - 1, after = high;

  if (low > path->first)
    g_array_append_val ((GArray *) data, before);
  if (high < path->first + path->count)
    g_array_append_val ((GArray *) data, after);
}

/* Appends the free neighbours of a free node of a compiled network, once per link (guint64). */
static void
add_model_neighbours (const IfbamModel *model, guint64 node, GArray *numbers)
{
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (gsize));

  ifbam_model_add_neighbours (model, ifbam_model_free_node (model, (gsize) node), near);
  for (guint i = 0; i < near->len; i++)
    if (g_array_index (near, gsize, i) < model->n_free)
      {
        const guint64 number = ifbam_model_file_index (model, g_array_index (near, gsize, i));

        g_array_append_val (numbers, number);
      }
}

/* Returns TRUE if neighbours are found node by node, not along paths. */
static gboolean
is_by_nodes (const IfbamNetworkGraph *graph)
{
  return graph->rows != NULL || graph->model != NULL;
}

/* Appends neighbours found node by node (guint64); of rows only those outside known ranges. */
static void
add_neighbours_of (const IfbamNetworkGraph *graph, const GArray *nodes, const GArray *known,
                   GArray *numbers)
{
  if (graph->rows != NULL)
    ifbam_graph_rows_list_neighbours (graph->rows, nodes, known, numbers);
  for (guint i = 0; graph->model != NULL && i < nodes->len; i++)
    add_model_neighbours (graph->model, g_array_index (nodes, guint64, i), numbers);
}

/* Returns the indices in ranges (transfer full). */
static GArray *
list_numbers (const GArray *ranges)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint r = 0; r < ranges->len; r++)
    {
      const IfbamRange *range = &g_array_index (ranges, IfbamRange, r);

      for (guint64 i = range->first; i < range->first + range->count; i++)
        g_array_append_val (numbers, i);
    }
  return numbers;
}

/* Returns those of ascending numbers that are in no range, each once (transfer full). */
static GArray *
list_new (const GArray *ranges, const GArray *numbers)
{
  GArray *outer_layer = g_array_new (FALSE, FALSE, sizeof (guint64));
  gsize place;

  for (guint i = 0; i < numbers->len; i++)
    {
      const guint64 number = g_array_index (numbers, guint64, i);

      if ((i == 0 || g_array_index (numbers, guint64, i - 1) != number)
          && !ifbam_ranges_find (ranges, number, &place))
        g_array_append_val (outer_layer, number);
    }
  return outer_layer;
}

/* Returns the ranges with one more layer (transfer full). fresh: if neighbours are found node by
 * node, the last layer, replaced by the new one. */
static GArray *
add_layer (const IfbamNetworkGraph *graph, const GArray *ranges, GArray **outer_layer)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint r = 0, i = 0;
  gsize place;

  if (is_by_nodes (graph))
    add_neighbours_of (graph, *outer_layer, ranges, numbers);
  find_stretches (graph, ranges, add_neighbours, numbers);
  for (const IfbamGraphJoin *join; (join = next_join (graph, ranges, &r, &i)) != NULL;)
    if (!ifbam_ranges_find (ranges, join->other, &place))
      g_array_append_val (numbers, join->other);
  g_array_sort (numbers, ifbam_compare_uint64);
  if (is_by_nodes (graph))
    {
      g_array_unref (*outer_layer);
      *outer_layer = list_new (ranges, numbers);
    }
  return ifbam_ranges_unite (ranges, numbers);
}

/* Links of a cut */

typedef struct
{
  const IfbamNetworkGraph *graph;
  IfbamSubnetwork *subnetwork;
  GArray *incomplete; /* guint64: indices of nodes */
} Cut;

static void
add_incomplete (Cut *cut, guint64 node)
{
  gsize place;

  if (ifbam_ranges_find (cut->subnetwork->nodes, node, &place))
    {
      const guint64 number = place;

      g_array_append_val (cut->incomplete, number);
    }
}

/* Counts n links between two nodes (IFBAM_NO_INDEX: none). Returns TRUE if they are here. */
static gboolean
count_links (Cut *cut, guint64 left, guint64 right, guint64 n)
{
  const gboolean here[] = {
    ifbam_network_graph_is_in_subnetwork (cut->graph, cut->subnetwork, left),
    ifbam_network_graph_is_in_subnetwork (cut->graph, cut->subnetwork, right)
  };

  if (left == IFBAM_NO_INDEX || right == IFBAM_NO_INDEX)
    return FALSE;
  if (here[0] && here[1])
    cut->subnetwork->n_own_links += n;
  else if (here[0] || here[1])
    add_incomplete (cut, here[0] ? left : right);
  return here[0] && here[1];
}

static gboolean
count_row (gpointer data, guint64 left, guint64 right, guint n)
{
  return count_links (data, left, right, n);
}

static void
count_stretch (gpointer data, const IfbamGraphPath *path, guint64 low, guint64 high)
{
  Cut *cut = data;

  cut->subnetwork->n_own_links += (high - low - 1) * path->n_kinds;
  if (low > path->first)
    add_incomplete (cut, low);
  if (high < path->first + path->count)
    add_incomplete (cut, high - 1);
}

/* Finds the links and sources of a compiled network with nodes here. */
static void
find_compiled (Cut *cut)
{
  const IfbamModel *model = cut->graph->model;
  IfbamSubnetwork *subnetwork = cut->subnetwork;

  for (gsize l = 0; l < model->n_links; l++)
    {
      guint32 ends[IFBAM_MAX_ENDS];
      const guint n = ifbam_model_free_ends (model, l, ends);
      guint n_here = 0;

      for (guint e = 0; e < n; e++)
        n_here += ifbam_network_graph_is_in_subnetwork (cut->graph, cut->subnetwork, ends[e]);
      if (n_here == n)
        ifbam_ranges_append (subnetwork->links, l, 1);
      for (guint e = 0; e < n && n_here < n; e++)
        add_incomplete (cut, ends[e]);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (model->source_node[s] >= model->n_free
        || ifbam_network_graph_is_in_subnetwork (
            cut->graph, cut->subnetwork, ifbam_model_file_index (model, model->source_node[s])))
      ifbam_ranges_append (subnetwork->sources, s, 1);
  subnetwork->n_own_links = ifbam_ranges_count (subnetwork->links);
}

static void
count_all_links (Cut *cut)
{
  const IfbamNetworkGraph *graph = cut->graph;

  if (graph->model != NULL)
    find_compiled (cut);
  find_stretches (graph, cut->subnetwork->nodes, count_stretch, cut);
  for (guint p = 0; p < graph->paths->len; p++)
    {
      const IfbamGraphPath *path = &g_array_index (graph->paths, IfbamGraphPath, p);

      count_links (cut, path->head, path->first, path->n_kinds);
      count_links (cut, path->first + path->count - 1, path->tail, path->n_kinds);
    }
  for (guint i = 0; i < graph->links->len; i++)
    {
      const IfbamGraphEnds *ends = &g_array_index (graph->links, IfbamGraphEnds, i);

      count_links (cut, ends->left, ends->right, 1);
    }
  if (graph->rows != NULL)
    cut->subnetwork->columns =
        ifbam_graph_rows_take (graph->rows, cut->subnetwork->nodes, count_row, cut);
  g_array_sort (cut->incomplete, ifbam_compare_uint64);
  for (guint i = 0; i < cut->incomplete->len; i++)
    {
      const guint32 place = (guint32) g_array_index (cut->incomplete, guint64, i);

      if (i == 0 || g_array_index (cut->incomplete, guint64, i - 1) != place)
        g_array_append_val (cut->subnetwork->incomplete, place);
    }
}

/* told: requests and stores rows at the nodes from other ranks, also those at the last layer. */
static GArray *
add_layers (const IfbamNetworkGraph *graph, const GArray *own, guint layers, gboolean told)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) outer_layer = is_by_nodes (graph) ? list_numbers (own) : NULL;
  GArray *nodes = ifbam_ranges_unite (own, none);

  if (graph->rows != NULL)
    ifbam_graph_rows_begin (graph->rows);
  for (guint d = 0; d < layers; d++)
    {
      GArray *more = add_layer (graph, nodes, &outer_layer);

      if (graph->rows != NULL && !told)
        ifbam_graph_rows_begin (graph->rows);
      g_array_unref (nodes);
      nodes = more;
    }
  if (graph->rows != NULL && told)
    ifbam_graph_rows_list_neighbours (graph->rows, outer_layer, nodes, none);
  return nodes;
}

GArray *
ifbam_network_graph_add_layers (const IfbamNetworkGraph *graph, const GArray *own, guint layers)
{
  return add_layers (graph, own, layers, FALSE);
}

IfbamSubnetwork *
ifbam_network_graph_cut (const IfbamNetworkGraph *graph, const GArray *own, guint layers)
{
  IfbamSubnetwork *subnetwork = ifbam_subnetwork_new (graph->n_ids);
  g_autoptr (GArray) incomplete = g_array_new (FALSE, FALSE, sizeof (guint64));
  Cut cut = { graph, subnetwork, incomplete };

  subnetwork->n_free = graph->n_free;
  if (graph->n_ids > 0)
    {
      memcpy (subnetwork->node, graph->node, graph->n_ids * sizeof *graph->node);
      memcpy (subnetwork->link, graph->link, graph->n_ids * sizeof *graph->link);
    }
  g_array_unref (subnetwork->nodes);
  subnetwork->nodes = add_layers (graph, own, layers, TRUE);
  count_all_links (&cut);
  return subnetwork;
}

guint
ifbam_network_graph_count_layers (const IfbamNetworkGraph *graph, const GArray *own, guint most,
                                  guint64 room)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) nodes = ifbam_ranges_unite (own, none), outer_layer = list_numbers (own);
  const guint64 n_own = ifbam_ranges_count (own);
  gboolean open = TRUE;
  guint layers = 0;

  /* A rank with enough layers still answers requests. */
  for (guint d = 0; d < most && ifbam_ranks_any (open); d++)
    {
      const gsize before = ifbam_ranges_count (nodes);
      GArray *more = open ? add_layer (graph, nodes, &outer_layer) : NULL;

      if (!open && graph->rows != NULL)
        ifbam_graph_rows_list_neighbours (graph->rows, none, nodes, none);
      if (graph->rows != NULL)
        ifbam_graph_rows_begin (graph->rows);
      if (more == NULL)
        continue;
      g_array_unref (nodes);
      nodes = more;
      open = ifbam_ranges_count (nodes) - n_own <= room;
      if (open)
        layers = d + 1;
      if (ifbam_ranges_count (nodes) == before)
        {
          open = FALSE;
          layers = most;
        }
    }
  return layers;
}

/* Neighbours */

typedef struct
{
  guint64 first, count;
  GArray *start, *neighbour;
  gboolean counts; /* TRUE: first pass, which only counts */
} Neighbours;

static void
add_neighbour (Neighbours *list, guint64 node, guint64 other)
{
  const guint64 i = node - list->first;

  if (node < list->first || i >= list->count)
    return;
  if (list->counts)
    g_array_index (list->start, guint64, i + 2)++;
  else
    g_array_index (list->neighbour, guint64, g_array_index (list->start, guint64, i + 1)++) = other;
}

static void
add_path_range (gpointer data, const IfbamGraphPath *path, guint64 low, guint64 high)
{
  for (guint64 i = low; i < high; i++)
    for (guint64 k = 0; k < path->n_kinds; k++)
      {
        if (i > path->first)
          add_neighbour (data, i, i - 1);
        if (i + 1 < path->first + path->count)
          add_neighbour (data, i, i + 1);
      }
}

static void
add_by_nodes (const IfbamNetworkGraph *graph, Neighbours *list)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 i = list->first; is_by_nodes (graph) && i < list->first + list->count; i++)
    {
      g_array_set_size (others, 0);
      if (graph->rows != NULL)
        ifbam_graph_rows_list (graph->rows, i, NULL, others);
      else
        add_model_neighbours (graph->model, i, others);
      for (guint k = 0; k < others->len; k++)
        if (g_array_index (others, guint64, k) < graph->n_named_free)
          add_neighbour (list, i, g_array_index (others, guint64, k));
    }
}

void
ifbam_network_graph_list_neighbours (const IfbamNetworkGraph *graph, guint64 first, guint64 count,
                                     GArray **start, GArray **neighbour)
{
  g_autoptr (GArray) range = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  Neighbours list = { first, count, g_array_new (FALSE, TRUE, sizeof (guint64)),
                      g_array_new (FALSE, TRUE, sizeof (guint64)), TRUE };

  ifbam_ranges_append (range, first, count);
  g_array_set_size (list.start, (guint) count + 2);
  for (guint pass = 0; pass < 2; pass++)
    {
      guint r = 0, i = 0;

      list.counts = pass == 0;
      find_stretches (graph, range, add_path_range, &list);
      for (const IfbamGraphJoin *join; (join = next_join (graph, range, &r, &i)) != NULL;)
        add_neighbour (&list, join->node, join->other);
      add_by_nodes (graph, &list);
      for (guint64 k = 1; k < count + 2 && list.counts; k++)
        g_array_index (list.start, guint64, k) += g_array_index (list.start, guint64, k - 1);
      if (list.counts)
        g_array_set_size (list.neighbour, (guint) g_array_index (list.start, guint64, count + 1));
    }
  g_array_set_size (list.start, (guint) count + 1);
  *start = list.start;
  *neighbour = list.neighbour;
}

/* diagram-graph.c: graph of a network's elements for a diagram, and choice of the nodes to draw
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/diagram-graph.h"

#include "base/compare.h"
#include "figure/foreach.h"

#define FEW        16 /* free nodes; all are drawn */
#define MAX_DRAWN  40 /* in larger networks */
#define MAX_OF_NET 24 /* in a network without chains */
#define MIN_GAP    3  /* smallest number of omitted nodes in a row */
#define MAX_WANTED 12

/* Sets aliases: an element with several coordinates is drawn once, at its first node. */
static void
read_aliases (IfbamDiagramGraph *graph)
{
  const IfbamModel *model = graph->model;
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL);

  graph->alias = g_new (guint32, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    graph->alias[i] = (guint32) i;
  /* State nodes of a link have the alias of its first endpoint. */
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    for (guint k = 0; k < at.link->n_states; k++)
      graph->alias[at.link->node[2 + k]] = MIN (at.link->node[0], at.link->node[1]);
  IFBAM_FOREACH (const IfbamSpan, span, model->node_spans)
    {
      const gsize node = ifbam_model_named_node (model, span->first + span->phase);

      if (!span->lone || span->first >= ifbam_model_n_named_free (model))
        continue;
      if (g_hash_table_contains (first, span->element))
        graph->alias[node] = GPOINTER_TO_UINT (g_hash_table_lookup (first, span->element));
      else
        g_hash_table_insert (first, span->element, GUINT_TO_POINTER ((guint) node));
    }
  /* A branch is drawn as a link, and so is a link with states. */
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      const guint32 drawn = graph->alias[MIN (link->node[0], link->node[1])];

      if (ifbam_link_is_tie (link))
        graph->alias[link->node[2]] = drawn;
      for (guint k = 0; k < link->n_states && link->place == 0; k++)
        graph->alias[link->node[link->n_ports + k]] = drawn;
    }
}

static void
attach (IfbamDiagramGraph *graph, const IfbamElement *element, gsize node)
{
  const IfbamAttachment attachment = { element, graph->alias[node] };

  g_array_append_val (graph->attachments, attachment);
}

/* Finds the drawn nodes of a link, each once; returns their number. Nodes that a link only reads
 * (those of the contact that presses a friction) are omitted. */
static guint
drawn_nodes_of (const IfbamDiagramGraph *graph, const IfbamLink *link, guint32 *drawn_nodes)
{
  char *const *names = ifbam_link_end_names (link);
  const guint most = names == NULL || link->normal_force == NULL ? IFBAM_MAX_PORTS
                                                                 : g_strv_length ((char **) names);
  guint n = 0;

  for (guint e = 0; e < link->n_ports && n < most; e++)
    {
      const guint32 thing = graph->alias[link->node[e]];
      gboolean known = ifbam_model_is_rest (graph->model, link->node[e]);

      for (guint i = 0; i < n; i++)
        known |= drawn_nodes[i] == thing;
      if (!known)
        drawn_nodes[n++] = thing;
    }
  return n;
}

static void
add_edge (IfbamDiagramGraph *graph, const IfbamLinkIter *at, guint32 left, guint32 right)
{
  const gsize edge = graph->n_edges++;

  graph->link[edge] = at->number + (at->slot < G_MAXSIZE ? 0 : graph->model->n_links);
  graph->left[edge] = left;
  graph->right[edge] = right;
}

/* Adds a link's edges: from its first node to all others. */
static void
read_link (IfbamDiagramGraph *graph, const IfbamLinkIter *at)
{
  const gboolean batched = at->slot < G_MAXSIZE;
  guint32 drawn_nodes[IFBAM_MAX_PORTS] = { 0 };
  const guint n = drawn_nodes_of (graph, at->link, drawn_nodes);

  for (guint i = 1; i < n; i++)
    add_edge (graph, at, drawn_nodes[0], drawn_nodes[i]);
  if (n > 1)
    return;
  if (n == 1 && (!batched || ifbam_model_is_rest (graph->model, at->link->node[1])))
    attach (graph, at->link->element, drawn_nodes[0]);
  add_edge (graph, at, drawn_nodes[0], drawn_nodes[0]);
}

static void
read_edges (IfbamDiagramGraph *graph)
{
  const IfbamModel *model = graph->model;
  gsize most = model->n_links;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    most += MAX (link->n_ports, 1);
  graph->left = g_new (guint32, most + 1);
  graph->right = g_new (guint32, most + 1);
  graph->link = g_new (gsize, most + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    if (at.link->place == 0 || ifbam_link_is_tie (at.link))
      read_link (graph, &at);
  for (gsize i = 0; i < model->n_sources; i++)
    attach (graph, ifbam_model_source_of (model, i)->element, model->source_node[i]);
  IFBAM_FOREACH (const IfbamImpulse, impulse, model->impulses)
    {
      for (guint e = 0; e < impulse->n_nodes; e++)
        if (e == 0 || graph->alias[impulse->node[e]] != graph->alias[impulse->node[e - 1]])
          attach (graph, impulse->element, impulse->node[e]);
    }
}

static void
find_neighbours (IfbamDiagramGraph *graph)
{
  const gsize n = graph->model->n_free;
  g_autofree gsize *place = NULL;
  gsize kept = 0;

  graph->start = g_new0 (gsize, n + 2);
  for (gsize i = 0; i < graph->n_edges; i++)
    if (ifbam_graph_joins_free (graph, i))
      {
        graph->start[graph->left[i] + 1]++;
        graph->start[graph->right[i] + 1]++;
      }
  for (gsize i = 0; i < n; i++)
    graph->start[i + 1] += graph->start[i];
  graph->neighbour = g_new (guint32, graph->start[n] + 1);
  place = g_memdup2 (graph->start, (n + 1) * sizeof *place);
  for (gsize i = 0; i < graph->n_edges; i++)
    if (ifbam_graph_joins_free (graph, i))
      {
        graph->neighbour[place[graph->left[i]]++] = graph->right[i];
        graph->neighbour[place[graph->right[i]]++] = graph->left[i];
      }
  for (gsize i = 0, from = 0; i < n; i++)
    {
      const gsize to = graph->start[i + 1], first = kept;

      qsort (graph->neighbour + from, to - from, sizeof (guint32), ifbam_compare_uint32);
      for (gsize j = from; j < to; j++)
        if (kept == first || graph->neighbour[kept - 1] != graph->neighbour[j])
          graph->neighbour[kept++] = graph->neighbour[j];
      from = to;
      graph->start[i + 1] = kept;
    }
}

/* Returns the nodes to keep: ends and forks, those beside given nodes and under loads, and wanted
 * ones (n_free; transfer full). */
static guint8 *
find_special (const IfbamDiagramGraph *graph)
{
  const gsize n = graph->model->n_free;
  guint8 *special = g_new0 (guint8, n + 1);

  for (gsize i = 0; i < n; i++)
    special[i] = ifbam_graph_degree (graph, i) != 2 || n <= FEW;
  for (gsize i = 0; i < graph->n_edges; i++)
    if ((graph->left[i] < n) != (graph->right[i] < n)) /* one endpoint is given */
      special[MIN (graph->left[i], graph->right[i])] = TRUE;
  /* Loads on many nodes distinguish none of them. */
  IFBAM_FOREACH (const IfbamAttachment, attachment, graph->attachments)
    if (attachment->node < n && graph->attachments->len < n / 2 + FEW)
      special[attachment->node] = TRUE;
  for (gsize i = 0; i < graph->n_wanted && graph->n_wanted <= MAX_WANTED; i++)
    if (graph->wanted[i] < n)
      special[graph->alias[graph->wanted[i]]] = TRUE;
  for (gsize i = 0; i < n; i++)
    special[i] &= graph->alias[i] == i;
  return special;
}

/* Marks nodes of a row from `node` on, coming from `before`: `most` of them, or up to a kept or
 * marked one. Returns their number. */
static gsize
mark_row (const IfbamDiagramGraph *graph, guint8 *mark, gsize before, gsize node, gsize most)
{
  gsize length = 0;

  for (; length < most && !graph->kept[node] && !mark[node]; length++)
    {
      const gsize next = ifbam_graph_next (graph, before, node);

      mark[node] = TRUE;
      before = node;
      node = next;
    }
  return length;
}

/* Omits the middle of rows of equal nodes, unless it is short. */
static void
choose_nodes (IfbamDiagramGraph *graph)
{
  const gsize n = graph->model->n_free, *start = graph->start;
  g_autofree guint8 *special = find_special (graph), *seen = g_new0 (guint8, n + 1);
  gsize n_kept = 0;

  graph->kept = g_memdup2 (special, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      seen[i] = graph->alias[i] != i;
      for (gsize j = start[i]; special[i] && j < start[i + 1]; j++)
        graph->kept[graph->neighbour[j]] = TRUE;
    }
  /* Rows beside kept nodes. */
  for (gsize i = 0; i < n; i++)
    for (gsize j = start[i]; graph->kept[i] && j < start[i + 1]; j++)
      {
        const gsize length = mark_row (graph, seen, i, graph->neighbour[j], n);

        if (length < MIN_GAP)
          mark_row (graph, graph->kept, i, graph->neighbour[j], length);
      }
  /* A ring of equal nodes. */
  for (gsize i = 0; i < n; i++)
    if (!graph->kept[i] && !seen[i])
      {
        const guint32 *two = graph->neighbour + start[i];
        const gsize beyond = ifbam_graph_next (graph, i, two[0]);

        graph->kept[i] = graph->kept[two[0]] = graph->kept[two[1]] = TRUE;
        mark_row (graph, seen, two[0], beyond, n);
      }
  for (gsize i = 0; i < n; i++)
    n_kept += graph->kept[i];
  graph->most = n_kept > MAX_DRAWN ? MAX_OF_NET : MAX_DRAWN;
}

IfbamDiagramGraph *
ifbam_diagram_graph_new (const IfbamModel *model, const gsize *wanted, gsize n_wanted)
{
  IfbamDiagramGraph *graph = g_new0 (IfbamDiagramGraph, 1);

  *graph =
      (IfbamDiagramGraph){ .model = model,
                           .wanted = wanted,
                           .n_wanted = n_wanted,
                           .attachments = g_array_new (FALSE, FALSE, sizeof (IfbamAttachment)) };
  read_aliases (graph);
  read_edges (graph);
  find_neighbours (graph);
  choose_nodes (graph);
  return graph;
}

void
ifbam_diagram_graph_free (IfbamDiagramGraph *graph)
{
  g_array_unref (graph->attachments);
  g_free (graph->alias);
  g_free (graph->left);
  g_free (graph->right);
  g_free (graph->link);
  g_free (graph->start);
  g_free (graph->neighbour);
  g_free (graph->kept);
  g_free (graph);
}

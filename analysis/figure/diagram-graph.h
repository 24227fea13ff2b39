/* diagram-graph.h: graph of a network's elements for a diagram, and choice of the nodes to draw
 *
 * In large networks long rows of equal nodes are cut short; without such rows only a part is drawn.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* An element on one node: source, impulse, link with one endpoint. */
typedef struct
{
  const IfbamElement *element;
  gsize node;
} IfbamAttachment;

typedef struct
{
  const IfbamModel *model;
  guint32 *alias; /* first node of the element with a node (n_nodes) */
  /* Edges of links in the order of the file, then of unbatched ones; links between more than two
   * nodes have several. Links with both ends on one node are not drawn. */
  gsize n_edges;
  guint32 *left, *right; /* nodes (n_edges) */
  gsize *link;           /* indices of their links: ifbam_link_iter_seek () (n_edges) */
  GArray *attachments;   /* IfbamAttachment */
  gsize *start;          /* free neighbours of free nodes (n_free + 1) */
  guint32 *neighbour;    /* neighbours, each once */
  guint8 *kept;          /* (n_free) */
  const gsize *wanted;   /* nodes that must be drawn (n_wanted) */
  gsize n_wanted;
  guint most; /* largest number of free nodes to draw */
} IfbamDiagramGraph;

/* The model and the wanted nodes must outlive the graph. */
IfbamDiagramGraph *ifbam_diagram_graph_new (const IfbamModel *model, const gsize *wanted,
                                            gsize n_wanted);
void ifbam_diagram_graph_free (IfbamDiagramGraph *graph);

static inline gboolean
ifbam_graph_joins_free (const IfbamDiagramGraph *graph, gsize edge)
{
  const gsize n = graph->model->n_free;

  return graph->left[edge] < n && graph->right[edge] < n && graph->left[edge] != graph->right[edge];
}

static inline gsize
ifbam_graph_degree (const IfbamDiagramGraph *graph, gsize node)
{
  return graph->start[node + 1] - graph->start[node];
}

/* Returns the node after `node` in a row of nodes with two neighbours, coming from `before`. */
static inline gsize
ifbam_graph_next (const IfbamDiagramGraph *graph, gsize before, gsize node)
{
  const guint32 *two = graph->neighbour + graph->start[node];

  return two[0] == before ? two[1] : two[0];
}

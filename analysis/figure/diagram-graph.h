/* diagram-graph.h: which elements of a network are joined, and which of its nodes a diagram shows
 *
 * Of a large network long rows of like nodes are cut short, and of one that has none a part is drawn.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* An element that acts on one node: a source, an impulse, a link with one end. */
typedef struct
{
  const IfbamElement *element;
  gsize node;
} IfbamAttachment;

typedef struct
{
  const IfbamModel *model;
  guint32 *
      alias; /* of a node: the first node of its element, if that has several coordinates; else itself (n_nodes) */
  /* Links by file order, then single ones, which are several where they join more than two. Both ends on one node:
   * not drawn. */
  gsize n_edges;
  guint32 *left, *right; /* nodes (n_edges) */
  gsize *link;           /* their links' indices: ifbam_link_iter_seek () (n_edges) */
  GArray *attachments;   /* IfbamAttachment */
  gsize *start;          /* free neighbours of free nodes (n_free + 1) */
  guint32 *neighbour;    /* each once */
  guint8 *kept;          /* (n_free) */
  const gsize *wanted;   /* nodes that must be seen (n_wanted) */
  gsize n_wanted;
  guint most; /* free nodes that are drawn, at most */
} IfbamDiagramGraph;

/* The model and the wanted nodes outlive the graph. */
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

/* The node after `node` on a row of nodes with two neighbours, coming from `before`. */
static inline gsize
ifbam_graph_next (const IfbamDiagramGraph *graph, gsize before, gsize node)
{
  const guint32 *two = graph->neighbour + graph->start[node];

  return two[0] == before ? two[1] : two[0];
}

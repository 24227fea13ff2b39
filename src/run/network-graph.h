/* network-graph.h: graph of a network by indices in the file; layers of neighbours; models of some
 * nodes
 *
 * The graph of a file has no data per node and link of a composite: that of a [chain] of 10^12
 * masses is a few numbers, and a subnetwork's model needs memory for the subnetwork only. With
 * files of columns each rank has some rows, and functions are collective calls. The graph of a
 * compiled network reads the model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"
#include "file/file.h"
#include "run/distributed-rows.h"

/* Of a composite: nodes first to first + count - 1, each joined to the next by n_kinds links. */
typedef struct
{
  guint64 head, first, count, tail; /* IFBAM_NO_INDEX: none */
  guint64 n_kinds;
} IfbamGraphPath;

/* Nodes at a link's ends; IFBAM_NO_INDEX: no such node. */
typedef struct
{
  guint64 left, right;
} IfbamGraphEnds;

/* A node and one of its neighbours. */
typedef struct
{
  guint64 node, other;
} IfbamGraphJoin;

typedef struct
{
  IfbamNetwork *network; /* owned reference; NULL: graph of a model */
  IfbamModel *model;     /* the whole network, compiled (not owned); NULL: graph of a file */
  guint64 n_named_free;  /* free nodes except state nodes: the first in file order */
  guint64 n_free,
      /* in the file; given nodes: from n_free on; a row of columns has an index per kind */
      n_links;
  guint64 n_given;
  guint64 *node, *link; /* first nodes and links of elements, by element id */
  guint32 n_ids;
  GArray *paths;        /* IfbamGraphPath: of composites, by their first node */
  GArray *links;        /* IfbamGraphEnds: of elements, in the order of the file */
  GArray *joins;        /* IfbamGraphJoin: neighbours outside of paths, by node */
  IfbamGraphRows *rows; /* of columns; NULL: none */
  /* of the parameters of composites' members; above IFBAM_GRAPH_WINDOW: a lower bound */
  guint64 period;
  GArray *marks; /* guint64: nodes next to members with individual parameters */
} IfbamNetworkGraph;

/* Count of a composite's nodes in a sample. */
#define IFBAM_GRAPH_WINDOW 10000

/* Returns the graph of a network file (transfer full). NULL with issues: some elements have events,
 * or depend on the whole network. */
IfbamNetworkGraph *ifbam_network_graph_new (IfbamNetwork *network, GArray *issues);
/* Returns the graph of a compiled network, which has to outlive the graph (transfer full). */
IfbamNetworkGraph *ifbam_network_graph_new_from_model (IfbamModel *model);
void ifbam_network_graph_free (IfbamNetworkGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamNetworkGraph, ifbam_network_graph_free)

/* Returns the free nodes of ranges (IfbamRange, ascending, not adjacent) with some layers of
 * neighbours, and all links among them (transfer full). */
IfbamSubnetwork *ifbam_network_graph_cut (const IfbamNetworkGraph *graph, const GArray *own,
                                          guint layers);

/* Returns TRUE if a subnetwork has a node of the graph; all have the given nodes. */
static inline gboolean
ifbam_network_graph_is_in_subnetwork (const IfbamNetworkGraph *graph,
                                      const IfbamSubnetwork *subnetwork, guint64 node)
{
  gsize place;

  return node >= graph->n_free || ifbam_ranges_find (subnetwork->nodes, node, &place);
}

/* Returns a subnetwork that represents the whole (transfer full): elements of the file, ends of
 * composites, a window of their repeated members, members with individual parameters, sources,
 * records or links, and one layer around: each kind of node with all links. NULL: too large. */
IfbamSubnetwork *ifbam_network_graph_sample (const IfbamNetworkGraph *graph);

/* Returns nodes with some layers of neighbours (IfbamRange; transfer full). */
GArray *ifbam_network_graph_add_layers (const IfbamNetworkGraph *graph, const GArray *own,
                                        guint layers);

/* Returns the largest count of layers, up to `most`, with at most `room` nodes (or all nodes). */
guint ifbam_network_graph_count_layers (const IfbamNetworkGraph *graph, const GArray *own,
                                        guint most, guint64 room);

/* Lists the neighbours of the free nodes first to first + count - 1: of node i of them
 * neighbour[start[i]] to neighbour[start[i + 1] - 1], one per link (guint64; transfer full): free
 * nodes without states. With columns, the nodes must be in this rank's block. */
void ifbam_network_graph_list_neighbours (const IfbamNetworkGraph *graph, guint64 first,
                                          guint64 count, GArray **start, GArray **neighbour);

/* Returns the model of a subnetwork (taken over: model->subnetwork), with nodes and links in file
 * order. Of a file as ifbam_network_compile (), without signals of objects elsewhere; of a compiled
 * network signals get the indices of the part, and spec is unchanged. NULL with issues. */
IfbamModel *ifbam_network_graph_compile (const IfbamNetworkGraph *graph,
                                         IfbamSubnetwork *subnetwork, IfbamRunSpec *spec,
                                         IfbamSignals **signals, GArray *issues);

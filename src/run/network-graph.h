/* network-graph.h: nodes and links of a network by their indices in the file; layers of neighbours; models of some nodes
 *
 * The graph of a file has no data for each node and link of a composite: the graph of a [chain] of 10^12 masses is a few
 * numbers, and the memory of a subnetwork's model depends on the subnetwork only. Of files of columns each rank has some rows:
 * functions of such a graph are called by all ranks at once. The graph of a compiled network reads the model.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"
#include "file/file.h"
#include "run/distributed-rows.h"

/* Of a composite: nodes first to first + count - 1, each joined to the next by n_kinds links. */
typedef struct
{
  guint64 head, first, count, tail; /* IFBAM_NO_NUMBER: none */
  guint64 n_kinds;
} IfbamGraphPath;

/* Nodes at a link's ends; IFBAM_NO_NUMBER: there is no such node. */
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
  IfbamNetwork *network; /* held; NULL: the graph is of a model */
  IfbamModel *model;     /* the whole network, compiled (not owned); NULL: the graph is of a file */
  guint64 n_outer;       /* free nodes without states of links: the first in the file's order */
  guint64 n_free,
      n_links; /* in the file; given nodes have indices from n_free on, and a row of columns
                            * has an index for each kind of link in its file */
  guint64 n_given;
  guint64 *node, *link; /* first nodes and links of elements, by ids */
  guint32 n_ids;
  GArray *paths;        /* IfbamGraphPath: of composites, by their first node */
  GArray *links;        /* IfbamGraphEnds: of elements, in the order of the file */
  GArray *joins;        /* IfbamGraphJoin: neighbours elsewhere than along a path, by node */
  IfbamGraphRows *rows; /* of columns; NULL: there are none */
  guint64
      period; /* of the parameters of composites' members; above IFBAM_GRAPH_WINDOW: a lower bound */
  GArray *marks; /* guint64: nodes beside composites' members with parameters of their own */
} IfbamNetworkGraph;

/* Number of a composite's nodes in a sample. */
#define IFBAM_GRAPH_WINDOW 10000

/* Returns the graph of a network file (transfer full). NULL with issues: elements with events, or such that depend on the whole
 * network. */
IfbamNetworkGraph *ifbam_network_graph_new (IfbamNetwork *network, GArray *issues);
/* Returns the graph of a compiled network, which has to outlive the graph (transfer full). */
IfbamNetworkGraph *ifbam_network_graph_new_from_model (IfbamModel *model);
void ifbam_network_graph_free (IfbamNetworkGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamNetworkGraph, ifbam_network_graph_free)

/* Returns the free nodes of ranges (IfbamRange, ascending, apart from each other) with some layers of neighbours, and all links
 * among these nodes (transfer full). */
IfbamSubnetwork *ifbam_network_graph_cut (const IfbamNetworkGraph *graph, const GArray *own,
                                          guint layers);

/* Returns whether a subnetwork has a node of the graph; given nodes are everywhere. */
static inline gboolean
ifbam_network_graph_is_here (const IfbamNetworkGraph *graph, const IfbamSubnetwork *subnetwork,
                             guint64 node)
{
  gsize place;

  return node >= graph->n_free || ifbam_ranges_find (subnetwork->nodes, node, &place);
}

/* Returns a part of the network that represents the whole (transfer full): elements of the file, ends of composites, a window of
 * their repeated members, all members with parameters, sources, records or links of their own, and one layer around these. It
 * has every kind of node of the whole network, with all links. NULL: no such part is much smaller than the whole. */
IfbamSubnetwork *ifbam_network_graph_sample (const IfbamNetworkGraph *graph);

/* Returns nodes with some layers of neighbours (IfbamRange; transfer full). */
GArray *ifbam_network_graph_add_layers (const IfbamNetworkGraph *graph, const GArray *own,
                                        guint layers);

/* Returns the largest number of layers, up to `most`, with at most `room` nodes; `most` if no further layer has nodes. */
guint ifbam_network_graph_count_layers (const IfbamNetworkGraph *graph, const GArray *own,
                                        guint most, guint64 room);

/* Lists the neighbours of the free nodes first to first + count - 1: of the i-th of them neighbour[start[i]] to
 * neighbour[start[i + 1] - 1], once for each link (guint64; transfer full). All neighbours are free nodes without states. If
 * the network has columns, the nodes must be in this rank's block of the file (ifbam_ranks_range). */
void ifbam_network_graph_list_neighbours (const IfbamNetworkGraph *graph, guint64 first,
                                          guint64 count, GArray **start, GArray **neighbour);

/* Returns the model of a subnetwork (taken over: model->subnetwork); its nodes and links have the order of the file. Of a file
 * as ifbam_network_compile (), without signals of objects that are elsewhere; of a compiled network spec is not changed, and
 * signals get the indices of the part. NULL with issues. */
IfbamModel *ifbam_network_graph_compile (const IfbamNetworkGraph *graph,
                                         IfbamSubnetwork *subnetwork, IfbamRunSpec *spec,
                                         IfbamSignals **signals, GArray *issues);

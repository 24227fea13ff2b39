/* subdomain.h: a rank's subdomain: its own nodes, layers of neighbours (halo), nodes that signals
 * read
 *
 * A rank has its own nodes and those up to D links away, with links in the order of the whole
 * network. From missing links errors spread inwards by one layer per stage (with latency: per two
 * cycles, since a force takes one). After T steps, just before an error would reach own nodes,
 * owners send the halo's values. So each value results from the same operations as in one process.
 *
 * IFBAM_RANKS=T[,D[,nan]] sets T and D, for tests; nan: nodes with missing links get NaN.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "run/communicator.h"
#include "run/network-graph.h"

/* Indices in the subdomain of values sent to, or received from, another rank (guint32, owned). */
typedef struct
{
  GArray *send, *take;
} IfbamExchange;

/* Another rank; a message has columns of nodes, then forces in transit. */
typedef struct
{
  IfbamExchange nodes, slots;
  double *out, *in; /* messages */
} IfbamPeer;

/* Returns the count of values in a message. */
static inline gsize
ifbam_peer_length (const IfbamPeer *peer, guint n_columns, gboolean out)
{
  return out ? (gsize) n_columns * peer->nodes.send->len + peer->slots.send->len
             : (gsize) n_columns * peer->nodes.take->len + peer->slots.take->len;
}

typedef struct
{
  IfbamPartitionSums share; /* of the model */
  const IfbamRanks *ranks;
  IfbamModel *model; /* owned; model->subnetwork: its nodes and links in the file */
  guint steps;       /* between exchanges */
  guint depth;       /* layers */
  gint32 *owner;     /* of free nodes (n_free) and links (n_links), in the subdomain's file order */
  gint32 *link_owner;
  IfbamPeer *peers; /* (ranks) */
  /* For saved states: indices in the whole network of nodes and forces (slots, then sources) here,
   * else NULL; the whole network (not owned), NULL: freed. */
  guint32 *whole_node, *whole_force;
  const IfbamModel *whole;
  gpointer data; /* of the caller */
  /* Components with unbatched links or impulses are on all ranks; one rank advances each: its index
   * per node (n_free), -1: no such component; NULL: none. Their nodes in file order (n_kept). */
  gint32 *owner_rank;
  guint32 *kept;
  gsize n_kept;
} IfbamSubdomain;

void ifbam_subdomain_free (IfbamSubdomain *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSubdomain, ifbam_subdomain_free)

/* Plan of a partition. */
typedef struct
{
  guint64 n_free, n_nodes; /* of the file */
  guint steps, depth;
  /* nodes that signals read have a halo, too: losses are computed between stages */
  gboolean by_stages;
} IfbamRankPlan;

/* Nodes of the halo per own node, at most, to exchange values after more steps. */
#define IFBAM_RANKS_LAYERS 0.1
/* Returns the plan; a collective call. full: books losses step by step. fits: TRUE if layers have
 * few nodes on all ranks; called with decreasing counts of layers. */
IfbamRankPlan ifbam_rank_plan (const IfbamNetworkGraph *graph, const IfbamRunSpec *spec,
                               gboolean full, gboolean (*fits) (gpointer data, guint layers),
                               gpointer data);
/* Returns the nodes that signals and external work of any rank read, by indices in the file,
 * ascending, each once (guint64; transfer full). model: the whole network, or a subnetwork with all
 * links at the rank's own nodes. */
GArray *ifbam_rank_list_read_nodes (const IfbamModel *model, const IfbamSignals *signals);
/* Returns this rank's subdomain; a collective call. model: of a subnetwork with the plan's nodes
 * (taken over); owner: ranks of the file's free nodes (n_free), NULL: blocks of the file; whole:
 * compiled (not stored), NULL: on no rank; mark: of ifbam_ranks_assign_components (). */
IfbamSubdomain *ifbam_subdomain_new (IfbamModel *model, const IfbamRankPlan *plan,
                                     const gint32 *owner, const IfbamRunSpec *spec,
                                     const IfbamModel *whole, const guint8 *mark);
/* Prepares for saved states. whole: valid as long as the part; ranks > 0: until it is forgotten. */
void ifbam_subdomain_keep_states (IfbamSubdomain *part, const IfbamModel *whole);
/* Records that the whole network was freed. */
void ifbam_subdomain_unset_whole (IfbamSubdomain *part);

/* subdomain.h: a rank's part of a network: its own nodes, layers of neighbours (halo), and nodes that signals read
 *
 * A rank has its own nodes and those up to D links away, with the links and their order of the whole network. From missing
 * links errors spread inwards by a layer per stage (with latency: per two cycles, since a force takes one). After T steps, just
 * before the first error would reach own nodes, owners send the values of the layers. So each value results from the same
 * operations in the same order as in one process.
 *
 * IFBAM_RANKS=T[,D[,nan]] sets T and D, for tests; nan: nodes with missing links get NaN.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "run/communicator.h"
#include "run/network-graph.h"

/* Indices in the part of values that go to another rank, or come from it (guint32, owned). */
typedef struct
{
  GArray *send, *take;
} IfbamExchange;

/* Another rank; a message has columns of nodes, then forces under way. */
typedef struct
{
  IfbamExchange nodes, slots;
  double *out, *in; /* messages */
} IfbamPeer;

/* Returns the number of values in a message. */
static inline gsize
ifbam_peer_length (const IfbamPeer *peer, guint n_columns, gboolean out)
{
  return out ? (gsize) n_columns * peer->nodes.send->len + peer->slots.send->len
             : (gsize) n_columns * peer->nodes.take->len + peer->slots.take->len;
}

typedef struct
{
  IfbamModelShare share; /* the model's */
  const IfbamRanks *ranks;
  IfbamModel *model; /* owned; model->subnetwork: which nodes and links of the file */
  guint steps;       /* between exchanges */
  guint depth;       /* layers */
  gint32 *owner;     /* of free nodes (n_free) and links (n_links), in the part's file order */
  gint32 *link_owner;
  IfbamPeer *peers; /* (ranks) */
  /* For saved states: indices in the whole network of nodes and forces (slots, then sources) here, else NULL; the whole
   * network (not owned), NULL: no longer there. */
  guint32 *whole_node, *whole_answer;
  const IfbamModel *whole;
  gpointer data; /* of the caller */
  /* Components with unbatched links or impulses are on all ranks; one rank advances each of them. Its index for each node
   * (n_free), -1: of another component; NULL: there are none. Their nodes, in the order of the file (n_kept). */
  gint32 *keeper;
  guint32 *kept;
  gsize n_kept;
} IfbamRankPart;

void ifbam_rank_part_free (IfbamRankPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRankPart, ifbam_rank_part_free)

/* How a network is cut. */
typedef struct
{
  guint64 n_free, n_nodes; /* of the file */
  guint steps, depth;
  gboolean
      by_stages; /* nodes that signals read have layers, too: losses are computed between stages */
} IfbamRankPlan;

/* Layers may have this many nodes per own node, so that ranks exchange values after more steps. */
#define IFBAM_RANKS_LAYERS 0.1
/* Returns the plan; of all ranks at once. full: losses are booked step by step. fits: whether layers have few nodes on all
 * ranks, called for many layers first. */
IfbamRankPlan ifbam_rank_plan (const IfbamNetworkGraph *graph, const IfbamRunSpec *spec,
                               gboolean full, gboolean (*fits) (gpointer data, guint layers),
                               gpointer data);
/* Returns the nodes that signals and external work of any rank read, by numbers of the file, ascending, each once (guint64;
 * transfer full). model: the whole network, or a subnetwork that has all links at the rank's own nodes. */
GArray *ifbam_rank_list_looked_at (const IfbamModel *model, const IfbamSignals *signals);
/* Returns this rank's part; of all ranks at once. model: of a subnetwork of the plan's nodes (taken over); owner: ranks of the
 * file's free nodes (n_free), NULL: ranks have blocks of the file; whole: compiled (not kept), NULL: no rank has it; mark: see
 * ifbam_ranks_deal_components (). */
IfbamRankPart *ifbam_rank_part_new (IfbamModel *model, const IfbamRankPlan *plan,
                                    const gint32 *owner, const IfbamRunSpec *spec,
                                    const IfbamModel *whole, const guint8 *mark);
/* Prepares for saved states. whole: must outlive the part on rank 0, on others until ifbam_rank_part_forget (). */
void ifbam_rank_part_keep_states (IfbamRankPart *part, const IfbamModel *whole);
/* The whole network is no longer there. */
void ifbam_rank_part_forget (IfbamRankPart *part);

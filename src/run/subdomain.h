/* subdomain.h: a rank's part of a network: its own nodes, layers of neighbours, and what is looked at one by one
 *
 * A rank has its own nodes and those that are up to D links away, joined as in the whole network and in the same order.
 * Steps carry errors inwards from where links are missing, by a layer a stage (with latency: in two cycles, since a force
 * takes one). After T steps, when the first error would come to its own nodes, owners say anew what the layers have. So
 * each number comes from the same operations in the same order as on one machine.
 *
 * IFBAM_RANKS=T[,D[,nan]] forces these, for tests; nan: nodes that lack a link here move by no number at all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "run/communicator.h"
#include "run/network-graph.h"

/* Indices in the part whose values go to another rank, or come from it (guint32, owned). */
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
  IfbamModel *model; /* owned; model->excerpt: which nodes and links of the file */
  guint steps;       /* between exchanges */
  guint depth;       /* layers */
  gint32 *owner;     /* of free nodes (n_free) and links (n_links), in the part's file order */
  gint32 *link_owner;
  IfbamPeer *peers; /* (ranks) */
  /* Where states are asked for: numbers of nodes and answers (slots, then sources) in the whole network, by those here; and
   * that network (not owned), where somebody still has it. */
  guint32 *whole_node, *whole_answer;
  const IfbamModel *whole;
  gpointer data; /* of who asked for it */
  /* Components with links that have modes, or with impulses, are on all ranks, and each is one rank's own, whole: its number by
   * the model's nodes (n_free), -1: of another component; NULL: there are none. Their nodes, in the order of the file. */
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
      by_stages; /* layers surround nodes that are looked at, too: losses are computed between stages */
} IfbamRankPlan;

/* Layers may have this many nodes per own node, so that ranks exchange values after more steps. */
#define IFBAM_RANKS_LAYERS 0.1
/* Returns the plan; of all ranks at once. full: losses are booked step by step. fits: whether layers have few nodes on all
 * ranks, called for many layers first. */
IfbamRankPlan ifbam_rank_plan (const IfbamSurvey *graph, const IfbamRunSpec *spec, gboolean full,
                               gboolean (*fits) (gpointer data, guint layers), gpointer data);
/* Returns the nodes that signals and external work of any rank read, by numbers of the file, ascending, each once (guint64;
 * transfer full). model: the whole network, or an excerpt that has all links at the rank's own nodes. */
GArray *ifbam_rank_list_looked_at (const IfbamModel *model, const IfbamSignals *signals);
/* Returns this rank's part; of all ranks at once. model: of an excerpt of the plan's nodes (taken over); owner: ranks of the
 * file's free nodes (n_free), NULL: ranks have blocks of the file; whole: compiled (not kept), NULL: no rank has it; mark: see
 * ifbam_ranks_deal_components (). */
IfbamRankPart *ifbam_rank_part_new (IfbamModel *model, const IfbamRankPlan *plan,
                                    const gint32 *owner, const IfbamRunSpec *spec,
                                    const IfbamModel *whole, const guint8 *mark);
/* States of the whole network will be asked for: it stays with rank 0, and with all until a run has begun with one. */
void ifbam_rank_part_keep_states (IfbamRankPart *part, const IfbamModel *whole);
/* The whole network is let go. */
void ifbam_rank_part_forget (IfbamRankPart *part);

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
#include "run/submodel.h"
#include "run/communicator.h"

/* What goes between this rank and another, by numbers of the part: columns of nodes, then answers of slots under way. */
typedef struct
{
  guint32 *send_node, *take_node, *send_slot, *take_slot;
  gsize n_send_nodes, n_take_nodes, n_send_slots, n_take_slots;
  double *out, *in;
} IfbamPeer;

typedef struct
{
  IfbamModelShare share; /* the model's */
  const IfbamRanks *ranks;
  IfbamSubmodel sub;
  guint steps;   /* between exchanges */
  guint depth;   /* layers */
  gint32 *owner; /* of free nodes (n_free) and links (n_links), by the submodel's lists */
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

/* Of a network that can go in ranks (see ifbam_ranks_fault()), whose signals and, if `full`, losses are booked step by step.
 * All ranks ask at once. NULL: there is no partition, which all hear. */
IfbamRankPart *ifbam_rank_part_new (IfbamModel *whole, const IfbamRunSpec *spec,
                                    const IfbamSignals *signals, gboolean full, GError **error);
void ifbam_rank_part_free (IfbamRankPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRankPart, ifbam_rank_part_free)

/* What stands in the way of a rank's model where nobody compiles the whole network: made in two turns, so that each rank
 * hears which nodes are looked at one by one. */
typedef struct
{
  guint64 n_free, n_links, n_nodes; /* of the file */
  guint steps, depth;
  gboolean by_stages;
} IfbamRankPlan;

/* Of own nodes layers may have such a part, so that there are more steps between exchanges. */
#define IFBAM_RANKS_LAYERS 0.1
/* fits: whether so many layers have few nodes on all ranks, which is asked of many layers before it is of fewer. */
IfbamRankPlan ifbam_rank_plan (guint64 n_free, guint64 n_links, guint64 n_nodes,
                               const IfbamRunSpec *spec, gboolean full,
                               gboolean (*fits) (gpointer data, guint layers), gpointer data);
/* Nodes that are looked at on any rank, by numbers of the file, ascending, each once (guint64; transfer full); the model is an
 * excerpt that has all links at the rank's own nodes. */
GArray *ifbam_rank_list_looked_at (const IfbamModel *model, const IfbamSignals *signals);
/* The part of a model that is an excerpt of the plan's nodes, and takes it over; all ranks ask at once. owner: of the file's free
 * nodes; NULL: ranks have blocks of them. */
IfbamRankPart *ifbam_rank_part_new_of_excerpt (IfbamModel *model, const IfbamRankPlan *plan,
                                               const gint32 *owner, const IfbamRunSpec *spec);
/* States of the whole network will be asked for: it stays with rank 0, and with all until a run has begun with one. */
void ifbam_rank_part_keep_states (IfbamRankPart *part, const IfbamModel *whole);
/* The whole network is let go. */
void ifbam_rank_part_forget (IfbamRankPart *part);

/* The signals of the whole network by the part's numbers (transfer full). */
IfbamSignals *ifbam_rank_part_signals (const IfbamRankPart *part, const IfbamModel *whole,
                                       const IfbamSignals *signals);

/* Why a network can't go in ranks yet, and what can be done instead (transfer full); NULL: it can. */
char *ifbam_ranks_fault (const IfbamModel *model, const IfbamRunSpec *spec);
/* The same of a network in which something goes on differently at instants, for `what` that rules out (transfer full); NULL: nothing
 * does. */
char *ifbam_ranks_fault_of_instants (const IfbamModel *model, const char *what);

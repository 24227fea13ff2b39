/* distributed-input.h: from a network file to a rank's part
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/network-graph.h"
#include "run/subdomain.h"

typedef struct
{
  IfbamNetworkGraph *graph; /* NULL: the network is compiled as a whole */
  guint64 reach;            /* largest distance in the file of two nodes under a link, or a bound */
  gint32 *owner;            /* of the file's free nodes; NULL: ranks have blocks of it */
  guint8 *mark;             /* see ifbam_ranks_deal_components () */
} IfbamDistributedInput;

void ifbam_distributed_input_clear (IfbamDistributedInput *self);

/* Reads a file; of all ranks at once. Of a large network that can be cut, *model has about this rank's nodes and self->graph is
 * set; else *model is the whole network. NULL as *model without an error: another rank has an error. may_cut FALSE: the network
 * is compiled whole. IFBAM_RANKS_WHOLE=N: networks of up to N nodes are compiled whole (for tests; 100000). */
IfbamNetwork *ifbam_distributed_input_read (IfbamDistributedInput *self, const char *path,
                                            const char *const *settings, gboolean may_cut,
                                            gboolean keeps_text, IfbamModel **model,
                                            IfbamRunSpec *spec, IfbamSignals **signals,
                                            GError **error);
/* Returns this rank's part; of all ranks at once. *model: from ifbam_distributed_input_read (); if it is a subnetwork, it is freed, and
 * signals and spec are made anew, else signals get the indices of the part. full: see ifbam_rank_plan (). NULL with an error that
 * all ranks have; NULL without an error: the network has to be read as a whole after all, as some signal's object is nowhere. */
IfbamRankPart *ifbam_distributed_input_take_part (IfbamDistributedInput *self, IfbamModel **model,
                                                  IfbamRunSpec *spec, IfbamSignals **signals,
                                                  gboolean full, GError **error);

/* distributed-input.h: from a network file to a rank's subdomain
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/network-graph.h"
#include "run/subdomain.h"

typedef struct
{
  IfbamNetworkGraph *graph; /* NULL: the network is compiled whole */
  guint64 reach;            /* bound of the distance in the file of two nodes under a link */
  gint32 *owner;            /* of the file's free nodes; NULL: ranks own blocks of the file */
  guint8 *mark;             /* see ifbam_ranks_assign_components () */
} IfbamDistributedInput;

void ifbam_distributed_input_clear (IfbamDistributedInput *self);

/* Reads a file; a collective call. Of a large network that can be cut, *model has about this rank's
 * nodes, and self->graph is set; else *model is the whole network. *model NULL without an error:
 * another rank has one. may_cut FALSE: compiles the whole network. IFBAM_RANKS_WHOLE=N: compiles
 * networks of up to N nodes whole (for tests; 100000). */
IfbamNetwork *ifbam_distributed_input_read (IfbamDistributedInput *self, const char *path,
                                            const char *const *settings, gboolean may_cut,
                                            gboolean keeps_text, IfbamModel **model,
                                            IfbamRunSpec *spec, IfbamSignals **signals,
                                            GError **error);
/* Returns this rank's subdomain; a collective call. *model: from ifbam_distributed_input_read (); a
 * subnetwork is freed, signals and spec are made anew; else signals get the subdomain's indices.
 * full: see ifbam_rank_plan (). NULL with an error on all ranks; NULL without one: the network has
 * to be read whole, as a signal's object is on no rank. */
IfbamSubdomain *ifbam_distributed_input_take_part (IfbamDistributedInput *self, IfbamModel **model,
                                                   IfbamRunSpec *spec, IfbamSignals **signals,
                                                   gboolean full, GError **error);

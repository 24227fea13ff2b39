/* distributed-input.h: a rank's part of a network file of which no rank compiles the whole
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/network-graph.h"
#include "run/subdomain.h"

typedef struct
{
  IfbamSurvey *survey; /* NULL: the network is compiled as a whole */
  guint64 reach; /* how far apart in the file the nodes under a link are, or were they that near */
  gint32 *owner; /* of the file's free nodes; NULL: ranks have blocks of it */
  guint8 *mark;  /* see ifbam_ranks_deal_components () */
} IfbamRankExcerpt;

void ifbam_rank_excerpt_clear (IfbamRankExcerpt *self);

/* Reads a file, by all ranks at once. Where the network is large, and can be cut, *model is one of about this rank's nodes, and
 * self->survey is there; else it is the whole one. NULL as a model without an error: another rank has one. IFBAM_RANKS_WHOLE=N
 * has networks of up to N nodes compiled whole (for tests; 100000). may_cut: FALSE has all compiled whole. */
IfbamNetwork *ifbam_rank_excerpt_read (IfbamRankExcerpt *self, const char *path,
                                       const char *const *settings, gboolean may_cut,
                                       gboolean keeps_text, IfbamModel **model, IfbamRunSpec *spec,
                                       IfbamSignals **signals, GError **error);
/* Returns this rank's part; of all ranks at once. *model: from ifbam_rank_excerpt_read (); if it is an excerpt, it is freed, and
 * signals and spec are made anew, else signals get the indices of the part. full: see ifbam_rank_plan (). NULL with an error that
 * all ranks have; NULL without an error: the network has to be read as a whole after all, as some signal's object is nowhere. */
IfbamRankPart *ifbam_rank_excerpt_take_part (IfbamRankExcerpt *self, IfbamModel **model,
                                             IfbamRunSpec *spec, IfbamSignals **signals,
                                             gboolean full, GError **error);

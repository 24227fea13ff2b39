/* subnetwork.h: some of a network's free nodes, all given nodes, and the links between these
 *
 * Indices in the file have 64 bits, those in a model 32: the model of a subnetwork has the
 * subnetwork's nodes and links, in the order of the file. run/network-graph.h finds these nodes and
 * links.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Consecutive indices in the file. */
typedef struct
{
  guint64 first, count;
  gsize place; /* index of the first in the subnetwork */
} IfbamRange;

typedef struct
{
  guint64 n_free;       /* of the file */
  GArray *nodes;        /* IfbamRange: free nodes, ascending, not adjacent */
  GArray *links;        /* IfbamRange: links, ascending; of a file added by the compiler */
  GArray *sources;      /* IfbamRange: sources of a compiled network, ascending */
  guint64 n_own_links;  /* number of links */
  GArray *incomplete;   /* guint32: nodes with a link that is not here, ascending */
  guint64 *node, *link; /* first nodes and links of elements in the file, by element id */
  gboolean is_sample;   /* it represents the whole network, with its size checked */
  GPtrArray *columns;   /* its columns of files, see run/distributed-rows.h; NULL: none */
} IfbamSubnetwork;

IfbamSubnetwork *ifbam_subnetwork_new (guint32 n_ids);
void ifbam_subnetwork_free (IfbamSubnetwork *subnetwork);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSubnetwork, ifbam_subnetwork_free)

/* Returns the first range that ends behind an index of the file; ranges->len: none does. */
guint ifbam_ranges_bound (const GArray *ranges, guint64 number);
/* Stores the next part of the indices first to end - 1 that is in the ranges; FALSE: none. *r:
 * ifbam_ranges_bound (ranges, first) before the first call. */
gboolean ifbam_ranges_next_within (const GArray *ranges, guint64 first, guint64 end, guint *r,
                                   IfbamRange *part);
/* Stores the index in the subnetwork of an index of the file; FALSE: not there. */
gboolean ifbam_ranges_find (const GArray *ranges, guint64 number, gsize *place);
/* Returns the index in the file of an index in the subnetwork. */
guint64 ifbam_ranges_number (const GArray *ranges, gsize place);
/* Returns the number of indices in all ranges. */
gsize ifbam_ranges_count (const GArray *ranges);
/* Appends indices larger than all others. */
void ifbam_ranges_append (GArray *ranges, guint64 first, guint64 count);
/* Returns the union of ranges and ascending indices (guint64; transfer full). */
GArray *ifbam_ranges_unite (const GArray *ranges, const GArray *numbers);

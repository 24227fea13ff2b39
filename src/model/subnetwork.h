/* subnetwork.h: an excerpt of a network: some of the file's free nodes, and the links that have all their ends among them
 *
 * The file's numbers have 64 bits, a model's 32: a model of an excerpt has the excerpt's nodes and links in file order, and all
 * given nodes. Which ones they are, run/network-graph.h finds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Consecutive numbers of the file. */
typedef struct
{
  guint64 first, count;
  gsize place; /* where the first one stands in the excerpt */
} IfbamRange;

typedef struct
{
  guint64 n_free;       /* of the file */
  GArray *nodes;        /* IfbamRange: free nodes, ascending, apart from each other */
  GArray *links;        /* IfbamRange: links, likewise; of a file the compiler adds them */
  GArray *sources;      /* IfbamRange: of a compiled network its sources, likewise */
  guint64 n_own_links;  /* how many these will be */
  GArray *lacking;      /* guint32: which of the excerpt's nodes lack a link here, ascending */
  guint64 *node, *link; /* first nodes and links of elements in the file, by their ids */
  gboolean is_sample;   /* it represents the whole, whose size is judged */
  GPtrArray *columns;   /* its columns of files, see run/distributed-rows.h; NULL: there are none */
} IfbamExcerpt;

IfbamExcerpt *ifbam_excerpt_new (guint32 n_ids);
void ifbam_excerpt_free (IfbamExcerpt *excerpt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamExcerpt, ifbam_excerpt_free)

/* The first range that ends behind a number; ranges->len: none does. */
guint ifbam_ranges_bound (const GArray *ranges, guint64 number);
/* Where a number of the file stands in the excerpt; FALSE: elsewhere. */
gboolean ifbam_ranges_find (const GArray *ranges, guint64 number, gsize *place);
/* The number in the file of what stands there in the excerpt. */
guint64 ifbam_ranges_number (const GArray *ranges, gsize place);
/* How many they are. */
gsize ifbam_ranges_count (const GArray *ranges);
/* Adds numbers behind all others. */
void ifbam_ranges_append (GArray *ranges, guint64 first, guint64 count);
/* Ranges, and numbers (guint64) that ascend, of which any may be there already: all in one list (transfer full). */
GArray *ifbam_ranges_unite (const GArray *ranges, const GArray *numbers);

/* submodel.h: some nodes of a compiled network and what joins them, as a model of its own
 *
 * What is compiled of ranges of a file, where nobody has the whole network, is an excerpt (model/subnetwork.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  IfbamModel *model; /* owned */
  gsize n_free, n_links, n_sources;
  guint32 *node;   /* which of the file's free nodes they are (n_free), ascending */
  guint32 *link;   /* of its links (n_links), likewise */
  guint32 *source; /* of its sources (n_sources) */
} IfbamSubmodel;

/* node: of the file, ascending (n_free); all given nodes are there, too, and of links those all of whose ends are. Nodes
 * hear them in the order in which the whole network's do. What links in no batch and impulses have for ends is here, and so are
 * sources that go on differently at given instants; what its laws have in memory is the
 * submodel's from now on, and stays for `whole` as long as that one lives. */
void ifbam_submodel_init (IfbamSubmodel *sub, IfbamModel *whole, const guint32 *node, gsize n_free);
void ifbam_submodel_clear (IfbamSubmodel *sub);

/* Where a number stands in an ascending list; FALSE: nowhere. */
gboolean ifbam_list_find (const guint32 *list, gsize n, guint32 number, gsize *place);

/* The free ends of a link, by its number in the file: numbers of nodes in the file (at most IFBAM_MAX_ENDS); returns how
 * many. */
guint ifbam_model_free_ends (const IfbamModel *model, gsize link, guint32 *ends);

static inline guint32
ifbam_model_file_number (const IfbamModel *model, gsize free_node)
{
  return model->file_node != NULL ? model->file_node[free_node] : (guint32) free_node;
}

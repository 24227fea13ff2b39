/* distributed-rows.h: rows of files of columns, distributed over ranks: neighbours, subnetworks
 *
 * Each rank stores a block of the file's nodes (a single process all). It reads a block of the
 * rows, and sends each row to the ranks that store its nodes. For rows at other nodes it sends
 * requests.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/registry.h"
#include "model/model.h"

typedef struct _IfbamGraphRows IfbamGraphRows;

IfbamGraphRows *ifbam_graph_rows_new (void);
void ifbam_graph_rows_free (IfbamGraphRows *self);
/* Adds a composite; first: index in the file of its first node. */
void ifbam_graph_rows_add (IfbamGraphRows *self, IfbamElement *element, guint64 first);

/* The following functions are collective calls, in the same order on all ranks. */

/* Sets the blocks of nodes, after all composites were added. */
void ifbam_graph_rows_share (IfbamGraphRows *self, guint64 n_free);
/* Reads the links of a composite. rows: only indices of outer nodes are stored; *n: count of link
 * indices in the file. FALSE on all ranks: a fault on any, or in the whole file only. */
gboolean ifbam_graph_rows_read (IfbamGraphRows *self, const IfbamElement *element,
                                const IfbamRows *rows, guint64 *n);
/* Then reads the columns of the nodes. FALSE: as ifbam_graph_rows_read (). */
gboolean ifbam_graph_rows_read_node_columns (IfbamGraphRows *self);

/* Begins a cut: discards rows received for an earlier one. */
void ifbam_graph_rows_begin (IfbamGraphRows *self);
/* Appends to numbers the free neighbours of nodes (guint64, ascending) outside the known ranges. */
void ifbam_graph_rows_list_neighbours (IfbamGraphRows *self, const GArray *nodes,
                                       const GArray *known, GArray *numbers);
/* Returns the columns of a subnetwork, from the rows of the walks since the cut began:
 * IfbamColumnsData, in the order of the composites (transfer full). keep: returns TRUE if the n
 * links between two nodes are in the subnetwork. */
GPtrArray *ifbam_graph_rows_take (IfbamGraphRows *self, const GArray *nodes,
                                  gboolean (*keep) (gpointer data, guint64 left, guint64 right,
                                                    guint n),
                                  gpointer data);

/* Frees the rows, on one rank; no walk may follow. */
void ifbam_graph_rows_discard (IfbamGraphRows *self);
/* Appends the free neighbours (guint64) of a node of this rank, one per link, outside the ranges
 * `known` (NULL: all neighbours). */
void ifbam_graph_rows_list (const IfbamGraphRows *self, guint64 node, const GArray *known,
                            GArray *numbers);
/* Sets the composites' columns to those of a subnetwork (taken over). */
void ifbam_graph_rows_set_columns (IfbamGraphRows *self, GPtrArray *columns);

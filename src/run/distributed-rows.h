/* distributed-rows.h: rows of files of columns, distributed over ranks: neighbours of nodes, rows of subnetworks
 *
 * Each rank is the keeper of a block of the file's nodes. It reads a block of the rows, and sends each row to the keepers of its
 * nodes. For rows at other nodes it sends requests to their keepers. A single process keeps all nodes.
 *
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

/* The next functions are called by all ranks at once, in the same order. */

/* Sets the blocks of nodes, after all composites were added. */
void ifbam_graph_rows_share (IfbamGraphRows *self, guint64 n_free);
/* Reads the links of a composite. rows: not kept, but for the indices of outer nodes; *n: number of the links' indices in the
 * file. Returns FALSE on all ranks after a fault on any, or if only the whole file shows a fault. */
gboolean ifbam_graph_rows_read (IfbamGraphRows *self, const IfbamElement *element,
                                const IfbamRows *rows, guint64 *n);
/* Then reads the columns of the nodes. Returns FALSE likewise. */
gboolean ifbam_graph_rows_settle (IfbamGraphRows *self);

/* Begins a cut: forgets the rows that other ranks sent for an earlier one. */
void ifbam_graph_rows_begin (IfbamGraphRows *self);
/* Appends to numbers the free neighbours of nodes (guint64, ascending) that are in none of the known ranges. */
void ifbam_graph_rows_walk (IfbamGraphRows *self, const GArray *nodes, const GArray *known,
                            GArray *numbers);
/* Returns the columns of a subnetwork, from the rows of the walks since the cut began: IfbamColumnsData, in the order of the
 * composites (transfer full). keep: returns whether the n links between two nodes are in the subnetwork. */
GPtrArray *ifbam_graph_rows_take (IfbamGraphRows *self, const GArray *nodes,
                                  gboolean (*keep) (gpointer data, guint64 left, guint64 right,
                                                    guint n),
                                  gpointer data);

/* Each rank by itself: frees the rows; no walk may follow. */
void ifbam_graph_rows_forget (IfbamGraphRows *self);
/* Appends the free neighbours of a node that this rank keeps, once for each link, unless in known ranges (NULL: none; guint64). */
void ifbam_graph_rows_list (const IfbamGraphRows *self, guint64 node, const GArray *known,
                            GArray *numbers);
/* Gives the composites the columns of a subnetwork (taken over). */
void ifbam_graph_rows_give (IfbamGraphRows *self, GPtrArray *columns);

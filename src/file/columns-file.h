/* columns-file.h: masses, springs and dampers as columns in a file in HDF5
 *
 * One-dimensional datasets of numbers, by rows: nodes/mass, nodes/position, nodes/velocity; links/left, links/right (nodes,
 * from 0 on), links/stiffness, links/quadratic, links/cubic, links/damping, NaN where a link is no spring or no damper. In
 * SI, in the order in which a file of text would have them. Any program that writes HDF5 can make one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/registry.h"
#include "file/hdf5.h"

#define IFBAM_COLUMNS_FORMAT "ifbam columns"

/* Some of the rows. */
typedef struct
{
  guint64 first_node, n_nodes, first_link, n_links;
} IfbamColumnsBlock;

/* How many rows there are; FALSE: it is no such file, or something is wrong with it. */
gboolean ifbam_columns_file_count (const char *path, guint64 *n_nodes, guint64 *n_links);
/* n_outer: nodes that have numbers behind those of the file. All that is wrong goes to faults (char*, transfer full:
 * "net.h5: links/left[3] is ..."); NULL then. */
IfbamColumnsData *ifbam_columns_file_read (const char *path, guint n_outer, GPtrArray *faults);
/* The same of a block of the file: its numbers of rows are those of the file, its arrays are of the block's. */
IfbamColumnsData *ifbam_columns_file_read_block (const char *path, guint n_outer,
                                                 const IfbamColumnsBlock *block, GPtrArray *faults);
/* The file is there, whole, or what was there before: IFBAM_ERROR_WRITE. */
gboolean ifbam_columns_file_write (const char *path, const IfbamColumnsData *data, GError **error);

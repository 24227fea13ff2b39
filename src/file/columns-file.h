/* columns-file.h: masses, springs and dampers as columns of a file in HDF5
 *
 * One-dimensional datasets: nodes/mass, nodes/position, nodes/velocity; links/left, links/right
 * (nodes, from 0 on), links/stiffness, links/quadratic, links/cubic, links/damping, NaN for a link
 * without spring or damper. In SI units, in the order of a text file. Any HDF5 program can make
 * one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/registry.h"
#include "file/hdf5.h"

#define IFBAM_COLUMNS_FORMAT "ifbam columns"

/* Ranges of rows. */
typedef struct
{
  guint64 first_node, n_nodes, first_link, n_links;
} IfbamColumnsBlock;

/* Counts the rows; FALSE: it is no such file, or it is damaged. */
gboolean ifbam_columns_file_count (const char *path, guint64 *n_nodes, guint64 *n_links);
/* n_named_free: named nodes with indices behind those of the file. On faults returns NULL, and appends
 * them to faults (char*, transfer full: "net.h5: links/left[3] is ..."). */
IfbamColumnsData *ifbam_columns_file_read (const char *path, guint n_named_free, GPtrArray *faults);
/* As above for a block of the file: counts are those of the file, arrays those of the block. */
IfbamColumnsData *ifbam_columns_file_read_block (const char *path, guint n_named_free,
                                                 const IfbamColumnsBlock *block, GPtrArray *faults);
/* Writes the file; after an error, IFBAM_ERROR_WRITE, an existing file is unchanged. */
gboolean ifbam_columns_file_write (const char *path, const IfbamColumnsData *data, GError **error);

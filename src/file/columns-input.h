/* columns-input.h: the files of columns of a network's elements
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/registry.h"
#include "model/model.h"

/* Reads the files of elements (IfbamElement), unless the last data are up to date. folder: for
 * relative names (NULL: the current one). FALSE after an issue. */
gboolean ifbam_columns_read (const char *folder, const GPtrArray *elements, GArray *issues);

/* Returns data with the counts and path of a file, but without any of its rows. */
IfbamColumnsData *ifbam_columns_part_new (const IfbamColumnsData *file);
/* Gives each element such data; see distributed-rows.h. FALSE: a file can't be read. */
gboolean ifbam_columns_begin (const char *folder, const GPtrArray *elements);
/* Sets an element's data (transfer full), and frees its old ones. */
void ifbam_columns_take (IfbamElement *element, IfbamColumnsData *data);

/* Returns checksums of the elements' files, read or not, as lines "SHA256  FILE" like those of
 * sha256sum (transfer full); NULL: there are no files. */
char *ifbam_columns_checksums (const char *folder, const GPtrArray *elements);

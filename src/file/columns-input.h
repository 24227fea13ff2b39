/* columns-input.h: the files of columns that a network's elements name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/registry.h"
#include "model/model.h"

/* Reads what elements (IfbamElement) name, unless that is read already and was not written since. folder: where relative
 * names are looked for (NULL: the current one). FALSE after an issue. */
gboolean ifbam_columns_read (const char *folder, const GPtrArray *elements, GArray *issues);

/* For some of the rows of a file, of which path and numbers of rows are known: none yet. */
IfbamColumnsData *ifbam_columns_part_new (const IfbamColumnsData *file);
/* Each gets a part that has none of its file's rows, whose numbers are known then; see distributed-rows.h. FALSE: one can't be read. */
gboolean ifbam_columns_begin (const char *folder, const GPtrArray *elements);
/* An element gets what was read of its file (transfer full); a part that it had goes. */
void ifbam_columns_take (IfbamElement *element, IfbamColumnsData *data);

/* Checksums of the files that elements name, read or not, a line "SHA256  FILE" for each, as sha256sum writes them (transfer full);
 * NULL: they name none. */
char *ifbam_columns_checksums (const char *folder, const GPtrArray *elements);

/* columns.h: the files of columns that a network's elements name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Reads what elements (IfbamElement) name, unless that is read already and was not written since. folder: where relative
 * names are looked for (NULL: the current one). FALSE after an issue. */
gboolean ifbam_columns_read (const char *folder, const GPtrArray *elements, GArray *issues);

/* Checksums of the files that elements name, a line "SHA256  FILE" for each, as sha256sum writes them (transfer full); NULL: they
 * name none. */
char *ifbam_columns_checksums (const GPtrArray *elements);

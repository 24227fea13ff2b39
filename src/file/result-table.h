/* result-table.h: events as entries of an HDF5 table
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/hdf5.h"
#include "file/result.h"

#define IFBAM_RESULT_ENDED 32 /* bytes of the attribute "ended", with its zero */

/* An entry: time, two texts padded with zeros, four numbers. Sizes [bytes]: multiples of 8. */
typedef struct
{
  gsize element, word; /* of the texts */
  gsize size;          /* of an entry */
} IfbamEventTable;

/* Creates the type of an entry for names up to a length; below 1: the library failed. */
hid_t ifbam_event_table_new (IfbamEventTable *table, gsize longest_name);
/* As above, for an existing table. */
hid_t ifbam_event_table_open (IfbamEventTable *table, hid_t events);
/* Writes an event as an entry; FALSE: a text is too long. */
gboolean ifbam_event_table_take (const IfbamEventTable *table, const IfbamEvent *event,
                                 guint8 *entry);
/* Reads the events of a table (IfbamEvent, interned texts); NULL: failed, or no such table. */
GArray *ifbam_event_table_read (hid_t events);
